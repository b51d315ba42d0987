//! Reads a reply that is still being written: a JSON object whose end is missing.

use crate::authored::rules;

/// The maximum length of a text that is shown. No lesson is longer.
const MAX_CHARS: usize = 20_000;
/// Marks that end a sentence if a space follows.
const ENDS: [char; 4] = ['.', '!', '?', '…'];

/// Returns the complete sentences of the wanted fields, in the order in which they are wanted. Nothing follows a
/// field that is not complete, and nothing is shown from a text with characters that no lesson may have.
pub(super) fn sentences(written: &str, wanted: &[String]) -> String {
    let fields = fields(written);
    let mut shown = Vec::new();
    for name in wanted {
        let Some(field) = fields.iter().find(|field| field.name == *name) else { break };
        let text = if field.is_complete { field.text.as_str() } else { whole_sentences(&field.text) };
        if rules::control_character(text).is_some() || text.chars().count() > MAX_CHARS {
            break;
        }
        shown.push(text.trim());
        if !field.is_complete {
            break;
        }
    }
    shown.retain(|text| !text.is_empty());
    shown.join("\n\n")
}

fn whole_sentences(text: &str) -> &str {
    let mut end = 0;
    let mut before = ' ';
    for (at, c) in text.char_indices() {
        if c == '\n' || (c.is_whitespace() && ENDS.contains(&before)) {
            end = at;
        }
        before = c;
    }
    &text[..end]
}

struct Field {
    name: String,
    text: String,
    is_complete: bool,
}

/// Returns the texts at the top level of the first object.
fn fields(written: &str) -> Vec<Field> {
    let start = written.find('{').map_or(written.len(), |at| at + 1);
    let mut rest = written[start..].chars();
    let mut found: Vec<Field> = Vec::new();
    let (mut depth, mut name, mut is_value) = (0_usize, String::new(), false);
    while let Some(c) = rest.next() {
        match c {
            '"' => {
                let (text, is_complete) = string(&mut rest);
                match (depth, is_value) {
                    (0, true) => found.push(Field { name: std::mem::take(&mut name), text, is_complete }),
                    (0, false) => name = text,
                    _ => {}
                }
            }
            '{' | '[' => depth += 1,
            '}' | ']' if depth == 0 => break,
            '}' | ']' => depth -= 1,
            ':' if depth == 0 => is_value = true,
            ',' if depth == 0 => is_value = false,
            _ => {}
        }
    }
    found
}

/// Reads a text up to the closing quotation mark, and tells whether that was there. The mark may be missing, and so
/// may the end of an escape.
fn string(rest: &mut std::str::Chars<'_>) -> (String, bool) {
    let mut text = String::new();
    while let Some(c) = rest.next() {
        match c {
            '"' => return (text, true),
            '\\' => match escaped(rest) {
                Some(c) => text.push(c),
                None => break,
            },
            c => text.push(c),
        }
    }
    (text, false)
}

fn escaped(rest: &mut std::str::Chars<'_>) -> Option<char> {
    Some(match rest.next()? {
        'n' => '\n',
        't' => '\t',
        'r' => '\r',
        'b' => '\u{8}',
        'f' => '\u{c}',
        'u' => {
            let high = unit(rest)?;
            match high {
                // The other half of a surrogate pair follows.
                0xd800..=0xdbff => {
                    rest.nth(1)?;
                    let low = unit(rest)?;
                    char::decode_utf16([high, low]).next()?.unwrap_or(char::REPLACEMENT_CHARACTER)
                }
                _ => char::from_u32(high.into()).unwrap_or(char::REPLACEMENT_CHARACTER),
            }
        }
        c => c,
    })
}

fn unit(rest: &mut std::str::Chars<'_>) -> Option<u16> {
    let digits: String = rest.take(4).collect();
    (digits.len() == 4).then(|| u16::from_str_radix(&digits, 16).unwrap_or(0xfffd))
}

#[cfg(test)]
mod tests {
    use super::sentences;
    use serde_json::json;

    fn check(written: &str, expected: &str) {
        let wanted = ["explain".to_owned(), "example".to_owned()];
        assert_eq!(sentences(written, &wanted), expected, "{written}");
    }

    #[test]
    fn only_whole_sentences_of_the_wanted_fields() {
        check("", "");
        check("{\"expl", "");
        check(r#"{"explain": "Water boils"#, "");
        check(r#"{"explain": "Water boils. It"#, "Water boils.");
        check(r#"{"explain": "Water boils.\nIt is"#, "Water boils.");
        check(r#"{"explain": "It costs 3.5 euros, say"#, "");
        check(r#"{"explain": "Water boils. It steams."#, "Water boils.");
        check(r#"{"explain": "Water boils.", "exam"#, "Water boils.");
        check(r#"{"explain": "Water.", "example": "A pot. And"#, "Water.\n\nA pot.");
        check(r#"{"explain": "Water.", "questions": [{"explain": "no", "example": "No. "#, "Water.");
        check(r#"{"secret": "No. No. ", "explain": "Yes. "#, "Yes.");
        check(r#"```json {"explain": "Yes. "#, "Yes.");
        check(r#"{"explain": "A \"quoted\" \u00e4 \ud83d\ude00 word. \"#, "A \"quoted\" ä 😀 word.");
        check(r#"{"explain": "Good. \u0007 bad. And"#, "");
        check(r#"{"explain": 3, "example": "Yes."}"#, "");
    }

    /// Wherever a reply is cut off, the text that is shown is a beginning of the final text.
    #[test]
    fn never_shows_what_will_not_be_there() {
        let reply = json!({"explain": "Erstens: „ja“. Zweitens\nnein? \\ 😀! So.", "example": "3.5 { \"x\": 1 }. Ende.", "questions": []});
        let written = reply.to_string();
        let wanted = ["explain".to_owned(), "example".to_owned()];
        let whole = sentences(&written, &wanted);
        assert_eq!(whole, "Erstens: „ja“. Zweitens\nnein? \\ 😀! So.\n\n3.5 { \"x\": 1 }. Ende.");
        for (at, _) in written.char_indices() {
            let shown = sentences(&written[..at], &wanted);
            assert!(whole.starts_with(&shown), "{shown:?} of {:?}", &written[..at]);
        }
    }
}
