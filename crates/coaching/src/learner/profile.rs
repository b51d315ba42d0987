//! Defines how a learner wants to be taught and reached: one small document of their own.

use super::memory::{DESIRED_RETENTION, Memory};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// The kind and the key of the record that holds a profile.
pub const PROFILE_KIND: &str = "profile";
pub const PROFILE_KEY: &str = "me";

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(default)]
#[schemars(extend("required" = ["memory", "desired_retention", "time_zone", "day_starts_at", "preferred_channel"]))]
pub struct Profile {
    /// The learner's name; their id if they gave none.
    pub name: Option<String>,
    /// The language in which the coach speaks to them, as a BCP 47 tag.
    pub language: Option<String>,
    /// Which memory model decides when something comes back
    pub memory: Memory,
    /// The chance of recall at which something is asked again, 0.70 to 0.97.
    #[schemars(range(min = 0.7, max = 0.97))]
    pub desired_retention: f64,
    /// The weights of FSRS, if their own log was enough to fit them.
    pub weights: Option<Vec<f32>>,
    /// Who chooses the memory model and its weights. With `fit`, Etude chooses every night what predicts the
    /// learner best
    pub memory_chosen_by: Chooser,
    /// An IANA name such as Europe/Berlin
    pub time_zone: String,
    /// The hour at which their day begins, so that a session past midnight still belongs to the day before.
    #[schemars(range(min = 0, max = 23))]
    pub day_starts_at: i8,
    /// Whether the coach moves reviews a little so that no day has too many.
    pub balances_load: bool,
    /// Days of the week with few reviews, Monday = 1
    #[schemars(inner(range(min = 1, max = 7)))]
    pub easy_days: Vec<i8>,
    /// Whether a good answer counts a little for the concepts that it builds on.
    pub gives_implicit_credit: bool,
    /// The channel for messages that are not a reply.
    pub preferred_channel: Channel,
    /// The hour from which messages come unasked. From midnight until then there are none
    #[schemars(range(min = 0, max = 23))]
    pub reached_from_hour: i8,
    pub telegram_chat: Option<i64>,
    pub email: Option<String>,
    /// Whether the weekly digest is sent.
    pub wants_digest: bool,
}

/// The chooser of a memory model and its weights: Etude or the learner. The nightly fit keeps choosing until the
/// learner does.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
#[schemars(inline)]
pub enum Chooser {
    #[default]
    Fit,
    Learner,
}

/// A way to reach a learner.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
#[schemars(inline)]
pub enum Channel {
    // Shown when the learner next looks.
    #[default]
    Inbox,
    Telegram,
    Email,
}

impl Profile {
    /// Returns the schema of a change: some of the fields. Fields that are left out stay as they are.
    pub fn changes(generator: &mut schemars::SchemaGenerator) -> schemars::Schema {
        let mut schema = Profile::json_schema(generator);
        schema.remove("required");
        schema.insert("additionalProperties".to_owned(), false.into());
        if let Some(fields) = schema.get_mut("properties").and_then(serde_json::Value::as_object_mut) {
            // A chat is linked only by its own code.
            fields.shift_remove("telegram_chat");
        }
        schema
    }
}

impl Default for Profile {
    fn default() -> Profile {
        Profile {
            name: None,
            language: None,
            memory: Memory::default(),
            desired_retention: DESIRED_RETENTION,
            weights: None,
            memory_chosen_by: Chooser::default(),
            time_zone: "UTC".to_owned(),
            day_starts_at: 4,
            balances_load: true,
            easy_days: Vec::new(),
            gives_implicit_credit: true,
            preferred_channel: Channel::default(),
            reached_from_hour: 9,
            telegram_chat: None,
            email: None,
            wants_digest: true,
        }
    }
}
