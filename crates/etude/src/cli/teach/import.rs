//! `etude teach import`: imports maps and curricula.

use super::courses::rows;
use crate::cli::config::Config;
use crate::cli::output::{self, BAD, Done, QUIET, Stop, no, paint, say, unreadable};
use crate::cli::packs::{self, read_file};
use crate::cli::screen::layout::clean;
use crate::cli::words::{self, Voice};
use clap::Args;
use coaching::curriculum::PackProblem;
use serde_json::{Value, json};
use shell::engine::app::App;
use shell::shelf::{self, Kept, Refused};
use shell::teach::teaching;
use std::path::{Path, PathBuf};

/// The number of problems that are shown. People do not read more.
const MAX_SHOWN: usize = 20;

#[derive(Debug, Args)]
pub(super) struct Import {
    /// A map from `etude teach map --format json`, or a curriculum in YAML
    file: PathBuf,
    /// Overwrite your curriculum of the same name
    #[arg(long)]
    replace: bool,
}

impl Import {
    pub(super) async fn run(&self, app: &App, learner: &str, config: &Config, voice: &Voice<'_>) -> Done {
        let source = read_file(&self.file)?;
        match self.file.extension().and_then(|ending| ending.to_str()) {
            Some("json") => self.map(app, learner, &source, config, voice).await,
            Some("yaml" | "yml") => self.curriculum(learner, &source, config, voice),
            _ => {
                let file = self.file.display();
                Err(unreadable(format!("{file}: a map is a .json file, a curriculum a .yaml file")))
            }
        }
    }

    async fn map(&self, app: &App, learner: &str, source: &[u8], config: &Config, voice: &Voice<'_>) -> Done {
        let map: Value = serde_json::from_slice(source)
            .map_err(|error| unreadable(format!("{} is no JSON: {error}", self.file.display())))?;
        let answer = teaching::open(app, learner, json!({"map": map, "tutor": "etude"})).await?;
        let rows = rows(app, learner).await?;
        let row = rows.iter().find(|row| row.listed.mind_map_id == answer.view.id);
        output::answer(config, &row, |row| {
            if let Some(row) = row {
                let (title, command) = (clean(&row.listed.title), row.command.as_str());
                say!("{}", voice.say(&words::map_imported(title, row.listed.nodes, command)));
            }
        })
    }

    fn curriculum(&self, learner: &str, source: &[u8], config: &Config, voice: &Voice<'_>) -> Done {
        let name = self.file.file_name().unwrap_or_default().to_string_lossy();
        config.make_data_folder().map_err(no)?;
        let kept = shelf::keep_curriculum(&config.data, &name, source, self.replace);
        let Kept { id, title, count, .. } = kept.map_err(|refused| self.stop(refused))?;
        output::answer(config, &json!({"curriculum": id, "concepts": count}), |_| {
            let command = super::command(&id, learner);
            say!("{}", voice.say(&words::curriculum_imported(clean(&title), count, command)));
        })
    }

    fn stop(&self, refused: Refused) -> Stop {
        match refused {
            Refused::Mistakes(problems) => refuse(&self.file, &problems),
            Refused::Shipped(id) => {
                unreadable(format!("a curriculum called `{id}` ships with Etude; give yours another id"))
            }
            Refused::Taken(path) => {
                unreadable(format!("{} is there already; give --replace to write over it", path.display()))
            }
            Refused::Disk(error) => no(format!("the curriculum cannot be kept: {error}")),
            refused => packs::stop(refused),
        }
    }
}

fn refuse(file: &Path, problems: &[PackProblem]) -> Stop {
    for problem in problems.iter().take(MAX_SHOWN) {
        anstream::eprintln!("{} {}", paint(BAD, "error:"), clean(&problem.to_string()));
    }
    if problems.len() > MAX_SHOWN {
        anstream::eprintln!("{}", paint(QUIET, format!("… and {} more", problems.len() - MAX_SHOWN)));
    }
    unreadable(format!("{} is not taken over; correct it and try again", file.display()))
}
