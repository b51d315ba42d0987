//! Posts a message to an address that takes plain posts, as ntfy does.

use crate::web;
use std::time::Duration;

const TIMEOUT: Duration = Duration::from_secs(5);

/// Posts a message with a title. No error contains the address, because anyone who knows it can read along.
pub async fn post(url: &str, title: &str, text: &str) -> Result<(), String> {
    let client = web::client(None)?.timeout(TIMEOUT).build().map_err(web::bare)?;
    // A header has no line breaks and is ASCII.
    let title: String =
        title.chars().map(|c| if c.is_ascii_graphic() || c == ' ' { c } else { '?' }).collect();
    let reply =
        client.post(url).header("title", title).body(text.to_owned()).send().await.map_err(web::bare)?;
    match reply.status() {
        status if status.is_success() => Ok(()),
        status => Err(format!("the server answers {status}")),
    }
}
