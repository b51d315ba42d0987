//! Folds text: takes case, accents, width and noise away.
//!
//! The fold is NFKC, then full case folding, then diacritics dropped where they are decoration on a letter (Latin,
//! Greek, Cyrillic, Hebrew, Arabic). Marks that *are* letters stay: Thai and Indic vowels, Japanese voicing,
//! Hangul. Katakana folds to Hiragana, because a recogniser picks either for the same sound.

use std::borrow::Cow;

use icu_properties::CodePointMapData;
use icu_properties::props::{GeneralCategory, GeneralCategoryGroup};
use unicode_normalization::char::decompose_canonical;
use unicode_normalization::{IsNormalized, UnicodeNormalization, is_nfkc_quick};

/// Appends the fold of `word` to `out`. Nothing is appended when the word is only noise.
pub(super) fn fold_word(word: &str, out: &mut String) {
    if word.is_ascii() {
        let letters = word.bytes().filter(u8::is_ascii_alphanumeric);
        out.extend(letters.map(|byte| char::from(byte.to_ascii_lowercase())));
    } else {
        composed(&voiced(word)).chars().for_each(|c| fold_char(c, out));
    }
}

/// Returns a word as a language spells it: its letters in lower case with their accents. Of several ways to write a
/// letter it takes one: German writes ä as ae where a keyboard has no ä. Signs that few people write, such as
/// Hebrew vowels, are left out.
pub(crate) fn spelled(word: &str, language: &str) -> String {
    let mut out = String::with_capacity(word.len());
    for c in composed(word).chars().filter(|c| matches!(class(*c), Class::Spaced | Class::Unspaced)) {
        for c in c.to_lowercase() {
            match written_as(c, language) {
                Some(letters) => out.push_str(letters),
                None if has_accent(c) => out.push(c),
                None => fold_char(c, &mut out),
            }
        }
    }
    out
}

/// Returns the other way to write a letter, if there is one.
fn written_as(c: char, language: &str) -> Option<&'static str> {
    let primary = language.split('-').next().unwrap_or_default();
    match (primary, c) {
        ("de", 'ä') | (_, 'æ') => Some("ae"),
        ("de", 'ö') | ("da" | "nb" | "nn" | "no", 'ø') | (_, 'œ') => Some("oe"),
        ("de", 'ü') => Some("ue"),
        ("da" | "nb" | "nn" | "no", 'å') => Some("aa"),
        _ => None,
    }
}

/// Whether a character is a Latin or Greek letter with an accent. In Turkish, the missing dot of ı is one too.
fn has_accent(c: char) -> bool {
    c != 'ß'
        && matches!(c, '\u{C0}'..='\u{24F}' | '\u{370}'..='\u{3FF}' | '\u{1E00}'..='\u{1FFF}')
        && c != 'ς'
}

/// Returns the word without silent characters between its letters, which may keep two of them from composing.
fn voiced(word: &str) -> Cow<'_, str> {
    let is_silent = |c: char| class(c) == Class::Noise && !is_decoration(c);
    match word.contains(is_silent) {
        true => Cow::Owned(word.replace(is_silent, "")),
        false => Cow::Borrowed(word),
    }
}

/// Returns the text in NFKC. It nearly always is already.
pub(super) fn composed(text: &str) -> Cow<'_, str> {
    match is_nfkc_quick(text.chars()) {
        IsNormalized::Yes => Cow::Borrowed(text),
        _ => Cow::Owned(text.nfkc().collect()),
    }
}

/// The role of a character in a text.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Class {
    /// A character that ends a word: space, punctuation, symbols.
    Gap,
    /// A character that is written but never counts, not even as the end of a word.
    Noise,
    /// A letter, digit or mark of a script with spaces between words.
    Spaced,
    /// A letter or mark of a script without spaces.
    Unspaced,
}

pub(super) fn class(c: char) -> Class {
    if c.is_ascii_alphanumeric() {
        return Class::Spaced;
    }
    if is_apostrophe(c) || is_decoration(c) || is_invisible(c) {
        return Class::Noise;
    }
    let category = CodePointMapData::<GeneralCategory>::new().get(c);
    if category == GeneralCategory::Format || (category == GeneralCategory::Control && !c.is_whitespace()) {
        Class::Noise
    } else if !WORD_CATEGORIES.contains(category) {
        Class::Gap
    } else if is_unspaced(c) {
        Class::Unspaced
    } else {
        Class::Spaced
    }
}

const WORD_CATEGORIES: GeneralCategoryGroup =
    GeneralCategoryGroup::Letter.union(GeneralCategoryGroup::Mark).union(GeneralCategoryGroup::Number);

/// Whether `c` only stands on another letter.
pub(super) fn is_mark(c: char) -> bool {
    GeneralCategoryGroup::Mark.contains(CodePointMapData::<GeneralCategory>::new().get(c))
}

/// Whether the script of a character puts no spaces between words.
pub(super) fn is_unspaced(c: char) -> bool {
    matches!(c,
        '\u{0E00}'..='\u{0EFF}' // Thai, Lao
        | '\u{1000}'..='\u{109F}' | '\u{A9E0}'..='\u{A9FF}' | '\u{AA60}'..='\u{AA7F}' // Myanmar
        | '\u{1780}'..='\u{17FF}' // Khmer
        | '\u{3005}'..='\u{3007}' | '\u{3040}'..='\u{30FF}' | '\u{31F0}'..='\u{31FF}' // Kana
        | '\u{FF66}'..='\u{FF9F}' // halfwidth Kana
        | '\u{3400}'..='\u{4DBF}' | '\u{4E00}'..='\u{9FFF}' | '\u{F900}'..='\u{FAFF}' // Han
        | '\u{20000}'..='\u{3FFFF}' // Han, later extensions
    )
}

fn fold_char(c: char, out: &mut String) {
    if c.is_ascii_alphanumeric() {
        out.push(c.to_ascii_lowercase());
    } else if decorates_letters(c) {
        decompose_canonical(c, |part| fold_part(part, out));
    } else {
        fold_part(c, out);
    }
}

/// Folds the case of a letter. Upper case first, then lower case, is full case folding: ß and SS, ς and σ, ı and I
/// meet. Scripts without spaces have no case.
fn fold_part(c: char, out: &mut String) {
    match class(c) {
        Class::Gap | Class::Noise => return,
        Class::Unspaced => return push_base_letter(c, out),
        Class::Spaced => {}
    }
    for upper in c.to_uppercase() {
        upper.to_lowercase().for_each(|lower| push_base_letter(lower, out));
    }
}

/// Appends a letter without its decoration, also where readers see one that Unicode does not decompose.
fn push_base_letter(c: char, out: &mut String) {
    match c {
        'a'..='z' => out.push(c),
        'ß' => out.push_str("ss"),
        'æ' => out.push_str("ae"),
        'œ' => out.push_str("oe"),
        'þ' => out.push_str("th"),
        'ø' => out.push('o'),
        'ł' | 'ƚ' => out.push('l'),
        'đ' | 'ð' => out.push('d'),
        'ħ' => out.push('h'),
        'ŧ' => out.push('t'),
        'ŋ' => out.push('n'),
        'ı' => out.push('i'),
        'ĸ' => out.push('k'),
        'ɓ' => out.push('b'),
        'ɗ' => out.push('d'),
        'ƙ' => out.push('k'),
        'ٱ' => out.push('ا'),
        'ى' | 'ی' => out.push('ي'),
        'ک' => out.push('ك'),
        'ァ'..='ヶ' => out.extend(char::from_u32(u32::from(c) - 0x60)),
        _ => out.push(c),
    }
}

/// Whether a combining mark decorates the letter in this character's script. Russian й stays: readers count it as a
/// letter.
fn decorates_letters(c: char) -> bool {
    !matches!(c, 'й' | 'Й') && matches!(c, '\u{80}'..='\u{6FF}' | '\u{1E00}'..='\u{1FFF}')
}

pub(super) fn is_apostrophe(c: char) -> bool {
    matches!(
        c,
        '\'' | '`' | '´' | '·' // on keyboards
        | '‘' | '’' | '‛' | '′' | '‧' | '＇' | 'ꞌ' | 'Ꞌ' // in print
        | 'ʹ' | 'ʻ' | 'ʼ' | 'ʽ' | 'ʾ' | 'ʿ' | 'ˈ' // modifier letters
        | '\u{05F3}' | '\u{05F4}' // geresh and gershayim
    )
}

/// Whether a character is invisible although Unicode counts it as a mark or a letter. Format characters are noise
/// anyway.
fn is_invisible(c: char) -> bool {
    matches!(c,
        '\u{115F}' | '\u{1160}' | '\u{180B}'..='\u{180F}' | '\u{3164}' | '\u{FE00}'..='\u{FE0F}'
        | '\u{FFA0}' | '\u{E0100}'..='\u{E01EF}')
}

fn is_decoration(c: char) -> bool {
    matches!(c,
        '\u{0300}'..='\u{036F}' | '\u{0483}'..='\u{0489}' // Latin, Greek, Cyrillic
        | '\u{0591}'..='\u{05BD}' | '\u{05BF}' | '\u{05C1}' | '\u{05C2}' | '\u{05C4}' | '\u{05C5}' | '\u{05C7}' // niqqud
        | '\u{0610}'..='\u{061A}' | '\u{0640}' | '\u{064B}'..='\u{065F}' | '\u{0670}' // tashkeel, tatweel
        | '\u{06D6}'..='\u{06DC}' | '\u{06DF}'..='\u{06E8}' | '\u{06EA}'..='\u{06ED}' | '\u{08D3}'..='\u{08FF}'
        | '\u{1AB0}'..='\u{1AFF}' | '\u{1DC0}'..='\u{1DFF}' | '\u{20D0}'..='\u{20FF}' | '\u{FE20}'..='\u{FE2F}')
}
