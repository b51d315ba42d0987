//! Reads cards from the database in a package.

use std::collections::HashMap;

use coaching::pack::cards::{
    Card, Cards, Cloze, DEFAULT_DECK, LeftOut, MAX_FIELD_BYTES, MAX_NOTES, Note, Review, Side, plain_text,
};
use rusqlite::{Connection, Row};

use crate::database::{all, integer, open, require, text};
use crate::names::{Head, Names, NoteType};
use crate::schedule::{HistoryEntry, Schedule};
use crate::{AnkiError, MAX_CARDS, MAX_REVIEWS};

/// Reads the bytes of a database.
pub(crate) fn read(database: Vec<u8>) -> Result<Cards, AnkiError> {
    let connection = open(database)?;
    require(&connection, &["col", "notes", "cards", "revlog"])?;
    let head = connection.query_row(include_str!("sql/collection.sql"), [], Head::of)?;
    let names = Names::read(&connection, &head)?;
    let mut left_out = LeftOut::default();
    let reviews = reviews(&connection, &mut left_out)?;
    let rows = all(&connection, include_str!("sql/notes.sql"), "notes", MAX_NOTES, NoteRow::of)?;
    let mut reader = Reader { head, names, reviews, cards: card_rows(&connection)?, left_out };
    let mut notes = Vec::with_capacity(rows.len());
    for row in rows {
        notes.extend(reader.note(row)?);
    }
    Ok(Cards { notes, left_out: reader.left_out })
}

struct NoteRow {
    id: i64,
    guid: String,
    note_type: i64,
    tags: String,
    fields: String,
}

impl NoteRow {
    fn of(row: &Row) -> rusqlite::Result<NoteRow> {
        Ok(NoteRow {
            id: integer(row, 0)?,
            guid: text(row, 1)?,
            note_type: integer(row, 2)?,
            tags: text(row, 3)?,
            fields: text(row, 4)?,
        })
    }
}

struct CardRow {
    id: i64,
    note: i64,
    /// The card's position among the note's cards, from 0.
    place: i64,
    deck: i64,
    schedule: Schedule,
}

impl CardRow {
    fn of(row: &Row) -> rusqlite::Result<CardRow> {
        let schedule = Schedule {
            stage: integer(row, 4)?,
            queue: integer(row, 5)?,
            due: integer(row, 6)?,
            interval: integer(row, 7)?,
            factor: integer(row, 8)?,
            reps: integer(row, 9)?,
            lapses: integer(row, 10)?,
            original_due: integer(row, 11)?,
            data: text(row, 12)?,
        };
        let [id, note, place, deck] =
            [integer(row, 0)?, integer(row, 1)?, integer(row, 2)?, integer(row, 3)?];
        Ok(CardRow { id, note, place, deck, schedule })
    }
}

/// Reads the cards of each note, ordered by position.
fn card_rows(connection: &Connection) -> Result<HashMap<i64, Vec<CardRow>>, AnkiError> {
    let mut rows = all(connection, include_str!("sql/cards.sql"), "cards", MAX_CARDS, CardRow::of)?;
    rows.sort_by_key(|row| row.place);
    let mut by_note: HashMap<i64, Vec<CardRow>> = HashMap::new();
    for row in rows {
        by_note.entry(row.note).or_default().push(row);
    }
    Ok(by_note)
}

/// Reads the answers to each card, oldest first.
fn reviews(connection: &Connection, left_out: &mut LeftOut) -> Result<HashMap<i64, Vec<Review>>, AnkiError> {
    let entry = |row: &Row| {
        let [at_ms, button, interval] = [integer(row, 1)?, integer(row, 2)?, integer(row, 3)?];
        let [took_ms, kind] = [integer(row, 4)?, integer(row, 5)?];
        Ok((integer(row, 0)?, HistoryEntry { at_ms, button, interval, took_ms, kind }))
    };
    let mut by_card: HashMap<i64, Vec<Review>> = HashMap::new();
    for (card, entry) in all(connection, include_str!("sql/reviews.sql"), "reviews", MAX_REVIEWS, entry)? {
        match entry.to_review() {
            Some(review) => by_card.entry(card).or_default().push(review),
            None => left_out.changes_by_hand += 1,
        }
    }
    Ok(by_card)
}

struct Reader {
    head: Head,
    names: Names,
    /// The answers, by the id of the card.
    reviews: HashMap<i64, Vec<Review>>,
    /// The cards, by the id of the note.
    cards: HashMap<i64, Vec<CardRow>>,
    left_out: LeftOut,
}

/// The stand-in for a note type that the collection lacks.
const UNKNOWN_TYPE: NoteType = NoteType { front: 0, back: 1, is_cloze: false };

impl Reader {
    fn note(&mut self, row: NoteRow) -> Result<Option<Note>, AnkiError> {
        let note_type = self.names.note_types.get(&row.note_type).copied().unwrap_or(UNKNOWN_TYPE);
        let rows = self.cards.remove(&row.id).unwrap_or_default();
        let deck = rows.first().and_then(|row| self.names.decks.get(&row.deck));
        let deck = deck.map_or(DEFAULT_DECK, String::as_str).to_owned();
        let Some((front, back)) = self.sides(&row.fields, note_type) else { return Ok(None) };
        let cards = self.cards(rows, note_type)?;
        let tags = row.tags.split_whitespace().map(str::to_owned).collect();
        Ok(Some(Note { guid: row.guid, deck, front, back, tags, cards }))
    }

    /// Returns front and back as plain text. A note with no text or too much of it is counted and left out.
    fn sides(&mut self, fields: &str, note_type: NoteType) -> Option<(String, String)> {
        let fields: Vec<&str> = fields.split('\x1f').collect();
        let mut plain = |at: usize| {
            let plain = plain_text(fields.get(at).copied().unwrap_or_default());
            self.left_out.sounds += plain.sounds;
            self.left_out.images += plain.images;
            plain.text
        };
        let (mut front, mut back) = (plain(note_type.front), plain(note_type.back));
        if note_type.is_cloze {
            let Cloze { whole, gapped } = Cloze::new(&front);
            front = whole;
            back = if back.is_empty() { gapped } else { back };
        }
        if front.is_empty() {
            self.left_out.notes_without_text += 1;
            return None;
        }
        if front.len().max(back.len()) > MAX_FIELD_BYTES {
            self.left_out.notes_too_long += 1;
            return None;
        }
        Some((front, back))
    }

    fn cards(&mut self, rows: Vec<CardRow>, note_type: NoteType) -> Result<Vec<Card>, AnkiError> {
        let mut cards = Vec::with_capacity(2);
        for row in rows {
            let asks = match row.place {
                _ if note_type.is_cloze => Side::Front,
                0 => Side::Front,
                1 => Side::Back,
                _ => {
                    self.left_out.cards += 1;
                    continue;
                }
            };
            let reviews = self.reviews.remove(&row.id).unwrap_or_default();
            cards.push(row.schedule.to_card(self.head.made_at_s, asks, reviews)?);
        }
        if note_type.is_cloze && cards.len() > 1 {
            self.left_out.cards += cards.len() - 1;
            cards = Note { cards, ..Note::default() }.most_reviewed().cloned().into_iter().collect();
        }
        Ok(cards)
    }
}
