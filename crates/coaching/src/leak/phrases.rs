//! The word lists of the guard, read from `phrases.txt`.

use std::collections::HashMap;
use std::sync::LazyLock;

use crate::text::lists;

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

/// Returns the entries of a list.
pub(super) fn list(name: List) -> &'static [&'static str] {
    LISTS.get(name.name()).map_or(&[], Vec::as_slice)
}

static LISTS: LazyLock<HashMap<&str, Vec<&str>>> =
    LazyLock::new(|| lists(include_str!("phrases.txt")).collect());
