//! Delivers the actions of laws that have no Rust of their own to a program that performs them.

use crate::engine::app::App;
use crate::engine::performer::{Manner, Performed, Performer};
use crate::engine::turn::Request;
use coaching::turn::Source;
use futures_util::FutureExt;
use futures_util::future::BoxFuture;
use outside::Trouble;
use outside::sink::{Delivery, Sink};
use store::Effect;

/// An action of a law.
const ACTION_KIND: &str = "action";

#[derive(Debug)]
pub struct Delivering(pub Option<Sink>);

impl Performer for Delivering {
    fn kind(&self) -> &'static str {
        ACTION_KIND
    }

    fn manner(&self) -> Manner {
        Manner { answers_its_flow: true, ..Manner::default() }
    }

    fn is_ready(&self, _: &App) -> bool {
        self.0.is_some()
    }

    fn perform<'a>(&'a self, _: &'a App, effect: &'a Effect) -> BoxFuture<'a, Performed> {
        async move {
            let Some(sink) = &self.0 else {
                return Err(Trouble::Final { reason: "there is no receiver of actions".into() });
            };
            let delivery = sink.deliver(&effect.key, &effect.instance, &effect.payload).await?;
            Ok(result(effect, delivery))
        }
        .boxed()
    }
}

fn result(effect: &Effect, delivery: Delivery) -> Option<Request> {
    let Delivery::Event { event, payload, facts } = delivery else { return None };
    Some(Request {
        payload,
        facts,
        finishes: Some(effect.key.clone()),
        // Two nodes may perform an effect that outlives its lease; its result is taken once.
        request: Some(effect.key.clone()),
        ..Request::new(&effect.instance, &event, Source::Model)
    })
}
