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
    let names: Vec<&str> =
        [curriculum.title.as_str(), curriculum.id.as_str()].into_iter().chain(also(curriculum)).collect();
    let subject: Vec<String> = names.iter().flat_map(|name| subject_words(name)).collect();
    let wanted = subject_words(topic);
    !wanted.is_empty() && wanted.iter().all(|word| subject.iter().any(|name| is_same(name, word)))
}

fn also(curriculum: &Curriculum) -> impl Iterator<Item = &str> {
    curriculum.also.iter().map(String::as_str)
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
