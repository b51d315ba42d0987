//! Commands about packs: check, import, export; and the matcher, to be tried out.

use super::NO;
use super::config::Config;
use super::drill;
use super::output::{self, Done, GOOD, QUIET, STRONG, Stop, no, paint, say, unreadable};
use crate::builtin;
use crate::engine::clock::Clock;
use crate::engine::failure::counted;
use crate::engine::records;
use crate::learners::command_line::ME;
use clap::builder::NonEmptyStringValueParser;
use clap::{Args, Subcommand};
use coaching::curriculum;
use coaching::learner::{ITEM_KIND, Memory};
use coaching::pack::cards::{self, Cards, NewPack, Side};
use coaching::pack::{self, Pack, PackProblem, csv};
use coaching::problems;
use coaching::text::{self, Heard, Target};
use std::collections::HashMap;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

/// The most records of one learner that an export looks through.
const MAX_RECORDS: usize = 10_000;
/// How many of the notes that were left out are shown, and how much of each.
const MAX_SHOWN: usize = 5;
const MAX_SHOWN_CHARS: usize = 40;
/// No pack, card file, map or curriculum is larger.
const MAX_FILE_BYTES: u64 = 512 << 20;

#[derive(Debug, Args)]
pub(crate) struct Packs {
    #[command(subcommand)]
    command: Command,
}

#[derive(Debug, Subcommand)]
enum Command {
    /// Check packs, curricula and coding problems: every mistake with its place and its fix
    Check {
        /// Packs, curricula, coding problems or a catalogue of patterns
        files: Vec<PathBuf>,
    },
    /// Make a pack from an Anki package, with its review history, or from a CSV or TSV file
    Import(Import),
    /// Write a pack as an Anki package with your review history, or as plain CSV or TSV
    Export(Export),
}

impl Packs {
    pub(crate) async fn run(self, config: &Config) -> Done {
        match self.command {
            Command::Check { files } => check(&files, config),
            Command::Import(import) => import.run(config).await,
            Command::Export(export) => export.run(config).await,
        }
    }
}

fn check(files: &[PathBuf], config: &Config) -> Done {
    if files.is_empty() {
        return Err(unreadable("give at least one file: a pack, a curriculum or a coding problem"));
    }
    let mut found = Vec::new();
    for path in files {
        let source = read_file(path)?;
        let name = path.file_name().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default();
        let problems = match kind(&source) {
            Kind::Curriculum => curriculum::check(&source, &name),
            Kind::Problem => problems::check(&source, &name, builtin::catalogue()),
            Kind::Patterns => problems::check_patterns(&source),
            Kind::Pack => pack::check(&source, &name),
        };
        if !config.json {
            for problem in &problems {
                say!("{}: {problem}", path.display());
            }
            if problems.is_empty() {
                say!("{} {}", paint(GOOD, "✓"), path.display());
            }
        }
        found.extend(problems.into_iter().map(|problem| {
            serde_json::json!({
                "file": path.display().to_string(), "code": problem.code, "severity": problem.severity,
                "line": problem.line, "column": problem.column, "message": problem.message, "cure": problem.cure,
            })
        }));
    }
    if config.json {
        output::json(&found)?;
    }
    Ok(ExitCode::from(if found.is_empty() { 0 } else { NO }))
}

/// What a file is about.
enum Kind {
    Pack,
    Curriculum,
    Problem,
    Patterns,
}

/// Everything but a pack says so on a line of its own.
fn kind(source: &[u8]) -> Kind {
    let has = |key: &str| source.split(|byte| *byte == b'\n').any(|line| line.starts_with(key.as_bytes()));
    match () {
        () if has("curriculum:") => Kind::Curriculum,
        () if has("problem:") => Kind::Problem,
        () if has("patterns:") => Kind::Patterns,
        () => Kind::Pack,
    }
}

pub(super) fn read_file(path: &Path) -> Result<Vec<u8>, Stop> {
    let about = |error: std::io::Error| unreadable(format!("{} cannot be read: {error}", path.display()));
    let length = std::fs::metadata(path).map_err(about)?.len();
    if length > MAX_FILE_BYTES {
        return Err(unreadable(format!(
            "{} has {length} bytes; at most {MAX_FILE_BYTES} are read",
            path.display()
        )));
    }
    std::fs::read(path).map_err(about)
}

#[derive(Debug, Args)]
struct Import {
    /// An .apkg, .csv, .tsv or .txt file
    file: PathBuf,
    /// The language to learn, such as de or pt-BR
    #[arg(long)]
    language: String,
    /// The language of the meanings
    #[arg(long, default_value = "en")]
    explained_in: String,
    /// Name of the new pack [default: the name of the file]
    #[arg(long)]
    id: Option<String>,
    /// Title of the new pack [default: its name]
    #[arg(long)]
    title: Option<String>,
    /// Which side of the cards is in the language that is learned: front or back [default: back for cards
    /// that were exported from a pack, else front]
    #[arg(long, value_name = "SIDE", value_parser = parse_side)]
    text_side: Option<Side>,
    /// The learner that gets the review history
    #[arg(long, default_value = ME, value_parser = NonEmptyStringValueParser::new())]
    learner: String,
    /// Overwrite a pack of the same name
    #[arg(long)]
    replace: bool,
}

fn parse_side(text: &str) -> Result<Side, String> {
    match text {
        "front" => Ok(Side::Front),
        "back" => Ok(Side::Back),
        _ => Err("write front or back".into()),
    }
}

impl Import {
    async fn run(self, config: &Config) -> Done {
        let cards = self.read_cards()?;
        let id = self.id.clone().unwrap_or_else(|| id_of(&self.file));
        let title = self.title.clone().unwrap_or_else(|| id.clone());
        let about = format!("Imported from {}.", self.file.file_name().unwrap_or_default().to_string_lossy());
        let new = NewPack {
            id: &id,
            title: &title,
            language: &self.language,
            explained_in: &self.explained_in,
            about: &about,
            text_side: self.side(&cards),
        };
        let packed = cards::cards_to_packs(&cards, &new)
            .map_err(|problems| unreadable(problems.iter().map(by_flag).collect::<Vec<_>>().join("\n")))?;
        if packed.files.is_empty() {
            return Err(unreadable("no note of this file can become a word to learn: both sides need text"));
        }
        self.write_packs(&packed, config)?;
        let remembered = self.remember(&packed, config).await?;
        self.report(&cards, &packed, remembered, config);
        Ok(ExitCode::SUCCESS)
    }

    fn side(&self, cards: &Cards) -> Side {
        let usual = if cards::is_exported(cards) { cards::EXPORTED_TEXT_SIDE } else { Side::Front };
        self.text_side.unwrap_or(usual)
    }

    fn report(&self, cards: &Cards, packed: &cards::Packed, remembered: usize, config: &Config) {
        for file in &packed.files {
            let path = config.packs_folder().join(format!("{}.yaml", file.id));
            say!("{} {}", paint(GOOD, "✓"), path.display());
        }
        let (notes, skipped) = (counted(cards.notes.len(), "note"), packed.skipped.len());
        say!("  {notes} read, {remembered} with a history, {skipped} left out");
        let (taken, other) = match self.side(cards) {
            Side::Front => ("front", "back"),
            Side::Back => ("back", "front"),
        };
        say!("  the {taken} of the cards is what is learned; `--text-side {other}` takes the other side");
        if cards::is_exported(cards) {
            say!("  they were exported from a pack; its scenes and explanations are not part of card files");
        }
        for left in packed.skipped.iter().take(MAX_SHOWN) {
            say!("{}", paint(QUIET, format!("  {}", describe(left, cards))));
        }
        let command = drill::command(&packed.files[0].id, &self.learner);
        say!("Begin with {}", paint(STRONG, format!("`{command}`")));
    }

    fn read_cards(&self) -> Result<Cards, Stop> {
        let bytes = read_file(&self.file)?;
        let about = |error: &dyn std::fmt::Display| unreadable(format!("{}: {error}", self.file.display()));
        match ending(&self.file).as_str() {
            "apkg" | "colpkg" => anki::read(std::io::Cursor::new(bytes)).map_err(|error| about(&error)),
            "csv" | "tsv" | "txt" => csv::read(&bytes, cards::DEFAULT_DECK).map_err(|error| about(&error)),
            other => {
                Err(unreadable(format!("`.{other}` is not known. Give an .apkg, .csv, .tsv or .txt file")))
            }
        }
    }

    fn write_packs(&self, packed: &cards::Packed, config: &Config) -> Result<(), Stop> {
        config.make_data_folder().map_err(no)?;
        let folder = config.packs_folder();
        std::fs::create_dir_all(&folder).map_err(no)?;
        let shipped: Vec<Pack> = builtin::packs(None);
        for file in &packed.files {
            let path = folder.join(format!("{}.yaml", file.id));
            if shipped.iter().any(|pack| pack.id == file.id) {
                return Err(unreadable(format!(
                    "a pack called `{}` ships with Etude. Choose another --id",
                    file.id
                )));
            }
            if path.exists() && !self.replace {
                let cure = "give --replace to write over it, or another --id";
                return Err(unreadable(format!("{} is there already; {cure}", path.display())));
            }
            write_over(&path, &file.yaml).map_err(no)?;
            self.keep_source(&origin(config, &file.id)).map_err(no)?;
        }
        Ok(())
    }

    /// Keeps a package beside the pack, so that an export finds the notes and cards that it came from.
    fn keep_source(&self, origin: &Path) -> std::io::Result<()> {
        if let Some(folder) = origin.parent().filter(|_| is_package(&self.file)) {
            std::fs::create_dir_all(folder)?;
            return std::fs::copy(&self.file, origin).map(drop);
        }
        match std::fs::remove_file(origin) {
            Err(error) if error.kind() != std::io::ErrorKind::NotFound => Err(error),
            _ => Ok(()),
        }
    }

    /// Keeps the history, except for items that the learner has practised here since.
    async fn remember(&self, packed: &cards::Packed, config: &Config) -> Result<usize, Stop> {
        let store = config.store().await.map_err(no)?;
        let now = Clock::System.now();
        let known = store.records(&self.learner, ITEM_KIND, MAX_RECORDS).await.map_err(no)?;
        let mut changes = Vec::new();
        for record in packed.records.iter().filter_map(|card| cards::learned_item(card, Memory::Fsrs, now.0))
        {
            if !known.iter().any(|known| known.key == record.key) {
                changes.push(records::change(&self.learner, &record));
            }
        }
        let written = store.remember(&changes, now).await;
        store.close().await;
        written.map(|()| changes.len()).map_err(no)
    }
}

/// A problem with the head of the new pack is one with the flag that its line comes from.
fn by_flag(problem: &PackProblem) -> String {
    let PackProblem { message, cure, .. } = problem;
    match problem.line {
        1 => format!("--id: {message} ({cure})"),
        2 => format!("--title: {message} ({cure})"),
        3 => format!("--language: {message} ({cure})"),
        4 => format!("--explained-in: {message} ({cure})"),
        _ => problem.to_string(),
    }
}

/// A note that was left out, by its place and its text: lines of a file say little about notes.
fn describe(left: &cards::Skipped, cards: &Cards) -> String {
    let note = &cards.notes[left.note];
    let text = [&note.front, &note.back].into_iter().find(|side| !side.is_empty());
    let text: String = text.map(|text| text.chars().take(MAX_SHOWN_CHARS).collect()).unwrap_or_default();
    let text = text.replace(char::is_control, " ");
    format!("note {} of {}, “{text}”: {}", left.note + 1, cards.notes.len(), left.why)
}

/// Written to a temporary file and renamed, so that a full disk leaves the old file intact.
pub(super) fn write_over(path: &Path, content: impl AsRef<[u8]>) -> std::io::Result<()> {
    let beside = path.with_extension("yaml.new");
    std::fs::write(&beside, content).and_then(|()| std::fs::rename(&beside, path))
}

pub(super) fn ending(path: &Path) -> String {
    path.extension().map(|ending| ending.to_string_lossy().to_lowercase()).unwrap_or_default()
}

/// A name for a pack from the name of a file.
fn id_of(path: &Path) -> String {
    let stem = path.file_stem().map(|stem| stem.to_string_lossy().to_lowercase()).unwrap_or_default();
    let dashed: String = stem.chars().map(|c| if c.is_ascii_alphanumeric() { c } else { '-' }).collect();
    let id = dashed.split('-').filter(|part| !part.is_empty()).collect::<Vec<_>>().join("-");
    if id.is_empty() { "imported".into() } else { id }
}

/// Where the package is kept that a pack was imported from.
fn origin(config: &Config, pack: &str) -> PathBuf {
    config.packs_folder().join("anki").join(format!("{pack}.apkg"))
}

fn is_package(path: &Path) -> bool {
    matches!(ending(path).as_str(), "apkg" | "colpkg")
}

#[derive(Debug, Args)]
struct Export {
    /// The pack
    pack: String,
    /// The file to write: .apkg, .csv or .tsv; or the collection.anki2 of an Anki profile, which gets the new answers
    file: PathBuf,
    /// The learner for the review history in an .apkg
    #[arg(long, default_value = ME, value_parser = NonEmptyStringValueParser::new())]
    learner: String,
}

impl Export {
    async fn run(self, config: &Config) -> Done {
        let pack = named(builtin::packs(Some(config.packs_folder())), &self.pack)?;
        let learned = self.learned(&pack.id, config).await?;
        if ending(&self.file) == "anki2" {
            return self.write_profile(&pack.id, &learned);
        }
        if let Ok(source) = std::fs::read(origin(config, &pack.id))
            && ending(&self.file) == "apkg"
        {
            return self.back(&source, &pack.id, &learned);
        }
        let cards = cards::pack_to_cards(&pack, &learned);
        let ending = ending(&self.file);
        let bytes = match ending.as_str() {
            "apkg" => anki::write(&cards, Clock::System.now().0).map_err(no)?,
            "csv" => csv::write(&cards, csv::Separator::Comma, csv::Header::Row).into_bytes(),
            "tsv" | "txt" => csv::write(&cards, csv::Separator::Tab, csv::Header::Anki).into_bytes(),
            other => {
                return Err(unreadable(format!(
                    "`.{other}` is not known. Write to an .apkg, .csv or .tsv file"
                )));
            }
        };
        std::fs::write(&self.file, bytes).map_err(|error| no(format!("{}: {error}", self.file.display())))?;
        let history = match (ending.as_str(), learned.len()) {
            ("apkg", n) => format!(", {n} with a history"),
            (_, 0) => String::new(),
            (ending, _) => format!("; {} holds no history; use .apkg", ending.to_uppercase()),
        };
        let notes = counted(cards.notes.len(), "note");
        say!("{} {}: {notes}{history}", paint(GOOD, "✓"), self.file.display());
        Ok(ExitCode::SUCCESS)
    }

    /// A pack that came from Anki goes back with the notes, cards and note types that it came with.
    fn back(&self, source: &[u8], pack: &str, learned: &[cards::CardRecord]) -> Done {
        let now = Clock::System.now();
        let (bytes, updated) = anki::update_package(source, by_guid(learned, pack), now.0).map_err(no)?;
        std::fs::write(&self.file, bytes).map_err(|error| no(format!("{}: {error}", self.file.display())))?;
        self.say_updated(updated);
        Ok(ExitCode::SUCCESS)
    }

    /// Writes new answers into the collection of an Anki profile, after a copy of it was made.
    fn write_profile(&self, pack: &str, learned: &[cards::CardRecord]) -> Done {
        let shown = self.file.display();
        let copy = self.file.with_extension("anki2.before-etude");
        std::fs::copy(&self.file, &copy).map_err(|error| no(format!("{shown}: {error}")))?;
        let updated = anki::update_collection(&self.file, by_guid(learned, pack), Clock::System.now().0)
            .map_err(|error| {
                no(format!("{shown}: {error}. Close Anki before you export into its profile"))
            })?;
        self.say_updated(updated);
        say!("  what was there before is in {}", copy.display());
        Ok(ExitCode::SUCCESS)
    }

    fn say_updated(&self, anki::Updated { cards, reviews }: anki::Updated) {
        let (cards, answers) = (counted(cards, "card"), counted(reviews, "new answer"));
        say!(
            "{} {}: {answers} on {cards}; everything else is as it was",
            paint(GOOD, "✓"),
            self.file.display()
        );
    }

    /// What the learner has done with the items of the pack.
    async fn learned(&self, pack: &str, config: &Config) -> Result<Vec<cards::CardRecord>, Stop> {
        let store = config.store().await.map_err(no)?;
        let records = store.records(&self.learner, ITEM_KIND, MAX_RECORDS).await.map_err(no)?;
        store.close().await;
        let own = format!("{pack}/");
        let card = |record: store::Record| cards::learned_card(&records::known(record));
        Ok(records.into_iter().filter(|record| record.key.starts_with(&own)).filter_map(card).collect())
    }
}

/// Finds the card of the item that a note has become.
fn by_guid(learned: &[cards::CardRecord], pack: &str) -> impl Fn(&str) -> Option<cards::Card> {
    let known: HashMap<&str, &cards::Card> =
        learned.iter().map(|record| (record.key.as_str(), &record.card)).collect();
    move |guid| known.get(format!("{pack}/{}", cards::item_id(guid)).as_str()).map(|card| (*card).clone())
}

#[derive(Debug, Args)]
pub(crate) struct Match {
    /// The target; `___` is a gap, `a / b` are variants
    #[arg(long, required_unless_present = "item", conflicts_with = "item")]
    target: Option<String>,
    /// The answer
    #[arg(long)]
    heard: String,
    /// A known mishearing that counts as right
    #[arg(long, requires = "target")]
    alias: Vec<String>,
    /// The pack of an item: its name or its file
    #[arg(long, requires = "item")]
    pack: Option<String>,
    /// An item of the pack, judged as in a drill: with its gaps, forms and spellings
    #[arg(long, requires = "pack")]
    item: Option<String>,
    /// The answer comes from speech recognition, so mishearings count and accents do not
    #[arg(long)]
    spoken: bool,
}

impl Match {
    /// Always prints JSON: it is meant for trying out and for other programs. The exit code is the verdict.
    pub(crate) fn run(self, config: &Config) -> Done {
        let found = self.judge(config)?;
        output::json(&found)?;
        Ok(ExitCode::from(if found.matched { 0 } else { NO }))
    }

    fn judge(&self, config: &Config) -> Result<text::Match, Stop> {
        let heard = if self.spoken { Heard::spoken(&self.heard) } else { Heard::new(&self.heard) };
        if let Some(target) = &self.target {
            let target = Target::parse(target).map_err(unreadable)?;
            return Ok(target.with_aliases(self.alias.iter()).hear(&heard));
        }
        let pack = self.pack(config)?;
        let ids = || pack.items.iter().map(|item| item.id.as_str()).collect::<Vec<_>>().join(", ");
        let id = self.item.as_deref().unwrap_or_default();
        let item = pack.items.iter().find(|item| item.id == id);
        let item =
            item.ok_or_else(|| unreadable(format!("there is no item `{id}`. There are: {}", ids())))?;
        Ok(pack.judge(item, &heard))
    }

    fn pack(&self, config: &Config) -> Result<Pack, Stop> {
        let name = self.pack.as_deref().unwrap_or_default();
        let path = Path::new(name);
        if path.extension().is_some() {
            let command = format!("`etude pack check {name}` says what is wrong with it");
            let read = |source: Vec<u8>| Pack::read(&source, name).map_err(|_| unreadable(command));
            return read_file(path).and_then(read);
        }
        named(builtin::packs(Some(config.packs_folder())), name)
    }
}

/// The pack of this name, or which packs there are.
fn named(packs: Vec<Pack>, name: &str) -> Result<Pack, Stop> {
    let known = packs.iter().map(|pack| pack.id.as_str()).collect::<Vec<_>>().join(", ");
    let found = packs.into_iter().find(|pack| pack.id == name);
    found.ok_or_else(|| unreadable(format!("there is no pack `{name}`. There are: {known}")))
}
