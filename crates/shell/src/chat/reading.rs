//! Reads a message as a command, a nod, or an answer, without looking anything up.

use crate::effects::words;
use crate::engine::app::App;
use crate::engine::failure::Failure;

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

/// Splits a command from its argument: `/learn@bot sql` is `learn` and `sql`. Other texts that start with a slash,
/// such as `// cuts the rest off` or a path, are not commands.
pub(super) fn command(text: &str) -> Option<(String, &str)> {
    let rest = text.trim().strip_prefix('/')?;
    let (word, argument) = rest.split_once(char::is_whitespace).unwrap_or((rest, ""));
    let name = word.split('@').next().unwrap_or_default().trim_end_matches(['?', '!', '.']);
    let is_name = name.starts_with(|first: char| first.is_ascii_alphabetic())
        && name.chars().all(|char| char.is_ascii_alphanumeric() || char == '_');
    is_name.then(|| (name.to_lowercase(), argument.trim()))
}

pub(super) fn is_nod(text: &str) -> bool {
    let text = text.trim().trim_end_matches(['.', '!']).trim().to_lowercase();
    NODS.contains(&text.as_str())
}

/// Returns the reply to a message that could not be used. Most failures get a sentence of their own here, because
/// their cures are written for programs.
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
    use coaching::grade::is_question;

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
