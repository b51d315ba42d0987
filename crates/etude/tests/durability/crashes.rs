//! PostgreSQL crashes at random moments under load while two servers stay up; now and then one server is killed.

use crate::breakable::Cluster;
use crate::common::PATIENCE;
use crate::durability::audit::audit;
use crate::durability::chance::Chance;
use crate::durability::load::Load;
use crate::durability::server::{LEASE_MS, Place, Server};
use crate::durability::sink::Sink;
use crate::durability::{rounds, seed};
use std::time::{Duration, Instant};

const ROUNDS: u64 = 20;
const KILL_EVERY: u64 = 4;
const INSTANCES: usize = 16;

#[test]
fn nothing_is_lost_when_postgres_crashes() {
    let Some(cluster) = Cluster::start() else { return };
    let (rounds, seed) = (rounds(ROUNDS), seed());
    println!("crashes: {rounds} rounds, ETUDE_SEED={seed}");
    let started = Instant::now();
    let folder = tempfile::tempdir().expect("a temporary folder");
    let sink = Sink::open(Duration::from_millis(2 * LEASE_MS));
    let place = Place {
        database: Some(cluster.url.clone()),
        sink: Some(sink.url.clone()),
        ..Place::new(folder.path())
    };
    let instances: Vec<String> = (0..INSTANCES).map(|number| format!("ledger-{number}")).collect();
    let mut chance = Chance::new(seed);

    let mut servers = [place.start(), place.start()];
    servers[0].open(&instances);
    let peers = |servers: &[Server; 2]| servers.iter().map(|server| server.peer.clone()).collect();
    let load = Load::start(&instances, peers(&servers), seed);
    for round in 1..=rounds {
        std::thread::sleep(chance.between_ms(50, 400));
        cluster.crash();
        std::thread::sleep(chance.between_ms(0, 200));
        cluster.restart();
        load.expect_progress(PATIENCE);
        if round % KILL_EVERY == 0 {
            std::thread::sleep(chance.between_ms(20, 150));
            let victim = chance.below(2) as usize;
            // The new server starts before the old one is gone, so the array is always full.
            std::mem::replace(&mut servers[victim], place.start()).kill();
            load.point_at(peers(&servers));
        }
        println!("crashes: round {round} after {:.0?}: {}", started.elapsed(), load.progress());
    }
    let acknowledged = load.finish();
    assert!(acknowledged.len() as u64 > rounds, "too little happened to prove anything");
    servers[0].drain();
    servers.into_iter().for_each(Server::stop);
    audit(&place, &instances, &acknowledged, &sink);
    println!("crashes: {rounds} in {:.0?}", started.elapsed());
}
