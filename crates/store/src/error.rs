//! The errors of the store, with one variant for each way in which a caller can respond.

use rusqlite::ErrorCode;

#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum StoreError {
    #[error(
        "cannot understand the database address: {0}. Use sqlite:PATH, sqlite::memory: or postgres://USER@HOST/NAME"
    )]
    Address(String),
    #[error(
        "the database has schema version {found}, this program knows only {known}. \
         Use a newer program, or restore the backup taken before the upgrade"
    )]
    Newer { found: i64, known: i64 },
    #[error("the database does not answer: {0}. Nothing was changed; try again when it is back")]
    Unavailable(String),
    #[error(
        "the connection broke while the change was being committed and the database did not come back in time: {0}. \
         The change may or may not be there; load the instance again before repeating it"
    )]
    InDoubt(String),
    #[error(
        "another program has locked the database: {0}. Nothing was changed; try again, or stop the other program"
    )]
    Busy(String),
    #[error("the disk is full: {0}. Nothing was changed; free some space and try again")]
    Full(String),
    #[error(
        "the database cannot be written: {0}. Check the owner and permissions of the file and its folder"
    )]
    ReadOnly(String),
    #[error("the disk failed: {0}. Nothing was changed; check the disk and the system log")]
    Io(String),
    #[error("the database is corrupt: {0}. Restore a backup")]
    Corrupt(String),
    #[error("the change contradicts itself: {0}. Nothing was changed; this is a defect of the caller")]
    Invalid(String),
    #[error("this cannot be restored: {0}. Nothing was changed; use another copy of the backup")]
    Backup(String),
    #[error(
        "the database has data already. Nothing was changed; restore into an empty database, or say that its data is \
         to be replaced"
    )]
    Occupied,
    #[error("the store is closed. Open it again")]
    Closed,
    #[error("the database refused a statement: {0}. Nothing was changed")]
    Refused(String),
}

impl StoreError {
    /// Turns an error after a lost COMMIT into doubt: neither "unavailable" nor "newer schema" may then promise
    /// that nothing happened.
    pub(crate) fn doubted(self) -> Self {
        match self {
            Self::Unavailable(why) => Self::InDoubt(why),
            newer @ Self::Newer { .. } => Self::InDoubt(newer.to_string()),
            other => other,
        }
    }
}

/// The reason why a commit did not happen.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum CommitError {
    #[error("the instance has moved on: {}. Load it and decide again", standing(.current))]
    Conflict { current: Option<(u64, String)> },
    #[error("an instance with this id exists already. Load it, or choose another id")]
    Exists,
    #[error("this request was answered before, by version {version}. Show that answer again")]
    Duplicate { version: u64 },
    #[error(transparent)]
    Store(#[from] StoreError),
}

fn standing(current: &Option<(u64, String)>) -> String {
    match current {
        Some((version, state)) => format!("it is at version {version} in state {state}"),
        None => "it does not exist".to_owned(),
    }
}

impl From<rusqlite::Error> for StoreError {
    fn from(error: rusqlite::Error) -> Self {
        let text = error.to_string();
        match error.sqlite_error_code() {
            _ if is_damage(&error) => Self::Corrupt(text),
            Some(ErrorCode::DiskFull) => Self::Full(text),
            Some(ErrorCode::SystemIoFailure) => Self::Io(text),
            Some(ErrorCode::DatabaseBusy | ErrorCode::DatabaseLocked) => Self::Busy(text),
            Some(ErrorCode::ReadOnly | ErrorCode::PermissionDenied | ErrorCode::CannotOpen) => {
                Self::ReadOnly(text)
            }
            Some(ErrorCode::DatabaseCorrupt | ErrorCode::NotADatabase) => Self::Corrupt(text),
            Some(ErrorCode::ConstraintViolation) => Self::Invalid(text),
            _ => Self::Refused(text),
        }
    }
}

/// Whether a file is damaged although SQLite reports something else: it was cut short, or a value is not the one
/// that was stored.
fn is_damage(error: &rusqlite::Error) -> bool {
    const SHORT_READ: i32 = 522;
    const BAD_CHECKSUM: i32 = 8202;
    const CORRUPT_FILE_SYSTEM: i32 = 8458;
    match error {
        rusqlite::Error::SqliteFailure(failure, text) => {
            [SHORT_READ, BAD_CHECKSUM, CORRUPT_FILE_SYSTEM].contains(&failure.extended_code)
                || text.as_deref().is_some_and(|text| text.contains("malformed"))
        }
        rusqlite::Error::Utf8Error(..) | rusqlite::Error::FromSqlConversionFailure(..) => true,
        _ => false,
    }
}

impl From<tokio_postgres::Error> for StoreError {
    fn from(error: tokio_postgres::Error) -> Self {
        let Some(refusal) = error.as_db_error() else {
            return Self::Unavailable(with_source(&error));
        };
        let text = refusal.to_string();
        match refusal.code().code() {
            // Shutting down, crashing, starting up; lost connections; too many connections; statement time-out.
            code if code.starts_with("57") || code.starts_with("08") || code == "53300" => {
                Self::Unavailable(text)
            }
            "53100" => Self::Full(text),
            "55P03" | "40001" | "40P01" => Self::Busy(text),
            "25006" | "42501" => Self::ReadOnly(text),
            code if code.starts_with("58") => Self::Io(text),
            // Etude casts only stored text, so a cast that fails means damage.
            "22P02" => Self::Corrupt(text),
            code if code.starts_with("XX") => Self::Corrupt(text),
            // Contradictions, and values that the database cannot hold.
            code if code.starts_with("23") || code.starts_with("22") => Self::Invalid(text),
            _ => Self::Refused(text),
        }
    }
}

/// Adds the reason to an error of the client library, whose outer error only says "error connecting".
fn with_source(error: &tokio_postgres::Error) -> String {
    match std::error::Error::source(error) {
        Some(source) => format!("{error}: {source}"),
        None => error.to_string(),
    }
}
