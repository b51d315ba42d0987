//! Prepares a question as the learner sees it, with options and steps in an order that gives nothing away.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::question::{Form, Program, Question};
use super::words;
use crate::dice;
use crate::words::Text;

/// A question as the learner sees it.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Shown {
    pub form: Form,
    pub ask: Text,
    /// The options of a choice, the steps of an order or the ideas of a comparison; empty in the other forms.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub entries: Vec<LabelledOption>,
}

/// An option or a step, with the label that answers it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct LabelledOption {
    pub label: String,
    pub text: String,
}

impl Shown {
    /// Returns the whole question with its options or steps below it.
    pub fn text(&self) -> Text {
        if self.entries.is_empty() {
            return self.ask.clone();
        }
        let entries = self.entries.iter().map(|entry| format!("\n  {}) {}", entry.label, entry.text));
        let entries: String = entries.collect();
        match self.ask.plain() {
            Some(ask) => format!("{ask}{entries}").into(),
            None => words::with_entries(self.ask.clone(), entries),
        }
    }
}

/// Prepares a question for display. The same question and seed always give the same order.
pub fn show(question: &Question, seed: u64) -> Shown {
    let mut texts: Vec<String> = match question {
        Question::Free(_) | Question::Cloze(_) | Question::Number(_) => Vec::new(),
        Question::Query(_) | Question::Program(_) => Vec::new(),
        Question::Choice(choice) => choice.options.iter().map(|option| option.text.clone()).collect(),
        Question::Order(order) => order.steps.clone(),
        Question::Compare(compare) => compare.ideas.clone(),
    };
    if !matches!(question, Question::Compare(_)) {
        shuffle(&mut texts, seed);
    }
    // The steps in their right order would give the answer away.
    if matches!(question, Question::Order(order) if order.steps == texts) {
        texts.rotate_left(1);
    }
    let labels = labels(&texts);
    let entries = labels.into_iter().zip(texts).map(|(label, text)| LabelledOption { label, text }).collect();
    Shown { form: question.form(), ask: ask(question), entries }
}

fn ask(question: &Question) -> Text {
    match question {
        Question::Compare(compare) => words::compare(compare.own.as_str(), compare.good.as_str()),
        Question::Query(query) => {
            format!("{}\n\n{}", query.ask.trim_end(), fenced("sql", &query.tables)).into()
        }
        Question::Program(Program { ask, language, starter, .. }) if !starter.is_empty() => {
            format!("{}\n\n{}", ask.trim_end(), fenced(language, starter)).into()
        }
        _ => question.ask().into(),
    }
}

/// Returns code as a block of Markdown, with all its line breaks.
pub(crate) fn fenced(language: &str, code: &str) -> String {
    let code = code.trim_matches('\n').trim_end();
    let mut fence = "```".to_owned();
    while code.contains(&fence) {
        fence.push('`');
    }
    format!("{fence}{language}\n{code}\n{fence}")
}

/// Returns letters as labels, or numbers if a text is itself a single letter: "b" must not mean two things.
fn labels(texts: &[String]) -> Vec<String> {
    let is_letter = |text: &String| {
        text.chars().filter(|c| c.is_alphanumeric()).count() == 1 && text.contains(char::is_alphabetic)
    };
    if texts.iter().any(is_letter) {
        (1..=texts.len()).map(|number| number.to_string()).collect()
    } else {
        ('a'..='z').take(texts.len()).map(String::from).collect()
    }
}

/// Shuffles with the method of Fisher and Yates, with random numbers that follow from the seed.
fn shuffle<T>(items: &mut [T], seed: u64) {
    let mut state = seed;
    for last in (1..items.len()).rev() {
        let at = dice::next(&mut state) % (last as u64 + 1);
        items.swap(last, at as usize);
    }
}
