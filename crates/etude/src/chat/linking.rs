//! Whose chat it is. A learner asks for a code where they are known already and sends it to the bot.

use super::CHAT_KIND;
use super::reading::command;
use crate::effects::notices;
use crate::engine::app::App;
use crate::engine::failure::Failure;
use crate::engine::turn::check_learner;
use crate::learners::profiles;
use coaching::learner::{Channel, Profile};
use coaching::rejected::Rejected;
use outside::notify::{Incoming, Message, Said};
use serde::{Deserialize, Serialize};
use serde_json::json;
use store::RecordChange;

/// The kind of record that a code is.
pub const LINK_KIND: &str = "telegram_link";
const CODE_LASTS_MS: i64 = 30 * 60_000;
const CODE_CHARS: usize = 10;
const BAD_CODE_EVERY_US: i64 = 5 * 60_000_000;
/// Without those that are easily mistaken for each other.
const ALPHABET: &[u8; 32] = b"ABCDEFGHJKLMNPQRSTUVWXYZ23456789";

const WELCOME: &str = "Hello! I teach, one concept at a time, and come back on the right day. I only talk to people I \
    know: run `etude learner link` where Etude is installed, and send me the line that it prints.";
const BAD_CODE: &str = "That code is not good, or not good any more. `etude learner link` prints a new one.";
const LINKED: &str = "We know each other now. Write `/learn` and a topic, such as `/learn sql`. `/help` says what else \
    there is.";
const NOT_LINKED: &str = "I could not link this chat; whoever runs Etude finds the reason in its log. Your code stays \
    good, so send it again later.";

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
struct Link {
    learner: String,
    /// Who has used it. The same chat may come again: a crash may have kept it from hearing the answer.
    chat_id: Option<i64>,
}

/// What stands for a chat where a flow could stand. The store deletes it with the learner whose chat it is.
pub fn of_chat(chat_id: &str) -> String {
    format!("chat/{chat_id}")
}

/// A code that links a chat to a learner, once. `random` are bytes that nobody can guess.
pub async fn link_code(app: &App, learner: &str, random: [u8; CODE_CHARS]) -> Result<String, Failure> {
    check_learner(learner)?;
    let code: String = random.iter().map(|byte| char::from(ALPHABET[usize::from(byte % 32)])).collect();
    let now = app.clock.now();
    let link = RecordChange {
        kind: LINK_KIND.to_owned(),
        key: code.clone(),
        body: Some(json!(Link { learner: learner.to_owned(), chat_id: None }).to_string()),
        due_at: Some(now.plus_ms(CODE_LASTS_MS)),
        scope: notices::of_learner(learner),
        ..RecordChange::default()
    };
    app.store.remember(&[link], now).await?;
    Ok(code)
}

/// Whose a chat is.
pub async fn owner(app: &App, chat_id: i64) -> Result<Option<String>, Failure> {
    let record = app.store.record("", CHAT_KIND, &chat_id.to_string()).await?;
    Ok(record.and_then(|record| serde_json::from_str::<Link>(&record.body).ok()).map(|link| link.learner))
}

/// The code that a message brings, if it is one to link a chat.
pub(super) fn code(message: &Incoming) -> Option<&str> {
    let Said::Text(text) = &message.said else { return None };
    command(text).filter(|(name, code)| name == "start" && !code.is_empty()).map(|(_, code)| code)
}

/// Somebody whose chat is not known: they bring a code, or are told once how to get one.
pub(super) async fn meet(app: &App, update_id: i64, message: &Incoming) -> Result<(), Failure> {
    let Some(code) = code(message) else { return answer(app, message, "welcome", WELCOME).await };
    let key = format!("link-{update_id}");
    match redeemed(app, code, message.chat_id).await? {
        // Whoever tries codes out hears it now and then, which is enough for who has mistyped one.
        None => {
            let moment = app.clock.now().0 / BAD_CODE_EVERY_US;
            answer(app, message, &format!("bad-code-{moment}"), BAD_CODE).await
        }
        Some(learner) => match remember(app, &learner, message.chat_id).await {
            Ok(()) => answer(app, message, &key, LINKED).await,
            Err(failure) if failure.may_pass() => Err(failure),
            Err(failure) => {
                tracing::warn!(learner, %failure, "a chat could not be linked");
                answer(app, message, &key, NOT_LINKED).await
            }
        },
    }
}

/// The learner that a code stands for, if this chat may use it.
async fn redeemed(app: &App, code: &str, chat_id: i64) -> Result<Option<String>, Failure> {
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

/// From now on the chat is this learner's, and only theirs: nobody reads what is meant for whoever had it before.
async fn remember(app: &App, learner: &str, chat_id: i64) -> Result<(), Failure> {
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

/// A group that has become a supergroup has another number from now on; whose it was, it stays.
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

/// The record that says whose a chat is.
fn owned(learner: &str, chat_id: i64) -> RecordChange {
    RecordChange {
        kind: CHAT_KIND.to_owned(),
        key: chat_id.to_string(),
        body: Some(json!(Link { learner: learner.to_owned(), chat_id: Some(chat_id) }).to_string()),
        scope: notices::of_learner(learner),
        ..RecordChange::default()
    }
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

async fn answer(app: &App, message: &Incoming, key: &str, text: &str) -> Result<(), Failure> {
    let reply = Message::reply(message.context(), text);
    notices::post_message(app, &of_chat(&message.chat_id.to_string()), key, reply).await
}
