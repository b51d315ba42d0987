//! Tests of answers to shipped questions that use the right words without saying the right thing.

use super::shipped;
use coaching::curriculum::{Curriculum, Form, Query, Question, Shown, show};
use coaching::grade::{Grade, Verdict, grade, is_in_another_language, unclear};
use std::sync::LazyLock;

static SHIPPED: LazyLock<Vec<Curriculum>> = LazyLock::new(shipped);

/// A question: its curriculum, its concept, and its number there, from 1.
type Place = (&'static str, &'static str, usize);

const QUOTES: Place = ("python-from-zero", "values", 6);
const SIGNS: Place = ("python-from-zero", "booleans", 1);
const NAMES: Place = ("python-from-zero", "variables", 5);
const ROW: Place = ("sql", "tables", 4);
const COPIED: Place = ("rust-for-programmers", "copy-and-clone", 1);
const VARIANT: Place = ("rust-for-programmers", "enums", 2);

fn question((curriculum, concept, number): Place) -> Question {
    let curriculum = SHIPPED.iter().find(|other| other.id == curriculum).unwrap();
    curriculum.concept(concept).unwrap().questions[number - 1].clone()
}

fn marked(place: Place, answer: &str) -> Grade {
    let question = question(place);
    grade(&question, &show(&question, 1), answer)
}

fn is_right(place: Place, answer: &str) -> bool {
    let grade = marked(place, answer);
    !grade.doubt && grade.verdict == Verdict::Right
}

#[test]
fn signs_tell_things_apart() {
    let right = [
        (QUOTES, "5 is a number and \"5\" is text"),
        (QUOTES, "`5` is an integer, `'5'` is a string"),
        (QUOTES, "“5” is text, 5 is a number you can calculate with"),
        (QUOTES, "text is \"5\", number is 5"),
        (SIGNS, "= assigns, == compares"),
        (SIGNS, "x=5 gives x a value, and x==5 asks whether it has it"),
    ];
    let swapped = [
        (QUOTES, "\"5\" is a number and 5 is text"),
        (QUOTES, "`'5'` is an integer, `5` is a string"),
        (QUOTES, "5 is a string and \"5\" is an integer"),
        (SIGNS, "== assigns, = compares"),
        (SIGNS, "x==5 gives x a value, and x=5 asks whether it has it"),
    ];
    let turned_down: Vec<_> = right.iter().filter(|(place, answer)| !is_right(*place, answer)).collect();
    let passing: Vec<_> = swapped.iter().filter(|(place, answer)| is_right(*place, answer)).collect();
    assert!(turned_down.is_empty() && passing.is_empty(), "{turned_down:?} {passing:?}");
}

#[test]
fn word_lists_are_doubted_and_short_answers_are_not() {
    for (place, heap) in [
        (NAMES, "Score score print NameError capitals name"),
        (NAMES, "Score, score, print, NameError, capitals"),
        (VARIANT, "variant type Payment Card enum"),
        (ROW, "no order id name key row values position where"),
        (("python-from-zero", "booleans", 4), "or true text empty or answer == yes stands twice"),
    ] {
        let grade = marked(place, heap);
        assert!(grade.doubt || grade.verdict != Verdict::Right, "{heap}: {grade:?}");
    }
    for (place, short) in [
        (("rust-for-programmers", "option", 2), "unwrap panics, unwrap_or(0) gives 0"),
        (("rust-for-programmers", "modules", 1), "mod bank; in main.rs"),
        (NAMES, "NameError, different names"),
    ] {
        assert!(is_right(place, short), "{short}: {:?}", marked(place, short));
    }
}

#[test]
fn a_wrong_statement_and_a_copy_of_the_question_earn_nothing() {
    for (place, answer) in [
        (VARIANT, "Because Payment is a variant and Card is the type"),
        (NAMES, "A SyntaxError because names must not begin with a capital letter"),
        (("python-from-zero", "tracebacks", 5), "yes because line 1 runs first"),
        (
            ("python-from-zero", "tracebacks", 1),
            "There is an error in the program and one should look carefully at the lines where it occurs.",
        ),
        (
            ("sql", "views", 5),
            "A view is one thing and a step in WITH is another thing, and the difference is how the view and the step work.",
        ),
    ] {
        let grade = marked(place, answer);
        assert_eq!((grade.quality.get(), grade.found.as_slice()), (1, &[][..]), "{answer}");
    }
    let half = marked(("sql", "inner-join", 2), "Ben doesn't have any loans.");
    assert_eq!((half.quality.get(), half.found.len()), (2, 1), "{half:?}");
}

#[test]
fn an_answer_in_another_language_is_doubted() {
    let Question::Free(free) = question(QUOTES) else { panic!("it is free") };
    for (answer, is_foreign) in [
        ("Mit Anführungszeichen ist es ein Text, ohne eine Zahl", true),
        ("Das eine ist eine Zahl und das andere nicht", true),
        ("no", false),
        ("They are the same in Python", false),
        ("nada", false),
    ] {
        assert_eq!(is_in_another_language(&free, answer), is_foreign, "{answer}");
        assert_eq!(marked(QUOTES, answer).doubt, is_foreign, "{answer}");
    }
}

#[test]
fn what_is_missing_is_named() {
    for (place, answer) in [
        (COPIED, "b copied the String, so a may be used"),
        (COPIED, "the String"),
        (QUOTES, "They are the same in Python"),
    ] {
        let grade = marked(place, answer);
        let feedback = super::in_english(&grade);
        assert!(!feedback.trim().ends_with(": ."), "{answer}: {feedback}");
        assert!(grade.verdict != Verdict::Right, "{answer}: {grade:?}");
    }
}

#[test]
fn a_question_too_short_to_tell_its_language_has_that_of_its_answer() {
    let Question::Free(mut free) = question(COPIED) else { panic!("it is free") };
    free.ask = "Explain `let b = a;`.".to_owned();
    assert!(is_in_another_language(&free, "Die Zahl wird kopiert und der Text nicht"));
    assert!(!is_in_another_language(&free, "The number is copied and the text is not"));
}

#[test]
fn a_question_instead_of_code_is_asked_back() {
    let query = Question::Query(Query {
        ask: "Who?".to_owned(),
        tables: "CREATE TABLE a (b)".to_owned(),
        others: None,
        answer: "SELECT b FROM a".to_owned(),
        ordered: false,
        then: None,
        explain: String::new(),
    });
    let shown: Shown = show(&query, 0);
    assert_eq!(shown.form, Form::Query);
    assert!(unclear(&shown, "what does NULL mean?").is_some());
    assert!(unclear(&shown, "Was bedeutet NULL?").is_some());
    for answer in ["SELECT b FROM a", "what does NULL mean", "EXPLAIN SELECT b FROM a WHERE b = '?'", "idk"] {
        assert!(unclear(&shown, answer).is_none(), "{answer}");
    }
}

#[test]
fn not_knowing_may_be_said_twice() {
    let concepts = SHIPPED.iter().flat_map(|curriculum| &curriculum.concepts);
    let choice = concepts
        .flat_map(|concept| &concept.questions)
        .find(|question| matches!(question, Question::Choice(_)))
        .unwrap();
    let shown = show(choice, 0);
    for answer in ["no clue, never heard of it", "Keine Ahnung, nie gehört", "I never heard of it"] {
        assert!(unclear(&shown, answer).is_none(), "{answer}");
        assert_eq!(grade(choice, &shown, answer).verdict, Verdict::Blank, "{answer}");
    }
}
