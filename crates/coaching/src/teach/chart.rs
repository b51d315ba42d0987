//! Draws bars: as SVG for a file, a web page or an attachment; as tables with coloured cells for mails, because
//! mail programs show neither SVG nor scripts; and as block characters in plain text. Labels and notes come from
//! learners and models, so all of them are escaped.

use crate::text::shortened;
use std::borrow::Cow;
use std::fmt::Write;

const WIDTH_PX: usize = 640;
const LABEL_PX: usize = 210;
const BAR_PX: f64 = 320.0;
const ROW_PX: usize = 24;
const HEADING_PX: usize = 40;
const MARGIN_PX: usize = 16;
const MAX_LABEL_CHARS: usize = 31;
/// The most bars of a chart. More cannot be read.
const MAX_BARS: usize = 60;

const TEXT_BAR_CELLS: usize = 20;
const MIN_BAR_CELLS: usize = 5;
/// The columns between label, bar and note.
const GAPS_COLUMNS: usize = 4;
const HTML_BAR_PX: u32 = 240;
const EIGHTHS: [char; 8] = [' ', '▏', '▎', '▍', '▌', '▋', '▊', '▉'];

/// Bars that belong together.
#[derive(Debug, Clone, PartialEq)]
pub struct Chart {
    pub title: String,
    pub bars: Vec<Bar>,
}

#[derive(Debug, Clone, PartialEq)]
pub struct Bar {
    pub label: String,
    /// The length, from 0 to 1, as a share of the longest possible bar. Values outside are clamped.
    pub share: f64,
    /// The text behind the bar, such as `72 %`.
    pub note: String,
}

impl Bar {
    pub fn new(label: impl Into<String>, share: f64, note: impl Into<String>) -> Bar {
        Bar { label: label.into(), share, note: note.into() }
    }

    /// Returns the share from 0 to 1. A value that is not a number makes an empty bar.
    fn share(&self) -> f64 {
        if self.share.is_nan() { 0.0 } else { self.share.clamp(0.0, 1.0) }
    }
}

/// Draws all charts below each other, as one document.
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
    let (baseline, width) = (top + 13, (bar.share() * BAR_PX).round());
    let (label, note) = (escaped(&shortened(&bar.label, MAX_LABEL_CHARS)), escaped(&bar.note));
    let note_at = LABEL_PX + BAR_PX as usize + 12;
    let _ = writeln!(
        text,
        "<text x=\"{MARGIN_PX}\" y=\"{baseline}\" fill=\"#222222\">{label}</text>\
         <rect x=\"{LABEL_PX}\" y=\"{top}\" width=\"{BAR_PX}\" height=\"16\" fill=\"#e4e9e6\"/>\
         <rect x=\"{LABEL_PX}\" y=\"{top}\" width=\"{width}\" height=\"16\" fill=\"#2f7d5d\"/>\
         <text x=\"{note_at}\" y=\"{baseline}\" fill=\"#222222\">{note}</text>"
    );
}

/// Draws bars as a table that needs no style sheet. Labels and notes are escaped.
pub fn html(bars: &[Bar]) -> String {
    let rows: String = bars.iter().map(html_row).collect();
    format!(
        "<table role=\"presentation\" cellpadding=\"0\" cellspacing=\"0\" border=\"0\" \
         style=\"border-collapse:collapse;font:14px sans-serif;color:#222\">\n{rows}</table>\n"
    )
}

/// Draws bars as text: labels, bars and notes in columns, one line each.
pub fn text(bars: &[Bar]) -> String {
    text_within(bars, usize::MAX)
}

/// Draws bars as text in a limited number of columns: bars become shorter, then labels.
pub fn text_within(bars: &[Bar], columns: usize) -> String {
    let widest = |text: fn(&Bar) -> &str| bars.iter().map(|bar| text(bar).chars().count()).max().unwrap_or(0);
    let room = columns.saturating_sub(widest(|bar| &bar.note) + GAPS_COLUMNS);
    let label_columns = widest(|bar| &bar.label).min(room.saturating_sub(MIN_BAR_CELLS).max(1));
    let cells = TEXT_BAR_CELLS.min(room.saturating_sub(label_columns)).max(MIN_BAR_CELLS);
    bars.iter()
        .map(|bar| {
            let label = shortened(&bar.label, label_columns);
            format!("{label:<label_columns$}  {:<cells$}  {}\n", blocks(bar.share(), cells), bar.note)
        })
        .collect()
}

fn html_row(bar: &Bar) -> String {
    let filled_px = (bar.share() * f64::from(HTML_BAR_PX)).round() as u32;
    let cell = |px: u32, colour: &str| match px {
        0 => String::new(),
        px => format!(
            "<td width=\"{px}\" bgcolor=\"{colour}\" \
             style=\"width:{px}px;height:14px;background:{colour};font-size:1px\">&nbsp;</td>"
        ),
    };
    format!(
        "<tr><td style=\"padding:3px 10px 3px 0\">{label}</td>\
         <td style=\"padding:3px 0\">\
         <table role=\"presentation\" cellpadding=\"0\" cellspacing=\"0\" border=\"0\">\
         <tr>{full}{rest}</tr></table></td>\
         <td style=\"padding:3px 0 3px 10px\">{note}</td></tr>\n",
        label = html_escaped(&bar.label),
        full = cell(filled_px, "#2f7d5d"),
        rest = cell(HTML_BAR_PX - filled_px, "#e4e9e6"),
        note = html_escaped(&bar.note),
    )
}

/// Draws a bar as whole cells, and the rest in eighths of a cell.
fn blocks(share: f64, cells: usize) -> String {
    let eighths = (share * (cells * 8) as f64).round() as usize;
    let mut bar = "█".repeat(eighths / 8);
    if !eighths.is_multiple_of(8) {
        bar.push(EIGHTHS[eighths % 8]);
    }
    bar
}

/// Escapes a text for XML, within an element or an attribute. Characters that XML does not know are left out.
fn escaped(text: &str) -> String {
    let is_known =
        |char: &char| "\t\n\r".contains(*char) || !(char.is_control() || "\u{fffe}\u{ffff}".contains(*char));
    let known = text.chars().filter(is_known).map(|char| if char.is_control() { ' ' } else { char });
    html_escape::encode_quoted_attribute(&known.collect::<String>()).into_owned()
}

/// Escapes a text for HTML.
pub fn html_escaped(text: &str) -> Cow<'_, str> {
    html_escape::encode_double_quoted_attribute(text)
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
        // Every bar is drawn over its background; one without a number is empty, one beyond the end is full.
        assert_eq!(chart.matches("height=\"16\"").count(), 6);
        assert_eq!(chart.matches("width=\"0\"").count(), 1);
        assert_eq!(chart.matches("width=\"320\"").count(), 4);
    }
}
