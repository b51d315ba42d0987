//! Measures how well messages are classified, on messages whose kind is known.

use super::classify::classify;
use super::verdict::{OutputType, Signals};
use serde::{Deserialize, Serialize};

/// The lower bounds of the confidence bands.
const BANDS: [f64; 6] = [0.0, 0.5, 0.6, 0.7, 0.8, 0.9];

/// A message and its true kind.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
pub struct Labelled {
    pub label: OutputType,
    #[serde(alias = "message")]
    pub text: String,
}

/// The result over all messages.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Evaluation {
    pub messages: usize,
    /// Messages by true kind (row) and judged kind (column), in the order of `kinds`.
    pub matrix: [[usize; 5]; 5],
    pub kinds: Vec<OfKind>,
    pub accuracy: f64,
    /// The mean F1 of the kinds that occur.
    pub macro_f1: f64,
    pub costs: Costs,
    pub reliability: Vec<Band>,
}

/// The quality of the verdicts on one kind.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct OfKind {
    pub kind: OutputType,
    pub messages: usize,
    pub precision: f64,
    pub recall: f64,
    pub f1: f64,
}

/// The costly mistakes.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Costs {
    /// Messages taken for a status although a human was needed: the agent would be sent on against the human.
    pub continued: Part,
    /// Messages taken for a status although the work was finished.
    pub nudged: Part,
    /// Messages not taken for a status although the work was not finished.
    pub stopped: Part,
}

/// A count out of a total.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct Part {
    pub count: usize,
    pub of: usize,
    pub share: f64,
}

/// The verdicts of similar confidence: the share that was right, and the range that a sample of this size supports.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Band {
    pub from: f64,
    pub to: f64,
    pub messages: usize,
    pub confidence: f64,
    pub right: f64,
    /// The 95 % confidence interval of `right`.
    pub right_from: f64,
    pub right_to: f64,
}

/// A verdict and the true kind.
#[derive(Debug, Clone, Copy)]
pub struct Judged {
    pub label: OutputType,
    pub said: OutputType,
    pub confidence: f64,
}

/// Classifies each message without a model, and compares the verdict with the label.
pub fn evaluate(messages: &[Labelled]) -> Evaluation {
    let judged = messages.iter().map(|message| {
        let verdict = classify(&message.text, &Signals::default());
        Judged { label: message.label, said: verdict.output_type, confidence: verdict.confidence }
    });
    Evaluation::of(&judged.collect::<Vec<_>>())
}

impl Evaluation {
    pub fn of(judged: &[Judged]) -> Evaluation {
        let mut matrix = [[0; 5]; 5];
        for one in judged {
            matrix[one.label as usize][one.said as usize] += 1;
        }
        let kinds: Vec<OfKind> = OutputType::ALL.into_iter().map(|kind| OfKind::of(kind, &matrix)).collect();
        let met: Vec<f64> = kinds.iter().filter(|kind| kind.messages > 0).map(|kind| kind.f1).collect();
        let right = (0..5).map(|kind| matrix[kind][kind]).sum();
        Evaluation {
            messages: judged.len(),
            matrix,
            kinds,
            accuracy: share(right, judged.len()),
            macro_f1: met.iter().sum::<f64>() / met.len().max(1) as f64,
            costs: Costs::of(&matrix),
            reliability: bands(judged),
        }
    }
}

impl OfKind {
    fn of(kind: OutputType, matrix: &[[usize; 5]; 5]) -> OfKind {
        let at = kind as usize;
        let (hits, messages) = (matrix[at][at], matrix[at].iter().sum());
        let said: usize = matrix.iter().map(|row| row[at]).sum();
        let f1 = share(2 * hits, messages + said);
        OfKind { kind, messages, precision: share(hits, said), recall: share(hits, messages), f1 }
    }
}

impl Costs {
    fn of(matrix: &[[usize; 5]; 5]) -> Costs {
        let status = OutputType::Status as usize;
        let taken = |kinds: &[OutputType]| {
            let rows = || kinds.iter().map(|kind| &matrix[*kind as usize]);
            Part::new(rows().map(|row| row[status]).sum(), rows().flatten().sum())
        };
        let unfinished = taken(&[OutputType::Status]);
        Costs {
            continued: taken(&[OutputType::Question, OutputType::Blocker, OutputType::Error]),
            nudged: taken(&[OutputType::Completion]),
            stopped: Part::new(unfinished.of - unfinished.count, unfinished.of),
        }
    }
}

impl Part {
    fn new(count: usize, of: usize) -> Part {
        Part { count, of, share: share(count, of) }
    }
}

fn bands(judged: &[Judged]) -> Vec<Band> {
    let ends = BANDS.into_iter().skip(1).chain([1.0]);
    let band = |(from, to): (f64, f64)| {
        let is_inside = |one: &&Judged| one.confidence >= from && (one.confidence < to || to >= 1.0);
        let inside: Vec<&Judged> = judged.iter().filter(is_inside).collect();
        let sum: f64 = inside.iter().map(|one| one.confidence).sum();
        let right = inside.iter().filter(|one| one.label == one.said).count();
        let messages = inside.len();
        let (right_from, right_to) = interval(right, messages);
        let confidence = sum / messages.max(1) as f64;
        Band { from, to, messages, confidence, right: share(right, messages), right_from, right_to }
    };
    BANDS.into_iter().zip(ends).map(band).filter(|band| band.messages > 0).collect()
}

/// Returns Wilson's 95 % interval for a share.
fn interval(count: usize, of: usize) -> (f64, f64) {
    const Z: f64 = 1.96;
    let (share, of) = (share(count, of), of.max(1) as f64);
    let middle = share + Z * Z / (2.0 * of);
    let half = Z * (share * (1.0 - share) / of + Z * Z / (4.0 * of * of)).sqrt();
    let scale = 1.0 + Z * Z / of;
    ((middle - half) / scale, (middle + half) / scale)
}

fn share(count: usize, of: usize) -> f64 {
    count as f64 / of.max(1) as f64
}
