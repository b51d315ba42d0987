//! The five layers of a spoken turn: the trigger, the recogniser, the parser, the responder and the speaker.
//! Each has an implementation on this machine, one over Wyoming, and one for text. None keeps anything from one
//! turn to the next.

use crate::ears::{Ears, Recording, Woken};
use crate::engines::dittli::{self, Dittli};
use crate::engines::moonshine::Moonshine;
use crate::engines::wake::Wake;
use crate::engines::whisper::{Encoded, Whisper};
use crate::engines::{Runtime, give_back};
use crate::line::Line;
use crate::loudspeaker::Loudspeaker;
use crate::{FRAME, RATE, Sound, Trouble};
use serde::Deserialize;
use std::sync::{Arc, Mutex, PoisonError, mpsc};
use std::thread;
use std::time::Instant;

/// The longest recording that can be the wake word alone, in seconds.
const LONGEST_WAKE_WORD: f32 = 2.0;
/// The silence in seconds that confirms the wake word.
const AFTER_WAKE_WORD: f32 = 0.6;

/// Decides when a turn begins.
pub trait Trigger: Send {
    /// Waits for the trigger, for as long as `ears` may wait.
    fn wait(&mut self, ears: &mut Ears) -> Result<Woken, Trouble>;

    /// Whether a recording contains nothing but the trigger. Learners who cut in need not say the wake word,
    /// but may do so out of habit.
    fn is_all_of(&mut self, _: &Recording) -> Result<bool, Trouble> {
        Ok(false)
    }
}

/// Transcribes speech.
pub trait Recogniser: Send {
    fn transcribe(&mut self, recording: &Recording, language: &str) -> Result<String, Trouble>;

    /// Transcribes a recording that may turn out to be the whole utterance, so that [`Recogniser::transcribe`]
    /// is quick if it is.
    fn transcribe_ahead(&mut self, _: &Recording, _: &str) {}

    /// Drops everything kept for the turn that is over.
    fn forget(&mut self) {}

    /// Returns how well the sound fits each text, as log-probabilities. `None` if the recogniser cannot tell.
    fn fits(&mut self, _: &Recording, _: &str, _: &[&str]) -> Result<Option<Vec<f32>>, Trouble> {
        Ok(None)
    }
}

/// Finds the intent of an utterance. `None` leaves it to the rules of the flow.
pub trait Parser: Send {
    fn parse(&mut self, text: &str, language: &str) -> Result<Option<Parsed>, Trouble>;
}

/// Answers an utterance. `None` leaves it to the flow.
pub trait Responder: Send {
    fn respond(&mut self, text: &str, language: &str) -> Result<Option<String>, Trouble>;
}

/// Speaks lines.
pub trait Speaker: Send {
    /// Refuses a language that it cannot speak.
    fn check(&self, _language: &str) -> Result<(), Trouble> {
        Ok(())
    }

    fn speak(&mut self, line: &Line, ears: &mut Ears) -> Result<Spoken, Trouble>;
}

/// The layers of one run, and the ears that it listens with.
pub struct Layers {
    pub ears: Ears,
    pub trigger: Box<dyn Trigger>,
    pub recogniser: Box<dyn Recogniser>,
    pub parser: Box<dyn Parser>,
    pub responder: Box<dyn Responder>,
    pub speaker: Box<dyn Speaker>,
}

impl std::fmt::Debug for Layers {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Layers").field("ears", &self.ears).finish_non_exhaustive()
    }
}

impl Layers {
    /// Begins a turn without anything from the one before.
    pub fn reset(&mut self) {
        self.ears.reset();
        self.recogniser.forget();
    }

    /// Records one utterance. Once it has probably ended, transcribes it while the ears make sure that it has.
    pub fn record(&mut self, after_wake_word: bool, language: &str) -> Result<Recording, Trouble> {
        let Layers { ears, recogniser, .. } = self;
        if !ears.is_live() {
            return ears.record(after_wake_word, |_| ());
        }
        // The thread takes one recording at a time; words spoken meanwhile are transcribed at the end.
        let (give, given) = mpsc::sync_channel(0);
        let (mut recorded, ended) = thread::scope(|scope| {
            scope.spawn(|| {
                given.into_iter().for_each(|so_far| recogniser.transcribe_ahead(&so_far, language));
            });
            let recorded = ears.record(after_wake_word, |so_far| drop(give.try_send(so_far)));
            drop(give);
            (recorded, Instant::now())
        });
        if let Ok(recording) = &mut recorded {
            recording.noticed_ms += ended.elapsed().as_millis() as u64;
        }
        recorded
    }
}

/// The result of an intent service.
#[derive(Debug, Clone, PartialEq, Deserialize)]
pub struct Parsed {
    pub name: String,
    pub confidence: f64,
}

/// The outcome of speaking.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub struct Spoken {
    pub seconds: f32,
    /// The time from the text to the first sound.
    pub ready_ms: u64,
    /// Whether the learner cut in.
    pub is_interrupted: bool,
}

// ── text ──

/// Text in place of sound: a typed line both wakes the coach and is the utterance. The caller of the loop shows
/// the answer.
#[derive(Debug, Clone, Copy)]
pub struct Text;

impl Trigger for Text {
    fn wait(&mut self, ears: &mut Ears) -> Result<Woken, Trouble> {
        ears.wait_for_line()
    }
}

impl Recogniser for Text {
    fn transcribe(&mut self, recording: &Recording, _: &str) -> Result<String, Trouble> {
        Ok(recording.text.clone().unwrap_or_default())
    }
}

impl Speaker for Text {
    fn speak(&mut self, _: &Line, _: &mut Ears) -> Result<Spoken, Trouble> {
        Ok(Spoken::default())
    }
}

// ── this machine ──

/// The rules of the flow, which understands and answers by itself.
#[derive(Debug, Clone, Copy)]
pub struct Own;

impl Parser for Own {
    fn parse(&mut self, _: &str, _: &str) -> Result<Option<Parsed>, Trouble> {
        Ok(None)
    }
}

impl Responder for Own {
    fn respond(&mut self, _: &str, _: &str) -> Result<Option<String>, Trouble> {
        Ok(None)
    }
}

impl Trigger for Wake {
    fn wait(&mut self, ears: &mut Ears) -> Result<Woken, Trouble> {
        self.reset();
        while let Some(frame) = ears.frame()? {
            if self.hear(&frame)?.is_some() {
                return Ok(Woken::Yes);
            }
        }
        Ok(ears.unwoken())
    }

    fn is_all_of(&mut self, recording: &Recording) -> Result<bool, Trouble> {
        let Recording { sound, .. } = recording;
        if sound.seconds() > LONGEST_WAKE_WORD {
            return Ok(false);
        }
        self.reset();
        let silence = Sound::silence(RATE, AFTER_WAKE_WORD);
        let samples = [sound.at(RATE).samples, silence.samples].concat();
        for frame in samples.chunks(FRAME) {
            if self.hear(frame)?.is_some() {
                return Ok(true);
            }
        }
        Ok(false)
    }
}

/// The trigger without a wake word: speech begins a turn.
#[derive(Debug, Clone, Copy)]
pub struct AnySpeech;

impl Trigger for AnySpeech {
    fn wait(&mut self, ears: &mut Ears) -> Result<Woken, Trouble> {
        ears.wait_for_speech()
    }
}

/// The recognisers on this machine: Moonshine for English and Whisper for everything else, each loaded when
/// first needed.
#[derive(Debug)]
pub struct Recognisers {
    runtime: Runtime,
    moonshine: Option<Moonshine>,
    whisper: Option<Whisper>,
    last: Option<Written>,
}

/// The last transcript of this turn. Its sound may be asked for again, or be scored next.
#[derive(Debug)]
struct Written {
    sound: Sound,
    language: String,
    text: String,
    /// The sound as encoded for Whisper.
    encoded: Option<Encoded>,
}

impl Recognisers {
    pub fn new(runtime: &Runtime) -> Recognisers {
        Recognisers { runtime: runtime.clone(), moonshine: None, whisper: None, last: None }
    }

    pub fn whisper(&mut self) -> Result<&mut Whisper, Trouble> {
        let loaded = match self.whisper.take() {
            Some(loaded) => loaded,
            None => Whisper::load(&self.runtime)?,
        };
        Ok(self.whisper.insert(loaded))
    }

    fn moonshine(&mut self) -> Result<&mut Moonshine, Trouble> {
        let loaded = match self.moonshine.take() {
            Some(loaded) => loaded,
            None => Moonshine::load(&self.runtime)?,
        };
        Ok(self.moonshine.insert(loaded))
    }
}

impl Recogniser for Recognisers {
    fn transcribe(&mut self, recording: &Recording, language: &str) -> Result<String, Trouble> {
        if recording.sound.samples.is_empty() {
            return Ok(String::new());
        }
        let sound = &recording.sound;
        self.last = self.last.take().filter(|last| last.sound == *sound && last.language == language);
        if let Some(last) = &self.last {
            return Ok(last.text.clone());
        }
        let (text, encoded) = if language.starts_with("en") {
            (self.moonshine()?.transcribe(sound)?, None)
        } else {
            let whisper = self.whisper()?;
            let encoded = whisper.encode(sound)?;
            (whisper.transcribe(&encoded, language)?, Some(encoded))
        };
        give_back();
        let (sound, language) = (sound.clone(), language.to_owned());
        Ok(self.last.insert(Written { sound, language, text, encoded }).text.clone())
    }

    fn transcribe_ahead(&mut self, so_far: &Recording, language: &str) {
        // A failure now will recur when the text is needed, and is reported then.
        let _ = self.transcribe(so_far, language);
    }

    fn forget(&mut self) {
        self.last = None;
    }

    fn fits(
        &mut self,
        heard: &Recording,
        language: &str,
        texts: &[&str],
    ) -> Result<Option<Vec<f32>>, Trouble> {
        if heard.sound.samples.is_empty() {
            return Ok(None);
        }
        let last = self.last.take().filter(|last| last.sound == heard.sound);
        let whisper = self.whisper()?;
        let encoded = match last.and_then(|last| last.encoded) {
            Some(encoded) => encoded,
            None => whisper.encode(&heard.sound)?,
        };
        whisper.score(&encoded, language, texts).map(Some)
    }
}

/// A recogniser that several runs share, taking turns.
impl<R: Recogniser> Recogniser for Arc<Mutex<R>> {
    fn transcribe(&mut self, recording: &Recording, language: &str) -> Result<String, Trouble> {
        self.lock().unwrap_or_else(PoisonError::into_inner).transcribe(recording, language)
    }

    fn forget(&mut self) {
        // If another run is transcribing now, it replaces what was kept.
        if let Ok(mut recogniser) = self.try_lock() {
            recogniser.forget();
        }
    }

    fn transcribe_ahead(&mut self, so_far: &Recording, language: &str) {
        // A run that waits for its final transcript comes first.
        if let Ok(mut recogniser) = self.try_lock() {
            recogniser.transcribe_ahead(so_far, language);
        }
    }

    fn fits(
        &mut self,
        heard: &Recording,
        language: &str,
        texts: &[&str],
    ) -> Result<Option<Vec<f32>>, Trouble> {
        self.lock().unwrap_or_else(PoisonError::into_inner).fits(heard, language, texts)
    }
}

/// A synthesiser with a loudspeaker.
#[derive(Debug)]
pub struct Aloud {
    voices: Dittli,
    loudspeaker: Loudspeaker,
}

impl Aloud {
    pub fn new(voices: Dittli, loudspeaker: Loudspeaker) -> Aloud {
        Aloud { voices, loudspeaker }
    }
}

impl Speaker for Aloud {
    fn check(&self, language: &str) -> Result<(), Trouble> {
        dittli::spoken(language).map(drop).ok_or_else(|| dittli::no_voice(language))
    }

    /// Speaks a long text sentence by sentence, so that the first one is heard soon.
    fn speak(&mut self, line: &Line, ears: &mut Ears) -> Result<Spoken, Trouble> {
        if matches!(self.loudspeaker, Loudspeaker::Nothing) {
            return Ok(Spoken::default());
        }
        let started = Instant::now();
        let mut spoken = Spoken::default();
        for (at, sentence) in sentences(&line.text).into_iter().enumerate() {
            let sound = self.voices.synthesise(&Line { text: sentence, ..line.clone() })?;
            if at == 0 {
                spoken.ready_ms = started.elapsed().as_millis() as u64;
            }
            spoken.seconds += sound.seconds();
            spoken.is_interrupted = self.loudspeaker.play(&sound, ears)?;
            if spoken.is_interrupted {
                break;
            }
        }
        give_back();
        Ok(spoken)
    }
}

/// Splits a text into sentences, each with its mark.
pub(crate) fn sentences(text: &str) -> Vec<String> {
    let mut sentences = vec![String::new()];
    for word in text.split_whitespace() {
        let last = sentences.len() - 1;
        if !sentences[last].is_empty() {
            sentences[last].push(' ');
        }
        sentences[last].push_str(word);
        if word.ends_with(['.', '!', '?', '…', ':']) {
            sentences.push(String::new());
        }
    }
    sentences.retain(|sentence| sentence.chars().any(char::is_alphanumeric));
    sentences
}
