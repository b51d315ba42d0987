//! Tests that acknowledged requests survive: the program is killed, its database crashes, its disk fills up, and
//! afterwards the books must balance. Everything goes through the program as its users run it: processes, HTTP,
//! command line.
//!
//! `ETUDE_SOAK=N` runs N times as many rounds; `ETUDE_SEED=N` chooses other random moments.

mod audit;
mod chance;
mod classroom;
mod crashes;
mod disk;
mod http;
mod kills;
mod load;
mod mailbox;
mod reviews;
mod server;
mod sink;
mod writers;

/// The number of rounds in this run.
fn rounds(usual: u64) -> u64 {
    usual * number("ETUDE_SOAK", 1)
}

fn seed() -> u64 {
    number("ETUDE_SEED", 1)
}

#[expect(
    clippy::disallowed_methods,
    reason = "the person who runs the tests sets how long and by which chance"
)]
fn number(name: &str, usual: u64) -> u64 {
    match std::env::var(name) {
        Ok(text) => text.parse().unwrap_or_else(|error| panic!("{name}={text}: {error}")),
        Err(_) => usual,
    }
}
