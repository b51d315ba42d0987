//! Exchanges flash cards with Anki, spreadsheets and other flash card programs.
//!
//! [`Cards`] is the common form. [`csv`](super::csv) reads and writes it as text, the crate `anki` as packages.
//! This module makes drill packs from it ([`cards_to_packs`]) and makes it from a pack ([`pack_to_cards`]), with
//! the learner's history.

mod cloze;
mod from_pack;
mod html;
mod id;
mod learned;
mod scenes;
mod to_pack;

use serde::{Deserialize, Serialize};

use crate::learner::{MemoryState, Quality};

pub use cloze::Cloze;
pub use from_pack::{EXPORTED_TEXT_SIDE, is_exported, pack_to_cards};
pub use html::{Plain, plain_text, to_html};
pub(crate) use id::fnv1a;
pub use id::item_id;
pub use learned::{learned_card, learned_item};
pub use to_pack::{CardRecord, NewPack, PackFile, Packed, Skipped, cards_to_packs};

/// The greatest number of notes in a file. Files with more are refused.
pub const MAX_NOTES: usize = 100_000;
/// The greatest length of a side of a note, in bytes of plain text.
pub const MAX_FIELD_BYTES: usize = 10_000;
/// The deck of a note without one.
pub const DEFAULT_DECK: &str = "Default";

/// The notes in the order of their file, and the counts of everything that was left out.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Cards {
    pub notes: Vec<Note>,
    pub left_out: LeftOut,
}

/// Two sides of plain text that belong together.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Note {
    /// An id that stays the same when the note is changed or exported again. Empty if the file has none.
    pub guid: String,
    /// The path of the deck, its parts separated by `::`.
    pub deck: String,
    pub front: String,
    pub back: String,
    pub tags: Vec<String>,
    /// At most two cards, in the order of their sides; empty if nothing is scheduled.
    pub cards: Vec<Card>,
}

/// One direction in which a note is asked, and the learner's progress with it.
#[derive(Debug, Clone, PartialEq)]
pub struct Card {
    pub asks: Side,
    pub stage: Stage,
    pub hold: Option<Hold>,
    /// The time of the next question, or `None` if the card was never asked.
    pub due_at_us: Option<i64>,
    pub interval_days: u32,
    /// The factor, in thousandths, by which an interval grows after a good answer; 0 before the first.
    pub ease_permille: u32,
    pub reviews_count: u32,
    pub lapses: u32,
    pub memory: Option<MemoryState>,
    /// The reviews, oldest first. There may be fewer than `reviews_count` if the file has only a part.
    pub reviews: Vec<Review>,
}

/// One of the two sides of a note.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Side {
    Front,
    Back,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Stage {
    New,
    Learning,
    Review,
    Relearning,
}

/// The reason why a card is not asked although it may be due.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Hold {
    /// Held until the learner resumes it.
    Suspended,
    /// Held until tomorrow.
    Buried,
}

/// An answer of the learner.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Review {
    pub at_us: i64,
    pub rating: Rating,
    /// The interval that the answer led to.
    pub interval_s: i64,
    pub kind: ReviewKind,
    pub took_ms: u32,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Rating {
    Again,
    Hard,
    Good,
    Easy,
}

/// The stage of the card when it was answered.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ReviewKind {
    Learning,
    Review,
    Relearning,
    /// A review ahead of time, because the learner wanted to.
    Extra,
}

/// The counts of things in a file that do not fit plain two-sided notes.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize)]
pub struct LeftOut {
    pub sounds: usize,
    pub images: usize,
    /// Sound and picture files in the package.
    pub media_files: usize,
    /// Notes with nothing but sounds and pictures on their front.
    pub notes_without_text: usize,
    /// Notes with a side longer than [`MAX_FIELD_BYTES`].
    pub notes_too_long: usize,
    /// Third and further cards of a note, and all but one of a note with gaps.
    pub cards: usize,
    /// Entries of the history that were not answers: intervals set by hand.
    pub changes_by_hand: usize,
}

impl Card {
    /// Creates a card that was never asked.
    pub fn new(asks: Side) -> Card {
        Card {
            asks,
            stage: Stage::New,
            hold: None,
            due_at_us: None,
            interval_days: 0,
            ease_permille: 0,
            reviews_count: 0,
            lapses: 0,
            memory: None,
            reviews: Vec::new(),
        }
    }
}

impl Note {
    /// Returns the card with the most answers, which says most about the learner's knowledge. The first wins a
    /// tie.
    pub fn most_reviewed(&self) -> Option<&Card> {
        self.cards.iter().rev().max_by_key(|card| card.reviews_count.max(card.reviews.len() as u32))
    }

    /// Returns the identity of this note, which the next export keeps: its guid, or else a hash of its text.
    pub fn identity(&self) -> String {
        if self.guid.is_empty() { id::of_text(&[&self.front, &self.back]) } else { self.guid.clone() }
    }

    pub fn side(&self, side: Side) -> &str {
        match side {
            Side::Front => &self.front,
            Side::Back => &self.back,
        }
    }
}

impl Side {
    pub fn other(self) -> Side {
        match self {
            Side::Front => Side::Back,
            Side::Back => Side::Front,
        }
    }
}

impl Rating {
    /// Returns the rating of the pressed button. Buttons are counted from 1, as in Anki.
    pub fn from_button(button: i64) -> Option<Rating> {
        match button {
            1 => Some(Rating::Again),
            2 => Some(Rating::Hard),
            3 => Some(Rating::Good),
            4 => Some(Rating::Easy),
            _ => None,
        }
    }

    pub fn button(self) -> i64 {
        match self {
            Rating::Again => 1,
            Rating::Hard => 2,
            Rating::Good => 3,
            Rating::Easy => 4,
        }
    }

    pub fn quality(self) -> Quality {
        match self {
            Rating::Again => Quality::AGAIN,
            Rating::Hard => Quality::HARD,
            Rating::Good => Quality::GOOD,
            Rating::Easy => Quality::EASY,
        }
    }
}
