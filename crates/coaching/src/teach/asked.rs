//! Finds the node that a learner's question is about.

use super::about::is_asking;
use crate::map::{MindMap, Node, NodeIx};
use crate::text::{Heard, How, Phrase, Piece, Target, Words};
use std::cmp::Reverse;

/// The largest map in which names with slips are found. In a larger one, looking for near misses costs too much.
const MAX_FORGIVING_NODES: usize = 200;
/// The fewest letters of a word in which a slip is forgiven. In a shorter word another letter makes another word:
/// “lost” is not about lists.
const MIN_FORGIVING_LETTERS: usize = 6;
/// The fewest bytes of a word that is not common. Shorter words occur in all sentences; a letter of more bytes says
/// more, too.
const LEAST_BYTES: usize = 3;
/// The words after which a word is the subject, whatever follows: "the mean of two numbers".
const ARTICLES: &[&str] = &["a", "an", "the"];
/// The words after which a word is the subject if it ends the question or one of [`AFTER_SUBJECT`] follows.
const BEFORE_SUBJECT: &[&str] = &[
    "about",
    "are",
    "between",
    "do",
    "does",
    "explain",
    "from",
    "get",
    "is",
    "like",
    "than",
    "to",
    "understand",
    "use",
    "using",
    "versus",
    "vs",
];
const AFTER_SUBJECT: &[&str] = &[
    "again", "and", "do", "does", "for", "good", "mean", "means", "needed", "or", "used", "useful", "versus",
    "vs", "work", "works",
];

impl MindMap {
    /// Returns the node whose name is in the question: its label without an article, the part of the label before a
    /// colon, another name of it, or one of several things that the label lists. The longest name wins, so that
    /// "list comprehensions" is not about lists; of equal ones, the node that is learned first. If no name is
    /// spelled right, one with a slip of the keyboard in a long word counts, or with one `s` more or less at the
    /// end of a word.
    pub fn asked_about<'n>(&self, question: &str, also: impl Fn(&Node) -> &'n [String]) -> Option<NodeIx> {
        let heard = Heard::new(question);
        let is_said = |name: &Name| match name {
            Name::Plain(name) => Phrase::new(name).is_some_and(|phrase| heard.words().contains(&phrase)),
            Name::Common(name) => is_subject(name, heard.words()),
        };
        let found = self.longest_name(&also, is_said);
        if found.is_some() || self.nodes().len() > MAX_FORGIVING_NODES {
            return found;
        }
        self.longest_name(&also, |name| matches!(name, Name::Plain(name) if is_nearly_said(name, &heard)))
    }

    fn longest_name<'n>(
        &self,
        also: impl Fn(&Node) -> &'n [String],
        is_said: impl Fn(&Name) -> bool,
    ) -> Option<NodeIx> {
        let longest = |index: NodeIx| {
            let node = self.node(index);
            let said = names(&node.label, also(node)).filter(|name| is_said(name));
            Some((said.map(|name| name.text().chars().count()).max()?, Reverse(node.sequence), index))
        };
        self.indexes().filter_map(longest).max().map(|(.., index)| index)
    }
}

/// The names of a node.
enum Name<'n> {
    /// A name that means the node wherever it is said.
    Plain(&'n str),
    /// A name that is also a word of sentences about something else: "where", "mean", the "reading" of "Reading and
    /// writing". It counts only where it is the subject, or in capitals.
    Common(&'n str),
}

impl<'n> Name<'n> {
    fn of(text: &'n str) -> Name<'n> {
        let is_common = |word: &str| word.len() < LEAST_BYTES || is_asking(word);
        let words = Words::new(text);
        if words.iter().all(|(_, word)| is_common(word)) { Name::Common(text) } else { Name::Plain(text) }
    }

    fn text(&self) -> &'n str {
        match self {
            Name::Plain(text) | Name::Common(text) => text,
        }
    }
}

fn names<'n>(label: &'n str, also: &'n [String]) -> impl Iterator<Item = Name<'n>> {
    let bare = label.strip_prefix("The ").unwrap_or(label);
    let head = bare.split_once(':').map(|(head, _)| head);
    let whole = std::iter::once(bare).chain(head).chain(also.iter().map(String::as_str)).map(Name::of);
    let listed = label.split([':', ',']).flat_map(|part| part.split(" and ")).map(str::trim);
    whole.chain(listed.filter(|part| !part.is_empty()).map(Name::Common))
}

/// Whether the question is about this name: it is shouted, named alone, or stands where a subject stands.
fn is_subject(name: &str, question: &Words) -> bool {
    let name = Words::new(name);
    let name: Vec<&str> = name.iter().map(|(_, word)| word).collect();
    let words: Vec<(&str, &str)> = question.iter().collect();
    let is_capital = |(written, _): &(&str, &str)| !written.chars().any(char::is_lowercase);
    let is_all_capital = words.iter().all(is_capital);
    let stands_at = |at: usize| {
        let end = at + name.len();
        let is_there = words[at..end].iter().map(|(_, word)| word).eq(&name);
        let before = at.checked_sub(1).map(|at| words[at].1);
        let after = words.get(end).map(|(_, word)| *word);
        let is_shouted = !is_all_capital && words[at..end].iter().all(is_capital);
        let is_pointed_at = match (before, after) {
            (None, None) => true,
            (Some(before), _) if ARTICLES.contains(&before) => true,
            (Some(before), after) => {
                BEFORE_SUBJECT.contains(&before) && after.is_none_or(|after| AFTER_SUBJECT.contains(&after))
            }
            (None, Some(_)) => false,
        };
        is_there && (is_shouted || is_pointed_at)
    };
    !name.is_empty() && (0..(words.len() + 1).saturating_sub(name.len())).any(stands_at)
}

fn is_nearly_said(name: &str, heard: &Heard) -> bool {
    // In a target, a slash and an underscore have a meaning; in a name they are spaces.
    let Ok(target) = Target::parse(&name.replace(['/', '_'], " ")) else { return false };
    let found = target.hear(heard);
    let is_near = |piece: &Piece| match piece {
        Piece::Same { .. } => true,
        Piece::Changed { expected, heard } => is_slip(&expected.to_lowercase(), &heard.to_lowercase()),
        Piece::Missing { .. } | Piece::Extra { .. } => false,
    };
    found.how == How::Fuzzy && found.difference.iter().all(is_near)
}

/// Whether one letter of a long word is missing, superfluous or wrong, or two neighbours are swapped. A final `s`
/// more or less is a slip in a word of any length.
fn is_slip(expected: &str, heard: &str) -> bool {
    if expected.strip_suffix('s') == Some(heard) || heard.strip_suffix('s') == Some(expected) {
        return true;
    }
    let [expected, heard] = [expected, heard].map(|word| word.chars().collect::<Vec<char>>());
    let same = |(one, other): &(&char, &char)| one == other;
    let start = expected.iter().zip(&heard).take_while(same).count();
    let [left, heard_left] = [&expected[start..], &heard[start..]];
    let end = left.iter().rev().zip(heard_left.iter().rev()).take_while(same).count();
    let is_one = match [&left[..left.len() - end], &heard_left[..heard_left.len() - end]] {
        [&[a, b], &[c, d]] => (a, b) == (d, c),
        [left, heard_left] => left.len().max(heard_left.len()) <= 1,
    };
    is_one && expected.len() >= MIN_FORGIVING_LETTERS
}
