//! Finds the misreadings of a problem in a text.

use crate::grade::question::{Free, Misconception, Question};
use crate::grade::{Mistake, grade, show::show};
use crate::text::Words;
use std::collections::HashSet;

/// The number of characters that begin a word in all its forms.
const BEGINNING_CHARS: usize = 3;
/// Verbs that mean a sum together with “up”. Their “up to” is no limit.
const SUMMING: &[&str] = &["add", "adds", "added", "adding", "sum", "sums", "summed", "summing"];
/// The greatest number of words from such a verb to its “up”: “add the two prices up to”.
const SUMMING_REACH: usize = 4;

/// Finds the first misreading that a text claims. Comparing a text with a wording takes long, so only wordings
/// whose words all occur in the text are compared.
pub(crate) fn misread(misreadings: &[Misconception], text: &str) -> Option<Mistake> {
    let shown = text;
    let text = &without_sums(text);
    let there = beginnings(text);
    let may_say = |wording: &String| {
        let mut groups = wording.split_whitespace();
        groups.all(|group| group.split('/').any(|word| beginnings(word).is_subset(&there)))
    };
    let mut misconceptions = misreadings.to_vec();
    misconceptions.iter_mut().for_each(|wrong| wrong.any.retain(may_say));
    misconceptions.retain(|wrong| !wrong.any.is_empty());
    if misconceptions.is_empty() {
        return None;
    }
    let question = Question::Free(Free { misconceptions, ..Free::default() });
    let mistake = grade(&question, &show(&question, 0), text).misconception?;
    let words = shown.get(mistake.at.clone()).map_or(mistake.words, str::to_owned);
    Some(Mistake { words, ..mistake })
}

/// Blanks the “up” of “add up to”, so that it is not read as “at most”. All other words keep their places.
fn without_sums(text: &str) -> String {
    let ends = |c: char| matches!(c, '.' | ',' | ';' | ':' | '!' | '?' | '\n');
    let (mut read, mut since) = (String::with_capacity(text.len()), None);
    for word in text.split_inclusive(|c: char| !c.is_alphanumeric()) {
        let letters = word.trim_end_matches(|c: char| !c.is_alphanumeric()).to_lowercase();
        let is_summed = letters == "up" && since.is_some_and(|count| count < SUMMING_REACH);
        read.push_str(&if is_summed { word.replacen(&word[.."up".len()], "  ", 1) } else { word.to_owned() });
        since = match letters.as_str() {
            verb if SUMMING.contains(&verb) => Some(0),
            "" => since,
            _ => since.map(|count| count + 1),
        };
        since = since.filter(|_| !word.ends_with(ends));
    }
    read
}

fn beginnings(text: &str) -> HashSet<String> {
    Words::new(text).iter().map(|(_, word)| word.chars().take(BEGINNING_CHARS).collect()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn adding_up_to_something_is_no_limit() {
        let any = vec!["up to the target".to_owned()];
        let misreadings = [Misconception { any, says: "Exactly the target.".to_owned() }];
        for (text, words) in [
            ("Two prices that add up to the target.", None),
            ("Two prices; adding the two numbers up to the target is the task.", None),
            ("Spend up to the target on two articles.", Some("up to the target")),
            ("Add two prices. They go up to the target.", Some("up to the target")),
        ] {
            assert_eq!(misread(&misreadings, text).map(|found| found.words).as_deref(), words, "{text}");
        }
    }

    #[test]
    fn a_claim_is_found_and_a_denial_is_not() {
        let any = vec!["return/give values".to_owned(), "the numbers themselves".to_owned()];
        let misreadings = [Misconception { any, says: "Return the positions.".to_owned() }];
        for (text, words) in [
            ("Find two numbers and give values that add up.", Some("give values")),
            ("We want the numbers themselves, in any order.", Some("the numbers themselves")),
            ("Return the places, not the numbers themselves.", None),
            ("Find where the two numbers stand.", None),
        ] {
            assert_eq!(misread(&misreadings, text).map(|found| found.words).as_deref(), words, "{text}");
        }
    }
}
