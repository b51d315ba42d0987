//! Tests of the content of a law file: what counts as nothing, what is refused and where, and how much is too much.

use flow::{Bounds, Law, Machine, Overrides, Problem};

/// Describes every problem of a law as `CODE LINE:COLUMN MESSAGE; CURE`.
fn problems(source: &str) -> Vec<String> {
    let found = Law::read(source).and_then(|law| {
        flow::check(&law, None, &Overrides::new(), Bounds::default()).map(|report| report.problems)
    });
    let told = |p: Problem| format!("{} {}:{} {}; {}", p.code, p.line, p.column, p.message, p.cure);
    found.unwrap_or_else(|problems| problems).into_iter().map(told).collect()
}

/// Checks that each problem starts with the expected code and place and contains the words behind the bar.
fn check(source: &str, expected: &[&str]) {
    let found = problems(source);
    let is_as = |found: &String, expected: &str| {
        let (place, words) = expected.split_once(" | ").unwrap_or((expected, ""));
        found.starts_with(&format!("{place} ")) && found.contains(words)
    };
    let all = found.len() == expected.len() && found.iter().zip(expected).all(|(f, e)| is_as(f, e));
    assert!(all, "expected {expected:#?}, found {found:#?} in\n{source}");
}

/// Returns the sound law with one text replaced.
fn with(line: &str, other: &str) -> String {
    assert!(SOUND.contains(line), "{line}");
    SOUND.replace(line, other)
}

const SOUND: &str = "\
session: Sound
version: 1
counters: {n: 0}
facts: [f]
events: [go, stop]
states:
  A: {on: {go: {target: G, count: n}, stop: END}}
  G: {guard: n >= 2 and f, on_true: END, on_false: H}
  H: {guard: n >= 3, on_true: END, on_false: A}
  END: {type: final}
";

#[test]
fn an_empty_optional_key_is_ignored() {
    check(SOUND, &[]);
    for key in ["about", "context", "initial", "invariants"] {
        for nothing in ["", " ~", " null"] {
            check(&format!("{SOUND}{key}:{nothing}\n"), &[]);
        }
    }
    for key in ["entry", "about", "require", "after"] {
        check(&with("A: {on", &format!("A: {{{key}: , on")), &[]);
    }
    check(&with("count: n", "count: n, reset: "), &[]);
    check(&with("events: [go, stop]", "events:"), &[]);
    check(&with("{type: final}", "{type: final, outcomes: }"), &[]);
    check(&with("stop: END}}", "stop: B}}\n  B:"), &["F008 8:3 | `B` is not final and takes no event"]);
    check(
        &with("stop: END}}", "stop: B}}\n  B:\n    on:"),
        &["F008 8:3 | `B` is not final and takes no event"],
    );
}

#[test]
fn a_missing_value_is_reported_once() {
    for (line, other, problem) in [
        ("session: Sound", "session:", "F002 1:1 | the law has no `session`"),
        ("version: 1", "version:", "F002 1:1 | the law has no `version`"),
        ("version: 1", "version: ''", "F002 1:1 | the law has no `version`"),
        ("version: 1", "about: session and version", "F002 1:1 | the law has no `version`"),
        ("{n: 0}", "{n: }", "F002 3:13 | found nothing"),
        ("stop: END", "stop: ", "F002 7:43 | found nothing"),
        ("guard: n >= 3", "guard: ", "F002 9:12 | found nothing"),
        ("type: final", "type: ", "F002 10:13 | found nothing"),
    ] {
        check(&with(line, other), &[problem]);
    }
    check("session: X\nversion: 1\nstates:\n", &["F002 1:1 | the law has no `states`"]);
}

#[test]
fn senseless_text_is_refused_at_its_place() {
    for (line, other, problem) in [
        ("session: Sound", "session: &s Sound", "F002 1:13 | anchors"),
        ("A: {on", "A: &a {on", "F002 7:9 | anchors"),
        ("version: 1", "version: !!int 1", "F002 2:16 | tags"),
        ("END: {type: final}\n", "END: {type: final}\n...\n}}}} : [\n", "F001 12:1 | not YAML"),
        ("END: {type: final}\n", "END: {type: final}\n---\nmore: 1\n", "F002 11:1 | a second document"),
        ("facts: [f]", "facts: [f, f]", "F020 4:12 | `f` stands here and on line 4"),
        ("[go, stop]", "[go, stop, go]", "F020 5:20 | `go`"),
        ("type: final", "type: final, outcomes: [a, a]", "F020 10:36 | `a`"),
        ("facts: [f]", "facts: [f]\nattributes: [mood, entry]", "F002 5:20 | cannot be called `entry`"),
        ("facts: [f]", "facts: [f]\nattributes: [mood, mood]", "F020 5:20 | `mood`"),
        (
            "facts: [f]",
            "facts: [f]\nattributes: {mood: {a: {b: c}}}",
            "F002 5:24 | expected a word or a number",
        ),
        ("A: {on", "A: {status: open, on", "F002 7:7 | `status` is not a key of a state; a state has: about"),
        ("H: {guard", "H: {require: f, guard", "F002 9:3 | `H` has both a guard and `require`"),
        (
            "stop: END",
            "stop: {}",
            "F002 7:45 | expected a `target`, found a mapping; say where the event leads",
        ),
        ("stop: END", "stop: {outcome: done}", "F002 7:45 | expected a `target`"),
        ("stop: END", "stop: {target: stay, outcome: done}", "F002 7:45 | expected a `target`"),
        ("on_true: END, on_false: A", "on_true: END, on_false: stay", "F002 9:46 | a guard leads on"),
        ("H: {guard", "stay: {guard", "F002 9:3 | a state cannot be called `stay`"),
        ("guard: n >= 3", "guard: n >= 3 oder", "F005 9:21 | "),
        ("guard: n >= 3", "guard: \"n >= 3 oder\"", "F005 9:22 | "),
    ] {
        check(&with(line, other), &[problem]);
    }
}

#[test]
fn staying_has_a_short_and_a_long_form() {
    for stay in ["stay", "{target: stay}", "{count: n}", "{target: stay, count: n}", "{reset: [n]}"] {
        let source =
            with("{go: {target: G, count: n}", &format!("{{look: {stay}, go: {{target: G, count: n}}"));
        check(&source.replace("[go, stop]", "[go, stop, look]"), &[]);
    }
}

#[test]
fn attributes_must_be_declared() {
    for declared in ["status", "[status]", "[status, status-2]", "{status: }", "{status: {open: shut}}"] {
        let source = with("A: {on", "A: {status: open, on").replace("G: {", "G: {status: ~, ");
        let source = source.replace("END: {", "END: {status: shut, ");
        let expected: &[&str] = match declared.contains("status-2") {
            true => &["F004 11:22 | the attribute `status-2` is used nowhere"],
            false => &[],
        };
        check(&format!("{source}attributes: {declared}\n"), expected);
        let misspelt = format!("{source}attributes: {declared}\n").replace("status: open", "staus: open");
        check(&misspelt, &["F002 7:7 | did you mean `status`?"]);
    }
    let source = with("A: {on", "A: {status: opened, on") + "attributes: {status: {open: shut}}\n";
    check(&source, &["F003 7:15 | unknown value `opened` of `status`; did you mean `open`?"]);
}

#[test]
fn a_flow_may_not_begin_in_a_final_state() {
    for source in [
        "session: X\nversion: 1\nstates: {END: {type: final}}",
        "session: X\nversion: 1\nstates: {END: {type: final, outcomes: [a, b]}}",
    ] {
        check(source, &["F002 3:10 | begins in `END`, which is final"]);
    }
    check(&format!("{SOUND}initial: END\n"), &["F002 10:3 | begins in `END`, which is final"]);
}

#[test]
fn unknown_names_are_always_reported_in_the_same_words() {
    let source = with("stop: END", "stop: ZZZZZZZZ");
    for _ in 0..20 {
        check(&source, &["F003 7:45 | known here: A, G, H, END"]);
    }
}

#[test]
fn a_byte_order_mark_moves_no_place() {
    let source = format!("\u{feff}{}", with("stop: END", "stop: ZZZZZZZZ"));
    let law = Law::read_bytes(source.as_bytes()).unwrap();
    let problems = Machine::bind(&law, None, &Overrides::new()).unwrap_err();
    let shown = problems[0].render("law.yaml", &source, false);
    assert!(shown.contains("law.yaml:7:45"), "{shown}");
    assert!(shown.contains("^^^^^^^^"), "{shown}");
}

#[test]
fn a_line_with_windows_ends_is_shown_in_place() {
    let source = with("stop: END", "stop: ZÄZZZZZZ").replace('\n', "\r\n");
    let law = Law::read(&source).unwrap();
    let problems = Machine::bind(&law, None, &Overrides::new()).unwrap_err();
    let shown = problems[0].render("law.yaml", &source, false);
    let lines: Vec<&str> = shown.lines().collect();
    assert_eq!(lines[1], " --> law.yaml:7:45", "{shown}");
    assert_eq!(lines[3], "7 |   A: {on: {go: {target: G, count: n}, stop: ZÄZZZZZZ}}", "{shown}");
    assert_eq!(lines[4].trim_end(), format!("  |{}^^^^^^^^", " ".repeat(45)), "{shown}");
}

/// Checks the first problem and the number of problems of a law that is far too large in some way.
fn check_large(name: &str, source: &str, first: &str, most: usize) {
    assert!(source.len() <= flow::MAX_SOURCE_BYTES, "{name}: {} bytes", source.len());
    let found = problems(source);
    assert!(found.first().is_some_and(|found| found.contains(first)), "{name}: {:?}", found.first());
    assert!(found.len() <= most, "{name}: {} problems", found.len());
}

#[test]
fn laws_that_are_too_large_are_refused_with_the_limit() {
    let list = |many: usize, row: &dyn Fn(usize) -> String| (0..many).map(row).collect::<String>();
    let head = "session: X\nversion: 1\n";
    let long = |n: usize| format!("{:a>99}", n);
    let targets = |n: usize| list(14, &|e| format!(" e{e}: {},", long(1_000_000 + n * 14 + e)));
    let states = list(500, &|n| format!("  S{}: {{on: {{{}}}}}\n", &long(n)[2..], targets(n)));
    check_large("unknown names", &format!("{head}states:\n{states}"), "unknown state", 200);
    let constants = list(20_000, &|n| format!("c{n}: 1, "));
    let body = "counters: {n: 0}\nstates:\n  A: {on: {go: {target: G, count: n}}}\n  G: {guard: n >= c0, on_true: END}\n  END: {type: final}\n";
    check_large(
        "constants",
        &format!("{head}context: {{{constants}}}\n{body}"),
        "20000 constants; a law has at most 1000",
        1,
    );
    let constants = list(300, &|n| format!("c{n}: 100, "));
    let invariants = list(300, &|n| format!("n <= c{n}, "));
    let body = body
        .replace("on_true: END", "on_true: END, on_false: H")
        .replace("  END", "  H: {guard: n <= c1, on_true: A}\n  END");
    let source = format!("{head}context: {{{constants}}}\n{body}invariants: [{invariants}]\n");
    check_large("constants to sweep", &source, "has no `on_false`", 1);
    let attributes = list(50_000, &|n| format!("a{n}, "));
    let keys = list(30_000, &|n| format!("b{n}: x, "));
    let states = format!(
        "attributes: [{attributes}]\nstates:\n  A: {{{keys}on: {{go: END}}}}\n  END: {{type: final}}\n"
    );
    check_large("attributes", &format!("{head}{states}"), "50000 attributes; a law has at most 16", 200);
    let values = list(60, &|n| format!("v{n}: [{}], ", list(60, &|v| format!("v{v}, "))));
    let attributes = list(16, &|n| format!("a{n}: {{{values}}}, "));
    let keys = list(16, &|n| format!("a{n}: v0, "));
    let states = list(2_000, &|n| format!("  S{n}: {{{keys}on: {{go: S{}}}}}\n", n + 1));
    let law = format!("{head}attributes: {{{attributes}}}\nstates:\n{states}  S2000: {{type: final}}\n");
    check_large("values", &law, "need more than 64 bits", 1_000);
    let outcomes = list(90_000, &|n| format!("o{n}, "));
    let states =
        format!("states:\n  A: {{on: {{go: END}}}}\n  END: {{type: final, outcomes: [{outcomes}]}}\n");
    check_large("outcomes", &format!("{head}{states}"), "90000 outcomes; a law has at most 1000", 1);
    let jumps = list(9_000, &|n| format!("e{n}: {{target: END, outcome: o{n}}}, "));
    let states = format!("states:\n  A: {{on: {{{jumps}}}}}\n  END: {{type: final}}\n");
    check_large("outcomes on the way", &format!("{head}{states}"), "more than 1000 outcomes", 1);
    let events = list(4_000, &|n| format!("e{n}: END, "));
    let states = list(4_000, &|n| format!("  S{n}: {{}}\n"));
    let states = format!("states:\n{states}  END: {{type: final}}\nany non-final: {{{events}}}\n");
    check_large("transitions of groups", &format!("{head}{states}"), "more than 1000000 transitions", 1);
}
