//! Tests of the model port against a server that is slow, cut off, malformed, refusing, busy or wrong.

mod bounds;
mod quoting;
pub(crate) mod server;
mod settings;
mod small_model;

use std::sync::{Arc, Mutex};

use outside::model::{
    Ask, CallRecord, ErrorKind, Message, Model, ModelConfig, ModelError, Outcome, Preset, Reply, Secret,
    Usage, Wire,
};
use serde_json::{Value, json};
use server::{Act, Scene, Server, completion, completion_with, json_reply, whole};

const KEY: &str = "sk-secret-0123456789";
const NOW: &str = "2026-11-01T12:00:00Z";
/// Long enough for a busy machine, short enough to tell why an ask ended.
const HASTY_MS: u64 = 1_500;
const PATIENT_MS: u64 = 300_000;

type Log = Arc<Mutex<Vec<CallRecord>>>;

struct Case {
    name: &'static str,
    timeout_ms: u64,
    scenes: Vec<Scene>,
    /// The answer's text, or the kind of error that ended the ask.
    expected: Result<&'static str, ErrorKind>,
    requests: usize,
}

fn case(
    name: &'static str,
    scenes: Vec<Scene>,
    expected: Result<&'static str, ErrorKind>,
    requests: usize,
) -> Case {
    Case { name, timeout_ms: PATIENT_MS, scenes, expected, requests }
}

/// Runs the cases side by side, because they wait more than they work.
async fn check_all(cases: impl IntoIterator<Item = Case>) {
    let running: Vec<_> = cases.into_iter().map(|case| tokio::spawn(check(case))).collect();
    for case in running {
        case.await.unwrap();
    }
}

async fn check(case: Case) {
    let name = case.name;
    let server = Server::start(case.scenes).await;
    let (model, log) = model_at(&format!("http://127.0.0.1:{}/v1", server.port), |config| {
        config.timeout_ms = case.timeout_ms;
    });
    let result = ask(&model).await;
    let outcome = result.as_ref().map(answer_text).map_err(|error| error.kind);
    assert_eq!(outcome.as_deref(), case.expected.as_ref().copied(), "{name}: {result:?}");
    assert_eq!(server.seen().len(), case.requests, "{name}: requests");
    check_log(name, &log, &result, case.requests);
    keeps_secrets(name, &model, &log, &result);
}

fn check_log(name: &str, log: &Log, result: &Result<Reply, ModelError>, requests: usize) {
    let log = log.lock().unwrap();
    let [record] = log.as_slice() else { panic!("{name}: {} records", log.len()) };
    let outcome = result.as_ref().map_or_else(|error| Outcome::Failed(error.kind), |_| Outcome::Answered);
    assert_eq!((record.outcome, record.attempts as usize), (outcome, requests), "{name}");
    assert_eq!((record.flow.as_str(), record.ask.as_str()), ("flow-1", "greet"), "{name}");
    assert!(record.took_ms < PATIENT_MS, "{name}: something ends it before the patience does");
}

fn keeps_secrets(name: &str, model: &Model, log: &Log, result: &Result<Reply, ModelError>) {
    let said = result.as_ref().map_or_else(ToString::to_string, |_| String::new());
    let log = log.lock().unwrap();
    let stored = serde_json::to_string(&(&*log, model.config())).unwrap();
    let all = format!("{said} {result:?} {model:?} {log:?} {stored}");
    assert!(!all.contains(KEY), "{name}: the key is in {all}");
    assert!(!stored.contains("Say hello"), "{name}: the prompt is in {stored}");
}

fn model_at(base_url: &str, adjust: impl FnOnce(&mut ModelConfig)) -> (Model, Log) {
    let mut config = ModelConfig {
        base_url: base_url.to_owned(),
        model: "tiny".to_owned(),
        api_key: Some(Secret::new(KEY)),
        timeout_ms: PATIENT_MS,
        idle_timeout_ms: HASTY_MS,
        concurrent_calls: 64,
        ..ModelConfig::preset(Preset::OpenaiCompatible)
    };
    adjust(&mut config);
    let log = Log::default();
    let sink = log.clone();
    let model = Model::new(config, move |record| sink.lock().unwrap().push(record.clone()));
    (model.unwrap(), log)
}

async fn ask(model: &Model) -> Result<Reply, ModelError> {
    model.ask(greeting()).await
}

fn greeting() -> Ask {
    Ask {
        flow: "flow-1".to_owned(),
        name: "greet".to_owned(),
        system: "You are kind.".to_owned(),
        messages: vec![Message::user("Say hello.")],
        schema: verdict_schema(),
        max_output_tokens: Some(50),
        timeout_ms: None,
        now: NOW.parse().unwrap(),
    }
}

fn verdict_schema() -> Value {
    json!({
        "type": "object",
        "properties": {"status": {"enum": ["PASS", "NEEDS_WORK"]}},
        "required": ["status"],
        "additionalProperties": false
    })
}

fn answer_text(reply: &Reply) -> String {
    reply.answer.to_string()
}

const PASS: &str = r#"{"status":"PASS"}"#;

#[tokio::test(flavor = "multi_thread")]
async fn good_replies() {
    let halves = |scene: Scene| {
        let [Act::Send(bytes)] = scene.as_slice() else { panic!("{scene:?}") };
        let (left, right) = bytes.split_at(bytes.len() / 2);
        vec![Act::Send(left.into()), Act::PauseMs(30), Act::Send(right.into())]
    };
    check_all([
        case("verdict", vec![completion(PASS)], Ok(PASS), 1),
        case("verdict in a fence", vec![completion(&format!("Sure:\n```json\n{PASS}\n```"))], Ok(PASS), 1),
        case("verdict in two halves", vec![halves(completion(PASS))], Ok(PASS), 1),
    ])
    .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn silence_and_cuts() {
    let half = || vec![Act::Send(b"HTTP/1.1 200 X\r\ncontent-length: 500\r\n\r\n{\"choices\":".into())];
    check_all([
        Case {
            timeout_ms: HASTY_MS,
            ..case("no headers", vec![vec![Act::Hang]], Err(ErrorKind::TimedOut), 1)
        },
        case(
            "a body that stands still",
            vec![half().into_iter().chain([Act::Hang]).collect()],
            Err(ErrorKind::TimedOut),
            1,
        ),
        case("closed without a word, then good", vec![vec![], completion(PASS)], Ok(PASS), 2),
        case("closed without a word, always", vec![vec![]], Err(ErrorKind::Unreachable), 2),
        case("cut within the body, then good", vec![half(), completion(PASS)], Ok(PASS), 2),
        case("cut within the body, always", vec![half()], Err(ErrorKind::Unreachable), 2),
        case(
            "not HTTP at all",
            vec![vec![Act::Send(b"SSH-2.0-nope\r\n".into())]],
            Err(ErrorKind::Unreachable),
            2,
        ),
    ])
    .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn unusable_replies() {
    let wrong = || completion(r#"{"status":"perfect"}"#);
    let twice = || completion(&format!("{PASS}\n{PASS}"));
    let bad = Err(ErrorKind::BadReply);
    let gzip = whole(200, "content-encoding: gzip\r\n", [0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 0, 3, 0x4b, 4, 0]);
    check_all([
        case("malformed, then good", vec![whole(200, "", "{\"choices\": [}"), completion(PASS)], Ok(PASS), 2),
        case("malformed, always", vec![whole(200, "", "<html>")], bad, 2),
        case("wrong schema, then right", vec![wrong(), completion(PASS)], Ok(PASS), 2),
        case("wrong schema, always", vec![wrong()], bad, 2),
        case("prose, then right", vec![completion("I would pass."), completion(PASS)], Ok(PASS), 2),
        case("two verdicts, always", vec![twice()], bad, 2),
        case("no words for a verdict, always", vec![completion("")], bad, 2),
        case(
            "cut at the output limit, then shorter",
            vec![completion_with(json!({"content": "{\"status\":"}), "length"), completion(PASS)],
            Ok(PASS),
            2,
        ),
        case("blank text, always", vec![completion(" ")], bad, 2),
        case("no choices", vec![json_reply(200, json!({"choices": []}))], bad, 2),
        case("not UTF-8", vec![whole(200, "", b"{\"choices\":[\"\xff\xfe\"]}")], bad, 2),
        case("compressed without being asked", vec![gzip], bad, 2),
        case("a body without end", vec![flood(b" ", 2 << 20)], bad, 1),
    ])
    .await;
}

fn flood(unit: &[u8], total_bytes: usize) -> Scene {
    let block = unit.repeat(65_536 / unit.len());
    vec![Act::Send(b"HTTP/1.1 200 X\r\n\r\n".into()), Act::Flood(block.clone(), total_bytes / block.len())]
}

#[tokio::test(flavor = "multi_thread")]
async fn refusing_servers() {
    let busy = |headers: &str| whole(429, headers, "{}");
    let error = |status, code: &str| {
        let long = "x".repeat(300);
        json_reply(status, json!({"error": {"message": format!("{long} {KEY}"), "code": code}}))
    };
    let echo = json_reply(401, json!({"error": {"message": format!("Incorrect API key provided: {KEY}")}}));
    check_all([
        case(
            "a refusal",
            vec![completion_with(json!({"refusal": "No."}), "stop")],
            Err(ErrorKind::Refused),
            1,
        ),
        case("a filter", vec![completion_with(json!({}), "content_filter")], Err(ErrorKind::Refused), 1),
        case("a filter's status", vec![error(400, "content_filter")], Err(ErrorKind::Refused), 1),
        case("a wrong key that is repeated", vec![echo], Err(ErrorKind::Unauthorized), 1),
        case("a forbidden model", vec![error(403, "forbidden")], Err(ErrorKind::Unauthorized), 1),
        case("an unknown model", vec![error(404, "model_not_found")], Err(ErrorKind::Misconfigured), 1),
        case("an unknown parameter", vec![error(400, "unknown")], Err(ErrorKind::Misconfigured), 1),
        case("no credit", vec![error(429, "insufficient_quota")], Err(ErrorKind::Misconfigured), 1),
        case(
            "too long for one message",
            vec![error(400, "context_length_exceeded")],
            Err(ErrorKind::TooLong),
            1,
        ),
        case("busy for a second", vec![busy("retry-after: 1\r\n"), completion(PASS)], Ok(PASS), 2),
        case("busy for an hour", vec![busy("retry-after: 3600\r\n")], Err(ErrorKind::RateLimited), 1),
        case("busy for a while", vec![busy(""), completion(PASS)], Ok(PASS), 2),
        case("busy for less than nothing", vec![busy("retry-after: -5\r\n"), completion(PASS)], Ok(PASS), 2),
        case("busy until further notice", vec![busy("retry-after: 0\r\n")], Err(ErrorKind::RateLimited), 3),
        case(
            "busy until a date",
            vec![busy("retry-after: Sun, 01 Nov 2026 12:00:02 GMT\r\n"), completion(PASS)],
            Ok(PASS),
            2,
        ),
        case(
            "busy until a far date",
            vec![busy("retry-after: Sun, 01 Nov 2026 13:00:00 GMT\r\n")],
            Err(ErrorKind::RateLimited),
            1,
        ),
        case("failing, then good", vec![whole(500, "", ""), completion(PASS)], Ok(PASS), 2),
        case("failing, always", vec![whole(503, "", "loading")], Err(ErrorKind::Unreachable), 3),
        case("failing with status 200", vec![error(200, "busy"), completion(PASS)], Ok(PASS), 2),
    ])
    .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn pauses_follow_the_servers_wish() {
    let rows = [
        ("retry-after: 1\r\n", 1_000),
        // The ask's clock has moved on a little by the time the date is read.
        ("retry-after: Sun, 01 Nov 2026 12:00:02 GMT\r\n", 1_000),
        ("retry-after: -5\r\n", 250),
        ("", 250),
    ];
    for (header, at_least_ms) in rows {
        let server = Server::start(vec![whole(429, header, ""), completion(PASS)]).await;
        let (model, _) = model_at(&format!("http://127.0.0.1:{}/v1", server.port), |_| {});
        let reply = ask(&model).await.unwrap();
        assert!(reply.record.took_ms >= at_least_ms, "{header:?}: {} ms", reply.record.took_ms);
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_redirect_does_not_carry_the_key_away() {
    let thief = Server::start(vec![completion(PASS)]).await;
    for status in [301, 302, 303, 307, 308] {
        let location = format!("location: http://127.0.0.1:{}/v1/chat/completions\r\n", thief.port);
        check(case("redirect", vec![whole(status, &location, "")], Err(ErrorKind::Misconfigured), 1)).await;
    }
    assert_eq!(thief.seen().len(), 0);
}

#[tokio::test(flavor = "multi_thread")]
async fn no_server_and_no_tls() {
    let server = Server::start(vec![completion(PASS)]).await;
    let closed = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap().local_addr().unwrap().port();
    let addresses = [
        format!("http://127.0.0.1:{closed}/v1"),
        format!("https://127.0.0.1:{}/v1", server.port),
        "http://no-such-host.invalid/v1".to_owned(),
    ];
    for address in addresses {
        let (model, log) = model_at(&address, |_| {});
        let result = ask(&model).await;
        assert_eq!(result.as_ref().unwrap_err().kind, ErrorKind::Unreachable, "{address}: {result:?}");
        assert_eq!(model.spent_by("flow-1").calls, 0, "{address}: nothing was sent, nothing is paid");
        keeps_secrets(&address, &model, &log, &result);
    }
    assert_eq!(server.seen().len(), 0, "nothing was sent in the clear");
}

#[tokio::test(flavor = "multi_thread")]
async fn each_wire_sends_its_key_and_reads_its_reply() {
    let anthropic = json!({"content": [{"type": "tool_use", "input": {"status": "PASS"}}],
        "stop_reason": "tool_use", "usage": {"input_tokens": 30, "output_tokens": 10}});
    let ollama = json!({"message": {"content": PASS}, "done": true, "done_reason": "stop",
        "prompt_eval_count": 30, "eval_count": 10});
    let rows = [
        (
            Wire::Openai,
            completion(PASS),
            "post /v1/chat/completions ",
            format!("authorization: bearer {KEY}"),
        ),
        (Wire::Anthropic, json_reply(200, anthropic), "post /v1/messages ", format!("x-api-key: {KEY}")),
        (Wire::Ollama, json_reply(200, ollama), "post /v1/api/chat ", format!("authorization: bearer {KEY}")),
    ];
    for (wire, scene, path, key) in rows {
        let server = Server::start(vec![scene]).await;
        // A slash at the end of the address is not doubled.
        let (model, _) =
            model_at(&format!("http://127.0.0.1:{}/v1/", server.port), |config| config.wire = wire);
        let reply = ask(&model).await.unwrap();
        assert_eq!(answer_text(&reply), PASS, "{wire:?}");
        assert_eq!(reply.record.usage, Usage { input_tokens: 30, output_tokens: 10 }, "{wire:?}");
        let seen = server.seen().remove(0);
        assert!(seen.head.starts_with(path), "{wire:?}: {}", seen.head);
        assert!(seen.head.contains(&key), "{wire:?}: {}", seen.head);
    }
}

/// A reply in pieces, followed by `end`.
fn streamed(pieces: &[&str], end: &str) -> Scene {
    let head = "HTTP/1.1 200 X\r\ncontent-type: text/event-stream\r\nconnection: close\r\n\r\n";
    let mut scene = vec![Act::Send(head.into())];
    for piece in pieces {
        let event = json!({"choices": [{"delta": {"content": piece}}]});
        scene.extend([Act::Send(format!("data: {event}\n\n").into()), Act::PauseMs(30)]);
    }
    scene.push(Act::Send(end.into()));
    scene
}

#[tokio::test(flavor = "multi_thread")]
async fn a_reply_streams_while_it_is_written() {
    let pieces = ["{\"status\":", "\"PA", "SS\"}"];
    let written = ["", "{\"status\":", "{\"status\":\"PA", PASS];
    let refusal = || json_reply(400, json!({"error": {"message": "stream is not supported"}}));
    let rows: [(&str, Vec<Scene>, Vec<&str>); 4] = [
        ("in pieces", vec![streamed(&pieces, "data: [DONE]\n\n")], written.to_vec()),
        (
            "cut, then whole",
            vec![streamed(&pieces[..2], ""), streamed(&pieces, "data: [DONE]")],
            [&written[..3], &written].concat(),
        ),
        ("a server that sends the whole", vec![completion(PASS)], vec![]),
        ("a server that refuses", vec![refusal(), completion(PASS)], vec![]),
    ];
    for (name, scenes, expected) in rows {
        let requests = scenes.len();
        let server = Server::start(scenes).await;
        let (model, _) = model_at(&format!("http://127.0.0.1:{}/v1", server.port), |_| {});
        let heard = std::sync::Mutex::new(Vec::new());
        let hear = |text: &str| heard.lock().unwrap().push(text.to_owned());
        let reply = model.ask_and_hear(greeting(), Some(&hear)).await;
        assert_eq!(reply.as_ref().map(answer_text).as_deref(), Ok(PASS), "{name}: {reply:?}");
        assert_eq!(*heard.lock().unwrap(), expected, "{name}");
        let asked: Vec<bool> =
            server.seen().iter().map(|seen| seen.body.contains("\"stream\":true")).collect();
        assert_eq!((asked.len(), asked[0]), (requests, true), "{name}");
        assert!(
            name != "a server that refuses" || !asked[1],
            "{name}: the second time it is asked for the whole"
        );
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_repair_tells_the_model_what_was_wrong() {
    let server = Server::start(vec![completion(r#"{"status":"perfect"}"#), completion(PASS)]).await;
    let (model, _) = model_at(&format!("http://127.0.0.1:{}/v1", server.port), |_| {});
    let reply = ask(&model).await.unwrap();
    assert_eq!(
        reply.record.usage,
        Usage { input_tokens: 60, output_tokens: 20 },
        "both attempts are counted"
    );
    let second: Value = serde_json::from_str(&server.seen()[1].body).unwrap();
    assert_eq!(second["messages"][2]["content"], r#"{"status":"perfect"}"#);
    let told = second["messages"][3]["content"].as_str().unwrap();
    assert!(told.contains("/status") && told.contains("perfect"), "{told}");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_too_long_prompt_loses_its_older_half_once() {
    let too_long = || json_reply(400, json!({"error": {"code": "context_length_exceeded"}}));
    let server = Server::start(vec![too_long(), completion(PASS)]).await;
    let (model, _) = model_at(&format!("http://127.0.0.1:{}/v1", server.port), |_| {});
    let messages = ["u1", "a1", "u2", "a2", "u3"];
    let messages = messages
        .map(|text| if text.starts_with('u') { Message::user(text) } else { Message::assistant(text) });
    let ask = Ask { messages: messages.to_vec(), ..greeting() };
    model.ask(ask).await.unwrap();
    let second: Value = serde_json::from_str(&server.seen()[1].body).unwrap();
    let kept: Vec<&str> =
        second["messages"].as_array().unwrap().iter().map(|m| m["content"].as_str().unwrap()).collect();
    assert_eq!(kept, ["You are kind.", "u2", "a2", "u3"]);
}
