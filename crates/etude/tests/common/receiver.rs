//! A stand-in for a program that performs a law's actions: one address that takes deliveries.

use serde_json::Value;
use std::io::{BufRead, BufReader, Read, Write};
use std::net::{TcpListener, TcpStream};
use std::sync::{Arc, Mutex};

/// One delivery: its key, its flow and its body.
#[derive(Debug, Clone)]
pub struct Delivery {
    pub key: String,
    pub instance: String,
    pub body: Value,
}

/// A listener that runs until the test process ends.
#[derive(Debug)]
pub struct Receiver {
    pub url: String,
    taken: Arc<Mutex<Vec<Delivery>>>,
}

impl Receiver {
    /// Starts a receiver. `answer` returns the status and the body for a delivery, given the number of earlier
    /// ones.
    pub fn start(answer: impl Fn(usize, &Delivery) -> (u16, String) + Send + 'static) -> Receiver {
        let listener = TcpListener::bind("127.0.0.1:0").expect("a free port");
        let url = format!("http://{}/perform", listener.local_addr().expect("it is bound"));
        let taken = Arc::new(Mutex::new(Vec::new()));
        let list = taken.clone();
        std::thread::spawn(move || {
            for stream in listener.incoming().flatten() {
                let Some(delivery) = read(&stream) else { continue };
                let before = {
                    let mut list = list.lock().expect("nothing panics with this lock");
                    list.push(delivery.clone());
                    list.len() - 1
                };
                let (status, body) = answer(before, &delivery);
                reply(&stream, status, &body);
            }
        });
        Receiver { url, taken }
    }

    pub fn taken(&self) -> Vec<Delivery> {
        self.taken.lock().expect("nothing panics with this lock").clone()
    }
}

fn read(stream: &TcpStream) -> Option<Delivery> {
    let mut reader = BufReader::new(stream);
    let (mut key, mut instance, mut length) = (String::new(), String::new(), 0);
    let mut line = String::new();
    while reader.read_line(&mut line).ok()? > 0 && line != "\r\n" {
        let (name, value) = line.trim_end().split_once(": ").unwrap_or_default();
        match name.to_ascii_lowercase().as_str() {
            "idempotency-key" => key = value.to_owned(),
            "etude-instance" => instance = value.to_owned(),
            "content-length" => length = value.parse().ok()?,
            _ => {}
        }
        line.clear();
    }
    let mut body = vec![0; length];
    reader.read_exact(&mut body).ok()?;
    Some(Delivery { key, instance, body: serde_json::from_slice(&body).ok()? })
}

fn reply(mut stream: &TcpStream, status: u16, body: &str) {
    let length = body.len();
    let head = format!("HTTP/1.1 {status} X\r\ncontent-length: {length}\r\nconnection: close\r\n\r\n");
    let _ = stream.write_all(format!("{head}{body}").as_bytes());
}
