//! The data that a drill session keeps from turn to turn.
//!
//! A word is in exactly one place: waiting in the queue, being practised as the target, or in the pool. Only the
//! functions here move a word.

use crate::desk::Line;
use crate::learner::{
    Attempt, Calendar, LearnerItem, Memory, Model, Profile, Quality, Rated, Status, next_due_us,
};
use crate::record::Record;
use crate::text::{How, Match};
use crate::turn::Moment;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use std::collections::{BTreeMap, VecDeque};

/// The kind of record in which the uses of learned words in dialogue are counted, one per pack.
pub const POOL_KIND: &str = "pool";

const SECOND_US: i64 = 1_000_000;
/// The time that a letter takes to type, in microseconds.
const LETTER_US: i64 = 250_000;
/// The wait, in microseconds, after which a model that gives no answer is not asked again in the session.
const WAIT_US: i64 = 900_000;

#[derive(Debug, Clone, Default, Serialize, Deserialize)]
pub struct Data {
    pub(super) pack: String,
    /// Whether lines are spoken. The session then waits until each has been said.
    pub(super) voice: bool,
    /// Whether the session waits for an answer as long as it takes.
    #[serde(default)]
    pub(super) is_untimed: bool,
    /// Whether a model may invent the dialogues.
    #[serde(default)]
    pub(super) model: bool,
    /// How often a model was asked in this session.
    #[serde(default)]
    pub(super) asks: u64,
    /// The question whose answer the session waits for.
    #[serde(default)]
    pub(super) asked: Option<Asked>,
    pub(super) memory: Memory,
    /// The learner's profile as it was when the session began.
    #[serde(default)]
    pub(super) profile: Option<Profile>,
    pub(super) queue: VecDeque<Drilled>,
    pub(super) target: Option<Drilled>,
    pub(super) pool: Vec<Pooled>,
    pub(super) pool_uses: PoolUses,
    /// The uses that are in no record yet.
    #[serde(default)]
    pub(super) new_uses: PoolUses,
    /// The edition of the learner's records that this session has seen.
    #[serde(default)]
    pub(super) edition: u64,
    /// The learner's last words.
    pub(super) heard: String,
    /// Whether `heard` was recognised from speech.
    #[serde(default)]
    pub(super) is_spoken: bool,
    /// How much of the word the learner sees.
    #[serde(default)]
    pub(super) aid: Option<Aid>,
    /// One good answer to the lines of `last_cue`.
    #[serde(default)]
    pub(super) answer: Option<String>,
    /// When the word was last asked for.
    #[serde(default)]
    pub(super) asked_at_us: i64,
    /// Whether the last answer came without hesitation.
    #[serde(default)]
    pub(super) is_at_once: bool,
    pub(super) feedback: Option<Feedback>,
    /// The learned items in the coach's last line of dialogue.
    pub(super) said_last: Vec<String>,
    /// The lines to answer: a scene with its opening, or the word said slowly.
    #[serde(default)]
    pub(super) last_cue: Vec<Line>,
    /// The number of the last sentence that was drawn.
    pub(super) variation: usize,
    pub(super) finished: Vec<Finished>,
}

/// A question to a model that has not been answered.
#[derive(Debug, Clone, Copy, Serialize, Deserialize)]
pub(super) struct Asked {
    pub number: u64,
    /// Whether the learner answers without seeing the word.
    pub is_unaided: bool,
    #[serde(default)]
    pub at_us: i64,
}

/// The part of the word that the learner sees while it is asked for.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(super) enum Aid {
    #[default]
    Word,
    /// Its first letters.
    Cue,
    Nothing,
}

/// The report to memory about a word in this session, and the due time that follows from it.
#[derive(Debug, Clone, Copy, Serialize, Deserialize)]
pub(super) struct Told {
    pub quality: Quality,
    pub due_at_us: i64,
}

/// A word on its way into the pool.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub(super) struct Drilled {
    pub id: String,
    pub item: LearnerItem,
    /// Set when the word was in the pool before and is due for review.
    pub due_at_us: Option<i64>,
    /// How often each cue of the pack was shown in this session.
    pub cues_shown: Vec<u32>,
    /// Whether it had to be said slowly.
    pub is_remediated: bool,
    /// How often it was asked for and tried in this session.
    #[serde(default)]
    pub presented: u32,
    #[serde(default)]
    pub tried: usize,
    /// The report on the first try without help.
    #[serde(default)]
    pub told: Option<Told>,
    /// Whether it waits for its last use.
    #[serde(default)]
    pub is_resting: bool,
    /// Whether the learner has skipped it in this session.
    #[serde(default)]
    pub is_skipped: bool,
}

/// A word that the coach may use.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub(super) struct Pooled {
    pub id: String,
    /// Correct uses while it was the target.
    pub usage: u32,
}

/// Uses of learned words in answers to other words, by item.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(transparent)]
pub struct PoolUses(BTreeMap<String, u32>);

impl PoolUses {
    fn count(&mut self, id: &str, more: u32) {
        let uses = self.0.entry(id.to_owned()).or_insert(0);
        *uses = uses.saturating_add(more);
    }

    pub(super) fn add(&mut self, more: &PoolUses) {
        more.0.iter().for_each(|(id, uses)| self.count(id, *uses));
    }
}

/// The outcome of the last utterance.
#[derive(Debug, Clone, Serialize, Deserialize, JsonSchema)]
pub struct Feedback {
    pub heard: String,
    pub is_attempt: bool,
    /// Whether it says the word, but not what the scene asks for.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub is_beside: bool,
    #[serde(flatten)]
    pub result: Match,
}

impl Feedback {
    pub(super) fn without_attempt(heard: String, result: Match) -> Feedback {
        Feedback { heard, is_attempt: false, is_beside: false, result }
    }

    /// Whether it was right without a correction.
    pub(super) fn is_flawless(&self) -> bool {
        matches!(self.result.how, How::Surface | How::Alias) && !self.is_beside
    }
}

/// A word that this session has finished, learned or not.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub(super) struct Finished {
    pub id: String,
    pub status: Status,
    pub due_at_us: i64,
    #[serde(default)]
    pub at_us: Option<i64>,
}

impl Drilled {
    pub(super) fn new(id: &str, item: LearnerItem, due_at_us: Option<i64>) -> Drilled {
        Drilled {
            id: id.to_owned(),
            item,
            due_at_us,
            cues_shown: Vec::new(),
            is_remediated: false,
            presented: 0,
            tried: 0,
            told: None,
            is_resting: false,
            is_skipped: false,
        }
    }

    pub(super) fn count_cue(&mut self, cue: usize) {
        if self.cues_shown.len() <= cue {
            self.cues_shown.resize(cue + 1, 0);
        }
        self.cues_shown[cue] += 1;
        self.count_presentation();
    }

    pub(super) fn count_presentation(&mut self) {
        self.item.presentations = self.item.presentations.saturating_add(1);
        self.presented += 1;
    }

    pub(super) fn attempt(&mut self, now_us: i64, heard: &str, how: How) {
        self.item.attempt(now_us, heard, how);
        self.tried += 1;
    }

    /// Continues from the state in which another session has left the word, and adds the tries of this one.
    pub(super) fn go_on_from(&mut self, known: LearnerItem, due_at_us: Option<i64>) {
        let here = std::mem::replace(&mut self.item, known);
        self.due_at_us = due_at_us;
        self.item.presentations = self.item.presentations.saturating_add(self.presented);
        let older = here.history.len().saturating_sub(self.tried);
        let last_used_us = self.item.last_used_us.max(here.last_used_us);
        for Attempt { at_us, heard, how } in here.history.into_iter().skip(older) {
            self.item.attempt(at_us, &heard, how);
        }
        self.item.history.make_contiguous().sort_by_key(|attempt| attempt.at_us);
        self.item.last_used_us = last_used_us;
    }

    /// Whether it was in the pool before and is back for review.
    pub(super) fn is_review(&self) -> bool {
        self.due_at_us.is_some()
    }

    pub(super) fn has_failed(&self) -> bool {
        self.told.is_some_and(|told| !told.quality.is_recalled())
    }

    /// Returns the quality of a finished word, for laws that never ask for a word from memory. A word that had to
    /// be repeated slowly is remembered with effort.
    fn quality(&self, is_mastered: bool) -> Quality {
        match (is_mastered, self.is_remediated) {
            (true, false) => Quality::GOOD,
            (true, true) => Quality::HARD,
            (false, _) => Quality::AGAIN,
        }
    }
}

impl Data {
    pub(super) fn key(&self, id: &str) -> String {
        format!("{}/{id}", self.pack)
    }

    /// Whether a model is asked for dialogues. If lines are spoken, `tts_done` means that a line has been said and
    /// cannot bring a model's answer as well; the dialogues then come from the pack.
    pub(super) fn asks_model(&self) -> bool {
        self.model && !self.voice
    }

    pub(super) fn begin_ask(&mut self, is_unaided: bool, now_us: i64) -> Asked {
        self.asks += 1;
        *self.asked.insert(Asked { number: self.asks, is_unaided, at_us: now_us })
    }

    /// Whether the learner has waited for an answer that did not come. A model that fails at once may be asked again.
    pub(super) fn has_waited(&self, asked: Asked, now_us: i64) -> bool {
        now_us.saturating_sub(asked.at_us) >= WAIT_US
    }

    /// Notes whether a review was answered right, exactly and at once. Long answers take longer to type. The first
    /// review of a word tells too little to call it easy.
    pub(super) fn note_pace(&mut self, heard: &str, how: How, seconds: Option<u32>, now_us: i64) {
        let typing_us = heard.chars().count() as i64 * LETTER_US;
        let limit_us = seconds.map(|seconds| i64::from(seconds) * SECOND_US + typing_us);
        let is_first_ask = |word: &Drilled| word.presented <= 1;
        let is_first_review = |word: &Drilled| word.item.ratings.len() == 1;
        let is_review = self
            .target
            .as_ref()
            .is_some_and(|word| word.is_review() && is_first_ask(word) && !is_first_review(word));
        let is_quick = limit_us.is_some_and(|limit_us| now_us.saturating_sub(self.asked_at_us) <= limit_us);
        self.is_at_once = is_review && how == How::Surface && is_quick;
    }

    /// Returns how often a learned word was used in all, as the target and in dialogue.
    pub(super) fn usage(&self, pooled: &Pooled) -> u32 {
        pooled.usage.saturating_add(self.pool_uses.0.get(&pooled.id).copied().unwrap_or(0))
    }

    pub(super) fn count_use(&mut self, id: &str) {
        self.pool_uses.count(id, 1);
        self.new_uses.count(id, 1);
    }

    /// Rates the word, by the learner's profile if they have one, and returns when it is due again.
    fn rate(&self, word: &mut Drilled, quality: Quality, now_us: i64) -> i64 {
        let Some(profile) = &self.profile else { return word.item.rate(self.memory, quality, now_us) };
        let elapsed_days =
            word.item.reviewed_us.map_or(0, |at_us| Calendar::of(profile).days_between(at_us, now_us));
        let model = Model::new(self.memory, profile.weights.as_deref());
        let days = word.item.review(&model, profile.desired_retention, quality, elapsed_days, now_us);
        next_due_us(profile, now_us, days, &|_| 0)
    }

    /// Tells memory how the target was remembered, if it was not told before in this session. Returns the record.
    pub(super) fn tell_memory(&mut self, quality: Quality, now_us: i64) -> Option<Record> {
        if self.target.as_ref()?.told.is_some() {
            return None;
        }
        let mut word = self.target.take()?;
        let due_at_us = self.rate(&mut word, quality, now_us);
        word.told = Some(Told { quality, due_at_us });
        // The record has these counts now; they must not be added to it again.
        (word.presented, word.tried) = (0, 0);
        let record = word.item.record(self.key(&word.id), Some(due_at_us));
        self.target = Some(word);
        Some(record)
    }

    /// Puts the target off until another word that still `exists` was practised. If there is none, the target
    /// stays.
    pub(super) fn rest_target(&mut self, exists: impl Fn(&str) -> bool) {
        let Some(mut word) = self.target.take() else { return };
        word.is_resting = true;
        if self.next_target(exists) {
            self.queue.push_front(word);
        } else {
            self.target = Some(word);
        }
    }

    /// Whether there is another word to practise.
    pub(super) fn has_another(&self) -> bool {
        self.queue.front().is_some_and(|word| !word.is_skipped)
    }

    /// Puts the target behind all others, where it is left for another session, and returns its record.
    pub(super) fn skip_target(&mut self) -> Option<Record> {
        let record = self.put_back_target();
        if let Some(mut word) = self.queue.pop_front() {
            word.is_skipped = true;
            self.queue.push_back(word);
        }
        record
    }

    /// Moves the target into the pool and returns its record.
    pub(super) fn finish_target(&mut self, is_mastered: bool, now_us: i64) -> Option<Record> {
        // A review without a try says nothing about memory.
        if self.target.as_ref().is_some_and(|word| word.is_review() && word.told.is_none() && word.tried == 0)
        {
            return self.put_back_target();
        }
        let mut word = self.target.take()?;
        self.last_cue.clear();
        let due_at_us = match word.told {
            Some(told) => told.due_at_us,
            None => {
                let quality = word.quality(is_mastered);
                self.rate(&mut word, quality, now_us)
            }
        };
        word.item.status = if is_mastered { Status::Learned } else { Status::Parked };
        let record = word.item.record(self.key(&word.id), Some(due_at_us));
        self.pool.push(Pooled { id: word.id.clone(), usage: word.item.usage });
        let status = word.item.status;
        self.finished.push(Finished { id: word.id, status, due_at_us, at_us: Some(now_us) });
        Some(record)
    }

    /// Makes the first waiting word that still `exists` the target. Returns whether there is one.
    pub(super) fn next_target(&mut self, exists: impl Fn(&str) -> bool) -> bool {
        self.queue.retain(|word| exists(&word.id));
        self.target = if self.has_another() { self.queue.pop_front() } else { None };
        self.target.is_some()
    }

    /// Puts an unfinished target back at the front and returns its record. It is not rated: leaving says nothing about
    /// memory.
    pub(super) fn put_back_target(&mut self) -> Option<Record> {
        let word = self.target.take()?;
        self.last_cue.clear();
        let was_met = word.item.presentations > 0;
        let due_at_us = word.told.map(|told| told.due_at_us).or(word.due_at_us);
        let record = was_met.then(|| word.item.record(self.key(&word.id), due_at_us));
        self.queue.push_front(word);
        record
    }

    /// Returns the record of counted uses, if there are new ones.
    pub(super) fn take_new_uses(&mut self) -> Option<Record> {
        let body = (!std::mem::take(&mut self.new_uses).0.is_empty()).then(|| {
            serde_json::to_value(&self.pool_uses).expect("counts by item are a map with text keys")
        })?;
        Some(Record {
            kind: POOL_KIND.to_owned(),
            key: self.pack.clone(),
            body: Some(body),
            ..Record::default()
        })
    }

    /// Draws the number of one of several sentences. A number never follows itself.
    pub(super) fn draw(&mut self, of: usize, moment: &Moment<'_>) -> usize {
        let others = (of - 1).max(1) as u64;
        self.variation = (self.variation + 1 + (moment.seed % others) as usize) % of;
        self.variation
    }
}

/// Reads how well a word was remembered, each time.
pub(super) fn recalls(record: &Record) -> Vec<(String, Rated)> {
    let item = record.body.as_ref().and_then(|body| LearnerItem::deserialize(body).ok());
    item.into_iter().flat_map(|item| item.ratings).map(|rated| (record.key.clone(), rated)).collect()
}
