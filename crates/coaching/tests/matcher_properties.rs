//! Properties that hold for every text: no panic, no dependence on noise.

use coaching::text::{Heard, How, Target, WordSet, Words};
use proptest::prelude::*;

const WORDS: &[&str] = &[
    "ja",
    "nein",
    "Straße",
    "café",
    "mañana",
    "živjo",
    "čaj",
    "smørrebrød",
    "günaydın",
    "Łódź",
    "πώς",
    "λόγος",
    "хорошо",
    "всё",
    "مرحبا",
    "שלום",
    "Đường",
    "l'eau",
    "안녕하세요",
    "नमस्ते",
];

const NOISE: &[&str] = &[" ", ", ", "! ", " — ", " 👋🏽 ", "…\u{200B} ", " «", "» ", "\u{202E} "];

/// Marks that change nothing on a cased letter of the scripts above.
const MARKS: &[char] = &['\u{301}', '\u{308}', '\u{30C}', '\u{323}', '\u{AD}', '\u{FE0F}'];

fn words(count: std::ops::Range<usize>) -> impl Strategy<Value = Vec<&'static str>> {
    prop::collection::vec(prop::sample::select(WORDS), count)
}

/// A part of a target: a word, a choice of two, or a slot with the learner's words for it.
#[derive(Debug, Clone)]
enum Part {
    Word(&'static str),
    Choice(&'static str, &'static str, bool),
    Slot(Vec<&'static str>),
}

fn part() -> impl Strategy<Value = Part> {
    let word = || prop::sample::select(WORDS);
    prop_oneof![
        4 => word().prop_map(Part::Word),
        1 => (word(), word(), any::<bool>()).prop_map(|(a, b, first)| Part::Choice(a, b, first)),
        1 => words(1..9).prop_map(Part::Slot),
    ]
}

impl Part {
    fn written(&self) -> String {
        match self {
            Part::Word(word) => word.to_string(),
            Part::Choice(a, b, _) => format!("{a}/{b}"),
            Part::Slot(_) => "___".to_owned(),
        }
    }

    fn said(&self) -> String {
        match self {
            Part::Word(word) => word.to_string(),
            Part::Choice(a, b, first) => if *first { a } else { b }.to_string(),
            Part::Slot(words) => words.join(" "),
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(400))]

    #[test]
    fn nothing_panics(target in any::<String>(), alias in any::<String>(), heard in any::<String>()) {
        let mut set = WordSet::default();
        set.add(&alias);
        set.unknown_in(&heard);
        let heard = Heard::new(&heard);
        if let Ok(target) = Target::parse(&target) {
            let result = target.with_aliases([alias]).hear(&heard);
            prop_assert!(heard.is_attempt() || !result.matched);
        }
    }

    #[test]
    fn nothing_panics_on_target_syntax(
        target in "[a-zßé水ไ_/ .'\u{301}]{0,40}", heard in "[a-zßé水ไ_/ .'\u{301}]{0,60}",
    ) {
        if let Ok(target) = Target::parse(&target) {
            target.hear(&Heard::new(&heard));
        }
    }

    #[test]
    fn noise_does_not_count(
        words in words(1..5),
        noise in prop::collection::vec(prop::sample::select(NOISE), 6),
        marks in prop::collection::vec(prop::option::of(prop::sample::select(MARKS)), 40),
        upper in any::<bool>(),
    ) {
        let target = Target::parse(&words.join(" ")).unwrap();
        let mut marks = marks.into_iter().cycle();
        let mut heard = noise[0].to_owned();
        for (word, noise) in words.iter().zip(&noise[1..]) {
            let cased = if upper { word.to_uppercase() } else { word.to_lowercase() };
            for c in cased.chars() {
                heard.push(c);
                heard.extend(marks.next().flatten());
            }
            heard.push_str(noise);
        }
        prop_assert_eq!(target.hear(&Heard::new(&heard)).how, How::Surface, "{}", heard);
    }

    #[test]
    fn a_target_hears_itself(
        parts in prop::collection::vec(part(), 1..6), before in words(0..3), after in words(0..3),
    ) {
        prop_assume!(parts.iter().any(|part| !matches!(part, Part::Slot(_))));
        let written = parts.iter().map(Part::written).collect::<Vec<_>>().join(" ");
        let said = parts.iter().map(Part::said).collect::<Vec<_>>().join(" ");
        let heard = format!("{} {said} {}", before.join(" "), after.join(" "));
        let result = Target::parse(&written).unwrap().hear(&Heard::new(&heard));
        prop_assert_eq!(result.how, How::Surface, "{} in {}", written, heard);
    }

    #[test]
    fn one_wrong_letter_in_a_long_word_is_forgiven(word in "[a-z]{4,20}", at in 0usize..20, letter in "[a-z]") {
        let at = at % word.len();
        let wrong = format!("{}{letter}{}", &word[..at], &word[at + 1..]);
        let how = Target::parse(&word).unwrap().hear(&Heard::new(&wrong)).how;
        prop_assert_eq!(how, if wrong == word { How::Surface } else { How::Fuzzy });
    }

    #[test]
    fn a_wrong_letter_in_a_short_word_is_not(word in "[a-z]{1,3}", heard in "[a-z]{1,4}") {
        let how = Target::parse(&word).unwrap().hear(&Heard::new(&heard)).how;
        prop_assert_eq!(how, if heard == word { How::Surface } else { How::None });
    }

    #[test]
    fn folding_twice_is_folding_once(text in any::<String>()) {
        let once: Vec<String> = Words::new(&text).iter().map(|(_, fold)| fold.to_owned()).collect();
        for fold in &once {
            let twice: String = Words::new(fold).iter().map(|(_, fold)| fold.to_owned()).collect();
            prop_assert_eq!(&twice, fold);
        }
    }

    #[test]
    fn added_words_are_known(text in any::<String>()) {
        let mut set = WordSet::default();
        set.add(&text);
        prop_assert_eq!(set.unknown_in(&text), Vec::<&str>::new());
    }
}

/// A hostile client's largest message, against the target with the most readings.
#[test]
fn a_hundred_kilobytes_are_heard() {
    let target = Target::parse("a/b ___ a/b ___ aaaa/aaab ___ aaaaaaaa ___ c").unwrap();
    let stretch = Target::parse("ありがとうございますありがとうございます").unwrap();
    for piece in [
        "a ",
        "aaab ",
        "a",
        "あ",
        "水曜日",
        "สวัสดี",
        "e\u{301}\u{323}",
        "ﷺ",
        "\u{200B}",
        "! ",
        "👋🏽",
        "\u{0}",
        "Ǆ ",
    ] {
        let text = piece.repeat(100_000 / piece.len());
        let heard = Heard::new(&text);
        target.hear(&heard);
        stretch.hear(&heard);
        Words::new(&text);
        WordSet::default().unknown_in(&text);
    }
}
