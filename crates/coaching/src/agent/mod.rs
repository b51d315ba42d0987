//! A coach for coding agents: what an agent stopped with, and what to tell it.
//!
//! [`classify`] reads an agent's final message with rules alone; [`parse_reply`] reads what a model made of it.
//! Either gives a [`ClassificationResult`], from which [`build_coaching_message`] makes the best message there is:
//! the model's own, a template for a completion without evidence, one that fits the work under way, or "continue".
//!
//! How the rules read: a message is cut into clauses with what is only quoted set apart (`message`, `spans`), each
//! clause is searched for phrases (`cues`) and for concrete things (`evidence`), what counts is gathered
//! (`findings`), and the first rule that applies gives the verdict (`rules`).
//!
//! [`AgentCoach`] is the flow: `law.yaml` decides what follows from a verdict, `session` is what it remembers.

mod classify;
mod coach;
mod cues;
mod duplicate;
mod error_shape;
mod evidence;
mod findings;
mod flow;
mod judge;
mod message;
mod plan;
mod redact;
mod reply;
mod rules;
mod session;
mod skills;
mod spans;
mod verdict;
mod watch;

pub use self::flow::{Action, AgentCoach, Event, Fact, LAW, OWN_WORDS, vocabulary};
pub use classify::classify;
pub use coach::{CoachContext, Coaching, MAX_MESSAGE_CHARS, PREFIX, Tier, build_coaching_message};
pub use duplicate::near_duplicate;
pub use plan::{PlanDoc, success_criteria};
pub use redact::{preview, redact};
pub use reply::{CLASSIFIER_PROMPT, ParseError, REPLY_SCHEMA, model_input, parse_reply};
pub use session::{Counts, Data, Decided, Decision, Opening, Plan, Stopped};
pub use skills::{
    MAX_SKILL_FILE_BYTES, MAX_SKILLS, Skill, SkillProblem, detect_skill, read_skills, shipped_skills,
};
pub use verdict::{ClassificationResult, MIN_CONFIDENCE, OutputType, Signals, StopReason};
pub use watch::{Alarm, Seen, Thresholds, Trouble, Watch};
