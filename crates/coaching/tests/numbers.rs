//! Tests of answers that are numbers, and of answers that the learner compares.

use coaching::curriculum::{Number, Question, show};
use coaching::grade::question::Compare;
use coaching::grade::{grade, unclear};

fn number(answer: &str, tolerance: Option<&str>, unit: Option<&str>) -> Question {
    Question::Number(Number {
        ask: "How likely?".into(),
        answer: answer.into(),
        tolerance: tolerance.map(str::to_owned),
        unit: unit.map(str::to_owned),
        explain: String::new(),
    })
}

fn quality(question: &Question, answer: &str) -> u8 {
    grade(question, &show(question, 1), answer).quality.get()
}

fn is_unclear(question: &Question, answer: &str) -> bool {
    unclear(&show(question, 1), answer).is_some()
}

#[test]
fn a_number_may_be_written_in_many_ways() {
    let sixth = number("1/6", None, None);
    for (answer, expected) in [
        ("1/6", 5),
        ("2/12", 5),
        ("1 / 6", 5),
        ("0.1667", 5),
        ("0,1667", 5),
        (".1667", 5),
        ("16.7 %", 5),
        ("about 16.7 percent", 5),
        ("16,7 Prozent", 5),
        ("1 in 6", 5),
        ("1 out of 6", 5),
        ("(1/2)*(1/3)", 5),
        ("1/2 × 1/3", 5),
        ("1/2 * 1/3 = 1/6", 5),
        ("It is 1/6, I think.", 5),
        ("P = 1/6", 5),
        ("1/6, so 16.7 %", 5),
        ("1:6", 5),
        ("0.17", 3),
        ("17 %", 3),
        ("1/5", 1),
        ("6", 1),
        ("16.7", 1),
        ("-1/6", 1),
        ("1/36", 1),
        ("I don't know", 0),
    ] {
        assert_eq!(quality(&sixth, answer), expected, "{answer}");
    }
}

#[test]
fn a_unit_and_a_tolerance_are_respected() {
    let percent = number("1/6", None, Some("%"));
    assert_eq!((quality(&percent, "16.7"), quality(&percent, "16.7 %"), quality(&percent, "1/6")), (5, 5, 5));
    let rough = number("0.4", Some("0.05"), None);
    assert_eq!((quality(&rough, "0.44"), quality(&rough, "45%"), quality(&rough, "0.46")), (5, 5, 1));
    let whole = number("1000", None, None);
    assert_eq!((quality(&whole, "1,000"), quality(&whole, "1000.0"), quality(&whole, "1001")), (5, 5, 1));
    assert_eq!(quality(&number("120", None, None), "5!"), 5);
    assert_eq!(quality(&number("0", None, None), "0 %"), 5);
}

#[test]
fn a_denied_number_and_a_percentage_of_things_do_not_count() {
    let eight = number("8", None, None);
    let fifth = number("0.2", None, None);
    for (question, right, wrong, asked) in [
        (
            &eight,
            &["8, not 50", "it is not 50 but 8", "not sure, 8", "no, 8"][..],
            &["50, not 8", "800%", "800 percent"][..],
            &["not 8", "it isn't 8", "it is not equal to 8", "nicht 8"][..],
        ),
        (&fifth, &["20%", "not 25 %, 20 %"], &["not 20 % but 25 %"], &["not 0.2", "never 1/5"]),
    ] {
        for (answers, expected) in [(right, 5), (wrong, 1)] {
            for answer in answers {
                assert_eq!(
                    (quality(question, answer), is_unclear(question, answer)),
                    (expected, false),
                    "{answer}"
                );
            }
        }
        for answer in asked {
            assert!(is_unclear(question, answer) && quality(question, answer) == 0, "{answer}");
        }
    }
    assert_eq!(quality(&number("16", None, Some("%")), "16 %"), 5);
}

#[test]
fn an_answer_without_a_number_is_asked_about_and_not_marked() {
    let sixth = number("1/6", None, None);
    for answer in ["rather likely", "1/6 or 1/3", "between 1/6 and 1/2"] {
        assert!(is_unclear(&sixth, answer), "{answer}");
    }
    for answer in ["1/6", "I don't know", "", "0.2"] {
        assert!(!is_unclear(&sixth, answer), "{answer}");
    }
    assert_eq!(quality(&sixth, &"(".repeat(10_000)), 0);
    assert_eq!(quality(&sixth, "9^9^9^9^9"), 0);
}

#[test]
fn the_learners_own_word_is_worth_three_at_most() {
    let question = Question::Compare(Compare {
        asked: "Why?".into(),
        own: "because".into(),
        good: "For two reasons.".into(),
        ideas: vec!["one".into(), "two".into()],
    });
    for (answer, expected) in [
        ("a b", 3),
        ("a and b", 3),
        ("all", 3),
        ("both", 3),
        ("beide", 3),
        ("b", 2),
        ("A.", 2),
        ("none", 1),
        ("no", 1),
    ] {
        assert!(!is_unclear(&question, answer), "{answer}");
        assert_eq!(quality(&question, answer), expected, "{answer}");
    }
    for answer in ["", "c", "I had the first one", "a banana"] {
        assert!(is_unclear(&question, answer), "{answer}");
    }
}
