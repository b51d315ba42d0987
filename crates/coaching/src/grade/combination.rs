//! Finds the combinations of words that express an idea.
//!
//! A combination is a wording without its order. Every word of it, or a synonym, must appear in one sentence,
//! near the others, and the sentence must deny what the wording denies and affirm what it affirms. A wording that
//! ends with `+` also needs one other word of the idea, whichever it is.

use std::collections::HashSet;
use std::ops::Range;
use std::sync::LazyLock;

use super::dismissal::is_dismissed;
use super::family::{Family, families};
use super::lists::List;
use super::negation::is_negator;
use super::question::GAP;
use super::reading::{Flavour, Reading};
use super::sense::{Sense, Senses, is_content, is_typo, weight};
use super::stem::stem;

/// The number of words over which a combination may spread, for each word of its own.
const ROOM: usize = 5;
/// The weight of a synonym.
pub(super) const SYNONYM: f32 = 0.7;
/// The weight of a misspelt word.
pub(super) const TYPO: f32 = 0.95;
/// The weight of a word that the answer repeats from the question.
const ASKED: f32 = 0.35;
/// The weight of a match whose words stand in another order or further apart than in the wording.
const LOOSE: f32 = 0.85;
/// The number of partial matches in an answer that the search tries.
const MAX_TRIES: usize = 2_000;
/// The characters that mark code. A wording that contains one is compared literally.
const CODE: &[char] = &['=', '<', '>', '+', '*', '&', '|', '%', '!', '?', '#', '@', '_'];

/// A word to look for, in all its variants.
#[derive(Debug, Clone, Default)]
pub(super) struct Term {
    stems: HashSet<String>,
    families: HashSet<Family>,
    weight: f32,
}

impl Term {
    /// Returns a term that any telling word of these texts matches.
    pub(super) fn of<'t>(texts: impl Iterator<Item = &'t str>) -> Term {
        let mut term = Term::default();
        for token in texts.flat_map(|text| Reading::new(text, Flavour::Stems).tokens) {
            if is_content(&token.letters) && weight(&token.letters) > 0.4 {
                term.add(&token.letters);
            }
        }
        term.families.clear();
        term.weight = 0.5;
        term
    }

    fn add(&mut self, word: &str) {
        let stem = stem(word).into_owned();
        self.weight = self.weight.max(weight(word));
        self.families.extend(families(&stem));
        self.stems.insert(stem);
    }

    /// Returns how well a word of an answer matches the term, from 0 to 1.
    fn value(&self, sense: &Sense) -> f32 {
        if self.stems.contains(&sense.stem) {
            1.0
        } else if sense.families.iter().any(|family| self.families.contains(family)) {
            SYNONYM
        } else if sense.families.is_empty() && self.stems.iter().any(|stem| is_typo(stem, &sense.stem)) {
            TYPO
        } else {
            0.0
        }
    }

    fn is_number(&self) -> bool {
        self.stems.iter().all(|stem| stem.starts_with(|c: char| c.is_ascii_digit()))
    }
}

/// The words of a wording, all of which must be found.
#[derive(Debug, Clone)]
pub(super) struct Combination {
    terms: Vec<Term>,
    is_negative: bool,
    /// Whether the wording ends with `+`, so that any other word of the idea completes it.
    is_open: bool,
    /// Whether the wording has a gap, so that its words must come in its order.
    is_ordered: bool,
    /// The number of words in the wording, with room for four more if it is open.
    length: usize,
}

/// A place where a combination was found.
#[derive(Debug, Clone)]
pub(super) struct Match {
    pub tokens: Range<usize>,
    /// The closeness to the wording, up to 1.
    pub value: f32,
    /// The amount of information in it that the question does not already give.
    pub news: f32,
    /// Whether the wording has a single word, apart from an open `+`.
    pub is_single: bool,
    /// Whether any other word of the idea belongs to the wording.
    pub is_open: bool,
    pub has_typo: bool,
}

impl Match {
    /// Returns the match of text found exactly as written, such as code.
    pub(super) fn of_code(has_typo: bool) -> Match {
        Match { tokens: 0..0, value: 1.0, news: 1.0, is_single: false, is_open: false, has_typo }
    }

    /// The weight of this match as evidence.
    pub(super) fn strength(&self) -> f32 {
        self.value * self.news.min(1.2)
    }
}

impl Combination {
    /// Parses a wording that consists of words. Returns `None` for code, and for words that say nothing by
    /// themselves.
    pub(super) fn parse(wording: &str, companions: &Term) -> Option<Combination> {
        let (wording, is_open) = wording.strip_suffix(" +").map_or((wording, false), |words| (words, true));
        let is_ordered = wording.contains(GAP);
        let bare = wording.replace(GAP, " ");
        if bare.contains(CODE) {
            return None;
        }
        let (mut terms, mut is_negative) = (Vec::new(), false);
        for piece in bare.split_whitespace() {
            let mut term = Term::default();
            for token in variants(piece).flat_map(|choice| Reading::new(choice, Flavour::Stems).tokens) {
                is_negative |= is_negator(&token.letters);
                if is_content(&token.letters) {
                    term.add(&token.letters);
                }
            }
            terms.extend(Some(term).filter(|term| !term.stems.is_empty()));
        }
        terms.extend(is_open.then(|| companions.clone()));
        let length = wording.split_whitespace().count() + 4 * usize::from(is_open);
        (!terms.is_empty()).then_some(Combination { terms, is_negative, is_open, is_ordered, length })
    }

    /// Returns the combination of the same words that denies what this one affirms, and the other way round.
    pub(super) fn turned(&self) -> Combination {
        Combination { is_negative: !self.is_negative, ..self.clone() }
    }

    /// Whether the author gave a single word, which says little by itself.
    pub(super) fn is_single(&self) -> bool {
        self.terms.len() + usize::from(self.is_negative) - usize::from(self.is_open) < 2
    }

    /// Whether its words must come in order.
    pub(super) fn has_gap(&self) -> bool {
        self.is_ordered
    }

    /// Whether the wording is one ordinary word, which wrong answers use too. A number, a technical term or a
    /// word of the question, such as one of two names, may be the whole answer, so these are not loose.
    pub(super) fn is_loose(&self, asked: &HashSet<&str>) -> bool {
        let Term { stems, .. } = &self.terms[0];
        let is_term = |stem: &String| asked.contains(stem.as_str()) || TERMS.contains(stem);
        self.is_single() && !self.is_open && !self.terms[0].is_number() && !stems.iter().all(is_term)
    }

    /// Returns the strongest match in the answer. A single word matches only itself or a misspelling, not a
    /// synonym, unless it is a number.
    pub(super) fn find(
        &self,
        answer: &Senses,
        asked: &HashSet<&str>,
        fits: &dyn Fn(Range<usize>) -> bool,
    ) -> Option<Match> {
        let is_strict = self.is_single() && !self.is_open && !self.terms[0].is_number();
        let least = if is_strict { TYPO } else { 0.0 };
        let mut places: Vec<Vec<(&Sense, f32)>> = Vec::new();
        for term in &self.terms {
            let values = answer.senses.iter().map(|sense| (sense, term.value(sense)));
            let found: Vec<(&Sense, f32)> = values.filter(|(_, v)| *v > 0.0 && *v >= least).collect();
            if found.is_empty() {
                return None;
            }
            places.push(found);
        }
        let mut search =
            Search { combination: self, answer, asked, fits, places, best: None, tries: MAX_TRIES };
        search.extend(&mut Vec::new());
        search.best
    }
}

/// The search for the strongest match of a combination in an answer.
struct Search<'s> {
    combination: &'s Combination,
    answer: &'s Senses,
    asked: &'s HashSet<&'s str>,
    /// Whether the words at a place may express the idea.
    fits: &'s dyn Fn(Range<usize>) -> bool,
    /// For each term, the words of the answer that match it, and how well.
    places: Vec<Vec<(&'s Sense, f32)>>,
    best: Option<Match>,
    tries: usize,
}

impl<'s> Search<'s> {
    fn extend(&mut self, chosen: &mut Vec<(&'s Sense, f32)>) {
        let start = chosen.iter().map(|(sense, _)| sense.tokens.start).min().unwrap_or(0);
        let end = chosen.iter().map(|(sense, _)| sense.tokens.end).max().unwrap_or(0);
        self.tries = self.tries.saturating_sub(1);
        if self.tries == 0 || (end > 0 && !self.is_near(start..end)) {
            return;
        }
        let Some(next) = self.places.get(chosen.len()) else { return self.take(start..end, chosen) };
        for (sense, value) in next.clone() {
            if chosen.iter().all(|(other, _)| are_apart(&other.tokens, &sense.tokens)) {
                chosen.push((sense, value));
                self.extend(chosen);
                chosen.pop();
            }
        }
    }

    fn is_near(&self, span: Range<usize>) -> bool {
        let parts = &self.answer.parts;
        span.len() <= ROOM * self.combination.terms.len().max(2) && parts[span.start] == parts[span.end - 1]
    }

    fn take(&mut self, span: Range<usize>, chosen: &[(&Sense, f32)]) {
        // Synonyms alone drift too far from the wording: at least one of several words must match more closely.
        if chosen.len() > 1 && chosen.iter().all(|(_, value)| *value == SYNONYM) {
            return;
        }
        let span = self.with_negator(span);
        if self.is_denied(span.clone(), chosen)
            || is_dismissed(&self.answer.tokens, span.clone())
            || !(self.fits)(span.clone())
        {
            return;
        }
        let is_in_order = chosen.windows(2).all(|pair| pair[0].0.tokens.start < pair[1].0.tokens.start);
        if self.combination.is_ordered && !is_in_order {
            return;
        }
        let found = self.found(span, chosen, is_in_order);
        if self.best.as_ref().is_none_or(|best| found.strength() > best.strength()) {
            self.best = Some(found);
        }
    }

    /// Extends the span of a negative wording to the negator up to three words before it.
    fn with_negator(&self, span: Range<usize>) -> Range<usize> {
        const REACH: usize = 3;
        let is_negator = |at: &usize| is_negator(&self.answer.tokens[*at].letters);
        let before = (span.start.saturating_sub(REACH)..span.start).rev().find(is_negator);
        let start =
            before.filter(|_| self.combination.is_negative && !span.clone().any(|at| is_negator(&at)));
        start.unwrap_or(span.start)..span.end
    }

    /// Whether the answer denies what the wording affirms, or affirms what it denies. If the wording has only one
    /// word of its own, a denial of the word beside it does not count.
    fn is_denied(&self, span: Range<usize>, chosen: &[(&Sense, f32)]) -> bool {
        let own = &chosen[..chosen.len() - usize::from(self.combination.is_open)];
        let span = match own {
            [(only, _)] => only.tokens.clone(),
            _ => span,
        };
        self.answer.denies(span, own) != self.combination.is_negative
    }

    fn found(&self, tokens: Range<usize>, chosen: &[(&Sense, f32)], is_in_order: bool) -> Match {
        let terms = &self.combination.terms;
        let all: f32 = terms.iter().map(|term| term.weight).sum();
        let said: f32 = terms.iter().zip(chosen).map(|(term, (_, value))| term.weight * value).sum();
        let is_tight = self.combination.is_ordered || tokens.len() <= self.combination.length + 1;
        let loose = if is_in_order { 1.0 } else { LOOSE } * if is_tight { 1.0 } else { LOOSE };
        let news = |(term, (sense, value)): (&Term, &(&Sense, f32))| {
            term.weight * value * if self.asked.contains(sense.stem.as_str()) { ASKED } else { 1.0 }
        };
        let news: f32 = terms.iter().zip(chosen).map(news).sum();
        let news = news + if self.combination.is_negative { 0.5 } else { 0.0 };
        let has_typo = chosen.iter().any(|(_, value)| *value == TYPO);
        let (is_single, is_open) = (self.combination.is_single(), self.combination.is_open);
        Match { tokens, value: said / all * loose, news, is_single, is_open, has_typo }
    }
}

/// The stems of the technical terms.
static TERMS: LazyLock<HashSet<String>> =
    LazyLock::new(|| List::Terms.entries().map(|term| stem(term).into_owned()).collect());

/// Splits `a/b` into its two words. 1/6 is one number and stays whole.
fn variants(piece: &str) -> impl Iterator<Item = &str> {
    let is_fraction = piece.starts_with(|c: char| c.is_ascii_digit());
    piece.split(move |c: char| c == '/' && !is_fraction)
}

fn are_apart(one: &Range<usize>, other: &Range<usize>) -> bool {
    one.end <= other.start || other.end <= one.start
}
