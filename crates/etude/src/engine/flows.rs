//! The flows this program knows, and the machines bound from their laws.

use coaching::curriculum::Curriculum;
use coaching::desk::Desk;
use coaching::face::{Face, NEEDS, Needs};
use coaching::look::{Shelf, Unseen};
use coaching::turn::{AnyFlow, Flow, Input, LawOnly, Moment, TurnError, Turned, Typed};
use flow::{
    Bounds, Code, EventId, Instance, Law, Machine, Migration, Origin, Overrides, Problem, Report, Vocabulary,
};
use serde::{Deserialize, Serialize};
use serde_json::Value;
use std::collections::{BTreeMap, HashMap};
use std::path::{Path, PathBuf};
use std::sync::{Arc, LazyLock, OnceLock, RwLock};

/// One kind of flow.
pub struct Entry {
    pub name: String,
    pub law: LateLaw,
    pub vocabulary: Option<Vocabulary>,
    pub handlers: Arc<dyn AnyFlow>,
    /// What the flow brings besides its law; `None` for a law without Rust of its own.
    pub face: Option<Face>,
    /// Whether the actions of the law leave as effects.
    pub delivers: bool,
}

impl std::fmt::Debug for Entry {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Entry").field("name", &self.name).finish_non_exhaustive()
    }
}

impl Entry {
    /// A flow with Rust of its own. It is made when it is first needed: packs take a moment to read.
    pub fn of<F: Flow>(make: impl FnOnce() -> F + Send + 'static) -> Entry {
        Entry {
            name: F::FACE.name.to_owned(),
            law: LateLaw::shipped(F::FACE.law),
            vocabulary: Some((F::FACE.vocabulary)()),
            handlers: Arc::new(Late::new(move || Typed(make()))),
            face: Some(F::FACE),
            delivers: false,
        }
    }

    /// What the flow reads and asks for.
    pub fn needs(&self) -> Needs {
        self.face.map_or(NEEDS, |face| face.needs)
    }

    /// Whether it shares documents with flows beside it.
    pub fn is_scoped(&self) -> bool {
        !self.needs().documents.is_empty()
    }

    /// Whether only the clock may send an event.
    pub fn is_for_the_clock(&self, machine: &Machine, event: EventId) -> bool {
        self.needs().silence && machine.origin(event) == Origin::Silence
    }

    /// Whether it has no Rust of its own, so that a receiver has to perform its actions.
    pub fn is_law_alone(&self) -> bool {
        self.face.is_none()
    }

    /// A law that has no Rust of its own; its flow is called like its session. This is the one place that says which
    /// vocabulary goes with a law file, so that what is proved is what runs.
    pub fn of_law(law: Law, delivers: bool) -> Entry {
        Entry {
            name: law.session.name.clone(),
            vocabulary: vocabulary_of(&law),
            law: law.into(),
            handlers: Arc::new(LawOnly { delivers }),
            face: None,
            delivers,
        }
    }

    /// The machine of the law with these constants, whether or not it may run.
    pub fn bind(&self, set: &Overrides) -> Result<Machine, Vec<Problem>> {
        Machine::bind(&self.law, self.vocabulary.as_ref(), set)
    }

    /// What a proof of the law with these constants shows.
    pub fn check(&self, set: &Overrides, bounds: Bounds) -> Report {
        let report = flow::check(&self.law, self.vocabulary.as_ref(), set, bounds);
        report.unwrap_or_else(|problems| Report {
            law: self.law.session.name.clone(),
            version: self.law.version.clone(),
            problems,
            ..Report::default()
        })
    }

    /// The machine of the law with these constants, proved.
    fn prove(&self, set: &Overrides) -> Result<Machine, Unproved> {
        let report = self.check(set, Bounds::default());
        // A law too large to be walked to the end is not proved, even if nothing wrong was seen on the way.
        if !report.may_run() || !report.complete {
            return Err(Unproved { problems: report.problems });
        }
        self.bind(set).map_err(|problems| Unproved { problems })
    }

    /// The law with these constants, to be kept for the flows that run under it.
    pub fn kept_law(&self, machine: &Machine, set: Overrides, now: store::At) -> store::Law {
        let stored = StoredLaw { law: self.law.source.clone(), set, delivers: self.delivers };
        store::Law {
            hash: machine.hash().to_owned(),
            flow: self.name.clone(),
            version: machine.version().to_owned(),
            source: serde_json::to_string(&stored).unwrap_or_default(),
            delivers: self.delivers,
            created_at: now,
        }
    }
}

/// A law that is read when it is first needed: most commands need one of many.
#[derive(Debug)]
pub struct LateLaw(LazyLock<Law, Box<dyn FnOnce() -> Law + Send>>);

impl LateLaw {
    pub fn shipped(source: &'static str) -> LateLaw {
        LateLaw(LazyLock::new(Box::new(|| Law::read(source).expect("the shipped law is readable"))))
    }
}

impl From<Law> for LateLaw {
    fn from(law: Law) -> LateLaw {
        LateLaw(LazyLock::new(Box::new(|| law)))
    }
}

impl std::ops::Deref for LateLaw {
    type Target = Law;

    fn deref(&self) -> &Law {
        &self.0
    }
}

/// A law as the store keeps it: its text and the constants it was bound with.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct StoredLaw {
    pub law: String,
    #[serde(default)]
    pub set: Overrides,
    /// Whether somebody performs its actions. Whoever moves such a flow, also where nobody does, writes them down.
    /// The store knows; it is no part of the text.
    #[serde(skip)]
    pub delivers: bool,
}

impl StoredLaw {
    pub fn read(law: &store::Law) -> serde_json::Result<StoredLaw> {
        serde_json::from_str(&law.source).map(|stored| StoredLaw { delivers: law.delivers, ..stored })
    }

    /// How everything begins that the store keeps about a law with this text, whatever its constants.
    pub fn beginning(text: &str) -> String {
        format!("{{\"law\":{},", serde_json::Value::from(text))
    }
}

#[derive(Debug, Default)]
pub struct Flows {
    entries: BTreeMap<String, Arc<Entry>>,
    /// By the text of the law: a flow may run under one that has another in its place by now.
    machines: RwLock<HashMap<String, Bound>>,
    migrations: Vec<Migration>,
    own_packs: Option<PathBuf>,
    curricula: OnceLock<Vec<Curriculum>>,
}

/// The machines of one text, by the name of the flow and the constants.
type Bound = HashMap<(String, Overrides), Arc<Machine>>;

/// Why a law does not become a flow.
#[derive(Debug)]
pub struct Unproved {
    pub problems: Vec<Problem>,
}

impl Flows {
    /// The shipped flows; `own_packs` is a folder with packs of the learner's own.
    pub fn built_in(own_packs: Option<&Path>) -> Flows {
        let flows = Flows { own_packs: own_packs.map(Path::to_owned), ..Flows::default() };
        crate::builtin::entries(own_packs).into_iter().fold(flows, Flows::with)
    }

    /// These flows and one more.
    pub fn with(mut self, entry: Entry) -> Flows {
        self.entries.insert(entry.name.clone(), Arc::new(entry));
        self
    }

    /// What can be taught without a model; read when it is first asked for.
    pub fn curricula(&self) -> &[Curriculum] {
        let own = self.own_packs.as_ref().map(|folder| folder.with_file_name("curricula"));
        self.curricula.get_or_init(|| crate::builtin::curricula(own.as_deref()))
    }

    pub fn names(&self) -> impl Iterator<Item = &str> {
        self.entries.keys().map(String::as_str)
    }

    pub fn entries(&self) -> impl Iterator<Item = &Arc<Entry>> {
        self.entries.values()
    }

    pub fn get(&self, name: &str) -> Option<&Arc<Entry>> {
        self.entries.get(name)
    }

    /// Adds a law that has no Rust of its own. Its flow is called like its session.
    pub fn add_law(&mut self, source: &str, delivers: bool) -> Result<Arc<Entry>, Unproved> {
        let entry = Arc::new(law_only(source, delivers)?);
        if self.entries.contains_key(&entry.name) {
            return Err(Unproved { problems: vec![name_is_taken(&entry)] });
        }
        entry.prove(&Overrides::new())?;
        self.entries.insert(entry.name.clone(), entry.clone());
        Ok(entry)
    }

    /// Adds a written migration from one version of a law to another.
    pub fn add_migration(&mut self, migration: Migration) {
        self.migrations.push(migration);
    }

    pub fn migrations(&self) -> &[Migration] {
        &self.migrations
    }

    /// The migration between two versions of a law; the one that leaves all names alone where none is written.
    pub fn migration(&self, old: &Machine, new: &Machine) -> Result<Migration, String> {
        let fits =
            |m: &&Migration| m.session == new.session() && m.from == old.version() && m.to == new.version();
        let Some(migration) = self.migrations.iter().find(fits) else { return Ok(Migration::default()) };
        match migration.misfits(old, new).first() {
            None => Ok(migration.clone()),
            Some(problem) => Err(format!("the migration has an {}; {}", problem.message, problem.cure)),
        }
    }

    /// The proved machine of a flow with these constants. Proved once, then kept.
    pub fn machine(&self, entry: &Entry, set: &Overrides) -> Result<Arc<Machine>, Unproved> {
        let text = &entry.law.source;
        let key = (entry.name.clone(), set.clone());
        let known = self.machines.read().unwrap_or_else(|e| e.into_inner());
        if let Some(machine) = known.get(text).and_then(|bound| bound.get(&key)) {
            return Ok(machine.clone());
        }
        drop(known);
        let machine = Arc::new(entry.prove(set)?);
        let mut known = self.machines.write().unwrap_or_else(|e| e.into_inner());
        known.entry(text.clone()).or_default().insert(key, machine.clone());
        Ok(machine)
    }

    /// The flow a stored law belongs to: a known one by name, else the law alone. What somebody performs for the stored
    /// law is written down for the known one, too.
    pub fn entry_for(&self, name: &str, stored: &StoredLaw) -> Result<Arc<Entry>, Unproved> {
        match self.entries.get(name) {
            Some(entry) if stored.delivers && !entry.delivers && entry.is_law_alone() => {
                Ok(Arc::new(law_only(&entry.law.source, true)?))
            }
            Some(entry) => Ok(entry.clone()),
            None => self.entry_for_law(stored),
        }
    }

    /// A stored law as a flow of its own.
    pub fn entry_for_law(&self, stored: &StoredLaw) -> Result<Arc<Entry>, Unproved> {
        Ok(Arc::new(law_only(&stored.law, stored.delivers)?))
    }
}

/// The vocabulary that a law is written in, which its session's name tells. `None` means the law speaks for itself.
fn vocabulary_of(law: &Law) -> Option<Vocabulary> {
    let known = crate::builtin::vocabularies();
    known.into_iter().find(|vocabulary| vocabulary.session == law.session.name)
}

fn law_only(source: &str, delivers: bool) -> Result<Entry, Unproved> {
    let law = Law::read(source).map_err(|problems| Unproved { problems })?;
    Ok(Entry::of_law(law, delivers))
}

/// Flows are found again by their name, so a second flow of that name would take over what the first began.
fn name_is_taken(entry: &Entry) -> Problem {
    let message = format!("there is a flow called `{}` already", entry.name);
    Problem::new(Code::NameTwice, entry.law.session.place, message, "give `session` another name")
}

/// A flow that is made when it is first needed.
struct Late<F>(LazyLock<F, Box<dyn FnOnce() -> F + Send>>);

impl<F> Late<F> {
    fn new(make: impl FnOnce() -> F + Send + 'static) -> Late<F> {
        Late(LazyLock::new(Box::new(make)))
    }
}

impl<F: AnyFlow> AnyFlow for Late<F> {
    fn open(&self, machine: &Machine, opening: &Value, moment: Moment<'_>) -> Result<Turned, TurnError> {
        self.0.open(machine, opening, moment)
    }

    fn take(
        &self,
        machine: &Machine,
        at: &Instance,
        data: &str,
        input: Input,
        moment: Moment<'_>,
    ) -> Result<Turned, TurnError> {
        self.0.take(machine, at, data, input, moment)
    }

    fn desk(&self, machine: &Machine, at: &Instance, data: &str) -> Option<Desk> {
        self.0.desk(machine, at, data)
    }

    fn more(&self, machine: &Machine, at: &Instance, data: &str) -> Value {
        self.0.more(machine, at, data)
    }

    fn look(&self, look: &str, id: &str, given: &Value, shelf: &Shelf) -> Result<Value, Unseen> {
        self.0.look(look, id, given, shelf)
    }
}
