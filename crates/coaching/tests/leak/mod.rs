//! Tests of the leak guard: which replies it holds back and which it lets through.

use coaching::leak::{Guarded, Kind, Leaks, Risk, Said, Who, look};
use proptest::prelude::*;
use serde::Deserialize;

#[derive(Debug, Deserialize)]
struct Case {
    statement: String,
    reference: Reference,
    #[serde(default)]
    pattern: Option<String>,
    dialogue: Vec<Said>,
    reply: String,
    leak: bool,
}

#[derive(Debug, Deserialize)]
#[serde(untagged)]
enum Reference {
    One(String),
    Several(Vec<String>),
}

impl Case {
    fn look(&self) -> Leaks {
        let reference: Vec<&str> = match &self.reference {
            Reference::One(text) => vec![text],
            Reference::Several(texts) => texts.iter().map(String::as_str).collect(),
        };
        let guarded = Guarded {
            reference: &reference,
            statement: &self.statement,
            dialogue: &self.dialogue,
            pattern: self.pattern.as_deref(),
            ..Guarded::default()
        };
        look(&guarded, &self.reply)
    }
}

fn cases() -> Vec<Case> {
    let lines = include_str!("cases.jsonl").lines();
    lines.map(|line| serde_json::from_str(line).expect("a case is JSON")).collect()
}

#[test]
fn replies_are_held_back_or_let_through() {
    let wrong: Vec<String> = cases()
        .iter()
        .map(|case| (case, case.look()))
        .filter(|(case, found)| case.leak != found.leak)
        .map(|(case, found)| format!("{:?} {found:?}", case.reply))
        .collect();
    assert!(wrong.is_empty(), "{wrong:#?}");
}

/// Repeating the learner's own words gives nothing away.
#[test]
fn the_learners_own_words_are_never_held_back() {
    for case in cases().iter().filter(|case| case.leak) {
        let learner = Said { who: Who::Learner, text: case.reply.clone() };
        let said =
            Case { dialogue: [case.dialogue.clone(), vec![learner]].concat(), ..case.with(&case.reply) };
        let found = said.look();
        assert!(!found.leak, "{:?} {found:?}", case.reply);
    }
}

impl Case {
    fn with(&self, reply: &str) -> Case {
        let reference = match &self.reference {
            Reference::One(text) => Reference::One(text.clone()),
            Reference::Several(texts) => Reference::Several(texts.clone()),
        };
        let (statement, pattern) = (self.statement.clone(), self.pattern.clone());
        Case {
            statement,
            reference,
            pattern,
            dialogue: self.dialogue.clone(),
            reply: reply.into(),
            leak: self.leak,
        }
    }
}

#[test]
fn the_pattern_is_no_secret_after_the_plan() {
    let text = "Would a sliding window help here?";
    let reference = ["def f(nums):\n    for n in nums:\n        total += n\n    return total\n"];
    let guarded = Guarded { reference: &reference, pattern: Some("sliding window"), ..Guarded::default() };
    assert!(look(&guarded, text).leak);
    let found = look(&Guarded { is_planned: true, ..guarded }, text);
    assert!(!found.leak && found.risk == Risk::Medium, "{found:?}");
}

/// The learner has to find the invariant, so the tutor may not state it, verbatim or in similar words.
#[test]
fn a_secret_is_not_told_in_words() {
    let secrets =
        ["When position i is looked at, the map holds every number before it with its position.".to_owned()];
    let guarded =
        Guarded { secrets: &secrets, pattern: Some("hash-map"), is_planned: true, ..Guarded::default() };
    for (text, leak) in [
        (secrets[0].as_str(), true),
        ("At position i the map holds every earlier number with its position.", true),
        ("What does the map hold before the first number?", false),
        ("Look at the numbers before position i.", false),
    ] {
        let found = look(&guarded, text);
        assert_eq!(found.leak, leak, "{text}: {found:?}");
    }
    let said = [Said { who: Who::Learner, text: secrets[0].clone() }];
    assert!(!look(&Guarded { dialogue: &said, ..guarded }, &secrets[0]).leak);
}

#[test]
fn lines_of_several_turns_add_up() {
    let reference = [
        "def f(nums):\n    low, high = 0, len(nums)\n    while low < high:\n        low += 1\n    return low\n",
    ];
    let earlier = [Said { who: Who::Tutor, text: "Is `while low < high:` of any use?".into() }];
    let guarded = Guarded { reference: &reference, dialogue: &earlier, ..Guarded::default() };
    let found = look(&guarded, "And `low += 1`?");
    assert!(found.reasons.iter().any(|reason| reason.kind == Kind::Pieces), "{found:?}");
}

proptest! {
    /// Any text gets a verdict.
    #[test]
    fn any_text_is_read(reference in ".{0,200}", statement in ".{0,80}", text in ".{0,200}", said in ".{0,80}") {
        let dialogue = [Said { who: Who::Tutor, text: said.clone() }, Said { who: Who::Learner, text: said }];
        let guarded = Guarded { reference: &[&reference], statement: &statement, dialogue: &dialogue, ..Guarded::default() };
        look(&guarded, &text);
        look(&Guarded { pattern: Some("stack"), ..guarded }, &text);
    }

    #[test]
    fn any_mathematics_is_read(text in "[-+*/^=()0-9a-c., %²½<>#`'{}\\[\\]\n]{0,80}") {
        look(&Guarded { reference: &[&text], ..Guarded::default() }, &text);
        look(&Guarded { reference: &[&text], pattern: Some("stack"), ..Guarded::default() }, &text);
    }
}
