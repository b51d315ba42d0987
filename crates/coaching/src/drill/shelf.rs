//! The packs that a drill teaches from, found by name and made ready for listening.

use crate::pack::{Item, Pack};
use crate::rejected::Rejected;
use crate::text::{Heard, How, Phrase};
use std::collections::HashMap;

/// A pack whose items are found by id.
#[derive(Debug)]
pub(super) struct Shelf {
    pub pack: Pack,
    places: HashMap<String, usize>,
    /// For each item, for each way to say it, the phrases between its slots.
    ways: Vec<Vec<Vec<Phrase>>>,
}

impl Shelf {
    pub(super) fn new(pack: Pack) -> Shelf {
        let places = pack.items.iter().enumerate().map(|(at, item)| (item.id.clone(), at)).collect();
        let ways = pack.items.iter().map(ways).collect();
        Shelf { pack, places, ways }
    }

    pub(super) fn item(&self, id: &str) -> Option<&Item> {
        self.places.get(id).map(|at| &self.pack.items[*at])
    }

    /// Whether the utterance says the item as it is written. A whole pool is asked this in every turn, so
    /// phrases are searched first, and only an item that may be there is listened for.
    pub(super) fn is_said(&self, id: &str, heard: &Heard) -> bool {
        let Some(at) = self.places.get(id) else { return false };
        let may_be_said = |way: &Vec<Phrase>| way.iter().all(|phrase| heard.words().contains(phrase));
        self.ways[*at].iter().any(may_be_said) && self.pack.items[*at].target.hear(heard).how == How::Surface
    }
}

/// Finds a pack, or says which there are.
pub(super) fn find<'s>(shelves: &'s [Shelf], id: &str) -> Result<&'s Shelf, Rejected> {
    shelves.iter().find(|shelf| shelf.pack.id == id).ok_or_else(|| unknown(shelves, id))
}

/// Which packs there are, in words.
pub(super) fn list(shelves: &[Shelf]) -> String {
    let known: Vec<&str> = shelves.iter().map(|shelf| shelf.pack.id.as_str()).collect();
    match known.as_slice() {
        [] => "no pack is installed".to_owned(),
        known => format!("the packs are {}", known.join(", ")),
    }
}

fn unknown(shelves: &[Shelf], id: &str) -> Rejected {
    let list = list(shelves);
    let cure = match flow::nearest(id, shelves.iter().map(|shelf| shelf.pack.id.as_str())) {
        Some(near) => format!("did you mean `{near}`? {list}"),
        None => list,
    };
    Rejected { code: "unknown_pack", message: format!("there is no pack `{id}`").into(), cure: cure.into() }
}

fn ways(item: &Item) -> Vec<Vec<Phrase>> {
    let phrases = |reading: &String| reading.split("___").filter_map(Phrase::new).collect();
    item.target.readings().iter().map(phrases).collect()
}
