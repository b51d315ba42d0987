//! Fits the weights by which rules mark free answers, and prints them as `weights.txt` wants them.
//!
//!     cargo run -p coaching --example fit_grading > crates/coaching/src/grade/weights.txt
//!
//! It is a logistic regression: which signs tell a right answer from a partial, a wrong and a bluffing one? It learns from the
//! answers in `LEARNT`, long ones and short ones; the other blind sets never come near it.

use coaching::curriculum::{Curriculum, Question};
use coaching::grade::signs;
use serde::Deserialize;
use std::error::Error;
use std::path::Path;

const LEARNT: [&str; 7] = [
    "bench/data/blind-a.jsonl",
    "bench/data/blind-c.jsonl",
    "crates/coaching/tests/teach_grade/answers/first-sight.jsonl",
    "crates/coaching/tests/teach_grade/answers/probability.jsonl",
    "crates/coaching/tests/teach_grade/answers/python-from-zero.jsonl",
    "crates/coaching/tests/teach_grade/answers/rust-for-programmers.jsonl",
    "crates/coaching/tests/teach_grade/answers/sql.jsonl",
];
/// What keeps weights small that few answers speak for.
const RIDGE: f64 = 0.005;
const STEPS: usize = 40;

#[derive(Debug, Deserialize)]
struct Answer {
    /// The file is named for it otherwise.
    curriculum: Option<String>,
    concept: String,
    #[serde(flatten)]
    question: Asked,
    #[serde(alias = "verdict")]
    kind: String,
    answer: String,
}

#[derive(Debug, Deserialize)]
#[serde(rename_all = "lowercase")]
enum Asked {
    Ask(String),
    /// Its number in the concept, from 1.
    Question(usize),
}

/// One answer: its signs, whether it is right, and how much it counts.
struct Case {
    signs: Vec<f64>,
    is_right: bool,
    weight: f64,
}

fn main() -> Result<(), Box<dyn Error>> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let curricula = curricula(&root.join("packs/curricula"))?;
    let (mut names, mut cases) = (Vec::new(), Vec::new());
    for file in LEARNT {
        let name = Path::new(file).file_stem().and_then(|name| name.to_str()).unwrap_or_default();
        let is_blind = name.starts_with("blind");
        for line in std::fs::read_to_string(root.join(file))?.lines() {
            let answer: Answer = serde_json::from_str(line)?;
            let Some(Question::Free(free)) = question(&answer, name, &curricula) else { continue };
            let signs = signs(free, &answer.answer);
            names = signs.iter().map(|(name, _)| *name).chain(["base"]).collect();
            let signs = signs.iter().map(|(_, sign)| f64::from(*sign)).chain([1.0]).collect();
            cases.push(Case {
                signs,
                is_right: answer.kind == "right",
                weight: weight(&answer.kind, is_blind),
            });
        }
    }
    eprintln!("{} answers", cases.len());
    println!("# How much each sign counts. Made by `cargo run -p coaching --example fit_grading`.");
    for (name, weight) in names.iter().zip(fit(&cases)) {
        println!("{name} {weight:.3}");
    }
    Ok(())
}

/// A wrong answer that passes does more harm than a partial one, and bluffs are easy to tell. The rubrics have learnt from what
/// was not written blind, so it tells less.
fn weight(kind: &str, is_blind: bool) -> f64 {
    let weight = match kind {
        "wrong" => 1.5,
        "partial" => 0.6,
        "bluff" => 0.5,
        _ => 1.0,
    };
    if is_blind { weight } else { 0.5 * weight }
}

/// Newton's method. Signs are scaled by their spread, so that the ridge treats them alike.
fn fit(cases: &[Case]) -> Vec<f64> {
    let size = cases[0].signs.len();
    let spread: Vec<f64> = (0..size).map(|at| spread(cases, at)).collect();
    let mut weights = vec![0.0; size];
    for _ in 0..STEPS {
        let mut slope = vec![0.0; size];
        let mut bend = vec![vec![0.0; size]; size];
        for case in cases {
            let signs: Vec<f64> =
                case.signs.iter().zip(&spread).map(|(sign, spread)| sign / spread).collect();
            let sum: f64 = signs.iter().zip(&weights).map(|(sign, weight)| sign * weight).sum();
            let guess = 1.0 / (1.0 + (-sum).exp());
            let share = case.weight / cases.len() as f64;
            for (row, one) in signs.iter().enumerate() {
                slope[row] += share * (guess - f64::from(u8::from(case.is_right))) * one;
                for (column, other) in signs.iter().enumerate() {
                    bend[row][column] += share * guess * (1.0 - guess) * one * other;
                }
            }
        }
        for at in 0..size - 1 {
            slope[at] += RIDGE * weights[at];
            bend[at][at] += RIDGE;
        }
        for (weight, step) in weights.iter_mut().zip(solve(bend, slope)) {
            *weight -= step;
        }
    }
    weights.iter().zip(&spread).map(|(weight, spread)| weight / spread).collect()
}

/// The standard deviation of a sign; 1 for the constant one.
fn spread(cases: &[Case], at: usize) -> f64 {
    let count = cases.len() as f64;
    let mean = cases.iter().map(|case| case.signs[at]).sum::<f64>() / count;
    let variance = cases.iter().map(|case| (case.signs[at] - mean).powi(2)).sum::<f64>() / count;
    if variance > 1e-9 { variance.sqrt() } else { 1.0 }
}

/// Gauss's elimination of a positive definite system.
fn solve(mut matrix: Vec<Vec<f64>>, mut right: Vec<f64>) -> Vec<f64> {
    let size = right.len();
    for pivot in 0..size {
        let (above, below) = matrix.split_at_mut(pivot + 1);
        for (row, cells) in below.iter_mut().enumerate() {
            let factor = cells[pivot] / above[pivot][pivot];
            for (cell, other) in cells.iter_mut().zip(&above[pivot]).skip(pivot) {
                *cell -= factor * other;
            }
            right[pivot + 1 + row] -= factor * right[pivot];
        }
    }
    for row in (0..size).rev() {
        let known: f64 = (row + 1..size).map(|column| matrix[row][column] * right[column]).sum();
        right[row] = (right[row] - known) / matrix[row][row];
    }
    right
}

fn curricula(folder: &Path) -> Result<Vec<Curriculum>, Box<dyn Error>> {
    let mut curricula = Vec::new();
    for entry in std::fs::read_dir(folder)? {
        let path = entry?.path();
        let source = std::fs::read(&path)?;
        let name = path.display().to_string();
        curricula.push(Curriculum::read(&source, &name).map_err(|problems| format!("{name}: {problems:?}"))?);
    }
    Ok(curricula)
}

/// The question of a curriculum, however its lines are broken.
fn question<'c>(given: &Answer, file: &str, curricula: &'c [Curriculum]) -> Option<&'c Question> {
    let id = given.curriculum.as_deref().unwrap_or(file);
    let curriculum = curricula.iter().find(|curriculum| curriculum.id == id)?;
    let questions = &curriculum.concept(&given.concept)?.questions;
    match &given.question {
        Asked::Question(number) => questions.get(number - 1),
        Asked::Ask(ask) => {
            let is_asked =
                |question: &&Question| question.ask().split_whitespace().eq(ask.split_whitespace());
            questions.iter().find(is_asked)
        }
    }
}
