//! Delivers mail over SMTP. The conversation is led step by step because each step has its own time-out: a mail
//! that the server has taken is delivered, however the conversation ends.

mod compose;
mod config;

use std::fmt;
use std::time::Duration;

use jiff::Timestamp;
use lettre::transport::smtp::Error;
use lettre::transport::smtp::authentication::{Credentials, Mechanism};
use lettre::transport::smtp::client::{AsyncSmtpConnection, Certificate, TlsParameters};
use lettre::transport::smtp::extension::ClientId;
use tokio::sync::Semaphore;
use tokio::time::{Instant, timeout, timeout_at};

use super::recent::Recent;
use super::{Delivered, Message, Trouble};
use crate::Finding;
use crate::web::{causes, choose_cryptography, preview};
use compose::Sender;

pub use config::{MailConfig, Security};

/// The time that a mail waits before it queues again.
const BUSY_MS: u64 = 1_000;
/// The time for saying goodbye, which is only a courtesy.
const GOODBYE_TIMEOUT: Duration = Duration::from_secs(1);

/// A mail server that takes our mails.
pub struct Mail {
    config: MailConfig,
    sender: Sender,
    hello_name: ClientId,
    /// The TLS settings; `None` without encryption.
    tls: Option<TlsParameters>,
    /// The slots for mails under way. Servers turn away clients with many connections.
    slots: Semaphore,
    /// The keys of mails that the server has taken.
    recent: Recent<()>,
}

impl Mail {
    pub fn new(config: &MailConfig) -> Result<Self, Finding> {
        Finding::refuse(config.check())?;
        let sender = Sender::new(config)?;
        Ok(Self {
            config: config.clone(),
            hello_name: ClientId::Domain(sender.domain().to_owned()),
            sender,
            tls: tls(config)?,
            slots: Semaphore::new(config.concurrent_mails),
            recent: Recent::default(),
        })
    }

    /// Hands a mail to the server. A key always makes the same Message-ID.
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

    /// Checks that the server can be reached and lets us in, without sending anything.
    pub async fn greet(&self) -> Result<(), Trouble> {
        let mut connection = self.open(self.deadline()).await?;
        let _ = timeout(GOODBYE_TIMEOUT, connection.quit()).await;
        Ok(())
    }

    /// Hands a mail over. Once the server has taken it, nothing more can go wrong.
    async fn hand_over(&self, mail: &lettre::Message) -> Result<(), Trouble> {
        let deadline = self.deadline();
        // The slots are never closed.
        let slot = timeout_at(deadline, self.slots.acquire()).await;
        // Waiting in line is not a failed attempt: ten thousand mails at once must not die of waiting.
        let busy = |_| Trouble::retry_after(BUSY_MS, "many mails are under way before this one");
        let _slot = slot.map_err(busy)?;
        let mut connection = self.open(deadline).await?;
        let (envelope, bytes) = (mail.envelope(), mail.formatted());
        let sent = timeout_at(deadline, connection.send(envelope, &bytes)).await;
        sent.map_err(|_| slow("take the mail"))?.map_err(|error| self.trouble(&error))?;
        let _ = timeout(GOODBYE_TIMEOUT, connection.quit()).await;
        Ok(())
    }

    fn deadline(&self) -> Instant {
        Instant::now() + Duration::from_millis(self.config.delivery_max_ms)
    }

    async fn open(&self, deadline: Instant) -> Result<AsyncSmtpConnection, Trouble> {
        let deadline = deadline.min(Instant::now() + Duration::from_millis(self.config.timeout_ms));
        let opened = timeout_at(deadline, self.connect()).await;
        opened.map_err(|_| slow("let us in"))?.map_err(|error| self.trouble(&error))
    }

    async fn connect(&self) -> Result<AsyncSmtpConnection, Error> {
        let MailConfig { host, security, user, password, .. } = &self.config;
        let from_the_first_byte = self.tls.clone().filter(|_| *security == Security::Tls);
        let server = (host.trim(), self.config.port());
        let mut connection =
            AsyncSmtpConnection::connect_tokio1(server, None, &self.hello_name, from_the_first_byte, None)
                .await?;
        if let (Security::Starttls, Some(tls)) = (security, &self.tls) {
            // This fails if the server does not offer it: nothing is ever sent unencrypted instead.
            connection.starttls(tls.clone(), &self.hello_name).await?;
        }
        if let (Some(user), Some(password)) = (user, password) {
            let credentials = Credentials::new(user.clone(), password.reveal().to_owned());
            connection.auth(&[Mechanism::Plain, Mechanism::Login], &credentials).await?;
        }
        Ok(connection)
    }

    fn trouble(&self, error: &Error) -> Trouble {
        let words = causes(error);
        let password = self.config.password.as_ref();
        let said = preview(&password.map_or_else(|| words.clone(), |password| password.redact(&words)));
        if error.is_permanent() {
            Trouble::finally(format!("the mail server refuses: {said}"))
        } else if error.is_transient() {
            Trouble::retry(format!("the mail server says not now: {said}"))
        } else if error.is_client() {
            let cure = "check `security` and `user`";
            Trouble::finally(format!("the mail cannot be handed over: {said}; {cure}"))
        } else {
            Trouble::retry(format!("the mail server could not be used: {said}"))
        }
    }
}

impl fmt::Debug for Mail {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.debug_struct("Mail").field("config", &self.config).finish_non_exhaustive()
    }
}

fn slow(what: &str) -> Trouble {
    Trouble::retry(format!("the mail server did not {what} in time"))
}

fn tls(config: &MailConfig) -> Result<Option<TlsParameters>, Finding> {
    if config.security == Security::None {
        return Ok(None);
    }
    choose_cryptography();
    let bad = |error: Error| {
        let what = format!("TLS to the mail server cannot be set up: {}", causes(&error));
        Finding::problem(what, "check `root_certificate_pem` and the system's root certificates")
    };
    let mut builder = TlsParameters::builder(config.host.trim().to_owned());
    if let Some(pem) = &config.root_certificate_pem {
        builder = builder.add_root_certificate(Certificate::from_pem(pem.as_bytes()).map_err(bad)?);
    }
    builder.build().map(Some).map_err(bad)
}
