//! The rules: from what a message says to one verdict.
//!
//! The order of the rules is the order of harm. To continue an agent that asked, is blocked or has failed is
//! the one mistake that costs, so `status` is the verdict only when nothing in the message speaks for one of
//! these; where something does, confidence falls below the bound and a human is asked.

use super::cues::Cue;
use super::findings::{Findings, Sighting};
use super::message::{Kind, Message};
use super::verdict::{ClassificationResult, OutputType, Signals, StopReason};
use crate::turn::Source;

/// How many of the agent's words a verdict shows, and how long each may be.
const MAX_WORDS: usize = 6;
const MAX_WORD_CHARS: usize = 80;
/// A summary with fewer words than this that names no file, number or commit could be said of any task.
const SPECIFIC_WORDS: usize = 40;

/// Says what kind of message an agent stopped with, without a model.
///
/// An output without a word is a question with low confidence: nothing is known, so nothing is continued.
pub fn classify(text: &str, signals: &Signals) -> ClassificationResult {
    let message = Message::read(text);
    let findings = Findings::gather(&message);
    let verdict = told_by_agent(signals).unwrap_or_else(|| read(&findings, signals));
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

struct Verdict {
    output_type: OutputType,
    confidence: f64,
    reason: String,
    is_rejected: bool,
    /// The cues whose words are shown.
    cues: &'static [Cue],
}

impl Verdict {
    fn new(output_type: OutputType, confidence: f64, reason: &str, cues: &'static [Cue]) -> Verdict {
        Verdict { output_type, confidence, reason: reason.to_owned(), is_rejected: false, cues }
    }

    fn words(&self, findings: &Findings) -> Vec<String> {
        let message = findings.message;
        let seen = findings.sightings.iter().filter(|sighting| self.cues.contains(&sighting.cue));
        let mut words: Vec<String> = Vec::new();
        if self.output_type == OutputType::Question {
            words.extend(findings.open_questions.iter().map(|&at| shown(message.clause_text(at))));
        }
        if self.output_type == OutputType::Completion {
            words.extend(findings.evidence.proofs.iter().map(|proof| shown(proof)));
        }
        words.extend(seen.map(|sighting| shown(&message.text[sighting.range.clone()])));
        let mut met = std::collections::HashSet::new();
        words.retain(|word| met.insert(word.clone()));
        words.truncate(MAX_WORDS);
        words
    }
}

fn shown(text: &str) -> String {
    let text = text.trim();
    text.char_indices().nth(MAX_WORD_CHARS).map_or(text, |(end, _)| &text[..end]).to_owned()
}

/// What the agent's program knows is not read from its text.
fn told_by_agent(signals: &Signals) -> Option<Verdict> {
    if let Some(error) = &signals.agent_error {
        let reason = format!("the agent's program reports the error {}", shown(error));
        return Some(Verdict::new(OutputType::Error, 0.99, &reason, &[Cue::Fail]));
    }
    match signals.stop_reason? {
        StopReason::Error => {
            Some(Verdict::new(OutputType::Error, 0.99, "the agent's program failed", &[Cue::Fail]))
        }
        StopReason::Aborted => {
            Some(Verdict::new(OutputType::Question, 0.95, "a human interrupted the agent", &[]))
        }
        StopReason::Refusal => {
            Some(Verdict::new(OutputType::Blocker, 0.95, "the model declined", &[Cue::Stuck]))
        }
        StopReason::EndTurn | StopReason::MaxTokens => None,
    }
}

/// The first rule that applies decides.
fn read(findings: &Findings, signals: &Signals) -> Verdict {
    let rules: [fn(&Findings, &Signals) -> Option<Verdict>; 9] =
        [empty, raw_error, blocked, asked, broken, cut_off, unfinished, finished, answered];
    let verdict = rules.iter().find_map(|rule| rule(findings, signals));
    verdict.unwrap_or_else(|| {
        Verdict::new(OutputType::Question, 0.50, "nothing in the message says what it is", &[])
    })
}

fn empty(findings: &Findings, _: &Signals) -> Option<Verdict> {
    let has_words = findings.words > 0;
    (!has_words).then(|| Verdict::new(OutputType::Question, 0.30, "the output has no words in it", &[]))
}

/// A message that begins like an error message and goes on like one, with nothing of the agent's own.
fn raw_error(findings: &Findings, _: &Signals) -> Option<Verdict> {
    let own_words = [Cue::Next, Cue::Ask, Cue::Done, Cue::Change, Cue::Green, Cue::Stuck];
    let speaks = own_words.iter().any(|cue| findings.any(*cue));
    let begins = super::error_shape::begins_like_error(&findings.message.text);
    (begins && !speaks)
        .then(|| Verdict::new(OutputType::Error, 0.96, "the output is an error message", &[Cue::Fail]))
}

fn blocked(findings: &Findings, _: &Signals) -> Option<Verdict> {
    let (lack, handed_over) = (findings.any(Cue::Lack), findings.any(Cue::Handover));
    let cues = &[Cue::Stuck, Cue::Lack, Cue::Handover];
    let verdict = |confidence, reason| Some(Verdict::new(OutputType::Blocker, confidence, reason, cues));
    if findings.any_in_tail(Cue::Ask) || has_choice(findings) {
        return None;
    }
    if findings.any(Cue::Stuck) {
        return match () {
            _ if findings.any_in_tail(Cue::Next) => verdict(0.70, "something is in the way, but the agent goes on"),
            _ if lack || handed_over => verdict(0.93, "the agent lacks something that it cannot get by itself"),
            _ if findings.any(Cue::Fail) => None,
            _ => verdict(0.84, "the agent says that it cannot go on"),
        };
    }
    let goes_on = is_finished(findings) || findings.any(Cue::Next) || findings.any(Cue::Fail);
    let is_short = findings.words < SPECIFIC_WORDS;
    match (lack, findings.any(Cue::Limit), handed_over) {
        (true, _, true) | (_, true, true) if !is_proved(findings) => {
            verdict(0.86, "something is missing that a human is asked for")
        }
        (true, true, _) if !goes_on => verdict(0.84, "something is missing and the agent could not do its part"),
        (true, _, _) | (_, true, _) if is_short && !goes_on => verdict(0.82, "access, permission or means are missing"),
        _ => None,
    }
}

/// Whether the end asks something that is more than a request to hand something over.
fn has_choice(findings: &Findings) -> bool {
    findings.open_questions.iter().any(|&at| !findings.in_clause(at, Cue::Handover))
}

fn asked(findings: &Findings, _: &Signals) -> Option<Verdict> {
    let cues = &[Cue::Ask, Cue::Handover];
    let verdict = |confidence, reason| Some(Verdict::new(OutputType::Question, confidence, reason, cues));
    if findings.any_in_tail(Cue::Ask) {
        return verdict(0.95, "the message ends by asking for a decision");
    }
    if !findings.open_questions.is_empty() {
        return verdict(0.90, "the message ends with a question");
    }
    if findings.any_in_tail(Cue::Offer) && !is_finished(findings) {
        return verdict(0.80, "the message ends with an offer and nothing is finished");
    }
    if findings.any(Cue::Ask) && !is_proved(findings) {
        return verdict(0.82, "the message asks for a decision on its way");
    }
    None
}

fn broken(findings: &Findings, _: &Signals) -> Option<Verdict> {
    let cues = &[Cue::Fail];
    let verdict = |confidence, reason| Some(Verdict::new(OutputType::Error, confidence, reason, cues));
    let failed = findings.evidence.failed > 0;
    let Some(fail) = findings.last(Cue::Fail).or(failed.then_some(0)) else { return None };
    let mending: &[Cue] = match findings.evidence.proofs.is_empty() {
        true => &[Cue::Green, Cue::Repair, Cue::Done],
        false => &[Cue::Green, Cue::Repair, Cue::Done, Cue::Change],
    };
    let mended = mending.iter().filter_map(|cue| findings.last(*cue)).max();
    let is_mended = mended.is_some_and(|at| at > fail) && !failed;
    if findings.any_in_tail(Cue::Next) {
        return None;
    }
    if is_mended && is_finished(findings) {
        return None;
    }
    if failed && findings.any(Cue::Open) {
        return verdict(0.75, "checks fail and the work is not finished");
    }
    if is_mended {
        return verdict(0.70, "something broke and seems to be mended");
    }
    verdict(if failed { 0.92 } else { 0.88 }, "something failed and the message ends there")
}

fn cut_off(_: &Findings, signals: &Signals) -> Option<Verdict> {
    let is_cut = signals.stop_reason == Some(StopReason::MaxTokens);
    is_cut.then(|| Verdict::new(OutputType::Status, 0.90, "the answer was cut at its length limit", &[]))
}

fn unfinished(findings: &Findings, _: &Signals) -> Option<Verdict> {
    let cues = &[Cue::Next, Cue::Open];
    let goes_on = findings.any_in_tail(Cue::Next);
    let is_open = findings.any(Cue::Open) || findings.open_tasks > 0;
    let is_partial = findings.evidence.part_of_whole && findings.any_in_tail(Cue::Open);
    if !goes_on && !is_partial && !(is_open && !is_proved(findings)) {
        return None;
    }
    let doubtful: &[Cue] = match goes_on {
        true => &[Cue::Ask, Cue::Stuck, Cue::Handover],
        false => &[Cue::Ask, Cue::Stuck, Cue::Handover, Cue::Lack, Cue::Limit],
    };
    let mut doubts = doubtful.iter().filter(|cue| findings.any(**cue)).count();
    // A failure that is told after the intention is the news; the intention is not.
    let fails_last = findings.last(Cue::Fail) > findings.last(Cue::Next);
    doubts += usize::from(fails_last || (findings.any(Cue::Fail) && !goes_on));
    let confidence = if goes_on { 0.92 } else { 0.86 } - 0.15 * doubts as f64;
    let reason = if goes_on { "the agent says what it does next" } else { "something is not finished" };
    Some(Verdict::new(OutputType::Status, confidence, reason, cues))
}

fn finished(findings: &Findings, signals: &Signals) -> Option<Verdict> {
    if !is_finished(findings) {
        return None;
    }
    let cues = &[Cue::Green, Cue::Done, Cue::Change];
    let (untested, hedged) = (findings.any(Cue::Untested), findings.any(Cue::Hedge));
    let proofs = findings.evidence.proofs.len();
    let details = findings.evidence.details + findings.items + usize::from(findings.any(Cue::Green));
    let must_run = signals.phase.as_deref().is_some_and(|phase| matches!(phase, "build" | "test"));
    let verdict = |confidence, reason| Some(Verdict::new(OutputType::Completion, confidence, reason, cues));
    let rejected = |reason| Some(rejected(reason, findings));
    match () {
        _ if untested && !findings.any(Cue::Green) => rejected("done, but it was never tried"),
        _ if hedged && proofs == 0 && details < 4 => rejected("done, but the agent itself is not sure"),
        _ if must_run && proofs == 0 => rejected("done, but no run, commit or link shows it"),
        _ if proofs > 0 && findings.any(Cue::Green) => {
            verdict(0.96, "the work is done and the checks are shown")
        }
        _ if proofs > 0 => verdict(0.92, "the work is done and there is proof of it"),
        _ if details > 0 => verdict(0.86, "what was changed is named"),
        _ if findings.words >= SPECIFIC_WORDS => verdict(0.81, "what was done is described"),
        _ => rejected("done, but nothing shows it"),
    }
}

/// An agent that asked for something or told of a failure on its way is not sent on by mistake.
fn rejected(reason: &str, findings: &Findings) -> Verdict {
    let cues = &[Cue::Done, Cue::Hedge, Cue::Untested, Cue::Change];
    let lacks = |sighting: &Sighting| {
        let is_excused = findings.any(Cue::Done) && findings.in_clause(sighting.clause, Cue::Untested);
        matches!(sighting.cue, Cue::Lack | Cue::Limit) && !is_excused
    };
    let doubts = [Cue::Ask, Cue::Fail, Cue::Stuck].iter().any(|cue| findings.any(*cue))
        || findings.sightings.iter().any(lacks);
    let verdict = Verdict::new(OutputType::Status, if doubts { 0.75 } else { 0.90 }, reason, cues);
    Verdict { is_rejected: true, ..verdict }
}

/// Statements without any claim about the work: an explanation, a review, an answer.
fn answered(findings: &Findings, signals: &Signals) -> Option<Verdict> {
    let is_known = findings.known_words * 8 >= findings.words;
    let confidence = match signals.user_asked_question {
        Some(true) => 0.93,
        Some(false) => 0.70,
        None if is_known && findings.words >= 6 => 0.84,
        None => 0.60,
    };
    Some(Verdict::new(OutputType::Completion, confidence, "a plain answer", &[]))
}

fn is_finished(findings: &Findings) -> bool {
    let shows_list = findings.message.clauses.iter().any(|clause| clause.kind == Kind::DoneTask);
    shows_list || [Cue::Done, Cue::Change, Cue::Green].iter().any(|cue| findings.any(*cue))
}

fn is_proved(findings: &Findings) -> bool {
    is_finished(findings) && !findings.evidence.proofs.is_empty() && !findings.any(Cue::Untested)
}
