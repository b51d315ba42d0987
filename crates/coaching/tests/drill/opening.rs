//! Tests of how a session begins.

use crate::drill::session::{DAY_US, NOW_US, Session, in_english, item_record, tiny};
use coaching::desk::Role;
use coaching::drill::{LAW, POOL_KIND};
use coaching::learner::{ITEM_KIND, Status};
use coaching::record::Record;
use coaching::turn::TurnError;
use serde_json::{Value, json};

const PAST: i64 = NOW_US - DAY_US;
const FUTURE: i64 = NOW_US + DAY_US;

/// Each row: the known words, the opening, and the target, queue and pool that follow.
#[test]
fn words_are_dealt_out() {
    let check =
        |known: &[(&str, Status, i64)], opening: Value, target: &str, queue: &[&str], pool: &[&str]| {
            let records: Vec<Record> = known
                .iter()
                .map(|(id, status, due)| item_record(&format!("tiny/{id}"), *status, 3, *due))
                .collect();
            let mut opening = opening;
            opening["pack"] = json!("tiny");
            let session = Session::open(tiny(), opening.clone(), &records);
            assert_eq!(session.target().as_deref().unwrap_or("-"), target, "{opening} {known:?}");
            assert_eq!(session.queue(), queue, "{opening} {known:?}");
            assert_eq!(session.pool(), pool, "{opening} {known:?}");
        };
    use Status::{Learned, New, Parked};
    check(&[], json!({}), "hallo", &["danke", "bitte", "eine-bitte", "wie-viel"], &[]);
    check(&[], json!({"new_words": 1}), "hallo", &[], &[]);
    check(&[("hallo", Learned, FUTURE)], json!({"new_words": 1}), "danke", &[], &["hallo"]);
    // Due words come first, in teaching order. If more are due than asked for, the most overdue are taken.
    let overdue = [("danke", Learned, PAST), ("hallo", Parked, NOW_US), ("bitte", Learned, PAST - DAY_US)];
    check(&overdue, json!({"new_words": 1}), "hallo", &["danke", "bitte", "eine-bitte"], &[]);
    check(&overdue, json!({"new_words": 1, "reviews": 1}), "bitte", &["eine-bitte"], &["hallo", "danke"]);
    check(&overdue, json!({"new_words": 1, "reviews": 0}), "eine-bitte", &[], &["hallo", "danke", "bitte"]);
    // A word that was begun and then left is still new, whatever its record says.
    check(&[("hallo", New, PAST)], json!({"new_words": 1}), "hallo", &[], &[]);
    // Records of other packs, or of words that are gone, are left alone.
    check(&[("gone", Learned, PAST), ("x/hallo", Learned, PAST)], json!({"new_words": 1}), "hallo", &[], &[]);
}

#[test]
fn an_unusable_opening_names_a_usable_one() {
    let check =
        |opening: Value, code: &str, says: &str| match Session::try_open(tiny(), LAW, opening.clone(), &[]) {
            Err(TurnError::Rejected(rejected)) => {
                assert_eq!(rejected.code, code, "{opening}");
                let text = format!("{} {}", in_english(&rejected.message), in_english(&rejected.cure));
                assert!(text.contains(says), "{opening}: {text}");
            }
            Err(other) => panic!("{opening}: {other:?}"),
            Ok(_) => panic!("{opening} was taken"),
        };
    check(json!({"pack": "tyni"}), "unknown_pack", "did you mean `tiny`?");
    check(json!({"pack": "klingon"}), "unknown_pack", "the packs are tiny");
    check(json!({}), "bad_opening", "a drill needs a pack");
    check(Value::Null, "bad_opening", "{\"pack\": NAME}");
    check(json!({"pack": "tiny", "words": 3}), "bad_opening", "unknown field `words`");
    check(json!({"pack": "tiny", "new_words": 0}), "bad_opening", "not 1 to 50");
    check(json!({"pack": "tiny", "new_words": 51}), "bad_opening", "not 1 to 50");
    check(json!({"pack": "tiny", "reviews": 51}), "bad_opening", "not 0 to 50");
    check(json!({"pack": "tiny", "new_words": -1}), "bad_opening", "new_words");
    check(json!({"pack": "tiny", "memory": "crystal ball"}), "bad_opening", "fsrs");
}

/// To continue would overwrite the stored record.
#[test]
fn a_record_that_cannot_be_read_stops_the_opening() {
    for (kind, key) in [(ITEM_KIND, "tiny/hallo"), (POOL_KIND, "tiny")] {
        let body = Some(json!({"status": "juggled"}));
        let record = Record { kind: kind.into(), key: key.into(), body, ..Record::default() };
        let opened = Session::try_open(tiny(), LAW, json!({"pack": "tiny"}), &[record]);
        let Err(TurnError::Rejected(rejected)) = opened else { panic!("{kind} was taken") };
        assert_eq!(rejected.code, "unreadable_record");
        assert!(in_english(&rejected.message).contains(key), "{}", rejected.message);
    }
}

#[test]
fn a_session_without_words_says_so_and_ends() {
    let ids = ["hallo", "danke", "bitte", "eine-bitte", "wie-viel", "tschuess"];
    let known = ids.map(|id| item_record(&format!("tiny/{id}"), Status::Learned, 3, FUTURE));
    let mut session = Session::open(tiny(), json!({"pack": "tiny"}), &known);
    session.step("start");
    assert_eq!(session.last.outcome.as_deref(), Some("done"));
    assert!(session.said(Role::Note)[0].say.contains("nothing to learn"));
}
