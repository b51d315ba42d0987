//! Reads one clause of a prompt in the context of the others.

use super::things::{scope, things_but, things_in};
use super::{How, Limit};
use crate::agent::clauses::{Clause, Subject};
use crate::agent::phrases::{Means, Phrases};

/// The minimum length of a word whose ending tells that it is a verb.
const MIN_INFINITIVE_LETTERS: usize = 5;

#[derive(Clone, Copy)]
pub(super) struct Reader<'r> {
    pub clauses: &'r [Clause<'r>],
    pub at: usize,
    pub phrases: &'r Phrases,
}

impl<'r> Reader<'r> {
    /// Returns the limits that the clause sets.
    pub fn read(self) -> Vec<Limit> {
        let of_anybody = self.enough().or_else(|| self.of_others()).or_else(|| self.takes_break());
        if let Some(limit) = of_anybody {
            return vec![limit];
        }
        match self.clause().subject {
            Subject::Agent if self.is_negated() => self.bans(),
            Subject::Agent => self.order(),
            Subject::Human => self.human(),
            Subject::Other => self.put_off().into_iter().collect(),
        }
    }

    fn order(self) -> Vec<Limit> {
        let mut found = self.skips();
        found.extend([self.halt(), self.without(), self.only(), self.shown()].into_iter().flatten());
        found
    }

    /// Reads that something is enough, whomever the clause is about: "The parser is enough".
    fn enough(self) -> Option<Limit> {
        let all = self.all_words();
        self.phrases.has(Means::Enough, &all).then(|| Limit::Only(scope(&all, self.phrases)))
    }

    /// Reads that someone else does the work: "My colleague does the importer."
    fn of_others(self) -> Option<Limit> {
        let all = self.all_words();
        let names_them = self.clause().subject != Subject::Agent && self.phrases.has(Means::Others, &all);
        let takes = self.word(0) != "mach" && self.has(Means::TakesIt);
        let things = || things_but(Some(Means::OthersWords), &all, self.phrases);
        (names_them || takes).then(|| Limit::Ban(How::Any, things()))
    }

    fn takes_break(self) -> Option<Limit> {
        self.is_all(Means::Breaks).then_some(Limit::Stop)
    }

    /// Reads that something can wait: "The importer can wait."
    fn put_off(self) -> Option<Limit> {
        if !self.has(Means::PutsOff) {
            return None;
        }
        let things = things_but(Some(Means::PutOffWords), self.words(), self.phrases);
        match things.is_empty() {
            true => self.mentions(Means::General).then(|| self.what_was_asked()),
            false => Some(Limit::Ban(How::Any, things)),
        }
    }

    /// Whether the clause forbids something: "do not …", "no …", "… nicht …", or a clause that "or" joins to one of
    /// these.
    fn is_negated(self) -> bool {
        let opens = self.opening().last().is_some_and(|word| self.phrases.is(Means::OpeningNots, word))
            && !self.is(Means::Halts, 0)
            && !self.is(Means::Work, 0);
        let goes_with = || {
            let before = self.before().filter(|_| self.clause().is_alternative);
            before.is_some_and(|before| before.clause().subject == Subject::Agent && before.is_negated())
        };
        opens || self.begins_with_not() || self.has(Means::FarNots) || goes_with()
    }

    fn begins_with_not(self) -> bool {
        let place = match (self.is(Means::BeforeNot, 0), self.word(0)) {
            (true, "you") => 0..3,
            (true, _) => 0..2,
            (false, _) => 0..1,
        };
        !self.is(Means::Without, 0) && place.into_iter().any(|at| self.is(Means::Nots, at))
    }

    pub fn clause(self) -> &'r Clause<'r> {
        &self.clauses[self.at]
    }

    pub fn words(self) -> &'r [String] {
        &self.clause().words
    }

    pub fn opening(self) -> &'r [String] {
        &self.clause().opening
    }

    /// Returns the words before, in and after the main part of the clause.
    fn all_words(self) -> Vec<String> {
        [self.opening(), self.words(), &self.clause().aside].concat()
    }

    pub fn word(self, at: usize) -> &'r str {
        self.words().get(at).map_or("", String::as_str)
    }

    /// Returns the place of the last word.
    pub fn last(self) -> usize {
        self.words().len().saturating_sub(1)
    }

    pub fn is(self, means: Means, at: usize) -> bool {
        self.length(means, at) > 0
    }

    pub fn is_one_of(self, means: &[Means], at: usize) -> bool {
        means.iter().any(|means| self.is(*means, at))
    }

    pub fn length(self, means: Means, at: usize) -> usize {
        self.phrases.at(means, self.words(), at)
    }

    /// Whether one phrase is the whole clause.
    pub fn is_all(self, means: Means) -> bool {
        !self.words().is_empty() && self.length(means, 0) == self.words().len()
    }

    pub fn has(self, means: Means) -> bool {
        self.phrases.has(means, self.words())
    }

    /// Returns the first place of a word with one of these meanings.
    pub fn find(self, means: &[Means]) -> Option<usize> {
        (0..self.words().len()).find(|at| self.is_one_of(means, *at))
    }

    pub fn mentions(self, means: Means) -> bool {
        self.clause().mentions(means, self.phrases)
    }

    pub fn before(self) -> Option<Reader<'r>> {
        Some(Reader { at: self.at.checked_sub(1)?, ..self })
    }

    /// Returns the words of the clause that name things, from a place on.
    pub fn things(self, from: usize) -> Vec<String> {
        things_in(self.words().get(from..).unwrap_or_default(), self.phrases)
    }

    /// Returns the place of the first word from `from` on that is none of these fillers, or the number of words if
    /// there is none.
    pub fn verb_after(self, from: usize, fillers: &[Means]) -> usize {
        let end = self.words().len();
        (from..end).find(|at| !self.is_one_of(fillers, *at)).unwrap_or(end)
    }

    /// Whether the last word has the ending of a verb.
    pub fn ends_in(self, endings: &[&str]) -> bool {
        let word = self.word(self.last());
        word.len() >= MIN_INFINITIVE_LETTERS && endings.iter().any(|ending| word.ends_with(ending))
    }

    /// Returns the things that "it" stands for: those of the clause before, if it describes something.
    pub fn meant(self) -> Vec<String> {
        let before = self.before().filter(|before| before.clause().subject == Subject::Other);
        before.filter(|_| self.has(Means::It)).map(|before| before.things(0)).unwrap_or_default()
    }

    /// Limits the agent to what the prompt tells it to do.
    pub fn what_was_asked(self) -> Limit {
        let told = self.clauses.iter().filter(|clause| clause.subject == Subject::Agent);
        Limit::Only(told.flat_map(|clause| scope(&clause.words, self.phrases)).collect())
    }

    /// Whether a later clause gives the agent work.
    pub fn has_later_task(self) -> bool {
        (self.at + 1..self.clauses.len()).map(|at| Reader { at, ..self }).any(|later| {
            later.clause().subject == Subject::Agent && later.is_one_of(&[Means::Work, Means::Talk], 0)
        })
    }
}

/// Rules these things out or, if there are none, everything.
pub(super) fn ban_or_stop(things: Vec<String>) -> Limit {
    if things.is_empty() { Limit::Stop } else { Limit::Ban(How::Any, things) }
}
