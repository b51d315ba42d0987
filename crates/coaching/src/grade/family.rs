//! Looks up words that mean the same in `synonyms.txt`, and words that contradict each other in `opposites.txt`.

use std::collections::HashMap;
use std::sync::LazyLock;

use super::reading::{Flavour, Reading};
use super::stem::stem;

/// The number of a family of synonyms.
pub(super) type Family = u16;

/// Returns the families of a stem.
pub(super) fn families(stem: &str) -> &'static [Family] {
    SYNONYMS.words.get(stem).map_or(&[], Vec::as_slice)
}

/// Returns the phrases that begin with a stem, each as the stems that follow it and its family.
pub(super) fn phrases(first: &str) -> &'static [(Vec<String>, Family)] {
    SYNONYMS.phrases.get(first).map_or(&[], Vec::as_slice)
}

/// Returns the stems that contradict a stem.
pub(super) fn opposites(stem: &str) -> &'static [String] {
    OPPOSITES.get(stem).map_or(&[], Vec::as_slice)
}

#[derive(Default)]
struct Synonyms {
    words: HashMap<String, Vec<Family>>,
    phrases: HashMap<String, Vec<(Vec<String>, Family)>>,
}

static SYNONYMS: LazyLock<Synonyms> = LazyLock::new(|| {
    let mut synonyms = Synonyms::default();
    for (family, line) in lines(include_str!("synonyms.txt")).enumerate() {
        let family = Family::try_from(family).expect("there are few families");
        for entry in line.split(',') {
            match stems(entry).as_slice() {
                [] => {}
                [word] => synonyms.words.entry(word.clone()).or_default().push(family),
                [first, rest @ ..] => {
                    synonyms.phrases.entry(first.clone()).or_default().push((rest.to_vec(), family));
                }
            }
        }
    }
    synonyms
});

static OPPOSITES: LazyLock<HashMap<String, Vec<String>>> = LazyLock::new(|| {
    let mut opposites: HashMap<String, Vec<String>> = HashMap::new();
    for line in lines(include_str!("opposites.txt")) {
        let sides: Vec<Vec<String>> = line
            .split('|')
            .map(|side| side.split(',').map(|entry| stems(entry).join(" ")).collect())
            .collect();
        for (side, other) in [(0, 1), (1, 0)] {
            for word in &sides[side] {
                opposites.entry(word.clone()).or_default().extend(sides[other].iter().cloned());
            }
        }
    }
    opposites
});

fn lines(text: &'static str) -> impl Iterator<Item = &'static str> {
    text.lines().filter(|line| !line.trim().is_empty() && !line.starts_with('#'))
}

fn stems(entry: &str) -> Vec<String> {
    let tokens = Reading::new(entry, Flavour::Plain).tokens;
    tokens.iter().map(|token| stem(&token.letters).into_owned()).collect()
}
