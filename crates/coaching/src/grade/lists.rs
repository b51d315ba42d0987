//! The word lists of the grader, read from `lists.txt`.

use std::collections::HashMap;
use std::sync::LazyLock;

use crate::text::lists;
use flow::Name;

flow::names! {
    /// A list of `lists.txt`, by its name there.
    pub(super) enum List {
        Additions = "additions",
        AfterAnsweringNo = "after answering no",
        AroundLabel = "around label",
        AroundNotKnowing = "around not knowing",
        Asking = "asking",
        Attributing = "attributing",
        Auxiliaries = "auxiliaries",
        Bad = "bad",
        BeforeNumber = "before number",
        ClauseWords = "clause words",
        CommonWords = "common words",
        Complements = "complements",
        Contrasts = "contrasts",
        Declining = "declining",
        False = "false",
        Fillers = "fillers",
        Good = "good",
        InManyLessons = "in many lessons",
        InMostLessons = "in most lessons",
        InSomeLessons = "in some lessons",
        Joining = "joining",
        JoiningVerbs = "joining verbs",
        LateNegators = "late negators",
        LittleWords = "little words",
        NegatorPairs = "negator pairs",
        Negators = "negators",
        Nothing = "nothing",
        NotKnowing = "not knowing",
        Numerals = "numerals",
        Openings = "openings",
        Opposites = "opposites",
        Pleas = "pleas",
        Reasons = "reasons",
        Results = "results",
        Softeners = "softeners",
        StopWords = "stop words",
        Supposing = "supposing",
        Terms = "terms",
        Trouble = "trouble",
        True = "true",
        VerbForms = "verb forms",
        WithNot = "with not",
        WithVerb = "with verb",
    }
}

impl List {
    pub(super) fn has(self, word: &str) -> bool {
        LISTS[self as usize].meanings.contains_key(word)
    }

    /// Returns the note of the list for a word, which follows the `=`.
    pub(super) fn of(self, word: &str) -> Option<&'static str> {
        LISTS[self as usize].meanings.get(word).copied()
    }

    /// Returns the entries in the order of the file.
    pub(super) fn entries(self) -> impl Iterator<Item = &'static str> {
        LISTS[self as usize].entries.iter().map(|(entry, _)| *entry)
    }
}

type Entries = Vec<(&'static str, &'static str)>;

struct Content {
    entries: Entries,
    meanings: HashMap<&'static str, &'static str>,
}

static LISTS: LazyLock<Vec<Content>> = LazyLock::new(|| {
    let mut sections: HashMap<&str, Entries> = sections().collect();
    let content = |list: &List| {
        let entries = sections.remove(list.name()).expect("lists.txt has every list");
        Content { meanings: entries.iter().copied().collect(), entries }
    };
    List::ALL.iter().map(content).collect()
});

fn sections() -> impl Iterator<Item = (&'static str, Entries)> {
    lists(include_str!("lists.txt")).map(|(name, entries)| (name, entries.into_iter().map(entry).collect()))
}

fn entry(text: &'static str) -> (&'static str, &'static str) {
    let (entry, meaning) = text.split_once('=').unwrap_or((text, ""));
    (entry.trim(), meaning.trim())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_section_is_a_list_and_says_nothing_twice() {
        for (name, entries) in sections() {
            assert!(List::ALL.iter().any(|list| list.name() == name), "[{name}] is read by nothing");
            assert!(!entries.is_empty(), "[{name}] is empty");
            for (at, (entry, _)) in entries.iter().enumerate() {
                assert!(!entries[..at].iter().any(|(other, _)| other == entry), "[{name}] has {entry} twice");
            }
        }
        assert_eq!(sections().count(), List::ALL.len());
    }
}
