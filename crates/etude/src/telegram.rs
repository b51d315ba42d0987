//! The conversation on Telegram: what people write becomes turns, and what follows from them is said in their chat.
//!
//! Every message is taken once. What is to be done about it is decided and written down first, under the number of its
//! update; then it is done, with keys made of that number; then the update is confirmed. A crash anywhere in between
//! repeats what was written down, and whatever was done already is recognised by its key. Replies leave through the
//! outbox: they are written with the turn that says them, or under a key of their own.

mod commands;
mod linking;
mod reading;
mod routing;

use crate::app::App;
use crate::failure::Failure;
use crate::notices;
use crate::teaching::{COURSE, REVIEW};
use crate::turn::{self, Opening, Request, Via};
use coaching::turn::Source;
use futures_util::future::join_all;
use outside::model::Secret;
use outside::notify::{Incoming, Message, Telegram, Trouble, Update};
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};
use std::collections::BTreeMap;
use std::sync::Arc;
use std::time::Duration;
use store::RecordChange;
use tokio::sync::watch;
use uuid::Uuid;

pub use linking::{LINK_KIND, link_code, of_chat};

/// The kinds of records: where polling goes on, what was heard in a chat, whose chat it is, and which course a topic
/// of a forum belongs to.
const OFFSET_KIND: &str = "telegram_offset";
const HEARD_KIND: &str = "heard";
pub const CHAT_KIND: &str = "chat";
const TOPIC_KIND: &str = "topic";

const POLL_WAIT_S: u64 = 25;
const FIRST_PAUSE: Duration = Duration::from_millis(500);
const LONGEST_PAUSE: Duration = Duration::from_secs(60);
/// How many updates of a chat are known to be done; as many as one poll may bring.
const MAX_HEARD: usize = 100;
/// How often somebody else may be faster.
const MAX_TRIES: usize = 8;

/// How people reach the bot.
#[derive(Debug, Clone)]
pub struct Bot {
    /// The number of the bot, which is no secret.
    id: String,
    /// What requests to the webhook carry.
    secret: Secret,
    pub webhook_url: Option<String>,
}

impl Bot {
    /// The secret of the webhook follows from the token, so that all nodes know the same one.
    pub fn new(token: &Secret, webhook_url: Option<String>) -> Bot {
        let token = token.reveal();
        let id = token.split(':').next().unwrap_or_default().to_owned();
        let secret = Uuid::new_v5(&Uuid::NAMESPACE_OID, format!("webhook {token}").as_bytes());
        Bot { id, secret: Secret::new(secret.simple().to_string()), webhook_url }
    }

    pub fn secret(&self) -> &Secret {
        &self.secret
    }
}

/// What is to be done about a message.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(tag = "do", rename_all = "snake_case")]
enum Plan {
    /// An event for a flow.
    Send {
        instance: String,
        event: String,
        payload: Value,
    },
    Learn {
        topic: String,
    },
    Review {
        mind_map_id: String,
    },
    /// An answer that no flow gives.
    Say {
        text: String,
    },
}

/// What was heard in a chat: the updates that are done, and the one that is at hand.
#[derive(Debug, Clone, Default, Serialize, Deserialize)]
struct Heard {
    done: Vec<i64>,
    at_hand: Option<(i64, Plan)>,
}

/// Listens until told to stop: by polling, or by telling Telegram where to bring updates.
pub async fn listen(app: Arc<App>, mut stop: watch::Receiver<bool>) {
    let (Some(bot), Some(telegram)) = (&app.bot, app.notifier.as_ref().and_then(|all| all.telegram.as_ref()))
    else {
        return;
    };
    let mut pause = FIRST_PAUSE;
    loop {
        let begun = match &bot.webhook_url {
            Some(url) => telegram.set_webhook(url, &bot.secret).await,
            None => telegram.delete_webhook().await,
        };
        match begun {
            Ok(()) => break,
            Err(trouble) => tracing::warn!(%trouble, "Telegram could not be told how it reaches this server"),
        }
        if rested(&mut stop, &mut pause, None).await {
            return;
        }
    }
    if bot.webhook_url.is_none() {
        poll(&app, bot, telegram, stop).await;
    }
}

async fn poll(app: &App, bot: &Bot, telegram: &Telegram, mut stop: watch::Receiver<bool>) {
    let mut pause = FIRST_PAUSE;
    while !*stop.borrow() {
        let asked = tokio::select! {
            asked = next_updates(app, bot, telegram) => asked,
            _ = stop.changed() => return,
        };
        let after_ms = match asked {
            Ok(updates) => match take_all(app, bot, &updates).await {
                Ok(()) => {
                    pause = FIRST_PAUSE;
                    continue;
                }
                Err(failure) => {
                    tracing::warn!(%failure, "messages could not be taken; they come again");
                    None
                }
            },
            Err(trouble) => {
                tracing::warn!(%trouble, "Telegram could not be asked for messages");
                match trouble {
                    Trouble::Retry { after_ms, .. } => after_ms,
                    Trouble::Final { .. } => None,
                }
            }
        };
        if rested(&mut stop, &mut pause, after_ms).await {
            return;
        }
    }
}

/// Waits, longer each time; true when it is time to stop.
async fn rested(stop: &mut watch::Receiver<bool>, pause: &mut Duration, after_ms: Option<u64>) -> bool {
    let wait = after_ms.map_or(*pause, Duration::from_millis).min(LONGEST_PAUSE);
    *pause = (*pause * 2).min(LONGEST_PAUSE);
    tokio::select! {
        _ = tokio::time::sleep(wait) => *stop.borrow(),
        _ = stop.changed() => true,
    }
}

async fn next_updates(app: &App, bot: &Bot, telegram: &Telegram) -> Result<Vec<Update>, Trouble> {
    let unknown = |error: store::StoreError| Trouble::Retry { after_ms: None, reason: error.to_string() };
    let record = app.store.record("", OFFSET_KIND, &bot.id).await.map_err(unknown)?;
    let offset = record.and_then(|record| serde_json::from_str(&record.body).ok());
    telegram.updates(offset, POLL_WAIT_S).await
}

/// Takes what a poll has brought, and then confirms it. Chats do not wait for each other; what is said in one is taken
/// in its order.
async fn take_all(app: &App, bot: &Bot, updates: &[Update]) -> Result<(), Failure> {
    let Some(last) = updates.last() else { return Ok(()) };
    let mut chats: BTreeMap<i64, Vec<&Update>> = BTreeMap::new();
    for update in updates {
        chats.entry(update.message.as_ref().map_or(0, |message| message.chat_id)).or_default().push(update);
    }
    let taken = chats.into_values().map(|updates| async move {
        for update in updates {
            take(app, update).await?;
        }
        Ok::<(), Failure>(())
    });
    join_all(taken).await.into_iter().collect::<Result<(), Failure>>()?;
    let confirmed = RecordChange {
        kind: OFFSET_KIND.to_owned(),
        key: bot.id.clone(),
        body: Some((last.update_id + 1).to_string()),
        ..RecordChange::default()
    };
    Ok(app.store.remember(&[confirmed], app.clock.now()).await?)
}

/// Takes one update. Fails only when it has to come again.
pub async fn take(app: &App, update: &Update) -> Result<(), Failure> {
    let Some(message) = &update.message else { return Ok(()) };
    // Bots that answer each other never end.
    if message.from.as_ref().is_some_and(|person| person.is_bot) {
        return Ok(());
    }
    metrics::counter!("etude_chat_messages_total").increment(1);
    match linking::learner_of(app, message.chat_id).await? {
        // A chat that is linked may be linked to somebody else.
        Some(learner) if linking::code(message).is_none() => {
            let Some(plan) = decided(app, &learner, update.update_id, message).await? else { return Ok(()) };
            carry_out(app, &learner, update.update_id, message, plan).await
        }
        _ => linking::meet(app, update.update_id, message).await,
    }
}

/// What is to be done, written down before it is done; `None` when it was done before.
async fn decided(
    app: &App,
    learner: &str,
    update_id: i64,
    message: &Incoming,
) -> Result<Option<Plan>, Failure> {
    let chat = message.chat_id.to_string();
    for _ in 0..MAX_TRIES {
        let before = app.store.record(learner, HEARD_KIND, &chat).await?.map(|record| record.body);
        let mut heard: Heard =
            before.as_deref().and_then(|body| serde_json::from_str(body).ok()).unwrap_or_default();
        match heard.at_hand.take() {
            Some((known, plan)) if known == update_id => return Ok(Some(plan)),
            Some((known, _)) => heard.done.push(known),
            None => {}
        }
        if heard.done.contains(&update_id) {
            return Ok(None);
        }
        let plan = match commands::plan(app, learner, message).await {
            Err(failure) if !failure.may_pass() => Plan::Say { text: unused(learner, update_id, &failure) },
            plan => plan?,
        };
        heard.done.drain(..heard.done.len().saturating_sub(MAX_HEARD));
        heard.at_hand = Some((update_id, plan.clone()));
        let body = json!(heard).to_string();
        let place = (learner, HEARD_KIND, chat.as_str());
        if app.store.swap_record(place, before.as_deref(), (&body, None), app.clock.now()).await? {
            return Ok(Some(plan));
        }
    }
    Err(Failure::Conflict { version: 0, state: "the chat".to_owned() })
}

/// Does what was decided. What cannot be done is told; only a store that does not answer makes the update come again.
async fn carry_out(
    app: &App,
    learner: &str,
    update_id: i64,
    message: &Incoming,
    plan: Plan,
) -> Result<(), Failure> {
    let done = match plan {
        Plan::Say { text } => Ok(Some(text)),
        Plan::Send { instance, event, payload } => {
            send(app, update_id, message, (&instance, &event, payload)).await.map(|()| farewell(&event))
        }
        Plan::Learn { topic } => learn(app, learner, update_id, message, &topic).await.map(|()| None),
        Plan::Review { mind_map_id } => {
            let id = format!("{mind_map_id}.review-tg{update_id}");
            open(app, learner, REVIEW, id, json!({"ahead": true}), message).await.map(|()| None)
        }
    };
    let text = match done {
        Ok(None) => return Ok(()),
        Ok(Some(text)) => text,
        Err(failure) if failure.may_pass() => return Err(failure),
        Err(failure) => unused(learner, update_id, &failure),
    };
    let reply = Message { to: Some(message.chat_id.to_string()), ..Message::reply(message.context(), text) };
    notices::post_message(app, &notices::in_chat_of(learner), &format!("tg-{update_id}"), reply).await
}

/// What is told about a message that nothing could be made of.
fn unused(learner: &str, update_id: i64, failure: &Failure) -> String {
    tracing::info!(learner, update_id, %failure, "a message could not be used");
    reading::refusal(failure)
}

async fn send(
    app: &App,
    update_id: i64,
    message: &Incoming,
    (instance, event, payload): (&str, &str, Value),
) -> Result<(), Failure> {
    let request = Request {
        payload,
        request: Some(format!("tg-{update_id}")),
        via: Via::Chat(message.context()),
        ..Request::new(instance, event, Source::User)
    };
    for _ in 0..MAX_TRIES {
        match turn::take(app, request.clone()).await {
            Err(Failure::Conflict { .. }) => {
                tracing::debug!(instance, "another turn was faster; this one is decided again")
            }
            taken => return taken.map(drop),
        }
    }
    turn::take(app, request).await.map(drop)
}

/// Only an end that the flow itself says nothing about needs a word.
fn farewell(event: &str) -> Option<String> {
    (event == "abandon").then(|| "It is put aside. What you know is kept.".to_owned())
}

/// The id of the course follows from the message, so that it is started once.
async fn learn(
    app: &App,
    learner: &str,
    update_id: i64,
    message: &Incoming,
    topic: &str,
) -> Result<(), Failure> {
    let name = format!("telegram/{}/{update_id}", message.chat_id);
    let id = Uuid::new_v5(&Uuid::NAMESPACE_OID, name.as_bytes()).to_string();
    open(app, learner, COURSE, id.clone(), json!({"topic": topic}), message).await?;
    let Some(thread_id) = message.thread_id else { return Ok(()) };
    // From now on, what is said in this topic is about this course.
    let topic = RecordChange {
        kind: TOPIC_KIND.to_owned(),
        key: format!("{}/{thread_id}", message.chat_id),
        body: Some(json!({"instance": id}).to_string()),
        scope: id,
        ..RecordChange::default()
    };
    Ok(app.store.remember(&[topic], app.clock.now()).await?)
}

async fn open(
    app: &App,
    learner: &str,
    flow: &str,
    id: String,
    opening: Value,
    message: &Incoming,
) -> Result<(), Failure> {
    let opening = Opening {
        flow: flow.to_owned(),
        learner: learner.to_owned(),
        id: Some(id),
        opening,
        via: Via::Chat(message.context()),
        ..Opening::default()
    };
    turn::open(app, opening).await.map(drop)
}
