//! Judges a program: builds it, asks test after test, compares the answers outside the sandbox, and reports each
//! outcome.

use crate::isolation::{Isolation, Level};
use crate::language::{self, Language};
use crate::limits::Limits;
use crate::nursery::Nursery;
use crate::probe::probe;
use crate::queue::{Permit, Queue};
use crate::running::{Ended, Event, Running, Start};
use crate::said::{SHOWN, Said};
use crate::sandbox::{Bounds, Content, Groups, Phase, Plan, PlannedFile, ROOM, other_user};
use crate::settings::Settings;
use crate::text::inert;
use crate::toolchain::{Blanks, Toolchain};
use coaching::judging::{
    Comparison, Difference, Report, Test, Tests, Tried, Verdict, compare, compare_output, exact_json,
    named_json, read_exact, short,
};
use serde_json::{Value, json};
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, OnceLock, PoisonError};
use std::time::{Duration, Instant};

/// The extra time that a program has until it is loaded, because an interpreter has to start.
const STARTING: Duration = Duration::from_millis(2_000);

/// A judge, as one learner sees it. All copies share its findings about the machine, its places and its
/// interpreters.
#[derive(Debug, Clone)]
pub struct Judge {
    shared: Arc<Shared>,
    who: Arc<str>,
}

#[derive(Debug)]
struct Shared {
    settings: Settings,
    helper: PathBuf,
    groups: Groups,
    isolation: Isolation,
    languages: BTreeMap<String, (Language, OnceLock<Result<Toolchain, String>>)>,
    /// The compiled harness for Rust, once it was needed.
    rust_harness: Mutex<Option<Content>>,
    queue: Queue,
    nursery: Nursery,
}

/// The outcome of one test, before it is compared.
#[derive(Debug)]
pub(crate) struct Answered {
    outcome: Result<Value, (Verdict, String)>,
    time_ms: u64,
    memory_kb: u64,
    printed: String,
}

/// A program that is ready to be started, any number of times.
#[derive(Debug)]
pub(crate) struct Prepared<'j> {
    found: &'j Toolchain,
    files: Vec<Content>,
    /// The source, if the harness takes it over its channel.
    handed: Option<String>,
    function: String,
    limits: &'j Limits,
}

impl Judge {
    /// Opens a judge, and probes once what the kernel offers.
    pub fn open(settings: Settings) -> Judge {
        let helper = settings.helper.clone().unwrap_or_else(|| "/proc/self/exe".into());
        let groups = if settings.uses_groups { Groups::find() } else { Groups::unwanted() };
        let known = language::shipped().into_iter().chain(settings.options.languages.iter().cloned());
        let languages = known.map(|language| (language.name.clone(), (language, OnceLock::new()))).collect();
        let places =
            settings.options.places.or_else(|| std::thread::available_parallelism().ok().map(usize::from));
        let isolation = probe(&helper, &groups, settings.at_most);
        let places = places.unwrap_or(1);
        // Without namespaces a sandbox is a process among ours, and should not be there longer than its run.
        let warm = if isolation.level == Level::Full { settings.options.warm.unwrap_or(places) } else { 0 };
        let shared = Shared {
            queue: Queue::new(places),
            nursery: Nursery::new(helper.clone(), groups.clone(), warm),
            rust_harness: Mutex::default(),
            settings,
            helper,
            groups,
            isolation,
            languages,
        };
        Judge { shared: Arc::new(shared), who: "".into() }
    }

    /// Returns this judge for another learner. If several learners wait, their runs take turns.
    pub fn of(&self, who: &str) -> Judge {
        Judge { shared: self.shared.clone(), who: who.into() }
    }

    /// Counts the interpreters that wait for a program now.
    pub fn waiting(&self) -> usize {
        self.shared.nursery.waiting()
    }

    pub(crate) fn enter(&self) -> Allotment<'_> {
        Allotment { nursery: &self.shared.nursery, _permit: self.shared.queue.enter(&self.who) }
    }

    pub fn isolation(&self) -> &Isolation {
        &self.shared.isolation
    }

    /// Returns the languages that programs can be written in, whether this machine has them or not.
    pub fn languages(&self) -> impl Iterator<Item = &str> {
        self.shared.languages.keys().map(String::as_str)
    }

    pub(crate) fn language(&self, name: &str) -> Option<&Language> {
        self.shared.languages.get(name).map(|(language, _)| language)
    }

    /// Returns the reason why a language cannot be used here, if there is one.
    pub fn missing(&self, language: &str) -> Option<String> {
        self.found(language).err()
    }

    /// Runs a program against tests. Waits for its turn, and leaves nothing behind.
    pub fn run(&self, language: &str, source: &str, tests: &Tests, limits: &Limits) -> Report {
        match self.try_run(language, source, tests, limits) {
            Ok(tried) => self.report(tried),
            Err((verdict, message)) => self.refused(verdict, &message),
        }
    }

    /// Returns the values that an author's function returns for each test, whatever the test expects. The function
    /// runs in a sandbox like any program.
    pub fn values(
        &self,
        language: &str,
        source: &str,
        tests: &Tests,
        limits: &Limits,
    ) -> Result<Vec<Value>, String> {
        let arity = tests.tests.first().and_then(|test| test.args.as_ref()).map_or(0, Vec::len);
        let _place = self.enter();
        let prepared = self.prepare(language, source, tests.function.as_deref(), arity, limits);
        let all: Vec<&Test> = tests.tests.iter().collect();
        let answered = prepared.and_then(|prepared| self.call_all(&prepared, &all));
        let answered = answered.map_err(|(_, message)| message)?;
        answered.into_iter().map(|one| one.outcome.map_err(|(_, message)| message)).collect()
    }

    /// Makes the report on a program that no test was run with.
    pub fn refused(&self, verdict: Verdict, message: &str) -> Report {
        let isolation = self.shared.isolation.level.to_string();
        Report { verdict, tests: Vec::new(), isolation, message: Some(message.to_owned()) }
    }

    fn report(&self, tests: Vec<Tried>) -> Report {
        let first = tests.iter().map(|tried| tried.verdict).find(|verdict| *verdict != Verdict::Accepted);
        Report {
            verdict: first.unwrap_or(Verdict::Accepted),
            tests,
            isolation: self.shared.isolation.level.to_string(),
            message: None,
        }
    }

    fn try_run(
        &self,
        language: &str,
        source: &str,
        tests: &Tests,
        limits: &Limits,
    ) -> Result<Vec<Tried>, (Verdict, String)> {
        check_tests(tests).map_err(internal)?;
        let arity = tests.tests[0].args.as_ref().map_or(0, Vec::len);
        let _place = self.enter();
        let prepared = self.prepare(language, source, tests.function.as_deref(), arity, limits)?;
        let order = visible_first(tests);
        let ordered: Vec<&Test> = order.iter().map(|at| &tests.tests[*at]).collect();
        let answered = match tests.function {
            Some(_) => self.call_all(&prepared, &ordered),
            None => self.feed_all(&prepared, &ordered),
        }?;
        let mut answered: Vec<(usize, Answered)> = order.into_iter().zip(answered).collect();
        answered.sort_by_key(|(index, _)| *index);
        let answered: Vec<Answered> = answered.into_iter().map(|(_, answered)| answered).collect();
        let checked = self.checked(tests, &answered, limits)?;
        let all = tests.tests.iter().zip(answered).zip(checked).enumerate();
        Ok(all.map(|(index, ((test, answered), found))| tried(index, test, tests, answered, found)).collect())
    }

    /// Finds the language and builds the program, if it has to be built.
    pub(crate) fn prepare<'j>(
        &'j self,
        language: &str,
        source: &str,
        function: Option<&str>,
        arity: usize,
        limits: &'j Limits,
    ) -> Result<Prepared<'j>, (Verdict, String)> {
        if self.shared.isolation.level < self.shared.settings.options.minimum.max(Level::Lite) {
            let cure = self.shared.isolation.cure.clone().unwrap_or_default();
            let level = self.shared.isolation.level;
            return Err(internal(format!("no program is run at isolation level `{level}`: {cure}")));
        }
        if source.len() > limits.source_bytes {
            let (size, most) = (source.len(), limits.source_bytes);
            let message = format!("the program is {size} bytes long; at most {most} are allowed");
            return Err((Verdict::CompileError, message));
        }
        let found = self.found(language).map_err(internal)?;
        if function.is_some() && found.language.call.is_none() {
            let message = format!("programs in {language} can be tested with standard input only");
            return Err(internal(message));
        }
        let is_handed = function.is_some() && found.language.awaits;
        let files = match (found.language.is_rust(), function) {
            (true, Some(function)) => {
                let harness = self.rust_harness(found)?;
                rust_files(source, function, arity, harness).map_err(internal)?
            }
            (_, Some(_)) => files(found, (!is_handed).then_some(source), true),
            (_, None) => files(found, Some(source), false),
        };
        let handed = is_handed.then(|| source.to_owned());
        let function = function.unwrap_or_default().to_owned();
        let mut prepared = Prepared { found, files, handed, function, limits };
        if found.language.build.is_some() {
            prepared.files = vec![self.build(&prepared, "build")?];
        }
        Ok(prepared)
    }

    /// Returns the compiled harness. Compiling it takes longer than compiling a learner's program, so it is done
    /// once, and again only if it failed.
    fn rust_harness(&self, found: &Toolchain) -> Result<Content, (Verdict, String)> {
        let mut kept = self.shared.rust_harness.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(library) = &*kept {
            return Ok(library.clone());
        }
        let files = vec![content("etude_harness.rs", include_str!("harness/rust.rs"))];
        let limits = &Limits::default();
        let prepared = Prepared { found, files, handed: None, function: String::new(), limits };
        let built = self.build(&prepared, "library").map_err(|(_, message)| internal(message))?;
        let library = Content { name: "libetude_harness.rlib".into(), is_program: false, ..built };
        Ok(kept.insert(library).clone())
    }

    fn found(&self, language: &str) -> Result<&Toolchain, String> {
        let Some((known, found)) = self.shared.languages.get(language) else {
            let names: Vec<&str> = self.languages().collect();
            return Err(format!("there is no language `{language}`; there are {}", names.join(", ")));
        };
        let must_be_open = self.shared.isolation.level != Level::Full && other_user().is_some();
        let find = || {
            let found = known.find(&self.shared.settings.search, must_be_open)?;
            Ok(if self.shared.nursery.is_open() { found.compiled() } else { found })
        };
        found.get_or_init(find).as_ref().map_err(Clone::clone)
    }

    /// Builds a program. The compiler runs in a sandbox like the program, because its input also comes from the
    /// learner.
    fn build(&self, prepared: &Prepared<'_>, mode: &str) -> Result<Content, (Verdict, String)> {
        let limits = prepared.limits;
        let room = self.outer_room(&prepared.files).map_err(internal)?;
        let mut plan = self.plan(prepared, Phase::Build, mode, room.as_ref().map(tempfile::TempDir::path));
        plan.product = Some("program".into());
        let files = prepared.files.clone();
        let start = Start { plan, files, memory_mb: limits.compile_memory_mb };
        let running = Running::start(&self.shared.helper, &self.shared.groups, &start, limits);
        let mut running = running.map_err(|error| internal(error.to_string()))?;
        let event = running.finish(Duration::from_millis(limits.compile_ms));
        let (_, errors) = running.take_printed();
        match event {
            Event::Ended(Ended { code: Some(0), .. }) => {
                Ok(Content { name: "program".into(), bytes: running.take_answers(), is_program: true })
            }
            Event::Ended(_) => {
                Err((Verdict::CompileError, compiler_words(&errors, room.as_ref(), &prepared.function)))
            }
            Event::Time => Err((Verdict::CompileError, "compiling took too long".into())),
            Event::Memory => Err((Verdict::CompileError, "compiling took too much memory".into())),
            Event::Output | Event::Answer(_) => {
                Err((Verdict::CompileError, "compiling made too much output".into()))
            }
            Event::Trouble(trouble) => Err(internal(trouble)),
        }
    }

    fn plan(&self, prepared: &Prepared<'_>, phase: Phase, mode: &str, outer_room: Option<&Path>) -> Plan {
        let Prepared { found, function, limits, .. } = prepared;
        let language = &found.language;
        let is_build = phase == Phase::Build;
        let memory_mb = if is_build { limits.compile_memory_mb } else { limits.memory_mb };
        let words = match mode {
            "build" => language.build_command(),
            "library" => language::rust_library(),
            "run" => language.run.clone(),
            _ => language.call.clone().unwrap_or_default(),
        };
        let blanks = Blanks { outer_room, memory_mb, function, mode };
        let time_ms = if is_build { limits.compile_ms } else { limits.total_ms };
        Plan {
            level: self.shared.isolation.level,
            phase,
            user: other_user(),
            command: found.command(&words, &blanks),
            environment: environment(&found.program, outer_room),
            views: if is_build { found.views.clone() } else { found.run_views() },
            outer_room: outer_room.map(Path::to_owned),
            files: prepared.files.iter().map(planned).collect(),
            input: None,
            product: None,
            bounds: Bounds {
                data_mb: memory_mb + language.reserve_mb + if is_build { 1024 } else { 0 },
                scratch_mb: if is_build { limits.scratch_mb.max(64) } else { limits.scratch_mb },
                file_mb: if is_build { 64 } else { limits.scratch_mb },
                processes: limits.processes + 3,
                open_files: if is_build { 1024 } else { limits.open_files },
                // The clock outside is the real limit; equal bounds make equal sandboxes, so that one may wait for
                // any run.
                cpu_s: time_ms.max(Limits::default().total_ms) / 1000 + 5,
            },
        }
    }

    /// Makes a folder of the machine for the run's files, if the run has no file system of its own.
    fn outer_room(&self, files: &[Content]) -> Result<Option<tempfile::TempDir>, String> {
        if self.shared.isolation.level == Level::Full {
            return Ok(None);
        }
        make_room(files).map(Some).map_err(|error| format!("there is no folder for the run: {error}"))
    }

    pub(crate) fn start(
        &self,
        prepared: &Prepared<'_>,
        mode: &str,
    ) -> Result<(Running, Option<tempfile::TempDir>), String> {
        let room = self.outer_room(&prepared.files)?;
        let mut plan = self.plan(prepared, Phase::Run, mode, room.as_ref().map(tempfile::TempDir::path));
        let input = prepared.files.iter().find(|file| file.name == INPUT);
        plan.input = input.map(|file| file.name.clone());
        let limits = prepared.limits;
        let start = Start { plan, files: prepared.files.clone(), memory_mb: limits.memory_mb };
        let waiting = prepared.handed.as_ref().and_then(|_| self.shared.nursery.take(&start, limits));
        if let Some(running) = waiting {
            return Ok((running, room));
        }
        let running = Running::start(&self.shared.helper, &self.shared.groups, &start, limits);
        Ok((running.map_err(|error| format!("the sandbox cannot be started: {error}"))?, room))
    }

    /// Runs all tests in one process, and in a fresh one after a test that ended it.
    pub(crate) fn call_all(
        &self,
        prepared: &Prepared<'_>,
        tests: &[&Test],
    ) -> Result<Vec<Answered>, (Verdict, String)> {
        let until = Instant::now() + Duration::from_millis(prepared.limits.total_ms);
        let mut answered: Vec<Answered> = Vec::new();
        while answered.len() < tests.len() {
            if is_over(&answered, until, prepared.limits) {
                answered.push(Answered::never_run());
                continue;
            }
            let (mut running, _room) = self.start(prepared, "call").map_err(internal)?;
            if let Err((verdict, message)) = load(&mut running, prepared, "call") {
                if matches!(verdict, Verdict::CompileError | Verdict::InternalError) {
                    return Err((verdict, message));
                }
                // It would fail in the same way for every other test.
                let memory_kb = running.peak_kb();
                let rest = answered.len()..tests.len();
                let (output, errors) = running.take_printed();
                let printed = printed(&output, &errors);
                answered.extend(rest.map(|_| Answered {
                    outcome: Err((verdict, message.clone())),
                    time_ms: 0,
                    memory_kb,
                    printed: printed.clone(),
                }));
                continue;
            }
            for test in &tests[answered.len()..] {
                let (one, goes_on) = call(&mut running, test, prepared, until);
                answered.push(one);
                if !goes_on {
                    break;
                }
            }
        }
        Ok(answered)
    }

    fn feed_all(&self, prepared: &Prepared<'_>, tests: &[&Test]) -> Result<Vec<Answered>, (Verdict, String)> {
        let until = Instant::now() + Duration::from_millis(prepared.limits.total_ms);
        let mut answered: Vec<Answered> = Vec::new();
        for test in tests {
            answered.push(match is_over(&answered, until, prepared.limits) {
                true => Answered::never_run(),
                false => self.feed(prepared, test)?,
            });
        }
        Ok(answered)
    }

    /// Runs one test with standard input, in a process of its own.
    fn feed(&self, prepared: &Prepared<'_>, test: &Test) -> Result<Answered, (Verdict, String)> {
        let mut files = prepared.files.clone();
        let input = test.stdin.clone().unwrap_or_default().into_bytes();
        files.push(Content { name: INPUT.into(), bytes: input, is_program: false });
        let prepared = Prepared { files, handed: None, function: String::new(), ..*prepared };
        let (mut running, _room) = self.start(&prepared, "run").map_err(internal)?;
        running.keep_output();
        let begun = Instant::now();
        let event = running.finish(Duration::from_millis(prepared.limits.time_ms));
        let time_ms = begun.elapsed().as_millis() as u64;
        let memory_kb = running.peak_kb();
        let (output, errors) = running.take_printed();
        let outcome = match event {
            Event::Ended(Ended { code: Some(0), .. }) => {
                Ok(Value::String(String::from_utf8_lossy(&output).into_owned()))
            }
            Event::Trouble(trouble) => return Err(internal(trouble)),
            other => Err(failed(&other, &errors, prepared.limits)),
        };
        Ok(Answered { outcome, time_ms, memory_kb, printed: printed(&[], &errors) })
    }

    /// Asks the author's checker, in a sandbox of its own. Returns `None` for tests that it does not judge.
    pub(crate) fn checked(
        &self,
        tests: &Tests,
        answered: &[Answered],
        limits: &Limits,
    ) -> Result<Vec<Option<bool>>, (Verdict, String)> {
        let Comparison::Checker(source) = &tests.comparison else { return Ok(vec![None; answered.len()]) };
        let judged = |(test, answered): (&Test, &Answered)| {
            let actual = answered.outcome.as_ref().ok()?.clone();
            let args =
                test.args.clone().unwrap_or_else(|| vec![test.stdin.clone().unwrap_or_default().into()]);
            Some(Test { args: Some(vec![args.into(), test.expected.clone(), actual]), ..test.clone() })
        };
        let questions: Vec<Option<Test>> = tests.tests.iter().zip(answered).map(judged).collect();
        let asked = Tests {
            function: Some("check".into()),
            comparison: Comparison::Exact,
            tests: questions.iter().flatten().cloned().collect(),
        };
        if asked.tests.is_empty() {
            return Ok(vec![None; answered.len()]);
        }
        let trouble = |message: String| internal(format!("the checker of this problem failed: {message}"));
        let prepared = self.prepare("python", source, Some("check"), 3, limits);
        let told =
            prepared.and_then(|prepared| self.call_all(&prepared, &asked.tests.iter().collect::<Vec<_>>()));
        let mut told = told.map_err(|(_, message)| trouble(message))?.into_iter();
        let mut answer = |question: Option<Test>| match (question, told.next()) {
            (None, _) => Ok(None),
            (Some(_), Some(Answered { outcome: Ok(Value::Bool(is_right)), .. })) => Ok(Some(is_right)),
            (Some(_), Some(Answered { outcome: Err((_, message)), .. })) => Err(trouble(message)),
            (Some(_), _) => Err(trouble("it says neither true nor false".into())),
        };
        let mut found = Vec::new();
        for question in questions {
            match question {
                None => found.push(None),
                some => found.push(answer(some)?),
            }
        }
        Ok(found)
    }
}

/// The right to run. The interpreters that a run took are replaced when it is over, so that it has the processors
/// for itself.
#[derive(Debug)]
pub(crate) struct Allotment<'j> {
    nursery: &'j Nursery,
    _permit: Permit<'j>,
}

impl Drop for Allotment<'_> {
    fn drop(&mut self) {
        self.nursery.refill();
    }
}

impl Prepared<'_> {
    /// Returns the program as a waiting harness reads it: a line about it, then its bytes.
    fn program(&self, mode: &str) -> Vec<u8> {
        let Some(source) = &self.handed else { return Vec::new() };
        let about = json!({"function": self.function, "mode": mode, "bytes": source.len()});
        format!("{about}\n{source}").into_bytes()
    }

    /// Returns the arguments of a call as the harness reads them.
    pub(crate) fn line(&self, args: &[Value]) -> String {
        let args = Value::Array(args.to_vec());
        let names = self.found.language.names_large_integers;
        format!("{}\n", if names { named_json(&args) } else { exact_json(&args) })
    }
}

const INPUT: &str = "input";

const NEVER_RUN: &str = "not run: the tests before it used up the time of the whole run";

/// Whether the remaining tests are skipped.
fn is_over(answered: &[Answered], until: Instant, limits: &Limits) -> bool {
    let is_slow = |one: &&Answered| matches!(one.outcome, Err((Verdict::TimeLimit, _)));
    Instant::now() >= until || answered.iter().filter(is_slow).count() >= limits.slow_tests
}

impl Answered {
    fn never_run() -> Answered {
        let outcome = Err((Verdict::TimeLimit, NEVER_RUN.into()));
        Answered { outcome, time_ms: 0, memory_kb: 0, printed: String::new() }
    }

    pub(crate) fn is_never_run(&self) -> bool {
        matches!(&self.outcome, Err((_, message)) if message == NEVER_RUN)
    }
}

pub(crate) fn internal(message: String) -> (Verdict, String) {
    (Verdict::InternalError, message)
}

/// Orders visible tests before hidden ones. The output of a program is shown with visible tests, and these are over
/// by the time it sees a hidden one.
fn visible_first(tests: &Tests) -> Vec<usize> {
    let mut order: Vec<usize> = (0..tests.tests.len()).collect();
    order.sort_by_key(|at| tests.tests[*at].hidden);
    order
}

fn check_tests(tests: &Tests) -> Result<(), String> {
    if tests.tests.is_empty() {
        return Err("there are no tests".into());
    }
    let wrong = |test: &Test| match tests.function {
        Some(_) => test.args.is_none() || test.stdin.is_some(),
        None => test.args.is_some(),
    };
    match tests.tests.iter().position(wrong) {
        None => Ok(()),
        Some(at) if tests.function.is_some() => {
            Err(format!("test {at} needs `args` and no `stdin`, because a function is called"))
        }
        Some(at) => Err(format!("test {at} has `args`, but the tests name no `function`")),
    }
}

fn files(found: &Toolchain, source: Option<&str>, with_harness: bool) -> Vec<Content> {
    let source = source.map(|source| content(&found.language.file, source));
    let harness = found.harness.as_ref().filter(|_| with_harness);
    source.into_iter().chain(harness.map(|(name, bytes)| content(name, bytes))).collect()
}

fn content(name: &str, bytes: impl AsRef<[u8]>) -> Content {
    Content { name: name.into(), bytes: bytes.as_ref().to_vec(), is_program: false }
}

/// How the judge's line behind a learner's file begins.
const RUST_CALL: &str = "::etude_harness::drive";

/// Returns the learner's file, with a module at its end that sees its private items, and a crate around it.
fn rust_files(source: &str, function: &str, arity: usize, harness: Content) -> Result<Vec<Content>, String> {
    let is_name = |text: &str| text.chars().all(|letter| letter.is_ascii_alphanumeric() || letter == '_');
    if !is_name(function) {
        return Err(format!("`{function}` is no name of a function"));
    }
    if arity > 8 {
        return Err(format!("functions in Rust can be called with at most 8 arguments, not {arity}"));
    }
    let call = format!("{RUST_CALL}({arity}, &|args| ::etude_harness::call{arity}(super::{function}, args))");
    let call = format!(
        "\n\n#[allow(clippy::all)]\npub mod etude_run {{\n    pub fn run() {{\n        {call}\n    }}\n}}\n"
    );
    let main = "#![allow(dead_code)]\nextern crate etude_harness;\n#[path = \"solution.rs\"]\nmod solution;\nfn main() {\n    solution::etude_run::run();\n}\n";
    Ok(vec![content("main.rs", main), content("solution.rs", format!("{source}{call}")), harness])
}

fn planned(file: &Content) -> PlannedFile {
    PlannedFile { name: file.name.clone(), size: file.bytes.len(), is_program: file.is_program }
}

/// Returns the environment, the same for every learner. It names the libraries beside the program, because without
/// `/proc` a program does not know where it is.
fn environment(program: &Path, outer_room: Option<&Path>) -> Vec<(String, String)> {
    let libraries = program.ancestors().nth(2).unwrap_or(Path::new("/usr")).join("lib").display().to_string();
    let scratch = outer_room.map_or_else(|| "/tmp".into(), |room| room.join("scratch").display().to_string());
    let pairs = [("PATH", "/usr/bin:/bin"), ("LANG", "C.UTF-8"), ("HOME", &scratch), ("TMPDIR", &scratch)];
    // Node gives up if it may not read the settings of a library, and goes on if there are none.
    let more = [("LD_LIBRARY_PATH", libraries.as_str()), ("OPENSSL_CONF", "/dev/null")];
    let pairs = pairs.into_iter().chain(more);
    pairs.map(|(name, value)| (name.to_owned(), value.to_owned())).collect()
}

fn make_room(files: &[Content]) -> std::io::Result<tempfile::TempDir> {
    use std::os::unix::fs::PermissionsExt;
    let open = |path: &Path, mode| std::fs::set_permissions(path, std::fs::Permissions::from_mode(mode));
    let room = tempfile::Builder::new().prefix("etude-judge-").tempdir()?;
    open(room.path(), 0o755)?;
    let scratch = room.path().join("scratch");
    std::fs::create_dir(&scratch)?;
    open(&scratch, 0o777)?;
    for file in files {
        let path = room.path().join(&file.name);
        std::fs::write(&path, &file.bytes)?;
        open(&path, if file.is_program { 0o755 } else { 0o644 })?;
    }
    Ok(room)
}

/// Hands the learner's program to a harness that waits for it, and waits until it is loaded.
pub(crate) fn load(
    running: &mut Running,
    prepared: &Prepared<'_>,
    mode: &str,
) -> Result<(), (Verdict, String)> {
    let limits = prepared.limits;
    let event = running.ask(&prepared.program(mode), Duration::from_millis(limits.time_ms) + STARTING);
    match event {
        Event::Answer(line) => match serde_json::from_slice(&line) {
            Ok(Said::Ready(_)) => Ok(()),
            Ok(Said::Failed(failure)) => {
                let is_compile = failure.kind == "compile";
                let verdict = if is_compile { Verdict::CompileError } else { failure.verdict() };
                Err((verdict, failure.to_string()))
            }
            _ => Err((Verdict::RuntimeError, FORGED.into())),
        },
        Event::Trouble(trouble) => Err(internal(trouble)),
        other => {
            let (_, errors) = running.take_printed();
            Err(failed(&other, &errors, limits))
        }
    }
}

pub(crate) const FORGED: &str = "the program wrote to the judge's own channel";

/// Makes one call. Also returns whether the process can take the next one.
fn call(running: &mut Running, test: &Test, prepared: &Prepared<'_>, until: Instant) -> (Answered, bool) {
    let limits = prepared.limits;
    let forged = |running: &mut Running| Answered {
        outcome: Err((Verdict::RuntimeError, FORGED.into())),
        time_ms: 0,
        memory_kb: running.peak_kb(),
        printed: String::new(),
    };
    // An answer that came before its question is not an answer.
    if running.has_said_more() {
        return (forged(running), false);
    }
    let line = prepared.line(test.args.as_deref().unwrap_or_default());
    let begun = Instant::now();
    let within = Duration::from_millis(limits.time_ms).min(until.saturating_duration_since(begun));
    let event = running.ask(line.as_bytes(), within);
    let time_ms = begun.elapsed().as_millis() as u64;
    let memory_kb = running.peak_kb();
    if matches!(event, Event::Answer(_)) && running.has_said_more() {
        return (forged(running), false);
    }
    let (output, errors) = running.take_printed();
    let (outcome, goes_on) = match event {
        Event::Answer(line) => (understood(&line), true),
        other => (Err(failed(&other, &errors, limits)), false),
    };
    (Answered { outcome, time_ms, memory_kb, printed: printed(&output, &errors) }, goes_on)
}

fn understood(line: &[u8]) -> Result<Value, (Verdict, String)> {
    match read_exact(&String::from_utf8_lossy(line)) {
        Ok(Said::Value(value)) => Ok(value),
        Ok(Said::Unfit(what)) => Err((
            Verdict::WrongAnswer,
            format!("the function returned {}, which no test expects", inert(what.as_bytes(), 200)),
        )),
        Ok(Said::Error(failure)) => Err((failure.verdict(), failure.to_string())),
        Ok(Said::Ready(_) | Said::Failed(_) | Said::Trace(_)) | Err(_) => {
            Err((Verdict::RuntimeError, FORGED.into()))
        }
    }
}

/// Returns the verdict on a program that did not answer.
pub(crate) fn failed(event: &Event, errors: &[u8], limits: &Limits) -> (Verdict, String) {
    let said = || inert(errors, SHOWN);
    match event {
        Event::Time => (Verdict::TimeLimit, format!("no answer within {} ms", limits.time_ms)),
        Event::Memory => (Verdict::MemoryLimit, format!("more than {} MB of memory", limits.memory_mb)),
        Event::Output => (Verdict::OutputLimit, format!("more than {} bytes of output", limits.output_bytes)),
        Event::Ended(_) if has_no_memory(errors) => {
            (Verdict::MemoryLimit, format!("more than {} MB of memory", limits.memory_mb))
        }
        Event::Ended(Ended { signal: Some(signal), .. }) => {
            (Verdict::RuntimeError, format!("{}\n{}", signal_name(*signal), said()).trim_end().to_owned())
        }
        Event::Ended(Ended { code, .. }) => {
            let code = code.unwrap_or_default();
            let message = format!("the program ended by itself with code {code}\n{}", said());
            (Verdict::RuntimeError, message.trim_end().to_owned())
        }
        Event::Trouble(trouble) => internal(trouble.clone()),
        Event::Answer(_) => (Verdict::RuntimeError, FORGED.into()),
    }
}

/// Whether a program's errors say, in the words of its language, that it got no more memory.
fn has_no_memory(errors: &[u8]) -> bool {
    const SIGNS: [&str; 4] =
        ["heap out of memory", "memory allocation of", "Array buffer allocation failed", "MemoryError"];
    let text = String::from_utf8_lossy(errors);
    SIGNS.iter().any(|sign| text.contains(sign))
}

fn signal_name(signal: i32) -> String {
    match signal {
        libc::SIGSEGV | libc::SIGBUS => {
            "the program crashed: it used memory that is not its own, or called too deeply".into()
        }
        libc::SIGABRT => "the program gave up (abort)".into(),
        libc::SIGKILL => "the program was killed".into(),
        libc::SIGXFSZ => "the program wrote a file that is too large".into(),
        other => format!("the program was ended by signal {other}"),
    }
}

fn printed(output: &[u8], errors: &[u8]) -> String {
    let (output, errors) = (inert(output, SHOWN), inert(errors, SHOWN));
    match (output.trim_end(), errors.trim_end()) {
        (output, "") => output.to_owned(),
        ("", errors) => errors.to_owned(),
        (output, errors) => format!("{output}\n{errors}"),
    }
}

/// Returns the first messages of a compiler, with paths as the learner knows them. A missing function is said in
/// words, because the compiler would point at a line that the learner did not write.
fn compiler_words(errors: &[u8], outer_room: Option<&tempfile::TempDir>, function: &str) -> String {
    let room = outer_room.map_or_else(|| ROOM.to_owned(), |room| room.path().display().to_string());
    let text = inert(errors, 20_000);
    let warnings = |block: &&str| !block.trim_start().starts_with("warning");
    let blocks: Vec<&str> = text.split("\n\n").filter(warnings).take(3).collect();
    let lacks_function = |block: &&str| block.contains("cannot find ") && block.contains(RUST_CALL);
    if blocks.iter().any(lacks_function) {
        return format!("there is no function `{function}`");
    }
    let text = blocks.join("\n\n").replace(&format!("{room}/"), "");
    inert(text.as_bytes(), SHOWN)
}

pub(crate) fn tried(
    index: usize,
    test: &Test,
    tests: &Tests,
    answered: Answered,
    checked: Option<bool>,
) -> Tried {
    let Answered { outcome, time_ms, memory_kb, printed } = answered;
    let (verdict, difference, message) = match &outcome {
        Err((verdict, message)) => (*verdict, None, [message.as_str(), printed.as_str()].join("\n")),
        Ok(actual) => match compared(test, tests, actual, checked) {
            Ok(()) => (Verdict::Accepted, None, printed),
            Err(place) => (Verdict::WrongAnswer, Some(difference(test, actual, place)), printed),
        },
    };
    let message = Some(message.trim_end().to_owned()).filter(|message| !message.is_empty());
    let shown = !test.hidden;
    Tried {
        index,
        verdict,
        time_ms,
        memory_kb,
        difference: difference.filter(|_| shown),
        message: message.filter(|_| shown),
        hidden: test.hidden,
    }
}

fn compared(test: &Test, tests: &Tests, actual: &Value, checked: Option<bool>) -> Result<(), Option<String>> {
    if let Some(is_right) = checked {
        return is_right.then_some(()).ok_or(None);
    }
    let found = match (&tests.function, actual) {
        (None, Value::String(output)) => compare_output(&tests.comparison, &plain(&test.expected), output),
        _ => compare(&tests.comparison, &test.expected, actual),
    };
    found.map_err(|apart| Some(inert(apart.0.as_bytes(), 500)))
}

fn difference(test: &Test, actual: &Value, place: Option<String>) -> Difference {
    let shown = |value: &Value| inert(short(value).as_bytes(), 500);
    let text = |value: &Value| inert(plain(value).as_bytes(), 500);
    match &test.args {
        Some(args) => Difference {
            input: args.iter().map(shown).collect::<Vec<_>>().join(", "),
            expected: shown(&test.expected),
            actual: shown(actual),
            place,
        },
        None => Difference {
            input: inert(test.stdin.clone().unwrap_or_default().as_bytes(), 500),
            expected: text(&test.expected),
            actual: text(actual),
            place,
        },
    }
}

fn plain(value: &Value) -> String {
    match value {
        Value::String(text) => text.clone(),
        other => exact_json(other),
    }
}
