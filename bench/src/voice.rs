//! Measures the voice: the cost of the loop itself, how many spoken turns are right, how soon the coach answers,
//! how well people are understood, and how soon the coach falls silent when the learner cuts in.
//!
//! The turns are spoken by voices that Etude does not use, clean and with noise: two for English, and one for German.
//! Between 1 and 4 kHz, where consonants are, the German one is some ten decibels weaker than people, so in noise they
//! vanish. Every second German turn is therefore spoken with the average spectrum of people's speech.

mod people;
mod room;
mod targets;

use crate::bench::Bench;
use crate::row::{Better, Measured, Row};
use crate::server::resident_mb;
use ::voice::devices::Microphone;
use ::voice::ears::{Bounds, Ears, Recording, Woken};
use ::voice::engines::Runtime;
use ::voice::engines::dittli::Dittli;
use ::voice::engines::silero::Silero;
use ::voice::layers::{AnySpeech, Layers, Own, Recogniser, Recognisers, Text};
use ::voice::line::{Line, Pace};
use ::voice::packages::Folder;
use ::voice::wire::connect;
use ::voice::{FRAME, RATE, Sound};
use coaching::face::Documents;
use coaching::turn::{AnyFlow, Flow, Input, Moment, Source, Turned, Typed};
use coaching::voice::VoiceLoop;
use coaching::voice::intent::Intent;
use flow::{Facts, Law, Machine, Overrides};
use serde_json::{Value, json};
use std::io::{BufRead, BufReader};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

const GROUP: &str = "voice";
/// The level by which the noise is weaker than the speech.
const NOISE_DB: f32 = 15.0;

/// Lines that people say to a coach, written without knowledge of the rules: the language, the text, the kind, the
/// topic.
const SAID: &str = include_str!("../data/voice-turns.tsv");
/// The step between spoken lines: every third is spoken, 16 in each language.
const SPOKEN: usize = 3;
const FRAME_TIME: Duration = Duration::from_micros(FRAME as u64 * 1_000_000 / RATE as u64);

/// A line and its meaning: the language, the text, the kind, and the topic if there is one.
type Said = (&'static str, &'static str, &'static str, &'static str);

fn said() -> Vec<Said> {
    let field = |line: &'static str, at: usize| line.split('\t').nth(at).unwrap_or_default();
    SAID.lines().map(|line| (field(line, 0), field(line, 1), field(line, 2), field(line, 3))).collect()
}

/// Whether a text, as it was heard, has the meaning of the line that was said.
fn is_understood(heard: &str, (language, _, kind, topic): &Said) -> bool {
    Intent::parse(heard, language).is_ok_and(|intent| {
        let found =
            intent.topic.map(|topic| json!(topic)).and_then(|topic| topic.as_str().map(str::to_owned));
        intent.kind.as_str() == *kind && found.unwrap_or_default() == *topic
    })
}

pub fn rows(bench: &Bench) -> Result<Vec<Row>, String> {
    let mut rows = vec![row(
        "a turn of the loop, with layers that take no time",
        "µs",
        Better::Less,
        Some(10.0),
        loop_us(bench),
    )];
    let written = said();
    let understood = written.iter().filter(|turn| is_understood(turn.1, turn)).count();
    let what = format!("turns of {} that are understood in writing", written.len());
    rows.push(row(&what, "", Better::More, None, understood as f64));
    let models = home()?.join(".cache/etude/voice");
    let runtime = Runtime::load(&Folder(models)).map_err(told)?;
    let mut listener = Listener::new(bench, &runtime)?;
    let begins = |what: &str| println!("{what} …");
    begins("turns as they are spoken, clean and with noise: some minutes");
    rows.extend(turns(bench, &mut listener)?);
    begins("words and articles");
    rows.extend(targets::rows(bench, &mut listener)?);
    begins("memory");
    for (language, question) in [("en", "What is due today?"), ("de", "Was ist heute fällig?")] {
        let what = format!("memory of a run that waits for its second turn, {language}");
        let sound = listener.voices.synthesise(&line(language, question)).map_err(told)?;
        rows.push(row(&what, "MB", Better::Less, Some(400.0), run_mb(bench, language, &sound)?));
    }
    begins("the wake word, and people's words");
    rows.extend(people::rows(bench, &mut listener)?);
    begins("cutting in");
    rows.extend(room::rows(bench, &mut listener)?);
    Ok(rows)
}

/// Measures how many of 32 turns are right, and how soon they are answered.
fn turns(bench: &Bench, listener: &mut Listener) -> Result<Vec<Row>, String> {
    let (mut rows, step) = (Vec::new(), if bench.is_quick { 4 } else { 1 });
    for (name, noise, target) in [("clean", None, 28.0), ("with noise at 15 dB", Some(NOISE_DB), 24.0)] {
        let heard = listener.listen(noise, step, &voice_of).map_err(told)?;
        let right = heard.iter().filter(|turn| turn.is_right).count();
        let what = format!("turns of {} that are right, {name}", heard.len());
        rows.push(row(&what, "", Better::More, Some(target), right as f64));
        for language in ["en", "de"] {
            let of_language = heard.iter().filter(|turn| turn.language == language);
            let (right, wrong): (Vec<_>, Vec<_>) = of_language.partition(|turn| turn.is_right);
            let what = format!("of these, {language}, of {}", right.len() + wrong.len());
            rows.push(row(&what, "", Better::More, None, right.len() as f64));
            let of = |ms: fn(&Turn) -> f64| -> Vec<f64> {
                heard.iter().filter(|turn| turn.language == language).map(ms).collect()
            };
            let times = [
                ("transcript", of(|turn| turn.transcript_ms), None),
                ("first sound", of(|turn| turn.first_sound_ms), Some(900.0)),
            ];
            for (until, ms, target) in times {
                let what = format!("end of speech to {until}, {language}, {name}");
                rows.push(row(&format!("{what}, p50"), "ms", Better::Less, target, at(&ms, 0.5)));
                rows.push(row(&format!("{what}, p95"), "ms", Better::Less, None, at(&ms, 0.95)));
            }
        }
    }
    let dark = listener.listen(Some(NOISE_DB), step, &dark_voice).map_err(told)?;
    let right = dark.iter().filter(|turn| turn.is_right).count();
    let what =
        format!("German turns of {} that are right, all in the dark voice, with noise at 15 dB", dark.len());
    rows.push(row(&what, "", Better::More, None, right as f64));
    Ok(rows)
}

fn row(what: &str, unit: &'static str, better: Better, target: Option<f64>, value: f64) -> Row {
    let ours = Measured::of(vec![Ok(value)], better);
    Row { group: GROUP, what: what.to_owned(), unit, better, ours, beside: None, target }
}

fn told(trouble: ::voice::Trouble) -> String {
    format!("{trouble}; {}", trouble.cure)
}

/// Measures one turn of the pure loop in microseconds, from the wake word to the spoken answer.
fn loop_us(bench: &Bench) -> f64 {
    let law = Law::read(VoiceLoop::FACE.law).expect("the law can be read");
    let vocabulary = (VoiceLoop::FACE.vocabulary)();
    let machine = Machine::bind(&law, Some(&vocabulary), &Overrides::new()).expect("the law can be bound");
    let flow = Typed(VoiceLoop::new([]));
    let documents = Documents::default();
    let moment = Moment {
        now_us: 0,
        seed: 1,
        learner: "me",
        records: &[],
        documents: &documents,
        dues: &[],
        edition: None,
    };
    let begun = flow.open(&machine, &json!({"voice": true}), moment).expect("a run can be opened");
    let take = |at: &Turned, event: &str, payload: Value| {
        let event = machine.event_named(event).expect("an event of the law");
        let input = Input { event, payload, facts: Facts::default(), source: Source::System };
        flow.take(&machine, &at.at, &at.data, input, moment).expect("the law takes it")
    };
    let (started, mut turns) = (Instant::now(), 0_u32);
    while started.elapsed().as_secs_f64() < bench.seconds {
        let woken = take(&begun, "wake", Value::Null);
        let recorded = take(&woken, "recorded", Value::Null);
        let spoken = take(&recorded, "transcribed", json!({"text": "hello there"}));
        take(&spoken, "spoken", Value::Null);
        turns += 1;
    }
    started.elapsed().as_secs_f64() * 1e6 / f64::from(turns)
}

struct Turn {
    language: &'static str,
    is_right: bool,
    transcript_ms: f64,
    first_sound_ms: f64,
}

/// The engines of a run, and the lines of other voices.
struct Listener {
    runtime: Runtime,
    voices: Dittli,
    recognisers: Arc<Mutex<Recognisers>>,
    turns: Vec<Said>,
    /// The folder with the turns, as other voices say them.
    said: PathBuf,
}

impl Listener {
    fn new(bench: &Bench, runtime: &Runtime) -> Result<Listener, String> {
        let turns: Vec<Said> = said().into_iter().step_by(SPOKEN).collect();
        let said = people::say(bench, "turns", turns.iter().map(|(language, text, ..)| (*language, *text)))?;
        let (mut recognisers, mut voices) = (Recognisers::new(runtime), Dittli::new(runtime));
        for language in ["en", "de"] {
            // A run begins with this, too: its first turn is as quick as the others.
            let word = voices.synthesise(&line(language, "ja")).map_err(told)?;
            recognisers.transcribe_ahead(&Recording { sound: word, ..Recording::default() }, language);
        }
        let recognisers = Arc::new(Mutex::new(recognisers));
        Ok(Listener { runtime: runtime.clone(), voices, recognisers, turns, said })
    }

    /// Listens to the turns for which there is a voice.
    fn listen(
        &mut self,
        noise: Option<f32>,
        step: usize,
        voice: &dyn Fn(&str, usize) -> Option<&'static str>,
    ) -> Result<Vec<Turn>, ::voice::Trouble> {
        let voices =
            (0..self.turns.len()).step_by(step).filter_map(|at| Some((at, voice(self.turns[at].0, at)?)));
        voices.collect::<Vec<_>>().into_iter().map(|(at, voice)| self.turn(at, voice, noise)).collect()
    }

    /// Measures one turn from sound to sound, as fast as it is spoken: end of speech, transcription, intent, and
    /// the first sentence of an answer.
    fn turn(&mut self, at: usize, voice: &str, noise: Option<f32>) -> Result<Turn, ::voice::Trouble> {
        let turn = self.turns[at];
        let (language, text, ..) = turn;
        let sound = in_a_room(&other_voice(&self.said, voice, at)?, noise);
        let (mut wire, microphone) = connect();
        let speaking = std::thread::spawn(move || {
            let begun = Instant::now();
            for (at, frame) in (0_u32..).zip(sound.pcm().chunks(FRAME * 2)) {
                std::thread::sleep((begun + at * FRAME_TIME).saturating_duration_since(Instant::now()));
                wire.hear(frame);
            }
        });
        let mut layers = self.layers(Microphone::Far(microphone))?;
        let recording = match layers.ears.wait_for_speech()? {
            Woken::Yes => layers.record(false, language)?,
            _ => Recording::default(),
        };
        let started = Instant::now();
        let heard = layers.recogniser.transcribe(&recording, language)?;
        let transcribed_ms = started.elapsed().as_secs_f64() * 1e3;
        let is_right = is_understood(&heard, &turn);
        self.voices.synthesise(&line(language, if language == "de" { "Hallo!" } else { "Hello!" }))?;
        let noticed_ms = recording.noticed_ms as f64;
        let first_sound_ms = noticed_ms + started.elapsed().as_secs_f64() * 1e3;
        if !is_right {
            println!("“{text}” was heard as “{heard}”");
        }
        let _ = speaking.join();
        Ok(Turn { language, is_right, transcript_ms: noticed_ms + transcribed_ms, first_sound_ms })
    }

    fn layers(&self, microphone: Microphone) -> Result<Layers, ::voice::Trouble> {
        Ok(Layers {
            ears: Ears::sound(microphone, Silero::load(&self.runtime)?, Bounds::default()),
            trigger: Box::new(AnySpeech),
            recogniser: Box::new(self.recognisers.clone()),
            parser: Box::new(Own),
            responder: Box::new(Own),
            speaker: Box::new(Text),
        })
    }

    /// Returns the recording that the ears make of a sound.
    fn record(&self, said: &Sound) -> Result<Recording, ::voice::Trouble> {
        let mut layers = self.layers(Microphone::of(in_a_room(said, None)))?;
        Ok(match layers.ears.wait_for_speech()? {
            Woken::Yes => layers.record(false, "")?,
            _ => Recording::default(),
        })
    }
}

/// Puts half a second of silence before a sound and more after it, and adds noise if asked.
fn in_a_room(said: &Sound, noise: Option<f32>) -> Sound {
    let mut sound = Sound::silence(RATE, 0.5);
    sound.append(said);
    sound.append(&Sound::silence(RATE, 1.5));
    if let Some(decibels) = noise {
        add_noise(&mut sound, decibels);
    }
    sound
}

fn line(language: &str, text: &str) -> Line {
    Line { text: text.to_owned(), language: language.to_owned(), pace: Pace::Usual }
}

/// The German voice as it is.
const DARK: &str = "pico";

/// Returns the voice of a turn. The two of a language take turns.
fn voice_of(language: &str, at: usize) -> Option<&'static str> {
    Some(match (language, at.is_multiple_of(2)) {
        ("de", true) => DARK,
        ("de", false) => "bright",
        (_, true) => "joe",
        (_, false) => "heart",
    })
}

fn dark_voice(language: &str, _: usize) -> Option<&'static str> {
    (language == "de").then_some(DARK)
}

/// Reads a line as another voice says it.
fn other_voice(said: &Path, voice: &str, at: usize) -> Result<Sound, ::voice::Trouble> {
    Sound::read_wav(&said.join(format!("{voice}-{at}.wav")))
}

/// Adds white noise, the same in every run.
fn add_noise(sound: &mut Sound, decibels: f32) {
    let loud: Vec<f32> = sound.samples.iter().copied().filter(|sample| sample.abs() > 0.01).collect();
    let power = loud.iter().map(|sample| sample * sample).sum::<f32>() / loud.len().max(1) as f32;
    // Evenly spread numbers between -1 and 1 have a third of the power of 1.
    let height = (3.0 * power / 10_f32.powf(decibels / 10.0)).sqrt();
    let mut state = 1_u32;
    for sample in &mut sound.samples {
        state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
        *sample += height * (state as f32 / u32::MAX as f32 * 2.0 - 1.0);
    }
}

fn at(values: &[f64], share: f64) -> f64 {
    let mut sorted = values.to_vec();
    sorted.sort_by(f64::total_cmp);
    let last = sorted.len().saturating_sub(1);
    sorted.get((last as f64 * share).round() as usize).copied().unwrap_or(f64::NAN)
}

/// Measures the memory that a run of the program itself takes once it has heard a question and answered it.
fn run_mb(bench: &Bench, language: &str, question: &Sound) -> Result<f64, String> {
    let folder = tempfile::tempdir().map_err(|error| error.to_string())?;
    let samples = folder.path().join("question.raw");
    let silence = vec![0; RATE as usize];
    let pcm = [&silence[..], &question.at(RATE).pcm(), &silence, &silence].concat();
    std::fs::write(&samples, pcm).map_err(|error| error.to_string())?;
    // After the question it is quiet.
    let quiet = "while head -c 3200 /dev/zero; do sleep 0.1; done";
    let microphone = format!("sh -c 'cat {}; {quiet}'", samples.display());
    let mut run = Command::new(bench.target.join("release/etude"));
    run.args(["voice", "--language", language, "--wake", "none", "--record-with", &microphone]);
    run.args(["--play-with", "sh -c 'cat > /dev/null'", "--models"]).arg(home()?.join(".cache/etude/voice"));
    run.env("ETUDE_DATA", folder.path()).stdout(Stdio::piped()).stderr(Stdio::null());
    let mut run = run.spawn().map_err(|error| error.to_string())?;
    let mut lines =
        BufReader::new(run.stdout.take().ok_or("it prints nothing")?).lines().map_while(Result::ok);
    let waits = lines.any(|line| line.contains("2/3"));
    std::thread::sleep(Duration::from_secs(1));
    let memory = resident_mb(run.id());
    run.kill().and_then(|()| run.wait()).map_err(|error| error.to_string())?;
    if waits { memory } else { Err("the run ended before its second turn".to_owned()) }
}

#[expect(clippy::disallowed_methods, reason = "only the environment says where the cache is")]
fn home() -> Result<std::path::PathBuf, String> {
    std::env::var_os("HOME").map(Into::into).ok_or_else(|| "no home folder is known".to_owned())
}
