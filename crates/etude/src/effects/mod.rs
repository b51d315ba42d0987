//! Performers of effects: they ask a model and reach people.

pub mod asking;
pub mod books;
pub mod notices;
