//! The one door: every change of a flow goes through [`take`].
//!
//! Load, decide, commit, perform. An answered turn is durable. The node that wrote a turn performs its effects right
//! after the commit; only what a crash leaves behind waits for the worker.

use super::app::{App, Placed};
use super::commit::{self, commit};
use super::failure::Failure;
use super::flows::{AFFORDABLE, FlowEntry};
use super::performer::{self, Telling};
use super::setting::{Setting, scope_of};
use super::takeover;
use super::view::{self, Answer, View};
use coaching::ask::MODEL_KIND;
use coaching::desk::{Line, Role};
use coaching::rejected::Rejected;
use coaching::turn::{FACTS, Input, Source, TurnError, Turned};
use flow::{Bounds, Facts, Machine, Origin, Overrides, Refused};
use futures_util::future::BoxFuture;
use serde_json::{Value, json};
use std::collections::BTreeMap;
use std::hash::{BuildHasher, RandomState};
use std::sync::Arc;
use std::time::{Duration, Instant};
use store::{Commit, CommitError, LogEntry, Timer};
use tokio::sync::oneshot;
use uuid::Uuid;

pub use super::via::Via;

/// The most results of effects that one request follows; the worker handles the rest.
const MAX_RESULTS: usize = 16;
/// How long a turn is decided again and again while turns elsewhere are faster.
const PATIENCE: Duration = Duration::from_secs(15);
/// The number of lost decisions after which a turn waits a random moment, so that nodes do not keep step with each
/// other.
const QUICK_DECISIONS: u32 = 4;
const LONGEST_WAIT_MS: u64 = 8;
/// The largest data of a flow that is remembered from one turn to the next.
const MAX_KEPT_BYTES: usize = 64 << 10;
/// The field in the first log entry that holds a fingerprint of the opening, if the opening had a key.
const OPENING: &str = "opening";
/// The most characters of an id, learner name or request key.
const MAX_KEY_CHARS: usize = 200;

/// A request for a new flow.
#[derive(Debug, Clone, Default)]
pub struct Opening {
    pub flow: String,
    pub learner: String,
    pub opening: Value,
    /// The facts that hold at the opening, for laws without a program of their own.
    pub facts: Vec<String>,
    pub set: Overrides,
    /// The id that the caller chose, so that it can safely repeat the opening.
    pub id: Option<String>,
    /// The caller's idempotency key if there is no id: a learner's repeated request opens one flow.
    pub request: Option<String>,
    pub via: Via,
}

/// An event for a flow.
#[derive(Debug, Clone)]
pub struct Request {
    pub id: String,
    pub event: String,
    pub payload: Value,
    pub facts: Vec<String>,
    pub source: Source,
    /// The version at which the flow must be; otherwise the event is refused.
    pub expect_version: Option<u64>,
    /// The caller's idempotency key: a repeated request is taken once.
    pub request: Option<String>,
    /// The key of the effect whose result this request is.
    pub finishes: Option<String>,
    /// The reason why that effect was given up, if the request reports that.
    pub given_up: Option<String>,
    pub via: Via,
}

impl Request {
    pub fn new(id: &str, event: &str, source: Source) -> Request {
        Request {
            id: id.to_owned(),
            event: event.to_owned(),
            payload: Value::Null,
            facts: Vec::new(),
            source,
            expect_version: None,
            request: None,
            finishes: None,
            given_up: None,
            via: Via::Caller,
        }
    }
}

/// Opens a flow and follows its first steps. In a box: see [`crate`].
pub fn open(app: &App, opening: Opening) -> BoxFuture<'_, Result<Answer, Failure>> {
    Box::pin(open_here(app, opening))
}

async fn open_here(app: &App, opening: Opening) -> Result<Answer, Failure> {
    let flow = &opening.flow;
    let entry = app.flows.find(flow).ok_or_else(|| Failure::UnknownFlow {
        name: flow.clone(),
        known: app.flows.all().iter().map(|entry| entry.name.clone()).collect(),
    })?;
    let bounds = if opening.set.is_empty() { Bounds::default() } else { AFFORDABLE };
    let machine = app.machine(&entry, &opening.set, bounds).await?;
    for (what, text) in [("id", &opening.id), ("request", &opening.request)] {
        check_key(what, text.as_deref())?;
    }
    check_learner(&opening.learner)?;
    let id = opening.id.clone().unwrap_or_else(|| new_id(&opening));
    check_neighbour(app, &id, &opening.learner).await?;
    let entry = app.keep_law(&entry, &machine, opening.set.clone()).await?;
    let given = with_facts(&entry, opening.opening, &opening.facts)?;
    let asked = Asked { set: opening.set, opening: given, is_keyed: opening.request.is_some() };
    let content = content(app, &entry, &id, asked.opening.clone());
    let unborn = unborn(app, entry, machine, id, opening.learner);
    let turn = app.turns_of(scope_of(&unborn.row.id)).lock().await;
    let settled = settle_opening(app, &unborn, &content, &asked, opening.via).await;
    drop(turn);
    match settled {
        Ok(Some(settled)) => {
            counted(&unborn.entry.name, "opened");
            let (answer, results) = perform(app, settled).await;
            Ok(follow(app, answer, results).await)
        }
        Ok(None) => opened_before(app, &unborn.row, &asked).await,
        // An opening that worked the first time may fail the second time, because something else has changed.
        Err(failure) => match opened_before(app, &unborn.row, &asked).await {
            Err(Failure::Rejected(reused)) if asked.is_keyed => Err(Failure::Rejected(reused)),
            opened => opened.or(Err(failure)),
        },
    }
}

/// The parts of an opening that a repeated request must share.
struct Asked {
    set: Overrides,
    opening: Value,
    /// Whether the caller gave a key, which promises that a repeated request has the same content.
    is_keyed: bool,
}

impl Asked {
    /// Returns a fingerprint of the opening that does not depend on the order of fields.
    fn print(&self) -> String {
        Uuid::new_v5(&Uuid::NAMESPACE_OID, sorted(&self.opening).to_string().as_bytes()).to_string()
    }
}

fn sorted(value: &Value) -> Value {
    match value {
        Value::Object(fields) => {
            let fields: BTreeMap<&String, Value> =
                fields.iter().map(|(name, value)| (name, sorted(value))).collect();
            fields.into_iter().map(|(name, value)| (name.clone(), value)).collect()
        }
        Value::Array(items) => items.iter().map(sorted).collect(),
        plain => plain.clone(),
    }
}

/// Adds the facts that hold to an opening. Refuses facts for a flow that answers its own.
fn with_facts(entry: &FlowEntry, mut opening: Value, facts: &[String]) -> Result<Value, Failure> {
    if facts.is_empty() {
        return Ok(opening);
    }
    if !entry.is_law_alone() {
        return Err(Failure::Rejected(answers_itself()));
    }
    if opening.is_null() {
        opening = Value::Object(Default::default());
    }
    if let Value::Object(fields) = &mut opening {
        fields.insert(FACTS.to_owned(), facts.into());
    }
    Ok(opening)
}

/// Refuses to open a flow beside another learner's flow, because it would move that flow. The refusal says that no
/// such flow exists.
async fn check_neighbour(app: &App, id: &str, learner: &str) -> Result<(), Failure> {
    let root = scope_of(id);
    if root == id || app.store.load(root).await?.is_none_or(|row| row.learner == learner) {
        return Ok(());
    }
    Err(Failure::UnknownInstance { id: root.to_owned() })
}

fn new_id(Opening { flow, learner, request, .. }: &Opening) -> String {
    let id = match request {
        Some(request) => Uuid::new_v5(&Uuid::NAMESPACE_OID, format!("{flow}/{learner}/{request}").as_bytes()),
        None => Uuid::now_v7(),
    };
    id.to_string()
}

/// Returns the existing flow under this id if it is the one asked for.
async fn opened_before(app: &App, row: &store::Instance, asked: &Asked) -> Result<Answer, Failure> {
    let there = app.load(&row.id).await?;
    let stored = app.stored_law(&there.row.law_hash, &row.id).await?;
    if there.row.flow == row.flow && there.row.learner == row.learner && stored.set == asked.set {
        return match asked.is_keyed && !is_opened_with(app, asked, &row.id).await? {
            true => Err(key_reused("another opening")),
            false => Ok(repeated(&there)),
        };
    }
    Err(Failure::Rejected(Rejected {
        code: "id_taken",
        message: "this id, or this key, is that of another flow, of another learner or with other constants"
            .into(),
        cure: "repeat the request as it was, or open the flow under an id or a key of its own".into(),
    }))
}

/// Whether a flow was opened with this content. True for flows of older programs, which did not record it.
async fn is_opened_with(app: &App, asked: &Asked, id: &str) -> Result<bool, Failure> {
    let first = app.store.log(id, 0, 1).await?.into_iter().next();
    let payload = first.and_then(|first| serde_json::from_str::<Value>(&first.payload).ok());
    let print = payload.as_ref().and_then(|payload| payload[OPENING].as_str());
    Ok(print.is_none_or(|print| print == asked.print()))
}

fn key_reused(of: &str) -> Failure {
    Failure::Rejected(Rejected {
        code: "key_reused",
        message: format!("the key of this request was that of {of}, which was taken").into(),
        cure: "give every request a key of its own; only a repeated one has the same".into(),
    })
}

/// Creates a flow before its first step.
fn unborn(app: &App, entry: Arc<FlowEntry>, machine: Arc<Machine>, id: String, learner: String) -> Placed {
    let now = app.clock.now();
    let at = flow::Instance { state: machine.initial(), counters: Default::default() };
    let row = store::Instance {
        id,
        flow: entry.name.clone(),
        law_hash: machine.hash().to_owned(),
        law_version: machine.version().to_owned(),
        learner,
        state: machine.state_name(at.state).to_owned(),
        version: 0,
        counters: "{}".into(),
        data: String::new(),
        outcome: None,
        created_at: now,
        updated_at: now,
    };
    Placed { row, entry, machine, at }
}

/// Decides and commits an opening, again while others change its documents. Returns `None` if the flow already
/// exists.
async fn settle_opening(
    app: &App,
    unborn: &Placed,
    content: &Value,
    asked: &Asked,
    via: Via,
) -> Result<Option<Settled>, Failure> {
    let Placed { row, entry, machine, .. } = unborn;
    let started = Instant::now();
    let mut decisions = 0;
    while started.elapsed() < PATIENCE {
        step_aside(&row.id, decisions).await;
        decisions += 1;
        let setting = Setting::of_opening(app, entry, &row.learner, &row.id, content).await?;
        let moment = setting.moment(row.created_at, seed(&row.id, 0), &row.learner);
        let turned = entry.handlers.get().open(machine, content, moment);
        let mut turned = turned.map_err(|error| failure(entry, machine, row, error))?;
        tell(app, unborn, via, &mut turned).await?;
        let mut commit = commit(app, unborn, &turned, &setting, None);
        if let Some(first) = commit.log.first_mut().filter(|_| asked.is_keyed) {
            first.payload = json!({"law": machine.hash(), OPENING: asked.print()}).to_string();
        }
        match app.store.commit(&commit).await {
            Ok(()) => return Ok(Some(Settled { placed: unborn.clone(), commit, turned })),
            Err(CommitError::Exists) => return Ok(None),
            Err(CommitError::Conflict { .. }) => {}
            Err(error) => return Err(error.into()),
        }
    }
    Err(Failure::Conflict { version: 0, state: row.state.clone() })
}

/// Completes the opening of a flow. Unless the opening says otherwise, a flow uses what this process has to offer,
/// such as a model. A flow that shares documents receives its own id.
fn content(app: &App, entry: &FlowEntry, id: &str, mut opening: Value) -> Value {
    if let Value::Object(fields) = &mut opening {
        if entry.needs().model {
            fields.entry(MODEL_KIND).or_insert_with(|| app.is_ready_for(MODEL_KIND).into());
        }
        let set = app.openings.iter().find(|(flow, _)| *flow == entry.name);
        fields.extend(set.iter().flat_map(|(_, said)| said.clone()));
        if entry.is_scoped() {
            fields.insert("id".to_owned(), id.into());
        }
    }
    opening
}

/// Takes one event, durably, and performs the effects that follow from it. In a box: see [`crate`].
pub fn take(app: &App, request: Request) -> BoxFuture<'_, Result<Answer, Failure>> {
    Box::pin(take_here(app, request))
}

async fn take_here(app: &App, request: Request) -> Result<Answer, Failure> {
    // Keys of effects contain a `/`, so no caller can claim one for its own request.
    if request.finishes.is_none() {
        check_key("request", request.request.as_deref())?;
    }
    let started = Instant::now();
    let (answer, results) = take_one(app, request).await?;
    let seconds = started.elapsed().as_secs_f64();
    metrics::histogram!("etude_turn_seconds", "flow" => answer.view.flow.clone()).record(seconds);
    Ok(follow(app, answer, results).await)
}

/// Returns a flow's objection to an event, without taking the event. A flow that has moved on raises none here; it
/// refuses the event when the event comes.
pub async fn objection(app: &App, request: &Request) -> Result<Option<Rejected>, Failure> {
    let placed = app.load(&request.id).await?;
    let setting = Setting::of_turn(app, &placed).await?;
    match decide(app, &placed, request, &setting) {
        Err(Failure::Rejected(rejected)) => Ok(Some(rejected)),
        _ => Ok(None),
    }
}

/// Takes an event to its end, even if the caller leaves meanwhile: a model may take long, and a page may be closed.
/// An answer that comes too late for the caller goes to the watchers of the flow.
pub async fn take_through(app: &Arc<App>, request: Request) -> Result<Answer, Failure> {
    let (tell, told) = oneshot::channel();
    let (id, app) = (request.id.clone(), app.clone());
    tokio::spawn(async move {
        let taken = take(&app, request).await;
        if let Err(Ok(answer)) = tell.send(taken) {
            app.aloud.late(&answer);
        }
    });
    told.await
        .unwrap_or_else(|_| Err(Failure::Broken { id, reason: "the turn ended with a defect".to_owned() }))
}

/// Takes the result of an effect that the worker performed.
pub async fn take_result(app: &App, result: Request) {
    let effect = Performed::of(&result);
    match take(app, result).await {
        Ok(answer) => app.aloud.late(&answer),
        Err(failure) => not_taken(app, &effect, &failure).await,
    }
}

/// The effect whose outcome a request reports.
struct Performed {
    key: String,
    given_up: Option<String>,
}

impl Performed {
    fn of(request: &Request) -> Performed {
        Performed { key: request.finishes.clone().unwrap_or_default(), given_up: request.given_up.clone() }
    }

    /// Records the outcome of the effect, unless taking its result has already done so.
    async fn settle(&self, app: &App, is_taken: bool) {
        let settled = match &self.given_up {
            Some(reason) => app.store.bury_effect(&self.key, &app.node, reason).await,
            None if is_taken => return,
            None => app.store.finish_effect(&self.key, app.clock.now()).await,
        };
        if let Err(error) = settled {
            tracing::warn!(key = self.key, %error, "an effect was performed but that could not be noted");
        }
    }
}

/// Handles a result that its flow did not take. After a conflict, a store failure or a standstill the effect stays
/// pending and the worker tries again. Any other result no longer fits the flow, but its effect was performed.
async fn not_taken(app: &App, effect: &Performed, failure: &Failure) {
    tracing::info!(key = effect.key, %failure, "the result of an effect was not taken");
    if matches!(failure, Failure::Conflict { .. } | Failure::Store(_)) || failure.is_standstill() {
        return;
    }
    effect.settle(app, false).await;
}

/// Takes the results of effects as events, and the results that follow from those, up to a bound. The turn that
/// caused them is durable and does not fail with them: the worker performs the rest.
async fn follow(app: &App, mut answer: Answer, mut results: Vec<Request>) -> Answer {
    for _ in 0..MAX_RESULTS {
        let Some(result) = results.pop() else { break };
        let effect = Performed::of(&result);
        match take_one(app, result).await {
            Ok((next, more)) => {
                // The event may have been for another flow; what that flow says is passed on as well.
                if next.view.id == answer.view.id {
                    answer.view = next.view;
                }
                answer.said.extend(next.said);
                answer.actions.extend(next.actions);
                results.extend(more);
            }
            Err(failure) => not_taken(app, &effect, &failure).await,
        }
    }
    answer
}

/// Takes one event. Returns the answer and the results of its effects, last one first.
async fn take_one(app: &App, request: Request) -> Result<(Answer, Vec<Request>), Failure> {
    // Turns of one flow wait in line here. If they raced to the store, all but one would have to begin again.
    let turn = app.turns_of(scope_of(&request.id)).lock().await;
    let settled = settle(app, &request).await;
    drop(turn);
    let effect = Performed::of(&request);
    match settled {
        Ok(settled) => {
            effect.settle(app, true).await;
            counted(&settled.placed.entry.name, "taken");
            Ok(perform(app, settled).await)
        }
        Err(failure) => match was_taken(app, &request, &failure).await? {
            true => {
                effect.settle(app, true).await;
                Ok((repeated(&app.load(&request.id).await?), Vec::new()))
            }
            false => Err(failure),
        },
    }
}

/// Whether this very request was taken before. Checked only if the request fails now, because the store takes no
/// key twice.
async fn was_taken(app: &App, request: &Request, failure: &Failure) -> Result<bool, Failure> {
    let key = match (&request.request, failure) {
        (None, _) | (_, Failure::Store(_) | Failure::UnknownInstance { .. }) => return Ok(false),
        (Some(key), _) => key,
    };
    match app.store.find_request(&request.id, key).await? {
        // An effect that is performed twice may bring different results; the first one counts.
        Some(taken) if request.finishes.is_none() && !is_repeated(app, request, &taken).await? => {
            let other = if taken.event == request.event { "with something else" } else { "" };
            Err(key_reused(format!("`{}` {other}", taken.event).trim_end()))
        }
        found => Ok(found.is_some()),
    }
}

/// Whether a request has the same content as the earlier one with its key.
async fn is_repeated(app: &App, request: &Request, taken: &LogEntry) -> Result<bool, Failure> {
    let payload: Value = serde_json::from_str(&taken.payload).unwrap_or_default();
    if taken.event != request.event || payload != request.payload {
        return Ok(false);
    }
    let Placed { machine, entry, .. } = app.load(&request.id).await?;
    // Other flows answer their facts themselves. A changed law cannot tell which facts it asked for then.
    let (true, Some(from)) = (entry.is_law_alone(), machine.state_named(&taken.from_state)) else {
        return Ok(true);
    };
    let known: Vec<String> = serde_json::from_str(&taken.facts).unwrap_or_default();
    let given = Facts(facts(&machine, &request.facts)?.0 | machine.given(from).0);
    Ok(facts(&machine, &known).is_ok_and(|known| known.0 == given.0))
}

/// A turn that has been committed.
struct Settled {
    /// The position of the flow before the turn.
    placed: Placed,
    commit: Commit,
    turned: Turned,
}

/// Decides and commits a turn, again if another node was faster.
async fn settle(app: &App, request: &Request) -> Result<Settled, Failure> {
    if let Some(settled) = settle_from_memory(app, request).await? {
        return Ok(settled);
    }
    let started = Instant::now();
    let mut decisions = 0;
    loop {
        step_aside(&request.id, decisions).await;
        let placed = app.load(&request.id).await?;
        if placed.row.law_hash != placed.machine.hash() && placed.row.outcome.is_none() {
            return settle_under_present_law(app, request, &placed).await;
        }
        let (flow, law) = (placed.entry.name.clone(), placed.row.law_hash.clone());
        let setting = match decisions {
            0 => Setting::of_turn(app, &placed).await?,
            _ => Setting::of_turn_again(app, &placed).await?,
        };
        decisions += 1;
        match attempt(app, request, placed, setting).await {
            Err(Failure::Conflict { version, .. })
                if started.elapsed() < PATIENCE && is_wanted_at(request, version) =>
            {
                app.forget_law(&law);
            }
            Err(failure) => {
                let is_late = matches!(failure, Failure::Conflict { .. } | Failure::Store(_));
                counted(&flow, if is_late { "conflict" } else { "refused" });
                return Err(failure);
            }
            settled => return settled,
        }
    }
}

/// Waits a random moment after some lost decisions, so that no node is always the last.
async fn step_aside(id: &str, decisions: u32) {
    if decisions >= QUICK_DECISIONS {
        let chance = RandomState::new().hash_one((id, decisions));
        tokio::time::sleep(Duration::from_millis(chance % LONGEST_WAIT_MS)).await;
    }
}

/// Whether the flow is still where the caller wants it, so that only the documents behind the decision have
/// changed. Version 0 means that the store has taken this request before; it is not tried again.
fn is_wanted_at(request: &Request, version: u64) -> bool {
    let is_taken = version == 0 && request.request.is_some();
    !is_taken && request.expect_version.is_none_or(|expected| expected == version)
}

/// Decides from this process's memory, which saves a read. Returns `None` if the memory is outdated or the event
/// does not fit; the caller then reads the flow.
async fn settle_from_memory(app: &App, request: &Request) -> Result<Option<Settled>, Failure> {
    let Some(placed) = app.placed.take(&request.id) else { return Ok(None) };
    let setting = Setting::of_next_turn(app, &placed).await?;
    match attempt(app, request, placed, setting).await {
        Ok(settled) => Ok(Some(settled)),
        // The turn may have been written; a second attempt might write it twice.
        Err(Failure::Store(error)) => Err(Failure::Store(error)),
        Err(_) => Ok(None),
    }
}

/// Tells the learner of a turn if its caller does not. If nothing was said, they get the flow's open question.
async fn tell(app: &App, placed: &Placed, via: Via, turned: &mut Turned) -> Result<(), Failure> {
    let Placed { row, entry, machine, .. } = placed;
    if via != Via::Caller && turned.said.is_empty() {
        let desk = entry.handlers.get().desk(machine, &turned.at, &turned.data);
        let question = desk.and_then(|desk| desk.ask).map(|ask| ask.question);
        let question = question.filter(|question| !question.is_empty());
        turned.said.extend(question.map(|question| Line::new(Role::Question, question)));
    }
    app.tell(Telling { learner: &row.learner, instance: &row.id, via }, turned).await
}

/// Decides once and commits.
async fn attempt(app: &App, request: &Request, placed: Placed, setting: Setting) -> Result<Settled, Failure> {
    if request.expect_version.is_some_and(|version| version != placed.row.version) {
        return Err(Failure::Conflict { version: placed.row.version, state: placed.row.state });
    }
    let mut turned = decide(app, &placed, request, &setting)?;
    tell(app, &placed, request.via, &mut turned).await?;
    let mut commit = commit(app, &placed, &turned, &setting, Some(request));
    keep_deadlines(app, &placed, &turned, &mut commit).await?;
    app.store.commit(&commit).await?;
    remember(app, &placed, &commit.instance, &turned);
    setting.keep(app, &placed.entry, &commit, &turned.records);
    Ok(Settled { placed, commit, turned })
}

/// Keeps deadlines that started before this turn, if the flow has not left their group.
async fn keep_deadlines(
    app: &App,
    placed: &Placed,
    turned: &Turned,
    commit: &mut Commit,
) -> Result<(), Failure> {
    let machine = &placed.machine;
    let mut running = match (&mut commit.timers, machine.has_deadlines()) {
        (Some(timers), true) => commit::running_deadlines(machine, placed.at.state, turned, timers),
        _ => return Ok(()),
    };
    if running.is_empty() {
        return Ok(());
    }
    let version = commit.instance.version;
    let before = app.store.timers(&placed.row.id).await?;
    let timers = commit.timers.get_or_insert_default();
    for old in before.into_iter().filter(|timer| running.remove(&timer.event)) {
        timers.push(Timer { version, ..old });
    }
    timers.sort_by(|a, b| (a.due_at, &a.event).cmp(&(b.due_at, &b.event)));
    Ok(())
}

/// Remembers where the turn led for the next turn, unless the flow has ended or has much data.
fn remember(app: &App, before: &Placed, row: &store::Instance, turned: &Turned) {
    if row.outcome.is_none() && row.data.len() <= MAX_KEPT_BYTES {
        let (entry, machine) = (before.entry.clone(), before.machine.clone());
        let placed = Placed { row: row.clone(), entry, machine, at: turned.at };
        app.placed.keep(row.id.clone(), placed);
    }
}

/// Takes an event after moving the flow to the present law. Another node or an older program left the flow under an
/// older one.
async fn settle_under_present_law(app: &App, request: &Request, placed: &Placed) -> Result<Settled, Failure> {
    takeover::take_over(app, placed).await?;
    let expect_version = request.expect_version.map(|version| version + 1);
    Box::pin(settle(app, &Request { expect_version, ..request.clone() })).await
}

fn decide(app: &App, placed: &Placed, request: &Request, setting: &Setting) -> Result<Turned, Failure> {
    let machine = &placed.machine;
    let event = machine.event_named(&request.event).ok_or_else(|| Failure::UnknownEvent {
        event: request.event.clone(),
        allowed: view::allowed(&placed.entry, machine, placed.at.state),
    })?;
    if placed.entry.is_for_the_clock(machine, event) && request.source != Source::Timer {
        return Err(Failure::Rejected(not_the_clock(&request.event)));
    }
    if placed.entry.is_closed(machine, event) && request.source == Source::User {
        let is_clock = machine.origin(event) == Origin::Silence;
        let refuse = if is_clock { not_the_clock } else { not_the_machine };
        return Err(Failure::Rejected(refuse(&request.event)));
    }
    if placed.entry.is_sealed(&request.event) && request.source == Source::User {
        return Err(Failure::Rejected(not_the_program(&request.event)));
    }
    if !placed.entry.is_law_alone() && !request.facts.is_empty() {
        return Err(Failure::Rejected(answers_itself()));
    }
    let input = Input {
        event,
        payload: request.payload.clone(),
        facts: facts(machine, &request.facts)?,
        source: request.source,
    };
    let moment =
        setting.moment(app.clock.now(), seed(&placed.row.id, placed.row.version), &placed.row.learner);
    let turned = placed.entry.handlers.get().take(machine, &placed.at, &placed.row.data, input, moment);
    turned.map_err(|error| failure(&placed.entry, machine, &placed.row, error))
}

fn not_the_clock(event: &str) -> Rejected {
    Rejected {
        code: "for_the_clock",
        message: format!("`{event}` comes from the clock after a long silence, and only then").into(),
        cure: "to end it now, send what the learner would send".into(),
    }
}

fn not_the_machine(event: &str) -> Rejected {
    Rejected {
        code: "for_the_machine",
        message: format!("only the machine may send `{event}`: the receiver of the law's actions, in its answers").into(),
        cure: format!("answer the delivery with it; or let the law open it to others: `events: {{{event}: open machine}}`").into(),
    }
}

fn not_the_program(event: &str) -> Rejected {
    Rejected {
        code: "for_the_program",
        message: format!("`{event}` reports what the program itself has done, and no one else can send it")
            .into(),
        cure: "send what the learner would send; the report follows by itself".into(),
    }
}

fn denied(state: &str, fact: &str, must_hold: bool) -> Rejected {
    let (required, said) = if must_hold { ("holds", "does not") } else { ("does not hold", "does") };
    Rejected {
        code: "fact_denied",
        message: format!("`{state}` requires that `{fact}` {required}, and this event says that it {said}")
            .into(),
        cure: match must_hold {
            true => format!("add `{fact}` to the facts of the event"),
            false => format!("leave `{fact}` out of the facts of the event"),
        }
        .into(),
    }
}

fn answers_itself() -> Rejected {
    Rejected {
        code: "answers_itself",
        message: "this flow answers the questions of its law itself".into(),
        cure: "leave `facts` out; they are for laws without a program of their own".into(),
    }
}

fn facts(machine: &Machine, names: &[String]) -> Result<Facts, Failure> {
    names.iter().try_fold(Facts::default(), |facts, name| match machine.fact_named(name) {
        Some(fact) => Ok(facts.with(fact, true)),
        None => Err(Failure::UnknownFact {
            fact: name.clone(),
            known: machine.fact_names().map(str::to_owned).collect(),
        }),
    })
}

/// Returns a number that looks random but is the same when the same turn is decided again.
fn seed(id: &str, version: u64) -> u64 {
    let bytes = id.bytes().chain(version.to_le_bytes());
    bytes.fold(0xcbf2_9ce4_8422_2325, |hash, byte| (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3))
}

/// Performs the effects of a commit that has just become durable.
async fn perform(app: &App, settled: Settled) -> (Answer, Vec<Request>) {
    let Settled { placed, commit: Commit { instance, effects, .. }, turned } = settled;
    let mut results = Vec::new();
    for effect in effects.into_iter().filter(|effect| !app.manner(&effect.kind).is_left) {
        // These effects were never claimed from other nodes.
        let effect = store::Effect { lease_owner: None, ..effect };
        results.extend(performer::perform(app, &effect).await);
    }
    results.reverse();
    let actions = turned.taken.iter().flat_map(|taken| taken.actions.iter().cloned()).collect();
    let placed = Placed { row: instance, at: turned.at, ..placed };
    (Answer { view: view_of(&placed), said: turned.said, actions, repeated: false }, results)
}

fn repeated(placed: &Placed) -> Answer {
    Answer { view: view_of(placed), said: Vec::new(), actions: Vec::new(), repeated: true }
}

/// Returns the view of a flow, even if the flow cannot go on.
pub async fn look(app: &App, row: store::Instance) -> Result<View, Failure> {
    let (placed, refusal) = app.look(row).await?;
    let view = view_of(&placed);
    Ok(match refusal {
        None => view,
        Some(refusal) => View { allowed: Vec::new(), refused: Some(refusal.to_string()), ..view },
    })
}

pub fn view_of(placed: &Placed) -> View {
    view::view(&placed.row, &placed.machine, &placed.entry, &placed.at)
}

fn failure(entry: &FlowEntry, machine: &Machine, row: &store::Instance, error: TurnError) -> Failure {
    let id = &row.id;
    match error {
        TurnError::Refused(Refused::Over { state }) => Failure::Over {
            state: machine.state_name(state).to_owned(),
            outcome: row.outcome.clone().unwrap_or_else(|| "done".to_owned()),
        },
        TurnError::Refused(Refused::NotNow { state, event, .. }) => Failure::Refused {
            state: machine.state_name(state).to_owned(),
            event: machine.event_name(event).to_owned(),
            allowed: view::allowed(entry, machine, state),
        },
        TurnError::Refused(Refused::Broken { promise, .. }) => {
            Failure::Broken { id: id.to_owned(), reason: promise }
        }
        TurnError::Refused(Refused::Denied { state, fact, must_hold }) => {
            let denied = denied(machine.state_name(state), &fact, must_hold);
            match entry.is_law_alone() {
                true => Failure::Rejected(denied),
                false => Failure::Broken { id: id.to_owned(), reason: denied.message.to_string() },
            }
        }
        TurnError::Rejected(rejected) => Failure::Rejected(rejected),
        TurnError::Broken(reason) => Failure::Broken { id: id.to_owned(), reason },
    }
}

/// Refuses an empty name, under which the store keeps records that belong to no learner.
pub fn check_learner(name: &str) -> Result<(), Failure> {
    if name.trim().is_empty() {
        return Err(Failure::Rejected(Rejected {
            code: "bad_key",
            message: "the name of the learner is empty".into(),
            cure: "name the learner, or leave the name out to mean `me`".into(),
        }));
    }
    check_key("learner", Some(name))
}

fn check_key(what: &str, text: Option<&str>) -> Result<(), Failure> {
    let Some(text) = text else { return Ok(()) };
    let is_good = (1..=MAX_KEY_CHARS).contains(&text.chars().count())
        && !text.chars().any(|c| c.is_control() || c == '/');
    if is_good {
        return Ok(());
    }
    Err(Failure::Rejected(Rejected {
        code: "bad_key",
        message: format!("the {what} is empty, too long or has characters that cannot be stored").into(),
        cure: format!("use 1 to {MAX_KEY_CHARS} characters, no control characters and no `/`").into(),
    }))
}

fn counted(flow: &str, result: &'static str) {
    metrics::counter!("etude_turns_total", "flow" => flow.to_owned(), "result" => result).increment(1);
}
