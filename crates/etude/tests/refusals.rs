//! Tests that `docs/refusals.md` explains every code of a refusal, and no others.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

#[test]
fn the_page_lists_exactly_the_programs_codes() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let page = std::fs::read_to_string(root.join("docs/refusals.md")).expect("the page is there");
    let rows = page.lines().filter(|line| line.starts_with("| `"));
    let explained: BTreeSet<String> =
        rows.flat_map(|row| quoted(row.split(" | ").next().unwrap_or_default(), '`')).collect();
    let mut given = BTreeSet::new();
    for folder in ["crates/coaching/src", "crates/shell/src", "crates/etude/src"] {
        for path in sources(&root.join(folder)) {
            codes(&std::fs::read_to_string(path).expect("a source"), &mut given);
        }
    }
    assert!(given.len() > 90, "codes are not found: {given:?}");
    let missing: Vec<&String> = given.difference(&explained).collect();
    let unknown: Vec<&String> = explained.difference(&given).collect();
    assert!(
        missing.is_empty() && unknown.is_empty(),
        "not on the page: {missing:?}; not in the program: {unknown:?}"
    );
}

fn sources(folder: &Path) -> Vec<PathBuf> {
    let entries = std::fs::read_dir(folder).expect("a folder").map(|entry| entry.expect("an entry").path());
    let found = entries.flat_map(|path| match path.is_dir() {
        true => sources(&path),
        false => vec![path],
    });
    found.filter(|path| path.extension().is_some_and(|ending| ending == "rs")).collect()
}

/// Collects the codes in a source: where a refusal is made, where a function chooses a code, and where a code is
/// named.
fn codes(source: &str, given: &mut BTreeSet<String>) {
    let source = source.split("#[cfg(test)]").next().unwrap_or_default();
    for maker in ["code: \"", "Rejected::of(\"", "problem(\""] {
        let after = source.split(maker).skip(1);
        given.extend(
            after.filter_map(|rest| rest.split('"').next()).filter(|code| is_code(code)).map(str::to_owned),
        );
    }
    for rest in source.split("ProblemJson::new(").skip(1) {
        given.extend(
            quoted(rest.split(';').next().unwrap_or_default(), '"').into_iter().find(|code| is_code(code)),
        );
    }
    for chosen in ["let code = match", "fn code(&self) -> &'static str {"] {
        for rest in source.split(chosen).skip(1) {
            let arms = rest.split("\n    }").next().unwrap_or_default();
            let arms = arms.split("};").next().unwrap_or_default();
            given.extend(quoted(arms, '"').into_iter().filter(|code| is_code(code)));
        }
    }
    if let Some(table) = source.split("refusals! {").nth(1) {
        let rows = table
            .split("\n}")
            .next()
            .unwrap_or_default()
            .lines()
            .filter(|row| row.trim_end().ends_with("\";"));
        given.extend(rows.filter_map(|row| quoted(row, '"').pop()));
    }
    for name in
        ["STATUS_MOVED", "UNCLEAR", "ABANDONED", "NOTHING_DUE", "OWN_WORDS", "UNKNOWN", "NO_CURRICULUM"]
    {
        let named = source.split(&format!(" const {name}: &str = \"")).nth(1);
        given.extend(named.and_then(|rest| rest.split('"').next()).map(str::to_owned));
    }
}

fn quoted(text: &str, quote: char) -> Vec<String> {
    text.split(quote).skip(1).step_by(2).map(str::to_owned).collect()
}

fn is_code(text: &str) -> bool {
    !text.is_empty() && text.chars().all(|c| c.is_ascii_lowercase() || c == '_')
}
