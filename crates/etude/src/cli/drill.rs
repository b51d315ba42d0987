//! `etude drill`: lists the packs, or opens a session with one at the desk.

use super::config::Config;
use super::context::on_app;
use super::desk::{self, ByVoice, End, Seat};
use super::output::{self, Done, QUIET, STRONG, quoted, say, unreadable};
use super::screen::columns;
use super::screen::layout::{Span, clean, paragraph};
use super::words::{self, Now, Voice};
use anstyle::Style;
use clap::Args;
use coaching::drill::{Drill as Flow, DrillMore};
use coaching::look::Subject;
use coaching::pack::Pack;
use coaching::turn::Flow as _;
use coaching::words::Text;
use serde::Serialize;
use serde_json::json;
use shell::builtin::{self, LeftOut, WhyLeftOut};
use shell::engine::app::App;
use shell::engine::failure::Failure;
use shell::engine::look::subjects;
use shell::engine::turn::Opening;
use shell::engine::view::View;
use shell::learners::command_line::{ME, typed};
use std::path::Path;
use std::process::ExitCode;

pub(super) const FLOW: &str = Flow::FACE.name;

#[derive(Debug, Args)]
pub(crate) struct Drill {
    /// The pack to learn from; without it, lists the packs
    pack: Option<String>,
    /// New words in a new session, 1 to 50 [default: 5]
    #[arg(long, value_name = "NUMBER", value_parser = clap::value_parser!(u32).range(1..=50))]
    words: Option<u32>,
    /// Override a constant of the law in a new session
    #[arg(long, value_name = "NAME=NUMBER", value_parser = super::laws::parse_set)]
    set: Vec<(String, i64)>,
    /// End the open session for good and start a new one
    #[arg(long)]
    new: bool,
    #[command(flatten)]
    by_voice: ByVoice,
    #[command(flatten)]
    options: desk::Options,
}

impl Drill {
    pub(crate) async fn run(self, config: &Config) -> Done {
        let app = config.asking_app(config.flows()).await;
        on_app(config, app, Some(&self.options), async |app| {
            let Some(pack) = &self.pack else { return self.list(app, config).await };
            let pack = meant(pack, config);
            match self.objection(app, &pack, config) {
                Some(message) => Err(unreadable(message)),
                None => self.practise(app, &pack, config).await,
            }
        })
        .await
    }

    /// Checks options that the terminal can explain better than the turn loop.
    fn objection(&self, app: &App, pack: &str, config: &Config) -> Option<String> {
        broken(pack, config).or_else(|| {
            let known = app.flows.get(FLOW).map(|entry| entry.law.constants.as_slice())?;
            let names: Vec<&str> = known.iter().map(|(named, _)| named.name.as_str()).collect();
            let (unknown, _) = self.set.iter().find(|(name, _)| !names.contains(&name.as_str()))?;
            let unknown = clean(unknown);
            Some(format!("--set: the law has no constant `{unknown}`. It has: {}", names.join(", ")))
        })
    }

    async fn practise(&self, app: &App, pack: &str, config: &Config) -> Done {
        let aloud = self.by_voice.aloud();
        self.options.sit(app, config, aloud, async |seat| self.practise_at(seat, pack).await).await
    }

    fn opening(&self, pack: &str) -> Opening {
        let voice = self.by_voice.voice;
        let timed = voice || self.options.timed || self.options.patience.is_some();
        let mut opening = json!({"pack": pack, "voice": voice, "timed": timed});
        if let Some(words) = self.words {
            opening["new_words"] = words.into();
        }
        let set = self.set.iter().cloned().collect();
        Opening { flow: FLOW.to_owned(), opening, set, ..Opening::default() }
    }

    async fn practise_at(&self, seat: &mut Seat<'_>, pack: &str) -> Result<(), Failure> {
        let opening = self.opening(pack);
        let has_wishes = self.words.is_some() || !self.set.is_empty();
        let is_it = |view: &View| is_with(view, pack);
        let mut held = seat.sit_down(opening, self.new, has_wishes, is_it).await?;
        let command = seat.command(command(pack, &self.options.learner));
        match seat.hold(&mut held, |_| None).await? {
            End::Over => {
                if let Some(when) = self.next_review(seat.app, pack, &held.view).await? {
                    seat.note(words::next_review(when));
                }
                seat.note(words::next_session(command));
            }
            End::Left | End::Meanwhile => seat.note(words::saved(command)),
        }
        Ok(())
    }

    /// Returns when the next word is due, for a session that had nothing to do.
    async fn next_review(&self, app: &App, pack: &str, view: &View) -> Result<Option<Text>, Failure> {
        let summary = view.more::<Option<DrillMore>>().and_then(|more| more.summary);
        if summary.is_some_and(|summary| !summary.learned.is_empty() || !summary.parked.is_empty()) {
            return Ok(None);
        }
        let subjects = subjects(app, &self.options.learner).await?;
        let due_us =
            subjects.into_iter().filter(|(_, subject)| is_of(subject, pack)).flat_map(|(_, it)| it.due_us);
        let now = Now::of(app, &self.options.learner).await?;
        Ok(due_us.min().map(|at_us| now.until(at_us)))
    }

    /// Lists the packs, and says how to start one.
    async fn list(&self, app: &App, config: &Config) -> Done {
        let learner = &self.options.learner;
        let (packs, left_out) = builtin::read_packs(Some(config.packs_folder()));
        let rows = rows(app, learner, packs).await?;
        if config.json {
            return output::json(&rows);
        }
        let voice = self.options.voice(app, None, config).await?;
        for left in &left_out {
            anstream::eprintln!("{}", note(left, &config.packs_folder(), &voice));
        }
        let Some(first) = rows.first() else {
            say!("{}", voice.say(&words::no_packs(config.packs_folder().display().to_string())));
            return Ok(ExitCode::SUCCESS);
        };
        let show = |indent: &str, spans: &[Span]| say!("{}", paragraph(indent, spans, columns()).trim_end());
        let heading = if learner == ME { words::your_packs() } else { words::packs_for(clean(learner)) };
        say!("{}\n", voice.say(&heading));
        for row in &rows {
            show(
                "  ",
                &[Span::new(STRONG, &row.id), Span::new(Style::new(), format!("\u{a0} {}", row.title))],
            );
            show("      ", &[Span::new(QUIET, row.about(&voice))]);
        }
        // A beginner has to understand the explanations, so a pack that explains in their language is suggested.
        let understood = rows.iter().find(|row| row.explained_in == voice.language).unwrap_or(first);
        say!("");
        let begin = voice.say(&words::how_to_begin(command(&understood.id, learner)));
        show("", &[Span::new(Style::new(), begin)]);
        Ok(ExitCode::SUCCESS)
    }
}

/// Returns the command that practises a pack.
pub(super) fn command(pack: &str, learner: &str) -> String {
    typed(&["drill", pack], learner)
}

/// A pack and a learner's progress with it.
#[derive(Debug, Serialize)]
pub(super) struct Row {
    id: String,
    pub title: String,
    language: String,
    explained_in: String,
    items: usize,
    learned: usize,
    pub due: usize,
    pub is_open: bool,
}

impl Row {
    fn about(&self, voice: &Voice<'_>) -> String {
        let taught = words::taught_in(
            words::language(self.language.as_str()),
            words::language(self.explained_in.as_str()),
        );
        let tally = words::pack_tally(self.items, self.learned, self.due);
        let open = self.is_open.then(words::session_is_open);
        let parts: Vec<String> =
            [Some(taught), Some(tally), open].iter().flatten().map(|part| voice.say(part)).collect();
        parts.join(" · ")
    }

    pub(super) fn command(&self, learner: &str) -> String {
        command(&self.id, learner)
    }

    pub(super) fn is_begun(&self) -> bool {
        self.learned > 0 || self.due > 0 || self.is_open
    }

    pub(super) fn progress(&self) -> Text {
        words::numbers_words(&self.title, self.learned, self.items, self.due)
    }
}

/// Returns the packs with a learner's progress.
pub(super) async fn rows(app: &App, learner: &str, packs: Vec<Pack>) -> Result<Vec<Row>, Failure> {
    let subjects = subjects(app, learner).await?;
    let (open, _) = desk::open_flows(app, learner, FLOW).await?;
    let now_us = app.clock.now().0;
    let row = |pack: Pack| {
        let known = subjects.iter().map(|(_, subject)| subject).find(|subject| is_of(subject, &pack.id));
        Row {
            is_open: open.iter().any(|view| is_with(view, &pack.id)),
            items: pack.items.len(),
            learned: known.map_or(0, |subject| subject.known),
            due: known.map_or(0, |subject| subject.due(now_us)),
            id: pack.id,
            title: pack.title,
            language: pack.language,
            explained_in: pack.explained_in,
        }
    };
    Ok(packs.into_iter().map(row).collect())
}

/// Whether a session practises this pack.
fn is_with(view: &View, pack: &str) -> bool {
    view.more::<Option<DrillMore>>().is_some_and(|more| more.pack.id == pack)
}

fn is_of(subject: &Subject, pack: &str) -> bool {
    subject.begin.flow == FLOW && subject.id == pack
}

/// Resolves the name of a pack: its id, or a part of its id that no other pack has.
fn meant(name: &str, config: &Config) -> String {
    let (packs, _) = builtin::read_packs(Some(config.packs_folder()));
    let has_part = |pack: &&Pack| pack.id.split('-').any(|part| part == name.to_lowercase());
    let found: Vec<&Pack> = packs.iter().filter(has_part).collect();
    match found.as_slice() {
        [pack] if packs.iter().all(|pack| pack.id != name) => pack.id.clone(),
        _ => name.to_owned(),
    }
}

/// Returns why a pack cannot be practised although its file exists.
fn broken(pack: &str, config: &Config) -> Option<String> {
    let folder = config.packs_folder();
    let (packs, left_out) = builtin::read_packs(Some(folder.clone()));
    let is_it = |left: &&LeftOut| {
        matches!(left.why, WhyLeftOut::Broken(_)) && Path::new(&left.file).file_stem() == Some(pack.as_ref())
    };
    let left = left_out.iter().find(is_it).filter(|_| packs.iter().all(|known| known.id != pack))?;
    let command = check_command(left, &folder);
    Some(format!("the pack `{pack}` is there, but it has problems; `{command}` shows them"))
}

fn note(left: &LeftOut, folder: &Path, voice: &Voice<'_>) -> String {
    match left.why {
        WhyLeftOut::Broken(_) => {
            clean(&voice.say(&words::left_out(left.file.as_str(), check_command(left, folder))))
        }
        WhyLeftOut::Taken(_) => clean(&left.to_string()),
    }
}

fn check_command(left: &LeftOut, folder: &Path) -> String {
    format!("etude pack check {}", quoted(&folder.join(&left.file).to_string_lossy()))
}
