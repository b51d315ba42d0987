//! Tests of the numbers of real courses: stored once a night, and shown by the program.

use crate::common::Folder;
use crate::common::stored::document;
use crate::learner::place::{DAY_MS, NOW, answer, app, at, course};
use coaching::learner::{Calendar, Profile};
use coaching::teach::looks;
use coaching::teach::progress::ResponseType;
use serde_json::{Value, json};
use shell::engine::clock::Clock;
use shell::engine::look::look;
use shell::learners::remembering;
use shell::rounds::jobs;
use store::RecordChange;

#[tokio::test]
async fn courses_are_counted_and_kept() {
    let app = app().await;
    let (rust, nodes) = course(&app, "ada", &["moves", "borrows"]).await;
    course(&app, "ada", &["joins"]).await;
    for quality in [5, 1] {
        answer(&app, &rust, nodes[0], "it moves", quality, ResponseType::Review).await;
    }
    answer(&app, &rust, nodes[0], "it moves", 0, ResponseType::Teach).await;
    let report = look(&app, "ada", looks::report).await.expect("the numbers");
    assert_eq!(
        (report.all.nodes, report.courses.len(), report.all.answers),
        (3, 2, 9),
        "with three of each diagnosis"
    );
    assert_eq!(report.all.retention_7d, Some(0.5), "only reviews count");
    assert_eq!(look(&app, "bob", looks::report).await.expect("no numbers").all.nodes, 0);

    for _ in 0..2 {
        assert_eq!(jobs::keep_snapshot(&app, "ada", NOW).await.expect("kept"), 3);
    }
    let kept = app.store.records("ada", "analytics_snapshot", 10).await.expect("snapshots");
    let mut keys: Vec<&str> = kept.iter().map(|record| record.key.as_str()).collect();
    keys.sort_unstable();
    assert!(keys.iter().all(|key| key.starts_with("2026-09-22/")), "{keys:?}");
    assert!(
        keys.contains(&"2026-09-22/all") && keys.contains(&format!("2026-09-22/{rust}").as_str()),
        "{keys:?}"
    );
    let week = look(&app, "ada", |shelf| looks::snapshots(shelf, NOW.plus_ms(-7 * DAY_MS).0))
        .await
        .expect("the week");
    assert_eq!(week, [report.all]);
}

#[tokio::test]
async fn the_program_shows_them_as_bars_json_and_a_picture() {
    let folder = Folder::new();
    std::fs::create_dir_all(folder.data()).expect("a data folder");
    let address = format!("sqlite:{}", folder.data().join("etude.db").display());
    let app = at(&address, Clock::System).await;
    let (id, nodes) = course(&app, "me", &["<moves> & more", "borrows"]).await;
    answer(&app, &id, nodes[0], "it moves", 4, ResponseType::Review).await;
    app.store.close().await;

    let shown = folder.run(&["progress"]);
    assert_eq!(shown.code, Some(0), "{shown:?}");
    for part in ["0 of 2", "100 % in 7 days", "Remembered in reviews", "████"] {
        assert!(shown.stdout.contains(part), "{part}: {}", shown.stdout);
    }
    assert_eq!(folder.run(&["learner", "set", "language", "de"]).code, Some(0));
    let shown = folder.run(&["progress"]);
    for part in ["0 von 2", "0,0 Begriffe pro Woche", "100 % in 7 Tagen", "Bei Wiederholungen"] {
        assert!(shown.stdout.contains(part), "{part}: {}", shown.stdout);
    }
    let all = folder.run(&["progress", "--json"]).json();
    assert_eq!(
        (&all["all"]["nodes"], &all["courses"][0]["mind_map_id"]),
        (&Value::from(2), &Value::from(id.clone()))
    );
    let one = folder.run(&["progress", &id[..13], "--json"]).json();
    assert_eq!(one["retention_7d"], 1.0);
    let svg = folder.write("progress.svg", "");
    assert_eq!(folder.run(&["progress", "--svg", &svg]).code, Some(0));
    let svg = std::fs::read_to_string(svg).expect("a picture");
    assert!(
        svg.starts_with("<svg") && svg.contains("&lt;moves&gt; &amp; more") && !svg.contains("<moves>"),
        "{svg}"
    );
    // A course is named as for `etude teach`, and only its own learner finds it.
    assert_eq!(folder.run(&["progress", "borrows", "--json"]).json()["retention_7d"], 1.0);
    for unknown in [vec!["progress", "nothing like it"], vec!["progress", &id, "--learner", "bob"]] {
        let outcome = folder.run(&unknown);
        assert!(outcome.code == Some(2) && outcome.stderr.contains("there is no course"), "{outcome:?}");
    }

    let context = folder.run(&["context", &id]);
    assert!(context.stdout.starts_with("## Flow state"), "{context:?}");
    let app = at(&address, Clock::System).await;
    document(&app.store, "me", "profile", "me", "{").await;
    app.store.close().await;
    let context = folder.run(&["context", &id]);
    assert_eq!(context.code, Some(0), "{context:?}");
    assert!(context.stderr.contains("goes without what is known"), "it is logged: {context:?}");
    assert!(context.stdout.contains("## Recent answers") && !context.stdout.contains("## What is known"));
}

/// More answers than the store returns at once: the newest count like the oldest.
#[tokio::test]
async fn nothing_is_cut_off_after_ten_thousand() {
    let app = app().await;
    course(&app, "ada", &["joins"]).await;
    let answer = json!({"response_type": "review", "quality": 4, "responded_at": "2026-09-01T10:00:00Z"});
    let many = |kind: &'static str, beginning: &'static str| {
        let body = answer.to_string();
        (0..10_500).map(move |nth| RecordChange {
            learner: "ada".into(),
            kind: kind.into(),
            key: format!("{beginning}/{nth:06}"),
            body: Some(body.clone()),
            standing: Some(format!("node-{nth}")),
            ..RecordChange::default()
        })
    };
    let all: Vec<RecordChange> =
        many("quiz_response", "map").chain(many("analytics_snapshot", "2000-01-01")).collect();
    for some in all.chunks(1_000) {
        app.store.remember(some, app.clock.now()).await.expect("it is written");
    }
    let calendar = Calendar::of(&Profile::default());
    let log = remembering::own_log(&app.store, &app.flows, "ada", &calendar).await.expect("a log");
    assert_eq!(log.len(), 10_500);
    jobs::keep_snapshot(&app, "ada", app.clock.now()).await.expect("it is kept");
    let kept = look(&app, "ada", |shelf| looks::snapshots(shelf, app.clock.now().plus_ms(-DAY_MS).0))
        .await
        .expect("kept numbers");
    assert_eq!(kept.len(), 1);
}
