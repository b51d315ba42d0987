//! The packs that a drill teaches from, found by name.

use crate::pack::{Item, Pack};
use crate::turn::Rejected;
use std::collections::HashMap;

/// A pack whose items are found by id.
#[derive(Debug)]
pub(super) struct Shelf {
    pub pack: Pack,
    places: HashMap<String, usize>,
}

impl Shelf {
    pub(super) fn new(pack: Pack) -> Shelf {
        let places = pack.items.iter().enumerate().map(|(at, item)| (item.id.clone(), at)).collect();
        Shelf { pack, places }
    }

    pub(super) fn item(&self, id: &str) -> Option<&Item> {
        self.places.get(id).map(|at| &self.pack.items[*at])
    }
}

/// Finds a pack, or says which there are.
pub(super) fn find<'s>(shelves: &'s [Shelf], id: &str) -> Result<&'s Shelf, Rejected> {
    shelves.iter().find(|shelf| shelf.pack.id == id).ok_or_else(|| {
        let known: Vec<&str> = shelves.iter().map(|shelf| shelf.pack.id.as_str()).collect();
        let list = if known.is_empty() { "no pack is installed".into() } else { format!("the packs are {}", known.join(", ")) };
        let cure = match flow::nearest(id, known) {
            Some(near) => format!("did you mean `{near}`? {list}"),
            None => list,
        };
        Rejected { code: "unknown_pack", message: format!("there is no pack `{id}`"), cure }
    })
}
