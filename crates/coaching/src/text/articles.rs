//! Articles and similar words. Their endings are grammar, so one is never a slip of another.

use super::language::primary;

/// Groups of words of one kind, each with its language: where one of them stands, another would be wrong.
const KINDS: [(&str, &[&str]); 6] = [
    ("de", &["der", "die", "das", "den", "dem", "des"]),
    ("de", &["ein", "eine", "einen", "einem", "einer", "eines"]),
    ("de", &["kein", "keine", "keinen", "keinem", "keiner", "keines"]),
    ("es", &["el", "la", "los", "las", "un", "una", "unos", "unas"]),
    ("fr", &["le", "la", "les", "un", "une", "des", "du"]),
    ("en", &["the", "a", "an"]),
];

/// Returns the other words of an article's kind in this language; none for a word that is no article.
pub fn other_articles(language: &str, word: &str) -> impl Iterator<Item = &'static str> {
    let (language, word) = (primary(language), word.to_lowercase());
    let is_kind = |(of, kind): &(&str, &[&str])| *of == language && kind.contains(&word.as_str());
    let kind = KINDS.into_iter().find(is_kind).map_or(&[][..], |(_, kind)| kind);
    kind.iter().copied().filter(move |other| *other != word)
}

/// Whether an article is easily heard as another one: "eine Bier" as "ein Bier", "dem" as "den", a short "der" as "die".
pub fn is_easily_heard_as(said: &str, heard: &str) -> bool {
    let heard = heard.to_lowercase();
    let stem = |word: &str| word.strip_suffix(['m', 'n']).map(str::to_owned);
    let differ_in_nasal = stem(said).is_some_and(|said| stem(&heard) == Some(said));
    said.starts_with(&heard)
        || heard.starts_with(said)
        || differ_in_nasal
        || (said, &*heard) == ("der", "die")
}

pub(super) fn is_article(letters: &str) -> bool {
    KINDS.iter().any(|(_, kind)| kind.contains(&letters))
}
