//! How a message is read: as a command, a question, a nod, or an answer. Nothing here looks anything up.

use crate::effects::words;
use crate::engine::app::App;
use crate::engine::failure::Failure;

/// Words that begin a question of the learner's own. What only ends in a question mark may be an unsure answer.
const QUESTION_WORDS: &[&str] = &[
    "what", "what's", "why", "how", "when", "where", "which", "who", "can", "could", "does", "do", "did",
    "is", "are", "should", "would", "was", "wie", "warum", "wieso", "weshalb", "wann", "wo", "welche",
    "welcher", "welches", "wer", "kann", "gibt", "ist", "sind",
];
/// Beginnings that ask for help without a question mark.
const PLEAS: &[&str] = &[
    "i don't understand",
    "i do not understand",
    "i dont understand",
    "i don’t understand",
    "explain ",
    "help me with",
    "ich verstehe nicht",
    "ich versteh nicht",
    "ich verstehe das nicht",
    "erkläre ",
    "erklär ",
];
const NODS: &[&str] = &[
    "ok",
    "okay",
    "k",
    "next",
    "go on",
    "go",
    "continue",
    "ready",
    "yes",
    "y",
    "got it",
    "done",
    "weiter",
    "ja",
    "gut",
    "verstanden",
    "bereit",
    "👍",
    "👌",
];

/// A command and what follows it: `/learn@bot sql` is `learn` and `sql`. What only begins with a slash, such as `// cuts
/// the rest off` or a path, is none.
pub(super) fn command(text: &str) -> Option<(String, &str)> {
    let rest = text.trim().strip_prefix('/')?;
    let (word, argument) = rest.split_once(char::is_whitespace).unwrap_or((rest, ""));
    let name = word.split('@').next().unwrap_or_default().trim_end_matches(['?', '!', '.']);
    let is_name = name.starts_with(|first: char| first.is_ascii_alphabetic())
        && name.chars().all(|char| char.is_ascii_alphanumeric() || char == '_');
    is_name.then(|| (name.to_lowercase(), argument.trim()))
}

pub(super) fn is_question(text: &str) -> bool {
    let text = text.trim().to_lowercase();
    let first = text.split_whitespace().next().unwrap_or_default().trim_end_matches([',', '?']);
    let has_more = text.split_whitespace().nth(1).is_some();
    (text.ends_with('?') && has_more && QUESTION_WORDS.contains(&first))
        || PLEAS.iter().any(|plea| text.starts_with(plea))
}

pub(super) fn is_nod(text: &str) -> bool {
    let text = text.trim().trim_end_matches(['.', '!']).trim().to_lowercase();
    NODS.contains(&text.as_str())
}

/// What a learner is told when a message could not be used. The cures of failures speak to programs.
pub(super) fn refusal(app: &App, language: &str, failure: &Failure) -> String {
    let said = match failure {
        Failure::Rejected(rejected) => {
            let say = |text| capital(&app.words.say(language, text));
            return format!("{}\n{}", say(&rejected.message), say(&rejected.cure));
        }
        Failure::Over { .. } => words::chat_ended(),
        Failure::Refused { .. } => words::chat_not_now(),
        Failure::UnknownInstance { .. } => words::chat_gone(),
        _ => words::chat_trouble(),
    };
    app.words.say(language, &said)
}

fn capital(text: &str) -> String {
    let mut chars = text.chars();
    match chars.next() {
        Some(first) => {
            first.to_uppercase().chain(chars).collect::<String>() + if text.ends_with('.') { "" } else { "." }
        }
        None => String::new(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A text, and whether it is a command, a question or a nod.
    type Row = (&'static str, Option<(&'static str, &'static str)>, bool, bool);

    #[test]
    fn messages_are_read() {
        let rows: &[Row] = &[
            ("/learn  Rust for  me ", Some(("learn", "Rust for  me")), false, false),
            ("/Help@etude_bot", Some(("help", "")), false, false),
            ("/start\nABC", Some(("start", "ABC")), false, false),
            ("/why?", Some(("why", "")), false, false),
            ("// gives how often it fits, % the rest", None, false, false),
            ("/", None, false, false),
            ("/etc/hosts", None, false, false),
            ("/2 of it", None, false, false),
            ("What is ownership?", None, true, false),
            ("I don't understand recursion", None, true, false),
            ("Warum geht das?", None, true, false),
            ("a join?", None, false, false),
            ("?", None, false, false),
            ("what?", None, false, false),
            ("is it the second one", None, false, false),
            ("OK!", None, false, true),
            ("weiter", None, false, true),
            ("ok, it moves the value", None, false, false),
            ("", None, false, false),
        ];
        for (text, wanted, question, nod) in rows {
            let found = command(text);
            let found = found.as_ref().map(|(name, argument)| (name.as_str(), *argument));
            assert_eq!((found, is_question(text), is_nod(text)), (*wanted, *question, *nod), "{text:?}");
        }
    }
}
