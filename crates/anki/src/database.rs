//! Opens a stranger's database so that reading it can do no harm.

use rusqlite::limits::Limit;
use rusqlite::types::{Type, ValueRef};
use rusqlite::{Connection, MAIN_DB, Row};

use crate::AnkiError;

/// The longest text or row of a collection.
const MAX_VALUE_BYTES: i32 = 32 << 20;
const MAX_TABLES: usize = 1_000;

/// Opens the bytes as a read-only database in memory. Nothing in its schema can run.
pub(crate) fn open(database: Vec<u8>) -> Result<Connection, AnkiError> {
    let connection = in_memory(database, true)?;
    connection.execute_batch("PRAGMA query_only = ON;")?;
    Ok(connection)
}

/// Opens the bytes as a database in memory that can be changed.
pub(crate) fn open_to_change(database: Vec<u8>) -> Result<Connection, AnkiError> {
    in_memory(database, false)
}

fn in_memory(mut database: Vec<u8>, is_read_only: bool) -> Result<Connection, AnkiError> {
    // Anki's newest form claims to have a write-ahead log beside it. A database in memory cannot have one.
    if let Some(formats) = database.get_mut(18..20) {
        formats.fill(1);
    }
    let mut connection = Connection::open_in_memory()?;
    connection.deserialize_read_exact(MAIN_DB, database.as_slice(), database.len(), is_read_only)?;
    // Without Anki's own sort order SQLite refuses the tables that use it.
    connection.create_collation("unicase", |a: &str, b: &str| a.to_lowercase().cmp(&b.to_lowercase()))?;
    connection.set_limit(Limit::SQLITE_LIMIT_LENGTH, MAX_VALUE_BYTES)?;
    connection.execute_batch("PRAGMA trusted_schema = OFF; PRAGMA cell_size_check = ON;")?;
    Ok(connection)
}

/// Fails unless all of these are plain tables.
pub(crate) fn require(connection: &Connection, tables: &[&str]) -> Result<(), AnkiError> {
    let name = |row: &Row| row.get::<_, String>(0);
    let plain = all(connection, include_str!("sql/plain_tables.sql"), "tables", MAX_TABLES, name)?;
    match tables.iter().find(|table| !plain.iter().any(|name| name == *table)) {
        Some(missing) => Err(AnkiError::Damaged(format!("its database has no plain table “{missing}”"))),
        None => Ok(()),
    }
}

/// Returns every row of a query. Refuses a result with more rows than the limit.
pub(crate) fn all<T>(
    connection: &Connection,
    sql: &str,
    what: &'static str,
    limit: usize,
    of: impl Fn(&Row) -> rusqlite::Result<T>,
) -> Result<Vec<T>, AnkiError> {
    let mut statement = connection.prepare(sql)?;
    let mut rows = statement.query([])?;
    let mut found = Vec::new();
    while let Some(row) = rows.next()? {
        if found.len() == limit {
            return Err(AnkiError::TooMany { what, limit });
        }
        found.push(of(row)?);
    }
    Ok(found)
}

/// Reads a whole number. Some programs add a fraction, which is dropped.
pub(crate) fn integer(row: &Row, column: usize) -> rusqlite::Result<i64> {
    match row.get_ref(column)? {
        ValueRef::Integer(number) => Ok(number),
        ValueRef::Real(number) => Ok(number as i64),
        other => Err(wrong_type(column, other.data_type())),
    }
}

/// Reads text. In a column that is declared numeric, SQLite stores text that looks like a number as one.
pub(crate) fn text(row: &Row, column: usize) -> rusqlite::Result<String> {
    match row.get_ref(column)? {
        ValueRef::Integer(number) => Ok(number.to_string()),
        ValueRef::Null => Ok(String::new()),
        _ => row.get(column),
    }
}

fn wrong_type(column: usize, found: Type) -> rusqlite::Error {
    rusqlite::Error::InvalidColumnType(column, "a number".to_owned(), found)
}
