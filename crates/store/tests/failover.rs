//! Tests of PostgreSQL on several hosts, behind a network that goes silent, and behind encryption.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use crate::breakable::Cluster;
use crate::common::{PATIENCE, born, turn};
use store::{CommitError, Instance, Store, StoreError};
use tokio::net::{TcpListener, TcpStream};

/// Returns the host and port of a cluster.
fn place(cluster: &Cluster) -> &str {
    let rest = cluster.url.strip_prefix("postgres://etude@").expect("the cluster's user");
    rest.split_once('/').expect("a database").0
}

async fn row(cluster: &Cluster, question: &str) -> String {
    let connected = tokio_postgres::connect(&cluster.url, tokio_postgres::NoTls).await;
    let (client, connection) = connected.expect("it connects");
    tokio::spawn(connection);
    let rows = client.query(question, &[]).await.expect("it answers");
    rows.first().map(|row| row.get(0)).unwrap_or_default()
}

/// Takes turns until told to stop. Returns the last version that was acknowledged.
async fn take_turns(store: Store, mut at: Instance, stop: Arc<AtomicBool>) -> u64 {
    let mut promised = at.version;
    while !stop.load(Ordering::Relaxed) {
        match store.commit(turn(&at)).await {
            Ok(()) => {
                at.version += 1;
                promised = at.version;
            }
            // The commit may or may not have arrived.
            Err(CommitError::Store(_)) => {
                tokio::time::sleep(Duration::from_millis(20)).await;
                if let Ok(Some(found)) = store.load(&at.id).await {
                    at = found;
                }
            }
            Err(CommitError::Conflict { .. }) => {
                at = store.load(&at.id).await.expect("a read").expect("it is there");
            }
            Err(other) => panic!("{other}"),
        }
    }
    promised
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_standby_takes_over_and_nothing_is_lost() {
    let Some(primary) = Cluster::start() else { return };
    let Some(standby) = primary.standby() else { return };
    primary.execute("ALTER SYSTEM SET synchronous_standby_names = 'standby'").await;
    primary.execute("SELECT pg_reload_conf()").await;
    let started = Instant::now();
    while row(&primary, "SELECT sync_state FROM pg_stat_replication").await != "sync" {
        assert!(started.elapsed() < PATIENCE, "the standby follows");
        tokio::time::sleep(Duration::from_millis(50)).await;
    }
    let both = format!("postgres://etude@{},{}/postgres", place(&primary), place(&standby));
    let nodes = [Store::open(&both).await.expect("it opens"), Store::open(&both).await.expect("it opens")];
    let stop = Arc::new(AtomicBool::new(false));
    let mut writers = Vec::new();
    for number in 0..6 {
        let store = nodes[number % 2].clone();
        let first = born(&store, &format!("flow-{number}")).await;
        writers.push((first.id.clone(), tokio::spawn(take_turns(store, first, stop.clone()))));
    }
    tokio::time::sleep(Duration::from_millis(500)).await;
    primary.crash();
    standby.promote();
    // All writers go on without help.
    let mut before = Vec::new();
    for (id, _) in &writers {
        before.push(version(&nodes[0], id).await);
    }
    for ((id, _), before) in writers.iter().zip(before) {
        let started = Instant::now();
        while version(&nodes[1], id).await <= before {
            assert!(started.elapsed() < PATIENCE, "{id} goes on");
            tokio::time::sleep(Duration::from_millis(20)).await;
        }
    }
    stop.store(true, Ordering::Relaxed);
    for (id, writer) in writers {
        let promised = writer.await.expect("the writer ends");
        let found = version(&nodes[0], &id).await;
        assert!(found >= promised, "{id}: {promised} was promised, {found} is there");
        let log = nodes[0].log(&id, 0, 10_000).await.expect("a read");
        assert_eq!(log.len() as u64, found, "{id}");
    }
}

/// Returns a flow's version, asking until there is an answer.
async fn version(store: &Store, id: &str) -> u64 {
    let started = Instant::now();
    loop {
        if let Ok(Some(found)) = store.load(id).await {
            return found.version;
        }
        assert!(started.elapsed() < PATIENCE, "{id} can be read");
        tokio::time::sleep(Duration::from_millis(50)).await;
    }
}

/// The server accepts connections and says nothing, on old ones and on new ones. Later it speaks again, but only on
/// new ones.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_silent_server_is_abandoned_and_found_again() {
    let Some(cluster) = Cluster::start() else { return };
    let far = place(&cluster).to_owned();
    let near = TcpListener::bind("127.0.0.1:0").await.expect("a free port");
    let address = format!("postgres://etude@{}/postgres", near.local_addr().expect("an address"));
    let is_silent = Arc::new(AtomicBool::new(false));
    let silence = is_silent.clone();
    tokio::spawn(async move {
        while let Ok((client, _)) = near.accept().await {
            tokio::spawn(carry(client, far.clone(), silence.clone()));
        }
    });
    let store = Store::open(&address).await.expect("the store opens");
    let mut at = born(&store, "flow").await;
    is_silent.store(true, Ordering::SeqCst);
    let refused = store.commit(turn(&at)).await;
    let is_away =
        matches!(refused, Err(CommitError::Store(StoreError::Unavailable(_) | StoreError::InDoubt(_))));
    assert!(is_away, "{refused:?}");
    is_silent.store(false, Ordering::SeqCst);
    at.version = version(&store, "flow").await;
    let started = Instant::now();
    while let Err(error) = store.commit(turn(&at)).await {
        assert!(started.elapsed() < PATIENCE, "it comes back: {error}");
        tokio::time::sleep(Duration::from_millis(50)).await;
    }
}

/// Carries bytes both ways. Bytes that arrive while the server is silent are lost, and their connection never
/// speaks again.
async fn carry(client: TcpStream, far: String, is_silent: Arc<AtomicBool>) {
    let server = TcpStream::connect(far).await.expect("the server is there");
    let (mut from_client, mut to_client) = client.into_split();
    let (mut from_server, mut to_server) = server.into_split();
    let pass = async |from: &mut tokio::net::tcp::OwnedReadHalf, to: &mut tokio::net::tcp::OwnedWriteHalf| {
        use tokio::io::{AsyncReadExt, AsyncWriteExt};
        let mut bytes = vec![0; 65536];
        while let Ok(length) = from.read(&mut bytes).await
            && length > 0
        {
            if is_silent.load(Ordering::SeqCst) {
                std::future::pending::<()>().await;
            }
            if to.write_all(&bytes[..length]).await.is_err() {
                break;
            }
        }
    };
    tokio::select! {
        () = pass(&mut from_client, &mut to_server) => {}
        () = pass(&mut from_server, &mut to_client) => {}
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_certificate_is_checked_as_the_address_demands() {
    let Some(cluster) = Cluster::start() else { return };
    let plain = format!("{}?sslmode=require", cluster.url);
    assert!(Store::open(&plain).await.is_err(), "it has no certificate yet");
    let Some(authority) = cluster.encrypt() else { return };
    let port = place(&cluster).rsplit_once(':').expect("a port").1;
    let own = format!("&sslrootcert={}", authority.replace('/', "%2F"));
    for (host, mode, roots, is_let_in) in [
        ("127.0.0.1", "disable", "", true),
        ("127.0.0.1", "prefer", "", true),
        ("127.0.0.1", "require", "", true),
        ("127.0.0.1", "require", own.as_str(), true),
        ("127.0.0.1", "verify-ca", own.as_str(), true),
        ("localhost", "verify-full", own.as_str(), true),
        // The certificate is for another name, or no known authority signed it.
        ("127.0.0.1", "verify-full", own.as_str(), false),
        ("localhost", "verify-full", "", false),
        ("127.0.0.1", "verify-ca", "", false),
        ("localhost", "verify-full", "&sslrootcert=%2Fnowhere", false),
        ("localhost", "verify-everything", "", false),
    ] {
        let address = format!("postgres://etude@{host}:{port}/postgres?sslmode={mode}{roots}");
        let opened = Store::open(&address).await;
        assert_eq!(opened.is_ok(), is_let_in, "{address}: {opened:?}");
        let Ok(store) = opened else { continue };
        let is_encrypted = row(&cluster, ENCRYPTED).await;
        assert_eq!(is_encrypted == "true", mode != "disable", "{address}: {is_encrypted}");
        store.close().await;
        drop(store);
        let started = Instant::now();
        while row(&cluster, CONNECTED).await != "false" {
            assert!(started.elapsed() < PATIENCE, "the connections end");
            tokio::time::sleep(Duration::from_millis(20)).await;
        }
    }
}

const ENCRYPTED: &str = "SELECT CAST(bool_and(ssl) AS TEXT) FROM pg_stat_ssl JOIN pg_stat_activity USING (pid) \
                         WHERE application_name = 'etude'";
const CONNECTED: &str =
    "SELECT CAST(EXISTS (SELECT 1 FROM pg_stat_activity WHERE application_name = 'etude') AS TEXT)";
