//! Tests of files over HTTP: an upload can be used at once, and a bad file is refused with the reason.

use crate::common::{Client, Folder, Reply, number, text};
use serde_json::Value;

const PACK: &str = r#"pack: slovene-hello
title: "Slovene: hello"
language: sl
explained_in: en
about: One greeting.
names: [Ana, Luka]
items:
  - id: zivjo
    text: Živjo
    meaning: hi
    explain: A short hello for people you like.
    examples:
      - {say: "Živjo, Ana!", means: "Hi, Ana!"}
    cues:
      - {scene: "Ana comes through the gate. Greet her.", answer: "Živjo, Ana!"}
      - {scene: "Luka waves from his bicycle.", say: "Živjo!", means: "Hi!", answer: "Živjo, Luka!"}
      - {scene: "You pick up the phone and it is a friend.", answer: "Živjo!"}
"#;

fn bring(client: &Client, query: &str, bytes: impl Into<Vec<u8>>) -> Reply {
    let request = client.request("POST", &format!("/api/files?{query}"));
    client.send(&request.header("Content-Type", "application/octet-stream").body(bytes))
}

/// The packs that are offered as drills.
fn packs(client: &Client) -> Vec<String> {
    let home = client.get("/api/home").json();
    let drills = home["subjects"].as_array().into_iter().flatten().filter(|row| row["flow"] == "drill");
    drills.map(|row| text(row, "/id").to_owned()).collect()
}

#[test]
fn a_pack_is_available_at_once_and_after_a_restart() {
    let folder = Folder::new();
    let server = folder.serve(&[]);
    let client = &server.client;
    assert!(!packs(client).contains(&"slovene-hello".to_owned()));
    let taken = bring(client, "name=slovene-hello.yaml", PACK);
    assert_eq!(taken.status, 201, "{taken:?}");
    assert_eq!((text(&taken.json(), "/kind"), number(&taken.json(), "/count")), ("pack", 1));
    assert!(packs(client).contains(&"slovene-hello".to_owned()));
    let drill = client.post("/api/drills", &serde_json::json!({"pack": "slovene-hello"}));
    assert_eq!((drill.status, text(&drill.json(), "/data/target/text")), (201, "Živjo"), "{drill:?}");
    let again = bring(client, "name=slovene-hello.yaml", PACK);
    assert_eq!((again.status, text(&again.json(), "/code")), (409, "name_taken"), "{again:?}");
    assert_eq!(bring(client, "name=slovene-hello.yaml&replace=true", PACK).status, 201);
    drop(server);
    assert!(packs(&folder.serve(&[]).client).contains(&"slovene-hello".to_owned()));
}

#[test]
fn cards_come_in_with_their_history_and_go_out_again() {
    let folder = Folder::new();
    let server = folder.serve(&[]);
    let client = &server.client;
    let cards = "front,back\nzdravo,hello\nhvala,thank you\n,nothing\n";
    let taken = bring(client, "name=my%20words.csv&language=sl&title=Words", cards).json();
    assert_eq!((text(&taken, "/id"), text(&taken, "/title")), ("my-words", "Words"), "{taken}");
    assert_eq!((number(&taken, "/count"), text(&taken, "/text_side")), (2, "front"), "{taken}");
    let export = client.get("/api/packs/my-words/export?format=csv");
    assert!(
        export.body.contains("zdravo") && export.header("content-disposition").contains("my-words.csv"),
        "{export:?}"
    );
    let file = folder.data().join("german.apkg");
    folder.run(&["pack", "export", "german-first-words", &file.display().to_string()]);
    let package = std::fs::read(&file).expect("a package");
    let taken = bring(client, "name=german.apkg&language=de", package);
    assert_eq!((taken.status, text(&taken.json(), "/text_side")), (201, "back"), "{taken:?}");
    assert!(number(&taken.json(), "/count") > 50, "{taken:?}");
}

#[test]
fn a_bad_file_says_what_is_wrong() {
    let folder = Folder::new();
    let server = folder.serve(&[]);
    let client = &server.client;
    let before = packs(client);
    let rows: [(&str, &[u8], u16, &str); 9] = [
        ("name=x.yaml", b"pack: x\nitems: []\n", 422, "bad_file"),
        ("name=x.yaml", b"curriculum: x\nconcepts: 3\n", 422, "bad_file"),
        ("name=x.yaml", b"\xff\xfe", 422, "bad_file"),
        ("name=x.apkg&language=de", b"PK", 422, "bad_file"),
        ("name=x.csv", b"a,b\n", 422, "bad_file"),
        ("name=x.csv&language=de", b"", 422, "bad_file"),
        ("name=x.jpg", b"x", 422, "bad_file"),
        ("name=x.csv&language=de&text_side=up", b"a,b\n", 400, "bad_query"),
        ("language=de", b"a,b\n", 400, "bad_query"),
    ];
    for (query, bytes, status, code) in rows {
        let reply = bring(client, query, bytes);
        let said: Value = reply.json();
        assert_eq!((reply.status, text(&said, "/code")), (status, code), "{query}: {reply:?}");
        assert!(!text(&said, "/title").is_empty() && !text(&said, "/cure").is_empty(), "{query}: {reply:?}");
    }
    let shipped = bring(client, "name=german-first-words.csv&language=de", "a,b\n");
    assert_eq!((shipped.status, text(&shipped.json(), "/code")), (409, "name_taken"), "{shipped:?}");
    assert_eq!(packs(client), before, "nothing was taken in");
    // The name is used as a name, never as a path.
    let taken = bring(client, "name=..%2F..%2Fevil.csv&language=sl", "zdravo,hello\n").json();
    assert_eq!(text(&taken, "/id"), "evil", "{taken}");
    assert!(folder.data().join("packs/evil.yaml").exists());
}
