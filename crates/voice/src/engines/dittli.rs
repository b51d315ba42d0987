//! Dittli: text to speech for English and German, small enough for any machine.

use super::english::English;
use super::german::German;
use super::runtime::{Model, Runtime, floats, integers, output};
use crate::line::{Line, Pace, primary};
use crate::{Sound, Trouble, packages};
use serde::Deserialize;
use std::collections::HashMap;

/// The languages of the voices.
pub const LANGUAGES: [&str; 2] = ["en", "de"];

/// The variation of the voices in sound and in rhythm. It is below the authors' defaults, so that single words
/// come out clearly. The German voice is clearest without any: with variation its “Hallo” is often heard as “Hano”.
const ENGLISH_VARIATION: [f32; 2] = [0.4, 0.5];
const GERMAN_VARIATION: [f32; 2] = [0.0, 0.0];
const USUAL: f32 = 1.05;
const SLOW: f32 = 1.7;
const BERT: usize = 1_024;
const OTHER_BERT: usize = 768;
/// The most sounds that are spoken at once. Sentences have fewer; a longer text is cut off.
const MOST_SOUNDS: usize = 600;

/// A sound and its stress.
pub(super) type Phone = (String, i64);

/// The voices. Each is loaded when it first speaks.
#[derive(Debug)]
pub struct Dittli {
    runtime: Runtime,
    voices: HashMap<&'static str, Voice>,
}

impl Dittli {
    pub fn new(runtime: &Runtime) -> Dittli {
        Dittli { runtime: runtime.clone(), voices: HashMap::new() }
    }

    pub fn synthesise(&mut self, line: &Line) -> Result<Sound, Trouble> {
        let language = spoken(&line.language).ok_or_else(|| no_voice(&line.language))?;
        let voice = match self.voices.remove(language) {
            Some(voice) => voice,
            None => Voice::load(&self.runtime, language)?,
        };
        self.voices.entry(language).or_insert(voice).speak(&line.text, line.pace)
    }
}

/// Returns the language of the voice that speaks this one, if there is such a voice.
pub(crate) fn spoken(language: &str) -> Option<&'static str> {
    LANGUAGES.into_iter().find(|known| primary(language) == *known)
}

pub(crate) fn no_voice(language: &str) -> Trouble {
    Trouble::new(
        format!("none of the voices on this machine speaks `{language}`, only {}", LANGUAGES.join(" and ")),
        "give --tts the address of a Wyoming server that does, such as Piper; or practise in writing",
    )
}

#[derive(Debug)]
struct Voice {
    model: Model,
    sheet: Sheet,
    sounds: HashMap<String, i64>,
    reader: Reader,
}

#[derive(Debug)]
enum Reader {
    English(Box<English>),
    German(German),
}

/// The metadata of a model.
#[derive(Debug, Deserialize)]
struct Sheet {
    language_id: i64,
    tone_offset: i64,
    sample_rate: u32,
    symbols: Vec<String>,
}

impl Voice {
    fn load(runtime: &Runtime, language: &str) -> Result<Voice, Trouble> {
        let package = if language == "de" { "@dittli/tts-de" } else { "@dittli/tts-en" };
        let file = |name| runtime.folder.file(package, name);
        let source =
            std::fs::read(file("metadata.json")?).map_err(|error| Trouble::engine("the voice", error))?;
        let sheet: Sheet =
            serde_json::from_slice(&source).map_err(|error| Trouble::engine("the voice", error))?;
        let sounds =
            sheet.symbols.iter().enumerate().map(|(at, symbol)| (symbol.clone(), at as i64)).collect();
        let reader = match language {
            "de" => Reader::German(German::read(&file("g2p_de_rules.json")?)?),
            _ => Reader::English(Box::new(English::read(&file("cmudict.json")?, &file("g2p_model.json")?)?)),
        };
        Ok(Voice { model: runtime.model("text to speech", &file(packages::VOICE)?)?, sheet, sounds, reader })
    }

    fn speak(&mut self, text: &str, pace: Pace) -> Result<Sound, Trouble> {
        let (said, [variation, rhythm]) = match &self.reader {
            Reader::English(english) => (english.phones(text), ENGLISH_VARIATION),
            Reader::German(german) => (german.phones(text), GERMAN_VARIATION),
        };
        if said.is_empty() {
            return Ok(Sound::silence(self.sheet.sample_rate, 0.1));
        }
        let edge = || [("_".to_owned(), 0)];
        let phones: Vec<Phone> =
            edge().into_iter().chain(said.into_iter().take(MOST_SOUNDS)).chain(edge()).collect();
        // The model expects an empty sound between all sounds.
        let spread = |values: Vec<i64>| -> Vec<i64> {
            values.into_iter().flat_map(|value| [0, value]).chain([0]).collect()
        };
        let unknown = self.sounds.get("UNK").copied().unwrap_or(0);
        let ids =
            phones.iter().map(|(phone, _)| self.sounds.get(phone).copied().unwrap_or(unknown)).collect();
        let tones = phones.iter().map(|(_, tone)| tone + self.sheet.tone_offset).collect();
        let languages = vec![self.sheet.language_id; phones.len()];
        let count = phones.len() * 2 + 1;
        let speed = if pace == Pace::Slow { SLOW } else { USUAL };
        let outputs = self.model.run(vec![
            integers("x", &[1, count], spread(ids))?,
            integers("x_lengths", &[1], vec![count as i64])?,
            integers("sid", &[1], vec![0])?,
            integers("tone", &[1, count], spread(tones))?,
            integers("language", &[1, count], spread(languages))?,
            floats("bert", &[1, BERT, count], vec![0.0; BERT * count])?,
            floats("ja_bert", &[1, OTHER_BERT, count], vec![0.0; OTHER_BERT * count])?,
            floats("noise_scale", &[1], vec![variation])?,
            floats("noise_scale_w", &[1], vec![rhythm])?,
            floats("length_scale", &[1], vec![speed])?,
        ])?;
        Ok(Sound::new(self.sheet.sample_rate, output(&outputs, "audio")?.to_vec()))
    }
}

/// Returns a punctuation mark as a sound that every voice knows.
pub(super) fn mark(c: char) -> Option<Phone> {
    let known = match c {
        '!' | '?' | '…' | ',' | '.' => c,
        ':' | ';' | '—' | '–' => ',',
        _ => return None,
    };
    Some((known.to_string(), 0))
}
