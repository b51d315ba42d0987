//! Finds the flow that a message is for: the one whose message it answers, the one its topic belongs to, or the one
//! that asked last and waits.

use super::TOPIC_KIND;
use crate::effects::notices::{SENT_KIND, Sent};
use crate::engine::app::App;
use crate::engine::call::open_flows;
use crate::engine::failure::Failure;
use crate::engine::setting::scope_of;
use crate::engine::turn;
use crate::engine::view::View;
use coaching::desk::{Ask, Form};
use coaching::face::{Face, Verb, Who};
use outside::notify::Incoming;
use store::Instance;

/// The flow that a message is for.
#[derive(Debug, Default)]
pub(super) struct Spoken {
    /// The flow, open or ended; `None` if no flow waits for a message.
    pub view: Option<View>,
    /// The reason why a flow that might wait cannot go on.
    pub stuck: Option<Failure>,
    /// Whether the message replies to one that asked nothing.
    pub answers_nothing: bool,
    /// The mark of the question that the message replies to.
    pub answers: Option<String>,
}

/// The target of a record.
enum Pointed {
    At(Box<View>, Sent),
    /// The record points to no flow of this learner: a job sent the message, or it was for the chat's previous
    /// owner.
    Elsewhere,
    Nowhere,
}

/// Finds the flow that a message is for. Flows that cannot continue are skipped.
pub(super) async fn flow(app: &App, learner: &str, message: &Incoming) -> Result<Spoken, Failure> {
    if let Some(answered) = message.reply_to_message_id {
        let key = format!("{}/{answered}", message.chat_id);
        match pointed_at(app, learner, SENT_KIND, &key).await? {
            Pointed::At(view, Sent { question, .. }) => {
                return Ok(Spoken { view: Some(*view), answers: question, ..Spoken::default() });
            }
            Pointed::Elsewhere => return Ok(Spoken { answers_nothing: true, ..Spoken::default() }),
            Pointed::Nowhere => {}
        }
    }
    first(app, learner, message, |view| waits(app, view)).await
}

/// Finds the flow that offers such a verb now: the one that the message is for, or else the one that moved last.
pub(super) async fn offering(
    app: &App,
    learner: &str,
    message: &Incoming,
    is_it: impl Fn(&Verb) -> bool,
) -> Result<Spoken, Failure> {
    let offers = |view: &View| offered(app, view, &is_it).is_some();
    let spoken = flow(app, learner, message).await?;
    if spoken.view.as_ref().is_some_and(offers) {
        return Ok(spoken);
    }
    first(app, learner, message, offers).await
}

/// Returns the matching verb that a flow offers its learner now.
pub(super) fn offered(app: &App, view: &View, is_it: impl Fn(&Verb) -> bool) -> Option<&'static Verb> {
    let (face, desk) = (app.flows.get(&view.flow)?.face?, view.desk.as_ref()?);
    let is_offered = |verb: &Verb| desk.verbs.iter().any(|offer| offer.name == verb.name);
    face.verbs.iter().find(|verb| is_it(verb) && is_offered(verb))
}

/// Whether a flow can be used in a chat: its learner answers it in words, and it has a chat command.
pub(super) fn is_for_chats(face: &Face) -> bool {
    face.says().is_some_and(|verb| verb.who == Who::Learner)
        && face.verbs.iter().any(|verb| !verb.chat.is_empty())
}

/// Finds the first open flow within the message's topic that passes the test.
async fn first(
    app: &App,
    learner: &str,
    message: &Incoming,
    fits: impl Fn(&View) -> bool,
) -> Result<Spoken, Failure> {
    let scope = topic(app, learner, message).await?;
    let open = open(app, learner, scope.as_deref()).await?;
    let mut stuck = None;
    for row in open {
        match app.place(row).await.map(|placed| turn::view_of(&placed)) {
            Ok(view) if fits(&view) => return Ok(Spoken { view: Some(view), ..Spoken::default() }),
            Ok(_) => {}
            Err(failure) if failure.may_pass() => return Err(failure),
            Err(failure) => {
                tracing::warn!(learner, %failure, "a flow cannot go on");
                stuck.get_or_insert(failure);
            }
        }
    }
    Ok(Spoken { stuck, ..Spoken::default() })
}

/// Returns the course that a message is about: that of its flow or topic, or the course used last.
pub(super) async fn course(app: &App, learner: &str, message: &Incoming) -> Result<Option<String>, Failure> {
    if let Some(view) = flow(app, learner, message).await?.view {
        return Ok(Some(scope_of(&view.id).to_owned()));
    }
    let scope = topic(app, learner, message).await?;
    let open = open(app, learner, scope.as_deref()).await?;
    Ok(open.first().map(|row| scope_of(&row.id).to_owned()))
}

/// Whether a flow waits for a message from the learner.
fn waits(app: &App, view: &View) -> bool {
    view.outcome.is_none() && (is_asked(app, view) || is_lesson(view))
}

/// Returns the input that a flow waits for from its learner.
pub(super) fn asked(view: &View) -> Option<&Ask> {
    view.desk.as_ref()?.ask.as_ref().filter(|ask| !matches!(ask.form, Form::Wait { .. }))
}

/// Whether a question waits for its answer. Verbs other than the answering one have commands of their own.
pub(super) fn is_asked(app: &App, view: &View) -> bool {
    let says = app.flows.get(&view.flow).and_then(|entry| entry.face?.says());
    asked(view).is_some_and(|ask| ask.form != Form::Read && says.is_some_and(|verb| verb.name == ask.verb))
}

/// Whether the learner has something to read.
pub(super) fn is_lesson(view: &View) -> bool {
    asked(view).is_some_and(|ask| ask.form == Form::Read)
}

/// Returns the event of a verb if the flow takes it now.
pub(super) fn event(app: &App, view: &View, verb: &str) -> Option<&'static str> {
    let face = app.flows.get(&view.flow)?.face?;
    let event = face.verbs.iter().find(|known| known.name == verb)?.event()?;
    view.allowed.iter().any(|allowed| allowed == event).then_some(event)
}

async fn topic(app: &App, learner: &str, message: &Incoming) -> Result<Option<String>, Failure> {
    let Some(thread_id) = message.thread_id else { return Ok(None) };
    let key = format!("{}/{thread_id}", message.chat_id);
    match pointed_at(app, learner, TOPIC_KIND, &key).await? {
        Pointed::At(view, _) => Ok(Some(view.id)),
        Pointed::Elsewhere | Pointed::Nowhere => Ok(None),
    }
}

/// Follows a record to its flow, if that is this learner's.
async fn pointed_at(app: &App, learner: &str, kind: &str, key: &str) -> Result<Pointed, Failure> {
    let Some(record) = app.store.record("", kind, key).await? else { return Ok(Pointed::Nowhere) };
    let Ok(sent) = serde_json::from_str::<Sent>(&record.body) else { return Ok(Pointed::Nowhere) };
    match app.load(&sent.instance).await {
        Ok(placed) if placed.row.learner == learner => {
            Ok(Pointed::At(Box::new(turn::view_of(&placed)), sent))
        }
        Ok(_) | Err(Failure::UnknownInstance { .. }) => Ok(Pointed::Elsewhere),
        Err(failure) => Err(failure),
    }
}

/// Returns a learner's open flows, most recently used first. Within a course, only the course and its reviews.
async fn open(app: &App, learner: &str, scope: Option<&str>) -> Result<Vec<Instance>, Failure> {
    let mut rows = Vec::new();
    for face in app.flows.entries().filter_map(|entry| entry.face).filter(is_for_chats) {
        rows.extend(open_flows(app, face.name, learner).await?);
    }
    rows.retain(|row| scope.is_none_or(|scope| scope_of(&row.id) == scope));
    rows.sort_by(|a, b| b.updated_at.cmp(&a.updated_at).then_with(|| b.id.cmp(&a.id)));
    Ok(rows)
}
