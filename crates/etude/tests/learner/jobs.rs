//! Tests of calendar jobs: run once on several nodes, caught up once, repeatable after a crash.

use crate::learner::place::{DAY_MS, NOW, answer, app, at, course, document, inbox, profile};
use coaching::learner::{Channel, LearnerItem, Memory, Quality};
use coaching::map::MasteryStatus;
use coaching::teach::looks;
use coaching::teach::progress::{Progress, ResponseType};
use coaching::teach::state::{FlowState, FlowStatus};
use jiff::Timestamp;
use jiff::tz::TimeZone;
use outside::model::Secret;
use outside::notify::{Notifier, Telegram, TelegramConfig};
use serde_json::{Value, json};
use shell::effects::notices::{self, Letter};
use shell::engine::app::App;
use shell::engine::clock::Clock;
use shell::engine::look;
use shell::engine::turn::{self, Opening};
use shell::learners::profiles;
use shell::rounds;
use shell::rounds::jobs::{self, Job, Roll, Task};
use shell::teach::teaching;
use store::{Effect, RecordChange, Status};

#[test]
fn runs_follow_the_learners_clock() {
    // (cron, zone, after, next)
    let rows = [
        ("0 9 * * 1", "UTC", "2026-09-22T10:00:00Z", "2026-09-28T09:00:00Z"),
        ("0 9 * * 1", "UTC", "2026-09-28T09:00:00Z", "2026-10-05T09:00:00Z"),
        ("0 9 * * 1", "Asia/Tokyo", "2026-09-22T10:00:00Z", "2026-09-28T00:00:00Z"),
        // The hours before and after a clock goes back by one.
        ("0 9 * * 1", "Europe/Berlin", "2026-10-19T10:00:00Z", "2026-10-26T08:00:00Z"),
        ("0 9 * * 1", "Europe/Berlin", "2026-10-12T10:00:00Z", "2026-10-19T07:00:00Z"),
        // 02:30 does not exist on this day, but the run is not lost.
        ("30 2 * * *", "Europe/Berlin", "2027-03-27T12:00:00Z", "2027-03-28T01:00:00Z"),
    ];
    for (cron, zone, after, next) in rows {
        let [after, next]: [Timestamp; 2] = [after, next].map(|text| text.parse().expect("a moment"));
        let zone = TimeZone::get(zone).expect("a zone");
        assert_eq!(jobs::next_run(cron, &zone, after), Ok(next), "{cron} {zone:?} {after}");
    }
    assert!(jobs::next_run("every day", &TimeZone::UTC, Timestamp::UNIX_EPOCH).is_err());
}

async fn job(app: &App, learner: &str, task: Task) -> Job {
    let jobs = jobs::list(app, learner).await.expect("the jobs");
    jobs.into_iter().find(|job| job.name == task.name()).expect("it is there")
}

async fn mails(app: &App, learner: &str) -> Vec<(Effect, Value)> {
    let effects = app.store.effects(&format!("learner/{learner}/mail")).await.expect("effects");
    effects
        .into_iter()
        .map(|effect| (effect.clone(), serde_json::from_str(&effect.payload).expect("JSON")))
        .collect()
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_run_happens_once_on_several_nodes() {
    let folder = tempfile::tempdir().expect("a folder");
    let address = format!("sqlite:{}", folder.path().join("etude.db").display());
    let clock = Clock::set_to(NOW);
    let nodes = [at(&address, clock.clone()).await, at(&address, clock.clone()).await];
    let rolls = [Roll::default(), Roll::default()];
    course(&nodes[0], "ada", &["joins"]).await;
    profile(&nodes[0], "ada", |profile| profile.email = Some("ada@example.org".into())).await;
    // A learner with a course gets jobs; nothing is due yet.
    assert_eq!(jobs::dispatch(&nodes[0], &rolls[0]).await, Ok(0));
    assert_eq!(jobs::list(&nodes[0], "ada").await.expect("jobs").len(), Task::ALL.len());
    // No server ran for ten weeks.
    clock.pass_ms(70 * DAY_MS);
    for _ in 0..3 {
        let (a, b) = tokio::join!(jobs::dispatch(&nodes[0], &rolls[0]), jobs::dispatch(&nodes[1], &rolls[1]));
        a.and(b).expect("jobs are done");
    }
    assert_eq!(mails(&nodes[0], "ada").await.len(), 1);
    let digest = job(&nodes[0], "ada", Task::WeeklyProgressDigest).await;
    assert_eq!(digest.run_at, "2026-12-07T09:00:00Z".parse::<Timestamp>().expect("a moment"));
    assert_eq!((digest.last_result.as_deref(), digest.leased_until), (Some("written"), None));
    let kept = nodes[0].store.records("ada", "analytics_snapshot", 10).await.expect("snapshots");
    assert_eq!(kept.len(), 2, "one night, one course and the sum");
}

/// A node takes a run, does its work and dies before it can store the next one.
#[tokio::test]
async fn an_abandoned_run_is_repeated_without_a_second_mail() {
    let app = app().await;
    let roll = Roll::default();
    course(&app, "ada", &["joins"]).await;
    profile(&app, "ada", |profile| profile.email = Some("ada@example.org".into())).await;
    jobs::dispatch(&app, &roll).await.expect("jobs are made");
    let before = app
        .store
        .record("ada", "job", Task::WeeklyProgressDigest.name())
        .await
        .expect("read")
        .expect("a job");
    app.clock.pass_ms(7 * DAY_MS);
    jobs::dispatch(&app, &roll).await.expect("jobs are done");
    assert_eq!(mails(&app, "ada").await.len(), 1);
    // The job as the dead node would have left it, with an expired lease.
    let left = RecordChange {
        learner: "ada".into(),
        kind: "job".into(),
        key: before.key.clone(),
        body: Some(before.body.clone()),
        due_at: Some(app.clock.now()),
        ..RecordChange::default()
    };
    app.store.remember(&[left], app.clock.now()).await.expect("left behind");
    assert_eq!(jobs::dispatch(&app, &roll).await, Ok(1), "it is done again");
    assert_eq!(mails(&app, "ada").await.len(), 1, "and says nothing new");
    assert!(job(&app, "ada", Task::WeeklyProgressDigest).await.run_at.as_microsecond() > app.clock.now().0);
}

#[tokio::test]
async fn the_digest_goes_to_the_preferred_channel() {
    let app = app().await;
    for learner in ["mail", "german", "inbox", "quiet", "chat", "idle"] {
        profile(&app, learner, |profile| match learner {
            "mail" => profile.email = Some("m@example.org".into()),
            "german" => {
                (profile.email, profile.language) = (Some("g@example.org".into()), Some("de".into()));
            }
            "quiet" => (profile.email, profile.wants_digest) = (Some("q@example.org".into()), false),
            "chat" => (profile.preferred_channel, profile.telegram_chat) = (Channel::Telegram, Some(42)),
            _ => {}
        })
        .await;
        if learner != "idle" {
            let (id, nodes) = course(&app, learner, &["<b>joins</b>"]).await;
            for _ in 0..3 {
                answer(&app, &id, nodes[0], "?", 1, ResponseType::Review).await;
            }
        }
        for _ in 0..2 {
            jobs::run_now(&app, learner, Task::WeeklyProgressDigest).await.expect("it runs");
            app.clock.pass_ms(1);
        }
    }
    let sent = mails(&app, "mail").await;
    let [(_, mail)] = sent.as_slice() else { panic!("{sent:?}") };
    assert_eq!(
        (&mail["channel"], &mail["intent"], &mail["to"]),
        (&json!("email"), &json!("send"), &json!("m@example.org"))
    );
    assert_eq!(mail["subject"], "Your weekly learning progress");
    let (text, html) = (mail["text"].as_str().expect("text"), mail["html"].as_str().expect("HTML"));
    for part in ["Mastery: 0 %", "Pace: 0.0", "Retention: 0 %", "One concept is still hard", "<b>joins</b>"] {
        assert!(text.contains(part), "{part}: {text}");
    }
    assert!(
        html.contains("&lt;b&gt;joins") && !html.contains("<b>joins") && html.contains("bgcolor"),
        "{html}"
    );
    let sent = mails(&app, "german").await;
    let [(_, mail)] = sent.as_slice() else { panic!("{sent:?}") };
    assert_eq!(mail["subject"], "Dein Lernfortschritt in dieser Woche");
    let text = mail["text"].as_str().expect("text");
    for part in [
        "Gemeistert: 0 % (0 von 1 Begriff)",
        "Tempo: 0,0",
        "Ein Begriff fällt dir noch schwer",
        "Noch schwer",
    ] {
        assert!(text.contains(part), "{part}: {text}");
    }
    assert_eq!(inbox(&app, "inbox").await.len(), 1);
    // A notice that was read and removed is not given again.
    let read = app.store.records("inbox", "inbox", 1).await.expect("a read").remove(0);
    let taken_out =
        RecordChange { learner: read.learner, kind: read.kind, key: read.key, ..RecordChange::default() };
    app.store.remember(&[taken_out], app.clock.now()).await.expect("it is taken out");
    jobs::run_now(&app, "inbox", Task::WeeklyProgressDigest).await.expect("it runs");
    assert_eq!(inbox(&app, "inbox").await.len(), 0);
    assert_eq!(app.store.effects("learner/chat/chat").await.expect("effects").len(), 1);
    for silent in ["quiet", "idle"] {
        assert_eq!((mails(&app, silent).await.len(), inbox(&app, silent).await.len()), (0, 0), "{silent}");
    }
}

/// A server has only one channel. Its own messages for the other channel go to the inbox, and those that other
/// servers wrote are left to them.
#[tokio::test]
async fn a_missing_channel_is_not_tried() {
    let address = "sqlite::memory:";
    let telegram = TelegramConfig {
        token: Secret::new("1:abcdefghijklmnopqrstuvwxyz0123456789"),
        ..TelegramConfig::default()
    };
    let telegram = Some(Telegram::new(&telegram).expect("a bot"));
    let mut app = at(address, Clock::set_to(NOW)).await;
    app.notifier = Some(Notifier { telegram, mail: None });
    course(&app, "ada", &["joins"]).await;
    profile(&app, "ada", |profile| {
        (profile.preferred_channel, profile.email) = (Channel::Email, Some("ada@example.org".into()));
    })
    .await;
    jobs::run_now(&app, "ada", Task::WeeklyProgressDigest).await.expect("it runs");
    assert_eq!((mails(&app, "ada").await.len(), inbox(&app, "ada").await.len()), (0, 1));
    let letter = Letter { subject: "Hi".into(), text: "Hi".into(), html: None };
    notices::mail(&app, "ada", "from-elsewhere", "ada@example.org", &letter).await.expect("it is written");
    for _ in 0..20 {
        rounds::round(&app).await.expect("a look");
        app.clock.pass_ms(60_000);
    }
    let left = mails(&app, "ada").await;
    assert!(left.len() == 1 && left[0].0.status == Status::Pending, "{left:?}");
}

#[tokio::test]
async fn an_unreadable_profile_stays_as_it_is() {
    let app = app().await;
    let newer = r#"{"memory":"elephant","email":"ada@example.org"}"#;
    document(&app, "ada", "profile", "me", newer).await;
    let fitted = jobs::run_now(&app, "ada", Task::NightlyMemoryFit).await;
    let changed = profiles::change(&app.store, "ada", NOW, |profile| {
        profile.name = Some("Ada".into());
        Ok(())
    });
    for failure in [fitted.expect_err("it is refused"), changed.await.expect_err("it is refused")] {
        assert_eq!(failure.code(), "broken_instance", "{failure}");
    }
    let kept = app.store.record("ada", "profile", "me").await.expect("a read").expect("a profile");
    assert_eq!(kept.body, newer);
}

/// Moves a course into the past, behind the program's back.
async fn leave(app: &App, id: &str, idle_us: i64, status: Option<FlowStatus>) {
    let row = app.store.load(id).await.expect("read").expect("a course");
    let mut data: Value = serde_json::from_str(&row.data).expect("JSON");
    let at = Timestamp::from_microsecond(app.clock.now().0 - idle_us).expect("a moment");
    data["last_session_at"] = json!(at);
    let mut next = row.clone();
    next.version += 1;
    if let Some(status) = status {
        (data["status"], data["current_phase"]) = (json!(status), Value::Null);
        next.state = status.as_str().into();
    }
    next.data = data.to_string();
    replace(app, row, next).await;
}

async fn replace(app: &App, row: store::Instance, next: store::Instance) {
    let log = store::LogEntry {
        instance: row.id.clone(),
        version: next.version,
        at: app.clock.now(),
        event: "advance".into(),
        source: "system".into(),
        payload: "{}".into(),
        from_state: row.state.clone(),
        to_state: next.state.clone(),
        changes: "{}".into(),
        facts: "[]".into(),
        outcome: None,
        request: None,
    };
    let (version, created_at) = (row.version, row.created_at);
    let expect = Some(store::Expect { version, state: row.state, created_at });
    let commit = store::Commit {
        instance: next,
        expect,
        log: vec![log],
        effects: vec![],
        timers: None,
        records: vec![],
        seen: None,
        undelivered: false,
        finishes: None,
    };
    app.store.commit(commit).await.expect("it was left");
}

async fn status(app: &App, id: &str) -> FlowStatus {
    let row = app.store.load(id).await.expect("read").expect("a course");
    serde_json::from_str::<FlowState>(&row.data).expect("its state").status
}

/// Checks a learner's courses twice; nothing may be done a second time.
async fn look(app: &App, learner: &str) {
    for _ in 0..2 {
        jobs::run_now(app, learner, Task::StaleFlowCheck).await.expect("it is looked at");
    }
}

#[tokio::test]
async fn an_idle_course_is_abandoned_after_a_warning() {
    use FlowStatus::{Abandoned, Teaching};
    let app = app().await;
    let day_us = DAY_MS * 1000;
    // (idle time, messages at the first check, status and total messages at the next)
    let rows = [
        (16 * day_us, 0, Teaching, 0),
        (23 * day_us, 0, Teaching, 1),
        (23 * day_us + 1, 1, Abandoned, 2),
        (30 * day_us, 1, Abandoned, 2),
        // No check ran in time, so the warning comes late and the end even later.
        (30 * day_us + 1, 1, Abandoned, 2),
        (400 * day_us, 1, Abandoned, 2),
    ];
    for (nth, (idle_us, words, expected, all_words)) in rows.into_iter().enumerate() {
        let learner = format!("learner-{nth}");
        let (id, nodes) = course(&app, &learner, &["joins"]).await;
        answer(&app, &id, nodes[0], "a join", 5, ResponseType::Teach).await;
        leave(&app, &id, idle_us, None).await;
        let (language, word) = match nth % 2 {
            0 => ("en", "In a week it will be put aside"),
            _ => ("de", "In einer Woche wird er beiseitegelegt"),
        };
        profile(&app, &learner, |profile| profile.language = Some(language.into())).await;
        look(&app, &learner).await;
        assert_eq!(
            (status(&app, &id).await, inbox(&app, &learner).await.len()),
            (Teaching, words),
            "{idle_us}"
        );
        app.clock.pass_ms(7 * DAY_MS);
        look(&app, &learner).await;
        let told = inbox(&app, &learner).await;
        assert_eq!((status(&app, &id).await, told.len()), (expected, all_words), "{idle_us}: {told:?}");
        if expected == Abandoned {
            assert_eq!(look::look(&app, &learner, looks::schedules).await.expect("schedules"), []);
            assert!(told.iter().any(|text| text.contains(word)), "{told:?}");
            let resumed =
                teaching::open(&app, &learner, json!({"from": id})).await.expect("it can be resumed");
            assert_ne!(resumed.view.id, id);
        }
    }
}

#[tokio::test]
async fn a_reviewed_course_is_abandoned_with_its_reviews() {
    use FlowStatus::{Abandoned, Reviewing, Teaching};
    let app = app().await;
    let day_us = DAY_MS * 1000;
    // (status; last recall and next review, in days from now; messages at the first check; status and messages at
    // the next)
    let rows = [
        (Reviewing, None, Some(200), 0, Reviewing, 0),
        (Reviewing, None, Some(-15), 0, Reviewing, 0),
        (Reviewing, None, Some(-22), 0, Reviewing, 1),
        (Reviewing, None, Some(-29), 1, Abandoned, 2),
        (Reviewing, None, None, 1, Abandoned, 2),
        // A learner who recalls every day has not left, whatever the course itself waits for.
        (Teaching, Some(-1), Some(5), 0, Teaching, 0),
        (Teaching, Some(-99), Some(-40), 1, Abandoned, 2),
    ];
    for (nth, (before, recalled, next, words, after, all_words)) in rows.into_iter().enumerate() {
        let learner = format!("learner-{nth}");
        let (id, nodes) = course(&app, &learner, &["joins"]).await;
        let in_days = |days: i64| app.clock.now().0 + days * day_us;
        let progress = Progress {
            mastery_status: MasteryStatus::Reviewing,
            reviewed_at_us: recalled.map(in_days),
            next_review_at_us: next.map(in_days),
            ..Progress::default()
        };
        let change = RecordChange {
            learner: learner.clone(),
            kind: "mind_map_node".into(),
            key: nodes[0].to_string(),
            body: Some(json!(progress).to_string()),
            scope: id.clone(),
            ..RecordChange::default()
        };
        app.store.remember(&[change], app.clock.now()).await.expect("it is in review");
        leave(&app, &id, 100 * day_us, (before == Reviewing).then_some(before)).await;
        look(&app, &learner).await;
        assert_eq!(
            (status(&app, &id).await, inbox(&app, &learner).await.len()),
            (before, words),
            "row {nth}"
        );
        app.clock.pass_ms(7 * DAY_MS);
        look(&app, &learner).await;
        assert_eq!(
            (status(&app, &id).await, inbox(&app, &learner).await.len()),
            (after, all_words),
            "row {nth}"
        );
    }
}

#[tokio::test]
async fn an_unreadable_course_affects_no_other() {
    let app = app().await;
    let (broken, _) = course(&app, "ada", &["joins"]).await;
    let (sound, _) = course(&app, "ada", &["views"]).await;
    let row = app.store.load(&broken).await.expect("read").expect("a course");
    let mut damaged = row.clone();
    (damaged.version, damaged.data) = (row.version + 1, "{}".into());
    replace(&app, row, damaged).await;
    leave(&app, &sound, 31 * DAY_MS * 1000, None).await;
    let listed = look::look(&app, "ada", |shelf| looks::courses(shelf, None)).await.expect("a list");
    assert_eq!(listed.iter().map(|course| &course.mind_map_id).collect::<Vec<_>>(), [&sound]);
    for (task, expected) in [
        (Task::NightlyAnalyticsSnapshot, "2 kept"),
        (Task::WeeklyProgressDigest, "written"),
        (Task::StaleFlowCheck, "0 abandoned, 1 about to be"),
    ] {
        assert_eq!(jobs::run_now(&app, "ada", task).await.expect("it is done"), expected, "{task:?}");
    }
}

#[tokio::test]
async fn an_unreadable_job_does_no_harm() {
    let app = app().await;
    let roll = Roll::default();
    document(&app, "ada", "job", "stale-flow-check", "nonsense").await;
    let change = RecordChange {
        learner: "ada".into(),
        kind: "job".into(),
        key: "stale-flow-check".into(),
        body: Some("nonsense".into()),
        due_at: Some(NOW),
        ..RecordChange::default()
    };
    app.store.remember(&[change], NOW).await.expect("nonsense");
    assert_eq!(jobs::dispatch(&app, &roll).await, Ok(1));
    assert_eq!(jobs::dispatch(&app, &roll).await, Ok(0));
    // Another version of the program may know this kind of job.
    let kept = app.store.record("ada", "job", "stale-flow-check").await.expect("a read").expect("it is kept");
    assert_eq!((kept.body.as_str(), kept.due_at), ("nonsense", Some(NOW.plus_ms(DAY_MS))));
    // A drill also leaves records, so its learner gets jobs.
    let opening = json!({"pack": "german-first-words"});
    let drill = Opening { flow: "drill".into(), learner: "dora".into(), opening, ..Opening::default() };
    turn::open(&app, drill).await.expect("a drill begins");
    app.clock.pass_ms(60_000);
    jobs::dispatch(&app, &roll).await.expect("jobs are made");
    assert_eq!(jobs::list(&app, "dora").await.expect("jobs").len(), Task::ALL.len());
    assert!(
        !jobs::enrol(&app, "nobody", NOW).await.expect("a look"),
        "a learner who has learned nothing has no jobs"
    );
    assert!(jobs::set_cron(&app, "nobody", Task::StaleFlowCheck, "0 7 * * *").await.is_err());
    assert_eq!(jobs::list(&app, "nobody").await.expect("jobs"), []);
    assert!(jobs::set_cron(&app, "ada", Task::StaleFlowCheck, "61 * * * *").await.is_err());
    let set = jobs::set_cron(&app, "ada", Task::StaleFlowCheck, "0 7 * * *").await.expect("another time");
    assert_eq!(set.run_at, "2026-09-23T07:00:00Z".parse::<Timestamp>().expect("a moment"));
}

#[tokio::test]
async fn the_nightly_fit_picks_the_best_model() {
    let app = app().await;
    let roll = Roll::default();
    let fit = async |learner: &str| {
        jobs::run_now(&app, learner, Task::NightlyMemoryFit).await.expect("it is fitted")
    };
    course(&app, "ada", &["joins"]).await;
    assert_eq!(fit("ada").await, "too little was rated yet");
    // A learner who forgets every third time, whatever the gap.
    for word in 0..60 {
        let mut item = LearnerItem::new(NOW.0 - 400 * DAY_MS * 1000);
        for nth in 0..8 {
            let quality = if (word + nth) % 3 == 0 { Quality::AGAIN } else { Quality::GOOD };
            item.rate(Memory::Fsrs, quality, NOW.0 - (400 - nth * 20 - word % 7) * DAY_MS * 1000);
        }
        document(&app, "ada", "item", &format!("pack/{word}"), &json!(item).to_string()).await;
    }
    let told = fit("ada").await;
    assert!(told.contains("predicts best"), "{told}");
    let kept = app.store.record("ada", "profile", "me").await.expect("a read").expect("a profile");
    let kept: Value = serde_json::from_str(&kept.body).expect("JSON");
    let is_fitted = told.starts_with("fsrs_fitted");
    assert_eq!(kept["weights"].is_array(), is_fitted, "{told}: {kept}");

    // A choice that the fit made itself may change again.
    profile(&app, "ada", |profile| profile.memory = Memory::Sm2).await;
    assert_eq!(fit("ada").await, told);

    // The learner's own choice stays, whatever predicts best.
    let choices = [json!({"memory": "sm2"}), json!({"memory": "fsrs"}), json!({"weights": null})];
    for choice in choices {
        profile(&app, "ada", |_| {}).await;
        let fields = choice.as_object().expect("fields");
        let chosen = profiles::change(&app.store, "ada", NOW, |known| known.set_fields(fields));
        let chosen = chosen.await.expect("it is chosen");
        assert_eq!(fit("ada").await, "what the learner has chosen stays", "{choice}");
        assert_eq!(profiles::read(&app.store, "ada").await.expect("a profile"), chosen, "{choice}");
    }

    // Scheduled runs compute nothing twice.
    profile(&app, "ada", |_| {}).await;
    jobs::dispatch(&app, &roll).await.expect("jobs are made");
    for expected in [told.as_str(), "nothing was rated since"] {
        app.clock.pass_ms(DAY_MS);
        assert_eq!(jobs::dispatch_fits(&app).await, Ok(1));
        let job = job(&app, "ada", Task::NightlyMemoryFit).await;
        assert_eq!(job.last_result.as_deref(), Some(expected));
    }
}
