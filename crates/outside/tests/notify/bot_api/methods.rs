//! The methods of the Bot API.

use serde_json::{Value, json};

use super::Refusal;
use super::params::Params;
use super::world::{Chat, Webhook, World};

const TEXT_MAX_UNITS: usize = 4096;
/// The reactions that the documentation of the Bot API lists.
const REACTIONS: &str = "\
    ❤ 👍 👎 🔥 🥰 👏 😁 🤔 🤯 😱 🤬 😢 🎉 🤩 🤮 💩 🙏 👌 🕊 🤡 \
    🥱 🥴 😍 🐳 ❤‍🔥 🌚 🌭 💯 🤣 ⚡ 🍌 🏆 💔 🤨 😐 🍓 🍾 💋 🖕 😈 \
    😴 😭 🤓 👻 👨‍💻 👀 🎃 🙈 😇 😨 🤝 ✍ 🤗 🫡 🎅 🎄 ☃ 💅 🤪 🗿 \
    🆒 💘 🙉 🦄 😘 💊 🙊 😎 👾 🤷‍♂ 🤷 🤷‍♀ 😡";

pub fn perform(world: &mut World, method: &str, params: &Params) -> Result<Value, Refusal> {
    match method {
        "getme" => Ok(bot()),
        "sendmessage" => send_message(world, params),
        "senddocument" => send_document(world, params),
        "setmessagereaction" => set_message_reaction(world, params),
        "setwebhook" => set_webhook(world, params),
        "deletewebhook" => delete_webhook(world, params),
        "getwebhookinfo" => Ok(json!({
            "url": world.webhook.as_ref().map_or("", |webhook| &webhook.url),
            "has_custom_certificate": false,
            "pending_update_count": world.waiting_count(),
        })),
        _ => Err(Refusal::new(404, "Not Found")),
    }
}

fn bot() -> Value {
    json!({"id": 123_456, "is_bot": true, "first_name": "Etude", "username": "etude_test_bot"})
}

fn send_message(world: &mut World, params: &Params) -> Result<Value, Refusal> {
    let text = params.text("text").unwrap_or_default();
    if text.trim().is_empty() {
        return Err(bad("message text is empty"));
    }
    let units = text.encode_utf16().count();
    if units > TEXT_MAX_UNITS {
        return Err(bad("message is too long"));
    }
    let mut fields = json!({"from": bot(), "text": text});
    if let Value::Array(entities) = params.value("entities") {
        check_entities(&entities, units)?;
        fields["entities"] = entities.into();
    }
    post(world, params, fields)
}

fn check_entities(entities: &[Value], units: usize) -> Result<(), Refusal> {
    for entity in entities {
        let number = |name: &str| entity[name].as_u64().map(|number| number as usize);
        let end = number("offset").zip(number("length")).map(|(offset, length)| (offset + length, length));
        match end {
            Some((end, length)) if end <= units && length > 0 && entity["type"].is_string() => {}
            _ => return Err(bad("ENTITY_BOUNDS_INVALID")),
        }
    }
    Ok(())
}

fn send_document(world: &mut World, params: &Params) -> Result<Value, Refusal> {
    let document = params.value("document");
    if !document.is_object() {
        return Err(bad("there is no document in the request"));
    }
    if document["file_size"] == 0 {
        return Err(bad("file must be non-empty"));
    }
    post(world, params, json!({"from": bot(), "document": document}))
}

fn post(world: &mut World, params: &Params, mut fields: Value) -> Result<Value, Refusal> {
    let chat_id = find_chat(world, params)?;
    let chat = world.chat(chat_id);
    if let Some(thread_id) = params.number("message_thread_id") {
        if !chat.topics.contains(&thread_id) {
            return Err(bad("message thread not found"));
        }
        fields["message_thread_id"] = thread_id.into();
        fields["is_topic_message"] = true.into();
    }
    let reply = params.value("reply_parameters");
    if !reply.is_null() {
        match reply["message_id"].as_i64().and_then(|id| chat.messages.get(&id)) {
            Some(answered) => fields["reply_to_message"] = answered.clone(),
            None if reply["allow_sending_without_reply"] == true => {}
            None => return Err(bad("message to be replied not found")),
        }
    }
    world.count_message(chat_id)?;
    Ok(world.send(chat_id, fields))
}

fn set_message_reaction(world: &mut World, params: &Params) -> Result<Value, Refusal> {
    let chat_id = find_chat(world, params)?;
    let chat = world.chat(chat_id);
    let message_id = params.number("message_id").unwrap_or(0);
    if !chat.messages.contains_key(&message_id) {
        return Err(bad("message to react not found"));
    }
    let reactions = params.value("reaction");
    let reactions = reactions.as_array().cloned().unwrap_or_default();
    if reactions.len() > 1 {
        return Err(bad("REACTIONS_TOO_MANY"));
    }
    if !reactions.iter().all(|reaction| is_permitted(chat, reaction)) {
        return Err(bad("REACTION_INVALID"));
    }
    world.react(chat_id, message_id, reactions.into());
    Ok(json!(true))
}

fn is_permitted(chat: &Chat, reaction: &Value) -> bool {
    let Some(emoji) = reaction["emoji"].as_str().filter(|_| reaction["type"] == "emoji") else {
        return false;
    };
    let by_chat = chat.reactions.as_ref().is_none_or(|some| some.iter().any(|one| one == emoji));
    by_chat && REACTIONS.split(' ').any(|one| one == emoji)
}

fn set_webhook(world: &mut World, params: &Params) -> Result<Value, Refusal> {
    let url = params.text("url").unwrap_or_default();
    if url.is_empty() {
        return delete_webhook(world, params);
    }
    // Telegram's own server accepts https only; a local one accepts http as well.
    if !url.starts_with("https://") && !url.starts_with("http://127.0.0.1") {
        return Err(bad("bad webhook: An HTTPS URL must be provided for webhook"));
    }
    let secret_token = params.text("secret_token").map(str::to_owned);
    let is_allowed = |byte: u8| byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'-');
    if secret_token.as_ref().is_some_and(|secret| !secret.bytes().all(is_allowed)) {
        return Err(bad("secret token contains unallowed characters"));
    }
    if params.flag("drop_pending_updates") {
        world.drop_updates();
    }
    world.set_webhook(Webhook { url: url.to_owned(), secret_token }, &params.value("allowed_updates"));
    Ok(json!(true))
}

fn delete_webhook(world: &mut World, params: &Params) -> Result<Value, Refusal> {
    world.webhook = None;
    if params.flag("drop_pending_updates") {
        world.drop_updates();
    }
    Ok(json!(true))
}

fn find_chat(world: &World, params: &Params) -> Result<i64, Refusal> {
    if !params.has("chat_id") {
        return Err(bad("chat_id is empty"));
    }
    let chat_id = params.number("chat_id").unwrap_or(0);
    let chat = world.chats.get(&chat_id).ok_or_else(|| bad("chat not found"))?;
    if let Some(to) = chat.migrated_to {
        let refusal = bad("group chat was upgraded to a supergroup chat");
        return Err(refusal.with(json!({"migrate_to_chat_id": to})));
    }
    match (chat.is_blocked, chat_id > 0) {
        (true, true) => Err(Refusal::new(403, "Forbidden: bot was blocked by the user")),
        (true, false) => Err(Refusal::new(403, "Forbidden: bot was kicked from the supergroup chat")),
        _ => Ok(chat_id),
    }
}

fn bad(what: &str) -> Refusal {
    Refusal::new(400, format!("Bad Request: {what}"))
}
