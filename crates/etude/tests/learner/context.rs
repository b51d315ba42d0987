//! The context of a course: four parts in their order, and the last one may fail.

use crate::place::{answer, app, course, document, profile};
use coaching::teach::progress::ResponseType;
use etude::context::assemble;
use etude::failure::Failure;
use serde_json::Value;

#[tokio::test]
async fn the_four_parts_come_in_their_order() {
    let app = app().await;
    let (id, nodes) = course(&app, "ada", &["joins", "subqueries"]).await;
    profile(&app, "ada", |profile| profile.name = Some("Ada".into())).await;
    for nth in 0..12 {
        app.clock.pass_ms(1_000);
        answer(&app, &id, nodes[0], &format!("answer {nth}"), 2, ResponseType::Teach).await;
    }
    let context = assemble(&app, &id).await.expect("the context is there");
    assert_eq!(context.flow_state.current_node_id, Some(nodes[0]));
    let frontier: Vec<&str> = context.frontier.iter().map(|node| node.label.as_str()).collect();
    assert_eq!(frontier, ["joins"], "what needs something unknown is not on the frontier");
    let recent: Vec<&str> = context.recent_responses.iter().map(|one| one.user_answer.as_str()).collect();
    let expected: Vec<String> = (2..12).rev().map(|nth| format!("answer {nth}")).collect();
    assert_eq!(recent, expected, "the newest ten, newest first");
    let memory = context.memory.as_ref().expect("the learner is known");
    assert_eq!(memory.preferences.name.as_deref(), Some("Ada"));
    assert_eq!(memory.struggling.iter().map(|one| one.label.as_str()).collect::<Vec<_>>(), ["joins"]);

    let Value::Object(json) = serde_json::to_value(&context).expect("it is JSON") else {
        panic!("no object")
    };
    assert_eq!(json.keys().collect::<Vec<_>>(), ["flow_state", "frontier", "recent_responses", "memory"]);
    for field in ["question_text", "user_answer", "quality", "response_type", "responded_at"] {
        assert!(json["recent_responses"][0].get(field).is_some(), "{field}");
    }
    let text = context.text();
    let places =
        ["## Flow state", "\"current_phase\"", "## Frontier", "## Recent answers", "## What is known"];
    let found: Vec<usize> =
        places.iter().map(|part| text.find(part).unwrap_or_else(|| panic!("{part}"))).collect();
    assert!(found.is_sorted(), "{text}");
}

#[tokio::test]
async fn a_broken_memory_keeps_no_course_from_going_on() {
    let app = app().await;
    let (id, nodes) = course(&app, "ada", &["joins"]).await;
    answer(&app, &id, nodes[0], "a join", 4, ResponseType::Teach).await;
    for broken in ["not JSON at all", r#"{"desired_retention": "a lot"}"#] {
        document(&app, "ada", "profile", "me", broken).await;
        let context = assemble(&app, &id).await.expect("the rest is there");
        assert!(context.memory.is_none(), "{broken}");
        assert_eq!((context.frontier.len(), context.recent_responses.len()), (1, 1), "{broken}");
        assert!(!context.text().contains("What is known"), "{broken}");
    }
}

#[tokio::test]
async fn an_unknown_course_has_no_context() {
    let app = app().await;
    let unknown = assemble(&app, "0198b7c2-0000-7000-8000-000000000000").await;
    assert!(matches!(unknown, Err(Failure::UnknownInstance { .. })), "{unknown:?}");
}
