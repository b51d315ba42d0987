//! Names the sentences that refuse an unusable profile, and those that say how long it is until something comes
//! back.

use crate::words::WordFile;

pub const FILES: &[WordFile] = &[("en", include_str!("words/en.ftl")), ("de", include_str!("words/de.ftl"))];

crate::refusals! {
    chat_is_linked_there() = "learner-chat-is-linked-there", "bad_profile";
    unknown_field(field, known) = "learner-unknown-field", "bad_profile";
    bad_field(field, why) = "learner-bad-field", "bad_profile";
    no_time_zone(zone) = "learner-no-time-zone", "bad_profile";
    bad_retention(least, most) = "learner-bad-retention", "bad_profile";
    bad_weights() = "learner-bad-weights", "bad_profile";
    bad_day_start() = "learner-bad-day-start", "bad_profile";
    bad_reached_hour() = "learner-bad-reached-hour", "bad_profile";
    bad_easy_days() = "learner-bad-easy-days", "bad_profile";
    bad_text(most) = "learner-bad-text", "bad_profile";
    bad_address() = "learner-bad-address", "bad_profile";
}

crate::words! {
    until(count, unit) = "learner-until";
}
