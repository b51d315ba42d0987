//! Tests of what operators of a server rely on: backups, health, room for callers with a token, and recovery of
//! work after a crash.

use crate::breakable::Cluster;
use crate::common::{Client, Folder, Receiver, events, eventually, law, number, text};
use serde_json::json;
use std::net::TcpStream;
use std::path::Path;
use std::sync::Mutex;
use std::time::Duration;

#[test]
fn a_backup_of_a_busy_server_is_restored_elsewhere() {
    let folder = Folder::new();
    let server = folder.serve(&["--law", &law("tally.yaml")]);
    let client = &server.client;
    let id = client.open("Tally");
    let file = folder.write("backup.jsonl", "");
    std::thread::scope(|scope| {
        let adding = scope.spawn(|| (0..60).all(|_| client.event(&id, "add").status == 200));
        let made = folder.run(&["backup", &file, "--json"]);
        assert!(made.code == Some(0) && number(&made.json(), "/rows") > 0, "{made:?}");
        assert!(adding.join().expect("no panic"), "turns go on meanwhile");
    });
    let other = Folder::new();
    let restored = other.run(&["restore", &file]);
    assert_eq!(restored.code, Some(0), "{restored:?}");
    let there = other.run(&["show", &id, "--json"]).json();
    let logged = other.run(&["log", &id, "--json"]).json();
    let entries = logged["entries"].as_array().expect("a list").len() as u64;
    assert!(number(&there, "/version") >= 1 && entries == number(&there, "/version"), "{there}");
    assert_eq!(other.run(&["replay", &id]).code, Some(0));
    let again = other.run(&["restore", &file]);
    assert!(again.code == Some(1) && again.stderr.contains("--replace"), "{again:?}");
    assert_eq!(other.run(&["restore", "--replace", &file]).code, Some(0));
    let bytes = std::fs::read(&file).expect("it is there");
    let cut = folder.write("cut.jsonl", &bytes[..bytes.len() - 10]);
    let refused = other.run(&["restore", "--replace", &cut]);
    assert!(refused.code == Some(1) && refused.stderr.contains("cannot be restored"), "{refused:?}");
    assert_eq!(number(&other.run(&["show", &id, "--json"]).json(), "/version"), number(&there, "/version"));
    assert_eq!(other.run(&["restore", "/nowhere/at/all"]).code, Some(1));
}

#[test]
fn a_long_log_is_printed_whole_or_says_so() {
    let folder = Folder::new();
    let server = folder.serve(&["--law", &law("tally.yaml")]);
    let client = &server.client;
    let id = client.open("Tally");
    for _ in 0..700 {
        assert_eq!(client.event(&id, "add").status, 200);
    }
    let version = number(&client.view(&id), "/version");
    let whole = folder.run(&["log", &id]);
    assert_eq!(whole.stdout.lines().count() as u64, version, "{whole:?}");
    let some = folder.run(&["log", &id, "--limit", "500"]);
    assert_eq!(some.stdout.lines().count(), 501);
    assert!(some.stdout.ends_with("more: --after 500\n"), "{some:?}");
    let rest = folder.run(&["log", &id, "--after", "500", "--limit", "5000"]);
    assert_eq!(rest.stdout.lines().count() as u64, version - 500);
    let mut after = 0;
    loop {
        let page = client.get(&format!("/api/instances/{id}/log?after={after}&limit=300")).json();
        let entries = page["entries"].as_array().expect("a list").clone();
        let Some(last) = entries.last() else { break };
        assert_eq!(number(last, "/version"), after + entries.len() as u64);
        after = number(last, "/version");
    }
    assert_eq!(after, version);
}

#[test]
fn old_logs_are_pruned_and_archived() {
    let folder = Folder::new();
    let server = folder.serve(&["--law", &law("tally.yaml")]);
    let client = &server.client;
    let (over, open) = (client.open("Tally"), client.open("Tally"));
    for id in [&over, &open] {
        assert_eq!(client.event(id, "add").status, 200);
    }
    assert_eq!(client.event(&over, "close").status, 200);
    let long_ago = "UPDATE instance SET updated_at = 0";
    assert_eq!(folder.sql(long_ago), 2);
    let version = number(&client.view(&over), "/version");
    let archive = folder.write("archive.jsonl", "");
    let would = folder.run(&["prune", "--older-than", "90d", "--dry-run", "--json"]).json();
    assert_eq!((number(&would, "/flows"), number(&would, "/entries")), (1, version - 1));
    let pruned = folder.run(&["prune", "--older-than", "90d", "--archive", &archive, "--json"]).json();
    assert_eq!(pruned, would);
    let again = folder.run(&["prune", "--older-than", "90d", "--archive", &archive, "--json"]).json();
    assert_eq!(number(&again, "/flows"), 0);
    let archived = std::fs::read_to_string(&archive).expect("it is there");
    let line: serde_json::Value = serde_json::from_str(archived.trim()).expect("one line of JSON");
    assert_eq!(
        (text(&line, "/id"), line["log"].as_array().map(Vec::len)),
        (over.as_str(), Some(version as usize))
    );
    let left = client.get(&format!("/api/instances/{over}/log")).json();
    assert_eq!(left["entries"].as_array().map(Vec::len), Some(1), "{left}");
    assert_eq!(text(&client.view(&over), "/state"), "CLOSED");
    assert_eq!(client.event(&open, "add").status, 200, "what is open stays whole");
    assert_eq!(folder.run(&["replay", &open]).code, Some(0));
    let replayed = folder.run(&["replay", &over]);
    assert!(replayed.code == Some(1) && replayed.stdout.contains("pruned"), "{replayed:?}");
    let doctor = folder.run(&["doctor", "--json"]).json();
    let is_sound = |check: &serde_json::Value| check["area"] == "database" && check["level"] == "problem";
    assert!(!doctor["checks"].as_array().expect("a list").iter().any(is_sound), "{doctor}");
    assert_eq!(folder.run(&["prune"]).code, Some(2));
}

#[test]
fn damage_is_named_and_never_reported_as_temporary() {
    let folder = Folder::new();
    let server = folder.serve(&["--law", &law("tally.yaml")]);
    let client = &server.client;
    let (cut, odd) = (client.open("Tally"), client.open("Tally"));
    assert_eq!(client.event(&cut, "add").status, 200);
    assert_eq!(folder.sql(&format!("DELETE FROM log WHERE instance = '{cut}' AND version = 2")), 1);
    let doctor = folder.run(&["doctor", "--json"]);
    assert!(doctor.code == Some(1) && doctor.stdout.contains(&cut), "{doctor:?}");
    assert_eq!(
        folder.sql(&format!("UPDATE instance SET state = CAST(x'ff00' AS TEXT) WHERE id = '{odd}'")),
        1
    );
    let reply = client.get(&format!("/api/instances/{odd}"));
    assert_eq!((reply.status, text(&reply.json(), "/code")), (500, "corrupt"), "{reply:?}");
    assert!(text(&reply.json(), "/cure").contains("etude restore"), "{reply:?}");
}

#[test]
fn a_server_may_be_alive_without_being_ready() {
    let Some(cluster) = Cluster::start() else { return };
    let folder = Folder::new();
    let server = folder.serve(&["--database", &cluster.url, "--law", &law("tally.yaml")]);
    let stranger = Client::new(&server.client.address, None);
    assert_eq!((stranger.get("/healthz").status, stranger.get("/readyz").status), (200, 200));
    let id = server.client.open("Tally");
    cluster.crash();
    eventually("it is not ready", || (stranger.get("/readyz").status == 503).then_some(()));
    assert_eq!(text(&stranger.get("/readyz").json(), "/code"), "not_ready");
    assert_eq!(stranger.get("/healthz").status, 200);
    cluster.restart();
    eventually("it is ready again", || (stranger.get("/readyz").status == 200).then_some(()));
    assert_eq!(server.client.event(&id, "add").status, 200);
}

/// Two servers share one database, and all clients count in one flow. No client is told to try again.
#[test]
fn an_event_without_a_version_is_retried_until_it_fits() {
    let cluster = Cluster::start();
    let folder = Folder::new();
    let tally = law("tally.yaml");
    let mut databases = vec![None];
    databases.extend(cluster.as_ref().map(|cluster| Some(cluster.url.as_str())));
    for database in databases {
        let arguments =
            [vec!["--law", tally.as_str()], database.map_or(vec![], |url| vec!["--database", url])];
        let servers = [folder.serve(&arguments.concat()), folder.serve(&arguments.concat())];
        let id = servers[0].client.open("Tally");
        let refused = Mutex::new(Vec::new());
        std::thread::scope(|scope| {
            for number in 0..8 {
                let (client, id, refused) = (&servers[number % 2].client, &id, &refused);
                scope.spawn(move || {
                    for _ in 0..40 {
                        let reply = client.post(&events(id), &json!({"event": "add"}));
                        if reply.status != 200 {
                            refused.lock().expect("no panic").push(reply);
                        }
                    }
                });
            }
        });
        assert_eq!(refused.into_inner().expect("no panic").len(), 0);
        assert_eq!(number(&servers[1].client.view(&id), "/counters/added"), 320);
    }
}

/// The lease outlasts the test.
#[test]
fn abandoned_work_is_resumed_at_once() {
    let errand = "session: Errand\nversion: 1\nstates:\n  IDLE:\n    on: {go: ASKED}\n  ASKED:\n    entry: [fetch]\n    \
                  on: {fetched: HOME, give_up: HOME}\n  HOME:\n    type: final\n";
    let folder = Folder::new();
    let receiver = Receiver::start(|before, _| {
        if before == 0 {
            std::thread::sleep(Duration::from_secs(2));
        }
        (200, json!({"event": "fetched"}).to_string())
    });
    let errand = folder.write("errand.yaml", errand);
    let arguments = ["--law", &errand, "--sink", &receiver.url, "--lease-ms", "600000"];
    let server = folder.serve(&arguments);
    let id = server.client.open("Errand");
    let client = server.client.clone();
    let asking = {
        let id = id.clone();
        std::thread::spawn(move || drop(std::panic::catch_unwind(|| client.event(&id, "go").status)))
    };
    eventually("it is delivered", || (receiver.taken().len() == 1).then_some(()));
    // Dropping the server kills it.
    drop(server);
    asking.join().expect("the caller ends");
    let server = folder.serve(&arguments);
    eventually("it is taken up", || (text(&server.client.view(&id), "/state") == "HOME").then_some(()));
    let keys: Vec<String> = receiver.taken().into_iter().map(|delivery| delivery.key).collect();
    assert!(keys.len() >= 2 && keys.iter().all(|key| *key == keys[0]), "{keys:?}");
}

/// The server may open few files, so that a test can use them all up.
#[cfg(unix)]
#[test]
fn strangers_do_not_lock_out_token_holders() {
    use std::os::unix::fs::PermissionsExt;
    let outer = Folder::new();
    let program = env!("CARGO_BIN_EXE_etude");
    let script = outer.write("few-files", format!("#!/bin/sh\nulimit -n 96\nexec {program} \"$@\"\n"));
    std::fs::set_permissions(&script, std::fs::Permissions::from_mode(0o700)).expect("it can be run");
    let folder = Folder::of(Path::new(&script).to_owned());
    let server = folder.serve(&["--law", &law("tally.yaml")]);
    let id = server.client.open("Tally");
    let mut strangers = Vec::new();
    for round in 0..5 {
        strangers.extend((0..60).filter_map(|_| TcpStream::connect(&server.client.address).ok()));
        assert_eq!(server.client.event(&id, "add").status, 200, "round {round}");
    }
    assert!(server.log().matches("cannot be accepted").count() <= 5, "it survives quietly: {}", server.log());
}

/// Constants that would make a walk endless.
#[test]
fn absurd_constants_are_refused_while_others_are_served() {
    let folder = Folder::new();
    let server = folder.serve(&["--law", &law("tally.yaml")]);
    let client = &server.client;
    let id = client.open("Tally");
    std::thread::scope(|scope| {
        let absurd = |most: u64| {
            scope.spawn(move || {
                client.post("/api/instances", &json!({"flow": "Tally", "set": {"most": most}}))
            })
        };
        let asked = [absurd(400_000_000), absurd(500_000_000)];
        for _ in 0..10 {
            assert_eq!(client.event(&id, "add").status, 200);
        }
        for asked in asked {
            let reply = asked.join().expect("an answer");
            assert_eq!((reply.status, text(&reply.json(), "/code")), (422, "law_not_proved"), "{reply:?}");
        }
    });
    let fair = client.post("/api/instances", &json!({"flow": "Tally", "set": {"most": 3}}));
    assert_eq!(fair.status, 201, "{fair:?}");
}
