//! Tests that the drill's names fit its law, and laws of the first dialect too.

use crate::drill::session::{NOW_US, Session, item_record, tiny};
use coaching::desk::Role;
use coaching::drill::{LAW, vocabulary};
use coaching::learner::{Quality, Status};
use flow::{Bounds, Law, Machine, Migration, Overrides, Report, check, diff};
use serde_json::json;

fn report(source: &str) -> Report {
    check(&Law::read(source).unwrap(), Some(&vocabulary()), &Overrides::new(), Bounds::default()).unwrap()
}

#[test]
fn the_law_is_proved_with_these_names() {
    let report = report(LAW);
    assert!(report.complete && report.is_clean(), "{:#?}", report.problems);
}

/// A law of the first dialect, in which events and actions move counters without the law saying how.
const FIRST_DIALECT: &str = "
session: DialogueSession
version: 0.1
context: {required_usages: 2}
counters: {usage: 0, failures: 0}
states:
  INIT: {on: {start: PROMPT}}
  PROMPT:
    entry: [{action: coach_prompt_dialogue}]
    on: {tts_done: LISTEN}
  LISTEN: {on: {asr_result: JUDGE}}
  JUDGE:
    entry: [{action: evaluate_usage}]
    on: {usage_correct: ENOUGH, usage_incorrect: TOO_OFTEN}
  ENOUGH: {guard: counters.usage >= required_usages, on_true: END_WORD, on_false: PROMPT}
  TOO_OFTEN: {guard: counters.failures >= 2, on_true: CALM, on_false: PROMPT}
  CALM:
    entry: [{action: reset_failures_counter}]
    on: {done: PROMPT}
  END_WORD:
    entry: [{action: add_word_to_learned_pool}, {action: pick_next_new_word}]
    on: {next_word_available: AGAIN, no_more_words: END}
  AGAIN:
    entry: [{action: reset_counters}]
    on: {done: PROMPT}
  END: {type: final}
";

#[test]
fn a_law_of_the_first_dialect_runs() {
    let mut session = Session::with_law(tiny(), FIRST_DIALECT, json!({"pack": "tiny", "new_words": 2}), &[]);
    session.steps(&["start", "\"Hallo!"]);
    assert_eq!((session.counter("usage"), session.counter("failures")), (1, 0));
    session.step("\"nein");
    assert_eq!((session.counter("usage"), session.counter("failures")), (1, 1));
    // This law has no event for noise, so noise is a miss; the second one resets the misses.
    session.step("\"!!!");
    assert_eq!((session.counter("usage"), session.counter("failures")), (1, 0));
    session.step("\"Hallo, Anna");
    assert_eq!(session.target().as_deref(), Some("danke"));
    assert_eq!((session.counter("usage"), session.counter("failures")), (0, 0));
    session.steps(&["\"Danke", "\"Danke, Paul"]);
    assert!(session.is_over());
    assert_eq!(session.pool(), ["hallo", "danke"]);
}

fn bound(source: &str, set: &Overrides) -> Machine {
    Machine::bind(&Law::read(source).unwrap(), Some(&vocabulary()), set).unwrap()
}

#[test]
fn sessions_under_way_move_to_this_law() {
    for old in [
        include_str!("../laws/drill-0.3.yaml"),
        include_str!("../laws/drill-0.4.yaml"),
        include_str!("../laws/drill-0.5.yaml"),
    ] {
        let (old, new) = (bound(old, &Overrides::new()), bound(LAW, &Overrides::new()));
        let difference = diff(&old, &new, &Migration::default(), Bounds::default());
        assert!(difference.compatible, "{:#?}", difference.homeless);
    }
}

/// A session that began under the previous law, in the middle of its first word, goes on from where it is.
#[test]
fn a_session_of_the_previous_law_goes_on() {
    for uses in 0..3 {
        let old = include_str!("../laws/drill-0.4.yaml");
        let mut session = Session::with_law(tiny(), old, json!({"pack": "tiny", "new_words": 1}), &[]);
        session.step("start");
        session.steps(&vec!["\"Hallo"; uses]);
        let mut data = session.data();
        for field in ["aid", "answer", "is_spoken", "asked_at_us", "is_at_once"] {
            data.as_object_mut().unwrap().shift_remove(field);
        }
        session.data = data.to_string();
        session.go_over(bound(LAW, &Overrides::new()));
        assert!(session.view().is_object());
        session.steps(&vec!["\"Hallo"; 3 - uses]);
        assert_eq!(session.last.outcome.as_deref(), Some("done"), "{uses} uses");
        assert_eq!(session.remembered("tiny/hallo").unwrap().0.status, Status::Learned);
    }
}

/// A corrected use counts; the law decides whether it is praised.
#[test]
fn the_law_decides_what_is_praised() {
    let generous = LAW.replace("guard: is_flawless", "guard: true");
    let check = |new_words: u32, said: &[&str], [by_law, by_generous]: [usize; 2]| {
        let praises = [LAW, &generous].map(|law| {
            let opening = json!({"pack": "tiny", "new_words": new_words});
            let mut session = Session::with_law(tiny(), law, opening, &[]);
            session.step("start");
            session.steps(said);
            assert_eq!(session.counter("failures"), 0, "{said:?}");
            session.said(Role::Praise).len()
        });
        assert_eq!(praises, [by_law, by_generous], "{said:?} of {new_words} words");
    };
    // After the first use the word is shown again; after the second it rests, or is asked for from memory.
    let (right, near) = ("\"Hallo", "\"Halo");
    for new_words in [1, 2] {
        check(new_words, &[right], [1, 1]);
        check(new_words, &[near], [0, 1]);
        check(new_words, &[right, right], [1, 1]);
        check(new_words, &[right, near], [0, 1]);
    }
}

/// Changes one constant of the law at a time and takes the steps that make the change visible.
#[test]
fn every_constant_of_the_law_counts() {
    let with = |name: &str, number: i64, steps: &[&str]| {
        let machine = bound(LAW, &Overrides::from([(name.to_owned(), number)]));
        let opening = json!({"pack": "tiny", "new_words": 1});
        let mut session = Session::on(machine, tiny(), opening, &[]).unwrap();
        session.step("start");
        session.steps(steps);
        session
    };
    let check = |name: &str, numbers: [i64; 2], steps: &[&str], states: [&str; 2]| {
        let reached = numbers.map(|number| with(name, number, steps).state().to_owned());
        assert_eq!(reached, states, "{name}");
    };
    check("required_usages", [3, 4], &["\"Hallo"; 3], ["SESSION_DONE", "WAIT_RECALL"]);
    check("unaided_from", [2, 3], &["\"Hallo"; 2], ["WAIT_RECALL", "WAIT_STUDENT"]);
    check("repeat_mode_threshold", [2, 3], &["\"nein"; 2], ["WAIT_REPEAT", "WAIT_STUDENT"]);
    check("max_repeat_loops", [3, 4], &["\"nein"; 5], ["SESSION_DONE", "WAIT_REPEAT"]);
    check("max_silences", [3, 1], &["timeout"], ["WAIT_STUDENT", "SESSION_DONE"]);
    let required = |number: i64| with("required_usages", number, &[]).view()["progress"]["required"].clone();
    assert_eq!([required(3), required(4)], [3, 4]);
    let hints = |number: i64| with("cued_from", number, &["\"Hallo"]).said(Role::Hint).len();
    assert_eq!([hints(2), hints(1)], [1, 0]);
    let given_up =
        |number: i64| with("max_cues", number, &["\"Hallo", "\"Hallo", "gave_up"]).state().to_owned();
    assert_eq!([given_up(1), given_up(0)], ["WAIT_RECALL", "WAIT_STUDENT"]);
    let quality = |number: i64| {
        let machine = bound(LAW, &Overrides::from([("at_once_seconds".to_owned(), number)]));
        let known = item_record("tiny/hallo", Status::Learned, 3, NOW_US);
        let mut session = Session::on(machine, tiny(), json!({"pack": "tiny"}), &[known]).unwrap();
        session.step("start");
        session.now_us += 5 * 1_000_000;
        session.step("\"Hallo");
        session.remembered("tiny/hallo").unwrap().0.ratings[0].quality
    };
    assert_eq!([quality(8), quality(2)], [Quality::EASY, Quality::GOOD]);
    let waits = |source: &str| {
        let machine = bound(source, &Overrides::new());
        machine.timers(machine.state_named("WAIT_STUDENT").unwrap())[0].millis
    };
    assert_eq!([waits(LAW), waits(&LAW.replace("silence: 45s", "silence: 50s"))], [45_000, 50_000]);
    let tested = [
        "required_usages",
        "cued_from",
        "unaided_from",
        "max_cues",
        "at_once_seconds",
        "repeat_mode_threshold",
        "max_repeat_loops",
        "max_silences",
        "silence",
    ];
    let machine = bound(LAW, &Overrides::new());
    assert!(machine.constants().iter().map(|(name, _)| name.as_str()).eq(tested), "each is tested here");
}
