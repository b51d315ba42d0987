//! A sitting of recall: it asks one question about each concept that is due, or that the learner wants to practise.

use super::desk::{self, Last, Waiting};
use super::room::Room;
use super::slate::Slate;
use super::tutor::Marking;
use super::verbs::{self, Answer, Inquiry};
use super::{course, objection, says, tutor, words};
use crate::curriculum::{Curriculum, Purpose};
use crate::desk::{Ask, Desk, Form, Progress, Role};
use crate::face::{Face, Verb};
use crate::learner::US_PER_DAY;
use crate::map::NodeId;
use crate::rejected::Rejected;
use crate::rejected::read_given;
use crate::turn::{At, Flow, SEND_KIND, Stage};
use flow::{Machine, Origin, Vocabulary};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

pub const LAW: &str = include_str!("review.yaml");

/// The number of ignored sittings in a row after which Etude waits until the learner comes back by themselves.
const MAX_LAPSED: u32 = 5;

/// The reasons why a schedule is dropped for good: its course was abandoned, or nothing of it is due.
pub const ABANDONED: &str = "course_abandoned";
pub const NOTHING_DUE: &str = "nothing_due";

flow::names! {
    pub enum Action {
        PoseRecall = "pose_recall",
        Mark = "mark",
        Gather = "gather",
        RefuseObjection = "refuse_objection",
        Uphold = "uphold",
        Close = "close",
        Lapse = "lapse",
    }
}

flow::names! {
    pub enum Event {
        Begin = "begin",
        Asked = "asked",
        Marked = "marked",
        Gathered = "gathered",
        Closed = "closed",
        Answered = "answered",
        Asks = "asks",
        Objects = "objects",
        Leave = "leave",
        Lapsed = "lapsed",
    }
}

flow::names! {
    pub enum Fact {
        HasDue = "has_due",
        HasQuestion = "has_question",
        IsInDoubt = "is_in_doubt",
        IsObjectionable = "is_objectionable",
        MayObject = "may_object",
    }
}

pub fn vocabulary() -> Vocabulary {
    Vocabulary::of::<Action, Event, Fact>("review", |event| match event {
        Event::Answered | Event::Asks | Event::Objects | Event::Leave => Origin::Learner,
        Event::Lapsed => Origin::Silence,
        Event::Begin | Event::Asked | Event::Marked | Event::Gathered | Event::Closed => Origin::Machine,
    })
    .counting(&[RECALLS])
}

const RECALLS: &str = "recalls";

#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct Data {
    pub mind_map_id: String,
    pub title: String,
    /// The cause of the sitting: a schedule by its name, or the learner.
    pub trigger: String,
    /// The concepts left to recall, the next one first.
    pub due: Vec<NodeId>,
    /// The time of the opening. Concepts that were recalled elsewhere since then are not asked for again. Older
    /// programs did not write it down.
    #[serde(default)]
    pub opened_at_us: Option<i64>,
    pub recalled: usize,
    pub answered: usize,
    /// Whether the learner stays to hear the mark. Otherwise the sitting does not wait for an objection to the last
    /// mark.
    #[serde(default)]
    pub stays: bool,
    #[serde(rename = "desk")]
    pub slate: Slate,
    #[serde(skip)]
    room: Option<Room>,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Opening {
    id: String,
    #[serde(default)]
    model: bool,
    #[serde(default)]
    trigger: Option<String>,
    /// The names of the schedules that were found due. This sitting settles them, however many programs look for
    /// them.
    #[serde(default)]
    schedules: Vec<String>,
    /// Whether to practise what is not due yet.
    #[serde(default)]
    ahead: bool,
}

/// The public view of a sitting.
#[derive(Debug, Serialize, JsonSchema)]
pub struct More {
    pub mind_map_id: String,
    pub title: String,
    pub trigger: String,
    /// How many concepts are left to recall.
    pub left: usize,
    pub answered: usize,
    pub recalled: usize,
    pub question: Option<Waiting>,
    pub last: Option<Last>,
}

/// Reviews, with the curricula that their questions come from.
#[derive(Debug)]
pub struct Review {
    curricula: Vec<Curriculum>,
}

impl Review {
    pub fn new(curricula: impl IntoIterator<Item = Curriculum>) -> Review {
        Review { curricula: curricula.into_iter().collect() }
    }
}

impl Flow for Review {
    type Action = Action;
    type Event = Event;
    type Fact = Fact;
    type Data = Data;
    type More = More;
    const FACE: Face = Face {
        name: super::REVIEW,
        law: LAW,
        vocabulary,
        words: words::FILES,
        verbs: verbs::REVIEW,
        looks: &[],
        find: None,
        needs: super::room::NEEDS,
    };

    fn open(&self, opening: &Value, machine: &Machine, stage: &mut Stage<'_>) -> Result<Data, Rejected> {
        let opening: Opening = read_given(opening).map_err(|why| Rejected {
            code: "bad_opening",
            message: format!("a review cannot be opened with this: {why}").into(),
            cure: "give {} or {\"ahead\": true}".into(),
        })?;
        let mut room = Room::enter(&stage.moment).ok_or_else(|| Rejected {
            code: "unknown_course",
            message: format!("`{}` does not begin with the id of a course", opening.id).into(),
            cure: "name the review COURSE.review-SOMETHING".into(),
        })?;
        if room.is_abandoned() {
            return Err(words::review_of_abandoned(room.header.title.as_str()));
        }
        let mut due = room.due(stage.moment.now_us);
        if due.is_empty() && !opening.schedules.is_empty() {
            return Err(words::review_nothing_due(room.header.title.as_str()));
        }
        // Clears the schedules that set this review off, for everything that it covers. A concept that is not due
        // keeps its schedule until it is recalled.
        room.settle_schedules(&opening.schedules, stage);
        room.take_up(&due, stage);
        if due.is_empty() && opening.ahead {
            due = room.unsteady();
        }
        due.truncate(most(machine));
        stage.raise(Event::Begin, json!({}));
        Ok(Data {
            mind_map_id: room.header.mind_map_id.to_string(),
            title: room.header.title.clone(),
            trigger: opening.trigger.unwrap_or_else(|| "learner".to_owned()),
            due,
            opened_at_us: Some(stage.moment.now_us),
            recalled: 0,
            answered: 0,
            stays: false,
            slate: Slate { model: opening.model, ..Slate::default() },
            room: Some(room),
        })
    }

    fn hear(
        &self,
        data: &mut Data,
        event: Event,
        payload: &Value,
        stage: &mut Stage<'_>,
    ) -> Result<(), Rejected> {
        if data.room.is_none() {
            let room = Room::enter(&stage.moment).ok_or_else(words::map_gone)?;
            data.due.retain(|node| room.is_on_map(*node));
            data.room = Some(room);
        }
        match event {
            Event::Answered => {
                let Answer { text, stays } = tutor::read_said(payload)?;
                data.slate.answer = Some(tutor::take_answer(&data.slate, &text)?);
                data.stays = stays;
            }
            Event::Asks => {
                let Data { slate, room: Some(room), .. } = data else { return Ok(()) };
                let Inquiry { text } = tutor::read_said(payload)?;
                tutor::help_beside_question(&self.curricula, slate, room, &text, stage)?;
            }
            Event::Marked => {
                if let Some(Marking::Settled(settled)) = tutor::take_mark(&mut data.slate, payload, stage)? {
                    settle(data, *settled, stage);
                }
            }
            _ => {}
        }
        Ok(())
    }

    fn holds(&self, data: &Data, fact: Fact) -> bool {
        match fact {
            Fact::HasDue => !data.due.is_empty(),
            Fact::HasQuestion => data.slate.question.is_some(),
            Fact::IsInDoubt => data.slate.is_in_doubt(),
            Fact::IsObjectionable => {
                data.room.as_ref().is_some_and(|room| objection::is_possible(&data.slate, room))
            }
            Fact::MayObject => data.stays && data.slate.objectionable.is_some(),
        }
    }

    fn act(&self, data: &mut Data, action: Action, at: &At<'_>, stage: &mut Stage<'_>) {
        let Data { due, slate, room: Some(room), .. } = data else { return };
        match action {
            Action::PoseRecall => {
                if let Some(node) = due.first() {
                    let nth = data.answered;
                    slate.question =
                        Some(tutor::pose(&self.curricula, room, *node, Purpose::Review, nth, stage));
                }
                stage.raise(Event::Asked, json!({}));
            }
            Action::Mark => {
                match tutor::mark(slate, room, stage) {
                    None | Some(Marking::Waits) => return,
                    Some(Marking::Doubts) => {}
                    Some(Marking::Settled(settled)) => settle(data, *settled, stage),
                }
                stage.raise(Event::Marked, json!({}));
            }
            Action::RefuseObjection => stage.refuse(words::nothing_to_object_to()),
            Action::Uphold => {
                if let Some(mark) = objection::uphold(slate, room, stage) {
                    data.recalled += usize::from(!mark.was_recalled());
                    says::back_to(slate, stage);
                }
                stage.raise(Event::Marked, json!({}));
            }
            Action::Gather => {
                let left = most(at.machine).saturating_sub(at.counter(RECALLS) as usize);
                gather(due, room, left, stage);
            }
            Action::Close => close(data, stage),
            Action::Lapse => {
                if data.answered == 0 && !room.is_abandoned() {
                    room.count_lapsed(room.header.lapsed_sittings.saturating_add(1), stage);
                }
                close(data, stage);
            }
        }
    }

    fn settled(&self, _: &Data, _: &At<'_>) -> Option<Event> {
        None
    }

    fn desk(&self, data: &Data, at: &At<'_>) -> Desk {
        let (done, left) = (data.answered as u32, data.due.len() as u32);
        Desk {
            title: data.title.as_str().into(),
            blocks: data.slate.last.iter().flat_map(desk::marks).collect(),
            ask: asks(data, at),
            progress: vec![Progress::new("recalls", words::progress_recalls(), done, Some(done + left))],
            ..Desk::default()
        }
    }

    fn more(&self, data: &Data, at: &At<'_>) -> More {
        let question = data.slate.question.as_ref().filter(|_| at.takes(Event::Answered.name()));
        More {
            mind_map_id: data.mind_map_id.clone(),
            title: data.title.clone(),
            trigger: data.trigger.clone(),
            left: data.due.len(),
            answered: data.answered,
            recalled: data.recalled,
            question: question.map(Waiting::of),
            last: desk::last(&data.slate, at.takes(Event::Objects.name())),
        }
    }

    fn offers(&self, data: &Data, verb: &Verb) -> bool {
        verb.name != "object" || data.slate.objectionable.is_some()
    }
}

fn asks(data: &Data, at: &At<'_>) -> Option<Ask> {
    let asking = |verb: &str, question, form| Some(Ask { verb: verb.to_owned(), question, form });
    let takes = |event: Event| at.takes(event.name());
    match &data.slate.question {
        _ if at.is_final() => None,
        Some(posed) if takes(Event::Answered) => Some(desk::ask(posed)),
        // Everything is answered; only the last mark may still be objected to.
        _ if takes(Event::Objects) => asking(verbs::LEAVE.name, words::parting(), Form::Read),
        _ => asking("", words::model_at_work(), Form::Wait { until: None }),
    }
}

/// Takes a marked answer into account. A recall moves the concept's memory, and perhaps its status. If the concept
/// was recalled elsewhere while the question waited, the answer does not count again: mastery needs recalls on
/// separate occasions. Credit for an answer on another concept is not recall, and a concept that has fallen due
/// again is a new occasion.
fn settle(data: &mut Data, settled: tutor::Settled, stage: &mut Stage<'_>) {
    let Data { due, room: Some(room), .. } = data else { return };
    if room.is_abandoned() {
        return due.clear();
    }
    let node = settled.posed.node_id;
    let (opened_at_us, now_us) = (data.opened_at_us.unwrap_or(i64::MAX), stage.moment.now_us);
    let is_recalled = |node: NodeId| room.is_recalled_since(node, opened_at_us, now_us);
    due.retain(|left| *left != node && !is_recalled(*left));
    match (room.is_on_map(node), is_recalled(node)) {
        (false, _) => stage.tell(Role::Notice, words::taken_off()),
        (true, true) => stage.tell(Role::Notice, words::recalled_elsewhere(room.label(node))),
        (true, false) => count(data, settled, stage),
    }
}

fn count(data: &mut Data, settled: tutor::Settled, stage: &mut Stage<'_>) {
    let Some(room) = &mut data.room else { return };
    let (node, quality) = (settled.posed.node_id, settled.quality);
    data.slate.objectionable = tutor::note(room, &settled, stage);
    tutor::recalled(room, node, quality, stage);
    data.answered += 1;
    data.recalled += usize::from(quality.is_recalled());
    data.slate.last = Some(settled.marked());
}

/// Adds the concepts that fell due while the sitting was open, as far as there is room: a course has one sitting at
/// a time.
fn gather(due: &mut Vec<NodeId>, room: &mut Room, left: usize, stage: &mut Stage<'_>) {
    let mut more = if room.is_abandoned() { Vec::new() } else { room.due(stage.moment.now_us) };
    more.retain(|node| !due.contains(node));
    more.truncate(left.saturating_sub(due.len()));
    if !more.is_empty() {
        room.take_up(&more, stage);
        due.extend(more);
    }
    stage.raise(Event::Gathered, json!({}));
}

/// Returns how many recalls one sitting may have. A larger backlog is split into several sittings.
fn most(machine: &Machine) -> usize {
    usize::try_from(machine.number("max_recalls", 0)).unwrap_or(0)
}

/// Closes the sitting. Concepts that are still due come back tomorrow as one batch, the rest on their own days, and
/// the course hears that something may have opened.
fn close(data: &mut Data, stage: &mut Stage<'_>) {
    stage.raise(Event::Closed, json!({}));
    let Data { room: Some(room), answered, recalled, due, .. } = data else { return };
    if room.is_abandoned() {
        return stage.tell(Role::Notice, words::review_put_aside(room.header.title.as_str()));
    }
    let now_us = stage.moment.now_us;
    let is_due = !room.due(now_us).is_empty();
    says::reviewed((*recalled, *answered), is_due, due.len(), stage);
    room.put_back(now_us, stage);
    if is_due && room.header.lapsed_sittings < MAX_LAPSED {
        room.schedule_batch(now_us + US_PER_DAY, stage);
    }
    if *answered > 0 {
        let advance = course::Event::Advance.name();
        stage.ask(
            SEND_KIND,
            json!({
                "to": data.mind_map_id,
                "event": advance,
                "payload": {"expected_status": "reviewing"},
            }),
        );
    }
}
