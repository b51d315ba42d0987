//! Grades steps that the learner puts in order.

use super::question::Order;
use super::reading::{Flavour, Reading};
use super::show::Shown;
use super::{Grade, words};
use crate::learner::Quality;
use crate::words::Text;

pub(super) fn grade(order: &Order, shown: &Shown, answer: &str) -> Grade {
    let tokens = Reading::new(answer, Flavour::Plain).tokens;
    let labels: Vec<&str> = shown.entries.iter().map(|entry| entry.label.as_str()).collect();
    let Some(given) = sequence(&labels, answer) else {
        let is_blank = super::free::is_blank(&tokens);
        return Grade::blank(if is_blank { words::no_answer() } else { words::name_all(labels.join(", ")) });
    };
    let place = |label: &usize| {
        let text = &shown.entries[*label].text;
        order.steps.iter().position(|step| step == text)
    };
    let places: Vec<Option<usize>> = given.iter().map(place).collect();
    match wrong_places(&places).as_slice() {
        [] => Grade::new(Quality::EASY, ""),
        [a, b] if a + 1 == *b => Grade::new(Quality::HARD, words::order_nearly()),
        _ => Grade::new(Quality::AGAIN, words::order_wrong()),
    }
}

pub(super) fn unclear(shown: &Shown, answer: &str) -> Option<Text> {
    let labels: Vec<&str> = shown.entries.iter().map(|entry| entry.label.as_str()).collect();
    let is_blank = super::free::is_blank(&Reading::new(answer, Flavour::Plain).tokens);
    (sequence(&labels, answer).is_none() && !is_blank).then(|| words::name_all(labels.join(", ")))
}

fn wrong_places(places: &[Option<usize>]) -> Vec<usize> {
    places.iter().enumerate().filter(|(at, place)| **place != Some(*at)).map(|(at, _)| at).collect()
}

/// Returns the labels in the order of the answer: "c a b", "2,1,3", "cab". Returns `None` unless each label
/// occurs once.
fn sequence(labels: &[&str], answer: &str) -> Option<Vec<usize>> {
    let words: Vec<&str> = answer.split(|c: char| !c.is_alphanumeric()).filter(|w| !w.is_empty()).collect();
    // In "1. c 2. a 3. b" the numbers only count the letters.
    let is_label = |word: &&str| labels.iter().any(|label| label.eq_ignore_ascii_case(word));
    let has_letters = words.iter().any(|word| is_label(word) && !is_number(word));
    let is_noise = |word: &str| is_filler(word) || (has_letters && is_number(word));
    let words: Vec<&str> = words.into_iter().filter(|word| !is_noise(word)).collect();
    let position = |word: &str| {
        let by_label = labels.iter().position(|label| label.eq_ignore_ascii_case(word));
        by_label.or_else(|| word.parse::<usize>().ok()?.checked_sub(1).filter(|at| *at < labels.len()))
    };
    let given: Option<Vec<usize>> = match words.as_slice() {
        [one] if one.chars().count() == labels.len() => {
            one.chars().map(|c| position(c.encode_utf8(&mut [0; 4]))).collect()
        }
        words => words.iter().map(|word| position(word)).collect(),
    };
    let mut sorted = given.clone()?;
    sorted.sort_unstable();
    (sorted.len() == labels.len() && sorted.iter().enumerate().all(|(at, label)| at == *label))
        .then_some(given?)
}

fn is_number(word: &str) -> bool {
    word.bytes().all(|byte| byte.is_ascii_digit())
}

fn is_filler(word: &str) -> bool {
    matches!(
        word.to_lowercase().as_str(),
        "then" | "and" | "first" | "last" | "finally" | "next" | "dann" | "und" | "zuerst" | "zuletzt"
    )
}
