//! Whole conversations on Telegram: the real server, and a process that speaks the Bot API, with accidents and kills.

mod bot;
#[path = "../common/mod.rs"]
mod common;
mod conversation;
mod repeated;
mod webhook;
