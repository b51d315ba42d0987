//! Tests of single updates: repeated ones, as after a crash; unusable ones; and a chat that changes hands.

use crate::common::stored::{displace, document};
use crate::telegram::bot::BotApi;
use coaching::learner::Channel;
use outside::model::Secret;
use outside::notify::{Incoming, Said, Update};
use serde_json::json;
use shell::builtin;
use shell::chat::{Bot, take, take_brought};
use shell::effects::notices::deliver;
use shell::effects::{self, Outside};
use shell::engine::app::App;
use shell::engine::clock::Clock;
use shell::engine::turn::Opening;
use shell::learners::chats::link_code;
use shell::learners::profiles;
use std::sync::Arc;
use store::{At, Filter, RecordChange, Store};

const CHAT: i64 = 42;

async fn app(address: &str) -> App {
    let store = Store::open(address).await.expect("the store opens");
    effects::app(store, builtin::flows(None), Clock::set_to(At(1_790_071_200_000_000)), Outside::default())
}

fn update(update_id: i64, text: &str) -> Update {
    reply(update_id, text, None)
}

fn reply(update_id: i64, text: &str, reply_to_message_id: Option<i64>) -> Update {
    said_in(CHAT, update_id, Said::Text(text.to_owned()), reply_to_message_id)
}

fn said_in(chat_id: i64, update_id: i64, said: Said, reply_to_message_id: Option<i64>) -> Update {
    let message = Incoming {
        chat_id,
        thread_id: None,
        message_id: update_id * 10,
        reply_to_message_id,
        is_from_bot: false,
        language: None,
        said,
    };
    Update { update_id, message: Some(message) }
}

async fn open(app: &App, flow: &str) -> Vec<String> {
    let filter = Filter { flow: Some(flow.into()), ..Filter::default() };
    let page = app.store.list(&filter, None, 100).await.expect("flows are read");
    page.instances.into_iter().map(|row| row.id).collect()
}

async fn answers(app: &App) -> usize {
    let mut count = 0;
    for id in open(app, "teach").await {
        let log = app.store.log(&id, 0, 1_000).await.expect("the log is read");
        count += log.iter().filter(|entry| entry.event == "answered").count();
    }
    count
}

#[tokio::test]
async fn a_repeated_update_changes_nothing() {
    let app = app("sqlite::memory:").await;
    let code = link_code(&app, "ada", [7; 10]).await.expect("a code");
    let conversation = [
        (1, format!("/start {code}"), 0, 0),
        (2, "/learn sql".to_owned(), 1, 0),
        (3, "I don't know".to_owned(), 1, 1),
        // Another course has now asked last; an old answer must not count for it.
        (4, "/learn probability".to_owned(), 2, 1),
        (3, "I don't know".to_owned(), 2, 1),
        (5, "no idea".to_owned(), 2, 2),
        (6, "/review".to_owned(), 2, 2),
    ];
    for (update_id, text, courses, answered) in conversation {
        for _ in 0..2 {
            take(&app, &update(update_id, &text)).await.expect("it is taken");
            app.clock.pass_ms(1);
            let found = (open(&app, "teach").await.len(), answers(&app).await);
            assert_eq!(found, (courses, answered), "{update_id} {text}");
        }
    }
    assert_eq!(open(&app, "review").await.len(), 1);
    let told = app.store.effects(&format!("chat/{CHAT}")).await.expect("effects are read");
    assert_eq!(told.len(), 1, "the link is confirmed once");
}

/// Returns the text that an owner was sent under a key.
async fn told(app: &App, owner: &str, key: &str) -> String {
    let effects = app.store.effects(owner).await.expect("effects are read");
    let told = effects.into_iter().find(|effect| effect.key == format!("{owner}/{key}"));
    told.map_or_else(String::new, |effect| effect.payload)
}

enum Damage {
    None,
    State,
    Data,
    Profile,
}

impl Damage {
    async fn happen(self, app: &App, course: &str) {
        let instance = app.store.load(course).await.expect("a read").expect("a course");
        match self {
            Damage::None => {}
            Damage::State => displace(&app.store, &instance, |it| it.state = "nowhere".into()).await,
            Damage::Data => displace(&app.store, &instance, |it| it.data = "{}".into()).await,
            Damage::Profile => document(&app.store, "ada", "profile", "me", "nonsense").await,
        }
    }
}

/// Each of these once kept the update from being confirmed, and thereby blocked all later updates, in all chats.
#[tokio::test]
async fn an_unusable_update_is_reported_and_blocks_no_other() {
    let app = app("sqlite::memory:").await;
    let code = link_code(&app, "ada", [7; 10]).await.expect("a code");
    for (update_id, text) in [(1, format!("/start {code}")), (2, "/learn sql".to_owned())] {
        take(&app, &update(update_id, &text)).await.expect("it is taken");
    }
    let first = open(&app, "teach").await.remove(0);
    // (damage, the person's message, a part of the answer)
    let rows = [
        (Damage::State, "hello", "Something is wrong with this course"),
        (Damage::State, "/why", "marked an answer of yours"),
        (Damage::Data, "/list", "You have no open course"),
        (Damage::Data, "/learn probability", ""),
        (Damage::None, "I don't know", ""),
        (Damage::Profile, "/help", "/learn`"),
    ];
    for (update_id, (damage, text, expected)) in (3..).zip(rows) {
        damage.happen(&app, &first).await;
        take(&app, &update(update_id, text)).await.expect("it is taken");
        app.clock.pass_ms(1);
        let told = told(&app, "learner/ada/chat", &format!("tg-{update_id}")).await;
        assert!(told.contains(expected) && told.is_empty() == expected.is_empty(), "{text}: {told}");
    }
    let second = open(&app, "teach").await.into_iter().find(|id| *id != first).expect("another course");
    let log = app.store.log(&second, 0, 100).await.expect("the log is read");
    assert!(log.iter().any(|entry| entry.event == "answered"), "the course that can go on has it: {log:?}");

    // An unreadable profile is not overwritten, and the chat is told why.
    let code = link_code(&app, "ada", [9; 10]).await.expect("a code");
    take(&app, &update(20, &format!("/start {code}"))).await.expect("it is taken");
    assert!(told(&app, "chat/42", "link-20").await.contains("could not link"));
    let kept = app.store.record("ada", "profile", "me").await.expect("a read").expect("a profile");
    assert_eq!(kept.body, "nonsense");
}

#[tokio::test]
async fn a_reassigned_chat_belongs_to_its_new_owner_only() {
    let app = app("sqlite::memory:").await;
    for (update_id, learner) in [(1, "ada"), (3, "bob")] {
        let code = link_code(&app, learner, [update_id as u8; 10]).await.expect("a code");
        take(&app, &update(update_id, &format!("/start {code}"))).await.expect("it is linked");
        take(&app, &update(update_id + 1, "/learn sql")).await.expect("a course begins");
    }
    for (learner, expected) in [("ada", (None, Channel::Inbox)), ("bob", (Some(CHAT), Channel::Telegram))] {
        let profile = profiles::read(&app.store, learner).await.expect("a profile");
        assert_eq!((profile.telegram_chat, profile.preferred_channel), expected, "{learner}");
    }
    // One message belongs to her course and one to a job; a reply to either is no answer to his question.
    let filter = Filter { learner: Some("ada".into()), ..Filter::default() };
    let hers = app.store.list(&filter, None, 1).await.expect("flows").instances.remove(0).id;
    for (nth, instance) in [(0, hers.as_str()), (1, "learner/bob/chat")] {
        let sent = RecordChange {
            kind: "sent".into(),
            key: format!("{CHAT}/{}", 900 + nth),
            body: Some(json!({"instance": instance}).to_string()),
            scope: instance.into(),
            ..RecordChange::default()
        };
        app.store.remember(&[sent], app.clock.now()).await.expect("it was sent");
        take(&app, &reply(10 + nth, "no idea", Some(900 + nth))).await.expect("it is taken");
        let told = told(&app, "learner/bob/chat", &format!("tg-{}", 10 + nth)).await;
        assert!(told.contains("wasn't a question"), "{instance}: {told}");
    }
    assert_eq!(answers(&app).await, 0);
    take(&app, &update(20, "no idea")).await.expect("it is taken");
    assert_eq!(answers(&app).await, 1);

    // An unsent message goes only to the learner it was written for.
    let (bot, is_probe) = (BotApi::start(), |text: &String| text.contains("First a few questions"));
    bot.say(CHAT, "hello");
    let notifier = bot.notifier();
    for (id, heard) in [(hers.as_str(), 0), (his(&app).await.as_str(), 1)] {
        for effect in app.store.effects(id).await.expect("effects are read") {
            deliver(&notifier, &app, &effect).await.expect("it is delivered, or kept");
        }
        assert_eq!(bot.said(CHAT).iter().filter(|text| is_probe(text)).count(), heard, "{id}");
    }
    let kept = app.store.records("ada", "inbox", 10).await.expect("an inbox");
    assert!(kept.iter().any(|record| is_probe(&record.body)), "{kept:?}");
}

async fn his(app: &App) -> String {
    let filter = Filter { learner: Some("bob".into()), flow: Some("teach".into()), ..Filter::default() };
    app.store.list(&filter, None, 1).await.expect("flows").instances.remove(0).id
}

/// No model answers here, so the course on buttons has no map.
#[tokio::test]
async fn a_course_without_a_map_gets_one_from_the_chat() {
    let app = app("sqlite::memory:").await;
    let code = link_code(&app, "ada", [7; 10]).await.expect("a code");
    take(&app, &update(1, &format!("/start {code}"))).await.expect("it is linked");
    take(&app, &update(2, "/plan")).await.expect("it is taken");
    assert!(told(&app, "learner/ada/chat", "tg-2").await.contains("takes `/plan`"));
    let opening = Opening {
        flow: "teach".into(),
        learner: "ada".into(),
        opening: json!({"topic": "buttons", "model": true}),
        ..Opening::default()
    };
    let id = shell::engine::turn::open(&app, opening).await.expect("a course begins").view.id;
    // (the person's message, a part of the answer, the state of the course afterwards)
    let rows = [
        ("hello", "`/plan` tries again", "unsurveyed"),
        ("/plan cooking", "no curriculum “cooking”", "unsurveyed"),
        ("/plan", "", "unsurveyed"),
        ("/plan sql", "", "diagnosing"),
    ];
    for (update_id, (text, expected, state)) in (3..).zip(rows) {
        take(&app, &update(update_id, text)).await.expect("it is taken");
        // Messages about the course come after those from the course.
        let key = format!("tg-{update_id}");
        let told = told(&app, "learner/ada/chat", &key).await + &told(&app, &id, &key).await;
        assert!(told.contains(expected) && told.is_empty() == expected.is_empty(), "{text}: {told}");
        let found = app.store.load(&id).await.expect("a read").expect("a course").state;
        assert_eq!(found, state, "{text}");
    }
}

/// A slash starts a command only if a command's name follows.
#[tokio::test]
async fn answers_may_begin_with_a_slash() {
    let app = app("sqlite::memory:").await;
    let code = link_code(&app, "ada", [7; 10]).await.expect("a code");
    take(&app, &update(1, &format!("/start {code}"))).await.expect("it is linked");
    take(&app, &update(2, "/tmp is a folder")).await.expect("it is taken");
    assert!(told(&app, "learner/ada/chat", "tg-2").await.contains("/learn`"), "nothing waits");
    let node = "00000000-0000-7000-8000-000000000001";
    let map = json!({"mind_map_id": node, "title": "Tea", "nodes": [{"node_id": node, "label": "Water"}]});
    let opening = Opening {
        flow: "teach".into(),
        learner: "ada".into(),
        opening: json!({"topic": "three letters", "map": map}),
        ..Opening::default()
    };
    shell::engine::turn::open(&app, opening).await.expect("a course begins");
    for (update_id, text) in (3..).zip(["/", "// cuts the rest off", "/etc/hosts", "/tmp is a folder"]) {
        take(&app, &update(update_id, text)).await.expect("it is taken");
        let told = told(&app, "learner/ada/chat", &format!("tg-{update_id}")).await;
        assert!(!told.contains("/learn`"), "{text}: {told}");
    }
}

#[tokio::test]
async fn group_updates_are_understood() {
    let (app, group) = (app("sqlite::memory:").await, -1001);
    let code = link_code(&app, "ada", [7; 10]).await.expect("a code");
    let text = |text: &str| Said::Text(text.to_owned());
    let updates = [
        // No code was requested and nothing was said.
        (CHAT, Said::Nothing),
        (CHAT, text(&format!("/startle {code}"))),
        (CHAT, text(&format!("/start@etude_bot {code}"))),
        (CHAT, Said::Nothing),
        (group, Said::Moved { from: CHAT }),
        (group, text("/list")),
    ];
    for (update_id, (chat_id, said)) in (1..).zip(updates) {
        take(&app, &said_in(chat_id, update_id, said, None)).await.expect("it is taken");
    }
    let told = app.store.effects(&format!("chat/{CHAT}")).await.expect("effects are read");
    let keys: Vec<&str> = told.iter().map(|effect| effect.key.as_str()).collect();
    assert_eq!(keys, ["chat/42/link-3", "chat/42/welcome"]);
    let profile = profiles::read(&app.store, "ada").await.expect("a profile");
    assert_eq!(profile.telegram_chat, Some(group));
    let told = app.store.effects("learner/ada/chat").await.expect("effects are read");
    assert!(told.len() == 1 && told[0].payload.contains("You have no open course"), "{told:?}");
    // Attempts to guess codes are answered only now and then.
    for update_id in 10..30 {
        take(&app, &said_in(7, update_id, text("/start WRONGCODE2"), None)).await.expect("it is taken");
    }
    assert_eq!(app.store.effects("chat/7").await.expect("effects are read").len(), 1);
}

/// A webhook may deliver the second message before the first is done, or to another node.
#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn messages_of_one_chat_are_taken_in_turn() {
    let app = Arc::new(app("sqlite::memory:").await);
    let bot = Bot::new(&Secret::new("1:token"), None);
    let code = link_code(&app, "ada", [7; 10]).await.expect("a code");
    take(&app, &update(1, &format!("/start {code}"))).await.expect("it is linked");
    for nth in 1..=20 {
        let brought = [2 * nth, 2 * nth + 1].map(|update_id| {
            let (app, bot) = (app.clone(), bot.clone());
            tokio::spawn(async move { take_brought(&app, &bot, &update(update_id, "/list")).await })
        });
        for taken in brought {
            taken.await.expect("no panic").expect("neither is in the way of the other");
        }
    }

    // Another node is working on an update, so the next one has to wait, but not forever.
    let at_hand = json!({"done": [], "at_hand": [50, {"do": "say", "text": "…"}]}).to_string();
    let heard = RecordChange {
        learner: "ada".into(),
        kind: "heard".into(),
        key: CHAT.to_string(),
        body: Some(at_hand),
        ..RecordChange::default()
    };
    app.store.remember(&[heard], app.clock.now()).await.expect("it is at hand");
    assert!(take(&app, &update(51, "/help")).await.is_err());
    app.clock.pass_ms(61_000);
    take(&app, &update(51, "/help")).await.expect("it is taken");
}
