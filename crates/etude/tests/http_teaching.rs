//! Tests of courses over plain HTTP.

use crate::common::{Client, Folder, Server, names, text};
use serde_json::{Value, json};

fn start(client: &Client, body: &Value) -> String {
    let reply = client.post("/api/courses", body);
    assert_eq!(reply.status, 201, "{reply:?}");
    text(&reply.json(), "/id").to_owned()
}

fn server() -> (Folder, Server) {
    let folder = Folder::new();
    let server = folder.serve(&[]);
    (folder, server)
}

/// Answers until the course is where the test wants it, or fails after 20 answers.
fn answer_until(client: &Client, id: &str, is_there: impl Fn(&Value) -> bool) -> Value {
    for _ in 0..20 {
        let reply = client.post(&format!("/api/courses/{id}/answer"), &json!({"text": "I don't know"}));
        assert_eq!(reply.status, 200, "{reply:?}");
        if is_there(&reply.json()) {
            return reply.json();
        }
    }
    panic!("{id} does not get there");
}

#[test]
fn a_course_goes_from_its_first_probe_to_a_question() {
    let (_folder, server) = server();
    let client = &server.client;
    let id = start(client, &json!({"topic": "I want to learn SQL"}));
    let path = |rest: &str| format!("/api/courses/{id}{rest}");
    let view = client.get(&path("")).json();
    assert_eq!(text(&view, "/data/status"), "diagnosing");
    assert!(view["data"]["question"]["shown"].is_object(), "{view}");
    let taught = answer_until(client, &id, |answer| text(answer, "/data/status") == "teaching");
    assert!(taught["said"].as_array().is_some_and(|said| said.len() > 1), "{taught}");
    let asked = client.post(&path("/ask"), &json!({"text": "what is a llama?"}));
    assert_eq!(asked.status, 200, "{asked:?}");
    assert_eq!(client.post(&path("/go-on"), &json!({})).status, 200);
    assert_eq!(text(&client.get(&path("")).json(), "/data/current_phase"), "evaluating");
    let moved = client.post(&path("/advance"), &json!({"expected_status": "planning"}));
    assert_eq!((moved.status, text(&moved.json(), "/code")), (409, "status_moved"), "{moved:?}");
    let moved = client.post(&path("/advance"), &json!({"expected_status": "teaching"}));
    assert_eq!((moved.status, text(&moved.json(), "/data/status")), (200, "quizzing"), "{moved:?}");
    assert_eq!(text(&client.get(&path("/context")).json(), "/flow_state/status"), "quizzing");
    assert_eq!(client.get(&path("/analytics")).json()["mastery_pct"], 0.0);
    let kept = client.get(&format!("/api/kv/flow:{id}")).json();
    assert_eq!(text(&kept, "/value/status"), "quizzing");
}

/// Otherwise the repeated answer would count for the next question.
#[test]
fn a_repeated_answer_counts_once() {
    let (_folder, server) = server();
    let client = &server.client;
    let id = start(client, &json!({"topic": "sql"}));
    let request = client.request("POST", &format!("/api/courses/{id}/answer")).json(&json!({"text": "b"}));
    let request = request.header("Idempotency-Key", "once");
    let first = client.send(&request).json();
    let again = client.send(&request).json();
    assert_eq!(again["repeated"], true, "{again}");
    assert_eq!(first["version"], again["version"]);
}

#[test]
fn a_repeated_start_or_resumption_counts_once() {
    let (_folder, server) = server();
    let client = &server.client;
    let send = |path: &str, key: &str, learner: &str| {
        let request = client.request("POST", path).json(&json!({"topic": "sql", "learner": learner}));
        client.send(&request.header("Idempotency-Key", key))
    };
    let (first, again) = (send("/api/courses", "k", "ada"), send("/api/courses", "k", "ada"));
    assert_eq!((first.status, again.status), (201, 200), "{again:?}");
    assert_eq!(first.json()["id"], again.json()["id"]);
    for (key, learner) in [("k2", "ada"), ("k", "bob")] {
        assert_eq!(send("/api/courses", key, learner).status, 201, "{key} of {learner}");
    }
    let path = format!("/api/courses/{}", text(&first.json(), "/id"));
    assert_eq!(client.post(&format!("{path}/abandon"), &json!({})).status, 200);
    let resume = client.request("POST", &format!("{path}/resume")).header("Idempotency-Key", "r");
    let (first, again) = (client.send(&resume), client.send(&resume));
    assert_eq!((first.status, again.status), (201, 200), "{again:?}");
    assert_eq!(first.json()["id"], again.json()["id"]);
    let nameless = client.post("/api/courses", &json!({"topic": "sql", "learner": ""}));
    assert_eq!((nameless.status, text(&nameless.json(), "/code")), (422, "bad_key"), "{nameless:?}");
}

#[test]
fn a_given_map_is_used_and_drawn() {
    let (_folder, server) = server();
    let client = &server.client;
    let node = |n: u32| format!("00000000-0000-7000-8000-00000000000{n}");
    let map = json!({
        "mind_map_id": node(9), "title": "Tea <script>",
        "nodes": [{"node_id": node(1), "label": "Water"}, {"node_id": node(2), "label": "Leaves"}],
        "edges": [{"parent_node_id": node(1), "child_node_id": node(2), "edge_type": "prerequisite"}],
    });
    let id = start(client, &json!({"map": map, "tutor": "outside", "learner": "ana"}));
    let frontier = client.get(&format!("/api/courses/{id}/frontier")).json();
    assert_eq!(frontier["nodes"].as_array().map(Vec::len), Some(1), "{frontier}");
    assert_eq!(text(&frontier, "/nodes/0/label"), "Water");
    let whole = client.get(&format!("/api/courses/{id}/map")).json();
    assert_eq!(
        (text(&whole, "/map/title"), whole["nodes"].as_array().map(Vec::len)),
        ("Tea <script>", Some(2))
    );
    for (format, begins) in
        [("mermaid", "---"), ("dot", "digraph"), ("canvas", "{"), ("graphml", "<?xml"), ("json", "{")]
    {
        let drawn = client.get(&format!("/api/courses/{id}/map?format={format}")).json();
        assert!(text(&drawn, "/text").starts_with(begins), "{drawn}");
    }
    let unknown = client.get(&format!("/api/courses/{id}/map?format=oil"));
    assert_eq!((unknown.status, text(&unknown.json(), "/code")), (422, "unknown_format"));
    let listed =
        |query: &str| client.get(&format!("/api/courses?{query}")).json()["courses"].as_array().map(Vec::len);
    assert_eq!(
        (listed("learner=ana"), listed(""), listed("learner=ana&status=completed")),
        (Some(1), Some(0), Some(0))
    );
}

#[test]
fn a_course_is_abandoned_and_resumed() {
    let (_folder, server) = server();
    let client = &server.client;
    let id = start(client, &json!({"topic": "sql"}));
    assert_eq!(client.post(&format!("/api/courses/{id}/resume"), &json!({})).status, 422);
    assert_eq!(client.post(&format!("/api/courses/{id}/abandon"), &json!({})).status, 200);
    let again = client.post(&format!("/api/courses/{id}/abandon"), &json!({}));
    assert_eq!((again.status, text(&again.json(), "/code")), (409, "flow_is_over"));
    let resumed = client.post(&format!("/api/courses/{id}/resume"), &json!({}));
    assert_eq!(resumed.status, 201, "{resumed:?}");
    let new = text(&resumed.json(), "/id").to_owned();
    assert_ne!(new, id);
    let review = client.post(&format!("/api/courses/{new}/review"), &json!({"ahead": true}));
    assert_eq!((review.status, text(&review.json(), "/outcome")), (201, "done"), "{review:?}");
}

/// A map as large as one scope's documents may be is taught like a small one.
#[test]
fn a_large_map_is_diagnosed_abandoned_and_resumed() {
    const NODES: usize = 2_500;
    let (_folder, server) = server();
    let client = &server.client;
    let node = |n: usize| format!("00000000-0000-7000-8000-{n:012}");
    let edge = |n: usize| json!({"parent_node_id": node((n - 1) / 3), "child_node_id": node(n), "edge_type": "prerequisite"});
    let map = json!({
        "mind_map_id": node(NODES), "title": "Everything",
        "nodes": (0..NODES).map(|n| json!({"node_id": node(n), "label": format!("Concept {n}")})).collect::<Vec<_>>(),
        "edges": (1..NODES).map(edge).collect::<Vec<_>>(),
    });
    let id = start(client, &json!({"map": map}));
    let believed = |id: &str| {
        let nodes = client.get(&format!("/api/courses/{id}/map")).json()["nodes"].clone();
        let nodes = nodes.as_array().expect("nodes").clone();
        assert!(
            nodes
                .iter()
                .all(|node| node["confidence"].as_f64().is_none_or(|sure| (0.5..=1.0).contains(&sure)))
        );
        nodes.iter().filter(|node| node["mastery_status"] == "diagnosed").count()
    };
    let mut status = String::new();
    for _ in 0..8 {
        let answer = client.post(&format!("/api/courses/{id}/answer"), &json!({"text": "5 I know it"}));
        assert_eq!(answer.status, 200, "{answer:?}");
        status = text(&answer.json(), "/data/status").to_owned();
        if status == "teaching" {
            break;
        }
    }
    assert_eq!(status, "teaching");
    let known = believed(&id);
    assert!(known > 1_000, "{known}");
    assert_eq!(client.post(&format!("/api/courses/{id}/abandon"), &json!({})).status, 200);
    let resumed = client.post(&format!("/api/courses/{id}/resume"), &json!({}));
    assert_eq!(resumed.status, 201, "{resumed:?}");
    // The current concept is now being learned.
    assert!(believed(text(&resumed.json(), "/id")) + 1 >= known, "{known}");
}

#[test]
fn a_diagnosis_gives_its_confidence() {
    let (_folder, server) = server();
    let client = &server.client;
    let id = start(client, &json!({"topic": "sql"}));
    let sure = || {
        let map = client.get(&format!("/api/courses/{id}/map")).json();
        let nodes = map["nodes"].as_array().expect("nodes").iter();
        nodes.map(|node| node["confidence"].as_f64()).collect::<Vec<_>>()
    };
    assert!(sure().iter().all(Option::is_none));
    let answer = client.post(&format!("/api/courses/{id}/answer"), &json!({"text": "I don't know"}));
    assert_eq!(answer.status, 200, "{answer:?}");
    assert!(sure().iter().all(|sure| sure.is_some_and(|sure| (0.5..=1.0).contains(&sure))), "{:?}", sure());
}

#[test]
fn a_course_has_one_sitting_at_a_time() {
    let (_folder, server) = server();
    let client = &server.client;
    let node = "00000000-0000-7000-8000-000000000001";
    let map = json!({"mind_map_id": node, "title": "Tea", "nodes": [{"node_id": node, "label": "Water"}]});
    let id = start(client, &json!({"map": map, "tutor": "outside"}));
    let view = client.get(&format!("/api/courses/{id}/map")).json();
    let recall = json!({
        "node_id": view["nodes"][0]["node_id"], "question_text": "?", "user_answer": "!", "quality": 4,
        "response_type": "review",
    });
    let recorded = json!({"event": "recorded", "payload": recall});
    let reply = client.post(&format!("/api/instances/{id}/events"), &recorded);
    assert_eq!(reply.status, 200, "{reply:?}");
    let review = || client.post(&format!("/api/courses/{id}/review"), &json!({"ahead": true}));
    let (first, again) = (review(), review());
    assert_eq!((first.status, again.status), (201, 200), "{again:?}");
    assert_eq!(text(&first.json(), "/id"), text(&again.json(), "/id"));
    assert!(text(&again.json(), "/said/0/say").contains("Water"), "it asks again: {again:?}");
    assert_eq!(client.post(&format!("/api/courses/{id}/abandon"), &json!({})).status, 200);
    let sitting = text(&first.json(), "/id").to_owned();
    let answered =
        client.post(&format!("/api/courses/{sitting}/answer"), &json!({"text": "5 it is wet"})).json();
    assert_eq!(text(&answered, "/outcome"), "done", "{answered}");
    let refused = review();
    assert_eq!((refused.status, text(&refused.json(), "/code")), (422, "course_abandoned"), "{refused:?}");
}

#[test]
fn unusable_input_is_refused_with_a_reason() {
    let (_folder, server) = server();
    let client = &server.client;
    let id = start(client, &json!({"topic": "sql"}));
    let turnstile = "00000000-0000-7000-8000-000000000000";
    for (path, body, status) in [
        ("/api/courses".to_owned(), json!({"topic": ""}), 422),
        ("/api/courses".to_owned(), json!({"topic": "x".repeat(500_000)}), 422),
        ("/api/courses".to_owned(), json!({"topic": "sql", "tutor": "nobody"}), 422),
        ("/api/courses".to_owned(), json!({"topic": "sql", "shell": "rm"}), 422),
        ("/api/courses".to_owned(), json!({"map": {"title": "x", "nodes": []}}), 422),
        (format!("/api/courses/{id}/answer"), json!({"text": 3}), 422),
        (format!("/api/courses/{id}/answer"), json!({"text": " "}), 422),
        (format!("/api/courses/{id}/advance"), json!({"expected_status": "asleep"}), 422),
        (format!("/api/courses/{id}/go-on"), json!({}), 409),
        (format!("/api/courses/{turnstile}/answer"), json!({"text": "x"}), 404),
        (format!("/api/courses/{turnstile}/review"), json!({}), 404),
    ] {
        let reply = client.post(&path, &body);
        assert_eq!(reply.status, status, "{path}: {reply:?}");
        let problem = reply.json();
        assert!(!text(&problem, "/code").is_empty() && !text(&problem, "/cure").is_empty(), "{problem}");
    }
    assert_eq!(client.get("/api/courses?status=asleep").status, 422);
    assert_eq!(text(&client.get(&format!("/api/courses/{id}")).json(), "/data/status"), "diagnosing");
    assert!(names(&client.get(&format!("/api/courses/{id}")).json()["allowed"]).contains(&"answered"));
}

/// A flow's refusals are in the caller's language.
#[test]
fn refusals_are_in_the_callers_language() {
    let folder = Folder::new();
    let server = folder.serve(&[]);
    let map = json!({"mind_map_id": "00000000-0000-7000-8000-000000000001", "title": "Tea", "nodes": [{"node_id": "00000000-0000-7000-8000-000000000001", "label": "Water"}]});
    let id = start(&server.client, &json!({"map": map, "tutor": "outside"}));
    let map = server.client.get(&format!("/api/courses/{id}/map")).json();
    let node = text(&map, "/nodes/0/node_id");
    let recorded = json!({"node_id": node, "question_text": " ", "user_answer": "", "quality": 3, "response_type": "review"});
    let event = |name: &str, payload: Value| json!({"event": name, "payload": payload});
    let events = format!("/api/instances/{id}/events");
    for (path, body, english, german) in [
        (
            "/api/drills",
            json!({"pack": "german-first-words", "new_words": 51}),
            "new_words is 51, not 1 to 50",
            "new_words ist 51 statt 1 bis 50",
        ),
        (
            "/api/instances",
            json!({"flow": "drill", "opening": {}}),
            "a drill needs a pack",
            "ein Drill braucht ein Paket",
        ),
        (
            &events,
            event("advance", json!({"expected_status": "completed"})),
            "not “completed”",
            "der Kurs hat den Status „diagnosing“, nicht „completed“",
        ),
        (
            &events,
            event("edited", json!({"edit": "nothing"})),
            "this is not an edit",
            "das ist keine Änderung",
        ),
        (&events, event("recorded", recorded), "question_text is empty", "question_text ist leer"),
        (
            "/api/instances",
            json!({"flow": "teach", "opening": {"topic": 7}}),
            "a course cannot be opened with this",
            "damit kann kein Kurs beginnen",
        ),
    ] {
        for (language, expected) in [("en", english), ("de", german)] {
            let request = server.client.request("POST", path).json(&body).header("Accept-Language", language);
            let refused = server.client.send(&request);
            assert!(refused.status >= 400 && refused.body.contains(expected), "{expected}: {refused:?}");
        }
    }
}
