//! An invented learner whose true memory is known: recall follows FSRS with weights far from the average. The log
//! does not reveal them.

use coaching::learner::{Calendar, Memory, MemoryState, Model, Profile, Quality, ReviewLog};

/// The weights of a learner who forgets fast at first, profits little from reviews, has a steep curve, and finds
/// few things easy.
pub const TRUE_WEIGHTS: [f32; 21] = [
    0.08, 0.45, 1.1, 4.0, 6.9, 0.6, 2.2, 0.05, 1.35, 0.25, 0.55, 1.1, 0.1, 0.2, 1.2, 0.45, 2.4, 0.4, 0.15,
    0.12, 0.45,
];

const DAY_US: i64 = 86_400_000_000;
/// 2024-01-01 09:00 UTC.
const BEGIN_US: i64 = 1_704_099_600_000_000;
const NEW_PER_DAY: usize = 12;

/// Pseudorandom numbers that are the same on every run (SplitMix64).
#[derive(Debug, Clone)]
pub struct Chance(pub u64);

impl Chance {
    pub fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mixed = (self.0 ^ (self.0 >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        let mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        mixed ^ (mixed >> 31)
    }

    /// The next number from 0 up to, but not including, 1.
    pub fn part(&mut self) -> f64 {
        (self.next() >> 11) as f64 / (1u64 << 53) as f64
    }

    fn of(&mut self, chances: &[(f64, Quality)]) -> Quality {
        let mut part = self.part();
        for (chance, quality) in chances {
            if part < *chance {
                return *quality;
            }
            part -= chance;
        }
        Quality::GOOD
    }
}

struct Card {
    name: String,
    truth: Option<MemoryState>,
    scheduled: Option<MemoryState>,
    reviewed_day: i64,
    due_day: i64,
}

/// A log of about this many reviews of one learner: new cards every day, reviews when an average FSRS asks for them
/// but often late, some weeks without any, and forgotten cards again on the same evening.
pub fn population(reviews: usize, seed: u64) -> ReviewLog {
    let (truth, scheduler) = (Model::new(Memory::Fsrs, Some(&TRUE_WEIGHTS)), Model::new(Memory::Fsrs, None));
    let mut chance = Chance(seed);
    let mut cards: Vec<Card> = Vec::new();
    let mut rows: Vec<(String, i64, Quality)> = Vec::with_capacity(reviews);
    let mut day = 0;
    while rows.len() < reviews {
        day += if chance.part() < 0.01 { 10 } else { 1 };
        for _ in 0..NEW_PER_DAY {
            let name = format!("card-{}", cards.len());
            cards.push(Card { name, truth: None, scheduled: None, reviewed_day: day, due_day: day });
        }
        for card in cards.iter_mut().filter(|card| card.due_day <= day) {
            if card.truth.is_some() && chance.part() < 0.25 {
                continue;
            }
            review(card, day, &truth, &scheduler, &mut chance, &mut rows);
        }
    }
    rows.truncate(reviews);
    ReviewLog::new(rows, &Calendar::of(&Profile::default()))
}

fn review(
    card: &mut Card,
    day: i64,
    truth: &Model,
    scheduler: &Model,
    chance: &mut Chance,
    rows: &mut Vec<(String, i64, Quality)>,
) {
    let mut at_us = BEGIN_US + day * DAY_US + (chance.part() * 3_600e6) as i64;
    loop {
        let elapsed_days = u32::try_from(day - card.reviewed_day).unwrap_or(0);
        let recalled = card.truth.map(|state| chance.part() < truth.recall(state, f64::from(elapsed_days)));
        let quality = match recalled {
            None => chance.of(&[
                (0.3, Quality::AGAIN),
                (0.15, Quality::HARD),
                (0.45, Quality::GOOD),
                (0.1, Quality::EASY),
            ]),
            Some(false) => Quality::AGAIN,
            Some(true) => chance.of(&[(0.15, Quality::HARD), (0.75, Quality::GOOD), (0.1, Quality::EASY)]),
        };
        rows.push((card.name.clone(), at_us, quality));
        card.truth = Some(truth.review(card.truth, quality, elapsed_days, 0.9).0);
        let (scheduled, days) = scheduler.review(card.scheduled, quality, elapsed_days, 0.9);
        card.scheduled = Some(scheduled);
        card.reviewed_day = day;
        card.due_day = day + (days.round() as i64).max(1);
        if quality.is_recalled() {
            return;
        }
        // A forgotten card is asked again ten minutes later until it is recalled.
        at_us += 600_000_000;
        if at_us > BEGIN_US + day * DAY_US + DAY_US / 3 {
            return;
        }
    }
}
