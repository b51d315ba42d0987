//! Phrases that show what the writer of a clause is doing. They are in `cues.txt`.
//!
//! A pattern is matched on folded whole words, so case, accents, apostrophes and punctuation do not matter.

use std::collections::HashMap;
use std::ops::Range;
use std::sync::LazyLock;

use super::spans::{CODE_SPAN, QUOTED};
use crate::text::{Phrase, Words};
use flow::Name;

/// How many words `*` may stand for.
const MAX_GAP: usize = 3;

flow::names! {
    /// What a phrase tells about its clause. The names are the sections of `cues.txt`.
    pub(super) enum Cue {
        // The human is asked to decide, or their approval is awaited.
        Ask = "ask",
        // A polite ending that asks nothing.
        Courtesy = "courtesy",
        // More work is offered, not asked about.
        Offer = "offer",
        // The human is asked to give or do something.
        Handover = "handover",
        // The agent says that it cannot go on.
        Stuck = "stuck",
        // The agent could not do some part.
        Limit = "limit",
        // Access, permission or equipment is missing.
        Lack = "lack",
        // Something does not work.
        Fail = "fail",
        // Something that did not work does now.
        Repair = "repair",
        // What goes wrong in this clause is explained, handled or over.
        Context = "context",
        // The agent says what it does now or next.
        Next = "next",
        // Something is not finished.
        Open = "open",
        // The whole is called finished.
        Done = "done",
        // A change was made.
        Change = "change",
        // A check passed.
        Green = "green",
        // The writer is not sure.
        Hedge = "hedge",
        // It was not tried.
        Untested = "untested",
        // What follows means its opposite.
        Not = "not",
        // What follows happens only under a condition.
        If = "if",
        // A small word of a language that the cues are written in.
        Known = "known",
    }
}

/// One phrase found: its cue and the words it covers.
#[derive(Debug, Clone)]
pub(super) struct Hit {
    pub cue: Cue,
    pub tokens: Range<usize>,
}

/// A word of a clause. A whole span of code or quotation is read as one word.
#[derive(Debug)]
pub(super) struct Token<'w> {
    pub letters: &'w str,
    /// Where it stands in the clause.
    pub source: Range<usize>,
}

/// Stands for any number in a pattern.
const NUMBER: &str = "<n>";

/// Every phrase that a clause has.
pub(super) fn find(tokens: &[Token], words: &Words) -> Vec<Hit> {
    let cues = &*CUES;
    let mut hits: Vec<Hit> = Vec::new();
    for (at, token) in tokens.iter().enumerate() {
        let first = if is_number(token.letters) { NUMBER } else { token.letters };
        for &candidate in cues.by_first_word.get(first).into_iter().flatten() {
            let pattern = &cues.patterns[candidate];
            if pattern.at_start && at > 0 {
                continue;
            }
            if let Some(end) = ends(&pattern.steps, tokens, at) {
                hits.push(Hit { cue: pattern.cue, tokens: at..end });
            }
        }
    }
    let unspaced = cues.unspaced.iter().filter(|(_, phrase)| words.contains(phrase));
    if tokens.iter().any(|token| !token.letters.is_ascii()) {
        hits.extend(unspaced.map(|(cue, _)| Hit { cue: *cue, tokens: 0..tokens.len() }));
    }
    hits
}

/// The patterns of `cues.txt`, by their first word.
struct Cues {
    patterns: Vec<Pattern>,
    by_first_word: HashMap<String, Vec<usize>>,
    /// Phrases of scripts that have no spaces, so no words to look up.
    unspaced: Vec<(Cue, Phrase)>,
}

struct Pattern {
    cue: Cue,
    at_start: bool,
    steps: Vec<Step>,
}

enum Step {
    /// One of these words.
    Word(Vec<String>),
    /// One of these words, or nothing.
    Maybe(Vec<String>),
    /// Any word but these.
    Other(Vec<String>),
    /// A word with this ending and at least two more letters.
    Ending(String),
    Gap,
}

static CUES: LazyLock<Cues> = LazyLock::new(|| parse(include_str!("cues.txt")));

fn parse(source: &str) -> Cues {
    let mut cues = Cues { patterns: Vec::new(), by_first_word: HashMap::new(), unspaced: Vec::new() };
    let mut cue = Cue::Known;
    for line in source.lines().map(str::trim).filter(|line| !line.is_empty() && !line.starts_with('#')) {
        match line.strip_prefix('[').and_then(|rest| rest.strip_suffix(']')) {
            Some(name) => cue = named(name),
            None if is_unspaced(line) => cues.unspaced.extend(Phrase::new(line).map(|phrase| (cue, phrase))),
            None => cues.add(cue, line),
        }
    }
    cues
}

fn named(name: &str) -> Cue {
    let found = Cue::ALL.iter().find(|cue| cue.name() == name);
    *found.unwrap_or_else(|| panic!("cues.txt has a section [{name}] that no cue is named after"))
}

/// Chinese and Japanese: written without spaces, so a line of them is a phrase and not a pattern.
fn is_unspaced(line: &str) -> bool {
    line.chars().any(|c| matches!(c, '\u{3040}'..='\u{30FF}' | '\u{4E00}'..='\u{9FFF}'))
}

impl Cues {
    fn add(&mut self, cue: Cue, line: &str) {
        let (at_start, line) = line.strip_prefix("^ ").map_or((false, line), |rest| (true, rest));
        let steps: Vec<Step> = line.split_whitespace().map(step).collect();
        let Some(Step::Word(first)) = steps.first() else {
            panic!("the cue «{line}» must begin with a word");
        };
        for word in first {
            let key = if is_number(word) { NUMBER } else { word };
            self.by_first_word.entry(key.to_owned()).or_default().push(self.patterns.len());
        }
        self.patterns.push(Pattern { cue, at_start, steps });
    }
}

fn step(written: &str) -> Step {
    match written {
        "*" => Step::Gap,
        _ if written.starts_with('~') => Step::Ending(written[1..].to_owned()),
        _ if written.starts_with('!') => Step::Other(folded(&written[1..])),
        _ if written.starts_with('[') => Step::Maybe(folded(written.trim_matches(['[', ']']))),
        _ => Step::Word(folded(written)),
    }
}

fn folded(alternatives: &str) -> Vec<String> {
    let fold = |word: &str| match word {
        CODE_SPAN | QUOTED | NUMBER => word.to_owned(),
        // Most words need no folding. To see that is quicker than to fold, and a hook has to be quick.
        _ if word.bytes().all(|byte| byte.is_ascii_lowercase() || byte.is_ascii_digit()) => word.to_owned(),
        _ => Words::new(word).iter().map(|(_, letters)| letters).collect(),
    };
    alternatives.split('|').map(fold).collect()
}

/// The position after the steps, if they fit from `at` on.
fn ends(steps: &[Step], tokens: &[Token], at: usize) -> Option<usize> {
    let Some((step, rest)) = steps.split_first() else { return Some(at) };
    let here = tokens.get(at).map(|token| token.letters);
    let is_one_of = |words: &[String]| here.is_some_and(|here| words.iter().any(|word| fits(word, here)));
    let on = |fits: bool| if fits { ends(rest, tokens, at + 1) } else { None };
    match step {
        Step::Word(words) => on(is_one_of(words)),
        Step::Maybe(words) => on(is_one_of(words)).or_else(|| ends(rest, tokens, at)),
        Step::Other(words) => on(here.is_some() && !is_one_of(words)),
        Step::Ending(ending) => {
            on(here.is_some_and(|here| here.len() > ending.len() + 1 && here.ends_with(ending.as_str())))
        }
        Step::Gap => (0..=MAX_GAP).find_map(|skip| ends(rest, tokens, at + skip)),
    }
}

fn fits(word: &str, here: &str) -> bool {
    word == here || (word == NUMBER && is_number(here))
}

pub(super) fn is_number(letters: &str) -> bool {
    letters.bytes().all(|byte| byte.is_ascii_digit())
}
