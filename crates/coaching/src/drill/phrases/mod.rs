//! Every sentence the coach says in its own words, one file per language.
//!
//! What is taught comes from packs. `{word}`, `{expected}` and `{heard}` are filled in.

mod de;
mod en;

/// The sentences of one language. Where there are several, the coach varies.
#[derive(Debug)]
pub(super) struct Phrases {
    /// After a correct use.
    pub praise: &'static [&'static str],
    /// After the last one that was needed.
    pub learned: &'static [&'static str],
    /// When a word is put aside.
    pub parked: &'static [&'static str],
    /// After a silence.
    pub nudge: &'static [&'static str],
    /// Before a word that was learned earlier.
    pub review: &'static str,
    /// Understood, a few letters off.
    pub close: &'static str,
    /// The meaning was said in place of the word.
    pub translated: &'static str,
    /// Something of the word was there.
    pub near_miss: &'static str,
    /// Nothing of the word was there.
    pub miss: &'static str,
    /// There was no word in what was heard.
    pub not_heard: &'static str,
    /// Before a word is said slowly.
    pub repeat: &'static str,
    /// When a session begins with an empty queue.
    pub nothing_to_do: &'static str,
}

impl Phrases {
    /// The sentences for a language tag, English where there are none.
    pub(super) fn in_language(tag: &str) -> &'static Phrases {
        match tag.split('-').next() {
            Some("de") => &de::PHRASES,
            _ => &en::PHRASES,
        }
    }
}

/// Puts values into a sentence.
pub(super) fn fill(sentence: &str, values: &[(&str, &str)]) -> String {
    values.iter().fold(sentence.to_owned(), |text, (name, value)| text.replace(&format!("{{{name}}}"), value))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn all(phrases: &Phrases) -> Vec<Vec<&str>> {
        let Phrases { praise, learned, parked, nudge, review, close, near_miss, miss, not_heard, .. } =
            phrases;
        let Phrases { translated, repeat, nothing_to_do, .. } = phrases;
        let single = [review, close, translated, near_miss, miss, not_heard, repeat, nothing_to_do];
        let several = [praise, learned, parked, nudge].map(|list| list.to_vec());
        several.into_iter().chain(single.map(|sentence| vec![*sentence])).collect()
    }

    fn blanks(sentence: &str) -> Vec<&str> {
        let mut blanks: Vec<&str> =
            sentence.split('{').skip(1).filter_map(|rest| rest.split('}').next()).collect();
        blanks.sort_unstable();
        blanks
    }

    #[test]
    fn every_language_says_the_same_things_with_the_same_blanks() {
        for (english, german) in all(&en::PHRASES).into_iter().zip(all(&de::PHRASES)) {
            let expected = blanks(english[0]);
            for sentence in english.into_iter().chain(german) {
                assert!(!sentence.trim().is_empty());
                assert_eq!(blanks(sentence), expected, "{sentence}");
            }
        }
    }

    #[test]
    fn the_coach_can_vary_what_it_says_often() {
        for phrases in [&en::PHRASES, &de::PHRASES] {
            assert!(phrases.praise.len() >= 5 && phrases.learned.len() >= 3);
        }
    }
}
