//! Tests of `etude check`: its findings, their wording, and how it ends on any content of a file.

use crate::common::{Folder, Outcome, example, law, names, number, text};
use serde_json::Value;

/// A problem that the check must report.
struct Expected {
    code: &'static str,
    severity: &'static str,
    state: &'static str,
    event: Option<&'static str>,
    says: &'static str,
    path: &'static [&'static str],
}

/// The events that lead into the first drill's slow rounds, up to the end of the first round.
const SLOW: [&str; 11] = [
    "start",
    "tts_done",
    "tts_done",
    "asr_result",
    "usage_incorrect",
    "tts_done",
    "asr_result",
    "usage_incorrect",
    "tts_done",
    "asr_result",
    "usage_incorrect",
];

const LOOP_WAITING: Expected = Expected {
    code: "F013",
    severity: "error",
    state: "WAIT_STUDENT",
    event: Some("timeout"),
    says: "PROMPT_PRACTICE",
    path: &["start", "tts_done", "tts_done", "timeout"],
};

const LOOP_REPEATING: Expected = Expected {
    code: "F013",
    severity: "error",
    state: "WAIT_REPEAT",
    event: Some("timeout"),
    says: "REPEAT_AFTER_ME",
    path: &[
        "start",
        "tts_done",
        "tts_done",
        "asr_result",
        "usage_incorrect",
        "tts_done",
        "asr_result",
        "usage_incorrect",
        "tts_done",
        "timeout",
    ],
};

#[test]
fn the_first_drill_law_shows_its_defects() {
    let stuck_if = Expected {
        code: "F007",
        severity: "warning",
        state: "LOOP_OR_FAIL",
        event: None,
        says: "max_repeat_loops is 4 or more",
        path: &SLOW,
    };
    let one_try = Expected { code: "F015", says: "1 of 3", ..stuck_if };
    check_drill(&[], &[LOOP_WAITING, LOOP_REPEATING, stuck_if, one_try]);
}

#[test]
fn the_first_drill_law_gets_stuck_with_a_higher_cap() {
    let stuck = Expected {
        code: "F007",
        severity: "error",
        state: "LOOP_OR_FAIL",
        event: None,
        says: "max_repeat_loops is 3 or less",
        path: &SLOW,
    };
    check_drill(&["--set", "max_repeat_loops=5"], &[LOOP_WAITING, LOOP_REPEATING, stuck]);
}

fn check_drill(arguments: &[&str], expected: &[Expected]) {
    let drill = law("drill-0.2.yaml");
    let mut all = vec!["check", drill.as_str(), "--json"];
    all.extend(arguments);
    let outcome = Folder::new().run(&all);
    assert_eq!(outcome.code, Some(1), "{outcome:?}");
    let report = outcome.json();
    assert_eq!(text(&report, "/law"), "DialogueSession");
    for expected in expected {
        let found = problems(&report).iter().any(|problem| {
            text(problem, "/code") == expected.code
                && text(problem, "/severity") == expected.severity
                && text(problem, "/state") == expected.state
                && problem["event"].as_str() == expected.event
                && text(problem, "/message").contains(expected.says)
                && names(&problem["path"]) == expected.path
        });
        assert!(found, "{} at {} `{}` is not in {report:#}", expected.code, expected.state, expected.says);
    }
}

fn problems(report: &Value) -> &[Value] {
    report["problems"].as_array().map(Vec::as_slice).unwrap_or_default()
}

/// A file that no one would write on purpose.
struct Odd {
    name: &'static str,
    content: Vec<u8>,
    code: i32,
    problem: &'static str,
    line: u64,
}

fn odd(name: &'static str, content: impl Into<Vec<u8>>, code: i32, problem: &'static str, line: u64) -> Odd {
    Odd { name, content: content.into(), code, problem, line }
}

const HEAD: &str = "session: X\nversion: 1\n";
const BODY: &str = "states:\n  A: {on: {go: B}}\n  B: {type: final}\n";

/// A law that counts to a number which no counter reaches.
const OUT_OF_REACH: &str = "\
context: {m: 9223372036854775807}
counters: {n: 4294967295}
states:
  A: {on: {go: {target: C, count: n}}}
  C: {guard: n >= m, on_true: B, on_false: A}
  B: {type: final}
";

fn odd_files() -> Vec<Odd> {
    let garbage: Vec<u8> = (0..4096u32).map(|n| (n.wrapping_mul(2_654_435_761) >> 13) as u8 | 0x80).collect();
    let keys: String = (0..5000).map(|n| format!("key{n}: [{n}, {{a: {}}}]\n", "b".repeat(180))).collect();
    let deep: String = (0..1000).map(|n| format!("{}a:\n", " ".repeat(n))).collect();
    let brackets = format!("{HEAD}states: {}{}", "[".repeat(5000), "]".repeat(5000));
    let bomb: String =
        (1..12).map(|n| format!("a{n}: &a{n} [{}]\n", vec![format!("*a{}", n - 1); 9].join(","))).collect();
    vec![
        odd("binary", garbage, 2, "F001", 1),
        odd("empty", "", 2, "F002", 1),
        odd("only a comment", "# nothing", 2, "F002", 1),
        odd("one long line", "lorem ipsum ".repeat(87_000), 2, "F002", 1),
        odd("unknown keys", keys, 2, "F002", 1),
        odd("too long", "a: b\n".repeat(300_000), 2, "F018", 1),
        odd("deep blocks", deep, 2, "F018", 25),
        odd("deep brackets", brackets, 2, "F001", 3),
        odd("tabs", format!("{HEAD}states:\n\tA:\n\t\ttype: final\n"), 2, "F001", 4),
        odd("a key twice", format!("session: Y\n{HEAD}{BODY}"), 2, "F020", 2),
        odd("a state twice", format!("{HEAD}{BODY}  A: {{type: final}}\n"), 2, "F020", 6),
        odd("huge start", format!("{HEAD}counters: {{n: 99999999999999999999999999}}\n{BODY}"), 2, "F002", 3),
        odd("huge constant", format!("{HEAD}{OUT_OF_REACH}"), 1, "F010", 4),
        odd("aliases", format!("a0: &a0 [x,x,x,x,x,x,x,x,x]\n{bomb}"), 2, "F002", 1),
        odd("an unknown state", format!("{HEAD}states: {{A: {{on: {{go: NOWHERE}}}}}}\n"), 1, "F003", 3),
        odd("nothing but an end", format!("{HEAD}states: {{END: {{type: final}}}}\n"), 1, "F002", 3),
        odd("no version", format!("session: X\nversion:\n{BODY}"), 2, "F002", 1),
        odd("a null byte", format!("{HEAD}about: \"\0\"\n{BODY}"), 2, "F001", 3),
    ]
}

#[test]
fn odd_files_are_refused_with_a_line_and_a_cure() {
    let folder = Folder::new();
    for odd in odd_files() {
        let path = folder.write("odd.yaml", &odd.content);
        check_odd(&odd, &folder.run(&["check", &path, "--json"]));
        check_told(&odd, &folder.run(&["check", &path]));
        check_odd(&odd, &folder.run_with(&["check", "-", "--json"], &odd.content));
    }
}

fn check_odd(odd: &Odd, outcome: &Outcome) {
    assert_eq!(outcome.code, Some(odd.code), "{}: {outcome:?}", odd.name);
    assert!(!outcome.stderr.contains("panicked"), "{}: {outcome:?}", odd.name);
    let report = outcome.json();
    assert_eq!(fields(&report), FIELDS, "{}: {report}", odd.name);
    let first = &problems(&report)[0];
    assert_eq!(
        (text(first, "/code"), number(first, "/line")),
        (odd.problem, odd.line),
        "{}: {first}",
        odd.name
    );
    assert!(!text(first, "/message").is_empty() && !text(first, "/cure").is_empty(), "{}: {first}", odd.name);
    assert!(number(&report, "/configurations") < 100, "{}: {report}", odd.name);
}

/// The fields of every report, whatever happened to the law.
const FIELDS: [&str; 5] = ["complete", "configurations", "law", "problems", "version"];

fn fields(report: &Value) -> Vec<&str> {
    let mut fields: Vec<&str> =
        report.as_object().into_iter().flatten().map(|(key, _)| key.as_str()).collect();
    fields.sort_unstable();
    fields
}

/// Checks the report for people: the code, the place and the cure, in a page or two.
fn check_told(odd: &Odd, outcome: &Outcome) {
    assert_eq!(outcome.code, Some(odd.code), "{}", odd.name);
    for part in [format!("[{}]", odd.problem), format!("odd.yaml:{}:", odd.line), "= help: ".into()] {
        assert!(outcome.stdout.contains(&part), "{}: no `{part}` in {outcome:?}", odd.name);
    }
    assert!(outcome.stdout.len() < 200_000, "{}: {} bytes", odd.name, outcome.stdout.len());
}

#[test]
fn a_sound_law_has_the_documented_shape() {
    let outcome = Folder::new().run(&["check", &example("turnstile.yaml"), "--json"]);
    assert_eq!(outcome.code, Some(0), "{outcome:?}");
    let report = outcome.json();
    assert_eq!(text(&report, "/law"), "Turnstile");
    assert!(number(&report, "/configurations") >= 5, "{report}");
    assert!(problems(&report).is_empty() && report["problems"].is_array(), "{report}");
    assert_eq!(fields(&report), FIELDS, "{report}");
}

#[test]
fn a_law_that_cannot_be_bound_keeps_its_name() {
    let folder = Folder::new();
    let unknown = folder.write("law.yaml", format!("{HEAD}states: {{A: {{on: {{go: NOWHERE}}}}}}\n"));
    for arguments in [vec!["check", &unknown], vec!["check", "drill", "--set", "no_such_constant=3"]] {
        let outcome = folder.run(&[arguments.as_slice(), &["--json"]].concat());
        assert_eq!(outcome.code, Some(1), "{outcome:?}");
        let report = outcome.json();
        let name = if arguments[1] == "drill" { "DialogueSession" } else { "X" };
        assert_eq!((text(&report, "/law"), number(&report, "/configurations")), (name, 0), "{report}");
        assert_eq!(text(&report, "/problems/0/code"), "F003", "{report}");
    }
}

#[test]
fn only_the_first_of_many_problems_are_shown() {
    let rows: String = (0..2_000).map(|n| format!("  D{n}:\n")).collect();
    let ways: String = (0..2_000).map(|n| format!("e{n}: D{n}, ")).collect();
    let folder = Folder::new();
    let path = folder.write(
        "dead.yaml",
        format!("{HEAD}states:\n  A: {{on: {{{ways}end: END}}}}\n{rows}  END: {{type: final}}\n"),
    );
    let outcome = folder.run(&["check", &path]);
    assert_eq!(outcome.code, Some(1), "{outcome:?}");
    assert!(outcome.stdout.contains("and 1900 more"), "{}", outcome.stdout.len());
    assert_eq!(outcome.stdout.matches("error[F008]").count(), 100);
    assert_eq!(problems(&folder.run(&["check", &path, "--json"]).json()).len(), 2_000);
}

/// Laws that a guess could bind in two ways: to the vocabulary of a shipped flow, some of whose actions they use,
/// or to none.
const AMBIGUOUS: &[&str] = &[
    "\
session: DialogueSession
version: 9
context: {required_usages: 2, max: 3}
counters: {usage: 0, failures: 0}
states:
  INIT: {on: {start: ASK}}
  ASK: {on: {asr_result: JUDGE, leave: END, gave_up: END, skip: END, timeout: END, tts_done: END}}
  JUDGE: {on: {usage_correct: ENOUGH, usage_incorrect: CAP, not_an_attempt: END, next_word_available: END, no_more_words: END, done: END}}
  ENOUGH: {guard: usage >= required_usages, on_true: END, on_false: ASK}
  CAP: {guard: failures >= max, on_true: END, on_false: ASK}
  END: {type: final}
invariants: [usage <= required_usages, failures <= max]
",
    "session: Mine\nversion: 1\nstates:\n  ASK: {entry: evaluate_usage, on: {heard: END}}\n  END: {type: final}\n",
    "session: Own\nversion: 1\nstates:\n  ASK: {entry: ring, on: {heard: END}}\n  END: {type: final}\n",
];

#[test]
fn the_law_that_runs_is_the_law_that_was_proved() {
    let turnstile = std::fs::read_to_string(example("turnstile.yaml")).expect("the example is there");
    for source in AMBIGUOUS.iter().copied().chain([turnstile.as_str()]) {
        let folder = Folder::new();
        let path = folder.write("law.yaml", source);
        let checked = folder.run(&["check", &path, "--json"]);
        assert_eq!(checked.code, Some(0), "{checked:?}");
        let proved = folder.run(&["export", &path, "--format", "xstate"]).json();
        let opened = folder.run(&["new", &path, "--json"]).json();
        assert!(!text(&proved, "/meta/hash").is_empty(), "{proved}");
        assert_eq!(text(&opened, "/law_hash"), text(&proved, "/meta/hash"), "{source}");
        let server = folder.serve(&["--law", &path]);
        let served = server.client.view(&server.client.open(text(&checked.json(), "/law")));
        assert_eq!(text(&served, "/law_hash"), text(&proved, "/meta/hash"), "{source}");
    }
}

#[test]
fn a_law_of_the_first_dialect_counts_where_it_runs() {
    let folder = Folder::new();
    folder.write("law.yaml", AMBIGUOUS[0]);
    let feature = "Feature: f\n  Scenario: s\n    Given the law \"law.yaml\"\n    And a new session\n    When start happens\n    \
                   And these happen 3 times: asr_result, usage_incorrect\n    Then the counter failures is 3\n    \
                   And the session has ended with done\n";
    let outcome = folder.run(&["test", &folder.write("law.feature", feature)]);
    assert_eq!(outcome.code, Some(0), "{outcome:?}");
}

/// A law whose learner can look something up while a timer runs.
const RIDDLE: &str = "\
session: Riddle
version: 1
counters: {looks: 0}
states:
  OPEN: {on: {begin: ASKED}}
  ASKED:
    entry: [ask]
    after: {20s: late}
    on: {looks_up: {count: looks}, hears_again: ASKED, late: {target: OVER, outcome: late}}
  OVER: {type: final, outcomes: [late, solved]}
any non-final: {nods: stay, solved: {target: OVER, outcome: solved}}
";

#[test]
fn a_flow_that_is_over_names_its_own_outcome() {
    let folder = Folder::new();
    let id = folder.run(&["new", &folder.write("riddle.yaml", RIDDLE), "-q"]).stdout;
    folder.run(&["send", id.trim(), "solved"]);
    let refused = folder.run(&["send", id.trim(), "solved"]);
    assert!(refused.stderr.contains("`OVER` with `solved`"), "{refused:?}");
}

/// The word of a timer is an action like every other.
const REMINDER: &str = "\
session: Reminder
version: 1
states:
  WAITING: {after: {1s: late}, on: {late: RUNG}}
  RUNG: {entry: [ring], after: {1s: end}, on: {end: OVER}}
  OVER: {type: final}
";

#[test]
fn actions_of_timers_are_performed() {
    let folder = Folder::new();
    folder.write("reminder.yaml", REMINDER);
    let outcome = |step: &str| {
        let feature = format!(
            "Feature: f\n  Scenario: s\n    Given the law \"reminder.yaml\"\n    And a new session\n    \
             When 1s passes\n    Then {step}\n"
        );
        folder.run(&["test", &folder.write("reminder.feature", &feature)]).code
    };
    assert_eq!(outcome("ring was performed 1 times"), Some(0));
    assert_eq!(outcome("ring was not performed"), Some(1));
}

/// A law that waits forever if nobody comes.
const UNPROVED: &str = "\
session: Unproved
version: 1
states:
  ask: {after: {20s: timeout}, on: {heard: done, timeout: ask}}
  done: {type: final}
";

#[test]
fn code_is_written_only_for_a_proved_law() {
    let folder = Folder::new();
    let path = folder.write("unproved.yaml", UNPROVED);
    for (format, code) in [("kotlin", 1), ("typescript", 1), ("xstate", 1), ("mermaid", 0), ("dot", 0)] {
        let exported = folder.run(&["export", &path, "--format", format]);
        assert_eq!((exported.code, exported.stdout.is_empty()), (Some(code), code == 1), "{exported:?}");
    }
    let opened = folder.run(&["new", &path, "-q"]);
    assert_eq!((opened.code, opened.stdout.as_str()), (Some(1), ""), "{opened:?}");
    assert!(opened.stderr.contains("F013"), "{opened:?}");
}

#[test]
fn staying_neither_reenters_a_state_nor_resets_its_timers() {
    let folder = Folder::new();
    folder.write("riddle.yaml", RIDDLE);
    let feature = "Feature: f
  Background:
    Given the law \"riddle.yaml\"
    And a new session
    When begin happens
    And 15s passes
  Scenario: it stays
    When these happen: looks_up, nods, looks_up
    Then the state is ASKED
    And the counter looks is 2
    And ask was performed 1 times
    When 4s passes
    Then the session is still open
    When the process crashes and starts again
    And nods happens
    And 1s passes
    Then the session has ended with late
    And a replay of the log gives the same state
  Scenario: it is entered again
    When these happen: looks_up, hears_again, nods
    Then ask was performed 2 times
    When 19s passes
    Then the session is still open
    When 1s passes
    Then the session has ended with late
";
    let outcome = folder.run(&["test", &folder.write("riddle.feature", feature)]);
    assert_eq!(outcome.code, Some(0), "{outcome:?}");
}

#[test]
fn a_law_cannot_take_the_name_of_another_flow() {
    let folder = Folder::new();
    let path = folder.write("drill.yaml", format!("session: drill\nversion: 1\n{BODY}"));
    let again = folder.write("again.yaml", format!("{HEAD}{BODY}"));
    let serve = ["serve", "--address", "127.0.0.1:0", "--law"];
    for arguments in [
        vec!["new", &path],
        [serve.as_slice(), &[&path]].concat(),
        [serve.as_slice(), &[&again, "--law", &again]].concat(),
    ] {
        let outcome = folder.run(&arguments);
        assert_eq!(outcome.code, Some(1), "{outcome:?}");
        for part in ["F020", "already", "give `session` another name"] {
            assert!(outcome.all().contains(part), "no `{part}` in {outcome:?}");
        }
    }
}

#[test]
fn every_problem_has_the_documented_keys() {
    let report = Folder::new().run(&["check", &law("drill-0.2.yaml"), "--json"]).json();
    for problem in problems(&report) {
        for key in ["code", "severity", "state", "event", "line", "message", "path", "cure"] {
            assert!(problem.get(key).is_some(), "no `{key}` in {problem}");
        }
        assert!(["error", "warning"].contains(&text(problem, "/severity")), "{problem}");
    }
}

#[test]
fn a_missing_file_cannot_be_read() {
    let outcome = Folder::new().run(&["check", "no-such-law.yaml"]);
    assert_eq!(outcome.code, Some(2), "{outcome:?}");
    assert!(outcome.stderr.contains("no-such-law.yaml"), "{outcome:?}");
}

#[test]
fn ten_thousand_states_are_walked() {
    let rows: String = (1..10_000).map(|n| format!("  S{n}: {{on: {{next: S{}}}}}\n", n + 1)).collect();
    let folder = Folder::new();
    let path = folder.write("long.yaml", format!("{HEAD}states:\n{rows}  S10000: {{type: final}}\n"));
    let outcome = folder.run(&["check", &path, "--json"]);
    assert_eq!(outcome.code, Some(0), "{outcome:?}");
    assert_eq!(number(&outcome.json(), "/configurations"), 10_000);
}

/// Eight million configurations: three counters that go to two hundred independently.
const WIDE: &str = "\
session: Wide
version: 1
context: {cap: 200}
counters: {a: 0, b: 0, c: 0}
states:
  HERE:
    on:
      left: {target: SEE_A, count: a}
      right: {target: SEE_B, count: b}
      up: {target: SEE_C, count: c}
  SEE_A: {guard: a >= cap, on_true: DONE, on_false: HERE}
  SEE_B: {guard: b >= cap, on_true: DONE, on_false: HERE}
  SEE_C: {guard: c >= cap, on_true: DONE, on_false: HERE}
  DONE: {type: final}
";

#[test]
fn a_law_that_fits_the_bound_exactly_is_proved() {
    let folder = Folder::new();
    let path = folder.write("law.yaml", format!("{HEAD}{BODY}"));
    let outcome = folder.run(&["check", &path, "--bound", "2", "--json"]);
    assert_eq!((outcome.code, number(&outcome.json(), "/configurations")), (Some(0), 2), "{outcome:?}");
    let outcome = folder.run(&["check", &path, "--bound", "1", "--json"]);
    assert_eq!((outcome.code, number(&outcome.json(), "/configurations")), (Some(1), 1), "{outcome:?}");
    assert_eq!(text(&outcome.json(), "/problems/0/severity"), "error", "{outcome:?}");
}

#[test]
fn a_diffs_bound_is_an_option() {
    let folder = Folder::new();
    let (old, new) = (folder.write("old.yaml", WIDE), folder.write("new.yaml", WIDE.replace("200", "201")));
    let outcome = folder.run(&["diff", &old, &new, "--bound", "1000"]);
    assert_eq!(outcome.code, Some(1), "{outcome:?}");
    for part in ["stopped at its bound", "`--bound`"] {
        assert!(outcome.stdout.contains(part), "no `{part}` in {outcome:?}");
    }
}

#[test]
fn a_bounded_walk_says_what_it_proved() {
    let folder = Folder::new();
    let path = folder.write("wide.yaml", WIDE);
    let outcome = folder.run(&["check", &path, "--bound", "10000", "--json"]);
    assert_eq!(outcome.code, Some(1), "{outcome:?}");
    let report = outcome.json();
    assert_eq!(number(&report, "/configurations"), 10_000);
    let stopped = problems(&report).iter().find(|problem| text(problem, "/code") == "F017");
    let message = text(stopped.expect("F017 is there"), "/message");
    for part in ["stopped after 10000 configurations", "Proved: ", "events of the start", "Not proved: "] {
        assert!(message.contains(part), "no `{part}` in `{message}`");
    }
}
