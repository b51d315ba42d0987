//! Measures how well rules judge free answers: first-sight rates on answers that were written without sight of the
//! rubrics, and the agreement of marks from one good answer with given ones.

use crate::bench::Bench;
use crate::row::{Better, Measured, Row};
use coaching::curriculum::{Curriculum, Question, show};
use coaching::grade::{grade, grade_by_reference};
use coaching::learner::Quality;
use serde::Deserialize;
use std::path::Path;

const GROUP: &str = "grading";
/// The prefix of files with answers to the questions of the shipped curricula.
const BLIND: &str = "blind-";
const MARKED: &str = "answers-to-references.jsonl";

#[derive(Debug, Deserialize)]
struct Blind {
    curriculum: String,
    concept: String,
    ask: String,
    kind: Kind,
    answer: String,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
enum Kind {
    Right,
    Partial,
    Wrong,
    Bluff,
}

#[derive(Debug, Deserialize)]
struct Marked {
    question: String,
    reference: String,
    answer: String,
    mark: f64,
}

/// The judgements on the answers of one kind.
#[derive(Debug, Default)]
struct Rates {
    all: usize,
    full: usize,
    passed: usize,
    doubted: usize,
}

pub fn rows(bench: &Bench) -> Result<Vec<Row>, String> {
    let data = bench.root.join("bench/data");
    let curricula = curricula(&bench.root)?;
    let mut rows = Vec::new();
    for name in blind_files(&data)? {
        let answers: Vec<Blind> = read(&data.join(&name))?;
        rows.extend(first_sight(&name, &answers, &curricula)?);
    }
    rows.extend(by_reference(&read(&data.join(MARKED))?));
    Ok(rows)
}

fn first_sight(name: &str, answers: &[Blind], curricula: &[Curriculum]) -> Result<Vec<Row>, String> {
    let of = |kind: Kind| -> Result<Rates, String> {
        let mut rates = Rates::default();
        for answer in answers.iter().filter(|answer| answer.kind == kind) {
            rates.count(answer, curricula)?;
        }
        println!("{name}, {kind:?}: {rates:?}");
        Ok(rates)
    };
    let (right, wrong, bluff) = (of(Kind::Right)?, of(Kind::Wrong)?, of(Kind::Bluff)?);
    of(Kind::Partial)?;
    Ok(vec![
        row(format!("right answers in full, {name}"), "%", Better::More, right.percent(right.full), 92.0),
        row(format!("wrong answers passing, {name}"), "%", Better::Less, wrong.percent(wrong.passed), 3.0),
        row(format!("bluffs passing, {name}"), "%", Better::Less, bluff.percent(bluff.passed), 12.0),
    ])
}

impl Rates {
    fn count(&mut self, given: &Blind, curricula: &[Curriculum]) -> Result<(), String> {
        let question =
            question(given, curricula).ok_or_else(|| format!("there is no such question: {}", given.ask))?;
        let grade = grade(question, &show(question, 0), &given.answer);
        self.all += 1;
        self.full += usize::from(grade.quality >= Quality::GOOD && !grade.doubt);
        self.passed += usize::from(grade.quality >= Quality::HARD && !grade.doubt);
        self.doubted += usize::from(grade.doubt);
        Ok(())
    }

    fn percent(&self, count: usize) -> f64 {
        100.0 * count as f64 / self.all.max(1) as f64
    }
}

/// Finds the question of a curriculum, however its lines are broken.
fn question<'c>(given: &Blind, curricula: &'c [Curriculum]) -> Option<&'c Question> {
    let curriculum = curricula.iter().find(|curriculum| curriculum.id == given.curriculum)?;
    let is_asked = |question: &&Question| {
        matches!(question, Question::Free(_))
            && question.ask().split_whitespace().eq(given.ask.split_whitespace())
    };
    curriculum.concept(&given.concept)?.questions.iter().find(is_asked)
}

fn by_reference(answers: &[Marked]) -> Vec<Row> {
    let given: Vec<f64> = answers.iter().map(|answer| answer.mark).collect();
    let ours: Vec<f64> = answers
        .iter()
        .map(|answer| grade_by_reference(&answer.question, &answer.reference, &answer.answer))
        .map(|grade| f64::from(grade.quality.get()))
        .collect();
    let low: Vec<f64> =
        ours.iter().zip(&given).filter(|(_, mark)| **mark <= 2.0).map(|(ours, _)| *ours).collect();
    let flattered = 100.0 * low.iter().filter(|mark| **mark >= 5.0).count() as f64 / low.len().max(1) as f64;
    vec![
        row("correlation with given marks".into(), "", Better::More, correlation(&ours, &given), 0.55),
        row("full marks for answers marked 2 or less".into(), "%", Better::Less, flattered, 5.0),
    ]
}

fn correlation(one: &[f64], other: &[f64]) -> f64 {
    let mean = |numbers: &[f64]| numbers.iter().sum::<f64>() / numbers.len().max(1) as f64;
    let (a, b) = (mean(one), mean(other));
    let sum =
        |of: &dyn Fn(f64, f64) -> f64| one.iter().zip(other).map(|(x, y)| of(x - a, y - b)).sum::<f64>();
    sum(&|x, y| x * y) / (sum(&|x, _| x * x) * sum(&|_, y| y * y)).sqrt().max(f64::MIN_POSITIVE)
}

fn curricula(root: &Path) -> Result<Vec<Curriculum>, String> {
    let folder = root.join("packs/curricula");
    let read = |name: String| {
        let source = std::fs::read(folder.join(&name)).map_err(|error| format!("{name}: {error}"))?;
        Curriculum::read(&source, &name).map_err(|problems| format!("{name}: {problems:?}"))
    };
    names(&folder)?.into_iter().map(read).collect()
}

fn blind_files(data: &Path) -> Result<Vec<String>, String> {
    Ok(names(data)?.into_iter().filter(|name| name.starts_with(BLIND)).collect())
}

fn names(folder: &Path) -> Result<Vec<String>, String> {
    let entries = std::fs::read_dir(folder).map_err(|error| format!("{}: {error}", folder.display()))?;
    let mut names: Vec<String> =
        entries.flatten().map(|entry| entry.file_name().to_string_lossy().into_owned()).collect();
    names.sort();
    Ok(names)
}

fn read<T: serde::de::DeserializeOwned>(path: &Path) -> Result<Vec<T>, String> {
    let text = std::fs::read_to_string(path).map_err(|error| format!("{}: {error}", path.display()))?;
    text.lines().map(|line| serde_json::from_str(line).map_err(|error| error.to_string())).collect()
}

fn row(what: String, unit: &'static str, better: Better, number: f64, target: f64) -> Row {
    let ours = Measured::of(vec![Ok(number)], better);
    Row { group: GROUP, what, unit, better, ours, beside: None, target: Some(target) }
}
