//! `etude grade`: marks answers without a curriculum.

use super::config::Config;
use super::output::{self, CAREFUL, Done, GOOD, QUIET, no, paint, say, unreadable};
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
}

#[derive(Deserialize)]
struct Given {
    answer: String,
}

impl MarkAnswers {
    pub(crate) fn run(self, config: &Config) -> Done {
        for (number, line) in std::io::stdin().lock().lines().enumerate() {
            let line = line.map_err(|error| no(format!("the answers cannot be read: {error}")))?;
            if line.trim().is_empty() {
                continue;
            }
            let Given { answer } = serde_json::from_str(&line).map_err(|error| {
                unreadable(format!("line {} is not {{\"answer\": \"…\"}}: {error}", number + 1))
            })?;
            let grade = grade_by_reference(&self.question, &self.reference, &answer);
            if config.json {
                output::text(&format!("{}\n", value(&grade)));
            } else {
                tell(&answer, &grade);
            }
        }
        Ok(ExitCode::SUCCESS)
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
