//! Grades answers in the learner's own words.

use std::collections::HashSet;
use std::ops::Range;

use super::combination::{Combination, Term};
use super::evidence::{Evidence, WRONG, Weighed, opposites, weigh};
use super::lists::List;
use super::negation::is_negator;
use super::question::Free;
use super::reading::{Flavour, Reading, Token};
use super::sense::Senses;
use super::wording::{Answer, Hit, Readings, Wording};
use super::{Found, Grade, Mistake, quality_of, quotable, some, words as says};
use crate::learner::Quality;
use crate::text::clear_language;
use crate::words::Text;

/// Returns for each idea `None` if the text does not express it, and otherwise whether a word of it is misspelt.
pub(crate) fn ideas_in(free: &Free, text: &str) -> Vec<Option<bool>> {
    let known = known_words(free);
    let readings = Readings::new(text);
    let answer = readings.answer(&known);
    let ideas = weigh(free, text, &answer, &Echo::of(&free.ask, answer.tokens())).ideas;
    ideas.iter().map(|idea| idea.is_found().then_some(idea.has_typo)).collect()
}

/// Returns the first idea whose opposite a text says, and the words that say it.
pub(crate) fn opposite_in(free: &Free, text: &str) -> Option<(String, String)> {
    let known = known_words(free);
    let readings = Readings::new(text);
    let answer = readings.answer(&known);
    let found = opposites(free, text, &answer, &Echo::of(&free.ask, answer.tokens()));
    let found = free.ideas.iter().zip(found).filter_map(|(idea, at)| Some((idea, at?)));
    let affirmed = affirmed(free, text, &answer);
    let is_told = |at: &Range<usize>| affirmed.iter().any(|said| said.start < at.end && at.start < said.end);
    let is_clear =
        |at: &Range<usize>| !is_denied_around(text, at) && (denies(&text[at.clone()]) || !is_told(at));
    let found = { found }.find(|(_, at)| is_clear(at));
    found.map(|(idea, at)| (idea.idea.clone(), quotable(&text[at])))
}

/// Returns the places where an answer says an idea as its author words it. Such words are the problem's own, so they
/// are the opposite of another idea only by chance.
fn affirmed(free: &Free, text: &str, answer: &Answer) -> Vec<Range<usize>> {
    let weighed = weigh(free, text, answer, &Echo::of(&free.ask, answer.tokens()));
    let ideas = weighed.ideas.into_iter().filter(|idea| idea.is_clear(false, false));
    ideas.filter_map(|idea| idea.at).collect()
}

/// Whether the sentence around some words denies something that these words alone do not: "the same one must not
/// be used twice". Such a sentence is unclear, and no learner is told that it is wrong.
fn is_denied_around(text: &str, at: &Range<usize>) -> bool {
    let is_end = |c: char| matches!(c, '.' | '!' | '?' | ';' | '\n');
    let start = text[..at.start].rfind(is_end).map_or(0, |end| end + 1);
    let end = text[at.end..].find(is_end).map_or(text.len(), |end| at.end + end);
    !denies(&text[at.clone()]) && denies(&text[start..end])
}

/// Whether a text has a word that denies something. “Cannot” and “doesn't” have their “not” inside.
fn denies(text: &str) -> bool {
    let is_short = |word: &str| word == "cannot" || word.ends_with("n't") || word.ends_with("n’t");
    let tokens = Reading::new(text, Flavour::Plain).tokens;
    tokens.iter().any(|token| is_negator(&token.letters))
        || text.to_lowercase().split(|c: char| !c.is_alphanumeric() && !matches!(c, '\'' | '’')).any(is_short)
}

/// Returns the signs that the rules see in an answer, by name. Their weights are fitted to these.
pub fn signs(free: &Free, text: &str) -> Vec<(&'static str, f32)> {
    let known = known_words(free);
    let readings = Readings::new(text);
    let answer = readings.answer(&known);
    weigh(free, text, &answer, &Echo::of(&free.ask, answer.tokens())).signs.to_vec()
}

/// Returns the wordings of an idea that are one ordinary word.
pub(crate) fn loose_wordings<'i>(ask: &str, any: &'i [String]) -> Vec<&'i str> {
    let question = Senses::new(ask);
    let asked = question.stems();
    let is_loose = |wording: &&str| {
        Combination::parse(wording, &Term::default()).is_some_and(|combination| combination.is_loose(&asked))
    };
    any.iter().map(String::as_str).filter(is_loose).collect()
}

/// Returns for each misconception the words with which the text says it.
pub(crate) fn misconceptions_in(free: &Free, text: &str) -> Vec<Option<String>> {
    let known = known_words(free);
    let readings = Readings::new(text);
    let answer = readings.answer(&known);
    let words = |hit: Hit| quotable(&text[hit.at]);
    free.misconceptions.iter().map(|wrong| find(&wrong.any, &answer).map(words)).collect()
}

pub(super) fn grade(free: &Free, text: &str) -> Grade {
    judge(free, text, said(free, text))
}

/// The evidence of an answer for a rubric.
#[derive(Debug)]
pub(super) struct Said {
    /// For each idea, the words that express it.
    pub(super) ideas: Vec<Option<Quoted>>,
    pub(super) mistake: Option<Mistake>,
    /// The rules' judgement of the whole answer, which sees more than single words. `None` from a model, which
    /// only quotes.
    pub(super) standing: Option<Standing>,
    /// The sentence for the learner in place of the usual one. A blank answer keeps its own.
    pub(super) feedback: Option<Text>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Standing {
    Right,
    /// Perhaps right, in words that the rules do not know, or wrong, in words that they know.
    Doubtful,
    Wrong,
}

/// A quotation from an answer.
#[derive(Debug, Clone)]
pub(super) struct Quoted {
    pub(super) words: String,
    pub(super) at: Range<usize>,
    pub(super) has_typo: bool,
}

/// Returns the rules' findings in an answer.
pub(super) fn said(free: &Free, text: &str) -> Said {
    let known = known_words(free);
    let readings = Readings::new(text);
    let answer = readings.answer(&known);
    let echo = Echo::of(&free.ask, answer.tokens());
    let weighed = weigh(free, text, &answer, &echo);
    let standing = match standing(&weighed) {
        Standing::Right if is_untied(free, text, answer.tokens()) => Standing::Doubtful,
        Standing::Wrong if is_in_another_language(free, text) => Standing::Doubtful,
        standing => standing,
    };
    let mistake = mistake(free, text, &answer, &echo);
    let is_earned = |evidence: &Evidence, at: &Range<usize>| {
        let overlaps = |wrong: &Mistake| wrong.at.start < at.end && at.start < wrong.at.end;
        let is_clear = || evidence.is_clear(mistake.is_some(), weighed.is_copy);
        !mistake.as_ref().is_some_and(overlaps)
            && (standing != Standing::Wrong || is_clear())
            && (standing == Standing::Right || !weighed.is_contradicted(at, &answer))
    };
    let quoted = |evidence: &Evidence| {
        let at = evidence.at.clone().filter(|at| evidence.is_found() && is_earned(evidence, at))?;
        Some(Quoted { words: quotable(&text[at.clone()]), at, has_typo: evidence.has_typo })
    };
    let ideas = weighed.ideas.iter().map(quoted).collect();
    Said { ideas, mistake, standing: Some(standing), feedback: None }
}

/// Whether an answer is clearly in another language than the question. A question may be too short to tell its own
/// language; with a good answer it is long enough.
pub fn is_in_another_language(free: &Free, text: &str) -> bool {
    let said = clear_language(text);
    let asked = || clear_language(&format!("{} {}", free.ask, free.answer));
    said.is_some() && asked().is_some_and(|asked| said != Some(asked))
}

fn standing(weighed: &Weighed) -> Standing {
    match weighed {
        weighed if weighed.is_right() => Standing::Right,
        weighed if weighed.score >= WRONG && weighed.ideas.iter().any(Evidence::is_found) => {
            Standing::Doubtful
        }
        _ => Standing::Wrong,
    }
}

/// Finds the first misconception that the answer claims.
pub(super) fn mistake(free: &Free, text: &str, answer: &Answer, echo: &Echo) -> Option<Mistake> {
    let senses = answer.senses();
    let is_claimed = |hit: &Hit| echo.allows(hit) && senses.are_claimed(senses.span(&hit.at));
    free.misconceptions.iter().find_map(|wrong| {
        let hit = find(&wrong.any, answer).filter(is_claimed)?;
        Some(Mistake { words: quotable(&text[hit.at.clone()]), at: hit.at, says: wrong.says.clone() })
    })
}

/// Turns findings into a grade.
pub(super) fn judge(free: &Free, text: &str, said: Said) -> Grade {
    let tokens = Reading::new(text, Flavour::Plain).tokens;
    let says_nothing = said.ideas.iter().all(Option::is_none) && said.mistake.is_none();
    // Without a rubric the question asks what the learner knows, and "nothing" means that they have no answer.
    let knows_nothing = || free.ideas.is_empty() && List::Nothing.has(&words(&tokens).join(" "));
    let is_none = declines(&tokens) || (says_nothing && (is_blank(&tokens) || knows_nothing()));
    if is_none || asks(text) {
        let missing = free.ideas.iter().map(|idea| idea.idea.clone()).collect();
        return Grade { missing, ..Grade::blank(if is_none { says::no_answer() } else { says::asked() }) };
    }
    let is_worth_much = said.standing != Some(Standing::Wrong);
    let grade = mark(free, said);
    if is_worth_much && grade.misconception.is_none() && is_heap(free, text, &tokens) {
        let feedback = says::only_words();
        return Grade {
            quality: some(),
            verdict: super::Verdict::of(some()),
            doubt: false,
            feedback,
            ..grade
        };
    }
    grade
}

fn mark(free: &Free, said: Said) -> Grade {
    let Said { ideas, mistake: misconception, standing, feedback } = said;
    let has_typo = ideas.iter().flatten().any(|quoted| quoted.has_typo);
    let is_right = standing == Some(Standing::Right) && misconception.is_none();
    let doubt = standing == Some(Standing::Doubtful) && misconception.is_none();
    let (mut found, mut missing) = (Vec::new(), Vec::new());
    for (idea, quoted) in free.ideas.iter().zip(ideas) {
        match quoted {
            Some(Quoted { words, at, .. }) => found.push(Found { idea: idea.idea.clone(), words, at }),
            // A right answer expresses this idea in words that cannot be told apart from the rest.
            None if is_right => {}
            None => missing.push(idea.idea.clone()),
        }
    }
    let all = found.len() + missing.len();
    let earned = match standing {
        _ if misconception.is_some() => quality_of(found.len(), all, has_typo).min(some()),
        Some(Standing::Right) if has_typo => Quality::GOOD,
        Some(Standing::Right) => Quality::EASY,
        Some(Standing::Doubtful) => some(),
        Some(Standing::Wrong) => quality_of(found.len(), all, has_typo).min(some()),
        None => quality_of(found.len(), all, has_typo),
    };
    let usual = || match &misconception {
        Some(mistake) if missing.is_empty() => says::contradicts(mistake.says.as_str()),
        Some(mistake) => mistake.says.as_str().into(),
        None if earned == Quality::EASY => Text::default(),
        None if earned == Quality::GOOD => says::misspelt(),
        None if doubt => says::doubt(),
        None if missing.is_empty() => says::loose(),
        None if found.is_empty() => says::missing(ideas_of(&missing)),
        None => says::partly(ideas_of(&missing)),
    };
    let grade = Grade::new(earned, feedback.unwrap_or_else(usual));
    Grade { found, missing, misconception, doubt, ..grade }
}

pub(super) fn ideas_of(missing: &[String]) -> Vec<Text> {
    missing.iter().map(|idea| idea.as_str().into()).collect()
}

/// Whether the learner asks a question where an answer was also possible. A question mark at the end is not
/// enough: it may mark an unsure answer.
pub fn is_question(text: &str) -> bool {
    is_asked(text) || is_plea(text)
}

/// Whether an answer is only a question, so that its words say nothing.
pub(super) fn asks(text: &str) -> bool {
    begins_question(text, |first| List::Asking.of(first) == Some(""))
}

/// Whether the learner asks a question where code belongs. Code never begins with an asking word, so any of them
/// counts.
pub(super) fn is_asked(text: &str) -> bool {
    begins_question(text, |first| List::Asking.has(first))
}

fn begins_question(text: &str, asks: impl Fn(&str) -> bool) -> bool {
    let tokens = Reading::new(text, Flavour::Plain).tokens;
    let begins = tokens.first().is_some_and(|token| asks(&token.letters));
    begins && tokens.len() > 1 && text.trim_end().ends_with(['?', '？'])
}

fn is_plea(text: &str) -> bool {
    let tokens = Reading::new(text, Flavour::Plain).tokens;
    let said = words(&tokens);
    List::Pleas.entries().any(|plea| {
        let plea: Vec<&str> = plea.split(' ').collect();
        said.starts_with(&plea) && (plea.len() > 1 || said.len() > 1)
    })
}

/// Whether there is no answer, or only a remark that there is none.
pub(super) fn is_blank(tokens: &[Token]) -> bool {
    const MAX_OTHER_WORDS: usize = 3;
    let words = words(tokens);
    words.is_empty()
        || declines(tokens)
        || words_beside_phrase(&words).is_some_and(|others| others.len() <= MAX_OTHER_WORDS)
}

/// Whether the learner says in so many words that they have no answer, even if a rubric knows these words.
fn declines(tokens: &[Token]) -> bool {
    let words = words(tokens);
    let is_around = |word: &&str| List::AroundNotKnowing.has(word);
    List::Declining.has(&words.join(" "))
        || words_beside_phrase(&words).is_some_and(|others| others.iter().all(is_around))
}

fn words(tokens: &[Token]) -> Vec<&str> {
    tokens.iter().map(|token| token.letters.as_str()).collect()
}

/// Returns the words around "don't know" and the like, however often the learner says it.
fn words_beside_phrase<'w>(words: &[&'w str]) -> Option<Vec<&'w str>> {
    let rest = List::NotKnowing.entries().find_map(|phrase| {
        let phrase: Vec<&str> = phrase.split(' ').collect();
        let at = words.windows(phrase.len()).position(|window| window == phrase)?;
        Some([&words[..at], &words[at + phrase.len()..]].concat())
    })?;
    words_beside_phrase(&rest).or(Some(rest))
}

/// Finds the best hit: exact words are better evidence than words with other endings, and those better than a
/// typo.
fn find(wordings: &[String], answer: &Answer) -> Option<Hit> {
    let mut with_typo = None;
    for hit in wordings.iter().filter_map(|wording| Wording::parse(wording).ok()?.find(answer)) {
        if !hit.has_typo {
            return Some(hit);
        }
        with_typo = with_typo.or(Some(hit));
    }
    wordings.iter().find_map(|wording| Wording::parse_stems(wording)?.find(answer)).or(with_typo)
}

/// Returns every word that the question and its rubric use.
fn known_words(free: &Free) -> HashSet<String> {
    let ideas = free.ideas.iter().flat_map(|idea| idea.any.iter());
    let wrong = free.misconceptions.iter().flat_map(|wrong| wrong.any.iter());
    let texts = [&free.ask, &free.answer].into_iter().chain(ideas).chain(wrong);
    let tokens = texts.flat_map(|text| Reading::new(text, Flavour::Plain).tokens);
    tokens.map(|token| token.letters).collect()
}

/// The words of the question if the answer is little more than a copy of it; otherwise empty.
pub(super) struct Echo {
    words: HashSet<String>,
}

impl Echo {
    /// The least number of words in a copy. A shorter answer picks its words from the question because they
    /// answer it.
    const MIN_WORDS: usize = 4;
    const MIN_SHARE_PERCENT: usize = 80;
    const MIN_COVERED_PERCENT: usize = 60;

    pub(super) fn of(ask: &str, answer: &[Token]) -> Echo {
        let asked: HashSet<String> =
            Reading::new(ask, Flavour::Plain).tokens.into_iter().map(|token| token.letters).collect();
        let repeated = answer.iter().filter(|token| asked.contains(&token.letters)).count();
        let covered: HashSet<&str> =
            answer.iter().map(|token| token.letters.as_str()).filter(|word| asked.contains(*word)).collect();
        let is_copy = answer.len() >= Echo::MIN_WORDS
            && repeated * 100 >= answer.len() * Echo::MIN_SHARE_PERCENT
            && covered.len() * 100 >= asked.len() * Echo::MIN_COVERED_PERCENT;
        Echo { words: if is_copy { asked } else { HashSet::new() } }
    }

    /// Whether a hit counts. In a copy of the question, the question's own words are no evidence.
    pub(super) fn allows(&self, hit: &Hit) -> bool {
        !self.holds(hit.words.iter())
    }

    pub(super) fn holds<'w>(&self, mut words: impl Iterator<Item = &'w String>) -> bool {
        words.all(|word| self.words.contains(word))
    }
}

/// Whether the words of an answer stand side by side with no small word that says how they belong together, or with
/// one among many. Small words from the question's code, inside a name or at the end do not count as such. A list of
/// only right words is an answer.
fn is_untied(free: &Free, text: &str, tokens: &[Token]) -> bool {
    const MIN_WORDS: usize = 5;
    const MAX_WORDS_PER_TIE: usize = 8;
    let is_word = |token: &&Token| !token.is_in_name && has_letters(token);
    let code = free.ask.split('`').skip(1).step_by(2);
    let code: Vec<Token> = code.flat_map(|code| Reading::new(code, Flavour::Plain).tokens).collect();
    let is_tie = |token: &Token| {
        List::StopWords.has(&token.letters)
            && !is_negator(&token.letters)
            && !token.is_in_name
            && !code.iter().any(|other| other.letters == token.letters)
    };
    let pieces: Vec<&[Token]> = tokens.chunk_by(|_, next| !next.opens_clause).collect();
    let is_loose_list = || is_list(&pieces) && !pieces.iter().all(|piece| says_an_idea(free, text, piece));
    let words = tokens.iter().filter(is_word).count();
    let before_last = &tokens[..tokens.len().saturating_sub(1)];
    let ties = before_last.iter().filter(|token| is_tie(token)).count();
    words >= MIN_WORDS && ties * MAX_WORDS_PER_TIE < words && (pieces.len() == 1 || is_loose_list())
}

/// Whether every piece of an answer has at most two words.
fn is_list(pieces: &[&[Token]]) -> bool {
    const MAX_WORDS_PER_PIECE: usize = 2;
    pieces.iter().all(|piece| piece.len() <= MAX_WORDS_PER_PIECE)
}

/// Whether a token is more than a number or a single letter.
fn has_letters(token: &Token) -> bool {
    token.letters.chars().filter(|c| c.is_alphabetic()).count() > 1
}

/// Whether a piece of an answer expresses an idea by itself.
fn says_an_idea(free: &Free, text: &str, piece: &[Token]) -> bool {
    let known: HashSet<String> = HashSet::new();
    let readings = Readings::new(&text[piece[0].at.start..piece[piece.len() - 1].at.end]);
    let piece = readings.answer(&known);
    free.ideas.iter().any(|idea| find(&idea.any, &piece).is_some())
}

/// Whether the answer is a heap of words, most of which have nothing to do with the ideas.
fn is_heap(free: &Free, text: &str, tokens: &[Token]) -> bool {
    const MIN_PIECES: usize = 6;
    let mut pieces: Vec<&[Token]> = tokens.chunk_by(|_, next| !next.opens_clause).collect();
    // A formula comes in pieces too, but each of them is a number or a letter.
    pieces.retain(|piece| piece.iter().any(has_letters));
    let count = || pieces.iter().filter(|piece| says_an_idea(free, text, piece)).count();
    pieces.len() >= MIN_PIECES && is_list(&pieces) && count() * 2 < pieces.len()
}
