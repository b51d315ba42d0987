//! Grades answers that are programs by their tests.

use super::question::{Compare, Program};
use super::show::fenced;
use super::{Grade, some, words};
use crate::judging::{Report, Test, Tests, Tried, Verdict, short};
use crate::learner::Quality;
use crate::words::Text;

/// The number of tests that the learner tries by hand where no program can run.
const MAX_TRIED_BY_HAND: usize = 3;
/// The number of characters of a compiler's message that are shown.
const MAX_MESSAGE_CHARS: usize = 600;

impl Program {
    pub fn tests(&self) -> Tests {
        Tests {
            function: Some(self.function.clone()),
            comparison: Default::default(),
            tests: self.tests.clone(),
        }
    }

    /// Returns the question to ask where no program can run: the learner tries the tests by hand.
    pub(crate) fn comparison(&self, own: &str) -> Compare {
        let line = |test: &Test| {
            let args: Vec<String> = test.args.iter().flatten().map(short).collect();
            format!("{}({}) gives {}", self.function, args.join(", "), short(&test.expected))
        };
        Compare {
            asked: self.ask.clone(),
            own: own.to_owned(),
            good: self.answer.clone(),
            ideas: self.tests.iter().take(MAX_TRIED_BY_HAND).map(line).collect(),
        }
    }
}

/// Grades a program by a judge's report.
pub fn grade_program(program: &Program, report: &Report) -> Grade {
    let passed = report.tests.iter().filter(|test| test.verdict == Verdict::Accepted).count();
    let grade = match report.verdict {
        Verdict::Accepted => Grade::new(Quality::EASY, program.explain.clone()),
        Verdict::InternalError => Grade { doubt: true, ..Grade::new(some(), words::unchecked()) },
        _ => {
            let quality = if passed == 0 { Quality::AGAIN } else { some() };
            Grade::new(quality, words::program_failed(passed, program.tests.len(), first_failure(report)))
        }
    };
    Grade { answer: program.answer.trim().to_owned(), ..grade }
}

fn first_failure(report: &Report) -> Text {
    let failed = report.tests.iter().find(|test| test.verdict != Verdict::Accepted);
    match failed {
        Some(Tried { difference: Some(difference), .. }) => words::program_difference(
            difference.input.as_str(),
            difference.actual.as_str(),
            difference.expected.as_str(),
        ),
        Some(Tried { verdict, message, .. }) => said(*verdict, message.as_deref()),
        None => said(report.verdict, report.message.as_deref()),
    }
}

fn said(verdict: Verdict, message: Option<&str>) -> Text {
    let verdict = serde_json::to_value(verdict).ok().and_then(|name| name.as_str().map(str::to_owned));
    let message: String = message.unwrap_or_default().chars().take(MAX_MESSAGE_CHARS).collect();
    // The lines of a message point at each other.
    let message = if message.contains('\n') { format!("\n\n{}", fenced("text", &message)) } else { message };
    words::program_said(verdict.unwrap_or_default(), message)
}
