//! Runs scenarios on the real turn loop and a real store, with a clock that the scenario moves.

mod checks;
mod database;
mod forms;
mod pattern;

use checks::STILL_OPEN;
use coaching::turn::Source;
use coaching::words::DEFAULT_LANGUAGE;
use database::Database;
use flow::Overrides;
use flow::scenario::{Engine, ScenarioError, What};
use forms::Own;
use futures_util::FutureExt;
use futures_util::future::join_all;
use outside::notify::RequestContext;
use serde_json::{Value, json};
use shell::agent::Desk;
use shell::effects::{self, Outside};
use shell::engine::app::{App, Bystander};
use shell::engine::clock::Clock;
use shell::engine::failure::Failure;
use shell::engine::flows::{FlowEntry, FlowList, Flows, bundled};
use shell::engine::setting::scope_of;
use shell::engine::turn::{self, Opening, Request, Via};
use shell::engine::view::{Answer, View};
use shell::learners::access::Access;
use shell::mcp::Mcp;
use shell::rounds::{self, jobs, jobs::Task};
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};
use store::{At, Store};

/// The first moment of every scenario: 2026-01-01 09:00 UTC. Any fixed moment would do.
const BEGINNING: At = At(1_767_258_000_000_000);

/// The number of stops of the clock in one step, and the number of flows it looks at. A law that keeps
/// repeating itself is cut off.
const MAX_STOPS: usize = 100_000;
const MAX_FLOWS: usize = 1_000;

/// The learner in scenarios.
const LEARNER: &str = "learner";

pub type Scenario = flow::scenario::Scenario<Own>;
type ScenarioStep = flow::scenario::ScenarioStep<Own>;

/// The place and the reason of a failed scenario.
#[derive(Debug)]
pub struct Mismatch {
    pub line: usize,
    pub step: String,
    pub message: String,
    /// The state of the flow, if it had begun.
    pub standing: Option<String>,
}

/// Reads the scenarios of a feature file, in the steps of the engine and of this program.
pub fn read(source: &str) -> Result<Vec<Scenario>, ScenarioError> {
    flow::scenario::read(source, forms::FORMS)
}

/// Runs one scenario. Looks up laws beside the feature file.
pub async fn run(scenario: &Scenario, folder: &Path, flows: FlowList) -> Result<(), Mismatch> {
    let mut stage = Stage::new(folder, flows, database(scenario)?);
    for (at, step) in scenario.steps.iter().enumerate() {
        let performed = match stage.view.is_some() && comes_too_late(step, &scenario.steps[at + 1..]) {
            true => {
                Err("no session begins after this, so it changes nothing: say it before `a new session`"
                    .into())
            }
            false => stage.perform(step).await,
        };
        if let Err(message) = performed {
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

/// Whether a step prepares the beginning of a session, but none begins after it.
fn comes_too_late(step: &ScenarioStep, rest: &[ScenarioStep]) -> bool {
    let is_for_beginning = matches!(step.what, What::Engine(Engine::Set(..) | Engine::Opening(_)));
    is_for_beginning && !rest.iter().any(|later| matches!(later.what, What::Engine(Engine::Begin { .. })))
}

/// Makes the scenario's database. It is a file only if several processes open it, because memory is faster.
fn database(scenario: &Scenario) -> Result<Database, Mismatch> {
    let needs_file =
        |step: &ScenarioStep| matches!(step.what, What::Engine(Engine::Crash) | What::Own(Own::AtOnce(_)));
    if !scenario.steps.iter().any(needs_file) {
        return Ok(Database::Memory);
    }
    Database::file().map_err(|error| Mismatch {
        line: scenario.line,
        step: scenario.name.clone(),
        message: format!("no place for a database that several processes can open: {error}"),
        standing: None,
    })
}

fn standing(view: &View) -> String {
    let counters = Value::Object(view.counters.clone());
    let outcome = view.outcome.as_ref().map(|outcome| format!(", ended with {outcome}")).unwrap_or_default();
    format!("state {}, counters {counters}{outcome}", view.state)
}

struct Stage {
    folder: PathBuf,
    flows: FlowList,
    database: Database,
    law: Option<String>,
    set: Overrides,
    opening: Value,
    facts: Vec<String>,
    clock: Clock,
    app: Option<Arc<App>>,
    view: Option<View>,
    /// The way in which lines reach the learner from now on. For a chat, it also has the number of the
    /// learner's last message.
    via: Via,
    said: Vec<String>,
    performed: Performed,
    /// The answer of the last tool, job or refusal.
    answer: Value,
}

/// The actions so far, those of timers included.
#[derive(Debug, Clone, Default)]
struct Performed(Arc<Mutex<Vec<String>>>);

impl Performed {
    fn add(&self, actions: Vec<String>) {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).extend(actions);
    }

    fn count(&self, action: &str) -> usize {
        let performed = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        performed.iter().filter(|performed| *performed == action).count()
    }
}

impl Stage {
    fn new(folder: &Path, flows: FlowList, database: Database) -> Stage {
        Stage {
            folder: folder.to_owned(),
            flows,
            database,
            law: None,
            set: Overrides::new(),
            opening: Value::Null,
            facts: Vec::new(),
            clock: Clock::set_to(BEGINNING),
            app: None,
            view: None,
            via: Via::Caller,
            said: Vec::new(),
            performed: Performed::default(),
            answer: Value::Null,
        }
    }

    async fn perform(&mut self, step: &ScenarioStep) -> Result<(), String> {
        match &step.what {
            What::Engine(what) => self.perform_engine(what).await,
            What::Own(own) => self.perform_own(own).await,
        }
    }

    async fn perform_engine(&mut self, what: &Engine) -> Result<(), String> {
        match what {
            Engine::Law(name) => {
                self.find_law(name)?;
                self.law = Some(name.clone());
            }
            // The reader has already filled them in.
            Engine::Names => {}
            Engine::Set(name, value) => drop(self.set.insert(name.clone(), *value)),
            Engine::Opening(text) => {
                self.opening = serde_json::from_str(text).map_err(|error| error.to_string())?
            }
            Engine::Fact(name, holds) => {
                self.facts.retain(|known| known != name);
                self.facts.extend(holds.then(|| name.clone()));
            }
            Engine::Begin { id } => self.begin(id.clone()).await?,
            Engine::Happen { events, times, payload } => {
                let payload = payload.as_deref().map(loose_json).unwrap_or(Value::Null);
                for event in std::iter::repeat_n(events, *times).flatten() {
                    self.send(event, payload.clone()).await.map_err(|failure| told(&failure))?;
                }
            }
            Engine::HappenEach { event, payloads, apart_ms } => {
                for payload in payloads {
                    if *apart_ms > 0 {
                        self.pass(*apart_ms).await?;
                    }
                    self.send(event, loose_json(payload)).await.map_err(|failure| told(&failure))?;
                }
            }
            Engine::Pass { millis } => self.pass(*millis).await?,
            Engine::Crash => self.crash().await?,
            Engine::StateIs(state) => self.state_is(state)?,
            Engine::CounterIs(name, value) => self.counter_is(name, *value)?,
            Engine::EndedWith(outcome) => self.outcome_is(outcome)?,
            Engine::IsOpen => self.outcome_is(STILL_OPEN)?,
            Engine::Refused { event, payload } => self.refused(event, payload.as_deref()).await?,
            Engine::Performed { action, times } => self.was_performed(action, *times).await?,
            Engine::WentThrough(states) => self.went_through(states).await?,
            Engine::ReplayMatches => self.replay_matches().await?,
        }
        Ok(())
    }

    async fn perform_own(&mut self, own: &Own) -> Result<(), String> {
        match own {
            Own::FromChat(chat_id) => {
                self.via = Via::Chat(RequestContext { chat_id: *chat_id, message_id: 0, thread_id: None });
                Ok(())
            }
            Own::NoOneWaits => {
                self.via = Via::Nobody;
                Ok(())
            }
            Own::Call { tool, arguments } => {
                let answer = self.call(tool, arguments.as_deref()).await?;
                self.answer = answer.map_err(|problem| format!("`{tool}` has refused: {problem}"))?;
                Ok(())
            }
            Own::AtOnce(events) => self.send_at_once(events).await,
            Own::Remember { kind, key, body } => self.remember(kind, key, body).await,
            Own::RunJob(name) => self.run_job(name).await,
            Own::Say { text, times } => self.say(text, *times).await,
            Own::Beside { flow, opening } => self.open_beside(flow, opening.as_deref()).await,
            Own::TurnTo(flow) => self.turn_to(flow).await,
            Own::CallRefused { tool, arguments } => self.call_refused(tool, arguments).await,
            Own::CoachSays { text, is_said } => self.said(text, *is_said),
            Own::Has { of, pointer, value } => self.has(of, pointer, value).await,
            Own::HasNothing { of, pointer } => self.has_nothing(of, pointer).await,
            Own::IsLike { of, pattern } => self.is_like(of, pattern).await,
            Own::HasParts { of, names } => self.has_parts(of, names).await,
            Own::Records { kind, standing, count } => self.are(kind, standing.as_deref(), *count).await,
            Own::RecordHas { kind, pointer, value } => self.a_record_has(kind, pointer, value).await,
            Own::RecordIsLike { kind, pattern } => self.a_record_is_like(kind, pattern).await,
        }
    }

    fn app(&self) -> Result<&Arc<App>, String> {
        self.app.as_ref().ok_or_else(|| "no session has begun: say `a new session` first".into())
    }

    fn view(&self) -> Result<&View, String> {
        self.view.as_ref().ok_or_else(|| "no session has begun: say `a new session` first".into())
    }

    /// Returns the program. Starts it if it is not running.
    async fn started(&mut self) -> Result<&Arc<App>, String> {
        if self.app.is_none() {
            self.app = Some(Arc::new(self.process().await?));
        }
        self.app()
    }

    /// Starts another process on the same data.
    async fn process(&self) -> Result<App, String> {
        let (flows, _) = self.find_law(self.law()?)?;
        let store = Store::open(&self.database.address()).await.map_err(|error| error.to_string())?;
        let mut app = effects::app(store, flows, self.clock.clone(), Outside::default());
        let performed = self.performed.clone();
        app.bystander = Some(Bystander(Box::new(move |answer| {
            performed.add(answer.actions);
            std::future::ready(()).boxed()
        })));
        Ok(app)
    }

    fn law(&self) -> Result<&str, String> {
        self.law.as_deref().ok_or_else(|| "say which law this is about: `the law \"FILE\"`".into())
    }

    /// Returns the flows, with the scenario's law proved and among them, and the name of its flow.
    fn find_law(&self, name: &str) -> Result<(Flows, String), String> {
        // A feature may bring its own packs, in a folder beside it.
        let mut flows = (self.flows)(Some(&self.folder.join("packs")));
        if flows.get(name).is_some() {
            return Ok((flows, name.to_owned()));
        }
        let path = self.folder.join(name);
        let source =
            std::fs::read_to_string(&path).map_err(|error| format!("{}: {error}", path.display()))?;
        let folder = path.parent().unwrap_or(&self.folder);
        let added = bundled(&source, folder).and_then(|source| flows.add_law(&source, false));
        let entry = added.map_err(|unproved| told(&unproved.into()))?;
        Ok((flows, entry.name.clone()))
    }

    /// Begins a session. A second one in a scenario is the same learner coming back, so the store stays.
    async fn begin(&mut self, id: Option<String>) -> Result<(), String> {
        let flow = match &self.view {
            Some(view) => view.flow.clone(),
            None => self.find_law(self.law()?)?.1,
        };
        let (opening, set) = (self.opening.clone(), self.set.clone());
        let is_alone = self.started().await?.flows.get(&flow).is_some_and(|entry| entry.is_law_alone());
        let facts = if is_alone { self.facts.clone() } else { Vec::new() };
        self.open(Opening { flow, opening, facts, set, id, ..Opening::default() }).await
    }

    async fn open(&mut self, opening: Opening) -> Result<(), String> {
        let opening = Opening { learner: LEARNER.into(), via: self.next_via(), ..opening };
        let app = self.started().await?;
        let answer = turn::open(app, opening).await.map_err(|failure| told(&failure))?;
        self.took(answer);
        Ok(())
    }

    /// Returns the way of the next message. Messages in a chat are numbered from 1.
    fn next_via(&mut self) -> Via {
        if let Via::Chat(context) = &mut self.via {
            context.message_id += 1;
        }
        self.via
    }

    fn took(&mut self, answer: Answer) {
        let mut said = answer.said;
        if let Ok(app) = self.app() {
            app.words.translate(DEFAULT_LANGUAGE, &mut said);
        }
        let lines = said.into_iter().map(|line| match line.means {
            Some(means) => format!("{} ({means})", line.say),
            None => line.say.to_string(),
        });
        self.said.extend(lines);
        self.performed.add(answer.actions);
        self.view = Some(answer.view);
    }

    async fn send(&mut self, event: &str, payload: Value) -> Result<(), Failure> {
        let via = self.next_via();
        let id = self.view.as_ref().map(|view| view.id.clone()).unwrap_or_default();
        let Some(app) = &self.app else { return Err(Failure::UnknownInstance { id }) };
        // The scenario stands in for the program, so it may send events that only the program may send.
        let flow = self.view.as_ref().and_then(|view| app.flows.get(&view.flow));
        let is_sealed = flow.is_some_and(|entry| entry.is_sealed(event) || self.is_closed(entry, event));
        // `Model` performs actions; its answers bring their own facts.
        let source = match flow.is_some_and(|entry| entry.is_law_alone()) {
            true if is_sealed => Source::Model,
            _ if is_sealed => Source::System,
            _ => Source::User,
        };
        let request = Request { payload, facts: self.facts.clone(), via, ..Request::new(&id, event, source) };
        let answer = turn::take(app, request).await?;
        self.took(answer);
        Ok(())
    }

    /// Sends each event to its own process, all at the same moment. The first process is the one that the
    /// scenario has been using, which still remembers the flow's earlier state.
    async fn send_at_once(&mut self, events: &[(String, Option<String>)]) -> Result<(), String> {
        let id = self.view()?.id.clone();
        let mut processes = vec![self.app()?.clone()];
        while processes.len() < events.len() {
            processes.push(Arc::new(self.process().await?));
        }
        let turns = processes.into_iter().zip(events).map(|(app, (event, payload))| {
            let payload = payload.as_deref().map_or(Value::Null, loose_json);
            let request = Request { payload, ..Request::new(&id, event, Source::User) };
            tokio::spawn(async move { turn::take(&app, request).await })
        });
        let (mut taken, mut refused) = (0, Vec::new());
        for turn in join_all(turns.collect::<Vec<_>>()).await {
            match turn.map_err(|error| error.to_string())? {
                Ok(_) => taken += 1,
                Err(failure) => refused.push(problem(self.app()?, failure)),
            }
        }
        self.answer = json!({"taken": taken, "refused": refused});
        self.look().await
    }

    async fn remember(&mut self, kind: &str, key: &str, body: &str) -> Result<(), String> {
        let change = store::RecordChange::new(LEARNER, kind, key, body);
        let app = self.started().await?;
        app.store.remember(&[change], app.clock.now()).await.map_err(|error| error.to_string())
    }

    /// Calls a tool as an assistant would. The inner result holds its answer or its refusal.
    async fn call(&mut self, tool: &str, arguments: Option<&str>) -> Result<Result<Value, Value>, String> {
        let arguments = match arguments.map(serde_json::from_str).transpose() {
            Ok(arguments) => arguments,
            Err(error) => return Err(format!("the arguments are no JSON object: {error}")),
        };
        let access = Access::Learner(LEARNER.to_owned());
        let mcp = Mcp::new(self.started().await?.clone(), Desk::default(), access);
        let result = mcp.call(tool, arguments).await.ok_or_else(|| format!("there is no tool `{tool}`"))?;
        let answer = result.structured_content.unwrap_or_default();
        if self.view.is_some() {
            self.look().await?;
        }
        Ok(if result.is_error == Some(true) { Err(answer["error"].clone()) } else { Ok(answer) })
    }

    async fn run_job(&mut self, name: &str) -> Result<(), String> {
        let task = Task::named(name).map_err(|failure| told(&failure))?;
        let app = self.started().await?;
        let result = jobs::run_now(app, LEARNER, task).await.map_err(|failure| told(&failure))?;
        self.answer = Value::from(result);
        if self.view.is_some() { self.look().await } else { Ok(()) }
    }

    async fn say(&mut self, text: &str, times: usize) -> Result<(), String> {
        let flow = self.view()?.flow.clone();
        let event = self.app()?.flows.get(&flow).and_then(|entry| entry.face?.says()?.event());
        let event =
            event.ok_or_else(|| format!("`{flow}` has no event by which the learner says something"))?;
        for _ in 0..times {
            self.said.clear();
            self.send(event, json!({"text": text})).await.map_err(|failure| told(&failure))?;
        }
        Ok(())
    }

    /// Moves the clock. Every timer on the way fires at its own time, so that timers it sets count from there.
    async fn pass(&mut self, millis: u64) -> Result<(), String> {
        let end = self.clock.now().plus_ms(i64::try_from(millis).unwrap_or(i64::MAX));
        for _ in 0..MAX_STOPS {
            let Some(due) = self.next_due().await?.filter(|due| *due < end) else { break };
            self.clock.go_to(due);
            rounds::round(self.app()?).await.map_err(|error| error.to_string())?;
        }
        self.clock.go_to(end);
        rounds::round(self.app()?).await.map_err(|error| error.to_string())?;
        self.look().await
    }

    /// Returns the moment when the next timer of any open flow falls due, if one is later than now.
    async fn next_due(&self) -> Result<Option<At>, String> {
        let app = self.app()?;
        let filter = store::Filter { open: Some(true), ..store::Filter::default() };
        let page = app.store.list(&filter, None, MAX_FLOWS).await.map_err(|error| error.to_string())?;
        let mut next = None;
        for row in page.instances {
            let timers = app.store.timers(&row.id).await.map_err(|error| error.to_string())?;
            let ahead = timers.into_iter().map(|timer| timer.due_at).filter(|due| *due > self.clock.now());
            next = ahead.chain(next).min();
        }
        Ok(next)
    }

    fn is_closed(&self, entry: &FlowEntry, event: &str) -> bool {
        let placed = self.view.as_ref().and_then(|_| entry.bind(&self.set).ok());
        placed.is_some_and(|machine| {
            machine.event_named(event).is_some_and(|event| entry.is_closed(&machine, event))
        })
    }

    /// Reads the flow again, with all changes since.
    async fn look(&mut self) -> Result<(), String> {
        let id = self.view()?.id.clone();
        let placed = self.app()?.load(&id).await.map_err(|failure| told(&failure))?;
        self.view = Some(turn::view_of(&placed));
        Ok(())
    }

    /// Drops the program without a shutdown, and opens the same database again.
    async fn crash(&mut self) -> Result<(), String> {
        self.app = None;
        self.started().await?;
        self.look().await
    }

    async fn open_beside(&mut self, flow: &str, opening: Option<&str>) -> Result<(), String> {
        let id = format!("{}.{flow}-{}", scope_of(&self.view()?.id), self.clock.now().0);
        let opening = opening.map_or_else(|| json!({}), loose_json);
        self.open(Opening { flow: flow.to_owned(), opening, id: Some(id), ..Opening::default() }).await
    }

    /// Turns to the newest flow of this name, or to the one with this id.
    async fn turn_to(&mut self, name: &str) -> Result<(), String> {
        let app = self.app()?;
        let row = match app.flows.get(name) {
            Some(_) => {
                let filter = store::Filter::of_flow(name);
                let page = app.store.list(&filter, None, 1).await.map_err(|error| error.to_string())?;
                page.instances.into_iter().next()
            }
            None => app.store.load(name).await.map_err(|error| error.to_string())?,
        };
        let row = row.ok_or_else(|| format!("there is no {name}"))?;
        let placed = app.place(row).await.map_err(|failure| told(&failure))?;
        self.view = Some(turn::view_of(&placed));
        Ok(())
    }
}

/// Describes a failure as JSON.
fn problem(app: &App, failure: Failure) -> Value {
    let failure = match failure {
        Failure::Rejected(mut rejected) => {
            app.words.translate(DEFAULT_LANGUAGE, &mut rejected);
            Failure::Rejected(rejected)
        }
        failure => failure,
    };
    json!({"code": failure.code(), "message": failure.to_string(), "cure": failure.cure()})
}

fn told(failure: &Failure) -> String {
    format!("{failure}; {}", failure.cure())
}

/// Parses JSON, or returns the text itself if it is none.
fn loose_json(text: &str) -> Value {
    serde_json::from_str(text).unwrap_or_else(|_| Value::from(text))
}
