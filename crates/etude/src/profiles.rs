//! How a learner wants to be taught and reached, changed by whoever may.

use crate::app::App;
use crate::failure::Failure;
use coaching::learner::{PROFILE_KEY, PROFILE_KIND, Profile, RETENTION, time_zone};
use coaching::turn::Rejected;
use serde::Deserialize;
use serde_json::{Map, Value, json};

/// How often somebody else may be faster.
const MAX_TRIES: usize = 8;
const MAX_TEXT_CHARS: usize = 200;

/// Changes some fields; the others stay. Nothing changes when one of them cannot be taken.
pub async fn change(app: &App, learner: &str, changes: &Map<String, Value>) -> Result<Profile, Failure> {
    let place = (learner, PROFILE_KIND, PROFILE_KEY);
    for _ in 0..MAX_TRIES {
        let before = app.store.record(learner, PROFILE_KIND, PROFILE_KEY).await?.map(|record| record.body);
        let known = before.as_deref().and_then(|body| serde_json::from_str(body).ok()).unwrap_or_default();
        let profile = changed(known, changes).map_err(Failure::Rejected)?;
        let body = json!(profile).to_string();
        if app.store.swap_record(place, before.as_deref(), (&body, None), app.clock.now()).await? {
            return Ok(profile);
        }
    }
    Err(Failure::Conflict { version: 0, state: "the profile".to_owned() })
}

fn changed(known: Profile, changes: &Map<String, Value>) -> Result<Profile, Rejected> {
    let mut fields = json!(known);
    for (name, value) in changes {
        match fields.get_mut(name) {
            Some(field) => *field = value.clone(),
            None => {
                return Err(bad(format!("a profile has no `{}`", name.chars().take(40).collect::<String>())));
            }
        }
    }
    let profile =
        Profile::deserialize(fields).map_err(|error| bad(format!("this is no profile: {error}")))?;
    check(&profile).map_err(bad)?;
    Ok(profile)
}

fn check(profile: &Profile) -> Result<(), String> {
    let Profile { desired_retention, day_starts_at, easy_days, .. } = profile;
    time_zone(&profile.time_zone)?;
    if !RETENTION.contains(desired_retention) {
        return Err(format!("the desired retention is {} to {}", RETENTION.start(), RETENTION.end()));
    }
    if !(0..24).contains(day_starts_at) {
        return Err("a day starts at an hour from 0 to 23".to_owned());
    }
    if easy_days.len() > 7 || easy_days.iter().any(|day| !(1..=7).contains(day)) {
        return Err("easy days are days of the week, 1 (Monday) to 7".to_owned());
    }
    let is_odd = |text: &str| text.chars().count() > MAX_TEXT_CHARS || text.chars().any(char::is_control);
    if [&profile.name, &profile.email].into_iter().flatten().any(|text| is_odd(text)) {
        return Err(format!("a name or an address has at most {MAX_TEXT_CHARS} characters on one line"));
    }
    match &profile.email {
        Some(email) if !email.contains('@') => Err("a mail address has an @".to_owned()),
        _ => Ok(()),
    }
}

fn bad(message: String) -> Rejected {
    Rejected { code: "bad_profile", message, cure: "read the profile to see its fields".to_owned() }
}
