//! Listens: finds the beginning and the end of speech in a microphone's frames, or reads lines of text in place
//! of sound.

use crate::devices::Microphone;
use crate::echo::Room;
use crate::engines::silero::Silero;
use crate::{FRAME, RATE, Sound, Trouble};
use std::collections::VecDeque;
use std::io::{self, BufRead, Read};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{self, Receiver, RecvTimeoutError};
use std::thread;
use std::time::{Duration, Instant};

/// The longest typed line in bytes, which is more than anyone would say.
const LONGEST_LINE: u64 = 64 << 10;
/// How often a wait for a line checks for an interruption.
const LOOK_EVERY: Duration = Duration::from_millis(50);

/// The chance above which a frame counts as speech, and the chance below which it counts as silence.
const SPEECH: f32 = 0.5;
const NO_SPEECH: f32 = 0.35;
/// The frames of speech after which speech has begun, and the frames without after which it has ended: 96 ms
/// and 480 ms.
const BEGINS_AFTER: usize = 3;
const ENDS_AFTER: usize = 15;
/// The frames without speech after which it has probably ended: 160 ms. A recording keeps at most this much
/// silence at its end.
const MAY_END_AFTER: usize = 5;
/// The frames before the beginning of speech that belong to it, for a soft first consonant.
const BEFORE: usize = 10;
/// The pause that ends the tail of a wake word, 96 ms, and the longest tail, half a second. The tail is left
/// out of the recording.
const PAUSE: usize = 3;
const TAIL: usize = 16;

/// The chance of speech, and the frames of it, with which a learner cuts in on the coach: 96 ms of surer speech
/// than usual. It must also exceed the echo of the coach.
const CUTS_IN: f32 = 0.8;
const CUTS_IN_AFTER: usize = 3;

/// The outcome of a wait.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Woken {
    Yes,
    /// Nothing came within the bound, or the recorded sound is over.
    No,
    /// Someone asked to end, for example with Ctrl-C, or the typed input is over.
    Interrupted,
}

/// The time limits of listening.
#[derive(Debug, Clone, Copy)]
pub struct Bounds {
    /// For the wake word. `None` for a device that listens all day.
    pub wait: Option<Duration>,
    /// For the first word of a turn.
    pub silence: Duration,
    /// For the whole utterance of a turn.
    pub longest: Duration,
}

impl Default for Bounds {
    fn default() -> Bounds {
        Bounds { wait: None, silence: Duration::from_secs(5), longest: Duration::from_secs(5) }
    }
}

/// The recording of one turn. No other turn sees it.
#[derive(Debug, Clone, Default)]
pub struct Recording {
    pub sound: Sound,
    /// The text typed in place of speech.
    pub text: Option<String>,
    /// How long after the end of speech the end was noticed.
    pub noticed_ms: u64,
}

impl Recording {
    fn of(frames: &[Vec<f32>]) -> Recording {
        Recording { sound: Sound::new(RATE, frames.concat()), ..Recording::default() }
    }
}

pub struct Ears {
    source: Source,
    pub bounds: Bounds,
    /// A flag that ends every wait.
    pub interrupt: Arc<AtomicBool>,
    /// Frames heard while the coach was speaking, which begin the next recording.
    kept: VecDeque<Vec<f32>>,
    /// Frames heard since the wait began.
    waited: usize,
    /// The reason why nothing can be heard any more. It is reported later, so that a microphone that breaks
    /// while the coach speaks does not cut the coach short.
    trouble: Option<Trouble>,
    /// The echo of the coach's own voice in this room. It holds nothing about the words spoken.
    room: Room,
}

enum Source {
    Lines { lines: Receiver<io::Result<String>>, line: Option<String>, is_read: bool },
    Sound { microphone: Microphone, activity: Box<Silero> },
}

impl std::fmt::Debug for Ears {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Ears").field("bounds", &self.bounds).finish_non_exhaustive()
    }
}

impl Ears {
    fn of(source: Source, bounds: Bounds) -> Ears {
        let interrupt = Arc::new(AtomicBool::new(false));
        Ears {
            source,
            bounds,
            interrupt,
            kept: VecDeque::new(),
            waited: 0,
            trouble: None,
            room: Room::default(),
        }
    }

    /// Listens to lines of text. A separate thread reads them, so that a wait for one can be interrupted.
    pub fn lines(mut from: impl BufRead + Send + 'static) -> Ears {
        let (sender, lines) = mpsc::sync_channel(0);
        thread::spawn(move || {
            while let Some(line) = read_line(&mut from)
                && sender.send(line).is_ok()
            {}
        });
        Ears::of(Source::Lines { lines, line: None, is_read: false }, Bounds::default())
    }

    pub fn sound(microphone: Microphone, activity: Silero, bounds: Bounds) -> Ears {
        Ears::of(Source::Sound { microphone, activity: Box::new(activity) }, bounds)
    }

    /// Forgets everything heard, so that a turn starts without anything from the one before.
    pub fn reset(&mut self) {
        self.waited = 0;
        match &mut self.source {
            Source::Lines { line, .. } => *line = None,
            Source::Sound { activity, .. } => activity.reset(),
        }
    }

    /// Whether nothing more can be heard: the file or the text has been read to its end, or someone asked to end.
    pub fn is_over(&self) -> bool {
        let is_read = match &self.source {
            Source::Lines { is_read, .. } => *is_read,
            Source::Sound { microphone, .. } => microphone.is_over(),
        };
        is_read || self.is_interrupted()
    }

    /// Whether lines of text stand in for sound.
    pub fn is_text(&self) -> bool {
        matches!(self.source, Source::Lines { .. })
    }

    /// Whether sound arrives at the speed at which it is spoken.
    pub fn is_live(&self) -> bool {
        matches!(&self.source, Source::Sound { microphone, .. } if microphone.is_live())
    }

    /// Whether someone asked to end.
    pub fn is_interrupted(&self) -> bool {
        self.interrupt.load(Ordering::Relaxed)
    }

    /// Returns the next frame of a wait. `None` when the wait is over.
    pub fn frame(&mut self) -> Result<Option<Vec<f32>>, Trouble> {
        let bound = self.bounds.wait.map(frames);
        if self.is_interrupted() || bound.is_some_and(|bound| self.waited >= bound) {
            return Ok(None);
        }
        self.waited += 1;
        self.next()
    }

    fn next(&mut self) -> Result<Option<Vec<f32>>, Trouble> {
        if let Some(trouble) = self.trouble.take() {
            return Err(trouble);
        }
        if let Some(frame) = self.kept.pop_front() {
            return Ok(Some(frame));
        }
        match &mut self.source {
            Source::Lines { .. } => Ok(None),
            Source::Sound { microphone, .. } => microphone.frame(),
        }
    }

    fn chance(&mut self, frame: &[f32]) -> Result<f32, Trouble> {
        match &mut self.source {
            Source::Lines { .. } => Ok(0.0),
            Source::Sound { activity, .. } => activity.speech(frame),
        }
    }

    pub fn wait_for_line(&mut self) -> Result<Woken, Trouble> {
        let interrupt = self.interrupt.clone();
        let until = self.bounds.wait.map(|wait| Instant::now() + wait);
        let Source::Lines { lines, line, is_read } = &mut self.source else { return Ok(Woken::No) };
        let failed =
            |error: io::Error| Trouble::new(format!("the input cannot be read: {error}"), "try again");
        while !interrupt.load(Ordering::Relaxed) {
            match lines.recv_timeout(LOOK_EVERY) {
                Ok(read) => {
                    *line = Some(read.map_err(failed)?);
                    return Ok(Woken::Yes);
                }
                Err(RecvTimeoutError::Timeout) if until.is_some_and(|until| Instant::now() >= until) => {
                    return Ok(Woken::No);
                }
                Err(RecvTimeoutError::Timeout) => {}
                Err(RecvTimeoutError::Disconnected) => {
                    *is_read = true;
                    break;
                }
            }
        }
        Ok(Woken::Interrupted)
    }

    /// Waits until someone speaks. Their first words begin the next recording.
    pub fn wait_for_speech(&mut self) -> Result<Woken, Trouble> {
        let (mut before, mut speech) = (VecDeque::new(), 0);
        while let Some(frame) = self.frame()? {
            speech = if self.chance(&frame)? >= SPEECH { speech + 1 } else { 0 };
            before.push_back(frame);
            if before.len() > BEFORE + BEGINS_AFTER {
                before.pop_front();
            }
            if speech >= BEGINS_AFTER {
                self.kept = before;
                return Ok(Woken::Yes);
            }
        }
        Ok(self.unwoken())
    }

    /// Returns the outcome of a wait that ended without success.
    pub fn unwoken(&self) -> Woken {
        if self.is_interrupted() { Woken::Interrupted } else { Woken::No }
    }

    /// Records one utterance, from the beginning of speech to its end, within the bounds. Returns an empty
    /// recording if there was no speech. Leaves out the tail of a wake word. Each time the speech has probably
    /// ended, passes the recording so far to `so_far`.
    pub fn record(
        &mut self,
        after_wake_word: bool,
        mut so_far: impl FnMut(Recording),
    ) -> Result<Recording, Trouble> {
        if matches!(self.source, Source::Lines { line: None, .. }) {
            self.wait_for_line()?;
        }
        if let Source::Lines { line, .. } = &mut self.source {
            return Ok(Recording { text: Some(line.take().unwrap_or_default()), ..Recording::default() });
        }
        let mut recorded: Vec<Vec<f32>> = Vec::new();
        let (mut silence, mut speech, mut has_begun, mut heard) = (0, 0, false, 0);
        let mut is_tail = after_wake_word;
        let last_sound = loop {
            let Some(frame) = self.next()?.filter(|_| !self.is_interrupted()) else { break Instant::now() };
            heard += 1;
            let chance = self.chance(&frame)?;
            speech = if chance >= SPEECH { speech + 1 } else { 0 };
            silence = if chance < NO_SPEECH { silence + 1 } else { 0 };
            recorded.push(frame);
            is_tail &= silence < PAUSE && heard < TAIL;
            if is_tail {
                continue;
            }
            has_begun |= speech >= BEGINS_AFTER;
            if !has_begun {
                let spare = recorded.len().saturating_sub(BEFORE + BEGINS_AFTER);
                recorded.drain(..spare);
                if heard >= frames(self.bounds.silence) {
                    return Ok(Recording::default());
                }
            } else if silence >= ENDS_AFTER || recorded.len() >= frames(self.bounds.longest) + BEFORE {
                break Instant::now();
            } else if silence == MAY_END_AFTER {
                so_far(Recording::of(&recorded));
            }
        };
        if !has_begun {
            return Ok(Recording::default());
        }
        recorded.truncate(recorded.len() - silence.saturating_sub(MAY_END_AFTER));
        let noticed_ms =
            (silence * FRAME * 1_000 / RATE as usize) as u64 + last_sound.elapsed().as_millis() as u64;
        Ok(Recording { noticed_ms, ..Recording::of(&recorded) })
    }

    /// Whether a learner who cuts in could be heard now.
    fn has_sound(&mut self) -> bool {
        match &mut self.source {
            Source::Lines { .. } => false,
            Source::Sound { microphone, .. } => microphone.has_sound(),
        }
    }

    /// Listens while `playing` is played, until `is_over`. Returns whether the learner cuts in. The coach's own
    /// voice in the microphone does not count. Without a live microphone, only an interruption counts.
    pub fn is_cut_in(&mut self, playing: &Sound, mut is_over: impl FnMut() -> bool) -> Result<bool, Trouble> {
        let (mut speech, mut recent) = (0, VecDeque::new());
        self.start_listening();
        let mut echo = std::mem::take(&mut self.room).playing(playing);
        // The echo of the last sound arrives after the player has ended.
        let mut tail = None;
        let cut_in = loop {
            if tail.is_some() || is_over() {
                let left = tail.unwrap_or_else(|| if self.is_live() { echo.tail() } else { 0 });
                if left == 0 {
                    break false;
                }
                tail = Some(left - 1);
            }
            if self.is_interrupted() {
                break true;
            }
            if self.trouble.is_some() || !self.has_sound() {
                std::thread::sleep(Duration::from_millis(10));
                continue;
            }
            let frame = match self.next() {
                Ok(Some(frame)) => frame,
                Ok(None) => break false,
                Err(trouble) => {
                    self.trouble = Some(trouble);
                    continue;
                }
            };
            let is_speech = self.chance(&frame)? >= CUTS_IN;
            speech = if echo.is_exceeded(&frame) && is_speech { speech + 1 } else { 0 };
            recent.push_back(frame);
            if recent.len() > BEFORE + CUTS_IN_AFTER {
                recent.pop_front();
            }
            if speech >= CUTS_IN_AFTER {
                self.kept = recent;
                break true;
            }
        };
        self.room = echo.over();
        Ok(cut_in)
    }

    /// Drops the sound recorded between turns, which cannot contain an echo of the coming sound.
    fn start_listening(&mut self) {
        self.kept.clear();
        if let Source::Sound { microphone, activity } = &mut self.source {
            microphone.catch_up();
            activity.reset();
        }
    }
}

/// Reads the next line, and drops everything beyond the longest length.
fn read_line(from: &mut impl BufRead) -> Option<io::Result<String>> {
    let mut bytes = Vec::new();
    match from.by_ref().take(LONGEST_LINE).read_until(b'\n', &mut bytes) {
        Ok(0) => return None,
        Ok(_) if bytes.last() != Some(&b'\n') => {
            if let Err(error) = from.skip_until(b'\n') {
                return Some(Err(error));
            }
        }
        Ok(_) => {}
        Err(error) => return Some(Err(error)),
    }
    Some(Ok(String::from_utf8_lossy(&bytes).trim().to_owned()))
}

fn frames(time: Duration) -> usize {
    (time.as_secs_f32() * RATE as f32 / FRAME as f32).ceil() as usize
}
