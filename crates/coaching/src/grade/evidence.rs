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
use super::question::{Free, Idea};
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
/// A misconception is heard only in words close to its own.
const CLEAR: f32 = 0.8;
/// More evidence than this for an idea proves no more.
const MOST: f32 = 8.0;

/// What an answer says of one idea.
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
}

impl Evidence {
    fn value(&self) -> f32 {
        3.0 * self.exact + 2.0 * self.combined + 3.0 * self.single + 3.0 * self.covered
    }

    /// Whether there is enough to quote it.
    pub(super) fn is_found(&self) -> bool {
        self.at.is_some() && self.value() >= 1.5
    }

    /// How much of it is said at least.
    fn least(&self) -> f32 {
        self.combined.max(self.single)
    }
}

/// What an answer says of a whole rubric.
#[derive(Debug)]
pub(super) struct Weighed {
    pub ideas: Vec<Evidence>,
    /// From clearly wrong to clearly right.
    pub score: f32,
    pub signs: Signs,
}

impl Weighed {
    pub(super) fn is_right(&self) -> bool {
        self.score >= RIGHT && self.ideas.iter().all(|idea| idea.least() >= LEAST)
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
        subjects: Subjects::new(free, senses),
    };
    let ideas: Vec<Evidence> = (0..free.ideas.len()).map(|idea| scale.idea(idea)).collect();
    let signs = scale.signs(&ideas);
    Weighed { ideas, score: score(&signs), signs }
}

/// For each idea the words that say its opposite: the words of a wording, denied where it affirms or affirmed where it denies.
/// What is said both ways is no opposite.
pub(super) fn opposites(free: &Free, text: &str, answer: &Answer, echo: &Echo) -> Vec<Option<Range<usize>>> {
    let senses = answer.senses();
    let asked = HashSet::new();
    let scale = Scale { free, text, answer, senses, asked, echo, subjects: Subjects::new(free, senses) };
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
}

impl Scale<'_, '_> {
    fn signs(&self, ideas: &[Evidence]) -> Signs {
        let mean =
            |sign: &dyn Fn(&Evidence) -> f32| ideas.iter().map(sign).sum::<f32>() / ideas.len().max(1) as f32;
        let lowest = |sign: &dyn Fn(&Evidence) -> f32| ideas.iter().map(sign).fold(MOST, f32::min);
        let good = likeness(&Senses::new(&self.free.answer), self.senses, &self.asked);
        let is_opposed = matches!((opening(&self.free.answer), opening(self.text)), (Some(yes), Some(said)) if yes != said);
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
            // A no where the good answer says yes, or another number.
            ("contradiction", flag(is_opposed || self.has_wrong_number())),
        ]
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
            self.subjects.fits(idea, self.senses, span.clone())
                && !self.goes_on(span.clone(), idea)
                && !self.echo.holds(tokens[span].iter().map(|token| &token.letters))
        };
        let found = combination.find(self.senses, &self.asked, &fits)?;
        let at = tokens[found.tokens.start].at.start..tokens[found.tokens.end - 1].at.end;
        Some((found, at))
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
        if !self.subjects.fits(idea, self.senses, span.clone()) || self.goes_on(span, idea) {
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

    /// Whether the answer names another result than the right one: a number that neither the question nor the rubric knows, at
    /// its beginning or after "prints" and the like.
    fn has_wrong_number(&self) -> bool {
        let wordings = self.free.ideas.iter().flat_map(|idea| &idea.any);
        let texts = [&self.free.ask, &self.free.answer].into_iter().chain(wordings);
        let known: HashSet<String> = texts.flat_map(|text| numbers(text)).collect();
        let asks_for_number =
            self.free.ideas.iter().any(|idea| idea.any.iter().any(|wording| is_number(wording)));
        let tokens = Reading::new(self.text, Flavour::Split).tokens;
        let is_result = |at: usize| match at.checked_sub(1) {
            None => tokens.get(1).is_none_or(|next| next.opens_clause),
            Some(before) => List::Results.has(&tokens[before].letters),
        };
        let is_wrong = |at: usize| is_number(&tokens[at].letters) && !known.contains(&tokens[at].letters);
        asks_for_number && (0..tokens.len()).any(|at| is_wrong(at) && is_result(at))
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
