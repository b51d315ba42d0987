//! Finds the steps that only a human decides: those that cannot be undone, and those that leave the machine.
//!
//! A verb alone says little: deleting an import is harmless, deleting a table is not; a value is pushed onto a
//! stack, a branch to a remote. So the verb and its object are read together. In doubt, the step is a risk.

use super::phrases::{Means, Phrases, is_unspaced, words_of};

/// The maximum number of words after a verb that are read as its object.
const OBJECT_WORDS: usize = 7;
/// Deeds that only a human decides, as the verb, its object and, for everyday verbs, the place that makes them one.
const HUMAN_DEEDS: &[(Means, Means, Option<Means>)] = &[
    (Means::Weakens, Means::Safeguards, None),
    (Means::Silences, Means::TestCases, None),
    (Means::Commits, Means::Secrets, None),
    (Means::Puts, Means::Secrets, Some(Means::SharedPlaces)),
    (Means::Grants, Means::Rights, None),
    (Means::Alters, Means::Addresses, None),
];
const SOURCE_ENDINGS: &[&str] = &[
    "rs", "py", "js", "ts", "tsx", "jsx", "go", "java", "rb", "c", "h", "cpp", "hpp", "cs", "css", "scss",
    "html", "md", "kt", "php", "swift", "vue", "svelte",
];

pub(super) fn is_risky(step: &str, phrases: &Phrases) -> bool {
    let words = words_of(step);
    let first = Deed { words: &words, at: 0, phrases };
    phrases.says(Means::Risks, step)
        || is_for_human(&words, phrases)
        || (first.is_grave() && !first.is_only_words())
        || is_risky_unspaced(step, phrases)
        || (0..words.len()).any(|at| Deed { words: &words, at, phrases }.is_risky())
}

/// Whether an item asks for the result of a risky step: "old table dropped", "deployed to production".
pub(super) fn is_risky_result(item: &str, phrases: &Phrases) -> bool {
    let words = words_of(item);
    let is_done = |at: usize| {
        let acts = phrases.at(Means::Destroys, &words, at) > 0 || phrases.at(Means::Outward, &words, at) > 0;
        phrases.is(Means::Results, &words[at]) || (acts && words[at].ends_with("ed"))
    };
    let is_code = phrases.has(Means::Harmless, &words) && !phrases.has(Means::Stakes, &words);
    (0..words.len()).any(is_done) && !is_code
}

/// Whether the step weakens a check, spreads a secret, gives rights away or changes where the world finds something.
fn is_for_human(words: &[String], phrases: &Phrases) -> bool {
    (0..words.len()).any(|at| {
        let deed = Deed { words, at, phrases };
        HUMAN_DEEDS.iter().any(|(verbs, objects, places)| deed.is_done_to(*verbs, *objects, *places))
    })
}

/// Whether a step in a script without spaces is risky, judged by its letters.
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
        if self.phrases.is(Means::DeedNames, &self.words[self.at]) {
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
        if length(Means::MovesCustomers) > 0 && self.is_verb() {
            return true;
        }
        length(Means::Operates) > 0 && self.is_verb() && self.is_grave() && length(Means::WritesAbout) == 0
    }

    /// Whether the word is such a verb, and what it is done to ends in such an object, at such a place.
    fn is_done_to(&self, verbs: Means, objects: Means, places: Option<Means>) -> bool {
        let length = self.phrases.at(verbs, self.words, self.at);
        let is_at = |words: &[String]| places.is_none_or(|places| self.phrases.has(places, words));
        if length == 0 || !is_at(self.words) {
            return false;
        }
        // In German, the object may stand anywhere, and the verb at the end.
        let is_last = self.at > 0 && self.at + length == self.words.len();
        if is_last || self.phrases.has(Means::ForeignSteps, self.words) {
            return self.phrases.has(objects, self.words);
        }
        let (object, rest) = self.object(length);
        let is_spare = self.phrases.has(Means::Superfluous, object);
        let is_rehearsed = rest.first().is_some_and(|word| word == "in") && self.in_code(rest);
        let ends = |at: usize| {
            let length = self.phrases.at(objects, object, at);
            length > 0 && at + length == object.len()
        };
        let is_inside = self.phrases.has(objects, &self.words[self.at + 1..self.at + length]);
        let is_object = is_inside || (0..object.len()).any(ends);
        self.is_verb() && is_object && !is_spare && !(verbs == Means::Grants && is_rehearsed)
    }

    /// Whether a noun stands for the deed: "continuing with the deployment", but not "the deployment script".
    fn is_named_deed(&self) -> bool {
        let next = self.words.get(self.at + 1);
        let is_part = next.is_some_and(|next| !self.phrases.is(Means::ObjectEnds, next));
        let is_written = self.phrases.has(Means::WritesAbout, &self.words[..self.at]);
        !is_part
            && !is_written
            && (self.is_grave() || !self.phrases.has(Means::Harmless, &self.words[self.at..]))
    }

    /// Whether the step looks or writes, and does no more.
    fn is_only_words(&self) -> bool {
        [Means::WritesAbout, Means::Looks].iter().any(|means| self.phrases.has(*means, self.words))
    }

    /// Whether the word is a verb of the agent's, unlike in "the delete button".
    fn is_verb(&self) -> bool {
        let Some(before) = self.at.checked_sub(1).map(|at| &self.words[at]) else { return true };
        if self.phrases.has(Means::ForeignSteps, self.words) {
            return !self.phrases.is(Means::NounMarks, before);
        }
        if self.at > 1 && self.phrases.at(Means::HowTo, self.words, self.at - 2) > 0 {
            return false;
        }
        let is_adverb = before.len() > 4 && before.ends_with("ly");
        is_adverb || self.phrases.is(Means::BeforeVerbs, before)
    }

    /// Whether the step mentions production, other people's data and the like, anywhere.
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

    /// Splits the words after the verb into its object and the rest.
    fn object(&self, length: usize) -> (&[String], &[String]) {
        let after = self.after(length);
        let end =
            after.iter().position(|word| self.phrases.is(Means::ObjectEnds, word)).unwrap_or(after.len());
        after.split_at(end)
    }

    /// Whether the words after an object say that it is part of code.
    fn in_code(&self, rest: &[String]) -> bool {
        let beside = &rest[..rest.len().min(5)];
        !self.phrases.has(Means::Stakes, beside) && self.phrases.has(Means::Harmless, beside)
    }

    /// Whether the deed is plainly done to code.
    fn is_harmless(&self, length: usize) -> bool {
        if self.phrases.has(Means::ForeignSteps, self.words) {
            return self.phrases.has(Means::Harmless, self.words)
                && !self.phrases.has(Means::Stakes, self.words);
        }
        let (object, rest) = self.object(length);
        let head = object.last();
        let pair = &object[object.len().saturating_sub(2)..];
        let is = |means: Means, word: Option<&String>| {
            let is_one = word.is_some_and(|word| self.phrases.is(means, word));
            is_one || (pair.len() == 2 && self.phrases.at(means, pair, 0) == 2)
        };
        let is_pointing = object.iter().all(|word| self.phrases.is(Means::PointsAt, word));
        let in_code = self.in_code(rest) && !self.phrases.has(Means::Audiences, rest);
        if is(Means::Stakes, head) && !is(Means::Harmless, head) {
            return in_code && head.is_some_and(|head| self.phrases.is(Means::InPrograms, head));
        }
        let is_source = object.last().is_some_and(|word| SOURCE_ENDINGS.contains(&word.as_str()));
        is_source || self.phrases.has(Means::Harmless, object) || (in_code && !is_pointing)
    }
}
