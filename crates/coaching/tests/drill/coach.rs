//! What the coach says, and what it keeps to itself.

use crate::drill::session::{DAY_US, NOW_US, Session, item_record, tiny};
use coaching::desk::Role;
use coaching::drill::POOL_KIND;
use coaching::learner::Status;
use coaching::pack::Pack;
use coaching::record::Record;
use serde_json::json;

const FUTURE: i64 = NOW_US + DAY_US;

/// A session whose first words are learned, with these uses.
fn knowing(known: &[(&str, u32)], new_words: usize) -> Session {
    let record =
        |(id, usage): &(&str, u32)| item_record(&format!("tiny/{id}"), Status::Learned, *usage, FUTURE);
    let records: Vec<Record> = known.iter().map(record).collect();
    let mut session = Session::open(tiny(), json!({"pack": "tiny", "new_words": new_words}), &records);
    session.step("start");
    session
}

fn only(session: &Session, role: Role) -> String {
    match session.said(role).as_slice() {
        [line] => line.say.clone(),
        lines => panic!("{} of {role:?} in {:?}", lines.len(), session.last.said),
    }
}

#[test]
fn a_new_word_is_said_explained_shown_and_asked_for() {
    let session = knowing(&[("hallo", 3)], 1);
    assert_eq!(session.roles(), ["word", "explanation", "note", "example", "scene", "hint"]);
    assert_eq!(only(&session, Role::Word), "Danke");
    assert_eq!(session.said(Role::Word)[0].means.as_deref(), Some("thank you"));
    assert_eq!(only(&session, Role::Example), "Hallo, Paul! Danke!");
}

#[test]
fn a_word_of_an_earlier_day_is_only_called_to_mind() {
    let known = item_record("tiny/hallo", Status::Learned, 3, NOW_US);
    let mut session = Session::open(tiny(), json!({"pack": "tiny"}), &[known]);
    session.step("start");
    assert_eq!(session.roles(), ["note", "word", "scene", "hint"]);
}

#[test]
fn a_parked_word_is_explained_again() {
    let known = item_record("tiny/hallo", Status::Parked, 1, NOW_US);
    let mut session = Session::open(tiny(), json!({"pack": "tiny"}), &[known]);
    session.step("start");
    assert_eq!(session.roles()[..3], ["word", "explanation", "example"]);
}

/// “Hallo” has not been learned here, so neither examples nor openings with it may be said.
#[test]
fn nothing_is_said_in_words_that_were_not_met() {
    let mut session = Session::open(tiny(), json!({"pack": "tiny", "new_words": 2}), &[]);
    session.data = session
        .data
        .replace("\"hallo\"", "\"xxx\"")
        .replace("\"danke\"", "\"hallo\"")
        .replace("\"xxx\"", "\"danke\"");
    session.step("start");
    assert_eq!([Role::Word, Role::Example].map(|role| only(&session, role)), ["Danke", "Danke"]);
    // The one cue whose line is complete without its opening comes first.
    assert_eq!(only(&session, Role::Scene), "Anna holds the door.");
    session.step("\"Danke");
    assert_eq!(only(&session, Role::Scene), "Paul gives you a cup.");
    assert_eq!(session.said(Role::Cue), []);
}

#[test]
fn every_cue_comes_before_any_comes_again() {
    let mut session = knowing(&[], 1);
    let mut scenes = vec![only(&session, Role::Scene)];
    for step in ["\"Hallo", "\"nein", "\"Hallo"] {
        session.step(step);
        scenes.push(only(&session, Role::Scene));
    }
    assert_eq!(scenes[3], scenes[0]);
    scenes.truncate(3);
    scenes.sort();
    scenes.dedup();
    assert_eq!(scenes.len(), 3);
}

/// Both openings of “Bitte” may be said; the one with the word used least comes first.
#[test]
fn a_learned_word_that_was_used_little_is_preferred() {
    let first_cue = |hallo: u32, danke: u32| {
        let session = knowing(&[("hallo", hallo), ("danke", danke)], 1);
        only(&session, Role::Cue)
    };
    assert_eq!(first_cue(9, 3), "Danke!");
    assert_eq!(first_cue(3, 9), "Hallo! Danke!");
}

#[test]
fn uses_on_the_way_are_counted_and_count() {
    let mut session = knowing(&[("hallo", 3), ("danke", 9)], 1);
    session.steps(&["\"Hallo, bitte!", "\"Hallo, bitte, Hallo!", "\"Bitte"]);
    let uses: Vec<&Record> = session.records.iter().filter(|record| record.kind == POOL_KIND).collect();
    assert_eq!(uses.len(), 1, "written once, with the word");
    assert_eq!((uses[0].key.as_str(), uses[0].body.as_ref().unwrap()), ("tiny", &json!({"hallo": 2})));
    let used_often = Record { body: Some(json!({"hallo": 7})), ..uses[0].clone() };
    let records = [
        item_record("tiny/hallo", Status::Learned, 3, FUTURE),
        item_record("tiny/danke", Status::Learned, 9, FUTURE),
        used_often,
    ];
    let mut session = Session::open(tiny(), json!({"pack": "tiny", "new_words": 1}), &records);
    session.step("start");
    assert_eq!(only(&session, Role::Cue), "Danke!");
}

#[test]
fn the_word_is_shown_until_it_was_used_twice() {
    let mut session = knowing(&[], 1);
    let mut shown = vec![session.said(Role::Hint).len()];
    for _ in 0..2 {
        session.step("\"Hallo");
        shown.push(session.said(Role::Hint).len());
    }
    assert_eq!(shown, [1, 1, 0]);
}

/// What was said, the role of the comment, and a part of it.
#[test]
fn the_coach_says_what_came_of_it() {
    let check = |heard: &str, role: Role, part: &str| {
        let ids = ["hallo", "danke", "bitte", "eine-bitte"];
        let mut session = knowing(&ids.map(|id| (id, 3)), 1);
        session.send("asr_result", json!({"text": heard})).unwrap();
        assert!(only(&session, role).contains(part), "{heard}: {:?}", session.last.said);
    };
    check("Wie viel kostet das", Role::Praise, "");
    check(
        "Wie viel kostat das",
        Role::Correction,
        "It's “Wie viel kostet das”; I heard “Wie viel kostat das”",
    );
    check("Wie viel", Role::Correction, "Nearly! It's “Wie viel kostet das?”");
    check("Tschüss", Role::Correction, "I didn't hear “Wie viel kostet das?”");
    check("…!", Role::Correction, "didn't catch any words");
}

/// An alias counts. In speech it is how a recogniser writes the word; in writing it is a slip.
#[test]
fn a_typed_alias_counts_and_is_corrected() {
    let mut session = knowing(&[], 1);
    session.step("\"allo");
    assert_eq!(only(&session, Role::Correction), "Understood! It's “Hallo”; I heard “allo”.");
    assert_eq!((session.said(Role::Praise).len(), session.counter("usage")), (0, 1));
    let mut spoken = Session::open(tiny(), json!({"pack": "tiny", "new_words": 1, "voice": true}), &[]);
    spoken.steps(&["start", "tts_done", "tts_done", "\"allo"]);
    assert_eq!((spoken.said(Role::Praise).len(), spoken.said(Role::Correction).len()), (1, 0));
}

/// One letter off, and yet no slip: the learner has typed the meaning. Who says “Hallo” may be heard as “hello”.
#[test]
fn a_typed_word_of_the_own_language_is_no_slip() {
    let mut session = knowing(&[], 1);
    session.step("\"Hello!");
    assert_eq!(only(&session, Role::Correction), "“Hello” is what it means. You say “Hallo”.");
    assert_eq!((session.counter("usage"), session.counter("failures")), (0, 1));
    session.step("\"Halo");
    assert_eq!(session.counter("usage"), 1);
    let mut spoken = Session::open(tiny(), json!({"pack": "tiny", "new_words": 1, "voice": true}), &[]);
    spoken.steps(&["start", "tts_done", "tts_done", "\"Hello"]);
    assert_eq!(spoken.counter("usage"), 1);
}

/// Two cues of “Hallo” have no opening, one opens with the word itself.
#[test]
fn a_word_to_be_recalled_is_not_given_away_by_its_cue() {
    let mut session = knowing(&[], 1);
    session.steps(&["\"Hallo", "\"Hallo"]);
    for _ in 0..2 {
        assert_eq!(session.said(Role::Cue).len(), 0, "{:?}", session.last.said);
        session.step("timeout");
    }
}

#[test]
fn praise_is_for_what_was_learned() {
    let mut session = knowing(&[], 1);
    session.steps(&["\"Hallo"; 3]);
    assert!(only(&session, Role::Praise).contains("“Hallo”"));
    let mut session = knowing(&[], 1);
    session.steps(&["\"nein"; 5]);
    assert_eq!(session.said(Role::Praise).len(), 0);
    assert!(only(&session, Role::Note).contains("“Hallo”"));
}

#[test]
fn praise_varies() {
    let mut session = knowing(&[], 1);
    session.step("\"Hallo");
    let first = only(&session, Role::Praise);
    session.step("\"Hallo");
    assert_ne!(only(&session, Role::Praise), first);
}

#[test]
fn what_stalls_is_said_slowly() {
    let slow = |known: &[&str]| {
        let known: Vec<(&str, u32)> = known.iter().map(|id| (*id, 3)).collect();
        let mut session = knowing(&known, 1);
        session.steps(&["\"nein", "\"nein"]);
        only(&session, Role::Slow)
    };
    assert_eq!(slow(&[]), "Hal·lo");
    assert_eq!(slow(&["hallo", "danke", "bitte"]), "Ein … Tee, … bit·te.");
    assert_eq!(slow(&["hallo", "danke", "bitte", "eine-bitte"]), "Wie … viel … kos·tet … das?");
}

#[test]
fn a_silence_is_met_kindly_and_an_empty_room_not_at_all() {
    let mut session = knowing(&[], 1);
    session.step("timeout");
    assert_eq!(session.roles(), ["note", "scene", "cue", "hint"]);
    session.steps(&["timeout", "timeout"]);
    assert_eq!((session.last.outcome.as_deref(), session.roles().len()), (Some("timeout"), 0));
}

#[test]
fn the_coach_speaks_the_language_of_the_explanations() {
    let source = include_str!("tiny.yaml").replace("explained_in: en", "explained_in: de-AT");
    let pack = Pack::read(source.as_bytes(), "tiny.yaml").unwrap();
    let mut session = Session::open(pack, json!({"pack": "tiny"}), &[]);
    session.steps(&["start", "\"Halo"]);
    assert_eq!(only(&session, Role::Correction), "Verstanden! Es heißt „Hallo“; ich habe „Halo“ gehört.");
}
