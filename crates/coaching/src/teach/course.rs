//! A course on one subject, from the first probe to the last concept.

mod desk;
mod edits;
mod opening;

pub use desk::{Asked, More};
pub(super) use opening::renamed;

use super::diagnosis::{Diagnosis, Finding, MAX_WEIGHED, Probed};
use super::room::{MapStatus, Room};
use super::slate::{Slate, Tutor};
use super::stale::STALE_DAYS;
use super::state::{Diagnosed, FlowState, FlowStatus, PHASE, Phase, STATUS};
use super::tutor::Marking;
use super::verbs::{self, Advance, Answer, Inquiry};
use super::{looks, objection, says, tutor, words};
use crate::curriculum::{Curriculum, Purpose};
use crate::desk::{Desk, Role};
use crate::face::{Face, Needs, Verb};
use crate::learner::Quality;
use crate::look::{Shelf, Unseen};
use crate::map::{Gate, MasteryStatus, NodeId, NodeIx};
use crate::rejected::{Rejected, read_given};
use crate::turn::{At, Flow, Stage};
use flow::{Machine, Origin, Vocabulary};
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};
use std::collections::BTreeMap;

pub const LAW: &str = include_str!("law.yaml");

flow::names! {
    pub enum Action {
        Recollect = "recollect",
        Survey = "survey",
        RefuseSurvey = "refuse_survey",
        PoseProbe = "pose_probe",
        Mark = "mark",
        Plan = "plan",
        RefusePlan = "refuse_plan",
        PutInOrder = "put_in_order",
        ChooseNext = "choose_next",
        ChooseWaiting = "choose_waiting",
        Explain = "explain",
        Mend = "mend",
        RefuseAsked = "refuse_asked",
        RefuseProbe = "refuse_probe",
        RefusePlans = "refuse_plans",
        RefuseReplan = "refuse_replan",
        RefuseAsks = "refuse_asks",
        RefuseClose = "refuse_close",
        RefuseRecord = "refuse_record",
        NoteRecord = "note_record",
        RefuseObjection = "refuse_objection",
        Uphold = "uphold",
        PoseQuestion = "pose_question",
        PoseQuiz = "pose_quiz",
        CloseQuiz = "close_quiz",
        TellWhatWaits = "tell_what_waits",
        Finish = "finish",
        // Names from earlier laws, so that flows under them can be read and taken over.
        ChooseNode = "choose_node",
    }
}

flow::names! {
    pub enum Event {
        Begin = "begin",
        Surveyed = "surveyed",
        Asked = "asked",
        Marked = "marked",
        Planned = "planned",
        Ordered = "ordered",
        Chosen = "chosen",
        Explained = "explained",
        Mended = "mended",
        Closed = "closed",
        Told = "told",
        Answered = "answered",
        Asks = "asks",
        Objects = "objects",
        GoOn = "go_on",
        Advance = "advance",
        Edited = "edited",
        Recorded = "recorded",
        PlanAgain = "plan_again",
        Abandon = "abandon",
        WentStale = "went_stale",
    }
}

flow::names! {
    pub enum Fact {
        IsLedOutside = "is_led_outside",
        HasModel = "has_model",
        HasPlan = "has_plan",
        MayTeach = "may_teach",
        IsForDiagnosis = "is_for_diagnosis",
        HasProbe = "has_probe",
        IsWorthAsking = "is_worth_asking",
        IsResumed = "is_resumed",
        HasNode = "has_node",
        HasFrontier = "has_frontier",
        IsAllMastered = "is_all_mastered",
        IsToMend = "is_to_mend",
        IsForHelp = "is_for_help",
        IsObjectionable = "is_objectionable",
        IsInDoubt = "is_in_doubt",
        IsForQuiz = "is_for_quiz",
        IsQuizDecided = "is_quiz_decided",
        IsQuizFailed = "is_quiz_failed",
        HasQuestion = "has_question",
        // Names from earlier laws, so that flows under them can be read and taken over.
        HasInventory = "has_inventory",
        MakesInventory = "makes_inventory",
        IsProbeGone = "is_probe_gone",
    }
}

pub fn vocabulary() -> Vocabulary {
    Vocabulary::of::<Action, Event, Fact>("teach", origin)
        .counting(&[PROBES, QUESTIONS])
        .describing(STATUS, &FlowStatus::ALL.map(FlowStatus::as_str))
        .describing(PHASE, &Phase::ALL.map(Phase::as_str))
}

fn origin(event: Event) -> Origin {
    match event {
        Event::Answered
        | Event::Asks
        | Event::Objects
        | Event::GoOn
        | Event::Advance
        | Event::Edited
        | Event::Recorded
        | Event::PlanAgain
        | Event::Abandon => Origin::Learner,
        Event::WentStale => Origin::Silence,
        Event::Begin
        | Event::Surveyed
        | Event::Asked
        | Event::Marked
        | Event::Planned
        | Event::Ordered
        | Event::Chosen
        | Event::Explained
        | Event::Mended
        | Event::Closed
        | Event::Told => Origin::Machine,
    }
}

const PROBES: &str = "probes";
const QUESTIONS: &str = "questions";

/// The word that a learner says instead of an answer.
const SKIP: &str = "skip";
/// The number of reviews a day that check concepts of which the diagnosis was sure.
const PRESUMED_A_DAY: u32 = 4;

/// The data of a course: its public state, and its slate.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct Data {
    #[serde(flatten)]
    pub state: FlowState,
    #[serde(rename = "desk")]
    pub slate: Slate,
    /// The material of the present turn; filled in again in every turn.
    #[serde(skip)]
    room: Option<Room>,
    #[serde(skip)]
    outlook: Outlook,
    /// Whether this turn is an advance, which counts as one session even if it passes several statuses.
    #[serde(skip)]
    is_counted: bool,
}

/// Findings of this turn for the law. Computing them at every step would take too long.
#[derive(Debug, Clone, Default)]
struct Outlook {
    /// The concept whose answer would tell most.
    probe: Option<NodeId>,
    /// Whether that answer would tell enough.
    is_worth_asking: bool,
    /// The reason why the map cannot be taught as it is.
    refusal: Option<Rejected>,
    /// The part of the course that the recorded answer belongs to.
    recorded: Option<Recorded>,
    has_frontier: bool,
    is_all_mastered: bool,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Recorded {
    Diagnosis,
    /// The current concept, and how good the answer was.
    Concept(Quality),
}

/// Courses, with the curricula that they can follow.
#[derive(Debug)]
pub struct Course {
    curricula: Vec<Curriculum>,
}

impl Course {
    pub fn new(curricula: impl IntoIterator<Item = Curriculum>) -> Course {
        Course { curricula: curricula.into_iter().collect() }
    }
}

impl Flow for Course {
    type Action = Action;
    type Event = Event;
    type Fact = Fact;
    type Data = Data;
    type More = More;
    const FACE: Face = Face {
        name: super::COURSE,
        law: LAW,
        vocabulary,
        words: words::FILES,
        verbs: verbs::COURSE,
        looks: looks::LOOKS,
        find: Some(looks::find),
        needs: Needs { recalls: Some(super::recall::RECALLS), ..super::room::NEEDS },
    };

    fn open(&self, opening: &Value, _: &Machine, stage: &mut Stage<'_>) -> Result<Data, Rejected> {
        let data = opening::open(&self.curricula, opening, stage)?;
        stage.raise(Event::Begin, json!({}));
        Ok(data)
    }

    fn hear(
        &self,
        data: &mut Data,
        event: Event,
        payload: &Value,
        stage: &mut Stage<'_>,
    ) -> Result<(), Rejected> {
        if data.room.is_none() {
            data.room = Some(Room::enter(&stage.moment).ok_or_else(words::map_gone)?);
        }
        let Data { state, slate, room: Some(room), outlook, .. } = data else {
            unreachable!("the room was entered")
        };
        match event {
            Event::Begin => outlook.seek_probe(room, slate),
            Event::Answered => {
                let Answer { text, .. } = tutor::read_said(payload)?;
                slate.answer = Some(tutor::take_answer(slate, &text)?);
            }
            Event::Asks => self.help(data, &tutor::read_said::<Inquiry>(payload)?.text, stage)?,
            Event::Advance => advance(data, payload)?,
            Event::Planned => outlook.refusal = may_teach(slate, room).err(),
            Event::Edited => {
                edits::edit(state, slate, room, payload, stage)?;
                if slate.tutor == Tutor::Etude && slate.question.is_none() {
                    outlook.seek_probe(room, slate);
                }
            }
            Event::Recorded => outlook.recorded = edits::record(state, slate, room, payload, stage)?,
            Event::PlanAgain => {
                opening::plan_again(&self.curricula, slate, room, payload, stage)?;
                outlook.seek_probe(room, slate);
            }
            Event::Abandon => room.abandon(stage),
            Event::WentStale => {
                room.abandon(stage);
                stage.tell(Role::Notice, words::put_aside(room.header.title.as_str(), STALE_DAYS));
            }
            Event::Surveyed => {
                tutor::take_survey(slate, room, tutor::awaited(slate, payload)?, stage)?;
                outlook.seek_probe(room, slate);
            }
            Event::Explained => {
                let answer = tutor::awaited(slate, payload)?;
                tutor::take_lesson(&self.curricula, slate, room, state.current_node_id, answer, stage)?;
            }
            Event::Mended => {
                let answer = tutor::awaited(slate, payload)?;
                tutor::take_mended(&self.curricula, slate, room, state.current_node_id, answer, stage)?;
            }
            Event::Marked => self.take_mark(data, payload, stage)?,
            _ => {}
        }
        Ok(())
    }

    fn holds(&self, data: &Data, fact: Fact) -> bool {
        let Data { state, slate, outlook, .. } = data;
        match fact {
            Fact::IsLedOutside => slate.tutor == Tutor::Outside,
            Fact::HasModel => slate.model,
            Fact::HasPlan => data.room.as_ref().is_some_and(|room| !room.map.nodes().is_empty()),
            Fact::MayTeach => outlook.refusal.is_none(),
            Fact::IsForDiagnosis => outlook.recorded == Some(Recorded::Diagnosis),
            Fact::HasProbe => outlook.probe.is_some(),
            Fact::IsWorthAsking => outlook.is_worth_asking,
            Fact::IsResumed => slate.is_resumed,
            Fact::HasNode => state.current_node_id.is_some(),
            Fact::HasFrontier => outlook.has_frontier,
            Fact::IsAllMastered => outlook.is_all_mastered,
            Fact::IsToMend => !slate.unusable.is_empty(),
            Fact::IsForHelp => slate.was_for_help,
            Fact::IsObjectionable => {
                data.room.as_ref().is_some_and(|room| objection::is_possible(slate, room))
            }
            Fact::IsInDoubt => slate.is_in_doubt(),
            Fact::IsForQuiz => matches!(outlook.recorded, Some(Recorded::Concept(_))),
            Fact::IsQuizDecided => is_quiz_decided(slate),
            Fact::IsQuizFailed => slate.is_quiz_failed,
            Fact::HasInventory | Fact::MakesInventory | Fact::IsProbeGone => false,
            Fact::HasQuestion => slate.question.is_some(),
        }
    }

    fn act(&self, data: &mut Data, action: Action, at: &At<'_>, stage: &mut Stage<'_>) {
        let Data { state, slate, room: Some(room), outlook, .. } = data else { return };
        match action {
            Action::Recollect => {
                says::resumed(room, stage);
                stage.raise(Event::Told, json!({}));
            }
            Action::Survey => tutor::survey(slate, stage),
            Action::RefuseSurvey => {
                stage.tell(Role::Notice, words::no_more_surveys(slate.topic.as_str()));
                stage.raise(Event::Told, json!({}));
            }
            Action::PoseProbe => self.pose_probe(slate, room, outlook.probe.take(), at, stage),
            Action::Mark => self.mark(data, stage),
            Action::Plan => plan(slate, room, stage),
            Action::RefusePlan => stage.refuse(outlook.refusal.take().unwrap_or_else(words::nothing_left)),
            Action::PutInOrder => put_in_order(room, stage),
            Action::ChooseNext => choose_next(state, slate, room, outlook, stage),
            Action::ChooseWaiting => choose_waiting(state, room, stage),
            Action::Explain => tutor::explain(&self.curricula, slate, room, state.current_node_id, stage),
            Action::Mend => tutor::mend(&self.curricula, slate, room, state.current_node_id, stage),
            Action::RefuseAsked => stage.refuse(words::not_asked_yet()),
            Action::RefuseProbe => {
                stage.refuse(words::diagnosis_too_long(at.number("max_probes").unwrap_or(0)))
            }
            Action::RefusePlans => {
                let (least, asked) = (at.number("min_probes").unwrap_or(0), at.counter(PROBES));
                stage.refuse(match slate.tutor {
                    Tutor::Outside => words::diagnosis_too_short(least, asked),
                    Tutor::Etude => words::diagnosis_not_over(least, asked),
                });
            }
            Action::RefuseReplan => stage.refuse(words::leader_plans()),
            Action::RefuseAsks => stage.refuse(words::asks_leader()),
            Action::RefuseClose => stage.refuse(match slate.tutor {
                Tutor::Outside => words::quiz_not_recorded(),
                Tutor::Etude => words::quiz_not_answered(),
            }),
            Action::RefuseRecord => {
                stage.refuse(words::quiz_too_long(at.number("max_questions").unwrap_or(0)))
            }
            Action::NoteRecord => {
                if let Some(Recorded::Concept(quality)) = outlook.recorded.take() {
                    slate.quiz.push(quality);
                }
                stage.raise(Event::Told, json!({}));
            }
            Action::RefuseObjection => stage.refuse(words::nothing_to_object_to()),
            Action::Uphold => uphold(slate, room, stage),
            Action::PoseQuestion => self.pose(state, slate, room, Purpose::Teach, stage),
            Action::PoseQuiz => self.pose(state, slate, room, Purpose::Quiz, stage),
            Action::CloseQuiz => close_quiz(state, slate, room, stage),
            Action::TellWhatWaits => {
                if slate.tutor == Tutor::Etude && !outlook.is_all_mastered {
                    says::what_waits(room, stage);
                }
                stage.raise(Event::Told, json!({}));
            }
            Action::ChooseNode => {}
            Action::Finish => {
                room.set_status(MapStatus::Completed, stage);
                if slate.tutor == Tutor::Etude {
                    stage.tell(Role::Notice, words::finished(room.header.title.as_str()));
                }
                stage.raise(Event::Closed, json!({}));
            }
        }
    }

    fn arrive(&self, data: &mut Data, at: &At<'_>, stage: &mut Stage<'_>) -> Result<(), String> {
        if let Some(room) = &data.room {
            data.slate.summary = room.summary();
        }
        let has_moved = data.state.arrive(at, stage.moment.now_us)?;
        if has_moved && !data.is_counted && data.state.status != FlowStatus::Abandoned {
            data.state.count_session();
        }
        Ok(())
    }

    fn settled(&self, _: &Data, _: &At<'_>) -> Option<Event> {
        None
    }

    fn desk(&self, data: &Data, at: &At<'_>) -> Desk {
        self.show(data, at)
    }

    fn more(&self, data: &Data, at: &At<'_>) -> More {
        desk::more(data, at)
    }

    fn look(&self, look: &str, id: &str, given: &Value, shelf: &Shelf) -> Result<Value, Unseen> {
        looks::look(&self.curricula, look, id, given, shelf)
    }

    /// In a course with an outside tutor, all that the learner can do here is end it.
    fn offers(&self, data: &Data, verb: &Verb) -> bool {
        let slate = &data.slate;
        let is_reading = data.state.current_phase == Some(Phase::Questioning) && slate.asked().is_none();
        match verb.name {
            "abandon" => true,
            _ if slate.tutor == Tutor::Outside => false,
            "answer" => slate.asked().is_some(),
            "object" => slate.objectionable.is_some(),
            "advance" => is_reading,
            _ => true,
        }
    }
}

impl Course {
    fn help(&self, data: &mut Data, question: &str, stage: &mut Stage<'_>) -> Result<(), Rejected> {
        let Data { state, slate, room: Some(room), .. } = data else { return Ok(()) };
        if state.status == FlowStatus::Diagnosing {
            return tutor::help_beside_question(&self.curricula, slate, room, question, stage);
        }
        let is_taught = matches!(state.status, FlowStatus::Teaching | FlowStatus::Quizzing);
        let at_hand = state.current_node_id.filter(|_| is_taught);
        tutor::help(&self.curricula, slate, room, at_hand, question, stage)?;
        if slate.help.is_none() {
            says::back_to(slate, stage);
        }
        Ok(())
    }

    fn pose_probe(
        &self,
        slate: &mut Slate,
        room: &Room,
        probe: Option<NodeId>,
        at: &At<'_>,
        stage: &mut Stage<'_>,
    ) {
        if slate.probes.is_empty() {
            stage.tell(Role::Notice, words::first_probe(at.number("max_probes").unwrap_or_default()));
        }
        if let Some(node) = probe {
            slate.question =
                Some(tutor::pose(&self.curricula, room, node, Purpose::Probe, slate.probes.len(), stage));
        }
        stage.raise(Event::Asked, json!({}));
    }

    fn pose(
        &self,
        state: &FlowState,
        slate: &mut Slate,
        room: &Room,
        purpose: Purpose,
        stage: &mut Stage<'_>,
    ) {
        // Moving on leaves the learner's own question behind.
        slate.help = None;
        if purpose == Purpose::Teach {
            (slate.understood, slate.is_quiz_failed) = (None, false);
            slate.quiz.clear();
            slate.objectionable = None;
        }
        if let (Tutor::Etude, Some(node)) = (slate.tutor, state.current_node_id) {
            let nth = slate.quiz.len();
            slate.question = Some(tutor::pose(&self.curricula, room, node, purpose, nth, stage));
        }
        stage.raise(Event::Asked, json!({}));
    }

    /// Marks the answer at once, or asks a model where the rules see less than the learner may have meant.
    fn mark(&self, data: &mut Data, stage: &mut Stage<'_>) {
        let Data { slate, room: Some(room), .. } = data else { return };
        match tutor::mark(slate, room, stage) {
            None | Some(Marking::Waits) => return,
            Some(Marking::Doubts) => {}
            Some(Marking::Settled(marked)) => self.settle_mark(data, *marked, stage),
        }
        stage.raise(Event::Marked, json!({}));
    }

    fn take_mark(&self, data: &mut Data, payload: &Value, stage: &mut Stage<'_>) -> Result<(), Rejected> {
        if let Some(Marking::Settled(marked)) = tutor::take_mark(&mut data.slate, payload, stage)? {
            self.settle_mark(data, *marked, stage);
        }
        Ok(())
    }

    /// Records the answer and takes it into account.
    fn settle_mark(&self, data: &mut Data, marked: tutor::Settled, stage: &mut Stage<'_>) {
        let Data { state, slate, room: Some(room), outlook, .. } = data else { return };
        let quality = marked.quality;
        slate.was_for_help = marked.is_for_help;
        // The follow-up question may be skipped, and then counts for nothing.
        if marked.is_for_help && marked.answer.trim() == SKIP {
            return says::help_is_left(slate, stage);
        }
        let objectionable = tutor::note(room, &marked, stage);
        slate.objectionable = objectionable.map(|mark| mark.after(&slate.quiz));
        match marked.posed.purpose {
            _ if marked.is_for_help => says::back_to(slate, stage),
            Purpose::Probe => {
                weigh(state, slate, room, marked.probed());
                outlook.seek_probe(room, slate);
            }
            Purpose::Teach => slate.understood = Some(quality),
            Purpose::Quiz => slate.quiz.push(quality),
            Purpose::Review => {}
        }
        // A diagnosis says nothing about its answers yet.
        slate.last = (marked.posed.purpose != Purpose::Probe).then(|| marked.marked());
    }
}

/// Counts the answer as the learner sees it: in its quiz, or as the answer to the comprehension question.
fn uphold(slate: &mut Slate, room: &mut Room, stage: &mut Stage<'_>) {
    if let Some(mark) = objection::uphold(slate, room, stage) {
        match mark.purpose {
            Purpose::Quiz => slate.quiz = mark.quiz_held_right(),
            _ => slate.understood = Some(mark.held()),
        }
        if !is_quiz_decided(slate) {
            says::back_to(slate, stage);
        }
    }
    stage.raise(Event::Marked, json!({}));
}

fn advance(data: &mut Data, payload: &Value) -> Result<(), Rejected> {
    let Data { state, slate, room: Some(room), outlook, is_counted, .. } = data else { return Ok(()) };
    is_expected(state, payload)?;
    outlook.refusal = may_teach(slate, room).err();
    state.count_session();
    *is_counted = true;
    // An earlier request to a model is void now.
    slate.waits_for_model = None;
    Ok(())
}

impl Outlook {
    fn seek_probe(&mut self, room: &Room, slate: &Slate) {
        let diagnosis = Diagnosis::new(&room.map, &slate.probes).ok();
        self.is_worth_asking = diagnosis.as_ref().is_some_and(Diagnosis::is_worth_asking);
        let next = diagnosis.and_then(|diagnosis| diagnosis.next_probe());
        self.probe = next.map(|node| room.map.node(node).node_id);
    }
}

/// Adds an answer to the diagnosis. Returns the starting score of the concept if it is now believed to be known.
fn weigh(state: &mut FlowState, slate: &mut Slate, room: &Room, answer: Probed) -> Option<f64> {
    slate.probes.push(answer);
    slate.probes.drain(..slate.probes.len().saturating_sub(MAX_WEIGHED));
    let diagnosis = Diagnosis::new(&room.map, &slate.probes).ok()?;
    let asked = diagnosis.findings().filter_map(|finding| {
        let Finding { node_id, quality, inferred_mastery, .. } = finding;
        Some((node_id, Diagnosed { quality: quality?, inferred_mastery }))
    });
    state.diagnostic_results.extend(asked);
    diagnosis.seed_score(room.map.find(answer.node_id).ok()?)
}

/// Turns a plan into a map: gives a head start to the concepts that are believed to be known, and to every concept
/// its place in the order.
fn plan(slate: &Slate, room: &mut Room, stage: &mut Stage<'_>) {
    if slate.tutor == Tutor::Outside {
        return;
    }
    if !room.map.nodes().is_empty() {
        let seeds = seeds(slate, room);
        let mut map = (*room.map).clone();
        map.resequence(|node| seeds.get(&node).map(|seed| seed.score));
        let mut presumed = 0;
        for (node, seed) in &seeds {
            let node = map.node(*node).node_id;
            if seed.is_sure && room.header.gate() == Gate::Understood {
                // Only a few of these concepts come back each day.
                let days = f64::from(1 + presumed / PRESUMED_A_DAY);
                presumed += 1;
                room.presume(node, seed.score, days, stage);
            } else {
                let mut progress = room.progress(node);
                progress.is_believed_known(seed.score);
                room.set_progress(node, progress, stage);
            }
        }
        room.set_map(map, stage);
        if !slate.is_resumed {
            says::planned(room, seeds.len(), stage);
        }
    }
    stage.raise(Event::Planned, json!({}));
}

/// Puts an outside tutor's map into the order of learning: among equal concepts the better known comes first.
fn put_in_order(room: &mut Room, stage: &mut Stage<'_>) {
    let mut map = (*room.map).clone();
    map.resequence(|node| {
        let progress = room.progress(room.map.node(node).node_id);
        (progress.mastery_status == MasteryStatus::Diagnosed).then_some(progress.mastery_score)
    });
    room.set_map(map, stage);
    stage.raise(Event::Ordered, json!({}));
}

/// The head start of a concept that the diagnosis believes to be known.
struct Seed {
    score: f64,
    is_sure: bool,
}

/// Returns the concepts that are believed to be known. Without an answer there are none.
fn seeds(slate: &Slate, room: &Room) -> BTreeMap<NodeIx, Seed> {
    let diagnosis = Diagnosis::new(&room.map, &slate.probes).ok().filter(|_| !slate.probes.is_empty());
    let Some(diagnosis) = diagnosis else { return BTreeMap::new() };
    let seed = |node| Some(Seed { score: diagnosis.seed_score(node)?, is_sure: diagnosis.is_sure_of(node) });
    room.map.indexes().filter_map(|node| Some((node, seed(node)?))).collect()
}

/// Chooses the first concept that can be taught now. If there is none, the current concept stays.
fn choose_next(
    state: &mut FlowState,
    slate: &mut Slate,
    room: &Room,
    outlook: &mut Outlook,
    stage: &mut Stage<'_>,
) {
    let statuses = room.statuses();
    let status = |node: NodeIx| statuses[node.index()];
    let first = room.map.top_frontier(room.header.gate(), status).map(|node| room.map.node(node).node_id);
    state.current_node_id = first.or(state.current_node_id);
    (outlook.has_frontier, outlook.is_all_mastered) = (first.is_some(), room.map.all_mastered(status));
    (slate.question, slate.help) = (None, None);
    slate.lesson.clear();
    stage.raise(Event::Chosen, json!({}));
}

/// Chooses the concept whose review comes next, for a course of which nothing else is left.
fn choose_waiting(state: &mut FlowState, room: &Room, stage: &mut Stage<'_>) {
    let first = || room.map.nodes().first().map(|node| node.node_id);
    state.current_node_id = room.next_review().map(|(node, _)| node).or_else(first);
    stage.raise(Event::Chosen, json!({}));
}

/// Whether another answer would change nothing: one side is two ahead, or the only answer is good and the
/// comprehension question went well, too. The law says how many answers are enough in any case.
fn is_quiz_decided(slate: &Slate) -> bool {
    let is_good = |quality: &Quality| *quality >= Quality::GOOD;
    let right = slate.quiz.iter().filter(|quality| quality.is_recalled()).count();
    let is_plain = matches!(slate.quiz.as_slice(), [only] if is_good(only))
        && slate.understood.is_some_and(|q| is_good(&q));
    is_plain || right.abs_diff(slate.quiz.len() - right) >= 2
}

/// Closes the quiz. Its average decides: the concept comes back for review, or is taught again.
fn close_quiz(state: &FlowState, slate: &mut Slate, room: &mut Room, stage: &mut Stage<'_>) {
    stage.raise(Event::Closed, json!({}));
    slate.is_quiz_failed = false;
    let (Some(node), false) = (state.current_node_id, slate.quiz.is_empty()) else { return };
    let sum: u32 = slate.quiz.iter().map(|quality| u32::from(quality.get())).sum();
    let average = f64::from(sum) / slate.quiz.len() as f64;
    slate.is_quiz_failed = average < 3.0;
    let mut progress = room.progress(node);
    if slate.is_quiz_failed {
        progress.failed_quiz();
        room.unschedule(&mut progress, stage);
        room.set_progress(node, progress, stage);
    } else {
        if progress.mastery_status.is_teachable() {
            progress.mastery_status = MasteryStatus::Reviewing;
        }
        room.set_progress(node, progress, stage);
        let quality = Quality::new(average.round() as u8).unwrap_or(Quality::HARD);
        let due_at_us = room.rate(node, quality, stage);
        tutor::credit_prerequisites(room, node, quality, stage);
        // All answers of the quiz have rated the concept's memory now.
        slate.objectionable = None;
        if slate.tutor == Tutor::Etude {
            says::comes_back(room, node, due_at_us, stage);
        }
    }
    if slate.is_quiz_failed && slate.tutor == Tutor::Etude {
        stage.tell(Role::Notice, words::once_more(room.label(node)));
    }
    slate.quiz.clear();
}

/// Refuses if the caller names a status that it expects and the course has another.
fn is_expected(state: &FlowState, payload: &Value) -> Result<(), Rejected> {
    let given = if payload.is_null() { Ok(Advance::default()) } else { read_given(payload) };
    let Advance { expected_status } = given.map_err(words::bad_advance)?;
    match expected_status.filter(|expected| *expected != state.status) {
        None => Ok(()),
        Some(expected) => Err(words::status_moved(state.status.as_str(), expected.as_str())),
    }
}

/// Refuses a map that cannot be taught. A planned map must be small enough to take in; an imported one may be
/// larger. It must also contain something to teach, unless the course continues another: otherwise planning leads
/// nowhere.
fn may_teach(slate: &Slate, room: &Room) -> Result<(), Rejected> {
    if room.is_planned() {
        room.map.check_plan().map_err(tutor::refused)?;
    }
    let statuses = room.statuses();
    let first = room.map.top_frontier(room.header.gate(), |node| statuses[node.index()]);
    let is_all_known = !statuses.is_empty() && first.is_none();
    match is_all_known && !slate.is_resumed {
        true => Err(words::nothing_left()),
        false => Ok(()),
    }
}
