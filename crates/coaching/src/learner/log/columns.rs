//! Finds the columns of a table by the headings that programs give to cards, times and ratings.

use csv::StringRecord;

/// The headings of each column, the surest first. They are compared without case, spaces and dashes.
const CARD: &str = "card_id card cid cardid item_id item note_id nid word_id word question_id id";
const TIME: &str = "review_datetime review_time reviewed_at review_date review_timestamp timestamp datetime responded_at \
                    created_at time date at day_offset day";
const RATING: &str = "review_rating rating ease button grade quality button_chosen answer score result";
const ELAPSED_DAYS: &str = "elapsed_days delta_t days_elapsed";
/// The headings in Anki's own table, where the id of a row is its time and `time` is how long the answer took.
const ANKI_CARD: &str = "cid";
const ANKI_TIME: &str = "id";

/// The positions of the columns, and the scale of the ratings.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Columns {
    pub(super) card: usize,
    pub(super) time: usize,
    pub(super) rating: usize,
    pub(super) elapsed_days: Option<usize>,
    pub(super) scale: Scale,
}

/// The scale on which ratings are written.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Scale {
    /// Four buttons, 1 to 4. Anki writes 0 for a change without an answer.
    Buttons { is_anki: bool },
    /// Qualities from 0 to 5, as in SM-2.
    Quality,
    /// Not known from the heading; the numbers decide.
    Unknown,
}

impl Columns {
    /// Finds the columns by their headings, or returns the names of the missing ones.
    pub(super) fn find(headings: &StringRecord) -> Result<Columns, String> {
        let names: Vec<String> = headings.iter().map(plain).collect();
        let at = |name: &str| names.iter().position(|known| known == name);
        let first = |known: &str| known.split(' ').find_map(at);
        let of_anki = at(ANKI_CARD).and(at(ANKI_TIME));
        let found = (first(CARD), of_anki.or_else(|| first(TIME)), first(RATING));
        let (Some(card), Some(time), Some(rating)) = found else {
            let missing = [("card", found.0), ("time", found.1), ("rating", found.2)];
            let missing = missing.into_iter().filter(|(_, at)| at.is_none()).map(|(what, _)| what);
            return Err(missing.collect::<Vec<_>>().join(", "));
        };
        let scale = match names[rating].as_str() {
            "quality" => Scale::Quality,
            "ease" | "review_rating" | "button" | "button_chosen" => {
                Scale::Buttons { is_anki: of_anki.is_some() }
            }
            _ => Scale::Unknown,
        };
        Ok(Columns { card, time, rating, elapsed_days: first(ELAPSED_DAYS), scale })
    }

    /// Returns how many of the needed columns the headings name.
    pub(super) fn known(headings: &StringRecord) -> usize {
        let names: Vec<String> = headings.iter().map(plain).collect();
        let is_named = |known: &&str| known.split(' ').any(|name| names.iter().any(|other| other == name));
        [CARD, TIME, RATING].iter().filter(|known| is_named(known)).count()
    }
}

fn plain(heading: &str) -> String {
    let lower = heading.trim().to_lowercase();
    lower.replace([' ', '-', '.'], "_")
}
