//! Writes everything in a database as lines of JSON, and reads it back. The lines are the same for both databases,
//! so a backup of one can be restored into the other.
//!
//! The first line says that the file is a backup, then comes a line for each row, and the last line has their
//! number and a hash: a file that was cut short or changed on the way is refused before the restore commits.

use std::io::{BufRead, Write};

use serde_json::{Value as Json, json};
use sha2::{Digest, Sha256};

use crate::statement::{Statement, Value};
use crate::{At, StoreError};

/// The version of the line format.
const FORM: u64 = 1;
const FIRST: &str = "etude_backup";

/// The size and the time of a backup.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Backup {
    pub rows: u64,
    pub bytes: u64,
    /// When the backup was made.
    pub at: At,
}

/// A table with the columns that both databases have. Leases are left out: their owners are gone after a restore.
pub(crate) struct Table {
    pub(crate) name: &'static str,
    columns: &'static [&'static str],
}

pub(crate) const TABLES: &[Table] = &[
    Table { name: "law", columns: &["hash", "flow", "version", "source", "delivers", "created_at"] },
    Table {
        name: "instance",
        columns: &[
            "id",
            "flow",
            "law_hash",
            "law_version",
            "learner",
            "state",
            "version",
            "counters",
            "outcome",
            "created_at",
            "updated_at",
            "data",
        ],
    },
    Table {
        name: "log",
        columns: &[
            "instance",
            "version",
            "at",
            "event",
            "source",
            "payload",
            "from_state",
            "to_state",
            "changes",
            "facts",
            "outcome",
            "request",
        ],
    },
    Table {
        name: "effect",
        columns: &[
            "key",
            "instance",
            "kind",
            "payload",
            "status",
            "attempts",
            "not_before",
            "last_error",
            "created_at",
            "done_at",
        ],
    },
    Table { name: "timer", columns: &["instance", "event", "due_at", "version"] },
    Table {
        name: "record",
        columns: &["learner", "kind", "key", "body", "due_at", "rank", "scope", "standing", "updated_at"],
    },
    Table { name: "scope", columns: &["learner", "name", "version"] },
];

impl Table {
    pub(crate) fn select(&self) -> String {
        format!("SELECT {} FROM {}", self.columns.join(", "), self.name)
    }

    pub(crate) fn clear(&self) -> String {
        format!("DELETE FROM {}", self.name)
    }

    pub(crate) fn insert(&self, values: Vec<Value>) -> Statement {
        let parameters: Vec<String> = (1..=self.columns.len()).map(|number| format!("${number}")).collect();
        let text = format!(
            "INSERT INTO {} ({}) VALUES ({})",
            self.name,
            self.columns.join(", "),
            parameters.join(", ")
        );
        Statement { text: text.into(), values }
    }

    /// Turns the 0 and 1 of SQLite, which has no booleans, into the boolean that PostgreSQL wants.
    fn value(&self, column: usize, value: Value) -> Value {
        match value {
            Value::Int(number) if self.columns[column] == "delivers" => Value::Flag(number != 0),
            value => value,
        }
    }
}

/// A callback that takes every row of a database, one after the other.
pub(crate) type EachRow<'a> = dyn FnMut(&Table, Vec<Value>) -> Result<(), StoreError> + Send + 'a;
/// The next row of a backup, or `None` after the last one.
pub(crate) type NextRow = Result<Option<(&'static Table, Vec<Value>)>, StoreError>;

/// A writer of the lines of a backup.
pub(crate) struct Writer<W> {
    out: W,
    hash: Sha256,
    made: Backup,
}

impl<W: Write> Writer<W> {
    pub(crate) fn begin(out: W, schema: i64, at: At) -> Result<Self, StoreError> {
        let mut writer = Self { out, hash: Sha256::new(), made: Backup { rows: 0, bytes: 0, at } };
        writer.line(&json!({FIRST: FORM, "schema": schema, "made_at_us": at.0}))?;
        Ok(writer)
    }

    pub(crate) fn row(&mut self, table: &Table, values: Vec<Value>) -> Result<(), StoreError> {
        let values =
            values.into_iter().enumerate().map(|(column, value)| json_of(table.value(column, value)));
        let line = std::iter::once(table.name.into()).chain(values).collect();
        self.made.rows += 1;
        self.line(&Json::Array(line))
    }

    pub(crate) fn end(mut self) -> Result<Backup, StoreError> {
        let last = json!({"rows": self.made.rows, "sha256": hex(&self.hash.clone().finalize())});
        self.line(&last)?;
        self.out.flush().map_err(|error| not_written(&error))?;
        Ok(self.made)
    }

    fn line(&mut self, line: &Json) -> Result<(), StoreError> {
        let text = format!("{line}\n");
        self.hash.update(text.as_bytes());
        self.made.bytes += text.len() as u64;
        self.out.write_all(text.as_bytes()).map_err(|error| not_written(&error))
    }
}

/// A reader of the lines of a backup.
pub(crate) struct Reader<R> {
    input: R,
    hash: Sha256,
    read: Backup,
    line: Vec<u8>,
}

impl<R: BufRead> Reader<R> {
    pub(crate) fn begin(
        input: R,
        check_schema: impl Fn(i64) -> Result<(), StoreError>,
    ) -> Result<Self, StoreError> {
        let read = Backup { rows: 0, bytes: 0, at: At(0) };
        let mut reader = Self { input, hash: Sha256::new(), read, line: Vec::new() };
        let first = reader.next_line()?.unwrap_or_default();
        match first[FIRST].as_u64() {
            Some(FORM) => {}
            Some(_) => return Err(not_a_backup("a newer program wrote it")),
            None => return Err(not_a_backup("its first line does not say that it is one")),
        }
        check_schema(first["schema"].as_i64().unwrap_or_default())?;
        reader.read.at = At(first["made_at_us"].as_i64().unwrap_or_default());
        Ok(reader)
    }

    /// Returns the next row, or `None` after the last one. Refuses a file that is not whole.
    pub(crate) fn row(&mut self) -> NextRow {
        let before = self.hash.clone();
        let Some(line) = self.next_line()? else {
            return Err(not_a_backup("it ends in the middle"));
        };
        let Json::Array(mut values) = line else {
            self.check_end(&line, before)?;
            return Ok(None);
        };
        let name = if values.is_empty() { Json::Null } else { values.remove(0) };
        let table = TABLES.iter().find(|table| name == table.name);
        let table = table.filter(|table| table.columns.len() == values.len());
        let table = table.ok_or_else(|| not_a_backup(&format!("a row of {name} has another form")))?;
        self.read.rows += 1;
        Ok(Some((table, values.into_iter().map(value_of).collect::<Result<_, _>>()?)))
    }

    pub(crate) fn summary(&self) -> Backup {
        self.read
    }

    fn check_end(&mut self, last: &Json, before: Sha256) -> Result<(), StoreError> {
        let is_whole = last["rows"].as_u64() == Some(self.read.rows)
            && last["sha256"].as_str() == Some(&hex(&before.finalize()));
        if !is_whole || self.next_line()?.is_some() {
            return Err(not_a_backup("its lines are not those that were written"));
        }
        Ok(())
    }

    fn next_line(&mut self) -> Result<Option<Json>, StoreError> {
        self.line.clear();
        let length = self.input.read_until(b'\n', &mut self.line);
        let length = length.map_err(|error| StoreError::Io(format!("the backup cannot be read: {error}")))?;
        if length == 0 {
            return Ok(None);
        }
        self.hash.update(&self.line);
        self.read.bytes += length as u64;
        let read = serde_json::from_slice(&self.line);
        read.map(Some).map_err(|error| not_a_backup(&format!("a line is no JSON: {error}")))
    }
}

fn json_of(value: Value) -> Json {
    match value {
        Value::Null => Json::Null,
        Value::Int(number) => number.into(),
        Value::Real(number) => number.into(),
        Value::Flag(flag) => flag.into(),
        Value::Text(text) => text.into(),
    }
}

fn value_of(json: Json) -> Result<Value, StoreError> {
    match json {
        Json::Null => Ok(Value::Null),
        Json::Bool(flag) => Ok(Value::Flag(flag)),
        Json::Number(number) => match (number.as_i64(), number.as_f64()) {
            (Some(whole), _) => Ok(Value::Int(whole)),
            (None, Some(real)) => Ok(Value::Real(real)),
            _ => Err(not_a_backup("a number is too large")),
        },
        Json::String(text) => Ok(Value::Text(text)),
        _ => Err(not_a_backup("a column is neither text nor number")),
    }
}

fn not_a_backup(why: &str) -> StoreError {
    StoreError::Backup(why.to_owned())
}

fn not_written(error: &std::io::Error) -> StoreError {
    match error.kind() {
        std::io::ErrorKind::StorageFull => StoreError::Full(error.to_string()),
        _ => StoreError::Io(format!("the backup cannot be written: {error}")),
    }
}

fn hex(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}
