//! Reads a law from the tree of a file, and notes everything in it that is not as expected.

use super::*;
use crate::yaml::{Kind, Node, shorten};
use std::collections::HashMap;

const MAX_NAME_CHARS: usize = 100;

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
    "attributes",
    "facts",
    "events",
    "initial",
    "states",
    "invariants",
    "laws",
];
const STATE_KEYS: &[&str] = &[
    "about", "entry", "on", "guard", "on_true", "on_false", "after", "require", "type", "outcome",
    "outcomes", "use",
];
const JUMP_KEYS: &[&str] = &["target", "count", "reset", "outcome"];

impl Reader {
    fn say(&mut self, code: Code, place: Place, message: impl Into<String>, cure: impl Into<String>) {
        if self.problems.len() < MAX_PROBLEMS {
            self.problems.push(Problem::new(code, place, message, cure));
        }
    }

    fn expected(&mut self, node: &Node, what: &str, cure: &str) {
        let message = format!("expected {what}, found {}", node.describe());
        self.say(Code::UnexpectedShape, node.place, message, cure);
    }

    pub(super) fn law(&mut self, root: &Node, source: &str) -> Option<Law> {
        let Kind::Map(pairs) = &root.kind else {
            self.expected(root, "a mapping", "a law begins with `session: NAME`");
            return None;
        };
        let mut law = Law { source: source.to_owned(), ..Law::default() };
        law.session.place = root.place;
        // Attributes are read first, because states may use them above their declaration.
        if let Some((_, declared)) = pairs.iter().find(|(key, _)| is_scalar(key, "attributes")) {
            law.attributes = self.attributes(declared);
        }
        for (key, value) in self.unique(pairs) {
            match key.name.as_str() {
                known if says_nothing(value) && LAW_KEYS.contains(&known) => {}
                "session" => law.session = self.name(value).unwrap_or(law.session),
                "version" => law.version = self.text(value).unwrap_or_default(),
                "about" => drop(self.text(value)),
                "context" => law.constants = self.constants(value),
                "counters" => law.counters = self.counters(value),
                // Other laws are read where a state uses them.
                "attributes" | "laws" => {}
                "facts" => law.facts = self.distinct(value),
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
        self.required(pairs, root);
        self.limits(&law, root);
        Some(law)
    }

    /// Returns the law with the states of the laws that it uses in place.
    pub(super) fn composed(mut self, mut law: Law, root: &Node) -> Result<Law, Vec<Problem>> {
        if law.states.iter().any(|state| state.uses.is_some()) {
            let Kind::Map(pairs) = &root.kind else { return Ok(law) };
            let listed = pairs.iter().find(|(key, _)| is_scalar(key, "laws")).map(|(_, value)| value);
            let shelf = listed.map(|node| self.map(node, "laws by name")).unwrap_or_default();
            self.problems.extend(compose::compose(&mut law, &shelf, &mut Vec::new()));
            self.limits(&law, root);
        }
        if self.problems.is_empty() { Ok(law) } else { Err(self.problems) }
    }

    fn required(&mut self, pairs: &[(Node, Node)], root: &Node) {
        for (key, cure) in [
            ("session", "say what the flow is called: `session: MyFlow`"),
            ("version", "say which version this is: `version: 0.1`"),
            ("states", "list the states; a flow begins in the first"),
        ] {
            if !pairs.iter().any(|(known, value)| is_scalar(known, key) && !says_nothing(value)) {
                self.say(Code::UnexpectedShape, root.place, format!("the law has no `{key}`"), cure);
            }
        }
    }

    fn limits(&mut self, law: &Law, root: &Node) {
        let outcomes = law.states.iter().map(|state| state.outcomes.len()).sum();
        let values = law.attributes.iter().map(|attribute| attribute.listed().len()).max().unwrap_or(0);
        for (many, most, what) in [
            (law.states.len(), MAX_STATES, "states"),
            (law.counters.len(), MAX_COUNTERS, "counters"),
            (values, MAX_VALUES, "values of one attribute"),
            (law.facts.len(), MAX_FACTS, "facts"),
            (law.events.len(), MAX_EVENTS, "events"),
            (law.constants.len(), MAX_CONSTANTS, "constants"),
            (outcomes, MAX_OUTCOMES, "outcomes"),
        ] {
            self.limit(many, most, what, root.place);
        }
    }

    fn limit(&mut self, many: usize, most: usize, what: &str, place: Place) {
        if many > most {
            let message = format!("{many} {what}; a law has at most {most}");
            self.say(Code::TooLarge, place, message, SPLIT);
        }
    }

    fn states(&mut self, node: &Node, law: &mut Law) {
        for (key, value) in self.map(node, "states by name") {
            match self.group(&key, value) {
                Some(group) => law.groups.push(group),
                None => {
                    if self.valid_name(&key) && self.is_free_for_state(&key) {
                        law.states.push(self.state(key, value, &law.attributes));
                    }
                }
            }
        }
    }

    fn state(&mut self, name: Named, node: &Node, attributes: &[Attribute]) -> StateLaw {
        let mut state = StateLaw { name, ..StateLaw::default() };
        if node.is_empty() {
            return state;
        }
        let mut has_bad_guard = false;
        for (key, value) in self.map(node, "the keys of a state (entry, on, guard, …)") {
            match key.name.as_str() {
                "about" if says_nothing(value) => {}
                "about" => drop(self.text(value)),
                "entry" => state.entry = self.entry(value),
                "on" => state.on = self.on(value),
                "guard" => {
                    state.guard = self.guard(value);
                    has_bad_guard = state.guard.is_none();
                }
                "on_true" => state.on_true = self.branch(value),
                "on_false" => state.on_false = self.branch(value),
                "after" => state.after = self.after(value),
                "require" => state.require = self.guards(value),
                "type" => state.is_final = self.is_final(value),
                "outcome" | "outcomes" => state.outcomes = self.distinct(value),
                "use" if !attributes.iter().any(|attribute| attribute.name.name == "use") => {
                    state.uses = self.text(value).map(|name| Named { name, place: value.place })
                }
                "true" | "True" => self.say(
                    Code::UnexpectedShape,
                    key.place,
                    "`true` is not a key of a state",
                    "a YAML 1.1 tool may have turned `on` into `true`: write `on`",
                ),
                name if attributes.iter().any(|attribute| attribute.name.name == name) => {
                    if let Some(value) = (!says_nothing(value)).then(|| self.name(value)).flatten() {
                        state.attributes.push((key, value));
                    }
                }
                _ => {
                    let names = attributes.iter().map(|attribute| attribute.name.name.as_str());
                    let known: Vec<&str> = STATE_KEYS.iter().copied().chain(names).collect();
                    self.unknown_key(&key, &known, "a state");
                }
            }
        }
        if !has_bad_guard {
            self.coherent(&state);
        }
        state
    }

    /// Reports keys that each make sense, but not together.
    fn coherent(&mut self, state: &StateLaw) {
        let decides = state.guard.is_some();
        let branches = state.on_true.is_some() || state.on_false.is_some();
        let leads_on = decides || !state.on.is_empty() || !state.after.is_empty();
        for (is_wrong, what, cure) in [
            (
                decides && !state.on.is_empty(),
                "has both a guard and `on`: it cannot decide at once and also wait",
                "put the guard into a state of its own",
            ),
            (
                decides && !state.require.is_empty(),
                "has both a guard and `require`: no flow rests here, so the requirement would never be checked",
                "require it in the states that the guard leads to",
            ),
            (
                decides && state.on_true.is_none(),
                "has a guard but no `on_true`",
                "say where to go when it holds: `on_true: STATE`",
            ),
            (
                !decides && branches,
                "has `on_true` or `on_false` but no guard",
                "add `guard: …`, or use `on` with an event",
            ),
            (
                state.uses.is_some() && (decides || branches || state.is_final || !state.require.is_empty()),
                "uses another law, and so cannot decide, end a flow or require anything",
                "keep `use`, `on`, `after` and `entry`, and put the rest into states of their own",
            ),
            (
                state.is_final && leads_on,
                "is final and yet leads somewhere",
                "remove `type: final`, or its `on`, `guard` and `after`",
            ),
            (
                !state.is_final && !state.outcomes.is_empty(),
                "has an outcome but is not final",
                "add `type: final`",
            ),
        ] {
            if is_wrong {
                let message = format!("`{}` {what}", shorten(&state.name.name));
                self.say(Code::UnexpectedShape, state.name.place, message, cure);
            }
        }
    }

    fn is_final(&mut self, node: &Node) -> bool {
        let found = self.text(node);
        if found.as_deref().is_some_and(|text| text != "final") {
            self.expected(node, "`final`", "`final` is the only type there is; leave the key out otherwise");
        }
        found.as_deref() == Some("final")
    }

    fn entry(&mut self, node: &Node) -> Vec<Named> {
        items(node).iter().filter_map(|item| self.action(item)).collect()
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
        let mut found = Vec::new();
        for (key, value) in self.map(node, "events by name") {
            if self.valid_name(&key)
                && let Some(jump) = self.jump(value)
            {
                found.push((key, jump));
            }
        }
        found
    }

    /// Reads a transition: `STATE`, `stay`, or a mapping. A mapping that only moves counters stays as well.
    fn jump(&mut self, node: &Node) -> Option<Jump> {
        let mut jump = Jump { target: None, count: Vec::new(), reset: Vec::new(), outcome: None };
        let Kind::Map(pairs) = &node.kind else {
            jump.target = Some(self.name(node)?).filter(|named| named.name != STAY);
            return Some(jump);
        };
        let mut says_where = false;
        for (key, value) in self.unique(pairs) {
            match key.name.as_str() {
                "target" => {
                    jump.target = Some(self.name(value)?).filter(|named| named.name != STAY);
                    says_where = true;
                }
                "count" => jump.count = self.names(value),
                "reset" => jump.reset = self.names(value),
                "outcome" => jump.outcome = self.name(value),
                _ => self.unknown_key(&key, JUMP_KEYS, "a transition"),
            }
        }
        let moves = !jump.count.is_empty() || !jump.reset.is_empty();
        if jump.target.is_none() && (jump.outcome.is_some() || !(says_where || moves)) {
            self.expected(node, "a `target`", "say where the event leads: `target: STATE`, or `stay`");
            return None;
        }
        Some(jump)
    }

    /// Reads a transition out of a guard. No flow rests there, so none can stay.
    fn branch(&mut self, node: &Node) -> Option<Jump> {
        let jump = self.jump(node)?;
        if jump.target.is_none() {
            self.expected(node, "a `target`", "a guard leads on: name the state that comes next");
        }
        jump.target.is_some().then_some(jump)
    }

    fn after(&mut self, node: &Node) -> Vec<(Delay, Named)> {
        let mut found = Vec::new();
        for (key, value) in self.map(node, "durations with their events (`20s: timeout`)") {
            let Some(after) = self.delay(&key) else { continue };
            if let Some(event) = self.name(value) {
                found.push((after, event));
            }
        }
        found
    }

    /// Reads a delay: `20s`, the name of a constant, or `1s..1m x2`.
    fn delay(&mut self, key: &Named) -> Option<Delay> {
        let Some((first, rest)) = key.name.split_once("..") else { return self.plain_delay(key) };
        let mut words = rest.split_whitespace();
        let (most, factor) = (words.next(), words.next().and_then(growth_factor));
        let by = match (words.next(), words.next(), words.next()) {
            (None, ..) => Some(None),
            (Some("by"), Some(counter), None) if is_name(counter) => {
                Some(Some(Named { name: counter.to_owned(), place: key.place }))
            }
            _ => None,
        };
        let (Some(most), Some(factor), Some(by)) = (most, factor, by) else {
            let message = format!("`{}` is not a pause that grows", shorten(&key.name));
            let cure = "write the first pause, the longest and the factor, such as `1s..1m x2`, and perhaps the counter: `1s..1m x2 by tries`";
            self.say(Code::UnexpectedShape, key.place, message, cure);
            return None;
        };
        let end = |text: &str| Named { name: text.trim().to_owned(), place: key.place };
        let (first, most) = (self.plain_delay(&end(first))?, self.plain_delay(&end(most))?);
        Some(Delay::Growing(Box::new(Growing { first, most, factor, by, place: key.place })))
    }

    fn plain_delay(&mut self, key: &Named) -> Option<Delay> {
        match parse_duration_ms(&key.name) {
            Some(millis) => Some(Delay::Millis(millis)),
            None => self.valid_duration_name(key).then(|| Delay::Constant(key.clone())),
        }
    }

    fn is_free_for_state(&mut self, key: &Named) -> bool {
        if key.name == STAY {
            let message = format!("a state cannot be called `{STAY}`");
            let cure = "rename it: as a target, the word means that a flow stays where it is";
            self.say(Code::UnexpectedShape, key.place, message, cure);
        }
        key.name != STAY
    }

    fn valid_duration_name(&mut self, key: &Named) -> bool {
        let is_name = is_name(&key.name);
        if !is_name {
            let message = format!("`{}` is not a duration", shorten(&key.name));
            let cure = "write a number with a unit: 500ms, 20s, 5m, 2h or 30d";
            self.say(Code::UnexpectedShape, key.place, message, cure);
        }
        is_name
    }

    fn group(&mut self, key: &Named, node: &Node) -> Option<GroupLaw> {
        let rest = key.name.strip_prefix("any ")?.trim();
        let members = if rest.eq_ignore_ascii_case("non-final") || rest.eq_ignore_ascii_case("non final") {
            Members::NonFinal
        } else {
            let list = rest.strip_prefix("of ")?.trim();
            let list = list.strip_prefix('[').and_then(|list| list.strip_suffix(']')).unwrap_or(list);
            let named = |name: &str| Named { name: name.trim().to_owned(), place: key.place };
            Members::Of(list.split(',').map(named).collect())
        };
        let mut group = GroupLaw {
            place: key.place,
            name: key.name.clone(),
            members,
            on: Vec::new(),
            after: Vec::new(),
            is_law: false,
        };
        let Kind::Map(pairs) = &node.kind else {
            group.on = self.on(node);
            return Some(group);
        };
        // An event may be called `on` or `after` as well; then its value is a transition.
        let (after, events): (Vec<_>, Vec<_>) =
            pairs.iter().cloned().partition(|(key, value)| is_scalar(key, "after") && is_timing(value));
        group.after = after.iter().flat_map(|(_, value)| self.after(value)).collect();
        group.on = match events.as_slice() {
            [(key, value)] if is_scalar(key, "on") => self.on(value),
            _ => self.on(&Node { kind: Kind::Map(events), place: node.place }),
        };
        Some(group)
    }

    fn guards(&mut self, node: &Node) -> Vec<GuardLaw> {
        items(node).iter().filter_map(|item| self.guard(item)).collect()
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

    /// Reads a list of names, or a mapping in which a name may list its values, each with those that may follow.
    fn attributes(&mut self, node: &Node) -> Vec<Attribute> {
        let mut found: Vec<Attribute> = match &node.kind {
            Kind::Map(_) => {
                let pairs = self.map(node, "attributes");
                pairs
                    .into_iter()
                    .map(|(name, value)| Attribute { name, values: self.values(value) })
                    .collect()
            }
            _ => self.distinct(node).into_iter().map(|name| Attribute { name, values: None }).collect(),
        };
        // Every key of every state is compared with these, so only as many as a law may have are kept.
        self.limit(found.len(), MAX_ATTRIBUTES, "attributes", node.place);
        found.truncate(MAX_ATTRIBUTES);
        found.retain(|attribute| self.is_free_for_attribute(&attribute.name));
        found
    }

    fn values(&mut self, node: &Node) -> Option<Vec<(Named, Vec<Named>)>> {
        if says_nothing(node) {
            return None;
        }
        let mut found = Vec::new();
        for (value, next) in self.map(node, "values with those that may follow them") {
            if self.valid_name(&value) {
                found.push((value, self.distinct(next)));
            }
        }
        Some(found)
    }

    fn is_free_for_attribute(&mut self, named: &Named) -> bool {
        // `use` became a key later; a law that declares it as an attribute keeps the attribute.
        if STATE_KEYS.contains(&named.name.as_str()) && named.name != "use" {
            let message = format!("an attribute cannot be called `{}`, which is a key of states", named.name);
            self.say(Code::UnexpectedShape, named.place, message, "give it another name");
            return false;
        }
        self.valid_name(named)
    }

    /// Reads `events`, which is a list of names, or names with their origin.
    fn events(&mut self, node: &Node) -> Vec<EventLaw> {
        if !matches!(node.kind, Kind::Map(_)) {
            let undeclared = |name| EventLaw { name, origin: None, is_open: false };
            return self.distinct(node).into_iter().map(undeclared).collect();
        }
        let mut found = Vec::new();
        for (name, value) in self.map(node, "events") {
            let text = self.text(value).unwrap_or_default();
            let (is_open, said) = match text.split_once(' ') {
                Some(("open", rest)) => (true, rest.trim()),
                _ => (false, text.as_str()),
            };
            let Some(origin) = Origin::ALL.into_iter().find(|origin| said == origin.as_str()) else {
                let cure = "say what causes the event; `open machine` lets others send it as well";
                self.expected(value, "learner, machine or silence", cure);
                continue;
            };
            found.push(EventLaw { name, origin: Some(origin), is_open });
        }
        found
    }

    /// Reads one name or a list of names.
    pub(crate) fn names(&mut self, node: &Node) -> Vec<Named> {
        items(node).iter().filter_map(|item| self.name(item)).collect()
    }

    /// Reads one name or a list of names, and reports each that occurs twice.
    fn distinct(&mut self, node: &Node) -> Vec<Named> {
        let mut seen = HashMap::new();
        let mut names = self.names(node);
        names.retain(|named| self.is_first(&mut seen, &named.name, named.place));
        names
    }

    /// Whether a name has not been seen yet. Reports one that has.
    fn is_first(&mut self, seen: &mut HashMap<String, usize>, name: &str, place: Place) -> bool {
        let before = seen.insert(name.to_owned(), place.line);
        if let Some(line) = before {
            let message = format!("`{}` stands here and on line {line}", shorten(name));
            self.say(Code::NameTwice, place, message, "keep one of the two");
        }
        before.is_none()
    }

    pub(crate) fn name(&mut self, node: &Node) -> Option<Named> {
        let name = Named { name: self.text(node)?, place: node.place };
        self.valid_name(&name).then_some(name)
    }

    fn valid_name(&mut self, named: &Named) -> bool {
        let valid = is_name(&named.name);
        if !valid {
            let message = format!("`{}` cannot be a name", shorten(&named.name));
            let cure = "a name has letters, digits, `_` and `-`, begins with a letter and is at most";
            self.say(
                Code::UnexpectedShape,
                named.place,
                message,
                format!("{cure} {MAX_NAME_CHARS} characters long"),
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

    /// Returns the pairs of a mapping with text keys, and reports a key that is written twice.
    fn unique<'n>(&mut self, pairs: &'n [(Node, Node)]) -> Vec<(Named, &'n Node)> {
        let mut seen = HashMap::new();
        let mut found = Vec::with_capacity(pairs.len());
        for (key, value) in pairs {
            let Some(name) = self.text(key) else { continue };
            if self.is_first(&mut seen, &name, key.place) {
                found.push((Named { name, place: key.place }, value));
            }
        }
        found
    }

    pub(crate) fn unknown_key(&mut self, key: &Named, known: &[&str], of: &str) {
        let cure = match nearest(&key.name, known.iter().copied()) {
            Some(near) => format!("did you mean `{near}`?"),
            None => format!("{of} has: {}", known.join(", ")),
        };
        let message = format!("`{}` is not a key of {of}", shorten(&key.name));
        self.say(Code::UnexpectedShape, key.place, message, cure);
    }
}

/// Whether a value holds delays with their events, and not a transition.
fn is_timing(node: &Node) -> bool {
    let is_jump = |(key, _): &(Node, Node)| JUMP_KEYS.iter().any(|known| is_scalar(key, known));
    matches!(&node.kind, Kind::Map(pairs) if !pairs.iter().any(is_jump))
}

/// Parses `x2` as 2.
fn growth_factor(text: &str) -> Option<u32> {
    text.strip_prefix(['x', '×'])?.parse().ok().filter(|factor| (2..=100).contains(factor))
}

/// Returns the items of a list; a single value is a list of one.
fn items(node: &Node) -> &[Node] {
    match &node.kind {
        Kind::List(items) => items,
        Kind::Scalar { text, .. } if text.is_empty() => &[],
        _ => std::slice::from_ref(node),
    }
}

fn says_nothing(node: &Node) -> bool {
    node.is_empty() || is_scalar(node, "")
}

fn is_scalar(node: &Node, wanted: &str) -> bool {
    matches!(&node.kind, Kind::Scalar { text, .. } if text == wanted)
}

fn is_name(text: &str) -> bool {
    text.starts_with(|c: char| c.is_alphabetic() || c == '_')
        && text.chars().all(|c| c.is_alphanumeric() || matches!(c, '_' | '-'))
        && text.chars().count() <= MAX_NAME_CHARS
}
