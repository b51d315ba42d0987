//! The learner's desk, in the few terms that every surface knows: blocks to show, one thing to ask for, progress,
//! and the verbs on offer. A surface shows desks and knows no flow by name.

use crate::judging::{Difference, Trace, Verdict};
use crate::text::Piece;
use crate::words::{Text, Worded};
use jiff::Timestamp;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// The typed view of any flow.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Desk {
    pub title: Text,
    /// The lines and other blocks that the learner sees or hears, in order.
    pub blocks: Vec<Block>,
    /// The one thing that the flow waits for.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub ask: Option<Ask>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub progress: Vec<Progress>,
    /// The verbs that the learner can use now.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub verbs: Vec<Offer>,
    /// The language that the flow prefers, as a BCP 47 tag. A language that the learner chose comes first.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub language: Option<String>,
    /// The texts that the learner should say. Their words are an answer even where a surface has a command of that
    /// name.
    #[serde(skip)]
    pub expected: Vec<String>,
}

/// Something to show.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(tag = "kind", rename_all = "snake_case")]
pub enum Block {
    /// A line of the coach or the learner.
    Line(Line),
    /// Markdown.
    Text {
        text: Text,
    },
    Code {
        language: String,
        text: String,
    },
    Table {
        head: Vec<Text>,
        rows: Vec<Vec<Text>>,
    },
    /// The expected text beside the one that came.
    Difference {
        pieces: Vec<Piece>,
    },
    /// The test results of a program.
    Tests {
        tests: Vec<TestRow>,
    },
    /// A traced call of a program, line by line.
    Steps {
        language: String,
        code: String,
        call: String,
        expected: String,
        trace: Trace,
    },
    /// The mark of an answer, 0 to 5, with the words that it rests on.
    Marks {
        quality: u8,
        found: Vec<Found>,
        missing: Vec<String>,
    },
}

/// An idea and the learner's words that say it.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Found {
    pub idea: String,
    pub words: String,
}

/// One test of a program. A hidden one shows no values.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct TestRow {
    pub index: usize,
    pub verdict: Verdict,
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub hidden: bool,
    pub time_ms: u64,
    pub memory_kb: u64,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub difference: Option<Difference>,
}

/// Something the coach says.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Line {
    pub say: Text,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub means: Option<Text>,
    /// The purpose of the line, so that a terminal, a page or a voice can present it well.
    pub role: Role,
}

/// The purpose of a line.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Role {
    /// The word that is being learned.
    Word,
    Heading,
    Explanation,
    Example,
    /// Sets the scene of a small dialogue.
    Scene,
    /// A line of a person in the scene.
    Cue,
    Hint,
    /// The word, syllable by syllable.
    Slow,
    Question,
    Praise,
    Correction,
    Feedback,
    Note,
    Notice,
    /// Sends a coding agent on.
    Coaching,
    /// Tells a human beside a coding agent.
    Deliver,
    Aside,
    Alarm,
}

/// The input that a flow waits for, and the verb that answers it.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Ask {
    pub verb: String,
    /// The question in words; empty where the blocks ask it.
    #[serde(default, skip_serializing_if = "Text::is_empty")]
    pub question: Text,
    #[serde(flatten)]
    pub form: Form,
}

/// The form of an answer. A surface that cannot show a form offers the nearest one: a chat takes any of them as
/// text.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(tag = "form", rename_all = "snake_case")]
pub enum Form {
    /// A line, typed or spoken.
    Say,
    /// A few sentences.
    Text,
    Number,
    /// One of the options, by its label.
    Choice {
        options: Vec<Choice>,
    },
    /// Some of the options, by their labels; `all` or `none` will do.
    Several {
        options: Vec<Choice>,
    },
    /// A statement in a query language.
    Query {
        language: String,
    },
    /// All of the steps, by their labels, in the right order.
    Order {
        options: Vec<Choice>,
    },
    /// A word for each gap of the text.
    Gaps {
        gaps: usize,
    },
    /// Several named fields, asked one after the other where they cannot be shown together.
    Form {
        fields: Vec<Field>,
    },
    /// A program in one of these languages.
    Program {
        language: String,
        languages: Vec<String>,
        /// The code to begin with.
        code: String,
    },
    /// Nothing but a confirmation to go on.
    Read,
    /// Nothing: the flow waits for a model, another tutor or a date.
    Wait {
        #[serde(default, skip_serializing_if = "Option::is_none")]
        until: Option<Timestamp>,
    },
}

/// A field of a form, under its name in the payload of the verb.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Field {
    pub name: String,
    pub label: Text,
    pub kind: FieldKind,
    /// Whether it may stay empty.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub optional: bool,
    /// The values to choose from; empty where anything can be written.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub options: Vec<Choice>,
    /// The value that was written here before.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub value: Option<String>,
    /// The codes of refusals that are about this field.
    #[serde(skip)]
    pub refusals: &'static [&'static str],
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum FieldKind {
    Text,
    Number,
    /// Several texts.
    Texts,
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Choice {
    pub label: String,
    pub text: Text,
}

/// A count of progress, with its goal where there is one.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Progress {
    /// The name of the counter, for programs.
    pub name: String,
    pub label: Text,
    pub done: u32,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub of: Option<u32>,
}

/// A verb that can be used now.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Offer {
    pub name: String,
    pub title: Text,
    pub help: Text,
}

impl Line {
    pub fn new(role: Role, say: impl Into<Text>) -> Line {
        Line { say: say.into(), means: None, role }
    }

    pub fn meaning(self, means: impl Into<Text>) -> Line {
        Line { means: Some(means.into()), ..self }
    }
}

impl Role {
    /// Whether a line of this role is in the language that is being learned.
    pub fn is_in_target_language(self) -> bool {
        matches!(self, Role::Word | Role::Cue | Role::Hint | Role::Slow)
    }
}

impl Progress {
    pub fn new(name: &str, label: Text, done: u32, of: Option<u32>) -> Progress {
        Progress { name: name.to_owned(), label, done, of }
    }
}

impl Offer {
    pub fn of(flow: &str, verb: &str) -> Offer {
        let sentence = |ending: &str| Text::keyed(format!("{flow}-verb-{verb}{ending}"));
        Offer { name: verb.to_owned(), title: sentence(""), help: sentence(".help") }
    }
}

impl Worded for Desk {
    fn each_text(&mut self, change: &mut dyn FnMut(&mut Text)) {
        change(&mut self.title);
        self.blocks.each_text(change);
        self.ask.each_text(change);
        self.progress.iter_mut().for_each(|progress| change(&mut progress.label));
        for offer in &mut self.verbs {
            change(&mut offer.title);
            change(&mut offer.help);
        }
    }
}

impl Worded for Block {
    fn each_text(&mut self, change: &mut dyn FnMut(&mut Text)) {
        match self {
            Block::Line(line) => line.each_text(change),
            Block::Text { text } => change(text),
            Block::Table { head, rows } => {
                head.each_text(change);
                rows.each_text(change);
            }
            Block::Code { .. }
            | Block::Difference { .. }
            | Block::Tests { .. }
            | Block::Steps { .. }
            | Block::Marks { .. } => {}
        }
    }
}

impl Worded for Line {
    fn each_text(&mut self, change: &mut dyn FnMut(&mut Text)) {
        change(&mut self.say);
        self.means.each_text(change);
    }
}

impl Worded for Ask {
    fn each_text(&mut self, change: &mut dyn FnMut(&mut Text)) {
        change(&mut self.question);
        match &mut self.form {
            Form::Choice { options } | Form::Order { options } | Form::Several { options } => {
                options.iter_mut().for_each(|option| change(&mut option.text));
            }
            Form::Form { fields } => {
                for field in fields {
                    change(&mut field.label);
                    field.options.iter_mut().for_each(|option| change(&mut option.text));
                }
            }
            _ => {}
        }
    }
}
