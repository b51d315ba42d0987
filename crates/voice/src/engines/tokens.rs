//! The token lists of the two recognisers.

use crate::Trouble;
use std::borrow::Cow;
use std::collections::{BTreeMap, HashMap};
use std::path::Path;

/// Moonshine's tokens. In the file, each follows its length, which takes one or two bytes.
#[derive(Debug)]
pub(super) struct Pieces(Vec<Vec<u8>>);

impl Pieces {
    pub(super) fn read(path: &Path) -> Result<Pieces, Trouble> {
        let bytes = std::fs::read(path).map_err(|error| Trouble::engine("the token list", error))?;
        let (mut pieces, mut rest) = (Vec::new(), bytes.as_slice());
        while let [length, after @ ..] = rest {
            let (length, after) = match (usize::from(*length), after) {
                (length @ 128.., [more, after @ ..]) => (usize::from(*more) * 128 + length - 128, after),
                (length, after) => (length, after),
            };
            let Some((piece, after)) = after.split_at_checked(length) else { break };
            pieces.push(piece.to_vec());
            rest = after;
        }
        Ok(Pieces(pieces))
    }

    pub(super) fn text(&self, tokens: &[usize]) -> String {
        let bytes: Vec<u8> =
            tokens.iter().filter_map(|token| self.0.get(*token)).flatten().copied().collect();
        String::from_utf8_lossy(&bytes).replace('▁', " ").trim().to_owned()
    }
}

/// Whisper's byte pairs, numbered in the order in which they are merged.
#[derive(Debug)]
pub(super) struct BytePairs {
    /// All texts in a row, ordered by number, and the place where each begins.
    texts: String,
    begins: Vec<u32>,
    /// The numbers, in the order of their texts.
    sorted: Vec<u32>,
    letters: HashMap<u8, char>,
    bytes: HashMap<char, u8>,
}

impl BytePairs {
    pub(super) fn read(vocabulary: &Path) -> Result<BytePairs, Trouble> {
        let failed = |error: &dyn std::fmt::Display| Trouble::engine("the token list", error);
        let source = std::fs::read_to_string(vocabulary).map_err(|error| failed(&error))?;
        let ids: BTreeMap<Cow<'_, str>, u32> =
            serde_json::from_str(&source).map_err(|error| failed(&error))?;
        let mut in_order: Vec<(u32, &str)> = ids.iter().map(|(text, id)| (*id, &**text)).collect();
        in_order.sort_unstable();
        if in_order.iter().zip(0..).any(|((id, _), at)| *id != at) {
            return Err(failed(&"a number is missing"));
        }
        let (mut texts, mut begins) = (String::with_capacity(source.len()), Vec::new());
        for (_, text) in in_order {
            begins.push(texts.len() as u32);
            texts.push_str(text);
        }
        begins.push(texts.len() as u32);
        texts.shrink_to_fit();
        let letters = letters();
        Ok(BytePairs {
            texts,
            begins,
            sorted: ids.into_values().collect(),
            bytes: letters.iter().map(|(byte, letter)| (*letter, *byte)).collect(),
            letters,
        })
    }

    fn get(&self, id: usize) -> Option<&str> {
        let [begin, end] = [self.begins.get(id)?, self.begins.get(id + 1)?];
        self.texts.get(*begin as usize..*end as usize)
    }

    fn id(&self, text: &str) -> Option<u32> {
        let found = self.sorted.binary_search_by_key(&Some(text), |id| self.get(*id as usize));
        found.ok().map(|at| self.sorted[at])
    }

    /// Returns the words of tokens. Special tokens have none.
    pub(super) fn text(&self, tokens: &[usize]) -> String {
        let texts = tokens.iter().filter_map(|token| self.get(*token));
        let bytes: Vec<u8> =
            texts.flat_map(|text| text.chars()).filter_map(|c| self.bytes.get(&c).copied()).collect();
        String::from_utf8_lossy(&bytes).trim().to_owned()
    }

    /// Returns the tokens of a text that follows a space, as all speech does.
    pub(super) fn tokens(&self, text: &str) -> Vec<usize> {
        text.split_whitespace().flat_map(pieces).flat_map(|piece| self.merged(&piece)).collect()
    }

    fn merged(&self, piece: &str) -> Vec<usize> {
        let mut parts: Vec<String> =
            piece.bytes().filter_map(|byte| self.letters.get(&byte)).map(char::to_string).collect();
        let merged = |pair: &[String]| self.id(&pair.concat());
        while let Some((_, at)) =
            parts.windows(2).enumerate().filter_map(|(at, pair)| Some((merged(pair)?, at))).min()
        {
            let second = parts.remove(at + 1);
            parts[at].push_str(&second);
        }
        parts.iter().filter_map(|part| self.id(part)).map(|id| id as usize).collect()
    }
}

/// Splits a word into its pieces: the word with the space before it, and separately the marks around it.
fn pieces(word: &str) -> Vec<String> {
    let mut pieces = vec![" ".to_owned()];
    let mut was_letter = None;
    for c in word.chars() {
        let is_letter = c.is_alphanumeric();
        if was_letter.is_some_and(|was| was != is_letter) {
            pieces.push(String::new());
        }
        if let Some(last) = pieces.last_mut() {
            last.push(c);
        }
        was_letter = Some(is_letter);
    }
    pieces
}

/// Maps every byte to a visible letter. Printable bytes stand for themselves; the others get the code points
/// from 256 on.
fn letters() -> HashMap<u8, char> {
    let is_printable = |byte: &u8| matches!(byte, b'!'..=b'~' | 0xA1..=0xAC | 0xAE..=0xFF);
    let mut next = 256;
    let letter = |byte: u8| {
        if is_printable(&byte) {
            return (byte, char::from(byte));
        }
        next += 1;
        (byte, char::from_u32(next - 1).unwrap_or(' '))
    };
    (0..=255).map(letter).collect()
}
