//! Measures LangGraph with one of its savers: a durable turn in the peer that people know.

use crate::bench::Bench;
use crate::peers;
use crate::row::{Beside, Better, Measured};
use crate::turns::CONCURRENT;
use std::process::Command;

#[derive(Default)]
pub struct Runs {
    version: Option<String>,
    rates: Vec<Result<f64, String>>,
}

impl Runs {
    /// Measures one run on an empty database: a file, or a `postgres://` address.
    pub fn run(&mut self, bench: &Bench, address: &str) {
        let answer = peers::python(&bench.cache).and_then(|python| {
            let arguments = [address.to_owned(), bench.seconds.to_string(), CONCURRENT.to_string()];
            peers::ask(Command::new(python).arg(bench.peer("langgraph_turns.py")).args(arguments))
        });
        self.rates.push(answer.map(|answer| {
            self.version = Some(answer.version);
            answer.value
        }));
    }

    pub fn beside(self) -> Beside {
        let name = self.version.map_or_else(|| "LangGraph".into(), |version| format!("LangGraph {version}"));
        Beside { name, measured: Measured::of(self.rates, Better::More) }
    }
}
