//! Brings answers back into the collection that the cards came from. Notes, note types, sides and ids stay as they
//! are, and so does the history: only answers given elsewhere since are added to it.

use std::collections::HashMap;
use std::io::Cursor;
use std::path::Path;

use coaching::pack::cards::{Card, Rating, Review};
use rusqlite::{Connection, MAIN_DB, OpenFlags, Row, Transaction, params};
use serde_json::{Map, Value};

use crate::database::{all, integer, open_to_change, require, text};
use crate::names::Head;
use crate::schedule::{HistoryEntry, Schedule};
use crate::{AnkiError, MAX_CARDS, MAX_NOTES, MAX_REVIEWS, US_PER_MS, US_PER_S, package};

/// The outcome of bringing answers back.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Updated {
    pub cards: usize,
    pub reviews: usize,
}

/// Returns the package with the answers of `learned`, which knows the card of a note by the note's guid.
pub fn update_package(
    source: &[u8],
    learned: impl Fn(&str) -> Option<Card>,
    now_us: i64,
) -> Result<(Vec<u8>, Updated), AnkiError> {
    let mut connection = open_to_change(package::read(Cursor::new(source))?.collection)?;
    let updated = update(&mut connection, learned, now_us)?;
    let collection = connection.serialize(MAIN_DB)?;
    Ok((package::replace(source, &collection)?, updated))
}

/// Updates the file of a collection, such as that of a profile. Anki must not have it open.
pub fn update_collection(
    path: &Path,
    learned: impl Fn(&str) -> Option<Card>,
    now_us: i64,
) -> Result<Updated, AnkiError> {
    let mut connection = Connection::open_with_flags(path, OpenFlags::SQLITE_OPEN_READ_WRITE)?;
    connection.execute_batch("PRAGMA trusted_schema = OFF; PRAGMA locking_mode = EXCLUSIVE;")?;
    update(&mut connection, learned, now_us)
}

fn update(
    connection: &mut Connection,
    learned: impl Fn(&str) -> Option<Card>,
    now_us: i64,
) -> Result<Updated, AnkiError> {
    require(connection, &["col", "notes", "cards", "revlog"])?;
    let transaction = connection.transaction()?;
    let head = transaction.query_row(include_str!("sql/collection.sql"), [], Head::of)?;
    let known = Known::read(&transaction)?;
    let mut updated = Updated::default();
    let guid = |row: &Row| Ok((integer(row, 0)?, text(row, 1)?));
    for (note, guid) in all(&transaction, include_str!("sql/notes.sql"), "notes", MAX_NOTES, guid)? {
        let (Some(card), Some(there)) = (learned(&guid), known.most_answered(note)) else { continue };
        let last_ms = known.last_answer_ms(there.id);
        let new: Vec<Review> =
            card.reviews.iter().copied().filter(|review| review.at_us / US_PER_MS > last_ms).collect();
        if !new.is_empty() {
            write(&transaction, &Change { head: &head, there, card: &card, new: &new, now_us })?;
            updated.cards += 1;
            updated.reviews += new.len();
        }
    }
    transaction.execute(include_str!("sql/touch_collection.sql"), params![now_us / US_PER_MS])?;
    transaction.commit()?;
    Ok(updated)
}

/// The cards and answers that a collection has.
struct Known {
    /// The cards by the id of the note, in the order of their places.
    cards: HashMap<i64, Vec<There>>,
    /// The time of the newest answer to each card, and the number of its answers.
    answers: HashMap<i64, (i64, usize)>,
}

/// A card as the collection has it.
struct There {
    id: i64,
    queue: i64,
    reps: i64,
    lapses: i64,
    factor: i64,
    interval: i64,
    data: String,
}

impl Known {
    fn read(connection: &Connection) -> Result<Known, AnkiError> {
        let card = |row: &Row| {
            let there = There {
                id: integer(row, 0)?,
                queue: integer(row, 5)?,
                interval: integer(row, 7)?,
                factor: integer(row, 8)?,
                reps: integer(row, 9)?,
                lapses: integer(row, 10)?,
                data: text(row, 12)?,
            };
            Ok((integer(row, 1)?, integer(row, 2)?, there))
        };
        let mut rows = all(connection, include_str!("sql/cards.sql"), "cards", MAX_CARDS, card)?;
        rows.sort_by_key(|(_, place, _)| *place);
        let mut cards: HashMap<i64, Vec<There>> = HashMap::new();
        for (note, _, there) in rows {
            cards.entry(note).or_default().push(there);
        }
        let answer = |row: &Row| Ok((integer(row, 0)?, integer(row, 1)?));
        let mut answers: HashMap<i64, (i64, usize)> = HashMap::new();
        for (card, at_ms) in all(connection, include_str!("sql/reviews.sql"), "reviews", MAX_REVIEWS, answer)?
        {
            let (last_ms, count) = answers.entry(card).or_default();
            (*last_ms, *count) = (at_ms.max(*last_ms), *count + 1);
        }
        Ok(Known { cards, answers })
    }

    /// Returns the card that stands for its note: the one that an import takes.
    fn most_answered(&self, note: i64) -> Option<&There> {
        let count = |there: &&There| {
            let answers = self.answers.get(&there.id).map_or(0, |(_, count)| *count as i64);
            there.reps.max(answers)
        };
        self.cards.get(&note)?.iter().rev().max_by_key(count)
    }

    fn last_answer_ms(&self, card: i64) -> i64 {
        self.answers.get(&card).map_or(0, |(last_ms, _)| *last_ms)
    }
}

struct Change<'a> {
    head: &'a Head,
    there: &'a There,
    card: &'a Card,
    new: &'a [Review],
    now_us: i64,
}

fn write(transaction: &Transaction<'_>, change: &Change<'_>) -> Result<(), AnkiError> {
    let Change { head, there, card, new, now_us } = change;
    let schedule = Schedule::of_card(card, head.made_at_s, 0);
    // A card that the learner has put aside stays put aside.
    let queue = if there.queue < 0 { there.queue } else { schedule.queue };
    let factor = if there.factor > 0 { there.factor } else { schedule.factor };
    let lapses = new.iter().filter(|review| review.rating == Rating::Again).count() as i64;
    transaction.execute(
        include_str!("sql/update_card.sql"),
        params![
            there.id,
            now_us / US_PER_S,
            schedule.stage,
            queue,
            schedule.due,
            schedule.interval,
            factor,
            there.reps + new.len() as i64,
            there.lapses + lapses,
            merged(&there.data, &schedule.data),
        ],
    )?;
    let mut last_interval = there.interval;
    for review in *new {
        let HistoryEntry { at_ms, button, interval, took_ms, kind } = HistoryEntry::of_review(review);
        let id = free_id(transaction, at_ms)?;
        transaction.execute(
            include_str!("sql/insert_review.sql"),
            params![id, there.id, button, interval, last_interval, factor, took_ms, kind],
        )?;
        last_interval = interval;
    }
    Ok(())
}

/// Returns the key of an answer, which is its time or, if that is taken, the next free millisecond.
fn free_id(transaction: &Transaction<'_>, at_ms: i64) -> Result<i64, AnkiError> {
    let mut statement = transaction.prepare_cached(include_str!("sql/has_review.sql"))?;
    let mut id = at_ms.max(1);
    while statement.exists(params![id])? {
        id += 1;
    }
    Ok(id)
}

/// Returns the JSON that Anki keeps beside a card, with the present state of memory and the last answer.
fn merged(before: &str, now: &str) -> String {
    let fields = |data: &str| serde_json::from_str::<Map<String, Value>>(data).unwrap_or_default();
    let mut all = fields(before);
    all.extend(fields(now));
    Value::Object(all).to_string()
}
