//! What the first line of a program's error output looks like.

/// What such a line begins with, in lower case.
const OPENINGS: &[&str] = &[
    "api error",
    "credit balance",
    "docker: error",
    "e   ",
    "error",
    "exception in",
    "fatal",
    "invalid api key",
    "make: ***",
    "npm err!",
    "panic:",
    "prompt is too long",
    "stream error",
    "thread '",
    "traceback (most recent call last)",
    "uncaught",
    "unhandled",
];

/// Whether the first line with words in it is one that a program prints when it fails. In most languages it begins with a
/// name that ends in `Error:` or `Exception:`.
pub(super) fn begins_like_error(text: &str) -> bool {
    let first = text.lines().map(str::trim_start).find(|line| line.chars().any(char::is_alphanumeric));
    let Some(first) = first else { return false };
    let line: String = first.chars().take(120).flat_map(char::to_lowercase).collect();
    let name = line.split_once(':').map_or("", |(name, _)| name);
    let is_typed = (name.ends_with("error") || name.ends_with("exception")) && !name.contains(' ');
    let is_object = line.starts_with('{') && line.contains("\"error\"");
    is_typed || is_object || OPENINGS.iter().any(|opening| opens_with(&line, opening))
}

/// `error` opens "error: x" and "error[E01]", not "errors are handled" or "error handling".
fn opens_with(line: &str, opening: &str) -> bool {
    let Some(rest) = line.strip_prefix(opening) else { return false };
    let ends_word = !opening.ends_with(char::is_alphabetic) || rest.is_empty();
    ends_word
        || rest.starts_with([':', '[', '(', ' ', '!', '·']) && (opening != "error" || !rest.starts_with(' '))
}
