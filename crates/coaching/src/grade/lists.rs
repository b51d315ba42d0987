//! The word lists of the grader, read from `lists.txt`.

use std::sync::LazyLock;

use flow::Name;

flow::names! {
    /// A list of `lists.txt`, by its name there.
    pub(super) enum List {
        Additions = "additions",
        AfterAnsweringNo = "after answering no",
        AroundLabel = "around label",
        AroundNotKnowing = "around not knowing",
        Asking = "asking",
        Auxiliaries = "auxiliaries",
        Bad = "bad",
        BeforeNumber = "before number",
        ClauseWords = "clause words",
        CommonWords = "common words",
        Complements = "complements",
        Declining = "declining",
        False = "false",
        Fillers = "fillers",
        Good = "good",
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
        Softeners = "softeners",
        Trouble = "trouble",
        True = "true",
        VerbForms = "verb forms",
        WithNot = "with not",
        WithVerb = "with verb",
    }
}

impl List {
    pub(super) fn has(self, word: &str) -> bool {
        self.entries().any(|entry| entry == word)
    }

    /// What the list says of a word, after the `=`.
    pub(super) fn of(self, word: &str) -> Option<&'static str> {
        LISTS[self as usize].iter().find(|(entry, _)| *entry == word).map(|(_, meaning)| *meaning)
    }

    /// In the order of the file.
    pub(super) fn entries(self) -> impl Iterator<Item = &'static str> {
        LISTS[self as usize].iter().map(|(entry, _)| *entry)
    }
}

type Entries = Vec<(&'static str, &'static str)>;

static LISTS: LazyLock<Vec<Entries>> = LazyLock::new(|| {
    let sections: Vec<(&str, Entries)> = sections().collect();
    let of = |list: &List| sections.iter().find(|(name, _)| *name == list.name());
    List::ALL.iter().map(|list| of(list).expect("lists.txt has every list").1.clone()).collect()
});

fn sections() -> impl Iterator<Item = (&'static str, Entries)> {
    let sections = include_str!("lists.txt").split("\n[").skip(1);
    sections.map(|section| {
        let (name, lines) = section.split_once(']').unwrap_or((section, ""));
        let words = lines.lines().filter(|line| !line.starts_with('#')).flat_map(|line| line.split(','));
        (name, words.map(entry).filter(|(entry, _)| !entry.is_empty()).collect())
    })
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
