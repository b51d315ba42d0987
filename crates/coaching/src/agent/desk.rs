//! Builds the desk of an agent's session, as a human sees it.

use super::flow::{CONTINUES, REJECTIONS, STANDSTILLS};
use super::session::{Counts, Data, Decided, Decision};
use super::watch::Alarm;
use super::words;
use crate::desk::{Block, Desk, Line, Progress, Role};
use crate::turn::At;
use crate::words::Text;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

pub(super) fn desk(data: &Data, at: &At<'_>) -> Desk {
    let progress =
        |name: &str, label: Text, most: &str| Progress::new(name, label, at.counter(name), at.number(most));
    let alarms = data.alarms.iter().map(|alarm| Block::Line(Line::new(Role::Alarm, alarm.reason.clone())));
    Desk {
        title: words::title(&data.opening.agent, &data.opening.session),
        blocks: data.last.iter().flat_map(decided).chain(alarms).collect(),
        progress: vec![
            progress(CONTINUES, words::continues(), "max_continues"),
            progress(REJECTIONS, words::rejections(), "max_rejections"),
            progress(STANDSTILLS, words::standstills(), "max_standstills"),
        ],
        ..Desk::default()
    }
}

/// Shows the agent's last message and the decision on it.
fn decided(decided: &Decided) -> Vec<Block> {
    let role = match decided.decision {
        Decision::Continue => Role::Note,
        Decision::Deliver => Role::Deliver,
        Decision::Aside => Role::Aside,
    };
    let coaching = decided.coaching.as_ref().map(|coaching| Line::new(Role::Coaching, &coaching.message));
    let lines = [Line::new(role, decided.reason.clone())].into_iter().chain(coaching);
    std::iter::once(Block::Text { text: (&decided.preview).into() }).chain(lines.map(Block::Line)).collect()
}

/// The details of a session besides its desk.
#[derive(Debug, Default, Serialize, Deserialize, JsonSchema)]
pub struct AgentMore {
    pub agent: String,
    pub session: String,
    pub max_minutes: u32,
    /// The phase of the work, by the last command that the human typed.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub phase: Option<String>,
    pub counts: Counts,
    /// The last decision.
    pub last: Option<Decided>,
    /// Why the session failed.
    pub failed: Option<Text>,
    pub cost_microusd: u64,
    pub alarms: Vec<Alarm>,
}

impl From<&Data> for AgentMore {
    fn from(data: &Data) -> AgentMore {
        AgentMore {
            agent: data.opening.agent.clone(),
            session: data.opening.session.clone(),
            max_minutes: data.opening.max_minutes,
            phase: data.phase.clone(),
            counts: data.counts,
            last: data.last.clone(),
            failed: data.failed.clone(),
            cost_microusd: data.cost_microusd,
            alarms: data.alarms.clone(),
        }
    }
}
