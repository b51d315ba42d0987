//! Tests of `etude doctor` on machines in different states of health.

use crate::common::{Folder, Outcome, text};
use crate::model::place::{KEY, Place, dialogue, settings};
use crate::model_server::{Scene, completion, json_reply};
use serde_json::{Value, json};
use std::net::TcpListener;

/// Returns the checks of an area, each as its level and its text.
fn of_area(outcome: &Outcome, area: &str) -> Vec<(String, String)> {
    let report = outcome.json();
    let checks = report["checks"].as_array().unwrap_or_else(|| panic!("no checks in {report}"));
    let of_area = checks.iter().filter(|check| check["area"] == area);
    of_area.map(|check| (text(check, "/level").to_owned(), described(check))).collect()
}

fn described(check: &Value) -> String {
    format!("{} | {}", text(check, "/what"), text(check, "/cure"))
}

/// Checks the exit code, and that an area has a check with this level and text.
#[track_caller]
fn check(outcome: &Outcome, code: i32, area: &str, level: &str, part: &str) {
    assert_eq!(outcome.code, Some(code), "{outcome:?}");
    assert_eq!(outcome.json()["ok"], code == 0, "{outcome:?}");
    let checks = of_area(outcome, area);
    assert!(checks.iter().any(|(known, what)| known == level && what.contains(part)), "{area}: {checks:?}");
    assert!(!outcome.all().contains(KEY), "{outcome:?}");
}

#[test]
fn a_new_machine_is_healthy() {
    let folder = Folder::new();
    let outcome = folder.run(&["doctor", "--json"]);
    for (area, part) in [
        ("folder", "can be written"),
        ("disk", "MB are free"),
        ("token", "no token yet"),
        ("database", "schema has version"),
        ("packs", "packs can be used"),
        ("laws", "`drill`"),
        ("model", "no model is configured"),
    ] {
        check(&outcome, 0, area, "fine", part);
    }
    let shown = folder.run(&["doctor"]);
    assert!(shown.code == Some(0) && shown.stdout.contains("✓ database"), "{shown:?}");
}

fn with_model(scenes: Vec<Scene>) -> Outcome {
    Place::new(scenes, "timeout_ms = 3000\nretries = 0").run(&["doctor", "--json"])
}

#[test]
fn a_model_is_tried() {
    let list = json_reply(200, json!({"data": [{"id": "tiny"}]}));
    let ready = completion("{\"ready\": true}");
    let good = with_model(vec![list.clone(), ready]);
    check(&good, 0, "model", "fine", "accepts the key");
    check(&good, 0, "model", "fine", "\"tiny\" answers in JSON");
    let denied = json_reply(401, json!({"error": {"message": format!("bad key {KEY}")}}));
    check(&with_model(vec![denied]), 1, "model", "problem", "did not accept the key");
    check(&with_model(vec![list, completion("hm")]), 1, "model", "problem", "unusable");
}

#[test]
fn a_dead_server_is_reported() {
    let folder = Folder::new();
    let port =
        TcpListener::bind("127.0.0.1:0").and_then(|listener| listener.local_addr()).expect("a port").port();
    let path = folder.write("config.toml", settings(port, ""));
    let outcome = folder.run(&["--config", &path, "doctor", "--json"]);
    check(&outcome, 1, "model", "problem", "start the server, or correct `base_url`");
    let shown = folder.run(&["--config", &path, "doctor"]);
    assert!(shown.stdout.contains("✗ model") && shown.stdout.contains("do: start the server"), "{shown:?}");
}

#[test]
fn settings_are_checked() {
    let folder = Folder::new();
    let run = |content: &str| {
        let path = folder.write("config.toml", content);
        folder.run(&["--config", &path, "doctor", "--json"])
    };
    check(&run("[model]\ntimeout = 3"), 1, "model", "problem", "config.toml:2: [model] has no `timeout`");
    check(&run("[model]\npreset = \"ollama\""), 1, "model", "problem", "no model is named");
    let rich = "[model]\npreset = \"ollama\"\nmodel = \"m\"\nbudget.per_day.usd = -1.0";
    check(&run(rich), 1, "model", "problem", "amount of money");
    check(&run(""), 0, "channels", "fine", "messages wait in the inbox");
    check(&run("[mail]\nhoist = \"x\""), 1, "channels", "problem", "hoist");
    let port =
        TcpListener::bind("127.0.0.1:0").and_then(|listener| listener.local_addr()).expect("a port").port();
    let nobody = format!(
        "[mail]\nhost = \"127.0.0.1\"\nport = {port}\nsecurity = \"none\"\nfrom = \"e@example.org\"\n\
         [telegram]\ntoken = \"1:abcdefghijklmnopqrstuvwxyz0123456789\"\nbase_url = \"http://127.0.0.1:{port}\""
    );
    check(&run(&nobody), 1, "channels", "problem", "start the mail server");
}

#[cfg(unix)]
#[test]
fn files_open_to_others_are_found() {
    use std::os::unix::fs::PermissionsExt;
    let place = Place::new(vec![dialogue("Hallo!")], "timeout_ms = 1000");
    assert_eq!(place.folder.run(&["token"]).code, Some(0));
    let open = |path: &std::path::Path, mode| {
        std::fs::set_permissions(path, std::fs::Permissions::from_mode(mode)).expect("the test owns it");
    };
    check(&place.folder.run(&["doctor", "--json"]), 0, "token", "fine", "only you");
    open(&place.folder.data(), 0o755);
    open(&place.folder.data().join("token"), 0o644);
    let outcome = place.run(&["doctor", "--json"]);
    check(&outcome, 1, "token", "problem", "chmod 600");
    check(&outcome, 1, "folder", "warning", "chmod 700");
    check(&outcome, 1, "model", "warning", "config.toml");
}

#[test]
fn a_broken_pack_and_a_lost_database_are_named() {
    let folder = Folder::new();
    let packs = folder.data().join("packs");
    std::fs::create_dir_all(&packs).expect("the test can write");
    std::fs::write(packs.join("mine.yaml"), "pack: [").expect("the test can write");
    check(&folder.run(&["doctor", "--json"]), 0, "packs", "warning", "mine.yaml");
    let file =
        folder.write("no.db", "this is no database, and long enough to be looked at as one".repeat(20));
    let outcome = folder.run(&["--database", &format!("sqlite:{file}"), "doctor", "--json"]);
    check(&outcome, 1, "database", "problem", "");
    let nowhere = folder.run(&["--database", "oracle:x", "doctor", "--json"]);
    check(&nowhere, 1, "database", "problem", "names no known database");
}
