//! What every part of the shell shares.

use crate::agents::Desk;
use crate::chat::Bot;
use crate::effects::asking::Asker;
use crate::engine::clock::Clock;
use crate::engine::failure::Failure;
use crate::engine::flows::{Entry, Flows, StoredLaw};
use crate::engine::recent::Recent;
use crate::engine::setting::{Library, Setting};
use crate::engine::takeover::{self, Present};
use crate::rounds::jobs::Roll;
use coaching::words::{Lexicon, WordFile};
use flow::{Instance, Machine, Migration, Overrides};
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
    pub library: Library,
    pub words: Lexicon,
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
    /// The law as it was, for those that do not run: they are over, or the present law cannot take them.
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
    pub fn new(store: Store, flows: Flows, clock: Clock, sink: Option<Sink>, lease_ms: i64) -> App {
        let words =
            flows.entries().filter_map(|entry| entry.face).flat_map(|face| face.words.iter().copied());
        let words = Lexicon::new(words);
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
            library: Library::default(),
            words,
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

    /// Knows the sentences of a surface beside those of the flows.
    pub fn saying(mut self, files: &[WordFile]) -> App {
        files.iter().for_each(|(language, source)| self.words.add(language, source));
        self
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

    /// Where an instance stands, for whoever only looks: one that no law takes over stands under the law that it
    /// has. Then the failure says why it cannot go on.
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
        let present = self.present(&entry, &stored, hash).await?;
        let past = match &present {
            Ok((machine, _)) if machine.hash() == hash => Ok(machine.clone()),
            _ => takeover::bind(&entry, &stored).map(Arc::new),
        };
        let takeover = Arc::new(Takeover { entry, present, past });
        let mut laws = self.laws.write().unwrap_or_else(|e| e.into_inner());
        Ok(laws.entry(hash.to_owned()).or_insert(takeover).clone())
    }

    /// The law that instances of a stored one are to run under. It must be in the database, to be found there.
    async fn present(
        &self,
        entry: &Arc<Entry>,
        stored: &StoredLaw,
        hash: &str,
    ) -> Result<Result<Present, String>, Failure> {
        let present = takeover::machine(&self.flows, entry, stored, hash);
        let Some((machine, _)) = present.as_ref().ok().filter(|(machine, _)| machine.hash() != hash) else {
            return Ok(present);
        };
        if let Some(reason) = takeover::lag(self, entry, stored).await? {
            return Ok(Err(reason));
        }
        self.keep_law(entry, machine, stored.set.clone()).await?;
        Ok(present)
    }

    /// Reads a law again before it is next used, if there may be news of it: that somebody performs its actions.
    pub fn forget_law(&self, hash: &str) {
        let mut laws = self.laws.write().unwrap_or_else(|e| e.into_inner());
        if laws.get(hash).is_some_and(|known| known.entry.is_law_alone() && !known.entry.delivers) {
            laws.remove(hash);
        }
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
        let known = known.and_then(|law| StoredLaw::read(&law).ok());
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

    /// The law of an instance, with the constants that it was opened with.
    pub async fn stored_law(&self, hash: &str, id: &str) -> Result<StoredLaw, Failure> {
        let broken = |reason: String| Failure::Broken { id: id.to_owned(), reason };
        let law = self.store.law_get(hash).await?;
        let law = law.ok_or_else(|| broken("the law it runs under is not in the database".into()))?;
        StoredLaw::read(&law).map_err(|error| broken(format!("its law cannot be read: {error}")))
    }
}
