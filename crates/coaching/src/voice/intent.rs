//! What kind of thing was said, how sure that is, and what it is about: a pure function of one utterance.
//!
//! The phrases are data, `intents.yaml`, one section per language. A language without a section is read as English.

use super::words;
use crate::rejected::Rejected;
use crate::text::{Phrase, Words};
use crate::words::DEFAULT_LANGUAGE;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
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
        let (kind, confidence) = match own.classify(&words, text) {
            (Kind::Unknown, _) => english.classify(&words, text),
            known => known,
        };
        let about = |phrases: &Phrases| phrases.topic(&words);
        let topic = if kind == Kind::Greeting { None } else { about(own).or_else(|| about(english)) };
        let (topic, about) = topic.map_or((None, None), |(topic, about)| (Some(topic), about));
        Ok(Intent { kind, confidence, text: text.trim().to_owned(), topic, about })
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
    let free = |at: &Range<usize>| !own.never_stops.iter().any(|never| covers(&words, &never.phrase, at));
    let law = everywhere.split(',').filter_map(Said::new).map(|said| (said, true));
    let own_stops = own.stops.iter().cloned().map(|said| (said, false));
    let is_brief = words.iter().count() <= MAX_WORDS_AROUND_STOP;
    let is_here = |(said, counts_everywhere): &(Said, bool)| {
        (*counts_everywhere || is_brief) && places(&words, &said.phrase).any(|at| free(&at))
    };
    law.chain(own_stops).find(is_here).map(|(said, _)| said.text)
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
    topics: BTreeMap<Topic, Vec<String>>,
    about_words: Vec<String>,
}

/// The same, ready to be searched for.
#[derive(Debug, Default)]
struct Phrases {
    greetings: Vec<Said>,
    beside_greetings: Vec<Said>,
    questions: Vec<Said>,
    commands: Vec<Said>,
    polite: Vec<Said>,
    stops: Vec<Said>,
    never_stops: Vec<Said>,
    topics: Vec<(Topic, Vec<Pattern>)>,
    about_words: Vec<Said>,
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

/// A phrase, perhaps around what it is about: `what does … mean`.
#[derive(Debug)]
struct Pattern {
    before: Option<Phrase>,
    has_gap: bool,
    after: Option<Phrase>,
}

impl Pattern {
    fn new(text: &str) -> Pattern {
        match text.split_once('…') {
            Some((before, after)) => {
                Pattern { before: Phrase::new(before), has_gap: true, after: Phrase::new(after) }
            }
            None => Pattern { before: Phrase::new(text), has_gap: false, after: None },
        }
    }

    /// Where the pattern is: the words in its gap, which are none if it has no gap.
    fn find(&self, words: &Words<'_>) -> Option<Range<usize>> {
        let before = self.before.as_ref()?;
        places(words, before).find_map(|place| match (&self.after, self.has_gap) {
            (_, false) => Some(place.end..place.end),
            (None, true) => (place.end < words.len()).then_some(place.end..words.len()),
            (Some(after), true) => {
                let end = (place.end + 1..words.len()).find(|at| words.starts_with(after, *at).is_some())?;
                Some(place.end..end)
            }
        })
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
        let patterns = |(topic, texts): (Topic, Vec<String>)| {
            (topic, texts.iter().map(|text| Pattern::new(text)).collect())
        };
        Phrases {
            greetings: said(section.greetings),
            beside_greetings: said(section.beside_greetings),
            questions: said(section.questions),
            commands: said(section.commands),
            polite: said(section.polite),
            stops: said(section.stops),
            never_stops: said(section.never_stops),
            topics: section.topics.into_iter().map(patterns).collect(),
            about_words: said(section.about_words),
        }
    }

    /// A greeting alone is a greeting; before something else it is politeness. A question mark settles the rest.
    fn classify(&self, words: &Words<'_>, text: &str) -> (Kind, f64) {
        let greeted = self.skip(words, 0, &self.greetings);
        let is_greeting = greeted > 0;
        let begun = self.skip(words, self.skip(words, greeted, &self.beside_greetings), &self.polite);
        let opens_with = |said: &[Said]| begun < words.len() && longest(words, begun, said).is_some();
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

    /// The position after as many of these phrases as follow one another.
    fn skip(&self, words: &Words<'_>, mut at: usize, said: &[Said]) -> usize {
        while let Some(end) = longest(words, at, said) {
            at = end;
        }
        at
    }

    fn topic(&self, words: &Words<'_>) -> Option<(Topic, Option<String>)> {
        self.topics.iter().find_map(|(topic, patterns)| {
            let gap = patterns.iter().find_map(|pattern| pattern.find(words))?;
            Some((*topic, self.about(words, gap)))
        })
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
