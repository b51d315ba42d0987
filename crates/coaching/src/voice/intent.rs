//! Parses one utterance, as a pure function: its kind, how sure that is, and its topic.
//!
//! The phrases are data, `intents.yaml`, one section per language. A language without a section is read as English.

use super::words;
use crate::rejected::Rejected;
use crate::text::{Phrase, Words, primary};
use crate::words::DEFAULT_LANGUAGE;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use std::cell::LazyCell;
use std::cmp::Reverse;
use std::collections::{BTreeMap, HashMap};
use std::ops::Range;
use std::sync::LazyLock;

/// The confidence of the rules, by what they rest on.
const GREETING: f64 = 0.95;
const MARKED_QUESTION: f64 = 1.0;
const QUESTION: f64 = 0.85;
const COMMAND: f64 = 0.75;
const UNKNOWN: f64 = 0.10;

/// The most words around a stop phrase of the language's own. With more it does not count: "halt" is also a filler
/// in German.
const MAX_WORDS_AROUND_STOP: usize = 3;
/// The most words of a choice. "German, please" is one; a longer sentence only mentions a language.
const MAX_WORDS_OF_A_CHOICE: usize = 4;
/// The marks that end a clause.
const MARKS: [char; 5] = ['.', ',', ';', '!', '?'];
/// The placeholder for the name of a language in the phrases.
const A_LANGUAGE: &str = "<language>";

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Kind {
    Greeting,
    Question,
    Command,
    Unknown,
}

/// The topic of an utterance, as far as a coach can answer it.
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
    /// A course, which is no drill.
    Course,
}

/// The meaning of one utterance.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Intent {
    pub kind: Kind,
    /// From 0 to 1.
    pub confidence: f64,
    /// The utterance.
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
    /// Parses one utterance. Refuses one without a word in it.
    pub fn parse(text: &str, language: &str) -> Result<Intent, Rejected> {
        let words = Words::new(text);
        if words.is_empty() {
            return Err(words::nothing_said());
        }
        let spoken = spoken(language);
        let (kind, confidence) = classified(&words, text, spoken);
        let found = topic(&words, kind, spoken);
        let about = found.as_ref().and_then(|(phrases, _, gap)| phrases.about(&words, gap.clone()));
        let topic = found.map(|(_, topic, _)| topic);
        let tongue = spoken.iter().find_map(|phrases| phrases.tongue(&words));
        let intent = Intent { kind, confidence, text: text.trim().to_owned(), topic, about, tongue };
        let may_choose = words.len() <= MAX_WORDS_OF_A_CHOICE && is_wished(&words, 0, spoken);
        Ok(if may_choose { intent.choosing() } else { intent })
    }
}

/// Returns the kind of an utterance, and how sure it is. A clause after a statement may say what is wanted: "I
/// didn't catch that, please repeat it".
fn classified(words: &Words<'_>, text: &str, spoken: Spoken) -> (Kind, f64) {
    let clauses = text.split([',', '.', ';', '!']).skip(1).map(|clause| (Words::new(clause), clause));
    let whole = spoken.into_iter().map(|phrases| phrases.classify(words, text));
    let of_clauses = clauses.map(|(words, clause)| spoken[0].classify(&words, clause));
    let known = whole.chain(of_clauses).find(|(kind, _)| *kind != Kind::Unknown);
    known.unwrap_or((Kind::Unknown, UNKNOWN))
}

/// Returns the topic of an utterance with the phrases that found it, and where the gap of the phrase is.
fn topic(words: &Words<'_>, kind: Kind, spoken: Spoken) -> Option<(&'static Phrases, Topic, Range<usize>)> {
    let found = |phrases: &'static Phrases| {
        let (topic, gap) = phrases.topic(words, kind, |at| is_wished(words, at, spoken))?;
        Some((phrases, topic, gap))
    };
    if kind == Kind::Greeting { None } else { spoken.into_iter().find_map(found) }
}

/// Whether the thing that is named here is wanted, and neither asked about nor refused: "what is a drill", "don't
/// start a drill".
fn is_wished(words: &Words<'_>, at: usize, spoken: Spoken) -> bool {
    let clause = clause(words, at);
    let asks = |phrases: &Phrases| {
        let begun = phrases.courtesies(words, clause.start);
        phrases.asks_about.longest(words, begun).is_some()
    };
    let refuses = |phrases: &Phrases| clause.clone().any(|at| phrases.refusals.longest(words, at).is_some());
    !spoken.into_iter().any(|phrases| asks(phrases) || refuses(phrases))
}

/// Returns the words between two marks, around `at`.
fn clause(words: &Words<'_>, at: usize) -> Range<usize> {
    let begins = |at: &usize| ends_clause(words, *at);
    let start = (1..=at).rev().find(begins).unwrap_or(0);
    start..(at + 1..words.len()).find(begins).unwrap_or(words.len())
}

/// Whether a clause has ended before this word.
fn ends_clause(words: &Words<'_>, at: usize) -> bool {
    words.source(at - 1..at + 1).contains(MARKS)
}

impl Intent {
    /// Completes an intent with its topic, for a service beside Etude that tells only the kind.
    pub(super) fn completed(self, language: &str) -> Intent {
        match Intent::parse(&self.text, language) {
            Ok(Intent { topic, about, tongue, .. }) => Intent { topic, about, tongue, ..self },
            Err(_) => self,
        }
    }

    /// Turns the name of a language alone into a request for a drill in it.
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

/// Returns the languages that are understood.
pub fn languages() -> impl Iterator<Item = &'static str> {
    PHRASES.keys().map(String::as_str)
}

/// Returns the first stop word in a text: one of `everywhere`, which are the law's, or a phrase of the language. A
/// word inside another does not count ("nonstop"), nor does one that is asked not to happen ("don't stop"), nor one
/// whose meaning is asked for ("was heißt Tschüss").
pub fn stop_word(text: &str, everywhere: &str, language: &str) -> Option<String> {
    let words = Words::new(text);
    let spoken = spoken(language);
    let asked = LazyCell::new(|| {
        let asked = topic(&words, classified(&words, text, spoken).0, spoken);
        asked.filter(|(_, topic, _)| *topic == Topic::Define).map(|(.., gap)| gap)
    });
    let is_denied = |at: &Range<usize>| {
        let mut never = spoken.iter().flat_map(|phrases| &phrases.never_stops);
        never.any(|never| covers(&words, &never.phrase, at))
    };
    let is_asked = |at: &Range<usize>| asked.as_ref().is_some_and(|gap| holds(gap, at));
    let counts = |at: &Range<usize>| !is_denied(at) && !is_asked(at);
    let may_hold = |word: &&str| !(text.is_ascii() && word.is_ascii()) || holds_ascii(text, word.trim());
    let mut of_law = everywhere.split(',').filter(may_hold).filter_map(Said::new);
    let law = of_law.find(|said| places(&words, &said.phrase).any(|at| counts(&at)));
    let is_brief = |at: &Range<usize>| spoken[0].words_around(&words, at) <= MAX_WORDS_AROUND_STOP;
    let ends = |said: &&Said| places(&words, &said.phrase).any(|at| is_brief(&at) && counts(&at));
    law.map(|said| said.text).or_else(|| spoken[0].stops.iter().find(ends).map(|said| said.text.clone()))
}

/// Whether a text holds a word, whatever the case. Most texts do not, and need not be searched more closely.
fn holds_ascii(text: &str, word: &str) -> bool {
    let is_here = |part: &[u8]| part.eq_ignore_ascii_case(word.as_bytes());
    word.is_empty() || text.as_bytes().windows(word.len()).any(is_here)
}

/// Returns every place of a phrase.
fn places<'a>(words: &'a Words<'_>, phrase: &'a Phrase) -> impl Iterator<Item = Range<usize>> + 'a {
    (0..words.len()).filter_map(|at| words.starts_with(phrase, at).map(|end| at..end))
}

/// Whether the phrase occurs around a place.
fn covers(words: &Words<'_>, phrase: &Phrase, place: &Range<usize>) -> bool {
    places(words, phrase).any(|around| holds(&around, place))
}

fn holds(around: &Range<usize>, place: &Range<usize>) -> bool {
    around.start <= place.start && place.end <= around.end
}

/// The section of a language, as the file has it.
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
    #[serde(default)]
    asks_about: Vec<String>,
    #[serde(default)]
    refusals: Vec<String>,
}

/// A section that is ready to be searched for.
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
    tongues: ByLetter<(Phrase, String)>,
    topics: ByLetter<(Topic, Pattern)>,
    about_words: Vec<Spot>,
    /// The beginnings of clauses that ask about something, and do not ask for it.
    asks_about: ByLetter<Phrase>,
    /// The phrases of clauses that do not want something.
    refusals: ByLetter<Phrase>,
}

/// The phrases that a learner may use: those of their language, and the English ones.
type Spoken = [&'static Phrases; 2];

fn spoken(language: &str) -> Spoken {
    [phrases(language), phrases(DEFAULT_LANGUAGE)]
}

/// Things that are looked for, by their first letter.
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

    /// Returns the things that may begin here.
    fn at(&self, words: &Words<'_>, at: usize) -> &[T] {
        let letter = (at < words.len()).then(|| words.letters(at..at + 1).chars().next()).flatten();
        letter.and_then(|letter| self.0.get(&letter)).map(Vec::as_slice).unwrap_or_default()
    }
}

impl ByLetter<Phrase> {
    /// Returns the end of the longest of these phrases that begins here.
    fn longest(&self, words: &Words<'_>, at: usize) -> Option<usize> {
        self.at(words, at).iter().filter_map(|phrase| words.starts_with(phrase, at)).max()
    }

    /// Returns the position after as many of these phrases as follow one another.
    fn skip(&self, words: &Words<'_>, mut at: usize) -> usize {
        while let Some(end) = self.longest(words, at) {
            at = end;
        }
        at
    }
}

/// A phrase, and the text that it was written as.
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

/// A phrase, perhaps with the name of a language after it: `in <language>`.
#[derive(Debug)]
struct Spot {
    phrase: Phrase,
    names_language: bool,
}

impl Spot {
    fn new(text: &str) -> Option<Spot> {
        let bare = text.trim().trim_end_matches(A_LANGUAGE);
        Some(Spot { phrase: Phrase::new(bare)?, names_language: bare.len() < text.trim().len() })
    }

    /// Returns where it ends if it begins here.
    fn end(&self, words: &Words<'_>, at: usize, phrases: &Phrases) -> Option<usize> {
        let end = words.starts_with(&self.phrase, at)?;
        if self.names_language { phrases.tongue_at(words, end).map(|(end, _)| end) } else { Some(end) }
    }
}

/// A phrase, perhaps around the thing that it is about: `what does … mean`; or phrases that are all there, in any
/// order: `words & today`.
#[derive(Debug)]
struct Pattern {
    spots: Vec<Spot>,
    has_gap: bool,
    /// The number of its words.
    weight: usize,
}

impl Pattern {
    fn new(text: &str) -> Pattern {
        let spots = text.split(['…', '&']).filter_map(Spot::new).collect();
        let weight = text.replace(['…', '&'], " ").split_whitespace().count();
        Pattern { spots, has_gap: text.contains('…'), weight }
    }

    /// Returns the words in its gap if the pattern begins here. Without a gap the range is empty. A gap at the end
    /// reaches to the next mark.
    fn gap(&self, words: &Words<'_>, at: usize, phrases: &Phrases) -> Option<Range<usize>> {
        let (first, others) = self.spots.split_first()?;
        let end = first.end(words, at, phrases)?;
        let is_here = |spot: &Spot, at: usize| spot.end(words, at, phrases).is_some();
        match others.first().filter(|_| self.has_gap) {
            Some(after) => {
                let to = (end + 1..words.len()).find(|at| is_here(after, *at))?;
                Some(end..to)
            }
            None if self.has_gap => (end < words.len()).then(|| end..clause(words, end).end),
            None => {
                let is_anywhere = |spot: &Spot| (0..words.len()).any(|at| is_here(spot, at));
                others.iter().all(is_anywhere).then_some(end..end)
            }
        }
    }
}

static PHRASES: LazyLock<BTreeMap<String, Phrases>> = LazyLock::new(|| {
    // A test makes sure that the file can be read.
    let sections: BTreeMap<String, Section> =
        serde_saphyr::from_str(include_str!("intents.yaml")).unwrap_or_default();
    sections.into_iter().map(|(language, section)| (language, Phrases::of(section))).collect()
});

static NO_PHRASES: LazyLock<Phrases> = LazyLock::new(Phrases::default);

fn phrases(language: &str) -> &'static Phrases {
    PHRASES.get(&primary(language)).or_else(|| PHRASES.get(DEFAULT_LANGUAGE)).unwrap_or(&NO_PHRASES)
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
        let letter = |spot: &Spot| spot.phrase.first_letter();
        let named = section.tongues.into_iter();
        let tongues = named.filter_map(|(name, code)| Some((Phrase::new(&name)?, code)));
        Phrases {
            greetings: phrases(section.greetings),
            beside_greetings: phrases(section.beside_greetings),
            questions: phrases(section.questions),
            commands: phrases(section.commands),
            polite: phrases(section.polite),
            stops: said(section.stops),
            never_stops: said(section.never_stops),
            tongues: ByLetter::of(tongues.map(|it| (it.0.first_letter(), it))),
            topics: ByLetter::of(topics.map(|it| (it.1.spots.first().and_then(letter), it))),
            about_words: section.about_words.iter().filter_map(|text| Spot::new(text)).collect(),
            asks_about: phrases(section.asks_about),
            refusals: phrases(section.refusals),
        }
    }

    /// Returns the code of the first language that is named.
    fn tongue(&self, words: &Words<'_>) -> Option<String> {
        (0..words.len()).find_map(|at| self.tongue_at(words, at)).map(|(_, code)| code.to_owned())
    }

    /// Returns where the name of a language ends if it begins here, and the language's code.
    fn tongue_at(&self, words: &Words<'_>, at: usize) -> Option<(usize, &str)> {
        let named = self.tongues.at(words, at).iter();
        named.filter_map(|(name, code)| Some((words.starts_with(name, at)?, code.as_str()))).next()
    }

    /// Returns how many words are around a place, without polite ones.
    fn words_around(&self, words: &Words<'_>, place: &Range<usize>) -> usize {
        let (mut count, mut at) = (0, 0);
        while at < words.len() {
            let polite = if at == place.start { Some(place.end) } else { self.polite.longest(words, at) };
            count += usize::from(polite.is_none());
            at = polite.unwrap_or_else(|| words.word_end(at));
        }
        count
    }

    /// Classifies an utterance. A greeting alone is a greeting; before something else it is politeness. A question
    /// mark settles the rest.
    fn classify(&self, words: &Words<'_>, text: &str) -> (Kind, f64) {
        let before = self.polite.skip(words, 0);
        let greeted = self.greetings.skip(words, before);
        let is_greeting = greeted > before;
        let begun = if is_greeting { self.courtesies(words, greeted) } else { before };
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

    /// Returns the position after a greeting and the words that may surround it.
    fn courtesies(&self, words: &Words<'_>, mut at: usize) -> usize {
        let around = [&self.beside_greetings, &self.polite, &self.greetings];
        while let Some(end) = around.iter().filter_map(|phrases| phrases.longest(words, at)).max() {
            at = end;
        }
        at
    }

    /// Returns the topic and the gap of the phrase that tells it: the pattern of the most words counts, and of
    /// equal ones the first. Nothing is started that the speaker does not wish.
    fn topic(
        &self,
        words: &Words<'_>,
        kind: Kind,
        is_wished: impl Fn(usize) -> bool + Copy,
    ) -> Option<(Topic, Range<usize>)> {
        let found = (0..words.len()).flat_map(|at| {
            let gap = move |(topic, pattern): &(Topic, Pattern)| {
                let gap = pattern.gap(words, at, self)?;
                (!matches!(topic, Topic::Start | Topic::Course) || is_wished(at)).then_some((
                    *topic,
                    pattern.weight,
                    at,
                    gap,
                ))
            };
            self.topics.at(words, at).iter().filter_map(gap)
        });
        let is_slow = || found.clone().any(|(topic, ..)| topic == Topic::Slower);
        let (topic, weight, _, gap) =
            found.clone().max_by_key(|(_, weight, at, _)| (*weight, Reverse(*at)))?;
        // A statement may hold a word by chance.
        let is_meant = kind != Kind::Unknown || topic == Topic::Thanks || {
            let polite = (0..words.len()).filter(|at| self.polite.longest(words, *at).is_some()).count();
            weight * 2 >= words.iter().count().saturating_sub(polite)
        };
        // "Repeat that slowly" is about the pace.
        let topic = if topic == Topic::Repeat && is_slow() { Topic::Slower } else { topic };
        is_meant.then_some((topic, gap))
    }

    /// Returns the text of a gap, without words such as "the word" and "please" around it.
    fn about(&self, words: &Words<'_>, gap: Range<usize>) -> Option<String> {
        let (mut from, mut to) = (gap.start, gap.end);
        let ends = |at: usize| self.about_words.iter().filter_map(move |spot| spot.end(words, at, self));
        while let Some(end) = ends(from).filter(|end| *end <= to).max() {
            from = end;
        }
        while let Some(begin) = (from..to).find(|at| ends(*at).any(|end| end == to)) {
            to = begin;
        }
        (from < to).then(|| words.source(from..to).to_owned())
    }
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
