//! A minimal HTTP/1.1 client with one connection per request.

use super::PATIENCE;
use serde_json::{Value, json};
use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpStream;

/// A client that knows the server's address and perhaps its token.
#[derive(Debug, Clone)]
pub struct Client {
    pub address: String,
    pub token: Option<String>,
}

/// A request as it is sent. Tests may get any part of it wrong on purpose.
#[derive(Debug, Clone)]
pub struct Request {
    method: String,
    path: String,
    headers: Vec<(String, String)>,
    body: Vec<u8>,
}

#[derive(Debug, Clone)]
pub struct Reply {
    pub status: u16,
    headers: Vec<(String, String)>,
    pub body: String,
}

/// An open stream of server-sent events.
#[derive(Debug)]
pub struct Watch {
    lines: BufReader<TcpStream>,
}

impl Client {
    pub fn new(address: &str, token: Option<&str>) -> Client {
        Client { address: address.to_owned(), token: token.map(str::to_owned) }
    }

    pub fn get(&self, path: &str) -> Reply {
        self.send(&self.request("GET", path))
    }

    pub fn post(&self, path: &str, body: &Value) -> Reply {
        self.send(&self.request("POST", path).json(body))
    }

    /// Opens a flow and returns its id.
    pub fn open(&self, flow: &str) -> String {
        let reply = self.post("/api/instances", &json!({"flow": flow}));
        assert_eq!(reply.status, 201, "{reply:?}");
        super::text(&reply.json(), "/id").to_owned()
    }

    pub fn view(&self, id: &str) -> Value {
        let reply = self.get(&format!("/api/instances/{id}"));
        assert_eq!(reply.status, 200, "{reply:?}");
        reply.json()
    }

    /// Sends an event without conditions.
    pub fn event(&self, id: &str, event: &str) -> Reply {
        self.post(&events(id), &json!({"event": event}))
    }

    /// The flows of a kind.
    pub fn flows(&self, flow: &str) -> Vec<Value> {
        let rows = self.get(&format!("/api/instances?flow={flow}")).json();
        rows["instances"].as_array().unwrap_or_else(|| panic!("{rows}")).clone()
    }

    /// Counts how often an event has happened in a flow.
    pub fn count(&self, id: &str, event: &str) -> usize {
        let log = self.get(&format!("/api/instances/{id}/log?limit=1000")).json();
        let entries = log["entries"].as_array().unwrap_or_else(|| panic!("{log}"));
        entries.iter().filter(|entry| entry["event"] == event).count()
    }

    /// The number of effects that have not been performed yet.
    pub fn pending(&self) -> u64 {
        let metrics = self.get("/metrics").body;
        let gauge =
            metrics.lines().find_map(|line| line.strip_prefix("etude_effects_pending")?.trim().parse().ok());
        gauge.unwrap_or_else(|| panic!("{metrics}"))
    }

    /// A request with the headers of a well-behaved program.
    pub fn request(&self, method: &str, path: &str) -> Request {
        let mut request = Request {
            method: method.into(),
            path: path.into(),
            headers: vec![("Host".into(), self.address.clone()), ("Connection".into(), "close".into())],
            body: Vec::new(),
        };
        if let Some(token) = &self.token {
            request = request.header("Authorization", &format!("Bearer {token}"));
        }
        request
    }

    pub fn send(&self, request: &Request) -> Reply {
        let (mut reply, mut rest) = self.begin(request);
        let mut body = Vec::new();
        match reply.header("content-length").parse() {
            Ok(length) => rest.take(length).read_to_end(&mut body),
            Err(_) => rest.read_to_end(&mut body),
        }
        .expect("the server sends a whole body");
        reply.body = String::from_utf8_lossy(&body).into_owned();
        reply
    }

    /// Sends a request and reads only the head of the answer.
    pub fn begin(&self, request: &Request) -> (Reply, BufReader<TcpStream>) {
        let stream = self.connect();
        let mut writer = stream.try_clone().expect("a socket can be cloned");
        let bytes = request.bytes();
        // The server may answer before it has read everything, so reading does not wait for writing.
        std::thread::spawn(move || writer.write_all(&bytes));
        let mut reader = BufReader::new(stream);
        let (status, headers) = read_head(&mut reader);
        (Reply { status, headers, body: String::new() }, reader)
    }

    /// Follows a stream of server-sent events.
    pub fn watch(&self, path: &str) -> Watch {
        let (reply, lines) = self.begin(&self.request("GET", path));
        assert_eq!((reply.status, reply.header("content-type")), (200, "text/event-stream"), "{reply:?}");
        Watch { lines }
    }

    pub fn connect(&self) -> TcpStream {
        let stream = TcpStream::connect(&self.address).expect("the server listens");
        stream.set_read_timeout(Some(PATIENCE)).expect("a socket has a time-out");
        stream
    }
}

/// The path to which a flow's events are sent.
pub fn events(id: &str) -> String {
    format!("/api/instances/{id}/events")
}

impl Request {
    /// Sets a header, or replaces it.
    pub fn header(mut self, name: &str, value: &str) -> Request {
        self.headers.retain(|(known, _)| !known.eq_ignore_ascii_case(name));
        self.headers.push((name.into(), value.into()));
        self
    }

    pub fn json(self, body: &Value) -> Request {
        self.header("Content-Type", "application/json").body(body.to_string())
    }

    pub fn body(mut self, body: impl Into<Vec<u8>>) -> Request {
        self.body = body.into();
        let length = self.body.len().to_string();
        self.header("Content-Length", &length)
    }

    /// Sets a JSON body that does not announce its length.
    pub fn chunked(mut self, body: &str) -> Request {
        self.body = format!("{:x}\r\n{body}\r\n0\r\n\r\n", body.len()).into_bytes();
        self.header("Content-Type", "application/json").header("Transfer-Encoding", "chunked")
    }

    pub fn bytes(&self) -> Vec<u8> {
        let mut bytes = format!("{} {} HTTP/1.1\r\n", self.method, self.path).into_bytes();
        for (name, value) in &self.headers {
            bytes.extend(format!("{name}: {value}\r\n").into_bytes());
        }
        bytes.extend(b"\r\n");
        bytes.extend(&self.body);
        bytes
    }
}

impl Reply {
    pub fn header(&self, name: &str) -> &str {
        self.headers.iter().find(|(known, _)| known == name).map_or("", |(_, value)| value)
    }

    pub fn json(&self) -> Value {
        serde_json::from_str(&self.body).unwrap_or_else(|error| panic!("not JSON: {error}: {self:?}"))
    }
}

impl Watch {
    /// Returns the data of the next event, or `None` once the server has ended the stream.
    pub fn next(&mut self) -> Option<Value> {
        let mut line = String::new();
        while self.lines.read_line(&mut line).expect("an event comes in time") > 0 {
            if let Some(data) = line.strip_prefix("data: ") {
                return Some(serde_json::from_str(data).expect("the data is JSON"));
            }
            line.clear();
        }
        None
    }
}

fn read_head(reader: &mut impl BufRead) -> (u16, Vec<(String, String)>) {
    let mut line = String::new();
    reader.read_line(&mut line).expect("the server answers");
    let status = line.split(' ').nth(1).and_then(|status| status.parse().ok());
    let status = status.unwrap_or_else(|| panic!("not an answer: {line:?}"));
    let mut headers = Vec::new();
    loop {
        line.clear();
        reader.read_line(&mut line).expect("the server answers");
        match line.trim_end().split_once(':') {
            Some((name, value)) => headers.push((name.to_ascii_lowercase(), value.trim().to_owned())),
            None => return (status, headers),
        }
    }
}
