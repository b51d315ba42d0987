//! Guards the solution: every sentence of the coach passes through here before the problem is solved.

use super::data::{Data, Step};
use super::{values, words};
use crate::leak::{self, Guarded, Risk, Said, Who};
use crate::problems::Problem;
use crate::words::{Arg, Text};

/// The maximum number of the coach's own lines that are kept. Pieces of a solution may be spread over several.
const MAX_KEPT_LINES: usize = 50;

/// Returns what the coach may say about a problem that is not solved yet: the text or a safe sentence in its place,
/// with the risk.
pub(super) fn pass(problem: &Problem, data: &mut Data, text: Text) -> (Text, Risk) {
    // The sentences themselves are fixed and tell nothing; their arguments may.
    let said = spoken(&text);
    if said.trim().is_empty() {
        return (text, Risk::Low);
    }
    let found = look(problem, data, &said);
    data.said.push(said);
    let extra = data.said.len().saturating_sub(MAX_KEPT_LINES);
    data.said.drain(..extra);
    if found.leak { (words::held_back(), Risk::Low) } else { (text, found.risk) }
}

/// Whether a text gives away more than the authored words that it stands in for.
pub(super) fn tells_more(problem: &Problem, data: &Data, authored: &str, text: &str) -> bool {
    let mut said = dialogue(data);
    said.push(Said { who: Who::Tutor, text: authored.to_owned() });
    let found = |text: &str| look_in(problem, data, &said, text);
    let allowed = found(authored).reasons;
    let is_new = |reason: &leak::Reason| allowed.iter().all(|known| known.kind != reason.kind);
    found(text).reasons.iter().any(|reason| !reason.slight && is_new(reason))
}

fn look(problem: &Problem, data: &Data, text: &str) -> leak::Leaks {
    look_in(problem, data, &dialogue(data), text)
}

fn look_in(problem: &Problem, data: &Data, dialogue: &[Said], text: &str) -> leak::Leaks {
    let references: Vec<&str> = problem.references.0.iter().map(|(_, source)| source.as_str()).collect();
    let guarded = Guarded {
        reference: &references,
        statement: &statement(problem),
        secrets: &problem.secrets(),
        dialogue,
        pattern: Some(&problem.pattern),
        is_planned: data.step != Some(Step::Understand),
    };
    leak::look(&guarded, text)
}

/// Returns everything that the learner is shown from the beginning.
fn statement(problem: &Problem) -> String {
    let call = |sample: &crate::problems::Sample| {
        let why = sample.why.as_deref().unwrap_or_default();
        format!("{} {} {why}", values::call(&problem.signature.function, &sample.args), sample.expected)
    };
    let samples = problem.samples.iter().map(call);
    let given = [problem.title.clone(), problem.statement.clone(), problem.constraints.join("\n")];
    given.into_iter().chain(samples).collect::<Vec<_>>().join("\n")
}

/// Returns the dialogue so far. The learner's own words are in it, because they are never held back.
fn dialogue(data: &Data) -> Vec<Said> {
    let by = |who: Who| move |text: &str| Said { who, text: text.to_owned() };
    let explained = data.understand.as_ref();
    let texts = explained.iter().flat_map(|payload| super::understand::texts(&payload.said));
    let answers = explained.iter().flat_map(|payload| &payload.followups).map(|followup| &*followup.answer);
    let plan = [&data.plan.chosen_pattern, &data.plan.complexity, &data.code];
    let invariant = data.plan.invariant.iter().map(|invariant| &*invariant.text);
    let plan = plan.into_iter().flatten().map(String::as_str);
    let chosen = data.choice.iter().map(|choice| choice.name.as_str());
    let learner = texts.chain(answers).chain(plan).chain(invariant).chain(chosen).map(by(Who::Learner));
    learner.chain(data.said.iter().map(String::as_str).map(by(Who::Tutor))).collect()
}

/// Returns the words of a text that are not the coach's own sentence.
fn spoken(text: &Text) -> String {
    match text {
        Text::Plain(text) => text.clone(),
        Text::Sentence(sentence) => sentence.args.values().map(arg).collect::<Vec<_>>().join("\n"),
    }
}

fn arg(arg: &Arg) -> String {
    match arg {
        Arg::Number(_) => String::new(),
        Arg::List(texts) => texts.iter().map(spoken).collect::<Vec<_>>().join("\n"),
        Arg::Text(text) => spoken(text),
    }
}

pub(super) fn name(risk: Risk) -> &'static str {
    match risk {
        Risk::Low => "low",
        Risk::Medium => "medium",
        Risk::High => "high",
    }
}
