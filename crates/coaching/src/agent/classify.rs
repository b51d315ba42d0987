//! Turns an agent's final message into a verdict, without a model.
//!
//! The agent's own program has the first word: its stop reason, its error, and lines that only it writes. The
//! scorer reads the rest, and a verdict is as sure as the scorer's probability.

use super::error_shape::is_typed_error;
use super::features::Seen;
use super::message::Message;
use super::scorer::{CLAIM, PerClass, Scorer, kinds};
use super::verdict::{ClassificationResult, MIN_CONFIDENCE, OutputType, Signals, StopReason};
use super::words;
use crate::turn::Source;
use crate::words::Text;

/// The maximum number of quotations of the agent in a verdict, and the maximum length of each in characters.
const MAX_WORDS: usize = 6;
const MAX_WORD_CHARS: usize = 80;
/// The maximum number of clauses quoted in support of a verdict.
const MAX_CLAUSES: usize = 2;
/// The confidence in an error that the agent's program printed. Such lines can also be quoted, but hardly at the
/// very end or beginning.
const TYPED: f64 = 0.98;
/// The confidence that an answer was cut off at its length limit. The verdict is only given while a call for a
/// human is less probable than `MAX_CALL`.
const CUT_OFF: f64 = 0.90;
const MAX_CALL: f64 = 0.50;
/// The factor on the odds of a plain answer if the human is known to have asked something. The inverse applies if
/// the human is known not to have asked.
const ASKED: f64 = 10.0;
/// The bounds within which a doubtful message leans to "done": the minimum probability of "done", and the maximum
/// probability of a call for a human.
const MIN_LEANING: f64 = 0.60;
const MAX_LEANING_CALL: f64 = 0.05;

/// Classifies the message that an agent stopped with, by rules alone.
///
/// A message without words is a question with low confidence: when nothing is known, the agent does not go on.
pub fn classify(text: &str, signals: &Signals) -> ClassificationResult {
    classify_by(text, signals, MIN_CONFIDENCE)
}

/// Classifies like [`classify`], except that a verdict other than a question needs `min_confidence`.
pub(super) fn classify_by(text: &str, signals: &Signals, min_confidence: f64) -> ClassificationResult {
    let message = Message::read(text);
    let seen = Seen::of(&message);
    let told = told_by_agent(signals).or_else(|| told_by_form(&seen));
    let verdict = told.unwrap_or_else(|| scored(&seen, signals, min_confidence));
    ClassificationResult {
        output_type: verdict.output_type,
        // Whole hundredths, rounded down so that the shown confidence never exceeds the computed one, and at most
        // 0.99.
        confidence: (verdict.confidence * 100.0 + 1e-9).floor().min(99.0) / 100.0,
        reason: verdict.reason,
        coaching_message: None,
        was_rejected_completion: verdict.is_rejected,
        source: Source::Rules,
        words: verdict.words,
    }
}

/// Returns the probability that a message calls the work done, with or without evidence. Returns `None` unless that
/// is likely and the message calls for no human. Where the verdict on the message is uncertain, the work that was
/// seen can then decide. Whether the words answer a question that the human never asked does not matter here.
pub fn leaning_to_done(text: &str, signals: &Signals) -> Option<f64> {
    let message = Message::read(text);
    let seen = Seen::of(&message);
    let scorer = Scorer::shipped();
    if is_told_by_agent(signals) || told_by_form(&seen).is_some() || !knows_a_word(scorer, &seen) {
        return None;
    }
    let asked = signals.user_asked_question.filter(|asked| *asked);
    let classes = probabilities(scorer, &seen, asked);
    let done = classes[OutputType::Completion as usize] + classes[CLAIM];
    let call = classes[OutputType::Question as usize] + classes[OutputType::Blocker as usize];
    (done >= MIN_LEANING && call <= MAX_LEANING_CALL).then_some(done)
}

#[derive(Debug)]
struct Verdict {
    output_type: OutputType,
    confidence: f64,
    reason: Text,
    is_rejected: bool,
    words: Vec<String>,
}

impl Verdict {
    fn new(output_type: OutputType, confidence: f64, reason: Text) -> Verdict {
        Verdict { output_type, confidence, reason, is_rejected: false, words: Vec::new() }
    }
}

/// Whether the agent's own program tells the kind of the stop.
pub(super) fn is_told_by_agent(signals: &Signals) -> bool {
    told_by_agent(signals).is_some()
}

/// Returns the verdict that follows from what the agent's program says, whatever the text says.
fn told_by_agent(signals: &Signals) -> Option<Verdict> {
    if let Some(error) = &signals.agent_error {
        return Some(Verdict::new(OutputType::Error, 0.99, words::crashed(shown(error))));
    }
    let (output_type, confidence, reason) = match signals.stop_reason? {
        StopReason::Error => (OutputType::Error, 0.99, words::program_failed()),
        StopReason::Aborted => (OutputType::Question, 0.95, words::interrupted()),
        StopReason::Refusal => (OutputType::Blocker, 0.95, words::declined()),
        StopReason::EndTurn | StopReason::MaxTokens => return None,
    };
    Some(Verdict::new(output_type, confidence, reason))
}

/// Returns the verdict that follows from the form of the output: it has no words, or the agent's program wrote an
/// error.
fn told_by_form(seen: &Seen) -> Option<Verdict> {
    if seen.words == 0 {
        return Some(Verdict::new(OutputType::Question, 0.30, words::no_words()));
    }
    let text = &seen.message.text;
    let last = text.lines().rev().find(|line| line.chars().any(char::is_alphanumeric)).unwrap_or_default();
    is_typed_error(text).then(|| Verdict {
        words: vec![shown(last)],
        ..Verdict::new(OutputType::Error, TYPED, words::raw_error())
    })
}

/// Returns the scorer's verdict. If it is not sure enough, the verdict is a question with the guess in its reason
/// and the probability of a question as its confidence.
fn scored(seen: &Seen, signals: &Signals, min_confidence: f64) -> Verdict {
    let scorer = Scorer::shipped();
    let classes = probabilities(scorer, seen, signals.user_asked_question);
    let kinds = kinds(classes);
    let question = kinds[OutputType::Question as usize];
    let is_cut = signals.stop_reason == Some(StopReason::MaxTokens);
    if is_cut && question + kinds[OutputType::Blocker as usize] + kinds[OutputType::Error as usize] < MAX_CALL
    {
        return Verdict::new(OutputType::Status, CUT_OFF, words::cut_off());
    }
    let best = |a: &OutputType, b: &OutputType| kinds[*a as usize].total_cmp(&kinds[*b as usize]);
    let output_type = OutputType::ALL.into_iter().max_by(best).unwrap_or(OutputType::Question);
    let confidence = kinds[output_type as usize];
    let is_sure = confidence >= min_confidence && knows_a_word(scorer, seen);
    let is_claim = classes[CLAIM] > classes[OutputType::Status as usize];
    let (output_type, is_rejected) = match output_type {
        OutputType::Completion if must_run(signals) && seen.evidence.proofs.is_empty() => {
            (OutputType::Status, true)
        }
        OutputType::Status => (OutputType::Status, is_claim),
        other => (other, false),
    };
    let reason = reason(output_type, is_rejected, seen, signals);
    let words = said(scorer, output_type, is_rejected, seen);
    if !is_sure && output_type != OutputType::Question {
        let percent = (confidence * 100.0).round();
        let reason = words::unsure(words::kind(output_type.as_str()), percent, reason);
        return Verdict { words, ..Verdict::new(OutputType::Question, question, reason) };
    }
    Verdict { output_type, confidence, reason, is_rejected, words }
}

/// Whether the scorer knows any word of the message. Structure alone does not tell what a message says.
fn knows_a_word(scorer: &Scorer, seen: &Seen) -> bool {
    let is_word =
        |name: &str| name.strip_prefix("any:").is_some_and(|word| word.chars().all(char::is_alphabetic));
    seen.features.keys().any(|name| is_word(name) && scorer.weights.contains_key(name))
}

/// Returns the probability of each class. Knowing whether the human asked something makes a plain answer more or
/// less probable. Work that shows evidence is not a plain answer, so a missing question does not count against it.
fn probabilities(scorer: &Scorer, seen: &Seen, asked: Option<bool>) -> PerClass {
    let mut classes = scorer.probabilities(seen.features.keys().map(String::as_str));
    let shows_nothing = seen.evidence.proofs.is_empty() && seen.evidence.details == 0;
    let factor = match asked {
        Some(true) => ASKED,
        Some(false) if shows_nothing => 1.0 / ASKED,
        _ => return classes,
    };
    classes[OutputType::Completion as usize] *= factor;
    let sum: f64 = classes.iter().sum();
    classes.map(|class| class / sum)
}

/// Whether only a run counts as evidence, as it does for code that is built or tested.
fn must_run(signals: &Signals) -> bool {
    signals.phase.as_deref().is_some_and(|phase| matches!(phase, "build" | "test"))
}

fn reason(output_type: OutputType, is_rejected: bool, seen: &Seen, signals: &Signals) -> Text {
    let evidence = &seen.evidence;
    let has_passed = evidence.proofs.iter().any(|proof| proof.contains(' '));
    match output_type {
        OutputType::Question if !open_questions(seen).is_empty() => words::asks(),
        OutputType::Question => words::asks_for_decision(),
        OutputType::Blocker => words::lacks_something(),
        OutputType::Error if evidence.failed > 0 => words::checks_failed(),
        OutputType::Error => words::failed(),
        OutputType::Status if is_rejected && must_run(signals) => words::no_run(),
        OutputType::Status if is_rejected => words::nothing_shown(),
        OutputType::Status if evidence.part_of_whole => words::unfinished(),
        OutputType::Status => words::goes_on(),
        OutputType::Completion if has_passed => words::checks_shown(),
        OutputType::Completion if !evidence.proofs.is_empty() => words::proved(),
        OutputType::Completion if evidence.details > 0 => words::changes_named(),
        OutputType::Completion => words::plain_answer(),
    }
}

/// Returns the agent's own words that support the verdict: its questions, its evidence, and the clauses that count
/// most.
fn said(scorer: &Scorer, output_type: OutputType, is_rejected: bool, seen: &Seen) -> Vec<String> {
    let mut words: Vec<String> = match output_type {
        OutputType::Question => {
            open_questions(seen).into_iter().map(|at| shown(seen.message.clause_text(at))).collect()
        }
        OutputType::Completion => seen.evidence.proofs.iter().map(|proof| shown(proof)).collect(),
        _ => Vec::new(),
    };
    let class = if is_rejected { CLAIM } else { output_type as usize };
    for clause in telling_clauses(scorer, class, seen) {
        let text = shown(seen.message.clause_text(clause));
        if !words.contains(&text) {
            words.push(text);
        }
    }
    words.truncate(MAX_WORDS);
    words
}

/// Returns the clauses whose features speak most for a class, the strongest first.
fn telling_clauses(scorer: &Scorer, class: usize, seen: &Seen) -> Vec<usize> {
    let mut leanings = vec![0.0; seen.message.clauses.len()];
    for (name, clause) in &seen.features {
        if let Some(clause) = clause {
            leanings[*clause] += scorer.leaning(name, class);
        }
    }
    let mut clauses: Vec<usize> = (0..leanings.len()).filter(|&at| leanings[at] > 0.0).collect();
    clauses.sort_by(|&a, &b| leanings[b].total_cmp(&leanings[a]));
    clauses.truncate(MAX_CLAUSES);
    clauses
}

/// Returns the indices of the questions at the end of a message.
fn open_questions(seen: &Seen) -> Vec<usize> {
    let clauses = &seen.message.clauses;
    (seen.message.tail..clauses.len())
        .filter(|&at| clauses[at].asks && clauses[at].kind.is_spoken())
        .collect()
}

fn shown(text: &str) -> String {
    let text = text.trim();
    text.char_indices().nth(MAX_WORD_CHARS).map_or(text, |(end, _)| &text[..end]).to_owned()
}
