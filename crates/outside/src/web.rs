//! Sets up HTTP and TLS for every port: no redirects, bounded replies, no addresses in errors.

use std::error::Error;
use std::time::Duration;

use reqwest::{Client, ClientBuilder, Proxy, Response, redirect};
use tokio::time::timeout;

use crate::Secret;

const PREVIEW_MAX_CHARS: usize = 200;

/// The reason why the body of a reply could not be read.
#[derive(Debug, thiserror::Error)]
pub(crate) enum Unread {
    #[error("the connection was cut within the reply ({0})")]
    Cut(String),
    #[error("the reply stood still for {} ms", .0.as_millis())]
    Stalled(Duration),
    #[error("the reply is larger than {0} bytes")]
    TooLarge(usize),
}

/// Begins the set-up of a client. `proxy_url` is a secret because it may contain a password.
pub(crate) fn client(proxy_url: Option<&Secret>) -> Result<ClientBuilder, String> {
    choose_cryptography();
    let builder = Client::builder()
        // A redirect could carry a key to another host.
        .redirect(redirect::Policy::none())
        .user_agent(concat!("etude/", env!("CARGO_PKG_VERSION")));
    Ok(match proxy_url {
        Some(url) => builder.proxy(Proxy::all(url.reveal()).map_err(bare)?),
        None => builder.no_proxy(),
    })
}

/// Chooses the cryptography, which TLS needs before its first connection.
pub(crate) fn choose_cryptography() {
    // This fails only if a choice was made before.
    let _ = rustls::crypto::ring::default_provider().install_default();
}

pub(crate) async fn read(
    mut response: Response,
    max_bytes: usize,
    idle_timeout: Duration,
) -> Result<Vec<u8>, Unread> {
    let mut body = Vec::new();
    while let Some(chunk) = next(&mut response, idle_timeout).await? {
        if body.len() + chunk.len() > max_bytes {
            return Err(Unread::TooLarge(max_bytes));
        }
        body.extend_from_slice(&chunk);
    }
    Ok(body)
}

/// Returns the next bytes of a body, if there are more.
pub(crate) async fn next(response: &mut Response, idle_timeout: Duration) -> Result<Option<Vec<u8>>, Unread> {
    let chunk = timeout(idle_timeout, response.chunk()).await.map_err(|_| Unread::Stalled(idle_timeout))?;
    Ok(chunk.map_err(|error| Unread::Cut(bare(error)))?.map(Into::into))
}

/// Describes an HTTP error with its causes but without the address, which may contain a token.
pub(crate) fn bare(error: reqwest::Error) -> String {
    causes(&error.without_url())
}

/// Describes an error with its causes.
pub(crate) fn causes(error: &dyn Error) -> String {
    let mut text = error.to_string();
    let mut cause = error.source();
    while let Some(inner) = cause {
        let words = inner.to_string();
        // Some errors repeat their cause.
        if !text.contains(&words) {
            text.push_str(": ");
            text.push_str(&words);
        }
        cause = inner.source();
    }
    text
}

/// Returns the beginning of a server's text, fit for a message: short and printable.
pub(crate) fn preview(text: &str) -> String {
    let printable = text.chars().map(|char| if char.is_control() { ' ' } else { char });
    printable.take(PREVIEW_MAX_CHARS).collect()
}
