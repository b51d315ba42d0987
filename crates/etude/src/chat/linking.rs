//! People whose chat is not linked to a learner yet.

use super::reading::command;
use crate::effects::notices;
use crate::engine::app::App;
use crate::engine::failure::Failure;
use crate::learners::{chats, owners};
use outside::notify::{Incoming, Message, Said};

const BAD_CODE_EVERY_US: i64 = 5 * 60_000_000;

const WELCOME: &str = "Hello! I teach, one concept at a time, and come back on the right day. I only talk to people I \
    know: run `etude learner link` where Etude is installed, and send me the line that it prints.";
const BAD_CODE: &str = "That code is not good, or not good any more. `etude learner link` prints a new one.";
const LINKED: &str = "We know each other now. Write `/learn` and a topic, such as `/learn sql`. `/help` says what else \
    there is.";
const NOT_LINKED: &str = "I could not link this chat; whoever runs Etude finds the reason in its log. Your code stays \
    good, so send it again later.";

/// The code in a message that links a chat.
pub(super) fn code(message: &Incoming) -> Option<&str> {
    let Said::Text(text) = &message.said else { return None };
    command(text).filter(|(name, code)| name == "start" && !code.is_empty()).map(|(_, code)| code)
}

/// Links the chat if the message brings a code. Otherwise says once how to get one.
pub(super) async fn meet(app: &App, update_id: i64, message: &Incoming) -> Result<(), Failure> {
    let Some(code) = code(message) else { return answer(app, message, "welcome", WELCOME).await };
    let key = format!("link-{update_id}");
    match chats::redeem(app, code, message.chat_id).await? {
        // Answered now and then: enough for a typing error, and little help for guessing codes.
        None => {
            let moment = app.clock.now().0 / BAD_CODE_EVERY_US;
            answer(app, message, &format!("bad-code-{moment}"), BAD_CODE).await
        }
        Some(learner) => match chats::link(app, &learner, message.chat_id).await {
            Ok(()) => answer(app, message, &key, LINKED).await,
            Err(failure) if failure.may_pass() => Err(failure),
            Err(failure) => {
                tracing::warn!(learner, %failure, "a chat could not be linked");
                answer(app, message, &key, NOT_LINKED).await
            }
        },
    }
}

async fn answer(app: &App, message: &Incoming, key: &str, text: &str) -> Result<(), Failure> {
    let reply = Message::reply(message.context(), text);
    notices::post_message(app, &owners::of_chat(&message.chat_id.to_string()), key, reply).await
}
