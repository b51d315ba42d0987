//! Sends messages to learners outside of a reply. They are written with the turn that says them, and the worker
//! delivers them.

mod mails;

use super::words;
use crate::engine::app::App;
use crate::engine::clock::timestamp;
use crate::engine::failure::Failure;
use crate::engine::performer::{Manner, Performed, Performer, Telling};
use crate::engine::setting::scope_of;
use crate::engine::turn::Via;
use crate::learners::owners::{in_chat_of, mail_of, of_learner};
use crate::learners::{chats, profiles};
use coaching::desk::{Line, Role};
use coaching::learner::{Calendar, Channel, Profile};
use coaching::record::Record;
use coaching::turn::{Effect, Turned};
use futures_util::FutureExt;
use futures_util::future::BoxFuture;
use outside::notify::{self, Delivered, Message, Notifier, RequestContext, Trouble};
use serde::{Deserialize, Serialize};
use serde_json::json;
use store::{At, RecordChange};
use uuid::Uuid;

pub const NOTIFY_KIND: &str = "notify";
/// The kinds of records for messages in an inbox, and for the flow behind a message in a chat.
pub const INBOX_KIND: &str = "inbox";
pub const SENT_KIND: &str = "sent";
/// The kind of record that remembers a message put into an inbox.
pub const TOLD_KIND: &str = "told";

/// The reaction to a good answer. Bots may use only some emoji, including this one.
const PRAISE: &str = "👍";
/// How long a reply can still be matched to the message it replies to.
const SENT_LASTS_MS: i64 = 90 * 86_400_000;

/// How long an inbox message is remembered as sent: longer than it could be sent again.
const TOLD_LASTS_MS: i64 = 90 * 86_400_000;

/// Delivers messages, and writes those that a turn needs.
#[derive(Debug)]
pub struct Notices;

impl Performer for Notices {
    fn kind(&self) -> &'static str {
        NOTIFY_KIND
    }

    /// Leaves messages to the worker: a channel may be slow, so no turn waits for it.
    fn manner(&self) -> Manner {
        Manner { is_left: true, ..Manner::default() }
    }

    fn is_ready(&self, app: &App) -> bool {
        app.notifier.is_some()
    }

    /// Whether this process has the channel. A message that cannot be read counts as deliverable: the delivery
    /// reports what is wrong with it.
    fn can_perform(&self, app: &App, effect: &store::Effect) -> bool {
        let message: Option<Message> = serde_json::from_str(&effect.payload).ok();
        let has = |notifier: &Notifier| message.is_none_or(|message| notifier.has(message.channel));
        app.notifier.as_ref().is_some_and(has)
    }

    fn perform<'a>(&'a self, app: &'a App, effect: &'a store::Effect) -> BoxFuture<'a, Performed> {
        async move {
            let Some(notifier) = &app.notifier else {
                return Err(Trouble::Final { reason: "there is no channel".into() });
            };
            deliver(notifier, app, effect).await?;
            Ok(None)
        }
        .boxed()
    }

    fn tell<'a>(
        &'a self,
        app: &'a App,
        telling: Telling<'a>,
        turned: &'a mut Turned,
    ) -> BoxFuture<'a, Result<(), Failure>> {
        tell_of_turn(app, telling, turned).boxed()
    }
}

/// The flow and the question behind a message in a chat.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Sent {
    pub instance: String,
    /// The mark of the question that the message asked.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub question: Option<String>,
}

/// A message in an inbox.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Notice {
    pub instance: String,
    pub text: String,
    pub role: Role,
}

/// Returns how long to leave a learner alone, in milliseconds: until the hour from which they may be reached. The
/// inbox is always open.
pub fn asleep_ms(app: &App, profile: &Profile) -> i64 {
    match way(app, profile, profile.preferred_channel) {
        Way::Inbox => 0,
        Way::Chat(_) | Way::Mail(_) => until_reached_ms(profile, app.clock.now()),
    }
}

fn until_reached_ms(profile: &Profile, now: At) -> i64 {
    let wait_us = Calendar::of(profile).until_hour_us(now.0, profile.reached_from_hour);
    // Rounded up, so that no message comes a moment too early.
    (wait_us + 999) / 1000
}

/// A message that comes from no turn.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Letter {
    pub subject: String,
    pub text: String,
    /// The text again, for mail programs that show HTML.
    pub html: Option<String>,
}

/// Sends a learner a message on their preferred channel. A key is sent only once, so the call can be repeated.
pub async fn tell(app: &App, learner: &str, key: &str, letter: &Letter) -> Result<(), Failure> {
    let profile = profiles::read(&app.store, learner).await?;
    match way(app, &profile, profile.preferred_channel) {
        Way::Chat(chat) => {
            let message = Message::send(notify::Channel::Telegram, chat.to_string(), letter.text.clone());
            let wait_ms = until_reached_ms(&profile, app.clock.now());
            post_later(app, (&in_chat_of(learner), key), Posted::to(learner, message), wait_ms).await
        }
        Way::Mail(address) => {
            let exit = mails::exit(app, learner, app.words.choose(profile.language.as_deref()));
            let text = format!("{}\n\n{exit}", letter.text);
            mail(app, learner, key, address, &Letter { text, ..letter.clone() }).await
        }
        Way::Inbox => put_into_inbox(app, learner, key, &letter.text).await,
    }
}

/// Whether a message with this key was sent before.
pub async fn was_told(app: &App, learner: &str, key: &str) -> Result<bool, Failure> {
    for owner in [mail_of(learner), in_chat_of(learner)] {
        let key = format!("{owner}/{key}");
        if app.store.effects(&owner).await?.iter().any(|effect| effect.key == key) {
            return Ok(true);
        }
    }
    Ok(app.store.record(learner, TOLD_KIND, key).await?.is_some())
}

/// The way by which a learner is reached.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Way<'p> {
    Chat(i64),
    Mail(&'p str),
    Inbox,
}

/// Returns the way to reach a learner by a channel. Falls back to the inbox if the learner has no address there or
/// this server lacks the channel: a message that waits for a missing channel would never be read.
pub fn way<'p>(app: &App, profile: &'p Profile, channel: Channel) -> Way<'p> {
    let has = |channel| app.notifier.as_ref().is_none_or(|notifier| notifier.has(channel));
    match (channel, profile.telegram_chat, &profile.email) {
        (Channel::Telegram, Some(chat), _) if has(notify::Channel::Telegram) => Way::Chat(chat),
        (Channel::Email, _, Some(address)) if has(notify::Channel::Email) => Way::Mail(address),
        _ => Way::Inbox,
    }
}

/// Puts a message into an inbox, once for each key. Reading removes the message, so a separate record remembers
/// that it was sent.
async fn put_into_inbox(app: &App, learner: &str, key: &str, text: &str) -> Result<(), Failure> {
    if app.store.record(learner, TOLD_KIND, key).await?.is_some() {
        return Ok(());
    }
    let now = app.clock.now();
    let notice = Notice { instance: of_learner(learner), text: text.to_owned(), role: Role::Notice };
    let notice = RecordChange::new(learner, INBOX_KIND, key, json!(notice));
    let told = RecordChange {
        due_at: Some(now.plus_ms(TOLD_LASTS_MS)),
        ..RecordChange::new(learner, TOLD_KIND, key, json!({"at": timestamp(now)}))
    };
    Ok(app.store.remember(&[notice, told], now).await?)
}

/// Sends a learner a mail. A key is sent only once.
pub async fn mail(
    app: &App,
    learner: &str,
    key: &str,
    address: &str,
    letter: &Letter,
) -> Result<(), Failure> {
    let message = Message {
        subject: Some(letter.subject.clone()),
        html: letter.html.clone(),
        ..Message::send(notify::Channel::Email, address, letter.text.clone())
    };
    let wait_ms = until_reached_ms(&profiles::read(&app.store, learner).await?, app.clock.now());
    // Messages of one owner are sent in order. Mail has its own owner, so that a broken mail server delays no chat.
    post_later(app, (&mail_of(learner), key), Posted::to(learner, message), wait_ms).await
}

/// Puts a message that belongs to no turn into the outbox, for any reader. `owner` takes the place of a flow's id;
/// no flow id contains a `/`.
pub async fn post_message(app: &App, owner: &str, key: &str, message: Message) -> Result<(), Failure> {
    post_later(app, (owner, key), Posted::of(message), 0).await
}

/// Answers a learner in their chat. An answer about a flow is a message of that flow and comes after what the flow
/// has said. `about` is the flow, with its question if the answer repeats it.
pub async fn answer(
    app: &App,
    learner: &str,
    about: Option<(&str, Option<&str>)>,
    key: &str,
    message: Message,
) -> Result<(), Failure> {
    let owner = about.map_or_else(|| in_chat_of(learner), |(flow, _)| flow.to_owned());
    let question = about.and_then(|(_, question)| question).map(mark_of);
    post_later(app, (&owner, key), Posted { question, ..Posted::to(learner, message) }, 0).await
}

/// Returns a mark that identifies a question wherever it is asked.
pub fn mark_of(question: &str) -> String {
    Uuid::new_v5(&Uuid::NAMESPACE_OID, question.as_bytes()).simple().to_string()
}

async fn post_later(
    app: &App,
    (owner, key): (&str, &str),
    posted: Posted,
    wait_ms: i64,
) -> Result<(), Failure> {
    let now = app.clock.now();
    // An owner that is not a flow contains a `/`, and no part of it is a scope.
    let queue = if owner.contains('/') { owner } else { scope_of(owner) };
    let effect =
        store::Effect::new(format!("{owner}/{key}"), queue, NOTIFY_KIND, json!(posted).to_string(), now);
    let effect = store::Effect { not_before: now.plus_ms(wait_ms), ..effect };
    Ok(app.store.post_effects(&[effect]).await?)
}

/// Adds to a turn the messages that tell its learner what was said.
async fn tell_of_turn(app: &App, telling: Telling<'_>, turned: &mut Turned) -> Result<(), Failure> {
    let Telling { learner, instance, via } = telling;
    let profile = profiles::read(&app.store, learner).await?;
    let language = app.words.choose(profile.language.as_deref());
    app.words.translate(language, &mut turned.said);
    let ready = app.words.say(language, &words::ready());
    let of_part = |part: Part, message: Message, not_before_us| {
        Posted { not_before_us, question: part.question, ..Posted::to(learner, message) }.effect()
    };
    if let Via::Chat(context) = via {
        let parts = chat_parts(&turned.said, &ready).into_iter();
        turned.effects.extend(parts.map(|part| {
            let message = in_chat(context, &part);
            of_part(part, message, None)
        }));
        return Ok(());
    }
    let now = app.clock.now();
    let wait_ms = until_reached_ms(&profile, now);
    let not_before_us = (wait_ms > 0).then(|| now.plus_ms(wait_ms).0);
    match way(app, &profile, profile.preferred_channel) {
        Way::Chat(chat) => turned.effects.extend(chat_parts(&turned.said, &ready).into_iter().map(|part| {
            let message = to_chat(chat, &part);
            of_part(part, message, not_before_us)
        })),
        Way::Mail(address) => {
            let mail = mails::of_turn(app, (learner, language), address, instance, turned).await?;
            let posted = mail.map(|mail| Posted { not_before_us, ..Posted::to(learner, mail) }.effect());
            turned.effects.extend(posted);
        }
        Way::Inbox => turned.records.extend(for_inbox(instance, now, &turned.said)),
    }
    Ok(())
}

/// A message in the outbox, with Etude's own notes about it.
#[derive(Debug, Serialize, Deserialize)]
struct Posted {
    #[serde(flatten)]
    message: Message,
    /// The earliest moment at which the learner may be disturbed, if not at once.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    not_before_us: Option<i64>,
    /// The learner it is for, if it must not reach a later owner of the chat.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    learner: Option<String>,
    /// The mark of the question that it asks, so that a reply answers no other question.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    question: Option<String>,
}

impl Posted {
    fn of(message: Message) -> Posted {
        Posted { message, not_before_us: None, learner: None, question: None }
    }

    fn to(learner: &str, message: Message) -> Posted {
        Posted { learner: Some(learner.to_owned()), ..Posted::of(message) }
    }

    fn effect(self) -> Effect {
        Effect { kind: NOTIFY_KIND.to_owned(), payload: json!(self) }
    }
}

/// Chooses the form of a part: feedback replies to the learner's own message, praise reacts to it, everything else
/// stands by itself.
fn in_chat(context: RequestContext, part: &Part) -> Message {
    match part.role {
        Role::Praise => Message::react(context, PRAISE),
        Role::Feedback => Message::reply(context, part.text.clone()),
        _ => Message { reply_to: Some(context), ..to_chat(context.chat_id, part) },
    }
}

fn to_chat(chat: i64, part: &Part) -> Message {
    let message = Message::send(notify::Channel::Telegram, chat.to_string(), part.text.clone());
    Message { heading: part.heading.clone(), ..message }
}

/// Splits what was said into messages for a chat. A chat has no Enter key to press after reading, so a lesson says
/// what to do next.
fn chat_parts(said: &[Line], ready: &str) -> Vec<Part> {
    let mut parts = parts(said);
    let is_lesson = |line: &Line| [Role::Explanation, Role::Example].contains(&line.role);
    if let (Some(last), true) = (parts.last_mut(), said.last().is_some_and(is_lesson)) {
        last.text.push_str(&format!("\n\n{ready}"));
    }
    parts
}

fn for_inbox(instance: &str, now: At, said: &[Line]) -> Vec<Record> {
    let notice = |(at, part): (usize, Part)| Record {
        kind: INBOX_KIND.to_owned(),
        key: format!("{:016}-{instance}-{at:02}", now.0),
        body: Some(json!(Notice { instance: instance.to_owned(), text: part.whole(), role: part.role })),
        ..Record::default()
    };
    parts(said).into_iter().enumerate().map(notice).collect()
}

#[derive(Debug)]
struct Part {
    role: Role,
    heading: Option<String>,
    text: String,
    /// The mark of the question that the part asks.
    question: Option<String>,
}

impl Part {
    /// Returns heading and text as one text.
    fn whole(&self) -> String {
        whole(self.heading.as_deref(), &self.text)
    }
}

fn whole(heading: Option<&str>, text: &str) -> String {
    match heading {
        Some(heading) if text.is_empty() => format!("**{heading}**"),
        Some(heading) => format!("**{heading}**\n\n{text}"),
        None => text.to_owned(),
    }
}

/// Splits what was said into messages. A heading, its explanation and its example form one message. The channel
/// breaks the lines.
fn parts(said: &[Line]) -> Vec<Part> {
    let mut parts: Vec<Part> = Vec::new();
    for line in said {
        let continues = [Role::Explanation, Role::Example, Role::Question].contains(&line.role);
        let question = (line.role == Role::Question).then(|| mark_of(&line.say.to_string()));
        match parts.last_mut() {
            Some(last) if continues && last.role == Role::Heading => {
                let gap = if last.text.is_empty() { "" } else { "\n\n" };
                last.text = format!("{}{gap}{}", last.text, notify::joined(&line.say.to_string()));
                if question.is_some() {
                    (last.role, last.question) = (Role::Question, question);
                }
            }
            _ => {
                let (heading, text) = match line.role {
                    Role::Heading => (Some(line.say.to_string()), String::new()),
                    _ => (None, notify::joined(&line.say.to_string())),
                };
                parts.push(Part { role: line.role, heading, text, question });
            }
        }
    }
    parts
}

/// Delivers one message. Remembers its flow and its question, so that a reply finds its way back.
pub async fn deliver(notifier: &Notifier, app: &App, effect: &store::Effect) -> Result<(), Trouble> {
    let Posted { message, not_before_us, learner, question } = serde_json::from_str(&effect.payload)
        .map_err(|error| Trouble::Final { reason: error.to_string() })?;
    let wait_us = not_before_us.unwrap_or(0).saturating_sub(app.clock.now().0);
    if let Some(wait_us) = u64::try_from(wait_us).ok().filter(|wait_us| *wait_us > 0) {
        let reason = "it is night for the learner".to_owned();
        return Err(Trouble::Retry { after_ms: Some(wait_us.div_ceil(1000)), reason });
    }
    if let Some(learner) = learner {
        let kept = keep_from_others(app, &learner, &effect.key, &message).await;
        if kept.map_err(|failure| Trouble::Retry { after_ms: None, reason: failure.to_string() })? {
            return Ok(());
        }
    }
    let delivered = notifier.deliver(&effect.key, &message, timestamp(effect.created_at)).await?;
    metrics::counter!("etude_messages_total").increment(1);
    remember(app, effect, question, &delivered).await;
    follow(app, &message, &delivered).await;
    Ok(())
}

/// Whether the chat of a message has a new owner. If so, the message goes into the inbox of its learner instead.
async fn keep_from_others(app: &App, learner: &str, key: &str, message: &Message) -> Result<bool, Failure> {
    let Some(chat) = chat_of(message) else { return Ok(false) };
    if chats::owner(app, chat).await?.is_none_or(|owner| owner == learner) {
        return Ok(false);
    }
    // A reaction means nothing without the message that it is for.
    let text = whole(message.heading.as_deref(), &message.text);
    if !text.is_empty() {
        put_into_inbox(app, learner, key, &text).await?;
    }
    Ok(true)
}

fn chat_of(message: &Message) -> Option<i64> {
    let is_chat = message.channel == notify::Channel::Telegram;
    let named = message.to.as_deref().and_then(|to| to.parse().ok());
    named.or(message.reply_to.map(|context| context.chat_id)).filter(|_| is_chat)
}

/// Remembers the new number of a group that has become a supergroup.
async fn follow(app: &App, message: &Message, delivered: &Delivered) {
    let Delivered::Telegram { chat_id, .. } = delivered else { return };
    let Some(asked) = chat_of(message).filter(|asked| asked != chat_id) else { return };
    if let Err(failure) = chats::follow(app, asked, *chat_id).await {
        tracing::warn!(asked, chat_id, %failure, "a chat that has moved is still known under its old number");
    }
}

/// Returns the flow that a message is from. A review's messages wait in the queue of its course, so the key names
/// the review.
fn flow_of(effect: &store::Effect) -> &str {
    let flow = effect.key.split('/').next().unwrap_or_default();
    if scope_of(flow) == effect.instance { flow } else { &effect.instance }
}

async fn remember(app: &App, effect: &store::Effect, question: Option<String>, delivered: &Delivered) {
    let Delivered::Telegram { chat_id, message_ids, .. } = delivered else { return };
    let now = app.clock.now();
    let sent = json!(Sent { instance: flow_of(effect).to_owned(), question: question.clone() });
    let change = |message: &i64| RecordChange {
        due_at: Some(now.plus_ms(SENT_LASTS_MS)),
        // The record is deleted with its flow, or with its learner.
        scope: effect.instance.clone(),
        ..RecordChange::new("", SENT_KIND, &format!("{chat_id}/{message}"), &sent)
    };
    let changes: Vec<RecordChange> = message_ids.iter().map(change).collect();
    if let Err(error) = app.store.remember(&changes, now).await {
        tracing::warn!(key = effect.key, %error, "an answer to this message will not find its flow by itself");
    }
}
