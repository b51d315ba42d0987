//! Tests of agents without hooks, and of onlookers, over HTTP.

use crate::agent::contracts::{CLAUDE, COMPLETION, QUESTION, STATUSES, journal};
use crate::common::{Folder, text};
use serde_json::{Value, json};

const TURN: &str = "/api/agent/turn";

#[test]
fn an_agent_without_hooks_gets_the_decision() {
    let folder = Folder::new();
    let server = folder.serve(&[]);
    let turn = |body: Value| {
        let reply = server.client.post(TURN, &body);
        assert_eq!(reply.status, 200, "{reply:?}");
        reply.json()
    };
    let sent_on = turn(json!({"session": "one", "text": STATUSES[0]}));
    assert_eq!(text(&sent_on, "/decision"), "continue", "{sent_on}");
    assert!(text(&sent_on, "/message").contains("“Let me run the tests next.”"), "{sent_on}");
    assert_eq!((text(&sent_on, "/class"), text(&sent_on, "/source")), ("status", "rules"), "{sent_on}");
    let rejected = turn(json!({"session": "one", "text": "Done.", "agent": "generic"}));
    assert!(text(&rejected, "/message").starts_with("[System Coach]"), "{rejected}");
    assert_eq!(text(&rejected, "/tier"), "1b", "{rejected}");
    let asked = turn(json!({"session": "one", "text": QUESTION}));
    assert_eq!((text(&asked, "/decision"), text(&asked, "/message")), ("deliver", ""), "{asked}");
    turn(json!({"session": "one", "prompt": "Yes, do."}));
    let done = turn(json!({"session": "one", "text": COMPLETION}));
    assert_eq!((text(&done, "/decision"), text(&done, "/class")), ("deliver", "completion"), "{done}");
    let again = turn(json!({"session": "one", "text": STATUSES[1]}));
    assert_eq!(text(&again, "/decision"), "stop", "finished work is not started again: {again}");
    let crashed = turn(json!({"session": "two", "error": "overloaded", "details": "try later"}));
    assert_eq!(text(&crashed, "/decision"), "deliver", "{crashed}");
    let after = turn(json!({"session": "two", "text": STATUSES[0]}));
    assert_eq!(text(&after, "/decision"), "stop", "what has failed is not continued: {after}");
    let decisions: Vec<String> =
        journal(&folder).iter().map(|line| text(line, "/decision").to_owned()).collect();
    assert_eq!(decisions, ["continue", "continue", "deliver", "deliver", "aside", "deliver", "failed_open"]);
    assert_eq!(folder.run(&["agent", "off"]).code, Some(0));
    let off = turn(json!({"session": "three", "text": STATUSES[0]}));
    assert_eq!(text(&off, "/decision"), "stop", "{off}");
}

#[test]
fn an_unusable_turn_is_refused() {
    let folder = Folder::new();
    let server = folder.serve(&[]);
    for (body, status) in [
        (json!({"text": "x"}), 422),
        (json!({"session": " ", "text": "x"}), 422),
        (json!({"session": "one"}), 422),
        (json!({"session": "one", "text": "x", "error": "y"}), 422),
        (json!({"session": "one", "agent": "A B", "text": "x"}), 422),
        (json!({"session": "one", "agent": "", "text": "x"}), 422),
        (json!({"session": "one", "text": 3}), 400),
        (json!({"session": "one", "txt": "x"}), 400),
    ] {
        let reply = server.client.post(TURN, &body);
        assert_eq!(reply.status, status, "{body}: {reply:?}");
        assert!(!text(&reply.json(), "/cure").is_empty(), "{reply:?}");
    }
    let mut stranger = crate::common::Client::new(&server.client.address, None);
    assert_eq!(stranger.post(TURN, &json!({"session": "one", "text": "x"})).status, 401);
    stranger.token = Some("wrong".to_owned());
    assert_eq!(stranger.get("/api/agent/live").status, 401);
}

#[test]
fn the_watchdog_sees_tools() {
    let folder = Folder::new();
    let server = folder.serve(&[]);
    let used = |command: &str| {
        let tool = json!({"name": "bash", "input": {"command": command}, "is_error": false});
        server.client.post(TURN, &json!({"session": "one", "tool": tool})).json()
    };
    let alarms: Vec<usize> =
        (0..7).map(|_| used("make")["watchdog"].as_array().map_or(0, Vec::len)).collect();
    assert_eq!(alarms, [0, 0, 0, 0, 1, 0, 0], "it speaks up once");
}

/// A hook runs in another process than the server, yet watchers of the server see its effects.
#[test]
fn onlookers_see_sessions_decisions_and_the_watchdog() {
    let folder = Folder::new();
    let server = folder.serve(&[]);
    let secret = "Let me run the tests next with key sk-ant-REDACTED0123456789.";
    CLAUDE.stops(&folder, "early", QUESTION);
    let mut live = server.client.watch("/api/agent/live");
    let first = live.next().expect("an onlooker sees where sessions stand");
    assert_eq!((text(&first, "/session"), text(&first, "/state")), ("early", "WAITING_HUMAN"), "{first}");
    CLAUDE.stops(&folder, "one", secret);
    let session = live.next().expect("the stream is open");
    assert_eq!((text(&session, "/session"), text(&session, "/state")), ("one", "WATCHING"), "{session}");
    let decision = live.next().expect("the stream is open");
    assert_eq!(text(&decision, "/decision"), "continue", "{decision}");
    assert!(!decision.to_string().contains("sk-ant"), "{decision}");
    let tool = json!({"name": "bash", "input": "x", "is_error": true});
    for _ in 0..5 {
        server.client.post(TURN, &json!({"session": "two", "tool": tool}));
    }
    let watchdog = std::iter::from_fn(|| live.next()).find(|event| event["trouble"].is_string());
    let watchdog = watchdog.expect("the stream is open");
    assert_eq!(text(&watchdog, "/session"), "two", "{watchdog}");
}
