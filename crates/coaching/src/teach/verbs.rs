//! The verbs of courses and reviews: the tables that every surface is made of, and the input of each verb. A verb
//! of a course is also one of the review beside it, where that has one of the same name.

use super::course::Event;
use super::progress::ResponseType;
use super::slate::Tutor;
use super::state::{FlowState, FlowStatus};
use crate::face::{Answers, Does, Given, Tool, VERB, Verb, Who, http, schema};
use crate::map::{EdgeType, Gate, MasteryStatus, NodeId, max_planned_depth, max_planned_nodes};
use crate::text::Words;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value, json};

/// The start of a course: a topic, or a map.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
#[schemars(rename = "StartBody")]
pub struct Start {
    /// The subject to learn, in the learner's words.
    #[serde(default)]
    pub topic: Option<String>,
    #[serde(default)]
    pub goal: Option<String>,
    /// The tutor: `etude` (the default), or `outside`, the caller.
    #[serde(default)]
    pub tutor: Option<Tutor>,
    /// A curriculum by its id.
    #[serde(default)]
    pub curriculum: Option<String>,
    /// When the concepts behind a concept open: `understood`, a passed lesson (the default where Etude
    /// teaches), or `mastered`.
    #[serde(default)]
    pub gate: Option<Gate>,
    /// A map in its JSON format.
    #[serde(default)]
    pub map: Option<Value>,
}

/// The opening of a course, by its tutor.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Lead {
    /// The subject in a few words; it becomes the title of the map.
    pub topic: String,
    /// The learner's goal.
    #[serde(default)]
    pub goal: Option<String>,
    /// The tutor: `outside` is you, `etude` is Etude itself.
    #[serde(default)]
    pub tutor: Option<Tutor>,
    /// A curriculum by its id (see curriculum_list); only for tutor `etude`.
    #[serde(default)]
    pub curriculum: Option<String>,
    /// When the concepts behind a concept open: `mastered` (the default for `outside`) or `understood`.
    #[serde(default)]
    pub gate: Option<Gate>,
}

#[derive(Debug, Default, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
#[schemars(rename = "AdvanceBody")]
pub struct Advance {
    /// Refuse when the course has another status.
    #[serde(default)]
    pub expected_status: Option<FlowStatus>,
}

#[derive(Debug, Default, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
#[schemars(rename = "PlanBody")]
pub struct PlanAgain {
    /// A curriculum by its id or title; without one, a model is asked.
    #[serde(default)]
    pub curriculum: Option<String>,
}

#[derive(Debug, Deserialize, JsonSchema)]
#[schemars(rename = "TextBody")]
pub struct Answer {
    /// The learner's answer, in their own words.
    pub text: String,
    /// Whether the learner stays to hear the mark. Otherwise a review does not wait for an objection to the last
    /// mark.
    #[serde(default)]
    #[schemars(skip)]
    pub stays: bool,
}

#[derive(Debug, Deserialize, JsonSchema)]
#[schemars(rename = "QuestionBody")]
pub struct Inquiry {
    /// The learner's question.
    pub text: String,
}

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct PhaseReport {
    /// The step that has just happened.
    pub phase: Passed,
}

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
#[schemars(inline)]
pub enum Passed {
    Explained,
    Asked,
}

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct NodeCreate {
    /// Chosen by the sender of the event.
    #[schemars(skip)]
    pub node_id: NodeId,
    /// The name of the concept, a few words.
    pub label: String,
    /// Its content, in a sentence or two.
    #[serde(default)]
    pub description: Option<String>,
    /// How long it takes to learn.
    #[serde(default)]
    pub effort_minutes: Option<u32>,
}

#[derive(Debug, Serialize, JsonSchema)]
pub struct Created {
    pub node_id: NodeId,
}

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct EdgeGiven {
    /// The prerequisite.
    pub parent_node_id: NodeId,
    /// The node that needs it.
    pub child_node_id: NodeId,
    /// `prerequisite`: the child cannot be taught before the parent. `related`: worth seeing beside it.
    #[serde(default = "prerequisite")]
    pub edge_type: EdgeType,
}

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct NodeRemove {
    /// The concept.
    pub node_id: NodeId,
}

fn prerequisite() -> EdgeType {
    EdgeType::Prerequisite
}

/// A correction of what is known about a concept. Fields that are left out stay as they are.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct NodeUpdate {
    /// The concept.
    pub node_id: NodeId,
    /// A new name for it.
    #[serde(default)]
    pub label: Option<String>,
    /// 0 to 1.
    #[serde(default)]
    pub mastery_score: Option<f64>,
    /// How far it has come.
    #[serde(default)]
    pub mastery_status: Option<MasteryStatus>,
    /// 1.3 to 100.
    #[serde(default)]
    pub ease_factor: Option<f64>,
    /// Recalls in a row.
    #[serde(default)]
    pub repetitions: Option<u32>,
}

/// A question that another tutor has put, and how good the answer was.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Judged {
    /// The concept that was asked about.
    pub node_id: NodeId,
    /// The whole question as it was put.
    pub question_text: String,
    /// The learner's answer in their own words.
    pub user_answer: String,
    /// How good the answer was: a whole number from 0 to 5.
    // It is read by hand: 2.9 and `true` get a better answer than a type error.
    #[schemars(with = "crate::learner::Quality")]
    pub quality: Value,
    /// The occasion on which it was asked.
    pub response_type: ResponseType,
}

#[derive(Debug, Default, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
#[schemars(rename = "ReviewBody")]
pub struct Sit {
    /// Also ask about concepts that are neither due nor mastered.
    #[serde(default)]
    pub ahead: bool,
}

pub const COURSE: &[Verb] = &[
    START,
    LEAD,
    ANSWER,
    ASK,
    GO_ON,
    OBJECT,
    ADVANCE,
    PLAN_AGAIN,
    ABANDON,
    RESUME,
    PHASE,
    NODE_CREATE,
    EDGE_CREATE,
    NODE_UPDATE,
    NODE_REMOVE,
    EDGE_REMOVE,
    RECORD,
];

/// What is typed to go straight to the quiz: a word that also declines to answer, and then claims to know the concept.
const TO_THE_QUIZ: &[&str] = &["skip", "i know this", "i know that", "kann ich schon", "kenne ich schon"];

/// Whether a text only claims to know the concept. At a question that is no answer.
pub(super) fn claims_to_know(text: &str) -> bool {
    let said = Words::new(text);
    let said: Vec<&str> = said.iter().map(|(_, folded)| folded).collect();
    TO_THE_QUIZ[1..].contains(&said.join(" ").as_str())
}

pub const REVIEW: &[Verb] = &[SIT, REVIEW_ANSWER, REVIEW_ASK, REVIEW_OBJECT, LEAVE];

const START: Verb = Verb {
    name: "start",
    payload: Some(schema::<Start>),
    prepare: start,
    http: http("start_course", "/api/courses", "Start a course on a topic, or on a map of your own"),
    chat: &["learn"],
    ..VERB
};

/// Opens a course for an assistant, which is the tutor unless it says otherwise.
const LEAD: Verb = Verb {
    name: "lead",
    who: Who::Leader,
    payload: Some(schema::<Lead>),
    prepare: lead,
    tool: Some(Tool {
        name: "teaching_flow_start",
        title: "Start a course",
        about: "Starts a course and returns its state (`diagnosing`). By default you are the tutor: add concepts with \
                mind_map_node_create, ask a few questions about them and record each with quiz_response_record, call \
                teaching_flow_advance, complete the map, advance again, and teach one concept at a time. With tutor \
                `etude`, Etude teaches from its curricula (curriculum_list): pass on what it says, and the answers \
                with teach_answer. Keep `mind_map_id`: every other tool asks for it.",
        id: None,
        answers: Answers::More(schema::<FlowState>),
    }),
    ..VERB
};

pub const ANSWER: Verb = Verb {
    name: "answer",
    does: Does::Says(Event::Answered.name()),
    payload: Some(schema::<Answer>),
    http: http(
        "answer_course",
        "/api/courses/{id}/answer",
        "Answer the question of a course or a review; repeatable with an Idempotency-Key header",
    ),
    tool: Some(Tool {
        name: "teach_answer",
        title: "Answer Etude's question",
        about: "Passes the learner's answer to the question that Etude has put, in a course that Etude teaches or in a \
                review. Returns what Etude says (`said`: feedback, explanations, the next question) and where the \
                flow stands. Pass the learner's own words on unchanged.",
        id: Some("id"),
        answers: Answers::View,
    }),
    typed: TO_THE_QUIZ,
    german: &["kann ich schon", "kenne ich schon"],
    ..VERB
};

pub const ASK: Verb = Verb {
    name: "ask",
    does: Does::Acts(Event::Asks.name()),
    payload: Some(schema::<Inquiry>),
    http: http(
        "ask_course",
        "/api/courses/{id}/ask",
        "Ask a question of your own; the course stays where it is",
    ),
    tool: Some(Tool {
        name: "teach_ask",
        title: "Ask Etude something in between",
        about: "Passes a question of the learner's own to Etude, in a course that Etude teaches. It is matched to the \
                current concept, another one of the map, or called out of scope; the course stays where it is.",
        id: Some("mind_map_id"),
        answers: Answers::View,
    }),
    typed: &["?"],
    ..VERB
};

pub(super) const GO_ON: Verb = Verb {
    name: "go-on",
    does: Does::Acts(Event::GoOn.name()),
    http: http("go_on_course", "/api/courses/{id}/go-on", "Go on after an explanation"),
    tool: Some(Tool {
        name: "teach_go_on",
        title: "Go on after an explanation",
        about: "The learner has read the explanation and wants the comprehension question, in a course that Etude \
                teaches.",
        id: Some("mind_map_id"),
        answers: Answers::View,
    }),
    ..VERB
};

const OBJECT: Verb = Verb {
    name: "object",
    does: Does::Acts(Event::Objects.name()),
    typed: &["mine", "doch", ":right"],
    german: &["doch"],
    ..VERB
};

const ADVANCE: Verb = Verb {
    name: "advance",
    does: Does::Acts(Event::Advance.name()),
    payload: Some(schema::<Advance>),
    http: http(
        "advance_course",
        "/api/courses/{id}/advance",
        "Move a course to its next status; repeatable with an Idempotency-Key header",
    ),
    tool: Some(Tool {
        name: "teaching_flow_advance",
        title: "Move a course on",
        about: "Moves a course to its next status and returns the new state: diagnosing (after enough answers) to planning \
                to teaching to quizzing, and from there to the next concept (teaching), to waiting for reviews \
                (reviewing) or to completed. A quiz needs a recorded answer; a failed one goes back to the \
                same concept. expected_status guards against a course that has moved meanwhile.",
        id: Some("mind_map_id"),
        answers: Answers::More(schema::<FlowState>),
    }),
    typed: TO_THE_QUIZ,
    german: &["kann ich schon", "kenne ich schon"],
    ..VERB
};

pub const PLAN_AGAIN: Verb = Verb {
    name: "plan-again",
    does: Does::Acts(Event::PlanAgain.name()),
    payload: Some(schema::<PlanAgain>),
    prepare: |given| worded(given, "curriculum"),
    http: http(
        "plan_course_again",
        "/api/courses/{id}/plan-again",
        "Try again to make a map, or use a curriculum; repeatable with an Idempotency-Key \
         header",
    ),
    tool: Some(Tool {
        name: "teaching_flow_plan_again",
        title: "Try again to get a map",
        about: "For a course that Etude teaches and that has no map, because its model could not name the concepts: asks \
                the model once more, or takes a curriculum (curriculum_list) in its place. Returns the new state and what \
                Etude says, which is its first question when there is a map now.",
        id: Some("mind_map_id"),
        answers: Answers::More(schema::<FlowState>),
    }),
    chat: &["plan"],
    ..VERB
};

const ABANDON: Verb = Verb {
    name: "abandon",
    does: Does::Ends(Event::Abandon.name()),
    http: http(
        "abandon_course",
        "/api/courses/{id}/abandon",
        "End a course and delete its reviews; it can be resumed",
    ),
    tool: Some(Tool {
        name: "teaching_flow_abandon",
        title: "Abandon a course",
        about: "Ends a course for good and deletes its pending reviews. Its map and history stay, and \
                teaching_flow_resume can go on from them under a new id. Ask the learner first.",
        id: Some("mind_map_id"),
        answers: Answers::Nothing,
    }),
    chat: &["stop"],
    asks_first: Some("teach-sure-aside"),
    ..VERB
};

const RESUME: Verb = Verb {
    name: "resume",
    prepare: |given| json!({"from": given.id}),
    http: http(
        "resume_course",
        "/api/courses/{id}/resume",
        "Continue a copy of an abandoned course under new ids; the course itself stays as it ended",
    ),
    tool: Some(Tool {
        name: "teaching_flow_resume",
        title: "Resume an abandoned course",
        about: "Goes on with an abandoned course in a new one: a new mind_map_id, new node_ids, and a copy of the map, of \
                everything that was learned and of the reviews. The abandoned course stays as it ended. Each call makes \
                another copy.",
        id: Some("mind_map_id"),
        answers: Answers::More(schema::<FlowState>),
    }),
    ..VERB
};

const PHASE: Verb = Verb {
    name: "phase",
    does: Does::ActsBy { argument: "phase", events: &[Event::Explained.name(), Event::Asked.name()] },
    who: Who::Leader,
    payload: Some(schema::<PhaseReport>),
    prepare: |_| json!({}),
    tool: Some(Tool {
        name: "teaching_flow_phase",
        title: "Say how far the teaching has come",
        about: "While a course is in `teaching` and you are the tutor: `explained` after you have explained the current \
                concept (the phase becomes questioning), `asked` after you have put your comprehension question (the \
                phase becomes evaluating). A later session then goes on without explaining again.",
        id: Some("mind_map_id"),
        answers: Answers::More(schema::<FlowState>),
    }),
    ..VERB
};

const NODE_CREATE: Verb = Verb {
    name: "node-create",
    does: Does::Acts(Event::Edited.name()),
    who: Who::Leader,
    payload: Some(schema::<NodeCreate>),
    prepare: |given| {
        let node_id = given.fresh.to_owned();
        edit("node_create", given.body, [("node_id", json!(node_id))])
    },
    tool: Some(Tool {
        name: "mind_map_node_create",
        title: "Add a concept",
        about: concat!(
            "Adds a concept to a map and returns its node_id. A plan has at most ",
            max_planned_nodes!(),
            " concepts, from the foundations to the goal, each small enough for one sitting."
        ),
        id: Some("mind_map_id"),
        answers: Answers::Payload(schema::<Created>),
    }),
    ..VERB
};

const EDGE_CREATE: Verb = Verb {
    name: "edge-create",
    does: Does::Sets(Event::Edited.name()),
    who: Who::Leader,
    payload: Some(schema::<EdgeGiven>),
    prepare: |given| edit("edge_create", given.body, []),
    tool: Some(Tool {
        name: "mind_map_edge_create",
        title: "Join two concepts",
        about: concat!(
            "Says that the child concept needs the parent (prerequisite), or that the two belong together (related). \
             Refused when prerequisites would form a cycle, which the message names. A plan is at most ",
            max_planned_depth!(),
            " prerequisites deep."
        ),
        id: Some("mind_map_id"),
        answers: Answers::Nothing,
    }),
    ..VERB
};

const NODE_UPDATE: Verb = Verb {
    name: "node-update",
    does: Does::Sets(Event::Edited.name()),
    who: Who::Leader,
    payload: Some(schema::<NodeUpdate>),
    prepare: |given| edit("node_update", given.body, []),
    tool: Some(Tool {
        name: "mind_map_node_update",
        title: "Change a concept",
        about: "Changes the label of a concept or what is known about it. Answers that you record with \
                quiz_response_record update mastery by themselves; use this only to correct. What a learner seems to \
                know from a diagnosis is worth a score of 0.3 to 0.7, never more. A status moves one step at a time: \
                unseen, diagnosed or learning, reviewing, mastered, and back.",
        id: Some("mind_map_id"),
        answers: Answers::Look("node"),
    }),
    ..VERB
};

const NODE_REMOVE: Verb = Verb {
    name: "node-remove",
    does: Does::Ends(Event::Edited.name()),
    who: Who::Leader,
    payload: Some(schema::<NodeRemove>),
    prepare: |given| edit("node_remove", given.body, []),
    tool: Some(Tool {
        name: "mind_map_node_remove",
        title: "Remove a concept",
        about: "Takes a concept off the map, with its edges and what is known about it.",
        id: Some("mind_map_id"),
        answers: Answers::Nothing,
    }),
    ..VERB
};

const EDGE_REMOVE: Verb = Verb {
    name: "edge-remove",
    does: Does::Ends(Event::Edited.name()),
    who: Who::Leader,
    payload: Some(schema::<EdgeGiven>),
    prepare: |given| edit("edge_remove", given.body, []),
    tool: Some(Tool {
        name: "mind_map_edge_remove",
        title: "Remove an edge",
        about: "Takes an edge between two concepts off the map; the concepts stay.",
        id: Some("mind_map_id"),
        answers: Answers::Nothing,
    }),
    ..VERB
};

const RECORD: Verb = Verb {
    name: "record",
    does: Does::Acts(Event::Recorded.name()),
    who: Who::Leader,
    payload: Some(schema::<Judged>),
    tool: Some(Tool {
        name: "quiz_response_record",
        title: "Record an answer",
        about: "Records a question that you have put, the learner's answer in their own words, and its quality (0 to 5, a \
                whole number; 3 and above is right). response_type `diagnostic` while diagnosing, `teach` for \
                comprehension and quizzes, `review` for recall of what was learned before, which also plans the next \
                review. Where Etude is the tutor, use teach_answer.",
        id: Some("mind_map_id"),
        answers: Answers::Look("recorded"),
    }),
    ..VERB
};

pub const SIT: Verb = Verb {
    name: "start",
    does: Does::OpensBeside,
    payload: Some(schema::<Sit>),
    prepare: sit,
    http: http(
        "review_course",
        "/api/courses/{id}/review",
        "Start a review of a course, or continue the open one; its id takes the answers",
    ),
    tool: Some(Tool {
        name: "review_start",
        title: "Start a review",
        about: "Begins a sitting of recall beside a course: Etude asks for every concept that is due, once, or with \
                `ahead` for those that are understood but not mastered yet. A course has one sitting at a time: one that \
                is open goes on. Returns the question in `said` and an `id`; answer with teach_answer and that id. The course itself is not disturbed.",
        id: Some("mind_map_id"),
        answers: Answers::View,
    }),
    chat: &["review"],
    ..VERB
};

/// These share the course's operations and tools.
const REVIEW_ANSWER: Verb = Verb { http: None, tool: None, ..ANSWER };
const REVIEW_ASK: Verb = Verb { http: None, tool: None, ..ASK };
const REVIEW_OBJECT: Verb = OBJECT;

pub(super) const LEAVE: Verb =
    Verb { name: "leave", does: Does::Ends(super::review::Event::Leave.name()), chat: &["stop"], ..VERB };

/// Prepares an opening. A map that is brought along has a title of its own.
fn start(given: Given<'_>) -> Value {
    let mut opening = fields(worded(given, "topic"));
    if opening.contains_key("map") {
        opening.retain(|name, _| ["map", "tutor", "gate"].contains(&name.as_str()));
    }
    Value::Object(opening)
}

fn lead(given: Given<'_>) -> Value {
    let mut opening = fields(given.body);
    opening.entry("tutor").or_insert_with(|| json!(Tutor::Outside));
    Value::Object(opening)
}

/// Prepares an opening. In a chat, a request for a review means practice, due or not.
fn sit(given: Given<'_>) -> Value {
    if given.body.get("text").is_some() { json!({"ahead": true}) } else { given.body }
}

/// Puts the words that follow a command into the field that says what the verb is about.
fn worded(given: Given<'_>, field: &str) -> Value {
    let mut body = fields(given.body);
    match body.remove("text") {
        Some(Value::String(text)) if text.trim().is_empty() => {}
        Some(text) => drop(body.entry(field).or_insert(text)),
        None => {}
    }
    Value::Object(body)
}

fn edit<const N: usize>(edit: &str, body: Value, more: [(&str, Value); N]) -> Value {
    let mut body = fields(body);
    body.insert("edit".to_owned(), json!(edit));
    body.extend(more.map(|(name, value)| (name.to_owned(), value)));
    Value::Object(body)
}

/// Returns the fields that have a value: callers may leave one out or write `null`.
fn fields(body: Value) -> Map<String, Value> {
    let Value::Object(mut fields) = body else { return Map::new() };
    fields.retain(|_, value| !value.is_null());
    fields
}
