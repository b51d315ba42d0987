//! The options for sound: its source and its target, and the engines that listen and speak.

use super::super::config::Config;
use ::voice::Trouble;
use ::voice::devices::{Devices, Microphone};
use ::voice::ears::{Bounds, Ears, Recording};
use ::voice::engines::Runtime;
use ::voice::engines::dittli::Dittli;
use ::voice::engines::silero::Silero;
use ::voice::engines::wake::Wake;
use ::voice::layers::{
    Aloud, AnySpeech, Layers, Own, Parser, Recogniser, Recognisers, Responder, Speaker, Text, Trigger,
};
use ::voice::line::{Line, Pace};
use ::voice::loudspeaker::Loudspeaker;
use ::voice::packages::Folder;
use ::voice::wyoming::{Server, SpeakingServer};
use clap::Args;
use std::io::BufReader;
use std::path::PathBuf;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, OnceLock};
use std::time::Duration;
use tokio::signal::unix::{SignalKind, signal};

/// Set once Ctrl-C is pressed. It exists from the moment when the first layers are built.
static INTERRUPT: OnceLock<Arc<AtomicBool>> = OnceLock::new();
/// The exit code of a program that was ended by SIGINT.
const INTERRUPTED: i32 = 130;

#[derive(Debug, Default, Clone, Args)]
#[command(next_help_heading = "Sound")]
pub(in crate::cli) struct Sound {
    /// A WAV file to use instead of the microphone
    #[arg(long, value_name = "FILE")]
    pub input: Option<PathBuf>,
    /// A WAV file to use instead of the loudspeaker
    #[arg(long, value_name = "FILE")]
    pub output: Option<PathBuf>,
    /// The microphone, by a name that `etude voice devices` shows
    #[arg(long, value_name = "NAME")]
    microphone: Option<String>,
    /// The loudspeaker, likewise
    #[arg(long, value_name = "NAME")]
    loudspeaker: Option<String>,
    /// A command that writes 16-bit mono samples at {rate} Hz, instead of the microphone's own program
    #[arg(long, value_name = "COMMAND")]
    record_with: Option<String>,
    /// A command that plays such samples
    #[arg(long, value_name = "COMMAND")]
    play_with: Option<String>,
    #[command(flatten)]
    pub models: Models,
    /// The start of a turn: `word` for the wake word, `none` for any speech, or a Wyoming server
    #[arg(long, value_name = "HOW", default_value = "word")]
    wake: String,
    /// The wake word to ask a Wyoming server for, such as ok_nabu [default: the server's own]
    #[arg(long, value_name = "NAME")]
    wake_word: Option<String>,
    /// A Wyoming server that transcribes
    #[arg(long, value_name = "URL")]
    stt: Option<String>,
    /// A Wyoming server that speaks
    #[arg(long, value_name = "URL")]
    tts: Option<String>,
    /// A Wyoming server that understands
    #[arg(long, value_name = "URL")]
    pub intent: Option<String>,
    /// A Wyoming server that answers
    #[arg(long, value_name = "URL")]
    pub handle: Option<String>,
    /// How long a Wyoming server may take to answer. No step of a run takes more than a minute
    #[arg(long, value_name = "SECONDS", default_value = "30", value_parser = clap::value_parser!(u64).range(1..=60))]
    server_timeout: u64,
    /// End if no wake word comes for this long [default: wait as long as it takes]
    #[arg(long, value_name = "SECONDS", value_parser = clap::value_parser!(u64).range(1..=86_400))]
    wait: Option<u64>,
    /// How long one utterance may be
    #[arg(long, value_name = "SECONDS", default_value = "5", value_parser = clap::value_parser!(u64).range(1..=30))]
    longest: u64,
}

#[derive(Debug, Default, Clone, Args)]
pub(in crate::cli) struct Models {
    /// Where the engines are [default: `voice` in the data folder]
    #[arg(long, value_name = "DIR", env = "ETUDE_VOICE_MODELS")]
    models: Option<PathBuf>,
}

impl Models {
    pub(super) fn folder(&self, config: &Config) -> Folder {
        Folder(self.models.clone().unwrap_or_else(|| config.data.join("voice")))
    }
}

/// A function that turns text into sound.
pub(super) type Voice = Box<dyn FnMut(&Line) -> Result<::voice::Sound, Trouble>>;

impl Sound {
    pub(super) fn has_wake_word(&self) -> bool {
        self.wake != "none"
    }

    /// Returns these options for a flow that asks questions: it listens after each question, without a wake word.
    pub(in crate::cli) fn for_answers(&self) -> Sound {
        Sound { wake: "none".to_owned(), ..self.clone() }
    }

    pub(super) fn folder(&self, config: &Config) -> Folder {
        self.models.folder(config)
    }

    pub(super) fn devices(&self, config: &Config) -> Devices {
        Devices {
            search: config.search_path(),
            microphone: self.microphone.clone(),
            loudspeaker: self.loudspeaker.clone(),
            record_with: self.record_with.clone(),
            play_with: self.play_with.clone(),
        }
    }

    /// Builds the layers that the options ask for, ready to speak the first language and to hear the second.
    /// With `text`, no engine is loaded.
    pub(in crate::cli) fn layers(
        &self,
        config: &Config,
        [spoken, heard]: [&str; 2],
        text: bool,
    ) -> Result<Layers, Trouble> {
        let interrupt = INTERRUPT.get_or_init(interrupt);
        let server = |address: &Option<String>| address.as_deref().map(|at| self.server(at)).transpose();
        let parser: Box<dyn Parser> = match server(&self.intent)? {
            Some(server) => Box::new(server),
            None => Box::new(Own),
        };
        let responder: Box<dyn Responder> = match server(&self.handle)? {
            Some(server) => Box::new(server),
            None => Box::new(Own),
        };
        if text {
            let mut ears = Ears::lines(BufReader::new(std::io::stdin()));
            (ears.bounds, ears.interrupt) = (self.bounds(), interrupt.clone());
            let (trigger, recogniser, speaker) = (Box::new(Text), Box::new(Text), Box::new(Text));
            return Ok(Layers { ears, trigger, recogniser, parser, responder, speaker });
        }
        self.check_files()?;
        let microphone = match &self.input {
            Some(path) => Microphone::file(path)?,
            None => self.devices(config).microphone()?,
        };
        let runtime = self.runtime(config)?;
        let mut ears = Ears::sound(microphone, Silero::load(&runtime)?, self.bounds());
        ears.interrupt = interrupt.clone();
        let trigger: Box<dyn Trigger> = match self.wake.as_str() {
            "word" => Box::new(Wake::load(&runtime)?),
            "none" => Box::new(AnySpeech),
            address => Box::new(self.server(address)?.for_word(self.wake_word.clone())),
        };
        // Warms up the engines, so that the first turn is as quick as the others.
        let (recogniser, speaker) = std::thread::scope(|scope| {
            let speaker = scope.spawn(|| self.speaker(config, Some(spoken)));
            let mut recogniser = self.recogniser(config)?;
            if self.stt.is_none() {
                recogniser.transcribe(&half_a_second(), heard)?;
            }
            let speaker = speaker.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic));
            Ok::<_, Trouble>((recogniser, speaker?))
        })?;
        Ok(Layers { ears, trigger, recogniser, parser, responder, speaker })
    }

    /// Refuses an output file that is also the input, because speech would overwrite it.
    fn check_files(&self) -> Result<(), Trouble> {
        let real = |path: &Option<PathBuf>| path.as_ref().and_then(|path| path.canonicalize().ok());
        match (real(&self.input), real(&self.output)) {
            (Some(input), Some(output)) if input == output => Err(Trouble::new(
                format!("{} is the input and the output", input.display()),
                "give the output another name",
            )),
            _ => Ok(()),
        }
    }

    fn server(&self, address: &str) -> Result<Server, Trouble> {
        let interrupt = INTERRUPT.get().cloned().unwrap_or_default();
        Ok(Server::new(address)?.waiting(Duration::from_secs(self.server_timeout)).interrupted_by(interrupt))
    }

    fn runtime(&self, config: &Config) -> Result<Runtime, Trouble> {
        Runtime::load(&self.folder(config))
    }

    pub(super) fn recogniser(&self, config: &Config) -> Result<Box<dyn Recogniser>, Trouble> {
        Ok(match &self.stt {
            Some(address) => Box::new(self.server(address)?),
            None => Box::new(Recognisers::new(&self.runtime(config)?)),
        })
    }

    /// Returns a function that turns text into sound without playing it.
    pub(super) fn voice(&self, config: &Config) -> Result<Voice, Trouble> {
        if let Some(address) = &self.tts {
            let (server, loudspeaker) = (self.server(address)?, Loudspeaker::Nothing);
            let server = SpeakingServer { server, loudspeaker };
            return Ok(Box::new(move |line| server.synthesise(line)));
        }
        let mut voices = Dittli::new(&self.runtime(config)?);
        Ok(Box::new(move |line| voices.synthesise(line)))
    }

    /// Returns the speaker. With a language in `soon`, warms it up, so that the first answer is as quick as the
    /// others.
    pub(super) fn speaker(&self, config: &Config, soon: Option<&str>) -> Result<Box<dyn Speaker>, Trouble> {
        let loudspeaker = self.loudspeaker(config)?;
        if let Some(address) = &self.tts {
            return Ok(Box::new(SpeakingServer { server: self.server(address)?, loudspeaker }));
        }
        let mut voices = Dittli::new(&self.runtime(config)?);
        if let Some(language) = soon {
            let word = Line { text: "ja".to_owned(), language: language.to_owned(), pace: Pace::Usual };
            voices.synthesise(&word)?;
        }
        Ok(Box::new(Aloud::new(voices, loudspeaker)))
    }

    /// Opens the loudspeaker. With an input file and no output, nothing is played.
    fn loudspeaker(&self, config: &Config) -> Result<Loudspeaker, Trouble> {
        match (&self.output, &self.input, &self.play_with) {
            (Some(path), ..) => Loudspeaker::file(path),
            (None, Some(_), None) => Ok(Loudspeaker::Nothing),
            _ => Loudspeaker::program(self.devices(config)),
        }
    }

    fn bounds(&self) -> Bounds {
        Bounds {
            wait: self.wait.map(Duration::from_secs),
            longest: Duration::from_secs(self.longest),
            ..Bounds::default()
        }
    }
}

fn half_a_second() -> Recording {
    Recording { sound: ::voice::Sound::silence(::voice::RATE, 0.5), ..Recording::default() }
}

/// Returns a flag that Ctrl-C sets: all waiting ends, and the run ends cleanly. A second Ctrl-C ends the program.
fn interrupt() -> Arc<AtomicBool> {
    let interrupt = Arc::<AtomicBool>::default();
    let set = interrupt.clone();
    // The signal is caught from here on, not only once the task runs.
    let Ok(mut pressed) = signal(SignalKind::interrupt()) else { return interrupt };
    tokio::spawn(async move {
        pressed.recv().await;
        set.store(true, Ordering::Relaxed);
        pressed.recv().await;
        std::process::exit(INTERRUPTED);
    });
    interrupt
}
