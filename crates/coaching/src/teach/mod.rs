//! Teaching: a diagnosis finds out what the learner knows, a map of concepts is laid out, one concept at a time is
//! explained and quizzed, and what was understood comes back on the right day.
//!
//! `law.yaml` decides what happens next in a course, `review.yaml` in a sitting of recall beside it. Both work on the
//! same documents: a map, and how well each of its concepts is known. Everything works from curricula and pure rules;
//! a model widens what can be taught. Another tutor may lead a course as well, such as an assistant through tools:
//! then Etude keeps the map, the memory and the law, and says nothing itself.

mod about;
pub mod analytics;
mod asked;
pub mod chart;
pub mod course;
mod desk;
pub mod diagnosis;
pub mod digest;
pub mod looks;
mod objection;
mod own_judgement;
pub mod progress;
pub mod recall;
pub mod review;
mod room;
mod says;
pub mod slate;
pub mod stale;
pub mod state;
mod tutor;
pub mod verbs;
pub mod words;

/// The names of the two flows.
pub const COURSE: &str = "teach";
pub const REVIEW: &str = "review";

/// The code of the refusal when there is nothing to teach a topic from.
pub const NO_CURRICULUM: &str = "no_curriculum";

pub use course::Course;
pub use desk::{Exchange, Last};
pub use review::Review;
pub use room::{
    Header, LESSON_KIND, MAP_DOCUMENT_KIND, MAP_KIND, MapStatus, NODE_KIND, RESPONSE_KIND, Response,
    SCHEDULE_KIND, Schedule, answers_scope, schedules_scope,
};
