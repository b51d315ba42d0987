//! Handles messages from chats that are not linked to a learner yet.

use super::reading::command;
use crate::effects::{notices, words};
use crate::engine::app::App;
use crate::engine::failure::Failure;
use crate::learners::{chats, owners};
use coaching::words::Text;
use outside::notify::{Incoming, Message, Said};

const BAD_CODE_EVERY_US: i64 = 5 * 60_000_000;

/// Returns the linking code in a message.
pub(super) fn code(message: &Incoming) -> Option<&str> {
    let Said::Text(text) = &message.said else { return None };
    command(text).filter(|(name, code)| name == "start" && !code.is_empty()).map(|(_, code)| code)
}

/// Links the chat if the message contains a code. Otherwise explains once how to get one.
pub(super) async fn meet(app: &App, update_id: i64, message: &Incoming) -> Result<(), Failure> {
    let Some(code) = code(message) else {
        return answer(app, message, "welcome", &words::chat_welcome()).await;
    };
    let key = format!("link-{update_id}");
    match chats::redeem(app, code, message.chat_id).await? {
        // A wrong code gets a reply only once in a while: enough for a typing error, and little help for guessing
        // codes.
        None => {
            let moment = app.clock.now().0 / BAD_CODE_EVERY_US;
            answer(app, message, &format!("bad-code-{moment}"), &words::chat_bad_code()).await
        }
        Some(learner) => match chats::link(app, &learner, message.chat_id).await {
            Ok(()) => answer(app, message, &key, &words::chat_linked()).await,
            Err(failure) if failure.may_pass() => Err(failure),
            Err(failure) => {
                tracing::warn!(learner, %failure, "a chat could not be linked");
                answer(app, message, &key, &words::chat_not_linked()).await
            }
        },
    }
}

/// Answers a person without a profile, in the language of their Telegram settings.
async fn answer(app: &App, message: &Incoming, key: &str, text: &Text) -> Result<(), Failure> {
    let language = app.words.choose(message.language.as_deref());
    let reply = Message::reply(message.context(), app.words.say(language, text));
    notices::post_message(app, &owners::of_chat(&message.chat_id.to_string()), key, reply).await
}
