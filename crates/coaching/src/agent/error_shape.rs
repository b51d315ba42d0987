//! Recognises the error output of programs, and of the agent's own program, by its form.

/// Beginnings of the first line that a failing program prints, in lower case.
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

/// Whether the first line with words in it is one that a program prints when it fails. In most languages such a
/// line begins with a name that ends in `Error:` or `Exception:`.
pub(super) fn begins_like_error(text: &str) -> bool {
    let first = text.lines().map(str::trim_start).find(|line| line.chars().any(char::is_alphanumeric));
    let Some(first) = first else { return false };
    let line: String = first.chars().take(120).flat_map(char::to_lowercase).collect();
    let name = line.split_once(':').map_or("", |(name, _)| name);
    let is_typed = (name.ends_with("error") || name.ends_with("exception")) && !name.contains(' ');
    let is_object = line.starts_with('{') && line.contains("\"error\"");
    is_typed || is_object || OPENINGS.iter().any(|opening| opens_with(&line, opening))
}

/// Whether an opening begins the line: `error` opens "error: x" and "error[E01]", not "errors are handled" or
/// "error handling".
fn opens_with(line: &str, opening: &str) -> bool {
    let Some(rest) = line.strip_prefix(opening) else { return false };
    let ends_word = !opening.ends_with(char::is_alphabetic) || rest.is_empty();
    ends_word
        || rest.starts_with([':', '[', '(', ' ', '!', '·']) && (opening != "error" || !rest.starts_with(' '))
}

/// Beginnings of the lines that an agent's program writes when a turn ends early, in lower case.
const HARNESS: &[&str] = &[
    "api error:",
    "api error (",
    "interrupted by user",
    "interrupted ·",
    "conversation interrupted",
    "request interrupted by user",
    "request cancelled",
    "request canceled",
    "operation aborted",
    "operation was aborted",
    "operation cancelled",
    "operation canceled",
];

/// Whether the agent's program, and not its model, wrote this line: the turn was cancelled or refused.
pub(super) fn is_harness_line(line: &str) -> bool {
    let line = line.trim_start_matches(|c: char| !c.is_alphanumeric());
    let line: String = line.chars().take(40).flat_map(char::to_lowercase).collect();
    HARNESS.iter().any(|opening| line.starts_with(opening))
}

/// Whether the output has the form of an error of the agent's program: its line at the beginning or at the end, or
/// an error as JSON.
pub(super) fn is_typed_error(text: &str) -> bool {
    let mut lines = text.lines().filter(|line| line.chars().any(char::is_alphanumeric));
    let first = lines.next().unwrap_or_default();
    let last = lines.next_back().unwrap_or(first);
    is_harness_line(first) || is_harness_line(last) || is_error_object(text)
}

fn is_error_object(text: &str) -> bool {
    let object = serde_json::from_str::<serde_json::Map<String, serde_json::Value>>(text.trim());
    object.is_ok_and(|object| {
        let is_error = |name: &str| object.get(name).is_some_and(|value| value == "error");
        object.contains_key("error")
            || object.contains_key("detail")
            || is_error("type")
            || is_error("status")
    })
}
