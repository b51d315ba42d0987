//! How probable it is that an announced step is one that only a human decides.
//!
//! A list of risky words never ends. So beside the rules of `risks.rs` a small logistic model reads the step and the
//! message around it. Its weights are in `caution.tsv`, which `cargo run -p bench -- train-agent` writes.

use super::phrases::{is_unspaced, words_of};
use std::collections::{BTreeSet, HashMap};
use std::sync::LazyLock;

/// From this probability on, an announced step is not encouraged. Held back needlessly, an agent waits for its human; sent
/// on wrongly, it may do what cannot be undone.
pub const CAREFUL: f64 = 0.15;
/// Only this many letters of a word count, so that its forms match.
const STEM: usize = 5;
/// Words around the step say less than its own.
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

    /// Reads the weights as they are written: a name and a number a line, the bias among them.
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

    /// How probable it is that this step of a message is a risk.
    pub fn risk(&self, step: &str, message: &str) -> f64 {
        let weigh = |name: &String| self.weights.get(name).map_or(0.0, |weight| weight * count(name));
        let score: f64 = self.bias + features(step, message).iter().map(weigh).sum::<f64>();
        1.0 / (1.0 + (-score).exp())
    }
}

/// How much a feature counts where it occurs.
pub fn count(feature: &str) -> f64 {
    if feature.starts_with("around:") { AROUND } else { 1.0 }
}

/// The stems of a step and their pairs, the stems of the message around it, and whether the step names code.
pub fn features(step: &str, message: &str) -> BTreeSet<String> {
    let stems = stems(step);
    let pairs = stems.windows(2).map(|two| format!("pair:{} {}", two[0], two[1]));
    let own = stems.iter().map(|stem| format!("step:{stem}"));
    let around = self::stems(message).into_iter().map(|stem| format!("around:{stem}"));
    let code = step.contains('`').then(|| "code".to_owned());
    pairs.chain(own).chain(around).chain(code).collect()
}

/// The beginnings of words. Scripts without spaces give pairs of letters.
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
