//! Clients that keep their own books. Each request has a key and is repeated under that key until it is answered;
//! every answer is recorded.

use crate::common::PATIENCE;
use crate::durability::chance::Chance;
use crate::durability::http::{Answer, Peer};
use serde_json::json;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, RwLock};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

const CLIENTS: u64 = 8;

/// A request that was answered with success.
#[derive(Debug, Clone)]
pub struct Acknowledged {
    pub instance: String,
    pub key: String,
    pub event: &'static str,
    /// The ledger's version in the answer.
    pub version: u64,
    /// Whether the answer said that the request had been taken before.
    pub repeated: bool,
}

/// A set of running clients.
#[derive(Debug)]
pub struct Load {
    shared: Arc<Shared>,
    clients: Vec<JoinHandle<Vec<Acknowledged>>>,
}

#[derive(Debug, Default)]
struct Shared {
    instances: Vec<String>,
    /// The servers that are up, as far as the test knows.
    peers: RwLock<Vec<Peer>>,
    stopping: AtomicBool,
    acknowledged: AtomicU64,
    refused: AtomicU64,
    lost: AtomicU64,
}

impl Load {
    pub fn start(instances: &[String], peers: Vec<Peer>, seed: u64) -> Load {
        let shared = Shared { instances: instances.to_vec(), peers: RwLock::new(peers), ..Shared::default() };
        let shared = Arc::new(shared);
        let client = |number| {
            let shared = shared.clone();
            let chance = Chance::new(seed ^ (number << 32));
            std::thread::spawn(move || work(&shared, number, chance))
        };
        let clients = (0..CLIENTS).map(client).collect();
        Load { shared, clients }
    }

    /// Sends all further requests to these servers.
    pub fn point_at(&self, peers: Vec<Peer>) {
        *self.shared.peers.write().expect("no client panics with this lock") = peers;
    }

    pub fn acknowledged(&self) -> u64 {
        self.shared.acknowledged.load(Ordering::SeqCst)
    }

    /// Waits until another request is acknowledged, which must happen soon after a server is back.
    pub fn expect_progress(&self, within: Duration) {
        let (before, deadline) = (self.acknowledged(), Instant::now() + within);
        while self.acknowledged() == before {
            assert!(Instant::now() < deadline, "nothing is acknowledged within {within:?}");
            std::thread::sleep(Duration::from_millis(10));
        }
    }

    /// Returns the counts of acknowledged, refused and lost requests as text.
    pub fn progress(&self) -> String {
        let count = |counter: &AtomicU64| counter.load(Ordering::SeqCst);
        let Shared { acknowledged, refused, lost, .. } = &*self.shared;
        format!("{} acknowledged, {} refused, {} lost", count(acknowledged), count(refused), count(lost))
    }

    /// Stops the clients once their last requests are acknowledged. A server must be up.
    pub fn finish(self) -> Vec<Acknowledged> {
        self.shared.stopping.store(true, Ordering::SeqCst);
        let books = self.clients.into_iter().map(|client| client.join().expect("a client found a defect"));
        books.flatten().collect()
    }
}

fn work(shared: &Shared, number: u64, mut chance: Chance) -> Vec<Acknowledged> {
    let mut book = Vec::new();
    while !shared.stopping.load(Ordering::SeqCst) {
        let key = format!("client-{number}-{}", book.len());
        let instance = chance.pick(&shared.instances).clone();
        let event = *chance.pick(&["deposit", "deposit", "transfer"]);
        book.push(insist(shared, &mut chance, instance, key, event));
    }
    book
}

/// Sends a request repeatedly, under the same key, until it is acknowledged.
fn insist(
    shared: &Shared,
    chance: &mut Chance,
    instance: String,
    key: String,
    event: &'static str,
) -> Acknowledged {
    let deadline = Instant::now() + PATIENCE;
    let path = format!("/api/instances/{instance}/events");
    let body = json!({"event": event, "payload": {"key": key}});
    loop {
        let peer = chance.pick(&shared.peers.read().expect("no client panics with this lock")).clone();
        let pause = match peer.post(&path, Some(&key), &body) {
            Ok(answer) if answer.status == 200 => {
                shared.acknowledged.fetch_add(1, Ordering::SeqCst);
                let view = answer.json();
                let version = view["version"].as_u64().expect("an answer has a version");
                return Acknowledged { instance, key, event, version, repeated: view["repeated"] == true };
            }
            Ok(answer) => {
                shared.refused.fetch_add(1, Ordering::SeqCst);
                expect_honest(&answer);
                // A server that runs without its database is given a moment's rest.
                if answer.status == 503 { chance.between_ms(20, 80) } else { chance.between_ms(1, 10) }
            }
            Err(_) => {
                shared.lost.fetch_add(1, Ordering::SeqCst);
                chance.between_ms(1, 10)
            }
        };
        assert!(Instant::now() < deadline, "{event} {key} of {instance} was never taken");
        std::thread::sleep(pause);
    }
}

/// Checks that a refusal gives one of the few allowed reasons.
pub fn expect_honest(answer: &Answer) {
    let code = answer.problem_code();
    let known =
        [(409, "version_conflict"), (503, "store_unavailable"), (503, "in_doubt"), (507, "disk_full")];
    assert!(known.contains(&(answer.status, code.as_str())), "{} {}", answer.status, answer.body);
}
