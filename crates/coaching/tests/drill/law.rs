//! The drill's names and its law fit together, and so do laws of the first dialect.

use crate::drill::session::{Session, tiny};
use coaching::drill::{LAW, vocabulary};
use flow::{Bounds, Law, Overrides, Report, check};
use serde_json::json;

fn report(source: &str) -> Report {
    check(&Law::read(source).unwrap(), Some(&vocabulary()), &Overrides::new(), Bounds::default()).unwrap()
}

#[test]
fn the_law_is_proved_with_these_names() {
    let report = report(LAW);
    assert!(report.complete && report.is_clean(), "{:#?}", report.problems);
}

/// In the first dialect events and actions move counters and the law does not say how.
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
