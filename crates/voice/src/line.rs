//! Lines for the voice to say.

/// A line to say.
#[derive(Debug, Clone, PartialEq)]
pub struct Line {
    pub text: String,
    /// A BCP 47 tag.
    pub language: String,
    pub pace: Pace,
}

#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum Pace {
    #[default]
    Usual,
    /// For words that the learner repeats after the coach.
    Slow,
}

/// Returns the language of a tag, without its region.
pub(crate) fn primary(tag: &str) -> &str {
    tag.split(['-', '_']).next().unwrap_or_default()
}
