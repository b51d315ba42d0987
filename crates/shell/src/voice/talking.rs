//! Holds flows by voice from afar: a browser has the microphone and the loudspeaker, this machine has the engines.
//!
//! A talk runs on its own thread, because listening blocks. Talks share one set of engines and take turns with it.
//! The engines are unloaded some minutes after the last talk, not at once, because loading takes seconds. No sound
//! is kept.

use super::holding::{ANSWER_BOUNDS, Holding, Left, Moment, practised};
use crate::engine::app::App;
use crate::engine::failure::Failure;
use crate::engine::turn;
use crate::engine::view::{Answer, View};
use ::voice::devices::Microphone;
use ::voice::ears::{Ears, Recording};
use ::voice::engines::Runtime;
use ::voice::engines::dittli::Dittli;
use ::voice::engines::silero::Silero;
use ::voice::far::{FarVoice, Playing};
use ::voice::layers::{AnySpeech, Layers, Own, Recogniser, Recognisers};
use ::voice::packages::Folder;
use ::voice::wire::{FarMicrophone, Wire, Wishes, connect};
use ::voice::{RATE, Sound, Trouble};
use coaching::desk::Role;
use std::collections::HashMap;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;
use tokio::runtime::Handle;
use tokio::sync::Notify;
use tokio::sync::mpsc::UnboundedSender;
use tokio::task::{JoinHandle, spawn_blocking};

/// The most talks at a time, on this machine and for one learner: the engines do one thing after the other.
const MAX_TALKS: usize = 8;
const MAX_TALKS_OF_ONE: usize = 3;
/// How long the engines stay loaded after a talk.
const STAY: Duration = Duration::from_secs(300);

/// The place where talks are held, with the engines that they share.
#[derive(Debug)]
pub struct Booth {
    folder: Folder,
    engines: Mutex<Option<Arc<Engines>>>,
    /// The number of talks of each learner.
    talks: Mutex<HashMap<String, usize>>,
}

#[derive(Debug)]
struct Engines {
    runtime: Runtime,
    recognisers: Arc<Mutex<Recognisers>>,
    voices: Arc<Mutex<Dittli>>,
}

/// One place in a booth, free again when dropped.
#[derive(Debug)]
pub struct BoothPlace {
    booth: Arc<Booth>,
    learner: String,
}

impl Drop for BoothPlace {
    fn drop(&mut self) {
        let mut talks = locked(&self.booth.talks);
        if let Some(count) = talks.get_mut(&self.learner) {
            *count -= 1;
        }
        talks.retain(|_, count| *count > 0);
    }
}

impl Booth {
    pub fn new(folder: Folder) -> Booth {
        Booth { folder, engines: Mutex::default(), talks: Mutex::default() }
    }

    /// Whether the engines are installed.
    pub fn is_ready(&self) -> bool {
        self.folder.is_complete()
    }

    /// Takes a place for one more talk, if one is free.
    pub fn place(self: &Arc<Booth>, learner: &str) -> Option<BoothPlace> {
        let mut talks = locked(&self.talks);
        let own = talks.get(learner).copied().unwrap_or(0);
        if own >= MAX_TALKS_OF_ONE || talks.values().sum::<usize>() >= MAX_TALKS {
            return None;
        }
        talks.insert(learner.to_owned(), own + 1);
        Some(BoothPlace { booth: self.clone(), learner: learner.to_owned() })
    }

    /// Returns the engines that talks share. The first talk loads them.
    fn engines(&self) -> Result<Arc<Engines>, Trouble> {
        let mut shared = locked(&self.engines);
        if let Some(engines) = &*shared {
            return Ok(engines.clone());
        }
        let runtime = Runtime::load(&self.folder)?;
        let engines = Arc::new(Engines {
            recognisers: Arc::new(Mutex::new(Recognisers::new(&runtime))),
            voices: Arc::new(Mutex::new(Dittli::new(&runtime))),
            runtime,
        });
        *shared = Some(engines.clone());
        Ok(engines)
    }

    /// Unloads the engines if no talk has begun since they were last used.
    fn give_back(&self, engines: &Arc<Engines>) {
        let mut shared = locked(&self.engines);
        // One reference is the caller's, one the booth's.
        if Arc::strong_count(engines) <= 2 {
            *shared = None;
        }
    }
}

fn locked<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

/// A message to the other end. Messages arrive in the order of events.
#[derive(Debug)]
pub enum Told {
    Listens,
    Thinks,
    Heard {
        text: String,
        ms: u64,
    },
    Silence,
    Says {
        role: Role,
        text: String,
    },
    /// A sound to play, as a WAV file.
    Sound(Vec<u8>),
    /// The sound that is playing should stop.
    Hush,
    /// The flow has moved.
    Turn {
        text: String,
        answer: Box<Answer>,
    },
    /// Nothing can be said now; the talk goes on when the flow does.
    Waits,
    Troubled(Trouble),
}

/// A talk that has not begun.
#[derive(Debug)]
pub struct Talk {
    pub app: Arc<App>,
    pub id: String,
    /// The language of the coach.
    pub language: String,
    /// Other things that the learner might say, to compare a sound with.
    pub others: Vec<String>,
    pub booth: Arc<Booth>,
    pub tell: UnboundedSender<Told>,
}

/// The connection's end of a talk. Dropping it ends the talk.
#[derive(Debug)]
pub struct Handset {
    pub wire: Wire,
    state: State,
    /// Freed together with the connection, even if the talk has not noticed yet.
    _place: BoothPlace,
}

#[derive(Debug, Clone)]
struct State {
    wishes: Wishes,
    is_hung_up: Arc<AtomicBool>,
    /// The version of the flow that the talk has seen.
    version: Arc<AtomicU64>,
    news: Arc<Notify>,
}

impl Handset {
    /// Reports the flow's version. If something else has moved the flow there, the talk continues from that
    /// position.
    pub fn is_at(&self, version: u64) {
        if version > self.version() {
            self.state.interrupt();
        }
    }

    pub fn version(&self) -> u64 {
        self.state.version.load(Ordering::Relaxed)
    }
}

impl Drop for Handset {
    fn drop(&mut self) {
        self.state.is_hung_up.store(true, Ordering::Relaxed);
        self.state.interrupt();
    }
}

impl State {
    fn interrupt(&self) {
        self.wishes.interrupt.store(true, Ordering::Relaxed);
        self.news.notify_one();
    }

    fn is_hung_up(&self) -> bool {
        self.is_hung_up.load(Ordering::Relaxed)
    }
}

impl Talk {
    /// Begins the talk. The task ends when the flow ends, the learner stops, or the handset is dropped.
    pub fn begin(self, place: BoothPlace) -> (Handset, JoinHandle<Result<Left, Failure>>) {
        let (wire, microphone) = connect();
        let state = State {
            wishes: wire.wishes.clone(),
            is_hung_up: Arc::default(),
            version: Arc::default(),
            news: Arc::default(),
        };
        let (handle, known) = (Handle::current(), state.clone());
        let talking = spawn_blocking(move || handle.block_on(self.run(microphone, known)));
        (Handset { wire, state, _place: place }, talking)
    }

    async fn run(mut self, microphone: FarMicrophone, state: State) -> Result<Left, Failure> {
        let loaded = self.booth.engines().and_then(|engines| {
            let layers = self.layers(&engines, microphone, &state.wishes)?;
            Ok((engines, layers))
        });
        let (engines, mut layers) = match loaded {
            Ok(loaded) => loaded,
            Err(trouble) => return Ok(Left::Troubled(trouble)),
        };
        if state.is_hung_up() {
            return Ok(Left::Saved);
        }
        self.warm(&engines).await?;
        let left = self.go_on(&mut layers, &state).await;
        drop(layers);
        let booth = self.booth.clone();
        tokio::spawn(async move {
            tokio::time::sleep(STAY).await;
            booth.give_back(&engines);
        });
        left
    }

    /// Holds the flow until the talk is over.
    async fn go_on(&mut self, layers: &mut Layers, state: &State) -> Result<Left, Failure> {
        loop {
            let view = turn::look(&self.app, self.app.row(&self.id).await?).await?;
            state.version.store(view.version, Ordering::Relaxed);
            let left = match self.hold(view, layers, state).await {
                Ok(left) => left,
                // Another turn was faster.
                Err(Failure::Conflict { .. } | Failure::Refused { .. } | Failure::Over { .. }) => continue,
                Err(failure) => return Err(failure),
            };
            let waits = matches!(left, Left::Waits);
            if waits {
                let _ = self.tell.send(Told::Waits);
                state.news.notified().await;
            }
            let is_interrupted = state.wishes.interrupt.swap(false, Ordering::Relaxed);
            let is_over = matches!(left, Left::Over { .. } | Left::Troubled(_)) || state.is_hung_up();
            if is_over || !(waits || is_interrupted) {
                return Ok(left);
            }
        }
    }

    /// Loads the recogniser while the coach speaks, so that the first answer is understood as quickly as the
    /// others.
    async fn warm(&self, engines: &Engines) -> Result<(), Failure> {
        let view = turn::look(&self.app, self.app.row(&self.id).await?).await?;
        let language = self.tongue(&view);
        let mut recognisers = engines.recognisers.clone();
        std::thread::spawn(move || {
            let silence = Recording { sound: Sound::silence(RATE, 0.5), ..Recording::default() };
            if let Err(trouble) = recognisers.transcribe(&silence, &language) {
                tracing::warn!(%trouble, "the recogniser cannot be loaded");
            }
        });
        Ok(())
    }

    /// Returns the language being learned, or else that of the coach.
    fn tongue(&self, view: &View) -> String {
        practised(view).map_or(&*self.language, |(_, tongue)| tongue).to_owned()
    }

    fn layers(
        &self,
        engines: &Engines,
        microphone: FarMicrophone,
        wishes: &Wishes,
    ) -> Result<Layers, Trouble> {
        let activity = Silero::load(&engines.runtime)?;
        let mut ears = Ears::sound(Microphone::Far(microphone), activity, ANSWER_BOUNDS);
        ears.interrupt = wishes.interrupt.clone();
        let tell = self.tell.clone();
        let send = move |playing| {
            let told = match playing {
                Playing::Sound(sound) => Told::Sound(sound.to_wav()),
                Playing::Stop => Told::Hush,
            };
            let _ = tell.send(told);
        };
        let speaker =
            FarVoice { voices: engines.voices.clone(), wishes: wishes.clone(), send: Box::new(send) };
        Ok(Layers {
            ears,
            trigger: Box::new(AnySpeech),
            recogniser: Box::new(engines.recognisers.clone()),
            parser: Box::new(Own),
            responder: Box::new(Own),
            speaker: Box::new(speaker),
        })
    }

    /// Holds the flow until it ends or another turn moves it.
    async fn hold(&mut self, view: View, layers: &mut Layers, state: &State) -> Result<Left, Failure> {
        let (tongue, tell) = (self.tongue(&view), self.tell.clone());
        let mut log = |moment: Moment<'_>| {
            match &moment {
                Moment::Listens | Moment::Thinks => state.wishes.begin_anew(),
                Moment::Takes { answer, .. } => state.version.store(answer.view.version, Ordering::Relaxed),
                _ => {}
            }
            if let Some(told) = Told::of(moment) {
                let _ = tell.send(told);
            }
        };
        let mut holding = Holding {
            app: &self.app,
            layers,
            language: self.language.clone(),
            target_language: tongue,
            others: std::mem::take(&mut self.others),
            ends_at_heading: false,
            log: &mut log,
        };
        let held = holding.hold(Answer::of(view)).await;
        self.others = std::mem::take(&mut holding.others);
        Ok(held?.0)
    }
}

impl Told {
    fn of(moment: Moment<'_>) -> Option<Told> {
        Some(match moment {
            Moment::Listens => Told::Listens,
            Moment::Thinks => Told::Thinks,
            Moment::Hears { text, ms } => Told::Heard { text: text.to_owned(), ms },
            Moment::Silence => Told::Silence,
            Moment::Says { role, text } => Told::Says { role, text: text.to_owned() },
            Moment::Takes { text, answer } => {
                Told::Turn { text: text.to_owned(), answer: Box::new(answer.clone()) }
            }
            Moment::Troubled { trouble } => Told::Troubled(trouble.clone()),
            Moment::Fits { .. } => return None,
        })
    }
}
