//! Ten thousand reviews are due at once, and the servers that open and announce them are killed at random moments.
//! Afterwards every review was opened once, every learner was told of each once, and no other schedule was touched.

use crate::breakable::Cluster;
use crate::common::PATIENCE;
use crate::durability::chance::Chance;
use crate::durability::classroom::{COURSES, Classroom, label, learner};
use crate::durability::mailbox::Mailbox;
use crate::durability::server::{Place, Server};
use crate::durability::{rounds, seed};
use std::collections::BTreeSet;
use std::time::{Duration, Instant};

const KILLS: u64 = 12;
/// Longer than it takes to send the mails that a server claims at once.
const LEASE_MS: u64 = 2_000;

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn ten_thousand_due_reviews_survive_kills_on_sqlite() {
    for seed in seeds() {
        let folder = tempfile::tempdir().expect("a temporary folder");
        check(Place { lease_ms: LEASE_MS, ..Place::new(folder.path()) }, 1, seed).await;
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn ten_thousand_due_reviews_survive_kills_of_two_nodes_with_postgres() {
    for seed in seeds() {
        let Some(cluster) = Cluster::start() else { return };
        let folder = tempfile::tempdir().expect("a temporary folder");
        let database = Some(cluster.url.clone());
        check(Place { database, lease_ms: LEASE_MS, ..Place::new(folder.path()) }, 2, seed).await;
    }
}

/// Returns one seed for each round. `ETUDE_SOAK=0` is one round without kills, which shows how long the work itself
/// takes.
fn seeds() -> std::ops::Range<u64> {
    seed()..seed() + rounds(1).max(1)
}

async fn check(place: Place, nodes: usize, seed: u64) {
    let kills = rounds(KILLS).min(KILLS);
    let mut chance = Chance::new(seed);
    let mailbox = Mailbox::open();
    write_settings(&place, &mailbox);
    let started = Instant::now();
    let classroom = Classroom::fill(&place).await;
    println!(
        "reviews: {COURSES} are due, made in {:.1?}; {kills} kills, ETUDE_SEED={seed}",
        started.elapsed()
    );

    let started = Instant::now();
    let mut servers: Vec<Server> = (0..nodes).map(|_| place.start()).collect();
    let mut while_opening = 0;
    for kill in 1..=kills {
        wait_for_mail(&mailbox).await;
        tokio::time::sleep(chance.between_ms(0, 600)).await;
        let victim = chance.below(nodes as u64) as usize;
        servers.remove(victim).kill();
        let (has_due, pending) = (classroom.has_due().await, classroom.pending().await);
        while_opening += u64::from(has_due);
        println!(
            "reviews: kill {kill} after {:.1?}: {} told, {pending} to tell{}",
            started.elapsed(),
            mailbox.count(),
            if has_due { ", others are due" } else { "" }
        );
        servers.push(place.start());
    }
    wait_until_done(&classroom, &mailbox).await;
    println!("reviews: opened and told after {:.1?}; {while_opening} kills while opening", started.elapsed());
    servers.into_iter().for_each(Server::stop);
    assert!(while_opening >= kills / 2, "too few kills struck while reviews were opened");
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

/// Waits until the servers send mail again, or have sent it all.
async fn wait_for_mail(mailbox: &Mailbox) {
    let (before, deadline) = (mailbox.count(), Instant::now() + PATIENCE);
    while mailbox.count() == before && before < COURSES {
        assert!(Instant::now() < deadline, "no mail comes after {before}");
        tokio::time::sleep(Duration::from_millis(5)).await;
    }
}

async fn wait_until_done(classroom: &Classroom, mailbox: &Mailbox) {
    let (mut told, mut deadline) = (0, Instant::now() + PATIENCE);
    loop {
        let (has_due, pending) = (classroom.has_due().await, classroom.pending().await);
        if !has_due && pending == 0 {
            return;
        }
        if mailbox.count() != told {
            (told, deadline) = (mailbox.count(), Instant::now() + PATIENCE);
        }
        assert!(Instant::now() < deadline, "nothing moves after {told} mails; {pending} are unsent");
        tokio::time::sleep(Duration::from_millis(100)).await;
    }
}

async fn audit(classroom: &Classroom, mailbox: &Mailbox) {
    let opened = classroom.opened().await;
    let courses: BTreeSet<usize> = opened.iter().copied().collect();
    assert_eq!((opened.len(), courses.len()), (COURSES, COURSES), "one sitting for every course");
    classroom.check_schedules().await;
    let expected: BTreeSet<(String, String)> =
        (0..COURSES).map(|nth| (format!("{}@example.org", learner(nth)), label(nth))).collect();
    let mails = mailbox.mails();
    let heading =
        |text: &str| text.lines().find(|line| line.starts_with("concept-")).unwrap_or_default().to_owned();
    let told: BTreeSet<(String, String)> =
        mails.values().map(|mail| (mail.to.clone(), heading(&mail.text))).collect();
    assert!(told == expected, "every learner is told of every course of theirs");
    assert_eq!(mails.len(), COURSES, "and of each once");
    let deliveries: u64 = mails.values().map(|mail| mail.times).sum();
    println!("the books balance: {COURSES} reviews, {COURSES} mails in {deliveries} deliveries");
}
