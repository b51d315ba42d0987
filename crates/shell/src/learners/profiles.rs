//! Reads and changes learners' profiles: how they want to be taught and reached.

use crate::engine::failure::Failure;
use crate::engine::turn::check_learner;
use coaching::learner::{PROFILE_KEY, PROFILE_KIND, Profile, time_zone};
use coaching::rejected::Rejected;
use serde_json::json;
use store::{At, Store};

/// The number of attempts at a change while others change the profile.
const MAX_TRIES: usize = 8;

/// Reads a profile, or the default one if none is stored. Fails on a profile that cannot be parsed, and never
/// replaces it.
pub async fn read(store: &Store, learner: &str) -> Result<Profile, Failure> {
    let record = store.record(learner, PROFILE_KIND, PROFILE_KEY).await?;
    parse(learner, record.as_ref().map(|record| record.body.as_str()))
}

/// Gives a new learner the time zone of this machine, until they choose another.
pub async fn at_home(store: &Store, learner: &str, zone: Option<&str>, now: At) -> Result<(), Failure> {
    check_learner(learner)?;
    let Some(zone) = zone.filter(|zone| time_zone(zone).is_ok()) else { return Ok(()) };
    let profile = Profile { time_zone: zone.to_owned(), ..Profile::default() };
    if profile == Profile::default() || store.record(learner, PROFILE_KIND, PROFILE_KEY).await?.is_some() {
        return Ok(());
    }
    let place = (learner, PROFILE_KIND, PROFILE_KEY);
    Ok(store.swap_record(place, None, (&json!(profile).to_string(), None), now).await.map(drop)?)
}

/// Changes a profile, even if others change it at the same time, and returns the result. `change` may be called
/// several times. If it changes nothing, nothing is written.
pub async fn change(
    store: &Store,
    learner: &str,
    now: At,
    change: impl Fn(&mut Profile) -> Result<(), Rejected>,
) -> Result<Profile, Failure> {
    check_learner(learner)?;
    let place = (learner, PROFILE_KIND, PROFILE_KEY);
    for _ in 0..MAX_TRIES {
        let before = store.record(learner, PROFILE_KIND, PROFILE_KEY).await?.map(|record| record.body);
        let known = parse(learner, before.as_deref())?;
        let mut profile = known.clone();
        change(&mut profile).map_err(Failure::Rejected)?;
        let body = json!(profile).to_string();
        if profile == known || store.swap_record(place, before.as_deref(), (&body, None), now).await? {
            return Ok(profile);
        }
    }
    Err(Failure::Conflict { version: 0, state: "the profile".to_owned() })
}

fn parse(learner: &str, body: Option<&str>) -> Result<Profile, Failure> {
    let Some(body) = body else { return Ok(Profile::default()) };
    serde_json::from_str(body).map_err(|error| Failure::Broken {
        id: format!("the profile of {learner}"),
        reason: format!("it cannot be read: {error}"),
    })
}
