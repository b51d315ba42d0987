//! One normaliser and one matcher for everything Etude listens to.
//!
//! Drill targets, stop words, abort words, leak phrases and the words of a drill pack are all compared here,
//! so that "the same word" means the same thing everywhere. Text becomes [`Words`] (folded, whole words);
//! a [`Phrase`] is searched in them, a [`Target`] is heard in them with slots, variants, aliases and a
//! little tolerance, and a [`WordSet`] says which of them a learner has met.
//!
//! Nothing here searches substrings: a phrase is found only where words begin and end.

mod align;
mod articles;
mod ear;
mod edits;
mod fold;
mod hear;
mod language;
mod lists;
mod phrase;
mod short;
mod syntax;
mod target;
mod word_set;
mod words;

pub(crate) use align::{Alignment, align};
pub use articles::{is_easily_heard_as, other_articles};
pub(crate) use ear::{Ear, Spelling};
pub use edits::is_slip;
pub(crate) use fold::spelled;
pub use hear::{Heard, How, MAX_HEARD_CHARS, Match, Piece};
pub(crate) use language::{clear_language, primary, spoken_language};
pub(crate) use lists::lists;
pub use phrase::Phrase;
pub use short::shortened;
pub use target::{MAX_READINGS, MAX_SLOT_WORDS, MAX_TARGET_CHARS, Target, TargetError};
pub(crate) use target::{Pick, Reading, Step, is_said};
pub use word_set::WordSet;
pub(crate) use words::Word;
pub use words::{MAX_TEXT_BYTES, Words};
