//! A microphone at the other end of a connection, such as a browser's, and what that end should do.
//!
//! The owner of the connection passes on what comes by a [`Wire`]; a run listens as on this machine. Nothing is
//! kept: sound that no run waits for is dropped.

use crate::{FRAME, RATE, Sound};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{Receiver, RecvTimeoutError, SyncSender, sync_channel};
use std::time::Duration;

/// The most that waits to be heard: ten seconds.
const MOST_FRAMES: usize = 10 * RATE as usize / FRAME;
/// Enough silence for the end of speech.
const PAUSE_FRAMES: usize = 16;
/// How often the other end is looked at while nothing comes.
const LOOK_EVERY: Duration = Duration::from_millis(50);

/// What the other end wants, seen by everyone who listens and speaks.
#[derive(Debug, Clone, Default)]
pub struct Wishes {
    /// Ends whatever waits.
    pub interrupt: Arc<AtomicBool>,
    /// The coach should be silent until it has listened again.
    pub(crate) hush: Arc<AtomicBool>,
    pub(crate) has_played: Arc<AtomicBool>,
}

impl Wishes {
    /// A wish for silence is for one answer.
    pub fn begin_anew(&self) {
        self.hush.store(false, Ordering::Relaxed);
    }
}

/// The near end of the connection.
#[derive(Debug)]
pub struct Wire {
    frames: SyncSender<Vec<f32>>,
    /// Samples that do not fill a frame yet.
    rest: Vec<f32>,
    pub wishes: Wishes,
}

/// A wire, and the microphone at its end.
pub fn connect() -> (Wire, FarMicrophone) {
    let (sender, frames) = sync_channel(MOST_FRAMES);
    let wishes = Wishes::default();
    let microphone =
        FarMicrophone { frames, next: None, interrupt: wishes.interrupt.clone(), is_gone: false };
    (Wire { frames: sender, rest: Vec::new(), wishes }, microphone)
}

impl Wire {
    /// Passes on 16-bit samples. If no run has listened for long, they are dropped.
    pub fn hear(&mut self, pcm: &[u8]) {
        self.rest.extend(Sound::from_pcm(RATE, pcm).samples);
        while self.rest.len() >= FRAME {
            let after = self.rest.split_off(FRAME);
            let _ = self.frames.try_send(std::mem::replace(&mut self.rest, after));
        }
    }

    /// Nothing more is said for now, so the end of speech need not be waited for.
    pub fn pause(&mut self) {
        self.rest.clear();
        for _ in 0..PAUSE_FRAMES {
            let _ = self.frames.try_send(vec![0.0; FRAME]);
        }
    }

    /// The coach should stop speaking.
    pub fn hush(&self) {
        self.wishes.hush.store(true, Ordering::Relaxed);
    }

    /// What was spoken last has been played.
    pub fn has_played(&self) {
        self.wishes.has_played.store(true, Ordering::Relaxed);
    }
}

/// Frames from elsewhere. While none comes, it waits.
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
