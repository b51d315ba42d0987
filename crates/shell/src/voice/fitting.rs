//! Decides by the sound which words were said, where a transcript is not enough: recognisers write common words for rare
//! ones, and the usual article for the one they hear.
//!
//! All margins are in nats: differences of the logarithms of probabilities.

use ::voice::Trouble;
use ::voice::ears::Recording;
use ::voice::layers::Recogniser;
use coaching::text::{Words, is_easily_heard_as, other_articles};

/// The least margin by which the sound must fit the target compared with the best other text. It is negative because
/// the recogniser often writes a rare word as a common one.
pub const MARGIN: f32 = -2.0;
/// The least margin between two articles. If it is smaller, the learner is asked to repeat the answer.
pub const ARTICLE_MARGIN: f32 = 2.0;
/// The least margin over an article that is easily heard as the expected one.
const CLOSE_ARTICLE_MARGIN: f32 = 4.0;
/// The most other texts that a sound is compared with. Each of them takes the recogniser a moment.
pub const MAX_OTHERS: usize = 8;

/// How well a sound fits a target.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Fit {
    /// It fits the target, by this margin over other texts.
    Fits {
        margin: f32,
    },
    /// It fits the words, but the learner may have said another article.
    Unclear,
    No,
}

/// Compares a sound with a target, with the target under other articles, with other things that the learner might say,
/// and with the transcript.
pub fn fit(
    recogniser: &mut dyn Recogniser,
    recording: &Recording,
    language: &str,
    target: &str,
    others: &[String],
    transcript: &str,
) -> Result<Fit, Trouble> {
    let rivals = rivals(language, target);
    let is_rival = |text: &String| rivals.iter().any(|rival| has_same_words(&rival.text, text));
    let others = nearest(others, target).chain([transcript.to_owned()]);
    let others: Vec<String> = others.filter(|text| !is_rival(text)).collect();
    let of_rivals = rivals.iter().map(|rival| rival.text.as_str());
    let texts: Vec<&str> =
        [target].into_iter().chain(of_rivals).chain(others.iter().map(String::as_str)).collect();
    let Some(scores) = recogniser.fits(recording, language, &texts)? else { return Ok(Fit::No) };
    let (of_rivals, of_others) = scores[1..].split_at(rivals.len());
    let best = of_others.iter().copied().max_by(f32::total_cmp);
    let margin = best.map_or(0.0, |best| scores[0] - best);
    Ok(match article(scores[0], of_rivals, &rivals) {
        _ if margin <= MARGIN => Fit::No,
        Verdict::Right => Fit::Fits { margin },
        Verdict::Unclear => Fit::Unclear,
        Verdict::Rival(_) => Fit::No,
    })
}

/// Whether the articles of a transcript were really said.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Article {
    /// They were, or there are none.
    Heard,
    /// Another one was said: the transcript with that one.
    Other(String),
    Unclear,
}

/// Checks the articles of a transcript by its sound, unless it would count with any other one, too.
pub fn heard_article(
    recogniser: &mut dyn Recogniser,
    recording: &Recording,
    language: &str,
    transcript: &str,
    counts: &dyn Fn(&str) -> bool,
) -> Result<Article, Trouble> {
    let mut rivals = rivals(language, transcript);
    rivals.retain(|rival| !counts(&rival.text));
    // English articles have no gender, and a comparison would load another model.
    if rivals.is_empty() || language.starts_with("en") {
        return Ok(Article::Heard);
    }
    let of_rivals = rivals.iter().map(|rival| rival.text.as_str());
    let texts: Vec<&str> = [transcript].into_iter().chain(of_rivals).collect();
    let Some(scores) = recogniser.fits(recording, language, &texts)? else { return Ok(Article::Heard) };
    Ok(match article(scores[0], &scores[1..], &rivals) {
        Verdict::Right => Article::Heard,
        Verdict::Unclear => Article::Unclear,
        Verdict::Rival(at) => Article::Other(rivals.swap_remove(at).text),
    })
}

/// A text with another article in one place.
struct Rival {
    text: String,
    /// How much worse the sound must fit it.
    margin: f32,
}

enum Verdict {
    Right,
    Unclear,
    Rival(usize),
}

/// Returns the texts with each article in turn replaced by the others of its kind. Marks and capitals stay, because the
/// recogniser scores them, too.
fn rivals(language: &str, text: &str) -> Vec<Rival> {
    let words: Vec<&str> = text.split_whitespace().collect();
    let mut rivals = Vec::new();
    for (at, word) in words.iter().enumerate() {
        let bare = word.trim_matches(|c: char| !c.is_alphanumeric());
        for other in other_articles(language, bare) {
            let is_capital = bare.starts_with(char::is_uppercase);
            let other_bare = if is_capital { capitalised(other) } else { other.to_owned() };
            let mut words: Vec<String> = words.iter().map(|word| (*word).to_owned()).collect();
            words[at] = word.replacen(bare, &other_bare, 1);
            let margin = if is_easily_heard_as(other, bare) { CLOSE_ARTICLE_MARGIN } else { ARTICLE_MARGIN };
            rivals.push(Rival { text: words.join(" "), margin });
        }
    }
    rivals
}

/// Whether two texts differ at most in marks and capitals.
fn has_same_words(one: &str, other: &str) -> bool {
    let (one, other) = (Words::new(one), Words::new(other));
    one.iter().map(|(_, letters)| letters).eq(other.iter().map(|(_, letters)| letters))
}

fn capitalised(word: &str) -> String {
    let mut letters = word.chars();
    letters.next().into_iter().flat_map(char::to_uppercase).chain(letters).collect()
}

fn article(right: f32, of_rivals: &[f32], rivals: &[Rival]) -> Verdict {
    let best = of_rivals.iter().copied().enumerate().max_by(|a, b| a.1.total_cmp(&b.1));
    match best {
        Some((at, score)) if score > right + ARTICLE_MARGIN => Verdict::Rival(at),
        _ if of_rivals.iter().zip(rivals).all(|(score, rival)| right > score + rival.margin) => {
            Verdict::Right
        }
        _ => Verdict::Unclear,
    }
}

/// Returns the texts nearest in length: a sound can only be confused with texts of about its length.
fn nearest<'o>(others: &'o [String], target: &str) -> impl Iterator<Item = String> + 'o {
    let length = target.chars().count();
    let mut others: Vec<&String> =
        others.iter().filter(|other| other.as_str() != target && !other.contains("___")).collect();
    others.sort_by_key(|other| other.chars().count().abs_diff(length));
    others.into_iter().take(MAX_OTHERS).cloned()
}
