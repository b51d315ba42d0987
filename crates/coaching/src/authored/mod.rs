//! Reads the files that people write for Etude: packs, curricula and coding problems, in YAML.
//!
//! A file is read into a tree first, so that a check can report everything that is wrong with it at once. A value
//! that is missing or unusable is reported once and read as empty; the rest is still checked.

mod node;
mod problem;
pub(crate) mod rules;

use std::cell::RefCell;
use std::collections::HashMap;
use std::ops::RangeInclusive;

pub(crate) use node::{At, Node};
pub use problem::{PackProblem, ProblemCode, Severity};

/// The maximum size of a file. A larger one is refused.
pub(crate) const MAX_FILE_BYTES: usize = 4 << 20;
/// The maximum length of an id, a name or a language tag.
pub(crate) const WORD_CHARS: usize = 64;

/// Reads a file with `read`. Returns its value, and every problem in the order of the file.
pub(crate) fn read<T>(
    source: &[u8],
    read: impl FnOnce(&Problems, &At<Node>) -> Option<T>,
) -> (Option<T>, Vec<PackProblem>) {
    let problems = Problems::default();
    let value = problems.document(source).and_then(|root| read(&problems, &root));
    let mut problems = problems.into_inner();
    problems.sort_by_key(|problem| (problem.line, problem.column));
    (value, problems)
}

/// Returns the value, unless something is wrong with it. Warnings alone do not refuse it.
pub(crate) fn accept<T>((value, problems): (Option<T>, Vec<PackProblem>)) -> Result<T, Vec<PackProblem>> {
    let is_sound = problems.iter().all(|problem| problem.severity == Severity::Warning);
    value.filter(|_| is_sound).ok_or(problems)
}

pub(crate) fn values(texts: Vec<At<String>>) -> Vec<String> {
    texts.into_iter().map(|text| text.value).collect()
}

/// The problems found so far. Every part of a reader adds to them.
#[derive(Debug, Default)]
pub(crate) struct Problems(RefCell<Vec<PackProblem>>);

impl Problems {
    pub(crate) fn note(
        &self,
        code: ProblemCode,
        place: At<()>,
        message: impl Into<String>,
        cure: impl Into<String>,
    ) {
        let (severity, line, column) = (code.severity(), place.line, place.column);
        let (message, cure) = (message.into(), cure.into());
        self.0.borrow_mut().push(PackProblem { code, severity, line, column, message, cure });
    }

    pub(crate) fn into_inner(self) -> Vec<PackProblem> {
        self.0.into_inner()
    }

    fn document(&self, source: &[u8]) -> Option<At<Node>> {
        let top = At { value: (), line: 0, column: 0 };
        if source.len() > MAX_FILE_BYTES {
            let message = format!("the file has {} bytes, more than {MAX_FILE_BYTES}", source.len());
            self.note(ProblemCode::TooLarge, top, message, "split it into several files");
            return None;
        }
        let Ok(source) = std::str::from_utf8(source) else {
            self.note(ProblemCode::NotUtf8, top, "the file is not UTF-8 text", "save it as UTF-8");
            return None;
        };
        let note = |error: At<String>| {
            let place = error.place();
            self.note(ProblemCode::NotYaml, place, error.value, "correct the YAML at this place");
        };
        node::parse(source).map_err(note).ok()
    }

    /// Returns the fields of a mapping, and reports keys other than these. A node that is no mapping is reported
    /// too, and has no fields.
    pub(crate) fn fields<'n>(
        &'n self,
        node: &'n At<Node>,
        what: &'static str,
        keys: &[&str],
    ) -> Option<Fields<'n>> {
        let Node::Map(entries) = &node.value else {
            let message = format!("{what} is expected here, not {}", node.value.what());
            let cure = format!("write fields: {}", keys.join(", "));
            self.note(ProblemCode::WrongShape, node.place(), message, cure);
            return None;
        };
        for (key, _) in entries.iter().filter(|(key, _)| !keys.contains(&key.value.as_str())) {
            let message = format!("{what} has no field “{}”", key.value);
            let cure = format!("the fields are {}", keys.join(", "));
            self.note(ProblemCode::UnknownKey, key.place(), message, cure);
        }
        Some(Fields { problems: self, entries, what, place: node.place() })
    }

    /// Reads a list of texts without the empty ones, which are reported.
    pub(crate) fn texts(&self, nodes: &[At<Node>], key: &str, max_chars: usize) -> Vec<At<String>> {
        let texts = nodes.iter().map(|node| self.text(node, key, max_chars));
        texts.filter(|text| !text.value.is_empty()).collect()
    }

    fn text(&self, node: &At<Node>, key: &str, max_chars: usize) -> At<String> {
        let place = node.place();
        let text = match &node.value {
            Node::Text(text) => text.trim(),
            Node::Nothing => "",
            other => {
                let message = format!("“{key}” must be text, not {}", other.what());
                self.note(ProblemCode::WrongShape, place, message, "put the text in quotes");
                return place.map(|()| String::new());
            }
        };
        if text.is_empty() {
            let message = format!("“{key}” is empty");
            self.note(ProblemCode::EmptyField, place, message, "write it, or remove it if it is optional");
        }
        if text.chars().count() > max_chars {
            let message = format!("“{key}” is longer than {max_chars} characters");
            self.note(ProblemCode::TooLong, place, message, "shorten it");
            return place.map(|()| String::new());
        }
        if let Some(c) = rules::control_character(text) {
            let message = format!("“{key}” contains the control character U+{:04X}", u32::from(c));
            self.note(ProblemCode::ControlCharacter, place, message, "remove it");
        }
        place.map(|()| text.to_owned())
    }

    pub(crate) fn list<'n>(
        &self,
        node: &'n At<Node>,
        key: &str,
        what: &str,
        count: RangeInclusive<usize>,
    ) -> &'n [At<Node>] {
        let Node::List(list) = &node.value else {
            let message = format!("“{key}” must be a list, not {}", node.value.what());
            let cure = "write [a, b], or one entry per line after “- ”";
            self.note(ProblemCode::WrongShape, node.place(), message, cure);
            return &[];
        };
        self.check_count(list.len(), node.place(), key, what, &count);
        &list[..list.len().min(*count.end())]
    }

    fn check_count(
        &self,
        listed: usize,
        place: At<()>,
        key: &str,
        what: &str,
        count: &RangeInclusive<usize>,
    ) {
        if !count.contains(&listed) {
            let (min, max) = (count.start(), count.end());
            let entries = if listed == 1 { "entry" } else { "entries" };
            let message = format!("“{key}” has {listed} {entries}, but {what} needs {min} to {max}");
            self.note(ProblemCode::WrongCount, place, message, format!("write {min} to {max}"));
        }
    }

    fn check_id(&self, id: &At<String>) {
        if !id.value.is_empty() && !rules::is_id(&id.value) {
            let message = format!("“{}” cannot be an id", id.value);
            let cure = "use lower-case letters a to z, digits and single hyphens";
            self.note(ProblemCode::BadId, id.place(), message, cure);
        }
    }
}

/// The fields of one mapping, and the place where it begins.
pub(crate) struct Fields<'n> {
    problems: &'n Problems,
    entries: &'n [(At<String>, At<Node>)],
    what: &'static str,
    pub place: At<()>,
}

impl<'n> Fields<'n> {
    pub(crate) fn get(&self, key: &str) -> Option<&'n At<Node>> {
        self.entries.iter().find(|(name, _)| name.value == key).map(|(_, node)| node)
    }

    /// Returns the place of the value of `key`, or the place where the fields begin.
    pub(crate) fn place_of(&self, key: &str) -> At<()> {
        self.get(key).map_or(self.place, At::place)
    }

    /// Reads a required text. If it is missing or unusable, it is reported and empty.
    pub(crate) fn text(&self, key: &str, max_chars: usize) -> At<String> {
        match self.get(key) {
            Some(node) => self.problems.text(node, key, max_chars),
            None => {
                self.note_missing(key);
                self.place.map(|()| String::new())
            }
        }
    }

    pub(crate) fn optional_text(&self, key: &str, max_chars: usize) -> Option<String> {
        self.get(key).map(|node| self.problems.text(node, key, max_chars).value)
    }

    /// Reads a list of texts without the empty ones, which are reported.
    pub(crate) fn texts(&self, key: &str, count: RangeInclusive<usize>, max_chars: usize) -> Vec<At<String>> {
        self.problems.texts(self.list(key, count), key, max_chars)
    }

    /// Reads texts that may be written as one text or as a list.
    pub(crate) fn one_or_more(&self, key: &str, max_chars: usize) -> Vec<At<String>> {
        match self.get(key) {
            Some(At { value: Node::List(list), .. }) => self.problems.texts(list, key, max_chars),
            Some(node) => self.problems.texts(std::slice::from_ref(node), key, max_chars),
            None => Vec::new(),
        }
    }

    pub(crate) fn list(&self, key: &str, count: RangeInclusive<usize>) -> &'n [At<Node>] {
        match self.get(key) {
            Some(node) => self.problems.list(node, key, self.what, count),
            None => {
                self.problems.check_count(0, self.place, key, self.what, &count);
                &[]
            }
        }
    }

    /// Reads a list of mappings, each with these keys.
    pub(crate) fn each(
        &self,
        key: &str,
        count: RangeInclusive<usize>,
        what: &'static str,
        keys: &[&str],
    ) -> Vec<Fields<'n>> {
        let fields = |node| self.problems.fields(node, what, keys);
        self.list(key, count).iter().filter_map(fields).collect()
    }

    /// Reads a required whole number. If it is missing or unusable, it is reported, and the smallest allowed number
    /// is returned.
    pub(crate) fn whole(&self, key: &str, bounds: RangeInclusive<u64>) -> u64 {
        let (min, max) = (*bounds.start(), *bounds.end());
        match self.get(key) {
            Some(At { value: Node::Whole(number), .. }) if bounds.contains(number) => return *number,
            Some(node) => {
                let message = format!("“{key}” must be a whole number from {min} to {max}");
                self.problems.note(ProblemCode::BadNumber, node.place(), message, format!("write {key}: 10"));
            }
            None => self.note_missing(key),
        }
        min
    }

    /// Reads a truth value, which is false if it is absent.
    pub(crate) fn truth(&self, key: &str) -> bool {
        match self.get(key) {
            None => false,
            Some(At { value: Node::Truth(truth), .. }) => *truth,
            Some(node) => {
                let message = format!("“{key}” must be true or false, not {}", node.value.what());
                let cure = format!("write {key}: true");
                self.problems.note(ProblemCode::WrongShape, node.place(), message, cure);
                false
            }
        }
    }

    pub(crate) fn language(&self, key: &str) -> String {
        let tag = self.text(key, WORD_CHARS);
        if !tag.value.is_empty() && !rules::is_language_tag(&tag.value) {
            let message = format!("“{}” is not a language tag", tag.value);
            let cure = "write a tag such as de, en or pt-BR";
            self.problems.note(ProblemCode::BadLanguageTag, tag.place(), message, cure);
        }
        tag.value
    }

    /// Reads the id of the whole file, and reports one that differs from the file's name.
    pub(crate) fn file_id(&self, key: &str, file_name: &str) -> String {
        let id = self.text(key, WORD_CHARS);
        self.problems.check_id(&id);
        let stem = file_name.rsplit(['/', '\\']).next().unwrap_or_default();
        let stem = stem.strip_suffix(".yaml").or(stem.strip_suffix(".yml")).unwrap_or(stem);
        if !id.value.is_empty() && id.value != stem {
            let message = format!("the {key} is called {} but its file is called {stem}", id.value);
            self.problems.note(ProblemCode::NotTheFileName, id.place(), message, "give both the same name");
        }
        id.value
    }

    /// Reads the field `id`, and reports one that is used twice. `met` holds the ids found so far and the line of
    /// each.
    pub(crate) fn own_id(&self, met: &mut HashMap<String, u64>) -> String {
        let id = self.text("id", WORD_CHARS);
        self.problems.check_id(&id);
        let before = if id.value.is_empty() { None } else { met.insert(id.value.clone(), id.line) };
        if let Some(line) = before {
            let message = format!("the id {} is already used in line {line}", id.value);
            self.problems.note(ProblemCode::DuplicateId, id.place(), message, "give each its own id");
        }
        id.value
    }

    fn note_missing(&self, key: &str) {
        let message = format!("{} has no “{key}”", self.what);
        self.problems.note(ProblemCode::MissingField, self.place, message, format!("add {key}: …"));
    }
}
