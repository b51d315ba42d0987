//! `etude judge`: runs a program against tests, without a server.

use super::NO;
use super::config::Config;
use super::output::{self, BAD, Done, GOOD, QUIET, STRONG, no, paint, say, unreadable};
use ::judge::{Judge, Limits};
use clap::Args;
use coaching::judging::{self, Report, Tests, Trace, Tried, Verdict};
use std::io::IsTerminal;
use std::path::PathBuf;
use std::process::ExitCode;

/// Runs a program in a sandbox against the tests of a file. docs/judge.md describes the file.
#[derive(Debug, Args)]
pub(crate) struct JudgeProgram {
    /// python, javascript, rust, or a language from the settings file
    #[arg(long)]
    language: String,
    /// The tests
    #[arg(long, value_name = "JSON")]
    tests: PathBuf,
    /// The tests are canonical data from Exercism
    #[arg(long)]
    exercism: bool,
    /// Which property's cases to take from Exercism's data [default: the first one]
    #[arg(long, requires = "exercism")]
    property: Option<String>,
    /// Show one test, given by its index, line by line instead
    #[arg(long, value_name = "N")]
    trace: Option<usize>,
    /// Time limit per test, in milliseconds
    #[arg(long, value_name = "MS")]
    time: Option<u64>,
    /// Memory limit, in megabytes
    #[arg(long, value_name = "MB")]
    memory: Option<u64>,
    /// The program
    file: PathBuf,
}

impl JudgeProgram {
    pub(crate) fn run(self, config: &Config) -> Done {
        let tests = self.read_tests()?;
        let bytes = std::fs::read(&self.file).map_err(|error| unreadable(at(&self.file, error)))?;
        let judge = config.judge().map_err(unreadable)?;
        if !judge.languages().any(|language| language == self.language) {
            let known: Vec<&str> = judge.languages().collect();
            return Err(unreadable(format!(
                "there is no language `{}`; there are {}",
                self.language,
                known.join(", ")
            )));
        }
        let usual = Limits::default();
        let limits = Limits {
            time_ms: self.time.unwrap_or(usual.time_ms),
            total_ms: usual.total_ms.max(self.time.unwrap_or_default() * 2),
            memory_mb: self.memory.unwrap_or(usual.memory_mb),
            ..usual
        };
        let report = match String::from_utf8(bytes) {
            Ok(source) => match self.trace {
                Some(index) => return self.show_trace(&judge, &source, (&tests, index), &limits, config),
                None => judge.run(&self.language, &source, &tests, &limits),
            },
            Err(_) => judge.refused(Verdict::CompileError, "the program is not UTF-8 text"),
        };
        match is_for_programs(config) {
            true => drop(output::json(&report)?),
            false => show(&report),
        }
        Ok(ExitCode::from(if report.verdict == Verdict::Accepted { 0 } else { NO }))
    }

    fn read_tests(&self) -> Result<Tests, output::Stop> {
        let text =
            std::fs::read_to_string(&self.tests).map_err(|error| unreadable(at(&self.tests, error)))?;
        if !self.exercism {
            return judging::read_tests(&text).map_err(|error| unreadable(at(&self.tests, error)));
        }
        let imported = judging::from_exercism(&text, self.property.as_deref());
        let imported = imported.map_err(|error| unreadable(at(&self.tests, error)))?;
        if imported.skipped > 0 {
            match imported.skipped {
                1 => anstream::eprintln!("1 case expects an error and is left out"),
                many => anstream::eprintln!("{many} cases expect an error and are left out"),
            }
        }
        if !imported.others.is_empty() {
            anstream::eprintln!("not tried: {} (see --property)", imported.others.join(", "));
        }
        Ok(imported.tests)
    }

    fn show_trace(
        &self,
        judge: &Judge,
        source: &str,
        (tests, index): (&Tests, usize),
        limits: &Limits,
        config: &Config,
    ) -> Done {
        let Some(test) = tests.tests.get(index) else {
            let count = tests.tests.len();
            return Err(unreadable(format!("there is no test {index}; the {count} tests count from 0")));
        };
        let (Some(function), Some(args)) = (&tests.function, &test.args) else {
            return Err(unreadable(
                "only a function can be shown line by line, not a program that reads input",
            ));
        };
        match judge.trace(&self.language, source, function, args, limits) {
            Ok(trace) if is_for_programs(config) => output::json(&trace),
            Ok(trace) => {
                show_steps(source, &trace);
                Ok(ExitCode::SUCCESS)
            }
            Err((_, message)) => Err(no(message)),
        }
    }
}

/// Whether to print the whole report as JSON, because the reader is probably a program. A person reads a terminal.
fn is_for_programs(config: &Config) -> bool {
    config.json || !std::io::stdout().is_terminal()
}

fn at(path: &std::path::Path, error: impl std::fmt::Display) -> String {
    format!("{}: {error}", path.display())
}

fn show(report: &Report) {
    let style = if report.verdict == Verdict::Accepted { GOOD } else { BAD };
    let passed = report.tests.iter().filter(|tried| tried.verdict == Verdict::Accepted).count();
    let verdict = paint(style, name(report.verdict));
    let isolation = paint(QUIET, format!("isolation {}", report.isolation));
    say!("{verdict}, {passed} of {} tests passed, {isolation}", report.tests.len());
    if let Some(message) = &report.message {
        say!("{message}");
    }
    report.tests.iter().filter(|tried| tried.verdict != Verdict::Accepted).for_each(show_test);
}

fn show_test(tried: &Tried) {
    let cost = paint(QUIET, format!("{} ms, {} kB", tried.time_ms, tried.memory_kb));
    say!("{} {}, {cost}", paint(STRONG, format!("test {}:", tried.index)), name(tried.verdict));
    if let Some(difference) = &tried.difference {
        say!("  input     {}", difference.input);
        say!("  expected  {}", difference.expected);
        say!("  actual    {}", difference.actual);
        difference.place.iter().for_each(|place| say!("  {place}"));
    }
    tried.message.iter().flat_map(|message| message.lines()).for_each(|line| say!("  {line}"));
}

fn name(verdict: Verdict) -> &'static str {
    match verdict {
        Verdict::Accepted => "accepted",
        Verdict::WrongAnswer => "wrong answer",
        Verdict::TimeLimit => "time limit",
        Verdict::MemoryLimit => "memory limit",
        Verdict::OutputLimit => "output limit",
        Verdict::RuntimeError => "runtime error",
        Verdict::CompileError => "compile error",
        Verdict::InternalError => "internal error",
    }
}

/// Shows the run line by line, with the variables that have changed before each line.
fn show_steps(source: &str, trace: &Trace) {
    let lines: Vec<&str> = source.lines().collect();
    for step in &trace.steps {
        let indent = "  ".repeat(step.stack.len().saturating_sub(1));
        let text = lines.get((step.line as usize).saturating_sub(1)).map_or("", |line| line.trim());
        let number = paint(QUIET, format!("{:>4}", step.line));
        match &step.returned {
            Some(value) => say!("{number} {indent}{} returns {value}", step.function),
            None => say!("{number} {indent}{text}"),
        }
        for name in &step.changed {
            say!("     {indent}{}", paint(QUIET, format!("{name} = {}", step.variables[name])));
        }
    }
    trace.error.iter().for_each(|error| say!("{}", paint(BAD, error)));
    trace.result.iter().for_each(|result| say!("{}", paint(GOOD, format!("result {result}"))));
    if trace.cut {
        say!("{}", paint(QUIET, "It goes on; the first steps are shown."));
    }
}
