//! Tests of both memory models against published numbers.

use coaching::learner::{DESIRED_RETENTION, Memory, MemoryState, Quality, after_days_us, days_between};

fn quality(quality: u8) -> Quality {
    Quality::new(quality).unwrap()
}

/// Reviews a card once per quality, each time on the day it is due. Returns the ease, the repetitions and the
/// intervals.
fn sm2(qualities: &[u8]) -> (f64, u32, Vec<f64>) {
    let mut state = None;
    let mut intervals = Vec::new();
    for q in qualities {
        let (next, days) = Memory::Sm2.review(state, quality(*q), 0, DESIRED_RETENTION);
        state = Some(next);
        intervals.push(days);
    }
    match state {
        Some(MemoryState::Sm2 { ease, repetitions, .. }) => (ease, repetitions, intervals),
        other => panic!("SM-2 left {other:?}"),
    }
}

fn near(a: f64, b: f64) -> bool {
    (a - b).abs() < 1e-9
}

#[test]
fn sm2_keeps_its_intervals() {
    let check = |qualities: &[u8], ease: f64, repetitions: u32, days: &[f64]| {
        let (actual_ease, actual_repetitions, actual_days) = sm2(qualities);
        assert!(near(actual_ease, ease), "{qualities:?}: ease {actual_ease}");
        assert_eq!(actual_repetitions, repetitions, "{qualities:?}");
        assert_eq!(actual_days.len(), days.len());
        assert!(actual_days.iter().zip(days).all(|(a, b)| near(*a, *b)), "{qualities:?}: {actual_days:?}");
    };
    check(&[5], 2.6, 1, &[1.0]);
    check(&[4], 2.5, 1, &[1.0]);
    check(&[3], 2.36, 1, &[1.0]);
    check(&[4, 4, 4, 4, 4], 2.5, 5, &[1.0, 6.0, 15.0, 37.5, 93.75]);
    check(&[4, 4, 5], 2.6, 3, &[1.0, 6.0, 15.6]);
    check(&[4, 4, 4, 4, 4, 2], 2.18, 0, &[1.0, 6.0, 15.0, 37.5, 93.75, 1.0]);
    check(&[0, 0, 0, 0], 1.3, 0, &[1.0, 1.0, 1.0, 1.0]);
    check(&[2, 4, 4], 2.18, 2, &[1.0, 1.0, 6.0]);
}

#[test]
fn fsrs_ends_where_its_authors_say() {
    let reviews = [(1, 0), (4, 0), (4, 1), (4, 3), (4, 8), (4, 21)];
    let mut state = None;
    for (q, elapsed_days) in reviews {
        state = Some(Memory::Fsrs.review(state, quality(q), elapsed_days, DESIRED_RETENTION).0);
    }
    let Some(MemoryState::Fsrs { stability, difficulty }) = state else { panic!("{state:?}") };
    assert!((stability - 53.62691).abs() < 1e-4, "{stability}");
    assert!((difficulty - 6.3574867).abs() < 1e-4, "{difficulty}");
}

/// The first interval of each answer is the initial stability of the default weights.
#[test]
fn fsrs_reads_six_qualities_as_four_answers() {
    for (q, days) in [(0, 0.212), (1, 0.212), (2, 0.212), (3, 1.2931), (4, 2.3065), (5, 8.2956)] {
        let (_, actual) = Memory::Fsrs.review(None, quality(q), 0, 0.9);
        assert!((actual - days).abs() < 1e-4, "quality {q}: {actual}");
    }
}

#[test]
fn a_higher_retention_asks_sooner_and_no_interval_is_endless() {
    let days = |retention: f64| Memory::Fsrs.review(None, Quality::GOOD, 0, retention).1;
    assert!(days(0.95) < days(0.9) && days(0.9) < days(0.8));
    assert_eq!(days(0.0), days(0.7));
    let stable = MemoryState::Fsrs { stability: 36_500.0, difficulty: 1.0 };
    assert_eq!(Memory::Fsrs.review(Some(stable), Quality::EASY, 36_500, 0.7).1, 36_500.0);
    let eased = MemoryState::Sm2 { ease: 9.0, repetitions: 9, interval_days: 30_000.0 };
    assert_eq!(Memory::Sm2.review(Some(eased), Quality::EASY, 0, 0.9).1, 36_500.0);
}

#[test]
fn a_learner_may_change_models_without_starting_over() {
    let old = MemoryState::Sm2 { ease: 2.5, repetitions: 4, interval_days: 37.5 };
    let (state, days) = Memory::Fsrs.review(Some(old), Quality::GOOD, 37, 0.9);
    assert!(matches!(state, MemoryState::Fsrs { .. }) && days > 37.5, "{state:?} {days}");
    let (state, days) = Memory::Sm2.review(Some(state), Quality::GOOD, days as u32, 0.9);
    assert!(matches!(state, MemoryState::Sm2 { .. }) && days > 37.5, "{state:?} {days}");
}

#[test]
fn a_senseless_state_counts_as_none() {
    let broken = MemoryState::Fsrs { stability: f32::NAN, difficulty: f32::NAN };
    let review = |state| Memory::Fsrs.review(state, Quality::GOOD, 3, 0.9);
    assert_eq!(review(Some(broken)), review(None));
}

#[test]
fn days_are_whole_and_never_negative() {
    const DAY_US: i64 = 86_400_000_000;
    for (from_us, to_us, days) in [
        (0, DAY_US, 1),
        (0, DAY_US - 1, 0),
        (5, 0, 0),
        (0, i64::MAX, 106_751_991),
        (i64::MIN, i64::MAX, 106_751_991),
    ] {
        assert_eq!(days_between(from_us, to_us), days, "{from_us} to {to_us}");
    }
    assert_eq!(after_days_us(0, 1.5), DAY_US * 3 / 2);
    assert_eq!(after_days_us(i64::MAX, 1.0), i64::MAX);
}

#[test]
fn a_quality_is_zero_to_five() {
    assert_eq!(Quality::new(6), None);
    assert!(serde_json::from_str::<Quality>("6").is_err());
    assert_eq!(serde_json::from_str::<Quality>("5").unwrap(), Quality::EASY);
}
