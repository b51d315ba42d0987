//! Tests of the law's language from outside: facts, deadlines, growing pauses, laws that use laws, and events that
//! only the machine may send.

use crate::common::stored::stored;
use crate::common::{Folder, Receiver, Server, events, eventually, example, number, text};
use crate::peers::{self, found};
use serde_json::{Value, json};
use std::net::TcpListener;
use std::process::{Child, Command, Stdio};

fn serve(folder: &Folder, law: &str, arguments: &[&str]) -> Server {
    let law = folder.write("law.yaml", law);
    folder.serve(&[&["--law", &law], arguments].concat())
}

/// The program itself replays the path of a problem with its facts.
#[test]
fn the_path_of_a_problem_is_replayed() {
    let folder = Folder::new();
    let law = folder.write(
        "law.yaml",
        "session: X\nversion: 1\ncontext: {most: 1}\ncounters: {n: 0}\nfacts: [is_vip, is_odd]\nstates:\n  \
         A: {on: {go: G}}\n  G: {guard: is_vip and is_odd, on_true: {target: B, count: n}, on_false: A}\n  \
         B: {on: {go: {target: B, count: n}, stop: C}}\n  C: {type: final}\ninvariants: [n <= most]\n",
    );
    let report = folder.run(&["check", &law, "--json"]).json();
    let problem = report["problems"].as_array().and_then(|all| all.iter().position(|p| p["code"] == "F011"));
    let number = (problem.expect("the invariant is broken") + 1).to_string();
    let replay = folder.run(&["check", &law, "--replay", &number, "--json"]);
    assert_eq!(replay.code, Some(0), "{replay:?}");
    let replay = replay.json();
    assert_eq!(replay["problem"]["path"], json!(["go", "go"]), "{replay}");
    assert_eq!(replay["problem"]["facts"][1], json!(["is_vip", "is_odd"]), "{replay}");
    assert_eq!(replay["steps"][1]["entered"], json!(["G", "B"]), "{replay}");
    let last = replay["steps"].as_array().and_then(|steps| steps.last()).expect("steps");
    assert!(text(last, "/refused").contains("n <= 1"), "{replay}");
    let shown = folder.run(&["check", &law, "--replay", &number]).stdout;
    assert!(shown.contains("go (is_vip, is_odd)"), "{shown}");
    let none = folder.run(&["check", &law, "--replay", "99"]);
    assert!(none.code == Some(2) && none.stderr.contains("from 1 to"), "{none:?}");
}

#[test]
fn a_diff_says_that_the_new_law_may_not_run() {
    let folder = Folder::new();
    let old =
        folder.write("old.yaml", "session: X\nversion: 1\nstates: {A: {on: {go: B}}, B: {type: final}}");
    let new = folder.write(
        "new.yaml",
        "session: X\nversion: 2\nstates: {A: {on: {go: B, timeout: A}}, B: {type: final}}",
    );
    let diff = folder.run(&["diff", &old, &new]);
    assert!(diff.code == Some(1) && diff.stdout.contains("may not run: it has 1 problem: F013"), "{diff:?}");
    let diff = folder.run(&["diff", &old, &new, "--json"]).json();
    assert_eq!(
        (&diff["new_may_run"], &diff["new_problems"][0]["code"]),
        (&json!(false), &json!("F013")),
        "{diff}"
    );
}

/// The proof and a running flow agree on the largest number of a counter.
#[test]
fn counters_have_one_ceiling() {
    let folder = Folder::new();
    let law = |beyond: &str| {
        let text = "session: X\nversion: 1\ncounters: {n: 4294967294}\nstates:\n  A: {on: {go: {target: G, count: n}}}\n  \
             G: {guard: n > LIMIT, on_true: B, on_false: A}\n  B: {type: final}\nany non-final: {leave: B}\n";
        folder.write("law.yaml", text.replace("LIMIT", beyond))
    };
    let reached = folder.run(&["check", &law("4294967294"), "--json"]).json();
    assert_eq!(reached["problems"], json!([]), "{reached}");
    let codes = |report: &Value| -> Vec<String> {
        report["problems"].as_array().into_iter().flatten().map(|p| text(p, "/code").to_owned()).collect()
    };
    let never = folder.run(&["check", &law("4294967295"), "--json"]).json();
    assert_eq!(codes(&never), ["F010"], "{never}");
}

#[test]
fn tautologies_hold_and_undeclared_outcomes_are_reported() {
    let folder = Folder::new();
    let facts: Vec<String> = (0..20).map(|at| format!("f{at}")).collect();
    let tautology = format!(
        "({}) or {}",
        facts.join(" and "),
        facts.iter().map(|f| format!("not {f}")).collect::<Vec<_>>().join(" or ")
    );
    let law = format!(
        "session: X\nversion: 1\nfacts: [{}]\nstates: {{A: {{on: {{go: {{target: B, outcome: odd}}}}}}, B: {{type: final}}}}\ninvariants: [\"{tautology}\"]\n",
        facts.join(", ")
    );
    let report = folder.run(&["check", &folder.write("law.yaml", law), "--json"]).json();
    assert_eq!(report["problems"].as_array().map(Vec::len), Some(1), "{report}");
    assert_eq!(
        (text(&report, "/problems/0/code"), text(&report, "/problems/0/severity")),
        ("F019", "warning")
    );
}

const MEMBER: &str = "\
session: Member
version: 1
facts: [is_member, is_banned]
events: {ask: learner, answered: machine, tick: silence, wave: open machine}
states:
  door: {guard: is_member, on_true: is_good, on_false: outside}
  inside:
    require: [not is_banned]
    on: {ask: is_good, answered: gone, wave: gone}
  outside:
    after: {300ms: tick}
    on: {ask: outside, tick: again}
  again: {guard: is_member, on_true: is_good, on_false: gone}
  is_good: {guard: is_banned, on_true: gone, on_false: inside}
  gone: {type: final}
";

/// Facts given at the opening, facts that a timer cannot answer, and facts that the state denies.
#[test]
fn facts_come_from_senders_that_may_answer_them() {
    let folder = Folder::new();
    let server = serve(&folder, MEMBER, &[]);
    let client = &server.client;
    let open = |opening: Value| client.post("/api/instances", &json!({"flow": "Member", "opening": opening}));
    let id = |reply: &crate::common::Reply| text(&reply.json(), "/id").to_owned();

    let opened = open(json!({"facts": ["is_member"]}));
    assert_eq!(text(&opened.json(), "/state"), "inside", "{opened:?}");
    let unknown = open(json!({"facts": ["is_king"]}));
    assert_eq!((unknown.status, text(&unknown.json(), "/code")), (422, "unknown_fact"), "{unknown:?}");

    let inside = id(&opened);
    let denied = client.post(&events(&inside), &json!({"event": "ask", "facts": ["is_banned"]}));
    assert_eq!((denied.status, text(&denied.json(), "/code")), (422, "fact_denied"), "{denied:?}");
    assert!(denied.json().to_string().contains("`is_banned`"), "{denied:?}");

    let outside = id(&open(Value::Null));
    let asked = client.post(&events(&outside), &json!({"event": "ask", "facts": ["is_member"]}));
    assert_eq!(asked.status, 200, "{asked:?}");
    // The timer evaluates the guard with the fact of the last event.
    eventually("the timer", || (text(&client.view(&outside), "/state") == "inside").then_some(()));

    for (event, status, code) in [("answered", 422, "for_the_machine"), ("tick", 422, "for_the_clock")] {
        let reply = client.event(&inside, event);
        assert_eq!((reply.status, text(&reply.json(), "/code")), (status, code), "{reply:?}");
    }
    assert_eq!(client.event(&inside, "wave").status, 200, "the law opens it");
}

const GIVEN_UP: &str = "\
session: Errand
version: 1
counters: {tries: 0}
events: {go: learner, fetched: machine, failed: machine, retry: silence}
states:
  idle: {on: {go: asked}}
  asked:
    entry: [fetch]
    on: {fetched: done, failed: enough}
  enough: {guard: tries >= 2, on_true: {target: done, outcome: gave_up}, on_false: pausing}
  pausing: {after: {100ms..1s x2: retry}, on: {retry: {target: asked, count: tries}}}
  done: {type: final, outcomes: [done, gave_up]}
";

/// A failed action tells its flow, which retries after growing pauses up to its bound.
#[test]
fn a_flow_is_told_of_its_abandoned_action() {
    let folder = Folder::new();
    let law = GIVEN_UP.replace("fetched: done", "fetched: {target: done, outcome: done}");
    let receiver = Receiver::start(|_, _| (400, "no".into()));
    let server = serve(&folder, &law, &["--sink", &receiver.url]);
    let client = &server.client;
    let opened = client
        .post("/api/instances", &json!({"flow": "Errand", "learner": "ada", "opening": {"what": "milk"}}));
    let id = text(&opened.json(), "/id").to_owned();
    client.post(&events(&id), &json!({"event": "go", "payload": {"shop": 7}}));
    let ended = eventually("the end", || Some(client.view(&id)).filter(|view| view.get("outcome").is_some()));
    assert_eq!((text(&ended, "/outcome"), number(&ended, "/counters/tries")), ("gave_up", 2), "{ended}");

    let taken = receiver.taken();
    assert_eq!(taken.len(), 3, "{taken:?}");
    let first = &taken[0].body;
    let said = json!({
        "action": "fetch", "flow": "Errand", "version": "1", "instance": id, "learner": "ada", "state": "asked",
        "event": "go", "payload": {"shop": 7}, "counters": {"tries": 0}, "data": {"what": "milk", "last": {"shop": 7}},
    });
    assert_eq!(*first, said);
    assert_eq!((text(&taken[1].body, "/event"), number(&taken[1].body, "/counters/tries")), ("retry", 1));

    let log = client.get(&format!("/api/instances/{id}/log")).json();
    let failures: Vec<&Value> =
        log["entries"].as_array().into_iter().flatten().filter(|e| e["event"] == "failed").collect();
    assert_eq!(failures.len(), 3, "{log}");
    assert!(text(failures[0], "/payload/reason").contains("400"), "{log}");
    // The dead actions stay listed for inspection.
    assert_eq!(folder.run(&["dead", "--json"]).json().as_array().map(Vec::len), Some(3));
}

/// A deadline counts from the entry into the group, whichever program moves the flow, and ends with the group.
#[test]
fn a_deadline_outlives_states_and_programs() {
    let folder = Folder::new();
    let law = "session: Slow\nversion: 1\nstates:\n  a: {after: {2h: nudge}, on: {forth: b, out: c, nudge: b}}\n  b: {on: {back: a}}\n  \
               c: {on: {end: d, again: a}}\n  d: {type: final}\n  late: {type: final, outcome: late}\n  \
               any of [a, b]: {after: {1h: expired}, expired: late}\n";
    let id = folder.run(&["new", &folder.write("law.yaml", law), "--quiet"]).stdout.trim().to_owned();
    let due = || -> Vec<(String, i64)> {
        let timers =
            stored(folder.data(), async |store| store.timers(&id).await.expect("timers can be read"));
        timers.into_iter().map(|timer| (timer.event, timer.due_at.0)).collect()
    };
    let first = due();
    assert_eq!(first.iter().map(|(event, _)| event.as_str()).collect::<Vec<_>>(), ["expired", "nudge"]);
    let send = |event: &str| assert_eq!(folder.run(&["send", &id, event]).code, Some(0), "{event}");
    send("forth");
    assert_eq!(due(), first[..1], "the timer of the state is gone, the deadline goes on");
    send("back");
    let back = due();
    assert!(back[0] == first[0] && back[1].1 > first[1].1, "{first:?} {back:?}");
    send("out");
    assert_eq!(due(), []);
    send("again");
    assert!(due()[0].1 > first[0].1, "it begins anew");
}

/// A law that uses another runs on a server, is stored whole, and goes on without its files.
#[test]
fn a_law_that_uses_another_runs_without_its_files() {
    let folder = Folder::new();
    let [order, pay] =
        ["order.yaml", "pay.yaml"].map(|name| std::fs::read_to_string(example(name)).expect("an example"));
    let law = folder.write("order.yaml", order);
    let part = folder.write("pay.yaml", pay);
    let checked = folder.run(&["check", &law]);
    assert_eq!(checked.code, Some(0), "{checked:?}");
    let id = folder.run(&["new", &law, "--quiet"]).stdout.trim().to_owned();
    for file in [&law, &part] {
        std::fs::remove_file(file).expect("it is there");
    }
    for event in ["add", "order"] {
        let sent = folder.run(&["send", &id, event]);
        assert_eq!(sent.code, Some(0), "{sent:?}");
    }
    assert_eq!(text(&folder.run(&["show", &id, "--json"]).json(), "/state"), "paying-charging");
    let refused = folder.run(&["send", &id, "paid"]);
    assert!(refused.code == Some(2) && refused.stderr.contains("only the machine"), "{refused:?}");

    let lonely = folder.write(
        "lonely.yaml",
        "session: X\nversion: 1\nstates: {A: {use: gone.yaml, on: {done: B}}, B: {type: final}}",
    );
    let unreadable = folder.run(&["check", &lonely]);
    assert!(unreadable.code == Some(2) && unreadable.stdout.contains("gone.yaml"), "{unreadable:?}");
}

/// The receivers of docs/actions.md, exactly as printed there.
#[test]
fn the_receivers_of_the_documentation_work() {
    let page = include_str!("../../../docs/actions.md");
    let code = |kind: &str| {
        page.split(&format!("```{kind}\n")).nth(1).and_then(|rest| rest.split("```").next()).expect("a block")
    };
    for (kind, file, program) in [("python", "receiver.py", "python3"), ("js", "receiver.mjs", "node")] {
        if found(peers::run(peers::program(program).arg("--version"))).is_none() {
            continue;
        }
        let folder = Folder::new();
        let file = folder.write(file, code(kind));
        let port = TcpListener::bind("127.0.0.1:0")
            .and_then(|listener| listener.local_addr())
            .expect("a free port")
            .port();
        let _receiver = Running::start(peers::program(program).args([&file, &port.to_string()]));
        eventually("the receiver", || std::net::TcpStream::connect(("127.0.0.1", port)).ok());
        let law = example("pay.yaml");
        let server = folder.serve(&["--law", &law, "--sink", &format!("http://127.0.0.1:{port}/actions")]);
        let opened =
            server.client.post("/api/instances", &json!({"flow": "Payment", "opening": {"amount": 17}}));
        let id = text(&opened.json(), "/id").to_owned();
        let view = eventually("the payment", || {
            Some(server.client.view(&id)).filter(|view| view.get("outcome").is_some())
        });
        assert_eq!(
            (text(&view, "/outcome"), number(&view, "/data/last/amount")),
            ("paid", 17),
            "{program}: {view}"
        );
    }
}

/// A process that ends with the test.
struct Running(Child);

impl Running {
    fn start(command: &mut Command) -> Running {
        Running(command.stdout(Stdio::null()).stderr(Stdio::null()).spawn().expect("it was found before"))
    }
}

impl Drop for Running {
    fn drop(&mut self) {
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}
