//! Runs the tests, and helps with one that fails: the kind of mistake, and what to look at next. Never code.

use super::data::{Data, FailureExplanation, TestResult, TracedCase, VerifyPayload};
use super::replies::ExplainedFailure;
use super::{values, words};
use crate::judging::{Exam, Run, Smallest, Tracing, Verdict};
use crate::pack::cards::fnv1a;
use crate::problems::Problem;
use crate::rejected::Rejected;
use crate::words::Text;
use jiff::Timestamp;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::Value;

const MAX_EXPLANATION_CHARS: usize = 2_000;
const MAX_EXPLANATIONS: usize = 50;
/// The minimum number of words of a guess about a mistake.
const MIN_REASON_WORDS: usize = 2;
/// The minimum number of words that an explanation shares with the rule that it is about.
const MIN_COMMON_WORDS: usize = 2;
/// The name of an error that ended the program and says no more, and the words by which people speak of it.
const CRASH: &str = "crash";
const CRASH_CUES: &[&str] = &[
    " throw",
    " exception",
    " crash",
    " error",
    " raise",
    " panic",
    " abort",
    " wirft",
    " ausnahme",
    " stürzt",
    " fehler",
    " bricht ab",
];

pub(super) fn run(problem: &Problem, data: &Data) -> Run {
    Run {
        number: data.run,
        language: data.language.clone(),
        source: data.code.clone().unwrap_or_default(),
        problem: Some(problem.id.clone()),
        tests: None,
        answered_by: "judged".to_owned(),
    }
}

/// Returns the tests that a program is tried with. The random tests depend on the program: a program gets the same
/// verdict again, and one that was made to know its tests gets others.
pub(super) fn exam(problem: &Problem, source: &str) -> Exam {
    problem.exam(fnv1a(source.as_bytes()))
}

/// A test to be shown line by line.
#[derive(Debug, Clone, Default, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields, default)]
#[schemars(extend("examples" = [{ "testIndex": 0 }]))]
pub struct TraceTest {
    /// A test whose values are shown; else the smallest input that fails
    pub test_index: Option<usize>,
}

/// The languages in which a program can be shown line by line.
const TRACEABLE: [&str; 2] = ["python", "javascript"];

/// Returns the test that a trace shows if nothing else is asked for, or `Some(None)` for the smallest input that
/// fails. Returns `None` if the language cannot be traced, or if no visible test fails and no smaller input was
/// found.
pub(super) fn default_case(data: &Data) -> Option<Option<usize>> {
    let verify = data.verify.as_ref().filter(|_| TRACEABLE.contains(&data.language.as_str()))?;
    let is_shown = |test: &&TestResult| !test.passed && !test.hidden;
    let first = || verify.test_results.iter().find(is_shown).map(|test| Some(test.test_index));
    verify.smallest_failure.as_ref().map(|_| None).or_else(first)
}

pub(super) fn hear_trace(problem: &Problem, data: &mut Data, asked: &TraceTest) -> Result<(), Rejected> {
    // The law refuses a trace before any test has run.
    let Some(verify) = &data.verify else { return Ok(()) };
    if !TRACEABLE.contains(&data.language.as_str()) {
        return Err(words::not_traceable(data.language.as_str()));
    }
    let test_index = match asked.test_index {
        Some(index) => Some(index),
        None => default_case(data).ok_or_else(words::nothing_to_trace)?,
    };
    let smallest = verify.smallest_failure.as_ref();
    let (args, expected) = match (test_index, smallest) {
        (None, Some(smallest)) => (smallest.args.clone(), smallest.expected.clone()),
        (index, _) => visible_case(problem, data, index.unwrap_or_default())?,
    };
    data.tracing = Some(TracedCase { test_index, args, expected, trace: None, message: None });
    Ok(())
}

/// Returns the values of a test, if it shows them. Refuses a test that is unknown or hidden.
fn visible_case(problem: &Problem, data: &Data, index: usize) -> Result<(Vec<Value>, Value), Rejected> {
    let results = data.verify.iter().flat_map(|verify| &verify.test_results);
    let last = results.clone().count().saturating_sub(1);
    let result = results.clone().find(|test| test.test_index == index);
    let hidden = result.ok_or_else(|| words::unknown_test(index, last))?.hidden;
    let test = problem.tests().tests.into_iter().nth(index).filter(|test| !hidden && !test.hidden);
    let test = test.ok_or_else(|| words::hidden_test(index))?;
    Ok((test.args.unwrap_or_default(), test.expected))
}

pub(super) fn tracing(problem: &Problem, data: &Data) -> Option<Tracing> {
    Some(Tracing {
        number: data.run,
        language: data.language.clone(),
        source: data.code.clone().unwrap_or_default(),
        function: problem.signature.function.clone(),
        args: data.tracing.as_ref()?.args.clone(),
        answered_by: "traced".to_owned(),
    })
}

/// Describes the smallest input that fails.
pub(super) fn smallest_case(problem: &Problem, smallest: &Smallest) -> Text {
    let call = values::short(&values::call(&problem.signature.function, &smallest.args));
    match (&smallest.difference, &smallest.message) {
        (Some(difference), _) => {
            let (expected, actual) = (values::short(&difference.expected), values::short(&difference.actual));
            words::smallest(call, expected, actual)
        }
        (None, message) => {
            let message = values::short(message.as_deref().unwrap_or_default());
            words::smallest_failed(call, ending(smallest.verdict, message))
        }
    }
}

/// A test that fails, and why the learner thinks it does.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
#[schemars(extend("examples" = [{
    "testIndex": 0, "expected": "[0, 1]", "actual": "[0, 2]", "userExplanation": "One too far?",
}]))]
pub struct ExplainFailure {
    /// Which test, counted from 0
    pub test_index: usize,
    /// As the report shows it
    #[serde(default)]
    pub test_input: String,
    /// As the report shows it
    #[serde(default)]
    pub expected: String,
    /// As the report shows it
    #[serde(default)]
    pub actual: String,
    /// What you think goes wrong
    #[serde(default)]
    pub user_explanation: String,
}

/// The kind of mistake behind a failing test.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum BugType {
    MissingEdgeCase,
    OffByOne,
    WrongCondition,
    MissingReturn,
    Boundary,
    Type,
    Termination,
    Logic,
    /// A program that does not compile.
    Syntax,
}

impl BugType {
    pub fn name(self) -> &'static str {
        match self {
            BugType::MissingEdgeCase => "missing_edge_case",
            BugType::OffByOne => "off_by_one",
            BugType::WrongCondition => "wrong_condition",
            BugType::MissingReturn => "missing_return",
            BugType::Boundary => "boundary",
            BugType::Type => "type",
            BugType::Termination => "termination",
            BugType::Logic => "logic",
            BugType::Syntax => "syntax",
        }
    }
}

impl BugType {
    /// Returns the words by which people speak of such a mistake.
    fn cues(self) -> &'static [&'static str] {
        match self {
            BugType::MissingEdgeCase => &[
                " empty",
                " single",
                " edge",
                " only one",
                " one element",
                " leer",
                " einzeln",
                " sonderfall",
                " randfall",
            ],
            BugType::OffByOne => &[
                " one too",
                " off by one",
                " one less",
                " one more",
                " once too",
                " last ",
                " range",
                " eins zu",
                " einmal zu",
                " letzte",
            ],
            BugType::WrongCondition => &[
                " condition",
                " compar",
                " wrong way",
                " opposite",
                " true instead",
                " false instead",
                " negat",
                " bedingung",
                " vergleich",
            ],
            BugType::MissingReturn => {
                &[" return", " none", " nothing", " null", " undefined", " zurück", " nichts", " rückgabe"]
            }
            BugType::Boundary => {
                &[" index", " bound", " range", " beyond", " past the end", " length", " grenze", " länge"]
            }
            BugType::Type => &[
                " type", " string", " integer", " a set", " list", " tuple", " convert", " typ", " menge",
                " liste",
            ],
            BugType::Termination => &[
                " slow",
                " never end",
                " infinite",
                " forever",
                " too long",
                " recursi",
                " loop",
                " endlos",
                " langsam",
                " schleife",
            ],
            BugType::Syntax => {
                &[" syntax", " compil", " bracket", " indent", " semicolon", " klammer", " übersetz"]
            }
            BugType::Logic => &[],
        }
    }
}

/// Checks that the question is about a test that failed in the judge's own report. The law decides whether there
/// must be a report.
pub(super) fn check(data: &Data, asked: &ExplainFailure) -> Result<(), Rejected> {
    let Some(verify) = &data.verify else { return Ok(()) };
    if asked.user_explanation.chars().count() > MAX_EXPLANATION_CHARS {
        return Err(words::too_long("userExplanation", MAX_EXPLANATION_CHARS as u32));
    }
    // A program that does not compile fails every test in the same way.
    if verify.test_results.is_empty() {
        return Ok(());
    }
    let found = verify.test_results.iter().find(|test| test.test_index == asked.test_index);
    let Some(test) = found else {
        return Err(words::unknown_test(asked.test_index, verify.test_results.len() - 1));
    };
    if test.passed {
        return Err(words::test_passed(asked.test_index));
    }
    let Some(difference) = &test.difference else { return Ok(()) };
    let is_other = |said: &str, known: &str| !said.trim().is_empty() && squeezed(said) != squeezed(known);
    let said = [&asked.test_input, &asked.expected, &asked.actual];
    let known = [&difference.input, &difference.expected, &difference.actual];
    match said.into_iter().zip(known).any(|(said, known)| is_other(said, known)) {
        true => Err(words::not_the_result(asked.test_index)),
        false => Ok(()),
    }
}

fn squeezed(text: &str) -> String {
    text.chars().filter(|c| !c.is_whitespace()).collect()
}

/// Guides the learner to the mistake behind a failing test.
pub(super) fn guide(
    problem: &Problem,
    data: &mut Data,
    asked: &ExplainFailure,
    now_us: i64,
) -> Option<ExplainedFailure> {
    let verify = data.verify.as_mut()?;
    let found = verify.test_results.iter().find(|test| test.test_index == asked.test_index);
    let test = &found.cloned().unwrap_or_else(|| not_compiled(verify, asked.test_index));
    let args = args_of(problem, test.test_index);
    let smallest = verify.smallest_failure.clone().filter(|smallest| smallest.test_index == test.test_index);
    let bug = match smallest.as_ref().filter(|_| test.hidden) {
        Some(smallest) => bug_type(&seen(test, smallest), Some(&smallest.args)),
        None => bug_type(test, args.as_deref()),
    };
    let explanation = explanation(problem, test, args.as_deref(), bug);
    let about = about(problem, test, bug, &asked.user_explanation);
    let next = words::next_step(bug.name());
    if verify.failure_explanations.len() >= MAX_EXPLANATIONS {
        verify.failure_explanations.remove(0);
    }
    verify.failure_explanations.push(FailureExplanation {
        test_index: asked.test_index,
        user_explanation: asked.user_explanation.clone(),
        ai_guidance: explanation.clone(),
        timestamp: Timestamp::from_microsecond(now_us).unwrap_or_default(),
    });
    Some(ExplainedFailure {
        likely_bug_type: bug,
        about_your_explanation: about,
        failing_case_explanation: explanation,
        smallest_case: smallest.as_ref().map(|smallest| smallest_case(problem, smallest)),
        smallest_failure: smallest,
        suggested_next_debug_step: next,
    })
}

/// Returns the result of a test whose program does not compile.
fn not_compiled(verify: &VerifyPayload, test_index: usize) -> TestResult {
    TestResult {
        test_index,
        verdict: verify.verdict,
        passed: false,
        hidden: false,
        time_ms: 0,
        memory_kb: 0,
        difference: None,
        message: verify.message.clone(),
    }
}

/// Returns a hidden test with the outcome of its smallest relative, which may be shown.
fn seen(test: &TestResult, smallest: &Smallest) -> TestResult {
    let Smallest { verdict, difference, message, .. } = smallest.clone();
    TestResult { verdict, difference, message, ..test.clone() }
}

/// Returns the arguments of one of the problem's own tests. Random tests have none here.
fn args_of(problem: &Problem, index: usize) -> Option<Vec<Value>> {
    problem.tests().tests.into_iter().nth(index)?.args
}

/// Returns the kind of mistake, by what is known about a test. The first kind that applies counts.
pub(super) fn bug_type(test: &TestResult, args: Option<&[Value]>) -> BugType {
    let message = test.message.as_deref().unwrap_or_default().to_lowercase();
    let says = |words: &[&str]| words.iter().any(|word| message.contains(word));
    let values = test.difference.as_ref().map(|difference| {
        let json = |text: &str| serde_json::from_str::<Value>(text).ok();
        (json(&difference.expected), json(&difference.actual))
    });
    let (expected, actual) = values.unwrap_or_default();
    match test.verdict {
        Verdict::CompileError => return BugType::Syntax,
        Verdict::TimeLimit | Verdict::MemoryLimit | Verdict::OutputLimit => return BugType::Termination,
        _ => {}
    }
    if says(&["recursion", "stack overflow", "call stack"]) {
        return BugType::Termination;
    }
    if args.is_some_and(is_edge) {
        return BugType::MissingEdgeCase;
    }
    match (expected, actual) {
        (Some(expected), Some(actual)) if !actual.is_null() && !is_alike(&expected, &actual) => BugType::Type,
        (Some(Value::Number(expected)), Some(Value::Number(actual))) if is_next(&expected, &actual) => {
            BugType::OffByOne
        }
        (Some(Value::Bool(expected)), Some(Value::Bool(actual))) if expected != actual => {
            BugType::WrongCondition
        }
        (Some(expected), Some(Value::Null)) if !expected.is_null() => BugType::MissingReturn,
        _ if says(&["index", "out of range", "out of bounds", "keyerror", "key error"]) => BugType::Boundary,
        _ if says(&[
            "typeerror",
            "type error",
            "not a function",
            "unsupported operand",
            "cannot read prop",
            "value of type",
        ]) =>
        {
            BugType::Type
        }
        _ => BugType::Logic,
    }
}

/// Whether the first list or text among the arguments has one element or none.
fn is_edge(args: &[Value]) -> bool {
    args.iter().find_map(size).is_some_and(|size| size <= 1)
}

fn size(value: &Value) -> Option<usize> {
    match value {
        Value::Array(list) => Some(list.len()),
        Value::String(text) => Some(text.chars().count()),
        _ => None,
    }
}

/// Whether two values are of one kind.
fn is_alike(one: &Value, other: &Value) -> bool {
    std::mem::discriminant(one) == std::mem::discriminant(other)
}

/// Judges a learner's explanation: agreed with, too short, about a rule of the problem, or something that the coach
/// cannot judge. One case seldom shows what is not its cause.
fn about(problem: &Problem, test: &TestResult, bug: BugType, said: &str) -> Option<Text> {
    let folded = values::folded(said);
    if folded.is_empty() {
        return None;
    }
    if folded.split(' ').filter(|word| word.chars().any(char::is_alphabetic)).count() < MIN_REASON_WORDS {
        return Some(words::said_too_little());
    }
    let is_named = |word: &&str| format!(" {folded} ").contains(*word);
    let is_raised = |error: &String| folded.split(' ').any(|word| word == error);
    let kind = if has_crashed(test, bug) { CRASH } else { bug.name() };
    let is_crash = kind == CRASH && CRASH_CUES.iter().any(is_named);
    if is_crash || bug.cues().iter().any(is_named) || raised(test).as_ref().is_some_and(is_raised) {
        return Some(words::said_fits(kind));
    }
    let said = values::stems(said);
    let rules = problem.understand.iter().map(|idea| &idea.idea);
    let mut rules = rules.chain(problem.mutants.iter().map(|mutant| &mutant.wrong)).chain(&problem.edges);
    let is_said = |rule: &String| {
        let rule = values::stems(rule);
        let common = rule.intersection(&said).count();
        common >= MIN_COMMON_WORDS && common * 2 >= rule.len()
    };
    Some(if rules.any(is_said) { words::said_rule() } else { words::said_unsure(kind) })
}

/// Whether an error ended the program, and nothing more is known about it.
fn has_crashed(test: &TestResult, bug: BugType) -> bool {
    test.verdict == Verdict::RuntimeError && bug == BugType::Logic
}

/// Returns the name of the error that ended the program, folded: “nameerror” of “NameError: name 'O' is not
/// defined”.
fn raised(test: &TestResult) -> Option<String> {
    let name = test.message.as_deref()?.split(':').next()?.trim();
    let is_name = name.ends_with("Error") && name.chars().all(char::is_alphanumeric);
    is_name.then(|| values::folded(name))
}

fn is_next(a: &serde_json::Number, b: &serde_json::Number) -> bool {
    match (a.as_i64(), b.as_i64()) {
        (Some(a), Some(b)) => a.abs_diff(b) == 1,
        _ => false,
    }
}

/// Describes the failing case: its values if it is not hidden, otherwise only how large it is.
fn explanation(problem: &Problem, test: &TestResult, args: Option<&[Value]>, bug: BugType) -> Text {
    let verdict = verdict(test.verdict);
    match &test.difference {
        Some(difference) => {
            let (input, expected) = (values::short(&difference.input), values::short(&difference.expected));
            words::case_seen(bug.name(), input, expected, values::short(&difference.actual))
        }
        None if test.hidden => {
            let size = args.and_then(|args| args.iter().find_map(size));
            let size = size.map_or("unknown", |size| match size {
                0 => "none",
                1 => "one",
                2..=20 => "some",
                _ => "many",
            });
            words::case_hidden(bug.name(), test.test_index + 1, verdict, size)
        }
        None => {
            let input = args.map(|args| values::call(&problem.signature.function, args)).unwrap_or_default();
            let message = values::short(test.message.as_deref().unwrap_or_default());
            words::case_failed(bug.name(), input, ending(test.verdict, message))
        }
    }
}

/// Returns the outcome of a run, with the message about it if there is one.
pub(super) fn ending(ended: Verdict, message: String) -> Text {
    match message.trim() {
        "" => verdict(ended),
        message => words::verdict_with(verdict(ended), message),
    }
}

pub(super) fn verdict(verdict: Verdict) -> Text {
    words::verdict(match verdict {
        Verdict::Accepted => "accepted",
        Verdict::WrongAnswer => "wrong_answer",
        Verdict::TimeLimit => "time_limit",
        Verdict::MemoryLimit => "memory_limit",
        Verdict::OutputLimit => "output_limit",
        Verdict::RuntimeError => "runtime_error",
        Verdict::CompileError => "compile_error",
        Verdict::InternalError => "internal_error",
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::judging::Difference;
    use serde_json::json;

    fn failed(verdict: Verdict, message: &str, values: Option<(&str, &str)>) -> TestResult {
        TestResult {
            test_index: 0,
            verdict,
            passed: false,
            hidden: false,
            time_ms: 1,
            memory_kb: 1,
            difference: values.map(|(expected, actual)| Difference {
                input: String::new(),
                expected: expected.to_owned(),
                actual: actual.to_owned(),
                place: None,
            }),
            message: Some(message.to_owned()),
        }
    }

    #[test]
    fn every_kind_of_mistake_is_told_from_the_others() {
        use Verdict::{MemoryLimit, RuntimeError, TimeLimit, WrongAnswer};
        let many = json!([[1, 2, 3], 4]);
        for (verdict, message, values, args, kind) in [
            (WrongAnswer, "", Some(("0", "7")), json!([[], 4]), BugType::MissingEdgeCase),
            (RuntimeError, "it returned a value of type set", None, many.clone(), BugType::Type),
            (WrongAnswer, "", Some(("[0, 1]", "{\"0\": 1}")), many.clone(), BugType::Type),
            (WrongAnswer, "", Some(("0", "7")), json!([[9], 4]), BugType::MissingEdgeCase),
            (WrongAnswer, "", Some(("\"a\"", "\"b\"")), json!(["x"]), BugType::MissingEdgeCase),
            (
                RuntimeError,
                "IndexError: list index out of range",
                None,
                json!([[]]),
                BugType::MissingEdgeCase,
            ),
            (WrongAnswer, "", Some(("5", "4")), many.clone(), BugType::OffByOne),
            (WrongAnswer, "", Some(("-5", "-4")), many.clone(), BugType::OffByOne),
            (WrongAnswer, "", Some(("true", "false")), many.clone(), BugType::WrongCondition),
            (WrongAnswer, "", Some(("[1]", "null")), many.clone(), BugType::MissingReturn),
            (RuntimeError, "IndexError: list index out of range", None, many.clone(), BugType::Boundary),
            (RuntimeError, "index out of bounds: the len is 3", None, many.clone(), BugType::Boundary),
            (RuntimeError, "TypeError: unsupported operand", None, many.clone(), BugType::Type),
            (
                RuntimeError,
                "RecursionError: maximum recursion depth",
                None,
                many.clone(),
                BugType::Termination,
            ),
            (RuntimeError, "Maximum call stack size exceeded", None, many.clone(), BugType::Termination),
            (TimeLimit, "", None, many.clone(), BugType::Termination),
            (TimeLimit, "", None, json!([[]]), BugType::Termination),
            (MemoryLimit, "", None, many.clone(), BugType::Termination),
            (WrongAnswer, "", Some(("5", "9")), many.clone(), BugType::Logic),
            (RuntimeError, "ZeroDivisionError", None, many.clone(), BugType::Logic),
            (Verdict::CompileError, "", None, many, BugType::Syntax),
        ] {
            let args = args.as_array().cloned();
            let found = bug_type(&failed(verdict, message, values), args.as_deref());
            assert_eq!(found, kind, "{verdict:?} {message} {values:?} {args:?}");
        }
    }
}
