//! The data about a learner, and what Etude does with it.

pub mod access;
pub mod chats;
pub mod command_line;
pub mod language;
pub mod owners;
pub mod profiles;
pub mod remembering;
pub mod retention;
pub mod rights;
pub mod tokens;
