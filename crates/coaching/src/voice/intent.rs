//! What kind of thing was said, how sure that is, and what it is about: a pure function of one utterance.
//!
//! The phrases are data, `intents.yaml`, one section per language. A language without a section is read as English.

use super::words;
use crate::rejected::Rejected;
use crate::text::{Phrase, Words};
use crate::words::DEFAULT_LANGUAGE;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use std::cmp::Reverse;
use std::collections::{BTreeMap, HashMap};
use std::ops::Range;
use std::sync::LazyLock;

/// How sure the rules are.
const GREETING: f64 = 0.95;
const MARKED_QUESTION: f64 = 1.0;
const QUESTION: f64 = 0.85;
const COMMAND: f64 = 0.75;
const UNKNOWN: f64 = 0.10;

/// A language's own stop phrases count only in an utterance of so few words: "halt" is also a filler in German.
const MAX_WORDS_AROUND_STOP: usize = 4;
/// "German, please" is a choice; a longer sentence only mentions a language.
const MAX_WORDS_OF_A_CHOICE: usize = 4;

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Kind {
    Greeting,
    Question,
    Command,
    Unknown,
}

/// What an utterance is about, as far as a coach can answer it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Topic {
    Due,
    Progress,
    Time,
    Date,
    Define,
    Slower,
    Repeat,
    Help,
    Name,
    Thanks,
    Start,
}

/// One utterance, understood.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Intent {
    pub kind: Kind,
    /// From 0 to 1.
    pub confidence: f64,
    /// What was said.
    pub text: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub topic: Option<Topic>,
    /// The word or the pack that it is about.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub about: Option<String>,
    /// The language that it names, such as `es` for "in Spanish".
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub tongue: Option<String>,
}

impl Intent {
    /// Understands one utterance. Without a word in it there is nothing to understand.
    pub fn parse(text: &str, language: &str) -> Result<Intent, Rejected> {
        let words = Words::new(text);
        if words.is_empty() {
            return Err(words::nothing_said());
        }
        let own = phrases(language);
        let english = phrases(DEFAULT_LANGUAGE);
        // A clause after a statement may say what is wanted: "I didn't catch that, please repeat it".
        let clauses = text.split([',', '.', ';', '!']).skip(1).map(|clause| (Words::new(clause), clause));
        let whole = [own, english].into_iter().map(|phrases| phrases.classify(&words, text));
        let of_clauses = clauses.map(|(words, clause)| own.classify(&words, clause));
        let known = whole.chain(of_clauses).find(|(kind, _)| *kind != Kind::Unknown);
        let (kind, confidence) = known.unwrap_or((Kind::Unknown, UNKNOWN));
        let about = |phrases: &Phrases| phrases.topic(&words, kind);
        let topic = if kind == Kind::Greeting { None } else { about(own).or_else(|| about(english)) };
        let (topic, about) = topic.map_or((None, None), |(topic, about)| (Some(topic), about));
        let tongue = own.tongue(&words).or_else(|| english.tongue(&words));
        let intent = Intent { kind, confidence, text: text.trim().to_owned(), topic, about, tongue };
        Ok(if words.len() <= MAX_WORDS_OF_A_CHOICE { intent.choosing() } else { intent })
    }
}

impl Intent {
    /// The name of a language alone asks for a drill in it.
    fn choosing(self) -> Intent {
        match (self.kind, self.topic, &self.tongue) {
            (Kind::Unknown, None, Some(_)) => {
                Intent { kind: Kind::Command, confidence: COMMAND, topic: Some(Topic::Start), ..self }
            }
            _ => self,
        }
    }
}

impl Kind {
    pub fn as_str(self) -> &'static str {
        match self {
            Kind::Greeting => "greeting",
            Kind::Question => "question",
            Kind::Command => "command",
            Kind::Unknown => "unknown",
        }
    }
}

/// The languages that are understood.
pub fn languages() -> impl Iterator<Item = &'static str> {
    PHRASES.keys().map(String::as_str)
}

/// The first stop word in a text: one of `everywhere`, which are the law's, or a phrase of the language. A word inside
/// another is none ("nonstop"), nor is one that is asked not to happen ("don't stop").
pub fn stop_word(text: &str, everywhere: &str, language: &str) -> Option<String> {
    let words = Words::new(text);
    let own = phrases(language);
    let is_here = |phrase: &Phrase| {
        let is_denied =
            |at: &Range<usize>| own.never_stops.iter().any(|never| covers(&words, &never.phrase, at));
        places(&words, phrase).any(|at| !is_denied(&at))
    };
    let may_hold = |word: &&str| !(text.is_ascii() && word.is_ascii()) || holds_ascii(text, word.trim());
    let mut of_law = everywhere.split(',').filter(may_hold).filter_map(Said::new);
    let law = of_law.find(|said| is_here(&said.phrase));
    let is_brief = words.iter().count() <= MAX_WORDS_AROUND_STOP;
    let own_stop = || own.stops.iter().find(|said| is_brief && is_here(&said.phrase));
    law.map(|said| said.text).or_else(|| own_stop().map(|said| said.text.clone()))
}

/// Whether a text holds a word, whatever the case. Most do not, and need not be searched more closely.
fn holds_ascii(text: &str, word: &str) -> bool {
    let is_here = |part: &[u8]| part.eq_ignore_ascii_case(word.as_bytes());
    word.is_empty() || text.as_bytes().windows(word.len()).any(is_here)
}

/// Where a phrase is.
fn places<'a>(words: &'a Words<'_>, phrase: &'a Phrase) -> impl Iterator<Item = Range<usize>> + 'a {
    (0..words.len()).filter_map(|at| words.starts_with(phrase, at).map(|end| at..end))
}

/// Whether the phrase is somewhere around a place.
fn covers(words: &Words<'_>, phrase: &Phrase, place: &Range<usize>) -> bool {
    places(words, phrase).any(|around| around.start <= place.start && place.end <= around.end)
}

/// The section of a language, as it is written.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Section {
    greetings: Vec<String>,
    beside_greetings: Vec<String>,
    questions: Vec<String>,
    commands: Vec<String>,
    polite: Vec<String>,
    stops: Vec<String>,
    never_stops: Vec<String>,
    #[serde(default)]
    tongues: BTreeMap<String, String>,
    topics: BTreeMap<Topic, Vec<String>>,
    about_words: Vec<String>,
}

/// The same, ready to be searched for.
#[derive(Debug, Default)]
struct Phrases {
    greetings: ByLetter<Phrase>,
    beside_greetings: ByLetter<Phrase>,
    questions: ByLetter<Phrase>,
    commands: ByLetter<Phrase>,
    polite: ByLetter<Phrase>,
    stops: Vec<Said>,
    never_stops: Vec<Said>,
    /// The names of languages, with their codes.
    tongues: Vec<(Phrase, String)>,
    topics: ByLetter<(Topic, Pattern)>,
    about_words: Vec<Said>,
}

/// Things that are looked for, by the letter that they begin with.
#[derive(Debug)]
struct ByLetter<T>(HashMap<char, Vec<T>>);

impl<T> Default for ByLetter<T> {
    fn default() -> ByLetter<T> {
        ByLetter(HashMap::new())
    }
}

impl<T> ByLetter<T> {
    fn of(things: impl Iterator<Item = (Option<char>, T)>) -> ByLetter<T> {
        let mut all = ByLetter::default();
        for (letter, thing) in things {
            if let Some(letter) = letter {
                all.0.entry(letter).or_insert_with(Vec::new).push(thing);
            }
        }
        all
    }

    /// Those that may begin here.
    fn at(&self, words: &Words<'_>, at: usize) -> &[T] {
        let letter = (at < words.len()).then(|| words.letters(at..at + 1).chars().next()).flatten();
        letter.and_then(|letter| self.0.get(&letter)).map(Vec::as_slice).unwrap_or_default()
    }
}

impl ByLetter<Phrase> {
    /// The end of the longest of these phrases that begins here.
    fn longest(&self, words: &Words<'_>, at: usize) -> Option<usize> {
        self.at(words, at).iter().filter_map(|phrase| words.starts_with(phrase, at)).max()
    }

    /// The position after as many of these phrases as follow one another.
    fn skip(&self, words: &Words<'_>, mut at: usize) -> usize {
        while let Some(end) = self.longest(words, at) {
            at = end;
        }
        at
    }
}

/// A phrase and how it is written.
#[derive(Debug, Clone)]
struct Said {
    text: String,
    phrase: Phrase,
}

impl Said {
    fn new(text: &str) -> Option<Said> {
        Some(Said { text: text.trim().to_owned(), phrase: Phrase::new(text)? })
    }
}

/// A phrase, perhaps around what it is about: `what does … mean`; or phrases that are all there, in any order:
/// `words & today`.
#[derive(Debug)]
struct Pattern {
    phrases: Vec<Phrase>,
    has_gap: bool,
    /// How many words it has.
    weight: usize,
}

impl Pattern {
    fn new(text: &str) -> Pattern {
        let phrases: Vec<Phrase> = text.split(['…', '&']).filter_map(Phrase::new).collect();
        let weight = text.replace(['…', '&'], " ").split_whitespace().count();
        Pattern { phrases, has_gap: text.contains('…'), weight }
    }

    /// The words in its gap if the pattern begins here. They are none if it has no gap.
    fn gap(&self, words: &Words<'_>, at: usize) -> Option<Range<usize>> {
        let (first, others) = self.phrases.split_first()?;
        let end = words.starts_with(first, at)?;
        match others.first().filter(|_| self.has_gap) {
            Some(after) => {
                let to = (end + 1..words.len()).find(|at| words.starts_with(after, *at).is_some())?;
                Some(end..to)
            }
            None if self.has_gap => (end < words.len()).then_some(end..words.len()),
            None => others.iter().all(|phrase| places(words, phrase).next().is_some()).then_some(end..end),
        }
    }
}

static PHRASES: LazyLock<BTreeMap<String, Phrases>> = LazyLock::new(|| {
    // A test reads the file: it can be read.
    let sections: BTreeMap<String, Section> =
        serde_saphyr::from_str(include_str!("intents.yaml")).unwrap_or_default();
    sections.into_iter().map(|(language, section)| (language, Phrases::of(section))).collect()
});

static NO_PHRASES: LazyLock<Phrases> = LazyLock::new(Phrases::default);

fn phrases(language: &str) -> &'static Phrases {
    let primary = language.split(['-', '_']).next().unwrap_or_default().to_ascii_lowercase();
    PHRASES.get(&primary).or_else(|| PHRASES.get(DEFAULT_LANGUAGE)).unwrap_or(&NO_PHRASES)
}

impl Phrases {
    fn of(section: Section) -> Phrases {
        let said = |texts: Vec<String>| texts.iter().filter_map(|text| Said::new(text)).collect();
        let phrases = |texts: Vec<String>| {
            let all = texts.iter().filter_map(|text| Phrase::new(text));
            ByLetter::of(all.map(|phrase| (phrase.first_letter(), phrase)))
        };
        let topics = section
            .topics
            .into_iter()
            .flat_map(|(topic, texts)| texts.into_iter().map(move |text| (topic, Pattern::new(&text))));
        Phrases {
            greetings: phrases(section.greetings),
            beside_greetings: phrases(section.beside_greetings),
            questions: phrases(section.questions),
            commands: phrases(section.commands),
            polite: phrases(section.polite),
            stops: said(section.stops),
            never_stops: said(section.never_stops),
            tongues: section
                .tongues
                .into_iter()
                .filter_map(|(name, code)| Some((Phrase::new(&name)?, code)))
                .collect(),
            topics: ByLetter::of(topics.map(|it| (it.1.phrases.first().and_then(Phrase::first_letter), it))),
            about_words: said(section.about_words),
        }
    }

    /// The code of the first language that is named.
    fn tongue(&self, words: &Words<'_>) -> Option<String> {
        let named = self.tongues.iter().find(|(name, _)| places(words, name).next().is_some());
        named.map(|(_, code)| code.clone())
    }

    /// A greeting alone is a greeting; before something else it is politeness. A question mark settles the rest.
    fn classify(&self, words: &Words<'_>, text: &str) -> (Kind, f64) {
        let before = self.polite.skip(words, 0);
        let greeted = self.greetings.skip(words, before);
        let is_greeting = greeted > before;
        let begun = self.courtesies(words, greeted);
        let opens_with = |phrases: &ByLetter<Phrase>| phrases.longest(words, begun).is_some();
        match () {
            () if is_greeting && begun >= words.len() => (Kind::Greeting, GREETING),
            () if text.trim_end().ends_with(['?', '？', '؟']) || text.contains('¿') => {
                (Kind::Question, MARKED_QUESTION)
            }
            () if opens_with(&self.questions) => (Kind::Question, QUESTION),
            () if opens_with(&self.commands) => (Kind::Command, COMMAND),
            () if is_greeting => (Kind::Greeting, GREETING),
            () => (Kind::Unknown, UNKNOWN),
        }
    }

    /// The position after a greeting and what may surround it.
    fn courtesies(&self, words: &Words<'_>, mut at: usize) -> usize {
        let around = [&self.beside_greetings, &self.polite, &self.greetings];
        while let Some(end) = around.iter().filter_map(|phrases| phrases.longest(words, at)).max() {
            at = end;
        }
        at
    }

    /// What it is about: the pattern of the most words counts, and of these the first.
    fn topic(&self, words: &Words<'_>, kind: Kind) -> Option<(Topic, Option<String>)> {
        let found = (0..words.len()).flat_map(|at| {
            let gap = move |(topic, pattern): &(Topic, Pattern)| {
                Some((*topic, pattern.weight, at, pattern.gap(words, at)?))
            };
            self.topics.at(words, at).iter().filter_map(gap)
        });
        let (topic, weight, _, gap) = found.max_by_key(|(_, weight, at, _)| (*weight, Reverse(*at)))?;
        // A statement may hold a word by chance.
        let is_meant = kind != Kind::Unknown || topic == Topic::Thanks || {
            let polite = (0..words.len()).filter(|at| self.polite.longest(words, *at).is_some()).count();
            weight * 2 >= words.iter().count().saturating_sub(polite)
        };
        is_meant.then(|| (topic, self.about(words, gap)))
    }

    /// What is in a gap, without words such as "the word" and "please" around it.
    fn about(&self, words: &Words<'_>, gap: Range<usize>) -> Option<String> {
        let (mut from, mut to) = (gap.start, gap.end);
        while let Some(end) = longest(words, from, &self.about_words).filter(|end| *end <= to) {
            from = end;
        }
        let ends_here = |to: usize| {
            let ends = |said: &Said| (from..to).find(|at| words.starts_with(&said.phrase, *at) == Some(to));
            self.about_words.iter().find_map(ends)
        };
        while let Some(begin) = ends_here(to) {
            to = begin;
        }
        (from < to).then(|| words.source(from..to).to_owned())
    }
}

/// The end of the longest of these phrases that begins here.
fn longest(words: &Words<'_>, at: usize, said: &[Said]) -> Option<usize> {
    said.iter().filter_map(|said| words.starts_with(&said.phrase, at)).max()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_language_can_be_read() {
        let sections: BTreeMap<String, Section> =
            serde_saphyr::from_str(include_str!("intents.yaml")).expect("the phrases can be read");
        assert_eq!(sections.keys().collect::<Vec<_>>(), ["de", "en", "es", "fr"]);
        assert_eq!(languages().count(), 4);
    }
}
