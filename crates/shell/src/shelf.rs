//! Imports the learner's own packs, curricula and coding problems from files, and exports packs.
//!
//! They live in folders beside the database. A running server reads them again after an import.

use crate::builtin;
use crate::engine::records;
use coaching::curriculum::Curriculum;
use coaching::learner::{ITEM_KIND, Memory};
use coaching::pack::cards::{self, CardRecord, Cards, NewPack, Side};
use coaching::pack::{Pack, PackProblem, csv};
use coaching::problems::Problem;
use std::collections::HashMap;
use std::io;
use std::path::{Path, PathBuf};
use store::{At, Record, Store, StoreError};

/// The most records of one learner that are read.
const MAX_RECORDS: usize = 10_000;
/// How many characters of a skipped note are shown.
const MAX_SHOWN_CHARS: usize = 40;

/// Why a file was not imported, or a pack not exported.
#[derive(Debug)]
pub enum Refused {
    /// The file cannot be used.
    File(String),
    /// The file has these mistakes.
    Mistakes(Vec<PackProblem>),
    /// The head of the new pack would have these mistakes. Their line numbers tell the field: name, title,
    /// language, language of meanings.
    Head(Vec<PackProblem>),
    /// A shipped pack, curriculum or problem has this name.
    Shipped(String),
    Taken(PathBuf),
    Disk(String),
    Store(StoreError),
}

/// A file of another program's cards, and the settings of the pack that they become.
#[derive(Debug, Clone, Copy)]
pub struct NewDeck<'a> {
    /// The name of the file; its ending decides how the file is read.
    pub file: &'a str,
    pub language: &'a str,
    pub explained_in: &'a str,
    pub id: Option<&'a str>,
    pub title: Option<&'a str>,
    pub text_side: Option<Side>,
}

/// Cards that have been read and can be kept as packs.
#[derive(Debug)]
pub struct Deck {
    pub side: Side,
    /// Whether the cards were exported from a pack.
    pub is_exported: bool,
    pub title: String,
    cards: Cards,
    packed: cards::Packed,
    /// The original package. A later export finds its notes and cards again in it.
    package: Option<Vec<u8>>,
}

impl Deck {
    pub fn read(bytes: Vec<u8>, new: NewDeck<'_>) -> Result<Deck, Refused> {
        let path = Path::new(new.file);
        let about = |error: &dyn std::fmt::Display| Refused::File(format!("{}: {error}", new.file));
        let (cards, package) = match ending(path).as_str() {
            "apkg" | "colpkg" => {
                let cards = anki::read(io::Cursor::new(&bytes)).map_err(|error| about(&error))?;
                (cards, Some(bytes))
            }
            "csv" | "tsv" | "txt" => {
                (csv::read(&bytes, cards::DEFAULT_DECK).map_err(|error| about(&error))?, None)
            }
            other => {
                let message = format!("`.{other}` is not known. Give an .apkg, .csv, .tsv or .txt file");
                return Err(Refused::File(message));
            }
        };
        let is_exported = cards::is_exported(&cards);
        let usual = if is_exported { cards::EXPORTED_TEXT_SIDE } else { Side::Front };
        let side = new.text_side.unwrap_or(usual);
        let id = new.id.map_or_else(|| id_of(path), str::to_owned);
        let title = new.title.unwrap_or(&id).to_owned();
        let about = format!("Imported from {}.", path.file_name().unwrap_or_default().to_string_lossy());
        let head = NewPack {
            id: &id,
            title: &title,
            language: new.language,
            explained_in: new.explained_in,
            about: &about,
            text_side: side,
        };
        let packed = cards::cards_to_packs(&cards, &head).map_err(Refused::Head)?;
        if packed.files.is_empty() {
            let message = "no note of this file can become a word to learn: both sides need text";
            return Err(Refused::File(message.to_owned()));
        }
        Ok(Deck { side, is_exported, title, cards, packed, package })
    }

    /// Returns the names of the packs: several if the cards do not fit into one.
    pub fn packs(&self) -> impl Iterator<Item = &str> {
        self.packed.files.iter().map(|file| file.id.as_str())
    }

    pub fn notes(&self) -> usize {
        self.cards.notes.len()
    }

    /// Describes the notes that were left out by position and text, because lines of the file say little about
    /// notes.
    pub fn left_out(&self) -> Vec<String> {
        self.packed.skipped.iter().map(|left| describe(left, &self.cards)).collect()
    }

    /// Writes the packs into the data folder. Writes nothing if a pack of that name ships with Etude, or is there
    /// already and must not be replaced.
    pub fn keep(&self, data: &Path, replaces: bool) -> Result<Vec<PathBuf>, Refused> {
        let shipped = builtin::packs(None);
        let mut paths = Vec::new();
        for file in &self.packed.files {
            if shipped.iter().any(|pack| pack.id == file.id) {
                return Err(Refused::Shipped(file.id.clone()));
            }
            paths.push(place(data, PACKS, &file.id, replaces)?);
        }
        for (file, path) in self.packed.files.iter().zip(&paths) {
            write_over(path, &file.yaml).map_err(Refused::disk)?;
            self.keep_package(&origin(data, &file.id)).map_err(Refused::disk)?;
        }
        Ok(paths)
    }

    fn keep_package(&self, origin: &Path) -> io::Result<()> {
        if let (Some(folder), Some(package)) = (origin.parent(), &self.package) {
            std::fs::create_dir_all(folder)?;
            return std::fs::write(origin, package);
        }
        match std::fs::remove_file(origin) {
            Err(error) if error.kind() != io::ErrorKind::NotFound => Err(error),
            _ => Ok(()),
        }
    }

    /// Stores the learning history that came with the cards, except for items that already have a record here.
    /// Returns the number of items stored.
    pub async fn remember(&self, store: &Store, learner: &str, now: At) -> Result<usize, StoreError> {
        let known = store.records(learner, ITEM_KIND, MAX_RECORDS).await?;
        let items = self.packed.records.iter();
        let items = items.filter_map(|card| cards::learned_item(card, Memory::Fsrs, now.0));
        let items = items.filter(|item| !known.iter().any(|known| known.key == item.key));
        let changes: Vec<_> = items.map(|item| records::change(learner, &item)).collect();
        store.remember(&changes, now).await?;
        Ok(changes.len())
    }
}

/// A pack, curriculum or problem that has been written into the data folder.
#[derive(Debug)]
pub struct Kept {
    pub kind: Kind,
    pub id: String,
    pub title: String,
    /// The number of words, concepts or problems in it.
    pub count: usize,
}

/// The kind of thing that a YAML file describes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Kind {
    Pack,
    Curriculum,
    Problem,
    Patterns,
}

impl Kind {
    /// Tells the kind by its key at the start of a line. A file without such a key is a pack.
    pub fn of(source: &[u8]) -> Kind {
        let has =
            |key: &str| source.split(|byte| *byte == b'\n').any(|line| line.starts_with(key.as_bytes()));
        match () {
            () if has("curriculum:") => Kind::Curriculum,
            () if has("problem:") => Kind::Problem,
            () if has("patterns:") => Kind::Patterns,
            () => Kind::Pack,
        }
    }
}

/// Imports a pack, a curriculum or a coding problem in Etude's own format.
pub fn keep_yaml(data: &Path, file: &str, source: &[u8], replaces: bool) -> Result<Kept, Refused> {
    match Kind::of(source) {
        Kind::Pack => keep_pack(data, file, source, replaces),
        Kind::Curriculum => keep_curriculum(data, file, source, replaces),
        Kind::Problem => keep_problem(data, file, source, replaces),
        Kind::Patterns => {
            Err(Refused::File(format!("{file} is a catalogue of patterns; only Etude's own is used")))
        }
    }
}

fn keep_pack(data: &Path, file: &str, source: &[u8], replaces: bool) -> Result<Kept, Refused> {
    let pack = Pack::read(source, file).map_err(Refused::Mistakes)?;
    if builtin::packs(None).iter().any(|shipped| shipped.id == pack.id) {
        return Err(Refused::Shipped(pack.id));
    }
    write_over(&place(data, PACKS, &pack.id, replaces)?, source).map_err(Refused::disk)?;
    Ok(Kept { kind: Kind::Pack, count: pack.items.len(), id: pack.id, title: pack.title })
}

pub fn keep_curriculum(data: &Path, file: &str, source: &[u8], replaces: bool) -> Result<Kept, Refused> {
    let curriculum = Curriculum::read(source, file).map_err(Refused::Mistakes)?;
    if builtin::read_curricula(None).0.iter().any(|shipped| shipped.id == curriculum.id) {
        return Err(Refused::Shipped(curriculum.id));
    }
    write_over(&place(data, CURRICULA, &curriculum.id, replaces)?, source).map_err(Refused::disk)?;
    let count = curriculum.concepts.len();
    Ok(Kept { kind: Kind::Curriculum, count, id: curriculum.id, title: curriculum.title })
}

fn keep_problem(data: &Path, file: &str, source: &[u8], replaces: bool) -> Result<Kept, Refused> {
    let problem = Problem::read(source, file, builtin::catalogue()).map_err(Refused::Mistakes)?;
    if builtin::read_problems(None).0.iter().any(|shipped| shipped.id == problem.id) {
        return Err(Refused::Shipped(problem.id));
    }
    write_over(&place(data, PROBLEMS, &problem.id, replaces)?, source).map_err(Refused::disk)?;
    Ok(Kept { kind: Kind::Problem, count: 1, id: problem.id, title: problem.title })
}

/// A pack as a file for other programs.
#[derive(Debug)]
pub struct Exported {
    pub bytes: Vec<u8>,
    pub notes: usize,
    /// The changes to the original package, if the pack came from one.
    pub updated: Option<anki::Updated>,
    /// The number of items that the learner has practised.
    pub practised: usize,
}

/// Writes a pack as cards. A pack that came from an Anki package goes back as that package, with its original
/// notes, cards and note types.
pub async fn export(
    data: &Path,
    store: &Store,
    (pack, learner): (&Pack, &str),
    ending: &str,
    now: At,
) -> Result<Exported, Refused> {
    let learned = learned(store, &pack.id, learner).await.map_err(Refused::Store)?;
    let disk = |error: anki::AnkiError| Refused::Disk(error.to_string());
    let (cards, practised) = (cards::pack_to_cards(pack, &learned), learned.len());
    let notes = cards.notes.len();
    if ending == "apkg"
        && let Ok(source) = std::fs::read(origin(data, &pack.id))
    {
        let (bytes, updated) =
            anki::update_package(&source, by_guid(&learned, &pack.id), now.0).map_err(disk)?;
        return Ok(Exported { bytes, notes, updated: Some(updated), practised });
    }
    let bytes = match ending {
        "apkg" => anki::write(&cards, now.0).map_err(disk)?,
        "csv" => csv::write(&cards, csv::Separator::Comma, csv::Header::Row).into_bytes(),
        "tsv" | "txt" => csv::write(&cards, csv::Separator::Tab, csv::Header::Anki).into_bytes(),
        other => {
            let message = format!("`.{other}` is not known. Write to an .apkg, .csv or .tsv file");
            return Err(Refused::File(message));
        }
    };
    Ok(Exported { bytes, notes, updated: None, practised })
}

/// Returns the learner's records of a pack's items, as cards.
pub async fn learned(store: &Store, pack: &str, learner: &str) -> Result<Vec<CardRecord>, StoreError> {
    let records = store.records(learner, ITEM_KIND, MAX_RECORDS).await?;
    let own = format!("{pack}/");
    let card = |record: Record| cards::learned_card(&records::known(record));
    Ok(records.into_iter().filter(|record| record.key.starts_with(&own)).filter_map(card).collect())
}

/// Returns a function that finds a card by the guid of the note that became its item.
pub fn by_guid(learned: &[CardRecord], pack: &str) -> impl Fn(&str) -> Option<cards::Card> {
    let known: HashMap<&str, &cards::Card> =
        learned.iter().map(|record| (record.key.as_str(), &record.card)).collect();
    move |guid| known.get(format!("{pack}/{}", cards::item_id(guid)).as_str()).map(|card| (*card).clone())
}

pub fn ending(path: &Path) -> String {
    path.extension().map(|ending| ending.to_string_lossy().to_lowercase()).unwrap_or_default()
}

impl Refused {
    fn disk(error: io::Error) -> Refused {
        Refused::Disk(error.to_string())
    }
}

const PACKS: &str = "packs";
const CURRICULA: &str = "curricula";
const PROBLEMS: &str = "problems";

/// Returns the path of a file in the data folder and creates its folder. Refuses if the file exists and must not be
/// replaced.
fn place(data: &Path, folder: &str, id: &str, replaces: bool) -> Result<PathBuf, Refused> {
    let folder = data.join(folder);
    std::fs::create_dir_all(&folder).map_err(Refused::disk)?;
    let path = folder.join(format!("{id}.yaml"));
    if path.exists() && !replaces {
        return Err(Refused::Taken(path));
    }
    Ok(path)
}

/// Returns the path of the package that a pack was imported from.
fn origin(data: &Path, pack: &str) -> PathBuf {
    data.join(PACKS).join("anki").join(format!("{pack}.apkg"))
}

/// Writes a temporary file and renames it, so that a full disk leaves the old file intact.
fn write_over(path: &Path, content: impl AsRef<[u8]>) -> io::Result<()> {
    let beside = path.with_extension("yaml.new");
    std::fs::write(&beside, content).and_then(|()| std::fs::rename(&beside, path))
}

fn describe(left: &cards::Skipped, cards: &Cards) -> String {
    let note = &cards.notes[left.note];
    let text = [&note.front, &note.back].into_iter().find(|side| !side.is_empty());
    let text: String = text.map(|text| text.chars().take(MAX_SHOWN_CHARS).collect()).unwrap_or_default();
    let text = text.replace(char::is_control, " ");
    format!("note {} of {}, “{text}”: {}", left.note + 1, cards.notes.len(), left.why)
}

/// Derives the name of a pack from the name of its file.
fn id_of(path: &Path) -> String {
    let stem = path.file_stem().map(|stem| stem.to_string_lossy().to_lowercase()).unwrap_or_default();
    let dashed: String = stem.chars().map(|c| if c.is_ascii_alphanumeric() { c } else { '-' }).collect();
    let id = dashed.split('-').filter(|part| !part.is_empty()).collect::<Vec<_>>().join("-");
    if id.is_empty() { "imported".into() } else { id }
}
