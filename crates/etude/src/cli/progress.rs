//! `etude progress`: shows how learning is going, as bars, as numbers or as a picture.

use super::attempt::{self, Practice};
use super::config::Config;
use super::context::with_app;
use super::drill;
use super::output::{self, Done, QUIET, STRONG, no, paint, say};
use super::screen::columns;
use super::screen::layout::{Span, columns_of, hanging};
use super::teach::course_id;
use super::words::{self, Voice};
use anstyle::Style;
use clap::Args;
use coaching::teach::analytics::Analytics;
use coaching::teach::chart;
use coaching::teach::digest::{date, decimal};
use coaching::teach::looks::{self, Report, percent};
use coaching::teach::words::part_of_day;
use coaching::words::Text;
use jiff::tz::TimeZone;
use shell::builtin;
use shell::engine::look::look;
use std::path::PathBuf;
use std::process::ExitCode;

/// A line of numbers: the key of its label for `words::numbers_label`, and its text.
type Line = (&'static str, Text);

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
                None => look(app, &self.learner, looks::report).await?,
                Some(course) => {
                    let id = course_id(app, &self.learner, course).await?;
                    let numbers = look(app, &self.learner, |shelf| looks::numbers(shelf, &id)).await?;
                    Report { all: numbers.clone(), courses: vec![numbers] }
                }
            };
            let voice = Voice::of(app, config, &self.learner, None, None).await?;
            match &self.svg {
                Some(path) => draw(path, &report, &voice),
                None if config.json && self.course.is_some() => output::json(&report.all),
                None if config.json => output::json(&report),
                None => {
                    let (packs, _) = builtin::read_packs(Some(config.packs_folder()));
                    let mut words = drill::rows(app, &self.learner, packs).await?;
                    words.retain(|row| row.is_begun() && self.course.is_none());
                    let practice = attempt::practice(app, &self.learner).await?;
                    let practice = Some(practice).filter(|done| done.patterns > 0 && self.course.is_none());
                    let lines = lines(&report, &words, practice.as_ref(), &self.learner);
                    show(&report, &lines, &voice, config.shows_utf8());
                    Ok(ExitCode::SUCCESS)
                }
            }
        })
        .await
    }
}

fn draw(path: &PathBuf, report: &Report, voice: &Voice<'_>) -> Done {
    let title = match report.all.mind_map_id {
        Some(_) => words::numbers_of(&report.all.title),
        None => words::numbers_of_all(),
    };
    let svg = chart::svg(&voice.say(&title), &report.charts(|text| voice.say(text)));
    std::fs::write(path, svg).map_err(|error| no(format!("{}: {error}", path.display())))?;
    Ok(ExitCode::SUCCESS)
}

fn show(report: &Report, lines: &[Line], voice: &Voice<'_>, utf8: bool) {
    if lines.is_empty() {
        return say!("{}", voice.say(&words::numbers_nothing()));
    }
    let labels: Vec<String> =
        lines.iter().map(|(about, _)| voice.say(&words::numbers_label(*about))).collect();
    let widest = labels.iter().map(|label| columns_of(label)).max().unwrap_or(0);
    for (label, (_, says)) in labels.iter().zip(lines) {
        let gap = " ".repeat(widest - columns_of(label) + 2);
        let first = paint(QUIET, format!("{label}{gap}"));
        let says = Span::new(Style::new(), voice.say(says));
        say!("{}", hanging(&first, &" ".repeat(widest + 2), &[says], columns()).trim_end());
    }
    for part in report.charts(|text| voice.say(text)) {
        say!("\n{}", paint(STRONG, &part.title));
        let drawn = chart::text_within(&part.bars, columns());
        output::text(&if utf8 { drawn } else { in_ascii(&drawn) });
    }
}

fn lines(report: &Report, packs: &[drill::Row], practice: Option<&Practice>, learner: &str) -> Vec<Line> {
    let courses = if report.courses.is_empty() { Vec::new() } else { learned(&report.all) };
    let packs = packs.iter().map(|row| ("words", row.progress()));
    let practised = practice.into_iter().flat_map(|practice| practised(practice, learner));
    courses.into_iter().chain(packs).chain(practised).collect()
}

/// Returns the lines about courses.
fn learned(all: &Analytics) -> Vec<Line> {
    let share = |share: Option<f64>| share.map_or_else(words::numbers_unknown, |share| percent(share).into());
    let mut lines = vec![
        ("mastery", words::numbers_mastery(percent(all.mastery_pct), all.mastered, all.nodes)),
        ("pace", words::numbers_pace(decimal(all.velocity_per_week))),
        ("retention", words::numbers_retention(share(all.retention_7d), share(all.retention_30d))),
        ("answers", words::numbers_answers(all.answers, all.answers_7d)),
    ];
    if let Some(area) = &all.strongest_area {
        lines.push(("strongest", words::numbers_area(&area.label, percent(area.mean_score))));
    }
    if let Some(part) = all.best_time_of_day {
        lines.push(("best-time", part_of_day(part.as_str())));
    }
    if let Some(at) = all.estimated_completion_at {
        lines.push(("done-around", date(at.to_zoned(TimeZone::UTC).date())));
    }
    lines
}

/// Returns the lines about problems and patterns, and the next problem.
fn practised(practice: &Practice, learner: &str) -> Vec<Line> {
    let Practice { solved, problems, patterns, due, next } = practice;
    let mut lines = vec![
        ("problems", words::numbers_problems(*solved, *problems)),
        ("patterns", words::numbers_patterns(*patterns, *due)),
    ];
    let next = next.as_ref();
    lines.extend(
        next.map(|next| ("next", words::numbers_next(attempt::command(&next.id, learner), &next.title))),
    );
    lines
}

/// Replaces block characters, for terminals that lack them.
fn in_ascii(text: &str) -> String {
    let plain = |char: char| match char {
        '█' | '▉' | '▊' | '▋' | '▌' => '#',
        '▍' | '▎' | '▏' => ' ',
        char => char,
    };
    text.chars().map(plain).collect()
}
