//! Finds what a negated clause rules out: "Do not …".

use super::reader::{Reader, ban_or_stop};
use super::things::{VERBS, scope, stem};
use super::{How, Limit};
use crate::agent::phrases::Means;

impl Reader<'_> {
    pub fn bans(self) -> Vec<Limit> {
        let verb_at = self.verb_after(0, &[Means::Nots, Means::BeforeBanned]);
        if self.is_one_of(&[Means::Halts, Means::IdleBans], verb_at) {
            return Vec::new();
        }
        let ban = self.pointing_ban(verb_at).or_else(|| self.run_ban(verb_at));
        match ban.or_else(|| self.ban_on_going_on(verb_at)) {
            Some(ban) => vec![ban],
            None if self.bans_all(verb_at) => self.ban_on_changes().into_iter().collect(),
            None => self.named_bans(verb_at),
        }
    }

    /// Bans the things that "it" stands for: "The importer is old. Don't touch it."
    fn pointing_ban(self, verb_at: usize) -> Option<Limit> {
        let meant = self.meant();
        let is_it = !meant.is_empty() && self.things(verb_at + 1).is_empty();
        is_it.then_some(Limit::Ban(How::Any, meant))
    }

    fn run_ban(self, verb_at: usize) -> Option<Limit> {
        let is_about_runs = || self.has(Means::Tests) || self.things(verb_at + 1).is_empty();
        (self.is(Means::RunVerbs, verb_at) && is_about_runs()).then_some(Limit::NoRuns)
    }

    fn ban_on_going_on(self, verb_at: usize) -> Option<Limit> {
        let goes_on = self.is(Means::GoesOn, verb_at) && !self.has(Means::More);
        goes_on.then(|| ban_or_stop(self.things(verb_at + 1)))
    }

    /// Whether the ban names nothing in particular.
    fn bans_all(self, verb_at: usize) -> bool {
        let is_verb = self.is_one_of(&[Means::Changes, Means::Work], verb_at) || self.has_verb();
        self.has(Means::Work) && self.has(Means::More)
            || is_verb && self.things(verb_at + 1).is_empty()
            || self.things(0).is_empty()
    }

    /// Returns the ban on all changes, or on all changes except the ones that the prompt names.
    fn ban_on_changes(self) -> Option<Limit> {
        let is_change = self.has(Means::AnyChange)
            || self.mentions(Means::Changes)
            || self.mentions(Means::General) && self.has_verb();
        let scope = || self.clauses.iter().flat_map(|clause| scope(&clause.words, self.phrases)).collect();
        is_change.then(|| if self.has(Means::More) { Limit::Only(scope()) } else { Limit::NoChanges })
    }

    fn named_bans(self, verb_at: usize) -> Vec<Limit> {
        let verb = || How::Verb(stem(self.word(verb_at)));
        let (all, after) = (self.things(0), self.things(verb_at + 1));
        let is_known = self.is_one_of(&[Means::Changes, Means::Work], verb_at);
        let (how, things) = if self.is(Means::Adds, verb_at) && !after.is_empty() {
            (How::Adding, after)
        } else if is_known {
            (How::Any, after)
        } else if self.has_verb() {
            (How::Any, all)
        } else if after.is_empty() && all.len() <= 1 {
            return self.ban_on_one(verb(), all);
        } else if self.phrases.is_foreign(self.words()) {
            (How::Any, all)
        } else {
            (verb(), after)
        };
        vec![Limit::Ban(how, things)]
    }

    /// Bans a single thing, as in "not b", or a verb by itself, as in "don't commit".
    fn ban_on_one(self, verb: How, things: Vec<String>) -> Vec<Limit> {
        let mut bans = vec![Limit::Ban(verb, Vec::new())];
        if !self.is(Means::Dont, 0) {
            bans.push(Limit::Ban(How::Any, things));
        }
        bans
    }

    fn has_verb(self) -> bool {
        let ends = self.ends_in(&["en"]) && self.is_one_of(VERBS, self.last());
        ends || self.is_one_of(VERBS, 0) || self.is(Means::Skips, 0)
    }
}
