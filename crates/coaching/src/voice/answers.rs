//! Answers an intent without a model where it can, and asks a model where the rules have no answer.

use super::intent::{Intent, Kind, Topic};
use super::{Answer, By, Event, Manner, words};
use crate::ask::reply::object_with;
use crate::ask::{ModelAsk, Part, shape};
use crate::look::Subject;
use crate::pack::{Filler, Pack, without_notes};
use crate::rejected::{Rejected, read_given};
use crate::text::{Phrase, Target, Words, primary};
use crate::words::Text;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

/// The kind of effect that asks for the present [`Knowledge`] about the learner.
pub const KNOWLEDGE_KIND: &str = "knowledge";

/// The most subjects that one answer names.
const MAX_NAMED: usize = 3;
const MAX_OUTPUT_TOKENS: u32 = 400;
/// The time for an answer. A longer silence feels like a broken line.
const TIMEOUT_MS: u64 = 4_000;
const MAX_REPLY_CHARS: usize = 400;

/// The learner's clock and subjects. They come from the store, never from an earlier turn.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct Knowledge {
    pub now_us: i64,
    /// The time of day, such as 14:05.
    pub time: String,
    /// The day of the week; Monday is 1.
    pub weekday: i8,
    pub day: i8,
    pub month: i8,
    pub subjects: Vec<Subject>,
}

impl Knowledge {
    /// Returns the knowledge as the payload of an event.
    pub fn payload(&self) -> Value {
        json!({ "knowledge": self })
    }

    pub(super) fn read(payload: &Value) -> Result<Knowledge, Rejected> {
        let given = payload.get("knowledge").unwrap_or(&Value::Null);
        read_given(given).map_err(|why| words::unreadable("what is known", why))
    }
}

pub(super) fn needs_knowledge(intent: &Intent) -> bool {
    use Topic::{Date, Due, Progress, Start, Time};
    matches!(intent.topic, Some(Due | Progress | Time | Date | Start))
}

/// Whether the answer needs the learner's subjects. The time alone needs no look at them.
pub(super) fn needs_subjects(intent: &Intent) -> bool {
    matches!(intent.topic, Some(Topic::Due | Topic::Progress | Topic::Start))
}

/// The speaker who answers one intent. It has no way to know of another.
#[derive(Debug)]
pub(super) struct Speaker<'a> {
    pub packs: &'a [Pack],
    pub language: &'a str,
}

impl Speaker<'_> {
    /// Returns the answer, if the intent needs nothing else for it.
    pub(super) fn answer(&self, intent: &Intent, stops: bool) -> Option<Answer> {
        let say = match intent.topic {
            _ if stops => words::goodbye(),
            _ if intent.kind == Kind::Greeting => words::greeting(),
            Some(Topic::Define) => self.define(intent.about.as_deref()?, intent.tongue.as_deref())?,
            Some(Topic::Repeat) => return Some(manner(words::again(), Manner::Again)),
            Some(Topic::Slower) => return Some(manner(words::slower(), Manner::Slower)),
            Some(Topic::Help) => words::help(),
            Some(Topic::Name) => words::name(),
            Some(Topic::Thanks) => words::welcome(),
            Some(Topic::Course) => words::courses(),
            _ => return None,
        };
        Some(plain(say))
    }

    /// Answers from the knowledge about the learner.
    pub(super) fn knowing(&self, intent: &Intent, knowledge: &Knowledge) -> Answer {
        match intent.topic {
            Some(Topic::Due) => plain(due(knowledge)),
            Some(Topic::Progress) => plain(progress(knowledge)),
            Some(Topic::Time) => plain(words::time(&knowledge.time)),
            Some(Topic::Date) => plain(words::date(
                i32::from(knowledge.weekday),
                i32::from(knowledge.day),
                i32::from(knowledge.month),
            )),
            Some(Topic::Start) => self.start(intent, knowledge),
            _ => self.clarify(intent),
        }
    }

    /// Returns the words of a coach without an answer: it never pretends to have one.
    pub(super) fn clarify(&self, intent: &Intent) -> Answer {
        let unknown = intent.about.as_deref().filter(|_| intent.topic == Some(Topic::Define));
        plain(match intent.kind {
            _ if let Some(word) = unknown => words::unknown_word(word),
            Kind::Question => words::cannot_answer(),
            Kind::Command => words::cannot_do(),
            Kind::Greeting | Kind::Unknown => words::not_understood(),
        })
    }

    /// Explains a word of the packs, found by its text or by its meaning, in the language that was asked for. Packs
    /// in the learner's language come first. Returns `None` for a word that no pack teaches.
    fn define(&self, word: &str, tongue: Option<&str>) -> Option<Text> {
        let (own, others): (Vec<&Pack>, Vec<&Pack>) = self.packs.iter().partition(|pack| self.is_own(pack));
        defined(&own, word, tongue).or_else(|| defined(&others, word, tongue))
    }

    /// Whether a pack is written for learners who speak this language.
    fn is_own(&self, pack: &Pack) -> bool {
        is_in(&pack.explained_in, self.language)
    }

    /// Goes on with a drill: the pack or the language that was named, else the pack with the most that is due, else one
    /// that was begun.
    fn start(&self, intent: &Intent, knowledge: &Knowledge) -> Answer {
        let pack = |subject: &Subject| self.packs.iter().find(|pack| pack.id == subject.id);
        let mut drills: Vec<&Subject> =
            knowledge.subjects.iter().filter(|subject| subject.begin.flow == "drill").collect();
        drills.sort_by_key(|subject| !pack(subject).is_some_and(|pack| self.is_own(pack)));
        let named = intent.about.as_deref();
        let named = named.and_then(|about| drills.iter().find(|subject| names(subject, about)));
        let is_about =
            |subject: &Subject, tongue: &str| pack(subject).is_some_and(|pack| is_in(&pack.language, tongue));
        let tongue = intent.tongue.as_deref();
        let spoken = || tongue.and_then(|tongue| drills.iter().find(|subject| is_about(subject, tongue)));
        let is_unknown = tongue.is_some() && named.is_none() && spoken().is_none();
        // `max_by_key` takes the last of equals, so the order is reversed: of packs with as much that is due, the
        // first counts.
        let most_due = drills.iter().rev().filter(|subject| subject.due(knowledge.now_us) > 0);
        let most_due = most_due.max_by_key(|subject| subject.due(knowledge.now_us));
        let begun = || drills.iter().find(|subject| subject.known > 0);
        match named.or_else(spoken).or(most_due).or_else(begun).filter(|_| !is_unknown) {
            Some(subject) => Answer {
                next: Some((subject.begin.clone(), subject.title.clone())),
                ..plain(words::starts(&subject.title))
            },
            None => {
                let titles = drills.iter().take(MAX_NAMED).map(|subject| Text::from(&subject.title));
                plain(words::which_pack(titles.collect::<Vec<_>>()))
            }
        }
    }
}

/// Makes the question to a model: one intent, and nothing of any other turn.
pub(super) fn prompt(intent: &Intent, language: &str, turn: u64) -> ModelAsk {
    ModelAsk {
        number: turn,
        name: "voice_answer".to_owned(),
        system: include_str!("prompts/answer.md").replace("{language}", language),
        parts: vec![
            Part::Own(format!("The learner said this (kind: {}):", intent.kind.as_str())),
            Part::Learner(intent.text.clone()),
        ],
        schema: shape::object([("answer", shape::text(MAX_REPLY_CHARS))]),
        max_output_tokens: MAX_OUTPUT_TOKENS,
        timeout_ms: TIMEOUT_MS,
        answered_by: Event::Answered.name().to_owned(),
        shown: Vec::new(),
    }
}

/// Reads the answer in a model's reply. Refuses one that has no words or is too long.
pub(super) fn reply(reply: &Value) -> Result<Answer, Rejected> {
    let answer = object_with(reply, "answer").and_then(|mut reply| reply.remove("answer"));
    let text = answer.as_ref().and_then(Value::as_str).map(str::trim).unwrap_or_default();
    if Words::new(text).is_empty() || text.chars().count() > MAX_REPLY_CHARS {
        let why = format!("`answer` must have words, and at most {MAX_REPLY_CHARS} characters");
        return Err(words::unreadable("the reply", why));
    }
    Ok(Answer { say: text.into(), ..Answer::of(By::Model) })
}

fn plain(say: Text) -> Answer {
    Answer { say, ..Answer::of(By::Rules) }
}

fn manner(say: Text, manner: Manner) -> Answer {
    Answer { manner, ..plain(say) }
}

fn due(knowledge: &Knowledge) -> Text {
    let counted = knowledge.subjects.iter().map(|subject| (subject.due(knowledge.now_us), subject));
    let mut due: Vec<(usize, &Subject)> = counted.collect();
    due.retain(|(count, _)| *count > 0);
    due.sort_by_key(|(count, _)| std::cmp::Reverse(*count));
    let all: usize = due.iter().map(|(count, _)| count).sum();
    let named = due.iter().take(MAX_NAMED).map(|(count, subject)| words::due_in(*count, &subject.title));
    if !knowledge.subjects.iter().any(is_begun) {
        return words::nothing_begun();
    }
    if all == 0 { words::nothing_due() } else { words::due(all, named.collect::<Vec<_>>()) }
}

fn progress(knowledge: &Knowledge) -> Text {
    let mut begun: Vec<&Subject> = knowledge.subjects.iter().filter(|subject| is_begun(subject)).collect();
    begun.sort_by_key(|subject| std::cmp::Reverse(subject.known));
    let named = begun.iter().take(MAX_NAMED);
    let named = named.map(|subject| words::progress_in(&subject.title, subject.known, subject.of));
    if begun.is_empty() { words::nothing_begun() } else { words::progress(named.collect::<Vec<_>>()) }
}

fn is_begun(subject: &Subject) -> bool {
    subject.known > 0 || !subject.due_us.is_empty()
}

/// Whether `about` names a subject: one of its words of more than three letters is in the title or the id.
fn names(subject: &Subject, about: &str) -> bool {
    let known = format!("{} {}", subject.title, subject.id.replace(['-', '_'], " "));
    let known = Words::new(&known);
    let is_there = |word: &str| Phrase::new(word).is_some_and(|word| known.contains(&word));
    let mut telling = about.split_whitespace().filter(|word| word.chars().count() > 3).peekable();
    telling.peek().is_some() && telling.any(is_there)
}

/// Explains a word, found by its text or else by its meaning.
fn defined(packs: &[&Pack], word: &str, tongue: Option<&str>) -> Option<Text> {
    let is_wanted = |language: &str| tongue.is_none_or(|tongue| is_in(language, tongue));
    let mut explained =
        packs.iter().filter(|pack| is_wanted(&pack.explained_in)).flat_map(|pack| taught(pack));
    let by_text = explained.find_map(|item| Some((shown(item.way(word)?), item.means)));
    if let Some((text, means)) = by_text {
        return Some(if tongue.is_some() { words::is_said(text, means) } else { words::means(text, means) });
    }
    let mut spoken = packs.iter().filter(|pack| is_wanted(&pack.language)).flat_map(|pack| taught(pack));
    let by_meaning = spoken.find(|item| has_meaning(item.means, word))?;
    Some(words::is_said(word, shown(by_meaning.ways.first()?)))
}

/// Something that a pack teaches.
struct Taught<'p> {
    /// Every way to say it, the usual one first.
    ways: Vec<String>,
    means: &'p str,
}

impl Taught<'_> {
    fn way(&self, word: &str) -> Option<&str> {
        self.ways.iter().map(String::as_str).find(|way| is_same(way, word))
    }
}

/// Returns everything that a pack teaches: its items, and the words for their gaps.
fn taught(pack: &Pack) -> impl Iterator<Item = Taught<'_>> {
    pack.items.iter().flat_map(|item| {
        let also = item.also.iter().filter_map(|text| Target::parse(text).ok());
        let ways = written(&item.target).into_iter().chain(also.flat_map(|also| written(&also))).collect();
        [Taught { ways, means: &item.meaning }].into_iter().chain(item.fill.iter().filter_map(filler))
    })
}

/// Returns every phrase that a target stands for, as it is written.
fn written(target: &Target) -> Vec<String> {
    target.phrases().iter().map(|reading| reading.text.clone()).collect()
}

fn filler(filler: &Filler) -> Option<Taught<'_>> {
    Some(Taught { ways: vec![filler.say.clone()], means: filler.gloss()? })
}

/// Whether two tags name the same language, whatever the region.
fn is_in(tag: &str, language: &str) -> bool {
    primary(tag) == primary(language)
}

/// Returns a text as it is shown, with an ellipsis for a gap.
fn shown(text: &str) -> String {
    text.replace("___", "…")
}

/// Whether one of the meanings is this word. Notes in parentheses are none.
fn has_meaning(meaning: &str, word: &str) -> bool {
    without_notes(meaning).split([',', ';', '/']).any(|one| is_same(one, word))
}

/// Whether two texts have the same words, whatever their case and marks. An article or a "to" before one of them
/// does not matter.
fn is_same(a: &str, b: &str) -> bool {
    let folded = |text: &str| -> Vec<String> {
        Words::new(text).iter().map(|(_, letters)| letters.to_owned()).collect()
    };
    let (a, b) = (folded(a), folded(b));
    let bare = |words: &[String]| match words {
        [first, rest @ ..] if !rest.is_empty() && ARTICLES.contains(&first.as_str()) => rest.to_vec(),
        words => words.to_vec(),
    };
    !b.is_empty() && (a == b || bare(&a) == bare(&b))
}

const ARTICLES: [&str; 19] = [
    "a", "an", "the", "to", "der", "die", "das", "ein", "eine", "einen", "el", "la", "los", "las", "un",
    "una", "le", "les", "une",
];
