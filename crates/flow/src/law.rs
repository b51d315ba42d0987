//! A law exactly as its YAML says it: names are still text, each with its place.

mod compose;
mod reader;

pub use compose::bundle;
pub(crate) use reader::Reader;

use crate::guard::Expr;
use crate::problem::{Code, Place, Problem};
use crate::yaml;
use serde::Serialize;
use std::collections::BTreeMap;

/// The largest law that is read, in bytes. A coaching law is a few kilobytes.
pub const MAX_SOURCE_BYTES: usize = 1 << 20;
pub(crate) const MAX_STATES: usize = 10_000;
pub(crate) const MAX_EVENTS: usize = 10_000;
pub const MAX_COUNTERS: usize = 16;
/// The value at which every counter stops, in a flow that runs and in the proof.
pub const COUNTER_CEILING: u32 = u32::MAX;
/// The event that tells a flow that one of its actions was given up.
pub const FAILED: &str = "failed";
pub(crate) const MAX_FACTS: usize = 64;
pub(crate) const MAX_CONSTANTS: usize = 1_000;
pub(crate) const MAX_OUTCOMES: usize = 1_000;
pub(crate) const MAX_ATTRIBUTES: usize = 16;
/// The most values of an attribute that lists them.
pub(crate) const MAX_VALUES: usize = 60;
/// The most transitions, counting those of a group once for each member.
pub(crate) const MAX_EDGES: usize = 1_000_000;
/// The most regions: groups with deadlines, and laws that are used.
pub(crate) const MAX_REGIONS: usize = 200;
/// The word for a transition that stays, so no state can have this name.
pub(crate) const STAY: &str = "stay";
pub(crate) const MAX_PROBLEMS: usize = 200;
/// The cure for a law that is too large.
pub(crate) const SPLIT: &str = "split it into several laws";

#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Named {
    pub name: String,
    pub place: Place,
}

/// A constant of the law's `context`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Constant {
    Number(i64),
    /// Milliseconds, written `20s`; usable in `after`.
    Duration(u64),
    /// Anything else: for the flow's code, not for guards.
    Text(String),
}

/// The cause of an event. A loop of machine and silence alone needs no learner.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Origin {
    Learner,
    Machine,
    Silence,
}

impl Origin {
    pub(crate) const ALL: [Origin; 3] = [Origin::Learner, Origin::Machine, Origin::Silence];

    pub(crate) fn as_str(self) -> &'static str {
        match self {
            Origin::Learner => "learner",
            Origin::Machine => "machine",
            Origin::Silence => "silence",
        }
    }
}

#[derive(Debug, Clone, Default)]
pub struct Law {
    pub session: Named,
    pub version: String,
    pub constants: Vec<(Named, Constant)>,
    pub counters: Vec<(Named, u32)>,
    pub attributes: Vec<Attribute>,
    pub facts: Vec<Named>,
    pub events: Vec<EventLaw>,
    pub states: Vec<StateLaw>,
    pub groups: Vec<GroupLaw>,
    pub invariants: Vec<GuardLaw>,
    pub initial: Option<Named>,
    pub source: String,
}

/// An event that the law declares.
#[derive(Debug, Clone)]
pub struct EventLaw {
    pub name: Named,
    pub origin: Option<Origin>,
    /// Whether others may send the event too, although it belongs to the machine or the clock.
    pub is_open: bool,
}

/// A property by which states can be told apart, such as a status.
#[derive(Debug, Clone)]
pub struct Attribute {
    pub name: Named,
    /// The values, each with those that may follow it, if the law lists them.
    pub values: Option<Vec<(Named, Vec<Named>)>>,
}

impl Attribute {
    /// Returns every value that the law lists, before or after a colon, with its place.
    pub fn listed(&self) -> BTreeMap<&str, Place> {
        let named = self.values.iter().flatten().flat_map(|(value, next)| next.iter().chain([value]));
        named.map(|named| (named.name.as_str(), named.place)).collect()
    }

    /// Returns the listed values that may follow `value`.
    pub(crate) fn after(&self, value: &str) -> impl Iterator<Item = &str> {
        let own = self.values.iter().flatten().filter(move |(known, _)| known.name == value);
        own.flat_map(|(_, next)| next).map(|named| named.name.as_str())
    }
}

#[derive(Debug, Clone, Default)]
pub struct StateLaw {
    pub name: Named,
    pub entry: Vec<Named>,
    pub on: Vec<(Named, Jump)>,
    pub guard: Option<GuardLaw>,
    pub on_true: Option<Jump>,
    pub on_false: Option<Jump>,
    pub after: Vec<(Delay, Named)>,
    pub require: Vec<GuardLaw>,
    pub is_final: bool,
    pub outcomes: Vec<Named>,
    /// Attributes of the state with their values.
    pub attributes: Vec<(Named, Named)>,
    /// The law whose states take the place of this state.
    pub uses: Option<Named>,
}

/// Transitions and deadlines that several states share.
#[derive(Debug, Clone)]
pub struct GroupLaw {
    pub place: Place,
    /// The name as written, or that of the state that uses another law.
    pub name: String,
    pub members: Members,
    pub on: Vec<(Named, Jump)>,
    /// Deadlines: they start when the group is entered and run until it is left.
    pub after: Vec<(Delay, Named)>,
    /// Whether the members are the states of another law, which is drawn as a box of its own.
    pub is_law: bool,
}

#[derive(Debug, Clone)]
pub enum Members {
    NonFinal,
    Of(Vec<Named>),
}

/// A transition as written.
#[derive(Debug, Clone)]
pub struct Jump {
    /// The state it enters; `None` if the flow stays and enters nothing.
    pub target: Option<Named>,
    pub count: Vec<Named>,
    pub reset: Vec<Named>,
    pub outcome: Option<Named>,
}

#[derive(Debug, Clone)]
pub struct GuardLaw {
    pub expr: Expr,
    pub place: Place,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Delay {
    Millis(u64),
    Constant(Named),
    /// `1s..1m x2`: a pause that gets longer with every round, up to a bound.
    Growing(Box<Growing>),
}

/// A pause that grows with a counter.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Growing {
    pub first: Delay,
    pub most: Delay,
    pub factor: u32,
    /// The counter, if the law names it.
    pub by: Option<Named>,
    pub place: Place,
}

impl Delay {
    /// Returns the constants that the delay uses.
    pub(crate) fn constants(&self) -> Vec<&Named> {
        match self {
            Delay::Millis(_) => Vec::new(),
            Delay::Constant(named) => vec![named],
            Delay::Growing(growing) => [growing.first.constants(), growing.most.constants()].concat(),
        }
    }
}

impl Law {
    /// Reads a law, or returns everything that is wrong with its shape.
    pub fn read(source: &str) -> Result<Law, Vec<Problem>> {
        if source.len() > MAX_SOURCE_BYTES {
            let place = Place { line: 1, column: 1, ..Place::default() };
            let message =
                format!("the file has {} bytes; a law has at most {MAX_SOURCE_BYTES}", source.len());
            return Err(vec![Problem::new(Code::TooLarge, place, message, SPLIT)]);
        }
        let root = yaml::read(source).map_err(|problem| vec![*problem])?;
        let mut reader = Reader::default();
        match reader.law(&root, source) {
            Some(law) if reader.problems.is_empty() => reader.composed(law, &root),
            _ => Err(reader.problems),
        }
    }

    /// Reads a law from bytes that may not be UTF-8.
    pub fn read_bytes(bytes: &[u8]) -> Result<Law, Vec<Problem>> {
        let not_text = |error: std::str::Utf8Error| {
            let line = 1 + bytes[..error.valid_up_to()].iter().filter(|byte| **byte == b'\n').count();
            let place = Place { line, column: 1, ..Place::default() };
            let message = format!("byte {} is not UTF-8 text", error.valid_up_to());
            vec![Problem::new(Code::UnreadableYaml, place, message, "save the file as UTF-8")]
        };
        std::str::from_utf8(bytes).map_err(not_text).and_then(Law::read)
    }

    /// Whether the law itself moves its counters, rather than leaving that to its actions.
    pub fn moves_counters(&self) -> bool {
        let moves = |jump: &Jump| !jump.count.is_empty() || !jump.reset.is_empty();
        self.states.iter().any(|state| {
            state.on.iter().any(|(_, jump)| moves(jump))
                || state.on_true.iter().chain(&state.on_false).any(moves)
        }) || self.groups.iter().any(|group| group.on.iter().any(|(_, jump)| moves(jump)))
    }
}

/// Returns every transition of a state's own.
pub(crate) fn jumps(state: &StateLaw) -> impl Iterator<Item = &Jump> {
    state.on.iter().map(|(_, jump)| jump).chain(&state.on_true).chain(&state.on_false)
}

/// Parses `20s`, `500ms`, `5m`, `2h` or `30d` into milliseconds.
pub(crate) fn parse_duration_ms(text: &str) -> Option<u64> {
    let digits = text.find(|c: char| !c.is_ascii_digit())?;
    let number: u64 = text[..digits].parse().ok()?;
    let unit = match text[digits..].trim() {
        "ms" => 1,
        "s" | "sec" => 1_000,
        "m" | "min" => 60_000,
        "h" => 3_600_000,
        "d" => 86_400_000,
        _ => return None,
    };
    number.checked_mul(unit)
}

/// Returns the known name nearest to a misspelt one, if any is near.
pub fn nearest<'n>(name: &str, known: impl IntoIterator<Item = &'n str>) -> Option<&'n str> {
    let folded = name.to_lowercase();
    known
        .into_iter()
        .map(|other| (strsim::osa_distance(&folded, &other.to_lowercase()), other))
        .filter(|(distance, other)| *distance <= 1 + other.chars().count() / 4)
        .min_by_key(|(distance, _)| *distance)
        .map(|(_, other)| other)
}
