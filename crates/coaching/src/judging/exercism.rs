//! Imports Exercism's canonical data: cases in groups, each with a property, an input object and an expected
//! value.

use super::{Comparison, Test, Tests, read_exact};
use serde_json::Value;

/// The tests of one property. Cases that expect an error are left out, because a test compares a value.
#[derive(Debug, Clone, PartialEq)]
pub struct Imported {
    pub tests: Tests,
    pub skipped: usize,
    /// The other properties for which the file has tests.
    pub others: Vec<String>,
}

/// Reads the cases of `property`, or of the file's first property. A learner's function has the name of the
/// property, and takes the values of the input object in the order in which they are written.
pub fn from_exercism(text: &str, property: Option<&str>) -> Result<Imported, String> {
    let data: Value = read_exact(text).map_err(|error| error.to_string())?;
    let mut cases = Vec::new();
    collect(&data, &mut cases);
    let mut properties: Vec<&str> = Vec::new();
    for name in cases.iter().filter_map(|case| case["property"].as_str()) {
        if !properties.contains(&name) {
            properties.push(name);
        }
    }
    let Some(chosen) = property.or(properties.first().copied()) else {
        return Err("there is no case with a property in it".into());
    };
    if !properties.contains(&chosen) {
        return Err(format!("there is no case of `{chosen}`; the file has {}", properties.join(", ")));
    }
    let of_chosen: Vec<&Value> = cases.into_iter().filter(|case| case["property"] == chosen).collect();
    let tests: Vec<Test> = of_chosen.iter().filter_map(|case| test(case)).collect();
    Ok(Imported {
        skipped: of_chosen.len() - tests.len(),
        others: properties.iter().filter(|name| **name != chosen).map(|name| (*name).to_owned()).collect(),
        tests: Tests { function: Some(chosen.to_owned()), comparison: Comparison::Exact, tests },
    })
}

fn collect<'d>(data: &'d Value, cases: &mut Vec<&'d Value>) {
    match data.get("cases").and_then(Value::as_array) {
        Some(group) => group.iter().for_each(|below| collect(below, cases)),
        None if data.get("property").is_some() => cases.push(data),
        None => {}
    }
}

fn test(case: &Value) -> Option<Test> {
    let expected = case.get("expected")?;
    if expected.get("error").is_some() {
        return None;
    }
    let args = case.get("input")?.as_object()?.values().cloned().collect();
    Some(Test { args: Some(args), stdin: None, expected: expected.clone(), hidden: false })
}
