//! Runs the coach for coding agents as a flow.
//!
//! `law.yaml` decides whether an agent goes on, and owns every bound. This module computes what the law asks for:
//! what kind of message the agent stopped with, whether it repeats itself or is out of time, and what to say.

use super::coach::{self, CoachContext, Coaching, Tier};
use super::desk::{AgentMore, desk};
use super::human::human_words;
use super::open::Open;
use super::playbook::Playbook;
use super::redact::preview;
use super::session::{AgentOpening, Crashed, Data, Decision, Prompted, Stop, Stopped};
use super::skills::detect_skill;
use super::verdict::{OutputType, StopReason};
use super::watch::{Watched, span};
use super::{judge, words};
use crate::ask::{ModelAnswer, ModelResult};
use crate::desk::{Desk, Role};
use crate::face::{Does, Face, NEEDS, Verb, Who, as_given, schema};
use crate::rejected::{Rejected, read_given};
use crate::turn::{At, Flow, Stage};
use crate::words::Text;
use ::flow::{Constant, Machine, Name, Origin, Vocabulary};
use serde::Deserialize;
use serde_json::{Value, json};

/// The law that ships with Etude.
pub const LAW: &str = include_str!("law.yaml");

/// The codes of refused prompts: the coach's own message, and that of any other program.
pub const OWN_WORDS: &str = "own_words";
pub const NO_HUMAN: &str = "no_human";
/// The errors with which a run reports what it did or saw itself. The agent's own program gives its errors other
/// names.
pub const WATCHDOG: &str = "watchdog";
pub const TIME_LIMIT: &str = "time_limit";
pub const NOT_STARTED: &str = "not_started";
pub const PROCESS_FAILED: &str = "process_failed";
pub const CUT_OFF: &str = "interrupted";

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
        IsSwitchedOff = "is_switched_off",
        IsPaused = "is_paused",
        IsElsewhere = "is_elsewhere",
        WorksInBackground = "works_in_background",
        WithinTime = "within_time",
        WithinBudget = "within_budget",
        RepeatsItself = "repeats_itself",
        WasRejected = "was_rejected",
        IsCrash = "is_crash",
        IsFailing = "is_failing",
        IsDisproved = "is_disproved",
        WasToldToStop = "was_told_to_stop",
        IsRisky = "is_risky",
        IsDoubtful = "is_doubtful",
        HasReason = "has_reason",
        IsOutOfReach = "is_out_of_reach",
        IsAlarming = "is_alarming",
        // Only laws before 0.4 ask this.
        IsResting = "is_resting",
        // Only laws before 0.8 ask this.
        MayCoach = "may_coach",
    }
}

::flow::names! {
    /// The reason why the agent may stop although its work is not finished, as the law's attribute names it.
    enum Because {
        Told = "told",
        Risk = "risk",
        Doubt = "doubt",
        Reach = "reach",
        NothingOpen = "nothing_open",
    }
}

pub(super) const CONTINUES: &str = "continues";
pub(super) const REJECTIONS: &str = "rejections";
pub(super) const STANDSTILLS: &str = "standstills";
const ASIDE: &str = "aside";
const BOUND: &str = "bound";
const BECAUSE: &str = "because";
/// The law's attribute that says how a session stands: silent, waiting or finished.
pub const STANDS: &str = "stands";

pub fn vocabulary() -> Vocabulary {
    Vocabulary::of::<Action, Event, Fact>("AgentCoach", origin)
        .counting(&[CONTINUES, REJECTIONS, STANDSTILLS])
        .describing(STANDS, &[])
        .describing(ASIDE, &[])
        .describing(BOUND, &[])
        .describing(BECAUSE, &Because::names())
}

fn origin(event: Event) -> Origin {
    match event {
        Event::Prompted | Event::Halted | Event::Watched => Origin::Learner,
        Event::GrewQuiet | Event::WentStale | Event::JudgedLate => Origin::Silence,
        _ => Origin::Machine,
    }
}

const OPEN: Verb = Verb {
    name: "open",
    does: Does::Opens,
    who: Who::Program,
    payload: Some(schema::<AgentOpening>),
    prepare: as_given,
    http: None,
    replies: None,
    tool: None,
    chat: &[],
    asks_first: None,
    typed: &[],
    german: &[],
};

/// Programs report what agents do; one operation of HTTP and MCP takes every kind of report and finds the session.
const VERBS: &[Verb] = &[
    OPEN,
    Verb {
        name: "stopped",
        does: Does::Says(Event::Stopped.name()),
        payload: Some(schema::<Stopped>),
        ..OPEN
    },
    Verb {
        name: "crashed",
        does: Does::Acts(Event::Crashed.name()),
        payload: Some(schema::<Crashed>),
        ..OPEN
    },
    Verb {
        name: "prompted",
        does: Does::Acts(Event::Prompted.name()),
        payload: Some(schema::<Prompted>),
        ..OPEN
    },
    Verb {
        name: "watched",
        does: Does::Acts(Event::Watched.name()),
        payload: Some(schema::<Watched>),
        ..OPEN
    },
    Verb { name: "halted", does: Does::Ends(Event::Halted.name()), payload: None, ..OPEN },
];

/// The coach for coding agents, with its playbook.
#[derive(Debug)]
pub struct AgentCoach {
    playbook: Playbook,
}

impl AgentCoach {
    pub fn new(playbook: Playbook) -> AgentCoach {
        AgentCoach { playbook }
    }

    /// Asks a model to judge the stop, or lets the rules judge at once.
    fn classify_output(&self, data: &mut Data, stage: &mut Stage<'_>) {
        let asked =
            self.context(data).and_then(|context| judge::question(&context, data.counts.stops.into()));
        match asked {
            Some(ask) => stage.ask_model(&ask),
            None => stage.raise(Event::Judged, Value::Null),
        }
    }

    /// Examines the stop with its verdict, and raises the event of the kind it turns out to be.
    fn sort_output(&self, data: &mut Data, stage: &mut Stage<'_>) {
        let Some(context) = self.context(data) else { return };
        let Some(verdict) = data.verdict() else { return };
        let mut finding = context.stand(verdict).look();
        let mut verdict = verdict.clone();
        if let Some((output_type, reason)) = finding.turns_into.take() {
            verdict.was_rejected_completion &= output_type == OutputType::Status;
            (verdict.output_type, verdict.reason) = (output_type, reason);
            verdict.confidence = finding.leaning.unwrap_or(verdict.confidence);
        }
        // A model coaches unfinished work too: nothing was claimed, so nothing is rejected.
        verdict.was_rejected_completion &= finding.is_disproved || !finding.is_under_way();
        stage.raise(event_of(verdict.output_type), json!(verdict));
        if let Some(stop) = &mut data.stop {
            (stop.verdict, stop.finding) = (Some(verdict), finding);
        }
    }

    fn context<'d>(&'d self, data: &'d Data) -> Option<CoachContext<'d>> {
        let stop = &data.stop.as_ref()?.said;
        Some(CoachContext {
            stop,
            prompt: data.prompt.as_deref(),
            task: data.task.as_deref(),
            earlier: &data.earlier,
            phase: stop.signals.phase.as_deref(),
            playbook: &self.playbook,
        })
    }

    fn coaching(&self, data: &Data) -> Option<Coaching> {
        coach::message(data.verdict()?, &self.context(data)?, &data.stop.as_ref()?.finding)
    }

    fn send_coaching(&self, data: &mut Data, stage: &mut Stage<'_>) {
        // The law comes here only with a reason.
        let Some(coaching) = self.coaching(data) else { return };
        let open = data.stop.as_ref().and_then(|stop| stop.finding.open.as_ref()).map(Open::told);
        let told = || data.verdict().map(|verdict| verdict.reason.clone());
        let reason = open.filter(|_| coaching.tier != Tier::Model).or_else(told).unwrap_or_default();
        stage.tell(Role::Coaching, &coaching.message);
        data.decided(Decision::Continue, reason, Some(coaching));
    }

    /// Records a human's prompt, and the phase of the work if the prompt names a command for one. Refuses the
    /// coach's own words and those of other programs.
    fn prompted(&self, data: &mut Data, payload: &Value) -> Result<(), Rejected> {
        let Prompted { text, id, cwd } = Prompted::deserialize(payload).unwrap_or_default();
        if text.as_deref().is_some_and(|text| data.is_own(text)) {
            return Err(Rejected {
                code: OWN_WORDS,
                message: "these are the coach's own words, not a human's".into(),
                cure: "send `prompted` only for what a human said".into(),
            });
        }
        let human = text.as_deref().map(human_words);
        if human == Some(None) {
            return Err(Rejected {
                code: NO_HUMAN,
                message:
                    "a program wrote this, not a human: a notification, a reminder or the feedback of a hook"
                        .into(),
                cure: "send `prompted` only for what a human said".into(),
            });
        }
        let words = human.flatten();
        let typed = words.as_deref().and_then(|words| detect_skill(words, None, &self.playbook.skills));
        if let Some(skill) = typed {
            data.phase = Some(skill.phase.clone());
        }
        data.keep_limits(words.as_deref(), &self.playbook.phrases);
        data.prompted(words.as_deref(), id);
        data.cwd = cwd.or(data.cwd.take());
        Ok(())
    }
}

impl Flow for AgentCoach {
    type Action = Action;
    type Event = Event;
    type Fact = Fact;
    type Data = Data;
    type More = AgentMore;
    const FACE: Face = Face {
        name: "agent",
        law: LAW,
        vocabulary,
        words: words::FILES,
        verbs: VERBS,
        looks: &[],
        find: None,
        needs: NEEDS,
    };

    fn open(&self, opening: &Value, _: &Machine, stage: &mut Stage<'_>) -> Result<Data, Rejected> {
        Ok(Data::new(AgentOpening::read(opening)?, stage.moment.now_us))
    }

    fn hear(
        &self,
        data: &mut Data,
        event: Event,
        payload: &Value,
        stage: &mut Stage<'_>,
    ) -> Result<(), Rejected> {
        let now_us = stage.moment.now_us;
        match event {
            Event::Stopped => data.stop(stopped(payload)?, now_us),
            Event::Crashed => data.failing = Some(crash(payload)),
            Event::WentStale => data.failing = Some(words::stale()),
            Event::Prompted => self.prompted(data, payload)?,
            Event::Watched => data.watch(watched(payload)?, now_us),
            Event::GrewQuiet => data.grow_quiet(now_us),
            Event::Judged => judged(data, payload)?,
            Event::JudgedLate => rules_judge(data, Some(words::model_late())),
            _ => {}
        }
        Ok(())
    }

    fn holds(&self, data: &Data, fact: Fact) -> bool {
        let stop = data.stop.as_ref();
        match fact {
            Fact::IsAlarming => data.alarm.is_some(),
            Fact::IsResting => false,
            Fact::IsSwitchedOff => stop.is_some_and(|stop| stop.said.is_switched_off),
            Fact::IsPaused => stop.is_some_and(|stop| stop.said.is_paused),
            Fact::IsElsewhere => stop.is_some_and(|stop| stop.said.is_elsewhere),
            Fact::MayCoach => stop.is_some_and(|Stop { said, .. }| {
                !said.is_switched_off && !said.is_paused && !said.is_elsewhere
            }),
            Fact::WorksInBackground => stop.is_some_and(|stop| stop.said.in_background > 0),
            Fact::WithinTime => stop.is_some_and(|stop| stop.is_in_time),
            Fact::WithinBudget => stop.is_some() && data.is_in_budget(),
            Fact::RepeatsItself => stop.is_some_and(|stop| stop.repeats),
            Fact::WasRejected => {
                let is_disproved = stop.is_some_and(|stop| stop.finding.is_disproved);
                is_disproved || data.verdict().is_some_and(|verdict| verdict.was_rejected_completion)
            }
            Fact::IsCrash => stop.is_some_and(|stop| is_crash(&stop.said)),
            Fact::IsFailing => stop.is_some_and(|stop| stop.finding.open.is_some()),
            Fact::IsDisproved => stop.is_some_and(|stop| stop.finding.is_disproved),
            Fact::WasToldToStop => stop.is_some_and(|stop| stop.finding.told.is_some()),
            Fact::IsRisky => stop.is_some_and(|stop| stop.finding.risk.is_some()),
            Fact::IsDoubtful => stop.is_some_and(|stop| stop.finding.doubt.is_some()),
            Fact::HasReason => self.coaching(data).is_some(),
            Fact::IsOutOfReach => stop.is_some_and(|stop| stop.said.out_of_reach.is_some()),
        }
    }

    fn act(&self, data: &mut Data, action: Action, at: &At<'_>, stage: &mut Stage<'_>) {
        match action {
            Action::ClassifyOutput => self.classify_output(data, stage),
            Action::SortOutput => self.sort_output(data, stage),
            Action::SendCoaching => self.send_coaching(data, stage),
            Action::DeliverToHuman => deliver(data, at, stage),
            Action::StandAside => stand_aside(data, at, stage),
            Action::MarkFailed => mark_failed(data),
            Action::RaiseAlarm => {
                if let Some(reason) = data.raise_alarm(quiet_s(at), stage.moment.now_us) {
                    stage.tell(Role::Alarm, reason);
                }
            }
        }
    }

    /// Returns the event that confirms a handover. The coach has handed over as soon as it has spoken; the program
    /// that sent the stop passes the message on.
    fn settled(&self, _: &Data, at: &At<'_>) -> Option<Event> {
        [Event::Coached, Event::Delivered, Event::Noted].into_iter().find(|event| at.takes(event.name()))
    }

    fn desk(&self, data: &Data, at: &At<'_>) -> Desk {
        desk(data, at)
    }

    fn more(&self, data: &Data, _: &At<'_>) -> AgentMore {
        data.into()
    }
}

/// Returns the law's `quiet` time in seconds: the silence of a working agent when the law's clock fires.
fn quiet_s(at: &At<'_>) -> Option<u64> {
    match at.machine.constant("quiet")? {
        Constant::Duration(millis) => Some(millis / 1_000),
        _ => None,
    }
}

fn stopped(payload: &Value) -> Result<Stopped, Rejected> {
    read_given(payload).map_err(|why| Rejected {
        code: "bad_stop",
        message: format!("this does not say how the agent stopped: {why}").into(),
        cure: "send at least the agent's last message as {\"text\": \"…\"}".into(),
    })
}

fn watched(payload: &Value) -> Result<Watched, Rejected> {
    read_given(payload).map_err(|why| Rejected {
        code: "bad_look",
        message: format!("this does not say what the agent was seen doing: {why}").into(),
        cure: "send call, is_error, silent_s, running_s, same_calls or errors".into(),
    })
}

fn crash(payload: &Value) -> Text {
    let Crashed { error, details } = Crashed::deserialize(payload).unwrap_or_default();
    let error = preview(error.as_deref().unwrap_or("unknown"), MAX_REASON_CHARS);
    let details = preview(&details, MAX_REASON_CHARS);
    match error.as_str() {
        CUT_OFF => details.parse::<u32>().map_or_else(|_| words::run_cut_off(), words::run_signalled),
        _ if details.is_empty() => words::crashed(error),
        WATCHDOG => words::ended_by_watchdog(details),
        TIME_LIMIT => words::ended_in_time(span(details.parse().unwrap_or(0))),
        NOT_STARTED => words::not_started(details),
        PROCESS_FAILED => words::process_failed(details),
        _ => words::crashed_with(error, details),
    }
}

/// Takes in a model's verdict, or lets the rules judge without one. Refuses an answer to another stop.
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
            rules_judge(data, Some(preview(&reason, MAX_REASON_CHARS).into()));
            Ok(())
        }
        None => {
            rules_judge(data, None);
            Ok(())
        }
    }
}

fn rules_judge(data: &mut Data, model_failed: Option<Text>) {
    if let Some(stop) = &mut data.stop {
        stop.verdict = Some(judge::by_rules(stop));
        stop.model_failed = model_failed;
    }
}

fn event_of(output_type: OutputType) -> Event {
    match output_type {
        OutputType::Question => Event::Question,
        OutputType::Status => Event::Status,
        OutputType::Completion => Event::Completion,
        OutputType::Blocker => Event::Blocker,
        OutputType::Error => Event::Error,
    }
}

/// Whether the agent's own program reports a crash. Words about a failure are not a crash.
fn is_crash(said: &Stopped) -> bool {
    said.signals.agent_error.is_some() || said.signals.stop_reason == Some(StopReason::Error)
}

/// Hands the stop to the human, with the reason: a failure, a bound of the law, the law's `because`, or the
/// verdict's own.
fn deliver(data: &mut Data, at: &At<'_>, stage: &mut Stage<'_>) {
    let bound = at.attribute(BOUND).map(|bound| bound_reached(bound, data, at));
    let finding = data.stop.as_ref().map(|stop| &stop.finding);
    let because = finding.zip(at.attribute_as(BECAUSE)).and_then(|(finding, because)| match because {
        Because::Told => finding.told.clone(),
        Because::Risk => finding.risk.clone().map(words::risky),
        Because::Doubt => finding.doubt.clone().map(words::doubtful),
        Because::Reach => data.out_of_reach(),
        Because::NothingOpen => data.verdict().map(|verdict| words::nothing_open(verdict.reason.clone())),
    });
    let told = || data.verdict().map(|verdict| verdict.reason.clone());
    let reason = data.failed.clone().or(bound.clone()).or(because).or_else(told).unwrap_or_default();
    stage.tell(Role::Deliver, reason.clone());
    data.decided(Decision::Deliver, reason, None);
    if let Some(last) = &mut data.last {
        last.is_bound = bound.is_some();
    }
}

fn bound_reached(bound: &str, data: &Data, at: &At<'_>) -> Text {
    let cents = (data.cost_microusd + 5_000) / 10_000;
    words::bound(
        bound,
        data.opening.max_minutes,
        cents / 100,
        format!("{:02}", cents % 100),
        at.counter(REJECTIONS),
        at.counter(CONTINUES),
    )
}

fn stand_aside(data: &mut Data, at: &At<'_>, stage: &mut Stage<'_>) {
    let said = data.stop.as_ref().map(|stop| &stop.said);
    let running = said.map_or(0, |said| said.in_background);
    let reason = words::aside(at.attribute(ASIDE).unwrap_or_default(), running);
    stage.tell(Role::Aside, reason.clone());
    data.decided(Decision::Aside, reason, None);
}

fn mark_failed(data: &mut Data) {
    let told = data.verdict().map(|verdict| verdict.reason.clone());
    data.failed = data.failing.take().or(told);
}
