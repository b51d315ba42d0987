//! Holds the coach's memory of one agent's session from stop to stop.
//!
//! It keeps only those parts of messages that show whether an agent repeats itself, and no secrets.

use super::classify::classify_by;
use super::clauses::own_words;
use super::coach::{Coaching, PREFIX};
use super::duplicate::near_duplicate;
use super::limits::{Earlier, lifts};
use super::open::{Finding, Open};
use super::phrases::Phrases;
use super::plan::Plan;
use super::redact::{preview, redact};
use super::verdict::{ClassificationResult, MIN_CONFIDENCE, OutputType, Signals};
use super::watch::{Alarm, Thresholds, Trouble, Watch, Watched};
use super::words;
use super::work::{Check, Work};
use crate::rejected::{Rejected, read_given};
use crate::turn::Source;
use crate::words::Text;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::Value;
use std::collections::VecDeque;
use std::hash::{DefaultHasher, Hash, Hasher};

const MAX_RECENT: usize = 5;
/// The number of characters of a message that are compared with later ones: its end, which says what the agent is
/// about to do.
const KEPT_CHARS: usize = 1_200;
const PREVIEW_CHARS: usize = 160;
const MAX_TEXT_BYTES: usize = 256 << 10;
const MAX_NAME_CHARS: usize = 200;
/// The number of characters of a prompt that are kept. Limits stand at its beginning or its end.
const PROMPT_HEAD_CHARS: usize = 800;
const PROMPT_TAIL_CHARS: usize = 1_600;
/// The maximum number of prompts with limits that are remembered besides the first and the last.
const MAX_EARLIER: usize = 8;
/// The maximum time for which an agent may be told to go on: a week.
pub const MAX_MINUTES: u32 = 10_080;
const MINUTE_US: i64 = 60_000_000;
const SECOND_US: i64 = 1_000_000;

/// How an agent stopped.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Stopped {
    /// The agent's last message.
    pub text: String,
    #[serde(default)]
    pub signals: Signals,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub cwd: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub plan: Option<Plan>,
    /// How many tasks and schedules of the agent still run.
    #[serde(default)]
    pub in_background: usize,
    /// The human has switched the coach off, for now in this session only, or has not let it into this folder.
    #[serde(default)]
    pub is_switched_off: bool,
    #[serde(default)]
    pub is_paused: bool,
    #[serde(default)]
    pub is_elsewhere: bool,
    /// The agent's program says that the human wants a plan only.
    #[serde(default)]
    pub is_planning: bool,
    /// Whether a bare "continue" may be said to an agent that says it goes on.
    #[serde(default)]
    pub plain_continue: bool,
    /// The confidence below which a verdict is a question, and the risk from which a step is left to the human.
    /// Without them, the usual values count.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub min_confidence: Option<f64>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub max_risk: Option<f64>,
    /// The agent's work since the human last spoke.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub work: Option<Work>,
    /// The user's own check, if it was run on this stop.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub check: Option<Check>,
    /// Why the agent can no longer be told anything.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub out_of_reach: Option<String>,
    /// The cost of the turn, where the agent's program tells it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub cost_microusd: Option<u64>,
    /// How long a model has to judge the message; without it the rules judge.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub model_ms: Option<u64>,
}

impl Stopped {
    pub(super) fn min_confidence(&self) -> f64 {
        self.min_confidence.unwrap_or(MIN_CONFIDENCE)
    }

    /// Returns the verdict of the rules.
    pub fn by_rules(&self) -> ClassificationResult {
        classify_by(&self.text, &self.signals, self.min_confidence())
    }
}

/// An error that the agent's program reports.
#[derive(Debug, Clone, Default, Deserialize, JsonSchema)]
#[serde(default)]
pub struct Crashed {
    pub error: Option<String>,
    pub details: String,
}

/// A human's prompt to the agent.
#[derive(Debug, Clone, Default, Deserialize, JsonSchema)]
#[serde(default)]
pub struct Prompted {
    pub text: Option<String>,
    /// The name of this prompt in the agent's record, so that it is taken once.
    pub id: Option<String>,
    /// The folder that the agent works in.
    pub cwd: Option<String>,
}

/// The settings that a session is opened with.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
pub struct AgentOpening {
    pub agent: String,
    pub session: String,
    /// How long the agent may be told to go on after it first stopped, without a human in between.
    #[schemars(range(min = 1, max = 10_080))]
    pub max_minutes: u32,
    /// The limit to the agent's cost in all, as far as its program tells it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub max_microusd: Option<u64>,
    pub watch: Thresholds,
}

impl Default for AgentOpening {
    fn default() -> AgentOpening {
        AgentOpening {
            agent: String::new(),
            session: String::new(),
            max_minutes: 240,
            max_microusd: None,
            watch: Thresholds::default(),
        }
    }
}

impl AgentOpening {
    pub(super) fn read(opening: &Value) -> Result<AgentOpening, Rejected> {
        let reject = |message: String| Rejected {
            code: "bad_opening",
            message: message.into(),
            cure: "open an agent's session with {} or with agent, session and max_minutes (1 to 10080)"
                .into(),
        };
        let opening: AgentOpening = match opening {
            Value::Null => AgentOpening::default(),
            given => read_given(given)
                .map_err(|why| reject(format!("an agent's session cannot open with this: {why}")))?,
        };
        if !(1..=MAX_MINUTES).contains(&opening.max_minutes) {
            return Err(reject(format!("max_minutes is {}, not 1 to {MAX_MINUTES}", opening.max_minutes)));
        }
        if [&opening.agent, &opening.session].iter().any(|name| name.chars().count() > MAX_NAME_CHARS) {
            return Err(reject(format!("a name has more than {MAX_NAME_CHARS} characters")));
        }
        Ok(opening)
    }
}

/// The decision about a stop.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum Decision {
    /// The agent was told to go on.
    Continue,
    /// The human was asked.
    Deliver,
    /// The coach stood aside.
    Aside,
}

/// The last decision and what it rests on.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Decided {
    pub decision: Decision,
    pub reason: Text,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub output_type: Option<OutputType>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub confidence: Option<f64>,
    /// Whether the rules or a model judged.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub source: Option<Source>,
    /// Why a model that was asked gave no verdict.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub model_failed: Option<Text>,
    /// The message to the agent.
    #[serde(flatten)]
    pub coaching: Option<Coaching>,
    pub preview: String,
    /// A bound of the law was reached.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub is_bound: bool,
}

/// The outcome of a session.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(default)]
pub struct Counts {
    pub stops: u32,
    pub continues: u32,
    /// Of these, how often the agent did go on, and not with the same words: each saved a human a turn.
    pub saved: u32,
    /// Claims of being done that were sent back for evidence.
    pub rejections: u32,
    pub deliveries: u32,
    /// Deliveries because the agent asked something, or it was not clear what to do.
    pub questions: u32,
    /// Verdicts by a model.
    pub by_model: u32,
    /// Troubles that the human was told about.
    pub alarms: u32,
}

/// The state of one session.
#[derive(Debug, Clone, Default, Serialize, Deserialize)]
pub struct Data {
    #[serde(flatten)]
    pub(super) opening: AgentOpening,
    /// The time at which the agent first stopped since a human last spoke to it.
    pub(super) since_us: Option<i64>,
    pub(super) recent: VecDeque<String>,
    /// A hash of what was changed and ticked off at the last stop.
    #[serde(default)]
    progress: u64,
    /// Whether the human's last message was a question, where that is known.
    pub(super) was_asked: Option<bool>,
    /// The human's latest prompt, and the first one.
    #[serde(default)]
    pub(super) prompt: Option<String>,
    #[serde(default)]
    pub(super) task: Option<String>,
    /// The prompts before the latest one that set a limit, the newest last.
    #[serde(default)]
    pub(super) earlier: Vec<Earlier>,
    #[serde(default)]
    pub(super) prompt_id: Option<String>,
    /// The phase of the work, by the last command that the human typed.
    #[serde(default)]
    pub(super) phase: Option<String>,
    #[serde(default)]
    pub(super) cwd: Option<String>,
    /// Whether the agent was told to go on, and nothing has happened since.
    #[serde(default)]
    was_sent_on: bool,
    pub(super) counts: Counts,
    pub(super) last: Option<Decided>,
    /// The reason why the session failed.
    pub(super) failed: Option<Text>,
    /// The reason why the session would fail. The law decides whether it does.
    #[serde(skip)]
    pub(super) failing: Option<Text>,
    #[serde(default)]
    begun_us: i64,
    #[serde(default)]
    pub(super) cost_microusd: u64,
    #[serde(default)]
    tally: Watch,
    /// The alarms that the human was told.
    #[serde(default)]
    pub(super) alarms: Vec<Alarm>,
    /// The trouble that the watchdog has just noticed, with its amount unless the law gives that.
    #[serde(skip)]
    pub(super) alarm: Option<(Trouble, Option<u64>)>,
    /// The stop that is being decided. It is stored only while a model judges it.
    #[serde(default, skip_serializing_if = "is_decided")]
    pub(super) stop: Option<Stop>,
}

fn is_decided(stop: &Option<Stop>) -> bool {
    stop.as_ref().is_none_or(|stop| stop.verdict.is_some())
}

/// A stop with what is known about it so far.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub(super) struct Stop {
    pub said: Stopped,
    pub verdict: Option<ClassificationResult>,
    pub model_failed: Option<Text>,
    pub repeats: bool,
    pub is_in_time: bool,
    #[serde(skip)]
    pub finding: Finding,
}

impl Data {
    pub(super) fn new(opening: AgentOpening, now_us: i64) -> Data {
        Data { opening, begun_us: now_us, ..Data::default() }
    }

    /// Takes in a stop and compares it with earlier ones.
    pub(super) fn stop(&mut self, mut said: Stopped, now_us: i64) {
        said.text.truncate(said.text.floor_char_boundary(MAX_TEXT_BYTES));
        said.signals.user_asked_question = said.signals.user_asked_question.or(self.was_asked);
        said.signals.phase = said.signals.phase.take().or_else(|| self.phase.clone());
        self.learn(&said);
        let since_us = *self.since_us.get_or_insert(now_us);
        let budget_us = i64::from(self.opening.max_minutes) * MINUTE_US;
        let kept = kept(&said.text);
        let progress = said.work.as_ref().map_or(0, progress);
        let goes_on = std::mem::replace(&mut self.progress, progress) != progress;
        let repeats = !goes_on && self.recent.iter().any(|before| near_duplicate(before, &kept));
        if self.recent.len() == MAX_RECENT {
            self.recent.pop_front();
        }
        self.recent.push_back(kept);
        self.counts.stops = self.counts.stops.saturating_add(1);
        let has_gone_on = std::mem::take(&mut self.was_sent_on) && !repeats;
        self.counts.saved = self.counts.saved.saturating_add(has_gone_on.into());
        self.cost_microusd = self.cost_microusd.saturating_add(said.cost_microusd.unwrap_or(0));
        self.tally = Watch::default();
        let is_in_time = now_us.saturating_sub(since_us) <= budget_us;
        let finding = Finding::default();
        self.stop = Some(Stop { said, verdict: None, model_failed: None, repeats, is_in_time, finding });
    }

    /// Takes the human's words from the agent's record. The record counts as much as the prompts that were heard,
    /// and it knows the beginning of a session that the coach joined late.
    fn learn(&mut self, said: &Stopped) {
        self.cwd = said.cwd.clone().or(self.cwd.take());
        let Some(work) = &said.work else { return };
        self.prompt = work.prompt.as_deref().map(kept_prompt).or(self.prompt.take());
        self.task = work.task.as_deref().map(kept_prompt).or(self.task.take());
    }

    /// Takes in what the agent was seen doing, and prepares an alarm for the first trouble that the human was not
    /// told about.
    pub(super) fn watch(&mut self, mut watched: Watched, now_us: i64) {
        if self.begun_us > 0 {
            let running_s = now_us.saturating_sub(self.begun_us) / SECOND_US;
            watched.running_s = watched.running_s.max(running_s.try_into().unwrap_or(0));
        }
        self.tally.count(&watched);
        let mut troubles = self.tally.troubles(&watched, &self.opening.watch).into_iter();
        let new = troubles.find(|(trouble, _)| !self.was_told_about(*trouble));
        self.alarm = new.map(|(trouble, amount)| (trouble, Some(amount)));
    }

    /// Takes in that the agent is silent, as the law's own clock says.
    pub(super) fn grow_quiet(&mut self, now_us: i64) {
        self.watch(Watched::default(), now_us);
        if !self.was_told_about(Trouble::Silence) {
            self.alarm = Some((Trouble::Silence, None));
        }
    }

    fn was_told_about(&self, trouble: Trouble) -> bool {
        self.alarms.iter().any(|alarm| alarm.trouble == trouble)
    }

    /// Notes that the human is told, and returns the text. The law's silence lasts `quiet_s` seconds.
    pub(super) fn raise_alarm(&mut self, quiet_s: Option<u64>, now_us: i64) -> Option<Text> {
        let (trouble, amount) = self.alarm.take()?;
        let reason = trouble.told(amount.or(quiet_s).unwrap_or(self.opening.watch.silence_s));
        self.counts.alarms = self.counts.alarms.saturating_add(1);
        self.alarms.push(Alarm { trouble, reason: reason.clone(), at_us: now_us });
        Some(reason)
    }

    /// Returns the verdict on the present stop.
    pub(super) fn verdict(&self) -> Option<&ClassificationResult> {
        self.stop.as_ref()?.verdict.as_ref()
    }

    /// Returns what is open, and why the agent cannot be told.
    pub(super) fn out_of_reach(&self) -> Option<Text> {
        let stop = self.stop.as_ref()?;
        let told = || stop.verdict.as_ref().map(|verdict| verdict.reason.clone());
        let open = stop.finding.open.as_ref().map(Open::told).or_else(told)?;
        Some(words::out_of_reach(open, stop.said.out_of_reach.as_deref()?))
    }

    pub(super) fn is_in_budget(&self) -> bool {
        self.opening.max_microusd.is_none_or(|most| self.cost_microusd <= most)
    }

    /// Whether a prompt is the coach's own message. Some agents submit it like a human's, but only a human may
    /// reset the bounds.
    pub(super) fn is_own(&self, prompt: &str) -> bool {
        let last = self.last.as_ref().and_then(|last| last.coaching.as_ref());
        prompt.contains(PREFIX) || last.is_some_and(|coaching| prompt.trim_end().ends_with(&coaching.message))
    }

    /// Keeps the prompt that this one replaces, if it has limits that outlast it.
    pub(super) fn keep_limits(&mut self, next: Option<&str>, phrases: &Phrases) {
        let replaced =
            self.prompt.as_deref().filter(|prompt| next.map(kept_prompt).as_deref() != Some(*prompt));
        if let Some(replaced) = replaced.and_then(|prompt| Earlier::of(prompt, phrases)) {
            self.earlier.retain(|earlier| earlier.text != replaced.text);
            self.earlier.push(replaced);
        }
        let surplus = self.earlier.len().saturating_sub(MAX_EARLIER);
        self.earlier.drain(..surplus);
        if next.is_some_and(|next| lifts(next, phrases)) {
            self.earlier.iter_mut().for_each(|earlier| earlier.is_lifted = true);
        }
    }

    /// Takes in a human's prompt. The agent's earlier messages no longer count.
    pub(super) fn prompted(&mut self, text: Option<&str>, id: Option<String>) {
        self.since_us = None;
        self.was_sent_on = false;
        self.recent.clear();
        self.prompt_id = id.or(self.prompt_id.take());
        self.was_asked = text.map(|text| text.trim_end().ends_with(['?', '？', '؟']));
        self.prompt = text.map(kept_prompt);
        self.task = self.task.take().or_else(|| self.prompt.clone());
    }

    /// Records the decision about the present stop.
    pub(super) fn decided(&mut self, decision: Decision, reason: Text, coaching: Option<Coaching>) {
        let verdict = self.stop.as_ref().and_then(|stop| stop.verdict.as_ref());
        let counted = match decision {
            Decision::Continue => Some(&mut self.counts.continues),
            Decision::Deliver => Some(&mut self.counts.deliveries),
            Decision::Aside => None,
        };
        if let Some(count) = counted {
            *count = count.saturating_add(1);
        }
        self.was_sent_on = decision == Decision::Continue;
        let counts = &mut self.counts;
        let class = verdict.map(|verdict| verdict.output_type);
        let is_rejection =
            decision == Decision::Continue && verdict.is_some_and(|verdict| verdict.was_rejected_completion);
        let is_question = decision == Decision::Deliver && class == Some(OutputType::Question);
        let is_by_model = verdict.is_some_and(|verdict| verdict.source == Source::Model);
        for (count, holds) in [
            (&mut counts.rejections, is_rejection),
            (&mut counts.questions, is_question),
            (&mut counts.by_model, is_by_model),
        ] {
            *count = count.saturating_add(holds.into());
        }
        let text = self.stop.as_ref().map_or("", |stop| stop.said.text.as_str());
        self.last = Some(Decided {
            decision,
            reason,
            output_type: verdict.map(|verdict| verdict.output_type),
            confidence: verdict.map(|verdict| verdict.confidence),
            source: verdict.map(|verdict| verdict.source),
            model_failed: self.stop.as_ref().and_then(|stop| stop.model_failed.clone()),
            coaching,
            preview: preview(text, PREVIEW_CHARS),
            is_bound: false,
        });
    }
}

/// Returns a hash of what an agent has changed and ticked off, which is the same in every process.
fn progress(work: &Work) -> u64 {
    let done = work.todos.iter().filter(|todo| todo.is_done).map(|todo| &todo.text);
    let mut hasher = DefaultHasher::new();
    (&work.changed, done.collect::<Vec<_>>()).hash(&mut hasher);
    hasher.finish()
}

/// Returns the prompt without secrets. Its line breaks stay, because pasted text is recognised by them. Of a long
/// prompt, code is left out, and then the middle.
fn kept_prompt(text: &str) -> String {
    let enough = text.floor_char_boundary(MAX_TEXT_BYTES);
    let plain = redact(&text[..enough]);
    if plain.chars().count() <= PROMPT_HEAD_CHARS + PROMPT_TAIL_CHARS {
        return plain;
    }
    let own = own_words(&plain);
    let count = own.chars().count();
    if count <= PROMPT_HEAD_CHARS + PROMPT_TAIL_CHARS {
        return own;
    }
    let head: String = own.chars().take(PROMPT_HEAD_CHARS).collect();
    let tail: String = own.chars().skip(count - PROMPT_TAIL_CHARS).collect();
    format!("{head}…\n{tail}")
}

fn kept(text: &str) -> String {
    let start = text.char_indices().rev().nth(KEPT_CHARS - 1).map_or(0, |(at, _)| at);
    preview(&text[start..], KEPT_CHARS)
}
