//! The combinations that the grader looks for in an answer.
//!
//! A combination is a wording without its order: every word of it, or a synonym, must appear in one sentence, near the
//! others, and both must deny or affirm. A wording that ends with `+` takes any other word of the idea.

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

/// How many words a combination may spread over, for each of its own.
const ROOM: usize = 5;
/// The weight of a word that only means the same.
pub(super) const SYNONYM: f32 = 0.7;
/// The weight of a misspelt word.
pub(super) const TYPO: f32 = 0.95;
/// The weight of a word of the question in an answer to it.
const ASKED: f32 = 0.35;
/// The weight of a match whose words stand in another order, or further apart.
const LOOSE: f32 = 0.85;
/// How many places of an answer are tried.
const MAX_TRIES: usize = 2_000;
/// What a wording with one of these is compared with as it stands.
const CODE: &[char] = &['=', '<', '>', '+', '*', '&', '|', '%', '!', '?', '#', '@', '_'];

/// A word that is looked for, in all its variants.
#[derive(Debug, Clone, Default)]
pub(super) struct Term {
    stems: HashSet<String>,
    families: HashSet<Family>,
    weight: f32,
}

impl Term {
    /// Any word of these texts.
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

    /// How well a word of an answer says it.
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

/// The words to look for: all of them.
#[derive(Debug, Clone)]
pub(super) struct Combination {
    terms: Vec<Term>,
    is_negative: bool,
    /// It ends with any other word of the idea.
    is_open: bool,
    /// A gap in it says that the words come in this order.
    is_ordered: bool,
    /// How many words the wording has.
    length: usize,
}

/// How a combination was found.
#[derive(Debug, Clone)]
pub(super) struct Match {
    pub tokens: Range<usize>,
    /// How close it is to the wording, up to 1.
    pub value: f32,
    /// How much it tells that the question does not.
    pub news: f32,
    /// It is one word only, if need be with any other of the idea.
    pub is_single: bool,
    /// Any other word of the idea belongs to it.
    pub is_open: bool,
    pub has_typo: bool,
}

impl Match {
    /// Text found exactly as written, such as code.
    pub(super) fn of_code(has_typo: bool) -> Match {
        Match { tokens: 0..0, value: 1.0, news: 1.0, is_single: false, is_open: false, has_typo }
    }

    /// How much it proves.
    pub(super) fn strength(&self) -> f32 {
        self.value * self.news.min(1.2)
    }
}

impl Combination {
    /// A wording of words. There is none for code and for words that say nothing by themselves.
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

    /// The same words, denied where they were affirmed and the other way round.
    pub(super) fn turned(&self) -> Combination {
        Combination { is_negative: !self.is_negative, ..self.clone() }
    }

    /// Whether the author gave a single word, which says little by itself.
    pub(super) fn is_single(&self) -> bool {
        self.terms.len() + usize::from(self.is_negative) - usize::from(self.is_open) < 2
    }

    /// Whether its words come in an order.
    pub(super) fn has_gap(&self) -> bool {
        self.is_ordered
    }

    /// Whether it is one ordinary word, which wrong answers have too. A number, a technical term and a word of the question,
    /// such as one of two names, may be the whole answer.
    pub(super) fn is_loose(&self, asked: &HashSet<&str>) -> bool {
        let Term { stems, .. } = &self.terms[0];
        let is_term = |stem: &String| asked.contains(stem.as_str()) || TERMS.contains(stem);
        self.is_single() && !self.is_open && !self.terms[0].is_number() && !stems.iter().all(is_term)
    }

    /// The best place where the answer says it. A single word has no other that says it, but a number has.
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

/// The search for the best place.
struct Search<'s> {
    combination: &'s Combination,
    answer: &'s Senses,
    asked: &'s HashSet<&'s str>,
    /// Whether the words at a place may say it.
    fits: &'s dyn Fn(Range<usize>) -> bool,
    /// For each term the words that say it, and how well.
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
        // Synonyms of synonyms say something else.
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

    /// The "no" belongs to what it denies.
    fn with_negator(&self, span: Range<usize>) -> Range<usize> {
        const REACH: usize = 3;
        let is_negator = |at: &usize| is_negator(&self.answer.tokens[*at].letters);
        let before = (span.start.saturating_sub(REACH)..span.start).rev().find(is_negator);
        let start =
            before.filter(|_| self.combination.is_negative && !span.clone().any(|at| is_negator(&at)));
        start.unwrap_or(span.start)..span.end
    }

    /// Whether it is denied where the wording affirms it, or affirmed where the wording denies it. What stands beside the
    /// only word of a wording may be denied or not.
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

/// `a/b` offers two words, 1/6 is one number.
fn variants(piece: &str) -> impl Iterator<Item = &str> {
    let is_fraction = piece.starts_with(|c: char| c.is_ascii_digit());
    piece.split(move |c: char| c == '/' && !is_fraction)
}

fn are_apart(one: &Range<usize>, other: &Range<usize>) -> bool {
    one.end <= other.start || other.end <= one.start
}
