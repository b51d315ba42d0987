//! What is told to a person: the payload of an effect.

use serde::{Deserialize, Serialize};

use super::Trouble;

const TEXT_MAX_BYTES: usize = 256 << 10;
const HTML_MAX_BYTES: usize = 1 << 20;

/// Fields that a channel has no use for are ignored by it: a subject on Telegram, an emoji in a mail.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Message {
    pub channel: Channel,
    pub intent: Intent,
    /// A mail address (`Ada <ada@example.org>`), or a chat of Telegram: its number or `@name`. May be left
    /// out where `reply_to` says the chat.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub to: Option<String>,
    /// Stands above the text, in bold. Nothing in it is markup.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub heading: Option<String>,
    /// Fenced blocks, `code`, **bold** and *italic* are shown as such.
    #[serde(default)]
    pub text: String,
    /// The same for mail programs that show HTML, where it is to be more than the text with its markup.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub html: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub subject: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub emoji: Option<String>,
    /// The message of the learner that this one answers. A message with the intent `send` goes to the same
    /// chat and topic without being an answer.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub reply_to: Option<RequestContext>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Channel {
    Telegram,
    Email,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Intent {
    Send,
    Reply,
    React,
}

/// Which message of Telegram is meant.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct RequestContext {
    pub chat_id: i64,
    pub message_id: i64,
    /// The topic of a forum.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub thread_id: Option<i64>,
}

impl Message {
    pub fn send(channel: Channel, to: impl Into<String>, text: impl Into<String>) -> Self {
        Self { to: Some(to.into()), ..Self::empty(channel, Intent::Send, text.into()) }
    }

    /// An answer to a message of Telegram.
    pub fn reply(reply_to: RequestContext, text: impl Into<String>) -> Self {
        Self { reply_to: Some(reply_to), ..Self::empty(Channel::Telegram, Intent::Reply, text.into()) }
    }

    /// A reaction to a message of Telegram. Where it cannot be given, it becomes an answer with this emoji.
    pub fn react(reply_to: RequestContext, emoji: impl Into<String>) -> Self {
        let empty = Self::empty(Channel::Telegram, Intent::React, String::new());
        Self { reply_to: Some(reply_to), emoji: Some(emoji.into()), ..empty }
    }

    fn empty(channel: Channel, intent: Intent, text: String) -> Self {
        Self {
            channel,
            intent,
            to: None,
            heading: None,
            text,
            html: None,
            subject: None,
            emoji: None,
            reply_to: None,
        }
    }

    /// Whether anything can be made of the message. What is wrong here stays wrong.
    pub fn check(&self) -> Result<(), Trouble> {
        let emoji_says_nothing = self.emoji.as_deref().unwrap_or_default().trim().is_empty();
        let heading = self.heading.as_deref().unwrap_or_default();
        let says_nothing = self.text.trim().is_empty() && heading.trim().is_empty();
        let html_bytes = self.html.as_ref().map_or(0, String::len);
        let rows = [
            (self.intent == Intent::React && emoji_says_nothing, "a reaction needs an emoji"),
            (
                self.intent == Intent::React && self.channel == Channel::Email,
                "a mail cannot be reacted to; send the answer as text",
            ),
            (
                self.intent == Intent::React && self.reply_to.is_none(),
                "a reaction needs a message to react to",
            ),
            (self.intent != Intent::React && says_nothing, "the message is empty"),
            (self.text.len() + heading.len() > TEXT_MAX_BYTES, "the text is larger than 256 KiB"),
            (html_bytes > HTML_MAX_BYTES, "the HTML is larger than 1 MiB"),
        ];
        match rows.into_iter().find(|(is_wrong, _)| *is_wrong) {
            Some((_, reason)) => Err(Trouble::finally(format!("the message cannot be sent: {reason}"))),
            None => Ok(()),
        }
    }
}
