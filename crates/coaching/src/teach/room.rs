//! The material of a turn of a course or a review: the map, the progress on its concepts, and the learner's
//! profile. All changes are recorded here, so that both flows write the same documents in the same way.

use super::progress::{Progress, ResponseType};
use super::slate::{Summary, Tutor};
use super::state::moment;
use crate::curriculum::{Concept, Curriculum};
use crate::face::{self, Document, DocumentKind, Dues, Needs};
use crate::grade::MAX_ANSWER_CHARS;
use crate::learner::{
    Calendar, Load, MemoryState, Model, PROFILE_KIND, Profile, Quality, Remembered, after_days_us, credit,
    next_due_us,
};
use crate::map::{Draft, Gate, MapId, MasteryStatus, MindMap, NodeId};
use crate::record::Record;
use crate::turn::{Moment, Stage};
use crate::words::Text;
use jiff::Timestamp;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::json;
use std::collections::{HashMap, HashSet};
use std::sync::Arc;
use uuid::Uuid;

/// The kind of record for the head of a map. The head names the document that holds the rest.
pub const MAP_KIND: &str = "mind_map";
pub const MAP_DOCUMENT_KIND: &str = "map_document";

/// The needs that a course and its reviews share.
pub(super) const NEEDS: Needs = Needs {
    documents: &[MAP_DOCUMENT],
    dues: Some(Dues { kind: SCHEDULE_KIND, own: own_schedules }),
    model: true,
    silence: true,
    ..face::NEEDS
};

pub(super) const MAP_DOCUMENT: DocumentKind =
    DocumentKind { name: "map", kind: MAP_DOCUMENT_KIND, key: document_key, read: read_document };

/// Returns the key of the document that the head of a course names.
fn document_key(records: &[Record]) -> Option<String> {
    let header = records.iter().find(|record| record.kind == MAP_KIND)?.body.as_ref()?;
    header.get("document")?.as_str().map(str::to_owned)
}

fn read_document(source: &str) -> Result<Document, String> {
    let map: MindMap = serde_json::from_str(source).map_err(|error| error.to_string())?;
    Ok(Arc::new(map))
}

fn own_schedules(id: &str) -> Option<String> {
    MapId::parse(id).ok().map(schedules_scope)
}

pub const NODE_KIND: &str = "mind_map_node";
pub const LESSON_KIND: &str = "lesson";
pub const RESPONSE_KIND: &str = "quiz_response";
pub const SCHEDULE_KIND: &str = "schedule";

/// The days after which a review without an answer lapses.
const SCHEDULE_LASTS_DAYS: f64 = 1.0;

/// Returns the scope of the answers to questions about a map. They are numerous, so they are kept apart from what
/// every turn reads.
pub fn answers_scope(mind_map_id: MapId) -> String {
    format!("{mind_map_id}/answers")
}

pub fn schedules_scope(mind_map_id: MapId) -> String {
    format!("{mind_map_id}/schedules")
}

/// A map without its concepts
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Header {
    pub mind_map_id: MapId,
    pub title: String,
    pub status: MapStatus,
    pub metadata: Metadata,
    /// The name of the document that holds nodes and edges.
    pub document: Option<String>,
    pub node_count: usize,
    pub created_at: Timestamp,
    /// How many sittings in a row were ignored.
    #[serde(default)]
    pub lapsed_sittings: u32,
}

impl Header {
    /// Returns the gate of the course. Where Etude leads, a passed lesson opens the way on; an outside tutor
    /// follows the stricter rule.
    pub fn gate(&self) -> Gate {
        self.metadata.gate.unwrap_or(match self.metadata.tutor {
            Tutor::Etude => Gate::Understood,
            Tutor::Outside => Gate::Mastered,
        })
    }

    /// Returns the name by which a command calls the course: its curriculum, or its id.
    pub fn name(&self) -> String {
        self.metadata.curriculum.clone().unwrap_or_else(|| self.mind_map_id.to_string())
    }
}

#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[schemars(inline)]
pub struct Metadata {
    pub goal: Option<String>,
    pub curriculum: Option<String>,
    /// The tutor that leads its course.
    #[serde(default)]
    pub tutor: Tutor,
    /// The gate that opens the concepts behind a concept, if the learner has set one
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(with = "Gate")]
    pub gate: Option<Gate>,
    /// Whether the map was brought along; it may then be larger than a plan.
    #[serde(default)]
    pub is_imported: bool,
    /// The course that this one goes on from.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(with = "String")]
    pub resumed_from: Option<String>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
#[schemars(inline)]
pub enum MapStatus {
    Active,
    Completed,
    Abandoned,
}

impl MapStatus {
    fn as_str(self) -> &'static str {
        match self {
            MapStatus::Active => "active",
            MapStatus::Completed => "completed",
            MapStatus::Abandoned => "abandoned",
        }
    }
}

/// One answered question.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Response {
    pub node_id: NodeId,
    pub mind_map_id: MapId,
    pub question_text: Text,
    pub user_answer: String,
    pub quality: Quality,
    pub response_type: ResponseType,
    pub responded_at: Timestamp,
    /// The mark before the learner objected. Such answers tell what a rubric does not know.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub marked: Option<Quality>,
}

/// An answer with the key that it is kept under.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Written {
    key: String,
    pub(super) response: Response,
}

/// A single review to come.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[schemars(extend("required" = ["name", "mind_map_id", "node_id", "dispatch_mode", "run_at", "until_at"]))]
pub struct Schedule {
    /// review-{node_id}-rep{repetitions}, or review-batch-{mind_map_id}
    pub name: String,
    pub mind_map_id: MapId,
    /// Null for a batch of many concepts.
    pub node_id: Option<NodeId>,
    pub dispatch_mode: String,
    pub run_at: Timestamp,
    pub until_at: Timestamp,
}

/// The material of one turn. Its methods record every change.
#[derive(Debug, Clone)]
pub(super) struct Room {
    pub(super) header: Header,
    pub(super) map: Arc<MindMap>,
    pub(super) profile: Profile,
    progress: HashMap<NodeId, Progress>,
    lessons: HashMap<NodeId, Concept>,
    /// The times of reviews of other maps, each with how many come then.
    due_elsewhere: Vec<(i64, u32)>,
    /// The number of answers written in this turn, which tells their keys apart.
    responses: u32,
}

impl Room {
    /// Makes a room for a new map.
    pub(super) fn new(header: Header, moment: &Moment<'_>) -> Room {
        Room {
            map: Arc::new(empty_map(&header)),
            header,
            profile: profile(moment),
            progress: HashMap::new(),
            lessons: HashMap::new(),
            due_elsewhere: moment.dues.to_vec(),
            responses: 0,
        }
    }

    /// Enters the room as it was left; `None` when there is no map or part of it cannot be read.
    pub(super) fn enter(moment: &Moment<'_>) -> Option<Room> {
        let header: Header = moment.records.iter().find(|record| record.kind == MAP_KIND).and_then(body)?;
        let keyed = |kind: &'static str| moment.records.iter().filter(move |record| record.kind == kind);
        let node_of = |record: &Record| NodeId::parse(&record.key).ok();
        // Unreadable data must not pass for missing data: the next turn would overwrite it.
        let progress =
            keyed(NODE_KIND).map(|record| Some((node_of(record)?, body(record)?))).collect::<Option<_>>()?;
        let lessons = keyed(LESSON_KIND)
            .map(|record| Some((node_of(record)?, body(record)?)))
            .collect::<Option<_>>()?;
        let map = moment.documents.get(MAP_DOCUMENT.name)?;
        let due_elsewhere = moment.dues.to_vec();
        Some(Room { map, profile: profile(moment), progress, lessons, due_elsewhere, responses: 0, header })
    }

    /// Copies a learner's progress and lessons from another map, where the concepts have other ids, and schedules
    /// its reviews. The other map stays as it is.
    pub(super) fn copy_from(
        &mut self,
        other: &Room,
        renamed: impl Fn(NodeId) -> NodeId,
        stage: &mut Stage<'_>,
    ) {
        for node in other.map.nodes().iter().map(|node| node.node_id) {
            if let Some(progress) = other.progress.get(&node) {
                self.put_down(renamed(node), progress.clone(), stage);
            }
        }
        for (node, lesson) in &other.lessons {
            self.keep_lesson(renamed(*node), lesson.clone(), stage);
        }
    }

    pub(super) fn progress(&self, node: NodeId) -> Progress {
        self.progress.get(&node).cloned().unwrap_or_default()
    }

    pub(super) fn status(&self, node: NodeId) -> MasteryStatus {
        self.progress.get(&node).map_or(MasteryStatus::Unseen, |progress| progress.mastery_status)
    }

    /// Returns how far each concept of the map has come, in the order of its nodes.
    pub(super) fn statuses(&self) -> Vec<MasteryStatus> {
        self.map.nodes().iter().map(|node| self.status(node.node_id)).collect()
    }

    /// Returns the lesson on a concept: made for this map, or from the curriculum.
    pub(super) fn lesson<'r>(&'r self, node: NodeId, curricula: &'r [Curriculum]) -> Option<&'r Concept> {
        self.lessons.get(&node).or_else(|| {
            let id = self.header.metadata.curriculum.as_deref()?;
            let curriculum = curricula.iter().find(|curriculum| curriculum.id == id)?;
            let concept = self.map.node(self.map.find(node).ok()?).concept.as_deref()?;
            curriculum.concept(concept)
        })
    }

    /// Whether the map was planned for the learner, and neither brought along nor taken from a curriculum: those may be
    /// larger.
    pub(super) fn is_planned(&self) -> bool {
        let metadata = &self.header.metadata;
        !metadata.is_imported && metadata.curriculum.is_none()
    }

    pub(super) fn is_on_map(&self, node: NodeId) -> bool {
        self.map.find(node).is_ok()
    }

    pub(super) fn label(&self, node: NodeId) -> &str {
        self.map.find(node).map_or("this concept", |node| &self.map.node(node).label)
    }

    /// Counts a concept as understood because the diagnosis is sure of it, until its first review in `days` days.
    pub(super) fn presume(&mut self, node: NodeId, score: f64, days: f64, stage: &mut Stage<'_>) {
        let mut progress = self.progress(node);
        if progress.is_presumed_known(score) {
            let load = self.load_beside(node);
            let due_at_us = next_due_us(&self.profile, stage.moment.now_us, days, &|day| load.on(day));
            progress.next_review_at_us = Some(due_at_us);
        }
        self.put_down(node, progress, stage);
    }

    /// Takes a concept back into teaching: the diagnosis was sure of it, but it is not known after all.
    pub(super) fn teach_after_all(&mut self, node: NodeId, stage: &mut Stage<'_>) {
        let mut progress = self.progress(node);
        progress.is_being_learned();
        progress.next_review_at_us = None;
        self.unschedule(&mut progress, stage);
        self.set_progress(node, progress, stage);
    }

    pub(super) fn keep_lesson(&mut self, node: NodeId, lesson: Concept, stage: &mut Stage<'_>) {
        stage.remember(Record {
            kind: LESSON_KIND.to_owned(),
            key: node.to_string(),
            body: Some(json!(lesson)),
            scope: self.header.mind_map_id.to_string(),
            ..Record::default()
        });
        self.lessons.insert(node, lesson);
    }

    pub(super) fn set_progress(&mut self, node: NodeId, progress: Progress, stage: &mut Stage<'_>) {
        stage.remember(Record {
            kind: NODE_KIND.to_owned(),
            key: node.to_string(),
            body: Some(json!(progress)),
            // An abandoned course keeps its progress, and none of it is due.
            due_at_us: progress.next_review_at_us.filter(|_| !self.is_abandoned()),
            rank: Some(progress.ease_factor),
            scope: self.header.mind_map_id.to_string(),
            standing: Some(progress.mastery_status.as_str().to_owned()),
        });
        self.progress.insert(node, progress);
    }

    /// Removes the progress, the lesson and the next review of a concept that was removed from the map.
    pub(super) fn forget(&mut self, node: NodeId, stage: &mut Stage<'_>) {
        if let Some(mut progress) = self.progress.remove(&node) {
            self.unschedule(&mut progress, stage);
            stage.forget(NODE_KIND, node.to_string());
        }
        if self.lessons.remove(&node).is_some() {
            stage.forget(LESSON_KIND, node.to_string());
        }
    }

    /// Reschedules a concept after an edit of its status: only one in review gets a date.
    pub(super) fn date(&mut self, node: NodeId, stage: &mut Stage<'_>) {
        let mut progress = self.progress(node);
        match progress.mastery_status {
            MasteryStatus::Mastered => {}
            MasteryStatus::Reviewing if progress.next_review_at_us.is_some() => {}
            MasteryStatus::Reviewing => {
                progress.next_review_at_us = Some(stage.moment.now_us);
                self.put_down(node, progress, stage);
            }
            MasteryStatus::Unseen | MasteryStatus::Diagnosed | MasteryStatus::Learning => {
                self.unschedule(&mut progress, stage);
                progress.next_review_at_us = None;
                self.set_progress(node, progress, stage);
            }
        }
    }

    /// Replaces the map. Its document gets a new name, and the head points to it.
    pub(super) fn set_map(&mut self, map: MindMap, stage: &mut Stage<'_>) {
        let content = json!(map);
        let name = Uuid::new_v5(&Uuid::NAMESPACE_OID, content.to_string().as_bytes()).to_string();
        if let Some(old) = self.header.document.replace(name.clone()).filter(|old| *old != name) {
            stage.forget(MAP_DOCUMENT_KIND, old);
        }
        stage.remember(Record {
            kind: MAP_DOCUMENT_KIND.to_owned(),
            key: name,
            body: Some(content),
            ..Record::default()
        });
        self.header.node_count = map.nodes().len();
        self.map = Arc::new(map);
        self.keep_header(stage);
    }

    pub(super) fn set_status(&mut self, status: MapStatus, stage: &mut Stage<'_>) {
        self.header.status = status;
        self.keep_header(stage);
    }

    pub(super) fn is_abandoned(&self) -> bool {
        self.header.status == MapStatus::Abandoned
    }

    pub(super) fn keep_header(&self, stage: &mut Stage<'_>) {
        stage.remember(Record {
            kind: MAP_KIND.to_owned(),
            key: self.header.mind_map_id.to_string(),
            body: Some(json!(self.header)),
            scope: self.header.mind_map_id.to_string(),
            standing: Some(self.header.status.as_str().to_owned()),
            ..Record::default()
        });
    }

    /// Records an answer.
    pub(super) fn respond(
        &mut self,
        node: NodeId,
        (question_text, user_answer): (Text, &str),
        (response_type, quality): (ResponseType, Quality),
        stage: &mut Stage<'_>,
    ) -> Written {
        let kept = |text: &str| text.chars().take(MAX_ANSWER_CHARS).collect::<String>();
        let now_us = stage.moment.now_us;
        let response = Response {
            node_id: node,
            mind_map_id: self.header.mind_map_id,
            question_text: question_text.plain().map(|text| kept(text).into()).unwrap_or(question_text),
            user_answer: kept(user_answer),
            quality,
            response_type,
            responded_at: moment(now_us),
            marked: None,
        };
        self.responses += 1;
        let key = format!(
            "{}-{now_us:016}-{:04x}-{}",
            self.header.mind_map_id,
            stage.moment.seed & 0xffff,
            self.responses
        );
        let written = Written { key, response };
        keep_answer(&written, stage);
        written
    }

    /// Records an answer again as the learner sees it, beside the original mark.
    pub(super) fn judge_again(&self, written: &Written, quality: Quality, stage: &mut Stage<'_>) {
        let mut written = written.clone();
        written.response.marked = Some(std::mem::replace(&mut written.response.quality, quality));
        keep_answer(&written, stage);
    }

    /// Rates the memory of a concept and schedules its next review. Returns when that is due.
    pub(super) fn rate(&mut self, node: NodeId, quality: Quality, stage: &mut Stage<'_>) -> i64 {
        let now_us = stage.moment.now_us;
        let mut progress = self.progress(node);
        let calendar = Calendar::of(&self.profile);
        let elapsed_days = progress.reviewed_at_us.map_or(0, |at_us| calendar.days_between(at_us, now_us));
        let model = Model::of(&self.profile);
        let days = progress.rate(&model, self.profile.desired_retention, quality, elapsed_days);
        (progress.reviewed_at_us, progress.rated_at_us) = (Some(now_us), Some(now_us));
        let load = self.load_beside(node);
        let due_at_us = next_due_us(&self.profile, now_us, days, &|day| load.on(day));
        progress.next_review_at_us = Some(due_at_us);
        self.unschedule(&mut progress, stage);
        self.put_down(node, progress, stage);
        self.count_lapsed(0, stage);
        due_at_us
    }

    /// Returns how many reviews each day has beside those of this concept, of whatever course.
    fn load_beside(&self, node: NodeId) -> Load {
        let others = self.known().filter(|(other, _)| *other != node);
        let others = others.filter_map(|(_, other)| Some((other.next_review_at_us?, 1)));
        Load::of(others.chain(self.due_elsewhere.iter().copied()), &Calendar::of(&self.profile))
    }

    /// Keeps a concept's progress, and schedules its next review if it has one.
    fn put_down(&mut self, node: NodeId, mut progress: Progress, stage: &mut Stage<'_>) {
        let due_at_us = progress.next_review_at_us.filter(|_| is_in_review(&progress));
        let next = due_at_us.map(|at_us| (format!("review-{node}-rep{}", progress.repetitions), at_us));
        progress.schedule = next.as_ref().map(|(name, _)| name.clone());
        self.set_progress(node, progress, stage);
        if let Some((name, due_at_us)) = next {
            self.schedule(name, Some(node), due_at_us, stage);
        }
    }

    /// Credits a concept for a good answer on one that builds on it: its memory moves a little, and its review
    /// perhaps later.
    pub(super) fn credit(&mut self, node: NodeId, distance: u32, quality: Quality, stage: &mut Stage<'_>) {
        let mut progress = self.progress(node);
        let (Some(state), Some(reviewed_us), Some(due_us)) =
            (progress.memory, progress.reviewed_at_us, progress.next_review_at_us)
        else {
            return;
        };
        let known = Remembered { state, reviewed_us, due_us };
        let (load, now_us) = (self.load_beside(node), stage.moment.now_us);
        let on_day = |day| load.on(day);
        let Some(credited) = credit(&self.profile, known, quality, distance, now_us, &on_day) else {
            return;
        };
        // The next rating by SM-2 begins with this interval.
        if let MemoryState::Sm2 { interval_days, .. } = credited.state {
            progress.interval_days = interval_days;
        }
        progress.memory = Some(credited.state);
        progress.reviewed_at_us = Some(credited.reviewed_us);
        progress.next_review_at_us = Some(credited.due_us);
        let name = progress.schedule.clone();
        self.set_progress(node, progress, stage);
        if let Some(name) = name {
            self.schedule(name, Some(node), credited.due_us, stage);
        }
    }

    /// Schedules the rest of a large backlog as one review.
    pub(super) fn schedule_batch(&self, due_at_us: i64, stage: &mut Stage<'_>) {
        self.schedule(self.batch_name(), None, due_at_us, stage);
    }

    fn batch_name(&self) -> String {
        format!("review-batch-{}", self.header.mind_map_id)
    }

    /// Removes the schedules of everything that a sitting will ask for, single ones and the batch.
    pub(super) fn take_up(&mut self, nodes: &[NodeId], stage: &mut Stage<'_>) {
        for node in nodes {
            let mut progress = self.progress(*node);
            self.unschedule(&mut progress, stage);
            self.set_progress(*node, progress, stage);
        }
        stage.remember(Record {
            kind: SCHEDULE_KIND.to_owned(),
            key: self.batch_name(),
            ..Record::default()
        });
    }

    /// Reschedules the concepts that a sitting had taken up but did not ask about.
    pub(super) fn put_back(&mut self, now_us: i64, stage: &mut Stage<'_>) {
        let is_later =
            |p: &Progress| p.schedule.is_none() && p.next_review_at_us.is_some_and(|at| at > now_us);
        for node in self.in_review(is_later) {
            self.put_down(node, self.progress(node), stage);
        }
    }

    /// Counts ignored sittings in a row; every rating resets the count.
    pub(super) fn count_lapsed(&mut self, lapsed: u32, stage: &mut Stage<'_>) {
        if lapsed != self.header.lapsed_sittings {
            self.header.lapsed_sittings = lapsed;
            self.keep_header(stage);
        }
    }

    /// Whether a concept was recalled after a moment and has not fallen due again since.
    pub(super) fn is_recalled_since(&self, node: NodeId, moment_us: i64, now_us: i64) -> bool {
        let Progress { rated_at_us, next_review_at_us, .. } = self.progress(node);
        let is_due = next_review_at_us.is_some_and(|at_us| at_us <= now_us);
        !is_due && rated_at_us.is_some_and(|at_us| at_us > moment_us)
    }

    fn schedule(&self, name: String, node_id: Option<NodeId>, due_at_us: i64, stage: &mut Stage<'_>) {
        let schedule = Schedule {
            name: name.clone(),
            mind_map_id: self.header.mind_map_id,
            node_id,
            dispatch_mode: "prompt".to_owned(),
            run_at: moment(due_at_us),
            until_at: moment(after_days_us(due_at_us, SCHEDULE_LASTS_DAYS)),
        };
        stage.remember(Record {
            kind: SCHEDULE_KIND.to_owned(),
            key: name,
            body: Some(json!(schedule)),
            due_at_us: Some(due_at_us),
            scope: schedules_scope(self.header.mind_map_id),
            standing: node_id.map(|node| node.to_string()),
            ..Record::default()
        });
    }

    /// Removes the next review of a concept, because it happens now or never.
    pub(super) fn unschedule(&self, progress: &mut Progress, stage: &mut Stage<'_>) {
        if let Some(name) = progress.schedule.take() {
            stage.forget(SCHEDULE_KIND, name);
        }
    }

    /// Removes schedules that were found due, except those of concepts in review: the concept itself removes the ones
    /// that are due, and a newer schedule under the same name stays.
    pub(super) fn settle_schedules(&self, names: &[String], stage: &mut Stage<'_>) {
        let dated = self.progress.values().filter(|p| is_in_review(p) && p.next_review_at_us.is_some());
        let own: HashSet<&String> = dated.filter_map(|progress| progress.schedule.as_ref()).collect();
        for name in names.iter().filter(|name| !own.contains(name)) {
            stage.remember(Record { kind: SCHEDULE_KIND.to_owned(), key: name.clone(), ..Record::default() });
        }
    }

    /// Ends the course early: removes all reviews and keeps what is known.
    pub(super) fn abandon(&mut self, stage: &mut Stage<'_>) {
        self.set_status(MapStatus::Abandoned, stage);
        let dated = |p: &Progress| p.schedule.is_some() || p.next_review_at_us.is_some();
        let dated: Vec<NodeId> =
            self.progress.iter().filter(|(_, progress)| dated(progress)).map(|(node, _)| *node).collect();
        self.take_up(&dated, stage);
    }

    /// Returns the concepts whose review is due, the hardest first. A concept that is still being taught is not
    /// reviewed.
    pub(super) fn due(&self, now_us: i64) -> Vec<NodeId> {
        self.in_review(|progress| progress.next_review_at_us.is_some_and(|at_us| at_us <= now_us))
    }

    /// Returns the concepts that are understood but not mastered, due or not, the hardest first.
    pub(super) fn unsteady(&self) -> Vec<NodeId> {
        self.in_review(|progress| progress.mastery_status == MasteryStatus::Reviewing)
    }

    fn in_review(&self, wanted: impl Fn(&Progress) -> bool) -> Vec<NodeId> {
        let found = self.known().filter(|(_, progress)| is_in_review(progress) && wanted(progress));
        let mut found: Vec<(NodeId, &Progress)> = found.collect();
        found.sort_by(|a, b| a.1.ease_factor.total_cmp(&b.1.ease_factor).then_with(|| a.0.cmp(&b.0)));
        found.into_iter().map(|(node, _)| node).collect()
    }

    pub(super) fn summary(&self) -> Summary {
        let is_mastered = |status: &MasteryStatus| *status == MasteryStatus::Mastered;
        Summary {
            title: self.header.title.clone(),
            concepts: self.map.nodes().len() as u32,
            mastered: self.statuses().iter().filter(|status| is_mastered(status)).count() as u32,
            next_review_at_us: self.next_review().map(|(_, at_us)| at_us),
        }
    }

    /// Returns the concept whose review comes next, and when.
    pub(super) fn next_review(&self) -> Option<(NodeId, i64)> {
        let dated = self.known().filter_map(|(node, progress)| Some((progress.next_review_at_us?, node)));
        dated.min().map(|(at_us, node)| (node, at_us))
    }

    /// Returns the first concept in the order of learning that is not understood yet.
    pub(super) fn next_to_teach(&self) -> Option<NodeId> {
        let left = self.map.nodes().iter().filter(|node| self.status(node.node_id).is_teachable());
        left.min_by_key(|node| node.sequence).map(|node| node.node_id)
    }

    /// Iterates over the concepts of the map of which something is known.
    fn known(&self) -> impl Iterator<Item = (NodeId, &Progress)> {
        let nodes = self.map.nodes().iter().map(|node| node.node_id);
        nodes.filter_map(|node| Some((node, self.progress.get(&node)?)))
    }
}

fn keep_answer(Written { key, response }: &Written, stage: &mut Stage<'_>) {
    stage.remember(Record {
        kind: RESPONSE_KIND.to_owned(),
        key: key.clone(),
        body: Some(json!(response)),
        scope: answers_scope(response.mind_map_id),
        standing: Some(response.node_id.to_string()),
        ..Record::default()
    });
}

fn is_in_review(progress: &Progress) -> bool {
    matches!(progress.mastery_status, MasteryStatus::Reviewing | MasteryStatus::Mastered)
}

fn empty_map(header: &Header) -> MindMap {
    MindMap::new(Draft::new(header.mind_map_id, &header.title)).expect("a map without nodes is sound")
}

fn profile(moment: &Moment<'_>) -> Profile {
    moment.records.iter().find(|record| record.kind == PROFILE_KIND).and_then(body).unwrap_or_default()
}

fn body<T: serde::de::DeserializeOwned>(record: &Record) -> Option<T> {
    T::deserialize(record.body.as_ref()?).ok()
}
