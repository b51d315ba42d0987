//! A course with its reviews, and all that they store.

use coaching::ask::{MODEL_KIND, ModelAnswer, ModelResult};
use coaching::curriculum::Curriculum;
use coaching::desk::Line;
use coaching::face::Documents;
use coaching::record::Record;
use coaching::teach::{Course, Review};
use coaching::turn::{AnyFlow, Flow, Input, Moment, SEND_KIND, Source, TurnError, Turned, Typed};
use flow::{Facts, Instance, Law, Machine, Overrides};
use serde_json::{Value, json};
use std::collections::BTreeMap;

pub const MAP: &str = "00000000-0000-0000-0000-0000000000aa";
const LETTERS: &str = include_str!("../../src/teach/scenarios/curricula/three-letters.yaml");

pub fn letters() -> Curriculum {
    Curriculum::read(LETTERS.as_bytes(), "three-letters.yaml").expect("the curriculum is sound")
}

/// A flow, its state and its data.
pub struct Seat {
    pub flow: Box<dyn AnyFlow>,
    pub machine: Machine,
    pub at: Instance,
    pub data: String,
    pub outcome: Option<String>,
}

impl Seat {
    pub fn more(&self) -> Value {
        self.flow.more(&self.machine, &self.at, &self.data)
    }
}

pub struct Class {
    pub course: Seat,
    pub review: Option<Seat>,
    pub records: BTreeMap<(String, String), Record>,
    pub now_us: i64,
    seed: u64,
    /// The model's answers; without one, every ask fails.
    pub model: fn(&Value) -> Option<Value>,
    pub said: Vec<Line>,
    pub set: Overrides,
}

/// The law of a flow with some constants changed; constants of other laws are left out.
pub fn machine<F: Flow>(set: &Overrides) -> Machine {
    let law = Law::read(F::FACE.law).expect("the law is read");
    let bind =
        |set: &Overrides| Machine::bind(&law, Some(&(F::FACE.vocabulary)()), set).expect("the law is bound");
    let known = bind(&Overrides::new());
    let own = set.iter().filter(|(name, _)| known.constant(name).is_some());
    bind(&own.map(|(name, number)| (name.clone(), *number)).collect())
}

fn seat<F: Flow>(flow: F, set: &Overrides) -> Seat {
    let machine = machine::<F>(set);
    let at = Instance { state: machine.initial(), counters: Default::default() };
    Seat { flow: Box::new(Typed(flow)), machine, at, data: String::new(), outcome: None }
}

impl Class {
    pub fn open(opening: Value) -> Result<Class, TurnError> {
        Class::open_with(opening, &Overrides::new())
    }

    pub fn open_with(mut opening: Value, set: &Overrides) -> Result<Class, TurnError> {
        opening["id"] = json!(MAP);
        let mut class = Class {
            course: seat(Course::new([letters()]), set),
            review: None,
            records: BTreeMap::new(),
            now_us: 1_700_000_000_000_000,
            seed: 1,
            model: |_| None,
            said: Vec::new(),
            set: set.clone(),
        };
        let (records, documents) = class.known();
        let moment = moment(&records, &documents, class.now_us, class.seed);
        let turned = class.course.flow.open(&class.course.machine, &opening, moment)?;
        class.taken(true, turned);
        Ok(class)
    }

    pub fn tell(&mut self, event: &str, payload: Value) -> Result<(), TurnError> {
        self.said.clear();
        self.send(true, event, payload, Source::User)
    }

    pub fn say(&mut self, text: &str) {
        self.tell("answered", json!({"text": text})).expect("the answer is taken");
    }

    pub fn sit(&mut self, opening: Value) -> Result<(), TurnError> {
        self.said.clear();
        let mut opening = opening;
        opening["id"] = json!(format!("{MAP}.review-1"));
        let review = seat(Review::new([letters()]), &self.set);
        let (records, documents) = self.known();
        let moment = moment(&records, &documents, self.now_us, self.next_seed());
        let turned = review.flow.open(&review.machine, &opening, moment)?;
        self.review = Some(review);
        self.taken(false, turned);
        Ok(())
    }

    pub fn recall(&mut self, event: &str, payload: Value) -> Result<(), TurnError> {
        self.said.clear();
        self.send(false, event, payload, Source::User)
    }

    pub fn sleep(&mut self, days: f64) {
        self.now_us += (days * 86_400_000_000.0) as i64;
    }

    fn next_seed(&mut self) -> u64 {
        self.seed += 1;
        self.seed
    }

    fn send(
        &mut self,
        is_course: bool,
        event: &str,
        payload: Value,
        source: Source,
    ) -> Result<(), TurnError> {
        let seed = self.next_seed();
        let (records, documents) = self.known();
        let moment = moment(&records, &documents, self.now_us, seed);
        let seat = if is_course { &self.course } else { self.review.as_ref().expect("a review is open") };
        let event = seat.machine.event_named(event).expect("the law knows the event");
        let input = Input { event, payload, facts: Facts::default(), source };
        let turned = seat.flow.take(&seat.machine, &seat.at, &seat.data, input, moment)?;
        self.taken(is_course, turned);
        Ok(())
    }

    /// Stores the outcome of a turn and performs its effects.
    fn taken(&mut self, is_course: bool, turned: Turned) {
        let seat = if is_course { &mut self.course } else { self.review.as_mut().expect("a review is open") };
        (seat.at, seat.data) = (turned.at, turned.data);
        seat.outcome = turned.outcome.or(seat.outcome.take());
        self.said.extend(turned.said);
        for record in turned.records {
            let key = (record.kind.clone(), record.key.clone());
            match record.body {
                Some(_) => drop(self.records.insert(key, record)),
                None => drop(self.records.remove(&key)),
            }
        }
        for effect in turned.effects {
            match effect.kind.as_str() {
                MODEL_KIND => self.answer_as_model(is_course, &effect.payload),
                SEND_KIND => {
                    let (event, payload) =
                        (effect.payload["event"].as_str().unwrap(), effect.payload["payload"].clone());
                    // The course may refuse the event.
                    drop(self.send(true, event, payload, Source::System));
                }
                other => panic!("nothing performs {other}"),
            }
        }
    }

    fn answer_as_model(&mut self, is_course: bool, ask: &Value) {
        let result = match (self.model)(ask) {
            Some(reply) => ModelResult::Reply(reply),
            None => ModelResult::Failed("there is none".to_owned()),
        };
        let answer = ModelAnswer { ask: ask["number"].as_u64().unwrap(), result };
        let event = ask["answered_by"].as_str().unwrap().to_owned();
        self.send(is_course, &event, answer.payload(), Source::Model).expect("the model's answer is taken");
    }

    fn known(&self) -> (Vec<Record>, Documents) {
        let records: Vec<Record> = self
            .records
            .values()
            .filter(|record| record.scope == MAP || record.kind == "profile")
            .cloned()
            .collect();
        let mut documents = Documents::default();
        for document in Course::FACE.needs.documents {
            let Some(key) = (document.key)(&records) else { continue };
            let Some(record) = self.records.get(&(document.kind.to_owned(), key)) else { continue };
            let source = record.body.as_ref().unwrap().to_string();
            documents.0.push((document.name, (document.read)(&source).expect("the document is read")));
        }
        (records, documents)
    }
}

fn moment<'a>(records: &'a [Record], documents: &'a Documents, now_us: i64, seed: u64) -> Moment<'a> {
    Moment { now_us, seed, learner: "learner", records, documents, dues: &[], edition: None }
}
