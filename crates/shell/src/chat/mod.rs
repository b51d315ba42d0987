//! Holds the conversation on Telegram: messages become turns, and the replies go to the same chat.
//!
//! Every message is handled once. The bot decides what to do and first records that decision, under the number of
//! the update. Then it acts, with keys made from that number. Then it confirms the update. After a crash anywhere
//! in between, it repeats the recorded step, and the keys show what was already done. Replies leave through the
//! outbox: they are written with the turn that says them, or under a key of their own.

mod commands;
mod linking;
mod polling;
mod reading;
mod routing;

use crate::effects::{notices, words};
use crate::engine::app::App;
use crate::engine::call;
use crate::engine::failure::Failure;
use crate::engine::turn::{self, Opening, Request, Via};
use crate::engine::view::{Answer, View};
use crate::learners::chats;
use crate::learners::language;
use crate::teach::teaching::REVIEW;
use coaching::face::Does;
use coaching::grade::UNCLEAR;
use coaching::teach::verbs::ANSWER;
use coaching::turn::Source;
use coaching::words::Text;
use outside::model::Secret;
use outside::notify::{Incoming, Message, Said, Update};
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};
use std::sync::Arc;
use store::{Record, RecordChange};
use tokio::sync::{Mutex, watch};
use uuid::Uuid;

/// The kinds of records: the polling offset, the updates heard in a chat, and the course of a forum topic.
const OFFSET_KIND: &str = "telegram_offset";
const HEARD_KIND: &str = "heard";
const TOPIC_KIND: &str = "topic";

/// The most finished updates that a chat remembers: as many as one poll can return.
const MAX_HEARD: usize = 100;
/// The most attempts at a write that loses races.
const MAX_TRIES: usize = 8;
/// How long another node may take for the update that it is working on, in milliseconds.
const AT_HAND_MS: i64 = 60_000;
/// The number of queues. Two chats share one only by accident, and then lose little.
const CHAT_QUEUES: usize = 256;

/// The bot's identity and the way Telegram reaches it.
#[derive(Debug, Clone)]
pub struct Bot {
    /// The numeric id of the bot, which is not a secret.
    id: String,
    /// The secret that requests to the webhook carry.
    secret: Secret,
    pub webhook_url: Option<String>,
    /// Updates of one chat that arrive by webhook wait for each other here.
    queues: Arc<[Mutex<()>]>,
}

impl Bot {
    /// Creates a bot. The secret of the webhook is derived from the token, so that all nodes know the same one.
    pub fn new(token: &Secret, webhook_url: Option<String>) -> Bot {
        let token = token.reveal();
        let id = token.split(':').next().unwrap_or_default().to_owned();
        let secret = Uuid::new_v5(&Uuid::NAMESPACE_OID, format!("webhook {token}").as_bytes());
        let queues = std::iter::repeat_with(Mutex::default).take(CHAT_QUEUES).collect();
        Bot { id, secret: Secret::new(secret.simple().to_string()), webhook_url, queues }
    }

    pub fn secret(&self) -> &Secret {
        &self.secret
    }
}

/// Takes an update from the webhook, after earlier updates of the same chat.
pub async fn take_brought(app: &App, bot: &Bot, update: &Update) -> Result<(), Failure> {
    let chat_id = update.message.as_ref().map_or(0, |message| message.chat_id);
    let queue = &bot.queues[chat_id.unsigned_abs() as usize % CHAT_QUEUES];
    let _turn = queue.lock().await;
    take(app, update).await
}

/// The decision about a message.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(tag = "do", rename_all = "snake_case")]
enum Plan {
    /// An event for a flow.
    Send {
        instance: String,
        event: String,
        payload: Value,
    },
    /// A new flow.
    Open {
        flow: String,
        opening: Value,
    },
    Review {
        mind_map_id: String,
    },
    /// A reply that comes from no flow.
    Say {
        text: Text,
        /// The flow that then asks its question again.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        asking: Option<String>,
    },
}

/// The record of a chat: the finished updates, and the current one.
#[derive(Debug, Clone, Default, Serialize, Deserialize)]
struct Heard {
    done: Vec<i64>,
    at_hand: Option<(i64, Plan)>,
    /// The flow that was answered last, open or not.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    answered: Option<String>,
}

/// Listens until told to stop, by polling or by webhook.
pub async fn listen(app: Arc<App>, bot: Option<Bot>, mut stop: watch::Receiver<bool>) {
    let telegram = app.notifier.as_ref().and_then(|all| all.telegram.as_ref());
    let (Some(bot), Some(telegram)) = (bot, telegram) else { return };
    let mut pause = polling::FIRST_PAUSE;
    loop {
        let begun = match &bot.webhook_url {
            Some(url) => telegram.set_webhook(url, &bot.secret).await,
            None => telegram.delete_webhook().await,
        };
        match begun {
            Ok(()) => break,
            Err(trouble) => tracing::warn!(%trouble, "Telegram could not be told how it reaches this server"),
        }
        if polling::rested(&mut stop, &mut pause, None).await {
            return;
        }
    }
    if bot.webhook_url.is_none() {
        polling::poll(&app, &bot, telegram, stop).await;
    }
}

/// Takes one update. Fails only if the update has to come again. An update that can never succeed is logged and
/// dropped.
pub async fn take(app: &App, update: &Update) -> Result<(), Failure> {
    let Some(message) = &update.message else { return Ok(()) };
    match hear(app, update.update_id, message).await {
        Err(failure) if !failure.may_pass() && !matches!(failure, Failure::Conflict { .. }) => {
            tracing::error!(update.update_id, %failure, "a message could not be taken");
            Ok(())
        }
        heard => heard,
    }
}

async fn hear(app: &App, update_id: i64, message: &Incoming) -> Result<(), Failure> {
    match &message.said {
        // Two bots that answer each other would never end.
        _ if message.is_from_bot => return Ok(()),
        Said::Nothing => return Ok(()),
        Said::Moved { from } => return chats::follow(app, *from, message.chat_id).await,
        Said::Text(_) | Said::Unsupported(_) => {}
    }
    metrics::counter!("etude_chat_messages_total").increment(1);
    match chats::owner(app, message.chat_id).await? {
        // A linked chat may be linked to another learner.
        Some(learner) if linking::code(message).is_none() => {
            let Some(plan) = decided(app, &learner, update_id, message).await? else { return Ok(()) };
            carry_out(app, &learner, update_id, message, plan).await?;
            done(app, &learner, update_id, message).await
        }
        _ => linking::meet(app, update_id, message).await,
    }
}

/// Decides what to do and records the decision before it is carried out. Returns `None` if the update is finished.
async fn decided(
    app: &App,
    learner: &str,
    update_id: i64,
    message: &Incoming,
) -> Result<Option<Plan>, Failure> {
    let chat = message.chat_id.to_string();
    for _ in 0..MAX_TRIES {
        let record = app.store.record(learner, HEARD_KIND, &chat).await?;
        let mut heard = Heard::read(record.as_ref());
        if heard.done.contains(&update_id) {
            return Ok(None);
        }
        let now = app.clock.now();
        let is_young = record.as_ref().is_some_and(|record| now < record.updated_at.plus_ms(AT_HAND_MS));
        match heard.at_hand.take() {
            Some((known, plan)) if known == update_id => return Ok(Some(plan)),
            // Another node is working on it, or it failed and comes again. Either way this update waits for it.
            Some(_) if is_young => return Err(busy()),
            _ => {}
        }
        let plan = match commands::plan(app, learner, message).await {
            Err(failure) if !failure.may_pass() => {
                let language = language::of(app, learner, None, None).await?;
                let text = unused(app, (learner, &language), update_id, &failure);
                Plan::Say { text: text.into(), asking: None }
            }
            plan => plan?,
        };
        if let Plan::Send { instance, event, .. } = &plan
            && ANSWER.event() == Some(event)
        {
            heard.answered = Some(instance.clone());
        }
        heard.at_hand = Some((update_id, plan.clone()));
        if heard.write(app, learner, &chat, record.as_ref()).await? {
            return Ok(Some(plan));
        }
    }
    Err(busy())
}

/// Records that an update is finished. If that fails, the update comes again, and the keys show what was already
/// done.
async fn done(app: &App, learner: &str, update_id: i64, message: &Incoming) -> Result<(), Failure> {
    let chat = message.chat_id.to_string();
    for _ in 0..MAX_TRIES {
        let record = app.store.record(learner, HEARD_KIND, &chat).await?;
        let mut heard = Heard::read(record.as_ref());
        heard.at_hand = heard.at_hand.filter(|(at_hand, _)| *at_hand != update_id);
        heard.done.push(update_id);
        heard.done.drain(..heard.done.len().saturating_sub(MAX_HEARD));
        if heard.write(app, learner, &chat, record.as_ref()).await? {
            return Ok(());
        }
    }
    Err(busy())
}

fn busy() -> Failure {
    Failure::Conflict { version: 0, state: "the chat".to_owned() }
}

/// Returns the flow that was answered last in a chat.
async fn answered_last(app: &App, learner: &str, chat: i64) -> Result<Option<View>, Failure> {
    let record = app.store.record(learner, HEARD_KIND, &chat.to_string()).await?;
    let Some(id) = Heard::read(record.as_ref()).answered else { return Ok(None) };
    match app.store.load(&id).await? {
        Some(row) => Ok(Some(turn::look(app, row).await?)),
        None => Ok(None),
    }
}

impl Heard {
    fn read(record: Option<&Record>) -> Heard {
        record.and_then(|record| serde_json::from_str(&record.body).ok()).unwrap_or_default()
    }

    /// Writes the record unless another node has written it in the meantime. Returns whether it was written.
    async fn write(
        &self,
        app: &App,
        learner: &str,
        chat: &str,
        before: Option<&Record>,
    ) -> Result<bool, Failure> {
        let before = before.map(|record| record.body.as_str());
        let body = json!(self).to_string();
        let place = (learner, HEARD_KIND, chat);
        Ok(app.store.swap_record(place, before, (&body, None), app.clock.now()).await?)
    }
}

/// Carries out a decision. The learner is told of refusals; only a failing store makes the update come again.
async fn carry_out(
    app: &App,
    learner: &str,
    update_id: i64,
    message: &Incoming,
    plan: Plan,
) -> Result<(), Failure> {
    let language = language::of(app, learner, None, None).await?;
    let (mut asking, mut about) = (None, None);
    let done = match plan {
        Plan::Say { text, asking: flow } => {
            asking = flow;
            Ok(Some(text))
        }
        Plan::Send { instance, event, payload } => {
            let sent = send(app, update_id, message, (&instance, &event, payload)).await;
            // The bot repeats its question after an answer that it could not read.
            asking = sent.as_ref().is_err_and(is_unclear).then(|| instance.clone());
            about = Some(instance);
            sent.map(|answer| farewell(app, &answer, &event))
        }
        Plan::Open { flow, opening } => {
            begin(app, learner, update_id, message, &flow, opening).await.map(|()| None)
        }
        Plan::Review { mind_map_id } => {
            let id = format!("{mind_map_id}.review-tg{update_id}");
            open(app, learner, REVIEW, id, json!({"ahead": true}), message).await.map(|()| None)
        }
    };
    let text = match done {
        Ok(None) => return Ok(()),
        Ok(Some(text)) => text,
        Err(failure) if failure.may_pass() => return Err(failure),
        Err(failure) => Text::from(unused(app, (learner, &language), update_id, &failure)),
    };
    let text = app.words.say(&language, &text);
    let question = match &asking {
        Some(flow) => commands::question(app, learner, &turn::view_of(&app.load(flow).await?)).await?,
        None => None,
    };
    let about = asking.or(about);
    let about = about.as_deref().map(|flow| (flow, question.as_deref()));
    let reply = Message { to: Some(message.chat_id.to_string()), ..Message::reply(message.context(), text) };
    notices::answer(app, learner, about, &format!("tg-{update_id}"), reply).await
}

fn is_unclear(failure: &Failure) -> bool {
    matches!(failure, Failure::Rejected(rejected) if rejected.code == UNCLEAR)
}

/// Returns the reply to a message that could not be used.
fn unused(app: &App, (learner, language): (&str, &str), update_id: i64, failure: &Failure) -> String {
    tracing::info!(learner, update_id, %failure, "a message could not be used");
    reading::refusal(app, language, failure)
}

async fn send(
    app: &App,
    update_id: i64,
    message: &Incoming,
    (instance, event, payload): (&str, &str, Value),
) -> Result<Answer, Failure> {
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
            taken => return taken,
        }
    }
    turn::take(app, request).await
}

/// Returns a word of farewell for an end about which the flow itself says nothing.
fn farewell(app: &App, answer: &Answer, event: &str) -> Option<Text> {
    let verbs =
        app.flows.get(&answer.view.flow).and_then(|entry| entry.face).map_or(&[][..], |face| face.verbs);
    let ends = verbs.iter().any(|verb| matches!(verb.does, Does::Ends(_)) && verb.event() == Some(event));
    (ends && answer.said.is_empty()).then(words::chat_put_aside)
}

/// Opens a flow. Its id is derived from the message, so that it is opened once.
async fn begin(
    app: &App,
    learner: &str,
    update_id: i64,
    message: &Incoming,
    flow: &str,
    opening: Value,
) -> Result<(), Failure> {
    let name = format!("telegram/{}/{update_id}", message.chat_id);
    let id = Uuid::new_v5(&Uuid::NAMESPACE_OID, name.as_bytes()).to_string();
    open(app, learner, flow, id.clone(), opening, message).await?;
    let Some(thread_id) = message.thread_id else { return Ok(()) };
    // From now on, messages in this topic are about this flow.
    let key = format!("{}/{thread_id}", message.chat_id);
    let topic = RecordChange::new("", TOPIC_KIND, &key, json!({"instance": id}));
    let topic = RecordChange { scope: id, ..topic };
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
    let via = Via::Chat(message.context());
    let (flow, learner) = (flow.to_owned(), learner.to_owned());
    let opening = Opening { flow, learner, id: Some(id), opening, via, ..Opening::default() };
    call::open(app, opening).await.map(drop)
}
