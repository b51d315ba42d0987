//! The notify port: one door to the places where a person reads, Telegram or a mailbox.
//!
//! A [`Message`] is the payload of an effect: it has the text, the channel and the receiver. The caller keeps
//! effects in its outbox and calls [`Notifier::deliver`] until it succeeds or fails with [`Trouble::Final`].
//! Everything here is bounded: time, sizes, parts, waiting, mails under way. No error and no `Debug` output
//! contains a token or a password.
//!
//! Delivery is at least once. Delivered keys are remembered for a while, so a caller that could not record the
//! success does not send twice. A message is repeated only if the process ends between the server's last answer and
//! the caller's record of it. A repeated mail can be recognised by its Message-ID. Telegram has nothing of the
//! kind, so callers should record success at once.
//!
//! Start reading at [`Notifier::deliver`]; `telegram` and `mail` are the two ways out.

mod format;
mod mail;
mod message;
mod post;
mod recent;
mod telegram;

use jiff::Timestamp;

pub use crate::Trouble;
pub use format::joined;
pub use mail::{Mail, MailConfig, Security};
pub use message::{Channel, Intent, Message, RequestContext};
pub use post::post;
pub use telegram::{
    Incoming, NotTelegram, RateLimits, Said, Telegram, TelegramConfig, Update, WEBHOOK_SECRET_HEADER,
    read_webhook,
};

/// The channels that are configured.
#[derive(Debug, Default)]
pub struct Notifier {
    pub telegram: Option<Telegram>,
    pub mail: Option<Mail>,
}

/// The place where a message went; enough to recognise an answer to it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Delivered {
    Telegram {
        /// The chat. It differs from the requested one if a group has become a supergroup; remember the new one.
        chat_id: i64,
        thread_id: Option<i64>,
        /// The numbers of the messages: one for each part of a long text, in order; none for a reaction.
        message_ids: Vec<i64>,
    },
    Email {
        message_id: String,
    },
}

impl Notifier {
    /// Whether messages of this channel can be delivered here.
    pub fn has(&self, channel: Channel) -> bool {
        match channel {
            Channel::Telegram => self.telegram.is_some(),
            Channel::Email => self.mail.is_some(),
        }
    }

    /// Delivers a message under the key of its effect. `written_at` is the time when the message was written; a
    /// mail that is sent again has the same date.
    pub async fn deliver(
        &self,
        key: &str,
        message: &Message,
        written_at: Timestamp,
    ) -> Result<Delivered, Trouble> {
        match (message.channel, &self.telegram, &self.mail) {
            (Channel::Telegram, Some(telegram), _) => telegram.deliver(key, message).await,
            (Channel::Email, _, Some(mail)) => mail.deliver(key, message, written_at).await,
            (Channel::Telegram, None, _) => Err(not_configured("Telegram", "telegram.token")),
            (Channel::Email, _, None) => Err(not_configured("mail", "mail.host")),
        }
    }
}

/// Makes the error for a channel without settings. It is not final: another process may have the channel, or this
/// one after its next start.
fn not_configured(channel: &str, setting: &str) -> Trouble {
    Trouble::retry(format!("{channel} is not configured here; set `{setting}`"))
}
