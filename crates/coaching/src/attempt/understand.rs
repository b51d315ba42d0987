//! Reads an explanation of a problem: what is missing or too thin, whether it is in the learner's own words, which
//! ideas of the problem it expresses, whether its example is a real one, and whether its wrong approach is one.
//!
//! Everything here is decided by rules. A model may find further ideas; it cannot make up for an empty field.

use super::data::{Assessment, Data, Explanation, Followup, Source, Status, UnderstandPayload};
use super::values::{self, Mentions};
use super::words;
use crate::ask::ModelAsk;
use crate::grade::question::{Free, Idea, Question};
use crate::grade::{Found, Grade, Mistake, accept_model_grade, grade, grade_ask, opposite_in, show::show};
use crate::problems::{Problem, misread};
use crate::rejected::Rejected;
use crate::text::{Words, clear_language};
use crate::words::Text;
use serde_json::Value;
use std::collections::HashSet;

/// The maximum length of one field.
pub const MAX_FIELD_CHARS: usize = 4_000;
/// The length of a run of words that counts as copied, and not as the learner's own.
const RUN_WORDS: usize = 5;
/// The share of a text in such runs from which the text is a copy.
const COPIED_PERCENT: usize = 50;
/// The share of the ideas that is enough beside an example with a known result, and beside any other.
const ENOUGH_PERCENT: usize = 70;
const ENOUGH_ALONE_PERCENT: usize = 80;
/// The share that is enough for experts, and after an answer to a question.
const ENOUGH_LATER_PERCENT: usize = 50;
/// The minimum number of ideas that must be said outside of the limits, at first and later. A learner who only
/// repeats limits has not said what to do.
const LEAST_OF_TASK: usize = 2;
const LEAST_OF_TASK_LATER: usize = 1;
/// The minimum number of words of an answer to a question.
const MIN_ANSWER_WORDS: usize = 4;
/// The minimum number of words that a model's quotation shares with its idea, compared by their beginnings.
const MIN_COMMON_WORDS: usize = 2;
/// The minimum number of words of a reason.
const MIN_REASON_WORDS: usize = 6;
const ASK: &str = "Explain the task in your own words.";

/// The fields of an explanation, each with the number of words below which it says too little.
const FIELDS: [Field; 5] = [
    Field { name: "explanation", min_words: 8, read: |said| &said.explanation },
    Field { name: "inputOutputDescription", min_words: 4, read: |said| &said.input_output_description },
    Field { name: "constraintsDescription", min_words: 3, read: |said| &said.constraints_description },
    Field { name: "exampleWalkthrough", min_words: 5, read: |said| &said.example_walkthrough },
    Field { name: "wrongApproach", min_words: 3, read: |said| &said.wrong_approach },
];

struct Field {
    name: &'static str,
    min_words: usize,
    read: fn(&Explanation) -> &str,
}

/// Phrases that address a machine reading along, and never a coach.
const ORDERS: &str = include_str!("orders.txt");

/// Whether an explanation, or the last answer about it, holds orders to a machine. It is read like any other; the
/// log keeps that orders were met.
pub(super) fn is_suspect(payload: &UnderstandPayload) -> bool {
    let answers = payload.followups.last().map(|followup| followup.answer.as_str());
    texts(&payload.said).into_iter().chain(answers).any(gives_orders)
}

fn gives_orders(text: &str) -> bool {
    let folded = values::folded(text);
    let is_hidden =
        |c: char| matches!(c, '\u{e0000}'..='\u{e007f}' | '\u{200b}'..='\u{200f}' | '\u{202a}'..='\u{202e}');
    text.contains(is_hidden) || ORDERS.lines().any(|order| folded.contains(order))
}

/// Returns the names of the fields, in their order.
pub(super) fn field_names() -> impl Iterator<Item = &'static str> {
    FIELDS.iter().map(|field| field.name)
}

/// Returns the texts of an explanation, in the order of the fields.
pub(super) fn texts(said: &Explanation) -> [&str; 5] {
    FIELDS.each_ref().map(|field| (field.read)(said))
}

/// Returns the rubric of a problem as a question of the tutor. The question has no good answer: a quotation has to
/// bear on its own idea, not on any of them.
fn rubric(problem: &Problem) -> Free {
    let (ideas, answer) = (problem.understand.clone(), String::new());
    Free { ask: ASK.to_owned(), ideas, misconceptions: Vec::new(), answer }
}

/// Returns the text that is searched for ideas: the latest text, and then the answers about explanations before it.
fn told(problem: &Problem, payload: &UnderstandPayload, before: usize) -> String {
    let earlier = payload.followups.iter().take(before).map(|followup| &followup.answer);
    joined(problem, latest_parts(payload, before).chain(earlier))
}

/// Returns the explanation as it was given last, and the answers to questions about it.
fn latest(problem: &Problem, payload: &UnderstandPayload, before: usize) -> String {
    joined(problem, latest_parts(payload, before))
}

fn latest_parts(payload: &UnderstandPayload, before: usize) -> impl Iterator<Item = &String> {
    let said = &payload.said;
    let parts = [&said.explanation, &said.input_output_description, &said.constraints_description];
    parts.into_iter().chain(since(payload, before).iter().map(|followup| &followup.answer))
}

/// Returns the answers since the explanation was given last.
fn since(payload: &UnderstandPayload, before: usize) -> &[Followup] {
    payload.followups.get(before..).unwrap_or_default()
}

/// Returns the text that says what the task is: the explanation and the answers without the limits.
fn told_of_task(problem: &Problem, payload: &UnderstandPayload) -> String {
    let said = &payload.said;
    let answers = payload.followups.iter().map(|followup| &followup.answer);
    joined(problem, [&said.explanation, &said.input_output_description].into_iter().chain(answers))
}

fn joined<'t>(problem: &Problem, texts: impl Iterator<Item = &'t String>) -> String {
    let texts = texts.map(|text| without_names(problem, text)).filter(|text| !text.trim().is_empty());
    texts.map(|text| text.trim().to_owned()).collect::<Vec<_>>().join(".\n")
}

/// Characters between two sentences. Words on both sides of one do not say something together.
const SENTENCE_ENDS: &[char] = &[';', '!', '?', '\n'];
/// Characters that separate clauses.
const BORDERS: &[char] = &['.', ',', ';', ':', '!', '?', '\n', '(', ')', '"', '“', '”', '\''];

/// Removes identifiers, and clauses that are nothing but the name of the problem: names explain nothing.
fn without_names(problem: &Problem, text: &str) -> String {
    let bare = |text: &str| values::folded(&text.replace(['-', '_', '`'], " "));
    let names = [&problem.title, &problem.id, &problem.signature.function].map(|name| bare(name));
    let is_name = |word: &&str| word.contains('_') || word.contains(&problem.id);
    let mut kept = String::new();
    for clause in text.split_inclusive(BORDERS) {
        let inner = clause.trim_end_matches(BORDERS);
        if !names.contains(&bare(inner)) {
            kept.push_str(&inner.split(' ').filter(|word| !is_name(word)).collect::<Vec<_>>().join(" "));
        }
        kept.push_str(&clause[inner.len()..]);
    }
    kept
}

/// Asks a model to look for the ideas.
pub(super) fn model_ask(
    problem: &Problem,
    payload: &UnderstandPayload,
    before: usize,
    number: u64,
) -> ModelAsk {
    ModelAsk {
        name: "attempt_understand".to_owned(),
        ..grade_ask(&rubric(problem), &problem.title, &told(problem, payload, before), number, "assessed")
    }
}

/// Assesses an explanation by rules, with the ideas that a model has found if it replied. Returns the assessment,
/// and the next question with its number if one is worth asking.
pub(super) fn assess(
    problem: &Problem,
    data: &Data,
    reply: Option<&Value>,
    has_more_questions: bool,
) -> Result<(Assessment, Option<(usize, Text)>), Rejected> {
    let Some(payload) = &data.understand else { return Ok((nothing(), None)) };
    let free = rubric(problem);
    let text = told(problem, payload, data.answers_before);
    if reply.is_none() && is_foreign(problem, &text) {
        return Ok((
            Assessment { gaps: vec![words::gap_language(problem.language.as_str())], ..nothing() },
            None,
        ));
    }
    let by_rules = grade_free(free.clone(), &text);
    let marked = match reply {
        Some(reply) => heard(problem, &by_rules, accept_model_grade(&free, &text, reply)?),
        None => by_rules,
    };
    // What an explanation claims now counts against it, not what it claimed before it was written anew. These words
    // come first in the whole text, so their places are the same in both.
    let latest = latest(problem, payload, data.answers_before);
    let opposite = opposite_in(&free, &latest);
    let marked = without(marked, opposite.as_ref().map(|(idea, _)| idea.as_str()));
    let misread = misread(&problem.misreadings, &latest)
        .filter(|wrong| !is_corrected(problem, since(payload, data.answers_before), wrong));
    let marked = beside(marked, misread.as_ref());
    let source = if reply.is_some() { Source::Model } else { Source::Rules };
    let reading = Reading { problem, payload, is_expert: data.is_expert(), is_by_model: reply.is_some() };
    let mut gaps = reading.gaps();
    gaps.extend(opposite.map(|(_, words)| words::gap_opposite(words)));
    gaps.extend(misread.map(|mistake| words::gap_misread(mistake.words, mistake.says)));
    let missing = reading.missing_ideas(&marked);
    let all = problem.understand.len();
    let (share, least) = reading.enough();
    if (all - missing.len()) * 100 < all * share {
        gaps.push(gap_of_ideas(&missing, has_more_questions));
    } else if reading.ideas_of_task(&marked) < least {
        gaps.push(words::gap_task());
    }
    let status = if gaps.is_empty() { Status::Pass } else { Status::NeedsWork };
    let question = (status == Status::NeedsWork && has_more_questions && reading.is_worth_asking())
        .then(|| reading.question(&data.asked))
        .flatten();
    let strengths = reading.strengths(&marked);
    let followup_questions = question.iter().map(|(_, text)| text.clone()).collect();
    Ok((Assessment { status, strengths, gaps, followup_questions, source }, question))
}

/// Whether an explanation is in another language than its problem. The rules would find none of its ideas.
fn is_foreign(problem: &Problem, text: &str) -> bool {
    let is_long = words_of(text).len() >= FIELDS[0].min_words;
    is_long && clear_language(text).is_some_and(|language| language != problem.language)
}

/// Names the gap of missing ideas. The coach asks before it tells: it names the ideas only when all questions are
/// used up.
fn gap_of_ideas(missing: &[String], has_more_questions: bool) -> Text {
    match has_more_questions {
        true => words::gap_ideas(missing.len()),
        false => words::gap_named(missing.iter().map(|idea| Text::from(idea.as_str())).collect::<Vec<_>>()),
    }
}

/// Keeps the ideas that a model has found. Beyond the rules, an idea counts only where the quotation has several
/// words of it, and a quotation counts only once, because it does not say several ideas. So an order to the model
/// is not evidence.
fn heard(problem: &Problem, by_rules: &Grade, mut grade: Grade) -> Grade {
    let mut met = HashSet::new();
    let has_enough = |found: &Found| common_words(problem, found).0 >= MIN_COMMON_WORDS;
    let is_by_rules = |found: &Found| by_rules.found.iter().any(|known| known.idea == found.idea);
    let counts = |found: &Found| is_by_rules(found) || has_enough(found) && met.insert(found.at.clone());
    let (found, rest): (Vec<Found>, Vec<Found>) = grade.found.into_iter().partition(counts);
    grade.found = found;
    grade.missing.extend(rest.into_iter().map(|found| found.idea));
    grade
}

/// Takes back the idea whose opposite was said.
fn without(mut grade: Grade, opposite: Option<&str>) -> Grade {
    let Some(opposite) = opposite else { return grade };
    grade.found.retain(|found| found.idea != opposite);
    if !grade.missing.iter().any(|idea| idea == opposite) {
        grade.missing.push(opposite.to_owned());
    }
    grade
}

/// Whether the learner has since said what the task is instead of the misreading. The first explanation stays as it
/// was given.
fn is_corrected(problem: &Problem, answers: &[Followup], wrong: &Mistake) -> bool {
    let right = values::stems(&wrong.says);
    let answers = answers.iter().rev().map(|followup| without_names(problem, &followup.answer));
    let mut since = answers.take_while(|answer| misread(&problem.misreadings, answer).is_none());
    since.any(|answer| values::stems(&answer).intersection(&right).count() >= MIN_COMMON_WORDS)
}

/// Takes back the ideas that were found in the words of a misreading.
fn beside(mut grade: Grade, misread: Option<&Mistake>) -> Grade {
    let Some(Mistake { at, .. }) = misread else { return grade };
    let is_beside = |found: &Found| found.at.end <= at.start || at.end <= found.at.start;
    let (found, rest): (Vec<Found>, Vec<Found>) = grade.found.into_iter().partition(is_beside);
    grade.found = found;
    grade.missing.extend(rest.into_iter().map(|found| found.idea));
    grade
}

/// Returns how many words of a quotation are words of its idea, and how many words it has.
fn common_words(problem: &Problem, found: &Found) -> (usize, usize) {
    let idea = problem.understand.iter().find(|idea| idea.idea == found.idea);
    let own: HashSet<String> = idea
        .iter()
        .flat_map(|idea| idea.any.iter().chain([&idea.idea]))
        .flat_map(|text| values::stems(text))
        .collect();
    let said = values::stems(&found.words);
    (said.intersection(&own).count(), said.len())
}

fn grade_free(free: Free, text: &str) -> Grade {
    let question = Question::Free(free);
    let shown = show(&question, 0);
    grade(&question, &shown, text)
}

fn nothing() -> Assessment {
    let (strengths, gaps, followup_questions) = Default::default();
    Assessment { status: Status::NeedsWork, strengths, gaps, followup_questions, source: Source::Rules }
}

/// The example of an explanation, compared with those of the problem.
#[derive(Debug, PartialEq, Eq)]
enum Example {
    /// One of the problem's examples, with its result.
    Right,
    /// One of the problem's examples, without its result.
    WrongResult,
    /// One of the learner's own examples.
    Own,
    Missing,
}

struct Reading<'a> {
    problem: &'a Problem,
    payload: &'a UnderstandPayload,
    is_expert: bool,
    is_by_model: bool,
}

impl Reading<'_> {
    /// Returns the gaps that keep an explanation from passing, whatever ideas it has.
    fn gaps(&self) -> Vec<Text> {
        let said = &self.payload.said;
        let needed = if self.is_expert { 1 } else { FIELDS.len() };
        let mut gaps: Vec<Text> = FIELDS.iter().take(needed).filter_map(|field| thin(field, said)).collect();
        if self.is_copied() {
            gaps.push(words::gap_copied());
        }
        if self.is_heap() {
            gaps.push(words::gap_heap());
        }
        let walkthrough = said.example_walkthrough.trim();
        if !walkthrough.is_empty() && !gaps.iter().any(|gap| *gap == words::gap_thin("exampleWalkthrough")) {
            gaps.extend(self.walkthrough_gap(walkthrough));
        }
        let approach = said.wrong_approach.trim();
        if !approach.is_empty() {
            gaps.extend(self.approach_gap(approach));
        }
        gaps
    }

    fn is_heap(&self) -> bool {
        let text = &self.payload.said.explanation;
        values::is_heap(text) || values::is_in_pieces(text)
    }

    /// Whether at least half of a field's words are copied from the statement or from the coach's own words.
    fn is_copied(&self) -> bool {
        let ideas = self.problem.understand.iter().map(|idea| idea.idea.as_str());
        let given = [self.problem.statement.as_str()].into_iter().chain(ideas);
        let known: HashSet<Vec<String>> = given.flat_map(runs).collect();
        let said = &self.payload.said;
        [&said.explanation, &said.input_output_description].into_iter().any(|text| {
            let words = words_of(text);
            let mut copied = vec![false; words.len()];
            for (at, run) in words.windows(RUN_WORDS).enumerate() {
                if known.contains(run) {
                    copied[at..at + RUN_WORDS].fill(true);
                }
            }
            let copies = copied.iter().filter(|copied| **copied).count();
            copies * 100 >= words.len() * COPIED_PERCENT && copies > 0
        })
    }

    /// Returns what is wrong with the example. Whether the result of a learner's own example is right is not known
    /// here.
    fn walkthrough_gap(&self, text: &str) -> Option<Text> {
        match self.example(text) {
            Example::Right | Example::Own => None,
            Example::WrongResult if self.has_repaired(text) => None,
            Example::WrongResult => Some(words::gap_wrong_result()),
            Example::Missing => Some(words::gap_no_example()),
        }
    }

    /// Whether an answer to a question gives the result of the same example.
    fn has_repaired(&self, walkthrough: &str) -> bool {
        let first = Mentions::of(walkthrough);
        let tests = self.problem.tests().tests;
        let mut answers = self.payload.followups.iter().map(|followup| Mentions::of(&followup.answer));
        answers.any(|answer| {
            tests.iter().any(|test| {
                let args = test.args.as_deref().unwrap_or_default();
                let is_same = first.has_input(args) && answer.has_input(args);
                is_same && answer.has_output(args, &test.expected)
            })
        })
    }

    /// Finds the example that a text goes through. If the text has the values of several inputs of the problem, it
    /// means the one that is closest to it.
    fn example(&self, text: &str) -> Example {
        let mentions = Mentions::of(text);
        let tests = self.problem.tests().tests;
        let tests: Vec<(Vec<Value>, Value)> =
            tests.into_iter().map(|test| (test.args.unwrap_or_default(), test.expected)).collect();
        let begun = tests.iter().filter(|(args, _)| mentions.has_input(args));
        let begun: Vec<_> = begun.map(|test| (mentions.closeness(&test.0), test)).collect();
        let closest = begun.iter().map(|(closeness, _)| *closeness).max();
        let mut meant = begun.iter().filter(|(closeness, _)| Some(*closeness) == closest);
        if meant.any(|(_, (args, expected))| mentions.has_output(args, expected)) {
            return Example::Right;
        }
        match begun.iter().any(|(_, (args, _))| mentions.is_about(args)) {
            true => Example::WrongResult,
            false if mentions.is_example() => Example::Own,
            false => Example::Missing,
        }
    }

    /// Returns the share of the ideas that is enough, in percent, and how many of them must belong to the task. An
    /// example that shows a known result is evidence; without one the words have to say more.
    fn enough(&self) -> (usize, usize) {
        let walkthrough = self.payload.said.example_walkthrough.trim();
        match self.is_expert || self.has_answered() {
            true => (ENOUGH_LATER_PERCENT, LEAST_OF_TASK_LATER),
            false if self.example(walkthrough) == Example::Right => (ENOUGH_PERCENT, LEAST_OF_TASK),
            false => (ENOUGH_ALONE_PERCENT, LEAST_OF_TASK),
        }
    }

    /// Returns the gap of a wrong approach. A wrong approach is one that the problem knows, or one with a reason.
    fn approach_gap(&self, text: &str) -> Option<Text> {
        let known = self.problem.wrong_approaches.iter();
        let ideas =
            known.map(|known| Idea { idea: known.approach.clone(), of: None, any: known.any.clone() });
        let free = |idea: Idea| Free {
            ask: ASK.to_owned(),
            answer: idea.idea.clone(),
            ideas: vec![idea],
            misconceptions: Vec::new(),
        };
        if ideas.map(free).any(|free| !grade_free(free, text).found.is_empty()) {
            return None;
        }
        let folded = values::folded(text);
        let pattern = self.problem.pattern.replace('-', " ");
        if folded.contains(&pattern) || folded.contains(&self.problem.pattern) {
            return Some(words::gap_right_approach());
        }
        let gives_reason = values::has_reason(&folded) && words_of(text).len() >= MIN_REASON_WORDS;
        (!gives_reason).then(words::gap_approach)
    }

    /// Returns how many ideas are said outside of the limits, by the rules or in words that a model has quoted.
    fn ideas_of_task(&self, marked: &Grade) -> usize {
        let text = told_of_task(self.problem, self.payload);
        let quoted = marked.found.iter().filter(|found| text.contains(&found.words)).count();
        let by_rules = grade_free(rubric(self.problem), &text).found.len();
        if self.is_by_model { by_rules.max(quoted) } else { by_rules }
    }

    fn missing_ideas(&self, grade: &Grade) -> Vec<String> {
        let is_found = |idea: &&Idea| grade.found.iter().any(|found| found.idea == idea.idea);
        let is_right = grade.missing.is_empty() && !grade.found.is_empty();
        let missing = self.problem.understand.iter().filter(|idea| !is_found(idea) && !is_right);
        missing.map(|idea| idea.idea.clone()).collect()
    }

    /// Returns praise for the ideas that were found. Words are praised only where they bear on the idea; the mere
    /// guesses of the rules are not quoted.
    fn strengths(&self, grade: &Grade) -> Vec<Text> {
        let bears_on_idea = |found: &&Found| {
            let (common, all) = common_words(self.problem, found);
            common > 0 && common >= all.min(MIN_COMMON_WORDS) && !found.words.contains(SENTENCE_ENDS)
        };
        let found = grade.found.iter().filter(|_| !self.is_heap()).filter(bears_on_idea);
        found.map(|found| words::strength(found.words.as_str(), found.idea.as_str())).collect()
    }

    /// Whether a question was answered with a sentence.
    fn has_answered(&self) -> bool {
        let is_sentence = |text: &str| words_of(text).len() >= MIN_ANSWER_WORDS && !values::is_heap(text);
        self.payload.followups.iter().any(|followup| is_sentence(&followup.answer))
    }

    /// Whether a question is worth asking. It helps only a learner who has explained something.
    fn is_worth_asking(&self) -> bool {
        thin(&FIELDS[0], &self.payload.said).is_none()
    }

    /// Returns the first question that was not asked yet, with its number: about a sample, an edge, the limits.
    fn question(&self, asked: &[usize]) -> Option<(usize, Text)> {
        let problem = self.problem;
        let call = |args: &[Value]| values::call(&problem.signature.function, args);
        let samples = problem.samples.iter().rev();
        let samples =
            samples.map(|sample| words::ask_sample(call(&sample.args), sample.expected.to_string()));
        let edges = problem.edges.iter().map(|edge| words::ask_edge(edge.as_str()));
        let limits = problem.constraints.iter().map(|limit| words::ask_limit(limit.as_str()));
        let mut all = samples.take(1).chain(edges.take(1)).chain(limits.take(1)).enumerate();
        all.find(|(number, _)| !asked.contains(number))
    }
}

fn thin(field: &Field, said: &Explanation) -> Option<Text> {
    let text = (field.read)(said);
    match words_of(text).len() {
        0 => Some(words::gap_missing(field.name)),
        count if count < field.min_words => Some(words::gap_thin(field.name)),
        _ => None,
    }
}

fn words_of(text: &str) -> Vec<String> {
    Words::new(text).iter().map(|(_, folded)| folded.to_owned()).collect()
}

fn runs(text: &str) -> Vec<Vec<String>> {
    words_of(text).windows(RUN_WORDS).map(<[String]>::to_vec).collect()
}
