//! Tests of the session history: summaries, secrets, and the size of the log.

use crate::agent::contracts::{CLAUDE, CONTRACTS, QUESTION, STATUSES, journal};
use crate::common::{Folder, names, number, text};
use serde_json::Value;

#[test]
fn a_session_is_summed_up() {
    let folder = Folder::new();
    for message in [STATUSES[0], "Done.", STATUSES[1], QUESTION] {
        CLAUDE.stops(&folder, "one", message);
    }
    CONTRACTS[1].stops(&folder, "two", QUESTION);
    let all = folder.run(&["agent", "log", "--json"]).json();
    assert_eq!(all["sessions"].as_array().map(Vec::len), Some(2), "{all}");
    let one = folder.run(&["agent", "log", "one", "--json"]).json();
    let summary = &one["sessions"][0];
    let counts = ["/stops", "/continues", "/turns_saved", "/rejections", "/deliveries"];
    assert_eq!(counts.map(|count| number(summary, count)), [4, 3, 3, 1, 1], "{summary}");
    assert_eq!((text(summary, "/agent"), text(summary, "/state")), ("claude-code", "WAITING_HUMAN"));
    let decisions =
        Value::from_iter(one["entries"].as_array().unwrap().iter().map(|entry| entry["decision"].clone()));
    assert_eq!(names(&decisions), ["continue", "continue", "continue", "deliver"]);
    let shown = folder.run(&["agent", "log", "one"]).stdout;
    assert!(shown.contains("3 turns saved") && shown.contains("1 unproved"), "{shown}");
    assert!(!shown.contains("codex"), "{shown}");
}

#[test]
fn secrets_are_stored_nowhere() {
    let folder = Folder::new();
    let secret = "hunter2-very-secret";
    for (contract, session) in CONTRACTS.iter().zip(["a", "b", "c", "d", "e", "f"]) {
        contract.stops(
            &folder,
            session,
            &format!("I exported DB_PASSWORD={secret} and go on with the importer next."),
        );
        contract.prompted(&folder, session, &format!("use password={secret} please"));
    }
    let lines = journal(&folder);
    assert!(lines.iter().any(|line| text(line, "/preview").contains("DB_PASSWORD=[redacted]")), "{lines:?}");
    let stops = folder.data().join("stops");
    let files =
        [folder.data().to_path_buf(), stops].map(|folder| std::fs::read_dir(folder).unwrap().flatten());
    for file in files.into_iter().flatten().filter(|file| file.path().is_file()) {
        let bytes = std::fs::read(file.path()).unwrap();
        let found = bytes.windows(secret.len()).any(|window| window == secret.as_bytes());
        assert!(!found, "{} has the secret", file.path().display());
    }
}

#[test]
fn the_log_does_not_grow_without_end() {
    let folder = Folder::new();
    CLAUDE.stops(&folder, "one", QUESTION);
    let path = folder.data().join("agent.log");
    let line = std::fs::read_to_string(&path).unwrap();
    std::fs::write(&path, line.repeat((2 << 20) / line.len() + 1)).unwrap();
    CLAUDE.stops(&folder, "two", QUESTION);
    assert_eq!(journal(&folder).len(), 1, "a new file has begun");
    let log = folder.run(&["agent", "log", "--limit", "3", "--json"]).json();
    assert_eq!(log["entries"].as_array().map(Vec::len), Some(3), "the older file is still read");
}

#[test]
fn a_message_is_classified_alone() {
    let folder = Folder::new();
    let shown = folder.run_with(&["agent", "classify"], b"Done.").json();
    let fields: Vec<&str> = shown.as_object().unwrap().keys().map(String::as_str).collect();
    let document = ["output_type", "confidence", "reason", "coaching_message", "was_rejected_completion"];
    assert!(document.iter().all(|field| fields.contains(field)), "{shown}");
    assert_eq!((text(&shown, "/output_type"), text(&shown, "/source")), ("status", "rules"));
    assert_eq!(shown["was_rejected_completion"], true);
    let told = folder.run_with(&["agent", "classify", "--error", "overloaded"], b"Done.").json();
    assert_eq!(text(&told, "/output_type"), "error");
    assert_eq!(folder.run_with(&["agent", "classify"], b"\xff\xfe\x00").code, Some(0));
}
