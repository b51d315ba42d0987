//! Mail, over SMTP.

mod compose;
mod config;
mod relay;

use std::time::Duration;

use jiff::Timestamp;
use tokio::sync::Semaphore;
use tokio::time::{Instant, timeout_at};

use super::recent::Recent;
use super::{Delivered, Message, Trouble};
use crate::web::{causes, preview};
use crate::{Finding, Secret};
use compose::Sender;
use relay::{Failure, Relay};

pub use config::{MailConfig, Security};

/// How long a mail lets others go first that has waited for all of its time.
const BUSY_MS: u64 = 1_000;

/// A mail server that takes our mails.
#[derive(Debug)]
pub struct Mail {
    relay: Relay,
    sender: Sender,
    password: Option<Secret>,
    delivery_max: Duration,
    /// Servers turn away clients with many connections.
    slots: Semaphore,
    /// Keys of mails that the server has taken.
    recent: Recent<()>,
}

impl Mail {
    pub fn new(config: &MailConfig) -> Result<Self, Finding> {
        Finding::refuse(config.check())?;
        let sender = Sender::new(config)?;
        Ok(Self {
            relay: Relay::new(config, sender.domain())?,
            sender,
            password: config.password.clone(),
            delivery_max: Duration::from_millis(config.delivery_max_ms),
            slots: Semaphore::new(config.concurrent_mails),
            recent: Recent::default(),
        })
    }

    /// Hands a mail to the server. The same key always makes the same Message-ID.
    pub async fn deliver(
        &self,
        key: &str,
        message: &Message,
        written_at: Timestamp,
    ) -> Result<Delivered, Trouble> {
        message.check()?;
        let message_id = self.sender.message_id(key);
        if self.recent.get(key).is_none() {
            let mail = self.sender.compose(key, message, written_at)?;
            self.hand_over(&mail).await?;
            self.recent.put(key, ());
        }
        Ok(Delivered::Email { message_id })
    }

    /// Whether the server can be reached and lets us in, without sending anything.
    pub async fn greet(&self) -> Result<(), Trouble> {
        let deadline = Instant::now() + self.delivery_max;
        self.relay.greet(deadline).await.map_err(|failure| self.trouble(&failure))
    }

    async fn hand_over(&self, mail: &lettre::Message) -> Result<(), Trouble> {
        let deadline = Instant::now() + self.delivery_max;
        // The slots are never closed.
        let slot = timeout_at(deadline, self.slots.acquire()).await;
        // Who waits behind others has not been tried: ten thousand mails at once must not die of waiting.
        let busy = |_| Trouble::retry_after(BUSY_MS, "many mails are under way before this one");
        let _slot = slot.map_err(busy)?;
        self.relay.hand_over(mail, deadline).await.map_err(|failure| self.trouble(&failure))
    }

    fn trouble(&self, failure: &Failure) -> Trouble {
        let error = match failure {
            Failure::Slow(what) => return Trouble::retry(format!("the mail server did not {what} in time")),
            Failure::Smtp(error) => error,
        };
        let words = causes(error);
        let words = self.password.as_ref().map_or_else(|| words.clone(), |password| password.redact(&words));
        let said = preview(&words);
        if error.is_permanent() {
            return Trouble::finally(format!("the mail server refuses: {said}"));
        }
        if error.is_transient() {
            return Trouble::retry(format!("the mail server says not now: {said}"));
        }
        if error.is_client() {
            let cure = "check `security` and `user`";
            return Trouble::finally(format!("the mail cannot be handed over: {said}; {cure}"));
        }
        Trouble::retry(format!("the mail server could not be used: {said}"))
    }
}
