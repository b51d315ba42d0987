//! Tests of comparing a learner's SQL with a good answer.

use outside::sql::{Difference, Outcome, Refusal, Trial, compare};

const TABLES: &str = "CREATE TABLE pets (name TEXT, kind TEXT, weight REAL); \
                      INSERT INTO pets VALUES ('Ida', 'cat', 4.2), ('Bo', 'dog', 21.0), ('Kim', 'cat', 3.8);";
const OTHERS: &str = "CREATE TABLE pets (name TEXT, kind TEXT, weight REAL); \
                      INSERT INTO pets VALUES ('Lu', 'cat', 5.5), ('Max', 'dog', 9.0);";
const CATS: &str = "SELECT name FROM pets WHERE kind = 'cat'";

fn trial<'a>(good: &'a str, given: &'a str) -> Trial<'a> {
    Trial { tables: TABLES, others: Some(OTHERS), good, given, then: None, ordered: false }
}

fn asked(given: &str) -> Outcome {
    compare(&trial(CATS, given))
}

#[test]
fn the_rows_decide_and_not_the_text() {
    for given in [
        CATS,
        "select NAME as cat from pets where kind='cat';",
        "SELECT name FROM pets WHERE kind <> 'dog' ORDER BY weight",
        "WITH c AS (SELECT * FROM pets WHERE kind LIKE 'cat') SELECT name FROM c",
    ] {
        assert_eq!(asked(given), Outcome::Same, "{given}");
    }
}

#[test]
fn a_difference_is_described() {
    for (given, told) in [
        ("SELECT name FROM pets", Difference::Rows { given: 3, wanted: 2 }),
        ("SELECT name, kind FROM pets WHERE kind = 'cat'", Difference::Columns { given: 2, wanted: 1 }),
        ("SELECT kind FROM pets WHERE kind = 'cat'", Difference::Row("'cat'".to_owned())),
    ] {
        assert_eq!(asked(given), Outcome::Differs(told), "{given}");
    }
}

#[test]
fn fitting_only_the_shown_rows_does_not_pass() {
    assert_eq!(asked("SELECT name FROM pets WHERE name IN ('Ida', 'Kim')"), Outcome::FitsOnlyShown);
    assert_eq!(asked("SELECT 'Ida' UNION SELECT 'Kim'"), Outcome::FitsOnlyShown);
}

#[test]
fn order_matters_where_it_is_asked_for() {
    let good = "SELECT name FROM pets ORDER BY weight";
    let given = "SELECT name FROM pets ORDER BY name";
    let ordered = |given| compare(&Trial { ordered: true, others: None, ..trial(good, given) });
    assert_eq!(ordered(good), Outcome::Same);
    assert_eq!(ordered(given), Outcome::Differs(Difference::Order));
}

#[test]
fn types_count_and_rounding_does_not() {
    let with = |good, given| compare(&Trial { others: None, ..trial(good, given) });
    assert_eq!(with("SELECT 1", "SELECT 1.0"), Outcome::Same);
    assert_eq!(with("SELECT 0.3", "SELECT 0.1 + 0.2"), Outcome::Same);
    assert_ne!(with("SELECT 1", "SELECT '1'"), Outcome::Same);
    assert_ne!(with("SELECT NULL", "SELECT ''"), Outcome::Same);
    assert_ne!(with("SELECT NULL", "SELECT 'NULL'"), Outcome::Same);
}

#[test]
fn changes_are_compared_by_their_result() {
    let good = "UPDATE pets SET weight = weight + 1 WHERE kind = 'dog'";
    let changed = |given| compare(&Trial { then: Some("SELECT * FROM pets"), ..trial(good, given) });
    assert_eq!(
        changed("BEGIN; UPDATE pets SET weight = 1 + weight WHERE kind = 'dog'; COMMIT"),
        Outcome::Same
    );
    assert!(matches!(changed("UPDATE pets SET weight = weight + 1"), Outcome::Differs(_)));
    assert!(matches!(changed("SELECT 1"), Outcome::Differs(_)), "nothing was changed");
}

/// Hostile or confused SQL is refused soon and with a reason, and touches nothing else.
#[test]
fn nothing_leaves_the_database() {
    let file = std::env::temp_dir().join("etude-sql-test-out.db");
    let attach = format!("ATTACH DATABASE '{}' AS out; SELECT name FROM pets", file.display());
    let vacuum = format!("VACUUM INTO '{}'; SELECT name FROM pets", file.display());
    let long = format!("SELECT '{}'", "x".repeat(20_000));
    for given in [
        attach.as_str(),
        vacuum.as_str(),
        "PRAGMA writable_schema = 1; SELECT name FROM pets",
        "SELECT load_extension('/lib/x.so')",
        "SELECT readfile('/etc/passwd')",
        "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT max(i) FROM n",
        "SELECT a.name FROM pets a, pets b, pets c, pets d, pets e, pets f, pets g, pets h",
        "SELECT hex(zeroblob(900000000))",
        "SELECT nothing FROM nowhere",
        "DELETE FROM pets",
        "not sql at all",
        "",
        "\0",
        &long,
    ] {
        let outcome = asked(given);
        let is_empty = |why: &Refusal| matches!(why, Refusal::Database(says) if says.is_empty());
        assert!(matches!(&outcome, Outcome::Refused(why) if !is_empty(why)), "{given}: {outcome:?}");
    }
    assert!(!file.exists());
}

#[test]
fn a_broken_question_is_not_the_learners_fault() {
    assert!(matches!(compare(&trial("SELECT nothing FROM nowhere", CATS)), Outcome::Untried(_)));
}
