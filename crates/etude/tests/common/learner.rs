//! A learner with a data folder of their own who talks to the program through pipes.

use super::PATIENCE;
use super::stored::{instances, stored};
use std::io::{BufRead, BufReader, Write};
use std::path::Path;
use std::process::{Child, ChildStdin, Command, ExitStatus, Stdio};
use std::sync::mpsc::{Receiver, channel};
use std::time::Instant;
use tempfile::TempDir;

pub const PROGRAM: &str = env!("CARGO_BIN_EXE_etude");

#[derive(Debug)]
pub struct Learner {
    data: TempDir,
}

/// The output of a run and its exit code.
#[derive(Debug)]
pub struct Shown {
    pub out: String,
    pub err: String,
    pub code: Option<i32>,
}

/// A session under way.
#[derive(Debug)]
pub struct Running {
    child: Child,
    input: ChildStdin,
    lines: Receiver<String>,
    seen: String,
}

impl Learner {
    pub fn new() -> Learner {
        Learner { data: tempfile::tempdir().expect("a temporary folder can be made") }
    }

    pub fn data(&self) -> &Path {
        self.data.path()
    }

    /// Runs a whole conversation; the script is everything that is typed.
    pub fn run(&self, args: &[&str], script: &[u8]) -> Shown {
        self.run_in(&[], args, script)
    }

    pub fn run_in(&self, variables: &[(&str, &str)], args: &[&str], script: &[u8]) -> Shown {
        finish(self.command(args).envs(variables.iter().copied()), script)
    }

    /// Starts a conversation that the test continues line by line.
    pub fn start(&self, args: &[&str]) -> Running {
        let mut child = self.command(args).spawn().expect("the program starts");
        let input = child.stdin.take().expect("the input is piped");
        let output = child.stdout.take().expect("the output is piped");
        let (sender, lines) = channel();
        std::thread::spawn(move || {
            let whole = BufReader::new(output).lines().map_while(Result::ok);
            // The pipe is closed once its lines are no longer wanted.
            whole.take_while(|line| sender.send(line.clone()).is_ok()).for_each(drop);
        });
        Running { child, input, lines, seen: String::new() }
    }

    /// Writes a file into the data folder.
    pub fn add_file(&self, name: &str, source: impl AsRef<[u8]>) -> String {
        let path = self.data().join(name);
        std::fs::create_dir_all(path.parent().expect("it is in a folder")).expect("a folder can be made");
        std::fs::write(&path, source).expect("a file can be written");
        path.display().to_string()
    }

    pub fn armed_timers(&self) -> usize {
        stored(self.data(), async |store| {
            let mut armed = 0;
            for instance in instances(store).await {
                armed += store.timers(&instance.id).await.expect("timers can be counted").len();
            }
            armed
        })
    }

    fn command(&self, args: &[&str]) -> Command {
        let mut command = Command::new(PROGRAM);
        command.args(args).env("ETUDE_DATA", self.data()).env("ETUDE_LOG", "warn").env("TZ", noon());
        for name in ["LC_ALL", "LC_MESSAGES", "LANG", "ETUDE_DATABASE"] {
            command.env_remove(name);
        }
        command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
        command
    }
}

/// A time zone in which it is about noon, so that no test runs across the start of a learner's day.
fn noon() -> String {
    let seconds = std::time::UNIX_EPOCH.elapsed().expect("after 1970").as_secs();
    let hour = (seconds / 3_600 % 24) as i64;
    // The numbers in these zone names count westward.
    format!("Etc/GMT{:+}", hour - 12)
}

fn finish(command: &mut Command, script: &[u8]) -> Shown {
    let mut child = command.spawn().expect("the program starts");
    let mut input = child.stdin.take().expect("the input is piped");
    let script = script.to_owned();
    // A session may end before it has read everything.
    let typing = std::thread::spawn(move || drop(input.write_all(&script)));
    let output = child.wait_with_output().expect("the program ends");
    typing.join().expect("typing ends");
    let text = |bytes: Vec<u8>| String::from_utf8(bytes).expect("the program writes UTF-8");
    Shown { out: text(output.stdout), err: text(output.stderr), code: output.status.code() }
}

impl Running {
    pub fn say(&mut self, line: &str) {
        // A program that has ended reads nothing.
        let _ = writeln!(self.input, "{line}");
    }

    /// Waits for a new line that contains `expected`.
    pub fn wait_for(&mut self, expected: &str) {
        let until = Instant::now() + PATIENCE;
        loop {
            match self.lines.recv_timeout(until.saturating_duration_since(Instant::now())) {
                Ok(line) if line.contains(expected) => return,
                Ok(line) => self.seen += &format!("{line}\n"),
                Err(error) => panic!("{expected:?} did not come ({error}); seen since:\n{}", self.seen),
            }
        }
    }

    /// Kills the program, so that it can write nothing more.
    pub fn kill(mut self) {
        self.child.kill().expect("the program can be killed");
        self.child.wait().expect("the program is gone");
    }

    /// Stops reading the program's output.
    pub fn close_output(&mut self) {
        self.lines = channel().1;
    }

    /// Closes the input, waits for the program to end, and returns its exit code.
    pub fn end(self) -> Option<i32> {
        let Running { mut child, input, lines, .. } = self;
        drop(input);
        let status: ExitStatus = child.wait().expect("the program ends");
        drop(lines);
        status.code()
    }
}

/// Checks that the texts occur in this order.
pub fn assert_in_order(shown: &str, expected: &[&str]) {
    let mut rest = shown;
    for text in expected {
        match rest.split_once(text) {
            Some((_, after)) => rest = after,
            None => panic!("{text:?} is missing in the rest:\n{rest}\n--- of:\n{shown}"),
        }
    }
}
