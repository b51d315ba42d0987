//! Suggests patterns without giving the right one away, judges a choice, an invariant and a complexity, and narrows
//! patterns down with questions.

use super::data::{Choice, Data, Discovery, Fit, Invariant, Suggested};
use super::replies::{Candidate, Suggestions};
use super::{CONFIDENT_FROM, growth};
use super::{values, words};
use crate::grade::{Verdict, grade_by_reference};
use crate::problems::{Catalogue, Pattern, Problem, Slot, Template, Turn};
use crate::rejected::Rejected;
use crate::words::Text;
use ::flow::Machine;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use std::collections::{BTreeMap, HashSet};

/// The number of patterns that are suggested.
const SUGGESTED: usize = 3;
const MAX_TEXT_CHARS: usize = 2_000;
/// The lead of a wrong choice over the right one that casts doubt on an invariant. Each choice counts by the share
/// of its own words that the learner says.
const CLEARLY_MORE: f64 = 0.5;
const CONFIDENCE: std::ops::RangeInclusive<u8> = 1..=5;
/// The last rung on which beginners build their invariant from parts.
const BUILDER_RUNGS: u8 = 2;

/// A pattern with what the learner says about it.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
#[schemars(extend("examples" = [{"patternId": "hash-map", "confidence": 4, "invariantText": "The map has the earlier ones.", "complexity": "O(n)"}]))]
pub struct ChoosePattern {
    /// The id of a pattern, such as hash-map
    pub pattern_id: String,
    /// From 1, a guess, to 5, sure
    pub confidence: u8,
    /// What stays true while the program runs
    #[serde(default)]
    pub invariant_text: Option<String>,
    #[serde(default)]
    pub invariant_builder: Option<Builder>,
    /// The time it takes, such as O(n)
    #[serde(default)]
    pub complexity: Option<String>,
}

/// A filled template.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct Builder {
    pub template_id: String,
    /// For each gap the number of the choice, from 0
    pub choices: BTreeMap<String, usize>,
}

/// Whether the invariant is built from parts.
pub(super) fn has_builder(problem: &Problem, data: &Data) -> bool {
    problem.rung <= BUILDER_RUNGS && !data.is_expert()
}

/// Whether the invariant has yet to be built.
pub(super) fn lacks_invariant(problem: &Problem, data: &Data) -> bool {
    has_builder(problem, data) && data.plan.chosen_pattern.is_some() && data.plan.invariant.is_none()
}

/// Returns the sentences that an invariant of the chosen pattern can be built from: the problem's own if the
/// pattern is the right one, otherwise that of the catalogue, whose gaps are left to the learner.
pub(super) fn templates(problem: &Problem, catalogue: &Catalogue, data: &Data) -> Vec<Template> {
    let id = data.plan.chosen_pattern.as_deref().unwrap_or_default();
    templates_of(problem, catalogue.pattern(id))
}

fn templates_of(problem: &Problem, chosen: Option<&Pattern>) -> Vec<Template> {
    match chosen {
        Some(pattern) if pattern.id == problem.pattern => problem.invariants.clone(),
        chosen => chosen.map(Pattern::template).into_iter().collect(),
    }
}

/// Suggests two or three patterns in the order of their names, each as likely as the others.
pub(super) fn suggest(problem: &Problem, catalogue: &Catalogue) -> Vec<Suggested> {
    let right = catalogue.pattern(&problem.pattern);
    let confused =
        right.iter().flat_map(|pattern| &pattern.confusions).map(|confusion| confusion.with.as_str());
    let close = problem.close.iter().map(String::as_str);
    let mut ids = vec![problem.pattern.as_str()];
    for id in close.chain(confused) {
        if ids.len() < SUGGESTED && !ids.contains(&id) {
            ids.push(id);
        }
    }
    let mut patterns: Vec<&Pattern> = ids.iter().filter_map(|id| catalogue.pattern(id)).collect();
    patterns.sort_by(|a, b| a.name.cmp(&b.name));
    let confidence = (100.0 / patterns.len().max(1) as f64).round() / 100.0;
    let suggested = |pattern: &&Pattern| Suggested {
        pattern_id: pattern.id.clone(),
        name: pattern.name.clone(),
        reason: pattern.when.first().cloned().unwrap_or_default(),
        ai_confidence: confidence,
    };
    patterns.iter().map(suggested).collect()
}

pub(super) fn suggestions(data: &Data) -> Suggestions {
    let candidate = |suggested: &Suggested| Candidate {
        pattern_id: suggested.pattern_id.clone(),
        name: suggested.name.clone(),
        reason: suggested.reason.clone(),
        confidence: suggested.ai_confidence,
    };
    let candidates = data.plan.suggested_patterns.iter().map(candidate).collect();
    Suggestions { candidates, recommended_next_action: words::suggest_next() }
}

/// Takes in a choice. The law decides whether it stands.
pub(super) fn choose(
    problem: &Problem,
    catalogue: &Catalogue,
    data: &mut Data,
    chosen: ChoosePattern,
    law: &Machine,
) -> Result<(), Rejected> {
    let id = chosen.pattern_id.trim().to_lowercase().replace(['_', ' '], "-");
    let Some(pattern) = catalogue.pattern(&id) else {
        let known: Vec<Text> = catalogue.patterns.iter().map(|pattern| pattern.id.as_str().into()).collect();
        return Err(words::unknown_pattern(super::repeated(&chosen.pattern_id), known));
    };
    if !CONFIDENCE.contains(&chosen.confidence) {
        return Err(words::bad_confidence(u32::from(chosen.confidence)));
    }
    let keeps_pattern = data.plan.chosen_pattern.as_ref() == Some(&id);
    let (invariant, feedback) = invariant(problem, pattern, &chosen)?;
    let complexity = chosen.complexity.map(|text| super::cut(text.trim(), MAX_TEXT_CHARS));
    let complexity = complexity.filter(|text| !text.is_empty());
    let is_new = complexity.is_some();
    let complexity = complexity.or_else(|| data.plan.complexity.clone().filter(|_| keeps_pattern));
    data.choice = Some(Choice {
        fit: fit(problem, &id),
        keeps_pattern,
        is_confident: i64::from(chosen.confidence) >= law.number(CONFIDENT_FROM, 1),
        name: pattern.name.clone(),
        invariant: feedback.or_else(|| has_builder(problem, data).then(words::no_invariant)),
        complexity: complexity
            .as_deref()
            .filter(|_| is_new)
            .map(|text| complexity_feedback(problem, pattern, text)),
    });
    data.plan.chosen_pattern = Some(id);
    data.plan.user_confidence = Some(chosen.confidence);
    data.plan.invariant = invariant;
    data.plan.complexity = complexity;
    Ok(())
}

fn fit(problem: &Problem, id: &str) -> Fit {
    match id {
        id if id == problem.pattern => Fit::Good,
        id if problem.close.iter().any(|close| close == id) => Fit::Maybe,
        _ => Fit::Mismatch,
    }
}

fn invariant(
    problem: &Problem,
    pattern: &Pattern,
    chosen: &ChoosePattern,
) -> Result<(Option<Invariant>, Option<Text>), Rejected> {
    if let Some(builder) = &chosen.invariant_builder {
        let templates = templates_of(problem, Some(pattern));
        return built(&templates, builder).map(|(invariant, text)| (Some(invariant), Some(text)));
    }
    let text = chosen.invariant_text.as_deref().map(|text| super::cut(text.trim(), MAX_TEXT_CHARS));
    let Some(text) = text.filter(|text| !text.is_empty()) else { return Ok((None, None)) };
    let feedback = free_invariant(problem, pattern, &text);
    let (template_id, template_choices) = (None, None);
    Ok((Some(Invariant { text, builder_used: false, template_id, template_choices }), Some(feedback)))
}

fn built(templates: &[Template], builder: &Builder) -> Result<(Invariant, Text), Rejected> {
    // A sentence without choices is written, not built.
    let mut templates = templates.iter().filter(|template| template.is_built());
    let known: Vec<Text> = templates.clone().map(|template| template.id.as_str().into()).collect();
    let Some(template) = templates.find(|template| template.id == builder.template_id) else {
        return Err(words::unknown_template(super::repeated(&builder.template_id), known));
    };
    for slot in &template.slots {
        let choice = builder.choices.get(&slot.name);
        if choice.is_none_or(|choice| *choice >= slot.choices.len()) {
            return Err(words::bad_slot(slot.name.as_str(), slot.choices.len() as u32 - 1));
        }
    }
    let chosen = |slot: &crate::problems::Slot| builder.choices.get(&slot.name).copied().unwrap_or_default();
    let wrong: Vec<Text> = template
        .slots
        .iter()
        .filter(|slot| chosen(slot) != slot.right)
        .map(|slot| format!("“{}”", slot.choices[chosen(slot)]).into())
        .collect();
    let feedback = if wrong.is_empty() { words::invariant_holds() } else { words::invariant_slots(wrong) };
    let invariant = Invariant {
        text: template.filled(chosen),
        builder_used: true,
        template_id: Some(template.id.clone()),
        template_choices: Some(builder.choices.clone()),
    };
    Ok((invariant, feedback))
}

/// Answers an invariant in free words. In doubt the coach asks, and always where the problem has no sentence for
/// the pattern.
fn free_invariant(problem: &Problem, pattern: &Pattern, text: &str) -> Text {
    if pattern.id == problem.pattern && is_invariant(problem, text) {
        words::invariant_holds()
    } else {
        words::invariant_asked(pattern.invariant_question.as_str())
    }
}

/// Whether a free sentence states the invariant, compared with the templates. A sentence that is nearer to a wrong
/// choice of a gap than to the right one is in doubt.
pub(super) fn is_invariant(problem: &Problem, text: &str) -> bool {
    let grade = |template: &Template| {
        grade_by_reference("What stays true in each round?", &template.filled(|slot| slot.right), text)
    };
    let words = values::stems(text);
    let is_right = |template: &Template| {
        grade(template).verdict == Verdict::Right
            && !template.slots.iter().any(|slot| is_contrary(slot, &words))
    };
    !values::is_heap(text) && problem.invariants.iter().any(is_right)
}

/// Whether the words hold clearly more of a wrong choice than of the right one, counting only words that no other
/// choice has.
fn is_contrary(slot: &Slot, words: &HashSet<String>) -> bool {
    let choices: Vec<HashSet<String>> = slot.choices.iter().map(|choice| values::stems(choice)).collect();
    let share = |at: usize| -> f64 {
        let is_own = |stem: &&String| {
            choices.iter().enumerate().all(|(other, stems)| other == at || !stems.contains(*stem))
        };
        let own: Vec<&String> = choices[at].iter().filter(is_own).collect();
        let said = own.iter().filter(|stem| words.contains(**stem)).count();
        said as f64 / own.len().max(1) as f64
    };
    let right = share(slot.right);
    (0..choices.len()).any(|at| at != slot.right && share(at) >= right + CLEARLY_MORE)
}

fn complexity_feedback(problem: &Problem, pattern: &Pattern, said: &str) -> Text {
    if is_complexity(problem, said) {
        words::complexity_fits()
    } else {
        words::complexity_asked(pattern.complexity_question.as_str())
    }
}

pub(super) fn is_complexity(problem: &Problem, said: &str) -> bool {
    let wanted = &problem.complexity;
    let said_growth = growth::said(said);
    let is_said = |known: &String| match growth::known(known) {
        Some(known) => said_growth.as_ref() == Some(&known),
        None => said.to_lowercase().contains(&known.to_lowercase()),
    };
    [&wanted.time].into_iter().chain(&wanted.also).any(is_said)
}

/// Returns the coach's sentence about a choice. It never names another pattern.
pub(super) fn rationale(problem: &Problem, choice: &Choice, accepted: bool) -> Text {
    let name = choice.name.as_str();
    let call = || super::sample_call(problem);
    match (choice.fit, accepted) {
        (Fit::Good, _) => words::fits(name),
        (Fit::Maybe, true) => words::may_fit(name),
        (Fit::Maybe, false) => words::unsure(name, call()),
        (Fit::Mismatch, true) => words::warned(name, call()),
        (Fit::Mismatch, false) => words::counter_example(name, call()),
    }
}

/// An answer to a question of the tree: its number from 0, its letter, or its text. Without one, the first question
/// is asked.
#[derive(Debug, Clone, Default, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
#[schemars(extend("examples" = [{"answer": "b"}]))]
pub struct Discover {
    /// The letter or the text of an answer
    #[serde(default)]
    pub answer: Option<String>,
}

/// A question of the tree, for the interface.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct DiscoveryQuestion {
    pub question: String,
    pub answers: Vec<String>,
}

pub(super) fn begin(catalogue: &Catalogue, data: &mut Data) {
    data.plan.discovery_triggered = true;
    let node = catalogue.discovery.first().map(|node| node.id.clone());
    data.discovery = Some(Discovery { node, ..Discovery::default() });
}

/// Takes in an answer, which is followed when the law says so.
pub(super) fn hear_answer(catalogue: &Catalogue, data: &mut Data, said: Discover) -> Result<(), Rejected> {
    let Some(discovery) = &mut data.discovery else { return Ok(()) };
    let Some(node) = discovery.node.as_deref().and_then(|id| catalogue.node(id)) else { return Ok(()) };
    let said = said.answer.unwrap_or_default().trim().to_lowercase();
    let is_it = |(at, text): &(usize, &String)| {
        said == label(*at) || said == (at + 1).to_string() || said == text.to_lowercase()
    };
    let found = node.choices.iter().map(|(text, _)| text).enumerate().find(is_it);
    let last = label(node.choices.len() - 1);
    discovery.answer = Some(found.ok_or_else(|| words::no_such_answer(super::repeated(&said), last))?.0);
    Ok(())
}

pub(super) fn follow(catalogue: &Catalogue, data: &mut Data) {
    let Some(discovery) = &mut data.discovery else { return };
    let node = discovery.node.as_deref().and_then(|id| catalogue.node(id));
    let turn = node.zip(discovery.answer.take()).and_then(|(node, answer)| node.choices.get(answer));
    match turn {
        Some((_, Turn::Next(next))) => discovery.node = Some(next.clone()),
        Some((_, Turn::Patterns(left))) => (discovery.node, discovery.left) = (None, left.clone()),
        None => discovery.node = None,
    }
}

pub(super) fn question(catalogue: &Catalogue, data: &Data) -> Option<DiscoveryQuestion> {
    let node = catalogue.node(data.discovery.as_ref()?.node.as_deref()?)?;
    let answers = node.choices.iter().map(|(text, _)| text.clone()).collect();
    Some(DiscoveryQuestion { question: node.ask.clone(), answers })
}

/// Returns the names of the patterns that the questions have left.
pub(super) fn left(catalogue: &Catalogue, data: &Data) -> Vec<String> {
    let left = data.discovery.iter().flat_map(|discovery| &discovery.left);
    left.filter_map(|id| Some(catalogue.pattern(id)?.name.clone())).collect()
}

/// Returns the letter of an answer: a, b, c …
pub(super) fn label(at: usize) -> String {
    char::from(b'a' + u8::try_from(at.min(25)).unwrap_or(25)).to_string()
}
