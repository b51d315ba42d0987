//! What a coach says to somebody who does not wait for an answer: messages, written with the turn that says them and
//! delivered by the worker.

use crate::app::App;
use crate::asking::timestamp;
use crate::failure::Failure;
use crate::turn::Via;
use coaching::ask::MODEL_KIND;
use coaching::learner::{Channel, PROFILE_KEY, PROFILE_KIND, Profile};
use coaching::teach::words::role;
use coaching::turn::{Effect, Line, Record, Turned};
use outside::notify::{self, Delivered, Message, RequestContext, Trouble};
use outside::sink::SinkError;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};
use store::{At, RecordChange};

pub const NOTIFY_KIND: &str = "notify";
/// The kind of record that a message for the inbox is, and that says which flow a message of a chat belongs to.
pub const INBOX_KIND: &str = "inbox";
pub const SENT_KIND: &str = "sent";
/// The field in which the payload of another effect remembers how its result is to be told.
pub const VIA_FIELD: &str = "via";

/// Given for a good answer. Bots may not use every emoji; this one they may.
const PRAISE: &str = "👍";
/// Answers are recognised by the message they answer for so long.
const SENT_LASTS_MS: i64 = 90 * 86_400_000;

/// What lies in an inbox.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Notice {
    pub instance: String,
    pub text: String,
    pub role: String,
}

/// How a learner wants to be taught and reached.
pub async fn profile(app: &App, learner: &str) -> Result<Profile, Failure> {
    let record = app.store.record(learner, PROFILE_KIND, PROFILE_KEY).await?;
    Ok(record.and_then(|record| serde_json::from_str(&record.body).ok()).unwrap_or_default())
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
    for effect in turned.effects.iter_mut().filter(|effect| effect.kind == MODEL_KIND) {
        if let Value::Object(fields) = &mut effect.payload {
            fields.insert(VIA_FIELD.to_owned(), json!(via));
        }
    }
    let profile = profile(app, learner).await?;
    let messages = match (via, profile.preferred_channel, profile.telegram_chat, &profile.email) {
        (Via::Chat(context), ..) => in_chat(context, &turned.said),
        (_, Channel::Telegram, Some(chat), _) => to_chat(chat, &turned.said),
        (_, Channel::Email, _, Some(address)) => by_mail(address, &turned.said),
        _ => {
            turned.records.extend(for_inbox(instance, app.clock.now(), &turned.said));
            return Ok(());
        }
    };
    turned.effects.extend(messages.into_iter().map(effect));
    Ok(())
}

pub fn effect(message: Message) -> Effect {
    Effect { kind: NOTIFY_KIND.to_owned(), payload: json!(message) }
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
    parts(said).iter().map(of).collect()
}

fn to_chat(chat: i64, said: &[Line]) -> Vec<Message> {
    let of = |part: &Part| Message::send(notify::Channel::Telegram, chat.to_string(), part.text.clone());
    parts(said).iter().map(of).collect()
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

/// Delivers one message. The flow that it belongs to is remembered, so that an answer to it finds its way back.
pub async fn deliver(app: &App, effect: &store::Effect) -> Result<(), SinkError> {
    let message: Message = serde_json::from_str(&effect.payload)
        .map_err(|error| SinkError { message: error.to_string(), is_final: true })?;
    let Some(notifier) = &app.notifier else {
        let message = "no channel is configured here; see `docs/notify.md`".to_owned();
        return Err(SinkError { message, is_final: false });
    };
    let delivered = notifier.deliver(&effect.key, &message, timestamp(effect.created_at)).await;
    match delivered {
        Ok(delivered) => {
            metrics::counter!("etude_messages_total").increment(1);
            remember(app, effect, &delivered).await;
            Ok(())
        }
        Err(Trouble::Final { reason }) => Err(SinkError { message: reason, is_final: true }),
        Err(trouble) => Err(SinkError { message: trouble.to_string(), is_final: false }),
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
        ..RecordChange::default()
    };
    let changes: Vec<RecordChange> = message_ids.iter().map(change).collect();
    if let Err(error) = app.store.remember(&changes, now).await {
        tracing::warn!(key = effect.key, %error, "an answer to this message will not find its flow by itself");
    }
}
