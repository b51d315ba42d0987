//! Finds the human's own words in a prompt, and quotes sentences of a conversation.

use crate::text::spoken_language;

const MAX_QUOTE_CHARS: usize = 120;
/// Elements that programs put into a prompt, by the beginning of their names. Their content is not a human's word.
const MACHINE_ELEMENTS: &[&str] = &[
    "system-reminder",
    "system_reminder",
    "task-notification",
    "background-task",
    "local-command",
    "bash-",
    "command-message",
    "command-contents",
    "environment_context",
    "user_instructions",
    "ide_",
    "hook",
    "user-prompt-submit-hook",
    "stop-hook",
    "notification",
    "teammate-message",
    "channel",
    "scheduled-task",
    "turn_aborted",
    "subagent_notification",
];
/// Elements that a program puts around the human's words.
const HUMAN_ELEMENTS: &[&str] =
    &["user_query", "user-query", "user_request", "user-request", "user_message", "user-message"];
/// The prompt that programs send in the human's place when a session is resumed.
const RESUMED: &str = "Continue from where you left off.";
/// Beginnings of prompts that no human wrote.
const MACHINE_OPENINGS: &[&str] = &[
    "stop hook feedback",
    "[stop hook",
    "[request interrupted by user",
    "caveat: the messages below were generated",
    "this session is being continued from a previous conversation",
    "[system notification",
    "[system reminder",
    "[system coach]",
    "todos have been modified",
];
/// Beginnings of a program's report on its own task, before the name of that task.
const TASK_OPENINGS: &[&str] = &["background task ", "a background task ", "background command "];

/// Returns the human's own words in a prompt, if there are any: a notification, a reminder or the feedback of a
/// hook has none.
pub fn human_words(prompt: &str) -> Option<String> {
    let words = without_elements(prompt);
    let words = words.trim();
    let is_machine = words.is_empty() || words == RESUMED || is_opening(words) || is_only_elements(words);
    (!is_machine).then(|| words.to_owned())
}

fn is_opening(words: &str) -> bool {
    let opening: String = words.chars().take(80).flat_map(char::to_lowercase).collect();
    // A human may well write "Background task runner crashes".
    let names_task = |rest: &str| {
        let name = rest.split_whitespace().next().unwrap_or_default();
        name.starts_with(['"', '“', '`', '\'', '#']) || name.contains(|c: char| c.is_ascii_digit())
    };
    MACHINE_OPENINGS.iter().any(|known| opening.starts_with(known))
        || TASK_OPENINGS.iter().any(|known| opening.strip_prefix(known).is_some_and(names_task))
}

/// Whether the text is nothing but elements with the compound names that programs use, like `new-diagnostics`.
fn is_only_elements(words: &str) -> bool {
    let mut rest = words;
    while let Some(tag) = rest.strip_prefix('<') {
        let name = element_name(tag);
        let is_program = name.contains(['-', '_']) && !HUMAN_ELEMENTS.contains(&name);
        let end = format!("</{name}>");
        let Some(after) = rest.find(&end).filter(|_| is_program) else { return false };
        rest = rest[after + end.len()..].trim_start();
    }
    rest.is_empty()
}

fn element_name(tag: &str) -> &str {
    let end = tag.find(|c: char| !(c.is_ascii_alphanumeric() || c == '-' || c == '_'));
    &tag[..end.unwrap_or(tag.len())]
}

/// Returns the prompt without the elements of programs. A typed command keeps its name and arguments. A human may
/// name an element without closing it, but does not begin with one.
fn without_elements(prompt: &str) -> String {
    let mut kept = String::new();
    let mut rest = prompt;
    while let Some(at) = rest.find('<') {
        kept.push_str(&rest[..at]);
        let tag = &rest[at + 1..];
        let name = element_name(tag);
        let end = format!("</{name}>");
        let is_machine = !name.is_empty() && MACHINE_ELEMENTS.iter().any(|known| name.starts_with(known));
        let is_command = name == "command-name" || name == "command-args";
        match rest[at..].find(&end) {
            Some(length) if is_machine => rest = &rest[at + length + end.len()..],
            None if is_machine && kept.trim().is_empty() => rest = "",
            Some(length) if is_command => {
                let inside = rest[at..at + length].split_once('>').map_or("", |(_, inside)| inside);
                kept.push_str(inside.trim());
                kept.push(' ');
                rest = &rest[at + length + end.len()..];
            }
            _ => {
                kept.push('<');
                rest = tag;
            }
        }
    }
    kept + rest
}

/// Splits a text into sentences, with the signs that end them.
pub(super) fn sentences(text: &str) -> Vec<&str> {
    let mut found = Vec::new();
    for line in text.lines() {
        let mut start = 0;
        let mut letters = line.char_indices().peekable();
        while let Some((at, c)) = letters.next() {
            let after = at + c.len_utf8();
            let is_end = match c {
                '。' | '！' | '？' | '；' => true,
                '.' | '!' | '?' | '؟' => {
                    letters.peek().is_none_or(|(_, next)| next.is_whitespace() || "*_)\"”»’'".contains(*next))
                }
                _ => false,
            };
            if is_end {
                found.push(line[start..after].trim());
                start = after;
            }
        }
        found.push(line[start..].trim());
    }
    found.retain(|sentence| sentence.chars().any(char::is_alphanumeric));
    found
}

/// Prepares a sentence for quoting: short, and without marks of formatting at its ends.
pub(super) fn quote(sentence: &str) -> String {
    let bare = sentence.trim_matches(|c: char| c.is_whitespace() || "*_#>-•\"“”".contains(c));
    let bare = bare.split_whitespace().collect::<Vec<_>>().join(" ");
    match bare.char_indices().nth(MAX_QUOTE_CHARS) {
        Some((end, _)) => format!("{}…", bare[..end].trim_end()),
        None => bare,
    }
}

/// Returns the language of a conversation: that of the human's words, or else that of the agent's message.
pub(super) fn language_of(prompt: Option<&str>, message: &str) -> Option<&'static str> {
    prompt.and_then(spoken_language).or_else(|| spoken_language(message))
}
