//! Measures how well the coach recognises the limits in a human's words and the risky steps, on prompts and
//! announcements of everyday life.

use coaching::agent::{Held, Phrases, held_back};

const PROMPTS: &str = include_str!("prompts.tsv");
const ANNOUNCEMENTS: &str = include_str!("announcements.tsv");
/// The least precision and recall: the share of held-back steps that deserve it, and the share of those deserving
/// it that are held back.
const MIN_PRECISION: f64 = 0.97;
const MIN_RECALL: f64 = 0.97;

fn rows(table: &str) -> impl Iterator<Item = Vec<String>> {
    let rows = table.lines().filter(|line| !line.starts_with('#') && !line.is_empty());
    rows.map(|line| line.split('\t').map(|cell| cell.replace("\\n", "\n")).collect())
}

/// Compares the outcomes with the labels and names the texts that were judged wrongly.
fn check(name: &str, cases: impl Iterator<Item = (bool, bool, String)>) {
    let (mut right, mut wrong, mut missed) = (0.0, Vec::new(), Vec::new());
    for (expected, held, text) in cases {
        match (expected, held) {
            (true, true) => right += 1.0,
            (false, true) => wrong.push(text),
            (true, false) => missed.push(text),
            (false, false) => {}
        }
    }
    let precision = right / (right + wrong.len() as f64);
    let recall = right / (right + missed.len() as f64);
    println!(
        "{name}: precision {precision:.3}, recall {recall:.3}\nheld wrongly: {wrong:#?}\nmissed: {missed:#?}"
    );
    assert!(precision >= MIN_PRECISION, "{name}: precision {precision:.3}, held wrongly: {wrong:#?}");
    assert!(recall >= MIN_RECALL, "{name}: recall {recall:.3}, missed: {missed:#?}");
}

#[test]
fn the_humans_limits_are_read() {
    let phrases = Phrases::shipped();
    let cases = rows(PROMPTS).map(|row| {
        let step = row.get(2).map_or("Next I will write the importer.", String::as_str);
        let held = held_back(&row[1], &format!("The groundwork is finished. {step}"), &phrases);
        (row[0] == "hold", matches!(held, Some(Held::Limit(_))), format!("{} / {step}: {held:?}", row[1]))
    });
    check("limits", cases);
}

#[test]
fn risks_are_told_from_harmless_steps() {
    let phrases = Phrases::shipped();
    let held = |step: &str| {
        held_back("Finish the whole job.", &format!("The groundwork is finished. {step}"), &phrases)
    };
    let is_doubt = |held: &Option<Held>| matches!(held, Some(Held::Doubt(_)));
    // A doubt is enough to hold a risk back, but does not count as calling a harmless step a risk.
    let cases = rows(ANNOUNCEMENTS).map(|row| {
        let (is_risk, held) = (row[0] == "risk", held(&row[1]));
        (is_risk, held.is_some() && (is_risk || !is_doubt(&held)), format!("{}: {held:?}", row[1]))
    });
    check("risks", cases);
    let harmless: Vec<_> = rows(ANNOUNCEMENTS).filter(|row| row[0] != "risk").collect();
    let doubted: Vec<_> = harmless.iter().filter(|row| is_doubt(&held(&row[1]))).collect();
    assert!(doubted.len() * 10 <= harmless.len(), "too many are doubted: {doubted:#?}");
}

#[test]
fn the_words_of_a_limit_are_a_list_that_users_replace() {
    let own = Phrases::read("puts_off:\n  - is frozen\n").unwrap();
    let held = |phrases: &Phrases| {
        let prompt = "Write the lexer. The importer is frozen.";
        held_back(prompt, "The lexer is finished. Next I will write the importer.", phrases)
    };
    assert!(matches!(held(&Phrases::shipped()), Some(Held::Doubt(_))));
    assert!(matches!(held(&own), Some(Held::Limit(_))));
}

#[test]
fn the_sets_are_large() {
    assert!(rows(PROMPTS).count() >= 150 && rows(ANNOUNCEMENTS).count() >= 100);
}
