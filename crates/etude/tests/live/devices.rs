//! A real sound system without a sound card. Sound played into its `mouth` reaches the microphone.

use super::room::said;
use crate::common::{Folder, Outcome, eventually};
use crate::peers::{self, found, program, script};
use crate::voice::models;
use serde_json::{Value, json};
use std::io::{BufRead, BufReader, Read};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};

struct SoundSystem<'f> {
    folder: &'f Folder,
    socket: PathBuf,
    server: Child,
}

impl<'f> SoundSystem<'f> {
    fn start(folder: &'f Folder) -> SoundSystem<'f> {
        let home = folder.data().with_file_name("pulse");
        std::fs::create_dir_all(&home).expect("a folder");
        let socket = home.join("native");
        let _ = std::fs::remove_file(&socket);
        let protocol = format!("module-native-protocol-unix auth-anonymous=1 socket={}", socket.display());
        let mut server = program("pulseaudio");
        server.args(["-n", "--daemonize=no", "--exit-idle-time=-1", "--use-pid-file=no"]);
        for module in [&protocol, "module-null-sink sink_name=room", "module-null-sink sink_name=mouth"] {
            server.args(["-L", module]);
        }
        server.env("HOME", &home).env("XDG_RUNTIME_DIR", &home).stderr(Stdio::null());
        let server = server.spawn().expect("PulseAudio starts");
        let system = SoundSystem { folder, socket, server };
        eventually("the sound system runs", || {
            system.client(program("pactl")).arg("info").output().ok()?.status.success().then_some(())
        });
        system
    }

    fn client(&self, mut command: Command) -> Command {
        command.env("PULSE_SERVER", format!("unix:{}", self.socket.display()));
        command
    }

    /// Runs Etude with this sound system's devices; a program at `sound` is found first.
    fn etude(&self, sound: Option<&Path>, arguments: &[&str]) -> Command {
        let mut etude = self.client(self.folder.command(arguments));
        let first = sound.and_then(Path::parent).map(|folder| format!("{}:", folder.display()));
        etude.env("PATH", first.unwrap_or_default() + &peers::path());
        etude.stdout(Stdio::piped()).stderr(Stdio::piped());
        etude
    }

    fn answer(&self, sound: Option<&Path>, arguments: &[&str]) -> Outcome {
        ended(self.etude(sound, arguments).spawn().expect("the program starts"), String::new())
    }
}

impl Drop for SoundSystem<'_> {
    fn drop(&mut self) {
        let _ = self.server.kill();
        let _ = self.server.wait();
    }
}

fn ended(mut child: Child, mut stdout: String) -> Outcome {
    if let Some(mut rest) = child.stdout.take() {
        rest.read_to_string(&mut stdout).expect("it is text");
    }
    let output = child.wait_with_output().expect("the program ends");
    let stderr = String::from_utf8_lossy(&output.stderr).into_owned();
    Outcome { code: output.status.code(), stdout, stderr }
}

/// Waits for a line that contains these words, and returns all lines up to it.
fn read_until(lines: &mut impl BufRead, words: &str) -> String {
    let mut read = String::new();
    while !read.contains(words) {
        assert!(lines.read_line(&mut read).expect("it is text") > 0, "`{words}` is missing: {read}");
    }
    read
}

#[test]
fn a_sound_system_records_and_plays() {
    if found(peers::run(program("pulseaudio").arg("--version"))).is_none() {
        return;
    }
    let Some(models) = models() else { return };
    let folder = Folder::new();
    let question = said(&folder, models, "What can you do?");
    let own = peers::run(&mut script("etude-sound")).expect("it is built");
    let own = Path::new(own.trim());
    for (sound, prefix) in [(None, ""), (Some(own), "pulseaudio:")] {
        let built = sound.is_none_or(Path::is_file).then_some(());
        if found(built.ok_or("etude-sound cannot be built here".to_owned())).is_none() {
            continue;
        }
        let mut system = SoundSystem::start(&folder);
        let device = |name: &str| format!("{prefix}{name}");
        let (mouth, room) = (device("mouth.monitor"), device("room"));

        let devices = system.answer(sound, &["voice", "devices", "--json"]).json();
        let known = |way: &str, name: &str| {
            devices[way].as_array().is_some_and(|names| names.contains(&json!(device(name))))
        };
        assert!(known("microphones", "mouth.monitor") && known("loudspeakers", "room"), "{devices}");
        assert!(!known("microphones", "room") && !known("loudspeakers", "mouth.monitor"), "{devices}");
        let uses = |what: &str| devices[what].as_str().is_some_and(|used| used.contains("sound"));
        assert_eq!([uses("records_with"), uses("plays_with")], [sound.is_some(); 2], "{devices}");

        let with = ["--models", models, "--microphone", &mouth, "--loudspeaker", &room];
        if sound.is_none() {
            let tested = system.answer(sound, &[&["voice", "test", "--json"], &with[..]].concat());
            let works = json!(
                ["microphone", "loudspeaker"]
                    .map(|name| json!({"name": name, "is_there": true, "trouble": Value::Null}))
            );
            assert_eq!((tested.code, &tested.json()["devices"]), (Some(0), &works));
        }
        let unknown = ["voice", "--wake", "none", "--models", models, "--microphone", "no-such-device"];
        let unknown = system.answer(sound, &unknown);
        assert_eq!(unknown.code, Some(1), "{unknown:?}");
        assert!(unknown.all().contains("the microphone cannot be used"), "{unknown:?}");

        // One question, whose answer is heard in the room; then the sound system goes away.
        let room_sound = folder.data().with_file_name("room.pcm");
        let record = ["--raw", "--rate=16000", "--channels=1", "--format=s16le", "--device=room.monitor"];
        let mut recorder = system.client(program("parec"));
        let file = std::fs::File::create(&room_sound).expect("a file");
        let mut recorder = recorder.args(record).stdout(file).spawn().expect("parec starts");
        let run = [&["voice", "--language", "en", "--wake", "none"], &with[..]].concat();
        let mut run = system.etude(sound, &run).spawn().expect("the program starts");
        let mut lines = BufReader::new(run.stdout.take().expect("it is piped"));
        let mut log = read_until(&mut lines, "[Iteration 1] Listening for wake word");
        let ask = ["--raw", "--rate=16000", "--channels=1", "--format=s16le", "--device=mouth", &question];
        let asked = system.client(program("pacat")).args(ask).status().expect("pacat starts");
        assert!(asked.success());
        log += &read_until(&mut lines, "[Iteration 2] Listening for wake word");
        assert!(log.contains("Ask me what is due"), "{log}");
        let _ = recorder.kill();
        let _ = recorder.wait();
        let heard = std::fs::read(&room_sound).expect("it was recorded");
        let loud = heard.chunks_exact(2).map(|two| i16::from_le_bytes([two[0], two[1]]));
        assert!(loud.filter(|sample| sample.abs() > 1_000).count() > 4_000, "the answer is heard");
        let _ = system.server.kill();
        lines.read_to_string(&mut log).expect("it is text");
        let run = ended(run, log);
        assert_eq!(run.code, Some(1), "{run:?}");
        assert!(run.stdout.contains("the microphone has stopped"), "{run:?}");
    }
}
