//! Asks a model for the plan of a topic and makes a sound map from the reply.
//!
//! Harmless mistakes are repaired and noted. A plan that contradicts itself is refused with a reason, which the
//! caller can pass on to the model.

use std::collections::HashMap;

use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

use crate::ask::reply;
use crate::ask::shape::{list, object, text};
use crate::ask::{ModelAsk, Part};
use crate::map::{
    Draft, Edge, MAX_PLANNED_DEPTH, MAX_PLANNED_NODES, MapError, MapId, MindMap, Node, NodeId, needs,
};
use crate::rejected::Rejected;
use crate::text::Words;

const MAX_LABEL_CHARS: usize = 80;
const MAX_DESCRIPTION_CHARS: usize = 400;
const MAX_LEARNER_CHARS: usize = 1_000;
pub const DEFAULT_MINUTES: u32 = 15;
const MAX_MINUTES: u32 = 240;
const MAX_NOTES: usize = 40;
/// The least number of concepts in a plan. With fewer there is nothing to find out about a learner, and little to
/// put in order. A model that names fewer is asked again.
pub const MIN_NODES: usize = 5;
/// The greatest number of nodes that a model is allowed in a reply. A reply with more nodes than a plan may have
/// loses its end; one with more than this is not a plan.
const MAX_REPLY_NODES: usize = 2 * MAX_PLANNED_NODES;
const MAX_OUTPUT_TOKENS: u32 = 4_000;
const TIMEOUT_MS: u64 = 60_000;

/// The concepts of a topic, ordered so that needs come first.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Plan {
    pub nodes: Vec<PlannedNode>,
    /// The repairs that were made.
    pub notes: Vec<Note>,
}

/// A repair to a reply, with the concept that it concerns.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub enum Note {
    Unlabelled,
    Merged(String),
    /// The concept had no usable time.
    Minutes(String),
    /// The concept was left out, because a plan has at most [`MAX_PLANNED_NODES`] concepts.
    LeftOut(String),
    NeedsItself(String),
    NeedsUnknown {
        concept: String,
        need: String,
    },
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct PlannedNode {
    pub label: String,
    pub description: String,
    pub minutes: u32,
    /// The indexes of the needed nodes in the plan, all before this one.
    pub needs: Vec<usize>,
}

/// The reason why a plan is of no use.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum PlanProblem {
    #[error("the reply has no JSON object with nodes; reply with one object {{\"nodes\": [...]}}")]
    NotJson,
    #[error("the nodes cannot be read: {0}; each is {{label, description, minutes, needs}}")]
    WrongShape(String),
    #[error("the plan has no node; name at least {MIN_NODES} concepts")]
    NoNodes,
    #[error("the plan has only {0} nodes; name at least {MIN_NODES} concepts, from the first to the last")]
    TooFew(usize),
    #[error("these nodes need each other: {}; remove one of the needs", .0.join(" → "))]
    Cycle(Vec<String>),
    #[error(
        "a chain of needs is {0} nodes long after its first, more than {MAX_PLANNED_DEPTH}; plan fewer steps between start and goal"
    )]
    TooDeep(u32),
}

impl PlanProblem {
    /// Returns the refusal, worded for the sender of the plan.
    pub fn rejected(&self) -> Rejected {
        let code = match self {
            PlanProblem::NotJson | PlanProblem::WrongShape(_) => "bad_model_answer",
            PlanProblem::NoNodes => "no_nodes",
            PlanProblem::TooFew(_) => "too_few_nodes",
            PlanProblem::Cycle(_) => "cycle",
            PlanProblem::TooDeep(_) => "too_deep",
        };
        Rejected::of(code, &self.to_string())
    }
}

impl Plan {
    /// Returns the plan as a map.
    pub fn map(&self, id: MapId, title: &str, goal: Option<String>) -> Result<MindMap, MapError> {
        let ids: Vec<NodeId> =
            self.nodes.iter().map(|node| NodeId::of_concept(id, &name(&node.label))).collect();
        let mut draft = Draft { goal, ..Draft::new(id, title) };
        for (node, node_id) in self.nodes.iter().zip(&ids) {
            draft.nodes.push(Node {
                description: Some(node.description.clone()).filter(|text| !text.is_empty()),
                effort_minutes: Some(node.minutes),
                ..Node::new(*node_id, &node.label)
            });
            draft.edges.extend(node.needs.iter().map(|need| Edge::prerequisite(ids[*need], *node_id)));
        }
        MindMap::new(draft)
    }
}

/// Builds the request for a plan. The topic and the goal are the learner's words.
pub fn plan_ask(topic: &str, goal: Option<&str>, number: u64, answered_by: &str) -> ModelAsk {
    let wish = json!({ "topic": topic, "goal": goal }).to_string();
    ModelAsk {
        number,
        name: "teach_plan".to_owned(),
        system: include_str!("prompts/plan.md").to_owned(),
        parts: vec![Part::Learner(wish.chars().take(MAX_LEARNER_CHARS).collect())],
        schema: schema(),
        max_output_tokens: MAX_OUTPUT_TOKENS,
        timeout_ms: TIMEOUT_MS,
        answered_by: answered_by.to_owned(),
        shown: Vec::new(),
    }
}

/// Reads a plan, repairs harmless mistakes and refuses the others.
pub fn read_plan(reply: &Value) -> Result<Plan, PlanProblem> {
    let object = reply::object_with(reply, "nodes").ok_or(PlanProblem::NotJson)?;
    let Reply { nodes } = Reply::deserialize(Value::Object(object))
        .map_err(|error| PlanProblem::WrongShape(error.to_string()))?;
    let mut rough = Rough::default();
    nodes.into_iter().for_each(|node| rough.add(node));
    rough.finish()
}

#[derive(Debug, Deserialize)]
struct Reply {
    nodes: Vec<ReplyNode>,
}

#[derive(Debug, Deserialize)]
struct ReplyNode {
    #[serde(default)]
    label: String,
    #[serde(default)]
    description: String,
    #[serde(default)]
    minutes: Value,
    #[serde(default)]
    needs: Vec<String>,
}

/// A plan while it is being put together.
#[derive(Default)]
struct Rough {
    nodes: Vec<(PlannedNode, Vec<String>)>,
    /// The index of each node by its name.
    places: HashMap<String, usize>,
    notes: Vec<Note>,
}

impl Rough {
    fn add(&mut self, node: ReplyNode) {
        let label = tidy(&node.label, MAX_LABEL_CHARS);
        let name = name(&label);
        if name.is_empty() {
            return self.note(Note::Unlabelled);
        }
        if let Some(&at) = self.places.get(&name) {
            self.nodes[at].1.extend(node.needs);
            return self.note(Note::Merged(label));
        }
        let minutes = self.minutes(&label, &node.minutes);
        let description = tidy(&node.description, MAX_DESCRIPTION_CHARS);
        self.places.insert(name, self.nodes.len());
        self.nodes.push((PlannedNode { label, description, minutes, needs: Vec::new() }, node.needs));
    }

    fn minutes(&mut self, label: &str, minutes: &Value) -> u32 {
        match minutes.as_u64() {
            Some(minutes) if (1..=u64::from(MAX_MINUTES)).contains(&minutes) => minutes as u32,
            _ => {
                self.note(Note::Minutes(label.to_owned()));
                DEFAULT_MINUTES
            }
        }
    }

    fn finish(mut self) -> Result<Plan, PlanProblem> {
        if self.nodes.is_empty() {
            return Err(PlanProblem::NoNodes);
        }
        let needs = self.needs();
        if let Some(cycle) = needs::cycle(&needs) {
            let names = cycle.iter().chain(cycle.first()).map(|at| self.nodes[*at].0.label.clone());
            return Err(PlanProblem::Cycle(names.collect()));
        }
        let mut order = needs::order(&needs);
        // The nodes are in order, so nothing before the end needs the nodes that are left out.
        for at in order.drain(order.len().min(MAX_PLANNED_NODES)..).collect::<Vec<_>>() {
            self.note(Note::LeftOut(self.nodes[at].0.label.clone()));
        }
        let nodes = self.ordered(&order, &needs);
        let needs: Vec<Vec<usize>> = nodes.iter().map(|node| node.needs.clone()).collect();
        let depth = needs::depths(&needs).into_iter().max().unwrap_or(0);
        if depth > MAX_PLANNED_DEPTH {
            return Err(PlanProblem::TooDeep(depth));
        }
        if nodes.len() < MIN_NODES {
            return Err(PlanProblem::TooFew(nodes.len()));
        }
        Ok(Plan { nodes, notes: self.notes })
    }

    /// Returns the needs as indexes. Drops unknown names and a node's own name.
    fn needs(&mut self) -> Vec<Vec<usize>> {
        let mut all = Vec::with_capacity(self.nodes.len());
        for at in 0..self.nodes.len() {
            let mut places = Vec::new();
            for need in std::mem::take(&mut self.nodes[at].1) {
                let concept = self.nodes[at].0.label.clone();
                match self.place(&need) {
                    Some(place) if place == at => self.note(Note::NeedsItself(concept)),
                    Some(place) if places.contains(&place) => {}
                    Some(place) => places.push(place),
                    None => {
                        let need = tidy(&need, MAX_LABEL_CHARS);
                        self.note(Note::NeedsUnknown { concept, need });
                    }
                }
            }
            all.push(places);
        }
        all
    }

    /// Returns the node with this name, or the only one whose name agrees apart from its signs.
    fn place(&self, label: &str) -> Option<usize> {
        let alike = || {
            let folded = folded(label);
            let mut alike =
                (0..self.nodes.len()).filter(|at| self::folded(&self.nodes[*at].0.label) == folded);
            alike.next().filter(|_| !folded.is_empty() && alike.next().is_none())
        };
        self.places.get(&name(label)).copied().or_else(alike)
    }

    fn ordered(&self, order: &[usize], needs: &[Vec<usize>]) -> Vec<PlannedNode> {
        let new_places: HashMap<usize, usize> =
            order.iter().enumerate().map(|(new, old)| (*old, new)).collect();
        let node = |old: &usize| {
            let needs = needs[*old].iter().filter_map(|need| new_places.get(need).copied()).collect();
            PlannedNode { needs, ..self.nodes[*old].0.clone() }
        };
        order.iter().map(node).collect()
    }

    fn note(&mut self, note: Note) {
        if self.notes.len() < MAX_NOTES {
            self.notes.push(note);
        }
    }
}

/// Returns the name that tells concepts apart: the folded words, and the signs beside them. C, C++ and C# are
/// three.
fn name(label: &str) -> String {
    const PUNCTUATION: &str = ".,:;?'\"`()-–—_“”„‘’…";
    let folded = folded(label);
    let is_sign = |c: &char| {
        !c.is_alphanumeric() && !c.is_whitespace() && (folded.is_empty() || !PUNCTUATION.contains(*c))
    };
    // "Water!" is Water; "!=" is not "=".
    let label = if folded.is_empty() { label } else { label.trim_end_matches('!') };
    let signs: String = label.chars().filter(is_sign).collect();
    if signs.is_empty() { folded } else { format!("{folded} {signs}") }
}

fn folded(label: &str) -> String {
    Words::new(label).iter().map(|(_, folded)| folded).collect::<Vec<_>>().join(" ")
}

/// Returns the text on one line, without control characters.
fn tidy(text: &str, max_chars: usize) -> String {
    let words: Vec<&str> =
        text.split(|c: char| c.is_whitespace() || c.is_control()).filter(|w| !w.is_empty()).collect();
    words.join(" ").chars().take(max_chars).collect()
}

fn schema() -> Value {
    let node = object([
        ("label", text(MAX_LABEL_CHARS)),
        ("description", text(MAX_DESCRIPTION_CHARS)),
        ("minutes", json!({"type": "integer", "minimum": 1, "maximum": MAX_MINUTES})),
        ("needs", list(text(MAX_LABEL_CHARS), 0..=MAX_PLANNED_NODES)),
    ]);
    object([("nodes", list(node, MIN_NODES..=MAX_REPLY_NODES))])
}
