//! The voice: what the loop itself costs, how many spoken turns are right, and how soon the coach answers.
//!
//! The learner's part is spoken by the voice of the engines, clean and with noise. That is kinder than people are.

use crate::bench::Bench;
use crate::row::{Better, Measured, Row};
use ::voice::devices::Microphone;
use ::voice::ears::{Bounds, Ears, Recording, Woken};
use ::voice::engines::Runtime;
use ::voice::engines::dittli::Dittli;
use ::voice::engines::silero::Silero;
use ::voice::layers::{Recogniser, Recognisers};
use ::voice::line::{Line, Pace};
use ::voice::packages::Folder;
use ::voice::{RATE, Sound};
use coaching::face::Documents;
use coaching::turn::{AnyFlow, Flow, Input, Moment, Source, Turned, Typed};
use coaching::voice::VoiceLoop;
use coaching::voice::intent::Intent;
use flow::{Facts, Law, Machine, Overrides};
use serde_json::{Value, json};
use std::time::Instant;

const GROUP: &str = "voice";
/// The noise is this much weaker than the speech.
const NOISE_DB: f32 = 15.0;

/// What is said, and what it is: a kind, and a topic if there is one.
const TURNS: [(&str, &str, &str, &str); 32] = [
    ("en", "Hello there!", "greeting", ""),
    ("en", "Good morning, coach.", "greeting", ""),
    ("en", "Good evening.", "greeting", ""),
    ("en", "Hi, how are you?", "greeting", ""),
    ("en", "What time is it?", "question", "time"),
    ("en", "What is due today?", "question", "due"),
    ("en", "How far am I?", "question", "progress"),
    ("en", "What can you do?", "question", "help"),
    ("en", "Why is the sky blue?", "question", ""),
    ("en", "Where is the station?", "question", ""),
    ("en", "Play some music.", "command", ""),
    ("en", "Start a drill.", "command", "start"),
    ("en", "Tell me a story.", "command", ""),
    ("en", "Please repeat that.", "command", "repeat"),
    ("en", "Slow down, please.", "command", "slower"),
    ("en", "Show me my progress.", "command", "progress"),
    ("de", "Guten Morgen!", "greeting", ""),
    ("de", "Hallo, wie geht es dir?", "greeting", ""),
    ("de", "Guten Abend.", "greeting", ""),
    ("de", "Wie spät ist es?", "question", "time"),
    ("de", "Was ist heute fällig?", "question", "due"),
    ("de", "Wie weit bin ich?", "question", "progress"),
    ("de", "Was kannst du?", "question", "help"),
    ("de", "Warum ist der Himmel blau?", "question", ""),
    ("de", "Wo ist der Bahnhof?", "question", ""),
    ("de", "Wer bist du?", "question", "name"),
    ("de", "Spiele bitte Musik.", "command", ""),
    ("de", "Starte einen Drill.", "command", "start"),
    ("de", "Wiederhole das bitte.", "command", "repeat"),
    ("de", "Erzähle mir etwas.", "command", ""),
    ("de", "Zeige mir den Weg.", "command", ""),
    ("de", "Sprich bitte langsamer.", "command", "slower"),
];

pub fn rows(bench: &Bench) -> Result<Vec<Row>, String> {
    let mut rows = vec![row(
        "a turn of the loop, with layers that take no time",
        "µs",
        Better::Less,
        10.0,
        loop_us(bench),
    )];
    let models = home()?.join(".cache/etude/voice");
    let runtime = Runtime::load(&Folder(models)).map_err(|trouble| format!("{trouble}; {}", trouble.cure))?;
    let mut listener = Listener::new(&runtime).map_err(|trouble| trouble.to_string())?;
    for (name, noise, target) in [("clean", None, 28.0), ("with noise at 15 dB", Some(NOISE_DB), 24.0)] {
        let heard = listener
            .listen(noise, if bench.is_quick { 4 } else { 1 })
            .map_err(|trouble| trouble.to_string())?;
        let right = heard.iter().filter(|turn| turn.is_right).count();
        println!("{right} of {} turns are right, {name}", heard.len());
        rows.push(row(
            &format!("turns of {} that are right, {name}", heard.len()),
            "",
            Better::More,
            target,
            right as f64,
        ));
        for language in ["en", "de"] {
            let of = |turn: &&Turn| turn.language == language;
            let first_ms: Vec<f64> = heard.iter().filter(of).map(|turn| turn.first_sound_ms).collect();
            let target = if language == "en" { 900.0 } else { 2_500.0 };
            let what = format!("end of speech to first sound, {language}, {name}");
            rows.push(row(&format!("{what}, p50"), "ms", Better::Less, target, at(&first_ms, 0.5)));
            rows.push(row(&format!("{what}, p95"), "ms", Better::Less, 2.0 * target, at(&first_ms, 0.95)));
        }
    }
    rows.push(row("memory with all engines loaded", "MB", Better::Less, 400.0, resident_mb()));
    Ok(rows)
}

fn row(what: &str, unit: &'static str, better: Better, target: f64, value: f64) -> Row {
    let ours = Measured::of(vec![Ok(value)], better);
    Row { group: GROUP, what: what.to_owned(), unit, better, ours, beside: None, target: Some(target) }
}

/// One turn of the pure loop, from the wake word to what is spoken.
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
    first_sound_ms: f64,
}

/// The engines of a run.
struct Listener {
    runtime: Runtime,
    voices: Dittli,
    recognisers: Recognisers,
}

impl Listener {
    fn new(runtime: &Runtime) -> Result<Listener, ::voice::Trouble> {
        let recognisers = Recognisers::new(runtime);
        Ok(Listener { runtime: runtime.clone(), voices: Dittli::new(runtime), recognisers })
    }

    fn listen(&mut self, noise: Option<f32>, step: usize) -> Result<Vec<Turn>, ::voice::Trouble> {
        TURNS.iter().step_by(step).map(|turn| self.turn(turn, noise)).collect()
    }

    /// One turn from sound to sound: end of speech, transcription, intent, and the first sentence of an answer.
    fn turn(
        &mut self,
        (language, text, kind, topic): &(&'static str, &str, &str, &str),
        noise: Option<f32>,
    ) -> Result<Turn, ::voice::Trouble> {
        let line =
            |text: &str| Line { text: text.to_owned(), language: (*language).to_owned(), pace: Pace::Usual };
        let mut sound = Sound::silence(RATE, 0.5);
        sound.append(&self.voices.synthesise(&line(text))?);
        sound.append(&Sound::silence(RATE, 1.5));
        if let Some(decibels) = noise {
            add_noise(&mut sound, decibels);
        }
        let mut ears = Ears::sound(Microphone::of(sound), Silero::load(&self.runtime)?, Bounds::default());
        let recording = match ears.wait_for_speech()? {
            Woken::Yes => ears.record(false)?,
            _ => Recording::default(),
        };
        let started = Instant::now();
        let heard = self.recognisers.transcribe(&recording, language)?;
        let intent = Intent::parse(&heard, language);
        self.voices.synthesise(&line(if *language == "de" { "Hallo!" } else { "Hello!" }))?;
        let first_sound_ms = started.elapsed().as_secs_f64() * 1e3 + recording.noticed_ms as f64;
        let is_right = intent.is_ok_and(|intent| {
            let found =
                intent.topic.map(|topic| json!(topic)).and_then(|topic| topic.as_str().map(str::to_owned));
            intent.kind.as_str() == *kind && found.unwrap_or_default() == *topic
        });
        if !is_right {
            println!("“{text}” was heard as “{heard}”");
        }
        Ok(Turn { language, is_right, first_sound_ms })
    }
}

/// White noise, the same in every run.
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

fn resident_mb() -> f64 {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let line = status.lines().find_map(|line| line.strip_prefix("VmRSS:"));
    let kilobytes = line.and_then(|line| line.split_whitespace().next()?.parse::<f64>().ok());
    kilobytes.map_or(f64::NAN, |kilobytes| kilobytes / 1_024.0)
}

#[expect(clippy::disallowed_methods, reason = "only the environment says where the cache is")]
fn home() -> Result<std::path::PathBuf, String> {
    std::env::var_os("HOME").map(Into::into).ok_or_else(|| "no home folder is known".to_owned())
}
