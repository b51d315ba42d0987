//! Wyoming, the protocol of Home Assistant and Rhasspy: other engines by address, and Etude as an engine for others.
//!
//! An event is one line of JSON, followed by `data_length` bytes of JSON that are merged over its data, and by
//! `payload_length` bytes of samples. There is no authentication, so addresses should be on this machine. Every
//! length and every wait is bounded: a server that gives a wrong length, hangs or dies ends the turn with a message.

use crate::ears::{Ears, Recording, Woken};
use crate::layers::{Parsed, Parser, Recogniser, Responder, Speaker, Spoken, Trigger};
use crate::line::Line;
use crate::loudspeaker::Loudspeaker;
use crate::{FRAME, RATE, Sound, Trouble};
use serde_json::{Map, Value, json};
use std::io::{self, BufRead, BufReader, ErrorKind, Read, Write};
use std::net::{TcpListener, TcpStream, ToSocketAddrs};
use std::os::unix::net::UnixStream;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::time::{Duration, Instant};

const MAX_LINE: u64 = 1 << 20;
const MAX_DATA: usize = 8 << 20;
const MAX_PAYLOAD: usize = 16 << 20;
/// How long to wait for an answer.
const PATIENCE: Duration = Duration::from_secs(30);
/// How often a wait checks for an interruption.
const LOOK_EVERY: Duration = Duration::from_millis(100);
const CONNECTING: Duration = Duration::from_secs(5);
/// The longest speech in one answer.
const MAX_SPEECH_SECONDS: usize = 300;
/// How long a client may be silent before it is disconnected.
const IDLE: Duration = Duration::from_secs(300);
/// The most clients at once. Further ones are turned away.
const MAX_CLIENTS: usize = 64;

/// An event of the protocol.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Event {
    pub kind: String,
    pub data: Map<String, Value>,
    pub payload: Vec<u8>,
}

impl Event {
    pub fn new(kind: &str, data: Value) -> Event {
        let data = data.as_object().cloned().unwrap_or_default();
        Event { kind: kind.to_owned(), data, payload: Vec::new() }
    }

    fn text(&self, name: &str) -> Option<&str> {
        self.data.get(name)?.as_str()
    }

    fn number(&self, name: &str) -> Option<u64> {
        self.data.get(name)?.as_u64()
    }

    pub fn write(&self, to: &mut impl Write) -> io::Result<()> {
        let data = if self.data.is_empty() { Vec::new() } else { serde_json::to_vec(&self.data)? };
        let mut head = json!({"type": self.kind, "version": "1.7.2"});
        if !data.is_empty() {
            head["data_length"] = data.len().into();
        }
        if !self.payload.is_empty() {
            head["payload_length"] = self.payload.len().into();
        }
        let mut bytes = serde_json::to_vec(&head)?;
        bytes.push(b'\n');
        bytes.extend(data);
        bytes.extend(&self.payload);
        to.write_all(&bytes)?;
        to.flush()
    }

    /// Reads the next event. `None` if the other side has closed the connection.
    pub fn read(from: &mut impl BufRead) -> io::Result<Option<Event>> {
        let mut line = Vec::new();
        if from.by_ref().take(MAX_LINE).read_until(b'\n', &mut line)? == 0 {
            return Ok(None);
        }
        if line.last() != Some(&b'\n') {
            return Err(bad("a line does not end"));
        }
        let head: Value = serde_json::from_slice(&line).map_err(|error| bad(&error.to_string()))?;
        let length = |name: &str, most: usize| match head.get(name).filter(|length| !length.is_null()) {
            None => Ok(0),
            Some(length) => {
                let length = length.as_u64().and_then(|length| usize::try_from(length).ok());
                length
                    .filter(|length| *length <= most)
                    .ok_or_else(|| bad(&format!("`{name}` is not a length below {most}")))
            }
        };
        let (data_length, payload_length) =
            (length("data_length", MAX_DATA)?, length("payload_length", MAX_PAYLOAD)?);
        let mut data = head.get("data").and_then(Value::as_object).cloned().unwrap_or_default();
        if data_length > 0 {
            let more: Value = serde_json::from_slice(&exactly(from, data_length)?)
                .map_err(|error| bad(&error.to_string()))?;
            data.extend(more.as_object().cloned().unwrap_or_default());
        }
        let kind =
            head.get("type").and_then(Value::as_str).ok_or_else(|| bad("an event has no type"))?.to_owned();
        Ok(Some(Event { kind, data, payload: exactly(from, payload_length)? }))
    }
}

/// Reads this many bytes. Allocates memory only for bytes that arrive.
fn exactly(from: &mut impl Read, length: usize) -> io::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    from.by_ref().take(length as u64).read_to_end(&mut bytes)?;
    if bytes.len() < length { Err(io::Error::from(ErrorKind::UnexpectedEof)) } else { Ok(bytes) }
}

fn is_late(error: &io::Error) -> bool {
    matches!(error.kind(), ErrorKind::WouldBlock | ErrorKind::TimedOut)
}

fn bad(why: &str) -> io::Error {
    io::Error::new(ErrorKind::InvalidData, why.to_owned())
}

/// A server, by its address: `tcp://HOST:PORT`, `HOST:PORT` or `unix:///PATH`.
#[derive(Debug, Clone)]
pub struct Server {
    address: String,
    patience: Duration,
    /// The wake word to listen for. `None` leaves the choice to the server.
    wake_word: Option<String>,
    /// A flag that ends a wait.
    interrupt: Arc<AtomicBool>,
}

impl Server {
    pub fn new(address: &str) -> Result<Server, Trouble> {
        let bare = address.strip_prefix("tcp://").unwrap_or(address).trim_end_matches('/');
        let is_address =
            bare.rsplit_once(':').is_some_and(|(host, port)| !host.is_empty() && port.parse::<u16>().is_ok());
        if !is_address && socket_path(bare).is_none() {
            let message = format!("“{address}” is not the address of a Wyoming server");
            return Err(Trouble::new(message, "write it as tcp://127.0.0.1:10300 or unix:///PATH"));
        }
        Ok(Server {
            address: bare.to_owned(),
            patience: PATIENCE,
            wake_word: None,
            interrupt: Arc::default(),
        })
    }

    /// Returns the server with this limit on waits for its answers.
    pub fn waiting(self, patience: Duration) -> Server {
        Server { patience, ..self }
    }

    /// Returns the server with a flag that ends waits for its answers.
    pub fn interrupted_by(self, interrupt: Arc<AtomicBool>) -> Server {
        Server { interrupt, ..self }
    }

    /// Returns the server listening for this wake word.
    pub fn for_word(self, wake_word: Option<String>) -> Server {
        Server { wake_word, ..self }
    }

    /// Returns the server's description of its abilities.
    pub fn describe(&self) -> Result<Value, Trouble> {
        let mut link = self.connect()?;
        link.send(&Event::new("describe", json!({})))?;
        Ok(Value::Object(link.wait_for(&["info"])?.data))
    }

    fn connect(&self) -> Result<Link<'_>, Trouble> {
        let failed = |error: io::Error| self.trouble(&format!("cannot be reached: {error}"));
        self.wire().and_then(|wire| self.link(wire)).map_err(failed)
    }

    fn wire(&self) -> io::Result<Wire> {
        if let Some(path) = socket_path(&self.address) {
            return UnixStream::connect(path).map(Wire::Local);
        }
        let mut last = io::Error::from(ErrorKind::AddrNotAvailable);
        for address in self.address.to_socket_addrs()? {
            match TcpStream::connect_timeout(&address, CONNECTING.min(self.patience)) {
                Ok(stream) => {
                    stream.set_nodelay(true)?;
                    return Ok(Wire::Tcp(stream));
                }
                Err(error) => last = error,
            }
        }
        Err(last)
    }

    fn link(&self, wire: Wire) -> io::Result<Link<'_>> {
        wire.set_write_timeout(self.patience)?;
        let until = Instant::now() + self.patience;
        let reader = Until { wire: wire.twin()?, until, interrupt: self.interrupt.clone(), is_patient: true };
        Ok(Link { server: self, reader: BufReader::new(reader), writer: wire })
    }

    fn trouble(&self, what: &str) -> Trouble {
        Trouble::new(
            format!("the Wyoming server {} {what}", self.address),
            "check that it runs and does what it should, or leave its address out to use the engines of this machine",
        )
    }
}

fn socket_path(address: &str) -> Option<&str> {
    address.strip_prefix("unix://").filter(|path| !path.is_empty())
}

/// A connection over the network or within this machine.
#[derive(Debug)]
enum Wire {
    Tcp(TcpStream),
    Local(UnixStream),
}

impl Wire {
    fn twin(&self) -> io::Result<Wire> {
        match self {
            Wire::Tcp(stream) => stream.try_clone().map(Wire::Tcp),
            Wire::Local(stream) => stream.try_clone().map(Wire::Local),
        }
    }

    fn set_read_timeout(&self, time: Duration) -> io::Result<()> {
        match self {
            Wire::Tcp(stream) => stream.set_read_timeout(Some(time)),
            Wire::Local(stream) => stream.set_read_timeout(Some(time)),
        }
    }

    fn set_write_timeout(&self, time: Duration) -> io::Result<()> {
        match self {
            Wire::Tcp(stream) => stream.set_write_timeout(Some(time)),
            Wire::Local(stream) => stream.set_write_timeout(Some(time)),
        }
    }

    fn set_nonblocking(&self, yes: bool) -> io::Result<()> {
        match self {
            Wire::Tcp(stream) => stream.set_nonblocking(yes),
            Wire::Local(stream) => stream.set_nonblocking(yes),
        }
    }
}

impl Read for Wire {
    fn read(&mut self, bytes: &mut [u8]) -> io::Result<usize> {
        match self {
            Wire::Tcp(stream) => stream.read(bytes),
            Wire::Local(stream) => stream.read(bytes),
        }
    }
}

impl Write for Wire {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        match self {
            Wire::Tcp(stream) => stream.write(bytes),
            Wire::Local(stream) => stream.write(bytes),
        }
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

/// A reader with a deadline for all reads together, because a server may send one byte at a time.
struct Until {
    wire: Wire,
    until: Instant,
    interrupt: Arc<AtomicBool>,
    /// Whether to wait if nothing has arrived yet.
    is_patient: bool,
}

impl Read for Until {
    fn read(&mut self, bytes: &mut [u8]) -> io::Result<usize> {
        loop {
            let left = self.until.saturating_duration_since(Instant::now());
            if left.is_zero() || self.interrupt.load(Ordering::Relaxed) {
                return Err(io::Error::from(ErrorKind::TimedOut));
            }
            self.wire.set_read_timeout(left.min(LOOK_EVERY))?;
            match self.wire.read(bytes) {
                Err(error) if is_late(&error) && self.is_patient => {}
                read => return read,
            }
        }
    }
}

struct Link<'s> {
    server: &'s Server,
    reader: BufReader<Until>,
    writer: Wire,
}

impl Link<'_> {
    fn send(&mut self, event: &Event) -> Result<(), Trouble> {
        event
            .write(&mut self.writer)
            .map_err(|error| self.server.trouble(&format!("does not listen: {error}")))
    }

    fn next(&mut self) -> Result<Event, Trouble> {
        match Event::read(&mut self.reader) {
            Ok(Some(event)) => Ok(event),
            Ok(None) => Err(self.server.trouble("has closed the connection before it answered")),
            Err(error) if is_late(&error) => Err(self.late()),
            Err(error) if matches!(error.kind(), ErrorKind::UnexpectedEof | ErrorKind::ConnectionReset) => {
                Err(self.server.trouble("has closed the connection in the middle of an event"))
            }
            Err(error) => Err(self.server.trouble(&format!("sends what is no Wyoming event: {error}"))),
        }
    }

    fn late(&self) -> Trouble {
        self.server.trouble(&format!("has not answered for {} s", self.server.patience.as_secs()))
    }

    /// Returns the next event, or a trouble if it reports an error.
    fn next_good(&mut self) -> Result<Event, Trouble> {
        let event = self.next()?;
        if event.kind == "error" {
            let why = event.text("text").unwrap_or("nothing").chars().take(200).collect::<String>();
            return Err(self.server.trouble(&format!("reports an error: {why}")));
        }
        Ok(event)
    }

    /// Waits for an event of one of these kinds. Drops other events, but not errors.
    fn wait_for(&mut self, kinds: &[&str]) -> Result<Event, Trouble> {
        loop {
            let event = self.next_good()?;
            if kinds.contains(&event.kind.as_str()) {
                return Ok(event);
            }
        }
    }

    fn start_audio(&mut self) -> Result<(), Trouble> {
        self.send(&Event::new(
            "audio-start",
            json!({"rate": RATE, "width": 2, "channels": 1, "timestamp": 0}),
        ))
    }

    fn chunk(&mut self, samples: &[f32]) -> Result<(), Trouble> {
        let payload = Sound::new(RATE, samples.to_vec()).pcm();
        let chunk =
            Event::new("audio-chunk", json!({"rate": RATE, "width": 2, "channels": 1, "timestamp": null}));
        self.send(&Event { payload, ..chunk })
    }
}

impl Trigger for Server {
    /// Streams sound until the server detects its wake word.
    fn wait(&mut self, ears: &mut Ears) -> Result<Woken, Trouble> {
        let server = self.clone();
        let mut link = server.connect()?;
        let names: Vec<&String> = server.wake_word.iter().collect();
        link.send(&Event::new("detect", if names.is_empty() { json!({}) } else { json!({"names": names}) }))?;
        link.start_audio()?;
        let started = Instant::now();
        let mut sent = Duration::ZERO;
        while let Some(frame) = ears.frame()? {
            link.chunk(&frame)?;
            sent += Duration::from_secs_f64(frame.len() as f64 / f64::from(RATE));
            if !ears.is_live() {
                // Wake word servers expect a microphone: they drop sound that arrives faster than it could be spoken.
                std::thread::sleep(sent.saturating_sub(started.elapsed()));
            }
            if link.is_detected()? {
                return Ok(Woken::Yes);
            }
        }
        if ears.unwoken() == Woken::Interrupted {
            return Ok(Woken::Interrupted);
        }
        link.send(&Event::new("audio-stop", json!({"timestamp": null})))?;
        let last = link.wait_for(&["detection", "not-detected"])?;
        Ok(if last.kind == "detection" { Woken::Yes } else { Woken::No })
    }
}

impl Link<'_> {
    /// Whether the server has reported the wake word by now. Does not wait for it.
    fn is_detected(&mut self) -> Result<bool, Trouble> {
        let failed = |server: &Server, error: io::Error| server.trouble(&format!("has gone: {error}"));
        self.reader.get_mut().until = Instant::now() + self.server.patience;
        self.reader.get_mut().is_patient = false;
        self.writer.set_nonblocking(true).map_err(|error| failed(self.server, error))?;
        let peeked = self.reader.fill_buf().map(|bytes| !bytes.is_empty());
        self.writer.set_nonblocking(false).map_err(|error| failed(self.server, error))?;
        self.reader.get_mut().is_patient = true;
        match peeked {
            Ok(true) => Ok(self.next_good()?.kind == "detection"),
            Ok(false) => Err(self.server.trouble("has closed the connection")),
            Err(error) if is_late(&error) => Ok(false),
            Err(error) => Err(failed(self.server, error)),
        }
    }
}

impl Recogniser for Server {
    fn transcribe(&mut self, recording: &Recording, language: &str) -> Result<String, Trouble> {
        if recording.sound.samples.is_empty() {
            return Ok(String::new());
        }
        let mut link = self.connect()?;
        link.send(&Event::new("transcribe", json!({"language": language})))?;
        link.start_audio()?;
        for samples in recording.sound.at(RATE).samples.chunks(FRAME * 2) {
            link.chunk(samples)?;
        }
        link.send(&Event::new("audio-stop", json!({"timestamp": null})))?;
        Ok(link.wait_for(&["transcript"])?.text("text").unwrap_or_default().trim().to_owned())
    }
}

impl Parser for Server {
    fn parse(&mut self, text: &str, language: &str) -> Result<Option<Parsed>, Trouble> {
        let mut link = self.connect()?;
        link.send(&Event::new("recognize", json!({"text": text, "language": language})))?;
        let found = link.wait_for(&["intent", "not-recognized"])?;
        let name = found.text("name").unwrap_or("unknown").to_owned();
        let confidence = if found.kind == "intent" { 1.0 } else { 0.1 };
        Ok(Some(Parsed { name, confidence }))
    }
}

impl Responder for Server {
    fn respond(&mut self, text: &str, language: &str) -> Result<Option<String>, Trouble> {
        let mut link = self.connect()?;
        link.send(&Event::new("transcript", json!({"text": text, "language": language})))?;
        let handled = link.wait_for(&["handled", "not-handled"])?;
        Ok(handled.text("text").map(str::to_owned))
    }
}

/// A server that synthesises speech, and a loudspeaker.
#[derive(Debug)]
pub struct SpeakingServer {
    pub server: Server,
    pub loudspeaker: Loudspeaker,
}

impl SpeakingServer {
    pub fn synthesise(&self, line: &Line) -> Result<Sound, Trouble> {
        let mut link = self.server.connect()?;
        link.send(&Event::new(
            "synthesize",
            json!({"text": line.text, "voice": {"language": line.language}}),
        ))?;
        let mut sound = Sound::default();
        loop {
            let event = link.wait_for(&["audio-start", "audio-chunk", "audio-stop"])?;
            let rate = event.number("rate").and_then(|rate| u32::try_from(rate).ok());
            if let Some(rate) =
                rate.filter(|rate| (4_000..=192_000).contains(rate) && sound.samples.is_empty())
            {
                sound.rate = rate;
            }
            if event.number("width").is_some_and(|width| width != 2)
                || event.number("channels").is_some_and(|channels| channels != 1)
            {
                return Err(self.server.trouble("speaks in another form than 16-bit mono"));
            }
            if sound.rate == 0 && event.kind == "audio-chunk" {
                return Err(self.server.trouble("does not say the rate of its sound"));
            }
            sound.samples.extend(Sound::from_pcm(sound.rate, &event.payload).samples);
            if sound.samples.len() > MAX_SPEECH_SECONDS * sound.rate.max(RATE) as usize {
                return Err(self.server.trouble("does not stop speaking"));
            }
            if event.kind == "audio-stop" && sound.samples.is_empty() {
                return Err(self.server.trouble("has stopped speaking without a sound"));
            }
            if event.kind == "audio-stop" {
                return Ok(sound);
            }
        }
    }
}

impl Speaker for SpeakingServer {
    fn speak(&mut self, line: &Line, ears: &mut Ears) -> Result<Spoken, Trouble> {
        let started = Instant::now();
        let sound = self.synthesise(line)?;
        let ready_ms = started.elapsed().as_millis() as u64;
        let seconds = sound.seconds();
        let is_interrupted = self.loudspeaker.play(&sound, ears)?;
        Ok(Spoken { seconds, ready_ms, is_interrupted })
    }
}

/// The service that Etude offers to Wyoming clients.
pub trait Service: Send + Sync + 'static {
    /// Describes the service in the form of Wyoming's `info` event.
    fn info(&self) -> Value;
    /// Answers one utterance.
    fn handle(&self, text: &str, language: Option<&str>) -> Result<String, Trouble>;
}

/// Serves clients until the process ends, each on its own thread.
pub fn serve(listener: &TcpListener, service: Arc<dyn Service>) -> io::Result<()> {
    let clients = Arc::new(AtomicUsize::new(0));
    for stream in listener.incoming() {
        // A client that leaves before it is accepted is no reason to stop.
        let Ok(stream) = stream else { continue };
        if clients.fetch_add(1, Ordering::Relaxed) >= MAX_CLIENTS {
            clients.fetch_sub(1, Ordering::Relaxed);
            continue;
        }
        let (service, clients) = (service.clone(), clients.clone());
        std::thread::spawn(move || {
            // A client that goes away or sends nonsense ends only its own connection.
            let _ = converse(&stream, &*service);
            clients.fetch_sub(1, Ordering::Relaxed);
        });
    }
    Ok(())
}

fn converse(stream: &TcpStream, service: &dyn Service) -> io::Result<()> {
    stream.set_read_timeout(Some(IDLE))?;
    stream.set_write_timeout(Some(PATIENCE))?;
    stream.set_nodelay(true)?;
    let mut reader = BufReader::new(stream.try_clone()?);
    let mut writer = stream.try_clone()?;
    while let Some(event) = Event::read(&mut reader)? {
        let answer = match event.kind.as_str() {
            "describe" => Event::new("info", service.info()),
            "ping" => Event::new("pong", Value::Object(event.data.clone())),
            "transcript" => handled(service, &event),
            // Unknown events are ignored, as everywhere in this protocol.
            _ => continue,
        };
        answer.write(&mut writer)?;
    }
    Ok(())
}

fn handled(service: &dyn Service, event: &Event) -> Event {
    match service.handle(event.text("text").unwrap_or_default(), event.text("language")) {
        Ok(text) => Event::new("handled", json!({"text": text})),
        Err(trouble) => Event::new("not-handled", json!({"text": format!("{trouble}; {}", trouble.cure)})),
    }
}
