//! Tests of the listener with the output of each agent.

use super::*;

/// Checks the turn, the session and the number of tool events of an output, heard in pieces of several sizes.
fn check(output: &str, text: &str, error: Option<&str>, session: Option<&str>, tools: usize) -> Turn {
    let mut last = Turn::default();
    for size in [1, 7, output.len().max(1)] {
        let mut listener = Listener::new(None);
        let heard: Vec<Heard> =
            output.as_bytes().chunks(size).flat_map(|piece| listener.hear(piece)).collect();
        last = listener.take_turn();
        assert_eq!(last.text, text, "{output}");
        assert_eq!(last.error.as_deref(), error, "{output}");
        assert_eq!(listener.session.as_deref(), session, "{output}");
        assert_eq!(heard.iter().filter(|heard| matches!(heard, Heard::Tool(_))).count(), tools, "{output}");
    }
    last
}

#[test]
fn plain_text_is_the_message() {
    check("Working.\n\nAll done.\n", "Working.\n\nAll done.", None, None, 0);
    check("", "", None, None, 0);
    check("{\"level\":\"info\"}\nreally done", "{\"level\":\"info\"}\nreally done", None, None, 0);
}

#[test]
fn of_a_long_text_beginning_and_end_are_kept() {
    let mut listener = Listener::new(None);
    listener.hear(b"First.\n");
    for _ in 0..100_000 {
        listener.hear(b"noise noise noise noise\n");
    }
    listener.hear(b"Should I go on?");
    let text = listener.take_turn().text;
    assert!(text.starts_with("First.") && text.ends_with("Should I go on?"));
    assert!(text.len() < HEAD_BYTES + 2 * TAIL_BYTES + 100, "{}", text.len());
}

#[test]
fn claude_code_streams_its_turns() {
    let output = r#"{"type":"system","subtype":"init","session_id":"s-1","tools":[]}
{"type":"assistant","message":{"content":[{"type":"text","text":"Looking."},{"type":"tool_use","id":"t1","name":"Bash","input":{"command":"ls"}}]},"session_id":"s-1"}
{"type":"user","message":{"content":[{"type":"tool_result","tool_use_id":"t1","is_error":true,"content":"no"}]}}
{"type":"assistant","parent_tool_use_id":"t9","message":{"content":[{"type":"text","text":"I am another."}]}}
{"type":"assistant","message":{"content":[{"type":"text","text":"Next I write the tests."}]}}
{"type":"result","subtype":"success","is_error":false,"result":"Next I write the tests.","stop_reason":"end_turn","session_id":"s-1","total_cost_usd":0.25}
"#;
    let turn = check(output, "Next I write the tests.", None, Some("s-1"), 2);
    assert_eq!((turn.cost_microusd, turn.stop_reason), (Some(250_000), Some(StopReason::EndTurn)));
    let failed = r#"{"type":"result","subtype":"error_during_execution","is_error":true,"session_id":"s-1"}"#;
    check(failed, "", Some("error_during_execution"), Some("s-1"), 0);
    let refused = r#"{"type":"result","subtype":"success","is_error":true,"result":"API Error: 529","session_id":"s-1"}"#;
    check(refused, "API Error: 529", Some("API Error: 529"), Some("s-1"), 0);
    check(
        &format!("[{}]", failed.replace("error_during_execution", "error_max_turns")),
        "",
        Some("error_max_turns"),
        Some("s-1"),
        0,
    );
}

#[test]
fn codex_streams_items() {
    let output = r#"{"type":"thread.started","thread_id":"th-1"}
{"type":"turn.started"}
{"type":"item.completed","item":{"id":"i0","type":"reasoning","text":"hm"}}
{"type":"item.completed","item":{"id":"i1","type":"command_execution","command":"make","exit_code":2,"status":"failed"}}
{"type":"error","message":"Reconnecting... 1/5"}
{"type":"item.completed","item":{"id":"i2","type":"agent_message","text":"I will repair the build next."}}
{"type":"turn.completed","usage":{"input_tokens":1,"output_tokens":2}}
"#;
    check(output, "I will repair the build next.", None, Some("th-1"), 2);
    let failed = "{\"type\":\"thread.started\",\"thread_id\":\"th-1\"}\n{\"type\":\"turn.failed\",\"error\":{\"message\":\"stream closed\"}}\n";
    check(failed, "", Some("stream closed"), Some("th-1"), 0);
}

#[test]
fn gemini_streams_pieces_or_prints_one_document() {
    let output = r#"{"type":"init","session_id":"g-1","model":"m"}
{"type":"message","role":"user","content":"go"}
{"type":"message","role":"assistant","content":"Let me","delta":true}
{"type":"message","role":"assistant","content":" look.","delta":true}
{"type":"tool_use","tool_name":"read","tool_id":"r1","parameters":{"path":"a"}}
{"type":"tool_result","tool_id":"r1","status":"success","output":""}
{"type":"message","role":"assistant","content":"Half","delta":true}
{"type":"message","role":"assistant","content":" done.","delta":true}
{"type":"result","status":"success","stats":{}}
"#;
    check(output, "Half done.", None, Some("g-1"), 2);
    check(
        "{\n  \"session_id\": \"g-1\",\n  \"response\": \"Four.\",\n  \"stats\": {}\n}\n",
        "Four.",
        None,
        Some("g-1"),
        0,
    );
    let error = "{\n \"error\": {\n \"type\": \"ApiError\", \"message\": \"quota\", \"code\": 429 }\n}";
    check(error, "", Some("quota"), None, 0);
}

#[test]
fn opencode_streams_parts() {
    let output = r#"{"type":"step_start","sessionID":"o-1","part":{}}
{"type":"tool_use","sessionID":"o-1","part":{"tool":"bash","state":{"status":"error","input":{"command":"x"},"error":"no"}}}
{"type":"text","sessionID":"o-1","part":{"type":"text","text":"Which of the two?"}}
{"type":"step_finish","sessionID":"o-1","part":{"cost":0.5}}
"#;
    let turn = check(output, "Which of the two?", None, Some("o-1"), 2);
    assert_eq!(turn.cost_microusd, Some(500_000));
    let failed =
        r#"{"type":"error","sessionID":"o-1","error":{"name":"APIError","data":{"message":"overloaded"}}}"#;
    check(failed, "", Some("overloaded"), Some("o-1"), 0);
}

#[test]
fn a_line_ends_a_turn_where_that_is_agreed() {
    let mut listener = Listener::new(Some(".".to_owned()));
    assert_eq!(listener.hear(b"Half done.\n.\n"), [Heard::TurnEnded]);
    assert_eq!(listener.take_turn().text, "Half done.");
    assert_eq!(listener.hear(b"All 3 tests passed.\n.\n"), [Heard::TurnEnded]);
    assert_eq!(listener.take_turn().text, "All 3 tests passed.");
}

/// Checks the work that an output shows: the changed files, and the commands with whether they failed.
fn check_work(output: &str, changed: &[&str], runs: &[(&str, bool)]) {
    let work = check_heard(output).work.unwrap_or_else(|| panic!("{output}"));
    assert_eq!(work.changed, changed, "{output}");
    let seen: Vec<(&str, bool)> =
        work.runs.iter().map(|run| (run.command.as_str(), run.has_failed == Some(true))).collect();
    assert_eq!(seen, runs, "{output}");
}

fn check_heard(output: &str) -> Turn {
    let mut listener = Listener::new(None);
    listener.hear(output.as_bytes());
    listener.take_turn()
}

#[test]
fn what_an_agent_did_is_seen_in_its_events() {
    let runs = [("cargo test", true), ("cargo test", false)];
    check_work(
        r#"{"type":"assistant","message":{"role":"assistant","content":[{"type":"tool_use","id":"1","name":"Edit","input":{"file_path":"a.rs"}}]}}
{"type":"user","message":{"role":"user","content":[{"type":"tool_result","tool_use_id":"1","content":"ok"}]}}
{"type":"assistant","parent_tool_use_id":"9","message":{"role":"assistant","content":[{"type":"tool_use","id":"2","name":"Bash","input":{"command":"cargo test"}}]}}
{"type":"user","parent_tool_use_id":"9","message":{"role":"user","content":[{"type":"tool_result","tool_use_id":"2","content":"1 failed","is_error":true}]}}
{"type":"assistant","message":{"role":"assistant","content":[{"type":"tool_use","id":"3","name":"Bash","input":{"command":"cargo test"}}]}}
{"type":"user","message":{"role":"user","content":[{"type":"tool_result","tool_use_id":"3","content":"12 passed"}]}}
{"type":"result","subtype":"success","result":"Done."}"#,
        &["a.rs"],
        &runs,
    );
    check_work(
        r#"{"type":"item.completed","item":{"id":"1","type":"file_change","changes":[{"path":"a.rs","kind":"update"}],"status":"completed"}}
{"type":"item.completed","item":{"id":"2","type":"command_execution","command":"bash -lc 'cargo test'","aggregated_output":"1 failed","exit_code":101,"status":"failed"}}
{"type":"item.completed","item":{"id":"3","type":"command_execution","command":"bash -lc 'cargo test'","aggregated_output":"12 passed","exit_code":0,"status":"completed"}}
{"type":"item.completed","item":{"id":"4","type":"agent_message","text":"Done."}}
{"type":"turn.completed"}"#,
        &["a.rs"],
        &runs,
    );
    check_work(
        r#"{"type":"message","role":"user","content":"Fix it."}
{"type":"tool_use","tool_name":"replace","tool_id":"1","parameters":{"file_path":"a.rs"}}
{"type":"tool_result","tool_id":"1","status":"success","output":"ok"}
{"type":"tool_use","tool_name":"run_shell_command","tool_id":"2","parameters":{"command":"cargo test"}}
{"type":"tool_result","tool_id":"2","status":"error","output":"1 failed"}
{"type":"tool_use","tool_name":"run_shell_command","tool_id":"3","parameters":{"command":"cargo test"}}
{"type":"tool_result","tool_id":"3","status":"success","output":"12 passed"}
{"type":"message","role":"assistant","content":"Done."}"#,
        &["a.rs"],
        &runs,
    );
    check_work(
        r#"{"type":"tool_use","sessionID":"s","part":{"callID":"1","tool":"edit","state":{"status":"completed","input":{"filePath":"a.rs"},"output":"ok"}}}
{"type":"tool_use","sessionID":"s","part":{"callID":"2","tool":"bash","state":{"status":"completed","input":{"command":"cargo test"},"output":"1 failed","metadata":{"exit":101}}}}
{"type":"tool_use","sessionID":"s","part":{"callID":"3","tool":"bash","state":{"status":"completed","input":{"command":"cargo test"},"output":"12 passed","metadata":{"exit":0}}}}
{"type":"text","sessionID":"s","part":{"text":"Done."}}"#,
        &["a.rs"],
        &runs,
    );
    check_work(
        r#"{"type":"tool_call","subtype":"started","call_id":"1","tool_call":{"editToolCall":{"args":{"path":"a.rs"}}}}
{"type":"tool_call","subtype":"completed","call_id":"1","tool_call":{"editToolCall":{"args":{"path":"a.rs"},"result":{"success":{}}}}}
{"type":"tool_call","subtype":"started","call_id":"2","tool_call":{"shellToolCall":{"args":{"command":"cargo test"}}}}
{"type":"tool_call","subtype":"completed","call_id":"2","tool_call":{"shellToolCall":{"result":{"failure":{"exitCode":101,"stdout":"1 failed"}}}}}
{"type":"tool_call","subtype":"started","call_id":"3","tool_call":{"shellToolCall":{"args":{"command":"cargo test"}}}}
{"type":"tool_call","subtype":"completed","call_id":"3","tool_call":{"shellToolCall":{"result":{"success":{"exitCode":0,"stdout":"12 passed"}}}}}
{"type":"assistant","message":{"role":"assistant","content":[{"type":"text","text":"Done."}]}}
{"type":"result","subtype":"success","result":"Done."}"#,
        &["a.rs"],
        &runs,
    );
    let unseen = r#"{"type":"result","subtype":"success","result":"Done."}"#;
    assert_eq!(check_heard(unseen).work, None, "one document does not show what was done");
    assert_eq!(check_heard("Done.").work, None);
}
