//! The digest's whole way: written by a job, sent by the server, received by a real mail server.

use crate::common::{Folder, eventually};
use crate::learner::place::{at, course};
use crate::peers::{Serving, found, script};
use serde_json::Value;
use shell::engine::clock::Clock;
use std::time::Duration;
use tempfile::TempDir;

#[derive(Debug)]
struct Peer {
    _process: Serving,
    port: u64,
    mails: TempDir,
}

impl Peer {
    fn start() -> Option<Peer> {
        let mails = tempfile::tempdir().expect("a folder");
        let process = found(Serving::start(script("mail-peer").arg(mails.path())))?;
        let ports: Value = serde_json::from_str(&process.line).expect("ports");
        Some(Peer { _process: process, port: ports["plain"].as_u64().expect("a port"), mails })
    }

    /// Returns the mails that have arrived, as another program reads them.
    fn arrived(&self) -> Vec<Value> {
        let files = std::fs::read_dir(self.mails.path()).expect("a folder").flatten().map(|file| file.path());
        let read = files.filter(|path| path.extension().is_some_and(|end| end == "json"));
        read.filter_map(|path| serde_json::from_str(&std::fs::read_to_string(path).ok()?).ok()).collect()
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
    let mail = eventually("the mail arrives", || peer.arrived().pop());
    let text = mail.to_string();
    for part in ["Your weekly learning progress", "Mastery: 0 %", "Pace: 0.0", "bgcolor", "ada@example.org"] {
        assert!(text.contains(part), "{part}: {text}");
    }
    let dead = eventually("the poison is listed", || {
        let dead = server.client.get("/api/dead").json();
        (dead["effects"].as_array().is_some_and(|list| !list.is_empty())).then_some(dead)
    });
    assert!(dead.to_string().contains("550"), "{dead}");
    // A mail that was sent but not yet recorded would be sent again.
    eventually("all is noted", || (server.client.pending() == 0).then_some(()));
    drop(server);
    let server = folder.serve(&[]);
    std::thread::sleep(Duration::from_millis(700));
    drop(server);
    assert_eq!(peer.arrived().len(), 1, "a restart sends nothing again");
}
