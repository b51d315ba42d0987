//! A session with an agent, driven through `take` as the shell drives it.

use coaching::agent::{AgentCoach, LAW, Playbook, vocabulary};
use coaching::desk::{Desk, Role};
use coaching::face::Documents;
use coaching::turn::{AnyFlow, Flow, Input, Moment, Source, TurnError, Turned, Typed};
use coaching::words::{Lexicon, Text};
use flow::{Facts, Instance, Law, Machine, Overrides};
use serde_json::{Value, json};
use std::sync::LazyLock;

const NOW_US: i64 = 1_800_000_000_000_000;
const MINUTE_US: i64 = 60_000_000;

static LEXICON: LazyLock<Lexicon> = LazyLock::new(|| Lexicon::new(AgentCoach::FACE.words.iter().copied()));

pub fn bound(source: &str, set: &Overrides) -> Machine {
    Machine::bind(&Law::read(source).unwrap(), Some(&vocabulary()), set).unwrap()
}

pub fn in_english(text: &Text) -> String {
    LEXICON.say("en", text)
}

pub struct Session {
    flow: Typed<AgentCoach>,
    machine: Machine,
    at: Instance,
    pub data: String,
    last: Turned,
    now_us: i64,
}

impl Session {
    pub fn new(opening: Value) -> Session {
        Session::on(bound(LAW, &Overrides::new()), opening)
    }

    pub fn on(machine: Machine, opening: Value) -> Session {
        let flow = Typed(AgentCoach::new(Playbook::shipped()));
        let last = flow.open(&machine, &opening, moment(NOW_US, &Documents::default())).unwrap();
        Session { flow, machine, at: last.at, data: last.data.clone(), last, now_us: NOW_US }
    }

    pub fn send(&mut self, event: &str, payload: Value) -> Result<(), TurnError> {
        self.now_us += MINUTE_US;
        self.send_now(event, payload)
    }

    /// Sends an event without advancing the clock.
    pub fn send_now(&mut self, event: &str, payload: Value) -> Result<(), TurnError> {
        let event = self.machine.event_named(event).unwrap();
        let input = Input { event, payload, facts: Facts::default(), source: Source::User };
        let documents = Documents::default();
        let moment = moment(self.now_us, &documents);
        self.last = self.flow.take(&self.machine, &self.at, &self.data, input, moment)?;
        (self.at, self.data) = (self.last.at, self.last.data.clone());
        Ok(())
    }

    pub fn happens(&mut self, event: &str, payload: Value) {
        self.send(event, payload).unwrap_or_else(|error| panic!("{event}: {error:?}"));
    }

    pub fn stops(&mut self, text: &str) {
        self.happens("stopped", json!({"text": text}));
    }

    pub fn state(&self) -> &str {
        self.machine.state_name(self.at.state)
    }

    pub fn outcome(&self) -> Option<&str> {
        self.last.outcome.as_deref()
    }

    /// The last turn's lines of a role, in a language.
    pub fn said_in(&self, language: &str, role: Role) -> Vec<String> {
        let lines = self.last.said.iter().filter(|line| line.role == role);
        lines.map(|line| LEXICON.say(language, &line.say)).collect()
    }

    pub fn said(&self, role: Role) -> Vec<String> {
        self.said_in("en", role)
    }

    /// The view as it goes over the wire in English.
    pub fn view(&self) -> Value {
        let mut view = self.flow.more(&self.machine, &self.at, &self.data);
        LEXICON.translate_json("en", &mut view);
        view
    }

    /// The desk in English.
    pub fn desk(&self) -> Desk {
        let mut desk = self.flow.desk(&self.machine, &self.at, &self.data).unwrap();
        LEXICON.translate("en", &mut desk);
        desk
    }
}

fn moment(now_us: i64, documents: &Documents) -> Moment<'_> {
    Moment { now_us, seed: 7, learner: "claude", records: &[], documents, dues: &[], edition: None }
}
