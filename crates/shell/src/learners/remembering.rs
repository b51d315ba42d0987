//! Finds the memory model that predicts a learner best, judged by their own history.

use crate::engine::app::App;
use crate::engine::failure::Failure;
use crate::engine::flows::Flows;
use crate::engine::records;
use crate::learners::profiles;
use coaching::learner::{Calendar, Chooser, Chosen, Profile, ReviewLog, choose};
use store::{At, Store, StoreError};

/// The message for a learner who has chosen a model themselves.
const KEPT: &str = "what the learner has chosen stays";

/// Returns everything that the learner has recalled, in any flow.
pub async fn own_log(
    store: &Store,
    flows: &Flows,
    learner: &str,
    calendar: &Calendar,
) -> Result<ReviewLog, StoreError> {
    let mut reviews = Vec::new();
    for recalls in flows.entries().filter_map(|entry| entry.needs().recalls) {
        let read = |record| (recalls.read)(&records::known(record));
        let found = records::every(store, learner, (recalls.kind, ""), read).await?;
        reviews.extend(found.into_iter().map(|(name, rated)| (name, rated.at_us, rated.quality)));
    }
    Ok(ReviewLog::new(reviews, calendar))
}

/// Gives a learner the model that predicts their past best, once there is enough of it. Keeps a model that the
/// learner has chosen. Does nothing if nothing was rated after `since`: the same log would give the same answer.
pub async fn refit(app: &App, learner: &str, since: Option<At>) -> Result<String, Failure> {
    let profile = profiles::read(&app.store, learner).await?;
    if profile.memory_chosen_by == Chooser::Learner {
        return Ok(KEPT.to_owned());
    }
    let log = own_log(&app.store, &app.flows, learner, &Calendar::of(&profile)).await?;
    let newest_us = log.cards().iter().filter_map(|card| card.last()).map(|review| review.at_us).max();
    if newest_us.zip(since).is_some_and(|(newest_us, since)| newest_us < since.0) {
        return Ok("nothing was rated since".to_owned());
    }
    let Chosen { evaluation, memory, weights } = chosen(learner, log).await?;
    if !evaluation.is_enough() {
        return Ok("too little was rated yet".to_owned());
    }
    let keep = |profile: &mut Profile| {
        // The learner may have chosen a model while this one was computed.
        if profile.memory_chosen_by == Chooser::Fit {
            (profile.memory, profile.weights) = (memory, weights.clone());
        }
        Ok(())
    };
    let kept = profiles::change(&app.store, learner, app.clock.now(), keep).await?;
    let doubt = if evaluation.knows_something() { "" } else { ", though no better than the mean" };
    Ok(match kept.memory_chosen_by {
        Chooser::Learner => KEPT.to_owned(),
        Chooser::Fit => format!("{} predicts best{doubt}", evaluation.chosen.as_str()),
    })
}

/// Compares the models on a separate thread. That takes seconds, and not even the end of the program waits for it.
async fn chosen(learner: &str, log: ReviewLog) -> Result<Chosen, Failure> {
    let (done, chosen) = tokio::sync::oneshot::channel();
    std::thread::spawn(move || done.send(choose(&log)).is_ok());
    chosen.await.map_err(|error| Failure::Broken {
        id: learner.to_owned(),
        reason: format!("fitting did not end: {error}"),
    })
}
