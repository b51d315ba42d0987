//! Names this process in leases, and tells whether the process behind a name has died.

use uuid::Uuid;

/// Returns a name made of host, process id and start time, and a part that no other process has.
pub fn name() -> String {
    let pid = std::process::id();
    let start = start_of(pid).unwrap_or_default();
    format!("{}:{pid}:{start}:{}", host(), Uuid::now_v7())
}

/// Whether a process of this machine has ended. False for processes of other machines, and on systems that do not
/// tell.
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

/// Returns the start time of a process, in clock ticks since boot. A process id may be reused, but not with the
/// same start time.
fn start_of(pid: u32) -> Option<String> {
    const PLACE_AFTER_NAME: usize = 19;
    let stat = std::fs::read_to_string(format!("/proc/{pid}/stat")).ok()?;
    // The program's name stands in parentheses and may itself contain spaces and parentheses.
    let (_, after) = stat.rsplit_once(')')?;
    after.split_whitespace().nth(PLACE_AFTER_NAME).map(str::to_owned)
}

/// Returns the host name. Containers on one machine have different host names and cannot see each other's
/// processes.
fn host() -> String {
    let name = std::fs::read_to_string("/proc/sys/kernel/hostname").unwrap_or_default();
    name.trim().replace(':', "-")
}
