//! The server is killed at random moments under load, on SQLite.

use crate::durability::audit::audit;
use crate::durability::chance::Chance;
use crate::durability::load::Load;
use crate::durability::server::{LEASE_MS, Place};
use crate::durability::sink::Sink;
use crate::durability::{rounds, seed};
use std::time::{Duration, Instant};

const ROUNDS: u64 = 100;
const INSTANCES: usize = 16;

#[test]
fn nothing_is_lost_when_the_server_is_killed() {
    let (rounds, seed) = (rounds(ROUNDS), seed());
    println!("kills: {rounds} rounds, ETUDE_SEED={seed}");
    let started = Instant::now();
    let folder = tempfile::tempdir().expect("a temporary folder");
    let sink = Sink::open(Duration::from_millis(2 * LEASE_MS));
    let place = Place { sink: Some(sink.url.clone()), ..Place::new(folder.path()) };
    let instances: Vec<String> = (0..INSTANCES).map(|number| format!("ledger-{number}")).collect();
    let mut chance = Chance::new(seed);

    let mut server = place.start();
    server.open(&instances);
    let load = Load::start(&instances, vec![server.peer.clone()], seed);
    for round in 1..=rounds {
        std::thread::sleep(chance.between_ms(20, 150));
        server.kill();
        server = place.start();
        load.point_at(vec![server.peer.clone()]);
        if round % 10 == 0 {
            println!("kills: round {round} after {:.0?}: {}", started.elapsed(), load.progress());
        }
    }
    let acknowledged = load.finish();
    assert!(acknowledged.len() as u64 > rounds, "too little happened to prove anything");
    server.drain();
    server.stop();
    audit(&place, &instances, &acknowledged, &sink);
    println!("kills: {rounds} in {:.0?}", started.elapsed());
}
