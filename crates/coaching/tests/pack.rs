//! Tests of one sound pack, and of everything that can be broken in it.

use coaching::pack::{self, Pack, PackProblem, Severity};
use proptest::prelude::*;

const SOUND: &str = include_str!("pack/german-small.yaml");

#[test]
fn a_sound_pack_is_read_whole() {
    let pack = Pack::read(SOUND.as_bytes(), "packs/german-small.yaml").unwrap();
    assert_eq!(
        (pack.id.as_str(), pack.language.as_str(), pack.explained_in.as_str()),
        ("german-small", "de", "en")
    );
    assert_eq!(pack.names, ["Anna", "Paul"]);
    let ids: Vec<&str> = pack.items.iter().map(|item| item.id.as_str()).collect();
    assert_eq!(ids, ["hallo", "guten-tag", "ich-moechte"]);
    let frame = &pack.items[2];
    assert_eq!(frame.fill.iter().map(|filler| filler.say.as_str()).collect::<Vec<_>>(), ["Kaffee", "Tee"]);
    assert_eq!(frame.cues[0].opening.as_ref().unwrap().means, "Good morning!");
    assert_eq!(frame.cues[1].opening, None);
    assert_eq!(frame.note.as_deref(), Some("Polite in every café."));
    assert!(frame.target.has_slot());
    assert_eq!(pack::check(SOUND.as_bytes(), "german-small.yaml"), []);
}

/// The code, the line and a part of the message or cure.
type Expected = (&'static str, u64, &'static str);

const HALLO_13: Expected = ("P021", 13, "“Hallo”");
const HALLO_15: Expected = ("P021", 15, "“Hallo”");
const HALLO_16: Expected = ("P021", 16, "“Hallo”");
const HALLO_17: Expected = ("P021", 17, "“Hallo”");
const HALLO_25: Expected = ("P021", 25, "“Hallo”");

/// An item that teaches “Hallo” a second time.
const TWIN: &str = "  - {id: twin, text: HALLO!, meaning: m, explain: e, examples: [{say: Hallo, means: m}],
     cues: [{scene: s, answer: Hallo}, {scene: s, answer: Hallo}, {scene: s, answer: Hallo}]}
  - id: guten-tag
";

/// Each row: a text of the sound pack, its replacement, and the problems that follow.
const BROKEN: &[(&str, &str, &[Expected])] = &[
    ("title: \"German: a few words\"", "title: [", &[("P003", 4, "flow mapping")]),
    ("title: \"German: a few words\"", "title: a: b", &[("P003", 2, "")]),
    ("about: A pack", "language: de\nabout: A pack", &[("P003", 5, "language")]),
    ("language: de", "language: de\nlevel: A1", &[("P005", 4, "level")]),
    ("    meaning: hello", "    meaning: hello\n    means: hello", &[("P005", 11, "means")]),
    ("    meaning: hello\n", "", &[("P006", 8, "meaning")]),
    (
        "    text: Hallo\n",
        "    text:\n",
        &[("P007", 9, "text"), HALLO_13, HALLO_15, HALLO_16, HALLO_17, HALLO_17, HALLO_25],
    ),
    ("means: \"Hello, Anna!\"", "", &[("P006", 13, "means")]),
    ("say: \"Guten Morgen!\", ", "", &[("P006", 36, "say")]),
    ("meaning: hello", "meaning: \"  \"", &[("P007", 10, "meaning")]),
    ("meaning: hello", "meaning:", &[("P007", 10, "meaning")]),
    ("meaning: hello", "meaning: 12", &[("P004", 10, "quotes")]),
    ("meaning: hello", "meaning: [hello]", &[("P004", 10, "a list")]),
    ("meaning: hello", "meaning: No", &[]),
    (
        "names: [Anna, Paul]",
        "names: Anna",
        &[("P004", 6, "a list"), ("P021", 13, "Anna"), ("P021", 15, "Paul"), ("P021", 24, "Anna")],
    ),
    (
        "fill: [Kaffee, Tee]",
        "fill: [Kaffee, {Tee: x}]",
        &[
            ("P005", 40, "Tee"),
            ("P006", 40, "say"),
            ("P021", 37, "Tee"),
            ("P021", 38, "Tee"),
            ("P035", 37, "Tee"),
            ("P035", 38, "Tee"),
        ],
    ),
    ("pack: german-small", "pack: German_Small", &[("P011", 1, "German_Small"), ("P012", 1, "german-small")]),
    ("pack: german-small", "pack: german-large", &[("P012", 1, "german-large")]),
    ("language: de", "language: deutsch", &[("P013", 3, "deutsch")]),
    ("explained_in: en", "explained_in: en_GB", &[("P013", 4, "en_GB")]),
    ("language: de", "language: de-AT", &[]),
    ("id: guten-tag", "id: hallo", &[("P014", 19, "line 8")]),
    ("id: guten-tag", "id: guten--tag", &[("P011", 19, "guten--tag")]),
    ("  - id: guten-tag\n", TWIN, &[("P015", 19, "hallo")]),
    (
        "text: Hallo",
        "text: \"…\"",
        &[("P016", 9, "…"), HALLO_13, HALLO_15, HALLO_16, HALLO_17, HALLO_17, HALLO_25],
    ),
    ("text: Hallo", "text: \"Hallo /\"", &[("P016", 9, "Hallo /")]),
    (
        "    fill: [Kaffee, Tee]\n",
        "",
        &[
            ("P017", 31, "slot"),
            ("P021", 34, "Kaffee"),
            ("P021", 36, "Kaffee"),
            ("P021", 37, "Tee"),
            ("P021", 38, "Tee"),
        ],
    ),
    ("aliases: [allo]", "fill: [allo]", &[("P018", 18, "no slot")]),
    (
        "fill: [Kaffee, Tee]",
        "fill: [{say: Kaffee, means: coffee}, {say: Tee, with: der}]",
        &[("P036", 40, "der")],
    ),
    (
        "fill: [Kaffee, Tee]",
        "fill: [Kaffee, [Tee]]",
        &[
            ("P004", 40, "a list"),
            ("P021", 37, "Tee"),
            ("P021", 38, "Tee"),
            ("P035", 37, ""),
            ("P035", 38, ""),
        ],
    ),
    (
        "fill: [Kaffee, Tee]",
        "fill: [Kaffee, Tee]\n    never: [{say: TEE}]",
        &[("P038", 41, "TEE"), ("P035", 37, ""), ("P035", 38, "")],
    ),
    ("fill: [Kaffee, Tee]", "fill: [Kaffee, Tee]\n    takes: names", &[("P039", 41, "names")]),
    ("fill: [Kaffee, Tee]", "fill: [Kaffee, Tee]\n    takes: anything", &[]),
    ("text: Hallo", "text: Hallo\n    also: [Hallöchen, \"/\"]", &[("P016", 10, "/")]),
    ("aliases: [allo]", "aliases: [GUTEN morgen]", &[("P022", 18, "guten-tag")]),
    ("fill: [Kaffee, Tee]", "fill: [Kaffee, Tee, a b c d e f g h i]", &[("P024", 40, "8 words")]),
    ("answer: \"Hallo, Paul!\"", "answer: \"Anna, Paul!\"", &[("P019", 15, "Anna, Paul!")]),
    ("answer: \"Hallo, Paul!\"", "answer: \"Halo, Paul!\"", &[("P019", 15, ""), ("P021", 15, "Halo")]),
    ("say: \"Hallo, Anna!\"", "say: \"Anna!\"", &[("P020", 13, "Anna!")]),
    ("say: \"Hallo, Anna!\"", "say: \"Hallo, liebe Anna!\"", &[("P021", 13, "liebe")]),
    ("say: \"Hallo, Anna!\"", "say: \"Hallo, Tee!\"", &[("P021", 13, "Tee")]),
    (
        "say: \"Hallo, Anna!\"",
        "say: \"Hall\u{43E}, Anna!\"",
        &[("P020", 13, ""), ("P021", 13, ""), ("P023", 13, "Hall\u{43E}")],
    ),
    ("say: \"Hallo, Anna!\"", "say: \"Hallo,\\u0007 Anna!\"", &[("P010", 13, "U+0007")]),
    (
        "      - {scene: \"Anna calls you. Pick up.\", answer: \"Hallo?\"}\n",
        "",
        &[("P009", 15, "“cues” has 2 entries, but an item")],
    ),
    (
        "    examples:\n      - {say: \"Hallo, Anna!\", means: \"Hello, Anna!\"}\n",
        "",
        &[("P009", 8, "“examples” has 0 entries, but an item")],
    ),
    (
        "items:",
        "items: []\nthings:",
        &[("P005", 8, "things"), ("P009", 7, "“items” has 0 entries, but a pack")],
    ),
    (SOUND, "", &[("P004", 1, "nothing")]),
    (SOUND, "- a\n- b\n", &[("P004", 1, "a list")]),
];

#[test]
fn every_break_is_named_at_its_place() {
    let wrong: Vec<String> = BROKEN.iter().filter_map(|row| check(row).err()).collect();
    assert!(wrong.is_empty(), "{} rows are wrong:\n{}", wrong.len(), wrong.join("\n"));
}

fn check(&(from, to, expected): &(&str, &str, &[Expected])) -> Result<(), String> {
    assert!(SOUND.contains(from), "the sound pack has no {from}");
    let broken = SOUND.replacen(from, to, 1);
    let problems = pack::check(broken.as_bytes(), "german-small.yaml");
    let agree = problems.len() == expected.len()
        && expected.iter().all(|expected| problems.iter().any(|problem| is(problem, expected)));
    let refused = problems.iter().any(|problem| problem.severity == Severity::Error);
    let read = Pack::read(broken.as_bytes(), "german-small.yaml");
    let found: Vec<String> = problems.iter().map(PackProblem::to_string).collect();
    (agree && read.is_err() == refused).then_some(()).ok_or(format!("{to}\n  {}", found.join("\n  ")))
}

fn is(problem: &PackProblem, &(code, line, part): &Expected) -> bool {
    let says = problem.message.contains(part) || problem.cure.contains(part);
    problem.code.id() == code && problem.line == line && says && !problem.cure.is_empty()
}

#[test]
fn everything_has_a_bound() {
    let long = "x".repeat(1_001);
    let item = "  - {id: a, text: a}\n";
    let many = format!("items:\n{}", item.repeat(2_001));
    for (from, to, code) in [
        ("meaning: hello", format!("meaning: {long}"), "P008"),
        ("id: hallo", format!("id: {long}"), "P008"),
        ("aliases: [allo]", format!("aliases: [{}]", "allo, ".repeat(21)), "P009"),
        ("items:\n", many, "P009"),
        ("about: A", format!("about: {} A", " ".repeat(5 << 20)), "P001"),
    ] {
        let problems = pack::check(SOUND.replacen(from, &to, 1).as_bytes(), "german-small.yaml");
        assert!(problems.iter().any(|problem| problem.code.id() == code), "{code}: {:?}", problems.first());
    }
    let problems = pack::check(b"pack: \xFF", "a.yaml");
    assert_eq!(problems[0].code.id(), "P002");
}

#[test]
fn hostile_yaml_is_refused_in_time() {
    let doubling: String = (1..40).map(|n| format!("a{n}: &a{n} [*a{0}, *a{0}]\n", n - 1)).collect();
    for source in [
        "- ".repeat(200_000),
        "[".repeat(200_000),
        "{a: ".repeat(200_000),
        "a:\n ".repeat(5_000),
        format!("a0: &a0 [x]\n{doubling}"),
        "? ".repeat(100_000),
        "&a *a".to_owned(),
        "!!binary x".to_owned(),
        "---\n".repeat(50_000),
    ] {
        let problems = pack::check(source.as_bytes(), "x.yaml");
        assert!(problems.iter().any(|problem| problem.severity == Severity::Error), "{:.20}", source);
    }
}

#[test]
fn a_problem_reads_as_one_line() {
    let broken = SOUND.replacen("meaning: hello", "meaning:", 1);
    let problems = pack::check(broken.as_bytes(), "german-small.yaml");
    let line = problems[0].to_string();
    assert_eq!(line, "10:12: error P007: “meaning” is empty (write it, or remove it if it is optional)");
    assert_eq!(serde_json::to_value(&problems[0]).unwrap()["code"], "P007");
}

proptest! {
    #[test]
    fn random_bytes_are_problems_and_never_a_panic(bytes in prop::collection::vec(any::<u8>(), 0..400)) {
        prop_assert!(!pack::check(&bytes, "x.yaml").is_empty());
    }

    #[test]
    fn random_yaml_is_never_a_panic(text in "[a-z:\\[\\]{}&*!|>%@\"'#, \n-]{0,200}") {
        prop_assert!(Pack::read(text.as_bytes(), "x.yaml").is_err());
    }

    #[test]
    fn a_mutated_pack_is_never_a_panic(
        cuts in prop::collection::vec((0..SOUND.len(), 0usize..30, ".{0,8}"), 1..6),
    ) {
        let mut text = SOUND.as_bytes().to_vec();
        for (at, length, insert) in cuts {
            let start = at.min(text.len());
            let end = (start + length).min(text.len());
            text.splice(start..end, insert.bytes());
        }
        let refused = pack::check(&text, "german-small.yaml").iter().any(|p| p.severity == Severity::Error);
        prop_assert_eq!(Pack::read(&text, "german-small.yaml").is_err(), refused);
    }
}
