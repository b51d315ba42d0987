//! Reads limits to one thing: "only the parser", "just answer", "the parser first", "… for now".

use super::Limit;
use super::reader::Reader;
use super::things::scope;
use crate::agent::phrases::Means;

/// The maximum distance of "only" from the beginning of a clause.
pub(super) const REACH: usize = 3;
const MAX_SHORT_WORDS: usize = 5;

impl Reader<'_> {
    pub fn only(self) -> Option<Limit> {
        let is_other = self.is_one_of(&[Means::Halts, Means::Skips], 0) || self.has(Means::Whole);
        if self.words().is_empty() || is_other {
            return None;
        }
        let is_told = self.works() || self.is_fragment() || self.ends_in_infinitive();
        let is_limit = self.says_only() || is_told && (self.is_for_now() || self.is_first());
        is_limit.then(|| Limit::Only(scope(self.words(), self.phrases)))
    }

    fn says_only(self) -> bool {
        let inside = self.only_inside();
        let ends = inside == Some(self.last());
        let is_brief = || self.words().len() <= REACH && !self.is(Means::Operates, 0);
        self.opens_with_only()
            || inside.is_some_and(|at| at > 0) && (self.is_strong() || self.has(Means::Parts))
            || ends && (self.works() || self.is_fragment() || is_brief())
    }

    fn opens_with_only(self) -> bool {
        let is_negated = self.opening().iter().any(|word| word == "not" || word == "nicht");
        self.phrases.has(Means::Only, self.opening())
            && self.can_be_limited()
            && !is_negated
            && !self.is_remark()
            && !self.is(Means::Conditions, 0)
    }

    /// Returns the place of "only" among the words, if it limits what the agent is told and not what a program
    /// does.
    fn only_inside(self) -> Option<usize> {
        self.find(&[Means::Only]).filter(|at| {
            let is_negated = *at > 0 && self.is(Means::Nots, at - 1);
            let is_conditional = self.is(Means::Conditions, at + 1) && !self.is(Means::Focuses, 0)
                || at + 1 == self.words().len() && !self.clause().aside.is_empty();
            !is_negated && !is_conditional && (*at <= REACH || *at == self.last())
        })
    }

    /// Whether the clause may be an order that "only" limits.
    fn can_be_limited(self) -> bool {
        let is_short = self.words().len() <= MAX_SHORT_WORDS
            && self.clause().aside.is_empty()
            && (self.is(Means::Third, 1) || self.mentions(Means::Me));
        self.is_strong() || self.has(Means::Parts) || self.is_fragment() || self.works() && is_short
    }

    fn works(self) -> bool {
        self.is_one_of(&[Means::Work, Means::Talk], 0)
    }

    /// Whether the clause begins with a verb that fits only agents, or ends with an infinitive for an agent's work.
    fn is_strong(self) -> bool {
        self.works() && !self.is(Means::Either, 0) || self.ends_in_infinitive()
    }

    fn ends_in_infinitive(self) -> bool {
        let last = self.last();
        last > 0 && self.ends_in(&["n"]) && self.is_one_of(&[Means::Work, Means::Talk], last)
    }

    /// Whether the clause is a thing without a verb: "the parser", "step 2", "tests".
    fn is_fragment(self) -> bool {
        let words = self.words();
        let is_finite = self.phrases.has(Means::Finite, words.get(1..).unwrap_or_default());
        let is_one = words.len() == 1 && !self.is(Means::Openers, 0) && !self.word(0).ends_with("ing");
        let names = self.is_one_of(&[Means::Third, Means::Parts], 0);
        !is_finite && (names || is_one || words.len() == 2 && self.ends_in_first())
    }

    /// Whether the clause is a mere remark: "just a question" limits nothing.
    fn is_remark(self) -> bool {
        self.words().len() > 1 && matches!(self.word(0), "a" | "an") || self.has(Means::Remarks)
    }

    fn is_for_now(self) -> bool {
        self.phrases.has(Means::ForNow, self.opening()) || self.has(Means::ForNow)
    }

    fn is_first(self) -> bool {
        (self.phrases.has(Means::First, self.opening()) || self.ends_in_first()) && !self.has_later_task()
    }

    /// Whether the clause ends in "first", as opposed to "the first".
    fn ends_in_first(self) -> bool {
        (1..self.words().len()).any(|at| {
            let length = self.length(Means::First, at);
            length > 0 && at + length >= self.words().len() && !self.is(Means::NotBeforeFirst, at - 1)
        })
    }
}
