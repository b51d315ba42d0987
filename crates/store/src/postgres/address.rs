//! The address of PostgreSQL: one or several hosts, the checks of their certificates, and how long each may stay
//! silent.

use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

use tokio::time::timeout;
use tokio_postgres::config::{SslMode, TargetSessionAttrs};
use tokio_postgres::{Client, Config, Connection, Socket};

use super::tls::{Encrypted, Mode, Tls};
use crate::StoreError;

/// The time that a host may take for connection, encryption and authentication together.
const HANDSHAKE_TIMEOUT: Duration = Duration::from_secs(4);
/// The settings by which even a connection that waits for nothing notices within half a minute that its peer has
/// vanished.
const KEEPALIVE_IDLE: Duration = Duration::from_secs(10);
const KEEPALIVE_INTERVAL: Duration = Duration::from_secs(5);
const KEEPALIVE_RETRIES: u32 = 3;

/// An address that may name several hosts. All of them are copies of one database, and only one takes writes.
#[derive(Debug, Clone)]
pub(super) struct Address {
    hosts: Vec<Config>,
    tls: Tls,
    /// The index of the host that took writes last; clones share it.
    present: Arc<AtomicUsize>,
    /// The number of connections made so far; clones share it.
    connections: Arc<AtomicUsize>,
}

impl Address {
    /// Reads `postgres://USER@HOST,HOST/NAME?sslmode=…&sslrootcert=FILE`.
    pub(super) fn read(address: &str, settings: &str) -> Result<Self, StoreError> {
        let Encryption { plain, mode, roots, ssl } = encryption(address)?;
        let several = each_host(&plain);
        let is_one = several.len() == 1;
        let hosts: Result<Vec<Config>, StoreError> =
            several.iter().map(|one| configure(one, settings, ssl, is_one)).collect();
        let tls = Tls::new(mode, roots.as_deref())?;
        Ok(Self { hosts: hosts?, tls, present: Arc::default(), connections: Arc::default() })
    }

    /// Returns the address with more settings for its sessions.
    pub(super) fn with(&self, settings: &str) -> Self {
        let hosts = self.hosts.iter().map(|host| with_settings(host.clone(), settings)).collect();
        Self { hosts, ..self.clone() }
    }

    /// Returns how often any of the clones has connected. If the number grows, the server is back for all of them.
    pub(super) fn connections(&self) -> usize {
        self.connections.load(Ordering::Relaxed)
    }

    /// Connects to the host that takes writes, beginning with the one that took them last.
    pub(super) async fn connect(&self) -> Result<(Client, Connection<Socket, Encrypted>), StoreError> {
        let first = self.present.load(Ordering::Relaxed);
        let mut refusal = None;
        for turn in 0..self.hosts.len() {
            let at = (first + turn) % self.hosts.len();
            match timeout(HANDSHAKE_TIMEOUT, self.hosts[at].connect(self.tls.clone())).await {
                Ok(Ok(connected)) => {
                    self.present.store(at, Ordering::Relaxed);
                    self.connections.fetch_add(1, Ordering::Relaxed);
                    return Ok(connected);
                }
                Ok(Err(error)) => refusal = Some(StoreError::from(error)),
                Err(_) => {
                    let seconds = HANDSHAKE_TIMEOUT.as_secs();
                    let silent = format!("it accepts connections but said nothing for {seconds} s");
                    refusal = Some(StoreError::Unavailable(silent));
                }
            }
        }
        Err(refusal.unwrap_or_else(|| StoreError::Address("it names no host".to_owned())))
    }
}

/// The encryption that an address asks for, and the rest of the address.
struct Encryption {
    plain: String,
    mode: Mode,
    roots: Option<PathBuf>,
    ssl: SslMode,
}

/// Takes out the parameters that the client library does not know.
fn encryption(address: &str) -> Result<Encryption, StoreError> {
    let (before, query) = address.split_once('?').unwrap_or((address, ""));
    let (mut mode, mut ssl, mut roots, mut rest) = (Mode::Any, SslMode::Prefer, None, Vec::new());
    for part in query.split('&').filter(|part| !part.is_empty()) {
        match part.split_once('=') {
            Some(("sslmode", name)) => (ssl, mode) = ssl_mode(name)?,
            Some(("sslrootcert", "system")) => {}
            Some(("sslrootcert", file)) => roots = Some(PathBuf::from(unescaped(file)?)),
            _ => rest.push(part),
        }
    }
    // As PostgreSQL's own client does: an address that names an authority wants it checked.
    if roots.is_some() && (ssl, mode) == (SslMode::Require, Mode::Any) {
        mode = Mode::VerifyCa;
    }
    let plain = if rest.is_empty() { before.to_owned() } else { format!("{before}?{}", rest.join("&")) };
    Ok(Encryption { plain, mode, roots, ssl })
}

fn ssl_mode(name: &str) -> Result<(SslMode, Mode), StoreError> {
    match name {
        "disable" => Ok((SslMode::Disable, Mode::Any)),
        "allow" | "prefer" => Ok((SslMode::Prefer, Mode::Any)),
        "require" => Ok((SslMode::Require, Mode::Any)),
        "verify-ca" => Ok((SslMode::Require, Mode::VerifyCa)),
        "verify-full" => Ok((SslMode::Require, Mode::VerifyFull)),
        _ => Err(StoreError::Address(format!(
            "sslmode={name} is none of disable, prefer, require, verify-ca and verify-full"
        ))),
    }
}

/// Returns one address for each host in `//USER@HOST:PORT,HOST:PORT/NAME`.
fn each_host(address: &str) -> Vec<String> {
    let (scheme, rest) = address.split_once("://").unwrap_or(("postgres", address));
    let end = rest.find(['/', '?']).unwrap_or(rest.len());
    let (authority, after) = rest.split_at(end);
    let (user, hosts) = match authority.rsplit_once('@') {
        Some((user, hosts)) => (format!("{user}@"), hosts),
        None => (String::new(), authority),
    };
    hosts.split(',').map(|host| format!("{scheme}://{user}{host}{after}")).collect()
}

fn configure(address: &str, settings: &str, ssl: SslMode, is_one: bool) -> Result<Config, StoreError> {
    let config: Config = address.parse().map_err(|error| StoreError::Address(format!("{error}")))?;
    let mut config = with_settings(config, settings);
    config
        .application_name("etude")
        .ssl_mode(ssl)
        .connect_timeout(HANDSHAKE_TIMEOUT)
        .keepalives_idle(KEEPALIVE_IDLE)
        .keepalives_interval(KEEPALIVE_INTERVAL)
        .keepalives_retries(KEEPALIVE_RETRIES);
    if !is_one {
        config.target_session_attrs(TargetSessionAttrs::ReadWrite);
    }
    Ok(config)
}

/// Adds settings to those of the address, which come last and win.
fn with_settings(mut config: Config, settings: &str) -> Config {
    let options = match config.get_options() {
        Some(others) => format!("{settings} {others}"),
        None => settings.to_owned(),
    };
    config.options(options);
    config
}

/// Decodes `%2F` and its like.
fn unescaped(text: &str) -> Result<String, StoreError> {
    let wrong = || StoreError::Address(format!("{text:?} is not well escaped"));
    let mut parts = text.split('%');
    let mut bytes = parts.next().unwrap_or_default().as_bytes().to_vec();
    for part in parts {
        let code = part.get(..2).and_then(|digits| u8::from_str_radix(digits, 16).ok()).ok_or_else(wrong)?;
        bytes.push(code);
        bytes.extend(&part.as_bytes()[2..]);
    }
    String::from_utf8(bytes).map_err(|_| wrong())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_host_has_an_address() {
        let both = each_host("postgres://u:p@a:1,b:2/name?options=-c%20x");
        assert_eq!(
            both,
            ["postgres://u:p@a:1/name?options=-c%20x", "postgres://u:p@b:2/name?options=-c%20x"]
        );
        assert_eq!(each_host("postgres://a/name"), ["postgres://a/name"]);
        assert_eq!(each_host("postgres:///name?host=/tmp"), ["postgres:///name?host=/tmp"]);
    }

    #[test]
    fn encryption_is_taken_out() {
        let read = encryption("postgres://a/n?sslmode=verify-full&options=x&sslrootcert=%2Ftmp%2Fa%20b.pem");
        let read = read.expect("it is readable");
        assert_eq!((read.plain.as_str(), read.mode), ("postgres://a/n?options=x", Mode::VerifyFull));
        assert_eq!(read.roots, Some(PathBuf::from("/tmp/a b.pem")));
        assert!(encryption("postgres://a/n?sslmode=verify").is_err());
        assert_eq!(
            encryption("postgres://a/n?sslmode=require&sslrootcert=x").expect("readable").mode,
            Mode::VerifyCa
        );
    }
}
