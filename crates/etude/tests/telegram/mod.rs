//! Tests of whole conversations on Telegram: the real server and a process that speaks the Bot API, with accidents
//! and kills.

pub mod bot;
mod conversation;
mod repeated;
mod webhook;
