//! Links chats to learners. A learner gets a code where they are already known, and sends it from the chat.

use super::owners::of_learner;
use super::profiles;
use crate::engine::app::App;
use crate::engine::failure::Failure;
use crate::engine::turn::check_learner;
use coaching::learner::{Channel, Profile};
use coaching::rejected::Rejected;
use serde::{Deserialize, Serialize};
use serde_json::json;
use store::RecordChange;

/// The kinds of records for the owner of a chat, and for a code.
pub const CHAT_KIND: &str = "chat";
pub const LINK_KIND: &str = "telegram_link";
/// How long a code can be used, in minutes.
pub const CODE_LASTS_MINUTES: i64 = 30;
const CODE_CHARS: usize = 10;
/// The characters of a code, without those that are easily mistaken for each other.
const ALPHABET: &[u8; 32] = b"ABCDEFGHJKLMNPQRSTUVWXYZ23456789";

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
struct Link {
    learner: String,
    /// The chat that has used the code. That chat may use it again, because a crash may have cost it the answer.
    chat_id: Option<i64>,
}

/// Makes a code that links one chat to a learner. `random` must be bytes that cannot be guessed.
pub async fn link_code(app: &App, learner: &str, random: [u8; CODE_CHARS]) -> Result<String, Failure> {
    check_learner(learner)?;
    let code: String = random.iter().map(|byte| char::from(ALPHABET[usize::from(byte % 32)])).collect();
    let now = app.clock.now();
    let link = RecordChange {
        due_at: Some(now.plus_ms(CODE_LASTS_MINUTES * 60_000)),
        scope: of_learner(learner),
        ..RecordChange::new("", LINK_KIND, &code, json!(Link { learner: learner.to_owned(), chat_id: None }))
    };
    app.store.remember(&[link], now).await?;
    Ok(code)
}

/// Returns the learner that a chat belongs to.
pub async fn owner(app: &App, chat_id: i64) -> Result<Option<String>, Failure> {
    let record = app.store.record("", CHAT_KIND, &chat_id.to_string()).await?;
    Ok(record.and_then(|record| serde_json::from_str::<Link>(&record.body).ok()).map(|link| link.learner))
}

/// Uses a code. Returns its learner, or `None` if the code is unknown, too old, or used by another chat.
pub async fn redeem(app: &App, code: &str, chat_id: i64) -> Result<Option<String>, Failure> {
    let code = code.to_ascii_uppercase();
    let now = app.clock.now();
    let is_code = code.len() == CODE_CHARS && code.bytes().all(|byte| ALPHABET.contains(&byte));
    let Some(record) = (if is_code { app.store.record("", LINK_KIND, &code).await? } else { None }) else {
        return Ok(None);
    };
    let Ok(link) = serde_json::from_str::<Link>(&record.body) else { return Ok(None) };
    if link.chat_id == Some(chat_id) {
        return Ok(Some(link.learner));
    }
    if link.chat_id.is_some() || record.due_at.is_some_and(|until| until < now) {
        return Ok(None);
    }
    let used = json!(Link { chat_id: Some(chat_id), ..link.clone() }).to_string();
    let place = ("", LINK_KIND, code.as_str());
    let is_ours = app.store.swap_record(place, Some(&record.body), (&used, record.due_at), now).await?;
    Ok(is_ours.then_some(link.learner))
}

/// Gives a chat to a learner. A former owner loses it, so that their messages are not read by another person.
pub async fn link(app: &App, learner: &str, chat_id: i64) -> Result<(), Failure> {
    let (store, now) = (&app.store, app.clock.now());
    if let Some(before) = owner(app, chat_id).await?.filter(|before| before != learner) {
        profiles::change(store, &before, now, |profile| leave(profile, chat_id)).await?;
    }
    let link = |profile: &mut Profile| {
        (profile.telegram_chat, profile.preferred_channel) = (Some(chat_id), Channel::Telegram);
        Ok(())
    };
    profiles::change(store, learner, now, link).await?;
    Ok(store.remember(&[owned(learner, chat_id)], now).await?)
}

/// Moves a chat to its new number, with its owner: a group that becomes a supergroup gets another number.
pub async fn follow(app: &App, from: i64, to: i64) -> Result<(), Failure> {
    let (store, now) = (&app.store, app.clock.now());
    let Some(learner) = owner(app, from).await? else { return Ok(()) };
    let follow = |profile: &mut Profile| {
        if profile.telegram_chat == Some(from) {
            profile.telegram_chat = Some(to);
        }
        Ok(())
    };
    profiles::change(store, &learner, now, follow).await?;
    let gone = RecordChange { body: None, ..owned(&learner, from) };
    Ok(store.remember(&[owned(&learner, to), gone], now).await?)
}

/// Returns the record that names the owner of a chat.
fn owned(learner: &str, chat_id: i64) -> RecordChange {
    let link = json!(Link { learner: learner.to_owned(), chat_id: Some(chat_id) });
    let scope = of_learner(learner);
    RecordChange { scope, ..RecordChange::new("", CHAT_KIND, &chat_id.to_string(), link) }
}

fn leave(profile: &mut Profile, chat_id: i64) -> Result<(), Rejected> {
    if profile.telegram_chat == Some(chat_id) {
        profile.telegram_chat = None;
        if profile.preferred_channel == Channel::Telegram {
            profile.preferred_channel = Channel::default();
        }
    }
    Ok(())
}
