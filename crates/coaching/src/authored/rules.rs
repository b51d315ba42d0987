//! Checks single values.

use icu_properties::CodePointMapData;
use icu_properties::props::Script;

use crate::text::Words;

/// Whether an id consists of lower-case letters, digits and single hyphens, so that it works in a path, a link and
/// a command.
pub(crate) fn is_id(id: &str) -> bool {
    id.split('-')
        .all(|part| !part.is_empty() && part.bytes().all(|b| b.is_ascii_lowercase() || b.is_ascii_digit()))
}

/// Whether a BCP 47 tag is well formed: a language of 2 or 3 letters, then subtags of 1 to 8 characters.
pub(crate) fn is_language_tag(tag: &str) -> bool {
    let mut subtags = tag.split('-');
    let language = subtags.next().unwrap_or_default();
    (2..=3).contains(&language.len())
        && language.bytes().all(|b| b.is_ascii_alphabetic())
        && subtags
            .all(|part| (1..=8).contains(&part.len()) && part.bytes().all(|b| b.is_ascii_alphanumeric()))
}

/// Returns the first control character. Line breaks are allowed, because YAML folds long text over lines.
pub(crate) fn control_character(text: &str) -> Option<char> {
    text.chars().find(|c| c.is_control() && *c != '\n')
}

/// Returns the words that mix scripts. Nearly always one letter was typed on the wrong keyboard.
pub(crate) fn mixed_script_words(text: &str) -> Vec<&str> {
    Words::new(text).iter().map(|(word, _)| word).filter(|word| scripts(word).len() > 1).collect()
}

fn scripts(word: &str) -> Vec<Script> {
    let mut found = Vec::new();
    for c in word.chars() {
        let script = match CodePointMapData::<Script>::new().get(c) {
            Script::Common | Script::Inherited => continue,
            // Japanese words mix these three as a matter of course.
            Script::Hiragana | Script::Katakana => Script::Han,
            script => script,
        };
        if !found.contains(&script) {
            found.push(script);
        }
    }
    found
}
