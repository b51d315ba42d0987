//! Tests of phrases in running text, and of the words a learner has met.

use coaching::text::{Phrase, WordSet, Words};

#[test]
fn a_phrase_is_found_as_whole_words_only() {
    for (phrase, text, found) in [
        ("goodbye", "goodbye", true),
        ("stop", "please stop now", true),
        ("stop", "tell me about nonstop flights", false),
        ("quit", "That is quite nice", false),
        ("goodbye", "Thanks for chatting! Goodbye!", true),
        ("quit", "I want to quit smoking", true),
        ("good bye", "well, GOOD—BYE then", true),
        ("good bye", "good old bye", false),
        ("good bye", "bye good", false),
        ("exit", "exıt", true),
        ("don't", "I dont know", true),
        ("binary search", "The answer is to use Binary-Search.", true),
        ("left += 1", "add left += 1 before", true),
        ("left += 1", "the 1 left", false),
        ("再见", "好的，再见！", true),
        ("شكرا", "لا، شُكْرًا لك", true),
        ("aa aab", "aa aa aab", true),
    ] {
        let phrase = Phrase::new(phrase).unwrap();
        assert_eq!(Words::new(text).contains(&phrase), found, "{phrase:?} in {text}");
    }
}

#[test]
fn a_phrase_without_words_is_none() {
    for text in ["", "   ", "?!", "🙂", "\u{200D}"] {
        assert_eq!(Phrase::new(text), None, "{text:?}");
    }
}

#[test]
fn words_not_met_are_named_as_written() {
    for (met, line, unknown) in [
        ("Hallo Anna", "Hallo, ANNA!", vec![]),
        ("Hallo", "Hallo, Paul und Paul!", vec!["Paul", "und"]),
        ("Rad / Rada bi ___.", "Rada bi", vec![]),
        ("J'aime", "j’aime ça", vec!["ça"]),
        ("", "Straße", vec!["Straße"]),
        ("水 ください を", "水をください", vec![]),
        ("お水をください", "お水をください。", vec![]),
        ("水", "水とお茶", vec!["と", "お茶"]),
        ("สวัสดี ครับ", "สวัสดีครับ", vec![]),
        ("你好", "你好，iPhone", vec!["iPhone"]),
        ("你好", "…!", vec![]),
    ] {
        let mut set = WordSet::default();
        set.add(met);
        assert_eq!(set.unknown_in(line), unknown, "{line} after {met}");
    }
}

#[test]
fn folded_words_are_told_with_their_spelling() {
    let words: Vec<(&str, String)> =
        Words::new("L'Été, 'Straße' 水です").iter().map(|(word, fold)| (word, fold.to_owned())).collect();
    let expected = [("L'Été", "lete"), ("Straße", "strasse"), ("水", "水"), ("です", "です")];
    assert_eq!(words, expected.map(|(word, fold)| (word, fold.to_owned())));
}
