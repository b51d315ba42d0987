//! Moonshine: English speech to text, quick on one core.

use super::runtime::{
    Model, Runtime, cached, empty_cache, floats, integers, largest, output, update, uses_cache,
};
use super::tokens::Pieces;
use crate::{RATE, Sound, Trouble};

const LAYERS: usize = 6;
const HEADS: usize = 8;
const WIDTH: usize = 36;
const HIDDEN: usize = 288;
const BEGIN: usize = 1;
const END: usize = 2;
/// The rate of speech that no one exceeds. A model that writes more tokens has lost the thread.
const TOKENS_PER_SECOND: f32 = 6.5;
const LEAST_TOKENS: usize = 12;
/// The fewest samples that the encoder can work with.
const LEAST_SAMPLES: usize = 4_000;

#[derive(Debug)]
pub struct Moonshine {
    encoder: Model,
    decoder: Model,
    pieces: Pieces,
}

impl Moonshine {
    pub fn load(runtime: &Runtime) -> Result<Moonshine, Trouble> {
        let file = |name| runtime.folder.file("moonshine-voice", name);
        Ok(Moonshine {
            encoder: runtime.model("speech to text", &file("encoder_model.ort")?)?,
            decoder: runtime.model("speech to text", &file("decoder_model_merged.ort")?)?,
            pieces: Pieces::read(&file("tokenizer.bin")?)?,
        })
    }

    /// Returns the text of a sound, from this sound alone.
    pub fn transcribe(&mut self, sound: &Sound) -> Result<String, Trouble> {
        let mut samples = sound.at(RATE).samples;
        samples.resize(samples.len().max(LEAST_SAMPLES), 0.0);
        let count = samples.len();
        let outputs = self.encoder.run(vec![
            floats("input_values", &[1, count], samples)?,
            integers("attention_mask", &[1, count], vec![1; count])?,
        ])?;
        let hidden = output(&outputs, "last_hidden_state")?.to_vec();
        drop(outputs);
        let most = (count as f32 / RATE as f32 * TOKENS_PER_SECOND) as usize;
        self.decode(hidden, count, most.max(LEAST_TOKENS))
    }

    fn decode(&mut self, hidden: Vec<f32>, count: usize, most: usize) -> Result<String, Trouble> {
        let mut cache = empty_cache(LAYERS, HEADS, WIDTH)?;
        let mut tokens = vec![BEGIN];
        while tokens.len() <= most {
            let is_first = tokens.len() == 1;
            let last = tokens[tokens.len() - 1];
            let mut inputs = vec![
                integers("input_ids", &[1, 1], vec![last as i64])?,
                floats("encoder_hidden_states", &[1, hidden.len() / HIDDEN, HIDDEN], hidden.clone())?,
                integers("encoder_attention_mask", &[1, count], vec![1; count])?,
                uses_cache(!is_first)?,
            ];
            inputs.extend(cached(&cache));
            let mut outputs = self.decoder.run(inputs)?;
            let next = largest(output(&outputs, "logits")?);
            update(&mut cache, &mut outputs, is_first);
            if next == END {
                break;
            }
            tokens.push(next);
        }
        Ok(self.pieces.text(&tokens[1..]))
    }
}
