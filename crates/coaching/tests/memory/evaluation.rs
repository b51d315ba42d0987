//! Tests of which model is chosen for which log.

use crate::memory::population::{TRUE_WEIGHTS, population};
use coaching::learner::{
    Calendar, Candidate, Chosen, Evaluation, MIN_TESTED, Memory, Model, Profile, Quality, ReviewLog, choose,
    evaluate, score_tested,
};

const DAY_US: i64 = 86_400_000_000;

fn loss(evaluation: &Evaluation, candidate: Candidate) -> f64 {
    evaluation.models[&candidate].log_loss.unwrap()
}

#[test]
fn the_model_of_an_uncommon_learner_is_found() {
    let log = population(12_000, 7);
    let Chosen { evaluation, memory, weights } = choose(&log);
    let oracle = score_tested(&log, &Model::new(Memory::Fsrs, Some(&TRUE_WEIGHTS)));
    let fitted = loss(&evaluation, Candidate::FsrsFitted);
    assert_eq!((evaluation.chosen, memory), (Candidate::FsrsFitted, Memory::Fsrs), "{evaluation:?}");
    assert!(fitted < loss(&evaluation, Candidate::FsrsDefault) - 0.005, "{evaluation:?}");
    assert!(fitted < loss(&evaluation, Candidate::Baseline), "{evaluation:?}");
    assert!(fitted < oracle.log_loss.unwrap() + 0.01, "{evaluation:?} {oracle:?}");
    // The stored weights come from the whole log and predict it just as well.
    let kept = score_tested(&log, &Model::new(Memory::Fsrs, weights.as_deref()));
    assert!(kept.log_loss.unwrap() < fitted + 0.005, "{kept:?}");
}

#[test]
fn the_same_log_always_gives_the_same_answer() {
    let log = population(2_000, 3);
    assert_eq!(choose(&log), choose(&log));
}

#[test]
fn every_model_predicts_the_same_reviews_and_no_first_ones() {
    let log = population(2_000, 5);
    let evaluation = evaluate(&log);
    let later = log.cards().iter().flat_map(|reviews| reviews.iter().skip(1));
    let predictable = later.filter(|reviewed| reviewed.elapsed_days > 0).count();
    for (candidate, scores) in &evaluation.models {
        assert!(
            scores.n >= predictable / 2 && scores.n <= predictable * 6 / 10,
            "{candidate:?}: {scores:?} of {predictable}"
        );
        assert_eq!(scores.n, evaluation.models[&Candidate::Baseline].n);
    }
}

/// A log of cards that are all reviewed on these days with these qualities.
fn log(cards: usize, days: &[i64], quality: impl Fn(usize, usize) -> Quality) -> ReviewLog {
    let rows = (0..cards).flat_map(|card| {
        days.iter()
            .enumerate()
            .map(move |(at, day)| (card, at, 20_000 + card as i64 % 40 + day))
            .collect::<Vec<_>>()
    });
    let rows = rows.map(|(card, at, day)| (format!("c{card}"), day * DAY_US + DAY_US / 2, quality(card, at)));
    ReviewLog::new(rows, &Calendar::of(&Profile::default()))
}

#[test]
fn a_short_log_keeps_the_default_weights() {
    let few = log(MIN_TESTED / 2, &[0, 1, 7], |_, at| if at == 1 { Quality::AGAIN } else { Quality::GOOD });
    let Chosen { evaluation, memory, weights } = choose(&few);
    assert_eq!((evaluation.chosen, memory, weights), (Candidate::FsrsDefault, Memory::Fsrs, None));
    assert!(evaluation.models.values().all(|scores| scores.n > 0 && scores.n < MIN_TESTED), "{evaluation:?}");
}

#[test]
fn strange_logs_are_no_trouble() {
    let all_recalled = evaluate(&log(200, &[0, 2, 9], |_, _| Quality::GOOD));
    assert!(all_recalled.models.values().all(|scores| scores.auc.is_none() && scores.log_loss.is_some()));
    let all_forgotten = evaluate(&log(200, &[0, 2, 9], |_, _| Quality::AGAIN));
    assert!(all_forgotten.models.values().all(|scores| scores.auc.is_none()));
    for days in [&[][..], &[0], &[0, 0, 0]] {
        let nothing = evaluate(&log(100, days, |_, _| Quality::GOOD));
        assert_eq!(nothing.chosen, Candidate::FsrsDefault);
        assert!(
            nothing.models.values().all(|scores| scores.n == 0 && scores.log_loss.is_none()),
            "{nothing:?}"
        );
    }
    // Centuries between the reviews.
    let late = evaluate(&log(200, &[0, 36_500, 100_000], |card, _| {
        if card % 2 == 0 { Quality::AGAIN } else { Quality::EASY }
    }));
    assert!(late.models.values().all(|scores| scores.log_loss.is_some_and(f64::is_finite)), "{late:?}");
    // One card whose history is longer than the part that is used.
    let days: Vec<i64> = (0..2_000).collect();
    let long = evaluate(&log(1, &days, |_, at| if at % 9 == 0 { Quality::AGAIN } else { Quality::GOOD }));
    assert_eq!(long.models[&Candidate::Sm2].n, 1_000);
}

#[test]
fn json_keeps_its_published_names() {
    let json = serde_json::to_value(evaluate(&log(60, &[0, 1, 3, 8], |card, at| {
        if (card + at) % 5 == 0 { Quality::AGAIN } else { Quality::GOOD }
    })))
    .unwrap();
    let keys = |value: &serde_json::Value| value.as_object().unwrap().keys().cloned().collect::<Vec<_>>();
    assert_eq!(keys(&json), ["models", "chosen"]);
    assert_eq!(keys(&json["models"]), ["sm2", "fsrs_default", "fsrs_fitted", "baseline"]);
    assert_eq!(keys(&json["models"]["sm2"]), ["log_loss", "rmse_bins", "auc", "n"]);
    assert!(json["models"].get(json["chosen"].as_str().unwrap()).is_some());
}
