//! The disk fills up or refuses to write. The server says so, loses nothing, and recovers without a restart when
//! the disk does.

use crate::breakable::SmallDisk;
use crate::durability::audit::check_ledger;
use crate::durability::http::{Answer, Peer};
use crate::durability::server::{Place, Server};
use serde_json::json;
use std::collections::BTreeSet;
use std::fs::File;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::Command;

const LEDGER: &str = "short";
const DISK_SIZE: &str = "4m";
/// The space that is left once the shortage begins.
const LEFT_BYTES: u64 = 256 << 10;
/// More turns of this length than fit into the space that is left.
const MAX_TURNS: usize = 500;
const FILLER_CHARS: usize = 4000;

#[test]
fn a_full_disk() {
    let Some(disk) = SmallDisk::mount(DISK_SIZE) else { return };
    check(disk.path(), Shortage::Space(disk.path().join("ballast")), (507, "disk_full"));
}

#[test]
fn a_disk_that_fails() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    check(folder.path(), Shortage::FileSize(folder.path().join("etude.db-wal")), (503, "store_unavailable"));
}

fn check(data: &Path, shortage: Shortage, expected: (u16, &str)) {
    let logs = tempfile::tempdir().expect("a temporary folder");
    let place = Place { log: logs.path().join("server.log"), ..Place::new(data) };
    let server = place.start_with_bounded_files();
    server.open(&[LEDGER.to_owned()]);
    let mut client = Client { peer: server.peer.clone(), sent: 0, taken: BTreeSet::new() };
    for _ in 0..10 {
        assert_eq!(client.deposit().status, 200);
    }

    shortage.begin(&server);
    let failed = (0..MAX_TURNS).map(|_| client.deposit()).find(|answer| answer.status != 200);
    let failed = failed.expect("the shortage was never felt");
    println!("disk: after {} turns: {}", client.taken.len(), failed.body);
    assert_eq!((failed.status, failed.problem_code().as_str()), expected);
    for _ in 0..5 {
        let answer = client.deposit();
        assert!([200, expected.0].contains(&answer.status), "{} {}", answer.status, answer.body);
    }
    client.expect_view();

    shortage.end(&server);
    for _ in 0..10 {
        let answer = client.deposit();
        assert_eq!(answer.status, 200, "it does not work again: {}", answer.body);
    }
    client.expect_view();
    server.stop();
    let booked: Vec<String> =
        check_ledger(&place, LEDGER).into_iter().filter_map(|entry| entry.key).collect();
    assert_eq!(booked.len(), client.taken.len(), "as many turns are booked as were acknowledged");
    assert_eq!(BTreeSet::from_iter(booked), client.taken, "refused turns left nothing behind");
    assert_eq!(integrity(&data.join("etude.db")), "ok");
}

/// A writer that remembers which of its turns were acknowledged.
struct Client {
    peer: Peer,
    sent: usize,
    taken: BTreeSet<String>,
}

impl Client {
    fn deposit(&mut self) -> Answer {
        self.sent += 1;
        let key = format!("deposit-{}", self.sent);
        let body = json!({"event": "deposit", "payload": {"key": key, "filler": "x".repeat(FILLER_CHARS)}});
        let answer = self.peer.post(&format!("/api/instances/{LEDGER}/events"), None, &body);
        let answer = answer.expect("the server answers");
        if answer.status == 200 {
            self.taken.insert(key);
        }
        answer
    }

    /// Checks that the ledger can be read and contains every acknowledged turn.
    fn expect_view(&self) {
        let answer = self.peer.get(&format!("/api/instances/{LEDGER}")).expect("the server answers");
        assert_eq!(answer.status, 200, "{}", answer.body);
        // The first version is the opening.
        assert_eq!(answer.json()["version"], self.taken.len() + 1);
    }
}

/// The reason why writing fails.
enum Shortage {
    /// A file takes up the rest of the disk.
    Space(PathBuf),
    /// The system refuses to let this file grow, as a broken disk would.
    FileSize(PathBuf),
}

impl Shortage {
    fn begin(&self, server: &Server) {
        match self {
            Shortage::Space(ballast) => fill(ballast),
            Shortage::FileSize(file) => {
                let present = file.metadata().expect("the file is there").len();
                limit_files(server, &(present + LEFT_BYTES).to_string());
            }
        }
    }

    fn end(&self, server: &Server) {
        match self {
            Shortage::Space(ballast) => std::fs::remove_file(ballast).expect("the ballast goes"),
            Shortage::FileSize(_) => limit_files(server, "unlimited"),
        }
    }
}

/// Writes until nothing more fits, then gives a little back.
fn fill(ballast: &Path) {
    let mut file = File::create(ballast).expect("the ballast begins");
    while file.write_all(&[0; 4096]).is_ok() {}
    let length = file.metadata().expect("the ballast has a length").len();
    file.set_len(length - LEFT_BYTES).expect("the ballast shrinks");
}

/// Sets only the soft limit, which its owner may raise again.
fn limit_files(server: &Server, bytes: &str) {
    let pid = server.pid().to_string();
    let limited = Command::new("prlimit").args(["--pid", &pid, &format!("--fsize={bytes}:")]).status();
    assert!(limited.is_ok_and(|status| status.success()), "prlimit (of util-linux) is needed");
}

fn integrity(database: &Path) -> String {
    let connection = rusqlite::Connection::open(database).expect("the database opens");
    connection.query_row("PRAGMA integrity_check", [], |row| row.get(0)).expect("the check runs")
}
