//! The commands that a learner is told to type in a terminal.

/// The learner if none is named.
pub const ME: &str = "me";

/// A command for this learner, as a shell reads it.
pub fn typed(words: &[&str], learner: &str) -> String {
    let mut words: Vec<String> = words.iter().map(|word| quoted(word)).collect();
    if learner != ME {
        words.extend(["--learner".to_owned(), quoted(learner)]);
    }
    format!("etude {}", words.join(" "))
}

/// A word of a command, as a shell reads it.
pub fn quoted(text: &str) -> String {
    shlex::try_quote(text).map_or_else(|_| text.to_owned(), Into::into)
}
