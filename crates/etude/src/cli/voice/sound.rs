//! Where sound comes from and goes to, and what listens and speaks.

use super::super::config::Config;
use super::super::output::Stop;
use super::stop;
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
use std::time::Duration;

#[derive(Debug, Default, Clone, Args)]
#[command(next_help_heading = "Sound")]
pub(in crate::cli) struct Sound {
    /// A WAV file in place of the microphone
    #[arg(long, value_name = "FILE")]
    pub input: Option<PathBuf>,
    /// A WAV file in place of the loudspeaker
    #[arg(long, value_name = "FILE")]
    pub output: Option<PathBuf>,
    /// The device, as `etude voice devices` shows it
    #[arg(long, value_name = "NAME")]
    device: Option<String>,
    /// A command that writes 16-bit mono samples at {rate} Hz, in place of the microphone's own
    #[arg(long, value_name = "COMMAND")]
    record_with: Option<String>,
    /// A command that plays such samples
    #[arg(long, value_name = "COMMAND")]
    play_with: Option<String>,
    /// Where the engines are [default: `voice` in the data folder]
    #[arg(long, value_name = "DIR", env = "ETUDE_VOICE_MODELS")]
    models: Option<PathBuf>,
    /// What begins a turn: `word` for the wake word, `none` for any speech, or a Wyoming server
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
    /// How long a Wyoming server may take for an answer
    #[arg(long, value_name = "SECONDS", default_value = "30", value_parser = clap::value_parser!(u64).range(1..=600))]
    server_timeout: u64,
    /// End if no wake word comes for so long [default: wait as long as it takes]
    #[arg(long, value_name = "SECONDS", value_parser = clap::value_parser!(u64).range(1..=86_400))]
    wait: Option<u64>,
    /// The longest that one thing may be said for
    #[arg(long, value_name = "SECONDS", default_value = "5", value_parser = clap::value_parser!(u64).range(1..=30))]
    longest: u64,
}

impl Sound {
    pub(super) fn has_wake_word(&self) -> bool {
        self.wake != "none"
    }

    pub(super) fn folder(&self, config: &Config) -> Folder {
        Folder(self.models.clone().unwrap_or_else(|| config.data.join("voice")))
    }

    pub(super) fn devices(&self, config: &Config) -> Devices {
        Devices {
            search: config.search_path(),
            device: self.device.clone(),
            record_with: self.record_with.clone(),
            play_with: self.play_with.clone(),
        }
    }

    /// The layers that were asked for. With text, nothing of sound is loaded.
    pub(super) fn layers(&self, config: &Config, language: &str, text: bool) -> Result<Layers, Stop> {
        self.built(config, language, text).map_err(|trouble| stop(&trouble))
    }

    fn built(&self, config: &Config, language: &str, text: bool) -> Result<Layers, Trouble> {
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
            let ears = Ears::lines(BufReader::new(std::io::stdin()));
            interruptible(&ears);
            let (trigger, recogniser, speaker) = (Box::new(Text), Box::new(Text), Box::new(Text));
            return Ok(Layers { ears, trigger, recogniser, parser, responder, speaker });
        }
        self.check_files()?;
        let microphone = match &self.input {
            Some(path) => Microphone::file(path)?,
            None => self.devices(config).microphone()?,
        };
        let runtime = self.runtime(config)?;
        let ears = Ears::sound(microphone, Silero::load(&runtime)?, self.bounds());
        interruptible(&ears);
        let trigger: Box<dyn Trigger> = match self.wake.as_str() {
            "word" => Box::new(Wake::load(&runtime)?),
            "none" => Box::new(AnySpeech),
            address => Box::new(self.server(address)?.for_word(self.wake_word.clone())),
        };
        // The first turn should be as quick as the others.
        let (recogniser, speaker) = std::thread::scope(|scope| {
            let speaker = scope.spawn(|| self.speaker(config, Some(language)));
            let mut recogniser = self.recogniser(config)?;
            if self.stt.is_none() {
                recogniser.transcribe(&half_a_second(), language)?;
            }
            let speaker = speaker.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic));
            Ok::<_, Trouble>((recogniser, speaker?))
        })?;
        Ok(Layers { ears, trigger, recogniser, parser, responder, speaker })
    }

    /// What is spoken must not be written over what is heard.
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
        Ok(Server::new(address)?.waiting(Duration::from_secs(self.server_timeout)))
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

    /// What speaks, ready for `soon` if that is a language: the first answer should be as quick as the others.
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

    /// With a file to hear and nowhere to speak, nothing is spoken.
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

/// Ctrl-C ends whatever waits, and the run ends cleanly.
fn interruptible(ears: &Ears) {
    let interrupt = ears.interrupt.clone();
    tokio::spawn(async move {
        if tokio::signal::ctrl_c().await.is_ok() {
            interrupt.store(true, std::sync::atomic::Ordering::Relaxed);
        }
    });
}
