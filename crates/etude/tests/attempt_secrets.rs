//! Tests that a learner can read neither the solution nor a hidden test before the last step.

use crate::attempt::{Attempt, OFF_BY_ONE};
use crate::common::{Client, Folder, text};
use coaching::problems::{Catalogue, Problem};
use serde_json::{Value, json};

const CONTRACT: &str = include_str!("../../../docs/openapi.json");
const PATTERNS: &[u8] = include_bytes!("../../../packs/problems/patterns.yaml");
const TWO_SUM: &[u8] = include_bytes!("../../../packs/problems/two-sum.yaml");
/// Fewest characters of a secret. Shorter lines and values occur by chance.
const TELLING_CHARS: usize = 14;

fn two_sum() -> Problem {
    let catalogue = Catalogue::read(PATTERNS).expect("a catalogue");
    Problem::read(TWO_SUM, "two-sum.yaml", &catalogue).expect("a problem")
}

/// The lines of the references that are not in the starter, and the hidden tests, all without spaces.
fn secrets(problem: &Problem) -> Vec<String> {
    let starters: String = problem.starter.0.iter().map(|(_, source)| source.as_str()).collect();
    let lines = problem.references.0.iter().flat_map(|(_, source)| source.lines()).map(str::trim);
    let lines = lines.filter(|line| !starters.contains(line)).map(squeezed);
    let tests = problem.tests.iter().map(|test| squeezed(&json!(test.args).to_string()));
    lines.chain(tests).filter(|secret| secret.len() >= TELLING_CHARS).collect()
}

fn squeezed(text: &str) -> String {
    text.chars().filter(|c| !c.is_whitespace() && *c != '\\').collect()
}

fn assert_silent(place: &str, shown: &str, secrets: &[String]) {
    let shown = squeezed(shown);
    for secret in secrets {
        assert!(!shown.contains(secret), "{place} shows `{secret}`");
    }
}

/// Every address that the contract lists for reading, filled in for this attempt.
fn addresses(attempt: &str) -> Vec<String> {
    let contract: Value = serde_json::from_str(CONTRACT).expect("a contract");
    let paths = contract["paths"].as_object().expect("paths").iter();
    let read = paths.filter(|(_, operations)| operations.get("get").is_some()).map(|(path, _)| path);
    let fill = |path: &String| {
        let path = path.replace("{name}", "two-sum").replace("{flow}", "attempt").replace("{key}", "any");
        let of_learner = path.starts_with("/api/learners/");
        path.replace("{id}", if of_learner { "dora" } else { attempt })
    };
    read.map(fill).collect()
}

fn read(client: &Client, path: &str) -> String {
    let (reply, _) = client.begin(&client.request("GET", path));
    match reply.header("content-type") {
        "text/event-stream" => String::new(),
        _ => client.get(path).body,
    }
}

#[test]
fn the_solution_and_hidden_tests_stay_with_the_coach() {
    let secrets = secrets(&two_sum());
    assert!(secrets.len() > 10, "{secrets:?}");
    let folder = Folder::new();
    let server = folder.serve(&[]);
    let made = folder.run(&["token", "new", "--learner", "dora"]).stdout;
    let dora = Client::new(&server.client.address, made.split_whitespace().last());
    let attempt = Attempt::writing(&dora);
    let mut changes = dora.watch(&format!("/api/instances/{}/changes", attempt.id));
    for (rest, body) in [
        ("code", json!({"code": OFF_BY_ONE})),
        ("verify/run", json!({})),
        ("verify/explain-failure", json!({"testIndex": 0})),
        ("verify/trace", json!({"testIndex": 0})),
    ] {
        assert_silent(rest, &attempt.post(rest, &body).to_string(), &secrets);
        let change = changes.next().expect("a change").to_string();
        assert_silent("a stream", &change, &secrets);
    }
    let read_all = || {
        for path in addresses(&attempt.id) {
            assert_silent(&path, &read(&dora, &path), &secrets);
        }
        for arguments in [
            &["learner", "export", "dora", "--json"][..],
            &["show", &attempt.id, "--json"],
            &["log", &attempt.id, "--json"],
        ] {
            assert_silent(&arguments.join(" "), &folder.run(arguments).all(), &secrets);
        }
    };
    let export = dora.get("/api/learners/dora/export").json();
    assert_eq!(text(&export, "/flows/0/effects/0/payload/problem"), "two-sum", "{export}");
    read_all();
    // A run stored before exams existed has the reference and the tests in its payload.
    let reference = two_sum().references.get("python").expect("Python").replace('\'', "''");
    let tests = json!(two_sum().tests()).to_string();
    let random = json!({"make": "", "reference": reference, "count": 1, "seed": 1}).to_string();
    let old = format!(
        "UPDATE effect SET payload = json_set(payload, '$.tests', json('{tests}'), '$.random', json('{random}'))
         WHERE kind = 'judge'"
    );
    assert_eq!(folder.sql(&old), 1);
    read_all();
}
