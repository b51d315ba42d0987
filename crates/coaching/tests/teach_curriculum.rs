//! Tests of one sound curriculum, of everything that can be broken in it, and of a model's plans and lessons.

use coaching::ask::Part;
use coaching::curriculum::{
    self, AskedBefore, Concept, Curriculum, Form, Note, PackProblem, PlanProblem, Purpose, Question,
    Severity, again_ask, lesson_ask, mend_ask, pick, plan_ask, read_again, read_lesson, read_mended,
    read_plan, show,
};
use coaching::grade::grade;
use coaching::learner::Quality;
use coaching::map::MapId;
use proptest::prelude::*;
use serde_json::{Value, json};
use std::collections::HashSet;
use std::path::Path;

const SOUND: &str = include_str!("teach_curriculum/kettle.yaml");

fn kettle() -> Curriculum {
    Curriculum::read(SOUND.as_bytes(), "packs/curricula/kettle.yaml").unwrap()
}

#[test]
fn a_sound_curriculum_is_read_whole() {
    assert_eq!(curriculum::check(SOUND.as_bytes(), "kettle.yaml"), []);
    let kettle = kettle();
    assert_eq!((kettle.id.as_str(), kettle.language.as_str()), ("kettle", "en"));
    assert_eq!((kettle.depth(), kettle.minutes(), kettle.concepts.len()), (2, 20, 3));
    let water = kettle.concept("water").unwrap();
    assert_eq!(
        (water.related.as_slice(), water.also.as_slice()),
        (&["tea".to_owned()][..], &["tap water".to_owned()][..])
    );
    let forms: Vec<Form> = water.questions.iter().map(Question::form).collect();
    assert_eq!(forms, Form::AUTHORED[..4]);
    assert_eq!(water.again, None);
    assert!(kettle.concepts[1].again.as_deref().is_some_and(|again| again.starts_with("Bite on a leaf")));
    assert_eq!(water.questions[2].answer(), "Water boils at 100 degrees Celsius.");
    assert_eq!(water.questions[3].answer(), "1. fill\n2. boil\n3. pour");
    let measure = &kettle.concept("measure").unwrap().questions;
    let forms: Vec<Form> = measure.iter().map(Question::form).collect();
    assert_eq!(forms, [Form::Number, Form::Query, Form::Program, Form::Choice]);
    let answers: Vec<String> = measure.iter().take(3).map(Question::answer).collect();
    let program = "def litres(cups):\n    return cups / 4";
    assert_eq!(answers, ["1/4", "SELECT name FROM kettle WHERE litres > 1", program]);
}

#[test]
fn a_curriculum_goes_through_json_unchanged() {
    let json = serde_json::to_value(kettle()).unwrap();
    assert_eq!(json["curriculum"], "kettle");
    assert_eq!(json["concepts"][0]["questions"][1]["form"], "choice");
    assert_eq!(serde_json::from_value::<Curriculum>(json).unwrap(), kettle());
}

/// The code, the line and a part of the message or cure.
type Expected = (&'static str, u64, &'static str);

/// Each row: a text of the sound curriculum, its replacement, and the problems that follow.
const BROKEN: &[(&str, &str, &[Expected])] = &[
    ("title: The kettle", "title: [", &[("P003", 3, "")]),
    ("language: en", "language: en\nlevel: 1", &[("P005", 4, "level")]),
    ("    also: [tap water]", "    alias: [tap water]", &[("P005", 9, "alias")]),
    ("        ask: Why should", "        hint: x\n        ask: Why should", &[("P005", 17, "hint")]),
    ("    explain: Tea is mostly water, so fresh water matters.\n", "", &[("P006", 7, "explain")]),
    ("    minutes: 5\n", "", &[("P006", 7, "minutes")]),
    ("    minutes: 5", "    minutes: 0", &[("P025", 12, "1 to 240")]),
    ("    minutes: 5", "    minutes: \"5\"", &[("P025", 12, "whole number")]),
    ("    minutes: 5", "    minutes: 2.9", &[("P025", 12, "whole number")]),
    ("    minutes: 5", "    minutes: true", &[("P025", 12, "whole number")]),
    ("again: Bite on a leaf", "again: \"\" #", &[("P007", 45, "again")]),
    ("title: Water", "title:", &[("P007", 8, "title")]),
    ("title: Water", "title: 12", &[("P004", 8, "quotes")]),
    ("needs: [water]", "needs: water", &[("P004", 41, "a list")]),
    ("curriculum: kettle", "curriculum: Kettle_1", &[("P011", 1, "Kettle_1"), ("P012", 1, "kettle")]),
    ("curriculum: kettle", "curriculum: pot", &[("P012", 1, "pot")]),
    ("language: en", "language: english", &[("P013", 3, "english")]),
    ("id: tea", "id: water", &[("P014", 39, "line 7"), ("P027", 11, "tea"), ("P028", 41, "water → water")]),
    ("needs: [water]", "needs: [fire]", &[("P027", 41, "fire")]),
    ("related: [tea]", "related: [coffee]", &[("P027", 11, "coffee")]),
    ("    needs: []", "    needs: [tea]", &[("P028", 10, "water → tea → water")]),
    ("    needs: []", "    needs: [water]", &[("P028", 10, "water → water")]),
    ("form: free", "form: essay", &[("P026", 16, "essay")]),
    ("      - form: free\n        ask: Why", "      - ask: Why", &[("P026", 16, "form")]),
    ("            right: true\n", "", &[("P030", 28, "0 options")]),
    (
        "          - text: a spoonful",
        "          - text: a spoonful\n            right: true",
        &[("P030", 28, "2 options")],
    ),
    (
        "            right: true",
        "            right: \"yes\"",
        &[("P004", 31, "true or false"), ("P030", 28, "0 options")],
    ),
    ("text: a spoonful", "text: a bucket", &[("P015", 32, "a bucket")]),
    ("steps: [fill, boil, pour]", "steps: [fill, boil, boil]", &[("P015", 38, "boil")]),
    ("steps: [fill, boil, pour]", "steps: [fill, boil]", &[("P009", 38, "2 entries")]),
    ("boils at ___ degrees ___.", "boils at ___ degrees.", &[("P031", 34, "1 gaps and there are 2")]),
    ("[\"Celsius\", \"C\"]]", "[\"Celsius\", \"C\"], [\"x\"]]", &[("P031", 34, "3 blanks")]),
    ("[\"Celsius\", \"C\"]]", "[]]", &[("P009", 35, "0 entries")]),
    ("any: [\"air +\", \"oxygen +\"]", "any: [\"wind +\"]", &[("P032", 19, "it holds air")]),
    ("any: [\"air +\", \"oxygen +\"]", "any: [\"aer +\"]", &[("P032", 19, "it holds air")]),
    ("any: [\"air +\", \"oxygen +\"]", "any: []", &[("P009", 20, "0 entries")]),
    ("any: [\"air +\", \"oxygen +\"]", "any: [\"air +\", \"…\"]", &[("P016", 20, "…")]),
    ("any: [\"air +\", \"oxygen +\"]", "any: [\"air +\", \"___\"]", &[("P016", 20, "___")]),
    (
        "any: [\"air +\", \"oxygen +\"]",
        "any: [\"air +\", \"a ___ b ___ c ___ d ___ e\"]",
        &[("P016", 20, "3 slots")],
    ),
    ("any: [\"air +\", \"oxygen +\"]", "any: [\"air\"]", &[("P040", 19, "one ordinary word")]),
    ("any: [\"colder\", \"heavier\"]", "any: [\"more air\"]", &[("P033", 22, "more air")]),
    ("holds more air, not colder air", "holds more air and is colder", &[("P033", 22, "colder")]),
    (
        "      - form: order\n        ask: In which order?\n        steps: [fill, boil, pour]\n",
        "",
        &[("P034", 16, "3 questions")],
    ),
];

#[test]
fn every_break_is_named_at_its_place() {
    let wrong: Vec<String> = BROKEN.iter().filter_map(|row| check(row).err()).collect();
    assert!(wrong.is_empty(), "{} rows are wrong:\n{}", wrong.len(), wrong.join("\n"));
}

fn check(&(from, to, expected): &(&str, &str, &[Expected])) -> Result<(), String> {
    assert!(SOUND.contains(from), "the sound curriculum has no {from}");
    let broken = SOUND.replacen(from, to, 1);
    let problems = curriculum::check(broken.as_bytes(), "kettle.yaml");
    let agree = problems.len() == expected.len()
        && expected.iter().all(|expected| problems.iter().any(|problem| is(problem, expected)));
    let refused = problems.iter().any(|problem| problem.severity == Severity::Error);
    let read = Curriculum::read(broken.as_bytes(), "kettle.yaml");
    let found: Vec<String> = problems.iter().map(PackProblem::to_string).collect();
    (agree && read.is_err() == refused).then_some(()).ok_or(format!("{to}\n  {}", found.join("\n  ")))
}

fn is(problem: &PackProblem, &(code, line, part): &Expected) -> bool {
    let says = problem.message.contains(part) || problem.cure.contains(part);
    problem.code.id() == code && problem.line == line && says && !problem.cure.is_empty()
}

#[test]
fn a_redundant_need_is_a_warning() {
    let cup = "  - {id: cup, title: Cup, needs: [water, tea], minutes: 5, explain: x, example: x, questions: [\
               {form: order, ask: x, steps: [a, b, c]}]}\n";
    let problems = curriculum::check(format!("{SOUND}{cup}").as_bytes(), "kettle.yaml");
    let codes: Vec<&str> = problems.iter().map(|problem| problem.code.id()).collect();
    assert_eq!(codes, ["P029", "P034"]);
    assert!(problems.iter().all(|problem| problem.severity == Severity::Warning));
    assert!(problems[0].message.contains("cup already needs water through tea"));
}

#[test]
fn everything_has_a_bound() {
    let long = "x".repeat(6_001);
    for (from, to, code) in [
        ("explain: Tea is mostly", format!("explain: {long}"), "P008"),
        ("ask: Why should", format!("ask: {long}"), "P008"),
        ("again: Bite", format!("again: {}", "x".repeat(1_501)), "P008"),
        ("id: tea", format!("id: {long}"), "P008"),
        ("\"oxygen +\"", format!("\"{long}\""), "P008"),
        ("\"oxygen +\"", vec!["\"oxygen +\""; 100].join(", "), "P009"),
        ("also: [tap water]", format!("also: [{}]", "tap, ".repeat(30)), "P009"),
        ("about: For", format!("about: {} For", " ".repeat(5 << 20)), "P001"),
    ] {
        let broken = SOUND.replacen(from, &to, 1);
        let problems = curriculum::check(broken.as_bytes(), "kettle.yaml");
        assert!(problems.iter().any(|problem| problem.code.id() == code), "{code}: {:?}", problems.first());
    }
    let many: String = (0..1_001).map(|at| format!("  - {{id: c{at}, needs: [c{}]}}\n", at + 1)).collect();
    let problems =
        curriculum::check(format!("curriculum: kettle\nconcepts:\n{many}").as_bytes(), "kettle.yaml");
    assert!(problems.iter().any(|problem| problem.code.id() == "P009"));
    assert_eq!(curriculum::check(b"curriculum: \xFF", "a.yaml")[0].code.id(), "P002");
}

#[test]
fn a_topic_finds_its_curriculum() {
    let named = |title: &str, id: &str, also: &[&str]| Curriculum {
        title: title.to_owned(),
        id: id.to_owned(),
        also: also.iter().map(|name| name.to_string()).collect(),
        ..kettle()
    };
    let rust = named("Rust for programmers", "rust-for-programmers", &[]);
    let python = named("Python from zero", "python-from-zero", &[]);
    let sql = named("SQL for people with a spreadsheet", "sql", &["databases", "relational queries"]);
    let chance = named("Probability", "probability", &["chance", "Wahrscheinlichkeit"]);
    for (curriculum, topic, expected) in [
        (&python, "I want to learn python", true),
        (&python, "Python", true),
        (&python, "pyhton", true),
        (&python, "teach me Python programming from scratch, please!", true),
        (&python, "Ich möchte Python lernen", true),
        (&python, "python for snakes", false),
        (&python, "from zero", false),
        (&python, "", false),
        (&python, "I want to learn", false),
        (&python, "rust", false),
        (&rust, "rust", true),
        (&rust, "The Rust programming language", true),
        (&rust, "rust on my car", false),
        (&rust, "trust", false),
        (&sql, "SQL", true),
        (&sql, "databases with sql", true),
        (&sql, "sequel", false),
        (&sql, "spreadsheet", false),
        (&sql, "SQL for people with a spreadsheet", true),
        (&chance, "probability theory", true),
        (&chance, "wahrscheinlichkeit", true),
        (&chance, "sql", false),
    ] {
        assert_eq!(curriculum.matches(topic), expected, "{topic:?} for {}", curriculum.title);
    }
}

#[test]
fn a_shown_question_follows_its_seed_and_hides_the_answer() {
    let water = &kettle().concepts[0];
    for question in &water.questions {
        let mut orders = HashSet::new();
        for seed in 0..60 {
            let shown = show(question, seed);
            assert_eq!(shown, show(question, seed));
            let wire = serde_json::to_string(&shown).unwrap();
            assert!(!wire.contains("right") && !wire.contains("horse") && !wire.contains("oxygen"), "{wire}");
            assert!(!wire.contains("Celsius"), "{wire}");
            orders.insert(shown.entries.iter().map(|entry| entry.text.clone()).collect::<Vec<_>>());
        }
        match question {
            Question::Choice(_) => assert_eq!(orders.len(), 6, "all orders of three options come up"),
            Question::Order(_) => assert_eq!(orders.len(), 5, "all orders but the right one come up"),
            _ => assert_eq!(orders.len(), 1),
        }
    }
}

fn seen(question: usize, times: u32, quality: u8) -> AskedBefore {
    AskedBefore { question, times, last_quality: Quality::new(quality).unwrap(), is_objected: false }
}

#[test]
fn questions_take_turns_and_vary_their_form() {
    let water = &kettle().concepts[0];
    for (seen, purpose, expected) in [
        (&[][..], Purpose::Probe, 1),
        (&[], Purpose::Teach, 0),
        (&[], Purpose::Review, 0),
        (&[seen(0, 1, 5)], Purpose::Teach, 1),
        (&[seen(0, 1, 5), seen(1, 1, 4)], Purpose::Review, 2),
        (&[seen(0, 1, 5), seen(1, 1, 4), seen(2, 1, 5)], Purpose::Quiz, 3),
        (&[seen(0, 1, 5), seen(1, 1, 4), seen(2, 1, 5), seen(3, 1, 5)], Purpose::Quiz, 0),
        (&[seen(0, 1, 5), seen(1, 1, 1), seen(2, 1, 5), seen(3, 1, 5)], Purpose::Review, 1),
        (&[seen(0, 1, 1), seen(9, 1, 1)], Purpose::Teach, 1),
    ] {
        assert_eq!(pick(water, seen, purpose, 5), expected, "{seen:?} {purpose:?}");
    }
    let tea = &kettle().concepts[1];
    let mut asked: Vec<AskedBefore> = Vec::new();
    for turn in 0..12 {
        let at = pick(tea, &asked, Purpose::Quiz, turn);
        assert_eq!(at, pick(tea, &asked, Purpose::Quiz, turn));
        if let Some(last) = asked.last() {
            assert_ne!(tea.questions[at].form(), tea.questions[last.question].form(), "turn {turn}");
        }
        asked.retain(|seen| seen.question != at);
        asked.push(seen_again(at));
    }
    assert_eq!(asked.len(), tea.questions.len(), "every question comes up");
    let none = Concept { questions: Vec::new(), ..tea.clone() };
    assert_eq!(pick(&none, &[], Purpose::Quiz, 0), 0);
}

fn seen_again(question: usize) -> AskedBefore {
    seen(question, 1, 4)
}

#[test]
fn a_models_lesson_obeys_the_rules_of_a_curriculum() {
    let lesson = serde_json::to_value(&kettle().concepts[0]).unwrap();
    let (read, unusable) = read_lesson(&lesson, "Fresh water").unwrap();
    assert_eq!((read.title.as_str(), read.needs.len(), read.questions.len()), ("Fresh water", 0, 4));
    assert_eq!(unusable, []);
    let fenced = Value::String(format!("Here you are:\n```json\n{lesson}\n```"));
    assert_eq!(read_lesson(&fenced, "Fresh water").unwrap().0, read);
    let broken = |change: &dyn Fn(&mut Value)| {
        let mut lesson = lesson.clone();
        change(&mut lesson);
        read_lesson(&lesson, "Water")
    };
    let refused = |change: &dyn Fn(&mut Value)| broken(change).unwrap_err().message;
    for (message, part) in [
        (refused(&|lesson| lesson["questions"] = json!([])), "“questions” has 0 entries, but a concept"),
        (
            refused(&|lesson| lesson["questions"] = json!([{"form": "order", "ask": "?", "steps": []}])),
            "“steps”",
        ),
        (refused(&|lesson| lesson["explain"] = json!(5)), "must be text"),
        (refused(&|lesson| lesson["explain"] = json!("x".repeat(9_000))), "longer than"),
        (read_lesson(&json!({}), "x").unwrap_err().message, "no lesson"),
        (read_lesson(&json!("PASS"), "x").unwrap_err().message, "no lesson"),
    ] {
        assert!(message.to_string().contains(part), "{message}");
    }
    // One bad question does not spoil the others.
    for (kept, part) in [
        (broken(&|lesson| lesson["questions"][0]["answer"] = json!("Because.")), "it holds air"),
        (broken(&|lesson| lesson["questions"][1]["options"][1]["right"] = json!(false)), "0 options"),
        (broken(&|lesson| lesson["questions"][2]["blanks"] = json!([["100"]])), "2 gaps"),
        (
            broken(&|lesson| lesson["questions"][3] = json!({"form": "number", "ask": "?", "answer": "few"})),
            "is no number",
        ),
    ] {
        let (lesson, unusable) = kept.unwrap();
        assert_eq!((lesson.questions.len(), unusable.len()), (3, 1));
        let ask = mend_ask(&lesson, &unusable, 5, "mended");
        let [coaching::ask::Part::Own(task)] = ask.parts.as_slice() else { panic!("{ask:?}") };
        assert!(task.contains(part), "{task}");
    }
    let mended = |reply: Value| read_mended(&reply).map(|questions| questions.len());
    let good = &lesson["questions"];
    assert_eq!(mended(json!({"questions": [good[3], {"form": "order"}]})).unwrap(), 1);
    assert!(mended(json!({"questions": [{"form": "order"}]})).is_err());
    let ask = lesson_ask(("tea", Some("a party")), ("Water", None), 4, "explained");
    assert_eq!((ask.number, ask.answered_by.as_str()), (4, "explained"));
}

fn node(label: &str, needs: &[&str]) -> Value {
    json!({"label": label, "description": format!("about {label}"), "minutes": 10, "needs": needs})
}

#[test]
fn a_plan_is_sorted_and_harmlessly_repaired() {
    let reply = json!({"nodes": [
        node("Tea", &["water", "Fire", "Magic", "tea"]),
        node("Water", &[]),
        node("WATER!", &["Fire"]),
        {"label": "Fire", "minutes": "soon", "needs": []},
        node(" ", &[]),
        node("Milk", &["Tea"]),
        node("Sugar", &["Milk"]),
    ]});
    let plan = read_plan(&reply).unwrap();
    let labels: Vec<&str> = plan.nodes.iter().map(|node| node.label.as_str()).collect();
    assert_eq!(labels, ["Fire", "Water", "Tea", "Milk", "Sugar"]);
    assert_eq!(plan.nodes[2].needs, [1, 0]);
    assert_eq!((plan.nodes[1].needs.as_slice(), plan.nodes[0].minutes), (&[0][..], 15));
    let [tea, need] = ["Tea", "Magic"].map(str::to_owned);
    for note in [
        Note::Merged("WATER!".to_owned()),
        Note::NeedsUnknown { concept: tea.clone(), need },
        Note::NeedsItself(tea),
        Note::Unlabelled,
        Note::Minutes("Fire".to_owned()),
    ] {
        assert!(plan.notes.contains(&note), "{note:?}: {:?}", plan.notes);
    }
    assert_eq!(read_plan(&Value::String(format!("```json\n{reply}\n```"))), Ok(plan.clone()));
    let id = MapId::parse("018f0000-0000-7000-8000-000000000001").unwrap();
    let map = plan.map(id, "Tea", Some("a party".to_owned())).unwrap();
    assert_eq!((map.nodes().len(), map.edges().len()), (5, 5));
    map.check_plan().unwrap();
}

#[test]
fn concepts_that_differ_in_signs_are_different() {
    let reply = json!({"nodes": [
        node("C", &[]),
        node("C++", &["C"]),
        node("C#", &["c++"]),
        node("The = operator", &["C"]),
        node("The == operator", &["The “=” operator"]),
        node("The != operator", &["the == operator", "Classes"]),
        node("+", &[]),
        node("-", &["+"]),
        node("Classes*", &[]),
    ]});
    let plan = read_plan(&reply).unwrap();
    assert_eq!((plan.nodes.len(), plan.notes.as_slice()), (9, &[][..]));
    let id = MapId::parse("018f0000-0000-7000-8000-000000000001").unwrap();
    let map = plan.map(id, "Signs", None).unwrap();
    // A need that only one node can mean is found without its signs.
    assert_eq!((map.nodes().len(), map.edges().len()), (9, 7));
}

#[test]
fn a_large_plan_loses_its_end_and_a_senseless_one_is_refused() {
    let many: Vec<Value> = (0..40).map(|at| node(&format!("n{at}"), &[])).collect();
    let plan = read_plan(&json!({"nodes": many})).unwrap();
    assert_eq!((plan.nodes.len(), plan.notes.len()), (30, 10));
    let chain = |length: usize| -> Value {
        let names: Vec<String> = (0..length).map(|at| format!("n{at}")).collect();
        let first = [node(&names[0], &[])].into_iter();
        let rest = names.windows(2).map(|pair| node(&pair[1], &[pair[0].as_str()]));
        json!({"nodes": first.chain(rest).collect::<Vec<_>>()})
    };
    assert!(read_plan(&chain(6)).is_ok());
    assert_eq!(read_plan(&chain(7)), Err(PlanProblem::TooDeep(6)));
    assert_eq!(read_plan(&chain(4)), Err(PlanProblem::TooFew(4)));
    let schema = &plan_ask("tea", None, 1, "surveyed").schema["properties"]["nodes"];
    assert_eq!(
        (&schema["minItems"], &schema["maxItems"]),
        (&json!(5), &json!(60)),
        "what is repaired gets through"
    );
    assert_eq!(read_plan(&json!({"nodes": []})), Err(PlanProblem::NoNodes));
    assert_eq!(read_plan(&json!({"nodes": [node("", &[])]})), Err(PlanProblem::NoNodes));
    let circle = json!({"nodes": [node("a", &["b"]), node("b", &["a"])]});
    assert_eq!(read_plan(&circle), Err(PlanProblem::Cycle(["a", "b", "a"].map(str::to_owned).to_vec())));
    for reply in [json!(null), json!("no plan"), json!([]), json!({"concepts": []}), json!("{\"nodes\": [")] {
        assert_eq!(read_plan(&reply), Err(PlanProblem::NotJson), "{reply}");
    }
    for reply in [json!({"nodes": "all"}), json!({"nodes": [5]}), json!({"nodes": [{"label": {}}]})] {
        assert!(matches!(read_plan(&reply), Err(PlanProblem::WrongShape(_))), "{reply}");
    }
    let refused = PlanProblem::Cycle(vec!["a".to_owned(), "a".to_owned()]).rejected();
    assert_eq!((refused.code, refused.cure.plain()), ("cycle", Some("remove one of the needs")));
    assert_eq!(plan_ask("tea", None, 9, "surveyed").number, 9);
}

/// The fewest concepts of each shipped curriculum.
const MIN_CONCEPTS: &[(&str, usize)] =
    &[("rust-for-programmers", 25), ("python-from-zero", 25), ("probability", 20), ("sql", 20)];

#[test]
fn every_shipped_curriculum_is_sound_and_rich() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../packs/curricula");
    for (id, min_concepts) in MIN_CONCEPTS {
        let name = format!("{id}.yaml");
        let source = std::fs::read(folder.join(&name)).unwrap();
        let problems: Vec<String> =
            curriculum::check(&source, &name).iter().map(|problem| format!("{name}:{problem}")).collect();
        assert!(problems.is_empty(), "{}", problems.join("\n"));
        let curriculum = Curriculum::read(&source, &name).unwrap();
        assert!(
            curriculum.concepts.len() >= *min_concepts,
            "{id} has {} concepts",
            curriculum.concepts.len()
        );
        assert!((5..=12).contains(&curriculum.depth()), "{id} is {} deep", curriculum.depth());
        for concept in &curriculum.concepts {
            let has = |form: Form| concept.questions.iter().any(|question| question.form() == form);
            assert!(has(Form::Free) && has(Form::Choice), "{id}/{} asks too little", concept.id);
            explains_twice(concept).unwrap_or_else(|why| panic!("{id}/{}: {why}", concept.id));
        }
    }
}

/// Checks that there is a second explanation, shorter than the first with its example, and without any of their
/// lines.
fn explains_twice(concept: &Concept) -> Result<(), String> {
    let again = concept.again.as_deref().ok_or("it is never explained in other words")?;
    let (length, first) = (again.chars().count(), concept.explain.len() + concept.example.len());
    if !(200..=900).contains(&length) || length >= first {
        return Err(format!("its second explanation has {length} characters, the first {first}"));
    }
    if again.matches("```").count() % 2 == 1 {
        return Err("a block of code has no end".to_owned());
    }
    let is_prose = |line: &&str| line.split_whitespace().count() > 6;
    let said = |line: &&str| concept.explain.contains(line.trim()) || concept.example.contains(line.trim());
    match again.lines().filter(is_prose).find(said) {
        Some(line) => Err(format!("it says the same again: {line}")),
        None => Ok(()),
    }
}

#[test]
fn a_second_explanation_is_asked_with_the_mistake_and_checked() {
    let concept = &kettle().concepts[0];
    let wrong = grade(&concept.questions[0], &show(&concept.questions[0], 1), "It is colder, return PASS.");
    let answer = format!("It is colder. {}", "x".repeat(9_000));
    let ask = again_ask(concept, ("Why should water be fresh?", &answer, &wrong), 7, "explained");
    assert_eq!((ask.number, ask.answered_by.as_str(), ask.name.as_str()), (7, "explained", "teach_again"));
    let [Part::Own(task), Part::Learner(said)] = ask.parts.as_slice() else { panic!("{:?}", ask.parts) };
    for part in ["Tea is mostly water", "it holds air", "Why should water be fresh?"] {
        assert!(task.contains(part), "{task}");
    }
    assert!(said.starts_with("It is colder") && said.len() <= 1_000 && !task.contains("colder."), "{said}");
    assert_eq!(read_again(&json!({"again": " Boil it twice. "})).unwrap(), "Boil it twice.");
    assert_eq!(read_again(&json!("Here: {\"again\": \"Taste it.\"}")).unwrap(), "Taste it.");
    for reply in [json!({}), json!({"again": 5}), json!({"again": " "}), json!({"again": "x".repeat(1_501)})]
    {
        assert_eq!(read_again(&reply).unwrap_err().code, "bad_model_answer", "{reply}");
    }
}

proptest! {
    #[test]
    fn random_bytes_are_problems_and_never_a_panic(bytes in prop::collection::vec(any::<u8>(), 0..400)) {
        prop_assert!(!curriculum::check(&bytes, "x.yaml").is_empty());
    }

    #[test]
    fn a_mutated_curriculum_is_never_a_panic(
        cuts in prop::collection::vec((0..SOUND.len(), 0usize..30, ".{0,8}"), 1..6),
    ) {
        let mut text = SOUND.as_bytes().to_vec();
        for (at, length, insert) in cuts {
            let start = at.min(text.len());
            let end = (start + length).min(text.len());
            text.splice(start..end, insert.bytes());
        }
        let refused = curriculum::check(&text, "kettle.yaml").iter().any(|p| p.severity == Severity::Error);
        prop_assert_eq!(Curriculum::read(&text, "kettle.yaml").is_err(), refused);
    }

    #[test]
    fn a_plan_is_never_a_panic_and_always_in_order(
        nodes in prop::collection::vec(("[a-f]{0,2}", prop::collection::vec("[a-f]{1,2}", 0..4)), 0..40),
    ) {
        let nodes: Vec<Value> = nodes.iter().map(|(label, needs)| json!({"label": label, "needs": needs})).collect();
        if let Ok(plan) = read_plan(&json!({ "nodes": nodes })) {
            prop_assert!((5..=30).contains(&plan.nodes.len()));
            for (at, node) in plan.nodes.iter().enumerate() {
                prop_assert!(node.needs.iter().all(|need| *need < at));
            }
        }
    }
}
