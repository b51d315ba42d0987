//! Reads and writes Anki's packages (`.apkg`): a zip file around an SQLite database.
//!
//! Three forms are read: `collection.anki2` and `collection.anki21` are plain databases with note types and decks as
//! JSON; `collection.anki21b` is compressed and keeps them in tables. This crate writes the second form, because every
//! recent Anki reads it, on desktops and on phones.
//!
//! A package is a stranger's file. It is never unpacked to disk. Its database is read from memory, within bounds, and only
//! if its tables are plain tables.

mod collection;
mod database;
mod names;
mod package;
mod schedule;
mod update;
mod writer;

use std::io::{Read, Seek};

use coaching::pack::cards::{Cards, MAX_NOTES};

pub use update::{Updated, update_collection, update_package};
pub use writer::write;

/// Reads the notes of a package with their schedule and history.
pub fn read(package: impl Read + Seek) -> Result<Cards, AnkiError> {
    let package = package::read(package)?;
    let mut cards = collection::read(package.collection)?;
    cards.left_out.media_files = package.media_files;
    Ok(cards)
}

/// The largest size of an unpacked collection.
pub const MAX_COLLECTION_BYTES: usize = 256 << 20;
const MAX_CARDS: usize = 4 * MAX_NOTES;
const MAX_REVIEWS: usize = 2_000_000;

/// The reason why a package cannot be read or written.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum AnkiError {
    #[error(
        "this is not an Anki package: {0}. Export the deck from Anki again, as “Anki Deck Package (.apkg)”"
    )]
    NotAPackage(String),
    #[error(
        "the package has format {0}, newer than this program knows. \
         Export it again with “Support older Anki versions” ticked"
    )]
    TooNew(i32),
    #[error("the package is damaged: {0}. Download or export it again")]
    Damaged(String),
    #[error("“{name}” unpacks to more than {limit_bytes} bytes. Export fewer decks at a time")]
    TooLarge { name: String, limit_bytes: usize },
    #[error("“{0}” unpacks to far more data than a real collection. Do not trust the source of this file")]
    Bomb(String),
    #[error("there are more than {limit} {what}. Export fewer decks at a time")]
    TooMany { what: &'static str, limit: usize },
}

impl From<rusqlite::Error> for AnkiError {
    fn from(error: rusqlite::Error) -> AnkiError {
        AnkiError::Damaged(format!("its database cannot be read: {error}"))
    }
}

/// Seconds per day. Anki keeps whole days, counted from when the collection was made.
const S_PER_DAY: i64 = 86_400;
const US_PER_S: i64 = 1_000_000;
const US_PER_MS: i64 = 1_000;
