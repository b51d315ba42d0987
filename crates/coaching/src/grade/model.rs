//! Grades with a model: builds the request and decides which claims of the reply count.
//!
//! A model points at words; it does not give marks. Every quotation must occur in the answer and must relate to
//! its idea: an answer such as "return PASS" can be quoted, but not as evidence.

use std::collections::HashSet;

use serde::Deserialize;
use serde_json::{Value, json};

use super::free::{Echo, Quoted, Said, Standing};
use super::lists::List;
use super::question::Free;
use super::reading::{Flavour, Reading, Token};
use super::{Grade, MAX_ANSWER_CHARS, Mistake, free, quotable};
use crate::ask::reply;
use crate::ask::shape::{list, object};
use crate::ask::{ModelAsk, Part};
use crate::rejected::Rejected;

const MAX_FEEDBACK_CHARS: usize = 600;
const MAX_QUOTE_CHARS: usize = 300;
const MAX_OUTPUT_TOKENS: u32 = 1_500;
const TIMEOUT_MS: u64 = 20_000;

/// Builds the request to a model to find the ideas of a question about a concept in an answer. The other forms
/// need no model.
pub fn grade_ask(free: &Free, concept: &str, answer: &str, number: u64, answered_by: &str) -> ModelAsk {
    ModelAsk {
        number,
        name: "teach_grade".to_owned(),
        system: include_str!("prompts/grade.md").to_owned(),
        parts: vec![
            Part::Own(task(free, concept)),
            Part::Learner(answer.chars().take(MAX_ANSWER_CHARS).collect()),
        ],
        schema: schema(free),
        max_output_tokens: MAX_OUTPUT_TOKENS,
        timeout_ms: TIMEOUT_MS,
        answered_by: answered_by.to_owned(),
        shown: Vec::new(),
    }
}

/// Reads a model's reply about an answer. It may find more than the rules do, never less: the ideas and the
/// misconception that they found stay, and the quality is computed from both by the rule of
/// [`grade`](super::grade()).
pub fn accept_model_grade(free: &Free, answer: &str, reply: &Value) -> Result<Grade, Rejected> {
    let end = answer.char_indices().nth(MAX_ANSWER_CHARS).map_or(answer.len(), |(at, _)| at);
    let answer = &answer[..end];
    let reply = read(free, reply)?;
    let (by_rules, heard) = (free::said(free, answer), heard(free, answer, &reply));
    // The model's feedback is shown only if it fits the findings.
    let feedback: String = quotable(reply.feedback.trim()).chars().take(MAX_FEEDBACK_CHARS).collect();
    let feedback = Some(feedback).filter(|text| !text.is_empty() && agrees(&reply, &heard, &by_rules));
    let feedback = feedback.map(Into::into);
    let either = by_rules.ideas.into_iter().zip(heard.ideas).map(|(rules, model)| rules.or(model));
    let standing = by_rules.standing.filter(|standing| *standing == Standing::Right);
    let mistake = by_rules.mistake.or(heard.mistake);
    let said = Said { ideas: either.collect(), mistake, standing, feedback };
    Ok(Grade { answer: free.answer.clone(), ..free::judge(free, answer, said) })
}

/// Returns the claims of the reply that occur in the answer.
fn heard(free: &Free, answer: &str, reply: &Reply) -> Said {
    let reading = Reading::new(answer, Flavour::Plain);
    let listener = Listener { free, answer, reading: &reading, echo: Echo::of(&free.ask, &reading.tokens) };
    Said { ideas: listener.ideas(reply), mistake: listener.mistake(reply), standing: None, feedback: None }
}

/// Whether the reply claims only what the answer contains, and everything that the rules found.
fn agrees(reply: &Reply, heard: &Said, by_rules: &Said) -> bool {
    let claimed = reply.ideas.iter().filter(|said| said.found).count();
    let mut pairs = by_rules.ideas.iter().zip(&heard.ideas);
    claimed == heard.ideas.iter().flatten().count()
        && pairs.all(|(rules, model)| rules.is_none() || model.is_some())
        && (by_rules.mistake.is_none() || heard.mistake.is_some())
}

/// The search for a model's quotations in an answer.
struct Listener<'a> {
    free: &'a Free,
    answer: &'a str,
    reading: &'a Reading,
    echo: Echo,
}

impl Listener<'_> {
    fn ideas(&self, reply: &Reply) -> Vec<Option<Quoted>> {
        let mut ideas = vec![None; self.free.ideas.len()];
        for said in reply.ideas.iter().filter(|said| said.found) {
            let subject = subject(self.free.ideas[said.idea].any.iter().chain([&self.free.answer]));
            let quoted = || self.find(&said.quote, &subject);
            ideas[said.idea] = ideas[said.idea].take().or_else(quoted);
        }
        ideas
    }

    fn mistake(&self, reply: &Reply) -> Option<Mistake> {
        reply.misconceptions.iter().find_map(|said| {
            let wrong = &self.free.misconceptions[said.misconception];
            let Quoted { words, at, .. } =
                self.find(&said.quote, &subject(wrong.any.iter().chain([&wrong.says])))?;
            Some(Mistake { words, at, says: wrong.says.clone() })
        })
    }

    /// Finds the quotation in the answer, word for word, if it bears on the subject.
    fn find(&self, quote: &str, subject: &HashSet<String>) -> Option<Quoted> {
        let quote: String = quote.chars().take(MAX_QUOTE_CHARS).collect();
        let quoted = Reading::new(&quote, Flavour::Plain).tokens;
        let is_there =
            |words: &[Token]| words.iter().zip(&quoted).all(|(word, said)| word.letters == said.letters);
        let bears_on = quoted.iter().any(|token| subject.iter().any(|word| is_akin(word, &token.letters)));
        if quoted.is_empty() || !bears_on || self.echo.holds(quoted.iter().map(|token| &token.letters)) {
            return None;
        }
        let at = self.reading.tokens.windows(quoted.len()).position(is_there)?;
        let at = self.reading.source(at..at + quoted.len());
        Some(Quoted { words: quotable(&self.answer[at.clone()]), at, has_typo: false })
    }
}

#[derive(Debug, Deserialize)]
struct Reply {
    ideas: Vec<SaidIdea>,
    #[serde(default)]
    misconceptions: Vec<SaidMisconception>,
    #[serde(default)]
    feedback: String,
}

#[derive(Debug, Deserialize)]
struct SaidIdea {
    idea: usize,
    found: bool,
    #[serde(default)]
    quote: String,
}

#[derive(Debug, Deserialize)]
struct SaidMisconception {
    misconception: usize,
    #[serde(default)]
    quote: String,
}

fn read(free: &Free, reply: &Value) -> Result<Reply, Rejected> {
    let cure = "reply with one JSON object: ideas, misconceptions, feedback";
    let object =
        reply::object_with(reply, "ideas").ok_or_else(|| unusable("the reply has no ideas", cure))?;
    let reply = Reply::deserialize(Value::Object(object))
        .map_err(|error| unusable(&format!("the reply cannot be read: {error}"), cure))?;
    let (ideas, wrong) = (free.ideas.len(), free.misconceptions.len());
    if let Some(said) = reply.ideas.iter().find(|said| said.idea >= ideas) {
        return Err(unusable(&format!("there is no idea {}", said.idea), "use the numbers of the task"));
    }
    if let Some(said) = reply.misconceptions.iter().find(|said| said.misconception >= wrong) {
        let message = format!("there is no misconception {}", said.misconception);
        return Err(unusable(&message, "use the numbers of the task"));
    }
    Ok(reply)
}

/// Returns the words of some texts that carry meaning.
fn subject<'t>(texts: impl Iterator<Item = &'t String>) -> HashSet<String> {
    let words = texts.flat_map(|text| Reading::new(text, Flavour::Plain).tokens).map(|token| token.letters);
    let is_little = |word: &str| List::CommonWords.has(word) || List::LittleWords.has(word);
    words.filter(|word| !is_little(word)).collect()
}

/// Whether two words are the same, perhaps with different endings.
fn is_akin(a: &str, b: &str) -> bool {
    const STEM_CHARS: usize = 5;
    let stem = |word: &str| word.chars().take(STEM_CHARS).collect::<String>();
    a == b || (a.chars().count().min(b.chars().count()) >= STEM_CHARS && stem(a) == stem(b))
}

/// Returns the rubric as JSON, so that no text of it can look like another line of the task.
fn task(free: &Free, concept: &str) -> String {
    let ideas: Vec<Value> = free
        .ideas
        .iter()
        .enumerate()
        .map(|(number, idea)| json!({ "number": number, "idea": idea.idea, "wordings": idea.any }))
        .collect();
    let wrong: Vec<Value> = free
        .misconceptions
        .iter()
        .enumerate()
        .map(|(number, wrong)| json!({ "number": number, "wordings": wrong.any, "correction": wrong.says }))
        .collect();
    json!({ "concept": concept, "question": free.ask, "ideas": ideas, "misconceptions": wrong, "good_answer": free.answer }).to_string()
}

fn schema(free: &Free) -> Value {
    let quote = || ("quote", json!({"type": "string", "maxLength": MAX_QUOTE_CHARS}));
    let number = |count: usize| json!({"type": "integer", "minimum": 0, "maximum": count.saturating_sub(1)});
    let (ideas, wrong) = (free.ideas.len(), free.misconceptions.len());
    let idea = object([("idea", number(ideas)), ("found", json!({"type": "boolean"})), quote()]);
    let misconception = object([("misconception", number(wrong)), quote()]);
    object([
        ("ideas", list(idea, ideas..=ideas)),
        ("misconceptions", list(misconception, 0..=wrong)),
        ("feedback", json!({"type": "string", "maxLength": MAX_FEEDBACK_CHARS})),
    ])
}

fn unusable(message: &str, cure: &str) -> Rejected {
    Rejected { code: "bad_model_answer", message: message.into(), cure: cure.into() }
}
