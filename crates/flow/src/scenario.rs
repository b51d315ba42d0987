//! Reads scenarios: Gherkin files in a small vocabulary of steps.
//!
//! The vocabulary here is the engine's: laws, events, time, states, counters, crashes. A caller adds [`Form`]s of
//! its own. This module only reads: running a scenario takes a store and a clock, which the caller has.

mod forms;

pub use forms::{Form, lines, list};

use forms::FORMS;
use gherkin::{Feature, GherkinEnv};
use std::collections::BTreeMap;

/// One scenario, with the steps of its background in front. `X` is the meaning of the caller's own steps.
#[derive(Debug, Clone)]
pub struct Scenario<X> {
    pub feature: String,
    pub name: String,
    pub line: usize,
    pub steps: Vec<ScenarioStep<X>>,
    /// Steps that no form reads. Such a scenario cannot run; the others of its file can.
    pub unread: Vec<Unread>,
}

impl<X> Scenario<X> {
    /// Whether any step checks something. A scenario without a check passes whatever happens.
    pub fn proves_something(&self) -> bool {
        self.steps.iter().any(|step| step.is_check)
    }
}

#[derive(Debug, Clone)]
pub struct ScenarioStep<X> {
    pub line: usize,
    pub text: String,
    pub what: What<X>,
    /// Whether the step checks something, rather than doing something.
    pub is_check: bool,
}

/// A step, or the heading of a scenario, that cannot be used, with its text.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Unread {
    pub text: String,
    pub error: ScenarioError,
}

#[derive(Debug, Clone, PartialEq)]
pub enum What<X> {
    Engine(Engine),
    /// A step of the caller's own.
    Own(X),
}

/// The meaning of a step about a flow of any kind.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Engine {
    /// The law or flow that the scenario is about, by name or path.
    Law(String),
    /// A table of names, which are filled in wherever a step has them in angle brackets, like the columns of
    /// examples.
    Names,
    Set(String, i64),
    /// The payload that opens the flow, as JSON.
    Opening(String),
    /// A flow begins, perhaps under an id that the scenario chooses.
    Begin {
        id: Option<String>,
    },
    /// Events happen in order, the whole list this many times, each with the payload.
    Happen {
        events: Vec<String>,
        times: usize,
        payload: Option<String>,
    },
    /// One event happens for each of these payloads, in order, this far apart.
    HappenEach {
        event: String,
        payloads: Vec<String>,
        apart_ms: u64,
    },
    /// The clock moves and due timers fire.
    Pass {
        millis: u64,
    },
    Fact(String, bool),
    /// The process dies and starts again on the same data.
    Crash,
    StateIs(String),
    CounterIs(String, u32),
    EndedWith(String),
    IsOpen,
    Refused {
        event: String,
        payload: Option<String>,
    },
    Performed {
        action: String,
        times: Option<usize>,
    },
    WentThrough(Vec<String>),
    ReplayMatches,
}

/// The reason why a feature file, or a part of it, cannot be used.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ScenarioError {
    pub line: usize,
    pub message: String,
    pub cure: String,
}

/// Reads the scenarios of a `.feature` file, in the engine's steps and the caller's own.
pub fn read<X>(source: &str, own: &[Form<X>]) -> Result<Vec<Scenario<X>>, ScenarioError> {
    let feature =
        Feature::parse(source, GherkinEnv::default()).map_err(|error| unreadable(source, &error))?;
    let mut scenarios = Vec::new();
    let free = feature.scenarios.iter().map(|scenario| (None, scenario));
    let in_rules = feature
        .rules
        .iter()
        .flat_map(|rule| rule.scenarios.iter().map(move |scenario| (rule.background.as_ref(), scenario)));
    for (rule_background, scenario) in free.chain(in_rules) {
        let backgrounds = feature.background.iter().chain(rule_background);
        let steps: Vec<&gherkin::Step> =
            backgrounds.flat_map(|background| &background.steps).chain(&scenario.steps).collect();
        let names: Row = steps.iter().flat_map(|step| names(step)).collect();
        let rows = example_rows(scenario);
        let lacks_rows = rows.is_empty() && is_outline(scenario);
        for mut row in if rows.is_empty() { vec![Row::new()] } else { rows } {
            row.extend(names.clone());
            let mut unread = Vec::new();
            unread.extend(lacks_rows.then(|| without_rows(scenario)));
            scenarios.push(Scenario {
                feature: feature.name.clone(),
                name: fill(&scenario.name, &row),
                line: scenario.position.line,
                steps: steps.iter().filter_map(|step| read_step(step, &row, own, &mut unread)).collect(),
                unread,
            });
        }
    }
    match scenarios.is_empty() {
        true => Err(ScenarioError {
            line: feature.position.line,
            message: "the feature has no scenario, so it proves nothing".into(),
            cure: "write at least one `Scenario: NAME` with steps".into(),
        }),
        false => Ok(scenarios),
    }
}

/// Reports a file that the parser refuses. The parser names the line only in its message; the rest of that is about
/// its own rules.
fn unreadable(source: &str, error: &impl std::fmt::Display) -> ScenarioError {
    let told = error.to_string();
    let line = told.split(|c: char| !c.is_ascii_digit()).find_map(|word| word.parse().ok());
    let line = line.unwrap_or(1).max(1);
    let found = source.lines().nth(line - 1).unwrap_or_default();
    let found: String = found.trim().chars().take(60).collect();
    let message = match found.as_str() {
        "" => "the feature file breaks off here".to_owned(),
        _ => format!("`{}` means nothing here in a feature file", found.escape_debug()),
    };
    let cure =
        "a feature begins with `Feature: NAME`, then `Scenario: NAME` and steps with Given, When, Then";
    ScenarioError { line, message, cure: cure.into() }
}

type Row = BTreeMap<String, String>;

/// Returns the rows of a scenario's examples. A plain scenario has none and runs once; an outline runs once for
/// each.
fn example_rows(scenario: &gherkin::Scenario) -> Vec<Row> {
    let mut rows = Vec::new();
    for table in scenario.examples.iter().filter_map(|examples| examples.table.as_ref()) {
        let Some((head, body)) = table.rows.split_first() else { continue };
        rows.extend(body.iter().map(|row| head.iter().cloned().zip(row.iter().cloned()).collect()));
    }
    rows
}

fn is_outline(scenario: &gherkin::Scenario) -> bool {
    let keyword = scenario.keyword.trim();
    keyword.ends_with("Outline") || keyword.ends_with("Template") || !scenario.examples.is_empty()
}

fn without_rows(scenario: &gherkin::Scenario) -> Unread {
    let error = ScenarioError {
        line: scenario.position.line,
        message: "this outline has no examples, so it never runs".into(),
        cure: "add `Examples:` and a table with a row of names and at least one row of values".into(),
    };
    Unread { text: scenario.name.clone(), error }
}

/// Returns the names that a step defines, with the texts that they stand for.
fn names(step: &gherkin::Step) -> impl Iterator<Item = (String, String)> {
    let is_named = FORMS.iter().any(|form| form.read(&step.value, None) == Some(Engine::Names));
    let rows = step.table.iter().filter(move |_| is_named).flat_map(|table| &table.rows);
    rows.filter_map(|row| Some((row.first()?.clone(), row.get(1)?.clone())))
}

fn fill(text: &str, row: &Row) -> String {
    row.iter().fold(text.to_owned(), |text, (name, value)| text.replace(&format!("<{name}>"), value))
}

fn read_step<X>(
    step: &gherkin::Step,
    row: &Row,
    own: &[Form<X>],
    unread: &mut Vec<Unread>,
) -> Option<ScenarioStep<X>> {
    let text = fill(&step.value, row);
    let below = step.docstring.as_deref().map(|text| fill(text, row));
    let line = step.position.line;
    let read = parse(own, &text, below.as_deref());
    let problem = match &read {
        None => Some((format!("no step reads `{text}`"), similar(&text, own))),
        Some((what, _)) => unused_below(step, &text, what, own),
    };
    if let Some((message, cure)) = problem {
        unread.push(Unread { text, error: ScenarioError { line, message, cure } });
        return None;
    }
    let (what, is_check) = read?;
    Some(ScenarioStep { line, text, what, is_check })
}

/// Returns the meaning of a step, and whether it checks something.
fn parse<X>(own: &[Form<X>], text: &str, below: Option<&str>) -> Option<(What<X>, bool)> {
    let engine = FORMS.iter().find_map(|form| Some((What::Engine(form.read(text, below)?), form.is_check)));
    engine.or_else(|| own.iter().find_map(|form| Some((What::Own(form.read(text, below)?), form.is_check))))
}

/// The most similar forms that are shown. More would hide what is wrong.
const MAX_SIMILAR: usize = 3;

fn similar<X>(text: &str, own: &[Form<X>]) -> String {
    let words = FORMS.iter().map(|form| form.words).chain(own.iter().map(|form| form.words));
    let ranked = forms::ranked(text, words);
    match ranked.first().filter(|nearest| nearest.is_meant()) {
        Some(nearest) => format!("did you mean `{}`?", nearest.words),
        None => {
            let nearest = ranked.iter().take(MAX_SIMILAR).map(|near| format!("\n    {}", near.words));
            format!("`docs/scenarios.md` lists all steps; the nearest are:{}", nearest.collect::<String>())
        }
    }
}

/// Reports text or a table that stands below a step and would be ignored, or is missing there; with a cure.
fn unused_below<X>(
    step: &gherkin::Step,
    text: &str,
    what: &What<X>,
    own: &[Form<X>],
) -> Option<(String, String)> {
    let is_doc_unused = step.docstring.is_some() && parse(own, text, None).is_some();
    let message = match (step.table.is_some(), matches!(what, What::Engine(Engine::Names))) {
        (true, false) => "has no use for the table below it",
        (false, true) => "has no table below it",
        _ if is_doc_unused => "has no use for the text below it",
        _ => return None,
    };
    let cure = match step.docstring {
        Some(_) => "a step that reads the text below it ends in a colon, such as `{} happens with:`",
        None => "`these names stand for:` reads a table of two columns, and no other step does",
    };
    Some((format!("`{text}` {message}"), cure.to_owned()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[derive(Debug, PartialEq)]
    struct Shown(String);

    const OWN: &[Form<Shown>] = &[Form::checks("the view has:", |_, below| Some(Shown(below?.to_owned())))];

    fn read(source: &str) -> Result<Vec<Scenario<Shown>>, ScenarioError> {
        super::read(source, OWN)
    }

    #[test]
    fn outlines_run_once_a_row_and_unknown_steps_are_named() {
        let source = "Feature: f\n  Scenario Outline: s <n>\n    Then the state is <n>\n    Examples:\n      | n |\n      | A |\n      | B |\n";
        let scenarios = read(source).unwrap();
        assert_eq!(scenarios.iter().map(|s| s.name.as_str()).collect::<Vec<_>>(), ["s A", "s B"]);
        let scenarios =
            read("Feature: f\n  Scenario: s\n    Then pigs fly\n  Scenario: t\n    Then a is refused\n")
                .unwrap();
        assert_eq!(scenarios.iter().map(|s| s.unread.len()).collect::<Vec<_>>(), [1, 0]);
        assert_eq!(scenarios[0].unread[0].error.line, 3);
        assert!(read("nonsense").is_err());
    }

    #[test]
    fn names_are_filled_in_everywhere_and_a_caller_has_steps_of_its_own() {
        let source = "Feature: f\n  Background:\n    Given these names stand for:\n      | Open | OPEN |\n  Scenario: s\n    \
                      Then the state is <Open>\n    And the view has:\n      \"\"\"\n      {\"state\": \"<Open>\"}\n      \"\"\"\n";
        let scenarios = read(source).unwrap();
        let steps: Vec<_> = scenarios[0].steps.iter().map(|step| (&step.what, step.is_check)).collect();
        assert_eq!(steps[1], (&What::Engine(Engine::StateIs("OPEN".into())), true));
        assert!(matches!(steps[2], (What::Own(Shown(text)), true) if text.contains("\"OPEN\"")), "{steps:?}");
    }
}
