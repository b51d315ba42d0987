//! One drill session and its turns. Nothing here prints.

use super::standing::Standing;
use crate::engine::app::App;
use crate::engine::failure::Failure;
use crate::engine::turn::{self, Opening, Request};
use crate::engine::view::{Said, View};
use crate::engine::worker;
use coaching::drill::Event;
use coaching::turn::Source;
use flow::Name;
use serde_json::{Value, json};
use std::time::Duration;
use store::Filter;

/// The flow that this terminal is for.
pub(super) const FLOW: &str = "drill";
/// How many open sessions of one learner are looked through.
const MAX_OPEN: usize = 1_000;
const LOG_PAGE: usize = 1_000;

/// A session that is open or has just ended.
#[derive(Debug)]
pub(super) struct Session<'a> {
    app: &'a App,
    view: View,
    standing: Standing,
    words_in_all: usize,
    /// Whether silence counts. If not, no timer stays armed: nobody is to be hurried by another process either.
    is_timed: bool,
}

/// What became of something that the learner did.
#[derive(Debug)]
pub(super) enum Turn {
    Taken(Vec<Said>),
    /// Somebody else had moved the session on, so it was not taken.
    MovedOn,
}

/// A session that could be gone on with, or why it cannot.
#[derive(Debug)]
pub(super) enum Open {
    Resumable(Box<View>, Standing),
    Stuck(Failure),
}

/// How long the law waits in the present state, and what it is told then.
#[derive(Debug)]
pub(super) struct Patience {
    pub lasts: Duration,
    event: String,
}

/// The open sessions of a learner, newest first. Spoken ones are left to the program that speaks them.
pub(super) async fn open_sessions(app: &App, learner: &str) -> Result<Vec<Open>, Failure> {
    let filter = Filter {
        flow: Some(FLOW.to_owned()),
        learner: Some(learner.to_owned()),
        open: Some(true),
        ..Filter::default()
    };
    let page = app.store.list(&filter, None, MAX_OPEN).await?;
    let mut sessions = Vec::new();
    for row in page.instances {
        match resumed(app, row).await {
            Ok(view) => {
                if let Some(standing) = Standing::read(&view.data).filter(|_| is_typed(&view)) {
                    sessions.push(Open::Resumable(Box::new(view), standing));
                }
            }
            Err(Failure::Store(error)) => return Err(Failure::Store(error)),
            Err(failure) => sessions.push(Open::Stuck(failure)),
        }
    }
    Ok(sessions)
}

/// A session as it stands. One that was left while the coach was asking a model gets its answer now.
async fn resumed(app: &App, row: store::Instance) -> Result<View, Failure> {
    let view = turn::view_of(&app.place(row).await?);
    if is_typed(&view) {
        return Ok(view);
    }
    worker::take_up(app, &view.id).await?;
    Ok(turn::view_of(&app.load(&view.id).await?))
}

fn is_typed(view: &View) -> bool {
    [Event::Start, Event::AsrResult].iter().any(|event| takes(view, *event))
}

/// Begins a session; also what the coach says first.
pub(super) async fn begin(
    app: &App,
    opening: Opening,
    is_timed: bool,
) -> Result<(Session<'_>, Vec<Said>), Failure> {
    let opening = Opening { flow: FLOW.to_owned(), ..opening };
    let view = turn::open(app, opening).await?.view;
    go_on(app, view, is_timed).await
}

/// Takes a session up again; it begins now if it was opened and never begun.
pub(super) async fn go_on(
    app: &App,
    view: View,
    is_timed: bool,
) -> Result<(Session<'_>, Vec<Said>), Failure> {
    let standing = read(&view)?;
    let finished = count_finished(app, &view.id).await?;
    let words_in_all = finished + standing.queue + usize::from(standing.target.is_some());
    let mut session = Session { app, view, standing, words_in_all, is_timed };
    if !takes(&session.view, Event::Start) {
        session.disarm().await?;
        return Ok((session, Vec::new()));
    }
    match session.take(Event::Start.name(), Value::Null, Source::User).await? {
        Turn::Taken(said) => Ok((session, said)),
        Turn::MovedOn => Ok((session, Vec::new())),
    }
}

/// Ends a session for good without taking it up.
pub(super) async fn end(app: &App, view: &View) -> Result<(), Failure> {
    let request = Request::new(&view.id, Event::Leave.name(), Source::User);
    match turn::take(app, request).await {
        Ok(_) | Err(Failure::Over { .. }) => Ok(()),
        Err(failure) => Err(failure),
    }
}

impl Session<'_> {
    pub(super) fn standing(&self) -> &Standing {
        &self.standing
    }

    pub(super) fn outcome(&self) -> Option<&str> {
        self.view.outcome.as_deref()
    }

    /// Which word of this session is being practised, and how many there are.
    pub(super) fn place_of_word(&self) -> (usize, usize) {
        (self.words_in_all.saturating_sub(self.standing.queue), self.words_in_all)
    }

    pub(super) async fn answer(&mut self, text: &str) -> Result<Turn, Failure> {
        self.take(Event::AsrResult.name(), json!({ "text": text }), Source::User).await
    }

    pub(super) async fn leave(&mut self) -> Result<Turn, Failure> {
        self.take(Event::Leave.name(), Value::Null, Source::User).await
    }

    /// How long the learner may be silent. The wait begins when the learner sees the coach's line, so a session
    /// that is taken up a day later is not late.
    pub(super) async fn patience(&self) -> Result<Option<Patience>, Failure> {
        if !self.is_timed {
            return Ok(None);
        }
        let placed = self.app.load(&self.view.id).await?;
        let first = placed.machine.timers(placed.at.state).iter().min_by_key(|after| after.millis);
        Ok(first.map(|after| Patience {
            lasts: Duration::from_millis(after.millis),
            event: placed.machine.event_name(after.event).to_owned(),
        }))
    }

    /// Tells the law that the learner was silent for so long.
    pub(super) async fn stay_silent(&mut self, patience: &Patience) -> Result<Turn, Failure> {
        self.take(&patience.event, Value::Null, Source::Timer).await
    }

    /// Stops without ending. A learner who has gone is not silent, so no timer stays behind.
    pub(super) async fn stop(&mut self) -> Result<(), Failure> {
        self.is_timed = false;
        self.disarm().await
    }

    async fn take(&mut self, event: &str, payload: Value, source: Source) -> Result<Turn, Failure> {
        let request = Request {
            payload,
            expect_version: Some(self.view.version),
            ..Request::new(&self.view.id, event, source)
        };
        let turn = match turn::take(self.app, request).await {
            Ok(answer) => {
                self.stand(answer.view)?;
                Turn::Taken(answer.said.iter().map(Said::from).collect())
            }
            Err(Failure::Conflict { .. }) => {
                let placed = self.app.load(&self.view.id).await?;
                self.stand(turn::view_of(&placed))?;
                Turn::MovedOn
            }
            Err(failure) => return Err(failure),
        };
        self.disarm().await?;
        Ok(turn)
    }

    fn stand(&mut self, view: View) -> Result<(), Failure> {
        self.standing = read(&view)?;
        self.view = view;
        Ok(())
    }

    async fn disarm(&self) -> Result<(), Failure> {
        if self.is_timed {
            return Ok(());
        }
        for timer in self.app.store.timers(&self.view.id).await? {
            self.app.store.discard_timer(&timer).await?;
        }
        Ok(())
    }
}

fn takes(view: &View, event: Event) -> bool {
    view.allowed.iter().any(|allowed| allowed == event.name())
}

fn read(view: &View) -> Result<Standing, Failure> {
    Standing::read(&view.data).ok_or_else(|| Failure::Broken {
        id: view.id.clone(),
        reason: "its pack is not there any more, or its data is damaged".to_owned(),
    })
}

/// The words that were finished before: each made way for the next one.
async fn count_finished(app: &App, id: &str) -> Result<usize, Failure> {
    let (mut count, mut last) = (0, 0);
    loop {
        let entries = app.store.log(id, last, LOG_PAGE).await?;
        count += entries.iter().filter(|entry| entry.event == Event::NextWordAvailable.name()).count();
        match entries.last() {
            Some(entry) if entries.len() == LOG_PAGE => last = entry.version,
            _ => return Ok(count),
        }
    }
}
