//! Tests of microphones and loudspeakers: finding them, and ending a session that is interrupted in a terminal.

use super::models;
use super::servers::bad_server;
use crate::common::{Folder, Outcome};
use serde_json::json;
use std::io::{BufRead, BufReader, Read};
use std::os::unix::process::CommandExt;
use std::process::{Command, Stdio};

/// A command that records like a microphone in a quiet room.
const QUIET: &str = "sh -c 'while :; do head -c 3200 /dev/zero; sleep 0.1; done'";

/// Runs a command and presses Ctrl-C once a line with these words is printed. As in a terminal, the whole process
/// group gets the signal.
fn interrupted(folder: &Folder, arguments: &[&str], when: &str) -> Outcome {
    let sound = ["--language", "en", "--record-with", QUIET, "--play-with", "cat"];
    let mut command = folder.command(&[arguments, &sound].concat());
    command.process_group(0).stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut child = command.spawn().expect("the program starts");
    let mut lines = BufReader::new(child.stdout.take().expect("it is piped"));
    let mut stdout = String::new();
    while !stdout.contains(when) {
        assert!(lines.read_line(&mut stdout).unwrap() > 0, "`{when}` is missing: {stdout}");
    }
    let group = format!("-{}", child.id());
    Command::new("kill").args(["-INT", "--", &group]).status().expect("kill is there");
    lines.read_to_string(&mut stdout).expect("it is text");
    let output = child.wait_with_output().expect("the program ends");
    Outcome {
        code: output.status.code(),
        stdout,
        stderr: String::from_utf8_lossy(&output.stderr).into_owned(),
    }
}

#[test]
fn ctrl_c_ends_a_run_cleanly() {
    let Some(models) = models() else { return };
    let folder = Folder::new();
    let silent = bad_server(b"", false, true);
    for wake in [&["--wake", "none"][..], &[], &["--wake", &silent, "--server-timeout", "60"]] {
        let run =
            interrupted(&folder, &[&["voice", "--models", models], wake].concat(), "Listening for wake");
        assert!(run.code == Some(0) && run.stdout.contains("(source: user)"), "{wake:?}: {run:?}");
    }
    let drill = ["drill", "german-first-words", "--voice", "--models", models];
    let run = interrupted(&folder, &drill, "\n…\n");
    assert!(run.code == Some(0) && run.stdout.contains("etude drill german-first-words --voice"), "{run:?}");
}

#[test]
fn missing_sound_programs_are_named() {
    let folder = Folder::new();
    let devices = |arguments: &[&str]| {
        let output = folder.command(arguments).env("PATH", "").output().expect("the program starts");
        assert!(output.status.success(), "{output:?}");
        String::from_utf8_lossy(&output.stdout).into_owned()
    };
    let shown: serde_json::Value = serde_json::from_str(&devices(&["voice", "devices", "--json"])).unwrap();
    assert_eq!(
        shown,
        json!({"records_with": null, "plays_with": null, "microphones": [], "loudspeakers": []})
    );
    let told = devices(&["voice", "devices"]);
    assert!(
        told.contains("records with nothing, plays with nothing")
            && told.contains("Install pulseaudio-utils"),
        "{told}"
    );
}
