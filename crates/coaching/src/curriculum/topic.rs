//! Whether a wish to learn something means a curriculum.

use super::Curriculum;
use crate::text::{Heard, Target, Words};

/// Words that say that, how or why somebody wants to learn, but not what.
const ABOUT_LEARNING: &[&str] = &[
    "a",
    "about",
    "absolute",
    "an",
    "and",
    "anfang",
    "anfanger",
    "as",
    "basic",
    "basics",
    "beginner",
    "beginners",
    "beginning",
    "beibringen",
    "bitte",
    "bring",
    "by",
    "can",
    "code",
    "coding",
    "concepts",
    "could",
    "course",
    "das",
    "der",
    "die",
    "ein",
    "eine",
    "einfuhrung",
    "erklar",
    "explain",
    "fast",
    "for",
    "from",
    "fundamentals",
    "fur",
    "get",
    "give",
    "grundlagen",
    "guide",
    "help",
    "how",
    "i",
    "ich",
    "id",
    "im",
    "in",
    "intro",
    "introduction",
    "is",
    "just",
    "kann",
    "kurs",
    "language",
    "learn",
    "learning",
    "lerne",
    "lernen",
    "lesson",
    "lessons",
    "like",
    "mag",
    "me",
    "mehr",
    "mir",
    "mochte",
    "more",
    "my",
    "need",
    "new",
    "null",
    "of",
    "on",
    "please",
    "practice",
    "programmers",
    "programmierer",
    "programmieren",
    "programming",
    "programmiersprache",
    "question",
    "quick",
    "scratch",
    "some",
    "sprache",
    "start",
    "started",
    "study",
    "teach",
    "tell",
    "the",
    "theory",
    "to",
    "tutorial",
    "uber",
    "und",
    "understand",
    "use",
    "using",
    "von",
    "want",
    "was",
    "what",
    "will",
    "with",
    "wie",
    "works",
    "would",
    "write",
    "you",
    "zero",
    "zu",
    "zum",
];

/// The topic names the subject, and names nothing that the curriculum does not. "Rust" means it, "rust on my car"
/// does not.
pub(super) fn matches(curriculum: &Curriculum, topic: &str) -> bool {
    let mut names = subject_words(&curriculum.id);
    names.extend(first_subject(&curriculum.title));
    names.extend(curriculum.also.iter().flat_map(|name| subject_words(name)));
    let beside = subject_words(&curriculum.title);
    let wanted = subject_words(topic);
    let is_in = |words: &[String], word: &String| words.iter().any(|name| is_same(name, word));
    wanted.iter().any(|word| is_in(&names, word))
        && wanted.iter().all(|word| is_in(&names, word) || is_in(&beside, word))
}

/// What a title is about: the first of its words that are not about learning, up to the next that is. In "SQL for
/// people with a spreadsheet" that is SQL.
fn first_subject(title: &str) -> Vec<String> {
    let words = Words::new(title);
    let folded = words.iter().map(|(_, folded)| folded.to_owned());
    let is_about_learning = |word: &String| ABOUT_LEARNING.contains(&word.as_str());
    folded.skip_while(is_about_learning).take_while(|word| !is_about_learning(word)).collect()
}

fn subject_words(text: &str) -> Vec<String> {
    let words = Words::new(text);
    let folded = words.iter().map(|(_, folded)| folded.to_owned());
    folded.filter(|word| !ABOUT_LEARNING.contains(&word.as_str())).collect()
}

/// A slip of the keyboard is forgiven, but "trust" is not "rust".
fn is_same(name: &str, word: &str) -> bool {
    let same_start = name.chars().next() == word.chars().next();
    same_start && Target::parse(name).is_ok_and(|target| target.hear(&Heard::new(word)).matched)
}
