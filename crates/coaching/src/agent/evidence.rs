//! Finds the evidence that a claim gives: counts, commits, links, files, measurements.

use super::spans::{CODE_SPAN, Span};
use super::tokens::{Token, is_number};

/// The concrete things in a clause or in a whole message.
#[derive(Debug, Clone, Default)]
pub(super) struct Evidence {
    /// Results that a machine reported or a human can look up: a count of passed tests, a commit, a link, a pull
    /// request.
    pub proofs: Vec<String>,
    /// Files, measurements and names in code spans. They say where to look, not that it works.
    pub details: usize,
    /// The largest number of failed checks.
    pub failed: u32,
    /// Whether it reports some of a number of things: "3 of 7".
    pub part_of_whole: bool,
}

/// The maximum length of a piece. A longer one is not a commit, path or link that a person would read.
const MAX_PIECE_BYTES: usize = 300;

const EXTENSIONS: &str = "bat c cc cfg conf cpp cs css csv dart env ex exs go gradle h hpp html ini ipynb java jl js json jsx \
     kt lock lua md mjs php prisma proto ps1 py r rb rs scala scss sh sql svelte swift tf toml ts tsx txt \
     vue xml yaml yml zig";

const PASSED: &str = "passed passing pass green bestanden grun superadas correctas pasan reussis passent passaram passano \
     succeeded successful ok";
const FAILED: &str = "failed failing fail failures failure errors red fehlgeschlagen fallidas fallan echec echecs errores \
     erreurs erros falharam";
const CHECKS: &str = "tests test examples specs spec assertions checks unit new integration e2e existing type lint other \
     pruebas prufungen testes total all are still have of alle sind";
const UNITS: &str =
    "ms s sec seconds min minutes kb mb gb fps percent times x rows files lines queries violations";

/// Finds commits, links and paths in the text of the clause, and counted results in its tokens.
pub(super) fn find(clause: &str, tokens: &[Token]) -> Evidence {
    let mut evidence = Evidence::default();
    for piece in pieces(clause) {
        read_piece(piece, &mut evidence);
    }
    for at in 0..tokens.len() {
        read_number(tokens, at, &mut evidence);
    }
    evidence.details += tokens.iter().filter(|token| token.letters == CODE_SPAN).count();
    evidence
}

/// Returns the links, commits and file names of a clause, each of which counts as one word.
pub(super) fn named_things(clause: &str) -> Vec<Span> {
    let named = pieces(clause).filter_map(|piece| {
        let stands_for = match piece {
            _ if piece.len() > MAX_PIECE_BYTES => return None,
            _ if is_link(piece) => "<link>",
            _ if is_commit(piece) => "<commit>",
            _ if is_path(piece) => "<path>",
            _ => return None,
        };
        let start = piece.as_ptr() as usize - clause.as_ptr() as usize;
        Some(Span { range: start..start + piece.len(), stands_for })
    });
    named.collect()
}

/// Splits a clause at spaces, quotation marks and brackets, and drops trailing punctuation.
fn pieces(clause: &str) -> impl Iterator<Item = &str> {
    clause
        .split(|c: char| c.is_whitespace() || "`\"'()[]{}<>,;*→=".contains(c))
        .map(|piece| piece.trim_end_matches(|c: char| !c.is_alphanumeric() && c != '/'))
        .filter(|piece| !piece.is_empty())
}

fn read_piece(piece: &str, evidence: &mut Evidence) {
    if piece.len() > MAX_PIECE_BYTES {
        return;
    }
    let is_request = piece.strip_prefix('#').is_some_and(|digits| !digits.is_empty() && is_number(digits));
    if is_link(piece) || is_request || is_commit(piece) {
        evidence.proofs.push(piece.to_owned());
    } else if is_path(piece) {
        evidence.details += 1;
    }
}

fn is_link(piece: &str) -> bool {
    piece.starts_with("https://") || piece.starts_with("http://")
}

/// Whether a piece is a commit: seven to forty hexadecimal digits, some of them letters and some not.
fn is_commit(piece: &str) -> bool {
    let is_lower_hex = |byte: u8| matches!(byte, b'0'..=b'9' | b'a'..=b'f');
    (7..=40).contains(&piece.len())
        && piece.bytes().all(is_lower_hex)
        && piece.bytes().any(|byte| byte.is_ascii_digit())
        && piece.bytes().any(|byte| byte.is_ascii_alphabetic())
}

/// Whether a piece is a name with the ending of a source file, with or without a line number.
fn is_path(piece: &str) -> bool {
    let name = piece.split_once(':').map_or(piece, |(name, _)| name);
    let Some((stem, ending)) = name.rsplit_once('.') else { return false };
    let known = has(EXTENSIONS, &ending.to_ascii_lowercase());
    known && stem.chars().last().is_none_or(|c| c.is_alphanumeric() || c == '/' || c == '_' || c == '*')
}

fn has(words: &str, word: &str) -> bool {
    words.split(' ').any(|known| known == word)
}

impl Evidence {
    pub(super) fn add(&mut self, other: Evidence) {
        self.proofs.extend(other.proofs);
        self.details += other.details;
        self.failed = self.failed.max(other.failed);
        self.part_of_whole |= other.part_of_whole;
    }
}

fn read_number(tokens: &[Token], at: usize, evidence: &mut Evidence) {
    let Ok(count) = tokens[at].letters.parse::<u32>() else { return };
    let letters = |ahead: usize| tokens.get(at + ahead).map_or("", |token| token.letters);
    // "12 new tests all pass": a few words may come between the count and the result.
    let result = (1..=4).map(letters).find(|word| !has(CHECKS, word)).unwrap_or_default();
    if has(PASSED, result) && count > 0 {
        evidence.proofs.push(format!("{count} {result}"));
    } else if has(FAILED, result) {
        match count {
            0 => evidence.proofs.push(format!("0 {result}")),
            _ => evidence.failed = evidence.failed.max(count),
        }
    } else if has(UNITS, letters(1)) {
        evidence.details += 1;
    }
    let before = at.checked_sub(1).map_or("", |before| tokens[before].letters);
    if count == 0 && matches!(before, "exit" | "code" | "status") {
        evidence.proofs.push(format!("{before} 0"));
    }
    if matches!(letters(1), "of" | "von" | "de" | "sur" | "out") {
        let whole = (2..=3).find_map(|ahead| letters(ahead).parse::<u32>().ok());
        evidence.part_of_whole |= whole.is_some_and(|whole| count < whole);
    }
}
