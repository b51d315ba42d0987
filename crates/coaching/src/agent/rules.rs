//! The rules: the first one that applies decides.
//!
//! Their order is the order of harm. Sending on an agent that asked, is blocked or has failed is the mistake that costs,
//! so `status` is the verdict only when nothing in the message speaks for one of these. Where something does, confidence
//! falls below the bound and a human is asked.

use super::classify::Verdict;
use super::cues::Cue;
use super::error_shape::begins_like_error;
use super::findings::{Findings, Sighting};
use super::verdict::OutputType::{Blocker, Completion, Error, Question, Status};
use super::verdict::{Signals, StopReason};
use super::words;
use crate::text::Words;
use crate::words::Text;

/// A summary with fewer words that names no file, number or commit could be about any task.
const SPECIFIC_WORDS: usize = 40;
/// A summary that names so many things may say "should" and is still not a guess.
const MANY_DETAILS: usize = 4;
/// How answers to a question begin, and how explanations do.
const ANSWERS: &[&str] = &["yes", "no", "ja", "nein", "oui", "si", "sim", "nao"];
const EXPLANATIONS: &[&str] = &[
    "short answer",
    "the short answer",
    "long answer",
    "in short",
    "heres how",
    "here is how",
    "heres why",
    "here is why",
    "heres what happens",
    "to answer your question",
    "the difference between",
    "it depends",
    "kurz gesagt",
    "kurze antwort",
    "der unterschied zwischen",
    "en resume",
    "en bref",
    "en resumen",
    "la diferencia entre",
    "la difference entre",
];
/// How much of a message is looked at for how it begins.
const OPENING_BYTES: usize = 200;
/// How much each cue against going on takes from the confidence in `status`.
const DOUBT: f64 = 0.15;

pub(super) fn decide(findings: &Findings, signals: &Signals) -> Verdict {
    let rules = [empty, raw_error, blocked, asked, broken];
    let waits = rules.iter().find_map(|rule| rule(findings));
    waits
        .or_else(|| cut_off(signals))
        .or_else(|| unfinished(findings))
        .or_else(|| finished(findings, signals))
        .unwrap_or_else(|| answered(findings, signals))
}

fn empty(findings: &Findings) -> Option<Verdict> {
    (findings.words == 0).then(|| Verdict::new(Question, 0.30, words::no_words(), &[]))
}

/// A message that begins like an error message and has nothing of the agent's own.
fn raw_error(findings: &Findings) -> Option<Verdict> {
    let own_words = [Cue::Next, Cue::Ask, Cue::Done, Cue::Change, Cue::Green, Cue::Stuck];
    let is_raw = begins_like_error(&findings.message.text) && !findings.any_of(&own_words);
    is_raw.then(|| Verdict::new(Error, 0.96, words::raw_error(), &[Cue::Fail]))
}

fn blocked(findings: &Findings) -> Option<Verdict> {
    if findings.any_in_tail(Cue::Ask) || has_choice(findings) {
        return None;
    }
    let (confidence, reason) = if findings.any(Cue::Stuck) { stuck(findings) } else { short_of(findings) }?;
    let cues = &[Cue::Stuck, Cue::Lack, Cue::Limit, Cue::Handover];
    Some(Verdict::new(Blocker, confidence, reason, cues))
}

/// The agent says that it cannot go on.
fn stuck(findings: &Findings) -> Option<(f64, Text)> {
    if findings.any_in_tail(Cue::Next) {
        Some((0.70, words::stuck_but_goes_on()))
    } else if findings.any_of(&[Cue::Lack, Cue::Handover]) {
        Some((0.93, words::lacks_something()))
    } else if findings.any(Cue::Fail) {
        None
    } else {
        Some((0.84, words::stuck()))
    }
}

/// Something is missing; the rest of the message decides whether that matters.
fn short_of(findings: &Findings) -> Option<(f64, Text)> {
    if opens_with(findings, ANSWERS) || opens_with(findings, EXPLANATIONS) {
        return None;
    }
    let (lack, limit) = (findings.any(Cue::Lack), findings.any(Cue::Limit));
    let goes_on = is_finished(findings) || findings.any_of(&[Cue::Next, Cue::Fail]);
    if !lack && !limit {
        None
    } else if findings.any(Cue::Handover) && !is_proved(findings) {
        Some((0.86, words::asks_for_something()))
    } else if goes_on {
        None
    } else if lack && limit {
        Some((0.84, words::lacks_its_part()))
    } else {
        (findings.words < SPECIFIC_WORDS).then_some((0.82, words::lacks_access()))
    }
}

/// Whether the end asks for more than to be given something.
fn has_choice(findings: &Findings) -> bool {
    findings.open_questions.iter().any(|&at| !findings.in_clause(at, Cue::Handover))
}

fn asked(findings: &Findings) -> Option<Verdict> {
    let (confidence, reason) = if findings.any_in_tail(Cue::Ask) {
        (0.95, words::asks_for_decision())
    } else if !findings.open_questions.is_empty() {
        (0.90, words::asks())
    } else if findings.any(Cue::Ask) && !is_proved(findings) {
        (0.82, words::asks_on_the_way())
    } else if findings.any_in_tail(Cue::Offer) && !is_finished(findings) {
        (0.80, words::offers())
    } else {
        return None;
    };
    Some(Verdict::new(Question, confidence, reason, &[Cue::Ask, Cue::Handover, Cue::Offer]))
}

fn broken(findings: &Findings) -> Option<Verdict> {
    let has_failed_checks = findings.evidence.failed > 0;
    if !has_failed_checks && opens_with(findings, EXPLANATIONS) {
        return None;
    }
    let fail = findings.last(Cue::Fail).or(has_failed_checks.then_some(0))?;
    let is_mended = !has_failed_checks && is_mended_after(findings, fail);
    if findings.any_in_tail(Cue::Next) || (is_mended && is_finished(findings)) {
        return None;
    }
    let (confidence, reason) = if is_mended {
        (0.70, words::seems_fixed())
    } else if has_failed_checks && findings.any(Cue::Open) {
        (0.75, words::fails_unfinished())
    } else if has_failed_checks {
        (0.92, words::checks_failed())
    } else {
        (0.88, words::failed())
    };
    Some(Verdict::new(Error, confidence, reason, &[Cue::Fail]))
}

/// Whether a later clause tells of the repair. A change is a repair only if something proves it.
fn is_mended_after(findings: &Findings, fail: usize) -> bool {
    let mends = |cue: Cue| findings.last(cue).is_some_and(|at| at > fail);
    let is_proved_change = !findings.evidence.proofs.is_empty() && mends(Cue::Change);
    mends(Cue::Green) || mends(Cue::Repair) || mends(Cue::Done) || is_proved_change
}

fn cut_off(signals: &Signals) -> Option<Verdict> {
    let is_cut = signals.stop_reason == Some(StopReason::MaxTokens);
    is_cut.then(|| Verdict::new(Status, 0.90, words::cut_off(), &[]))
}

fn unfinished(findings: &Findings) -> Option<Verdict> {
    let goes_on = findings.any_in_tail(Cue::Next);
    let is_open = findings.any(Cue::Open) || findings.open_tasks > 0;
    let is_partial = findings.evidence.part_of_whole && findings.any_in_tail(Cue::Open);
    let (sure, reason) = if goes_on {
        (0.92, words::goes_on())
    } else if is_partial || (is_open && !is_proved(findings)) {
        (0.86, words::unfinished())
    } else {
        return None;
    };
    let confidence = sure - DOUBT * doubts(findings, goes_on) as f64;
    Some(Verdict::new(Status, confidence, reason, &[Cue::Next, Cue::Open]))
}

/// How much speaks against letting the agent go on although its work is not finished.
fn doubts(findings: &Findings, goes_on: bool) -> usize {
    let waits = [Cue::Ask, Cue::Stuck, Cue::Handover];
    let lacks = [Cue::Lack, Cue::Limit, Cue::Fail];
    // A failure that comes after the intention is the news.
    let fails_last = findings.last(Cue::Fail) > findings.last(Cue::Next);
    let seen = |cues: &[Cue]| cues.iter().filter(|cue| findings.any(**cue)).count();
    seen(&waits) + if goes_on { usize::from(fails_last) } else { seen(&lacks) }
}

fn finished(findings: &Findings, signals: &Signals) -> Option<Verdict> {
    if !is_finished(findings) {
        return None;
    }
    let has_proof = !findings.evidence.proofs.is_empty();
    if let Some(reason) = flaw(findings, signals, has_proof) {
        return Some(rejected(reason, findings));
    }
    let (confidence, reason) = if has_proof && findings.any(Cue::Green) {
        (0.96, words::checks_shown())
    } else if has_proof {
        (0.92, words::proved())
    } else if details(findings) > 0 {
        (0.86, words::changes_named())
    } else {
        (0.81, words::described())
    };
    Some(Verdict::new(Completion, confidence, reason, &[Cue::Green, Cue::Done, Cue::Change]))
}

/// Why a completion is not believed.
fn flaw(findings: &Findings, signals: &Signals, has_proof: bool) -> Option<Text> {
    let must_run = signals.phase.as_deref().is_some_and(|phase| matches!(phase, "build" | "test"));
    if findings.any(Cue::Untested) && !findings.any(Cue::Green) {
        Some(words::never_tried())
    } else if has_proof {
        None
    } else if findings.any(Cue::Hedge) && details(findings) < MANY_DETAILS {
        Some(words::not_sure_itself())
    } else if must_run {
        Some(words::no_run())
    } else if details(findings) == 0 && findings.words < SPECIFIC_WORDS {
        Some(words::nothing_shown())
    } else {
        None
    }
}

/// How many things a summary names that a human can look at.
fn details(findings: &Findings) -> usize {
    findings.evidence.details + findings.items + usize::from(findings.any(Cue::Green))
}

/// A claim that is sent back, unless the agent also asked for something or told of a failure: then a human decides.
fn rejected(reason: Text, findings: &Findings) -> Verdict {
    let lacks = |sighting: &Sighting| {
        let is_excused = findings.any(Cue::Done) && findings.in_clause(sighting.clause, Cue::Untested);
        matches!(sighting.cue, Cue::Lack | Cue::Limit) && !is_excused
    };
    let is_doubtful =
        findings.any_of(&[Cue::Ask, Cue::Fail, Cue::Stuck]) || findings.sightings.iter().any(lacks);
    let confidence = if is_doubtful { 0.90 - DOUBT } else { 0.90 };
    let cues = &[Cue::Done, Cue::Hedge, Cue::Untested, Cue::Change];
    Verdict { is_rejected: true, ..Verdict::new(Status, confidence, reason, cues) }
}

/// Statements without any claim about the work: an explanation, a review, an answer.
fn answered(findings: &Findings, signals: &Signals) -> Verdict {
    // Any sentence of a known language has far more than one small word in eight.
    let is_known = findings.known_words * 8 >= findings.words;
    let confidence = match signals.user_asked_question {
        Some(true) => 0.93,
        Some(false) => 0.70,
        None if is_known && findings.words >= 6 => 0.84,
        None => 0.60,
    };
    Verdict::new(Completion, confidence, words::plain_answer(), &[])
}

/// Whether the message begins with one of these words. What fails or is missing in an explanation does not fail in the
/// agent's work.
fn opens_with(findings: &Findings, openings: &[&str]) -> bool {
    let text = &findings.message.text;
    let words = Words::new(&text[..text.floor_char_boundary(OPENING_BYTES)]);
    let said: Vec<&str> = words.iter().map(|(_, letters)| letters).collect();
    openings
        .iter()
        .any(|opening| said.iter().copied().take(opening.split(' ').count()).eq(opening.split(' ')))
}

fn is_finished(findings: &Findings) -> bool {
    findings.done_tasks > 0 || findings.any_of(&[Cue::Done, Cue::Change, Cue::Green])
}

fn is_proved(findings: &Findings) -> bool {
    is_finished(findings) && !findings.evidence.proofs.is_empty() && !findings.any(Cue::Untested)
}
