//! What the human said to the agent, and the limits in it. They stand above everything else.

use super::phrases::is_unspaced;
use crate::text::Words;

const MAX_QUOTE_CHARS: usize = 120;
/// Elements that programs put into a prompt, by the beginning of their name. What they contain is not a human's word.
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
/// How prompts begin that no human wrote.
const MACHINE_OPENINGS: &[&str] = &[
    "stop hook feedback",
    "[stop hook",
    "[request interrupted by user",
    "caveat: the messages below were generated",
    "this session is being continued from a previous conversation",
    "[system",
    "background task",
    "a background task",
    "todos have been modified",
];

/// The human's own words in a prompt, if there are any: a notification, a reminder or the feedback of a hook has none.
pub fn human_words(prompt: &str) -> Option<String> {
    let words = without_elements(prompt);
    let words = words.trim();
    let opening: String = words.chars().take(80).flat_map(char::to_lowercase).collect();
    let is_machine = MACHINE_OPENINGS.iter().any(|known| opening.starts_with(known));
    (!words.is_empty() && !is_machine).then(|| words.to_owned())
}

/// The prompt without the elements of programs. A typed command keeps its name and arguments.
fn without_elements(prompt: &str) -> String {
    let mut kept = String::new();
    let mut rest = prompt;
    while let Some(at) = rest.find('<') {
        kept.push_str(&rest[..at]);
        let tag = &rest[at + 1..];
        let name: &str = tag
            .split(|c: char| !(c.is_ascii_alphanumeric() || c == '-' || c == '_'))
            .next()
            .unwrap_or_default();
        let end = format!("</{name}>");
        let is_machine = !name.is_empty() && MACHINE_ELEMENTS.iter().any(|known| name.starts_with(known));
        let is_command = name == "command-name" || name == "command-args";
        match rest[at..].find(&end) {
            Some(length) if is_machine => rest = &rest[at + length + end.len()..],
            None if is_machine => rest = "",
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

/// The sentences of a text, with the signs that end them.
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

/// A sentence as it is quoted: short, and without marks of formatting at its ends.
pub(super) fn quote(sentence: &str) -> String {
    let bare = sentence.trim_matches(|c: char| c.is_whitespace() || "*_#>-•\"“”".contains(c));
    let bare = bare.split_whitespace().collect::<Vec<_>>().join(" ");
    match bare.char_indices().nth(MAX_QUOTE_CHARS) {
        Some((end, _)) => format!("{}…", bare[..end].trim_end()),
        None => bare,
    }
}

/// The language of a conversation: of the human's words, or else of what the agent says.
pub(super) fn language_of(prompt: Option<&str>, message: &str) -> Option<&'static str> {
    prompt.and_then(language).or_else(|| language(message))
}

/// The language of a text, as far as its small words or its letters tell.
fn language(text: &str) -> Option<&'static str> {
    const SMALL: &[(&str, &str, &str)] = &[
        (
            "en",
            "the and is to of it you that this with not for in on are be all then what how why please fix write add make do run now next done i my im ill dont from by an at or if but so only just first when go",
            "",
        ),
        (
            "de",
            "der die das und ist nicht mit ich du ein eine einen den dem fur im auf zu auch noch dann nur bitte mach mache baue bau schreib schreibe jetzt sind wie was warum kein keine um von es wird als nachstes fertig behebe alle alles weiter erst ja nein",
            "äöüß",
        ),
        (
            "fr",
            "le la les et est une un pas que pour dans je vous tu des du de sur avec ce cette fais ecris ajoute refais corrige maintenant ensuite puis il elle ne au",
            "éèêçàùœ",
        ),
        (
            "es",
            "el los las y es una un que para por con del lo de en no se al haz escribe agrega arregla ahora luego su esta este como pero primero",
            "ñ¿¡áóíú",
        ),
    ];
    let letters = text.chars().filter(|c| c.is_alphabetic()).count().max(1);
    let unspaced = text.chars().filter(|c| is_unspaced(*c)).count();
    if unspaced * 4 > letters {
        return Some("zh");
    }
    if text.chars().filter(|c| matches!(c, '\u{400}'..='\u{4ff}')).count() * 2 > letters {
        return Some("ru");
    }
    let words = Words::new(text);
    let words: Vec<&str> = words.iter().map(|(_, letters)| letters).collect();
    let score = |(_, small, marks): &(&str, &str, &str)| {
        let known = words.iter().filter(|word| small.split(' ').any(|known| known == **word)).count();
        known * 2 + usize::from(text.to_lowercase().contains(|c: char| marks.contains(c))) * 3
    };
    let mut scores: Vec<(usize, &'static str)> = SMALL.iter().map(|row| (score(row), row.0)).collect();
    scores.sort_unstable_by_key(|(score, _)| std::cmp::Reverse(*score));
    (scores[0].0 > scores[1].0).then_some(scores[0].1)
}
