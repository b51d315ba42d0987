//! Offers tools about a learner: how they want to be taught and reached.

use super::tool::{Caller, Does, Tool};
use crate::engine::failure::Failure;
use crate::learners::{language, profiles};
use coaching::learner::Profile;
use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::{Map, Value};

pub fn tools() -> Vec<Tool> {
    vec![
        Tool::new(
            "profile_get",
            "Read a profile",
            Does::Reads,
            "How a learner wants to be taught and reached: memory model, desired retention, time zone, channel.",
            profile,
        ),
        Tool::new(
            "profile_set",
            "Change a profile",
            Does::Sets,
            "Changes some fields of a learner's profile; the others stay. Only at the learner's own wish.",
            set_profile,
        ),
    ]
}

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct Whose {
    /// The default learner if left out.
    #[serde(default)]
    learner: Option<String>,
}

async fn profile(caller: Caller, whose: Whose) -> Result<Profile, Failure> {
    profiles::read(&caller.app.store, &caller.learner(&whose.learner)?).await
}

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct ProfileInput {
    /// The fields to change, as profile_get names them.
    changes: Map<String, Value>,
    /// The default learner if left out.
    #[serde(default)]
    learner: Option<String>,
}

async fn set_profile(caller: Caller, input: ProfileInput) -> Result<Profile, Failure> {
    let (store, now) = (&caller.app.store, caller.app.clock.now());
    let set = |profile: &mut Profile| profile.set_fields(&input.changes);
    let learner = caller.learner(&input.learner)?;
    match profiles::change(store, &learner, now, set).await {
        Err(failure) => Err(language::told(&caller.app, failure, &learner, None).await),
        changed => changed,
    }
}
