//! Tests of a failing environment: full disks, foreign locks, crashes, lost connections.

use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::Ordering::Relaxed;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::time::{Duration, Instant};

use crate::breakable::{Cluster, SmallDisk};
use crate::common::{NOW, PATIENCE, birth, born, instance, turn};
use store::{CommitError, Instance, Store, StoreError};
use tempfile::TempDir;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::{TcpListener, TcpStream};

fn folder() -> TempDir {
    tempfile::tempdir().expect("a temporary folder")
}

async fn open(path: &Path) -> Store {
    Store::open(&format!("sqlite:{}", path.display())).await.expect("the store opens")
}

/// A turn large enough to fill a small disk quickly.
fn heavy(id: &str) -> store::Commit {
    let mut commit = birth(instance(id));
    commit.instance.data = "x".repeat(20_000);
    commit
}

/// Commits in waves of eight until the disk is full. Returns the commits that succeeded.
async fn fill(store: &Store) -> Vec<String> {
    let mut kept = Vec::new();
    for wave in 0..200 {
        let ids: Vec<String> = (0..8).map(|number| format!("{wave}-{number}")).collect();
        let outcomes = futures_util::future::join_all(ids.iter().map(|id| store.commit(heavy(id)))).await;
        let mut full = false;
        for (id, outcome) in ids.into_iter().zip(outcomes) {
            match outcome {
                Ok(()) => kept.push(id),
                Err(CommitError::Store(StoreError::Full(_))) => full = true,
                Err(other) => panic!("not full, but: {other}"),
            }
        }
        if full {
            return kept;
        }
    }
    panic!("the disk never filled")
}

async fn all_there(store: &Store, ids: &[String]) {
    let counts = store.counts(NOW).await.expect("it counts");
    assert_eq!(counts.instances_open, ids.len() as u64, "what was refused left nothing");
    for id in ids {
        assert!(store.load(id).await.expect("it loads").is_some(), "{id} was promised");
    }
}

#[tokio::test]
async fn a_file_at_its_limit_is_full_and_works_on() {
    let folder = folder();
    let path = folder.path().join("small.db");
    let limited = format!("sqlite:{}?max_pages=200", path.display());
    let store = Store::open(&limited).await.expect("the store opens");
    let kept = fill(&store).await;
    all_there(&store, &kept).await;
    store.close().await;

    let store = open(&path).await;
    store.commit(heavy("more")).await.expect("without the limit there is room");
}

/// On a real disk, COMMIT itself fails. Needs root to mount a disk.
#[tokio::test]
async fn a_full_disk_fails_the_batch_and_works_on() {
    let Some(disk) = SmallDisk::mount("1m") else { return };
    let ballast = disk.path().join("ballast");
    std::fs::write(&ballast, vec![0; 300_000]).expect("there is room for ballast");
    let store = open(&disk.path().join("small.db")).await;
    let mut kept = fill(&store).await;
    all_there(&store, &kept).await;

    std::fs::remove_file(ballast).expect("the ballast goes");
    store.commit(heavy("more")).await.expect("with room it works again, on the same store");
    kept.push("more".into());
    all_there(&store, &kept).await;
    store.close().await;
}

/// The files as a power cut would leave them: copied while the store is open, before it has tidied up.
#[tokio::test]
async fn a_crash_loses_no_acknowledged_commit() {
    let (folder, wreck) = (folder(), folder());
    let store = open(&folder.path().join("live.db")).await;
    for number in 0..20 {
        born(&store, &number.to_string()).await;
    }
    for file in ["live.db", "live.db-wal"] {
        std::fs::copy(folder.path().join(file), wreck.path().join(file)).expect("the file is there");
    }
    let ids: Vec<String> = (0..20).map(|number| number.to_string()).collect();
    all_there(&open(&wreck.path().join("live.db")).await, &ids).await;
}

#[tokio::test]
async fn the_store_waits_for_a_second_process() {
    let folder = folder();
    let path = folder.path().join("shared.db");
    let store = open(&path).await;
    let other = rusqlite::Connection::open(&path).expect("it opens");
    other.execute_batch("BEGIN IMMEDIATE").expect("it locks");
    let is_released = Arc::new(AtomicBool::new(false));
    let told = is_released.clone();
    let release = std::thread::spawn(move || {
        std::thread::sleep(Duration::from_millis(300));
        told.store(true, Ordering::SeqCst);
        other.execute_batch("COMMIT").expect("it unlocks");
    });
    born(&store, "a").await;
    assert!(is_released.load(Ordering::SeqCst), "the lock was real");
    release.join().expect("the other process ends");
}

/// A process that only reads, such as `etude list`, has nothing to upgrade and does not wait for a writer.
#[tokio::test]
async fn a_file_is_opened_during_a_write() {
    let folder = folder();
    let path = folder.path().join("shared.db");
    open(&path).await.close().await;
    let other = rusqlite::Connection::open(&path).expect("it opens");
    other.execute_batch("BEGIN IMMEDIATE").expect("it locks");
    let store = open(&path).await;
    assert_eq!(store.load("a").await, Ok(None), "although the other never ends");
}

#[tokio::test]
async fn impossible_places_are_named() {
    let folder = folder();
    let not_a_database = folder.path().join("letter.txt");
    std::fs::write(&not_a_database, "Dear Ada,\n".repeat(1000)).expect("it is written");
    let places = [
        ("mysql://somewhere".to_owned(), "cannot understand the database address"),
        ("sqlite:".to_owned(), "cannot understand the database address"),
        ("sqlite:x.db?max_pages=many".to_owned(), "cannot understand the database address"),
        (format!("sqlite:{}/no/such/folder/x.db", folder.path().display()), "cannot be written"),
        (format!("sqlite:{}", not_a_database.display()), "Restore a backup"),
        ("postgres://nobody@127.0.0.1:1/x".to_owned(), "does not answer"),
    ];
    for (address, words) in places {
        let error = Store::open(&address).await.expect_err("it does not open").to_string();
        assert!(error.contains(words), "{address}: {error}");
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_crashed_server_comes_back() {
    let Some(cluster) = Cluster::start() else { return };
    let store = Store::open(&cluster.database().await).await.expect("the store opens");
    let first = born(&store, "a").await;
    cluster.crash();
    assert!(matches!(store.load("a").await, Err(StoreError::Unavailable(_))));
    let refused = store.commit(turn(&first)).await;
    assert!(matches!(refused, Err(CommitError::Store(StoreError::Unavailable(_)))), "{refused:?}");

    cluster.restart();
    let patience = Instant::now() + PATIENCE;
    while let Err(error) = store.commit(turn(&first)).await {
        assert!(matches!(error, CommitError::Store(StoreError::Unavailable(_))), "{error}");
        assert!(Instant::now() < patience, "it does not come back");
        tokio::time::sleep(Duration::from_millis(50)).await;
    }
    assert_eq!(standing(&store, &first).await, 2);
    store.close().await;
}

/// All callers wait together: callers in the queue for an unreachable server fail no later than the first.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn all_callers_fail_soon_without_a_server() {
    let Some(cluster) = Cluster::start() else { return };
    let store = Store::open(&cluster.database().await).await.expect("the store opens");
    let mut flows = Vec::new();
    for number in 0..256 {
        flows.push(born(&store, &number.to_string()).await);
    }
    cluster.crash();
    for outcome in turn_all(&store, &flows).await {
        assert!(matches!(outcome, Err(CommitError::Store(StoreError::Unavailable(_)))), "{outcome:?}");
    }
}

/// The server ends statements that take longer than a turn may. An upgrade may take longer, and so may waiting for
/// one.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn an_upgrade_may_outlast_a_turn() {
    let Some(cluster) = Cluster::start() else { return };
    let address = cluster.database().await;
    let impatient = format!("{address}%20-c%20statement_timeout%3D400ms");
    let upgrade = Upgrade::begin(&address).await;
    let (store, ()) = tokio::join!(Store::open(&impatient), upgrade.end_after(Duration::from_millis(1_500)));
    store.expect("it waits for the other node").close().await;

    let upgrade = Upgrade::begin(&address).await;
    // The other node's upgrade still runs, so opening the store did not wait for it.
    Store::open(&impatient).await.expect("there is nothing to upgrade").close().await;
    upgrade.end_after(Duration::ZERO).await;
}

/// An upgrade changes the tables that turns write to. Turns wait for it and, if it takes too long, are refused
/// together.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn turns_wait_for_an_upgrade() {
    let Some(cluster) = Cluster::start() else { return };
    let address = cluster.database().await;
    for (settings, is_patient) in [("", true), ("%20-c%20statement_timeout%3D400ms", false)] {
        let store = Store::open(&format!("{address}{settings}")).await.expect("the store opens");
        let mut flows = Vec::new();
        // Handled one after another, they would take longer than a test waits.
        for number in 0..500 {
            flows.push(born(&store, &format!("{is_patient}-{number}")).await);
        }
        let upgrade = Upgrade::begin(&address).await;
        let outcomes = if is_patient {
            let end = upgrade.end_after(Duration::from_millis(500));
            tokio::join!(turn_all(&store, &flows), end).0
        } else {
            let outcomes = turn_all(&store, &flows).await;
            upgrade.end_after(Duration::ZERO).await;
            outcomes
        };
        for (flow, outcome) in flows.iter().zip(outcomes) {
            let found = store.load(&flow.id).await.expect("a read").expect("it is there").version;
            match outcome {
                Ok(()) => assert!(is_patient && found == 2, "{found}"),
                Err(CommitError::Store(StoreError::Unavailable(_))) => assert!(!is_patient && found == 1),
                other => panic!("{other:?}"),
            }
        }
        store.close().await;
    }
}

/// Commits a turn of every flow at once, and panics if they wait one after another.
async fn turn_all(store: &Store, flows: &[Instance]) -> Vec<Result<(), CommitError>> {
    let turns = futures_util::future::join_all(flows.iter().map(|at| store.commit(turn(at))));
    tokio::time::timeout(PATIENCE, turns).await.expect("they do not wait one after the other")
}

/// Another node's upgrade, which lasts until the test ends it.
struct Upgrade(tokio_postgres::Client);

impl Upgrade {
    async fn begin(address: &str) -> Upgrade {
        let (client, connection) =
            tokio_postgres::connect(address, tokio_postgres::NoTls).await.expect("it connects");
        tokio::spawn(connection);
        let lock = "BEGIN; SELECT pg_advisory_xact_lock(hashtext('etude migration'))";
        client.batch_execute(lock).await.expect("it locks");
        Upgrade(client)
    }

    async fn end_after(self, pause: Duration) {
        tokio::time::sleep(pause).await;
        self.0.batch_execute("COMMIT").await.expect("it unlocks");
    }
}

/// The worst case: the connection dies after COMMIT was sent and before its answer came back.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_commit_without_an_answer_is_resolved() {
    let Some(cluster) = Cluster::start() else { return };
    for arrives in [true, false] {
        let (address, cable) = Cable::lay(&cluster.database().await, arrives).await;
        let store = Store::open(&address).await.expect("the store opens");
        let mut learners = Vec::new();
        for number in 0..20 {
            learners.push(born(&store, &number.to_string()).await);
        }
        cable.cut_next_commit();
        let outcomes = futures_util::future::join_all(learners.iter().map(|at| store.commit(turn(at)))).await;
        assert!(cable.was_cut(), "the test tested something");
        assert_eq!(outcomes, vec![Ok(()); 20], "arrives: {arrives}");
        for at in learners {
            assert_eq!(store.log(&at.id, 0, 10).await.map(|log| log.len()), Ok(2), "arrives: {arrives}");
        }
    }
}

/// A cable to the server that can be cut while it carries a COMMIT.
struct Cable(Arc<AtomicBool>);

impl Cable {
    /// Lays a cable and returns the address at its near end. `arrives` tells whether the COMMIT still gets through.
    async fn lay(address: &str, arrives: bool) -> (String, Self) {
        let rest = address.strip_prefix("postgres://etude@").expect("the cluster's user");
        let (far, database) =
            rest.split_once('/').map(|(far, name)| (far.to_owned(), name)).expect("a database");
        let near = TcpListener::bind("127.0.0.1:0").await.expect("a free port");
        let port = near.local_addr().expect("it has a port").port();
        let armed = Arc::new(AtomicBool::new(false));
        let switch = armed.clone();
        tokio::spawn(async move {
            while let Ok((client, _)) = near.accept().await {
                tokio::spawn(carry(client, far.clone(), switch.clone(), arrives));
            }
        });
        (format!("postgres://etude@127.0.0.1:{port}/{database}"), Self(armed))
    }

    fn cut_next_commit(&self) {
        self.0.store(true, Ordering::SeqCst);
    }

    fn was_cut(&self) -> bool {
        !self.0.load(Ordering::SeqCst)
    }
}

/// Carries bytes both ways until either end hangs up or the cut comes.
async fn carry(client: TcpStream, far: String, armed: Arc<AtomicBool>, arrives: bool) {
    let server = TcpStream::connect(far).await.expect("the server is there");
    let (mut from_client, mut to_client) = client.into_split();
    let (mut from_server, mut to_server) = server.into_split();
    let answers = tokio::spawn(async move { tokio::io::copy(&mut from_server, &mut to_client).await });
    let mut bytes = vec![0; 65536];
    while let Ok(length) = from_client.read(&mut bytes).await
        && length > 0
    {
        let commits = bytes[..length].windows(6).any(|word| word == b"COMMIT");
        let cut = commits && armed.swap(false, Ordering::SeqCst);
        if cut {
            answers.abort();
        }
        if (!cut || arrives) && to_server.write_all(&bytes[..length]).await.is_err() {
            break;
        }
        if cut {
            tokio::time::sleep(Duration::from_millis(50)).await;
            break;
        }
    }
    answers.abort();
}

/// Connections are cut in the middle of everything. Every instance has one writer, so a writer that is told of a
/// conflict was misled: its own commit had arrived.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_lost_connection_never_lies_about_a_commit() {
    let Some(cluster) = Cluster::start() else { return };
    let store = Store::open(&cluster.database().await).await.expect("the store opens");
    let (begun, turns, is_over) =
        (Instant::now(), Arc::new(AtomicU64::new(0)), Arc::new(AtomicBool::new(false)));
    let mut writers = Vec::new();
    for number in 0..16 {
        let first = born(&store, &number.to_string()).await;
        writers.push(tokio::spawn(write_until(store.clone(), first, turns.clone(), is_over.clone())));
    }
    let mut cuts = 0;
    while turns.load(Relaxed) < 100 || cuts < 100 {
        assert!(begun.elapsed() < PATIENCE, "only {turns:?} turns got through");
        cuts += 1;
        tokio::time::sleep(Duration::from_millis(15)).await;
        let cut = "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name = 'etude'";
        cluster.execute(cut).await;
    }
    is_over.store(true, Relaxed);
    for writer in writers {
        writer.await.expect("no writer was lied to");
    }
}

/// Takes turns, counts those that succeed, and after an error looks up the instance's version.
async fn write_until(store: Store, first: Instance, turns: Arc<AtomicU64>, is_over: Arc<AtomicBool>) {
    let mut at = first;
    while !is_over.load(Relaxed) {
        match store.commit(turn(&at)).await {
            Ok(()) => {
                at.version += 1;
                turns.fetch_add(1, Relaxed);
            }
            Err(CommitError::Store(StoreError::Unavailable(_))) => {
                assert_eq!(standing(&store, &at).await, at.version)
            }
            Err(CommitError::Store(StoreError::InDoubt(_))) => at.version = standing(&store, &at).await,
            Err(other) => panic!("{}: {other}", at.id),
        }
    }
    assert_eq!(logged(&store, &at).await, at.version, "one entry for every version");
}

/// The last cut may come during this read.
async fn logged(store: &Store, at: &Instance) -> u64 {
    loop {
        if let Ok(log) = store.log(&at.id, 0, store::MAX_LIMIT).await {
            return log.len() as u64;
        }
        tokio::time::sleep(Duration::from_millis(20)).await;
    }
}

async fn standing(store: &Store, at: &Instance) -> u64 {
    loop {
        if let Ok(found) = store.load(&at.id).await {
            return found.expect("it exists").version;
        }
        tokio::time::sleep(Duration::from_millis(20)).await;
    }
}
