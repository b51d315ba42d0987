//! The progress of one learner on one concept, and how an answer changes it.

use crate::curriculum::AskedBefore;
use crate::learner::{Memory, MemoryState, Model, Quality};
use crate::map::MasteryStatus;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use std::collections::VecDeque;

/// The number of answers that the score rests on, the newest weighted most.
const SCORED_ANSWERS: usize = 5;
/// The number of good recalls in a row that mastery needs. A sitting asks for a concept once, so each recall is on
/// an occasion of its own; an outside tutor is responsible for that itself.
const GOOD_RECALLS: usize = 3;
const GOOD: u8 = 4;
const MASTERED_SCORE: f64 = 0.85;
const FORGOTTEN_DAYS: f64 = 1.0;
/// The number of last answers that tell whether the learner struggles.
const STRUGGLE_ANSWERS: usize = 3;
const STRUGGLE_QUALITY: u8 = 2;

// The occasion on which a question was answered.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
#[schemars(inline)]
pub enum ResponseType {
    Diagnostic,
    Teach,
    Review,
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct Progress {
    pub mastery_status: MasteryStatus,
    pub mastery_score: f64,
    pub ease_factor: f64,
    pub repetitions: u32,
    pub interval_days: f64,
    pub next_review_at_us: Option<i64>,
    /// The moment from which the next rating counts its days: the last rating, or later if answers on other
    /// concepts were credited since.
    pub reviewed_at_us: Option<i64>,
    /// When its memory was last rated, after a question about it. Older programs did not write it down.
    pub rated_at_us: Option<i64>,
    pub mastered_at_us: Option<i64>,
    pub memory: Option<MemoryState>,
    /// Whether it counts as understood only because a diagnosis was sure of it.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub is_presumed: bool,
    /// The newest answers, oldest first.
    pub qualities: VecDeque<Quality>,
    /// The newest recalls, oldest first.
    pub recalls: VecDeque<Quality>,
    /// For each of the recalls, whether a machine, a model or another tutor vouches for it. Older programs did not
    /// write it down.
    #[serde(skip_serializing_if = "VecDeque::is_empty")]
    pub vouched: VecDeque<bool>,
    /// The name of its next review on the list of schedules.
    pub schedule: Option<String>,
    /// The questions asked before, so that the next one differs.
    pub asked: Vec<AskedBefore>,
}

impl Default for Progress {
    fn default() -> Progress {
        Progress {
            mastery_status: MasteryStatus::Unseen,
            mastery_score: 0.0,
            ease_factor: 2.5,
            repetitions: 0,
            interval_days: 0.0,
            next_review_at_us: None,
            reviewed_at_us: None,
            rated_at_us: None,
            mastered_at_us: None,
            memory: None,
            is_presumed: false,
            qualities: VecDeque::new(),
            recalls: VecDeque::new(),
            vouched: VecDeque::new(),
            schedule: None,
            asked: Vec::new(),
        }
    }
}

impl Progress {
    /// Marks the concept as believed to be known from a diagnosis: a head start, never mastery. A score from
    /// teaching is never lowered to it.
    pub fn is_believed_known(&mut self, score: f64) {
        if matches!(self.mastery_status, MasteryStatus::Unseen | MasteryStatus::Diagnosed) {
            self.mastery_status = MasteryStatus::Diagnosed;
            self.mastery_score = score.clamp(0.3, 0.7);
        }
    }

    /// Counts the concept as understood because a diagnosis is sure of it. Returns false for a concept that has
    /// come further.
    pub fn is_presumed_known(&mut self, score: f64) -> bool {
        self.is_believed_known(score);
        let is_new = self.mastery_status == MasteryStatus::Diagnosed;
        if is_new {
            self.mastery_status = MasteryStatus::Reviewing;
            self.is_presumed = true;
        }
        is_new
    }

    /// Sets the status, on the word of a tutor or the learner.
    pub fn is_said_to_be(&mut self, status: MasteryStatus, now_us: i64) {
        let since = self.mastered_at_us.or(Some(now_us));
        self.mastered_at_us = since.filter(|_| status == MasteryStatus::Mastered);
        self.mastery_status = status;
    }

    /// Adds an answer to the score, and a recall to those that mastery needs. An answer in a diagnosis counts for
    /// neither. The caller decides what the answer means for the status.
    pub fn answered(&mut self, on: ResponseType, quality: Quality, is_vouched: bool) {
        if on == ResponseType::Diagnostic {
            return;
        }
        push(&mut self.qualities, quality, SCORED_ANSWERS);
        if on == ResponseType::Review {
            push(&mut self.recalls, quality, GOOD_RECALLS);
            push(&mut self.vouched, is_vouched, GOOD_RECALLS);
        }
        self.mastery_score = mastery_score(self.qualities.make_contiguous());
    }

    /// Notes that a question was asked and how it went.
    pub fn was_asked(&mut self, question: usize, quality: Quality) {
        let at = self.asked.iter().position(|asked| asked.question == question);
        // The question asked last is the last in the list.
        let before = at.map(|at| self.asked.remove(at));
        self.asked.push(AskedBefore {
            question,
            times: before.map_or(0, |seen| seen.times) + 1,
            last_quality: quality,
            is_objected: before.is_some_and(|seen| seen.is_objected),
        });
    }

    /// Notes that the learner has objected to the mark of a question. That is possible once.
    pub fn was_objected(&mut self, question: usize) {
        self.asked
            .iter_mut()
            .filter(|seen| seen.question == question)
            .for_each(|seen| seen.is_objected = true);
    }

    pub fn is_objected(&self, question: usize) -> bool {
        self.asked.iter().any(|seen| seen.question == question && seen.is_objected)
    }

    pub fn is_being_learned(&mut self) {
        self.is_presumed = false;
        self.mastery_status = MasteryStatus::Learning;
    }

    /// Notes that the quiz was not passed: the concept is taught again from the beginning.
    pub fn failed_quiz(&mut self) {
        self.repetitions = 0;
        self.mastery_status = MasteryStatus::Learning;
    }

    /// Rates the memory after a passed quiz or a recall. Returns in how many days the concept should come back.
    /// SM-2's numbers are kept beside those of another model, for they also say what is hard.
    pub fn rate(&mut self, model: &Model, retention: f64, quality: Quality, elapsed_days: u32) -> f64 {
        let classic = MemoryState::Sm2 {
            ease: self.ease_factor,
            repetitions: self.repetitions,
            interval_days: self.interval_days,
        };
        let before = if model.memory() == Memory::Sm2 { Some(classic) } else { self.memory };
        let (state, interval_days) = model.review(before, quality, elapsed_days, retention);
        if let (MemoryState::Sm2 { ease, repetitions, .. }, _) =
            Memory::Sm2.review(Some(classic), quality, elapsed_days, retention)
        {
            (self.ease_factor, self.repetitions) = (ease, repetitions);
        }
        self.memory = Some(state);
        // A forgotten concept comes back tomorrow, whatever the model would say.
        self.interval_days = if quality.is_recalled() { interval_days } else { FORGOTTEN_DAYS };
        self.interval_days
    }

    /// Sets the status after a rated recall: mastered after enough good ones, otherwise the concept keeps coming
    /// back. A mastered concept stays so until it is forgotten: a recall with effort is a recall.
    pub fn settle(&mut self, now_us: i64) {
        self.is_presumed = false;
        let was_mastered = self.mastery_status == MasteryStatus::Mastered;
        let stays = was_mastered && self.recalls.back().is_some_and(|quality| quality.is_recalled());
        if self.is_steady() || stays {
            self.mastery_status = MasteryStatus::Mastered;
            self.mastered_at_us = self.mastered_at_us.filter(|_| was_mastered).or(Some(now_us));
        } else {
            self.mastery_status = MasteryStatus::Reviewing;
            self.mastered_at_us = None;
        }
    }

    fn is_steady(&self) -> bool {
        let is_good = |quality: &Quality| quality.get() >= GOOD;
        self.recalls.len() == GOOD_RECALLS
            && self.recalls.iter().all(is_good)
            && self.is_vouched()
            && self.mastery_score >= MASTERED_SCORE
    }

    /// Whether more than free text vouches for the recalls. Free text alone masters nothing: rules may have taken a
    /// good guess for an answer.
    fn is_vouched(&self) -> bool {
        self.vouched.len() < self.recalls.len() || self.vouched.contains(&true)
    }

    /// Returns how many recalls of this quality in a row would master the concept; `None` when no number of them
    /// would.
    pub fn recalls_to_mastery(&self, quality: Quality) -> Option<usize> {
        let mut tried = self.clone();
        // After this many answers, earlier ones no longer count.
        (1..=SCORED_ANSWERS.max(GOOD_RECALLS)).find(|_| {
            tried.answered(ResponseType::Review, quality, true);
            tried.is_steady()
        })
    }

    /// Whether the last answers were all poor, or each worse than the one before.
    pub fn is_struggling(&self) -> bool {
        let from = self.qualities.len().saturating_sub(STRUGGLE_ANSWERS);
        let last: Vec<u8> = self.qualities.iter().skip(from).map(|quality| quality.get()).collect();
        let all_poor = last.iter().all(|quality| *quality <= STRUGGLE_QUALITY);
        let declining = last.windows(2).all(|pair| pair[1] < pair[0]);
        last.len() == STRUGGLE_ANSWERS && (all_poor || declining)
    }
}

/// Returns the score of the newest answers, oldest first, from 0 to 1. Each counts twice as much as the one before
/// it.
pub fn mastery_score(qualities: &[Quality]) -> f64 {
    let from = qualities.len().saturating_sub(SCORED_ANSWERS);
    let weighted = qualities[from..].iter().zip(0..).map(|(quality, at)| (1u32 << at, quality.get()));
    let (sum, weights) = weighted.fold((0, 0), |(sum, weights), (weight, quality)| {
        (sum + weight * u32::from(quality), weights + weight)
    });
    if weights == 0 { 0.0 } else { f64::from(sum) / f64::from(5 * weights) }
}

fn push<T>(list: &mut VecDeque<T>, newest: T, most: usize) {
    list.push_back(newest);
    while list.len() > most {
        list.pop_front();
    }
}
