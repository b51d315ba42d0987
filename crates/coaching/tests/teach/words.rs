//! Tests that every sentence of courses, reviews and grades exists in every language.

use coaching::desk::Offer;
use coaching::face::Face;
use coaching::grade;
use coaching::teach::{Course, Review, words};
use coaching::turn::Flow;
use coaching::words::{Key, Lexicon, Text, problems};

/// The sentences that every surface says about a flow.
fn of_face(face: &Face) -> impl Iterator<Item = Key> {
    let verbs = face.verbs.iter().map(|verb| Offer::of(face.name, verb.name));
    let texts = [face.about()].into_iter().chain(verbs.flat_map(|offer| [offer.title, offer.help]));
    let key = |text| match text {
        Text::Sentence(sentence) => (&*sentence.key.into_owned().leak(), &[][..]),
        Text::Plain(text) => panic!("{text} is in one language only"),
    };
    texts.map(key)
}

#[test]
fn every_language_says_everything() {
    let own = [words::KEYS, words::REFUSALS, grade::words::KEYS].concat();
    let keys: Vec<Key> =
        own.into_iter().chain(of_face(&Course::FACE)).chain(of_face(&Review::FACE)).collect();
    assert_eq!(problems(Course::FACE.words, &keys), [""; 0]);
    assert_eq!(problems(Review::FACE.words, &keys), [""; 0]);
    let lexicon = Lexicon::new(Course::FACE.words.iter().copied());
    assert_eq!(lexicon.languages().collect::<Vec<_>>(), ["en", "de"]);
}

#[test]
fn sentences_are_in_the_learners_language() {
    let lexicon = Lexicon::new(Course::FACE.words.iter().copied());
    let check = |text: Text, english: &str, german: &str| {
        assert_eq!([lexicon.say("en", &text), lexicon.say("de", &text)], [english, german]);
    };
    check(words::right(), "Right.", "Richtig.");
    check(
        words::evidence(vec![
            words::evidence_of("ALPHA", "it is alpha"),
            words::evidence_of("b", "it is beta"),
        ]),
        "“ALPHA” counts as “it is alpha”; “b” counts as “it is beta”.",
        "„ALPHA“ zählt als „it is alpha“; „b“ zählt als „it is beta“.",
    );
    check(words::good_answer_lines("a\nb"), "A good answer:\n\na\nb", "Eine gute Antwort:\n\na\nb");
    check(
        words::planned(3, 15, 0, 0),
        "Your map has 3 concepts, about 15 minutes in all. We begin at the beginning.",
        "Deine Karte hat 3 Begriffe, zusammen etwa 15 Minuten. Wir fangen vorne an.",
    );
    check(
        words::planned(1, 0, 0, 1),
        "Your map has 1 concept. You seem to know one of them already; it will go quickly.",
        "Deine Karte hat 1 Begriff. Einen davon kennst du wohl schon; der geht schnell.",
    );
    check(
        words::planned(30, 300, 5, 2),
        "Your map has 30 concepts, about 5 hours in all. You seem to know 2 of them already; they will go quickly.",
        "Deine Karte hat 30 Begriffe, zusammen etwa 5 Stunden. 2 davon kennst du wohl schon; die gehen schnell.",
    );
    check(
        words::resumed("SQL", 3, 1),
        "“SQL” continues. You have understood 1 of its 3 concepts.",
        "„SQL“ geht weiter. Verstanden hast du 1 von 3 Begriffen.",
    );
    check(
        words::one_opens("SELECT", 2, 1, "WHERE", words::when_days(2)),
        "Answer “SELECT” right 2 more times in a row (a slip counts as 3 of 5, a choice as 4) to open “WHERE”. The next \
         review is in 2 days; you can also practise now.",
        "Beantworte „SELECT“ noch 2-mal hintereinander richtig (ein kleiner Fehler zählt als 3 von 5, eine Auswahl als 4), dann \
         öffnet sich „WHERE“. Die nächste Wiederholung ist in 2 Tagen; du kannst auch jetzt üben.",
    );
    check(
        words::one_completes("SELECT", 1, 0, words::when_hours(0)),
        "Answer “SELECT” right once more, and the course is complete. The next review is within the hour; you can \
         also practise now.",
        "Beantworte „SELECT“ noch einmal richtig, dann ist der Kurs abgeschlossen. Die nächste Wiederholung ist in \
         weniger als einer Stunde; du kannst auch jetzt üben.",
    );
    check(words::when_days(1), "tomorrow", "morgen");
    check(words::when_hours(1), "in an hour", "in einer Stunde");
    check(words::status("teaching"), "being taught", "wird unterrichtet");
    let refusal = words::no_topic("goal");
    check(refusal.message, "the goal is empty", "das Ziel ist leer");
    check(refusal.cure, "say the goal in a few words", "nenne das Ziel in ein paar Worten");
    check("A table holds rows.".into(), "A table holds rows.", "A table holds rows.");
}
