//! Tests of the tools' promises to an assistant that leads a course, over the wire. The teaching scenarios show
//! what the tools do with a course.

use crate::common::Folder;
use crate::mcp::client::{Client, on_both, on_stdio};
use serde_json::{Value, json};

/// A course that an assistant leads, with its concepts in a row: each needs the previous one.
struct Course {
    id: String,
    nodes: Vec<String>,
}

impl Course {
    /// A course in `planning`, with its map laid out.
    fn planned(client: &mut Client, labels: &[&str]) -> Course {
        let started = client.get("teaching_flow_start", json!({"topic": "Python"}));
        let mut course = Course { id: text(&started["mind_map_id"]), nodes: Vec::new() };
        for label in labels {
            let created =
                client.get("mind_map_node_create", json!({"mind_map_id": course.id, "label": label}));
            course.nodes.push(text(&created["node_id"]));
        }
        for pair in course.nodes.windows(2) {
            client.get("mind_map_edge_create", json!({"parent_node_id": pair[0], "child_node_id": pair[1]}));
        }
        for _ in 0..3 {
            course.record(client, 0, "diagnostic", 0);
        }
        assert_eq!(course.advance(client)["status"], "planning");
        course
    }

    /// A course in `quizzing` on its first concept.
    fn quizzing(client: &mut Client, labels: &[&str]) -> Course {
        let course = Course::planned(client, labels);
        course.advance(client);
        assert_eq!(course.advance(client)["status"], "quizzing");
        course
    }

    fn advance(&self, client: &mut Client) -> Value {
        client.get("teaching_flow_advance", json!({"mind_map_id": self.id}))
    }

    fn state(&self, client: &mut Client) -> Value {
        client.get("teaching_flow_get", json!({"mind_map_id": self.id}))["result"].clone()
    }

    fn record(&self, client: &mut Client, node: usize, response_type: &str, quality: u8) -> Value {
        let recorded = client.get(
            "quiz_response_record",
            json!({
                "node_id": self.nodes[node], "question_text": "What is it?", "user_answer": "A thing.",
                "quality": quality, "response_type": response_type,
            }),
        );
        recorded["node"].clone()
    }

    /// Masters a concept by three recalls without a mistake.
    fn master(&self, client: &mut Client, node: usize) {
        let recalled = (0..3).map(|_| self.record(client, node, "review", 5)).last();
        assert_eq!(recalled.expect("a concept")["mastery_status"], "mastered");
    }

    fn map_status(&self, client: &mut Client) -> Value {
        client.get("mind_map_get", json!({"mind_map_id": self.id}))["map"]["status"].clone()
    }

    fn schedules(&self, client: &mut Client) -> Vec<Value> {
        let listed = client.get("schedule_list", json!({"mind_map_id": self.id}));
        listed["result"].as_array().cloned().unwrap_or_default()
    }
}

fn text(value: &Value) -> String {
    value.as_str().unwrap_or_else(|| panic!("{value} is no text")).to_owned()
}

#[test]
fn start_creates_a_flow_and_returns_its_state() {
    on_both(|client| {
        let started =
            client.get("teaching_flow_start", json!({"topic": "Rust", "goal": "Learn systems programming"}));
        assert_eq!((&started["status"], &started["session_count"]), (&json!("diagnosing"), &json!(1)));
        assert_eq!((&started["current_node_id"], &started["current_phase"]), (&Value::Null, &Value::Null));
        let map = client.get("mind_map_get", json!({"mind_map_id": started["mind_map_id"]}))["map"].clone();
        assert_eq!((&map["title"], &map["status"]), (&json!("Rust"), &json!("active")));
        assert_eq!(map["metadata"]["goal"], "Learn systems programming");
        let known = client.get("teaching_flow_get", json!({"mind_map_id": started["mind_map_id"]}));
        for (field, value) in started.as_object().expect("a state") {
            assert_eq!(&known["result"][field], value, "the same state: {field}");
        }
        assert_eq!(
            (&known["result"]["tutor"], &known["result"]["question"]),
            (&json!("outside"), &Value::Null)
        );
    });
}

#[test]
fn getting_an_unknown_course_gives_null_and_no_error() {
    on_both(|client| {
        for id in ["nonexistent-uuid", "00000000-0000-7000-8000-000000000000", "", "../../etc"] {
            let called = client.call("teaching_flow_get", json!({"mind_map_id": id}));
            assert_eq!((called.is_error, called.text.as_str()), (false, "null"));
            assert_eq!(called.structured, json!({"result": null}));
        }
    });
}

#[test]
fn phases_are_kept_for_the_next_session() {
    on_stdio(|client| {
        let course = Course::planned(client, &["Values"]);
        course.advance(client);
        for (phase, then) in [("explained", "questioning"), ("asked", "evaluating")] {
            let moved = client.get("teaching_flow_phase", json!({"mind_map_id": course.id, "phase": phase}));
            assert_eq!((&moved["status"], &moved["current_phase"]), (&json!("teaching"), &json!(then)));
            assert_eq!(course.state(client)["current_phase"], then);
        }
        let (code, _) =
            client.refused("teaching_flow_phase", json!({"mind_map_id": course.id, "phase": "explained"}));
        assert_eq!(code, "event_not_allowed");
    });
}

#[test]
fn a_final_status_stays_and_the_refusal_names_the_transition() {
    on_both(|client| {
        let course = Course::quizzing(client, &["Values"]);
        course.record(client, 0, "teach", 5);
        course.master(client, 0);
        assert_eq!(course.advance(client)["status"], "completed");
        assert_eq!(course.map_status(client), "completed");
        let before = course.state(client);
        for (tool, arguments, to) in [
            ("teaching_flow_advance", json!({"mind_map_id": course.id}), "`advance`"),
            ("teaching_flow_abandon", json!({"mind_map_id": course.id}), "`abandon`"),
            ("teaching_flow_phase", json!({"mind_map_id": course.id, "phase": "asked"}), "`phase`"),
        ] {
            let (code, message) = client.refused(tool, arguments);
            assert_eq!(code, "invalid_transition");
            assert!(message.contains("`completed`") && message.contains(to), "{message}");
        }
        assert_eq!(course.state(client), before);
    });
}

#[test]
fn a_failed_recall_comes_back_tomorrow_and_is_not_taught_again() {
    on_stdio(|client| {
        client.get("profile_set", json!({"changes": {"memory": "sm2"}}));
        let course = Course::quizzing(client, &["Values", "Functions"]);
        course.record(client, 0, "teach", 5);
        course.advance(client);
        let node = course.record(client, 0, "review", 2);
        assert_eq!((&node["mastery_status"], &node["repetitions"]), (&json!("reviewing"), &json!(0)));
        assert_eq!(node["interval_days"], 1.0);
        let node = course.record(client, 0, "review", 4);
        assert_eq!(node["repetitions"], 1);
        assert_eq!(course.schedules(client).len(), 1, "one review at a time for a concept");
        let answers = client.get("quiz_responses", json!({"node_id": course.nodes[0]}));
        let kinds: Vec<&Value> =
            answers["result"].as_array().into_iter().flatten().map(|one| &one["response_type"]).collect();
        assert_eq!(kinds[..3], ["review", "review", "teach"], "the newest first");
    });
}

#[test]
fn abandoning_deletes_reviews_and_returns_nothing() {
    on_both(|client| {
        let course = Course::quizzing(client, &["Values", "Functions"]);
        course.record(client, 0, "teach", 4);
        course.advance(client);
        assert_eq!(course.schedules(client).len(), 1);
        let called = client.call("teaching_flow_abandon", json!({"mind_map_id": course.id}));
        assert_eq!((called.is_error, called.text.as_str()), (false, "null"));
        assert_eq!(
            (course.state(client)["status"].clone(), course.map_status(client)),
            (json!("abandoned"), json!("abandoned"))
        );
        assert!(course.schedules(client).is_empty());
        let resumed = client.get("teaching_flow_resume", json!({"mind_map_id": course.id}));
        assert_ne!(resumed["mind_map_id"], course.id);
        let schedules = client.get("schedule_list", json!({"mind_map_id": resumed["mind_map_id"]}));
        assert_eq!(
            schedules["result"].as_array().map(Vec::len),
            Some(1),
            "its reviews are back: {schedules}"
        );
    });
}

#[test]
fn a_cycle_is_refused_by_name_and_changes_nothing() {
    on_stdio(|client| {
        let course = Course::planned(client, &["Values", "Functions", "Decorators"]);
        let map = |client: &mut Client| client.get("mind_map_get", json!({"mind_map_id": course.id}));
        let before = map(client);
        let (_, message) = client.refused(
            "mind_map_edge_create",
            json!({
                "parent_node_id": course.nodes[2], "child_node_id": course.nodes[0],
            }),
        );
        for label in ["Values", "Functions", "Decorators"] {
            assert!(message.contains(label), "{message}");
        }
        assert_eq!(map(client), before);
        let depths: Vec<&Value> =
            before["nodes"].as_array().into_iter().flatten().map(|node| &node["depth"]).collect();
        assert_eq!(depths, [0, 1, 2]);
    });
}

/// Many calls at the same moment, each expecting the same status.
#[test]
fn one_of_many_simultaneous_calls_moves_the_course() {
    let folder = Folder::new();
    let mut client = Client::http(&folder);
    let course = Course::planned(&mut client, &["Values"]);
    let count = |state: &Value| state["session_count"].as_u64().expect("a count");
    let before = count(&course.state(&mut client));
    let arguments = json!({"mind_map_id": course.id, "expected_status": "planning"});
    let call = json!({
        "jsonrpc": "2.0", "id": 1, "method": "tools/call",
        "params": {"name": "teaching_flow_advance", "arguments": arguments},
    });
    let others = client.server().expect("over HTTP").client.clone();
    let advance = || {
        let request = others.request("POST", "/mcp").json(&call);
        let reply = others.send(&request.header("Accept", "application/json, text/event-stream")).json();
        reply["result"]["isError"] == false
    };
    let moved = std::thread::scope(|scope| {
        let started: Vec<_> = (0..16).map(|_| scope.spawn(advance)).collect();
        started.into_iter().map(|one| one.join().expect("it is answered")).filter(|moved| *moved).count()
    });
    let after = course.state(&mut client);
    assert_eq!((moved, count(&after), &after["status"]), (1, before + 1, &json!("teaching")));
}

#[test]
fn another_learners_course_is_unknown() {
    on_stdio(|client| {
        let started = client.get("teaching_flow_start", json!({"topic": "Rust", "learner": "ana"}));
        let id = &started["mind_map_id"];
        assert_eq!(
            client.get("teaching_flow_get", json!({"mind_map_id": id, "learner": "bob"}))["result"],
            Value::Null
        );
        let (code, _) = client.refused("teaching_flow_abandon", json!({"mind_map_id": id, "learner": "bob"}));
        assert_eq!(code, "unknown_instance");
        let theirs = client.get("teaching_flow_get", json!({"mind_map_id": id, "learner": "ana"}));
        assert_eq!(theirs["result"]["status"], "diagnosing");
    });
}

/// A refusal lists the tools that work now, and each of them does.
#[test]
fn refusals_list_the_tools_that_work_now() {
    on_stdio(|client| {
        let allowed = |client: &mut Client, tool: &str, arguments: Value| -> Vec<String> {
            let called = client.call(tool, arguments);
            assert!(called.is_error, "{tool}: {}", called.text);
            let allowed = called.structured["error"]["allowed"].as_array().expect("a list");
            allowed.iter().map(text).collect()
        };
        let course = Course::quizzing(client, &["Values", "Functions"]);
        let now = allowed(client, "teaching_flow_advance", json!({"mind_map_id": course.id}));
        for works in ["quiz_response_record", "teaching_flow_abandon", "mind_map_node_create"] {
            assert!(now.iter().any(|tool| tool == works), "{works} is missing: {now:?}");
        }
        for fails in [
            "teaching_flow_advance",
            "teach_answer",
            "teach_ask",
            "teaching_flow_phase",
            "teaching_flow_resume",
        ] {
            assert!(now.iter().all(|tool| tool != fails), "{fails} does not work now: {now:?}");
        }
        course.record(client, 0, "teach", 5);
        let now = allowed(client, "teach_answer", json!({"id": course.id, "text": "x"}));
        assert!(now.iter().any(|tool| tool == "teaching_flow_advance"), "{now:?}");
        client.get("teaching_flow_abandon", json!({"mind_map_id": course.id}));
        let now = allowed(client, "teaching_flow_advance", json!({"mind_map_id": course.id}));
        assert_eq!(now, ["teaching_flow_start", "teaching_flow_resume"]);
        let led = client.get("teaching_flow_start", json!({"topic": "sql", "tutor": "etude"}));
        let nodes = client.get("mind_map_get", json!({"mind_map_id": led["mind_map_id"]}))["nodes"].clone();
        let answer = json!({
            "mind_map_id": led["mind_map_id"], "node_id": nodes[0]["node_id"], "question_text": "?", "user_answer": "!",
            "quality": 5, "response_type": "diagnostic",
        });
        assert_eq!(client.refused("quiz_response_record", answer.clone()).0, "led_by_etude");
        let now = allowed(client, "quiz_response_record", answer);
        assert!(now.iter().any(|tool| tool == "teach_answer"), "{now:?}");
        assert!(
            now.iter().all(|tool| !["quiz_response_record", "teach_go_on"].contains(&tool.as_str())),
            "{now:?}"
        );
    });
}

/// A client that does not know whether a call arrived repeats it with the same key.
#[test]
fn a_call_with_a_key_is_taken_once() {
    on_both(|client| {
        let call = |client: &mut Client, tool: &str, arguments: Value, key: &str| {
            let params = json!({"name": tool, "arguments": arguments, "_meta": {"idempotencyKey": key}});
            client.request("tools/call", params).expect("a result")
        };
        let code = |result: &Value| result["structuredContent"]["error"]["code"].clone();
        let start = |client: &mut Client, topic: &str| {
            call(client, "teaching_flow_start", json!({"topic": topic}), "s")
        };
        let (first, again) = (start(client, "Tea"), start(client, "Tea"));
        let id = first["structuredContent"]["mind_map_id"].clone();
        assert_eq!((&again["structuredContent"]["mind_map_id"], code(&again)), (&id, Value::Null), "{again}");
        assert_eq!(code(&start(client, "Coffee")), "key_reused");
        let create = |client: &mut Client, label: &str| {
            call(client, "mind_map_node_create", json!({"mind_map_id": id, "label": label}), "n")
        };
        let (first, again) = (create(client, "Water"), create(client, "Water"));
        assert_eq!(first["structuredContent"], again["structuredContent"]);
        assert_eq!(code(&create(client, "Leaves")), "key_reused");
        let map = client.get("mind_map_get", json!({"mind_map_id": id}));
        assert_eq!(map["nodes"].as_array().map(Vec::len), Some(1), "{map}");
        let params = json!({"name": "teaching_flow_list", "arguments": {}, "_meta": {"idempotencyKey": 3}});
        assert!(client.request("tools/call", params).is_err(), "a key is a text");
    });
}

/// Etude teaches; the assistant only passes the messages on.
#[test]
fn etude_teaches_a_curriculum_through_the_tools() {
    on_both(|client| {
        let started = client.get("teaching_flow_start", json!({"topic": "sql", "tutor": "etude"}));
        let id = text(&started["mind_map_id"]);
        assert!(
            started["said"].as_array().is_some_and(|said| said.iter().any(|line| line["role"] == "question"))
        );
        let mut state = Value::Null;
        for _ in 0..8 {
            state = client.get("teach_answer", json!({"id": id, "text": "I don't know"}));
            if state["data"]["status"] == "teaching" {
                break;
            }
        }
        assert_eq!(state["data"]["status"], "teaching", "{state}");
        let node = state["data"]["current_node_id"].clone();
        let asked = client.get("teach_ask", json!({"mind_map_id": id, "text": "how do I bake bread?"}));
        assert_eq!(asked["data"]["current_node_id"], node);
        let posed = client.get("teach_go_on", json!({"mind_map_id": id}));
        assert_eq!(posed["data"]["current_phase"], "evaluating");
        let review = client.get("review_start", json!({"mind_map_id": id, "ahead": true}));
        assert_eq!(review["outcome"], "done", "nothing to recall yet: {review}");
    });
}

#[test]
fn sm2_follows_its_table() {
    on_stdio(|client| {
        for (ease, repetitions, interval, quality, then) in [
            (2.5, 0, 0.0, 4, (2.5, 1, 1.0)),
            (2.5, 1, 1.0, 4, (2.5, 2, 6.0)),
            (2.5, 2, 6.0, 5, (2.6, 3, 15.6)),
            (2.5, 5, 40.0, 2, (2.18, 0, 1.0)),
            (1.3, 3, 10.0, 3, (1.3, 4, 13.0)),
        ] {
            let got = client.get("sm2_update", json!({
                "ease_factor": ease, "repetitions": repetitions, "interval_days": interval, "quality": quality,
            }));
            let near = |name: &str, expected: f64| {
                let number = got[name].as_f64().expect("a number");
                assert!((number - expected).abs() < 1e-9, "{name} of {got} is not {expected}");
            };
            near("ease_factor", then.0);
            near("repetitions", f64::from(then.1));
            near("interval_days", then.2);
        }
    });
}

/// The configured model cannot be reached, so Etude has nothing to teach until it is given a curriculum.
#[test]
fn a_course_without_a_map_takes_a_curriculum() {
    let folder = Folder::new();
    let settings = "[model]\npreset = \"openai-compatible\"\nbase_url = \"http://127.0.0.1:9/v1\"\nmodel = \"m\"\nretries = 0\n";
    let settings = folder.write("config.toml", settings);
    let client = &mut Client::stdio(&folder, &["--config", &settings]);
    let started = client.get("teaching_flow_start", json!({"topic": "knots", "tutor": "etude"}));
    let id = text(&started["mind_map_id"]);
    assert!(started["said"].to_string().contains("could not make a map of “knots”"), "{started}");
    let again = client.get("teaching_flow_plan_again", json!({"mind_map_id": id}));
    assert_eq!(again["status"], "diagnosing", "{again}");
    assert!(again["said"].to_string().contains("could not make a map"), "{again}");
    let taken = client.get("teaching_flow_plan_again", json!({"mind_map_id": id, "curriculum": "sql"}));
    assert!(taken["said"].to_string().contains("First a few questions"), "{taken}");
    let answered = client.get("teach_answer", json!({"id": id, "text": "I don't know"}));
    assert_eq!(answered["counters"]["probes"], 1, "{answered}");
}
