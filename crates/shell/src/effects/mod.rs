//! Performs effects, with one performer for each kind: asking a model, running a program or a query, looking up
//! what is known of a learner, sending an event to another flow, telling a learner, and delivering the actions of a
//! law.

pub mod asking;
pub mod books;
mod delivering;
pub mod judging;
mod knowing;
pub mod notices;
mod querying;
mod sending;
pub mod words;

use crate::engine::app::App;
use crate::engine::clock::Clock;
use crate::engine::flows::Flows;
use asking::{Asker, Asking};
use delivering::Delivering;
use judging::{Bench, Judging, LineByLine};
use knowing::Knowing;
use notices::Notices;
use outside::notify::Notifier;
use outside::sink::Sink;
use querying::Querying;
use sending::Sending;
use store::Store;

/// The outside world that this process can reach. By default there is none: flows go by their rules and leave the
/// rest to a server.
#[derive(Debug, Default)]
pub struct Outside {
    pub asker: Option<Asker>,
    /// Runs learners' programs.
    pub bench: Option<Bench>,
    pub notifier: Option<Notifier>,
    /// Receives the actions of laws that have no Rust of their own.
    pub sink: Option<Sink>,
}

/// Creates the engine with every performer.
pub fn app(store: Store, flows: Flows, clock: Clock, outside: Outside) -> App {
    let Outside { asker, bench, notifier, sink } = outside;
    let mut app = App::new(store, flows, clock).saying(words::FILES);
    app.performers = vec![
        Box::new(Asking(asker)),
        Box::new(Judging(bench.clone())),
        Box::new(LineByLine(bench)),
        Box::new(Querying),
        Box::new(Knowing),
        Box::new(Sending),
        Box::new(Notices),
        Box::new(Delivering(sink)),
    ];
    app.notifier = notifier;
    app
}
