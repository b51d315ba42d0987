//! The chats, the people, and the updates that wait for the bot.

use std::collections::{BTreeMap, BTreeSet, HashMap, VecDeque};

use serde_json::{Value, json};
use tokio::time::{Duration, Instant};

use super::params::Params;
use super::{Accident, Refusal};

/// A date in 2026, in seconds since 1970.
const FIRST_DATE: i64 = 1_790_000_000;
const UPDATES_MAX: usize = 100;
/// Requests may arrive closer together than they were sent, especially on a busy machine.
const TOLERANCE: Duration = Duration::from_millis(500);

#[derive(Default)]
pub struct World {
    pub chats: HashMap<i64, Chat>,
    pub webhook: Option<Webhook>,
    pub accidents: HashMap<String, VecDeque<(Accident, bool)>>,
    pub enforces_limits: bool,
    updates: VecDeque<Value>,
    update_count: i64,
    /// Empty means all kinds.
    allowed_updates: Vec<String>,
    polls: u64,
    calls: Vec<String>,
    sent: Vec<Value>,
    reactions: Vec<Value>,
    /// The chat and the time of every sent message.
    times: Vec<(i64, Instant)>,
}

#[derive(Default)]
pub struct Chat {
    pub is_forum: bool,
    pub reactions: Option<Vec<String>>,
    pub is_blocked: bool,
    pub migrated_to: Option<i64>,
    pub topics: BTreeSet<i64>,
    pub messages: BTreeMap<i64, Value>,
    message_count: i64,
}

#[derive(Clone)]
pub struct Webhook {
    pub url: String,
    pub secret_token: Option<String>,
}

impl World {
    pub fn report(&self) -> Value {
        json!({
            "sent": self.sent,
            "reactions": self.reactions,
            "calls": self.calls,
            "waiting_updates": self.updates.len(),
            "webhook": self.webhook.as_ref().map(|webhook| webhook.url.clone()),
        })
    }

    pub fn chat(&mut self, chat_id: i64) -> &mut Chat {
        self.chats.entry(chat_id).or_default()
    }

    /// Returns the next accident planned for a method, and whether the call is still performed.
    pub fn take_accident(&mut self, method: &str) -> Option<(Accident, bool)> {
        self.calls.push(method.to_owned());
        self.accidents.get_mut(method)?.pop_front()
    }

    pub fn open_topic(&mut self, chat_id: i64) -> i64 {
        let opening = self.add_message(chat_id, json!({"forum_topic_created": {"name": "Topic"}}));
        let thread_id = opening["message_id"].as_i64().unwrap();
        self.chat(chat_id).topics.insert(thread_id);
        thread_id
    }

    /// Adds a message from a person to the bot.
    pub fn hear(
        &mut self,
        chat_id: i64,
        text: Option<String>,
        thread_id: Option<i64>,
        reply_to: Option<i64>,
    ) -> Value {
        let person = if chat_id > 0 { chat_id } else { 4711 };
        let mut fields = json!({
            "from": {"id": person, "is_bot": false, "first_name": "Ada", "last_name": "L.",
                "username": "ada", "language_code": "en"},
        });
        match text {
            Some(text) => fields["text"] = text.into(),
            None => fields["voice"] = json!({"file_id": "v", "duration": 1}),
        }
        // Outside forums a thread of replies also has a number, which is not a topic; in a topic, a message
        // that replies to nothing replies to the one that opened the topic.
        let is_topic = thread_id.is_some();
        if let Some(thread_id) = thread_id.or(reply_to) {
            fields["message_thread_id"] = thread_id.into();
        }
        if is_topic {
            fields["is_topic_message"] = true.into();
        }
        if let Some(answered) = reply_to.or(thread_id) {
            let answered = self.chat(chat_id).messages.get(&answered).cloned();
            fields["reply_to_message"] = answered.unwrap_or(Value::Null);
        }
        let message = self.add_message(chat_id, fields);
        self.add_update("message", message.clone());
        message
    }

    pub fn hear_edited(&mut self, chat_id: i64, message_id: i64, text: &str) -> Value {
        let mut message = self.chat(chat_id).messages[&message_id].clone();
        message["text"] = text.into();
        self.add_update("edited_message", message.clone());
        message
    }

    /// Adds a message from the bot.
    pub fn send(&mut self, chat_id: i64, fields: Value) -> Value {
        let message = self.add_message(chat_id, fields);
        self.sent.push(message.clone());
        message
    }

    pub fn react(&mut self, chat_id: i64, message_id: i64, reaction: Value) {
        let event = json!({"chat_id": chat_id, "message_id": message_id, "reaction": reaction});
        self.reactions.push(event);
    }

    /// Enforces one message a second in a chat, twenty a minute in a group, and thirty a second altogether.
    pub fn count_message(&mut self, chat_id: i64) -> Result<(), Refusal> {
        let now = Instant::now();
        let since = |window: Duration, of_chat: bool| {
            let is_meant = |(chat, at): &&(i64, Instant)| {
                (!of_chat || *chat == chat_id) && now.duration_since(*at) + TOLERANCE < window
            };
            self.times.iter().filter(is_meant).count()
        };
        let second = Duration::from_secs(1);
        let minute = 60 * second;
        let wait_s = if chat_id < 0 && since(minute, true) >= 20 {
            30
        } else if since(second, true) >= 1 || since(second, false) >= 30 {
            1
        } else {
            self.times.push((chat_id, now));
            return Ok(());
        };
        if !self.enforces_limits {
            return Ok(());
        }
        let refusal = Refusal::new(429, format!("Too Many Requests: retry after {wait_s}"));
        Err(refusal.with(json!({"retry_after": wait_s})))
    }

    pub fn begin_poll(&mut self, params: &Params) -> Result<u64, Refusal> {
        if self.webhook.is_some() {
            let description = "Conflict: can't use getUpdates method while webhook is active; \
                               use deleteWebhook to delete the webhook first";
            return Err(Refusal::new(409, description));
        }
        self.allow_updates(&params.value("allowed_updates"));
        self.polls += 1;
        Ok(self.polls)
    }

    /// Removes the updates that the offset confirms, and returns the rest.
    pub fn waiting_updates(&mut self, params: &Params, poll: u64) -> Result<Vec<Value>, Refusal> {
        if poll != self.polls {
            let description = "Conflict: terminated by other getUpdates request; make sure that only one bot \
                               instance is running";
            return Err(Refusal::new(409, description));
        }
        match params.number("offset").unwrap_or(0) {
            offset if offset < 0 => {
                let keep = usize::try_from(-offset).unwrap_or(usize::MAX);
                self.updates.drain(..self.updates.len().saturating_sub(keep));
            }
            offset => self.confirm(offset - 1),
        }
        let limit = params.number("limit").unwrap_or(100).clamp(1, UPDATES_MAX as i64) as usize;
        Ok(self.updates.iter().take(limit).cloned().collect())
    }

    /// Removes all updates up to and including this one.
    pub fn confirm(&mut self, update_id: i64) {
        self.updates.retain(|update| update["update_id"].as_i64() > Some(update_id));
    }

    pub fn drop_updates(&mut self) {
        self.updates.clear();
    }

    pub fn waiting_count(&self) -> usize {
        self.updates.len()
    }

    pub fn set_webhook(&mut self, webhook: Webhook, allowed_updates: &Value) {
        self.webhook = Some(webhook);
        self.allow_updates(allowed_updates);
    }

    pub fn for_webhook(&self) -> Option<(Webhook, Value)> {
        Some((self.webhook.clone()?, self.updates.front()?.clone()))
    }

    /// Sets the allowed kinds of updates. Without a list, the previous ones stay allowed.
    fn allow_updates(&mut self, kinds: &Value) {
        if let Value::Array(kinds) = kinds {
            self.allowed_updates = kinds.iter().filter_map(|kind| kind.as_str().map(str::to_owned)).collect();
        }
    }

    fn add_update(&mut self, kind: &str, content: Value) {
        if self.allowed_updates.is_empty() || self.allowed_updates.iter().any(|allowed| allowed == kind) {
            self.update_count += 1;
            self.updates.push_back(json!({"update_id": 870_000_000 + self.update_count, kind: content}));
        }
    }

    fn add_message(&mut self, chat_id: i64, mut fields: Value) -> Value {
        let chat = self.chat(chat_id);
        chat.message_count += 1;
        let (message_id, is_forum) = (chat.message_count, chat.is_forum);
        fields["message_id"] = message_id.into();
        fields["date"] = (FIRST_DATE + message_id).into();
        fields["chat"] = match chat_id {
            1.. => json!({"id": chat_id, "type": "private", "first_name": "Ada", "username": "ada"}),
            _ if is_forum => json!({"id": chat_id, "type": "supergroup", "title": "Class", "is_forum": true}),
            _ => json!({"id": chat_id, "type": "supergroup", "title": "Class"}),
        };
        self.chat(chat_id).messages.insert(message_id, fields.clone());
        fields
    }
}
