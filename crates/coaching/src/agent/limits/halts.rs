//! Finds the words that end the agent's turn, or leave something for later: "stop", "wait", "leave it", "show me
//! first".

use super::reader::{Reader, ban_or_stop};
use super::things::scope;
use super::{How, Limit};
use crate::agent::clauses::Subject;
use crate::agent::phrases::{Means, words_of};

/// The maximum number of words after "wait" in an order to stop: "wait then", "wait here please".
const MAX_WAIT_WORDS: usize = 2;
/// The minimum length of a closing word for "leave". Shorter words close clauses about something else.
const MIN_LAST_SKIP_LETTERS: usize = 6;
/// Beginnings of an order to an agent.
const TOLD: &[Means] = &[
    Means::Work,
    Means::Talk,
    Means::Only,
    Means::Third,
    Means::General,
    Means::Openers,
    Means::Nots,
    Means::GoesOn,
    Means::KeepsOn,
];

impl Reader<'_> {
    /// Reads an order to stop: "Stop after that", "wait for me", "then stop".
    pub fn halt(self) -> Option<Limit> {
        let length = self.length(Means::Halts, 0);
        let is_final = self.ends_in_halt();
        if length == 0 && !is_final {
            return None;
        }
        if self.is(Means::Waits, 0) && self.is(Means::With, 1) {
            return Some(ban_or_stop(self.things(2)));
        }
        let rest = &self.words()[length..];
        let is_bare = rest.is_empty() || is_final;
        // "Stop. Fix the lexer instead." gives another task.
        let is_overtaken = is_bare && self.at == 0 && self.has_later_task() && self.clause().aside.is_empty();
        let is_meant = self.is_halt_meant(rest, is_bare) && !is_overtaken && !self.is_behaviour();
        is_meant.then_some(Limit::Stop)
    }

    /// Whether the clause ends in an order to stop: "Danach aufhören", "hör damit auf".
    fn ends_in_halt(self) -> bool {
        let is_order = self.is_one_of(&[Means::Work, Means::Talk, Means::Skips], 0);
        let is_last = self.last() > 0 && self.is(Means::Halts, self.last());
        is_last && self.ends_in(&["en", "er", "ar"]) && !is_order || self.is_all(Means::PartedHalts)
    }

    fn is_halt_meant(self, rest: &[String], is_bare: bool) -> bool {
        let ends = self.phrases.at(Means::HaltEnds, rest, 0) > 0;
        let means_me = || self.mentions(Means::Me);
        match (is_bare, self.is(Means::Waits, 0)) {
            (true, true) => self.clause().aside.is_empty() || means_me(),
            (true, false) => true,
            (false, true) => means_me() || (ends && rest.len() <= MAX_WAIT_WORDS),
            (false, false) => ends,
        }
    }

    /// Whether the clause describes what a program does, as "retry and stop" does.
    fn is_behaviour(self) -> bool {
        self.before().filter(|_| self.clause().is_joined).is_some_and(|before| {
            before.clause().subject == Subject::Agent
                && before.opening().is_empty()
                && !before.words().is_empty()
                && !before.is_one_of(TOLD, 0)
                && !self.phrases.is_foreign(before.words())
        })
    }

    /// Reads an order to leave something out or for later: "Leave the importer for tomorrow", "skip the docs".
    pub fn skips(self) -> Vec<Limit> {
        let length = self.length(Means::Skips, 0);
        let is_last = self.ends_in_skip();
        if length == 0 && !is_last {
            return Vec::new();
        }
        if let Some(at) = self.find(&[Means::Except, Means::ButFor]) {
            return vec![Limit::Only(scope(&self.words()[at..], self.phrases))];
        }
        if self.is(Means::LetMe, 0) && self.has(Means::Reviews) {
            return vec![Limit::Stop];
        }
        self.left(if is_last { 0 } else { length })
    }

    fn ends_in_skip(self) -> bool {
        let last = self.last();
        let ends = self.is(Means::Skips, last) && self.word(last).len() >= MIN_LAST_SKIP_LETTERS;
        let is_parted = (1..=last).any(|at| self.is(Means::PartedSkips, at)) && self.mentions(Means::Later);
        last > 0 && ends || is_parted
    }

    fn left(self, from: usize) -> Vec<Limit> {
        if self.is(Means::Leaves, 0) && !self.mentions(Means::Later) {
            return Vec::new();
        }
        let meant = self.meant();
        let mut things = if meant.is_empty() { self.things(from) } else { meant };
        things.retain(|thing| thing != "lass");
        let is_tests = things.iter().any(|thing| thing.starts_with("test"));
        let no_runs = (is_tests && !self.word(0).starts_with("ignor")).then_some(Limit::NoRuns);
        // "Leave everything else alone."
        if things.is_empty() && (self.has(Means::More) || self.has(Means::Rest)) {
            return vec![self.what_was_asked()];
        }
        let ban = (!things.is_empty()).then_some(Limit::Ban(How::Any, things));
        no_runs.into_iter().chain(ban).collect()
    }

    /// Reads an exception: "… without touching the database".
    pub fn without(self) -> Option<Limit> {
        let at = self.find(&[Means::Without, Means::Except])?;
        let changes = self.is(Means::Changes, at + 1);
        let things = self.things(if changes { at + 2 } else { at + 1 });
        let is_ban = changes || self.is(Means::Except, at) || self.word(self.last()).starts_with("zu");
        (is_ban && !things.is_empty()).then_some(Limit::Ban(How::Any, things))
    }

    /// Reads an order to show something before going on: "Show me the plan first", "send me the diff before …".
    pub fn shown(self) -> Option<Limit> {
        let talks = self.clause().is_joined && self.is(Means::TalksWithMe, 0);
        let sentence = words_of(self.clause().sentence);
        let comes_before =
            self.phrases.has(Means::BeforeGoingOn, &sentence) && self.phrases.has(Means::ToMe, &sentence);
        let is_first = self.mentions(Means::First) || self.phrases.has(Means::Before, &self.clause().aside);
        let shows = self.is(Means::Shows, 0) && self.mentions(Means::Me) && is_first;
        (talks || comes_before || shows).then_some(Limit::Stop)
    }
}
