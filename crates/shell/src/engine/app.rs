//! The state that all parts of the shell share.

use super::aloud::Aloud;
use super::clock::Clock;
use super::failure::Failure;
use super::flows::{FlowEntry, Flows, StoredLaw};
use super::node;
use super::performer::Performer;
use super::recent::Recent;
use super::setting::{Library, Setting};
use super::takeover::{self, Present};
use super::view::Answer;
use coaching::words::{Lexicon, WordFile};
use flow::{Bounds, Instance, Machine, Migration, Overrides};
use futures_util::future::BoxFuture;
use outside::notify::Notifier;
use serde_json::{Map, Value};
use std::collections::HashMap;
use std::hash::{BuildHasher, RandomState};
use std::sync::{Arc, RwLock};
use store::Store;
use tokio::sync::Mutex;

/// How long the node that committed an effect keeps it before another node may claim it, in milliseconds.
pub const DEFAULT_LEASE_MS: i64 = 30_000;

#[derive(Debug)]
pub struct App {
    pub store: Store,
    pub flows: Flows,
    pub clock: Clock,
    /// One performer for each kind of effect.
    pub performers: Vec<Box<dyn Performer>>,
    /// The channels to learners. `None` in a process that leaves messages to a server.
    pub notifier: Option<Notifier>,
    /// Hears answers that no caller waits for: those of timers.
    pub bystander: Option<Bystander>,
    /// The current activity of coaches, and answers that no caller waits for.
    pub aloud: Aloud,
    /// The name of this process in leases.
    pub node: String,
    pub lease_ms: i64,
    pub library: Library,
    pub words: Lexicon,
    /// The language of the terminal that this process runs in.
    pub locale: Option<String>,
    pub openings: Openings,
    /// The positions of flows after their last turn on this node.
    pub placed: Recent<Placed>,
    /// The settings that the turns of these flows were decided with.
    pub settings: Recent<Setting>,
    laws: RwLock<HashMap<String, Arc<Takeover>>>,
    turns: Vec<Mutex<()>>,
    queueing: RandomState,
}

/// The configured opening settings of flows, by flow name. They go into every opening.
pub type Openings = Vec<(&'static str, Map<String, Value>)>;

/// A callback that receives the answer of a turn.
pub struct Bystander(pub Box<dyn Fn(Answer) -> BoxFuture<'static, ()> + Send + Sync>);

impl std::fmt::Debug for Bystander {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("Bystander")
    }
}

/// Large enough that flows rarely share a queue.
const TURN_QUEUES: usize = 4096;
/// Larger than the number of concurrent turns on one node.
const MAX_PLACED: usize = 4096;
const MAX_SETTINGS: usize = 1024;
/// Larger than the number of laws in use at a time.
const MAX_LAWS: usize = 512;

/// A stored instance, ready to step.
#[derive(Debug, Clone)]
pub struct Placed {
    pub row: store::Instance,
    pub entry: Arc<FlowEntry>,
    pub machine: Arc<Machine>,
    pub at: Instance,
}

/// The verdict on instances that were started under a certain law.
#[derive(Debug)]
struct Takeover {
    entry: Arc<FlowEntry>,
    present: Result<Present, String>,
    /// The law as it was, for instances that do not run: they have ended, or the present law cannot take them over.
    past: Result<Arc<Machine>, String>,
}

impl Takeover {
    fn placed(
        &self,
        machine: &Arc<Machine>,
        migration: &Migration,
        row: store::Instance,
    ) -> Result<Placed, Failure> {
        let at = takeover::carry(machine, migration, &row)
            .map_err(|reason| Failure::Broken { id: row.id.clone(), reason })?;
        Ok(Placed { entry: self.entry.clone(), machine: machine.clone(), at, row })
    }
}

impl App {
    /// Creates the state without performers; `effects::app` adds those.
    pub fn new(store: Store, flows: Flows, clock: Clock) -> App {
        let faces = flows.entries().filter_map(|entry| entry.face);
        let faces = faces.flat_map(|face| face.words.iter().copied());
        let words = Lexicon::new(faces.chain(coaching::learner::words::FILES.iter().copied()));
        App {
            store,
            flows,
            clock,
            performers: Vec::new(),
            notifier: None,
            bystander: None,
            aloud: Aloud::default(),
            node: node::name(),
            lease_ms: DEFAULT_LEASE_MS,
            library: Library::default(),
            words,
            locale: None,
            openings: Vec::new(),
            placed: Recent::of(MAX_PLACED),
            settings: Recent::of(MAX_SETTINGS),
            laws: RwLock::default(),
            turns: std::iter::repeat_with(Mutex::default).take(TURN_QUEUES).collect(),
            queueing: RandomState::new(),
        }
    }

    /// Adds the sentences of a surface to those of the flows.
    pub fn saying(mut self, files: &[WordFile]) -> App {
        files.iter().for_each(|file| self.words.add(*file));
        self
    }

    /// Returns the queue in which the turns of a flow wait for each other within this process.
    pub fn turns_of(&self, id: &str) -> &Mutex<()> {
        let hash = RandomState::hash_one(&self.queueing, id);
        &self.turns[hash as usize % TURN_QUEUES]
    }

    /// Loads an instance under the law that applies to it now.
    pub async fn load(&self, id: &str) -> Result<Placed, Failure> {
        self.place(self.row(id).await?).await
    }

    pub async fn row(&self, id: &str) -> Result<store::Instance, Failure> {
        self.store.load(id).await?.ok_or_else(|| Failure::UnknownInstance { id: id.to_owned() })
    }

    pub async fn place(&self, row: store::Instance) -> Result<Placed, Failure> {
        let takeover = self.takeover(&row.law_hash, &row.flow, &row.id).await?;
        match (&takeover.past, &takeover.present) {
            (Ok(past), _) if row.outcome.is_some() => takeover.placed(past, &Migration::default(), row),
            (_, Ok((machine, migration))) => takeover.placed(machine, migration, row),
            (_, Err(reason)) => Err(Failure::LawChanged { id: row.id, reason: reason.clone() }),
        }
    }

    /// Returns the position of an instance for callers that only look. If the present law cannot take the instance
    /// over, it stands under its old law, and the failure says why it cannot go on.
    pub async fn look(&self, row: store::Instance) -> Result<(Placed, Option<Failure>), Failure> {
        let takeover = self.takeover(&row.law_hash, &row.flow, &row.id).await?;
        match (&takeover.past, &takeover.present) {
            (Ok(past), Err(reason)) if row.outcome.is_none() => {
                let refusal = Failure::LawChanged { id: row.id.clone(), reason: reason.clone() };
                Ok((takeover.placed(past, &Migration::default(), row)?, Some(refusal)))
            }
            _ => Ok((self.place(row).await?, None)),
        }
    }

    /// Returns whether the present law can take over the instances of a law, decided once per law hash.
    async fn takeover(&self, hash: &str, flow: &str, id: &str) -> Result<Arc<Takeover>, Failure> {
        if let Some(known) = self.laws.read().unwrap_or_else(|e| e.into_inner()).get(hash) {
            return Ok(known.clone());
        }
        let stored = self.stored_law(hash, id).await?;
        let entry = self.flows.entry_for(flow, &stored)?;
        let present = self.present(&entry, &stored, hash).await?;
        let past = match &present {
            Ok((machine, _)) if machine.hash() == hash => Ok(machine.clone()),
            _ => takeover::bind(&entry, &stored).map(Arc::new),
        };
        let takeover = Arc::new(Takeover { entry, present, past });
        let mut laws = self.laws.write().unwrap_or_else(|e| e.into_inner());
        // Every set of constants is a law of its own, and callers can invent as many as they like.
        if laws.len() >= MAX_LAWS {
            laws.clear();
        }
        Ok(laws.entry(hash.to_owned()).or_insert(takeover).clone())
    }

    /// Returns the law that instances of a stored law run under from now on, and stores it in the database.
    async fn present(
        &self,
        entry: &Arc<FlowEntry>,
        stored: &StoredLaw,
        hash: &str,
    ) -> Result<Result<Present, String>, Failure> {
        // A law proved here is known to the call below; a law that cannot be proved is refused there, with its
        // reason.
        let _ = self.machine(entry, &stored.set, Bounds::default()).await;
        let present = takeover::machine(&self.flows, entry, stored, hash);
        let Some((machine, _)) = present.as_ref().ok().filter(|(machine, _)| machine.hash() != hash) else {
            return Ok(present);
        };
        if let Some(reason) = takeover::lag(self, entry, stored, machine.hash()).await? {
            return Ok(Err(reason));
        }
        self.keep_law(entry, machine, stored.set.clone()).await?;
        Ok(present)
    }

    /// Returns the proved machine of a flow with these constants. Laws are proved before they enter the database,
    /// and the hash covers everything that a proof looks at, so a stored law is not proved again.
    pub async fn machine(
        &self,
        entry: &Arc<FlowEntry>,
        set: &Overrides,
        bounds: Bounds,
    ) -> Result<Arc<Machine>, Failure> {
        if let Some(machine) = self.flows.known(entry, set) {
            return Ok(machine);
        }
        if let Ok(machine) = entry.bind(set)
            && self.store.law_get(machine.hash()).await?.is_some()
        {
            return Ok(self.flows.keep(entry, set, machine));
        }
        Ok(self.flows.machine_apart(entry, set, bounds).await?)
    }

    /// Forgets a law so that it is read again: another program may perform its actions by now.
    pub fn forget_law(&self, hash: &str) {
        let mut laws = self.laws.write().unwrap_or_else(|e| e.into_inner());
        if laws.get(hash).is_some_and(|known| known.entry.is_law_alone() && !known.entry.delivers) {
            laws.remove(hash);
        }
    }

    /// Makes sure that the database has the law of an instance and knows whether its actions are performed. Returns
    /// the flow as the database knows it.
    pub async fn keep_law(
        &self,
        entry: &Arc<FlowEntry>,
        machine: &Machine,
        set: Overrides,
    ) -> Result<Arc<FlowEntry>, Failure> {
        let known = self.store.law_get(machine.hash()).await?;
        let known = known.and_then(|law| StoredLaw::read(&law).ok());
        match known {
            Some(stored) if stored.delivers && !entry.delivers => Ok(self.flows.entry_for_law(&stored)?),
            Some(stored) if stored.delivers == entry.delivers => Ok(entry.clone()),
            _ => {
                self.store.law_put(&entry.kept_law(machine, set, self.clock.now())).await?;
                Ok(entry.clone())
            }
        }
    }

    /// Returns the hash of the law under which instances of another law go on, or why there is none.
    pub async fn present_hash(&self, hash: &str, flow: &str) -> Result<String, String> {
        match self.takeover(hash, flow, flow).await {
            Ok(takeover) => {
                takeover.present.as_ref().map(|(machine, _)| machine.hash().to_owned()).map_err(Clone::clone)
            }
            Err(failure) => Err(failure.to_string()),
        }
    }

    /// Returns the machine of a law as it was when an instance ran under it.
    pub async fn past_machine(&self, hash: &str, flow: &str, id: &str) -> Result<Machine, Failure> {
        let stored = self.stored_law(hash, id).await?;
        let entry = self.flows.entry_for(flow, &stored)?;
        takeover::bind(&entry, &stored).map_err(|reason| Failure::Broken { id: id.to_owned(), reason })
    }

    /// Returns the law of an instance, with the constants it was opened with.
    pub async fn stored_law(&self, hash: &str, id: &str) -> Result<StoredLaw, Failure> {
        let broken = |reason: String| Failure::Broken { id: id.to_owned(), reason };
        let law = self.store.law_get(hash).await?;
        let law = law.ok_or_else(|| broken("the law it runs under is not in the database".into()))?;
        StoredLaw::read(&law).map_err(|error| broken(format!("its law cannot be read: {error}")))
    }
}
