//! Reads the success criteria of a plan document where they are unambiguous.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// The maximum size of a plan that is searched. For a larger one, the agent is pointed at the file.
const MAX_PLAN_BYTES: usize = 1 << 20;
/// The maximum size of a section of criteria. A larger one holds more than criteria.
const MAX_CRITERIA_BYTES: usize = 8 << 10;
const HEADING: &str = "success criteria";

/// The plan that an agent works by.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Plan {
    pub path: String,
    /// Absent when the file could not be read or is too long to be sent along.
    #[serde(default)]
    pub text: Option<String>,
}

/// Returns the text under `## Success Criteria`. Returns `None` unless there is exactly one such heading outside of
/// code and comments and something stands under it: half-understood criteria are worse than a pointer to the file.
pub fn success_criteria(plan: &str) -> Option<&str> {
    if plan.len() > MAX_PLAN_BYTES {
        return None;
    }
    let headings = headings(plan)?;
    let is_criteria = |heading: &&Heading| heading.level == 2 && heading.title.eq_ignore_ascii_case(HEADING);
    let mut found = headings.iter().filter(is_criteria);
    let (heading, None) = (found.next()?, found.next()) else { return None };
    let next = headings.iter().find(|other| other.start > heading.start && other.level <= 2);
    let section = plan[heading.end..next.map_or(plan.len(), |next| next.start)].trim();
    let has_words = section.chars().any(char::is_alphanumeric);
    (has_words && section.len() <= MAX_CRITERIA_BYTES).then_some(section)
}

/// One success criterion of a plan.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Criterion {
    pub text: String,
    /// Whether it is ticked off.
    pub is_ticked: bool,
}

/// Returns the items of the plan's success criteria, or its lines if it has no list.
pub fn criteria(plan: &str) -> Vec<Criterion> {
    let Some(section) = success_criteria(plan) else { return Vec::new() };
    let items: Vec<Criterion> = section.lines().filter_map(criterion).collect();
    let plain = |line: &str| Criterion { text: line.trim().to_owned(), is_ticked: false };
    let has_words = |line: &&str| line.chars().any(char::is_alphanumeric);
    if items.is_empty() { section.lines().filter(has_words).map(plain).collect() } else { items }
}

/// Reads an item of a list: `- [x] text`, `* text` or `1. text`.
fn criterion(line: &str) -> Option<Criterion> {
    let line = line.trim();
    let numbered = || {
        let digits = line.bytes().take_while(u8::is_ascii_digit).count();
        line[digits..].strip_prefix(['.', ')']).filter(|_| digits > 0)
    };
    let item =
        line.strip_prefix(['-', '*', '+']).or_else(numbered).filter(|item| item.starts_with(' '))?.trim();
    let ticked = ["[x]", "[X]", "[✓]"].iter().find_map(|tick| item.strip_prefix(tick));
    let text = ticked.or(item.strip_prefix("[ ]")).unwrap_or(item).trim().to_owned();
    (!text.is_empty()).then_some(Criterion { text, is_ticked: ticked.is_some() })
}

struct Heading<'p> {
    level: usize,
    title: &'p str,
    start: usize,
    end: usize,
}

/// Returns the headings outside of code fences and comments, or `None` if a fence or a comment is never closed, so
/// that it is unclear what is inside.
fn headings(plan: &str) -> Option<Vec<Heading<'_>>> {
    let mut headings = Vec::new();
    let mut fence: Option<&str> = None;
    let mut in_comment = false;
    let mut start = 0;
    for line in plan.split_inclusive('\n') {
        let end = start + line.len();
        let text = line.trim();
        match fence {
            Some(open) if closes(text, open) => fence = None,
            Some(_) => {}
            None if in_comment => in_comment = !text.contains("-->"),
            None if text.starts_with("<!--") => in_comment = !text.contains("-->"),
            None if opening(line).is_some() => fence = opening(line),
            None => headings.extend(heading(line).map(|(level, title)| Heading { level, title, start, end })),
        }
        start = end;
    }
    (fence.is_none() && !in_comment).then_some(headings)
}

/// Returns the run of fence characters with which a line opens a code block.
fn opening(line: &str) -> Option<&str> {
    let text = line.trim_start_matches(' ');
    let mark = text.chars().next().filter(|c| *c == '`' || *c == '~')?;
    let length = text.chars().take_while(|c| *c == mark).count();
    (length >= 3 && line.len() - text.len() < 4).then_some(&text[..length])
}

fn closes(text: &str, open: &str) -> bool {
    text.len() >= open.len() && text.starts_with(open) && text.chars().all(|c| open.starts_with(c))
}

fn heading(line: &str) -> Option<(usize, &str)> {
    let text = line.trim_start_matches(' ');
    let level = text.bytes().take_while(|byte| *byte == b'#').count();
    let title = &text[level..];
    let is_heading =
        (1..=6).contains(&level) && title.starts_with([' ', '\t']) && line.len() - text.len() < 4;
    is_heading.then(|| (level, title.trim().trim_end_matches('#').trim().trim_end_matches(':')))
}
