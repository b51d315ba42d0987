//! Guesses which language a text is in.

use super::fold::is_unspaced;
use super::words::Words;

/// Returns the language of a tag such as `de-AT`, without a region.
pub(crate) fn primary(tag: &str) -> String {
    tag.split(['-', '_']).next().unwrap_or_default().to_ascii_lowercase()
}

/// Returns the language of a text, as far as its small words or its letters tell.
pub(crate) fn spoken_language(text: &str) -> Option<&'static str> {
    let (language, lead) = likely_language(text);
    (lead > 0).then_some(language)
}

/// Returns the language of a text only if more than one small word tells it.
pub(crate) fn clear_language(text: &str) -> Option<&'static str> {
    const LEAD: usize = 4;
    let (language, lead) = likely_language(text);
    (lead >= LEAD).then_some(language)
}

/// Returns the likeliest language of a text, and by how much its score leads before the next one.
fn likely_language(text: &str) -> (&'static str, usize) {
    const SMALL: &[(&str, &str, &str)] = &[
        (
            "en",
            "the and is to of it you that this with not for in on are be all then what how why please fix write add make do run now next done i my im ill dont from by an at or if but so only just first when go",
            "",
        ),
        (
            "de",
            "der die das und ist nicht mit ich du ein eine einen den dem fur im auf zu auch noch dann nur bitte mach mache baue bau schreib schreibe jetzt sind wie was warum kein keine um von es wird als nachstes fertig behebe alle alles weiter erst ja nein",
            "äöüß",
        ),
        (
            "fr",
            "le la les et est une un pas que pour dans je vous tu des du de sur avec ce cette fais ecris ajoute refais corrige maintenant ensuite puis il elle ne au",
            "éèêçàùœ",
        ),
        (
            "es",
            "el los las y es una un que para por con del lo de en no se al haz escribe agrega arregla ahora luego su esta este como pero primero",
            "ñ¿¡áóíú",
        ),
    ];
    let letters = text.chars().filter(|c| c.is_alphabetic()).count().max(1);
    let unspaced = text.chars().filter(|c| is_unspaced(*c)).count();
    if unspaced * 4 > letters {
        return ("zh", usize::MAX);
    }
    if text.chars().filter(|c| matches!(c, '\u{400}'..='\u{4ff}')).count() * 2 > letters {
        return ("ru", usize::MAX);
    }
    let words = Words::new(text);
    let words: Vec<&str> = words.iter().map(|(_, letters)| letters).collect();
    let score = |(_, small, marks): &(&str, &str, &str)| {
        let known = words.iter().filter(|word| small.split(' ').any(|known| known == **word)).count();
        known * 2 + usize::from(text.to_lowercase().contains(|c: char| marks.contains(c))) * 3
    };
    let mut scores: Vec<(usize, &'static str)> = SMALL.iter().map(|row| (score(row), row.0)).collect();
    scores.sort_unstable_by_key(|(score, _)| std::cmp::Reverse(*score));
    (scores[0].1, scores[0].0 - scores[1].0)
}
