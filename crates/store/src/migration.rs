//! The history of the schema. A database remembers the migrations it has seen and gets the rest when it is opened.

use crate::StoreError;

pub(crate) struct Migration {
    pub(crate) version: i64,
    pub(crate) name: &'static str,
    pub(crate) text: &'static str,
}

const MIGRATIONS: &[Migration] = &[
    Migration { version: 1, name: "start", text: include_str!("../migrations/0001_start.sql") },
    Migration { version: 2, name: "scopes", text: include_str!("../migrations/0002_scopes.sql") },
    Migration { version: 3, name: "messages", text: include_str!("../migrations/0003_messages.sql") },
    Migration { version: 4, name: "due", text: include_str!("../migrations/0004_due.sql") },
    Migration { version: 5, name: "seen", text: include_str!("../migrations/0005_seen.sql") },
    Migration { version: 6, name: "chain", text: include_str!("../migrations/0006_chain.sql") },
    Migration { version: 7, name: "delivers", text: include_str!("../migrations/0007_delivers.sql") },
    Migration { version: 8, name: "marks", text: include_str!("../migrations/0008_marks.sql") },
    Migration { version: 9, name: "learners", text: include_str!("../migrations/0009_learners.sql") },
];

/// Refuses a schema that is newer than this program. A newer program may upgrade the database while this one runs,
/// so every transaction that commits a turn or deletes a learner checks the version first.
pub(crate) fn check(found: i64) -> Result<(), StoreError> {
    let known = MIGRATIONS.last().map_or(0, |migration| migration.version);
    if found > known { Err(StoreError::Newer { found, known }) } else { Ok(()) }
}

/// Returns the migrations that a database at version `found` still needs. Refuses a newer database.
pub(crate) fn missing(found: i64) -> Result<&'static [Migration], StoreError> {
    check(found)?;
    let first_missing = MIGRATIONS.partition_point(|migration| migration.version <= found);
    Ok(&MIGRATIONS[first_missing..])
}
