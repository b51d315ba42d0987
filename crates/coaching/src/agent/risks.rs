//! Steps that only a human decides: what cannot be undone, and what leaves the machine.
//!
//! A verb alone says little: to delete an import is harmless, to delete a table is not; a value is pushed onto a stack, a
//! branch to others. So the verb and what it is done to are read together. In doubt it is a risk.

use super::phrases::{Means, Phrases, is_unspaced, words_of};

/// How many words after a verb are taken for what it is done to.
const OBJECT_WORDS: usize = 7;
const SOURCE_ENDINGS: &[&str] = &[
    "rs", "py", "js", "ts", "tsx", "jsx", "go", "java", "rb", "c", "h", "cpp", "hpp", "cs", "css", "scss",
    "html", "md", "kt", "php", "swift", "vue", "svelte",
];
/// What programs hold too: a row of a grid is no row of a database.
const IN_PROGRAMS: &[&str] = &[
    "row", "rows", "record", "records", "key", "keys", "user", "users", "message", "messages", "image",
    "images", "changes", "index",
];
/// Nouns for what an agent may be about to do.
const DEEDS: &[&str] = &[
    "deployment",
    "rollout",
    "deletion",
    "removal",
    "publication",
    "ausrollen",
    "bereitstellung",
    "löschung",
    "loschung",
];
/// Writing about a deed is not doing it.
const WRITES: &[&str] = &[
    "write",
    "writing",
    "document",
    "documenting",
    "describe",
    "draft",
    "drafting",
    "explain",
    "implement",
    "implementing",
    "add",
    "adding",
    "create",
    "creating",
    "script",
    "configure",
    "test",
    "testing",
    "fix",
    "fixing",
    "update",
    "updating",
    "refactor",
    "prepare",
    "plan",
    "review",
    "schreibe",
    "dokumentiere",
    "baue",
    "erstelle",
    "ergänze",
    "erganze",
];
const PREPOSITIONS: &[&str] = &[
    "from", "in", "of", "with", "on", "to", "for", "into", "onto", "via", "by", "so", "because", "that",
    "which", "before", "after", "when", "at", "and", "then", "as", "if", "under", "inside", "within",
    "using", "or", "but", "again", "now", "first",
];

pub(super) fn is_risky(step: &str, phrases: &Phrases) -> bool {
    let words = words_of(step);
    let first = Deed { words: &words, at: 0, phrases };
    phrases.says(Means::Risks, step)
        || (first.is_grave() && !first.is_only_words())
        || is_risky_unspaced(step, phrases)
        || (0..words.len()).any(|at| Deed { words: &words, at, phrases }.is_risky())
}

/// Whether an item asks for the result of such a step: "old table dropped", "deployed to production".
pub(super) fn is_risky_result(item: &str, phrases: &Phrases) -> bool {
    const RESULTS: &[&str] = &[
        "dropped",
        "shipped",
        "sent",
        "paid",
        "wiped",
        "live",
        "pushed",
        "merged",
        "gelöscht",
        "geloscht",
        "verschickt",
    ];
    let words = words_of(item);
    let is_done = |at: usize| {
        let acts = phrases.at(Means::Destroys, &words, at) > 0 || phrases.at(Means::Outward, &words, at) > 0;
        RESULTS.contains(&words[at].as_str()) || (acts && words[at].ends_with("ed"))
    };
    let is_code = phrases.has(Means::Harmless, &words) && !phrases.has(Means::Stakes, &words);
    (0..words.len()).any(is_done) && !is_code
}

/// Scripts without spaces are read by their letters.
fn is_risky_unspaced(step: &str, phrases: &Phrases) -> bool {
    let says = |means| phrases.has_letters(means, step);
    let acts = says(Means::Destroys) || says(Means::Outward);
    step.contains(is_unspaced)
        && (says(Means::Grave) || (acts && (says(Means::Stakes) || !says(Means::Harmless))))
}

/// A word of a step that may be a deed.
struct Deed<'d> {
    words: &'d [String],
    at: usize,
    phrases: &'d Phrases,
}

impl Deed<'_> {
    fn is_risky(&self) -> bool {
        if DEEDS.contains(&self.words[self.at].as_str()) {
            return self.is_named_deed();
        }
        let length = |means| self.phrases.at(means, self.words, self.at);
        let destroys = length(Means::Destroys);
        let leaves = length(Means::Outward);
        let acts = destroys.max(leaves);
        if acts > 0 && self.is_verb() {
            let needs_object = length(Means::NeedsObject) > 0;
            let has_object = self.phrases.has(Means::OutwardObjects, self.after(acts));
            return self.is_grave()
                || if needs_object {
                    has_object && !self.is_harmless(acts)
                } else {
                    !self.is_harmless(acts)
                };
        }
        let moves =
            ["migrate", "move", "block", "ban", "suspend", "switch"].contains(&self.words[self.at].as_str());
        if moves && self.is_verb() && self.after(1).iter().take(3).any(|word| word.starts_with("customer")) {
            return true;
        }
        length(Means::Operates) > 0
            && self.is_verb()
            && self.is_grave()
            && !WRITES.contains(&self.words[self.at].as_str())
    }

    /// "Continuing with the deployment", but not "the deployment script".
    fn is_named_deed(&self) -> bool {
        let next = self.words.get(self.at + 1).map_or("", String::as_str);
        let is_part = !next.is_empty() && !PREPOSITIONS.contains(&next);
        let is_written = self.words[..self.at].iter().any(|word| WRITES.contains(&word.as_str()));
        !is_part
            && !is_written
            && (self.is_grave() || !self.phrases.has(Means::Harmless, &self.words[self.at..]))
    }

    /// Whether the step looks or writes, and does no more.
    fn is_only_words(&self) -> bool {
        self.words.iter().any(|word| WRITES.contains(&word.as_str()))
            || self.phrases.has(Means::Looks, self.words)
    }

    /// Whether the word is a verb of the agent's: "the delete button" has none.
    fn is_verb(&self) -> bool {
        let Some(before) = self.at.checked_sub(1).map(|at| &self.words[at]) else { return true };
        if !is_english(self.words) {
            return !matches!(
                before.as_str(),
                "das" | "des" | "dem" | "zum" | "beim" | "vom" | "der" | "die" | "le" | "la" | "el" | "den"
            );
        }
        if before == "to"
            && self.at > 1
            && matches!(self.words[self.at - 2].as_str(), "how" | "when" | "where" | "whether")
        {
            return false;
        }
        let is_adverb = before.len() > 4 && before.ends_with("ly");
        is_adverb || self.phrases.at(Means::BeforeVerbs, std::slice::from_ref(before), 0) > 0
    }

    /// Production, other people's data and the like, said anywhere in the step.
    fn is_grave(&self) -> bool {
        (0..self.words.len()).any(|at| {
            self.phrases.at(Means::Grave, self.words, at) > 0
                && self.phrases.at(Means::NotGrave, self.words, at) == 0
        })
    }

    fn after(&self, length: usize) -> &[String] {
        let start = (self.at + length).min(self.words.len());
        &self.words[start..(start + OBJECT_WORDS).min(self.words.len())]
    }

    /// Whether it is plainly done to code.
    fn is_harmless(&self, length: usize) -> bool {
        if !is_english(self.words) {
            return self.phrases.has(Means::Harmless, self.words)
                && !self.phrases.has(Means::Stakes, self.words);
        }
        let after = self.after(length);
        let end = after.iter().position(|word| PREPOSITIONS.contains(&word.as_str())).unwrap_or(after.len());
        let (object, rest) = after.split_at(end);
        let head = object.last();
        let pair = &object[object.len().saturating_sub(2)..];
        let is = |means: Means, word: Option<&String>| {
            let is_one = word.is_some_and(|word| self.phrases.at(means, std::slice::from_ref(word), 0) > 0);
            is_one || (pair.len() == 2 && self.phrases.at(means, pair, 0) == 2)
        };
        let is_pointing = object
            .iter()
            .all(|word| matches!(word.as_str(), "it" | "this" | "that" | "them" | "these" | "the" | "a"));
        let beside = &rest[..rest.len().min(5)];
        let in_code = !self.phrases.has(Means::Stakes, beside) && self.phrases.has(Means::Harmless, beside);
        if is(Means::Stakes, head) && !is(Means::Harmless, head) {
            return in_code && head.is_some_and(|head| IN_PROGRAMS.contains(&head.as_str()));
        }
        let is_source = object.last().is_some_and(|word| SOURCE_ENDINGS.contains(&word.as_str()));
        is_source || self.phrases.has(Means::Harmless, object) || (in_code && !is_pointing)
    }
}

fn is_english(words: &[String]) -> bool {
    let foreign = [
        "ich",
        "als",
        "nachstes",
        "jetzt",
        "werde",
        "je",
        "vais",
        "ensuite",
        "maintenant",
        "voy",
        "ahora",
        "continuacion",
        "luego",
        "vou",
        "agora",
        "seguida",
        "die",
        "das",
        "und",
        "der",
        "den",
        "les",
        "los",
        "las",
        "ora",
        "poi",
        "nun",
        "danach",
    ];
    !words.iter().any(|word| foreign.contains(&word.as_str()))
}
