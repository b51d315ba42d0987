//! From what a message says to one verdict.

use super::cues::Cue;
use super::findings::Findings;
use super::message::Message;
use super::rules;
use super::verdict::{ClassificationResult, OutputType, Signals, StopReason};
use super::words;
use crate::turn::Source;
use crate::words::Text;
use std::collections::HashSet;

/// How many of the agent's words a verdict shows, and how long each may be.
const MAX_WORDS: usize = 6;
const MAX_WORD_CHARS: usize = 80;

/// Says what kind of message an agent stopped with, without a model.
///
/// An output without a word is a question with low confidence: the agent does not go on when nothing is known.
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

/// A rule's finding, before confidence is weighed.
#[derive(Debug)]
pub(super) struct Verdict {
    pub output_type: OutputType,
    pub confidence: f64,
    pub reason: Text,
    pub is_rejected: bool,
    /// The cues whose words are shown.
    pub cues: &'static [Cue],
}

impl Verdict {
    pub(super) fn new(
        output_type: OutputType,
        confidence: f64,
        reason: Text,
        cues: &'static [Cue],
    ) -> Verdict {
        Verdict { output_type, confidence, reason, is_rejected: false, cues }
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

/// The verdict that follows from what the agent's program says, whatever the text says.
fn told_by_agent(signals: &Signals) -> Option<Verdict> {
    if let Some(error) = &signals.agent_error {
        return Some(Verdict::new(OutputType::Error, 0.99, words::crashed(shown(error)), &[Cue::Fail]));
    }
    let (output_type, confidence, reason) = match signals.stop_reason? {
        StopReason::Error => (OutputType::Error, 0.99, words::program_failed()),
        StopReason::Aborted => (OutputType::Question, 0.95, words::interrupted()),
        StopReason::Refusal => (OutputType::Blocker, 0.95, words::declined()),
        StopReason::EndTurn | StopReason::MaxTokens => return None,
    };
    Some(Verdict::new(output_type, confidence, reason, &[]))
}
