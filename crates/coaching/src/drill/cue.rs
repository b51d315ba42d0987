//! Cuts a line to the beginnings of its words: enough to remember it by, too little to copy.

/// The number of letters from which a word shows two of them; shorter words show one.
const LONG_WORD: usize = 4;

/// Returns the line with only the first letters of its words: `Guten Morgen!` is `Gu… Mo…!`.
pub(super) fn first_letters(line: &str) -> String {
    let mut cue = String::new();
    let mut rest = line;
    while let Some(start) = rest.find(char::is_alphanumeric) {
        let (marks, word) = rest.split_at(start);
        let end = word.find(|c: char| !c.is_alphanumeric()).unwrap_or(word.len());
        let (word, after) = word.split_at(end);
        let shown = if word.chars().count() < LONG_WORD { 1 } else { 2 };
        cue += marks;
        cue.extend(word.chars().take(shown));
        cue += "…";
        rest = after;
    }
    cue + rest
}

#[cfg(test)]
mod tests {
    use super::first_letters;

    #[test]
    fn a_cue_is_not_the_line() {
        for (line, cue) in [
            ("Hallo", "Ha…"),
            ("Ja!", "J…!"),
            ("Einen Kaffee, bitte.", "Ei… Ka…, bi…."),
            ("¿Dónde está el baño?", "¿Dó… es… e… ba…?"),
            ("s'il vous plaît", "s…'i… vo… pl…"),
            ("こんにちは", "こん…"),
            ("…", "…"),
        ] {
            assert_eq!(first_letters(line), cue);
        }
    }
}
