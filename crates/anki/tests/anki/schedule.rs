//! Tests of how Anki's card columns are read: each row changes one card of a package and checks the result.

use std::io::Cursor;

use coaching::learner::MemoryState;
use coaching::pack::cards::{Card, Hold, Stage};

use crate::files::{self, S_PER_DAY, TODAY_S, US_PER_S};

/// A change to the first card, and the condition that must hold afterwards.
type Row = (&'static str, fn(&Card) -> bool);

const ROWS: &[Row] = &[
    ("due = 12", |card| due_in_days(card) == Some(12)),
    ("due = -400", |card| due_in_days(card) == Some(-400)),
    ("due = 12.7", |card| due_in_days(card) == Some(12)),
    ("due = 9223372036854775807", |card| card.due_at_us == Some(i64::MAX)),
    ("type = 0, due = 7", |card| card.stage == Stage::New && card.due_at_us.is_none()),
    ("type = 1, due = 1780000000", |card| card.due_at_us == Some(1_780_000_000 * US_PER_S)),
    // Steps of a day or more are kept in days, although the card is still being learned.
    ("type = 1, queue = 3, due = 2", |card| card.stage == Stage::Learning && due_in_days(card) == Some(2)),
    ("type = 3, queue = 1, due = 1780000000", |card| card.stage == Stage::Relearning),
    // In a filtered deck the card has a temporary due date; `odue` keeps the real one.
    ("odid = did, did = 99, odue = 5, due = -100000", |card| due_in_days(card) == Some(5)),
    ("queue = -1", |card| card.hold == Some(Hold::Suspended)),
    ("queue = -2", |card| card.hold == Some(Hold::Buried)),
    ("queue = -3", |card| card.hold == Some(Hold::Buried)),
    ("queue = 2", |card| card.hold.is_none()),
    ("ivl = -600", |card| card.interval_days == 0),
    ("ivl = 9223372036854775807", |card| card.interval_days == 36_500),
    ("data = '{\"s\": 3.5, \"d\": 7, \"cd\": \"x\"}'", |card| memory(card) == (3.5, 7.0)),
    ("data = '{\"s\": -1, \"d\": 7}'", |card| card.memory.is_none()),
    // Without FSRS, the memory comes from the classic interval and ease.
    ("data = ''", |card| is_classic(card)),
    ("data = 'garbage'", |card| is_classic(card)),
    ("data = '', factor = 0", |card| card.memory.is_none()),
];

#[test]
fn a_card_is_read_as_anki_means_it() {
    let wrong: Vec<&str> = ROWS.iter().filter(|row| !check(row)).map(|(change, _)| *change).collect();
    assert!(wrong.is_empty(), "{wrong:#?}");
}

fn check(&(change, holds): &Row) -> bool {
    let sql = format!("UPDATE cards SET {change} WHERE id = (SELECT min(id) FROM cards)");
    let cards = anki::read(Cursor::new(files::second_form(&files::database(&sql)))).unwrap();
    assert_eq!(cards.notes[0].deck, "Deutsch::Essen", "{change}");
    holds(&cards.notes[0].cards[0])
}

fn due_in_days(card: &Card) -> Option<i64> {
    card.due_at_us.map(|at_us| (at_us / US_PER_S - TODAY_S).div_euclid(S_PER_DAY))
}

fn memory(card: &Card) -> (f32, f32) {
    match card.memory {
        Some(MemoryState::Fsrs { stability, difficulty }) => (stability, difficulty),
        _ => (0.0, 0.0),
    }
}

fn is_classic(card: &Card) -> bool {
    card.memory == Some(MemoryState::Sm2 { ease: 2.35, repetitions: 3, interval_days: 15.0 })
}

#[test]
fn written_packages_are_read_back() {
    let read = anki::read(Cursor::new(anki::write(&files::cards(), files::NOW_US).unwrap())).unwrap();
    assert_eq!(read.notes, expected());
    let third = files::third_form(&files::database(files::WITH_TABLES), b"");
    assert_eq!(anki::read(Cursor::new(third)).unwrap().notes, expected());
}

/// The notes of [`files::cards`] with the guid and the deck that every note of a package has.
fn expected() -> Vec<coaching::pack::cards::Note> {
    let mut notes = files::cards().notes;
    for note in &mut notes {
        note.guid = note.identity();
        if note.deck.is_empty() {
            note.deck = "Default".to_owned();
        }
    }
    notes
}

#[test]
fn media_and_intervals_set_by_hand_are_counted() {
    let by_hand = "INSERT INTO revlog SELECT 5, cid, 0, 0, 1, 1, 0, 0, 4 FROM revlog LIMIT 1";
    let database = files::database(&format!("{}{by_hand}", files::WITH_TABLES));
    let media = b"\x0a\x07\x0a\x05a.mp3\x0a\x07\x0a\x05b.png";
    let left_out = anki::read(Cursor::new(files::third_form(&database, media))).unwrap().left_out;
    assert_eq!((left_out.media_files, left_out.changes_by_hand), (2, 1));
}
