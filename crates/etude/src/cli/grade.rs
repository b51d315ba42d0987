//! Marking answers without a curriculum.

use super::output::{self, CAREFUL, GOOD, QUIET, paint, say};
use super::{NO, UNREADABLE};
use clap::Args;
use coaching::grade::{Grade, Verdict, grade_by_reference};
use serde::Deserialize;
use serde_json::json;
use std::io::BufRead;
use std::process::ExitCode;

/// Reads answers from standard input, one JSON object a line: {"answer": "…"}.
#[derive(Debug, Args)]
pub(crate) struct MarkAnswers {
    /// The question that was asked
    #[arg(long)]
    question: String,
    /// One good answer
    #[arg(long)]
    reference: String,
    /// One JSON object for each answer: quality (0 to 5), doubt, found, missing
    #[arg(long)]
    json: bool,
}

#[derive(Deserialize)]
struct Given {
    answer: String,
}

impl MarkAnswers {
    pub(crate) fn run(self) -> ExitCode {
        for (number, line) in std::io::stdin().lock().lines().enumerate() {
            let line = match line {
                Ok(line) if line.trim().is_empty() => continue,
                Ok(line) => line,
                Err(error) => return output::error(&format!("the answers cannot be read: {error}"), NO),
            };
            match serde_json::from_str::<Given>(&line) {
                Ok(Given { answer }) => self.mark(&answer),
                Err(error) => {
                    let message = format!("line {} is not {{\"answer\": \"…\"}}: {error}", number + 1);
                    return output::error(&message, UNREADABLE);
                }
            }
        }
        ExitCode::SUCCESS
    }

    fn mark(&self, answer: &str) {
        let grade = grade_by_reference(&self.question, &self.reference, answer);
        if self.json {
            output::text(&format!("{}\n", value(&grade)));
        } else {
            tell(answer, &grade);
        }
    }
}

fn value(grade: &Grade) -> serde_json::Value {
    let found: Vec<&str> = grade.found.iter().map(|found| found.idea.as_str()).collect();
    json!({ "quality": grade.quality.get(), "doubt": grade.doubt, "found": found, "missing": grade.missing })
}

fn tell(answer: &str, grade: &Grade) {
    let style = match grade.verdict {
        _ if grade.doubt => CAREFUL,
        Verdict::Right => GOOD,
        Verdict::Partly | Verdict::Wrong | Verdict::Blank => QUIET,
    };
    let mark = format!("{}{}", grade.quality.get(), if grade.doubt { "?" } else { " " });
    say!("{} {}", paint(style, mark), answer.split_whitespace().collect::<Vec<_>>().join(" "));
    for missing in &grade.missing {
        say!("   {} {missing}", paint(QUIET, "missing:"));
    }
}
