//! Lists a learner's courses with what is due in them, and finds a course by name.

use super::command;
use crate::cli::desk::pretty::cells;
use crate::cli::output::{CAREFUL, GOOD, QUIET, STRONG};
use crate::cli::screen::layout::{Span, clean, paragraph};
use crate::cli::words::{self, Now, Voice};
use anstyle::Style;
use coaching::curriculum::Curriculum;
use coaching::look::Shelf;
use coaching::rejected::Rejected;
use coaching::teach::looks::{self, Listed};
use coaching::teach::state::FlowStatus;
use coaching::words::Text;
use serde::Serialize;
use shell::engine::app::App;
use shell::engine::failure::Failure;
use shell::engine::look::look;
use shell::learners::command_line::{ME, typed};

/// The shortest text that counts as the beginning of an id.
const MIN_ID_CHARS: usize = 4;
/// The least number of characters shown of an id. Ids made soon after each other begin alike.
const MIN_SHOWN_CHARS: usize = 8;
const BAR_CELLS: usize = 10;

/// The code of the refusal of a name that no course has.
pub(super) const UNKNOWN: &str = "unknown_course";

/// A course with its due reviews.
#[derive(Debug, Clone, Serialize)]
pub(crate) struct Row {
    #[serde(flatten)]
    pub listed: Listed,
    pub curriculum: Option<String>,
    pub due: usize,
    #[serde(skip)]
    pub next_due_us: Option<i64>,
    /// The beginning of the id that tells the course from the others.
    #[serde(skip)]
    pub short_id: String,
    /// The command that continues the course.
    pub command: String,
}

impl Row {
    /// Describes what the course waits for, unless it has ended.
    pub(crate) fn goes_on(&self, now: &Now) -> Option<Text> {
        let Listed { title, status, mastered, nodes, .. } = &self.listed;
        (!status.is_final()).then(|| match self.next_due_us.filter(|_| *status == FlowStatus::Reviewing) {
            Some(at_us) => words::greet_review(title.as_str(), now.until(at_us)),
            None => words::greet_course(title.as_str(), *mastered, *nodes),
        })
    }
}

/// The courses that a search covers.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Wanted {
    Open,
    Abandoned,
    Any,
}

impl Wanted {
    fn covers(self, status: FlowStatus) -> bool {
        match self {
            Wanted::Open => !status.is_final(),
            Wanted::Abandoned => status == FlowStatus::Abandoned,
            Wanted::Any => true,
        }
    }
}

/// Returns all courses of a learner, the last used first.
pub(crate) async fn rows(app: &App, learner: &str) -> Result<Vec<Row>, Failure> {
    let seen = |shelf: &Shelf| {
        Ok((looks::courses(shelf, None)?, looks::headers(shelf)?, looks::coming_back(shelf)?))
    };
    let (mut listed, headers, coming) = look(app, learner, seen).await?;
    // A course that ended before it had a map is useless.
    listed.retain(|course| course.nodes > 0 || !course.status.is_final());
    let now_us = app.clock.now().0;
    let due = |id: &str| {
        let coming = coming.get(id).map_or(&[][..], Vec::as_slice);
        (coming.iter().filter(|at_us| **at_us <= now_us).count(), coming.iter().copied().min())
    };
    let curriculum = |id: &str| {
        let header = headers.iter().find(|header| header.mind_map_id.to_string() == id)?;
        header.metadata.curriculum.clone()
    };
    let names: Vec<Name> = listed
        .iter()
        .map(|course| Name {
            id: course.mind_map_id.clone(),
            curriculum: curriculum(&course.mind_map_id),
            is_open: !course.status.is_final(),
        })
        .collect();
    let row = |(at, listed): (usize, Listed)| {
        let (due, next_due_us) = match listed.status {
            FlowStatus::Abandoned => (0, None),
            _ => due(&listed.mind_map_id),
        };
        let short_id = names[at].short_id(&names);
        let command = match listed.status {
            FlowStatus::Abandoned => resume_command(&short_id, learner),
            _ => command(&names[at].shortest(&names), learner),
        };
        Row { curriculum: names[at].curriculum.clone(), due, next_due_us, short_id, command, listed }
    };
    Ok(listed.into_iter().enumerate().map(row).collect())
}

#[derive(Debug)]
struct Name {
    id: String,
    curriculum: Option<String>,
    is_open: bool,
}

impl Name {
    /// Returns the shortest name of the course: its curriculum if no other open course has it, or else the
    /// beginning of its id.
    fn shortest(&self, all: &[Name]) -> String {
        let has_same = |other: &&Name| other.is_open && other.curriculum == self.curriculum;
        if let Some(curriculum) = self.curriculum.as_ref().filter(|_| self.is_open)
            && all.iter().filter(has_same).count() == 1
        {
            return curriculum.clone();
        }
        self.short_id(all)
    }

    fn short_id(&self, all: &[Name]) -> String {
        let is_only = |end: &usize| {
            let start = self.id.get(..*end);
            all.iter().filter(|other| other.id.get(..*end) == start).count() == 1
        };
        let end = (MIN_SHOWN_CHARS..self.id.len()).find(is_only).unwrap_or(self.id.len());
        self.id[..end].to_owned()
    }
}

/// Finds the course that a name means: an id, its beginning, a curriculum, a title or a word of it.
pub(super) fn find<'r>(rows: &'r [Row], name: &str, wanted: Wanted) -> Result<&'r Row, Failure> {
    let rows: Vec<&Row> = rows.iter().filter(|row| wanted.covers(row.listed.status)).collect();
    let name = name.trim();
    let of = |row: &Row, how: usize| match how {
        0 => row.listed.mind_map_id == name,
        1 => is_begun_by(&row.listed.mind_map_id, name),
        2 => row.curriculum.as_deref() == Some(name) || same(&row.listed.title, name),
        _ => row.listed.title.split(|c: char| !c.is_alphanumeric()).any(|word| same(word, name)),
    };
    for how in 0..4 {
        let found: Vec<&Row> = rows.iter().copied().filter(|row| of(row, how)).collect();
        match found.as_slice() {
            [] => {}
            [row] => return Ok(row),
            several => return Err(ambiguous(name, several)),
        }
    }
    Err(unknown(name, wanted))
}

/// Whether a name is the beginning of an id.
fn is_begun_by(id: &str, name: &str) -> bool {
    let is_id = name.len() >= MIN_ID_CHARS && name.chars().all(|c| c.is_ascii_hexdigit() || c == '-');
    is_id && id.starts_with(&name.to_ascii_lowercase())
}

fn same(a: &str, b: &str) -> bool {
    a.to_lowercase() == b.to_lowercase()
}

fn ambiguous(name: &str, rows: &[&Row]) -> Failure {
    let course = |row: &&Row| {
        let Listed { title, status, started_at, .. } = &row.listed;
        let since = started_at.strftime("%Y-%m-%d").to_string();
        words::course_since(row.short_id.as_str(), clean(title), status_name(*status), since)
    };
    Failure::Rejected(Rejected {
        code: "ambiguous_course",
        message: words::ambiguous_course(clean(name)),
        cure: words::ambiguous_course_cure(rows.iter().map(course).collect::<Vec<Text>>()),
    })
}

fn unknown(name: &str, wanted: Wanted) -> Failure {
    let kind = match wanted {
        Wanted::Open => "open",
        Wanted::Abandoned => "abandoned",
        Wanted::Any => "any",
    };
    Failure::Rejected(Rejected {
        code: UNKNOWN,
        message: words::unknown_course(clean(name), kind),
        cure: words::unknown_course_cure(),
    })
}

/// Finds a course by name. Open courses come before others of the same name.
pub(super) fn open_or_any<'r>(rows: &'r [Row], name: &str) -> Result<&'r Row, Failure> {
    match find(rows, name, Wanted::Open) {
        Err(Failure::Rejected(rejected)) if rejected.code == UNKNOWN => find(rows, name, Wanted::Any),
        found => found,
    }
}

/// Finds the ended course on a topic: a completed one, or else an abandoned one. A word of its title is not
/// enough, because the learner may want to start another course.
pub(super) fn ended<'r>(rows: &'r [Row], topic: &str, curricula: &[Curriculum]) -> Option<&'r Row> {
    let meant = curricula.iter().find(|curriculum| curriculum.id == topic || curriculum.matches(topic));
    let is_it = |row: &&&Row| {
        let of_curriculum = meant.is_some_and(|meant| row.curriculum.as_ref() == Some(&meant.id));
        of_curriculum || same(&row.listed.title, topic) || is_begun_by(&row.listed.mind_map_id, topic)
    };
    let by = |status: FlowStatus| {
        let ended: Vec<&Row> = rows.iter().filter(|row| row.listed.status == status).collect();
        ended.iter().find(is_it).copied()
    };
    by(FlowStatus::Completed).or_else(|| by(FlowStatus::Abandoned))
}

/// Describes how many reviews are due in these courses, or when the next one is.
pub(crate) fn what_is_due(rows: &[&Row], now: &Now) -> Text {
    let due: usize = rows.iter().map(|row| row.due).sum();
    match (due, rows.iter().filter_map(|row| row.next_due_us).min()) {
        (1.., _) => words::due_now(due),
        (0, Some(at_us)) => words::next_review(now.until(at_us)),
        (0, None) => words::nothing_due(),
    }
}

/// Lists the courses, and the curricula that could be started, with the command for each.
pub(super) fn list(
    rows: &[Row],
    curricula: &[Curriculum],
    learner: &str,
    (now, columns): (&Now, usize),
    voice: &Voice<'_>,
) -> String {
    let line = |text: &str| paragraph("", &[Span::new(PLAIN, text)], columns);
    let mut text = String::new();
    if !rows.is_empty() {
        let heading = if learner == ME { words::your_courses() } else { words::courses_of(clean(learner)) };
        text += &format!("{}\n", line(&voice.say(&heading)));
        text.extend(rows.iter().map(|row| entry(row, now, columns, voice)));
        text.push('\n');
    }
    let is_of = |row: &&Row, curriculum: &Curriculum| row.curriculum.as_deref() == Some(&curriculum.id);
    let is_left = |curriculum: &&Curriculum| {
        let mut courses = rows.iter().filter(|row| is_of(row, curriculum));
        courses.all(|row| row.listed.status == FlowStatus::Abandoned)
    };
    let left: Vec<&Curriculum> = curricula.iter().filter(is_left).collect();
    if !left.is_empty() {
        text += &format!("{}\n", line(&voice.say(&words::could_learn())));
        text.extend(left.into_iter().map(|curriculum| {
            let was_begun = rows.iter().any(|row| is_of(&row, curriculum));
            let command = command(&curriculum.id, learner) + if was_begun { " --again" } else { "" };
            offer(curriculum, &command, columns, voice)
        }));
        text.push('\n');
    }
    text + line(&voice.say(&words::anything_else())).trim_end()
}

const PLAIN: Style = Style::new();
const TITLE: &str = "  ";
const DETAILS: &str = "      ";
/// The gap between a title and the text beside it. A line may end after the first space.
const GAP: &str = "\u{a0} ";

fn offer(curriculum: &Curriculum, command: &str, columns: usize, voice: &Voice<'_>) -> String {
    let (concepts, minutes) = (curriculum.concepts.len(), curriculum.minutes());
    let time = match minutes {
        0..90 => words::minutes(minutes),
        _ => words::hours(minutes.div_ceil(60)),
    };
    let about = voice.say(&words::curriculum(concepts, time, words::language(curriculum.language.as_str())));
    let title = [Span::new(STRONG, &curriculum.title), Span::new(PLAIN, GAP), Span::new(QUIET, about)];
    paragraph(TITLE, &title, columns) + &paragraph(DETAILS, &[Span::new(PLAIN, command)], columns)
}

fn entry(row: &Row, now: &Now, columns: usize, voice: &Voice<'_>) -> String {
    let Listed { title, status, nodes, mastered, mastery_pct, .. } = &row.listed;
    let (full, empty) = cells(*mastery_pct, BAR_CELLS);
    let stands = voice.say(&words::course_stands(status_name(*status), *mastered, *nodes));
    let mut about =
        vec![Span::new(GOOD, full), Span::new(QUIET, empty), Span::new(PLAIN, format!(" {stands}"))];
    let (due_style, due) = match (row.due, row.next_due_us) {
        (due @ 1.., _) => (CAREFUL, Some(words::reviews_due(due))),
        (0, next) => (PLAIN, next.map(|at_us| words::review_when(now.until(at_us)))),
    };
    if let Some(due) = due {
        about.extend([Span::new(PLAIN, " · "), Span::new(due_style, voice.say(&due))]);
    }
    let what_to_type = match status {
        FlowStatus::Completed => None,
        FlowStatus::Abandoned => Some(Span::new(QUIET, &row.command)),
        _ => Some(Span::new(PLAIN, &row.command)),
    };
    let title = [Span::new(STRONG, title), Span::new(PLAIN, GAP), Span::new(QUIET, &row.short_id)];
    let what_to_type = what_to_type.map(|command| paragraph(DETAILS, &[command], columns));
    paragraph(TITLE, &title, columns)
        + &paragraph(DETAILS, &about, columns)
        + &what_to_type.unwrap_or_default()
}

fn status_name(status: FlowStatus) -> Text {
    coaching::teach::words::status(status.as_str())
}

fn resume_command(id: &str, learner: &str) -> String {
    typed(&["teach", "resume", id], learner)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn row(id: &str, title: &str, curriculum: Option<&str>, status: FlowStatus) -> Row {
        let at = jiff::Timestamp::UNIX_EPOCH;
        Row {
            listed: Listed {
                mind_map_id: id.to_owned(),
                title: title.to_owned(),
                status,
                session_count: 0,
                started_at: at,
                last_session_at: at,
                mastery_pct: 0.0,
                nodes: 3,
                mastered: 0,
            },
            curriculum: curriculum.map(str::to_owned),
            due: 0,
            next_due_us: None,
            short_id: id.to_owned(),
            command: String::new(),
        }
    }

    #[test]
    fn a_course_is_found_by_any_of_its_names() {
        use FlowStatus::{Abandoned, Teaching};
        let rows = [
            row("01aa-1", "SQL for people who can use a spreadsheet", Some("sql"), Teaching),
            row("01ab-2", "Python from zero", Some("python-from-zero"), Teaching),
            row("01ac-3", "Python from zero", Some("python-from-zero"), Abandoned),
            row("01ad-4", "Knots", None, Teaching),
            row("01ae-5", "Sailors' knots", None, Teaching),
        ];
        let check = |name: &str, wanted: Wanted, expected: Result<&str, &str>| {
            let found = find(&rows, name, wanted);
            let found =
                found.as_ref().map(|row| row.listed.mind_map_id.as_str()).map_err(|failure| failure.code());
            assert_eq!(found, expected, "{name}");
        };
        check("01aa-1", Wanted::Any, Ok("01aa-1"));
        check("01AB", Wanted::Any, Ok("01ab-2"));
        check("01a", Wanted::Any, Err("unknown_course"));
        check("sql", Wanted::Open, Ok("01aa-1"));
        check("Spreadsheet", Wanted::Open, Ok("01aa-1"));
        check("python", Wanted::Open, Ok("01ab-2"));
        check("python", Wanted::Abandoned, Ok("01ac-3"));
        check("python", Wanted::Any, Err("ambiguous_course"));
        // A whole title beats a word of another title.
        check("knots", Wanted::Open, Ok("01ad-4"));
        check("cheese", Wanted::Open, Err("unknown_course"));
    }

    #[test]
    fn a_course_that_has_ended_is_found_by_what_it_was_about() {
        use FlowStatus::{Abandoned, Completed, Teaching};
        let rows = [
            row("01aa-1", "Tea from scratch", Some("tea"), Abandoned),
            row("01ab-2", "Tea from scratch", Some("tea"), Completed),
            row("01ac-3", "Knots", None, Abandoned),
            row("01ad-4", "Kettles", None, Teaching),
        ];
        let check = |topic: &str, expected: Option<&str>| {
            let found = ended(&rows, topic, &[]).map(|row| row.listed.mind_map_id.as_str());
            assert_eq!(found, expected, "{topic}");
        };
        check("tea from scratch", Some("01ab-2"));
        check("01aa", Some("01aa-1"));
        check("knots", Some("01ac-3"));
        check("scratch", None);
        check("kettles", None);
    }

    #[test]
    fn a_course_gets_the_shortest_name_that_is_its_own() {
        let name = |id: &str, curriculum: Option<&str>, is_open: bool| Name {
            id: id.to_owned(),
            curriculum: curriculum.map(str::to_owned),
            is_open,
        };
        let all = [
            name("0123456789-a", Some("sql"), true),
            name("0123456789-b", Some("sql"), false),
            name("0123456799-c", None, true),
            name("9923456789-d", None, true),
        ];
        let shortest: Vec<String> = all.iter().map(|name| name.shortest(&all)).collect();
        assert_eq!(shortest, ["sql", "0123456789-b", "012345679", "99234567"]);
    }
}
