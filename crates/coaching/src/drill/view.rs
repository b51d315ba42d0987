//! What the learner sees of a session.

use super::coach::UNAIDED_FROM;
use super::data::{Data, Finished};
use super::required_usages;
use super::shelf::Shelf;
use crate::learner::Status;
use crate::turn::At;
use serde_json::{Map, Value, json};

pub(super) fn view(shelf: &Shelf, data: &Data, at: &At<'_>) -> Value {
    let is_over = at.machine.is_final(at.instance.state);
    json!({
        "pack": {
            "id": shelf.pack.id,
            "title": shelf.pack.title,
            "language": shelf.pack.language,
            "explained_in": shelf.pack.explained_in,
        },
        "target": target(shelf, data, at),
        "progress": progress(at),
        "queue": data.queue.len(),
        "pool": data.pool.len(),
        "feedback": data.feedback,
        "last_said": data.last_cue,
        "summary": is_over.then(|| summary(shelf, data)),
    })
}

fn target(shelf: &Shelf, data: &Data, at: &At<'_>) -> Value {
    let found = data.target.as_ref().and_then(|word| shelf.item(&word.id).map(|item| (word, item)));
    found.map_or(Value::Null, |(word, item)| {
        json!({
            "id": item.id,
            "text": item.text,
            "meaning": item.meaning,
            "is_review": word.due_at_us.is_some(),
            // From here on the learner should recall the word; a screen had better hide it.
            "is_unaided": at.counter("usage") >= UNAIDED_FROM,
        })
    })
}

/// Every counter of the law, and how many uses it asks for.
fn progress(at: &At<'_>) -> Value {
    let counters = at.machine.counter_names().map(|name| (name.to_owned(), json!(at.counter(name))));
    let required = ("required".to_owned(), json!(required_usages(at)));
    Value::Object(counters.chain([required]).collect::<Map<_, _>>())
}

fn summary(shelf: &Shelf, data: &Data) -> Value {
    let of = |status: Status| -> Vec<Value> {
        data.finished.iter().filter(|word| word.status == status).map(|word| finished(shelf, word)).collect()
    };
    json!({
        "learned": of(Status::Learned),
        "parked": of(Status::Parked),
        "waiting": data.queue.len(),
        "next_review_us": data.finished.iter().map(|word| word.due_at_us).min(),
    })
}

fn finished(shelf: &Shelf, word: &Finished) -> Value {
    let text = shelf.item(&word.id).map(|item| item.text.as_str());
    json!({"id": word.id, "text": text, "due_at_us": word.due_at_us})
}
