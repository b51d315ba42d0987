//! Commands on laws: check, export, explain, diff.

use super::config::Config;
use super::output::{self, BAD, Done, GOOD, QUIET, Stop, no, paint, say, unreadable};
use super::replaying::{self, Replayed};
use super::{NO, UNREADABLE};
use clap::Args;
use flow::{Bounds, Code, Difference, Law, Machine, Migration, Name, Overrides, Problem, Report, Severity};
use serde::Serialize;
use serde_json::json;
use shell::engine::failure::counted;
use shell::engine::flows::{FlowEntry, bundled};
use std::io::Read;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::sync::Arc;

/// The law to work on, with overridden constants.
#[derive(Debug, Args)]
pub(crate) struct LawArgs {
    /// A law file, `-` for standard input, or the name of a flow such as `drill`
    law: String,
    /// Override a constant of the law
    #[arg(long, value_name = "NAME=NUMBER", value_parser = parse_set)]
    set: Vec<(String, i64)>,
}

pub(crate) fn parse_set(text: &str) -> Result<(String, i64), String> {
    let (name, value) = text.split_once('=').ok_or("write NAME=NUMBER")?;
    let value = value.trim().parse().map_err(|_| format!("`{value}` is not a whole number"))?;
    Ok((name.trim().to_owned(), value))
}

/// A law, and the text that its problems point into.
struct Source {
    name: String,
    text: String,
    entry: Result<Arc<FlowEntry>, Vec<Problem>>,
}

impl Source {
    fn find(law: &str, config: &Config) -> Result<Source, Stop> {
        let flows = (config.flows)(None);
        if let Some(entry) = flows.get(law) {
            let text = entry.law.source.clone();
            return Ok(Source { name: law.to_owned(), text, entry: Ok(entry.clone()) });
        }
        let mut bytes = Vec::new();
        // One byte beyond the limit shows that a law is too long.
        let most = flow::MAX_SOURCE_BYTES as u64 + 1;
        let read = match law {
            "-" => std::io::stdin().take(most).read_to_end(&mut bytes),
            path => std::fs::File::open(path).and_then(|file| file.take(most).read_to_end(&mut bytes)),
        };
        read.map_err(|error| {
            let cure = match flow::nearest(law, flows.names()) {
                Some(near) => format!("Did you mean `{near}`?"),
                None => {
                    let names = flows.names().collect::<Vec<_>>().join(", ");
                    format!("Give a law file, `-`, or the name of a flow: {names}")
                }
            };
            unreadable(format!("{law}: {error}. {cure}"))
        })?;
        let folder = Path::new(law).parent().unwrap_or(Path::new(""));
        let read = match std::str::from_utf8(&bytes) {
            Ok(text) => {
                bundled(text, folder).map_err(|unproved| unproved.problems).and_then(|text| Law::read(&text))
            }
            Err(_) => Law::read_bytes(&bytes),
        };
        Ok(Source {
            name: if law == "-" { "standard input".into() } else { law.to_owned() },
            text: String::from_utf8_lossy(&bytes).into_owned(),
            entry: read.map(|law| Arc::new(flows.entry_of(law, false))),
        })
    }

    fn machine(&self, set: &Overrides) -> Result<Machine, Stop> {
        let entry = self.entry.as_ref().map_err(Vec::clone);
        entry.and_then(|entry| entry.bind(set)).map_err(|problems| {
            self.show(&problems);
            Stop::Said(UNREADABLE)
        })
    }

    fn show(&self, problems: &[Problem]) {
        say!("{}\n", shown(&self.name, &self.text, problems, output::colours()));
    }
}

/// Renders problems for people. Beyond the first 100 it only counts them.
pub(crate) fn shown(file: &str, source: &str, problems: &[Problem], colour: bool) -> String {
    const MOST: usize = 100;
    let mut shown: Vec<String> =
        problems.iter().take(MOST).map(|problem| problem.render(file, source, colour)).collect();
    if problems.len() > MOST {
        shown.push(format!("and {} more", problems.len() - MOST));
    }
    shown.join("\n\n")
}

#[derive(Debug, Args)]
pub(crate) struct Check {
    #[command(flatten)]
    law: LawArgs,
    /// Stop the walk after this many configurations
    #[arg(long, value_name = "NUMBER", default_value_t = Bounds::default().configurations)]
    bound: usize,
    /// Follow the path of this problem, counted from 1, with the law as it runs
    #[arg(long, value_name = "PROBLEM")]
    replay: Option<usize>,
}

impl Check {
    pub(crate) fn run(self, config: &Config) -> Done {
        let source = Source::find(&self.law.law, config)?;
        let set: Overrides = self.law.set.into_iter().collect();
        let bounds = Bounds { configurations: self.bound };
        let prove = |entry: &Arc<FlowEntry>| output::with_progress("walking", || entry.check(&set, bounds));
        let (report, code) = match source.entry.as_ref().map(prove) {
            Ok(report) if report.is_clean() => (report, 0),
            Ok(report) => (report, NO),
            Err(problems) => (Report { problems: problems.clone(), ..Report::default() }, UNREADABLE),
        };
        if let (Some(number), Ok(entry)) = (self.replay, &source.entry) {
            let problem = replaying::chosen(&report.problems, number).map_err(unreadable)?;
            let machine = replaying::machine(entry, &set, problem).map_err(|problems| {
                source.show(&problems);
                Stop::Said(UNREADABLE)
            })?;
            return output::answer(config, &Replayed::of(&machine, problem), Replayed::show);
        }
        output::answer(config, &report, |report| {
            if !report.is_clean() {
                source.show(&report.problems);
            }
            if code != UNREADABLE {
                say_verdict(report);
            }
        })?;
        Ok(ExitCode::from(code))
    }
}

fn say_verdict(report: &Report) {
    let name = format!("{} {}", report.law, report.version);
    let walked = paint(QUIET, format!("({})", counted(report.configurations, "configuration")));
    match report.problems.len() {
        0 => say!("{} {name} holds {walked}", paint(GOOD, "✓")),
        many => say!("{name}: {} {walked}. `etude explain CODE` says more", counted(many, "problem")),
    }
}

#[derive(Debug, Args)]
pub(crate) struct Export {
    #[command(flatten)]
    law: LawArgs,
    /// mermaid, dot, xstate, kotlin or typescript; xstate-setup prints the module that runs an XState export
    #[arg(long, short, value_parser = parse_format)]
    format: flow::Format,
}

fn parse_format(text: &str) -> Result<flow::Format, String> {
    let known = || flow::Format::ALL.iter().map(|format| format.name()).collect::<Vec<_>>().join(", ");
    flow::Format::parse(text).ok_or_else(|| format!("write one of: {}", known()))
}

impl Export {
    /// Refuses to write code for a law that may not run. A diagram of it is allowed: it helps to repair the law.
    fn may_run(&self, source: &Source, set: &Overrides) -> Result<(), Stop> {
        let is_diagram = matches!(self.format, flow::Format::Mermaid | flow::Format::Dot);
        let Some(entry) = source.entry.as_ref().ok().filter(|_| !is_diagram) else { return Ok(()) };
        let report = output::with_progress("walking", || entry.check(set, Bounds::default()));
        if report.may_run() && report.complete {
            return Ok(());
        }
        output::aside(&shown(&source.name, &source.text, &report.problems, output::colours()));
        Err(no("this law may not run, so no code is written for it; a diagram can still be exported"))
    }

    pub(crate) fn run(self, config: &Config) -> Done {
        let source = Source::find(&self.law.law, config)?;
        let set: Overrides = self.law.set.iter().cloned().collect();
        let machine = source.machine(&set)?;
        self.may_run(&source, &set)?;
        output::text(&flow::export(&machine, self.format));
        Ok(ExitCode::SUCCESS)
    }
}

#[derive(Debug, Args)]
pub(crate) struct Explain {
    /// The code, such as F007; without it, lists all codes
    code: Option<String>,
}

impl Explain {
    pub(crate) fn run(self, config: &Config) -> Done {
        let whole = |code: Code| json!({"code": code.as_str(), "title": code.title(), "page": code.page()});
        let Some(text) = self.code else {
            let all: Vec<_> = Code::ALL.iter().copied().map(whole).collect();
            return output::answer(config, &all, |_| {
                Code::ALL.iter().for_each(|code| say!("{code}  {}", code.title()));
            });
        };
        let unknown = || unreadable(format!("there is no code `{text}`. `etude explain` lists them all"));
        let code = Code::parse(&text).ok_or_else(unknown)?;
        output::answer(config, &whole(code), |_| output::text(code.page()))
    }
}

#[derive(Debug, Args)]
pub(crate) struct Diff {
    /// The old law
    old: String,
    /// The new law
    new: String,
    /// Migrate flows with this file
    #[arg(long, value_name = "FILE")]
    migration: Option<PathBuf>,
    /// Stop the search for flows that cannot continue after this many configurations
    #[arg(long, value_name = "NUMBER", default_value_t = Bounds::default().configurations)]
    bound: usize,
}

impl Diff {
    pub(crate) fn run(self, config: &Config) -> Done {
        let source = Source::find(&self.new, config)?;
        let old = Source::find(&self.old, config)?.machine(&Overrides::new())?;
        let new = source.machine(&Overrides::new())?;
        let migration = self.migration(&old, &new).map_err(unreadable)?;
        let bounds = Bounds { configurations: self.bound };
        let difference = flow::diff(&old, &new, &migration, bounds);
        let report = source.entry.map(|entry| entry.check(&Overrides::new(), bounds)).unwrap_or_default();
        let is_runnable = report.may_run() && report.complete;
        let problems = report.problems.into_iter().filter(|problem| problem.severity == Severity::Error);
        let compared = Compared { difference, new_may_run: is_runnable, new_problems: problems.collect() };
        output::answer(config, &compared, |compared| compared.show(&self.new))?;
        Ok(ExitCode::from(if compared.difference.compatible && is_runnable { 0 } else { NO }))
    }

    fn migration(&self, old: &Machine, new: &Machine) -> Result<Migration, String> {
        let Some(path) = &self.migration else { return Ok(Migration::default()) };
        let file = MigrationFile::read(path)?;
        let misfits = file.migration.misfits(old, new);
        if misfits.is_empty() { Ok(file.migration) } else { Err(unusable(path, &file.source, &misfits)) }
    }
}

/// The difference between two laws, and whether the new one may run at all.
#[derive(Debug, Serialize)]
struct Compared {
    #[serde(flatten)]
    difference: Difference,
    new_may_run: bool,
    /// The errors in the new law.
    new_problems: Vec<Problem>,
}

impl Compared {
    fn show(&self, new: &str) {
        say!("{}", self.difference);
        if !self.new_may_run {
            let first =
                self.new_problems.first().map(|problem| format!(": {} {}", problem.code, problem.message));
            let many = counted(self.new_problems.len(), "problem");
            say!(
                "{}",
                paint(BAD, format!("The new law may not run: it has {many}{}", first.unwrap_or_default()))
            );
            say!("`etude check {new}` shows what is wrong with it, and what to do.");
        }
    }
}

/// A migration file, and the text that its problems point into.
pub(crate) struct MigrationFile {
    pub(crate) migration: Migration,
    source: String,
}

impl MigrationFile {
    pub(crate) fn read(path: &Path) -> Result<MigrationFile, String> {
        let source = std::fs::read_to_string(path).map_err(|error| format!("{}: {error}", path.display()))?;
        let migration = Migration::read(&source).map_err(|problems| unusable(path, &source, &problems))?;
        Ok(MigrationFile { migration, source })
    }
}

fn unusable(path: &Path, source: &str, problems: &[Problem]) -> String {
    let file = path.display().to_string();
    format!("{file} cannot be used:\n{}", shown(&file, source, problems, false))
}
