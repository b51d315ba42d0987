//! A message to a person: the payload of an effect.

use serde::{Deserialize, Serialize};

use super::Trouble;

const TEXT_MAX_BYTES: usize = 256 << 10;
const HTML_MAX_BYTES: usize = 1 << 20;

/// A message to a person. A channel ignores fields that it has no use for: Telegram a subject, mail an emoji.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Message {
    pub channel: Channel,
    pub intent: Intent,
    /// The receiver: a mail address (`Ada <ada@example.org>`) or a Telegram chat, by its number or `@name`.
    /// Optional if `reply_to` names the chat.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub to: Option<String>,
    /// The heading, shown above the text in bold. Nothing in it is markup.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub heading: Option<String>,
    /// The text. Fenced blocks, `code`, **bold** and *italic* are shown as such.
    #[serde(default)]
    pub text: String,
    /// The text as HTML, if it should be more than the text with its markup. For mail.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub html: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub subject: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub emoji: Option<String>,
    /// The learner's message that this one answers. With the intent `send` the message goes to the same chat
    /// and topic without being an answer.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub reply_to: Option<RequestContext>,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Channel {
    #[default]
    Telegram,
    Email,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Intent {
    #[default]
    Send,
    Reply,
    React,
}

/// A reference to a message on Telegram.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct RequestContext {
    pub chat_id: i64,
    pub message_id: i64,
    /// The topic, in a forum.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub thread_id: Option<i64>,
}

impl Message {
    pub fn send(channel: Channel, to: impl Into<String>, text: impl Into<String>) -> Self {
        Self { channel, to: Some(to.into()), text: text.into(), ..Self::default() }
    }

    /// Makes an answer to a message on Telegram.
    pub fn reply(reply_to: RequestContext, text: impl Into<String>) -> Self {
        Self { intent: Intent::Reply, reply_to: Some(reply_to), text: text.into(), ..Self::default() }
    }

    /// Makes a reaction to a message on Telegram. If it cannot be given, it becomes an answer with this emoji.
    pub fn react(reply_to: RequestContext, emoji: impl Into<String>) -> Self {
        let emoji = Some(emoji.into());
        Self { intent: Intent::React, reply_to: Some(reply_to), emoji, ..Self::default() }
    }

    /// Refuses a message that can never be sent.
    pub fn check(&self) -> Result<(), Trouble> {
        let emoji_says_nothing = self.emoji.as_deref().unwrap_or_default().trim().is_empty();
        let heading = self.heading.as_deref().unwrap_or_default();
        let says_nothing = self.text.trim().is_empty() && heading.trim().is_empty();
        let html_bytes = self.html.as_ref().map_or(0, String::len);
        let is_reaction = self.intent == Intent::React;
        let rows = [
            (is_reaction && emoji_says_nothing, "a reaction needs an emoji"),
            (
                is_reaction && self.channel == Channel::Email,
                "a mail cannot be reacted to; send the answer as text",
            ),
            (is_reaction && self.reply_to.is_none(), "a reaction needs a message to react to"),
            (!is_reaction && says_nothing, "the message is empty"),
            (self.text.len() + heading.len() > TEXT_MAX_BYTES, "the text is larger than 256 KiB"),
            (html_bytes > HTML_MAX_BYTES, "the HTML is larger than 1 MiB"),
        ];
        match rows.into_iter().find(|(is_wrong, _)| *is_wrong) {
            Some((_, reason)) => Err(Trouble::finally(format!("the message cannot be sent: {reason}"))),
            None => Ok(()),
        }
    }
}
