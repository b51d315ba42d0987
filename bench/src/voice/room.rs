//! Measures how soon the coach falls silent when the learner speaks, in a room where its own voice comes back.

use super::{Listener, at, line, row, told};
use crate::bench::Bench;
use crate::row::{Better, Row};
use ::voice::devices::Devices;
use ::voice::ears::{Bounds, Ears};
use ::voice::engines::dittli::Dittli;
use ::voice::engines::silero::Silero;
use ::voice::layers::{Aloud, Speaker};
use ::voice::loudspeaker::Loudspeaker;
use ::voice::{RATE, Sound};
use serde_json::json;
use std::path::Path;
use std::process::Command;
use std::time::{Duration, UNIX_EPOCH};

const COACH: &str = "You can ask me what is due today and how far you are and what a word of your packs means and what time it is";
const LEARNER: [&str; 4] = ["Stop!", "Wait a moment.", "Goodbye.", "What time is it?"];
/// The gains with which the coach's voice comes back.
const GAINS: [f32; 2] = [0.05, 0.3];

pub(super) fn rows(bench: &Bench, listener: &mut Listener) -> Result<Vec<Row>, String> {
    let said = super::people::say(bench, "cutting-in", LEARNER.into_iter().map(|line| ("en", line)))?;
    let (mut ms, mut false_ones, mut runs) = (Vec::new(), 0, 0);
    for gain in GAINS {
        for (index, _) in LEARNER.iter().enumerate().step_by(if bench.is_quick { 4 } else { 1 }) {
            let learner = beginning_with_speech(
                &Sound::read_wav(&said.join(format!("heart-{index}.wav"))).map_err(told)?,
            );
            ms.push(reaction(bench, listener, gain, Some(&learner))?.unwrap_or(f64::INFINITY));
            false_ones += usize::from(reaction(bench, listener, gain, None)?.is_some());
            runs += 1;
        }
    }
    Ok(vec![
        row("learner speaks to coach silent, p50", "ms", Better::Less, Some(300.0), at(&ms, 0.5)),
        row("learner speaks to coach silent, p95", "ms", Better::Less, Some(300.0), at(&ms, 0.95)),
        row(
            &format!("interrupted by its own echo, of {runs}"),
            "",
            Better::Less,
            Some(0.0),
            false_ones as f64,
        ),
    ])
}

/// Measures in milliseconds how long the coach goes on after the learner begins; `None` if it is not interrupted.
fn reaction(
    bench: &Bench,
    listener: &mut Listener,
    gain: f32,
    learner: Option<&Sound>,
) -> Result<Option<f64>, String> {
    let place = tempfile::tempdir().map_err(|error| error.to_string())?;
    let pcm = place.path().join("learner.pcm");
    std::fs::write(&pcm, learner.map(Sound::pcm).unwrap_or_default()).map_err(|error| error.to_string())?;
    let says: Vec<_> = learner.iter().map(|_| json!({"pcm": pcm, "after": 2.0})).collect();
    let room = json!({"gain": gain, "delay": 0.08, "learner": says}).to_string();
    std::fs::write(place.path().join("room.json"), room).map_err(|error| error.to_string())?;
    let mouth = Command::new("mkfifo").arg(place.path().join("mouth")).status();
    mouth.map_err(|error| error.to_string())?;
    let is_interrupted = speak(bench, listener, place.path()).map_err(told)?;
    if !is_interrupted || learner.is_none() {
        return Ok(is_interrupted.then_some(0.0));
    }
    let begun =
        std::fs::read_to_string(place.path().join("learner.log")).map_err(|error| error.to_string())?;
    let begun = Duration::from_secs_f64(begun.trim().parse().map_err(|_| "the learner's log is unreadable")?);
    let last = std::fs::metadata(place.path().join("coach")).and_then(|heard| heard.modified());
    let last = last.map_err(|error| error.to_string())?.duration_since(UNIX_EPOCH).unwrap_or_default();
    Ok(Some(last.saturating_sub(begun).as_secs_f64() * 1e3))
}

fn speak(bench: &Bench, listener: &Listener, place: &Path) -> Result<bool, ::voice::Trouble> {
    let script = bench.root.join("crates/etude/tests/live/room.py");
    let place = place.display();
    let devices = Devices {
        record_with: Some(format!("python3 {} {place}", script.display())),
        play_with: Some(format!("sh -c 'echo {{rate}} > {place}/rate; exec cat > {place}/mouth'")),
        ..Devices::default()
    };
    let loudspeaker = Loudspeaker::program(devices.clone())?;
    let microphone = devices.microphone()?;
    let mut ears = Ears::sound(microphone, Silero::load(&listener.runtime)?, Bounds::default());
    let mut mouth = Aloud::new(Dittli::new(&listener.runtime), loudspeaker);
    Ok(mouth.speak(&line("en", COACH), &mut ears)?.is_interrupted)
}

/// Returns the sound from the first loud sample on.
fn beginning_with_speech(sound: &Sound) -> Sound {
    let sound = sound.at(RATE);
    let begin = sound.samples.iter().position(|sample| sample.abs() > 0.05).unwrap_or(0);
    Sound::new(RATE, sound.samples[begin..].to_vec())
}
