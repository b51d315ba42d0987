//! Packages made by hand, and cards to put into them.

use std::io::{Cursor, Read, Write};

use coaching::learner::MemoryState;
use coaching::pack::cards::{Card, Cards, Hold, Note, Rating, Review, ReviewKind, Side, Stage};
use rusqlite::{Connection, MAIN_DB};
use zip::write::SimpleFileOptions;
use zip::{ZipArchive, ZipWriter};

pub(crate) const US_PER_S: i64 = 1_000_000;
pub(crate) const S_PER_DAY: i64 = 86_400;
/// Four in the morning, when Anki's day begins.
pub(crate) const TODAY_S: i64 = 1_780_000_000 / S_PER_DAY * S_PER_DAY + 4 * 3_600;
pub(crate) const NOW_US: i64 = (TODAY_S + 7_200) * US_PER_S;

/// Notes of every kind: scheduled, held back, both ways, in subdecks, with text that HTML could misread.
pub(crate) fn cards() -> Cards {
    let note = |guid: &str, deck: &str, front: &str, back: &str, tags: &[&str], cards: Vec<Card>| Note {
        guid: guid.to_owned(),
        deck: deck.to_owned(),
        front: front.to_owned(),
        back: back.to_owned(),
        tags: tags.iter().map(|tag| (*tag).to_owned()).collect(),
        cards,
    };
    let suspended = Card { hold: Some(Hold::Suspended), ..learned(Side::Front, -3) };
    let notes = vec![
        note("german/brot", "Deutsch::Essen", "bread", "das Brot", &["food"], vec![learned(Side::Front, 12)]),
        note("german/lt", "Deutsch", "a < b & \"c\"", "x > y\nzweite Zeile", &[], vec![learning()]),
        note("hebrew/shalom", "עברית", "peace", "שלום", &["rtl", "a::b"], vec![suspended]),
        note(
            "both/ways",
            "Deutsch",
            "hin",
            "there",
            &[],
            vec![learned(Side::Front, 1), learned(Side::Back, 40)],
        ),
        note("", "", "never asked", "&amp; is no entity here", &[], vec![Card::new(Side::Front)]),
    ];
    Cards { notes, ..Cards::default() }
}

fn learned(asks: Side, due_in_days: i64) -> Card {
    let review = |days_ago: i64, rating, interval_s, kind| Review {
        at_us: (TODAY_S - days_ago * S_PER_DAY + 3_600 + due_in_days) * US_PER_S,
        rating,
        interval_s,
        kind,
        took_ms: 4_200,
    };
    Card {
        stage: Stage::Review,
        due_at_us: Some((TODAY_S + due_in_days * S_PER_DAY) * US_PER_S),
        interval_days: 15,
        ease_permille: 2_350,
        reviews_count: 3,
        lapses: 1,
        memory: Some(MemoryState::Fsrs { stability: 14.5, difficulty: 6.25 }),
        reviews: vec![
            review(30, Rating::Good, 600, ReviewKind::Learning),
            review(20, Rating::Again, S_PER_DAY, ReviewKind::Review),
            review(5, Rating::Easy, 15 * S_PER_DAY, ReviewKind::Review),
        ],
        ..Card::new(asks)
    }
}

fn learning() -> Card {
    Card {
        stage: Stage::Learning,
        due_at_us: Some((TODAY_S + 900) * US_PER_S),
        reviews_count: 1,
        ..Card::new(Side::Front)
    }
}

/// A zip file with these entries.
pub(crate) fn zipped(entries: &[(&str, &[u8])]) -> Vec<u8> {
    let mut archive = ZipWriter::new(Cursor::new(Vec::new()));
    for (name, bytes) in entries {
        archive.start_file(*name, SimpleFileOptions::default()).unwrap();
        archive.write_all(bytes).unwrap();
    }
    archive.finish().unwrap().into_inner()
}

/// The database of a package that holds [`cards`], after `sql` ran on it.
pub(crate) fn database(sql: &str) -> Vec<u8> {
    let package = anki::write(&cards(), NOW_US).unwrap();
    let mut bytes = Vec::new();
    let mut archive = ZipArchive::new(Cursor::new(package)).unwrap();
    archive.by_name("collection.anki21").unwrap().read_to_end(&mut bytes).unwrap();
    let mut connection = Connection::open_in_memory().unwrap();
    connection.deserialize_read_exact(MAIN_DB, bytes.as_slice(), bytes.len(), false).unwrap();
    connection.create_collation("unicase", |a: &str, b: &str| a.cmp(b)).unwrap();
    connection.execute_batch(sql).unwrap();
    connection.serialize(MAIN_DB).unwrap().to_vec()
}

/// A package in Anki's second form: `collection.anki21`.
pub(crate) fn second_form(database: &[u8]) -> Vec<u8> {
    zipped(&[("meta", b"\x08\x02"), ("collection.anki21", database), ("media", b"{}")])
}

/// SQL that turns a database of the second form into one of the third, which keeps names in tables.
pub(crate) const WITH_TABLES: &str = "
    CREATE TABLE decks (id INTEGER PRIMARY KEY, name TEXT NOT NULL COLLATE unicase, common BLOB, kind BLOB);
    CREATE TABLE notetypes (id INTEGER PRIMARY KEY, name TEXT NOT NULL COLLATE unicase, config BLOB NOT NULL);
    CREATE TABLE fields (ntid INTEGER, ord INTEGER, name TEXT COLLATE unicase, config BLOB, PRIMARY KEY (ntid, ord)) WITHOUT ROWID;
    INSERT INTO decks SELECT key, replace(value ->> 'name', '::', char(31)), x'', x'' FROM col, json_each(col.decks);
    INSERT INTO notetypes SELECT key, value ->> 'name', x'0800' FROM col, json_each(col.models);
    INSERT INTO fields SELECT id, 0, 'Front', x'' FROM notetypes UNION ALL SELECT id, 1, 'Back', x'' FROM notetypes;
    CREATE UNIQUE INDEX idx_fields_name_ntid ON fields (name, ntid);
    UPDATE col SET ver = 18, models = '', decks = '';";

/// A package in Anki's third form: `collection.anki21b`, compressed.
pub(crate) fn third_form(database: &[u8], media: &[u8]) -> Vec<u8> {
    let [database, media] = [database, media].map(packed);
    zipped(&[("meta", b"\x08\x03"), ("collection.anki21b", &database), ("media", &media)])
}

pub(crate) fn packed(bytes: &[u8]) -> Vec<u8> {
    ruzstd::encoding::compress_to_vec(bytes, ruzstd::encoding::CompressionLevel::Fastest)
}
