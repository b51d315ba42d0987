//! A drill session, driven through `take` as the shell drives it.

use coaching::desk::{Desk, Role};
use coaching::drill::{Drill, LAW, vocabulary};
use coaching::face::Documents;
use coaching::learner::{ITEM_KIND, LearnerItem, Status};
use coaching::pack::Pack;
use coaching::record::Record;
use coaching::turn::{AnyFlow, Flow, Input, Moment, Source, TurnError, Turned, Typed};
use coaching::words::{Lexicon, Text};
use flow::{Facts, Instance, Law, Machine, Overrides};
use serde_json::{Value, json};
use std::sync::LazyLock;

pub const NOW_US: i64 = 1_800_000_000_000_000;
pub const DAY_US: i64 = 86_400_000_000;

pub fn tiny() -> Pack {
    Pack::read(include_bytes!("tiny.yaml"), "tiny.yaml").unwrap()
}

static SHIPPED: LazyLock<Machine> = LazyLock::new(|| machine(LAW));
static LEXICON: LazyLock<Lexicon> = LazyLock::new(|| Lexicon::new(Drill::FACE.words.iter().copied()));

fn machine(law: &str) -> Machine {
    Machine::bind(&Law::read(law).unwrap(), Some(&vocabulary()), &Overrides::new()).unwrap()
}

pub fn in_english(text: &Text) -> String {
    LEXICON.say("en", text)
}

/// A line as the learner reads it, in one language.
#[derive(Debug, Clone, PartialEq)]
pub struct Read {
    pub role: Role,
    pub say: String,
    pub means: Option<String>,
}

pub fn item_record(key: &str, status: Status, usage: u32, due_at_us: i64) -> Record {
    let mut item = LearnerItem::new(NOW_US - 10 * DAY_US);
    item.status = status;
    item.usage = usage;
    item.reviewed_us = Some(NOW_US - 10 * DAY_US);
    item.record(key.to_owned(), Some(due_at_us))
}

pub struct Session {
    flow: Typed<Drill>,
    pub machine: Machine,
    pub at: Instance,
    pub data: String,
    pub last: Turned,
    /// Every record that the turns stored, in order.
    pub records: Vec<Record>,
    pub now_us: i64,
    language: String,
}

impl Session {
    pub fn open(pack: Pack, opening: Value, records: &[Record]) -> Session {
        Session::with_law(pack, LAW, opening, records)
    }

    pub fn with_law(pack: Pack, law: &str, opening: Value, records: &[Record]) -> Session {
        Session::try_open(pack, law, opening, records).unwrap()
    }

    pub fn try_open(pack: Pack, law: &str, opening: Value, records: &[Record]) -> Result<Session, TurnError> {
        let machine = if law == LAW { SHIPPED.clone() } else { machine(law) };
        Session::on(machine, pack, opening, records)
    }

    pub fn on(
        machine: Machine,
        pack: Pack,
        opening: Value,
        records: &[Record],
    ) -> Result<Session, TurnError> {
        let flow = Typed(Drill::new([pack]));
        let moment = Moment {
            now_us: NOW_US,
            seed: 7,
            learner: "ada",
            records,
            documents: &Documents::default(),
            dues: &[],
            edition: None,
        };
        let last = flow.open(&machine, &opening, moment)?;
        let (at, data, records) = (last.at, last.data.clone(), last.records.clone());
        let language = flow.desk(&machine, &at, &data).unwrap().language.unwrap();
        Ok(Session { flow, machine, at, data, last, records, now_us: NOW_US, language })
    }

    /// Continues under another law, in the same state with the same counters.
    pub fn go_over(&mut self, machine: Machine) {
        let counters: Vec<(String, u32)> =
            self.machine.counter_names().map(|name| (name.to_owned(), self.counter(name))).collect();
        let state = machine.state_named(self.state()).unwrap();
        self.at = Instance { state, counters: Default::default() };
        for (slot, name) in self.at.counters.iter_mut().zip(machine.counter_names()) {
            *slot = counters.iter().find(|(known, _)| known == name).map_or(0, |(_, value)| *value);
        }
        self.machine = machine;
    }

    pub fn send(&mut self, event: &str, payload: Value) -> Result<&Turned, TurnError> {
        self.now_us += 1_000_000;
        self.last = self.judged(event, payload)?;
        self.at = self.last.at;
        self.data = self.last.data.clone();
        self.records.extend(self.last.records.iter().cloned());
        Ok(&self.last)
    }

    /// Judges an event without applying its turn.
    fn judged(&self, event: &str, payload: Value) -> Result<Turned, TurnError> {
        let moment = Moment {
            now_us: self.now_us,
            seed: self.now_us as u64 / 7,
            learner: "ada",
            records: &[],
            documents: &Documents::default(),
            dues: &[],
            edition: None,
        };
        let event = self.machine.event_named(event).unwrap();
        let input = Input { event, payload, facts: Facts::default(), source: Source::User };
        self.flow.take(&self.machine, &self.at, &self.data, input, moment)
    }

    /// Takes one step of a script: an event, or after a quotation mark the learner's words.
    pub fn step(&mut self, step: &str) {
        let sent = match step.strip_prefix('"') {
            Some(text) => self.send("asr_result", json!({"text": text})),
            None => self.send(step, json!({})),
        };
        sent.unwrap_or_else(|error| panic!("{step}: {error:?}"));
    }

    pub fn steps(&mut self, steps: &[&str]) {
        steps.iter().for_each(|step| self.step(step));
    }

    pub fn state(&self) -> &str {
        self.machine.state_name(self.at.state)
    }

    pub fn is_over(&self) -> bool {
        self.machine.is_final(self.at.state)
    }

    pub fn counter(&self, name: &str) -> u32 {
        self.at.counters[self.machine.counter_names().position(|known| known == name).unwrap()]
    }

    pub fn data(&self) -> Value {
        serde_json::from_str(&self.data).unwrap()
    }

    pub fn view(&self) -> Value {
        self.flow.more(&self.machine, &self.at, &self.data)
    }

    /// The desk in English.
    pub fn desk(&self) -> Desk {
        let mut desk = self.flow.desk(&self.machine, &self.at, &self.data).unwrap();
        LEXICON.translate("en", &mut desk);
        desk
    }

    pub fn promise_broken(&self) -> Option<String> {
        match self.judged("leave", Value::Null) {
            Err(TurnError::Broken(reason)) => Some(reason),
            _ => None,
        }
    }

    pub fn target(&self) -> Option<String> {
        self.data()["target"]["id"].as_str().map(str::to_owned)
    }

    pub fn queue(&self) -> Vec<String> {
        ids(&self.data()["queue"])
    }

    pub fn pool(&self) -> Vec<String> {
        ids(&self.data()["pool"])
    }

    /// The last turn's lines, in the drill's preferred language.
    pub fn lines(&self) -> Vec<Read> {
        let language = LEXICON.choose([self.language.as_str()]);
        let said = self.last.said.iter();
        said.map(|line| Read {
            role: line.role,
            say: LEXICON.say(language, &line.say),
            means: line.means.as_ref().map(|means| LEXICON.say(language, means)),
        })
        .collect()
    }

    /// The last turn's lines of a role.
    pub fn said(&self, role: Role) -> Vec<Read> {
        self.lines().into_iter().filter(|line| line.role == role).collect()
    }

    /// The roles of the last turn's lines, by name.
    pub fn roles(&self) -> Vec<String> {
        let name = |role: Role| json!(role).as_str().unwrap().to_owned();
        self.last.said.iter().map(|line| name(line.role)).collect()
    }

    /// The latest record of an item.
    pub fn remembered(&self, key: &str) -> Option<(LearnerItem, Option<i64>)> {
        let mut of_item =
            self.records.iter().rev().filter(|record| record.kind == ITEM_KIND && record.key == key);
        let record = of_item.next()?;
        Some((serde_json::from_value(record.body.clone().unwrap()).unwrap(), record.due_at_us))
    }
}

pub fn ids(list: &Value) -> Vec<String> {
    list.as_array().unwrap().iter().map(|entry| entry["id"].as_str().unwrap().to_owned()).collect()
}
