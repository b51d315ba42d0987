//! Takes a coding agent's final message apart.
//!
//! Such a message is Markdown with logs in it, sometimes coloured for a terminal, sometimes huge. Its clauses tell
//! the agent's own words from those it only quotes. Of a huge message, only the beginning and the end are read,
//! because agents ask at the end.

use std::ops::Range;

use super::spans::spans;

/// Bytes that are read from the beginning of a long message.
const HEAD_BYTES: usize = 8 << 10;
/// Bytes that are read from the end of a long message.
const TAIL_BYTES: usize = 24 << 10;
/// The maximum number of clauses that are read, counted from the end. More of them are a log, not a message.
const MAX_CLAUSES: usize = 1_200;

/// The minimum length of a line, in characters, that may have been wrapped.
const WRAPPED_CHARS: usize = 60;

/// The text that was read, and the clauses in it.
#[derive(Debug)]
pub(super) struct Message {
    pub text: String,
    pub clauses: Vec<Clause>,
    /// The index of the clause with which the end of the message begins.
    pub tail: usize,
}

/// A sentence, a heading, an item of a list or a line of a log.
#[derive(Debug, Clone)]
pub(super) struct Clause {
    pub range: Range<usize>,
    pub kind: Kind,
    /// The number of the paragraph or list that the clause belongs to.
    pub block: usize,
    /// Whether it ends with a question mark of any script.
    pub asks: bool,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Kind {
    Prose,
    Heading,
    Item,
    /// `- [ ]`
    OpenTask,
    /// `- [x]`
    DoneTask,
    Quote,
    Row,
    Code,
}

impl Kind {
    /// Whether the agent speaks here in its own words.
    pub(super) fn is_spoken(self) -> bool {
        !matches!(self, Kind::Quote | Kind::Row | Kind::Code)
    }

    fn is_listed(self) -> bool {
        matches!(self, Kind::Item | Kind::OpenTask | Kind::DoneTask)
    }
}

impl Message {
    pub(super) fn read(text: &str) -> Message {
        let text = plain(text);
        let mut clauses = clauses(&text);
        if clauses.len() > MAX_CLAUSES {
            clauses.drain(..clauses.len() - MAX_CLAUSES);
        }
        let tail = tail(&clauses);
        Message { text, clauses, tail }
    }

    pub(super) fn clause_text(&self, clause: usize) -> &str {
        &self.text[self.clauses[clause].range.clone()]
    }
}

/// Cuts the text to its bounds, and removes escape sequences and control characters.
pub(super) fn plain(text: &str) -> String {
    if text.len() <= HEAD_BYTES + TAIL_BYTES {
        return without_escapes(text);
    }
    let head = &text[..text.floor_char_boundary(HEAD_BYTES)];
    let tail = &text[text.ceil_char_boundary(text.len() - TAIL_BYTES)..];
    without_escapes(head) + "\n\n" + &without_escapes(tail)
}

/// Returns the text as a terminal shows it, without colours and control characters.
pub fn without_escapes(text: &str) -> String {
    let mut plain = String::with_capacity(text.len());
    let mut chars = text.chars().peekable();
    while let Some(c) = chars.next() {
        match c {
            '\u{1B}' => skip_escape(&mut chars),
            '\r' if chars.peek() == Some(&'\n') => {}
            // A carriage return by itself redraws a line, which a reader sees as a new line.
            '\r' => plain.push('\n'),
            '\n' | '\t' => plain.push(c),
            _ if c.is_control() || c == '\u{FEFF}' => {}
            _ => plain.push(c),
        }
    }
    plain
}

/// Skips one terminal sequence: `[` to its final letter, `]` to its bell or its `ESC \`, or one character.
fn skip_escape(chars: &mut std::iter::Peekable<std::str::Chars>) {
    match chars.next() {
        Some('[') => while chars.next().is_some_and(|c| !('\u{40}'..='\u{7E}').contains(&c)) {},
        Some(']') => {
            while chars.next_if(|c| !matches!(c, '\u{07}' | '\u{9C}' | '\u{1B}')).is_some() {}
            // An escape may also begin the next sequence.
            let mut ahead = chars.clone().skip(1);
            match chars.peek() {
                Some('\u{1B}') if ahead.next() != Some('\\') => {}
                Some('\u{1B}') => drop(chars.nth(1)),
                _ => drop(chars.next()),
            }
        }
        _ => {}
    }
}

fn clauses(text: &str) -> Vec<Clause> {
    let lines: Vec<Range<usize>> = line_ranges(text);
    let fenced = fenced_lines(text, &lines);
    let (lines, fenced) = joined(text, lines, fenced);
    let mut clauses: Vec<Clause> = Vec::new();
    let mut block = 0;
    for (line, fence) in lines.into_iter().zip(fenced) {
        let (kind, inner) = if fence { (Kind::Code, line) } else { classify_line(text, line) };
        if text[inner.clone()].chars().all(|c| !c.is_alphanumeric() && !is_question_mark(c)) {
            block += 1;
            continue;
        }
        let before = clauses.last().map(|clause| clause.kind);
        if before.is_some_and(|before| starts_block(before, kind)) {
            block += 1;
        }
        if matches!(kind, Kind::Code | Kind::Row) {
            clauses.push(Clause { range: inner, kind, block, asks: false });
        } else {
            split_sentences(text, inner, |range| {
                let asks = ends_with_question(&text[range.clone()]);
                clauses.push(Clause { range, kind, block, asks });
            });
        }
    }
    clauses
}

fn line_ranges(text: &str) -> Vec<Range<usize>> {
    let mut start = 0;
    let lines = text.split('\n').map(|line| {
        let range = start..start + line.len();
        start = range.end + 1;
        range
    });
    lines.collect()
}

/// Tells for each line whether it is inside a code fence. A fence that is never closed hides nothing, because the
/// end of a message that was cut must still be read.
fn fenced_lines(text: &str, lines: &[Range<usize>]) -> Vec<bool> {
    let mut fenced = vec![false; lines.len()];
    let mut open: Option<(usize, &str)> = None;
    for (at, line) in lines.iter().enumerate() {
        let line = text[line.clone()].trim_start();
        let fence = ["```", "~~~"].into_iter().find(|fence| line.starts_with(fence));
        match (open, fence) {
            (None, Some(fence)) => open = Some((at, fence)),
            (Some((start, opener)), Some(fence)) if fence == opener => {
                fenced[start..=at].fill(true);
                open = None;
            }
            _ => {}
        }
    }
    fenced
}

/// Joins lines that a terminal has wrapped: the first is long and ends inside a sentence, the next begins with a
/// small letter.
fn joined(text: &str, lines: Vec<Range<usize>>, fenced: Vec<bool>) -> (Vec<Range<usize>>, Vec<bool>) {
    let mut joined: Vec<(Range<usize>, bool)> = Vec::with_capacity(lines.len());
    let mut width = 0;
    for (line, is_fenced) in lines.into_iter().zip(fenced) {
        let written = &text[line.clone()];
        let goes_on =
            written.trim_start().starts_with(char::is_lowercase) && !is_fenced && width >= WRAPPED_CHARS;
        width = if written.ends_with([',', '-']) || written.ends_with(char::is_alphanumeric) {
            written.chars().count()
        } else {
            0
        };
        match joined.last_mut() {
            Some((before, false)) if goes_on => before.end = line.end,
            _ => joined.push((line, is_fenced)),
        }
    }
    joined.into_iter().unzip()
}

fn starts_block(before: Kind, now: Kind) -> bool {
    now == Kind::Heading || before == Kind::Heading || before.is_listed() != now.is_listed() || {
        (before == Kind::Code) != (now == Kind::Code)
    }
}

/// Returns the kind of a line and the range of its own text.
fn classify_line(text: &str, line: Range<usize>) -> (Kind, Range<usize>) {
    let written = &text[line.clone()];
    let trimmed = written.trim_start();
    let indent = written.len() - trimmed.len();
    let inner = |skip: usize| line.start + indent + skip..line.end;
    if let Some(skip) = heading_mark(trimmed) {
        return (Kind::Heading, inner(skip));
    }
    if trimmed.starts_with('>') {
        return (Kind::Quote, inner(1));
    }
    if trimmed.starts_with('|') {
        return (Kind::Row, inner(1));
    }
    if let Some(skip) = list_mark(trimmed) {
        let (kind, task) = task_mark(&trimmed[skip..]);
        return (kind, inner(skip + task));
    }
    let is_log = indent >= 4 || written.starts_with('\t');
    (if is_log { Kind::Code } else { Kind::Prose }, inner(0))
}

fn heading_mark(line: &str) -> Option<usize> {
    let hashes = line.bytes().take_while(|byte| *byte == b'#').count();
    ((1..=6).contains(&hashes) && line[hashes..].starts_with(' ')).then_some(hashes + 1)
}

fn list_mark(line: &str) -> Option<usize> {
    if ["- ", "* ", "+ ", "• "].iter().any(|mark| line.starts_with(mark)) {
        return line.find(' ').map(|at| at + 1);
    }
    let digits = line.bytes().take_while(u8::is_ascii_digit).count();
    let rest = &line[digits..];
    let numbered = (1..=3).contains(&digits) && (rest.starts_with(". ") || rest.starts_with(") "));
    numbered.then_some(digits + 2)
}

fn task_mark(item: &str) -> (Kind, usize) {
    if item.starts_with("[ ] ") {
        (Kind::OpenTask, 4)
    } else if item.starts_with("[x] ") || item.starts_with("[X] ") {
        (Kind::DoneTask, 4)
    } else {
        (Kind::Item, 0)
    }
}

/// Calls `each` with every sentence. Dots inside names, numbers, code and quotations do not end one.
fn split_sentences(text: &str, line: Range<usize>, mut each: impl FnMut(Range<usize>)) {
    let mut start = line.start;
    let mut spans = spans(&text[line.clone()]).into_iter().peekable();
    let mut chars = text[line.clone()].char_indices().peekable();
    while let Some((at, c)) = chars.next() {
        while spans.next_if(|span| span.range.end <= at).is_some() {}
        let is_inside = spans.peek().is_some_and(|span| span.range.contains(&at));
        let end = line.start + at + c.len_utf8();
        let next = chars.peek().map(|(_, next)| *next);
        if !is_inside && ends_sentence(c, next) && has_word(&text[start..end]) {
            each(start..end);
            start = end;
        }
    }
    if has_word(&text[start..line.end]) || ends_with_question(&text[start..line.end]) {
        each(start..line.end);
    }
}

fn ends_sentence(c: char, next: Option<char>) -> bool {
    let before_gap = next.is_none_or(|next| next.is_whitespace() || "*_\"”’»)".contains(next));
    match c {
        '。' | '！' | '？' | '；' => true,
        '.' | '!' | '?' | ';' | '…' | '؟' => before_gap,
        _ => false,
    }
}

fn has_word(text: &str) -> bool {
    text.chars().any(char::is_alphanumeric)
}

fn ends_with_question(text: &str) -> bool {
    let end = text.trim_end_matches(|c: char| c.is_whitespace() || "*_\"”’»)`".contains(c));
    end.ends_with(is_question_mark) || end.to_ascii_lowercase().ends_with("(y/n")
}

fn is_question_mark(c: char) -> bool {
    matches!(c, '?' | '？' | '؟' | '⸮' | '՞' | '\u{37E}')
}

/// Returns the clause with which the end of the message begins. The end is the last spoken block, or also the one
/// before if the last is a list or a single clause: options follow a question, and often a courtesy does too.
fn tail(clauses: &[Clause]) -> usize {
    let spoken = |range: Range<usize>| clauses[range].iter().rposition(|clause| clause.kind.is_spoken());
    let Some(last) = spoken(0..clauses.len()) else { return 0 };
    let start = block_start(clauses, last);
    let is_short = start == last || clauses[last].kind.is_listed();
    match spoken(0..start) {
        Some(before) if is_short => block_start(clauses, before),
        _ => start,
    }
}

fn block_start(clauses: &[Clause], at: usize) -> usize {
    let block = clauses[at].block;
    at + 1 - clauses[..=at].iter().rev().take_while(|clause| clause.block == block).count()
}
