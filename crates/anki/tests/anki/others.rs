//! Tests against the other programs that handle these files: Anki itself, and genanki.
//!
//! They run in a Python environment that `scripts/python-peers` makes.

use std::fs::{self, File};
use std::io::Cursor;
use std::path::{Path, PathBuf};
use std::process::Command;

use coaching::learner::MemoryState;
use coaching::pack::cards::{Card, Cards, Hold, Note, Rating, Review, ReviewKind, Side, Stage, to_html};
use coaching::pack::csv::{self, Header, Separator};
use serde_json::{Value, json};
use tempfile::TempDir;

use crate::files::{self, NOW_US, US_PER_S};
use crate::peers::{self, found};

#[test]
fn packages_of_other_programs_are_read() {
    let Some(peer) = Peer::find() else { return };
    let told = peer.run("make_packages.py", &[]);
    let genanki = peer.read("genanki.apkg");
    let left_out = genanki.left_out;
    assert_eq!(sorted(&tell_texts(&genanki)), sorted(&told["genanki"]["notes"]));
    let counts = [left_out.sounds, left_out.images, left_out.media_files, left_out.cards];
    let expected = ["sounds", "images", "media_files", "cards_left_out"].map(|name| &told["genanki"][name]);
    assert_eq!(json!(counts), json!(expected));
    for name in ["legacy.apkg", "latest.apkg"] {
        let cards = peer.read(name);
        assert_eq!(tell(&cards, plain), without_markup(&told["anki"]["notes"]), "{name}");
        assert_eq!(json!(cards.left_out.changes_by_hand), told["anki"]["changes_by_hand"], "{name}");
    }
    let text = fs::read(peer.folder.path().join("notes.txt")).unwrap();
    assert_eq!(tell_texts(&csv::read(&text, "none").unwrap()), tell_texts(&peer.read("latest.apkg")));
}

#[test]
fn anki_reads_our_packages() {
    let Some(peer) = Peer::find() else { return };
    let cards = with_guids(files::cards());
    let mut changed = cards.clone();
    changed.notes[0].back = "das frische Brot".to_owned();
    let later = NOW_US + 60 * US_PER_S;
    peer.write("first.apkg", &anki::write(&cards, NOW_US).unwrap());
    peer.write("again.apkg", &anki::write(&cards, NOW_US).unwrap());
    peer.write("changed.apkg", &anki::write(&changed, later).unwrap());
    let told = peer.run("read_back.py", &["first.apkg", "again.apkg", "changed.apkg"]);
    assert_eq!(told["problems"], json!([]));
    let new: Vec<&Value> = told["changes"].as_array().unwrap().iter().map(|change| &change["new"]).collect();
    assert_eq!(json!(new), json!([cards.notes.len(), 0, 0]), "{}", told["changes"]);
    assert_eq!(sorted(&told["notes"]), sorted(&tell(&changed, to_html)));
}

#[test]
fn ankis_package_survives_a_round_trip() {
    let Some(peer) = Peer::find() else { return };
    peer.run("make_packages.py", &[]);
    let cards = peer.read("latest.apkg");
    peer.write("ours.apkg", &anki::write(&cards, NOW_US).unwrap());
    let told = peer.run("read_back.py", &["ours.apkg"]);
    assert_eq!(told["problems"], json!([]));
    assert_eq!(sorted(&told["notes"]), sorted(&tell(&cards, to_html)));
}

/// A profile gets its own notes and cards back: nothing is duplicated, and existing content stays as it was.
#[test]
fn answers_return_to_the_profile_of_their_cards() {
    let Some(peer) = Peer::find() else { return };
    let before = peer.profile(&[]);
    for name in ["legacy.apkg", "latest.apkg"] {
        let source = fs::read(peer.folder.path().join(name)).unwrap();
        let (package, updated) =
            anki::update_package(&source, answered_since(&peer.read(name)), NOW_US).unwrap();
        assert_eq!(updated, anki::Updated { cards: 2, reviews: 2 }, "{name}");
        peer.write("back.apkg", &package);
        // Imported into the profile that the cards came from, the package adds no notes and changes none.
        let told = peer.profile(&["back.apkg"]);
        assert_eq!((&told["imported"][0]["new"], &told["problems"]), (&json!(0), &json!([])), "{name}");
        assert_eq!(told["notes"], before["notes"], "{name}");
        // Imported into an empty profile, it gives the same notes under the same ids, with the whole history.
        let other = peer.run("read_back.py", &["back.apkg"]);
        let histories = |told: &Value| -> Vec<usize> {
            let notes = told["notes"].as_array().unwrap().iter();
            notes.map(|note| note["cards"][0]["reviews"].as_array().map_or(0, Vec::len)).collect()
        };
        assert_eq!((histories(&other), &other["problems"]), (vec![4, 4], &json!([])), "{name}");
    }
    let collection = peer.folder.path().join("collection.anki2");
    let updated =
        anki::update_collection(&collection, answered_since(&peer.read("latest.apkg")), NOW_US).unwrap();
    assert_eq!(updated.reviews, 2);
    let told = peer.profile(&[]);
    assert_eq!((&told["problems"], &told["notes"]), (&json!([]), &with_answers(&before["notes"])));
    let again =
        anki::update_collection(&collection, answered_since(&peer.read("latest.apkg")), NOW_US).unwrap();
    assert_eq!(again, anki::Updated::default(), "what is there is not added twice");
}

const ANSWERED_US: i64 = NOW_US - 86_400 * US_PER_S;

/// Returns the card of each note as it was read, with one more answer.
fn answered_since(cards: &Cards) -> impl Fn(&str) -> Option<Card> {
    let review = Review {
        at_us: ANSWERED_US,
        rating: Rating::Good,
        interval_s: 21 * 86_400,
        kind: ReviewKind::Review,
        took_ms: 0,
    };
    let answered = |note: &Note| {
        let mut card = note.most_reviewed().expect("a card").clone();
        card.reviews.push(review);
        (card.interval_days, card.stage) = (21, Stage::Review);
        (note.guid.clone(), card)
    };
    let known: std::collections::HashMap<String, Card> = cards.notes.iter().map(answered).collect();
    move |guid| known.get(guid).cloned()
}

/// The notes that a profile should report after the import: one more answer on the first card of each note, and no
/// other change.
fn with_answers(notes: &Value) -> Value {
    let mut notes = notes.clone();
    for (at, note) in notes.as_array_mut().unwrap().iter_mut().enumerate() {
        let card = &mut note["cards"][0];
        let at_ms = ANSWERED_US / 1_000 + at as i64;
        card["history"].as_array_mut().unwrap().push(json!([at_ms, 3, 21, 1]));
        (card["interval"], card["reps"]) = (json!(21), json!(4));
    }
    notes
}

#[test]
fn anki_reads_our_text_files() {
    let Some(peer) = Peer::find() else { return };
    let mut cards = with_guids(files::cards());
    cards.notes[2].front = "#hash, \"quotes\"; and\ttab".to_owned();
    for (name, separator) in [("tab.txt", Separator::Tab), ("semicolon.txt", Separator::Semicolon)] {
        peer.write(name, csv::write(&cards, separator, Header::Anki).as_bytes());
        let told = peer.run("read_back.py", &[name, name]);
        let expected: Value = cards.notes.iter().map(|note| texts(note, to_html)).collect();
        assert_eq!(sorted(&bare(&told["notes"])), sorted(&expected), "{name}");
        assert_eq!(told["changes"][1]["new"], 0, "{name}");
    }
}

/// A Python that can run the scripts beside this file, and a folder for their output.
struct Peer {
    python: PathBuf,
    folder: TempDir,
}

impl Peer {
    fn find() -> Option<Peer> {
        let python = found(peers::run(peers::script("python-peers").arg("anki")))?;
        Some(Peer { python: PathBuf::from(python.trim()), folder: TempDir::new().unwrap() })
    }

    /// Runs a script on files of the folder. A run with files keeps its collection in a folder of its own.
    fn run(&self, script: &str, files: &[&str]) -> Value {
        let own = if files.is_empty() { None } else { Some(TempDir::new_in(self.folder.path()).unwrap()) };
        self.run_in(own.as_ref().map_or(self.folder.path(), TempDir::path), script, files)
    }

    fn run_in(&self, folder: &Path, script: &str, files: &[&str]) -> Value {
        let output = Command::new(&self.python)
            .arg(Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/anki").join(script))
            .arg(folder)
            .args(files.iter().map(|name| self.folder.path().join(name)))
            // Anki's day begins at four in the local time zone, so the zone is fixed.
            .env("TZ", "UTC")
            .env("PYTHONDONTWRITEBYTECODE", "1")
            .output()
            .unwrap();
        let complaint = String::from_utf8_lossy(&output.stderr);
        assert!(output.status.success(), "{script} failed: {complaint}");
        serde_json::from_slice(&output.stdout)
            .unwrap_or_else(|error| panic!("{script}: {error}\n{complaint}"))
    }

    /// Imports `files` into the folder's profile, which the first call creates, and returns the profile's content.
    fn profile(&self, files: &[&str]) -> Value {
        self.run_in(self.folder.path(), "profile.py", files)
    }

    fn read(&self, name: &str) -> Cards {
        let file = File::open(self.folder.path().join(name)).unwrap();
        anki::read(file).unwrap_or_else(|error| panic!("{name}: {error}"))
    }

    fn write(&self, name: &str, bytes: &[u8]) {
        fs::write(self.folder.path().join(name), bytes).unwrap();
        if name.ends_with(".apkg") {
            anki::read(Cursor::new(bytes)).unwrap_or_else(|error| panic!("{name}: {error}"));
        }
    }
}

/// Fills in the guid and the deck that a package gives every note.
fn with_guids(mut cards: Cards) -> Cards {
    for note in &mut cards.notes {
        note.guid = note.identity();
        if note.deck.is_empty() {
            note.deck = "Default".to_owned();
        }
    }
    cards
}

/// Describes cards as `read_back.py` does.
fn tell(cards: &Cards, field: fn(&str) -> String) -> Value {
    let note = |note: &Note| {
        let mut told = texts(note, field);
        told["cards"] = note.cards.iter().map(tell_card).collect();
        told
    };
    cards.notes.iter().map(note).collect()
}

fn texts(note: &Note, field: fn(&str) -> String) -> Value {
    let mut tags = note.tags.clone();
    tags.sort();
    let fields = [field(&note.front), field(&note.back)];
    json!({"guid": note.guid, "fields": fields, "tags": tags, "deck": note.deck})
}

fn tell_texts(cards: &Cards) -> Value {
    let note = |note: &Note| json!({"guid": note.guid, "deck": note.deck, "front": note.front, "back": note.back, "tags": note.tags});
    cards.notes.iter().map(note).collect()
}

fn tell_card(card: &Card) -> Value {
    let stage = match card.stage {
        Stage::New => 0,
        Stage::Learning => 1,
        Stage::Review => 2,
        Stage::Relearning => 3,
    };
    let hold = card.hold.map(|hold| match hold {
        Hold::Suspended => "suspended",
        Hold::Buried => "buried",
    });
    let memory = match card.memory {
        Some(MemoryState::Fsrs { stability, difficulty }) => json!([stability, difficulty]),
        _ => Value::Null,
    };
    let reviews: Value = card
        .reviews
        .iter()
        .map(|review| {
            let kind = match review.kind {
                ReviewKind::Learning => 0,
                ReviewKind::Review => 1,
                ReviewKind::Relearning => 2,
                ReviewKind::Extra => 3,
            };
            json!([review.at_us / US_PER_S, review.rating.button(), review.interval_s, kind])
        })
        .collect();
    json!({
        "asks": if card.asks == Side::Front { "front" } else { "back" },
        "stage": stage, "hold": hold, "due_at_s": card.due_at_us.map(|at_us| at_us / US_PER_S),
        "interval_days": card.interval_days, "factor": card.ease_permille, "reps": card.reviews_count,
        "lapses": card.lapses, "memory": memory, "reviews": reviews,
    })
}

fn plain(text: &str) -> String {
    text.to_owned()
}

/// Removes `<i>`, the only markup in the notes that Anki was given.
fn without_markup(told: &Value) -> Value {
    let text = told.to_string().replace("<i>", "").replace("</i>", "");
    serde_json::from_str(&text).unwrap()
}

/// Sorts notes by guid: Anki assigns ids of its own, so their order is not kept.
fn sorted(told: &Value) -> Vec<Value> {
    let mut notes = told.as_array().unwrap().clone();
    notes.sort_by_key(|note| note["guid"].to_string());
    notes
}

/// Notes without their cards.
fn bare(told: &Value) -> Value {
    let mut told = told.clone();
    for note in told.as_array_mut().unwrap() {
        note.as_object_mut().unwrap().remove("cards");
    }
    told
}
