//! Silero: the chance that a frame contains speech.

use super::runtime::{Model, Runtime, floats, integers, output};
use crate::{FRAME, RATE, Trouble, onnx};

const WHAT: &str = "voice activity";
/// The number of samples of the preceding frame that the model also sees.
const CONTEXT: usize = 64;
const STATE: usize = 2 * 128;

#[derive(Debug)]
pub struct Silero {
    model: Model,
    state: Vec<f32>,
    context: Vec<f32>,
}

impl Silero {
    pub fn load(runtime: &Runtime) -> Result<Silero, Trouble> {
        let path = runtime.folder.file("silero-vad", "silero_vad.onnx")?;
        let bytes = std::fs::read(path).map_err(|error| Trouble::engine(WHAT, error))?;
        // The model is used at one sample rate only.
        let model = onnx::without_choice(&bytes).unwrap_or(bytes);
        let model = runtime.small_model_of(WHAT, &model)?;
        Ok(Silero { model, state: vec![0.0; STATE], context: vec![0.0; CONTEXT] })
    }

    /// Forgets everything heard.
    pub fn reset(&mut self) {
        self.state = vec![0.0; STATE];
        self.context = vec![0.0; CONTEXT];
    }

    /// Returns the chance of speech in a frame of [`FRAME`] samples.
    pub fn speech(&mut self, frame: &[f32]) -> Result<f32, Trouble> {
        let mut input = std::mem::take(&mut self.context);
        input.extend_from_slice(frame);
        input.resize(CONTEXT + FRAME, 0.0);
        self.context = input[FRAME..].to_vec();
        let state = std::mem::take(&mut self.state);
        let outputs = self.model.run(vec![
            floats("input", &[1, CONTEXT + FRAME], input)?,
            floats("state", &[2, 1, 128], state)?,
            integers("sr", &[], vec![i64::from(RATE)])?,
        ])?;
        let chance = output(&outputs, "output")?.first().copied().unwrap_or(0.0);
        let state = output(&outputs, "stateN")?.to_vec();
        drop(outputs);
        self.state = state;
        Ok(chance)
    }
}
