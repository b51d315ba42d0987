//! The model port against a server that is slow, cut off, malformed, refusing, busy or wrong.

mod bounds;
pub mod server;

use std::sync::{Arc, Mutex};

use outside::model::{
    Answer, Ask, CallRecord, Ledger, Message, Model, ModelConfig, ModelError, OnText, Outcome, Preset, Reply,
    Secret, Usage, Wire,
};
use serde_json::{Value, json};
use server::{Act, Scene, Server, completion, completion_with, done, json_reply, piece, stop, stream, whole};
use tokio_util::sync::CancellationToken;

const KEY: &str = "sk-secret-0123456789";
const NOW: &str = "2026-11-01T12:00:00Z";
/// Long enough for a busy machine; short enough to see that something else ended an ask.
const HASTY_MS: u64 = 1_500;
const PATIENT_MS: u64 = 20_000;

type Log = Arc<Mutex<Vec<CallRecord>>>;

/// What is asked for.
#[derive(Clone, Copy, PartialEq)]
enum Want {
    Text,
    Stream,
    Verdict,
}

struct Case {
    name: &'static str,
    want: Want,
    timeout_ms: u64,
    scenes: Vec<Scene>,
    /// The answer as text, or how the ask ended.
    expected: Result<&'static str, Outcome>,
    requests: usize,
}

fn case(
    name: &'static str,
    want: Want,
    scenes: Vec<Scene>,
    expected: Result<&'static str, Outcome>,
    requests: usize,
) -> Case {
    Case { name, want, timeout_ms: PATIENT_MS, scenes, expected, requests }
}

/// Cases wait more than they work, so they run side by side.
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
    let result = ask(&model, case.want).await;
    let outcome = result.as_ref().map(answer_text).map_err(Outcome::from);
    assert_eq!(outcome.as_deref(), case.expected.as_ref().copied(), "{name}: {result:?}");
    assert_eq!(server.seen().len(), case.requests, "{name}: requests");
    check_log(name, &log, &result, case.requests);
    keeps_secrets(name, &model, &log, &result);
}

fn check_log(name: &str, log: &Log, result: &Result<Reply, ModelError>, requests: usize) {
    let log = log.lock().unwrap();
    let [record] = log.as_slice() else { panic!("{name}: {} records", log.len()) };
    let outcome = result.as_ref().map_or_else(Outcome::from, |_| Outcome::Answered);
    assert_eq!((record.outcome, record.attempts as usize), (outcome, requests), "{name}");
    assert_eq!((record.flow.as_str(), record.ask.as_str()), ("flow-1", "greet"), "{name}");
    assert!(record.took_ms < PATIENT_MS / 2, "{name}: took {} ms", record.took_ms);
}

fn keeps_secrets(name: &str, model: &Model, log: &Log, result: &Result<Reply, ModelError>) {
    let said = result.as_ref().map_or_else(ToString::to_string, |_| String::new());
    let log = log.lock().unwrap();
    let stored = serde_json::to_string(&(&*log, model.config(), model.ledger())).unwrap();
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
    let model =
        Model::new(config, Ledger::default(), move |record| sink.lock().unwrap().push(record.clone()));
    (model.unwrap(), log)
}

async fn ask(model: &Model, want: Want) -> Result<Reply, ModelError> {
    let mut pieces = String::new();
    let mut collect = |text: &str| pieces.push_str(text);
    let on_text: Option<OnText<'_>> = if want == Want::Stream { Some(&mut collect) } else { None };
    let result = model.ask(greeting(want), &CancellationToken::new(), on_text).await;
    if let (Want::Stream, Ok(reply)) = (want, &result) {
        assert_eq!(answer_text(reply), pieces, "what was told piece by piece is the answer");
    }
    result
}

fn greeting(want: Want) -> Ask {
    Ask {
        flow: "flow-1".to_owned(),
        name: "greet".to_owned(),
        system: "You are kind.".to_owned(),
        messages: vec![Message::user("Say hello.")],
        schema: (want == Want::Verdict).then(verdict_schema),
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
    match &reply.answer {
        Answer::Value(value) => value.to_string(),
        Answer::Text(text) => text.clone(),
    }
}

const PASS: &str = r#"{"status":"PASS"}"#;

#[tokio::test(flavor = "multi_thread")]
async fn good_replies_in_odd_shapes() {
    use Want::{Stream, Text, Verdict};
    let split = "data: {\"choices\":[{\"delta\":{\"content\":\"Gr\u{fc}\u{df}e\"}}]}\r\n\r\n".as_bytes();
    // The cut goes through the first letter that needs two bytes.
    let (left, right) = split.split_at(split.iter().position(|byte| *byte > 127).unwrap() + 1);
    let halves = [Act::Send(left.into()), Act::PauseMs(30), Act::Send(right.into())];
    check_all([
        case("text", Text, vec![completion("Hello!")], Ok("Hello!"), 1),
        case("verdict", Verdict, vec![completion(PASS)], Ok(PASS), 1),
        case(
            "verdict in a fence",
            Verdict,
            vec![completion(&format!("Sure:\n```json\n{PASS}\n```"))],
            Ok(PASS),
            1,
        ),
        case("stream", Stream, vec![stream([piece("Hel"), piece("lo"), stop(), done()])], Ok("Hello"), 1),
        case("stream without [DONE]", Stream, vec![stream([piece("Hi"), stop()])], Ok("Hi"), 1),
        case(
            "stream that stays open after [DONE]",
            Stream,
            vec![stream([piece("Hi"), stop(), done(), Act::Hang])],
            Ok("Hi"),
            1,
        ),
        case(
            "stream with comments, CRLF and a cut letter",
            Stream,
            vec![stream(
                [Act::Send(b": ping\r\n\r\n".into())].into_iter().chain(halves).chain([stop(), done()]),
            )],
            Ok("Gr\u{fc}\u{df}e"),
            1,
        ),
        case("whole reply to a stream", Stream, vec![completion("Hello!")], Ok("Hello!"), 1),
    ])
    .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn silence_and_cuts() {
    use Want::{Stream, Text, Verdict};
    let half = || vec![Act::Send(b"HTTP/1.1 200 X\r\ncontent-length: 500\r\n\r\n{\"choices\":".into())];
    let half_stream = || stream([piece("Hel")]);
    check_all([
        Case {
            timeout_ms: HASTY_MS,
            ..case("no headers", Text, vec![vec![Act::Hang]], Err(Outcome::TimedOut), 1)
        },
        case(
            "a body that stands still",
            Verdict,
            vec![half().into_iter().chain([Act::Hang]).collect()],
            Err(Outcome::TimedOut),
            1,
        ),
        case(
            "a stream that stands still",
            Stream,
            vec![stream([piece("Hel"), Act::Hang])],
            Err(Outcome::TimedOut),
            1,
        ),
        case("closed without a word, then good", Text, vec![vec![], completion("Hi")], Ok("Hi"), 2),
        case("closed without a word, always", Text, vec![vec![]], Err(Outcome::Unreachable), 2),
        case("cut within the body, then good", Verdict, vec![half(), completion(PASS)], Ok(PASS), 2),
        case("cut within the body, always", Verdict, vec![half()], Err(Outcome::Unreachable), 2),
        case(
            "cut after words were shown is not begun again",
            Stream,
            vec![half_stream(), completion("Hi")],
            Err(Outcome::Unreachable),
            1,
        ),
        case("stream cut before any word", Stream, vec![stream([]), completion("Hi")], Ok("Hi"), 2),
        case(
            "not HTTP at all",
            Text,
            vec![vec![Act::Send(b"SSH-2.0-nope\r\n".into())]],
            Err(Outcome::Unreachable),
            2,
        ),
    ])
    .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn replies_that_cannot_be_used() {
    use Want::{Stream, Text, Verdict};
    let wrong = || completion(r#"{"status":"perfect"}"#);
    let twice = || completion(&format!("{PASS}\n{PASS}"));
    let bad = Err(Outcome::BadReply);
    let gzip = whole(200, "content-encoding: gzip\r\n", [0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 0, 3, 0x4b, 4, 0]);
    check_all([
        case(
            "malformed, then good",
            Text,
            vec![whole(200, "", "{\"choices\": [}"), completion("Hi")],
            Ok("Hi"),
            2,
        ),
        case("malformed, always", Text, vec![whole(200, "", "<html>")], bad, 2),
        case("wrong schema, then right", Verdict, vec![wrong(), completion(PASS)], Ok(PASS), 2),
        case("wrong schema, always", Verdict, vec![wrong()], bad, 2),
        case("prose, then right", Verdict, vec![completion("I would pass."), completion(PASS)], Ok(PASS), 2),
        case("two verdicts, always", Verdict, vec![twice()], bad, 2),
        case("no words for a verdict, always", Verdict, vec![completion("")], bad, 2),
        case(
            "cut at the output limit, then shorter",
            Verdict,
            vec![completion_with(json!({"content": "{\"status\":"}), "length"), completion(PASS)],
            Ok(PASS),
            2,
        ),
        case("empty text", Text, vec![completion(" ")], bad, 2),
        case("no choices", Text, vec![json_reply(200, json!({"choices": []}))], bad, 2),
        case("not UTF-8", Text, vec![whole(200, "", b"{\"choices\":[\"\xff\xfe\"]}")], bad, 2),
        case("stream that is not UTF-8", Stream, vec![stream([Act::Send(b"data: \xff\n\n".into())])], bad, 2),
        case("stream of garbage", Stream, vec![stream([Act::Send(b"data: garbage\n\n".into())])], bad, 2),
        case("compressed without being asked", Text, vec![gzip], bad, 2),
        case("a body without end", Text, vec![flood("", b" ", 2 << 20)], bad, 1),
        case(
            "a stream without end",
            Stream,
            vec![flood("content-type: text/event-stream\r\n", b": x\n", 20 << 20)],
            bad,
            1,
        ),
    ])
    .await;
}

fn flood(headers: &str, unit: &[u8], total_bytes: usize) -> Scene {
    let head = format!("HTTP/1.1 200 X\r\n{headers}\r\n");
    let block = unit.repeat(65_536 / unit.len());
    vec![Act::Send(head.into()), Act::Flood(block.clone(), total_bytes / block.len())]
}

#[tokio::test(flavor = "multi_thread")]
async fn servers_that_say_no() {
    use Want::{Text, Verdict};
    let busy = |headers: &str| whole(429, headers, "{}");
    let error = |status, code: &str| {
        let long = "x".repeat(300);
        json_reply(status, json!({"error": {"message": format!("{long} {KEY}"), "code": code}}))
    };
    let echo = json_reply(401, json!({"error": {"message": format!("Incorrect API key provided: {KEY}")}}));
    check_all([
        case(
            "a refusal",
            Verdict,
            vec![completion_with(json!({"refusal": "No."}), "stop")],
            Err(Outcome::Refused),
            1,
        ),
        case("a filter", Text, vec![completion_with(json!({}), "content_filter")], Err(Outcome::Refused), 1),
        case("a filter's status", Text, vec![error(400, "content_filter")], Err(Outcome::Refused), 1),
        case("a wrong key that is repeated", Text, vec![echo], Err(Outcome::Unauthorized), 1),
        case("a forbidden model", Text, vec![error(403, "forbidden")], Err(Outcome::Unauthorized), 1),
        case("an unknown model", Text, vec![error(404, "model_not_found")], Err(Outcome::Misconfigured), 1),
        case("an unknown parameter", Text, vec![error(400, "unknown")], Err(Outcome::Misconfigured), 1),
        case("no credit", Text, vec![error(429, "insufficient_quota")], Err(Outcome::Misconfigured), 1),
        case(
            "too long for one message",
            Text,
            vec![error(400, "context_length_exceeded")],
            Err(Outcome::TooLong),
            1,
        ),
        case("busy for a second", Text, vec![busy("retry-after: 1\r\n"), completion("Hi")], Ok("Hi"), 2),
        case("busy for an hour", Text, vec![busy("retry-after: 3600\r\n")], Err(Outcome::RateLimited), 1),
        case("busy for a while", Text, vec![busy(""), completion("Hi")], Ok("Hi"), 2),
        case(
            "busy for less than nothing",
            Text,
            vec![busy("retry-after: -5\r\n"), completion("Hi")],
            Ok("Hi"),
            2,
        ),
        case(
            "busy until further notice",
            Text,
            vec![busy("retry-after: 0\r\n")],
            Err(Outcome::RateLimited),
            3,
        ),
        case(
            "busy until a date",
            Text,
            vec![busy("retry-after: Sun, 01 Nov 2026 12:00:02 GMT\r\n"), completion("Hi")],
            Ok("Hi"),
            2,
        ),
        case(
            "busy until a far date",
            Text,
            vec![busy("retry-after: Sun, 01 Nov 2026 13:00:00 GMT\r\n")],
            Err(Outcome::RateLimited),
            1,
        ),
        case("failing, then good", Text, vec![whole(500, "", ""), completion("Hi")], Ok("Hi"), 2),
        case("failing, always", Text, vec![whole(503, "", "loading")], Err(Outcome::Unreachable), 3),
        case("failing with status 200", Text, vec![error(200, "busy"), completion("Hi")], Ok("Hi"), 2),
    ])
    .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn pauses_are_as_long_as_the_server_says() {
    let rows = [
        ("retry-after: 1\r\n", 1_000),
        // The clock of the ask has moved on a little when the date is read.
        ("retry-after: Sun, 01 Nov 2026 12:00:02 GMT\r\n", 1_000),
        ("retry-after: -5\r\n", 250),
        ("", 250),
    ];
    for (header, at_least_ms) in rows {
        let server = Server::start(vec![whole(429, header, ""), completion("Hi")]).await;
        let (model, _) = model_at(&format!("http://127.0.0.1:{}/v1", server.port), |_| {});
        let reply = ask(&model, Want::Text).await.unwrap();
        assert!(reply.took_ms >= at_least_ms, "{header:?}: {} ms", reply.took_ms);
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_redirect_does_not_carry_the_key_away() {
    let thief = Server::start(vec![completion("Hi")]).await;
    for status in [301, 302, 303, 307, 308] {
        let location = format!("location: http://127.0.0.1:{}/v1/chat/completions\r\n", thief.port);
        check(case(
            "redirect",
            Want::Text,
            vec![whole(status, &location, "")],
            Err(Outcome::Misconfigured),
            1,
        ))
        .await;
    }
    assert_eq!(thief.seen().len(), 0);
}

#[tokio::test(flavor = "multi_thread")]
async fn no_server_and_no_tls() {
    let server = Server::start(vec![completion("Hi")]).await;
    let closed = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap().local_addr().unwrap().port();
    let addresses = [
        format!("http://127.0.0.1:{closed}/v1"),
        format!("https://127.0.0.1:{}/v1", server.port),
        "http://no-such-host.invalid/v1".to_owned(),
    ];
    for address in addresses {
        let (model, log) = model_at(&address, |_| {});
        let result = ask(&model, Want::Text).await;
        assert!(matches!(result, Err(ModelError::Unreachable { .. })), "{address}: {result:?}");
        assert_eq!(
            model.ledger().spent_by("flow-1").calls,
            0,
            "{address}: nothing was sent, nothing is paid"
        );
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
        // A slash at the end of the address must not be doubled.
        let (model, _) =
            model_at(&format!("http://127.0.0.1:{}/v1/", server.port), |config| config.wire = wire);
        let reply = ask(&model, Want::Verdict).await.unwrap();
        assert_eq!(answer_text(&reply), PASS, "{wire:?}");
        assert_eq!(reply.usage, Usage { input_tokens: 30, output_tokens: 10 }, "{wire:?}");
        let seen = server.seen().remove(0);
        assert!(seen.head.starts_with(path), "{wire:?}: {}", seen.head);
        assert!(seen.head.contains(&key), "{wire:?}: {}", seen.head);
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_repair_tells_the_model_what_was_wrong() {
    let server = Server::start(vec![completion(r#"{"status":"perfect"}"#), completion(PASS)]).await;
    let (model, _) = model_at(&format!("http://127.0.0.1:{}/v1", server.port), |_| {});
    let reply = ask(&model, Want::Verdict).await.unwrap();
    assert_eq!(reply.usage, Usage { input_tokens: 60, output_tokens: 20 }, "both attempts are counted");
    let second: Value = serde_json::from_str(&server.seen()[1].body).unwrap();
    assert_eq!(second["messages"][2]["content"], r#"{"status":"perfect"}"#);
    let told = second["messages"][3]["content"].as_str().unwrap();
    assert!(told.contains("/status") && told.contains("perfect"), "{told}");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_prompt_that_is_too_long_loses_its_older_half_once() {
    let too_long = || json_reply(400, json!({"error": {"code": "context_length_exceeded"}}));
    let server = Server::start(vec![too_long(), completion("Hi")]).await;
    let (model, _) = model_at(&format!("http://127.0.0.1:{}/v1", server.port), |_| {});
    let messages = ["u1", "a1", "u2", "a2", "u3"];
    let messages = messages
        .map(|text| if text.starts_with('u') { Message::user(text) } else { Message::assistant(text) });
    let ask = Ask { messages: messages.to_vec(), ..greeting(Want::Text) };
    model.ask(ask, &CancellationToken::new(), None).await.unwrap();
    let second: Value = serde_json::from_str(&server.seen()[1].body).unwrap();
    let kept: Vec<&str> =
        second["messages"].as_array().unwrap().iter().map(|m| m["content"].as_str().unwrap()).collect();
    assert_eq!(kept, ["You are kind.", "u2", "a2", "u3"]);
}
