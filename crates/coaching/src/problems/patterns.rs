//! Reads the catalogue of patterns and its question tree.

use super::{Slot, Template};
use crate::authored::{At, Fields, Node as Yaml, PackProblem, ProblemCode, Problems, WORD_CHARS, values};
use std::collections::{HashMap, HashSet};

const LINE_CHARS: usize = 300;
const PATTERNS: std::ops::RangeInclusive<usize> = 1..=60;
/// The greatest number of questions on one path through the tree.
pub const MAX_QUESTIONS: usize = 5;
/// The greatest number of patterns at the end of a path.
const MAX_LEFT: usize = 3;

#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Catalogue {
    pub patterns: Vec<Pattern>,
    /// The question tree; the first node is asked first.
    pub discovery: Vec<Node>,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Pattern {
    pub id: String,
    pub name: String,
    /// Sentences that say when the pattern fits.
    pub when: Vec<String>,
    /// The sentence about what stays true, with `{slots}`.
    pub invariant: String,
    pub confusions: Vec<Confusion>,
    pub complexity: String,
    /// A question that leads a learner back to the invariant.
    pub invariant_question: String,
    /// A question that leads a learner back to the complexity.
    pub complexity_question: String,
}

/// A way to tell a pattern from a similar one.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Confusion {
    pub with: String,
    pub tell: String,
}

/// A question of the tree.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Node {
    pub id: String,
    pub ask: String,
    pub choices: Vec<(String, Turn)>,
}

/// The destination of an answer.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Turn {
    Next(String),
    Patterns(Vec<String>),
}

impl Pattern {
    /// Returns the sentence about what stays true. Its gaps have no choices.
    pub fn template(&self) -> Template {
        let gaps = self.invariant.split('{').skip(1).filter_map(|part| Some(part.split_once('}')?.0));
        let mut names: Vec<&str> = Vec::new();
        gaps.for_each(|name| {
            if !names.contains(&name) {
                names.push(name)
            }
        });
        let slot = |name: &str| Slot { name: name.to_owned(), choices: Vec::new(), right: 0 };
        let slots = names.into_iter().map(slot).collect();
        Template { id: self.id.clone(), text: self.invariant.clone(), slots }
    }
}

impl Catalogue {
    pub fn read(source: &[u8]) -> Result<Catalogue, Vec<PackProblem>> {
        crate::authored::accept(read(source))
    }

    pub fn pattern(&self, id: &str) -> Option<&Pattern> {
        self.patterns.iter().find(|pattern| pattern.id == id)
    }

    pub fn node(&self, id: &str) -> Option<&Node> {
        self.discovery.iter().find(|node| node.id == id)
    }
}

pub(super) fn read(source: &[u8]) -> (Option<Catalogue>, Vec<PackProblem>) {
    crate::authored::read(source, catalogue)
}

const CATALOGUE_KEYS: &[&str] = &["patterns", "discovery"];
const PATTERN_KEYS: &[&str] = &[
    "id",
    "name",
    "when",
    "invariant",
    "confusions",
    "complexity",
    "invariant_question",
    "complexity_question",
];
const CONFUSION_KEYS: &[&str] = &["with", "tell"];
const NODE_KEYS: &[&str] = &["id", "ask", "choices"];
const CHOICE_KEYS: &[&str] = &["text", "next", "patterns"];

fn catalogue(problems: &Problems, root: &At<Yaml>) -> Option<Catalogue> {
    let fields = problems.fields(root, "a catalogue of patterns", CATALOGUE_KEYS)?;
    let mut ids = HashMap::new();
    let patterns = fields.each("patterns", PATTERNS, "a pattern", PATTERN_KEYS);
    let patterns = patterns.iter().map(|fields| pattern(fields, &mut ids)).collect();
    let mut ids = HashMap::new();
    let nodes = fields.each("discovery", 1..=100, "a question of the tree", NODE_KEYS);
    let discovery = nodes.iter().map(|fields| node(fields, &mut ids)).collect();
    let catalogue = Catalogue { patterns, discovery };
    check(problems, &catalogue, &fields);
    Some(catalogue)
}

fn pattern(fields: &Fields, ids: &mut HashMap<String, u64>) -> Pattern {
    let confusions = fields.each("confusions", 0..=12, "a confusion", CONFUSION_KEYS);
    let confusion = |fields: &Fields| Confusion {
        with: fields.text("with", WORD_CHARS).value,
        tell: fields.text("tell", LINE_CHARS).value,
    };
    Pattern {
        id: fields.own_id(ids),
        name: fields.text("name", LINE_CHARS).value,
        when: values(fields.texts("when", 1..=8, LINE_CHARS)),
        invariant: fields.text("invariant", LINE_CHARS).value,
        confusions: confusions.iter().map(confusion).collect(),
        complexity: fields.text("complexity", LINE_CHARS).value,
        invariant_question: fields.text("invariant_question", LINE_CHARS).value,
        complexity_question: fields.text("complexity_question", LINE_CHARS).value,
    }
}

fn node(fields: &Fields, ids: &mut HashMap<String, u64>) -> Node {
    let choice = |fields: &Fields| {
        let turn = match fields.optional_text("next", WORD_CHARS) {
            Some(next) => Turn::Next(next),
            None => Turn::Patterns(values(fields.texts("patterns", 1..=MAX_LEFT, WORD_CHARS))),
        };
        (fields.text("text", LINE_CHARS).value, turn)
    };
    let choices = fields.each("choices", 2..=8, "a choice", CHOICE_KEYS);
    Node {
        id: fields.own_id(ids),
        ask: fields.text("ask", LINE_CHARS).value,
        choices: choices.iter().map(choice).collect(),
    }
}

fn check(problems: &Problems, catalogue: &Catalogue, fields: &Fields) {
    let note =
        |code, key, message: String, cure: &str| problems.note(code, fields.place_of(key), message, cure);
    let confusions = catalogue.patterns.iter().flat_map(|pattern| &pattern.confusions);
    for unknown in confusions.filter(|confusion| catalogue.pattern(&confusion.with).is_none()) {
        let message = format!("a confusion names “{}”, which is no pattern", unknown.with);
        note(ProblemCode::UnknownPattern, "patterns", message, "name a pattern of this file");
    }
    let mut walk = Walk { catalogue, found: HashSet::new(), broken: Vec::new() };
    if let Some(first) = catalogue.discovery.first() {
        walk.visit(&first.id, 1);
    }
    let Walk { found, mut broken, .. } = walk;
    let unreachable = catalogue.patterns.iter().filter(|pattern| !found.contains(&pattern.id));
    broken.extend(unreachable.map(|pattern| format!("no answers lead to the pattern {}", pattern.id)));
    for message in broken {
        let cure = "correct the tree: at most 5 questions deep, every pattern reachable";
        note(ProblemCode::BrokenTree, "discovery", message, cure);
    }
}

/// A walk along every path of the tree from its first question.
struct Walk<'c> {
    catalogue: &'c Catalogue,
    found: HashSet<String>,
    broken: Vec<String>,
}

impl Walk<'_> {
    fn visit(&mut self, id: &str, depth: usize) {
        let catalogue = self.catalogue;
        let Some(node) = catalogue.node(id) else {
            return self.broken.push(format!("an answer leads to “{id}”, which is no question of the tree"));
        };
        if depth > MAX_QUESTIONS {
            return self
                .broken
                .push(format!("the question {id} comes after {MAX_QUESTIONS} others, or in a cycle"));
        }
        for (_, turn) in &node.choices {
            match turn {
                Turn::Next(next) => self.visit(next, depth + 1),
                Turn::Patterns(ids) => {
                    let unknown = ids.iter().filter(|id| catalogue.pattern(id).is_none());
                    self.broken
                        .extend(unknown.map(|id| format!("an answer leads to “{id}”, which is no pattern")));
                    self.found.extend(ids.iter().cloned());
                }
            }
        }
    }
}
