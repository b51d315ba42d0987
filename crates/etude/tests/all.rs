//! Every integration test of the crate in one program, because linking takes longer than compiling.

mod agent;
mod attempt;
mod attempt_secrets;
mod attempt_surface;
#[path = "../../store/tests/breakable.rs"]
#[allow(dead_code, reason = "the tests of the store use more of it")]
mod breakable;
mod cli_check;
mod cli_commands;
mod cli_judge;
mod common;
mod drill_terminal;
mod durability;
mod edges;
mod http_contract;
mod http_files;
mod http_openapi;
mod http_people;
mod http_server;
mod http_teaching;
mod http_writers;
mod laws_effects;
mod laws_in_flight;
mod laws_language;
mod learner;
mod live;
mod mcp;
mod memory;
mod model;
#[path = "../../outside/tests/chaos/server.rs"]
#[expect(dead_code, reason = "the tests of the model port use more of it")]
mod model_server;
mod operations;
#[path = "../../flow/tests/peers.rs"]
#[allow(dead_code, reason = "each crate uses its part")]
mod peers;
mod refusals;
mod scenarios;
mod sixth_flow;
mod teach_terminal;
mod telegram;
mod voice;
mod web_page;
