//! Tests of flows held by voice over a WebSocket, as a browser does it: real sound in, real sound out.

use crate::common::{Client, Folder, PATIENCE, Server, text};
use crate::voice::{models, spoken};
use serde_json::{Value, json};
use std::collections::BTreeSet;
use std::net::TcpStream;
use std::path::Path;
use std::time::Duration;
use tungstenite::client::IntoClientRequest;
use tungstenite::http::HeaderValue;
use tungstenite::{Error, HandshakeError, Message, WebSocket};

/// The bytes in half a second of sound, in 16-bit samples at 16 kHz.
const HALF_A_SECOND: usize = 16_000;

/// A voice call to a flow.
struct Call {
    socket: WebSocket<TcpStream>,
}

/// A message from the server: an event, or sound.
#[derive(Debug)]
enum Came {
    Told(Value),
    Sound(Vec<u8>),
    /// The end of the connection: the status and the reason.
    End(u16, String),
}

impl Call {
    /// Calls a flow, or returns the status and the body of the server's refusal.
    fn dial(client: &Client, id: &str, headers: &[(&'static str, &str)]) -> Result<Call, (u16, Value)> {
        let address = format!("ws://{}/api/instances/{id}/voice?language=en", client.address);
        let mut request = address.into_client_request().expect("an address");
        let token = client.token.iter().map(|token| ("Authorization", format!("Bearer {token}")));
        let more = headers.iter().map(|(name, value)| (*name, (*value).to_owned()));
        for (name, value) in token.chain(more) {
            request.headers_mut().insert(name, HeaderValue::from_str(&value).expect("a header"));
        }
        match tungstenite::client(request, client.connect()) {
            Ok((socket, _)) => Ok(Call { socket }),
            Err(HandshakeError::Failure(Error::Http(reply))) => {
                let body = reply.body().clone().unwrap_or_default();
                Err((reply.status().as_u16(), serde_json::from_slice(&body).unwrap_or_default()))
            }
            Err(error) => panic!("{error}"),
        }
    }

    fn say(&mut self, kind: &str) {
        self.socket.send(Message::text(json!({"type": kind}).to_string())).expect("it can be sent");
    }

    /// Sends sound as a browser does. The server may hang up meanwhile.
    fn speak(&mut self, pcm: &[u8]) {
        // Faster than anyone speaks, but slow enough for the server to listen.
        self.send(pcm, Duration::from_millis(1));
    }

    /// Sends silence for longer than the server's buffer of unheard sound, slowly enough for the server to listen.
    fn say_nothing(&mut self) {
        self.send(&vec![0; 22 * HALF_A_SECOND], Duration::from_millis(10));
    }

    fn send(&mut self, pcm: &[u8], pause: Duration) {
        for frame in pcm.chunks(1024) {
            let _ = self.socket.send(Message::binary(frame.to_vec()));
            std::thread::sleep(pause);
        }
    }

    fn next(&mut self) -> Came {
        loop {
            match self.socket.read() {
                Ok(Message::Text(told)) => return Came::Told(serde_json::from_str(&told).expect("JSON")),
                Ok(Message::Binary(sound)) => return Came::Sound(sound.to_vec()),
                Ok(Message::Close(Some(frame))) => {
                    return Came::End(frame.code.into(), frame.reason.to_string());
                }
                Ok(Message::Close(None)) | Err(Error::ConnectionClosed) => {
                    return Came::End(0, String::new());
                }
                Ok(_) => {}
                Err(error) => panic!("nothing comes: {error}"),
            }
        }
    }

    /// Returns all events up to the first of these kinds, which is the last one returned. Sound plays in no time.
    fn until(&mut self, kinds: &[&str]) -> Vec<Value> {
        let mut all: Vec<Value> = Vec::new();
        loop {
            match self.next() {
                Came::Told(told) => {
                    all.push(told.clone());
                    if kinds.contains(&text(&told, "/type")) {
                        return all;
                    }
                }
                Came::Sound(wav) => {
                    all.push(json!({"type": "sound", "bytes": wav.len()}));
                    assert!(
                        wav.starts_with(b"RIFF") && wav[44..].iter().any(|byte| *byte != 0),
                        "a WAV file"
                    );
                    self.say("played");
                }
                Came::End(status, reason) => panic!("no {kinds:?}, but {status} {reason}: {all:?}"),
            }
        }
    }

    /// Returns the status and the reason with which the server hangs up.
    fn end(&mut self) -> (u16, String) {
        self.end_unless("").expect("nothing is told without a kind")
    }

    /// Returns the status and the reason with which the server hangs up, or `None` if an event of this kind comes
    /// first. Sound plays in no time.
    fn end_unless(&mut self, kind: &str) -> Option<(u16, String)> {
        loop {
            match self.next() {
                Came::End(status, reason) => {
                    return Some((status, reason.split(':').next().unwrap_or_default().to_owned()));
                }
                Came::Told(told) if told["type"] == kind => return None,
                Came::Told(_) => {}
                Came::Sound(_) => self.say("played"),
            }
        }
    }
}

fn drill(client: &Client) -> String {
    drill_of(client, "german-first-words")
}

fn drill_of(client: &Client, pack: &str) -> String {
    let opening = json!({"pack": pack, "new_words": 1});
    // On a slow machine the law may see more silence than there is.
    let opened = client
        .post("/api/instances", &json!({"flow": "drill", "opening": opening, "set": {"max_silences": 20}}));
    assert_eq!(opened.status, 201, "{opened:?}");
    let id = text(&opened.json(), "/id").to_owned();
    assert_eq!(client.event(&id, "start").status, 200);
    id
}

fn serve(folder: &Folder, models: &str) -> Server {
    folder.serve(&["--models", models])
}

fn pcm(path: &str) -> Vec<u8> {
    ::voice::Sound::read_wav(Path::new(path)).expect("a sound").at(::voice::RATE).pcm()
}

fn kinds(told: &[Value]) -> Vec<&str> {
    told.iter().map(|told| text(told, "/type")).collect()
}

#[test]
fn a_word_is_said_and_the_coach_answers_aloud() {
    let Some(models) = models() else { return };
    let folder = Folder::new();
    let hallo = pcm(&spoken(&folder, models, "hallo.wav", "Hallo!", "de"));
    let server = serve(&folder, models);
    let client = &server.client;
    let id = drill(client);
    let before = files(&folder.data());
    let mut call = Call::dial(client, &id, &[]).expect("it is answered");
    let first = call.until(&["listening"]);
    assert!(kinds(&first).contains(&"sound"), "what stands on the desk is spoken: {first:?}");
    // On a slow machine the law may ask again before it hears the word.
    let mut heard = Vec::new();
    let turn = (0..8).find_map(|_| {
        call.speak(&hallo);
        call.say("stop");
        heard.extend(call.until(&["turn", "listening"]));
        let last = heard.last().filter(|told| told["type"] == "turn")?.clone();
        if last["answer"]["counters"]["usage"] == 1 {
            return Some(last);
        }
        heard.extend(call.until(&["listening"]));
        None
    });
    let turn = turn.unwrap_or_else(|| panic!("“Hallo” is not understood: {heard:?}"));
    let answered = call.until(&["listening"]);
    assert!(kinds(&answered).contains(&"sound"), "the coach answers aloud: {answered:?}");
    assert!(turn["answer"]["said"].as_array().is_some_and(|said| !said.is_empty()), "{turn}");
    assert_eq!(client.view(&id)["counters"]["usage"], 1);

    // An answer typed during the call moves the flow, and the call continues from there.
    let typed = client.post(&format!("/api/drills/{id}/answer"), &json!({"text": "Hallo"}));
    assert_eq!((typed.status, &typed.json()["counters"]["usage"]), (200, &json!(2)), "{typed:?}");
    assert!(kinds(&call.until(&["listening"])).contains(&"speaking"));

    // Ten seconds without a word are a silence, which the law counts.
    call.say_nothing();
    let silent = call.until(&["turn"]);
    assert!(kinds(&silent).contains(&"silence"), "{silent:?}");
    let silences = &silent.last().expect("a turn")["answer"]["counters"]["silences"];
    assert!(silences.as_u64() >= Some(1), "{silent:?}");

    drop(call);
    assert_eq!(files(&folder.data()), before, "nothing new is on the disk");
    let quote = &hallo[hallo.len() / 2..][..64];
    for file in &before {
        let bytes = std::fs::read(folder.data().join(file)).unwrap_or_default();
        assert!(!bytes.windows(quote.len()).any(|window| window == quote), "{file} holds sound");
    }
    assert!(server.terminate().is_some_and(|status| status.success()), "a talk does not hold up the end");
}

/// Returns the names of all files below a folder.
fn files(folder: &Path) -> BTreeSet<String> {
    let entries = std::fs::read_dir(folder).expect("a folder").map(|entry| entry.expect("an entry").path());
    let names = entries.flat_map(|path| match path.is_dir() {
        true => files(&path).into_iter().collect(),
        false => vec![path.display().to_string()],
    });
    names.collect()
}

#[test]
fn the_coach_stops_on_request() {
    let Some(models) = models() else { return };
    let folder = Folder::new();
    let stop = pcm(&spoken(&folder, models, "stop.wav", "Please stop now.", "en"));
    let server = serve(&folder, models);
    let id = drill_of(&server.client, "english-first-words");
    let mut call = Call::dial(&server.client, &id, &[]).expect("it is answered");
    call.until(&["speaking"]);
    // The first sound is never played to its end.
    call.say("cancel");
    loop {
        match call.next() {
            Came::Told(told) if told["type"] == "listening" => break,
            Came::Told(told) if told["type"] == "speaking" => panic!("the coach goes on: {told}"),
            Came::End(_, reason) => panic!("{reason}"),
            _ => {}
        }
    }
    // On a busy machine a word may be lost, so it is said again whenever the coach listens again.
    let ended = loop {
        call.speak(&stop);
        call.say("stop");
        if let Some(ended) = call.end_unless("listening") {
            break ended;
        }
        call.say("start");
    };
    assert_eq!(ended, (1000, "stopped".to_owned()));
    assert!(server.client.view(&id)["outcome"].is_null(), "it can be continued");
}

#[test]
fn an_unauthorised_caller_is_refused_unheard() {
    let folder = Folder::new();
    let server = folder.serve(&["--models", &folder.data().join("none").display().to_string()]);
    let token = |learner: &str| folder.run(&["token", "new", "--learner", learner]).stdout.trim().to_owned();
    let [ada, bob] = ["ada", "bob"].map(|name| Client::new(&server.client.address, Some(&token(name))));
    let stranger = Client::new(&server.client.address, None);
    let id = drill(&ada);
    let is_refused =
        |client: &Client, id: &str, headers: &[(&'static str, &str)], status: u16, code: &str| {
            let (refused, problem) = Call::dial(client, id, headers).err().expect("it is refused");
            assert_eq!((refused, text(&problem, "/code")), (status, code), "{problem}");
            assert!(!text(&problem, "/cure").is_empty(), "{problem}");
        };
    is_refused(&stranger, &id, &[], 401, "wrong_token");
    is_refused(&ada, &id, &[("Origin", "http://example.org")], 403, "wrong_origin");
    is_refused(&ada, &id, &[("Host", "example.org")], 421, "wrong_host");
    is_refused(&bob, &id, &[], 404, "unknown_instance");
    is_refused(&ada, "nobody", &[], 404, "unknown_instance");
    is_refused(&ada, &id, &[("Sec-WebSocket-Version", "12")], 400, "bad_upgrade");
    is_refused(&ada, &id, &[], 409, "no_engines");
    let about = ada.get(&format!("/api/instances/{id}/voice")).json();
    assert_eq!((&about["ready"], &about["command"]), (&json!(false), &json!("etude voice setup")), "{about}");
}

#[test]
fn excess_ends_the_call_with_a_reason() {
    let Some(models) = models() else { return };
    let folder = Folder::new();
    let server = folder.serve(&["--models", models, "--longest-talk", "60"]);
    let client = &server.client;
    let id = drill(client);
    let about = client.get(&format!("/api/instances/{id}/voice")).json();
    assert_eq!(about, json!({"ready": true}));
    let ends = |send: &dyn Fn(&mut Call)| {
        let mut call = Call::dial(client, &id, &[]).expect("it is answered");
        send(&mut call);
        call.end()
    };
    let sent = |message: Message| ends(&|call: &mut Call| call.socket.send(message.clone()).expect("sent"));
    assert_eq!(sent(Message::binary(vec![0; 4098])), (1009, "too_large".to_owned()));
    assert_eq!(sent(Message::binary(vec![0; 1 << 20])), (1009, "too_large".to_owned()));
    assert_eq!(sent(Message::text("x".repeat(5000))), (1009, "too_large".to_owned()));
    assert_eq!(sent(Message::binary(vec![0; 3])), (1007, "bad_sound".to_owned()));
    assert_eq!(sent(Message::text("{\"type\": \"sing\"}")), (1007, "bad_message".to_owned()));
    let flood = |call: &mut Call| call.speak(&vec![0; 60 * HALF_A_SECOND]);
    assert_eq!(ends(&flood), (1008, "too_fast".to_owned()));

    let calls: Vec<Call> = (0..3).map(|_| Call::dial(client, &id, &[]).expect("it is answered")).collect();
    assert_eq!(ends(&|_| {}), (1013, "too_many".to_owned()));
    drop(calls);
    assert_eq!(client.view(&id)["counters"]["usage"], 0, "nothing of this was an answer");
    drop(server);

    let server = folder.serve(&["--models", models, "--longest-talk", "1"]);
    let mut call = Call::dial(&server.client, &id, &[]).expect("it is answered");
    call.socket.get_ref().set_read_timeout(Some(PATIENCE)).expect("a socket has a time-out");
    assert_eq!(call.end(), (1008, "too_long".to_owned()));
}

#[test]
fn a_revoked_token_ends_the_call() {
    let Some(models) = models() else { return };
    let folder = Folder::new();
    let server = serve(&folder, models);
    let made = folder.run(&["token", "new", "--learner", "ada", "--name", "tablet"]);
    let ada = Client::new(&server.client.address, Some(made.stdout.trim()));
    let id = drill(&ada);
    let mut call = Call::dial(&ada, &id, &[]).expect("it is answered");
    let revoked = folder.run(&["token", "revoke", "tablet"]);
    assert_eq!(revoked.code, Some(0), "{revoked:?}");
    assert_eq!(call.end(), (1008, "signed_out".to_owned()));
}
