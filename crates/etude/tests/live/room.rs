//! Tests of live sound in a room where the coach's voice comes back to the microphone, and of devices that break.

use crate::common::{Folder, Outcome, text};
use crate::peers;
use crate::voice::{models, samples, spoken, wav};
use serde_json::{Value, json};
use std::path::PathBuf;
use std::process::Command;

const SCRIPT: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/live/room.py");

/// A room with a learner who speaks at set times.
struct Room<'f> {
    folder: &'f Folder,
    place: PathBuf,
}

impl<'f> Room<'f> {
    fn new(folder: &'f Folder, gain: f32, learner: &[Value]) -> Room<'f> {
        let place = folder.data().with_file_name("room");
        // The sound of an earlier try would still hang in the air.
        let _ = std::fs::remove_dir_all(&place);
        std::fs::create_dir_all(&place).unwrap();
        let room = json!({"gain": gain, "delay": 0.08, "learner": learner});
        std::fs::write(place.join("room.json"), room.to_string()).unwrap();
        let mouth = Command::new("mkfifo").arg(place.join("mouth")).status();
        assert!(mouth.expect("mkfifo is there").success());
        Room { folder, place }
    }

    fn talk(&self, models: &str, arguments: &[&str]) -> Outcome {
        let place = self.place.display();
        let record = format!("python3 {SCRIPT} {place}");
        // A shell starts sooner than an interpreter, even on a busy machine.
        let play = format!("sh -c 'echo {{rate}} > {place}/rate; exec cat > {place}/mouth'");
        let sound = ["--record-with", &record, "--play-with", &play, "--models", models];
        let mut command = self.folder.command(&[arguments, &sound].concat());
        let output = command.env("PATH", peers::path()).output().expect("the program runs");
        Outcome {
            code: output.status.code(),
            stdout: String::from_utf8_lossy(&output.stdout).into_owned(),
            stderr: String::from_utf8_lossy(&output.stderr).into_owned(),
        }
    }
}

/// Records a text as speech at 16 kHz, starting with the first sound. Returns the path of its samples.
pub(super) fn said(folder: &Folder, models: &str, text: &str) -> String {
    let (rate, sound) = samples(&spoken(folder, models, "said.wav", text, "en"));
    let begin = sound.iter().position(|sample| sample.abs() > 1_500).expect("it is heard");
    let count = (sound.len() - begin) * 16_000 / rate as usize;
    let at = |index: usize| sound[begin + index * rate as usize / 16_000];
    let pcm: Vec<u8> = (0..count).flat_map(|index| at(index).to_le_bytes()).collect();
    folder.write(&format!("{}.pcm", text.len()), pcm)
}

const TALK: [&str; 8] = ["voice", "--json", "--language", "en", "--wake", "none", "--wait", "4"];

#[test]
fn the_echo_of_the_coach_does_not_interrupt_it() {
    let Some(models) = models() else { return };
    let folder = Folder::new();
    let question = said(&folder, models, "What can you do?");
    // Speech detection is a matter of chance, and the coach never speaks twice alike. One undisturbed run is
    // enough.
    let is_undisturbed = |_| {
        let room = Room::new(&folder, 0.4, &[json!({"pcm": question, "at": 0.5})]);
        let run = room.talk(models, &TALK).json();
        assert!(run["turns"][0]["spoken_seconds"].as_f64().unwrap() > 3.0, "{run}");
        (&run["interactions"], &run["outcome"]) == (&json!(1), &json!("timeout"))
            && run["turns"][0]["is_cut_in"].is_null()
    };
    assert!((0..3).any(is_undisturbed), "the echo interrupts the coach every time");
}

#[test]
fn stop_is_heard_over_the_coachs_voice() {
    let Some(models) = models() else { return };
    let folder = Folder::new();
    let (question, stop) =
        (said(&folder, models, "What can you do?"), said(&folder, models, "Stop, please."));
    let learner = [json!({"pcm": question, "at": 0.5}), json!({"pcm": stop, "after": 2.0})];
    // Over the echo, the coach may hear more than was said, or something else.
    let is_heard = |_| {
        let run = Room::new(&folder, 0.2, &learner).talk(models, &TALK).json();
        eprintln!("{run}");
        (&run["turns"][0]["is_cut_in"], &run["interactions"]) == (&json!(true), &json!(2))
            && text(&run["turns"][1], "/heard").to_lowercase().contains("stop")
    };
    assert!((0..3).any(is_heard), "the learner is never understood over the coach");
}

#[test]
fn broken_devices_end_the_run_and_lose_nothing() {
    let Some(models) = models() else { return };
    let folder = Folder::new();
    let second = folder.write("second.pcm", vec![0; 32_000]);
    let record = folder.write("record.sh", format!("cat {second}\necho 'no such device' >&2\nexit 1\n"));
    let drill = ["drill", "german-first-words", "--language", "en", "--voice", "--models", models];
    let with = |sound: &[&str]| folder.run(&[&drill[..], sound].concat());
    let cases = [
        (format!("sh {record}"), "true", "the microphone has stopped"),
        ("false".to_owned(), "true", "the microphone cannot be used"),
        ("no-such-program".to_owned(), "true", "cannot be started"),
        ("sleep 60".to_owned(), "true", "has given no sound for 5 s"),
        ("cat /dev/zero".to_owned(), "false", "the loudspeaker cannot be used"),
    ];
    for (record, play, why) in cases {
        let run = with(&["--record-with", &record, "--play-with", play]);
        assert_eq!(run.code, Some(1), "{why}: {run:?}");
        assert!(run.stderr.contains(why) && run.stderr.contains("do:"), "{why}: {run:?}");
    }
    let nothing = folder.command(&drill).env("PATH", "/nowhere").output().unwrap();
    assert!(
        String::from_utf8_lossy(&nothing.stderr).contains("there is no program to record with"),
        "{nothing:?}"
    );
    // The session that the first case opened is still there, and it is the only one.
    let silence = folder.write("silence.wav", wav(16_000, 1, &[0; 16_000]));
    let run = with(&["--json", "--input", &silence]).json();
    let listed = folder.run(&["list", "--json"]).json();
    assert_eq!(listed.as_array().or(listed["instances"].as_array()).unwrap().len(), 1, "{listed}");
    assert!(run["outcome"].is_null(), "{run}");
}
