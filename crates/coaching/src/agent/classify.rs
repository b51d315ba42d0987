//! From what a message says to one verdict.

use std::collections::HashSet;

use super::cues::Cue;
use super::findings::Findings;
use super::message::Message;
use super::rules;
use super::verdict::{ClassificationResult, OutputType, Signals, StopReason};
use crate::turn::Source;

/// How many of the agent's words a verdict shows, and how long each may be.
const MAX_WORDS: usize = 6;
const MAX_WORD_CHARS: usize = 80;

/// Says what kind of message an agent stopped with, without a model.
///
/// An output without a word is a question with low confidence: nothing is known, so nothing is continued.
pub fn classify(text: &str, signals: &Signals) -> ClassificationResult {
    let message = Message::read(text);
    let findings = Findings::gather(&message);
    let verdict = told_by_agent(signals).unwrap_or_else(|| rules::decide(&findings, signals));
    let words = verdict.words(&findings);
    let result = ClassificationResult {
        output_type: verdict.output_type,
        confidence: verdict.confidence,
        reason: verdict.reason,
        coaching_message: None,
        was_rejected_completion: verdict.is_rejected,
        source: Source::Rules,
        words,
    };
    result.settled()
}

/// What a rule says, before confidence is weighed.
#[derive(Debug)]
pub(super) struct Verdict {
    pub output_type: OutputType,
    pub confidence: f64,
    pub reason: String,
    pub is_rejected: bool,
    /// The cues whose words are shown.
    pub cues: &'static [Cue],
}

impl Verdict {
    pub(super) fn new(
        output_type: OutputType,
        confidence: f64,
        reason: &str,
        cues: &'static [Cue],
    ) -> Verdict {
        Verdict { output_type, confidence, reason: reason.to_owned(), is_rejected: false, cues }
    }

    fn words(&self, findings: &Findings) -> Vec<String> {
        let message = findings.message;
        let mut words: Vec<String> = match self.output_type {
            OutputType::Question => {
                findings.open_questions.iter().map(|&at| shown(message.clause_text(at))).collect()
            }
            OutputType::Completion => findings.evidence.proofs.iter().map(|proof| shown(proof)).collect(),
            _ => Vec::new(),
        };
        let seen = findings.sightings.iter().filter(|sighting| self.cues.contains(&sighting.cue));
        words.extend(seen.map(|sighting| shown(&message.text[sighting.range.clone()])));
        let mut met = HashSet::new();
        words.retain(|word| met.insert(word.clone()));
        words.truncate(MAX_WORDS);
        words
    }
}

fn shown(text: &str) -> String {
    let text = text.trim();
    text.char_indices().nth(MAX_WORD_CHARS).map_or(text, |(end, _)| &text[..end]).to_owned()
}

/// Whether the agent's program says itself what kind of stop it is.
pub(super) fn is_told_by_agent(signals: &Signals) -> bool {
    told_by_agent(signals).is_some()
}

/// What the agent's program knows is not read from its text.
fn told_by_agent(signals: &Signals) -> Option<Verdict> {
    if let Some(error) = &signals.agent_error {
        let reason = format!("the agent's program reports the error {}", shown(error));
        return Some(Verdict::new(OutputType::Error, 0.99, &reason, &[Cue::Fail]));
    }
    let (output_type, confidence, reason) = match signals.stop_reason? {
        StopReason::Error => (OutputType::Error, 0.99, "the agent's program failed"),
        StopReason::Aborted => (OutputType::Question, 0.95, "a human interrupted the agent"),
        StopReason::Refusal => (OutputType::Blocker, 0.95, "the model declined"),
        StopReason::EndTurn | StopReason::MaxTokens => return None,
    };
    Some(Verdict::new(output_type, confidence, reason, &[]))
}
