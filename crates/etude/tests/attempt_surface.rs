//! Tests of an attempt's surfaces: words instead of keys, offered verbs, states, refusals.

use crate::attempt::{Attempt, OFF_BY_ONE, RIGHT};
use crate::common::learner::Learner;
use crate::common::pty::Terminal;
use crate::common::{Folder, names, text};
use serde_json::json;

#[test]
fn an_unknown_problem_is_reported_in_words() {
    let folder = Folder::new();
    let server = folder.serve(&[]);
    for (language, words) in [("en", "there is no problem"), ("de", "gibt es nicht")] {
        let asked = server.client.request("GET", "/api/problems/nope").header("Accept-Language", language);
        let reply = server.client.send(&asked);
        let problem = reply.json();
        assert_eq!((reply.status, text(&problem, "/code")), (404, "unknown_problem"), "{problem}");
        assert!(text(&problem, "/title").contains(words), "{problem}");
        assert!(text(&problem, "/cure").contains("/api/problems"), "{problem}");
    }
    let attempt = Attempt::start(&server.client, &json!({"problemId": "two-sum"}));
    for (path, body) in [
        (format!("/api/instances/{}/events", attempt.id), json!({"event": "skip"})),
        ("/api/instances".to_owned(), json!({"flow": "attempt", "opening": {"problemId": "nope"}})),
    ] {
        let problem = server.client.post(&path, &body).json();
        assert!(!text(&problem, "/title").starts_with("attempt-"), "{problem}");
        assert!(!text(&problem, "/cure").starts_with("attempt-"), "{problem}");
    }
}

/// A refusal names the verbs on offer, as HTTP calls them, and none that would be refused as well.
#[test]
fn a_refusal_names_what_can_be_done_now() {
    let folder = Folder::new();
    let server = folder.serve(&[]);
    let beginner = Attempt::start(&server.client, &json!({"problemId": "two-sum"}));
    let writing = Attempt::writing(&server.client);
    for (attempt, rest, offered, not) in [
        (&beginner, "verify/run", &["understand/submit", "mode"][..], &["skip", "understand/followup"][..]),
        (&writing, "verify/run", &["code", "hint"][..], &["mode", "skip"][..]),
    ] {
        let reply = attempt.try_post(rest, &json!({}));
        let problem = reply.json();
        assert_eq!((reply.status, text(&problem, "/code")), (409, "event_not_allowed"), "{problem}");
        let cure = text(&problem, "/cure");
        let address = |name: &&str| format!("POST /api/attempts/{}/{name}", attempt.id);
        assert!(offered.iter().map(address).all(|address| cure.contains(&address)), "{problem}");
        assert!(!not.iter().map(address).any(|address| cure.contains(&address)), "{problem}");
        let allowed = names(&problem["allowed"]);
        assert!(!allowed.contains(&"set_mode") && !allowed.contains(&"skip"), "{problem}");
    }
}

#[test]
fn an_attempt_shows_whether_it_goes_on() {
    let folder = Folder::new();
    let server = folder.serve(&[]);
    let open = Attempt::start(&server.client, &json!({"problemId": "two-sum"}));
    let left = Attempt::start(&server.client, &json!({"problemId": "two-sum"}));
    assert_eq!(text(&left.post("abandon", &json!({})), "/attemptStatus"), "ABANDONED");
    let solved = Attempt::writing(&server.client);
    solved.post("code", &json!({"code": RIGHT}));
    solved.post("verify/run", &json!({}));
    solved.post("reflect/skip", &json!({}));
    let listed = server.client.get("/api/attempts").json();
    for (attempt, status) in [(&open, "OPEN"), (&left, "ABANDONED"), (&solved, "COMPLETE")] {
        assert_eq!(text(&attempt.view(), "/attemptStatus"), status);
        let rows = listed["attempts"].as_array().expect("attempts");
        let row = rows.iter().find(|row| row["id"] == attempt.id).expect("a row");
        assert_eq!(text(row, "/attemptStatus"), status, "{listed}");
    }
}

#[test]
fn an_empty_explanation_does_not_fix_the_mode() {
    let folder = Folder::new();
    let server = folder.serve(&[]);
    let attempt = Attempt::start(&server.client, &json!({"problemId": "two-sum"}));
    attempt.post("understand/submit", &json!({"explanation": "  "}));
    assert_eq!(text(&attempt.post("mode", &json!({"mode": "EXPERT"})), "/mode"), "EXPERT");
    attempt.post("understand/submit", &json!({"explanation": "Two numbers with a sum."}));
    attempt.refused("mode", &json!({"mode": "BEGINNER"}), "mode_is_fixed");
}

#[test]
fn a_program_that_does_not_compile_is_explained() {
    let folder = Folder::new();
    let server = folder.serve(&[]);
    let attempt = Attempt::writing(&server.client);
    attempt.post("code", &json!({"code": "def two_sum(numbers, target)\n    return []\n"}));
    let run = attempt.post("verify/run", &json!({}));
    assert_eq!(text(&run, "/verdict"), "compile_error", "{run}");
    let explained = attempt.post("verify/explain-failure", &json!({"testIndex": 0}));
    assert_eq!(text(&explained, "/likelyBugType"), "syntax", "{explained}");
    assert!(text(&explained, "/failingCaseExplanation").contains("does not compile"), "{explained}");
}

/// Text that would have to be cut is refused instead.
#[test]
fn a_reflection_is_kept_whole_or_refused() {
    let folder = Folder::new();
    let server = folder.serve(&[]);
    let attempt = Attempt::writing(&server.client);
    attempt.post("code", &json!({"code": RIGHT}));
    attempt.post("verify/run", &json!({}));
    let long = "a".repeat(2_001);
    for (body, code) in [
        (json!({"cuesNextTime": vec!["a cue"; 10_000]}), "too_many_cues"),
        (json!({"cuesNextTime": [&long]}), "too_long"),
        (json!({"invariantSummary": &long}), "too_long"),
    ] {
        attempt.refused("reflect/submit", &body, code);
    }
    attempt.refused("reflect/challenge", &json!({"answer": &long}), "too_long");
    let kept = attempt.post("reflect/submit", &json!({"cuesNextTime": vec!["a cue"; 10]}));
    assert_eq!(names(&kept["reflectPayload"]["cuesNextTime"]).len(), 10, "{kept}");
}

/// An endless program takes the time of one test, not of all of them.
#[test]
fn a_run_ends_with_the_first_test_that_takes_too_long() {
    let folder = Folder::new();
    let server = folder.serve(&[]);
    let attempt = Attempt::writing(&server.client);
    attempt.post("code", &json!({"code": "def two_sum(numbers, target):\n    while True: pass\n"}));
    let run = attempt.post("verify/run", &json!({}));
    assert_eq!(text(&run, "/verdict"), "time_limit", "{run}");
    let tests = run["testResults"].as_array().expect("tests");
    assert_eq!(tests.iter().filter(|test| test["timeMs"] != 0).count(), 1, "{run}");
}

/// A program always gets the same tests, even in another attempt.
#[test]
fn a_verdict_does_not_depend_on_chance() {
    let folder = Folder::new();
    let server = folder.serve(&[]);
    // About every eighth list makes this program fail.
    let odd = "def two_sum(numbers, target):\n    if sum(numbers) % 8 == 3: return []\n    seen = {}\n    for at, number in enumerate(numbers):\n        if target - number in seen: return [seen[target - number], at]\n        seen[number] = at\n";
    let verdicts = || {
        let attempt = Attempt::writing(&server.client);
        attempt.post("code", &json!({"code": odd}));
        let run = attempt.post("verify/run", &json!({}));
        let tests = run["testResults"].as_array().expect("tests").clone();
        tests.iter().map(|test| text(test, "/verdict").to_owned()).collect::<Vec<_>>()
    };
    let first = verdicts();
    assert!((0..3).all(|_| verdicts() == first), "{first:?}");
}

#[test]
fn the_learner_chooses_after_the_questions() {
    let folder = Folder::new();
    let typed = "skip\ndiscover\nb\na\nb\nhash-map\n4\n\nO(n)\nquit\n";
    let shown = folder.run_with(&["attempt", "two-sum", "--mode", "expert"], typed.as_bytes()).all();
    assert!(shown.contains("What is left"), "{shown}");
    assert!(!shown.contains("That is not a number"), "{shown}");
    assert!(shown.contains("Write `two_sum` in python"), "{shown}");
}

#[test]
fn a_failure_is_explained_after_a_trace() {
    let folder = Folder::new();
    let typed = format!("skip\nskip\n{OFF_BY_ONE}.\n\ntrace\nI use the same element twice\nquit\n");
    let shown = folder.run_with(&["attempt", "two-sum", "--mode", "expert"], typed.as_bytes()).all();
    assert!(!shown.contains("testIndex"), "{shown}");
    assert!(shown.contains("Test 1: wrong answer") && !shown.contains("Test 0"), "{shown}");
    assert!(shown.contains("write down what your variables should be"), "{shown}");
}

#[test]
fn a_half_filled_form_waits() {
    let folder = Folder::new();
    let first = folder.run_with(&["attempt", "two-sum"], b"A first answer\nA second answer\nquit\n").all();
    assert!(first.contains("picks up where you left off"), "{first}");
    let again = folder.run_with(&["attempt", "two-sum"], b"third\nfourth\nfifth\nquit\n").all();
    assert!(!again.contains("What goes in, and what comes out"), "asked again: {again}");
    let view = folder.run(&["learner", "export", "me", "--json"]).all();
    assert!(view.contains("A second answer") && view.contains("\"fifth\""), "{view}");
}

#[test]
fn a_half_typed_program_waits() {
    let learner = Learner::new();
    let open = || Terminal::open(&learner, "attempt two-sum");
    learner.run(&["attempt", "two-sum", "--mode", "expert"], b"skip\nskip\nquit\n");
    let Some(mut first) = open() else { return };
    first.wait_for(&["def two_sum", "›"]);
    first.keys(&["def two_sum(numbers, target):", "Enter"]);
    first.wait_for(&["only a dot"]);
    first.keys(&["    return [1, 2]", "Enter"]);
    first.keys(&["C-c"]);
    first.wait_for(&["Saved", "ended with 0"]);
    drop(first);
    let Some(mut again) = open() else { return };
    again.wait_for(&["You had begun this program", "return [1, 2]", "›"]);
    again.keys(&["Enter"]);
    again.keys(&[".", "Enter"]);
    again.wait_for(&["Your program is saved", "›"]);
    again.keys(&["Enter"]);
    again.wait_for(&["tests passed"]);
}

#[test]
fn solved_problems_are_progress() {
    let folder = Folder::new();
    let typed = format!("skip\nskip\n{RIGHT}.\n\n/finish\n");
    let shown = folder.run_with(&["attempt", "two-sum", "--mode", "expert"], typed.as_bytes()).all();
    assert!(shown.contains("tests passed"), "{shown}");
    let progress = folder.run(&["progress"]).all();
    assert!(progress.contains("1 of ") && progress.contains("1 practised"), "{progress}");
    assert!(progress.contains("etude attempt "), "{progress}");
    let greeting = folder.run(&[]).all();
    assert!(greeting.contains("etude attempt "), "{greeting}");
}

/// Help shows one way to call each verb, in the learner's language.
#[test]
fn help_speaks_one_language() {
    let folder = Folder::new();
    let typed = "skip\nskip\n?\nquit\n";
    let shown = |language: &str| {
        let arguments = ["attempt", "two-sum", "--mode", "expert", "--new", "--language", language];
        folder.run_with(&arguments, typed.as_bytes()).all()
    };
    let (english, german) = (shown("en"), shown("de"));
    assert!(english.contains("hint") && !english.contains("tipp"), "{english}");
    assert!(german.contains("tipp") && !german.contains("hint"), "{german}");
    let typed = format!("skip\nskip\n{RIGHT}.\n\n?\nquit\n");
    let arguments = ["attempt", "two-sum", "--mode", "expert", "--new"];
    let help = folder.run_with(&arguments, typed.as_bytes()).all();
    assert!(help.contains("/finish") && !help.contains(":finish"), "{help}");
    assert!(!help.contains("skip_reflection"), "{help}");
}

#[test]
fn the_guard_says_what_it_needs() {
    let shown = Folder::new().run(&["leak"]).all();
    assert!(["--problem", "--reference", "--jsonl"].iter().all(|option| shown.contains(option)), "{shown}");
}
