//! Sets the fields of a profile that may be changed from outside.

use super::{Chooser, Profile, RETENTION, are_weights, time_zone, words};
use crate::rejected::Rejected;
use serde::Deserialize;
use serde_json::{Map, Value, json};

const MAX_TEXT_CHARS: usize = 200;
/// The number of characters of an unknown name that a message repeats.
const MAX_NAMED_CHARS: usize = 40;

impl Profile {
    /// Sets some fields and keeps the others. If one of them is invalid, nothing changes.
    pub fn set_fields(&mut self, changes: &Map<String, Value>) -> Result<(), Rejected> {
        if changes.contains_key("telegram_chat") {
            return Err(words::chat_is_linked_there());
        }
        let mut changed = self.clone();
        for (name, value) in changes {
            changed = changed.with_field(name, value)?;
        }
        changed.check()?;
        let is_choice = ["memory", "weights"].into_iter().any(|name| changes.contains_key(name));
        if is_choice && !changes.contains_key("memory_chosen_by") {
            changed.memory_chosen_by = Chooser::Learner;
        }
        *self = changed;
        Ok(())
    }

    fn with_field(&self, name: &str, value: &Value) -> Result<Profile, Rejected> {
        let mut fields = json!(self);
        let Some(field) = fields.get_mut(name) else {
            let known: Vec<&str> =
                fields.as_object().into_iter().flat_map(Map::keys).map(String::as_str).collect();
            let name: String = name.chars().take(MAX_NAMED_CHARS).collect();
            return Err(words::unknown_field(name, known.join(", ")));
        };
        *field = value.clone();
        Profile::deserialize(fields).map_err(|error| words::bad_field(name, error.to_string()))
    }

    fn check(&self) -> Result<(), Rejected> {
        time_zone(&self.time_zone).map_err(|_| words::no_time_zone(self.time_zone.as_str()))?;
        let is_hour = |hour: i8| (0..24).contains(&hour);
        let is_odd = |text: &str| text.chars().count() > MAX_TEXT_CHARS || text.chars().any(char::is_control);
        let is_day = |day: &i8| (1..=7).contains(day);
        let texts = [&self.name, &self.email].into_iter().flatten();
        let (least, most) = (RETENTION.start().to_string(), RETENTION.end().to_string());
        let rows = [
            (!RETENTION.contains(&self.desired_retention), words::bad_retention(least, most)),
            (self.weights.as_deref().is_some_and(|weights| !are_weights(weights)), words::bad_weights()),
            (!is_hour(self.day_starts_at), words::bad_day_start()),
            (!is_hour(self.reached_from_hour), words::bad_reached_hour()),
            (self.easy_days.len() > 7 || !self.easy_days.iter().all(is_day), words::bad_easy_days()),
            (texts.into_iter().any(|text| is_odd(text)), words::bad_text(MAX_TEXT_CHARS as u32)),
            (self.email.as_ref().is_some_and(|email| !email.contains('@')), words::bad_address()),
        ];
        rows.into_iter().find(|(is_wrong, _)| *is_wrong).map_or(Ok(()), |(_, refusal)| Err(refusal))
    }
}
