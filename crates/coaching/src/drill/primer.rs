//! The packs that a drill teaches from, found by name and made ready for listening.

use super::words;
use crate::pack::{Item, Pack};
use crate::rejected::Rejected;
use crate::text::{Heard, How, Phrase};
use std::collections::HashMap;

/// A pack whose items are found by id.
#[derive(Debug)]
pub(super) struct Primer {
    pub pack: Pack,
    indices: HashMap<String, usize>,
    /// For each item, for each way to say it, the phrases between its slots.
    ways: Vec<Vec<Vec<Phrase>>>,
}

impl Primer {
    pub(super) fn new(pack: Pack) -> Primer {
        let indices = pack.items.iter().enumerate().map(|(at, item)| (item.id.clone(), at)).collect();
        let ways = pack.items.iter().map(ways).collect();
        Primer { pack, indices, ways }
    }

    pub(super) fn item(&self, id: &str) -> Option<&Item> {
        self.indices.get(id).map(|at| &self.pack.items[*at])
    }

    /// Whether the utterance says the item as it is written. Every turn asks this about the whole pool, so the
    /// quick search for phrases comes first.
    pub(super) fn is_said(&self, id: &str, heard: &Heard) -> bool {
        let Some(at) = self.indices.get(id) else { return false };
        let may_be_said = |way: &Vec<Phrase>| way.iter().all(|phrase| heard.words().contains(phrase));
        self.ways[*at].iter().any(may_be_said) && self.pack.items[*at].target.hear(heard).how == How::Surface
    }
}

/// Finds a pack by its id. The refusal of an unknown one names the packs that there are.
pub(super) fn find<'p>(primers: &'p [Primer], id: &str) -> Result<&'p Primer, Rejected> {
    primers.iter().find(|primer| primer.pack.id == id).ok_or_else(|| unknown(primers, id))
}

/// Returns the ids of all packs, separated by commas.
pub(super) fn list(primers: &[Primer]) -> String {
    primers.iter().map(|primer| primer.pack.id.as_str()).collect::<Vec<_>>().join(", ")
}

fn unknown(primers: &[Primer], id: &str) -> Rejected {
    let list = list(primers);
    let cure = match flow::nearest(id, primers.iter().map(|primer| primer.pack.id.as_str())) {
        Some(near) => words::unknown_pack_near(near, list),
        None if list.is_empty() => words::unknown_pack_none(),
        None => words::unknown_pack_cure(list),
    };
    Rejected { code: "unknown_pack", message: words::unknown_pack(id), cure }
}

fn ways(item: &Item) -> Vec<Vec<Phrase>> {
    let phrases = |reading: &String| reading.split("___").filter_map(Phrase::new).collect();
    item.target.readings().iter().map(phrases).collect()
}
