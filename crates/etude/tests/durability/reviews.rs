//! Ten thousand reviews are due at once, and the servers that open them and send word of them are killed at random
//! moments. Afterwards every one was opened once, every learner was told once of each, and no other schedule was touched.

use crate::chance::Chance;
use crate::classroom::{COURSES, Classroom, label, learner};
use crate::cluster::Cluster;
use crate::mailbox::Mailbox;
use crate::server::{Place, Server};
use crate::{rounds, seed};
use std::collections::{BTreeMap, BTreeSet};
use std::time::{Duration, Instant};

const KILLS: u64 = 12;
/// Longer than the mails that a server claims at once take to be sent.
const LEASE_MS: u64 = 2_000;
const DONE_WITHIN: Duration = Duration::from_secs(120);

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn ten_thousand_due_reviews_survive_kills_on_sqlite() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    check(Place { lease_ms: LEASE_MS, ..Place::new(folder.path()) }, 1).await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn ten_thousand_due_reviews_survive_kills_of_two_nodes_with_postgres() {
    let Some(cluster) = Cluster::start() else { return };
    let folder = tempfile::tempdir().expect("a temporary folder");
    let database = Some(cluster.url.clone());
    check(Place { database, lease_ms: LEASE_MS, ..Place::new(folder.path()) }, 2).await;
}

async fn check(place: Place, nodes: usize) {
    let (kills, seed) = (rounds(KILLS), seed());
    let mut chance = Chance::new(seed);
    let mailbox = Mailbox::open();
    write_settings(&place, &mailbox);
    let started = Instant::now();
    let classroom = Classroom::fill(&place).await;
    println!("reviews: {COURSES} are due, seeded in {:.1?}; {kills} kills, ETUDE_SEED={seed}", started.elapsed());

    let started = Instant::now();
    let mut servers: Vec<Server> = (0..nodes).map(|_| place.start()).collect();
    let (mut while_opening, mut while_sending) = (0, 0);
    for kill in 0..kills {
        tokio::time::sleep(chance.between_ms(100, 1_500)).await;
        let victim = (kill as usize) % nodes;
        servers.remove(victim).kill();
        let (due, pending) = (classroom.due().await, classroom.pending().await);
        (while_opening, while_sending) = (while_opening + u64::from(due > 0), while_sending + u64::from(pending > 0));
        println!("reviews: kill {kill} after {:.1?}: {due} due, {pending} to send", started.elapsed());
        servers.insert(victim, place.start());
    }
    wait_until_done(&classroom, started).await;
    println!(
        "reviews: all opened and sent after {:.1?}; {while_opening} kills while opening, {while_sending} while sending",
        started.elapsed()
    );
    servers.into_iter().for_each(Server::stop);
    audit(&classroom, &mailbox).await;
    assert_eq!(place.ask(&["dead"]), serde_json::Value::Array(Vec::new()), "messages were given up");
}

fn write_settings(place: &Place, mailbox: &Mailbox) {
    let port = mailbox.port;
    let settings = format!(
        "[mail]\nhost = \"127.0.0.1\"\nport = {port}\nsecurity = \"none\"\nfrom = \"Etude <etude@example.org>\"\n\
         concurrent_mails = 64\n"
    );
    std::fs::write(place.data.join("config.toml"), settings).expect("settings");
}

async fn wait_until_done(classroom: &Classroom, started: Instant) {
    loop {
        let (due, pending) = (classroom.due().await, classroom.pending().await);
        if due == 0 && pending == 0 {
            return;
        }
        assert!(started.elapsed() < DONE_WITHIN, "{due} reviews stay due, {pending} messages unsent");
        println!("{:.1?}: {due} {pending}", started.elapsed());
        tokio::time::sleep(Duration::from_millis(500)).await;
    }
}

async fn audit(classroom: &Classroom, mailbox: &Mailbox) {
    let opened = classroom.opened().await;
    let courses: BTreeSet<usize> = opened.iter().map(|review| review.nth).collect();
    assert_eq!((opened.len(), courses.len()), (COURSES, COURSES), "one sitting for every course");
    classroom.check_schedules().await;
    let mails = mailbox.mails();
    let mut told: BTreeMap<&str, BTreeSet<usize>> = BTreeMap::new();
    for review in &opened {
        assert_eq!(review.learner, learner(review.nth), "{review:?}");
    }
    println!("{:?}", mails.values().next());
    let _ = (&mut told, label(0));
    let times: u64 = mails.values().map(|mail| mail.times).sum();
    println!("reviews: {} mails in {times} deliveries", mails.len());
}
