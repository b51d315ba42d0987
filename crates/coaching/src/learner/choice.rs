//! The fields of a profile that can be set from outside.

use super::{Chooser, Profile, RETENTION, are_weights, time_zone};
use crate::rejected::Rejected;
use serde::Deserialize;
use serde_json::{Map, Value, json};

const MAX_TEXT_CHARS: usize = 200;
/// How much of an unknown name a message repeats.
const MAX_NAMED_CHARS: usize = 40;

impl Profile {
    /// Sets some fields and keeps the others. If one of them cannot be used, nothing changes.
    pub fn set_fields(&mut self, changes: &Map<String, Value>) -> Result<(), Rejected> {
        if changes.contains_key("telegram_chat") {
            return Err(Rejected {
                code: "bad_profile",
                message: "a chat is linked from within the chat".into(),
                cure: "send the line that `etude learner link` prints to the bot".into(),
            });
        }
        let mut changed = self.clone();
        for (name, value) in changes {
            changed = changed.with_field(name, value).map_err(bad)?;
        }
        changed.check().map_err(bad)?;
        let is_choice = ["memory", "weights"].into_iter().any(|name| changes.contains_key(name));
        if is_choice && !changes.contains_key("memory_chosen_by") {
            changed.memory_chosen_by = Chooser::Learner;
        }
        *self = changed;
        Ok(())
    }

    fn with_field(&self, name: &str, value: &Value) -> Result<Profile, String> {
        let mut fields = json!(self);
        let Some(field) = fields.get_mut(name) else {
            let known: Vec<&str> =
                fields.as_object().into_iter().flat_map(Map::keys).map(String::as_str).collect();
            let name: String = name.chars().take(MAX_NAMED_CHARS).collect();
            return Err(format!("a profile has no `{name}`; it has {}", known.join(", ")));
        };
        *field = value.clone();
        Profile::deserialize(fields).map_err(|error| format!("this is no `{name}`: {error}"))
    }

    fn check(&self) -> Result<(), String> {
        time_zone(&self.time_zone)?;
        let is_hour = |hour: i8| (0..24).contains(&hour);
        let is_odd = |text: &str| text.chars().count() > MAX_TEXT_CHARS || text.chars().any(char::is_control);
        let is_day = |day: &i8| (1..=7).contains(day);
        let texts = [&self.name, &self.email].into_iter().flatten();
        let rows = [
            (
                !RETENTION.contains(&self.desired_retention),
                format!("the desired retention is {} to {}", RETENTION.start(), RETENTION.end()),
            ),
            (
                self.weights.as_deref().is_some_and(|weights| !are_weights(weights)),
                "the weights of FSRS are 21 numbers, or null for those of the average learner".to_owned(),
            ),
            (!is_hour(self.day_starts_at), "a day starts at an hour from 0 to 23".to_owned()),
            (!is_hour(self.reached_from_hour), "messages come from an hour from 0 to 23".to_owned()),
            (
                self.easy_days.len() > 7 || !self.easy_days.iter().all(is_day),
                "easy days are days of the week, 1 (Monday) to 7".to_owned(),
            ),
            (
                texts.into_iter().any(|text| is_odd(text)),
                format!("a name or an address has at most {MAX_TEXT_CHARS} characters on one line"),
            ),
            (
                self.email.as_ref().is_some_and(|email| !email.contains('@')),
                "a mail address has an @".to_owned(),
            ),
        ];
        rows.into_iter().find(|(is_wrong, _)| *is_wrong).map_or(Ok(()), |(_, message)| Err(message))
    }
}

fn bad(message: String) -> Rejected {
    Rejected {
        code: "bad_profile",
        message: message.into(),
        cure: "`etude learner show` shows the fields as they are; docs/data.md says what each means".into(),
    }
}
