//! Lists the packs, each with how far the learner has come in it.

use crate::face::{LOOK, Look, schema};
use crate::learner::{ITEM_KIND, LearnerItem, Status};
use crate::look::{Begin, SUBJECTS, Shelf, StoredRecord, Subject, Unseen, Want};
use crate::pack::Pack;
use serde_json::json;

pub(super) const LOOKS: &[Look] = &[Look { name: SUBJECTS, gives: schema::<Vec<Subject>>, ..LOOK }];

pub(super) fn subjects<'p>(
    packs: impl Iterator<Item = &'p Pack>,
    shelf: &Shelf,
) -> Result<Vec<Subject>, Unseen> {
    let records = shelf.records(Want::Records(ITEM_KIND))?;
    Ok(packs.map(|pack| subject(pack, records)).collect())
}

fn subject(pack: &Pack, records: &[StoredRecord]) -> Subject {
    let is_here = |record: &&StoredRecord| record.key.split_once('/').is_some_and(|(of, _)| of == pack.id);
    let met = |record: &StoredRecord| {
        let item: LearnerItem = record.read()?;
        (item.status != Status::New).then_some((item.status, record.due_at_us))
    };
    let met: Vec<(Status, Option<i64>)> = records.iter().filter(is_here).filter_map(met).collect();
    Subject {
        id: pack.id.clone(),
        title: pack.title.clone(),
        about: pack.about.clone(),
        // A learner who begins a drill by hand may leave it and come back, so it is not timed.
        begin: Begin {
            flow: "drill".to_owned(),
            beside: None,
            given: json!({"pack": pack.id, "timed": false}),
        },
        known: met.iter().filter(|(status, _)| *status == Status::Learned).count(),
        of: pack.items.len(),
        due_us: met.iter().filter_map(|(_, due_us)| *due_us).collect(),
    }
}
