//! WAV files: reads any common form as mono, and writes 16-bit mono.

use crate::{Sound, Trouble};
use std::io::{Read, Write};
use std::path::Path;

/// The largest file: an hour and a half at 16 kHz, or a quarter of an hour in stereo at 48 kHz.
const MAX_BYTES: u64 = 170 << 20;
/// The longest sound. A small file may last long, and all of it is kept at 16 kHz.
const MAX_MINUTES: usize = 90;
const RATES: std::ops::RangeInclusive<u32> = 4_000..=384_000;
const MAX_CHANNELS: u16 = 16;

const PCM: u16 = 1;
const FLOAT: u16 = 3;
const EXTENSIBLE: u16 = 0xFFFE;

/// The content of the chunk `fmt `.
#[derive(Debug, Clone, Copy)]
struct Format {
    kind: u16,
    channels: u16,
    rate: u32,
    bits: u16,
}

impl Sound {
    pub fn read_wav(path: &Path) -> Result<Sound, Trouble> {
        let name = path.display();
        let unreadable = |why: String| {
            Trouble::new(format!("{name} cannot be read: {why}"), "give a WAV file with sound in it")
        };
        let mut bytes = Vec::new();
        let read =
            std::fs::File::open(path).and_then(|file| file.take(MAX_BYTES + 1).read_to_end(&mut bytes));
        read.map_err(|error| unreadable(error.to_string()))?;
        if bytes.len() as u64 > MAX_BYTES {
            return Err(unreadable(format!("it has more than {} MB", MAX_BYTES >> 20)));
        }
        Sound::of_wav(&bytes).map_err(unreadable)
    }

    /// Reads a WAV file. If its lengths are wrong, because it was cut off or streamed, reads as far as it goes.
    pub fn of_wav(bytes: &[u8]) -> Result<Sound, String> {
        match bytes.get(..12) {
            Some(head) if &head[..4] == b"RIFF" && &head[8..] == b"WAVE" => {}
            _ if bytes.is_empty() => return Err("it is empty".to_owned()),
            _ => return Err("it is not a WAV file".to_owned()),
        }
        let (mut format, mut at) = (None, 12);
        while let Some(head) = bytes.get(at..at + 8) {
            let length = u32::from_le_bytes([head[4], head[5], head[6], head[7]]) as usize;
            let end = at.saturating_add(8).saturating_add(length).min(bytes.len());
            let body = &bytes[at + 8..end];
            match &head[..4] {
                b"fmt " => format = Some(Format::read(body)?),
                b"data" => return sound(format.ok_or("it does not say its format")?, body, bytes, at + 8),
                _ => {}
            }
            at = end + length % 2;
        }
        Err("it has no sound in it".to_owned())
    }

    pub fn write_wav(&self, path: &Path) -> Result<(), Trouble> {
        let failed = |error: std::io::Error| {
            Trouble::new(
                format!("{} cannot be written: {error}", path.display()),
                "choose a place where you may write",
            )
        };
        let mut file = std::fs::File::create(path).map_err(failed)?;
        file.write_all(&self.to_wav()).map_err(failed)
    }

    pub fn to_wav(&self) -> Vec<u8> {
        let pcm = self.pcm();
        let length = pcm.len() as u32;
        let mut wav = Vec::with_capacity(44 + pcm.len());
        wav.extend(b"RIFF");
        wav.extend((36 + length).to_le_bytes());
        wav.extend(b"WAVEfmt \x10\0\0\0\x01\0\x01\0");
        wav.extend(self.rate.to_le_bytes());
        wav.extend((self.rate * 2).to_le_bytes());
        wav.extend(b"\x02\0\x10\0data");
        wav.extend(length.to_le_bytes());
        wav.extend(pcm);
        wav
    }
}

impl Format {
    fn read(body: &[u8]) -> Result<Format, String> {
        let short = |at: usize| body.get(at..at + 2).map(|two| u16::from_le_bytes([two[0], two[1]]));
        let read = || {
            let rate = body.get(4..8).map(|four| u32::from_le_bytes([four[0], four[1], four[2], four[3]]))?;
            // An extensible file has its kind in the first two bytes of a longer name.
            let kind = short(0).and_then(|kind| if kind == EXTENSIBLE { short(24) } else { Some(kind) })?;
            Some(Format { kind, channels: short(2)?, rate, bits: short(14)? })
        };
        let format = read().ok_or("its format is cut off")?;
        if format.channels == 0 || format.channels > MAX_CHANNELS || !RATES.contains(&format.rate) {
            return Err(format!("it has {} channels at {} Hz", format.channels, format.rate));
        }
        Ok(format)
    }

    /// Reads a sample from its bytes.
    fn sample(self, bytes: &[u8]) -> f32 {
        match (self.kind, bytes) {
            (PCM, [a]) => (f32::from(*a) - 128.0) / 128.0,
            (PCM, [a, b]) => f32::from(i16::from_le_bytes([*a, *b])) / 32_768.0,
            (PCM, [a, b, c]) => i32::from_le_bytes([0, *a, *b, *c]) as f32 / 2_147_483_648.0,
            (PCM, [a, b, c, d]) => i32::from_le_bytes([*a, *b, *c, *d]) as f32 / 2_147_483_648.0,
            (FLOAT, [a, b, c, d]) => f32::from_le_bytes([*a, *b, *c, *d]),
            (FLOAT, [a, b, c, d, e, f, g, h]) => f64::from_le_bytes([*a, *b, *c, *d, *e, *f, *g, *h]) as f32,
            _ => 0.0,
        }
    }
}

fn sound(format: Format, body: &[u8], bytes: &[u8], start: usize) -> Result<Sound, String> {
    let Format { kind, channels, rate, bits } = format;
    if !matches!((kind, bits), (PCM, 8 | 16 | 24 | 32) | (FLOAT, 32 | 64)) {
        return Err(format!("its samples have {bits} bits in format {kind}, which is not plain PCM"));
    }
    // A streaming program does not know the length when it writes the header.
    let body = if body.is_empty() { &bytes[start..] } else { body };
    let width = usize::from(bits / 8);
    let mix = |frame: &[u8]| {
        let sum: f32 = frame.chunks_exact(width).map(|bytes| format.sample(bytes)).sum();
        let mixed = sum / f32::from(channels);
        if mixed.is_finite() { mixed.clamp(-1.0, 1.0) } else { 0.0 }
    };
    let frames = body.chunks_exact(width * usize::from(channels));
    if frames.len() > MAX_MINUTES * 60 * rate as usize {
        return Err(format!("it lasts longer than {MAX_MINUTES} minutes"));
    }
    let samples: Vec<f32> = frames.map(mix).collect();
    if samples.is_empty() { Err("it has no sound in it".to_owned()) } else { Ok(Sound { rate, samples }) }
}
