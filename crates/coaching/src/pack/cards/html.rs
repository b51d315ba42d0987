//! Converts the HTML that Anki keeps in its fields to plain text, and back.
//!
//! This is not a browser. It knows which tags break a line, drops all others and decodes entities, in one pass
//! over the text.

use std::borrow::Cow;

/// The text of a field, and the counts of things that could not become text.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Plain {
    pub text: String,
    pub sounds: usize,
    pub images: usize,
}

/// Reads a field: tags dropped, entities decoded, blank lines and outer space removed.
pub fn plain_text(html: &str) -> Plain {
    let mut reader = Reader::default();
    let mut rest = html;
    while let Some(at) = rest.find(['<', '[']) {
        reader.push_text(&rest[..at]);
        rest = reader.markup(&rest[at..]);
    }
    reader.push_text(rest);
    Plain { text: tidy(&reader.text), sounds: reader.sounds, images: reader.images }
}

/// Returns the HTML of a field that shows a plain text unchanged.
pub fn to_html(text: &str) -> String {
    html_escape::encode_double_quoted_attribute(text).replace('\n', "<br>")
}

#[derive(Default)]
struct Reader {
    text: String,
    sounds: usize,
    images: usize,
}

/// The greatest distance in bytes to the closing bracket of one of Anki's tags. Without a bound, many open
/// brackets would cost too much.
const MAX_ANKI_TAG_BYTES: usize = 1_000;
/// Elements whose content is not meant to be read.
const UNREAD: &[&str] = &["script", "style", "head", "title"];
const LINE_BREAKING: &str = "address article blockquote br dd div dl dt footer form h1 h2 h3 h4 h5 h6 header hr li main ol p \
                             pre section table td th tr ul";

impl Reader {
    /// Reads the markup that begins with `<` or `[`, and returns the text after it.
    fn markup<'h>(&mut self, html: &'h str) -> &'h str {
        let taken = if html.starts_with('<') { self.tag(html) } else { self.anki_tag(html) };
        taken.unwrap_or_else(|| {
            self.text.push_str(&html[..1]);
            &html[1..]
        })
    }

    fn tag<'h>(&mut self, html: &'h str) -> Option<&'h str> {
        if let Some(comment) = html.strip_prefix("<!--") {
            return Some(comment.split_once("-->").map_or("", |(_, after)| after));
        }
        let inside = html[1..].strip_prefix('/').unwrap_or(&html[1..]);
        let name_end = inside.find(|c: char| !c.is_ascii_alphanumeric()).unwrap_or(inside.len());
        let name = inside[..name_end].to_ascii_lowercase();
        // "1 < 2" is not a tag. A tag that is never closed swallows the rest, as in a browser.
        if !name.starts_with(|c: char| c.is_ascii_alphabetic()) && !html.starts_with("<!") {
            return None;
        }
        let after = &inside[tag_end(inside)..];
        if name == "img" {
            self.images += 1;
        }
        if LINE_BREAKING.split(' ').any(|tag| tag == name) {
            self.text.push('\n');
        }
        if UNREAD.contains(&name.as_str()) && !html.starts_with("</") {
            return Some(after_closing(after, &name));
        }
        Some(after)
    }

    /// Drops `[sound:…]` and the brackets around text that Anki speaks.
    fn anki_tag<'h>(&mut self, html: &'h str) -> Option<&'h str> {
        let near = &html[..html.floor_char_boundary(MAX_ANKI_TAG_BYTES)];
        let (inside, after) = html.split_at(near.find(']')? + 1);
        if inside.starts_with("[sound:") {
            self.sounds += 1;
            return Some(after);
        }
        (inside.starts_with("[anki:") || inside.starts_with("[/anki:")).then_some(after)
    }

    fn push_text(&mut self, html: &str) {
        let decoded: Cow<str> = html_escape::decode_html_entities(html);
        // Line ends in HTML source are just spaces.
        self.text.extend(decoded.chars().map(|c| if matches!(c, '\n' | '\r' | '\u{A0}') { ' ' } else { c }));
    }
}

/// Returns the end of a tag. A `>` inside quotes does not end it.
fn tag_end(inside: &str) -> usize {
    let mut quote = None;
    for (at, byte) in inside.bytes().enumerate() {
        match (quote, byte) {
            (None, b'>') => return at + 1,
            (None, b'"' | b'\'') => quote = Some(byte),
            (Some(open), byte) if open == byte => quote = None,
            _ => {}
        }
    }
    inside.len()
}

fn after_closing<'h>(html: &'h str, name: &str) -> &'h str {
    let mut rest = html;
    while let Some((_, after)) = rest.split_once("</") {
        let is_name = after.get(..name.len()).is_some_and(|found| found.eq_ignore_ascii_case(name));
        if is_name && !after[name.len()..].starts_with(|c: char| c.is_ascii_alphanumeric()) {
            return &after[tag_end(after)..];
        }
        rest = after;
    }
    ""
}

/// Returns the text with one space between words and one line end between lines.
fn tidy(text: &str) -> String {
    let lines = text.lines().map(|line| line.split_whitespace().collect::<Vec<_>>().join(" "));
    lines.filter(|line| !line.is_empty()).collect::<Vec<_>>().join("\n")
}
