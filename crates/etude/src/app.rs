//! What every part of the shell shares.

use crate::agents::Desk;
use crate::asking::Asker;
use crate::clock::Clock;
use crate::failure::Failure;
use crate::flows::{Entry, Flows, StoredLaw};
use crate::jobs::Roll;
use crate::recent::Recent;
use crate::setting::{Maps, Setting};
use crate::takeover::{self, Present};
use crate::telegram::Bot;
use flow::{Instance, Machine, Overrides};
use outside::notify::Notifier;
use outside::sink::Sink;
use std::collections::HashMap;
use std::hash::{BuildHasher, RandomState};
use std::sync::{Arc, RwLock};
use store::Store;
use tokio::sync::Mutex;

/// How long the node that committed an effect has it for itself before another may take it up.
pub const DEFAULT_LEASE_MS: i64 = 30_000;

#[derive(Debug)]
pub struct App {
    pub store: Store,
    pub flows: Flows,
    pub clock: Clock,
    /// Performs the actions of laws that have no Rust of their own.
    pub sink: Option<Sink>,
    /// Asks a model, where one is configured. Without one the rules of a flow answer.
    pub asker: Option<Asker>,
    /// Reaches learners who do not wait for an answer, where channels are configured.
    pub notifier: Option<Notifier>,
    /// How people reach the bot, where there is one.
    pub bot: Option<Bot>,
    /// What the coach of agents has beside the store, where a data folder is known.
    pub desk: Option<Desk>,
    /// Names this process in leases.
    pub node: String,
    pub lease_ms: i64,
    pub maps: Maps,
    pub roll: Roll,
    /// Where flows stood after their last turn here, and the documents that turns were decided with.
    pub placed: Recent<Placed>,
    pub settings: Recent<Setting>,
    laws: RwLock<HashMap<String, Arc<Takeover>>>,
    turns: Vec<Mutex<()>>,
    queueing: RandomState,
}

/// Flows share a queue for their turns only by accident, and then lose little.
const TURN_QUEUES: usize = 4096;
/// More than take turns at the same time on one node.
const MAX_PLACED: usize = 4096;
const MAX_SETTINGS: usize = 1024;

/// A stored instance, ready to step.
#[derive(Debug, Clone)]
pub struct Placed {
    pub row: store::Instance,
    pub entry: Arc<Entry>,
    pub machine: Arc<Machine>,
    pub at: Instance,
}

/// What becomes of instances that were started under some law.
#[derive(Debug)]
struct Takeover {
    entry: Arc<Entry>,
    present: Result<Present, String>,
}

impl App {
    pub fn new(store: Store, flows: Flows, clock: Clock, sink: Option<Sink>, lease_ms: i64) -> App {
        let node = uuid::Uuid::now_v7().to_string();
        let turns = std::iter::repeat_with(Mutex::default).take(TURN_QUEUES).collect();
        App {
            store,
            flows,
            clock,
            sink,
            asker: None,
            notifier: None,
            bot: None,
            desk: None,
            node,
            lease_ms,
            maps: Maps::default(),
            roll: Roll::default(),
            placed: Recent::of(MAX_PLACED),
            settings: Recent::of(MAX_SETTINGS),
            laws: RwLock::default(),
            turns,
            queueing: RandomState::new(),
        }
    }

    pub fn asking(self, asker: Option<Asker>) -> App {
        App { asker, ..self }
    }

    pub fn coaching_agents(self, desk: Desk) -> App {
        App { desk: Some(desk), ..self }
    }

    /// How long a model has to judge an agent's message, where one is to be asked.
    pub fn model_ms(&self) -> Option<u64> {
        let ms = self.desk.as_ref()?.settings.model_ms;
        (self.asker.is_some() && ms > 0).then_some(ms)
    }

    pub fn notifying(self, notifier: Option<Notifier>) -> App {
        App { notifier, ..self }
    }

    pub fn heard_by(self, bot: Option<Bot>) -> App {
        App { bot, ..self }
    }

    /// The queue in which the turns of a flow wait for each other within this process.
    pub fn turns_of(&self, id: &str) -> &Mutex<()> {
        let hash = RandomState::hash_one(&self.queueing, id);
        &self.turns[hash as usize % TURN_QUEUES]
    }

    /// Loads an instance under the law that holds for it now.
    pub async fn load(&self, id: &str) -> Result<Placed, Failure> {
        let row = self.store.load(id).await?.ok_or_else(|| Failure::UnknownInstance { id: id.to_owned() })?;
        self.place(row).await
    }

    pub async fn place(&self, row: store::Instance) -> Result<Placed, Failure> {
        let takeover = self.takeover(&row.law_hash, &row.flow, &row.id).await?;
        let refused = |reason: &String| Failure::LawChanged { id: row.id.clone(), reason: reason.clone() };
        let (machine, migration) = takeover.present.as_ref().map_err(refused)?;
        let broken = |reason| Failure::Broken { id: row.id.clone(), reason };
        let at = takeover::carry(machine, migration, &row).map_err(broken)?;
        Ok(Placed { row, entry: takeover.entry.clone(), machine: machine.clone(), at })
    }

    /// Decides once for every law hash whether the present law can take its instances over.
    async fn takeover(&self, hash: &str, flow: &str, id: &str) -> Result<Arc<Takeover>, Failure> {
        if let Some(known) = self.laws.read().unwrap_or_else(|e| e.into_inner()).get(hash) {
            return Ok(known.clone());
        }
        let stored = self.stored_law(hash, id).await?;
        let entry = self
            .flows
            .entry_for(flow, &stored)
            .map_err(|unproved| Failure::Unproved { problems: unproved.problems })?;
        let present = takeover::machine(&self.flows, &entry, &stored, hash);
        // Its instances are to run under the present law, so that must be there to be found.
        if let Some((machine, _)) = present.as_ref().ok().filter(|(machine, _)| machine.hash() != hash) {
            self.keep_law(&entry, machine, stored.set).await?;
        }
        let takeover = Arc::new(Takeover { entry, present });
        let mut laws = self.laws.write().unwrap_or_else(|e| e.into_inner());
        Ok(laws.entry(hash.to_owned()).or_insert(takeover).clone())
    }

    /// Makes sure that the law of an instance is in the database, and that the database knows whether somebody
    /// performs its actions. Gives back the flow as it is known there.
    pub async fn keep_law(
        &self,
        entry: &Arc<Entry>,
        machine: &Machine,
        set: Overrides,
    ) -> Result<Arc<Entry>, Failure> {
        let known = self.store.law_get(machine.hash()).await?;
        let known: Option<StoredLaw> = known.and_then(|law| serde_json::from_str(&law.source).ok());
        match known {
            Some(stored) if stored.delivers && !entry.delivers => self
                .flows
                .entry_for_law(&stored)
                .map_err(|unproved| Failure::Unproved { problems: unproved.problems }),
            Some(stored) if stored.delivers == entry.delivers => Ok(entry.clone()),
            _ => {
                self.store.law_put(&entry.kept_law(machine, set, self.clock.now())).await?;
                Ok(entry.clone())
            }
        }
    }

    /// The law that instances started under some law go on under; if none, why.
    pub async fn present_hash(&self, hash: &str, flow: &str) -> Result<String, String> {
        match self.takeover(hash, flow, flow).await {
            Ok(takeover) => {
                takeover.present.as_ref().map(|(machine, _)| machine.hash().to_owned()).map_err(Clone::clone)
            }
            Err(failure) => Err(failure.to_string()),
        }
    }

    /// The machine of a law as it was when an instance ran under it.
    pub async fn past_machine(&self, hash: &str, flow: &str, id: &str) -> Result<Machine, Failure> {
        let stored = self.stored_law(hash, id).await?;
        let entry = self
            .flows
            .entry_for(flow, &stored)
            .map_err(|unproved| Failure::Unproved { problems: unproved.problems })?;
        takeover::bind(&entry, &stored).map_err(|reason| Failure::Broken { id: id.to_owned(), reason })
    }

    async fn stored_law(&self, hash: &str, id: &str) -> Result<StoredLaw, Failure> {
        let broken = |reason: String| Failure::Broken { id: id.to_owned(), reason };
        let law = self.store.law_get(hash).await?;
        let law = law.ok_or_else(|| broken("the law it runs under is not in the database".into()))?;
        serde_json::from_str(&law.source).map_err(|error| broken(format!("its law cannot be read: {error}")))
    }
}
