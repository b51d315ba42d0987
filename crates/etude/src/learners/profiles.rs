//! How a learner wants to be taught and reached, changed by whoever may.

use crate::engine::failure::Failure;
use crate::engine::turn::check_learner;
use coaching::learner::{Chooser, PROFILE_KEY, PROFILE_KIND, Profile, RETENTION, are_weights, time_zone};
use coaching::rejected::Rejected;
use serde::Deserialize;
use serde_json::{Map, Value, json};
use store::{At, Store};

/// How often somebody else may be faster.
const MAX_TRIES: usize = 8;
const MAX_TEXT_CHARS: usize = 200;
/// What is wrong is named, but not at any length.
const MAX_NAMED_CHARS: usize = 40;

/// A profile that nobody has written is the usual one; one that cannot be read is a failure, and never made up.
pub async fn read(store: &Store, learner: &str) -> Result<Profile, Failure> {
    let record = store.record(learner, PROFILE_KIND, PROFILE_KEY).await?;
    parse(learner, record.as_ref().map(|record| record.body.as_str()))
}

/// Whoever learns at this machine for the first time lives where it stands, until they say otherwise.
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

/// Changes a profile as it is now, whoever else changes it at the same time, and says what it has become. `change` may
/// be asked several times; where it changes nothing, nothing is written.
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

/// Puts fields that came from outside into a profile; the others stay. Nothing changes when one of them cannot be taken.
pub fn set_fields(profile: &mut Profile, changes: &Map<String, Value>) -> Result<(), Rejected> {
    if changes.contains_key("telegram_chat") {
        return Err(Rejected {
            code: "bad_profile",
            message: "a chat is linked by somebody who writes there".into(),
            cure: "send the line that `etude learner link` prints to the bot".into(),
        });
    }
    let mut changed = profile.clone();
    for (name, value) in changes {
        changed = with_field(&changed, name, value).map_err(bad)?;
    }
    check(&changed).map_err(bad)?;
    let is_choice = ["memory", "weights"].into_iter().any(|name| changes.contains_key(name));
    let chosen_by = if is_choice && !changes.contains_key("memory_chosen_by") {
        Chooser::Learner
    } else {
        changed.memory_chosen_by
    };
    *profile = Profile { memory_chosen_by: chosen_by, ..changed };
    Ok(())
}

fn with_field(profile: &Profile, name: &str, value: &Value) -> Result<Profile, String> {
    let mut fields = json!(profile);
    let Some(field) = fields.get_mut(name) else {
        let known: Vec<&str> =
            fields.as_object().into_iter().flat_map(Map::keys).map(String::as_str).collect();
        let name: String = name.chars().take(MAX_NAMED_CHARS).collect();
        return Err(format!("a profile has no `{name}`; it has {}", known.join(", ")));
    };
    *field = value.clone();
    Profile::deserialize(fields).map_err(|error| format!("this is no `{name}`: {error}"))
}

fn parse(learner: &str, body: Option<&str>) -> Result<Profile, Failure> {
    let Some(body) = body else { return Ok(Profile::default()) };
    serde_json::from_str(body).map_err(|error| Failure::Broken {
        id: format!("the profile of {learner}"),
        reason: format!("it cannot be read: {error}"),
    })
}

fn check(profile: &Profile) -> Result<(), String> {
    let Profile { desired_retention, day_starts_at, reached_from_hour, easy_days, .. } = profile;
    time_zone(&profile.time_zone)?;
    if !RETENTION.contains(desired_retention) {
        return Err(format!("the desired retention is {} to {}", RETENTION.start(), RETENTION.end()));
    }
    if profile.weights.as_deref().is_some_and(|weights| !are_weights(weights)) {
        return Err("the weights of FSRS are 21 numbers, or null for those of the average learner".to_owned());
    }
    if !(0..24).contains(day_starts_at) {
        return Err("a day starts at an hour from 0 to 23".to_owned());
    }
    if !(0..24).contains(reached_from_hour) {
        return Err("somebody is reached from an hour from 0 to 23".to_owned());
    }
    if easy_days.len() > 7 || easy_days.iter().any(|day| !(1..=7).contains(day)) {
        return Err("easy days are days of the week, 1 (Monday) to 7".to_owned());
    }
    let is_odd = |text: &str| text.chars().count() > MAX_TEXT_CHARS || text.chars().any(char::is_control);
    if [&profile.name, &profile.email].into_iter().flatten().any(|text| is_odd(text)) {
        return Err(format!("a name or an address has at most {MAX_TEXT_CHARS} characters on one line"));
    }
    if profile.language.as_deref().is_some_and(|tag| !is_language(tag)) {
        return Err("a language is a tag such as `de` or `pt-BR`, or null for that of the place".to_owned());
    }
    match &profile.email {
        Some(email) if !email.contains('@') => Err("a mail address has an @".to_owned()),
        _ => Ok(()),
    }
}

/// Whether a text has the form of a BCP 47 tag.
fn is_language(tag: &str) -> bool {
    let mut parts = tag.split('-');
    let is_primary =
        |part: &str| matches!(part.len(), 2 | 3) && part.chars().all(|c| c.is_ascii_alphabetic());
    let is_part =
        |part: &str| (1..=8).contains(&part.len()) && part.chars().all(|c| c.is_ascii_alphanumeric());
    parts.next().is_some_and(is_primary) && tag.len() <= MAX_NAMED_CHARS && parts.all(is_part)
}

fn bad(message: String) -> Rejected {
    Rejected {
        code: "bad_profile",
        message: message.into(),
        cure: "`etude learner show` shows the fields as they are; docs/data.md says what each means".into(),
    }
}
