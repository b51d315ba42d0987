//! Which node a learner's question is about.

use super::{MindMap, Node, NodeIx};
use crate::text::{Heard, How, Phrase, Target};
use std::cmp::Reverse;

/// In a larger map only names that were written right are found: looking for near misses costs too much.
const MAX_FORGIVING_NODES: usize = 1_000;

impl MindMap {
    /// The node whose label, or another name of it, is in the question. The longest name wins, so that "list
    /// comprehensions" is not about lists; of equal ones, the node that is learned first. Where no name is
    /// written right, one with a slip of the keyboard in it counts.
    pub fn asked_about<'n>(&self, question: &str, also: impl Fn(&Node) -> &'n [String]) -> Option<NodeIx> {
        let heard = Heard::new(question);
        let said = |name: &str| Phrase::new(name).is_some_and(|phrase| heard.words().contains(&phrase));
        let found = self.longest_name(&also, said);
        if found.is_some() || self.nodes().len() > MAX_FORGIVING_NODES {
            return found;
        }
        self.longest_name(&also, |name| {
            Target::parse(&plain(name)).is_ok_and(|target| target.hear(&heard).how == How::Fuzzy)
        })
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

/// A name in which a slash or an underscore means nothing more than a space.
fn plain(name: &str) -> String {
    name.replace(['/', '_'], " ")
}
