//! Tests of problems and the pattern catalogue: the faults that the reader finds, with their codes and lines.

use coaching::judging::Comparison;
use coaching::problems::{Catalogue, Problem, check, check_patterns};
use serde_json::json;

const PATTERNS: &str = include_str!("problems/patterns.yaml");
const SHIPPED: &str = include_str!("../../../packs/problems/patterns.yaml");
const PAIR: &str = include_str!("../src/attempt/scenarios/problems/market-pair.yaml");
const STRETCH: &str = include_str!("../src/attempt/scenarios/problems/quiet-stretch.yaml");

fn catalogue() -> Catalogue {
    Catalogue::read(PATTERNS.as_bytes()).expect("the catalogue is sound")
}

#[test]
fn sound_problems_are_read() {
    let catalogue = catalogue();
    for (name, source) in [("market-pair.yaml", PAIR), ("quiet-stretch.yaml", STRETCH)] {
        assert_eq!(check(source.as_bytes(), name, &catalogue), [], "{name}");
    }
    let pair = Problem::read(PAIR.as_bytes(), "market-pair.yaml", &catalogue).expect("a problem");
    let tests = pair.tests();
    assert_eq!((tests.tests.len(), tests.comparison), (13, Comparison::Exact));
    assert!(!tests.tests[1].hidden && tests.tests[2].hidden, "samples come first and are seen");
    assert_eq!(tests.tests[3].expected, json!([2, 4]));
    assert_eq!(tests.tests[3].args.as_ref().expect("arguments")[1], json!(-8), "negative numbers are kept");
    assert!(pair.references.get("rust").is_some_and(|source| source.contains("HashMap")));
    assert_eq!(
        pair.invariants[0].filled(|slot| slot.right),
        "When a position is looked at, the notes hold every earlier price with its position."
    );
}

/// Each row replaces the first text by the second; the check must answer with this code.
const BROKEN: &[(&str, &str, &str)] = &[
    ("returns: \"[int]\"", "returns: list", "P041"),
    ("expected: [0, 1], why: The", "expected: [0, one], why: The", "P042"),
    ("args: [[3, 3], 6]", "args: [[3, 3]]", "P042"),
    ("args: [[3, 3], 6]", "args: [[3, 3.5], 6]", "P042"),
    ("args: [[3, 3], 6]", "args: [[2, 7, 11, 15], 9]", "P048"),
    (
        "    def market_pair(prices, voucher):\n        return []",
        "    def pair(prices, voucher):\n        return []",
        "P043",
    ),
    ("close: [two-pointers]", "close: [hash-map]", "P046"),
    ("pattern: hash-map", "pattern: magic", "P046"),
    ("right: 1}", "right: 4}", "P045"),
    ("When {where} is", "When {place} is", "P045"),
    ("- For one price, which", "- With a hash map, for one price, which", "P047"),
    ("- For one price, which", "- |\n    ```\n    x\n    ```\n    For one price, which", "P050"),
    ("rung: 1", "rung: 9", "P025"),
    ("comparison: exact", "comparison: close", "P004"),
    ("title: Two crates for one price\n", "", "P006"),
    (
        "misreadings:",
        "misreadings:\n  - {any: [\"two different crates\"], says: Return the positions.}",
        "P033",
    ),
    ("edges:", "edge:", "P005"),
    ("problem: market-pair", "problem: market-pairs", "P012"),
];

#[test]
fn every_mistake_has_its_code() {
    let catalogue = catalogue();
    for (good, bad, code) in BROKEN {
        assert!(PAIR.contains(good), "`{good}` is not in the file");
        let source = PAIR.replacen(good, bad, 1);
        let problems = check(source.as_bytes(), "market-pair.yaml", &catalogue);
        assert!(problems.iter().any(|problem| problem.code.id() == *code), "{bad}: {problems:?}");
    }
    let few = PAIR.split("  - {args: [[1, 5, 1, 9], 2]").next().expect("the beginning");
    let rest = PAIR.split("random: |").nth(1).expect("the rest");
    let problems = check(format!("{few}random: |{rest}").as_bytes(), "market-pair.yaml", &catalogue);
    assert!(problems.iter().any(|problem| problem.code.id() == "P044"), "{problems:?}");
}

#[test]
fn every_shipped_problem_is_sound() {
    assert_eq!(check_patterns(SHIPPED.as_bytes()), []);
    let catalogue = Catalogue::read(SHIPPED.as_bytes()).expect("the catalogue is sound");
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/../../packs/problems");
    let mut rungs = [0; 5];
    for entry in std::fs::read_dir(folder).expect("a folder") {
        let path = entry.expect("an entry").path();
        let name = path.file_name().expect("a name").to_string_lossy().into_owned();
        if name == "patterns.yaml" {
            continue;
        }
        let source = std::fs::read(&path).expect("a file");
        assert_eq!(check(&source, &name, &catalogue), [], "{name}");
        let problem = Problem::read(&source, &name, &catalogue).expect("a problem");
        rungs[usize::from(problem.rung) - 1] += 1;
    }
    assert!(rungs.iter().all(|count| *count > 0) && rungs.iter().sum::<usize>() >= 40, "{rungs:?}");
}

#[test]
fn a_tree_leads_to_every_pattern() {
    for (good, bad) in [
        ("patterns: [sliding-window]", "patterns: [prefix-sums]"),
        ("next: stretch", "next: nowhere"),
        ("patterns: [prefix-sums]}", "next: shape}"),
        ("patterns: [dfs]", "patterns: [teleport]"),
    ] {
        let problems = check_patterns(PATTERNS.replacen(good, bad, 1).as_bytes());
        assert!(problems.iter().any(|problem| problem.code.id() == "P049"), "{bad}: {problems:?}");
    }
}
