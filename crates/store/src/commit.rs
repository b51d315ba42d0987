//! Everything that one decision changes. A commit is written in one transaction or not at all.

use crate::{At, Effect, Instance, LogEntry, RecordChange, StoreError, Timer};

/// The most rows of one sort in a commit; no turn has a reason to write more. It may touch all documents of a
/// scope, so documents have a limit of their own.
const MAX_ROWS: usize = 1000;
pub(crate) const MAX_DOCUMENTS: usize = 65_536;

#[derive(Debug, Clone, PartialEq)]
pub struct Commit {
    /// The instance after the commit.
    pub instance: Instance,
    /// The position of the instance before the commit; `None` creates the instance.
    pub expect: Option<Expect>,
    /// One entry per transition, at least one. At most one of them carries a request.
    pub log: Vec<LogEntry>,
    pub effects: Vec<Effect>,
    /// `Some` replaces all timers of the instance.
    pub timers: Option<Vec<Timer>>,
    pub records: Vec<RecordChange>,
    /// The learner's documents that the decision rests on. They must not have changed since.
    pub seen: Option<Basis>,
    /// Whether the actions of its law are left out because nothing performs them. The commit is refused if
    /// something does.
    pub undelivered: bool,
    /// The key of the effect whose result this commit is. The effect is done in the same transaction.
    pub finishes: Option<String>,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Expect {
    pub version: u64,
    pub state: String,
    /// The creation time, which tells the instance from a deleted one of the same name.
    pub created_at: At,
}

/// The documents that a decision rests on besides the instance: a scope with all of its documents, and one document
/// outside it.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Basis {
    pub scope: String,
    /// The version that [`Store::scope`](crate::Store::scope) returned.
    pub version: u64,
    /// The version after a commit that changes documents. Neither this scope nor a deleted one of the same name had
    /// it before.
    pub next: u64,
    /// The kind and key of the document outside the scope. If there is none, no document has this name.
    pub kind: String,
    pub key: String,
    /// The document's body, as JSON; empty if there is no such document.
    pub body: String,
}

impl Basis {
    /// Returns the version of the scope after a commit.
    pub fn version_after(&self, records: &[RecordChange]) -> u64 {
        if records.is_empty() { self.version } else { self.next }
    }
}

impl Commit {
    /// Refuses a commit whose log would not match its instance, before a database sees it.
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
        let armed = self.timers.iter().flatten().map(|timer| &timer.instance);
        let own = &self.instance.id;
        // A message may wait in the queue of the flow that this one belongs to: `course` has `course.review`.
        let caused = self.effects.iter().map(|effect| &effect.instance);
        let is_beside = |owner: &str| own.strip_prefix(owner).is_some_and(|rest| rest.starts_with('.'));
        logged
            .chain(armed)
            .find(|owner| *owner != own)
            .or_else(|| caused.into_iter().find(|owner| *owner != own && !is_beside(owner)))
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
