//! Carries news between nodes. NOTIFY inside a turn's transaction would make all commits queue for one lock, so a
//! connection of its own sends it afterwards, many changes in one message, and another one listens.

use std::pin::pin;
use std::sync::Arc;
use std::time::Duration;

use futures_util::{StreamExt, stream};
use tokio::sync::{Notify, mpsc};
use tokio::task::JoinSet;
use tokio::time::{sleep, timeout};
use tokio_postgres::{AsyncMessage, Client, Connection, Socket};

use super::address::Address;
use super::link::Link;
use super::tls::Encrypted;
use crate::feed::Feed;
use crate::statement::Statement;
use crate::{Change, StoreError};

const LISTEN: &str = "LISTEN etude_changes";
const NOTIFY: &str = "SELECT CAST(pg_notify('etude_changes', $1) AS TEXT)";
/// The most bytes of a message. The server refuses messages of 8000 bytes.
const MAX_MESSAGE_BYTES: usize = 7900;
/// The time within which changes share a message.
const GATHERING_TIME: Duration = Duration::from_millis(5);
/// The time that the server may take to answer the listening connection. It is asked every `ASK_EVERY`.
const LISTEN_TIMEOUT: Duration = Duration::from_secs(5);
const ASK_EVERY: Duration = Duration::from_secs(5);
const RECONNECT_PAUSE: Duration = Duration::from_millis(200);

/// Passes on this node's commits until the queue ends. News that cannot be sent is dropped: it only wakes others,
/// who then read the database.
pub(super) async fn tell(link: Link, node: i64, mut queue: mpsc::Receiver<Change>) {
    while let Some(first) = queue.recv().await {
        let mut message = format!("{node}");
        append(&mut message, &first);
        while message.len() < MAX_MESSAGE_BYTES
            && let Ok(change) = queue.try_recv()
        {
            if !append(&mut message, &change) {
                send(&link, std::mem::replace(&mut message, format!("{node}"))).await;
                append(&mut message, &change);
            }
        }
        send(&link, message).await;
        if !queue.is_closed() {
            sleep(GATHERING_TIME).await;
        }
    }
}

/// Listens to other nodes until the returned handle is dropped, reconnecting as often as it takes. Returns once it
/// listens.
pub(super) async fn listen(address: Address, node: i64, feed: Feed) -> Result<JoinSet<()>, StoreError> {
    let ready = Arc::new(Notify::new());
    let mut task = JoinSet::new();
    task.spawn({
        let ready = ready.clone();
        async move {
            loop {
                let Err(error) = listen_once(&address, node, &feed, &ready).await;
                tracing::debug!(%error, "lost the connection that listens to other nodes");
                sleep(RECONNECT_PAUSE).await;
                feed.tell_gap();
            }
        }
    });
    let heard = timeout(LISTEN_TIMEOUT, ready.notified()).await;
    heard.map_err(|_| StoreError::Unavailable("it did not accept LISTEN in time".into()))?;
    Ok(task)
}

async fn send(link: &Link, message: String) {
    if let Err(error) = link.run(&Statement::new(NOTIFY, [message.into()])).await {
        tracing::debug!(%error, "other nodes were not told of a change");
    }
}

/// Adds a line, unless it would make the message too long.
fn append(message: &mut String, change: &Change) -> bool {
    let line = format!("\n{} {}", change.version, change.instance);
    let fits = message.len() + line.len() <= MAX_MESSAGE_BYTES;
    if fits {
        message.push_str(&line);
    }
    fits
}

async fn listen_once(
    address: &Address,
    node: i64,
    feed: &Feed,
    ready: &Notify,
) -> Result<std::convert::Infallible, StoreError> {
    let (client, connection) = address.connect().await?;
    let subscribe = async {
        client.batch_execute(LISTEN).await?;
        ready.notify_one();
        stay_awake(&client).await
    };
    let (ended, _) = tokio::try_join!(pass_on(connection, node, feed), subscribe)?;
    Ok(ended)
}

/// Asks the server now and then. A connection that only listens would never notice that the other end has fallen
/// silent.
async fn stay_awake(client: &Client) -> Result<std::convert::Infallible, StoreError> {
    loop {
        sleep(ASK_EVERY).await;
        let silent = |_| StoreError::Unavailable("the listening connection is silent".into());
        timeout(LISTEN_TIMEOUT, client.batch_execute("")).await.map_err(silent)??;
    }
}

/// Drives the connection and passes on the changes of other nodes, until the connection ends.
async fn pass_on(
    mut connection: Connection<Socket, Encrypted>,
    node: i64,
    feed: &Feed,
) -> Result<std::convert::Infallible, StoreError> {
    let mut messages = pin!(stream::poll_fn(|context| connection.poll_message(context)));
    while let Some(message) = messages.next().await {
        if let AsyncMessage::Notification(news) = message? {
            for change in read_message(news.payload(), node) {
                feed.tell(change);
            }
        }
    }
    Err(StoreError::Unavailable("the listening connection ended".into()))
}

/// Returns the changes in a message; none if this node sent it.
fn read_message(message: &str, node: i64) -> impl Iterator<Item = Change> {
    let (sender, lines) = message.split_once('\n').unwrap_or((message, ""));
    let own = sender.parse() == Ok(node);
    lines.lines().filter(move |_| !own).filter_map(|line| {
        let (version, instance) = line.split_once(' ')?;
        Some(Change { version: version.parse().ok()?, instance: instance.to_owned() })
    })
}
