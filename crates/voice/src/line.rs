//! A line to say.

/// Something to say.
#[derive(Debug, Clone, PartialEq)]
pub struct Line {
    pub text: String,
    /// As a BCP 47 tag.
    pub language: String,
    pub pace: Pace,
}

#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum Pace {
    #[default]
    Usual,
    /// For repeating after the coach.
    Slow,
}

/// The language of a tag, without its region.
pub(crate) fn primary(tag: &str) -> &str {
    tag.split(['-', '_']).next().unwrap_or_default()
}
