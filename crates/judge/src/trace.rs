//! Traces a call line by line. A program's account of itself is shown but never believed.

use crate::judge::{FORGED, Judge, failed, internal, load};
use crate::limits::Limits;
use crate::running::Event;
use crate::said::{RawFrame, RawStep, RawTrace, Said};
use crate::text::inert;
use coaching::judging::{Frame, Step, Trace, Verdict};
use serde_json::Value;
use std::collections::BTreeMap;
use std::time::Duration;

/// The most that is shown of a trace, however much a program says.
const STEPS: usize = 1_000;
const NAMES: usize = 24;
const CALLS: usize = 32;
const LETTERS: usize = 120;
/// The factor by which a trace may be slower than a call.
const SLOWER: u64 = 5;

impl Judge {
    /// Runs one call line by line. Returns `Err` if the program fails before the call, or if the judge fails.
    pub fn trace(
        &self,
        language: &str,
        source: &str,
        function: &str,
        args: &[Value],
        limits: &Limits,
    ) -> Result<Trace, (Verdict, String)> {
        if self.language(language).is_some_and(|language| !language.traces) {
            return Err(internal(format!("a program in {language} cannot be shown line by line")));
        }
        let _place = self.enter();
        let prepared = self.prepare(language, source, Some(function), args.len(), limits)?;
        let (mut running, _room) = self.start(&prepared, "trace").map_err(internal)?;
        load(&mut running, &prepared, "trace")?;
        let line = prepared.line(args);
        let event = running.ask(line.as_bytes(), Duration::from_millis(limits.time_ms * SLOWER));
        let (_, errors) = running.take_printed();
        match event {
            Event::Answer(line) => match serde_json::from_slice(&line) {
                Ok(Said::Trace(told)) => Ok(told.shown()),
                _ => Err((Verdict::RuntimeError, FORGED.into())),
            },
            Event::Trouble(trouble) => Err(internal(trouble)),
            other => Err(failed(&other, &errors, limits)),
        }
    }
}

impl RawTrace {
    fn shown(self) -> Trace {
        let is_cut = self.cut || self.steps.len() > STEPS;
        let mut seen: Vec<BTreeMap<String, String>> = Vec::new();
        let steps = self.steps.into_iter().take(STEPS).map(|step| step.shown(&mut seen)).collect();
        Trace {
            steps,
            result: self.result.map(|text| brief(&text)),
            error: self.error.map(|failure| failure.to_string()),
            cut: is_cut,
        }
    }
}

impl RawStep {
    /// Makes a step as it is shown. `seen` has the variables of each call that is still open, the outermost first.
    fn shown(self, seen: &mut Vec<BTreeMap<String, String>>) -> Step {
        let depth = self.stack.len().max(1);
        seen.resize_with(depth, BTreeMap::new);
        let pairs = self.variables.into_iter().take(NAMES).map(|(name, text)| (brief(&name), brief(&text)));
        let variables: BTreeMap<String, String> = pairs.collect();
        let is_new = |(name, text): &(&String, &String)| seen[depth - 1].get(*name) != Some(*text);
        let changed = variables.iter().filter(is_new).map(|(name, _)| name.clone()).collect();
        seen[depth - 1].clone_from(&variables);
        if self.returned.is_some() {
            seen.truncate(depth - 1);
        }
        let frame = |frame: RawFrame| Frame { function: brief(&frame.function), line: frame.line };
        Step {
            line: self.line,
            function: brief(&self.function),
            variables,
            changed,
            returned: self.returned.map(|text| brief(&text)),
            stack: self.stack.into_iter().take(CALLS).map(frame).collect(),
        }
    }
}

fn brief(text: &str) -> String {
    inert(text.as_bytes(), LETTERS)
}
