//! `etude test`: runs scenarios and says where they fail.

use super::config::Config;
use super::output::{self, BAD, GOOD, QUIET, paint, say};
use super::{NO, UNREADABLE};
use crate::scenario;
use clap::Args;
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
    results: Vec<serde_json::Value>,
}

impl Test {
    pub(crate) async fn run(self, config: &Config) -> ExitCode {
        let mut files = Vec::new();
        for path in &self.paths {
            if let Err(error) = gather(path, &mut files) {
                return output::error(&format!("{}: {error}", path.display()), UNREADABLE);
            }
        }
        if files.is_empty() {
            return output::error(
                "no .feature file is there. Give a file or a folder that has some",
                UNREADABLE,
            );
        }
        let mut tally = Tally::default();
        for file in &files {
            if let Err(code) = run_file(file, config.json, &mut tally).await {
                return code;
            }
        }
        if config.json {
            let summary = serde_json::json!({
                "passed": tally.passed, "failed": tally.failed, "scenarios": tally.results,
            });
            output::json(&summary);
        } else {
            say!("\n{} passed, {} failed", tally.passed, tally.failed);
        }
        ExitCode::from(if tally.failed == 0 { 0 } else { NO })
    }
}

/// A folder means every feature file below it, in the order of their names.
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

async fn run_file(file: &Path, json: bool, tally: &mut Tally) -> Result<(), ExitCode> {
    let name = file.display();
    let unreadable = |message: String| output::error(&message, UNREADABLE);
    let source = std::fs::read_to_string(file).map_err(|error| unreadable(format!("{name}: {error}")))?;
    let scenarios = flow::scenario::read(&source).map_err(|errors| {
        for error in &errors {
            anstream::eprintln!(
                "{} {name}:{}: {}\n  {}",
                paint(BAD, "error:"),
                error.line,
                error.message,
                error.cure
            );
        }
        ExitCode::from(UNREADABLE)
    })?;
    if let (Some(first), false) = (scenarios.first(), json) {
        say!("{} {}", first.feature, paint(QUIET, format!("({name})")));
    }
    let folder = file.parent().unwrap_or(Path::new("."));
    for scenario in &scenarios {
        let result = scenario::run(scenario, folder).await;
        tally.passed += usize::from(result.is_ok());
        tally.failed += usize::from(result.is_err());
        match result {
            Ok(()) if json => tally.results.push(serde_json::json!({"name": scenario.name, "passed": true})),
            Ok(()) => say!("  {} {}", paint(GOOD, "✓"), scenario.name),
            Err(mismatch) if json => tally.results.push(serde_json::json!({
                "name": scenario.name, "passed": false, "file": name.to_string(), "line": mismatch.line,
                "step": mismatch.step, "message": mismatch.message, "standing": mismatch.standing,
            })),
            Err(mismatch) => {
                say!("  {} {}", paint(BAD, "✗"), scenario.name);
                say!("    {name}:{}: {}", mismatch.line, mismatch.step);
                say!("    {}", mismatch.message);
                if let Some(standing) = mismatch.standing {
                    say!("    the flow stood at: {standing}");
                }
            }
        }
    }
    Ok(())
}
