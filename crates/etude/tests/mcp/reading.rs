//! Tests of the parts that a client reads: resources, prompts, completions, curricula and the profile.

use crate::common::Folder;
use crate::mcp::client::{Client, on_both, on_stdio};
use serde_json::{Value, json};

#[test]
fn maps_and_curricula_are_resources() {
    on_both(|client| {
        let id = client.get("teaching_flow_start", json!({"topic": "sql", "tutor": "etude"}))["mind_map_id"]
            .clone();
        let id = id.as_str().expect("an id").to_owned();
        let listed = client.request("resources/list", json!({})).expect("resources are listed");
        let uris: Vec<&Value> =
            listed["resources"].as_array().into_iter().flatten().map(|one| &one["uri"]).collect();
        for uri in [format!("etude://maps/{id}"), "etude://curricula/sql".to_owned()] {
            assert!(uris.contains(&&json!(uri)), "{uri} is not in {uris:?}");
        }
        let templates = client.request("resources/templates/list", json!({})).expect("templates are listed");
        assert!(templates["resourceTemplates"].as_array().is_some_and(|all| all.len() >= 3), "{templates}");
        let mut read = |uri: &str| {
            let read = client.request("resources/read", json!({"uri": uri})).expect("it can be read");
            read["contents"][0]["text"].as_str().expect("a text").to_owned()
        };
        let map: Value = serde_json::from_str(&read(&format!("etude://maps/{id}"))).expect("a map is JSON");
        assert!(map["nodes"].as_array().is_some_and(|nodes| nodes.len() >= 20), "{map}");
        assert!(read(&format!("etude://maps/{id}/mermaid")).contains("flowchart"));
        let curriculum: Value =
            serde_json::from_str(&read("etude://curricula/sql")).expect("a curriculum is JSON");
        let first = &curriculum["concepts"][0];
        assert!(first["explain"].is_string() && first.get("questions").is_none(), "{first}");
    });
}

#[test]
fn prompts_explain_how_to_lead_a_course_and_show_its_state() {
    on_both(|client| {
        let started = client.get("teaching_flow_start", json!({"topic": "{context} <b>Rust</b>"}));
        let id = started["mind_map_id"].clone();
        let mut text = |name: &str, arguments: Value| {
            let got = client
                .request("prompts/get", json!({"name": name, "arguments": arguments}))
                .expect("a prompt");
            got["messages"][0]["content"]["text"].as_str().expect("a text").to_owned()
        };
        let tutor = text("tutor", json!({"mind_map_id": id}));
        assert!(tutor.contains("teaching_flow_advance") && tutor.contains("diagnosing"), "{tutor}");
        assert!(tutor.contains(id.as_str().expect("an id")), "{tutor}");
        assert!(text("tutor", json!({})).contains("teaching_flow_list"));
        assert!(text("review", json!({"mind_map_id": id})).contains("review_start"));
        let plan = text("plan", json!({"topic": "chess {goal}", "goal": "{topic}"}));
        assert!(plan.contains("Topic: chess {goal}\nGoal: {topic}"), "{plan}");
        for prompt in [&text("tutor", json!({})), &plan] {
            let words = prompt.split_whitespace().collect::<Vec<_>>().join(" ");
            let bounds = ["in 3 to 7 questions", "5 to 30 concepts", "at most 5"];
            assert!(bounds.iter().all(|bound| words.contains(bound)), "{prompt}");
        }
        let offered = client.request(
            "completion/complete",
            json!({
                "ref": {"type": "ref/prompt", "name": "tutor"},
                "argument": {"name": "mind_map_id", "value": &id.as_str().expect("an id")[..8]},
            }),
        );
        assert_eq!(offered.expect("completions")["completion"]["values"][0], id);
    });
}

#[test]
fn a_profile_changes_field_by_field() {
    on_stdio(|client| {
        let before = client.get("profile_get", json!({}));
        assert_eq!(before["memory"], "fsrs");
        let changes = json!({"memory": "sm2", "time_zone": "Europe/Berlin", "desired_retention": 0.85});
        let after = client.get("profile_set", json!({"changes": changes}));
        assert_eq!((&after["memory"], &after["day_starts_at"]), (&json!("sm2"), &before["day_starts_at"]));
        for bad in [
            json!({"desired_retention": 0.99}),
            json!({"time_zone": "Mars/Olympus"}),
            json!({"day_starts_at": 24}),
            json!({"reached_from_hour": 24}),
            json!({"easy_days": [0]}),
            json!({"memory": "elephant"}),
            json!({"weights": [1e39]}),
            json!({"weights": vec![0.0; 20]}),
            json!({"email": "nobody"}),
            json!({"admin": true}),
            // Only a message from the chat itself links it.
            json!({"telegram_chat": 42}),
        ] {
            let (code, message) = client.refused("profile_set", json!({"changes": bad}));
            assert_eq!(code, "bad_profile", "{bad}");
            assert!(!message.starts_with("learner-"), "{message}");
        }
        assert_eq!(client.get("profile_get", json!({})), after);
        assert_eq!(client.get("profile_get", json!({"learner": "ana"})), before);
    });
}

#[test]
fn an_assistant_of_one_learner_sees_no_other_courses() {
    let folder = Folder::new();
    let id = {
        let mut bob = Client::stdio(&folder, &["--learner", "bob"]);
        let started = bob.get("teaching_flow_start", json!({"topic": "sql", "tutor": "etude"}));
        started["mind_map_id"].as_str().expect("an id").to_owned()
    };
    let mut ada = Client::stdio(&folder, &["--learner", "ada"]);
    for (tool, arguments) in [
        ("teaching_context", json!({"mind_map_id": id})),
        ("teaching_flow_advance", json!({"mind_map_id": id})),
        ("teach_answer", json!({"id": id, "text": "no idea"})),
        ("teaching_flow_abandon", json!({"mind_map_id": id})),
        ("mind_map_get", json!({"mind_map_id": id})),
    ] {
        assert_eq!(ada.refused(tool, arguments).0, "unknown_instance", "{tool}");
    }
    for uri in [
        format!("etude://maps/{id}"),
        format!("etude://maps/{id}/mermaid"),
        format!("etude://analytics/{id}"),
    ] {
        assert!(ada.request("resources/read", json!({"uri": uri})).is_err(), "{uri}");
    }
    let prompt = json!({"name": "tutor", "arguments": {"mind_map_id": id}});
    assert!(ada.request("prompts/get", prompt).is_err());
    let of_bob = json!({"mind_map_id": id, "learner": "bob"});
    assert_eq!(ada.refused("teaching_flow_get", of_bob.clone()).0, "unknown_learner");
    let mut owner = Client::stdio(&folder, &[]);
    assert_eq!(owner.get("teaching_flow_get", of_bob)["result"]["status"], "diagnosing");
}

#[test]
fn a_course_has_a_context_and_numbers() {
    on_both(|client| {
        let started = client.get("teaching_flow_start", json!({"topic": "sql", "tutor": "etude"}));
        let id = started["mind_map_id"].as_str().expect("an id").to_owned();
        let context = client.get("teaching_context", json!({"mind_map_id": id}));
        assert_eq!(context["flow_state"]["status"], "diagnosing");
        assert_eq!(
            context["memory"]["courses"][0]["title"], "SQL for people who can use a spreadsheet",
            "{context}"
        );
        let parts: Vec<&String> = context.as_object().expect("an object").keys().collect();
        assert_eq!(parts, ["flow_state", "frontier", "recent_responses", "memory"]);
        let numbers = client.get("learning_analytics", json!({"mind_map_id": id}));
        assert_eq!((&numbers["mastery_pct"], &numbers["retention_7d"]), (&json!(0.0), &Value::Null));
        let read = client.request("resources/read", json!({"uri": format!("etude://analytics/{id}")}));
        let read = read.expect("it can be read");
        assert!(
            read["contents"][0]["text"].as_str().is_some_and(|text| text.contains("mastery_pct")),
            "{read}"
        );
        for tool in ["teaching_context", "learning_analytics"] {
            assert_eq!(client.refused(tool, json!({"mind_map_id": "nobody"})).0, "unknown_instance");
        }
    });
}

#[test]
fn a_coding_agent_without_hooks_is_coached() {
    on_stdio(|client| {
        let stopped =
            json!({"session": "s1", "text": "I have written the parser. Next I will write its tests."});
        let turned = client.get("agent_turn", stopped);
        assert_eq!(turned["decision"], "continue", "{turned}");
        let asked =
            client.get("agent_turn", json!({"session": "s2", "text": "Which database should I use?"}));
        assert_eq!(asked["decision"], "deliver", "{asked}");
        let (code, _) = client.refused("agent_turn", json!({"session": "s1"}));
        assert_eq!(code, "bad_turn");
    });
}

#[test]
fn curricula_are_listed() {
    on_stdio(|client| {
        let listed = client.get("curriculum_list", json!({}));
        let ids: Vec<&str> =
            listed["result"].as_array().into_iter().flatten().filter_map(|one| one["id"].as_str()).collect();
        assert!(ids.len() >= 4 && ids.contains(&"sql"), "{ids:?}");
    });
}
