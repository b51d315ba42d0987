//! Tests of courses on topics without a curriculum: the model names the concepts, at once or on another try, and
//! writes the lessons, however long it takes.

use crate::common::{Client, events, number, text};
use crate::model::place::{Place, RUNTIME, said};
use crate::model_server::{Act, Scene, completion};
use serde_json::{Value, json};

/// Two replies of a model that did not understand; it is asked once to correct the first.
fn useless() -> [Scene; 2] {
    [completion("Knots are nice."), completion("Very nice.")]
}

fn plan() -> Scene {
    let node = |label: &str, needs: &[&str]| json!({"label": label, "description": "Ties it.", "minutes": 10, "needs": needs});
    let nodes = [
        node("Overhand knot", &[]),
        node("Reef knot", &["Overhand knot"]),
        node("Bowline", &[]),
        node("Clove hitch", &[]),
        node("Sheet bend", &["Bowline"]),
    ];
    completion(&json!({"nodes": nodes}).to_string())
}

fn place(scenes: impl IntoIterator<Item = Scene>) -> Place {
    Place::new(scenes.into_iter().collect(), "retries = 0")
}

#[test]
fn a_failed_plan_is_retried_over_http() {
    let place = place(useless().into_iter().chain([plan()]));
    let server = place.serve(&[]);
    let started = server.client.post("/api/courses", &json!({"topic": "knots"})).json();
    assert_eq!((text(&started, "/state"), place.requests()), ("unsurveyed", 2), "{started}");
    assert!(said(&started, "notice")[0].contains("could not make a map of “knots”"), "{started}");
    let id = text(&started, "/id");
    let again = format!("/api/courses/{id}/plan-again");
    let refused = server.client.post(&again, &json!({"curriculum": "cooking"}));
    assert_eq!((refused.status, text(&refused.json(), "/code")), (422, "no_curriculum"), "{refused:?}");
    let planned = server.client.post(&again, &json!({})).json();
    assert_eq!((text(&planned, "/state"), place.requests()), ("diagnosing", 3), "{planned}");
    assert!(!planned["data"]["question"].is_null(), "{planned}");
    let map = server.client.get(&format!("/api/courses/{id}/map")).json();
    assert_eq!(number(&map, "/map/node_count"), 5, "{map}");
    let refused = server.client.post(&again, &json!({}));
    assert_eq!((refused.status, text(&refused.json(), "/code")), (409, "event_not_allowed"), "{refused:?}");
}

#[test]
fn a_failed_plan_is_retried_in_the_terminal() {
    let place = place(useless().into_iter().chain(useless()).chain([plan()]));
    let typed = place.run_with(&["teach", "knots", "--plain"], b"\n");
    let course = course(&place);
    assert_eq!(
        (typed.code, text(&course, "/status"), place.requests()),
        (Some(0), "diagnosing", 4),
        "{typed:?}"
    );
    assert!(
        typed.stdout.contains("Try again, or name a curriculum") && typed.stdout.contains("python-from-zero"),
        "{typed:?}"
    );
    // The course was left for later; typing the topic again continues it.
    let typed = place.run_with(&["teach", "knots", "--plain"], b"cooking\n\nskip\n");
    assert_eq!((typed.code, place.requests()), (Some(0), 5), "{typed:?}");
    assert!(typed.stdout.contains("there is no curriculum “cooking”"), "{typed:?}");
    assert!(typed.stdout.contains("Questions 1 of 7"), "{typed:?}");
}

#[test]
fn a_curriculum_replaces_a_plan_in_the_terminal() {
    let place = place(useless());
    let typed = place.run_with(&["teach", "querying tables", "--plain"], b"sql\n");
    assert!(typed.code == Some(0) && typed.stdout.contains("Questions 0 of 7, Concepts"), "{typed:?}");
    let course = course(&place);
    assert_eq!((text(&course, "/curriculum"), text(&course, "/status")), ("sql", "diagnosing"), "{course}");
    assert_eq!(place.requests(), 2, "Etude has stopped asking a model");
}

/// Returns the only course.
fn course(place: &Place) -> Value {
    place.run(&["teach", "list", "--json"]).json()["courses"][0].clone()
}

fn node(n: u32) -> String {
    format!("00000000-0000-7000-8000-00000000000{n}")
}

fn post(client: &Client, path: &str, body: &Value) -> Value {
    let reply = client.post(path, body);
    assert!([200, 201].contains(&reply.status), "{path}: {reply:?}");
    reply.json()
}

/// A requested lesson is not requested again, and a learner can go on without waiting for it.
#[test]
fn a_slow_lesson_holds_nobody_up() {
    let place = Place::new(vec![vec![Act::Hang]], "timeout_ms = 10000\nidle_timeout_ms = 10000\nretries = 0");
    let server = place.serve(&[]);
    let client = &server.client;
    let map = json!({
        "mind_map_id": node(9), "title": "Tea", "edges": [],
        "nodes": [{"node_id": node(1), "label": "Water"}, {"node_id": node(2), "label": "Leaves"}],
    });
    let id = text(&post(client, "/api/courses", &json!({"map": map})), "/id").to_owned();
    let path = |rest: &str| format!("/api/courses/{id}/{rest}");
    post(client, &path("answer"), &json!({"text": "0 no idea"}));
    std::thread::scope(|scope| {
        // This answer ends the diagnosis and waits for the lesson.
        scope.spawn(|| client.post(&path("answer"), &json!({"text": "0 no idea"})));
        RUNTIME.block_on(place.model.wait_for_request());
        let edit = json!({"edit": "node_create", "node_id": node(3), "label": "Cups"});
        let edited = post(client, &events(&id), &json!({"event": "edited", "payload": edit}));
        assert_eq!(text(&edited, "/data/current_phase"), "explaining", "{edited}");
        let advanced = post(client, &path("advance"), &json!({"expected_status": "teaching"}));
        assert_eq!(text(&advanced, "/data/status"), "quizzing", "{advanced}");
        let answered = post(client, &path("answer"), &json!({"text": "5 it is hot"}));
        assert_eq!(answered["data"]["last"]["quality"], 5, "{answered}");
        assert_eq!(place.requests(), 1, "the lesson was asked for again");
    });
}
