//! Tests of the drill's face: its words in every language, its desk, its verbs.

use crate::drill::session::{Session, item_record, tiny};
use coaching::desk::{Ask, Block, Desk, Form, Role};
use coaching::drill::{Drill, DrillMore, words};
use coaching::face::schema;
use coaching::learner::{self, Status};
use coaching::turn::Flow;
use coaching::words::{Lexicon, Text, problems};
use schemars::SchemaGenerator;
use serde_json::json;
use std::collections::BTreeSet;

fn started(new_words: usize) -> Session {
    let mut session = Session::open(tiny(), json!({"pack": "tiny", "new_words": new_words}), &[]);
    session.step("start");
    session
}

#[test]
fn every_language_has_every_sentence() {
    let keys = [words::KEYS, words::REFUSALS, learner::words::KEYS, learner::words::REFUSALS].concat();
    assert_eq!(problems(Drill::FACE.words, &keys), Vec::<String>::new());
}

#[test]
fn missing_double_and_unused_sentences_are_reported() {
    let file = ("en", "a = A\nb = { $x }\nb = B\nc = { $y }\nd = D\n");
    let told = problems(&[file], &[("a", &[]), ("b", &[]), ("c", &["x"]), ("e", &[])]);
    let expected = [
        "en: `b` is written twice",
        "en: `c` uses $y, which it does not get",
        "en: `e` is missing",
        "en: nothing says `d`",
    ];
    assert_eq!(told, expected);
}

#[test]
fn frequent_sentences_vary() {
    let lexicon = Lexicon::new(Drill::FACE.words.iter().copied());
    let check = |ways: usize, say: &dyn Fn(usize) -> Text| {
        for language in lexicon.languages() {
            let said: BTreeSet<String> = (0..ways).map(|way| lexicon.say(language, &say(way))).collect();
            assert_eq!(said.len(), ways, "{language}: {said:?}");
        }
    };
    check(words::PRAISES, &|way| words::praise(way));
    check(words::ENDS, &|way| words::learned(way, "Hallo"));
    check(words::PROMISES, &|way| words::parked(way, "Hallo"));
    check(words::NUDGES, &|way| words::nudge(way));
}

#[test]
fn every_verb_has_a_title_and_help_and_an_event_of_the_law() {
    let machine = started(1).machine;
    for verb in Drill::FACE.verbs {
        for key in [format!("drill-verb-{}", verb.name), format!("drill-verb-{}.help", verb.name)] {
            assert!(words::KEYS.iter().any(|(known, _)| *known == key), "{key}");
        }
        assert!(verb.event().is_none_or(|event| machine.event_named(event).is_some()), "{}", verb.name);
    }
    let mut generator = SchemaGenerator::default();
    let [open, _, answer, ..] = Drill::FACE.verbs else { panic!("verbs") };
    for (verb, field) in [(open, "pack"), (answer, "text")] {
        verb.payload.unwrap()(&mut generator);
        let schemas = json!(generator.definitions());
        assert!(
            schemas.as_object().unwrap().values().any(|schema| !schema["properties"][field].is_null()),
            "{schemas}"
        );
    }
    schema::<DrillMore>(&mut generator);
    assert!(json!(generator.definitions())["DrillMore"]["properties"]["feedback"].is_object());
    assert_eq!(Drill::FACE.says().and_then(|verb| verb.event()), Some("asr_result"));
}

fn offers(desk: &Desk) -> Vec<&str> {
    desk.verbs.iter().map(|offer| offer.name.as_str()).collect()
}

fn asks(desk: &Desk) -> Option<(&str, &Form)> {
    desk.ask.as_ref().map(|Ask { verb, form, .. }| (verb.as_str(), form))
}

fn lines(desk: &Desk) -> Vec<(Role, String)> {
    let line = |block: &Block| match block {
        Block::Line(line) => Some((line.role, line.say.to_string())),
        _ => None,
    };
    desk.blocks.iter().filter_map(line).collect()
}

fn progress(desk: &Desk, name: &str) -> (u32, Option<u32>) {
    let progress = desk.progress.iter().find(|progress| progress.name == name).unwrap();
    (progress.done, progress.of)
}

#[test]
fn a_returning_learner_sees_the_open_question() {
    let mut session = Session::open(tiny(), json!({"pack": "tiny", "new_words": 2}), &[]);
    let desk = session.desk();
    assert_eq!(
        (desk.title.to_string().as_str(), desk.language.as_deref()),
        ("German: a handful", Some("en"))
    );
    assert_eq!((asks(&desk), offers(&desk)), (Some(("start", &Form::Read)), vec!["start", "leave"]));
    session.step("start");
    let desk = session.desk();
    assert_eq!(
        (asks(&desk), offers(&desk)),
        (Some(("answer", &Form::Say)), vec!["answer", "give_up", "skip", "leave"])
    );
    assert_eq!(lines(&desk), [(Role::Scene, "Anna comes in.".into()), (Role::Hint, "Hallo".into())]);
    assert_eq!((progress(&desk, "usage"), progress(&desk, "words")), ((0, Some(3)), (1, Some(2))));
    session.step("\"Halo");
    assert!(matches!(&session.desk().blocks[0], Block::Difference { pieces } if pieces.len() == 1));
    let (role, say) = lines(&session.desk()).pop().unwrap();
    assert_eq!((role, say.as_str()), (Role::Note, "“hello” begins like this: Ha…"));
    session.step("\"Hallo");
    assert_eq!(progress(&session.desk(), "words"), (2, Some(2)));
    session.steps(&["\"Danke", "\"Danke"]);
    let (role, say) = lines(&session.desk()).pop().unwrap();
    assert_eq!((role, say.as_str()), (Role::Note, "From memory: “hello”"));
    assert_eq!(
        (progress(&session.desk(), "usage"), progress(&session.desk(), "words")),
        ((2, Some(3)), (2, Some(2)))
    );
}

#[test]
fn the_end_shows_the_learned_words_and_their_next_days() {
    let mut session = started(3);
    session.steps(&["\"Hallo"; 2]);
    session.steps(&["\"nein"; 5]);
    session.steps(&["\"Hallo", "leave"]);
    let desk = session.desk();
    assert_eq!((asks(&desk), offers(&desk).len()), (None, 0));
    let [Block::Table { rows, .. }, Block::Line(line)] = desk.blocks.as_slice() else { panic!("{desk:?}") };
    let text = |row: &Vec<Text>| row.iter().map(Text::to_string).collect::<Vec<_>>().join(", ");
    let rows: Vec<String> = rows.iter().map(text).collect();
    assert_eq!(rows, ["Danke, put aside for now, in 5 hours", "Hallo, learned, in 2 days"]);
    assert_eq!(line.say.to_string(), "You didn't get to 1 word. It will wait for you.");
}

#[test]
fn the_learner_waits_while_a_model_thinks() {
    let known = item_record("tiny/hallo", Status::Learned, 3, i64::MAX);
    let mut session = Session::open(tiny(), json!({"pack": "tiny", "model": true}), &[known]);
    session.step("start");
    assert_eq!(asks(&session.desk()), Some(("answer", &Form::Wait { until: None })));
}
