//! The programs that tests talk to or compare with. `scripts/test-tools` fetches those that this machine lacks.
//!
//! The tests of every crate share this file.

use std::io::{BufRead, BufReader, Write};
use std::process::{Child, Command, Stdio};

const SCRIPTS: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../../scripts");

/// Returns the peer if it is there. Otherwise the test is skipped with a message or, where `CI` is set, fails.
pub fn found<T>(peer: Result<T, String>) -> Option<T> {
    if let Err(why) = &peer {
        assert!(!in_ci(), "this test may not be skipped where CI is set: {why}");
        skipped(why);
    }
    peer.ok()
}

/// Reports that the current test is skipped. Writes past the harness, which hides the output of passing tests.
pub fn skipped(why: &str) {
    let test = std::thread::current().name().unwrap_or("a test").to_owned();
    let _ = writeln!(std::io::stderr(), "skipped: {test}, because {}", why.trim());
}

/// Runs a command and returns its output, or the reason for its failure.
pub fn run(command: &mut Command) -> Result<String, String> {
    let name = command.get_program().display().to_string();
    let output = command.output().map_err(|error| format!("{name} cannot be started: {error}"))?;
    let [said, complained] = [&output.stdout, &output.stderr].map(|text| String::from_utf8_lossy(text));
    if output.status.success() {
        return Ok(said.into_owned());
    }
    // Some compilers complain on standard output.
    Err(format!("{name} failed: {}", if complained.trim().is_empty() { said } else { complained }))
}

/// A command for a program of this machine, or one that was fetched.
pub fn program(name: &str) -> Command {
    let mut command = Command::new(name);
    command.env("PATH", path());
    command
}

pub fn script(name: &str) -> Command {
    program(&format!("{SCRIPTS}/{name}"))
}

/// A script that serves as long as this value lives; dropping it closes the script's standard input.
#[derive(Debug)]
pub struct Serving {
    /// The first line that the script printed, which contains its address.
    pub line: String,
    process: Child,
}

impl Serving {
    pub fn start(command: &mut Command) -> Result<Serving, String> {
        let name = command.get_program().display().to_string();
        let mut process = command
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .map_err(|error| format!("{name} cannot be started: {error}"))?;
        let mut line = String::new();
        let printed = process.stdout.take().expect("it is piped");
        BufReader::new(printed).read_line(&mut line).expect("the script prints text");
        if !line.is_empty() {
            return Ok(Serving { line, process });
        }
        let status = process.wait().expect("the script ends");
        assert_eq!(status.code(), Some(UNAVAILABLE), "{name} broke instead of being unavailable");
        Err(format!("{name} cannot be installed here; it says above why"))
    }
}

impl Drop for Serving {
    fn drop(&mut self) {
        let _ = self.process.kill();
        let _ = self.process.wait();
    }
}

/// The exit code of a script whose requirements cannot be met on this machine.
pub const UNAVAILABLE: i32 = 69;

/// The search path for programs, with the fetched ones first.
pub fn path() -> String {
    let fetched =
        Command::new(format!("{SCRIPTS}/test-tools")).arg("path").output().expect("bash runs scripts");
    let fetched = String::from_utf8(fetched.stdout).expect("a path");
    format!("{}:{}", fetched.trim(), environment("PATH").unwrap_or_default())
}

fn in_ci() -> bool {
    environment("CI").is_some_and(|value| !value.is_empty())
}

#[expect(clippy::disallowed_methods, reason = "only the environment says where the tests run")]
fn environment(name: &str) -> Option<String> {
    std::env::var(name).ok()
}
