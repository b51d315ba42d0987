//! Telegram, over the HTTP interface for bots.
//!
//! Outgoing: a message becomes parts that fit, each sent in its turn ([`pace`]); a reaction that the chat does not
//! permit becomes an answer. Incoming: by long polling with an offset that the caller keeps, or by webhook.

mod api;
mod config;
mod pace;
mod parts;
mod reaction;
mod update;

use std::time::Duration;

use serde_json::{Value, json};
use tokio::time::Instant;

use super::message::RequestContext;
use super::recent::Recent;
use super::{Delivered, Intent, Message, Trouble};
use crate::{Finding, Secret};
use api::{Api, Failure, Refusal};
use pace::Pace;
use parts::{Part, parts};

pub use config::{RateLimits, TelegramConfig};
pub use update::{Incoming, NotTelegram, Said, Update, WEBHOOK_SECRET_HEADER, read_webhook};

/// The number of times that a part is redirected because its destination no longer exists.
const DETOURS_MAX: usize = 2;
/// The time beyond the requested one for which the server may hold a poll.
const POLL_GRACE: Duration = Duration::from_secs(10);
const POLL_MAX_S: u64 = 50;
const UPDATES_MAX: usize = 100;

/// A bot on Telegram.
#[derive(Debug)]
pub struct Telegram {
    api: Api,
    pace: Pace,
    delivery_max: Duration,
    /// The parts of recent messages that were sent, so that a retry continues after the last of them.
    recent: Recent<Sent>,
}

#[derive(Clone, Debug, Default)]
struct Sent {
    /// The chat, set once a part was sent.
    chat_id: i64,
    thread_id: Option<i64>,
    message_ids: Vec<i64>,
}

/// The destination of a message.
#[derive(Clone, Debug)]
struct Destination {
    chat: String,
    thread_id: Option<i64>,
    reply_to: Option<i64>,
}

impl Telegram {
    pub fn new(config: &TelegramConfig) -> Result<Self, Finding> {
        Finding::refuse(config.check())?;
        Ok(Self {
            api: Api::new(config)?,
            pace: Pace::new(config.limits),
            delivery_max: Duration::from_millis(config.delivery_max_ms),
            recent: Recent::default(),
        })
    }

    /// Delivers all parts of a message within `delivery_max_ms`, or returns an error that says how to go on.
    pub async fn deliver(&self, key: &str, message: &Message) -> Result<Delivered, Trouble> {
        message.check()?;
        let deadline = Instant::now() + self.delivery_max;
        match (message.intent, message.reply_to) {
            (Intent::React, Some(reply_to)) => self.react(key, message, reply_to, deadline).await,
            _ => self.send(key, Destination::of(message)?, &parts(message)?, deadline).await,
        }
    }

    /// Returns the updates since `offset`, oldest first; waits up to `wait_s` for one to arrive.
    ///
    /// An offset tells Telegram to forget everything before it. So the caller stores the offset (one more than
    /// the last `update_id`) *after* handling the updates, and a crash repeats some instead of losing them.
    pub async fn updates(&self, offset: Option<i64>, wait_s: u64) -> Result<Vec<Update>, Trouble> {
        let wait_s = wait_s.min(POLL_MAX_S);
        let mut body = json!({"timeout": wait_s, "limit": UPDATES_MAX, "allowed_updates": ["message"]});
        if let Some(offset) = offset {
            body["offset"] = offset.into();
        }
        let patience = Duration::from_secs(wait_s) + POLL_GRACE;
        let reply = self.api.call_patiently("getUpdates", body, patience).await?;
        let Value::Array(updates) = reply else {
            return Err(Trouble::retry("the Bot API answered getUpdates without a list"));
        };
        Ok(updates.iter().filter_map(Update::read).collect())
    }

    /// Makes Telegram send updates to `url` from now on, each with the secret in a header. Polling ends.
    pub async fn set_webhook(&self, url: &str, secret: &Secret) -> Result<(), Trouble> {
        let is_allowed = |byte: u8| byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'-');
        let length = secret.reveal().len();
        if !(16..=256).contains(&length) || !secret.reveal().bytes().all(is_allowed) {
            return Err(Trouble::finally(
                "the secret of the webhook must have 16 to 256 characters, of A-Z, a-z, 0-9, _ and -",
            ));
        }
        let body = json!({"url": url, "secret_token": secret.reveal(), "allowed_updates": ["message"]});
        let result = self.api.call("setWebhook", body).await;
        result.map(drop).map_err(|failure| Trouble::from(failure.redacted(secret)))
    }

    /// Returns to polling. Waiting updates are kept.
    pub async fn delete_webhook(&self) -> Result<(), Trouble> {
        let body = json!({"drop_pending_updates": false});
        Ok(self.api.call("deleteWebhook", body).await.map(drop)?)
    }

    /// Returns the name of the bot, which proves that the token is valid.
    pub async fn bot_name(&self) -> Result<String, Trouble> {
        let me = self.api.call("getMe", json!({})).await?;
        Ok(me["username"].as_str().unwrap_or_default().to_owned())
    }

    async fn react(
        &self,
        key: &str,
        message: &Message,
        to: RequestContext,
        deadline: Instant,
    ) -> Result<Delivered, Trouble> {
        let wanted = message.emoji.as_deref().unwrap_or_default();
        if let Some(emoji) = reaction::permitted(wanted)
            && self.set_reaction(to, emoji, deadline).await?
        {
            let RequestContext { chat_id, thread_id, .. } = to;
            return Ok(Delivered::Telegram { chat_id, thread_id, message_ids: Vec::new() });
        }
        let text = if message.text.trim().is_empty() { wanted } else { &message.text };
        let answer = Message::reply(to, text);
        self.send(key, Destination::of(&answer)?, &parts(&answer)?, deadline).await
    }

    /// Sets a reaction. Returns whether it is set now: the chat may not permit it, or the message may be gone.
    async fn set_reaction(
        &self,
        to: RequestContext,
        emoji: &str,
        deadline: Instant,
    ) -> Result<bool, Trouble> {
        self.pace.wait_for_any(self.last_start(deadline)).await?;
        let body = json!({
            "chat_id": to.chat_id,
            "message_id": to.message_id,
            "reaction": [{"type": "emoji", "emoji": emoji}],
        });
        match self.api.call("setMessageReaction", body).await {
            Ok(_) => Ok(true),
            Err(Failure::Refused(refusal)) if matches!(refusal.code, 400 | 403) => {
                Ok(refusal.speaks_of("not modified"))
            }
            Err(failure) => Err(failure.into()),
        }
    }

    async fn send(
        &self,
        key: &str,
        mut destination: Destination,
        parts: &[Part],
        deadline: Instant,
    ) -> Result<Delivered, Trouble> {
        let mut sent = self.recent.get(key).unwrap_or_default();
        for (index, part) in parts.iter().enumerate().skip(sent.message_ids.len()) {
            if index > 0 {
                destination.reply_to = None;
            }
            let (chat_id, message_id) = self.send_part(&mut destination, part, deadline).await?;
            (sent.chat_id, sent.thread_id) = (chat_id, destination.thread_id);
            sent.message_ids.push(message_id);
            self.recent.put(key, sent.clone());
        }
        let Sent { chat_id, thread_id, message_ids } = sent;
        Ok(Delivered::Telegram { chat_id, thread_id, message_ids })
    }

    /// Sends one part in its turn. Returns the chat it went to and its number there.
    async fn send_part(
        &self,
        destination: &mut Destination,
        part: &Part,
        deadline: Instant,
    ) -> Result<(i64, i64), Trouble> {
        let mut detours = 0;
        loop {
            self.pace.wait_for(&destination.chat, self.last_start(deadline)).await?;
            match self.api.call("sendMessage", part.body(destination)).await {
                Ok(reply) => return Ok(placed(&reply)),
                Err(Failure::Refused(refusal)) if detours < DETOURS_MAX && destination.detour(&refusal) => {
                    detours += 1
                }
                Err(failure) => {
                    if let Failure::Refused(refusal) = &failure
                        && let Some(seconds) = refusal.parameters.retry_after
                    {
                        self.pace.hold(&destination.chat, Duration::from_secs(seconds));
                    }
                    return Err(failure.into());
                }
            }
        }
    }

    /// Returns the latest start of a request. One that starts later could end after the deadline.
    fn last_start(&self, deadline: Instant) -> Instant {
        deadline.checked_sub(self.api.timeout()).unwrap_or_else(Instant::now)
    }
}

impl Destination {
    fn of(message: &Message) -> Result<Self, Trouble> {
        let context = message.reply_to;
        let own_chat = message.to.as_deref().map(str::trim).filter(|to| !to.is_empty());
        let chat = match (own_chat, context) {
            (Some(chat), _) => chat.to_owned(),
            (None, Some(context)) => context.chat_id.to_string(),
            (None, None) => return Err(Trouble::finally("the message names no Telegram chat")),
        };
        let is_name = chat.strip_prefix('@').is_some_and(|name| !name.is_empty());
        if !is_name && chat.parse::<i64>().is_err() {
            let reason =
                format!("{chat:?} is not a Telegram chat; use its number, or @name for a public one");
            return Err(Trouble::finally(reason));
        }
        // A message number means nothing in another chat.
        let context = context.filter(|context| context.chat_id.to_string() == chat);
        let reply_to = context.filter(|_| message.intent != Intent::Send).map(|context| context.message_id);
        Ok(Self { chat, thread_id: context.and_then(|context| context.thread_id), reply_to })
    }

    /// Redirects to the place where the chat is now: a group may have become a supergroup, a topic may have been
    /// deleted. Returns whether anything changed.
    fn detour(&mut self, refusal: &Refusal) -> bool {
        if let Some(chat_id) = refusal.parameters.migrate_to_chat_id {
            *self = Self { chat: chat_id.to_string(), thread_id: None, reply_to: None };
            return true;
        }
        self.thread_id.is_some() && refusal.speaks_of("thread not found") && self.thread_id.take().is_some()
    }

    fn chat_id(&self) -> Value {
        self.chat.parse::<i64>().map_or_else(|_| self.chat.clone().into(), Value::from)
    }
}

/// Reads chat and number from a reply. A reply without numbers is still a success: sending again would only repeat
/// the message.
fn placed(reply: &Value) -> (i64, i64) {
    let number = |value: &Value| value.as_i64().unwrap_or_default();
    (number(&reply["chat"]["id"]), number(&reply["message_id"]))
}
