//! The word lists of the guard, read from `phrases.txt`.

use std::collections::HashMap;
use std::sync::LazyLock;

use flow::Name;

flow::names! {
    /// A list of `phrases.txt`, by its name there.
    pub(super) enum List {
        Above = "above",
        Actions = "actions",
        AnswerNouns = "answer nouns",
        Below = "below",
        BeforeResult = "before result",
        Cardinals = "cardinals",
        Directing = "directing",
        Edits = "edits",
        Exploring = "exploring",
        Functions = "functions",
        Keeping = "keeping",
        Labels = "labels",
        Offers = "offers",
        Operations = "operations",
        Orders = "orders",
        Operators = "operators",
        OnPaper = "on paper",
        Parts = "parts",
        Places = "places",
        Printing = "printing",
        Possible = "possible",
        Results = "results",
        Speeds = "speeds",
        Suggesting = "suggesting",
        Techniques = "techniques",
        Walks = "walks",
        Whose = "whose",
    }
}

/// The entries of a list.
pub(super) fn list(name: List) -> &'static [&'static str] {
    LISTS.get(name.name()).map_or(&[], Vec::as_slice)
}

static LISTS: LazyLock<HashMap<&str, Vec<&str>>> = LazyLock::new(|| {
    let mut lists: HashMap<&str, Vec<&str>> = HashMap::new();
    let mut current = "";
    for line in include_str!("phrases.txt").lines().map(str::trim).filter(|line| !line.starts_with('#')) {
        match line.strip_prefix('[').and_then(|line| line.strip_suffix(']')) {
            Some(name) => current = name,
            None => {
                let entries = line.split(',').map(str::trim).filter(|entry| !entry.is_empty());
                lists.entry(current).or_default().extend(entries);
            }
        }
    }
    lists
});
