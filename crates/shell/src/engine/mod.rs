//! The one door for change: load, decide, commit, perform.

pub mod aloud;
pub mod app;
pub mod call;
pub mod clock;
mod commit;
mod errands;
pub mod failure;
pub mod flows;
pub mod look;
pub mod node;
pub mod performer;
mod recent;
pub mod records;
pub mod replay;
pub mod setting;
pub mod takeover;
pub mod turn;
pub mod via;
pub mod view;
pub mod worker;
