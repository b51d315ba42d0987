//! Etude as a tutor: asks, marks, explains and helps, from curricula and by rules; with a model, also beyond the
//! curricula.

use super::diagnosis::Probed;
use super::objection::Objectionable;
use super::progress::ResponseType;
use super::room::{Header, Room};
use super::slate::{Marked, Posed, Slate, Tutor};
use super::{about, course, own_judgement, says, verbs, words};
use crate::ask::{ModelAnswer, ModelResult};
use crate::curriculum::{self, AskedBefore, Concept, Curriculum, Free, Purpose, Question, Shown};
use crate::desk::{Line, Role};
use crate::grade::query::{QUERY_KIND, QueryAnswer, QueryAsk};
use crate::grade::{self, Grade, Verdict};
use crate::judging::{JUDGE_KIND, Ran, Run};
use crate::leak::{self, Guarded, Said, Who};
use crate::learner::Quality;
use crate::map::MasteryStatus;
use crate::map::{MapError, Node, NodeId};
use crate::rejected::Rejected;
use crate::turn::Stage;
use crate::words::Text;
use serde::Deserialize;
use serde::de::DeserializeOwned;
use serde_json::{Value, json};

/// One character more than the grader reads, so that it notices a cut.
const MAX_TAKEN_CHARS: usize = grade::MAX_ANSWER_CHARS + 1;

/// An answer that has been marked, with the question it answers.
#[derive(Debug)]
pub(super) struct Settled {
    pub(super) posed: Posed,
    pub(super) answer: String,
    pub(super) grade: Grade,
    pub(super) quality: Quality,
    pub(super) is_for_help: bool,
    /// Whether the mark rests on more than the rules' reading of a text.
    pub(super) is_vouched: bool,
}

/// The outcome of marking an answer.
#[derive(Debug)]
pub(super) enum Marking {
    /// A model or a machine was asked; its answer comes as an event.
    Waits,
    /// The rules cannot tell, so the learner was asked to compare.
    Doubts,
    Settled(Box<Settled>),
}

impl Settled {
    pub(super) fn probed(&self) -> Probed {
        let node_id = self.posed.node_id;
        match &self.posed.question {
            Question::Choice(choice) => Probed::chosen(node_id, self.quality, choice.options.len()),
            _ => Probed::new(node_id, self.quality),
        }
    }

    pub(super) fn marked(self) -> Marked {
        let asked = self.posed.question.ask();
        Marked { node_id: self.posed.node_id, asked, answer: self.answer, grade: self.grade }
    }
}

/// Puts a question about a concept to the learner. The concept's own questions take turns.
pub(super) fn pose(
    curricula: &[Curriculum],
    room: &Room,
    node_id: NodeId,
    purpose: Purpose,
    nth: usize,
    stage: &mut Stage<'_>,
) -> Posed {
    let seed = stage.moment.seed.wrapping_add(nth as u64);
    let posed = choose(curricula, room, node_id, &room.progress(node_id).asked, (purpose, seed));
    says::question(room.label(node_id), purpose, &posed.shown, stage);
    posed
}

/// Chooses a question about a concept. `seen` lists those that were asked before.
fn choose(
    curricula: &[Curriculum],
    room: &Room,
    node_id: NodeId,
    seen: &[AskedBefore],
    (purpose, seed): (Purpose, u64),
) -> Posed {
    let lesson = room.lesson(node_id, curricula).filter(|lesson| !lesson.questions.is_empty());
    let Some(lesson) = lesson else { return on_the_spot(room, node_id, purpose) };
    let index = curriculum::pick(lesson, seen, purpose, seed);
    let question = lesson.questions[index].clone();
    let shown = curriculum::show(&question, seed);
    Posed { node_id, purpose, index: Some(index), question, shown }
}

/// Makes a question for a concept that has none: the learner explains it and judges themselves.
fn on_the_spot(room: &Room, node_id: NodeId, purpose: Purpose) -> Posed {
    let description = room.map.find(node_id).ok().and_then(|node| room.map.node(node).description.clone());
    let label = room.label(node_id);
    let question = Question::Free(Free {
        ask: label.to_owned(),
        ideas: Vec::new(),
        misconceptions: Vec::new(),
        answer: description.unwrap_or_default(),
    });
    let ask = says::explain_it_yourself(label, purpose);
    let shown = Shown { form: question.form(), ask, entries: Vec::new() };
    Posed { node_id, purpose, index: None, question, shown }
}

/// Reads the learner's text in an event.
pub(super) fn read_said<T: DeserializeOwned>(payload: &Value) -> Result<T, Rejected> {
    T::deserialize(payload).map_err(|_| words::nothing_said())
}

/// Takes the learner's answer. Refuses it if no question waits for one, or if it does not say enough to be marked.
pub(super) fn take_answer(slate: &Slate, text: &str) -> Result<String, Rejected> {
    let posed = slate.asked().ok_or_else(words::nothing_asked)?;
    let unclear = || grade::unclear(&posed.shown, text).or_else(|| own_judgement::unclear(posed, text));
    match is_claimed(posed, text).then(words::show_it).or_else(unclear).or_else(|| unsaid(posed, text)) {
        Some(question) => Err(words::unclear(question)),
        None => Ok(text.chars().take(MAX_TAKEN_CHARS).collect()),
    }
}

/// Whether the learner only says that they know it, where an answer would show it.
fn is_claimed(posed: &Posed, text: &str) -> bool {
    verbs::claims_to_know(text) && !own_judgement::is_asked_for(posed)
}

/// Returns what to ask for when there is too little to mark. A lone dot or dash is a slip of the hand, unless it is an
/// answer.
fn unsaid(posed: &Posed, text: &str) -> Option<Text> {
    let is_slip = text.trim().chars().all(|c| matches!(c, '.' | '…' | ',' | '-' | '–'))
        && (text.trim().is_empty() || grade_by_rules(posed, text).verdict == Verdict::Blank);
    let says_too_little = || is_judged_alone(posed, text).then(words::say_it);
    if is_slip { Some(words::say_something()) } else { says_too_little() }
}

/// Whether an answer that the learner should judge says no more than that they know it.
fn is_judged_alone(posed: &Posed, text: &str) -> bool {
    let number = text.trim().parse().ok().and_then(Quality::new);
    own_judgement::is_asked_for(posed) && number.is_some_and(|quality| quality.is_recalled())
}

/// Marks the answer on the slate, or asks a model or a machine for its mark.
pub(super) fn mark(slate: &mut Slate, room: &Room, stage: &mut Stage<'_>) -> Option<Marking> {
    let posed = slate.asked()?;
    let answer = slate.answer.clone().unwrap_or_default();
    let grade = grade_by_rules(posed, &answer);
    let number = stage.moment.seed;
    match &posed.question {
        Question::Free(free) if slate.model && may_mean_more(free, &grade) => {
            let (label, event) = (room.label(posed.node_id), course::Event::Marked.name());
            stage.ask_model(&grade::grade_ask(free, label, &answer, number, event));
            slate.waits_for_model = Some(number);
            Some(Marking::Waits)
        }
        Question::Query(query) if grade.doubt => {
            let answered_by = course::Event::Marked.name().to_owned();
            let ask = QueryAsk { number, question: query.clone(), given: answer, answered_by };
            stage.ask(QUERY_KIND, json!(ask));
            slate.waits_for_model = Some(number);
            Some(Marking::Waits)
        }
        Question::Program(program) if grade.doubt => {
            let run = Run {
                number,
                language: program.language.clone(),
                source: unfenced(&answer).to_owned(),
                problem: None,
                tests: Some(program.tests()),
                answered_by: course::Event::Marked.name().to_owned(),
            };
            stage.ask(JUDGE_KIND, json!(run));
            slate.waits_for_model = Some(number);
            Some(Marking::Waits)
        }
        _ => settle(slate, grade, false, stage),
    }
}

/// Returns the code in an answer without the fences that a chat puts around it.
fn unfenced(answer: &str) -> &str {
    let inside = answer.trim().strip_prefix("```").and_then(|rest| rest.split_once('\n'));
    inside.map_or(answer, |(_, code)| code.trim_end().strip_suffix("```").unwrap_or(code))
}

/// Reads the report of a judge about the program on the slate, if the flow waits for one.
fn judged(slate: &Slate, payload: &Value) -> Option<Grade> {
    let ran = Ran::deserialize(payload).ok().filter(|ran| slate.waits_for_model == Some(ran.number))?;
    match &slate.asked()?.question {
        Question::Program(program) => Some(grade::grade_program(program, &ran.report)),
        _ => None,
    }
}

/// Marks an answer by the rubric; without one, by the learner's own judgement. An answer without a judgement counts
/// as none: anything else it could mean was clarified before.
fn grade_by_rules(posed: &Posed, answer: &str) -> Grade {
    let by_rubric = |answer: &str| grade::grade(&posed.question, &posed.shown, answer);
    if !own_judgement::is_asked_for(posed) {
        return by_rubric(answer);
    }
    let Some(quality) = own_judgement::read(answer) else { return by_rubric("") };
    let good = posed.question.answer();
    Grade {
        quality,
        verdict: Verdict::of(quality),
        doubt: false,
        found: Vec::new(),
        missing: Vec::new(),
        misconception: None,
        feedback: good.as_str().into(),
        answer: good,
    }
}

/// Whether an answer may mean more than the rules see: they know only some words, and a model may find more. A
/// blank answer stays blank.
fn may_mean_more(free: &Free, grade: &Grade) -> bool {
    !free.ideas.is_empty() && grade.quality < Quality::GOOD && grade.quality.get() > 0
}

/// Reads a model's answer in an event, if the flow waits for one. Refuses an event without it, and an answer to
/// another request.
pub(super) fn awaited(slate: &Slate, payload: &Value) -> Result<Option<ModelAnswer>, Rejected> {
    let answer = ModelAnswer::read(payload)?;
    if slate.waits_for_model == answer.as_ref().map(|answer| answer.ask) {
        return Ok(answer);
    }
    let message = match answer {
        None => "a model is being asked, and its answer has not come yet",
        Some(_) => "this answer of a model is not waited for",
    };
    Err(Rejected {
        code: "model_awaited",
        message: message.into(),
        cure: "look again in a moment; without an answer the rules go on".into(),
    })
}

/// Takes the mark that an event brings, if the flow waits for one. Anything that a model found must occur in the
/// answer; the result of a database or a judge speaks for itself. Without any of them the rules decide.
pub(super) fn take_mark(
    slate: &mut Slate,
    payload: &Value,
    stage: &mut Stage<'_>,
) -> Result<Option<Marking>, Rejected> {
    if let Some(answer) =
        QueryAnswer::read(payload)?.filter(|answer| slate.waits_for_model == Some(answer.ask))
    {
        let Some(Posed { question: Question::Query(query), .. }) = slate.asked() else { return Ok(None) };
        let grade = grade::grade_query(query, &answer.result);
        slate.waits_for_model = None;
        return Ok(settle(slate, grade, true, stage));
    }
    if let Some(grade) = judged(slate, payload) {
        slate.waits_for_model = None;
        return Ok(settle(slate, grade, true, stage));
    }
    let Some(answer) = awaited(slate, payload)? else { return Ok(None) };
    let Some(posed) = slate.asked() else { return Ok(None) };
    let text = slate.answer.clone().unwrap_or_default();
    let (grade, is_vouched) = match (&answer.result, &posed.question) {
        (ModelResult::Reply(reply), Question::Free(free)) => {
            (grade::accept_model_grade(free, &text, reply)?, true)
        }
        _ => (grade_by_rules(posed, &text), false),
    };
    slate.waits_for_model = None;
    Ok(settle(slate, grade, is_vouched, stage))
}

/// Settles the mark of an answer. In doubt the learner compares first. An answer right after an explanation shows
/// that it was understood, not that it was remembered.
fn settle(slate: &mut Slate, mut grade: Grade, is_vouched: bool, stage: &mut Stage<'_>) -> Option<Marking> {
    if grade.doubt && compare(slate, &grade, stage) {
        return Some(Marking::Doubts);
    }
    let is_for_help = slate.help.is_some();
    let posed = if is_for_help { slate.help.take() } else { slate.question.take() }?;
    let is_measured = matches!(posed.purpose, Purpose::Probe | Purpose::Review);
    if slate.explained.take() == Some(posed.node_id) && is_measured {
        grade.quality = grade.quality.min(Quality::HARD);
    }
    let answer = slate.answer.take().unwrap_or_default();
    let answer = match &posed.question {
        Question::Compare(compare) => compare.own.clone(),
        _ => answer,
    };
    let quality = grade.quality;
    let is_vouched = is_vouched || posed.question.is_checkable() || own_judgement::is_asked_for(&posed);
    Some(Marking::Settled(Box::new(Settled { posed, answer, grade, quality, is_for_help, is_vouched })))
}

/// Asks the learner to compare their answer with a good one. Returns false if there is nothing to compare: a
/// diagnosis gives no answers away, and a question in between decides nothing.
fn compare(slate: &mut Slate, grade: &Grade, stage: &mut Stage<'_>) -> bool {
    let posed =
        slate.question.as_ref().filter(|posed| slate.help.is_none() && posed.purpose != Purpose::Probe);
    let Some(Posed { question, purpose, node_id, index, .. }) = posed else { return false };
    let own = slate.answer.clone().unwrap_or_default();
    let is_foreign = matches!(question, Question::Free(free) if grade::is_in_another_language(free, &own));
    let question = Question::Compare(match question {
        Question::Free(free) => grade::comparison(free, &own, grade),
        Question::Program(program) => program.comparison(&own),
        _ => return false,
    });
    slate.answer = None;
    let shown = curriculum::show(&question, 0);
    if is_foreign {
        stage.tell(Role::Notice, words::in_another_language());
    }
    stage.tell(Role::Question, shown.text());
    slate.question = Some(Posed { node_id: *node_id, purpose: *purpose, index: *index, question, shown });
    slate.objectionable = None;
    true
}

/// Records a marked answer, adds it to the concept's score and tells the learner. Returns the mark if the learner may
/// object to it.
pub(super) fn note(room: &mut Room, settled: &Settled, stage: &mut Stage<'_>) -> Option<Objectionable> {
    let Settled { posed, answer, grade, quality, is_vouched, .. } = settled;
    let on = match posed.purpose {
        Purpose::Probe => ResponseType::Diagnostic,
        Purpose::Teach | Purpose::Quiz => ResponseType::Teach,
        Purpose::Review => ResponseType::Review,
    };
    let written = room.respond(posed.node_id, (posed.text(), answer), (on, *quality), stage);
    let mut progress = room.progress(posed.node_id);
    let before = progress.clone();
    progress.answered(on, *quality, *is_vouched);
    if let Some(index) = posed.index {
        progress.was_asked(index, *quality);
    }
    if on == ResponseType::Teach && !settled.is_for_help && progress.mastery_status.is_teachable() {
        progress.is_being_learned();
    }
    room.set_progress(posed.node_id, progress, stage);
    says::feedback(posed, grade, stage);
    let counts = !settled.is_for_help && on != ResponseType::Diagnostic;
    Objectionable::of(posed, grade, before, written).filter(|_| counts)
}

/// Takes a recall into account: it moves the concept's memory, perhaps its status, and a little of what it builds
/// on.
pub(super) fn recalled(room: &mut Room, node: NodeId, quality: Quality, stage: &mut Stage<'_>) {
    rated(room, node, quality, stage);
    credit_prerequisites(room, node, quality, stage);
}

/// Takes the part of a recall into account that concerns the concept itself.
pub(super) fn rated(room: &mut Room, node: NodeId, quality: Quality, stage: &mut Stage<'_>) {
    let mut progress = room.progress(node);
    if progress.is_presumed && !quality.is_recalled() {
        room.teach_after_all(node, stage);
        return stage.tell(Role::Notice, words::taught_after_all(room.label(node)));
    }
    // A concept that is not understood yet cannot be forgotten: it is taught, and only then reviewed.
    if progress.mastery_status.is_teachable() && !quality.is_recalled() {
        return;
    }
    progress.settle(stage.moment.now_us);
    room.set_progress(node, progress, stage);
    room.rate(node, quality, stage);
}

/// Credits the concepts that this one builds on: a good answer on it says a little about them.
pub(super) fn credit_prerequisites(room: &mut Room, node: NodeId, quality: Quality, stage: &mut Stage<'_>) {
    let Ok(index) = room.map.find(node) else { return };
    let below: Vec<(NodeId, u32)> = room
        .map
        .ancestors(index)
        .into_iter()
        .map(|(ancestor, distance)| (room.map.node(ancestor).node_id, distance))
        .collect();
    for (ancestor, distance) in below {
        room.credit(ancestor, distance, quality, stage);
    }
}

/// Explains the current concept.
pub(super) fn explain(
    curricula: &[Curriculum],
    slate: &mut Slate,
    room: &mut Room,
    node: Option<NodeId>,
    stage: &mut Stage<'_>,
) {
    let Some(node) = node else { return };
    (slate.understood, slate.question, slate.help) = (None, None, None);
    let mut progress = room.progress(node);
    let before = progress.mastery_status;
    if before.is_teachable() && before != MasteryStatus::Learning {
        progress.is_being_learned();
        room.set_progress(node, progress, stage);
    }
    if slate.tutor == Tutor::Outside {
        return;
    }
    match room.lesson(node, curricula) {
        Some(lesson) if slate.model && says::lacks_another(lesson, &slate.lesson) && slate.last.is_some() => {
            ask_again(slate, lesson, stage);
        }
        Some(lesson) => {
            give(slate, says::lesson(lesson, before, &slate.lesson), stage);
            stage.raise(course::Event::Explained, json!({}));
        }
        None if slate.model => ask_for_lesson(slate, room, node, stage),
        None => {
            give(slate, says::bare_lesson(room, node), stage);
            stage.raise(course::Event::Explained, json!({}));
        }
    }
}

fn ask_for_lesson(slate: &mut Slate, room: &Room, node: NodeId, stage: &mut Stage<'_>) {
    let number = stage.moment.seed;
    let about = room.map.find(node).ok().and_then(|node| room.map.node(node).description.as_deref());
    let ask = curriculum::lesson_ask(
        (&slate.topic, slate.goal.as_deref()),
        (room.label(node), about),
        number,
        course::Event::Explained.name(),
    );
    stage.ask_model(&ask);
    slate.waits_for_model = Some(number);
}

/// Asks a model for a second explanation where the lesson has none, in view of the answer that went wrong.
fn ask_again(slate: &mut Slate, lesson: &Concept, stage: &mut Stage<'_>) {
    let Some(Marked { asked, answer, grade, .. }) = &slate.last else { return };
    let number = stage.moment.seed;
    let wrong = (asked.as_str(), answer.as_str(), grade);
    stage.ask_model(&curriculum::again_ask(lesson, wrong, number, course::Event::Explained.name()));
    slate.waits_for_model = Some(number);
}

/// Says a lesson, and leaves it on the slate.
fn give(slate: &mut Slate, lesson: Vec<Line>, stage: &mut Stage<'_>) {
    slate.lesson = lesson.clone();
    lesson.into_iter().for_each(|line| stage.say(line));
}

/// Takes a model's lesson or second explanation. Without one, explains the concept by the map's description, or repeats
/// the same words.
pub(super) fn take_lesson(
    curricula: &[Curriculum],
    slate: &mut Slate,
    room: &mut Room,
    node: Option<NodeId>,
    answer: Option<ModelAnswer>,
    stage: &mut Stage<'_>,
) -> Result<(), Rejected> {
    let (Some(node), Some(answer)) = (node, answer) else { return Ok(()) };
    match (answer.result, room.lesson(node, curricula)) {
        (ModelResult::Reply(reply), Some(lesson)) => {
            let lesson = Concept { again: Some(curriculum::read_again(&reply)?), ..lesson.clone() };
            give(slate, says::lesson(&lesson, MasteryStatus::Learning, &slate.lesson), stage);
        }
        (ModelResult::Failed(_), Some(lesson)) => {
            give(slate, says::lesson(lesson, MasteryStatus::Learning, &slate.lesson), stage);
        }
        (ModelResult::Reply(reply), None) => {
            let (lesson, unusable) = curriculum::read_lesson(&reply, room.label(node))?;
            give(slate, says::lesson(&lesson, MasteryStatus::Unseen, &[]), stage);
            slate.unusable = unusable;
            room.keep_lesson(node, lesson, stage);
        }
        (ModelResult::Failed(_), None) => {
            stage.tell(Role::Notice, words::no_lesson());
            give(slate, says::bare_lesson(room, node), stage);
        }
    }
    slate.waits_for_model = None;
    Ok(())
}

/// Asks a model to write the questions again that could not be used.
pub(super) fn mend(
    curricula: &[Curriculum],
    slate: &mut Slate,
    room: &Room,
    node: Option<NodeId>,
    stage: &mut Stage<'_>,
) {
    let unusable = std::mem::take(&mut slate.unusable);
    match node.and_then(|node| room.lesson(node, curricula)) {
        Some(lesson) => {
            let number = stage.moment.seed;
            stage.ask_model(&curriculum::mend_ask(lesson, &unusable, number, course::Event::Mended.name()));
            slate.waits_for_model = Some(number);
        }
        None => stage.raise(course::Event::Mended, json!({})),
    }
}

/// Adds the questions that a model has written again to their lesson. Without them the lesson has fewer.
pub(super) fn take_mended(
    curricula: &[Curriculum],
    slate: &mut Slate,
    room: &mut Room,
    node: Option<NodeId>,
    answer: Option<ModelAnswer>,
    stage: &mut Stage<'_>,
) -> Result<(), Rejected> {
    let (Some(node), Some(answer)) = (node, answer) else { return Ok(()) };
    if let (ModelResult::Reply(reply), Some(lesson)) = (&answer.result, room.lesson(node, curricula)) {
        let mut lesson = lesson.clone();
        lesson.questions.extend(curriculum::read_mended(reply)?);
        room.keep_lesson(node, lesson, stage);
    }
    slate.waits_for_model = None;
    Ok(())
}

/// Asks a model for the concepts of a topic.
pub(super) fn survey(slate: &mut Slate, stage: &mut Stage<'_>) {
    let number = stage.moment.seed;
    let answered_by = course::Event::Surveyed.name();
    let ask = curriculum::plan_ask(&slate.topic, slate.goal.as_deref(), number, answered_by);
    stage.ask_model(&ask);
    slate.waits_for_model = Some(number);
}

/// Takes the concepts that a model named, checked and put in order.
pub(super) fn take_survey(
    slate: &mut Slate,
    room: &mut Room,
    answer: Option<ModelAnswer>,
    stage: &mut Stage<'_>,
) -> Result<(), Rejected> {
    let Some(answer) = answer else { return Ok(()) };
    match answer.result {
        ModelResult::Reply(reply) => {
            let plan = curriculum::read_plan(&reply).map_err(|problem| problem.rejected())?;
            let Header { mind_map_id, title, .. } = &room.header;
            let map = plan.map(*mind_map_id, title, slate.goal.clone()).map_err(refused)?;
            map.check_plan().map_err(refused)?;
            room.set_map(map, stage);
            says::repaired(&plan.notes, stage);
        }
        ModelResult::Failed(reason) => {
            stage.tell(Role::Notice, words::no_plan(slate.topic.as_str(), reason));
        }
    }
    slate.waits_for_model = None;
    Ok(())
}

/// Handles the learner's own question, perhaps while a concept is `at_hand`. The flow stays where it is.
pub(super) fn help(
    curricula: &[Curriculum],
    slate: &mut Slate,
    room: &Room,
    at_hand: Option<NodeId>,
    question: &str,
    stage: &mut Stage<'_>,
) -> Result<(), Rejected> {
    if let Some((node, _)) = clarify(curricula, slate, room, at_hand, question, stage)? {
        slate.help = follow_up(curricula, slate, room, node, stage);
    }
    Ok(())
}

/// Handles the learner's own question in a diagnosis or a review: repeats the open question and asks nothing else.
pub(super) fn help_beside_question(
    curricula: &[Curriculum],
    slate: &mut Slate,
    room: &Room,
    question: &str,
    stage: &mut Stage<'_>,
) -> Result<(), Rejected> {
    let waiting = slate.question.as_ref().map(|posed| posed.node_id);
    let explained = clarify(curricula, slate, room, waiting, question, stage)?;
    if let Some((node, true)) = explained.filter(|(node, _)| Some(*node) == waiting) {
        slate.explained = Some(node);
    }
    says::back_to(slate, stage);
    Ok(())
}

/// Explains the subject of the learner's own question. Returns its concept, if the map has one, and whether
/// anything could be said about it.
fn clarify(
    curricula: &[Curriculum],
    slate: &Slate,
    room: &Room,
    at_hand: Option<NodeId>,
    question: &str,
    stage: &mut Stage<'_>,
) -> Result<Option<(NodeId, bool)>, Rejected> {
    let text: String = question.trim().chars().take(grade::MAX_ANSWER_CHARS).collect();
    if text.is_empty() {
        return Err(words::no_question());
    }
    let Some(node) = asked_about(curricula, room, at_hand, &text) else {
        stage.tell(Role::Notice, words::out_of_scope(room.header.title.as_str()));
        return Ok(None);
    };
    let lines = match room.lesson(node, curricula) {
        Some(lesson) => says::clarify(room.label(node), lesson, &slate.lesson),
        None => says::bare_lesson(room, node),
    };
    let mut is_said = false;
    for line in lines {
        let is_explanation = line.role == Role::Explanation;
        is_said |= say_beside(slate, &text, line, stage) && is_explanation;
    }
    Ok(Some((node, is_said)))
}

/// Says a line without the parts that would answer the open question, and returns whether anything was left of it.
/// Words of the current lesson give nothing away: the learner has read them.
fn say_beside(slate: &Slate, question: &str, line: Line, stage: &mut Stage<'_>) -> bool {
    let (Some(posed), Some(text)) = (&slate.question, line.say.plain()) else {
        stage.say(line);
        return true;
    };
    let read = slate.lesson.iter().filter_map(|line| line.say.plain());
    let mut dialogue: Vec<Said> = read.map(|text| Said { who: Who::Tutor, text: text.to_owned() }).collect();
    dialogue.push(Said { who: Who::Learner, text: question.to_owned() });
    let (statement, answer) = (posed.question.ask(), posed.question.answer());
    let guarded =
        Guarded { reference: &[&answer], statement: &statement, dialogue: &dialogue, ..Guarded::default() };
    let spared = leak::sparing(&guarded, text);
    let (is_whole, is_left) = (spared.len() == text.len(), !spared.is_empty());
    if is_left {
        stage.say(Line { say: spared.into(), ..line });
    }
    if !is_whole {
        stage.tell(Role::Notice, words::held_back());
    }
    is_left
}

/// Finds the concept that a question names; one that names none may be about the concept at hand.
fn asked_about(
    curricula: &[Curriculum],
    room: &Room,
    at_hand: Option<NodeId>,
    question: &str,
) -> Option<NodeId> {
    let also = |node: &Node| -> &[String] {
        room.lesson(node.node_id, curricula).map_or(&[], |lesson| lesson.also.as_slice())
    };
    let named = room.map.asked_about(question, also).map(|node| room.map.node(node).node_id);
    let is_about = |node: &NodeId| {
        let lesson = room.lesson(*node, curricula).map(|lesson| [&lesson.explain, &lesson.example]);
        let said = lesson.iter().flatten().map(|text| text.as_str());
        let on_map = room.map.find(*node).ok().and_then(|node| room.map.node(node).description.as_deref());
        about::is_about(said.chain(on_map).chain([room.label(*node)]), question)
    };
    named.or_else(|| at_hand.filter(is_about))
}

/// Asks a question that shows whether the help was useful. Never uses the open question: the feedback would give
/// its answer away.
fn follow_up(
    curricula: &[Curriculum],
    slate: &Slate,
    room: &Room,
    node: NodeId,
    stage: &mut Stage<'_>,
) -> Option<Posed> {
    let waiting = slate.question.as_ref().filter(|posed| posed.node_id == node);
    let mut progress = room.progress(node);
    if let Some(index) = waiting.and_then(|waiting| waiting.index) {
        progress.was_asked(index, Quality::AGAIN);
    }
    let posed = choose(curricula, room, node, &progress.asked, (Purpose::Teach, stage.moment.seed));
    if waiting.is_some_and(|waiting| waiting.index == posed.index) {
        return None;
    }
    says::question(room.label(node), Purpose::Teach, &posed.shown, stage);
    Some(posed)
}

/// Turns the reason why a map refuses an edit or a plan into a rejection.
pub(super) fn refused(error: MapError) -> Rejected {
    let code = match error {
        MapError::Cycle { .. } => "cycle",
        MapError::UnknownNode { .. } => "unknown_node",
        MapError::NoNodes => "no_nodes",
        _ => "map_refused",
    };
    Rejected::of(code, &error.to_string())
}
