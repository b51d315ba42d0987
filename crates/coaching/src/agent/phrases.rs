//! Recognises the phrases that tell what a human or an agent means. They are in a file, which users can replace.

use crate::text::Words;
use serde::Deserialize;
use std::collections::{BTreeMap, HashMap};
use std::sync::{Arc, LazyLock};

/// The maximum number of words that `_` stands for.
const GAP: usize = 3;
/// The number of words before a phrase in which a negation cancels it.
const NEGATION_REACH: usize = 3;
const NEGATIONS: &[&str] =
    &["dont", "not", "never", "without", "no", "nicht", "kein", "keine", "nie", "ne", "sans", "sin"];
const MAX_PHRASES: usize = 4_000;
pub const MAX_PHRASE_FILE_BYTES: usize = 256 << 10;

/// A meaning of phrases. In snake case, it is the name of their list in the file.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Means {
    Stop,
    NoRuns,
    NoQuestions,
    Risks,
    Intentions,
    NoIntentions,
    Admissions,
    Claims,
    Permissions,
    Waiting,
    RateLimits,
    LoginFailures,
    PermissionErrors,
    TroubleOver,
    // Classes of words for reading clauses.
    Only,
    First,
    ForNow,
    Enough,
    Others,
    Work,
    Either,
    Talk,
    Halts,
    HaltEnds,
    Me,
    Reviews,
    AtEnd,
    Takes,
    #[serde(rename = "self")]
    Self_,
    General,
    Changes,
    Looks,
    Skips,
    Later,
    Nots,
    Third,
    Finite,
    Subordinates,
    Openers,
    Connectives,
    Closers,
    ClosedLetters,
    GoAhead,
    Destroys,
    Outward,
    Operates,
    Grave,
    NotGrave,
    Stakes,
    Harmless,
    NeedsObject,
    OutwardObjects,
    BeforeVerbs,
    WritesAbout,
    Results,
    DeedNames,
    MovesCustomers,
    InPrograms,
    ObjectEnds,
    PointsAt,
    NounMarks,
    HowTo,
    ForeignSteps,
    Weakens,
    Safeguards,
    Silences,
    TestCases,
    Commits,
    Puts,
    Secrets,
    SharedPlaces,
    Grants,
    Rights,
    Alters,
    Addresses,
    Superfluous,
    Audiences,
    // Classes of words for reading limits.
    Foreign,
    Small,
    Announces,
    It,
    You,
    ToMe,
    OpeningNots,
    FarNots,
    BeforeNot,
    BeforeBanned,
    Dont,
    IdleBans,
    RunVerbs,
    Runs,
    Trials,
    Tests,
    GoesOn,
    KeepsOn,
    More,
    Rest,
    Whole,
    Lifts,
    AnyChange,
    Adds,
    Omits,
    Without,
    Except,
    ButFor,
    Waits,
    With,
    PartedHalts,
    Breaks,
    Leaves,
    PartedSkips,
    LetMe,
    Parts,
    Remarks,
    Conditions,
    Focuses,
    NotBeforeFirst,
    Before,
    BeforeGoingOn,
    Shows,
    TalksWithMe,
    Wants,
    Promises,
    Wishes,
    BeforePromised,
    ForeignI,
    InvertedI,
    Soon,
    TakesOver,
    LastDeeds,
    OthersWords,
    TakesIt,
    PutsOff,
    PutOffWords,
    FailingTests,
    Writes,
    Repairs,
    WeakGoAhead,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Phrases(Arc<BTreeMap<Means, List>>);

/// The phrases of one meaning, by their first word.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
struct List {
    words: HashMap<String, Vec<Pattern>>,
    /// Phrases in scripts without spaces.
    letters: Vec<String>,
}

/// Words in order; a gap stands for up to [`GAP`] words.
type Pattern = Vec<Token>;

#[derive(Debug, Clone, PartialEq, Eq)]
enum Token {
    Word(String),
    Stem(String),
    Gap,
}

static SHIPPED: LazyLock<Phrases> = LazyLock::new(|| {
    Phrases::read_alone(include_str!("phrases.yaml")).expect("the shipped phrases are read in every test")
});

impl Phrases {
    pub fn shipped() -> Phrases {
        SHIPPED.clone()
    }

    /// Reads a user's phrases. Its lists replace the shipped ones of the same name; the other shipped lists stay.
    pub fn read(source: &str) -> Result<Phrases, String> {
        let mut phrases = Phrases::shipped();
        let own = Arc::unwrap_or_clone(Phrases::read_alone(source)?.0);
        Arc::make_mut(&mut phrases.0).extend(own);
        Ok(phrases)
    }

    fn read_alone(source: &str) -> Result<Phrases, String> {
        if source.len() > MAX_PHRASE_FILE_BYTES {
            return Err(format!("the file has more than {MAX_PHRASE_FILE_BYTES} bytes"));
        }
        let lists: BTreeMap<Means, Vec<String>> = serde_saphyr::from_str(source).map_err(|error| {
            let message = error.to_string();
            message.lines().next().unwrap_or_default().to_owned()
        })?;
        let lists = lists.into_iter().map(|(means, lines)| (means, List::read(&lines)));
        Ok(Phrases(Arc::new(lists.collect())))
    }

    /// Whether a text contains a phrase of this meaning that is not negated.
    pub(super) fn says(&self, means: Means, text: &str) -> bool {
        let Some(list) = self.0.get(&means) else { return false };
        let words = words_of(text);
        list.letters.iter().any(|letters| text.contains(letters.as_str()))
            || (0..words.len()).any(|at| list.is_at(&words, at, |pattern| !is_negated(&words, at, pattern)))
    }

    /// Whether the words contain a phrase of this meaning, negated or not.
    pub(super) fn has(&self, means: Means, words: &[String]) -> bool {
        (0..words.len()).any(|at| self.at(means, words, at) > 0)
    }

    /// Returns the number of words in the longest phrase at a place, or 0 if no phrase is there.
    pub(super) fn at(&self, means: Means, words: &[String], at: usize) -> usize {
        let (Some(list), Some(rest)) = (self.0.get(&means), words.get(at..)) else { return 0 };
        let lengths = list.starting(rest).filter_map(|pattern| length(rest, pattern));
        lengths.max().unwrap_or(0)
    }

    /// Whether one word means this by itself.
    pub(super) fn is(&self, means: Means, word: &String) -> bool {
        self.at(means, std::slice::from_ref(word), 0) > 0
    }

    /// Whether the words are German, French or Spanish, which put verbs elsewhere.
    pub(super) fn is_foreign(&self, words: &[String]) -> bool {
        self.has(Means::Foreign, words)
    }

    pub(super) fn has_letters(&self, means: Means, text: &str) -> bool {
        let list = self.0.get(&means);
        list.is_some_and(|list| list.letters.iter().any(|letters| text.contains(letters.as_str())))
    }

    /// Returns the words of the text that occur in no phrase of this meaning, to see whether anything else is left.
    pub(super) fn rest(&self, means: Means, text: &str) -> Vec<String> {
        let words = words_of(text);
        let Some(list) = self.0.get(&means) else { return words };
        let is_part = |word: &String| {
            list.words.values().flatten().flatten().any(|token| token.is(word))
                || list.letters.iter().any(|letters| letters.contains(word.as_str()))
        };
        words.iter().filter(|word| !is_part(word)).cloned().collect()
    }
}

/// Splits a text into folded words.
pub(super) fn words_of(text: &str) -> Vec<String> {
    Words::new(text).iter().map(|(_, letters)| letters.to_owned()).collect()
}

impl List {
    fn read(lines: &[String]) -> List {
        let mut list = List::default();
        for phrase in lines.iter().flat_map(|line| line.split(',')).map(str::trim).take(MAX_PHRASES) {
            if phrase.chars().any(is_unspaced) {
                list.letters.push(phrase.to_owned());
                continue;
            }
            let pattern: Pattern = phrase.split_whitespace().flat_map(Token::read).collect();
            if let Some(Token::Word(first) | Token::Stem(first)) = pattern.first() {
                list.words.entry(first.clone()).or_default().push(pattern);
            }
        }
        list
    }

    /// Returns the patterns that may begin with the first of some words.
    fn starting<'l>(&'l self, words: &'l [String]) -> impl Iterator<Item = &'l Pattern> {
        let first = words.first().map_or("", String::as_str);
        let ends = first.char_indices().map(|(at, _)| at).skip(1).chain([first.len()]);
        ends.filter_map(move |end| self.words.get(&first[..end])).flatten()
    }

    fn is_at(&self, words: &[String], at: usize, counts: impl Fn(&Pattern) -> bool) -> bool {
        let rest = &words[at..];
        self.starting(rest).any(|pattern| length(rest, pattern).is_some() && counts(pattern))
    }
}

impl Token {
    fn read(word: &str) -> Vec<Token> {
        if word == "_" {
            return vec![Token::Gap];
        }
        let stem = word.strip_suffix('*');
        let bare = stem.unwrap_or(word);
        // Most words need no folding, and each start of a hook reads thousands.
        let is_folded = bare.bytes().all(|byte| byte.is_ascii_lowercase());
        let words = if is_folded { vec![bare.to_owned()] } else { words_of(bare) };
        let mut words: Vec<Token> = words.into_iter().map(Token::Word).collect();
        if let (Some(_), Some(Token::Word(last))) = (stem, words.last().cloned()) {
            words.pop();
            words.push(Token::Stem(last));
        }
        words
    }

    fn is(&self, word: &str) -> bool {
        match self {
            Token::Word(known) => known == word,
            Token::Stem(stem) => word.starts_with(stem.as_str()),
            Token::Gap => false,
        }
    }
}

/// Returns the number of words that a pattern takes, if the words begin with it.
fn length(words: &[String], pattern: &[Token]) -> Option<usize> {
    match pattern.split_first() {
        None => Some(0),
        Some((Token::Gap, rest)) => {
            (0..=GAP.min(words.len())).find_map(|skipped| Some(skipped + length(&words[skipped..], rest)?))
        }
        Some((token, rest)) => {
            words.first().filter(|first| token.is(first))?;
            Some(1 + length(&words[1..], rest)?)
        }
    }
}

/// Whether a negation before a phrase cancels it. A phrase that negates by itself is exempt.
fn is_negated(words: &[String], at: usize, pattern: &[Token]) -> bool {
    let negates = |word: &str| NEGATIONS.contains(&word);
    let own = pattern.iter().any(|token| matches!(token, Token::Word(word) if negates(word)));
    !own && words[at.saturating_sub(NEGATION_REACH)..at].iter().any(|word| negates(word))
}

pub(super) fn is_unspaced(c: char) -> bool {
    matches!(c, '\u{2e80}'..='\u{9fff}' | '\u{ac00}'..='\u{d7af}' | '\u{f900}'..='\u{faff}' | '\u{e00}'..='\u{eff}')
}
