//! Which of several things a statement is about.
//!
//! "The i32 is moved and the String is copied" has every right word. Where a question is about two things, each idea names
//! its own with `of`, and words count for it only if it is the thing that was named last before them.

use std::ops::Range;

use super::question::Free;
use super::reading::{Flavour, Reading};
use super::sense::Senses;
use super::stem::stem;

/// Where an answer names the things that a question is about.
#[derive(Debug)]
pub(super) struct Subjects {
    /// The place of each name, and the ideas that it belongs to.
    named: Vec<(Range<usize>, Vec<usize>)>,
    /// The ideas that are about one of them.
    bound: Vec<usize>,
}

impl Subjects {
    pub(super) fn new(free: &Free, answer: &Senses) -> Subjects {
        let stems = |text: &str| -> Vec<String> {
            let tokens = Reading::new(text, Flavour::Plain).tokens;
            tokens.iter().map(|token| stem(&token.letters).into_owned()).collect()
        };
        let said: Vec<String> = answer.tokens.iter().map(|token| stem(&token.letters).into_owned()).collect();
        let mut found: Vec<(Range<usize>, Vec<usize>)> = Vec::new();
        let mut bound = Vec::new();
        for (idea, of) in free.ideas.iter().enumerate().filter_map(|(at, idea)| Some((at, idea.of.as_ref()?)))
        {
            bound.push(idea);
            for name in of.split('/').map(stems).filter(|name| !name.is_empty()) {
                for at in (0..said.len()).filter(|at| said[*at..].starts_with(&name)) {
                    let place = at..at + name.len();
                    match found.iter_mut().find(|(other, _)| *other == place) {
                        Some((_, ideas)) => ideas.push(idea),
                        None => found.push((place, vec![idea])),
                    }
                }
            }
        }
        // `into_iter` names one thing, although `iter` stands in it.
        let is_whole = |place: &Range<usize>| {
            !found
                .iter()
                .any(|(other, _)| other != place && other.start <= place.start && place.end <= other.end)
        };
        let mut named: Vec<_> = found.iter().filter(|(place, _)| is_whole(place)).cloned().collect();
        named.sort_by_key(|(place, _)| place.start);
        Subjects { named, bound }
    }

    /// Whether the words of an answer are about the thing of an idea.
    pub(super) fn fits(&self, idea: usize, answer: &Senses, span: Range<usize>) -> bool {
        if !self.bound.contains(&idea) || self.named.is_empty() {
            return true;
        }
        let touches = |place: &Range<usize>| place.start < span.end && span.start < place.end;
        let inside: Vec<_> = self.named.iter().filter(|(place, _)| touches(place)).collect();
        if !inside.is_empty() {
            return inside.iter().any(|(_, ideas)| ideas.contains(&idea));
        }
        let before = self.named.iter().rev().find(|(place, _)| place.end <= span.start);
        let same_part = |place: &Range<usize>| answer.parts[place.start] == answer.parts[span.start];
        let after = self.named.iter().find(|(place, _)| place.start >= span.end && same_part(place));
        before.or(after).is_none_or(|(_, ideas)| ideas.contains(&idea))
    }
}

/// Whether a text opens with a yes or a no.
pub(super) fn opening(text: &str) -> Option<bool> {
    let tokens = Reading::new(text, Flavour::Plain).tokens;
    match tokens.first()?.letters.as_str() {
        "yes" | "yep" | "yeah" | "yup" | "sure" | "ja" => Some(true),
        "no" | "nope" | "nein" => Some(false),
        _ => None,
    }
}
