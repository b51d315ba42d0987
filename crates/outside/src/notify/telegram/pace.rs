//! Decides when a message may be sent, so that Telegram never has to refuse one.

use std::collections::{HashMap, VecDeque};
use std::sync::{Mutex, PoisonError};
use std::time::Duration;

use tokio::time::{Instant, sleep_until};

use super::super::Trouble;
use super::RateLimits;

const MINUTE: Duration = Duration::from_secs(60);
const SECOND: Duration = Duration::from_secs(1);
/// The number of chats above which idle ones are forgotten.
const CHATS_MAX: usize = 4096;

/// The turns given out so far. A message first waits for a turn in its chat and then for a turn among all chats, so
/// a chat that must wait for a minute does not hold up the others.
#[derive(Debug)]
pub(super) struct Pace(Mutex<Turns>);

#[derive(Debug)]
struct Turns {
    limits: RateLimits,
    chats: HashMap<String, Chat>,
    /// The last turns among all chats, oldest first.
    overall: VecDeque<Instant>,
}

#[derive(Debug, Default)]
struct Chat {
    /// The last turns, oldest first.
    turns: VecDeque<Instant>,
    /// The end of a pause that Telegram asked for.
    not_before: Option<Instant>,
}

impl Pace {
    pub(super) fn new(limits: RateLimits) -> Self {
        Self(Mutex::new(Turns { limits, chats: HashMap::new(), overall: VecDeque::new() }))
    }

    /// Waits for the turn of a message to a chat, unless the turn would come after `latest`.
    pub(super) async fn wait_for(&self, chat: &str, latest: Instant) -> Result<(), Trouble> {
        let turn = self.with(|turns| turns.take_in_chat(chat, Instant::now(), latest))?;
        sleep_until(turn).await;
        self.wait_for_any(latest).await
    }

    /// Waits for a turn among all chats only.
    pub(super) async fn wait_for_any(&self, latest: Instant) -> Result<(), Trouble> {
        let turn = self.with(|turns| turns.take_overall(Instant::now(), latest))?;
        sleep_until(turn).await;
        Ok(())
    }

    pub(super) fn hold(&self, chat: &str, pause: Duration) {
        self.with(|turns| turns.hold(chat, Instant::now() + pause));
    }

    /// Works on the locked turns. An extra turn is harmless, so a poisoned lock is still good.
    fn with<T>(&self, work: impl FnOnce(&mut Turns) -> T) -> T {
        work(&mut self.0.lock().unwrap_or_else(PoisonError::into_inner))
    }
}

impl Turns {
    fn take_in_chat(&mut self, name: &str, now: Instant, latest: Instant) -> Result<Instant, Trouble> {
        self.forget_idle_chats(now);
        let limits = self.limits;
        let chat = self.chats.entry(name.to_owned()).or_default();
        let turn = chat.next_turn(is_group(name), limits).max(Some(now)).unwrap_or(now);
        let reason = "this chat has had its share of messages for now";
        take(&mut chat.turns, turn, limits.group_per_minute, now, latest, reason)
    }

    fn take_overall(&mut self, now: Instant, latest: Instant) -> Result<Instant, Trouble> {
        let count = self.limits.overall_per_second;
        let turn = after_full_window(&self.overall, count, SECOND).max(Some(now)).unwrap_or(now);
        let reason = "the bot has sent its share of messages for now";
        take(&mut self.overall, turn, count, now, latest, reason)
    }

    fn hold(&mut self, name: &str, until: Instant) {
        let chat = self.chats.entry(name.to_owned()).or_default();
        chat.not_before = chat.not_before.max(Some(until));
    }

    fn forget_idle_chats(&mut self, now: Instant) {
        if self.chats.len() > CHATS_MAX {
            self.chats.retain(|_, chat| {
                let is_held = chat.not_before.is_some_and(|until| until > now);
                is_held || chat.turns.back().is_some_and(|last| *last + MINUTE > now)
            });
        }
    }
}

impl Chat {
    /// Returns the earliest turn, if the chat has to wait for one.
    fn next_turn(&self, is_group: bool, limits: RateLimits) -> Option<Instant> {
        let interval = Duration::from_millis(limits.chat_interval_ms);
        let after_last = self.turns.back().map(|last| *last + interval);
        let after_minute = after_full_window(&self.turns, limits.group_per_minute, MINUTE);
        self.not_before.max(after_last).max(after_minute.filter(|_| is_group))
    }
}

/// Returns when a window that `count` turns have filled has room for one more.
fn after_full_window(turns: &VecDeque<Instant>, count: usize, window: Duration) -> Option<Instant> {
    let first = turns.len().checked_sub(count)?;
    turns.get(first).map(|turn| *turn + window)
}

/// Takes the turn unless it comes after `latest`, and remembers the last `keep` turns.
fn take(
    turns: &mut VecDeque<Instant>,
    turn: Instant,
    keep: usize,
    now: Instant,
    latest: Instant,
    reason: &str,
) -> Result<Instant, Trouble> {
    if turn > latest.max(now) {
        let wait = turn.saturating_duration_since(now);
        return Err(Trouble::retry_after(u64::try_from(wait.as_millis()).unwrap_or(u64::MAX), reason));
    }
    turns.push_back(turn);
    turns.drain(..turns.len().saturating_sub(keep));
    Ok(turn)
}

/// Whether a chat is a group or a channel: these have negative numbers, and only they have public names.
fn is_group(chat: &str) -> bool {
    chat.starts_with(['-', '@'])
}

#[cfg(test)]
mod tests {
    use super::*;

    const FAR: Duration = Duration::from_secs(100_000);

    fn turns() -> Turns {
        Turns { limits: RateLimits::default(), chats: HashMap::new(), overall: VecDeque::new() }
    }

    /// Returns the turns of `count` messages that arrive at once, in milliseconds.
    fn schedule(chat: &str, count: usize) -> Vec<u64> {
        let (mut turns, now) = (turns(), Instant::now());
        let mut take = || turns.take_in_chat(chat, now, now + FAR).unwrap();
        (0..count).map(|_| take().duration_since(now).as_millis() as u64).collect()
    }

    #[test]
    fn a_chat_gets_one_a_second_and_a_group_twenty_a_minute() {
        let private = schedule("42", 25);
        assert_eq!(private, (0..25).map(|turn| turn * 1000).collect::<Vec<_>>());
        for group in ["-100", "@club"] {
            let turns = schedule(group, 45);
            assert_eq!(turns[..20], private[..20], "{group}");
            assert_eq!((turns[20], turns[39], turns[40]), (60_000, 79_000, 120_000), "{group}");
        }
    }

    #[test]
    fn all_chats_together_get_thirty_a_second() {
        let (mut turns, now) = (turns(), Instant::now());
        let all: Vec<_> =
            (0..95).map(|_| turns.take_overall(now, now + FAR).unwrap().duration_since(now)).collect();
        for (index, turn) in all.iter().enumerate() {
            assert_eq!(turn.as_secs(), index as u64 / 30, "{index}");
        }
    }

    #[test]
    fn a_late_turn_is_refused_and_not_used_up() {
        let (mut turns, now) = (turns(), Instant::now());
        turns.take_in_chat("1", now, now).unwrap();
        let refused = turns.take_in_chat("1", now, now + SECOND / 2).unwrap_err();
        assert!(matches!(refused, Trouble::Retry { after_ms: Some(1000), .. }), "{refused:?}");
        assert_eq!(turns.take_in_chat("1", now, now + SECOND), Ok(now + SECOND));
        assert_eq!(turns.take_in_chat("2", now, now), Ok(now), "other chats do not wait");
    }

    #[test]
    fn a_pause_that_telegram_asks_for_is_kept() {
        let (mut turns, now) = (turns(), Instant::now());
        turns.hold("1", now + 7 * SECOND);
        turns.hold("1", now + 3 * SECOND);
        assert_eq!(turns.take_in_chat("1", now, now + FAR), Ok(now + 7 * SECOND));
    }

    #[test]
    fn idle_chats_are_forgotten() {
        let (mut turns, now) = (turns(), Instant::now());
        for chat in 0..=CHATS_MAX {
            turns.take_in_chat(&chat.to_string(), now, now).unwrap();
        }
        turns.hold("held", now + 2 * MINUTE);
        let later = now + MINUTE;
        turns.take_in_chat("new", later, later).unwrap();
        assert_eq!(turns.chats.len(), 2);
    }
}
