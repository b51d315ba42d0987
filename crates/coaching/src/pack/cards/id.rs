//! Links notes and the items of a pack by stable ids.
//!
//! The guid of a note from a pack is the key of its item, `PACK/ITEM`, and so it keeps the item's id. Any other
//! guid is hashed. An id made from the text would read better, but it would change when a typo is corrected, and
//! the learner's history would be lost.

use crate::authored::{WORD_CHARS, rules};

/// Returns the id of the item for the note with this identity.
pub fn item_id(identity: &str) -> String {
    item_of(identity).map_or_else(|| hashed(identity), str::to_owned)
}

/// Returns the item in the guid of a note that came from a pack.
pub(super) fn item_of(guid: &str) -> Option<&str> {
    let (pack, item) = guid.split_once('/')?;
    [pack, item].iter().all(|id| id.len() <= WORD_CHARS && rules::is_id(id)).then_some(item)
}

/// Returns an id made from a hash of the identity.
pub(super) fn hashed(identity: &str) -> String {
    format!("card-{:016x}", fnv1a(identity.as_bytes()))
}

/// Returns the identity of a note without a guid.
pub(super) fn of_text(texts: &[&str]) -> String {
    format!("text-{:016x}", fnv1a(texts.join("\x1f").as_bytes()))
}

/// Returns the 64-bit hash of Fowler, Noll and Vo. It is small, and the same on every machine and in every
/// version.
pub(crate) fn fnv1a(bytes: &[u8]) -> u64 {
    let step = |hash: u64, byte: &u8| (hash ^ u64::from(*byte)).wrapping_mul(0x100_0000_01b3);
    bytes.iter().fold(0xcbf2_9ce4_8422_2325, step)
}
