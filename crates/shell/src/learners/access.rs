//! Tells callers apart: the owner of the server, who may do everything, and learners, who see only their own data.

use crate::engine::app::App;
use crate::engine::failure::Failure;
use coaching::rejected::Rejected;
use store::Instance;

/// The learner meant by an owner who names none.
pub const DEFAULT_LEARNER: &str = "me";

#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Access {
    Owner,
    Learner(String),
}

impl Access {
    /// Returns the only learner whose data this caller may see and change; `None` for the owner.
    pub fn only(&self) -> Option<&str> {
        match self {
            Access::Owner => None,
            Access::Learner(learner) => Some(learner),
        }
    }

    /// Returns the learner that is meant if none is named.
    pub fn usual(&self) -> &str {
        self.only().unwrap_or(DEFAULT_LEARNER)
    }

    /// Returns the learner that a request is about. To a learner, all others are unknown, whether they exist or
    /// not.
    pub fn learner(&self, named: Option<&str>) -> Result<String, Failure> {
        let learner = named.unwrap_or_else(|| self.usual());
        match self.sees(learner) {
            true => Ok(learner.to_owned()),
            false => Err(unknown_learner(learner)),
        }
    }

    pub fn sees(&self, learner: &str) -> bool {
        self.only().is_none_or(|only| only == learner)
    }

    /// Returns a flow that this caller may see. Another learner's flow gets the answer of one that does not exist.
    pub async fn row(&self, app: &App, id: &str) -> Result<Instance, Failure> {
        let row = app.row(id).await?;
        match self.sees(&row.learner) {
            true => Ok(row),
            false => Err(Failure::UnknownInstance { id: id.to_owned() }),
        }
    }
}

/// Returns the refusal for a name about which nothing is known, or nothing that may be told.
pub fn unknown_learner(learner: &str) -> Failure {
    Failure::Rejected(Rejected {
        code: "unknown_learner",
        message: format!("nothing is kept about {learner:?}").into(),
        cure: "look for the name in `etude list`; who never said theirs is `me`".into(),
    })
}
