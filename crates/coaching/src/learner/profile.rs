//! How a learner wants to be taught and reached: one small document of their own.

use super::memory::{DESIRED_RETENTION, Memory};
use serde::{Deserialize, Serialize};

/// The kind and key of the record that holds it.
pub const PROFILE_KIND: &str = "profile";
pub const PROFILE_KEY: &str = "me";

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct Profile {
    /// Their name; their id if they gave none.
    pub name: Option<String>,
    pub memory: Memory,
    /// The chance of recall at which something is asked again, 0.70 to 0.97.
    pub desired_retention: f64,
    /// The weights of FSRS, if their own log was enough to fit them.
    pub weights: Option<Vec<f32>>,
    /// Whether the learner or the nightly fit chose these.
    pub memory_chosen_by: Chooser,
    /// An IANA name. Days and schedules are counted in it.
    pub time_zone: String,
    /// The hour at which their day begins, so that a session past midnight still belongs to the same day.
    pub day_starts_at: i8,
    /// Whether reviews are moved a little so that no day has too many.
    pub balances_load: bool,
    /// Days of the week with few reviews, Monday = 1.
    pub easy_days: Vec<i8>,
    /// Whether a good answer counts a little for the concepts that it builds on.
    pub gives_implicit_credit: bool,
    /// Where messages go that they are not waiting for.
    pub preferred_channel: Channel,
    /// Messages come from this hour of the day on, and never between midnight and it.
    pub reached_from_hour: i8,
    pub telegram_chat: Option<i64>,
    pub email: Option<String>,
    /// Whether the weekly digest is sent.
    pub wants_digest: bool,
}

/// Who chose a memory model and its weights. The nightly fit keeps choosing until the learner does.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Chooser {
    #[default]
    Fit,
    Learner,
}

/// A way to reach a learner.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Channel {
    /// Shown when they next look.
    #[default]
    Inbox,
    Telegram,
    Email,
}

impl Default for Profile {
    fn default() -> Profile {
        Profile {
            name: None,
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
