//! Many writers on one ledger at the same moment: no update is lost, and every refused writer is told why.

use crate::breakable::Cluster;
use crate::durability::audit::check_ledger;
use crate::durability::http::Peer;
use crate::durability::load::expect_honest;
use crate::durability::server::Place;
use serde_json::json;
use std::collections::BTreeSet;
use std::sync::Barrier;

const WRITERS: usize = 64;
const TURNS: usize = 10;
const LEDGER: &str = "shared";

#[test]
fn many_writers_on_sqlite() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    check(&Place::new(folder.path()), 1);
}

#[test]
fn many_writers_on_two_nodes_with_postgres() {
    let Some(cluster) = Cluster::start() else { return };
    let folder = tempfile::tempdir().expect("a temporary folder");
    let place = Place { database: Some(cluster.url.clone()), ..Place::new(folder.path()) };
    check(&place, 2);
}

fn check(place: &Place, nodes: usize) {
    let servers: Vec<_> = (0..nodes).map(|_| place.start()).collect();
    servers[0].open(&[LEDGER.to_owned()]);
    let start = Barrier::new(WRITERS);
    let taken: Vec<String> = std::thread::scope(|scope| {
        let writer = |number: usize| {
            let (start, peer) = (&start, &servers[number % nodes].peer);
            scope.spawn(move || {
                start.wait();
                write(peer, number)
            })
        };
        let writers: Vec<_> = (0..WRITERS).map(writer).collect();
        writers.into_iter().flat_map(|writer| writer.join().expect("a writer found a defect")).collect()
    });
    for server in servers {
        server.stop();
    }
    println!("writers: {} of {} turns were taken, the others refused", taken.len(), WRITERS * TURNS);
    assert!(taken.len() >= TURNS, "one of the writers wins every time");
    let booked: Vec<String> = check_ledger(place, LEDGER).into_iter().filter_map(|entry| entry.key).collect();
    assert_eq!(booked.len(), taken.len(), "as many turns are booked as were acknowledged");
    assert_eq!(BTreeSet::from_iter(booked), BTreeSet::from_iter(taken), "and they are the same");
}

/// Takes turns without looking at the ledger's version first. Returns the marks of the acknowledged turns.
fn write(peer: &Peer, number: usize) -> Vec<String> {
    let path = format!("/api/instances/{LEDGER}/events");
    let mut taken = Vec::new();
    for turn in 0..TURNS {
        let mark = format!("{number}-{turn}");
        let answer = peer.post(&path, None, &json!({"event": "deposit", "payload": {"key": mark}}));
        let answer = answer.expect("every writer gets an answer");
        match answer.status {
            200 => taken.push(mark),
            _ => expect_honest(&answer),
        }
    }
    taken
}
