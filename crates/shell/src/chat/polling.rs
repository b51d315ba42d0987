//! Polls Telegram. A slow turn in one chat delays no other chat: polling goes on meanwhile, and unconfirmed updates
//! that arrive again are recognised.

use super::{Bot, OFFSET_KIND, take};
use crate::engine::app::App;
use crate::engine::failure::Failure;
use futures_util::stream::FuturesUnordered;
use futures_util::{FutureExt, StreamExt};
use outside::notify::{Telegram, Trouble, Update};
use std::collections::{BTreeMap, BTreeSet};
use std::panic::AssertUnwindSafe;
use std::sync::Arc;
use std::time::Duration;
use store::RecordChange;
use tokio::sync::watch;

const POLL_WAIT_S: u64 = 25;
/// The pause between polls while updates are being processed.
const ASK_AGAIN: Duration = Duration::from_millis(500);
pub(super) const FIRST_PAUSE: Duration = Duration::from_millis(500);
const LONGEST_PAUSE: Duration = Duration::from_secs(60);

/// Updates that Telegram has sent and still remembers. There are no more than one poll can return.
#[derive(Debug, Default)]
struct Brought {
    /// The updates by number, and whether each is finished.
    updates: BTreeMap<i64, bool>,
    /// The chats with an update in progress.
    busy: BTreeSet<i64>,
}

/// The outcome of updates from one chat.
struct Taken {
    chat: i64,
    updates: Vec<i64>,
    failed: Option<Failure>,
}

pub(super) async fn poll(app: &Arc<App>, bot: &Bot, telegram: &Telegram, mut stop: watch::Receiver<bool>) {
    let mut brought = Brought::default();
    let mut taking = FuturesUnordered::new();
    let mut pause = FIRST_PAUSE;
    while !*stop.borrow() {
        let wait_s = if taking.is_empty() { POLL_WAIT_S } else { 0 };
        let asked = tokio::select! {
            asked = next_updates(app, bot, telegram, wait_s) => asked,
            _ = stop.changed() => break,
        };
        let asked = asked.map(|updates| {
            let chats = brought.add(updates).into_iter();
            taking.extend(chats.map(|(chat, updates)| begin(app, chat, updates)));
        });
        let settled = settle_for(ASK_AGAIN, app, bot, &mut brought, &mut taking).await;
        let after_ms = match (asked, settled) {
            (Ok(()), Ok(())) => {
                pause = FIRST_PAUSE;
                continue;
            }
            (Err(Trouble::Retry { after_ms, .. }), _) => after_ms,
            _ => None,
        };
        if rested(&mut stop, &mut pause, after_ms).await {
            break;
        }
    }
    // Updates under way are finished; the others come again.
    while !taking.is_empty() {
        let _ = settle_for(ASK_AGAIN, app, bot, &mut brought, &mut taking).await;
    }
}

/// Records finished updates until none is in progress or the time is up. Fails if an update has to come again.
async fn settle_for(
    patience: Duration,
    app: &App,
    bot: &Bot,
    brought: &mut Brought,
    taking: &mut FuturesUnordered<impl Future<Output = Taken>>,
) -> Result<(), Failure> {
    let mut settled = Ok(());
    let over = tokio::time::sleep(patience);
    tokio::pin!(over);
    loop {
        tokio::select! {
            taken = taking.next() => match taken {
                Some(taken) => settled = settled.and(settle(app, bot, brought, taken).await),
                None => return settled,
            },
            _ = &mut over => return settled,
        }
    }
}

/// Waits, longer each time. Returns true when it is time to stop.
pub(super) async fn rested(
    stop: &mut watch::Receiver<bool>,
    pause: &mut Duration,
    after_ms: Option<u64>,
) -> bool {
    let wait = after_ms.map_or(*pause, Duration::from_millis).min(LONGEST_PAUSE);
    *pause = (*pause * 2).min(LONGEST_PAUSE);
    tokio::select! {
        _ = tokio::time::sleep(wait) => *stop.borrow(),
        _ = stop.changed() => true,
    }
}

async fn next_updates(
    app: &App,
    bot: &Bot,
    telegram: &Telegram,
    wait_s: u64,
) -> Result<Vec<Update>, Trouble> {
    let unknown = |error: store::StoreError| Trouble::Retry { after_ms: None, reason: error.to_string() };
    let record = app.store.record("", OFFSET_KIND, &bot.id).await.map_err(unknown)?;
    let offset = record.and_then(|record| serde_json::from_str(&record.body).ok());
    let asked = telegram.updates(offset, wait_s).await;
    asked.inspect_err(|trouble| tracing::warn!(%trouble, "Telegram could not be asked for messages"))
}

/// Starts processing the updates of a chat in a separate task.
fn begin(app: &Arc<App>, chat: i64, updates: Vec<Update>) -> impl Future<Output = Taken> + use<> {
    let taking = tokio::spawn(take_chat(app.clone(), chat, updates));
    async move {
        taking.await.unwrap_or_else(|error| {
            let failed = Failure::Broken { id: format!("chat {chat}"), reason: error.to_string() };
            Taken { chat, updates: Vec::new(), failed: Some(failed) }
        })
    }
}

/// Processes the updates of one chat in order and stops at the first that has to come again.
async fn take_chat(app: Arc<App>, chat: i64, updates: Vec<Update>) -> Taken {
    let mut taken = Taken { chat, updates: Vec::new(), failed: None };
    for update in updates {
        match AssertUnwindSafe(take(&app, &update)).catch_unwind().await {
            Ok(Ok(())) => {}
            Ok(Err(failure)) => {
                taken.failed = Some(failure);
                break;
            }
            // A panic would only happen again.
            Err(_) => tracing::error!(update.update_id, "a message has met a defect and is left behind"),
        }
        taken.updates.push(update.update_id);
    }
    taken
}

/// Records finished updates and confirms everything up to the first unfinished one.
async fn settle(app: &App, bot: &Bot, brought: &mut Brought, taken: Taken) -> Result<(), Failure> {
    let failed = brought.settle(taken);
    if let Some(offset) = brought.forget_taken() {
        let confirmed = RecordChange::new("", OFFSET_KIND, &bot.id, offset);
        app.store.remember(&[confirmed], app.clock.now()).await?;
    }
    match failed {
        None => Ok(()),
        Some(failure) => {
            tracing::warn!(%failure, "messages could not be taken; they come again");
            Err(failure)
        }
    }
}

impl Brought {
    /// Adds new updates. Returns those to process now, by chat.
    fn add(&mut self, updates: Vec<Update>) -> BTreeMap<i64, Vec<Update>> {
        let mut chats: BTreeMap<i64, Vec<Update>> = BTreeMap::new();
        for update in updates {
            let is_taken = *self.updates.entry(update.update_id).or_default();
            let chat = update.message.as_ref().map_or(0, |message| message.chat_id);
            if !is_taken && !self.busy.contains(&chat) {
                chats.entry(chat).or_default().push(update);
            }
        }
        self.busy.extend(chats.keys());
        chats
    }

    fn settle(&mut self, taken: Taken) -> Option<Failure> {
        self.busy.remove(&taken.chat);
        self.updates.extend(taken.updates.into_iter().map(|update_id| (update_id, true)));
        taken.failed
    }

    /// Forgets finished updates up to the first gap. Returns the new offset if it has grown.
    fn forget_taken(&mut self) -> Option<i64> {
        let mut offset = None;
        while let Some(first) = self.updates.first_entry().filter(|first| *first.get()) {
            offset = Some(first.remove_entry().0 + 1);
        }
        offset
    }
}
