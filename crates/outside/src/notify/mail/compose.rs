//! Composes a mail. A message under one key always becomes the same mail, byte for byte.

use std::time::{Duration, SystemTime};

use jiff::Timestamp;
use lettre::message::header::{HeaderName, HeaderValue};
use lettre::message::{Mailbox, MultiPart, SinglePart};
use uuid::Uuid;

use super::super::format::format;
use super::super::{Message, Trouble};
use super::MailConfig;
use crate::Finding;

const SUBJECT_MAX_CHARS: usize = 200;
const DEFAULT_SUBJECT: &str = "Etude";
/// The namespace of Message-IDs; an arbitrary value.
const KEYS: Uuid = Uuid::from_u128(0x6ea3_5c1f_94b2_4d0e_8a77_20c1_5e3b_d946);

/// The sender of every mail.
#[derive(Debug)]
pub(super) struct Sender {
    from: Mailbox,
    reply_to: Option<Mailbox>,
    unsubscribe: Option<String>,
}

impl Sender {
    pub(super) fn new(config: &MailConfig) -> Result<Self, Finding> {
        let parse = |field: &str, text: &str| {
            mailbox(text).map_err(|why| {
                Finding::problem(
                    format!("`{field}` is not a mail address: {why}"),
                    "use Name <name@example.org>",
                )
            })
        };
        let unsubscribe = config.unsubscribe.as_deref().map(exit).transpose();
        Ok(Self {
            from: parse("from", &config.from)?,
            reply_to: config.reply_to.as_deref().map(|text| parse("reply_to", text)).transpose()?,
            unsubscribe: unsubscribe.map_err(|why| Finding::problem(why, "use mailto: or https:"))?,
        })
    }

    pub(super) fn domain(&self) -> &str {
        self.from.email.domain()
    }

    pub(super) fn message_id(&self, key: &str) -> String {
        format!("<{}@{}>", name_of(key), self.domain())
    }

    pub(super) fn compose(
        &self,
        key: &str,
        message: &Message,
        written_at: Timestamp,
    ) -> Result<lettre::Message, Trouble> {
        let to = message.to.as_deref().ok_or_else(|| Trouble::finally("the mail names no receiver"))?;
        let to = mailbox(to)
            .map_err(|why| Trouble::finally(format!("the receiver is not a mail address: {why}")))?;
        let mut builder = lettre::Message::builder()
            .from(self.from.clone())
            .to(to)
            .subject(subject(message))
            .date(system_time(written_at))
            .message_id(Some(self.message_id(key)))
            // This header keeps programs that answer mails automatically from answering.
            .raw_header(header("Auto-Submitted", "auto-generated"));
        if let Some(reply_to) = &self.reply_to {
            builder = builder.reply_to(reply_to.clone());
        }
        if let Some(exit) = &self.unsubscribe {
            if exit.starts_with("https:") {
                let one_click = header("List-Unsubscribe-Post", "List-Unsubscribe=One-Click");
                builder = builder.raw_header(one_click);
            }
            builder = builder.raw_header(header("List-Unsubscribe", &format!("<{exit}>")));
        }
        let bad = |error| Trouble::finally(format!("the mail cannot be put together: {error}"));
        builder.multipart(body(key, message)).map_err(bad)
    }
}

/// Returns the text, plain and as HTML.
fn body(key: &str, message: &Message) -> MultiPart {
    let boundary = format!("alternative-{}", name_of(key).simple());
    let (text, html) = match &message.html {
        Some(html) => (message.text.clone(), html.clone()),
        None => {
            let formatted = format(message);
            (formatted.text.clone(), formatted.html())
        }
    };
    let body = MultiPart::alternative().boundary(boundary);
    body.singlepart(SinglePart::plain(text)).singlepart(SinglePart::html(html))
}

/// Returns the subject as one short line.
fn subject(message: &Message) -> String {
    let subject = message.subject.as_deref().unwrap_or_default();
    let printable: String = subject.chars().map(|char| if char.is_control() { ' ' } else { char }).collect();
    let one_line = printable.split_whitespace().collect::<Vec<_>>().join(" ");
    let short: String = one_line.chars().take(SUBJECT_MAX_CHARS).collect();
    if short.is_empty() { DEFAULT_SUBJECT.to_owned() } else { short }
}

fn mailbox(text: &str) -> Result<Mailbox, String> {
    if text.chars().any(char::is_control) {
        return Err("it contains a line break or another control character".to_owned());
    }
    text.trim().parse().map_err(|error| format!("{text:?} ({error})"))
}

/// Checks an address to unsubscribe at, which must be fit for a header.
fn exit(address: &str) -> Result<String, String> {
    let is_known = address.starts_with("mailto:") || address.starts_with("https://");
    let is_plain = |byte: u8| byte.is_ascii_graphic() && !matches!(byte, b'<' | b'>' | b',');
    if is_known && address.len() <= 500 && address.bytes().all(is_plain) {
        Ok(address.to_owned())
    } else {
        Err(format!("{address:?} is not an address to unsubscribe at"))
    }
}

fn name_of(key: &str) -> Uuid {
    Uuid::new_v5(&KEYS, key.as_bytes())
}

/// Converts a time. Mail has no dates before 1970.
fn system_time(at: Timestamp) -> SystemTime {
    SystemTime::UNIX_EPOCH + Duration::from_secs(u64::try_from(at.as_second()).unwrap_or(0))
}

fn header(name: &'static str, value: &str) -> HeaderValue {
    HeaderValue::new(HeaderName::new_from_ascii_str(name), value.to_owned())
}
