//! The conversation with the mail server. It is led step by step here because each step needs its own
//! patience: a mail that the server has taken is delivered, however the server takes leave.

use std::fmt;
use std::time::Duration;

use lettre::transport::smtp::Error;
use lettre::transport::smtp::authentication::{Credentials, Mechanism};
use lettre::transport::smtp::client::{AsyncSmtpConnection, Certificate, TlsParameters};
use lettre::transport::smtp::extension::ClientId;
use tokio::time::{Instant, timeout, timeout_at};

use super::{MailConfig, Security};
use crate::Finding;
use crate::web::{causes, choose_cryptography};

/// Taking leave is a courtesy.
const LEAVE_TIMEOUT: Duration = Duration::from_secs(1);

/// The way to one mail server.
pub(super) struct Relay {
    host: String,
    port: u16,
    hello_name: ClientId,
    security: Security,
    /// None without encryption.
    tls: Option<TlsParameters>,
    credentials: Option<Credentials>,
    open_timeout: Duration,
}

#[derive(Debug)]
pub(super) enum Failure {
    Smtp(Error),
    /// What the server did not do in time.
    Slow(&'static str),
}

impl Relay {
    pub(super) fn new(config: &MailConfig, domain: &str) -> Result<Self, Finding> {
        let login = config.user.clone().zip(config.password.as_ref());
        Ok(Self {
            host: config.host.trim().to_owned(),
            port: config.port(),
            hello_name: ClientId::Domain(domain.to_owned()),
            security: config.security,
            tls: tls(config)?,
            credentials: login.map(|(user, password)| Credentials::new(user, password.reveal().to_owned())),
            open_timeout: Duration::from_millis(config.timeout_ms),
        })
    }

    /// Hands a mail over. Once it is taken, nothing can go wrong any more.
    pub(super) async fn hand_over(&self, mail: &lettre::Message, deadline: Instant) -> Result<(), Failure> {
        let mut connection = self.open(deadline).await?;
        let (envelope, bytes) = (mail.envelope(), mail.formatted());
        let sent = timeout_at(deadline, connection.send(envelope, &bytes)).await;
        sent.map_err(|_| Failure::Slow("take the mail"))?.map_err(Failure::Smtp)?;
        let _ = timeout(LEAVE_TIMEOUT, connection.quit()).await;
        Ok(())
    }

    /// Comes in and goes again.
    pub(super) async fn greet(&self, deadline: Instant) -> Result<(), Failure> {
        let mut connection = self.open(deadline).await?;
        let _ = timeout(LEAVE_TIMEOUT, connection.quit()).await;
        Ok(())
    }

    async fn open(&self, deadline: Instant) -> Result<AsyncSmtpConnection, Failure> {
        let deadline = deadline.min(Instant::now() + self.open_timeout);
        let opened = timeout_at(deadline, self.connect()).await;
        opened.map_err(|_| Failure::Slow("let us in"))?.map_err(Failure::Smtp)
    }

    async fn connect(&self) -> Result<AsyncSmtpConnection, Error> {
        let from_the_first_byte = self.tls.clone().filter(|_| self.security == Security::Tls);
        let server = (self.host.as_str(), self.port);
        let mut connection =
            AsyncSmtpConnection::connect_tokio1(server, None, &self.hello_name, from_the_first_byte, None)
                .await?;
        if let (Security::Starttls, Some(tls)) = (self.security, &self.tls) {
            // An error where the server does not offer it: nothing is ever sent in the clear instead.
            connection.starttls(tls.clone(), &self.hello_name).await?;
        }
        if let Some(credentials) = &self.credentials {
            connection.auth(&[Mechanism::Plain, Mechanism::Login], credentials).await?;
        }
        Ok(connection)
    }
}

impl fmt::Debug for Relay {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        let server = (&self.host, self.port, self.security);
        out.debug_struct("Relay").field("server", &server).finish_non_exhaustive()
    }
}

fn tls(config: &MailConfig) -> Result<Option<TlsParameters>, Finding> {
    if config.security == Security::None {
        return Ok(None);
    }
    choose_cryptography();
    let bad = |error: Error| {
        Finding::problem(
            format!("TLS to the mail server cannot be set up: {}", causes(&error)),
            "check `root_certificate_pem`, and that the system's root certificates are installed",
        )
    };
    let mut builder = TlsParameters::builder(config.host.trim().to_owned());
    if let Some(pem) = &config.root_certificate_pem {
        builder = builder.add_root_certificate(Certificate::from_pem(pem.as_bytes()).map_err(bad)?);
    }
    builder.build().map(Some).map_err(bad)
}
