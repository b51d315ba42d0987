//! Makes the output of programs harmless.

/// Makes bytes a text that can be shown anywhere. Bytes that are not UTF-8 are replaced, control characters are
/// spelt out, and all beyond `most` characters is cut off.
pub(crate) fn inert(bytes: &[u8], most: usize) -> String {
    let text = String::from_utf8_lossy(bytes);
    let mut shown = String::new();
    for (count, letter) in text.chars().enumerate() {
        if count == most {
            shown.push('…');
            break;
        }
        match letter {
            '\n' | '\t' => shown.push(letter),
            '\r' => {}
            _ if is_control(letter) => shown.extend(letter.escape_unicode()),
            _ => shown.push(letter),
        }
    }
    shown
}

/// Whether a character controls the terminal or the direction of the text after it.
fn is_control(letter: char) -> bool {
    letter.is_control()
        || matches!(letter, '\u{200e}' | '\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}')
}
