//! Tests of the desk of a course and of a review, from the first probe to the end.

use crate::teach::class::{Class, Seat};
use coaching::desk::{Block, Desk, Form, Role};
use coaching::grade::UNCLEAR;
use coaching::turn::TurnError;
use serde_json::json;
use std::collections::HashSet;

fn verbs(desk: &Desk) -> Vec<&str> {
    desk.verbs.iter().map(|offer| offer.name.as_str()).collect()
}

fn asked(desk: &Desk) -> (&str, &Form) {
    let ask = desk.ask.as_ref().expect("something is asked");
    (ask.verb.as_str(), &ask.form)
}

fn progress(desk: &Desk) -> Vec<(&str, u32, Option<u32>)> {
    desk.progress.iter().map(|progress| (progress.name.as_str(), progress.done, progress.of)).collect()
}

fn roles(desk: &Desk) -> Vec<Role> {
    let role = |block: &Block| match block {
        Block::Line(line) => Some(line.role),
        _ => None,
    };
    desk.blocks.iter().filter_map(role).collect()
}

fn has_marks(desk: &Desk, wanted: u8) -> bool {
    desk.blocks.iter().any(|block| matches!(block, Block::Marks { quality, .. } if *quality == wanted))
}

fn desk(seat: &Seat) -> Desk {
    seat.flow.desk(&seat.machine, &seat.at, &seat.data).expect("a desk is laid")
}

#[test]
fn a_course_lays_its_desk() {
    let mut class = Class::open(json!({"topic": "three letters", "gate": "mastered"})).unwrap();
    let probe = desk(&class.course);
    assert_eq!(probe.title.plain(), Some("Three letters"));
    assert!(matches!(asked(&probe), ("answer", Form::Choice { options }) if options.len() == 3), "{probe:?}");
    assert_eq!(progress(&probe), [("probes", 0, Some(7)), ("mastered", 0, Some(3))]);
    assert_eq!(verbs(&probe), ["answer", "ask", "abandon"]);
    (0..3).for_each(|_| class.say("I don't know"));

    let lesson = desk(&class.course);
    assert_eq!(asked(&lesson), ("go-on", &Form::Read));
    assert_eq!(roles(&lesson), [Role::Heading, Role::Explanation, Role::Example]);
    assert_eq!(verbs(&lesson), ["ask", "go-on", "advance", "abandon"]);
    class.tell("go_on", json!({})).unwrap();
    assert_eq!(asked(&desk(&class.course)), ("answer", &Form::Text));
    class.say("the first of them");

    let quiz = desk(&class.course);
    assert!(has_marks(&quiz, 1) && roles(&quiz) == [Role::Feedback], "{quiz:?}");
    assert_eq!(progress(&quiz)[0], ("questions", 0, Some(3)));
    assert!(verbs(&quiz).contains(&"object"), "{quiz:?}");
    class.say("alpha");
    class.say("alpha");

    let pause = desk(&class.course);
    let ("", Form::Wait { until: Some(until) }) = asked(&pause) else { panic!("{pause:?}") };
    assert!(until.as_microsecond() > class.now_us, "{pause:?}");

    class.sleep(10.0);
    class.sit(json!({})).unwrap();
    let recall = desk(class.review.as_ref().unwrap());
    assert_eq!((asked(&recall).0, progress(&recall)), ("answer", vec![("recalls", 0, Some(1))]));
    assert_eq!(verbs(&recall), ["answer", "ask", "leave"]);
    // A choice's mark cannot be objected to, so the test sits again until another form comes.
    while let Form::Choice { .. } = asked(&desk(class.review.as_ref().unwrap())).1 {
        class.recall("answered", json!({"text": "alpha"})).unwrap();
        class.sleep(60.0);
        class.sit(json!({})).unwrap();
    }
    class.recall("answered", json!({"text": "the first of them", "stays": true})).unwrap();
    let parting = desk(class.review.as_ref().unwrap());
    assert_eq!((asked(&parting), verbs(&parting)), (("leave", &Form::Read), vec!["object", "leave"]));
    class.recall("leave", json!({})).unwrap();
    assert_eq!(desk(class.review.as_ref().unwrap()).ask, None);

    class.tell("abandon", json!({})).unwrap();
    assert_eq!((desk(&class.course).ask, desk(&class.course).verbs), (None, vec![]));
}

#[test]
fn a_learners_question_comes_before_the_open_one() {
    let mut class = Class::open(json!({"topic": "three letters"})).unwrap();
    (0..3).for_each(|_| class.say("I don't know"));
    class.tell("go_on", json!({})).unwrap();
    class.tell("asks", json!({"text": "what is gamma?"})).unwrap();
    let help = desk(&class.course);
    let behind = [Role::Notice, Role::Notice, Role::Question];
    assert!(roles(&help).ends_with(&behind), "{help:?}");
    let more = class.course.more();
    assert_eq!((&more["question"]["is_for_help"], more["waiting"].is_object()), (&json!(true), true));
}

#[test]
fn the_desk_shows_the_tutor_and_the_open_step() {
    let led = Class::open(json!({"topic": "three letters", "tutor": "outside"})).unwrap();
    let shown = desk(&led.course);
    assert_eq!((shown.ask.as_ref(), verbs(&shown)), (None, vec!["abandon"]));
    assert_eq!(roles(&shown), [Role::Notice]);
    // The model failed, so the learner may try again or name a curriculum.
    let mut class = Class::open(json!({"topic": "knitting", "model": true})).unwrap();
    assert_eq!(asked(&desk(&class.course)), ("plan-again", &Form::Say));
    class.tell("plan_again", json!({"curriculum": "three-letters"})).unwrap();
    assert_eq!(desk(&class.course).title.plain(), Some("Three letters"));
}

/// Text that only claims to know a concept, or that a hand left over, is no answer to any form of question.
#[test]
fn what_answers_nothing_is_asked_for_again() {
    let mut class = Class::open(json!({"topic": "three letters"})).unwrap();
    let slips = [".", "..", "-", " ", "I know this", "i know that.", "Kann ich schon!", "kenne ich schon"];
    let mut forms = HashSet::new();
    for _ in 0..12 {
        if desk(&class.course).ask.is_some_and(|ask| ask.form == Form::Read) {
            class.tell("go_on", json!({})).unwrap();
            continue;
        }
        forms.insert(class.course.more()["question"]["shown"]["form"].to_string());
        let answers = class.records.len();
        for slip in slips {
            let refused = class.tell("answered", json!({"text": slip}));
            assert!(
                matches!(&refused, Err(TurnError::Rejected(refused)) if refused.code == UNCLEAR),
                "{slip}"
            );
        }
        assert_eq!(class.records.len(), answers);
        class.say("I don't know");
    }
    assert!(forms.len() > 1, "{forms:?}");
}
