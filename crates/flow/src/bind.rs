//! Binds a law: resolves every name to what it means, and reports each name without a meaning as a problem.

use crate::guard::{Expr, Op, Term};
use crate::law::{
    self, Attribute, Constant, Delay, FAILED, Growing, GuardLaw, Jump, Law, Members, Named, Origin, StateLaw,
    nearest,
};
use crate::machine::*;
use crate::problem::{Code, Place, Problem};
use crate::text::canonical;
use crate::vocabulary::{Cause, Vocabulary};
use crate::yaml::shorten;
use sha2::{Digest, Sha256};
use std::collections::{BTreeSet, HashMap, HashSet};
use std::ops::Range;

impl Machine {
    /// Binds a law to a vocabulary or, without one, to the names that the law itself uses. Returns every problem
    /// found if one of the names has no meaning.
    pub fn bind(
        law: &Law,
        vocabulary: Option<&Vocabulary>,
        set: &Overrides,
    ) -> Result<Machine, Vec<Problem>> {
        let mut binder = Binder::new(law, vocabulary, set);
        binder.vocabulary_names();
        for state in &law.states {
            binder.state(state);
        }
        let invariants = law.invariants.iter();
        binder.machine.invariants =
            invariants.filter_map(|guard| Some((binder.test(guard)?, guard.place))).collect();
        binder.machine.limits = Limits::of(&binder.machine.invariants);
        binder.initial();
        binder.regions();
        binder.free_counters();
        binder.limits();
        if !binder.problems.is_empty() {
            return Err(binder.problems);
        }
        let digest = Sha256::digest(canonical(&binder.machine).as_bytes());
        binder.machine.hash = digest.iter().map(|byte| format!("{byte:02x}")).collect();
        Ok(binder.machine)
    }
}

/// The number of problems after which no more suggestions are made, because each costs time.
const MAX_SUGGESTIONS: usize = 10;

struct Binder<'l> {
    law: &'l Law,
    vocabulary: Option<&'l Vocabulary>,
    /// Whether the vocabulary says how counters move, because the law does not.
    implies: bool,
    machine: Machine,
    states: HashMap<&'l str, StateId>,
    /// The position of each constant in the machine.
    constants: HashMap<&'l str, usize>,
    /// The members of each group; `None` if every waiting state is a member.
    members: Vec<Option<HashSet<&'l str>>>,
    /// The values of each attribute that lists them.
    listed: Vec<Option<BTreeSet<&'l str>>>,
    events: HashMap<String, u16>,
    actions: HashMap<String, u16>,
    outcomes: HashMap<String, u16>,
    problems: Vec<Problem>,
}

impl<'l> Binder<'l> {
    fn new(law: &'l Law, vocabulary: Option<&'l Vocabulary>, set: &Overrides) -> Binder<'l> {
        let states = law.states.iter().enumerate().map(|(at, s)| (s.name.name.as_str(), StateId(at as u32)));
        let counter = |(named, start): &(Named, u32)| Counter {
            name: named.name.clone(),
            start: *start,
            place: named.place,
            is_free: false,
        };
        let mut binder = Binder {
            law,
            vocabulary,
            implies: vocabulary.is_some() && !law.moves_counters(),
            machine: Machine {
                session: law.session.name.clone(),
                version: law.version.clone(),
                hash: String::new(),
                states: Vec::new(),
                edges: Vec::new(),
                moves: Vec::new(),
                actions: Vec::new(),
                timers: Vec::new(),
                regions: Vec::new(),
                counters: law.counters.iter().map(counter).collect(),
                attributes: law.attributes.clone(),
                invariants: Vec::new(),
                limits: Limits::of(&[]),
                initial: StateId(0),
                event_names: Vec::new(),
                origins: Vec::new(),
                opened: Vec::new(),
                closed: Vec::new(),
                is_alone: vocabulary.is_none(),
                action_names: Vec::new(),
                fact_names: Vec::new(),
                outcome_names: Vec::new(),
                constants: law.constants.iter().map(|(n, c)| (n.name.clone(), c.clone())).collect(),
            },
            states: states.collect(),
            constants: law.constants.iter().enumerate().map(|(at, (n, _))| (n.name.as_str(), at)).collect(),
            members: law.groups.iter().map(|group| members(&group.members)).collect(),
            listed: law.attributes.iter().map(listed).collect(),
            events: HashMap::new(),
            actions: HashMap::new(),
            outcomes: HashMap::new(),
            problems: Vec::new(),
        };
        binder.set_constants(set);
        binder
    }

    fn set_constants(&mut self, set: &Overrides) {
        for (name, value) in set {
            match self.constants.get(name.as_str()) {
                Some(at) => self.machine.constants[*at].1 = Constant::Number(*value),
                None => {
                    let known = self.law.constants.iter().map(|(named, _)| named.name.as_str());
                    let cure = self.suggest(name, known, "the law's `context` has no constants");
                    self.say(Code::UnknownName, self.law.session.place, unknown("constant", name), cure);
                }
            }
        }
    }

    fn say(&mut self, code: Code, place: Place, message: impl Into<String>, cure: impl Into<String>) {
        if self.problems.len() < law::MAX_PROBLEMS {
            self.problems.push(Problem::new(code, place, message, cure));
        }
    }

    /// Suggests the known name that `name` was probably meant to be, or returns `otherwise`.
    fn suggest<'n>(&self, name: &str, known: impl Iterator<Item = &'n str>, otherwise: &str) -> String {
        if self.problems.len() < MAX_SUGGESTIONS {
            did_you_mean(name, known, otherwise)
        } else {
            otherwise.to_owned()
        }
    }

    /// Numbers the names of the vocabulary first and in its order, so that ids are indices of its enums.
    fn vocabulary_names(&mut self) {
        if let Some(vocabulary) = self.vocabulary {
            for (name, origin) in &vocabulary.events {
                self.add_event(name, *origin);
            }
            for name in &vocabulary.actions {
                self.add_action(name);
            }
            self.machine.fact_names = vocabulary.facts.iter().map(|name| (*name).to_owned()).collect();
        }
        for event in &self.law.events {
            let name = &event.name.name;
            if self.vocabulary.is_none() {
                let id = self.add_event(name, event.origin.unwrap_or(conventional(name)));
                self.close(id, event.is_open, event.origin.is_some());
            } else if !self.events.contains_key(name) {
                self.unknown_event(&event.name);
            }
        }
        for fact in &self.law.facts {
            if self.vocabulary.is_none() {
                self.machine.fact_names.push(fact.name.clone());
            } else if self.machine.fact_named(&fact.name).is_none() {
                let cure = self.suggest(&fact.name, self.machine.fact_names(), "the flow answers no facts");
                self.say(Code::UnknownName, fact.place, unknown("fact", &fact.name), cure);
            }
        }
        let law = self.law;
        let raised = law.states.iter().flat_map(|state| &state.after);
        for (_, event) in raised.chain(law.groups.iter().flat_map(|group| &group.after)) {
            if self.vocabulary.is_none() && law.events.is_empty() {
                let id = self.add_event(&event.name, Origin::Silence);
                self.close(id, false, true);
            }
        }
    }

    /// Notes who may send an event. Unless the law opens it, an event of the machine or the clock is closed to
    /// others if the law gives its origin, if it is `failed`, or if the clock really raises it in a law that lists
    /// no events. If only its name suggests that origin, others may send it too.
    fn close(&mut self, id: EventId, is_open: bool, is_declared: bool) {
        let is_theirs = self.machine.origin(id) != Origin::Learner;
        if is_open {
            self.machine.opened.push(id);
        } else if is_theirs
            && (is_declared || self.machine.event_name(id) == FAILED)
            && !self.machine.is_closed(id)
        {
            self.machine.closed.push(id);
        }
    }

    fn add_event(&mut self, name: &str, origin: Origin) -> EventId {
        let id = EventId(numbered(&mut self.events, &mut self.machine.event_names, name));
        if id.index() == self.machine.origins.len() {
            self.machine.origins.push(origin);
        }
        id
    }

    fn add_action(&mut self, name: &str) -> ActionId {
        ActionId(numbered(&mut self.actions, &mut self.machine.action_names, name))
    }

    fn state(&mut self, law: &'l StateLaw) {
        let entry = self.entry(law);
        let entry_moves = self.entry_moves(law);
        let outcomes = law.outcomes.iter().map(|named| self.outcome(&named.name)).collect();
        let choice = self.choice(law);
        let edges = self.edges(law);
        let timers = self.timers(law);
        let require = law.require.iter().filter_map(|guard| self.test(guard)).collect::<Vec<_>>();
        let attributes = self.attributes(law);
        self.machine.states.push(State {
            name: law.name.name.clone(),
            place: law.name.place,
            entry,
            entry_moves,
            edges,
            choice,
            timers,
            given: Given::by(&require),
            require,
            is_final: law.is_final,
            outcomes,
            attributes,
        });
    }

    fn attributes(&mut self, state: &StateLaw) -> Vec<(Named, Named)> {
        let mut found = Vec::new();
        for (at, attribute) in self.law.attributes.iter().enumerate() {
            let own = state.attributes.iter().find(|(name, _)| name.name == attribute.name.name);
            if let (Some((_, value)), Some(listed)) = (own, &self.listed[at])
                && !listed.contains(value.name.as_str())
            {
                let cure = self.suggest(&value.name, listed.iter().copied(), "list it under `attributes`");
                let message = format!("{} of `{}`", unknown("value", &value.name), attribute.name.name);
                self.say(Code::UnknownName, value.place, message, cure);
            }
            found.extend(own.cloned());
        }
        found
    }

    fn entry(&mut self, law: &StateLaw) -> Range<u32> {
        let start = self.machine.actions.len() as u32;
        for named in &law.entry {
            if self.vocabulary.is_some() && !self.actions.contains_key(&named.name) {
                let cure = self.suggest(&named.name, self.machine.action_names(), "the flow has no actions");
                self.say(Code::UnknownName, named.place, unknown("action", &named.name), cure);
                continue;
            }
            let id = self.add_action(&named.name);
            self.machine.actions.push(id);
        }
        start..self.machine.actions.len() as u32
    }

    fn entry_moves(&mut self, law: &StateLaw) -> Range<u32> {
        let start = self.machine.moves.len() as u32;
        for named in &law.entry {
            self.implied_moves(|cause| matches!(cause, Cause::Action(name) if name == named.name));
        }
        start..self.machine.moves.len() as u32
    }

    fn implied_moves(&mut self, applies: impl Fn(Cause) -> bool) {
        let Some(vocabulary) = self.vocabulary.filter(|_| self.implies) else { return };
        for implied in vocabulary.implied.iter().filter(|implied| applies(implied.cause)) {
            // A law of the first dialect may lack counters that the flow knows.
            let counted = implied.count.iter().filter_map(|name| self.counter(name)).map(Move::Count);
            let reset = implied.reset.iter().filter_map(|name| self.counter(name)).map(Move::Reset);
            let moves: Vec<Move> = counted.chain(reset).collect();
            self.machine.moves.extend(moves);
        }
    }

    fn choice(&mut self, law: &StateLaw) -> Option<Choice> {
        let guard = law.guard.as_ref()?;
        let test = self.test(guard);
        let yes = law.on_true.as_ref().and_then(|jump| self.edge(None, jump));
        let no = law.on_false.as_ref().map(|jump| self.edge(None, jump));
        Some(Choice {
            test: test?,
            yes: yes?,
            no: no.flatten(),
            place: guard.place,
            text: guard.expr.to_string(),
        })
    }

    fn edges(&mut self, law: &'l StateLaw) -> Range<u32> {
        let mut found: Vec<Edge> = Vec::new();
        for (event, jump) in &law.on {
            found.extend(self.event_edge(event, jump));
        }
        let own: HashSet<&str> = law.on.iter().map(|(event, _)| event.name.as_str()).collect();
        for (at, group) in self.law.groups.iter().enumerate() {
            let is_member =
                self.members[at].as_ref().is_none_or(|names| names.contains(law.name.name.as_str()));
            if !is_member || law.is_final || law.guard.is_some() {
                continue;
            }
            for (event, jump) in &group.on {
                // A state's own transitions override those of its groups. Above the limit, none are added: `limits`
                // refuses the law.
                if !own.contains(event.name.as_str()) && self.machine.edges.len() <= law::MAX_EDGES {
                    found.extend(self.event_edge(event, jump));
                }
            }
        }
        found.sort_by_key(|edge| edge.event);
        found.dedup_by_key(|edge| edge.event);
        let start = self.machine.edges.len() as u32;
        self.machine.edges.extend(found);
        start..self.machine.edges.len() as u32
    }

    fn event_edge(&mut self, event: &Named, jump: &Jump) -> Option<Edge> {
        let is_open = self.vocabulary.is_none() && self.law.events.is_empty();
        if !is_open && !self.events.contains_key(&event.name) {
            self.unknown_event(event);
            return None;
        }
        let id = self.add_event(&event.name, conventional(&event.name));
        if event.name == FAILED && is_open {
            self.close(id, false, false);
        }
        self.edge(Some((id, &event.name)), jump)
    }

    fn unknown_event(&mut self, event: &Named) {
        let cure = self.suggest(&event.name, self.machine.event_names(), "add it to `events`");
        self.say(Code::UnknownName, event.place, unknown("event", &event.name), cure);
    }

    fn edge(&mut self, event: Option<(EventId, &str)>, jump: &Jump) -> Option<Edge> {
        let start = self.machine.moves.len() as u32;
        for (names, mv) in [(&jump.count, Move::Count as fn(u8) -> Move), (&jump.reset, Move::Reset)] {
            for named in names {
                match self.counter(&named.name) {
                    Some(counter) => self.machine.moves.push(mv(counter)),
                    None => self.unknown_counter(named),
                }
            }
        }
        if let Some((_, name)) = event {
            self.implied_moves(|cause| matches!(cause, Cause::Event(known) if known == name));
        }
        let moves = start..self.machine.moves.len() as u32;
        let event = event.map_or(EventId(u16::MAX), |(id, _)| id);
        let Some(named) = &jump.target else {
            // States are bound in order: this one is the next.
            let target = StateId(self.machine.states.len() as u32);
            return Some(Edge { event, target, moves, outcome: None, stays: true });
        };
        let target = self.target(named)?;
        let outcome = self.edge_outcome(jump, named, target);
        Some(Edge { event, target, moves, outcome, stays: false })
    }

    fn target(&mut self, named: &Named) -> Option<StateId> {
        let found = self.states.get(named.name.as_str()).copied();
        if found.is_none() {
            let states = self.law.states.iter();
            let cure =
                self.suggest(&named.name, states.map(|state| state.name.name.as_str()), "add the state");
            self.say(Code::UnknownName, named.place, unknown("state", &named.name), cure);
        }
        found
    }

    /// Returns the outcome of a transition. If a final state has several outcomes, every transition to it must name
    /// one.
    fn edge_outcome(&mut self, jump: &Jump, to: &Named, target: StateId) -> Option<OutcomeId> {
        let law = self.law;
        let state = &law.states[target.index()];
        let listed = || state.outcomes.iter().map(|named| named.name.as_str()).collect::<Vec<_>>().join(", ");
        match &jump.outcome {
            Some(named) if !state.is_final => {
                let message = format!("an outcome on the way to `{}`, which is not final", state.name.name);
                self.say(Code::OutcomeUnclear, named.place, message, "give the outcome where the flow ends");
                None
            }
            Some(named) => {
                if !state.outcomes.is_empty() && !state.outcomes.iter().any(|known| known.name == named.name)
                {
                    let message = format!("`{}` does not list the outcome `{}`", state.name.name, named.name);
                    self.say(Code::OutcomeUnclear, named.place, message, format!("use one of: {}", listed()));
                }
                Some(self.outcome(&named.name))
            }
            None if state.is_final && state.outcomes.len() > 1 => {
                let message =
                    format!("`{}` can end in several ways, and this does not say in which", state.name.name);
                let cure = format!("add `outcome:` with one of: {}", listed());
                self.say(Code::OutcomeUnclear, to.place, message, cure);
                None
            }
            None if state.is_final => {
                let name = state.outcomes.first().map_or("done", |named| named.name.as_str());
                Some(self.outcome(name))
            }
            None => None,
        }
    }

    fn outcome(&mut self, name: &str) -> OutcomeId {
        OutcomeId(numbered(&mut self.outcomes, &mut self.machine.outcome_names, name))
    }

    fn timers(&mut self, law: &StateLaw) -> Range<u32> {
        let start = self.machine.timers.len() as u32;
        for (delay, event) in &law.after {
            let after = self.after(delay, event, &law.name.name);
            self.machine.timers.extend(after);
        }
        start..self.machine.timers.len() as u32
    }

    fn after(&mut self, delay: &Delay, event: &Named, of: &str) -> Option<After> {
        let Some(id) = self.events.get(&event.name).copied().map(EventId) else {
            self.unknown_event(event);
            return None;
        };
        let growing = match delay {
            Delay::Growing(growing) => growing,
            plain => return self.millis(plain).map(|millis| After { millis, event: id, growth: None }),
        };
        let (millis, most) = (self.millis(&growing.first)?, self.millis(&growing.most)?);
        let (counter, from) = self.grows_with(growing, event, of)?;
        let growth = Growth { most: most.max(millis), factor: growing.factor, counter, from };
        Some(After { millis, event: id, growth: Some(growth) })
    }

    fn millis(&mut self, delay: &Delay) -> Option<u64> {
        match delay {
            Delay::Millis(millis) => Some(*millis),
            Delay::Constant(named) => self.duration(named),
            Delay::Growing(_) => None,
        }
    }

    /// Returns the counter that a pause grows with, and its value at the first pause. If the law does not name the
    /// counter, it is the one that the event of the pause counts, else the one counted on the way to the state,
    /// else the law's only counter.
    fn grows_with(&mut self, growing: &Growing, event: &Named, of: &str) -> Option<(u8, u32)> {
        let law = self.law;
        let groups = law.groups.iter().flat_map(|group| &group.on);
        let jumps = || {
            law.states
                .iter()
                .flat_map(law::jumps)
                .chain(law.groups.iter().flat_map(|g| g.on.iter().map(|(_, jump)| jump)))
        };
        let own = law.states.iter().filter(|state| state.name.name == of).flat_map(|state| &state.on);
        let counted = |jumps: Vec<&Jump>| -> BTreeSet<u8> {
            jumps.iter().flat_map(|jump| &jump.count).filter_map(|named| self.counter(&named.name)).collect()
        };
        let by_event = counted(
            own.chain(groups).filter(|(named, _)| named.name == event.name).map(|(_, jump)| jump).collect(),
        );
        let on_the_way = counted(
            jumps().filter(|jump| jump.target.as_ref().is_some_and(|target| target.name == of)).collect(),
        );
        let named = growing.by.as_ref().map(|named| self.counter(&named.name));
        let found = match (named, by_event.first(), on_the_way.first()) {
            (Some(named), ..) => named,
            (None, Some(counter), _) if by_event.len() == 1 => Some(*counter),
            (None, None, Some(counter)) if on_the_way.len() == 1 => Some(*counter),
            (None, None, None) if self.machine.counters.len() == 1 => Some(0),
            _ => None,
        };
        let Some(counter) = found else {
            match growing.by.as_ref() {
                Some(named) => self.unknown_counter(named),
                None => {
                    let message = format!(
                        "the pause before `{}` grows, but it is not clear with which counter",
                        event.name
                    );
                    let cure = format!(
                        "count one: `{}: {{target: …, count: tries}}`; or name it: `1s..1m x2 by tries`",
                        event.name
                    );
                    self.say(Code::UnexpectedShape, growing.place, message, cure);
                }
            }
            return None;
        };
        // If another transition counts, it has counted once before the first pause.
        let start = self.machine.counters[counter as usize].start;
        Some((counter, if by_event.contains(&counter) { start } else { start.saturating_add(1) }))
    }

    /// Adds a region for each group with deadlines and for each law that this one uses.
    fn regions(&mut self) {
        let law = self.law;
        for (at, group) in law.groups.iter().enumerate() {
            if group.after.is_empty() && !group.is_law {
                continue;
            }
            let is_member = |state: &&State| {
                let waits = !state.is_final && state.choice.is_none();
                waits && self.members[at].as_ref().is_none_or(|names| names.contains(state.name.as_str()))
            };
            let states = self
                .machine
                .states
                .iter()
                .filter(is_member)
                .filter_map(|state| self.states.get(state.name.as_str()));
            let mut states: Vec<StateId> = states.copied().collect();
            states.sort_unstable();
            let after = group.after.iter();
            let deadlines: Vec<After> =
                after.filter_map(|(delay, event)| self.after(delay, event, &group.name)).collect();
            self.add_region(
                Region { name: group.name.clone(), states, deadlines, is_law: group.is_law },
                group.place,
            );
        }
        self.machine.regions.sort_by_key(|region| region.states.len());
    }

    fn add_region(&mut self, region: Region, place: Place) {
        if self.machine.regions.len() >= law::MAX_REGIONS {
            let message = format!("more than {} groups with deadlines", law::MAX_REGIONS);
            self.say(Code::TooLarge, place, message, law::SPLIT);
            return;
        }
        let shares = |other: &&Region| {
            let common =
                region.states.iter().filter(|state| other.states.binary_search(state).is_ok()).count();
            common > 0 && common < region.states.len() && common < other.states.len()
        };
        if let Some(other) = self.machine.regions.iter().find(shares) {
            let message = format!(
                "`{}` and `{}` have some states in common, but neither contains the other",
                other.name, region.name
            );
            let cure = "groups with deadlines lie inside each other or apart: list other states, or give each state a timer";
            self.say(Code::UnexpectedShape, place, message, cure);
        }
        self.one_clock_for_each_event(&region, place);
        self.machine.regions.push(region);
    }

    /// Reports a deadline whose event another clock raises too. A deadline's clock is known by its event, so
    /// nothing else may raise that event where the deadline runs.
    fn one_clock_for_each_event(&mut self, region: &Region, place: Place) {
        for (at, after) in region.deadlines.iter().enumerate() {
            let machine = &self.machine;
            let by_timer = region.states.iter().flat_map(|state| machine.timers(*state));
            let around = region.states.iter().flat_map(|state| machine.deadlines(*state));
            let raised = by_timer.copied().chain(around).chain(region.deadlines[..at].iter().copied());
            if raised.into_iter().any(|other| other.event == after.event) {
                let message = format!(
                    "`{}` comes from two clocks in `{}`",
                    machine.event_name(after.event),
                    region.name
                );
                self.say(Code::NameTwice, place, message, "give the deadline an event of its own");
            }
        }
    }

    fn duration(&mut self, named: &Named) -> Option<u64> {
        match self.constant(&named.name) {
            Some(Constant::Duration(millis)) => Some(*millis),
            _ => {
                let message = format!("`{}` is not a duration", shorten(&named.name));
                let cure = "write 20s, 5m, 2h …, or the name of such a constant in `context`";
                self.say(Code::UnknownName, named.place, message, cure);
                None
            }
        }
    }

    fn constant(&self, name: &str) -> Option<&Constant> {
        self.constants.get(name).map(|at| &self.machine.constants[*at].1)
    }

    fn counter(&self, name: &str) -> Option<u8> {
        let name = name.strip_prefix("counters.").unwrap_or(name);
        self.machine.counters.iter().position(|counter| counter.name == name).map(|at| at as u8)
    }

    fn unknown_counter(&mut self, named: &Named) {
        let cure = self.suggest(&named.name, self.machine.counter_names(), "declare it under `counters`");
        self.say(Code::UnknownName, named.place, unknown("counter", &named.name), cure);
    }

    fn test(&mut self, guard: &GuardLaw) -> Option<Test> {
        self.expr(&guard.expr, guard.place)
    }

    fn expr(&mut self, expr: &Expr, place: Place) -> Option<Test> {
        Some(match expr {
            Expr::Or(a, b) => Test::Or(Box::new(self.expr(a, place)?), Box::new(self.expr(b, place)?)),
            Expr::And(a, b) => Test::And(Box::new(self.expr(a, place)?), Box::new(self.expr(b, place)?)),
            Expr::Not(a) => Test::Not(Box::new(self.expr(a, place)?)),
            Expr::Always(value) => Test::Always(*value),
            Expr::Ask(name) => self.fact(name, place)?,
            Expr::Compare(left, op, right) => match (self.term(left, place)?, self.term(right, place)?) {
                (Bound::Counter(a), Bound::Number(b)) => Test::Compare(a, *op, b),
                (Bound::Number(a), Bound::Counter(b)) => Test::Compare(b, flip(*op), a),
                (Bound::Counter(a), Bound::Counter(b)) => Test::CompareCounters(a, *op, b),
                (Bound::Number(a), Bound::Number(b)) => Test::Always(op.holds(a, b)),
            },
        })
    }

    fn fact(&mut self, name: &str, place: Place) -> Option<Test> {
        let bare = name.strip_prefix("facts.").unwrap_or(name);
        if let Some(at) = self.machine.fact_named(bare) {
            return Some(Test::Fact(at as u8));
        }
        let cure = match self.counter(bare) {
            Some(_) => format!("`{bare}` is a counter: compare it, for example `{bare} >= 1`"),
            None => self.suggest(bare, self.machine.fact_names(), "declare it under `facts`"),
        };
        self.say(Code::UnknownName, place, unknown("fact", name), cure);
        None
    }

    fn term(&mut self, term: &Term, place: Place) -> Option<Bound> {
        let name = match term {
            Term::Number(number) => return Some(Bound::Number(*number)),
            Term::Name(name) => name,
        };
        let constant = name.strip_prefix("context.").unwrap_or(name);
        let counter = self.counter(name);
        match (self.constant(constant), counter) {
            (Some(_), Some(_)) if !name.contains('.') => {
                let message = format!("`{}` is a constant and a counter", shorten(name));
                self.say(Code::NameTwice, place, message, "write `context.NAME` or `counters.NAME`");
                None
            }
            (Some(Constant::Number(number)), _) if !name.starts_with("counters.") => {
                Some(Bound::Number(*number))
            }
            (_, Some(counter)) => Some(Bound::Counter(counter)),
            (Some(_), None) => {
                let message =
                    format!("`{}` is not a number, so nothing can be compared with it", shorten(name));
                self.say(Code::BadGuard, place, message, "give it a whole number in `context`");
                None
            }
            (None, None) => {
                let known = self
                    .machine
                    .counter_names()
                    .chain(self.machine.constants.iter().map(|(n, _)| n.as_str()));
                let cure = self.suggest(constant, known, "declare it under `counters` or `context`");
                self.say(Code::UnknownName, place, unknown("counter or constant", name), cure);
                None
            }
        }
    }

    fn initial(&mut self) {
        if let Some(named) = &self.law.initial
            && let Some(state) = self.target(named)
        {
            self.machine.initial = state;
        }
        if let Some(state) = self.law.states.get(self.machine.initial.index()).filter(|state| state.is_final)
        {
            let message = format!("a flow begins in `{}`, which is final, so it never runs", state.name.name);
            let cure = "begin in a state that waits for an event: list it first, or name it with `initial`";
            self.say(Code::UnexpectedShape, state.name.place, message, cure);
        }
        for group in &self.law.groups {
            let Members::Of(names) = &group.members else { continue };
            for named in names {
                self.target(named);
            }
        }
    }

    fn limits(&mut self) {
        let machine = &self.machine;
        for (many, most, what) in [
            (machine.event_names.len(), law::MAX_EVENTS, "events"),
            (machine.action_names.len(), law::MAX_EVENTS, "actions"),
            (machine.outcome_names.len(), law::MAX_OUTCOMES, "outcomes"),
            (machine.edges.len(), law::MAX_EDGES, "transitions"),
        ] {
            if many > most {
                let message = format!("more than {most} {what}; a law has no more");
                let problem = Problem::new(Code::TooLarge, self.law.session.place, message, law::SPLIT);
                self.problems.push(problem);
            }
        }
    }

    fn free_counters(&mut self) {
        for at in 0..self.machine.counters.len() {
            let is_moved = self.machine.moves.iter().any(|mv| match mv {
                Move::Count(counter) | Move::Reset(counter) => *counter as usize == at,
            });
            self.machine.counters[at].is_free = !is_moved;
        }
    }
}

/// Returns the number of a name, and gives a new name the next number. A law with more names than numbers is
/// refused.
fn numbered(numbers: &mut HashMap<String, u16>, names: &mut Vec<String>, name: &str) -> u16 {
    if let Some(number) = numbers.get(name) {
        return *number;
    }
    let number = names.len() as u16;
    numbers.insert(name.to_owned(), number);
    names.push(name.to_owned());
    number
}

fn listed(attribute: &Attribute) -> Option<BTreeSet<&str>> {
    attribute.values.as_ref().map(|_| attribute.listed().into_keys().collect())
}

fn members(members: &Members) -> Option<HashSet<&str>> {
    match members {
        Members::NonFinal => None,
        Members::Of(names) => Some(names.iter().map(|named| named.name.as_str()).collect()),
    }
}

enum Bound {
    Counter(u8),
    Number(i64),
}

fn flip(op: Op) -> Op {
    match op {
        Op::Less => Op::Greater,
        Op::LessOrEqual => Op::GreaterOrEqual,
        Op::GreaterOrEqual => Op::LessOrEqual,
        Op::Greater => Op::Less,
        same => same,
    }
}

/// Returns the origin that an event's name suggests, for events whose origin neither law nor vocabulary gives.
fn conventional(name: &str) -> Origin {
    let lower = name.to_lowercase();
    if lower == "silence" || lower.ends_with("timeout") || lower.ends_with("timed_out") {
        Origin::Silence
    } else if lower == "done" || lower.ends_with("_done") || name == FAILED {
        Origin::Machine
    } else {
        Origin::Learner
    }
}

pub(crate) fn unknown(what: &str, name: &str) -> String {
    format!("unknown {what} `{}`", shorten(name))
}

pub(crate) fn did_you_mean<'n>(name: &str, known: impl Iterator<Item = &'n str>, otherwise: &str) -> String {
    // A hostile law can have thousands of names; a few hundred are enough to help.
    let known: Vec<&str> = known.take(500).collect();
    match nearest(name, known.iter().copied()) {
        Some(near) => format!("did you mean `{near}`?"),
        None if known.is_empty() || known.len() > 12 => otherwise.to_owned(),
        None => format!("known here: {}", known.join(", ")),
    }
}
