//! `etude attempt`: lists the coding problems, or starts one at the desk.

use super::config::Config;
use super::context::on_app;
use super::desk::{self, ByVoice, End, Seat};
use super::output::{self, Done, QUIET, STRONG, say};
use super::screen::columns;
use super::screen::layout::{Span, paragraph};
use super::words;
use anstyle::Style;
use clap::Args;
use coaching::attempt::{Attempt, AttemptV2, ProblemRow, Problems};
use coaching::learner::ITEM_KIND;
use coaching::turn::Flow;
use serde::Deserialize;
use serde_json::{Value, json};
use shell::engine::app::App;
use shell::engine::failure::Failure;
use shell::engine::look::look;
use shell::engine::turn::Opening;
use shell::engine::view::View;
use shell::learners::command_line::typed;
use std::process::ExitCode;

pub(super) const FLOW: &str = Attempt::FACE.name;
/// The prefix of the keys of patterns among a learner's items.
const PATTERNS: &str = "patterns/";

#[derive(Debug, Args)]
pub(crate) struct AttemptCommand {
    /// The problem; without it, lists the problems
    problem: Option<String>,
    /// Mode: beginner takes every step; expert may skip the first two
    #[arg(long, value_parser = ["beginner", "expert"])]
    mode: Option<String>,
    /// The language to write the program in
    #[arg(long = "in", value_name = "LANGUAGE", value_parser = ["python", "javascript", "rust"])]
    program_language: Option<String>,
    /// End the open attempt for good and start a new one
    #[arg(long)]
    new: bool,
    #[command(flatten)]
    by_voice: ByVoice,
    #[command(flatten)]
    options: desk::Options,
}

impl AttemptCommand {
    pub(crate) async fn run(self, config: &Config) -> Done {
        let app = config.asking_app(config.flows()).await;
        on_app(config, app, Some(&self.options), async |app| match &self.problem {
            Some(problem) => {
                let aloud = self.by_voice.aloud();
                self.options.sit(app, config, aloud, async |seat| self.attempt(seat, problem).await).await
            }
            None => self.list(app, config).await,
        })
        .await
    }

    async fn attempt(&self, seat: &mut Seat<'_>, problem: &str) -> Result<(), Failure> {
        let mut opening = json!({ "problemId": problem });
        if let Some(mode) = &self.mode {
            opening["mode"] = mode.to_uppercase().into();
        }
        if let Some(language) = &self.program_language {
            opening["language"] = language.as_str().into();
        }
        let opening = Opening { flow: FLOW.to_owned(), opening, ..Opening::default() };
        let has_wishes = self.mode.is_some() || self.program_language.is_some();
        let is_it = |view: &View| shown(view).is_some_and(|shown| shown.problem_id == problem);
        let mut held = seat.sit_down(opening, self.new, has_wishes, is_it).await?;
        match seat.hold(&mut held, |_| None).await? {
            End::Over => seat.note(words::next_session(typed(&["attempt"], &self.options.learner))),
            End::Left | End::Meanwhile => {
                seat.note(words::saved(seat.command(command(problem, &self.options.learner))))
            }
        }
        Ok(())
    }

    /// Lists the problems by rung, and says how to start the next one.
    async fn list(&self, app: &App, config: &Config) -> Done {
        let learner = &self.options.learner;
        let rows = problems(app, learner).await?;
        if config.json {
            return output::json(&rows);
        }
        let voice = self.options.voice(app, None, config).await?;
        let mut rung = 0;
        say!("{}", voice.say(&words::your_problems()));
        for row in &rows {
            if row.rung != rung {
                rung = row.rung;
                say!("\n{}", voice.say(&words::rung(u32::from(rung))));
            }
            let solved =
                if row.solved { format!(" · {}", voice.say(&words::solved())) } else { String::new() };
            let spans = [
                Span::new(STRONG, &row.id),
                Span::new(Style::new(), format!("\u{a0} {}", row.title)),
                Span::new(QUIET, solved),
            ];
            say!("{}", paragraph("  ", &spans, columns()).trim_end());
        }
        if let Some(next) = rows.iter().find(|row| !row.solved) {
            say!("\n{}", voice.say(&words::how_to_begin(command(&next.id, learner))));
        }
        Ok(ExitCode::SUCCESS)
    }
}

/// Returns the part of the view that only attempts have.
pub(super) fn shown(view: &View) -> Option<AttemptV2> {
    view.more()
}

/// Returns the command that starts a problem.
pub(super) fn command(problem: &str, learner: &str) -> String {
    typed(&["attempt", problem], learner)
}

/// A learner's progress with the problems.
pub(super) struct Practice {
    pub solved: usize,
    pub problems: usize,
    /// The number of patterns used so far, and the number of them that are due again.
    pub patterns: usize,
    pub due: usize,
    /// The first unsolved problem.
    pub next: Option<ProblemRow>,
}

pub(super) async fn practice(app: &App, learner: &str) -> Result<Practice, Failure> {
    let rows = problems(app, learner).await?;
    let (patterns, due) = patterns(app, learner).await?;
    Ok(Practice {
        solved: rows.iter().filter(|row| row.solved).count(),
        problems: rows.len(),
        patterns,
        due,
        next: rows.into_iter().find(|row| !row.solved),
    })
}

async fn problems(app: &App, learner: &str) -> Result<Vec<ProblemRow>, Failure> {
    let Some(entry) = app.flows.get(FLOW) else { return Ok(Vec::new()) };
    let seen =
        look(app, learner, |shelf| entry.handlers.get().look("problems", "", &Value::Null, shelf)).await?;
    Ok(Problems::deserialize(seen).map_or_else(|_| Vec::new(), |seen| seen.problems))
}

/// Returns the number of patterns used so far, and the number of them that are due again.
async fn patterns(app: &App, learner: &str) -> Result<(usize, usize), Failure> {
    let now = app.clock.now();
    let mut records = app.store.records(learner, ITEM_KIND, store::MAX_LIMIT).await?;
    records.retain(|record| record.key.starts_with(PATTERNS));
    let is_due = |record: &&store::Record| record.due_at.is_some_and(|at| at <= now);
    Ok((records.len(), records.iter().filter(is_due).count()))
}
