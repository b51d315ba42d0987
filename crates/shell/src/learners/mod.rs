//! Keeps the data about learners, and their rights to it.

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
