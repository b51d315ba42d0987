//! Courses and reviews as a learner meets them: the real laws, one door, and a store that is a table in memory.

mod class;
mod contract;
mod desk;
mod law;
mod words;
