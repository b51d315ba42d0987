//! Tests with realistic answers to the free questions of the shipped curricula, one a line in `answers/*.jsonl`,
//! each marked with whether it should pass.
//!
//! The first 903 were written with the lesson and the question in sight, but not the rubric. Later answers attack
//! wordings that looked too loose, answer every question as colloquially as possible, or argue against the ideas
//! that they name. The rubrics have learned from these answers and, since the grader weighs evidence, also from
//! those marked `held_out`. Only answers that were never graded before show how well it judges: the bench prints
//! those rates.

use super::shipped;
use coaching::curriculum::{Curriculum, Question, show};
use coaching::grade::{Grade, grade};
use coaching::learner::Quality;
use serde::Deserialize;

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Given {
    /// Set in files that answer questions of several curricula.
    curriculum: Option<String>,
    concept: String,
    /// The question's number in the concept, from 1.
    question: usize,
    answer: String,
    verdict: Expected,
    #[serde(default)]
    held_out: bool,
}

#[derive(Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
enum Expected {
    Right,
    Wrong,
}

/// A curriculum's id, its answers, and the least number of answers for each of its free questions.
const SETS: &[(&str, &str, usize)] = &[
    ("rust-for-programmers", include_str!("answers/rust-for-programmers.jsonl"), 4),
    ("sql", include_str!("answers/sql.jsonl"), 4),
    ("probability", include_str!("answers/probability.jsonl"), 4),
    ("python-from-zero", include_str!("answers/python-from-zero.jsonl"), 2),
];

/// The answers of a person who met the program for the first time, to questions of every form in all four
/// curricula. Each was written and labelled right or wrong before its mark was seen. The rubrics and the rules have
/// learned from them since.
const FIRST_SIGHT: &str = include_str!("answers/first-sight.jsonl");

/// Answers that miss the question or only guess.
const BESIDE_THE_POINT: &[&str] = &["It depends.", "I had soup for lunch today.", "yes", "no"];

fn answers(lines: &str) -> Vec<Given> {
    lines.lines().map(|line| serde_json::from_str(line).unwrap()).collect()
}

/// The sets, each with its curriculum and its least number of answers.
fn sets() -> Vec<(Curriculum, Vec<Given>, usize)> {
    let mut curricula = shipped();
    let set = |(id, lines, least): &(&str, &str, usize)| {
        let at = curricula.iter().position(|curriculum| curriculum.id == *id).unwrap();
        (curricula.swap_remove(at), answers(lines), *least)
    };
    SETS.iter().map(set).collect()
}

fn grade_of(curriculum: &Curriculum, given: &Given) -> Grade {
    let concept = curriculum.concept(&given.concept).unwrap();
    let question = &concept.questions[given.question - 1];
    grade(question, &show(question, 3), &given.answer)
}

/// The judgement of all answers with one label.
#[derive(Default)]
struct Tally {
    all: usize,
    full: usize,
    refused: Vec<String>,
    passed: Vec<String>,
}

impl Tally {
    fn count(&mut self, curriculum: &Curriculum, given: &Given) {
        let grade = grade_of(curriculum, given);
        let Given { concept, question, answer, .. } = given;
        let told = || format!("{}/{concept} {question}: {answer:?} gets {grade:?}", curriculum.id);
        self.all += 1;
        self.full += usize::from(grade.quality >= Quality::GOOD);
        self.passed.extend((grade.quality >= Quality::HARD).then(told));
        self.refused.extend((grade.quality < Quality::HARD && !grade.doubt).then(told));
    }

    fn percent(&self, count: usize) -> usize {
        count * 100 / self.all.max(1)
    }
}

fn tally(verdict: Expected, is_counted: impl Fn(&Given) -> bool) -> Tally {
    let mut tally = Tally::default();
    for (curriculum, answers, _) in sets() {
        let counted = answers.iter().filter(|given| given.verdict == verdict && is_counted(given));
        counted.for_each(|given| tally.count(&curriculum, given));
    }
    tally
}

/// An answer that the rules do not understand is a doubt, and the learner decides. To refuse a right answer would
/// be unfair, and so would passing a wrong one.
#[test]
fn few_right_answers_are_refused_and_few_wrong_ones_pass() {
    for held_out in [false, true] {
        let right = tally(Expected::Right, |given| given.held_out == held_out);
        assert!(right.percent(right.full) >= 86, "{} of {} in full", right.full, right.all);
        assert!(right.percent(right.refused.len()) < 3, "{:#?}", right.refused);
        let wrong = tally(Expected::Wrong, |given| given.held_out == held_out);
        assert!(wrong.percent(wrong.passed.len()) < 2, "{:#?}", wrong.passed);
    }
}

#[test]
fn answers_of_a_first_sitting_are_judged_well() {
    let curricula = shipped();
    let (mut right, mut wrong) = (Tally::default(), Tally::default());
    for given in answers(FIRST_SIGHT) {
        let of = |curriculum: &&Curriculum| Some(&curriculum.id) == given.curriculum.as_ref();
        let tally = if given.verdict == Expected::Right { &mut right } else { &mut wrong };
        tally.count(curricula.iter().find(of).unwrap(), &given);
    }
    assert!(right.percent(right.full) >= 86, "{} of {} in full", right.full, right.all);
    assert!(right.percent(right.refused.len()) < 3, "{:#?}", right.refused);
    assert!(wrong.percent(wrong.passed.len()) < 3, "{:#?}", wrong.passed);
}

/// Two things that a question contrasts, in the words of its model answer.
const PAIRS: &[(&str, &str, usize, [&str; 2])] = &[
    ("sql", "null-values", 5, ["0", "NULL"]),
    ("sql", "window-functions", 2, ["GROUP BY", "The window function"]),
    ("probability", "outcomes-events", 4, ["outcome", "event"]),
    ("probability", "counting", 2, ["Ann", "Bob"]),
    ("probability", "normal", 3, ["Ben", "Ana"]),
    ("python-from-zero", "values", 6, ["first", "second"]),
    ("python-from-zero", "booleans", 1, ["One sign", "Two signs"]),
    ("python-from-zero", "classes", 5, ["class", "object"]),
    ("rust-for-programmers", "bindings", 1, ["A", "B"]),
    ("rust-for-programmers", "option", 2, ["first", "second"]),
    ("rust-for-programmers", "copy-and-clone", 1, ["i32", "String"]),
    ("rust-for-programmers", "strings", 1, ["String", "&str"]),
    ("rust-for-programmers", "vectors", 2, ["first", "second"]),
    ("rust-for-programmers", "iterators", 2, ["first", "second"]),
    ("rust-for-programmers", "modules", 2, ["first", "second"]),
];

#[test]
fn swapping_two_things_fails_despite_the_right_words() {
    let curricula = shipped();
    let mut passed = Vec::new();
    for (id, concept, number, [one, other]) in PAIRS {
        let curriculum = curricula.iter().find(|curriculum| curriculum.id == *id).unwrap();
        let question = &curriculum.concept(concept).unwrap().questions[number - 1];
        let right = question.answer();
        assert!(right.contains(one) && right.contains(other), "{id}/{concept} {number}: {right}");
        let swapped = right.replace(one, "\u{1}").replace(other, one).replace('\u{1}', other);
        if grade(question, &show(question, 3), &swapped).quality >= Quality::HARD {
            passed.push(format!("{id}/{concept} {number}: {swapped}"));
        }
    }
    assert!(passed.is_empty(), "{passed:#?}");
}

#[test]
fn free_questions_have_both_kinds_of_answers_and_pass_no_idle_one() {
    for (curriculum, answers, least) in sets() {
        for concept in &curriculum.concepts {
            for (at, question) in concept.questions.iter().enumerate() {
                let is_of = |given: &&Given| given.concept == concept.id && given.question == at + 1;
                let count =
                    |verdict| answers.iter().filter(is_of).filter(|given| given.verdict == verdict).count();
                let (right, wrong) = (count(Expected::Right), count(Expected::Wrong));
                let is_free = matches!(question, Question::Free(_));
                let place = format!("{}/{} {}", curriculum.id, concept.id, at + 1);
                let is_enough = right >= 1 && wrong >= 1 && right + wrong >= least;
                assert_eq!(is_free, is_enough, "{place}: {right} right, {wrong} wrong");
                let passes = |answer: &&&str| {
                    is_free && grade(question, &show(question, 3), answer).quality >= Quality::HARD
                };
                let passing: Vec<_> = BESIDE_THE_POINT.iter().filter(passes).collect();
                assert!(passing.is_empty(), "{place}: {passing:?} pass");
            }
        }
    }
}
