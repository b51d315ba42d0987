//! `etude context`: prints what an assistant needs to continue a course.

use super::config::Config;
use super::desk;
use super::output::{self, Done, Stop};
use super::teach::course_id;
use clap::Args;
use coaching::teach::looks;
use shell::engine::app::App;
use shell::engine::look::look;
use shell::learners::language;

#[derive(Debug, Args)]
pub(crate) struct Context {
    /// The course: its id, the beginning of its id, its curriculum or its title
    course: String,
    /// The learner
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

/// Runs a command on an open store, and closes the store in any case.
pub(super) async fn with_app(config: &Config, run: impl AsyncFnOnce(&App) -> Done) -> Done {
    on_app(config, config.plain_app().await, None, run).await
}

/// Runs a command on an open app, and closes its store in any case. Translates a failure into the learner's
/// language, or into that of the system.
pub(super) async fn on_app(
    config: &Config,
    app: Result<App, Stop>,
    options: Option<&desk::Options>,
    run: impl AsyncFnOnce(&App) -> Done,
) -> Done {
    let app = app?;
    let mut done = run(&app).await;
    if let Err(Stop::Failure(failure)) = &mut done {
        let asked = options.and_then(|options| options.language.clone());
        let language = match options.filter(|_| asked.is_none()) {
            Some(options) => language::of(&app, &options.learner, None, Some(&config.locale)).await.ok(),
            None => asked,
        };
        let wishes = language.iter().map(String::as_str).chain([config.locale.as_str()]);
        app.words.translate(app.words.choose(wishes), failure);
    }
    app.store.close().await;
    done
}
