//! Tests of both models with one learner's weights and bounds. Their published numbers are in `drill/memory.rs`.

use crate::memory::population::TRUE_WEIGHTS;
use coaching::learner::{Memory, MemoryState, Model, Profile, Quality, RETENTION};
use proptest::prelude::*;

fn stability(state: MemoryState) -> f32 {
    match state {
        MemoryState::Fsrs { stability, .. } => stability,
        other => panic!("{other:?}"),
    }
}

#[test]
fn fitted_weights_replace_the_default_ones() {
    let first =
        |weights: Option<&[f32]>| Model::new(Memory::Fsrs, weights).review(None, Quality::GOOD, 0, 0.9).1;
    assert!((first(None) - 2.3065).abs() < 1e-4);
    assert!((first(Some(&TRUE_WEIGHTS)) - 1.1).abs() < 1e-4);
    let profile = Profile { weights: Some(TRUE_WEIGHTS.to_vec()), ..Profile::default() };
    assert_eq!(Model::of(&profile).review(None, Quality::GOOD, 0, 0.9).1, first(Some(&TRUE_WEIGHTS)));
    // Senseless weights are ignored.
    for broken in [&[][..], &[1.0; 3], &[f32::NAN; 21]] {
        assert_eq!(first(Some(broken)), first(None), "{broken:?}");
    }
}

#[test]
fn recall_is_what_the_interval_promises() {
    for (memory, weights) in
        [(Memory::Fsrs, None), (Memory::Fsrs, Some(&TRUE_WEIGHTS[..])), (Memory::Sm2, None)]
    {
        let model = Model::new(memory, weights);
        let (state, days) = model.review(None, Quality::GOOD, 0, 0.9);
        assert!((model.recall(state, days) - 0.9).abs() < 1e-4, "{memory:?}: {}", model.recall(state, days));
        assert!((model.recall(state, 0.0) - 1.0).abs() < 1e-6);
        assert!(model.recall(state, 2.0 * days) < 0.9);
    }
}

#[test]
fn retention_stays_in_bounds() {
    assert_eq!(RETENTION, 0.7..=0.97);
    let days = |retention: f64| Memory::Fsrs.review(None, Quality::GOOD, 0, retention).1;
    assert_eq!((days(0.1), days(1.0)), (days(0.7), days(0.97)));
}

#[test]
fn a_day_of_cramming_is_worth_no_more_than_an_easy_start() {
    for weights in [None, Some(&TRUE_WEIGHTS[..])] {
        let model = Model::new(Memory::Fsrs, weights);
        let easy = stability(model.review(None, Quality::EASY, 0, 0.9).0);
        let mut state = model.review(None, Quality::AGAIN, 0, 0.9).0;
        for _ in 0..100 {
            state = model.review(Some(state), Quality::EASY, 0, 0.9).0;
        }
        assert!(stability(state) <= easy + 1e-3, "{state:?}, easy from the start {easy}");
        // A stable memory stays as stable, however often it is repeated in a day.
        let old = MemoryState::Fsrs { stability: 200.0, difficulty: 5.0 };
        let again = model.review(Some(old), Quality::EASY, 0, 0.9).0;
        assert_eq!(stability(again), 200.0);
    }
}

proptest! {
    #[test]
    fn every_review_leaves_a_sensible_state(
        reviews in prop::collection::vec((0u8..=5, 0u32..40_000), 1..60),
        retention in 0.0f64..1.2,
        weights in prop::option::of(prop::collection::vec(-10.0f32..10.0, 21)),
    ) {
        for memory in [Memory::Fsrs, Memory::Sm2] {
            let model = Model::new(memory, weights.as_deref());
            let mut state = None;
            for (quality, elapsed_days) in &reviews {
                let quality = Quality::new(*quality).unwrap();
                let (next, days) = model.review(state, quality, *elapsed_days, retention);
                prop_assert!((0.0..=36_500.0).contains(&days), "{next:?} {days}");
                let recall = model.recall(next, f64::from(*elapsed_days));
                prop_assert!((0.0..=1.0 + 1e-6).contains(&recall), "{next:?} {recall}");
                state = Some(next);
            }
        }
    }
}
