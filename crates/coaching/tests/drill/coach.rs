//! Tests of what the coach says, and what it keeps to itself.

use crate::drill::session::{DAY_US, NOW_US, Session, item_record, tiny};
use coaching::desk::Role;
use coaching::drill::POOL_KIND;
use coaching::learner::Status;
use coaching::pack::Pack;
use coaching::record::Record;
use coaching::text::{Heard, Phrase};
use serde_json::json;

const FUTURE: i64 = NOW_US + DAY_US;

/// A session whose first words are learned and used this often.
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
fn a_new_word_is_introduced_before_it_is_asked_for() {
    let session = knowing(&[("hallo", 3)], 1);
    assert_eq!(session.roles(), ["word", "explanation", "note", "example", "scene", "hint"]);
    assert_eq!(only(&session, Role::Word), "Danke");
    assert_eq!(session.said(Role::Word)[0].means.as_deref(), Some("thank you"));
    assert_eq!(only(&session, Role::Example), "Hallo, Paul! Danke!");
}

/// A session in which a word from an earlier day is due.
fn reviewing(status: Status) -> Session {
    let known = item_record("tiny/hallo", status, 3, NOW_US);
    let mut session = Session::open(tiny(), json!({"pack": "tiny", "new_words": 1}), &[known]);
    session.step("start");
    session
}

/// Whether neither the learner nor a program sees the word.
fn hides_the_word(session: &Session) -> bool {
    let view = session.view();
    let seen = format!("{:?} {:?} {}", session.lines(), session.desk().blocks, view["last_said"]);
    view["target"]["text"].is_null() && !Heard::new(&seen).words().contains(&Phrase::new("Hallo").unwrap())
}

#[test]
fn a_word_of_an_earlier_day_is_recalled_before_it_is_shown() {
    for status in [Status::Learned, Status::Parked] {
        let mut session = reviewing(status);
        assert_eq!(
            (session.state(), session.roles()),
            ("WAIT_RECALL", ["note", "scene", "note"].map(String::from).into())
        );
        assert_eq!(session.said(Role::Note)[1].say, "From memory: “hello”");
        assert!(hides_the_word(&session), "{:?}", session.view());
        session.step("timeout");
        assert!(hides_the_word(&session), "a silence gives nothing away");
    }
}

#[test]
fn a_forgotten_word_is_told_and_explained() {
    let mut session = reviewing(Status::Learned);
    session.step("\"nein");
    assert_eq!(session.roles()[..3], ["correction", "word", "explanation"]);
    assert_eq!(session.state(), "WAIT_STUDENT");
}

/// The first “I don't know” brings a cue, the second one the word.
#[test]
fn not_knowing_brings_a_cue_and_then_the_word() {
    let mut session = reviewing(Status::Learned);
    session.step("\"I don't know");
    assert_eq!((session.state(), session.roles()), ("WAIT_RECALL", vec!["note".to_owned()]));
    assert_eq!(only(&session, Role::Note), "“hello” begins like this: Ha…");
    assert!(hides_the_word(&session));
    session.step("\"weiß nicht");
    assert_eq!((session.state(), only(&session, Role::Word)), ("WAIT_STUDENT", "Hallo".to_owned()));
    assert_eq!(session.remembered("tiny/hallo").unwrap().0.history.len(), 0, "neither was an attempt");
}

/// Each row: an utterance instead of an answer, the state after it, and the target then.
#[test]
fn ways_out_are_never_attempts() {
    for (said, state, target) in [
        ("I don't know", "WAIT_STUDENT", Some("hallo")),
        ("idk", "WAIT_STUDENT", Some("hallo")),
        ("Keine Ahnung!", "WAIT_STUDENT", Some("hallo")),
        ("?", "WAIT_STUDENT", Some("hallo")),
        ("help", "WAIT_STUDENT", Some("hallo")),
        ("Hilfe", "WAIT_STUDENT", Some("hallo")),
        ("skip", "WAIT_STUDENT", Some("danke")),
        ("Überspringen", "WAIT_STUDENT", Some("danke")),
        ("stop", "SESSION_DONE", None),
        ("Stopp.", "SESSION_DONE", None),
    ] {
        let mut session = knowing(&[], 2);
        session.step(&format!("\"{said}"));
        assert_eq!((session.state(), session.target().as_deref()), (state, target), "{said}");
        assert_eq!((session.counter("failures"), session.counter("usage")), (0, 0), "{said}");
        let tried = session.remembered("tiny/hallo").map_or(0, |(item, _)| item.history.len());
        assert_eq!(tried, 0, "{said}");
    }
}

#[test]
fn a_way_out_that_is_practised_is_an_answer() {
    let source = include_str!("tiny.yaml").replace("Hallo", "Hilfe").replace("hallo", "hilfe");
    let mut session =
        Session::open(Pack::read(source.as_bytes(), "tiny.yaml").unwrap(), json!({"pack": "tiny"}), &[]);
    session.steps(&["start", "\"Hilfe!"]);
    assert_eq!(session.counter("usage"), 1);
}

#[test]
fn a_skipped_word_waits_for_another_session() {
    let mut session = knowing(&[], 2);
    session.steps(&["\"skip", "\"Danke", "\"Danke", "\"Danke"]);
    assert_eq!(session.last.outcome.as_deref(), Some("done"));
    assert_eq!((session.queue(), session.pool()), (vec!["hallo".to_owned()], vec!["danke".to_owned()]));
    let (item, due_at_us) = session.remembered("tiny/hallo").unwrap();
    assert_eq!((item.status, due_at_us), (Status::New, None));
}

/// A known filler in a wrong form is a mistake; an unknown filler cannot be checked and counts neither way.
#[test]
fn gaps_are_checked() {
    let source = include_str!("../pack/german-gaps.yaml");
    let open = || {
        let pack = Pack::read(source.as_bytes(), "german-gaps.yaml").unwrap();
        let ids = ["danke", "bitte", "nein", "tschuess"];
        let known = ids.map(|id| item_record(&format!("german-gaps/{id}"), Status::Learned, 3, FUTURE));
        let mut session = Session::open(pack, json!({"pack": "german-gaps", "new_words": 1}), &known);
        session.step("start");
        session
    };
    let mut session = open();
    assert_eq!(session.said(Role::Note).last().unwrap().say, "Kaffee: coffee");
    session.step("\"Eine Kaffee, bitte");
    assert_eq!(only(&session, Role::Correction), "Nearly! It's “Einen Kaffee, bitte.”");
    assert_eq!((session.counter("failures"), session.counter("usage")), (1, 0));
    let mut session = open();
    session.step("\"Ein hippo banana, bitte");
    let said = only(&session, Role::Correction);
    assert!(said.contains("can't check") && said.contains("“Einen Kaffee, bitte.”"), "{said}");
    assert_eq!(
        (session.counter("failures"), session.counter("usage"), session.state()),
        (0, 0, "WAIT_STUDENT")
    );
    session.step("\"Einen Kaffee");
    assert_eq!(session.counter("usage"), 1);
    assert!(session.said(Role::Note).last().unwrap().say.contains("Ei… Su…, bi…"), "{:?}", session.lines());
}

/// “Hallo” is not learned here, so neither examples nor openings may use it.
#[test]
fn the_coach_uses_no_unknown_words() {
    let mut session = Session::open(tiny(), json!({"pack": "tiny", "new_words": 2}), &[]);
    session.data = session
        .data
        .replace("\"hallo\"", "\"xxx\"")
        .replace("\"danke\"", "\"hallo\"")
        .replace("\"xxx\"", "\"danke\"");
    session.step("start");
    assert_eq!([Role::Word, Role::Example].map(|role| only(&session, role)), ["Danke", "Danke"]);
    // The only cue whose line is complete without its opening comes first.
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

/// Both openings of “Bitte” may be said; the one whose word was used least comes first.
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
fn incidental_uses_count() {
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
fn the_word_is_shown_then_begun_then_recalled() {
    let mut session = knowing(&[], 1);
    let mut shown = vec![session.lines().pop().unwrap().say];
    for _ in 0..2 {
        session.step("\"Hallo");
        shown.push(session.lines().pop().unwrap().say);
    }
    assert_eq!(shown, ["Hallo", "“hello” begins like this: Ha…", "From memory: “hello”"]);
}

/// Another word comes before the last use of a word.
#[test]
fn a_word_rests_before_its_last_use() {
    let mut session = knowing(&[], 3);
    let mut targets = Vec::new();
    while let Some(target) = session.target() {
        let said = tiny().items.iter().find(|item| item.id == target).unwrap().text.clone();
        targets.push((target, session.state().to_owned()));
        session.step(&format!("\"{said}"));
    }
    let order: Vec<&str> = targets.iter().map(|(target, _)| target.as_str()).collect();
    let expected = ["hallo", "hallo", "danke", "danke", "hallo", "danke", "bitte", "bitte", "bitte"];
    assert_eq!(order, expected);
    let recalled: Vec<usize> = (0..9).filter(|at| targets[*at].1 == "WAIT_RECALL").collect();
    assert_eq!(recalled, [4, 5, 8]);
    assert_eq!(session.pool(), ["hallo", "danke", "bitte"]);
}

/// Each row: the utterance, the role of the coach's comment, and a part of the comment.
#[test]
fn the_coach_comments_on_each_answer() {
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

/// In speech an alias is a spelling that a recogniser produces; in writing it is another word.
#[test]
fn an_alias_counts_only_in_speech() {
    let pack = || {
        let source = include_str!("tiny.yaml").replace("aliases: [allo]", "aliases: [hollow, allo]");
        Pack::read(source.as_bytes(), "tiny.yaml").unwrap()
    };
    let mut session = Session::open(pack(), json!({"pack": "tiny", "new_words": 1}), &[]);
    session.steps(&["start", "\"hollow"]);
    assert_eq!((session.counter("usage"), session.counter("failures")), (0, 1));
    session.send("asr_result", json!({"text": "hollow", "heard": true})).unwrap();
    assert_eq!((session.counter("usage"), session.counter("failures")), (1, 0));
    let mut spoken = Session::open(tiny(), json!({"pack": "tiny", "new_words": 1, "voice": true}), &[]);
    spoken.steps(&["start", "tts_done", "tts_done", "\"allo"]);
    assert_eq!((spoken.said(Role::Praise).len(), spoken.said(Role::Correction).len()), (1, 0));
}

/// “Hello” is one letter off, yet no slip: the learner typed the meaning. Only a spoken “Hallo” may be heard as
/// “hello”.
#[test]
fn a_typed_meaning_is_no_slip() {
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

/// Two cues of “Hallo” have no opening, and one opens with the word itself.
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
fn praise_is_for_learned_words() {
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
fn a_stalled_word_is_said_slowly() {
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
fn a_silence_brings_help_and_an_empty_room_brings_none() {
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
