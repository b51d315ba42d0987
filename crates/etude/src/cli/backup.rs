//! `etude backup`, `etude restore` and `etude prune`: commands on the whole database.

use super::config::Config;
use super::context::with_app;
use super::output::{self, Done, no, say};
use clap::Args;
use serde_json::json;
use shell::engine::clock::{iso, span_ms};
use shell::learners::retention::{self, Pruned};
use std::fs::{File, OpenOptions};
use std::io::{BufReader, BufWriter, IsTerminal, Write};
use std::path::{Path, PathBuf};

#[derive(Debug, Args)]
pub(crate) struct BackUp {
    /// The file to write; `-` for standard output
    file: PathBuf,
}

#[derive(Debug, Args)]
pub(crate) struct Restore {
    /// A file that `etude backup` wrote; `-` for standard input
    file: PathBuf,
    /// Replace the data that is there; stop all servers first
    #[arg(long)]
    replace: bool,
}

#[derive(Debug, Args)]
pub(crate) struct Prune {
    /// Only flows that ended longer ago than this, as in 90d or 2y
    #[arg(long, value_name = "TIME", value_parser = span_ms)]
    older_than: i64,
    /// Append deleted logs to this file, one flow per line
    #[arg(long, value_name = "FILE")]
    archive: Option<PathBuf>,
    /// Only show what would be deleted
    #[arg(long)]
    dry_run: bool,
}

impl BackUp {
    pub(crate) async fn run(self, config: &Config) -> Done {
        if self.file == Path::new("-") {
            if std::io::stdout().is_terminal() {
                return Err(no(
                    "a backup is for a file: write its name, or pipe the output into another program",
                ));
            }
            return with_app(config, async |app| {
                app.store.back_up(BufWriter::new(std::io::stdout()), app.clock.now()).await?;
                Ok(std::process::ExitCode::SUCCESS)
            })
            .await;
        }
        // The file gets its name when it is complete, so that half a backup is never taken for one.
        let aside = self.file.with_added_extension("part");
        let failed = |error: std::io::Error| no(format!("{}: {error}", aside.display()));
        let written = with_app(config, async |app| {
            let file = private(&aside, OpenOptions::new().truncate(true)).map_err(failed)?;
            let made = app.store.back_up(BufWriter::new(&file), app.clock.now()).await?;
            file.sync_all().and_then(|()| std::fs::rename(&aside, &self.file)).map_err(failed)?;
            let said = json!({"file": self.file, "rows": made.rows, "bytes": made.bytes, "at": iso(made.at)});
            output::answer(config, &said, |_| {
                say!(
                    "{} has {} rows ({} bytes), as they stood at {}.",
                    self.file.display(),
                    made.rows,
                    made.bytes,
                    iso(made.at)
                );
            })
        })
        .await;
        if written.is_err() {
            let _ = std::fs::remove_file(&aside);
        }
        written
    }
}

/// Opens a file for writing that, like the database, only its owner may read.
pub(super) fn private(path: &Path, options: &mut OpenOptions) -> std::io::Result<File> {
    options.write(true).create(true);
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::mode(options, 0o600);
    options.open(path)
}

impl Restore {
    pub(crate) async fn run(self, config: &Config) -> Done {
        let failed = |error: std::io::Error| no(format!("{}: {error}", self.file.display()));
        let input: Box<dyn std::io::Read + Send> = match self.file == Path::new("-") {
            true => Box::new(std::io::stdin()),
            false => Box::new(File::open(&self.file).map_err(failed)?),
        };
        with_app(config, async |app| {
            let restored =
                app.store.restore(BufReader::new(input), self.replace).await.map_err(
                    |error| match error {
                        store::StoreError::Occupied => no(format!("{error}: --replace")),
                        error => error.into(),
                    },
                )?;
            let said = json!({"rows": restored.rows, "bytes": restored.bytes, "at": iso(restored.at)});
            output::answer(config, &said, |_| {
                say!("Restored {} rows, as they stood at {}.", restored.rows, iso(restored.at));
            })
        })
        .await
    }
}

impl Prune {
    pub(crate) async fn run(self, config: &Config) -> Done {
        with_app(config, async |app| {
            let before = app.clock.now().plus_ms(-self.older_than);
            let mut archive = match &self.archive {
                Some(path) if !self.dry_run => {
                    let opened = private(path, OpenOptions::new().append(true));
                    Some(opened.map_err(|error| no(format!("{}: {error}", path.display())))?)
                }
                _ => None,
            };
            let archive = archive.as_mut().map(|file| file as &mut (dyn Write + Send));
            let pruned = match self.dry_run {
                true => retention::prunable(app, before).await?,
                false => retention::prune(app, before, archive).await?,
            };
            output::answer(config, &pruned, |Pruned { flows, entries }| match self.dry_run {
                true => say!("{entries} entries of {flows} logs would be deleted."),
                false => say!("{entries} entries of {flows} logs are deleted; the last of each stays."),
            })
        })
        .await
    }
}
