//! A voice that is played at the other end of a connection, for example in a browser.

use crate::ears::Ears;
use crate::engines::dittli::Dittli;
use crate::layers::{Speaker, Spoken, sentences};
use crate::line::Line;
use crate::wire::Wishes;
use crate::{Sound, Trouble};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

/// How much longer than its sound the other end may take to play it.
const SLACK: Duration = Duration::from_secs(3);

/// A message to the other end.
#[derive(Debug)]
pub enum Playing {
    Sound(Sound),
    /// Stops the sound, because the learner cuts in.
    Stop,
}

/// A voice played at the other end. Several of them share the synthesiser and take turns.
pub struct FarVoice {
    pub voices: Arc<Mutex<Dittli>>,
    pub wishes: Wishes,
    pub send: Box<dyn Fn(Playing) + Send>,
}

impl std::fmt::Debug for FarVoice {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("FarVoice").finish_non_exhaustive()
    }
}

impl Speaker for FarVoice {
    fn speak(&mut self, line: &Line, ears: &mut Ears) -> Result<Spoken, Trouble> {
        let started = Instant::now();
        let mut spoken = Spoken::default();
        for (at, sentence) in sentences(&line.text).into_iter().enumerate() {
            let said = Line { text: sentence, ..line.clone() };
            let sound = self.voices.lock().unwrap_or_else(PoisonError::into_inner).synthesise(&said)?;
            if at == 0 {
                spoken.ready_ms = started.elapsed().as_millis() as u64;
            }
            spoken.seconds += sound.seconds();
            if self.play(sound, ears)? {
                return Ok(Spoken { is_interrupted: true, ..spoken });
            }
        }
        Ok(spoken)
    }
}

impl FarVoice {
    /// Plays a sound to its end, or until the learner cuts in or asks for silence. Returns whether they did.
    fn play(&self, sound: Sound, ears: &mut Ears) -> Result<bool, Trouble> {
        let is_set = |flag: &AtomicBool| flag.load(Ordering::Relaxed);
        let Wishes { hush, has_played, .. } = &self.wishes;
        if is_set(hush) {
            return Ok(true);
        }
        has_played.store(false, Ordering::Relaxed);
        let ends = Instant::now() + Duration::from_secs_f32(sound.seconds()) + SLACK;
        (self.send)(Playing::Sound(sound.clone()));
        let is_over = || is_set(has_played) || is_set(hush) || Instant::now() >= ends;
        let is_cut_in = ears.is_cut_in(&sound, is_over)? || is_set(hush);
        if is_cut_in {
            (self.send)(Playing::Stop);
        }
        Ok(is_cut_in)
    }
}
