//! The SQL files, and the two changes that are made to their text before a database sees it.
//!
//! A comment of the form `/*mark: text*/` is dormant: every database skips it. [`wake`] turns those with a given
//! mark into text. The mark `postgres` is for text that only PostgreSQL understands; other marks belong to one
//! query.
//!
//! Parameters appear in each file in the order `$1, $2, …`. PostgreSQL does not care, but to SQLite `$1` is a name,
//! and it numbers names in the order in which they appear. This order lets both bind by position.

use std::sync::LazyLock;

macro_rules! queries {
    ($($name:ident = $file:literal),* $(,)?) => {
        $(pub(crate) const $name: &str = include_str!(concat!("../queries/", $file, ".sql"));)*
        #[cfg(test)]
        const ALL: &[(&str, &str)] = &[$(($file, $name)),*];
    };
}

queries! {
    CHECK_CHAIN = "check_chain",
    CHECK_LOG = "check_log",
    COUNTS = "counts",
    EFFECT_BURY = "effect_bury",
    EFFECT_CLAIM = "effect_claim",
    EFFECT_DEAD = "effect_dead",
    EFFECT_FINISH = "effect_finish",
    EFFECT_INSERT = "effect_insert",
    EFFECT_LIST = "effect_list",
    EFFECT_POST = "effect_post",
    EFFECT_POSTPONE = "effect_postpone",
    EFFECT_RENEW = "effect_renew",
    EFFECT_RETRY = "effect_retry",
    EFFECT_REVIVE = "effect_revive",
    ERASE_EFFECTS = "erase_effects",
    ERASE_INSTANCES = "erase_instances",
    ERASE_LOCK_FLOWS = "erase_lock_flows",
    ERASE_LOCK_SCOPES = "erase_lock_scopes",
    ERASE_LOG = "erase_log",
    ERASE_LOG_CHAINED = "erase_log_chained",
    ERASE_MARKS = "erase_marks",
    ERASE_RECORDS = "erase_records",
    ERASE_SCOPES = "erase_scopes",
    ERASE_SHARED = "erase_shared",
    ERASE_TIMERS = "erase_timers",
    INSTANCE_CLAIM = "instance_claim",
    INSTANCE_INSERT = "instance_insert",
    INSTANCE_LEARNERS = "instance_learners",
    INSTANCE_LIST = "instance_list",
    INSTANCE_LOAD = "instance_load",
    INSTANCE_STANDING = "instance_standing",
    INSTANCE_UPDATE = "instance_update",
    KV_GET = "kv_get",
    LAW_AGE = "law_age",
    LAW_GET = "law_get",
    LAW_IN_USE = "law_in_use",
    LAW_PUT = "law_put",
    LEASE_FREE_EFFECTS = "lease_free_effects",
    LEASE_FREE_TIMERS = "lease_free_timers",
    LEASE_OWNERS = "lease_owners",
    LOG_INSERT = "log_insert",
    LOG_INSERT_CHAINED = "log_insert_chained",
    LOG_LIST = "log_list",
    LOG_LIST_CHAINED = "log_list_chained",
    LOG_MARK = "log_mark",
    LOG_REQUEST = "log_request",
    MIGRATION_RECORD = "migration_record",
    MIGRATION_TABLE = "migration_table",
    MIGRATION_VERSION = "migration_version",
    OCCUPIED = "occupied",
    PRUNE_EFFECTS = "prune_effects",
    PRUNE_LIST = "prune_list",
    PRUNE_LOG = "prune_log",
    PRUNE_LOG_CHAINED = "prune_log_chained",
    PRUNE_MARKS = "prune_marks",
    PRUNE_UNCHAIN = "prune_unchain",
    RECORD_AHEAD = "record_ahead",
    RECORD_ALL = "record_all",
    RECORD_CREATE = "record_create",
    RECORD_DELETE = "record_delete",
    RECORD_FORGET = "record_forget",
    RECORD_DUE = "record_due",
    RECORD_GET = "record_get",
    RECORD_LIST = "record_list",
    RECORD_PUT = "record_put",
    RECORD_RECENT = "record_recent",
    RECORD_SCOPE = "record_scope",
    RECORD_SWAP = "record_swap",
    RECORD_TALLY = "record_tally",
    RESTORE_CHAIN = "restore_chain",
    RESTORE_LEARNERS = "restore_learners",
    SCOPE_CLAIM = "scope_claim",
    SCOPE_LOCK = "scope_lock",
    SCOPE_PUT = "scope_put",
    SCOPE_VERSION = "scope_version",
    TIMER_CLAIM = "timer_claim",
    TIMER_CLEAR = "timer_clear",
    TIMER_DISCARD = "timer_discard",
    TIMER_INSERT = "timer_insert",
    TIMER_LIST = "timer_list",
}

pub(crate) static INSTANCE_INSERTS: Decisions = Decisions(LazyLock::new(|| decisions(INSTANCE_INSERT)));
pub(crate) static INSTANCE_UPDATES: Decisions = Decisions(LazyLock::new(|| decisions(INSTANCE_UPDATE)));

/// The texts of a decision about a commit, one for each combination of awake marks.
pub(crate) struct Decisions(LazyLock<[String; 16]>);

/// The marks that a commit wakes in its decision; see the queries.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Marks {
    pub(crate) chained: bool,
    pub(crate) ending: bool,
    pub(crate) undelivered: bool,
    pub(crate) seen: bool,
}

impl Marks {
    fn named(self) -> [(&'static str, bool); 4] {
        let Self { chained, ending, undelivered, seen } = self;
        [("chained", chained), ("ending", ending), ("undelivered", undelivered), ("seen", seen)]
    }
}

impl Decisions {
    pub(crate) fn get(&'static self, marks: Marks) -> &'static str {
        let place = |bits, (_, is_awake)| bits * 2 + usize::from(is_awake);
        &self.0[marks.named().into_iter().fold(0, place)]
    }
}

fn decisions(text: &str) -> [String; 16] {
    let is_set = |place: usize, bit: usize| place & bit != 0;
    std::array::from_fn(|place| {
        let [chained, ending, undelivered, seen] = [8, 4, 2, 1].map(|bit| is_set(place, bit));
        let marks = Marks { chained, ending, undelivered, seen }.named();
        let awake = marks.into_iter().filter(|(_, is_awake)| *is_awake);
        awake.fold(text.to_owned(), |text, (mark, _)| wake(&text, mark))
    })
}

/// Turns the dormant comments with this mark into text.
pub(crate) fn wake(text: &str, mark: &str) -> String {
    let opening = format!("/*{mark}:");
    let mut parts = text.split(opening.as_str());
    let mut awake = parts.next().unwrap_or_default().to_owned();
    for part in parts {
        awake.push_str(&part.replacen("*/", "", 1));
    }
    awake
}

/// Widens `INSERT … VALUES ($1, …, $n)` to `rows` tuples with consecutive parameters.
pub(crate) fn widen(insert: &str, rows: usize) -> String {
    let start = insert.find("VALUES (").expect("only inserts are widened") + "VALUES ".len();
    let end = start + insert[start..].find(')').expect("a tuple ends") + 1;
    let width = insert[start..end].matches('$').count();
    let tuples: Vec<String> = (0..rows).map(|row| tuple(row * width + 1, width)).collect();
    format!("{}{}{}", &insert[..start], tuples.join(", "), &insert[end..])
}

fn tuple(first: usize, width: usize) -> String {
    let parameters: Vec<String> = (first..first + width).map(|number| format!("${number}")).collect();
    format!("({})", parameters.join(", "))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parameters_appear_in_order() {
        for (file, text) in ALL {
            let mut seen = 0;
            for piece in text.split('$').skip(1) {
                let digits: String = piece.chars().take_while(char::is_ascii_digit).collect();
                let number: usize = digits.parse().expect("a parameter is a number");
                assert!(number <= seen + 1, "{file}.sql mentions ${number} before ${}", seen + 1);
                seen = seen.max(number);
            }
        }
    }

    #[test]
    fn every_file_is_listed() {
        let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/queries");
        let files = std::fs::read_dir(folder).expect("the queries are there").count();
        assert_eq!(files, ALL.len(), "a file in queries/ is not listed in sql.rs");
    }

    #[test]
    fn marks_wake_alone() {
        let text = "a /*postgres: b*/ c /*other: d*/ e /*postgres: f*/";
        assert_eq!(wake(text, "postgres"), "a  b c /*other: d*/ e  f");
        assert_eq!(wake(text, "none"), text);
    }

    #[test]
    fn inserts_widen() {
        let text = "INSERT INTO t (a, b) VALUES ($1, $2) ON CONFLICT (a) DO NOTHING";
        let wide = "INSERT INTO t (a, b) VALUES ($1, $2), ($3, $4) ON CONFLICT (a) DO NOTHING";
        assert_eq!(widen(text, 1), text);
        assert_eq!(widen(text, 2), wide);
    }
}
