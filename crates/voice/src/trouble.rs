//! Failures, each with a cure.

/// A failure that a person can do something about.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{message}")]
pub struct Trouble {
    pub message: String,
    pub cure: String,
}

impl Trouble {
    pub fn new(message: impl Into<String>, cure: impl Into<String>) -> Trouble {
        Trouble { message: message.into(), cure: cure.into() }
    }

    /// Returns the failure of a model that does not work as it should.
    pub(crate) fn engine(what: &str, why: impl std::fmt::Display) -> Trouble {
        Trouble::new(
            format!("{what} failed: {why}"),
            "run `etude voice setup` to check the models, and `etude voice test` to try them",
        )
    }
}
