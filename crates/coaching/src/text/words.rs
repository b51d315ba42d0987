//! Text as folded whole words.

use std::borrow::Cow;
use std::ops::Range;
use std::sync::LazyLock;

use icu_segmenter::options::WordBreakInvariantOptions;
use icu_segmenter::{WordSegmenter, WordSegmenterBorrowed};

use super::articles::is_article;
use super::edits::tolerance;
use super::fold::{Class, class, composed, fold_word, is_mark};
use super::phrase::Phrase;

/// The bytes after which a text is cut. The cost of reading text is linear, so this bounds time as well as memory.
pub const MAX_TEXT_BYTES: usize = 1 << 20;

/// The number of letters without spaces from which they may be found across the cuts of the dictionary.
const MIN_CROSSING_LETTERS: usize = 3;

/// The words of a text, folded once and compared often.
///
/// A script with spaces gives one *atom* per word. A script without spaces (Chinese, Japanese, Thai, …) gives
/// one atom per letter, and a dictionary marks which atoms open and close a word: two texts then agree on
/// their letters even where the dictionary cuts them differently.
#[derive(Debug, Clone)]
pub struct Words<'t> {
    text: &'t str,
    letters: String,
    atoms: Vec<Atom>,
}

#[derive(Debug, Clone)]
struct Atom {
    letters: Range<u32>,
    source: Range<u32>,
    spaced: bool,
    opens: bool,
    closes: bool,
}

impl<'t> Words<'t> {
    pub fn new(text: &'t str) -> Words<'t> {
        let text = &text[..text.floor_char_boundary(MAX_TEXT_BYTES)];
        let mut words = Words {
            text,
            letters: String::with_capacity(text.len()),
            atoms: Vec::with_capacity(text.len() / 4 + 1),
        };
        for_each_run(
            text,
            |run, spaced| if spaced { words.push_word(run) } else { words.push_unspaced(run) },
        );
        words
    }

    /// Whether there is no word at all: only silence, punctuation or emoji.
    pub fn is_empty(&self) -> bool {
        self.atoms.is_empty()
    }

    /// Whether the phrase occurs somewhere, as whole words in order with nothing between them.
    pub fn contains(&self, phrase: &Phrase) -> bool {
        (0..self.len()).any(|at| self.run(phrase.words(), at).is_some())
    }

    /// Returns where the phrase ends if it begins at `at`.
    pub(crate) fn starts_with(&self, phrase: &Phrase, at: usize) -> Option<usize> {
        self.run(phrase.words(), at)
    }

    /// Iterates over the words as they were written, each with its folded form.
    pub fn iter(&self) -> impl Iterator<Item = (&'t str, &str)> {
        self.atoms.iter().enumerate().filter(|(_, atom)| atom.opens).map(|(at, _)| {
            let end = self.word_end(at);
            (self.source(at..end), self.letters(at..end))
        })
    }

    /// Returns all letters in one piece.
    pub(super) fn joined(self) -> String {
        self.letters
    }

    pub(crate) fn len(&self) -> usize {
        self.atoms.len()
    }

    pub(super) fn is_spaced(&self, at: usize) -> bool {
        self.atoms[at].spaced
    }

    pub(super) fn opens(&self, at: usize) -> bool {
        self.atoms[at].opens
    }

    pub(super) fn closes(&self, at: usize) -> bool {
        self.atoms[at].closes
    }

    /// Returns the position after the word that begins at `at`.
    pub(crate) fn word_end(&self, at: usize) -> usize {
        at + 1 + self.atoms[at..].iter().take_while(|atom| !atom.closes).count()
    }

    /// Whether a stretch of letters without spaces between words begins at `at`.
    pub(super) fn opens_stretch(&self, at: usize) -> bool {
        !self.is_spaced(at) && (at == 0 || self.is_spaced(at - 1))
    }

    /// Returns the position after the stretch of letters without spaces that begins at `at`.
    pub(super) fn stretch_end(&self, at: usize) -> usize {
        at + self.atoms[at..].iter().take_while(|atom| !atom.spaced).count()
    }

    pub(crate) fn letters(&self, atoms: Range<usize>) -> &str {
        let range = span(&self.atoms[atoms], |atom| &atom.letters);
        &self.letters[range]
    }

    pub(crate) fn source(&self, atoms: Range<usize>) -> &'t str {
        let range = span(&self.atoms[atoms], |atom| &atom.source);
        self.text[range].trim_matches(|c| class(c) == Class::Noise)
    }

    /// Returns the position after `words` if they all follow one another from `at`.
    pub(super) fn run(&self, words: &[Word], at: usize) -> Option<usize> {
        words.iter().try_fold(at, |at, word| self.step(word, at))
    }

    /// Returns the position after `word` if exactly this word is at `at`.
    pub(super) fn step(&self, word: &Word, at: usize) -> Option<usize> {
        let end = at + word.atoms;
        let atoms = self.atoms.get(at..end)?;
        let letters = span(atoms, |atom| &atom.letters);
        (self.letters[letters] == *word.letters && is_whole(atoms, word)).then_some(end)
    }

    fn push_word(&mut self, run: Range<usize>) {
        let start = self.letters.len();
        fold_word(&self.text[run.clone()], &mut self.letters);
        if self.letters.len() > start {
            let letters = short(start..self.letters.len());
            self.atoms.push(Atom { letters, source: short(run), spaced: true, opens: true, closes: true });
        }
    }

    fn push_unspaced(&mut self, run: Range<usize>) {
        let written = &self.text[run.clone()];
        let composed = composed(written);
        let mut start = 0;
        for end in SEGMENTER.segment_str(&composed).skip(1) {
            // If composing moved the letters, only the whole run can be shown for a word.
            let source = match composed {
                Cow::Borrowed(_) => run.start + start..run.start + end,
                Cow::Owned(_) => run.clone(),
            };
            self.push_letters(&composed[start..end], source);
            start = end;
        }
    }

    fn push_letters(&mut self, word: &str, source: Range<usize>) {
        let (first_letter, first_atom) = (self.letters.len(), self.atoms.len());
        fold_word(word, &mut self.letters);
        for (at, c) in self.letters[first_letter..].char_indices() {
            let start = first_letter + at;
            let letters = short(start..start + c.len_utf8());
            let source = short(source.clone());
            self.atoms.push(Atom { letters, source, spaced: false, opens: false, closes: false });
        }
        if let [first, ..] = &mut self.atoms[first_atom..] {
            first.opens = true;
        }
        if let [.., last] = &mut self.atoms[first_atom..] {
            last.closes = true;
        }
    }
}

/// One word to look for: a word of a script with spaces, or a stretch of letters of one without.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Word {
    /// The word as it was written, for people.
    pub shown: String,
    /// The word as it is compared.
    pub letters: String,
    pub spaced: bool,
    pub letter_count: usize,
    /// The number of letters without marks, which tells a long Thai word from a short one.
    base_letters: usize,
    /// The number of letters that may be wrong in it.
    pub tolerance: usize,
    /// Whether the author lets the learner choose between it and others, which makes its form matter.
    pub is_choice: bool,
    atoms: usize,
}

impl Word {
    /// Returns the words to look for in `text`. Neighbouring letters of a script without spaces are one word.
    pub(crate) fn all_in(text: &str) -> Vec<Word> {
        let words = Words::new(text);
        let mut all = Vec::new();
        let mut at = 0;
        while at < words.len() {
            let end = if words.is_spaced(at) { at + 1 } else { words.stretch_end(at) };
            let (shown, letters) = (words.source(at..end), words.letters(at..end));
            all.push(Word::new(shown, letters, words.is_spaced(at), end - at));
            at = end;
        }
        all
    }

    /// Marks the word as one of several to choose from.
    pub(super) fn chosen(self) -> Word {
        Word { is_choice: true, ..self }
    }

    /// Joins two stretches of letters without spaces into one.
    pub(super) fn join(&self, next: &Word) -> Word {
        let (shown, letters) = (self.shown.clone() + &next.shown, self.letters.clone() + &next.letters);
        Word::new(&shown, &letters, false, self.atoms + next.atoms)
    }

    fn new(shown: &str, letters: &str, spaced: bool, atoms: usize) -> Word {
        Word {
            shown: shown.to_owned(),
            letters: letters.to_owned(),
            spaced,
            letter_count: letters.chars().count(),
            base_letters: letters.chars().filter(|&c| !is_mark(c)).count(),
            // Another article makes another phrase.
            tolerance: if is_article(letters) { 0 } else { tolerance(letters) },
            is_choice: false,
            atoms,
        }
    }
}

/// The segmenter of scripts without spaces. Chinese, Japanese, Thai, Lao, Khmer and Burmese are cut by dictionary,
/// which is exact, fast and repeatable.
static SEGMENTER: LazyLock<WordSegmenterBorrowed<'static>> =
    LazyLock::new(|| WordSegmenter::new_dictionary(WordBreakInvariantOptions::default()));

/// Calls `each` with every run of word characters and whether its script has spaces. Noise never ends a run.
fn for_each_run(text: &str, mut each: impl FnMut(Range<usize>, bool)) {
    let mut run: Option<(usize, Class)> = None;
    for (at, c) in text.char_indices() {
        let now = class(c);
        match run {
            _ if now == Class::Noise => continue,
            Some((_, before)) if before == now => continue,
            Some((start, before)) => each(start..at, before == Class::Spaced),
            None => {}
        }
        run = (now != Class::Gap).then_some((at, now));
    }
    if let Some((start, before)) = run {
        each(start..text.len(), before == Class::Spaced);
    }
}

/// Whether the atoms are words of their own. A dictionary often cuts in the wrong place (これ|はい|くら), so a
/// longer stretch may cross its cuts, but nothing is found inside one longer word (水 in 水曜日).
fn is_whole(atoms: &[Atom], word: &Word) -> bool {
    let [first, rest @ ..] = atoms else { return false };
    let closes = rest.last().unwrap_or(first).closes;
    (first.opens && closes)
        || (word.base_letters >= MIN_CROSSING_LETTERS && rest.iter().any(|atom| atom.opens))
}

fn span(atoms: &[Atom], range: impl Fn(&Atom) -> &Range<u32>) -> Range<usize> {
    match atoms {
        [] => 0..0,
        [first, ..] => range(first).start as usize..range(&atoms[atoms.len() - 1]).end as usize,
    }
}

/// Narrows a range. Offsets fit, because [`MAX_TEXT_BYTES`] times the longest expansion of a character is far below
/// 2³².
fn short(range: Range<usize>) -> Range<u32> {
    range.start as u32..range.end as u32
}
