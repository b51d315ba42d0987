//! Tests that the agent may stop whatever goes wrong, and that the log says why.

use crate::agent::contracts::{CLAUDE, CONTRACTS, STATUS, journal, well};
use crate::common::{Folder, text};
use serde_json::{Value, json};

/// A stop of Claude Code with one field changed.
fn with(field: &str, value: Value) -> Vec<u8> {
    let mut payload = CLAUDE.payload(CLAUDE.stop, "one");
    payload[field] = value;
    payload.to_string().into_bytes()
}

/// Checks that a payload lets the agent stop, and that the log has this decision and reason.
fn check(payload: &[u8], decision: &str, reason: &str) {
    let folder = Folder::new();
    let shown = String::from_utf8_lossy(&payload[..payload.len().min(200)]).into_owned();
    assert_eq!(CLAUDE.message(&well(CLAUDE.hook(&folder, payload))), None, "{shown}");
    let lines = journal(&folder);
    assert_eq!(lines.len(), 1, "{shown}: {lines:?}");
    assert_eq!(text(&lines[0], "/decision"), decision, "{shown}: {lines:?}");
    assert!(text(&lines[0], "/reason").contains(reason), "{shown}: {lines:?}");
}

#[test]
fn an_unusable_payload_lets_the_agent_stop() {
    check(b"", "failed_open", "not JSON");
    check(b"{\"session_id\": \"one\", ", "failed_open", "not JSON");
    check(b"[1, 2]", "failed_open", "which session");
    check(&with("session_id", json!("")), "failed_open", "which session");
    check(&with("session_id", json!("  ")), "failed_open", "which session");
    check(&with("session_id", json!(7)), "failed_open", "which session");
    check(&with("session_id", Value::Null), "failed_open", "which session");
    check(&with("session_id", json!("x".repeat(500))), "failed_open", "session's name");
    check(&with("last_assistant_message", Value::Null), "failed_open", "no last message");
    check(
        &with("transcript_path", json!("/nowhere/one.jsonl")),
        "failed_open",
        "no prompt of the human is known",
    );
    check(&with("transcript_path", json!("/")), "failed_open", "it is not a file");
    let folder = tempfile::tempdir().unwrap();
    let noise = folder.path().join("noise.jsonl");
    std::fs::write(&noise, [0x9c, 0x0a, 0x22, 0xff, 0x0a, 0x7b]).unwrap();
    check(&with("transcript_path", json!(noise)), "failed_open", "it has no records");
}

#[test]
fn work_in_the_background_is_left_alone() {
    check(
        &with("background_tasks", json!([{"id": "b1", "status": "running"}])),
        "aside",
        "in the background: 1",
    );
    check(&with("session_crons", json!([{"cron": "0 9 * * *"}, {}])), "aside", "in the background: 2");
}

#[test]
fn a_subagents_task_has_its_own_session() {
    let folder = Folder::new();
    let mut task = CLAUDE.payload(CLAUDE.stop, "one");
    task["hook_event_name"] = json!("SubagentStop");
    task["last_assistant_message"] = json!("All 42 tests passed, committed abc1234");
    assert_eq!(CLAUDE.call(&folder, &task), "", "which task is not known");
    task["agent_id"] = json!("task-1");
    assert_eq!(CLAUDE.call(&folder, &task), "");
    assert!(CLAUDE.stops(&folder, "one", STATUS).is_some(), "the whole is not finished because a part is");
}

#[test]
fn odd_bytes_are_read_as_far_as_possible() {
    let stop = with("an_unknown_field", json!({"deep": [1, null]}));
    let mut stop: Value = serde_json::from_slice(&stop).unwrap();
    stop["transcript_path"] = Value::Null;
    let stop = stop.to_string().into_bytes();
    for payload in [[b"\xef\xbb\xbf".as_slice(), &stop].concat(), [&stop, b"\r\n\n".as_slice()].concat()] {
        assert!(CLAUDE.message(&well(CLAUDE.hook(&Folder::new(), &payload))).is_some());
    }
    let broken =
        String::from_utf8(stop).unwrap().replace("Let me run", "\u{1b}[31mLet me\u{1b}[0m run").into_bytes();
    let escaped: Vec<u8> = broken
        .iter()
        .flat_map(|byte| match byte {
            0x1b => br"\u001b".to_vec(),
            b'j' => vec![b'j', 0xff],
            byte => vec![*byte],
        })
        .collect();
    assert!(CLAUDE.message(&well(CLAUDE.hook(&Folder::new(), &escaped))).is_some());
}

#[test]
fn a_huge_message_is_judged_by_its_end() {
    let log = "compiling module after module, all is well so far\n".repeat(40_000);
    let folder = Folder::new();
    let question = format!("{log}\n\nShould I proceed with the refactor?");
    assert_eq!(CLAUDE.stops(&folder, "one", &question), None);
    assert_eq!(text(&journal(&folder)[0], "/decision"), "deliver");
    assert!(journal(&folder)[0].to_string().len() < 2_000, "the log keeps a preview");
}

#[test]
fn a_hook_inside_a_hook_does_nothing() {
    let folder = Folder::new();
    let payload = CLAUDE.payload(CLAUDE.stop, "one").to_string();
    let outcome = folder.run_with(&["agent", "hook", "claude-code", "--inside", "1"], payload.as_bytes());
    assert_eq!(well(outcome), "");
    assert!(text(&journal(&folder)[0], "/reason").contains("inside a hook"));
}

#[test]
fn a_hook_does_not_wait_for_a_locked_database() {
    let folder = Folder::new();
    assert!(CLAUDE.stops(&folder, "one", STATUS).is_some());
    // Another program holds the write lock; no command of Etude can arrange that.
    let other = rusqlite::Connection::open(folder.data().join("etude.db")).expect("the database is there");
    other.execute_batch("BEGIN IMMEDIATE").expect("no other program writes");
    let payload = CLAUDE.payload(CLAUDE.stop, "one").to_string();
    let outcome = CLAUDE.hook(&folder, payload.as_bytes());
    assert_eq!(well(outcome), "");
    assert!(text(&journal(&folder)[1], "/reason").contains("locked"), "{:?}", journal(&folder));
}

#[test]
fn a_broken_database_lets_the_agent_stop() {
    for contract in CONTRACTS {
        let folder = Folder::new();
        std::fs::create_dir_all(folder.data()).unwrap();
        std::fs::write(folder.data().join("etude.db"), "this is no database, only words ".repeat(64))
            .unwrap();
        let stop = contract.payload(contract.stop, "one");
        let outcome = contract.hook(&folder, stop.to_string().as_bytes());
        assert_eq!(outcome.code, Some(0), "{outcome:?}");
        assert_eq!(contract.message(outcome.stdout.trim()), None, "{outcome:?}");
    }
}

#[test]
fn an_impossible_data_folder_lets_the_agent_stop() {
    let folder = Folder::new();
    folder.write("data", "a file where the folder should be");
    let payload = CLAUDE.payload(CLAUDE.stop, "one").to_string();
    let outcome = CLAUDE.hook(&folder, payload.as_bytes());
    assert_eq!((outcome.code, outcome.stdout.as_str()), (Some(0), ""), "{outcome:?}");
}

#[test]
fn a_misused_hook_gives_no_order() {
    let folder = Folder::new();
    for arguments in
        [&["agent", "hook"][..], &["agent", "hook", "nobody"], &["agent", "hook", "gemini", "--phase"]]
    {
        let outcome = folder.run(arguments);
        assert_eq!((outcome.code, outcome.stdout.as_str()), (Some(1), ""), "{outcome:?}");
    }
    assert_eq!(folder.run(&["agent", "nothing"]).code, Some(2), "other commands end as usual");
}

#[test]
fn unknown_events_are_ignored() {
    let folder = Folder::new();
    let mut payload = CLAUDE.payload(CLAUDE.stop, "one");
    payload["hook_event_name"] = json!("PreToolUse");
    assert_eq!(CLAUDE.call(&folder, &payload), "");
    assert_eq!(journal(&folder), Vec::<Value>::new());
}
