//! The pronunciation of English: a dictionary, and a small model for words that it lacks.

use super::dittli::{Phone, mark};
use crate::Trouble;
use base64::Engine;
use serde::{Deserialize, Deserializer};
use std::collections::HashMap;
use std::path::Path;

const MOST_PHONES: usize = 20;
const LETTERS: [&str; 26] = [
    "ay",
    "bee",
    "see",
    "dee",
    "ee",
    "ef",
    "jee",
    "aitch",
    "eye",
    "jay",
    "kay",
    "el",
    "em",
    "en",
    "oh",
    "pee",
    "cue",
    "ar",
    "ess",
    "tee",
    "you",
    "vee",
    "double you",
    "ex",
    "why",
    "zee",
];
const ONES: [&str; 20] = [
    "zero",
    "one",
    "two",
    "three",
    "four",
    "five",
    "six",
    "seven",
    "eight",
    "nine",
    "ten",
    "eleven",
    "twelve",
    "thirteen",
    "fourteen",
    "fifteen",
    "sixteen",
    "seventeen",
    "eighteen",
    "nineteen",
];
const TENS: [&str; 10] =
    ["", "", "twenty", "thirty", "forty", "fifty", "sixty", "seventy", "eighty", "ninety"];

#[derive(Debug)]
pub(super) struct English {
    dictionary: HashMap<Box<str>, Pronunciation>,
    guess: Guess,
}

/// The sounds of a word, in one string with spaces between them. That saves memory: the dictionary has 135,000 words.
#[derive(Debug)]
struct Pronunciation(Box<str>);

impl<'de> Deserialize<'de> for Pronunciation {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Pronunciation, D::Error> {
        let phones = Vec::<&str>::deserialize(from)?;
        Ok(Pronunciation(phones.join(" ").into()))
    }
}

impl Pronunciation {
    fn phones(&self) -> Vec<Phone> {
        self.0.split(' ').map(stressed).collect()
    }
}

impl English {
    pub(super) fn read(dictionary: &Path, model: &Path) -> Result<English, Trouble> {
        let failed = |error: &dyn std::fmt::Display| Trouble::engine("the pronunciation", error);
        let read = |path: &Path| std::fs::read(path).map_err(|error| failed(&error));
        Ok(English {
            dictionary: serde_json::from_slice(&read(dictionary)?).map_err(|error| failed(&error))?,
            guess: Guess::of(serde_json::from_slice(&read(model)?).map_err(|error| failed(&error))?)
                .ok_or_else(|| failed(&"its numbers cannot be read"))?,
        })
    }

    pub(super) fn phones(&self, text: &str) -> Vec<Phone> {
        written_out(text).split_whitespace().flat_map(|word| self.word(word)).collect()
    }

    /// Pronounces a word and the marks around it.
    fn word(&self, word: &str) -> Vec<Phone> {
        let is_letter = |c: char| c.is_ascii_alphanumeric();
        let core = word.trim_matches(|c| !is_letter(c));
        let Some(begin) = word.find(core).filter(|_| !core.is_empty()) else {
            return word.chars().filter_map(mark).collect();
        };
        let (before, after) = (&word[..begin], &word[begin + core.len()..]);
        let marks = |text: &str| text.chars().filter_map(mark).collect::<Vec<Phone>>();
        [marks(before), self.core(core), marks(after)].concat()
    }

    fn core(&self, word: &str) -> Vec<Phone> {
        if let Some(found) = self.found(word) {
            return found.phones();
        }
        let parts = word.split(|c: char| !c.is_ascii_alphanumeric()).filter(|part| !part.is_empty());
        parts.flat_map(|part| self.part(&part.to_lowercase())).collect()
    }

    fn found(&self, word: &str) -> Option<&Pronunciation> {
        self.dictionary.get(word.to_uppercase().as_str())
    }

    fn part(&self, part: &str) -> Vec<Phone> {
        match self.found(part) {
            Some(found) => found.phones(),
            None => self.guess.phones(part).iter().map(|phone| stressed(phone)).collect(),
        }
    }
}

/// Splits a phone of the dictionary: `AH1` is the sound `ah` with stress 2, because 0 stands for sounds without
/// stress.
fn stressed(phone: &str) -> Phone {
    let sound = phone.trim_end_matches(|c: char| c.is_ascii_digit());
    let stress = phone[sound.len()..].parse::<i64>().map_or(0, |stress| stress + 1);
    let sound = if sound == "V" { "V".to_owned() } else { sound.to_lowercase() };
    (sound, stress)
}

/// Writes out numbers in words, and runs of capitals letter by letter.
fn written_out(text: &str) -> String {
    let mut out = String::new();
    let mut rest = text;
    while let Some(first) = rest.chars().next() {
        let digits: String = rest.chars().take_while(char::is_ascii_digit).collect();
        let capitals: String = rest.chars().take_while(char::is_ascii_uppercase).collect();
        if !digits.is_empty() {
            out += &format!(" {} ", spoken(&digits));
            rest = &rest[digits.len()..];
            // 14:05 is a time, so its colon is not a pause.
            rest = rest
                .strip_prefix(':')
                .filter(|rest| rest.starts_with(|c: char| c.is_ascii_digit()))
                .unwrap_or(rest);
        } else if capitals.len() > 1 {
            let letter = |c: u8| LETTERS[usize::from(c - b'A')];
            out += &format!(" {} ", capitals.bytes().map(letter).collect::<Vec<_>>().join(" "));
            rest = &rest[capitals.len()..];
        } else {
            out.push(first);
            rest = &rest[first.len_utf8()..];
        }
    }
    out
}

/// Writes out a number. 03 is "oh three", as in 14:03.
fn spoken(digits: &str) -> String {
    match (digits.parse(), digits.as_bytes()) {
        (Ok(one @ 1..=9), [b'0', _]) => format!("oh {}", number(one)),
        (Ok(all), _) => number(all),
        (Err(_), _) => digits.to_owned(),
    }
}

fn number(number: u64) -> String {
    let below = |unit: u64, name: &str| {
        let rest = number % unit;
        let head = format!("{} {name}", self::number(number / unit));
        if rest == 0 { head } else { format!("{head} {}", self::number(rest)) }
    };
    match number {
        0..=19 => ONES[number as usize].to_owned(),
        20..=99 if number.is_multiple_of(10) => TENS[number as usize / 10].to_owned(),
        20..=99 => format!("{} {}", TENS[number as usize / 10], ONES[number as usize % 10]),
        100..=999 => below(100, "hundred"),
        1_000..=999_999 => below(1_000, "thousand"),
        1_000_000..=999_999_999 => below(1_000_000, "million"),
        _ => number
            .to_string()
            .bytes()
            .map(|digit| ONES[usize::from(digit - b'0')])
            .collect::<Vec<_>>()
            .join(" "),
    }
}

/// A recurrent network that reads a word letter by letter and pronounces it sound by sound.
#[derive(Debug)]
struct Guess {
    letters: HashMap<String, usize>,
    phones: Vec<String>,
    reads: Cell,
    says: Cell,
    choice: Matrix,
}

/// The file format of the network.
#[derive(Debug, Deserialize)]
struct Weights {
    graphemes: Vec<String>,
    phonemes: Vec<String>,
    enc_emb: Packed,
    enc_w_ih: Packed,
    enc_w_hh: Packed,
    enc_b_ih: Packed,
    enc_b_hh: Packed,
    dec_emb: Packed,
    dec_w_ih: Packed,
    dec_w_hh: Packed,
    dec_b_ih: Packed,
    dec_b_hh: Packed,
    fc_w: Packed,
    fc_b: Packed,
}

#[derive(Debug, Deserialize)]
struct Packed {
    shape: Vec<usize>,
    data: String,
}

impl Packed {
    fn numbers(&self) -> Option<Vec<f32>> {
        let bytes = base64::engine::general_purpose::STANDARD.decode(&self.data).ok()?;
        let number = |four: &[u8]| f32::from_le_bytes([four[0], four[1], four[2], four[3]]);
        Some(bytes.chunks_exact(4).map(number).collect())
    }
}

/// Rows of weights, each with its bias.
#[derive(Debug)]
struct Matrix {
    rows: Vec<Vec<f32>>,
    biases: Vec<f32>,
}

impl Matrix {
    fn of(weights: &Packed, biases: &Packed) -> Option<Matrix> {
        Some(Matrix { rows: rows(weights)?, biases: biases.numbers()? })
    }

    fn times(&self, input: &[f32]) -> Vec<f32> {
        let product = |row: &Vec<f32>| row.iter().zip(input).map(|(a, b)| a * b).sum::<f32>();
        self.rows.iter().zip(&self.biases).map(|(row, bias)| bias + product(row)).collect()
    }
}

fn rows(packed: &Packed) -> Option<Vec<Vec<f32>>> {
    let width = *packed.shape.get(1).filter(|width| **width > 0)?;
    Some(packed.numbers()?.chunks_exact(width).map(<[f32]>::to_vec).collect())
}

/// A gated recurrent unit with the embeddings of its inputs.
#[derive(Debug)]
struct Cell {
    meanings: Vec<Vec<f32>>,
    of_input: Matrix,
    of_state: Matrix,
}

impl Cell {
    fn step(&self, input: usize, state: &[f32]) -> Vec<f32> {
        let meaning = self.meanings.get(input).map(Vec::as_slice).unwrap_or_default();
        let (a, b) = (self.of_input.times(meaning), self.of_state.times(state));
        let width = state.len();
        let gate = |at: usize| 1.0 / (1.0 + (-(a[at] + b[at])).exp());
        let next = |at: usize| {
            let fresh = (a[2 * width + at] + gate(at) * b[2 * width + at]).tanh();
            let keep = gate(width + at);
            (1.0 - keep) * fresh + keep * state[at]
        };
        (0..width).map(next).collect()
    }
}

impl Guess {
    const UNKNOWN: usize = 1;
    const WORD_END: usize = 2;
    const BEGIN: usize = 2;
    const END: usize = 3;

    fn of(weights: Weights) -> Option<Guess> {
        let w = &weights;
        Some(Guess {
            letters: w.graphemes.iter().cloned().zip(0..).collect(),
            reads: Cell {
                meanings: rows(&w.enc_emb)?,
                of_input: Matrix::of(&w.enc_w_ih, &w.enc_b_ih)?,
                of_state: Matrix::of(&w.enc_w_hh, &w.enc_b_hh)?,
            },
            says: Cell {
                meanings: rows(&w.dec_emb)?,
                of_input: Matrix::of(&w.dec_w_ih, &w.dec_b_ih)?,
                of_state: Matrix::of(&w.dec_w_hh, &w.dec_b_hh)?,
            },
            choice: Matrix::of(&w.fc_w, &w.fc_b)?,
            phones: weights.phonemes,
        })
    }

    fn phones(&self, word: &str) -> Vec<String> {
        let letter = |c: char| self.letters.get(c.to_string().as_str()).copied().unwrap_or(Self::UNKNOWN);
        let width = self.reads.of_state.rows.first().map_or(0, Vec::len);
        let read = word.chars().map(letter).chain([Self::WORD_END]);
        let mut state = read.fold(vec![0.0; width], |state, letter| self.reads.step(letter, &state));
        let (mut last, mut phones) = (Self::BEGIN, Vec::new());
        while phones.len() < MOST_PHONES {
            state = self.says.step(last, &state);
            last = super::runtime::largest(&self.choice.times(&state));
            match self.phones.get(last) {
                Some(phone) if last != Self::END => phones.push(phone.clone()),
                _ => break,
            }
        }
        phones
    }
}
