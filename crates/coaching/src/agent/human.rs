//! What the human said to the agent, and the limits in it. They stand above everything else.

use super::phrases::{Means, Phrases, is_unspaced};
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

/// What a human's words leave the agent, and the coach, to do.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(super) struct Limits {
    /// The sentence in which the human says that the agent is to stop.
    pub stop: Option<String>,
    /// Nothing is to be run.
    pub no_runs: bool,
    /// The sentence that tells the agent not to ask.
    pub no_questions: Option<String>,
    /// The beginnings of words for what the agent is not to do.
    forbidden: Vec<String>,
}

impl Limits {
    pub(super) fn of(prompt: &str, phrases: &Phrases) -> Limits {
        let sentences = sentences(prompt);
        let first =
            |means| sentences.iter().find(|sentence| phrases.says(means, sentence)).map(|found| quote(found));
        Limits {
            stop: first(Means::Stop),
            no_runs: phrases.says(Means::NoRuns, prompt),
            no_questions: first(Means::NoQuestions),
            forbidden: forbidden(prompt),
        }
    }

    /// With what an earlier prompt ruled out.
    pub(super) fn with_bans_of(mut self, earlier: &Limits) -> Limits {
        self.no_runs |= earlier.no_runs;
        self.no_questions = self.no_questions.or_else(|| earlier.no_questions.clone());
        self.forbidden.extend(earlier.forbidden.iter().cloned());
        self
    }

    /// Whether an announced step is something that the human ruled out.
    pub(super) fn forbids(&self, step: &str) -> bool {
        let words = Words::new(step);
        let is_forbidden = |word: &str| self.forbidden.iter().any(|stem| word.starts_with(stem.as_str()));
        words.iter().any(|(_, word)| is_forbidden(word)) || (self.no_runs && runs(step))
    }
}

/// Whether a step is to run something.
fn runs(step: &str) -> bool {
    const RUNNING: &[&str] = &[
        "run",
        "running",
        "test",
        "tests",
        "testing",
        "execute",
        "executing",
        "ausfuhren",
        "teste",
        "testen",
        "laufen",
        "lancer",
        "ejecutar",
        "exécuter",
    ];
    let words = Words::new(step);
    let is_said = words.iter().any(|(_, word)| RUNNING.contains(&word));
    is_said || ["运行", "测试", "执行", "実行", "テスト"].iter().any(|letters| step.contains(letters))
}

/// The words after "do not" and its like, cut to their stems.
fn forbidden(prompt: &str) -> Vec<String> {
    const HARMLESS: &[&str] = &[
        "be", "forget", "worry", "hesitate", "stop", "ask", "wait", "use", "need", "want", "have", "only",
        "just", "the", "any", "a", "it", "that", "this", "know", "think", "so", "too", "yet", "more",
        "longer",
    ];
    let words = Words::new(prompt);
    let words: Vec<&str> = words.iter().map(|(_, letters)| letters).collect();
    let verb_at = |at: usize| match words[at] {
        "dont" | "never" | "without" | "avoid" => Some(at + 1),
        "not" if at > 0 && matches!(words[at - 1], "do" | "must" | "should" | "to") => Some(at + 1),
        _ => None,
    };
    let verbs = (0..words.len()).filter_map(|at| words.get(verb_at(at)?).copied());
    let verbs = verbs.filter(|verb| verb.len() >= 3 && !HARMLESS.contains(verb));
    verbs
        .map(|verb| {
            verb.strip_suffix("ing")
                .filter(|stem| stem.len() >= 3)
                .unwrap_or(verb)
                .trim_end_matches('e')
                .to_owned()
        })
        .collect()
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

/// The language of a text, as far as its small words or its letters tell.
pub(super) fn language(text: &str) -> Option<&'static str> {
    const SMALL: &[(&str, &[&str])] = &[
        ("en", &["the", "and", "is", "to", "of", "it", "you", "that", "this", "with", "not", "for"]),
        (
            "de",
            &["der", "die", "das", "und", "ist", "nicht", "mit", "ich", "du", "ein", "eine", "den", "fur"],
        ),
        ("fr", &["le", "la", "les", "et", "est", "une", "pas", "que", "pour", "dans", "je", "vous"]),
        ("es", &["el", "los", "las", "y", "es", "una", "que", "para", "por", "con", "del", "lo"]),
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
    let count = |small: &[&str]| words.iter().filter(|word| small.contains(word)).count();
    let best = SMALL.iter().max_by_key(|(_, small)| count(small))?;
    (count(best.1) >= 2).then_some(best.0)
}
