//! Measures how fairly the rules of an attempt read people's texts at first sight: explanations, invariants,
//! complexities and answers to a changed constraint.

use crate::bench::Bench;
use crate::row::{Better, Measured, Row};
use coaching::attempt::Explanation;
use coaching::attempt::sight::{self, Sight};
use coaching::problems::{Catalogue, Problem};
use serde::Deserialize;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

const GROUP: &str = "attempt";
/// The sets of cases. The wordings of the problems were written with the last set, so its figures flatter them.
const SETS: [&str; 7] =
    ["attempt-a", "attempt-b", "attempt-c", "attempt-d", "attempt-e", "attempt-f", "attempt-known"];

#[derive(Debug, Deserialize)]
struct Case {
    problem: String,
    step: Step,
    /// The kind of text, such as `own words` or `pasted statement`.
    kind: String,
    /// Whether the text should count.
    good: bool,
    #[serde(default)]
    said: Explanation,
    #[serde(default)]
    text: String,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Deserialize)]
#[serde(rename_all = "lowercase")]
enum Step {
    Understand,
    Invariant,
    Complexity,
    Challenge,
}

#[derive(Debug, Default)]
struct Counts {
    passed: usize,
    asked: usize,
    refused: usize,
}

pub fn rows(bench: &Bench) -> Result<Vec<Row>, String> {
    let problems = problems(&bench.root.join("packs/problems"))?;
    let mut rows = Vec::new();
    for set in SETS {
        let path = bench.root.join("bench/data").join(format!("{set}.jsonl"));
        for ((step, good, kind), counts) in count(&path, &problems)? {
            println!("{set}, {step:?}, {kind}: {counts:?}");
            let what = format!("{step:?}, {kind}, {set}").to_lowercase();
            rows.push(match good {
                true => row(what, Better::More, counts.passed_percent(), 60.0),
                false => row(what, Better::Less, counts.passed_percent(), 5.0),
            });
        }
    }
    Ok(rows)
}

type Kinds = BTreeMap<(Step, bool, String), Counts>;

fn count(path: &Path, problems: &[Problem]) -> Result<Kinds, String> {
    let told = |error: &dyn std::fmt::Display| format!("{}: {error}", path.display());
    let text = std::fs::read_to_string(path).map_err(|error| told(&error))?;
    let mut kinds = Kinds::new();
    for line in text.lines() {
        let case: Case = serde_json::from_str(line).map_err(|error| told(&error))?;
        let problem = problems.iter().find(|problem| problem.id == case.problem);
        let sight = case.seen(problem.ok_or_else(|| told(&format!("there is no {}", case.problem)))?);
        kinds.entry((case.step, case.good, case.kind)).or_default().add(sight);
    }
    Ok(kinds)
}

impl Case {
    fn seen(&self, problem: &Problem) -> Sight {
        match self.step {
            Step::Understand => sight::explanation(problem, &self.said),
            Step::Invariant => sight::invariant(problem, &self.text),
            Step::Complexity => sight::complexity(problem, &self.text),
            Step::Challenge => sight::challenge(problem, &self.text),
        }
    }
}

impl Counts {
    fn add(&mut self, sight: Sight) {
        *match sight {
            Sight::Passed => &mut self.passed,
            Sight::Asked => &mut self.asked,
            Sight::Refused => &mut self.refused,
        } += 1;
    }

    fn passed_percent(&self) -> f64 {
        100.0 * self.passed as f64 / (self.passed + self.asked + self.refused).max(1) as f64
    }
}

fn problems(folder: &Path) -> Result<Vec<Problem>, String> {
    let read = |path: &Path| std::fs::read(path).map_err(|error| format!("{}: {error}", path.display()));
    let patterns = folder.join("patterns.yaml");
    let catalogue = Catalogue::read(&read(&patterns)?).map_err(|problems| format!("{problems:?}"))?;
    let entries = std::fs::read_dir(folder).map_err(|error| format!("{}: {error}", folder.display()))?;
    let paths: Vec<PathBuf> = entries.flatten().map(|entry| entry.path()).collect();
    let problem = |path: &PathBuf| {
        let name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
        Problem::read(&read(path)?, &name, &catalogue).map_err(|problems| format!("{name}: {problems:?}"))
    };
    paths.iter().filter(|path| **path != patterns).map(problem).collect()
}

fn row(what: String, better: Better, number: f64, target: f64) -> Row {
    let ours = Measured::of(vec![Ok(number)], better);
    Row { group: GROUP, what, unit: "%", better, ours, beside: None, target: Some(target) }
}
