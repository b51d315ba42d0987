//! A minimal HTTP/1.1 for these tests: one message at a time, always with a declared length.

use serde_json::Value;
use std::io::{self, BufRead, BufReader, Read, Write};
use std::net::TcpStream;
use std::time::Duration;

/// Longer than the server takes to settle a commit in doubt.
const ANSWER_TIMEOUT: Duration = Duration::from_secs(30);
const MAX_BODY_BYTES: u64 = 16 << 20;

/// A server's address and its token.
#[derive(Debug, Clone)]
pub struct Peer {
    pub address: String,
    pub token: String,
}

/// A server's answer.
#[derive(Debug)]
pub struct Answer {
    pub status: u16,
    pub body: String,
}

/// A request or an answer as it came over the wire.
#[derive(Debug)]
pub struct Message {
    pub first_line: String,
    headers: Vec<(String, String)>,
    pub body: Vec<u8>,
}

impl Peer {
    pub fn get(&self, path: &str) -> io::Result<Answer> {
        self.exchange("GET", path, None, "")
    }

    /// Sends JSON. An error means that no complete answer came, so the fate of the request is unknown.
    pub fn post(&self, path: &str, key: Option<&str>, body: &Value) -> io::Result<Answer> {
        self.exchange("POST", path, key, &body.to_string())
    }

    fn exchange(&self, method: &str, path: &str, key: Option<&str>, body: &str) -> io::Result<Answer> {
        let Peer { address, token } = self;
        let key = key.map(|key| format!("Idempotency-Key: {key}\r\n")).unwrap_or_default();
        let length = body.len();
        let request = format!(
            "{method} {path} HTTP/1.1\r\nHost: {address}\r\nConnection: close\r\nAuthorization: Bearer {token}\r\n\
             {key}Content-Type: application/json\r\nContent-Length: {length}\r\n\r\n{body}"
        );
        let mut stream = TcpStream::connect(address)?;
        stream.set_read_timeout(Some(ANSWER_TIMEOUT))?;
        stream.set_nodelay(true)?;
        stream.write_all(request.as_bytes())?;
        let message = Message::read(&mut BufReader::new(stream))?.ok_or(io::ErrorKind::UnexpectedEof)?;
        let status = message.first_line.split(' ').nth(1).and_then(|status| status.parse().ok());
        let status = status.ok_or(io::ErrorKind::InvalidData)?;
        let body = String::from_utf8(message.body).map_err(|_| io::ErrorKind::InvalidData)?;
        Ok(Answer { status, body })
    }
}

impl Answer {
    pub fn json(&self) -> Value {
        serde_json::from_str(&self.body).unwrap_or_else(|error| panic!("{}: {error}", self.body))
    }

    /// Returns the code of a problem, which must also state what happened and what to do.
    pub fn problem_code(&self) -> String {
        let problem = self.json();
        for field in ["title", "cure", "code"] {
            let text = problem[field].as_str().unwrap_or("");
            assert!(!text.is_empty(), "a problem without {field}: {} {}", self.status, self.body);
        }
        problem["code"].as_str().unwrap_or_default().to_owned()
    }
}

impl Message {
    /// Reads the next message. Returns `None` if the other side has hung up before it.
    pub fn read(reader: &mut impl BufRead) -> io::Result<Option<Message>> {
        let first_line = line(reader)?;
        if first_line.is_empty() {
            return Ok(None);
        }
        let mut headers = Vec::new();
        loop {
            let header = line(reader)?;
            if header.is_empty() {
                break;
            }
            let (name, value) = header.split_once(':').ok_or(io::ErrorKind::InvalidData)?;
            headers.push((name.to_ascii_lowercase(), value.trim().to_owned()));
        }
        let mut message = Message { first_line, headers, body: Vec::new() };
        let length = message.header("content-length").and_then(|length| length.parse().ok()).unwrap_or(0);
        reader.take(length.min(MAX_BODY_BYTES)).read_to_end(&mut message.body)?;
        if message.body.len() as u64 != length {
            return Err(io::ErrorKind::UnexpectedEof.into());
        }
        Ok(Some(message))
    }

    pub fn header(&self, name: &str) -> Option<&str> {
        self.headers.iter().find(|(known, _)| known == name).map(|(_, value)| value.as_str())
    }
}

fn line(reader: &mut impl BufRead) -> io::Result<String> {
    let mut text = String::new();
    reader.read_line(&mut text)?;
    Ok(text.trim_end().to_owned())
}
