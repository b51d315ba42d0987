//! Scenarios: Gherkin files in one small vocabulary of steps that serves every flow.
//!
//! This module only reads. Running a scenario needs a store and a clock, so the shell does it.

mod forms;

use gherkin::{Feature, GherkinEnv};
use std::collections::BTreeMap;

/// One scenario, its background already in front.
#[derive(Debug, Clone)]
pub struct Scenario {
    pub feature: String,
    pub name: String,
    pub line: usize,
    pub steps: Vec<ScenarioStep>,
    /// What nobody understands. Such a scenario cannot run; the others of its file can.
    pub unread: Vec<Unread>,
}

impl Scenario {
    /// Whether anything is checked. A scenario that only does things passes whatever happens.
    pub fn proves_something(&self) -> bool {
        self.steps.iter().any(|step| step.what.is_check())
    }
}

#[derive(Debug, Clone)]
pub struct ScenarioStep {
    pub line: usize,
    pub text: String,
    pub what: What,
}

/// A step, or the heading of a scenario, that cannot be used, in its own words.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Unread {
    pub text: String,
    pub error: ScenarioError,
}

/// Everything a scenario can say.
#[derive(Debug, Clone, PartialEq)]
pub enum What {
    /// Which law or flow this is about, by name or path.
    Law(String),
    /// The names of this table are filled in wherever a step has them in angle brackets, as those of examples are.
    Names,
    Set(String, i64),
    /// What the flow is opened with, as JSON.
    Opening(String),
    /// A flow begins, perhaps under an id that the scenario chooses.
    Begin {
        id: Option<String>,
    },
    /// Events in order, the whole list so many times, each with a payload.
    Happen {
        events: Vec<String>,
        times: usize,
        payload: Option<String>,
    },
    /// One event for each of these payloads, in order, so far apart.
    HappenEach {
        event: String,
        payloads: Vec<String>,
        apart_ms: u64,
    },
    /// A document about the learner is written from outside of any flow.
    Remember {
        kind: String,
        key: String,
        body: String,
    },
    /// From now on the learner's events come from this chat, and answers go there.
    FromChat(i64),
    /// From now on nobody waits for an answer: what is said goes out as messages.
    NobodyWaits,
    /// Several events at the same moment, each in a process of its own on the same data.
    AtOnce(Vec<(String, Option<String>)>),
    /// A tool that assistants have is called.
    Call {
        tool: String,
        arguments: Option<String>,
    },
    /// A job of the calendar runs now.
    RunJob(String),
    /// What the learner says or types, as the flow's own event.
    Say {
        text: String,
        times: usize,
    },
    /// The clock moves and due timers fire.
    Pass {
        millis: u64,
    },
    Fact(String, bool),
    /// Another flow begins beside this one and works on the same; what follows is about it.
    Beside {
        flow: String,
        opening: Option<String>,
    },
    /// What follows is about the newest flow of this name.
    TurnTo(String),
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
    /// A tool is called, refuses, and changes nothing.
    CallRefused {
        tool: String,
        arguments: Option<String>,
    },
    /// A document has this value at a place.
    Has {
        of: Document,
        pointer: String,
        value: String,
    },
    HasNothing {
        of: Document,
        pointer: String,
    },
    /// A document is like this, as far as it is described.
    IsLike {
        of: Document,
        pattern: String,
    },
    /// A document has exactly these parts, in this order.
    HasParts {
        of: Document,
        names: Vec<String>,
    },
    /// How many documents of a kind the learner has, perhaps only those that stand somewhere.
    Records {
        kind: String,
        standing: Option<String>,
        count: usize,
    },
    /// A value in one of the documents of a kind.
    RecordHas {
        kind: String,
        pointer: String,
        value: String,
    },
    /// One of the documents of a kind is like this.
    RecordIsLike {
        kind: String,
        pattern: String,
    },
    Performed {
        action: String,
        times: Option<usize>,
    },
    WentThrough(Vec<String>),
    CoachSays {
        text: String,
        is_said: bool,
    },
    ReplayMatches,
}

/// What a check can look into.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Document {
    /// What the flow shows.
    View,
    /// A key-value entry; the flow's own where no key is given.
    Entry(Option<String>),
    /// What the last tool, job or refusal answered.
    Answer,
    /// Every message so far that was told to somebody who did not wait, oldest first.
    Outbox,
    /// One document about the learner.
    Record { kind: String, key: String },
}

impl What {
    /// Whether it says what holds, rather than doing something.
    pub fn is_check(&self) -> bool {
        match self {
            What::Law(_)
            | What::Names
            | What::Set(..)
            | What::Opening(_)
            | What::Begin { .. }
            | What::Happen { .. }
            | What::HappenEach { .. }
            | What::Remember { .. }
            | What::FromChat(_)
            | What::NobodyWaits
            | What::AtOnce(_)
            | What::Call { .. }
            | What::RunJob(_)
            | What::Say { .. }
            | What::Pass { .. }
            | What::Fact(..)
            | What::Beside { .. }
            | What::TurnTo(_)
            | What::Crash => false,
            What::StateIs(_)
            | What::CounterIs(..)
            | What::EndedWith(_)
            | What::IsOpen
            | What::Refused { .. }
            | What::CallRefused { .. }
            | What::Has { .. }
            | What::HasNothing { .. }
            | What::IsLike { .. }
            | What::HasParts { .. }
            | What::Records { .. }
            | What::RecordHas { .. }
            | What::RecordIsLike { .. }
            | What::Performed { .. }
            | What::WentThrough(_)
            | What::CoachSays { .. }
            | What::ReplayMatches => true,
        }
    }
}

/// Why a feature file, or a part of it, cannot be used.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ScenarioError {
    pub line: usize,
    pub message: String,
    pub cure: String,
}

/// Reads the scenarios of a `.feature` file.
pub fn read(source: &str) -> Result<Vec<Scenario>, ScenarioError> {
    let feature =
        Feature::parse(source, GherkinEnv::default()).map_err(|error| unreadable(source, &error))?;
    let mut scenarios = Vec::new();
    let own = feature.scenarios.iter().map(|scenario| (None, scenario));
    let in_rules = feature
        .rules
        .iter()
        .flat_map(|rule| rule.scenarios.iter().map(move |scenario| (rule.background.as_ref(), scenario)));
    for (rule_background, scenario) in own.chain(in_rules) {
        let backgrounds = feature.background.iter().chain(rule_background);
        let steps: Vec<&gherkin::Step> =
            backgrounds.flat_map(|background| &background.steps).chain(&scenario.steps).collect();
        let names = steps.iter().flat_map(|step| names(step));
        let names: Row = names.collect();
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
                steps: steps.iter().filter_map(|step| read_step(step, &row, &mut unread)).collect(),
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

/// The parser tells the line only in its words, of which the rest is about its own rules.
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

/// The rows of a scenario's examples. A plain scenario has none and runs once; an outline runs once for each.
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

/// What a step says that names stand for.
fn names(step: &gherkin::Step) -> impl Iterator<Item = (String, String)> {
    let is_named = forms::parse(&step.value, None) == Some(What::Names);
    let rows = step.table.iter().filter(move |_| is_named).flat_map(|table| &table.rows);
    rows.filter_map(|row| Some((row.first()?.clone(), row.get(1)?.clone())))
}

fn fill(text: &str, row: &Row) -> String {
    row.iter().fold(text.to_owned(), |text, (name, value)| text.replace(&format!("<{name}>"), value))
}

fn read_step(step: &gherkin::Step, row: &Row, unread: &mut Vec<Unread>) -> Option<ScenarioStep> {
    let text = fill(&step.value, row);
    let docstring = step.docstring.as_deref().map(|text| fill(text, row));
    let line = step.position.line;
    let what = forms::parse(&text, docstring.as_deref());
    let problem = match &what {
        None => Some((format!("no step reads `{text}`"), similar(&text))),
        Some(what) => unused_below(step, &text, what),
    };
    if let Some((message, cure)) = problem {
        unread.push(Unread { text, error: ScenarioError { line, message, cure } });
        return None;
    }
    Some(ScenarioStep { line, text, what: what? })
}

/// More than these would hide what is wrong.
const MAX_SIMILAR: usize = 3;

fn similar(text: &str) -> String {
    let ranked = forms::ranked(text);
    match ranked.first().filter(|nearest| nearest.is_meant()) {
        Some(nearest) => format!("did you mean `{}`?", nearest.form),
        None => {
            let nearest = ranked.iter().take(MAX_SIMILAR).map(|near| format!("\n    {}", near.form));
            format!("`docs/scenarios.md` lists all steps; the nearest are:{}", nearest.collect::<String>())
        }
    }
}

/// What stands below a step and would not be looked at, or is missing there; with a cure.
fn unused_below(step: &gherkin::Step, text: &str, what: &What) -> Option<(String, String)> {
    let is_doc_unused = step.docstring.is_some() && forms::parse(text, None).is_some();
    let message = match (step.table.is_some(), *what == What::Names) {
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
    fn names_are_filled_in_everywhere() {
        let source = "Feature: f\n  Background:\n    Given these names stand for:\n      | Open | OPEN |\n  Scenario: s\n    \
                      Then the state is <Open>\n    And the view has:\n      \"\"\"\n      {\"state\": \"<Open>\"}\n      \"\"\"\n";
        let scenarios = read(source).unwrap();
        let steps: Vec<&What> = scenarios[0].steps.iter().map(|step| &step.what).collect();
        assert_eq!(steps[1], &What::StateIs("OPEN".into()));
        assert!(
            matches!(steps[2], What::IsLike { pattern, .. } if pattern.contains("\"OPEN\"")),
            "{steps:?}"
        );
    }
}
