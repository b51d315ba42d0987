//! Actions of people, and accidents of the server.

use serde::Deserialize;
use serde_json::{Value, json};

use super::world::World;

#[derive(Clone, Debug, Deserialize)]
#[serde(tag = "do", rename_all = "snake_case")]
pub enum Control {
    /// A chat that the bot is in. A person's own chat opens when they write.
    Chat {
        chat_id: i64,
        #[serde(default)]
        is_forum: bool,
        /// `None` allows all reactions.
        #[serde(default)]
        reactions: Option<Vec<String>>,
    },
    /// Opens a topic of a forum. The answer is its number.
    Topic {
        chat_id: i64,
    },
    CloseTopic {
        chat_id: i64,
        thread_id: i64,
    },
    /// A person writes. The answer is the message.
    Say {
        chat_id: i64,
        /// `None` for a message without text.
        #[serde(default)]
        text: Option<String>,
        #[serde(default)]
        thread_id: Option<i64>,
        #[serde(default)]
        reply_to: Option<i64>,
    },
    /// A person edits a message.
    Edit {
        chat_id: i64,
        message_id: i64,
        text: String,
    },
    Delete {
        chat_id: i64,
        message_id: i64,
    },
    Block {
        chat_id: i64,
        is_blocked: bool,
    },
    /// A group becomes a supergroup.
    Migrate {
        chat_id: i64,
        to: i64,
    },
    /// Enforces Telegram's limits from now on.
    EnforceLimits,
    /// Makes the next calls of a method go wrong.
    Accident {
        method: String,
        #[serde(default = "once")]
        times: u32,
        /// Whether the call is performed although its reply goes wrong.
        #[serde(default)]
        performed: bool,
        accident: Accident,
    },
}

#[derive(Clone, Debug, Deserialize)]
#[serde(tag = "kind", rename_all = "snake_case")]
pub enum Accident {
    Refuse {
        code: u16,
        description: String,
        #[serde(default)]
        parameters: Value,
    },
    /// An error page from a proxy between the bot and Telegram.
    Page {
        status: u16,
    },
    Slow {
        ms: u64,
    },
    SlowBody {
        ms: u64,
    },
    Cut,
}

fn once() -> u32 {
    1
}

impl Control {
    pub fn perform(self, world: &mut World) -> Value {
        match self {
            Self::Chat { chat_id, is_forum, reactions } => {
                let chat = world.chat(chat_id);
                (chat.is_forum, chat.reactions) = (is_forum, reactions);
                json!(chat_id)
            }
            Self::Topic { chat_id } => world.open_topic(chat_id).into(),
            Self::CloseTopic { chat_id, thread_id } => world.chat(chat_id).topics.remove(&thread_id).into(),
            Self::Say { chat_id, text, thread_id, reply_to } => {
                world.hear(chat_id, text, thread_id, reply_to)
            }
            Self::Edit { chat_id, message_id, text } => world.hear_edited(chat_id, message_id, &text),
            Self::Delete { chat_id, message_id } => {
                world.chat(chat_id).messages.remove(&message_id).is_some().into()
            }
            Self::Block { chat_id, is_blocked } => {
                world.chat(chat_id).is_blocked = is_blocked;
                json!(true)
            }
            Self::Migrate { chat_id, to } => {
                world.chat(chat_id).migrated_to = Some(to);
                world.chat(to);
                json!(true)
            }
            Self::EnforceLimits => {
                world.enforces_limits = true;
                json!(true)
            }
            Self::Accident { method, times, performed, accident } => {
                let planned = std::iter::repeat_n((accident, performed), times as usize);
                world.accidents.entry(method.to_lowercase()).or_default().extend(planned);
                json!(true)
            }
        }
    }
}
