//! The voice: what is understood, when it stops, and that no turn knows of another.

use coaching::ask::{MODEL_KIND, ModelAsk};
use coaching::face::Documents;
use coaching::turn::{AnyFlow, Flow, Input, Moment, Source, Turned, Typed};
use coaching::voice::intent::{Intent, Topic, stop_word};
use coaching::voice::{KNOWLEDGE_KIND, VoiceLoop, vocabulary, words};
use coaching::words::{Lexicon, problems};
use flow::{Bounds, Facts, Law, Machine, Overrides, check};
use proptest::prelude::*;
use serde_json::{Value, json};

#[test]
fn the_law_is_proved_with_these_names() {
    let law = Law::read(VoiceLoop::FACE.law).unwrap();
    let report = check(&law, Some(&vocabulary()), &Overrides::new(), Bounds::default()).unwrap();
    assert!(report.complete && report.is_clean(), "{:#?}", report.problems);
}

#[test]
fn every_language_has_every_sentence() {
    assert_eq!(problems(words::FILES, &[words::KEYS, words::REFUSALS].concat()), Vec::<String>::new());
}

/// Text, language, kind, confidence.
const INTENTS: &[(&str, &str, &str, f64)] = &[
    ("hello", "en", "greeting", 0.95),
    ("hi there", "en", "greeting", 0.95),
    ("HELLO THERE", "en", "greeting", 0.95),
    ("good morning", "en", "greeting", 0.95),
    ("hello, coach", "en", "greeting", 0.95),
    ("hello once more", "en", "greeting", 0.95),
    ("what time is it", "en", "question", 0.85),
    ("what's the weather", "en", "question", 0.85),
    ("whats the weather", "en", "question", 0.85),
    ("what's the weather?", "en", "question", 1.0),
    ("why is the sky blue?", "en", "question", 1.0),
    ("hello, what is due today", "en", "question", 0.85),
    ("play some music", "en", "command", 0.75),
    ("stop that", "en", "command", 0.75),
    ("tell me a joke", "en", "command", 0.75),
    ("please start a drill", "en", "command", 0.75),
    ("this is just random text", "en", "unknown", 0.10),
    ("goodbye", "en", "unknown", 0.10),
    ("Guten Morgen", "de", "greeting", 0.95),
    ("Hallo zusammen", "de", "greeting", 0.95),
    ("wie spät ist es", "de", "question", 0.85),
    ("Was bedeutet Kaffee?", "de", "question", 1.0),
    ("wiederhole das bitte", "de", "command", 0.75),
    ("Erzähl mir einen Witz", "de", "command", 0.75),
    ("irgendein Text ohne Sinn", "de", "unknown", 0.10),
    ("Buenos días", "es", "greeting", 0.95),
    ("¿Qué hora es?", "es", "question", 1.0),
    ("Bonjour tout le monde", "fr", "greeting", 0.95),
    ("quelle heure est-il", "fr", "question", 0.85),
];

#[test]
fn utterances_are_understood() {
    for (text, language, kind, confidence) in INTENTS {
        let intent = Intent::parse(text, language).unwrap();
        assert_eq!((intent.kind.as_str(), intent.confidence), (*kind, *confidence), "{text}");
    }
    for blank in ["", "  ", "?!", "…"] {
        assert_eq!(Intent::parse(blank, "en").unwrap_err().code, "nothing_said", "{blank:?}");
    }
}

#[test]
fn a_coach_knows_what_it_is_asked_about() {
    let check = |text: &str, language: &str, topic: Option<Topic>, about: Option<&str>| {
        let intent = Intent::parse(text, language).unwrap();
        assert_eq!((intent.topic, intent.about.as_deref()), (topic, about), "{text}");
    };
    check("what does Danke mean?", "en", Some(Topic::Define), Some("Danke"));
    check("how do you say good morning in German", "en", Some(Topic::Define), Some("good morning"));
    check("what is due today", "en", Some(Topic::Due), None);
    check("how far am I", "en", Some(Topic::Progress), None);
    check("what time is it", "en", Some(Topic::Time), None);
    check("start a drill", "en", Some(Topic::Start), None);
    check("say that again please", "en", Some(Topic::Repeat), None);
    check("slow down", "en", Some(Topic::Slower), None);
    check("Was heißt das Wort Kaffee bitte", "de", Some(Topic::Define), Some("Kaffee"));
    check("Was ist heute fällig?", "de", Some(Topic::Due), None);
    check("noch einmal bitte", "de", Some(Topic::Repeat), None);
    check("why is the sky blue?", "en", None, None);
}

const LAW_STOPS: &str = "stop, goodbye, quit, exit";

#[test]
fn stop_words_are_whole_words() {
    let check = |text: &str, language: &str, word: Option<&str>| {
        assert_eq!(stop_word(text, LAW_STOPS, language).as_deref(), word, "{text}");
    };
    check("goodbye", "en", Some("goodbye"));
    check("Please STOP now.", "en", Some("stop"));
    check("I want to quit smoking", "en", Some("quit"));
    check("tell me about nonstop flights", "en", None);
    check("That is quite nice", "en", None);
    check("where is the exit?", "en", Some("exit"));
    check("please don't stop", "en", None);
    check("don't stop. Now stop", "en", Some("stop"));
    check("bye bye", "en", Some("bye"));
    check("Tschüss!", "de", Some("tschüss"));
    check("Hör auf!", "de", Some("hör auf"));
    check("das ist halt so, wie es in diesem Land eben ist", "de", None);
}

/// A run on the real law.
struct Run {
    flow: Typed<VoiceLoop>,
    machine: Machine,
    last: Turned,
}

impl Run {
    fn open(opening: &Value) -> Run {
        let law = Law::read(VoiceLoop::FACE.law).unwrap();
        let machine = Machine::bind(&law, Some(&vocabulary()), &Overrides::new()).unwrap();
        let flow = Typed(VoiceLoop::new([]));
        let last = flow.open(&machine, opening, moment(&Documents::default())).unwrap();
        Run { flow, machine, last }
    }

    fn send(&mut self, event: &str, payload: Value) -> &Turned {
        let event = self.machine.event_named(event).unwrap();
        let input = Input { event, payload, facts: Facts::default(), source: Source::System };
        let documents = Documents::default();
        self.last =
            self.flow.take(&self.machine, &self.last.at, &self.last.data, input, moment(&documents)).unwrap();
        &self.last
    }

    /// One turn in sound, up to what is asked of the outside.
    fn hear(&mut self, text: &str) -> Vec<Value> {
        self.send("wake", Value::Null);
        self.send("recorded", json!({"samples": 16_000}));
        let turned = self.send("transcribed", json!({"text": text}));
        turned.effects.iter().map(|effect| json!({"kind": effect.kind, "payload": effect.payload})).collect()
    }

    fn outcome(&self) -> Option<&str> {
        self.last.outcome.as_deref()
    }

    fn state(&self) -> &str {
        self.machine.state_name(self.last.at.state)
    }

    /// Brings the turn to its end, whatever it waits for.
    fn finish(&mut self) {
        if self.state() == "ANSWER" {
            self.send("answered", json!({"text": "That is nice"}));
        }
        self.send("spoken", Value::Null);
    }

    fn more(&self) -> Value {
        self.flow.more(&self.machine, &self.last.at, &self.last.data)
    }
}

fn moment(documents: &Documents) -> Moment<'_> {
    Moment { now_us: 0, seed: 1, learner: "me", records: &[], documents, dues: &[], edition: None }
}

#[test]
fn the_loop_stops_for_a_reason() {
    /// What the learner says in each turn and what is answered from outside, the outcome and the number of turns.
    type Talk<'r> = (&'r [(&'r str, &'r str)], Option<&'r str>, u64);
    let runs: &[Talk] = &[
        (&[("goodbye", "anything")], Some("user"), 1),
        (&[("please stop now", "ok")], Some("user"), 1),
        (&[("tell me about nonstop flights", "That is quite nice")], None, 1),
        (&[("hello", "Thanks for chatting! Goodbye!")], Some("model"), 1),
        (&[("hello there", "a"), ("hello again", "b"), ("hello once more", "c")], Some("cap"), 3),
        (&[("hello there", "a"), ("goodbye", "b")], Some("user"), 2),
        (&[("", ""), ("", ""), ("", "")], Some("cap"), 3),
    ];
    for (turns, outcome, count) in runs {
        let mut run = Run::open(&json!({"voice": true, "answers_outside": true}));
        for (said, answered) in *turns {
            run.hear(said);
            if run.state() == "ANSWER" {
                run.send("answered", json!({"text": answered}));
            }
            run.send("spoken", Value::Null);
        }
        assert_eq!((run.outcome(), run.more()["turn"].as_u64()), (*outcome, Some(*count)), "{turns:?}");
        assert_eq!(run.more()["reason"].is_null(), outcome.is_none(), "{turns:?}");
    }
}

#[test]
fn the_first_error_ends_the_loop_and_is_said_once() {
    let mut run = Run::open(&json!({"voice": true}));
    run.send("wake", Value::Null);
    let said = run.send("failed", json!({"reason": "the microphone was unplugged"})).said.len();
    assert_eq!(said, 1);
    run.send("spoken", Value::Null);
    let lexicon = Lexicon::new(words::FILES.iter().copied());
    let reason = serde_json::from_value(run.more()["reason"].clone()).unwrap();
    assert_eq!(
        (run.outcome(), lexicon.say("en", &reason).as_str()),
        (Some("error"), "Error: the microphone was unplugged")
    );
}

#[test]
fn a_model_gets_one_intent_and_its_answer_is_checked() {
    let mut run = Run::open(&json!({"voice": true, "model": true}));
    let asked = run.hear("why is the sky blue?");
    assert_eq!(asked[0]["kind"], MODEL_KIND);
    let ask: ModelAsk = serde_json::from_value(asked[0]["payload"].clone()).unwrap();
    let reply = json!({"model": {"ask": ask.number, "reply": {"answer": "Because of scattering. Goodbye!"}}});
    run.send("answered", reply);
    run.send("spoken", Value::Null);
    assert_eq!(run.outcome(), Some("model"));
}

proptest! {
    /// Two runs that differ only in what was said before ask the outside the same, and keep the same.
    #[test]
    fn no_turn_knows_of_another(earlier in prop::collection::vec("\\PC{0,40}", 2), others in prop::collection::vec("[a-z ]{0,40}", 2)) {
        let is_stop = |text: &String| stop_word(text, LAW_STOPS, "en").is_some();
        prop_assume!(!earlier.iter().chain(&others).any(is_stop));
        let later = |said: &[String]| {
            let mut run = Run::open(&json!({"voice": true, "model": true}));
            for text in said {
                run.hear(text);
                if run.last.effects.iter().any(|effect| effect.kind == KNOWLEDGE_KIND) {
                    run.send("known", json!({"knowledge": {
                        "now_us": 0, "time": "9:00", "weekday": 1, "day": 1, "month": 1, "subjects": [],
                    }}));
                }
                run.finish();
            }
            let asked = run.hear("why is the sea salty");
            (asked, run.last.data.clone())
        };
        prop_assert_eq!(later(&earlier), later(&others));
    }
}
