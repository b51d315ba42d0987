//! Tells the echo of the coach's own voice from a learner who cuts in.
//!
//! The played sound comes back later and weaker. Comparing how the two rise and fall shows the delay; the loss
//! is learned for each band of frequencies. A frame with much more energy than the echo, in many bands,
//! contains something else. A learner who speaks more softly than the echo is not noticed.

use crate::engines::spectrum::Transform;
use crate::{FRAME, RATE, Sound};
use std::collections::VecDeque;

/// The edges of the bands, in steps of 31 Hz: from 125 Hz to 7 kHz.
const EDGES: [usize; 17] = [4, 5, 7, 9, 11, 14, 18, 24, 30, 39, 50, 65, 84, 108, 139, 179, 230];
const BANDS: usize = EDGES.len() - 1;
type Bands = [f32; BANDS];

/// The longest delay of an echo, in frames: 800 ms, including the buffers of the sound system.
const LATEST: usize = 25;
/// The frames needed to find the delay: 800 ms. Until then, everything may be the echo.
const TO_LEARN: usize = 25;
/// The frames of echo to wait for while the delay is unknown: 160 ms.
const UNKNOWN_TAIL: usize = 5;
/// The variation in the start of a player, in frames.
const JITTER: usize = 3;
/// The number of ratios kept for each band, which is two seconds of them, and the quantile that counts as the gain.
const KEPT: usize = 62;
const BELIEVED: f32 = 0.7;
const LEAST_RATIOS: usize = 4;
/// The ratio of powers with which a band exceeds the echo, which is 8 dB, and the share of bands that must do
/// so in a frame.
const EXCESS: f32 = 6.0;
const EXCEEDED: f32 = 0.4;
/// The share of a frame's echo that rings on in the next one.
const RING: f32 = 0.6;
/// The factor by which the background noise may grow in a frame.
const NOISE_GROWTH: f32 = 1.02;
/// A power below that of any microphone.
const NOTHING: f32 = 1e-6;
const SOFTEST: f32 = 1e-4;
/// The power above which a played band counts.
const AUDIBLE: f32 = 1e-3;

/// The measured path from the loudspeaker to the microphone.
#[derive(Debug)]
pub(crate) struct Room {
    /// The correlation of the heard level with the level played this many frames earlier, over all sounds
    /// before this one.
    agreements: Agreements,
    ratios: [VecDeque<f32>; BANDS],
    transform: Transform,
}

type Agreements = [Agreement; LATEST + 1];

impl Default for Room {
    fn default() -> Room {
        Room {
            agreements: Agreements::default(),
            ratios: Default::default(),
            transform: Transform::new(FRAME),
        }
    }
}

impl Room {
    /// Starts to follow a sound that is about to play.
    pub(crate) fn playing(self, sound: &Sound) -> Echo {
        let played: Vec<Bands> =
            sound.at(RATE).samples.chunks_exact(FRAME).map(|frame| bands(&self.transform, frame)).collect();
        let levels = played.iter().map(level).collect();
        Echo {
            room: self,
            played,
            levels,
            heard: 0,
            agreements: Agreements::default(),
            noise: [f32::MAX; BANDS],
            ringing: [0.0; BANDS],
        }
    }

    /// Returns the share of a band's power that comes back.
    fn gain(&self, band: usize) -> f32 {
        let mut ratios: Vec<f32> = self.ratios[band].iter().copied().collect();
        if ratios.len() < LEAST_RATIOS {
            return 1.0;
        }
        ratios.sort_by(f32::total_cmp);
        ratios[((ratios.len() - 1) as f32 * BELIEVED) as usize]
    }
}

/// A sound that is playing, and the sound heard meanwhile.
#[derive(Debug)]
pub(crate) struct Echo {
    room: Room,
    played: Vec<Bands>,
    levels: Vec<f32>,
    /// The number of frames heard since the sound began.
    heard: usize,
    agreements: Agreements,
    noise: Bands,
    ringing: Bands,
}

impl Echo {
    /// Whether a frame contains more than the echo and the noise.
    pub(crate) fn is_exceeded(&mut self, frame: &[f32]) -> bool {
        let heard = bands(&self.room.transform, frame);
        let (at, heard_level) = (self.heard, level(&heard));
        self.heard += 1;
        for (delay, agreement) in self.agreements.iter_mut().enumerate() {
            let played = at.checked_sub(delay).and_then(|at| self.levels.get(at));
            agreement.add(played.copied().unwrap_or(NOTHING.ln()), heard_level);
        }
        let Some((delay, around)) = self.delay() else { return false };
        let (loudest, played) = self.loudest(at, delay, around);
        let exceeded = (0..BANDS).filter(|band| self.exceeds(*band, heard[*band], loudest[*band])).count();
        self.learn(&heard, &loudest, &played);
        exceeded as f32 >= EXCEEDED * BANDS as f32
    }

    /// Returns the room, with everything learned from this sound.
    pub(crate) fn over(mut self) -> Room {
        self.room.agreements = self.all_agreements();
        self.room
    }

    /// Returns the number of frames in which echo still arrives after the sound has been played.
    pub(crate) fn tail(&self) -> usize {
        self.delay().map_or(UNKNOWN_TAIL, |(delay, _)| delay + 2)
    }

    /// Returns the delay of the echo and its uncertainty, both in frames. Uses this sound alone once it is long
    /// enough, or else all sounds.
    fn delay(&self) -> Option<(usize, usize)> {
        if self.heard >= TO_LEARN {
            return Some((best(&self.agreements), 1));
        }
        let all = self.all_agreements();
        (all[0].count >= TO_LEARN as f64).then(|| (best(&all), JITTER))
    }

    fn all_agreements(&self) -> Agreements {
        std::array::from_fn(|delay| self.room.agreements[delay].and(self.agreements[delay]))
    }

    fn exceeds(&mut self, band: usize, heard: f32, loudest: f32) -> bool {
        let echo = (self.room.gain(band) * loudest).max(RING * self.ringing[band]);
        self.ringing[band] = echo;
        self.noise[band] = heard.min(self.noise[band] * NOISE_GROWTH);
        heard > EXCESS * (echo + self.noise[band]) + SOFTEST
    }

    fn learn(&mut self, heard: &Bands, loudest: &Bands, played: &Bands) {
        for (band, ratios) in self.room.ratios.iter_mut().enumerate() {
            if played[band] > AUDIBLE {
                ratios.push_back(heard[band] / loudest[band]);
                let excess = ratios.len().saturating_sub(KEPT);
                ratios.drain(..excess);
            }
        }
    }

    /// Returns the powers played at that time: the loudest of the frames around it for each band, and those of
    /// the frame itself.
    fn loudest(&self, at: usize, delay: usize, around: usize) -> (Bands, Bands) {
        let played = |at: usize| self.played.get(at).copied().unwrap_or([NOTHING; BANDS]);
        let earliest = (at + around).saturating_sub(delay + 2 * around);
        let latest = (at + around).checked_sub(delay);
        let mut loudest = [NOTHING; BANDS];
        for at in latest.map(|latest| earliest..=latest).into_iter().flatten() {
            let frame = played(at);
            loudest.iter_mut().zip(frame).for_each(|(most, power)| *most = most.max(power));
        }
        (loudest, at.checked_sub(delay).map_or([NOTHING; BANDS], played))
    }
}

/// Returns the delay with the best agreement.
fn best(agreements: &Agreements) -> usize {
    let of = |delay: &usize| agreements[*delay].value();
    (0..=LATEST).max_by(|a, b| of(a).total_cmp(&of(b))).unwrap_or(0)
}

/// The running correlation of two series.
#[derive(Debug, Clone, Copy, Default)]
struct Agreement {
    count: f64,
    sums: [f64; 2],
    squares: [f64; 2],
    product: f64,
}

impl Agreement {
    fn add(&mut self, a: f32, b: f32) {
        let (a, b) = (f64::from(a), f64::from(b));
        self.count += 1.0;
        self.sums = [self.sums[0] + a, self.sums[1] + b];
        self.squares = [self.squares[0] + a * a, self.squares[1] + b * b];
        self.product += a * b;
    }

    fn and(self, other: Agreement) -> Agreement {
        let add = |a: [f64; 2], b: [f64; 2]| [a[0] + b[0], a[1] + b[1]];
        Agreement {
            count: self.count + other.count,
            sums: add(self.sums, other.sums),
            squares: add(self.squares, other.squares),
            product: self.product + other.product,
        }
    }

    fn value(&self) -> f64 {
        let [a, b] = self.sums.map(|sum| sum / self.count);
        let spread = |square: f64, mean: f64| square / self.count - mean * mean;
        let spreads = spread(self.squares[0], a) * spread(self.squares[1], b);
        (self.product / self.count - a * b) / (spreads + 1e-9).sqrt()
    }
}

/// Returns the power of a frame in each band.
fn bands(transform: &Transform, frame: &[f32]) -> Bands {
    let power = transform.power(frame);
    std::array::from_fn(|band| power[EDGES[band]..EDGES[band + 1]].iter().sum::<f32>() + NOTHING)
}

fn level(bands: &Bands) -> f32 {
    bands.iter().map(|power| power.ln()).sum::<f32>() / BANDS as f32
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Makes noise that swells and fades like syllables.
    fn syllables(seconds: usize, mut state: u32) -> Vec<f32> {
        let mut next = || {
            state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
            (state >> 8) as f32 / (1 << 24) as f32
        };
        let syllables = (0..seconds * RATE as usize / 2_400).flat_map(|_| {
            let loudness = 0.3 * next() * next();
            (0..2_400).map(|_| loudness * (2.0 * next() - 1.0)).collect::<Vec<f32>>()
        });
        syllables.collect()
    }

    /// Counts the frames that exceed the echo of a sound with this delay and gain.
    fn exceeded(room: Room, sound: &[f32], delay: usize, gain: f32, learner: &[f32]) -> (usize, Room) {
        let mut echo = room.playing(&Sound::new(RATE, sound.to_vec()));
        let heard: Vec<f32> = (0..sound.len())
            .map(|at| {
                at.checked_sub(delay).map_or(0.0, |at| gain * sound[at]) + learner.get(at).unwrap_or(&0.0)
            })
            .collect();
        let count = heard.chunks_exact(FRAME).filter(|frame| echo.is_exceeded(frame)).count();
        (count, echo.over())
    }

    #[test]
    fn an_echo_is_not_exceeded_and_a_learner_exceeds_it() {
        let (coach, learner) = (syllables(4, 1), syllables(4, 2));
        let speaks = [vec![0.0; 2 * RATE as usize], learner[..RATE as usize].to_vec()].concat();
        for (delay, gain) in [(0, 0.5), (1_300, 0.3), (5_000, 0.1), (10_000, 0.02)] {
            let (count, room) = exceeded(Room::default(), &coach, delay, gain, &[]);
            assert_eq!(count, 0, "the echo after {delay} samples at {gain}");
            let (count, room) = exceeded(room, &learner, delay, gain, &[]);
            assert_eq!(count, 0, "and that of another sound");
            let (count, _) = exceeded(room, &coach, delay, gain.min(0.1), &speaks);
            assert!(count >= 5, "the learner is noticed, {count} frames, after {delay} samples at {gain}");
        }
    }
}
