//! Cuts a phrase into the pieces that the coach says slowly.
//!
//! Pauses separate its words. A word is cut into syllables if its language has hyphenation patterns; a script
//! without spaces is cut into the words of its dictionary. Without the marks, the pieces are the phrase.

use crate::text::Words;
use hypher::{Lang, hyphenate_bounded};

/// The mark between words.
const PAUSE: &str = " … ";
/// The mark inside a word, between syllables.
const SEAM: &str = "·";
/// The cap on the number of letters that a language demands before the first cut of a word and after the last.
/// Some typesetters demand more; a speaker need not.
const LEAST_LETTERS: usize = 2;

/// Returns a phrase with marks between its words and syllables. `language` is a BCP 47 tag.
pub(super) fn slowly(phrase: &str, language: &str) -> String {
    let pieces = |word| in_pieces(word, patterns(language));
    phrase.split_whitespace().map(pieces).collect::<Vec<_>>().join(PAUSE)
}

fn patterns(language: &str) -> Option<Lang> {
    let primary = language.split('-').next()?.to_ascii_lowercase();
    Lang::from_iso(primary.into_bytes().try_into().ok()?)
}

fn in_pieces(word: &str, patterns: Option<Lang>) -> String {
    if let Some(patterns) = patterns {
        return syllables(word, patterns);
    }
    let segments: Vec<&str> = Words::new(word).iter().map(|(segment, _)| segment).collect();
    if segments.len() > 1 { segments.join(PAUSE) } else { word.to_owned() }
}

/// Cuts a word into syllables. Only letters count: to the patterns, the comma in "acht," would be the end of the
/// word.
fn syllables(word: &str, patterns: Lang) -> String {
    let (first, last) = patterns.bounds();
    let is_mark = |c: char| !c.is_alphabetic();
    let mut cut = String::new();
    for run in word.split_inclusive(is_mark) {
        let letters = run.trim_end_matches(is_mark);
        let pieces = hyphenate_bounded(letters, patterns, first.min(LEAST_LETTERS), last.min(LEAST_LETTERS));
        cut += &pieces.join(SEAM);
        cut += &run[letters.len()..];
    }
    cut
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Words of each language in their syllables, checked by eye.
    const WORDS: &[(&str, &str)] = &[
        (
            "de-AT",
            "Ent·schul·di·gung Hal·lo ja Tschüss Ge·burts·tag Stra·ßen·bahn Schmet·ter·ling Früh·stück Wo·chen·en·de \
             Kran·ken·haus Ap·fel·ku·chen Fahr·kar·te Re·gen·schirm ver·ste·hen Freund·schaft Äp·fel",
        ),
        (
            "es",
            "iz·quier·da ma·ña·na gra·cias res·tau·ran·te cu·cha·ra tra·ba·jo uni·ver·si·dad pá·ja·ro ciu·dad es·cue·la \
             im·por·tan·te no·so·tros",
        ),
        (
            "fr",
            "bon·jour mer·ci au·jourd'hui en·chan·té fro·mage bou·lan·ge·rie mon·sieur cho·co·lat or·di·na·teur se·maine \
             res·tau·rant fe·nêtre d'ac·cord ex·cu·sez-moi",
        ),
        (
            "en",
            "break·fast un·der·stand to·mor·row hos·pi·tal won·der·ful re·mem·ber af·ter·noon but·ter·fly im·por·tant \
             wel·come hel·lo sor·ry",
        ),
        ("sl", "Živ·jo, čaj! do·bro·do·šli"),
        ("ru", "спа·си·бо Спа·си·бо здрав·ствуй·те"),
        ("he", "שלום"),
        ("tlh", "nuqneH"),
    ];

    #[test]
    fn words_come_in_syllables() {
        for (language, words) in WORDS {
            let slow = slowly(&words.replace(SEAM, ""), language);
            assert_eq!(slow.replace(PAUSE, " "), *words, "{language}");
        }
    }

    #[test]
    fn phrases_come_in_words() {
        for (phrase, expected) in [
            ("Wie viel kostet das?", "Wie … viel … kos·tet … das?"),
            ("Sechs, sieben, acht, neun", "Sechs, … sie·ben, … acht, … neun"),
            ("", ""),
            ("???", "???"),
        ] {
            assert_eq!(slowly(phrase, "de"), expected);
        }
        assert_eq!(slowly("por la mañana", "es"), "por … la … ma·ña·na");
    }

    #[test]
    fn a_script_without_spaces_is_cut_at_its_words() {
        let slow = slowly("我想喝咖啡", "zh");
        assert!(slow.contains(PAUSE), "{slow}");
        assert_eq!(slow.replace(PAUSE, ""), "我想喝咖啡");
    }
}
