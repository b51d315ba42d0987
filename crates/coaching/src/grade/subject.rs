//! Finds out which of several things a statement is about.
//!
//! "The i32 is moved and the String is copied" has every right word. In a question about two things, each idea
//! names its own with `of`, and words count for that idea only if its thing was the last one named before them. A
//! name in backticks is code and is searched for literally: `5` and `"5"` are two things.

use std::ops::Range;

use super::question::Free;
use super::reading::{Flavour, Reading};
use super::sense::Senses;
use super::stem::stem;

/// The place of a name in the answer, and the ideas that it belongs to.
type Named = (Range<usize>, Vec<usize>);

/// The places where an answer names the things that a question is about.
#[derive(Debug)]
pub(super) struct Subjects {
    named: Vec<Named>,
    /// The ideas that are about one of the things.
    bound: Vec<usize>,
}

impl Subjects {
    pub(super) fn new(free: &Free, answer: &Senses, text: &str) -> Subjects {
        let said: Vec<String> = answer.tokens.iter().map(|token| stem(&token.letters).into_owned()).collect();
        let code = Code::new(text);
        let mut found: Vec<Named> = Vec::new();
        let mut in_code: Vec<(Range<usize>, usize)> = Vec::new();
        let mut bound = Vec::new();
        for (idea, of) in free.ideas.iter().enumerate().filter_map(|(at, idea)| Some((at, idea.of.as_ref()?)))
        {
            bound.push(idea);
            for name in names(of) {
                if let Some(name) = name.strip_prefix('`').and_then(|name| name.strip_suffix('`')) {
                    in_code.extend(code.places(name).into_iter().map(|at| (at, idea)));
                    continue;
                }
                let name = stems(name);
                let is_at = |at: &usize| !name.is_empty() && said[*at..].starts_with(&name);
                for at in (0..said.len()).filter(is_at) {
                    add(&mut found, at..at + name.len(), idea);
                }
            }
        }
        let is_longest = |at: &Range<usize>| !in_code.iter().any(|(other, _)| holds(other, at));
        for (at, idea) in in_code.iter().filter(|(at, _)| is_longest(at)) {
            add(&mut found, answer.span(at), *idea);
        }
        // `into_iter` names one thing, although it contains `iter`.
        let is_whole = |place: &Range<usize>| !found.iter().any(|(other, _)| holds(other, place));
        let mut named: Vec<_> = found.iter().filter(|(place, _)| is_whole(place)).cloned().collect();
        named.sort_by_key(|(place, _)| place.start);
        Subjects { named, bound }
    }

    /// Whether the words of an answer are about the thing of an idea.
    pub(super) fn fits(&self, idea: usize, answer: &Senses, span: Range<usize>) -> bool {
        if !self.is_about_one(idea) {
            return true;
        }
        let inside: Vec<_> = self.inside(&span).collect();
        if !inside.is_empty() {
            return inside.iter().any(|(_, ideas)| ideas.contains(&idea));
        }
        let same_part = |place: &Range<usize>| answer.parts.get(place.start) == answer.parts.get(span.start);
        let after = self.named.iter().find(|(place, _)| place.start >= span.end && same_part(place));
        self.before(&span).or(after).is_none_or(|(_, ideas)| ideas.contains(&idea))
    }

    /// Whether the words are about the thing of the idea and no other: "`x` is moved and `y`" says of neither for
    /// sure that it is moved. A wording with a gap may go from one thing to the next, in the order of the ideas.
    pub(super) fn fits_surely(
        &self,
        idea: usize,
        answer: &Senses,
        span: Range<usize>,
        has_gap: bool,
    ) -> bool {
        if !self.is_about_one(idea) {
            return true;
        }
        let inside: Vec<&Named> = self.inside(&span).collect();
        let Some((first, _)) = inside.first() else { return self.fits(idea, answer, span) };
        // In "8 for Ann, 15 for Bob", the new clause is about the thing that it names itself.
        let goes_on = first.start > span.start && !answer.tokens[span.start].opens_clause;
        let part = |at: usize| answer.parts.get(at);
        let is_near = |(place, _): &&Named| part(place.end.max(1) - 1) == part(span.start);
        let before = self.before(&span).filter(|named| goes_on && is_near(named));
        let about: Vec<&Vec<usize>> = before.into_iter().chain(inside).map(|(_, ideas)| ideas).collect();
        let is_one = about.iter().all(|ideas| ideas.contains(&idea));
        is_one || (has_gap && about.is_sorted_by_key(|ideas| ideas[0]))
    }

    /// Whether an idea has a thing of its own and the answer names any of the things.
    fn is_about_one(&self, idea: usize) -> bool {
        self.bound.contains(&idea) && !self.named.is_empty()
    }

    fn inside(&self, span: &Range<usize>) -> impl Iterator<Item = &Named> {
        self.named.iter().filter(move |(place, _)| place.start < span.end && span.start < place.end)
    }

    fn before(&self, span: &Range<usize>) -> Option<&Named> {
        self.named.iter().rev().find(|(place, _)| place.end <= span.start)
    }
}

fn add(found: &mut Vec<Named>, place: Range<usize>, idea: usize) {
    match found.iter_mut().find(|(other, _)| *other == place) {
        Some((_, ideas)) => ideas.push(idea),
        None => found.push((place, vec![idea])),
    }
}

fn holds(whole: &Range<usize>, part: &Range<usize>) -> bool {
    whole != part && whole.start <= part.start && part.end <= whole.end
}

/// Splits the names of a thing. A slash in code does not separate names.
fn names(of: &str) -> impl Iterator<Item = &str> {
    let mut is_code = false;
    let parts = of.split(move |c| {
        is_code ^= c == '`';
        c == '/' && !is_code
    });
    parts.map(str::trim)
}

fn stems(text: &str) -> Vec<String> {
    let tokens = Reading::new(text, Flavour::Plain).tokens;
    tokens.iter().map(|token| stem(&token.letters).into_owned()).collect()
}

/// A text prepared for the search for code, whatever its spacing.
struct Code {
    /// The place of each character in bytes, and the character.
    chars: Vec<(Range<usize>, char)>,
}

impl Code {
    fn new(text: &str) -> Code {
        let chars = text.char_indices().map(|(at, c)| (at..at + c.len_utf8(), straight(c)));
        Code { chars: chars.filter(|(_, c)| !c.is_whitespace()).collect() }
    }

    fn places(&self, code: &str) -> Vec<Range<usize>> {
        let code: Vec<char> = code.chars().filter(|c| !c.is_whitespace()).map(straight).collect();
        let goes_on = |one: &(Range<usize>, char), next: &(Range<usize>, char)| {
            one.0.end == next.0.start && sort(one.1).is_some() && sort(one.1) == sort(next.1)
        };
        let windows = self.chars.windows(code.len().max(1)).enumerate();
        let is_here = |(start, window): &(usize, &[(Range<usize>, char)])| {
            let end = start + window.len();
            let before = start.checked_sub(1).and_then(|at| self.chars.get(at));
            window.iter().map(|(_, c)| c).eq(&code)
                && !before.is_some_and(|before| goes_on(before, &window[0]))
                && !self.chars.get(end).is_some_and(|after| goes_on(&self.chars[end - 1], after))
        };
        windows.filter(is_here).map(|(_, window)| window[0].0.start..window[window.len() - 1].0.end).collect()
    }
}

/// Returns a straight double quote for any kind of quote, and letters in lower case.
fn straight(c: char) -> char {
    match c {
        '“' | '”' | '„' | '‘' | '’' | '\'' => '"',
        c => c.to_ascii_lowercase(),
    }
}

/// Returns `true` for a character of words, `false` for one of operators, and `None` for any other.
fn sort(c: char) -> Option<bool> {
    match c {
        c if c.is_alphanumeric() || c == '_' => Some(true),
        '=' | '<' | '>' | '!' | '+' | '-' | '*' | '/' | '%' | '&' | '|' => Some(false),
        _ => None,
    }
}

/// Returns `true` if a text opens with a yes, `false` if it opens with a no, and `None` otherwise.
pub(super) fn opening(text: &str) -> Option<bool> {
    let tokens = Reading::new(text, Flavour::Plain).tokens;
    match tokens.first()?.letters.as_str() {
        "yes" | "yep" | "yeah" | "yup" | "sure" | "ja" => Some(true),
        "no" | "nope" | "nein" => Some(false),
        _ => None,
    }
}
