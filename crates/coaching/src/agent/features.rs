//! Extracts what the scorer looks at: which words stand where in a message, and how the message is built.
//!
//! A feature is a name. `end:let me` says that the last clause has these words, `open:` is the first clause, `any:`
//! the whole message. `^` and `$` stand for the beginning and the end of a clause, `#` for a number other than 0.
//! `end means:intend` says that the last clause has words of this group of the lexicon, `end both:intend+self` that
//! it has words of both; the groups in the end of the message (`tail`) are noted too. `is:` features describe the
//! structure. Code, quotations and tables are not the agent's words: only their presence counts, not their content.

use std::collections::{BTreeMap, BTreeSet};

use super::error_shape::{begins_like_error, is_harness_line};
use super::evidence::{self, Evidence};
use super::lexicon::Lexicon;
use super::message::{Kind, Message};
use super::tokens::{is_number, tokens};
use crate::text::Words;

/// The zones of a message.
const END: &str = "end";
const OPEN: &str = "open";
const TAIL: &str = "tail";
const ANY: &str = "any";
/// The distance from the end, in clauses, from which questions are no longer told apart.
const FAR: usize = 4;
/// Words that address the human.
const YOU: &[&str] = &[
    "you", "your", "youd", "youll", "youre", "youve", "du", "dir", "dich", "dein", "deine", "sie", "ihnen",
    "ihre", "vous", "votre", "tu", "te", "usted", "voce", "您", "你",
];
const END_MARKS: &[&str] = &["?", "!", ":", "…"];
const DONE_MARKS: &[char] = &['✅', '✓', '✔', '☑'];
const OPEN_MARKS: &[char] = &['⏳', '🔄', '⬜', '☐', '🚧'];

/// Everything that was seen in a message.
#[derive(Debug)]
pub(super) struct Seen<'m> {
    pub message: &'m Message,
    /// The names, each with the last clause that has it. Features of the whole message have none.
    pub features: BTreeMap<String, Option<usize>>,
    pub evidence: Evidence,
    pub words: usize,
}

/// Returns the names of a message's features, in order.
pub fn features(text: &str) -> Vec<String> {
    let message = Message::read(text);
    Seen::of(&message).features.into_keys().collect()
}

impl<'m> Seen<'m> {
    pub(super) fn of(message: &'m Message) -> Seen<'m> {
        let mut seen = Seen { message, features: BTreeMap::new(), evidence: Evidence::default(), words: 0 };
        let spoken = seen.spoken();
        for at in 0..message.clauses.len() {
            let words = seen.read(at);
            if spoken.binary_search(&at).is_ok() {
                seen.note_words(at, &spoken, &words);
            }
        }
        seen.note_build(&spoken);
        seen.note_questions(&spoken);
        seen.note_evidence();
        seen
    }

    /// Returns the clauses in the agent's own words. If there are none, as in a bare log, returns all clauses.
    fn spoken(&self) -> Vec<usize> {
        let clauses = &self.message.clauses;
        let spoken: Vec<usize> = (0..clauses.len()).filter(|&at| clauses[at].kind.is_spoken()).collect();
        if spoken.is_empty() { (0..clauses.len()).collect() } else { spoken }
    }

    /// Returns the words of a clause, and notes its evidence.
    fn read(&mut self, at: usize) -> Vec<String> {
        let text = self.message.clause_text(at);
        let words = Words::new(text);
        let tokens = tokens(text, &words);
        self.words += tokens.len();
        self.evidence.add(evidence::find(text, &tokens));
        let letters = tokens.iter().map(|token| match token.letters {
            // "0 failed" and "3 failed" are opposites.
            "0" => "0",
            letters if is_number(letters) => "#",
            letters => letters,
        });
        letters.chain(end_mark(text)).map(str::to_owned).collect()
    }

    fn note_words(&mut self, at: usize, spoken: &[usize], words: &[String]) {
        let meant = meant(words);
        let zones = [
            (ANY, true),
            (OPEN, spoken.first() == Some(&at)),
            (END, spoken.last() == Some(&at)),
            (TAIL, at >= self.message.tail),
        ];
        for (zone, _) in zones.into_iter().filter(|(_, holds)| *holds) {
            for group in &meant {
                self.features.insert(format!("{zone} means:{group}"), Some(at));
            }
            if matches!(zone, ANY | OPEN | END) {
                for word in words {
                    self.features.insert(format!("{zone}:{word}"), Some(at));
                }
                self.note_pairs(at, zone, words);
            }
        }
        if spoken.last() == Some(&at) {
            self.note_both(at, &meant);
        }
    }

    /// Notes every pair of groups in the last clause.
    fn note_both(&mut self, at: usize, meant: &BTreeSet<String>) {
        for (count, a) in meant.iter().enumerate() {
            for b in meant.iter().skip(count + 1) {
                self.features.insert(format!("{END} both:{a}+{b}"), Some(at));
            }
        }
    }

    fn note_pairs(&mut self, at: usize, zone: &str, words: &[String]) {
        let first = std::iter::once("^").chain(words.iter().map(String::as_str));
        let second = words.iter().map(String::as_str).chain(["$"]);
        for (a, b) in first.zip(second) {
            self.features.insert(format!("{zone}:{a} {b}"), Some(at));
        }
    }

    fn note(&mut self, name: impl std::fmt::Display) {
        self.features.insert(format!("is:{name}"), None);
    }

    fn note_build(&mut self, spoken: &[usize]) {
        let clauses = &self.message.clauses;
        let text = self.message.text.as_str();
        self.note(format_args!("clauses {}", magnitude(spoken.len())));
        self.note(format_args!("words {}", magnitude(self.words)));
        for kind in clauses.iter().map(|clause| clause.kind) {
            self.note(format_args!("with {}", kind_name(kind)));
        }
        if let Some(last) = clauses.last() {
            self.note(format_args!("last {}", kind_name(last.kind)));
        }
        if let Some(&end) = spoken.last() {
            let mark = end_mark(self.message.clause_text(end)).unwrap_or("none");
            self.note(format_args!("end {} {mark}", kind_name(clauses[end].kind)));
        }
        if begins_like_error(text) {
            self.note("error first");
        }
        if text.lines().any(is_harness_line) {
            self.note("harness line");
        }
        for (marks, name) in [(DONE_MARKS, "done marks"), (OPEN_MARKS, "open marks")] {
            if text.contains(marks) {
                self.note(name);
            }
        }
    }

    fn note_questions(&mut self, spoken: &[usize]) {
        let clauses = &self.message.clauses;
        let asked: Vec<usize> = spoken.iter().copied().filter(|&at| clauses[at].asks).collect();
        let Some(&last) = asked.last() else { return };
        let after = spoken.iter().filter(|&&at| at > last).count();
        let to_you = Words::new(self.message.clause_text(last)).iter().any(|(_, word)| YOU.contains(&word));
        self.note(format_args!("question {} before end", after.min(FAR)));
        if to_you {
            self.note(format_args!("question to you {} before end", after.min(FAR)));
        }
        if asked.len() > 1 {
            self.note("several questions");
        }
        if last >= self.message.tail {
            self.note("question in tail");
        }
    }

    fn note_evidence(&mut self) {
        let Evidence { proofs, details, failed, part_of_whole } = &self.evidence;
        let notes = [
            (!proofs.is_empty(), "proof".to_owned()),
            (*failed > 0, "failed checks".to_owned()),
            (*part_of_whole, "part of whole".to_owned()),
            (true, format!("details {}", magnitude(*details))),
        ];
        for (_, name) in notes.into_iter().filter(|(holds, _)| *holds) {
            self.note(name);
        }
    }
}

/// Returns the groups of the lexicon that a clause has words of, the group it begins with once more after `^`, and
/// its end mark.
fn meant(words: &[String]) -> BTreeSet<String> {
    let mut meant: BTreeSet<String> = BTreeSet::new();
    for (at, group) in Lexicon::shipped().groups(words) {
        meant.insert(group.to_owned());
        if at == 0 {
            meant.insert(format!("^{group}"));
        }
    }
    meant.extend(words.last().filter(|last| END_MARKS.contains(&last.as_str())).cloned());
    meant
}

/// Rounds a count up to the last number of its range: 0, 1, 2, 3–4, 5–8, 9–16, …, 257–512. Above that, returns 512.
fn magnitude(count: usize) -> usize {
    count.min(1 << 9).next_power_of_two() * usize::from(count > 0)
}

fn kind_name(kind: Kind) -> &'static str {
    match kind {
        Kind::Prose => "prose",
        Kind::Heading => "heading",
        Kind::Item => "item",
        Kind::OpenTask => "open task",
        Kind::DoneTask => "done task",
        Kind::Quote => "quote",
        Kind::Row => "row",
        Kind::Code => "code",
    }
}

/// Returns the mark at the end of a clause, if it tells something.
fn end_mark(clause: &str) -> Option<&'static str> {
    let end = clause.trim_end_matches(|c: char| c.is_whitespace() || "*_\"”’»)`".contains(c));
    match end.chars().last()? {
        '?' | '？' | '؟' => Some("?"),
        '!' | '！' => Some("!"),
        ':' | '：' => Some(":"),
        '…' => Some("…"),
        _ => None,
    }
}
