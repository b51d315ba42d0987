//! The pronunciation of German: rules from the voice's package, tried from the longest spelling to the shortest.

use super::dittli::{Phone, mark};
use crate::Trouble;
use serde::Deserialize;
use std::collections::HashMap;
use std::path::Path;

const ONES: [&str; 20] = [
    "null",
    "eins",
    "zwei",
    "drei",
    "vier",
    "fünf",
    "sechs",
    "sieben",
    "acht",
    "neun",
    "zehn",
    "elf",
    "zwölf",
    "dreizehn",
    "vierzehn",
    "fünfzehn",
    "sechzehn",
    "siebzehn",
    "achtzehn",
    "neunzehn",
];
const TENS: [&str; 10] =
    ["", "", "zwanzig", "dreißig", "vierzig", "fünfzig", "sechzig", "siebzig", "achtzig", "neunzig"];
const LETTERS: [&str; 26] = [
    "a", "be", "ze", "de", "e", "ef", "ge", "ha", "i", "jot", "ka", "el", "em", "en", "o", "pe", "ku", "er",
    "es", "te", "u", "vau", "we", "iks", "ypsilon", "zet",
];

#[derive(Debug, Deserialize)]
pub(super) struct German {
    exceptions: HashMap<String, Vec<String>>,
    rules: Vec<(String, Action)>,
    prefixes: Vec<String>,
    loanword_v_fragments: Vec<String>,
    back_vowels: String,
    all_vowels: String,
}

/// The sounds of a spelling, or the name of a rule that depends on the neighbouring letters.
#[derive(Debug, Deserialize)]
#[serde(untagged)]
enum Action {
    Sounds(Vec<String>),
    Depends { callback: String },
}

impl German {
    pub(super) fn read(path: &Path) -> Result<German, Trouble> {
        let failed = |error: &dyn std::fmt::Display| Trouble::engine("the pronunciation", error);
        let source = std::fs::read(path).map_err(|error| failed(&error))?;
        serde_json::from_slice(&source).map_err(|error| failed(&error))
    }

    pub(super) fn phones(&self, text: &str) -> Vec<Phone> {
        written_out(text).split_whitespace().flat_map(|word| self.word(word)).collect()
    }

    /// Pronounces a word and the marks around it.
    fn word(&self, word: &str) -> Vec<Phone> {
        let core = word.trim_matches(|c: char| !c.is_alphanumeric());
        let Some(begin) = word.find(core).filter(|_| !core.is_empty()) else {
            return word.chars().filter_map(mark).collect();
        };
        let (before, after) = (&word[..begin], &word[begin + core.len()..]);
        let marks = |text: &str| text.chars().filter_map(mark).collect::<Vec<Phone>>();
        let lower = core.to_lowercase();
        let sounds = self.exceptions.get(&lower).cloned().unwrap_or_else(|| self.by_rules(&lower));
        // The voice writes the sound of w as a capital letter.
        let sound = |sound: String| (if sound == "v" { "V".to_owned() } else { sound }, 0);
        [marks(before), sounds.into_iter().map(sound).collect(), marks(after)].concat()
    }

    fn by_rules(&self, word: &str) -> Vec<String> {
        let letters: Vec<char> = word.chars().collect();
        let (mut sounds, mut at) = (Vec::new(), 0);
        while at < letters.len() {
            let rest: String = letters[at..].iter().collect();
            let Some((spelling, action)) =
                self.rules.iter().find(|(spelling, _)| rest.starts_with(spelling.as_str()))
            else {
                at += 1;
                continue;
            };
            match action {
                Action::Sounds(said) => sounds.extend(said.iter().cloned()),
                Action::Depends { callback } => sounds.extend(self.depending(callback, &letters, at)),
            }
            at += spelling.chars().count();
        }
        sounds
    }

    /// Returns the sounds of a spelling that depends on the letters around it.
    fn depending(&self, rule: &str, word: &[char], at: usize) -> Vec<String> {
        let is_vowel = |at: usize| word.get(at).is_some_and(|c| self.all_vowels.contains(*c));
        let before = at.checked_sub(1);
        let is_after_back_vowel = before.is_some_and(|at| self.back_vowels.contains(word[at]));
        let said: &[&str] = match rule {
            "ch" if at == 0 => &["k"],
            "ch" if is_after_back_vowel => &["x"],
            "ch" => &["ç"],
            "chs" if at + 3 == word.len() || word.get(at + 3) == Some(&'t') => &["k", "s"],
            "chs" if is_after_back_vowel => &["x", "s"],
            "chs" => &["ç", "s"],
            "st" if self.begins_a_part(word, at) => &["ʃ", "t"],
            "st" => &["s", "t"],
            "sp" if self.begins_a_part(word, at) => &["ʃ", "p"],
            "sp" => &["s", "p"],
            "r" if at + 1 == word.len() && before.is_some_and(is_vowel) => &["ɐ"],
            "r" => &["ʁ"],
            "s" if is_vowel(at + 1) && before.is_none_or(is_vowel) => &["z"],
            "s" => &["s"],
            "v" if self.is_loanword(word) => &["v"],
            "v" => &["f"],
            _ => &[],
        };
        said.iter().map(|sound| (*sound).to_owned()).collect()
    }

    /// Whether the word begins here, or the part after its prefix.
    fn begins_a_part(&self, word: &[char], at: usize) -> bool {
        let before: String = word[..at].iter().collect();
        at == 0 || self.prefixes.contains(&before)
    }

    fn is_loanword(&self, word: &[char]) -> bool {
        let word: String = word.iter().collect();
        self.loanword_v_fragments.iter().any(|fragment| word.contains(fragment.as_str()))
    }
}

/// Writes out numbers in words, times by the clock, and runs of capitals letter by letter.
fn written_out(text: &str) -> String {
    let mut out = String::new();
    let mut rest = text;
    while let Some(first) = rest.chars().next() {
        let digits: String = rest.chars().take_while(char::is_ascii_digit).collect();
        let capitals: String = rest.chars().take_while(char::is_ascii_uppercase).collect();
        if !digits.is_empty() {
            out += &format!(" {} ", digits.parse().map_or_else(|_| digits.clone(), number));
            rest = &rest[digits.len()..];
            if let Some(minutes) =
                rest.strip_prefix(':').filter(|rest| rest.starts_with(|c: char| c.is_ascii_digit()))
            {
                let length = minutes.chars().take_while(char::is_ascii_digit).count();
                let spoken: u64 = minutes[..length].parse().unwrap_or(0);
                out += &format!(" Uhr {} ", if spoken == 0 { String::new() } else { number(spoken) });
                rest = minutes[length..].trim_start();
                rest = rest.strip_prefix("Uhr").unwrap_or(rest);
            }
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

fn number(number: u64) -> String {
    let one = |number: u64| if number == 1 { "ein".to_owned() } else { self::number(number) };
    let rest = |rest: u64| if rest == 0 { String::new() } else { self::number(rest) };
    match number {
        0..=19 => ONES[number as usize].to_owned(),
        20..=99 if number.is_multiple_of(10) => TENS[number as usize / 10].to_owned(),
        20..=99 => format!("{}und{}", one(number % 10), TENS[number as usize / 10]),
        100..=999 => format!("{}hundert{}", one(number / 100), rest(number % 100)),
        1_000..=999_999 => format!("{}tausend{}", one(number / 1_000), rest(number % 1_000)),
        _ => number
            .to_string()
            .bytes()
            .map(|digit| ONES[usize::from(digit - b'0')])
            .collect::<Vec<_>>()
            .join(" "),
    }
}
