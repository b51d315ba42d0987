//! Tests of a course's context as text. The teaching scenarios show the content of its parts.

use crate::learner::place::{app, course};
use coaching::teach::looks;
use shell::engine::failure::Failure;
use shell::engine::look::look;

#[tokio::test]
async fn the_text_has_the_four_parts_in_their_order() {
    let app = app().await;
    let (id, _) = course(&app, "ada", &["joins", "subqueries"]).await;
    let text =
        look(&app, "ada", |shelf| looks::context(shelf, &id)).await.expect("the context is there").text();
    let places =
        ["## Flow state", "\"current_phase\"", "## Frontier", "## Recent answers", "## What is known"];
    let found: Vec<usize> =
        places.iter().map(|part| text.find(part).unwrap_or_else(|| panic!("{part}"))).collect();
    assert!(found.is_sorted(), "{text}");
}

#[tokio::test]
async fn an_unknown_course_has_no_context() {
    let app = app().await;
    let unknown =
        look(&app, "ada", |shelf| looks::context(shelf, "0198b7c2-0000-7000-8000-000000000000")).await;
    assert!(matches!(unknown, Err(Failure::UnknownInstance { .. })), "{unknown:?}");
}
