//! Tests with arbitrary input: nothing panics, and an output without words never continues.

use coaching::agent::{
    CoachContext, MIN_CONFIDENCE, OutputType, Playbook, Run, Signals, Stopped, Work, build_coaching_message,
    classify, human_words, near_duplicate, parse_reply, preview, redact, success_criteria,
};
use proptest::prelude::*;

#[test]
fn an_output_without_words_is_a_question() {
    for text in [
        "",
        " \n\t ",
        "…",
        "🎉🎉🎉",
        "---\n***\n",
        "\u{1B}[31m\u{1B}[0m",
        "\u{FEFF}",
        "```\n```",
        "?!",
        "\u{202E}\u{200F}",
    ] {
        let verdict = classify(text, &Signals::default());
        assert_eq!(verdict.output_type, OutputType::Question, "{text:?} gave {verdict:?}");
        assert!(verdict.confidence < 0.80, "{text:?} gave {verdict:?}");
    }
}

#[test]
fn colours_and_broken_bytes_do_not_change_the_verdict() {
    let plain = "Build failed with exit code 1";
    let broken = String::from_utf8_lossy(b"Build failed with exit code 1 \xFF\xFE").into_owned();
    for text in [&format!("\u{1B}[1;31m{plain}\u{1B}[0m\r\n"), &format!("\u{FEFF}{plain}"), &broken] {
        assert_eq!(classify(text, &Signals::default()).output_type, OutputType::Error, "{text:?}");
    }
    let rtl = "\u{202B}هل أتابع؟\u{202C}";
    assert_eq!(classify(rtl, &Signals::default()).output_type, OutputType::Question);
}

#[test]
fn the_end_of_a_huge_output_decides() {
    let log = "   Compiling something v0.1.0 (ok)\n".repeat(40_000);
    assert!(log.len() > 1 << 20);
    for (end, expected) in [
        ("Shall I merge it?", OutputType::Question),
        ("All 42 tests passed, committed abc1234.", OutputType::Completion),
        ("Let me run the tests next.", OutputType::Status),
    ] {
        assert_eq!(classify(&format!("{log}\n\n{end}"), &Signals::default()).output_type, expected, "{end}");
    }
    let one_line = "a".repeat(2 << 20);
    assert_eq!(classify(&one_line, &Signals::default()).output_type, OutputType::Question);
}

#[test]
fn a_fence_that_is_never_closed_hides_nothing() {
    let text = "Here is the diff:\n```diff\n- a\n+ b\n\nShall I apply it?";
    assert_eq!(classify(text, &Signals::default()).output_type, OutputType::Question);
}

/// Text made of pieces that agents really write, in any order. It finds more faults than plain noise.
fn agent_like() -> impl Strategy<Value = String> {
    let piece = prop_oneof![
        Just("Done. ".to_owned()),
        Just("```\n".to_owned()),
        Just("`".to_owned()),
        Just("\"".to_owned()),
        Just("- [ ] ".to_owned()),
        Just("\n\n".to_owned()),
        Just("## ".to_owned()),
        Just("| a | b |\n".to_owned()),
        Just("Should I? ".to_owned()),
        Just("«".to_owned()),
        Just("12 passed ".to_owned()),
        Just("\u{1B}[".to_owned()),
        Just("password=".to_owned()),
        Just("://a:b@c ".to_owned()),
        Just("-----BEGIN PRIVATE KEY-----".to_owned()),
        ".{0,12}",
    ];
    prop::collection::vec(piece, 0..40).prop_map(|pieces| pieces.concat())
}

proptest! {
    #[test]
    fn nothing_panics(text in prop_oneof![any::<String>(), agent_like()], other in any::<String>(), n in 0usize..50) {
        let verdict = classify(&text, &Signals::default());
        prop_assert!((0.0..=1.0).contains(&verdict.confidence));
        prop_assert!(verdict.confidence >= 0.80 || verdict.output_type == OutputType::Question);
        prop_assert!(!verdict.was_rejected_completion || verdict.output_type == OutputType::Status);
        if !text.chars().any(char::is_alphanumeric) {
            prop_assert_ne!(verdict.output_type, OutputType::Status);
        }
        let playbook = Playbook::shipped();
        let work = Some(Work { prompt: human_words(&other), runs: vec![Run::of(&other, None, &text)], ..Work::default() });
        let stop = Stopped { text: text.clone(), work, ..Stopped::default() };
        let context = CoachContext { stop: &stop, prompt: Some(&other), task: None, earlier: &[], phase: Some(&other), playbook: &playbook };
        let told = build_coaching_message(&verdict, &context);
        prop_assert!(told.is_none_or(|told| told.message.chars().count() <= 600));
        prop_assert!(preview(&text, n).chars().count() <= n);
        prop_assert!(near_duplicate(&text, &text));
        let _ = (redact(&text), parse_reply(&text, MIN_CONFIDENCE), success_criteria(&text), near_duplicate(&text, &other));
    }

    #[test]
    fn bytes_are_read_like_text(bytes in prop::collection::vec(any::<u8>(), 0..400)) {
        classify(&String::from_utf8_lossy(&bytes), &Signals::default());
    }

    #[test]
    fn redacting_twice_changes_nothing_more(text in agent_like()) {
        let once = redact(&text);
        prop_assert_eq!(redact(&once), once);
    }
}
