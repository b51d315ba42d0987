//! `etude context`: what somebody has to know to go on with a course.

use super::config::Config;
use super::output::{self, Done, Stop};
use super::teach::course_id;
use crate::engine::app::App;
use crate::engine::look::look;
use clap::Args;
use coaching::teach::looks;

#[derive(Debug, Args)]
pub(crate) struct Context {
    /// A course, by its id, its curriculum or its title, or the beginning of its id
    course: String,
    /// Whose course it is
    #[arg(long, default_value = "me")]
    learner: String,
}

impl Context {
    pub(crate) async fn run(self, config: &Config) -> Done {
        with_app(config, async |app| {
            let id = course_id(app, &self.learner, &self.course).await?;
            let context = look(app, &self.learner, |shelf| looks::context(shelf, &id)).await?;
            if context.memory.is_none() {
                tracing::warn!(
                    "the context goes without what is known about the learner, which cannot be read"
                );
            }
            output::answer(config, &context, |context| output::text(&context.text()))
        })
        .await
    }
}

/// Runs a command on an open store, and closes it in any case.
pub(super) async fn with_app(config: &Config, run: impl AsyncFnOnce(&App) -> Done) -> Done {
    on_app(config, config.plain_app().await, None, run).await
}

/// The same, on what a command needs beyond the store. What failed is said in a language, or in that of the system.
pub(super) async fn on_app(
    config: &Config,
    app: Result<App, Stop>,
    language: Option<&str>,
    run: impl AsyncFnOnce(&App) -> Done,
) -> Done {
    let app = app?;
    let done = run(&app).await;
    app.store.close().await;
    done.map_err(|mut stop| {
        if let Stop::Failure(failure) = &mut stop {
            let language = app.words.choose(language.into_iter().chain([config.locale.as_str()]));
            app.words.translate(language, failure);
        }
        stop
    })
}
