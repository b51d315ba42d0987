//! Steps through a recorded call of a program at a terminal.

use super::page::Item;
use super::{Held, Seat};
use crate::cli::screen::Look;
use crate::cli::words;
use coaching::desk::{Block, Desk};
use coaching::judging::{Step, Trace};
use coaching::words::Text;

/// The words that go back one step, and those that go on.
const BACK: &[&str] = &["b", "back", "z", "zurück"];
const NEXT: &[&str] = &["", "n", "next", "w", "weiter"];
/// The number of lines shown above and below the present one, in a longer program.
const AROUND: usize = 6;

impl Seat<'_> {
    /// Goes to the first step if the desk shows a call that was not there before.
    pub(super) fn begin_steps(&self, held: &mut Held) {
        let is_new = |block: &&Block| held.seen.as_ref().is_none_or(|seen| !seen.blocks.contains(block));
        let is_pretty = matches!(self.screen.look(), Look::Pretty { .. });
        held.at_step = (is_pretty && steps(&held.desk).filter(is_new).is_some()).then_some(0);
    }

    pub(super) fn show_step_keys(&mut self) {
        self.note(words::step_keys());
    }

    /// Takes a line that moves between steps. Returns whether it did.
    pub(super) fn step(&mut self, held: &mut Held, line: &str) -> bool {
        let Some(at) = held.at_step.take() else { return false };
        let typed = line.trim().to_lowercase();
        let Some(Block::Steps { trace, .. }) = steps(&held.desk) else { return false };
        let last = trace.steps.len().saturating_sub(1);
        let next = match typed.parse::<usize>() {
            Ok(number) => number.saturating_sub(1).min(last),
            Err(_) if BACK.contains(&typed.as_str()) => at.saturating_sub(1),
            Err(_) if NEXT.contains(&typed.as_str()) => at + 1,
            Err(_) => return false,
        };
        if next > last {
            let ask = held.desk.ask.clone().map(Item::Ask);
            self.show(&ask.into_iter().collect::<Vec<_>>());
            return true;
        }
        let block = steps(&held.desk).cloned();
        self.show(&block.map(|block| Item::Step(block, next)).into_iter().collect::<Vec<_>>());
        held.at_step = Some(next);
        true
    }
}

fn steps(desk: &Desk) -> Option<&Block> {
    desk.blocks.iter().find(|block| matches!(block, Block::Steps { .. }))
}

/// Returns the lines around `line`, numbered from 1.
pub(super) fn around(code: &str, line: u64) -> Vec<(usize, &str)> {
    let lines: Vec<&str> = code.lines().collect();
    let (at, all) = ((line as usize).saturating_sub(1), 2 * AROUND + 1);
    let first = if lines.len() <= all { 0 } else { at.saturating_sub(AROUND).min(lines.len() - all) };
    lines.into_iter().enumerate().skip(first).take(all).map(|(at, line)| (at + 1, line)).collect()
}

/// Returns the text after the last step.
pub(super) fn ending(trace: &Trace, expected: &str) -> Text {
    match (&trace.error, &trace.result) {
        _ if trace.cut => words::steps_cut(),
        (Some(error), _) => words::step_error(error.as_str(), expected),
        (None, result) => words::step_result(result.clone().unwrap_or_default(), expected),
    }
}

/// Describes a step in a sentence, for screen readers.
pub(super) fn spoken(code: &str, number: usize, step: &Step) -> Text {
    let text = code.lines().nth((step.line as usize).saturating_sub(1)).unwrap_or_default().trim();
    let changed =
        step.changed.iter().filter_map(|name| Some(format!("{name} = {}", step.variables.get(name)?)));
    let changed = changed.collect::<Vec<_>>().join(", ");
    match &step.returned {
        Some(value) => words::step_returns(number, step.function.as_str(), value.as_str()),
        None if changed.is_empty() => words::step_line(number, step.line as u32, text),
        None => words::step_changes(number, step.line as u32, text, changed),
    }
}
