//! Groups words by their rough meaning. `lexicon.txt` holds the groups, with phrases in several languages.

use std::collections::HashMap;
use std::sync::LazyLock;

use super::phrases::is_unspaced;
use crate::text::{Words, lists};

/// The ending of words that are taken for work that was done, "renamed" or "extracted", and the name of their
/// group.
const PAST: &str = "ed";
const MIN_PAST_LETTERS: usize = 5;

#[derive(Debug, Default)]
pub(super) struct Lexicon {
    /// Phrases of words, each with the groups that it belongs to.
    phrases: HashMap<String, Vec<&'static str>>,
    /// Phrases in scripts without spaces, each with its group.
    letters: Vec<(String, &'static str)>,
    longest: usize,
}

static SHIPPED: LazyLock<Lexicon> = LazyLock::new(|| Lexicon::read(include_str!("lexicon.txt")));

impl Lexicon {
    pub(super) fn shipped() -> &'static Lexicon {
        &SHIPPED
    }

    fn read(source: &'static str) -> Lexicon {
        let mut lexicon = Lexicon::default();
        for (group, phrases) in lists(source) {
            phrases.into_iter().for_each(|phrase| lexicon.add(phrase, group));
        }
        lexicon
    }

    fn add(&mut self, phrase: &str, group: &'static str) {
        let words = Words::new(phrase);
        let words: Vec<&str> = words.iter().map(|(_, letters)| letters).collect();
        if words.is_empty() {
            return;
        }
        if phrase.contains(is_unspaced) {
            self.letters.push((words.concat(), group));
        } else {
            self.longest = self.longest.max(words.len());
            self.phrases.entry(words.join(" ")).or_default().push(group);
        }
    }

    /// Returns the groups that a clause has words of, each with the place where it was found, in order. Longer
    /// phrases win: "let me know if" is a courtesy and no intention.
    pub(super) fn groups(&self, words: &[String]) -> Vec<(usize, &'static str)> {
        let mut found = Vec::new();
        let mut at = 0;
        while at < words.len() {
            let (length, groups) = self.longest_at(&words[at..]);
            found.extend(groups.iter().map(|group| (at, *group)));
            if groups.is_empty() && is_past(&words[at]) {
                found.push((at, PAST));
            }
            at += length;
        }
        if words.iter().any(|word| word.contains(is_unspaced)) {
            self.find_letters(&words.concat(), &mut found);
        }
        found.sort_unstable();
        found
    }

    /// Returns the longest phrase at the beginning of some words: how many words it takes, and its groups.
    fn longest_at(&self, words: &[String]) -> (usize, &[&'static str]) {
        let known = |length: usize| Some((length, self.phrases.get(&words[..length].join(" "))?.as_slice()));
        (1..=self.longest.min(words.len())).rev().find_map(known).unwrap_or((1, &[]))
    }

    fn find_letters(&self, clause: &str, found: &mut Vec<(usize, &'static str)>) {
        let places =
            self.letters.iter().filter_map(|(letters, group)| Some((clause.find(letters.as_str())?, *group)));
        found.extend(places);
    }
}

fn is_past(word: &str) -> bool {
    word.is_ascii() && word.len() >= MIN_PAST_LETTERS && word.ends_with(PAST)
}
