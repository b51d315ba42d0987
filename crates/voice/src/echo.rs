//! Tells the echo of the coach's own voice from a learner who cuts in.
//!
//! The played sound comes back later and weaker. Comparing how the two rise and fall shows how much later; how much
//! weaker is learned for each band of frequencies. A frame with much more energy than that, in many bands, contains
//! something else. A learner who speaks more softly than the echo is not noticed.

use crate::engines::spectrum::Transform;
use crate::{FRAME, RATE, Sound};
use std::collections::VecDeque;

/// Where the bands begin and end, in steps of 31 Hz: from 125 Hz to 7 kHz.
const EDGES: [usize; 17] = [4, 5, 7, 9, 11, 14, 18, 24, 30, 39, 50, 65, 84, 108, 139, 179, 230];
const BANDS: usize = EDGES.len() - 1;
type Bands = [f32; BANDS];

/// The latest that an echo comes, in frames: 800 ms, with the buffers of the sound system.
const LATEST: usize = 25;
/// This many frames are needed to know how late it comes: 800 ms. Until then everything may be the echo.
const TO_LEARN: usize = 25;
/// How much of an echo is waited for as long as nothing is known: 160 ms.
const UNKNOWN_TAIL: usize = 5;
/// How much the start of a player varies, in frames.
const JITTER: usize = 3;
/// Ratios of the last two seconds are kept, and one near the top of them is believed.
const KEPT: usize = 62;
const BELIEVED: f32 = 0.7;
const LEAST_RATIOS: usize = 4;
/// A band is exceeded by 8 dB, and a frame by four tenths of the bands.
const EXCESS: f32 = 6.0;
const EXCEEDED: f32 = 0.4;
/// A room rings on: each frame keeps this much of the one before.
const RING: f32 = 0.6;
/// How fast the noise that is always there may grow.
const NOISE_GROWTH: f32 = 1.02;
/// Weaker than any microphone.
const NOTHING: f32 = 1e-6;
const SOFTEST: f32 = 1e-4;
/// What is played counts from this power on.
const AUDIBLE: f32 = 1e-3;

/// What is known of the way from the loudspeaker to the microphone.
#[derive(Debug)]
pub(crate) struct Room {
    /// How well what was heard agreed with what was played this many frames before.
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
    /// Begins to play something.
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

    /// The share of a band that comes back.
    fn gain(&self, band: usize) -> f32 {
        let mut ratios: Vec<f32> = self.ratios[band].iter().copied().collect();
        if ratios.len() < LEAST_RATIOS {
            return 1.0;
        }
        ratios.sort_by(f32::total_cmp);
        ratios[((ratios.len() - 1) as f32 * BELIEVED) as usize]
    }
}

/// One sound that is played, and what is heard meanwhile.
#[derive(Debug)]
pub(crate) struct Echo {
    room: Room,
    played: Vec<Bands>,
    levels: Vec<f32>,
    /// Frames heard since it began.
    heard: usize,
    agreements: Agreements,
    noise: Bands,
    ringing: Bands,
}

impl Echo {
    /// Whether a frame holds more than the echo and the noise.
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

    /// What was learned about the room.
    pub(crate) fn over(mut self) -> Room {
        self.room.agreements = self.all_agreements();
        self.room
    }

    /// How many frames of echo are still to come when everything has been played.
    pub(crate) fn tail(&self) -> usize {
        self.delay().map_or(UNKNOWN_TAIL, |(delay, _)| delay + 2)
    }

    /// How late the echo comes, and how sure that is: from this sound, or from all before it.
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

    /// What was played then: the loudest of the frames around it for each band, and itself.
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

/// The delay at which two series agree best.
fn best(agreements: &Agreements) -> usize {
    let of = |delay: &usize| agreements[*delay].value();
    (0..=LATEST).max_by(|a, b| of(a).total_cmp(&of(b))).unwrap_or(0)
}

/// The correlation of two series, as they come.
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

/// The power of a frame in each band.
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

    /// Noise that swells and fades as syllables do.
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

    /// How many frames hold more than the echo of a sound that comes back like this.
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
