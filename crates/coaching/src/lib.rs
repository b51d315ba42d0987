//! Etude's coaching rules. All of them are pure: no clock, no storage, no network.

pub mod agent;
pub mod ask;
pub mod attempt;
pub mod authored;
pub mod curriculum;
pub mod desk;
mod dice;
pub mod drill;
pub mod face;
pub mod grade;
pub mod judging;
pub mod leak;
pub mod learner;
pub mod look;
pub mod map;
pub mod pack;
pub mod problems;
pub mod record;
pub mod rejected;
pub mod table;
pub mod teach;
pub mod text;
pub mod turn;
pub mod voice;
pub mod words;
