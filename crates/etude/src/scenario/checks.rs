//! The checks of a scenario, and the documents that they look into.

use super::forms::Document;
use super::pattern::difference;
use super::{LEARNER, Stage, loose_json, problem, told};
use serde_json::{Value, json};
use shell::effects::notices::{INBOX_KIND, NOTIFY_KIND};
use shell::engine::failure::Failure;
use shell::engine::replay;
use shell::learners::owners::{in_chat_of, mail_of, of_learner};
use std::fmt::Display;
use store::{At, Filter, MAX_LIMIT, Record};

/// Stands for the outcome of a flow that has none yet.
pub(super) const STILL_OPEN: &str = "(still open)";
const MAX_RECORDS: usize = 10_000;

impl Stage {
    pub(super) fn state_is(&self, state: &str) -> Result<(), String> {
        same("the state", state, &self.view()?.state)
    }

    pub(super) fn counter_is(&self, name: &str, value: u32) -> Result<(), String> {
        let actual = self.view()?.counters.get(name);
        let actual = actual.ok_or_else(|| format!("the law has no counter `{name}`"))?;
        same(&format!("the counter {name}"), value, actual)
    }

    pub(super) fn outcome_is(&self, expected: &str) -> Result<(), String> {
        same("the outcome", expected, self.view()?.outcome.as_deref().unwrap_or(STILL_OPEN))
    }

    pub(super) async fn replay_matches(&self) -> Result<(), String> {
        let replay = replay::replay(self.app()?, &self.view()?.id).await.map_err(|failure| told(&failure))?;
        replay.difference.map_or(Ok(()), |difference| Err(format!("the replay differs: {difference}")))
    }

    pub(super) async fn has(&self, of: &Document, pointer: &str, value: &str) -> Result<(), String> {
        has(&name(of), &self.document(of).await?, pointer, value)
    }

    pub(super) async fn has_nothing(&self, of: &Document, pointer: &str) -> Result<(), String> {
        match self.document(of).await?.pointer(&slashed(pointer)) {
            Some(found) => Err(format!("{} has {found} at {pointer}", name(of))),
            None => Ok(()),
        }
    }

    pub(super) async fn is_like(&self, of: &Document, pattern: &str) -> Result<(), String> {
        is_like(&name(of), &read_pattern(pattern)?, &self.document(of).await?)
    }

    pub(super) async fn has_parts(&self, of: &Document, names: &[String]) -> Result<(), String> {
        let whole = self.document(of).await?;
        let fields = whole.as_object().into_iter().flat_map(|fields| fields.keys().cloned());
        same("the parts", names.join(", "), fields.collect::<Vec<_>>().join(", "))
    }

    pub(super) async fn are(&self, kind: &str, standing: Option<&str>, count: usize) -> Result<(), String> {
        let found = self.records(kind).await?;
        let fits = |record: &&Record| standing.is_none() || record.standing.as_deref() == standing;
        same(&format!("{kind} records"), count, found.iter().filter(fits).count())
    }

    pub(super) async fn a_record_has(&self, kind: &str, pointer: &str, value: &str) -> Result<(), String> {
        self.any_record(kind, |body| has(kind, body, pointer, value)).await
    }

    pub(super) async fn a_record_is_like(&self, kind: &str, pattern: &str) -> Result<(), String> {
        let pattern = read_pattern(pattern)?;
        self.any_record(kind, |body| is_like(kind, &pattern, body)).await
    }

    async fn document(&self, of: &Document) -> Result<Value, String> {
        match of {
            Document::View => serde_json::to_value(self.view()?).map_err(|error| error.to_string()),
            Document::Entry(key) => {
                let own = || self.view().map(|view| format!("flow:{}", view.id));
                let key = key.clone().map_or_else(own, Ok)?;
                let entry = self.app()?.store.kv(&key).await.map_err(|error| error.to_string())?;
                entry.map(|entry| loose_json(&entry.value)).ok_or_else(|| format!("there is no entry {key}"))
            }
            Document::Answer => Ok(self.answer.clone()),
            Document::Outbox => self.outbox().await.map(Value::from),
            Document::Record { kind, key } => {
                let record = self.app()?.store.record(LEARNER, kind, key).await;
                let record = record.map_err(|error| error.to_string())?;
                record
                    .map(|record| loose_json(&record.body))
                    .ok_or_else(|| format!("there is no {kind} record {key}"))
            }
        }
    }

    /// Returns every message that the learner was sent or finds in the inbox, oldest first.
    async fn outbox(&self) -> Result<Vec<Value>, String> {
        let store = &self.app()?.store;
        let page = store
            .list(&Filter::of_learner(LEARNER), None, MAX_LIMIT)
            .await
            .map_err(|error| error.to_string())?;
        let flows = page.instances.into_iter().map(|row| row.id);
        let mut told: Vec<(At, String, Value)> = Vec::new();
        for owner in flows.chain([of_learner(LEARNER), in_chat_of(LEARNER), mail_of(LEARNER)]) {
            let effects = store.effects(&owner).await.map_err(|error| error.to_string())?;
            let messages = effects.into_iter().filter(|effect| effect.kind == NOTIFY_KIND);
            told.extend(messages.map(|effect| (effect.created_at, effect.key, loose_json(&effect.payload))));
        }
        for record in self.records(INBOX_KIND).await? {
            let mut notice = loose_json(&record.body);
            notice["channel"] = json!(INBOX_KIND);
            told.push((record.updated_at, record.key, notice));
        }
        // The clock of a scenario stands still. Of two keys of one flow, the longer one has the larger version
        // or index.
        told.sort_by_cached_key(|(at, key, _)| (*at, key.len(), key.clone()));
        Ok(told.into_iter().map(|(.., message)| message).collect())
    }

    async fn records(&self, kind: &str) -> Result<Vec<Record>, String> {
        self.app()?.store.records(LEARNER, kind, MAX_RECORDS).await.map_err(|error| error.to_string())
    }

    /// Checks that one of the documents of a kind passes. If none does, returns the objection to the last one.
    async fn any_record(
        &self,
        kind: &str,
        check: impl Fn(&Value) -> Result<(), String>,
    ) -> Result<(), String> {
        let mut result = Err(format!("there is no {kind} record"));
        for record in self.records(kind).await? {
            result = check(&loose_json(&record.body));
            if result.is_ok() {
                break;
            }
        }
        result
    }

    pub(super) async fn refused(&mut self, event: &str, payload: Option<&str>) -> Result<(), String> {
        let before = self.view()?.version;
        match self.send(event, payload.map_or(Value::Null, loose_json)).await {
            Ok(()) => Err(format!("`{event}` was taken")),
            Err(failure @ (Failure::Refused { .. } | Failure::Over { .. } | Failure::Rejected(_))) => {
                self.answer = problem(self.app()?, failure);
                self.look().await?;
                same("the version after a refused event", before, self.view()?.version)
            }
            Err(failure) => Err(told(&failure)),
        }
    }

    pub(super) async fn call_refused(&mut self, tool: &str, arguments: &str) -> Result<(), String> {
        let version = |stage: &Stage| stage.view.as_ref().map_or(0, |view| view.version);
        let before = version(self);
        match self.call(tool, Some(arguments)).await? {
            Ok(answer) => Err(format!("`{tool}` was not refused but answered {answer}")),
            Err(problem) => {
                self.answer = problem;
                same("the version after a refused call", before, version(self))
            }
        }
    }

    /// Checks that an action was performed. Flows beside this one may have actions of their own, so an action
    /// that was performed is never reported as unknown.
    pub(super) async fn was_performed(&self, action: &str, times: Option<usize>) -> Result<(), String> {
        let count = self.performed.count(action);
        let placed = self.app()?.load(&self.view()?.id).await.map_err(|failure| told(&failure))?;
        if count == 0 && !placed.machine.action_names().any(|name| name == action) {
            let cure = match flow::nearest(action, placed.machine.action_names()) {
                Some(near) => format!("did you mean `{near}`?"),
                None => format!("it has: {}", placed.machine.action_names().collect::<Vec<_>>().join(", ")),
            };
            return Err(format!("the law has no action `{action}`; {cure}"));
        }
        match times {
            Some(times) => same(&format!("times `{action}` was performed"), times, count),
            None if count == 0 => Err(format!("`{action}` was never performed")),
            None => Ok(()),
        }
    }

    pub(super) fn said(&self, text: &str, is_said: bool) -> Result<(), String> {
        let found = self.said.iter().any(|line| line.contains(text));
        let list = || self.said.iter().map(|line| format!("\n      {line}")).collect::<String>();
        match (found, is_said) {
            (true, false) => Err(format!("the coach did say \"{text}\"")),
            (false, true) => Err(format!("the coach did not say \"{text}\" but:{}", list())),
            _ => Ok(()),
        }
    }

    pub(super) async fn went_through(&self, states: &[String]) -> Result<(), String> {
        let log =
            self.app()?.store.log(&self.view()?.id, 0, 1000).await.map_err(|error| error.to_string())?;
        let visited: Vec<&str> = log.iter().map(|entry| entry.to_state.as_str()).collect();
        let mut rest = visited.iter();
        for state in states {
            if !rest.any(|visited| visited == state) {
                return Err(format!(
                    "the session did not go through {state} in this order; it went: {}",
                    visited.join(" → ")
                ));
            }
        }
        Ok(())
    }
}

fn name(of: &Document) -> String {
    match of {
        Document::View => "the view".into(),
        Document::Entry(None) => "the entry".into(),
        Document::Entry(Some(key)) => format!("the entry {key}"),
        Document::Answer => "the answer".into(),
        Document::Outbox => "the outbox".into(),
        Document::Record { kind, key } => format!("the {kind} record {key}"),
    }
}

fn has(what: &str, whole: &Value, pointer: &str, value: &str) -> Result<(), String> {
    let pointer = slashed(pointer);
    let found = whole.pointer(&pointer).ok_or_else(|| format!("{what} has nothing at {pointer}"))?;
    is_like(&format!("{what} at {pointer}"), &loose_json(value), found)
}

fn is_like(what: &str, pattern: &Value, found: &Value) -> Result<(), String> {
    difference(pattern, found).map_or(Ok(()), |difference| Err(format!("{what} differs {difference}")))
}

/// Reads JSON or a bare text. A text that begins like a document must be one.
fn read_pattern(text: &str) -> Result<Value, String> {
    match serde_json::from_str(text) {
        Err(error) if text.trim_start().starts_with(['{', '[']) => {
            Err(format!("what is expected is no JSON: {error}"))
        }
        read => Ok(read.unwrap_or_else(|_| Value::from(text))),
    }
}

/// Turns `a.b.0` into a JSON pointer.
fn slashed(pointer: &str) -> String {
    format!("/{}", pointer.trim_start_matches('/').replace('.', "/"))
}

fn same(what: &str, expected: impl Display, actual: impl Display) -> Result<(), String> {
    let (expected, actual) = (expected.to_string(), actual.to_string());
    if expected == actual { Ok(()) } else { Err(format!("{what}: expected {expected}, found {actual}")) }
}
