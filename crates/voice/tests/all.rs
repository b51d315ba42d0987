//! Every integration test of the crate in one program, because linking takes longer than compiling.

use proptest::prelude::*;
use std::f32::consts::TAU;
use std::io::Cursor;
use voice::Sound;
use voice::wyoming::Event;

fn tone(rate: u32, hertz: f32, seconds: f32) -> Sound {
    let count = (rate as f32 * seconds) as usize;
    Sound::new(rate, (0..count).map(|at| 0.5 * (TAU * hertz * at as f32 / rate as f32).sin()).collect())
}

fn power(samples: &[f32]) -> f32 {
    samples.iter().map(|sample| sample * sample).sum::<f32>() / samples.len() as f32
}

#[test]
fn resampling_keeps_the_sound() {
    for from in [8_000, 22_050, 44_100, 48_000, 96_000] {
        let sound = tone(from, 440.0, 0.5).at(16_000);
        let expected = tone(16_000, 440.0, 0.5);
        assert!(sound.samples.len().abs_diff(expected.samples.len()) <= 1, "{from}");
        let difference: Vec<f32> =
            sound.samples.iter().zip(&expected.samples).map(|(a, b)| a - b).skip(200).take(7_000).collect();
        assert!(power(&difference) < 1e-4, "{from}: {}", power(&difference));
    }
    // Frequencies that the lower rate cannot hold are filtered out.
    assert!(power(&tone(48_000, 12_000.0, 0.5).at(16_000).samples) < 1e-4);
}

#[test]
fn a_streamed_wav_file_is_read_to_its_end() {
    let mut wav = tone(16_000, 440.0, 0.1).to_wav();
    let length = wav.len();
    for lie in [0_u32, u32::MAX] {
        wav[40..44].copy_from_slice(&lie.to_le_bytes());
        assert_eq!(Sound::of_wav(&wav).unwrap().samples.len(), (length - 44) / 2, "{lie}");
    }
}

#[test]
fn a_small_but_too_long_file_is_refused() {
    let lasting = |minutes: usize| {
        let mut wav = b"RIFF\0\0\0\0WAVEfmt \x10\0\0\0\x01\0\x01\0".to_vec();
        wav.extend(4_000_u32.to_le_bytes());
        wav.extend(4_000_u32.to_le_bytes());
        wav.extend(b"\x01\0\x08\0data\xff\xff\xff\xff");
        wav.resize(wav.len() + minutes * 60 * 4_000, 128);
        Sound::of_wav(&wav)
    };
    assert_eq!(lasting(91).unwrap_err(), "it lasts longer than 90 minutes");
    assert_eq!(lasting(89).unwrap().seconds(), 89.0 * 60.0);
}

proptest! {
    #[test]
    fn a_written_sound_can_be_read(samples in prop::collection::vec(-1.0_f32..1.0, 1..500), rate in 4_000_u32..100_000) {
        let sound = Sound::new(rate, samples);
        let read = Sound::of_wav(&sound.to_wav()).unwrap();
        prop_assert_eq!(read.rate, rate);
        prop_assert_eq!(read.samples.len(), sound.samples.len());
        for (a, b) in read.samples.iter().zip(&sound.samples) {
            prop_assert!((a - b).abs() < 1e-3);
        }
    }

    #[test]
    fn no_input_causes_a_panic(bytes in prop::collection::vec(any::<u8>(), 0..300)) {
        let _ = Sound::of_wav(&bytes);
        let _ = Sound::of_wav(&[b"RIFF\0\0\0\0WAVEfmt \x10\0\0\0".as_slice(), &bytes].concat());
        let _ = Event::read(&mut Cursor::new(&bytes));
        let _ = Event::read(&mut Cursor::new([b"{\"type\":\"a\",\"data_length\":9}\n".as_slice(), &bytes].concat()));
    }

    #[test]
    fn an_event_survives_the_wire(text in ".{0,60}", payload in prop::collection::vec(any::<u8>(), 0..200)) {
        let event = Event { payload, ..Event::new("transcript", serde_json::json!({"text": text})) };
        let mut wire = Vec::new();
        event.write(&mut wire).unwrap();
        prop_assert_eq!(Event::read(&mut Cursor::new(wire)).unwrap(), Some(event));
    }
}
