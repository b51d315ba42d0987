//! `etude agent guard`: stands between a run and its agent, so that nothing the agent started outlives the run.
//!
//! On Linux the guard adopts every process whose parent ends. However the run ends, the kernel signals the
//! guard, and the guard ends all of them.

use crate::cli::output::{Done, no};
use clap::Args;
use std::process::ExitCode;

#[derive(Debug, Args)]
pub(in crate::cli::agent) struct Guard {
    /// End the command when this process ends
    #[arg(long)]
    parent: Option<i32>,
    /// If the command ends by itself, leave the processes that it started running
    #[arg(long)]
    leave: bool,
    #[arg(last = true, required = true)]
    command: Vec<String>,
}

/// The exit codes of a shell for a program that is missing or cannot be run.
const NOT_FOUND: u8 = 127;
const NOT_RUNNABLE: u8 = 126;

#[cfg(target_os = "linux")]
impl Guard {
    pub(in crate::cli::agent) async fn run(self) -> Done {
        let failed = |error: std::io::Error| no(format!("the agent cannot be guarded: {error}"));
        rustix::process::set_child_subreaper(Some(rustix::process::getpid()))
            .map_err(|error| failed(error.into()))?;
        let mut interrupts = super::process::Interrupts::new().map_err(failed)?;
        if let Some(parent) = self.parent {
            end_with(parent).map_err(failed)?;
        }
        let (program, arguments) = self.command.split_first().ok_or_else(|| no("there is no command"))?;
        let mut child = match tokio::process::Command::new(program).args(arguments).spawn() {
            Ok(child) => child,
            Err(error) => return Ok(not_started(program, &error)),
        };
        let code = tokio::select! {
            ended = child.wait() => {
                let code = code_of(ended.map_err(failed)?);
                if self.leave {
                    return Ok(ExitCode::from(code as u8));
                }
                code
            }
            signal = interrupts.next() => 128 + signal,
        };
        // A signal to the whole group also ends the child, so either may be noticed first.
        end_all(std::process::id() as i32).await;
        Ok(ExitCode::from(code as u8))
    }
}

/// Asks the kernel to signal the guard when its parent ends. Fails if the parent is already gone, because then
/// no signal would come.
#[cfg(target_os = "linux")]
fn end_with(parent: i32) -> std::io::Result<()> {
    use rustix::process::{Pid, Signal, getppid, set_parent_process_death_signal};
    set_parent_process_death_signal(Some(Signal::TERM))?;
    let is_there = getppid().map(Pid::as_raw_nonzero).is_some_and(|id| id.get() == parent);
    if is_there { Ok(()) } else { Err(std::io::ErrorKind::BrokenPipe.into()) }
}

/// Returns the words before a check's command that tie the check to this program: however the program ends, the
/// check ends too.
pub(in crate::cli::agent) fn before_check() -> Vec<String> {
    let own = std::env::current_exe().ok().filter(|_| cfg!(target_os = "linux"));
    let Some(own) = own else { return Vec::new() };
    let parent = std::process::id().to_string();
    let words = ["agent", "guard", "--leave", "--parent", &parent, "--"];
    std::iter::once(own.display().to_string()).chain(words.map(str::to_owned)).collect()
}

#[cfg(target_os = "linux")]
fn code_of(status: std::process::ExitStatus) -> i32 {
    use std::os::unix::process::ExitStatusExt;
    status.code().or(status.signal().map(|signal| 128 + signal)).unwrap_or(1)
}

#[cfg(target_os = "linux")]
fn not_started(program: &str, error: &std::io::Error) -> ExitCode {
    anstream::eprintln!("etude: {program} cannot be started: {error}");
    let is_missing = error.kind() == std::io::ErrorKind::NotFound;
    ExitCode::from(if is_missing { NOT_FOUND } else { NOT_RUNNABLE })
}

/// Whether an exit code says that a program never started.
pub(super) fn says_not_started(code: i32) -> bool {
    [NOT_FOUND, NOT_RUNNABLE].map(i32::from).contains(&code)
}

#[cfg(not(target_os = "linux"))]
impl Guard {
    pub(in crate::cli::agent) async fn run(self) -> Done {
        Err(no("agents are guarded on Linux only"))
    }
}

/// Ends every process below `root`, gently first. Orphans below a guard become its children, so none is missed.
#[cfg(target_os = "linux")]
async fn end_all(root: i32) {
    const LOOKS: u32 = 40;
    const GENTLE: u32 = 20;
    for look in 0..LOOKS {
        if !signal_all(root, look >= GENTLE) {
            return;
        }
        // Most processes end at once.
        let pause_ms = if look < 5 { 20 } else { 100 };
        tokio::time::sleep(std::time::Duration::from_millis(pause_ms)).await;
    }
}

/// Signals every process below `root`. Returns whether there was any.
#[cfg(target_os = "linux")]
pub(super) fn signal_all(root: i32, is_kill: bool) -> bool {
    use rustix::process::{Pid, Signal, kill_process};
    let below = descendants(root);
    for process in below.iter().copied().filter_map(Pid::from_raw) {
        let _ = kill_process(process, if is_kill { Signal::KILL } else { Signal::TERM });
    }
    !below.is_empty()
}

/// Lists the processes below `root` that have not ended.
#[cfg(target_os = "linux")]
fn descendants(root: i32) -> Vec<i32> {
    let entries = std::fs::read_dir("/proc").into_iter().flatten().flatten();
    let processes: Vec<(i32, i32, bool)> = entries
        .filter_map(|entry| {
            let id: i32 = entry.file_name().to_str()?.parse().ok()?;
            let stat = std::fs::read_to_string(entry.path().join("stat")).ok()?;
            let mut fields = stat.rsplit_once(')')?.1.split_whitespace();
            let has_ended = fields.next()? == "Z";
            Some((id, fields.next()?.parse().ok()?, has_ended))
        })
        .collect();
    let mut below = vec![root];
    let mut at = 0;
    while let Some(parent) = below.get(at).copied() {
        let is_child = |(_, of, has_ended): &&(i32, i32, bool)| *of == parent && !has_ended;
        below.extend(processes.iter().filter(is_child).map(|(id, ..)| *id));
        at += 1;
    }
    below.split_off(1)
}
