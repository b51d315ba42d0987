//! Tests of `etude agent run` with small shell scripts as agents: their output, how they are sent on, how a run
//! ends.

use crate::agent::contracts::{COMPLETION, QUESTION, STATUSES, journal};
use crate::common::{Folder, Outcome, eventually, number, text};
use serde_json::Value;
use std::os::unix::fs::PermissionsExt;
use std::process::{Child, Command, Stdio};

/// A folder with an agent in it. The agent writes its arguments to the file `calls`, one call a line.
struct Place {
    folder: Folder,
    agent: String,
}

impl Place {
    /// An agent that prints one of these messages on each call, and the last one on every later call.
    fn saying(name: &str, messages: &[&str]) -> Place {
        let cases: String = messages
            .iter()
            .enumerate()
            .map(|(at, message)| format!("{}) cat <<'END'\n{message}\nEND\n;;\n", at + 1))
            .collect();
        let last = messages.last().copied().unwrap_or_default();
        Place::with(name, &format!("case $(wc -l < calls) in\n{cases}*) cat <<'END'\n{last}\nEND\nesac"))
    }

    fn with(name: &str, script: &str) -> Place {
        let folder = Folder::new();
        let home = std::path::PathBuf::from(folder.write("calls", ""));
        let home = home.parent().expect("a file is in a folder").display().to_string();
        let whole =
            format!("#!/bin/sh\ncd '{home}'\nprintf '%s|' \"$@\" >> calls\necho >> calls\n{script}\n");
        let agent = folder.write(name, whole);
        std::fs::set_permissions(&agent, std::fs::Permissions::from_mode(0o755)).unwrap();
        Place { folder, agent }
    }

    fn run(&self, arguments: &[&str], command: &[&str]) -> Outcome {
        let all = [&["agent", "run", "--session", "one"], arguments, &["--", &self.agent], command].concat();
        self.folder.run(&all)
    }

    /// Starts a run in the background.
    fn start(&self, arguments: &[&str]) -> Child {
        let mut command = Command::new(env!("CARGO_BIN_EXE_etude"));
        command.args(["agent", "run", "--session", "one"]).args(arguments).args(["--", &self.agent]);
        command.env("ETUDE_DATA", self.folder.data()).stdin(Stdio::null());
        command.stdout(Stdio::null()).stderr(Stdio::null()).spawn().expect("the program starts")
    }

    fn calls(&self) -> Vec<String> {
        std::fs::read_to_string(self.file("calls")).unwrap_or_default().lines().map(str::to_owned).collect()
    }

    fn file(&self, name: &str) -> std::path::PathBuf {
        self.folder.data().with_file_name(name)
    }

    fn settings(&self, agent: &str) {
        std::fs::create_dir_all(self.folder.data()).unwrap();
        std::fs::write(self.folder.data().join("config.toml"), format!("[agent]\n{agent}\n")).unwrap();
    }

    fn sessions(&self) -> Value {
        self.folder.run(&["agent", "sessions", "--json"]).json()
    }

    fn decisions(&self) -> Vec<String> {
        journal(&self.folder).iter().map(|line| text(line, "/decision").to_owned()).collect()
    }
}

/// The coach's message to an agent that announced a step and stopped.
const PROMISED: &str = "[System Coach] You said: “Let me run the tests next.” Nothing followed yet, so go ahead. If \
                        something is in the way, say what it is.";

const RESUME: [&str; 2] = ["--resume-with", "sh AGENT again {message}"];

/// The resume template with the agent's own path in it.
fn resuming(place: &Place) -> [String; 2] {
    [RESUME[0].to_owned(), RESUME[1].replace("AGENT", &place.agent)]
}

fn run_resuming(place: &Place, command: &[&str]) -> Outcome {
    let [flag, template] = resuming(place);
    place.run(&[&flag, &template], command)
}

#[test]
fn an_agent_that_stops_early_is_sent_on_until_it_is_done() {
    let place = Place::saying("my-agent", &[STATUSES[0], "Done.", COMPLETION]);
    let outcome = run_resuming(&place, &["start", "two words"]);
    assert_eq!(outcome.code, Some(0), "{outcome:?}");
    assert_eq!(outcome.stdout, format!("{}\nDone.\n{COMPLETION}\n", STATUSES[0]), "its output is its own");
    let calls = place.calls();
    assert_eq!(
        (calls.len(), calls[0].as_str(), calls[1].as_str()),
        (3, "start|two words|", format!("again|{PROMISED}|").as_str())
    );
    assert!(calls[2].starts_with("again|[System Coach] You say “Done.”"), "{calls:?}");
    assert!(outcome.stderr.contains("finished:"), "{outcome:?}");
    assert_eq!(place.decisions(), ["continue", "continue", "deliver"]);
}

#[test]
fn a_message_for_the_human_ends_the_run() {
    for (message, code, said) in [
        (QUESTION, 3, "over to you:"),
        ("Blocked: I have no access to the deployment config", 3, "over to you:"),
        ("Build failed with exit code 1", 4, "failed:"),
        ("", 3, "over to you:"),
        (COMPLETION, 0, "finished:"),
    ] {
        let place = Place::saying("my-agent", &[message]);
        let outcome = run_resuming(&place, &[]);
        assert_eq!(outcome.code, Some(code), "{message}: {outcome:?}");
        assert!(outcome.stderr.contains(said), "{message}: {outcome:?}");
        assert_eq!(place.calls().len(), 1, "{message}");
    }
}

#[test]
fn it_stops_at_the_cap() {
    let place = Place::saying("my-agent", &STATUSES);
    let outcome = run_resuming(&place, &[]);
    assert_eq!((outcome.code, place.calls().len()), (Some(3), 4), "{outcome:?}");
    assert!(outcome.stderr.contains("told to go on 3 times"), "{outcome:?}");
    let place = Place::saying("my-agent", &STATUSES);
    let [flag, template] = resuming(&place);
    let outcome = place.run(&["--max-continues", "1", &flag, &template], &[]);
    assert_eq!((outcome.code, place.calls().len()), (Some(3), 2), "{outcome:?}");
}

#[test]
fn the_kill_switch_holds_for_runs_too() {
    let place = Place::saying("my-agent", &[STATUSES[0]]);
    assert_eq!(place.folder.run(&["agent", "off"]).code, Some(0));
    let outcome = run_resuming(&place, &[]);
    assert_eq!((outcome.code, place.calls().len()), (Some(3), 1), "{outcome:?}");
    assert!(outcome.stderr.contains("switched off"), "{outcome:?}");
}

#[test]
fn a_crashed_agent_has_failed_and_is_not_continued() {
    for script in ["echo Let me run the tests next.; exit 7", "echo Let me run the tests next.; kill -9 $$"] {
        let place = Place::with("my-agent", script);
        let outcome = run_resuming(&place, &[]);
        assert_eq!((outcome.code, place.calls().len()), (Some(4), 1), "{outcome:?}");
        let sessions = place.sessions();
        assert_eq!(text(&sessions, "/sessions/0/outcome"), "error", "{sessions}");
        assert!(text(&sessions, "/sessions/0/failed").contains("ended with"), "{sessions}");
    }
    let nowhere = Folder::new().run(&["agent", "run", "--", "/no/such/agent"]);
    assert!(nowhere.code == Some(4) && nowhere.stderr.contains("cannot be started"), "{nowhere:?}");
}

/// The output of one turn of Claude Code.
fn turn_of_claude(message: &str) -> String {
    let init = r#"{"type":"system","subtype":"init","session_id":"s-9"}"#;
    let result = serde_json::json!({
        "type": "result", "subtype": "success", "is_error": false, "result": message, "session_id": "s-9",
        "total_cost_usd": 0.5,
    });
    format!("{init}\n{result}")
}

#[test]
fn a_known_agent_is_resumed_by_its_own_session() {
    let turns = [turn_of_claude(STATUSES[0]), turn_of_claude(COMPLETION)];
    let place = Place::saying("claude", &turns.each_ref().map(String::as_str));
    let outcome = place.run(&[], &["-p", "fix it", "--output-format", "stream-json"]);
    assert_eq!(outcome.code, Some(0), "{outcome:?}");
    let calls = place.calls();
    assert!(calls[0].starts_with("--session-id|") && calls[0].contains("|-p|fix it|"), "{calls:?}");
    assert_eq!(calls[1], format!("--resume|s-9|-p|--output-format|stream-json|{PROMISED}|"));
    let sessions = place.sessions();
    assert_eq!(number(&sessions, "/sessions/0/agent_microusd"), 1_000_000, "{sessions}");
    let summary = place.folder.run(&["agent", "log", "--summary"]).stdout;
    assert!(summary.contains("1 turn saved") && summary.contains("$1.00"), "{summary}");
}

#[test]
fn money_is_a_bound() {
    let turns = STATUSES.map(turn_of_claude);
    let place = Place::saying("claude", &turns.each_ref().map(String::as_str));
    let outcome = place.run(&["--max-usd", "0.75"], &["-p", "fix it"]);
    assert_eq!((outcome.code, place.calls().len()), (Some(3), 2), "{outcome:?}");
    assert!(outcome.stderr.contains("$1.00"), "{outcome:?}");
}

#[test]
fn a_listening_agent_is_answered_in_its_running_process() {
    let script = r#"while read -r line; do echo "$line" >> heard; n=$((n + 1))
        if [ $n = 1 ]; then echo '{"type":"result","subtype":"success","is_error":false,"result":"Let me run the tests next.","session_id":"s"}'
        else echo '{"type":"result","subtype":"success","is_error":false,"result":"All 42 tests passed, committed abc1234","session_id":"s"}'; fi; done; echo over >> heard"#;
    let prologue = r#"echo '{"type":"result","subtype":"success","is_error":false,"result":"Next I will write the importer.","session_id":"s"}'"#;
    let place = Place::with("claude", &format!("n=0\n{prologue}\n{script}"));
    let outcome = place.run(&[], &["-p", "--input-format", "stream-json", "--output-format", "stream-json"]);
    assert_eq!((outcome.code, place.calls().len()), (Some(0), 1), "{outcome:?}");
    let heard = std::fs::read_to_string(place.file("heard")).unwrap();
    let lines: Vec<&str> = heard.lines().collect();
    assert_eq!((lines.len(), lines[2]), (3, "over"), "{heard}");
    let first: Value = serde_json::from_str(lines[0]).expect("a message is JSON");
    assert!(text(&first, "/message/content/0/text").contains("“Next I will write the importer.”"), "{heard}");
}

#[test]
fn an_agent_may_communicate_in_lines() {
    let script = "echo Let me run the tests next.; echo .; read -r line; echo \"$line\" > heard; \
                  echo All 42 tests passed, committed abc1234; echo .; read -r line || echo over >> heard";
    let place = Place::with("my-agent", script);
    let outcome = place.run(&["--input", "lines"], &[]);
    assert_eq!((outcome.code, place.calls().len()), (Some(0), 1), "{outcome:?}");
    assert_eq!(std::fs::read_to_string(place.file("heard")).unwrap(), format!("{PROMISED}\nover\n"));
}

#[test]
fn a_silent_agent_is_reported_once_and_ended_on_request() {
    let place = Place::with("my-agent", "sleep 60 & echo $! > child; wait");
    let notify = "notify_command = \"sh -c 'echo $0 >> told' '{session}: {message}'\"";
    let told = place.file("told").display().to_string();
    place.settings(&format!("silence_s = 1\nend_when_silent = true\n{}", notify.replace("told", &told)));
    let outcome = run_resuming(&place, &[]);
    assert_eq!(outcome.code, Some(4), "{outcome:?}");
    assert!(outcome.stderr.contains("watchdog: the agent has been silent"), "{outcome:?}");
    assert_eq!(place.decisions(), ["watchdog", "deliver"]);
    let told = std::fs::read_to_string(told).unwrap();
    let ended = "one: the watchdog ended the agent: the agent has been silent";
    assert!(told.starts_with(ended) && told.lines().count() == 1, "{told}");
    let child = std::fs::read_to_string(place.file("child")).unwrap();
    eventually("what the agent started has ended too", || (!is_alive(child.trim())).then_some(()));
}

#[test]
fn a_long_run_is_reported_and_left_alone() {
    let script =
        "for i in 1 2 3 4 5 6; do echo at it; sleep 0.5; done; echo 'All 42 tests passed, committed abc1234'";
    let place = Place::with("my-agent", script);
    place.settings("duration_s = 1");
    let outcome = run_resuming(&place, &[]);
    assert_eq!(outcome.code, Some(0), "{outcome:?}");
    assert_eq!(place.decisions(), ["watchdog", "deliver"]);
}

#[test]
fn repeated_calls_and_failures_are_reported_once_each() {
    let call = r#"{"type":"assistant","message":{"content":[{"type":"tool_use","name":"Bash","input":{"command":"make"}}]}}"#;
    let failure = r#"{"type":"user","message":{"content":[{"type":"tool_result","is_error":true}]}}"#;
    let turn = turn_of_claude(QUESTION);
    let looping = format!("{call}\n{failure}\n").repeat(12) + &turn;
    let place = Place::saying("claude", &[&looping]);
    place.settings("same_calls = 4\nerrors = 6");
    let outcome = place.run(&[], &["-p", "x"]);
    assert_eq!(outcome.code, Some(3), "{outcome:?}");
    assert_eq!(place.decisions(), ["watchdog", "watchdog", "deliver"], "{outcome:?}");
    let sessions = place.sessions();
    assert_eq!(number(&sessions, "/sessions/0/alarms"), 2, "{sessions}");
}

#[test]
fn a_signal_ends_the_agent_and_its_processes() {
    let place = Place::with("my-agent", "sleep 60 & echo $! > child; wait");
    let mut run = place.start(&[]);
    let child = eventually("the agent runs", || {
        std::fs::read_to_string(place.file("child")).ok().filter(|child| child.ends_with('\n'))
    });
    signal("TERM", &run.id().to_string());
    assert_eq!(run.wait().unwrap().code(), Some(143));
    eventually("what the agent started has ended too", || (!is_alive(child.trim())).then_some(()));
    let sessions = place.sessions();
    assert_eq!(text(&sessions, "/sessions/0/outcome"), "error", "{sessions}");
    assert!(text(&sessions, "/sessions/0/failed").contains("signal 15"), "{sessions}");
}

/// A check that takes long and leaves the id of its child process.
const LONG_CHECK: &str = "sleep 603 & echo $! > \"$CHECKING\"; wait";

#[test]
fn a_check_does_not_outlive_its_run() {
    let place = || Place::saying("my-agent", &[COMPLETION]);
    let check =
        |place: &Place| LONG_CHECK.replace("$CHECKING", &place.file("checking").display().to_string());
    let checking = |place: &Place| {
        eventually("the check runs", || {
            std::fs::read_to_string(place.file("checking")).ok().filter(|id| id.ends_with('\n'))
        })
    };
    let is_gone = |id: &str| eventually("the check has ended too", || (!is_alive(id.trim())).then_some(()));
    let signalled = place();
    let mut run = signalled.start(&["--check", &check(&signalled)]);
    let id = checking(&signalled);
    signal("INT", &run.id().to_string());
    assert_eq!(run.wait().unwrap().code(), Some(130));
    is_gone(&id);
    let late = place();
    let outcome = late.run(&["--max-minutes", "0.05", "--check", &check(&late)], &[]);
    assert_eq!(outcome.code, Some(3), "{outcome:?}");
    assert!(outcome.stderr.contains("Etude ended the agent after"), "{outcome:?}");
    is_gone(&checking(&late));
    if cfg!(target_os = "linux") {
        let killed = place();
        let mut run = killed.start(&["--check", &check(&killed)]);
        let id = checking(&killed);
        run.kill().unwrap();
        run.wait().unwrap();
        is_gone(&id);
    }
}

#[cfg(target_os = "linux")]
#[test]
fn an_agent_does_not_outlive_its_guard() {
    let place = Place::with("my-agent", "echo $PPID > guard; echo $$ > child; exec sleep 604");
    let mut run = place.start(&[]);
    let written = |name: &str| {
        eventually("the agent runs", || {
            std::fs::read_to_string(place.file(name)).ok().filter(|id| id.ends_with('\n'))
        })
    };
    let (child, guard) = (written("child"), written("guard"));
    signal("KILL", guard.trim());
    assert_eq!(run.wait().unwrap().code(), Some(4));
    eventually("the agent has ended too", || (!is_alive(child.trim())).then_some(()));
}

#[test]
fn an_agent_that_only_plans_is_not_sent_on() {
    let place = Place::saying("claude", &[STATUSES[3]]);
    let outcome = place.run(&[], &["-p", "Write the importer.", "--permission-mode", "plan"]);
    assert_eq!((outcome.code, place.calls().len()), (Some(3), 1), "{outcome:?}");
    assert!(outcome.stderr.contains("asked for a plan"), "{outcome:?}");
}

#[test]
fn an_interrupted_run_is_found_and_resumed() {
    let script = "case $(wc -l < calls) in 1) echo $$ > child; exec sleep 60;; *) echo 'All 42 tests passed, committed abc1234';; esac";
    let place = Place::with("my-agent", script);
    let told = place.file("told").display().to_string();
    place.settings(&format!("notify_command = \"sh -c 'echo $0 >> {told}' '{{session}}: {{message}}'\""));
    let mut run = place.start(&[]);
    let child = eventually("the agent runs", || {
        std::fs::read_to_string(place.file("child")).ok().filter(|child| child.ends_with('\n'))
    });
    let second = place.run(&[], &[]);
    assert!(second.code == Some(1) && second.stderr.contains("being run already"), "{second:?}");
    run.kill().unwrap();
    run.wait().unwrap();
    if cfg!(target_os = "linux") {
        eventually("the agent ends with it", || (!is_alive(child.trim())).then_some(()));
    } else {
        signal("KILL", child.trim());
    }
    let sessions = place.sessions();
    assert_eq!(text(&sessions, "/cut_off/0"), "one", "{sessions}");
    assert_eq!(text(&sessions, "/sessions/0/outcome"), "error", "{sessions}");
    assert!(text(&sessions, "/sessions/0/failed").contains("interrupted"), "{sessions}");
    assert_eq!(place.sessions()["cut_off"].as_array().map(Vec::len), Some(0), "it is found once");
    let told = std::fs::read_to_string(told).unwrap();
    assert!(told.starts_with("one: ") && told.lines().count() == 1, "the human hears of it: {told}");
    let again = place.folder.run(&["agent", "run", "--again", "one"]);
    assert_eq!((again.code, place.calls().len()), (Some(0), 2), "{again:?}");
    let unknown = place.folder.run(&["agent", "run", "--again", "two"]);
    assert!(unknown.code == Some(2) && unknown.stderr.contains("no run is called two"), "{unknown:?}");
}

#[test]
fn the_human_is_told_why_a_run_cannot_resume() {
    let place = Place::saying("my-agent", &[STATUSES[0]]);
    let outcome = place.run(&[], &[]);
    assert_eq!((outcome.code, place.calls().len()), (Some(3), 1), "{outcome:?}");
    assert!(outcome.stderr.contains("--resume-with"), "{outcome:?}");
    for wrong in [&["--resume-with", "no place"][..], &["--session", "../x"], &["--max-usd", "free"]] {
        assert_eq!(place.run(wrong, &[]).code, Some(2), "{wrong:?}");
    }
}

/// A turn of an agent that prints its calls: these commands with their results, then the message.
fn shown_turn(runs: &[(&str, &str, bool)], message: &str) -> String {
    let event = |kind: &str, block: Value| {
        serde_json::json!({"type": kind, "message": {"role": kind, "content": [block]}}).to_string() + "\n"
    };
    let calls = runs.iter().enumerate().map(|(at, (command, said, is_error))| {
        let call = serde_json::json!({"type": "tool_use", "id": at.to_string(), "name": "Bash", "input": {"command": command}});
        let result = serde_json::json!({"type": "tool_result", "tool_use_id": at.to_string(), "content": said, "is_error": is_error});
        event("assistant", call) + &event("user", result)
    });
    let says = event("assistant", serde_json::json!({"type": "text", "text": message}));
    calls.collect::<String>() + &says + &turn_of_claude(message)
}

#[test]
fn claims_are_checked_against_the_shown_work() {
    let claim = "Done. All 12 tests pass.";
    let check = |runs: &[(&str, &str, bool)], code: i32, said: &str| {
        let place = Place::saying("claude", &[&shown_turn(runs, claim)]);
        let outcome = place.run(&[], &["-p", "Fix the parser.", "--output-format", "stream-json"]);
        assert_eq!(outcome.code, Some(code), "{runs:?} {}", outcome.stderr);
        assert!(outcome.stderr.contains(said), "{runs:?} {}", outcome.stderr);
    };
    let change = ("sed -i s/a/b/ src/parser.rs", "", false);
    let green = ("cargo test", "test result: ok. 12 passed; 0 failed", false);
    let red = ("cargo test", "test result: FAILED. 11 passed; 1 failed", true);
    check(&[], 3, "no test was run");
    check(&[green, change], 3, "no test was run");
    check(&[change, red], 3, "failed the last time you ran it");
    check(&[change, green], 0, "finished:");
}

#[test]
fn limits_in_an_agents_arguments_are_honoured() {
    let said = "Step 1 is written. Next I will write the importer.";
    for (agent, command) in [
        ("claude", &["-p", "Only step 1, then stop."][..]),
        ("claude", &["-p", "Only step 1, then stop.", "--output-format", "stream-json"]),
        ("codex", &["exec", "Only step 1, then stop."]),
        ("my-agent", &["--task", "Only step 1, then stop."]),
    ] {
        let place = Place::saying(agent, &[said]);
        let outcome = run_resuming(&place, command);
        assert_eq!((outcome.code, place.calls().len()), (Some(3), 1), "{command:?} {outcome:?}");
        assert!(outcome.stderr.contains("you set a limit"), "{command:?} {outcome:?}");
    }
    let place = Place::saying("claude", &[said, COMPLETION]);
    let outcome = run_resuming(&place, &["-p", "Write the parser and the importer."]);
    assert_eq!(
        (outcome.code, place.calls().len()),
        (Some(0), 2),
        "without a limit it is sent on: {outcome:?}"
    );
}

#[test]
fn a_prompt_on_standard_input_reaches_the_agent_and_its_limits_hold() {
    let place =
        Place::with("claude", "cat > heard; echo 'Step 1 is written. Next I will write the importer.'");
    let arguments = ["agent", "run", "--session", "one", "--", &place.agent, "-p"];
    let outcome = place.folder.run_with(&arguments, b"Only step 1, then stop.\n");
    assert_eq!((outcome.code, place.calls().len()), (Some(3), 1), "{outcome:?}");
    assert!(outcome.stderr.contains("you set a limit"), "{outcome:?}");
    assert_eq!(std::fs::read_to_string(place.file("heard")).unwrap(), "Only step 1, then stop.\n");
}

/// A process that left the agent's group, and one that stays in it.
const LEAVES: &str = "setsid sleep 600 & echo $! > child; sleep 601 & echo $! > other";

#[test]
fn no_process_of_the_agent_outlives_the_run() {
    let left = |place: &Place| {
        let alive = |name: &str| {
            std::fs::read_to_string(place.file(name)).is_ok_and(|process| is_alive(process.trim()))
        };
        alive("child") || alive("other")
    };
    for round in 0..4 {
        let place = Place::with("my-agent", &format!("{LEAVES}; sleep 602"));
        let mut run = place.start(&[]);
        eventually("the agent runs", || {
            std::fs::read_to_string(place.file("other")).ok().filter(|child| child.ends_with('\n'))
        });
        signal("TERM", &run.id().to_string());
        assert_eq!(run.wait().unwrap().code(), Some(143));
        assert!(!left(&place), "round {round}: a signal");
        let place = Place::with("my-agent", &format!("{LEAVES}; sleep 602"));
        let outcome = place.run(&["--max-minutes", "0.02"], &[]);
        assert_eq!(outcome.code, Some(3), "{outcome:?}");
        assert!(outcome.stderr.contains("Etude ended the agent after 1 s"), "{outcome:?}");
        assert!(!left(&place), "round {round}: the time limit");
    }
    let place = Place::with("my-agent", &format!("{LEAVES}; echo 'All 42 tests passed, committed abc1234'"));
    let outcome = place.run(&[], &[]);
    assert_eq!(outcome.code, Some(0), "{outcome:?}");
    assert!(!left(&place), "a normal end");
}

#[test]
fn an_agent_that_cannot_be_resumed_is_handed_over() {
    let place = Place::saying("my-agent", &[STATUSES[0]]);
    let told = place.file("told").display().to_string();
    place.settings(&format!("notify_command = \"sh -c 'echo $0 >> {told}' '{{project}}: {{message}}'\""));
    for (flags, why) in [
        (&[][..], "give --resume-with"),
        (&["--resume-with", "my-agent -s {session} {message}"], "leave {session} out"),
    ] {
        let outcome = place.run(flags, &[]);
        assert_eq!(outcome.code, Some(3), "{outcome:?}");
        assert!(outcome.stderr.contains("cannot be sent on") && outcome.stderr.contains(why), "{outcome:?}");
        assert!(!outcome.stderr.contains("etude: sent on:"), "nothing was sent: {outcome:?}");
        let sessions = place.sessions();
        assert_eq!(text(&sessions, "/sessions/0/stands"), "waiting", "{sessions}");
        assert_eq!(number(&sessions, "/sessions/0/continues"), 0, "{sessions}");
    }
    let told = std::fs::read_to_string(told).unwrap();
    assert_eq!(told.lines().count(), 2, "{told}");
    assert!(told.contains(STATUSES[0]), "the agent's own words are in it: {told}");
}

#[test]
fn a_missing_agent_is_reported() {
    let folder = Folder::new();
    let outcome = folder.run(&["agent", "run", "--", "./no-such-agent"]);
    assert_eq!(outcome.code, Some(4), "{outcome:?}");
    assert!(outcome.stderr.contains("failed: the agent cannot be started"), "{outcome:?}");
}

fn signal(name: &str, process: &str) {
    Command::new("kill").args([&format!("-{name}"), process]).status().expect("kill is there");
}

fn is_alive(process: &str) -> bool {
    let state = std::fs::read_to_string(format!("/proc/{process}/stat")).unwrap_or_default();
    !state.is_empty() && !state.contains(") Z ")
}
