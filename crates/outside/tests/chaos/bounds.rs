//! Tests of what an ask may spend, how it ends early, and what a probe finds.

use jiff::Timestamp;
use outside::Level;
use outside::model::{Budget, ErrorKind, Limits, Model, Outcome, probe};
use serde_json::json;

use super::server::{Act, Scene, Server, completion, json_reply, whole};
use super::{NOW, PASS, ask, model_at};

/// These limits allow ten good replies of 40 tokens each.
#[tokio::test(flavor = "multi_thread")]
async fn a_crowd_cannot_overspend() {
    for (name, limits) in [
        ("calls", Limits { calls: Some(10), ..Limits::default() }),
        ("tokens", Limits { tokens: Some(400), ..Limits::default() }),
        ("dollars", Limits { usd: Some(0.000_4), ..Limits::default() }),
    ] {
        check_crowd(name, Budget { per_day: limits.clone(), per_flow: Limits::default() }).await;
        check_crowd(name, Budget { per_day: Limits::default(), per_flow: limits }).await;
    }
}

async fn check_crowd(name: &str, budget: Budget) {
    const CROWD: usize = 200;
    let slow: Scene = [Act::PauseMs(20)].into_iter().chain(completion(PASS)).collect();
    let server = Server::start(vec![slow]).await;
    let prices = json!({"input_usd_per_million_tokens": 1.0, "output_usd_per_million_tokens": 1.0});
    let (model, log) = model_at(&format!("http://127.0.0.1:{}/v1", server.port), |config| {
        config.budget = budget.clone();
        config.prices = serde_json::from_value(prices).unwrap();
    });
    let answered = ask_at_once(&model, CROWD).await;
    assert_eq!(server.seen().len(), answered, "{name}: no request without an answer");
    assert!((1..=10).contains(&answered), "{name}: {answered} requests of a crowd under {budget:?}");
    assert_eq!(log.lock().unwrap().len(), CROWD, "{name}: every ask is logged, also the refused");
    while ask(&model).await.is_ok() {}
    assert_eq!(server.seen().len(), 10, "{name}: what the crowd left can be used, and no more");
    assert_eq!(model.spent_by("flow-1").tokens, 400, "{name}");
}

/// Returns the number of answered asks. All others must have been over budget.
async fn ask_at_once(model: &Model, crowd: usize) -> usize {
    let asks: Vec<_> = (0..crowd)
        .map(|_| {
            let model = model.clone();
            tokio::spawn(async move { ask(&model).await })
        })
        .collect();
    let mut answered = 0;
    for task in asks {
        match task.await.unwrap() {
            Ok(_) => answered += 1,
            Err(error) => assert_eq!(error.kind, ErrorKind::OverBudget, "{error}"),
        }
    }
    answered
}

#[tokio::test(flavor = "multi_thread")]
async fn unknown_usage_is_charged_at_its_worst() {
    let silent =
        json_reply(200, json!({"choices": [{"message": {"content": PASS}, "finish_reason": "stop"}]}));
    // (event, paid calls, and the paid tokens: the server's count, or `None` for the worst case)
    let rows: [(&str, Vec<Scene>, u64, Option<u64>); 6] = [
        ("an answer", vec![completion(PASS)], 1, Some(40)),
        ("an answer without a count", vec![silent], 1, None),
        ("turned away, then an answer", vec![whole(500, "", ""), completion(PASS)], 2, Some(40)),
        ("turned away for good", vec![whole(401, "", "")], 1, Some(0)),
        ("an empty answer, then one", vec![completion(""), completion(PASS)], 2, Some(80)),
        ("cut twice", vec![vec![]], 2, None),
    ];
    for (name, scenes, calls, tokens) in rows {
        let server = Server::start(scenes).await;
        let (model, log) = model_at(&format!("http://127.0.0.1:{}/v1", server.port), |_| {});
        let result = ask(&model).await;
        let sent_bytes: usize = server.seen().iter().map(|seen| seen.body.len()).sum();
        let worst = sent_bytes as u64 + 50 * calls;
        let spent = model.spent_by("flow-1");
        assert_eq!((spent.calls, spent.tokens), (calls, tokens.unwrap_or(worst)), "{name}: {result:?}");
        assert_eq!(log.lock().unwrap()[0].usage.total(), spent.tokens, "{name}: the record agrees");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_dropped_ask_is_logged() {
    let server = Server::start(vec![vec![Act::Hang]]).await;
    let (model, log) = model_at(&format!("http://127.0.0.1:{}/v1", server.port), |_| {});
    tokio::select! {
        result = ask(&model) => panic!("{result:?}"),
        () = server.wait_for_request() => {}
    }
    server.wait_for_hang_up().await;
    assert!(model.spent_by("flow-1").tokens > 50, "the server may have worked");
    let log = log.lock().unwrap();
    assert_eq!((log[0].outcome, log[0].attempts), (Outcome::Abandoned, 1));
    assert!(log[0].usage.total() > 50, "counted at its worst case");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_probe_names_problems_and_cures() {
    use Level::{Fine, Problem, Warning};
    let models = |name: &str| json_reply(200, json!({"data": [{"id": name}]}));
    let refused = |status| json_reply(status, json!({}));
    let ready = || completion(r#"{"ready":true}"#);
    check_probe(vec![models("tiny"), ready()], &[(Fine, "reached"), (Fine, "tiny"), (Fine, "JSON")]).await;
    check_probe(vec![refused(401)], &[(Problem, "api_key")]).await;
    let unknown = [(Fine, "reached"), (Warning, "huge"), (Problem, "offers the model")];
    check_probe(vec![models("huge"), refused(404)], &unknown).await;
    check_probe(vec![refused(404), ready()], &[(Warning, "nothing"), (Fine, "JSON")]).await;
    let babbling = [(Fine, "reached"), (Fine, "tiny"), (Problem, "larger model")];
    check_probe(vec![models("tiny"), completion("hi")], &babbling).await;
}

/// `expected` lists the level of each finding and a word of its cure, or of the finding itself if it needs none.
async fn check_probe(scenes: Vec<Scene>, expected: &[(Level, &str)]) {
    let server = Server::start(scenes).await;
    let (model, _) = model_at(&format!("http://127.0.0.1:{}/v1", server.port), |_| {});
    let findings = probe(&model, NOW.parse::<Timestamp>().unwrap()).await;
    assert_eq!(findings.len(), expected.len(), "{findings:?}");
    for (finding, (level, word)) in findings.iter().zip(expected) {
        assert_eq!(finding.level, *level, "{finding:?}");
        let text = if *level == Level::Fine { &finding.what } else { &finding.cure };
        assert!(text.contains(word), "{finding:?} does not say {word:?}");
    }
}
