//! Defines the limits of a pack.

use std::ops::RangeInclusive;

pub(super) const ITEMS: RangeInclusive<usize> = 1..=2_000;
pub(super) const NAMES: RangeInclusive<usize> = 0..=200;
pub(super) const EXAMPLES: RangeInclusive<usize> = 1..=6;
pub(super) const CUES: RangeInclusive<usize> = 3..=8;
pub(super) const ALIASES: RangeInclusive<usize> = 0..=20;
pub(super) const ALSO: RangeInclusive<usize> = 0..=12;
pub(super) const NEVER: RangeInclusive<usize> = 0..=30;
pub(super) const CONFUSABLE: RangeInclusive<usize> = 0..=20;
pub(super) const POLITE: RangeInclusive<usize> = 0..=10;
pub(super) const FILL: RangeInclusive<usize> = 0..=100;

/// The longest text that is said or shown as one line.
pub(super) const LINE_CHARS: usize = 200;
/// The longest explanation.
pub(super) const PROSE_CHARS: usize = 1_000;
