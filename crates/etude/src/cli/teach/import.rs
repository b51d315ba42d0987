//! Imports maps and curricula.

use super::courses::rows;
use crate::builtin;
use crate::cli::config::Config;
use crate::cli::output::{self, BAD, QUIET, paint, say};
use crate::cli::packs::write_over;
use crate::cli::screen::layout::clean;
use crate::cli::words::{self, Voice};
use crate::cli::{NO, UNREADABLE};
use crate::engine::app::App;
use crate::engine::failure::Failure;
use crate::teach::teaching;
use clap::Args;
use coaching::curriculum::{Curriculum, PackProblem};
use serde_json::{Value, json};
use std::path::{Path, PathBuf};
use std::process::ExitCode;

/// A map of as many concepts as there may be is smaller, and so is any curriculum.
const MAX_FILE_BYTES: u64 = 64 << 20;
/// More problems than this are not read.
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
    pub(super) async fn run(
        &self,
        app: &App,
        learner: &str,
        config: &Config,
        voice: &Voice<'_>,
    ) -> Result<ExitCode, Failure> {
        let source = match read(&self.file) {
            Ok(source) => source,
            Err(message) => return Ok(output::error(&message, UNREADABLE)),
        };
        match self.file.extension().and_then(|ending| ending.to_str()) {
            Some("json") => self.map(app, learner, &source, config, voice).await,
            Some("yaml" | "yml") => Ok(self.curriculum(learner, &source, config, voice)),
            _ => {
                let message =
                    format!("{}: a map is a .json file, a curriculum a .yaml file", self.file.display());
                Ok(output::error(&message, UNREADABLE))
            }
        }
    }

    async fn map(
        &self,
        app: &App,
        learner: &str,
        source: &[u8],
        config: &Config,
        voice: &Voice<'_>,
    ) -> Result<ExitCode, Failure> {
        let map: Value = match serde_json::from_slice(source) {
            Ok(map) => map,
            Err(error) => {
                let message = format!("{} is no JSON: {error}", self.file.display());
                return Ok(output::error(&message, UNREADABLE));
            }
        };
        let answer = teaching::import(app, learner, map, "etude", None).await?;
        let rows = rows(app, learner).await?;
        let row = rows.iter().find(|row| row.listed.mind_map_id == answer.view.id);
        if config.json {
            return Ok(output::json(&row));
        }
        if let Some(row) = row {
            let (title, command) = (clean(&row.listed.title), row.command.as_str());
            say!("{}", voice.say(&words::map_imported(title, row.listed.nodes, command)));
        }
        Ok(ExitCode::SUCCESS)
    }

    fn curriculum(&self, learner: &str, source: &[u8], config: &Config, voice: &Voice<'_>) -> ExitCode {
        let name = self.file.file_name().unwrap_or_default().to_string_lossy();
        let curriculum = match Curriculum::read(source, &name) {
            Ok(curriculum) => curriculum,
            Err(problems) => return refuse(&self.file, &problems),
        };
        if let Err((message, code)) = self.keep(&curriculum, source, config) {
            return output::error(&message, code);
        }
        if config.json {
            return output::json(
                &json!({"curriculum": curriculum.id, "concepts": curriculum.concepts.len()}),
            );
        }
        let (title, count) = (clean(&curriculum.title), curriculum.concepts.len());
        let command = super::command(&curriculum.id, learner);
        say!("{}", voice.say(&words::curriculum_imported(title, count, command)));
        ExitCode::SUCCESS
    }

    /// Copies it into the folder of the learner's own curricula.
    fn keep(&self, curriculum: &Curriculum, source: &[u8], config: &Config) -> Result<(), (String, u8)> {
        let failed = |error: std::io::Error| (format!("the curriculum cannot be kept: {error}"), NO);
        if builtin::read_curricula(None).0.iter().any(|shipped| shipped.id == curriculum.id) {
            let message =
                format!("a curriculum called `{}` ships with Etude; give yours another id", curriculum.id);
            return Err((message, UNREADABLE));
        }
        config.make_data_folder().map_err(|message| (message, NO))?;
        let folder = config.curricula_folder();
        std::fs::create_dir_all(&folder).map_err(failed)?;
        let path = folder.join(format!("{}.yaml", curriculum.id));
        if path.exists() && !self.replace {
            let message = format!("{} is there already; give --replace to write over it", path.display());
            return Err((message, UNREADABLE));
        }
        write_over(&path, source).map_err(failed)
    }
}

fn read(path: &Path) -> Result<Vec<u8>, String> {
    let cannot = |error: std::io::Error| format!("{} cannot be read: {error}", path.display());
    let size = std::fs::metadata(path).map_err(cannot)?.len();
    if size > MAX_FILE_BYTES {
        return Err(format!("{} is larger than {} MB", path.display(), MAX_FILE_BYTES >> 20));
    }
    std::fs::read(path).map_err(cannot)
}

fn refuse(file: &Path, problems: &[PackProblem]) -> ExitCode {
    for problem in problems.iter().take(MAX_SHOWN) {
        anstream::eprintln!("{} {}", paint(BAD, "error:"), clean(&problem.to_string()));
    }
    if problems.len() > MAX_SHOWN {
        anstream::eprintln!("{}", paint(QUIET, format!("… and {} more", problems.len() - MAX_SHOWN)));
    }
    output::error(&format!("{} is not taken over; correct it and try again", file.display()), UNREADABLE)
}
