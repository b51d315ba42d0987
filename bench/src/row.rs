//! One measured thing: our number, the number beside it, and the target.

use serde::Serialize;
use std::fmt;

/// The direction of a number: small ones are good for durations, large ones for rates.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Better {
    Less,
    More,
}

/// The best of several runs, and its distance to the worst.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct Sample {
    pub best: f64,
    pub spread_percent: f64,
}

/// The thing beside our number: a peer, or the most that the machine can do.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Beside {
    pub name: String,
    #[serde(flatten)]
    pub measured: Measured,
}

#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Measured {
    Sample(Sample),
    NotMeasured { reason: String },
}

#[derive(Debug, Clone, Serialize)]
pub struct Row {
    pub group: &'static str,
    pub what: String,
    pub unit: &'static str,
    pub better: Better,
    pub ours: Measured,
    pub beside: Option<Beside>,
    /// The target. With something beside us: how many times as good as that we must be. Alone: the bound of our
    /// number.
    pub target: Option<f64>,
}

impl Sample {
    /// Makes the sample of some runs; `None` for no runs.
    pub fn of(runs: &[f64], better: Better) -> Option<Sample> {
        let sorted = |a: &f64, b: &f64| a.total_cmp(b);
        let (least, most) = (runs.iter().copied().min_by(sorted)?, runs.iter().copied().max_by(sorted)?);
        let best = if better == Better::Less { least } else { most };
        Some(Sample { best, spread_percent: (most - least) / best.abs().max(f64::MIN_POSITIVE) * 100.0 })
    }
}

impl Measured {
    /// Returns the best of all runs, or the reason of the first failure.
    pub fn of(runs: Vec<Result<f64, String>>, better: Better) -> Measured {
        match runs.into_iter().collect::<Result<Vec<f64>, String>>() {
            Err(reason) => Measured::NotMeasured { reason },
            Ok(runs) => Sample::of(&runs, better)
                .map_or_else(|| Measured::NotMeasured { reason: "no run".into() }, Measured::Sample),
        }
    }

    fn best(&self) -> Option<f64> {
        match self {
            Measured::Sample(sample) => Some(sample.best),
            Measured::NotMeasured { .. } => None,
        }
    }
}

impl Row {
    /// Returns how many times as good as the thing beside us we are.
    pub fn ratio(&self) -> Option<f64> {
        let (ours, theirs) = (self.ours.best()?, self.beside.as_ref()?.measured.best()?);
        Some(if self.better == Better::Less { theirs / ours } else { ours / theirs })
    }

    /// Whether the target is met; `None` without a target, or if something could not be measured.
    pub fn is_met(&self) -> Option<bool> {
        let target = self.target?;
        if self.beside.is_some() {
            return Some(self.ratio()? >= target);
        }
        let ours = self.ours.best()?;
        Some(if self.better == Better::Less { ours <= target } else { ours >= target })
    }

    /// Lists the things that could not be measured, with the reasons.
    pub fn missing(&self) -> Vec<String> {
        let ours = std::iter::once((&self.what, &self.ours));
        let theirs = self.beside.iter().map(|beside| (&beside.name, &beside.measured));
        let missing = ours.chain(theirs).filter_map(|(name, measured)| match measured {
            Measured::NotMeasured { reason } => Some(format!("{name}: {reason}")),
            Measured::Sample(_) => None,
        });
        missing.collect()
    }

    fn target_text(&self) -> String {
        match (self.target, &self.beside, self.better) {
            (None, ..) => String::new(),
            (Some(target), Some(_), _) => format!(">= {}x", short(target)),
            (Some(target), None, Better::Less) => format!("<= {}", short(target)),
            (Some(target), None, Better::More) => format!(">= {}", short(target)),
        }
    }

    fn verdict(&self) -> &'static str {
        match (self.target, self.is_met()) {
            (None, _) => "",
            (_, Some(true)) => "met",
            (_, Some(false)) => "NOT MET",
            (_, None) => "not measured",
        }
    }

    fn cells(&self) -> [String; 8] {
        let beside = self.beside.as_ref();
        [
            self.what.clone(),
            self.ours.to_string(),
            self.unit.to_owned(),
            beside.map_or_else(String::new, |beside| beside.name.clone()),
            beside.map_or_else(String::new, |beside| beside.measured.to_string()),
            self.ratio().map_or_else(String::new, |ratio| format!("{}x", short(ratio))),
            self.target_text(),
            self.verdict().to_owned(),
        ]
    }
}

impl fmt::Display for Measured {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Measured::Sample(sample) => write!(f, "{} ±{:.0}%", short(sample.best), sample.spread_percent),
            Measured::NotMeasured { .. } => f.write_str("not measured"),
        }
    }
}

/// Formats all rows under one heading, with aligned columns.
pub fn table(rows: &[Row]) -> String {
    const HEADING: [&str; 8] =
        ["what", "Etude", "unit", "beside", "its number", "ratio", "target", "verdict"];
    let mut lines = vec![HEADING.map(str::to_owned)];
    lines.extend(rows.iter().map(Row::cells));
    let widths: [usize; 8] =
        std::array::from_fn(|at| lines.iter().map(|line| line[at].chars().count()).max().unwrap_or(0));
    let padded = |line: &[String; 8]| {
        let cells = line.iter().zip(widths).map(|(cell, width)| format!("{cell:<width$}"));
        cells.collect::<Vec<_>>().join("  ").trim_end().to_owned()
    };
    lines.iter().map(padded).collect::<Vec<_>>().join("\n")
}

/// Formats three significant digits; more would claim more than was measured.
fn short(number: f64) -> String {
    match number.abs() {
        size if size >= 1e6 => format!("{:.2}M", number / 1e6),
        size if size >= 1e4 => format!("{:.1}k", number / 1e3),
        size if size >= 100.0 => format!("{number:.0}"),
        size if size >= 10.0 => format!("{number:.1}"),
        size if size.fract() == 0.0 => format!("{number:.0}"),
        _ => format!("{number:.2}"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(better: Better, ours: &[f64], theirs: Option<&[f64]>, target: f64, met: bool) {
        let measured = |runs: &[f64]| Measured::of(runs.iter().map(|run| Ok(*run)).collect(), better);
        let row = Row {
            group: "test",
            what: "a row".into(),
            unit: "ns",
            better,
            ours: measured(ours),
            beside: theirs.map(|runs| Beside { name: "peer".into(), measured: measured(runs) }),
            target: Some(target),
        };
        assert_eq!(row.is_met(), Some(met), "{row:?}");
    }

    #[test]
    fn a_verdict_takes_the_best_run_in_the_right_direction() {
        check(Better::Less, &[40.0, 60.0], None, 50.0, true);
        check(Better::More, &[40.0, 60.0], None, 50.0, true);
        check(Better::More, &[40.0, 49.0], None, 50.0, false);
        check(Better::Less, &[10.0], Some(&[1990.0, 2000.0]), 200.0, false);
        check(Better::More, &[80.0], Some(&[100.0]), 0.8, true);
    }

    #[test]
    fn what_was_not_measured_meets_nothing() {
        let runs = vec![Ok(1.0), Err("no server".to_owned())];
        assert_eq!(Measured::of(runs, Better::More), Measured::NotMeasured { reason: "no server".into() });
    }
}
