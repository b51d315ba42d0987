//! Tests of an attempt's face and law; every constant of the law must have an effect.

use coaching::attempt::{Attempt, LAW, vocabulary, words};
use coaching::face::Documents;
use coaching::problems::{Catalogue, Problem};
use coaching::turn::{AnyFlow, Flow, Input, Moment, Source, TurnError, Turned, Typed};
use coaching::words::problems;
use flow::{Bounds, Facts, Law, Machine, Migration, Overrides, check, diff};
use serde_json::{Value, json};

const PATTERNS: &str = include_str!("problems/patterns.yaml");
const PAIR: &str = include_str!("../src/attempt/scenarios/problems/market-pair.yaml");

#[test]
fn every_language_has_every_sentence() {
    let keys = [words::KEYS, words::REFUSALS].concat();
    assert_eq!(problems(Attempt::FACE.words, &keys), Vec::<String>::new());
}

#[test]
fn the_law_is_proved() {
    let law = Law::read(LAW).expect("a law");
    let report =
        check(&law, Some(&vocabulary()), &Overrides::new(), Bounds::default()).expect("names that fit");
    assert!(report.complete && report.problems.is_empty(), "{:?}", report.problems);
}

#[test]
fn attempts_under_way_move_to_this_law() {
    let old = bound(include_str!("laws/attempt-1.2.yaml"), &Overrides::new());
    let difference = diff(&old, &bound(LAW, &Overrides::new()), &Migration::default(), Bounds::default());
    assert!(difference.compatible, "{:#?}", difference.homeless);
}

/// The desk asks the question that the law names, and only states that are passed through ask nothing.
#[test]
fn every_state_that_asks_has_its_question() {
    let machine = bound(LAW, &Overrides::new());
    let mut session = explained(machine.clone());
    for state in machine.states().filter(|state| machine.attribute(*state, "asks").is_some()) {
        session.last.at.state = state;
        let desk = session.flow.desk(&machine, &session.last.at, &session.last.data).expect("a desk");
        // The tree's question exists only while the learner walks the tree.
        let is_asked = desk.ask.is_some() || machine.attribute(state, "asks") == Some("discovery");
        assert!(is_asked, "{}", machine.state_name(state));
    }
    let goes_on = |event| ["told", "suspected_injection"].contains(&machine.event_name(event));
    let waits = |state| machine.allowed(state).next().is_some() && !machine.allowed(state).any(goes_on);
    for state in machine.states().filter(|state| waits(*state)) {
        assert!(machine.attribute(state, "asks").is_some(), "{}", machine.state_name(state));
    }
}

#[test]
fn every_verb_has_a_title_and_help_and_an_event_of_the_law() {
    let law = Law::read(LAW).expect("a law");
    let machine = Machine::bind(&law, Some(&vocabulary()), &Overrides::new()).expect("a machine");
    for verb in Attempt::FACE.verbs {
        for key in [format!("attempt-verb-{}", verb.name), format!("attempt-verb-{}.help", verb.name)] {
            assert!(words::KEYS.iter().any(|(known, _)| *known == key), "{key}");
        }
        assert!(verb.event().is_none_or(|event| machine.event_named(event).is_some()), "{}", verb.name);
        assert!(verb.http.is_none() || verb.replies.is_some(), "{} has no answer of its own", verb.name);
    }
}

fn bound(source: &str, set: &Overrides) -> Machine {
    Machine::bind(&Law::read(source).expect("a law"), Some(&vocabulary()), set).expect("a machine")
}

/// An attempt at the problem of the two crates.
struct Session {
    flow: Typed<Attempt>,
    machine: Machine,
    last: Turned,
}

impl Session {
    fn open(machine: Machine, rung: usize, mode: &str) -> Session {
        let catalogue = Catalogue::read(PATTERNS.as_bytes()).expect("a catalogue");
        let source = PAIR.replace("rung: 1", &format!("rung: {rung}"));
        let problem = Problem::read(source.as_bytes(), "market-pair.yaml", &catalogue).expect("a problem");
        let flow = Typed(Attempt::new(vec![problem], catalogue));
        let opening = json!({"problemId": "market-pair", "mode": mode});
        let last = flow.open(&machine, &opening, moment(&Documents::default())).expect("it is opened");
        Session { flow, machine, last }
    }

    fn send(&mut self, event: &str, payload: Value) -> Result<(), TurnError> {
        let event = self.machine.event_named(event).expect("an event of the law");
        let input = Input { event, payload, facts: Facts::default(), source: Source::User };
        let documents = Documents::default();
        self.last =
            self.flow.take(&self.machine, &self.last.at, &self.last.data, input, moment(&documents))?;
        Ok(())
    }

    /// Counts how often an event is accepted before it is refused.
    fn takes(&mut self, event: &str, payload: &Value) -> i64 {
        let mut count = 0;
        while self.send(event, payload.clone()).is_ok() {
            count += 1;
        }
        count
    }

    fn state(&self) -> &str {
        self.machine.state_name(self.last.at.state)
    }

    fn more(&self) -> Value {
        self.flow.more(&self.machine, &self.last.at, &self.last.data)
    }

    fn offered(&self) -> Vec<String> {
        let desk = self.flow.desk(&self.machine, &self.last.at, &self.last.data).expect("a desk");
        desk.verbs.into_iter().map(|offer| offer.name).collect()
    }
}

fn moment(documents: &Documents) -> Moment<'_> {
    Moment { now_us: 0, seed: 1, learner: "ada", records: &[], documents, dues: &[], edition: None }
}

fn set(name: &str, number: i64) -> Overrides {
    Overrides::from([(name.to_owned(), number)])
}

/// An attempt with an explanation that says too little.
fn explained(machine: Machine) -> Session {
    let mut session = Session::open(machine, 1, "BEGINNER");
    let vague = "You are given a shop and somebody wants to buy some of the things in it.";
    session.send("explain", json!({"explanation": vague})).expect("an explanation");
    session
}

/// Counts the follow-up questions about a vague explanation when the answers add nothing.
fn followups(set: &Overrides) -> i64 {
    explained(bound(LAW, set)).takes("follow_up", &json!({"answer": "I cannot say"}))
}

/// An attempt that has reached the writing of the program.
fn writing(machine: Machine, rung: usize) -> Session {
    let mut session = Session::open(machine, rung, "EXPERT");
    session.send("skip", Value::Null).expect("an expert skips the explanation");
    session.send("skip", Value::Null).expect("and the plan");
    session
}

/// The number of hints that a problem of this rung gives, and the number promised.
fn hints(set: &Overrides, rung: usize) -> [i64; 2] {
    let mut session = writing(bound(LAW, set), rung);
    let promised = session.more()["hintBudget"].as_i64().expect("a number");
    [session.takes("hint", &Value::Null), promised]
}

/// The state after choosing a pattern that nearly fits, with a confidence of 3 of 5.
fn chosen(set: &Overrides) -> String {
    let mut session = Session::open(bound(LAW, set), 1, "BEGINNER");
    let explanation = json!({
        "explanation": "We look for two different crates whose prices together make exactly the voucher, and the answer is \
                        their positions.",
        "inputOutputDescription": "In: prices and the voucher. Out: two positions, the smaller one first.",
        "constraintsDescription": "At most ten thousand prices, some negative.",
        "exampleWalkthrough": "Prices 3, 2, 4 and voucher 6: 2 and 4 add up, so the result is [1, 2].",
        "wrongApproach": "Trying every pair with two loops is far too slow for 10,000 prices.",
    });
    session.send("explain", explanation).expect("an explanation");
    session.send("choose", json!({"patternId": "two-pointers", "confidence": 3})).expect("a choice");
    session.state().to_owned()
}

/// A verb is offered if the law accepts its event and would not refuse it now.
#[test]
fn refused_verbs_are_not_offered() {
    let check = |session: &Session, offered: &[&str], others: &[&str]| {
        let names = session.offered();
        let is_offered = |name: &&&str| names.iter().any(|known| known == **name);
        assert!(offered.iter().all(|name| is_offered(&name)), "{offered:?} of {names:?}");
        assert!(!others.iter().any(|name| is_offered(&name)), "{others:?} not of {names:?}");
    };
    let usual = || bound(LAW, &Overrides::new());
    let beginner = Session::open(usual(), 1, "BEGINNER");
    check(&beginner, &["mode"], &["skip", "follow_up", "hint"]);
    let lenient = bound(&LAW.replace("guard: is_expert", "guard: true"), &Overrides::new());
    check(&Session::open(lenient, 1, "BEGINNER"), &["mode", "skip"], &["follow_up"]);
    check(&explained(usual()), &["follow_up"], &["skip"]);
    let mut expert = Session::open(usual(), 1, "EXPERT");
    check(&expert, &["mode", "skip"], &[]);
    expert.send("skip", Value::Null).expect("an expert skips the explanation");
    check(&expert, &["skip"], &["mode"]);
    let mut writing = writing(bound(LAW, &set("hints_rung_1", 1)), 1);
    check(&writing, &["hint"], &["mode", "skip"]);
    writing.send("hint", Value::Null).expect("a hint");
    check(&writing, &[], &["hint"]);
    for (verdict, offered) in [("compile_error", &["explain_failure"][..]), ("internal_error", &[])] {
        let mut session = self::writing(usual(), 1);
        session.send("submit", json!({"code": "def market_pair("})).expect("a program");
        session.send("run", Value::Null).expect("a run");
        let report = json!({"verdict": verdict, "isolation": "full", "tests": []});
        session.send("judged", json!({"number": 1, "report": report})).expect("a report");
        let others = if offered.is_empty() { &["explain_failure"][..] } else { &[] };
        check(&session, &[&["run", "retry"], offered].concat(), others);
    }
}

/// Changing a constant of the law changes the behaviour; nothing else has to change.
#[test]
fn every_constant_of_the_law_counts() {
    for number in 0..=3 {
        assert_eq!(followups(&set("max_followups", number)), number, "max_followups");
    }
    let rungs = ["hints_rung_1", "hints_rung_2", "hints_rung_3", "hints_rung_4", "hints_rung_5"];
    for (rung, name) in (1..).zip(rungs) {
        for number in [0, 2, 8] {
            assert_eq!(hints(&set(name, number), rung), [number; 2], "{name}");
        }
    }
    let confident = [3, 4].map(|number| chosen(&set("confident_from", number)));
    assert_eq!(confident, ["BUILD_INVARIANT", "DISCOVER"], "confident_from");
    let patience = [
        ("model_patience", "60s", &["ASSESS"][..]),
        ("hint_patience", "15s", &["PHRASE_HINT"]),
        ("judge_patience", "5m", &["RUN", "TRACE", "TRY"]),
    ];
    for (name, usual, states) in patience {
        let waits = |source: &str, state: &str| {
            let machine = bound(source, &Overrides::new());
            machine.timers(machine.state_named(state).expect("a state"))[0].millis
        };
        let shorter = LAW.replace(&format!("{name}: {usual}"), &format!("{name}: 3s"));
        for state in states {
            assert!(waits(LAW, state) > 3_000 && waits(&shorter, state) == 3_000, "{name}: {state}");
        }
    }
    let tested = ["max_followups"].into_iter().chain(rungs).chain(["confident_from"]);
    let tested: Vec<&str> = tested.chain(patience.map(|(name, ..)| name)).collect();
    let machine = bound(LAW, &Overrides::new());
    assert!(machine.constants().iter().map(|(name, _)| name.as_str()).eq(tested), "each is tested here");
}

/// An attempt that was opened under a law with other numbers follows the constants of its present law.
#[test]
fn an_open_attempt_goes_on_with_the_numbers_of_its_law() {
    let mut session = explained(bound(LAW, &Overrides::new()));
    session.machine = bound(LAW, &set("max_followups", 2));
    assert_eq!(session.takes("follow_up", &json!({"answer": "I cannot say"})), 2);
    let mut session = writing(bound(LAW, &Overrides::new()), 1);
    session.machine = bound(LAW, &set("hints_rung_1", 8));
    assert_eq!(session.takes("hint", &Value::Null), 8);
    assert_eq!(session.more()["hintBudget"], 8);
}
