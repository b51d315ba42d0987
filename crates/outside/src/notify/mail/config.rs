//! The settings of mail.

use serde::{Deserialize, Serialize};

use crate::{Finding, Secret, is_loopback};

/// The longest time-out. A node has 30 s for a message; after that, another node would send it as well.
const TIMEOUT_MAX_MS: u64 = 29_000;
const CONCURRENT_MAILS_MAX: usize = 64;

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct MailConfig {
    pub host: String,
    /// The port; by default 25, 587 or 465, depending on `security`.
    pub port: Option<u16>,
    pub security: Security,
    pub user: Option<String>,
    pub password: Option<Secret>,
    /// The sender, such as `Etude <etude@example.org>`.
    pub from: String,
    pub reply_to: Option<String>,
    /// The address at which receivers unsubscribe: `mailto:` or `https:`.
    pub unsubscribe: Option<String>,
    /// The certificate of an authority that this machine does not trust by itself.
    pub root_certificate_pem: Option<String>,
    /// The time for connecting, greeting, encryption and login together.
    pub timeout_ms: u64,
    /// The time for a whole mail. It must stay below the lease of the outbox.
    pub delivery_max_ms: u64,
    pub concurrent_mails: usize,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Security {
    /// No encryption, for a server on this machine.
    None,
    /// Encrypted after the greeting; refused if the server does not offer it.
    #[default]
    Starttls,
    /// Encrypted from the first byte.
    Tls,
}

impl Default for MailConfig {
    fn default() -> Self {
        Self {
            host: String::new(),
            port: None,
            security: Security::default(),
            user: None,
            password: None,
            from: String::new(),
            reply_to: None,
            unsubscribe: None,
            root_certificate_pem: None,
            timeout_ms: 10_000,
            delivery_max_ms: 25_000,
            concurrent_mails: 4,
        }
    }
}

impl MailConfig {
    pub fn port(&self) -> u16 {
        self.port.unwrap_or(match self.security {
            Security::None => 25,
            Security::Starttls => 587,
            Security::Tls => 465,
        })
    }

    /// Reports problems of the configuration itself, without touching the network. [`Mail::new`](super::Mail::new)
    /// checks the addresses.
    pub fn check(&self) -> Vec<Finding> {
        let in_the_clear = self.security == Security::None && !is_loopback(&self.host);
        let timeouts_fit =
            [self.timeout_ms, self.delivery_max_ms].iter().all(|ms| (1..=TIMEOUT_MAX_MS).contains(ms));
        let pem = self.root_certificate_pem.as_deref();
        let encrypt = "set `security` to \"starttls\" or \"tls\"";
        let mut findings = Finding::problems([
            (self.host.trim().is_empty(), "no mail server is named", "set `host`"),
            (
                self.user.is_some() != self.password.is_some(),
                "a user needs a password, and a password a user",
                "set both or neither",
            ),
            (
                self.password.is_some() && in_the_clear,
                "the password of the mail server would travel unencrypted",
                encrypt,
            ),
            (
                pem.is_some_and(|pem| !pem.contains("-----BEGIN CERTIFICATE-----")),
                "`root_certificate_pem` contains no certificate",
                "paste the file that begins with BEGIN CERTIFICATE",
            ),
            (!timeouts_fit, "a time-out of the mail settings is 0 or too long", "use 1 to 29000 ms"),
            (
                !(1..=CONCURRENT_MAILS_MAX).contains(&self.concurrent_mails),
                "`concurrent_mails` is out of bounds",
                "use 1 to 64",
            ),
        ]);
        if self.password.is_none() && in_the_clear && !self.host.trim().is_empty() {
            findings.push(Finding::warning(format!("mails travel unencrypted to {}", self.host), encrypt));
        }
        findings
    }
}
