//! `etude jobs`: lists, runs and reschedules the scheduled jobs.

use super::config::Config;
use super::context::on_app;
use super::output::{self, Done, QUIET, Stop, no, paint, say, unreadable};
use clap::{Args, Subcommand};
use shell::effects::Outside;
use shell::engine::app::App;
use shell::rounds::jobs::{self, Job, Task};
use std::process::ExitCode;

#[derive(Debug, Args)]
pub(crate) struct Jobs {
    #[command(subcommand)]
    command: Option<Command>,
    /// The learner
    #[arg(long, default_value = "me", global = true)]
    learner: String,
}

#[derive(Debug, Subcommand)]
enum Command {
    /// Run a job now, besides its schedule
    Run {
        /// The job, as `etude jobs` lists it
        name: String,
    },
    /// Change a job's schedule: a cron expression in the learner's time zone
    Set {
        /// The job, as `etude jobs` lists it
        name: String,
        /// Such as "0 8 * * 1" for Mondays at 8
        cron: String,
    },
}

impl Jobs {
    pub(crate) async fn run(self, config: &Config) -> Done {
        let learner = self.learner.as_str();
        on_app(config, app(config).await, None, async |app| match &self.command {
            Some(Command::Run { name }) => {
                let result = jobs::run_now(app, learner, Task::named(name)?).await?;
                say!("{name}: {result}");
                Ok(ExitCode::SUCCESS)
            }
            Some(Command::Set { name, cron }) => {
                let job = jobs::set_cron(app, learner, Task::named(name)?, cron).await?;
                show(&job);
                Ok(ExitCode::SUCCESS)
            }
            None => {
                jobs::enrol(app, learner, app.clock.now()).await?;
                let jobs = jobs::list(app, learner).await?;
                output::answer(config, &jobs, |jobs| {
                    jobs.iter().for_each(show);
                    match jobs.is_empty() {
                        true => say!(
                            "“{learner}” has opened no course and no drill, so there is nothing to do for them."
                        ),
                        false => say!(
                            "{}",
                            paint(QUIET, "They run while `etude serve` does; what was missed is caught up once.")
                        ),
                    }
                })
            }
        })
        .await
    }
}

/// Opens the app with the channels of a server, because a job sends its messages there.
async fn app(config: &Config) -> Result<App, Stop> {
    let (notifier, _) = config.channels().map_err(unreadable)?;
    let outside = Outside { notifier: Some(notifier.unwrap_or_default()), ..Outside::default() };
    config.app(config.flows(), outside).await.map_err(no)
}

fn show(job: &Job) {
    let last = match (&job.last_run_at, &job.last_result) {
        (Some(at), Some(result)) => format!("last {}: {result}", at.strftime("%Y-%m-%d %H:%M UTC")),
        _ => "never ran".to_owned(),
    };
    let next = job.run_at.strftime("%Y-%m-%d %H:%M UTC");
    say!("{:<28} {:<12} next {next}  {}", job.name, job.cron, paint(QUIET, last));
}
