//! Tests of the actions of a law: a program performs each at least once, under one key, until it is done.

use crate::common::{Client, Delivery, Folder, PATIENCE, Receiver, Server, events, eventually, number, text};
use serde_json::{Value, json};
use std::collections::BTreeSet;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

const ERRAND: &str = "\
session: Errand
version: 1
states:
  IDLE:
    on: {go: ASKED}
  ASKED:
    entry: [fetch, tell]
    on: {fetched: BACK, give_up: HOME}
  BACK:
    entry: [unpack]
    on: {unpacked_done: HOME, give_up: HOME}
  HOME:
    type: final
";

fn serve(folder: &Folder, receiver: &Receiver) -> Server {
    folder.serve(&[
        "--law",
        &folder.write("errand.yaml", ERRAND),
        "--sink",
        &receiver.url,
        "--lease-ms",
        "500",
    ])
}

fn action(delivery: &Delivery) -> &str {
    text(&delivery.body, "/action")
}

fn fetched(delivery: &Delivery) -> (u16, String) {
    match action(delivery) {
        "fetch" => (200, json!({"event": "fetched", "payload": {"what": "milk"}}).to_string()),
        _ => (204, String::new()),
    }
}

fn until_state(client: &Client, id: &str, state: &str) -> Value {
    eventually(state, || Some(client.view(id)).filter(|view| text(view, "/state") == state))
}

#[test]
fn actions_are_delivered_and_an_answer_moves_the_flow() {
    let folder = Folder::new();
    let receiver = Receiver::start(|_, delivery| fetched(delivery));
    let server = serve(&folder, &receiver);
    let client = &server.client;
    let id = client.open("Errand");
    assert_eq!(client.event(&id, "go").status, 200);
    until_state(client, &id, "BACK");
    let taken = eventually("three deliveries", || Some(receiver.taken()).filter(|taken| taken.len() == 3));
    let actions: Vec<&str> = taken.iter().map(action).collect();
    assert_eq!(actions, ["fetch", "tell", "unpack"]);
    let mut keys: Vec<&str> = taken.iter().map(|delivery| delivery.key.as_str()).collect();
    assert!(keys.iter().all(|key| key.starts_with(&id)), "{keys:?}");
    keys.dedup();
    assert_eq!(keys.len(), 3, "{keys:?}");
    assert!(taken.iter().all(|delivery| delivery.instance == id), "{taken:?}");
    let log = client.get(&format!("/api/instances/{id}/log")).json();
    assert_eq!(
        (text(&log, "/entries/2/event"), text(&log, "/entries/2/payload/what")),
        ("fetched", "milk"),
        "{log}"
    );
    // After more than a lease, completed actions do not come again.
    std::thread::sleep(Duration::from_millis(1200));
    assert_eq!(receiver.taken().len(), 3);
}

#[test]
fn a_failing_receiver_is_retried_ever_later() {
    let folder = Folder::new();
    let receiver =
        Receiver::start(|before, delivery| if before < 2 { (500, String::new()) } else { fetched(delivery) });
    let law =
        folder.write("errand.yaml", ERRAND.replace("[fetch, tell]", "fetch").replace("entry: [unpack]", ""));
    let server = folder.serve(&["--law", &law, "--sink", &receiver.url, "--lease-ms", "500"]);
    let client = &server.client;
    let id = client.open("Errand");
    let answer = client.event(&id, "go");
    assert_eq!((answer.status, text(&answer.json(), "/state")), (200, "ASKED"), "{answer:?}");
    until_state(client, &id, "BACK");
    let taken = receiver.taken();
    assert_eq!(taken.len(), 3, "{taken:?}");
    assert!(taken.iter().all(|delivery| delivery.key == taken[0].key), "{taken:?}");
    let log = server.log();
    let pauses =
        log.split("backoff_ms=").skip(1).map(|rest| rest.split_whitespace().next().unwrap_or_default());
    let pauses: Vec<u64> = pauses.map(|pause| pause.parse().expect("a number")).collect();
    assert!(pauses.len() == 2 && pauses[0] < pauses[1], "{pauses:?} in {log}");
}

#[test]
fn a_rejected_action_is_dead_until_revived() {
    let folder = Folder::new();
    let is_well = Arc::new(AtomicBool::new(false));
    let answers = is_well.clone();
    let receiver = Receiver::start(move |_, delivery| match answers.load(Ordering::SeqCst) {
        false if action(delivery) == "fetch" => (400, "no".into()),
        _ => fetched(delivery),
    });
    let server = serve(&folder, &receiver);
    let client = &server.client;
    let id = client.open("Errand");
    assert_eq!(client.event(&id, "go").status, 200);
    let dead = folder.run(&["dead", "--json"]).json();
    let key = text(&dead, "/0/key").to_owned();
    assert!(key.starts_with(&id) && dead.as_array().map(Vec::len) == Some(1), "{dead}");
    assert!(number(&dead, "/0/attempts") == 1 && text(&dead, "/0/reason").contains("400"), "{dead}");
    assert!(folder.run(&["dead"]).stdout.contains(&key));
    assert_eq!(text(&client.get("/api/dead").json(), "/effects/0/key"), key);
    assert_eq!(text(&client.view(&id), "/state"), "ASKED");

    is_well.store(true, Ordering::SeqCst);
    let revived = folder.run(&["dead", "--revive", &key]);
    assert_eq!(revived.code, Some(0), "{revived:?}");
    until_state(client, &id, "BACK");
    assert_eq!(folder.run(&["dead", "--json"]).json(), json!([]));
    let again = folder.run(&["dead", "--revive", &key]);
    assert_eq!(again.code, Some(1), "{again:?}");
    assert!(again.stderr.contains("no dead effect"), "{again:?}");
}

#[test]
fn an_answer_that_comes_too_late_changes_nothing() {
    let folder = Folder::new();
    let receiver = Receiver::start(|before, delivery| match before {
        0 => (503, String::new()),
        _ => fetched(delivery),
    });
    let server = serve(&folder, &receiver);
    let client = &server.client;
    let id = client.open("Errand");
    assert_eq!(client.event(&id, "go").status, 200);
    assert_eq!(text(&client.event(&id, "give_up").json(), "/state"), "HOME");
    eventually("the second try", || (receiver.taken().len() >= 3).then_some(()));
    std::thread::sleep(Duration::from_millis(300));
    let view = client.view(&id);
    assert_eq!((text(&view, "/state"), number(&view, "/version")), ("HOME", 3), "{view}");
    assert_eq!(client.get("/api/dead").json(), json!({"effects": []}));
}

#[test]
fn a_turn_taken_in_the_terminal_reaches_the_receiver_of_the_server() {
    let folder = Folder::new();
    let law = folder.write("errand.yaml", ERRAND);
    // The law is stored before any server with a receiver has run.
    let opened = folder.run(&["new", &law, "--json"]).json();
    let id = text(&opened, "/id").to_owned();
    let receiver = Receiver::start(|_, delivery| fetched(delivery));
    let server = serve(&folder, &receiver);
    let sent = folder.run(&["send", &id, "go"]);
    assert_eq!(sent.code, Some(0), "{sent:?}");
    until_state(&server.client, &id, "BACK");
}

#[test]
fn a_server_without_a_receiver_leaves_actions_to_one_with_it() {
    let folder = Folder::new();
    let law = crate::common::law("ledger.yaml");
    let without = folder.serve(&["--law", &law, "--lease-ms", "500"]);
    let id = without.client.open("Ledger");
    assert_eq!(without.client.event(&id, "deposit").status, 200, "no receiver performs it");
    let receiver = Receiver::start(|_, _| (204, String::new()));
    let with = folder.serve(&["--law", &law, "--sink", &receiver.url, "--lease-ms", "500"]);
    for version in 3..=5 {
        let client = if version == 4 { &with.client } else { &without.client };
        let deposit = client.post(&events(&id), &json!({"event": "deposit", "expect_version": version - 1}));
        assert_eq!((deposit.status, number(&deposit.json(), "/version")), (200, version), "{deposit:?}");
    }
    let taken = eventually("three deliveries", || Some(receiver.taken()).filter(|taken| taken.len() == 3));
    let mut keys: Vec<&str> = taken.iter().map(|delivery| delivery.key.as_str()).collect();
    keys.sort_unstable();
    assert_eq!(keys, [3, 4, 5].map(|version| format!("{id}/{version}/0")), "each action once");
}

#[test]
fn a_result_waits_until_its_flow_can_take_it() {
    let folder = Folder::new();
    let is_well = Arc::new(AtomicBool::new(false));
    let answers = is_well.clone();
    let receiver = Receiver::start(move |_, delivery| match answers.load(Ordering::SeqCst) {
        false => (503, String::new()),
        true => fetched(delivery),
    });
    let server = serve(&folder, &receiver);
    let id = server.client.open("Errand");
    assert_eq!(text(&server.client.event(&id, "go").json(), "/state"), "ASKED");
    drop(server);
    is_well.store(true, Ordering::SeqCst);
    let changed =
        folder.write("changed.yaml", ERRAND.replace("ASKED", "SENT").replace("version: 1", "version: 2"));
    let server = folder.serve(&["--law", &changed, "--sink", &receiver.url, "--lease-ms", "500"]);
    assert!(server.log().contains("will be refused"), "{}", server.log());
    let before = receiver.taken().len();
    std::thread::sleep(Duration::from_millis(4_000));
    assert_eq!(receiver.taken().len(), before, "no receiver is asked for what the flow could not take");
    drop(server);
    let server = serve(&folder, &receiver);
    until_state(&server.client, &id, "BACK");
}

const TICKING: &str = "\
session: Ticking
version: 1
states:
  FIRST:
    after: {200ms: tick}
    on: {tick: SECOND}
  SECOND:
    after: {200ms: tick}
    on: {tick: DONE}
  DONE:
    type: final
";

const CALLING: &str = "\
session: Calling
version: 1
states:
  WAITING:
    after: {200ms: call}
    on: {call: CALLED}
  CALLED:
    entry: [ring]
    on: {answered: DONE}
  DONE:
    type: final
";

#[test]
fn a_slow_receiver_delays_no_other_flows_timers() {
    let folder = Folder::new();
    // Longer than any test waits.
    let receiver = Receiver::start(|_, _| {
        std::thread::sleep(2 * PATIENCE);
        (204, String::new())
    });
    let [ticking, calling] = [("ticking", TICKING), ("calling", CALLING)]
        .map(|(name, law)| folder.write(&format!("{name}.yaml"), law));
    let server = folder.serve(&["--law", &ticking, "--law", &calling, "--sink", &receiver.url]);
    let client = &server.client;
    client.open("Calling");
    eventually("a call", || Some(receiver.taken()).filter(|taken| taken.len() == 1));
    let id = client.open("Ticking");
    eventually("two ticks", || Some(client.view(&id)).filter(|view| text(view, "/state") == "DONE"));
}

const ROUNDS: &str = "\
session: Rounds
version: 1
states:
  IDLE:
    on: {go: OUT}
  OUT:
    entry: [first, second, third, fourth, fifth]
    on: {home: HOME}
  HOME:
    type: final
";

/// All actions fail at first, so that one worker holds them all. Each then takes more than half a lease.
#[test]
fn a_slow_node_keeps_its_claims() {
    let folder = Folder::new();
    let receiver = Receiver::start(|before, _| match before {
        0..5 => (500, String::new()),
        _ => {
            std::thread::sleep(Duration::from_millis(1_200));
            (204, String::new())
        }
    });
    let law = folder.write("rounds.yaml", ROUNDS);
    let arguments = ["--law", &law, "--sink", &receiver.url, "--lease-ms", "2000"];
    let servers = [folder.serve(&arguments), folder.serve(&arguments)];
    let id = servers[0].client.open("Rounds");
    assert_eq!(servers[0].client.event(&id, "go").status, 200);
    eventually("ten deliveries", || Some(receiver.taken()).filter(|taken| taken.len() >= 10));
    // After more than a lease, anything that another server took over has arrived.
    std::thread::sleep(Duration::from_millis(2500));
    let taken = receiver.taken();
    let actions: Vec<&str> = taken.iter().map(action).collect();
    let once = ["first", "second", "third", "fourth", "fifth"];
    assert_eq!(actions[..5], once);
    // Either node may take over any of them in any order, but none of them twice.
    let again: BTreeSet<&str> = actions[5..].iter().copied().collect();
    assert_eq!((actions.len(), again), (10, BTreeSet::from(once)), "{actions:?}");
}
