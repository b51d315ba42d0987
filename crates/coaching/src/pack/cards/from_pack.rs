//! Makes cards from a drill pack.

use std::collections::HashMap;

use super::{Card, CardRecord, Cards, Note, Side, id};
use crate::pack::Pack;

/// The side of an exported note that is in the language being learned.
pub const EXPORTED_TEXT_SIDE: Side = Side::Back;

/// Whether the cards were once exported from a pack. Notes may have been added since.
pub fn is_exported(cards: &Cards) -> bool {
    let exported = cards.notes.iter().filter(|note| id::item_of(&note.guid).is_some()).count();
    exported * 2 > cards.notes.len()
}

/// Returns the items of a pack as notes that ask for the text by its meaning, with the learner's records of them.
pub fn pack_to_cards(pack: &Pack, records: &[CardRecord]) -> Cards {
    let known: HashMap<&str, &Card> =
        records.iter().map(|record| (record.key.as_str(), &record.card)).collect();
    let note = |item: &crate::pack::Item| {
        let key = format!("{}/{}", pack.id, item.id);
        let card = known.get(key.as_str()).map_or_else(|| Card::new(Side::Front), |card| (*card).clone());
        Note {
            deck: pack.title.clone(),
            front: item.meaning.clone(),
            back: item.text.clone(),
            tags: vec![pack.id.clone()],
            cards: vec![Card { asks: Side::Front, ..card }],
            guid: key,
        }
    };
    Cards { notes: pack.items.iter().map(note).collect(), ..Cards::default() }
}
