//! A law exactly as its YAML says it: names still text, every one with its place.

use crate::guard::Expr;
use crate::problem::{Code, Place, Problem};
use crate::yaml::{self, Kind, Node, shorten};
use serde::Serialize;

/// The largest law that is read. A coaching law is a few kilobytes.
pub const MAX_SOURCE_BYTES: usize = 1 << 20;
pub const MAX_STATES: usize = 10_000;
pub const MAX_EVENTS: usize = 10_000;
pub const MAX_COUNTERS: usize = 16;
pub const MAX_FACTS: usize = 64;
const MAX_NAME_CHARS: usize = 100;
const MAX_PROBLEMS: usize = 200;

#[derive(Debug, Clone, PartialEq, Eq)]
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
    /// Anything else. The law carries it for its flow; a guard cannot use it.
    Text(String),
}

/// Who causes an event. A loop in which only the machine and silence act needs no learner.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Origin {
    Learner,
    Machine,
    Silence,
}

#[derive(Debug, Clone)]
pub struct Law {
    pub session: Named,
    pub version: String,
    pub constants: Vec<(Named, Constant)>,
    pub counters: Vec<(Named, u32)>,
    pub facts: Vec<Named>,
    pub events: Vec<(Named, Option<Origin>)>,
    pub states: Vec<StateLaw>,
    pub groups: Vec<GroupLaw>,
    pub invariants: Vec<GuardLaw>,
    pub initial: Option<Named>,
    pub source: String,
}

#[derive(Debug, Clone)]
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
}

/// Transitions that many states share.
#[derive(Debug, Clone)]
pub struct GroupLaw {
    pub place: Place,
    pub members: Members,
    pub on: Vec<(Named, Jump)>,
}

#[derive(Debug, Clone)]
pub enum Members {
    NonFinal,
    Of(Vec<Named>),
}

#[derive(Debug, Clone)]
pub struct Jump {
    pub target: Named,
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
}

impl Law {
    /// Reads a law. Everything that is wrong with its shape is found in one go.
    pub fn read(source: &str) -> Result<Law, Vec<Problem>> {
        if source.len() > MAX_SOURCE_BYTES {
            return Err(vec![Problem::new(
                Code::TooLarge,
                Place { line: 1, column: 1, ..Place::default() },
                format!("the file has {} bytes; a law has at most {MAX_SOURCE_BYTES}", source.len()),
                "split it into several laws",
            )]);
        }
        let root = yaml::read(source).map_err(|problem| vec![*problem])?;
        let mut reader = Reader::default();
        let law = reader.law(&root, source);
        match law {
            Some(law) if reader.problems.is_empty() => Ok(law),
            _ => Err(reader.problems),
        }
    }

    /// Reads a law from bytes of unknown encoding.
    pub fn read_bytes(bytes: &[u8]) -> Result<Law, Vec<Problem>> {
        match std::str::from_utf8(bytes) {
            Ok(source) => Law::read(source.strip_prefix('\u{feff}').unwrap_or(source)),
            Err(error) => {
                let line = 1 + bytes[..error.valid_up_to()].iter().filter(|byte| **byte == b'\n').count();
                Err(vec![Problem::new(
                    Code::UnreadableYaml,
                    Place { line, column: 1, ..Place::default() },
                    format!("byte {} is not UTF-8 text", error.valid_up_to()),
                    "save the file as UTF-8",
                )])
            }
        }
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

/// `20s`, `500ms`, `5m`, `2h`, `30d` in milliseconds.
pub fn parse_duration_ms(text: &str) -> Option<u64> {
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

/// The known name nearest to a misspelt one, if any is near.
pub fn nearest<'n>(name: &str, known: impl IntoIterator<Item = &'n str>) -> Option<&'n str> {
    let folded = name.to_lowercase();
    known
        .into_iter()
        .map(|other| (strsim::damerau_levenshtein(&folded, &other.to_lowercase()), other))
        .filter(|(distance, other)| *distance <= 1 + other.chars().count() / 4)
        .min_by_key(|(distance, _)| *distance)
        .map(|(_, other)| other)
}

/// Takes a tree apart and notes everything that is not as expected.
#[derive(Default)]
pub(crate) struct Reader {
    pub(crate) problems: Vec<Problem>,
}

const LAW_KEYS: &[&str] = &[
    "session",
    "version",
    "about",
    "context",
    "counters",
    "facts",
    "events",
    "initial",
    "states",
    "invariants",
];
const STATE_KEYS: &[&str] = &[
    "about", "entry", "on", "guard", "on_true", "on_false", "after", "require", "type", "outcome", "outcomes",
];
const JUMP_KEYS: &[&str] = &["target", "count", "reset", "outcome"];

impl Reader {
    fn say(&mut self, code: Code, place: Place, message: impl Into<String>, cure: impl Into<String>) {
        if self.problems.len() < MAX_PROBLEMS {
            self.problems.push(Problem::new(code, place, message, cure));
        }
    }

    fn expected(&mut self, node: &Node, what: &str, cure: &str) {
        self.say(
            Code::UnexpectedShape,
            node.place,
            format!("expected {what}, found {}", node.describe()),
            cure,
        );
    }

    fn law(&mut self, root: &Node, source: &str) -> Option<Law> {
        let Kind::Map(pairs) = &root.kind else {
            self.expected(root, "a mapping", "a law begins with `session: NAME`");
            return None;
        };
        let mut law = Law {
            session: Named { name: String::new(), place: root.place },
            version: String::new(),
            constants: Vec::new(),
            counters: Vec::new(),
            facts: Vec::new(),
            events: Vec::new(),
            states: Vec::new(),
            groups: Vec::new(),
            invariants: Vec::new(),
            initial: None,
            source: source.to_owned(),
        };
        for (key, value) in self.unique(pairs) {
            match key.name.as_str() {
                "session" => law.session = self.name(value).unwrap_or(law.session),
                "version" => law.version = self.text(value).unwrap_or_default(),
                "about" => drop(self.text(value)),
                "context" => law.constants = self.constants(value),
                "counters" => law.counters = self.counters(value),
                "facts" => law.facts = self.names(value),
                "events" => law.events = self.events(value),
                "initial" => law.initial = self.name(value),
                "states" => self.states(value, &mut law),
                "invariants" => law.invariants = self.guards(value),
                _ => match self.group(&key, value) {
                    Some(group) => law.groups.push(group),
                    None => self.unknown_key(&key, LAW_KEYS, "a law"),
                },
            }
        }
        self.limits(&law, root);
        Some(law)
    }

    fn limits(&mut self, law: &Law, root: &Node) {
        for (missing, key, cure) in [
            (law.session.name.is_empty(), "session", "say what the flow is called: `session: MyFlow`"),
            (law.version.is_empty(), "version", "say which version this is: `version: 0.1`"),
            (law.states.is_empty(), "states", "list the states; the first one is where a flow begins"),
        ] {
            if missing && !self.problems.iter().any(|problem| problem.message.contains(key)) {
                self.say(Code::UnexpectedShape, root.place, format!("the law has no `{key}`"), cure);
            }
        }
        for (many, most, what) in [
            (law.states.len(), MAX_STATES, "states"),
            (law.counters.len(), MAX_COUNTERS, "counters"),
            (law.facts.len(), MAX_FACTS, "facts"),
            (law.events.len(), MAX_EVENTS, "events"),
        ] {
            if many > most {
                self.say(
                    Code::TooLarge,
                    root.place,
                    format!("{many} {what}; a law has at most {most}"),
                    "split it into several laws",
                );
            }
        }
    }

    fn states(&mut self, node: &Node, law: &mut Law) {
        for (key, value) in self.map(node, "states by name") {
            match self.group(&key, value) {
                Some(group) => law.groups.push(group),
                None => {
                    if self.valid_name(&key) {
                        law.states.push(self.state(key, value));
                    }
                }
            }
        }
    }

    fn state(&mut self, name: Named, node: &Node) -> StateLaw {
        let mut state = StateLaw {
            name,
            entry: Vec::new(),
            on: Vec::new(),
            guard: None,
            on_true: None,
            on_false: None,
            after: Vec::new(),
            require: Vec::new(),
            is_final: false,
            outcomes: Vec::new(),
        };
        if node.is_empty() {
            return state;
        }
        let mut has_bad_guard = false;
        for (key, value) in self.map(node, "the keys of a state (entry, on, guard, …)") {
            match key.name.as_str() {
                "about" => drop(self.text(value)),
                "entry" => state.entry = self.entry(value),
                "on" => state.on = self.on(value),
                "guard" => {
                    state.guard = self.guard(value);
                    has_bad_guard = state.guard.is_none();
                }
                "on_true" => state.on_true = self.jump(value),
                "on_false" => state.on_false = self.jump(value),
                "after" => state.after = self.after(value),
                "require" => state.require = self.guards(value),
                "type" => state.is_final = self.is_final(value),
                "outcome" | "outcomes" => state.outcomes = self.names(value),
                "true" | "True" => self.say(
                    Code::UnexpectedShape,
                    key.place,
                    "`true` is not a key of a state",
                    "a YAML 1.1 tool may have turned `on` into `true`: write `on`",
                ),
                _ => self.unknown_key(&key, STATE_KEYS, "a state"),
            }
        }
        if !has_bad_guard {
            self.coherent(&state);
        }
        state
    }

    fn coherent(&mut self, state: &StateLaw) {
        let place = state.name.place;
        let name = shorten(&state.name.name);
        if state.guard.is_some() && !state.on.is_empty() {
            self.say(
                Code::UnexpectedShape,
                place,
                format!("`{name}` has both a guard and `on`: it cannot decide at once and also wait"),
                "put the guard into a state of its own",
            );
        }
        if state.guard.is_some() && state.on_true.is_none() {
            self.say(
                Code::UnexpectedShape,
                place,
                format!("`{name}` has a guard but no `on_true`"),
                "say where to go when it holds: `on_true: STATE`",
            );
        }
        if state.guard.is_none() && (state.on_true.is_some() || state.on_false.is_some()) {
            self.say(
                Code::UnexpectedShape,
                place,
                format!("`{name}` has `on_true` or `on_false` but no guard"),
                "add `guard: …`, or use `on` with an event",
            );
        }
        if state.is_final && !(state.on.is_empty() && state.guard.is_none() && state.after.is_empty()) {
            self.say(
                Code::UnexpectedShape,
                place,
                format!("`{name}` is final and yet leads somewhere"),
                "remove `type: final`, or its `on`, `guard` and `after`",
            );
        }
        if !state.is_final && !state.outcomes.is_empty() {
            self.say(
                Code::UnexpectedShape,
                place,
                format!("`{name}` has an outcome but is not final"),
                "add `type: final`",
            );
        }
    }

    fn is_final(&mut self, node: &Node) -> bool {
        let found = self.text(node);
        if found.as_deref().is_some_and(|text| text != "final") {
            self.expected(
                node,
                "`final`",
                "the only type a state can have is `final`; leave the key out otherwise",
            );
        }
        found.as_deref() == Some("final")
    }

    fn entry(&mut self, node: &Node) -> Vec<Named> {
        let items = match &node.kind {
            Kind::List(items) => items.as_slice(),
            Kind::Scalar { text, .. } if text.is_empty() => &[],
            _ => std::slice::from_ref(node),
        };
        items.iter().filter_map(|item| self.action(item)).collect()
    }

    fn action(&mut self, node: &Node) -> Option<Named> {
        let Kind::Map(pairs) = &node.kind else { return self.name(node) };
        let mut found = None;
        for (key, value) in self.unique(pairs) {
            match key.name.as_str() {
                "action" => found = self.name(value),
                _ => self.unknown_key(&key, &["action"], "an entry"),
            }
        }
        found
    }

    fn on(&mut self, node: &Node) -> Vec<(Named, Jump)> {
        let pairs = self.map(node, "events by name");
        pairs
            .into_iter()
            .filter(|(key, _)| self.valid_name(key))
            .collect::<Vec<_>>()
            .into_iter()
            .filter_map(|(key, value)| Some((key, self.jump(value)?)))
            .collect()
    }

    fn jump(&mut self, node: &Node) -> Option<Jump> {
        let Kind::Map(pairs) = &node.kind else {
            let target = self.name(node)?;
            return Some(Jump { target, count: Vec::new(), reset: Vec::new(), outcome: None });
        };
        let (mut target, mut count, mut reset, mut outcome) = (None, Vec::new(), Vec::new(), None);
        for (key, value) in self.unique(pairs) {
            match key.name.as_str() {
                "target" => target = self.name(value),
                "count" => count = self.names(value),
                "reset" => reset = self.names(value),
                "outcome" => outcome = self.name(value),
                _ => self.unknown_key(&key, JUMP_KEYS, "a transition"),
            }
        }
        if target.is_none() {
            self.expected(node, "a `target`", "say where the event leads: `target: STATE`");
        }
        Some(Jump { target: target?, count, reset, outcome })
    }

    fn after(&mut self, node: &Node) -> Vec<(Delay, Named)> {
        let mut found = Vec::new();
        for (key, value) in self.map(node, "durations with their events (`20s: timeout`)") {
            let after = match parse_duration_ms(&key.name) {
                Some(millis) => Delay::Millis(millis),
                None if self.valid_duration_name(&key) => Delay::Constant(key),
                None => continue,
            };
            if let Some(event) = self.name(value) {
                found.push((after, event));
            }
        }
        found
    }

    fn valid_duration_name(&mut self, key: &Named) -> bool {
        let is_name = is_name(&key.name);
        if !is_name {
            self.say(
                Code::UnexpectedShape,
                key.place,
                format!("`{}` is not a duration", shorten(&key.name)),
                "write a number with a unit: 500ms, 20s, 5m, 2h or 30d",
            );
        }
        is_name
    }

    fn group(&mut self, key: &Named, node: &Node) -> Option<GroupLaw> {
        let rest = key.name.strip_prefix("any ")?.trim();
        let members = if rest.eq_ignore_ascii_case("non-final") || rest.eq_ignore_ascii_case("non final") {
            Members::NonFinal
        } else {
            let list = rest.strip_prefix("of ")?;
            let named = |name: &str| Named { name: name.trim().to_owned(), place: key.place };
            Members::Of(list.split(',').map(named).collect())
        };
        let on = match &node.kind {
            Kind::Map(pairs) if pairs.len() == 1 && is_scalar(&pairs[0].0, "on") => self.on(&pairs[0].1),
            _ => self.on(node),
        };
        Some(GroupLaw { place: key.place, members, on })
    }

    fn guards(&mut self, node: &Node) -> Vec<GuardLaw> {
        let items = match &node.kind {
            Kind::List(items) => items.as_slice(),
            Kind::Scalar { text, .. } if text.is_empty() => &[],
            _ => std::slice::from_ref(node),
        };
        items.iter().filter_map(|item| self.guard(item)).collect()
    }

    fn guard(&mut self, node: &Node) -> Option<GuardLaw> {
        let text = self.text(node)?;
        match Expr::parse(&text) {
            Ok(expr) => Some(GuardLaw { expr, place: node.place }),
            Err(error) => {
                let column = node.place.column + text[..error.at.min(text.len())].chars().count();
                let place =
                    Place { column, start: (node.place.start + error.at).min(node.place.end), ..node.place };
                self.say(Code::BadGuard, place, error.message, error.cure);
                None
            }
        }
    }

    fn constants(&mut self, node: &Node) -> Vec<(Named, Constant)> {
        let mut found = Vec::new();
        for (key, value) in self.map(node, "constants by name") {
            if !self.valid_name(&key) {
                continue;
            }
            let Some(text) = self.text(value) else { continue };
            let constant = match (text.parse::<i64>(), parse_duration_ms(&text)) {
                (Ok(number), _) => Constant::Number(number),
                (_, Some(millis)) => Constant::Duration(millis),
                _ => Constant::Text(text),
            };
            found.push((key, constant));
        }
        found
    }

    fn counters(&mut self, node: &Node) -> Vec<(Named, u32)> {
        let mut found = Vec::new();
        for (key, value) in self.map(node, "counters with their start values") {
            if !self.valid_name(&key) {
                continue;
            }
            match self.text(value).map(|text| text.parse::<u32>()) {
                Some(Ok(start)) => found.push((key, start)),
                Some(Err(_)) => {
                    self.expected(value, "a whole number", "a counter starts at a whole number, usually 0")
                }
                None => {}
            }
        }
        found
    }

    /// `events` is a list of names, or names with their origin.
    fn events(&mut self, node: &Node) -> Vec<(Named, Option<Origin>)> {
        if !matches!(node.kind, Kind::Map(_)) {
            return self.names(node).into_iter().map(|name| (name, None)).collect();
        }
        let mut found = Vec::new();
        for (key, value) in self.map(node, "events") {
            let origin = match self.text(value).as_deref() {
                Some("learner") => Origin::Learner,
                Some("machine") => Origin::Machine,
                Some("silence") => Origin::Silence,
                _ => {
                    self.expected(value, "learner, machine or silence", "say who causes the event");
                    continue;
                }
            };
            found.push((key, Some(origin)));
        }
        found
    }

    /// One name or a list of names.
    pub(crate) fn names(&mut self, node: &Node) -> Vec<Named> {
        match &node.kind {
            Kind::List(items) => items.iter().filter_map(|item| self.name(item)).collect(),
            Kind::Scalar { text, .. } if text.is_empty() => Vec::new(),
            _ => self.name(node).into_iter().collect(),
        }
    }

    pub(crate) fn name(&mut self, node: &Node) -> Option<Named> {
        let name = Named { name: self.text(node)?, place: node.place };
        self.valid_name(&name).then_some(name)
    }

    fn valid_name(&mut self, named: &Named) -> bool {
        let valid = is_name(&named.name);
        if !valid {
            self.say(
                Code::UnexpectedShape,
                named.place,
                format!("`{}` cannot be a name", shorten(&named.name)),
                format!(
                    "names are letters, digits, `_` and `-`, begin with a letter and have at most {MAX_NAME_CHARS} characters"
                ),
            );
        }
        valid
    }

    pub(crate) fn text(&mut self, node: &Node) -> Option<String> {
        match &node.kind {
            Kind::Scalar { text, quoted } if !text.is_empty() || *quoted => Some(text.clone()),
            _ => {
                self.expected(node, "a word or a number", "write a single value here");
                None
            }
        }
    }

    pub(crate) fn map<'n>(&mut self, node: &'n Node, what: &str) -> Vec<(Named, &'n Node)> {
        match &node.kind {
            Kind::Map(pairs) => self.unique(pairs),
            _ if node.is_empty() => Vec::new(),
            _ => {
                self.expected(node, what, "write `key: value` lines, indented by two spaces");
                Vec::new()
            }
        }
    }

    /// The pairs of a mapping with text keys; a key written twice is a problem.
    fn unique<'n>(&mut self, pairs: &'n [(Node, Node)]) -> Vec<(Named, &'n Node)> {
        let mut seen = std::collections::HashMap::new();
        let mut found = Vec::with_capacity(pairs.len());
        for (key, value) in pairs {
            let Some(name) = self.text(key) else { continue };
            if let Some(line) = seen.insert(name.clone(), key.place.line) {
                self.say(
                    Code::NameTwice,
                    key.place,
                    format!("`{}` stands here and on line {line}", shorten(&name)),
                    "keep one of the two",
                );
                continue;
            }
            found.push((Named { name, place: key.place }, value));
        }
        found
    }

    pub(crate) fn unknown_key(&mut self, key: &Named, known: &[&str], of: &str) {
        let cure = match nearest(&key.name, known.iter().copied()) {
            Some(near) => format!("did you mean `{near}`?"),
            None => format!("{of} has: {}", known.join(", ")),
        };
        self.say(
            Code::UnexpectedShape,
            key.place,
            format!("`{}` is not a key of {of}", shorten(&key.name)),
            cure,
        );
    }
}

fn is_scalar(node: &Node, wanted: &str) -> bool {
    matches!(&node.kind, Kind::Scalar { text, .. } if text == wanted)
}

fn is_name(text: &str) -> bool {
    text.starts_with(|c: char| c.is_alphabetic() || c == '_')
        && text.chars().all(|c| c.is_alphanumeric() || matches!(c, '_' | '-'))
        && text.chars().count() <= MAX_NAME_CHARS
}
