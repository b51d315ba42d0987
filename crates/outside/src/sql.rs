//! Runs a learner's SQL beside a good answer, on a database in memory that lives as long as the comparison.
//!
//! The statement cannot leave that database: an authorizer refuses files, settings and extensions, and steps, rows and
//! sizes are bounded. So it needs no process of its own.

use rusqlite::fallible_iterator::FallibleIterator as _;
use rusqlite::hooks::{AuthAction, AuthContext, Authorization};
use rusqlite::limits::Limit;
use rusqlite::types::ValueRef;
use rusqlite::{Batch, Connection};

/// The instructions between two counts of steps; all steps together take about two seconds.
const STEPS_AT_ONCE: i32 = 1_000;
const MAX_STEPS: u32 = 100_000;
const MAX_ROWS: usize = 1_000;
const MAX_STATEMENT_BYTES: i32 = 10_000;
const MAX_VALUE_BYTES: i32 = 1_000_000;
const MAX_STATEMENTS: usize = 20;
/// The most characters of a row that are shown.
const MAX_SHOWN_CHARS: usize = 120;

/// The statements that are compared, and the tables they run on.
#[derive(Debug, Clone, Copy)]
pub struct Trial<'a> {
    /// The statements that create and fill the tables.
    pub tables: &'a str,
    /// Statements that make the same tables with other rows.
    pub others: Option<&'a str>,
    pub good: &'a str,
    pub given: &'a str,
    /// The query that looks at the result, after statements that change the tables.
    pub then: Option<&'a str>,
    pub ordered: bool,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Outcome {
    Same,
    Differs(Difference),
    /// The rows are right on the shown tables, and wrong on the others.
    FitsOnlyShown,
    /// The learner's statement does not run.
    Refused(Refusal),
    /// The question itself does not work: its good answer fails.
    Untried(Refusal),
}

/// The first difference between the rows of a statement and the right ones.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Difference {
    Columns {
        given: usize,
        wanted: usize,
    },
    Rows {
        given: usize,
        wanted: usize,
    },
    /// The rows are right, but not their order.
    Order,
    /// There is a row that should not be there, given as text.
    Row(String),
}

/// The reason why a statement does not run.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Refusal {
    NoRows,
    MoreRows(usize),
    MoreStatements(usize),
    TakesTooLong,
    Forbidden,
    /// The database refused it, in its own words.
    Database(String),
}

/// Compares the rows of a learner's statement with those of a good one.
pub fn compare(trial: &Trial<'_>) -> Outcome {
    match compare_on(trial, trial.tables) {
        Outcome::Same => {}
        other => return other,
    }
    match trial.others.map(|others| compare_on(trial, others)) {
        None | Some(Outcome::Same) => Outcome::Same,
        Some(Outcome::Untried(why)) => Outcome::Untried(why),
        Some(_) => Outcome::FitsOnlyShown,
    }
}

fn compare_on(trial: &Trial<'_>, tables: &str) -> Outcome {
    let good = match run(trial, tables, trial.good) {
        Ok(rows) => rows,
        Err(why) => return Outcome::Untried(why),
    };
    match run(trial, tables, trial.given) {
        Ok(rows) => difference(good, rows, trial.ordered).map_or(Outcome::Same, Outcome::Differs),
        Err(why) => Outcome::Refused(why),
    }
}

/// Rows as text, one cell after the other; the text shows the kind of each value.
type Rows = Vec<Vec<String>>;

fn run(trial: &Trial<'_>, tables: &str, statements: &str) -> Result<Rows, Refusal> {
    let mut connection = Connection::open_in_memory().map_err(refusal)?;
    connection.execute_batch("PRAGMA foreign_keys = ON").map_err(refusal)?;
    connection.execute_batch(tables).map_err(refusal)?;
    shut_in(&mut connection).map_err(refusal)?;
    let rows = last_rows(&connection, statements)?;
    match trial.then {
        None => rows.ok_or(Refusal::NoRows),
        Some(then) => Ok(last_rows(&connection, then)?.unwrap_or_default()),
    }
}

fn shut_in(connection: &mut Connection) -> rusqlite::Result<()> {
    connection.set_limit(Limit::SQLITE_LIMIT_SQL_LENGTH, MAX_STATEMENT_BYTES)?;
    connection.set_limit(Limit::SQLITE_LIMIT_LENGTH, MAX_VALUE_BYTES)?;
    connection.set_limit(Limit::SQLITE_LIMIT_ATTACHED, 0)?;
    connection.authorizer(Some(|context: AuthContext<'_>| match context.action {
        AuthAction::Attach { .. } | AuthAction::Detach { .. } | AuthAction::Pragma { .. } => {
            Authorization::Deny
        }
        AuthAction::Function { function_name } if is_dangerous(function_name) => Authorization::Deny,
        AuthAction::Unknown { .. } => Authorization::Deny,
        _ => Authorization::Allow,
    }))?;
    let mut steps = 0;
    connection.progress_handler(
        STEPS_AT_ONCE,
        Some(move || {
            steps += 1;
            steps > MAX_STEPS
        }),
    )
}

fn is_dangerous(function: &str) -> bool {
    ["load_extension", "readfile", "writefile", "edit", "fts3_tokenizer"].contains(&function)
}

/// Returns the rows of the last statement that returns any; `None` if none does.
fn last_rows(connection: &Connection, statements: &str) -> Result<Option<Rows>, Refusal> {
    let mut found = None;
    let mut batch = Batch::new(connection, statements);
    let mut count = 0;
    while let Some(mut statement) = batch.next().map_err(refusal)? {
        count += 1;
        if count > MAX_STATEMENTS {
            return Err(Refusal::MoreStatements(MAX_STATEMENTS));
        }
        if statement.column_count() == 0 {
            statement.execute([]).map_err(refusal)?;
            continue;
        }
        let columns = statement.column_count();
        let (mut rows, mut cursor) = (Vec::new(), statement.query([]).map_err(refusal)?);
        while let Some(row) = cursor.next().map_err(refusal)? {
            if rows.len() == MAX_ROWS {
                return Err(Refusal::MoreRows(MAX_ROWS));
            }
            rows.push((0..columns).map(|at| row.get_ref(at).map(cell).unwrap_or_default()).collect());
        }
        found = Some(rows);
    }
    Ok(found)
}

/// Writes a value so that 1 and 1.0 are the same number, and '1' is text.
fn cell(value: ValueRef<'_>) -> String {
    match value {
        ValueRef::Null => "NULL".to_owned(),
        ValueRef::Integer(number) => number.to_string(),
        ValueRef::Real(number) => rounded(number),
        ValueRef::Text(text) => format!("'{}'", String::from_utf8_lossy(text)),
        ValueRef::Blob(bytes) => {
            format!("x'{}'", bytes.iter().map(|byte| format!("{byte:02x}")).collect::<String>())
        }
    }
}

/// Rounds a number, because sums of decimals differ in their last digits with the order of adding.
fn rounded(number: f64) -> String {
    let text = format!("{number:.9}");
    let text = text.trim_end_matches('0').trim_end_matches('.');
    if text == "-0" { "0".to_owned() } else { text.to_owned() }
}

fn difference(mut good: Rows, mut given: Rows, ordered: bool) -> Option<Difference> {
    if good == given {
        return None;
    }
    let width = |rows: &Rows| rows.first().map(Vec::len);
    if let (Some(wanted), Some(given)) = (width(&good), width(&given))
        && wanted != given
    {
        return Some(Difference::Columns { given, wanted });
    }
    good.sort();
    given.sort();
    if good == given {
        return ordered.then_some(Difference::Order);
    }
    if good.len() != given.len() {
        return Some(Difference::Rows { given: given.len(), wanted: good.len() });
    }
    let odd = given.iter().find(|row| !good.contains(row)).or(given.first());
    odd.map(|row| Difference::Row(shown(row)))
}

fn shown(row: &[String]) -> String {
    let text = row.join(" | ");
    match text.char_indices().nth(MAX_SHOWN_CHARS) {
        Some((end, _)) => format!("{}…", &text[..end]),
        None => text,
    }
}

fn refusal(error: rusqlite::Error) -> Refusal {
    match error {
        rusqlite::Error::SqliteFailure(failure, message) => match failure.code {
            rusqlite::ErrorCode::OperationInterrupted => Refusal::TakesTooLong,
            rusqlite::ErrorCode::AuthorizationForStatementDenied => Refusal::Forbidden,
            _ => Refusal::Database(message.unwrap_or_else(|| failure.to_string())),
        },
        rusqlite::Error::SqlInputError { msg, .. } => Refusal::Database(msg),
        other => Refusal::Database(other.to_string()),
    }
}
