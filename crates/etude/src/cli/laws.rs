//! Commands about laws: check, export, explain, diff.

use super::config::Config;
use super::output::{self, GOOD, QUIET, paint, say};
use super::{NO, UNREADABLE};
use crate::flows::{self, Flows};
use clap::Args;
use flow::{Bounds, Code, Law, Machine, Name, Overrides, Problem};
use std::io::Read;
use std::path::PathBuf;
use std::process::ExitCode;

/// A law to look at, with its constants.
#[derive(Debug, Args)]
pub(crate) struct LawArgs {
    /// A law file, `-` for standard input, or the name of a flow such as `drill`
    law: String,
    /// Use another value for a constant of the law
    #[arg(long, value_name = "NAME=NUMBER", value_parser = parse_set)]
    set: Vec<(String, i64)>,
}

pub(crate) fn parse_set(text: &str) -> Result<(String, i64), String> {
    let (name, value) = text.split_once('=').ok_or("write NAME=NUMBER")?;
    let value = value.trim().parse().map_err(|_| format!("`{value}` is not a whole number"))?;
    Ok((name.trim().to_owned(), value))
}

/// A law that was found, with the text that problems point into.
struct Source {
    name: String,
    text: String,
    bytes: Vec<u8>,
}

impl Source {
    fn find(law: &str) -> Result<Source, String> {
        if let Some(entry) = Flows::built_in(None).get(law) {
            let text = entry.law.source.clone();
            return Ok(Source { name: law.to_owned(), bytes: text.clone().into_bytes(), text });
        }
        let mut bytes = Vec::new();
        // One byte more than a law may have tells that it is too long.
        let most = flow::MAX_SOURCE_BYTES as u64 + 1;
        let read = match law {
            "-" => std::io::stdin().take(most).read_to_end(&mut bytes),
            path => std::fs::File::open(path).and_then(|file| file.take(most).read_to_end(&mut bytes)),
        };
        read.map_err(|error| format!("{law}: {error}. Give a law file, `-`, or the name of a flow"))?;
        let text = String::from_utf8_lossy(&bytes).into_owned();
        Ok(Source { name: law.to_owned(), text, bytes })
    }

    fn law(&self) -> Result<Law, Vec<Problem>> {
        Law::read_bytes(&self.bytes)
    }

    fn machine(&self, set: &Overrides) -> Result<Machine, Vec<Problem>> {
        let law = self.law()?;
        Machine::bind(&law, flows::vocabulary_of(&law).as_ref(), set)
    }

    fn show(&self, problems: &[Problem]) {
        let colour = output::colours();
        for problem in problems {
            let file = if self.name == "-" { "standard input" } else { &self.name };
            say!("{}\n", problem.render(file, &self.text, colour));
        }
    }
}

#[derive(Debug, Args)]
pub(crate) struct Check {
    #[command(flatten)]
    law: LawArgs,
    /// Stop the walk after so many configurations
    #[arg(long, value_name = "NUMBER", default_value_t = Bounds::default().configurations)]
    bound: usize,
}

impl Check {
    pub(crate) fn run(self, config: &Config) -> ExitCode {
        let source = match Source::find(&self.law.law) {
            Ok(source) => source,
            Err(message) => return output::error(&message, UNREADABLE),
        };
        let set: Overrides = self.law.set.into_iter().collect();
        let bounds = Bounds { configurations: self.bound };
        let prove = |law: Law| flow::check(&law, flows::vocabulary_of(&law).as_ref(), &set, bounds);
        let report = source.law().and_then(|law| output::with_progress("walking", || prove(law)));
        match report {
            Ok(report) if config.json => {
                output::json(&report);
                ExitCode::from(if report.is_clean() { 0 } else { NO })
            }
            Err(problems) if config.json => {
                output::json(
                    &serde_json::json!({"law": source.name, "configurations": 0, "problems": problems}),
                );
                ExitCode::from(UNREADABLE)
            }
            Ok(report) => {
                source.show(&report.problems);
                say_verdict(&report);
                ExitCode::from(if report.is_clean() { 0 } else { NO })
            }
            Err(problems) => {
                source.show(&problems);
                ExitCode::from(UNREADABLE)
            }
        }
    }
}

fn say_verdict(report: &flow::Report) {
    let name = format!("{} {}", report.law, report.version);
    let walked = paint(QUIET, format!("({} configurations)", report.configurations));
    match report.problems.len() {
        0 => say!("{} {name} holds {walked}", paint(GOOD, "✓")),
        1 => say!("{name}: 1 problem {walked}. `etude explain CODE` says more"),
        many => say!("{name}: {many} problems {walked}. `etude explain CODE` says more"),
    }
}

#[derive(Debug, Args)]
pub(crate) struct Export {
    #[command(flatten)]
    law: LawArgs,
    /// mermaid, dot, xstate, kotlin or typescript
    #[arg(long, short, value_parser = parse_format)]
    format: flow::Format,
}

fn parse_format(text: &str) -> Result<flow::Format, String> {
    let known = || flow::Format::ALL.iter().map(|format| format.name()).collect::<Vec<_>>().join(", ");
    flow::Format::parse(text).ok_or_else(|| format!("write one of: {}", known()))
}

impl Export {
    pub(crate) fn run(self) -> ExitCode {
        let source = match Source::find(&self.law.law) {
            Ok(source) => source,
            Err(message) => return output::error(&message, UNREADABLE),
        };
        match source.machine(&self.law.set.into_iter().collect()) {
            Ok(machine) => {
                output::text(&flow::export(&machine, self.format));
                ExitCode::SUCCESS
            }
            Err(problems) => {
                source.show(&problems);
                ExitCode::from(UNREADABLE)
            }
        }
    }
}

#[derive(Debug, Args)]
pub(crate) struct Explain {
    /// Such as F007; without one, all are listed
    code: Option<String>,
}

impl Explain {
    pub(crate) fn run(self) -> ExitCode {
        let Some(text) = self.code else {
            for code in Code::ALL {
                say!("{code}  {}", code.title());
            }
            return ExitCode::SUCCESS;
        };
        match Code::parse(&text) {
            Some(code) => {
                output::text(code.page());
                ExitCode::SUCCESS
            }
            None => output::error(
                &format!("there is no code `{text}`. `etude explain` lists them all"),
                UNREADABLE,
            ),
        }
    }
}

#[derive(Debug, Args)]
pub(crate) struct Diff {
    /// The law as it was
    old: String,
    /// The law as it is to be
    new: String,
    /// Carry flows over as this file says
    #[arg(long, value_name = "FILE")]
    migration: Option<PathBuf>,
}

impl Diff {
    pub(crate) fn run(self, config: &Config) -> ExitCode {
        let mut machines = Vec::new();
        for law in [&self.old, &self.new] {
            let source = match Source::find(law) {
                Ok(source) => source,
                Err(message) => return output::error(&message, UNREADABLE),
            };
            match source.machine(&Overrides::new()) {
                Ok(machine) => machines.push(machine),
                Err(problems) => {
                    source.show(&problems);
                    return ExitCode::from(UNREADABLE);
                }
            }
        }
        let migration = match self.migration.as_deref().map(super::serving::read_migration).transpose() {
            Ok(migration) => migration.unwrap_or_default(),
            Err(message) => return output::error(&message, UNREADABLE),
        };
        let difference = flow::diff(&machines[0], &machines[1], &migration, Bounds::default());
        if config.json {
            output::json(&difference);
        } else {
            say!("{difference}");
        }
        ExitCode::from(if difference.compatible { 0 } else { NO })
    }
}
