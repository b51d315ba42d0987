//! Coaches coding agents: judges why an agent stopped, and decides what to tell it.
//!
//! [`classify`] reads an agent's final message by rules; [`parse_reply`] reads a model's verdict on it. Either
//! gives a [`ClassificationResult`], from which [`build_coaching_message`] makes the best message available: the
//! model's own, a template for a completion without evidence, one that names what is open, or "continue" where that
//! is wanted.
//!
//! A message is cut into clauses, and quoted text is set apart (`message`, `spans`). From the words of each zone
//! and the structure of the whole (`features`, `evidence`, `lexicon`) the `scorer` computes the probability of each
//! kind. Rules decide only where the agent's own program says what happened (`classify`, `error_shape`).
//! `evaluation` measures all this.
//!
//! The human's words and the agent's actions count for more than the agent's message: `clauses` reads a prompt,
//! `limits` finds the work it rules out, and `risks` the steps that only a human decides; `work` holds what was
//! seen, and `open` names what is open, or finds nothing to name. `fit` tells whether a model's coaching may be
//! passed on.
//!
//! [`AgentCoach`] is the flow: `law.yaml` decides what follows from a verdict, and `session` holds what the coach
//! remembers.

pub mod caution;
mod classify;
mod clauses;
mod coach;
mod desk;
mod duplicate;
mod error_shape;
mod evaluation;
mod evidence;
mod features;
mod fit;
mod flow;
mod human;
mod judge;
mod last_words;
mod lexicon;
mod limits;
mod message;
mod open;
mod order;
mod phrases;
mod plan;
mod playbook;
mod redact;
mod reply;
mod risks;
pub mod scorer;
mod session;
mod skills;
mod spans;
mod tokens;
mod verdict;
mod watch;
pub mod words;
mod work;

pub use self::flow::{
    Action, AgentCoach, CUT_OFF, Event, Fact, LAW, NO_HUMAN, NOT_STARTED, OWN_WORDS, PROCESS_FAILED, STANDS,
    TIME_LIMIT, WATCHDOG, vocabulary,
};
pub use classify::{classify, leaning_to_done};
pub use coach::{CoachContext, Coaching, MAX_MESSAGE_CHARS, PREFIX, Tier, build_coaching_message};
pub use desk::AgentMore;
pub use duplicate::near_duplicate;
pub use evaluation::{Band, Costs, Evaluation, Judged, Labelled, OfKind, Part, evaluate};
pub use features::features;
pub use human::human_words;
pub use last_words::last_words;
pub use limits::Earlier;
pub use message::without_escapes;
pub use open::{Held, held_back};
pub use phrases::{MAX_PHRASE_FILE_BYTES, Phrases};
pub use plan::{Criterion, Plan, criteria, success_criteria};
pub use playbook::{MAX_PLAYBOOK_FILE_BYTES, Playbook, Templates};
pub use redact::{preview, redact};
pub use reply::{CLASSIFIER_PROMPT, ParseError, REPLY_SCHEMA, model_input, parse_reply};
pub use session::{AgentOpening, Counts, Crashed, Data, Decided, Decision, MAX_MINUTES, Prompted, Stopped};
pub use skills::{Skill, detect_skill, read_skills, shipped_skills};
pub use verdict::{ClassificationResult, MIN_CONFIDENCE, OutputType, Signals, StopReason};
pub use watch::{Alarm, Thresholds, Trouble, Watch, Watched};
pub use work::{Check, MAX_RUNS, Run, Todo, Work, changed_by, failing_lines, is_prose};

/// Loads the weights, words and templates that ship with the coach, so that the first judgement need not wait for
/// them.
pub fn prepare() {
    let _ = (scorer::Scorer::shipped(), caution::Caution::shipped(), lexicon::Lexicon::shipped());
    let _ = (Phrases::shipped(), Templates::shipped());
}
