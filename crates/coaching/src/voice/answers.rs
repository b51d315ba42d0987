//! What a coach can answer without a model, and what a model is asked where the rules have no answer.

use super::intent::{Intent, Kind, Topic};
use super::{Answer, By, Event, Manner, words};
use crate::ask::reply::object_with;
use crate::ask::{ModelAsk, Part};
use crate::look::Subject;
use crate::pack::Pack;
use crate::rejected::{Rejected, read_given};
use crate::text::{Phrase, Words};
use crate::words::Text;
use flow::Name;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

/// The kind of effect that asks what is known about the learner now.
pub const KNOWLEDGE_KIND: &str = "knowledge";

/// The most subjects that one answer names.
const MAX_NAMED: usize = 3;
const MAX_OUTPUT_TOKENS: u32 = 400;
/// A longer silence feels like a broken line.
const TIMEOUT_MS: u64 = 4_000;
const MAX_REPLY_CHARS: usize = 400;

/// The learner's clock and what they learn. It comes from the store, never from an earlier turn.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct Knowledge {
    pub now_us: i64,
    /// Such as 14:05.
    pub time: String,
    /// Monday = 1
    pub weekday: i8,
    pub day: i8,
    pub month: i8,
    pub subjects: Vec<Subject>,
}

impl Knowledge {
    /// The knowledge as the payload of an event.
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

/// Whether what the learner learns is asked for; the time alone needs no look at it.
pub(super) fn needs_subjects(intent: &Intent) -> bool {
    matches!(intent.topic, Some(Topic::Due | Topic::Progress | Topic::Start))
}

/// Answers one intent. It has no way to know of another.
#[derive(Debug)]
pub(super) struct Speaker<'a> {
    pub packs: &'a [Pack],
    pub language: &'a str,
}

impl Speaker<'_> {
    /// The answer that needs nothing else.
    pub(super) fn answer(&self, intent: &Intent, stops: bool) -> Option<Answer> {
        let say = match intent.topic {
            _ if stops => words::goodbye(),
            _ if intent.kind == Kind::Greeting => words::greeting(),
            Some(Topic::Define) => self.define(intent.about.as_deref()?, intent.tongue.as_deref()),
            Some(Topic::Repeat) => return Some(manner(words::again(), Manner::Again)),
            Some(Topic::Slower) => return Some(manner(words::slower(), Manner::Slower)),
            Some(Topic::Help) => words::help(),
            Some(Topic::Name) => words::name(),
            Some(Topic::Thanks) => words::welcome(),
            _ => return None,
        };
        Some(plain(say))
    }

    /// The answer from what is known of the learner.
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

    /// What the coach says if it has no answer: it never pretends to have one.
    pub(super) fn clarify(&self, intent: &Intent) -> Answer {
        plain(match intent.kind {
            Kind::Question => words::cannot_answer(),
            Kind::Command => words::cannot_do(),
            Kind::Greeting | Kind::Unknown => words::not_understood(),
        })
    }

    /// A word of the packs by what it is or by what it means, in the language that was asked for. Packs in the learner's
    /// language come first.
    fn define(&self, word: &str, tongue: Option<&str>) -> Text {
        let own = |pack: &&Pack| !pack.explained_in.starts_with(self.language);
        let mut packs: Vec<&Pack> = self.packs.iter().collect();
        packs.sort_by_key(own);
        let is_wanted = |language: &str| tongue.is_none_or(|tongue| language.starts_with(tongue));
        let explained =
            packs.iter().filter(|pack| is_wanted(&pack.explained_in)).flat_map(|pack| taught(pack));
        let spoken = packs.iter().filter(|pack| is_wanted(&pack.language)).flat_map(|pack| taught(pack));
        let by_text = { explained }.find(|(text, _)| is_same(text, word));
        let by_meaning = || { spoken }.find(|(_, means)| meanings(means).any(|one| is_same(one, word)));
        match by_text {
            Some((text, means)) if tongue.is_some() => words::is_said(shown(text), means),
            Some((text, means)) => words::means(shown(text), means),
            None => match by_meaning() {
                Some((text, _)) => words::is_said(word, shown(text)),
                None => words::unknown_word(word),
            },
        }
    }

    /// Goes on with a drill: the pack or the language that was named, else the pack with the most that is due, else one
    /// that was begun.
    fn start(&self, intent: &Intent, knowledge: &Knowledge) -> Answer {
        let drills: Vec<&Subject> =
            knowledge.subjects.iter().filter(|subject| subject.begin.flow == "drill").collect();
        let named = intent.about.as_deref();
        let named = named.and_then(|about| drills.iter().find(|subject| names(subject, about)));
        let is_in = |subject: &Subject, tongue: &str| {
            self.packs.iter().any(|pack| pack.id == subject.id && pack.language.starts_with(tongue))
        };
        let tongue = intent.tongue.as_deref();
        let spoken = || tongue.and_then(|tongue| drills.iter().find(|subject| is_in(subject, tongue)));
        let is_unknown = tongue.is_some() && named.is_none() && spoken().is_none();
        let most_due = drills.iter().filter(|subject| due_count(subject, knowledge.now_us) > 0);
        let most_due = most_due.max_by_key(|subject| due_count(subject, knowledge.now_us));
        let begun = || drills.iter().find(|subject| subject.known > 0);
        match named.or_else(spoken).or(most_due).or_else(begun).filter(|_| !is_unknown) {
            Some(subject) => Answer {
                next: Some((subject.begin.clone(), subject.title.clone())),
                ..plain(words::starts(&subject.title))
            },
            None => {
                let titles = drills.iter().map(|subject| Text::from(&subject.title)).collect::<Vec<_>>();
                plain(words::which_pack(titles))
            }
        }
    }
}

/// What a model is asked: one intent, and nothing of any other turn.
pub(super) fn prompt(intent: &Intent, language: &str, turn: u64) -> ModelAsk {
    ModelAsk {
        number: turn,
        name: "voice_answer".to_owned(),
        system: include_str!("prompts/answer.md").replace("{language}", language),
        parts: vec![
            Part::Own(format!("The learner said this (kind: {}):", intent.kind.as_str())),
            Part::Learner(intent.text.clone()),
        ],
        schema: json!({
            "type": "object",
            "properties": {"answer": {"type": "string", "minLength": 1, "maxLength": MAX_REPLY_CHARS}},
            "required": ["answer"],
            "additionalProperties": false
        }),
        max_output_tokens: MAX_OUTPUT_TOKENS,
        timeout_ms: TIMEOUT_MS,
        answered_by: Event::Answered.name().to_owned(),
        shown: Vec::new(),
    }
}

/// The answer in a reply of a model.
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
    let counted = |subject| (due_count(subject, knowledge.now_us), subject);
    let mut due: Vec<(usize, &Subject)> = knowledge.subjects.iter().map(counted).collect();
    due.retain(|(count, _)| *count > 0);
    due.sort_by_key(|(count, _)| std::cmp::Reverse(*count));
    let all: usize = due.iter().map(|(count, _)| count).sum();
    let named = due.iter().take(MAX_NAMED).map(|(count, subject)| words::due_in(*count, &subject.title));
    if all == 0 { words::nothing_due() } else { words::due(all, named.collect::<Vec<_>>()) }
}

fn progress(knowledge: &Knowledge) -> Text {
    let mut begun: Vec<&Subject> =
        knowledge.subjects.iter().filter(|subject| subject.known > 0 || !subject.due_us.is_empty()).collect();
    begun.sort_by_key(|subject| std::cmp::Reverse(subject.known));
    let named = begun.iter().take(MAX_NAMED);
    let named = named.map(|subject| words::progress_in(&subject.title, subject.known, subject.of));
    if begun.is_empty() { words::nothing_begun() } else { words::progress(named.collect::<Vec<_>>()) }
}

fn due_count(subject: &Subject, now_us: i64) -> usize {
    subject.due_us.iter().filter(|at_us| **at_us <= now_us).count()
}

/// Whether a subject is meant: by a word of its title or its id.
fn names(subject: &Subject, about: &str) -> bool {
    let known = format!("{} {}", subject.title, subject.id.replace(['-', '_'], " "));
    let known = Words::new(&known);
    let is_there = |word: &str| Phrase::new(word).is_some_and(|word| known.contains(&word));
    let mut telling = about.split_whitespace().filter(|word| word.chars().count() > 3).peekable();
    telling.peek().is_some() && telling.any(is_there)
}

/// What a pack teaches, with its meaning: its items, and the words for their gaps.
fn taught(pack: &Pack) -> impl Iterator<Item = (&str, &str)> {
    pack.items.iter().flat_map(|item| {
        let fillers = item.fill.iter().filter_map(|filler| Some((&*filler.say, filler.means.as_deref()?)));
        [(&*item.text, &*item.meaning)].into_iter().chain(fillers)
    })
}

/// A text as it is said: without a gap.
fn shown(text: &str) -> String {
    text.replace("___", "…")
}

fn meanings(meaning: &str) -> impl Iterator<Item = &str> {
    meaning.split([',', ';', '/', '(', ')']).filter(|meaning| !meaning.trim().is_empty())
}

/// The same words, whatever their case and marks. An article or a "to" before one of them does not matter.
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

const ARTICLES: [&str; 18] = [
    "a", "an", "the", "to", "der", "die", "das", "ein", "eine", "el", "la", "los", "las", "un", "una", "le",
    "les", "une",
];
