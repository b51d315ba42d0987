//! Defines the types of arguments and results: `int`, `float`, `bool`, `string`, `[T]` and `T?`.

use serde_json::Value;
use std::fmt;

#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Kind {
    Int,
    Float,
    Bool,
    Text,
    List(Box<Kind>),
    /// A value of the inner type, or null.
    Maybe(Box<Kind>),
}

impl Kind {
    pub(super) fn parse(text: &str) -> Option<Kind> {
        let text = text.trim();
        if let Some(inner) = text.strip_suffix('?') {
            return Kind::parse(inner).map(|kind| Kind::Maybe(Box::new(kind)));
        }
        if let Some(inner) = text.strip_prefix('[').and_then(|rest| rest.strip_suffix(']')) {
            return Kind::parse(inner).map(|kind| Kind::List(Box::new(kind)));
        }
        match text {
            "int" => Some(Kind::Int),
            "float" => Some(Kind::Float),
            "bool" => Some(Kind::Bool),
            "string" => Some(Kind::Text),
            _ => None,
        }
    }

    /// Whether a value is of this type.
    pub fn takes(&self, value: &Value) -> bool {
        match self {
            Kind::Int => value.is_i64() || value.is_u64(),
            Kind::Float => value.is_number(),
            Kind::Bool => value.is_boolean(),
            Kind::Text => value.is_string(),
            Kind::List(kind) => {
                value.as_array().is_some_and(|list| list.iter().all(|value| kind.takes(value)))
            }
            Kind::Maybe(kind) => value.is_null() || kind.takes(value),
        }
    }
}

impl fmt::Display for Kind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Kind::Int => f.write_str("int"),
            Kind::Float => f.write_str("float"),
            Kind::Bool => f.write_str("bool"),
            Kind::Text => f.write_str("string"),
            Kind::List(kind) => write!(f, "[{kind}]"),
            Kind::Maybe(kind) => write!(f, "{kind}?"),
        }
    }
}
