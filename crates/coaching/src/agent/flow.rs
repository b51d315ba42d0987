//! The coach for coding agents as a flow.
//!
//! `law.yaml` decides whether an agent is sent on and owns every bound. Here is what it asks for: what kind of
//! message the agent stopped with, whether it repeats itself or is out of time, and the words of the coach.

use super::coach::{CoachContext, build_coaching_message};
use super::judge;
use super::plan::PlanDoc;
use super::redact::preview;
use super::session::{Data, Decision, Opening, Stop, Stopped};
use super::skills::Skill;
use super::verdict::OutputType;
use super::watch::Seen;
use crate::ask::{ModelAnswer, ModelResult};
use crate::desk::Desk;
use crate::desk::{Line, Role};
use crate::face::{Face, NEEDS, Needs};
use crate::rejected::Rejected;
use crate::rejected::read_given;
use crate::turn::{At, Flow, Stage};
use ::flow::{Machine, Name, Origin, Vocabulary};
use serde_json::{Value, json};

/// The law that ships with Etude.
pub const LAW: &str = include_str!("law.yaml");

/// The code of a refused prompt that is the coach's own message.
pub const OWN_WORDS: &str = "own_words";

const MAX_REASON_CHARS: usize = 300;

::flow::names! {
    pub enum Action {
        ClassifyOutput = "classify_output",
        SortOutput = "sort_output",
        SendCoaching = "send_coaching",
        DeliverToHuman = "deliver_to_human",
        StandAside = "stand_aside",
        MarkFailed = "mark_failed",
        RaiseAlarm = "raise_alarm",
    }
}

::flow::names! {
    pub enum Event {
        Stopped = "stopped",
        Crashed = "crashed",
        Prompted = "prompted",
        Halted = "halted",
        Watched = "watched",
        GrewQuiet = "grew_quiet",
        WentStale = "went_stale",
        JudgedLate = "judged_late",
        Judged = "judged",
        Question = "question",
        Status = "status",
        Completion = "completion",
        Blocker = "blocker",
        Error = "error",
        Coached = "coached",
        Delivered = "delivered",
        Noted = "noted",
    }
}

::flow::names! {
    pub enum Fact {
        MayCoach = "may_coach",
        WithinTime = "within_time",
        WithinBudget = "within_budget",
        RepeatsItself = "repeats_itself",
        WasRejected = "was_rejected",
        IsAlarming = "is_alarming",
    }
}

pub fn vocabulary() -> Vocabulary {
    Vocabulary::of::<Action, Event, Fact>("AgentCoach", origin)
}

fn origin(event: Event) -> Origin {
    match event {
        Event::Stopped | Event::Crashed | Event::Prompted | Event::Halted | Event::Watched => Origin::Learner,
        Event::GrewQuiet | Event::WentStale | Event::JudgedLate => Origin::Silence,
        Event::Question
        | Event::Status
        | Event::Completion
        | Event::Blocker
        | Event::Error
        | Event::Judged
        | Event::Coached
        | Event::Delivered
        | Event::Noted => Origin::Machine,
    }
}

/// The coach with the skills whose evidence it knows.
#[derive(Debug)]
pub struct AgentCoach {
    skills: Vec<Skill>,
}

impl AgentCoach {
    pub fn new(skills: Vec<Skill>) -> AgentCoach {
        AgentCoach { skills }
    }

    fn send_coaching(&self, data: &mut Data, stage: &mut Stage<'_>) {
        // The law comes here only from a verdict on a stop.
        let Some((stop, verdict)) = data.stop.as_ref().and_then(|stop| Some((stop, stop.verdict.as_ref()?)))
        else {
            return;
        };
        let context = CoachContext {
            text: &stop.said.text,
            phase: stop.said.signals.phase.as_deref(),
            plan: stop
                .said
                .plan
                .as_ref()
                .map(|plan| PlanDoc { path: &plan.path, text: plan.text.as_deref() }),
            skills: &self.skills,
        };
        let coaching = build_coaching_message(verdict, &context);
        let reason = verdict.reason.clone();
        stage.say(line(coaching.message.clone(), Role::Coaching));
        data.decided(Decision::Continue, reason, Some(coaching));
    }
}

impl Flow for AgentCoach {
    type Action = Action;
    type Event = Event;
    type Fact = Fact;
    type Data = Data;
    type More = Value;
    const FACE: Face = Face {
        name: "agent",
        law: LAW,
        vocabulary,
        words: &[],
        verbs: &[],
        looks: &[],
        find: None,
        needs: Needs { ..NEEDS },
    };

    fn open(&self, opening: &Value, _: &Machine, stage: &mut Stage<'_>) -> Result<Data, Rejected> {
        Ok(Data::new(Opening::read(opening)?, stage.moment.now_us))
    }

    fn hear(
        &self,
        data: &mut Data,
        event: Event,
        payload: &Value,
        stage: &mut Stage<'_>,
    ) -> Result<(), Rejected> {
        match event {
            Event::Stopped => data.stop(stopped(payload)?, stage.moment.now_us),
            Event::Crashed => data.failed = Some(crash(payload)),
            Event::WentStale => {
                data.failed = Some("nothing was heard of the session for too long".to_owned())
            }
            Event::Prompted => prompted(data, payload.get("text").and_then(Value::as_str))?,
            Event::Watched => data.see(seen(payload)?, stage.moment.now_us),
            Event::GrewQuiet => {
                // The law's own clock says that it is so; how long that is, the law knows.
                let silent_s = data.opening.watch.silence_s;
                data.see(Seen { silent_s, ..Seen::default() }, stage.moment.now_us);
            }
            Event::Judged => judged(data, payload)?,
            Event::JudgedLate => rules_judge(data, Some("it did not answer in time".to_owned())),
            _ => {}
        }
        Ok(())
    }

    fn holds(&self, data: &Data, fact: Fact) -> bool {
        let stop = data.stop.as_ref();
        match fact {
            Fact::IsAlarming => data.alarm.is_some(),
            Fact::MayCoach => stop.is_some() && hindrance(data).is_none(),
            Fact::WithinTime => stop.is_some_and(|stop| stop.is_in_time),
            Fact::WithinBudget => stop.is_some() && data.is_in_budget(),
            Fact::RepeatsItself => stop.is_some_and(|stop| stop.repeats),
            Fact::WasRejected => stop
                .and_then(|stop| stop.verdict.as_ref())
                .is_some_and(|verdict| verdict.was_rejected_completion),
        }
    }

    fn act(&self, data: &mut Data, action: Action, at: &At<'_>, stage: &mut Stage<'_>) {
        match action {
            Action::ClassifyOutput => classify_output(data, stage),
            Action::SortOutput => sort_output(data, stage),
            Action::SendCoaching => self.send_coaching(data, stage),
            Action::DeliverToHuman => deliver(data, at, stage),
            Action::StandAside => stand_aside(data, stage),
            Action::MarkFailed => mark_failed(data),
            Action::RaiseAlarm => {
                if let Some(reason) = data.raise_alarm(stage.moment.now_us) {
                    stage.say(line(reason, Role::Alarm));
                }
            }
        }
    }

    /// Handing over is saying it; whoever sent the stop passes it on.
    fn settled(&self, _: &Data, at: &At<'_>) -> Option<Event> {
        [Event::Coached, Event::Delivered, Event::Noted].into_iter().find(|event| at.takes(event.name()))
    }

    fn desk(&self, _: &Data, _: &At<'_>) -> Desk {
        Desk::default()
    }

    fn more(&self, data: &Data, _: &At<'_>) -> Value {
        json!({
            "agent": data.opening.agent,
            "session": data.opening.session,
            "max_minutes": data.opening.max_minutes,
            "counts": data.counts,
            "last": data.last,
            "failed": data.failed,
            "cost_microusd": data.cost_microusd,
            "alarms": data.alarms,
        })
    }
}

fn stopped(payload: &Value) -> Result<Stopped, Rejected> {
    read_given(payload).map_err(|why| Rejected {
        code: "bad_stop",
        message: format!("this does not say how the agent stopped: {why}").into(),
        cure: "send at least the agent's last message as {\"text\": \"…\"}".into(),
    })
}

fn seen(payload: &Value) -> Result<Seen, Rejected> {
    read_given(payload).map_err(|why| Rejected {
        code: "bad_look",
        message: format!("this does not say what the agent was seen doing: {why}").into(),
        cure: "send call, is_error, silent_s, running_s, same_calls or errors".into(),
    })
}

fn prompted(data: &mut Data, text: Option<&str>) -> Result<(), Rejected> {
    if text.is_some_and(|text| data.is_own(text)) {
        return Err(Rejected {
            code: OWN_WORDS,
            message: "these are the coach's own words, not a human's".into(),
            cure: "send `prompted` only for what a human said".into(),
        });
    }
    data.prompted(text);
    Ok(())
}

fn crash(payload: &Value) -> String {
    let error = payload.get("error").and_then(Value::as_str).unwrap_or("unknown");
    let details = payload.get("details").and_then(Value::as_str).unwrap_or_default();
    let colon = if details.is_empty() { "" } else { ": " };
    preview(&format!("the agent's program reports the error {error}{colon}{details}"), MAX_REASON_CHARS)
}

/// What keeps the coach from having a say, if anything.
fn hindrance(data: &Data) -> Option<String> {
    let stop = data.stop.as_ref()?;
    match stop.said.in_background {
        _ if stop.said.is_switched_off => Some("the coach is switched off".to_owned()),
        0 if stop.is_resting => Some("a bound was reached and no human has answered since".to_owned()),
        0 => None,
        running => Some(format!("work goes on in the background: {running} tasks or schedules")),
    }
}

/// Asks a model, or lets the rules judge at once.
fn classify_output(data: &mut Data, stage: &mut Stage<'_>) {
    let Some(stop) = &data.stop else { return };
    match judge::question(&stop.said, data.counts.stops.into()) {
        Some(ask) => stage.ask_model(&ask),
        None => stage.raise(Event::Judged, Value::Null),
    }
}

/// Takes in a verdict: a model's reply, or without one that of the rules.
fn judged(data: &mut Data, payload: &Value) -> Result<(), Rejected> {
    let number = u64::from(data.counts.stops);
    match ModelAnswer::read(payload)? {
        Some(answer) if answer.ask != number => Err(Rejected {
            code: "answers_nothing",
            message: "this answers another stop".into(),
            cure: "answer the ask that waits".into(),
        }),
        Some(ModelAnswer { result: ModelResult::Reply(reply), .. }) => {
            let Some(stop) = &mut data.stop else { return Ok(()) };
            stop.verdict = Some(judge::by_model(stop, &reply)?);
            Ok(())
        }
        Some(ModelAnswer { result: ModelResult::Failed(reason), .. }) => {
            rules_judge(data, Some(preview(&reason, MAX_REASON_CHARS)));
            Ok(())
        }
        None => {
            rules_judge(data, None);
            Ok(())
        }
    }
}

fn rules_judge(data: &mut Data, model_failed: Option<String>) {
    if let Some(stop) = &mut data.stop {
        stop.verdict = Some(judge::by_rules(stop));
        stop.model_failed = model_failed;
    }
}

fn sort_output(data: &Data, stage: &mut Stage<'_>) {
    let Some(Stop { verdict: Some(verdict), .. }) = &data.stop else { return };
    let event = match verdict.output_type {
        OutputType::Question => Event::Question,
        OutputType::Status => Event::Status,
        OutputType::Completion => Event::Completion,
        OutputType::Blocker => Event::Blocker,
        OutputType::Error => Event::Error,
    };
    stage.raise(event, json!(verdict));
}

fn deliver(data: &mut Data, at: &At<'_>, stage: &mut Stage<'_>) {
    let verdict = data.stop.as_ref().and_then(|stop| stop.verdict.as_ref());
    let told = verdict.map_or_else(String::new, |verdict| verdict.reason.clone());
    let is_at_bound = at.state() == "DELIVER_AT_BOUND";
    if is_at_bound {
        data.bound_at_us = Some(stage.moment.now_us);
    }
    let reason = match &data.failed {
        Some(failed) => failed.clone(),
        None if is_at_bound => bound(data, at),
        None => told,
    };
    stage.say(line(reason.clone(), Role::Deliver));
    data.decided(Decision::Deliver, reason, None);
}

/// Which bound of the law was reached. They are asked in the order in which the law asks them.
fn bound(data: &Data, at: &At<'_>) -> String {
    let limit = |name: &str| u32::try_from(at.machine.number(name, 0)).unwrap_or(0);
    let (continues, rejections) = (limit("max_continues"), limit("max_rejections"));
    match data.stop.as_ref() {
        Some(stop) if !stop.is_in_time => {
            format!("the agent has been at it for more than {} minutes", data.opening.max_minutes)
        }
        Some(_) if !data.is_in_budget() => {
            format!("the agent has cost ${:.2}, more than it may", data.cost_microusd as f64 / 1e6)
        }
        Some(stop) if stop.repeats && at.counter("standstills") >= limit("max_standstills") => {
            "the agent says the same again and gets no further".to_owned()
        }
        _ if at.counter("rejections") > rejections => {
            format!("the agent claimed {} times to be done and showed no evidence", rejections + 1)
        }
        _ => format!("the agent was sent on {continues} times and still is not done"),
    }
}

fn stand_aside(data: &mut Data, stage: &mut Stage<'_>) {
    let finished = || "the work was finished and no human has asked for more".to_owned();
    let reason = hindrance(data).unwrap_or_else(finished);
    stage.say(line(reason.clone(), Role::Aside));
    data.decided(Decision::Aside, reason, None);
}

fn mark_failed(data: &mut Data) {
    let verdict = data.stop.as_ref().and_then(|stop| stop.verdict.as_ref());
    let reason = verdict.map(|verdict| preview(&verdict.reason, MAX_REASON_CHARS));
    data.failed = data.failed.take().or(reason);
}

fn line(say: String, role: Role) -> Line {
    Line::new(role, say)
}
