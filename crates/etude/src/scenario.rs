//! Runs scenarios against the real turn loop and a real store, on a clock that the scenario moves.

use crate::app::{App, DEFAULT_LEASE_MS};
use crate::clock::Clock;
use crate::failure::Failure;
use crate::flows::Flows;
use crate::setting::scope_of;
use crate::turn::{self, Opening, Request};
use crate::view::{Answer, View};
use crate::{replay, worker};
use coaching::turn::Source;
use flow::Overrides;
use flow::scenario::{Scenario, ScenarioStep, What};
use serde_json::{Value, json};
use std::path::{Path, PathBuf};
use store::{At, Store};

/// 2026-01-01 09:00 UTC. Any fixed moment would do.
const BEGINNING: At = At(1_767_258_000_000_000);

/// Whose flows they are.
const LEARNER: &str = "learner";
const MAX_RECORDS: usize = 10_000;

/// Why a scenario failed, and where.
#[derive(Debug)]
pub struct Mismatch {
    pub line: usize,
    pub step: String,
    pub message: String,
    /// Where the flow stood, if it had begun.
    pub standing: Option<String>,
}

/// Runs one scenario. Laws are looked up beside the feature file.
pub async fn run(scenario: &Scenario, folder: &Path) -> Result<(), Mismatch> {
    let mut stage = Stage {
        folder: folder.to_owned(),
        place: Place::Memory,
        law: None,
        set: Overrides::new(),
        opening: Value::Null,
        facts: Vec::new(),
        clock: Clock::set_to(BEGINNING),
        app: None,
        view: None,
        said: Vec::new(),
        performed: Vec::new(),
    };
    if scenario.steps.iter().any(|step| step.what == What::Crash) {
        stage.place = Place::file().map_err(|error| Mismatch {
            line: scenario.line,
            step: scenario.name.clone(),
            message: format!("no place for a database that survives a crash: {error}"),
            standing: None,
        })?;
    }
    for step in &scenario.steps {
        if let Err(message) = stage.perform(step).await {
            return Err(Mismatch {
                line: step.line,
                step: step.text.clone(),
                message,
                standing: stage.view.as_ref().map(standing),
            });
        }
    }
    match scenario.proves_something() {
        true => Ok(()),
        false => Err(Mismatch {
            line: scenario.line,
            step: scenario.name.clone(),
            message:
                "this proves nothing: say with `Then` what holds at the end, such as `the state is NAME`"
                    .into(),
            standing: stage.view.as_ref().map(standing),
        }),
    }
}

fn standing(view: &View) -> String {
    let counters = Value::Object(view.counters.clone());
    let outcome = view.outcome.as_ref().map(|outcome| format!(", ended with {outcome}")).unwrap_or_default();
    format!("state {}, counters {counters}{outcome}", view.state)
}

/// Where the scenario's database lives.
enum Place {
    Memory,
    File(PathBuf),
}

impl Place {
    fn file() -> std::io::Result<Place> {
        let folder = std::env::temp_dir().join(format!("etude-scenario-{}", uuid::Uuid::now_v7()));
        std::fs::create_dir_all(&folder)?;
        Ok(Place::File(folder))
    }

    fn address(&self) -> String {
        match self {
            Place::Memory => "sqlite::memory:".into(),
            Place::File(folder) => format!("sqlite:{}", folder.join("scenario.db").display()),
        }
    }
}

impl Drop for Place {
    fn drop(&mut self) {
        if let Place::File(folder) = self {
            let _ = std::fs::remove_dir_all(folder);
        }
    }
}

struct Stage {
    folder: PathBuf,
    place: Place,
    law: Option<String>,
    set: Overrides,
    opening: Value,
    facts: Vec<String>,
    clock: Clock,
    app: Option<App>,
    view: Option<View>,
    said: Vec<String>,
    performed: Vec<String>,
}

impl Stage {
    async fn perform(&mut self, step: &ScenarioStep) -> Result<(), String> {
        match &step.what {
            What::Law(name) => {
                self.find_law(name)?;
                self.law = Some(name.clone());
            }
            What::Set(name, value) => drop(self.set.insert(name.clone(), *value)),
            What::Opening(text) => {
                self.opening = serde_json::from_str(text).map_err(|error| error.to_string())?
            }
            What::Begin => self.begin().await?,
            What::Fact(name, holds) => {
                self.facts.retain(|known| known != name);
                self.facts.extend(holds.then(|| name.clone()));
            }
            What::Happen { events, times, payload } => {
                let payload = payload.as_deref().map(loose_json).unwrap_or(Value::Null);
                for event in std::iter::repeat_n(events, *times).flatten() {
                    self.send(event, payload.clone()).await.map_err(|failure| told(&failure))?;
                }
            }
            What::HappenEach { event, payloads } => {
                for payload in payloads {
                    self.send(event, loose_json(payload)).await.map_err(|failure| told(&failure))?;
                }
            }
            What::Remember { kind, key, body } => {
                let change = store::RecordChange {
                    learner: LEARNER.into(),
                    kind: kind.clone(),
                    key: key.clone(),
                    body: Some(body.clone()),
                    ..store::RecordChange::default()
                };
                let app = self.app()?;
                app.store.remember(&[change], app.clock.now()).await.map_err(|error| error.to_string())?;
            }
            What::Say { text, times } => self.say(text, *times).await?,
            What::Pass { millis } => self.pass(*millis).await?,
            What::Crash => self.crash().await?,
            What::Beside { flow, opening } => self.open_beside(flow, opening.as_deref()).await?,
            What::TurnTo(flow) => self.turn_to(flow).await?,
            check => self.check(check).await?,
        }
        Ok(())
    }

    async fn check(&mut self, what: &What) -> Result<(), String> {
        let view = self.view()?;
        match what {
            What::StateIs(state) => same("the state", state, &view.state),
            What::CounterIs(name, value) => {
                let actual =
                    view.counters.get(name).ok_or_else(|| format!("the law has no counter `{name}`"))?;
                same(&format!("the counter {name}"), value, actual)
            }
            What::EndedWith(outcome) => {
                same("the outcome", outcome, view.outcome.as_deref().unwrap_or("(still open)"))
            }
            What::IsOpen => {
                same("the outcome", "(still open)", view.outcome.as_deref().unwrap_or("(still open)"))
            }
            What::Refused { event, payload } => self.refused(event, payload.as_deref()).await,
            What::EntryHas { pointer, value } => {
                let key = format!("flow:{}", view.id);
                let entry = self.app()?.store.kv(&key).await.map_err(|error| error.to_string())?;
                let entry = entry.ok_or_else(|| format!("there is no entry {key}"))?;
                has(&key, &loose_json(&entry.value), pointer, value)
            }
            What::Records { kind, standing, count } => {
                let found = self.records(kind).await?;
                let fits = |record: &&store::Record| standing.is_none() || record.standing == *standing;
                same(&format!("{kind} records"), count, found.iter().filter(fits).count())
            }
            What::RecordHas { kind, pointer, value } => {
                let found = self.records(kind).await?;
                let results: Vec<Result<(), String>> =
                    found.iter().map(|record| has(kind, &loose_json(&record.body), pointer, value)).collect();
                match results.iter().any(Result::is_ok) {
                    true => Ok(()),
                    false => results
                        .into_iter()
                        .next_back()
                        .unwrap_or_else(|| Err(format!("there is no {kind} record"))),
                }
            }
            What::Performed { action, times } => {
                let count = self.performed.iter().filter(|performed| *performed == action).count();
                match times {
                    Some(times) => same(&format!("times `{action}` was performed"), times, count),
                    None if count == 0 => Err(format!("`{action}` was never performed")),
                    None => Ok(()),
                }
            }
            What::WentThrough(states) => self.went_through(states).await,
            What::ViewHas { pointer, value } => {
                let whole = serde_json::to_value(view).map_err(|error| error.to_string())?;
                has("the view", &whole, pointer, value)
            }
            What::CoachSays { text, is_said } => {
                let found = self.said.iter().any(|line| line.contains(text.as_str()));
                let list = || self.said.iter().map(|line| format!("\n      {line}")).collect::<String>();
                match (found, is_said) {
                    (true, false) => Err(format!("the coach did say \"{text}\"")),
                    (false, true) => Err(format!("the coach did not say \"{text}\" but:{}", list())),
                    _ => Ok(()),
                }
            }
            What::ReplayMatches => {
                let replay = replay::replay(self.app()?, &view.id).await.map_err(|failure| told(&failure))?;
                replay
                    .difference
                    .map_or(Ok(()), |difference| Err(format!("the replay differs: {difference}")))
            }
            other => Err(format!("this cannot be checked: {other:?}")),
        }
    }

    fn app(&self) -> Result<&App, String> {
        self.app.as_ref().ok_or_else(|| "no session has begun: say `a new session` first".into())
    }

    fn view(&self) -> Result<&View, String> {
        self.view.as_ref().ok_or_else(|| "no session has begun: say `a new session` first".into())
    }

    async fn start(&mut self) -> Result<String, String> {
        let name = self.law.clone().ok_or("say which law this is about: `the law \"FILE\"`")?;
        let (flows, flow) = self.find_law(&name)?;
        let store = Store::open(&self.place.address()).await.map_err(|error| error.to_string())?;
        self.app = Some(App::new(store, flows, self.clock.clone(), None, DEFAULT_LEASE_MS));
        Ok(flow)
    }

    /// The flows with the law among them, proved, and what its flow is called.
    fn find_law(&self, name: &str) -> Result<(Flows, String), String> {
        // A feature may bring packs of its own, in a folder beside it.
        let mut flows = Flows::built_in(Some(&self.folder.join("packs")));
        if flows.get(name).is_some() {
            return Ok((flows, name.to_owned()));
        }
        let path = self.folder.join(name);
        let source =
            std::fs::read_to_string(&path).map_err(|error| format!("{}: {error}", path.display()))?;
        let entry = flows
            .add_law(&source, false)
            .map_err(|unproved| told(&Failure::Unproved { problems: unproved.problems }))?;
        Ok((flows, entry.name.clone()))
    }

    /// A second session in one scenario is the same learner coming back: the store stays.
    async fn begin(&mut self) -> Result<(), String> {
        let flow = match (&self.app, &self.view) {
            (Some(_), Some(view)) => view.flow.clone(),
            _ => self.start().await?,
        };
        let opening = Opening {
            flow,
            learner: LEARNER.into(),
            opening: self.opening.clone(),
            set: self.set.clone(),
            ..Opening::default()
        };
        let answer = turn::open(self.app()?, opening).await.map_err(|failure| told(&failure))?;
        self.took(answer);
        Ok(())
    }

    fn took(&mut self, answer: Answer) {
        let lines = answer.said.into_iter().map(|line| match line.means {
            Some(means) => format!("{} ({means})", line.say),
            None => line.say,
        });
        self.said.extend(lines);
        self.performed.extend(answer.actions);
        self.view = Some(answer.view);
    }

    async fn send(&mut self, event: &str, payload: Value) -> Result<(), Failure> {
        let id = self.view.as_ref().map(|view| view.id.clone()).unwrap_or_default();
        let Some(app) = &self.app else { return Err(Failure::UnknownInstance { id }) };
        let request =
            Request { payload, facts: self.facts.clone(), ..Request::new(&id, event, Source::User) };
        let answer = turn::take(app, request).await?;
        self.took(answer);
        Ok(())
    }

    async fn say(&mut self, text: &str, times: usize) -> Result<(), String> {
        let flow = self.view()?.flow.clone();
        let event = self.app()?.flows.get(&flow).and_then(|entry| entry.says);
        let event =
            event.ok_or_else(|| format!("`{flow}` has no event by which the learner says something"))?;
        for _ in 0..times {
            self.said.clear();
            self.send(event, json!({"text": text})).await.map_err(|failure| told(&failure))?;
        }
        Ok(())
    }

    async fn pass(&mut self, millis: u64) -> Result<(), String> {
        self.clock.pass_ms(i64::try_from(millis).unwrap_or(i64::MAX));
        worker::round(self.app()?).await.map_err(|error| error.to_string())?;
        self.look().await
    }

    /// Reads the flow again, with what happened since.
    async fn look(&mut self) -> Result<(), String> {
        let id = self.view()?.id.clone();
        let placed = self.app()?.load(&id).await.map_err(|failure| told(&failure))?;
        self.view = Some(turn::view_of(&placed));
        Ok(())
    }

    /// Drops everything without a word of goodbye, and opens the same database again.
    async fn crash(&mut self) -> Result<(), String> {
        self.app = None;
        self.start().await?;
        self.look().await
    }

    async fn records(&self, kind: &str) -> Result<Vec<store::Record>, String> {
        self.app()?.store.records(LEARNER, kind, MAX_RECORDS).await.map_err(|error| error.to_string())
    }

    async fn open_beside(&mut self, flow: &str, opening: Option<&str>) -> Result<(), String> {
        let view = self.view()?;
        let opening = Opening {
            flow: flow.to_owned(),
            learner: LEARNER.into(),
            opening: opening.map_or_else(|| json!({}), loose_json),
            id: Some(format!("{}.{flow}-{}", scope_of(&view.id), self.clock.now().0)),
            ..Opening::default()
        };
        let answer = turn::open(self.app()?, opening).await.map_err(|failure| told(&failure))?;
        self.took(answer);
        Ok(())
    }

    async fn turn_to(&mut self, flow: &str) -> Result<(), String> {
        let filter = store::Filter { flow: Some(flow.to_owned()), ..store::Filter::default() };
        let page = self.app()?.store.list(&filter, None, 1).await.map_err(|error| error.to_string())?;
        let row = page.instances.into_iter().next().ok_or_else(|| format!("there is no {flow}"))?;
        let placed = self.app()?.place(row).await.map_err(|failure| told(&failure))?;
        self.view = Some(turn::view_of(&placed));
        Ok(())
    }

    async fn refused(&mut self, event: &str, payload: Option<&str>) -> Result<(), String> {
        let before = self.view()?.version;
        match self.send(event, payload.map_or(Value::Null, loose_json)).await {
            Ok(()) => Err(format!("`{event}` was taken")),
            Err(Failure::Refused { .. } | Failure::Over { .. } | Failure::Rejected(_)) => {
                self.look().await?;
                same("the version after a refused event", before, self.view()?.version)
            }
            Err(failure) => Err(told(&failure)),
        }
    }

    async fn went_through(&self, states: &[String]) -> Result<(), String> {
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

fn told(failure: &Failure) -> String {
    format!("{failure}; {}", failure.cure())
}

fn has(what: &str, whole: &Value, pointer: &str, value: &str) -> Result<(), String> {
    let pointer = format!("/{}", pointer.trim_start_matches('/').replace('.', "/"));
    let found = whole.pointer(&pointer).ok_or_else(|| format!("{what} has nothing at {pointer}"))?;
    same(&format!("{what} at {pointer}"), loose_json(value), found)
}

/// JSON where it is JSON, else the text itself.
fn loose_json(text: &str) -> Value {
    serde_json::from_str(text).unwrap_or_else(|_| Value::from(text))
}

fn same(what: &str, expected: impl std::fmt::Display, actual: impl std::fmt::Display) -> Result<(), String> {
    let (expected, actual) = (expected.to_string(), actual.to_string());
    if expected == actual { Ok(()) } else { Err(format!("{what}: expected {expected}, found {actual}")) }
}
