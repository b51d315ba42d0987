//! `etude context`: what somebody has to know to go on with a course.

use super::config::Config;
use super::output;
use super::{NO, UNREADABLE};
use crate::app::App;
use crate::failure::Failure;
use crate::{context, teaching};
use clap::Args;
use coaching::turn::Rejected;
use std::process::ExitCode;

#[derive(Debug, Args)]
pub(crate) struct Context {
    /// A course, by its id or the beginning of it
    course: String,
    /// Whose course it is
    #[arg(long, default_value = "me")]
    learner: String,
}

impl Context {
    pub(crate) async fn run(self, config: &Config) -> ExitCode {
        with_app(config, async |app| {
            let id = course_id(app, &self.learner, &self.course).await?;
            let context = context::assemble(app, &id).await?;
            if config.json {
                return Ok(output::json(&context));
            }
            output::text(&context.text());
            Ok(ExitCode::SUCCESS)
        })
        .await
    }
}

/// Runs a command on an open store, closes it in any case, and says what failed.
pub(super) async fn with_app(
    config: &Config,
    run: impl AsyncFnOnce(&App) -> Result<ExitCode, Failure>,
) -> ExitCode {
    let app = match config.plain_app().await {
        Ok(app) => app,
        Err(message) => return output::error(&message, NO),
    };
    let code = run(&app).await;
    app.store.close().await;
    code.unwrap_or_else(|failure| output::failure(&failure, config.json))
}

/// A course by its id, the beginning of it, or a part of its title.
pub(super) async fn course_id(app: &App, learner: &str, given: &str) -> Result<String, Failure> {
    if teaching::state(app, given).await?.is_some() {
        return Ok(given.to_owned());
    }
    let wanted = given.to_lowercase();
    let courses = teaching::list(app, learner, None).await?;
    let fits = |course: &&teaching::Listed| {
        course.mind_map_id.starts_with(&wanted) || course.title.to_lowercase().contains(&wanted)
    };
    let found: Vec<&teaching::Listed> = courses.iter().filter(fits).collect();
    match found.as_slice() {
        [only] => Ok(only.mind_map_id.clone()),
        [] => Err(Failure::UnknownInstance { id: given.to_owned() }),
        several => Err(Failure::Rejected(Rejected {
            code: "ambiguous_id",
            message: format!("{} courses fit `{given}`", several.len()),
            cure: "give more of the id; `etude teach list` shows them".to_owned(),
        })),
    }
}

/// For commands that cannot even be read.
pub(super) fn unreadable(message: &str) -> ExitCode {
    output::error(message, UNREADABLE)
}
