//! Reads a review log from CSV or TSV text, whichever program wrote it.

use super::columns::{Columns, Scale};
use super::{Loose, MAX_REVIEWS, ReviewLog, moment};
use crate::learner::calendar::Calendar;
use crate::learner::memory::Quality;
use crate::table::Rows;
use csv::StringRecord;

/// The number of bad rows that are kept with their reason; the others are only counted.
const MAX_SHOWN: usize = 20;
/// The least share of ratings outside every other scale that reveals a scale of six.
const SIX_AT_LEAST: f64 = 0.05;
const SEPARATORS: [u8; 4] = *b"\t,;|";

/// A log, and the rows that could not be read.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct ReadLog {
    pub log: ReviewLog,
    /// The first rows that were left out because they make no sense.
    pub bad_rows: Vec<BadRow>,
    pub bad_rows_count: usize,
    /// The number of rows that are not answers: Anki records when a date was changed by hand.
    pub not_answers: usize,
    /// The meaning of the ratings, in words.
    pub ratings_are: &'static str,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct BadRow {
    /// The number of the line, counted from 1.
    pub line: usize,
    pub why: String,
}

/// Reads a table whose first row has headings. Rows that make no sense are left out and listed. An error says why
/// there is no log at all, and what to do about it.
pub fn read_log(source: &[u8], calendar: &Calendar) -> Result<ReadLog, String> {
    let text = String::from_utf8_lossy(source.strip_prefix(b"\xEF\xBB\xBF").unwrap_or(source));
    let separator = separator(&text);
    let mut rows = Rows::new(&text, separator, 1);
    let Some(Ok((_, headings))) = rows.next() else { return Err("the file has no rows".to_owned()) };
    let columns = Columns::find(&headings).map_err(|missing| no_columns(&missing, &headings))?;
    let mut reader = Reader { columns, calendar, rows: Vec::new(), read: ReadLog::default() };
    for row in rows {
        match row {
            Ok((line, fields)) => reader.row(line, &fields),
            Err(error) => reader.bad(BadRow { line: error.line, why: error.message }),
        }
        if reader.rows.len() > MAX_REVIEWS {
            return Err(format!("the file has more than {MAX_REVIEWS} reviews: give the newest ones only"));
        }
    }
    reader.finish()
}

/// Returns the separator that finds the most known headings, or of several the one with the most columns.
fn separator(text: &str) -> u8 {
    let found = |separator: u8| {
        let first = Rows::new(text, separator, 1).next().and_then(Result::ok);
        first.map_or((0, 0), |(_, headings)| (Columns::known(&headings), headings.len()))
    };
    SEPARATORS.into_iter().rev().max_by_key(|separator| found(*separator)).unwrap_or(b',')
}

fn no_columns(missing: &str, headings: &StringRecord) -> String {
    let seen: String = headings.iter().collect::<Vec<_>>().join(", ").chars().take(200).collect();
    format!(
        "no column for {missing} was found among the headings “{seen}”. The first row names the columns; usual names \
         are card_id, review_datetime (or review_time, timestamp) and rating (or review_rating, ease)"
    )
}

/// A row with its rating. If the rating is a number, its meaning is still open: only all numbers together show
/// the scale.
struct Row {
    line: usize,
    review: Loose,
    number: Option<u8>,
}

struct Reader<'c> {
    columns: Columns,
    calendar: &'c Calendar,
    rows: Vec<Row>,
    read: ReadLog,
}

impl Reader<'_> {
    fn row(&mut self, line: usize, fields: &StringRecord) {
        match self.read_row(line, fields) {
            Ok(row) => self.rows.push(row),
            Err(why) => self.bad(BadRow { line, why }),
        }
    }

    fn read_row(&self, line: usize, fields: &StringRecord) -> Result<Row, String> {
        let field = |at: usize| fields.get(at).map_or("", str::trim);
        let card = field(self.columns.card).to_owned();
        if card.is_empty() {
            return Err("it names no card".to_owned());
        }
        let time = field(self.columns.time);
        let at_us = moment::read(time, self.calendar.zone())
            .ok_or_else(|| format!("“{}” is not a date or time", shown(time)))?;
        let rating = field(self.columns.rating);
        let (number, quality) =
            rated(rating).ok_or_else(|| format!("“{}” is not a rating", shown(rating)))?;
        let elapsed_days = self.columns.elapsed_days.and_then(|at| whole(field(at)));
        Ok(Row { line, review: Loose { card, at_us, quality, elapsed_days }, number })
    }

    fn bad(&mut self, row: BadRow) {
        self.read.bad_rows_count += 1;
        if self.read.bad_rows.len() < MAX_SHOWN {
            self.read.bad_rows.push(row);
        }
    }

    fn finish(mut self) -> Result<ReadLog, String> {
        let scale = settled(self.columns.scale, self.rows.iter().filter_map(|row| row.number));
        let is_anki = self.columns.scale == (Scale::Buttons { is_anki: true });
        let mut reviews = Vec::with_capacity(self.rows.len());
        for Row { line, review, number } in std::mem::take(&mut self.rows) {
            let meant = number.map_or(Some(review.quality), |number| (scale.quality)(number));
            match (meant, number) {
                (Some(quality), _) => reviews.push(Loose { quality, ..review }),
                (None, Some(0)) if is_anki => self.read.not_answers += 1,
                (None, number) => {
                    let why = format!("the rating {} is not one of {}", number.unwrap_or(0), scale.words);
                    self.bad(BadRow { line, why });
                }
            }
        }
        if reviews.is_empty() {
            return Err(nothing_left(&self.read));
        }
        self.read.bad_rows.sort_by_key(|row| row.line);
        self.read.ratings_are = scale.words;
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

/// Reads a rating: a number, whose quality is open until the scale is known, or a word that names a quality.
fn rated(text: &str) -> Option<(Option<u8>, Quality)> {
    if let Some(number) = whole(text) {
        return u8::try_from(number).ok().map(|number| (Some(number), Quality::GOOD));
    }
    let quality = match text.to_lowercase().trim_start_matches("rating.") {
        "again" | "fail" | "failed" | "wrong" | "false" | "forgot" => Quality::AGAIN,
        "hard" => Quality::HARD,
        "good" | "pass" | "passed" | "right" | "correct" | "true" => Quality::GOOD,
        "easy" => Quality::EASY,
        _ => return None,
    };
    Some((None, quality))
}

/// Reads a whole number that is not negative. It may be written as 3.0.
fn whole(text: &str) -> Option<u32> {
    let number: f64 = text.parse().ok()?;
    let is_whole = (0.0..=f64::from(u32::MAX)).contains(&number) && number.fract() == 0.0;
    is_whole.then_some(number as u32)
}

/// The meaning of a scale: in words, and as the quality of each number.
struct Meaning {
    words: &'static str,
    quality: fn(u8) -> Option<Quality>,
}

const BUTTONS: Meaning = Meaning {
    words: "1 again, 2 hard, 3 good, 4 easy",
    quality: |number| {
        let qualities = [Quality::AGAIN, Quality::HARD, Quality::GOOD, Quality::EASY];
        qualities.get(usize::from(number).checked_sub(1)?).copied()
    },
};
const QUALITY: Meaning = Meaning { words: "0 to 5, from 3 on recalled", quality: Quality::new };
const RECALL: Meaning = Meaning {
    words: "0 forgotten, 1 recalled",
    quality: |number| [Quality::AGAIN, Quality::GOOD].get(usize::from(number)).copied(),
};

/// Decides the scale by the heading where possible, and otherwise by the numbers.
fn settled(scale: Scale, numbers: impl Iterator<Item = u8>) -> Meaning {
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

fn shown(text: &str) -> String {
    text.chars().filter(|c| !c.is_control()).take(40).collect()
}
