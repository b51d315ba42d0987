//! Writes the commands that a learner is told to type in a terminal.

/// The learner meant if none is named.
pub const ME: &str = "me";

/// Returns a command for this learner, quoted for a shell.
pub fn typed(words: &[&str], learner: &str) -> String {
    let mut words: Vec<String> = words.iter().map(|word| quoted(word)).collect();
    if learner != ME {
        words.extend(["--learner".to_owned(), quoted(learner)]);
    }
    format!("etude {}", words.join(" "))
}

/// Quotes a word of a command for a shell.
pub fn quoted(text: &str) -> String {
    shlex::try_quote(text).map_or_else(|_| text.to_owned(), Into::into)
}
