//! Finds what is open when an agent stops, in its own and the human's words. If nothing can be named, the agent may
//! stop.

use super::caution::{CAREFUL, Caution};
use super::classify::leaning_to_done;
use super::human::{quote, sentences};
use super::limits::{Earlier, Limits, stem};
use super::message::without_escapes;
use super::order::is_ordered;
use super::phrases::{Means, Phrases, is_unspaced, words_of};
use super::plan::{Criterion, Plan, criteria};
use super::risks::{is_risky, is_risky_result};
use super::session::Stopped;
use super::verdict::{ClassificationResult, OutputType, StopReason};
use super::words;
use super::work::{Check, Work};
use crate::text::Words;
use crate::turn::Source;
use crate::words::Text;

/// The maximum number of characters quoted from a list item.
const MAX_ITEM_CHARS: usize = 100;
/// Words that say nothing about the work to be done.
const EMPTY_WORDS: &[&str] = &[
    "i",
    "im",
    "am",
    "ive",
    "have",
    "it",
    "its",
    "the",
    "a",
    "an",
    "and",
    "then",
    "to",
    "on",
    "with",
    "this",
    "that",
    "now",
    "go",
    "going",
    "continue",
    "continuing",
    "proceed",
    "proceeding",
    "keep",
    "work",
    "working",
    "moving",
    "step",
    "next",
    "task",
    "tasks",
    "rest",
    "so",
    "ok",
    "okay",
    "right",
    "away",
    "more",
    "further",
    "still",
    "those",
    "these",
    "them",
    "remaining",
    "finished",
    "done",
    "yet",
    "of",
    "here",
    "there",
    "is",
    "are",
    "be",
    "will",
    "ich",
    "es",
    "das",
    "die",
    "der",
    "und",
    "weiter",
    "mache",
    "arbeite",
    "weiterarbeiten",
    "fortfahren",
    "daran",
];

/// Words with which a sentence denies what it is about.
const NEGATIONS: &[&str] = &[
    "not", "never", "didnt", "dont", "doesnt", "hasnt", "havent", "isnt", "arent", "cannot", "cant",
    "couldnt", "wont", "wasnt", "missing", "nicht", "kein", "keine", "keinen", "nie", "fehlt", "fehlen",
    "pas", "jamais", "nunca", "tampoco", "falta",
];

/// A piece of open work, with the words that name it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Open {
    Check(Check),
    Todos(Vec<String>),
    Criteria(Vec<String>),
    Failing { command: String, lines: String },
    TestsClaimed { quote: String, file: Option<String> },
    Tasks(Vec<String>),
    Promise(String),
    Admission(String),
    CutOff(String),
    Trouble(Trouble),
    Claim { quote: String, seen: Seen },
}

/// An obstacle that an agent mentions although it claims to be done.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Trouble {
    RateLimit,
    Login,
    Permission,
}

impl Trouble {
    const ALL: [Trouble; 3] = [Trouble::RateLimit, Trouble::Login, Trouble::Permission];

    /// Returns the phrases that speak of the trouble, and the topic of work that is about it.
    fn signs(self) -> (Means, &'static str) {
        match self {
            Trouble::RateLimit => (Means::RateLimits, "rate limit"),
            Trouble::Login => (Means::LoginFailures, "auth"),
            Trouble::Permission => (Means::PermissionErrors, "permission"),
        }
    }

    pub(super) fn template(self) -> &'static str {
        match self {
            Trouble::RateLimit => "rate_limit",
            Trouble::Login => "login",
            Trouble::Permission => "permission_error",
        }
    }
}

/// The reason why a claim lacks evidence.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Seen {
    Unknown,
    NothingHappened,
    NothingRan(String),
}

/// The facts about a stop that the law asks for.
#[derive(Debug, Clone, Default)]
pub(super) struct Finding {
    /// The reason, if the human wanted this stop or caused it.
    pub told: Option<Text>,
    /// The announced step that only a human should decide.
    pub risk: Option<String>,
    /// The step that is open by the agent's account alone, and that the human may not want.
    pub doubt: Option<String>,
    pub open: Option<Open>,
    /// Whether the work is called done, and `open` says otherwise.
    pub is_disproved: bool,
    /// Whether the message says that the agent goes on, but not with what.
    pub goes_on: bool,
    /// The human's words that told the agent not to ask, if it asks needlessly.
    pub no_questions: Option<String>,
    /// The kind that the message turns out to be, with the reason, where the work shows more than its words.
    pub turns_into: Option<(OutputType, Text)>,
    /// The probability that a doubtful message calls the work done, where what was seen has decided that.
    pub leaning: Option<f64>,
}

impl Finding {
    /// Whether work that is not called done goes on.
    pub(super) fn is_under_way(&self) -> bool {
        matches!(self.open, Some(Open::Promise(_) | Open::Todos(_) | Open::Tasks(_)))
    }
}

/// Everything that is known about a stop.
#[derive(Debug, Clone, Copy)]
pub(super) struct Stand<'a> {
    pub said: &'a Stopped,
    pub verdict: &'a ClassificationResult,
    pub prompt: Option<&'a str>,
    pub task: Option<&'a str>,
    /// The prompts between `task` and `prompt` that set a limit, the newest last.
    pub earlier: &'a [Earlier],
    pub phrases: &'a Phrases,
}

impl Stand<'_> {
    pub(super) fn look(&self) -> Finding {
        let spoken = spoken(&self.said.text);
        let limits = self.limits();
        let steps = self.steps(&spoken);
        let mut finding = Finding { told: self.told(&limits, &steps), ..Finding::default() };
        finding.goes_on = steps.iter().any(|step| !self.is_specific(step)) || says_at_work(&spoken);
        finding.risk = self.risk(&steps, &spoken);
        if finding.told.is_none() && self.waits(&spoken) {
            finding.turns_into = Some((OutputType::Blocker, words::waits_outside()));
            return finding;
        }
        match self.verdict.output_type {
            OutputType::Completion => self.look_at_claim(&mut finding, &limits),
            OutputType::Status if self.verdict.was_rejected_completion && !self.is_under_way(&steps) => {
                self.look_at_claim(&mut finding, &limits)
            }
            OutputType::Status if asks(&spoken) => {
                finding.turns_into = Some((OutputType::Question, words::asks_inside()));
            }
            OutputType::Status => {
                finding.open = self.unfinished(&spoken, &steps, &limits);
                finding.doubt = finding.open.as_ref().and_then(|open| self.doubt(open));
            }
            // A check that fails is work in progress. A message that is an error itself is not.
            OutputType::Error if is_raw_error(&self.said.text) || asks(&spoken) => {}
            OutputType::Error => finding.open = self.red_check(&limits).or_else(|| self.failing(&limits)),
            OutputType::Question if asks(&spoken) => {
                self.look_at_question(&mut finding, &spoken, &limits);
            }
            OutputType::Question => self.look_at_doubt(&mut finding, &limits),
            OutputType::Blocker => {}
        }
        finding
    }

    fn work(&self) -> Option<&Work> {
        self.said.work.as_ref()
    }

    pub(super) fn limits(&self) -> Limits {
        let prompt = self.prompt.or(self.task);
        let limits = prompt.map(|prompt| Limits::of(prompt, self.phrases)).unwrap_or_default();
        // Earlier bans stay in force; where to stop is said again with every prompt.
        let is_kept = |task: &&str| self.earlier.iter().any(|earlier| earlier.text == **task);
        let task = self.task.filter(|task| Some(*task) != prompt && !is_kept(task));
        let task = task.map(|text| Earlier { text: text.to_owned(), is_lifted: false });
        let with = |limits: Limits, earlier: &Earlier| {
            limits.with_bans_of(earlier.limits(self.phrases), prompt.unwrap_or_default(), self.phrases)
        };
        self.earlier.iter().rev().chain(&task).fold(limits, with)
    }

    /// Returns the reason, if the human wanted this stop or caused it.
    fn told(&self, limits: &Limits, steps: &[&str]) -> Option<Text> {
        let work = self.work();
        if self.said.is_planning {
            return Some(words::planning());
        }
        if work.is_some_and(|work| work.was_refused || work.was_interrupted) {
            return Some(words::refused());
        }
        let ruled_out = || {
            let next_todo =
                self.work().and_then(|work| work.open_todos().next()).map(|todo| todo.text.as_str());
            let step = steps.last().copied().or(next_todo)?;
            limits.forbids(step, self.phrases).map(|_| words::ruled_out(quote(step)))
        };
        limits.end(steps, self.phrases).map(words::told).or_else(ruled_out)
    }

    /// Whether the message ends by waiting for something outside: a build, a review.
    fn waits(&self, spoken: &[String]) -> bool {
        let last = spoken.last().map(|line| sentences(line)).unwrap_or_default();
        last.iter().rev().take(2).any(|sentence| self.phrases.says(Means::Waiting, sentence))
    }

    /// Returns the sentences of the message that announce what the agent does next.
    fn steps<'s>(&self, spoken: &'s [String]) -> Vec<&'s str> {
        let announces = |sentence: &&str| {
            self.phrases.says(Means::Intentions, sentence)
                && !self.phrases.says(Means::NoIntentions, sentence)
                && !is_question(sentence)
        };
        spoken.iter().flat_map(|line| sentences(line)).filter(announces).collect()
    }

    fn risk(&self, steps: &[&str], spoken: &[String]) -> Option<String> {
        let last = spoken.last().and_then(|line| sentences(line).last().copied());
        let is_next = |sentence: &&str| is_risky(sentence, self.phrases);
        let next_todo = self.work().and_then(|work| work.open_todos().next()).map(|todo| todo.text.as_str());
        let is_unfinished = self.verdict.output_type != OutputType::Completion;
        let asked = spoken.iter().flat_map(|line| sentences(line)).filter(|sentence| is_question(sentence));
        let announced = steps
            .iter()
            .copied()
            .chain(last.filter(|_| is_unfinished && !steps.is_empty()))
            .chain(asked)
            .find(is_next);
        announced.or(next_todo.filter(is_next)).map(quote)
    }

    /// Returns what is open, after a message that does not call the work done.
    fn unfinished(&self, spoken: &[String], steps: &[&str], limits: &Limits) -> Option<Open> {
        self.red_check(limits)
            .or_else(|| self.open_todos(limits, |_| true))
            .or_else(|| self.failing(limits))
            .or_else(|| self.open_criteria(limits))
            .or_else(|| self.said_open(spoken, steps))
    }

    fn said_open(&self, spoken: &[String], steps: &[&str]) -> Option<Open> {
        let tasks = open_tasks(&self.said.text);
        if !tasks.is_empty() {
            return Some(Open::Tasks(tasks));
        }
        if let Some(step) = steps.iter().rev().find(|step| self.is_specific(step)) {
            return Some(Open::Promise(with_list(step, spoken)));
        }
        let admits = |sentence: &&str| {
            self.phrases.says(Means::Admissions, sentence)
                && is_telling(&self.phrases.rest(Means::Admissions, sentence), sentence)
        };
        let admission = spoken.iter().flat_map(|line| sentences(line)).rev().find(admits);
        let cut_off = || {
            let is_cut = self.said.signals.stop_reason == Some(StopReason::MaxTokens);
            let last = spoken.last().and_then(|line| sentences(line).last().copied());
            last.filter(|_| is_cut).map(|last| Open::CutOff(quote(last)))
        };
        admission.map(|sentence| Open::Admission(quote(sentence))).or_else(cut_off)
    }

    /// Returns an open step that the agent should not be sent on to do. The agent's word alone is no reason to go
    /// on, unless the human plainly ordered the step and it is harmless.
    fn doubt(&self, open: &Open) -> Option<String> {
        let said = match open {
            Open::Promise(step) | Open::Admission(step) => std::slice::from_ref(step),
            Open::Tasks(tasks) => tasks,
            _ => return None,
        };
        said.iter().find(|step| !self.is_wanted(step) || self.may_be_risky(step)).cloned()
    }

    /// Whether the human wants this step: they ordered it, a model that knows their words says so, or they let the
    /// agent run.
    fn is_wanted(&self, step: &str) -> bool {
        let is_let_run = self.said.plain_continue || self.verdict.source == Source::Model;
        let prompt = self.prompt.or(self.task);
        is_let_run || prompt.is_none_or(|prompt| is_ordered(prompt, step, self.phrases))
    }

    fn may_be_risky(&self, step: &str) -> bool {
        Caution::shipped().risk(step, &self.said.text) >= self.said.max_risk.unwrap_or(CAREFUL)
    }

    /// Compares a claim of being done with what was seen.
    fn look_at_claim(&self, finding: &mut Finding, limits: &Limits) {
        let is_rejected = self.verdict.was_rejected_completion;
        // An item that is only begun is often the last one, not yet ticked off.
        let is_untouched = |work: &Work| work.todos.iter().any(|todo| !todo.is_done && !todo.is_begun);
        let open = self
            .red_check(limits)
            .or_else(|| self.open_todos(limits, is_untouched))
            .or_else(|| self.open_criteria(limits))
            .or_else(|| self.failing(limits))
            .or_else(|| self.tests_claimed(limits));
        finding.is_disproved = open.is_some();
        if open.is_none() {
            let proof = self.proof();
            if let (true, Some(proof)) = (is_rejected, &proof) {
                finding.turns_into = Some((OutputType::Completion, proof.clone()));
            } else if let Some(proof) = proof {
                finding.turns_into = Some((OutputType::Completion, proof));
            } else if is_rejected && self.is_answer() {
                finding.turns_into = Some((OutputType::Completion, words::plain_answer()));
            } else if !is_rejected && self.work().is_some_and(|work| !work.changed.is_empty()) {
                finding.turns_into =
                    Some((OutputType::Completion, words::unchecked(self.verdict.reason.clone())));
            }
        }
        let unshown =
            || self.trouble().map(Open::Trouble).or_else(|| self.bare_claim(limits)).filter(|_| is_rejected);
        finding.open = open.or_else(|| unshown().filter(|_| finding.turns_into.is_none()));
    }

    /// Examines a message that may call the work done. If something is seen to be open, or a run shows that the
    /// work is done, the doubt is over; otherwise the human decides.
    fn look_at_doubt(&self, finding: &mut Finding, limits: &Limits) {
        if self.verdict.source != Source::Rules {
            return;
        }
        let Some(leaning) = leaning_to_done(&self.said.text, &self.said.signals) else { return };
        self.look_at_claim(finding, limits);
        let is_lost = self.said.check.as_ref().is_some_and(|check| check.passed.is_none());
        let reason = match finding.is_disproved {
            true => Some(self.verdict.reason.clone()),
            false => self.proof().filter(|_| !is_lost),
        };
        finding.leaning = reason.is_some().then_some(leaning);
        finding.turns_into = reason.map(|reason| (OutputType::Completion, reason));
    }

    /// Whether a message that a model has judged announces a step. Such a message claims nothing: a model coaches
    /// unfinished work too.
    fn is_under_way(&self, steps: &[&str]) -> bool {
        self.verdict.source == Source::Model && steps.iter().any(|step| self.is_specific(step))
    }

    /// Returns the check or the run that shows that the work is done, or the report that the check was lost.
    fn proof(&self) -> Option<Text> {
        match (&self.said.check, self.work()) {
            (Some(check), _) if check.passed == Some(true) => Some(words::checked(&check.command)),
            (Some(check), _) if check.passed.is_none() => {
                Some(words::check_lost(&check.command, &check.lines))
            }
            (_, Some(work)) if !work.changed.is_empty() => {
                work.proof().map(|run| words::shown_by(quote(&run.command)))
            }
            _ => None,
        }
    }

    /// Whether the message answers a question. Answers need no evidence.
    fn is_answer(&self) -> bool {
        let is_asked = self.said.signals.user_asked_question == Some(true);
        is_asked && self.work().is_none_or(|work| work.changed.is_empty())
    }

    /// Whether the prompt asks for something to be repaired: "Can you fix the tests?"
    fn is_to_repair(&self) -> bool {
        let prompt = self.work().and_then(|work| work.prompt.as_deref());
        prompt.is_some_and(|prompt| self.phrases.has(Means::Repairs, &words_of(prompt)))
    }

    /// Returns the user's check if it is red. Where the human wants nothing run, or a test that fails, red is as it
    /// should be.
    fn red_check(&self, limits: &Limits) -> Option<Open> {
        let check = self.said.check.clone().filter(|check| check.passed == Some(false));
        check.filter(|_| !limits.no_runs && !limits.wants_failure).map(Open::Check)
    }

    /// Whether evidence may be asked for: the human has not ruled it out, and it needs no run where nothing may be
    /// run.
    pub(super) fn may_demand(&self, evidence: &str, limits: &Limits) -> bool {
        let needs_run = evidence.contains('`') || is_about_tests(evidence);
        self.is_askable(evidence, limits) && !(limits.no_runs && needs_run)
    }

    /// Whether an item may be asked for: the human has not ruled it out, and it is no risk.
    fn is_askable(&self, item: &str, limits: &Limits) -> bool {
        let is_grave = is_risky(item, self.phrases) || is_risky_result(item, self.phrases);
        limits.forbids(item, self.phrases).is_none() && !is_grave
    }

    fn open_todos(&self, limits: &Limits, counts: impl Fn(&Work) -> bool) -> Option<Open> {
        let work = self.work().filter(|work| counts(work))?;
        let safe = work.open_todos().filter(|todo| self.is_askable(&todo.text, limits));
        let items: Vec<String> = safe.map(|todo| item(&todo.text)).collect();
        (!items.is_empty()).then_some(Open::Todos(items))
    }

    fn failing(&self, limits: &Limits) -> Option<Open> {
        let is_green = self.said.check.as_ref().is_some_and(|check| check.passed == Some(true));
        let is_beside_point = self.is_answer() && !self.is_to_repair();
        if is_green || limits.no_runs || limits.wants_failure || is_beside_point {
            return None;
        }
        let run = self.work()?.failure()?;
        Some(Open::Failing { command: quote(&run.command), lines: run.output.clone() })
    }

    pub(super) fn plan(&self) -> Option<Plan> {
        let own = || Some(Plan { path: "your plan".to_owned(), text: Some(self.work()?.plan.clone()?) });
        self.said.plan.clone().or_else(own)
    }

    /// Returns the plan's criteria for which nothing was seen or said.
    fn open_criteria(&self, limits: &Limits) -> Option<Open> {
        let plan = self.plan()?;
        let criteria = criteria(plan.text.as_deref()?);
        let open = criteria
            .iter()
            .filter(|criterion| self.may_demand(&criterion.text, limits) && !self.is_met(criterion));
        let items: Vec<String> = open.map(|criterion| item(&criterion.text)).collect();
        (!items.is_empty()).then_some(Open::Criteria(items))
    }

    /// Whether a criterion is met. One that names a command is met by a run of it, one about tests by tests, any
    /// other by what the agent says about it or has ticked off.
    fn is_met(&self, criterion: &Criterion) -> bool {
        let text = &criterion.text;
        let runs = self.work().map(|work| work.runs.as_slice()).unwrap_or_default();
        let is_green = self.said.check.as_ref().is_some_and(|check| check.passed == Some(true));
        let spans: Vec<&str> = text.split('`').skip(1).step_by(2).filter(|span| span.contains(' ')).collect();
        if !spans.is_empty() && self.work().is_some() {
            let has_run = |span: &&str| {
                let is_checked =
                    self.said.check.as_ref().is_some_and(|check| is_green && check.command.contains(*span));
                is_checked
                    || runs.iter().any(|run| {
                        run.command.contains(*span) && run.is_after_change && run.has_failed != Some(true)
                    })
            };
            return spans.iter().all(has_run);
        }
        let words = Words::new(text);
        let passes = words
            .iter()
            .any(|(_, word)| matches!(word, "pass" | "passes" | "passing" | "green" | "grun" | "bestehen"));
        if is_about_tests(text) && passes && self.work().is_some() {
            return is_green || self.work().is_some_and(Work::is_tested);
        }
        criterion.is_ticked || self.is_spoken_of(text)
    }

    /// Whether half of a criterion's telling words occur in the message, in a command or in the name of a file. A
    /// sentence that denies something does not count, unless the criterion denies something too.
    fn is_spoken_of(&self, criterion: &str) -> bool {
        let work = self.work();
        let commands = work.into_iter().flat_map(|work| work.runs.iter().map(|run| run.command.as_str()));
        let files = work.into_iter().flat_map(|work| work.changed.iter().map(String::as_str));
        let is_negative = |text: &str| words_of(text).iter().any(|word| NEGATIONS.contains(&word.as_str()));
        let spoken = spoken(&self.said.text);
        let is_said = |sentence: &&str| is_negative(criterion) || !is_negative(sentence);
        let said = spoken.iter().flat_map(|line| sentences(line)).filter(is_said);
        let all = said.chain(commands).chain(files).collect::<Vec<_>>().join("\n");
        let known = Words::new(&all);
        let known: std::collections::HashSet<String> = known.iter().map(|(_, word)| stem(word)).collect();
        let words = Words::new(criterion);
        let telling: Vec<String> =
            words.iter().map(|(_, word)| word).filter(|word| is_content(word)).map(stem).collect();
        let met = telling.iter().filter(|word| known.contains(*word)).count();
        met * 2 >= telling.len().max(1)
    }

    /// Returns a claim like "all tests pass", if no test was run.
    fn tests_claimed(&self, limits: &Limits) -> Option<Open> {
        let is_green = self.said.check.as_ref().is_some_and(|check| check.passed == Some(true));
        let work = self.work().filter(|work| !work.is_tested() && !is_green && !limits.no_runs)?;
        if !work.changed.is_empty() && !work.has_changed_code() {
            return None;
        }
        if work.changed.is_empty() && self.is_answer() {
            return None;
        }
        let spoken = spoken(&self.said.text);
        let claim = spoken.iter().flat_map(|line| sentences(line)).find(|sentence| {
            let counts = Words::new(sentence);
            let counts: Vec<&str> = counts.iter().map(|(_, word)| word).collect();
            let counted = counts
                .windows(2)
                .any(|pair| pair[0].parse::<u32>().is_ok_and(|count| count > 0) && pair[1] == "passed");
            counted || self.phrases.says(Means::Claims, sentence)
        })?;
        Some(Open::TestsClaimed {
            quote: quote(claim),
            file: work.changed.last().map(|file| self.short(file)),
        })
    }

    /// Returns the trouble that got in the agent's way, by its own words. Work on that topic speaks of the trouble
    /// too, and so does a repair; neither counts.
    fn trouble(&self) -> Option<Trouble> {
        let asked = [self.prompt, self.task].into_iter().flatten().collect::<Vec<_>>().join("\n");
        let spoken = spoken(&self.said.text);
        Trouble::ALL.into_iter().find(|trouble| {
            let (means, topic) = trouble.signs();
            let is_topic = asked.to_lowercase().contains(topic) || self.phrases.says(means, &asked);
            let is_met = |sentence: &str| {
                self.phrases.says(means, sentence)
                    && !self.phrases.has(Means::TroubleOver, &words_of(sentence))
            };
            !is_topic && spoken.iter().flat_map(|line| sentences(line)).any(is_met)
        })
    }

    fn bare_claim(&self, limits: &Limits) -> Option<Open> {
        let seen = match self.work() {
            None => Seen::Unknown,
            Some(work) if work.is_idle() => Seen::NothingHappened,
            Some(work) if limits.no_runs || !work.has_changed_code() || !self.knows_check() => return None,
            Some(work) => {
                work.changed.last().map_or(Seen::Unknown, |file| Seen::NothingRan(self.short(file)))
            }
        };
        if limits.no_runs && seen == Seen::Unknown {
            return None;
        }
        let spoken = spoken(&self.said.text);
        let shown = self.verdict.words.first().map(String::as_str);
        let claim = spoken
            .iter()
            .flat_map(|line| sentences(line))
            .find(|sentence| shown.is_none_or(|word| sentence.contains(word)));
        let claim = claim.or(shown).or_else(|| spoken.first().map(String::as_str))?;
        Some(Open::Claim { quote: quote(claim), seen })
    }

    /// Returns the name of a file relative to the agent's folder.
    fn short(&self, file: &str) -> String {
        let within = |folder: &str| file.strip_prefix(folder)?.strip_prefix('/');
        self.said.cwd.as_deref().and_then(within).unwrap_or(file).to_owned()
    }

    /// Whether there is something to run: a check was run in this turn, by the agent or for the user, the phase of
    /// the work is known, or the human or the agent speaks of tests.
    fn knows_check(&self) -> bool {
        let has_run = self.work().is_some_and(|work| work.runs.iter().any(|run| run.is_check));
        let asks = [self.prompt, self.task].into_iter().flatten().any(is_about_tests);
        let is_told = is_about_tests(&self.said.text) || self.said.signals.phase.is_some();
        has_run || asks || is_told || self.said.check.is_some()
    }

    /// Examines a question. It is the human's to answer, unless it only asks whether to go on and the human said
    /// not to ask.
    fn look_at_question(&self, finding: &mut Finding, spoken: &[String], limits: &Limits) {
        let Some(words_of_human) = limits.no_questions.clone() else { return };
        let questions: Vec<&str> =
            spoken.iter().flat_map(|line| sentences(line)).filter(|sentence| is_question(sentence)).collect();
        let is_needless = !questions.is_empty()
            && questions.iter().all(|question| self.phrases.says(Means::Permissions, question));
        let open = self
            .red_check(limits)
            .or_else(|| self.open_todos(limits, |_| true))
            .or_else(|| self.open_criteria(limits))
            .or_else(|| self.failing(limits))
            .or_else(|| self.asked_step(questions.last()?, limits));
        if is_needless && open.is_some() {
            finding.open = open;
            finding.no_questions = Some(words_of_human.clone());
            finding.turns_into = Some((OutputType::Status, words::needless(words_of_human)));
        }
    }

    /// Returns the step that a needless question names, if it is harmless.
    fn asked_step(&self, question: &str, limits: &Limits) -> Option<Open> {
        // "The remaining 30" names them as well as their kind would.
        let counts = question.bytes().any(|byte| byte.is_ascii_digit());
        let names_step = counts || is_telling(&self.phrases.rest(Means::Permissions, question), question);
        let is_harmless = self.is_askable(question, limits) && !self.may_be_risky(question);
        (names_step && is_harmless).then(|| Open::Promise(quote(question)))
    }

    /// Whether a step names the work to be done.
    fn is_specific(&self, step: &str) -> bool {
        is_telling(&self.phrases.rest(Means::Intentions, step), step)
    }
}

/// The reason that keeps a coach from sending an agent on.
#[derive(Debug, Clone, PartialEq)]
pub enum Held {
    /// The human's own words, or the step that they rule out.
    Limit(Text),
    /// The step that only a human decides.
    Risk(String),
    /// The step that the human may not want.
    Doubt(String),
}

/// Returns the reason to hold back an agent that stops with this message after this prompt, whatever else is open.
pub fn held_back(prompt: &str, message: &str, phrases: &Phrases) -> Option<Held> {
    let said = Stopped { text: message.to_owned(), ..Stopped::default() };
    let verdict = said.by_rules();
    let stand = Stand {
        said: &said,
        verdict: &verdict,
        prompt: Some(prompt),
        task: Some(prompt),
        earlier: &[],
        phrases,
    };
    let finding = stand.look();
    let limit = finding.told.map(Held::Limit);
    limit.or(finding.risk.map(Held::Risk)).or(finding.doubt.map(Held::Doubt))
}

impl Open {
    /// Returns the text that a human reads about it.
    pub(super) fn told(&self) -> Text {
        match self {
            Open::Check(check) => words::open_check(&check.command),
            Open::Todos(items) => words::open_todos(items.len()),
            Open::Criteria(items) => words::open_criteria(items.len()),
            Open::Failing { command, .. } => words::open_failing(command),
            Open::TestsClaimed { quote, .. } => words::open_tests(quote),
            Open::Tasks(items) => words::open_tasks(items.len()),
            Open::Promise(quote) => words::open_promise(quote),
            Open::Admission(quote) => words::open_admission(quote),
            Open::CutOff(_) => words::cut_off(),
            Open::Trouble(trouble) => words::open_trouble(trouble.template()),
            Open::Claim { quote, .. } => words::open_claim(quote),
        }
    }
}

pub(super) fn is_about_tests(text: &str) -> bool {
    let names = ["test", "tests", "suite", "tested", "getestet", "prueba", "pruebas", "teste", "testes"];
    let letters = ["测试", "テスト", "테스트"];
    letters.iter().any(|letters| text.contains(letters))
        || words_of(text).iter().any(|word| names.contains(&word.as_str()))
}

/// Whether a message begins as programs begin their errors.
fn is_raw_error(text: &str) -> bool {
    let text = without_escapes(text);
    let opening: String = text.trim_start().chars().take(40).flat_map(char::to_lowercase).collect();
    let known = [
        "error:",
        "api error",
        "fatal:",
        "traceback",
        "panic:",
        "thread '",
        "uncaught",
        "unhandled",
        "npm err",
    ];
    known.iter().any(|known| opening.starts_with(known))
}

/// Returns the lines in the agent's own words: no code, no quotations, no headings, no colours of a terminal.
fn spoken(text: &str) -> Vec<String> {
    let mut lines = Vec::new();
    let mut in_code = false;
    for line in without_escapes(text).lines() {
        let bare = line.trim();
        if bare.starts_with("```") || bare.starts_with("~~~") {
            in_code = !in_code;
        } else if !in_code && !bare.is_empty() && !bare.starts_with(['>', '#']) && !line.starts_with("    ") {
            lines.push(unquoted(bare));
        }
    }
    lines
}

/// Removes question marks from the quoted parts of a line.
fn unquoted(line: &str) -> String {
    let mut quoted = None;
    let closing = |c: char| match c {
        '"' | '`' => Some(c),
        '“' => Some('”'),
        '„' => Some('“'),
        '«' => Some('»'),
        '「' => Some('」'),
        _ => None,
    };
    line.chars()
        .map(|c| match quoted {
            Some(end) if c == end => {
                quoted = None;
                c
            }
            Some(_) if is_mark_of_question(c) => ' ',
            Some(_) => c,
            None => {
                quoted = closing(c);
                c
            }
        })
        .collect()
}

fn is_mark_of_question(c: char) -> bool {
    matches!(c, '?' | '？' | '؟')
}

fn is_question(sentence: &str) -> bool {
    sentence.trim_end_matches(|c: char| "*_)\"”»’' ".contains(c)).ends_with(is_mark_of_question)
}

fn asks(spoken: &[String]) -> bool {
    spoken.iter().flat_map(|line| sentences(line)).any(is_question)
}

fn says_at_work(spoken: &[String]) -> bool {
    let all = spoken.join("\n");
    let words = Words::new(&all);
    let words: Vec<&str> = words.iter().map(|(_, word)| word).collect();
    words.windows(3).any(|three| three == ["working", "on", "it"])
        || words.windows(2).any(|two| two == ["in", "progress"])
}

/// Quotes a step. One that ends with a colon is quoted with the first lines of the list that follows it.
fn with_list(step: &str, spoken: &[String]) -> String {
    if !step.ends_with([':', '：']) {
        return quote(step);
    }
    let after = spoken.iter().skip_while(|line| !line.contains(step)).skip(1).take(3);
    quote(&std::iter::once(step).chain(after.map(String::as_str)).collect::<Vec<_>>().join(" "))
}

/// Returns the items of the message that are not ticked off.
fn open_tasks(text: &str) -> Vec<String> {
    let open = |line: &str| {
        let bare = line.trim_start().trim_start_matches(['-', '*', '+', ' ']);
        bare.strip_prefix("[ ]").map(item).filter(|task| !task.is_empty())
    };
    without_escapes(text).lines().filter_map(open).collect()
}

fn item(text: &str) -> String {
    let bare = text.split_whitespace().collect::<Vec<_>>().join(" ");
    match bare.char_indices().nth(MAX_ITEM_CHARS) {
        Some((end, _)) => format!("{}…", &bare[..end]),
        None => bare,
    }
}

/// Whether a word says what a text is about.
pub(super) fn is_telling_word(word: &str) -> bool {
    is_content(word) && !EMPTY_WORDS.contains(&word)
}

/// Whether enough is left of a sentence to say what it is about.
fn is_telling(rest: &[String], sentence: &str) -> bool {
    let unspaced = sentence.chars().filter(|c| is_unspaced(*c)).count();
    let words = rest
        .iter()
        .filter(|word| !EMPTY_WORDS.contains(&word.as_str()) && word.chars().any(char::is_alphabetic))
        .count();
    words >= 1 || unspaced >= 6
}

/// Whether a word tells one criterion from another.
fn is_content(word: &str) -> bool {
    let is_small = word.chars().count() < 4 && !word.bytes().any(|byte| byte.is_ascii_digit());
    !is_small
        && !matches!(
            word,
            "that"
                | "with"
                | "from"
                | "have"
                | "must"
                | "should"
                | "will"
                | "when"
                | "into"
                | "each"
                | "every"
                | "there"
        )
}
