//! A statement with its values, and the rows that answer it, in the few types that both databases share.

use std::borrow::Cow;

use crate::StoreError;

#[derive(Debug, Clone, PartialEq)]
pub(crate) enum Value {
    Null,
    Int(i64),
    Real(f64),
    Flag(bool),
    Text(String),
}

#[derive(Debug, Clone)]
pub(crate) struct Statement {
    pub(crate) text: Cow<'static, str>,
    pub(crate) values: Vec<Value>,
}

impl Statement {
    pub(crate) fn new(text: &'static str, values: impl Into<Vec<Value>>) -> Self {
        Self { text: Cow::Borrowed(text), values: values.into() }
    }
}

/// The result of a statement: its rows, or how many it touched.
#[derive(Debug, Default)]
pub(crate) struct Answer {
    pub(crate) rows: Vec<Row>,
    pub(crate) touched: u64,
}

impl Answer {
    /// Makes an answer with one number in each row.
    pub(crate) fn of_counts(counts: Vec<u64>) -> Self {
        let rows = counts.into_iter().map(|count| Row::new(vec![count.into()])).collect();
        Self { rows, touched: 0 }
    }

    /// Reads every row with `read`, which takes its columns from left to right.
    pub(crate) fn read<T>(
        self,
        read: impl Fn(&mut Row) -> Result<T, StoreError>,
    ) -> Result<Vec<T>, StoreError> {
        self.rows.into_iter().map(|mut row| read(&mut row)).collect()
    }

    pub(crate) fn read_one<T>(
        self,
        read: impl Fn(&mut Row) -> Result<T, StoreError>,
    ) -> Result<Option<T>, StoreError> {
        self.rows.into_iter().next().map(|mut row| read(&mut row)).transpose()
    }
}

/// One row, consumed column by column in the order of its SELECT.
#[derive(Debug)]
pub(crate) struct Row(std::vec::IntoIter<Value>);

impl Row {
    pub(crate) fn new(values: Vec<Value>) -> Self {
        Self(values.into_iter())
    }

    pub(crate) fn into_values(self) -> Vec<Value> {
        self.0.collect()
    }

    pub(crate) fn take<T: Column>(&mut self) -> Result<T, StoreError> {
        let short = || StoreError::Corrupt("a row is shorter than its reader expects".into());
        T::read(self.0.next().ok_or_else(short)?)
    }
}

/// A type that a column can hold.
pub(crate) trait Column: Into<Value> {
    fn read(value: Value) -> Result<Self, StoreError>;
}

/// Implements [`Column`] for a type. A value of any other sort in its column is corrupt.
macro_rules! column {
    ($type:ty, $sort:literal, $from:expr, $($value:pat => $read:expr),+) => {
        impl From<$type> for Value {
            fn from(value: $type) -> Self {
                $from(value)
            }
        }

        impl Column for $type {
            fn read(value: Value) -> Result<Self, StoreError> {
                match value {
                    $($value => $read,)+
                    other => Err(unexpected(other, $sort)),
                }
            }
        }
    };
}

column!(String, "text", Value::Text, Value::Text(text) => Ok(text));
column!(i64, "a number", Value::Int, Value::Int(number) => Ok(number));
column!(f64, "a real number", Value::Real, Value::Real(number) => Ok(number));
// SQLite has no booleans: it answers 0 and 1.
column!(bool, "a boolean", Value::Flag, Value::Flag(flag) => Ok(flag), Value::Int(number) => Ok(number != 0));
// Versions and counts stay far below the sign bit. A larger number is pinned to the maximum rather than wrapped.
column!(
    u64, "a count", |number| Value::Int(i64::try_from(number).unwrap_or(i64::MAX)),
    Value::Int(number) => u64::try_from(number).map_err(|_| unexpected(number, "a count"))
);

impl<T: Column> Column for Option<T> {
    fn read(value: Value) -> Result<Self, StoreError> {
        match value {
            Value::Null => Ok(None),
            value => T::read(value).map(Some),
        }
    }
}

impl<T: Into<Value>> From<Option<T>> for Value {
    fn from(value: Option<T>) -> Self {
        value.map_or(Self::Null, Into::into)
    }
}

impl From<&str> for Value {
    fn from(text: &str) -> Self {
        Self::Text(text.to_owned())
    }
}

fn unexpected(found: impl std::fmt::Debug, wanted: &str) -> StoreError {
    StoreError::Corrupt(format!("a column holds {found:?} where {wanted} belongs"))
}
