//! `etude context`: what an assistant needs to know to continue a course.

use super::UNREADABLE;
use super::config::Config;
use super::desk;
use super::output;
use super::teach::course_id;
use crate::engine::app::App;
use crate::engine::failure::Failure;
use crate::engine::look::look;
use crate::learners::language;
use clap::Args;
use coaching::teach::looks;
use std::process::ExitCode;

#[derive(Debug, Args)]
pub(crate) struct Context {
    /// The course: its id, the beginning of its id, its curriculum or its title
    course: String,
    /// The learner
    #[arg(long, default_value = "me")]
    learner: String,
}

impl Context {
    pub(crate) async fn run(self, config: &Config) -> ExitCode {
        with_app(config, async |app| {
            let id = course_id(app, &self.learner, &self.course).await?;
            let context = look(app, &self.learner, |shelf| looks::context(shelf, &id)).await?;
            if context.memory.is_none() {
                tracing::warn!(
                    "the context goes without what is known about the learner, which cannot be read"
                );
            }
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
    on_app(config, config.plain_app().await, None, run).await
}

/// The same, on what a command needs beyond the store. What failed is said in the language of whoever learns, or in that of
/// the system.
pub(super) async fn on_app(
    config: &Config,
    app: Result<App, ExitCode>,
    options: Option<&desk::Options>,
    run: impl AsyncFnOnce(&App) -> Result<ExitCode, Failure>,
) -> ExitCode {
    let app = match app {
        Ok(app) => app,
        Err(code) => return code,
    };
    let code = run(&app).await;
    let code = match code {
        Ok(code) => code,
        Err(mut failure) => {
            let asked = options.and_then(|options| options.language.clone());
            let language = match options.filter(|_| asked.is_none()) {
                Some(options) => language::of(&app, &options.learner, None, Some(&config.locale)).await.ok(),
                None => asked,
            };
            let wishes = language.iter().map(String::as_str).chain([config.locale.as_str()]);
            app.words.translate(app.words.choose(wishes), &mut failure);
            output::failure(&failure, config.json)
        }
    };
    app.store.close().await;
    code
}

/// For commands that cannot even be read.
pub(super) fn unreadable(message: &str) -> ExitCode {
    output::error(message, UNREADABLE)
}
