//! Tests of the credit that a good answer gives to the concepts below.

use coaching::learner::{
    Calendar, MAX_DISTANCE, Memory, MemoryState, Model, Profile, Quality, Remembered, after_days_us, credit,
};
use proptest::prelude::*;

const DAY_US: i64 = 86_400_000_000;

fn known(stability: f32) -> Remembered {
    let state = MemoryState::Fsrs { stability, difficulty: 5.0 };
    Remembered { state, reviewed_us: 0, due_us: after_days_us(0, f64::from(stability)) }
}

fn stability(known: Remembered) -> f32 {
    match known.state {
        MemoryState::Fsrs { stability, .. } => stability,
        other => panic!("{other:?}"),
    }
}

#[test]
fn nearer_concepts_get_more_credit_but_less_than_a_review() {
    let profile = Profile::default();
    let after =
        |distance| credit(&profile, known(10.0), Quality::GOOD, distance, 9 * DAY_US, &|_| 0).unwrap();
    let whole = Model::of(&profile).review(Some(known(10.0).state), Quality::GOOD, 9, 0.9).0;
    let whole = match whole {
        MemoryState::Fsrs { stability, .. } => stability,
        other => panic!("{other:?}"),
    };
    assert!((stability(after(1)) - (10.0 + whole) / 2.0).abs() < 1e-3);
    assert_eq!(after(1).reviewed_us, 9 * DAY_US / 2);
    for distance in 1..MAX_DISTANCE {
        assert!(stability(after(distance)) > stability(after(distance + 1)));
        assert!(after(distance).due_us > after(distance + 1).due_us);
    }
    assert!(after(MAX_DISTANCE).due_us > known(10.0).due_us);
    // As after a review, the concept comes back when a day begins.
    let calendar = Calendar::of(&profile);
    for distance in 1..=MAX_DISTANCE {
        let due_us = after(distance).due_us;
        assert_eq!(calendar.day(due_us).and_then(|day| calendar.start_us(day)), Some(due_us), "{distance}");
    }
}

#[test]
fn there_is_no_credit_without_a_reason() {
    let on = Profile::default();
    let off = Profile { gives_implicit_credit: false, ..Profile::default() };
    let poor = Quality::new(2).unwrap();
    for (profile, quality, distance, now_us) in [
        (&off, Quality::EASY, 1, DAY_US),
        (&on, poor, 1, DAY_US),
        (&on, Quality::EASY, 0, DAY_US),
        (&on, Quality::EASY, MAX_DISTANCE + 1, DAY_US),
        (&on, Quality::EASY, 1, 0),
        (&on, Quality::EASY, 1, -DAY_US),
    ] {
        assert_eq!(
            credit(profile, known(10.0), quality, distance, now_us, &|_| 0),
            None,
            "{quality:?} {distance} {now_us}"
        );
    }
}

#[test]
fn a_day_of_answers_comes_to_about_one_review() {
    for state in [known(10.0).state, MemoryState::Sm2 { ease: 2.5, repetitions: 3, interval_days: 10.0 }] {
        let mut known = Remembered { state, reviewed_us: 0, due_us: 10 * DAY_US };
        for answer in 0..100 {
            known = credit(&Profile::default(), known, Quality::EASY, 1, 10 * DAY_US + answer, &|_| 0)
                .unwrap_or(known);
        }
        let whole = Model::new(
            if matches!(state, MemoryState::Fsrs { .. }) { Memory::Fsrs } else { Memory::Sm2 },
            None,
        );
        let (_, days) = whole.review(Some(state), Quality::GOOD, 10, 0.9);
        let gained = (known.due_us - 10 * DAY_US) as f64 / DAY_US as f64;
        assert!(gained > 0.5 * days && gained < 1.5 * days, "{gained} days, a review gives {days}");
    }
}

proptest! {
    #[test]
    fn credit_never_brings_a_review_forward(
        stability in 0.001f32..40_000.0,
        difficulty in 1.0f32..10.0,
        interval_days in 0.0f64..36_500.0,
        ease in 1.0f64..4.0,
        due_us in any::<i64>(),
        reviewed_us in any::<i64>(),
        now_us in any::<i64>(),
        distance in 0u32..6,
    ) {
        let fsrs = MemoryState::Fsrs { stability, difficulty };
        let sm2 = MemoryState::Sm2 { ease, repetitions: 2, interval_days };
        for state in [fsrs, sm2] {
            let known = Remembered { state, reviewed_us, due_us };
            if let Some(after) = credit(&Profile::default(), known, Quality::GOOD, distance, now_us, &|_| 0) {
                prop_assert!(after.due_us >= due_us && after.reviewed_us >= reviewed_us && after.reviewed_us <= now_us);
            }
        }
    }
}
