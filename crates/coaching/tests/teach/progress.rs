//! Tests of when a concept is mastered.

use coaching::learner::Quality;
use coaching::map::MasteryStatus;
use coaching::teach::progress::{Progress, ResponseType};

fn after(recalls: &[(u8, bool)]) -> MasteryStatus {
    let mut progress = Progress { mastery_status: MasteryStatus::Reviewing, ..Progress::default() };
    for (quality, is_vouched) in recalls {
        progress.answered(ResponseType::Review, Quality::new(*quality).unwrap(), *is_vouched);
        progress.settle(1);
    }
    progress.mastery_status
}

#[test]
fn free_text_alone_masters_nothing() {
    let (read, vouched) = ((5, false), (5, true));
    assert_eq!(after(&[read, read, read, read, read]), MasteryStatus::Reviewing);
    for recalls in [[vouched, read, read], [read, vouched, read], [read, read, vouched]] {
        assert_eq!(after(&recalls), MasteryStatus::Mastered, "{recalls:?}");
    }
    assert_eq!(
        after(&[vouched, read, read, read]),
        MasteryStatus::Mastered,
        "it stays so until it is forgotten"
    );
    assert_eq!(after(&[vouched, vouched, (2, true), read, read, read]), MasteryStatus::Reviewing);
}

/// Older programs did not record whether a recall was vouched for.
#[test]
fn earlier_recalls_still_count() {
    let old: Progress = serde_json::from_value(serde_json::json!({
        "mastery_status": "reviewing", "mastery_score": 1.0, "qualities": [5, 5], "recalls": [5, 5],
    }))
    .unwrap();
    let mut old = old;
    old.answered(ResponseType::Review, Quality::EASY, false);
    old.settle(1);
    assert_eq!(old.mastery_status, MasteryStatus::Mastered);
}
