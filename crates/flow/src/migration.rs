//! A written migration: where flows under way go when a law changes in a way that names alone cannot follow.
//!
//! ```
//! let migration = flow::Migration::read("
//! migrate: Lesson
//! from: 0.2
//! to: 0.3
//! states: {ASK_AGAIN: ASK}        # flows that rest in the first go on in the second
//! counters: {misses: failures}    # a counter that has a new name
//! reset: [silences]               # counters that begin anew
//! ").unwrap();
//! assert_eq!(migration.state("ASK_AGAIN"), "ASK");
//! assert_eq!(migration.state("ANSWER"), "ANSWER");
//! ```

use crate::law::Reader;
use crate::problem::{Code, Problem};
use crate::yaml;
use std::collections::{BTreeMap, BTreeSet};

/// Where states and counters of an old law go. The empty one leaves every name as it is.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Migration {
    pub session: String,
    pub from: String,
    pub to: String,
    states: BTreeMap<String, String>,
    counters: BTreeMap<String, String>,
    reset: BTreeSet<String>,
}

const KEYS: &[&str] = &["migrate", "from", "to", "states", "counters", "reset"];

impl Migration {
    pub fn read(source: &str) -> Result<Migration, Vec<Problem>> {
        let root = yaml::read(source).map_err(|problem| vec![*problem])?;
        let mut reader = Reader::default();
        let mut migration = Migration::default();
        for (key, value) in reader.map(&root, "a migration (`migrate`, `from`, `to`, `states`)") {
            match key.name.as_str() {
                "migrate" => migration.session = reader.text(value).unwrap_or_default(),
                "from" => migration.from = reader.text(value).unwrap_or_default(),
                "to" => migration.to = reader.text(value).unwrap_or_default(),
                "states" => migration.states = renames(&mut reader, value),
                "counters" => migration.counters = renames(&mut reader, value),
                "reset" => {
                    migration.reset = reader.names(value).into_iter().map(|named| named.name).collect()
                }
                _ => reader.unknown_key(&key, KEYS, "a migration"),
            }
        }
        for (key, text) in [("migrate", &migration.session), ("from", &migration.from), ("to", &migration.to)]
        {
            if text.is_empty() && reader.problems.is_empty() {
                let message = format!("the migration has no `{key}`");
                let cure = "say which session it is for, from which version and to which";
                reader.problems.push(Problem::new(Code::UnexpectedShape, root.place, message, cure));
            }
        }
        if reader.problems.is_empty() { Ok(migration) } else { Err(reader.problems) }
    }

    /// The name under which a state of the old law goes on.
    pub fn state<'n>(&'n self, old: &'n str) -> &'n str {
        self.states.get(old).map_or(old, String::as_str)
    }

    /// The counter of the old law whose value a counter of the new one takes; `None` where it begins anew.
    pub fn counter<'n>(&'n self, new: &'n str) -> Option<&'n str> {
        if self.reset.contains(new) {
            return None;
        }
        let renamed = self.counters.iter().find(|(_, to)| *to == new).map(|(from, _)| from.as_str());
        Some(renamed.unwrap_or(new))
    }
}

fn renames(reader: &mut Reader, node: &yaml::Node) -> BTreeMap<String, String> {
    let pairs = reader.map(node, "`OLD: NEW` lines");
    pairs.into_iter().filter_map(|(old, new)| Some((old.name, reader.name(new)?.name))).collect()
}
