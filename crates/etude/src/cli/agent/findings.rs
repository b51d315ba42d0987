//! The doctor's findings about the agent coach: unusable files and recent trouble.

use crate::cli::config::Config;
use outside::Finding;
use shell::agent::Journal;
use shell::engine::failure::counted;

/// The number of log lines, counted from the newest, that are searched for trouble.
const MAX_LINES: usize = 500;

pub(in crate::cli) fn findings(config: &Config) -> Vec<Finding> {
    let mut findings = Vec::new();
    if let Err(error) = config.agents() {
        findings.push(Finding::warning(
            format!("the usual settings hold for agents: {error}"),
            "correct the file",
        ));
    }
    for left_out in config.playbook().1 {
        findings.push(Finding::warning(left_out, "correct the file, or delete it"));
    }
    let entries = Journal::new(&config.data).read();
    let recent = &entries[entries.len().saturating_sub(MAX_LINES)..];
    let is_trouble = |decision: &str| decision == "note" || decision == "failed_open";
    let troubles: Vec<_> = recent.iter().filter(|entry| is_trouble(&entry.decision)).collect();
    if let Some(last) = troubles.last() {
        let what = format!(
            "agents: something went wrong {}, last at {}: {}",
            counted(troubles.len(), "time"),
            config.local_time(&last.time),
            last.reason
        );
        findings.push(Finding::warning(what, "`etude agent log` has the details"));
    }
    if findings.is_empty() {
        findings.push(Finding::fine("the coach of agents has its files, and nothing went wrong of late"));
    }
    findings
}
