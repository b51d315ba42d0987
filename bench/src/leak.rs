//! Measures how well the leak guard tells replies that give something away from those that do not.

use crate::bench::Bench;
use crate::row::{Better, Measured, Row};
use coaching::leak::{Guarded, Said, look};
use serde::Deserialize;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

const GROUP: &str = "leak";

#[derive(Debug, Deserialize)]
struct Case {
    domain: String,
    statement: String,
    reference: String,
    dialogue: Vec<Said>,
    reply: String,
    leak: bool,
}

#[derive(Debug, Default)]
struct Counts {
    found: usize,
    missed: usize,
    held_back: usize,
    let_through: usize,
}

pub fn rows(bench: &Bench) -> Result<Vec<Row>, String> {
    let mut rows = Vec::new();
    for path in files(&bench.root.join("bench/data"))? {
        let name = path.file_stem().unwrap_or_default().to_string_lossy().into_owned();
        for (domain, counts) in count(&path)? {
            println!("{name}, {domain}: {counts:?}, precision {:.3}", counts.precision());
            let what = |of: &str| format!("{of}, {domain}, {name}");
            rows.push(row(what("F1"), "", Better::More, counts.f1(), 0.7));
            rows.push(row(what("leaks found"), "%", Better::More, 100.0 * counts.recall(), 60.0));
            rows.push(row(what("harmless replies held back"), "%", Better::Less, 100.0 * counts.over(), 3.0));
        }
    }
    Ok(rows)
}

fn count(path: &Path) -> Result<BTreeMap<String, Counts>, String> {
    let text = std::fs::read_to_string(path).map_err(|error| format!("{}: {error}", path.display()))?;
    let mut by_domain: BTreeMap<String, Counts> = BTreeMap::new();
    for line in text.lines() {
        let case: Case =
            serde_json::from_str(line).map_err(|error| format!("{}: {error}", path.display()))?;
        let is_found = case.is_found();
        by_domain.entry(case.domain).or_default().add(case.leak, is_found);
    }
    Ok(by_domain)
}

impl Case {
    fn is_found(&self) -> bool {
        let guarded = Guarded {
            reference: &[&self.reference],
            statement: &self.statement,
            dialogue: &self.dialogue,
            ..Guarded::default()
        };
        look(&guarded, &self.reply).leak
    }
}

impl Counts {
    fn add(&mut self, is_leak: bool, is_found: bool) {
        *match (is_leak, is_found) {
            (true, true) => &mut self.found,
            (true, false) => &mut self.missed,
            (false, true) => &mut self.held_back,
            (false, false) => &mut self.let_through,
        } += 1;
    }

    fn precision(&self) -> f64 {
        share(self.found, self.held_back)
    }

    fn recall(&self) -> f64 {
        share(self.found, self.missed)
    }

    fn over(&self) -> f64 {
        share(self.held_back, self.let_through)
    }

    fn f1(&self) -> f64 {
        share(2 * self.found, self.missed + self.held_back)
    }
}

fn share(part: usize, rest: usize) -> f64 {
    part as f64 / (part + rest).max(1) as f64
}

fn files(folder: &Path) -> Result<Vec<PathBuf>, String> {
    let entries = std::fs::read_dir(folder).map_err(|error| format!("{}: {error}", folder.display()))?;
    let is_ours =
        |path: &PathBuf| path.file_name().is_some_and(|name| name.to_string_lossy().starts_with("leak-"));
    let mut files: Vec<PathBuf> = entries.flatten().map(|entry| entry.path()).filter(is_ours).collect();
    files.sort();
    Ok(files)
}

fn row(what: String, unit: &'static str, better: Better, number: f64, target: f64) -> Row {
    let ours = Measured::of(vec![Ok(number)], better);
    Row { group: GROUP, what, unit, better, ours, beside: None, target: Some(target) }
}
