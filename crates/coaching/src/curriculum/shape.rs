//! Reading shapes out of a tree with places: every value of a curriculum goes through one of these.
//!
//! A value that is missing or unusable is noted once and read as empty, so that the rest is still checked.

use std::ops::RangeInclusive;

use crate::pack::node::{At, Node};
use crate::pack::{PackProblem, ProblemCode, rules};

/// The problems met so far.
#[derive(Debug, Default)]
pub(super) struct Shapes {
    pub problems: Vec<PackProblem>,
}

/// The fields of one mapping and where it begins.
pub(super) struct Fields<'n> {
    entries: &'n [(At<String>, At<Node>)],
    what: &'static str,
    pub place: At<()>,
}

impl<'n> Fields<'n> {
    pub(super) fn get(&self, key: &str) -> Option<&'n At<Node>> {
        self.entries.iter().find(|(name, _)| name.value == key).map(|(_, node)| node)
    }

    /// Where the value of `key` stands; where the fields begin when there is none.
    pub(super) fn place_of(&self, key: &str) -> At<()> {
        self.get(key).map_or(self.place, At::place)
    }
}

impl Shapes {
    pub(super) fn fields<'n>(
        &mut self,
        node: &'n At<Node>,
        what: &'static str,
        keys: &[&str],
    ) -> Option<Fields<'n>> {
        let Node::Map(entries) = &node.value else {
            let message = format!("{what} is expected here, not {}", node.value.what());
            self.note(
                ProblemCode::WrongShape,
                node.place(),
                message,
                format!("write fields: {}", keys.join(", ")),
            );
            return None;
        };
        for (key, _) in entries.iter().filter(|(key, _)| !keys.contains(&key.value.as_str())) {
            let message = format!("{what} has no field “{}”", key.value);
            let cure = format!("the fields are {}", keys.join(", "));
            self.note(ProblemCode::UnknownKey, key.place(), message, cure);
        }
        Some(Fields { entries, what, place: node.place() })
    }

    /// A required text; empty when it is missing or unusable, which has then been noted.
    pub(super) fn text(&mut self, fields: &Fields, key: &'static str, max_chars: usize) -> At<String> {
        match fields.get(key) {
            Some(node) => self.text_of(node, key, max_chars),
            None => {
                self.note_missing(fields, key);
                fields.place.map(|()| String::new())
            }
        }
    }

    pub(super) fn optional_text(
        &mut self,
        fields: &Fields,
        key: &'static str,
        max_chars: usize,
    ) -> Option<String> {
        fields.get(key).map(|node| self.text_of(node, key, max_chars).value)
    }

    fn text_of(&mut self, node: &At<Node>, key: &'static str, max_chars: usize) -> At<String> {
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

    /// A required whole number; the smallest allowed one when it is missing or unusable.
    pub(super) fn whole(&mut self, fields: &Fields, key: &'static str, bounds: RangeInclusive<u64>) -> u64 {
        let (min, max) = (*bounds.start(), *bounds.end());
        match fields.get(key) {
            Some(At { value: Node::Whole(number), .. }) if bounds.contains(number) => return *number,
            Some(node) => {
                let message = format!("“{key}” must be a whole number from {min} to {max}");
                self.note(ProblemCode::BadNumber, node.place(), message, format!("write {key}: 10"));
            }
            None => self.note_missing(fields, key),
        }
        min
    }

    /// A truth value; false when it is absent.
    pub(super) fn truth(&mut self, fields: &Fields, key: &'static str) -> bool {
        match fields.get(key) {
            None => false,
            Some(At { value: Node::Truth(truth), .. }) => *truth,
            Some(node) => {
                let message = format!("“{key}” must be true or false, not {}", node.value.what());
                self.note(ProblemCode::WrongShape, node.place(), message, format!("write {key}: true"));
                false
            }
        }
    }

    /// A list of texts; absent is empty when the count may be zero.
    pub(super) fn texts(
        &mut self,
        fields: &Fields,
        key: &'static str,
        count: RangeInclusive<usize>,
        max_chars: usize,
    ) -> Vec<At<String>> {
        let nodes = self.list(fields, key, count);
        self.texts_of(nodes, key, max_chars)
    }

    pub(super) fn texts_of(
        &mut self,
        nodes: &[At<Node>],
        key: &'static str,
        max_chars: usize,
    ) -> Vec<At<String>> {
        let texts = nodes.iter().map(|node| self.text_of(node, key, max_chars));
        texts.filter(|text| !text.value.is_empty()).collect()
    }

    pub(super) fn list<'n>(
        &mut self,
        fields: &Fields<'n>,
        key: &'static str,
        count: RangeInclusive<usize>,
    ) -> &'n [At<Node>] {
        match fields.get(key) {
            Some(node) => self.list_of(node, key, fields.what, count),
            None if count.contains(&0) => &[],
            None => {
                self.note_missing(fields, key);
                &[]
            }
        }
    }

    pub(super) fn list_of<'n>(
        &mut self,
        node: &'n At<Node>,
        key: &'static str,
        what: &'static str,
        count: RangeInclusive<usize>,
    ) -> &'n [At<Node>] {
        let Node::List(list) = &node.value else {
            let message = format!("“{key}” must be a list, not {}", node.value.what());
            let cure = "write [a, b], or one entry per line after “- ”";
            self.note(ProblemCode::WrongShape, node.place(), message, cure);
            return &[];
        };
        let (min, max) = count.into_inner();
        if !(min..=max).contains(&list.len()) {
            let entries = if list.len() == 1 { "entry" } else { "entries" };
            let message = format!("“{key}” of {what} has {} {entries}, not {min} to {max}", list.len());
            let cure = format!("write {min} to {max}");
            self.note(ProblemCode::WrongCount, node.place(), message, cure);
        }
        &list[..list.len().min(max)]
    }

    pub(super) fn note(
        &mut self,
        code: ProblemCode,
        place: At<()>,
        message: impl Into<String>,
        cure: impl Into<String>,
    ) {
        let (message, cure) = (message.into(), cure.into());
        let (severity, line, column) = (code.severity(), place.line, place.column);
        self.problems.push(PackProblem { code, severity, line, column, message, cure });
    }

    fn note_missing(&mut self, fields: &Fields, key: &'static str) {
        let message = format!("{} has no “{key}”", fields.what);
        self.note(ProblemCode::MissingField, fields.place, message, format!("add {key}: …"));
    }
}
