//! Tests of the laws of courses and reviews: they are proved, they take over every flow of the earlier laws, and
//! each of their constants has an effect.

use crate::teach::class::{Class, machine};
use coaching::desk::Role;
use coaching::face::Face;
use coaching::teach::state::{FlowStatus, Phase};
use coaching::teach::{Course, Review, words};
use coaching::turn::{Flow, TurnError};
use flow::{Bounds, Constant, Law, Machine, Migration, Overrides};
use serde_json::{Value, json};

fn laws() -> [Face; 2] {
    [Course::FACE, Review::FACE]
}

fn bound(source: &str, face: &Face) -> Machine {
    let law = Law::read(source).expect("the law is read");
    let vocabulary = (face.vocabulary)();
    // An earlier law may use names that the program no longer knows.
    let bound = Machine::bind(&law, Some(&vocabulary), &Overrides::new());
    bound.or_else(|_| Machine::bind(&law, None, &Overrides::new())).expect("the law is bound")
}

#[test]
fn the_laws_are_proved() {
    for face in laws() {
        let law = Law::read(face.law).expect("the law is read");
        let report = flow::check(&law, Some(&(face.vocabulary)()), &Overrides::new(), Bounds::default());
        assert!(report.as_ref().is_ok_and(|report| report.is_clean()), "{report:#?}");
    }
}

#[test]
fn flows_of_earlier_laws_have_a_place() {
    for (face, old) in [
        (Course::FACE, include_str!("../../../etude/tests/laws/teach-0.1.yaml")),
        (Course::FACE, include_str!("../../../etude/tests/laws/teach-0.2.yaml")),
        (Course::FACE, include_str!("../../../etude/tests/laws/teach-0.3.yaml")),
        (Course::FACE, include_str!("../../../etude/tests/laws/teach-0.4.yaml")),
        (Course::FACE, include_str!("../../../etude/tests/laws/teach-0.5.yaml")),
        (Course::FACE, include_str!("../../../etude/tests/laws/teach-0.6.yaml")),
        (Course::FACE, include_str!("../../../etude/tests/laws/teach-0.7.yaml")),
        (Review::FACE, include_str!("../../../etude/tests/laws/review-0.1.yaml")),
        (Review::FACE, include_str!("../../../etude/tests/laws/review-0.2.yaml")),
        (Review::FACE, include_str!("../../../etude/tests/laws/review-0.3.yaml")),
        (Review::FACE, include_str!("../../../etude/tests/laws/review-0.4.yaml")),
    ] {
        let (old, new) = (bound(old, &face), bound(face.law, &face));
        let difference = flow::diff(&old, &new, &Migration::default(), Bounds::default());
        assert!(difference.compatible, "{} {}: {:#?}", face.name, old.version(), difference.homeless);
    }
}

#[test]
fn every_status_and_phase_of_the_law_has_a_type() {
    let machine = machine::<Course>(&Overrides::new());
    let mut statuses: Vec<FlowStatus> = Vec::new();
    for state in machine.states() {
        let read = |name: &str| machine.attribute(state, name).map(Value::from);
        if let Some(status) = read("status") {
            statuses.push(serde_json::from_value(status).expect("a status"));
        }
        if let Some(phase) = read("phase") {
            serde_json::from_value::<Phase>(phase).expect("a phase");
            assert_eq!(machine.attribute(state, "status"), Some("teaching"));
        }
        assert!(!machine.is_final(state) || machine.attribute(state, "status").is_some());
    }
    assert!(FlowStatus::ALL.iter().all(|status| statuses.contains(status)), "{statuses:?}");
}

fn set(name: &str, number: i64) -> Overrides {
    Overrides::from([(name.to_owned(), number)])
}

fn letters(set: &Overrides) -> Class {
    Class::open_with(json!({"topic": "three letters"}), set).expect("a course is opened")
}

/// Counts the questions that a diagnosis asks a learner whose answers tell little.
fn probes(set: &Overrides) -> usize {
    let mut class = letters(set);
    let mut count = 0;
    while class.course.more()["status"] == "diagnosing" {
        class.say("I don't know");
        count += 1;
    }
    count
}

/// Counts the answers that another tutor must record before a diagnosis ends.
fn recorded_probes(set: &Overrides) -> usize {
    let mut class = Class::open_with(json!({"topic": "one", "tutor": "outside"}), set).unwrap();
    let node_id = "00000000-0000-0000-0000-000000000001";
    class.tell("edited", json!({"edit": "node_create", "node_id": node_id, "label": "It"})).unwrap();
    let answer = json!({
        "node_id": node_id, "question_text": "?", "user_answer": "!", "quality": 0, "response_type": "diagnostic",
    });
    let mut count = 0;
    while class.tell("advance", json!({})).is_err() {
        class.tell("recorded", answer.clone()).unwrap();
        count += 1;
    }
    count
}

/// Counts the questions that a quiz asks a learner who knows every second answer.
fn questions(set: &Overrides) -> usize {
    let mut class = letters(set);
    (0..3).for_each(|_| drop(class.tell("answered", json!({"text": "I don't know"}))));
    if class.course.more()["status"] == "diagnosing" {
        class.tell("advance", json!({})).unwrap();
    }
    class.tell("advance", json!({})).unwrap();
    let mut count = 0;
    while class.course.more()["status"] == "quizzing" {
        class.say(if count % 2 == 0 { "I don't know" } else { "alpha" });
        count += 1;
    }
    count
}

/// Counts how often a model is asked for a map that it cannot make.
fn surveys(set: &Overrides) -> usize {
    let mut class = Class::open_with(json!({"topic": "knitting", "model": true}), set).unwrap();
    let mut count = 1;
    let refused = words::no_more_surveys("knitting");
    while !class.said.iter().any(|line| line.say == refused) {
        class.tell("plan_again", json!({})).unwrap();
        count += 1;
    }
    count - 1
}

/// Counts the concepts that one sitting asks for.
fn recalls(set: &Overrides) -> usize {
    let mut class = Class::open_with(json!({"topic": "many", "tutor": "outside"}), set).unwrap();
    for number in 0..30 {
        let node_id = format!("00000000-0000-0000-0000-0000000000{number:02}");
        let node = json!({"edit": "node_create", "node_id": node_id, "label": format!("Concept {number}")});
        class.tell("edited", node).unwrap();
        for status in ["learning", "reviewing"] {
            let known = json!({"edit": "node_update", "node_id": node_id, "mastery_status": status});
            class.tell("edited", known).unwrap();
        }
    }
    class.sit(json!({})).unwrap();
    let left = class.review.as_ref().unwrap().more()["left"].as_u64();
    let mut count = 0;
    while class.review.as_ref().is_some_and(|review| review.outcome.is_none()) {
        class.recall("answered", json!({"text": "5 I know it"})).unwrap();
        count += 1;
    }
    assert_eq!(left, Some(count as u64));
    count
}

/// Where another tutor leads, that tutor gets the learner's questions, and the law says so in every state that
/// takes one.
#[test]
fn the_law_sends_questions_to_another_tutor() {
    let mut class = Class::open(json!({"topic": "one", "tutor": "outside"})).unwrap();
    let node_id = "00000000-0000-0000-0000-000000000001";
    class.tell("edited", json!({"edit": "node_create", "node_id": node_id, "label": "It"})).unwrap();
    let mut asked_in = Vec::new();
    let mut ask = |class: &mut Class, state: &str| {
        assert_eq!(class.course.machine.state_name(class.course.at.state), state);
        let (at, data) = (class.course.at, class.course.data.clone());
        let refused = class.tell("asks", json!({"text": "what is it?"}));
        let Err(TurnError::Rejected(rejected)) = refused else { panic!("{state}: {refused:?}") };
        assert_eq!((rejected.code, class.course.at), ("led_outside", at), "{state}");
        assert_eq!(class.course.data, data, "{state}");
        asked_in.push(state.to_owned());
    };
    ask(&mut class, "diagnosing");
    let answer = |response_type: &str| json!({"node_id": node_id, "question_text": "?", "user_answer": "!", "quality": 4, "response_type": response_type});
    (0..3).for_each(|_| class.tell("recorded", answer("diagnostic")).unwrap());
    (0..2).for_each(|_| class.tell("advance", json!({})).unwrap());
    class.tell("explained", json!({})).unwrap();
    ask(&mut class, "questioning");
    class.tell("asked", json!({})).unwrap();
    ask(&mut class, "evaluating");
    class.tell("advance", json!({})).unwrap();
    ask(&mut class, "quizzing");
    class.tell("recorded", answer("teach")).unwrap();
    class.tell("advance", json!({})).unwrap();
    ask(&mut class, "reviewing");
    let machine = &class.course.machine;
    let asks = machine.event_named("asks").unwrap();
    let takes = machine.states().filter(|state| machine.allowed(*state).any(|event| event == asks));
    let takes: Vec<&str> = takes.map(|state| machine.state_name(state)).collect();
    assert_eq!(asked_in, takes, "each is tested here");
}

/// Changing a constant of the law changes the behaviour; nothing else has to change.
#[test]
fn every_constant_decides_something() {
    type Measured = fn(&Overrides) -> usize;
    let numbers: [(&str, Measured, &[i64]); 5] = [
        ("min_probes", recorded_probes, &[0, 1, 3, 5]),
        ("max_probes", probes, &[0, 1, 2]),
        ("max_questions", questions, &[1, 2, 3, 5]),
        ("max_surveys", surveys, &[1, 2, 4]),
        ("max_recalls", recalls, &[1, 5, 20, 25]),
    ];
    for (name, measured, values) in numbers {
        for value in values {
            assert_eq!(measured(&set(name, *value)) as i64, *value, "{name}");
        }
    }
    // Two wrong answers leave little doubt, but Etude itself asks as many questions as another tutor must.
    assert_eq!([0, 3].map(|least| probes(&set("min_probes", least))), [2, 3], "min_probes");
    let durations = [("patience", "recalling"), ("parting", "parting")];
    for (name, state) in durations {
        let millis = |source: &str| {
            let machine = bound(source, &Review::FACE);
            machine.timers(machine.state_named(state).expect("the state is there"))[0].millis
        };
        let shorter =
            Review::FACE.law.replace("patience: 24h", "patience: 3s").replace("parting: 10m", "parting: 3s");
        assert!(millis(Review::FACE.law) > 3_000 && millis(&shorter) == 3_000, "{name}");
    }
    let known: Vec<&str> =
        numbers.iter().map(|(name, ..)| *name).chain(durations.map(|(name, _)| name)).collect();
    for face in laws() {
        for (name, _) in bound(face.law, &face).constants() {
            assert!(known.contains(&name.as_str()), "nothing shows what {name} decides");
        }
    }
}

/// The first question announces the greatest number of questions and the desk counts them, both as the law says.
#[test]
fn announced_bounds_come_from_the_law() {
    let class = letters(&set("max_probes", 2));
    let told = class.said.iter().find(|line| line.role == Role::Notice).map(|line| line.say.clone());
    assert_eq!(told, Some(words::first_probe(2u32)));
    let machine = &class.course.machine;
    assert_eq!(machine.constant("max_probes"), Some(&Constant::Number(2)));
}
