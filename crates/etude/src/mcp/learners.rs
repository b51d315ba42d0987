//! Tools about a learner: where they stand, what comes back when, what could be learned, how they want to be taught.

use super::courses::{List, Which, Whose};
use super::tool::{Caller, Does, Tool};
use crate::courses::analytics;
use crate::courses::context::{self, Context};
use crate::courses::teaching::{self, CurriculumView};
use crate::courses::wire;
use crate::engine::failure::Failure;
use crate::learners::profiles;
use coaching::learner::Profile;
use coaching::teach::Schedule;
use coaching::teach::analytics::Analytics;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

pub fn tools() -> Vec<Tool> {
    vec![
        Tool::new(
            "teaching_context",
            "Read the context of a course",
            Does::Reads,
            "Everything you have to know to go on with a course: its state, the frontier of its map, the newest \
             answers about the current concept, and what is known about the learner. Read it at the beginning of a \
             session instead of relying on earlier conversations.",
            course_context,
        ),
        Tool::new(
            "learning_analytics",
            "See how the learning goes",
            Does::Reads,
            "The numbers of a course: mastery, velocity, retention over 7 and 30 days, struggling concepts, strongest \
             area, estimated completion, best time of day.",
            course_analytics,
        ),
        Tool::new(
            "schedule_list",
            "List the reviews to come",
            Does::Reads,
            "The reviews that are put down for a learner, of all maps or of one, the next one first. One whose \
             run_at has passed is due: offer review_start.",
            schedules,
        ),
        Tool::new(
            "curriculum_list",
            "List curricula",
            Does::Reads,
            "What Etude can teach by itself, with lessons, questions and rubrics: start with teaching_flow_start and \
             tutor `etude`.",
            curricula,
        ),
        Tool::new(
            "profile_get",
            "Read a profile",
            Does::Reads,
            "How a learner wants to be taught and reached: memory model, desired retention, time zone, channel.",
            profile,
        ),
        Tool::new(
            "profile_set",
            "Change a profile",
            Does::Sets,
            "Changes some fields of a learner's profile; the others stay. Only at the learner's own wish.",
            set_profile,
        ),
    ]
}

#[derive(Debug, Serialize, JsonSchema)]
#[serde(transparent)]
struct ContextView(#[schemars(schema_with = "wire::context")] Context);

async fn course_context(caller: Caller, which: Which) -> Result<ContextView, Failure> {
    which.check(&caller).await?;
    context::assemble(&caller.app, &which.mind_map_id).await.map(ContextView)
}

#[derive(Debug, Serialize, JsonSchema)]
#[serde(transparent)]
struct Numbers(#[schemars(schema_with = "wire::analytics")] Analytics);

async fn course_analytics(caller: Caller, which: Which) -> Result<Numbers, Failure> {
    which.check(&caller).await?;
    analytics::course(&caller.app, &which.mind_map_id).await.map(Numbers)
}

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct SchedulesInput {
    /// Only of this map.
    #[serde(default)]
    mind_map_id: Option<String>,
    #[serde(default)]
    learner: Option<String>,
}

#[derive(Debug, Serialize, JsonSchema)]
#[serde(transparent)]
struct Scheduled(#[schemars(schema_with = "wire::schedule")] Schedule);

async fn schedules(caller: Caller, input: SchedulesInput) -> Result<List<Scheduled>, Failure> {
    let mut found = teaching::schedules(&caller.app, caller.learner(&input.learner)).await?;
    if let Some(map) = &input.mind_map_id {
        found.retain(|schedule| schedule.mind_map_id.to_string() == *map);
    }
    Ok(List { result: found.into_iter().map(Scheduled).collect() })
}

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct Nothing {}

async fn curricula(caller: Caller, _: Nothing) -> Result<List<CurriculumView>, Failure> {
    Ok(List { result: teaching::curricula(&caller.app) })
}

#[derive(Debug, Serialize, JsonSchema)]
#[serde(transparent)]
struct Kept(#[schemars(schema_with = "wire::profile")] Profile);

async fn profile(caller: Caller, whose: Whose) -> Result<Kept, Failure> {
    profiles::read(&caller.app.store, caller.learner(&whose.learner)).await.map(Kept)
}

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct ProfileInput {
    /// The fields to change.
    #[schemars(schema_with = "wire::profile_changes")]
    changes: Map<String, Value>,
    #[serde(default)]
    learner: Option<String>,
}

async fn set_profile(caller: Caller, input: ProfileInput) -> Result<Kept, Failure> {
    let (store, now) = (&caller.app.store, caller.app.clock.now());
    let set = |profile: &mut Profile| profile.set_fields(&input.changes);
    profiles::change(store, caller.learner(&input.learner), now, set).await.map(Kept)
}
