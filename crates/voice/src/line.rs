//! What is to be said.

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
