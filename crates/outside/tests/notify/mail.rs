//! Tests of mails to a real server process, read back with Python's own email package.

use std::path::PathBuf;

use outside::model::Secret;
use outside::notify::{Channel, Delivered, Mail, MailConfig, Message, Security, Trouble};
use serde::Deserialize;
use serde_json::{Value, json};
use tempfile::TempDir;

use super::{expect_trouble, written_at};
use crate::peers::{Serving, found, script};

const PASSWORD: &str = "correct horse";

struct Peer {
    ports: Ports,
    folder: TempDir,
    _process: Serving,
}

#[derive(Deserialize)]
struct Ports {
    plain: u16,
    starttls: u16,
    tls: u16,
    slow: u16,
    busy: u16,
    clinging: u16,
    certificate: PathBuf,
}

impl Peer {
    fn start() -> Option<Self> {
        let folder = tempfile::tempdir().unwrap();
        let process = found(Serving::start(script("mail-peer").arg(folder.path())))?;
        Some(Self { ports: serde_json::from_str(&process.line).unwrap(), folder, _process: process })
    }

    fn config(&self) -> MailConfig {
        MailConfig {
            host: "localhost".to_owned(),
            port: Some(self.ports.plain),
            security: Security::None,
            from: "Étude <etude@example.org>".to_owned(),
            unsubscribe: Some("mailto:stop@example.org?subject=stop".to_owned()),
            timeout_ms: 2_000,
            delivery_max_ms: 4_000,
            ..MailConfig::default()
        }
    }

    fn secured(&self, security: Security) -> MailConfig {
        let port = if security == Security::Tls { self.ports.tls } else { self.ports.starttls };
        MailConfig {
            port: Some(port),
            security,
            user: Some("etude".to_owned()),
            password: Some(Secret::new(PASSWORD)),
            root_certificate_pem: Some(std::fs::read_to_string(&self.ports.certificate).unwrap()),
            ..self.config()
        }
    }

    /// The number of mails that the server has taken.
    fn count(&self) -> usize {
        let files = std::fs::read_dir(self.folder.path()).unwrap();
        files
            .filter(|file| file.as_ref().unwrap().path().extension().is_some_and(|kind| kind == "json"))
            .count()
    }

    fn read(&self, number: usize) -> (String, Value) {
        let path = |kind: &str| self.folder.path().join(format!("{number}.{kind}"));
        let raw = std::fs::read_to_string(path("eml")).unwrap();
        (raw, serde_json::from_str(&std::fs::read_to_string(path("json")).unwrap()).unwrap())
    }

    /// Delivers a mail and reads it back.
    async fn exchange(&self, config: &MailConfig, key: &str, message: &Message) -> (String, Value) {
        let mail = Mail::new(config).unwrap();
        mail.deliver(key, message, written_at()).await.unwrap();
        self.read(self.count())
    }
}

/// One process serves all cases, because starting it is the slow part.
#[tokio::test]
async fn a_real_server_takes_the_mails() {
    let Some(peer) = Peer::start() else { return };
    a_digest_arrives_whole(&peer).await;
    a_repeated_mail_is_the_same_mail(&peer).await;
    no_message_can_write_headers(&peer).await;
    who_wants_no_more_can_say_so_with_one_click(&peer).await;
    plain_text_arrives_as_it_was_written(&peer).await;
    a_text_is_shown_as_html_too(&peer).await;
    encryption_and_passwords(&peer).await;
    refusals_are_sorted_by_what_helps(&peer).await;
    servers_that_do_not_answer(&peer).await;
    a_server_that_does_not_say_goodbye(&peer).await;
    waiting_in_line_is_not_an_attempt(&peer).await;
    many_at_once(&peer).await;
}

fn digest() -> Message {
    let bars = "Besitz & Leihe  ██████████████▍       72 %\nLebenszeiten    ██                    10 %\n";
    let table = "<table><tr><td>Besitz &amp; Leihe</td><td width=\"173\" bgcolor=\"#2f7d5d\">&nbsp;</td></tr></table>\n";
    let long_line = "Größenordnung ".repeat(200);
    Message {
        html: Some(format!("<p>Grüße, Ada!</p>{table}<p>{long_line}</p>")),
        subject: Some("Deine Woche: 7 Begriffe gelernt – weiter so 🎉".to_owned()),
        ..Message::send(
            Channel::Email,
            "Ada Löw <ada@example.org>",
            format!("Grüße, Ada!\n\n{bars}\n{long_line}\n.\n.dot\nFrom here"),
        )
    }
}

async fn a_digest_arrives_whole(peer: &Peer) {
    let message = digest();
    let (raw, seen) = peer.exchange(&peer.config(), "flow-1/3/0", &message).await;
    assert_eq!((&seen["from"], &seen["to"]), (&json!("etude@example.org"), &json!(["ada@example.org"])));
    let header = |name: &str| seen["headers"][name].as_str().unwrap_or_default().to_owned();
    let expected = [
        ("subject", message.subject.as_deref().unwrap()),
        ("from", "Étude <etude@example.org>"),
        ("to", "Ada Löw <ada@example.org>"),
        ("date", "Sun, 15 Nov 2026 08:00:00 +0000"),
        ("list-unsubscribe", "<mailto:stop@example.org?subject=stop>"),
        ("auto-submitted", "auto-generated"),
        ("mime-version", "1.0"),
    ];
    for (name, value) in expected {
        assert_eq!(header(name), value, "{name}");
    }
    assert_eq!(header("list-unsubscribe-post"), "", "one click is for web addresses");
    assert!(header("message-id").ends_with("@example.org>"), "{seen}");
    assert_eq!(seen["structure"], json!({"multipart/alternative": ["text/plain", "text/html"]}));
    assert_eq!(content(&seen, 0), message.text, "the text");
    assert_eq!(content(&seen, 1), message.html.unwrap(), "the HTML");
    assert!(content(&seen, 0).contains('█') && content(&seen, 1).contains("bgcolor"));
    assert_eq!(seen["defects"], json!([]), "{raw}");
    assert!(seen["longest_line"].as_u64() <= Some(998) && seen["is_ascii"] == true, "{raw}");
}

fn content(seen: &Value, part: usize) -> String {
    seen["parts"][part]["content"].as_str().unwrap().trim_end_matches('\n').to_owned()
}

async fn a_repeated_mail_is_the_same_mail(peer: &Peer) {
    let config = peer.config();
    let (first, _) = peer.exchange(&config, "flow-1/4/0", &digest()).await;
    // After a crash, another process knows nothing of the first delivery.
    let (second, seen) = peer.exchange(&config, "flow-1/4/0", &digest()).await;
    assert_eq!(first, second);
    let (_, other) = peer.exchange(&config, "flow-1/4/1", &digest()).await;
    assert_ne!(seen["headers"]["message-id"], other["headers"]["message-id"]);
    let (mail, before) = (Mail::new(&config).unwrap(), peer.count());
    let once = mail.deliver("flow-1/4/0", &digest(), written_at()).await.unwrap();
    let twice = mail.deliver("flow-1/4/0", &digest(), written_at()).await.unwrap();
    let message_id = seen["headers"]["message-id"].as_str().unwrap().to_owned();
    assert_eq!((&once, &twice), (&Delivered::Email { message_id }, &once));
    assert_eq!(peer.count(), before + 1, "the same process sends it once");
}

async fn no_message_can_write_headers(peer: &Peer) {
    let (_, plain) = peer.exchange(&peer.config(), "plain", &digest()).await;
    let evil = "x\u{7}\r\nBcc: everybody@example.org\r\n\r\nbody";
    let message = Message { subject: Some(evil.to_owned()), ..digest() };
    let (raw, seen) = peer.exchange(&peer.config(), "evil", &message).await;
    assert_eq!(seen["headers"]["subject"], "x Bcc: everybody@example.org body", "{raw}");
    assert_eq!((&seen["header_count"], &seen["to"]), (&plain["header_count"], &plain["to"]), "{raw}");
    let rows = [
        (Message { to: Some(format!("ada@example.org{evil}")), ..digest() }, "line break"),
        (Message { to: Some("ada@example.org, eve@example.org".into()), ..digest() }, "not a mail address"),
        (Message { to: Some("nobody".into()), ..digest() }, "not a mail address"),
        (Message { to: None, ..digest() }, "no receiver"),
    ];
    let mail = Mail::new(&peer.config()).unwrap();
    for (message, word) in rows {
        expect_trouble(&mail.deliver(word, &message, written_at()).await, true, word);
    }
}

async fn who_wants_no_more_can_say_so_with_one_click(peer: &Peer) {
    let address = "https://etude.example/stop/abc";
    let config = MailConfig { unsubscribe: Some(address.to_owned()), ..peer.config() };
    let (_, seen) = peer.exchange(&config, "one click", &digest()).await;
    assert_eq!(seen["headers"]["list-unsubscribe"], format!("<{address}>"));
    assert_eq!(seen["headers"]["list-unsubscribe-post"], "List-Unsubscribe=One-Click");
}

/// Text that needs no encoding is subject to SMTP's own rules: dots at the start of lines, and line ends.
async fn plain_text_arrives_as_it_was_written(peer: &Peer) {
    let text = "Hello\n.\n..\n.dot\n\nFrom here\nto there";
    let message = Message { html: None, text: text.to_owned(), ..digest() };
    let (raw, seen) = peer.exchange(&peer.config(), "only text", &message).await;
    assert_eq!(content(&seen, 0), text, "{raw}");
    assert_eq!(raw.matches('\n').count(), raw.matches("\r\n").count(), "{raw:?}");
}

async fn a_text_is_shown_as_html_too(peer: &Peer) {
    let message = Message {
        heading: Some("Joins <b>".to_owned()),
        ..Message::send(Channel::Email, "ada@example.org", "**Which** one?\n\n```sql\nSELECT 1 < 2\n```")
    };
    let (raw, seen) = peer.exchange(&peer.config(), "text and HTML", &message).await;
    assert_eq!(seen["structure"], json!({"multipart/alternative": ["text/plain", "text/html"]}), "{raw}");
    assert_eq!(content(&seen, 0), "Joins <b>\n\nWhich one?\n\nSELECT 1 < 2", "{raw}");
    for part in ["<b>Joins &lt;b&gt;</b>", "<b>Which</b> one?", "<pre>SELECT 1 &lt; 2</pre>"] {
        assert!(content(&seen, 1).contains(part), "{part}: {raw}");
    }
}

async fn encryption_and_passwords(peer: &Peer) {
    for security in [Security::Starttls, Security::Tls] {
        let config = peer.secured(security);
        let (_, seen) = peer.exchange(&config, &format!("{security:?}"), &digest()).await;
        assert_eq!(seen["login"], true, "{security:?}");
        assert_eq!(seen["encrypted"], true, "{security:?}");
        assert_eq!(Mail::new(&config).unwrap().greet().await, Ok(()), "{security:?}");
        let wrong = MailConfig { password: Some(Secret::new("wrong-password")), ..config.clone() };
        let stranger = MailConfig { user: None, password: None, ..config.clone() };
        let untrusted = MailConfig { root_certificate_pem: None, ..config.clone() };
        let other_name = MailConfig { host: "127.0.0.1".to_owned(), ..config.clone() };
        let rows = [
            (wrong, true, "535"),
            (stranger, true, "530"),
            (untrusted, false, "certificate"),
            (other_name, false, "certificate"),
        ];
        for (config, is_final, word) in rows {
            let mail = Mail::new(&config).unwrap();
            let result = mail.deliver(word, &digest(), written_at()).await;
            expect_trouble(&result, is_final, word);
            let told = format!("{result:?} {mail:?} {config:?}");
            assert!(!told.contains("wrong-password") && !told.contains(PASSWORD), "{told}");
        }
    }
    // A server that does not offer STARTTLS gets neither the password nor the mail.
    let before = peer.count();
    let downgraded = MailConfig { port: Some(peer.ports.plain), ..peer.secured(Security::Starttls) };
    let result = Mail::new(&downgraded).unwrap().deliver("downgraded", &digest(), written_at()).await;
    expect_trouble(&result, true, "STARTTLS");
    assert_eq!(peer.count(), before);
}

async fn refusals_are_sorted_by_what_helps(peer: &Peer) {
    let mail = Mail::new(&peer.config()).unwrap();
    let before = peer.count();
    let rows = [
        ("later@example.org", false, "Greylisted"),
        ("full@example.org", false, "452"),
        ("unknown@example.org", true, "No such user"),
        ("spam@example.org", true, "spam"),
    ];
    for (to, is_final, word) in rows {
        let message = Message { to: Some(to.to_owned()), ..digest() };
        let result = mail.deliver(to, &message, written_at()).await;
        expect_trouble(&result, is_final, word);
    }
    assert_eq!(peer.count(), before);
    let reaction = Message { channel: Channel::Email, ..Message::react(super::context(1, 1, None), "✅") };
    expect_trouble(&mail.deliver("react", &reaction, written_at()).await, true, "cannot be reacted to");
}

async fn servers_that_do_not_answer(peer: &Peer) {
    let closed = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap().local_addr().unwrap().port();
    for (port, word) in
        [(peer.ports.slow, "let us in"), (peer.ports.busy, "421"), (closed, "could not be used")]
    {
        let config =
            MailConfig { port: Some(port), timeout_ms: 300, delivery_max_ms: 10_000, ..peer.config() };
        let mail = Mail::new(&config).unwrap();
        expect_trouble(&mail.deliver("key", &digest(), written_at()).await, false, word);
        assert!(matches!(mail.greet().await, Err(Trouble::Retry { .. })), "{port}");
    }
}

/// A mail counts as delivered once the server has taken it; otherwise it would be sent again.
async fn a_server_that_does_not_say_goodbye(peer: &Peer) {
    let config = MailConfig { port: Some(peer.ports.clinging), ..peer.config() };
    peer.exchange(&config, "clinging", &digest()).await;
}

/// A mail that only waited in the queue says when to try again, so the attempt does not count as a failure.
async fn waiting_in_line_is_not_an_attempt(peer: &Peer) {
    let slow = MailConfig { port: Some(peer.ports.clinging), timeout_ms: 400, ..peer.config() };
    let mail = Mail::new(&MailConfig { delivery_max_ms: 500, concurrent_mails: 1, ..slow }).unwrap();
    let digest = digest();
    let first = mail.deliver("before", &digest, written_at());
    let (first, second) = tokio::join!(first, mail.deliver("behind", &digest, written_at()));
    assert!(first.is_ok(), "{first:?}");
    assert!(matches!(second, Err(Trouble::Retry { after_ms: Some(1..), .. })), "{second:?}");
    assert!(mail.deliver("behind", &digest, written_at()).await.is_ok(), "its time has come");
}

async fn many_at_once(peer: &Peer) {
    const CROWD: usize = 20;
    let (mail, before) = (Mail::new(&peer.config()).unwrap(), peer.count());
    let (mail, message, keys) = (&mail, &digest(), (0..CROWD).map(|number| format!("crowd/{number}")));
    let sending = keys.map(|key| async move { mail.deliver(&key, message, written_at()).await });
    for result in futures_util::future::join_all(sending).await {
        result.unwrap();
    }
    assert_eq!(peer.count(), before + CROWD);
}

#[test]
fn an_impossible_configuration_is_refused() {
    let good = MailConfig {
        host: "localhost".to_owned(),
        from: "etude@example.org".to_owned(),
        ..MailConfig::default()
    };
    assert!(Mail::new(&good).is_ok());
    let rows = [
        (MailConfig { from: "etude".to_owned(), ..good.clone() }, "`from`"),
        (MailConfig { from: "a@example.org\nBcc: b@example.org".to_owned(), ..good.clone() }, "`from`"),
        (MailConfig { reply_to: Some("x".to_owned()), ..good.clone() }, "`reply_to`"),
        (MailConfig { unsubscribe: Some("x".to_owned()), ..good.clone() }, "unsubscribe"),
        (MailConfig { root_certificate_pem: Some("x".to_owned()), ..good.clone() }, "certificate"),
        (MailConfig { host: String::new(), ..good }, "no mail server"),
    ];
    for (config, word) in rows {
        let error = Mail::new(&config).unwrap_err();
        assert!(error.to_string().contains(word), "{error}");
    }
}
