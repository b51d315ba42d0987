//! One decision, whole: everything a turn changes, to be written in one transaction or not at all.

use crate::{At, Effect, Instance, LogEntry, RecordChange, StoreError, Timer};

/// More rows of one sort than any turn has a reason to write. Documents are more: a turn may touch all of a scope.
const MAX_ROWS: usize = 1000;
pub(crate) const MAX_DOCUMENTS: usize = 65_536;

#[derive(Debug, Clone, PartialEq)]
pub struct Commit {
    /// The instance as it shall be.
    pub instance: Instance,
    /// Where the instance must stand for this to happen; `None` creates it.
    pub expect: Option<Expect>,
    /// One entry per transition. A change needs at least one, and one of them at most carries a request.
    pub log: Vec<LogEntry>,
    pub effects: Vec<Effect>,
    /// `Some` replaces all timers of the instance.
    pub timers: Option<Vec<Timer>>,
    pub records: Vec<RecordChange>,
    /// The learner's documents that this was decided with, which must not have changed since.
    pub seen: Option<Seen>,
    /// Its actions are left out because nobody performs those of its law; refused if somebody does.
    pub undelivered: bool,
    /// The key of the effect whose result this is; it is done in the same moment.
    pub finishes: Option<String>,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Expect {
    pub version: u64,
    pub state: String,
    /// Tells it from an instance that had its name before and was deleted.
    pub created_at: At,
}

/// What a decision rests on besides the instance: a scope with all of its documents, and one document outside of it.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Seen {
    pub scope: String,
    /// As [`Store::scope`](crate::Store::scope) gave it.
    pub version: u64,
    /// What a commit that changes documents makes of it: one that this scope, or one of its name that was deleted,
    /// never had before.
    pub next: u64,
    /// Of the document outside; a name that no document has stands for none.
    pub kind: String,
    pub key: String,
    /// JSON; empty if there was no such document.
    pub body: String,
}

impl Seen {
    /// The version of the scope after a commit.
    pub fn version_after(&self, records: &[RecordChange]) -> u64 {
        if records.is_empty() { self.version } else { self.next }
    }
}

impl Commit {
    /// Refuses what would make the log lie about the instance, before any database sees it.
    pub(crate) fn check(&self) -> Result<(), StoreError> {
        let defect = self.size_defect().or_else(|| self.owner_defect()).or_else(|| self.log_defect());
        defect.map_or(Ok(()), |text| Err(StoreError::Invalid(text)))
    }

    pub(crate) fn request(&self) -> Option<&str> {
        self.log.iter().find_map(|entry| entry.request.as_deref())
    }

    fn size_defect(&self) -> Option<String> {
        let timers = self.timers.as_ref().map_or(0, Vec::len);
        [
            ("log", self.log.len(), MAX_ROWS),
            ("effects", self.effects.len(), MAX_ROWS),
            ("timers", timers, MAX_ROWS),
            ("records", self.records.len(), MAX_DOCUMENTS),
        ]
        .into_iter()
        .find(|(_, rows, most)| rows > most)
        .map(|(what, rows, most)| format!("{rows} {what} in one commit, at most {most} are allowed"))
    }

    fn owner_defect(&self) -> Option<String> {
        let logged = self.log.iter().map(|entry| &entry.instance);
        let caused = self.effects.iter().map(|effect| &effect.instance);
        let armed = self.timers.iter().flatten().map(|timer| &timer.instance);
        logged
            .chain(caused)
            .chain(armed)
            .find(|owner| **owner != self.instance.id)
            .map(|owner| format!("a row of {owner} in a commit of {}", self.instance.id))
    }

    fn log_defect(&self) -> Option<String> {
        let versions: Vec<u64> = self.log.iter().map(|entry| entry.version).collect();
        let last = versions.last().copied();
        if versions.windows(2).any(|pair| pair[0] + 1 != pair[1]) {
            return Some(format!("the versions in the log do not follow each other: {versions:?}"));
        }
        if last.is_some_and(|version| version != self.instance.version) {
            return Some(format!(
                "the log ends at {last:?}, the instance at version {}",
                self.instance.version
            ));
        }
        let before = self.expect.as_ref().map_or(0, |expect| expect.version);
        if versions.first() != Some(&(before + 1)) {
            return Some(format!("the log {versions:?} does not lead away from version {before}"));
        }
        let requests = self.log.iter().filter(|entry| entry.request.is_some()).count();
        (requests > 1).then(|| format!("{requests} requests in one commit, one is the most"))
    }
}
