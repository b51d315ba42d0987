//! Registers the flows of this program, and keeps the machines bound from their laws.

use coaching::curriculum::Curriculum;
use coaching::face::{Face, NEEDS, Needs};
use coaching::turn::{AnyFlow, Flow, LawOnly, Typed};
use flow::{Bounds, Code, EventId, Law, Machine, Migration, Origin, Overrides, Problem, Report, Vocabulary};
use serde::{Deserialize, Serialize};
use std::collections::{BTreeMap, HashMap};
use std::path::Path;
use std::sync::{Arc, LazyLock, RwLock};
use tokio::sync::Mutex;

/// A function that builds the flows of a program, given the folder with the learner's own packs.
pub type FlowList = fn(Option<&Path>) -> Flows;

/// The bounds of a proof that a caller's constants cause. With constants that need a larger proof, a law does not
/// run on a server.
pub const AFFORDABLE: Bounds = Bounds { configurations: 300_000 };
/// More than the number of machines in use at a time. A machine that is not kept is proved again.
const MAX_MACHINES: usize = 512;

/// One kind of flow.
pub struct FlowEntry {
    pub name: String,
    pub law: Late<Law>,
    pub vocabulary: Option<Vocabulary>,
    pub handlers: Renewed<Box<dyn AnyFlow>>,
    /// The parts of the flow besides its law; `None` for a law without Rust of its own.
    pub face: Option<Face>,
    /// Whether the actions of the law become effects.
    pub delivers: bool,
}

impl std::fmt::Debug for FlowEntry {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("FlowEntry").field("name", &self.name).finish_non_exhaustive()
    }
}

impl FlowEntry {
    /// Creates the entry of a flow with Rust of its own.
    pub fn of<F: Flow>(make: impl Fn() -> F + Send + Sync + 'static) -> FlowEntry {
        FlowEntry {
            name: F::FACE.name.to_owned(),
            law: Late::new(|| Law::read(F::FACE.law).expect("the shipped law is readable")),
            vocabulary: Some((F::FACE.vocabulary)()),
            handlers: Renewed::new(move || -> Box<dyn AnyFlow> { Box::new(Typed(make())) }),
            face: Some(F::FACE),
            delivers: false,
        }
    }

    /// Returns the records and documents that the flow reads, and whether it asks a model.
    pub fn needs(&self) -> Needs {
        self.face.map_or(NEEDS, |face| face.needs)
    }

    /// Whether the flow shares documents with flows beside it.
    pub fn is_scoped(&self) -> bool {
        !self.needs().documents.is_empty()
    }

    /// Whether only the clock may send an event.
    pub fn is_for_the_clock(&self, machine: &Machine, event: EventId) -> bool {
        self.needs().silence && machine.origin(event) == Origin::Silence
    }

    /// Whether the event is reserved for the machine or the clock; only laws without Rust of their own reserve
    /// events.
    pub fn is_closed(&self, machine: &Machine, event: EventId) -> bool {
        self.is_law_alone() && machine.is_closed(event)
    }

    /// Whether only the program itself may send an event.
    pub fn is_sealed(&self, event: &str) -> bool {
        self.needs().sealed.contains(&event)
    }

    /// Whether the flow has no Rust of its own, so that a receiver has to perform its actions.
    pub fn is_law_alone(&self) -> bool {
        self.face.is_none()
    }

    /// Binds the law with these constants into a machine, whether or not it may run.
    pub fn bind(&self, set: &Overrides) -> Result<Machine, Vec<Problem>> {
        Machine::bind(&self.law, self.vocabulary.as_ref(), set)
    }

    /// Proves the law with these constants and reports the findings.
    pub fn check(&self, set: &Overrides, bounds: Bounds) -> Report {
        let report = flow::check(&self.law, self.vocabulary.as_ref(), set, bounds);
        report.unwrap_or_else(|problems| Report {
            law: self.law.session.name.clone(),
            version: self.law.version.clone(),
            problems,
            ..Report::default()
        })
    }

    /// Proves the law with these constants and returns its machine.
    fn prove(&self, set: &Overrides, bounds: Bounds) -> Result<Machine, Unproved> {
        let report = self.check(set, bounds);
        // A law too large to be walked to the end is not proved, even if the walk found nothing wrong.
        if !report.may_run() || !report.complete {
            return Err(Unproved { problems: report.problems });
        }
        self.bind(set).map_err(|problems| Unproved { problems })
    }

    /// Returns the law with these constants as the store keeps it for the flows that run under it.
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

/// A value made on first use. Laws, packs and curricula take a moment to read, and most commands need few of them.
#[derive(Debug)]
pub struct Late<T>(LazyLock<T, Box<dyn FnOnce() -> T + Send>>);

impl<T> Late<T> {
    pub fn new(make: impl FnOnce() -> T + Send + 'static) -> Late<T> {
        Late(LazyLock::new(Box::new(make)))
    }
}

impl<T> std::ops::Deref for Late<T> {
    type Target = T;

    fn deref(&self) -> &T {
        &self.0
    }
}

/// A value made on first use, and made again after its source has changed.
pub struct Renewed<T> {
    make: Box<dyn Fn() -> T + Send + Sync>,
    made: std::sync::Mutex<Option<Arc<T>>>,
}

impl<T> Renewed<T> {
    pub fn new(make: impl Fn() -> T + Send + Sync + 'static) -> Renewed<T> {
        Renewed { make: Box::new(make), made: std::sync::Mutex::default() }
    }

    pub fn get(&self) -> Arc<T> {
        let mut made = self.made.lock().unwrap_or_else(|e| e.into_inner());
        made.get_or_insert_with(|| Arc::new((self.make)())).clone()
    }

    fn renew(&self) {
        *self.made.lock().unwrap_or_else(|e| e.into_inner()) = None;
    }
}

impl<T> std::fmt::Debug for Renewed<T> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Renewed").finish_non_exhaustive()
    }
}

/// A law as the store keeps it: its text and the constants it was bound with.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct StoredLaw {
    pub law: String,
    #[serde(default)]
    pub set: Overrides,
    /// Whether some program performs the actions of this law. Then every process that moves such a flow records
    /// them as effects. The store keeps this flag beside the text.
    #[serde(skip)]
    pub delivers: bool,
}

impl StoredLaw {
    pub fn read(law: &store::Law) -> serde_json::Result<StoredLaw> {
        serde_json::from_str(&law.source).map(|stored| StoredLaw { delivers: law.delivers, ..stored })
    }

    /// Returns the beginning of the stored form of a law with this text, whatever its constants.
    pub fn beginning(text: &str) -> String {
        format!("{{\"law\":{},", serde_json::Value::from(text))
    }
}

#[derive(Debug)]
pub struct Flows {
    entries: BTreeMap<String, Arc<FlowEntry>>,
    /// Laws added while the program runs.
    served: RwLock<BTreeMap<String, Arc<FlowEntry>>>,
    /// Machines by the text of their law, because a flow may run under an older text.
    machines: RwLock<HashMap<String, Bound>>,
    /// Held during a proof, so that proofs run one at a time.
    proofs: Mutex<()>,
    migrations: Vec<Migration>,
    /// The subjects that can be taught without a model.
    pub curricula: Arc<Renewed<Vec<Curriculum>>>,
}

/// The machines of one law text, by flow name and constants.
type Bound = HashMap<(String, Overrides), Arc<Machine>>;

/// The reasons why a law cannot become a flow.
#[derive(Debug)]
pub struct Unproved {
    pub problems: Vec<Problem>,
}

impl Flows {
    pub fn new(
        entries: impl IntoIterator<Item = FlowEntry>,
        curricula: Arc<Renewed<Vec<Curriculum>>>,
    ) -> Flows {
        let named = entries.into_iter().map(|entry| (entry.name.clone(), Arc::new(entry)));
        Flows {
            entries: named.collect(),
            served: RwLock::default(),
            machines: RwLock::default(),
            proofs: Mutex::default(),
            migrations: Vec::new(),
            curricula,
        }
    }

    /// Adds a flow, in place of one with the same name.
    pub fn with(mut self, entry: FlowEntry) -> Flows {
        self.entries.insert(entry.name.clone(), Arc::new(entry));
        self
    }

    /// Creates an empty registry, for flows that are added as laws.
    pub fn none() -> Flows {
        Flows::new([], Arc::new(Renewed::new(Vec::new)))
    }

    pub fn names(&self) -> impl Iterator<Item = &str> {
        self.entries.keys().map(String::as_str)
    }

    pub fn entries(&self) -> impl Iterator<Item = &Arc<FlowEntry>> {
        self.entries.values()
    }

    pub fn get(&self, name: &str) -> Option<&Arc<FlowEntry>> {
        self.entries.get(name)
    }

    /// Adds a law that has no Rust of its own. The flow takes the name of the law's session.
    pub fn add_law(&mut self, source: &str, delivers: bool) -> Result<Arc<FlowEntry>, Unproved> {
        let entry = Arc::new(self.read_law(source, delivers)?);
        if self.entries.contains_key(&entry.name) {
            return Err(Unproved { problems: vec![name_is_taken(&entry)] });
        }
        entry.prove(&Overrides::new(), Bounds::default())?;
        self.entries.insert(entry.name.clone(), entry.clone());
        Ok(entry)
    }

    /// Finds a flow by name, including flows whose laws were added while the program runs.
    pub fn find(&self, name: &str) -> Option<Arc<FlowEntry>> {
        let served = || self.served.read().unwrap_or_else(|e| e.into_inner()).get(name).cloned();
        self.entries.get(name).cloned().or_else(served)
    }

    /// Returns every flow, including those whose laws were added while the program runs.
    pub fn all(&self) -> Vec<Arc<FlowEntry>> {
        let served = self.served.read().unwrap_or_else(|e| e.into_inner());
        self.entries.values().chain(served.values()).cloned().collect()
    }

    /// Adds a law while the program runs. It replaces a law of the same name that was added in this way. Open flows
    /// keep the law that they began under.
    pub fn serve(&self, source: &str) -> Result<Arc<FlowEntry>, Unproved> {
        let entry = Arc::new(self.read_law(source, false)?);
        if self.entries.contains_key(&entry.name) {
            return Err(Unproved { problems: vec![name_is_taken(&entry)] });
        }
        self.machine(&entry, &Overrides::new())?;
        self.served.write().unwrap_or_else(|e| e.into_inner()).insert(entry.name.clone(), entry.clone());
        Ok(entry)
    }

    /// Whether a law of this name is served that was added at run time, now or before the last start.
    pub fn is_served(&self, name: &str) -> bool {
        self.served.read().unwrap_or_else(|e| e.into_inner()).contains_key(name)
    }

    /// Removes a law that was added while the program runs. Returns false if there is none.
    pub fn withdraw(&self, name: &str) -> bool {
        self.served.write().unwrap_or_else(|e| e.into_inner()).remove(name).is_some()
    }

    /// Makes packs, curricula and problems be read again when they are next needed.
    pub fn renew(&self) {
        self.curricula.renew();
        self.entries.values().for_each(|entry| entry.handlers.renew());
    }

    /// Adds an explicit migration from one version of a law to another.
    pub fn add_migration(&mut self, migration: Migration) {
        self.migrations.push(migration);
    }

    pub fn migrations(&self) -> &[Migration] {
        &self.migrations
    }

    /// Returns the migration between two versions of a law. Without an explicit one, all names stay as they are.
    pub fn migration(&self, old: &Machine, new: &Machine) -> Result<Migration, String> {
        let fits =
            |m: &&Migration| m.session == new.session() && m.from == old.version() && m.to == new.version();
        let Some(migration) = self.migrations.iter().find(fits) else { return Ok(Migration::default()) };
        match migration.misfits(old, new).first() {
            None => Ok(migration.clone()),
            Some(problem) => Err(format!("the migration has an {}; {}", problem.message, problem.cure)),
        }
    }

    /// Returns the proved machine of a flow with these constants. The proof runs once; the machine is kept.
    pub fn machine(&self, entry: &FlowEntry, set: &Overrides) -> Result<Arc<Machine>, Unproved> {
        match self.known(entry, set) {
            Some(machine) => Ok(machine),
            None => Ok(self.keep(entry, set, entry.prove(set, Bounds::default())?)),
        }
    }

    /// Like [`Flows::machine`], for async callers. Proofs run on a separate thread, one after the other.
    pub async fn machine_apart(
        &self,
        entry: &Arc<FlowEntry>,
        set: &Overrides,
        bounds: Bounds,
    ) -> Result<Arc<Machine>, Unproved> {
        if let Some(machine) = self.known(entry, set) {
            return Ok(machine);
        }
        let _turn = self.proofs.lock().await;
        // Another request may have waited for the same proof.
        if let Some(machine) = self.known(entry, set) {
            return Ok(machine);
        }
        let (done, proved) = tokio::sync::oneshot::channel();
        let (apart, constants) = (entry.clone(), set.clone());
        std::thread::spawn(move || {
            // The caller may have gone.
            let _ = done.send(apart.prove(&constants, bounds));
        });
        let proved = proved.await.unwrap_or_else(|_| Err(Unproved { problems: Vec::new() }))?;
        Ok(self.keep(entry, set, proved))
    }

    /// Returns the machine of a flow with these constants if its law is known to be proved.
    pub fn known(&self, entry: &FlowEntry, set: &Overrides) -> Option<Arc<Machine>> {
        let known = self.machines.read().unwrap_or_else(|e| e.into_inner());
        known.get(&entry.law.source)?.get(&(entry.name.clone(), set.clone())).cloned()
    }

    /// Keeps a machine whose law is known to be proved. There are few machines unless callers invent constants.
    pub fn keep(&self, entry: &FlowEntry, set: &Overrides, machine: Machine) -> Arc<Machine> {
        let mut known = self.machines.write().unwrap_or_else(|e| e.into_inner());
        if known.values().map(HashMap::len).sum::<usize>() >= MAX_MACHINES {
            known.clear();
        }
        let machine = Arc::new(machine);
        known
            .entry(entry.law.source.clone())
            .or_default()
            .insert((entry.name.clone(), set.clone()), machine.clone());
        machine
    }

    /// Returns the flow that a stored law belongs to: a registered flow of that name, otherwise the law alone. If
    /// the actions of the stored law are performed, those of the registered law are too.
    pub fn entry_for(&self, name: &str, stored: &StoredLaw) -> Result<Arc<FlowEntry>, Unproved> {
        match self.entries.get(name) {
            Some(entry) if stored.delivers && !entry.delivers && entry.is_law_alone() => {
                Ok(Arc::new(self.read_law(&entry.law.source, true)?))
            }
            Some(entry) => Ok(entry.clone()),
            None => self.entry_for_law(stored),
        }
    }

    /// Returns a stored law as a flow of its own.
    pub fn entry_for_law(&self, stored: &StoredLaw) -> Result<Arc<FlowEntry>, Unproved> {
        Ok(Arc::new(self.read_law(&stored.law, stored.delivers)?))
    }

    fn read_law(&self, source: &str, delivers: bool) -> Result<FlowEntry, Unproved> {
        let law = Law::read(source).map_err(|problems| Unproved { problems })?;
        Ok(self.entry_of(law, delivers))
    }

    /// Turns a law without Rust of its own into a flow with the name of its session. Only this function decides
    /// which vocabulary goes with a law file, so that the proved law is the one that runs.
    pub fn entry_of(&self, law: Law, delivers: bool) -> FlowEntry {
        FlowEntry {
            name: law.session.name.clone(),
            vocabulary: self.vocabulary_of(&law),
            law: Late::new(|| law),
            handlers: Renewed::new(move || -> Box<dyn AnyFlow> { Box::new(LawOnly { delivers }) }),
            face: None,
            delivers,
        }
    }

    /// Returns the vocabulary of the flow whose session has this law's name. `None` means that the law needs no
    /// vocabulary.
    fn vocabulary_of(&self, law: &Law) -> Option<Vocabulary> {
        let mut known = self.entries.values().filter_map(|entry| entry.vocabulary.as_ref());
        known.find(|vocabulary| vocabulary.session == law.session.name).cloned()
    }
}

/// Returns the text of a law, bundled with the laws that it uses from the same folder.
pub fn bundled(source: &str, folder: &Path) -> Result<String, Unproved> {
    let read = |name: &str| std::fs::read_to_string(folder.join(name)).map_err(|error| error.to_string());
    flow::bundle(source, read).map_err(|problems| Unproved { problems })
}

/// Reports a duplicate name. Flows are found by name, so a second flow of that name would take over the first one's
/// instances.
fn name_is_taken(entry: &FlowEntry) -> Problem {
    let message = format!("there is a flow called `{}` already", entry.name);
    Problem::new(Code::NameTwice, entry.law.session.place, message, "give `session` another name")
}
