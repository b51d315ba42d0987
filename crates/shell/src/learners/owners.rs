//! Names the owners of messages that come from no flow. The store keeps such an owner in place of a flow's id; no
//! flow id contains a `/`. Deleting a learner deletes the messages they own.

pub fn of_learner(learner: &str) -> String {
    format!("learner/{learner}")
}

pub fn mail_of(learner: &str) -> String {
    format!("{}/mail", of_learner(learner))
}

pub fn in_chat_of(learner: &str) -> String {
    format!("{}/chat", of_learner(learner))
}

/// Returns the owner of messages in a chat that belongs to no learner yet.
pub fn of_chat(chat_id: &str) -> String {
    format!("chat/{chat_id}")
}
