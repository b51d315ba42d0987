//! Looks at the processes of a sandbox from outside.

use std::fs;
use std::io::Read;

/// Returns the memory of all processes below `root`, in kilobytes. If the rough sum of three or more processes is
/// above the limit, pages that several of them share count once.
pub(crate) fn memory_kb(root: i32, limit_kb: u64) -> u64 {
    let family = family(root);
    let rough: u64 = family.iter().map(|pid| status_kb(*pid, &["RssAnon:", "RssShmem:"])).sum();
    if rough <= limit_kb || family.len() < 3 {
        return rough;
    }
    family.iter().map(|pid| proportional_kb(*pid)).sum()
}

/// Returns the most memory that a process has used so far, in kilobytes.
pub(crate) fn peak_kb(pid: i32) -> u64 {
    status_kb(pid, &["VmHWM:"])
}

/// Returns the first process below `root`.
pub(crate) fn first_child(root: i32) -> Option<i32> {
    children(root).first().copied()
}

fn family(root: i32) -> Vec<i32> {
    let mut family = vec![root];
    let mut at = 0;
    while at < family.len() {
        let below = children(family[at]);
        family.extend(below);
        at += 1;
    }
    family
}

fn children(pid: i32) -> Vec<i32> {
    let threads = fs::read_dir(format!("/proc/{pid}/task")).into_iter().flatten().flatten();
    let lists = threads.filter_map(|thread| fs::read_to_string(thread.path().join("children")).ok());
    lists
        .flat_map(|list| list.split_whitespace().filter_map(|pid| pid.parse().ok()).collect::<Vec<_>>())
        .collect()
}

fn status_kb(pid: i32, names: &[&str]) -> u64 {
    sum_kb(&format!("/proc/{pid}/status"), names)
}

fn proportional_kb(pid: i32) -> u64 {
    match sum_kb(&format!("/proc/{pid}/smaps_rollup"), &["Pss_Anon:", "Pss_Shmem:"]) {
        0 => status_kb(pid, &["RssAnon:", "RssShmem:"]),
        found => found,
    }
}

fn sum_kb(path: &str, names: &[&str]) -> u64 {
    let mut text = [0; 4 << 10];
    let size = fs::File::open(path).and_then(|mut file| file.read(&mut text)).unwrap_or(0);
    let text = String::from_utf8_lossy(&text[..size]);
    let lines = text.lines().filter_map(|line| {
        let rest = names.iter().find_map(|name| line.strip_prefix(name))?;
        rest.split_whitespace().next()?.parse::<u64>().ok()
    });
    lines.sum()
}
