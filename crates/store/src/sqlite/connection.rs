//! Opens a file, sets it up, and runs one statement on it.

use std::path::{Path, PathBuf};
use std::time::Duration;

use rusqlite::config::DbConfig;
use rusqlite::types::{ToSqlOutput, ValueRef};
use rusqlite::{Connection, OpenFlags, ToSql};

use crate::backup::{EachRow, NextRow, TABLES};
use crate::statement::{Answer, Row, Statement, Value};
use crate::{StoreError, migration, sql};

/// The most problems that a check names.
pub(crate) const MOST_FINDINGS: usize = 20;

/// The time that a connection waits for another process that is writing the same file, unless the address says
/// otherwise.
const BUSY_TIMEOUT: Duration = Duration::from_secs(5);

/// The number of compiled statements that are kept: enough for every statement of the store, so that none is
/// compiled twice.
const CACHED_STATEMENTS: usize = 128;

/// The place of the database, in a file or in memory, with its settings.
#[derive(Debug, Clone)]
pub(super) struct Location {
    pub(super) path: Option<PathBuf>,
    max_pages: Option<u32>,
    busy_timeout: Duration,
}

impl Location {
    pub(super) fn parse(place: &str) -> Result<Self, StoreError> {
        let (path, settings) = match place.rsplit_once('?') {
            Some((path, settings)) if settings.contains('=') => (path, settings),
            _ => (place, ""),
        };
        let path = match path {
            "" => return Err(StoreError::Address("sqlite: without a path".into())),
            ":memory:" => None,
            path => Some(PathBuf::from(path)),
        };
        let mut location = Self { path, max_pages: None, busy_timeout: BUSY_TIMEOUT };
        settings
            .split('&')
            .filter(|setting| !setting.is_empty())
            .try_for_each(|setting| location.set(setting))?;
        Ok(location)
    }

    fn set(&mut self, setting: &str) -> Result<(), StoreError> {
        let wrong =
            || StoreError::Address(format!("{setting:?} is neither max_pages=NUMBER nor busy_ms=NUMBER"));
        let (name, number) = setting.split_once('=').ok_or_else(wrong)?;
        let number: u32 = number.parse().map_err(|_| wrong())?;
        match name {
            "max_pages" => self.max_pages = Some(number),
            "busy_ms" => self.busy_timeout = Duration::from_millis(number.into()),
            _ => return Err(wrong()),
        }
        Ok(())
    }
}

pub(super) fn open_writer(location: &Location) -> Result<Connection, StoreError> {
    let connection = match &location.path {
        Some(path) => {
            create_private(path);
            Connection::open_with_flags(path, OpenFlags::default() - OpenFlags::SQLITE_OPEN_URI)?
        }
        None => Connection::open_in_memory()?,
    };
    prepare(&connection, location)?;
    // SQLite folds the log into the file every 2000 pages. A reader may keep it from starting over, so its size has
    // a limit. Savepoints keep their copies in memory. Deleted content is overwritten, so that nothing of a deleted
    // learner is left in the free space of a page.
    connection.execute_batch(
        "PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL; PRAGMA wal_autocheckpoint = 2000;
         PRAGMA journal_size_limit = 67108864; PRAGMA cache_size = -16384; PRAGMA temp_store = MEMORY;
         PRAGMA secure_delete = ON;",
    )?;
    if let Some(pages) = location.max_pages {
        connection.execute_batch(&format!("PRAGMA max_page_count = {pages}"))?;
    }
    migrate(&connection)?;
    Ok(connection)
}

/// Makes a new file readable for its owner only; SQLite gives the files beside it the same mode. If this fails,
/// opening fails too, and SQLite says why.
fn create_private(path: &Path) {
    let mut options = std::fs::OpenOptions::new();
    options.write(true).create_new(true);
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
    let _ = options.open(path);
}

pub(super) fn open_reader(path: &Path, location: &Location) -> Result<Connection, StoreError> {
    let connection = Connection::open_with_flags(
        path,
        OpenFlags::SQLITE_OPEN_READ_ONLY | OpenFlags::SQLITE_OPEN_NO_MUTEX,
    )?;
    prepare(&connection, location)?;
    Ok(connection)
}

/// Folds the whole log into the file and empties it. Returns false if a reader prevents that.
pub(super) fn fold(location: &Location) -> Result<bool, StoreError> {
    let Some(path) = &location.path else { return Ok(true) };
    let connection = Connection::open_with_flags(path, OpenFlags::SQLITE_OPEN_READ_WRITE)?;
    prepare(&connection, location)?;
    Ok(connection.query_row("PRAGMA wal_checkpoint(TRUNCATE)", [], |row| row.get::<_, i64>(0))? == 0)
}

fn prepare(connection: &Connection, location: &Location) -> Result<(), StoreError> {
    connection.busy_timeout(location.busy_timeout)?;
    // Otherwise SQLite would compile a query again whenever its plan could depend on the bound values.
    connection.set_db_config(DbConfig::SQLITE_DBCONFIG_ENABLE_QPSG, true)?;
    connection.set_prepared_statement_cache_capacity(CACHED_STATEMENTS);
    Ok(())
}

/// Brings the schema up to date. Usually nothing has to be done, and then opening does not wait for a writer.
fn migrate(connection: &Connection) -> Result<(), StoreError> {
    let has_migrations = connection.table_exists(None, "migration")?;
    if has_migrations && migration::missing(found_version(connection)?)?.is_empty() {
        return Ok(());
    }
    connection.execute_batch("BEGIN IMMEDIATE")?;
    let outcome = apply_missing(connection);
    connection.execute_batch(if outcome.is_ok() { "COMMIT" } else { "ROLLBACK" })?;
    outcome
}

fn apply_missing(connection: &Connection) -> Result<(), StoreError> {
    connection.execute_batch(sql::MIGRATION_TABLE)?;
    for migration in migration::missing(found_version(connection)?)? {
        connection.execute_batch(&sql::wake(migration.text, "sqlite"))?;
        connection.execute(sql::MIGRATION_RECORD, (migration.version, migration.name))?;
    }
    Ok(())
}

fn found_version(connection: &Connection) -> Result<i64, StoreError> {
    Ok(connection.query_row(sql::MIGRATION_VERSION, [], |row| row.get(0))?)
}

/// Gives every row to `each`, as all rows stand at one moment, while others write.
pub(super) fn each_row(location: &Location, each: &mut EachRow<'_>) -> Result<(), StoreError> {
    let Some(path) = &location.path else { return Err(in_memory()) };
    let connection = open_reader(path, location)?;
    connection.execute_batch("BEGIN")?;
    for table in TABLES {
        let mut prepared = connection.prepare(&table.select())?;
        let width = prepared.column_count();
        let mut found = prepared.raw_query();
        while let Some(row) = found.next()? {
            let values: Result<Vec<Value>, StoreError> =
                (0..width).map(|index| value_of(row.get_ref(index)?)).collect();
            each(table, values?)?;
        }
    }
    Ok(())
}

/// Replaces everything in one transaction. If it does not reach its end, nothing has changed.
pub(super) fn restore(
    location: &Location,
    replace: bool,
    next: &mut dyn FnMut() -> NextRow,
) -> Result<(), StoreError> {
    let Some(path) = &location.path else { return Err(in_memory()) };
    let connection = Connection::open_with_flags(path, OpenFlags::SQLITE_OPEN_READ_WRITE)?;
    prepare(&connection, location)?;
    connection.execute_batch("PRAGMA synchronous = FULL; BEGIN IMMEDIATE")?;
    let is_occupied: bool = connection.query_row(sql::OCCUPIED, [], |row| row.get(0))?;
    if is_occupied && !replace {
        return Err(StoreError::Occupied);
    }
    for table in TABLES {
        connection.execute_batch(&table.clear())?;
    }
    while let Some((table, values)) = next()? {
        run(&connection, &table.insert(values))?;
    }
    connection.execute_batch(sql::RESTORE_CHAIN)?;
    Ok(connection.execute_batch("COMMIT")?)
}

fn in_memory() -> StoreError {
    StoreError::Address("a database in memory is neither backed up nor restored".into())
}

/// Returns the damage that SQLite itself finds in the file.
pub(super) fn quick_check(location: &Location) -> Result<Vec<String>, StoreError> {
    let Some(path) = &location.path else { return Ok(Vec::new()) };
    let connection = open_reader(path, location)?;
    let mut check = connection.prepare(&format!("PRAGMA quick_check({MOST_FINDINGS})"))?;
    let found: Result<Vec<String>, rusqlite::Error> = check.query_map([], |row| row.get(0))?.collect();
    Ok(found?.into_iter().filter(|line| line != "ok").collect())
}

/// Runs one statement to its end.
pub(super) fn run(connection: &Connection, statement: &Statement) -> Result<Answer, StoreError> {
    let mut prepared = connection.prepare_cached(&statement.text)?;
    debug_assert_eq!(prepared.parameter_count(), statement.values.len(), "{}", statement.text);
    for (index, value) in statement.values.iter().enumerate() {
        prepared.raw_bind_parameter(index + 1, value)?;
    }
    let width = prepared.column_count();
    let mut found = prepared.raw_query();
    let mut rows = Vec::new();
    while let Some(row) = found.next()? {
        let values: Result<Vec<Value>, StoreError> =
            (0..width).map(|index| value_of(row.get_ref(index)?)).collect();
        rows.push(Row::new(values?));
    }
    drop(found);
    Ok(Answer { rows, touched: connection.changes() })
}

fn value_of(found: ValueRef<'_>) -> Result<Value, StoreError> {
    match found {
        ValueRef::Null => Ok(Value::Null),
        ValueRef::Integer(number) => Ok(Value::Int(number)),
        ValueRef::Real(number) => Ok(Value::Real(number)),
        ValueRef::Text(_) => Ok(Value::Text(found.as_str().map_err(rusqlite::Error::from)?.to_owned())),
        ValueRef::Blob(_) => Err(StoreError::Corrupt("a column holds a blob where none belongs".into())),
    }
}

impl ToSql for Value {
    fn to_sql(&self) -> rusqlite::Result<ToSqlOutput<'_>> {
        Ok(ToSqlOutput::Borrowed(match self {
            Value::Null => ValueRef::Null,
            Value::Int(number) => ValueRef::Integer(*number),
            Value::Real(number) => ValueRef::Real(*number),
            Value::Flag(flag) => ValueRef::Integer((*flag).into()),
            Value::Text(text) => ValueRef::Text(text.as_bytes()),
        }))
    }
}
