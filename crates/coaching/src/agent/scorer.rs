//! Scores a message with a small multinomial logistic model over its features.
//!
//! The weights are in `scorer.tsv`, one feature per line, which `cargo run -p bench -- train-agent` writes.

use std::collections::HashMap;
use std::sync::LazyLock;

use super::verdict::OutputType;

/// The classes of messages. A claim is a completion that shows nothing for itself; it counts as a status.
pub const CLASSES: [&str; 6] = ["question", "status", "completion", "blocker", "error", "claim"];
/// The index of the last of [`CLASSES`].
pub const CLAIM: usize = 5;

/// A number for each of [`CLASSES`].
pub type PerClass = [f64; 6];

/// The zones of features, by the beginning of their names.
const ZONES: [&str; ZONE_COUNT] =
    ["any:", "any means:", "open:", "open means:", "end:", "end means:", "end both:", "tail means:", "is:"];
const ZONE_COUNT: usize = 9;
/// The weight of a whole zone, whatever its length.
const ZONE: f64 = 2.0;

#[derive(Debug, Clone, PartialEq)]
pub struct Scorer {
    /// The probability that a message is not at all what its features say. Probabilities leave room for it, so that
    /// they are right as often as they say.
    pub doubt: f64,
    pub bias: PerClass,
    pub weights: HashMap<String, PerClass>,
}

static SHIPPED: LazyLock<Scorer> = LazyLock::new(|| {
    Scorer::read(include_str!("scorer.tsv")).expect("the shipped weights are read in every test")
});

impl Scorer {
    pub fn shipped() -> &'static Scorer {
        &SHIPPED
    }

    /// Reads the doubt, the bias and the weights from lines with a name and up to six numbers. Fails with the first
    /// line that has another form.
    pub fn read(source: &str) -> Result<Scorer, String> {
        let mut scorer = Scorer { doubt: 0.0, bias: [0.0; 6], weights: HashMap::new() };
        for (at, line) in source.lines().enumerate().filter(|(_, line)| !line.starts_with("# ")) {
            let (name, numbers) = read_line(line).ok_or_else(|| format!("line {}: {line}", at + 1))?;
            match name {
                "doubt" => scorer.doubt = numbers[0],
                "bias" => scorer.bias = numbers,
                _ => drop(scorer.weights.insert(name.to_owned(), numbers)),
            }
        }
        Ok(scorer)
    }

    /// Returns the probability of each class for a message with these features.
    pub fn probabilities<'f>(&self, features: impl Iterator<Item = &'f str>) -> PerClass {
        let known: Vec<(usize, &PerClass)> =
            features.filter_map(|name| Some((zone(name), self.weights.get(name)?))).collect();
        let scales = scales(known.iter().map(|(zone, _)| *zone));
        let mut scores = self.bias;
        for (zone, weights) in known {
            (0..6).for_each(|class| scores[class] += scales[zone] * weights[class]);
        }
        softmax(scores).map(|told| (1.0 - self.doubt) * told + self.doubt / 6.0)
    }

    /// Returns how much a feature speaks for a class, compared with the mean of all classes.
    pub(super) fn leaning(&self, feature: &str, class: usize) -> f64 {
        self.weights.get(feature).map_or(0.0, |weights| weights[class] - weights.iter().sum::<f64>() / 6.0)
    }
}

/// Returns the zone that a feature belongs to, as its place in `ZONES`.
pub fn zone(feature: &str) -> usize {
    ZONES.iter().position(|zone| feature.starts_with(zone)).unwrap_or(ZONES.len() - 1)
}

/// Returns the weight of a single feature in each zone, given the zones of all features. A feature counts less
/// beside many others, so that a long message is not surer than a short one, and its end is not lost in it.
pub fn scales(zones: impl Iterator<Item = usize>) -> [f64; ZONE_COUNT] {
    let mut counts = [0_u32; ZONE_COUNT];
    zones.for_each(|zone| counts[zone] += 1);
    counts.map(|count| ZONE / f64::from(count.max(1)).sqrt())
}

fn read_line(line: &str) -> Option<(&str, PerClass)> {
    let mut fields = line.split('\t');
    let name = fields.next()?;
    let mut numbers = [0.0; 6];
    for number in &mut numbers {
        *number = match fields.next() {
            Some(field) => field.parse().ok()?,
            None => 0.0,
        };
    }
    fields.next().is_none().then_some((name, numbers))
}

pub fn softmax(scores: PerClass) -> PerClass {
    let highest = scores.into_iter().fold(f64::NEG_INFINITY, f64::max);
    let raised = scores.map(|score| (score - highest).exp());
    let sum: f64 = raised.iter().sum();
    raised.map(|one| one / sum)
}

/// Returns the probability of each kind of message, counting a claim as a status.
pub fn kinds(of: PerClass) -> [f64; 5] {
    let mut kinds: [f64; 5] = std::array::from_fn(|class| of[class]);
    kinds[OutputType::Status as usize] += of[CLAIM];
    kinds
}
