//! Lists every failure, with its code, its HTTP status and its cure.

use super::flows::Unproved;
use coaching::rejected::Rejected;
use coaching::words::{Text, Worded};
use flow::Problem;
use store::{CommitError, StoreError};

#[derive(Debug)]
pub enum Failure {
    UnknownInstance {
        id: String,
    },
    UnknownFlow {
        name: String,
        known: Vec<String>,
    },
    UnknownEvent {
        event: String,
        allowed: Vec<String>,
    },
    UnknownFact {
        fact: String,
        known: Vec<String>,
    },
    /// The event is not allowed in this state.
    Refused {
        state: String,
        event: String,
        allowed: Vec<String>,
    },
    /// The flow has ended.
    Over {
        state: String,
        outcome: String,
    },
    /// The payload of the event cannot be used.
    Rejected(Rejected),
    /// Another turn has moved the flow.
    Conflict {
        version: u64,
        state: String,
    },
    /// The flow runs under a law that the present one cannot take over.
    LawChanged {
        id: String,
        reason: String,
    },
    /// The law could not be proved.
    Unproved {
        problems: Vec<Problem>,
    },
    /// Stored data or a promise of the law is broken.
    Broken {
        id: String,
        reason: String,
    },
    Store(StoreError),
}

impl From<Unproved> for Failure {
    fn from(Unproved { problems }: Unproved) -> Failure {
        Failure::Unproved { problems }
    }
}

impl From<CommitError> for Failure {
    fn from(error: CommitError) -> Failure {
        match error {
            CommitError::Store(error) => Failure::Store(error),
            CommitError::Conflict { current } => {
                let (version, state) = current.unwrap_or_default();
                Failure::Conflict { version, state }
            }
            CommitError::Exists | CommitError::Duplicate { .. } => {
                Failure::Conflict { version: 0, state: String::new() }
            }
        }
    }
}

impl From<StoreError> for Failure {
    fn from(error: StoreError) -> Failure {
        Failure::Store(error)
    }
}

impl Failure {
    /// Returns the code that programs see. It is stable.
    pub fn code(&self) -> &'static str {
        match self {
            Failure::UnknownInstance { .. } => "unknown_instance",
            Failure::UnknownFlow { .. } => "unknown_flow",
            Failure::UnknownEvent { .. } => "unknown_event",
            Failure::UnknownFact { .. } => "unknown_fact",
            Failure::Refused { .. } => "event_not_allowed",
            Failure::Over { .. } => "flow_is_over",
            Failure::Rejected(rejected) => rejected.code,
            Failure::Conflict { .. } => "version_conflict",
            Failure::LawChanged { .. } => "law_changed",
            Failure::Unproved { .. } => "law_not_proved",
            Failure::Broken { .. } => "broken_instance",
            Failure::Store(StoreError::Full(_)) => "disk_full",
            Failure::Store(StoreError::InDoubt(_)) => "in_doubt",
            Failure::Store(StoreError::Corrupt(_)) => "corrupt",
            Failure::Store(_) => "store_unavailable",
        }
    }

    pub fn status(&self) -> u16 {
        match self {
            Failure::UnknownInstance { .. } => 404,
            Failure::UnknownFlow { .. }
            | Failure::UnknownEvent { .. }
            | Failure::UnknownFact { .. }
            | Failure::Unproved { .. } => 422,
            Failure::Rejected(rejected) if rejected.is_conflict() => 409,
            Failure::Rejected(_) => 422,
            Failure::Refused { .. }
            | Failure::Over { .. }
            | Failure::Conflict { .. }
            | Failure::LawChanged { .. } => 409,
            Failure::Broken { .. } => 500,
            Failure::Store(StoreError::Full(_)) => 507,
            Failure::Store(StoreError::Invalid(_) | StoreError::Corrupt(_)) => 500,
            Failure::Store(_) => 503,
        }
    }

    /// Whether a retry may work: the store is out of service for the moment.
    pub fn may_pass(&self) -> bool {
        match self {
            Failure::Store(error) => !matches!(error, StoreError::Invalid(_) | StoreError::Corrupt(_)),
            _ => false,
        }
    }

    /// Whether the flow cannot go on with the law and data of this node. Work that waits for it may still be done
    /// under another law or on another node.
    pub fn is_standstill(&self) -> bool {
        matches!(self, Failure::LawChanged { .. } | Failure::Unproved { .. } | Failure::Broken { .. })
    }

    /// Returns the names that can be used instead.
    pub fn allowed(&self) -> &[String] {
        match self {
            Failure::UnknownEvent { allowed, .. } | Failure::Refused { allowed, .. } => allowed,
            Failure::UnknownFlow { known, .. } | Failure::UnknownFact { known, .. } => known,
            _ => &[],
        }
    }

    pub fn cure(&self) -> String {
        match self {
            Failure::UnknownInstance { .. } => {
                "`etude list`, or `/api/instances` of the server, shows the flows there are".into()
            }
            Failure::UnknownFlow { known, .. } => format!("known flows: {}", listed(known)),
            Failure::UnknownEvent { allowed, .. } | Failure::Refused { allowed, .. } => {
                format!("send one of: {}", listed(allowed))
            }
            Failure::UnknownFact { known, .. } => format!("the law asks: {}", listed(known)),
            Failure::Over { .. } => "open a new one, or resume it if its flow can be resumed".into(),
            Failure::Rejected(rejected) => rejected.cure.to_string(),
            Failure::Conflict { .. } => "look at it again, then decide again".into(),
            Failure::LawChanged { .. } => {
                "run the program version that has the old law, or give a migration: `etude diff OLD NEW` says what changed".into()
            }
            Failure::Unproved { .. } => "`etude check` shows every problem with its place and cure".into(),
            Failure::Broken { .. } => "`etude log` and `etude replay` show how it came to this; restore a backup if the data is damaged".into(),
            Failure::Store(StoreError::InDoubt(_)) => {
                "look at it again, or repeat it with the same Idempotency-Key: it is taken once".into()
            }
            Failure::Store(StoreError::Corrupt(_)) => {
                "`etude doctor` says what is damaged; `etude restore` brings a backup back".into()
            }
            Failure::Store(_) => "nothing was changed; see the message".into(),
        }
    }
}

/// Skips one of several independent things if it is broken, and logs it. A failing store affects all of them and
/// stays a failure.
pub fn readable<T>(found: Result<T, Failure>) -> Result<Option<T>, Failure> {
    match found {
        Ok(found) => Ok(Some(found)),
        Err(failure) if failure.may_pass() => Err(failure),
        Err(failure) => {
            tracing::warn!(%failure, "one of several is passed over");
            Ok(None)
        }
    }
}

/// Formats a count with its noun: `1 problem`, `2 problems`.
pub fn counted(count: usize, thing: &str) -> String {
    format!("{count} {thing}{}", if count == 1 { "" } else { "s" })
}

fn listed(names: &[String]) -> String {
    if names.is_empty() { "nothing".into() } else { names.join(", ") }
}

impl std::fmt::Display for Failure {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Failure::UnknownInstance { id } => write!(f, "there is no flow with the id `{}`", short(id)),
            Failure::UnknownFlow { name, .. } => write!(f, "there is no flow called `{}`", short(name)),
            Failure::UnknownEvent { event, .. } => write!(f, "the law knows no event `{}`", short(event)),
            Failure::UnknownFact { fact, .. } => write!(f, "the law asks no fact `{}`", short(fact)),
            Failure::Refused { state, event, .. } => write!(f, "`{event}` cannot happen in `{state}`"),
            Failure::Over { state, outcome } => write!(f, "the flow has ended in `{state}` with `{outcome}`"),
            Failure::Rejected(rejected) => write!(f, "{}", rejected.message),
            Failure::Conflict { version, state } => {
                write!(f, "the flow has moved on: it stands at version {version} in `{state}`")
            }
            Failure::LawChanged { id, reason } => {
                write!(
                    f,
                    "`{id}` runs under another version of its law, and the present one cannot take it over: {reason}"
                )
            }
            Failure::Unproved { problems } => {
                let first = problems.first().map_or(String::new(), |p| format!(": {} {}", p.code, p.message));
                write!(f, "the law has {} and may not run{first}", counted(problems.len(), "problem"))
            }
            Failure::Broken { id, reason } => write!(f, "`{}` cannot go on: {reason}", short(id)),
            Failure::Store(error) => write!(f, "{error}"),
        }
    }
}

impl std::error::Error for Failure {}

impl Worded for Failure {
    fn each_text(&mut self, change: &mut dyn FnMut(&mut Text)) {
        if let Failure::Rejected(rejected) = self {
            rejected.each_text(change);
        }
    }
}

/// Shortens a name for a message. Names come from outside and may contain anything.
fn short(text: &str) -> String {
    text.chars().filter(|c| !c.is_control()).take(80).collect()
}
