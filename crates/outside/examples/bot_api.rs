//! The tests' Bot API as its own process, for tests of other crates.
//!
//!     cargo run -p outside --example bot_api -- --port 0
//!
//! Prints `listening on URL` and the token it takes, and serves until its standard input is closed.

#[allow(dead_code, reason = "the tests of this crate steer the server in their own process")]
#[path = "../tests/notify/bot_api/mod.rs"]
mod bot_api;

use std::io::Read;

use bot_api::{BotApi, TOKEN};

#[tokio::main]
async fn main() {
    let args: Vec<String> = std::env::args().skip(1).collect();
    let port = match args.as_slice() {
        [] => 0,
        [flag, port] if flag == "--port" => port.parse().expect("--port takes a number"),
        _ => panic!("usage: bot_api [--port PORT]"),
    };
    let server = BotApi::start(port).await;
    println!("listening on {}", server.url);
    println!("token {TOKEN}");
    // Any end of standard input ends the process.
    let _ = tokio::task::spawn_blocking(|| std::io::stdin().read_to_end(&mut Vec::new())).await;
}
