//! How well an answer says the ideas of a question, weighed from everything that the rules can see.
//!
//! No single find decides. Wordings, synonyms, words shared with the model answer, the length of the answer, what it copies
//! from the question and what it contradicts add up to a number; a middle range of it is doubt. `cargo run -p bench -- fit-grading`
//! fits the weights to answers of known quality; `cargo run -p bench -- --only grading` prints how well they judge.

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

/// From here on an answer is right.
pub(super) const RIGHT: f32 = 0.4;
/// Below this it is wrong, and between the two rules cannot tell.
pub(super) const WRONG: f32 = -2.0;
/// A right answer says at least this much of each idea.
const LEAST: f32 = 0.2;
/// From this value on a wording was met word for word.
const EXACT: f32 = 0.94;
/// From here on words tell something by themselves.
const TELLING: f32 = 0.7;
/// A misconception is heard only in words close to its own.
const CLEAR: f32 = 0.8;
/// More evidence than this for an idea proves no more.
const MOST: f32 = 8.0;
/// How the names of errors end.
const ERROR: &str = "error";

/// The evidence of an answer for one idea.
#[derive(Debug, Clone, Default)]
pub(super) struct Evidence {
    /// The words that say it best.
    pub at: Option<Range<usize>>,
    pub has_typo: bool,
    /// A combination, word for word: how much it tells.
    exact: f32,
    /// The strongest combination.
    combined: f32,
    /// The strongest single word.
    single: f32,
    /// How much of the idea's own text is in the answer.
    covered: f32,
    /// A whole wording, word for word.
    is_literal: bool,
}

impl Evidence {
    fn value(&self) -> f32 {
        3.0 * self.exact + 2.0 * self.combined + 3.0 * self.single + 3.0 * self.covered
    }

    /// Whether there is enough to quote it.
    pub(super) fn is_found(&self) -> bool {
        self.at.is_some() && self.value() >= 1.5
    }

    /// Whether it is said as the author words it, or in words that tell something. In an answer that is wrong as a whole,
    /// anything less is chance. So are other words beside a mistake, and a few of the question's in a copy of it.
    pub(super) fn is_clear(&self, is_mistaken: bool, is_copy: bool) -> bool {
        let combined = if is_mistaken || is_copy { 0.0 } else { self.combined };
        (self.is_literal && !is_copy) || self.exact.max(self.single).max(combined) >= TELLING
    }

    /// How much of it is said at least.
    fn least(&self) -> f32 {
        self.combined.max(self.single)
    }
}

/// The evidence of an answer for a whole rubric.
#[derive(Debug)]
pub(super) struct Weighed {
    pub ideas: Vec<Evidence>,
    /// From clearly wrong to clearly right.
    pub score: f32,
    pub signs: Signs,
    /// Each idea is said enough, of its own thing and of no other.
    is_sure: bool,
    /// It is long, and most of what it says is in the question.
    pub is_copy: bool,
    /// The sentences that contradict the right answer.
    contradictions: Vec<usize>,
}

impl Weighed {
    /// Whether the words at these bytes stand in a sentence that contradicts the right answer.
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

/// For each idea the words that say its opposite: the words of a wording, denied where it affirms or affirmed where it denies.
/// Something said both ways is not an opposite.
pub(super) fn opposites(free: &Free, text: &str, answer: &Answer, echo: &Echo) -> Vec<Option<Range<usize>>> {
    let senses = answer.senses();
    let asked = HashSet::new();
    let subjects = Subjects::new(free, senses, text);
    let scale = Scale { free, text, answer, senses, asked, echo, subjects, is_strict: false };
    (0..free.ideas.len()).map(|idea| scale.opposite(idea)).collect()
}

/// What speaks for an answer and against it, each with its weight in `weights.txt`.
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
    /// The stems of the question.
    asked: HashSet<&'a str>,
    echo: &'a Echo,
    subjects: Subjects,
    /// Words count for the thing of an idea only where no other is named beside it.
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
            // Of all ideas the mean: word for word, single words, words of the idea, how many were found.
            ("exact", mean(&|idea| idea.exact)),
            ("single", mean(&|idea| idea.single)),
            ("covered", mean(&|idea| idea.covered)),
            ("found", mean(&|idea| flag(idea.is_found()))),
            ("all-evidence", mean(&Evidence::value).min(MOST)),
            // Of the idea that is said least.
            ("least-found", lowest(&|idea| flag(idea.is_found()))),
            ("least", lowest(&Evidence::least)),
            ("least-evidence", lowest(&Evidence::value)),
            // Of the idea whose own text is said most.
            ("best-covered", ideas.iter().map(|idea| idea.covered).fold(0.0, f32::max)),
            // How much of the good answer is said, how much of what is said is in the rubric, and how much in the question.
            ("good", good.covered),
            ("known", self.known()),
            ("echo", good.echo),
            // A misconception in other words, and in its own.
            ("mistake", self.mistake()),
            ("mistaken", flag(mistake(self.free, self.text, self.answer, self.echo).is_some())),
            ("one-idea", flag(ideas.len() == 1)),
            // A no where the good answer says yes, another number or another error.
            ("contradiction", flag(!self.contradictions().is_empty())),
        ]
    }

    /// A short answer picks its words from the question because they answer it.
    fn is_copy(&self) -> bool {
        const MIN_WORDS: usize = 10;
        const MIN_SHARE: f32 = 0.6;
        let echo = likeness(&Senses::new(&self.free.answer), self.senses, &self.asked).echo;
        self.senses.tokens.len() >= MIN_WORDS && echo >= MIN_SHARE
    }

    /// How much of what the answer adds to the question is in the rubric.
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

    /// Whether words are about the thing of an idea.
    fn is_about(&self, idea: usize, span: Range<usize>, has_gap: bool) -> bool {
        match self.is_strict {
            true => self.subjects.fits_surely(idea, self.senses, span, has_gap),
            false => self.subjects.fits(idea, self.senses, span),
        }
    }

    /// The words as the author wrote them are the better quotation.
    fn quote(&self, wording: &str) -> Option<Range<usize>> {
        let hit = |wording: Wording| wording.find(self.answer).map(|hit| hit.at);
        Wording::parse(wording).ok().and_then(hit).or_else(|| Wording::parse_stems(wording).and_then(hit))
    }

    /// Code, fractions and words that say something only together.
    fn literally(&self, wording: &str, idea: usize) -> Option<(Match, Range<usize>)> {
        // A yes or a no answers the question where the answer begins, and nowhere else.
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

    /// Whether numbers are part of a longer row of numbers: `[4, 6, 8]` does not say 6 and 8.
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

    /// The sentences in which the answer contradicts the right one: it opens with the wrong one of yes and no, or names another
    /// result.
    fn contradictions(&self) -> Vec<usize> {
        let is_opposed = matches!((opening(&self.free.answer), opening(self.text)), (Some(yes), Some(said)) if yes != said);
        let results = self.wrong_number().into_iter().chain(self.wrong_error());
        let part = |at: Range<usize>| self.senses.parts.get(self.senses.span(&at).start).copied();
        is_opposed.then_some(0).into_iter().chain(results.filter_map(part)).collect()
    }

    /// A number that neither the question nor the rubric knows, at the beginning of the answer or after "prints" and the like.
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

    /// Another error than the one that the rubric names.
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

    /// The question, the good answer and the wordings.
    fn rubric(&self) -> impl Iterator<Item = &str> {
        let wordings = self.free.ideas.iter().flat_map(|idea| &idea.any);
        [&self.free.ask, &self.free.answer].into_iter().chain(wordings).map(String::as_str)
    }

    /// How clearly the answer claims a misconception in other words than its own.
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

/// The numbers in a text.
pub(super) fn numbers(text: &str) -> HashSet<String> {
    let words = Reading::new(text, Flavour::Split).tokens.into_iter().map(|token| token.letters);
    words.filter(|word| is_number(word)).collect()
}

fn is_number(word: &str) -> bool {
    word.starts_with(|c: char| c.is_ascii_digit())
}

/// The words that may stand beside a single word of an idea.
fn companions(free: &Free, idea: &Idea) -> Term {
    let wordings = idea.any.iter().map(String::as_str);
    Term::of([idea.idea.as_str(), free.answer.as_str()].into_iter().chain(wordings))
}
