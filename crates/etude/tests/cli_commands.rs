//! Tests of the other commands: their output and how they end.

use crate::common::{Folder, example, names, number, text};

const FEATURE: &str = "\
Feature: A turnstile

  Scenario: It opens
    Given the law \"turnstile.yaml\"
    And a new session
    When coin happens
    Then STEP
";

/// Each row: the feature's last step, the exit code, and parts of the output.
const STEPS: &[(&str, i32, &[&str])] = &[
    ("the state is OPEN", 0, &["✓ It opens", "1 passed, 0 failed"]),
    (
        "the state is LOCKED",
        1,
        &[
            "✗ It opens",
            "own.feature:7: the state is LOCKED",
            "expected LOCKED, found OPEN",
            "0 passed, 1 failed",
        ],
    ),
    (
        "the counter pushes is 9",
        1,
        &["own.feature:7:", "expected 9, found 0", "the flow stood at: state OPEN"],
    ),
    ("coin is refused", 0, &["1 passed"]),
    ("push is refused", 1, &["own.feature:7: push is refused", "`push` was taken"]),
    (
        "pigs fly",
        2,
        &[
            "own.feature:7: pigs fly",
            "no step reads `pigs fly`; `docs/scenarios.md` lists all steps; the nearest are:",
            "0 passed, 1 failed",
        ],
    ),
    ("the stat is OPEN", 2, &["did you mean `the state is {}`?"]),
    ("push happens with words", 1, &["own.feature:3: It opens", "proves nothing"]),
    ("let_through was performed", 0, &["1 passed"]),
    ("fly_away was not performed", 1, &["own.feature:7:", "the law has no action `fly_away`"]),
    ("let_throgh was not performed", 1, &["did you mean `let_through`?"]),
    ("the state is OPEN\n    And max_pushes is set to 1", 1, &["own.feature:8:", "before `a new session`"]),
    ("the state is OPEN\n    And maxx is set to 1", 1, &["own.feature:8:", "no session begins after this"]),
    ("the state is OPEN\n    And it is opened with {}", 1, &["own.feature:8:", "before `a new session`"]),
    ("the state is OPEN\n      \"\"\"\n      {}\n      \"\"\"", 2, &["own.feature:7:", "the text below it"]),
    ("the state is OPEN\n      | a | b |", 2, &["own.feature:7:", "has no use for the table below it"]),
    ("these names stand for:", 2, &["own.feature:7:", "has no table below it"]),
];

/// One command reads both kinds of file.
#[test]
fn packs_and_curricula_are_checked() {
    let shipped = |name: &str| format!("{}/../../packs/{name}", env!("CARGO_MANIFEST_DIR"));
    let folder = Folder::new();
    let source = std::fs::read_to_string(shipped("curricula/sql.yaml")).expect("a curriculum");
    let unknown = source.replacen("needs: [tables]", "needs: [chairs]", 1);
    let broken = folder.write("sql.yaml", unknown);
    for (path, code, says) in [
        (shipped("german-first-words.yaml"), 0, "✓"),
        (shipped("curricula/sql.yaml"), 0, "✓"),
        (broken, 1, "P027"),
    ] {
        let outcome = folder.run(&["pack", "check", &path]);
        assert!(outcome.code == Some(code) && outcome.stdout.contains(says), "{path}: {outcome:?}");
    }
}

#[test]
fn a_scenario_says_where_and_why_it_fails() {
    for (step, code, says) in STEPS {
        let folder = with_turnstile();
        let path = folder.write("own.feature", FEATURE.replace("STEP", step));
        let outcome = folder.run(&["test", &path]);
        assert_eq!(outcome.code, Some(*code), "{step}: {outcome:?}");
        for part in *says {
            assert!(outcome.all().contains(part), "{step}: no `{part}` in {outcome:?}");
        }
    }
}

/// Each row: a scenario's only step, the exit code, and parts of the output.
const ALONE: &[(&str, i32, &[&str])] = &[
    (
        "Given the law \"nowhere.yaml\"",
        1,
        &["own.feature:3: the law \"nowhere.yaml\"", "nowhere.yaml: No such file"],
    ),
    ("Given the law \"turnstile.yaml\"", 1, &["own.feature:2: Alone", "proves nothing"]),
    ("When pigs fly", 2, &["own.feature:3: pigs fly", "no step reads"]),
];

/// Features without anything to run, and a part of each output.
const EMPTY: &[(&str, &str)] = &[
    ("Feature: f\n", "own.feature:1: the feature has no scenario"),
    ("Feature: f\n  Background:\n    Given the law \"turnstile.yaml\"\n", "the feature has no scenario"),
    ("Feature: f\n  Scenario Outline: o <n>\n    Then the state is <n>\n", "own.feature:2: o <n>"),
    (
        "Feature: f\n  Scenario Outline: o <n>\n    Then the state is <n>\n    Examples:\n      | n |\n",
        "this outline has no examples",
    ),
];

#[test]
fn a_feature_that_runs_nothing_does_not_pass() {
    for (source, says) in EMPTY {
        let folder = with_turnstile();
        let outcome = folder.run(&["test", &folder.write("own.feature", source)]);
        assert_eq!(outcome.code, Some(2), "{source}: {outcome:?}");
        assert!(outcome.all().contains(says), "{source}: no `{says}` in {outcome:?}");
    }
}

#[test]
fn a_broken_scenario_leaves_the_others_alone() {
    for (step, code, says) in ALONE {
        let folder = with_turnstile();
        let good = "  Scenario: Good\n    Given the law \"turnstile.yaml\"\n    And a new session\n    Then the state is LOCKED\n";
        let source = format!("Feature: Two\n  Scenario: Alone\n    {step}\n{good}");
        let path = folder.write("own.feature", source);
        let outcome = folder.run(&["test", &path]);
        assert_eq!(outcome.code, Some(*code), "{step}: {outcome:?}");
        for part in says.iter().chain(&["✓ Good", "1 passed, 1 failed"]) {
            assert!(outcome.all().contains(part), "{step}: no `{part}` in {outcome:?}");
        }
    }
}

#[test]
fn a_failed_scenario_is_readable_for_programs() {
    let folder = with_turnstile();
    let path = folder.write("own.feature", FEATURE.replace("STEP", "the state is LOCKED"));
    let outcome = folder.run(&["test", &path, "--json"]);
    assert_eq!(outcome.code, Some(1), "{outcome:?}");
    let report = outcome.json();
    assert_eq!((number(&report, "/passed"), number(&report, "/failed")), (0, 1), "{report}");
    assert_eq!(
        (text(&report, "/scenarios/0/file"), number(&report, "/scenarios/0/line")),
        (path.as_str(), 7)
    );
    assert!(text(&report, "/scenarios/0/message").contains("expected LOCKED, found OPEN"), "{report}");
    let path = folder.write("own.feature", FEATURE.replace("STEP", "pigs fly"));
    let report = folder.run(&["test", &path, "--json"]).json();
    assert_eq!(text(&report, "/scenarios/0/step"), "pigs fly", "{report}");
    assert!(text(&report, "/scenarios/0/message").starts_with("no step reads `pigs fly`"), "{report}");
}

#[test]
fn a_malformed_feature_cannot_be_read() {
    let folder = Folder::new();
    for (name, content) in
        [("own.feature", "Scenario of nothing\n"), ("binary.feature", "\u{1}\u{2}"), ("empty.feature", "")]
    {
        let path = folder.write(name, content);
        let outcome = folder.run(&["test", &path]);
        assert_eq!(outcome.code, Some(2), "{outcome:?}");
        assert!(
            outcome.stderr.contains(&format!("{name}:")) && outcome.stderr.contains("`Feature: NAME`"),
            "{outcome:?}"
        );
    }
    assert_eq!(folder.run(&["test", "nowhere"]).code, Some(2));
}

fn with_turnstile() -> Folder {
    let folder = Folder::new();
    folder.write("turnstile.yaml", std::fs::read(example("turnstile.yaml")).expect("the example is there"));
    folder
}

#[test]
fn every_format_has_the_states_of_the_law() {
    for format in ["mermaid", "dot", "xstate", "kotlin", "typescript"] {
        let outcome = Folder::new().run(&["export", &example("turnstile.yaml"), "--format", format]);
        assert_eq!(outcome.code, Some(0), "{outcome:?}");
        let export = outcome.stdout.to_uppercase();
        for state in ["LOCKED", "OPEN", "CLOSED"] {
            assert!(export.contains(state), "{format} has no {state}: {}", outcome.stdout);
        }
    }
    let outcome = Folder::new().run(&["export", &example("turnstile.yaml"), "--format", "crayon"]);
    assert_eq!(outcome.code, Some(2), "{outcome:?}");
    assert!(outcome.stderr.contains("mermaid"), "{outcome:?}");
}

#[test]
fn a_bad_payload_is_refused_in_the_flows_words() {
    let folder = Folder::new();
    let course = r#"{"topic": "knots", "tutor": "outside"}"#;
    let id = folder.run(&["new", "teach", "--with", course, "--quiet"]).stdout;
    let id = id.trim();
    for (arguments, told) in [
        (&["new", "teach"][..], "a course cannot be opened with this: nothing was given"),
        (&["new", "teach", "--with", "[1]"], "a course cannot be opened with this: it must be a JSON object"),
        (&["send", id, "edited"], "this is not an edit: nothing was given"),
        (&["send", id, "edited"], "node_create, node_update, node_remove, edge_create or edge_remove"),
        (&["send", id, "edited", "--with", r#"{"edit": "node_melt"}"#], "unknown variant `node_melt`"),
        (&["send", id, "recorded"], "this is not an answer: nothing was given"),
    ] {
        let outcome = folder.run(arguments);
        assert_eq!(outcome.code, Some(2), "{arguments:?}: {outcome:?}");
        assert!(outcome.stderr.contains(told), "{arguments:?}: {outcome:?}");
    }
}

#[test]
fn every_code_is_explained() {
    let folder = Folder::new();
    let list = folder.run(&["explain"]).stdout;
    let codes: Vec<&str> = list.lines().filter_map(|line| line.split_whitespace().next()).collect();
    assert!(codes.len() >= 21, "{list}");
    for code in codes {
        let outcome = folder.run(&["explain", code]);
        assert_eq!(outcome.code, Some(0), "{outcome:?}");
        assert!(outcome.stdout.contains(code) && outcome.stdout.len() > 200, "{outcome:?}");
    }
    for spelling in ["f013", "F13", "f13"] {
        assert_eq!(
            folder.run(&["explain", spelling]).stdout,
            folder.run(&["explain", "F013"]).stdout,
            "{spelling}"
        );
    }
    let outcome = folder.run(&["explain", "F999"]);
    assert_eq!(outcome.code, Some(2), "{outcome:?}");
}

/// Each row: a text of the turnstile, its replacement, the exit code of `diff`, and a part of the output.
const CHANGES: &[(&str, &str, i32, &str)] = &[
    ("# The smallest", "# The very smallest", 0, "mean the same"),
    ("max_pushes: 3", "max_pushes: 4", 0, "constant `max_pushes`: 3 → 4"),
    ("OPEN", "AJAR", 1, "homeless in `OPEN`"),
    ("CLOSED", "SHUT", 0, "Every flow that rests under the old law can go on"),
    ("max_pushes: 3", "max_pushes: 1", 1, "homeless in `LOCKED` with pushes 1"),
    ("session: Turnstile", "session: [", 2, "F001"),
];

#[test]
fn a_diff_says_whether_flows_can_go_on() {
    let old = example("turnstile.yaml");
    let source = std::fs::read_to_string(&old).expect("the example is there");
    for (from, to, code, says) in CHANGES {
        let folder = Folder::new();
        let new = folder.write("new.yaml", source.replace(from, to));
        let outcome = folder.run(&["diff", &old, &new]);
        assert_eq!(outcome.code, Some(*code), "{from} → {to}: {outcome:?}");
        assert!(outcome.stdout.contains(says), "{from} → {to}: no `{says}` in {outcome:?}");
    }
}

/// A migration from the turnstile to one whose `OPEN` is called `AJAR`, the exit code of `diff`, and a part of the
/// output.
const MIGRATIONS: &[(&str, i32, &str)] = &[
    ("migrate: Turnstile\nfrom: 1.0\nto: 1.1\nstates: {OPEN: AJAR}", 0, "can go on"),
    ("migrate: Turnstile\nfrom: 9\nto: 1.1\nstates: {OPEN: AJAR}", 2, "`from: 9`, but the law says 1.0"),
    ("migrate: Turnstile\nfrom: 1.0\nto: 9\nstates: {OPEN: AJAR}", 2, "write `to: 1.1`"),
    ("migrate: Drill\nfrom: 1.0\nto: 1.1\nstates: {OPEN: AJAR}", 2, "write `migrate: Turnstile`"),
    ("migrate: Turnstile\nfrom: 1.0\nto: 1.1\nstates: {OPNE: AJAR}", 2, "did you mean `OPEN`?"),
    (
        "migrate: Turnstile\nfrom: 1.0\nto: 1.1\nstates: {OPEN: AJRA}",
        2,
        "unknown state `AJRA` in the new law",
    ),
    ("migrate: Turnstile\nfrom: 1.0\nto: 1.1\nreset: [pusches]", 2, "did you mean `pushes`?"),
    (
        "migrate: Turnstile\nfrom: 1.0\nto: 1.1\ncounters: {x: pushes}",
        2,
        "unknown counter `x` in the old law",
    ),
];

#[test]
fn a_migration_has_to_fit_both_laws() {
    let folder = Folder::new();
    let old = example("turnstile.yaml");
    let source = std::fs::read_to_string(&old).expect("the example is there");
    let new =
        folder.write("new.yaml", source.replace("OPEN", "AJAR").replace("version: 1.0", "version: 1.1"));
    for (migration, code, says) in MIGRATIONS {
        let path = folder.write("migration.yaml", migration);
        let outcome = folder.run(&["diff", &old, &new, "--migration", &path]);
        assert_eq!(outcome.code, Some(*code), "{migration}: {outcome:?}");
        assert!(outcome.all().contains(says), "{migration}: no `{says}` in {outcome:?}");
    }
    for (migration, says) in [
        (
            "migrate: Turnstile\nfrom: 1.0\nto: 9",
            "the migration is to 9, but the law of `Turnstile` here is 1.1",
        ),
        ("migrate: Turnstyle\nfrom: 1.0\nto: 1.1", "did you mean `Turnstile`?"),
    ] {
        let path = folder.write("migration.yaml", migration);
        let outcome = folder.run(&["serve", "--law", &new, "--migration", &path]);
        assert_eq!(outcome.code, Some(2), "{migration}: {outcome:?}");
        assert!(outcome.stderr.contains(says), "{migration}: no `{says}` in {outcome:?}");
    }
}

/// A state that requires a fact, and a guard without an else behind it.
const PROMISE: &str = "\
session: Promise
version: 1
facts: [f, g]
states:
  A: {on: {start: G}}
  G: {guard: f and not g, on_true: B, on_false: END}
  B: {require: [f, not g], on: {go: H}}
  H: {guard: f, on_true: END}
  END: {type: final}
";

#[test]
fn a_required_fact_stays_answered_and_cannot_be_denied() {
    let folder = Folder::new();
    let law = folder.write("promise.yaml", PROMISE);
    assert_eq!(folder.run(&["check", &law]).code, Some(0));
    let id = folder.run(&["new", &law, "--quiet"]).stdout.trim().to_owned();
    let send = |arguments: &[&str]| folder.run(&[&["send", &id, "--json"], arguments].concat());
    assert_eq!(text(&send(&["start", "--fact", "f"]).json(), "/state"), "B");
    let denied = send(&["go", "--fact", "g"]);
    assert!(
        denied.code != Some(0) && denied.all().contains("`B` requires that `g` does not hold"),
        "{denied:?}"
    );
    assert_eq!(text(&send(&["go"]).json(), "/state"), "END");
}

#[test]
fn a_flow_can_be_named_by_the_beginning_of_its_id() {
    let folder = Folder::new();
    let open = || folder.run(&["new", &example("turnstile.yaml"), "--quiet"]).stdout.trim().to_owned();
    let (one, other) = (open(), open());
    let shared = one.bytes().zip(other.bytes()).take_while(|(a, b)| a == b).count();
    assert!(folder.run(&["send", &one[..shared + 1], "push"]).stdout.starts_with(&one));
    assert!(folder.run(&["show", &other[..shared + 1]]).stdout.starts_with(&other));
    assert_eq!(folder.run(&["log", &one[..shared + 1]]).stdout.lines().count(), 2);
    if shared >= 8 {
        let outcome = folder.run(&["replay", &one[..8]]);
        assert_eq!(outcome.code, Some(2), "{outcome:?}");
        assert!(outcome.stderr.contains(&one) && outcome.stderr.contains(&other), "{outcome:?}");
    }
    assert_eq!(folder.run(&["show", &one[..7]]).code, Some(1));
}

/// Command lines that slip, and a part of each answer.
const SLIPS: &[(&[&str], &str)] = &[
    (&["check", "drlil"], "Did you mean `drill`?"),
    (&["new", "nosuch.yaml"], "nosuch.yaml: No such file"),
    (&["new", "drill"], "the packs are "),
    (&["list", "--limit", "0"], "from 1 on"),
    (&["list", "--log", "loud"], "error, warn"),
    (&["serve", "--sink", "ftp://there"], "http:// or https://"),
    (&["serve", "--address", "0.0.0.0:0"], "--allow-remote"),
];

#[test]
fn the_bare_command_shows_where_to_begin() {
    let outcome = Folder::new().run(&[]);
    assert_eq!(outcome.code, Some(0), "{outcome:?}");
    for says in ["etude teach", "etude drill", "etude doctor", "etude --help"] {
        assert!(outcome.stdout.contains(says), "no `{says}` in {outcome:?}");
    }
}

#[test]
fn a_slip_is_answered_with_a_remedy() {
    let folder = Folder::new();
    for (arguments, says) in SLIPS {
        let outcome = folder.run(arguments);
        assert_eq!(outcome.code, Some(2), "{arguments:?}: {outcome:?}");
        assert!(outcome.all().contains(says), "{arguments:?}: no `{says}` in {outcome:?}");
    }
}

#[test]
fn a_match_sets_the_exit_code() {
    for (heard, code) in [("guten Tag", 0), ("gute Nacht", 1)] {
        let outcome = Folder::new().run(&["match", "--target", "Guten Tag", "--heard", heard]);
        assert_eq!(outcome.code, Some(code), "{outcome:?}");
        assert_eq!(outcome.json()["matched"].as_bool(), Some(code == 0), "{outcome:?}");
    }
}

#[test]
fn answers_are_marked_from_one_good_answer() {
    let asked = ["grade", "--question", "What does a compiler do?", "--json", "--reference"];
    let arguments = [&asked[..], &["It translates source code into machine code."]].concat();
    let input = b"{\"answer\": \"It translates the source code to machine code\"}\n\n{\"answer\": \"\"}\n{\"answer\": \"it makes coffee\"}\n";
    let outcome = Folder::new().run_with(&arguments, input);
    assert_eq!(outcome.code, Some(0), "{outcome:?}");
    let all = outcome.all();
    let marks: Vec<serde_json::Value> = all.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    let qualities: Vec<u64> = marks.iter().map(|mark| mark["quality"].as_u64().unwrap()).collect();
    assert!(matches!(qualities[..], [4 | 5, 0, 1 | 2]), "{marks:?}");
    assert!(!marks[2]["missing"].as_array().unwrap().is_empty() && marks[2]["doubt"] == false, "{marks:?}");
    let outcome = Folder::new().run_with(&arguments, b"no json\n");
    assert_eq!(outcome.code, Some(2), "{outcome:?}");
    assert!(outcome.all().contains("line 1"), "{outcome:?}");
}

#[test]
fn leaks_in_a_reply_are_found() {
    let folder = Folder::new();
    let reference = folder.write("reference.txt", "5 * 8 = 40. 40 - 10 = 30.");
    let dialogue = folder.write("dialogue.txt", "tutor: Well?\nlearner: It is 40.\nA lot.\n");
    let math = ["leak", "--reference", &reference, "--dialogue", &dialogue];
    let code = ["leak", "--problem", "two-sum"];
    for (arguments, text, is_leak) in [
        (&math[..], "Yes, 40. What is left?", false),
        (&math, "The answer is 30.", true),
        (
            &code,
            "for i, n in enumerate(nums):\n    if target - n in seen:\n        return [seen[target - n], i]",
            true,
        ),
        (&code, "Which numbers are negative?", false),
    ] {
        let outcome = folder.run_with(arguments, text.as_bytes());
        assert_eq!(outcome.code, Some(0), "{outcome:?}");
        assert_eq!(outcome.json()["leak"].as_bool(), Some(is_leak), "{text} {outcome:?}");
    }
    let line = br#"{"statement": "", "reference": "2 + 3 = 5", "dialogue": [], "reply": "It equals 5."}"#;
    let outcome = folder.run_with(&["leak", "--jsonl"], line);
    assert_eq!(outcome.json()["risk"], "high", "{outcome:?}");
    assert_eq!(folder.run_with(&["leak", "--jsonl"], b"no json").code, Some(2));
}

#[test]
fn a_closed_reader_is_no_failure() {
    let folder = Folder::new();
    let turnstile = example("turnstile.yaml");
    for arguments in [
        &["explain"][..],
        &["explain", "F006", "--json"],
        &["completions", "bash"],
        &["serve", "--openapi"],
        &["export", &turnstile, "--format", "xstate"],
        &["list"],
        &["check", &turnstile],
        &["doctor"],
    ] {
        let outcome = folder.run_unread(arguments);
        assert_eq!((outcome.code, outcome.stderr.as_str()), (Some(0), ""), "{arguments:?}");
    }
}

#[test]
fn a_flow_can_be_run_from_the_command_line() {
    let folder = Folder::new();
    let opened = folder.run(&["new", &example("turnstile.yaml"), "--learner", "ada", "--json"]).json();
    let id = text(&opened, "/id").to_owned();
    assert_eq!((text(&opened, "/state"), number(&opened, "/version")), ("LOCKED", 1));
    let sent = folder.run(&["send", &id, "push", "--expect", "1", "--key", "once", "--json"]).json();
    assert_eq!((number(&sent, "/version"), number(&sent, "/counters/pushes")), (2, 1));
    let again = folder.run(&["send", &id, "push", "--key", "once", "--json"]).json();
    assert_eq!((number(&again, "/version"), again["repeated"].as_bool()), (2, Some(true)));
    let shown = folder.run(&["show", &id, "--json"]).json();
    assert_eq!(number(&shown, "/version"), 2);
    let listed = folder.run(&["list", "--learner", "ada", "--json"]).json();
    assert_eq!(text(&listed, "/instances/0/id"), id);
    let log = folder.run(&["log", &id, "--json"]).json();
    assert_eq!(text(&log, "/entries/1/event"), "push");
    let replay = folder.run(&["replay", &id, "--json"]);
    assert_eq!((replay.code, replay.json()["same"].as_bool()), (Some(0), Some(true)));
    assert!(folder.run(&["dead"]).stdout.contains("nothing was given up"));
}

/// Each row: a command about a locked turnstile, the exit code, and the code of the failure.
const REFUSALS: &[(&[&str], i32, &str)] = &[
    (&["send", "ID", "timeout", "--expect", "7"], 1, "version_conflict"),
    (&["send", "ID", "fly"], 2, "unknown_event"),
    (&["send", "ID", "push", "--fact", "is_raining"], 2, "unknown_fact"),
    (&["send", "nobody", "push"], 1, "unknown_instance"),
    (&["show", "nobody"], 1, "unknown_instance"),
    (&["log", "nobody"], 1, "unknown_instance"),
    (&["new", "nothing"], 2, "unknown_flow"),
];

#[test]
fn a_refusal_has_a_code_and_a_cure_and_changes_nothing() {
    let folder = Folder::new();
    let opened = folder.run(&["new", &example("turnstile.yaml"), "--json"]).json();
    let id = text(&opened, "/id");
    for (arguments, code, failure) in REFUSALS {
        let mut all: Vec<&str> = arguments.iter().map(|part| if *part == "ID" { id } else { part }).collect();
        let told = folder.run(&all);
        assert_eq!(told.code, Some(*code), "{told:?}");
        assert!(told.stderr.contains("do: "), "{told:?}");
        all.push("--json");
        let report = folder.run(&all).json();
        assert_eq!(text(&report, "/code"), *failure, "{report}");
        assert!(!text(&report, "/cure").is_empty(), "{report}");
    }
    let shown = folder.run(&["show", id, "--json"]).json();
    assert_eq!(number(&shown, "/version"), 1);
    assert_eq!(names(&shown["allowed"]), ["coin", "push", "close"]);
}

/// Two timers that expire at the same moment with the same event count as one.
#[test]
fn a_timeout_written_twice_happens_once() {
    let folder = Folder::new();
    let law = "session: Twice\nversion: 1\nstates:\n  IDLE: {on: {go: WAIT}}\n  WAIT: {after: {60s: tick, 1m: tick}, on: {tick: DONE}}\n  DONE: {type: final}\n";
    let opened = folder.run(&["new", &folder.write("twice.yaml", law), "--json"]);
    let sent = folder.run(&["send", text(&opened.json(), "/id"), "go", "--json"]);
    assert_eq!((sent.code, text(&sent.json(), "/state")), (Some(0), "WAIT"), "{sent:?}");
}

/// `match` judges an answer to a pack's item as a drill would.
#[test]
fn a_match_knows_the_items_of_packs() {
    let gaps = format!("{}/../coaching/tests/pack/german-gaps.yaml", env!("CARGO_MANIFEST_DIR"));
    for (item, heard, spoken, how) in [
        ("einen-bitte", "Eine Suppe", false, "surface"),
        ("einen-bitte", "Einen Suppe", false, "none"),
        ("einen-bitte", "Ein hippo banana, bitte", false, "unchecked"),
        ("danke", "donkey", false, "none"),
        ("danke", "donkey", true, "alias"),
    ] {
        let arguments = ["match", "--pack", &gaps, "--item", item, "--heard", heard, "--spoken"];
        let outcome = Folder::new().run(&arguments[..arguments.len() - usize::from(!spoken)]);
        assert_eq!(text(&outcome.json(), "/how"), how, "{item}: {outcome:?}");
    }
    let outcome = Folder::new().run(&["match", "--pack", &gaps, "--item", "hippo", "--heard", "x"]);
    assert_eq!(outcome.code, Some(2), "{outcome:?}");
    assert!(outcome.stderr.contains("danke, bitte"), "{outcome:?}");
}
