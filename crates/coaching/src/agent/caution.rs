//! Estimates the probability that an announced step is one that only a human should decide.
//!
//! No list of risky words is ever complete, so a small logistic model complements the rules of `risks.rs`: it reads
//! the step and the message around it. Its weights are in `caution.tsv`, written by `cargo run -p bench --
//! train-agent`.

use super::phrases::{is_unspaced, words_of};
use std::collections::{BTreeSet, HashMap};
use std::sync::LazyLock;

/// The risk from which the coach does not encourage an announced step. Holding an agent back needlessly only makes
/// it wait for its human; sending it on wrongly may do something that cannot be undone.
pub const CAREFUL: f64 = 0.15;
/// The number of leading letters by which words are compared, so that their inflected forms match.
const STEM: usize = 5;
/// The weight of a word around the step. It says less than a word of the step itself.
const AROUND: f64 = 0.5;

#[derive(Debug, Clone, Default, PartialEq)]
pub struct Caution {
    pub bias: f64,
    pub weights: HashMap<String, f64>,
}

static SHIPPED: LazyLock<Caution> = LazyLock::new(|| {
    Caution::read(include_str!("caution.tsv")).expect("the shipped weights are read in every test")
});

impl Caution {
    pub fn shipped() -> &'static Caution {
        &SHIPPED
    }

    /// Reads the weights, one per line: a name, a tab and a number. The name `bias` stands for the bias. The error
    /// is the first malformed line.
    pub fn read(source: &str) -> Result<Caution, String> {
        let mut caution = Caution::default();
        for (at, line) in source.lines().enumerate().filter(|(_, line)| !line.starts_with("# ")) {
            let read = line.split_once('\t').and_then(|(name, weight)| Some((name, weight.parse().ok()?)));
            let (name, weight) = read.ok_or_else(|| format!("line {}: {line}", at + 1))?;
            match name {
                "bias" => caution.bias = weight,
                _ => drop(caution.weights.insert(name.to_owned(), weight)),
            }
        }
        Ok(caution)
    }

    /// Returns the probability that this step of a message is a risk.
    pub fn risk(&self, step: &str, message: &str) -> f64 {
        let weigh = |name: &String| self.weights.get(name).map_or(0.0, |weight| weight * count(name));
        let score: f64 = self.bias + features(step, message).iter().map(weigh).sum::<f64>();
        1.0 / (1.0 + (-score).exp())
    }
}

/// Returns the value of a feature that is present. Words around the step count less than its own.
pub fn count(feature: &str) -> f64 {
    if feature.starts_with("around:") { AROUND } else { 1.0 }
}

/// Returns the stems of a step and their pairs, the stems of the message around it, and whether the step names
/// code.
pub fn features(step: &str, message: &str) -> BTreeSet<String> {
    let stems = stems(step);
    let pairs = stems.windows(2).map(|two| format!("pair:{} {}", two[0], two[1]));
    let own = stems.iter().map(|stem| format!("step:{stem}"));
    let around = self::stems(message).into_iter().map(|stem| format!("around:{stem}"));
    let code = step.contains('`').then(|| "code".to_owned());
    pairs.chain(own).chain(around).chain(code).collect()
}

/// Returns the beginnings of words or, in scripts without spaces, pairs of letters.
fn stems(text: &str) -> Vec<String> {
    let stem = |word: String| -> Vec<String> {
        let letters: Vec<char> = word.chars().collect();
        match letters.iter().copied().any(is_unspaced) && letters.len() > 1 {
            true => letters.windows(2).map(|two| two.iter().collect()).collect(),
            false => vec![letters.into_iter().take(STEM).collect()],
        }
    };
    words_of(text).into_iter().flat_map(stem).collect()
}
