//! Articles and their like. Their endings are grammar, so one is never a slip of another.

/// Groups of words of one kind: where one of them stands, another would be wrong.
const KINDS: [&[&str]; 6] = [
    &["der", "die", "das", "den", "dem", "des"],
    &["ein", "eine", "einen", "einem", "einer", "eines"],
    &["kein", "keine", "keinen", "keinem", "keiner", "keines"],
    &["el", "la", "los", "las", "un", "una", "unos", "unas"],
    &["le", "la", "les", "un", "une", "des", "du"],
    &["the", "a", "an"],
];

/// Returns the other words of an article's kind; none for a word that is no article.
pub fn other_articles(word: &str) -> impl Iterator<Item = &'static str> {
    let word = word.to_lowercase();
    let kinds = KINDS.into_iter().filter({
        let word = word.clone();
        move |kind| kind.contains(&word.as_str())
    });
    kinds.flatten().copied().filter(move |other| *other != word)
}

/// Whether an article is easily heard as another one: "eine Bier" as "ein Bier", "dem" as "den", a short "der" as "die".
pub fn is_heard_as(said: &str, heard: &str) -> bool {
    let heard = heard.to_lowercase();
    let stem = |word: &str| word.strip_suffix(['m', 'n']).map(str::to_owned);
    let differ_in_nasal = stem(said).is_some_and(|said| stem(&heard) == Some(said));
    said.starts_with(&heard)
        || heard.starts_with(said)
        || differ_in_nasal
        || (said, &*heard) == ("der", "die")
}

pub(super) fn is_article(letters: &str) -> bool {
    KINDS.iter().any(|kind| kind.contains(&letters))
}
