//! Reads a review log from CSV or TSV text, whatever program wrote it.

use super::columns::{Columns, Scale};
use super::{Loose, MAX_REVIEWS, ReviewLog, moment};
use crate::learner::calendar::Calendar;
use crate::learner::memory::Quality;
use crate::pack::csv::records::Records;

/// The bad rows that are kept with their reason; the others are only counted.
const MAX_SHOWN: usize = 20;
/// A text with more broken quotes than this is no table.
const MAX_BROKEN: usize = 100;
/// A scale of six is recognised when this part of the ratings fits no other.
const SIX_AT_LEAST: f64 = 0.05;
const SEPARATORS: [u8; 4] = *b"\t,;|";

/// A log and what could not be read.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct ReadLog {
    pub log: ReviewLog,
    /// The first of the rows that were left out because something is wrong with them.
    pub bad_rows: Vec<BadRow>,
    pub bad_rows_count: usize,
    /// Rows that are no answers: Anki notes when a date was changed by hand.
    pub not_answers: usize,
    /// How the ratings were understood, in words.
    pub ratings_are: &'static str,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct BadRow {
    /// From 1.
    pub line: usize,
    pub why: String,
}

/// Reads a table whose first row has headings. A row that makes no sense is left out and named; an error says why
/// there is no log at all, and what to do.
pub fn read_log(source: &[u8], calendar: &Calendar) -> Result<ReadLog, String> {
    let text = String::from_utf8_lossy(source.strip_prefix(b"\xEF\xBB\xBF").unwrap_or(source));
    let separator = separator(&text);
    let mut rows = Rows { text: &text, separator, records: Records::new(&text, separator, 1), broken: 0 };
    let Some(Ok((_, headings))) = rows.next() else { return Err("the file has no rows".to_owned()) };
    let columns = Columns::find(&headings).map_err(|missing| no_columns(&missing, &headings))?;
    let mut reader = Reader { columns, calendar, rows: Vec::new(), read: ReadLog::default() };
    for row in rows {
        match row {
            Ok((line, fields)) => reader.row(line, &fields),
            Err(bad) => reader.bad(bad),
        }
        if reader.rows.len() > MAX_REVIEWS {
            return Err(format!("the file has more than {MAX_REVIEWS} reviews: give the newest ones only"));
        }
    }
    reader.finish()
}

/// The one that finds most of the headings, then the most columns.
fn separator(text: &str) -> u8 {
    let found = |separator: u8| {
        let first = Records::new(text, separator, 1).next().and_then(Result::ok);
        first.map_or((0, 0), |(_, headings)| (Columns::known(&headings), headings.len()))
    };
    SEPARATORS.into_iter().rev().max_by_key(|separator| found(*separator)).unwrap_or(b',')
}

fn no_columns(missing: &str, headings: &[String]) -> String {
    let seen: String = headings.join(", ").chars().take(200).collect();
    format!(
        "no column for {missing} was found among the headings “{seen}”. The first row names the columns; usual names \
         are card_id, review_datetime (or review_time, timestamp) and rating (or review_rating, ease)"
    )
}

/// The records of a table. After a broken one it goes on in the next line.
struct Rows<'t> {
    text: &'t str,
    separator: u8,
    records: Records<'t>,
    broken: usize,
}

impl Iterator for Rows<'_> {
    type Item = Result<(usize, Vec<String>), BadRow>;

    fn next(&mut self) -> Option<Self::Item> {
        let error = match self.records.next()? {
            Ok(record) => return Some(Ok(record)),
            Err(error) => error,
        };
        self.broken += 1;
        let rest = self.text.split_inclusive('\n').skip(error.line);
        let rest_bytes: usize = rest.map(str::len).sum();
        let rest = &self.text[self.text.len() - rest_bytes..];
        let goes_on = if self.broken < MAX_BROKEN { rest } else { "" };
        self.records = Records::new(goes_on, self.separator, error.line + 1);
        Some(Err(BadRow { line: error.line, why: error.message }))
    }
}

/// A row whose rating waits for all the others: only together they tell the scale.
struct Row {
    line: usize,
    review: Loose,
    rating: Written,
}

#[derive(Debug, Clone, Copy)]
enum Written {
    Number(u8),
    Word(Quality),
}

struct Reader<'c> {
    columns: Columns,
    calendar: &'c Calendar,
    rows: Vec<Row>,
    read: ReadLog,
}

impl Reader<'_> {
    fn row(&mut self, line: usize, fields: &[String]) {
        match self.read_row(line, fields) {
            Ok(row) => self.rows.push(row),
            Err(why) => self.bad(BadRow { line, why }),
        }
    }

    fn read_row(&self, line: usize, fields: &[String]) -> Result<Row, String> {
        let field = |at: usize| fields.get(at).map_or("", |field| field.trim());
        let card = field(self.columns.card);
        if card.is_empty() {
            return Err("it names no card".to_owned());
        }
        let time = field(self.columns.time);
        let at_us = moment::read(time, self.calendar.zone())
            .ok_or_else(|| format!("“{}” is no date or time", shown(time)))?;
        let rating = field(self.columns.rating);
        let written = written(rating).ok_or_else(|| format!("“{}” is no rating", shown(rating)))?;
        let elapsed_days = self.columns.elapsed_days.and_then(|at| whole(field(at)));
        // The quality is only known when the scale is.
        let review = Loose { card: card.to_owned(), at_us, quality: Quality::GOOD, elapsed_days };
        Ok(Row { line, review, rating: written })
    }

    fn bad(&mut self, row: BadRow) {
        self.read.bad_rows_count += 1;
        if self.read.bad_rows.len() < MAX_SHOWN {
            self.read.bad_rows.push(row);
        }
    }

    fn finish(mut self) -> Result<ReadLog, String> {
        let numbers = self.rows.iter().filter_map(|row| match row.rating {
            Written::Number(number) => Some(number),
            Written::Word(_) => None,
        });
        let scale = settled(self.columns.scale, numbers);
        let mut reviews = Vec::with_capacity(self.rows.len());
        for row in std::mem::take(&mut self.rows) {
            match (row.rating, scale.1(row.rating)) {
                (_, Some(quality)) => reviews.push(Loose { quality, ..row.review }),
                (Written::Number(0), None) if self.columns.scale == (Scale::Buttons { is_anki: true }) => {
                    self.read.not_answers += 1;
                }
                (rating, None) => self.bad(BadRow { line: row.line, why: out_of_scale(rating, scale.0) }),
            }
        }
        if reviews.is_empty() {
            return Err(nothing_left(&self.read));
        }
        self.read.bad_rows.sort_by_key(|row| row.line);
        self.read.ratings_are = scale.0;
        self.read.log = ReviewLog::of(reviews, self.calendar);
        Ok(self.read)
    }
}

fn nothing_left(read: &ReadLog) -> String {
    match read.bad_rows.first() {
        None => "the file has headings and no reviews".to_owned(),
        Some(BadRow { line, why }) => {
            format!("none of the {} rows is a review; line {line}: {why}", read.bad_rows_count)
        }
    }
}

fn out_of_scale(rating: Written, scale: &str) -> String {
    match rating {
        Written::Number(number) => format!("the rating {number} is not one of {scale}"),
        Written::Word(_) => "its rating is not one of the others' kind".to_owned(),
    }
}

fn written(text: &str) -> Option<Written> {
    if let Some(number) = whole(text) {
        return u8::try_from(number).ok().map(Written::Number);
    }
    match text.to_lowercase().trim_start_matches("rating.") {
        "again" | "fail" | "failed" | "wrong" | "false" | "forgot" => Some(Written::Word(Quality::AGAIN)),
        "hard" => Some(Written::Word(Quality::HARD)),
        "good" | "pass" | "passed" | "right" | "correct" | "true" => Some(Written::Word(Quality::GOOD)),
        "easy" => Some(Written::Word(Quality::EASY)),
        _ => None,
    }
}

/// A whole number that is not negative, also when it is written as 3.0.
fn whole(text: &str) -> Option<u32> {
    let number: f64 = text.parse().ok()?;
    let is_whole = (0.0..=f64::from(u32::MAX)).contains(&number) && number.fract() == 0.0;
    is_whole.then_some(number as u32)
}

type Meaning = fn(Written) -> Option<Quality>;

/// How the ratings are meant, in words and as a function. The heading decides where it can, then the values.
fn settled(scale: Scale, numbers: impl Iterator<Item = u8>) -> (&'static str, Meaning) {
    const BUTTONS: (&str, Meaning) = ("1 again, 2 hard, 3 good, 4 easy", of_button);
    const QUALITY: (&str, Meaning) = ("0 to 5, from 3 on recalled", of_quality);
    const RECALL: (&str, Meaning) = ("0 forgotten, 1 recalled", of_recall);
    let mut counts = [0usize; 256];
    numbers.for_each(|number| counts[usize::from(number)] += 1);
    let all: usize = counts.iter().sum();
    let other: usize = counts[2..].iter().sum();
    match scale {
        Scale::Quality => QUALITY,
        Scale::Buttons { .. } => BUTTONS,
        Scale::Unknown if counts[0] > 0 && other == 0 => RECALL,
        Scale::Unknown if (counts[0] + counts[5]) as f64 >= SIX_AT_LEAST * all.max(1) as f64 => QUALITY,
        Scale::Unknown => BUTTONS,
    }
}

fn of_button(rating: Written) -> Option<Quality> {
    match rating {
        Written::Word(quality) => Some(quality),
        Written::Number(1) => Some(Quality::AGAIN),
        Written::Number(2) => Some(Quality::HARD),
        Written::Number(3) => Some(Quality::GOOD),
        Written::Number(4) => Some(Quality::EASY),
        Written::Number(_) => None,
    }
}

fn of_quality(rating: Written) -> Option<Quality> {
    match rating {
        Written::Word(quality) => Some(quality),
        Written::Number(number) => Quality::new(number),
    }
}

fn of_recall(rating: Written) -> Option<Quality> {
    match rating {
        Written::Word(quality) => Some(quality),
        Written::Number(0) => Some(Quality::AGAIN),
        Written::Number(1) => Some(Quality::GOOD),
        Written::Number(_) => None,
    }
}

fn shown(text: &str) -> String {
    text.chars().filter(|c| !c.is_control()).take(40).collect()
}
