//! Tests of cards: text out of HTML, packs out of cards, and cards out of packs.

use coaching::learner::MemoryState;
use coaching::pack::cards::{
    Card, CardRecord, Cards, Cloze, Hold, NewPack, Note, Rating, Review, ReviewKind, Side, Stage,
    cards_to_packs, is_exported, pack_to_cards, plain_text, to_html,
};
use coaching::pack::{self, Pack, Severity};
use proptest::prelude::*;

/// A field's HTML, its text, and how many sounds and images it has.
const FIELDS: &[(&str, &str, usize, usize)] = &[
    ("plain", "plain", 0, 0),
    ("  a \n b  ", "a b", 0, 0),
    ("K&auml;se &amp; Wein &#8364; &#x1F600; &nbsp;!", "Käse & Wein € 😀 !", 0, 0),
    ("&lt;b&gt; stays", "<b> stays", 0, 0),
    ("&unknown; &", "&unknown; &", 0, 0),
    ("one<br>two<BR/>three", "one\ntwo\nthree", 0, 0),
    ("<div>one</div><div><br></div><div>two</div>", "one\ntwo", 0, 0),
    ("<ul><li>a</li><li>b</li></ul>", "a\nb", 0, 0),
    ("f<b>a</b>t", "fat", 0, 0),
    ("<span style=\"a > b\" title='x > y'>in</span>", "in", 0, 0),
    ("1 < 2 and 3 > 2", "1 < 2 and 3 > 2", 0, 0),
    ("a <- b <3", "a <- b <3", 0, 0),
    ("<style>.x { color: red }</style>text<script>if (a < b) {}</script>", "text", 0, 0),
    ("<!-- hidden <b> -->shown<!-- open", "shown", 0, 0),
    ("unclosed <a href=", "unclosed", 0, 0),
    ("[sound:a.mp3]word[sound:b c.mp3]", "word", 2, 0),
    ("[anki:tts lang=de_DE]Brot[/anki:tts]", "Brot", 0, 0),
    ("[1] a [b", "[1] a [b", 0, 0),
    ("<img src='x.png'>", "", 0, 1),
    ("שלום <b>עולם</b>", "שלום עולם", 0, 0),
    ("食<ruby>べ<rt>ta</rt></ruby>る", "食べtaる", 0, 0),
    ("", "", 0, 0),
];

#[test]
fn text_comes_out_of_html() {
    for (html, text, sounds, images) in FIELDS {
        let plain = plain_text(html);
        assert_eq!((plain.text.as_str(), plain.sounds, plain.images), (*text, *sounds, *images), "{html}");
    }
}

#[test]
fn gaps_are_filled() {
    for (text, whole, gapped) in [
        ("no gap", "no gap", "no gap"),
        ("Ich {{c1::trinke}} Tee", "Ich trinke Tee", "Ich […] Tee"),
        ("Ich {{c1::trinke::verb}} {{c12::Tee}}", "Ich trinke Tee", "Ich [verb] […]"),
        ("{{c1::Guten {{c2::Tag}}}}!", "Guten Tag!", "[…]!"),
        ("{{c1::open", "open", "open"),
        ("{{cx::a}} {{c::b}} }}", "{{cx::a}} {{c::b}} }}", "{{cx::a}} {{c::b}} }}"),
    ] {
        assert_eq!(Cloze::new(text), Cloze { whole: whole.to_owned(), gapped: gapped.to_owned() }, "{text}");
    }
}

const NEW: NewPack = NewPack {
    id: "my-deck",
    title: "My deck",
    language: "de",
    explained_in: "en",
    about: "From Anki.",
    text_side: Side::Back,
};

fn note(front: &str, back: &str) -> Note {
    Note { front: front.to_owned(), back: back.to_owned(), deck: "Deck".to_owned(), ..Note::default() }
}

fn cards(notes: impl IntoIterator<Item = Note>) -> Cards {
    Cards { notes: notes.into_iter().collect(), ..Cards::default() }
}

#[test]
fn exported_cards_are_recognised() {
    let check = |guids: &[&str], expected: bool| {
        let notes = guids.iter().map(|guid| Note { guid: (*guid).to_owned(), ..note("hello", "Hallo") });
        assert_eq!(is_exported(&cards(notes)), expected, "{guids:?}");
    };
    check(&["my-deck/hallo", "my-deck/danke"], true);
    check(&["my-deck/hallo", "my-deck/danke", "Ab3$/x9{k"], true);
    check(&["Ab3$/x9{k", "my-deck/danke"], false);
    check(&["", ""], false);
    check(&[], false);
}

/// The back of a note, then the text and first answer of its item, or the reason why there is no item.
type Becomes = (&'static str, Result<(&'static str, &'static str), &'static str>);

const ITEMS: &[Becomes] = &[
    ("das Brot", Ok(("das Brot", "das Brot"))),
    ("eins\nzwei", Ok(("eins zwei", "eins zwei"))),
    ("Guten Tag / Guten Morgen", Ok(("Guten Tag / Guten Morgen", "Guten Tag"))),
    ("Rad / Rada bi kavo", Ok(("Rad / Rada bi kavo", "Rad / Rada bi kavo"))),
    ("Ich ___ Tee", Ok(("Ich … Tee", "Ich … Tee"))),
    ("Hallo /", Ok(("Hallo", "Hallo"))),
    ("a\u{7}b\u{FEFF}c: \"d\" # {e}", Ok(("a bc: \"d\" # {e}", "a bc: \"d\" # {e}"))),
    ("食べます", Ok(("食べます", "食べます"))),
    ("שָׁלוֹם", Ok(("שָׁלוֹם", "שָׁלוֹם"))),
    ("", Err("empty")),
    ("…?!", Err("no word")),
];

#[test]
fn a_note_becomes_an_item() {
    for (back, expected) in ITEMS {
        let packed = cards_to_packs(&cards([note("meaning", back)]), &NEW).unwrap();
        let read = packed.files.first().map(|file| Pack::read(file.yaml.as_bytes(), "my-deck.yaml").unwrap());
        let item = read.as_ref().map(|pack| &pack.items[0]);
        let why = packed.skipped.first().map(|skipped| skipped.why.as_str());
        match (expected, item, why) {
            (Ok((text, answer)), Some(item), None) => {
                assert_eq!((item.text.as_str(), item.cues[0].answer.as_str()), (*text, *answer), "{back}");
                assert!(item.cues.iter().all(|cue| cue.scene.ends_with("meaning")), "{back}");
            }
            (Err(part), None, Some(why)) => assert!(why.contains(part), "{back}: {why}"),
            other => panic!("{back}: {other:?}"),
        }
    }
}

#[test]
fn unusable_notes_are_reported() {
    let long = "ach ".repeat(60);
    let notes = [note("a", "Hallo"), note("b", "hallo!"), note("", "Tschüss"), note("c", &long)];
    let packed = cards_to_packs(&cards(notes), &NEW).unwrap();
    let places: Vec<usize> = packed.skipped.iter().map(|skipped| skipped.note).collect();
    assert_eq!(places, [1, 2, 3]);
    let wrong = NewPack { language: "Deutsch!", ..NEW };
    let problems = cards_to_packs(&cards([note("a", "Hallo")]), &wrong).unwrap_err();
    assert_eq!(problems[0].code.id(), "P013");
}

#[test]
fn many_notes_become_several_packs() {
    let packed =
        cards_to_packs(&cards((0..4_500).map(|n| note("number", &format!("wort{n}")))), &NEW).unwrap();
    let ids: Vec<&str> = packed.files.iter().map(|file| file.id.as_str()).collect();
    assert_eq!(ids, ["my-deck", "my-deck-2", "my-deck-3"]);
    let items =
        packed.files.iter().map(|file| Pack::read(file.yaml.as_bytes(), &file.id).unwrap().items.len());
    assert_eq!(items.collect::<Vec<_>>(), [2_000, 2_000, 500]);
}

fn studied(asks: Side, count: u32) -> Card {
    let review = |n: u32| Review {
        at_us: i64::from(n) * 1_000_000,
        rating: Rating::Good,
        interval_s: 86_400,
        kind: ReviewKind::Review,
        took_ms: 900,
    };
    Card {
        stage: Stage::Review,
        due_at_us: Some(99_000_000),
        interval_days: 1,
        reviews_count: count,
        memory: Some(MemoryState::Fsrs { stability: 3.0, difficulty: 5.0 }),
        reviews: (0..count).map(review).collect(),
        ..Card::new(asks)
    }
}

#[test]
fn history_comes_with_the_items_and_goes_back_with_them() {
    let mut both_ways = note("bread", "Brot");
    both_ways.guid = "elsewhere/brot".to_owned();
    both_ways.cards = vec![studied(Side::Front, 2), studied(Side::Back, 5)];
    let mut held = note("cheese", "Käse");
    held.guid = "x{9".to_owned();
    held.cards = vec![Card { hold: Some(Hold::Suspended), ..Card::new(Side::Front) }];
    let mut untouched = note("milk", "Milch");
    untouched.cards = vec![Card::new(Side::Front)];
    let packed = cards_to_packs(&cards([both_ways, held, untouched]), &NEW).unwrap();
    let records: Vec<(&str, &str, u32)> = packed
        .records
        .iter()
        .map(|record| (record.kind, record.key.as_str(), record.card.reviews_count))
        .collect();
    assert_eq!(records, [("item", "my-deck/brot", 5), ("item", "my-deck/card-bfed711980207497", 0)]);

    let pack = Pack::read(packed.files[0].yaml.as_bytes(), "my-deck").unwrap();
    let back = pack_to_cards(&pack, &packed.records);
    assert_eq!(back.notes[0].guid, "my-deck/brot");
    assert_eq!((back.notes[0].front.as_str(), back.notes[0].back.as_str()), ("bread", "Brot"));
    assert_eq!(back.notes[0].cards, [Card { asks: Side::Front, ..studied(Side::Back, 5) }]);
    assert_eq!(back.notes[2].cards, [Card::new(Side::Front)]);

    // A second round gives the same items, keys and history.
    let again = cards_to_packs(&back, &NEW).unwrap();
    let keys = |records: &[CardRecord]| records.iter().map(|record| record.key.clone()).collect::<Vec<_>>();
    assert_eq!(keys(&again.records), keys(&packed.records));
}

proptest! {
    #[test]
    fn html_is_never_a_panic_and_text_survives_it(text in "\\PC{0,60}", html in "[<>/a-z&;#!\\[\\]: \"'-]{0,80}") {
        plain_text(&html);
        let tidy = text.split_whitespace().collect::<Vec<_>>().join(" ");
        // Square brackets are Anki's markup, whatever they hold.
        prop_assume!(!tidy.contains('['));
        prop_assert_eq!(plain_text(&to_html(&tidy)).text, tidy);
    }

    #[test]
    fn any_cards_make_a_sound_pack(
        notes in prop::collection::vec((".{0,80}", ".{0,80}", "[a-z/]{0,8}"), 1..12),
        more in "[a-zäß_/ …食べる،؟.-]{0,250}",
    ) {
        let mut notes: Vec<Note> =
            notes.into_iter().map(|(front, back, guid)| Note { guid, ..note(&front, &back) }).collect();
        notes.push(note(&more, &more));
        let packed = cards_to_packs(&cards(notes), &NEW);
        prop_assert!(packed.is_ok(), "{packed:?}");
        for file in packed.unwrap().files {
            let problems = pack::check(file.yaml.as_bytes(), &file.id);
            prop_assert!(problems.iter().all(|problem| problem.severity == Severity::Warning), "{problems:?}");
        }
    }
}
