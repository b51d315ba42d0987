//! Which memory model predicts a learner best, judged by what they have done here.

use crate::app::App;
use crate::failure::Failure;
use crate::{notices, profiles};
use coaching::learner::{
    Calendar, Chosen, ITEM_KIND, LearnerItem, MIN_TESTED, Memory, Quality, ReviewLog, choose,
};
use coaching::teach::RESPONSE_KIND;
use serde_json::{Map, Value, json};
use store::{Store, StoreError};

/// The most records of one kind that are looked through.
const MAX_RECORDS: usize = 10_000;

/// What the learner has done in drills and lessons.
pub async fn own_log(store: &Store, learner: &str, calendar: &Calendar) -> Result<ReviewLog, StoreError> {
    let mut reviews = Vec::new();
    for record in store.records(learner, ITEM_KIND, MAX_RECORDS).await? {
        let Ok(item) = serde_json::from_str::<LearnerItem>(&record.body) else { continue };
        reviews.extend(item.ratings.iter().map(|rated| (record.key.clone(), rated.at_us, rated.quality)));
    }
    for record in store.records(learner, RESPONSE_KIND, MAX_RECORDS).await? {
        let Some(node) = record.standing.clone() else { continue };
        let body: Value = serde_json::from_str(&record.body).unwrap_or_default();
        reviews.extend(response(&body).map(|(at_us, quality)| (node, at_us, quality)));
    }
    Ok(ReviewLog::new(reviews, calendar))
}

/// What a diagnosis asked was never taught, so it says nothing about memory.
fn response(body: &Value) -> Option<(i64, Quality)> {
    if body["response_type"] == "diagnostic" {
        return None;
    }
    let at: jiff::Timestamp = body["responded_at"].as_str()?.parse().ok()?;
    let quality = u8::try_from(body["quality"].as_u64()?).ok()?;
    Some((at.as_microsecond(), Quality::new(quality)?))
}

/// Gives a learner the model that predicts their own past best, once there is enough of it. Who has chosen SM-2 keeps
/// it.
pub async fn refit(app: &App, learner: &str) -> Result<String, Failure> {
    let profile = notices::profile(app, learner).await?;
    if profile.memory == Memory::Sm2 {
        return Ok("SM-2 was chosen and stays".to_owned());
    }
    let log = own_log(&app.store, learner, &Calendar::of(&profile)).await?;
    let broken = |error: tokio::task::JoinError| Failure::Broken {
        id: learner.to_owned(),
        reason: format!("fitting did not end: {error}"),
    };
    // Many reviews take seconds, which nobody else is to wait for.
    let chosen = tokio::task::spawn_blocking(move || choose(&log)).await.map_err(broken)?;
    if !is_enough(&chosen) {
        return Ok("too little was rated yet".to_owned());
    }
    let changes = json!({"memory": chosen.memory, "weights": chosen.weights});
    let changes: Map<String, Value> = changes.as_object().cloned().unwrap_or_default();
    profiles::change(app, learner, &changes).await?;
    Ok(format!("{} predicts best", json!(chosen.evaluation.chosen).as_str().unwrap_or("it")))
}

fn is_enough(chosen: &Chosen) -> bool {
    let scores = chosen.evaluation.models.get(&chosen.evaluation.chosen);
    scores.is_some_and(|scores| scores.n >= MIN_TESTED)
}
