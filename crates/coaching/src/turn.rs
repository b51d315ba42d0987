//! One turn of a flow, as a pure function from an event to everything that follows from it.
//!
//! The law decides what happens next; the flow's handlers compute what the law asks for. An answer that a handler
//! has at once becomes the next event of the same turn, so without a model a whole turn is one decision. Work for
//! the outside world leaves as an effect, and its result comes back later as an event.

use crate::ask::{MODEL_KIND, ModelAsk};
use crate::desk::{Desk, Line, Offer, Role};
use crate::face::{Documents, Face, Verb, Who};
use crate::judging::Exam;
use crate::look::{Shelf, Unseen};
use crate::record::Record;
use crate::rejected::Rejected;
use crate::words::Text;
use flow::{ActionId, Constant, EventId, Facts, Instance, Machine, Name, Refused};
use schemars::JsonSchema;
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value, json};
use std::collections::{HashMap, VecDeque};
use std::marker::PhantomData;

/// The most events one turn may raise by itself. A proved law needs a handful.
const MAX_RAISED: usize = 64;

/// The kind of effect that sends an event to another flow of the same learner: `{to, event, payload}`.
pub const SEND_KIND: &str = "send";

/// The time, the learner and the stored data of a turn. Handlers read no clock and draw no random numbers: time and
/// chance are arguments.
#[derive(Debug, Clone, Copy)]
pub struct Moment<'a> {
    pub now_us: i64,
    pub seed: u64,
    pub learner: &'a str,
    /// The learner's records, of the kinds that the flow reads.
    pub records: &'a [Record],
    /// The documents that the flow shares with flows beside it.
    pub documents: &'a Documents,
    /// The due times of records of other scopes, in microseconds, with how many come due at each. The flow's face
    /// names their kind.
    pub dues: &'a [(i64, u32)],
    /// The edition of `records`, for a flow that counts them; see [`Stage::remember_over`].
    pub edition: Option<u64>,
}

/// The edition that a change of records is based on, and the one after it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Edition {
    pub seen: u64,
    pub next: u64,
}

impl Edition {
    /// Returns the edition after `seen`. The clock makes it new: no earlier edition has its number, even if the
    /// records were deleted and started over.
    pub fn after(seen: u64, now_us: i64) -> Edition {
        Edition { seen, next: (seen + 1).max(u64::try_from(now_us).unwrap_or(0)) }
    }
}

/// The cause of an event.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum Source {
    User,
    Model,
    Rules,
    Timer,
    System,
}

impl Source {
    pub fn as_str(self) -> &'static str {
        match self {
            Source::User => "user",
            Source::Model => "model",
            Source::Rules => "rules",
            Source::Timer => "timer",
            Source::System => "system",
        }
    }
}

/// An event with its payload and its source.
#[derive(Debug, Clone)]
pub struct Input {
    pub event: EventId,
    pub payload: Value,
    /// Answers to facts, for flows that leave them to the sender of an event.
    pub facts: Facts,
    pub source: Source,
}

/// A job for the outside world.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Effect {
    pub kind: String,
    pub payload: Value,
}

/// One transition, as the log keeps it.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Taken {
    pub event: String,
    pub source: Source,
    pub payload: Value,
    pub facts: Vec<String>,
    pub from: String,
    pub to: String,
    pub entered: Vec<String>,
    pub actions: Vec<String>,
    /// The changed counters by name, each with its values before and after.
    pub changes: Map<String, Value>,
    pub outcome: Option<String>,
}

/// The result of a turn. All of it is stored together or not at all.
#[derive(Debug, Clone)]
pub struct Turned {
    pub at: Instance,
    pub data: String,
    pub taken: Vec<Taken>,
    pub effects: Vec<Effect>,
    pub records: Vec<Record>,
    /// The edition that the changes of `records` are based on. They are valid for no other.
    pub edition: Option<Edition>,
    pub said: Vec<Line>,
    pub outcome: Option<String>,
    /// Whether silence counts from here on.
    pub is_timed: bool,
}

/// The reason why a turn did not happen. Nothing has changed.
#[derive(Debug, Clone)]
pub enum TurnError {
    /// The law does not take this event now.
    Refused(Refused),
    /// The law takes the event, but a handler rejects it, mostly for its payload.
    Rejected(Rejected),
    /// The stored data cannot be read, or a promise of the law is broken.
    Broken(String),
}

/// A flow whose names and data are Rust types.
pub trait Flow: Send + Sync + 'static {
    type Action: Name;
    type Event: Name;
    type Fact: Name;
    type Data: Serialize + DeserializeOwned;
    type More: Serialize + JsonSchema;
    const FACE: Face;
    /// The actions by which the law refuses a verb because of where the flow stands. Such a verb is not offered.
    /// Actions that refuse a payload are not among them.
    const REFUSALS: &'static [Self::Action] = &[];

    /// Makes the data of a new flow from its opening.
    fn open(&self, opening: &Value, machine: &Machine, stage: &mut Stage<'_>)
    -> Result<Self::Data, Rejected>;
    /// Takes the payload of an event into the data, before the law decides.
    fn hear(
        &self,
        data: &mut Self::Data,
        event: Self::Event,
        payload: &Value,
        stage: &mut Stage<'_>,
    ) -> Result<(), Rejected>;
    /// Whether a fact of the law holds.
    fn holds(&self, data: &Self::Data, fact: Self::Fact) -> bool;
    /// Performs an action of the law.
    fn act(&self, data: &mut Self::Data, action: Self::Action, at: &At<'_>, stage: &mut Stage<'_>);
    /// Notes the state that the law has reached, after every step and its actions. Returns an error if the flow
    /// must not be there.
    fn arrive(&self, _data: &mut Self::Data, _at: &At<'_>, _stage: &mut Stage<'_>) -> Result<(), String> {
        Ok(())
    }
    /// Returns the event that follows by itself once all actions are done: a line of text, for example, needs no
    /// playback.
    fn settled(&self, data: &Self::Data, at: &At<'_>) -> Option<Self::Event>;
    /// Returns the learner's desk, without the verbs.
    fn desk(&self, data: &Self::Data, at: &At<'_>) -> Desk;
    /// Returns the flow's own view, for surfaces that want more than the desk.
    fn more(&self, data: &Self::Data, at: &At<'_>) -> Self::More;
    /// Whether silence counts. If not, no timer of silence runs.
    fn is_timed(&self, _data: &Self::Data) -> bool {
        true
    }
    /// Whether a verb makes sense now, beyond what the law takes and does not refuse.
    fn offers(&self, _data: &Self::Data, _verb: &Verb) -> bool {
        true
    }
    /// Returns the exam that a program for one of the flow's problems has to pass. It is asked for when a run is
    /// performed, and never stored.
    fn exam(&self, _problem: &str, _source: &str) -> Option<Exam> {
        None
    }
    /// Answers a look of the face by its name. `id` is the flow that the look is about, if it is about one.
    fn look(&self, _look: &str, _id: &str, _given: &Value, _shelf: &Shelf) -> Result<Value, Unseen> {
        Ok(Value::Null)
    }
}

/// The position of a flow in its law while a handler runs.
#[derive(Debug, Clone, Copy)]
pub struct At<'a> {
    pub machine: &'a Machine,
    pub instance: &'a Instance,
}

impl At<'_> {
    pub fn state(&self) -> &str {
        self.machine.state_name(self.instance.state)
    }

    pub fn counter(&self, name: &str) -> u32 {
        let at = self.machine.counter_names().position(|known| known == name);
        at.map_or(0, |at| self.instance.counters[at])
    }

    /// Returns a whole-number constant of the law.
    pub fn number(&self, name: &str) -> Option<u32> {
        match self.machine.constant(name)? {
            Constant::Number(number) => u32::try_from(*number).ok(),
            _ => None,
        }
    }

    /// Returns an attribute of the present state.
    pub fn attribute(&self, name: &str) -> Option<&str> {
        self.machine.attribute(self.instance.state, name)
    }

    /// Returns an attribute whose values the flow's code knows by name; `None` for a value that it does not know.
    pub fn attribute_as<N: Name>(&self, name: &str) -> Option<N> {
        self.attribute(name).and_then(N::named)
    }

    pub fn is_final(&self) -> bool {
        self.machine.is_final(self.instance.state)
    }

    /// Returns the outcome of an ended flow: the only one that its final state allows, or the first of several.
    pub fn outcome(&self) -> Option<&str> {
        let outcomes = self.machine.outcomes(self.instance.state);
        outcomes.first().filter(|_| self.is_final()).map(|outcome| self.machine.outcome_name(*outcome))
    }

    pub fn takes(&self, event: &str) -> bool {
        self.machine.allowed(self.instance.state).any(|allowed| self.machine.event_name(allowed) == event)
    }
}

/// The consequences of a turn, collected while its handlers run.
#[derive(Debug)]
pub struct Stage<'a> {
    pub moment: Moment<'a>,
    /// The law of this turn. A flow may have been opened under an earlier law, with other numbers.
    pub law: &'a Machine,
    raised: VecDeque<(String, Value, Source)>,
    said: Vec<Line>,
    effects: Vec<Effect>,
    records: Vec<Record>,
    edition: Option<Edition>,
    refused: Option<Rejected>,
    /// The index of each record in `records`, by kind and key.
    places: HashMap<(String, String), usize>,
}

impl<'a> Stage<'a> {
    fn new(moment: Moment<'a>, law: &'a Machine) -> Stage<'a> {
        Stage {
            moment,
            law,
            raised: VecDeque::new(),
            said: Vec::new(),
            effects: Vec::new(),
            records: Vec::new(),
            edition: None,
            refused: None,
            places: HashMap::new(),
        }
    }

    pub fn say(&mut self, line: Line) {
        self.said.push(line);
    }

    /// Says a sentence of the coach's own, or a text as it is.
    pub fn tell(&mut self, role: Role, text: impl Into<Text>) {
        self.say(Line::new(role, text));
    }

    /// Adds an event to this turn. It follows the events that were raised before it.
    pub fn raise<E: Name>(&mut self, event: E, payload: Value) {
        self.raised.push_back((event.name().to_owned(), payload, Source::Rules));
    }

    /// Requests a job from the outside world. Its result comes back as an event.
    pub fn ask(&mut self, kind: &str, payload: Value) {
        self.effects.push(Effect { kind: kind.to_owned(), payload });
    }

    /// Asks a model a question.
    pub fn ask_model(&mut self, ask: &ModelAsk) {
        self.ask(MODEL_KIND, json!(ask));
    }

    /// Changes a record about the learner. Of several changes to the same record, the last one counts.
    pub fn remember(&mut self, record: Record) {
        let place =
            self.places.entry((record.kind.clone(), record.key.clone())).or_insert(self.records.len());
        match self.records.get_mut(*place) {
            Some(known) => *known = record,
            None => self.records.push(record),
        }
    }

    /// Changes a record, for a flow that keeps what it has read: the change is refused if the records have changed
    /// since the edition `seen`. The flow then decides again, with the present records. Moves `seen` to the new
    /// edition.
    pub fn remember_over(&mut self, seen: &mut u64, record: Record) {
        let edition = *self.edition.get_or_insert_with(|| Edition::after(*seen, self.moment.now_us));
        *seen = edition.next;
        self.remember(record);
    }

    /// Returns the present edition of the records if it is not the one that was `seen` and this turn has changed
    /// nothing so far.
    pub fn news(&self, seen: u64) -> Option<u64> {
        self.moment.edition.filter(|edition| self.edition.is_none() && *edition != seen)
    }

    /// Refuses the whole turn, for an action by which the law says no. Nothing of the turn happens.
    pub fn refuse(&mut self, rejected: Rejected) {
        self.refused = Some(rejected);
    }

    /// Deletes a record.
    pub fn forget(&mut self, kind: &str, key: String) {
        self.remember(Record { kind: kind.to_owned(), key, ..Record::default() });
    }
}

/// A flow as the shell holds it, with its types erased.
pub trait AnyFlow: Send + Sync {
    fn open(&self, machine: &Machine, opening: &Value, moment: Moment<'_>) -> Result<Turned, TurnError>;
    fn take(
        &self,
        machine: &Machine,
        at: &Instance,
        data: &str,
        input: Input,
        moment: Moment<'_>,
    ) -> Result<Turned, TurnError>;
    /// Returns the learner's desk; `None` for a law without Rust of its own.
    fn desk(&self, machine: &Machine, at: &Instance, data: &str) -> Option<Desk>;
    fn more(&self, machine: &Machine, at: &Instance, data: &str) -> Value;
    /// Whether silence counts.
    fn is_timed(&self, _data: &str) -> bool {
        true
    }
    fn exam(&self, problem: &str, source: &str) -> Option<Exam>;
    fn look(&self, look: &str, id: &str, given: &Value, shelf: &Shelf) -> Result<Value, Unseen>;
}

/// The handlers of one turn, typed or not.
trait Handlers {
    /// Returns the first promise of the law that the data breaks where the flow stands.
    fn broken_promise(&self, machine: &Machine, at: &Instance) -> Option<String>;
    fn hear(&mut self, event: EventId, payload: &Value, stage: &mut Stage<'_>) -> Result<(), Rejected>;
    fn facts(&self) -> Facts;
    fn act(&mut self, action: ActionId, at: &At<'_>, stage: &mut Stage<'_>);
    fn arrive(&mut self, at: &At<'_>, stage: &mut Stage<'_>) -> Result<(), String>;
    fn settled(&self, at: &At<'_>) -> Option<String>;
    fn is_timed(&self) -> bool {
        true
    }
    fn data(&self) -> Result<String, TurnError>;
}

/// Begins a flow: enters the initial state and takes the events that this raises.
fn begin(machine: &Machine, handlers: &mut dyn Handlers, mut stage: Stage<'_>) -> Result<Turned, TurnError> {
    let facts = handlers.facts();
    let step = flow::begin(machine, facts).map_err(TurnError::Refused)?;
    let mut taken = Vec::new();
    perform(machine, &step, handlers, &mut stage)?;
    let before = Instance { state: step.to.state, counters: step.to.counters };
    taken.push(record(machine, "opened", Source::System, Value::Null, facts, &before, &step));
    go_on(machine, step, taken, handlers, stage)
}

/// Takes an event and every event that it raises.
fn take(
    machine: &Machine,
    at: &Instance,
    input: Input,
    handlers: &mut dyn Handlers,
    mut stage: Stage<'_>,
) -> Result<Turned, TurnError> {
    if let Some(reason) = handlers.broken_promise(machine, at) {
        return Err(TurnError::Broken(reason));
    }
    let mut taken = Vec::new();
    let step = one(machine, at, input, handlers, &mut stage, &mut taken)?;
    go_on(machine, step, taken, handlers, stage)
}

fn go_on(
    machine: &Machine,
    mut step: flow::Step,
    mut taken: Vec<Taken>,
    handlers: &mut dyn Handlers,
    mut stage: Stage<'_>,
) -> Result<Turned, TurnError> {
    loop {
        let at = At { machine, instance: &step.to };
        let by_itself = || handlers.settled(&at).map(|event| (event, Value::Null, Source::System));
        let Some((event, payload, source)) = stage.raised.pop_front().or_else(by_itself) else { break };
        if taken.len() > MAX_RAISED {
            return Err(TurnError::Broken(format!("one turn raised more than {MAX_RAISED} events")));
        }
        let event = machine.event_named(&event).ok_or_else(|| {
            TurnError::Broken(format!("a handler raised `{event}`, which the law does not know"))
        })?;
        let input = Input { event, payload, facts: handlers.facts(), source };
        let at = step.to;
        step = one(machine, &at, input, handlers, &mut stage, &mut taken)?;
    }
    let outcome = taken.last().and_then(|taken| taken.outcome.clone());
    Ok(Turned {
        at: step.to,
        data: handlers.data()?,
        taken,
        effects: stage.effects,
        records: stage.records,
        edition: stage.edition,
        said: stage.said,
        outcome,
        is_timed: handlers.is_timed(),
    })
}

fn one(
    machine: &Machine,
    at: &Instance,
    input: Input,
    handlers: &mut dyn Handlers,
    stage: &mut Stage<'_>,
    taken: &mut Vec<Taken>,
) -> Result<flow::Step, TurnError> {
    if !machine.allowed(at.state).any(|event| event == input.event) {
        return flow::step(machine, at, input.event, input.facts).map_err(TurnError::Refused);
    }
    handlers.hear(input.event, &input.payload, stage).map_err(TurnError::Rejected)?;
    let facts = Facts(handlers.facts().0 | input.facts.0);
    let step = flow::step(machine, at, input.event, facts).map_err(TurnError::Refused)?;
    perform(machine, &step, handlers, stage)?;
    taken.push(record(
        machine,
        machine.event_name(input.event),
        input.source,
        input.payload,
        facts,
        at,
        &step,
    ));
    Ok(step)
}

fn perform(
    machine: &Machine,
    step: &flow::Step,
    handlers: &mut dyn Handlers,
    stage: &mut Stage<'_>,
) -> Result<(), TurnError> {
    let at = At { machine, instance: &step.to };
    for action in step.actions(machine) {
        handlers.act(action, &at, stage);
    }
    if let Some(rejected) = stage.refused.take() {
        return Err(TurnError::Rejected(rejected));
    }
    handlers.arrive(&at, stage).map_err(TurnError::Broken)
}

fn record(
    machine: &Machine,
    event: &str,
    source: Source,
    payload: Value,
    facts: Facts,
    before: &Instance,
    step: &flow::Step,
) -> Taken {
    let name = |state| machine.state_name(state).to_owned();
    let counters = machine.counter_names().zip(before.counters).zip(step.to.counters);
    let changed = counters.filter(|((_, before), after)| before != after);
    Taken {
        event: event.to_owned(),
        source,
        payload,
        facts: machine
            .fact_names()
            .enumerate()
            .filter(|(at, _)| facts.holds(*at))
            .map(|(_, f)| f.to_owned())
            .collect(),
        from: name(step.from),
        to: name(step.to.state),
        entered: step.entered().map(name).collect(),
        actions: step.actions(machine).map(|action| machine.action_name(action).to_owned()).collect(),
        changes: changed.map(|((name, before), after)| (name.to_owned(), json!([before, after]))).collect(),
        outcome: step.outcome.map(|outcome| machine.outcome_name(outcome).to_owned()),
    }
}

/// A typed flow, wrapped for the shell.
#[derive(Debug)]
pub struct Typed<F>(pub F);

struct TypedHandlers<'f, F: Flow> {
    flow: &'f F,
    data: F::Data,
    _names: PhantomData<(F::Action, F::Event)>,
}

impl<F: Flow> Handlers for TypedHandlers<'_, F> {
    fn broken_promise(&self, machine: &Machine, at: &Instance) -> Option<String> {
        flow::broken_promise(machine, at, self.facts())
    }

    fn hear(&mut self, event: EventId, payload: &Value, stage: &mut Stage<'_>) -> Result<(), Rejected> {
        self.flow.hear(&mut self.data, F::Event::ALL[event.index()], payload, stage)
    }

    fn facts(&self) -> Facts {
        facts(self.flow, &self.data)
    }

    fn act(&mut self, action: ActionId, at: &At<'_>, stage: &mut Stage<'_>) {
        self.flow.act(&mut self.data, F::Action::ALL[action.index()], at, stage);
    }

    fn arrive(&mut self, at: &At<'_>, stage: &mut Stage<'_>) -> Result<(), String> {
        self.flow.arrive(&mut self.data, at, stage)
    }

    fn settled(&self, at: &At<'_>) -> Option<String> {
        self.flow.settled(&self.data, at).map(|event| event.name().to_owned())
    }

    fn is_timed(&self) -> bool {
        self.flow.is_timed(&self.data)
    }

    fn data(&self) -> Result<String, TurnError> {
        serde_json::to_string(&self.data).map_err(|error| TurnError::Broken(error.to_string()))
    }
}

fn read<D: DeserializeOwned>(data: &str) -> Result<D, TurnError> {
    serde_json::from_str(data)
        .map_err(|error| TurnError::Broken(format!("the stored data cannot be read: {error}")))
}

fn facts<F: Flow>(flow: &F, data: &F::Data) -> Facts {
    let facts = F::Fact::ALL.iter().enumerate();
    facts.fold(Facts::default(), |all, (at, fact)| all.with(at, flow.holds(data, *fact)))
}

/// Whether the law would take an event only to refuse it, as things stand.
fn is_refused<F: Flow>(at: &At<'_>, event: &str, facts: Facts) -> bool {
    let Some(event) = at.machine.event_named(event).filter(|_| !F::REFUSALS.is_empty()) else { return false };
    let step = flow::step(at.machine, at.instance, event, facts);
    let refuses = |action: ActionId| F::REFUSALS.contains(&F::Action::ALL[action.index()]);
    step.is_ok_and(|step| step.actions(at.machine).any(refuses))
}

impl<F: Flow> AnyFlow for Typed<F> {
    fn open(&self, machine: &Machine, opening: &Value, moment: Moment<'_>) -> Result<Turned, TurnError> {
        let mut stage = Stage::new(moment, machine);
        let data = self.0.open(opening, machine, &mut stage).map_err(TurnError::Rejected)?;
        begin(machine, &mut TypedHandlers { flow: &self.0, data, _names: PhantomData }, stage)
    }

    fn take(
        &self,
        machine: &Machine,
        at: &Instance,
        data: &str,
        input: Input,
        moment: Moment<'_>,
    ) -> Result<Turned, TurnError> {
        let mut handlers = TypedHandlers { flow: &self.0, data: read(data)?, _names: PhantomData };
        take(machine, at, input, &mut handlers, Stage::new(moment, machine))
    }

    fn desk(&self, machine: &Machine, at: &Instance, data: &str) -> Option<Desk> {
        let (data, at) = (read::<F::Data>(data).ok()?, At { machine, instance: at });
        let facts = if F::REFUSALS.is_empty() { Facts::default() } else { facts(&self.0, &data) };
        let can = |verb: &&Verb| {
            let takes = |event| at.takes(event) && !is_refused::<F>(&at, event, facts);
            verb.who == Who::Learner && verb.event().is_some_and(takes)
        };
        let offered = F::FACE.verbs.iter().filter(can).filter(|verb| self.0.offers(&data, verb));
        let verbs = offered.map(|verb| Offer::of(F::FACE.name, verb.name)).collect();
        Some(Desk { verbs, ..self.0.desk(&data, &at) })
    }

    fn more(&self, machine: &Machine, at: &Instance, data: &str) -> Value {
        let more = |data: F::Data| json!(self.0.more(&data, &At { machine, instance: at }));
        read(data).map_or(Value::Null, more)
    }

    fn is_timed(&self, data: &str) -> bool {
        read(data).map_or(true, |data| self.0.is_timed(&data))
    }

    fn exam(&self, problem: &str, source: &str) -> Option<Exam> {
        self.0.exam(problem, source)
    }

    fn look(&self, look: &str, id: &str, given: &Value, shelf: &Shelf) -> Result<Value, Unseen> {
        self.0.look(look, id, given, shelf)
    }
}

/// A law without Rust of its own. The sender of an event answers its facts, except those that the present state
/// requires: they stay as they were answered when it was entered. If there is no one to ask, as after a timer, all
/// facts stay as they were answered last. Actions leave as effects if a receiver is there to perform them.
#[derive(Debug, Clone, Copy)]
pub struct LawOnly {
    pub delivers: bool,
}

struct LawOnlyHandlers<'m> {
    machine: &'m Machine,
    data: Value,
    facts: Facts,
    delivers: bool,
    /// The last event, by name, with its payload.
    heard: (String, Value),
}

/// The field in which the data of a law without Rust keeps the facts that held last.
pub const FACTS: &str = "facts";

impl Handlers for LawOnlyHandlers<'_> {
    fn broken_promise(&self, machine: &Machine, at: &Instance) -> Option<String> {
        flow::broken_at_rest(machine, at)
    }

    fn hear(&mut self, event: EventId, payload: &Value, _: &mut Stage<'_>) -> Result<(), Rejected> {
        if let (Some(data), Value::Object(changes)) = (self.data.as_object_mut(), payload) {
            data.insert("last".into(), Value::Object(changes.clone()));
        }
        self.heard = (self.machine.event_name(event).to_owned(), payload.clone());
        Ok(())
    }

    fn facts(&self) -> Facts {
        self.facts
    }

    fn act(&mut self, action: ActionId, at: &At<'_>, stage: &mut Stage<'_>) {
        if self.delivers {
            let (event, payload) = &self.heard;
            let counters = at.machine.counter_names().zip(at.instance.counters);
            let counters: Map<String, Value> =
                counters.map(|(name, value)| (name.to_owned(), value.into())).collect();
            let delivery = json!({
                "action": at.machine.action_name(action),
                "flow": at.machine.session(),
                "version": at.machine.version(),
                "learner": stage.moment.learner,
                "state": at.state(),
                "event": event,
                "payload": payload,
                "counters": counters,
                "data": self.data,
            });
            stage.ask("action", delivery);
        }
    }

    fn arrive(&mut self, _: &At<'_>, _: &mut Stage<'_>) -> Result<(), String> {
        Ok(())
    }

    fn settled(&self, _: &At<'_>) -> Option<String> {
        None
    }

    fn data(&self) -> Result<String, TurnError> {
        Ok(self.data.to_string())
    }
}

/// Reads the facts that hold at the opening. A law without facts may be opened with anything in that field.
fn opening_facts(machine: &Machine, opening: &Value) -> Result<Facts, Rejected> {
    let Some(said) = opening.get(FACTS).filter(|_| machine.fact_names().next().is_some()) else {
        return Ok(Facts::default());
    };
    let known = || machine.fact_names().collect::<Vec<_>>().join(", ");
    let unknown = |what: &Value| Rejected {
        code: "unknown_fact",
        message: format!("the law asks no fact {what}").into(),
        cure: format!("list facts that hold, by name: {}", known()).into(),
    };
    let names = said.as_array().ok_or_else(|| unknown(said))?;
    names.iter().try_fold(Facts::default(), |facts, name| {
        let fact = name.as_str().and_then(|name| machine.fact_named(name)).ok_or_else(|| unknown(name))?;
        Ok(facts.with(fact, true))
    })
}

/// Returns the facts that held last. Skips names that the law no longer asks.
fn kept_facts(machine: &Machine, data: &Value) -> Facts {
    let names = data.get(FACTS).and_then(Value::as_array).into_iter().flatten().filter_map(Value::as_str);
    names
        .filter_map(|name| machine.fact_named(name))
        .fold(Facts::default(), |facts, fact| facts.with(fact, true))
}

impl AnyFlow for LawOnly {
    fn open(&self, machine: &Machine, opening: &Value, moment: Moment<'_>) -> Result<Turned, TurnError> {
        let data = match opening {
            Value::Object(_) => opening.clone(),
            _ => json!({}),
        };
        let facts = opening_facts(machine, &data).map_err(TurnError::Rejected)?;
        let heard = ("opened".to_owned(), opening.clone());
        let mut handlers = LawOnlyHandlers { machine, data, facts, delivers: self.delivers, heard };
        begin(machine, &mut handlers, Stage::new(moment, machine))
    }

    fn take(
        &self,
        machine: &Machine,
        at: &Instance,
        data: &str,
        input: Input,
        moment: Moment<'_>,
    ) -> Result<Turned, TurnError> {
        let mut data: Value = read(data)?;
        let said = match input.source {
            Source::Timer | Source::System => input.facts.0 | kept_facts(machine, &data).0,
            _ => input.facts.0,
        };
        let facts = Facts(said | machine.given(at.state).0);
        if let Some(data) = data.as_object_mut().filter(|_| machine.fact_names().next().is_some()) {
            let names = machine.fact_names().enumerate().filter(|(at, _)| facts.holds(*at));
            data.insert(FACTS.into(), names.map(|(_, name)| name).collect());
        }
        let heard = (String::new(), Value::Null);
        let mut handlers = LawOnlyHandlers { machine, data, facts, delivers: self.delivers, heard };
        take(machine, at, input, &mut handlers, Stage::new(moment, machine))
    }

    fn desk(&self, _: &Machine, _: &Instance, _: &str) -> Option<Desk> {
        None
    }

    fn more(&self, _: &Machine, _: &Instance, data: &str) -> Value {
        read(data).unwrap_or(Value::Null)
    }

    fn exam(&self, _: &str, _: &str) -> Option<Exam> {
        None
    }

    fn look(&self, _: &str, _: &str, _: &Value, _: &Shelf) -> Result<Value, Unseen> {
        Ok(Value::Null)
    }
}
