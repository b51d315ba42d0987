//! Tests that a learner's data can be exported whole and deleted whole.

use crate::common::Folder;
use crate::learner::place::{answer, at, course};
use coaching::teach::progress::ResponseType;
use serde_json::{Value, json};
use shell::engine::clock::Clock;

#[tokio::test]
async fn a_learner_is_exported_whole_and_deleted_whole() {
    let folder = Folder::new();
    std::fs::create_dir_all(folder.data()).expect("a data folder");
    let address = format!("sqlite:{}", folder.data().join("etude.db").display());
    let app = at(&address, Clock::System).await;
    for learner in ["ada", "bob"] {
        let (id, nodes) = course(&app, learner, &["joins"]).await;
        answer(&app, &id, nodes[0], &format!("secret of {learner}"), 4, ResponseType::Review).await;
    }
    app.store.close().await;
    let unlinked = folder.run(&["learner", "link", "ada"]);
    assert!(unlinked.code == Some(1) && unlinked.stderr.contains("no bot"), "{unlinked:?}");
    let channels = "[mail]\nhost = \"127.0.0.1\"\nsecurity = \"none\"\nfrom = \"e@example.org\"\n\
                    [telegram]\ntoken = \"12:abc\"\n";
    std::fs::write(folder.data().join("config.toml"), channels).expect("settings");
    assert_eq!(folder.run(&["learner", "set", "email", "ada@example.org", "--learner", "ada"]).code, Some(0));
    assert!(folder.run(&["learner", "link", "ada"]).stdout.contains("/start "));
    assert_eq!(folder.run(&["jobs", "run", "weekly-progress-digest", "--learner", "ada"]).code, Some(0));
    assert!(folder.run(&["jobs", "--learner", "ada"]).stdout.contains("nightly-analytics-snapshot"));

    let all = folder.run(&["learner", "export", "ada"]).json();
    let text = all.to_string();
    assert!(text.contains("secret of ada") && !text.contains("secret of bob"), "{text}");
    let length = |name: &str| all[name].as_array().map_or(0, Vec::len);
    assert_eq!((length("flows"), length("messages"), length("about_them")), (1, 1, 1), "{text}");
    assert!(all["flows"][0]["log"].as_array().is_some_and(|log| log.len() >= 3), "{text}");
    assert!(length("records") >= 5, "{text}");

    let asked = folder.run(&["learner", "delete", "ada"]);
    assert_eq!(asked.code, Some(2), "there is no one to ask: {asked:?}");
    let gone = folder.run(&["learner", "delete", "ada", "--yes", "--json"]).json();
    assert_eq!((&gone["flows"], &gone["effects"]), (&Value::from(1), &Value::from(1)), "{gone}");
    let left = folder.run(&["learner", "export", "ada"]);
    assert!(left.code == Some(2) && left.stderr.contains("nothing is kept about \"ada\""), "{left:?}");
    for file in
        std::fs::read_dir(folder.data()).expect("a data folder").map(|file| file.expect("a file").path())
    {
        let bytes = std::fs::read(&file).expect("a file that can be read");
        let has = |word: &str| bytes.windows(word.len()).any(|found| found == word.as_bytes());
        assert!(!has("secret of ada") && !has("ada@example"), "something is left in {}", file.display());
    }
    assert!(folder.run(&["learner", "export", "bob"]).stdout.contains("secret of bob"));
    for nobody in ["", "ada", "bbo"] {
        let gone = folder.run(&["learner", "delete", nobody, "--yes"]);
        assert_eq!(gone.code, Some(2), "nothing is kept about {nobody:?}: {gone:?}");
    }
    let lines = folder.run(&["learner", "deletions", "--json"]).json();
    assert_eq!((lines.as_array().map(Vec::len), &lines[0]["flows"]), (Some(1), &json!(1)), "{lines}");
    assert!(!lines.to_string().contains("ada"), "{lines}");
}
