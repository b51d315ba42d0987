//! The power of sound by frequency, and the log-mel spectrum that Whisper takes.

use std::f32::consts::PI;

pub(super) const MELS: usize = 80;
/// The number of frames per second.
pub(super) const FRAMES_PER_SECOND: usize = 100;
const WINDOW: usize = 400;
const HOP: usize = 160;
const BINS: usize = WINDOW / 2 + 1;
const RATE: f32 = 16_000.0;

/// Returns the spectrum of this many frames, mel by mel. Shorter sounds are padded with silence.
pub(super) fn log_mel(samples: &[f32], count: usize) -> Vec<f32> {
    let (filters, transform) = (filters(), Transform::new(WINDOW));
    let mut mels = vec![-10.0_f32; MELS * count];
    // Only silence follows the sound, and it needs no computation.
    let frames = (samples.len() / HOP + 2).min(count);
    for frame in 0..frames {
        let power = transform.power(&around(samples, frame));
        for (mel, filter) in filters.iter().enumerate() {
            let energy: f32 = filter.iter().map(|(bin, weight)| power[*bin] * weight).sum();
            mels[mel * count + frame] = energy.max(1e-10).log10();
        }
    }
    let loudest = mels.iter().copied().fold(f32::MIN, f32::max);
    mels.iter_mut().for_each(|mel| *mel = (mel.max(loudest - 8.0) + 4.0) / 4.0);
    mels
}

/// Returns the window of samples around `frame * HOP`. The sound is mirrored at its beginning.
fn around(samples: &[f32], frame: usize) -> Vec<f32> {
    let sample = |at: usize| {
        let at = (frame * HOP + at).abs_diff(WINDOW / 2);
        samples.get(at).copied().unwrap_or(0.0)
    };
    (0..WINDOW).map(sample).collect()
}

/// Computes the power of frames by frequency, with a Hann window. All frames have the same length.
#[derive(Debug)]
pub(crate) struct Transform {
    window: Vec<f32>,
    twiddles: Vec<(f32, f32)>,
}

impl Transform {
    /// Prepares a transform for frames whose length has no prime factors but 2, 3 and 5.
    pub(crate) fn new(length: usize) -> Transform {
        let turn = |at: usize| 2.0 * PI * at as f32 / length as f32;
        Transform {
            window: (0..length).map(|at| 0.5 - 0.5 * turn(at).cos()).collect(),
            twiddles: (0..length).map(turn).map(|turn| (turn.cos(), -turn.sin())).collect(),
        }
    }

    pub(crate) fn power(&self, frame: &[f32]) -> Vec<f32> {
        let input: Vec<(f32, f32)> =
            frame.iter().zip(&self.window).map(|(sample, weight)| (sample * weight, 0.0)).collect();
        let spectrum = transform(&input, 1, &self.twiddles);
        spectrum[..=frame.len() / 2].iter().map(|(re, im)| re * re + im * im).collect()
    }
}

/// Computes a Fourier transform for lengths with small prime factors: 400 = 2·2·2·2·5·5.
fn transform(input: &[(f32, f32)], stride: usize, twiddles: &[(f32, f32)]) -> Vec<(f32, f32)> {
    let length = input.len() / stride + usize::from(!input.len().is_multiple_of(stride));
    let Some(radix) = [2, 3, 5].into_iter().find(|radix| length.is_multiple_of(*radix)) else {
        return input.iter().step_by(stride).copied().collect();
    };
    let parts: Vec<_> =
        (0..radix).map(|part| transform(&input[part * stride..], stride * radix, twiddles)).collect();
    let below = length / radix;
    let sum = |at: usize| {
        parts.iter().enumerate().fold((0.0, 0.0), |(re, im), (part, values)| {
            let (cos, sin) = twiddles[part * at * stride % twiddles.len()];
            let (x, y) = values[at % below];
            (re + x * cos - y * sin, im + x * sin + y * cos)
        })
    };
    (0..length).map(sum).collect()
}

/// Returns triangular filters on Slaney's mel scale, all with the same area.
fn filters() -> Vec<Vec<(usize, f32)>> {
    let highest = to_mel(RATE / 2.0);
    let edge = |at: usize| from_mel(highest * at as f32 / (MELS + 1) as f32);
    let filter = |mel: usize| {
        let (low, middle, high) = (edge(mel), edge(mel + 1), edge(mel + 2));
        let weight = |bin: usize| {
            let hertz = bin as f32 * RATE / WINDOW as f32;
            let height = ((hertz - low) / (middle - low)).min((high - hertz) / (high - middle));
            height.max(0.0) * 2.0 / (high - low)
        };
        (0..BINS).map(|bin| (bin, weight(bin))).filter(|(_, weight)| *weight > 0.0).collect()
    };
    (0..MELS).map(filter).collect()
}

/// Converts hertz to mels: linear below 1000 Hz, logarithmic above.
fn to_mel(hertz: f32) -> f32 {
    if hertz < 1_000.0 { hertz * 3.0 / 200.0 } else { 15.0 + (hertz / 1_000.0).ln() * 27.0 / 6.4_f32.ln() }
}

fn from_mel(mel: f32) -> f32 {
    if mel < 15.0 { mel * 200.0 / 3.0 } else { 1_000.0 * ((mel - 15.0) * 6.4_f32.ln() / 27.0).exp() }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_transform_is_the_sum_that_defines_it() {
        let Transform { twiddles, .. } = Transform::new(WINDOW);
        let input: Vec<(f32, f32)> = (0..WINDOW).map(|at| ((at as f32 * 0.37).sin(), 0.0)).collect();
        let quick = transform(&input, 1, &twiddles);
        for bin in [0, 1, 7, 100, 200] {
            let slow = input.iter().enumerate().fold((0.0, 0.0), |(re, im), (at, (x, _))| {
                let (cos, sin) = twiddles[bin * at % WINDOW];
                (re + x * cos, im + x * sin)
            });
            assert!((quick[bin].0 - slow.0).abs() < 1e-2 && (quick[bin].1 - slow.1).abs() < 1e-2, "{bin}");
        }
    }
}
