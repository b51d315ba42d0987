//! Grades a choice of one among several options, named by its letter, its number or its text.

use super::lists::List;
use super::question::{Choice, Offer};
use super::reading::{Flavour, Reading, Token};
use super::show::{LabelledOption, Shown};
use super::{Grade, is_nothing, words};
use crate::learner::Quality;
use crate::words::Text;

pub(super) fn grade(choice: &Choice, shown: &Shown, answer: &str) -> Grade {
    let chosen = match named(shown, answer) {
        Named::One(at) => choice.options.iter().find(|option| option.text == shown.entries[at].text),
        Named::None if is_nothing(answer) => return Grade::blank(words::no_answer()),
        Named::None => return Grade::blank(name_one(shown)),
        Named::Several => return Grade::new(Quality::AGAIN, name_one(shown)),
    };
    match chosen {
        Some(Offer { right: true, says, .. }) => {
            // A guess is sometimes right, so a right choice is good and not perfect.
            Grade::new(Quality::GOOD, says.clone().unwrap_or_default())
        }
        Some(Offer { says: Some(says), .. }) => {
            Grade::new(Quality::AGAIN, words::wrong_because(says.as_str()))
        }
        Some(Offer { says: None, .. }) => Grade::new(Quality::AGAIN, words::wrong()),
        None => Grade::blank(name_one(shown)),
    }
}

pub(super) fn unclear(shown: &Shown, answer: &str) -> Option<Text> {
    let is_unclear = !matches!(named(shown, answer), Named::One(_)) && !is_nothing(answer);
    is_unclear.then(|| name_one(shown))
}

fn name_one(shown: &Shown) -> Text {
    let labels: Vec<&str> = shown.entries.iter().map(|entry| entry.label.as_str()).collect();
    words::name_one(labels.join(", "))
}

/// The option or options that an answer picks.
enum Named {
    One(usize),
    Several,
    None,
}

fn named(shown: &Shown, answer: &str) -> Named {
    if let Some(at) = only(&shown.entries, |entry| bare(&entry.text) == bare(answer)) {
        return Named::One(at);
    }
    let plain = Reading::new(answer, Flavour::Plain).tokens;
    match labels(&shown.entries, &plain, answer).as_slice() {
        [at] => return Named::One(*at),
        [_, _, ..] => return Named::Several,
        [] => {}
    }
    let tokens = Reading::new(answer, Flavour::Symbols).tokens;
    let in_digits = numerals(&tokens);
    let read = |entry: &LabelledOption| Reading::new(&entry.text, Flavour::Symbols).tokens;
    let texts: Vec<Vec<Token>> = shown.entries.iter().map(read).collect();
    let said = [tokens.as_slice(), claim(&tokens), in_digits.as_slice()];
    let same =
        || said.iter().find_map(|said| only(&texts, |text| is_same(text, said) || is_only(said, text)));
    // If an option's text is itself a number, a number in the answer means that text, unless the answer says that
    // it counts the options.
    let is_number =
        |text: &Vec<Token>| matches!(text.as_slice(), [only] if only.letters.parse::<u64>().is_ok());
    let counts = plain.iter().any(|token| List::BeforeNumber.has(&token.letters));
    let number = number(&plain, texts.len());
    let meant = match number.filter(|_| counts) {
        Some(at) => Some(at),
        None => same().or(number.filter(|_| !texts.iter().any(is_number))),
    };
    meant.map_or_else(|| held(&texts, &tokens), Named::One)
}

/// Returns the tokens of an answer with its only telling word in digits, if that word is a numeral. In longer
/// answers "one" is hardly ever a number.
fn numerals(tokens: &[Token]) -> Vec<Token> {
    let mut tokens = tokens.to_vec();
    let mut rest = tokens.iter_mut().filter(|token| !is_around(token));
    if let (Some(only), None) = (rest.next(), rest.next())
        && let Some(number) = List::Numerals.entries().position(|numeral| numeral == only.letters)
    {
        only.letters = number.to_string();
    }
    tokens
}

/// Returns the part of the answer before its reason.
fn claim(tokens: &[Token]) -> &[Token] {
    let gives_reason = |token: &Token| token.opens_clause || List::Reasons.has(&token.letters);
    let end = tokens.iter().skip(1).position(gives_reason).map_or(tokens.len(), |at| at + 1);
    &tokens[..end]
}

/// Whether the answer says the text with nothing but usual words around it.
fn is_only(tokens: &[Token], text: &[Token]) -> bool {
    let rest: Vec<&Token> = tokens.iter().filter(|token| !is_around(token)).collect();
    rest.len() == text.len() && rest.iter().zip(text).all(|(token, text)| token.letters == text.letters)
}

/// Returns the index of the only element with the property, or `None` if there are none or several.
fn only<T>(things: &[T], holds: impl Fn(&T) -> bool) -> Option<usize> {
    let mut found = things.iter().enumerate().filter(|(_, thing)| holds(thing)).map(|(at, _)| at);
    found.next().filter(|_| found.next().is_none())
}

/// Returns the typed text without backticks and with single spaces, because learners do not repeat them.
fn bare(text: &str) -> String {
    text.replace('`', "").split_whitespace().collect::<Vec<_>>().join(" ")
}

/// Finds the option whose text occurs somewhere in the answer.
fn held(texts: &[Vec<Token>], tokens: &[Token]) -> Named {
    let holds = |whole: &[Token], part: &[Token]| {
        !part.is_empty() && whole.windows(part.len()).any(|window| is_same(window, part))
    };
    let held: Vec<&Vec<Token>> = texts.iter().filter(|text| holds(tokens, text)).collect();
    // "x" also occurs in "x + 1"; an answer with the longer option means the longer one.
    let is_inside = |text: &[Token]| held.iter().any(|other| other.len() > text.len() && holds(other, text));
    let mut meant = (0..texts.len()).filter(|at| holds(tokens, &texts[*at]) && !is_inside(&texts[*at]));
    match (meant.next(), meant.next()) {
        (None, _) => Named::None,
        (Some(at), None) => Named::One(at),
        _ => Named::Several,
    }
}

fn is_same(a: &[Token], b: &[Token]) -> bool {
    a.len() == b.len() && a.iter().zip(b).all(|(a, b)| a.letters == b.letters)
}

/// Returns the labels in an answer that consists of nothing else, or the one label that opens an answer and is
/// followed by a mark or a reason.
fn labels(entries: &[LabelledOption], tokens: &[Token], answer: &str) -> Vec<usize> {
    let position =
        |token: &Token| entries.iter().position(|entry| entry.label.eq_ignore_ascii_case(&token.letters));
    let rest: Vec<&Token> = tokens.iter().filter(|token| !is_around(token)).collect();
    if rest.iter().all(|token| position(token).is_some()) {
        let mut found: Vec<usize> = rest.into_iter().filter_map(position).collect();
        found.sort_unstable();
        found.dedup();
        return found;
    }
    let Some((first, after)) = tokens.split_first() else { return Vec::new() };
    let gives_reason = after.first().is_some_and(|token| List::Reasons.has(&token.letters));
    let is_marked = answer[first.at.end..].starts_with([')', '.', ':', ',', ';']);
    if gives_reason || is_marked { position(first).into_iter().collect() } else { Vec::new() }
}

fn is_around(token: &Token) -> bool {
    List::AroundLabel.has(&token.letters) || List::BeforeNumber.has(&token.letters)
}

/// Returns the index of the option that a number means. Options are counted from 1, as they are shown.
fn number(tokens: &[Token], count: usize) -> Option<usize> {
    let rest: Vec<&Token> = tokens.iter().filter(|token| !is_around(token)).collect();
    let [only] = rest.as_slice() else { return None };
    only.letters.parse::<usize>().ok().filter(|number| (1..=count).contains(number)).map(|number| number - 1)
}
