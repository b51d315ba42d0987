//! Measures how well people are understood, and what wakes the coach.

use super::{Listener, NOISE_DB, in_a_room, row, told};
use crate::bench::Bench;
use crate::row::{Better, Measured, Row};
use ::voice::ears::Recording;
use ::voice::engines::wake::{WAKE_WORD, Wake};
use ::voice::layers::Recogniser;
use ::voice::{FRAME, RATE, Sound};
use coaching::text::Words;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

const FETCH: &str = "run `scripts/test-tools fetch_speech` first, which needs Debian's packages";
/// The number of words of a prompt that is used. Shorter ones are words without a sentence; longer ones are read
/// out from a manual.
const WORDS: std::ops::RangeInclusive<usize> = 3..=30;
/// The ways to say the wake word: a voice says it differently with other marks and words before it.
const CALLS: [&str; 6] = [
    "Hey LiveKit!",
    "Hey LiveKit.",
    "Hey, LiveKit?",
    "hey livekit",
    "Hey LiveKit, hello.",
    "Um, hey LiveKit!",
];

/// People who recorded the prompts of a telephone system: the language, its name, and the folder.
const PEOPLE: [(&str, &str, &str); 3] = [
    ("en", "English", "en_US_f_Allison"),
    ("es", "Spanish", "es_MX_f_Allison"),
    ("fr", "French", "fr_CA_f_June"),
];
/// The most words of English people that may be wrong, in percent.
const MOST_WRONG: f64 = 10.0;
const FALSE_ACCEPTS: &str = "times that people's speech wakes it";

pub(super) fn rows(bench: &Bench, listener: &mut Listener) -> Result<Vec<Row>, String> {
    let mut rows = vec![recall(bench, listener)?];
    for person in PEOPLE {
        let (language, name, _) = person;
        let target = (language == "en").then_some(MOST_WRONG);
        let what = format!("words of people that are wrong, {name}");
        let noisy = format!("{what}, with noise at 15 dB");
        match prompts(bench, person) {
            Ok(prompts) => {
                for (what, noise, target) in [(&what, None, target), (&noisy, Some(NOISE_DB), None)] {
                    let wrong = errors(bench, listener, language, &prompts, noise)?;
                    rows.push(row(what, "%", Better::Less, target, wrong));
                }
                if language == "en" {
                    rows.push(false_accepts(bench, listener, &prompts)?);
                }
            }
            Err(why) => rows.push(not_measured(&what, "%", why)),
        }
    }
    Ok(rows)
}

fn not_measured(what: &str, unit: &'static str, reason: String) -> Row {
    Row { ours: Measured::NotMeasured { reason }, ..row(what, unit, Better::Less, None, 0.0) }
}

/// Lets other voices say lines of a language, and returns the folder of the sounds.
pub(super) fn say<'t>(
    bench: &Bench,
    name: &str,
    lines: impl Iterator<Item = (&'t str, &'t str)>,
) -> Result<PathBuf, String> {
    let folder = bench.cache.join("speech").join(name);
    std::fs::create_dir_all(&folder).map_err(|error| error.to_string())?;
    let lines: Vec<String> = lines.map(|(language, text)| format!("{language}\t{text}")).collect();
    let mut child = script(bench)?
        .arg("say")
        .arg(&folder)
        .stdin(Stdio::piped())
        .spawn()
        .map_err(|error| error.to_string())?;
    let mut input = child.stdin.take().ok_or("it is piped")?;
    input.write_all(lines.join("\n").as_bytes()).map_err(|error| error.to_string())?;
    drop(input);
    let status = child.wait().map_err(|error| error.to_string())?;
    if status.success() { Ok(folder) } else { Err("the other voices cannot speak".to_owned()) }
}

/// Decodes the prompts that a person recorded, and returns their texts and sounds.
fn prompts(bench: &Bench, (language, _, person): (&str, &str, &str)) -> Result<Vec<(String, Sound)>, String> {
    let root = super::home()?.join(".cache/etude/tools/debian/usr/share");
    let sounds = root.join("asterisk/sounds").join(person);
    let transcripts = root.join(format!("doc/asterisk-core-sounds-{language}/core-sounds-{language}.txt.gz"));
    if !transcripts.is_file() {
        return Err(FETCH.to_owned());
    }
    let folder = bench.cache.join("speech/prompts").join(language);
    std::fs::create_dir_all(&folder).map_err(|error| error.to_string())?;
    let mut decode = script(bench)?;
    let decoded = decode.arg("prompts").args([&sounds, &transcripts, &folder]).status();
    match decoded {
        Ok(status) if status.success() => read(&folder),
        _ => Err("the prompts cannot be decoded".to_owned()),
    }
}

fn script(bench: &Bench) -> Result<Command, String> {
    let peers = Command::new(bench.root.join("scripts/python-peers")).arg("speech").output();
    let python = peers.map_err(|error| error.to_string())?.stdout;
    let mut command = Command::new(String::from_utf8_lossy(&python).trim());
    command.arg(bench.peer("speech.py"));
    Ok(command)
}

fn read(folder: &Path) -> Result<Vec<(String, Sound)>, String> {
    let list = std::fs::read_to_string(folder.join("prompts.tsv")).map_err(|error| error.to_string())?;
    let rows = list.lines().filter_map(|line| line.split_once('\t'));
    rows.map(|(name, text)| {
        Sound::read_wav(&folder.join(format!("{name}.wav")))
            .map(|sound| (text.to_owned(), sound))
            .map_err(told)
    })
    .collect()
}

/// Measures how many words are wrong, in percent.
fn errors(
    bench: &Bench,
    listener: &mut Listener,
    language: &str,
    prompts: &[(String, Sound)],
    noise: Option<f32>,
) -> Result<f64, String> {
    let (mut wrong, mut all, mut count) = (0, 0, 0);
    for (text, sound) in prompts.iter().step_by(if bench.is_quick { 20 } else { 1 }) {
        let said = words(text);
        if !WORDS.contains(&said.len()) {
            continue;
        }
        let recording = Recording { sound: in_a_room(sound, noise), ..Recording::default() };
        let heard = words(&listener.recognisers.transcribe(&recording, language).map_err(told)?);
        wrong += edits(&said, &heard);
        all += said.len();
        count += 1;
    }
    println!("{language}: {wrong} of {all} words in {count} prompts are wrong");
    Ok(100.0 * wrong as f64 / all.max(1) as f64)
}

/// Splits a text into words. Numbers are written as digits or words, which says nothing about hearing, so small
/// ones are spelt out, as in English.
fn words(text: &str) -> Vec<String> {
    const NUMBERS: [&str; 10] =
        ["zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine"];
    let words = Words::new(text);
    let spelled = |letters: &str| match letters.parse::<usize>() {
        Ok(number) if number < NUMBERS.len() => NUMBERS[number].to_owned(),
        _ => letters.to_owned(),
    };
    words.iter().map(|(_, letters)| spelled(letters)).collect()
}

/// Counts the words that are missing, too many or different.
fn edits(said: &[String], heard: &[String]) -> usize {
    let mut row: Vec<usize> = (0..=heard.len()).collect();
    for (at, word) in said.iter().enumerate() {
        let mut before = row[0];
        row[0] = at + 1;
        for (index, other) in heard.iter().enumerate() {
            let changed = before + usize::from(word != other);
            before = row[index + 1];
            row[index + 1] = changed.min(before + 1).min(row[index] + 1);
        }
    }
    row[heard.len()]
}

fn recall(bench: &Bench, listener: &mut Listener) -> Result<Row, String> {
    let folder = say(bench, "calls", CALLS.into_iter().map(|call| ("en", call)))?;
    let mut wake = Wake::load(&listener.runtime).map_err(told)?;
    let mut heard = 0;
    for voice in ["joe", "heart"] {
        for at in 0..CALLS.len() {
            let path = folder.join(format!("{voice}-{at}.wav"));
            heard += usize::from(wakes(&mut wake, &Sound::read_wav(&path).map_err(told)?)? > 0);
        }
    }
    let what = format!("“{WAKE_WORD}” heard, of {}", 2 * CALLS.len());
    Ok(row(&what, "", Better::More, Some(10.0), heard as f64))
}

fn false_accepts(bench: &Bench, listener: &mut Listener, prompts: &[(String, Sound)]) -> Result<Row, String> {
    let mut wake = Wake::load(&listener.runtime).map_err(told)?;
    let (mut times, mut seconds) = (0, 0.0);
    for (_, sound) in prompts.iter().step_by(if bench.is_quick { 40 } else { 1 }) {
        times += wakes(&mut wake, sound)?;
        seconds += f64::from(sound.seconds());
    }
    println!("{times} false wakes in {seconds:.0} s of people's speech");
    Ok(row(FALSE_ACCEPTS, "/h", Better::Less, Some(1.0), f64::from(times) * 3_600.0 / seconds.max(1.0)))
}

/// Counts how often a sound wakes the coach, with a second of silence around it.
fn wakes(wake: &mut Wake, said: &Sound) -> Result<u32, String> {
    let mut sound = Sound::silence(RATE, 1.0);
    sound.append(said);
    sound.append(&Sound::silence(RATE, 1.0));
    let mut times = 0;
    wake.reset();
    for frame in sound.samples.chunks_exact(FRAME) {
        if wake.hear(frame).map_err(told)?.is_some() {
            times += 1;
            wake.reset();
        }
    }
    Ok(times)
}
