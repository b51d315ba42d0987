//! A command as one text, cut into its words as a shell would, without a shell: nothing in it is ever executed but
//! the program it names.

/// The words of a command. Quotes keep blanks together; a backslash keeps the next character.
pub fn split(command: &str) -> Result<Vec<String>, String> {
    let mut words = Vec::new();
    let mut word: Option<String> = None;
    let mut quote: Option<char> = None;
    let mut letters = command.chars();
    while let Some(letter) = letters.next() {
        match (letter, quote) {
            (end, Some(open)) if end == open => quote = None,
            ('\\', None | Some('"')) => {
                let next = letters.next().ok_or("it ends with a backslash")?;
                word.get_or_insert_default().push(next);
            }
            ('"' | '\'', None) => {
                quote = Some(letter);
                word.get_or_insert_default();
            }
            (blank, None) if blank.is_whitespace() => words.extend(word.take()),
            (letter, _) => word.get_or_insert_default().push(letter),
        }
    }
    if quote.is_some() {
        return Err("a quote is not closed".to_owned());
    }
    words.extend(word);
    Ok(words)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_command_is_cut_as_a_shell_would() {
        let check = |command: &str, expected: &[&str]| {
            assert_eq!(
                split(command),
                Ok(expected.iter().map(|word| (*word).to_owned()).collect()),
                "{command}"
            );
        };
        check("", &[]);
        check("  a  b ", &["a", "b"]);
        check(
            "claude --resume {session} -p {message}",
            &["claude", "--resume", "{session}", "-p", "{message}"],
        );
        check("say 'two words' \"and 'more'\"", &["say", "two words", "and 'more'"]);
        check("a'b c'd \"\"", &["ab cd", ""]);
        check(r#"a\ b "c\"d" 'e\f'"#, &["a b", "c\"d", r"e\f"]);
        assert!(split("say 'open").is_err() && split("say \\").is_err());
    }
}
