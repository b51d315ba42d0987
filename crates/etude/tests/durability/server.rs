//! The program as a process: started, queried, killed.

use crate::common::PATIENCE;
use crate::durability::http::Peer;
use serde_json::{Value, json};
use std::ffi::OsStr;
use std::io::{BufRead, BufReader};
use std::path::{Path, PathBuf};
use std::process::{Child, ChildStdout, Command, Stdio};
use std::time::{Duration, Instant};

/// The default lease of a server in these tests.
pub const LEASE_MS: u64 = 300;
const PROGRAM: &str = env!("CARGO_BIN_EXE_etude");
const LAW: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/laws/ledger.yaml");

/// The place of a server's data, the same for every start.
#[derive(Debug, Clone)]
pub struct Place {
    pub data: PathBuf,
    /// The address of a PostgreSQL database. Without one, the server uses SQLite in the data folder.
    pub database: Option<String>,
    pub sink: Option<String>,
    /// Short, so that the work of a killed server is soon taken over.
    pub lease_ms: u64,
    /// The servers' log, shown when a test fails.
    pub log: PathBuf,
}

impl Place {
    /// A place with SQLite in a folder and without a receiver of effects.
    pub fn new(folder: &Path) -> Place {
        Place {
            data: folder.to_owned(),
            database: None,
            sink: None,
            lease_ms: LEASE_MS,
            log: folder.join("server.log"),
        }
    }

    /// The database address with which this process can open the same store.
    pub fn address(&self) -> String {
        let file = || format!("sqlite:{}", self.data.join("etude.db").display());
        self.database.clone().unwrap_or_else(file)
    }

    pub fn start(&self) -> Server {
        self.start_by(Command::new(PROGRAM))
    }

    /// Starts a server that ignores the signal for files beyond the size limit; its writes fail instead.
    pub fn start_with_bounded_files(&self) -> Server {
        let mut shell = Command::new("sh");
        shell.args(["-c", "trap '' XFSZ; exec \"$0\" \"$@\"", PROGRAM]);
        self.start_by(shell)
    }

    fn start_by(&self, mut command: Command) -> Server {
        let log = std::fs::File::options().create(true).append(true).open(&self.log).expect("a log file");
        let lease_ms = self.lease_ms.to_string();
        command.args(["serve", "--address", "127.0.0.1:0", "--law", LAW, "--lease-ms", &lease_ms]);
        command.args(["--log", "warn"]).args(self.options());
        command.args(self.sink.iter().flat_map(|sink| ["--sink", sink]));
        let mut child = command.stdout(Stdio::piped()).stderr(log).spawn().expect("the program starts");
        let mut stdout = BufReader::new(child.stdout.take().expect("its output is piped"));
        let mut line = String::new();
        stdout.read_line(&mut line).expect("the program says where it listens");
        let address = line.trim().rsplit_once("http://").map(|(_, address)| address.to_owned());
        let address =
            address.unwrap_or_else(|| panic!("the server did not start: {line:?}\n{}", self.said()));
        let token = std::fs::read_to_string(self.data.join("token")).expect("the server made a token");
        Server { child, _stdout: stdout, peer: Peer { address, token: token.trim().to_owned() } }
    }

    /// Runs a command of the program during or after the servers, and returns its JSON.
    pub fn ask(&self, arguments: &[&str]) -> Value {
        let output = Command::new(PROGRAM).args(arguments).arg("--json").args(self.options()).output();
        let output = output.expect("the program starts");
        let said = String::from_utf8_lossy(&output.stdout);
        let read = serde_json::from_str(&said);
        read.unwrap_or_else(|error| {
            panic!("{arguments:?}: {error}: {said}{}", String::from_utf8_lossy(&output.stderr))
        })
    }

    /// The last 40 lines of the servers' log.
    pub fn said(&self) -> String {
        let log = std::fs::read_to_string(&self.log).unwrap_or_default();
        let lines: Vec<&str> = log.lines().rev().take(40).collect();
        lines.into_iter().rev().collect::<Vec<_>>().join("\n")
    }

    fn options(&self) -> Vec<&OsStr> {
        let data = ["--data".as_ref(), self.data.as_os_str()];
        let database = self.database.iter().flat_map(|address| ["--database", address]).map(OsStr::new);
        data.into_iter().chain(database).collect()
    }
}

/// A running server, killed when dropped.
#[derive(Debug)]
pub struct Server {
    child: Child,
    /// Kept open, because a server must not die from an unread greeting.
    _stdout: BufReader<ChildStdout>,
    pub peer: Peer,
}

impl Server {
    pub fn pid(&self) -> u32 {
        self.child.id()
    }

    /// Opens ledgers with these ids.
    pub fn open(&self, ids: &[String]) {
        for id in ids {
            let answer = self.peer.post("/api/instances", None, &json!({"flow": "Ledger", "id": id}));
            let answer = answer.expect("the server answers");
            assert_eq!(answer.status, 201, "{}", answer.body);
        }
    }

    /// Waits until every effect was performed. Panics if any was given up.
    pub fn drain(&self) {
        let deadline = Instant::now() + PATIENCE;
        loop {
            let metrics = self.peer.get("/metrics").expect("the server answers").body;
            let gauge = |name: &str| {
                metrics.lines().find_map(|line| line.strip_prefix(name)?.trim().parse::<f64>().ok())
            };
            // A database that has just come back may not be counted in at once.
            match (gauge("etude_effects_dead"), gauge("etude_effects_pending")) {
                (Some(0.0), Some(0.0)) => return,
                (Some(dead), _) if dead > 0.0 => panic!("{dead} effects were given up"),
                _ => assert!(Instant::now() < deadline, "effects stay pending: {metrics}"),
            }
            std::thread::sleep(Duration::from_millis(100));
        }
    }

    /// Kills the server, as a power cut would.
    pub fn kill(mut self) {
        self.end();
    }

    /// Stops the server, as an operator would.
    pub fn stop(mut self) {
        let told = Command::new("kill").args(["-TERM", &self.pid().to_string()]).status();
        assert!(told.is_ok_and(|status| status.success()), "the server can be told to stop");
        let deadline = Instant::now() + PATIENCE;
        loop {
            if let Some(status) = self.child.try_wait().expect("the server can be waited for") {
                assert!(status.success(), "the server ended with {status}");
                return;
            }
            assert!(Instant::now() < deadline, "the server does not stop");
            std::thread::sleep(Duration::from_millis(20));
        }
    }

    fn end(&mut self) {
        // The process may have ended already.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        self.end();
    }
}
