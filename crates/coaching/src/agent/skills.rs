//! Reads skills: the evidence that an agent has to show, by the command it runs or the phase it is in. Users can
//! write a file of `skills`.

use super::coach::PREFIX;
use crate::authored::{self, Fields, PackProblem, ProblemCode, Problems, WORD_CHARS};
use std::collections::HashSet;
use std::ops::RangeInclusive;

const SKILLS: RangeInclusive<usize> = 0..=100;
const MAX_EVIDENCE_CHARS: usize = 200;

/// One kind of work and the evidence it ends with.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Skill {
    /// A command such as `/do-build`; one word.
    pub trigger: String,
    pub phase: String,
    pub evidence: String,
}

/// Returns the skills that come with the program.
pub fn shipped_skills() -> Vec<Skill> {
    read_skills(include_str!("skills.yaml")).expect("the skills that are shipped are read in every test run")
}

/// Reads a file of skills, or returns everything that is wrong with it.
pub fn read_skills(source: &str) -> Result<Vec<Skill>, Vec<PackProblem>> {
    authored::accept(authored::read(source.as_bytes(), |problems, root| {
        let file = problems.fields(root, "a file of skills", &["skills"])?;
        let mut triggers = HashSet::new();
        let listed = file.each("skills", SKILLS, "a skill", &["trigger", "phase", "evidence"]);
        Some(listed.iter().map(|fields| skill(problems, fields, &mut triggers)).collect())
    }))
}

fn skill(problems: &Problems, fields: &Fields, triggers: &mut HashSet<String>) -> Skill {
    let [trigger, phase] = ["trigger", "phase"].map(|key| fields.text(key, WORD_CHARS));
    for word in [&trigger, &phase].into_iter().filter(|word| word.value.contains(char::is_whitespace)) {
        let message = format!("“{}” is more than one word", word.value);
        problems.note(ProblemCode::WrongShape, word.place(), message, "write it with hyphens");
    }
    if !triggers.insert(trigger.value.clone()) && !trigger.value.is_empty() {
        let message = format!("{} is triggered twice", trigger.value);
        problems.note(ProblemCode::DuplicateId, trigger.place(), message, "keep one of the two skills");
    }
    let evidence = fields.text("evidence", MAX_EVIDENCE_CHARS).value;
    Skill { trigger: trigger.value, phase: phase.value, evidence }
}

/// Returns the skill whose trigger is a word of the text, otherwise the skill of the phase. The coach's own words
/// do not count, or a reminder about `/do-test` would trigger it.
pub fn detect_skill<'s>(text: &str, phase: Option<&str>, skills: &'s [Skill]) -> Option<&'s Skill> {
    let own_words = text.split(PREFIX).next().unwrap_or_default();
    let is_triggered =
        |skill: &&Skill| own_words.split_whitespace().any(|word| is_word(word, &skill.trigger));
    let is_in_phase = |skill: &&Skill| phase.is_some_and(|phase| phase.eq_ignore_ascii_case(&skill.phase));
    skills.iter().find(is_triggered).or_else(|| skills.iter().find(is_in_phase))
}

fn is_word(word: &str, trigger: &str) -> bool {
    let bare = word.trim_matches(|c: char| !c.is_alphanumeric() && c != '/' && c != '-' && c != '_');
    bare.eq_ignore_ascii_case(trigger)
}
