//! Logs a run: one line for each step, or all of it as JSON.

use super::super::output::{self, Stop, say};
use super::super::words::{self, Voice as Words};
use super::rounded;
use coaching::voice::VoiceMore;
use coaching::voice::intent::Intent;
use serde_json::{Value, json};
use shell::engine::view::View;
use shell::voice::Step;

const LINE: &str = "============================================================";

pub(super) struct Log<'w> {
    words: &'w Words<'w>,
    is_json: bool,
    turn: u32,
    turns: Vec<Value>,
}

impl<'w> Log<'w> {
    pub(super) fn new(words: &'w Words<'w>, is_json: bool) -> Log<'w> {
        Log { words, is_json, turn: 0, turns: Vec::new() }
    }

    pub(super) fn note(&mut self, step: &Step<'_>) {
        if let Step::Iteration { turn, .. } = step {
            self.turn = *turn;
        }
        self.keep(step);
        if !self.is_json {
            self.print(step);
        }
    }

    /// Prints the whole run, if JSON is wanted.
    pub(super) fn finish(&self, view: &View) -> Result<(), Stop> {
        if self.is_json {
            let turns: Vec<&Value> = self.turns.iter().filter(|turn| turn["heard"].is_string()).collect();
            let VoiceMore { turn, reason, .. } = view.more();
            output::json(&json!({
                "id": view.id, "interactions": turn, "outcome": view.outcome,
                "reason": self.words.say(&reason.unwrap_or_default()), "turns": turns,
            }))?;
        }
        Ok(())
    }

    fn keep(&mut self, step: &Step<'_>) {
        if let Step::Iteration { turn, .. } = step {
            self.turns.push(json!({"turn": turn}));
        }
        let Some(turn) = self.turns.last_mut() else { return };
        match step {
            Step::Recorded { seconds, .. } => turn["recorded_seconds"] = rounded(*seconds),
            Step::Transcribed { text, ms } => {
                turn["heard"] = json!(text);
                turn["transcribed_in_ms"] = json!(ms);
            }
            Step::Intent(intent) => {
                turn["intent"] = json!(intent.kind);
                turn["confidence"] = json!(intent.confidence);
            }
            Step::Answer { text, by, ms } => {
                turn["answer"] = json!(text);
                turn["answered_by"] = json!(by);
                turn["answered_in_ms"] = json!(ms);
            }
            Step::NotHeard { text } => turn["answer"] = json!(text),
            Step::Spoken { seconds, first_sound_ms } => {
                turn["spoken_seconds"] = rounded(*seconds);
                turn["first_sound_after_ms"] = json!(first_sound_ms);
            }
            Step::CutIn => turn["is_cut_in"] = json!(true),
            Step::StopWord { word } => turn["stop_word"] = json!(word),
            Step::Failed { trouble } => turn["failed"] = json!(trouble.message),
            _ => {}
        }
    }

    fn print(&self, step: &Step<'_>) {
        let turn = self.turn;
        let line = match step {
            Step::Started { of, stop_words } => words::voice_started(*of, *stop_words),
            Step::Iteration { turn, of } => {
                say!("\n{LINE}\n{}\n{LINE}", self.words.say(&words::voice_iteration(*turn, *of)));
                return;
            }
            Step::Listening => words::voice_listening(turn),
            Step::Woken => words::voice_woken(turn),
            Step::Recording => words::voice_recording(turn),
            Step::Recorded { samples, seconds } => {
                words::voice_recorded(turn, samples.to_string(), format!("{seconds:.1}"))
            }
            Step::Transcribing => words::voice_transcribing(turn),
            Step::Transcribed { text, ms } => words::voice_transcribed(turn, *text, *ms),
            Step::Parsing => words::voice_parsing(turn),
            Step::Intent(Intent { kind, confidence, .. }) => {
                words::voice_intent(turn, kind.as_str(), format!("{confidence:.2}"))
            }
            Step::Generating => words::voice_generating(turn),
            Step::Answer { text, by, .. } => words::voice_answer(turn, *text, by.as_str()),
            Step::Speaking => words::voice_speaking(turn),
            Step::Spoken { first_sound_ms: Some(ms), seconds } if *seconds > 0.0 => {
                words::voice_spoken_after(turn, format!("{seconds:.1}"), *ms)
            }
            Step::Spoken { .. } => words::voice_spoken(turn),
            Step::CutIn => words::voice_cut_in(turn),
            Step::NotHeard { text } => words::voice_not_heard(turn, *text),
            Step::StopWord { word } => words::voice_stop_word(turn, *word),
            Step::Failed { trouble } => {
                words::voice_failed(turn, trouble.message.as_str(), trouble.cure.as_str())
            }
            Step::GoesOn { left } => words::voice_goes_on(*left),
            Step::Ended { turns, reason, outcome } => {
                let [over, ended, why, complete] = [
                    words::voice_over(*reason),
                    words::voice_ended(*turns),
                    words::voice_reason(*reason, *outcome),
                    words::voice_complete(),
                ]
                .map(|text| self.words.say(&text));
                say!("{over}\n\n{LINE}\n{ended}\n{why}\n{LINE}\n\n{complete}");
                return;
            }
        };
        say!("{}", self.words.say(&line));
    }
}
