//! Tests of every operation of the server: its answers, its refusals, and that a refusal changes nothing.

use crate::common::{Client, Folder, Request, events, example, names, number, text};
use serde_json::{Value, json};

#[test]
fn a_flow_can_be_run_over_http() {
    let folder = Folder::new();
    let server = folder.serve(&["--law", &example("turnstile.yaml")]);
    let client = &server.client;
    let flows = client.get("/api/flows").json();
    let row = flows["flows"].as_array().into_iter().flatten().find(|row| text(row, "/name") == "Turnstile");
    assert_eq!(names(&row.expect("the law is served")["events"]).len(), 4, "{flows}");

    let opened = client.post("/api/instances", &json!({"flow": "Turnstile", "learner": "ada", "id": "gate"}));
    assert_eq!((opened.status, text(&opened.json(), "/state")), (201, "LOCKED"), "{opened:?}");
    let again = client.post("/api/instances", &json!({"flow": "Turnstile", "learner": "ada", "id": "gate"}));
    assert_eq!((again.status, again.json()["repeated"].as_bool()), (200, Some(true)), "{again:?}");

    let sent = client.event("gate", "coin").json();
    assert_eq!((text(&sent, "/state"), number(&sent, "/version")), ("OPEN", 2), "{sent}");
    assert_eq!(
        (names(&sent["actions"]), names(&sent["allowed"])),
        (vec!["let_through"], vec!["push", "close"])
    );
    assert_eq!(client.event("gate", "push").status, 200);
    let body = json!({"event": "push", "expect_version": 3, "payload": {"hard": true}});
    assert_eq!(number(&client.post(&events("gate"), &body).json(), "/counters/pushes"), 1);
    assert_eq!(number(&client.view("gate"), "/version"), 4);

    let log = client.get("/api/instances/gate/log?after=2").json();
    assert_eq!(log["entries"].as_array().map(Vec::len), Some(2), "{log}");
    assert_eq!(
        (text(&log, "/entries/1/source"), &log["entries"][1]["payload"]),
        ("user", &json!({"hard": true}))
    );
    let key = client.get("/api/kv/flow:gate").json();
    assert_eq!((text(&key, "/key"), number(&key, "/version")), ("flow:gate", 4), "{key}");
    assert_eq!(client.get("/api/dead").json(), json!({"effects": []}));
}

#[test]
fn a_list_has_filters_and_pages() {
    let folder = Folder::new();
    let server = folder.serve(&["--law", &example("turnstile.yaml")]);
    let client = &server.client;
    for (id, learner) in [("a", "ada"), ("b", "ben"), ("c", "ada"), ("d", "ada")] {
        client.post("/api/instances", &json!({"flow": "Turnstile", "learner": learner, "id": id}));
    }
    client.event("c", "close");
    let check = |query: &str, expected: &[&str]| {
        let list = client.get(&format!("/api/instances{query}")).json();
        let ids: Vec<&str> =
            list["instances"].as_array().into_iter().flatten().map(|row| text(row, "/id")).collect();
        assert_eq!(ids, expected, "{query}: {list}");
        text(&list, "/next").to_owned()
    };
    check("", &["d", "c", "b", "a"]);
    check("?learner=ada", &["d", "c", "a"]);
    check("?learner=ada&open=true", &["d", "a"]);
    check("?state=CLOSED&flow=Turnstile", &["c"]);
    check("?flow=Nothing", &[]);
    let next = check("?limit=3", &["d", "c", "b"]);
    check(&format!("?limit=3&cursor={next}"), &["a"]);
}

/// A request that must be refused, with the expected refusal.
struct Refusal {
    name: &'static str,
    request: fn(&Client) -> Request,
    status: u16,
    code: &'static str,
    allowed: &'static [&'static str],
}

const fn refusal(
    name: &'static str,
    request: fn(&Client) -> Request,
    status: u16,
    code: &'static str,
) -> Refusal {
    Refusal { name, request, status, code, allowed: &[] }
}

const VIEW: &str = "/api/instances/gate";
const SEND: &str = "/api/instances/gate/events";
/// More bytes than a body may have.
const MUCH: usize = 10 << 20;

fn send(client: &Client, body: &Value) -> Request {
    client.request("POST", SEND).json(body)
}

fn push(client: &Client) -> Request {
    send(client, &json!({"event": "push"}))
}

const REFUSALS: &[Refusal] = &[
    refusal("no token", |c| push(&Client::new(&c.address, None)), 401, "wrong_token"),
    refusal("wrong token", |c| push(c).header("Authorization", "Bearer 0000"), 401, "wrong_token"),
    refusal("empty token", |c| push(c).header("Authorization", "Bearer "), 401, "wrong_token"),
    refusal("other scheme", |c| push(c).header("Authorization", "Basic YTpi"), 401, "wrong_token"),
    refusal("other host", |c| push(c).header("Host", "etude.example"), 421, "wrong_host"),
    refusal("other port", |c| push(c).header("Host", "127.0.0.1:1"), 421, "wrong_host"),
    refusal("other origin", |c| push(c).header("Origin", "http://etude.example"), 403, "wrong_origin"),
    refusal("no origin to name", |c| push(c).header("Origin", "null"), 403, "wrong_origin"),
    refusal("unknown instance", |c| c.request("GET", "/api/instances/nobody"), 404, "unknown_instance"),
    refusal("log of nobody", |c| c.request("GET", "/api/instances/nobody/log"), 404, "unknown_instance"),
    refusal(
        "changes of nobody",
        |c| c.request("GET", "/api/instances/nobody/changes"),
        404,
        "unknown_instance",
    ),
    refusal("id that is no text", |c| c.request("GET", "/api/instances/%FF"), 400, "bad_path"),
    refusal("unknown key", |c| c.request("GET", "/api/kv/nothing"), 404, "unknown_key"),
    Refusal {
        name: "unknown event",
        request: |c| send(c, &json!({"event": "fly"})),
        status: 422,
        code: "unknown_event",
        allowed: &["push", "close"],
    },
    Refusal {
        name: "event not allowed now",
        request: |c| send(c, &json!({"event": "coin"})),
        status: 409,
        code: "event_not_allowed",
        allowed: &["push", "close"],
    },
    refusal("unknown fact", |c| send(c, &json!({"event": "push", "facts": ["rain"]})), 422, "unknown_fact"),
    refusal(
        "old version",
        |c| send(c, &json!({"event": "push", "expect_version": 1})),
        409,
        "version_conflict",
    ),
    refusal(
        "version to come",
        |c| send(c, &json!({"event": "push", "expect_version": 9})),
        409,
        "version_conflict",
    ),
    refusal("old version in a header", |c| push(c).header("If-Match", "1"), 409, "version_conflict"),
    refusal("a header that is no version", |c| push(c).header("If-Match", "*"), 422, "bad_version"),
    refusal("half of a JSON", |c| push(c).body("{\"event\": "), 400, "bad_json"),
    refusal("no body", |c| push(c).body(""), 400, "bad_json"),
    refusal("other shape", |c| send(c, &json!(["push"])), 400, "bad_json"),
    refusal("unknown field", |c| send(c, &json!({"event": "push", "evnet": 1})), 400, "bad_json"),
    refusal("wrong type", |c| send(c, &json!({"event": "push", "expect_version": -1})), 400, "bad_json"),
    refusal("other kind of body", |c| push(c).header("Content-Type", "text/plain"), 415, "not_json"),
    refusal("nearly JSON", |c| push(c).header("Content-Type", "application/jsonp"), 415, "not_json"),
    refusal("10 MB", |c| push(c).body(" ".repeat(MUCH)), 413, "body_too_large"),
    refusal(
        "10 MB unannounced",
        |c| c.request("POST", SEND).chunked(&" ".repeat(MUCH)),
        413,
        "body_too_large",
    ),
    refusal("long key", |c| push(c).header("Idempotency-Key", &"k".repeat(300)), 422, "bad_key"),
    refusal("key that is not ASCII", |c| push(c).header("Idempotency-Key", "schlüssel"), 422, "bad_key"),
    refusal("unknown path", |c| c.request("GET", "/api/nothing"), 404, "no_such_path"),
    refusal("wrong method", |c| c.request("DELETE", VIEW), 405, "wrong_method"),
    refusal("unknown parameter", |c| c.request("GET", "/api/instances?colour=red"), 400, "bad_query"),
    refusal("bad cursor", |c| c.request("GET", "/api/instances?cursor=x"), 400, "bad_cursor"),
    refusal("code given twice", |c| c.request("GET", "/open?code=a&code=b"), 400, "bad_query"),
    refusal("unknown flow", |c| open(c, &json!({"flow": "Nothing"})), 422, "unknown_flow"),
    refusal("id with a slash", |c| open(c, &json!({"flow": "Turnstile", "id": "a/b"})), 422, "bad_key"),
    refusal(
        "unknown constant",
        |c| open(c, &json!({"flow": "Turnstile", "set": {"x": 1}})),
        422,
        "law_not_proved",
    ),
];

fn open(client: &Client, body: &Value) -> Request {
    client.request("POST", "/api/instances").json(body)
}

#[test]
fn a_refusal_is_a_problem_with_a_cure_and_changes_nothing() {
    let folder = Folder::new();
    let server = folder.serve(&["--law", &example("turnstile.yaml")]);
    let client = &server.client;
    client.send(&open(client, &json!({"flow": "Turnstile", "id": "gate"})));
    client.event("gate", "coin");
    let before = (client.view("gate"), client.get("/api/instances").json());
    for refusal in REFUSALS {
        let reply = client.send(&(refusal.request)(client));
        let name = refusal.name;
        assert_eq!(reply.status, refusal.status, "{name}: {reply:?}");
        assert_eq!(reply.header("content-type"), "application/problem+json", "{name}: {reply:?}");
        let problem = reply.json();
        assert_eq!(
            (text(&problem, "/code"), number(&problem, "/status")),
            (refusal.code, refusal.status.into()),
            "{name}"
        );
        assert!(
            !text(&problem, "/title").is_empty() && !text(&problem, "/cure").is_empty(),
            "{name}: {problem}"
        );
        if !refusal.allowed.is_empty() {
            assert_eq!(names(&problem["allowed"]), refusal.allowed, "{name}: {problem}");
        }
        assert_eq!((client.view("gate"), client.get("/api/instances").json()), before, "{name}");
    }
}

#[test]
fn unreadable_parameters_are_explained() {
    let folder = Folder::new();
    let server = folder.serve(&[]);
    for (query, told) in [
        ("cursor=zzz", "\"zzz\" is not a cursor. Give what a list returned as `next`"),
        ("colour=red", "the parameters after `?` cannot be read: colour: unknown field `colour`"),
        ("limit=some", "the parameters after `?` cannot be read: limit: "),
    ] {
        let problem = server.client.get(&format!("/api/instances?{query}")).json();
        assert!(text(&problem, "/title").starts_with(told), "{query}: {problem}");
    }
}

#[test]
fn a_flow_that_has_ended_takes_nothing() {
    let folder = Folder::new();
    let server = folder.serve(&["--law", &example("turnstile.yaml")]);
    let id = server.client.open("Turnstile");
    server.client.event(&id, "close");
    let before = server.client.view(&id);
    assert_eq!((text(&before, "/outcome"), names(&before["allowed"]).len()), ("user", 0));
    let reply = server.client.event(&id, "push");
    assert_eq!((reply.status, text(&reply.json(), "/code")), (409, "flow_is_over"), "{reply:?}");
    assert_eq!(server.client.view(&id), before);
}

#[test]
fn own_pages_and_names_are_let_in() {
    let folder = Folder::new();
    let server = folder.serve(&["--host", "coach.example"]);
    let client = &server.client;
    let port = client.address.rsplit(':').next().unwrap_or_default();
    let local = ["127.0.0.1", "localhost", "LOCALHOST", "coach.example"].map(|name| format!("{name}:{port}"));
    for host in local.iter().map(String::as_str).chain(["coach.example"]) {
        let request = client.request("GET", "/api/flows").header("Host", host);
        assert_eq!(client.send(&request.header("Origin", &format!("http://{host}"))).status, 200, "{host}");
    }
    let stranger = Client::new(&client.address, None);
    for path in ["/healthz", "/openapi.json"] {
        assert_eq!(stranger.get(path).status, 200, "{path}");
    }
    for path in ["/metrics", "/api/flows", "/api/nothing", "/mcp", "/nothing"] {
        assert_eq!(stranger.get(path).status, 401, "{path}");
    }
}

#[test]
fn names_without_characters_are_refused() {
    let folder = Folder::new();
    let server = folder.serve(&["--law", &example("turnstile.yaml")]);
    let client = &server.client;
    let rows = [
        ("/api/instances/a%00b", "bad_path"),
        ("/api/instances/a%00b/log", "bad_path"),
        ("/api/kv/flow:%00", "bad_path"),
        ("/api/courses/%00", "bad_path"),
        ("/api/instances?learner=%00", "bad_query"),
        ("/api/instances?flow=a%0Ab", "bad_query"),
    ];
    for (path, code) in rows {
        let reply = client.get(path);
        assert_eq!((reply.status, text(&reply.json(), "/code")), (400, code), "{path}");
    }
    let nameless = client.post("/api/instances", &json!({"flow": "Turnstile", "learner": "ada", "id": ""}));
    assert_eq!((nameless.status, text(&nameless.json(), "/code")), (422, "bad_key"), "{nameless:?}");
}

#[test]
fn a_page_of_a_log_is_bounded_in_bytes() {
    let folder = Folder::new();
    let server = folder.serve(&["--law", &example("turnstile.yaml")]);
    let client = &server.client;
    let id = client.open("Turnstile");
    let large = "x".repeat(900_000);
    for event in ["coin", "push"].repeat(12) {
        let body = json!({"event": event, "payload": {"large": large}});
        assert_eq!(client.post(&events(&id), &body).status, 200);
    }
    let (mut versions, mut pages) = (Vec::new(), 0);
    loop {
        let after = versions.last().copied().unwrap_or(0);
        let reply = client.get(&format!("/api/instances/{id}/log?after={after}"));
        assert!(reply.body.len() < 20 << 20, "{} bytes", reply.body.len());
        let page = reply.json();
        let page = page["entries"].as_array().expect("a list").clone();
        if page.is_empty() {
            break;
        }
        versions.extend(page.iter().map(|entry| number(entry, "/version")));
        pages += 1;
    }
    assert_eq!(versions, (1..=25).collect::<Vec<u64>>());
    assert!(pages > 1, "it was one page");
}
