//! The clerk who performs a ledger's actions, once per key, and who sometimes fails to answer or answers late.

use crate::durability::http::Message;
use std::collections::HashMap;
use std::io::{self, BufReader, Write};
use std::net::{TcpListener, TcpStream};
use std::sync::{Arc, Mutex};
use std::time::Duration;

/// Out of this many deliveries, one is performed without an answer and another is answered late.
const MOODS: usize = 64;
const SILENT_MOOD: usize = 7;
const LATE_MOOD: usize = 39;

/// A receiver of deliveries that listens as long as the test runs.
#[derive(Debug, Clone)]
pub struct Sink {
    pub url: String,
    deliveries: Deliveries,
}

/// The number of deliveries of each key. The first is performed; later ones change nothing.
type Deliveries = Arc<Mutex<HashMap<String, u64>>>;

impl Sink {
    /// Opens a clerk whose late answers come after `late`.
    pub fn open(late: Duration) -> Sink {
        let listener = TcpListener::bind("127.0.0.1:0").expect("a free port");
        let address = listener.local_addr().expect("the listener has an address");
        let deliveries = Deliveries::default();
        let sink = Sink { url: format!("http://{address}/"), deliveries: deliveries.clone() };
        std::thread::spawn(move || {
            for stream in listener.incoming().flatten() {
                let deliveries = deliveries.clone();
                // A killed server leaves its connections broken, which is expected here.
                std::thread::spawn(move || receive(stream, &deliveries, late));
            }
        });
        sink
    }

    /// The number of deliveries of every key.
    pub fn deliveries(&self) -> HashMap<String, u64> {
        self.deliveries.lock().expect("no receiver panics with this lock").clone()
    }
}

fn receive(stream: TcpStream, deliveries: &Deliveries, late: Duration) -> io::Result<()> {
    stream.set_nodelay(true)?;
    let mut answers = stream.try_clone()?;
    let mut reader = BufReader::new(stream);
    while let Some(message) = Message::read(&mut reader)? {
        let key = message.header("idempotency-key").ok_or(io::ErrorKind::InvalidData)?;
        match perform(key, deliveries) {
            Some(SILENT_MOOD) => return Ok(()),
            Some(LATE_MOOD) => std::thread::sleep(late),
            _ => {}
        }
        let body = answer(&message.body);
        let length = body.len();
        let head = "HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length:";
        answers.write_all(format!("{head} {length}\r\n\r\n{body}").as_bytes())?;
    }
    Ok(())
}

/// Counts a delivery. The first of a key returns its mood.
fn perform(key: &str, deliveries: &Deliveries) -> Option<usize> {
    let mut deliveries = deliveries.lock().expect("no receiver panics with this lock");
    let serial = deliveries.len();
    let times = deliveries.entry(key.to_owned()).or_default();
    *times += 1;
    (*times == 1).then_some(serial % MOODS)
}

/// Confirms a wired transfer, however often it is delivered. A note needs no answer.
fn answer(request: &[u8]) -> &'static str {
    let request: serde_json::Value = serde_json::from_slice(request).unwrap_or_default();
    if request["action"] == "wire" { r#"{"event":"confirmed"}"# } else { "{}" }
}
