//! Tests of a course on a topic without a curriculum: a model names the concepts, writes the lesson, and explains
//! it again.

use crate::common::{Client, text};
use crate::model::place::{Place, said};
use crate::model_server::{Act, Scene, completion};
use serde_json::{Value, json};

const FIRST: &str = "Water boils when bubbles rise everywhere in it.";
const SECOND: &str = "Think of a pot without a lid: it never gets hotter than that.";

fn scenes(again: Value) -> Vec<Scene> {
    let gap = |text: &str| json!({"form": "cloze", "text": text, "blanks": [["100"]]});
    let lesson = json!({
        "explain": FIRST,
        "example": "A pot on the stove.",
        "questions": [gap("Water boils at ___."), gap("It boils at ___ degrees."), gap("It never gets above ___.")],
    });
    let node = |label: &str, needs: &[&str]| json!({"label": label, "description": "A part of it.", "minutes": 5, "needs": needs});
    let later = ["Steam", "Tea", "Eggs", "Rice"].map(|label| node(label, &["Boiling"]));
    let nodes = [vec![node("Boiling", &[])], later.to_vec()].concat();
    let plan = json!({ "nodes": nodes });
    [plan, lesson, again].iter().map(|reply| completion(&reply.to_string())).collect()
}

/// Fails the quiz of the first concept and returns the tutor's answer.
fn failed_quiz(client: &Client) -> Value {
    let started = client.post("/api/courses", &json!({"topic": "boiling water"}));
    assert_eq!(started.status, 201, "{started:?}");
    let id = text(&started.json(), "/id").to_owned();
    let post = |rest: &str, body: Value| {
        let reply = client.post(&format!("/api/courses/{id}/{rest}"), &body);
        assert_eq!(reply.status, 200, "{reply:?}");
        reply.json()
    };
    for _ in 0..8 {
        if text(&client.get(&format!("/api/courses/{id}")).json(), "/data/status") == "teaching" {
            break;
        }
        post("answer", json!({"text": "I don't know"}));
    }
    post("go-on", json!({}));
    for _ in 0..4 {
        let answer = post("answer", json!({"text": "fifty-five"}));
        if text(&answer, "/data/status") == "teaching" {
            return answer;
        }
    }
    panic!("the quiz has no end");
}

#[test]
fn a_model_explains_again_after_a_wrong_answer() {
    for (again, expected) in [(json!({"again": SECOND}), SECOND), (json!({"again": ""}), FIRST)] {
        let place = Place::new(scenes(again), "timeout_ms = 5000\nretries = 1");
        let server = place.serve(&[]);
        let told = failed_quiz(&server.client);
        assert_eq!(said(&told, "explanation"), [expected], "{told}");
        assert_eq!(said(&told, "heading"), ["Boiling, once more"], "{told}");
        let seen = place.model.seen();
        let asked = format!("{:?}", seen.get(2));
        assert!(asked.contains("fifty-five") && asked.contains("second time"), "{asked}");
    }
}

/// A model's reply in pieces, with a pause after each.
fn in_pieces(reply: &str) -> Scene {
    let head = "HTTP/1.1 200 X\r\ncontent-type: text/event-stream\r\nconnection: close\r\n\r\n";
    let mut scene = vec![Act::Send(head.into())];
    for piece in reply.split_inclusive(' ') {
        let event = json!({"choices": [{"delta": {"content": piece}}]});
        scene.extend([Act::Send(format!("data: {event}\n\n").into()), Act::PauseMs(20)]);
    }
    scene.push(Act::Send("data: [DONE]\n\n".into()));
    scene
}

/// Opens a course whose next answer leads to a lesson, and returns its id.
fn before_the_lesson(client: &Client) -> String {
    let started = client.post("/api/courses", &json!({"topic": "boiling water"})).json();
    let id = text(&started, "/id").to_owned();
    for _ in 0..2 {
        client.post(&format!("/api/courses/{id}/answer"), &json!({"text": "I don't know"}));
    }
    id
}

#[test]
fn a_lesson_streams_while_it_is_written() {
    let mut scenes = scenes(json!({"again": SECOND}));
    let explain = format!("{FIRST} Then it steams. At the end the pot is empty.");
    let gap = |text: &str| json!({"form": "cloze", "text": text, "blanks": [["100"]]});
    let questions =
        [gap("Water boils at ___."), gap("It boils at ___ degrees."), gap("It never gets above ___.")];
    let lesson = json!({"explain": explain, "example": "A pot on the stove.", "questions": questions});
    scenes[1] = in_pieces(&lesson.to_string());
    let place = Place::new(scenes, "timeout_ms = 20000");
    let server = place.serve(&[]);
    let client = &server.client;
    let id = before_the_lesson(client);
    let mut watch = client.watch(&format!("/api/instances/{id}/changes"));
    let heard = std::thread::scope(|threads| {
        let asks = threads
            .spawn(|| client.post(&format!("/api/courses/{id}/answer"), &json!({"text": "I don't know"})));
        let mut heard: Vec<Value> = Vec::new();
        while heard.last() != Some(&json!({})) {
            heard.extend(watch.next().filter(|told| told.get("version").is_none()));
        }
        let answer = asks.join().expect("an answer").json();
        assert_eq!(said(&answer, "explanation"), [explain.as_str()], "{answer}");
        heard
    });
    let texts: Vec<&str> = heard.iter().map(|told| text(told, "/text")).collect();
    assert_eq!(text(&heard[0], "/asks"), "teach_lesson", "{heard:?}");
    assert!(texts.contains(&FIRST), "the first sentence comes before the second: {texts:?}");
    assert!(
        texts.iter().all(|early| format!("{explain}\n\nA pot on the stove.").starts_with(early)),
        "{texts:?}"
    );
}

#[test]
fn a_turn_finishes_without_its_caller() {
    let mut scenes = scenes(json!({"again": SECOND}));
    scenes[1].insert(0, Act::PauseMs(700));
    let place = Place::new(scenes, "timeout_ms = 20000");
    let server = place.serve(&[]);
    let client = &server.client;
    let id = before_the_lesson(client);
    let version = crate::common::number(&client.view(&id), "/version");
    let mut watch = client.watch(&format!("/api/instances/{id}/changes"));
    let request = client.request("POST", &format!("/api/instances/{id}/verbs/answer"));
    let mut gone = client.connect();
    std::io::Write::write_all(&mut gone, &request.json(&json!({"text": "I don't know"})).bytes())
        .expect("it is sent");
    // The caller hangs up while the model is being asked.
    while watch.next().is_some_and(|told| text(&told, "/asks") != "teach_lesson") {}
    drop(gone);
    let late =
        std::iter::from_fn(|| watch.next()).find(|told| told["said"].is_array()).expect("what was said");
    assert!(crate::common::number(&late, "/version") > version, "{late}");
    assert_eq!(said(&late, "explanation"), [FIRST], "{late}");
    assert_eq!(text(&client.view(&id), "/desk/ask/form"), "read");
    assert_eq!(place.requests(), 2, "the model was asked once for the lesson");
}
