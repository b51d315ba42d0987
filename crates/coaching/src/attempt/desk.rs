//! Builds the desk of an attempt: the problem, the result of the last step, and the one thing to do next.

use super::data::{Data, Step, TestResult};
use super::{ASKS, Asks, Event, plan, understand, values, verify, words};
use crate::desk::{Ask, Block, Choice, Desk, Field, FieldKind, Form, Line, Progress, Role, TestRow};
use crate::problems::{Catalogue, LANGUAGES, Problem, Slot, Template};
use crate::turn::At;
use crate::words::Text;

pub(super) fn desk(problem: Option<&Problem>, catalogue: &Catalogue, data: &Data, at: &At<'_>) -> Desk {
    let Some(problem) = problem else {
        let gone = words::problem_gone(data.problem.as_str()).message;
        return Desk {
            title: data.problem.as_str().into(),
            blocks: vec![line(Role::Alarm, gone)],
            ..Desk::default()
        };
    };
    let mut blocks = statement(problem);
    blocks.extend(of_step(problem, data, at));
    Desk {
        title: problem.title.as_str().into(),
        blocks,
        ask: (!at.is_final()).then(|| ask(problem, catalogue, data, at)).flatten(),
        progress: progress(data),
        language: Some(problem.language.clone()),
        ..Desk::default()
    }
}

fn line(role: Role, text: impl Into<Text>) -> Block {
    Block::Line(Line::new(role, text))
}

fn statement(problem: &Problem) -> Vec<Block> {
    let limits = problem.constraints.iter().map(|limit| format!("- {limit}\n")).collect::<String>();
    let sample = |sample: &crate::problems::Sample| {
        let call = values::call(&problem.signature.function, &sample.args);
        let why = sample.why.clone().unwrap_or_default();
        vec![call.into(), sample.expected.to_string().into(), why.into()]
    };
    let head = vec![words::head_call(), words::head_result(), words::head_why()];
    let mut blocks = vec![
        line(Role::Heading, problem.title.as_str()),
        Block::Text { text: problem.statement.as_str().into() },
    ];
    if !limits.is_empty() {
        blocks.push(Block::Text { text: words::constraints(limits) });
    }
    blocks.push(Block::Table { head, rows: problem.samples.iter().map(sample).collect() });
    blocks
}

/// Returns the blocks of the current step.
fn of_step(problem: &Problem, data: &Data, at: &At<'_>) -> Vec<Block> {
    match data.step {
        Some(Step::Understand) => gaps(data),
        Some(Step::Plan) => suggestions(data),
        Some(Step::Implement) => {
            vec![Block::Code { language: data.language.clone(), text: code(problem, data) }]
        }
        Some(Step::Verify) => tests(data).into_iter().chain(steps(problem, data)).collect(),
        None if data.verify.is_some() => tests(data),
        Some(Step::Reflect) if !at.is_final() => looking_back(problem, data),
        _ => Vec::new(),
    }
}

fn gaps(data: &Data) -> Vec<Block> {
    let assessment = data.understand.as_ref().and_then(|payload| payload.ai_assessment.as_ref());
    let gaps = assessment.iter().flat_map(|assessment| &assessment.gaps);
    gaps.map(|gap| line(Role::Explanation, gap.clone())).collect()
}

fn suggestions(data: &Data) -> Vec<Block> {
    let suggested = &data.plan.suggested_patterns;
    let item = |pattern: &super::data::Suggested| format!("- **{}**: {}\n", pattern.name, pattern.reason);
    let text: String = suggested.iter().map(item).collect();
    if text.is_empty() { Vec::new() } else { vec![Block::Text { text: text.into() }] }
}

fn tests(data: &Data) -> Vec<Block> {
    let Some(verify) = &data.verify else { return Vec::new() };
    let row = |test: &TestResult| TestRow {
        index: test.test_index,
        verdict: test.verdict,
        hidden: test.hidden,
        time_ms: test.time_ms,
        memory_kb: test.memory_kb,
        difference: test.difference.clone(),
    };
    vec![Block::Tests { tests: verify.test_results.iter().map(row).collect() }]
}

fn steps(problem: &Problem, data: &Data) -> Option<Block> {
    let tracing = data.tracing.as_ref()?;
    Some(Block::Steps {
        language: data.language.clone(),
        code: data.code.clone().unwrap_or_default(),
        call: values::short(&values::call(&problem.signature.function, &tracing.args)),
        expected: values::short(&tracing.expected.to_string()),
        trace: tracing.trace.clone()?,
    })
}

fn looking_back(problem: &Problem, data: &Data) -> Vec<Block> {
    let cues: String = problem.cues.iter().map(|cue| format!("- {cue}\n")).collect();
    let lesson = &problem.micro_lesson;
    let mut blocks = vec![Block::Text { text: words::cues(cues) }];
    let invariant = problem.invariants.first().map(|template| template.filled(|slot| slot.right));
    blocks.extend(invariant.map(|text| line(Role::Explanation, words::invariant_was(text))));
    blocks.push(Block::Text { text: format!("## {}\n\n{}", lesson.title, lesson.text).into() });
    if data.challenge.as_ref().is_none_or(|challenge| !challenge.passed && challenge.tries < 2) {
        blocks.push(line(Role::Explanation, words::adversary(problem.adversary.ask.as_str())));
    }
    blocks
}

fn ask(problem: &Problem, catalogue: &Catalogue, data: &Data, at: &At<'_>) -> Option<Ask> {
    let ask = |verb: &str, question: Text, form: Form| Some(Ask { verb: verb.to_owned(), question, form });
    match at.attribute_as(ASKS)? {
        Asks::Explanation => match &data.question {
            Some(question) => ask("follow_up", question.clone(), Form::Text),
            None => ask("explain", words::ask_explanation(), explanation(data)),
        },
        Asks::Approach => ask("explain", words::legacy_approach(), Form::Text),
        Asks::Pattern => ask("choose", words::ask_pattern(), choice(problem, catalogue, data)),
        Asks::Discovery => {
            let question = plan::question(catalogue, data)?;
            let answers = question.answers.iter().enumerate();
            let options =
                answers.map(|(at, text)| Choice { label: plan::label(at), text: text.as_str().into() });
            ask("discover", question.question.into(), Form::Choice { options: options.collect() })
        }
        Asks::Invariant => ask("choose", words::ask_invariant(), invariant(problem, catalogue, data)),
        Asks::Program => {
            let question = words::ask_program(problem.signature.function.as_str(), data.language.as_str());
            ask("submit", question, program(problem, data))
        }
        Asks::Tests if data.verify.is_none() => ask("run", words::ask_run(), Form::Read),
        Asks::Tests if at.takes(Event::ExplainFailure.name()) && data.has_failed() => {
            ask("explain_failure", after_failure(data), failure(data))
        }
        Asks::Tests => ask("retry", after_failure(data), Form::Read),
        Asks::Judge => ask("run", words::running(), Form::Wait { until: None }),
        Asks::Hint => ask("hint", words::hint_comes(), Form::Wait { until: None }),
        Asks::Assessment => ask("explain", words::ask_explanation(), Form::Wait { until: None }),
        Asks::Reflection => ask("reflect", words::ask_reflection(), reflection()),
    }
}

fn after_failure(data: &Data) -> Text {
    words::ask_after_failure(match verify::default_case(data) {
        Some(_) => "yes",
        None if data.has_failed() => "no",
        None => "untested",
    })
}

fn field(name: &str, label: Text, kind: FieldKind) -> Field {
    Field {
        name: name.to_owned(),
        label,
        kind,
        optional: false,
        options: Vec::new(),
        value: None,
        refusals: &[],
    }
}

fn explanation(data: &Data) -> Form {
    let said = data.understand.as_ref().map(|payload| understand::texts(&payload.said));
    let before = said.map(|texts| texts.map(|text| Some(text.to_owned()).filter(|text| !text.is_empty())));
    let fields = understand::field_names().zip(before.unwrap_or_default());
    let fields =
        fields.map(|(name, value)| Field { value, ..field(name, words::field(name), FieldKind::Text) });
    Form::Form { fields: fields.collect() }
}

/// Lists the patterns to choose from: those that are left or were suggested, or else all of them. One alone would
/// be no choice.
fn choice(problem: &Problem, catalogue: &Catalogue, data: &Data) -> Form {
    let left = data.discovery.as_ref().map(|discovery| discovery.left.clone()).unwrap_or_default();
    let suggested: Vec<String> =
        data.plan.suggested_patterns.iter().map(|pattern| pattern.pattern_id.clone()).collect();
    let few = if left.is_empty() { suggested } else { left };
    let few = if few.len() > 1 { few } else { Vec::new() };
    let mut patterns: Vec<_> = catalogue
        .patterns
        .iter()
        .filter(|pattern| few.is_empty() || few.contains(&pattern.id))
        .map(|pattern| Choice { label: pattern.id.clone(), text: pattern.name.as_str().into() })
        .collect();
    patterns.sort_by(|a, b| a.label.cmp(&b.label));
    let mut fields = vec![
        Field {
            options: patterns,
            refusals: &["unknown_pattern"],
            ..field("patternId", words::field_pattern(), FieldKind::Text)
        },
        Field {
            refusals: &["bad_confidence", "bad_input"],
            ..field("confidence", words::field_confidence(), FieldKind::Number)
        },
    ];
    if !plan::has_builder(problem, data) {
        fields.push(optional("invariantText", words::field_invariant()));
    }
    fields.push(optional("complexity", words::field_complexity()));
    Form::Form { fields }
}

fn optional(name: &str, label: Text) -> Field {
    Field { optional: true, ..field(name, label, FieldKind::Text) }
}

/// Asks for the invariant of the accepted pattern: a choice for each gap, or the whole sentence where the gaps have
/// no choices.
fn invariant(problem: &Problem, catalogue: &Catalogue, data: &Data) -> Form {
    let settled = |name: &str, value: String, kind: FieldKind| Field {
        options: vec![Choice { label: value.clone(), text: value.into() }],
        ..field(name, Text::default(), kind)
    };
    let plan = &data.plan;
    let mut fields = vec![
        settled("patternId", plan.chosen_pattern.clone().unwrap_or_default(), FieldKind::Text),
        settled("confidence", plan.user_confidence.unwrap_or_default().to_string(), FieldKind::Number),
    ];
    let template = plan::templates(problem, catalogue, data).into_iter().next();
    match template {
        Some(template) if template.is_built() => {
            fields.extend(template.slots.iter().map(|slot| gap(&template, slot)));
            fields.push(Field {
                options: vec![Choice { label: template.id.clone(), text: template.text.as_str().into() }],
                ..field("invariantBuilder.templateId", words::field_invariant(), FieldKind::Text)
            });
        }
        Some(template) => {
            let text = template
                .slots
                .iter()
                .fold(template.text.clone(), |text, slot| text.replace(&format!("{{{}}}", slot.name), "___"));
            fields.push(optional("invariantText", words::field_template(text)));
        }
        None => fields.push(optional("invariantText", words::field_invariant())),
    }
    Form::Form { fields }
}

fn gap(template: &Template, slot: &Slot) -> Field {
    let options = slot.choices.iter().enumerate();
    let options = options.map(|(at, text)| Choice { label: at.to_string(), text: text.as_str().into() });
    let name = format!("invariantBuilder.choices.{}", slot.name);
    let text = template.text.replace(&format!("{{{}}}", slot.name), "___");
    let label: Text = Template { text, ..template.clone() }.filled(|_| usize::MAX).into();
    Field { options: options.collect(), refusals: &["bad_slot"], ..field(&name, label, FieldKind::Number) }
}

fn program(problem: &Problem, data: &Data) -> Form {
    Form::Program {
        language: data.language.clone(),
        languages: LANGUAGES.map(str::to_owned).to_vec(),
        code: code(problem, data),
    }
}

/// Returns the program as it was submitted last, or the starter.
fn code(problem: &Problem, data: &Data) -> String {
    let starter = || problem.starter.get(&data.language).unwrap_or_default().to_owned();
    data.code.clone().unwrap_or_else(starter)
}

fn failure(data: &Data) -> Form {
    let index = data.first_failure().map_or(0, |test| test.test_index).to_string();
    let test = Field {
        options: vec![Choice { label: index.clone(), text: index.into() }],
        ..field("testIndex", Text::default(), FieldKind::Number)
    };
    Form::Form { fields: vec![test, field("userExplanation", Text::default(), FieldKind::Text)] }
}

fn reflection() -> Form {
    let cues = field("cuesNextTime", words::field_cues(), FieldKind::Texts);
    let summary = field("invariantSummary", words::field_summary(), FieldKind::Text);
    Form::Form { fields: vec![cues, Field { optional: true, ..summary }] }
}

fn progress(data: &Data) -> Vec<Progress> {
    let Some(step) = data.step else { return Vec::new() };
    let all = Step::ALL.len() as u32 - 1;
    // People count steps from one. The last of the names says that all of them are done.
    let number = Step::ALL.iter().position(|known| *known == step).map_or(1, |at| at as u32 + 1).min(all);
    let mut progress = vec![Progress::new("step", words::step(step.name()), number, Some(all))];
    if step == Step::Implement {
        progress.push(Progress::new("hints", words::hints_used(), data.hints_used, Some(data.hint_budget)));
    }
    progress
}
