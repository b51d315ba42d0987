//! The face and the law of an attempt.

use coaching::attempt::{Attempt, LAW, vocabulary, words};
use coaching::turn::Flow;
use coaching::words::problems;
use flow::{Bounds, Law, Machine, Overrides, check};

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
