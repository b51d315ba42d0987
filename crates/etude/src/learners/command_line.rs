//! What a learner types in a terminal, for words that tell them to.

use coaching::teach::Header;

/// Who learns where nobody is named.
pub const ME: &str = "me";

/// A command as a shell takes it, for this learner.
pub fn typed(words: &[&str], learner: &str) -> String {
    let mut words: Vec<String> = words.iter().map(|word| quoted(word)).collect();
    if learner != ME {
        words.extend(["--learner".to_owned(), quoted(learner)]);
    }
    format!("etude {}", words.join(" "))
}

/// A word of a command as a shell takes it.
pub(crate) fn quoted(text: &str) -> String {
    let is_simple = |c: char| c.is_alphanumeric() || matches!(c, '-' | '_' | '.' | '@' | '/');
    match !text.is_empty() && text.chars().all(is_simple) {
        true => text.to_owned(),
        false => format!("'{}'", text.replace('\'', r"'\''")),
    }
}

/// What a course is called by in a command: its curriculum, or its id.
pub fn name_of(header: &Header) -> String {
    header.metadata.curriculum.clone().unwrap_or_else(|| header.mind_map_id.to_string())
}
