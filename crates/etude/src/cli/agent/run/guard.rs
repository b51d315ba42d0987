//! `etude agent guard`: stands between a run and its agent, so that nothing that the agent started outlives the run.
//!
//! On Linux it adopts every process whose parent ends. If the run ends, however it ends, the kernel tells the guard, and the
//! guard ends them all.

use crate::cli::output::{Done, no};
use clap::Args;
use std::process::ExitCode;

#[derive(Debug, Args)]
pub(in crate::cli::agent) struct Guard {
    #[arg(last = true, required = true)]
    command: Vec<String>,
}

#[cfg(target_os = "linux")]
impl Guard {
    pub(in crate::cli::agent) async fn run(self) -> Done {
        use std::os::unix::process::ExitStatusExt;
        let failed = |error: std::io::Error| no(format!("the agent cannot be guarded: {error}"));
        rustix::process::set_child_subreaper(Some(rustix::process::getpid()))
            .map_err(|error| failed(error.into()))?;
        let mut interrupts = super::process::Interrupts::new().map_err(failed)?;
        let (program, arguments) = self.command.split_first().ok_or_else(|| no("there is no command"))?;
        let started = tokio::process::Command::new(program).args(arguments).spawn();
        let mut child = started.map_err(|error| no(format!("{program} cannot be started: {error}")))?;
        tokio::select! {
            ended = child.wait() => {
                let status = ended.map_err(failed)?;
                let code = status.code().or(status.signal().map(|signal| 128 + signal)).unwrap_or(1);
                Ok(ExitCode::from(code as u8))
            }
            signal = interrupts.next() => {
                end_all().await;
                Ok(ExitCode::from(128 + signal as u8))
            }
        }
    }
}

#[cfg(not(target_os = "linux"))]
impl Guard {
    pub(in crate::cli::agent) async fn run(self) -> Done {
        Err(no("agents are guarded on Linux only"))
    }
}

/// Ends everything below this process, gently first. Orphans become our children, so none is missed.
#[cfg(target_os = "linux")]
async fn end_all() {
    use rustix::process::{Pid, Signal, kill_process};
    const LOOKS: u32 = 40;
    const GENTLE: u32 = 20;
    for look in 0..LOOKS {
        let below = descendants();
        if below.is_empty() {
            return;
        }
        let signal = if look < GENTLE { Signal::TERM } else { Signal::KILL };
        for process in below.into_iter().filter_map(Pid::from_raw) {
            let _ = kill_process(process, signal);
        }
        tokio::time::sleep(std::time::Duration::from_millis(100)).await;
    }
}

/// The processes below this one that have not ended.
#[cfg(target_os = "linux")]
fn descendants() -> Vec<i32> {
    let entries = std::fs::read_dir("/proc").into_iter().flatten().flatten();
    let processes: Vec<(i32, i32)> = entries
        .filter_map(|entry| {
            let id: i32 = entry.file_name().to_str()?.parse().ok()?;
            let stat = std::fs::read_to_string(entry.path().join("stat")).ok()?;
            let mut fields = stat.rsplit_once(')')?.1.split_whitespace();
            let state = fields.next()?;
            Some((id, fields.next()?.parse().ok()?)).filter(|_| state != "Z")
        })
        .collect();
    let mut below = vec![std::process::id() as i32];
    let mut at = 0;
    while let Some(parent) = below.get(at).copied() {
        below.extend(processes.iter().filter(|(_, of)| *of == parent).map(|(id, _)| *id));
        at += 1;
    }
    below.split_off(1)
}
