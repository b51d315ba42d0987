//! Drives a running program: its questions, its answers, its output, and the bounds that end it.

use crate::limits::Limits;
use crate::sandbox::{self, Content, Groups, Plan, Started, Word};
use rustix::event::{PollFd, PollFlags, Timespec, poll};
use rustix::process::{Pid, Signal};
use std::fs::File;
use std::io::{self, Read, Write};
use std::path::Path;
use std::time::{Duration, Instant};

/// The time between two looks at the memory, if the kernel does not watch it.
const TICK: Duration = Duration::from_millis(4);
const SLOW_TICK: Duration = Duration::from_millis(50);
/// The bytes that are kept of a program's printed text, for people to read.
const KEPT: usize = 64 << 10;

#[derive(Debug)]
pub(crate) struct Running {
    started: Started,
    memory_kb: u64,
    output_limit: usize,
    answer_limit: usize,
    root: Option<i32>,
    program: Option<i32>,
    answers: Vec<u8>,
    are_answers_closed: bool,
    output: Printed,
    errors: Printed,
    words: Vec<u8>,
    ended: Option<Ended>,
    trouble: Option<String>,
    peak_kb: u64,
    /// The time of the last look at the memory.
    looked_at: Option<Instant>,
}

/// The start of a sandbox, for any learner. Two equal ones lead to equal sandboxes.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Start {
    pub(crate) plan: Plan,
    pub(crate) files: Vec<Content>,
    pub(crate) memory_mb: u64,
}

#[derive(Debug, Default)]
pub(crate) struct Printed {
    pub(crate) kept: Vec<u8>,
    count: usize,
    limit: usize,
    is_closed: bool,
}

/// The way in which a program ended by itself.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Ended {
    pub(crate) code: Option<i32>,
    pub(crate) signal: Option<i32>,
}

/// The first thing that happened.
#[derive(Debug)]
pub(crate) enum Event {
    Answer(Vec<u8>),
    Ended(Ended),
    Time,
    Memory,
    Output,
    Trouble(String),
}

impl Running {
    pub(crate) fn start(
        helper: &Path,
        groups: &Groups,
        start: &Start,
        limits: &Limits,
    ) -> io::Result<Running> {
        // The helper's own processes count as well.
        let group = groups.make(start.memory_mb, start.plan.bounds.processes + 3).ok();
        let started = sandbox::start(helper, &start.plan, &start.files, group)?;
        Ok(Running {
            started,
            memory_kb: start.memory_mb << 10,
            output_limit: limits.output_bytes,
            answer_limit: limits.answer_bytes,
            root: None,
            program: None,
            answers: Vec::new(),
            are_answers_closed: false,
            output: Printed { limit: KEPT, ..Printed::default() },
            errors: Printed { limit: KEPT, ..Printed::default() },
            words: Vec::new(),
            ended: None,
            trouble: None,
            peak_kb: 0,
            looked_at: None,
        })
    }

    /// Takes over an interpreter that was started before, with the limits of this run. Refuses one that did
    /// anything but wait.
    pub(crate) fn serve(mut self, limits: &Limits) -> Option<Running> {
        let is_waiting = self.read_all().is_none()
            && self.ended.is_none()
            && self.trouble.is_none()
            && self.answers.is_empty()
            && self.output.count + self.errors.count == 0;
        (self.output_limit, self.answer_limit) = (limits.output_bytes, limits.answer_bytes);
        is_waiting.then_some(self)
    }

    /// Keeps the whole output, because it is the answer.
    pub(crate) fn keep_output(&mut self) {
        self.output.limit = self.output_limit;
    }

    /// Sends a line and waits for the next answer.
    pub(crate) fn ask(&mut self, line: &[u8], within: Duration) -> Event {
        self.converse(line, within, |running| running.answer())
    }

    /// Waits until the program has ended by itself.
    pub(crate) fn finish(&mut self, within: Duration) -> Event {
        self.converse(b"", within, |_| None)
    }

    /// Whether the program has said more than it was asked for.
    pub(crate) fn has_said_more(&mut self) -> bool {
        let _ = self.read_all();
        !self.answers.is_empty()
    }

    /// Takes everything that came over the answer pipe, whether it has lines or not.
    pub(crate) fn take_answers(&mut self) -> Vec<u8> {
        std::mem::take(&mut self.answers)
    }

    /// Takes the output and the errors that were printed since the last time.
    pub(crate) fn take_printed(&mut self) -> (Vec<u8>, Vec<u8>) {
        (std::mem::take(&mut self.output.kept), std::mem::take(&mut self.errors.kept))
    }

    /// Returns the most memory that the program has used so far.
    pub(crate) fn peak_kb(&mut self) -> u64 {
        if let Some(group) = self.started.group.as_ref().filter(|group| group.ran_out()) {
            self.peak_kb = self.peak_kb.max(group.peak_kb());
        }
        if self.program.is_none() {
            let root = self.root.unwrap_or_default();
            self.program = self.root.and_then(sandbox::first_child).or(Some(root));
        }
        self.peak_kb = self.peak_kb.max(self.program.map_or(0, sandbox::peak_kb));
        self.peak_kb
    }

    fn converse(
        &mut self,
        mut line: &[u8],
        within: Duration,
        answer: impl Fn(&mut Running) -> Option<Vec<u8>>,
    ) -> Event {
        let until = Instant::now() + within;
        loop {
            if let Some(event) = self.read_all() {
                return event;
            }
            if let Some(answer) = answer(self) {
                return Event::Answer(answer);
            }
            if let Some(trouble) = self.trouble.take() {
                return Event::Trouble(trouble);
            }
            if let Some(ended) = self.ended {
                return self.ending(ended);
            }
            let now = Instant::now();
            if now >= until {
                return Event::Time;
            }
            if self.uses_too_much() {
                return Event::Memory;
            }
            if !line.is_empty() {
                line = self.send(line);
            }
            self.wait(!line.is_empty(), until - now);
        }
    }

    /// Sends as much as the pipe takes, and returns the rest.
    fn send<'l>(&self, line: &'l [u8]) -> &'l [u8] {
        match (&self.started.questions).write(line) {
            Ok(written) => &line[written..],
            Err(error) if error.kind() == io::ErrorKind::WouldBlock => line,
            // A program that no longer listens has another problem, which is reported elsewhere.
            Err(_) => b"",
        }
    }

    /// Interprets the end of a program: a killed one may have been killed for its memory.
    fn ending(&self, ended: Ended) -> Event {
        let ran_out = self.started.group.as_ref().is_some_and(sandbox::Group::ran_out);
        match ended.signal {
            Some(_) if ran_out => Event::Memory,
            Some(libc::SIGXCPU) => Event::Time,
            _ => Event::Ended(ended),
        }
    }

    fn uses_too_much(&mut self) -> bool {
        let Some(root) = self.root else { return false };
        if let Some(group) = &self.started.group {
            return group.ran_out();
        }
        // A look costs more than a small test.
        if self.looked_at.is_some_and(|at| at.elapsed() < TICK) {
            return false;
        }
        self.looked_at = Some(Instant::now());
        let used = sandbox::memory_kb(root, self.memory_kb);
        self.peak_kb = self.peak_kb.max(used);
        used > self.memory_kb
    }

    fn wait(&self, is_writing: bool, left: Duration) {
        let tick = if self.started.group.is_some() { SLOW_TICK } else { TICK };
        let left = Timespec::try_from(left.min(tick)).unwrap_or(Timespec { tv_sec: 0, tv_nsec: 1_000_000 });
        let mut ends = vec![PollFd::new(&self.started.status, PollFlags::IN)];
        if !self.are_answers_closed {
            ends.push(PollFd::new(&self.started.answers, PollFlags::IN));
        }
        for (printed, file) in [(&self.output, &self.started.output), (&self.errors, &self.started.errors)] {
            if !printed.is_closed {
                ends.push(PollFd::new(file, PollFlags::IN));
            }
        }
        if is_writing {
            ends.push(PollFd::new(&self.started.questions, PollFlags::OUT));
        }
        // An interrupted wait is a short one.
        let _ = poll(&mut ends, Some(&left));
    }

    /// Reads everything that has arrived. The answers come first: the text that a program printed before it
    /// answered is then in the other pipes.
    fn read_all(&mut self) -> Option<Event> {
        let was_closed = read_into(&self.started.status, &mut self.words, usize::MAX);
        self.hear();
        if was_closed && self.ended.is_none() && self.trouble.is_none() {
            self.trouble = Some("the helper process ended without a word".into());
        }
        let mut answers = Vec::new();
        self.are_answers_closed |= read_into(&self.started.answers, &mut answers, self.answer_limit);
        self.output.read(&self.started.output, self.output_limit);
        self.errors.read(&self.started.errors, self.output_limit);
        self.answers.extend(answers);
        let is_too_much = self.output.count + self.errors.count > self.output_limit;
        (is_too_much || self.answers.len() > self.answer_limit).then_some(Event::Output)
    }

    fn hear(&mut self) {
        while let Some(end) = self.words.iter().position(|byte| *byte == b'\n') {
            let line: Vec<u8> = self.words.drain(..=end).collect();
            match serde_json::from_slice(&line) {
                Ok(Word::Root(pid)) => self.root = Some(pid),
                Ok(Word::Trouble(trouble)) => self.trouble = Some(trouble),
                Ok(Word::Ended { code, signal, peak_kb }) => {
                    self.ended = Some(Ended { code, signal });
                    self.peak_kb = self.peak_kb.max(peak_kb);
                }
                Err(error) => {
                    self.trouble = Some(format!("the helper process cannot be understood: {error}"))
                }
            }
        }
    }

    fn answer(&mut self) -> Option<Vec<u8>> {
        let end = self.answers.iter().position(|byte| *byte == b'\n')?;
        let rest = self.answers.split_off(end + 1);
        let mut line = std::mem::replace(&mut self.answers, rest);
        line.pop();
        Some(line)
    }

    /// Ends everything in the sandbox, and returns when nothing is left.
    fn end(&mut self) {
        let until = Instant::now() + Duration::from_secs(1);
        while self.root.is_none() && self.trouble.is_none() && Instant::now() < until {
            let before = self.words.len();
            if read_into(&self.started.status, &mut self.words, usize::MAX) && self.words.len() == before {
                break;
            }
            self.hear();
            std::thread::sleep(Duration::from_micros(200));
        }
        if let Some(root) = self.root.and_then(Pid::from_raw).filter(|_| self.ended.is_none()) {
            let _ = rustix::process::kill_process_group(root, Signal::KILL);
            let _ = rustix::process::kill_process(root, Signal::KILL);
        }
        if self.root.is_none() {
            let _ = self.started.helper.kill();
        }
        let _ = self.started.helper.wait();
    }
}

impl Drop for Running {
    fn drop(&mut self) {
        self.end();
    }
}

impl Printed {
    fn read(&mut self, from: &File, limit: usize) {
        let mut new = Vec::new();
        self.is_closed |= read_into(from, &mut new, limit + 1);
        self.count += new.len();
        let room = self.limit.saturating_sub(self.kept.len());
        self.kept.extend(&new[..new.len().min(room)]);
    }
}

/// Reads the bytes that have arrived, but not much more than `most`. Returns whether the other end is closed.
fn read_into(mut from: &File, into: &mut Vec<u8>, most: usize) -> bool {
    let mut chunk = [0; 16 << 10];
    loop {
        if into.len() > most {
            return false;
        }
        match from.read(&mut chunk) {
            Ok(0) => return true,
            Ok(size) => into.extend(&chunk[..size]),
            Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
            Err(_) => return false,
        }
    }
}
