//! The five layers of a spoken turn: what wakes, what transcribes, what understands, what answers and what speaks. Each has
//! an implementation on this machine, one over Wyoming, and one for text. None of them keeps anything from turn to turn.

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

/// The wake word alone does not last longer, in seconds.
const LONGEST_WAKE_WORD: f32 = 2.0;
/// How much silence makes sure that it was the wake word.
const AFTER_WAKE_WORD: f32 = 0.6;

/// Says when a turn begins.
pub trait Trigger: Send {
    /// Waits for as long as `ears` may wait.
    fn wait(&mut self, ears: &mut Ears) -> Result<Woken, Trouble>;

    /// Whether a recording is nothing but what begins a turn. Learners who cut in need not say it, but may out of habit.
    fn is_all_of(&mut self, _: &Recording) -> Result<bool, Trouble> {
        Ok(false)
    }
}

/// Writes down what was said.
pub trait Recogniser: Send {
    fn transcribe(&mut self, recording: &Recording, language: &str) -> Result<String, Trouble>;

    /// Writes down what may turn out to be all that was said, so that [`Recogniser::transcribe`] is quick if it is.
    fn transcribe_ahead(&mut self, _: &Recording, _: &str) {}

    /// Drops what it has kept of the turn that is over.
    fn forget(&mut self) {}

    /// How well the sound fits each text, as the logarithm of a chance; none where that cannot be said.
    fn fits(&mut self, _: &Recording, _: &str, _: &[&str]) -> Result<Option<Vec<f32>>, Trouble> {
        Ok(None)
    }
}

/// Says what kind of thing was said. `None` leaves it to the rules of the flow.
pub trait Parser: Send {
    fn parse(&mut self, text: &str, language: &str) -> Result<Option<Parsed>, Trouble>;
}

/// Answers one utterance. `None` leaves it to the flow.
pub trait Responder: Send {
    fn respond(&mut self, text: &str, language: &str) -> Result<Option<String>, Trouble>;
}

/// Says something.
pub trait Speaker: Send {
    /// Why it cannot speak a language, if so.
    fn check(&self, _language: &str) -> Result<(), Trouble> {
        Ok(())
    }

    fn speak(&mut self, line: &Line, ears: &mut Ears) -> Result<Spoken, Trouble>;
}

/// The layers of one run, and where it listens.
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
    /// Begins a turn with nothing from the one before.
    pub fn reset(&mut self) {
        self.ears.reset();
        self.recogniser.forget();
    }

    /// Records one utterance. When it has probably ended, it is written down while the ears make sure that it has.
    pub fn record(&mut self, after_wake_word: bool, language: &str) -> Result<Recording, Trouble> {
        let Layers { ears, recogniser, .. } = self;
        if !ears.is_live() {
            return ears.record(after_wake_word, |_| ());
        }
        // It takes one recording at a time: what is said in the meantime is written down when it is over.
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

/// What an intent service found.
#[derive(Debug, Clone, PartialEq, Deserialize)]
pub struct Parsed {
    pub name: String,
    pub confidence: f64,
}

/// The outcome of speaking.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub struct Spoken {
    pub seconds: f32,
    /// From the text to the first sound.
    pub ready_ms: u64,
    /// Whether the learner cut in.
    pub is_interrupted: bool,
}

// ── text ──

/// Text in place of sound: a typed line wakes, and is what was said; the caller of the loop shows the answer.
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

/// No wake word: speech begins a turn.
#[derive(Debug, Clone, Copy)]
pub struct AnySpeech;

impl Trigger for AnySpeech {
    fn wait(&mut self, ears: &mut Ears) -> Result<Woken, Trouble> {
        ears.wait_for_speech()
    }
}

/// English by Moonshine, everything else by Whisper; each is loaded when it is first needed.
#[derive(Debug)]
pub struct Recognisers {
    runtime: Runtime,
    moonshine: Option<Moonshine>,
    whisper: Option<Whisper>,
    last: Option<Written>,
}

/// What was written down last in this turn. The same sound may be asked for again, or scored next.
#[derive(Debug)]
struct Written {
    sound: Sound,
    language: String,
    text: String,
    /// The sound as Whisper sees it.
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
        // What fails now will fail again when it is needed, and be told then.
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

/// One recogniser for several runs, which take turns with it.
impl<R: Recogniser> Recogniser for Arc<Mutex<R>> {
    fn transcribe(&mut self, recording: &Recording, language: &str) -> Result<String, Trouble> {
        self.lock().unwrap_or_else(PoisonError::into_inner).transcribe(recording, language)
    }

    fn forget(&mut self) {
        // Another run that transcribes now replaces what was kept.
        if let Ok(mut recogniser) = self.try_lock() {
            recogniser.forget();
        }
    }

    fn transcribe_ahead(&mut self, so_far: &Recording, language: &str) {
        // Another run that has all of its words comes first.
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

/// A synthesiser and a loudspeaker.
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

    /// A long text is spoken sentence by sentence, so that the first is heard soon.
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

/// The sentences of a text, each with its mark.
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
