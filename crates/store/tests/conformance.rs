//! Tests of a store's promises: the same cases on a SQLite file, on SQLite in memory and on PostgreSQL.

mod commits;
mod learners;
mod life;
mod reads;
mod shared;
mod work;

use std::future::Future;
use std::pin::Pin;

use crate::breakable::Cluster;
use crate::common::execute;
use store::Store;

macro_rules! cases {
    ($($group:ident :: $name:ident),* $(,)?) => {
        const CASES: &[(&str, fn(Place) -> Pin<Box<dyn Future<Output = ()> + Send>>)] =
            &[$((stringify!($name), |place| Box::pin($group::$name(place)))),*];
    };
}

cases![
    commits::what_is_committed_is_read,
    commits::one_of_many_writers_wins,
    commits::one_of_two_nodes_wins,
    commits::a_failed_commit_leaves_nothing,
    commits::only_the_guilty_commit_fails,
    commits::commits_of_one_instance_keep_their_order,
    commits::a_request_is_answered_once,
    commits::an_id_is_used_once,
    commits::an_id_that_comes_back_is_another,
    commits::actions_are_not_left_out_once_somebody_performs_them,
    commits::an_outcome_stays,
    commits::contradictions_are_refused,
    commits::several_transitions_are_one_commit,
    commits::documents_may_be_shared,
    commits::a_sum_in_a_document_loses_nothing,
    shared::a_decision_rests_on_what_it_has_seen,
    shared::one_of_two_first_writers_wins,
    shared::flows_that_share_documents_lose_nothing,
    work::timers_are_replaced,
    work::a_result_finishes_its_effect,
    work::effects_wait_for_their_time_and_lease,
    work::effects_are_retried_buried_and_revived,
    work::a_lease_is_renewed_by_its_owner,
    work::claims_of_two_nodes_are_disjoint,
    work::timers_are_leased,
    reads::pages_are_complete_under_inserts,
    reads::lists_are_filtered,
    reads::the_log_is_read_in_parts,
    reads::data_is_a_key_value_view,
    reads::records_are_kept_ranked_and_due,
    reads::laws_in_use_are_counted,
    reads::counts_are_right,
    work::messages_of_a_flow_keep_their_order,
    work::what_is_posted_twice_is_there_once,
    learners::a_learner_is_erased_whole,
    learners::nothing_is_left_beside_writers,
    learners::learners_are_found_by_their_flows,
    life::changes_are_announced,
    life::closing_drains,
    life::a_database_is_opened_again,
    life::a_newer_database_is_refused,
    life::a_database_that_becomes_newer_is_refused,
];

/// The database of one case.
#[derive(Debug, Clone)]
struct Place {
    address: String,
    /// Whether the database outlives its store. One in memory does not, and cannot be opened twice.
    durable: bool,
}

impl Place {
    async fn open(&self) -> Store {
        Store::open(&self.address).await.expect("the store opens")
    }

    /// Returns a second node on this database, or `store` itself if the database cannot have one.
    async fn beside(&self, store: &Store) -> Store {
        if self.durable { self.open().await } else { store.clone() }
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn sqlite_file() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    check(async |name| Place {
        address: format!("sqlite:{}/{name}.db", folder.path().display()),
        durable: true,
    })
    .await;
    life::company_shares_transactions(&folder.path().join("company.db")).await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn sqlite_memory() {
    check(async |_| Place { address: "sqlite::memory:".into(), durable: false }).await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn postgres() {
    let Some(cluster) = Cluster::start() else { return };
    check(async |_| Place { address: cluster.database().await, durable: true }).await;
    life::nodes_hear_of_each_other(&cluster.database().await).await;
    life::a_gap_is_told(&cluster).await;
}

/// Here every table is partitioned by learner.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn postgres_in_partitions() {
    let Some(cluster) = Cluster::start() else { return };
    check(async |_| {
        let address = cluster.database().await;
        Store::open(&address).await.expect("the store opens").close().await;
        let spread = concat!("SET etude.partitions = 3;\n", include_str!("../partitions.sql"));
        execute(&address, spread).await;
        Place { address, durable: true }
    })
    .await;
}

/// Runs every case on a database of its own and names all that failed.
async fn check(place: impl AsyncFn(&str) -> Place) {
    let mut failed = Vec::new();
    for (name, case) in CASES {
        if tokio::spawn(case(place(name).await)).await.is_err() {
            failed.push(*name);
        }
    }
    assert!(failed.is_empty(), "failed: {failed:?}");
}
