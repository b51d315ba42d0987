//! Tests of the ways through a word: straight, through remediation, into parking, and out of the session.

use crate::drill::session::{DAY_US, NOW_US, Session, item_record, tiny};
use coaching::learner::{MAX_HISTORY, MemoryState, Quality, Status};
use coaching::text::How;
use coaching::turn::TurnError;
use serde_json::{Value, json};

fn opened(opening: Value) -> Session {
    let mut session = Session::open(tiny(), opening, &[]);
    session.step("start");
    session
}

fn one_word() -> Session {
    opened(json!({"pack": "tiny", "new_words": 1}))
}

/// Each row: the learner's steps after the start, the state they lead to, and the counters there.
#[test]
fn the_law_and_the_coach_agree() {
    let check = |steps: &[&str], state: &str, counters: [u32; 4]| {
        let mut session = one_word();
        session.steps(steps);
        let names = ["usage", "failures", "repeats", "silences"];
        assert_eq!(session.state(), state, "{steps:?}");
        assert_eq!(names.map(|name| session.counter(name)), counters, "{steps:?}");
        assert_eq!(session.promise_broken(), None);
    };
    check(&[], "WAIT_STUDENT", [0, 0, 0, 0]);
    check(&["\"Hallo"], "WAIT_STUDENT", [1, 0, 0, 0]);
    check(&["\"Hallo", "\"allo", "\"Halo, Anna"], "SESSION_DONE", [3, 0, 0, 0]);
    check(&["\"nein"], "WAIT_STUDENT", [0, 1, 0, 0]);
    check(&["\"nein", "\"Hallo"], "WAIT_STUDENT", [1, 0, 0, 0]);
    check(&["\"!!!", "\"", "\"…"], "WAIT_STUDENT", [0, 0, 0, 0]);
    check(&["\"nein", "\"nein"], "WAIT_REPEAT", [0, 2, 0, 0]);
    check(&["\"nein", "\"nein", "\"Hallo"], "WAIT_STUDENT", [1, 0, 0, 0]);
    check(&["\"nein", "\"nein", "\"?", "\"nein"], "WAIT_REPEAT", [0, 3, 1, 0]);
    check(&["\"nein"; 5], "SESSION_DONE", [0, 5, 3, 0]);
    check(&["timeout", "\"nein"], "WAIT_REPEAT", [0, 2, 0, 0]);
    check(&["timeout", "timeout"], "WAIT_REPEAT", [0, 2, 0, 2]);
    check(&["timeout", "timeout", "timeout"], "SESSION_DONE", [0, 2, 0, 3]);
}

/// Each row: the learner's steps with one word, and the record of the word afterwards.
#[test]
fn a_words_record_follows_its_course() {
    let check = |steps: &[&str], status: Status, usage: u32, presentations: u32, due_in_days: f64| {
        let mut session = one_word();
        session.steps(steps);
        let (item, due_at_us) = session.remembered("tiny/hallo").unwrap();
        assert_eq!(
            (item.status, item.usage, item.presentations),
            (status, usage, presentations),
            "{steps:?}"
        );
        let days = (due_at_us.unwrap() - session.now_us) as f64 / DAY_US as f64;
        assert!((days - due_in_days).abs() < 1e-3, "{steps:?}: due in {days} days");
        assert_eq!(item.reviewed_us, Some(session.now_us));
        assert!(matches!(item.memory, Some(MemoryState::Fsrs { .. })));
    };
    check(&["\"Hallo"; 3], Status::Learned, 3, 3, 2.3065);
    check(&["\"Hallo", "\"nein", "\"Hallo", "\"Hallo"], Status::Learned, 3, 4, 2.3065);
    // Saying the word slowly together is no recall; the first try from memory is.
    check(&["\"nein", "\"nein", "\"Hallo", "\"Hallo", "\"Hallo"], Status::Learned, 3, 4, 2.3065);
    // A recall that needed a cue counts as hard.
    check(&["\"Hallo", "\"Hallo", "\"I don't know", "\"Hallo"], Status::Learned, 3, 3, 1.2931);
    check(&["\"nein"; 5], Status::Parked, 0, 2, 0.212);
    check(&["\"Hallo", "timeout", "timeout", "timeout"], Status::Parked, 1, 3, 0.212);
}

#[test]
fn attempts_are_kept_with_their_match() {
    let mut session = one_word();
    let long = "\"nein ".repeat(30);
    session.steps(&["\"Halo", "\"!!!", &long, "\"allo", "\"Hallo"]);
    let (item, _) = session.remembered("tiny/hallo").unwrap();
    let history: Vec<(How, usize)> =
        item.history.iter().map(|attempt| (attempt.how, attempt.heard.chars().count())).collect();
    assert_eq!(history, [(How::Fuzzy, 4), (How::None, 40), (How::Fuzzy, 4), (How::Surface, 5)]);
    assert_eq!(item.last_used_us, Some(session.now_us));
}

#[test]
fn history_is_bounded() {
    let mut item = coaching::learner::LearnerItem::new(0);
    (0..200).for_each(|at_us| item.attempt(at_us, "ja", How::Surface));
    assert_eq!((item.history.len(), item.history[0].at_us, item.usage), (MAX_HISTORY, 150, 200));
}

#[test]
fn a_review_continues_the_record_and_lengthens_the_interval() {
    let mut known = item_record("tiny/hallo", Status::Learned, 3, NOW_US);
    known.body.as_mut().unwrap()["memory"] = json!({"model": "fsrs", "stability": 10.0, "difficulty": 5.0});
    let mut session = Session::open(tiny(), json!({"pack": "tiny", "new_words": 1}), &[known]);
    session.steps(&["start", "\"Hallo"]);
    let (item, due_at_us) = session.remembered("tiny/hallo").unwrap();
    assert_eq!((item.usage, item.presentations), (4, 1));
    assert!(due_at_us.unwrap() - session.now_us > 11 * DAY_US);
    assert_eq!(session.target().as_deref(), Some("danke"));
}

#[test]
fn a_learner_may_prefer_the_classic_intervals() {
    let mut session = opened(json!({"pack": "tiny", "new_words": 1, "memory": "sm2"}));
    session.steps(&["\"Hallo"; 3]);
    let (_, due_at_us) = session.remembered("tiny/hallo").unwrap();
    assert_eq!(due_at_us, Some(session.now_us + DAY_US));
}

/// Leaving loses nothing: the word returns to the queue, the attempts are noted, and the word is still new.
#[test]
fn leaving_puts_the_word_back() {
    let mut session = opened(json!({"pack": "tiny", "new_words": 2}));
    session.steps(&["\"Hallo", "\"nein", "leave"]);
    assert_eq!(session.last.outcome.as_deref(), Some("user"));
    assert_eq!(
        (session.target(), session.queue(), session.pool()),
        (None, vec!["hallo".into(), "danke".into()], vec![])
    );
    let (item, due_at_us) = session.remembered("tiny/hallo").unwrap();
    assert_eq!((item.status, item.history.len(), due_at_us), (Status::New, 2, None));
    let again = Session::open(tiny(), json!({"pack": "tiny"}), &session.records);
    assert_eq!(again.target().as_deref(), Some("hallo"));
    assert_eq!(again.data()["target"]["item"]["usage"], 1);
}

/// Neither leaving nor an empty room says anything about memory. A try does, even if the learner leaves right after
/// it.
#[test]
fn leaving_a_review_keeps_an_untried_word_due() {
    let leaving = |steps: &[&str]| {
        let known = item_record("tiny/hallo", Status::Learned, 3, NOW_US);
        let mut session = Session::open(tiny(), json!({"pack": "tiny"}), &[known]);
        session.step("start");
        session.steps(steps);
        let (item, due_at_us) = session.remembered("tiny/hallo").unwrap();
        let ratings: Vec<u8> = item.ratings.iter().map(|rated| rated.quality.get()).collect();
        (item.status, ratings, due_at_us.unwrap() == NOW_US)
    };
    assert_eq!(leaving(&["leave"]), (Status::Learned, vec![], true));
    assert_eq!(leaving(&["\"skip", "leave"]), (Status::Learned, vec![], true));
    assert_eq!(leaving(&["timeout", "timeout", "timeout"]), (Status::Learned, vec![], true));
    assert_eq!(leaving(&["\"nein", "leave"]), (Status::Parked, vec![1], false));
}

/// Each row: the learner's steps in a review, and the only rating that memory gets: the first try without help.
#[test]
fn memory_rates_the_first_unaided_try() {
    let check = |wait_s: i64, steps: &[&str], quality: Quality, status: Status| {
        let known = item_record("tiny/hallo", Status::Learned, 3, NOW_US);
        let mut session = Session::open(tiny(), json!({"pack": "tiny", "new_words": 1}), &[known]);
        session.step("start");
        session.now_us += wait_s * 1_000_000;
        session.steps(steps);
        let (item, _) = session.remembered("tiny/hallo").unwrap();
        let ratings: Vec<Quality> = item.ratings.iter().map(|rated| rated.quality).collect();
        assert_eq!((ratings, item.status), (vec![quality], status), "{steps:?}");
    };
    check(0, &["\"Hallo"], Quality::EASY, Status::Learned);
    check(60, &["\"Hallo"], Quality::GOOD, Status::Learned);
    check(0, &["\"Halo"], Quality::GOOD, Status::Learned);
    check(0, &["timeout", "\"Hallo"], Quality::GOOD, Status::Learned);
    check(0, &["\"?", "\"!!!", "\"Hallo"], Quality::EASY, Status::Learned);
    check(0, &["\"I don't know", "\"Hallo"], Quality::HARD, Status::Learned);
    check(0, &["gave_up", "gave_up"], Quality::AGAIN, Status::Parked);
    check(0, &["\"nein"], Quality::AGAIN, Status::Parked);
    // A word that is practised until recalled still counts as forgotten at first.
    let again = ["\"nein", "\"Hallo", "\"Hallo", "\"Danke", "\"Danke", "\"Hallo"];
    check(0, &again, Quality::AGAIN, Status::Learned);
    // A word that is forgotten twice waits for another day.
    let twice = ["\"nein", "\"Hallo", "\"Hallo", "\"Danke", "\"Danke", "\"nein"];
    check(0, &twice, Quality::AGAIN, Status::Parked);
}

#[test]
fn leaving_before_the_start_leaves_no_trace() {
    let mut session = Session::open(tiny(), json!({"pack": "tiny"}), &[]);
    session.step("leave");
    assert!(session.is_over() && session.records.is_empty());
}

#[test]
fn only_a_voice_session_waits_for_speech() {
    let mut session = opened(json!({"pack": "tiny", "voice": true}));
    assert_eq!(session.state(), "INTRO_WORD");
    session.step("tts_done");
    assert_eq!(session.state(), "PROMPT_PRACTICE");
    session.steps(&["tts_done", "\"Hallo", "tts_done", "\"Hallo"]);
    assert_eq!((session.state(), session.target().as_deref()), ("INTRO_WORD", Some("danke")));
}

#[test]
fn an_utterance_without_text_changes_nothing() {
    let mut session = one_word();
    let before = session.data.clone();
    for payload in [json!({}), json!({"text": 7}), json!("Hallo"), Value::Null] {
        let Err(TurnError::Rejected(rejected)) = session.send("asr_result", payload) else { panic!("taken") };
        assert_eq!(rejected.code, "no_text");
    }
    assert_eq!(session.data, before);
}

#[test]
fn a_word_that_left_its_pack_can_only_be_left() {
    let mut session = one_word();
    session.data = session.data.replace("\"hallo\"", "\"hello\"");
    let sent = session.send("asr_result", json!({"text": "Hallo"}));
    let Err(TurnError::Rejected(rejected)) = sent else { panic!("taken") };
    assert_eq!(rejected.code, "word_gone");
    session.step("leave");
    assert!(session.is_over());
}

#[test]
fn the_view_shows_where_the_learner_stands() {
    let mut session = opened(json!({"pack": "tiny", "new_words": 2}));
    session.step("\"Halo");
    let view = session.view();
    assert_eq!(view["pack"]["id"], "tiny");
    assert_eq!((&view["target"]["text"], &view["target"]["is_unaided"]), (&Value::Null, &json!(true)));
    assert_eq!((&view["progress"]["usage"], &view["progress"]["required"]), (&json!(1), &json!(3)));
    assert_eq!((&view["queue"], &view["pool"], &view["summary"]), (&json!(1), &json!(0), &Value::Null));
    assert_eq!(view["feedback"]["how"], "fuzzy");
    assert_eq!(
        view["feedback"]["difference"],
        json!([{"is": "changed", "expected": "Hallo", "heard": "Halo"}])
    );
    assert_eq!(
        view["last_said"],
        json!([{"say": "You meet them both.", "role": "scene"}]),
        "as it was said: {:?}",
        session.last.said
    );
    session.step("\"Hallo");
    let target = session.view()["target"].clone();
    assert_eq!((&target["text"], &target["is_unaided"]), (&json!("Danke"), &json!(false)));
    session.steps(&["\"ja", "\"ja", "\"ja", "\"ja", "\"ja", "\"Hallo"]);
    let view = session.view();
    assert_eq!(view["last_said"], json!([]));
    let summary = &view["summary"];
    assert_eq!(summary["learned"][0]["text"], "Hallo");
    assert_eq!(summary["parked"][0]["id"], "danke");
    assert_eq!(summary["next_review_us"], summary["parked"][0]["due_at_us"]);
}
