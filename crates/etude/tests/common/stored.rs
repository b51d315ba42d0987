//! The program's stored data, through the functions with which the program itself reads and writes.

use std::path::Path;
use store::{At, Commit, Expect, Filter, Instance, LogEntry, RecordChange, Store};

/// Runs `work` on the database of a data folder, to read it or to change it as another program would.
pub fn stored<T>(data: impl AsRef<Path>, work: impl AsyncFnOnce(&Store) -> T) -> T {
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().expect("a runtime");
    runtime.block_on(async {
        let address = format!("sqlite:{}", data.as_ref().join("etude.db").display());
        let store = Store::open(&address).await.expect("the store opens");
        let result = work(&store).await;
        store.close().await;
        result
    })
}

pub async fn instances(store: &Store) -> Vec<Instance> {
    store.list(&Filter::default(), None, 100).await.expect("flows are read").instances
}

/// Puts a flow where no event would put it, as an older program or a fault might have left it.
pub async fn displace(store: &Store, from: &Instance, change: impl FnOnce(&mut Instance)) {
    let mut instance = Instance { version: from.version + 1, ..from.clone() };
    change(&mut instance);
    let entry = LogEntry {
        instance: from.id.clone(),
        version: instance.version,
        at: from.updated_at,
        event: "displaced".into(),
        source: "system".into(),
        payload: "{}".into(),
        from_state: from.state.clone(),
        to_state: instance.state.clone(),
        changes: "{}".into(),
        facts: "{}".into(),
        outcome: None,
        request: None,
    };
    let commit = Commit {
        instance,
        expect: Some(Expect {
            version: from.version,
            state: from.state.clone(),
            created_at: from.created_at,
        }),
        log: vec![entry],
        effects: vec![],
        timers: None,
        records: vec![],
        seen: None,
        undelivered: false,
        finishes: None,
    };
    store.commit(commit).await.expect("the flow is displaced");
}

/// Writes a document without checking it.
pub async fn document(store: &Store, learner: &str, kind: &str, key: &str, body: &str) {
    let [learner, kind, key, body] = [learner, kind, key, body].map(str::to_owned);
    let change = RecordChange { learner, kind, key, body: Some(body), ..RecordChange::default() };
    store.remember(&[change], At(0)).await.expect("the document is written");
}
