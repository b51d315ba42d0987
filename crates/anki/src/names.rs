//! Reads the note types and decks that the ids in notes and cards refer to.
//!
//! Older collections keep both as JSON in one row, newer ones in tables. Only two things matter here: the names of
//! decks, and which two fields of a note are its sides.

use std::collections::HashMap;

use prost::Message;
use rusqlite::{Connection, Row};
use serde::Deserialize;
use serde::de::DeserializeOwned;

use crate::AnkiError;
use crate::database::{all, integer, require, text};

/// The row in which a collection describes itself.
#[derive(Debug)]
pub(crate) struct Head {
    /// The time from which days are counted.
    pub made_at_s: i64,
    pub version: i64,
    pub models: String,
    pub decks: String,
}

#[derive(Debug, Default)]
pub(crate) struct Names {
    pub decks: HashMap<i64, String>,
    pub note_types: HashMap<i64, NoteType>,
}

/// The positions of a note's sides among its fields.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct NoteType {
    pub front: usize,
    pub back: usize,
    /// Whether the front has gaps, each of which is a card.
    pub is_cloze: bool,
}

impl Head {
    pub(crate) fn of(row: &Row) -> rusqlite::Result<Head> {
        Ok(Head {
            made_at_s: integer(row, 0)?,
            version: integer(row, 1)?,
            models: text(row, 2)?,
            decks: text(row, 3)?,
        })
    }
}

impl Names {
    pub(crate) fn read(connection: &Connection, head: &Head) -> Result<Names, AnkiError> {
        if head.version < FIRST_WITH_TABLES { Names::from_json(head) } else { Names::from_tables(connection) }
    }

    fn from_json(head: &Head) -> Result<Names, AnkiError> {
        let decks: HashMap<String, JsonDeck> = parse("decks", &head.decks)?;
        let models: HashMap<String, JsonModel> = parse("note types", &head.models)?;
        let note_type = |model: JsonModel| {
            let names: Vec<String> = model.flds.into_iter().map(|field| field.name).collect();
            NoteType::new(&names, model.kind == CLOZE)
        };
        Ok(Names {
            decks: keyed("deck", decks, |deck| deck.name)?,
            note_types: keyed("note type", models, note_type)?,
        })
    }

    fn from_tables(connection: &Connection) -> Result<Names, AnkiError> {
        require(connection, &["decks", "notetypes", "fields"])?;
        let text_of = |row: &Row| Ok((integer(row, 0)?, row.get::<_, String>(1)?));
        let bytes_of = |row: &Row| Ok((integer(row, 0)?, row.get::<_, Vec<u8>>(1)?));
        let decks = all(connection, include_str!("sql/decks.sql"), "decks", MAX_NAMES, text_of)?;
        let types = all(connection, include_str!("sql/note_types.sql"), "note types", MAX_NAMES, bytes_of)?;
        let mut fields: HashMap<i64, Vec<String>> = HashMap::new();
        for (owner, name) in all(connection, include_str!("sql/fields.sql"), "fields", MAX_NAMES, text_of)? {
            fields.entry(owner).or_default().push(name);
        }
        let mut note_types = HashMap::new();
        for (id, config) in types {
            let config = NoteTypeConfig::decode(config.as_slice())
                .map_err(|error| AnkiError::Damaged(format!("a note type cannot be read: {error}")))?;
            let names = fields.remove(&id).unwrap_or_default();
            note_types.insert(id, NoteType::new(&names, config.kind == CLOZE));
        }
        // The tables separate the parts of a deck's path by a control character.
        let decks = decks.into_iter().map(|(id, name)| (id, name.replace('\x1f', "::"))).collect();
        Ok(Names { decks, note_types })
    }
}

impl NoteType {
    fn new(fields: &[String], is_cloze: bool) -> NoteType {
        let find = |wanted: &str| fields.iter().position(|name| name.eq_ignore_ascii_case(wanted));
        match (find("front"), find("back")) {
            (Some(front), Some(back)) if !is_cloze => NoteType { front, back, is_cloze },
            _ => NoteType { front: 0, back: 1, is_cloze },
        }
    }
}

/// The first schema that keeps note types and decks in tables.
const FIRST_WITH_TABLES: i64 = 15;
const CLOZE: i32 = 1;
/// The limit for decks, for note types and for all their fields together.
const MAX_NAMES: usize = 100_000;

#[derive(Deserialize)]
struct JsonDeck {
    name: String,
}

#[derive(Deserialize)]
struct JsonModel {
    #[serde(rename = "type", default)]
    kind: i32,
    flds: Vec<JsonField>,
}

#[derive(Deserialize)]
struct JsonField {
    name: String,
}

#[derive(Clone, PartialEq, Message)]
struct NoteTypeConfig {
    #[prost(int32, tag = "1")]
    kind: i32,
}

fn parse<T: DeserializeOwned>(what: &str, json: &str) -> Result<T, AnkiError> {
    serde_json::from_str(json)
        .map_err(|error| AnkiError::Damaged(format!("its {what} cannot be read: {error}")))
}

/// Reads the keys of JSON, which are text, as the ids they hold.
fn keyed<T, U>(
    what: &str,
    entries: HashMap<String, T>,
    f: impl Fn(T) -> U,
) -> Result<HashMap<i64, U>, AnkiError> {
    let entry = |(id, value): (String, T)| match id.parse() {
        Ok(id) => Ok((id, f(value))),
        Err(_) => Err(AnkiError::Damaged(format!("a {what} has the id “{id}”"))),
    };
    entries.into_iter().map(entry).collect()
}
