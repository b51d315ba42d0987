//! Tests of servers that are slow, cut off, or not Telegram at all, byte by byte. No error may contain the token.

use outside::notify::Trouble;
use serde_json::json;

use super::bot_api::{BotApi, Control, TOKEN};
use super::{expect_trouble, telegram_at, to_chat};
use crate::chaos::server::{Act, Scene, Server, json_reply, whole};

#[tokio::test(flavor = "multi_thread")]
async fn an_invalid_reply_is_retried() {
    let half = b"HTTP/1.1 200 X\r\ncontent-length: 500\r\n\r\n{\"ok\":";
    let slow = [Act::Send(half.to_vec()), Act::Hang];
    let endless = Act::Flood(b" ".repeat(65_536), 128);
    let echo = json!({"ok": false, "error_code": 500, "description": format!("/bot{TOKEN}/x failed")});
    // Each row: a name, the server's scene, and a word of the error.
    let rows: Vec<(&str, Scene, &str)> = vec![
        ("closed at once", vec![], "sendMessage"),
        ("silence", vec![Act::Hang], "timed out"),
        ("cut within the head", vec![Act::Send(b"HTTP/1.1 200 X\r\ncontent-".to_vec())], "sendMessage"),
        ("cut within the body", vec![Act::Send(half.to_vec())], "sendMessage"),
        ("a body that stands still", slow.to_vec(), "timed out"),
        ("a body without end", vec![Act::Send(b"HTTP/1.1 200 X\r\n\r\n".to_vec()), endless], "larger than"),
        ("no JSON", whole(200, "", "<html>"), "not Telegram"),
        ("nothing", whole(200, "", ""), "not Telegram"),
        ("another JSON", json_reply(200, json!(["ok"])), "not Telegram"),
        ("no HTTP", vec![Act::Send(b"220 mail.example ESMTP\r\n".to_vec())], "sendMessage"),
        ("a server that repeats the address", json_reply(500, echo), "/bot***/x failed"),
        (
            "a page that repeats the address",
            whole(502, "", format!("cannot reach /bot{TOKEN}/sendMessage")),
            "/bot***/sendMessage",
        ),
    ];
    let running: Vec<_> =
        rows.into_iter().map(|(name, scene, word)| tokio::spawn(check(name, scene, word))).collect();
    for case in running {
        case.await.unwrap();
    }
}

async fn check(name: &str, scene: Scene, word: &str) {
    let server = Server::start(vec![scene]).await;
    let telegram = telegram_at(&format!("http://127.0.0.1:{}", server.port));
    let result = telegram.deliver(name, &to_chat(1, "Hi")).await;
    assert!(matches!(result, Err(Trouble::Retry { after_ms: None, .. })), "{name}: {result:?}");
    expect_trouble(&result, false, word);
    let told = format!("{result:?} {telegram:?}");
    assert!(!told.contains(TOKEN), "{name}: the token is in {told}");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_redirect_does_not_carry_the_token_away() {
    let thief = Server::start(vec![json_reply(200, json!({"ok": true, "result": {}}))]).await;
    let location = format!("location: http://127.0.0.1:{}/bot{TOKEN}/sendMessage\r\n", thief.port);
    for status in [301, 302, 307, 308] {
        check("redirect", whole(status, &location, ""), "not Telegram").await;
    }
    assert_eq!(thief.seen().len(), 0);
}

#[tokio::test(flavor = "multi_thread")]
async fn no_server_and_no_tls() {
    let closed = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap().local_addr().unwrap().port();
    let plain = Server::start(vec![json_reply(200, json!({"ok": true, "result": {}}))]).await;
    for address in [
        format!("http://127.0.0.1:{closed}"),
        format!("https://127.0.0.1:{}", plain.port),
        "http://no-such-host.invalid".to_owned(),
    ] {
        let result = telegram_at(&address).deliver("key", &to_chat(1, "Hi")).await;
        assert!(matches!(result, Err(Trouble::Retry { .. })), "{address}: {result:?}");
        assert!(!format!("{result:?}").contains(TOKEN), "{address}: {result:?}");
    }
    assert_eq!(plain.seen().len(), 0, "nothing was sent in the clear");
}

/// The test server must take what Telegram takes: parameters in four forms, and methods in any case.
#[tokio::test(flavor = "multi_thread")]
async fn the_test_bot_api_takes_every_kind_of_request() {
    let server = BotApi::start(0).await;
    server.control(Control::Chat { chat_id: 5, is_forum: false, reactions: None });
    let client = reqwest::Client::builder().no_proxy().build().unwrap();
    let address = format!("{}/bot{TOKEN}/SENDmessage", server.url);
    let post = |kind: &str, body: &str| {
        client.post(&address).header("content-type", kind.to_owned()).body(body.to_owned())
    };
    let part = |name: &str, value: &str| {
        format!("--b\r\ncontent-disposition: form-data; name=\"{name}\"\r\n\r\n{value}\r\n")
    };
    let parts = format!("{}{}--b--\r\n", part("chat_id", "5"), part("text", "Hi"));
    let requests = [
        client.get(format!("{address}?chat_id=5&text=Hi")),
        post("application/json", r#"{"chat_id": 5, "text": "Hi"}"#),
        post("application/json", r#"{"chat_id": "5", "text": "Hi"}"#),
        post("application/x-www-form-urlencoded", "chat_id=5&text=Hi"),
        post("multipart/form-data; boundary=b", &parts),
    ];
    let count = requests.len();
    for request in requests {
        let response = request.send().await.unwrap();
        assert_eq!(response.status(), 200);
    }
    let sent = server.report()["sent"].as_array().unwrap().clone();
    assert!(sent.len() == count && sent.iter().all(|one| one["text"] == "Hi"), "{sent:?}");
    for (path, status) in [("/bot1:x/getMe", 401), ("/botx/getMe", 404), (&format!("/bot{TOKEN}/no"), 404)] {
        let response = client.get(format!("{}{path}", server.url)).send().await.unwrap();
        assert_eq!(response.status().as_u16(), status, "{path}");
    }
}
