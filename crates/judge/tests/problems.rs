//! Tests of the shipped problems against their own tests: references pass in every language, wrong programs fail,
//! and slow programs are found to be slow, whatever the random tests are.

use crate::{judge, lacks};
use coaching::judging::{Report, Verdict};
use coaching::problems::{Catalogue, LANGUAGES, Problem};
use judge::Limits;

const FOLDER: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../../packs/problems");
const PATTERNS: &str = "patterns.yaml";
/// The verdicts on a program that takes too much time or memory.
const TOO_MUCH: [Verdict; 2] = [Verdict::TimeLimit, Verdict::MemoryLimit];

fn problems() -> Vec<Problem> {
    let read = |name: &str| std::fs::read(format!("{FOLDER}/{name}")).expect("a file");
    let catalogue = Catalogue::read(&read(PATTERNS)).expect("a catalogue");
    let entries = std::fs::read_dir(FOLDER).expect("a folder");
    let names = entries.map(|entry| entry.expect("an entry").file_name().to_string_lossy().into_owned());
    let names = names.filter(|name| name != PATTERNS);
    names.map(|name| Problem::read(&read(&name), &name, &catalogue).expect("a problem")).collect()
}

fn examined(problem: &Problem, language: &str, source: &str, seed: u64) -> Report {
    let exam = coaching::judging::Exam { shrinking: None, ..problem.exam(seed) };
    let limits = Limits { slow_tests: 1, ..Limits::default() };
    judge().examine(language, source, exam, &limits).0
}

/// Runs the written tests and, if they pass, the random ones.
fn tried(problem: &Problem, python: &str) -> Report {
    let limits = Limits { slow_tests: 1, ..Limits::default() };
    match judge().run("python", python, &problem.tests(), &limits) {
        report if report.verdict == Verdict::Accepted => examined(problem, "python", python, 1),
        report => report,
    }
}

/// Checks the verdict on every program of the packs in a language, if this machine has it.
fn check(language: &'static str) {
    if lacks(judge(), language) || lacks(judge(), "python") {
        return;
    }
    let mut wrong = Vec::new();
    let mut expect = |what: String, report: &Report, is_fine: bool| {
        if !is_fine {
            let slowest = report.tests.iter().map(|test| test.time_ms).max();
            wrong.push(format!("{what}: {:?} {:?}, {slowest:?} ms", report.verdict, report.message));
        }
    };
    for problem in problems() {
        let id = &problem.id;
        if let Some(source) = problem.references.get(language) {
            let report = examined(&problem, language, source, 1);
            expect(format!("the reference of {id}"), &report, report.verdict == Verdict::Accepted);
        }
        for mutant in problem.mutants.iter().filter(|_| language == "python") {
            let report = tried(&problem, &mutant.python);
            let is_fine = !matches!(report.verdict, Verdict::Accepted | Verdict::InternalError);
            expect(format!("{id}: {}", mutant.wrong), &report, is_fine);
        }
        for slow in &problem.slow {
            let Some(source) = slow.sources.get(language) else { continue };
            let report = examined(&problem, language, source, 2);
            expect(format!("{id}: {}", slow.approach), &report, TOO_MUCH.contains(&report.verdict));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn python_programs_get_their_verdicts() {
    check("python");
}

#[test]
fn javascript_programs_get_their_verdicts() {
    check("javascript");
}

#[test]
fn rust_programs_get_their_verdicts() {
    check("rust");
}

/// A problem that calls an approach too slow must have large tests.
#[test]
fn slow_approaches_have_large_tests() {
    for problem in problems() {
        assert!(problem.slow.is_empty() || problem.large.is_some(), "{}", problem.id);
        assert_eq!(LANGUAGES.len(), problem.references.0.len(), "{}", problem.id);
    }
}
