//! A drill whose dialogues a model invents: what it is asked, and what becomes of its replies.

use crate::session::{DAY_US, NOW_US, Session, item_record, tiny};
use coaching::ask::{MODEL_KIND, ModelAnswer, ModelAsk, ModelResult, Part};
use coaching::drill::Role;
use coaching::learner::Status;
use coaching::turn::{Source, TurnError};
use serde_json::{Value, json};

const FUTURE: i64 = NOW_US + DAY_US;

/// A session in which "Hallo" is known and "Danke" is asked for, up to its first question to the model.
fn asking() -> Session {
    let known = item_record("tiny/hallo", Status::Learned, 3, FUTURE);
    let mut session = Session::open(tiny(), json!({"pack": "tiny", "new_words": 2, "model": true}), &[known]);
    session.step("start");
    session
}

fn asked(session: &Session) -> ModelAsk {
    match session.last.effects.as_slice() {
        [effect] if effect.kind == MODEL_KIND => serde_json::from_value(effect.payload.clone()).unwrap(),
        effects => panic!("{effects:?}"),
    }
}

fn answer(ask: u64, result: ModelResult) -> Value {
    ModelAnswer { ask, result }.payload()
}

fn reply(say: &str) -> ModelResult {
    ModelResult::Reply(json!({"scene": "Paul hands you a cup.", "say": say, "means": "Hello, Paul!"}))
}

fn roles(session: &Session) -> Vec<&str> {
    session.last.said.iter().map(|line| line.role.as_str()).collect()
}

#[test]
fn a_session_waits_for_the_answer() {
    let session = asking();
    assert_eq!((session.state(), session.counter("presentation")), ("PROMPT_PRACTICE", 0));
    assert_eq!(roles(&session), ["word", "explanation", "note", "example"], "the dialogue is yet to come");
    let ask = asked(&session);
    assert_eq!((ask.number, ask.answered_by.as_str()), (1, "tts_done"));
    assert!(ask.system.contains("`de`") && ask.system.contains("`en`"), "{}", ask.system);
    let [Part::Own(task)] = ask.parts.as_slice() else { panic!("{:?}", ask.parts) };
    assert!(task.contains("\"Danke\"") && task.contains("\"Paul\""), "{task}");
    assert!(!task.contains("{"), "every blank is filled: {task}") // JSON objects of words are allowed below.
}

#[test]
fn a_good_reply_is_said() {
    let mut session = asking();
    session.send("tts_done", answer(1, reply("Hallo Paul!"))).unwrap();
    assert_eq!((session.state(), session.counter("presentation")), ("WAIT_STUDENT", 1));
    assert_eq!(roles(&session), ["scene", "cue", "hint"]);
    assert_eq!(session.said(Role::Cue)[0].say, "Hallo Paul!");
    assert!(session.last.effects.is_empty());
}
