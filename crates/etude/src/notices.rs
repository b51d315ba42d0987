//! What a coach says to somebody who does not wait for an answer: messages, written with the turn that says them and
//! delivered by the worker.

use crate::app::App;
use crate::asking::timestamp;
use crate::failure::Failure;
use crate::turn::Via;
use crate::{profiles, telegram};
use coaching::ask::MODEL_KIND;
use coaching::learner::{Calendar, Channel, Profile};
use coaching::teach::words::role;
use coaching::turn::{Effect, Line, Record, SEND_KIND, Turned};
use outside::notify::{self, Delivered, Message, Notifier, RequestContext, Trouble};
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};
use store::{At, RecordChange, Status};

pub const NOTIFY_KIND: &str = "notify";
/// The kind of record that a message for the inbox is, and that says which flow a message of a chat belongs to.
pub const INBOX_KIND: &str = "inbox";
pub const SENT_KIND: &str = "sent";
/// The kind of record that says what an inbox was told already.
pub const TOLD_KIND: &str = "told";
/// The field in which the payload of another effect remembers how its result is to be told.
const VIA_FIELD: &str = "via";

/// Given for a good answer. Bots may not use every emoji; this one they may.
const PRAISE: &str = "👍";
/// Answers are recognised by the message they answer for so long.
const SENT_LASTS_MS: i64 = 90 * 86_400_000;

/// Longer than anything that is told once could be told again.
const TOLD_LASTS_MS: i64 = 90 * 86_400_000;

/// What lies in an inbox.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Notice {
    pub instance: String,
    pub text: String,
    pub role: String,
}

/// How long a learner is to be left alone: until the hour from which they want to be reached. An inbox disturbs nobody.
pub fn asleep_ms(app: &App, profile: &Profile) -> i64 {
    match way(app, profile, profile.preferred_channel) {
        Way::Inbox => 0,
        Way::Chat(_) | Way::Mail(_) => until_reached_ms(profile, app.clock.now()),
    }
}

fn until_reached_ms(profile: &Profile, now: At) -> i64 {
    let wait_us = Calendar::of(profile).until_hour_us(now.0, profile.reached_from_hour);
    // Not a moment too early.
    (wait_us + 999) / 1000
}

/// Something that no turn says.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Letter {
    pub subject: String,
    pub text: String,
    /// The same for mail programs that show HTML.
    pub html: Option<String>,
}

/// Tells a learner something on their preferred channel. The key says what it is: told again, it is told once.
pub async fn tell(app: &App, learner: &str, key: &str, letter: &Letter) -> Result<(), Failure> {
    let profile = profiles::read(&app.store, learner).await?;
    match way(app, &profile, profile.preferred_channel) {
        Way::Chat(chat) => {
            let message = Message::send(notify::Channel::Telegram, chat.to_string(), letter.text.clone());
            post_later(app, (&in_chat_of(learner), key), message, until_reached_ms(&profile, app.clock.now()))
                .await
        }
        Way::Mail(address) => mail(app, learner, key, address, letter).await,
        Way::Inbox => put_into_inbox(app, learner, key, letter).await,
    }
}

/// How somebody is reached.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Way<'p> {
    Chat(i64),
    Mail(&'p str),
    Inbox,
}

/// The way to a learner by a channel. Where there is no such way, or this server has no such channel, it is the inbox:
/// what waits for a channel that nobody sets up is never read.
pub fn way<'p>(app: &App, profile: &'p Profile, channel: Channel) -> Way<'p> {
    let has = |channel| app.notifier.as_ref().is_none_or(|notifier| notifier.has(channel));
    match (channel, profile.telegram_chat, &profile.email) {
        (Channel::Telegram, Some(chat), _) if has(notify::Channel::Telegram) => Way::Chat(chat),
        (Channel::Email, _, Some(address)) if has(notify::Channel::Email) => Way::Mail(address),
        _ => Way::Inbox,
    }
}

/// What was read is taken out of an inbox, so a record of its own says what was put there.
async fn put_into_inbox(app: &App, learner: &str, key: &str, letter: &Letter) -> Result<(), Failure> {
    if app.store.record(learner, TOLD_KIND, key).await?.is_some() {
        return Ok(());
    }
    let now = app.clock.now();
    let notice =
        Notice { instance: of_learner(learner), text: letter.text.clone(), role: role::NOTICE.to_owned() };
    let record = |kind: &str, body: String, due_at| RecordChange {
        learner: learner.to_owned(),
        kind: kind.to_owned(),
        key: key.to_owned(),
        body: Some(body),
        due_at,
        ..RecordChange::default()
    };
    let notice = record(INBOX_KIND, json!(notice).to_string(), None);
    let told = record(TOLD_KIND, json!({"at": timestamp(now)}).to_string(), Some(now.plus_ms(TOLD_LASTS_MS)));
    Ok(app.store.remember(&[notice, told], now).await?)
}

/// Sends a learner a mail; the same key is sent once.
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
    // A mail server that is down keeps no chat waiting: what one owner has to say is said in order.
    post_later(app, (&mail_of(learner), key), message, wait_ms).await
}

/// Puts a message into the outbox that belongs to no turn. `owner` stands where messages of a flow have its id; no flow
/// has an id with a `/`.
pub async fn post_message(app: &App, owner: &str, key: &str, message: Message) -> Result<(), Failure> {
    post_later(app, (owner, key), message, 0).await
}

async fn post_later(
    app: &App,
    (owner, key): (&str, &str),
    message: Message,
    wait_ms: i64,
) -> Result<(), Failure> {
    let now = app.clock.now();
    let effect = store::Effect {
        key: format!("{owner}/{key}"),
        instance: owner.to_owned(),
        kind: NOTIFY_KIND.to_owned(),
        payload: json!(message).to_string(),
        status: Status::Pending,
        attempts: 0,
        not_before: now.plus_ms(wait_ms),
        last_error: None,
        created_at: now,
        done_at: None,
        lease_owner: None,
        lease_until: None,
    };
    Ok(app.store.post_effects(&[effect]).await?)
}

/// What stands for a learner where a flow could stand. The store deletes it with them, and so it does with their two
/// channels, `/mail` and `/chat`.
pub fn of_learner(learner: &str) -> String {
    format!("learner/{learner}")
}

pub fn mail_of(learner: &str) -> String {
    format!("{}/mail", of_learner(learner))
}

pub fn in_chat_of(learner: &str) -> String {
    format!("{}/chat", of_learner(learner))
}

/// Adds to a turn the messages that tell what was said in it.
pub async fn post(
    app: &App,
    learner: &str,
    via: Via,
    instance: &str,
    turned: &mut Turned,
) -> Result<(), Failure> {
    if via == Via::Caller {
        return Ok(());
    }
    for effect in
        turned.effects.iter_mut().filter(|effect| [MODEL_KIND, SEND_KIND].contains(&effect.kind.as_str()))
    {
        if let Value::Object(fields) = &mut effect.payload {
            fields.insert(VIA_FIELD.to_owned(), json!(via));
        }
    }
    if let Via::Chat(context) = via {
        turned
            .effects
            .extend(in_chat(context, &turned.said).into_iter().map(|message| effect(message, None)));
        return Ok(());
    }
    let profile = profiles::read(&app.store, learner).await?;
    let messages = match way(app, &profile, profile.preferred_channel) {
        Way::Chat(chat) => to_chat(chat, &turned.said),
        Way::Mail(address) => by_mail(address, &turned.said),
        Way::Inbox => {
            turned.records.extend(for_inbox(instance, app.clock.now(), &turned.said));
            return Ok(());
        }
    };
    let now = app.clock.now();
    let wait_ms = until_reached_ms(&profile, now);
    let not_before_us = (wait_ms > 0).then(|| now.plus_ms(wait_ms).0);
    turned.effects.extend(messages.into_iter().map(|message| effect(message, not_before_us)));
    Ok(())
}

/// How the result of an effect is to be told: the way the turn that caused it was told.
pub fn via_of(effect: &store::Effect) -> Via {
    let payload: Option<Value> = serde_json::from_str(&effect.payload).ok();
    payload.and_then(|payload| Via::deserialize(payload.get(VIA_FIELD)?).ok()).unwrap_or_default()
}

/// A message of a turn.
#[derive(Debug, Serialize, Deserialize)]
struct Posted {
    #[serde(flatten)]
    message: Message,
    /// When the learner may be disturbed with it, if not at once.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    not_before_us: Option<i64>,
}

fn effect(message: Message, not_before_us: Option<i64>) -> Effect {
    Effect { kind: NOTIFY_KIND.to_owned(), payload: json!(Posted { message, not_before_us }) }
}

/// Feedback answers the learner's own message, praise reacts to it, everything else stands by itself.
fn in_chat(context: RequestContext, said: &[Line]) -> Vec<Message> {
    let of = |line: &Part| match line.role.as_str() {
        role::PRAISE => Message::react(context, PRAISE),
        role::FEEDBACK => Message::reply(context, line.text.clone()),
        _ => Message {
            reply_to: Some(context),
            ..Message::send(notify::Channel::Telegram, context.chat_id.to_string(), line.text.clone())
        },
    };
    chat_parts(said).iter().map(of).collect()
}

fn to_chat(chat: i64, said: &[Line]) -> Vec<Message> {
    let of = |part: &Part| Message::send(notify::Channel::Telegram, chat.to_string(), part.text.clone());
    chat_parts(said).iter().map(of).collect()
}

/// In a chat nobody presses a key after reading, so a lesson says what to do then.
fn chat_parts(said: &[Line]) -> Vec<Part> {
    let mut parts = parts(said);
    let is_lesson = |line: &Line| [role::EXPLANATION, role::EXAMPLE].contains(&line.role.as_str());
    if let (Some(last), true) = (parts.last_mut(), said.last().is_some_and(is_lesson)) {
        last.text.push_str("\n\nSay “ok” when you are ready for a question.");
    }
    parts
}

/// A mail holds everything at once. It cannot be answered, so it says where to go.
fn by_mail(address: &str, said: &[Line]) -> Vec<Message> {
    let text: Vec<String> = parts(said).into_iter().map(|part| part.text).collect();
    if text.is_empty() {
        return Vec::new();
    }
    let text = format!("{}\n\nAnswer in Etude: `etude teach`.", text.join("\n\n"));
    let subject = Some("Time to recall".to_owned());
    vec![Message { subject, ..Message::send(notify::Channel::Email, address, text) }]
}

fn for_inbox(instance: &str, now: At, said: &[Line]) -> Vec<Record> {
    let notice = |(at, part): (usize, Part)| Record {
        kind: INBOX_KIND.to_owned(),
        key: format!("{:016}-{instance}-{at:02}", now.0),
        body: Some(json!(Notice { instance: instance.to_owned(), text: part.text, role: part.role })),
        ..Record::default()
    };
    parts(said).into_iter().enumerate().map(notice).collect()
}

#[derive(Debug)]
struct Part {
    role: String,
    text: String,
}

/// What belongs together is one message: a heading with its explanation and example.
fn parts(said: &[Line]) -> Vec<Part> {
    let mut parts: Vec<Part> = Vec::new();
    for line in said {
        let continues = [role::EXPLANATION, role::EXAMPLE, role::QUESTION].contains(&line.role.as_str());
        match parts.last_mut() {
            Some(last) if continues && last.role == role::HEADING => {
                last.text = format!("{}\n\n{}", last.text, line.say);
                if line.role == role::QUESTION {
                    last.role = role::QUESTION.to_owned();
                }
            }
            _ => {
                let bold = line.role == role::HEADING;
                let text = if bold { format!("**{}**", line.say) } else { line.say.clone() };
                parts.push(Part { role: line.role.clone(), text });
            }
        }
    }
    parts
}

/// Whether a message can leave here. One that cannot be read can: delivering it says what is wrong with it.
pub fn can_leave(notifier: &Notifier, effect: &store::Effect) -> bool {
    let message: Option<Message> = serde_json::from_str(&effect.payload).ok();
    message.is_none_or(|message| notifier.has(message.channel))
}

/// Delivers one message. The flow that it belongs to is remembered, so that an answer to it finds its way back.
pub async fn deliver(notifier: &Notifier, app: &App, effect: &store::Effect) -> Result<(), Trouble> {
    let Posted { message, not_before_us } = serde_json::from_str(&effect.payload)
        .map_err(|error| Trouble::Final { reason: error.to_string() })?;
    let wait_us = not_before_us.unwrap_or(0).saturating_sub(app.clock.now().0);
    if let Some(wait_us) = u64::try_from(wait_us).ok().filter(|wait_us| *wait_us > 0) {
        let reason = "nobody is disturbed at this hour".to_owned();
        return Err(Trouble::Retry { after_ms: Some(wait_us.div_ceil(1000)), reason });
    }
    let delivered = notifier.deliver(&effect.key, &message, timestamp(effect.created_at)).await?;
    metrics::counter!("etude_messages_total").increment(1);
    remember(app, effect, &delivered).await;
    follow(app, &message, &delivered).await;
    Ok(())
}

/// A group that has become a supergroup is reached under its new number from now on.
async fn follow(app: &App, message: &Message, delivered: &Delivered) {
    let Delivered::Telegram { chat_id, .. } = delivered else { return };
    let asked = message.to.as_deref().and_then(|to| to.parse().ok());
    let asked = asked.or(message.reply_to.map(|context| context.chat_id)).filter(|asked| asked != chat_id);
    let Some(asked) = asked else { return };
    if let Err(failure) = telegram::follow(app, asked, *chat_id).await {
        tracing::warn!(asked, chat_id, %failure, "a chat that has moved is still known under its old number");
    }
}

async fn remember(app: &App, effect: &store::Effect, delivered: &Delivered) {
    let Delivered::Telegram { chat_id, message_ids, .. } = delivered else { return };
    let now = app.clock.now();
    let change = |message: &i64| RecordChange {
        kind: SENT_KIND.to_owned(),
        key: format!("{chat_id}/{message}"),
        body: Some(json!({"instance": effect.instance}).to_string()),
        due_at: Some(now.plus_ms(SENT_LASTS_MS)),
        // It goes with its flow, or with its learner.
        scope: effect.instance.clone(),
        ..RecordChange::default()
    };
    let changes: Vec<RecordChange> = message_ids.iter().map(change).collect();
    if let Err(error) = app.store.remember(&changes, now).await {
        tracing::warn!(key = effect.key, %error, "an answer to this message will not find its flow by itself");
    }
}
