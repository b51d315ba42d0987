//! Tests that listen while sound is played. Time must pass in them as it does in a room, so `make test` runs them
//! alone.

mod devices;
mod microphone;
mod room;

use crate::common::Folder;
use crate::peers::{found, program, run};
use crate::voice::{models, spoken};
use crate::web_page::{WEB, browser, built};
use ::voice::Sound;
use std::path::Path;

#[test]
fn a_drill_is_held_by_voice_in_a_browser() {
    let Some(browser) = found(built().and_then(|()| browser())) else { return };
    let Some(models) = models() else { return };
    let folder = Folder::new();
    // The browser's microphone plays a loop: the word, with silence around it.
    let word = spoken(&folder, models, "word.wav", "Hallo!", "de");
    let word = Sound::read_wav(Path::new(&word)).expect("a sound");
    let mut sound = Sound::silence(48_000, 0.7);
    sound.append(&word);
    sound.append(&Sound::silence(48_000, 2.3));
    let path = folder.write("microphone.wav", sound.to_wav());
    let mut tests = program("node");
    tests.arg("tests/voice.mjs").current_dir(WEB);
    tests
        .env("PROGRAM", env!("CARGO_BIN_EXE_etude"))
        .env("CHROMIUM", browser)
        .env("MODELS", models)
        .env("SOUND", path);
    run(&mut tests).unwrap_or_else(|failed| panic!("{failed}"));
}
