//! What can go wrong with an ask, sorted by what the caller does next.

use super::budget::OverBudget;

/// Each variant is a different reaction of the caller. In every case the caller can let its rules answer;
/// the variant says whether asking again later, waiting, or telling the operator makes sense.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum ModelError {
    /// The caller itself gave up; nobody has to be told.
    #[error("the ask was cancelled before the model answered")]
    Cancelled,
    #[error("the model did not answer in time: {what}; raise the model time-out or use a faster model")]
    TimedOut { what: String },
    #[error(transparent)]
    OverBudget(#[from] OverBudget),
    /// Asking the same again is pointless.
    #[error("the model refused to answer: {why}")]
    Refused { why: String },
    #[error("the model server asks for a pause{}", pause(*.retry_after_ms))]
    RateLimited { retry_after_ms: Option<u64> },
    /// The reply was unusable, also after the model was told why.
    #[error("the model's reply is unusable: {why}; it began: {preview:?}")]
    BadReply { why: String, preview: String },
    /// The prompt does not fit the model, also without its older messages.
    #[error("the prompt is too long for the model: {why}; shorten it or use a model with a larger context")]
    TooLong { why: String },
    #[error("the model server did not accept the key: {why}; check the configured API key")]
    Unauthorized { why: String },
    /// Nothing usable came over the wire: no connection, a cut connection, or a failing server.
    #[error("the model server could not be used: {why}; check that it runs and can be reached")]
    Unreachable { why: String },
    /// Only a change of configuration, or of the program, helps.
    #[error("the model port is misconfigured: {what}; {cure}")]
    Misconfigured { what: String, cure: String },
}

fn pause(retry_after_ms: Option<u64>) -> String {
    match retry_after_ms {
        Some(ms) => format!(" of {} s", ms.div_ceil(1000)),
        None => ", without saying how long".to_owned(),
    }
}
