//! Opens a session: chooses its words and their order from the learner's records.

use super::data::{Data, Drilled, POOL_KIND, PoolUses, Pooled};
use super::primer::{self, Primer};
use super::words;
use crate::learner::{ITEM_KIND, LearnerItem, Memory, PROFILE_KIND, Profile, Status};
use crate::record::Record;
use crate::rejected::Rejected;
use crate::turn::Moment;
use crate::words::Text;
use schemars::JsonSchema;
use serde::Deserialize;
use serde::de::DeserializeOwned;
use serde_json::Value;
use std::collections::{HashMap, VecDeque};
use std::ops::RangeInclusive;

const NEW_WORDS: RangeInclusive<usize> = 1..=50;
const REVIEWS: RangeInclusive<usize> = 0..=50;

/// The opening of a drill.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct DrillOpening {
    /// The name of a pack.
    pack: String,
    /// How many new words to learn.
    #[serde(default = "five")]
    #[schemars(range(min = 1, max = 50))]
    new_words: usize,
    /// How many words may come back for review.
    #[serde(default = "ten")]
    #[schemars(range(min = 0, max = 50))]
    reviews: usize,
    /// Whether lines are spoken; `tts_done` then reports that one has been.
    #[serde(default)]
    voice: bool,
    /// Whether silence ends the session.
    #[serde(default = "yes")]
    timed: bool,
    /// Whether a model may invent the dialogues.
    #[serde(default)]
    model: bool,
    /// Decides when words come back. Without it, the learner's profile decides.
    #[serde(default)]
    memory: Option<Memory>,
}

fn five() -> usize {
    5
}

fn ten() -> usize {
    10
}

fn yes() -> bool {
    true
}

/// Opens a session. Words that are due come first, the most overdue up to `reviews`, then `new_words` new ones, both in
/// teaching order. All other learned words are the pool.
pub(super) fn open(primers: &[Primer], opening: &Value, moment: &Moment<'_>) -> Result<Data, Rejected> {
    let opening = read(primers, opening)?;
    let primer = primer::find(primers, &opening.pack)?;
    let mut known = known_items(primer, moment.records)?;
    let due = due_items(&known, opening.reviews, moment.now_us);
    let (mut reviews, mut new, mut pool) = (VecDeque::new(), VecDeque::new(), Vec::new());
    for item in &primer.pack.items {
        match known.remove(item.id.as_str()) {
            Some((item_known, due_at_us)) if due.contains(&item.id) => {
                reviews.push_back(Drilled::new(&item.id, item_known, due_at_us));
            }
            Some((item_known, _)) if item_known.status != Status::New => {
                pool.push(Pooled { id: item.id.clone(), usage: item_known.usage });
            }
            begun if new.len() < opening.new_words => {
                let item_known = begun.map_or_else(|| LearnerItem::new(moment.now_us), |(known, _)| known);
                new.push_back(Drilled::new(&item.id, item_known, None));
            }
            _ => {}
        }
    }
    reviews.append(&mut new);
    let profile = profile(moment.records);
    let preferred = profile.as_ref().map(|profile| profile.memory);
    let mut data = Data {
        pack: opening.pack,
        voice: opening.voice,
        is_untimed: !opening.timed,
        model: opening.model,
        memory: opening.memory.or(preferred).unwrap_or_default(),
        profile,
        queue: reviews,
        pool,
        pool_uses: pool_uses(primer, moment.records)?,
        edition: moment.edition.unwrap_or_default(),
        ..Data::default()
    };
    data.next_target(|_| true);
    Ok(data)
}

/// Continues from the present records and adds the tries of this session.
pub(super) fn catch_up(data: &mut Data, edition: u64, records: &[Record]) -> Result<(), Rejected> {
    let find = |kind: &str, key: &str| records.iter().find(|known| known.kind == kind && known.key == key);
    let pack = &data.pack;
    for word in data.target.iter_mut().chain(&mut data.queue) {
        let Some(known) = find(ITEM_KIND, &format!("{pack}/{}", word.id)) else { continue };
        if let Some(item) = body(known)? {
            word.go_on_from(item, known.due_at_us);
        }
    }
    let uses = find(POOL_KIND, pack).map(body::<PoolUses>).transpose()?.flatten();
    data.pool_uses = uses.unwrap_or_default();
    data.pool_uses.add(&data.new_uses);
    data.edition = edition;
    Ok(())
}

/// Returns the learner's profile, if they have one.
fn profile(records: &[Record]) -> Option<Profile> {
    let record = records.iter().find(|record| record.kind == PROFILE_KIND)?;
    Profile::deserialize(record.body.as_ref()?).ok()
}

fn read(primers: &[Primer], opening: &Value) -> Result<DrillOpening, Rejected> {
    let reject = |message: Text| Rejected {
        code: "bad_opening",
        message,
        cure: words::bad_opening_cure(primer::list(primers)),
    };
    if opening.get("pack").is_none() {
        return Err(reject(words::no_pack()));
    }
    let opening: DrillOpening = serde_json::from_value(opening.clone())
        .map_err(|error| reject(words::bad_opening(error.to_string())))?;
    for (field, given, bounds) in
        [("new_words", opening.new_words, NEW_WORDS), ("reviews", opening.reviews, REVIEWS)]
    {
        if !bounds.contains(&given) {
            return Err(reject(words::bad_number(field, given, *bounds.start(), *bounds.end())));
        }
    }
    Ok(opening)
}

type Known<'p> = HashMap<&'p str, (LearnerItem, Option<i64>)>;

fn known_items<'p>(primer: &'p Primer, records: &[Record]) -> Result<Known<'p>, Rejected> {
    let mut known = Known::new();
    for record in records.iter().filter(|record| record.kind == ITEM_KIND) {
        let Some((pack, id)) = record.key.split_once('/') else { continue };
        let Some(item) = primer.item(id).filter(|_| pack == primer.pack.id) else { continue };
        if let Some(body) = body(record)? {
            known.insert(&item.id, (body, record.due_at_us));
        }
    }
    Ok(known)
}

fn pool_uses(primer: &Primer, records: &[Record]) -> Result<PoolUses, Rejected> {
    let record = records.iter().find(|record| record.kind == POOL_KIND && record.key == primer.pack.id);
    Ok(record.map(body).transpose()?.flatten().unwrap_or_default())
}

/// Reads a record. One that cannot be read stops the session, which would overwrite it.
fn body<T: DeserializeOwned>(record: &Record) -> Result<Option<T>, Rejected> {
    let read = record.body.clone().map(serde_json::from_value).transpose();
    read.map_err(|error| Rejected {
        code: "unreadable_record",
        message: format!("what is stored about {} {} cannot be read: {error}", record.kind, record.key)
            .into(),
        cure: "restore this record from a backup, or delete it to start over with it".into(),
    })
}

/// Returns the ids of the most overdue items, at most `limit` of them.
fn due_items(known: &Known<'_>, limit: usize, now_us: i64) -> Vec<String> {
    let mut due: Vec<(i64, &str)> = known
        .iter()
        .filter(|(_, (item, _))| item.status != Status::New)
        .filter_map(|(id, (_, due_at_us))| {
            due_at_us.filter(|at_us| *at_us <= now_us).map(|at_us| (at_us, *id))
        })
        .collect();
    due.sort_unstable();
    due.into_iter().take(limit).map(|(_, id)| id.to_owned()).collect()
}
