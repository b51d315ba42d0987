//! The program as its users meet it: a process with arguments, a data folder and two streams.

use super::PATIENCE;
use super::client::Client;
use serde_json::Value;
use std::io::{BufRead, BufReader, Write};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

/// A folder for one test: the program's data, and the files that the test writes.
#[derive(Debug)]
pub struct Folder(tempfile::TempDir, PathBuf);

/// The output of a command and how it ended.
#[derive(Debug)]
pub struct Outcome {
    /// `None` if a signal ended the command.
    pub code: Option<i32>,
    pub stdout: String,
    pub stderr: String,
}

/// The path of a law that belongs to the tests.
pub fn law(name: &str) -> String {
    path("tests/laws", name)
}

/// The path of a law or feature that ships with the project.
pub fn example(name: &str) -> String {
    path("../../examples", name)
}

/// Builds one of the workspace's examples where this test was built, and returns its path.
pub fn built_example(name: &str) -> PathBuf {
    let profile = Path::new(env!("CARGO_BIN_EXE_etude")).parent().expect("a folder");
    let mut build = Command::new(env!("CARGO"));
    // Built with the features of the whole workspace, so that nothing is compiled twice.
    build.args(["build", "--quiet", "--workspace", "--example", name, "--target-dir"]);
    build.arg(profile.parent().expect("a folder")).current_dir(env!("CARGO_MANIFEST_DIR"));
    if profile.ends_with("release") {
        build.arg("--release");
    }
    assert!(build.status().expect("cargo runs").success(), "`{name}` can be built");
    profile.join("examples").join(name)
}

fn path(folder: &str, name: &str) -> String {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join(folder).join(name);
    assert!(path.is_file(), "{} is not there", path.display());
    path.display().to_string()
}

impl Folder {
    pub fn new() -> Folder {
        Folder::of(PathBuf::from(env!("CARGO_BIN_EXE_etude")))
    }

    /// A folder for another program that is built on Etude.
    pub fn of(program: PathBuf) -> Folder {
        Folder(tempfile::tempdir().expect("a folder for the test"), program)
    }

    pub fn data(&self) -> PathBuf {
        self.0.path().join("data")
    }

    /// Writes a file beside the data and returns its path.
    pub fn write(&self, name: &str, content: impl AsRef<[u8]>) -> String {
        let path = self.0.path().join(name);
        std::fs::write(&path, content).expect("the test can write");
        path.display().to_string()
    }

    /// Changes the database behind the program's back. Returns how many rows it touched.
    pub fn sql(&self, change: &str) -> usize {
        let file = rusqlite::Connection::open(self.data().join("etude.db")).expect("the file opens");
        file.busy_timeout(Duration::from_secs(10)).expect("it waits");
        file.execute(change, []).expect("the SQL runs")
    }

    /// Runs a command to its end.
    pub fn run(&self, arguments: &[&str]) -> Outcome {
        self.run_with(arguments, b"")
    }

    /// Runs a command that reads standard input.
    pub fn run_with(&self, arguments: &[&str], input: &[u8]) -> Outcome {
        let mut command = self.command(arguments);
        let piped = command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
        let mut child = piped.spawn().expect("the program starts");
        // A program need not read its input to the end.
        let _ = child.stdin.take().expect("it is piped").write_all(input);
        let output = child.wait_with_output().expect("the program ends");
        Outcome {
            code: output.status.code(),
            stdout: String::from_utf8_lossy(&output.stdout).into_owned(),
            stderr: String::from_utf8_lossy(&output.stderr).into_owned(),
        }
    }

    /// Runs a command whose output is not read: the pipe's other end is closed before the command starts.
    pub fn run_unread(&self, arguments: &[&str]) -> Outcome {
        let (reader, writer) = std::io::pipe().expect("a pipe");
        drop(reader);
        let output = self.command(arguments).stdout(writer).stderr(Stdio::piped()).output();
        let output = output.expect("the program ends");
        Outcome {
            code: output.status.code(),
            stdout: String::new(),
            stderr: String::from_utf8_lossy(&output.stderr).into_owned(),
        }
    }

    /// Starts a server on a free port and waits until it listens.
    pub fn serve(&self, arguments: &[&str]) -> Server {
        self.serve_at("127.0.0.1:0", arguments)
    }

    pub fn serve_at(&self, address: &str, arguments: &[&str]) -> Server {
        let log = self.0.path().join(format!("log-{}", uuid::Uuid::now_v7()));
        let file = std::fs::File::create(&log).expect("a file for the log");
        let mut all = vec!["serve", "--address", address];
        all.extend(arguments);
        let mut command = self.command(&all);
        let mut child = command.stdout(Stdio::piped()).stderr(file).spawn().expect("the program starts");
        let mut stdout = BufReader::new(child.stdout.take().expect("it is piped"));
        let address = line_after(&mut stdout, "Etude listens on http://", &log);
        let once = line_after(&mut stdout, "/open?code=", &log);
        let token = std::fs::read_to_string(self.data().join("token")).expect("the server made a token");
        let client = Client::new(&address, Some(token.trim()));
        Server { child, client, once: format!("/open?code={once}"), log }
    }

    pub fn command(&self, arguments: &[&str]) -> Command {
        let mut command = Command::new(&self.1);
        const MODEL: [&str; 4] =
            ["ETUDE_MODEL_PRESET", "ETUDE_MODEL_URL", "ETUDE_MODEL", "ETUDE_MODEL_API_KEY"];
        const CHANNELS: [&str; 2] = ["ETUDE_TELEGRAM_TOKEN", "ETUDE_MAIL_PASSWORD"];
        for name in ["ETUDE_DATABASE", "ETUDE_LOG", "ETUDE_LOG_FORMAT", "ETUDE_CONFIG"]
            .into_iter()
            .chain(MODEL)
            .chain(CHANNELS)
        {
            command.env_remove(name);
        }
        // A test's output must not depend on a locale.
        for name in ["LC_ALL", "LC_MESSAGES", "LANG"] {
            command.env_remove(name);
        }
        command.args(arguments).env("ETUDE_DATA", self.data()).env("TZ", "UTC").stdin(Stdio::null());
        command
    }
}

/// Returns the text after the mark in the next line that contains it.
fn line_after(lines: &mut impl BufRead, mark: &str, log: &Path) -> String {
    let started = Instant::now();
    let mut line = String::new();
    while started.elapsed() < PATIENCE {
        line.clear();
        if lines.read_line(&mut line).expect("the program writes text") == 0 {
            break;
        }
        if let Some((_, rest)) = line.split_once(mark) {
            return rest.trim().to_owned();
        }
    }
    panic!("the server did not print `{mark}`: {}", std::fs::read_to_string(log).unwrap_or_default());
}

impl Outcome {
    pub fn json(&self) -> Value {
        serde_json::from_str(&self.stdout).unwrap_or_else(|error| panic!("not JSON: {error}: {self:?}"))
    }

    /// Both streams, as a person would have read them.
    pub fn all(&self) -> String {
        format!("{}{}", self.stdout, self.stderr)
    }
}

/// A server that ends with its test.
#[derive(Debug)]
pub struct Server {
    child: Child,
    pub client: Client,
    /// The one-time address that lets a browser in, without the host.
    pub once: String,
    log: PathBuf,
}

impl Server {
    /// The id of the server's process.
    pub fn id(&self) -> u32 {
        self.child.id()
    }

    /// Everything that the server has logged so far.
    pub fn log(&self) -> String {
        std::fs::read_to_string(&self.log).unwrap_or_default()
    }

    /// Asks the server to end, as an init system would, and waits. Returns `None` if it does not end.
    pub fn terminate(mut self) -> Option<std::process::ExitStatus> {
        let kill = format!("kill -TERM {}", self.child.id());
        let sent = Command::new("sh").args(["-c", &kill]).status().expect("a shell is there");
        assert!(sent.success(), "{kill}");
        let started = Instant::now();
        while started.elapsed() < PATIENCE {
            if let Some(status) = self.child.try_wait().expect("the child is ours") {
                return Some(status);
            }
            std::thread::sleep(Duration::from_millis(20));
        }
        None
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}
