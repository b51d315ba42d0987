//! Tests of broken and malicious files: each is refused with a reason, and none causes a panic.

use std::io::Cursor;

use anki::AnkiError;
use proptest::prelude::*;

use crate::files::{self, WITH_TABLES, database, packed, second_form, third_form, zipped};

/// SQL that makes a sound database hostile, and part of the reason for the refusal.
const DATABASES: &[(&str, &str)] = &[
    ("DROP TABLE revlog", "no plain table “revlog”"),
    ("DROP TABLE col", "no plain table “col”"),
    ("DELETE FROM col", "no rows"),
    ("ALTER TABLE notes DROP COLUMN tags", "tags"),
    (
        // Reading this would never end.
        "DROP TABLE notes; CREATE VIEW notes AS WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n)
         SELECT i AS id, 'g' AS guid, 1 AS mid, '' AS tags, 'x' AS flds FROM n WHERE i < 0",
        "no plain table “notes”",
    ),
    ("ALTER TABLE notes ADD COLUMN heavy AS (hex(zeroblob(1000000)))", "no plain table “notes”"),
    ("UPDATE col SET models = '{'", "note types"),
    ("UPDATE col SET models = '[]'", "note types"),
    ("UPDATE col SET decks = '{\"x\": {\"name\": \"a\"}}'", "the id “x”"),
    ("UPDATE cards SET type = 77", "the type 77"),
    ("UPDATE cards SET due = 'soon'", "database"),
    ("UPDATE notes SET flds = x'FFFE'", "database"),
    ("UPDATE col SET ver = 18", "no plain table “decks”"),
    (
        "INSERT INTO notes WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n LIMIT 100001)
         SELECT i, i, 1, 0, 0, '', 'a' || char(31) || 'b', 'a', 0, 0, '' FROM n",
        "more than 100000 notes",
    ),
];

#[test]
fn a_hostile_database_is_refused() {
    for (sql, reason) in DATABASES {
        refuse(&second_form(&database(sql)), reason, sql);
    }
    let broken_type = format!("{WITH_TABLES} UPDATE notetypes SET config = x'FFFFFF'");
    refuse(&third_form(&database(&broken_type), b""), "note type", "protobuf of a note type");
}

#[test]
fn a_file_that_is_no_package_is_refused() {
    let sound = database("");
    let package = second_form(&sound);
    let zeros = vec![0; 5 << 20];
    let cases: &[(&str, Vec<u8>, &str)] = &[
        ("nothing", Vec::new(), "not an Anki package"),
        ("text", b"front;back\n".repeat(50), "not an Anki package"),
        ("half a zip", package[..package.len() / 2].to_vec(), "not an Anki package"),
        ("no collection", zipped(&[("media", b"{}")]), "it has no collection.anki2"),
        (
            "says form 2, has form 1",
            zipped(&[("meta", b"\x08\x02"), ("collection.anki2", &sound)]),
            "collection.anki21",
        ),
        ("newer form", zipped(&[("meta", b"\x08\x09"), ("collection.anki2", &sound)]), "format 9"),
        ("no such form", zipped(&[("meta", b""), ("collection.anki2", &sound)]), "no format 0"),
        ("meta is no protobuf", zipped(&[("meta", b"\xFF\xFF")]), "“meta”"),
        ("meta is huge", zipped(&[("meta", &zeros)]), "“meta” unpacks to more than"),
        ("garbage database", second_form(b"SQLite format 3\0garbage"), "database"),
        ("empty database", second_form(b""), "database"),
        ("media is no JSON", zipped(&[("collection.anki2", &sound), ("media", b"{")]), "“media”"),
        ("media is no protobuf", third_form(&sound, b"\xFF\xFF\xFF"), "“media”"),
        ("zip bomb", zipped(&[("collection.anki2", &zeros)]), "far more"),
        ("zstd bomb", third_form(&zeros, b""), "far more"),
        ("zstd cut short", cut_short(&packed(&sound)), "“collection.anki21b”"),
        ("no zstd", zipped(&[("meta", b"\x08\x03"), ("collection.anki21b", &sound)]), "“collection.anki21b”"),
    ];
    for (name, package, reason) in cases {
        refuse(package, reason, name);
    }
}

fn cut_short(packed: &[u8]) -> Vec<u8> {
    zipped(&[("meta", b"\x08\x03"), ("collection.anki21b", &packed[..packed.len() / 2])])
}

fn refuse(package: &[u8], reason: &str, name: &str) {
    let error: AnkiError = anki::read(Cursor::new(package)).expect_err(name);
    let text = error.to_string();
    assert!(text.contains(reason), "{name}: {text}");
    // The message states the problem, then a full stop, then the remedy.
    assert!(text.contains(". "), "{name}: {text}");
}

/// The part of a package that a mutation changes.
#[derive(Debug, Clone, Copy)]
enum Layer {
    Zip,
    Database,
    Zstd,
    Media,
    Meta,
}

fn mutated(layer: Layer, changes: &[(prop::sample::Index, u8)], is_cut: bool) -> Vec<u8> {
    let change = |mut bytes: Vec<u8>| {
        for (at, byte) in changes {
            let at = at.index(bytes.len());
            bytes[at] = *byte;
        }
        if is_cut {
            bytes.truncate(bytes.len() - bytes.len() / 3);
        }
        bytes
    };
    static SECOND: std::sync::LazyLock<Vec<u8>> = std::sync::LazyLock::new(|| database(""));
    static THIRD: std::sync::LazyLock<Vec<u8>> = std::sync::LazyLock::new(|| database(WITH_TABLES));
    static PACKED: std::sync::LazyLock<Vec<u8>> = std::sync::LazyLock::new(|| packed(&THIRD));
    let media = b"\x0a\x07\x0a\x05a.mp3".to_vec();
    match layer {
        Layer::Zip => change(second_form(&SECOND)),
        Layer::Database => second_form(&change(SECOND.clone())),
        Layer::Zstd => zipped(&[("meta", b"\x08\x03"), ("collection.anki21b", &change(PACKED.clone()))]),
        Layer::Media => third_form(&THIRD[..100], &change(media)),
        Layer::Meta => zipped(&[("meta", &change(b"\x08\x03".to_vec())), ("collection.anki2", &SECOND)]),
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 400, ..ProptestConfig::default() })]

    /// A mutated package is either read or refused with a reason.
    #[test]
    fn a_mutated_package_is_never_a_panic(
        layer in prop::sample::select(vec![Layer::Zip, Layer::Database, Layer::Zstd, Layer::Media, Layer::Meta]),
        changes in prop::collection::vec(any::<(prop::sample::Index, u8)>(), 1..12),
        is_cut in prop::bool::weighted(0.2),
    ) {
        match anki::read(Cursor::new(mutated(layer, &changes, is_cut))) {
            Ok(cards) => prop_assert!(cards.notes.len() <= files::cards().notes.len() * 2),
            Err(error) => prop_assert!(error.to_string().contains(". ")),
        }
    }
}
