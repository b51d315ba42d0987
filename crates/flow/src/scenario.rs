//! Scenarios: Gherkin files in one small vocabulary of steps that serves every flow.
//!
//! This module only reads. Running a scenario needs a store and a clock, so the shell does it.

use gherkin::{Feature, GherkinEnv};
use std::collections::BTreeMap;

/// One scenario, its background already in front.
#[derive(Debug, Clone)]
pub struct Scenario {
    pub feature: String,
    pub name: String,
    pub line: usize,
    pub steps: Vec<ScenarioStep>,
    /// Steps that nobody understands. Such a scenario cannot run; the others of its file can.
    pub unknown: Vec<ScenarioError>,
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

/// Everything a scenario can say.
#[derive(Debug, Clone, PartialEq)]
pub enum What {
    /// Which law or flow this is about, by name or path.
    Law(String),
    Set(String, i64),
    /// What the flow is opened with, as JSON.
    Opening(String),
    Begin,
    /// Events in order, the whole list so many times, each with a payload.
    Happen {
        events: Vec<String>,
        times: usize,
        payload: Option<String>,
    },
    /// One event for each of these payloads, in order.
    HappenEach {
        event: String,
        payloads: Vec<String>,
    },
    /// A document about the learner is written from outside of any flow.
    Remember {
        kind: String,
        key: String,
        body: String,
    },
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
    /// A value in the key-value entry of the flow.
    EntryHas {
        pointer: String,
        value: String,
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
    Performed {
        action: String,
        times: Option<usize>,
    },
    WentThrough(Vec<String>),
    /// A value in the view, by JSON pointer.
    ViewHas {
        pointer: String,
        value: String,
    },
    CoachSays {
        text: String,
        is_said: bool,
    },
    ReplayMatches,
}

impl What {
    fn is_check(&self) -> bool {
        match self {
            What::Law(_)
            | What::Set(..)
            | What::Opening(_)
            | What::Begin
            | What::Happen { .. }
            | What::HappenEach { .. }
            | What::Remember { .. }
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
            | What::EntryHas { .. }
            | What::Records { .. }
            | What::RecordHas { .. }
            | What::Performed { .. }
            | What::WentThrough(_)
            | What::ViewHas { .. }
            | What::CoachSays { .. }
            | What::ReplayMatches => true,
        }
    }
}

/// Why a feature file, or one of its steps, cannot be used.
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
        for row in example_rows(scenario) {
            let mut unknown = Vec::new();
            scenarios.push(Scenario {
                feature: feature.name.clone(),
                name: fill(&scenario.name, &row),
                line: scenario.position.line,
                steps: steps.iter().filter_map(|step| read_step(step, &row, &mut unknown)).collect(),
                unknown,
            });
        }
    }
    Ok(scenarios)
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

/// A plain scenario runs once; an outline once for each row of its examples.
fn example_rows(scenario: &gherkin::Scenario) -> Vec<Row> {
    let mut rows = Vec::new();
    for table in scenario.examples.iter().filter_map(|examples| examples.table.as_ref()) {
        let Some((head, body)) = table.rows.split_first() else { continue };
        rows.extend(body.iter().map(|row| head.iter().cloned().zip(row.iter().cloned()).collect()));
    }
    if rows.is_empty() { vec![Row::new()] } else { rows }
}

fn fill(text: &str, row: &Row) -> String {
    row.iter().fold(text.to_owned(), |text, (name, value)| text.replace(&format!("<{name}>"), value))
}

fn read_step(step: &gherkin::Step, row: &Row, problems: &mut Vec<ScenarioError>) -> Option<ScenarioStep> {
    let text = fill(&step.value, row);
    let line = step.position.line;
    let Some(what) = parse(&text, step.docstring.as_deref()) else {
        problems.push(ScenarioError {
            line,
            message: format!("no step reads `{text}`"),
            cure: match nearest_form(&text) {
                Some(form) => format!("did you mean `{form}`?"),
                None => format!(
                    "the steps are:{}",
                    forms().map(|form| format!("\n    {form}")).collect::<String>()
                ),
            },
        });
        return None;
    };
    Some(ScenarioStep { line, text, what })
}

/// The form that a misspelt step was probably meant to have: at least half of its own words are there.
fn nearest_form(text: &str) -> Option<&'static str> {
    let mut said = Vec::new();
    let mut rest = text.trim();
    while let Some((word, after)) = argument(rest) {
        said.push(word);
        rest = after.trim_start();
    }
    let (distance, form) =
        forms().map(|form| (edits(form, &said), form)).min_by(|(one, _), (other, _)| one.total_cmp(other))?;
    let own_words = form.split(' ').filter(|word| !word.starts_with('{')).count();
    (2.0 * distance <= own_words as f64).then_some(form)
}

/// How many words have to be added, dropped or changed. A word that is nearly right counts only in part, and
/// any word can stand for an argument.
fn edits(form: &str, said: &[String]) -> f64 {
    let mut row: Vec<f64> = (0..=said.len()).map(|count| count as f64).collect();
    for (at, wanted) in form.split(' ').enumerate() {
        let mut next = vec![(at + 1) as f64];
        for (column, word) in said.iter().enumerate() {
            let change = match wanted.starts_with('{') {
                true => 0.0,
                false => 1.0 - strsim::normalized_damerau_levenshtein(wanted, word),
            };
            next.push((row[column] + change).min(row[column + 1] + 1.0).min(next[column] + 1.0));
        }
        row = next;
    }
    row[said.len()]
}

type Build = fn(&[String], Option<&str>) -> Option<What>;

/// The whole vocabulary. `{}` is a word or a quoted text, `{…}` the rest of the line.
const FORMS: &[(&str, Build)] = &[
    ("the law {}", |a, _| Some(What::Law(a[0].clone()))),
    ("the flow {}", |a, _| Some(What::Law(a[0].clone()))),
    ("{} is set to {}", |a, _| Some(What::Set(a[0].clone(), a[1].parse().ok()?))),
    ("it is opened with {}", |a, _| Some(What::Opening(a[0].clone()))),
    ("it is opened with:", |_, doc| Some(What::Opening(doc?.to_owned()))),
    ("a new session", |_, _| Some(What::Begin)),
    ("the session begins", |_, _| Some(What::Begin)),
    ("the fact {} holds", |a, _| Some(What::Fact(a[0].clone(), true))),
    ("the fact {} does not hold", |a, _| Some(What::Fact(a[0].clone(), false))),
    ("{} happens", |a, _| happen(&a[0], "1", None)),
    ("{} happens {} times", |a, _| happen(&a[0], &a[1], None)),
    ("{} happens with {}", |a, _| happen(&a[0], "1", Some(a[1].clone()))),
    ("{} happens with:", |a, doc| happen(&a[0], "1", Some(doc?.to_owned()))),
    ("{} happens with each of:", |a, doc| {
        let lines = doc?.lines().map(str::trim).filter(|line| !line.is_empty());
        Some(What::HappenEach { event: a[0].clone(), payloads: lines.map(str::to_owned).collect() })
    }),
    ("the {} record {} is:", |a, doc| {
        Some(What::Remember { kind: a[0].clone(), key: a[1].clone(), body: doc?.to_owned() })
    }),
    ("these happen: {…}", |a, _| happen(&a[0], "1", None)),
    ("these happen {} times: {…}", |a, _| happen(&a[1], &a[0], None)),
    ("the learner says {}", |a, _| Some(What::Say { text: a[0].clone(), times: 1 })),
    ("the learner says {} {} times", |a, _| {
        Some(What::Say { text: a[0].clone(), times: a[1].parse().ok()? })
    }),
    ("{} passes", |a, _| Some(What::Pass { millis: crate::law::parse_duration_ms(&a[0])? })),
    ("a {} begins beside it", |a, _| Some(What::Beside { flow: a[0].clone(), opening: None })),
    ("a {} begins beside it with {}", |a, _| {
        Some(What::Beside { flow: a[0].clone(), opening: Some(a[1].clone()) })
    }),
    ("attention turns to the {}", |a, _| Some(What::TurnTo(a[0].clone()))),
    ("the process crashes and starts again", |_, _| Some(What::Crash)),
    ("the state is {}", |a, _| Some(What::StateIs(a[0].clone()))),
    ("the counter {} is {}", |a, _| Some(What::CounterIs(bare(&a[0]), a[1].parse().ok()?))),
    ("the session has ended with {}", |a, _| Some(What::EndedWith(a[0].clone()))),
    ("the session is still open", |_, _| Some(What::IsOpen)),
    ("{} is refused", |a, _| Some(What::Refused { event: a[0].clone(), payload: None })),
    ("{} is refused with {}", |a, _| {
        Some(What::Refused { event: a[0].clone(), payload: Some(a[1].clone()) })
    }),
    ("{} is refused with:", |a, doc| {
        Some(What::Refused { event: a[0].clone(), payload: Some(doc?.to_owned()) })
    }),
    ("{} was performed", |a, _| Some(What::Performed { action: a[0].clone(), times: None })),
    ("{} was performed {} times", |a, _| performed(&a[0], &a[1])),
    ("{} was not performed", |a, _| performed(&a[0], "0")),
    ("the session went through: {…}", |a, _| Some(What::WentThrough(list(&a[0])))),
    ("the view has {} at {}", |a, _| Some(What::ViewHas { pointer: a[1].clone(), value: a[0].clone() })),
    ("the entry has {} at {}", |a, _| Some(What::EntryHas { pointer: a[1].clone(), value: a[0].clone() })),
    ("there are {} {} records", |a, _| records(&a[1], &a[0], None)),
    ("there are {} {} records at {}", |a, _| records(&a[1], &a[0], Some(a[2].clone()))),
    ("a {} record has {} at {}", |a, _| {
        Some(What::RecordHas { kind: a[0].clone(), pointer: a[2].clone(), value: a[1].clone() })
    }),
    ("the coach says {}", |a, _| Some(What::CoachSays { text: a[0].clone(), is_said: true })),
    ("the coach does not say {}", |a, _| Some(What::CoachSays { text: a[0].clone(), is_said: false })),
    ("a replay of the log gives the same state", |_, _| Some(What::ReplayMatches)),
];

/// The forms of all steps, for help texts.
pub fn forms() -> impl Iterator<Item = &'static str> {
    FORMS.iter().map(|(form, _)| *form)
}

fn happen(events: &str, times: &str, payload: Option<String>) -> Option<What> {
    Some(What::Happen { events: list(events), times: times.parse().ok()?, payload })
}

fn records(kind: &str, count: &str, standing: Option<String>) -> Option<What> {
    Some(What::Records { kind: kind.to_owned(), standing, count: count.parse().ok()? })
}

fn performed(action: &str, times: &str) -> Option<What> {
    Some(What::Performed { action: action.to_owned(), times: Some(times.parse().ok()?) })
}

fn bare(name: &str) -> String {
    name.strip_prefix("counters.").unwrap_or(name).to_owned()
}

fn list(text: &str) -> Vec<String> {
    let words = text.split([',', '→']).map(str::trim).filter(|word| !word.is_empty());
    words.map(str::to_owned).collect()
}

fn parse(text: &str, docstring: Option<&str>) -> Option<What> {
    let text = text.trim();
    FORMS.iter().find_map(|(form, build)| build(&matches(form, text)?, docstring))
}

/// The arguments, when the text has the form.
fn matches(form: &str, text: &str) -> Option<Vec<String>> {
    let mut arguments = Vec::new();
    let mut rest = text;
    for part in form.split_inclusive(' ') {
        let word = part.trim_end();
        match word {
            "{…}" => {
                arguments.push(rest.to_owned());
                rest = "";
            }
            "{}" => {
                let (argument, after) = argument(rest)?;
                arguments.push(argument);
                rest = after.trim_start();
            }
            _ => {
                let after = rest.strip_prefix(word)?;
                if !after.is_empty() && !after.starts_with(' ') {
                    return None;
                }
                rest = after.trim_start();
            }
        }
    }
    rest.is_empty().then_some(arguments)
}

/// A quoted text, or everything up to the next blank.
fn argument(text: &str) -> Option<(String, &str)> {
    for (open, close) in [('"', '"'), ('`', '`'), ('“', '”')] {
        if let Some(quoted) = text.strip_prefix(open) {
            let end = quoted.find(close)?;
            return Some((quoted[..end].to_owned(), &quoted[end + close.len_utf8()..]));
        }
    }
    let end = text.find(' ').unwrap_or(text.len());
    (end > 0).then(|| (text[..end].to_owned(), &text[end..]))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn steps_read_as_they_are_meant() {
        for (text, what) in [
            ("the state is WAIT", What::StateIs("WAIT".into())),
            ("the counter counters.usage is 3", What::CounterIs("usage".into(), 3)),
            (
                "these happen 2 times: a, b",
                What::Happen { events: vec!["a".into(), "b".into()], times: 2, payload: None },
            ),
            ("the learner says \"Guten Tag!\"", What::Say { text: "Guten Tag!".into(), times: 1 }),
            ("20s passes", What::Pass { millis: 20_000 }),
        ] {
            assert_eq!(parse(text, None), Some(what), "{text}");
        }
        assert_eq!(parse("the state is", None), None);
        assert_eq!(parse("the counter usage is many", None), None);
    }

    #[test]
    fn outlines_run_once_a_row_and_unknown_steps_are_named() {
        let source = "Feature: f\n  Scenario Outline: s <n>\n    Then the state is <n>\n    Examples:\n      | n |\n      | A |\n      | B |\n";
        let scenarios = read(source).unwrap();
        assert_eq!(scenarios.iter().map(|s| s.name.as_str()).collect::<Vec<_>>(), ["s A", "s B"]);
        let scenarios =
            read("Feature: f\n  Scenario: s\n    Then pigs fly\n  Scenario: t\n    Then a is refused\n")
                .unwrap();
        assert_eq!(scenarios.iter().map(|s| s.unknown.len()).collect::<Vec<_>>(), [1, 0]);
        assert_eq!(scenarios[0].unknown[0].line, 3);
        assert!(read("nonsense").is_err());
    }

    #[test]
    fn a_misspelt_step_finds_its_form() {
        for (text, form) in [
            ("the stat is OPEN", Some("the state is {}")),
            ("coin hapens", Some("{} happens")),
            ("the learner say \"Guten Tag!\"", Some("the learner says {}")),
            ("the session ended with done", Some("the session has ended with {}")),
            ("pigs fly", None),
            ("", None),
        ] {
            assert_eq!(nearest_form(text), form, "{text}");
        }
    }
}
