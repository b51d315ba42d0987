//! One live connection and the statements prepared on it.

use std::borrow::Cow;
use std::collections::HashMap;
use std::error::Error as StdError;
use std::pin::pin;
use std::sync::Mutex;

use futures_util::TryStreamExt;
use tokio_postgres::Client;
use tokio_postgres::types::private::BytesMut;
use tokio_postgres::types::{IsNull, ToSql, Type, to_sql_checked};

use super::address::Address;
use crate::statement::{Answer, Row, Statement, Value};
use crate::{StoreError, sql};

/// The text of a statement and the number of tuples in its VALUES.
type Key = (Cow<'static, str>, usize);

#[derive(Debug)]
pub(super) struct Session {
    client: Client,
    prepared: Mutex<HashMap<Key, tokio_postgres::Statement>>,
}

impl Session {
    pub(super) async fn open(address: &Address) -> Result<Self, StoreError> {
        let (client, connection) = address.connect().await?;
        tokio::spawn(async move {
            if let Err(error) = connection.await {
                tracing::debug!(%error, "a PostgreSQL connection ended");
            }
        });
        Ok(Self { client, prepared: Mutex::default() })
    }

    pub(super) fn is_closed(&self) -> bool {
        self.client.is_closed()
    }

    /// Runs text without parameters.
    pub(super) async fn execute(&self, text: &str) -> Result<(), StoreError> {
        Ok(self.client.batch_execute(text).await?)
    }

    pub(super) async fn run(&self, statement: &Statement) -> Result<Answer, StoreError> {
        let prepared = self.prepare(statement, 1).await?;
        self.send(&prepared, statement.values.iter()).await
    }

    /// Prepares a statement with its VALUES widened to `tuples`. Only the first time costs a round trip.
    pub(super) async fn prepare(
        &self,
        statement: &Statement,
        tuples: usize,
    ) -> Result<tokio_postgres::Statement, StoreError> {
        let key = (statement.text.clone(), tuples);
        if let Some(prepared) = self.prepared.lock().expect("nothing panics with this lock").get(&key) {
            return Ok(prepared.clone());
        }
        let awake = sql::wake(&statement.text, "postgres");
        let wide = if tuples > 1 { sql::widen(&awake, tuples) } else { awake };
        let prepared = self.client.prepare(&wide).await?;
        self.prepared.lock().expect("nothing panics with this lock").insert(key, prepared.clone());
        Ok(prepared)
    }

    /// Sends a prepared statement when the future is first polled, so futures polled in order are pipelined in that
    /// order.
    pub(super) async fn send<'a>(
        &self,
        prepared: &tokio_postgres::Statement,
        values: impl ExactSizeIterator<Item = &'a Value>,
    ) -> Result<Answer, StoreError> {
        let values = values.map(|value| value as &(dyn ToSql + Sync));
        let mut found = pin!(self.client.query_raw(prepared, values).await?);
        let mut rows = Vec::new();
        while let Some(row) = found.try_next().await? {
            rows.push(read_row(&row)?);
        }
        Ok(Answer { rows, touched: found.rows_affected().unwrap_or_default() })
    }
}

fn read_row(row: &tokio_postgres::Row) -> Result<Row, StoreError> {
    let values: Result<Vec<Value>, StoreError> = (0..row.len()).map(|index| read_value(row, index)).collect();
    Ok(Row::new(values?))
}

fn read_value(row: &tokio_postgres::Row, index: usize) -> Result<Value, StoreError> {
    let kind = row.columns()[index].type_();
    let value = match *kind {
        Type::INT8 => row.try_get::<_, Option<i64>>(index).map(Value::from),
        Type::FLOAT8 => row.try_get::<_, Option<f64>>(index).map(Value::from),
        Type::BOOL => row.try_get::<_, Option<bool>>(index).map(Value::from),
        Type::TEXT => row.try_get::<_, Option<String>>(index).map(Value::from),
        _ => {
            return Err(StoreError::Corrupt(format!(
                "a column has the type {kind}, which the store never uses"
            )));
        }
    };
    value.map_err(|error| StoreError::Corrupt(error.to_string()))
}

impl ToSql for Value {
    fn to_sql(&self, kind: &Type, out: &mut BytesMut) -> Result<IsNull, Box<dyn StdError + Sync + Send>> {
        match self {
            Value::Null => Ok(IsNull::Yes),
            Value::Int(number) => number.to_sql_checked(kind, out),
            Value::Real(number) => number.to_sql_checked(kind, out),
            Value::Flag(flag) => flag.to_sql_checked(kind, out),
            Value::Text(text) => text.to_sql_checked(kind, out),
        }
    }

    fn accepts(kind: &Type) -> bool {
        [Type::INT8, Type::FLOAT8, Type::BOOL, Type::TEXT].contains(kind)
    }

    to_sql_checked!();
}
