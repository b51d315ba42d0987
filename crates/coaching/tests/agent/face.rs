//! Tests of the agent coach's face: its words in every language, its desk, and the fields that programs read.

use crate::agent::session::Session;
use coaching::agent::{AgentCoach, AgentMore, words};
use coaching::desk::{Block, Role};
use coaching::face::schema;
use coaching::turn::{Flow, TurnError};
use coaching::words::problems;
use schemars::SchemaGenerator;
use serde_json::{Value, json};

const STATUS: &str = "Let me run the tests next.";
const OPEN: &str = "it announced “Let me run the tests next.”, and nothing followed";
const COACHING: &str = "[System Coach] You said: “Let me run the tests next.” Nothing followed yet, so go ahead. If \
                        something is in the way, say what it is.";

#[test]
fn every_language_has_every_sentence() {
    assert_eq!(problems(AgentCoach::FACE.words, words::KEYS), Vec::<String>::new());
}

#[test]
fn every_verb_has_a_title_and_help_and_a_schema() {
    for verb in AgentCoach::FACE.verbs {
        for key in [format!("agent-verb-{}", verb.name), format!("agent-verb-{}.help", verb.name)] {
            assert!(words::KEYS.iter().any(|(known, _)| *known == key), "{key}");
        }
    }
    let mut generator = SchemaGenerator::default();
    AgentCoach::FACE
        .verbs
        .iter()
        .filter_map(|verb| verb.payload)
        .for_each(|schema| drop(schema(&mut generator)));
    schema::<AgentMore>(&mut generator);
    let schemas = json!(generator.definitions());
    for (name, field) in [
        ("AgentOpening", "max_minutes"),
        ("Stopped", "text"),
        ("Watched", "call"),
        ("AgentMore", "last"),
        ("Decided", "reason"),
    ] {
        assert!(schemas[name]["properties"][field].is_object(), "{name}: {schemas}");
    }
}

/// Programs read these fields over HTTP, MCP and from the log.
#[test]
fn the_view_keeps_its_fields() {
    let mut session = Session::new(json!({"agent": "claude-code", "session": "one"}));
    session.stops(STATUS);
    session.happens("grew_quiet", Value::Null);
    let mut view = session.view();
    // The rules choose their own confidence, so the test fixes it.
    view["last"]["confidence"] = json!(0.92);
    assert!(view["alarms"][0]["at_us"].take().is_i64());
    let counts = json!({
        "stops": 1, "continues": 1, "saved": 0, "rejections": 0, "deliveries": 0, "questions": 0, "by_model": 0, "alarms": 1,
    });
    let last = json!({
        "decision": "continue", "reason": OPEN, "output_type": "status", "confidence": 0.92, "source": "rules",
        "message": COACHING, "tier": "2", "preview": STATUS,
    });
    let alarm = json!({
        "trouble": "silence", "reason": "the agent has been silent for 30 min", "at_us": null,
    });
    let expected = json!({
        "agent": "claude-code", "session": "one", "max_minutes": 240, "counts": counts, "last": last,
        "failed": null, "cost_microusd": 0, "alarms": [alarm],
    });
    assert_eq!(view, expected);
}

#[test]
fn the_desk_shows_decisions_and_observations() {
    let mut session = Session::new(json!({"agent": "claude-code", "session": "one"}));
    session.stops(STATUS);
    session.happens("watched", json!({"errors": 5}));
    let desk = session.desk();
    let line = |block: &Block| match block {
        Block::Line(line) => Some((line.role, line.say.to_string())),
        _ => None,
    };
    let lines: Vec<(Role, String)> = desk.blocks.iter().filter_map(line).collect();
    let expected =
        [(Role::Note, OPEN), (Role::Coaching, COACHING), (Role::Alarm, "5 calls in a row have failed")];
    assert_eq!(lines, expected.map(|(role, say)| (role, say.to_owned())));
    assert_eq!(desk.title.to_string(), "claude-code one");
    assert_eq!((desk.progress[0].done, desk.progress[0].of), (1, Some(3)));
    assert!(desk.verbs.is_empty(), "a human answers the agent itself");
}

#[test]
fn a_human_reads_their_own_language() {
    let mut session = Session::new(Value::Null);
    session.stops("Xyzzy plugh frobozz.");
    let said = session.said_in("de", Role::Deliver).concat();
    assert!(said.starts_with("nicht sicher, darum entscheidet ein Mensch; am ehesten "), "{said}");
}

/// Older sessions stored decisions as English sentences.
#[test]
fn an_older_session_goes_on() {
    let mut session = Session::new(Value::Null);
    session.stops(STATUS);
    let mut data: Value = serde_json::from_str(&session.data).unwrap();
    data["last"]["reason"] = json!("the agent says what it does next");
    data["alarms"] = json!([{"trouble": "silence", "reason": "nothing was heard of the agent", "at_us": 1}]);
    for new in ["earlier", "progress"] {
        data.as_object_mut().unwrap().remove(new).expect("it is stored now");
    }
    session.data = data.to_string();
    assert_eq!(session.view()["last"]["reason"], "the agent says what it does next");
    session.happens("grew_quiet", Value::Null);
    assert_eq!(session.view()["counts"]["alarms"], 0, "the human was told");
    session.stops("Should I proceed with the refactor?");
    assert_eq!(session.state(), "WAITING_HUMAN");
}

#[test]
fn unusable_events_are_rejected() {
    let mut session = Session::new(Value::Null);
    let check =
        |session: &mut Session, event: &str, payload: Value, code: &str| match session.send(event, payload) {
            Err(TurnError::Rejected(rejected)) => assert_eq!(rejected.code, code),
            other => panic!("{event}: {other:?}"),
        };
    check(&mut session, "stopped", json!({}), "bad_stop");
    check(&mut session, "watched", json!({"calls": 3}), "bad_look");
    check(&mut session, "prompted", json!({"text": "[System Coach] Run it."}), "own_words");
}
