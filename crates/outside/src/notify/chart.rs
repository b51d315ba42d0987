//! Small bar charts for mails: tables with coloured cells in HTML, because mail programs show neither SVG nor
//! scripts, and bars of block characters in plain text.

const TEXT_BAR_CELLS: usize = 20;
const MIN_BAR_CELLS: usize = 5;
/// Between label, bar and note.
const GAPS_COLUMNS: usize = 4;
const HTML_BAR_PX: u32 = 240;
const EIGHTHS: [char; 8] = [' ', '▏', '▎', '▍', '▌', '▋', '▊', '▉'];

/// One line of a chart.
#[derive(Clone, Debug, PartialEq)]
pub struct Bar {
    pub label: String,
    /// The share of the longest possible bar, from 0 to 1; values outside are clamped.
    pub share: f64,
    /// Shown after the bar, such as `72 %`.
    pub note: String,
}

/// A table that needs no style sheet. Labels and notes are escaped.
pub fn html(bars: &[Bar]) -> String {
    let rows: String = bars.iter().map(html_row).collect();
    format!(
        "<table role=\"presentation\" cellpadding=\"0\" cellspacing=\"0\" border=\"0\" \
         style=\"border-collapse:collapse;font:14px sans-serif;color:#222\">\n{rows}</table>\n"
    )
}

/// Labels, bars and notes in columns, one line each.
pub fn text(bars: &[Bar]) -> String {
    text_within(bars, usize::MAX)
}

/// The same in a limited number of columns: bars become shorter, then labels.
pub fn text_within(bars: &[Bar], columns: usize) -> String {
    let widest = |text: fn(&Bar) -> &str| bars.iter().map(|bar| text(bar).chars().count()).max().unwrap_or(0);
    let room = columns.saturating_sub(widest(|bar| &bar.note) + GAPS_COLUMNS);
    let label_columns = widest(|bar| &bar.label).min(room.saturating_sub(MIN_BAR_CELLS).max(1));
    let cells = TEXT_BAR_CELLS.min(room.saturating_sub(label_columns)).max(MIN_BAR_CELLS);
    bars.iter()
        .map(|bar| {
            let label = shortened(&bar.label, label_columns);
            format!("{label:<label_columns$}  {:<cells$}  {}\n", blocks(bar.share, cells), bar.note)
        })
        .collect()
}

fn shortened(label: &str, most_chars: usize) -> String {
    match label.chars().count() {
        chars if chars <= most_chars => label.to_owned(),
        _ => label.chars().take(most_chars.saturating_sub(1)).chain(['…']).collect(),
    }
}

fn html_row(bar: &Bar) -> String {
    let filled_px = (within_bounds(bar.share) * f64::from(HTML_BAR_PX)).round() as u32;
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
        label = escape(&bar.label),
        full = cell(filled_px, "#2f7d5d"),
        rest = cell(HTML_BAR_PX - filled_px, "#e4e9e6"),
        note = escape(&bar.note),
    )
}

/// Whole cells, then the rest in eighths of a cell.
fn blocks(share: f64, cells: usize) -> String {
    let eighths = (within_bounds(share) * (cells * 8) as f64).round() as usize;
    let mut bar = "█".repeat(eighths / 8);
    if !eighths.is_multiple_of(8) {
        bar.push(EIGHTHS[eighths % 8]);
    }
    bar
}

/// A value that is not a number makes an empty bar.
fn within_bounds(share: f64) -> f64 {
    if share.is_nan() { 0.0 } else { share.clamp(0.0, 1.0) }
}

/// Text for use in HTML.
pub fn escape(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;").replace('"', "&quot;")
}
