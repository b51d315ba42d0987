//! Runs an attempt at a coding problem: explain it, plan it, write it, test it, look back.
//!
//! `law.yaml` decides which step comes next. This module computes what the law asks for: whether an explanation
//! shows understanding, whether a pattern fits, what to say about a failing test. Results of tests come from the
//! judge alone.

mod data;
mod desk;
mod growth;
mod guard;
mod hint;
mod looks;
mod plan;
mod reflect;
mod replies;
pub mod sight;
mod understand;
mod values;
mod verbs;
mod verify;
pub mod words;

pub use data::{Assessment, Explanation, Fit, Mode, Status, Step, TestResult};
pub use looks::{AttemptV2, ProblemRow, Problems};
pub use plan::ChoosePattern;
pub use understand::MAX_FIELD_CHARS;
pub use verbs::AttemptOpening;
pub use verify::BugType;

use crate::ask::{ModelAnswer, ModelResult};
use crate::desk::{Desk, Role};
use crate::face::{Face, NEEDS, Needs, Verb};
use crate::judging::{Exam, JUDGE_KIND, Ran, TRACE_KIND, Traced, Verdict};
use crate::leak::Risk;
use crate::learner::{ITEM_KIND, PROFILE_KIND};
use crate::look::{Shelf, Unseen};
use crate::problems::{Catalogue, LANGUAGES, Problem};
use crate::rejected::{Rejected, read_given};
use crate::turn::{At, Flow, Stage};
use crate::words::Text;
use ::flow::{Machine, Name, Origin, Vocabulary};
use data::{Data, Followup, PlanPayload, Submission, UnderstandPayload};
use jiff::Timestamp;
use replies::{Challenged, Chosen, Discovered, Discovery, Hinted, ModeSet, Tested, Understood};
use serde::de::DeserializeOwned;
use serde_json::{Value, json};
use verbs::{Answered, Code, SetMode};

/// The law that ships with Etude.
pub const LAW: &str = include_str!("law.yaml");

/// The maximum size of a program.
pub const MAX_CODE_BYTES: usize = 64 << 10;
/// The maximum number of submissions that are kept, the newest ones. The log has all of them.
const MAX_SUBMISSIONS: usize = 20;
/// The maximum number of characters of a refused value that are repeated.
const MAX_REPEATED_CHARS: usize = 40;

::flow::names! {
    pub enum Action {
        TellMode = "tell_mode",
        RefuseMode = "refuse_mode",
        RefuseSkip = "refuse_skip",
        RefuseFollowUp = "refuse_follow_up",
        NoteSuspicion = "note_suspicion",
        Assess = "assess",
        AskMore = "ask_more",
        ConfirmUnderstanding = "confirm_understanding",
        SuggestPatterns = "suggest_patterns",
        BeginDiscovery = "begin_discovery",
        NarrowDown = "narrow_down",
        AcceptPattern = "accept_pattern",
        RefusePattern = "refuse_pattern",
        RefuseOtherPattern = "refuse_other_pattern",
        PhraseHint = "phrase_hint",
        GiveHint = "give_hint",
        RefuseHint = "refuse_hint",
        RunTests = "run_tests",
        LoseRun = "lose_run",
        ShowFailure = "show_failure",
        RefuseUntested = "refuse_untested",
        GuideFailure = "guide_failure",
        RunTrace = "run_trace",
        ShowTrace = "show_trace",
        RememberPattern = "remember_pattern",
        ShowSuccess = "show_success",
        MarkChallenge = "mark_challenge",
        CaptureReflection = "capture_reflection",
    }
}

::flow::names! {
    pub enum Event {
        Told = "told",
        SuspectedInjection = "suspected_injection",
        Assessed = "assessed",
        Phrased = "phrased",
        Judged = "judged",
        Traced = "traced",
        AssessedLate = "assessed_late",
        PhrasedLate = "phrased_late",
        JudgeLost = "judge_lost",
        TraceLost = "trace_lost",
        SetMode = "set_mode",
        Explain = "explain",
        FollowUp = "follow_up",
        Suggest = "suggest",
        Discover = "discover",
        Choose = "choose",
        Submit = "submit",
        Hint = "hint",
        Run = "run",
        ExplainFailure = "explain_failure",
        Trace = "trace",
        Retry = "retry",
        Challenge = "challenge",
        Reflect = "reflect",
        SkipReflection = "skip_reflection",
        Skip = "skip",
        Abandon = "abandon",
    }
}

::flow::names! {
    pub enum Fact {
        IsLegacy = "is_legacy",
        IsExpert = "is_expert",
        IsUntouched = "is_untouched",
        HasQuestion = "has_question",
        IsSuspect = "is_suspect",
        IsUnderstood = "is_understood",
        Fits = "fits",
        IsClose = "is_close",
        IsConfident = "is_confident",
        KeepsPattern = "keeps_pattern",
        LacksInvariant = "lacks_invariant",
        HasMoreQuestions = "has_more_questions",
        IsRung1 = "is_rung_1",
        IsRung2 = "is_rung_2",
        IsRung3 = "is_rung_3",
        IsRung4 = "is_rung_4",
        IsRung5 = "is_rung_5",
        IsTested = "is_tested",
        AllTestsPassed = "all_tests_passed",
        // Only laws before 1.3 ask this.
        HasHints = "has_hints",
    }
}

::flow::names! {
    /// The input that the law asks of the learner, or the result that the learner waits for.
    enum Asks {
        Explanation = "explanation",
        Approach = "approach",
        Pattern = "pattern",
        Discovery = "discovery",
        Invariant = "invariant",
        Program = "program",
        Tests = "tests",
        Judge = "judge",
        Hint = "hint",
        Assessment = "assessment",
        Reflection = "reflection",
    }
}

const HINTS: &str = "hints";
const STEP: &str = "step";
const ASKS: &str = "asks";
/// The constants of the law that are read here.
const MAX_FOLLOWUPS: &str = "max_followups";
const CONFIDENT_FROM: &str = "confident_from";
const HINT_BUDGETS: [&str; 5] =
    ["hints_rung_1", "hints_rung_2", "hints_rung_3", "hints_rung_4", "hints_rung_5"];

pub fn vocabulary() -> Vocabulary {
    let origin = |event| match event {
        Event::Told
        | Event::SuspectedInjection
        | Event::Assessed
        | Event::Phrased
        | Event::Judged
        | Event::Traced => Origin::Machine,
        Event::AssessedLate | Event::PhrasedLate | Event::JudgeLost | Event::TraceLost => Origin::Silence,
        _ => Origin::Learner,
    };
    let constants = [MAX_FOLLOWUPS, CONFIDENT_FROM].into_iter().chain(HINT_BUDGETS).collect::<Vec<_>>();
    Vocabulary::of::<Action, Event, Fact>("Attempt", origin)
        .reading(&constants)
        .counting(&[HINTS])
        .describing(STEP, &Step::ALL.map(Step::name))
        .describing(ASKS, &Asks::names())
}

/// The flow with its problems and its patterns.
#[derive(Debug)]
pub struct Attempt {
    problems: Vec<Problem>,
    catalogue: Catalogue,
}

impl Attempt {
    pub fn new(problems: Vec<Problem>, catalogue: Catalogue) -> Attempt {
        Attempt { problems, catalogue }
    }

    fn problem(&self, id: &str) -> Option<&Problem> {
        self.problems.iter().find(|problem| problem.id == id)
    }

    fn rung(&self, data: &Data) -> Option<u8> {
        self.problem(&data.problem).map(|problem| problem.rung)
    }
}

impl Flow for Attempt {
    type Action = Action;
    type Event = Event;
    type Fact = Fact;
    type Data = Data;
    type More = AttemptV2;
    const FACE: Face = Face {
        name: "attempt",
        law: LAW,
        vocabulary,
        words: words::FILES,
        verbs: verbs::VERBS,
        looks: looks::LOOKS,
        find: None,
        needs: Needs {
            records: &[ITEM_KIND, PROFILE_KIND],
            model: true,
            silence: true,
            sealed: &[
                Event::Judged.name(),
                Event::SuspectedInjection.name(),
                Event::Told.name(),
                Event::Traced.name(),
            ],
            unread: &[Event::Assessed.name(), Event::Phrased.name()],
            ..NEEDS
        },
    };

    const REFUSALS: &'static [Action] = &[
        Action::RefuseMode,
        Action::RefuseSkip,
        Action::RefuseFollowUp,
        Action::RefuseHint,
        Action::RefuseUntested,
    ];

    fn open(&self, opening: &Value, machine: &Machine, stage: &mut Stage<'_>) -> Result<Data, Rejected> {
        let opening: AttemptOpening = read(opening)?;
        let id = opening.problem.trim().to_lowercase();
        let problem = self.problem(&id).ok_or_else(|| words::unknown_problem(repeated(&id)))?;
        let language = language(opening.language.as_deref().unwrap_or(LANGUAGES[0]))?;
        let usual = if opening.beginner_mode_default { Mode::Beginner } else { Mode::Expert };
        let is_legacy = !opening.attempt_v2_flow;
        Ok(Data {
            problem: problem.id.clone(),
            mode: opening.mode.unwrap_or(usual),
            step: (!is_legacy).then_some(Step::Understand),
            is_legacy,
            model: opening.model,
            asks: 0,
            understand: None,
            answers_before: 0,
            question: None,
            asked: Vec::new(),
            plan: PlanPayload::default(),
            choice: None,
            discovery: None,
            hint_budget: hint_budget(problem, machine),
            hints_used: 0,
            phrased: None,
            language,
            code: None,
            submissions: Vec::new(),
            run: 0,
            verify: None,
            tracing: None,
            all_passed: false,
            reflect: None,
            challenge: None,
            reply: Value::Null,
            said: Vec::new(),
            item: reflect::known_item(problem, stage.moment.records),
            profile: reflect::known_profile(stage.moment.records),
            edition: stage.moment.edition.unwrap_or_default(),
            due_at: None,
        })
    }

    fn hear(
        &self,
        data: &mut Data,
        event: Event,
        payload: &Value,
        stage: &mut Stage<'_>,
    ) -> Result<(), Rejected> {
        if event == Event::Abandon {
            return Ok(());
        }
        let problem =
            self.problem(&data.problem).ok_or_else(|| words::problem_gone(data.problem.as_str()))?;
        if let Some(edition) = stage.news(data.edition) {
            data.item = reflect::known_item(problem, stage.moment.records);
            data.edition = edition;
        }
        if event != Event::Told {
            data.reply = Value::Null;
        }
        let law = stage.law;
        data.hint_budget = hint_budget(problem, law);
        match event {
            Event::SetMode => data.mode = read::<SetMode>(payload)?.mode,
            Event::Explain => explain(data, read(payload)?)?,
            Event::FollowUp => follow_up(data, &read(payload)?, stage.moment.now_us)?,
            Event::Assessed => assessed(problem, data, payload, law)?,
            Event::AssessedLate => assess(problem, data, None, law)?,
            Event::Phrased => phrased(problem, data, payload)?,
            Event::Choose => plan::choose(problem, &self.catalogue, data, read(payload)?, law)?,
            Event::Discover if plan::question(&self.catalogue, data).is_some() => {
                plan::hear_answer(&self.catalogue, data, read(payload)?)?;
            }
            Event::Submit => submit(data, read(payload)?, stage.moment.now_us)?,
            Event::Run => (data.run, data.tracing) = (data.run + 1, None),
            Event::Judged => judged(problem, data, payload)?,
            Event::ExplainFailure => {
                let asked = read(payload)?;
                verify::check(data, &asked)?;
                data.reply = json!(verify::guide(problem, data, &asked, stage.moment.now_us));
            }
            Event::Trace => verify::hear_trace(problem, data, &read(payload)?)?,
            Event::Traced => traced(data, payload)?,
            Event::Challenge => reflect::hear_challenge(problem, data, &read(payload)?)?,
            Event::Reflect => reflect::hear(problem, data, read(payload)?)?,
            _ => {}
        }
        Ok(())
    }

    fn holds(&self, data: &Data, fact: Fact) -> bool {
        let choice = data.choice.as_ref();
        match fact {
            Fact::IsLegacy => data.is_legacy,
            Fact::IsExpert => data.is_expert(),
            Fact::IsUntouched => data.is_untouched(),
            Fact::HasQuestion => data.question.is_some(),
            Fact::IsSuspect => data.understand.as_ref().is_some_and(understand::is_suspect),
            Fact::IsUnderstood => data.status() == Some(Status::Pass),
            Fact::Fits => choice.is_some_and(|choice| choice.fit == Fit::Good),
            Fact::IsClose => choice.is_some_and(|choice| choice.fit == Fit::Maybe),
            Fact::IsConfident => choice.is_some_and(|choice| choice.is_confident),
            Fact::KeepsPattern => choice.is_some_and(|choice| choice.keeps_pattern),
            Fact::LacksInvariant => {
                self.problem(&data.problem).is_some_and(|problem| plan::lacks_invariant(problem, data))
            }
            Fact::HasMoreQuestions => plan::question(&self.catalogue, data).is_some(),
            Fact::IsRung1 => self.rung(data) == Some(1),
            Fact::IsRung2 => self.rung(data) == Some(2),
            Fact::IsRung3 => self.rung(data) == Some(3),
            Fact::IsRung4 => self.rung(data) == Some(4),
            Fact::IsRung5 => self.rung(data) == Some(5),
            Fact::IsTested => data.is_tested(),
            Fact::AllTestsPassed => data.all_passed,
            Fact::HasHints => false,
        }
    }

    fn act(&self, data: &mut Data, action: Action, at: &At<'_>, stage: &mut Stage<'_>) {
        // Without a problem, `hear` accepts only that the learner gives up.
        let Some(problem) = self.problem(&data.problem) else { return };
        let mut coach = Coach { problem, catalogue: &self.catalogue, data, stage };
        match action {
            Action::TellMode => coach.tell_mode(),
            Action::RefuseMode => stage.refuse(words::mode_is_fixed()),
            Action::RefuseSkip => stage.refuse(words::no_skipping()),
            Action::RefuseFollowUp => stage.refuse(words::no_follow_up()),
            Action::RefuseOtherPattern => stage.refuse(words::pattern_is_chosen()),
            Action::RefuseUntested => stage.refuse(words::no_run()),
            Action::RefuseHint => stage.refuse(words::no_hints_left(data.hint_budget)),
            Action::NoteSuspicion => stage.raise(Event::SuspectedInjection, Value::Null),
            Action::Assess => coach.assess(),
            Action::AskMore => coach.ask_more(),
            Action::ConfirmUnderstanding => coach.confirm_understanding(),
            Action::SuggestPatterns => coach.suggest_patterns(),
            Action::BeginDiscovery => coach.begin_discovery(),
            Action::NarrowDown => coach.narrow_down(),
            Action::AcceptPattern => coach.weigh_pattern(true),
            Action::RefusePattern => coach.weigh_pattern(false),
            Action::PhraseHint => coach.phrase_hint(at.counter(HINTS)),
            Action::GiveHint => coach.give_hint(at.counter(HINTS)),
            Action::RunTests => coach.run_tests(),
            Action::LoseRun => drop(coach.tell(Role::Alarm, words::lost())),
            Action::ShowFailure => coach.show_failure(),
            Action::GuideFailure => coach.guide_failure(),
            Action::RunTrace => coach.run_trace(),
            Action::ShowTrace => coach.show_trace(),
            Action::RememberPattern => reflect::remember(problem, data, stage),
            Action::ShowSuccess => coach.show_success(),
            Action::MarkChallenge => coach.mark_challenge(),
            Action::CaptureReflection => coach.capture_reflection(),
        }
    }

    fn arrive(&self, data: &mut Data, at: &At<'_>, _: &mut Stage<'_>) -> Result<(), String> {
        let step = at.attribute(STEP);
        data.step = Step::ALL.into_iter().find(|known| Some(known.name()) == step).or(data.step);
        Ok(())
    }

    fn settled(&self, _: &Data, at: &At<'_>) -> Option<Event> {
        at.takes(Event::Told.name()).then_some(Event::Told)
    }

    fn desk(&self, data: &Data, at: &At<'_>) -> Desk {
        desk::desk(self.problem(&data.problem), &self.catalogue, data, at)
    }

    fn more(&self, data: &Data, at: &At<'_>) -> AttemptV2 {
        looks::attempt(self.problem(&data.problem), &self.catalogue, data, at)
    }

    fn offers(&self, data: &Data, verb: &Verb) -> bool {
        match verb.name {
            "explain_failure" => data.has_failed(),
            "trace" => verify::default_case(data).is_some(),
            _ => true,
        }
    }

    fn exam(&self, problem: &str, source: &str) -> Option<Exam> {
        self.problem(problem).map(|problem| verify::exam(problem, source))
    }

    fn look(&self, look: &str, _: &str, given: &Value, shelf: &Shelf) -> Result<Value, Unseen> {
        looks::look(&self.problems, look, given, shelf)
    }
}

/// Returns the number of hints that the law grants for the problem.
fn hint_budget(problem: &Problem, law: &Machine) -> u32 {
    let name = HINT_BUDGETS.get(usize::from(problem.rung).saturating_sub(1));
    name.and_then(|name| u32::try_from(law.number(name, 0)).ok()).unwrap_or(0)
}

fn explain(data: &mut Data, said: Explanation) -> Result<(), Rejected> {
    for (name, text) in understand::field_names().zip(understand::texts(&said)) {
        if text.chars().count() > MAX_FIELD_CHARS {
            return Err(words::too_long(name, MAX_FIELD_CHARS as u32));
        }
    }
    let followups = data.understand.take().map(|before| before.followups).unwrap_or_default();
    data.answers_before = followups.len();
    data.understand = Some(UnderstandPayload { said, ai_assessment: None, followups });
    data.question = None;
    Ok(())
}

/// Takes in an answer to a question. It counts only where the law finds a question open.
fn follow_up(data: &mut Data, said: &Answered, now_us: i64) -> Result<(), Rejected> {
    if said.answer.chars().count() > MAX_FIELD_CHARS {
        return Err(words::too_long("answer", MAX_FIELD_CHARS as u32));
    }
    if said.answer.trim().is_empty() {
        return Err(words::empty_answer());
    }
    if let (Some(question), Some(payload)) = (data.question.clone(), &mut data.understand) {
        payload.followups.push(Followup {
            question,
            answer: said.answer.trim().to_owned(),
            timestamp: Timestamp::from_microsecond(now_us).unwrap_or_default(),
        });
    }
    Ok(())
}

fn assessed(problem: &Problem, data: &mut Data, payload: &Value, law: &Machine) -> Result<(), Rejected> {
    match ModelAnswer::read(payload)? {
        Some(answer) if answer.ask != data.asks => Err(words::other_run()),
        Some(ModelAnswer { result: ModelResult::Reply(reply), .. }) => {
            assess(problem, data, Some(&reply), law)
        }
        _ => assess(problem, data, None, law),
    }
}

fn phrased(problem: &Problem, data: &mut Data, payload: &Value) -> Result<(), Rejected> {
    let level = hint::level(data.hints_used + 1);
    match ModelAnswer::read(payload)? {
        Some(answer) if answer.ask != data.asks => return Err(words::other_run()),
        Some(ModelAnswer { result: ModelResult::Reply(reply), .. }) => {
            data.phrased = hint::accept(problem, data, level, &reply);
        }
        _ => {}
    }
    Ok(())
}

fn assess(problem: &Problem, data: &mut Data, reply: Option<&Value>, law: &Machine) -> Result<(), Rejected> {
    let answered = data.understand.as_ref().map_or(0, |payload| payload.followups.len());
    let has_more = (answered as i64) < law.number(MAX_FOLLOWUPS, 0);
    let (assessment, question) = understand::assess(problem, data, reply, has_more)?;
    data.question = None;
    if let Some((number, text)) = question {
        data.asked.push(number);
        data.question = Some(text);
    }
    if let Some(payload) = &mut data.understand {
        payload.ai_assessment = Some(assessment);
    }
    Ok(())
}

fn submit(data: &mut Data, given: Code, now_us: i64) -> Result<(), Rejected> {
    let Code { language: named, code } = given;
    if let Some(named) = named {
        data.language = language(&named)?;
    }
    if code.len() > MAX_CODE_BYTES {
        return Err(words::code_too_long(MAX_CODE_BYTES as u32));
    }
    if code.trim().is_empty() {
        return Err(words::empty_code());
    }
    if code.chars().any(|c| c.is_control() && !matches!(c, '\n' | '\r' | '\t') || c == '\u{fffd}') {
        return Err(words::code_not_text());
    }
    let at = Timestamp::from_microsecond(now_us).unwrap_or_default();
    data.submissions.push(Submission { language: data.language.clone(), code: code.clone(), at });
    let extra = data.submissions.len().saturating_sub(MAX_SUBMISSIONS);
    data.submissions.drain(..extra);
    data.code = Some(code);
    (data.verify, data.tracing, data.all_passed) = (None, None, false);
    Ok(())
}

fn judged(problem: &Problem, data: &mut Data, payload: &Value) -> Result<(), Rejected> {
    let Ran { number, report, smallest } = read(payload)?;
    if number != data.run {
        return Err(words::other_run());
    }
    data.judged(report, smallest, problem.tests().tests.len());
    data.reply = json!(Tested::of(data, None));
    Ok(())
}

fn traced(data: &mut Data, payload: &Value) -> Result<(), Rejected> {
    let Traced { number, trace, message } = read(payload)?;
    match data.tracing.as_mut().filter(|_| number == data.run) {
        Some(tracing) => (tracing.trace, tracing.message) = (trace, message),
        None => return Err(words::other_run()),
    }
    Ok(())
}

fn language(named: &str) -> Result<String, Rejected> {
    let wanted = match named.trim().to_lowercase().as_str() {
        "py" | "python3" => "python".to_owned(),
        "js" | "node" => "javascript".to_owned(),
        "rs" => "rust".to_owned(),
        other => other.to_owned(),
    };
    let known = LANGUAGES.iter().any(|known| *known == wanted);
    if known { Ok(wanted) } else { Err(words::unknown_language(repeated(named))) }
}

fn read<T: DeserializeOwned>(payload: &Value) -> Result<T, Rejected> {
    let nothing = json!({});
    let payload = if payload.is_null() { &nothing } else { payload };
    read_given::<Value>(payload)
        .and_then(|value| serde_json::from_value(value).map_err(|error| error.to_string()))
        .map_err(|why| words::bad_input(plainly(&why)))
}

/// Rewords a parser's message without the names of this program's own types.
fn plainly(why: &str) -> String {
    let whole =
        ["usize", "u8", "u32", "u64"].iter().find_map(|name| why.strip_suffix(&format!("expected {name}")));
    whole.map_or_else(|| why.to_owned(), |why| format!("{why}expected a whole number from 0 on"))
}

fn cut(text: &str, most: usize) -> String {
    text.chars().take(most).collect()
}

/// Prepares a refused value for repetition: short, and without control characters.
fn repeated(text: &str) -> String {
    text.chars().filter(|c| !c.is_control()).take(MAX_REPEATED_CHARS).collect()
}

/// Returns the call of the first sample.
fn sample_call(problem: &Problem) -> String {
    let args = problem.samples.first().map(|sample| sample.args.clone()).unwrap_or_default();
    values::call(&problem.signature.function, &args)
}

/// The coach at work on one attempt, in one turn.
struct Coach<'c, 's, 'm> {
    problem: &'c Problem,
    catalogue: &'c Catalogue,
    data: &'c mut Data,
    stage: &'s mut Stage<'m>,
}

impl Coach<'_, '_, '_> {
    /// Tells the learner something, and returns how much it gives away. Every sentence about an unsolved problem
    /// passes the guard.
    fn tell(&mut self, role: Role, text: impl Into<Text>) -> Risk {
        let (text, risk) = guard::pass(self.problem, self.data, text.into());
        self.stage.tell(role, text);
        risk
    }

    fn tell_mode(&mut self) {
        let mode = json!(self.data.mode);
        self.data.reply = json!(ModeSet { mode: self.data.mode });
        self.tell(Role::Notice, words::mode_set(mode.as_str().unwrap_or_default()));
    }

    fn assess(&mut self) {
        let Some(payload) = &self.data.understand else { return };
        if !self.data.model {
            return self.stage.raise(Event::Assessed, Value::Null);
        }
        self.data.asks += 1;
        self.stage.ask_model(&understand::model_ask(
            self.problem,
            payload,
            self.data.answers_before,
            self.data.asks,
        ));
    }

    fn ask_more(&mut self) {
        self.report(words::not_understood_yet(), Role::Correction);
    }

    fn confirm_understanding(&mut self) {
        self.report(words::understood(), Role::Praise);
    }

    /// Tells the learner the verdict on an explanation, with its strengths, its gaps and the next questions.
    fn report(&mut self, verdict: Text, role: Role) {
        let payload = self.data.understand.as_ref();
        let Some(mut assessment) = payload.and_then(|payload| payload.ai_assessment.clone()) else { return };
        let mut highest = self.tell(role, verdict);
        let Assessment { strengths, gaps, followup_questions, .. } = &mut assessment;
        let parts =
            [(Role::Note, strengths), (Role::Explanation, gaps), (Role::Question, followup_questions)];
        for (role, texts) in parts {
            for text in texts {
                let (passed, risk) = guard::pass(self.problem, self.data, text.clone());
                self.stage.tell(role, passed.clone());
                *text = passed;
                highest = highest.max(risk);
            }
        }
        self.data.reply = json!(Understood::new(assessment, guard::name(highest)));
    }

    fn suggest_patterns(&mut self) {
        self.data.discovery = None;
        self.data.plan.suggested_patterns = plan::suggest(self.problem, self.catalogue);
        self.tell(Role::Notice, words::suggested());
        self.data.reply = json!(plan::suggestions(self.data));
    }

    fn begin_discovery(&mut self) {
        plan::begin(self.catalogue, self.data);
        self.tell(Role::Notice, words::discovery());
        self.put_question();
    }

    fn narrow_down(&mut self) {
        plan::follow(self.catalogue, self.data);
        let left: Vec<Text> = plan::left(self.catalogue, self.data).into_iter().map(Text::from).collect();
        if !left.is_empty() {
            self.tell(Role::Notice, words::discovered(left.len() as u32, left));
        }
        self.put_question();
    }

    /// Adds the question of the tree, or the patterns that are left at its end, to the reply for the interface.
    fn put_question(&mut self) {
        let question = plan::question(self.catalogue, self.data);
        let candidates = self.data.discovery.as_ref().map(|discovery| discovery.left.clone());
        let discovery = Discovery { question, candidates: candidates.unwrap_or_default() };
        match self.data.reply.as_object_mut() {
            Some(reply) => drop(reply.insert("discovery".to_owned(), json!(discovery))),
            None => self.data.reply = json!(Discovered { discovery }),
        }
    }

    fn weigh_pattern(&mut self, accepted: bool) {
        let Some(choice) = self.data.choice.clone() else { return };
        let rationale = plan::rationale(self.problem, &choice, accepted);
        let role = match (choice.fit, accepted) {
            (Fit::Good, _) => Role::Praise,
            (_, true) => Role::Correction,
            _ => Role::Explanation,
        };
        self.tell(role, rationale.clone());
        // Feedback on the rest of a wrong choice would say what is right.
        let (invariant, complexity) = (choice.invariant, choice.complexity);
        let feedback = |text: Option<Text>| text.filter(|_| accepted);
        let (invariant, complexity) = (feedback(invariant), feedback(complexity));
        for feedback in [&invariant, &complexity].into_iter().flatten() {
            self.tell(Role::Explanation, feedback.clone());
        }
        self.data.reply = json!(Chosen {
            accepted,
            fit: choice.fit,
            rationale,
            discovery_recommended: !accepted,
            invariant_feedback: invariant,
            complexity_feedback: complexity,
            discovery: None,
        });
    }

    fn phrase_hint(&mut self, number: u32) {
        self.data.phrased = None;
        if !self.data.model {
            return self.stage.raise(Event::Phrased, Value::Null);
        }
        self.data.asks += 1;
        self.stage.ask_model(&hint::model_ask(self.problem, self.data, hint::level(number)));
    }

    fn give_hint(&mut self, number: u32) {
        self.data.hints_used = number;
        let level = hint::level(number);
        let left = self.data.hint_budget.saturating_sub(number);
        let phrased = self.data.phrased.take();
        let is_rephrased = phrased.is_some();
        let hint = phrased.unwrap_or_else(|| hint::authored(self.problem, level).to_owned());
        self.tell(Role::Notice, words::hint(level as u32, left));
        self.stage.tell(Role::Explanation, hint.as_str());
        self.data.reply = json!(Hinted { level, hint, remaining: left, is_rephrased });
    }

    fn run_tests(&mut self) {
        let run = verify::run(self.problem, self.data);
        self.stage.ask(JUDGE_KIND, json!(run));
    }

    fn show_failure(&mut self) {
        let Some(verify) = self.data.verify.clone() else { return };
        let message = || verify.message.clone().unwrap_or_default();
        match verify.verdict {
            Verdict::InternalError => {
                self.tell(Role::Alarm, words::not_judged(values::short(&message())));
                return;
            }
            Verdict::CompileError => {
                self.tell(Role::Correction, words::not_compiled(message()));
                return;
            }
            _ => {}
        }
        let passed = verify.test_results.iter().filter(|test| test.passed).count();
        self.tell(Role::Correction, words::failed(passed as u32, verify.test_results.len() as u32));
        if let Some(test) = self.data.first_failure().cloned() {
            self.tell(Role::Explanation, first_failure(&test));
        }
        if let Some(smallest) = &verify.smallest_failure {
            self.tell(Role::Explanation, verify::smallest_case(self.problem, smallest));
        }
    }

    fn run_trace(&mut self) {
        if let Some(asked) = verify::tracing(self.problem, self.data) {
            self.stage.ask(TRACE_KIND, json!(asked));
        }
    }

    /// Shows a trace. It holds the learner's own program and its own values, so there is nothing to guard.
    fn show_trace(&mut self) {
        let Some(tracing) = self.data.tracing.clone() else { return };
        let call = values::short(&values::call(&self.problem.signature.function, &tracing.args));
        match &tracing.trace {
            Some(trace) => {
                self.stage.tell(Role::Notice, words::traced(call, trace.steps.len() as u32));
            }
            None => {
                let message = tracing.message.clone().unwrap_or_default();
                self.stage.tell(Role::Alarm, words::not_traced(values::short(&message)));
            }
        }
        self.data.reply = json!(tracing);
    }

    fn guide_failure(&mut self) {
        for part in
            ["aboutYourExplanation", "failingCaseExplanation", "smallestCase", "suggestedNextDebugStep"]
        {
            if let Ok(text) = serde_json::from_value::<Text>(self.data.reply[part].clone()) {
                let (text, _) = guard::pass(self.problem, self.data, text);
                self.data.reply[part] = json!(text);
                self.stage.tell(Role::Explanation, text);
            }
        }
    }

    fn show_success(&mut self) {
        let total = self.data.verify.as_ref().map_or(0, |verify| verify.test_results.len());
        self.stage.tell(Role::Praise, words::passed(total as u32));
        let pattern = self.catalogue.pattern(&self.problem.pattern).map_or("", |pattern| &pattern.name);
        let now_us = self.stage.moment.now_us;
        let wait_us = self.data.due_at.map_or(0, |due| due.as_microsecond().saturating_sub(now_us));
        let days = wait_us as f64 / crate::learner::US_PER_DAY as f64;
        self.stage.tell(Role::Notice, words::comes_back(pattern, days.round().max(0.0) as u32));
        let reflection = reflect::reply(self.problem, self.data);
        self.data.reply = json!(Tested::of(self.data, Some(reflection)));
    }

    fn mark_challenge(&mut self) {
        let Some(challenge) = self.data.challenge.clone() else { return };
        let role = if challenge.passed { Role::Praise } else { Role::Correction };
        self.stage.tell(role, challenge.feedback.clone());
        self.data.reply = json!(Challenged {
            passed: challenge.passed,
            feedback: challenge.feedback,
            good_answer: (challenge.passed || challenge.tries > 1).then(|| self
                .problem
                .adversary
                .good
                .clone()),
        });
    }

    fn capture_reflection(&mut self) {
        self.stage.tell(Role::Praise, words::captured());
        self.data.reply = json!(reflect::reply(self.problem, self.data));
    }
}

fn first_failure(test: &TestResult) -> Text {
    let verdict = verify::verdict(test.verdict);
    // People count from one.
    let index = test.test_index as u32 + 1;
    match (&test.difference, &test.message) {
        (Some(difference), _) => words::failed_first(
            index,
            verdict,
            values::short(&difference.input),
            values::short(&difference.expected),
            values::short(&difference.actual),
        ),
        (None, Some(message)) => {
            words::failed_with(index, verify::ending(test.verdict, values::short(message)))
        }
        (None, None) => words::failed_hidden(index, verdict),
    }
}
