//! Finds the misreadings of a problem in a text.

use crate::grade::question::{Free, Misconception, Question};
use crate::grade::{Mistake, grade, show::show};
use crate::text::Words;
use std::collections::HashSet;

/// The number of characters that begin a word in all its forms.
const BEGINNING_CHARS: usize = 3;

/// Finds the first misreading that a text claims. Comparing a text with a wording takes long, so only wordings
/// whose words all occur in the text are compared.
pub(crate) fn misread(misreadings: &[Misconception], text: &str) -> Option<Mistake> {
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
    grade(&question, &show(&question, 0), text).misconception
}

fn beginnings(text: &str) -> HashSet<String> {
    Words::new(text).iter().map(|(_, word)| word.chars().take(BEGINNING_CHARS).collect()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

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
