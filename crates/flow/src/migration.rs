//! Reads a written migration: where flows go when names in a law change.
//!
//! ```
//! let migration = flow::Migration::read("
//! migrate: Lesson
//! from: 0.2
//! to: 0.3
//! states: {ASK_AGAIN: ASK}        # flows that rest in the first go on in the second
//! counters: {misses: failures}    # a counter that has a new name
//! reset: [silences]               # counters that start over
//! ").unwrap();
//! assert_eq!(migration.state("ASK_AGAIN"), "ASK");
//! assert_eq!(migration.state("ANSWER"), "ANSWER");
//! ```

use crate::bind::{did_you_mean, unknown};
use crate::law::{Named, Reader};
use crate::machine::Machine;
use crate::problem::{Code, Place, Problem};
use crate::yaml;
use std::collections::BTreeMap;

/// The new places of an old law's states and counters. An empty migration keeps every name.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Migration {
    pub session: String,
    pub from: String,
    pub to: String,
    states: BTreeMap<String, Rename>,
    counters: BTreeMap<String, Rename>,
    reset: Vec<Named>,
    place: Place,
}

#[derive(Debug, Clone, PartialEq, Eq)]
struct Rename {
    old: Named,
    new: Named,
}

const KEYS: &[&str] = &["migrate", "from", "to", "states", "counters", "reset"];

impl Migration {
    pub fn read(source: &str) -> Result<Migration, Vec<Problem>> {
        let root = yaml::read(source).map_err(|problem| vec![*problem])?;
        let mut reader = Reader::default();
        let mut migration = Migration { place: root.place, ..Migration::default() };
        for (key, value) in reader.map(&root, "a migration (`migrate`, `from`, `to`, `states`)") {
            match key.name.as_str() {
                "migrate" => migration.session = reader.text(value).unwrap_or_default(),
                "from" => migration.from = reader.text(value).unwrap_or_default(),
                "to" => migration.to = reader.text(value).unwrap_or_default(),
                "states" => migration.states = renames(&mut reader, value),
                "counters" => migration.counters = renames(&mut reader, value),
                "reset" => migration.reset = reader.names(value),
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

    /// Returns the new name of a state of the old law.
    pub fn state<'n>(&'n self, old: &'n str) -> &'n str {
        self.states.get(old).map_or(old, |rename| &rename.new.name)
    }

    /// Returns the old counter that a counter of the new law takes its value from; `None` if it starts over.
    pub fn counter<'n>(&'n self, new: &'n str) -> Option<&'n str> {
        if self.reset.iter().any(|named| named.name == new) {
            return None;
        }
        let renamed = self.counters.iter().find(|(_, to)| to.new.name == new).map(|(from, _)| from.as_str());
        Some(renamed.unwrap_or(new))
    }

    /// Reports everything in this migration that does not fit the two laws.
    pub fn misfits(&self, old: &Machine, new: &Machine) -> Vec<Problem> {
        let mut problems = self.headings(old, new);
        for (kind, renames) in [(Kind::State, &self.states), (Kind::Counter, &self.counters)] {
            for rename in renames.values() {
                problems.extend(missing(kind, &rename.old, "old", old));
                problems.extend(missing(kind, &rename.new, "new", new));
            }
        }
        problems.extend(self.reset.iter().filter_map(|named| missing(Kind::Counter, named, "new", new)));
        problems.extend(self.second_sources());
        problems
    }

    /// Reports counters of the new law that would take the values of two old ones.
    fn second_sources(&self) -> impl Iterator<Item = Problem> {
        let mut given: BTreeMap<&str, &str> = BTreeMap::new();
        self.counters.values().filter_map(move |Rename { old, new }| {
            let first = given.insert(&new.name, &old.name)?;
            let message =
                format!("`{}` would take its value from `{first}` and from `{}`", new.name, old.name);
            Some(Problem::new(Code::NameTwice, new.place, message, "keep one of the two"))
        })
    }

    fn headings(&self, old: &Machine, new: &Machine) -> Vec<Problem> {
        let wrong = |(key, own, law): &(&str, &String, &str)| {
            (own != law).then(|| {
                let message = format!("the migration has `{key}: {own}`, but the law says {law}");
                Problem::new(Code::UnknownName, self.place, message, format!("write `{key}: {law}`"))
            })
        };
        let headings = [
            ("migrate", &self.session, new.session()),
            ("from", &self.from, old.version()),
            ("to", &self.to, new.version()),
        ];
        headings.iter().filter_map(wrong).collect()
    }
}

/// Reports a name that a law does not have.
fn missing(what: Kind, named: &Named, age: &str, machine: &Machine) -> Option<Problem> {
    let (what, names): (_, Vec<&str>) = match what {
        Kind::State => ("state", machine.states().map(|state| machine.state_name(state)).collect()),
        Kind::Counter => ("counter", machine.counter_names().collect()),
    };
    if names.contains(&named.name.as_str()) {
        return None;
    }
    let message = format!("{} in the {age} law", unknown(what, &named.name));
    let cure = did_you_mean(&named.name, names.into_iter(), &format!("use a {what} of the {age} law"));
    Some(Problem::new(Code::UnknownName, named.place, message, cure))
}

#[derive(Clone, Copy)]
enum Kind {
    State,
    Counter,
}

fn renames(reader: &mut Reader, node: &yaml::Node) -> BTreeMap<String, Rename> {
    let pairs = reader.map(node, "`OLD: NEW` lines");
    let rename =
        |(old, new): (Named, &yaml::Node)| Some((old.name.clone(), Rename { old, new: reader.name(new)? }));
    pairs.into_iter().filter_map(rename).collect()
}
