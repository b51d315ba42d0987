//! The handle on a database: reads, claims and the one door for change, the same for both databases.

use std::borrow::Borrow;
use std::io::{BufRead, Write};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use tokio::sync::{broadcast, watch};

use crate::backup::{self, Backup, Table};
use crate::commit::MAX_DOCUMENTS;
use crate::plan::{change_record, post_effect};
use crate::postgres::Postgres;
use crate::rows::Columns;
use crate::sqlite::Sqlite;
use crate::sqlite::connection::MOST_FINDINGS;
use crate::statement::{Answer, Row, Statement, Value};
use crate::{
    At, Change, Commit, CommitError, Counts, Cursor, Effect, Erased, Filter, Instance, Kinds, KvEntry, Law,
    LawInUse, LogEntry, Page, Record, RecordChange, StoreError, Tally, Timer, migration, sql,
};

/// The most rows that a read returns, even if its limit is higher.
pub const MAX_LIMIT: usize = 10_000;
/// The number of rows outside of turns that share a transaction, and so one wait for the disk.
const WRITTEN_AT_ONCE: usize = 256;

/// A cheap handle on one database. Clones share it.
#[derive(Debug, Clone)]
pub struct Store(Arc<Inner>);

#[derive(Debug)]
struct Inner {
    database: Database,
    closed: AtomicBool,
}

#[derive(Debug)]
enum Database {
    Sqlite(Sqlite),
    Postgres(Box<Postgres>),
}

impl Store {
    /// Opens `sqlite:PATH`, `sqlite::memory:` or `postgres://…` and brings its schema up to date. With
    /// `sqlite:PATH?max_pages=N` the file never grows beyond N pages of 4 KiB; with `busy_ms=N` the store waits no
    /// longer than that for another process that is writing.
    pub async fn open(address: &str) -> Result<Self, StoreError> {
        let database = if let Some(place) = address.strip_prefix("sqlite:") {
            Database::Sqlite(Sqlite::open(place).await?)
        } else if address.starts_with("postgres://") || address.starts_with("postgresql://") {
            Database::Postgres(Box::new(Postgres::open(address).await?))
        } else {
            return Err(StoreError::Address(format!("{address:?} names no known database")));
        };
        Ok(Self(Arc::new(Inner { database, closed: AtomicBool::new(false) })))
    }

    /// Finishes the work that was begun, then closes the database for all clones of this handle.
    pub async fn close(&self) {
        if self.0.closed.swap(true, Ordering::SeqCst) {
            return;
        }
        match &self.0.database {
            Database::Sqlite(sqlite) => sqlite.close().await,
            Database::Postgres(postgres) => postgres.close().await,
        }
    }

    /// Writes one decision whole or not at all. Returns once it is durable.
    pub async fn commit(&self, commit: impl Borrow<Commit>) -> Result<(), CommitError> {
        match self.database()? {
            Database::Sqlite(sqlite) => sqlite.commit(commit.borrow()).await,
            Database::Postgres(postgres) => postgres.commit(commit.borrow()).await,
        }
    }

    /// Runs work that writes several things concurrently within one task, so that they share one wait for the disk.
    pub async fn in_company<T>(work: impl Future<Output = T>) -> T {
        crate::sqlite::in_company(work).await
    }

    /// Returns the changes as they become durable: those of this process and, with PostgreSQL, those of other
    /// nodes. They arrive promptly, but some may be lost. A caller that must not miss one also polls.
    pub fn changes(&self) -> broadcast::Receiver<Change> {
        match &self.0.database {
            Database::Sqlite(sqlite) => sqlite.changes(),
            Database::Postgres(postgres) => postgres.changes(),
        }
    }

    /// Returns a count of the times when changes of other nodes may have been missed.
    pub fn gaps(&self) -> watch::Receiver<u64> {
        match &self.0.database {
            Database::Sqlite(sqlite) => sqlite.gaps(),
            Database::Postgres(postgres) => postgres.gaps(),
        }
    }

    /// Returns the version of the last migration that the database has seen.
    pub async fn schema_version(&self) -> Result<i64, StoreError> {
        let version = self.read(sql::MIGRATION_VERSION, []).await?.read_one(|row| row.take())?;
        version.ok_or_else(|| StoreError::Corrupt("the schema has no version".into()))
    }

    /// Succeeds if the database answers and has a schema that this program knows.
    pub async fn check_ready(&self) -> Result<(), StoreError> {
        migration::check(self.schema_version().await?)
    }

    fn database(&self) -> Result<&Database, StoreError> {
        match self.0.closed.load(Ordering::SeqCst) {
            true => Err(StoreError::Closed),
            false => Ok(&self.0.database),
        }
    }

    async fn read(&self, text: &'static str, values: impl Into<Vec<Value>>) -> Result<Answer, StoreError> {
        self.read_statement(Statement::new(text, values)).await
    }

    /// Reads at most one row, by its primary key.
    async fn look_up(&self, text: &'static str, values: impl Into<Vec<Value>>) -> Result<Answer, StoreError> {
        let statement = Statement::new(text, values);
        match self.database()? {
            Database::Sqlite(sqlite) => sqlite.look_up(statement).await,
            Database::Postgres(postgres) => postgres.read(statement).await,
        }
    }

    async fn read_statement(&self, statement: Statement) -> Result<Answer, StoreError> {
        match self.database()? {
            Database::Sqlite(sqlite) => sqlite.read(statement).await,
            Database::Postgres(postgres) => postgres.read(statement).await,
        }
    }

    async fn write(&self, text: &'static str, values: impl Into<Vec<Value>>) -> Result<Answer, StoreError> {
        self.write_statement(Statement::new(text, values)).await
    }

    async fn write_statement(&self, statement: Statement) -> Result<Answer, StoreError> {
        match self.database()? {
            Database::Sqlite(sqlite) => sqlite.write(statement).await,
            Database::Postgres(postgres) => postgres.write(statement).await,
        }
    }

    /// Runs all statements in one transaction.
    async fn write_all(&self, mut statements: Vec<Statement>) -> Result<(), StoreError> {
        let written = match (self.database()?, statements.len()) {
            (_, 0) => return Ok(()),
            (_, 1) => self.write_statement(statements.remove(0)).await,
            (Database::Sqlite(sqlite), _) => sqlite.write_together(statements).await,
            (Database::Postgres(postgres), _) => postgres.write_together(vec![], statements).await,
        };
        written.map(|_| ())
    }
}

/// Instances and their history.
impl Store {
    pub async fn load(&self, id: &str) -> Result<Option<Instance>, StoreError> {
        self.look_up(sql::INSTANCE_LOAD, [id.into()]).await?.read_one(Instance::read)
    }

    /// Returns the transition that answered this client request, if any.
    pub async fn find_request(&self, id: &str, request: &str) -> Result<Option<LogEntry>, StoreError> {
        self.look_up(sql::LOG_REQUEST, [id.into(), request.into()]).await?.read_one(LogEntry::read)
    }

    /// Returns one page of instances, newest first. Instances created while a client pages appear before its first
    /// page.
    pub async fn list(
        &self,
        filter: &Filter,
        from: Option<&Cursor>,
        limit: usize,
    ) -> Result<Page, StoreError> {
        let limit = limit.clamp(1, MAX_LIMIT);
        // An extra row shows that there is a next page.
        let mut instances =
            self.read_statement(list_statement(filter, from, limit + 1)).await?.read(Instance::read)?;
        let more = instances.len() > limit;
        instances.truncate(limit);
        let next = instances.last().filter(|_| more).map(Cursor::after);
        Ok(Page { instances, next })
    }

    /// Returns the log after a version, oldest first.
    pub async fn log(&self, id: &str, after_version: u64, limit: usize) -> Result<Vec<LogEntry>, StoreError> {
        let text = match self.database()? {
            Database::Sqlite(_) => sql::LOG_LIST_CHAINED,
            Database::Postgres(_) => sql::LOG_LIST,
        };
        self.read(text, [id.into(), after_version.into(), bound(limit)]).await?.read(LogEntry::read)
    }

    /// Returns an entry of the `kv` view: `flow:{id}` is the data of an instance, without its `desk`.
    pub async fn kv(&self, key: &str) -> Result<Option<KvEntry>, StoreError> {
        self.look_up(sql::KV_GET, [key.into()]).await?.read_one(KvEntry::read)
    }

    pub async fn counts(&self, now: At) -> Result<Counts, StoreError> {
        let counts = self.read(sql::COUNTS, [now.into()]).await?.read_one(Counts::read)?;
        counts.ok_or_else(|| StoreError::Corrupt("counting gave no row".into()))
    }
}

/// Effects and timers: the work that has to be done, and the worker that does it.
impl Store {
    /// Returns the effects of an instance, oldest first.
    pub async fn effects(&self, id: &str) -> Result<Vec<Effect>, StoreError> {
        self.read(sql::EFFECT_LIST, [id.into(), bound(MAX_LIMIT)]).await?.read(Effect::read)
    }

    /// Returns effects that were given up, newest first.
    pub async fn dead_effects(&self, limit: usize) -> Result<Vec<Effect>, StoreError> {
        self.read(sql::EFFECT_DEAD, [bound(limit)]).await?.read(Effect::read)
    }

    /// Leases pending effects that are ready and have no owner to `owner`, and counts the attempt.
    pub async fn claim_effects(
        &self,
        kinds: Kinds<'_>,
        now: At,
        lease_until: At,
        owner: &str,
        limit: usize,
    ) -> Result<Vec<Effect>, StoreError> {
        let values = vec![now.into(), bound(limit), owner.into(), lease_until.into()];
        let claimed = self.write_statement(Statement { text: claim_text(kinds).into(), values }).await?;
        let mut effects = claimed.read(Effect::read)?;
        // The last part of a key is a number, and 10 comes after 9.
        effects.sort_by(|a, b| {
            let order = |effect: &Effect| (effect.not_before, effect.created_at, effect.key.len());
            order(a).cmp(&order(b)).then_with(|| a.key.cmp(&b.key))
        });
        Ok(effects)
    }

    /// Writes effects that no turn causes, such as a job's message. The key identifies the effect, so writing it
    /// again does nothing, even after it was performed.
    pub async fn post_effects(&self, effects: &[Effect]) -> Result<(), StoreError> {
        for some in effects.chunks(WRITTEN_AT_ONCE) {
            self.write_all(some.iter().map(post_effect).collect()).await?;
        }
        Ok(())
    }

    /// Marks an effect as done. Returns false if it was done before or does not exist.
    pub async fn finish_effect(&self, key: &str, at: At) -> Result<bool, StoreError> {
        self.touch(sql::EFFECT_FINISH, [at.into(), key.into()]).await
    }

    /// Renews the leases of `owner` on pending effects of an instance, and returns their keys.
    pub async fn renew_effects(
        &self,
        instance: &str,
        owner: &str,
        lease_until: At,
    ) -> Result<Vec<String>, StoreError> {
        let values = [lease_until.into(), instance.into(), owner.into()];
        self.write(sql::EFFECT_RENEW, values).await?.read(|row| row.take())
    }

    /// Records that the attempt of `owner` failed; another may begin at `not_before`. Returns false if the effect
    /// is no longer pending or has another owner by now.
    pub async fn retry_effect(
        &self,
        key: &str,
        owner: &str,
        not_before: At,
        error: &str,
    ) -> Result<bool, StoreError> {
        self.touch(sql::EFFECT_RETRY, [not_before.into(), error.into(), key.into(), owner.into()]).await
    }

    /// Puts an effect off until `not_before` without counting an attempt. Returns false if it is no longer pending
    /// or has another owner by now.
    pub async fn postpone_effect(
        &self,
        key: &str,
        owner: &str,
        not_before: At,
        reason: &str,
    ) -> Result<bool, StoreError> {
        self.touch(sql::EFFECT_POSTPONE, [not_before.into(), reason.into(), key.into(), owner.into()]).await
    }

    /// Gives an effect up until it is revived. Returns false if it is not pending or has another owner.
    pub async fn bury_effect(&self, key: &str, owner: &str, reason: &str) -> Result<bool, StoreError> {
        self.touch(sql::EFFECT_BURY, [reason.into(), key.into(), owner.into()]).await
    }

    /// Makes a dead effect pending again, with no attempts counted. Returns false if it is not dead.
    pub async fn revive_effect(&self, key: &str, at: At) -> Result<bool, StoreError> {
        self.touch(sql::EFFECT_REVIVE, [at.into(), key.into()]).await
    }

    /// Returns the processes that hold leases on pending effects and on timers.
    pub async fn lease_owners(&self) -> Result<Vec<String>, StoreError> {
        self.read(sql::LEASE_OWNERS, [bound(MAX_LIMIT)]).await?.read(|row| row.take())
    }

    /// Ends all leases of an owner that has died, so that others take over its work at once.
    pub async fn free_leases(&self, owner: &str) -> Result<(), StoreError> {
        let texts = [sql::LEASE_FREE_EFFECTS, sql::LEASE_FREE_TIMERS];
        self.write_all(texts.map(|text| Statement::new(text, [owner.into()])).into()).await
    }

    /// Returns the timers of an instance, the next one first.
    pub async fn timers(&self, id: &str) -> Result<Vec<Timer>, StoreError> {
        self.read(sql::TIMER_LIST, [id.into(), bound(MAX_LIMIT)]).await?.read(Timer::read)
    }

    /// Leases due timers without a lease to `owner`.
    pub async fn claim_timers(
        &self,
        now: At,
        lease_until: At,
        owner: &str,
        limit: usize,
    ) -> Result<Vec<Timer>, StoreError> {
        let values = [now.into(), bound(limit), owner.into(), lease_until.into()];
        let mut timers = self.write(sql::TIMER_CLAIM, values).await?.read(Timer::read)?;
        timers.sort_by(|a, b| (a.due_at, &a.instance).cmp(&(b.due_at, &b.instance)));
        Ok(timers)
    }

    /// Drops a timer whose event led to nothing. A turn that moves its instance replaces the timers itself.
    pub async fn discard_timer(&self, timer: &Timer) -> Result<bool, StoreError> {
        self.touch(sql::TIMER_DISCARD, timer.values(0)).await
    }

    async fn touch(&self, text: &'static str, values: impl Into<Vec<Value>>) -> Result<bool, StoreError> {
        Ok(self.write(text, values).await?.touched > 0)
    }
}

/// Learners' documents, and laws.
impl Store {
    /// Returns a learner's documents of one kind, by rank, then key.
    pub async fn records(&self, learner: &str, kind: &str, limit: usize) -> Result<Vec<Record>, StoreError> {
        self.read(sql::RECORD_LIST, [learner.into(), kind.into(), bound(limit)]).await?.read(Record::read)
    }

    pub async fn record(&self, learner: &str, kind: &str, key: &str) -> Result<Option<Record>, StoreError> {
        self.look_up(sql::RECORD_GET, [learner.into(), kind.into(), key.into()]).await?.read_one(Record::read)
    }

    /// Returns a learner's documents that belong to one larger thing, of all kinds.
    pub async fn records_in(
        &self,
        learner: &str,
        scope: &str,
        limit: usize,
    ) -> Result<Vec<Record>, StoreError> {
        self.read(sql::RECORD_SCOPE, [learner.into(), scope.into(), bound(limit)]).await?.read(Record::read)
    }

    /// Returns a scope to decide with: its version and all of its documents. They may be newer than the version
    /// says, never older, so a decision that rests on half of a change is refused.
    pub async fn scope(&self, learner: &str, scope: &str) -> Result<(u64, Vec<Record>), StoreError> {
        let version = self.scope_version(learner, scope).await?;
        let values = [learner.into(), scope.into(), Value::Int(MAX_DOCUMENTS as i64)];
        Ok((version, self.read(sql::RECORD_SCOPE, values).await?.read(Record::read)?))
    }

    /// Returns the version that stands for the present documents of a scope; 0 while no turn has written to it.
    pub async fn scope_version(&self, learner: &str, scope: &str) -> Result<u64, StoreError> {
        let version = self.look_up(sql::SCOPE_VERSION, [learner.into(), scope.into()]).await?;
        Ok(version.read_one(|row| row.take())?.unwrap_or(0))
    }

    /// Returns the documents of one kind that stand at one place of a scope, newest first.
    pub async fn recent_records(
        &self,
        (learner, scope, kind, standing): (&str, &str, &str, &str),
        limit: usize,
    ) -> Result<Vec<Record>, StoreError> {
        let values = [learner.into(), scope.into(), kind.into(), standing.into(), bound(limit)];
        self.read(sql::RECORD_RECENT, values).await?.read(Record::read)
    }

    /// Counts a learner's documents of one kind by scope and standing.
    pub async fn tally_records(&self, learner: &str, kind: &str) -> Result<Vec<Tally>, StoreError> {
        let values = [learner.into(), kind.into(), bound(MAX_LIMIT)];
        self.read(sql::RECORD_TALLY, values).await?.read(Tally::read)
    }

    /// Replaces the body of a document that no turn writes, if it is still `before`; `None` creates the document.
    /// Returns false if another writer was faster: read it again and decide again.
    pub async fn swap_record(
        &self,
        (learner, kind, key): (&str, &str, &str),
        before: Option<&str>,
        (body, due_at): (&str, Option<At>),
        at: At,
    ) -> Result<bool, StoreError> {
        let [learner, kind, key] = [learner, kind, key].map(Value::from);
        let [body, due_at, at] = [body.into(), due_at.into(), at.into()];
        let (text, values) = match before {
            None => (sql::RECORD_CREATE, vec![learner, kind, key, body, due_at, at]),
            Some(before) => (sql::RECORD_SWAP, vec![body, due_at, at, learner, kind, key, before.into()]),
        };
        self.touch(text, values).await
    }

    /// Deletes a document if it is unchanged since it was read. Returns false if it has changed or is gone.
    pub async fn forget_record(&self, record: &Record) -> Result<bool, StoreError> {
        let Record { learner, kind, key, body, .. } = record;
        let values = [learner, kind, key, body].map(|text| Value::from(text.as_str()));
        self.touch(sql::RECORD_FORGET, values).await
    }

    /// Writes documents outside of turns, such as imported ones. Each is written whole, so writing all of them
    /// again does no harm.
    pub async fn remember(&self, changes: &[RecordChange], at: At) -> Result<(), StoreError> {
        // This is the order in which commits lock documents, so none deadlocks.
        let mut changes: Vec<&RecordChange> = changes.iter().collect();
        changes.sort_by(|a, b| (&a.learner, &a.kind, &a.key).cmp(&(&b.learner, &b.kind, &b.key)));
        for some in changes.chunks(WRITTEN_AT_ONCE) {
            self.write_all(some.iter().map(|change| change_record(change, at)).collect()).await?;
        }
        Ok(())
    }

    /// Counts the documents of one kind that a learner has due at each time after now, outside one scope. Documents
    /// of other learners are not read, however many are due then.
    pub async fn due_ahead(
        &self,
        (learner, kind): (&str, &str),
        outside_of: &str,
        now: At,
    ) -> Result<Vec<(At, u64)>, StoreError> {
        let values = [learner.into(), kind.into(), outside_of.into(), now.into(), bound(MAX_LIMIT)];
        self.read(sql::RECORD_AHEAD, values).await?.read(|row| Ok((row.take()?, row.take()?)))
    }

    /// Returns all learners' documents of one kind that are due, the longest due first.
    pub async fn due_records(&self, kind: &str, now: At, limit: usize) -> Result<Vec<Record>, StoreError> {
        self.read(sql::RECORD_DUE, [kind.into(), now.into(), bound(limit)]).await?.read(Record::read)
    }

    /// Keeps a law. For a known law, only `delivers` can change, and only to true.
    pub async fn law_put(&self, law: &Law) -> Result<(), StoreError> {
        self.write(sql::LAW_PUT, law.values(0)).await.map(|_| ())
    }

    pub async fn law_get(&self, hash: &str) -> Result<Option<Law>, StoreError> {
        self.look_up(sql::LAW_GET, [hash.into()]).await?.read_one(Law::read)
    }

    /// Returns when the store first met a law whose source begins like this.
    pub async fn law_age(&self, flow: &str, beginning: &str) -> Result<Option<At>, StoreError> {
        let age = self.read(sql::LAW_AGE, [flow.into(), beginning.into()]).await?;
        Ok(age.read_one(|row| row.take::<Option<At>>())?.flatten())
    }

    /// Returns the laws that open instances run under, each with the number of its open instances.
    pub async fn laws_in_use(&self) -> Result<Vec<LawInUse>, StoreError> {
        self.read(sql::LAW_IN_USE, [bound(MAX_LIMIT)]).await?.read(LawInUse::read)
    }
}

/// Learners as a whole.
impl Store {
    /// Returns learners who have opened a flow of this kind since then, by name, beginning after `after`.
    pub async fn learners_since(
        &self,
        flow: &str,
        since: At,
        after: &str,
        limit: usize,
    ) -> Result<Vec<String>, StoreError> {
        let values = [flow.into(), since.into(), after.into(), bound(limit)];
        self.read(sql::INSTANCE_LEARNERS, values).await?.read(|row| row.take())
    }

    /// Returns all documents of a learner, by kind and key, beginning after this kind and key.
    pub async fn all_records(
        &self,
        learner: &str,
        (kind, key): (&str, &str),
        limit: usize,
    ) -> Result<Vec<Record>, StoreError> {
        let values = [learner.into(), kind.into(), key.into(), bound(limit)];
        self.read(sql::RECORD_ALL, values).await?.read(Record::read)
    }

    /// Deletes everything about a learner: flows with their logs, effects and timers, the learner's documents, and
    /// documents without a learner whose scope is one of the flows or `learner/NAME`. Deletes all of it or nothing,
    /// and writes `note` in the same transaction.
    pub async fn erase_learner(
        &self,
        learner: &str,
        note: &RecordChange,
        at: At,
    ) -> Result<Erased, StoreError> {
        let log: &[&str] = match self.database()? {
            Database::Sqlite(_) => &[sql::ERASE_MARKS, sql::ERASE_LOG_CHAINED],
            Database::Postgres(_) => &[sql::ERASE_LOG],
        };
        // Rows that name flows are deleted before the flows themselves.
        let others = [
            sql::ERASE_TIMERS,
            sql::ERASE_EFFECTS,
            sql::ERASE_SHARED,
            sql::ERASE_RECORDS,
            sql::ERASE_INSTANCES,
            sql::ERASE_SCOPES,
        ];
        let texts = log.iter().copied().chain(others);
        let erase = texts.map(|text| Statement::new(text, [learner.into()]));
        let statements = erase.chain([change_record(note, at)]).collect();
        let answer = match self.database()? {
            Database::Sqlite(sqlite) => sqlite.write_together(statements).await?,
            Database::Postgres(postgres) => {
                let scopes = Statement::new(sql::ERASE_LOCK_SCOPES, [learner.into()]);
                let locks = vec![scopes, Statement::new(sql::ERASE_LOCK_FLOWS, [])];
                postgres.write_together(locks, statements).await?
            }
        };
        let counts: Vec<u64> = answer.read(|row| row.take())?;
        let [log, timers, effects, shared, records, instances, ..] = counts[log.len() - 1..] else {
            return Err(StoreError::Corrupt("deleting gave no counts".into()));
        };
        if let Database::Sqlite(sqlite) = self.database()? {
            sqlite.fold().await;
        }
        Ok(Erased { instances, log, effects, timers, records: records + shared })
    }
}

/// The database as a whole.
impl Store {
    /// Writes everything as it stands at one moment, while turns go on. Works on the thread of its caller.
    pub async fn back_up(&self, out: impl Write + Send, at: At) -> Result<Backup, StoreError> {
        let mut writer = backup::Writer::begin(out, self.schema_version().await?, at)?;
        let mut each = |table: &Table, values: Vec<Value>| writer.row(table, values);
        match self.database()? {
            Database::Sqlite(sqlite) => sqlite.each_row(&mut each)?,
            Database::Postgres(postgres) => postgres.each_row(&mut each).await?,
        }
        writer.end()
    }

    /// Reads a backup of either database. Afterwards all of it is there, or nothing has changed. Existing data is
    /// replaced if `replace` is set; otherwise the restore is refused. No other program may work on the database
    /// meanwhile.
    pub async fn restore(&self, lines: impl BufRead + Send, replace: bool) -> Result<Backup, StoreError> {
        let mut reader = backup::Reader::begin(lines, migration::check)?;
        let mut next = || reader.row();
        match self.database()? {
            Database::Sqlite(sqlite) => sqlite.restore(replace, &mut next)?,
            Database::Postgres(postgres) => postgres.restore(replace, &mut next).await?,
        }
        Ok(reader.summary())
    }

    /// Looks for damage: the damage that SQLite finds in its file, and logs that do not lead to the version of
    /// their flow.
    pub async fn find_damage(&self) -> Result<Vec<String>, StoreError> {
        let mut found = Vec::new();
        let mut checks = vec![sql::CHECK_LOG];
        if let Database::Sqlite(sqlite) = self.database()? {
            found.extend(sqlite.quick_check().await?);
            checks.push(sql::CHECK_CHAIN);
        }
        for text in checks {
            let said = |row: &mut Row| {
                let (id, version, last): (String, u64, u64) = (row.take()?, row.take()?, row.take()?);
                Ok(format!("the log of `{id}` leads to version {last} and not on to {version}, or has a gap"))
            };
            let limit = Value::Int(MOST_FINDINGS as i64);
            found.extend(self.read(text, [limit]).await?.read(said)?);
        }
        found.dedup();
        Ok(found)
    }

    /// Returns flows that ended before a moment and have more than their last log entry, by id, beginning after
    /// `after`.
    pub async fn prunable(&self, before: At, after: &str, limit: usize) -> Result<Vec<Instance>, StoreError> {
        let values = [before.into(), after.into(), bound(limit)];
        self.read(sql::PRUNE_LIST, values).await?.read(Instance::read)
    }

    /// Deletes the log of a flow that has ended, except for its last entry, and its performed effects. Returns the
    /// number of entries deleted.
    pub async fn prune(&self, flow: &Instance) -> Result<u64, StoreError> {
        let id = || Value::from(flow.id.as_str());
        let effects = Statement::new(sql::PRUNE_EFFECTS, [id()]);
        let version = flow.version.into();
        let answer = match self.database()? {
            Database::Sqlite(sqlite) => {
                let log = Statement::new(sql::PRUNE_LOG_CHAINED, [id()]);
                let others = [sql::PRUNE_UNCHAIN, sql::PRUNE_MARKS].map(|text| Statement::new(text, [id()]));
                let all = [log].into_iter().chain(others).chain([effects]).collect();
                sqlite.write_together(all).await?
            }
            Database::Postgres(postgres) => {
                let log = Statement::new(sql::PRUNE_LOG, [id(), version]);
                postgres.write_together(vec![], vec![log, effects]).await?
            }
        };
        Ok(answer.read_one(|row| row.take())?.unwrap_or_default())
    }
}

fn bound(limit: usize) -> Value {
    Value::Int(limit.min(MAX_LIMIT) as i64)
}

fn claim_text(kinds: Kinds<'_>) -> String {
    let literal = |kind: &&str| format!("'{}'", kind.replace('\'', "''"));
    let (mark, kinds) = match &kinds {
        Kinds::AllBut([]) => return sql::EFFECT_CLAIM.to_owned(),
        Kinds::AllBut(kinds) => ("all but", *kinds),
        Kinds::InOrder(kind) => ("in order", std::slice::from_ref(kind)),
    };
    let kinds: Vec<String> = kinds.iter().map(literal).collect();
    sql::wake(sql::EFFECT_CLAIM, mark).replace("{kinds}", &kinds.join(", "))
}

fn list_statement(filter: &Filter, from: Option<&Cursor>, limit: usize) -> Statement {
    let Filter { flow, state, learner, open } = filter;
    let marks = [
        ("any flow", flow.is_none()),
        ("any state", state.is_none()),
        ("any learner", learner.is_none()),
        ("any open", open.is_none()),
        ("one learner", learner.is_some()),
        ("only open", *open == Some(true) && learner.is_none()),
    ];
    let text = marks
        .into_iter()
        .filter(|(_, awake)| *awake)
        .fold(sql::INSTANCE_LIST.to_owned(), |text, (mark, _)| sql::wake(&text, mark));
    let (created_at, id) = from.map_or((At(i64::MAX), ""), |cursor| (cursor.created_at, cursor.id.as_str()));
    let values = vec![
        created_at.into(),
        id.into(),
        flow.clone().into(),
        state.clone().into(),
        learner.clone().into(),
        (*open).into(),
        Value::Int(limit as i64),
    ];
    Statement { text: text.into(), values }
}
