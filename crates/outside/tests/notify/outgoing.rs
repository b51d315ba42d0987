//! Tests of messages to Telegram.

use futures_util::future::join_all;
use outside::notify::{Delivered, Intent, Message, RateLimits, Telegram, TelegramConfig, Trouble};
use serde_json::{Value, json};

use super::bot_api::{Accident, BotApi, Control};
use super::{config, context, expect_trouble, telegram_at, to_chat};

const LEARNER: i64 = 42;
const FORUM: i64 = -1001;

/// Starts a bot that a learner has written to, and a forum with a topic. Returns the message's and the topic's
/// numbers too.
async fn start() -> (BotApi, Telegram, i64, i64) {
    let server = BotApi::start(0).await;
    let said = server.control(Control::Say {
        chat_id: LEARNER,
        text: Some("/start".into()),
        thread_id: None,
        reply_to: None,
    });
    server.control(Control::Chat { chat_id: FORUM, is_forum: true, reactions: None });
    let topic = server.control(Control::Topic { chat_id: FORUM }).as_i64().unwrap();
    let telegram = telegram_at(&server.url);
    (server, telegram, said["message_id"].as_i64().unwrap(), topic)
}

#[tokio::test]
async fn messages_arrive_where_they_belong() {
    let (server, telegram, said, topic) = start().await;
    let rows: [(&str, Message, Value); 6] = [
        (
            "plain",
            to_chat(LEARNER, "<b>1 & 2</b> *_ `let x`"),
            json!({"chat": LEARNER, "text": "<b>1 & 2</b> *_ let x", "thread": null, "answers": null,
                "entities": [{"offset": 16, "length": 5, "type": "code"}]}),
        ),
        (
            "an answer",
            Message::reply(context(LEARNER, said, None), "Right."),
            json!({"chat": LEARNER, "text": "Right.", "thread": null, "answers": said, "entities": null}),
        ),
        (
            "an answer to what was deleted",
            Message::reply(context(LEARNER, 999, None), "Right."),
            json!({"chat": LEARNER, "text": "Right.", "thread": null, "answers": null, "entities": null}),
        ),
        (
            "an answer in a topic",
            Message::reply(context(FORUM, topic, Some(topic)), "Yes."),
            json!({"chat": FORUM, "text": "Yes.", "thread": topic, "answers": topic, "entities": null}),
        ),
        (
            "the next question in a topic",
            Message { intent: Intent::Send, ..Message::reply(context(FORUM, topic, Some(topic)), "Next?") },
            json!({"chat": FORUM, "text": "Next?", "thread": topic, "answers": null, "entities": null}),
        ),
        (
            "a topic that was deleted",
            Message::reply(context(FORUM, 998, Some(998)), "Still here."),
            json!({"chat": FORUM, "text": "Still here.", "thread": null, "answers": null, "entities": null}),
        ),
    ];
    for (name, message, expected) in rows {
        let delivered = telegram.deliver(name, &message).await.unwrap();
        let sent = sent(&server).pop().unwrap();
        let found = json!({"chat": sent["chat"]["id"], "text": sent["text"],
            "thread": sent["message_thread_id"], "answers": sent["reply_to_message"]["message_id"],
            "entities": sent["entities"]});
        assert_eq!(found, expected, "{name}");
        let told = Delivered::Telegram {
            chat_id: sent["chat"]["id"].as_i64().unwrap(),
            thread_id: sent["message_thread_id"].as_i64(),
            message_ids: vec![sent["message_id"].as_i64().unwrap()],
        };
        assert_eq!(delivered, told, "{name}");
    }
}

#[tokio::test]
async fn only_the_first_part_of_a_long_text_replies() {
    let (server, telegram, said, _) = start().await;
    let paragraph = "👍 Ownership moves. ".repeat(100);
    let text = [paragraph.trim(); 5].join("\n\n");
    let message = Message::reply(context(LEARNER, said, None), text.clone());
    let delivered = telegram.deliver("long", &message).await.unwrap();
    let sent = sent(&server);
    let texts: Vec<&str> = sent.iter().map(|one| one["text"].as_str().unwrap()).collect();
    assert_eq!(texts.join("\n\n"), text);
    assert!(texts.iter().all(|text| text.encode_utf16().count() <= 4096));
    let answers: Vec<_> = sent.iter().map(|one| one["reply_to_message"]["message_id"].as_i64()).collect();
    assert_eq!(answers, [Some(said), None, None]);
    let ids: Vec<_> = sent.iter().map(|one| one["message_id"].as_i64().unwrap()).collect();
    assert_eq!(delivered, Delivered::Telegram { chat_id: LEARNER, thread_id: None, message_ids: ids });
}

#[tokio::test]
async fn a_retry_resumes_after_the_last_sent_part() {
    let (server, telegram, ..) = start().await;
    let text = ["a".repeat(3000), "b".repeat(3000), "c".repeat(3000)].join("\n\n");
    let message = to_chat(LEARNER, &text);
    for (fails_at, sent_before) in [(1, 1), (0, 1), (1, 2)] {
        // First the successful parts, then the accident.
        server.control(accident("sendMessage", fails_at, Accident::Slow { ms: 0 }).performed());
        server.control(accident("sendMessage", 1, Accident::Page { status: 502 }));
        expect_trouble(&telegram.deliver("long", &message).await, false, "502");
        assert_eq!(sent(&server).len(), sent_before);
    }
    let delivered = telegram.deliver("long", &message).await.unwrap();
    let firsts: Vec<_> =
        sent(&server).iter().map(|one| one["text"].as_str().unwrap()[..1].to_owned()).collect();
    assert_eq!(firsts, ["a", "b", "c"]);
    let again = telegram.deliver("long", &message).await.unwrap();
    assert_eq!((again, sent(&server).len()), (delivered, 3), "what is delivered is not delivered again");
}

#[tokio::test]
async fn reactions_are_given_or_said() {
    let (server, telegram, said, topic) = start().await;
    server.control(Control::Chat { chat_id: -7, is_forum: false, reactions: Some(vec![]) });
    let quiet = server.control(Control::Say {
        chat_id: -7,
        text: Some("42".into()),
        thread_id: None,
        reply_to: None,
    });
    let quiet = quiet["message_id"].as_i64().unwrap();
    let spoken = |context| Message { text: "Correct!".into(), ..Message::react(context, "✅") };
    let rows: [(&str, Message, Result<&str, &str>); 6] = [
        ("permitted", Message::react(context(LEARNER, said, None), "🔥"), Ok("🔥")),
        ("of the document", Message::react(context(LEARNER, said, None), "✅"), Ok("👍")),
        ("in a topic", Message::react(context(FORUM, topic, Some(topic)), "🎉"), Ok("🎉")),
        ("without a counterpart", Message::react(context(LEARNER, said, None), "❌"), Err("❌")),
        ("in a chat without reactions", spoken(context(-7, quiet, None)), Err("Correct!")),
        ("to what was deleted", Message::react(context(LEARNER, 999, None), "✅"), Err("✅")),
    ];
    for (name, message, expected) in rows {
        let (before, delivered) = (sent(&server).len(), telegram.deliver(name, &message).await.unwrap());
        let report = server.report();
        match expected {
            Ok(emoji) => {
                let reactions = report["reactions"].as_array().unwrap();
                assert_eq!(reactions.last().unwrap()["reaction"][0]["emoji"], emoji, "{name}");
                assert_eq!(sent(&server).len(), before, "{name}");
                assert!(
                    matches!(delivered, Delivered::Telegram { message_ids, .. } if message_ids.is_empty())
                );
            }
            Err(text) => assert_eq!(sent(&server).last().unwrap()["text"], text, "{name}"),
        }
    }
    let forbidden = Accident::Refuse {
        code: 403,
        description: "Forbidden: not enough rights to react".into(),
        parameters: Value::Null,
    };
    server.control(accident("setMessageReaction", 1, forbidden));
    telegram.deliver("forbidden", &spoken(context(LEARNER, said, None))).await.unwrap();
    let answer = sent(&server).pop().unwrap();
    assert_eq!(
        (&answer["text"], &answer["reply_to_message"]["message_id"]),
        (&json!("Correct!"), &json!(said))
    );
}

#[tokio::test]
async fn refusals_are_sorted_by_their_cure() {
    let (server, telegram, said, _) = start().await;
    let refuse = |code, description: &str, parameters| Accident::Refuse {
        code,
        description: description.to_owned(),
        parameters,
    };
    let rows: [(Accident, bool, Option<u64>, &str); 9] = [
        (refuse(400, "Bad Request: chat not found", Value::Null), true, None, "chat not found"),
        (refuse(401, "Unauthorized", Value::Null), true, None, "token"),
        (refuse(403, "Forbidden: bot was blocked by the user", Value::Null), true, None, "blocked"),
        (refuse(404, "Not Found", Value::Null), true, None, "token"),
        (
            refuse(429, "Too Many Requests: retry after 3", json!({"retry_after": 3})),
            false,
            Some(3000),
            "retry after 3",
        ),
        (refuse(500, "Internal Server Error", Value::Null), false, None, "500"),
        (Accident::Page { status: 502 }, false, None, "not Telegram"),
        (Accident::Page { status: 404 }, false, None, "not Telegram"),
        (Accident::Page { status: 302 }, false, None, "not Telegram"),
    ];
    for (number, (accident, is_final, after_ms, word)) in rows.into_iter().enumerate() {
        // Each row has its own chat, because a pause applies to a whole chat.
        let chat_id = 100 + number as i64;
        server.control(Control::Chat { chat_id, is_forum: false, reactions: None });
        for (method, message) in [
            ("sendMessage", to_chat(chat_id, "Hi")),
            ("setMessageReaction", Message::react(context(LEARNER, said, None), "✅")),
        ] {
            let is_no_answer = matches!(&accident, Accident::Refuse { code: 400 | 403, .. });
            if method == "setMessageReaction" && is_no_answer {
                continue;
            }
            server.control(self::accident(method, 1, accident.clone()));
            let result = telegram.deliver(&format!("{number}/{method}"), &message).await;
            expect_trouble(&result, is_final, word);
            if let Err(Trouble::Retry { after_ms: found, .. }) = result {
                assert_eq!(found, after_ms, "{word}");
            }
        }
    }
    let unsent = [to_chat(12345, "Hi"), to_chat(LEARNER, " \n "), Message { to: None, ..to_chat(1, "Hi") }];
    let words = ["chat not found", "empty", "no Telegram chat"];
    for (message, word) in unsent.iter().zip(words) {
        expect_trouble(&telegram.deliver(word, message).await, true, word);
    }
    let nowhere = Message { to: Some("ada@example.org".into()), ..to_chat(1, "Hi") };
    expect_trouble(&telegram.deliver("nowhere", &nowhere).await, true, "not a Telegram chat");
    server.control(Control::Block { chat_id: LEARNER, is_blocked: true });
    for message in [to_chat(LEARNER, "Hi"), Message::react(context(LEARNER, said, None), "✅")] {
        expect_trouble(&telegram.deliver("blocked", &message).await, true, "blocked by the user");
    }
    let stranger = TelegramConfig { token: outside::model::Secret::new("99:wrong"), ..config(&server.url) };
    let stranger = Telegram::new(&stranger).unwrap();
    expect_trouble(&stranger.deliver("stranger", &to_chat(LEARNER, "Hi")).await, true, "token");
}

#[tokio::test]
async fn a_group_that_became_a_supergroup_is_followed() {
    let (server, telegram, ..) = start().await;
    server.control(Control::Chat { chat_id: -5, is_forum: false, reactions: None });
    server.control(Control::Migrate { chat_id: -5, to: -1005 });
    let delivered = telegram.deliver("moved", &to_chat(-5, "Hi")).await.unwrap();
    assert!(matches!(delivered, Delivered::Telegram { chat_id: -1005, .. }), "{delivered:?}");
}

#[tokio::test]
async fn a_slow_reply_is_awaited_within_bounds() {
    let (server, telegram, ..) = start().await;
    let rows = [
        ("patient", Accident::SlowBody { ms: 200 }, true),
        ("patient too", Accident::Slow { ms: 200 }, true),
        ("dripping", Accident::SlowBody { ms: 6_000 }, false),
        ("silent", Accident::Slow { ms: 6_000 }, false),
    ];
    for (name, slow, is_delivered) in rows {
        server.control(accident("sendMessage", 1, slow).performed());
        let result = telegram.deliver(name, &to_chat(LEARNER, "Hi")).await;
        assert_eq!(result.is_ok(), is_delivered, "{name}: {result:?}");
        if !is_delivered {
            expect_trouble(&result, false, "sendMessage");
        }
    }
}

/// No client can prevent this: the reply is lost after the message was sent.
#[tokio::test]
async fn a_lost_reply_repeats_the_message() {
    let (server, telegram, ..) = start().await;
    server.control(accident("sendMessage", 1, Accident::Cut).performed());
    expect_trouble(&telegram.deliver("key", &to_chat(LEARNER, "Hi")).await, false, "sendMessage");
    telegram.deliver("key", &to_chat(LEARNER, "Hi")).await.unwrap();
    assert_eq!(sent(&server).len(), 2);
}

/// The server enforces Telegram's limits; the client's own limits stay below them.
#[tokio::test]
async fn the_pace_keeps_telegram_from_refusing() {
    let (server, ..) = start().await;
    server.control(Control::EnforceLimits);
    for chat_id in 1..=40 {
        server.control(Control::Chat { chat_id, is_forum: false, reactions: None });
    }
    let telegram =
        Telegram::new(&TelegramConfig { limits: RateLimits::default(), ..config(&server.url) }).unwrap();
    let crowd = (1..=40).chain([1, 2, 2]).enumerate().map(|(number, chat_id)| {
        let telegram = &telegram;
        async move { telegram.deliver(&format!("crowd/{number}"), &to_chat(chat_id, "Hi")).await }
    });
    for result in join_all(crowd).await {
        result.unwrap();
    }
    assert_eq!(sent(&server).len(), 43);
    // Without the client's limits, this server refuses.
    let hasty = &telegram_at(&server.url);
    let keys = ["hasty/1", "hasty/2", "hasty/3"];
    let rush = keys.map(|key| async move { hasty.deliver(key, &to_chat(LEARNER, "Hi")).await });
    let results = join_all(rush).await;
    let is_refused =
        |result: &Result<_, Trouble>| matches!(result, Err(Trouble::Retry { after_ms: Some(1000), .. }));
    assert!(results.iter().any(is_refused), "{results:?}");
}

#[tokio::test]
async fn a_long_wait_is_reported_instead_of_waited_for() {
    let (server, ..) = start().await;
    let limits = RateLimits { chat_interval_ms: 60_000, ..RateLimits::default() };
    let telegram = Telegram::new(&TelegramConfig { limits, ..config(&server.url) }).unwrap();
    telegram.deliver("first", &to_chat(LEARNER, "Hi")).await.unwrap();
    let result = telegram.deliver("second", &to_chat(LEARNER, "Hi")).await;
    let Err(Trouble::Retry { after_ms: Some(after_ms), .. }) = result else { panic!("{result:?}") };
    assert!((50_000..=60_000).contains(&after_ms), "{after_ms}");
    assert_eq!(sent(&server).len(), 1);
}

/// After a 429, no message at all is sent to that chat.
#[tokio::test]
async fn a_requested_pause_holds_for_the_chat() {
    let (server, telegram, ..) = start().await;
    server.control(accident(
        "sendMessage",
        1,
        Accident::Refuse {
            code: 429,
            description: "Too Many Requests: retry after 60".into(),
            parameters: json!({"retry_after": 60}),
        },
    ));
    expect_trouble(&telegram.deliver("first", &to_chat(LEARNER, "Hi")).await, false, "retry after 60");
    expect_trouble(&telegram.deliver("second", &to_chat(LEARNER, "Hi")).await, false, "share of messages");
    telegram.deliver("elsewhere", &to_chat(FORUM, "Hi")).await.unwrap();
    assert_eq!(sent(&server).len(), 1);
}

fn accident(method: &str, times: u32, accident: Accident) -> Control {
    Control::Accident { method: method.to_owned(), times, performed: false, accident }
}

impl Control {
    fn performed(self) -> Self {
        match self {
            Self::Accident { method, times, accident, .. } => {
                Self::Accident { method, times, performed: true, accident }
            }
            other => other,
        }
    }
}

fn sent(server: &BotApi) -> Vec<Value> {
    server.report()["sent"].as_array().unwrap().clone()
}
