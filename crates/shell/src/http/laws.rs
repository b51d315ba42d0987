//! Serves laws: the law of a flow with its proof, and a bench on which a law is checked and stepped before it runs.

use super::problem::ProblemJson;
use super::request::{self, InPath};
use super::serve::Server;
use crate::engine::failure::Failure;
use crate::engine::flows::{FlowEntry, Flows};
use axum::Json;
use axum::body::Bytes;
use axum::extract::State;
use axum::http::{HeaderMap, StatusCode};
use flow::{Bounds, Facts, Format, Instance, Law, Machine, Overrides, Problem, Refused, Report, Step};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value, json};
use std::path::{Path, PathBuf};
use tokio::sync::Semaphore;

/// The bounds of a check on the bench. A check that reaches them says so; `etude check` goes further.
const BENCH: Bounds = Bounds { configurations: 300_000 };
/// The number of laws checked at a time. A walk uses a whole core.
static WALKS: Semaphore = Semaphore::const_new(1);

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct CheckBody {
    /// The text of a law.
    law: String,
}

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct StepBody {
    law: String,
    /// The position of the law; left out to begin.
    #[serde(default)]
    at: Option<Position>,
    /// The event to take; left out to begin.
    #[serde(default)]
    event: Option<String>,
    /// The facts that hold.
    #[serde(default)]
    facts: Vec<String>,
}

#[derive(Debug, Clone, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
#[schemars(rename = "Place")]
pub(super) struct Position {
    state: String,
    counters: Map<String, Value>,
}

/// A law, the machine that runs, and the result of its proof.
#[derive(Debug, Serialize, JsonSchema)]
pub(super) struct LawView {
    source: String,
    /// The machine that runs, in the form of XState; null if the law cannot be read.
    machine: Option<Value>,
    /// The findings of the proof, as `etude check --json` prints them.
    report: Value,
    /// Whether the law may run.
    may_run: bool,
}

#[derive(Debug, Serialize, JsonSchema)]
pub(super) struct Stepped {
    at: Position,
    /// The states that were entered on the way.
    entered: Vec<String>,
    actions: Vec<String>,
    outcome: Option<String>,
    /// The events that can come next.
    allowed: Vec<String>,
}

pub(super) async fn law_of(
    State(server): State<Server>,
    InPath(name): InPath,
) -> Result<Json<LawView>, ProblemJson> {
    let entry = server.app.flows.find(&name).ok_or_else(|| unknown(&server.app.flows, &name))?;
    walk(move || of_entry(&entry, entry.law.source.clone())).await
}

pub(super) async fn check(
    State(server): State<Server>,
    headers: HeaderMap,
    body: Bytes,
) -> Result<Json<LawView>, ProblemJson> {
    let CheckBody { law: source } = request::read(&headers, &body)?;
    let app = server.app.clone();
    walk(move || match Law::read_bytes(source.as_bytes()) {
        Ok(law) => of_entry(&app.flows.entry_of(law, false), source),
        Err(problems) => LawView {
            source,
            machine: None,
            report: json!(Report { problems, ..Report::default() }),
            may_run: false,
        },
    })
    .await
}

/// Serves a law if it may run, and keeps it for the next start of the server.
pub(super) async fn serve(
    State(server): State<Server>,
    headers: HeaderMap,
    body: Bytes,
) -> Result<(StatusCode, Json<LawView>), ProblemJson> {
    let CheckBody { law: source } = request::read(&headers, &body)?;
    let law = Law::read_bytes(source.as_bytes()).map_err(unreadable)?;
    let file = file_of(&server, &law.session.name)?;
    let entry = server.app.flows.entry_of(law, false);
    let Json(view) = walk(move || of_entry(&entry, source)).await?;
    if !view.may_run {
        let cure = "`POST /api/laws/check` lists what is wrong; a law that is too large here runs with `etude serve --law`";
        let title = "this law may not run: it has problems, or it is too large to be proved here";
        return Err(ProblemJson::new(StatusCode::UNPROCESSABLE_ENTITY, "law_refused", title, cure));
    }
    let (app, law) = (server.app.clone(), view.source.clone());
    let taken = tokio::task::spawn_blocking(move || app.flows.serve(&law).map(drop)).await;
    taken.map_err(|_| busy())?.map_err(Failure::from)?;
    keep(&file, &view.source).map_err(not_kept)?;
    Ok((StatusCode::CREATED, Json(view)))
}

/// Withdraws a law that was sent here. Flows under way go on.
pub(super) async fn withdraw(
    State(server): State<Server>,
    InPath(name): InPath,
) -> Result<Json<Value>, ProblemJson> {
    let file = file_of(&server, &name)?;
    if !server.app.flows.withdraw(&name) {
        let title = format!("no law called `{name}` was sent here");
        let cure = "laws of the program and of `etude serve --law` stay";
        return Err(ProblemJson::new(StatusCode::NOT_FOUND, "unknown_flow", title, cure));
    }
    match std::fs::remove_file(file) {
        Err(error) if error.kind() != std::io::ErrorKind::NotFound => Err(not_kept(error)),
        _ => Ok(Json(json!({ "withdrawn": name }))),
    }
}

fn file_of(server: &Server, name: &str) -> Result<PathBuf, ProblemJson> {
    let is_plain = |c: char| c.is_ascii_alphanumeric() || c == '_' || c == '-';
    if (1..=64).contains(&name.len()) && name.chars().all(is_plain) {
        return Ok(server.laws.join(format!("{name}.yaml")));
    }
    let (title, cure) = (
        "a law that is kept here needs a plain name",
        "name its session with up to 64 letters, digits, `-` and `_`",
    );
    Err(ProblemJson::new(StatusCode::UNPROCESSABLE_ENTITY, "bad_name", title, cure))
}

/// Writes a law to another file and renames it, so that a full disk leaves the old file intact.
fn keep(file: &Path, source: &str) -> std::io::Result<()> {
    std::fs::create_dir_all(file.parent().unwrap_or(Path::new(".")))?;
    let beside = file.with_extension("new");
    std::fs::write(&beside, source).and_then(|()| std::fs::rename(&beside, file))
}

fn not_kept(error: std::io::Error) -> ProblemJson {
    let title = format!("the folder of laws cannot be written: {error}");
    let cure = "look at the permissions and the free space of the data folder";
    ProblemJson::new(StatusCode::INSUFFICIENT_STORAGE, "not_kept", title, cure)
}

pub(super) async fn step(
    State(server): State<Server>,
    headers: HeaderMap,
    body: Bytes,
) -> Result<Json<Stepped>, ProblemJson> {
    let body: StepBody = request::read(&headers, &body)?;
    let law = Law::read_bytes(body.law.as_bytes()).map_err(unreadable)?;
    let machine = server.app.flows.entry_of(law, false).bind(&Overrides::new()).map_err(unreadable)?;
    let facts = facts(&machine, &body.facts)?;
    let stepped = match (&body.at, &body.event) {
        (Some(at), Some(event)) => {
            let event = machine
                .event_named(event)
                .ok_or_else(|| refused(format!("the law knows no event `{event}`")))?;
            flow::step(&machine, &place(&machine, at)?, event, facts)
        }
        _ => flow::begin(&machine, facts),
    };
    Ok(Json(shown(&machine, &stepped.map_err(|why| refused(told(&machine, &why)))?)))
}

/// Runs a check on a thread for blocking calls, one after the other.
async fn walk(look: impl FnOnce() -> LawView + Send + 'static) -> Result<Json<LawView>, ProblemJson> {
    let _turn = WALKS.acquire().await.map_err(|_| busy())?;
    tokio::task::spawn_blocking(look).await.map(Json).map_err(|_| busy())
}

fn busy() -> ProblemJson {
    let title = "no law can be checked now";
    ProblemJson::new(StatusCode::SERVICE_UNAVAILABLE, "busy", title, "try again in a moment")
}

fn of_entry(entry: &FlowEntry, source: String) -> LawView {
    let set = Overrides::new();
    let report = entry.check(&set, BENCH);
    let machine = entry.bind(&set).ok().map(|machine| drawn(&machine));
    LawView { source, machine, may_run: report.may_run() && report.complete, report: json!(report) }
}

/// Returns the machine as the page draws it: all states side by side, and for each state inside another the name of
/// that one.
fn drawn(machine: &Machine) -> Value {
    let mut config: Value = serde_json::from_str(&flow::export(machine, Format::Xstate)).unwrap_or_default();
    let mut states = Map::new();
    let mut boxes = Map::new();
    lift(config["states"].take(), "", &mut states, &mut boxes);
    config["states"] = Value::Object(states);
    config["boxes"] = Value::Object(boxes);
    config["initial"] = machine.state_name(machine.initial()).into();
    config
}

/// Moves nested states to the top level. `boxes` gets the enclosing box of each state and box.
fn lift(nested: Value, inside: &str, into: &mut Map<String, Value>, boxes: &mut Map<String, Value>) {
    let Value::Object(nested) = nested else { return };
    for (name, mut state) in nested {
        if !inside.is_empty() {
            boxes.insert(name.clone(), inside.into());
        }
        match state.get_mut("states").map(Value::take) {
            Some(inner) => lift(inner, &name, into, boxes),
            None => {
                by_name(&mut state);
                into.insert(name, state);
            }
        }
    }
}

/// Replaces ids of targets by names.
fn by_name(value: &mut Value) {
    match value {
        Value::Object(fields) => {
            for (key, field) in fields {
                match field.as_str().and_then(|text| text.strip_prefix("#state ")) {
                    Some(name) if key == "target" => *field = name.into(),
                    _ => by_name(field),
                }
            }
        }
        Value::Array(items) => items.iter_mut().for_each(by_name),
        _ => {}
    }
}

fn facts(machine: &Machine, names: &[String]) -> Result<Facts, ProblemJson> {
    names.iter().try_fold(Facts(0), |facts, name| {
        let fact =
            machine.fact_named(name).ok_or_else(|| refused(format!("the law asks no fact `{name}`")))?;
        Ok(facts.with(fact, true))
    })
}

fn place(machine: &Machine, at: &Position) -> Result<Instance, ProblemJson> {
    let state = machine.state_named(&at.state);
    let state = state.ok_or_else(|| refused(format!("the law has no state `{}`", at.state)))?;
    let mut counters = [0; flow::MAX_COUNTERS];
    for (slot, name) in counters.iter_mut().zip(machine.counter_names()) {
        let value = at.counters.get(name).and_then(Value::as_u64);
        *slot = value.map_or(0, |value| u32::try_from(value).unwrap_or(u32::MAX));
    }
    Ok(Instance { state, counters })
}

fn shown(machine: &Machine, step: &Step) -> Stepped {
    let at = &step.to;
    let counters =
        machine.counter_names().zip(at.counters).map(|(name, value)| (name.to_owned(), value.into()));
    Stepped {
        at: Position { state: machine.state_name(at.state).to_owned(), counters: counters.collect() },
        entered: step.entered().map(|state| machine.state_name(state).to_owned()).collect(),
        actions: step.actions(machine).map(|action| machine.action_name(action).to_owned()).collect(),
        outcome: step.outcome.map(|outcome| machine.outcome_name(outcome).to_owned()),
        allowed: machine.allowed(at.state).map(|event| machine.event_name(event).to_owned()).collect(),
    }
}

fn told(machine: &Machine, why: &Refused) -> String {
    match why {
        Refused::Over { state } => format!("the law has ended in `{}`", machine.state_name(*state)),
        Refused::NotNow { state, event, .. } => {
            format!("`{}` cannot happen in `{}`", machine.event_name(*event), machine.state_name(*state))
        }
        Refused::Broken { promise, .. } => format!("this step would break a promise of the law: {promise}"),
        Refused::Denied { state, fact, .. } => {
            format!("`{}` requires another answer to `{fact}`", machine.state_name(*state))
        }
    }
}

fn refused(title: String) -> ProblemJson {
    ProblemJson::new(
        StatusCode::UNPROCESSABLE_ENTITY,
        "no_step",
        title,
        "choose one of the allowed events, or begin again",
    )
}

fn unreadable(problems: Vec<Problem>) -> ProblemJson {
    let first = problems.first().map(|problem| problem.message.clone()).unwrap_or_default();
    ProblemJson::new(
        StatusCode::UNPROCESSABLE_ENTITY,
        "bad_law",
        first,
        "check the law first; its problems have their lines",
    )
}

fn unknown(flows: &Flows, name: &str) -> Failure {
    Failure::UnknownFlow {
        name: name.to_owned(),
        known: flows.all().iter().map(|entry| entry.name.clone()).collect(),
    }
}
