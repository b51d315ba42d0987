//! Reads Anki's notes with gaps: `Ich {{c1::trinke::verb}} Tee` is a sentence with something to guess.

/// A sentence with gaps in two forms: whole, and as a question.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Cloze {
    /// The sentence with every gap filled.
    pub whole: String,
    /// The sentence with the hint, or dots, in place of each gap.
    pub gapped: String,
}

/// The depth of nesting beyond which gaps are read as text. Anki itself stops at 8.
const MAX_DEPTH: usize = 8;

impl Cloze {
    pub fn new(text: &str) -> Cloze {
        let whole = render(text, |answer, _| answer.to_owned());
        let gapped = render(text, |_, hint| format!("[{}]", hint.unwrap_or("…")));
        Cloze { whole, gapped }
    }
}

/// Replaces every gap, inner ones first, in one pass.
fn render(text: &str, gap: impl Fn(&str, Option<&str>) -> String) -> String {
    let mut rendered = String::with_capacity(text.len());
    let mut open: Vec<usize> = Vec::new();
    let mut rest = text;
    while let Some(next) = rest.chars().next() {
        if let Some(after) = opening(rest).filter(|_| open.len() < MAX_DEPTH) {
            open.push(rendered.len());
            rest = after;
        } else if let (Some(after), Some(start)) = (rest.strip_prefix("}}"), open.last().copied()) {
            open.pop();
            let inside = rendered.split_off(start);
            let (answer, hint) = match inside.split_once("::") {
                Some((answer, hint)) => (answer, Some(hint)),
                None => (inside.as_str(), None),
            };
            rendered.push_str(&gap(answer, hint));
            rest = after;
        } else {
            rendered.push(next);
            rest = &rest[next.len_utf8()..];
        }
    }
    rendered
}

/// Returns the text after `{{c12::`, if the text begins with such an opening.
fn opening(text: &str) -> Option<&str> {
    let number = text.strip_prefix("{{c")?;
    let digits = number.bytes().take_while(u8::is_ascii_digit).count();
    number[digits..].strip_prefix("::").filter(|_| digits > 0)
}
