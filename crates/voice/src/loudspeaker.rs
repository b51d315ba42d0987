//! Loudspeakers: a program of the sound system, or a file in its place.

use crate::devices::{Devices, Program};
use crate::ears::Ears;
use crate::{RATE, Sound, Trouble};
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::Stdio;
use std::time::{Duration, Instant};

/// How much longer than the sound a program may take to play it.
const SPARE: Duration = Duration::from_secs(10);
/// Seconds of silence between two lines that are spoken into a file.
const BETWEEN: f32 = 0.4;

/// The target of sound.
#[derive(Debug)]
pub enum Loudspeaker {
    /// A file that collects all spoken lines, one after the other.
    File {
        path: PathBuf,
        sound: Sound,
    },
    Program(Devices),
    /// No target: nothing is played.
    Nothing,
}

impl Loudspeaker {
    /// Opens a file in place of a loudspeaker. It is written at once, so that a bad path is noticed before
    /// anything is said.
    pub fn file(path: &Path) -> Result<Loudspeaker, Trouble> {
        let sound = Sound::default();
        Sound::new(RATE, Vec::new()).write_wav(path)?;
        Ok(Loudspeaker::File { path: path.to_owned(), sound })
    }

    /// Opens the loudspeaker of this machine. Fails if there is no program to play with.
    pub fn program(devices: Devices) -> Result<Loudspeaker, Trouble> {
        devices.player(RATE)?;
        Ok(Loudspeaker::Program(devices))
    }

    /// Plays a sound to its end, or until the learner cuts in. Returns whether they did.
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
    let mut player = Program::start(command, Stdio::piped(), Stdio::null())?;
    let pcm = sound.pcm();
    if let Some(mut input) = player.child.stdin.take() {
        // The program takes samples as slowly as it plays them. If it ends early, its exit code and its
        // complaint say why.
        std::thread::spawn(move || input.write_all(&pcm));
    }
    let until = Instant::now() + Duration::from_secs_f32(sound.seconds()) + SPARE;
    let is_over = || !matches!(player.child.try_wait(), Ok(None)) || Instant::now() > until;
    let cut_in = ears.is_cut_in(sound, is_over);
    let is_stuck = matches!(player.child.try_wait(), Ok(None));
    let ended = if is_stuck { player.end() } else { player.child.wait() };
    if cut_in? {
        return Ok(true);
    }
    let why = match ended {
        _ if is_stuck => "does not come to an end".to_owned(),
        Ok(status) if status.success() => return Ok(false),
        _ => format!("says: {}", player.complaint()),
    };
    Err(Trouble::new(
        format!("the loudspeaker cannot be used: `{}` {why}", command[0]),
        "check the loudspeaker with `etude voice devices`; what you did so far is saved",
    ))
}
