//! Reads a problem and notes everything that is wrong with it on the way.

use super::kind::Kind;
use super::misreading::misread;
use super::wording::wordings;
use super::{
    Adversary, Catalogue, Complexity, HINTS, LANGUAGES, MicroLesson, Mutant, Problem, Sample, Signature,
    Slot, Slow, Sources, Template, WrongApproach,
};
use crate::authored::{At, Fields, Node, PackProblem, ProblemCode, Problems, WORD_CHARS, values};
use crate::grade::question::{Idea, Misconception};
use crate::judging::{Comparison, Test};
use serde_json::Value;
use std::collections::{HashMap, HashSet};

const LINE_CHARS: usize = 300;
const PROSE_CHARS: usize = 1_500;
const PAGE_CHARS: usize = 6_000;
const CODE_CHARS: usize = 20_000;
/// The least number of samples and tests together.
const MIN_TESTS: usize = 12;
const MAX_TESTS: usize = 300;
/// The number of first hints that must not name the pattern.
const SILENT_HINTS: usize = 2;

const PROBLEM_KEYS: &[&str] = &[
    "problem",
    "title",
    "language",
    "rung",
    "pattern",
    "close",
    "statement",
    "constraints",
    "signature",
    "starter",
    "comparison",
    "samples",
    "tests",
    "random",
    "large",
    "valid",
    "references",
    "mutants",
    "slow",
    "edges",
    "understand",
    "misreadings",
    "wrong_approaches",
    "complexity",
    "invariants",
    "hints",
    "cues",
    "micro_lesson",
    "adversary",
];
const SIGNATURE_KEYS: &[&str] = &["function", "parameters", "returns"];
const PARAMETER_KEYS: &[&str] = &["name", "type"];
const SAMPLE_KEYS: &[&str] = &["args", "expected", "why"];
const IDEA_KEYS: &[&str] = &["id", "idea", "any"];
const MISREADING_KEYS: &[&str] = &["any", "says"];
const APPROACH_KEYS: &[&str] = &["approach", "any", "why"];
const COMPLEXITY_KEYS: &[&str] = &["time", "space", "also"];
const TEMPLATE_KEYS: &[&str] = &["id", "text", "slots"];
const SLOT_KEYS: &[&str] = &["choices", "right"];
const MUTANT_KEYS: &[&str] = &["wrong", "python"];
const SLOW_KEYS: &[&str] = &["approach", "python", "javascript", "rust"];
const LESSON_KEYS: &[&str] = &["id", "title", "text"];
const ADVERSARY_KEYS: &[&str] = &["change", "ask", "ideas", "good"];
const COMPARISON_KEYS: &[&str] = &["float", "checker"];

/// Returns the problem, if the file has the shape of one, and everything that is wrong with it.
pub(super) fn read(
    source: &[u8],
    file_name: &str,
    catalogue: &Catalogue,
) -> (Option<Problem>, Vec<PackProblem>) {
    crate::authored::read(source, |problems, root| Reader { problems, catalogue }.problem(root, file_name))
}

struct Reader<'p> {
    problems: &'p Problems,
    catalogue: &'p Catalogue,
}

impl Reader<'_> {
    fn problem(&self, root: &At<Node>, file_name: &str) -> Option<Problem> {
        let fields = self.problems.fields(root, "a problem", PROBLEM_KEYS)?;
        let signature = self.signature(&fields);
        let pattern = self.pattern(&fields);
        let samples = self.samples(&fields, &signature);
        let tests = self.tests(&fields, &signature);
        self.check_tests(&fields, &samples, &tests);
        Some(Problem {
            id: fields.file_id("problem", file_name),
            title: fields.text("title", LINE_CHARS).value,
            language: fields.language("language"),
            rung: fields.whole("rung", 1..=5) as u8,
            close: self.close(&fields, &pattern),
            statement: fields.text("statement", PAGE_CHARS).value,
            constraints: values(fields.texts("constraints", 0..=12, LINE_CHARS)),
            starter: self.sources(&fields, "starter", &signature),
            comparison: self.comparison(&fields),
            samples,
            tests,
            random: fields.optional_text("random", CODE_CHARS),
            large: fields.optional_text("large", CODE_CHARS),
            valid: fields.optional_text("valid", CODE_CHARS),
            references: self.sources(&fields, "references", &signature),
            mutants: self.mutants(&fields),
            slow: self.slow(&fields),
            edges: values(fields.texts("edges", 0..=20, LINE_CHARS)),
            understand: self.ideas(&fields, "understand", 1..=8),
            misreadings: self.misreadings(&fields),
            wrong_approaches: self.wrong_approaches(&fields),
            complexity: self.complexity(&fields),
            invariants: self.invariants(&fields),
            hints: self.hints(&fields, &pattern),
            cues: values(fields.texts("cues", 1..=6, LINE_CHARS)),
            micro_lesson: self.micro_lesson(&fields),
            adversary: self.adversary(&fields),
            signature,
            pattern,
        })
    }

    /// Returns a part that is itself a set of fields.
    fn part<'n>(
        &'n self,
        fields: &Fields<'n>,
        key: &str,
        what: &'static str,
        keys: &[&str],
    ) -> Option<Fields<'n>> {
        if let Some(node) = fields.get(key) {
            return self.problems.fields(node, what, keys);
        }
        // This reports the part like any other missing field.
        fields.text(key, LINE_CHARS);
        None
    }

    fn signature(&self, fields: &Fields) -> Signature {
        let Some(part) = self.part(fields, "signature", "a signature", SIGNATURE_KEYS) else {
            return Signature { function: String::new(), parameters: Vec::new(), returns: Kind::Int };
        };
        let parameters = part.each("parameters", 0..=8, "a parameter", PARAMETER_KEYS);
        let parameter = |fields: &Fields| (fields.text("name", WORD_CHARS).value, self.kind(fields, "type"));
        Signature {
            function: part.text("function", WORD_CHARS).value,
            parameters: parameters.iter().map(parameter).collect(),
            returns: self.kind(&part, "returns"),
        }
    }

    fn kind(&self, fields: &Fields, key: &str) -> Kind {
        let text = fields.text(key, WORD_CHARS);
        Kind::parse(&text.value).unwrap_or_else(|| {
            let message = format!("“{}” is no type", text.value);
            let cure = "write int, float, bool, string, [T] for a list of T, or T? for T or null";
            self.problems.note(ProblemCode::BadType, text.place(), message, cure);
            Kind::Int
        })
    }

    fn pattern(&self, fields: &Fields) -> String {
        let pattern = fields.text("pattern", WORD_CHARS);
        self.check_pattern(&pattern);
        pattern.value
    }

    fn check_pattern(&self, pattern: &At<String>) {
        if !pattern.value.is_empty() && self.catalogue.pattern(&pattern.value).is_none() {
            let message = format!("there is no pattern “{}”", pattern.value);
            let cure = "write the id of a pattern in patterns.yaml";
            self.problems.note(ProblemCode::UnknownPattern, pattern.place(), message, cure);
        }
    }

    fn close(&self, fields: &Fields, right: &str) -> Vec<String> {
        let close = fields.texts("close", 0..=4, WORD_CHARS);
        for pattern in &close {
            self.check_pattern(pattern);
            if pattern.value == right {
                let message = format!("{right} is the right pattern and cannot be a close one");
                self.problems.note(ProblemCode::UnknownPattern, pattern.place(), message, "leave it out");
            }
        }
        values(close)
    }

    fn sources(&self, fields: &Fields, key: &str, signature: &Signature) -> Sources {
        let Some(part) = self.part(fields, key, "a program in each language", &LANGUAGES) else {
            return Sources(Vec::new());
        };
        let source = |language: &'static str| {
            let source = part.text(language, CODE_CHARS);
            if !source.value.is_empty() && !source.value.contains(&signature.function) {
                let message = format!("the {language} program has no function {}", signature.function);
                let cure = "give the function the name that the signature says";
                self.problems.note(ProblemCode::NoFunction, source.place(), message, cure);
            }
            (language, source.value + "\n")
        };
        Sources(LANGUAGES.into_iter().map(source).collect())
    }

    fn comparison(&self, fields: &Fields) -> Comparison {
        let Some(node) = fields.get("comparison") else { return Comparison::Exact };
        match &node.value {
            Node::Text(text) if text == "exact" => return Comparison::Exact,
            Node::Text(text) if text == "unordered" => return Comparison::Unordered,
            Node::Map(_) => {}
            _ => {
                let cure = "write exact, unordered, {float: 1.0e-6} or {checker: …}";
                let message = "this is no comparison";
                self.problems.note(ProblemCode::WrongShape, node.place(), message, cure);
                return Comparison::Exact;
            }
        }
        let Some(part) = self.problems.fields(node, "a comparison", COMPARISON_KEYS) else {
            return Comparison::Exact;
        };
        match part.get("float") {
            Some(node) => {
                Comparison::Float(node.value.json().and_then(|value| value.as_f64()).unwrap_or(1e-9))
            }
            None => Comparison::Checker(part.text("checker", CODE_CHARS).value),
        }
    }

    fn samples(&self, fields: &Fields, signature: &Signature) -> Vec<Sample> {
        let samples = fields.each("samples", 1..=6, "a sample", SAMPLE_KEYS);
        let sample = |fields: &Fields| {
            let (args, expected) = self.case(fields, signature)?;
            Some(Sample { args, expected, why: fields.optional_text("why", LINE_CHARS) })
        };
        samples.iter().filter_map(sample).collect()
    }

    fn tests(&self, fields: &Fields, signature: &Signature) -> Vec<Test> {
        let tests = fields.each("tests", 0..=MAX_TESTS, "a test", SAMPLE_KEYS);
        let test = |fields: &Fields| {
            let (args, expected) = self.case(fields, signature)?;
            Some(Test { args: Some(args), stdin: None, expected, hidden: true })
        };
        tests.iter().filter_map(test).collect()
    }

    /// Returns the arguments and the result of one test, and checks them against the signature.
    fn case(&self, fields: &Fields, signature: &Signature) -> Option<(Vec<Value>, Value)> {
        let value = |node: &At<Node>, kind: Option<&Kind>, what: String| {
            let value = node.value.json();
            if value.as_ref().is_none_or(|value| kind.is_some_and(|kind| !kind.takes(value))) {
                let wanted = kind.map_or_else(|| "JSON".to_owned(), ToString::to_string);
                let message = format!("{what} is not of the type {wanted}");
                let cure = "write a value of that type, or correct the signature";
                self.problems.note(ProblemCode::NotOfType, node.place(), message, cure);
            }
            value
        };
        let nodes = fields.list("args", 0..=8);
        if nodes.len() != signature.parameters.len() {
            let message = format!("{} arguments for {} parameters", nodes.len(), signature.parameters.len());
            let place = fields.place_of("args");
            self.problems.note(ProblemCode::NotOfType, place, message, "give one for each parameter");
        }
        let kinds = signature.parameters.iter().map(|(_, kind)| Some(kind)).chain(std::iter::repeat(None));
        let args = nodes.iter().zip(kinds).enumerate();
        let args = args.map(|(at, (node, kind))| value(node, kind, format!("argument {}", at + 1)));
        let args = args.collect::<Option<Vec<Value>>>();
        let Some(node) = fields.get("expected") else {
            fields.text("expected", LINE_CHARS);
            return None;
        };
        Some((args?, value(node, Some(&signature.returns), "the expected value".to_owned())?))
    }

    fn check_tests(&self, fields: &Fields, samples: &[Sample], tests: &[Test]) {
        let count = samples.len() + tests.len();
        let place = fields.place_of("tests");
        if count < MIN_TESTS {
            let message = format!("samples and tests together are {count}, fewer than {MIN_TESTS}");
            self.problems.note(ProblemCode::FewTests, place, message, "add tests, above all edge cases");
        }
        let args = samples.iter().map(|sample| &sample.args).chain(tests.iter().flat_map(|test| &test.args));
        let mut met = HashSet::new();
        for args in args.map(|args| Value::from(args.clone()).to_string()) {
            if met.contains(&args) {
                let shown: String = args.chars().take(60).collect();
                let message = format!("{shown} is tested twice");
                self.problems.note(ProblemCode::TestTwice, place, message, "keep one of the two");
            }
            met.insert(args);
        }
    }

    fn ideas(&self, fields: &Fields, key: &str, count: std::ops::RangeInclusive<usize>) -> Vec<Idea> {
        let ideas = fields.each(key, count, "an idea", IDEA_KEYS);
        let idea = |fields: &Fields| Idea {
            idea: fields.text("idea", LINE_CHARS).value,
            of: None,
            any: self.wordings(fields),
        };
        ideas.iter().map(idea).collect()
    }

    fn wordings(&self, fields: &Fields) -> Vec<String> {
        fields.texts("any", 1..=40, LINE_CHARS).iter().flat_map(|text| wordings(&text.value)).collect()
    }

    /// Reads the misreadings of the task. The statement itself must not sound like one of them.
    fn misreadings(&self, fields: &Fields) -> Vec<Misconception> {
        let written = fields.each("misreadings", 0..=12, "a misreading", MISREADING_KEYS);
        let misreading = |fields: &Fields| Misconception {
            any: self.wordings(fields),
            says: fields.text("says", LINE_CHARS).value,
        };
        let misreadings: Vec<Misconception> = written.iter().map(misreading).collect();
        let statement = fields.text("statement", PAGE_CHARS).value;
        for (misreading, fields) in misreadings.iter().zip(&written) {
            if let Some(found) = misread(std::slice::from_ref(misreading), &statement) {
                let message = format!("the statement says this misreading: “{}”", found.words);
                let cure = "make the wording narrower";
                self.problems.note(ProblemCode::AnswerHoldsMisconception, fields.place, message, cure);
            }
        }
        misreadings
    }

    fn wrong_approaches(&self, fields: &Fields) -> Vec<WrongApproach> {
        let approaches = fields.each("wrong_approaches", 1..=6, "a wrong approach", APPROACH_KEYS);
        let approach = |fields: &Fields| WrongApproach {
            approach: fields.text("approach", LINE_CHARS).value,
            any: self.wordings(fields),
            why: fields.text("why", LINE_CHARS).value,
        };
        approaches.iter().map(approach).collect()
    }

    fn complexity(&self, fields: &Fields) -> Complexity {
        let Some(part) = self.part(fields, "complexity", "a complexity", COMPLEXITY_KEYS) else {
            return Complexity { time: String::new(), space: String::new(), also: Vec::new() };
        };
        Complexity {
            time: part.text("time", WORD_CHARS).value,
            space: part.text("space", WORD_CHARS).value,
            also: values(part.texts("also", 0..=8, WORD_CHARS)),
        }
    }

    fn mutants(&self, fields: &Fields) -> Vec<Mutant> {
        let mutants = fields.each("mutants", 1..=12, "a mutant", MUTANT_KEYS);
        let mutant = |fields: &Fields| Mutant {
            wrong: fields.text("wrong", LINE_CHARS).value,
            python: fields.text("python", CODE_CHARS).value + "\n",
        };
        mutants.iter().map(mutant).collect()
    }

    fn slow(&self, fields: &Fields) -> Vec<Slow> {
        if fields.get("slow").is_none() {
            return Vec::new();
        }
        let slow = |fields: &Fields| {
            let source = |language: &'static str| {
                fields.optional_text(language, CODE_CHARS).map(|source| (language, source + "\n"))
            };
            let sources = Sources(LANGUAGES.into_iter().filter_map(source).collect());
            Slow { approach: fields.text("approach", LINE_CHARS).value, sources }
        };
        fields.each("slow", 1..=4, "a slow program", SLOW_KEYS).iter().map(slow).collect()
    }

    fn invariants(&self, fields: &Fields) -> Vec<Template> {
        let mut ids = HashMap::new();
        let templates = fields.each("invariants", 1..=4, "a template", TEMPLATE_KEYS);
        templates.iter().map(|fields| self.template(fields, &mut ids)).collect()
    }

    fn template(&self, fields: &Fields, ids: &mut HashMap<String, u64>) -> Template {
        let text = fields.text("text", LINE_CHARS);
        let slots = match fields.get("slots") {
            Some(At { value: Node::Map(entries), .. }) => {
                entries.iter().filter_map(|(name, node)| self.slot(&text, name, node)).collect()
            }
            _ => {
                let cure = "write each gap as NAME: {choices: […], right: 0}";
                self.problems.note(ProblemCode::WrongShape, fields.place, "a template has no slots", cure);
                Vec::new()
            }
        };
        let template = Template { id: fields.own_id(ids), text: text.value.clone(), slots };
        if template.filled(|_| 0).contains('{') {
            let message = "the text has a gap that no slot fills";
            self.problems.note(ProblemCode::BadSlot, text.place(), message, "add the slot");
        }
        template
    }

    fn slot(&self, text: &At<String>, name: &At<String>, node: &At<Node>) -> Option<Slot> {
        let fields = self.problems.fields(node, "a slot", SLOT_KEYS)?;
        let choices = values(fields.texts("choices", 2..=6, LINE_CHARS));
        let right = fields.whole("right", 0..=5) as usize;
        let message = match text.value.contains(&format!("{{{}}}", name.value)) {
            false => format!("the text has no gap {{{}}}", name.value),
            true if right >= choices.len() => format!("there is no choice {right}"),
            true => return Some(Slot { name: name.value.clone(), choices, right }),
        };
        let cure = "name every gap of the text, and count the choices from 0";
        self.problems.note(ProblemCode::BadSlot, name.place(), message, cure);
        None
    }

    fn hints(&self, fields: &Fields, pattern: &str) -> Vec<String> {
        let hints = fields.texts("hints", HINTS..=HINTS, PROSE_CHARS);
        let name = self.catalogue.pattern(pattern).map(|pattern| pattern.name.to_lowercase());
        let names = [Some(pattern.replace('-', " ")), Some(pattern.to_owned()), name];
        let tells = |hint: &str| {
            let hint = hint.to_lowercase();
            names.iter().flatten().any(|name| !name.is_empty() && hint.contains(name.as_str()))
        };
        for hint in hints.iter().take(SILENT_HINTS).filter(|hint| tells(&hint.value)) {
            let message = "a hint of the first two levels names the pattern";
            let cure = "ask about the problem instead; later levels may name it";
            self.problems.note(ProblemCode::HintTellsPattern, hint.place(), message, cure);
        }
        for hint in hints.iter().filter(|hint| hint.value.contains("```")) {
            let message = "a hint has a block of code";
            self.problems.note(ProblemCode::HintIsCode, hint.place(), message, "say it in words");
        }
        values(hints)
    }

    fn micro_lesson(&self, fields: &Fields) -> MicroLesson {
        let Some(part) = self.part(fields, "micro_lesson", "a micro-lesson", LESSON_KEYS) else {
            return MicroLesson { id: String::new(), title: String::new(), text: String::new() };
        };
        MicroLesson {
            id: part.text("id", WORD_CHARS).value,
            title: part.text("title", LINE_CHARS).value,
            text: part.text("text", PAGE_CHARS).value,
        }
    }

    fn adversary(&self, fields: &Fields) -> Adversary {
        let part = self.part(fields, "adversary", "a changed constraint", ADVERSARY_KEYS);
        let text =
            |key: &str, chars| part.as_ref().map_or_else(String::new, |part| part.text(key, chars).value);
        Adversary {
            change: text("change", WORD_CHARS),
            ask: text("ask", PROSE_CHARS),
            ideas: part.as_ref().map_or_else(Vec::new, |part| self.ideas(part, "ideas", 1..=6)),
            good: text("good", PROSE_CHARS),
        }
    }
}
