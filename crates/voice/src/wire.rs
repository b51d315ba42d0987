//! A microphone at the other end of a connection, for example in a browser, and the wishes of that end.
//!
//! The owner of the connection passes incoming sound on through a [`Wire`]; a run listens as it does on this
//! machine. Nothing is stored: sound that no run waits for is dropped.

use crate::{FRAME, RATE, Sound};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{Receiver, RecvTimeoutError, SyncSender, sync_channel};
use std::time::Duration;

/// The most frames that wait to be heard: ten seconds.
const MOST_FRAMES: usize = 10 * RATE as usize / FRAME;
/// The frames of silence that end speech.
const PAUSE_FRAMES: usize = 16;
/// How often a wait checks for an interruption while no frame comes.
const LOOK_EVERY: Duration = Duration::from_millis(50);

/// The wishes of the other end, shared by all that listen and speak.
#[derive(Debug, Clone, Default)]
pub struct Wishes {
    /// A flag that ends every wait.
    pub interrupt: Arc<AtomicBool>,
    /// Set when the coach should be silent until it has listened again.
    pub(crate) hush: Arc<AtomicBool>,
    pub(crate) has_played: Arc<AtomicBool>,
}

impl Wishes {
    /// Forgets a wish for silence, which lasts for one answer only.
    pub fn begin_anew(&self) {
        self.hush.store(false, Ordering::Relaxed);
    }
}

/// The near end of the connection.
#[derive(Debug)]
pub struct Wire {
    frames: SyncSender<Vec<f32>>,
    /// The samples that do not fill a frame yet.
    rest: Vec<f32>,
    pub wishes: Wishes,
}

/// Returns a wire and the microphone at its end.
pub fn connect() -> (Wire, FarMicrophone) {
    let (sender, frames) = sync_channel(MOST_FRAMES);
    let wishes = Wishes::default();
    let microphone =
        FarMicrophone { frames, next: None, interrupt: wishes.interrupt.clone(), is_gone: false };
    (Wire { frames: sender, rest: Vec::new(), wishes }, microphone)
}

impl Wire {
    /// Passes on 16-bit samples. Drops them if no run has listened for a while.
    pub fn hear(&mut self, pcm: &[u8]) {
        self.rest.extend(Sound::from_pcm(RATE, pcm).samples);
        while self.rest.len() >= FRAME {
            let after = self.rest.split_off(FRAME);
            let _ = self.frames.try_send(std::mem::replace(&mut self.rest, after));
        }
    }

    /// Ends an utterance at once. The silence that it adds replaces the wait for the end of speech.
    pub fn pause(&mut self) {
        self.rest.clear();
        for _ in 0..PAUSE_FRAMES {
            let _ = self.frames.try_send(vec![0.0; FRAME]);
        }
    }

    /// Asks the coach to stop speaking.
    pub fn hush(&self) {
        self.wishes.hush.store(true, Ordering::Relaxed);
    }

    /// Notes that the last spoken sound has been played.
    pub fn has_played(&self) {
        self.wishes.has_played.store(true, Ordering::Relaxed);
    }
}

/// The microphone at the far end. It waits while no frames come.
#[derive(Debug)]
pub struct FarMicrophone {
    frames: Receiver<Vec<f32>>,
    next: Option<Vec<f32>>,
    interrupt: Arc<AtomicBool>,
    is_gone: bool,
}

impl FarMicrophone {
    pub(crate) fn is_over(&self) -> bool {
        self.is_gone
    }

    pub(crate) fn has_frame(&mut self) -> bool {
        self.next = self.next.take().or_else(|| self.frames.try_recv().ok());
        self.next.is_some()
    }

    pub(crate) fn frame(&mut self) -> Option<Vec<f32>> {
        while self.next.is_none() && !self.is_gone && !self.interrupt.load(Ordering::Relaxed) {
            match self.frames.recv_timeout(LOOK_EVERY) {
                Ok(frame) => self.next = Some(frame),
                Err(RecvTimeoutError::Timeout) => {}
                Err(RecvTimeoutError::Disconnected) => self.is_gone = true,
            }
        }
        self.next.take()
    }
}
