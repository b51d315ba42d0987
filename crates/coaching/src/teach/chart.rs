//! Bars as SVG, for a file, a web page or an attachment. What is written into it comes from learners and models, so
//! all of it is escaped.

use std::fmt::Write;

const WIDTH_PX: usize = 640;
const LABEL_PX: usize = 210;
const BAR_PX: f64 = 320.0;
const ROW_PX: usize = 24;
const HEADING_PX: usize = 40;
const MARGIN_PX: usize = 16;
const MAX_LABEL_CHARS: usize = 30;
/// More bars than this cannot be read.
const MAX_BARS: usize = 60;

/// Bars that belong together.
#[derive(Debug, Clone, PartialEq)]
pub struct Chart {
    pub title: String,
    pub bars: Vec<Bar>,
}

#[derive(Debug, Clone, PartialEq)]
pub struct Bar {
    pub label: String,
    /// From 0 to 1, as a share of the longest possible bar; what lies outside is cut.
    pub share: f64,
    /// What stands behind the bar, such as `72 %`.
    pub note: String,
}

impl Bar {
    pub fn new(label: impl Into<String>, share: f64, note: impl Into<String>) -> Bar {
        Bar { label: label.into(), share, note: note.into() }
    }
}

/// All charts below each other, as one document.
pub fn svg(title: &str, charts: &[Chart]) -> String {
    let rows = |chart: &Chart| HEADING_PX + chart.bars.len().min(MAX_BARS) * ROW_PX;
    let height: usize = 2 * MARGIN_PX + charts.iter().map(rows).sum::<usize>();
    let title = escaped(title);
    let mut text = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{WIDTH_PX}\" height=\"{height}\" \
         viewBox=\"0 0 {WIDTH_PX} {height}\" role=\"img\" aria-label=\"{title}\" \
         font-family=\"sans-serif\" font-size=\"14\">\n<title>{title}</title>\n\
         <rect width=\"100%\" height=\"100%\" fill=\"#ffffff\"/>\n"
    );
    let mut top = MARGIN_PX;
    for chart in charts {
        write_chart(&mut text, chart, top);
        top += rows(chart);
    }
    text.push_str("</svg>\n");
    text
}

fn write_chart(text: &mut String, chart: &Chart, top: usize) {
    let heading = escaped(&chart.title);
    let baseline = top + HEADING_PX - 14;
    // Writing into a text cannot fail.
    let _ = writeln!(
        text,
        "<text x=\"{MARGIN_PX}\" y=\"{baseline}\" font-weight=\"bold\" fill=\"#222222\">{heading}</text>"
    );
    for (bar, at) in chart.bars.iter().take(MAX_BARS).zip(0..) {
        write_bar(text, bar, top + HEADING_PX + at * ROW_PX);
    }
}

fn write_bar(text: &mut String, bar: &Bar, top: usize) {
    let share = if bar.share.is_nan() { 0.0 } else { bar.share.clamp(0.0, 1.0) };
    let (baseline, width) = (top + 13, (share * BAR_PX).round());
    let (label, note) = (escaped(&shortened(&bar.label)), escaped(&bar.note));
    let note_at = LABEL_PX + BAR_PX as usize + 12;
    let _ = writeln!(
        text,
        "<text x=\"{MARGIN_PX}\" y=\"{baseline}\" fill=\"#222222\">{label}</text>\
         <rect x=\"{LABEL_PX}\" y=\"{top}\" width=\"{BAR_PX}\" height=\"16\" fill=\"#e4e9e6\"/>\
         <rect x=\"{LABEL_PX}\" y=\"{top}\" width=\"{width}\" height=\"16\" fill=\"#2f7d5d\"/>\
         <text x=\"{note_at}\" y=\"{baseline}\" fill=\"#222222\">{note}</text>"
    );
}

fn shortened(text: &str) -> String {
    match text.char_indices().nth(MAX_LABEL_CHARS) {
        Some((end, _)) => format!("{}…", text[..end].trim_end()),
        None => text.to_owned(),
    }
}

/// Text for XML, within an element or an attribute. Characters that XML does not know are left out.
fn escaped(text: &str) -> String {
    let mut safe = String::with_capacity(text.len());
    for char in text.chars() {
        match char {
            '&' => safe.push_str("&amp;"),
            '<' => safe.push_str("&lt;"),
            '>' => safe.push_str("&gt;"),
            '"' => safe.push_str("&quot;"),
            '\'' => safe.push_str("&apos;"),
            '\t' | '\n' | '\r' => safe.push(' '),
            char if char.is_control() || matches!(char, '\u{fffe}' | '\u{ffff}') => {}
            char => safe.push(char),
        }
    }
    safe
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_learners_write_stays_text() {
        let bars = vec![
            Bar::new("<script>alert(1)</script>", 0.5, "50 %"),
            Bar::new("R&D \"x\" 'y' \u{0}\u{b}\u{ffff}", f64::NAN, "<&>"),
            Bar::new("an explanation that is far too long for the chart", 7.0, "!"),
        ];
        let chart = svg("a \"title\" & more", &[Chart { title: "</text>".into(), bars }]);
        for foreign in ["<script", "</text></text>", "\u{0}", "\u{b}", "\u{ffff}", "NaN"] {
            assert!(!chart.contains(foreign), "{foreign:?} in {chart}");
        }
        for part in [
            "&lt;script&gt;",
            "R&amp;D",
            "aria-label=\"a &quot;title&quot; &amp; more\"",
            "width=\"160\"",
            "…",
        ] {
            assert!(chart.contains(part), "{part:?} not in {chart}");
        }
        // Every bar has its ground and itself; one without a number is empty, one beyond the end is full.
        assert_eq!(chart.matches("height=\"16\"").count(), 6);
        assert_eq!(chart.matches("width=\"0\"").count(), 1);
        assert_eq!(chart.matches("width=\"320\"").count(), 4);
    }
}
