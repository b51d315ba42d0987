//! Delivers the actions of laws without Rust of their own to a program that performs them.

use crate::engine::app::App;
use crate::engine::performer::{Manner, Performed, Performer};
use crate::engine::turn::Request;
use coaching::turn::Source;
use flow::FAILED;
use futures_util::FutureExt;
use futures_util::future::BoxFuture;
use outside::Trouble;
use outside::sink::{Delivery, Sink};
use serde_json::{Value, json};
use store::Effect;

/// The kind of effect that carries an action of a law.
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
            let delivery =
                sink.deliver(&effect.key, &effect.instance, effect.attempts, &body(effect)).await?;
            Ok(result(effect, delivery))
        }
        .boxed()
    }

    fn given_up(&self, effect: &Effect, reason: &str) -> Option<Request> {
        let said: Value = serde_json::from_str(&effect.payload).unwrap_or_default();
        Some(Request {
            payload: json!({"action": said["action"], "reason": reason, "key": effect.key}),
            finishes: Some(effect.key.clone()),
            // If a crash makes the effect be given up again, the flow is told once.
            request: Some(format!("{}/{FAILED}", effect.key)),
            ..Request::new(&effect.instance, FAILED, Source::System)
        })
    }
}

/// Returns the body for the receiver: the recorded action, and the flow that it belongs to.
fn body(effect: &Effect) -> String {
    match serde_json::from_str::<Value>(&effect.payload) {
        Ok(Value::Object(mut fields)) => {
            fields.insert("instance".into(), effect.instance.clone().into());
            Value::Object(fields).to_string()
        }
        _ => effect.payload.clone(),
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
