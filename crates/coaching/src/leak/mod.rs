//! Decides whether a coach's words give away what the learner should find.
//!
//! Two kinds of exercises are guarded. Where the reference is a program, `solution` looks for code, for
//! instructions on what to type, and for the name of the technique. Otherwise `tutoring` reads the results and
//! formulas out of the reference, or its words if it has none, and looks for those that have not been said yet.
//!
//! The guard never holds back anything in the statement, or anything that the learner or the coach has already said.

mod code;
mod formula;
mod phrases;
mod quantity;
mod sentence;
mod solution;
mod tutoring;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// The length after which a text is cut before it is read.
pub const MAX_TEXT_BYTES: usize = 64 * 1024;

/// The things that must stay secret, and those that are already known.
#[derive(Debug, Clone, Copy, Default)]
pub struct Guarded<'a> {
    /// Good solutions: programs in any languages, or worked answers.
    pub reference: &'a [&'a str],
    pub statement: &'a str,
    /// Sentences that state the solution of a coding problem in words, such as its invariant.
    pub secrets: &'a [String],
    /// The dialogue so far, oldest first.
    pub dialogue: &'a [Said],
    /// The pattern of a coding problem, as authors name it.
    pub pattern: Option<&'a str>,
    /// Whether the learner has a plan. Until then, the pattern and the complexity are theirs to find.
    pub is_planned: bool,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Said {
    pub who: Who,
    pub text: String,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum Who {
    #[serde(alias = "coach", alias = "teacher", alias = "Tutor", alias = "Teacher")]
    Tutor,
    #[serde(alias = "student", alias = "Learner", alias = "Student")]
    Learner,
}

/// The leaks in a text.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Leaks {
    /// Whether the text must not be shown.
    pub leak: bool,
    pub risk: Risk,
    /// The reasons, the most telling first.
    pub reasons: Vec<Reason>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum Risk {
    Low,
    /// A part of the solution, or something close to one.
    Medium,
    /// The solution, or the decisive part of it.
    High,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Reason {
    pub kind: Kind,
    pub risk: Risk,
    /// Whether the reason is only a nudge by itself. Several nudges make a leak.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub slight: bool,
    /// The words that give something away.
    pub quote: String,
    /// A sentence that says what they give away.
    pub sentence: String,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Kind {
    /// The final result.
    Answer,
    /// A result on the way to the final one.
    Step,
    /// A computation that only has to be carried out.
    Computation,
    /// A formula of the reference.
    Formula,
    /// The reference in words.
    Idea,
    /// Lines of a program.
    Code,
    /// A line of the reference solution.
    Line,
    /// Instructions on what to type or to do, step by step.
    Instruction,
    /// The name of the technique that solves the problem.
    Pattern,
    /// The complexity of the solution.
    Complexity,
    /// Nudges of several turns that add up.
    Pieces,
}

/// Finds everything that a text gives away.
pub fn look(guarded: &Guarded<'_>, text: &str) -> Leaks {
    let text = &text[..text.floor_char_boundary(MAX_TEXT_BYTES)];
    let mut reasons = nudges(guarded, text);
    if reasons.iter().all(|reason| reason.slight) {
        reasons.extend(pieces(guarded, &reasons));
    }
    reasons.sort_by_key(|reason| (reason.slight, std::cmp::Reverse(reason.risk)));
    let leak = reasons.iter().any(|reason| !reason.slight);
    let risk = reasons.iter().map(|reason| reason.risk).max().unwrap_or(Risk::Low);
    Leaks { leak, risk, reasons }
}

/// Returns the paragraphs of a text that give nothing away.
pub fn sparing(guarded: &Guarded<'_>, text: &str) -> String {
    let harmless = text.split("\n\n").filter(|paragraph| !look(guarded, paragraph).leak);
    harmless.collect::<Vec<_>>().join("\n\n")
}

/// Returns what a text gives away by itself. The learner's own words and those of the statement give nothing
/// away.
fn nudges(guarded: &Guarded<'_>, text: &str) -> Vec<Reason> {
    let is_program = |reference: &&str| code::is_program(reference);
    let mut reasons = match guarded.pattern.is_some() || guarded.reference.iter().any(is_program) {
        true => solution::look(guarded, text),
        false => tutoring::look(guarded, text),
    };
    let own = std::iter::once(guarded.statement).chain(guarded.said_by(Who::Learner));
    let own: Vec<String> = own.map(squeezed).collect();
    reasons.retain(|reason| !own.iter().any(|text| text.contains(&reason.quote)));
    reasons
}

/// Returns the text with single spaces.
fn squeezed(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// The number of nudges in a row that make a leak: the last one completes what the earlier ones began.
const ENOUGH_NUDGES: usize = 3;
/// The number of the coach's own turns that are looked back on.
const WINDOW_TURNS: usize = 8;

/// Returns a reason if this text adds to nudges that the coach gave earlier, or has several itself.
fn pieces(guarded: &Guarded<'_>, now: &[Reason]) -> Option<Reason> {
    let last = now.last()?;
    let mut here: Vec<&str> = now.iter().map(|reason| reason.quote.as_str()).collect();
    here.sort();
    here.dedup();
    if here.len() >= 2 {
        return Some(Reason::new(
            Kind::Pieces,
            Risk::Medium,
            &last.quote,
            "Its nudges add up to a part of the solution.",
        ));
    }
    let coach = guarded.dialogue.iter().enumerate().filter(|(_, said)| said.who == Who::Tutor);
    let mut quotes: Vec<String> = Vec::new();
    for (at, said) in coach.rev().take(WINDOW_TURNS) {
        let before = Guarded { dialogue: &guarded.dialogue[..at], ..*guarded };
        quotes.extend(nudges(&before, &said.text).into_iter().map(|reason| reason.quote));
    }
    quotes.extend(now.iter().map(|reason| reason.quote.clone()));
    quotes.sort();
    quotes.dedup();
    let sentence = "Together with what was said before, this puts the solution together piece by piece.";
    (quotes.len() >= ENOUGH_NUDGES && quotes.len() > now.len())
        .then(|| Reason::new(Kind::Pieces, Risk::Medium, &last.quote, sentence))
}

impl Guarded<'_> {
    /// Returns everything said so far, starting with the statement.
    fn known(&self) -> impl Iterator<Item = &str> {
        std::iter::once(self.statement).chain(self.dialogue.iter().map(|said| said.text.as_str()))
    }

    fn said_by(&self, who: Who) -> impl Iterator<Item = &str> {
        self.dialogue.iter().filter(move |said| said.who == who).map(|said| said.text.as_str())
    }
}

impl Reason {
    fn new(kind: Kind, risk: Risk, quote: &str, sentence: impl Into<String>) -> Reason {
        Reason { kind, risk, slight: false, quote: squeezed(quote), sentence: sentence.into() }
    }

    fn slight(kind: Kind, quote: &str, sentence: impl Into<String>) -> Reason {
        Reason { slight: true, ..Reason::new(kind, Risk::Medium, quote, sentence) }
    }
}
