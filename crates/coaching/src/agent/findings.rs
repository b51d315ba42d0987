//! What the clauses of a message say, gathered for a verdict.

use std::ops::Range;

use super::cues::{self, Cue, Hit, Token};
use super::evidence::{self, Evidence};
use super::message::{Clause, Kind, Message};
use super::spans::spans;
use crate::text::Words;

/// How many words a negation may stand before a phrase.
const NEGATION_REACH: usize = 3;
/// A question that more sentences follow was answered by its writer.
const MAX_REMARKS: usize = 3;

/// A cue that counts, and where it was seen.
#[derive(Debug, Clone)]
pub(super) struct Sighting {
    pub cue: Cue,
    pub clause: usize,
    /// In the text of the message.
    pub range: Range<usize>,
}

/// Everything a verdict looks at.
#[derive(Debug)]
pub(super) struct Findings<'m> {
    pub message: &'m Message,
    pub sightings: Vec<Sighting>,
    pub evidence: Evidence,
    /// Clauses of the end that are plain questions.
    pub open_questions: Vec<usize>,
    pub open_tasks: usize,
    pub done_tasks: usize,
    pub items: usize,
    pub words: usize,
    /// Words of a language that the cues are written in.
    pub known_words: usize,
}

impl<'m> Findings<'m> {
    pub(super) fn gather(message: &'m Message) -> Findings<'m> {
        let mut findings = Findings {
            message,
            sightings: Vec::new(),
            evidence: Evidence::default(),
            open_questions: Vec::new(),
            open_tasks: count(message, Kind::OpenTask),
            done_tasks: count(message, Kind::DoneTask),
            items: count(message, Kind::Item),
            words: 0,
            known_words: 0,
        };
        for at in 0..message.clauses.len() {
            findings.read(at);
        }
        findings.find_open_questions();
        findings
    }

    pub(super) fn any(&self, cue: Cue) -> bool {
        self.sightings.iter().any(|sighting| sighting.cue == cue)
    }

    pub(super) fn any_of(&self, cues: &[Cue]) -> bool {
        cues.iter().any(|cue| self.any(*cue))
    }

    pub(super) fn any_in_tail(&self, cue: Cue) -> bool {
        self.sightings.iter().any(|sighting| sighting.cue == cue && sighting.clause >= self.message.tail)
    }

    /// The last clause in which the cue was seen.
    pub(super) fn last(&self, cue: Cue) -> Option<usize> {
        self.sightings.iter().rev().find(|sighting| sighting.cue == cue).map(|sighting| sighting.clause)
    }

    pub(super) fn in_clause(&self, clause: usize, cue: Cue) -> bool {
        self.sightings.iter().any(|sighting| sighting.clause == clause && sighting.cue == cue)
    }

    fn read(&mut self, at: usize) {
        let clause = &self.message.clauses[at];
        let text = self.message.clause_text(at);
        let words = Words::new(text);
        let tokens = tokens(text, &words);
        self.note_evidence(evidence::find(text, &tokens));
        self.words += tokens.len();
        let hits = cues::find(&tokens, &words);
        self.known_words += hits.iter().filter(|hit| hit.cue == Cue::Known).count();
        for hit in hits.iter().filter(|hit| counts(hit, &hits, &tokens, clause)) {
            let cue = if is_negated(hit, &hits) { opposite(hit.cue) } else { Some(hit.cue) };
            let source = tokens[hit.tokens.start].source.start..tokens[hit.tokens.end - 1].source.end;
            let range = clause.range.start + source.start..clause.range.start + source.end;
            self.sightings.extend(cue.map(|cue| Sighting { cue, clause: at, range }));
        }
    }

    fn note_evidence(&mut self, found: Evidence) {
        self.evidence.proofs.extend(found.proofs);
        self.evidence.details += found.details;
        self.evidence.failed = self.evidence.failed.max(found.failed);
        self.evidence.part_of_whole |= found.part_of_whole;
    }

    /// A question is open if it ends the message, or if only its options or a few remarks follow. The writer of "why"
    /// mostly goes on to say why.
    fn find_open_questions(&mut self) {
        let clauses = &self.message.clauses;
        let is_open = |&at: &usize| {
            let remarks = clauses[at + 1..]
                .iter()
                .filter(|next| next.kind == Kind::Prose && !next.asks && next.block == clauses[at].block);
            let is_put =
                clauses[at].asks && clauses[at].kind.is_spoken() && !self.in_clause(at, Cue::Courtesy);
            let first =
                Words::new(self.message.clause_text(at)).iter().next().map(|(_, word)| word.to_owned());
            let allowed = if first.as_deref() == Some("why") { 0 } else { MAX_REMARKS };
            is_put && remarks.count() <= allowed
        };
        self.open_questions = (self.message.tail..clauses.len()).filter(is_open).collect();
    }
}

fn count(message: &Message, kind: Kind) -> usize {
    message.clauses.iter().filter(|clause| clause.kind == kind).count()
}

/// The words of a clause, with each span of code or quotation as one word. A clause that is only a span is read as it is
/// written.
fn tokens<'w>(text: &str, words: &'w Words) -> Vec<Token<'w>> {
    let mut spans = spans(text);
    spans.retain(|span| span.range.len() + 2 < text.trim().len());
    let mut spans = spans.into_iter().peekable();
    let mut tokens: Vec<Token> = Vec::new();
    for (source, letters) in words.iter() {
        let start = source.as_ptr() as usize - text.as_ptr() as usize;
        while spans.next_if(|span| span.range.end <= start).is_some() {}
        match spans.peek() {
            Some(span) if span.range.contains(&start) => {
                if tokens.last().is_none_or(|last| last.source != span.range) {
                    tokens.push(Token { letters: span.stands_for, source: span.range.clone() });
                }
            }
            _ => tokens.push(Token { letters, source: start..start + source.len() }),
        }
    }
    tokens
}

/// Whether a hit means what it says where it stands.
fn counts(hit: &Hit, hits: &[Hit], tokens: &[Token], clause: &Clause) -> bool {
    let seen = |cue: Cue| hits.iter().any(|other| other.cue == cue);
    let conditional = hits.iter().any(|other| other.cue == Cue::If && other.tokens.start < hit.tokens.end);
    match hit.cue {
        Cue::Not | Cue::If | Cue::Known => false,
        // Logs and quotations are not the agent's words. Only failures and passed checks in code count.
        Cue::Fail if !clause.kind.is_spoken() => clause.kind == Kind::Code,
        _ if !clause.kind.is_spoken() => matches!(hit.cue, Cue::Green) && clause.kind == Kind::Code,
        // A heading does not announce work.
        Cue::Next | Cue::Ask if clause.kind == Kind::Heading => clause.asks,
        Cue::Ask | Cue::Offer => !hits.iter().any(|other| other.cue == Cue::Courtesy && overlap(hit, other)),
        // In a list of what the reader may do next, each item begins like an order.
        Cue::Handover if clause.kind == Kind::Item => hit.tokens.start > 0 || tokens[0].letters == "please",
        Cue::Fail => {
            let mended = |other: &Hit| other.cue == Cue::Change && other.tokens.start > hit.tokens.start;
            let is_over =
                [Cue::Repair, Cue::Context, Cue::Green].into_iter().any(seen) || hits.iter().any(mended);
            !conditional && !is_over && !is_zero(hit, tokens)
        }
        // What is promised under a condition is not under way.
        Cue::Next => {
            let depends = [Cue::Ask, Cue::Offer, Cue::Courtesy, Cue::Handover].into_iter().any(seen);
            !depends && !conditional
        }
        Cue::Done => !conditional,
        Cue::Green => !seen(Cue::Hedge) && !conditional,
        _ => true,
    }
}

fn overlap(a: &Hit, b: &Hit) -> bool {
    a.tokens.start < b.tokens.end && b.tokens.start < a.tokens.end
}

fn is_zero(hit: &Hit, tokens: &[Token]) -> bool {
    tokens[hit.tokens.clone()].iter().any(|token| token.letters == "0")
}

/// Whether a negation comes shortly before a phrase that has none of its own.
fn is_negated(hit: &Hit, hits: &[Hit]) -> bool {
    let reach = hit.tokens.start.saturating_sub(NEGATION_REACH)..hit.tokens.start;
    let negations = |range: Range<usize>| {
        hits.iter().any(|other| other.cue == Cue::Not && range.contains(&other.tokens.start))
    };
    negations(reach) && !negations(hit.tokens.clone())
}

/// What a negated cue says. Cues that contain a negation, or are about the human, stay as they are.
fn opposite(cue: Cue) -> Option<Cue> {
    match cue {
        Cue::Done | Cue::Fail | Cue::Change | Cue::Stuck => None,
        Cue::Green => Some(Cue::Fail),
        _ => Some(cue),
    }
}
