//! Lets two hooks give one answer. A user's own hook and a project's hook report the same stop at the same
//! moment; the first decides, and the other repeats its answer, so that the stop counts once.

use serde::{Deserialize, Serialize};
use serde_json::{Value, json};
use shell::agent::{Outcome, hash};
use std::fs::{File, OpenOptions};
use std::io::{Read, Seek, SeekFrom, Write};
use std::path::Path;
use std::time::Duration;
use store::At;

/// The number of files that all stops share, which keeps the folder small.
const SLOTS: u64 = 64;
const MAX_FILE_BYTES: u64 = 64 << 10;
const MAX_STRANGERS: u32 = 1;
const PAUSE: Duration = Duration::from_millis(20);

/// A stop that is being decided. The lock on its file ends with the process.
#[derive(Debug)]
pub(super) struct Slot {
    file: File,
    key: String,
}

/// The content of a slot's file.
#[derive(Debug, Default, Serialize, Deserialize)]
#[serde(default)]
struct Kept {
    key: String,
    ended_us: Option<i64>,
    decision: String,
    reason: String,
    message: Option<String>,
}

/// The hook that decides about a stop.
#[derive(Debug)]
pub(super) enum Turn {
    /// This hook decides, and leaves its answer for another one.
    First(Slot),
    /// Another hook has decided at the same moment.
    Second(Box<Outcome>),
    /// This hook decides, because it cannot tell whether there is another one.
    Alone,
}

/// Claims a stop. If another hook is deciding about the same payload, waits for its answer.
pub(super) async fn take(data: &Path, agent: &str, session: &str, payload: &Value, began: At) -> Turn {
    let key = format!("{:016x}", hash(&(agent, payload.to_string())));
    let Some(mut file) = open(data, &key) else { return Turn::Alone };
    let mut strangers = 0;
    while file.try_lock().is_err() {
        // The process that holds the lock may not have written its key yet.
        strangers += u32::from(read(&mut file).is_none_or(|kept| kept.key != key));
        if strangers > MAX_STRANGERS {
            return Turn::Alone;
        }
        tokio::time::sleep(PAUSE).await;
    }
    let kept = read(&mut file).unwrap_or_default();
    // A hook that began after the other one had ended reports another stop with the same words.
    if kept.key == key && kept.ended_us.is_some_and(|ended_us| began.0 <= ended_us) {
        return Turn::Second(Box::new(answer(session, kept)));
    }
    let mut slot = Slot { file, key };
    slot.write(None, &Outcome::default());
    Turn::First(slot)
}

impl Slot {
    /// Leaves the answer for the other hook. If nothing was decided, the other hook decides itself.
    pub(super) fn leave(mut self, now: At, outcome: &Outcome) {
        let is_decided = ["continue", "deliver"].contains(&outcome.decision);
        self.write(is_decided.then_some(now), outcome);
    }

    fn write(&mut self, ended: Option<At>, outcome: &Outcome) {
        let kept = Kept {
            key: self.key.clone(),
            ended_us: ended.map(|at| at.0),
            decision: outcome.decision.to_owned(),
            reason: outcome.reason.clone(),
            message: outcome.message.clone(),
        };
        let written = self
            .file
            .seek(SeekFrom::Start(0))
            .and_then(|_| self.file.set_len(0))
            .and_then(|()| self.file.write_all(json!(kept).to_string().as_bytes()));
        if let Err(error) = written {
            tracing::warn!("the answer for another hook cannot be kept: {error}");
        }
    }
}

fn answer(session: &str, kept: Kept) -> Outcome {
    Outcome {
        session: session.to_owned(),
        reason: kept.reason,
        message: kept.message,
        notes: vec!["two hooks report the same stop; `etude agent uninstall` removes one".to_owned()],
        ..Outcome::default()
    }
}

fn open(data: &Path, key: &str) -> Option<File> {
    let folder = data.join("stops");
    std::fs::create_dir_all(&folder).ok()?;
    let mut options = OpenOptions::new();
    options.read(true).write(true).create(true).truncate(false);
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
    options.open(folder.join(format!("{:02}.json", hash(&key) % SLOTS))).ok()
}

fn read(file: &mut File) -> Option<Kept> {
    let mut text = String::new();
    file.seek(SeekFrom::Start(0)).ok()?;
    file.take(MAX_FILE_BYTES).read_to_string(&mut text).ok()?;
    serde_json::from_str(&text).ok()
}
