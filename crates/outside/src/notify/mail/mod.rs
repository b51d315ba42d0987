//! Mail, over SMTP.

mod compose;
mod config;

use std::time::Duration;

use jiff::Timestamp;
use lettre::transport::smtp::authentication::Credentials;
use lettre::transport::smtp::client::{Certificate, Tls, TlsParameters};
use lettre::transport::smtp::extension::ClientId;
use lettre::{AsyncSmtpTransport, AsyncTransport, Tokio1Executor};
use tokio::sync::Semaphore;
use tokio::time::{Instant, timeout_at};

use super::recent::Recent;
use super::trouble::{causes, preview};
use super::{Delivered, Message, Misconfigured, Trouble};
use crate::model::Secret;
use compose::Sender;

pub use config::{MailConfig, Security};

/// A mail server that takes our mails.
#[derive(Debug)]
pub struct Mail {
    transport: AsyncSmtpTransport<Tokio1Executor>,
    sender: Sender,
    password: Option<Secret>,
    delivery_max: Duration,
    /// Servers turn away clients with many connections.
    slots: Semaphore,
    /// Keys of mails that the server has taken.
    recent: Recent<()>,
}

impl Mail {
    pub fn new(config: &MailConfig) -> Result<Self, Misconfigured> {
        Misconfigured::refuse_problems(config.check())?;
        let sender = Sender::new(config)?;
        let mut builder = AsyncSmtpTransport::<Tokio1Executor>::builder_dangerous(&config.host)
            .port(config.port())
            .tls(tls(config)?)
            .timeout(Some(Duration::from_millis(config.timeout_ms)))
            .hello_name(ClientId::Domain(sender.domain().to_owned()));
        if let (Some(user), Some(password)) = (&config.user, &config.password) {
            builder = builder.credentials(Credentials::new(user.clone(), password.reveal().to_owned()));
        }
        Ok(Self {
            transport: builder.build(),
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
            self.hand_over(mail).await?;
            self.recent.put(key, ());
        }
        Ok(Delivered::Email { message_id })
    }

    /// Whether the server can be reached and lets us in, without sending anything.
    pub async fn greet(&self) -> Result<(), Trouble> {
        let greeting = self.transport.test_connection();
        let deadline = Instant::now() + self.delivery_max;
        match timeout_at(deadline, greeting).await {
            Ok(Ok(true)) => Ok(()),
            Ok(Ok(false)) => Err(Trouble::retry("the mail server hung up")),
            Ok(Err(error)) => Err(self.trouble(&error)),
            Err(_) => Err(self.too_slow()),
        }
    }

    async fn hand_over(&self, mail: lettre::Message) -> Result<(), Trouble> {
        let deadline = Instant::now() + self.delivery_max;
        let sending = async {
            // The slots are never closed.
            let _slot = self.slots.acquire().await;
            self.transport.send(mail).await
        };
        match timeout_at(deadline, sending).await {
            Ok(Ok(_)) => Ok(()),
            Ok(Err(error)) => Err(self.trouble(&error)),
            Err(_) => Err(self.too_slow()),
        }
    }

    fn trouble(&self, error: &lettre::transport::smtp::Error) -> Trouble {
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
            return Trouble::finally(format!(
                "the mail cannot be handed over: {said}; check `security` and `user`"
            ));
        }
        Trouble::retry(format!("the mail server could not be used: {said}"))
    }

    fn too_slow(&self) -> Trouble {
        let ms = self.delivery_max.as_millis();
        Trouble::retry(format!("the mail server did not take the mail within {ms} ms"))
    }
}

fn tls(config: &MailConfig) -> Result<Tls, Misconfigured> {
    if config.security == Security::None {
        return Ok(Tls::None);
    }
    // Installing it twice is an error that means that it is installed.
    let _ = rustls::crypto::ring::default_provider().install_default();
    let bad = |error: lettre::transport::smtp::Error| {
        Misconfigured::new(
            format!("TLS to the mail server cannot be set up: {}", causes(&error)),
            "check `root_certificate_pem`, and that the system's root certificates are installed",
        )
    };
    let mut builder = TlsParameters::builder(config.host.clone());
    if let Some(pem) = &config.root_certificate_pem {
        builder = builder.add_root_certificate(Certificate::from_pem(pem.as_bytes()).map_err(bad)?);
    }
    let parameters = builder.build().map_err(bad)?;
    Ok(match config.security {
        Security::Starttls => Tls::Required(parameters),
        _ => Tls::Wrapper(parameters),
    })
}
