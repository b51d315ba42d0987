//! The name of this process in leases, and whether the process behind a name has died.

use uuid::Uuid;

/// Host, process and its start, and a part that no other process has.
pub fn name() -> String {
    let pid = std::process::id();
    let start = start_of(pid).unwrap_or_default();
    format!("{}:{pid}:{start}:{}", host(), Uuid::now_v7())
}

/// Whether a process of this machine has ended. Of others it is not known, nor where the system does not tell.
pub fn has_died(name: &str) -> bool {
    let mut parts = name.split(':');
    let (Some(there), Some(pid), Some(start)) = (parts.next(), parts.next(), parts.next()) else {
        return false;
    };
    let Ok(pid) = pid.parse() else { return false };
    !start.is_empty()
        && there == host()
        && start_of(std::process::id()).is_some()
        && start_of(pid).as_deref() != Some(start)
}

/// When a process started, in ticks of this boot. A number of a process is used again, but not with the same start.
fn start_of(pid: u32) -> Option<String> {
    const PLACE_AFTER_NAME: usize = 19;
    let stat = std::fs::read_to_string(format!("/proc/{pid}/stat")).ok()?;
    // The name of the program stands in brackets and may have spaces and brackets in it.
    let (_, after) = stat.rsplit_once(')')?;
    after.split_whitespace().nth(PLACE_AFTER_NAME).map(str::to_owned)
}

/// Containers on one machine have names of their own, and cannot see each other's processes.
fn host() -> String {
    let name = std::fs::read_to_string("/proc/sys/kernel/hostname").unwrap_or_default();
    name.trim().replace(':', "-")
}
