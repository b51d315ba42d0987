//! What to tell an agent that stopped too early: the best message available, short and about what is missing. Agents are
//! spoken to in English.

use super::features::Seen;
use super::message::Message;
use super::plan::{Plan, success_criteria};
use super::skills::{Skill, detect_skill};
use super::verdict::ClassificationResult;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// Begins everything that the coach says except a plain "continue", so that an agent can tell it from a human.
pub const PREFIX: &str = "[System Coach]";
/// A longer message is not read, not even by agents.
pub const MAX_MESSAGE_CHARS: usize = 600;
/// How much of a plan's criteria is quoted.
const MAX_QUOTED_CHARS: usize = 360;
const MAX_PATH_CHARS: usize = 80;

/// What the coach knows beside the verdict.
#[derive(Debug, Clone, Copy)]
pub struct CoachContext<'a> {
    /// The agent's output.
    pub text: &'a str,
    pub phase: Option<&'a str>,
    pub plan: Option<&'a Plan>,
    pub skills: &'a [Skill],
}

/// A message for the agent and where it came from.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Coaching {
    pub message: String,
    pub tier: Tier,
}

/// The tiers, best first.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub enum Tier {
    /// The model that classified the output wrote the message.
    #[serde(rename = "1")]
    Model,
    /// A completion was rejected and its message is one of the templates.
    #[serde(rename = "1b")]
    Rejection,
    /// The work under way says what has to be shown.
    #[serde(rename = "2")]
    Skill,
    /// Nothing better than "continue".
    #[serde(rename = "3")]
    Continue,
}

/// The first tier that has something to say.
pub fn build_coaching_message(result: &ClassificationResult, context: &CoachContext) -> Coaching {
    let by_model = || result.coaching_message.as_deref().map(str::trim).filter(|message| !message.is_empty());
    if let Some(message) = by_model() {
        let own = message.strip_prefix(PREFIX).unwrap_or(message);
        return Coaching { message: prefixed(own.trim()), tier: Tier::Model };
    }
    if result.was_rejected_completion {
        return Coaching { message: prefixed(&rejection(result, context.text)), tier: Tier::Rejection };
    }
    match detect_skill(context.text, context.phase, context.skills) {
        Some(skill) => Coaching { message: prefixed(&skill_message(skill, context.plan)), tier: Tier::Skill },
        None => Coaching { message: "continue".to_owned(), tier: Tier::Continue },
    }
}

fn prefixed(message: &str) -> String {
    cut(&format!("{PREFIX} {message}"), MAX_MESSAGE_CHARS)
}

/// The text, or as much of it as fits with an ellipsis.
fn cut(text: &str, max_chars: usize) -> String {
    match text.char_indices().nth(max_chars) {
        None => text.to_owned(),
        Some(_) => text.chars().take(max_chars - 1).chain(['…']).collect(),
    }
}

/// Why a completion is not believed and what would make it so.
fn rejection(result: &ClassificationResult, text: &str) -> String {
    let message = Message::read(text);
    let seen = Seen::of(&message);
    if let Some((_, advice)) =
        TROUBLES.iter().find(|(words, _)| words.iter().any(|word| says(&message, word)))
    {
        return (*advice).to_owned();
    }
    let claim = result.words.first().map(|word| format!(" (“{}”)", cut(word, 60))).unwrap_or_default();
    let problem = match () {
        _ if UNTRIED.iter().any(|words| says(&message, words)) => "and also that it was not tried",
        _ if UNSURE.iter().any(|words| says(&message, words)) => "but you are not sure yourself",
        _ if seen.evidence.details > 0 => "and name what you changed, but no run shows that it works",
        _ => "but nothing in your message shows it",
    };
    let files = if seen.evidence.details > 0 { "" } else { "name the files you changed, " };
    format!(
        "You say that the work is done{claim} {problem}. Before you stop: {files}run the tests or the program, and \
         show the command with its result (counts of passed and failed, exit code) and the commit. If something is \
         not finished, say what and go on with it."
    )
}

/// Troubles that an agent mentions beside "done", and what to do about each.
const TROUBLES: &[(&[&str], &str)] = &[
    (
        &["rate limit", "rate limited", "rate limiting", "too many requests", "429"],
        "You mention a rate limit, so the work is not shown to be done. Wait as long as the limit asks, run the \
         step that hit it once more, and show its output. If it is refused again, say which service and which \
         limit, and stop.",
    ),
    (
        &[
            "authentication failed",
            "unauthorized",
            "401",
            "invalid api key",
            "not authenticated",
            "login required",
        ],
        "You mention a failed login, so the work is not shown to be done. Say which credential is missing and where \
         it is looked for. Do everything that needs no login, show that it works, and name what is left for a human.",
    ),
    (
        &["permission denied", "access denied", "403", "forbidden", "not permitted", "eacces"],
        "You mention a permission error, so the work is not shown to be done. Say which file or service refused and \
         to whom. Try a way that needs no such permission; if there is none, say that you are blocked and on what.",
    ),
];

/// How an agent says that it did not try its work, or that it is not sure of it.
const UNTRIED: &[&str] =
    &["not tested", "havent tested", "untested", "not tried", "couldnt run", "could not run"];
const UNSURE: &[&str] = &["should work", "should be", "i think", "i believe", "probably", "hopefully"];

fn says(message: &Message, words: &str) -> bool {
    let phrase = crate::text::Phrase::new(words);
    phrase.is_some_and(|phrase| crate::text::Words::new(&message.text).contains(&phrase))
}

fn skill_message(skill: &Skill, plan: Option<&Plan>) -> String {
    let (trigger, evidence) = (&skill.trigger, &skill.evidence);
    let Some(plan) = plan else {
        return format!("Go on with {trigger}. Before you stop, show {evidence}.");
    };
    let path = cut(&plan.path, MAX_PATH_CHARS);
    match plan.text.as_deref().and_then(success_criteria) {
        Some(criteria) => {
            let quoted = quote(criteria, &path);
            format!(
                "Go on with {trigger} until the success criteria of {path} hold:\n{quoted}\nShow {evidence}."
            )
        }
        None => format!(
            "Go on with {trigger}. Check your work against the success criteria in {path} and show {evidence}."
        ),
    }
}

/// The criteria as they are written, cut after a whole line where that is possible.
fn quote(criteria: &str, path: &str) -> String {
    let Some((end, _)) = criteria.char_indices().nth(MAX_QUOTED_CHARS) else { return criteria.to_owned() };
    let fitting = &criteria[..end];
    let kept = fitting.rfind('\n').map_or(fitting, |line_end| &fitting[..line_end]).trim_end();
    format!("{kept}\n(cut here; the rest is in {path})")
}
