//! The phrases by which the coach knows what a human or an agent means. They are a file, which users can replace.

use crate::text::Words;
use serde::Deserialize;
use std::collections::BTreeMap;
use std::sync::LazyLock;

/// How many words `_` may stand for.
const GAP: usize = 3;
/// How many words before a phrase may take it back.
const NEGATION_REACH: usize = 2;
const NEGATIONS: &[&str] =
    &["dont", "not", "never", "without", "no", "nicht", "kein", "keine", "nie", "ne", "sans", "sin"];
const MAX_PHRASES: usize = 4_000;
pub const MAX_PHRASE_FILE_BYTES: usize = 256 << 10;

/// What phrases are known for.
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
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Phrases(BTreeMap<Means, Vec<Pattern>>);

#[derive(Debug, Clone, PartialEq, Eq)]
enum Pattern {
    /// Words in order; `None` stands for up to [`GAP`] words.
    Words(Vec<Option<String>>),
    /// Letters of a script without spaces.
    Letters(String),
}

static SHIPPED: LazyLock<Phrases> = LazyLock::new(|| {
    Phrases::read_alone(include_str!("phrases.yaml")).expect("the shipped phrases are read in every test")
});

impl Phrases {
    pub fn shipped() -> Phrases {
        SHIPPED.clone()
    }

    /// The shipped phrases, with the lists of a user's file in the place of those of the same name.
    pub fn read(source: &str) -> Result<Phrases, String> {
        let mut phrases = Phrases::shipped();
        phrases.0.extend(Phrases::read_alone(source)?.0);
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
        let read = |lines: Vec<String>| -> Vec<Pattern> {
            lines.iter().flat_map(|line| line.split(',')).filter_map(Pattern::new).take(MAX_PHRASES).collect()
        };
        Ok(Phrases(lists.into_iter().map(|(means, lines)| (means, read(lines))).collect()))
    }

    /// Whether a text says so.
    pub(super) fn says(&self, means: Means, text: &str) -> bool {
        let words = Words::new(text);
        let words: Vec<&str> = words.iter().map(|(_, letters)| letters).collect();
        self.0.get(&means).into_iter().flatten().any(|pattern| pattern.is_in(text, &words))
    }

    /// The text without the words that mean this, to see whether anything else is left.
    pub(super) fn rest(&self, means: Means, text: &str) -> Vec<String> {
        let words = Words::new(text);
        let words: Vec<&str> = words.iter().map(|(_, letters)| letters).collect();
        let known: Vec<&Pattern> = self.0.get(&means).into_iter().flatten().collect();
        let is_part = |word: &str| known.iter().any(|pattern| pattern.has(word));
        words.into_iter().filter(|word| !is_part(word)).map(str::to_owned).collect()
    }
}

impl Pattern {
    fn new(phrase: &str) -> Option<Pattern> {
        let phrase = phrase.trim();
        if phrase.chars().any(is_unspaced) {
            return Some(Pattern::Letters(phrase.to_owned()));
        }
        let fold =
            |word: &str| Words::new(word).iter().map(|(_, letters)| letters.to_owned()).collect::<Vec<_>>();
        let words: Vec<Option<String>> = phrase
            .split_whitespace()
            .flat_map(
                |word| if word == "_" { vec![None] } else { fold(word).into_iter().map(Some).collect() },
            )
            .collect();
        (!words.is_empty()).then_some(Pattern::Words(words))
    }

    fn is_in(&self, text: &str, words: &[&str]) -> bool {
        match self {
            Pattern::Letters(letters) => text.contains(letters.as_str()),
            Pattern::Words(pattern) => {
                (0..words.len()).any(|at| begins(&words[at..], pattern) && !is_negated(words, at, pattern))
            }
        }
    }

    fn has(&self, word: &str) -> bool {
        match self {
            Pattern::Words(pattern) => pattern.iter().flatten().any(|known| known == word),
            Pattern::Letters(letters) => letters.contains(word),
        }
    }
}

fn begins(words: &[&str], pattern: &[Option<String>]) -> bool {
    match pattern.split_first() {
        None => true,
        Some((Some(word), rest)) => {
            words.first().is_some_and(|first| first == word) && begins(&words[1..], rest)
        }
        Some((None, rest)) => (0..=GAP.min(words.len())).any(|skipped| begins(&words[skipped..], rest)),
    }
}

/// A phrase that negates by itself is not taken back by the word before it.
fn is_negated(words: &[&str], at: usize, pattern: &[Option<String>]) -> bool {
    let negates = |word: &str| NEGATIONS.contains(&word);
    let own = pattern.iter().flatten().any(|word| negates(word));
    !own && words[at.saturating_sub(NEGATION_REACH)..at].iter().any(|word| negates(word))
}

pub(super) fn is_unspaced(c: char) -> bool {
    matches!(c, '\u{2e80}'..='\u{9fff}' | '\u{ac00}'..='\u{d7af}' | '\u{f900}'..='\u{faff}' | '\u{e00}'..='\u{eff}')
}
