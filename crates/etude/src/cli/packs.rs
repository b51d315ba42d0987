//! Commands on packs: check, import, export; and one that tries the matcher.

use super::NO;
use super::config::Config;
use super::drill;
use super::output::{self, Done, GOOD, QUIET, STRONG, Stop, no, paint, say, unreadable};
use clap::builder::NonEmptyStringValueParser;
use clap::{Args, Subcommand};
use coaching::curriculum;
use coaching::pack::cards::{CardRecord, Side};
use coaching::pack::{self, Pack, PackProblem};
use coaching::problems;
use coaching::text::{self, Heard, Target};
use shell::builtin;
use shell::engine::clock::Clock;
use shell::engine::failure::counted;
use shell::learners::command_line::ME;
use shell::shelf::{self, Deck, Exported, Kind, NewDeck, Refused, by_guid, ending};
use std::path::{Path, PathBuf};
use std::process::ExitCode;

/// The number of left-out notes that are shown.
const MAX_SHOWN: usize = 5;
/// The largest pack, card file, map or curriculum that is read.
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
        let problems = match Kind::of(&source) {
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
    /// Which side of the cards is in the language to learn: front or back [default: back for cards that were exported
    /// from a pack, otherwise front]
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
        let name = self.file.display().to_string();
        let new = NewDeck {
            file: &name,
            language: &self.language,
            explained_in: &self.explained_in,
            id: self.id.as_deref(),
            title: self.title.as_deref(),
            text_side: self.text_side,
        };
        let deck = Deck::read(read_file(&self.file)?, new).map_err(stop)?;
        config.make_data_folder().map_err(no)?;
        let paths = deck.keep(&config.data, self.replace).map_err(stop)?;
        let store = config.store().await.map_err(no)?;
        let remembered = deck.remember(&store, &self.learner, Clock::System.now()).await;
        store.close().await;
        self.report(&deck, &paths, remembered.map_err(no)?);
        Ok(ExitCode::SUCCESS)
    }

    fn report(&self, deck: &Deck, paths: &[PathBuf], remembered: usize) {
        for path in paths {
            say!("{} {}", paint(GOOD, "✓"), path.display());
        }
        let (notes, left_out) = (counted(deck.notes(), "note"), deck.left_out());
        say!("  {notes} read, {remembered} with a history, {} left out", left_out.len());
        let (taken, other) = match deck.side {
            Side::Front => ("front", "back"),
            Side::Back => ("back", "front"),
        };
        say!("  the {taken} of the cards is what is learned; `--text-side {other}` takes the other side");
        if deck.is_exported {
            say!("  they were exported from a pack; its scenes and explanations are not part of card files");
        }
        for left in left_out.iter().take(MAX_SHOWN) {
            say!("{}", paint(QUIET, format!("  {left}")));
        }
        let command = drill::command(deck.packs().next().unwrap_or_default(), &self.learner);
        say!("Begin with {}", paint(STRONG, format!("`{command}`")));
    }
}

/// Explains in the words of the command line why a file is refused.
pub(super) fn stop(refused: Refused) -> Stop {
    let lines = |problems: Vec<PackProblem>, line: fn(&PackProblem) -> String| {
        unreadable(problems.iter().map(line).collect::<Vec<_>>().join("\n"))
    };
    match refused {
        Refused::File(message) => unreadable(message),
        Refused::Mistakes(problems) => lines(problems, PackProblem::to_string),
        Refused::Head(problems) => lines(problems, by_flag),
        Refused::Shipped(id) => {
            unreadable(format!("a pack called `{id}` ships with Etude. Choose another --id"))
        }
        Refused::Taken(path) => {
            let cure = "give --replace to write over it, or another --id";
            unreadable(format!("{} is there already; {cure}", path.display()))
        }
        Refused::Disk(message) => no(message),
        Refused::Store(error) => no(error),
    }
}

/// Describes a problem in the new pack's head by the flag that its line comes from.
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
        let store = config.store().await.map_err(no)?;
        let ending = ending(&self.file);
        let done = match ending.as_str() {
            "anki2" => {
                let learned = shelf::learned(&store, &pack.id, &self.learner).await.map_err(no);
                learned.and_then(|learned| self.write_profile(&pack.id, &learned))
            }
            ending => {
                let of = (&pack, self.learner.as_str());
                let exported = shelf::export(&config.data, &store, of, ending, Clock::System.now()).await;
                exported.map_err(stop).and_then(|exported| self.write(ending, exported))
            }
        };
        store.close().await;
        done
    }

    fn write(&self, ending: &str, exported: Exported) -> Done {
        let Exported { bytes, notes, updated, practised } = exported;
        std::fs::write(&self.file, bytes).map_err(|error| no(format!("{}: {error}", self.file.display())))?;
        if let Some(updated) = updated {
            self.say_updated(updated);
            return Ok(ExitCode::SUCCESS);
        }
        let history = match (ending, practised) {
            ("apkg", n) => format!(", {n} with a history"),
            (_, 0) => String::new(),
            (ending, _) => format!("; {} holds no history; use .apkg", ending.to_uppercase()),
        };
        say!("{} {}: {}{history}", paint(GOOD, "✓"), self.file.display(), counted(notes, "note"));
        Ok(ExitCode::SUCCESS)
    }

    /// Writes new answers into the collection of an Anki profile, after making a copy of it.
    fn write_profile(&self, pack: &str, learned: &[CardRecord]) -> Done {
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
    /// Always prints JSON, because the command is for experiments and for other programs. The exit code is the
    /// verdict.
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

/// Finds the pack with this name. Refuses with the names of all packs if there is none.
fn named(packs: Vec<Pack>, name: &str) -> Result<Pack, Stop> {
    let known = packs.iter().map(|pack| pack.id.as_str()).collect::<Vec<_>>().join(", ");
    let found = packs.into_iter().find(|pack| pack.id == name);
    found.ok_or_else(|| unreadable(format!("there is no pack `{name}`. There are: {known}")))
}
