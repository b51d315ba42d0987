//! Builds the message to an agent that stopped too early: the best one available, short and about what is open. If
//! there is nothing to name, there is no message.

use super::fit::is_fit;
use super::human::language_of;
use super::limits::{Earlier, Limits};
use super::open::{Finding, Open, Seen, Stand, is_about_tests};
use super::plan::{Plan, criteria, success_criteria};
use super::playbook::{Playbook, Sayings};
use super::session::Stopped;
use super::skills::{Skill, detect_skill};
use super::verdict::{ClassificationResult, OutputType};
use crate::text::shortened;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// The prefix of everything that the coach says except a plain "continue", so that an agent can tell it from a
/// human.
pub const PREFIX: &str = "[System Coach]";
/// The maximum length of a message. Longer ones go unread, even by agents.
pub const MAX_MESSAGE_CHARS: usize = 600;
/// The maximum number of characters quoted from a plan's criteria, a list or an output.
const MAX_QUOTED_CHARS: usize = 360;
const MAX_ITEMS: usize = 5;
const MAX_PATH_CHARS: usize = 80;
const MAX_PROMPT_CHARS: usize = 120;

/// The context of a stop, besides the verdict on it.
#[derive(Debug, Clone, Copy)]
pub struct CoachContext<'a> {
    pub stop: &'a Stopped,
    /// The human's latest prompt, and the one that the session began with.
    pub prompt: Option<&'a str>,
    pub task: Option<&'a str>,
    /// The prompts between those two that set a limit.
    pub earlier: &'a [Earlier],
    pub phase: Option<&'a str>,
    pub playbook: &'a Playbook,
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
    /// The work under way says what is open, or what has to be shown.
    #[serde(rename = "2")]
    Skill,
    /// Nothing better than "continue", where that is wanted.
    #[serde(rename = "3")]
    Continue,
}

/// Returns the message of the first tier that has something to say, if there is one.
pub fn build_coaching_message(result: &ClassificationResult, context: &CoachContext) -> Option<Coaching> {
    message(result, context, &context.stand(result).look())
}

impl<'a> CoachContext<'a> {
    /// Returns the templates in the language of the conversation.
    fn sayings(&self) -> Sayings<'a> {
        self.playbook.templates.of(language_of(self.prompt, &self.stop.text))
    }

    pub(super) fn stand(&self, verdict: &'a ClassificationResult) -> Stand<'a> {
        Stand {
            said: self.stop,
            verdict,
            prompt: self.prompt,
            task: self.task,
            earlier: self.earlier,
            phrases: &self.playbook.phrases,
        }
    }
}

pub(super) fn message(
    result: &ClassificationResult,
    context: &CoachContext,
    finding: &Finding,
) -> Option<Coaching> {
    let coaching = |message: String, tier| Some(Coaching { message: prefixed(&message), tier });
    if let Some(message) = by_model(result, context) {
        return coaching(message, Tier::Model);
    }
    let open = finding.open.as_ref().map(|open| named(open, finding, context));
    if result.was_rejected_completion || finding.is_disproved {
        return coaching(open?, Tier::Rejection);
    }
    if result.output_type == OutputType::Status
        && let Some(message) = skilled(&context.stand(result), context, finding, open.as_deref())
    {
        return coaching(message, Tier::Skill);
    }
    if let Some(open) = open {
        return coaching(open, Tier::Skill);
    }
    let is_plain = context.stop.plain_continue && finding.goes_on && result.output_type == OutputType::Status;
    is_plain.then(|| Coaching { message: "continue".to_owned(), tier: Tier::Continue })
}

/// Returns the model's own words if they are fit to be passed on.
fn by_model(result: &ClassificationResult, context: &CoachContext) -> Option<String> {
    let message = result.coaching_message.as_deref()?.trim();
    let own = message.strip_prefix(PREFIX).unwrap_or(message).trim();
    (!own.is_empty() && is_fit(own, &context.stand(result))).then(|| own.to_owned())
}

fn prefixed(message: &str) -> String {
    shortened(&format!("{PREFIX} {message}"), MAX_MESSAGE_CHARS)
}

/// Renders what is open as a message to the agent.
fn named(open: &Open, finding: &Finding, context: &CoachContext) -> String {
    let templates = context.sayings();
    let fill = |name: &str, values: &[(&str, &str)]| templates.fill(name, values);
    let list = |items: &[String]| list(items, templates);
    let path = context
        .stop
        .plan
        .as_ref()
        .map_or_else(|| fill("your_plan", &[]), |plan| shortened(&plan.path, MAX_PATH_CHARS));
    let message = match open {
        Open::Check(check) => fill(
            "check",
            &[("command", &check.command), ("lines", &shortened(&check.lines, MAX_QUOTED_CHARS))],
        ),
        Open::Todos(items) => fill("todos", &[("items", &list(items))]),
        Open::Tasks(items) => fill("tasks", &[("items", &list(items))]),
        Open::Criteria(items) => fill("criteria", &[("path", &path), ("items", &list(items))]),
        Open::Failing { command, lines } => {
            fill("failing", &[("command", command), ("lines", &shortened(lines, MAX_QUOTED_CHARS))])
        }
        Open::TestsClaimed { quote, file } => {
            let seen = match file {
                Some(file) => fill("no_test_after", &[("file", file)]),
                None => fill("no_test", &[]),
            };
            fill("tests_claimed", &[("quote", quote), ("seen", &seen)])
        }
        Open::Promise(quote) => fill("promise", &[("quote", quote)]),
        Open::Admission(quote) => fill("admission", &[("quote", quote)]),
        Open::CutOff(quote) => fill("cut_off", &[("quote", quote)]),
        Open::Trouble(trouble) => fill(trouble.template(), &[]),
        Open::Claim { quote, seen } => {
            let request = context.prompt.map(|prompt| request(prompt, templates)).unwrap_or_default();
            fill("claim", &[("quote", quote), ("seen", &seen_in(seen, templates)), ("request", &request)])
        }
    };
    let permission = finding.no_questions.as_ref().map(|words| fill("permission", &[("words", words)]));
    permission.unwrap_or_default() + &message
}

fn seen_in(seen: &Seen, templates: Sayings<'_>) -> String {
    match seen {
        Seen::Unknown => templates.fill("nothing_shown", &[]),
        Seen::NothingHappened => templates.fill("nothing_happened", &[]),
        Seen::NothingRan(file) => templates.fill("nothing_ran", &[("file", file)]),
    }
}

fn request(prompt: &str, templates: Sayings<'_>) -> String {
    let prompt = prompt.split_whitespace().collect::<Vec<_>>().join(" ");
    templates.fill("request", &[("prompt", &shortened(&prompt, MAX_PROMPT_CHARS))])
}

/// Lists as many items as fit, one per line, and the number of items left out.
fn list(items: &[String], templates: Sayings<'_>) -> String {
    let mut lines: Vec<String> = Vec::new();
    let mut length = 0;
    for item in items.iter().take(MAX_ITEMS) {
        length += item.chars().count();
        if length > MAX_QUOTED_CHARS {
            break;
        }
        lines.push(format!("- {item}"));
    }
    let left = items.len() - lines.len();
    if left > 0 {
        lines.push(templates.fill("more", &[("count", &left.to_string())]));
    }
    lines.join("\n")
}

/// Returns a message that asks for the evidence of the work under way. Returns `None` if that work is unknown, or
/// if the human has ruled the evidence out.
fn skilled(
    stand: &Stand<'_>,
    context: &CoachContext,
    finding: &Finding,
    open: Option<&str>,
) -> Option<String> {
    let skill = detect_skill(&context.stop.text, context.phase, &context.playbook.skills)?;
    let limits = stand.limits();
    if finding.told.is_some() || !may_show(&skill.evidence, stand, &limits) {
        return None;
    }
    let templates = context.sayings();
    match (&context.stop.plan, open) {
        (Some(plan), _) => Some(with_plan(skill, plan, templates, |text| stand.may_demand(text, &limits))),
        (None, Some(open)) => Some(format!("{open} {}", skill_of(skill, templates))),
        (None, None) => Some(skill_of(skill, templates)),
    }
}

/// Whether evidence asks for nothing that the human ruled out. A skill may name risky things, since it only wants
/// them shown.
fn may_show(evidence: &str, stand: &Stand<'_>, limits: &Limits) -> bool {
    let is_run = limits.no_runs && is_about_tests(evidence);
    !limits.touch(evidence, stand.phrases) && !is_run
}

fn skill_of(skill: &Skill, templates: Sayings<'_>) -> String {
    templates.fill("skill", &[("trigger", &skill.trigger), ("evidence", &skill.evidence)])
}

/// Renders the skill with those of the plan's criteria that may be asked for.
fn with_plan(skill: &Skill, plan: &Plan, templates: Sayings<'_>, is_due: impl Fn(&str) -> bool) -> String {
    let path = shortened(&plan.path, MAX_PATH_CHARS);
    let known =
        [("trigger", skill.trigger.as_str()), ("evidence", skill.evidence.as_str()), ("path", path.as_str())];
    let all = plan.text.as_deref().map(criteria).unwrap_or_default();
    let due: Vec<String> = all.iter().map(|one| one.text.clone()).filter(|text| is_due(text)).collect();
    match plan.text.as_deref().and_then(success_criteria) {
        Some(_) if due.is_empty() => skill_of(skill, templates),
        Some(criteria) => {
            let is_whole = due.len() == all.len();
            let quoted = if is_whole { quoted(criteria, &path, templates) } else { list(&due, templates) };
            templates.fill("skill_criteria", &[&known[..], &[("items", quoted.as_str())]].concat())
        }
        None => templates.fill("skill_file", &known),
    }
}

/// Quotes the criteria as they are written. Long ones are cut, after a whole line where possible.
fn quoted(criteria: &str, path: &str, templates: Sayings<'_>) -> String {
    let Some((end, _)) = criteria.char_indices().nth(MAX_QUOTED_CHARS) else { return criteria.to_owned() };
    let fitting = &criteria[..end];
    let kept = fitting.rfind('\n').map_or(fitting, |line_end| &fitting[..line_end]).trim_end();
    format!("{kept}\n{}", templates.fill("cut_here", &[("path", path)]))
}
