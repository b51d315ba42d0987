//! Every integration test of the crate in one program, because linking takes longer than compiling.

mod agent;
mod attempt;
mod cards;
mod csv;
mod drill;
mod judgement;
mod judging;
mod laws;
mod leak;
mod matcher;
mod matcher_properties;
mod matcher_words;
mod memory;
mod numbers;
mod pack;
mod pack_files;
#[path = "../../flow/tests/peers.rs"]
#[allow(dead_code, reason = "each crate uses its part")]
mod peers;
mod problems;
mod teach;
mod teach_analytics;
mod teach_curriculum;
mod teach_diagnosis;
mod teach_grade;
mod teach_map;
mod voice;
