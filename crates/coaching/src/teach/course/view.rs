//! What everyone may see of a course. The answers to its questions stay on the slate.

use super::Data;
use crate::turn::At;
use serde_json::{Value, json};

pub(super) fn view(data: &Data, at: &At<'_>) -> Value {
    let Data { state, slate, .. } = data;
    let question = slate.help.as_ref().or(slate.question.as_ref()).filter(|_| at.takes("answered"));
    let waiting = slate.question.as_ref().filter(|_| slate.help.is_some() && at.takes("answered"));
    let mut view = json!(state);
    let shown = json!({
        "topic": slate.topic,
        "goal": slate.goal,
        "tutor": slate.tutor,
        "lesson": slate.lesson,
        "question": question.map(|posed| json!({
            "node_id": posed.node_id,
            "is_for_help": slate.help.is_some(),
            "shown": posed.shown,
        })),
        "waiting": waiting.map(|posed| json!({"node_id": posed.node_id, "shown": posed.shown})),
        "last": slate.last.as_ref().map(|marked| json!({
            "node_id": marked.node_id,
            "quality": marked.grade.quality,
            "feedback": marked.grade.feedback,
            "may_object": slate.objectionable.is_some() && at.takes("objects"),
        })),
    });
    if let (Some(view), Value::Object(shown)) = (view.as_object_mut(), shown) {
        view.extend(shown);
    }
    view
}
