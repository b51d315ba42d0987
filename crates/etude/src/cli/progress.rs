//! `etude progress`: how learning goes, as bars, as numbers, or as a picture.

use super::attempt::{self, Practice};
use super::config::Config;
use super::context::with_app;
use super::drill;
use super::output::{self, Done, QUIET, STRONG, no, paint, say};
use super::screen::columns;
use super::screen::layout::{Span, hanging};
use super::teach::course_id;
use crate::builtin;
use crate::teach::analytics::{self, Report, percent};
use anstyle::Style;
use clap::Args;
use coaching::teach::analytics::Analytics;
use coaching::teach::chart;
use std::path::PathBuf;
use std::process::ExitCode;

#[derive(Debug, Args)]
pub(crate) struct Progress {
    /// Only this course: its id, its curriculum or its title
    course: Option<String>,
    /// The learner
    #[arg(long, default_value = "me")]
    learner: String,
    /// Draw a chart into this file
    #[arg(long, value_name = "FILE", conflicts_with = "json")]
    svg: Option<PathBuf>,
}

impl Progress {
    pub(crate) async fn run(self, config: &Config) -> Done {
        with_app(config, async |app| {
            let report = match &self.course {
                None => analytics::report(app, &self.learner).await?,
                Some(course) => {
                    let id = course_id(app, &self.learner, course).await?;
                    let numbers = analytics::course(app, &id).await?;
                    Report { all: numbers.clone(), courses: vec![numbers] }
                }
            };
            match &self.svg {
                Some(path) => draw(path, &report),
                None if config.json && self.course.is_some() => output::json(&report.all),
                None if config.json => output::json(&report),
                None => {
                    let (packs, _) = builtin::read_packs(Some(config.packs_folder()));
                    let mut words = drill::rows(app, &self.learner, packs).await?;
                    words.retain(|row| row.is_begun() && self.course.is_none());
                    let practice = attempt::practice(app, &self.learner).await?;
                    let practice = Some(practice).filter(|done| done.patterns > 0 && self.course.is_none());
                    show(&report, &words, practice.as_ref(), config.shows_utf8());
                    Ok(ExitCode::SUCCESS)
                }
            }
        })
        .await
    }
}

fn draw(path: &PathBuf, report: &Report) -> Done {
    let svg = chart::svg(&format!("Progress: {}", report.all.title), &report.charts());
    std::fs::write(path, svg).map_err(|error| no(format!("{}: {error}", path.display())))?;
    Ok(ExitCode::SUCCESS)
}

fn show(report: &Report, words: &[drill::Row], practice: Option<&Practice>, utf8: bool) {
    if report.courses.is_empty() && words.is_empty() && practice.is_none() {
        return say!(
            "There is nothing to show yet. `etude teach TOPIC` starts a course, `etude drill` lists the packs, `etude attempt` the coding problems."
        );
    }
    let courses = lines(&report.all).into_iter().filter(|_| !report.courses.is_empty());
    let words = words.iter().map(|row| ("words", row.progress()));
    for (name, value) in courses.chain(words).chain(practice.into_iter().flat_map(practised)) {
        let first = paint(QUIET, format!("{name:<14} "));
        let line = hanging(&first, &" ".repeat(15), &[Span::new(Style::new(), value)], columns());
        say!("{}", line.trim_end());
    }
    for part in report.charts() {
        say!("\n{}", paint(STRONG, &part.title));
        let drawn = chart::text_within(&part.bars, columns());
        output::text(&if utf8 { drawn } else { in_ascii(&drawn) });
    }
}

fn lines(all: &Analytics) -> Vec<(&'static str, String)> {
    let share = |share: Option<f64>| share.map_or_else(|| "not known yet".to_owned(), percent);
    let mut lines = vec![
        ("mastery", format!("{} ({} of {} concepts)", percent(all.mastery_pct), all.mastered, all.nodes)),
        ("velocity", format!("{:.1} concepts per week", all.velocity_per_week)),
        ("retention", format!("{} in 7 days, {} in 30", share(all.retention_7d), share(all.retention_30d))),
        ("answers", format!("{}, {} of them this week", all.answers, all.answers_7d)),
    ];
    if let Some(area) = &all.strongest_area {
        lines.push(("strongest", format!("{} ({})", area.label, percent(area.mean_score))));
    }
    if let Some(part) = all.best_time_of_day {
        lines.push(("best time", part.as_str().to_owned()));
    }
    if let Some(at) = all.estimated_completion_at {
        lines.push(("done around", at.strftime("%Y-%m-%d").to_string()));
    }
    lines
}

/// Problems and patterns, and what to go on with.
fn practised(practice: &Practice) -> Vec<(&'static str, String)> {
    let Practice { solved, problems, patterns, due, next } = practice;
    let again = if *due > 0 { format!(", {due} to be used again") } else { String::new() };
    let mut lines = vec![
        ("problems", format!("{solved} of {problems} solved")),
        ("patterns", format!("{patterns} practised{again}")),
    ];
    lines.extend(next.as_ref().map(|(id, title)| ("next", format!("`etude attempt {id}`: {title}"))));
    lines
}

/// Blocks for terminals that have none.
fn in_ascii(text: &str) -> String {
    let plain = |char: char| match char {
        '█' | '▉' | '▊' | '▋' | '▌' => '#',
        '▍' | '▎' | '▏' => ' ',
        char => char,
    };
    text.chars().map(plain).collect()
}
