//! Weighs how well an answer expresses the ideas of a question, from everything that the rules can see.
//!
//! No single find decides. Wordings, synonyms, words shared with the model answer, words copied from the question
//! and contradictions add up to a number; a middle range of it is doubt. `cargo run -p coaching --example
//! fit_grading` fits the weights to answers of known quality; `cargo run -p bench -- --only grading` prints how
//! well they judge.

use std::collections::{HashMap, HashSet};
use std::ops::Range;
use std::sync::LazyLock;

use super::combination::{Combination, Match, Term};
use super::free::{Echo, mistake};
use super::likeness::{likeness, news, words};
use super::lists::List;
use super::question::{Free, GAP, Idea};
use super::reading::{Flavour, Reading, Token};
use super::sense::Senses;
use super::subject::{Subjects, opening};
use super::wording::{Answer, Wording};

/// The least score of a right answer.
pub(super) const RIGHT: f32 = 0.4;
/// The score below which an answer is wrong. Between the two limits the rules cannot tell.
pub(super) const WRONG: f32 = -2.0;
/// The least strength with which a right answer expresses each idea.
const LEAST: f32 = 0.2;
/// The least value of a match that counts as word for word.
const EXACT: f32 = 0.94;
/// The least strength of words that tell something by themselves.
const TELLING: f32 = 0.7;
/// The least value at which other words count as a misconception or an opposite.
const CLEAR: f32 = 0.8;
/// The cap on the evidence for an idea. More proves no more.
const MOST: f32 = 8.0;
/// The ending of the names of errors.
const ERROR: &str = "error";

/// The evidence of an answer for one idea.
#[derive(Debug, Clone, Default)]
pub(super) struct Evidence {
    /// The range of the words that express the idea best.
    pub at: Option<Range<usize>>,
    pub has_typo: bool,
    /// The information in the best combination that was met word for word.
    exact: f32,
    /// The strength of the strongest combination.
    combined: f32,
    /// The strength of the strongest single word.
    single: f32,
    /// The share of the idea's own text that the answer has.
    covered: f32,
    /// Whether a whole wording was met word for word.
    is_literal: bool,
}

impl Evidence {
    fn value(&self) -> f32 {
        3.0 * self.exact + 2.0 * self.combined + 3.0 * self.single + 3.0 * self.covered
    }

    /// Whether there is enough evidence to quote it.
    pub(super) fn is_found(&self) -> bool {
        self.at.is_some() && self.value() >= 1.5
    }

    /// Whether the idea is expressed as the author words it, or in words that tell something. In an answer that
    /// is wrong as a whole, anything less is chance. So are other words beside a mistake, and a few words of the
    /// question in a copy of it.
    pub(super) fn is_clear(&self, is_mistaken: bool, is_copy: bool) -> bool {
        let combined = if is_mistaken || is_copy { 0.0 } else { self.combined };
        (self.is_literal && !is_copy) || self.exact.max(self.single).max(combined) >= TELLING
    }

    /// The strength that must reach [`LEAST`] in a right answer.
    fn least(&self) -> f32 {
        self.combined.max(self.single)
    }
}

/// The evidence of an answer for a whole rubric.
#[derive(Debug)]
pub(super) struct Weighed {
    pub ideas: Vec<Evidence>,
    /// The score of the answer: the higher, the more clearly right.
    pub score: f32,
    pub signs: Signs,
    /// Whether each idea is expressed strongly enough, and about its own thing only.
    is_sure: bool,
    /// Whether the answer is long and mostly repeats the question.
    pub is_copy: bool,
    /// The numbers of the sentences that contradict the right answer.
    contradictions: Vec<usize>,
}

impl Weighed {
    /// Whether the words at these bytes are in a sentence that contradicts the right answer.
    pub(super) fn is_contradicted(&self, at: &Range<usize>, answer: &Answer) -> bool {
        let senses = answer.senses();
        let part = senses.parts.get(senses.span(at).start);
        part.is_some_and(|part| self.contradictions.contains(part))
    }

    pub(super) fn is_right(&self) -> bool {
        self.score >= RIGHT && self.is_sure
    }
}

pub(super) fn weigh(free: &Free, text: &str, answer: &Answer, echo: &Echo) -> Weighed {
    let senses = answer.senses();
    let question = Senses::new(&free.ask);
    let scale = Scale {
        free,
        text,
        answer,
        senses,
        asked: question.stems(),
        echo,
        subjects: Subjects::new(free, senses, text),
        is_strict: false,
    };
    let ideas: Vec<Evidence> = (0..free.ideas.len()).map(|idea| scale.idea(idea)).collect();
    let signs = scale.signs(&ideas);
    let strict = Scale { is_strict: true, ..scale };
    let is_said = |idea: usize| {
        let is_bound = free.ideas[idea].of.is_some();
        let least = if is_bound { strict.idea(idea).least() } else { ideas[idea].least() };
        least >= LEAST
    };
    let is_sure = (0..ideas.len()).all(is_said);
    let is_copy = strict.is_copy();
    Weighed { score: score(&signs), is_sure, is_copy, contradictions: strict.contradictions(), ideas, signs }
}

/// Returns, for each idea, the words that express its opposite: the words of a wording, denied where it affirms
/// or affirmed where it denies. If the answer also affirms the idea itself, there is no opposite.
pub(super) fn opposites(free: &Free, text: &str, answer: &Answer, echo: &Echo) -> Vec<Option<Range<usize>>> {
    let senses = answer.senses();
    let asked = HashSet::new();
    let subjects = Subjects::new(free, senses, text);
    let scale = Scale { free, text, answer, senses, asked, echo, subjects, is_strict: false };
    (0..free.ideas.len()).map(|idea| scale.opposite(idea)).collect()
}

/// The signs for and against an answer, each with its weight in `weights.txt`.
///
/// The length of an answer is left out on purpose: a bluffer can write a lot.
pub(super) type Signs = [(&'static str, f32); 16];

fn score(signs: &Signs) -> f32 {
    let weight = |name: &str| WEIGHTS.get(name).copied().unwrap_or_default();
    weight("base") + signs.iter().map(|(name, sign)| weight(name) * sign).sum::<f32>()
}

static WEIGHTS: LazyLock<HashMap<&'static str, f32>> = LazyLock::new(|| {
    let lines = include_str!("weights.txt").lines().filter(|line| !line.starts_with('#'));
    let weight = |line: &'static str| {
        let (name, weight) = line.split_once(' ')?;
        Some((name, weight.trim().parse().ok()?))
    };
    lines.filter_map(weight).collect()
});

struct Scale<'a, 'r> {
    free: &'a Free,
    text: &'a str,
    answer: &'a Answer<'r>,
    senses: &'a Senses,
    /// The stems of the words in the question.
    asked: HashSet<&'a str>,
    echo: &'a Echo,
    subjects: Subjects,
    /// Whether words count for the thing of an idea only if no other thing is named beside them.
    is_strict: bool,
}

impl Scale<'_, '_> {
    fn signs(&self, ideas: &[Evidence]) -> Signs {
        let mean =
            |sign: &dyn Fn(&Evidence) -> f32| ideas.iter().map(sign).sum::<f32>() / ideas.len().max(1) as f32;
        let lowest = |sign: &dyn Fn(&Evidence) -> f32| ideas.iter().map(sign).fold(MOST, f32::min);
        let good = likeness(&Senses::new(&self.free.answer), self.senses, &self.asked);
        let flag = |is: bool| if is { 1.0 } else { 0.0 };
        [
            // Means over all ideas: word for word, single words, words of the idea, ideas found.
            ("exact", mean(&|idea| idea.exact)),
            ("single", mean(&|idea| idea.single)),
            ("covered", mean(&|idea| idea.covered)),
            ("found", mean(&|idea| flag(idea.is_found()))),
            ("all-evidence", mean(&Evidence::value).min(MOST)),
            // The lowest values of any idea.
            ("least-found", lowest(&|idea| flag(idea.is_found()))),
            ("least", lowest(&Evidence::least)),
            ("least-evidence", lowest(&Evidence::value)),
            // The idea whose own text is expressed most.
            ("best-covered", ideas.iter().map(|idea| idea.covered).fold(0.0, f32::max)),
            // The share of the good answer that is expressed, the share of the answer that is in the rubric, and
            // the share that is in the question.
            ("good", good.covered),
            ("known", self.known()),
            ("echo", good.echo),
            // A misconception in other words, and in the author's words.
            ("mistake", self.mistake()),
            ("mistaken", flag(mistake(self.free, self.text, self.answer, self.echo).is_some())),
            ("one-idea", flag(ideas.len() == 1)),
            // A no where the good answer says yes, another number or another error.
            ("contradiction", flag(!self.contradictions().is_empty())),
        ]
    }

    /// Whether the answer is a copy of the question. A short answer is none: it picks its words from the question
    /// because they answer it.
    fn is_copy(&self) -> bool {
        const MIN_WORDS: usize = 10;
        const MIN_SHARE: f32 = 0.6;
        let echo = likeness(&Senses::new(&self.free.answer), self.senses, &self.asked).echo;
        self.senses.tokens.len() >= MIN_WORDS && echo >= MIN_SHARE
    }

    /// Returns the share of the answer's new information that is also in the rubric.
    fn known(&self) -> f32 {
        let wordings = self.free.ideas.iter().flat_map(|idea| idea.any.iter().chain([&idea.idea]));
        let texts = wordings.chain([&self.free.answer]);
        let rubric: Vec<Senses> = texts.map(|text| Senses::new(&text.replace(['/', '+'], " "))).collect();
        let rubric: HashSet<&str> = rubric.iter().flat_map(|senses| senses.stems()).collect();
        let (mut all, mut known) = (0.0, 0.0);
        for word in words(self.senses) {
            let told = news(word, &self.asked);
            all += told;
            known += if rubric.contains(word.stem.as_str()) { told } else { 0.0 };
        }
        if all > 0.0 { known / all } else { 0.0 }
    }

    fn idea(&self, number: usize) -> Evidence {
        let idea = &self.free.ideas[number];
        let companions = companions(self.free, idea);
        let covered = likeness(&Senses::new(&idea.idea), self.senses, &self.asked).covered;
        let mut evidence = Evidence { covered, ..Evidence::default() };
        let (mut best, mut is_quoted) = (0.0, false);
        for wording in &idea.any {
            let found = Combination::parse(wording, &companions)
                .and_then(|combination| self.find(&combination, number))
                .or_else(|| self.literally(wording, number));
            let Some((found, at)) = found else { continue };
            let strength = found.strength();
            evidence.is_literal |= found.value >= EXACT && !found.is_open;
            if found.is_single {
                evidence.single = evidence.single.max(strength);
            } else {
                evidence.combined = evidence.combined.max(strength);
                let exact = if found.value >= EXACT { found.news.min(1.5) } else { 0.0 };
                evidence.exact = evidence.exact.max(exact);
            }
            if strength > best || (strength == best && !is_quoted) {
                let quote = self.quote(wording);
                (best, is_quoted) = (strength, quote.is_some());
                evidence.at = Some(quote.unwrap_or(at));
                evidence.has_typo = found.has_typo;
            }
        }
        evidence
    }

    fn opposite(&self, number: usize) -> Option<Range<usize>> {
        let combinations = self.free.ideas[number].any.iter();
        let combinations: Vec<Combination> =
            combinations.filter_map(|wording| Combination::parse(wording, &Term::default())).collect();
        let is_clear = |found: &(Match, Range<usize>)| !found.0.is_single && found.0.value >= CLEAR;
        let is_said =
            |combination: &Combination| self.find(combination, number).is_some_and(|found| is_clear(&found));
        if combinations.iter().any(is_said) {
            return None;
        }
        combinations.iter().find_map(|combination| {
            let (found, at) = self.find(&combination.turned(), number).filter(is_clear)?;
            self.senses.are_claimed(found.tokens).then_some(at)
        })
    }

    fn find(&self, combination: &Combination, idea: usize) -> Option<(Match, Range<usize>)> {
        let tokens = &self.senses.tokens;
        let fits = |span: Range<usize>| {
            self.is_about(idea, span.clone(), combination.has_gap())
                && !self.goes_on(span.clone(), idea)
                && !self.echo.holds(tokens[span].iter().map(|token| &token.letters))
        };
        let found = combination.find(self.senses, &self.asked, &fits)?;
        let at = tokens[found.tokens.start].at.start..tokens[found.tokens.end - 1].at.end;
        Some((found, at))
    }

    /// Whether these words are about the thing of an idea.
    fn is_about(&self, idea: usize, span: Range<usize>, has_gap: bool) -> bool {
        match self.is_strict {
            true => self.subjects.fits_surely(idea, self.senses, span, has_gap),
            false => self.subjects.fits(idea, self.senses, span),
        }
    }

    /// Finds the wording as the author wrote it, which makes the better quotation.
    fn quote(&self, wording: &str) -> Option<Range<usize>> {
        let hit = |wording: Wording| wording.find(self.answer).map(|hit| hit.at);
        Wording::parse(wording).ok().and_then(hit).or_else(|| Wording::parse_stems(wording).and_then(hit))
    }

    /// Finds a wording literally: code, fractions and words that say something only together.
    fn literally(&self, wording: &str, idea: usize) -> Option<(Match, Range<usize>)> {
        // A yes or a no answers the question only at the beginning of the answer.
        if let Some(yes) = opening(wording).filter(|_| !wording.contains(' ')) {
            let first = self.answer.tokens().first()?;
            let is_said = opening(&first.letters) == Some(yes);
            return is_said.then(|| (Match::of_code(false), first.at.clone()));
        }
        let hit = Wording::parse(wording).ok()?.find(self.answer).filter(|hit| self.echo.allows(hit))?;
        let span = self.senses.span(&hit.at);
        if !self.is_about(idea, span.clone(), wording.contains(GAP)) || self.goes_on(span, idea) {
            return None;
        }
        Some((Match::of_code(hit.has_typo), hit.at))
    }

    /// Whether the numbers are part of a longer list of numbers: `[4, 6, 8]` does not say 6 and 8.
    fn goes_on(&self, span: Range<usize>, idea: usize) -> bool {
        let tokens = &self.senses.tokens;
        if span.len() < 2 {
            return false;
        }
        let is_number = |token: &Token| token.letters.bytes().all(|byte| byte.is_ascii_digit());
        let is_other = |token: &Token| {
            is_number(token)
                && !self.free.ideas[idea].any.iter().any(|wording| wording.contains(&token.letters))
        };
        let is_listed = |one: usize, next: usize| {
            let between =
                tokens.get(next).and_then(|token| self.text.get(tokens[one].at.end..token.at.start));
            between.is_some_and(|between| between.trim() == ",")
        };
        let before = span.start.checked_sub(1).filter(|at| is_listed(*at, span.start));
        let after = Some(span.end).filter(|at| is_listed(at - 1, *at));
        let is_row = tokens[span.clone()].iter().all(is_number);
        is_row && before.into_iter().chain(after).any(|at| is_other(&tokens[at]))
    }

    /// Returns the sentences in which the answer contradicts the right one: it opens with the wrong one of yes
    /// and no, or names another result.
    fn contradictions(&self) -> Vec<usize> {
        let is_opposed = matches!((opening(&self.free.answer), opening(self.text)), (Some(yes), Some(said)) if yes != said);
        let results = self.wrong_number().into_iter().chain(self.wrong_error());
        let part = |at: Range<usize>| self.senses.parts.get(self.senses.span(&at).start).copied();
        is_opposed.then_some(0).into_iter().chain(results.filter_map(part)).collect()
    }

    /// Finds a number that neither the question nor the rubric knows, at the beginning of the answer or after
    /// "prints" and the like.
    fn wrong_number(&self) -> Option<Range<usize>> {
        let known: HashSet<String> = self.rubric().flat_map(numbers).collect();
        let asks_for_number =
            self.free.ideas.iter().any(|idea| idea.any.iter().any(|wording| is_number(wording)));
        let tokens = Reading::new(self.text, Flavour::Split).tokens;
        let is_result = |at: usize| match at.checked_sub(1) {
            None => tokens.get(1).is_none_or(|next| next.opens_clause),
            Some(before) => List::Results.has(&tokens[before].letters),
        };
        let is_wrong = |at: usize| is_number(&tokens[at].letters) && !known.contains(&tokens[at].letters);
        let wrong = (0..tokens.len()).find(|at| is_wrong(*at) && is_result(*at))?;
        asks_for_number.then(|| tokens[wrong].at.clone())
    }

    /// Finds the name of an error where the rubric names another one.
    fn wrong_error(&self) -> Option<Range<usize>> {
        let is_error = |word: &str| word.len() > ERROR.len() && word.ends_with(ERROR);
        let tokens = self.rubric().flat_map(|text| Reading::new(text, Flavour::Plain).tokens);
        let known: HashSet<String> =
            tokens.map(|token| token.letters).filter(|word| is_error(word)).collect();
        let named = || self.senses.tokens.iter().enumerate().filter(|(_, token)| is_error(&token.letters));
        let is_known = named().any(|(_, token)| known.contains(&token.letters));
        let wrong = named().find(|(at, _)| !self.senses.denied[*at])?;
        (!known.is_empty() && !is_known).then(|| wrong.1.at.clone())
    }

    /// Returns the question, the good answer and the wordings.
    fn rubric(&self) -> impl Iterator<Item = &str> {
        let wordings = self.free.ideas.iter().flat_map(|idea| &idea.any);
        [&self.free.ask, &self.free.answer].into_iter().chain(wordings).map(String::as_str)
    }

    /// Returns how clearly the answer claims a misconception in other words than the author's.
    fn mistake(&self) -> f32 {
        let claimed = |span: Range<usize>| self.senses.are_claimed(span);
        let wordings = self.free.misconceptions.iter().flat_map(|wrong| &wrong.any);
        let found = wordings.filter_map(|wording| {
            let found =
                Combination::parse(wording, &Term::default())?.find(self.senses, &self.asked, &claimed)?;
            (!found.is_single && found.value >= CLEAR).then(|| found.value * found.news.min(1.0))
        });
        found.fold(0.0, f32::max)
    }
}

/// Returns the numbers in a text.
pub(super) fn numbers(text: &str) -> HashSet<String> {
    let words = Reading::new(text, Flavour::Split).tokens.into_iter().map(|token| token.letters);
    words.filter(|word| is_number(word)).collect()
}

fn is_number(word: &str) -> bool {
    word.starts_with(|c: char| c.is_ascii_digit())
}

/// Returns the words that may stand beside a single word of an idea.
fn companions(free: &Free, idea: &Idea) -> Term {
    let wordings = idea.any.iter().map(String::as_str);
    Term::of([idea.idea.as_str(), free.answer.as_str()].into_iter().chain(wordings))
}
