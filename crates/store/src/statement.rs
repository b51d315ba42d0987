//! A statement with its values, and the rows that answer it, in the few types both databases share.

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

/// What a statement gave back: its rows, or how many it touched.
#[derive(Debug, Default)]
pub(crate) struct Answer {
    pub(crate) rows: Vec<Row>,
    pub(crate) touched: u64,
}

impl Answer {
    /// One number in each row.
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

    pub(crate) fn text(&mut self) -> Result<String, StoreError> {
        self.optional_text()?.ok_or_else(|| unexpected("NULL", "text"))
    }

    pub(crate) fn optional_text(&mut self) -> Result<Option<String>, StoreError> {
        match self.next()? {
            Value::Null => Ok(None),
            Value::Text(text) => Ok(Some(text)),
            other => Err(unexpected(other, "text")),
        }
    }

    pub(crate) fn int(&mut self) -> Result<i64, StoreError> {
        self.optional_int()?.ok_or_else(|| unexpected("NULL", "a number"))
    }

    pub(crate) fn optional_int(&mut self) -> Result<Option<i64>, StoreError> {
        match self.next()? {
            Value::Null => Ok(None),
            Value::Int(number) => Ok(Some(number)),
            other => Err(unexpected(other, "a number")),
        }
    }

    pub(crate) fn count(&mut self) -> Result<u64, StoreError> {
        self.optional_count()?.ok_or_else(|| unexpected("NULL", "a count"))
    }

    pub(crate) fn optional_count(&mut self) -> Result<Option<u64>, StoreError> {
        let number = self.optional_int()?;
        number.map(|n| u64::try_from(n).map_err(|_| unexpected(n, "a count"))).transpose()
    }

    pub(crate) fn optional_real(&mut self) -> Result<Option<f64>, StoreError> {
        match self.next()? {
            Value::Null => Ok(None),
            Value::Real(number) => Ok(Some(number)),
            other => Err(unexpected(other, "a real number")),
        }
    }

    /// SQLite has no booleans: it answers 0 and 1.
    pub(crate) fn flag(&mut self) -> Result<bool, StoreError> {
        match self.next()? {
            Value::Flag(flag) => Ok(flag),
            Value::Int(number) => Ok(number != 0),
            other => Err(unexpected(other, "a boolean")),
        }
    }

    fn next(&mut self) -> Result<Value, StoreError> {
        self.0.next().ok_or_else(|| StoreError::Corrupt("a row is shorter than its reader expects".into()))
    }
}

fn unexpected(found: impl std::fmt::Debug, wanted: &str) -> StoreError {
    StoreError::Corrupt(format!("a column holds {found:?} where {wanted} belongs"))
}

impl From<&str> for Value {
    fn from(text: &str) -> Self {
        Self::Text(text.to_owned())
    }
}

impl From<String> for Value {
    fn from(text: String) -> Self {
        Self::Text(text)
    }
}

impl From<i64> for Value {
    fn from(number: i64) -> Self {
        Self::Int(number)
    }
}

/// Versions and counts stay far below the sign bit; one that does not is pinned there rather than wrapped.
impl From<u64> for Value {
    fn from(number: u64) -> Self {
        Self::Int(i64::try_from(number).unwrap_or(i64::MAX))
    }
}

impl From<f64> for Value {
    fn from(number: f64) -> Self {
        Self::Real(number)
    }
}

impl From<bool> for Value {
    fn from(flag: bool) -> Self {
        Self::Flag(flag)
    }
}

impl<T: Into<Value>> From<Option<T>> for Value {
    fn from(value: Option<T>) -> Self {
        value.map_or(Self::Null, Into::into)
    }
}
