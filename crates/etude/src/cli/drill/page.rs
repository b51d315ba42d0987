//! What is shown, in which order. How it looks is for [`pretty`](super::pretty) and [`plain`](super::plain).

use super::session::Session;
use super::standing::{Finished, Standing, Summary, Target};
use super::words::Words;
use crate::cli::screen::words::{Now, fill};
use crate::engine::view::Said;
use coaching::desk::Role;
use coaching::text::Piece;

/// One thing to show.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum Block {
    /// What the session is about.
    Title(String),
    /// A word begins.
    Heading(String),
    Said {
        role: Role,
        say: String,
        means: Option<String>,
    },
    /// What the coach says to an answer that does not count.
    Missed(String),
    /// The meaning of a word that is to be recalled.
    Recall {
        means: String,
    },
    Difference(Vec<Piece>),
    Progress {
        usage: usize,
        required: usize,
        rest: Vec<String>,
    },
    /// The program itself speaks.
    Note(String),
    List {
        title: String,
        entries: Vec<(String, String)>,
    },
    /// Something new begins.
    Space,
}

/// What the coach said in one turn.
pub(super) fn turn(said: &[Said], session: &Session<'_>, words: &Words) -> Vec<Block> {
    let mut blocks = Vec::new();
    for line in said {
        let role = line.role;
        if role == Role::Word {
            blocks.push(Block::Heading(heading(session, words)));
        }
        blocks.push(match role {
            Role::Correction if session.standing().is_missed() => Block::Missed(line.say.clone()),
            _ => Block::Said { role, say: line.say.clone(), means: line.means.clone() },
        });
        let difference = session.standing().difference();
        if role == Role::Correction && !difference.is_empty() {
            blocks.push(Block::Difference(difference.to_vec()));
        }
    }
    blocks
}

/// Where a session stands that is taken up in the middle. A word to be recalled is not shown.
pub(super) fn reminder(standing: &Standing) -> Vec<Block> {
    let Some(target) = &standing.target else { return Vec::new() };
    let block = match target.is_unaided {
        true => Block::Recall { means: target.meaning.clone() },
        false => hint(target),
    };
    std::iter::once(Block::Space).chain(last_said(standing)).chain([block]).collect()
}

/// What the learner is to answer, and the word with its meaning, because the learner asks.
pub(super) fn word(standing: &Standing) -> Option<Vec<Block>> {
    let target = standing.target.as_ref()?;
    Some(last_said(standing).chain([hint(target)]).collect())
}

/// The line before each prompt.
pub(super) fn progress(session: &Session<'_>, words: &Words) -> Block {
    let standing = session.standing();
    let mut rest = vec![place(session, words), fill(words.in_pool, &[("n", &standing.pool.to_string())])];
    if standing.target.as_ref().is_some_and(|target| target.is_unaided) {
        rest.push(words.from_memory.to_owned());
    }
    Block::Progress { usage: standing.progress.usage, required: standing.progress.required, rest }
}

pub(super) fn help(words: &Words) -> Block {
    let entries = words.help.iter().map(|(command, what)| ((*command).to_owned(), (*what).to_owned()));
    Block::List { title: words.commands.to_owned(), entries: entries.collect() }
}

/// What came of a session. A session in which nothing was finished says when there will be something to do.
/// `command` begins the next one.
pub(super) fn ending(
    session: &Session<'_>,
    words: &Words,
    now: &Now,
    next_due_us: Option<i64>,
    command: &str,
) -> Vec<Block> {
    let how = match session.outcome() {
        Some("timeout") => words.over_by_silence,
        Some("user") => words.over_by_leaving,
        _ => words.over,
    };
    let mut blocks = vec![Block::Space, Block::Note(how.to_owned())];
    let summary = session.standing().summary.as_ref();
    blocks.extend(summary.map(|summary| summary_lists(summary, words, now)).unwrap_or_default());
    let is_empty = summary.is_none_or(|summary| summary.learned.is_empty() && summary.parked.is_empty());
    if let Some(due_us) = next_due_us.filter(|_| is_empty) {
        blocks.push(Block::Note(fill(words.next_review, &[("when", &words.intervals.until(now, due_us))])));
    }
    blocks.push(Block::Space);
    blocks.push(Block::Note(fill(words.next_session, &[("command", command)])));
    blocks
}

fn summary_lists(summary: &Summary, words: &Words, now: &Now) -> Vec<Block> {
    let lists = [(words.learned_list, &summary.learned), (words.parked_list, &summary.parked)];
    let list = |(title, finished): (&str, &Vec<Finished>)| Block::List {
        title: title.to_owned(),
        entries: finished.iter().filter_map(|word| finished_entry(word, words, now)).collect(),
    };
    let mut blocks: Vec<Block> =
        lists.into_iter().filter(|(_, finished)| !finished.is_empty()).map(list).collect();
    if summary.waiting > 0 {
        blocks.push(Block::Space);
        blocks.push(Block::Note(words.waiting.of(summary.waiting)));
    }
    blocks
}

fn finished_entry(word: &Finished, words: &Words, now: &Now) -> Option<(String, String)> {
    let when = words.intervals.until(now, word.due_at_us);
    Some((word.text.clone()?, fill(words.comes_back, &[("when", &when)])))
}

fn last_said(standing: &Standing) -> impl Iterator<Item = Block> {
    standing.last_said.iter().map(|line| Block::Said {
        role: line.role,
        say: line.say.to_string(),
        means: line.means.as_ref().map(ToString::to_string),
    })
}

fn hint(target: &Target) -> Block {
    Block::Said { role: Role::Hint, say: target.text.clone(), means: Some(target.meaning.clone()) }
}

fn heading(session: &Session<'_>, words: &Words) -> String {
    let is_review = session.standing().target.as_ref().is_some_and(|target| target.is_review);
    let place = place(session, words);
    if is_review { format!("{place} · {}", words.review) } else { place }
}

fn place(session: &Session<'_>, words: &Words) -> String {
    let (n, all) = session.place_of_word();
    fill(words.word_of, &[("n", &n.to_string()), ("all", &all.to_string())])
}
