//! Reads the limits that a human sets. They overrule everything else.
//!
//! A prompt is read clause by clause. Said to the agent, "only", "first" and "for now" limit it to one thing; "do
//! not" and "leave" rule something out; "stop" and "wait" end its turn. A clause about the human takes work over
//! ("I'll do it") or comes before the next step ("let me check"). A clause about a program sets no limit.

mod bans;
mod halts;
mod only;
mod promises;
mod prompt;
mod reader;
mod things;

use super::clauses::{Clause, own_words};
use super::human::{quote, sentences};
use super::phrases::{Means, Phrases, words_of};
use prompt::{goes_ahead, is_closing, wants_failure};
use reader::Reader;
use serde::{Deserialize, Serialize};
pub(super) use things::stem;
use things::{scope, things_of_step};

/// The limits that a human's words set for the agent, and for the coach.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(super) struct Limits {
    /// The sentence that tells the agent to stop.
    stop: Option<String>,
    /// The one part of the work that the agent is limited to.
    only: Option<Part>,
    /// The sentence that forbids all changes.
    no_changes: Option<String>,
    /// Whether the agent may run nothing.
    pub no_runs: bool,
    /// The sentence that tells the agent not to ask.
    pub no_questions: Option<String>,
    /// Whether something is meant to fail for now.
    pub wants_failure: bool,
    bans: Vec<Ban>,
    /// The limit of an earlier prompt, and the words that name what the latest prompt asks for despite it.
    earlier: Option<Part>,
}

/// A limit that one clause sets.
#[derive(Debug)]
enum Limit {
    Stop,
    /// The work that these words name, and nothing else.
    Only(Vec<String>),
    NoChanges,
    NoRuns,
    Ban(How, Vec<String>),
}

/// A part of the work: the sentence that limits the agent to it, and the words that name it, cut to their stems.
#[derive(Debug, Clone, PartialEq, Eq)]
struct Part {
    sentence: String,
    scope: Vec<String>,
}

/// One thing that is ruled out.
#[derive(Debug, Clone, PartialEq, Eq)]
struct Ban {
    sentence: String,
    how: How,
    /// The words that name the thing, cut to their stems.
    things: Vec<String>,
}

#[derive(Debug, Clone, PartialEq, Eq)]
enum How {
    /// Anything done with the thing, except looking at it.
    Any,
    /// Bringing the thing in.
    Adding,
    /// This verb, with the thing if there is one.
    Verb(String),
}

/// An earlier prompt whose limits still count.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Earlier {
    pub text: String,
    /// Whether the human has since said to go on. Then only what the prompt rules out still holds.
    #[serde(default)]
    pub is_lifted: bool,
}

impl Earlier {
    /// Returns the prompt if it sets limits that outlast it. A mere "stop" or "thanks" is over with the next task.
    pub(super) fn of(prompt: &str, phrases: &Phrases) -> Option<Earlier> {
        let limits = Limits { wants_failure: false, ..Limits::of(prompt, phrases) };
        let lasts = limits != Limits::default() && !is_closing(&own_words(prompt), phrases);
        lasts.then(|| Earlier { text: prompt.to_owned(), is_lifted: false })
    }

    pub(super) fn limits(&self, phrases: &Phrases) -> Limits {
        let limits = Limits::of(&self.text, phrases);
        if self.is_lifted { Limits { stop: None, only: None, ..limits } } else { limits }
    }
}

/// Whether a prompt tells the agent to go on, whatever an earlier one said about where to stop.
pub(super) fn lifts(prompt: &str, phrases: &Phrases) -> bool {
    let words = words_of(prompt);
    goes_ahead(&words, phrases) || phrases.has(Means::Lifts, &words)
}

impl Limits {
    pub(super) fn of(prompt: &str, phrases: &Phrases) -> Limits {
        let own = own_words(prompt);
        let closing = || is_closing(&own, phrases).then(|| quote(&own));
        let mut limits = Limits {
            no_runs: phrases.says(Means::NoRuns, &own),
            no_questions: first(&own, Means::NoQuestions, phrases),
            wants_failure: wants_failure(&own, phrases),
            stop: first(&own, Means::Stop, phrases).or_else(closing),
            ..Limits::default()
        };
        let clauses = Clause::all(&own, phrases);
        for (at, clause) in clauses.iter().enumerate() {
            for limit in (Reader { clauses: &clauses, at, phrases }).read() {
                limits.add(limit, quote(clause.sentence));
            }
        }
        limits
    }

    fn add(&mut self, limit: Limit, sentence: String) {
        match limit {
            Limit::Stop => _ = self.stop.get_or_insert(sentence),
            Limit::Only(scope) => _ = self.only.get_or_insert(Part { sentence, scope }),
            Limit::NoChanges => _ = self.no_changes.get_or_insert(sentence),
            Limit::NoRuns => self.no_runs = true,
            Limit::Ban(how, things) => self.bans.push(Ban { sentence, how, things }),
        }
    }

    /// Adds the limits of an earlier prompt. Everything it ruled out stays ruled out. Its "stop" or "only" holds
    /// for steps that this prompt does not speak of, unless this prompt says to go on.
    pub(super) fn with_bans_of(mut self, earlier: Limits, prompt: &str, phrases: &Phrases) -> Limits {
        self.no_runs |= earlier.no_runs;
        self.no_changes = self.no_changes.or(earlier.no_changes);
        self.no_questions = self.no_questions.or(earlier.no_questions);
        self.bans.extend(earlier.bans);
        let limit = earlier.stop.or(earlier.only.map(|part| part.sentence));
        let part = limit
            .filter(|_| !lifts(prompt, phrases))
            .map(|sentence| Part { sentence, scope: scope(&words_of(prompt), phrases) });
        self.earlier = self.earlier.or(part);
        self
    }

    /// Returns the sentence by which the human keeps the next step to themselves, whatever it is. A limit to one
    /// part of the work does not end the turn if the last announced step lies inside that part.
    pub(super) fn end(&self, steps: &[&str], phrases: &Phrases) -> Option<String> {
        if self.stop.is_some() {
            return self.stop.clone();
        }
        let only = self.only.as_ref()?;
        let is_inside = |step: &&str| {
            let things = things_of_step(step, phrases);
            !things.is_empty() && things.iter().all(|thing| only.scope.contains(thing))
        };
        (!steps.last().is_some_and(is_inside)).then(|| only.sentence.clone())
    }

    /// Whether a text mentions something that is ruled out, whatever it wants to do with it.
    pub(super) fn touch(&self, text: &str, phrases: &Phrases) -> bool {
        let stems: Vec<String> = words_of(text).iter().map(|word| stem(word)).collect();
        self.forbids(text, phrases).is_some() || self.bans.iter().any(|ban| ban.is_named(&stems))
    }

    /// Returns the human's sentence that rules a step out. The sentence is empty if only runs are ruled out.
    pub(super) fn forbids(&self, step: &str, phrases: &Phrases) -> Option<&str> {
        let words = words_of(step);
        let looks = phrases.has(Means::Looks, &words) && !phrases.has(Means::Changes, &words);
        let no_changes = self.no_changes.as_deref().filter(|_| !looks);
        let earlier = || self.earlier.as_ref().filter(|part| part.is_beside(step, phrases));
        let ban = || self.bans.iter().find(|ban| ban.is_for(&words, looks, phrases));
        let runs = phrases.has(Means::Runs, &words) || phrases.has_letters(Means::Runs, step);
        no_changes
            .or_else(|| earlier().map(|part| part.sentence.as_str()))
            .or_else(|| ban().map(|ban| ban.sentence.as_str()))
            .or((self.no_runs && runs).then_some(""))
    }
}

impl Part {
    /// Whether a step names things, but nothing of this part.
    fn is_beside(&self, step: &str, phrases: &Phrases) -> bool {
        let things = things_of_step(step, phrases);
        !things.is_empty() && !things.iter().any(|thing| self.scope.contains(thing))
    }
}

impl Ban {
    fn is_named(&self, stems: &[String]) -> bool {
        let met = self.things.iter().filter(|thing| stems.contains(thing)).count();
        met > 0 && met * 2 >= self.things.len()
    }

    fn is_for(&self, words: &[String], looks: bool, phrases: &Phrases) -> bool {
        let stems: Vec<String> = words.iter().map(|word| stem(word)).collect();
        let is_named = self.is_named(&stems);
        match &self.how {
            How::Any => is_named && !looks && !phrases.has(Means::Omits, words),
            How::Adding => is_named && phrases.has(Means::Adds, words),
            How::Verb(verb) => stems.contains(verb) && (is_named || self.things.is_empty()),
        }
    }
}

fn first(own: &str, means: Means, phrases: &Phrases) -> Option<String> {
    sentences(own).into_iter().find(|sentence| phrases.says(means, sentence)).map(quote)
}
