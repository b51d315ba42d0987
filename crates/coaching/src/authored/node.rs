//! Parses a YAML document into a tree in which every node knows its place.
//!
//! Because a file is read into a tree first, rather than straight into types, a check can report every wrong shape
//! and not just the first.

use std::fmt;

use serde::de::{Deserialize, Deserializer, Error, MapAccess, SeqAccess, Visitor};
use serde_json::Value;
use serde_saphyr::Spanned;

/// A value and its place, counted from 1.
#[derive(Debug, Clone, Copy)]
pub(crate) struct At<T> {
    pub value: T,
    pub line: u64,
    pub column: u64,
}

impl<T> At<T> {
    pub(crate) fn map<U>(self, f: impl FnOnce(T) -> U) -> At<U> {
        At { value: f(self.value), line: self.line, column: self.column }
    }

    /// Returns the place alone.
    pub(crate) fn place(&self) -> At<()> {
        At { value: (), line: self.line, column: self.column }
    }
}

#[derive(Debug)]
pub(crate) enum Node {
    Text(String),
    List(Vec<At<Node>>),
    Map(Vec<(At<String>, At<Node>)>),
    Nothing,
    /// A plain scalar that YAML reads as a truth value.
    Truth(bool),
    /// A plain scalar that YAML reads as a whole number that is not negative.
    Whole(u64),
    /// A plain scalar that YAML reads as another number, or `None` if JSON cannot hold that number.
    Number(Option<serde_json::Number>),
}

impl Node {
    /// Returns the node as JSON, or `None` if it holds a number that JSON cannot hold.
    pub(crate) fn json(&self) -> Option<Value> {
        Some(match self {
            Node::Text(text) => text.as_str().into(),
            Node::List(list) => list.iter().map(|node| node.value.json()).collect::<Option<Vec<_>>>()?.into(),
            Node::Map(entries) => {
                let entry =
                    |(key, node): &(At<String>, At<Node>)| Some((key.value.clone(), node.value.json()?));
                Value::Object(entries.iter().map(entry).collect::<Option<_>>()?)
            }
            Node::Nothing => Value::Null,
            Node::Truth(truth) => (*truth).into(),
            Node::Whole(number) => (*number).into(),
            Node::Number(number) => Value::Number(number.clone()?),
        })
    }

    pub(crate) fn what(&self) -> &'static str {
        match self {
            Node::Text(_) => "text",
            Node::List(_) => "a list",
            Node::Map(_) => "a set of fields",
            Node::Nothing => "nothing",
            Node::Truth(_) | Node::Whole(_) | Node::Number(_) => "a number or truth value",
        }
    }
}

/// The maximum depth of a document. A pack is five levels deep, a curriculum eight, a problem with nested lists a
/// few more. The bound keeps the parser from overflowing the stack.
const MAX_DEPTH: usize = 16;
/// The maximum number of nodes of a document. The largest allowed pack has some 250,000 keys and values.
const MAX_NODES: usize = 400_000;

/// Parses one YAML document. The error is the parser's message at its place.
pub(crate) fn parse(source: &str) -> Result<At<Node>, At<String>> {
    let budget = serde_saphyr::budget! { max_depth: MAX_DEPTH, max_nodes: MAX_NODES };
    let options = serde_saphyr::options! { budget: budget, strict_booleans: true, with_snippet: false };
    serde_saphyr::from_str_with_options::<Spanned<Node>>(source, options).map(At::from).map_err(|error| {
        let place = error.location();
        let message = error.to_string();
        At {
            // The place is shown beside the message.
            value: message.split(" at line ").next().unwrap_or_default().to_owned(),
            line: place.map_or(0, |place| place.line()),
            column: place.map_or(0, |place| place.column()),
        }
    })
}

impl<T> From<Spanned<T>> for At<T> {
    fn from(spanned: Spanned<T>) -> At<T> {
        let (line, column) = (spanned.referenced.line(), spanned.referenced.column());
        At { value: spanned.value, line, column }
    }
}

impl<'de> Deserialize<'de> for Node {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Node, D::Error> {
        deserializer.deserialize_any(NodeVisitor)
    }
}

struct NodeVisitor;

impl<'de> Visitor<'de> for NodeVisitor {
    type Value = Node;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("text, a list or a set of fields")
    }

    fn visit_str<E: Error>(self, text: &str) -> Result<Node, E> {
        Ok(Node::Text(text.to_owned()))
    }

    fn visit_unit<E: Error>(self) -> Result<Node, E> {
        Ok(Node::Nothing)
    }

    fn visit_bool<E: Error>(self, truth: bool) -> Result<Node, E> {
        Ok(Node::Truth(truth))
    }

    fn visit_i64<E: Error>(self, number: i64) -> Result<Node, E> {
        Ok(u64::try_from(number).map_or_else(|_| Node::Number(Some(number.into())), Node::Whole))
    }

    fn visit_u64<E: Error>(self, number: u64) -> Result<Node, E> {
        Ok(Node::Whole(number))
    }

    fn visit_i128<E: Error>(self, _: i128) -> Result<Node, E> {
        Ok(Node::Number(None))
    }

    fn visit_u128<E: Error>(self, _: u128) -> Result<Node, E> {
        Ok(Node::Number(None))
    }

    fn visit_f64<E: Error>(self, number: f64) -> Result<Node, E> {
        Ok(Node::Number(serde_json::Number::from_f64(number)))
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut seq: A) -> Result<Node, A::Error> {
        let mut list = Vec::new();
        while let Some(element) = seq.next_element::<Spanned<Node>>()? {
            list.push(At::from(element));
        }
        Ok(Node::List(list))
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Node, A::Error> {
        let mut fields = Vec::new();
        while let Some((key, value)) = map.next_entry::<Spanned<String>, Spanned<Node>>()? {
            fields.push((At::from(key), At::from(value)));
        }
        Ok(Node::Map(fields))
    }
}
