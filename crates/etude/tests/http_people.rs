//! Tests of several people on one server: a token gives access to its learner's data and, on every path, to no one
//! else's.

use crate::common::stored::stored;
use crate::common::{Client, Folder, Outcome, Reply, Server, events, eventually, example, text};
use serde_json::{Value, json};
use store::At;

/// A server with Ada, who has a course, a drill and a flow of a law, and Bob, who tries to reach them.
struct House {
    folder: Folder,
    server: Server,
    ada: Client,
    bob: Client,
    course: String,
    review: String,
    flow: String,
}

impl House {
    fn new() -> House {
        let folder = Folder::new();
        let server = folder.serve(&["--law", &example("turnstile.yaml")]);
        let [ada, bob] =
            ["ada", "bob"].map(|name| with_token(&server, &token(&folder, &["--learner", name])));
        let course = text(&posted(&ada, "/api/courses", json!({"topic": "sql"}), 201), "/id").to_owned();
        let review = format!("{course}.review-1");
        let opened = json!({"flow": "Turnstile", "id": "adas-flow"});
        let flow = text(&posted(&ada, "/api/instances", opened, 201), "/id").to_owned();
        posted(&ada, "/api/learners/ada", json!({"email": "ada@example.org"}), 200);
        House { folder, server, ada, bob, course, review, flow }
    }
}

fn token(folder: &Folder, arguments: &[&str]) -> String {
    let made = folder.run(&[&["token", "new"], arguments].concat());
    assert_eq!(made.code, Some(0), "{made:?}");
    made.stdout.trim().to_owned()
}

fn with_token(server: &Server, token: &str) -> Client {
    Client::new(&server.client.address, Some(token))
}

fn posted(client: &Client, path: &str, body: Value, expected: u16) -> Value {
    let reply = client.post(path, &body);
    assert_eq!(reply.status, expected, "{path}: {reply:?}");
    reply.json()
}

/// Checks that a refusal tells no more than a complete stranger may know.
fn check_unknown(reply: &Reply, way: &str) {
    assert!([404, 422].contains(&reply.status), "{way}: {reply:?}");
    let code = text(&reply.json(), "/code").to_owned();
    let known = ["unknown_instance", "unknown_learner", "unknown_key"];
    assert!(known.contains(&code.as_str()), "{way}: {reply:?}");
    assert!(!reply.body.contains("example.org") && !reply.body.contains("sql"), "{way}: {reply:?}");
}

#[test]
fn another_learners_data_cannot_be_read() {
    let House { ada, bob, course, flow, .. } = &House::new();
    let ways = [
        format!("/api/instances/{flow}"),
        format!("/api/instances/{flow}/log"),
        format!("/api/instances/{flow}/changes"),
        format!("/api/kv/flow:{flow}"),
        format!("/api/courses/{course}"),
        format!("/api/courses/{course}/map?format=mermaid"),
        format!("/api/courses/{course}/map?format=json"),
        "/api/instances?learner=ada".to_owned(),
        "/api/home?learner=ada".to_owned(),
        "/api/progress?learner=ada".to_owned(),
        "/api/courses?learner=ada".to_owned(),
        "/api/learners/ada".to_owned(),
        "/api/learners/ada/export".to_owned(),
    ];
    for way in &ways {
        check_unknown(&bob.get(way), way);
        // The answer must equal the one about a learner who never existed.
        let nobody = way.replace("ada", "nobody").replace(course, "0190a0a0-0000-7000-8000-000000000000");
        let (there, not_there) = (bob.get(way), bob.get(&nobody));
        assert_eq!(
            (there.status, text(&there.json(), "/code")),
            (not_there.status, text(&not_there.json(), "/code"))
        );
        if !way.contains("/changes") {
            assert_eq!(ada.get(way).status, 200, "{way} is there for Ada");
        }
    }
}

#[test]
fn another_learners_data_cannot_be_changed() {
    let House { server, ada, bob, course, review, flow, .. } = &House::new();
    let before = server.client.get("/api/learners/ada/export").json();
    let ways = [
        (events(flow), json!({"event": "coin"})),
        (events(course), json!({"event": "abandon"})),
        (format!("/api/instances/{course}/verbs/abandon"), json!({})),
        (format!("/api/courses/{course}/answer"), json!({"text": "b"})),
        (format!("/api/courses/{course}/review"), json!({})),
        (format!("/api/courses/{review}/answer"), json!({"text": "b"})),
        ("/api/flows/review/open".to_owned(), json!({"beside": course})),
        ("/api/flows/teach/open".to_owned(), json!({"learner": "ada", "given": {"topic": "sql"}})),
        ("/api/courses".to_owned(), json!({"topic": "rust", "learner": "ada"})),
        ("/api/drills".to_owned(), json!({"pack": "german-first-words", "learner": "ada"})),
        ("/api/instances".to_owned(), json!({"flow": "Turnstile", "learner": "ada"})),
        ("/api/instances".to_owned(), json!({"flow": "Turnstile", "id": format!("{course}.x")})),
        ("/api/learners/ada".to_owned(), json!({"name": "Bob"})),
        ("/api/learners/ada/delete".to_owned(), json!({"learner": "ada"})),
        ("/api/learners/ada/test-message".to_owned(), json!({"channel": "email"})),
    ];
    for (way, body) in &ways {
        let reply = bob.post(way, body);
        if reply.status == 422 && text(&reply.json(), "/code") == "unknown_flow" {
            panic!("{way} names a flow that is not there: {reply:?}");
        }
        check_unknown(&reply, way);
    }
    // A taken id is taken for everybody, but the refusal does not say whose it is.
    let taken = bob.post("/api/instances", &json!({"flow": "Turnstile", "id": flow}));
    assert_eq!((taken.status, text(&taken.json(), "/code")), (422, "id_taken"), "{taken:?}");
    assert!(!taken.body.contains("ada\""), "{taken:?}");
    let after = server.client.get("/api/learners/ada/export").json();
    for part in ["flows", "records", "messages"] {
        assert_eq!(before[part], after[part], "{part}");
    }
    assert_eq!(ada.event(flow, "coin").status, 200, "Ada can");
}

#[test]
fn lists_and_streams_show_only_ones_own_flows() {
    let House { server, ada, bob, course, flow, .. } = &House::new();
    let own = text(&posted(bob, "/api/instances", json!({"flow": "Turnstile"}), 201), "/id").to_owned();
    let listed = bob.get("/api/instances").json();
    let ids: Vec<&str> =
        listed["instances"].as_array().expect("a list").iter().map(|row| text(row, "/id")).collect();
    assert_eq!(ids, [own.as_str()]);
    assert!(!bob.get("/api/courses").body.contains(course.as_str()), "courses are one's own");
    assert!(ada.get("/api/courses").body.contains(course.as_str()));
    let home = bob.get("/api/home").json();
    assert_eq!((text(&home, "/learner"), home["waiting"].as_array().map(Vec::len)), ("bob", Some(0)));
    let mut told = bob.watch("/api/changes");
    for client in [ada, bob, ada, bob] {
        let id = if client.token == ada.token { flow } else { &own };
        assert_eq!(client.event(id, "coin").status, 200);
        assert_eq!(client.event(id, "push").status, 200);
    }
    for _ in 0..4 {
        assert_eq!(text(&told.next().expect("the stream is open"), "/id"), own);
    }
    assert_eq!(server.client.get("/api/instances").json()["instances"].as_array().map(Vec::len), Some(3));
    assert_eq!(server.client.get("/api/home?learner=ada").status, 200, "the owner sees all");
}

#[test]
fn assistants_see_one_learner_too() {
    let House { server, ada, bob, course, .. } = &House::new();
    let call = |client: &Client, tool: &str, arguments: Value| {
        let sent = json!({
            "jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": {"name": tool, "arguments": arguments},
        });
        mcp(client, &sent)
    };
    let ways = [
        ("teaching_flow_list", json!({"learner": "ada"})),
        ("teaching_flow_get", json!({"mind_map_id": course, "learner": "ada"})),
        ("teaching_context", json!({"mind_map_id": course})),
        ("mind_map_get", json!({"mind_map_id": course})),
        ("teach_answer", json!({"id": course, "text": "b"})),
        ("teach_answer", json!({"id": course, "text": "b", "learner": "ada"})),
        ("teaching_flow_abandon", json!({"mind_map_id": course})),
        ("profile_get", json!({"learner": "ada"})),
        ("profile_set", json!({"learner": "ada", "changes": {"name": "Bob"}})),
    ];
    for (tool, arguments) in &ways {
        let answer = call(bob, tool, arguments.clone());
        let code = text(&answer, "/result/structuredContent/error/code");
        assert!(["unknown_instance", "unknown_learner"].contains(&code), "{tool} {arguments}: {answer}");
    }
    for uri in ["maps", "analytics"].map(|kind| format!("etude://{kind}/{course}")) {
        let read = |client| {
            let sent = json!({"jsonrpc": "2.0", "id": 1, "method": "resources/read", "params": {"uri": uri}});
            mcp(client, &sent)
        };
        assert!(read(bob)["error"].is_object() && read(ada)["result"].is_object(), "{uri}");
    }
    let tools = |client| {
        let listed = mcp(client, &json!({"jsonrpc": "2.0", "id": 1, "method": "tools/list", "params": {}}));
        listed["result"]["tools"].as_array().expect("a list").iter().any(|tool| tool["name"] == "agent_turn")
    };
    assert!(!tools(bob) && tools(&server.client), "agents concern the owner");
    let of_course = |client| call(client, "teaching_flow_get", json!({"mind_map_id": course}));
    assert!(of_course(ada)["result"]["structuredContent"]["result"].is_object());
    assert!(of_course(bob)["result"]["structuredContent"]["result"].is_null());
}

fn mcp(client: &Client, message: &Value) -> Value {
    let request = client.request("POST", "/mcp").header("Content-Type", "application/json");
    let request = request.header("Accept", "application/json, text/event-stream");
    client.send(&request.body(message.to_string())).json()
}

#[test]
fn server_operations_are_for_the_owner() {
    let House { folder, server, ada, .. } = &House::new();
    let owner = with_token(server, &token(folder, &["--owner", "--name", "laptop"]));
    for path in ["/metrics", "/api/dead", "/api/agent/sessions"] {
        let refused = ada.get(path);
        assert_eq!((refused.status, text(&refused.json(), "/code")), (403, "owner_only"), "{path}");
        assert_eq!(owner.get(path).status, 200, "{path}");
    }
    for (path, body) in [
        ("/api/agent/switch", json!({"on": false})),
        ("/api/agent/turn", json!({"session": "s", "text": "Done."})),
        ("/api/model/test", json!({})),
    ] {
        assert_eq!(ada.post(path, &body).status, 403, "{path}");
    }
    let live = ada.get("/api/agent/live");
    assert_eq!(live.status, 403, "{live:?}");
    assert_eq!(owner.get("/api/home?learner=ada").status, 200);
}

/// Every operation of the contract says who may use it. An added one that does not say so is the owner's.
#[test]
fn every_operation_names_its_users() {
    let House { server, bob, .. } = &House::new();
    let contract = server.client.get("/openapi.json").json();
    let paths = contract["paths"].as_object().expect("paths");
    for (path, methods) in paths {
        for (method, about) in methods.as_object().expect("methods") {
            let place = path.replace("{id}", "adas-flow").replace("{verb}", "x").replace("{name}", "x");
            let place = place.replace("{flow}", "Turnstile").replace("{key}", "flow:adas-flow");
            let reply = match method.as_str() {
                "get" if about["responses"]["200"]["content"]["text/event-stream"].is_object() => continue,
                "get" => bob.get(&place),
                _ => bob.post(&place, &json!({})),
            };
            let is_owners = about["responses"]["403"].is_object() && reply.status == 403;
            let own = ["/api/flows", "/api/laws", "/api/home", "/api/progress", "/api/instances"];
            let is_own = own.iter().any(|own| place.starts_with(own)) || !path.contains('{');
            assert!(
                is_owners || is_own || [400, 404, 422].contains(&reply.status),
                "{method} {path}: {reply:?}"
            );
            assert!(!reply.body.contains("ada@example.org"), "{method} {path}: {reply:?}");
        }
    }
}

#[test]
fn a_token_is_listed_and_revoked() {
    let folder = Folder::new();
    let server = folder.serve(&["--law", &example("turnstile.yaml")]);
    let secret = token(&folder, &["--learner", "ada", "--name", "phone"]);
    let ada = with_token(&server, &secret);
    assert_eq!(ada.get("/api/home").status, 200);
    let id = ada.open("Turnstile");
    let listed = folder.run(&["token", "list", "--json"]).json();
    assert_eq!((text(&listed, "/0/name"), text(&listed, "/0/learner")), ("phone", "ada"));
    assert!(listed[0]["used_at"].is_string(), "{listed}");
    // Neither the list nor the database contains the token.
    assert!(!listed.to_string().contains(&secret));
    for file in ["etude.db", "etude.db-wal"] {
        let bytes = std::fs::read(folder.data().join(file)).expect("it is there");
        assert!(!bytes.windows(secret.len()).any(|part| part == secret.as_bytes()), "{file}");
    }
    let again = folder.run(&["token", "new", "--learner", "bob", "--name", "phone"]);
    assert_eq!(again.code, Some(2), "{again:?}");
    let second = folder.run(&["token", "new", "--learner", "ada", "--json"]).json();
    assert_eq!(text(&second, "/name"), "ada");

    let signed_in = Client::new(&server.client.address, None).post("/sign-in", &json!({"token": secret}));
    assert_eq!(signed_in.status, 204, "{signed_in:?}");
    let cookie = signed_in.header("set-cookie").split("; ").next().expect("a cookie").to_owned();
    let browser = Client::new(&server.client.address, None);
    let home = |cookie: &str| browser.send(&browser.request("GET", "/api/home").header("Cookie", cookie));
    assert_eq!(text(&home(&cookie).json(), "/learner"), "ada");

    let mut stream = ada.watch(&format!("/api/instances/{id}/changes"));
    stream.next().expect("where the flow stands");
    assert_eq!(folder.run(&["token", "revoke", "phone"]).code, Some(0));
    assert_eq!((ada.get("/api/home").status, home(&cookie).status), (401, 401));
    assert!(stream.next().is_none(), "an open stream ends with its token");
    let unknown = folder.run(&["token", "revoke", "phone"]);
    assert_eq!(unknown.code, Some(2), "{unknown:?}");

    check_refused(&folder.run(&["token", "new"]));
    check_refused(&folder.run(&["token", "new", "--learner", ""]));
    check_refused(&folder.run(&["token", "new", "--learner", "a/b"]));
    check_refused(&folder.run(&["token", "new", "--learner", "ada", "--owner"]));
    for time in ["", "0d", "-1d", "soon", "3"] {
        check_refused(&folder.run(&["token", "new", "--learner", "ada", "--for", time]));
    }
}

fn check_refused(outcome: &Outcome) {
    assert_eq!((outcome.code, outcome.stdout.as_str()), (Some(2), ""), "{outcome:?}");
}

/// Tests cannot wait for time to pass, so the token's expiry is moved into the past.
#[test]
fn a_token_expires() {
    let folder = Folder::new();
    let server = folder.serve(&[]);
    let ada = with_token(&server, &token(&folder, &["--learner", "ada", "--for", "1h"]));
    assert_eq!(ada.get("/api/home").status, 200);
    stored(folder.data(), async |store| {
        let [token] = &store.records("", "token", 2).await.expect("the tokens")[..] else {
            panic!("one token")
        };
        let mut over: Value = serde_json::from_str(&token.body).expect("it is JSON");
        over["ends_at_us"] = json!(1);
        let place = ("", "token", token.key.as_str());
        let moved = store.swap_record(place, Some(&token.body), (&over.to_string(), None), At(1)).await;
        assert!(moved.expect("it is written"), "no other program writes");
    });
    eventually("it is over", || (ada.get("/api/home").status == 401).then_some(()));
    assert_eq!(folder.run(&["token", "list", "--json"]).json()[0]["is_over"], true);
}

#[test]
fn a_deleted_learner_has_no_token() {
    let House { server, ada, bob, .. } = &House::new();
    posted(ada, "/api/learners/ada/delete", json!({"learner": "ada"}), 200);
    assert_eq!(ada.get("/api/home").status, 401);
    assert_eq!(bob.get("/api/home").status, 200);
    assert_eq!(server.client.get("/api/instances").json()["instances"].as_array().map(Vec::len), Some(0));
}
