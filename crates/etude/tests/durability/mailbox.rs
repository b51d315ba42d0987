//! A mail server that takes every mail. Mail programs show mails with the same Message-ID once, so the books here
//! are kept by Message-ID.

use std::collections::HashMap;
use std::io::{self, BufRead, BufReader, Write};
use std::net::{TcpListener, TcpStream};
use std::sync::{Arc, Mutex};

/// A mailbox that listens as long as the test runs.
#[derive(Debug, Clone)]
pub struct Mailbox {
    pub port: u16,
    mails: Mails,
}

/// One mail, however often it arrived.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Mail {
    pub to: String,
    /// Head and body, as they first arrived.
    pub text: String,
    pub times: u64,
}

/// By Message-ID.
type Mails = Arc<Mutex<HashMap<String, Mail>>>;

impl Mailbox {
    pub fn open() -> Mailbox {
        let listener = TcpListener::bind("127.0.0.1:0").expect("a free port");
        let port = listener.local_addr().expect("the listener has an address").port();
        let mails = Mails::default();
        let mailbox = Mailbox { port, mails: mails.clone() };
        std::thread::spawn(move || {
            for stream in listener.incoming().flatten() {
                let mails = mails.clone();
                // A killed server leaves a mail unfinished, and an unfinished mail does not count.
                std::thread::spawn(move || converse(stream, &mails));
            }
        });
        mailbox
    }

    /// The mails that have arrived, by Message-ID.
    pub fn mails(&self) -> HashMap<String, Mail> {
        self.mails.lock().expect("no conversation panics with this lock").clone()
    }

    /// The number of mails that have arrived.
    pub fn count(&self) -> usize {
        self.mails.lock().expect("no conversation panics with this lock").len()
    }
}

/// Speaks as much SMTP as a mail needs.
fn converse(stream: TcpStream, mails: &Mails) -> io::Result<()> {
    stream.set_nodelay(true)?;
    let mut answers = stream.try_clone()?;
    let mut lines = BufReader::new(stream).lines();
    let mut to = String::new();
    answers.write_all(b"220 mailbox\r\n")?;
    while let Some(line) = lines.next().transpose()? {
        let verb = line.get(..4).unwrap_or_default().to_ascii_uppercase();
        let answer = match verb.as_str() {
            "EHLO" | "MAIL" | "RSET" | "NOOP" => "250 fine",
            "RCPT" => {
                to = address(&line).to_owned();
                "250 fine"
            }
            "DATA" => {
                answers.write_all(b"354 go on\r\n")?;
                let text = read_mail(&mut lines)?;
                take(mails, &to, text);
                "250 taken"
            }
            "QUIT" => return answers.write_all(b"221 bye\r\n"),
            _ => "502 unknown here",
        };
        answers.write_all(format!("{answer}\r\n").as_bytes())?;
    }
    Ok(())
}

/// Returns the text between angle brackets.
fn address(line: &str) -> &str {
    line.split_once('<').and_then(|(_, rest)| rest.split_once('>')).map_or("", |(address, _)| address)
}

/// Reads lines up to a single dot. A connection that ends earlier has delivered no mail.
fn read_mail(lines: &mut impl Iterator<Item = io::Result<String>>) -> io::Result<String> {
    let mut text = String::new();
    for line in lines {
        match line?.as_str() {
            "." => return Ok(text),
            line => text += &format!("{}\n", line.strip_prefix('.').unwrap_or(line)),
        }
    }
    Err(io::ErrorKind::UnexpectedEof.into())
}

fn take(mails: &Mails, to: &str, text: String) {
    let id = text.lines().find_map(|line| line.strip_prefix("Message-ID: ")).unwrap_or_default().to_owned();
    assert!(!id.is_empty(), "a mail without a Message-ID: {text}");
    let mut mails = mails.lock().expect("no conversation panics with this lock");
    let mail = mails.entry(id).or_insert_with(|| Mail { to: to.to_owned(), text: text.clone(), times: 0 });
    assert_eq!((mail.to.as_str(), &mail.text), (to, &text), "a mail that comes again is the same");
    mail.times += 1;
}
