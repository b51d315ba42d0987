//! Tests of laws that change under open flows: compatible flows go on, and the others are refused with the reason.

use crate::common::stored::{displace, stored};
use crate::common::{Folder, Server, example, law, number, text};
use serde_json::json;
use store::Law;

/// A flow that rests in OPEN under the old law, and a server with the new one.
struct Changed {
    folder: Folder,
    id: String,
    tally: String,
    server: Server,
}

/// Replaces a text of the turnstile between two starts of the server.
fn change(from: &str, to: &str) -> Changed {
    let folder = Folder::new();
    let source = std::fs::read_to_string(example("turnstile.yaml")).expect("the example is there");
    let path = folder.write("law.yaml", &source);
    let server = folder.serve(&["--law", &path, "--law", &law("tally.yaml")]);
    let (id, tally) = (server.client.open("Turnstile"), server.client.open("Tally"));
    assert_eq!(server.client.event(&id, "push").status, 200);
    assert_eq!(server.client.event(&id, "coin").status, 200);
    assert!(server.terminate().is_some());
    assert!(source.contains(from));
    folder.write("law.yaml", source.replace(from, to));
    let server = folder.serve(&["--law", &path, "--law", &law("tally.yaml")]);
    Changed { folder, id, tally, server }
}

#[test]
fn a_raised_constant_migrates_flows() {
    let Changed { folder, id, server, .. } = change("max_pushes: 3", "max_pushes: 4");
    let client = &server.client;
    assert_eq!((text(&client.view(&id), "/state"), number(&client.view(&id), "/version")), ("OPEN", 4));
    assert_eq!(client.event(&id, "push").status, 200);
    for pushes in 1..=3 {
        let answer = client.event(&id, "push").json();
        assert_eq!(
            (text(&answer, "/state"), number(&answer, "/counters/pushes")),
            ("LOCKED", pushes),
            "{answer}"
        );
    }
    let answer = client.event(&id, "push").json();
    assert_eq!(text(&answer, "/outcome"), "cap", "{answer}");
    assert!(!server.log().contains("will be refused"), "{}", server.log());
    // Programs that know only the database can read the migrated flow.
    let replay = folder.run(&["replay", &id, "--json"]);
    assert_eq!(replay.json()["same"].as_bool(), Some(true), "{replay:?}");
}

#[test]
fn a_migrated_flow_survives_a_restart() {
    let Changed { folder, id, server, .. } = change("max_pushes: 3", "max_pushes: 4");
    assert_eq!(server.client.event(&id, "push").status, 200);
    assert!(server.terminate().is_some());
    for arguments in
        [vec![], vec!["--law".to_owned(), folder.data().join("../law.yaml").display().to_string()]]
    {
        let arguments: Vec<&str> = arguments.iter().map(String::as_str).collect();
        let server = folder.serve(&arguments);
        assert_eq!(text(&server.client.view(&id), "/state"), "LOCKED", "{arguments:?}");
        assert!(!server.log().contains("will be refused"), "{}", server.log());
    }
}

#[test]
fn a_removed_state_refuses_only_its_own_flows() {
    let changed = change("OPEN", "AJAR");
    let (client, id) = (&changed.server.client, &changed.id);
    let told = changed.server.log();
    for part in ["1 open flow of `Turnstile` 1.0 will be refused", "`OPEN`"] {
        assert!(told.contains(part), "no `{part}` in {told}");
    }
    let reply = client.event(id, "push");
    let problem = reply.json();
    assert_eq!((reply.status, text(&problem, "/code")), (409, "law_changed"), "{problem}");
    assert!(text(&problem, "/title").contains("`OPEN`") && !text(&problem, "/cure").is_empty(), "{problem}");
    assert_eq!(number(&client.event(&changed.tally, "add").json(), "/counters/added"), 1);
    let fresh = client.open("Turnstile");
    assert_eq!(text(&client.event(&fresh, "coin").json(), "/state"), "AJAR");
}

#[test]
fn a_refused_flow_can_be_viewed() {
    let changed = change("OPEN", "AJAR");
    let (client, id) = (&changed.server.client, &changed.id);
    let view = client.view(id);
    assert_eq!((text(&view, "/state"), text(&view, "/law_version")), ("OPEN", "1.0"), "{view}");
    assert_eq!(view["allowed"], json!([]), "{view}");
    assert!(text(&view, "/refused").contains("the new law has no state `OPEN`"), "{view}");
    let log = client.get(&format!("/api/instances/{id}/log")).json();
    assert_eq!(text(&log, "/entries/2/to"), "OPEN", "{log}");
}

/// The built-in drill, as if it had begun under a law that the present one cannot take over.
#[test]
fn a_refused_flow_can_be_viewed_on_the_command_line() {
    let folder = Folder::new();
    let opened =
        folder.run(&["new", "drill", "--with", r#"{"pack": "german-first-words"}"#, "--json"]).json();
    let (id, state) = (text(&opened, "/id"), text(&opened, "/state"));
    stored(folder.data(), async |store| {
        let instance = store.load(id).await.expect("a read").expect("a flow");
        let law = store.law_get(&instance.law_hash).await.expect("a read").expect("a law");
        let older = Law { hash: "old".into(), source: law.source.replace(state, "ONCE"), ..law };
        store.law_put(&older).await.expect("a law is kept");
        let (hash, once) = (older.hash.clone(), "ONCE".to_owned());
        displace(store, &instance, |it| (it.law_hash, it.state) = (hash, once)).await;
    });
    let shown = folder.run(&["show", id, "--json"]).json();
    assert_eq!((text(&shown, "/state"), &shown["allowed"]), ("ONCE", &json!([])), "{shown}");
    for command in ["show", "log"] {
        let told = folder.run(&[command, id]);
        assert_eq!(told.code, Some(0), "{told:?}");
    }
    let told = folder.run(&["show", id]);
    assert!(told.stdout.contains("the new law has no state `ONCE`"), "{told:?}");
    let sent = folder.run(&["send", id, "start"]);
    assert_eq!(sent.code, Some(1), "{sent:?}");
    assert!(sent.stderr.contains("cannot take it over"), "{sent:?}");
}

#[test]
fn a_renamed_final_state_holds_no_flow_back() {
    let Changed { folder, id, server, .. } = change("CLOSED", "SHUT");
    assert!(!server.log().contains("will be refused"), "{}", server.log());
    assert_eq!(number(&server.client.view(&id), "/version"), 4, "it went over when the server started");
    let answer = server.client.event(&id, "close").json();
    assert_eq!((text(&answer, "/state"), text(&answer, "/outcome")), ("SHUT", "user"), "{answer}");
    let new = folder.data().join("../law.yaml").display().to_string();
    let diff = folder.run(&["diff", &example("turnstile.yaml"), &new]);
    assert_eq!(diff.code, Some(0), "{diff:?}");
}

#[test]
fn the_old_law_revives_refused_flows() {
    let Changed { folder, id, server, .. } = change("OPEN", "AJAR");
    assert_eq!(server.client.event(&id, "push").status, 409);
    drop(server);
    let server = folder.serve(&["--law", &example("turnstile.yaml")]);
    let answer = server.client.event(&id, "push").json();
    assert_eq!((text(&answer, "/state"), number(&answer, "/version")), ("LOCKED", 4), "{answer}");
}

#[test]
fn a_written_migration_carries_flows_over_a_removed_state() {
    let folder = Folder::new();
    let source = std::fs::read_to_string(example("turnstile.yaml")).expect("the example is there");
    let path = folder.write("law.yaml", &source);
    let server = folder.serve(&["--law", &path]);
    let id = server.client.open("Turnstile");
    assert_eq!(server.client.event(&id, "push").status, 200);
    assert_eq!(server.client.event(&id, "coin").status, 200);
    assert!(server.terminate().is_some());
    let changed = source.replace("OPEN", "AJAR").replace("version: 1.0", "version: 1.1");
    folder.write("law.yaml", changed.replace("pushes:", "shoves:").replace("pushes", "shoves"));
    let migration =
        "migrate: Turnstile\nfrom: 1.0\nto: 1.1\nstates: {OPEN: AJAR}\ncounters: {pushes: shoves}\n";
    let migration = folder.write("migration.yaml", migration);
    let server = folder.serve(&["--law", &path, "--migration", &migration]);
    let client = &server.client;
    assert_eq!(text(&client.view(&id), "/state"), "AJAR", "{}", server.log());
    assert_eq!(text(&client.view(&id), "/law_version"), "1.1", "flows go over when the server starts");
    assert_eq!(text(&client.event(&id, "push").json(), "/state"), "LOCKED");
    let replay = folder.run(&["replay", &id, "--json"]);
    assert_eq!(replay.json()["same"].as_bool(), Some(true), "{replay:?}");
}

/// Courses and reviews that began under earlier laws.
#[test]
fn courses_and_reviews_of_old_laws_go_on_under_the_present_ones() {
    let rows = [
        ("teach-0.1.yaml", "law.yaml"),
        ("teach-0.2.yaml", "law.yaml"),
        ("teach-0.3.yaml", "law.yaml"),
        ("teach-0.4.yaml", "law.yaml"),
        ("teach-0.5.yaml", "law.yaml"),
        ("review-0.1.yaml", "review.yaml"),
        ("review-0.2.yaml", "review.yaml"),
        ("review-0.3.yaml", "review.yaml"),
    ];
    for (old, present) in rows {
        let present = format!("{}/../coaching/src/teach/{present}", env!("CARGO_MANIFEST_DIR"));
        let diff = Folder::new().run(&["diff", &law(old), &present]);
        assert_eq!(diff.code, Some(0), "{old}: {diff:?}");
        assert!(diff.stdout.contains("Every flow that rests under the old law can go on"), "{old}: {diff:?}");
    }
}

/// Two versions of one law; the second one closes sooner.
fn two_versions(folder: &Folder) -> [String; 2] {
    let source = std::fs::read_to_string(law("tally.yaml")).expect("the law is there");
    let first = source.replace("most: 5000", "most: 50");
    let second = source.replace("most: 5000", "most: 3").replace("version: 1.0", "version: 2.0");
    [folder.write("first.yaml", first), folder.write("second.yaml", second)]
}

#[test]
fn a_server_without_their_law_leaves_flows_under_their_own() {
    let folder = Folder::new();
    let ids =
        two_versions(&folder).map(|law| text(&folder.run(&["new", &law, "--json"]).json(), "/id").to_owned());
    let server = folder.serve(&[]);
    for (id, version, state) in [(&ids[0], "1.0", "OPEN"), (&ids[1], "2.0", "CLOSED")] {
        let answers = [0; 3].map(|_| server.client.event(id, "add").json());
        assert_eq!(text(&answers[2], "/state"), state, "{answers:?}");
        assert_eq!(text(&answers[2], "/law_version"), version, "{answers:?}");
    }
}

/// Servers are replaced one by one, so for a while both laws are served.
#[test]
fn flows_go_forward_and_never_back() {
    let folder = Folder::new();
    let [first, second] = two_versions(&folder);
    let old = folder.serve(&["--law", &first]);
    let id = old.client.open("Tally");
    assert_eq!(old.client.event(&id, "add").status, 200);
    let new = folder.serve(&["--law", &second]);
    assert_eq!(text(&new.client.view(&id), "/law_version"), "2.0");
    let refused = old.client.event(&id, "add");
    assert_eq!((refused.status, text(&refused.json(), "/code")), (409, "law_changed"), "{refused:?}");
    assert!(
        text(&refused.json(), "/title").contains("2.0, under which it runs, came after 1.0"),
        "{refused:?}"
    );
    // A law with other comments is still the older one.
    let commented = folder
        .write("commented.yaml", format!("# Closes late.\n{}", std::fs::read_to_string(&first).unwrap()));
    let commented = folder.serve(&["--law", &commented]);
    let refused = commented.client.event(&id, "add");
    assert_eq!((refused.status, text(&refused.json(), "/code")), (409, "law_changed"), "{refused:?}");
    assert_eq!(text(&new.client.event(&id, "add").json(), "/law_version"), "2.0");
    drop((old, new, commented));
    let back = "migrate: Tally\nfrom: 2.0\nto: 1.0\n";
    let server = folder.serve(&["--law", &first, "--migration", &folder.write("back.yaml", back)]);
    assert_eq!(text(&server.client.view(&id), "/law_version"), "1.0", "going back has to be stated");
}

#[test]
fn a_finished_flow_can_be_viewed_under_any_law() {
    let folder = Folder::new();
    let source = std::fs::read_to_string(law("tally.yaml")).expect("the law is there");
    let server = folder.serve(&["--law", &law("tally.yaml")]);
    let id = server.client.open("Tally");
    assert_eq!(text(&server.client.event(&id, "close").json(), "/state"), "CLOSED");
    drop(server);
    let changed = folder.write("changed.yaml", source.replace("CLOSED", "SHUT").replace("1.0", "1.1"));
    let server = folder.serve(&["--law", &changed]);
    let view = server.client.view(&id);
    assert_eq!((text(&view, "/state"), text(&view, "/law_version")), ("CLOSED", "1.0"), "{view}");
    let late = server.client.event(&id, "add");
    assert_eq!((late.status, text(&late.json(), "/code")), (409, "flow_is_over"), "{late:?}");
}
