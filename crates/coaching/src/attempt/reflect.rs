//! Looks back on an attempt: the changed constraint, what the learner wants to remember, and the pattern as an item
//! of memory.

use super::data::{Challenge, Data, Fit, ReflectPayload};
use super::replies::{AdversaryChallenge, Reflected};
use super::words;
use crate::grade::question::{Free, Question};
use crate::grade::{self, Grade, show::show};
use crate::learner::{Calendar, ITEM_KIND, LearnerItem, Model, PROFILE_KIND, Profile, Quality, next_due_us};
use crate::problems::Problem;
use crate::record::Record;
use crate::rejected::Rejected;
use crate::turn::Stage;
use crate::words::Text;
use jiff::Timestamp;
use schemars::JsonSchema;
use serde::Deserialize;

const MAX_CUES: usize = 10;
const MAX_TEXT_CHARS: usize = 2_000;
/// The pack under which patterns are remembered.
const PACK: &str = "patterns";

/// The things to remember for the next time.
#[derive(Debug, Clone, Default, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
#[schemars(extend("examples" = [{"cuesNextTime": ["A partner is a lookup."], "invariantSummary": "The map has the earlier ones."}]))]
pub struct Reflection {
    /// How you will recognise such a problem
    #[serde(default)]
    pub cues_next_time: Vec<String>,
    /// What stayed true in your program
    #[serde(default)]
    pub invariant_summary: String,
}

/// An answer to the changed constraint.
#[derive(Debug, Clone, Default, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
#[schemars(extend("examples" = [{"answer": "I keep a map of what came before."}]))]
pub struct ChallengeAnswer {
    /// What you would change
    pub answer: String,
}

pub(super) fn hear(problem: &Problem, data: &mut Data, said: Reflection) -> Result<(), Rejected> {
    let cues = said.cues_next_time.iter().map(|cue| cue.trim().to_owned());
    let cues: Vec<String> = cues.filter(|cue| !cue.is_empty()).collect();
    let summary = said.invariant_summary.trim().to_owned();
    if said.cues_next_time.len() > MAX_CUES {
        return Err(words::too_many_cues(MAX_CUES as u32));
    }
    cues.iter().try_for_each(|cue| check_length("cuesNextTime", cue))?;
    check_length("invariantSummary", &summary)?;
    if cues.is_empty() && summary.is_empty() {
        return Err(words::empty_reflection());
    }
    data.reflect = Some(ReflectPayload {
        cues_next_time: cues,
        invariant_summary: summary,
        micro_lesson_id: Some(problem.micro_lesson.id.clone()),
        adversary_challenge_completed: data.challenge.as_ref().is_some_and(|challenge| challenge.passed),
    });
    Ok(())
}

/// Refuses a text that is too long. It is never cut, because the learner would believe that all of it was kept.
fn check_length(field: &str, text: &str) -> Result<(), Rejected> {
    match text.chars().count() > MAX_TEXT_CHARS {
        true => Err(words::too_long(field, MAX_TEXT_CHARS as u32)),
        false => Ok(()),
    }
}

/// Marks an answer to the changed constraint by its ideas. The coach asks once for more before it finds the answer
/// wanting.
pub(super) fn hear_challenge(
    problem: &Problem,
    data: &mut Data,
    said: &ChallengeAnswer,
) -> Result<(), Rejected> {
    let answer = said.answer.trim().to_owned();
    check_length("answer", &answer)?;
    if answer.is_empty() {
        return Err(words::empty_answer());
    }
    let adversary = &problem.adversary;
    let before = data.challenge.take().filter(|before| !before.passed);
    let tries = before.as_ref().map_or(0, |before| before.tries) + 1;
    let all = before.into_iter().map(|before| before.answer).chain([answer]).collect::<Vec<_>>();
    let answer = super::cut(&all.join(".\n"), 2 * MAX_TEXT_CHARS);
    let grade = grade_challenge(problem, &answer);
    let passed = grade.verdict == grade::Verdict::Right;
    let missing = || grade.missing.iter().map(|idea| Text::from(idea.as_str())).collect::<Vec<_>>();
    let feedback = match passed {
        true => words::challenge_met(),
        false if tries == 1 => words::challenge_asked(),
        false if grade.missing.is_empty() => words::challenge_doubt(adversary.good.as_str()),
        false => words::challenge_missing(missing(), adversary.good.as_str()),
    };
    data.challenge = Some(Challenge { answer, passed, feedback, tries });
    Ok(())
}

pub(super) fn grade_challenge(problem: &Problem, answer: &str) -> Grade {
    let adversary = &problem.adversary;
    let question = Question::Free(Free {
        ask: adversary.ask.clone(),
        ideas: adversary.ideas.clone(),
        misconceptions: Vec::new(),
        answer: adversary.good.clone(),
    });
    grade::grade(&question, &show(&question, 0), answer)
}

/// Returns what the learner can take along, for the interface.
pub(super) fn reply(problem: &Problem, data: &Data) -> Reflected {
    Reflected {
        cues: problem.cues.clone(),
        invariant: problem.invariants.first().map(|template| template.filled(|slot| slot.right)),
        micro_lesson_id: problem.micro_lesson.id.clone(),
        micro_lesson: problem.micro_lesson.clone(),
        adversary_challenge: AdversaryChallenge {
            change: problem.adversary.change.clone(),
            question: problem.adversary.ask.clone(),
            completed: data.challenge.as_ref().is_some_and(|challenge| challenge.passed),
        },
        pattern_due_at: data.due_at,
    }
}

/// Returns the learner's memory of the problem's pattern, if there is one.
pub(super) fn known_item(problem: &Problem, records: &[Record]) -> Option<LearnerItem> {
    let key = key(problem);
    let record = records.iter().find(|record| record.kind == ITEM_KIND && record.key == key)?;
    LearnerItem::deserialize(record.body.as_ref()?).ok()
}

pub(super) fn known_profile(records: &[Record]) -> Option<Profile> {
    let record = records.iter().find(|record| record.kind == PROFILE_KIND)?;
    Profile::deserialize(record.body.as_ref()?).ok()
}

fn key(problem: &Problem) -> String {
    format!("{PACK}/{}", problem.pattern)
}

/// Records a solved problem as a review of its pattern.
pub(super) fn remember(problem: &Problem, data: &mut Data, stage: &mut Stage<'_>) {
    let now_us = stage.moment.now_us;
    let mut item = data.item.take().unwrap_or_else(|| LearnerItem::new(now_us));
    let profile = data.profile.clone().unwrap_or_default();
    let elapsed = item.reviewed_us.map_or(0, |at_us| Calendar::of(&profile).days_between(at_us, now_us));
    let days = item.review(&Model::of(&profile), profile.desired_retention, quality(data), elapsed, now_us);
    item.presentations += 1;
    item.usage += 1;
    item.last_used_us = Some(now_us);
    let due_us = next_due_us(&profile, now_us, days, &|_| 0);
    data.due_at = Timestamp::from_microsecond(due_us).ok();
    let record = item.record(key(problem), Some(due_us));
    data.item = Some(item);
    stage.remember_over(&mut data.edition, record);
}

/// Returns how well the pattern was recalled: at once and without help, or with some, or hardly.
fn quality(data: &Data) -> Quality {
    let fit = data.choice.as_ref().map(|choice| choice.fit);
    let is_unaided = data.hints_used == 0 && !data.plan.discovery_triggered;
    match fit {
        Some(Fit::Good) if is_unaided => Quality::GOOD,
        Some(Fit::Mismatch) | None if data.hints_used > 2 => Quality::AGAIN,
        _ => Quality::HARD,
    }
}
