//! Tests of ideas that an answer names only to argue against them, and of answers that only ask.

use super::{check, free};
use coaching::curriculum::{Question, show};
use coaching::grade::{Verdict, grade, unclear};

fn injured() -> Question {
    free(
        "How do you keep who is injured, and why is the red not kept by itself?",
        &[&["column"], &["no colour", "formatting ___ lost"]],
        &[&["colour is kept"]],
        "In a column, because a table has no colours.",
    )
}

#[test]
fn a_dismissed_idea_does_not_count() {
    check(
        &injured(),
        &[
            ("A column is not needed", 1, &[]),
            ("a column isn't necessary", 1, &[]),
            ("A column is unnecessary.", 1, &[]),
            ("Columns are a bad idea here", 1, &[]),
            ("a column would be useless", 1, &[]),
            ("a column would not help", 1, &[]),
            ("a column for the injured is pointless", 1, &[]),
            ("a column is never needed", 1, &[]),
            ("There is no need for a column", 1, &[]),
            ("no need for paint in a column", 3, &["column"]),
            ("a column is simply the wrong way", 1, &[]),
            ("a column is the right way, a bad one is paint", 3, &["column"]),
            ("a column is needed", 3, &["column"]),
            ("a column is not bad", 3, &["column"]),
            ("a column is necessary because the red is useless", 3, &["column"]),
            ("a column, the red is not needed", 3, &["column"]),
            ("a column is useless? no: use a column", 3, &["column"]),
            ("a column for it because paint is wrong", 3, &["column"]),
            ("a yes/no column, no colour", 5, &["column", "no colour"]),
            ("a yes or no column: no colours", 5, &["column", "no colours"]),
        ],
    );
}

#[test]
fn a_retracted_clause_loses_its_denials_too() {
    check(
        &injured(),
        &[
            ("It is not true that a table has no colour", 1, &[]),
            ("It's false that tables have no colours", 1, &[]),
            ("it is wrong to say that a table has no colour, use a column", 3, &["column"]),
            ("It is a myth that the formatting of a sheet is always lost", 1, &[]),
            ("it is not the case that there is no colour", 1, &[]),
            ("there is no colour problem", 1, &[]),
            ("I doubt that there is no colour", 1, &[]),
            ("it is true that a table has no colour", 3, &["no colour"]),
            ("it is not wrong that a table has no colour", 3, &["no colour"]),
            ("What is wrong is that there is no colour", 3, &["no colour"]),
            ("It is not true that red stays, a table has no colour: a column", 5, &["column", "no colour"]),
        ],
    );
}

#[test]
fn a_name_denies_nothing() {
    let question = free("Which member?", &[&["where ___ =", "a condition"]], &[], "where id = 7");
    check(
        &question,
        &[
            ("WHERE card_no = 7", 5, &["WHERE card_no ="]),
            ("where_not a condition", 5, &["a condition"]),
            ("where no = 7", 1, &[]),
        ],
    );
}

#[test]
fn a_misconception_is_found_in_the_plural() {
    let question = injured();
    let said =
        |answer: &str| grade(&question, &show(&question, 0), answer).misconception.map(|wrong| wrong.words);
    for (answer, words) in [
        ("colour is kept", Some("colour is kept")),
        ("all colours are kept", Some("colours are kept")),
        ("colours are not kept", None),
        ("it is false that colours are kept", None),
    ] {
        assert_eq!(said(answer).as_deref(), words, "{answer}");
    }
}

#[test]
fn a_bare_question_is_no_answer() {
    let question = injured();
    let shown = show(&question, 0);
    for (answer, asks) in [
        ("What is a column?", true),
        ("what's a column ?", true),
        ("Is it a column?", true),
        ("How would formatting get lost?", true),
        ("a column?", false),
        ("Why? Because there is no colour.", false),
        ("In a column, where else?", false),
        ("Which column should it be?", false),
        ("What you need is a column", false),
    ] {
        let told = grade(&question, &shown, answer);
        assert_eq!(told.verdict == Verdict::Blank, asks, "{answer}: {told:?}");
        assert_eq!(unclear(&shown, answer) == Some(coaching::grade::words::asked()), asks, "{answer}");
    }
    assert_eq!(unclear(&shown, "?"), None);
}
