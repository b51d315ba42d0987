//! Reads how a running time grows from what people write: `O(n log n)`, "linear in the number of days", "rows times
//! columns".
//!
//! The names of sizes do not matter, only how they are combined: `O(jobs + rules)` is `O(n + m)`.

use crate::text::Words;

/// A growth with its sizes renamed in the order they appear.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Growth(Vec<Token>);

#[derive(Debug, Clone, PartialEq, Eq)]
enum Token {
    /// A size, by the order of its first appearance.
    Size(usize),
    Number(String),
    Sign(char),
    Log,
}

/// Words for a growth in one size, as a formula.
const NAMED: [(&str, &str); 8] = [
    ("constant", "1"),
    ("logarithmic", "log n"),
    ("linear", "n"),
    ("linearithmic", "n log n"),
    ("quadratic", "n^2"),
    ("cubic", "n^3"),
    ("factorial", "n!"),
    ("squared", "n^2"),
];
/// Words that stand for a sign.
const SPOKEN: [(&str, char); 4] = [("times", '*'), ("x", '*'), ("plus", '+'), ("by", '*')];
/// Words before a bare formula that say nothing about it.
const BEFORE: [&str; 16] = [
    "about",
    "roughly",
    "it",
    "its",
    "is",
    "the",
    "time",
    "takes",
    "runs",
    "in",
    "worst",
    "case",
    "should",
    "be",
    "complexity",
    "so",
];
/// Words that make a growth less than it seems: "nearly linear" is not linear.
const HEDGES: [&str; 4] = ["nearly", "almost", "sub", "pseudo"];

/// Returns the growth that a learner names first, or the one that they call the time.
pub(super) fn said(text: &str) -> Option<Growth> {
    let text = text.to_lowercase();
    let formulas = formulas(&text);
    let timed = formulas.iter().find(|(_, after)| after.trim_start().starts_with("time"));
    match timed.or(formulas.first()) {
        Some((formula, _)) => Growth::read(formula),
        None => bare(&text).or_else(|| named(&text)),
    }
}

/// Returns the growth that an author wrote, if it is a formula.
pub(super) fn known(text: &str) -> Option<Growth> {
    Growth::read(formulas(&text.to_lowercase()).first()?.0)
}

/// Returns the inside of every `O(…)`, each with the text after it.
fn formulas(text: &str) -> Vec<(&str, &str)> {
    let mut found = Vec::new();
    let mut rest = text;
    while let Some(at) = rest.find("o(") {
        let is_own_word = !rest[..at].ends_with(char::is_alphanumeric);
        let inside = &rest[at + 2..];
        let Some(end) = closing(inside) else { break };
        if is_own_word {
            found.push((&inside[..end], &inside[end + 1..]));
        }
        rest = &inside[end + 1..];
    }
    found
}

/// Returns the place of the bracket that closes one opened before the text.
fn closing(text: &str) -> Option<usize> {
    let mut depth = 0;
    for (at, c) in text.char_indices() {
        match c {
            '(' => depth += 1,
            ')' if depth == 0 => return Some(at),
            ')' => depth -= 1,
            _ => {}
        }
    }
    None
}

/// Reads a growth that is named by a word: "linear", "quadratic" and the like.
fn named(text: &str) -> Option<Growth> {
    let words = Words::new(text);
    let words: Vec<&str> = words.iter().map(|(_, word)| word).collect();
    let at = words.iter().position(|word| NAMED.iter().any(|(name, _)| name == word))?;
    let is_hedged = at > 0 && HEDGES.contains(&words[at - 1]);
    let formula = NAMED.iter().find(|(name, _)| *name == words[at])?.1;
    (!is_hedged).then(|| Growth::read(formula)).flatten()
}

/// Reads a formula without its O: `n log n because of the sort`.
fn bare(text: &str) -> Option<Growth> {
    let mut text = text.trim();
    while let Some(word) =
        text.split(|c: char| !c.is_alphanumeric()).next().filter(|word| BEFORE.contains(word))
    {
        text = text[word.len()..].trim_start();
    }
    // A word after a word ends the formula, and so does every other mark.
    let mut kept = Vec::new();
    for piece in pieces(text) {
        let is_name = piece.chars().all(|c| c.is_alphanumeric()) && !is_spoken_sign(piece);
        let follows_name = kept.last().is_some_and(|last: &&str| is_long(last) || *last == "!");
        if !is_name && !is_sign(piece) && !is_spoken_sign(piece)
            || is_name && (follows_name || is_long(piece) && ends_name(&kept))
        {
            break;
        }
        kept.push(piece);
    }
    // A single letter is a size, unless it is a word.
    let is_size = |piece: &&str| piece.chars().count() == 1 && !matches!(*piece, "a" | "i");
    let is_formula = kept.len() > 1 || kept.first().is_some_and(is_size);
    is_formula.then(|| Growth::read(&kept.join(" "))).flatten()
}

fn is_long(piece: &str) -> bool {
    piece.chars().count() > 2
        && piece.chars().all(char::is_alphabetic)
        && piece != "log"
        && !is_spoken_sign(piece)
}

/// Whether the last piece is a size or a number, so that a word after it is prose.
fn ends_name(kept: &[&str]) -> bool {
    kept.last().is_some_and(|last| last.chars().all(char::is_alphanumeric) && !is_spoken_sign(last))
}

fn is_sign(piece: &str) -> bool {
    matches!(piece, "+" | "*" | "·" | "×" | "^" | "!" | "(" | ")" | "²" | "³")
}

fn is_spoken_sign(piece: &str) -> bool {
    SPOKEN.iter().any(|(word, _)| *word == piece)
}

/// Splits a text into runs of letters, runs of digits, and every other character by itself.
fn pieces(text: &str) -> Vec<&str> {
    let class = |c: char| if c.is_alphabetic() { 1 } else { 2 * u8::from(c.is_ascii_digit()) };
    let mut pieces = Vec::new();
    let mut from = 0;
    let mut chars = text.char_indices().peekable();
    while let Some((at, c)) = chars.next() {
        let end = at + c.len_utf8();
        let goes_on = chars.peek().is_some_and(|(_, next)| class(*next) == class(c) && class(c) != 0);
        if !goes_on {
            if !c.is_whitespace() {
                pieces.push(&text[from..end]);
            }
            from = end;
        }
    }
    pieces
}

impl Growth {
    fn read(formula: &str) -> Option<Growth> {
        let formula = formula.replace("log", " log ");
        let mut sizes: Vec<String> = Vec::new();
        let mut tokens: Vec<Token> = Vec::new();
        for piece in pieces(&formula) {
            let spoken = SPOKEN.iter().find(|(word, _)| *word == piece).map(|(_, sign)| *sign);
            match piece {
                "log" | "ln" | "lg" => push_factor(&mut tokens, Token::Log),
                "²" => tokens.extend([Token::Sign('^'), Token::Number("2".to_owned())]),
                "³" => tokens.extend([Token::Sign('^'), Token::Number("3".to_owned())]),
                "·" | "×" => tokens.push(Token::Sign('*')),
                _ if spoken.is_some() => tokens.extend(spoken.map(Token::Sign)),
                _ if piece.starts_with(|c: char| c.is_ascii_digit()) => {
                    push_factor(&mut tokens, Token::Number(piece.to_owned()));
                }
                _ if piece.starts_with(char::is_alphabetic) => {
                    // `nm` is a product of two sizes, `rows` is one.
                    let names: Vec<String> = match piece.chars().count() {
                        2 => piece.chars().map(String::from).collect(),
                        _ => vec![piece.to_owned()],
                    };
                    for name in names {
                        let known = sizes.iter().position(|size| *size == name);
                        let size = known.unwrap_or_else(|| {
                            sizes.push(name);
                            sizes.len() - 1
                        });
                        push_factor(&mut tokens, Token::Size(size));
                    }
                }
                _ => tokens.extend(piece.chars().map(Token::Sign)),
            }
        }
        (!tokens.is_empty()).then_some(Growth(tokens))
    }
}

/// Adds a factor, with a sign of multiplication if it directly follows another factor.
fn push_factor(tokens: &mut Vec<Token>, factor: Token) {
    if matches!(tokens.last(), Some(Token::Size(_) | Token::Number(_) | Token::Sign(')' | '!'))) {
        tokens.push(Token::Sign('*'));
    }
    tokens.push(factor);
}

#[cfg(test)]
mod tests {
    use super::{known, said};

    #[test]
    fn what_people_write_is_the_growth_it_means() {
        for (text, formula) in [
            ("O(n): each house gets pushed once", "O(n)"),
            ("linear, two traversals over n cabins", "O(n)"),
            ("n log n for sorting the 2n events, the sweep is linear then", "O(n log n)"),
            ("O(n log n) because of the sort", "O(n log n)"),
            ("rows times columns, each square once", "O(rows * columns)"),
            ("O(jobs + rules), each once", "O(n + m)"),
            ("O(nm)", "O(n * m)"),
            ("o( n² )", "O(n^2)"),
            ("about n! in the worst case", "O(n!)"),
            ("O(1) space and O(n) time", "O(n)"),
            ("it is O(steps)", "O(n)"),
            ("n*m since all pairs are compared", "O(n m)"),
        ] {
            let (said, known) = (said(text), known(formula));
            assert!(known.is_some() && said == known, "{text}: {said:?}");
        }
    }

    #[test]
    fn another_growth_is_another() {
        for (text, formula) in [
            ("O(n^2), because there is a loop in a loop", "O(n)"),
            ("O(n * length)", "O(n)"),
            ("O(rows + columns)", "O(rows * columns)"),
            ("nearly linear", "O(n)"),
            ("O(n log n), much better than O(n)", "O(n)"),
            ("no idea", "O(n)"),
            ("", "O(n)"),
            ("a loop", "O(n)"),
        ] {
            assert_ne!(said(text), known(formula), "{text}");
        }
    }
}
