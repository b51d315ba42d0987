//! Finds what the human will do: take work over, or look at it before the next step.

use super::only::REACH;
use super::reader::Reader;
use super::things::{scope, stem, things_in};
use super::{How, Limit};
use crate::agent::phrases::{Means, words_of};

/// The number of words before the wish in "I want to …".
const WISH_WORDS: usize = 3;

/// The human's announcement of a step of their own: its form, and the place of its verb.
#[derive(Clone, Copy)]
struct Promise {
    kind: Kind,
    verb_at: usize,
}

#[derive(Clone, Copy, PartialEq)]
enum Kind {
    /// "I will …"
    Promised,
    /// "I want to …"
    Wished,
    /// In another word order: "den Importer mache ich".
    Free,
}

impl Reader<'_> {
    pub fn human(self) -> Vec<Limit> {
        if self.wants_only() {
            return vec![Limit::Only(scope(self.words(), self.phrases))];
        }
        match self.promise() {
            Some(promise) if self.reviews(promise) => vec![Limit::Stop],
            Some(promise) if self.takes(promise) => self.take_over(promise),
            _ => Vec::new(),
        }
    }

    /// Whether the human wants one thing only: "I only want the parser", "ich brauche nur …".
    fn wants_only(self) -> bool {
        let near = 0..self.words().len().min(REACH + 1);
        let has = |word: &str| self.words().iter().any(|own| own == word);
        let only = near.clone().any(|at| self.is(Means::Only, at) && self.word(at) != "just");
        let just = has("just") && !has("to");
        near.into_iter().any(|at| self.is(Means::Wants, at)) && (only || just)
    }

    fn promise(self) -> Option<Promise> {
        // "We'll" and "well" look alike once folded.
        let is_well = self.opening().last().is_some_and(|word| word == "well");
        let said = self.length(Means::Promises, 0);
        let (kind, after) = if said > 0 || is_well {
            (Kind::Promised, said)
        } else if self.is(Means::Wishes, 0) {
            (Kind::Wished, WISH_WORDS)
        } else if self.phrases.is_foreign(self.words()) || self.is(Means::ForeignI, 0) || self.is_inverted() {
            (Kind::Free, 0)
        } else {
            return None;
        };
        Some(Promise { kind, verb_at: self.verb_after(after, &[Means::BeforePromised]) })
    }

    /// Whether the human will look at the work before the agent goes on.
    fn reviews(self, Promise { kind, verb_at }: Promise) -> bool {
        let reviews = match kind {
            Kind::Promised => self.is(Means::Reviews, verb_at),
            Kind::Wished => self.is(Means::Reviews, verb_at) && self.is_before_others(),
            Kind::Free => {
                let is_soon = self.clause().is_joined || self.is_before_others() || self.is_soon();
                self.has(Means::Reviews) && is_soon
            }
        };
        let at_end = || self.phrases.has(Means::AtEnd, &words_of(self.clause().sentence));
        reviews && self.word(verb_at) != "give" && !at_end()
    }

    fn takes(self, Promise { kind, verb_at }: Promise) -> bool {
        let alone = self.mentions(Means::Self_);
        let takes = match kind {
            Kind::Free => {
                let is_theirs = alone || self.is_inverted() || self.is_soon() || self.has(Means::TakesOver);
                self.has(Means::Takes) && is_theirs
            }
            _ => alone || self.is(Means::Takes, verb_at),
        };
        takes && !self.has(Means::You)
    }

    fn take_over(self, Promise { kind, verb_at }: Promise) -> Vec<Limit> {
        let from = if kind == Kind::Free { 0 } else { verb_at + 1 };
        let named = self.words().iter().skip(from).filter(|word| !self.phrases.is(Means::Takes, word));
        let things = things_in(&named.cloned().collect::<Vec<_>>(), self.phrases);
        let runs = self.is(Means::Trials, verb_at) || things.contains(&stem("testing"));
        let taken = if !things.is_empty() {
            Limit::Ban(How::Any, things)
        } else if self.has(Means::Rest) {
            self.what_was_asked()
        } else if self.is(Means::LastDeeds, verb_at) {
            Limit::Ban(How::Verb(stem(self.word(verb_at))), Vec::new())
        } else {
            Limit::Stop
        };
        runs.then_some(Limit::NoRuns).into_iter().chain([taken]).collect()
    }

    /// Whether the sentence says that something comes first.
    fn is_before_others(self) -> bool {
        let is_order = |words: &[String]| {
            self.phrases.has(Means::First, words) || self.phrases.has(Means::Before, words)
        };
        let mut same = self.clauses.iter().filter(|clause| clause.sentence == self.clause().sentence);
        self.mentions(Means::First) || same.any(|clause| is_order(&clause.aside) || is_order(&clause.words))
    }

    fn is_inverted(self) -> bool {
        (1..self.words().len()).any(|at| self.is(Means::InvertedI, at))
    }

    fn is_soon(self) -> bool {
        self.phrases.has(Means::Soon, &words_of(self.clause().sentence))
    }
}
