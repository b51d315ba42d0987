//! Composes laws: the states of another law take the place of a state that uses it.
//!
//! They are named after that state: `pay-ask` is the state `ask` of the law that `pay` uses. Counters and constants
//! are renamed likewise. Events, actions and facts are common to both laws. The state itself stays as the way in:
//! it resets the counters and leads on at once. Where the other law would end a flow, the transition for that
//! outcome is followed.

use super::*;
use crate::guard::Term;
use crate::yaml::{self, Kind, Node, shorten};
use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet};

/// The depth to which laws may use each other.
const MAX_DEPTH: usize = 8;

/// Laws by the names under which states use them.
type Shelf<'n> = Vec<(Named, &'n Node)>;

/// Returns a text that needs no other file: the laws that it uses are appended under `laws`. `find` reads them by
/// name. A text that uses none, or that lists them already, stays as it is.
pub fn bundle(
    source: &str,
    mut find: impl FnMut(&str) -> Result<String, String>,
) -> Result<String, Vec<Problem>> {
    let Some(first) = used_laws(source).filter(|names| !names.is_empty()) else {
        return Ok(source.to_owned());
    };
    let mut found: BTreeMap<String, String> = BTreeMap::new();
    let mut open: Vec<Named> = first;
    while let Some(named) = open.pop() {
        if found.contains_key(&named.name) {
            continue;
        }
        let text = find(&named.name).map_err(|why| vec![not_found(&named, &why)])?;
        let inner = used_laws(&text).unwrap_or_default();
        open.extend(inner.into_iter().map(|inner| Named { place: named.place, ..inner }));
        found.insert(named.name, text);
        if found.values().map(String::len).sum::<usize>() > MAX_SOURCE_BYTES {
            break;
        }
    }
    // A JSON string is a YAML string.
    let laws = serde_json::to_string(&found).unwrap_or_default();
    Ok(format!("{}\nlaws: {laws}\n", source.trim_end()))
}

fn not_found(named: &Named, why: &str) -> Problem {
    let message = format!("the law `{}` cannot be read: {why}", shorten(&named.name));
    let cure = "name a file beside this law, or put the law under `laws` in this file";
    Problem::new(Code::UnknownName, named.place, message, cure)
}

/// Returns the laws that a text uses; `None` if it lists them itself or cannot be read.
fn used_laws(source: &str) -> Option<Vec<Named>> {
    let root = yaml::read(source).ok()?;
    let Kind::Map(pairs) = &root.kind else { return None };
    let value = |wanted: &str| pairs.iter().find(|(key, _)| is(key, wanted)).map(|(_, value)| value);
    let Some(Kind::Map(states)) = value("states").map(|node| &node.kind) else { return None };
    if value("laws").is_some() {
        return None;
    }
    let uses = states.iter().filter_map(|(_, state)| match &state.kind {
        Kind::Map(keys) => keys.iter().find(|(key, _)| is(key, "use")).map(|(_, value)| value),
        _ => None,
    });
    let named = |node: &Node| match &node.kind {
        Kind::Scalar { text, .. } => Some(Named { name: text.clone(), place: node.place }),
        _ => None,
    };
    Some(uses.filter_map(named).collect())
}

fn is(node: &Node, wanted: &str) -> bool {
    matches!(&node.kind, Kind::Scalar { text, .. } if text == wanted)
}

/// Puts the states of other laws in place. `within` names the laws that are being put in place, outermost first.
pub(super) fn compose(law: &mut Law, shelf: &Shelf<'_>, within: &mut Vec<String>) -> Vec<Problem> {
    let mut problems = Vec::new();
    let states = std::mem::take(&mut law.states);
    let users: HashSet<String> =
        states.iter().filter(|state| state.uses.is_some()).map(|state| state.name.name.clone()).collect();
    let mut groups = Vec::new();
    for state in states {
        let Some(used) = state.uses.clone() else {
            law.states.push(state);
            continue;
        };
        let inner = find(&used, shelf, within).and_then(|inner| Part::of(inner, &state, &used));
        match inner {
            Ok(mut part) => {
                problems.extend(part.lead_out(&state));
                problems.extend(part.share_names(law));
                groups.extend(part.groups());
                groups.push(part.group(&state));
                law.states.push(part.way_in(&state));
                law.states.append(&mut part.law.states);
            }
            Err(problem) => {
                problems.push(*problem);
                law.states.push(StateLaw { uses: None, ..state });
            }
        }
    }
    problems.extend(names_twice(law));
    // The states of a law come before the state that uses it, and both before the groups around it.
    groups.append(&mut law.groups);
    law.groups = groups;
    spread(law, &users);
    problems
}

/// Replaces a state that uses a law by the states of that law, wherever a group names it.
fn spread(law: &mut Law, users: &HashSet<String>) {
    let boxes: HashMap<String, Vec<Named>> = law
        .groups
        .iter()
        .filter(|group| group.is_law)
        .filter_map(|group| match &group.members {
            Members::Of(names) => Some((group.name.clone(), names.clone())),
            Members::NonFinal => None,
        })
        .collect();
    for group in law.groups.iter_mut().filter(|group| !group.is_law) {
        let Members::Of(names) = &mut group.members else { continue };
        if names.iter().any(|named| users.contains(&named.name)) {
            let meant =
                |named: &Named| boxes.get(&named.name).cloned().unwrap_or_else(|| vec![named.clone()]);
            *names = names.iter().flat_map(meant).collect();
        }
    }
}

fn names_twice(law: &Law) -> Vec<Problem> {
    let mut seen = HashSet::new();
    let states = law.states.iter().map(|state| &state.name);
    let mut problems: Vec<Problem> = states
        .filter(|named| !seen.insert(named.name.as_str()))
        .map(|named| {
            let message = format!("two states are called `{}`", shorten(&named.name));
            let cure = "rename one: the states of a law that is used are called after the state that uses it";
            Problem::new(Code::NameTwice, named.place, message, cure)
        })
        .collect();
    problems.truncate(MAX_PROBLEMS);
    problems
}

fn find(used: &Named, shelf: &Shelf<'_>, within: &mut Vec<String>) -> Result<Law, Box<Problem>> {
    if within.contains(&used.name) || within.len() >= MAX_DEPTH {
        let message = format!("`{}` is used inside itself, or too deep", shorten(&used.name));
        let cure = format!("a law uses others up to {MAX_DEPTH} deep, and never itself");
        return Err(Box::new(Problem::new(Code::UnexpectedShape, used.place, message, cure)));
    }
    let Some((_, node)) = shelf.iter().find(|(named, _)| named.name == used.name) else {
        return Err(Box::new(not_found(used, "nothing under `laws` has this name")));
    };
    let mut law = read(node).map_err(|problems| Box::new(unusable(used, &problems)))?;
    within.push(used.name.clone());
    let problems = compose(&mut law, shelf, within);
    within.pop();
    match problems.is_empty() {
        true => Ok(law),
        false => Err(Box::new(unusable(used, &problems))),
    }
}

/// Reads a law under `laws`, which is a text, or a mapping as in a file of its own.
fn read(node: &Node) -> Result<Law, Vec<Problem>> {
    let inner;
    let (root, source) = match &node.kind {
        Kind::Scalar { text, .. } => {
            inner = yaml::read(text).map_err(|problem| vec![*problem])?;
            (&inner, text.as_str())
        }
        _ => (node, ""),
    };
    let mut reader = Reader::default();
    match reader.law(root, source) {
        Some(law) if reader.problems.is_empty() => Ok(law),
        _ => Err(reader.problems),
    }
}

fn unusable(used: &Named, problems: &[Problem]) -> Problem {
    let first = problems.first().map_or(String::new(), |problem| {
        format!(": {} in line {}: {}", problem.code, problem.line, problem.message)
    });
    let message = format!("`{}` cannot be used{first}", shorten(&used.name));
    let cure = format!("`etude check {}` shows all that is wrong with it", shorten(&used.name));
    Problem::new(Code::UnexpectedShape, used.place, message, cure)
}

/// A law on its way into another. Its names are already those that it will have there.
struct Part {
    law: Law,
    name: String,
    place: Place,
    initial: Named,
    /// Final states with the outcomes that they list.
    ends: HashMap<String, StateLaw>,
    /// Every outcome by which the law can be left.
    outcomes: BTreeSet<String>,
}

impl Part {
    fn of(mut law: Law, user: &StateLaw, used: &Named) -> Result<Part, Box<Problem>> {
        let (name, place) = (user.name.name.clone(), used.place);
        Rename::of(&law, &name, place).apply(&mut law);
        let first = law.initial.clone().or_else(|| law.states.first().map(|state| state.name.clone()));
        let (ends, states): (Vec<_>, Vec<_>) = law.states.into_iter().partition(|state| state.is_final);
        let Some(initial) = first.filter(|named| states.iter().any(|state| state.name.name == named.name))
        else {
            let message = format!("`{}` has no state to begin in", shorten(&used.name));
            let cure = "begin it in a state that waits or decides";
            return Err(Box::new(Problem::new(Code::UnexpectedShape, place, message, cure)));
        };
        law.states = states;
        let ends: HashMap<String, StateLaw> =
            ends.into_iter().map(|state| (state.name.name.clone(), state)).collect();
        let mut part = Part { law, name, place, initial, ends, outcomes: BTreeSet::new() };
        part.outcomes = part.all_outcomes();
        Ok(part)
    }

    fn all_outcomes(&self) -> BTreeSet<String> {
        let listed = self.ends.values().flat_map(|end| end.outcomes.iter().map(|named| named.name.clone()));
        let mut found: BTreeSet<String> = listed.collect();
        for state in &self.law.states {
            found.extend(jumps(state).filter_map(|jump| self.outcome(jump)));
        }
        found.extend(
            self.law.groups.iter().flat_map(|group| &group.on).filter_map(|(_, jump)| self.outcome(jump)),
        );
        found
    }

    /// Returns the outcome of a transition that ends the law; the first if the transition does not say which.
    fn outcome(&self, jump: &Jump) -> Option<String> {
        let end = self.ends.get(&jump.target.as_ref()?.name)?;
        let named = jump.outcome.as_ref().or(end.outcomes.first());
        Some(named.map_or("done".to_owned(), |named| named.name.clone()))
    }

    /// Replaces every transition into a final state by the user's transition for its outcome.
    fn lead_out(&mut self, user: &StateLaw) -> Vec<Problem> {
        let mut problems = Vec::new();
        let mut exits: HashMap<String, &Jump> = HashMap::new();
        for outcome in &self.outcomes {
            match user.on.iter().find(|(named, _)| named.name == *outcome) {
                Some((_, jump)) if jump.target.is_some() => {
                    exits.insert(outcome.clone(), jump);
                }
                _ => {
                    let message =
                        format!("`{}` does not say what follows the outcome `{outcome}`", self.name);
                    let cure = format!("add `{outcome}: STATE` to its `on`");
                    problems.push(
                        Problem::new(Code::OutcomeUnclear, self.place, message, cure).state(&self.name),
                    );
                }
            }
        }
        let mut doors: BTreeMap<String, StateLaw> = BTreeMap::new();
        let mut states = std::mem::take(&mut self.law.states);
        let mut groups = std::mem::take(&mut self.law.groups);
        let own = states.iter_mut().flat_map(jumps_mut);
        for jump in own.chain(groups.iter_mut().flat_map(|group| group.on.iter_mut().map(|(_, jump)| jump))) {
            let Some(exit) = self.outcome(jump).and_then(|outcome| Some((exits.get(&outcome)?, outcome)))
            else {
                continue;
            };
            self.lead_through(jump, exit, &mut doors);
        }
        self.law.states = states;
        self.law.states.extend(doors.into_values());
        self.law.groups = groups;
        problems
    }

    /// Leads a transition out. A final state with actions or attributes becomes a door that performs or carries
    /// them.
    fn lead_through(
        &self,
        jump: &mut Jump,
        (exit, outcome): (&&Jump, String),
        doors: &mut BTreeMap<String, StateLaw>,
    ) {
        let end = jump.target.as_ref().and_then(|target| self.ends.get(&target.name));
        let Some(end) = end.filter(|end| !end.entry.is_empty() || !end.attributes.is_empty()) else {
            jump.count.extend(exit.count.iter().cloned());
            jump.reset.extend(exit.reset.iter().cloned());
            (jump.target, jump.outcome) = (exit.target.clone(), exit.outcome.clone());
            return;
        };
        let name = Named { name: format!("{}-{outcome}", end.name.name), place: self.place };
        (jump.target, jump.outcome) = (Some(name.clone()), None);
        let door = || StateLaw {
            entry: end.entry.clone(),
            attributes: end.attributes.clone(),
            ..passage(name.clone(), (*exit).clone())
        };
        doors.entry(name.name.clone()).or_insert_with(door);
    }

    /// Returns the state that uses the law: it resets the law's counters and leads to its first state.
    fn way_in(&self, user: &StateLaw) -> StateLaw {
        let reset = self.law.counters.iter().map(|(named, _)| named.clone()).collect();
        let target = Some(self.initial.clone());
        let into = Jump { target, count: Vec::new(), reset, outcome: None };
        StateLaw {
            entry: user.entry.clone(),
            attributes: user.attributes.clone(),
            ..passage(user.name.clone(), into)
        }
    }

    fn waiting(&self) -> Vec<Named> {
        let waits = |state: &&StateLaw| state.guard.is_none() && !state.is_final;
        self.law.states.iter().filter(waits).map(|state| state.name.clone()).collect()
    }

    /// Returns the law's own groups, limited to its own states.
    fn groups(&mut self) -> Vec<GroupLaw> {
        let members = self.waiting();
        let mut groups = std::mem::take(&mut self.law.groups);
        for group in &mut groups {
            if matches!(group.members, Members::NonFinal) {
                group.members = Members::Of(members.clone());
            }
            if !group.is_law {
                group.name = format!("{} in {}", group.name, self.name);
            }
        }
        groups
    }

    /// Returns all its waiting states as one group, with the user's deadlines and the events that all of them take.
    fn group(&self, user: &StateLaw) -> GroupLaw {
        let is_event = |(named, _): &&(Named, Jump)| !self.outcomes.contains(&named.name);
        GroupLaw {
            place: self.place,
            name: self.name.clone(),
            members: Members::Of(self.waiting()),
            on: user.on.iter().filter(is_event).cloned().collect(),
            after: user.after.clone(),
            is_law: true,
        }
    }

    /// Makes events, facts, attributes, counters, constants and promises those of the whole.
    fn share_names(&mut self, whole: &mut Law) -> Vec<Problem> {
        let mut problems = self.share_events(whole);
        for fact in std::mem::take(&mut self.law.facts) {
            if !whole.facts.iter().any(|known| known.name == fact.name) {
                whole.facts.push(fact);
            }
        }
        for attribute in std::mem::take(&mut self.law.attributes) {
            if !whole.attributes.iter().any(|known| known.name.name == attribute.name.name) {
                whole.attributes.push(attribute);
            }
        }
        for invariant in std::mem::take(&mut self.law.invariants) {
            match asks_facts(&invariant.expr) {
                false => whole.invariants.push(invariant),
                // A statement about facts holds only while a flow is inside, so it becomes a requirement of the
                // states there.
                true => {
                    let waiting = self.law.states.iter_mut().filter(|state| state.guard.is_none());
                    waiting.for_each(|state| state.require.push(invariant.clone()));
                }
            }
        }
        let known: HashSet<&str> = whole.counters.iter().map(|(named, _)| named.name.as_str()).collect();
        if let Some((named, _)) =
            self.law.counters.iter().find(|(named, _)| known.contains(named.name.as_str()))
        {
            let message = format!("two counters are called `{}`", shorten(&named.name));
            problems.push(Problem::new(Code::NameTwice, self.place, message, "rename one of them"));
        }
        whole.counters.append(&mut self.law.counters.clone());
        whole.constants.append(&mut self.law.constants);
        problems
    }

    fn share_events(&self, whole: &mut Law) -> Vec<Problem> {
        if whole.events.is_empty() && self.law.events.is_empty() {
            return Vec::new();
        }
        if whole.events.is_empty() {
            whole.events = used_events(whole);
        }
        let own = match self.law.events.is_empty() {
            true => used_events(&self.law),
            false => self.law.events.clone(),
        };
        let mut problems = Vec::new();
        for event in own {
            match whole.events.iter_mut().find(|known| known.name.name == event.name.name) {
                None => whole.events.push(event),
                Some(known) if known.origin.is_none() => known.origin = event.origin,
                Some(known) if event.origin.is_some() && event.origin != known.origin => {
                    let message = format!(
                        "`{}` has one origin here and another in the law that `{}` uses",
                        event.name.name, self.name
                    );
                    problems.push(Problem::new(
                        Code::NameTwice,
                        self.place,
                        message,
                        "rename one of the events",
                    ));
                }
                Some(_) => {}
            }
        }
        problems
    }
}

/// Returns a state that only leads on.
fn passage(name: Named, to: Jump) -> StateLaw {
    let guard = GuardLaw { expr: Expr::Always(true), place: name.place };
    StateLaw { name, guard: Some(guard), on_true: Some(to), ..StateLaw::default() }
}

fn jumps_mut(state: &mut StateLaw) -> impl Iterator<Item = &mut Jump> {
    state.on.iter_mut().map(|(_, jump)| jump).chain(&mut state.on_true).chain(&mut state.on_false)
}

/// Returns the events of a law that declares none.
fn used_events(law: &Law) -> Vec<EventLaw> {
    let timed =
        law.states.iter().flat_map(|state| &state.after).chain(law.groups.iter().flat_map(|g| &g.after));
    let raised: Vec<EventLaw> = timed
        .map(|(_, name)| EventLaw { name: name.clone(), origin: Some(Origin::Silence), is_open: false })
        .collect();
    let on =
        law.states.iter().flat_map(|state| &state.on).chain(law.groups.iter().flat_map(|group| &group.on));
    let taken = on.map(|(name, _)| EventLaw { name: name.clone(), origin: None, is_open: false });
    let mut seen = HashSet::new();
    raised.into_iter().chain(taken).filter(|event| seen.insert(event.name.name.clone())).collect()
}

fn asks_facts(expr: &Expr) -> bool {
    match expr {
        Expr::Or(a, b) | Expr::And(a, b) => asks_facts(a) || asks_facts(b),
        Expr::Not(a) => asks_facts(a),
        Expr::Ask(_) => true,
        Expr::Compare(..) | Expr::Always(_) => false,
    }
}

/// The renaming of a law that is put into another. States, counters and constants get their names in the whole.
/// Everything gets the place of its use, because its own lines are those of another file.
struct Rename {
    prefix: String,
    place: Place,
    counters: HashSet<String>,
    constants: HashSet<String>,
}

impl Rename {
    fn of(law: &Law, user: &str, place: Place) -> Rename {
        Rename {
            prefix: format!("{user}-"),
            place,
            counters: law.counters.iter().map(|(named, _)| named.name.clone()).collect(),
            constants: law.constants.iter().map(|(named, _)| named.name.clone()).collect(),
        }
    }

    fn apply(&self, law: &mut Law) {
        law.initial.iter_mut().for_each(|named| self.name(named));
        law.counters.iter_mut().for_each(|(named, _)| self.name(named));
        law.constants.iter_mut().for_each(|(named, _)| self.name(named));
        law.invariants.iter_mut().for_each(|guard| self.guard(guard));
        for named in law.facts.iter_mut().chain(law.events.iter_mut().map(|event| &mut event.name)) {
            named.place = self.place;
        }
        for attribute in &mut law.attributes {
            attribute.name.place = self.place;
            for (value, next) in attribute.values.iter_mut().flatten() {
                next.iter_mut().chain([value]).for_each(|named| named.place = self.place);
            }
        }
        law.states.iter_mut().for_each(|state| self.state(state));
        for group in &mut law.groups {
            group.place = self.place;
            if group.is_law {
                group.name = format!("{}{}", self.prefix, group.name);
            }
            if let Members::Of(names) = &mut group.members {
                names.iter_mut().for_each(|named| self.name(named));
            }
            group.on.iter_mut().for_each(|(event, jump)| self.transition(event, jump));
            self.timers(&mut group.after);
        }
    }

    fn state(&self, state: &mut StateLaw) {
        self.name(&mut state.name);
        let attributes = state.attributes.iter_mut().flat_map(|(name, value)| [name, value]);
        for named in state.entry.iter_mut().chain(&mut state.outcomes).chain(attributes) {
            named.place = self.place;
        }
        state.on.iter_mut().for_each(|(event, jump)| self.transition(event, jump));
        state.on_true.iter_mut().chain(&mut state.on_false).for_each(|jump| self.jump(jump));
        state.guard.iter_mut().chain(&mut state.require).for_each(|guard| self.guard(guard));
        self.timers(&mut state.after);
    }

    fn transition(&self, event: &mut Named, jump: &mut Jump) {
        event.place = self.place;
        self.jump(jump);
    }

    fn jump(&self, jump: &mut Jump) {
        jump.target.iter_mut().for_each(|named| self.name(named));
        jump.outcome.iter_mut().for_each(|named| named.place = self.place);
        for named in jump.count.iter_mut().chain(&mut jump.reset) {
            *named = Named { name: self.counter(&named.name), place: self.place };
        }
    }

    fn timers(&self, timers: &mut [(Delay, Named)]) {
        for (delay, event) in timers {
            event.place = self.place;
            self.delay(delay);
        }
    }

    fn delay(&self, delay: &mut Delay) {
        match delay {
            Delay::Millis(_) => {}
            Delay::Constant(named) => self.name(named),
            Delay::Growing(growing) => {
                growing.place = self.place;
                self.delay(&mut growing.first);
                self.delay(&mut growing.most);
                growing.by.iter_mut().for_each(|named| self.name(named));
            }
        }
    }

    fn guard(&self, guard: &mut GuardLaw) {
        guard.place = self.place;
        self.expr(&mut guard.expr);
    }

    fn expr(&self, expr: &mut Expr) {
        match expr {
            Expr::Or(a, b) | Expr::And(a, b) => {
                self.expr(a);
                self.expr(b);
            }
            Expr::Not(a) => self.expr(a),
            Expr::Compare(a, _, b) => {
                for term in [a, b] {
                    if let Term::Name(name) = term {
                        *name = self.term(name);
                    }
                }
            }
            Expr::Ask(_) | Expr::Always(_) => {}
        }
    }

    /// Renames a counter or a constant in a comparison, and keeps the prefix that says which of the two it is.
    fn term(&self, name: &str) -> String {
        match name.split_once('.') {
            Some((kind, bare)) => format!("{kind}.{}{bare}", self.prefix),
            None if self.counters.contains(name) || self.constants.contains(name) => {
                format!("{}{name}", self.prefix)
            }
            None => name.to_owned(),
        }
    }

    fn counter(&self, name: &str) -> String {
        let bare = name.strip_prefix("counters.").unwrap_or(name);
        format!("{}{bare}", self.prefix)
    }

    fn name(&self, named: &mut Named) {
        *named = Named { name: format!("{}{}", self.prefix, named.name), place: self.place };
    }
}
