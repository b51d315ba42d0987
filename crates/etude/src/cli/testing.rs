//! `etude test`: runs scenarios and reports where they fail.

use super::config::Config;
use super::output::{self, BAD, Done, GOOD, QUIET, paint, say, unreadable};
use super::{NO, UNREADABLE};
use crate::scenario::{self, Mismatch, Scenario};
use clap::Args;
use flow::scenario::Unread;
use serde_json::{Value, json};
use std::path::{Path, PathBuf};
use std::process::ExitCode;

#[derive(Debug, Args)]
pub(crate) struct Test {
    /// Feature files, or folders that hold them
    #[arg(required = true)]
    paths: Vec<PathBuf>,
}

#[derive(Default)]
struct Tally {
    passed: usize,
    failed: usize,
    /// Whether a file or a step could not be understood.
    unreadable: bool,
    results: Vec<Value>,
}

impl Test {
    pub(crate) async fn run(self, config: &Config) -> Done {
        let mut files = Vec::new();
        for path in &self.paths {
            gather(path, &mut files).map_err(|error| unreadable(format!("{}: {error}", path.display())))?;
        }
        if files.is_empty() {
            return Err(unreadable("no .feature file is there. Give a file or a folder that has some"));
        }
        let mut tally = Tally::default();
        for file in &files {
            run_file(file, config, &mut tally).await;
        }
        let Tally { passed, failed, unreadable, results } = tally;
        let summary = json!({"passed": passed, "failed": failed, "scenarios": results});
        output::answer(config, &summary, |_| say!("\n{passed} passed, {failed} failed"))?;
        Ok(ExitCode::from(match failed {
            _ if unreadable => UNREADABLE,
            0 => 0,
            _ => NO,
        }))
    }
}

/// Collects feature files. A folder stands for all those below it, sorted by name.
fn gather(path: &Path, files: &mut Vec<PathBuf>) -> std::io::Result<()> {
    if !path.is_dir() {
        std::fs::metadata(path)?;
        files.push(path.to_owned());
        return Ok(());
    }
    let mut entries: Vec<PathBuf> =
        std::fs::read_dir(path)?.map(|entry| entry.map(|entry| entry.path())).collect::<Result<_, _>>()?;
    entries.sort();
    for entry in entries {
        if entry.is_dir() || entry.extension().is_some_and(|ending| ending == "feature") {
            gather(&entry, files)?;
        }
    }
    Ok(())
}

async fn run_file(file: &Path, config: &Config, tally: &mut Tally) {
    let name = file.display().to_string();
    let scenarios = match read(file) {
        Ok(scenarios) => scenarios,
        Err(message) => {
            output::error(&message, UNREADABLE);
            tally.unreadable = true;
            return;
        }
    };
    if let (Some(first), false) = (scenarios.first(), config.json) {
        say!("{} {}", first.feature, paint(QUIET, format!("({name})")));
    }
    let folder = file.parent().unwrap_or(Path::new("."));
    for scenario in &scenarios {
        tally.unreadable |= !scenario.unread.is_empty();
        let mismatches = run_scenario(scenario, folder, config).await;
        match mismatches.is_empty() {
            true => tally.passed += 1,
            false => tally.failed += 1,
        }
        match config.json {
            true => tally.results.push(result(&name, scenario, mismatches.first())),
            false => tell(&name, scenario, &mismatches),
        }
    }
}

fn read(file: &Path) -> Result<Vec<Scenario>, String> {
    let name = file.display();
    let source = std::fs::read_to_string(file).map_err(|error| format!("{name}: {error}"))?;
    scenario::read(&source)
        .map_err(|error| format!("{name}:{}: {}\n  {}", error.line, error.message, error.cure))
}

/// Runs a scenario. Returns every step that has no meaning, or else the first one that failed.
async fn run_scenario(scenario: &Scenario, folder: &Path, config: &Config) -> Vec<Mismatch> {
    if scenario.unread.is_empty() {
        return scenario::run(scenario, folder, config.flows).await.err().into_iter().collect();
    }
    let unread = scenario.unread.iter().map(|Unread { text, error }| Mismatch {
        line: error.line,
        step: text.clone(),
        message: format!("{}; {}", error.message, error.cure),
        standing: None,
    });
    unread.collect()
}

fn result(file: &str, scenario: &Scenario, mismatch: Option<&Mismatch>) -> Value {
    match mismatch {
        None => json!({"name": scenario.name, "passed": true}),
        Some(mismatch) => json!({
            "name": scenario.name, "passed": false, "file": file, "line": mismatch.line,
            "step": mismatch.step, "message": mismatch.message, "standing": mismatch.standing,
        }),
    }
}

fn tell(file: &str, scenario: &Scenario, mismatches: &[Mismatch]) {
    let mark = if mismatches.is_empty() { paint(GOOD, "✓") } else { paint(BAD, "✗") };
    say!("  {mark} {}", scenario.name);
    for mismatch in mismatches {
        say!("    {file}:{}: {}", mismatch.line, mismatch.step);
        say!("    {}", mismatch.message);
        if let Some(standing) = &mismatch.standing {
            say!("    the flow stood at: {standing}");
        }
    }
}
