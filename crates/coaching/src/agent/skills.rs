//! What an agent has to show, by the command it runs or the phase it is in. Users can write a file of `skills`.

use std::fmt;

use serde::Deserialize;
use serde_saphyr::Spanned;

use super::coach::PREFIX;

pub const MAX_SKILLS: usize = 100;
pub const MAX_SKILL_FILE_BYTES: usize = 64 << 10;
const MAX_TRIGGER_CHARS: usize = 64;
const MAX_EVIDENCE_CHARS: usize = 200;

/// One kind of work and the evidence it ends with.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Skill {
    /// A command such as `/do-build`; one word.
    pub trigger: String,
    pub phase: String,
    pub evidence: String,
}

/// Something that is wrong with a file of skills, where, and what to do about it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SkillProblem {
    /// From 1; 0 when the whole file is meant.
    pub line: u64,
    pub column: u64,
    pub message: String,
    pub cure: String,
}

impl fmt::Display for SkillProblem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:{}: {} ({})", self.line, self.column, self.message, self.cure)
    }
}

/// The skills that come with the program.
pub fn shipped_skills() -> Vec<Skill> {
    read_skills(include_str!("skills.yaml")).expect("the skills that are shipped are read in every test run")
}

/// Reads a file of skills, or returns everything that is wrong with it.
pub fn read_skills(source: &str) -> Result<Vec<Skill>, Vec<SkillProblem>> {
    if source.len() > MAX_SKILL_FILE_BYTES {
        let message = format!("the file has more than {MAX_SKILL_FILE_BYTES} bytes");
        return Err(vec![SkillProblem {
            line: 0,
            column: 0,
            message,
            cure: "keep only skills in it".to_owned(),
        }]);
    }
    let file: File = serde_saphyr::from_str(source).map_err(|error| vec![unreadable(&error)])?;
    let mut reader = Reader::default();
    if file.skills.len() > MAX_SKILLS {
        reader.note(
            &file.skills[MAX_SKILLS].trigger,
            format!("there are more than {MAX_SKILLS} skills"),
            "drop some",
        );
    }
    let skills = file.skills.into_iter().map(|skill| reader.skill(skill)).collect();
    if reader.problems.is_empty() { Ok(skills) } else { Err(reader.problems) }
}

/// The skill whose trigger is a word of the text, otherwise the skill of the phase. What the coach itself said does not
/// count, or a reminder about `/do-test` would trigger it.
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

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct File {
    skills: Vec<RawSkill>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct RawSkill {
    trigger: Spanned<String>,
    phase: Spanned<String>,
    evidence: Spanned<String>,
}

#[derive(Default)]
struct Reader {
    problems: Vec<SkillProblem>,
    triggers: Vec<String>,
}

impl Reader {
    fn skill(&mut self, raw: RawSkill) -> Skill {
        let trigger = self.text(raw.trigger, "trigger", MAX_TRIGGER_CHARS, true);
        let phase = self.text(raw.phase, "phase", MAX_TRIGGER_CHARS, true);
        let evidence = self.text(raw.evidence, "evidence", MAX_EVIDENCE_CHARS, false);
        Skill { trigger, phase, evidence }
    }

    fn text(&mut self, text: Spanned<String>, name: &str, max_chars: usize, one_word: bool) -> String {
        let value = text.value.trim().to_owned();
        if value.is_empty() {
            self.note(&text, format!("{name} is empty"), "write something or drop the skill");
        } else if value.chars().count() > max_chars {
            self.note(&text, format!("{name} has more than {max_chars} characters"), "shorten it");
        } else if one_word && value.contains(char::is_whitespace) {
            self.note(&text, format!("{name} “{value}” is more than one word"), "write it with hyphens");
        } else if name == "trigger" && self.triggers.contains(&value) {
            self.note(&text, format!("{value} is triggered twice"), "keep one of the two skills");
        }
        if name == "trigger" {
            self.triggers.push(value.clone());
        }
        value
    }

    fn note(&mut self, at: &Spanned<String>, message: String, cure: &str) {
        let (line, column) = (at.referenced.line(), at.referenced.column());
        self.problems.push(SkillProblem { line, column, message, cure: cure.to_owned() });
    }
}

fn unreadable(error: &serde_saphyr::Error) -> SkillProblem {
    let place = error.location();
    let message = error.to_string();
    SkillProblem {
        line: place.map_or(0, |place| place.line()),
        column: place.map_or(0, |place| place.column()),
        // Line and column stand beside the message already.
        message: message
            .lines()
            .next()
            .and_then(|line| line.split(" at line ").next())
            .unwrap_or_default()
            .to_owned(),
        cure: "write a list of skills, each with trigger, phase and evidence".to_owned(),
    }
}
