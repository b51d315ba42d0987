//! `etude leak`: tries the leak guard on a text, and prints what the text would give away.

use super::config::Config;
use super::output::{self, Done, no, unreadable};
use clap::Args;
use coaching::leak::{Guarded, Leaks, Said, Who, look};
use coaching::problems::Problem;
use serde::Deserialize;
use shell::builtin;
use std::io::{BufRead, Read};
use std::path::{Path, PathBuf};
use std::process::ExitCode;

const NOTHING_TO_GUARD: &str = "there is no solution to guard: name a problem (`--problem two-sum`), files with solutions (`--reference FILE`), or cases (`--jsonl`)";

/// Reads what a coach is about to say from standard input, and prints {leak, risk, reasons}.
#[derive(Debug, Args)]
pub(crate) struct FindLeaks {
    /// A coding problem: its name, or its file
    #[arg(long, value_name = "PROBLEM", conflicts_with_all = ["reference", "statement", "jsonl"])]
    problem: Option<String>,
    /// A good solution, or a worked answer; may be given several times
    #[arg(long, value_name = "FILE")]
    reference: Vec<PathBuf>,
    /// The text of the exercise
    #[arg(long, value_name = "FILE")]
    statement: Option<PathBuf>,
    /// The dialogue so far: {"who": "tutor", "text": "…"} or `tutor: …` and `learner: …`, one per line
    #[arg(long, value_name = "FILE", conflicts_with = "jsonl")]
    dialogue: Option<PathBuf>,
    /// The learner has a plan, so the pattern and the complexity are no longer secret
    #[arg(long)]
    planned: bool,
    /// Read many cases, one JSON object per line: {"statement", "reference", "dialogue", "reply"}
    #[arg(long, conflicts_with = "reference")]
    jsonl: bool,
}

/// An exercise, from a problem file, single files or a line of JSON.
#[derive(Debug, Default, Deserialize)]
#[serde(default)]
struct Exercise {
    statement: String,
    reference: References,
    #[serde(skip)]
    pattern: Option<String>,
    #[serde(skip)]
    secrets: Vec<String>,
    dialogue: Vec<Said>,
    reply: String,
}

#[derive(Debug, Deserialize)]
#[serde(untagged)]
enum References {
    One(String),
    Several(Vec<String>),
}

impl Default for References {
    fn default() -> References {
        References::Several(Vec::new())
    }
}

impl References {
    fn all(&self) -> Vec<&str> {
        match self {
            References::One(text) => vec![text],
            References::Several(texts) => texts.iter().map(String::as_str).collect(),
        }
    }
}

impl FindLeaks {
    pub(crate) fn run(self, config: &Config) -> Done {
        if self.jsonl {
            return self.many();
        }
        if self.problem.is_none() && self.reference.is_empty() {
            return Err(unreadable(NOTHING_TO_GUARD));
        }
        let mut exercise = self.exercise(config)?;
        std::io::stdin()
            .lock()
            .read_to_string(&mut exercise.reply)
            .map_err(|error| no(format!("the text cannot be read: {error}")))?;
        self.tell(&exercise);
        Ok(ExitCode::SUCCESS)
    }

    fn many(&self) -> Done {
        for (number, line) in std::io::stdin().lock().lines().enumerate() {
            let line = line.map_err(|error| no(format!("the cases cannot be read: {error}")))?;
            if line.trim().is_empty() {
                continue;
            }
            let exercise = serde_json::from_str(&line).map_err(|error| {
                let form = "{\"statement\", \"reference\", \"dialogue\", \"reply\"}";
                unreadable(format!("line {} is not {form}: {error}", number + 1))
            })?;
            self.tell(&exercise);
        }
        Ok(ExitCode::SUCCESS)
    }

    fn tell(&self, exercise: &Exercise) {
        let found = exercise.look(self.planned);
        output::text(&format!("{}\n", serde_json::json!(found)));
    }

    fn exercise(&self, config: &Config) -> Result<Exercise, super::output::Stop> {
        let dialogue = self.dialogue.as_deref().map(read).transpose()?;
        let dialogue = dialogue.map(|text| turns(&text)).transpose()?.unwrap_or_default();
        if let Some(problem) = &self.problem {
            return Ok(Exercise { dialogue, ..problem_of(problem, config)? });
        }
        let statement = self.statement.as_deref().map(read).transpose()?.unwrap_or_default();
        let references = self.reference.iter().map(|path| read(path)).collect::<Result<_, _>>()?;
        let reference = References::Several(references);
        Ok(Exercise { statement, reference, dialogue, ..Exercise::default() })
    }
}

impl Exercise {
    fn look(&self, is_planned: bool) -> Leaks {
        let guarded = Guarded {
            reference: &self.reference.all(),
            statement: &self.statement,
            secrets: &self.secrets,
            dialogue: &self.dialogue,
            pattern: self.pattern.as_deref(),
            is_planned,
        };
        look(&guarded, &self.reply)
    }
}

/// Finds a problem by its name or its file.
fn problem_of(name: &str, config: &Config) -> Result<Exercise, super::output::Stop> {
    let problem = match Path::new(name).is_file() {
        true => {
            let problem = Problem::read(read(Path::new(name))?.as_bytes(), name, builtin::catalogue());
            problem.map_err(|_| {
                unreadable(format!("{name} is not a sound problem; `etude pack check {name}` says why"))
            })?
        }
        false => {
            let (problems, _) =
                builtin::read_problems(Some(&config.packs_folder().with_file_name("problems")));
            let found = problems.into_iter().find(|problem| problem.id == name);
            found.ok_or_else(|| {
                unreadable(format!("there is no problem `{name}`; `etude attempt` lists them"))
            })?
        }
    };
    let secrets = problem.secrets();
    let references = problem.references.0.into_iter().map(|(_, source)| source).collect();
    Ok(Exercise {
        statement: problem.statement,
        reference: References::Several(references),
        pattern: Some(problem.pattern),
        secrets,
        ..Exercise::default()
    })
}

fn read(path: &Path) -> Result<String, super::output::Stop> {
    std::fs::read_to_string(path).map_err(|error| unreadable(format!("{}: {error}", path.display())))
}

/// Reads the turns of a dialogue. A line that opens no turn continues the last one.
fn turns(text: &str) -> Result<Vec<Said>, super::output::Stop> {
    let mut turns: Vec<Said> = Vec::new();
    for (number, line) in text.lines().enumerate().filter(|(_, line)| !line.trim().is_empty()) {
        let no_turn = || {
            unreadable(format!(
                "line {} of the dialogue begins neither with `tutor:` nor with `learner:`",
                number + 1
            ))
        };
        match (turn(line), turns.last_mut()) {
            (Some(said), _) => turns.push(said),
            (None, Some(last)) => last.text = format!("{}\n{line}", last.text),
            (None, None) => return Err(no_turn()),
        }
    }
    Ok(turns)
}

fn turn(line: &str) -> Option<Said> {
    if line.starts_with('{') {
        return serde_json::from_str(line).ok();
    }
    let (who, text) = line.split_once(':')?;
    let who = match who.trim().to_lowercase().as_str() {
        "tutor" | "coach" | "teacher" => Who::Tutor,
        "learner" | "student" => Who::Learner,
        _ => return None,
    };
    Some(Said { who, text: text.trim().to_owned() })
}
