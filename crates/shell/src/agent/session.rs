//! Stores the session of an agent as a durable flow, moved through the one door like any other.

use super::word::Terms;
use crate::engine::app::App;
use crate::engine::failure::Failure;
use crate::engine::flows::Flows;
use crate::engine::turn::{self, Request};
use crate::engine::view::Answer;
use coaching::agent::{Check, Event, NO_HUMAN, OWN_WORDS, STANDS, preview};
use coaching::turn::Source;
use coaching::words::Text;
use serde_json::{Value, json};
use std::path::PathBuf;
use store::RecordChange;

/// The flow that coaches agents.
pub const FLOW: &str = "agent";
/// The standing of a session in a state for which the law names none.
const AT_WORK: &str = "working";
/// The kind of record that holds an agent's last message until its stop.
const REPLY_KIND: &str = "agent_reply";
/// The kinds of records for a paused session, and for the result of a check on a state of the files.
const PAUSE_KIND: &str = "agent_pause";
const CHECK_KIND: &str = "agent_check";
/// The kind of record for the last message that the human was told in a session.
const TOLD_KIND: &str = "agent_told";
/// How many times a session can be opened, counting the resumptions after its end.
const MAX_LIVES: u32 = 50;
const MAX_SESSION_BYTES: usize = 128;
const MAX_AGENT_BYTES: usize = 32;
const MAX_ID_BYTES: usize = 180;
const MAX_LOG: usize = 1_000;
const MAX_PROJECT_CHARS: usize = 60;

/// One session of one agent.
#[derive(Debug)]
pub struct Session<'a> {
    pub app: &'a App,
    pub agent: String,
    pub name: String,
    /// The folder that the agent works in, if known.
    pub folder: Option<PathBuf>,
    id: String,
}

impl<'a> Session<'a> {
    /// Creates a session. Refuses an empty name: such a session would share its state with every other.
    pub fn new(app: &'a App, agent: &str, name: &str) -> Result<Session<'a>, String> {
        let is_named = |byte: u8| byte.is_ascii_lowercase() || byte.is_ascii_digit() || byte == b'-';
        if agent.is_empty() || agent.len() > MAX_AGENT_BYTES || !agent.bytes().all(is_named) {
            return Err(format!(
                "an agent's name has lower-case letters, digits and `-`, at most {MAX_AGENT_BYTES} of them"
            ));
        }
        if name.trim().is_empty() {
            return Err("the agent does not say which session this is".to_owned());
        }
        let id = format!("agent-{agent}-{}", escaped(name));
        if name.len() > MAX_SESSION_BYTES || id.len() > MAX_ID_BYTES {
            return Err(format!(
                "the session's name has more than {MAX_SESSION_BYTES} bytes or odd characters"
            ));
        }
        Ok(Session { app, agent: agent.to_owned(), name: name.to_owned(), folder: None, id })
    }

    /// Renders a sentence in the human's language.
    pub fn says(&self, text: &Text) -> String {
        let words = &self.app.words;
        words.say(words.choose(self.app.locale.as_deref()), text)
    }

    pub fn in_folder(self, folder: Option<PathBuf>) -> Session<'a> {
        Session { folder, ..self }
    }

    /// Returns the name of the folder that the agent works in.
    pub fn project(&self) -> Option<String> {
        let name = self.folder.as_ref()?.file_name()?;
        Some(preview(&name.to_string_lossy(), MAX_PROJECT_CHARS))
    }

    /// Takes an event of the agent. The terms apply only if this opens a new session.
    pub async fn take(&self, event: Event, payload: Value, terms: &Terms) -> Result<Answer, Stuck> {
        let id = self.living(event, terms).await?;
        let request = Request { payload, ..Request::new(&id, event.name(), Source::User) };
        Ok(turn::take(self.app, request).await?)
    }

    /// Returns the id of this session's open flow. Opens one if there is none.
    async fn living(&self, event: Event, terms: &Terms) -> Result<String, Stuck> {
        let mut ended_with: Option<String> = None;
        for life in 1..=MAX_LIVES {
            let id = if life == 1 { self.id.clone() } else { format!("{}~{life}", self.id) };
            match self.app.store.load(&id).await.map_err(Failure::Store)? {
                Some(row) if row.outcome.is_none() => return Ok(id),
                Some(row) => ended_with = row.outcome,
                None => {
                    // Only the human resumes a session that has ended: its new life begins with new bounds.
                    if ended_with.is_some() && event != Event::Prompted {
                        return Err(Stuck::Failed);
                    }
                    self.open(&id, terms).await?;
                    return Ok(id);
                }
            }
        }
        Err(Stuck::TooOften)
    }

    async fn open(&self, id: &str, terms: &Terms) -> Result<(), Failure> {
        let opening = turn::Opening {
            flow: FLOW.to_owned(),
            learner: self.agent.clone(),
            opening: json!(terms.opening(&self.agent, &self.name)),
            set: terms.constants(),
            id: Some(id.to_owned()),
            ..turn::Opening::default()
        };
        turn::open(self.app, opening).await.map(drop)
    }

    /// Returns the row of the session's latest life, if there is one.
    async fn latest(&self) -> Result<Option<store::Instance>, Failure> {
        let mut found = None;
        for life in 1..=MAX_LIVES {
            let id = if life == 1 { self.id.clone() } else { format!("{}~{life}", self.id) };
            match self.app.store.load(&id).await? {
                Some(row) => found = Some(row),
                None => break,
            }
        }
        Ok(found)
    }

    /// Returns the id that the agent's own record gives to the last prompt taken.
    pub async fn last_prompt_id(&self) -> Result<Option<String>, Failure> {
        self.kept("prompt_id").await
    }

    /// Whether the human was heard in this session.
    pub async fn knows_prompt(&self) -> Result<bool, Failure> {
        Ok(self.kept("prompt").await?.is_some())
    }

    /// Returns a text that the session remembers.
    async fn kept(&self, field: &str) -> Result<Option<String>, Failure> {
        let data = self.latest().await?.and_then(|row| serde_json::from_str::<Value>(&row.data).ok());
        Ok(data.and_then(|data| data[field].as_str().map(str::to_owned)))
    }

    /// Whether the human wants no coaching in this session for now.
    pub async fn is_paused(&self) -> Result<bool, Failure> {
        let record = self.app.store.record(&self.agent, PAUSE_KIND, &self.name).await?;
        let body: Option<Value> = record.and_then(|record| serde_json::from_str(&record.body).ok());
        Ok(body.is_some_and(|body| body["is_paused"] == true))
    }

    pub async fn pause(&self, is_paused: bool) -> Result<(), Failure> {
        let change = RecordChange::new(&self.agent, PAUSE_KIND, &self.name, json!({"is_paused": is_paused}));
        Ok(self.app.store.remember(&[change], self.app.clock.now()).await?)
    }

    /// Returns the result of the user's check, if it has run on this state of the files.
    pub async fn checked(&self, key: &str, tree: &str) -> Result<Option<Check>, Failure> {
        let record = self.app.store.record(&self.agent, CHECK_KIND, key).await?;
        let body: Option<Value> = record.and_then(|record| serde_json::from_str(&record.body).ok());
        let body = body.filter(|body| body["tree"] == tree);
        Ok(body.and_then(|body| serde_json::from_value(body["check"].clone()).ok()))
    }

    pub async fn keep_check(&self, key: &str, tree: &str, check: &Check) -> Result<(), Failure> {
        let change = RecordChange::new(&self.agent, CHECK_KIND, key, json!({"tree": tree, "check": check}));
        Ok(self.app.store.remember(&[change], self.app.clock.now()).await?)
    }

    /// Whether the session waits for its human, or is finished.
    pub async fn is_at_rest(&self) -> Result<bool, Failure> {
        let row = self.latest().await?;
        Ok(row.is_some_and(|row| ["waiting", "finished"].contains(&standing(&self.app.flows, &row.state))))
    }

    /// Whether this differs from what the human was told last in this session. Remembers it if so.
    pub async fn is_news(&self, about: &str) -> Result<bool, Failure> {
        let record = self.app.store.record(&self.agent, TOLD_KIND, &self.name).await?;
        let told: Option<Value> = record.and_then(|record| serde_json::from_str(&record.body).ok());
        if told.is_some_and(|told| told["about"] == about) {
            return Ok(false);
        }
        let change = RecordChange::new(&self.agent, TOLD_KIND, &self.name, json!({ "about": about }));
        self.app.store.remember(&[change], self.app.clock.now()).await?;
        Ok(true)
    }

    /// Returns the transitions of the session's first life.
    pub async fn log(&self) -> Result<Vec<store::LogEntry>, Failure> {
        Ok(self.app.store.log(&self.id, 0, MAX_LOG).await?)
    }

    /// Returns the data of the session's first life.
    pub async fn data(&self) -> Result<Value, Failure> {
        let row = self.app.store.load(&self.id).await?;
        Ok(row.and_then(|row| serde_json::from_str(&row.data).ok()).unwrap_or_default())
    }

    /// Keeps a message for the stop that follows it.
    pub async fn keep_reply(&self, text: &str, turn: &str) -> Result<(), Failure> {
        let kept = json!({"text": text, "turn": turn});
        let change = RecordChange::new(&self.agent, REPLY_KIND, &self.name, kept);
        Ok(self.app.store.remember(&[change], self.app.clock.now()).await?)
    }

    /// Returns the kept message if it belongs to this turn.
    pub async fn kept_reply(&self, turn: &str) -> Result<Option<String>, Failure> {
        let record = self.app.store.record(&self.agent, REPLY_KIND, &self.name).await?;
        let body: Option<Value> = record.and_then(|record| serde_json::from_str(&record.body).ok());
        let field = |name: &str| body.as_ref().and_then(|body| body.get(name)?.as_str()).unwrap_or_default();
        let is_this_turn = turn.is_empty() || field("turn").is_empty() || field("turn") == turn;
        Ok(Some(field("text").to_owned()).filter(|text| is_this_turn && !text.is_empty()))
    }
}

/// The reasons why a session cannot go on.
#[derive(Debug)]
pub enum Stuck {
    /// It has ended with an error or was ended by the human.
    Failed,
    TooOften,
    /// A message that looked like a human's came from the coach itself or from another program.
    NoHuman,
    Failure(Failure),
}

impl From<Failure> for Stuck {
    fn from(failure: Failure) -> Stuck {
        match failure {
            Failure::Rejected(rejected) if [OWN_WORDS, NO_HUMAN].contains(&rejected.code) => Stuck::NoHuman,
            failure => Stuck::Failure(failure),
        }
    }
}

impl std::fmt::Display for Stuck {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Stuck::Failed => {
                f.write_str("the session has failed or was ended, and no human has taken it up again")
            }
            Stuck::TooOften => write!(f, "the session has ended {MAX_LIVES} times; begin a new one"),
            Stuck::NoHuman => f.write_str("the message is a program's own"),
            Stuck::Failure(failure) => write!(f, "{failure}"),
        }
    }
}

/// Escapes a name into characters that an id may have. Different names stay different.
fn escaped(name: &str) -> String {
    let is_plain = |byte: &u8| byte.is_ascii_alphanumeric() || *byte == b'-' || *byte == b'.';
    let escape =
        |byte: u8| if is_plain(&byte) { char::from(byte).to_string() } else { format!("_{byte:02x}") };
    name.bytes().map(escape).collect()
}

/// Returns the standing of a session in this state, by the law: working, silent, waiting for the human, or
/// finished.
pub fn standing<'f>(flows: &'f Flows, state: &str) -> &'f str {
    let states = flows.get(FLOW).map(|entry| &*entry.law.states).unwrap_or_default();
    let attributes = states.iter().find(|known| known.name.name == state).map(|state| &*state.attributes);
    let stands = attributes.unwrap_or_default().iter().find(|(name, _)| name.name == STANDS);
    stands.map_or(AT_WORK, |(_, value)| &value.name)
}
