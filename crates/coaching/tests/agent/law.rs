//! Tests of the agent coach's law: the law decides, and each of its constants has an effect.

use crate::agent::session::{Session, bound};
use coaching::agent::{LAW, vocabulary};
use coaching::desk::Role;
use flow::{Bounds, Law, Migration, Overrides, check, diff};
use serde_json::{Value, json};

/// Progress reports, each different from the others.
const REPORTS: [&str; 5] = [
    "Let me run the tests next.",
    "I have not finished yet: the parser is still open.",
    "The importer is 40% complete, its error handling is still missing.",
    "Next I will write the importer.",
    "Now I am going to write the exporter.",
];
const CLAIMS: [&str; 3] =
    ["Done.", "I think the bug is fixed now. Should work.", "Everything is implemented, finished."];

#[test]
fn the_law_is_proved_with_these_names() {
    let law = Law::read(LAW).unwrap();
    let report = check(&law, Some(&vocabulary()), &Overrides::new(), Bounds::default()).unwrap();
    assert!(report.complete && report.is_clean(), "{:#?}", report.problems);
}

#[test]
fn sessions_under_way_move_to_this_law() {
    for old in [
        include_str!("../laws/agent-0.2.yaml"),
        include_str!("../laws/agent-0.3.yaml"),
        include_str!("../laws/agent-0.7.yaml"),
    ] {
        let old = bound(old, &Overrides::new());
        let difference = diff(&old, &bound(LAW, &Overrides::new()), &Migration::default(), Bounds::default());
        assert!(difference.compatible, "{:#?}", difference.homeless);
    }
}

/// Changes one constant of the law at a time and sends the reports that make the change visible.
#[test]
fn every_constant_of_the_law_counts() {
    let check = |name: &str, numbers: [i64; 2], reports: &[&str]| {
        let reached = numbers.map(|number| {
            let machine = bound(LAW, &Overrides::from([(name.to_owned(), number)]));
            let mut session = Session::on(machine, Value::Null);
            reports.iter().for_each(|report| session.stops(report));
            session.state().to_owned()
        });
        assert_eq!(reached, ["WAITING_HUMAN", "WATCHING"], "{name}");
    };
    check("max_continues", [3, 4], &REPORTS[..4]);
    check("max_rejections", [2, 3], &CLAIMS);
    check("max_standstills", [2, 3], &[REPORTS[0]; 3]);
    let busy = |most: i64| {
        let mut session =
            Session::on(bound(LAW, &Overrides::from([("max_asides".to_owned(), most)])), Value::Null);
        (0..3).for_each(|_| session.happens("stopped", json!({"text": REPORTS[0], "in_background": 1})));
        session.state().to_owned()
    };
    assert_eq!([busy(2), busy(3)], ["WAITING_HUMAN", "WATCHING"], "max_asides");
    let waits = |source: &str, state: &str| -> Vec<u64> {
        let machine = bound(source, &Overrides::new());
        let timers = machine.timers(machine.state_named(state).unwrap());
        timers.iter().map(|after| after.millis / 60_000).collect()
    };
    for (name, old, new, state) in [
        ("quiet", "30m", "10m", "WATCHING"),
        ("patience", "6h", "5h", "SILENT"),
        ("slow", "1m", "2m", "CLASSIFY"),
    ] {
        let changed = LAW.replace(&format!("{name}: {old}"), &format!("{name}: {new}"));
        assert_ne!(waits(LAW, state), waits(&changed, state), "{name}");
    }
    let machine = bound(&LAW.replace("quiet: 30m", "quiet: 10m"), &Overrides::new());
    let names: Vec<&str> = machine.constants().iter().map(|(name, _)| name.as_str()).collect();
    let tested =
        ["max_continues", "max_rejections", "max_standstills", "max_asides", "quiet", "patience", "slow"];
    assert_eq!(names, tested, "each is tested here");
    let mut session = Session::on(machine.clone(), Value::Null);
    session.happens("grew_quiet", Value::Null);
    assert_eq!(session.said(Role::Alarm), ["the agent has been silent for 10 min"]);
}

/// Each bound has a state of its own, and the law says in that state which bound it is.
#[test]
fn the_law_says_which_bound_was_reached() {
    let check = |opening: Value, stops: &[Value], expected: &str| {
        let mut session = Session::new(opening);
        stops.iter().for_each(|stop| session.happens("stopped", stop.clone()));
        assert_eq!(
            (session.state(), session.said(Role::Deliver)),
            ("WAITING_HUMAN", vec![expected.to_owned()])
        );
        session.send_now("stopped", json!({"text": "Let me go on."})).unwrap();
        let resting = "it is the human's turn, and no human has answered since";
        assert_eq!(session.said(Role::Aside), [resting], "{expected}");
    };
    let text = |text: &str| json!({"text": text});
    let cost = |text: &str| json!({"text": text, "cost_microusd": 600_000});
    check(
        json!({"max_minutes": 1}),
        &REPORTS[..3].iter().copied().map(text).collect::<Vec<_>>(),
        "the agent has been at it for more than 1 minute",
    );
    check(
        json!({"max_microusd": 1_000_000}),
        &[cost(REPORTS[0]), cost(REPORTS[1])],
        "the agent has cost $1.20, which is over its budget",
    );
    check(
        Value::Null,
        &[text(REPORTS[0]), text(REPORTS[0]), text(REPORTS[0])],
        "the agent keeps repeating itself and is getting nowhere",
    );
    check(Value::Null, &CLAIMS.map(text), "the agent claimed 3 times to be done and showed no evidence");
    check(
        Value::Null,
        &REPORTS[..4].iter().copied().map(text).collect::<Vec<_>>(),
        "the agent was told to go on 3 times and still isn't done",
    );
}

#[test]
fn the_law_says_why_the_coach_stands_aside() {
    let check = |stop: Value, expected: &str| {
        let mut session = Session::new(Value::Null);
        session.happens("stopped", stop);
        assert_eq!((session.state(), session.said(Role::Aside)), ("WATCHING", vec![expected.to_owned()]));
    };
    check(
        json!({"text": REPORTS[0], "is_switched_off": true, "in_background": 1}),
        "the coach is switched off",
    );
    check(
        json!({"text": REPORTS[0], "is_paused": true, "is_elsewhere": true}),
        "the coach is paused in this session",
    );
    check(
        json!({"text": REPORTS[0], "is_elsewhere": true, "in_background": 1}),
        "the coach is not allowed in this folder",
    );
    check(
        json!({"text": REPORTS[0], "in_background": 2}),
        "work continues in the background: 2 tasks or schedules",
    );
    let mut session = Session::new(Value::Null);
    session.stops("All 42 tests passed, committed abc1234");
    session.stops(REPORTS[0]);
    let finished = "the work was finished, and no human has asked for more";
    assert_eq!((session.state(), session.said(Role::Aside)), ("COMPLETED", vec![finished.to_owned()]));
}

#[test]
fn only_a_session_that_failed_says_why() {
    let mut session = Session::new(Value::Null);
    session.stops("All 42 tests passed, committed abc1234");
    session.happens("went_stale", Value::Null);
    assert_eq!((session.outcome(), &session.view()["failed"]), (Some("done"), &Value::Null));
    let mut session = Session::new(Value::Null);
    session.happens("went_stale", Value::Null);
    let stale = "the session has been silent for too long";
    assert_eq!((session.outcome(), &session.view()["failed"]), (Some("timeout"), &json!(stale)));
    let mut session = Session::new(Value::Null);
    session.happens("crashed", json!({"error": "rate_limit", "details": "try again at noon"}));
    let crashed = "the agent's program reports the error rate_limit: try again at noon";
    assert_eq!((session.outcome(), &session.view()["failed"]), (Some("error"), &json!(crashed)));
}

/// To this law the agent is a machine, so the check would find a loop of its stops. Only a human's word resets a
/// counter.
#[test]
fn the_law_has_no_endless_loop() {
    let law = Law::read(LAW).unwrap();
    let endless = LAW.replace("on_false: {target: COACH, count: continues}", "on_false: COACH");
    let report = |law: &Law| check(law, Some(&vocabulary()), &Overrides::new(), Bounds::default()).unwrap();
    assert!(report(&law).is_clean());
    assert!(
        !report(&Law::read(&endless).unwrap()).is_clean(),
        "without the count the agent would go on forever"
    );
    let resets: Vec<&str> = LAW.lines().filter(|line| line.contains("reset:")).map(str::trim).collect();
    assert!(!resets.is_empty() && resets.iter().all(|line| line.starts_with("prompted:")), "{resets:?}");
}

/// Messages that no human wrote leave the bounds as they are.
#[test]
fn only_a_human_resets_the_bounds() {
    let mut session = Session::new(Value::Null);
    REPORTS[..3].iter().for_each(|report| session.stops(report));
    for text in [
        "<task-notification><task-id>b1</task-id><status>completed</status></task-notification>",
        "<system-reminder>Your todo list is empty.</system-reminder>",
        "Stop hook feedback:\n- [System Coach] Go on.",
        "[Request interrupted by user]",
        "This session is being continued from a previous conversation that ran out of context.",
        "<local-command-stdout>ok</local-command-stdout>",
    ] {
        assert!(session.send("prompted", json!({"text": text})).is_err(), "{text}");
    }
    session.happens("grew_quiet", Value::Null);
    session.stops(REPORTS[3]);
    assert_eq!(session.state(), "WAITING_HUMAN");
    for _ in 0..40 {
        let _ = session.send("stopped", json!({"text": REPORTS[4]}));
        assert!(session.said(Role::Coaching).is_empty());
    }
    assert_eq!(session.state(), "AT_REST");
    session
        .happens("prompted", json!({"text": "<system-reminder>x</system-reminder>Go on with the exporter."}));
    session.stops(REPORTS[4]);
    assert_eq!(session.state(), "WATCHING");
}
