//! The flows and packs that ship with the program. A new flow is one folder and one entry here.

use crate::engine::failure::counted;
use crate::engine::flows::{FlowEntry, Flows, Renewed};
use coaching::agent::{self, AgentCoach, Phrases, Playbook, Templates};
use coaching::attempt::Attempt;
use coaching::curriculum::Curriculum;
use coaching::drill::Drill;
use coaching::pack::{Pack, PackProblem};
use coaching::problems::{Catalogue, Problem};
use coaching::teach::{Course, Review};
use coaching::voice::VoiceLoop;
use std::fmt;
use std::path::{Path, PathBuf};
use std::sync::{Arc, LazyLock};

/// The shipped language packs, in the order they are listed.
const PACKS: &[(&str, &str)] = &[
    ("german-first-words.yaml", include_str!("../../../packs/german-first-words.yaml")),
    ("spanish-first-words.yaml", include_str!("../../../packs/spanish-first-words.yaml")),
    ("french-first-words.yaml", include_str!("../../../packs/french-first-words.yaml")),
    ("english-first-words.yaml", include_str!("../../../packs/english-first-words.yaml")),
];

/// The shipped curricula, in the order they are listed.
const CURRICULA: &[(&str, &str)] = &[
    ("rust-for-programmers.yaml", include_str!("../../../packs/curricula/rust-for-programmers.yaml")),
    ("python-from-zero.yaml", include_str!("../../../packs/curricula/python-from-zero.yaml")),
    ("probability.yaml", include_str!("../../../packs/curricula/probability.yaml")),
    ("sql.yaml", include_str!("../../../packs/curricula/sql.yaml")),
];

/// The shipped coding problems, together with the catalogue of patterns.
const PROBLEMS: &[(&str, &str)] = &include!(concat!(env!("OUT_DIR"), "/problems.rs"));
/// The file name of the catalogue of patterns.
const PATTERNS: &str = "patterns.yaml";

/// Returns every shipped flow. `own_packs` is the folder with the learner's own packs; the learner's curricula, problems
/// and skills lie beside it.
pub fn flows(own_packs: Option<&Path>) -> Flows {
    let folder = own_packs.map(Path::to_owned);
    let for_voice = folder.clone();
    let own_curricula = own_packs.map(|folder| folder.with_file_name("curricula"));
    let curricula = Arc::new(Renewed::new(move || warned(read_curricula(own_curricula.as_deref()))));
    let (for_courses, for_reviews) = (curricula.clone(), curricula.clone());
    let own_problems = own_packs.map(|folder| folder.with_file_name("problems"));
    let own_skills = own_packs.map(|folder| folder.with_file_name("skills.yaml"));
    let entries = [
        FlowEntry::of(move || Drill::new(packs(folder.clone()))),
        FlowEntry::of(move || AgentCoach::new(warned(playbook(own_skills.as_deref())))),
        FlowEntry::of(move || Course::new((*for_courses.get()).clone())),
        FlowEntry::of(move || Review::new((*for_reviews.get()).clone())),
        FlowEntry::of(move || {
            Attempt::new(warned(read_problems(own_problems.as_deref())), catalogue().clone())
        }),
        FlowEntry::of(move || VoiceLoop::new(packs(for_voice.clone()))),
    ];
    Flows::new(entries, curricula)
}

/// Returns the usable part and logs a warning for everything that was left out.
fn warned<T>((usable, left_out): (T, Vec<impl fmt::Display>)) -> T {
    left_out.iter().for_each(|left| tracing::warn!("{left}"));
    usable
}

type Read<T> = Result<T, Vec<PackProblem>>;

/// Splits files into usable things and those left out. Of two files with the same id, the first one counts.
fn sorted_out<T>(
    files: impl Iterator<Item = (String, Read<T>)>,
    id: fn(&T) -> &String,
) -> (Vec<T>, Vec<LeftOut>) {
    let (mut usable, mut left_out): (Vec<T>, Vec<LeftOut>) = Default::default();
    for (file, read) in files {
        let why = match read {
            Ok(new) if usable.iter().any(|known| id(known) == id(&new)) => {
                WhyLeftOut::Taken(id(&new).clone())
            }
            Ok(new) => {
                usable.push(new);
                continue;
            }
            Err(problems) => WhyLeftOut::Broken(problems),
        };
        left_out.push(LeftOut { file, why });
    }
    (usable, left_out)
}

/// The shipped curricula, read once per process however many flows use them.
static SHIPPED_CURRICULA: LazyLock<Vec<(String, Read<Curriculum>)>> = LazyLock::new(|| {
    let read = |(name, source): &(&str, &str)| {
        ((*name).to_owned(), Curriculum::read_shipped(source.as_bytes(), name))
    };
    CURRICULA.iter().map(read).collect()
});

/// Returns the curricula that can be taught, shipped ones first, and the files that were left out, for the caller
/// to report.
pub fn read_curricula(own: Option<&Path>) -> (Vec<Curriculum>, Vec<LeftOut>) {
    let own = own.into_iter().flat_map(own_sources).map(|(file, source)| {
        let read = Curriculum::read(&source, &file);
        (file, read)
    });
    sorted_out(SHIPPED_CURRICULA.iter().cloned().chain(own), |curriculum| &curriculum.id)
}

/// Returns the patterns that problems are solved with.
pub fn catalogue() -> &'static Catalogue {
    static CATALOGUE: LazyLock<Catalogue> = LazyLock::new(|| {
        let shipped = PROBLEMS.iter().find(|(name, _)| *name == PATTERNS);
        let read = shipped.map(|(_, source)| Catalogue::read(source.as_bytes()));
        read.and_then(Result::ok).unwrap_or_default()
    });
    &CATALOGUE
}

/// Returns the problems that can be attempted, shipped ones first, and the files that were left out, for the caller
/// to report.
pub fn read_problems(own: Option<&Path>) -> (Vec<Problem>, Vec<LeftOut>) {
    let shipped = PROBLEMS.iter().map(|(name, source)| ((*name).to_owned(), source.as_bytes().to_vec()));
    let files = shipped.chain(own.into_iter().flat_map(own_sources)).filter(|(file, _)| file != PATTERNS);
    let read = |(file, source): (String, Vec<u8>)| {
        let read = Problem::read(&source, &file, catalogue());
        (file, read)
    };
    sorted_out(files.map(read), |problem| &problem.id)
}

/// Returns the shipped playbook for coaching agents, changed by the user's own files beside the database. The
/// entries of `skills.yaml` are added; `agent/templates.yaml`, `agent/phrases.yaml` and `agent/classifier.md`
/// replace their shipped counterparts. A file that cannot be used is left out, and the second value says why.
pub fn playbook(skills: Option<&Path>) -> (Playbook, Vec<String>) {
    let mut playbook = Playbook::shipped();
    let mut left_out = Vec::new();
    let Some(skills) = skills else { return (playbook, left_out) };
    let mut read = |path: PathBuf, take: &mut dyn FnMut(&str) -> Result<(), String>| {
        let name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
        let why = match std::fs::read_to_string(&path) {
            Ok(source) => take(source.trim_start_matches('\u{feff}')).err(),
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => None,
            Err(error) => Some(error.to_string()),
        };
        left_out.extend(why.map(|why| format!("{name} is left out: {why}")));
    };
    let beside = |name: &str| skills.with_file_name("agent").join(name);
    read(skills.to_owned(), &mut |source| {
        // The user's own skills come first, so that they override shipped ones.
        let own = agent::read_skills(source).map_err(|problems| {
            let first = problems.first().map(ToString::to_string).unwrap_or_default();
            format!("it has {}, the first at {first}", counted(problems.len(), "problem"))
        })?;
        playbook.skills.splice(0..0, own);
        Ok(())
    });
    read(beside("templates.yaml"), &mut |source| Templates::read(source).map(|own| playbook.templates = own));
    read(beside("phrases.yaml"), &mut |source| Phrases::read(source).map(|own| playbook.phrases = own));
    read(beside("classifier.md"), &mut |source| {
        if source.trim().is_empty() || source.len() > agent::MAX_PLAYBOOK_FILE_BYTES {
            return Err("it is empty or too long".to_owned());
        }
        source.clone_into(&mut playbook.prompt);
        Ok(())
    });
    (playbook, left_out)
}

/// A file that cannot be used.
#[derive(Debug)]
pub struct LeftOut {
    /// The name of the file, without its folder.
    pub file: String,
    pub why: WhyLeftOut,
}

#[derive(Debug)]
pub enum WhyLeftOut {
    Broken(Vec<PackProblem>),
    /// An earlier file has this id.
    Taken(String),
}

impl fmt::Display for LeftOut {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let file = &self.file;
        match &self.why {
            WhyLeftOut::Taken(id) => {
                write!(f, "{file}: `{id}` is there already; this one is left out")
            }
            WhyLeftOut::Broken(problems) => {
                let first = problems.first().map(ToString::to_string).unwrap_or_default();
                let count = counted(problems.len(), "problem");
                write!(f, "{file} has {count} and is left out: {first}")
            }
        }
    }
}

/// Returns the packs that can be used, shipped ones first and then the learner's own.
pub fn packs(own: Option<PathBuf>) -> Vec<Pack> {
    read_packs(own).0
}

/// Returns the words and phrases that a pack teaches, as they are spoken.
pub fn texts_of(pack: &str, own: PathBuf) -> Vec<String> {
    let packs = packs(Some(own));
    let items = packs.iter().filter(|known| known.id == pack).flat_map(|pack| &pack.items);
    items.map(|item| item.text.clone()).collect()
}

/// Returns the packs that can be used, and the files that were left out, for the caller to report.
pub fn read_packs(own: Option<PathBuf>) -> (Vec<Pack>, Vec<LeftOut>) {
    let shipped =
        PACKS.iter().map(|(name, source)| ((*name).to_owned(), Pack::read_shipped(source.as_bytes(), name)));
    let own = own.iter().flat_map(|folder| own_sources(folder)).map(|(file, source)| {
        let read = Pack::read(&source, &file);
        (file, read)
    });
    sorted_out(shipped.chain(own), |pack| &pack.id)
}

/// Reads the YAML files of a folder, sorted by name. Unreadable files are skipped.
pub fn own_sources(folder: &Path) -> Vec<(String, Vec<u8>)> {
    let Ok(entries) = std::fs::read_dir(folder) else { return Vec::new() };
    let mut paths: Vec<PathBuf> = entries.flatten().map(|entry| entry.path()).collect();
    paths.retain(|path| path.extension().is_some_and(|ending| ending == "yaml" || ending == "yml"));
    paths.sort();
    let named = |path: PathBuf| {
        let source = std::fs::read(&path).ok()?;
        Some((path.file_name()?.to_string_lossy().into_owned(), source))
    };
    paths.into_iter().filter_map(named).collect()
}
