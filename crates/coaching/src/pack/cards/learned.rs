//! Converts cards to a learner's records, and back.

use super::{Card, CardRecord, Rating, Review, ReviewKind, Side, Stage};
use crate::learner::{ITEM_KIND, LearnerItem, Memory, Quality, Status, US_PER_DAY};
use crate::record::Record;

const S_PER_DAY: i64 = 86_400;
/// The ease that other programs give a card at first.
const USUAL_EASE_PERMILLE: u32 = 2_500;

/// Returns the learner's record of an item, as a card tells it. A card that was never answered tells nothing.
///
/// Etude's own model rates the history again. A memory state that came with the card replaces the result, and the
/// card keeps its due date.
pub fn learned_item(record: &CardRecord, memory: Memory, now_us: i64) -> Option<Record> {
    let card = &record.card;
    let answered = card.stage != Stage::New || !card.reviews.is_empty();
    if !answered {
        return None;
    }
    let mut item = LearnerItem::new(card.reviews.first().map_or(now_us, |review| review.at_us));
    let mut due_at_us = now_us;
    for review in &card.reviews {
        due_at_us = item.rate(memory, review.rating.quality(), review.at_us);
    }
    if card.reviews.is_empty() {
        let since_us = card.due_at_us.unwrap_or(now_us) - i64::from(card.interval_days) * US_PER_DAY;
        due_at_us = item.rate(memory, Quality::GOOD, since_us.min(now_us));
    }
    let recalled = card.reviews.iter().filter(|review| review.rating != Rating::Again).count();
    item.usage = u32::try_from(recalled).unwrap_or(u32::MAX).max(u32::from(item.status == Status::Learned));
    item.memory = card.memory.or(item.memory);
    Some(item.record(record.key.clone(), Some(card.due_at_us.unwrap_or(due_at_us))))
}

/// Returns the card of an item, with all of its ratings. Returns `None` if the record is not an item or was never
/// rated.
pub fn learned_card(record: &Record) -> Option<CardRecord> {
    let item: LearnerItem = serde_json::from_value(record.body.clone()?).ok()?;
    let reviewed_us = item.reviewed_us?;
    let due_at_us = record.due_at_us.unwrap_or(reviewed_us);
    let mut reviews: Vec<Review> = Vec::new();
    let next = item.ratings.iter().skip(1).map(|rated| rated.at_us).chain([due_at_us]);
    for (rated, next_us) in item.ratings.iter().zip(next) {
        reviews.push(Review {
            at_us: rated.at_us,
            rating: rating(rated.quality),
            interval_s: ((next_us - rated.at_us) / US_PER_DAY).max(1) * S_PER_DAY,
            kind: if reviews.is_empty() { ReviewKind::Learning } else { ReviewKind::Review },
            took_ms: 0,
        });
    }
    let lapses = reviews.iter().skip(1).filter(|review| review.rating == Rating::Again).count();
    let card = Card {
        stage: Stage::Review,
        due_at_us: Some(due_at_us),
        interval_days: u32::try_from((due_at_us - reviewed_us) / US_PER_DAY).unwrap_or(0).max(1),
        ease_permille: USUAL_EASE_PERMILLE,
        reviews_count: reviews.len() as u32,
        lapses: lapses as u32,
        memory: item.memory,
        reviews,
        ..Card::new(Side::Front)
    };
    Some(CardRecord { kind: ITEM_KIND, key: record.key.clone(), card })
}

fn rating(quality: Quality) -> Rating {
    match quality.get() {
        0..=2 => Rating::Again,
        3 => Rating::Hard,
        4 => Rating::Good,
        _ => Rating::Easy,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_history_survives_the_way_there_and_back() {
        let review = |day: i64, rating| Review {
            at_us: day * US_PER_DAY,
            rating,
            interval_s: S_PER_DAY,
            kind: ReviewKind::Review,
            took_ms: 900,
        };
        let reviews = vec![review(100, Rating::Good), review(102, Rating::Again), review(103, Rating::Easy)];
        let card = Card {
            stage: Stage::Review,
            due_at_us: Some(120 * US_PER_DAY),
            interval_days: 17,
            reviews_count: 3,
            reviews,
            ..Card::new(Side::Back)
        };
        let record = CardRecord { kind: ITEM_KIND, key: "p/i".into(), card };
        let known = learned_item(&record, Memory::Fsrs, 104 * US_PER_DAY).expect("an answered card");
        assert_eq!(known.due_at_us, Some(120 * US_PER_DAY), "the promised date stays");
        let back = learned_card(&known).expect("a rated item").card;
        let times = |card: &Card| card.reviews.iter().map(|r| (r.at_us, r.rating)).collect::<Vec<_>>();
        assert_eq!(times(&back), times(&record.card));
        assert_eq!((back.interval_days, back.lapses), (17, 1));
    }

    #[test]
    fn a_card_that_was_never_answered_tells_nothing() {
        let record = CardRecord { kind: ITEM_KIND, key: "p/i".into(), card: Card::new(Side::Front) };
        assert_eq!(learned_item(&record, Memory::Fsrs, 0), None);
    }
}
