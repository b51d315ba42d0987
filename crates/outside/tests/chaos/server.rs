//! A badly behaved server on a real socket. It plays one scene per request, byte by byte, and then closes the
//! connection; the last scene is repeated.

use std::sync::{Arc, Mutex};
use std::time::Duration;

use serde_json::{Value, json};
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::watch;

pub(crate) type Scene = Vec<Act>;

#[derive(Clone, Debug)]
pub(crate) enum Act {
    Send(Vec<u8>),
    /// Sends the bytes many times over.
    Flood(Vec<u8>, usize),
    PauseMs(u64),
    /// Stays silent until the client hangs up.
    Hang,
}

/// A request as it arrived.
#[derive(Clone, Debug)]
pub(crate) struct Seen {
    /// The head in lower case, because header names may be written either way.
    pub(crate) head: String,
    pub(crate) body: String,
}

pub(crate) struct Server {
    pub(crate) port: u16,
    seen: Arc<Mutex<Vec<Seen>>>,
    seen_count: watch::Receiver<usize>,
    hung_up_count: watch::Receiver<usize>,
}

struct Stage {
    scenes: Vec<Scene>,
    seen: Arc<Mutex<Vec<Seen>>>,
    seen_count: watch::Sender<usize>,
    hung_up_count: watch::Sender<usize>,
}

impl Server {
    pub(crate) async fn start(scenes: Vec<Scene>) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let port = listener.local_addr().unwrap().port();
        let seen = Arc::new(Mutex::new(Vec::new()));
        let (seen_sender, seen_count) = watch::channel(0);
        let (hung_up_sender, hung_up_count) = watch::channel(0);
        let stage = Arc::new(Stage {
            scenes,
            seen: seen.clone(),
            seen_count: seen_sender,
            hung_up_count: hung_up_sender,
        });
        tokio::spawn(async move {
            while let Ok((stream, _)) = listener.accept().await {
                let stage = stage.clone();
                tokio::spawn(async move { stage.play(stream).await });
            }
        });
        Self { port, seen, seen_count, hung_up_count }
    }

    pub(crate) fn seen(&self) -> Vec<Seen> {
        self.seen.lock().unwrap().clone()
    }

    pub(crate) async fn wait_for_request(&self) {
        wait(self.seen_count.clone(), "no request arrived").await;
    }

    pub(crate) async fn wait_for_hang_up(&self) {
        wait(self.hung_up_count.clone(), "the client kept the connection open").await;
    }
}

impl Stage {
    /// Plays a scene. A client may hang up at any moment, which ends the scene and is no failure of the server.
    async fn play(&self, mut stream: TcpStream) {
        let Some(request) = read_request(&mut stream).await else { return };
        let index = {
            let mut seen = self.seen.lock().unwrap();
            seen.push(request);
            seen.len() - 1
        };
        self.seen_count.send_modify(|count| *count += 1);
        for act in &self.scenes[index.min(self.scenes.len() - 1)] {
            match act {
                Act::Send(bytes) => drop(stream.write_all(bytes).await),
                Act::Flood(bytes, times) => {
                    for _ in 0..*times {
                        if stream.write_all(bytes).await.is_err() {
                            return;
                        }
                    }
                }
                Act::PauseMs(ms) => tokio::time::sleep(Duration::from_millis(*ms)).await,
                Act::Hang => {
                    while stream.read(&mut [0; 64]).await.is_ok_and(|read| read > 0) {}
                    self.hung_up_count.send_modify(|count| *count += 1);
                }
            }
        }
    }
}

/// A reply in one piece.
pub(crate) fn whole(status: u16, headers: &str, body: impl AsRef<[u8]>) -> Scene {
    let body = body.as_ref();
    let head = format!("HTTP/1.1 {status} X\r\ncontent-length: {}\r\nconnection: close\r\n", body.len());
    let mut bytes = format!("{head}{headers}\r\n").into_bytes();
    bytes.extend_from_slice(body);
    vec![Act::Send(bytes)]
}

pub(crate) fn json_reply(status: u16, body: Value) -> Scene {
    whole(status, "content-type: application/json\r\n", body.to_string())
}

/// A good reply on the OpenAI wire.
pub(crate) fn completion(text: &str) -> Scene {
    completion_with(json!({"content": text}), "stop")
}

pub(crate) fn completion_with(message: Value, finish_reason: &str) -> Scene {
    let choice = json!({"message": message, "finish_reason": finish_reason});
    json_reply(200, json!({"choices": [choice], "usage": {"prompt_tokens": 30, "completion_tokens": 10}}))
}

async fn wait(mut count: watch::Receiver<usize>, complaint: &str) {
    let arrived = count.wait_for(|count| *count > 0);
    tokio::time::timeout(Duration::from_secs(10), arrived).await.expect(complaint).unwrap();
}

async fn read_request(stream: &mut TcpStream) -> Option<Seen> {
    let (mut bytes, mut chunk) = (Vec::new(), [0; 4096]);
    loop {
        if let Some(request) = parse_request(&bytes) {
            return Some(request);
        }
        match stream.read(&mut chunk).await {
            Ok(read) if read > 0 => bytes.extend_from_slice(&chunk[..read]),
            _ => return None,
        }
    }
}

fn parse_request(bytes: &[u8]) -> Option<Seen> {
    let end = bytes.windows(4).position(|window| window == b"\r\n\r\n")?;
    let head = String::from_utf8_lossy(&bytes[..end]).to_lowercase();
    let length = head.lines().find_map(|line| line.strip_prefix("content-length: "));
    let length: usize = length.map_or(0, |length| length.parse().unwrap());
    let body = &bytes[end + 4..];
    (body.len() >= length).then(|| Seen { head, body: String::from_utf8_lossy(body).into_owned() })
}
