//! A course or a review that somebody sits before, and its turns. Nothing here prints.

use super::standing::Standing;
use crate::engine::app::App;
use crate::engine::failure::Failure;
use crate::engine::turn::{self, Request};
use crate::engine::view::{Said, View};
use crate::engine::worker;
use coaching::grade::UNCLEAR;
use coaching::teach::slate::Tutor;
use coaching::teach::state::FlowStatus;
use coaching::turn::Source;
use serde_json::{Value, json};

#[derive(Debug)]
pub(super) struct Sitting<'a> {
    app: &'a App,
    view: View,
    standing: Standing,
}

/// What became of something that the learner did.
#[derive(Debug)]
pub(super) enum Turn {
    Taken(Vec<Said>),
    /// Somebody else had moved it on, so it was not taken.
    MovedOn,
    /// The answer could not be read, so the question waits; this is what to ask.
    Unclear(String),
}

/// What has to happen next.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Waits {
    /// An answer of the learner.
    Answer,
    /// The learner reads a lesson.
    Reading,
    /// Nothing can be taught before a review.
    Review,
    /// The learner decides what becomes of a course that has no map.
    Plan,
    /// A model that does not answer.
    Model,
    /// Somebody else leads the course.
    Somebody,
    /// Everything is answered, and the learner may object to the last mark.
    Parting,
    Over,
}

impl Sitting<'_> {
    pub(super) fn new(app: &App, view: View) -> Result<Sitting<'_>, Failure> {
        Ok(Sitting { app, standing: read(&view)?, view })
    }

    /// One that was left. If that was while a model was being asked, its answer is taken now.
    pub(super) async fn resume<'a>(app: &'a App, id: &str) -> Result<Sitting<'a>, Failure> {
        let mut sitting = Sitting::new(app, turn::view_of(&app.load(id).await?))?;
        if sitting.waits() == Waits::Model {
            worker::take_up(app, id).await?;
            sitting.reload().await?;
        }
        Ok(sitting)
    }

    pub(super) fn id(&self) -> &str {
        &self.view.id
    }

    pub(super) fn learner(&self) -> &str {
        &self.view.learner
    }

    pub(super) fn standing(&self) -> &Standing {
        &self.standing
    }

    /// How many probes of the diagnosis are answered.
    pub(super) fn probes(&self) -> u64 {
        self.view.counters.get("probes").and_then(Value::as_u64).unwrap_or(0)
    }

    pub(super) fn takes(&self, event: &str) -> bool {
        self.view.allowed.iter().any(|allowed| allowed == event)
    }

    pub(super) fn waits(&self) -> Waits {
        let status = self.standing.status;
        match () {
            () if self.view.outcome.is_some() => Waits::Over,
            () if self.standing.tutor == Tutor::Outside => Waits::Somebody,
            () if self.standing.question.is_some() => Waits::Answer,
            () if status.is_none() && self.takes("objects") => Waits::Parting,
            () if self.takes("go_on") => Waits::Reading,
            () if status == Some(FlowStatus::Reviewing) => Waits::Review,
            () if self.takes("plan_again") => Waits::Plan,
            () => Waits::Model,
        }
    }

    pub(super) async fn send(&mut self, event: &str, payload: Value) -> Result<Turn, Failure> {
        let request = Request {
            payload,
            expect_version: Some(self.view.version),
            ..Request::new(&self.view.id, event, Source::User)
        };
        match turn::take(self.app, request).await {
            Ok(answer) => {
                self.standing = read(&answer.view)?;
                self.view = answer.view;
                Ok(Turn::Taken(answer.said.iter().map(Said::from).collect()))
            }
            Err(Failure::Conflict { .. }) => {
                self.reload().await?;
                Ok(Turn::MovedOn)
            }
            Err(Failure::Rejected(rejected)) if rejected.code == UNCLEAR => {
                Ok(Turn::Unclear(rejected.cure.to_string()))
            }
            Err(failure) => Err(failure),
        }
    }

    /// Says something to a course or a review. Whoever answers at a terminal stays to hear the mark.
    pub(super) async fn say(&mut self, event: &str, text: &str) -> Result<Turn, Failure> {
        match self.standing.status {
            Some(_) => self.send(event, json!({ "text": text })).await,
            None => self.send(event, json!({ "text": text, "stays": true })).await,
        }
    }

    pub(super) async fn reload(&mut self) -> Result<(), Failure> {
        let view = turn::view_of(&self.app.load(&self.view.id).await?);
        self.standing = read(&view)?;
        self.view = view;
        Ok(())
    }
}

fn read(view: &View) -> Result<Standing, Failure> {
    Standing::read(&view.data)
        .ok_or_else(|| Failure::Broken { id: view.id.clone(), reason: "its data is damaged".to_owned() })
}
