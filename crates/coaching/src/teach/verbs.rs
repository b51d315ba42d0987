//! What can be done with courses and reviews, as every surface offers it.

use super::state::{FlowState, FlowStatus};
use crate::face::{Answers, Does, Given, Http, Tool, Verb, Who, as_given, schema};
use crate::learner::Quality;
use crate::map::{EdgeType, MasteryStatus};
use crate::teach::progress::ResponseType;
use crate::teach::slate::Tutor;
use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::{Value, json};

/// What a learner says.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Words {
    /// In the learner's own words.
    pub text: String,
}

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
#[allow(dead_code, reason = "the opening is read as a whole in opening.rs")]
struct Start {
    /// What to learn, in the learner's words; it becomes the title of the map.
    #[serde(default)]
    topic: Option<String>,
    /// What the learner wants to be able to do.
    #[serde(default)]
    goal: Option<String>,
    /// Who teaches: `etude`, or `outside`, the caller.
    #[serde(default)]
    tutor: Option<Tutor>,
    /// A curriculum by its id.
    #[serde(default)]
    curriculum: Option<String>,
    /// A map as the JSON format of a map writes it.
    #[serde(default)]
    map: Option<Value>,
}

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
#[allow(dead_code, reason = "the opening is read as a whole in opening.rs")]
struct Lead {
    /// What to learn, in a few words; it becomes the title of the map.
    topic: String,
    /// What the learner wants to be able to do.
    #[serde(default)]
    goal: Option<String>,
    /// Who teaches: `outside` is you, `etude` is Etude itself.
    #[serde(default)]
    tutor: Option<Tutor>,
    /// A curriculum by its id (see curriculum_list); only for tutor `etude`.
    #[serde(default)]
    curriculum: Option<String>,
}

#[derive(Debug, Default, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Advance {
    /// Refuse when the course has another status.
    #[serde(default)]
    pub expected_status: Option<FlowStatus>,
}

#[derive(Debug, Default, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Again {
    /// A curriculum by its id or title; without one, a model is asked.
    #[serde(default)]
    pub curriculum: Option<String>,
}

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
#[allow(dead_code, reason = "only its schema is used")]
struct Phase {
    /// What has just happened.
    phase: Passed,
}

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
enum Passed {
    Explained,
    Asked,
}

#[derive(Debug, Default, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
#[allow(dead_code, reason = "the opening is read as a whole in review.rs")]
struct Sitting {
    /// Also what is not due yet but not mastered either.
    #[serde(default)]
    ahead: bool,
}

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
#[allow(dead_code, reason = "the edit is read as a whole in edits.rs")]
struct NewNode {
    /// The name of the concept, a few words.
    label: String,
    /// What it covers, in a sentence or two.
    #[serde(default)]
    description: Option<String>,
    /// How long it takes to learn.
    #[serde(default)]
    effort_minutes: Option<u32>,
}

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
#[allow(dead_code, reason = "the edit is read as a whole in edits.rs")]
struct NewEdge {
    /// What is needed.
    parent_node_id: String,
    /// What needs it.
    child_node_id: String,
    #[serde(default = "prerequisite")]
    edge_type: EdgeType,
}

fn prerequisite() -> EdgeType {
    EdgeType::Prerequisite
}

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
#[allow(dead_code, reason = "the edit is read as a whole in edits.rs")]
struct NodeChange {
    node_id: String,
    #[serde(default)]
    label: Option<String>,
    /// 0 to 1.
    #[serde(default)]
    mastery_score: Option<f64>,
    #[serde(default)]
    mastery_status: Option<MasteryStatus>,
    /// 1.3 to 10.
    #[serde(default)]
    ease_factor: Option<f64>,
    #[serde(default)]
    repetitions: Option<u32>,
}

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
#[allow(dead_code, reason = "the record is read as a whole in edits.rs")]
struct NewResponse {
    node_id: String,
    /// The whole question as it was put.
    question_text: String,
    /// The learner's answer in their own words.
    user_answer: String,
    #[schemars(with = "Quality")]
    quality: Value,
    response_type: ResponseType,
}

const fn http(operation: &'static str, path: &'static str, summary: &'static str) -> Option<Http> {
    Some(Http { operation, method: "post", path, summary })
}

const MAP: Option<&str> = Some("mind_map_id");
const STATE: Answers = Answers::More(schema::<FlowState>);

/// A verb that acts on a course, to begin from.
const ACT: Verb = Verb {
    name: "act",
    does: Does::Acts(""),
    who: Who::Learner,
    payload: None,
    prepare: as_given,
    http: None,
    tool: None,
    chat: &[],
    typed: &[],
};

pub const COURSE_VERBS: &[Verb] = &[
    Verb {
        name: "start",
        does: Does::Opens,
        payload: Some(schema::<Start>),
        http: http(
            "start_course",
            "/api/courses",
            "Start a course on a topic, or on a map that is brought along",
        ),
        chat: &["learn"],
        ..ACT
    },
    Verb {
        name: "lead",
        does: Does::Opens,
        who: Who::Leader,
        payload: Some(schema::<Lead>),
        prepare: led_outside,
        tool: Some(Tool {
            name: "teaching_flow_start",
            title: "Start a course",
            about: "Starts a course on a topic and returns its state, which is `diagnosing`. By default you are the tutor: \
                    find out in 3 to 7 questions what the learner knows (record each with quiz_response_record), call \
                    teaching_flow_advance, lay out the map with mind_map_node_create and mind_map_edge_create, advance \
                    again, and teach one concept at a time. With tutor `etude`, Etude teaches from its own curricula \
                    (curriculum_list) and you only pass on what it says and what the learner answers (teach_answer). \
                    Keep `mind_map_id`: every other tool asks for it.",
            id: None,
            answers: STATE,
        }),
        ..ACT
    },
    Verb {
        name: "answer",
        does: Does::Says("answered"),
        payload: Some(schema::<Words>),
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
        ..ACT
    },
    Verb {
        name: "ask",
        does: Does::Acts("asks"),
        payload: Some(schema::<Words>),
        http: http(
            "ask_course",
            "/api/courses/{id}/ask",
            "Ask something of one's own; the course stays where it is",
        ),
        tool: Some(Tool {
            name: "teach_ask",
            title: "Ask Etude something in between",
            about: "Passes a question of the learner's own to Etude, in a course that Etude teaches. It is matched to the \
                    current concept, another one of the map, or called out of scope; the course stays where it is.",
            id: MAP,
            answers: Answers::View,
        }),
        typed: &["?"],
        ..ACT
    },
    Verb {
        name: "go-on",
        does: Does::Acts("go_on"),
        http: http("go_on_course", "/api/courses/{id}/go-on", "Go on after an explanation"),
        tool: Some(Tool {
            name: "teach_go_on",
            title: "Go on after an explanation",
            about: "The learner has read the explanation and wants the comprehension question, in a course that Etude \
                    teaches.",
            id: MAP,
            answers: Answers::View,
        }),
        ..ACT
    },
    Verb { name: "object", does: Does::Acts("objects"), typed: &["mine"], ..ACT },
    Verb {
        name: "plan-again",
        does: Does::Acts("plan_again"),
        payload: Some(schema::<Again>),
        http: http(
            "plan_course_again",
            "/api/courses/{id}/plan-again",
            "Try again to get a map that no model could make, or take a curriculum; repeatable with an \
             Idempotency-Key header",
        ),
        tool: Some(Tool {
            name: "teaching_flow_plan_again",
            title: "Try again to get a map",
            about: "For a course that Etude teaches and that has no map, because its model could not name the concepts: asks \
                    the model once more, or takes a curriculum (curriculum_list) in its place. Returns the new state and what \
                    Etude says, which is its first question when there is a map now.",
            id: MAP,
            answers: STATE,
        }),
        chat: &["plan"],
        ..ACT
    },
    Verb {
        name: "advance",
        does: Does::Acts("advance"),
        who: Who::Leader,
        payload: Some(schema::<Advance>),
        http: http(
            "advance_course",
            "/api/courses/{id}/advance",
            "Move a course to its next status; repeatable with an Idempotency-Key header",
        ),
        tool: Some(Tool {
            name: "teaching_flow_advance",
            title: "Move a course on",
            about: "Moves a course to its next status and returns the new state: diagnosing to planning to teaching to \
                    quizzing, and from there to the next concept (teaching), to waiting for reviews (reviewing) or to \
                    completed, as the frontier of the map decides. A failed quiz goes back to the same concept. Give \
                    expected_status, the status you believe the course to have, so that you never move one that somebody \
                    else has moved in the meantime.",
            id: MAP,
            answers: STATE,
        }),
        ..ACT
    },
    Verb {
        name: "phase",
        does: Does::Chooses(phase),
        who: Who::Leader,
        payload: Some(schema::<Phase>),
        tool: Some(Tool {
            name: "teaching_flow_phase",
            title: "Say how far the teaching has come",
            about: "While a course is in `teaching` and you are the tutor: `explained` after you have explained the current \
                    concept (the phase becomes questioning), `asked` after you have put your comprehension question (the \
                    phase becomes evaluating). A later session then goes on without explaining again.",
            id: MAP,
            answers: STATE,
        }),
        ..ACT
    },
    Verb {
        name: "abandon",
        does: Does::Ends("abandon"),
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
            id: MAP,
            answers: Answers::Nothing,
        }),
        chat: &["stop"],
        ..ACT
    },
    Verb {
        name: "resume",
        does: Does::Opens,
        prepare: resumed,
        http: http(
            "resume_course",
            "/api/courses/{id}/resume",
            "Go on with an abandoned course: a copy under new ids; the course itself stays as it ended",
        ),
        tool: Some(Tool {
            name: "teaching_flow_resume",
            title: "Resume an abandoned course",
            about: "Goes on with an abandoned course: a new course with a new mind_map_id and a copy of the map and of \
                    everything that was learned, whose concepts have new node_ids; its reviews are put down again. The \
                    abandoned course stays as it ended. Call it once: each call makes another copy.",
            id: MAP,
            answers: STATE,
        }),
        ..ACT
    },
    Verb {
        name: "node-create",
        does: Does::Acts("edited"),
        who: Who::Leader,
        payload: Some(schema::<NewNode>),
        prepare: node_create,
        tool: Some(Tool {
            name: "mind_map_node_create",
            title: "Add a concept",
            about: "Adds a concept to a map and returns its node_id. A plan has at most 30 concepts, from the foundations \
                    to the goal, each small enough for one sitting.",
            id: MAP,
            answers: Answers::Look("created"),
        }),
        ..ACT
    },
    Verb {
        name: "edge-create",
        does: Does::Acts("edited"),
        who: Who::Leader,
        payload: Some(schema::<NewEdge>),
        prepare: edge_create,
        tool: Some(Tool {
            name: "mind_map_edge_create",
            title: "Join two concepts",
            about: "Says that the child concept needs the parent (prerequisite), or that the two belong together (related). \
                    Refused when prerequisites would go round in a circle; the circle is named. A plan is at most 5 \
                    prerequisites deep.",
            id: MAP,
            answers: Answers::Nothing,
        }),
        ..ACT
    },
    Verb {
        name: "node-update",
        does: Does::Acts("edited"),
        who: Who::Leader,
        payload: Some(schema::<NodeChange>),
        prepare: node_update,
        tool: Some(Tool {
            name: "mind_map_node_update",
            title: "Change a concept",
            about: "Changes the label of a concept or what is known about it. Answers that you record with \
                    quiz_response_record update mastery by themselves; use this only to correct. What a learner seems to \
                    know from a diagnosis is worth a score of 0.3 to 0.7, never more.",
            id: MAP,
            answers: Answers::Look("node"),
        }),
        ..ACT
    },
    Verb {
        name: "record",
        does: Does::Acts("recorded"),
        who: Who::Leader,
        payload: Some(schema::<NewResponse>),
        tool: Some(Tool {
            name: "quiz_response_record",
            title: "Record an answer",
            about: "Records a question that you have put, the learner's answer in their own words, and how good it was \
                    (quality 0 to 5, a whole number: 3 and above counts as right). response_type `diagnostic` while \
                    diagnosing, `teach` for comprehension and quiz questions, `review` for recall of a concept that was \
                    learned before: that one also rates the memory and puts down the next review.",
            id: MAP,
            answers: Answers::Look("recorded"),
        }),
        ..ACT
    },
];

pub const REVIEW_VERBS: &[Verb] = &[
    Verb {
        name: "start",
        does: Does::OpensBeside,
        payload: Some(schema::<Sitting>),
        http: http(
            "review_course",
            "/api/courses/{id}/review",
            "Begin a sitting of recall beside a course, or go on with the open one; its id takes the answers",
        ),
        tool: Some(Tool {
            name: "review_start",
            title: "Start a review",
            about: "Begins a sitting of recall beside a course: Etude asks for every concept that is due, once, or with \
                    `ahead` for those that are understood but not mastered yet. A course has one sitting at a time: one that \
                    is open goes on. Returns the question in `said` and an `id`; answer with teach_answer and that id. The \
                    course itself is not disturbed.",
            id: MAP,
            answers: Answers::View,
        }),
        chat: &["review"],
        ..ACT
    },
    Verb { name: "answer", does: Does::Says("answered"), payload: Some(schema::<Words>), ..ACT },
    Verb { name: "ask", does: Does::Acts("asks"), payload: Some(schema::<Words>), typed: &["?"], ..ACT },
    Verb { name: "object", does: Does::Acts("objects"), typed: &["mine"], ..ACT },
    Verb { name: "leave", does: Does::Ends("leave"), ..ACT },
];

fn led_outside(given: Given<'_>) -> Value {
    let mut body = given.body;
    if let Value::Object(fields) = &mut body
        && fields.get("tutor").is_none_or(Value::is_null)
    {
        fields.insert("tutor".to_owned(), json!(Tutor::Outside));
    }
    body
}

fn resumed(given: Given<'_>) -> Value {
    json!({"from": given.id})
}

fn phase(given: &Value) -> Option<&'static str> {
    match given.get("phase")?.as_str()? {
        "explained" => Some("explained"),
        "asked" => Some("asked"),
        _ => None,
    }
}

fn node_create(given: Given<'_>) -> Value {
    let fresh = given.fresh.to_owned();
    let mut edit = edit("node_create", given);
    edit["node_id"] = json!(fresh);
    edit
}

fn edge_create(given: Given<'_>) -> Value {
    edit("edge_create", given)
}

fn node_update(given: Given<'_>) -> Value {
    edit("node_update", given)
}

fn edit(name: &str, given: Given<'_>) -> Value {
    let mut body = given.body;
    if let Value::Object(fields) = &mut body {
        fields.insert("edit".to_owned(), json!(name));
    }
    body
}
