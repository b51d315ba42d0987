//! Tests of cards as text: files by spreadsheets, people and Anki are read, and written files are read back.

use coaching::pack::cards::{Cards, Note};
use coaching::pack::csv::{self, Header, Separator};
use proptest::prelude::*;

/// A file, then its notes as `front|back|tags|deck`.
const FILES: &[(&str, &[&str])] = &[
    ("Hallo,hello\nTschüss,bye\n", &["Hallo|hello||D", "Tschüss|bye||D"]),
    ("Hallo\thello", &["Hallo|hello||D"]),
    ("Hallo;hello\r\nTschüss;bye\r\n", &["Hallo|hello||D", "Tschüss|bye||D"]),
    ("Hallo;hello\rTschüss;bye\r", &["Hallo|hello||D", "Tschüss|bye||D"]),
    ("\u{FEFF}Hallo,hello", &["Hallo|hello||D"]),
    ("\n\nHallo,hello\n\n\nTschüss,bye\n\n", &["Hallo|hello||D", "Tschüss|bye||D"]),
    // The separator that gives all lines the same number of fields wins.
    ("ja, gern;yes, please\nnein;no\n", &["ja, gern|yes, please||D", "nein|no||D"]),
    ("\"a, \"\"b\"\"\",\"two\nlines\"\nc,d", &["a, \"b\"|two\nlines||D", "c|d||D"]),
    ("say \"hi\",\"\"\n", &["say \"hi\"|||D"]),
    (" Hallo , hello ,x\n", &["Hallo|hello||D"]),
    // A header row in any order and case.
    (
        "Back,Tags,Front,Deck\nhello,a b,Hallo,\nbye,,Tschüss,E::F\n",
        &["Hallo|hello|a b|D", "Tschüss|bye||E::F"],
    ),
    ("term;definition\nHallo;hello\n", &["Hallo|hello||D"]),
    ("front,side\nHallo,hello\n", &["front|side||D", "Hallo|hello||D"]),
    // Anki's header settings.
    ("#separator:tab\n#html:true\nK&auml;se<br>x\t<b>cheese</b>\n", &["Käse\nx|cheese||D"]),
    ("#separator:comma\n#html:false\n<b>,&amp;\n", &["<b>|&amp;||D"]),
    ("#separator:Pipe\na|b\n", &["a|b||D"]),
    (
        "#separator:tab\r\n#html:true\r\n#guid column:1\r\n#notetype column:2\r\n#deck column:3\r\n#tags column:6\r\n\
         g1\tBasic\tA::B\tHallo\thello\tx y\r\n",
        &["Hallo|hello|x y|A::B"],
    ),
    ("#deck:All\n#tags:one two\n#columns:Back;Front\nhello;Hallo\n", &["Hallo|hello|one two|All"]),
    ("#separator:tab\n#html:true\n{{c1::Tee}} trinken\t\n", &["Tee trinken|[…] trinken||D"]),
    ("#1: a,b\nc,d\n", &["#1: a|b||D", "c|d||D"]),
];

#[test]
fn files_are_read_as_intended() {
    for (file, expected) in FILES {
        let cards = csv::read(file.as_bytes(), "D").unwrap_or_else(|error| panic!("{file:?}: {error}"));
        let notes: Vec<String> = cards.notes.iter().map(shown).collect();
        assert_eq!(notes, *expected, "{file:?}");
    }
}

fn shown(note: &Note) -> String {
    format!("{}|{}|{}|{}", note.front, note.back, note.tags.join(" "), note.deck)
}

#[test]
fn errors_name_their_line() {
    let long = format!("a,b\nc,{}\n", "x".repeat(10_001));
    let many = "a,b\n".repeat(100_001);
    for (file, line, part) in [
        ("", 1, "nothing separates"),
        ("#separator:tab\n", 0, "no note"),
        ("one\ntwo\n", 1, "nothing separates"),
        ("a,b\nc\n", 2, "1 fields"),
        ("a,b\n\"c,d\ne,f\n", 2, "never closed"),
        ("\"a\" b,c\n", 1, "after a closing quote"),
        ("a,b\n\"two\nlines\",c\n\"d\"e,f\n", 4, "after a closing quote"),
        ("#separator:slash\na/b\n", 1, "slash"),
        ("#separator:tab\n#tags column:none\na\tb\n", 2, "not a column"),
        (long.as_str(), 2, "10000 bytes"),
        (many.as_str(), 100_001, "100000 notes"),
        ("front,back\n", 0, "no note"),
    ] {
        let error = csv::read(file.as_bytes(), "D").expect_err(&file[..file.len().min(40)]);
        assert_eq!(error.line, line, "{error}");
        assert!(error.message.contains(part) && !error.cure.is_empty(), "{error}");
    }
    let error = csv::read(b"a,b\nc,\xE4\n", "D").unwrap_err();
    assert_eq!(error.to_string(), "line 2: the file is not UTF-8 text (save it as “CSV UTF-8”)");
}

fn notes() -> impl Strategy<Value = Vec<Note>> {
    let text = "[a-zäß食,;\t\"# \n]{0,12}x[,;\t\"]{0,2}";
    let note =
        (text, text, prop::collection::vec("[a-z]{1,5}", 0..3), "[a-z]{1,5}(::[a-z]{1,5})?", "[!-~]{0,8}")
            .prop_map(|(front, back, tags, deck, guid)| Note {
                guid,
                deck,
                front: front.trim().to_owned(),
                back: back.trim().to_owned(),
                tags,
                cards: Vec::new(),
            });
    prop::collection::vec(note, 1..8)
}

proptest! {
    #[test]
    fn written_cards_are_read_back(
        notes in notes(),
        separator in prop::sample::select(vec![Separator::Tab, Separator::Semicolon, Separator::Comma]),
        header in prop::sample::select(vec![Header::Row, Header::Anki]),
    ) {
        let cards = Cards { notes, ..Cards::default() };
        let text = csv::write(&cards, separator, header);
        let mut expected = cards.notes.clone();
        if header == Header::Anki {
            expected.sort_by_key(|note| note.deck.clone());
        }
        prop_assert_eq!(csv::read(text.as_bytes(), "other").unwrap().notes, expected, "{}", text);
    }

    #[test]
    fn no_file_is_a_panic(bytes in prop::collection::vec(any::<u8>(), 0..200), text in "[a#:,;\t\"\r\n]{0,60}") {
        let _ = csv::read(&bytes, "D");
        let _ = csv::read(text.as_bytes(), "D");
    }
}
