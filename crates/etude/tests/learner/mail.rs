//! The digest on its whole way: written by a job, sent by the server, received by a real mail server.

use crate::common::{Folder, eventually};
use crate::learner::place::{at, course};
use etude::engine::clock::Clock;
use serde_json::Value;
use std::io::{BufRead, BufReader};
use std::process::{Child, Command, Stdio};
use std::time::Duration;
use tempfile::TempDir;

/// How the script says that it cannot be installed here.
const UNAVAILABLE: i32 = 69;

#[derive(Debug)]
struct Peer {
    child: Child,
    port: u64,
    mails: TempDir,
}

impl Peer {
    /// `None` where there is no mail server, after saying so.
    fn start() -> Option<Peer> {
        let script = concat!(env!("CARGO_MANIFEST_DIR"), "/../../scripts/mail-peer");
        let mails = tempfile::tempdir().expect("a folder");
        let mut command = Command::new(script);
        command.arg(mails.path()).stdin(Stdio::piped()).stdout(Stdio::piped());
        let mut child = command.spawn().expect("the script starts");
        let mut line = String::new();
        BufReader::new(child.stdout.take().expect("it is piped")).read_line(&mut line).expect("text");
        if line.is_empty() {
            assert_eq!(child.wait().expect("it ends").code(), Some(UNAVAILABLE), "the mail server failed");
            eprintln!("NOT TESTED: there is no mail server here");
            return None;
        }
        let ports: Value = serde_json::from_str(&line).expect("ports");
        Some(Peer { child, port: ports["plain"].as_u64().expect("a port"), mails })
    }

    /// What has arrived, as another program reads it.
    fn arrived(&self) -> Vec<Value> {
        let files = std::fs::read_dir(self.mails.path()).expect("a folder").flatten().map(|file| file.path());
        let read = files.filter(|path| path.extension().is_some_and(|end| end == "json"));
        read.filter_map(|path| serde_json::from_str(&std::fs::read_to_string(path).ok()?).ok()).collect()
    }
}

impl Drop for Peer {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

#[tokio::test]
async fn the_digest_arrives_once_and_a_bad_address_is_listed() {
    let Some(peer) = Peer::start() else { return };
    let folder = Folder::new();
    std::fs::create_dir_all(folder.data()).expect("a data folder");
    let port = peer.port;
    let settings = format!(
        "[mail]\nhost = \"127.0.0.1\"\nport = {port}\nsecurity = \"none\"\nfrom = \"Etude <e@example.org>\"\n"
    );
    std::fs::write(folder.data().join("config.toml"), settings).expect("settings");
    let app = at(&format!("sqlite:{}", folder.data().join("etude.db").display()), Clock::System).await;
    for learner in ["ada", "lost"] {
        course(&app, learner, &["joins"]).await;
    }
    app.store.close().await;
    for (learner, address) in [("ada", "ada@example.org"), ("lost", "unknown@example.org")] {
        let set = folder.run(&["learner", "set", "email", address, "--learner", learner]);
        assert_eq!(set.code, Some(0), "{set:?}");
        // The test may run at night.
        let set = folder.run(&["learner", "set", "reached_from_hour", "0", "--learner", learner]);
        assert_eq!(set.code, Some(0), "{set:?}");
        for _ in 0..2 {
            let run = folder.run(&["jobs", "run", "weekly-progress-digest", "--learner", learner]);
            assert!(run.stdout.contains("written"), "{run:?}");
        }
    }
    let server = folder.serve(&[]);
    let mail = eventually("the mail arrives", Duration::from_secs(60), || peer.arrived().pop());
    let text = mail.to_string();
    for part in ["Your weekly learning progress", "Mastery: 0 %", "Velocity", "bgcolor", "ada@example.org"] {
        assert!(text.contains(part), "{part}: {text}");
    }
    let dead = eventually("the poison is listed", Duration::from_secs(60), || {
        let dead = server.client.get("/api/dead").json();
        (dead["effects"].as_array().is_some_and(|list| !list.is_empty())).then_some(dead)
    });
    assert!(dead.to_string().contains("550"), "{dead}");
    drop(server);
    let server = folder.serve(&[]);
    std::thread::sleep(Duration::from_millis(700));
    drop(server);
    assert_eq!(peer.arrived().len(), 1, "a restart sends nothing again");
}
