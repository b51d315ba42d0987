//! Tests of the notify port against a server that speaks the Bot API and against a real mail server.

mod bot_api;
mod incoming;
mod mail;
mod outgoing;
mod settings;
mod wire;

use jiff::Timestamp;
use outside::model::Secret;
use outside::notify::{
    Channel, Delivered, Message, Notifier, RateLimits, RequestContext, Telegram, TelegramConfig, Trouble,
};

const TIMEOUT_MS: u64 = 1_500;

/// Limits without any waiting between messages, for all tests but those of waiting.
const UNLIMITED: RateLimits =
    RateLimits { chat_interval_ms: 0, group_per_minute: 10_000, overall_per_second: 10_000 };

fn config(base_url: &str) -> TelegramConfig {
    TelegramConfig {
        token: Secret::new(bot_api::TOKEN),
        base_url: base_url.to_owned(),
        timeout_ms: TIMEOUT_MS,
        limits: UNLIMITED,
        ..TelegramConfig::default()
    }
}

fn telegram_at(base_url: &str) -> Telegram {
    Telegram::new(&config(base_url)).unwrap()
}

fn to_chat(chat_id: i64, text: &str) -> Message {
    Message::send(Channel::Telegram, chat_id.to_string(), text)
}

fn context(chat_id: i64, message_id: i64, thread_id: Option<i64>) -> RequestContext {
    RequestContext { chat_id, message_id, thread_id }
}

fn written_at() -> Timestamp {
    "2026-11-15T08:00:00Z".parse().unwrap()
}

#[tokio::test]
async fn a_missing_channel_is_reported() {
    let empty = Notifier::default();
    let rows = [(Channel::Telegram, "1", "telegram.token"), (Channel::Email, "ada@example.org", "mail.host")];
    for (channel, to, word) in rows {
        let result = empty.deliver("key", &Message::send(channel, to, "Hi"), written_at()).await;
        assert!(!empty.has(channel));
        expect_trouble(&result, false, word);
    }
}

#[tokio::test]
async fn a_message_survives_the_outbox() {
    let message = Message::react(context(-5, 7, Some(3)), "✅");
    let stored = serde_json::to_string(&message).unwrap();
    assert_eq!(serde_json::from_str::<Message>(&stored).unwrap(), message);
    let shortest = r#"{"channel": "telegram", "intent": "send", "to": "1", "text": "Hi"}"#;
    assert_eq!(serde_json::from_str::<Message>(shortest).unwrap(), to_chat(1, "Hi"));
}

#[test]
fn permanent_faults_are_found_before_sending() {
    let here = context(1, 2, None);
    let text = |text: &str| to_chat(1, text);
    let rows = [
        (text("Hi"), None),
        (Message::reply(here, "Hi"), None),
        (Message::react(here, "👍"), None),
        (text(" \n"), Some("empty")),
        (text(&"x".repeat((256 << 10) + 1)), Some("256 KiB")),
        (Message { html: Some("x".repeat((1 << 20) + 1)), ..text("Hi") }, Some("1 MiB")),
        (Message::react(here, " "), Some("emoji")),
        (Message { reply_to: None, ..Message::react(here, "👍") }, Some("react to")),
        (Message { channel: Channel::Email, ..Message::react(here, "👍") }, Some("cannot be reacted to")),
    ];
    for (message, expected) in rows {
        let found = message.check().map_err(|trouble| trouble.to_string());
        match expected {
            None => assert_eq!(found, Ok(())),
            Some(word) => {
                assert!(found.as_ref().is_err_and(|why| why.contains(word)), "{found:?}: {word}")
            }
        }
    }
}

fn expect_trouble(result: &Result<Delivered, Trouble>, is_final: bool, word: &str) {
    let trouble = result.as_ref().expect_err(word);
    assert_eq!(matches!(trouble, Trouble::Final { .. }), is_final, "{trouble:?}");
    assert!(trouble.to_string().contains(word), "{trouble:?} does not say {word:?}");
}
