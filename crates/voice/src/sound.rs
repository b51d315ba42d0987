//! Mono sound, and the conversion of its rate.

use std::f32::consts::PI;

/// The sample rate of everything that listens.
pub const RATE: u32 = 16_000;
/// The number of samples read from a microphone at once: 32 ms.
pub const FRAME: usize = 512;

/// The number of the filter's zero crossings that count on each side of a sample.
const CROSSINGS: usize = 16;
/// The lowest level at which a sample counts as cut off.
const CLIPPED: f32 = 0.999;

#[derive(Debug, Clone, Default, PartialEq)]
pub struct Sound {
    pub rate: u32,
    /// Samples from -1 to 1.
    pub samples: Vec<f32>,
}

impl Sound {
    pub fn new(rate: u32, samples: Vec<f32>) -> Sound {
        Sound { rate, samples }
    }

    pub fn silence(rate: u32, seconds: f32) -> Sound {
        Sound { rate, samples: vec![0.0; (rate as f32 * seconds) as usize] }
    }

    pub fn seconds(&self) -> f32 {
        if self.rate == 0 { 0.0 } else { self.samples.len() as f32 / self.rate as f32 }
    }

    /// Returns the share of samples that are cut off.
    pub fn clipping(&self) -> f32 {
        let clipped = self.samples.iter().filter(|sample| sample.abs() >= CLIPPED).count();
        clipped as f32 / self.samples.len().max(1) as f32
    }

    /// Adds another sound at the end, converted to the rate of this one.
    pub fn append(&mut self, other: &Sound) {
        if self.rate == 0 {
            self.rate = other.rate;
        }
        self.samples.extend(other.at(self.rate).samples);
    }

    /// Converts the sound to another rate with a windowed sinc filter, which has one set of taps for each phase.
    pub fn at(&self, rate: u32) -> Sound {
        if rate == self.rate || self.rate == 0 {
            return Sound { rate, samples: self.samples.clone() };
        }
        let divisor = gcd(rate, self.rate);
        let (up, down) = ((rate / divisor) as usize, (self.rate / divisor) as usize);
        let cutoff = (up as f32 / down as f32).min(1.0);
        let half = (CROSSINGS as f32 / cutoff).ceil() as usize;
        let taps: Vec<Vec<f32>> = (0..up).map(|phase| taps(phase as f32 / up as f32, half, cutoff)).collect();
        let length = (self.samples.len() * up).div_ceil(down);
        let sample = |at: usize| {
            let (whole, phase) = (at * down / up, at * down % up);
            let sum = |sum, (tap, weight): (usize, &f32)| {
                let at = (whole + tap).checked_sub(half - 1).and_then(|at| self.samples.get(at));
                sum + weight * at.unwrap_or(&0.0)
            };
            taps[phase].iter().enumerate().fold(0.0, sum)
        };
        Sound { rate, samples: (0..length).map(sample).collect() }
    }

    /// Returns 16-bit samples in little-endian order, the form that devices and other programs take.
    pub fn pcm(&self) -> Vec<u8> {
        let pcm = |sample: &f32| ((sample.clamp(-1.0, 1.0) * 32_767.0) as i16).to_le_bytes();
        self.samples.iter().flat_map(pcm).collect()
    }

    pub fn from_pcm(rate: u32, pcm: &[u8]) -> Sound {
        let sample = |bytes: &[u8]| f32::from(i16::from_le_bytes([bytes[0], bytes[1]])) / 32_768.0;
        Sound { rate, samples: pcm.chunks_exact(2).map(sample).collect() }
    }
}

/// Returns the weights of the samples around a point that lies `fraction` after one of them, with a Blackman window.
fn taps(fraction: f32, half: usize, cutoff: f32) -> Vec<f32> {
    let weight = |tap: usize| {
        let distance = tap as f32 - (half as f32 - 1.0) - fraction;
        let turn = PI * distance / half as f32;
        let window = 0.42 + 0.5 * turn.cos() + 0.08 * (2.0 * turn).cos();
        let x = PI * distance * cutoff;
        let sinc = if x.abs() < 1e-6 { 1.0 } else { x.sin() / x };
        cutoff * sinc * window
    };
    (0..2 * half).map(weight).collect()
}

fn gcd(a: u32, b: u32) -> u32 {
    if b == 0 { a } else { gcd(b, a % b) }
}
