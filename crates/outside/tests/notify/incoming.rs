//! Tests of messages from people, by polling and by webhook.

use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use axum::Router;
use axum::body::Bytes;
use axum::http::{HeaderMap, StatusCode};
use axum::routing::post;
use outside::model::Secret;
use outside::notify::{Incoming, NotTelegram, Said, Trouble, Update, WEBHOOK_SECRET_HEADER, read_webhook};
use serde_json::json;
use tokio::net::TcpListener;

use super::bot_api::{BotApi, Control};
use super::{context, telegram_at};

const SECRET: &str = "a-secret-of-the_webhook";

fn say(server: &BotApi, chat_id: i64, text: &str) -> i64 {
    let text = Some(text.to_owned());
    let said = server.control(Control::Say { chat_id, text, thread_id: None, reply_to: None });
    said["message_id"].as_i64().unwrap()
}

fn texts(updates: &[Update]) -> Vec<String> {
    let text = |update: &Update| match &update.message.as_ref()?.said {
        Said::Text(text) => Some(text.clone()),
        _ => None,
    };
    updates.iter().filter_map(text).collect()
}

#[tokio::test]
async fn updates_repeat_until_the_offset_confirms_them() {
    let server = BotApi::start(0).await;
    let telegram = telegram_at(&server.url);
    say(&server, 1, "one");
    say(&server, 2, "two");
    let first = telegram.updates(None, 0).await.unwrap();
    assert_eq!(texts(&first), ["one", "two"]);
    // After a crash before the offset is stored, the updates come again.
    assert_eq!(telegram.updates(None, 0).await.unwrap(), first);
    say(&server, 1, "three");
    let next = telegram.updates(Some(first[1].update_id + 1), 0).await.unwrap();
    assert_eq!(texts(&next), ["three"]);
    // Confirmed updates are gone, even for a poll without an offset.
    assert_eq!(texts(&telegram.updates(None, 0).await.unwrap()), ["three"]);
}

#[tokio::test]
async fn a_poll_waits_for_a_message_and_ends_without_one() {
    let server = BotApi::start(0).await;
    let telegram = telegram_at(&server.url);
    let (updates, ()) = tokio::join!(telegram.updates(None, 20), async {
        tokio::time::sleep(Duration::from_millis(300)).await;
        say(&server, 1, "hello");
    });
    assert_eq!(texts(&updates.unwrap()), ["hello"]);
    let offset = telegram.updates(None, 0).await.unwrap()[0].update_id + 1;
    // A poll may take longer than other requests, which end after 1.5 seconds.
    assert_eq!(telegram.updates(Some(offset), 2).await.unwrap(), []);
}

#[tokio::test]
async fn conflicting_polls_and_webhooks_are_told_apart() {
    let server = BotApi::start(0).await;
    let (one, two) = (telegram_at(&server.url), telegram_at(&server.url));
    let (older, _) = tokio::join!(one.updates(None, 20), async {
        tokio::time::sleep(Duration::from_millis(200)).await;
        two.updates(None, 0).await
    });
    assert!(matches!(older, Err(Trouble::Retry { .. })), "{older:?}");
    one.set_webhook("https://etude.example/telegram", &Secret::new(SECRET)).await.unwrap();
    let refused = one.updates(None, 0).await;
    assert!(matches!(refused, Err(Trouble::Final { .. })), "{refused:?}");
    one.delete_webhook().await.unwrap();
    assert_eq!(one.updates(None, 0).await, Ok(vec![]));
}

#[tokio::test]
async fn every_kind_of_message_is_understood() {
    let server = BotApi::start(0).await;
    let telegram = telegram_at(&server.url);
    assert_eq!(telegram.bot_name().await.as_deref(), Ok("etude_test_bot"));
    server.control(Control::Chat { chat_id: -9, is_forum: true, reactions: None });
    let topic = server.control(Control::Topic { chat_id: -9 }).as_i64().unwrap();
    let first = say(&server, 7, "/start@etude_test_bot x");
    let hear = |chat_id, text: Option<&str>, thread_id, reply_to| {
        let text = text.map(str::to_owned);
        server.control(Control::Say { chat_id, text, thread_id, reply_to })["message_id"].as_i64().unwrap()
    };
    let ids = [
        first,
        hear(7, Some("an answer"), None, Some(first)),
        hear(7, None, None, None),
        hear(-9, Some("in a topic"), Some(topic), None),
        hear(-9, Some("an answer in a topic"), Some(topic), Some(topic + 1)),
    ];
    server.control(Control::Edit { chat_id: 7, message_id: first, text: "changed".into() });
    let updates = telegram.updates(None, 0).await.unwrap();
    let found: Vec<_> = updates.iter().map(|update| update.message.as_ref()).collect();
    let summary: Vec<_> = found.iter().take(5).map(|one| summary(one.unwrap())).collect();
    let text = |text: &str| Said::Text(text.to_owned());
    let expected = [
        (context(7, ids[0], None), None, text("/start@etude_test_bot x")),
        (context(7, ids[1], None), Some(first), text("an answer")),
        (context(7, ids[2], None), None, Said::Unsupported("voice".into())),
        (context(-9, ids[3], Some(topic)), None, text("in a topic")),
        (context(-9, ids[4], Some(topic)), Some(ids[3]), text("an answer in a topic")),
    ];
    assert_eq!(summary, expected);
    assert!(found[..5].iter().all(|one| one.is_some_and(|one| !one.is_from_bot)));
    assert!(found[5].is_none() && updates[5].update_id > updates[4].update_id, "an edit only counts");
    hear(7, Some("after"), None, None);
    server.control(Control::Edit { chat_id: 7, message_id: first, text: "again".into() });
    let later = telegram.updates(Some(updates[5].update_id + 1), 0).await.unwrap();
    assert_eq!(later.len(), 1, "edits were not asked for: {later:?}");
}

fn summary(one: &Incoming) -> (outside::notify::RequestContext, Option<i64>, Said) {
    (one.context(), one.reply_to_message_id, one.said.clone())
}

#[tokio::test]
async fn a_webhook_delivers_the_same_updates_as_a_poll() {
    let server = BotApi::start(0).await;
    let telegram = telegram_at(&server.url);
    say(&server, 1, "before");
    let (url, heard) = listen().await;
    telegram.set_webhook(&url, &Secret::new(SECRET)).await.unwrap();
    say(&server, 1, "after");
    let deadline = Instant::now() + Duration::from_secs(10);
    while heard.lock().unwrap().len() < 2 && Instant::now() < deadline {
        tokio::time::sleep(Duration::from_millis(20)).await;
    }
    assert_eq!(texts(&heard.lock().unwrap()), ["before", "after"]);
    for (secret, url, word) in [
        ("short", "https://etude.example/", "16 to 256"),
        ("with spaces and more of it", "https://etude.example/", "16 to 256"),
        (SECRET, "http://etude.example/", "HTTPS"),
    ] {
        let refused = telegram.set_webhook(url, &Secret::new(secret)).await.unwrap_err();
        assert!(matches!(&refused, Trouble::Final { reason } if reason.contains(word)), "{refused:?}");
        assert!(!refused.to_string().contains(SECRET), "{refused}");
    }
}

/// Starts a receiver that is busy at first, as servers sometimes are.
async fn listen() -> (String, Arc<Mutex<Vec<Update>>>) {
    let heard = Arc::new(Mutex::new(Vec::new()));
    let (taken, busy) = (heard.clone(), Mutex::new(true));
    let receive = move |headers: HeaderMap, body: Bytes| {
        if std::mem::take(&mut *busy.lock().unwrap()) {
            return std::future::ready(StatusCode::SERVICE_UNAVAILABLE);
        }
        let header = headers.get(WEBHOOK_SECRET_HEADER).map(|value| value.as_bytes());
        let update = read_webhook(&Secret::new(SECRET), header, &body).unwrap();
        taken.lock().unwrap().push(update);
        std::future::ready(StatusCode::OK)
    };
    let receive = Arc::new(receive);
    let router = Router::new().route("/", post(move |headers, body| receive(headers, body)));
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let url = format!("http://{}/", listener.local_addr().unwrap());
    tokio::spawn(async move { axum::serve(listener, router).await.unwrap() });
    (url, heard)
}

#[test]
fn a_messages_kind_decides_its_meaning() {
    let rows = [
        (json!({"text": "Hi"}), Said::Text("Hi".into())),
        (json!({"voice": {}, "caption": "Hi"}), Said::Unsupported("voice".into())),
        (json!({"new_chat_members": [{}]}), Said::Nothing),
        (json!({"pinned_message": {"text": "old"}}), Said::Nothing),
        (json!({"forum_topic_created": {"name": "SQL"}}), Said::Nothing),
        (json!({"migrate_to_chat_id": -100}), Said::Nothing),
        (json!({"migrate_from_chat_id": -5}), Said::Moved { from: -5 }),
    ];
    for (mut message, expected) in rows {
        (message["message_id"], message["chat"]) = (json!(1), json!({"id": 7}));
        let body = json!({"update_id": 5, "message": message}).to_string();
        let read = read_webhook(&Secret::new(SECRET), Some(SECRET.as_bytes()), body.as_bytes()).unwrap();
        assert_eq!(read.message.unwrap().said, expected, "{body}");
    }
}

#[test]
fn strangers_are_turned_away_at_the_webhook() {
    use NotTelegram::{Unreadable, WrongSecret};
    let update = json!({"update_id": 5, "poll": {}}).to_string();
    let taken = Ok(Update { update_id: 5, message: None });
    let long = format!("{update}{}", " ".repeat(2 << 20));
    let rows: [(&str, Option<&str>, &str, _); 8] = [
        (SECRET, Some(SECRET), &update, taken),
        (SECRET, None, &update, Err(WrongSecret)),
        (SECRET, Some(""), &update, Err(WrongSecret)),
        (SECRET, Some(&SECRET[1..]), &update, Err(WrongSecret)),
        ("", Some(""), &update, Err(WrongSecret)),
        (SECRET, Some(SECRET), "{}", Err(Unreadable)),
        (SECRET, Some(SECRET), "[1", Err(Unreadable)),
        (SECRET, Some(SECRET), &long, Err(Unreadable)),
    ];
    for (secret, header, body, expected) in rows {
        let read = read_webhook(&Secret::new(secret), header.map(str::as_bytes), body.as_bytes());
        assert_eq!(read, expected, "{header:?}");
    }
}
