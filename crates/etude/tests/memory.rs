//! Tests of `etude memory` as its users meet it: evaluation of logs, forecasts and settings.

use crate::common::{Folder, Outcome, text};
use serde_json::Value;
use std::fmt::Write;

fn json(outcome: &Outcome) -> Value {
    serde_json::from_str(&outcome.stdout).unwrap_or_else(|error| panic!("{error}: {outcome:?}"))
}

/// A log of cards that are reviewed after 1, 3, 8 and 20 days; every seventh review fails.
fn log(cards: usize) -> String {
    let mut log = String::from("card_id,review_time,review_rating\n");
    for card in 0..cards {
        for (at, day) in [0, 1, 4, 12, 32].iter().enumerate() {
            let rating = if (card * 5 + at * 3) % 7 == 0 { 1 } else { 3 };
            let at_ms = 1_700_000_000_000i64 + (day + card as i64 % 50) * 86_400_000;
            writeln!(log, "{card},{at_ms},{rating}").unwrap();
        }
    }
    log
}

#[test]
fn a_log_is_evaluated_and_the_best_model_is_kept() {
    let folder = Folder::new();
    let path = folder.write("log.csv", log(200));
    let outcome = folder.run(&["memory", "evaluate", &path, "--json"]);
    assert_eq!(outcome.code, Some(0), "{outcome:?}");
    let answer = json(&outcome);
    let names: Vec<&String> = answer["models"].as_object().unwrap().keys().collect();
    assert_eq!(names, ["sm2", "fsrs_default", "fsrs_fitted", "baseline"]);
    let loss = |name: &str| answer["models"][name]["log_loss"].as_f64().unwrap();
    let best = ["sm2", "fsrs_default", "fsrs_fitted"].into_iter().min_by(|a, b| loss(a).total_cmp(&loss(b)));
    assert_eq!(Some(text(&answer, "/chosen")), best);
    assert!(!folder.data().exists(), "reading a file writes nothing");

    let kept = folder.run(&["memory", "evaluate", &path, "--fit"]);
    assert!(kept.code == Some(0) && kept.stdout.contains("kept for “me”"), "{kept:?}");
    let settings = json(&folder.run(&["memory", "set", "--json"]));
    let is_fitted = text(&answer, "/chosen") == "fsrs_fitted";
    assert_eq!(settings["has_fitted_weights"], Value::Bool(is_fitted), "{settings}");
    assert_eq!(settings["memory_chosen_by"], "learner", "the nightly fit leaves it alone");
    let free = json(&folder.run(&["memory", "set", "--memory", "auto", "--json"]));
    assert_eq!((&free["memory_chosen_by"], &free["memory"]), (&"fit".into(), &settings["memory"]));
    assert_eq!(settings["memory"], if text(&answer, "/chosen") == "sm2" { "sm2" } else { "fsrs" });
}

#[test]
fn bad_rows_are_named_and_empty_logs_are_refused() {
    let folder = Folder::new();
    let path = folder.write("log.csv", log(3) + "9,soon,3\n9,1700000000000,8\n");
    let outcome = folder.run(&["memory", "evaluate", &path, "--json"]);
    assert_eq!((outcome.code, text(&json(&outcome), "/chosen")), (Some(0), "fsrs_default"), "{outcome:?}");
    for part in ["2 rows left out", "line 17: “soon” is not a date or time", "line 18: the rating 8"] {
        assert!(outcome.stderr.contains(part), "no `{part}` in {outcome:?}");
    }
    for (source, part) in
        [("a,b\n1,2\n", "no column for card, time, rating"), ("card,time,rating\nx,y,z\n", "line 2")]
    {
        let path = folder.write("bad.csv", source);
        let outcome = folder.run(&["memory", "evaluate", &path]);
        assert!(outcome.code == Some(2) && outcome.stderr.contains(part), "{outcome:?}");
    }
    let nothing = folder.run(&["memory", "evaluate"]);
    assert!(
        nothing.code == Some(2) && nothing.stderr.contains("nothing of “me” was rated yet"),
        "{nothing:?}"
    );
}

#[test]
fn an_anki_package_is_a_log_too() {
    let folder = Folder::new();
    let words = folder.write("words.tsv", "der Hund\tdog\ndie Katze\tcat\n");
    let imported = folder.run(&["pack", "import", &words, "--language", "de"]);
    assert_eq!(imported.code, Some(0), "{imported:?}");
    let package = folder.write("words.apkg", "");
    let exported = folder.run(&["pack", "export", "words", &package]);
    assert_eq!(exported.code, Some(0), "{exported:?}");
    let outcome = folder.run(&["memory", "evaluate", &package]);
    assert!(outcome.code == Some(2) && outcome.stderr.contains("it has no reviews"), "{outcome:?}");
}

/// Each row: an option, a wrong value, and a part of the refusal.
const REFUSED: &[(&str, &str, &str)] = &[
    ("--retention", "0.99", "write 0.70 to 0.97"),
    ("--retention", "0.5", "write 0.70 to 0.97"),
    ("--retention", "much", "write a number"),
    ("--memory", "sm18", "write fsrs, sm2 or auto"),
    ("--zone", "Mars/Olympus", "is not a time zone"),
    ("--day-starts", "24", "0..=23"),
    ("--easy-days", "sat,someday", "“someday” is no day"),
    ("--balance", "maybe", "write on or off"),
];

#[test]
fn good_settings_are_kept_and_wrong_ones_are_refused() {
    let folder = Folder::new();
    let set = [
        "memory",
        "set",
        "--retention",
        "0.85",
        "--memory",
        "sm2",
        "--zone",
        "Europe/Berlin",
        "--day-starts",
        "3",
        "--easy-days",
        "sunday,Sat",
        "--balance",
        "off",
        "--credit",
        "off",
    ];
    let outcome = folder.run(&set);
    assert_eq!(outcome.code, Some(0), "{outcome:?}");
    for (flag, value, part) in REFUSED {
        let outcome = folder.run(&["memory", "set", flag, value]);
        assert!(outcome.code == Some(2) && outcome.stderr.contains(part), "{flag} {value}: {outcome:?}");
    }
    let found = json(&folder.run(&["memory", "set", "--json"]));
    let expected = serde_json::json!({
        "retention": 0.85, "memory": "sm2", "memory_chosen_by": "learner", "has_fitted_weights": false, "zone": "Europe/Berlin", "day_starts": 3,
        "easy_days": ["sat", "sun"], "balance": false, "credit": false,
    });
    assert_eq!(found, expected);
    let other = json(&folder.run(&["memory", "set", "--json", "--learner", "ana"]));
    assert_eq!(other["retention"], 0.9, "{other}");
}

#[test]
fn a_forecast_has_a_line_for_every_day() {
    let folder = Folder::new();
    let outcome = folder.run(&["memory", "forecast", "--days", "7"]);
    assert_eq!((outcome.code, outcome.stdout.lines().count()), (Some(0), 8), "{outcome:?}");
    assert!(outcome.stdout.contains("0 reviews in 7 days"), "{outcome:?}");
    let answer = json(&folder.run(&["memory", "forecast", "--days", "3", "--json"]));
    assert_eq!(answer["days"].as_array().map(Vec::len), Some(3), "{answer}");
}
