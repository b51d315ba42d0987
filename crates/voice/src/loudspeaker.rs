//! Loudspeakers: a program of the sound system, or a file in its place.

use crate::devices::{Devices, said, started};
use crate::ears::Ears;
use crate::{RATE, Sound, Trouble};
use std::io::{ErrorKind, Write};
use std::path::{Path, PathBuf};
use std::process::Stdio;

/// Between two things that are spoken into a file.
const BETWEEN: f32 = 0.4;

/// Where sound goes.
#[derive(Debug)]
pub enum Loudspeaker {
    /// Everything that is spoken, one after the other.
    File {
        path: PathBuf,
        sound: Sound,
    },
    Program(Devices),
    /// Nowhere.
    Nothing,
}

impl Loudspeaker {
    /// A file in place of a loudspeaker. It is written now, so that a bad place is noticed before anything is said.
    pub fn file(path: &Path) -> Result<Loudspeaker, Trouble> {
        let sound = Sound::default();
        Sound::new(RATE, Vec::new()).write_wav(path)?;
        Ok(Loudspeaker::File { path: path.to_owned(), sound })
    }

    /// The loudspeaker of this machine.
    pub fn program(devices: Devices) -> Result<Loudspeaker, Trouble> {
        devices.player(RATE)?;
        Ok(Loudspeaker::Program(devices))
    }

    /// Plays to the end, or until the learner cuts in. Returns whether they did.
    pub fn play(&mut self, sound: &Sound, ears: &mut Ears) -> Result<bool, Trouble> {
        match self {
            Loudspeaker::Nothing => Ok(false),
            Loudspeaker::File { path, sound: all } => {
                if !all.samples.is_empty() {
                    all.append(&Sound::silence(sound.rate, BETWEEN));
                }
                all.append(sound);
                all.write_wav(path)?;
                Ok(false)
            }
            Loudspeaker::Program(devices) => play(&devices.player(sound.rate)?, sound, ears),
        }
    }
}

fn play(command: &[String], sound: &Sound, ears: &mut Ears) -> Result<bool, Trouble> {
    let mut child = started(command, Stdio::piped(), Stdio::null())?;
    let pcm = sound.pcm();
    let mut input = child.stdin.take();
    // The program takes samples as slowly as it plays them.
    let writer = std::thread::spawn(move || input.as_mut().map_or(Ok(()), |input| input.write_all(&pcm)));
    let cut_in = ears.is_cut_in(sound, || !matches!(child.try_wait(), Ok(None)));
    let _ = child.kill();
    let ended = child.wait();
    let written = writer.join().unwrap_or(Ok(()));
    if cut_in? {
        return Ok(true);
    }
    let is_broken = written.is_err_and(|error| error.kind() != ErrorKind::BrokenPipe);
    if is_broken || !ended.is_ok_and(|status| status.success()) {
        return Err(Trouble::new(
            format!("the loudspeaker cannot be used: `{}` says: {}", command[0], said(&mut child)),
            "check the loudspeaker with `etude voice devices`; what you did so far is saved",
        ));
    }
    Ok(false)
}
