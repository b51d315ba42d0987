//! Sends an event to another flow.

use crate::engine::app::App;
use crate::engine::performer::{Manner, Performed, Performer};
use crate::engine::turn::{Request, Via};
use coaching::turn::{SEND_KIND, Source};
use futures_util::FutureExt;
use futures_util::future::BoxFuture;
use outside::Trouble;
use serde::Deserialize;
use serde_json::Value;
use store::Effect;

#[derive(Debug)]
pub struct Sending;

#[derive(Debug, Deserialize)]
struct Sent {
    to: String,
    event: String,
    #[serde(default)]
    payload: Value,
}

impl Performer for Sending {
    fn kind(&self) -> &'static str {
        SEND_KIND
    }

    fn manner(&self) -> Manner {
        Manner { keeps_via: true, ..Manner::default() }
    }

    /// Returns the event as the result. It does not matter whether the other flow can use it.
    fn perform<'a>(&'a self, app: &'a App, effect: &'a Effect) -> BoxFuture<'a, Performed> {
        async move {
            let request = read(effect)?;
            match is_for_another(app, effect, &request.id).await {
                Ok(false) => Ok(Some(request)),
                Ok(true) => {
                    Err(Trouble::Final { reason: "it is for the flow of another learner".to_owned() })
                }
                Err(error) => Err(Trouble::Retry { after_ms: None, reason: error.to_string() }),
            }
        }
        .boxed()
    }
}

/// Whether an event is meant for another learner's flow. Flows of different learners never talk to each other.
async fn is_for_another(app: &App, effect: &Effect, to: &str) -> Result<bool, store::StoreError> {
    let (from, to) = (app.store.load(&effect.instance).await?, app.store.load(to).await?);
    Ok(from.zip(to).is_some_and(|(from, to)| from.learner != to.learner))
}

fn read(effect: &Effect) -> Result<Request, Trouble> {
    let unreadable = |error: serde_json::Error| Trouble::Final { reason: error.to_string() };
    let Sent { to, event, payload } = serde_json::from_str(&effect.payload).map_err(unreadable)?;
    Ok(Request {
        payload,
        finishes: Some(effect.key.clone()),
        // If the event is sent again after a crash, it is taken once.
        request: Some(effect.key.clone()),
        via: Via::of_result(effect),
        ..Request::new(&to, &event, Source::System)
    })
}
