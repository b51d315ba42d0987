//! Isolates programs with whatever this kernel offers, from namespaces to Landlock.

mod cgroup;
mod filter;
mod helper;
mod kernel;
mod plan;
mod room;
mod watch;

pub(crate) use cgroup::{Group, Groups};
pub use helper::inner;
pub(crate) use kernel::has_landlock;
pub(crate) use plan::{Bounds, Phase, Plan, PlannedFile, ROOM, SCRATCH, Views, Word};
pub(crate) use watch::{first_child, memory_kb, peak_kb};

use kernel::{ANSWERS, QUESTIONS, STATUS};
use rustix::io::{FdFlags, fcntl_dupfd_cloexec, fcntl_setfd};
use rustix::pipe::{PipeFlags, pipe_with};
use std::fs::File;
use std::io::{self, Write};
use std::os::fd::OwnedFd;
use std::path::Path;
use std::process::{Child, Command, Stdio};

/// The user that programs run as if the judge is root, and that they seem to be otherwise. Nothing else runs as
/// this user.
pub(crate) const NOBODY: u32 = 65_214;

/// Returns the user that programs run as: another one if the judge is root, unless there is no other user, as in a
/// container with a single user.
pub(crate) fn other_user() -> Option<u32> {
    let has_nobody = |map: &str| {
        let text = std::fs::read_to_string(map).unwrap_or_default();
        let ranges = text.lines().filter_map(|line| {
            let numbers: Vec<u32> =
                line.split_whitespace().filter_map(|number| number.parse().ok()).collect();
            Some(*numbers.first()?..numbers.first()?.saturating_add(*numbers.get(2)?))
        });
        ranges.into_iter().any(|range| range.contains(&NOBODY))
    };
    let is_root = rustix::process::geteuid().is_root();
    (is_root && has_nobody("/proc/self/uid_map") && has_nobody("/proc/self/gid_map")).then_some(NOBODY)
}

/// A file that a program finds in its room.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Content {
    pub(crate) name: String,
    pub(crate) bytes: Vec<u8>,
    pub(crate) is_program: bool,
}

/// A started helper and our ends of its pipes.
#[derive(Debug)]
pub(crate) struct Started {
    pub(crate) helper: Child,
    pub(crate) questions: File,
    pub(crate) answers: File,
    pub(crate) output: File,
    pub(crate) errors: File,
    pub(crate) status: File,
    pub(crate) group: Option<Group>,
}

/// Starts a program in a sandbox. The helper is in its control group before it does anything else.
pub(crate) fn start(
    helper: &Path,
    plan: &Plan,
    files: &[Content],
    group: Option<Group>,
) -> io::Result<Started> {
    let (their_questions, questions) = pipe_with(PipeFlags::CLOEXEC)?;
    let (answers, their_answers) = pipe_with(PipeFlags::CLOEXEC)?;
    let (output, their_output) = pipe_with(PipeFlags::CLOEXEC)?;
    let (errors, their_errors) = pipe_with(PipeFlags::CLOEXEC)?;
    let (status, their_status) = pipe_with(PipeFlags::CLOEXEC)?;
    let mut command = Command::new(helper);
    command.arg(plan::HELPER).env_clear().current_dir("/");
    command.stdin(Stdio::piped()).stdout(their_output).stderr(their_errors);
    // Numbers far from the final ones, so that none is overwritten before it is handed over.
    let away = |descriptor: OwnedFd| fcntl_dupfd_cloexec(descriptor, 64);
    let descriptors = vec![
        (away(their_questions)?, QUESTIONS),
        (away(their_answers)?, ANSWERS),
        (away(their_status)?, STATUS),
    ];
    kernel::hand_over(&mut command, descriptors);
    let mut helper = command.spawn()?;
    drop(command);
    if let Some(group) = &group {
        group.add(helper.id())?;
    }
    let doors = group.as_ref().map(Group::doors).unwrap_or_default();
    let mut told = serde_json::to_vec(&doors)?;
    told.push(b'\n');
    serde_json::to_writer(&mut told, plan)?;
    told.push(b'\n');
    files.iter().for_each(|file| told.extend(&file.bytes));
    // If the helper is gone, its status says so.
    let _ = helper.stdin.take().map(|mut stdin| stdin.write_all(&told));
    for descriptor in [&questions, &answers, &output, &errors, &status] {
        rustix::io::ioctl_fionbio(descriptor, true)?;
        fcntl_setfd(descriptor, FdFlags::CLOEXEC)?;
    }
    let [questions, answers, output, errors, status] =
        [questions, answers, output, errors, status].map(File::from);
    Ok(Started { helper, questions, answers, output, errors, status, group })
}
