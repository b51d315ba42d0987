//! What a grade says in its own words.

pub(super) const MISSPELT: &str = "Mind the spelling.";
pub(super) const WRONG: &str = "Not yet.";
pub(super) const NO_ANSWER: &str = "No answer yet. A guess is welcome: it shows what to explain.";
pub(super) const ASKED: &str =
    "That is a question. Say what you think as a statement, or begin with `?` to ask something of your own.";
pub(super) const NO_ORDER: &str = "The order is not right yet.";
pub(super) const NEARLY_ORDERED: &str = "Nearly: two neighbours are swapped.";
pub(super) const ONLY_WORDS: &str =
    "These are words from the right field. Say in a sentence how they belong together.";

pub(super) fn missing(is_partly: bool, ideas: &[String]) -> String {
    let ideas = ideas.join("; ");
    if is_partly {
        format!("Partly right. Still missing: {ideas}.")
    } else {
        format!("{WRONG} It should say: {ideas}.")
    }
}

pub(super) fn contradicts(says: &str) -> String {
    format!("One part does not fit the rest. {says}")
}

pub(super) fn gaps(right: usize, all: usize) -> String {
    format!("{right} of {all} gaps are right.")
}

pub(super) fn name_one(labels: &[&str]) -> String {
    format!("Which one do you mean? Answer with one of {}.", labels.join(", "))
}

pub(super) fn name_all(labels: &[&str]) -> String {
    format!("Name each of {} once, in their order.", labels.join(", "))
}

pub(super) fn cut(chars: usize) -> String {
    format!("Only the first {chars} characters were read.")
}
