//! Which node a learner's question is about.

use super::{MindMap, Node, NodeIx};
use crate::text::{Heard, How, Phrase, Piece, Target};
use std::cmp::Reverse;

/// In a larger map only names that were written right are found: looking for near misses costs too much.
const MAX_FORGIVING_NODES: usize = 200;
/// In a shorter word another letter is another word: somebody who is lost does not ask about lists.
const MIN_FORGIVING_LETTERS: usize = 6;

impl MindMap {
    /// The node whose label, or another name of it, is in the question. The longest name wins, so that "list
    /// comprehensions" is not about lists; of equal ones, the node that is learned first. Where no name is
    /// written right, one with a slip of the keyboard in a long word counts, or one more or less `s` at an
    /// end.
    pub fn asked_about<'n>(&self, question: &str, also: impl Fn(&Node) -> &'n [String]) -> Option<NodeIx> {
        let heard = Heard::new(question);
        let is_said = |name: &str| Phrase::new(name).is_some_and(|phrase| heard.words().contains(&phrase));
        let found = self.longest_name(&also, is_said);
        if found.is_some() || self.nodes().len() > MAX_FORGIVING_NODES {
            return found;
        }
        self.longest_name(&also, |name| is_nearly_said(name, &heard))
    }

    fn longest_name<'n>(
        &self,
        also: impl Fn(&Node) -> &'n [String],
        is_said: impl Fn(&str) -> bool,
    ) -> Option<NodeIx> {
        let longest = |index: NodeIx| {
            let node = self.node(index);
            let names = std::iter::once(node.label.as_str()).chain(also(node).iter().map(String::as_str));
            let chars = names.filter(|name| is_said(name)).map(|name| name.chars().count()).max()?;
            Some((chars, Reverse(node.sequence), index))
        };
        self.indexes().filter_map(longest).max().map(|(.., index)| index)
    }
}

fn is_nearly_said(name: &str, heard: &Heard) -> bool {
    // In the language of targets a slash and an underscore have a meaning; in a name they are spaces.
    let Ok(target) = Target::parse(&name.replace(['/', '_'], " ")) else { return false };
    let found = target.hear(heard);
    let is_near = |piece: &Piece| match piece {
        Piece::Same { .. } => true,
        Piece::Changed { expected, heard } => is_slip(&expected.to_lowercase(), &heard.to_lowercase()),
        Piece::Missing { .. } | Piece::Extra { .. } => false,
    };
    found.how == How::Fuzzy && found.difference.iter().all(is_near)
}

/// Whether one letter of a long word is missing, too much or wrong, or two neighbours are swapped.
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
