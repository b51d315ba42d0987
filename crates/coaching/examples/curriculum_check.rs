//! Checks curricula: `cargo run -p coaching --example curriculum_check packs/curricula/*.yaml`.
//!
//! Prints every problem with its place, every right answer that would not be graded as right, and one line per
//! file. The exit code is 1 when a curriculum is refused or misgrades itself.

use std::process::ExitCode;

use coaching::teach::curriculum::{self, Concept, Curriculum, Form, Question, Severity, Shown, show};
use coaching::teach::grade::{Verdict, grade};

const SEEDS: u64 = 3;

fn main() -> ExitCode {
    let paths: Vec<String> = std::env::args().skip(1).collect();
    if paths.is_empty() {
        eprintln!("give the paths of the curricula to check");
        return ExitCode::from(2);
    }
    let refused = paths.iter().filter(|path| !is_fine(path)).count();
    if refused == 0 { ExitCode::SUCCESS } else { ExitCode::FAILURE }
}

fn is_fine(path: &str) -> bool {
    let source = match std::fs::read(path) {
        Ok(source) => source,
        Err(error) => {
            println!("{path}: cannot be read: {error}");
            return false;
        }
    };
    let problems = curriculum::check(&source, path);
    for problem in &problems {
        println!("{path}:{problem}");
    }
    let errors = problems.iter().filter(|problem| problem.severity == Severity::Error).count();
    println!("{path}: {errors} errors, {} warnings", problems.len() - errors);
    let misgraded = Curriculum::read(&source, path).map_or(0, |curriculum| summary(path, &curriculum));
    errors + misgraded == 0
}

/// Prints what is in it and says how many of its right answers are not right.
fn summary(path: &str, curriculum: &Curriculum) -> usize {
    let questions = || curriculum.concepts.iter().flat_map(|concept| &concept.questions);
    let count = |form: Form| questions().filter(|question| question.form() == form).count();
    let [free, choice, cloze, order] = Form::ALL.map(count);
    println!(
        "{path}: {} concepts, {} questions ({free} free, {choice} choice, {cloze} cloze, {order} order), depth {}, {} minutes",
        curriculum.concepts.len(),
        questions().count(),
        curriculum.depth(),
        curriculum.minutes(),
    );
    let wrong: Vec<String> = curriculum.concepts.iter().flat_map(misgraded).collect();
    wrong.iter().for_each(|line| println!("{path}: {line}"));
    wrong.len()
}

fn misgraded(concept: &Concept) -> Vec<String> {
    let mut wrong = Vec::new();
    for (at, question) in concept.questions.iter().enumerate() {
        for seed in 0..SEEDS {
            let shown = show(question, seed);
            let answer = right_answer(question, &shown);
            let grade = grade(question, &shown, &answer);
            if grade.verdict != Verdict::Right {
                let (id, number) = (&concept.id, at + 1);
                wrong.push(format!("{id}, question {number}: the right answer “{answer}” gets {grade:?}"));
                break;
            }
        }
    }
    wrong
}

/// What a learner who knows it types.
fn right_answer(question: &Question, shown: &Shown) -> String {
    match question {
        Question::Free(free) => free.answer.clone(),
        Question::Choice(choice) => {
            choice.options.iter().find(|o| o.right).map_or(String::new(), |o| o.text.clone())
        }
        Question::Cloze(cloze) => {
            cloze.blanks.iter().map(|any| any[0].as_str()).collect::<Vec<_>>().join("; ")
        }
        Question::Order(order) => {
            let label = |step: &String| {
                shown.entries.iter().find(|entry| entry.text == *step).map(|e| e.label.as_str())
            };
            order.steps.iter().filter_map(label).collect::<Vec<_>>().join(" ")
        }
    }
}
