//! Tests of messages that are read from transcripts instead of the payload.

use crate::agent::contracts::{CLAUDE, CONTRACTS, fixture, fixture_path, journal};
use crate::common::{Folder, text};
use serde_json::{Value, json};

/// Checks the decision on a stop of Claude Code whose message is in a transcript, and the message in the log.
fn check(path: &str, decision: &str, preview: &str) {
    check_reason(path, decision, preview, "");
}

fn check_reason(path: &str, decision: &str, preview: &str, reason: &str) {
    let folder = Folder::new();
    let mut payload = CLAUDE.payload(CLAUDE.stop, "one");
    payload["last_assistant_message"] = Value::Null;
    payload["transcript_path"] = json!(path);
    let is_sent_on = CLAUDE.message(&CLAUDE.call(&folder, &payload)).is_some();
    let lines = journal(&folder);
    assert_eq!(text(&lines[0], "/decision"), decision, "{path}: {lines:?}");
    assert_eq!(text(&lines[0], "/preview"), preview, "{path}: {lines:?}");
    assert!(text(&lines[0], "/reason").contains(reason), "{path}: {lines:?}");
    assert_eq!(is_sent_on, decision == "continue");
}

#[test]
fn the_agents_own_last_message_counts() {
    let folder = Folder::new();
    check(&fixture_path("claude-code-2.1.325-transcript.jsonl"), "continue", "Let me run the tests next.");
    let long = "{\"type\":\"progress\"}\n".repeat(200_000) + &fixture("claude-code-2.1.325-transcript.jsonl");
    check(&folder.write("long.jsonl", long), "continue", "Let me run the tests next.");
}

#[test]
fn an_error_of_the_program_is_never_continued() {
    let path = fixture_path("claude-code-2.1.325-transcript-api-error.jsonl");
    check(&path, "deliver", "Let me run the tests next.");
}

#[test]
fn the_humans_last_message_is_not_the_agents() {
    let folder = Folder::new();
    let transcript = fixture("claude-code-2.1.325-transcript.jsonl")
        + r#"{"type":"user","isSidechain":false,"message":{"role":"user","content":"Stop."}}"#;
    check(&folder.write("t.jsonl", transcript), "failed_open", "");
    check(&folder.write("empty.jsonl", ""), "failed_open", "");
    check(&folder.data().display().to_string(), "failed_open", "");
}

/// Opening a pipe would wait for a writer; a hook does not wait.
#[cfg(unix)]
#[test]
fn a_pipe_is_no_transcript() {
    let folder = Folder::new();
    let pipe = folder.data().with_file_name("pipe");
    let made = std::process::Command::new("mkfifo").arg(&pipe).status().expect("mkfifo is there");
    assert!(made.success());
    check_reason(&pipe.display().to_string(), "failed_open", "", "it is not a file");
}

#[test]
fn cursor_uses_only_the_message_of_the_same_turn() {
    let cursor = CONTRACTS.iter().find(|contract| contract.agent == "cursor").unwrap();
    let folder = Folder::new();
    assert_eq!(
        cursor.message(&cursor.call(&folder, &cursor.payload(cursor.stop, "one"))),
        None,
        "nothing is known"
    );
    assert!(cursor.stops(&folder, "one", "Let me run the tests next.").is_some());
    let mut later = cursor.payload(cursor.stop, "one");
    later["generation_id"] = json!("another");
    assert_eq!(cursor.message(&cursor.call(&folder, &later)), None, "the message was of another turn");
    for status in ["error", "aborted"] {
        let mut ended = cursor.payload(cursor.stop, "two");
        ended["status"] = json!(status);
        assert_eq!(cursor.stops(&folder, "three", "Should I proceed with the refactor?"), None);
        assert_eq!(cursor.message(&cursor.call(&folder, &ended)), None, "{status}");
    }
}
