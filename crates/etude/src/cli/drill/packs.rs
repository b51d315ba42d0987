//! The packs there are, and how far a learner has come with each.

use super::session::{Open, open_sessions};
use super::words::Words;
use super::{Drill, ME, command};
use crate::builtin::{self, LeftOut, WhyLeftOut};
use crate::cli::config::Config;
use crate::cli::output::{self, QUIET, STRONG, quoted, say};
use crate::cli::screen::columns;
use crate::cli::screen::layout::{Span, clean, paragraph};
use crate::cli::screen::words::fill;
use crate::engine::app::App;
use crate::engine::failure::Failure;
use anstyle::Style;
use coaching::learner::{ITEM_KIND, LearnerItem, Status};
use coaching::pack::Pack;
use serde::Serialize;
use std::path::Path;
use std::process::ExitCode;
use store::{At, Record};

/// One pack as it stands for one learner.
#[derive(Debug, Serialize)]
struct Row {
    id: String,
    title: String,
    language: String,
    explained_in: String,
    items: usize,
    learned: usize,
    due: usize,
    is_open: bool,
}

/// How many items a learner has learned, how many are due, and when the next one will be.
#[derive(Debug, Default, PartialEq, Eq)]
pub(super) struct Tally {
    pub learned: usize,
    pub due: usize,
    pub next_due_at: Option<At>,
}

/// Lists the packs and says what to type.
pub(super) async fn list(
    app: &App,
    args: &Drill,
    config: &Config,
    words: &'static Words,
) -> Result<ExitCode, Failure> {
    let (packs, left_out) = builtin::read_packs(Some(config.packs_folder()));
    let rows = rows(app, &args.learner, packs).await?;
    if config.json {
        return Ok(output::json(&rows));
    }
    for left in &left_out {
        anstream::eprintln!("{}", note(left, &config.packs_folder(), words));
    }
    let Some(first) = rows.first() else {
        let folder = config.packs_folder().display().to_string();
        say!("{}", fill(words.no_packs, &[("folder", &folder)]));
        return Ok(ExitCode::SUCCESS);
    };
    let show = |indent: &str, spans: &[Span]| say!("{}", paragraph(indent, spans, columns()).trim_end());
    say!("{}\n", heading(&args.learner, words));
    for row in &rows {
        show("  ", &[Span::new(STRONG, &row.id), Span::new(Style::new(), format!("\u{a0} {}", row.title))]);
        show("      ", &[Span::new(QUIET, about(row, words))]);
    }
    // Whoever begins reads the explanations.
    let understood = rows.iter().find(|row| row.explained_in == words.language).unwrap_or(first);
    let command = command(&understood.id, &args.learner);
    say!("");
    show("", &[Span::new(Style::new(), fill(words.how_to_begin, &[("command", &command)]))]);
    Ok(ExitCode::SUCCESS)
}

/// The pack that a name means: by its id, or by a part of its id that no other pack has.
pub(super) fn meant(name: &str, config: &Config) -> String {
    let (packs, _) = builtin::read_packs(Some(config.packs_folder()));
    let has_part = |pack: &&Pack| pack.id.split('-').any(|part| part == name.to_lowercase());
    let found: Vec<&Pack> = packs.iter().filter(has_part).collect();
    match found.as_slice() {
        [pack] if packs.iter().all(|pack| pack.id != name) => pack.id.clone(),
        _ => name.to_owned(),
    }
}

/// Why a pack cannot be practised although its file is there.
pub(super) fn broken(pack: &str, config: &Config) -> Option<String> {
    let folder = config.packs_folder();
    let (packs, left_out) = builtin::read_packs(Some(folder.clone()));
    let is_it = |left: &&LeftOut| {
        matches!(left.why, WhyLeftOut::Broken(_)) && Path::new(&left.file).file_stem() == Some(pack.as_ref())
    };
    let left = left_out.iter().find(is_it).filter(|_| packs.iter().all(|known| known.id != pack))?;
    let command = check_command(left, &folder);
    Some(format!("the pack `{pack}` is there, but it has problems; `{command}` shows them"))
}

/// How far a learner has come with one pack.
pub(super) async fn tally(app: &App, learner: &str, pack: &str) -> Result<Tally, Failure> {
    let records = app.store.records(learner, ITEM_KIND, store::MAX_LIMIT).await?;
    Ok(count(&records, pack, app.clock.now()))
}

async fn rows(app: &App, learner: &str, packs: Vec<Pack>) -> Result<Vec<Row>, Failure> {
    let records = app.store.records(learner, ITEM_KIND, store::MAX_LIMIT).await?;
    let open: Vec<String> = open_sessions(app, learner).await?.into_iter().filter_map(open_pack).collect();
    let row = |pack: Pack| {
        let tally = count(&records, &pack.id, app.clock.now());
        Row {
            is_open: open.contains(&pack.id),
            items: pack.items.len(),
            learned: tally.learned,
            due: tally.due,
            id: pack.id,
            title: pack.title,
            language: pack.language,
            explained_in: pack.explained_in,
        }
    };
    Ok(packs.into_iter().map(row).collect())
}

fn note(left: &LeftOut, folder: &Path, words: &Words) -> String {
    match left.why {
        WhyLeftOut::Broken(_) => {
            let command = check_command(left, folder);
            clean(&fill(words.left_out, &[("file", &left.file), ("command", &command)]))
        }
        WhyLeftOut::Taken(_) => clean(&left.to_string()),
    }
}

fn check_command(left: &LeftOut, folder: &Path) -> String {
    format!("etude pack check {}", quoted(&folder.join(&left.file).to_string_lossy()))
}

fn heading(learner: &str, words: &Words) -> String {
    match learner {
        ME => words.your_packs.to_owned(),
        _ => fill(words.packs_for, &[("learner", &clean(learner))]),
    }
}

fn open_pack(session: Open) -> Option<String> {
    match session {
        Open::Resumable(_, standing) => Some(standing.pack.id),
        Open::Stuck(_) => None,
    }
}

fn count(records: &[Record], pack: &str, now: At) -> Tally {
    let mut tally = Tally::default();
    for record in records {
        let is_here = record.key.split_once('/').is_some_and(|(of, _)| of == pack);
        let Ok(item) = serde_json::from_str::<LearnerItem>(&record.body) else { continue };
        if !is_here || item.status == Status::New {
            continue;
        }
        tally.learned += usize::from(item.status == Status::Learned);
        tally.due += usize::from(record.due_at.is_some_and(|at| at <= now));
        tally.next_due_at = [tally.next_due_at, record.due_at].into_iter().flatten().min();
    }
    tally
}

fn about(row: &Row, words: &Words) -> String {
    let taught = [("language", row.language.as_str()), ("explained_in", &row.explained_in)];
    let mut parts = vec![
        fill(words.taught_in, &taught),
        words.items.of(row.items),
        fill(words.learned, &[("n", &row.learned.to_string())]),
        fill(words.due, &[("n", &row.due.to_string())]),
    ];
    if row.is_open {
        parts.push(words.session_is_open.to_owned());
    }
    parts.join(" · ")
}
