//! Defines the limits of a curriculum.

use std::ops::RangeInclusive;

pub(super) const CONCEPTS: RangeInclusive<usize> = 1..=1_000;
pub(super) const NAMES: RangeInclusive<usize> = 0..=20;
pub(super) const NEEDS: RangeInclusive<usize> = 0..=20;
pub(super) const MINUTES: RangeInclusive<u64> = 1..=240;
pub(super) const QUESTIONS: RangeInclusive<usize> = 1..=20;
pub(super) const IDEAS: RangeInclusive<usize> = 1..=5;
pub(super) const WORDINGS: RangeInclusive<usize> = 1..=60;
pub(super) const MISCONCEPTIONS: RangeInclusive<usize> = 0..=5;
pub(super) const OPTIONS: RangeInclusive<usize> = 2..=6;
pub(super) const BLANKS: RangeInclusive<usize> = 1..=6;
pub(super) const TESTS: RangeInclusive<usize> = 2..=50;
pub(super) const STEPS: RangeInclusive<usize> = 3..=8;

/// The least number of questions, and of their forms, that make a concept worth coming back to.
pub(super) const GOOD_QUESTIONS: usize = 4;
pub(super) const GOOD_FORMS: usize = 3;

/// The longest title, other name or wording.
pub(super) const LINE_CHARS: usize = 160;
/// The longest question, step, option, answer, reply to a mistake or second explanation.
pub(super) const PROSE_CHARS: usize = 1_500;
/// The longest explanation or example.
pub(super) const PAGE_CHARS: usize = 6_000;
