//! A course on a subject that no curriculum has: a model names the concepts, writes the lesson, and explains it again.

use crate::common::{Client, text};
use crate::model::place::{Place, said};
use crate::model_server::{Scene, completion};
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

/// Fails the quiz of the first concept and says what the tutor said to that.
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
fn a_model_explains_again_what_was_answered_wrongly() {
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
