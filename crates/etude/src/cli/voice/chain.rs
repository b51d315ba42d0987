//! The chain of engines: fetched, shown and tried.

use super::super::config::Config;
use super::super::output::{self, BAD, Done, GOOD, QUIET, STRONG, paint, say, with_progress};
use super::sound::Sound;
use super::{shown, stop};
use ::voice::Trouble;
use ::voice::devices::Microphone;
use ::voice::ears::{Bounds, Ears, Recording, Woken};
use ::voice::engines::Runtime;
use ::voice::engines::dittli::Dittli;
use ::voice::engines::silero::Silero;
use ::voice::layers::{Recogniser, Recognisers};
use ::voice::line::{Line, Pace};
use ::voice::packages::PACKAGES;
use clap::Args;
use coaching::text::Words;
use serde_json::json;
use std::path::PathBuf;
use std::process::ExitCode;
use std::time::{Duration, Instant};

/// A sentence in each language that the engines speak.
const SENTENCES: [(&str, &str); 2] =
    [("en", "What is the time right now?"), ("de", "Das Wetter ist heute sehr schön.")];
/// The longest that is written down at once, in a file.
const LONGEST: Duration = Duration::from_secs(25);
/// The last word of a file is over only when silence follows it.
const AFTER_FILE: f32 = 1.0;
/// The chain works if so many of the words come back.
const ENOUGH: f64 = 0.5;

#[derive(Debug, Args)]
pub(super) struct Setup {
    #[command(flatten)]
    sound: Sound,
}

impl Setup {
    pub(super) fn run(&self, config: &Config) -> Done {
        let folder = self.sound.folder(config);
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
        let records = found.iter().find(|found| found.records).map(|found| found.program.clone());
        let plays = found.iter().find(|found| found.plays).map(|found| found.program.clone());
        let devices: Vec<&String> = found.iter().flat_map(|found| &found.devices).collect();
        let answer = json!({"records_with": records, "plays_with": plays, "devices": devices});
        output::answer(config, &answer, |_| {
            let name = |program: &Option<String>| program.clone().unwrap_or_else(|| "nothing".to_owned());
            say!("records with {}, plays with {}", name(&records), name(&plays));
            devices.iter().for_each(|device| say!("  {device}"));
            if records.is_none() || plays.is_none() {
                say!(
                    "\nInstall pipewire, pulseaudio-utils, alsa-utils or sox for a microphone and a loudspeaker. \
                     --input FILE.wav and --output FILE.wav work without them, and so does --text."
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
        let folder = self.sound.folder(config);
        let runtime = Runtime::load(&folder).map_err(|trouble| stop(&trouble))?;
        let (mut voices, mut ears) = (Dittli::new(&runtime), Recognisers::new(&runtime));
        let mut rows = Vec::new();
        for (language, sentence) in SENTENCES {
            let line = Line { text: sentence.to_owned(), language: language.to_owned(), pace: Pace::Usual };
            // The first time everything is loaded; the second time is what a learner waits for.
            let mut tried = Err(Trouble::new("the chain was not tried", "try again"));
            for _ in 0..2 {
                tried = try_out(&line, &mut voices, &mut ears);
            }
            let (heard, spoken_ms, heard_ms, seconds) = tried.map_err(|trouble| stop(&trouble))?;
            let share = share_of_words(sentence, &heard);
            rows.push((language, sentence, heard, spoken_ms, heard_ms, seconds, share >= ENOUGH));
        }
        let works = rows.iter().all(|row| row.6);
        let json: Vec<_> = rows
            .iter()
            .map(|(language, sentence, heard, spoken_ms, heard_ms, seconds, works)| {
                json!({
                    "language": language, "said": sentence, "heard": heard, "works": works, "seconds": shown(*seconds),
                    "synthesised_in_ms": spoken_ms, "transcribed_in_ms": heard_ms,
                })
            })
            .collect();
        output::answer(config, &json, |_| {
            for (language, sentence, heard, spoken_ms, heard_ms, seconds, works) in &rows {
                let mark = if *works { paint(GOOD, "✓") } else { paint(BAD, "✗") };
                say!(
                    "{mark} {language}: said “{sentence}” ({seconds:.1} s of sound, ready after {spoken_ms} ms)"
                );
                say!("      heard “{heard}” (after {heard_ms} ms)");
            }
            say!("{}", if works { "The chain works." } else { "The chain does not work: see above." });
        })?;
        Ok(if works { ExitCode::SUCCESS } else { ExitCode::from(super::super::NO) })
    }
}

fn try_out(
    line: &Line,
    voices: &mut Dittli,
    ears: &mut Recognisers,
) -> Result<(String, u128, u128, f32), Trouble> {
    let started = Instant::now();
    let sound = voices.synthesise(line)?;
    let (spoken_ms, seconds) = (started.elapsed().as_millis(), sound.seconds());
    let started = Instant::now();
    let heard = ears.transcribe(&Recording { sound, ..Recording::default() }, &line.language)?;
    Ok((heard, spoken_ms, started.elapsed().as_millis(), seconds))
}

/// How many of the words came back.
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
        let answer = json!({"seconds": shown(spoken.seconds), "ready_after_ms": spoken.ready_ms});
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
        let answer = json!({"text": text, "seconds": shown(seconds), "clipping": shown(clipping), "ms": ms});
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

    /// What is said in a sound, with the pauses between left out. If the ears are not here, it is taken whole.
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
