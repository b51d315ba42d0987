//! Moves an agent's session by one report, and returns the outcome.

use super::session::{Session, Stuck};
use crate::engine::view::Answer;
use crate::learners::language;
use coaching::agent::{
    AgentMore, AgentOpening, Decision, Event, OutputType, Stopped, Thresholds, Watched, last_words, preview,
    redact, words,
};
use coaching::desk::Role;
use coaching::words::Text;
use flow::Overrides;
use futures_util::future::BoxFuture;
use serde_json::{Value, json};

/// The bytes kept of a long message: most from its end, because agents ask there.
const HEAD_BYTES: usize = 8 << 10;
const TAIL_BYTES: usize = 32 << 10;
const MAX_PROMPT_BYTES: usize = 4 << 10;

/// A report about an agent.
#[derive(Debug)]
pub enum Word {
    Stopped(Box<Stopped>),
    Crashed {
        error: String,
        details: String,
    },
    /// The human has said something to the agent.
    Prompted {
        /// The text, if known. Blanks alone are not a human's words.
        text: Option<String>,
        /// The id that the agent's record gives to the prompt, if known.
        id: Option<String>,
    },
    /// The agent was seen at work.
    Watched(Watched),
}

/// The most times that a session may be sent on in a row.
pub const MAX_CONTINUES: i64 = 10;

/// The terms of a new session.
#[derive(Debug, Clone, Default)]
pub struct Terms {
    pub max_continues: Option<i64>,
    pub max_rejections: Option<i64>,
    pub max_standstills: Option<i64>,
    pub max_minutes: Option<u32>,
    pub max_microusd: Option<u64>,
    pub watch: Thresholds,
}

impl Terms {
    /// Clamps a bound to the possible range.
    pub fn most(wanted: u8) -> i64 {
        i64::from(wanted).clamp(1, MAX_CONTINUES)
    }

    pub(super) fn constants(&self) -> Overrides {
        let bounds = [
            ("max_continues", self.max_continues),
            ("max_rejections", self.max_rejections),
            ("max_standstills", self.max_standstills),
        ];
        bounds.into_iter().filter_map(|(name, most)| Some((name.to_owned(), most?))).collect()
    }

    pub(super) fn opening(&self, agent: &str, session: &str) -> AgentOpening {
        let usual = AgentOpening::default();
        AgentOpening {
            agent: agent.to_owned(),
            session: session.to_owned(),
            max_minutes: self.max_minutes.unwrap_or(usual.max_minutes),
            max_microusd: self.max_microusd,
            watch: self.watch.clone(),
        }
    }
}

/// The outcome of a report, for the agent, the human and the log.
#[derive(Debug, Default)]
pub struct Outcome {
    pub session: String,
    /// `continue`, `deliver`, `aside` or `failed_open`; empty if there is nothing to tell.
    pub decision: &'static str,
    pub reason: String,
    pub class: Option<OutputType>,
    pub confidence: Option<f64>,
    pub tier: Option<String>,
    pub source: Option<String>,
    pub preview: String,
    /// The name of the agent's folder.
    pub project: Option<String>,
    /// The message about a hand-over for a human who is not there.
    pub news: Option<String>,
    /// The message that sends the agent on.
    pub message: Option<String>,
    /// A message that the human should see at once, beside the agent: a bound was reached, or a check cannot be
    /// run.
    pub for_human: Option<String>,
    /// Problems on the way, for the log: a model gave no verdict, or a check did not end.
    pub notes: Vec<String>,
    /// The watchdog's alarms.
    pub alarms: Vec<String>,
    /// The state of the session, and its outcome if it has ended.
    pub state: String,
    pub ended_with: Option<String>,
}

/// Moves the session of an agent by one report. In a box: see [`crate`].
pub fn tell<'s>(
    session: &'s Session<'_>,
    word: Word,
    terms: &'s Terms,
) -> BoxFuture<'s, Result<Outcome, Stuck>> {
    Box::pin(tell_here(session, word, terms))
}

async fn tell_here(session: &Session<'_>, word: Word, terms: &Terms) -> Result<Outcome, Stuck> {
    let quote = match &word {
        Word::Stopped(stop) => last_words(&stop.text),
        _ => None,
    };
    let (event, payload) = match word {
        Word::Stopped(stop) => (Event::Stopped, json!(stop)),
        Word::Crashed { error, details } => {
            (Event::Crashed, json!({"error": preview(&error, 200), "details": preview(&details, 400)}))
        }
        Word::Prompted { text, id } => {
            let text = text.map(|text| ends_of(&redact(&text)));
            (Event::Prompted, json!({"text": text, "id": id, "cwd": session.folder}))
        }
        Word::Watched(seen) => (Event::Watched, json!(seen)),
    };
    match session.take(event, payload, terms).await {
        Ok(mut answer) => {
            language::translate(session.app, &mut answer, session.app.locale.as_deref()).await?;
            Ok(match event {
                Event::Prompted => Outcome::default(),
                Event::Watched => watched(session, &answer),
                _ => decided(session, &answer, quote),
            })
        }
        Err(Stuck::NoHuman) => Ok(Outcome::default()),
        // The law listens to the agent again once the human has spoken.
        Err(Stuck::Failure(failure)) if event == Event::Stopped && failure.status() == 409 => Ok(Outcome {
            session: session.name.clone(),
            decision: "aside",
            reason: session.says(&words::aside("resting", 0)),
            ..Outcome::default()
        }),
        // An agent that waits for its human is not watched.
        Err(Stuck::Failure(failure)) if event == Event::Watched && failure.status() == 409 => {
            Ok(Outcome::default())
        }
        Err(Stuck::Failed) if event == Event::Watched => Ok(Outcome::default()),
        Err(stuck) => Err(stuck),
    }
}

/// Returns the outcome of a report that could not be decided: the agent may stop.
pub fn failed_open(session: &str, reason: String) -> Outcome {
    Outcome { session: session.to_owned(), decision: "failed_open", reason, ..Outcome::default() }
}

/// Returns the beginning and the end of a long message, without secrets.
pub fn bounded(text: &str) -> String {
    if text.len() <= HEAD_BYTES + TAIL_BYTES {
        return redact(text);
    }
    let head = &text[..text.floor_char_boundary(HEAD_BYTES)];
    let tail = &text[text.ceil_char_boundary(text.len() - TAIL_BYTES)..];
    format!("{}\n\n{}", redact(head), redact(tail))
}

/// Returns the beginning and the end of a prompt: limits stand there, and signs of its author.
fn ends_of(text: &str) -> String {
    if text.len() <= 2 * MAX_PROMPT_BYTES {
        return text.to_owned();
    }
    let head = &text[..text.floor_char_boundary(MAX_PROMPT_BYTES)];
    format!("{head}\n{}", &text[text.ceil_char_boundary(text.len() - MAX_PROMPT_BYTES)..])
}

fn decided(session: &Session<'_>, answer: &Answer, quote: Option<String>) -> Outcome {
    let Some(decided) = answer.view.more::<AgentMore>().last else { return Outcome::default() };
    // An earlier decision is neither told nor logged again.
    let is_new =
        answer.said.iter().any(|said| [Role::Coaching, Role::Deliver, Role::Aside].contains(&said.role));
    if !is_new {
        return Outcome { reason: decided.reason.to_string(), ..watched(session, answer) };
    }
    let coaching = answer.said.iter().find(|said| said.role == Role::Coaching);
    let name = |value: Value| value.as_str().map(str::to_owned);
    let handed_over = (decided.decision == Decision::Deliver).then(|| news(session, &decided.reason, quote));
    Outcome {
        news: handed_over,
        decision: match decided.decision {
            Decision::Continue => "continue",
            Decision::Deliver => "deliver",
            Decision::Aside => "aside",
        },
        for_human: decided.is_bound.then(|| decided.reason.to_string()),
        notes: decided.model_failed.iter().map(|why| format!("the model gave no verdict: {why}")).collect(),
        reason: decided.reason.to_string(),
        class: decided.output_type,
        confidence: decided.confidence,
        tier: decided.coaching.and_then(|coaching| name(json!(coaching.tier))),
        source: decided.source.and_then(|source| name(json!(source))),
        preview: decided.preview,
        message: coaching.map(|said| said.say.to_string()),
        ..watched(session, answer)
    }
}

/// Returns the reason, with the agent's own words if there are any.
fn news(session: &Session<'_>, reason: &Text, quote: Option<String>) -> String {
    let reason = redact(&reason.to_string());
    let Some(quote) = quote.filter(|quote| !reason.contains(quote.as_str())) else { return reason };
    session.says(&words::news(reason, quote))
}

fn watched(session: &Session<'_>, answer: &Answer) -> Outcome {
    let alarms = answer.said.iter().filter(|said| said.role == Role::Alarm);
    Outcome {
        project: session.project(),
        session: session.name.clone(),
        alarms: alarms.map(|said| said.say.to_string()).collect(),
        state: answer.view.state.clone(),
        ended_with: answer.view.outcome.clone(),
        ..Outcome::default()
    }
}
