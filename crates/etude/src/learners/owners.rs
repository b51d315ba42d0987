//! Who owns a message that no flow writes. The store keeps the owner where messages of flows have the id of their flow;
//! no flow has a `/` in its id. What a learner owns is deleted with them.

pub fn of_learner(learner: &str) -> String {
    format!("learner/{learner}")
}

pub fn mail_of(learner: &str) -> String {
    format!("{}/mail", of_learner(learner))
}

pub fn in_chat_of(learner: &str) -> String {
    format!("{}/chat", of_learner(learner))
}

/// A chat owns what is said in it before it has a learner.
pub fn of_chat(chat_id: &str) -> String {
    format!("chat/{chat_id}")
}
