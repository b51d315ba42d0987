//! Tests of single outputs with a known class.

use crate::agent::session::in_english;
use coaching::agent::OutputType::{self, *};
use coaching::agent::{Signals, StopReason, classify};

fn check(text: &str, signals: &Signals, expected: OutputType, rejected: bool) {
    let verdict = classify(text, signals);
    assert_eq!(verdict.output_type, expected, "{text:?} gave {verdict:?}");
    assert_eq!(verdict.was_rejected_completion, rejected, "{text:?} gave {verdict:?}");
}

#[test]
fn fixed_outputs_have_their_class() {
    for (text, expected, rejected) in [
        ("Should I proceed with the refactor?", Question, false),
        ("Ready to build when approved.", Question, false),
        ("I'd go with option B unless you object; which do you prefer?", Question, false),
        ("Error: ModuleNotFoundError: no module named x", Error, false),
        ("Build failed with exit code 1", Error, false),
        ("Fixed the crash in the parser; 12 passed, 0 failed, commit 3f2a1bc", Completion, false),
        ("Blocked: I have no access to the deployment config", Blocker, false),
        ("All 42 tests passed, committed abc1234", Completion, false),
        ("I have not finished yet", Status, false),
        ("Working on it, 40% complete", Status, false),
        ("Done.", Status, true),
        ("I think the bug is fixed now. Should work.", Status, true),
        ("Let me run the tests next.", Status, false),
        ("Redis stores the whole set in memory, so restarts lose it unless AOF is on.", Completion, false),
    ] {
        check(text, &Signals::default(), expected, rejected);
    }
    let unblocked = classify("The loop is not blocking any more", &Signals::default());
    assert_ne!(unblocked.output_type, Blocker, "{unblocked:?}");
}

#[test]
fn the_agents_own_signals_come_before_its_text() {
    let with = |change: fn(&mut Signals)| {
        let mut signals = Signals::default();
        change(&mut signals);
        signals
    };
    let done = "All 42 tests passed, committed abc1234";
    let answer = "Redis stores the whole set in memory.";
    check(done, &with(|s| s.agent_error = Some("rate_limit".into())), Error, false);
    check(done, &with(|s| s.stop_reason = Some(StopReason::Error)), Error, false);
    check(done, &with(|s| s.stop_reason = Some(StopReason::Refusal)), Blocker, false);
    check(done, &with(|s| s.stop_reason = Some(StopReason::Aborted)), Question, false);
    check(done, &with(|s| s.stop_reason = Some(StopReason::EndTurn)), Completion, false);
    check("The parser reads the", &with(|s| s.stop_reason = Some(StopReason::MaxTokens)), Status, false);
    check(answer, &with(|s| s.user_asked_question = Some(true)), Completion, false);
    check(answer, &with(|s| s.user_asked_question = Some(false)), Question, false);
    check("Done. All 42 tests passed.", &with(|s| s.user_asked_question = Some(false)), Completion, false);
}

#[test]
fn in_a_build_phase_only_a_run_is_evidence() {
    let text = "I've moved the check into `session.go` and renamed the flag.";
    let in_phase = |phase: &str| Signals { phase: Some(phase.into()), ..Signals::default() };
    check(text, &in_phase("document"), Completion, false);
    check(text, &in_phase("build"), Status, true);
}

#[test]
fn quoted_logs_and_speech_are_not_the_agents_words() {
    for (text, expected) in [
        (
            "Fixed it in `a.rs`. Before:\n\n```\nerror: could not compile\n```\n\nNow 12 passed, 0 failed.",
            Completion,
        ),
        ("The dialog now asks \"Do you want to delete it?\" (`dialog.ts`), 5 tests pass.", Completion),
        ("> Should I proceed?\n\nYes: I merged it as 4be9a10 and CI is green.", Completion),
    ] {
        check(text, &Signals::default(), expected, false);
    }
}

#[test]
fn a_verdict_names_the_words_it_rests_on() {
    let verdict = classify("The tests are green. Shall I merge it?", &Signals::default());
    assert_eq!(verdict.words.first().map(String::as_str), Some("Shall I merge it?"));
    let verdict = classify("All 42 tests passed, committed abc1234", &Signals::default());
    assert!(verdict.words.iter().any(|word| word == "abc1234"), "{verdict:?}");
}

#[test]
fn an_unsure_verdict_is_a_question_and_keeps_the_guess() {
    let verdict = classify("Xyzzy plugh frobozz.", &Signals::default());
    assert_eq!(verdict.output_type, Question);
    assert!(
        verdict.confidence < 0.80 && in_english(&verdict.reason).contains("best guess was"),
        "{verdict:?}"
    );
}

#[test]
fn the_fields_are_those_of_the_document() {
    let verdict = serde_json::to_value(classify("Done.", &Signals::default())).unwrap();
    let fields: Vec<&str> = verdict.as_object().unwrap().keys().map(String::as_str).collect();
    let expected = [
        "output_type",
        "confidence",
        "reason",
        "coaching_message",
        "was_rejected_completion",
        "source",
        "words",
    ];
    assert_eq!(fields, expected);
    assert_eq!(
        (verdict["output_type"].as_str(), verdict["source"].as_str()),
        (Some("status"), Some("rules"))
    );
}
