//! Reads messages to the bot.

use serde_json::Value;
use subtle::ConstantTimeEq;

use super::super::message::RequestContext;
use crate::Secret;

/// The header in which Telegram returns the secret of the webhook.
pub const WEBHOOK_SECRET_HEADER: &str = "x-telegram-bot-api-secret-token";

const WEBHOOK_MAX_BYTES: usize = 1 << 20;
/// Kinds of content by the field that holds them. The first counts if a message has several.
const KINDS: &str = "photo voice audio video video_note animation document sticker location contact poll dice \
                     story venue game";

/// An event that the bot hears of. Its number counts even if the event means nothing to the bot, because the next
/// offset lies beyond it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Update {
    pub update_id: i64,
    /// The message; `None` for kinds of updates that were not asked for.
    pub message: Option<Incoming>,
}

/// A message from a person. Commands such as `/start` are plain text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Incoming {
    pub chat_id: i64,
    /// The topic, in a forum.
    pub thread_id: Option<i64>,
    pub message_id: i64,
    /// The message that this one answers; it identifies the flow that asked.
    pub reply_to_message_id: Option<i64>,
    pub is_from_bot: bool,
    /// The language of the sender's app, as a BCP 47 tag.
    pub language: Option<String>,
    pub said: Said,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Said {
    Text(String),
    /// Content other than text, by its name in the Bot API: `voice`, `photo`, `sticker`.
    Unsupported(String),
    /// A group became this supergroup; its number was `from` before.
    Moved {
        from: i64,
    },
    /// A service message: someone joined, pinned something or opened a topic.
    Nothing,
}

/// The reason why a request to the webhook is refused.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum NotTelegram {
    #[error("the request does not carry the secret of the webhook")]
    WrongSecret,
    #[error("the request is not an update of the Bot API")]
    Unreadable,
}

/// Reads a request to the webhook. `header` is the value of [`WEBHOOK_SECRET_HEADER`].
pub fn read_webhook(secret: &Secret, header: Option<&[u8]>, body: &[u8]) -> Result<Update, NotTelegram> {
    // In constant time, so that the secret cannot be guessed letter by letter. An empty secret opens nothing.
    let is_right = bool::from(secret.reveal().as_bytes().ct_eq(header.unwrap_or_default()));
    if secret.reveal().is_empty() || !is_right {
        return Err(NotTelegram::WrongSecret);
    }
    let body = (body.len() <= WEBHOOK_MAX_BYTES).then_some(body).ok_or(NotTelegram::Unreadable)?;
    let value: Value = serde_json::from_slice(body).map_err(|_| NotTelegram::Unreadable)?;
    Update::read(&value).ok_or(NotTelegram::Unreadable)
}

impl Update {
    /// Reads an update. Returns `None` only if it has no number.
    pub(super) fn read(value: &Value) -> Option<Self> {
        Some(Self { update_id: value["update_id"].as_i64()?, message: Incoming::read(&value["message"]) })
    }
}

impl Incoming {
    /// Returns the reference of this message, for an answer to it.
    pub fn context(&self) -> RequestContext {
        RequestContext { chat_id: self.chat_id, message_id: self.message_id, thread_id: self.thread_id }
    }

    fn read(value: &Value) -> Option<Self> {
        // Outside forums this field names the first message of a thread of replies, which is not a topic.
        let is_topic = value["is_topic_message"].as_bool() == Some(true);
        let thread_id = value["message_thread_id"].as_i64().filter(|_| is_topic);
        let reply_to = value["reply_to_message"]["message_id"].as_i64();
        Some(Self {
            chat_id: value["chat"]["id"].as_i64()?,
            thread_id,
            message_id: value["message_id"].as_i64()?,
            // In a topic every message answers the one that opened it.
            reply_to_message_id: reply_to.filter(|id| Some(*id) != thread_id),
            is_from_bot: value["from"]["is_bot"].as_bool() == Some(true),
            language: value["from"]["language_code"].as_str().map(str::to_owned),
            said: Said::read(value),
        })
    }
}

impl Said {
    fn read(message: &Value) -> Self {
        if let Some(text) = message["text"].as_str() {
            return Self::Text(text.to_owned());
        }
        if let Some(from) = message["migrate_from_chat_id"].as_i64() {
            return Self::Moved { from };
        }
        let kind = KINDS.split(' ').find(|kind| message.get(kind).is_some());
        kind.map_or(Self::Nothing, |kind| Self::Unsupported(kind.to_owned()))
    }
}
