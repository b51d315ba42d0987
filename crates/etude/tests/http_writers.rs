//! Tests with many writers at once: every answer is true, nothing is done twice, and no acknowledged request is
//! lost.

use crate::common::{Client, Folder, Reply, events, law, number, text};
use serde_json::json;

/// Runs `act` this many times at once. Results come in the order of the numbers given to `act`.
fn at_once<T: Send>(times: usize, act: impl Fn(usize) -> T + Sync) -> Vec<T> {
    let start = std::sync::Barrier::new(times);
    std::thread::scope(|scope| {
        let one = |number| {
            let (start, act) = (&start, &act);
            scope.spawn(move || {
                start.wait();
                act(number)
            })
        };
        let threads: Vec<_> = (0..times).map(one).collect();
        threads.into_iter().map(|thread| thread.join().expect("a writer does not panic")).collect()
    })
}

fn taken(replies: &[Reply]) -> usize {
    replies.iter().filter(|reply| reply.status == 200).count()
}

fn check_conflicts(replies: &[Reply]) {
    for reply in replies.iter().filter(|reply| reply.status != 200) {
        assert_eq!((reply.status, text(&reply.json(), "/code")), (409, "version_conflict"), "{reply:?}");
    }
}

fn add_with_key(client: &Client, id: &str, key: &str) -> Reply {
    let request = client.request("POST", &events(id)).json(&json!({"event": "add"}));
    client.send(&request.header("Idempotency-Key", key))
}

#[test]
fn a_repeated_key_is_taken_once() {
    let folder = Folder::new();
    let server = folder.serve(&["--law", &law("tally.yaml")]);
    let client = &server.client;
    let (id, other) = (client.open("Tally"), client.open("Tally"));
    let first = add_with_key(client, &id, "k1").json();
    assert_eq!((number(&first, "/version"), first.get("repeated")), (2, None), "{first}");
    for _ in 0..3 {
        let again = add_with_key(client, &id, "k1").json();
        assert_eq!((number(&again, "/version"), again["repeated"].as_bool()), (2, Some(true)), "{again}");
    }
    let next = add_with_key(client, &id, "k2").json();
    assert_eq!((number(&next, "/version"), number(&next, "/counters/added")), (3, 2), "{next}");
    let elsewhere = add_with_key(client, &other, "k1").json();
    assert_eq!((number(&elsewhere, "/version"), elsewhere.get("repeated")), (2, None), "{elsewhere}");
}

#[test]
fn a_key_sent_by_many_at_once_is_taken_once() {
    let folder = Folder::new();
    let server = folder.serve(&["--law", &law("tally.yaml")]);
    let client = &server.client;
    let id = client.open("Tally");
    let replies = at_once(32, |_| add_with_key(client, &id, "same"));
    let mut firsts = 0;
    for reply in &replies {
        let answer = reply.json();
        assert_eq!((reply.status, number(&answer, "/version")), (200, 2), "{reply:?}");
        firsts += usize::from(answer.get("repeated").is_none());
    }
    assert_eq!(firsts, 1, "{replies:?}");
    assert_eq!(number(&client.view(&id), "/counters/added"), 1);
}

#[test]
fn one_of_many_writers_wins_a_version() {
    let folder = Folder::new();
    let server = folder.serve(&["--law", &law("tally.yaml")]);
    let client = &server.client;
    let id = client.open("Tally");
    for version in 1..=5 {
        let body = json!({"event": "add", "expect_version": version});
        let replies = at_once(64, |_| client.post(&events(&id), &body));
        assert_eq!(taken(&replies), 1, "round {version}: {replies:?}");
        check_conflicts(&replies);
        assert_eq!(number(&client.view(&id), "/version"), version + 1);
    }
}

#[test]
fn every_acknowledged_event_is_counted() {
    let folder = Folder::new();
    let server = folder.serve(&["--law", &law("tally.yaml")]);
    check_count(&[&server.client]);
}

#[test]
fn two_servers_on_one_file_lose_nothing() {
    let folder = Folder::new();
    let first = folder.serve(&["--law", &law("tally.yaml")]);
    let second = folder.serve(&["--law", &law("tally.yaml")]);
    check_count(&[&first.client, &second.client]);
}

/// Lets sixty-four writers add five times each, spread over the servers, and compares the counts.
fn check_count(clients: &[&Client]) {
    let id = clients[0].open("Tally");
    let replies: Vec<Reply> = at_once(64, |number| {
        let client = clients[number % clients.len()];
        (0..5).map(|_| client.event(&id, "add")).collect::<Vec<_>>()
    })
    .concat();
    check_conflicts(&replies);
    let taken = taken(&replies) as u64;
    assert!(taken > 0, "none of {} was taken", replies.len());
    for client in clients {
        let view = client.view(&id);
        assert_eq!(
            (number(&view, "/counters/added"), number(&view, "/version")),
            (taken, taken + 1),
            "{view}"
        );
    }
}

/// A deleted learner's id belongs to the next learner who uses it, even on a server that remembers the first one.
#[test]
fn a_deleted_learners_data_never_comes_back() {
    let folder = Folder::new();
    let [first, second] = [0; 2].map(|_| folder.serve(&["--law", &law("tally.yaml")]));
    let open = |client: &Client, learner: &str| {
        let opening = json!({"note": format!("of {learner}")});
        client.post(
            "/api/instances",
            &json!({"flow": "Tally", "id": "x", "learner": learner, "opening": opening}),
        )
    };
    assert_eq!(open(&first.client, "ada").status, 201);
    assert_eq!(first.client.event("x", "add").status, 200);
    let deleted = folder.run(&["learner", "delete", "ada", "--yes"]);
    assert_eq!(deleted.code, Some(0), "{deleted:?}");
    assert_eq!(open(&second.client, "bob").status, 201);
    assert_eq!(second.client.event("x", "add").status, 200);
    let answer = first.client.event("x", "add");
    assert_eq!((answer.status, number(&answer.json(), "/version")), (200, 3), "{answer:?}");
    let view = second.client.view("x").to_string();
    assert!(view.contains("of bob") && !view.contains("ada"), "{view}");
}

#[test]
fn only_an_identical_request_counts_as_repeated() {
    let folder = Folder::new();
    let server = folder.serve(&["--law", &law("tally.yaml"), "--law", &law("ledger.yaml")]);
    let client = &server.client;
    let open = |flow: &str, learner: &str, most: u64| {
        let set = if flow == "Tally" { json!({"most": most}) } else { json!({}) };
        client.post("/api/instances", &json!({"flow": flow, "id": "x", "learner": learner, "set": set}))
    };
    assert_eq!(open("Tally", "ada", 7).status, 201);
    let same = open("Tally", "ada", 7);
    assert_eq!((same.status, same.json()["repeated"].as_bool()), (200, Some(true)), "{same:?}");
    for other in [open("Tally", "bob", 7), open("Tally", "ada", 8), open("Ledger", "ada", 7)] {
        assert_eq!((other.status, text(&other.json(), "/code")), (422, "id_taken"), "{other:?}");
    }
    let send = |event: &str| {
        let request = client.request("POST", &events("x")).json(&json!({"event": event}));
        client.send(&request.header("Idempotency-Key", "k"))
    };
    assert_eq!(send("add").status, 200);
    assert_eq!(send("add").json()["repeated"].as_bool(), Some(true));
    let other = send("close");
    assert_eq!((other.status, text(&other.json(), "/code")), (422, "key_reused"), "{other:?}");
    assert_eq!(text(&client.view("x"), "/state"), "OPEN");
}

/// A key stands for one request: its body is answered as before and another body is refused, whatever the
/// operation.
#[test]
fn a_key_with_another_body_is_refused_everywhere() {
    let folder = Folder::new();
    let server = folder.serve(&["--law", &law("tally.yaml")]);
    let client = &server.client;
    let send = |path: &str, key: &str, body: serde_json::Value| {
        client.send(&client.request("POST", path).json(&body).header("Idempotency-Key", key))
    };
    let check = |path: &str, key: &str, body: serde_json::Value, others: Vec<serde_json::Value>| {
        let first = send(path, key, body.clone());
        assert!(first.status < 300, "{path}: {first:?}");
        let again = send(path, key, body);
        assert_eq!(
            (again.status, again.json()["repeated"].as_bool()),
            (200, Some(true)),
            "{path}: {again:?}"
        );
        for other in others {
            let refused = send(path, key, other);
            assert_eq!(
                (refused.status, text(&refused.json(), "/code")),
                (422, "key_reused"),
                "{path}: {refused:?}"
            );
        }
        text(&first.json(), "/id").to_owned()
    };
    let add = |payload: serde_json::Value| json!({"event": "add", "payload": payload});
    let tally = check(
        "/api/instances",
        "open",
        json!({"flow": "Tally", "opening": {"a": 1, "b": 2}}),
        vec![json!({"flow": "Tally", "opening": {"a": 1, "b": 3}}), json!({"flow": "Tally"})],
    );
    let same = send("/api/instances", "open", json!({"opening": {"b": 2, "a": 1}, "flow": "Tally"}));
    assert_eq!(
        (same.status, text(&same.json(), "/id")),
        (200, tally.as_str()),
        "the order of fields says nothing"
    );
    check(
        &events(&tally),
        "k1",
        add(json!({"n": 1})),
        vec![add(json!({"n": 2})), add(json!(null)), json!({"event": "close"})],
    );
    assert_eq!(client.view(&tally)["counters"]["added"], 1);
    let course = check(
        "/api/courses",
        "c",
        json!({"topic": "sql"}),
        vec![json!({"topic": "rust"}), json!({"topic": "sql", "goal": "x"})],
    );
    let answer = format!("/api/courses/{course}/answer");
    check(&answer, "a", json!({"text": "I don't know"}), vec![json!({"text": "no idea"})]);
    check(
        &format!("/api/instances/{course}/verbs/answer"),
        "b",
        json!({"text": "I don't know"}),
        vec![json!({"text": "?"})],
    );
    assert_eq!(client.view(&course)["counters"]["probes"], 2);
}

/// Two drills of one learner begin with the same word.
#[test]
fn one_drill_does_not_undo_anothers_progress() {
    let folder = Folder::new();
    let server = folder.serve(&[]);
    let client = &server.client;
    let [a, b] = [0; 2].map(|_| {
        let body = json!({"flow": "drill", "learner": "ada", "opening": {"pack": "french-first-words", "new_words": 1}});
        text(&client.post("/api/instances", &body).json(), "/id").to_owned()
    });
    let say = |id: &str, words: &str| {
        let body = json!({"event": "asr_result", "payload": {"text": words}});
        let answer = client.post(&events(id), &body);
        assert_eq!(answer.status, 200, "{answer:?}");
    };
    let word = || {
        let known = folder.run(&["learner", "export", "ada"]).json();
        let records = known["records"].as_array().expect("documents").clone();
        let found = records.into_iter().find(|record| record["key"] == "french-first-words/bonjour");
        found.expect("the word is known")
    };
    for id in [&a, &b] {
        assert_eq!(client.event(id, "start").status, 200);
    }
    for _ in 0..3 {
        say(&a, "Bonjour");
    }
    let learned = word();
    assert_eq!(
        (text(&learned, "/body/status"), number(&learned, "/body/usage")),
        ("learned", 3),
        "{learned}"
    );
    say(&b, "Au revoir");
    assert_eq!(client.event(&b, "leave").status, 200);
    let after = word();
    for pointer in ["/body/status", "/body/usage", "/body/memory", "/body/ratings", "/due_at"] {
        assert_eq!(after.pointer(pointer), learned.pointer(pointer), "{pointer}: {after}");
    }
    let tries = |record: &serde_json::Value| record["body"]["history"].as_array().map_or(0, Vec::len);
    assert_eq!((tries(&learned), tries(&after)), (3, 4), "what was tried there comes on top");
}
