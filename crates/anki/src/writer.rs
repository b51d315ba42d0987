//! Writes cards as a package that Anki imports.

use std::collections::{BTreeMap, HashMap, HashSet};

use coaching::pack::cards::{Card, Cards, DEFAULT_DECK, MAX_NOTES, Note, Side, Stage, to_html};
use rusqlite::{Connection, MAIN_DB, Transaction, params};
use serde_json::{Value, json};

use crate::schedule::{HistoryEntry, Schedule};
use crate::{AnkiError, MAX_CARDS, S_PER_DAY, US_PER_MS, US_PER_S, package};

/// Writes a package as of `now_us`, in microseconds since 1970. Anki updates a note whose guid it already has
/// instead of adding it again.
pub fn write(cards: &Cards, now_us: i64) -> Result<Vec<u8>, AnkiError> {
    if cards.notes.len() > MAX_NOTES {
        return Err(AnkiError::TooMany { what: "notes", limit: MAX_NOTES });
    }
    if cards.notes.iter().map(|note| note.cards.len()).sum::<usize>() > MAX_CARDS {
        return Err(AnkiError::TooMany { what: "cards", limit: MAX_CARDS });
    }
    let mut connection = Connection::open_in_memory()?;
    connection.execute_batch(include_str!("sql/schema.sql"))?;
    let transaction = connection.transaction()?;
    Writer::new(&transaction, cards, now_us).write(cards)?;
    transaction.commit()?;
    let collection = connection.serialize(MAIN_DB)?;
    package::write(&collection).map_err(|error| AnkiError::Damaged(format!("it cannot be packed: {error}")))
}

/// The numbers by which Anki tells note types apart, so they never change.
const ONE_WAY: i64 = 1_794_000_000_001;
const BOTH_WAYS: i64 = 1_794_000_000_002;
const DEFAULT_DECK_ID: i64 = 1;
/// The second of the day at which Anki's day begins: four in the morning.
const DAY_BEGINS_S: i64 = 4 * 3_600;

struct Writer<'c> {
    transaction: &'c Transaction<'c>,
    now_s: i64,
    /// The number from which ids count up. Anki reads ids as points in time.
    first_id: i64,
    made_at_s: i64,
    decks: BTreeMap<String, i64>,
    guids: HashMap<String, usize>,
    review_ids: HashSet<i64>,
    cards_written: i64,
}

impl<'c> Writer<'c> {
    fn new(transaction: &'c Transaction<'c>, cards: &Cards, now_us: i64) -> Writer<'c> {
        let now_s = now_us.div_euclid(US_PER_S);
        let first_id = now_us.div_euclid(US_PER_MS).max(DEFAULT_DECK_ID + 1);
        let made_at_s = (now_s - DAY_BEGINS_S).div_euclid(S_PER_DAY) * S_PER_DAY + DAY_BEGINS_S;
        Writer {
            transaction,
            now_s,
            first_id,
            made_at_s,
            decks: decks(cards, first_id),
            guids: HashMap::new(),
            review_ids: HashSet::new(),
            cards_written: 0,
        }
    }

    fn write(mut self, cards: &Cards) -> rusqlite::Result<()> {
        for (id, note) in (self.first_id..).zip(&cards.notes) {
            self.note(id, note)?;
        }
        let decks: Value = self.decks.iter().map(|(name, id)| (id.to_string(), deck(*id, name))).collect();
        let settings = [conf(self.cards_written), note_types(), decks, deck_settings()];
        let [conf, models, decks, dconf] = settings.map(|value| value.to_string());
        let row = params![self.made_at_s, self.now_s * 1_000, conf, models, decks, dconf];
        self.transaction.execute(include_str!("sql/insert_collection.sql"), row)?;
        Ok(())
    }

    fn note(&mut self, id: i64, note: &Note) -> rusqlite::Result<()> {
        let is_two_way = note.cards.iter().any(|card| card.asks == Side::Back);
        let note_type = if is_two_way { BOTH_WAYS } else { ONE_WAY };
        let fields = format!("{}\x1f{}", to_html(&note.front), to_html(&note.back));
        let tags = if note.tags.is_empty() { String::new() } else { format!(" {} ", note.tags.join(" ")) };
        let guid = self.guid(note);
        self.transaction
            .prepare_cached(include_str!("sql/insert_note.sql"))?
            .execute(params![id, guid, note_type, self.now_s, tags, fields, note.front])?;
        for side in [Side::Front, Side::Back].into_iter().take(1 + usize::from(is_two_way)) {
            let card = note.cards.iter().find(|card| card.asks == side);
            self.card(id, note, &card.cloned().unwrap_or_else(|| Card::new(side)))?;
        }
        Ok(())
    }

    /// Returns the note's identity, with a number if an earlier note has the same one.
    fn guid(&mut self, note: &Note) -> String {
        let identity = note.identity();
        let met = self.guids.entry(identity.clone()).or_insert(0);
        *met += 1;
        if *met == 1 { identity } else { format!("{identity}-{met}") }
    }

    fn card(&mut self, note_id: i64, note: &Note, card: &Card) -> rusqlite::Result<()> {
        let id = self.first_id + self.cards_written;
        self.cards_written += 1;
        let deck = self.decks.get(deck_name(note)).copied().unwrap_or(DEFAULT_DECK_ID);
        let place = i64::from(card.asks == Side::Back);
        let schedule = Schedule::of_card(card, self.made_at_s, self.cards_written);
        let steps_left = i64::from(matches!(card.stage, Stage::Learning | Stage::Relearning));
        let Schedule { stage, queue, due, interval, factor, reps, lapses, data, .. } = &schedule;
        self.transaction.prepare_cached(include_str!("sql/insert_card.sql"))?.execute(params![
            id, note_id, deck, place, self.now_s, stage, queue, due, interval, factor, reps, lapses,
            steps_left, data
        ])?;
        self.reviews(id, card, schedule.factor)
    }

    fn reviews(&mut self, card_id: i64, card: &Card, factor: i64) -> rusqlite::Result<()> {
        let mut last_interval = 0;
        for review in &card.reviews {
            let HistoryEntry { at_ms, button, interval, took_ms, kind } = HistoryEntry::of_review(review);
            // The key is the time. A second answer in the same millisecond gets the next free one.
            let id = (at_ms.max(1)..).find(|id| self.review_ids.insert(*id)).unwrap_or(at_ms);
            self.transaction.prepare_cached(include_str!("sql/insert_review.sql"))?.execute(params![
                id,
                card_id,
                button,
                interval,
                last_interval,
                factor,
                took_ms,
                kind
            ])?;
            last_interval = interval;
        }
        Ok(())
    }
}

fn deck_name(note: &Note) -> &str {
    let name = note.deck.trim();
    if name.is_empty() { DEFAULT_DECK } else { name }
}

/// Returns all decks, including those above them.
fn decks(cards: &Cards, first_id: i64) -> BTreeMap<String, i64> {
    let mut names: HashSet<&str> = HashSet::new();
    for name in cards.notes.iter().map(deck_name) {
        let parents = name.match_indices("::").map(|(at, _)| &name[..at]);
        names.extend(parents.chain([name]).filter(|name| !name.is_empty() && *name != DEFAULT_DECK));
    }
    let mut names: Vec<&str> = names.into_iter().collect();
    names.sort_unstable();
    let own = names.into_iter().map(str::to_owned).zip(first_id..);
    own.chain([(DEFAULT_DECK.to_owned(), DEFAULT_DECK_ID)]).collect()
}

fn deck(id: i64, name: &str) -> Value {
    json!({
        "id": id, "name": name, "conf": 1, "desc": "", "dyn": 0, "mod": 0, "usn": -1,
        "collapsed": false, "browserCollapsed": false, "extendNew": 0, "extendRev": 0,
        "newToday": [0, 0], "revToday": [0, 0], "lrnToday": [0, 0], "timeToday": [0, 0],
    })
}

fn conf(cards_written: i64) -> Value {
    json!({
        "schedVer": 2, "sched2021": true, "creationOffset": 0, "nextPos": cards_written + 1, "curDeck": 1,
        "activeDecks": [1], "curModel": ONE_WAY, "newSpread": 0, "collapseTime": 1200, "timeLim": 0,
        "estTimes": true, "dueCounts": true, "sortType": "noteFld", "sortBackwards": false, "addToCur": true,
        "dayLearnFirst": false,
    })
}

fn deck_settings() -> Value {
    json!({"1": {
        "id": 1, "name": "Default", "mod": 0, "usn": 0, "maxTaken": 60, "autoplay": true, "timer": 0,
        "replayq": true, "dyn": false,
        "new": {"delays": [1, 10], "ints": [1, 4, 0], "initialFactor": 2500, "order": 1, "perDay": 20, "bury": false},
        "rev": {"perDay": 200, "ease4": 1.3, "ivlFct": 1, "maxIvl": 36500, "bury": false, "hardFactor": 1.2},
        "lapse": {"delays": [10], "leechAction": 1, "leechFails": 8, "minInt": 1, "mult": 0},
    }})
}

fn note_types() -> Value {
    let forwards = template(0, "Front to back", "Front", "Back");
    let backwards = template(1, "Back to front", "Back", "Front");
    json!({
        ONE_WAY.to_string(): note_type(ONE_WAY, "Etude", json!([forwards.clone()])),
        BOTH_WAYS.to_string(): note_type(BOTH_WAYS, "Etude (both ways)", json!([forwards, backwards])),
    })
}

fn note_type(id: i64, name: &str, templates: Value) -> Value {
    let sides_asked = templates.as_array().map_or(0, Vec::len);
    let required: Vec<Value> = (0..sides_asked).map(|place| json!([place, "any", [place]])).collect();
    json!({
        "id": id, "name": name, "type": 0, "mod": 0, "usn": 0, "sortf": 0, "did": null, "tags": [], "vers": [],
        "tmpls": templates, "flds": [field(0, "Front"), field(1, "Back")], "req": required,
        "css": ".card { font-family: sans-serif; font-size: 24px; text-align: center; }",
        "latexPre": "\\documentclass[12pt]{article}\n\\begin{document}\n", "latexPost": "\\end{document}",
    })
}

fn template(place: usize, name: &str, question: &str, answer: &str) -> Value {
    json!({
        "name": name, "ord": place, "did": null, "bqfmt": "", "bafmt": "",
        "qfmt": format!("{{{{{question}}}}}"),
        "afmt": format!("{{{{FrontSide}}}}<hr id=answer>{{{{{answer}}}}}"),
    })
}

fn field(place: usize, name: &str) -> Value {
    json!({
        "name": name, "ord": place, "sticky": false, "rtl": false, "font": "Arial", "size": 20, "media": [],
    })
}
