//! A phrase cut into the pieces in which it is said slowly.
//!
//! Words are parted by pauses. A word is parted near its syllables where the script writes vowels, and into
//! the words of the dictionary where the script writes no spaces. Nothing is lost: without the marks the
//! pieces are the phrase.

use crate::text::Words;
use unicode_normalization::char::decompose_canonical;

/// Between words.
pub(super) const PAUSE: &str = " … ";
/// Inside a word.
pub(super) const SEAM: &str = "·";

pub(super) fn slowly(phrase: &str) -> String {
    phrase.split_whitespace().map(in_pieces).collect::<Vec<_>>().join(PAUSE)
}

fn in_pieces(word: &str) -> String {
    let segments: Vec<&str> = Words::new(word).iter().map(|(segment, _)| segment).collect();
    if segments.len() > 1 { segments.join(PAUSE) } else { syllables(word).join(SEAM) }
}

/// Cuts before the last consonant between two vowels, or before the last two when they begin a syllable
/// together. Real hyphenation needs a dictionary per language; for a learner's ear this is near enough.
fn syllables(word: &str) -> Vec<&str> {
    let letters: Vec<(usize, Sound)> = sounds(word);
    let mut pieces = Vec::new();
    let mut start = 0;
    let mut last_vowel: Option<usize> = None;
    for (at, (_, sound)) in letters.iter().enumerate() {
        if *sound != Sound::Vowel {
            continue;
        }
        if let Some(before) = last_vowel.filter(|before| at - before > 1) {
            let cut = letters[onset(&letters[before + 1..at]) + before + 1].0;
            pieces.push(&word[start..cut]);
            start = cut;
        }
        last_vowel = Some(at);
    }
    pieces.push(&word[start..]);
    pieces
}

#[derive(Debug, Clone, Copy, PartialEq)]
enum Sound {
    Vowel,
    Other(char),
}

fn sounds(word: &str) -> Vec<(usize, Sound)> {
    let mut before = ' ';
    let mut sounds = Vec::new();
    for (at, c) in word.char_indices() {
        let letter = base(c);
        let is_vowel = VOWELS.contains(letter) && !(letter == 'u' && before == 'q');
        sounds.push((at, if is_vowel { Sound::Vowel } else { Sound::Other(letter) }));
        before = letter;
    }
    sounds
}

const VOWELS: &str = "aeiouyæøœıαεηιουωаеёиоуыэюяіїє";

fn base(c: char) -> char {
    let mut first = None;
    decompose_canonical(c, |part| {
        first.get_or_insert(part);
    });
    first.unwrap_or(c).to_lowercase().next().unwrap_or(c)
}

/// Where the next syllable begins in the consonants between two vowels.
fn onset(consonants: &[(usize, Sound)]) -> usize {
    let last = consonants.len() - 1;
    match consonants {
        [.., (_, Sound::Other(a)), (_, Sound::Other(b))] if begins_together(*a, *b) => last - 1,
        _ => last,
    }
}

fn begins_together(a: char, b: char) -> bool {
    let glides = "bcdfgkptv".contains(a) && "lr".contains(b);
    glides || (a == 'q' && b == 'u') || ("cstp".contains(a) && b == 'h')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn phrases_come_in_pieces() {
        let check = |phrase: &str, expected: &str| assert_eq!(slowly(phrase), expected);
        check("Hallo", "Hal·lo");
        check("ja", "ja");
        check("Wie viel kostet das?", "Wie … viel … kos·tet … das?");
        check("Živjo, čaj!", "Živ·jo, … čaj!");
        check("izquierda", "iz·quier·da");
        check("por la mañana", "por … la … ma·ña·na");
        check("Entschuldigung", "Ents·chul·di·gung");
        check("спасибо", "спа·си·бо");
        check("שלום", "שלום");
        check("", "");
        check("???", "???");
    }

    #[test]
    fn a_script_without_spaces_is_cut_at_its_words() {
        let slow = slowly("我想喝咖啡");
        assert!(slow.contains(PAUSE), "{slow}");
        assert_eq!(slow.replace(PAUSE, ""), "我想喝咖啡");
    }
}
