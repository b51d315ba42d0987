//! The desk of a course, and its public view.

use super::{Course, Data, Event, PROBES, QUESTIONS};
use crate::curriculum::Shown;
use crate::desk::{Ask, Block, Desk, Form, Line, Progress, Role};
use crate::map::NodeId;
use crate::teach::desk::{Last, Waiting, ask, last, line, marks};
use crate::teach::slate::Tutor;
use crate::teach::state::{FlowState, FlowStatus, moment};
use crate::teach::{verbs, words};
use crate::turn::At;
use crate::words::Text;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// The public view of a course.
#[derive(Debug, Serialize, Deserialize, JsonSchema)]
pub struct More {
    #[serde(flatten)]
    pub state: FlowState,
    pub topic: String,
    pub goal: Option<String>,
    pub tutor: Tutor,
    /// The lesson on the current concept.
    pub lesson: Vec<Line>,
    /// The question that is answered next.
    pub question: Option<Asked>,
    /// The question that waits behind it.
    pub waiting: Option<Waiting>,
    pub last: Option<Last>,
}

#[derive(Debug, Serialize, Deserialize, JsonSchema)]
pub struct Asked {
    pub node_id: NodeId,
    /// Whether it followed a question of the learner's own. The answer then decides nothing.
    pub is_for_help: bool,
    pub shown: Shown,
}

pub(super) fn more(data: &Data, at: &At<'_>) -> More {
    let Data { state, slate, .. } = data;
    let is_for_help = slate.help.is_some();
    let takes_answers = at.takes(Event::Answered.name());
    let asked = slate.asked().filter(|_| takes_answers);
    let waiting = slate.question.as_ref().filter(|_| is_for_help && takes_answers);
    More {
        state: state.clone(),
        topic: slate.topic.clone(),
        goal: slate.goal.clone(),
        tutor: slate.tutor,
        lesson: slate.lesson.clone(),
        question: asked.map(|posed| Asked {
            node_id: posed.node_id,
            is_for_help,
            shown: posed.shown.clone(),
        }),
        waiting: waiting.map(Waiting::of),
        last: last(slate, at.takes(Event::Objects.name())),
    }
}

impl Course {
    pub(super) fn show(&self, data: &Data, at: &At<'_>) -> Desk {
        let title = match data.slate.summary.title.as_str() {
            "" => data.slate.topic.as_str(),
            title => title,
        };
        Desk {
            title: title.into(),
            blocks: blocks(data, at),
            ask: self.asks(data, at),
            progress: progress(data, at),
            ..Desk::default()
        }
    }

    fn asks(&self, data: &Data, at: &At<'_>) -> Option<Ask> {
        let Data { state, slate, .. } = data;
        let takes = |event: Event| at.takes(event.name());
        if at.is_final() || slate.tutor == Tutor::Outside {
            return None;
        }
        if let Some(posed) = slate.asked().filter(|_| takes(Event::Answered)) {
            return Some(ask(posed));
        }
        let until = slate.summary.next_review_at_us.map(moment);
        Some(match () {
            () if takes(Event::GoOn) => asking(verbs::GO_ON.name, Text::default(), Form::Read),
            () if takes(Event::PlanAgain) => asking(verbs::PLAN_AGAIN.name, self.how_to_plan(), Form::Say),
            () if state.status == FlowStatus::Reviewing => {
                asking("", words::only_reviews(), Form::Wait { until })
            }
            () => asking("", words::model_at_work(), Form::Wait { until: None }),
        })
    }

    fn how_to_plan(&self) -> Text {
        let names: Vec<&str> = self.curricula.iter().map(|curriculum| curriculum.id.as_str()).collect();
        words::no_map(names.join(", "))
    }
}

fn asking(verb: &str, question: Text, form: Form) -> Ask {
    Ask { verb: verb.to_owned(), question, form }
}

/// Shows the last mark, the current lesson, and the question that one of the learner's own has put off. A quiz asks
/// for what is remembered, so it shows no lesson.
fn blocks(data: &Data, at: &At<'_>) -> Vec<Block> {
    let Data { state, slate, .. } = data;
    let mut blocks: Vec<Block> = slate.last.iter().flat_map(marks).collect();
    if state.status == FlowStatus::Teaching {
        blocks.extend(slate.lesson.iter().cloned().map(Block::Line));
    }
    if slate.tutor == Tutor::Outside && !at.is_final() {
        blocks.push(line(Role::Notice, words::led_outside()));
    }
    if state.status == FlowStatus::Completed {
        blocks.push(line(Role::Notice, words::finished(slate.summary.title.as_str())));
    }
    if slate.help.is_some() && at.takes(Event::Answered.name()) {
        blocks.push(line(Role::Notice, words::follow_up()));
        if let Some(waiting) = &slate.question {
            blocks.push(line(Role::Notice, words::waits_behind()));
            blocks.push(line(Role::Question, waiting.shown.text()));
        }
    }
    blocks
}

fn progress(data: &Data, at: &At<'_>) -> Vec<Progress> {
    let summary = &data.slate.summary;
    let steps = match data.state.status {
        FlowStatus::Diagnosing => {
            let done = at.counter(PROBES);
            Some(Progress::new(PROBES, words::progress_probes(), done, at.number("max_probes")))
        }
        FlowStatus::Quizzing => {
            let done = at.counter(QUESTIONS);
            Some(Progress::new(QUESTIONS, words::progress_quiz(), done, at.number("max_questions")))
        }
        _ => None,
    };
    let concepts = (summary.concepts > 0).then(|| {
        Progress::new("mastered", words::progress_mastered(), summary.mastered, Some(summary.concepts))
    });
    steps.into_iter().chain(concepts).collect()
}
