//! Edits the text of a JSON file: what changes is written anew, and every other byte stays, comments and numbers included.

use serde::Serialize;
use serde_json::{Map, Value};
use std::ops::Range;

/// Reads an object. Comments and commas before a closing bracket are passed over, as editors do.
pub(super) fn parse(text: &str) -> Result<Map<String, Value>, serde_json::Error> {
    match plain(text).trim() {
        "" => Ok(Map::new()),
        text => serde_json::from_str(text),
    }
}

/// The text with these settings in place of its own.
pub(super) fn edited(text: &str, settings: &Map<String, Value>) -> String {
    let plain = plain(text);
    let whole = Value::Object(settings.clone());
    let mut edit = Edit { text, plain: &plain, edits: Vec::new() };
    match parse(text) {
        Ok(old) if !plain.trim().is_empty() => {
            let root = Reader { plain: &plain, at: 0 }.node();
            edit.compare(&root, &Value::Object(old), &whole);
        }
        _ => {
            let mark = if text.starts_with('\u{feff}') { "\u{feff}" } else { "" };
            return format!("{mark}{}\n", edit.rendered(&whole, ""));
        }
    }
    edit.applied()
}

/// The text with blanks in place of comments and needless commas, so that every place in it is the same.
fn plain(text: &str) -> String {
    let mut bytes = text.as_bytes().to_vec();
    let mut at = 0;
    let mut comma = None;
    while at < bytes.len() {
        let end = match &bytes[at..] {
            [b'"', ..] => string_end(&bytes, at),
            [b'/', b'/', ..] => blank(&mut bytes, at, "\n"),
            [b'/', b'*', ..] => blank(&mut bytes, at, "*/"),
            [0xef, 0xbb, 0xbf, ..] if at == 0 => {
                bytes[..3].fill(b' ');
                3
            }
            _ => at + 1,
        };
        match bytes[at] {
            b',' => comma = Some(at),
            b']' | b'}' => {
                if let Some(comma) = comma.take() {
                    bytes[comma] = b' ';
                }
            }
            byte if byte.is_ascii_whitespace() => {}
            _ => comma = None,
        }
        at = end;
    }
    String::from_utf8(bytes).unwrap_or_default()
}

/// Blanks a comment to where it ends, and says where that is. Lines stay lines.
fn blank(bytes: &mut [u8], start: usize, ending: &str) -> usize {
    let rest = &bytes[start + 2..];
    let found = rest.windows(ending.len()).position(|window| window == ending.as_bytes());
    let length = found.map_or(rest.len(), |at| if ending == "\n" { at } else { at + ending.len() });
    let end = start + 2 + length;
    bytes[start..end].iter_mut().filter(|byte| !matches!(byte, b'\n' | b'\r')).for_each(|byte| *byte = b' ');
    end
}

fn string_end(bytes: &[u8], start: usize) -> usize {
    let mut at = start + 1;
    while at < bytes.len() {
        match bytes[at] {
            b'"' => return at + 1,
            b'\\' => at += 2,
            _ => at += 1,
        }
    }
    bytes.len()
}

/// A value and where it stands.
struct Node {
    range: Range<usize>,
    inside: Inside,
}

enum Inside {
    Nothing,
    Items(Vec<Node>),
    Fields(Vec<Field>),
}

struct Field {
    name: String,
    start: usize,
    value: Node,
}

/// Finds the places of values in text that is known to be JSON.
struct Reader<'t> {
    plain: &'t str,
    at: usize,
}

impl Reader<'_> {
    fn node(&mut self) -> Node {
        let start = self.skip();
        let bytes = self.plain.as_bytes();
        let inside = match bytes.get(start) {
            Some(b'{') => Inside::Fields(self.listed(b'}', Reader::field)),
            Some(b'[') => Inside::Items(self.listed(b']', Reader::node)),
            Some(b'"') => {
                self.at = string_end(bytes, start);
                Inside::Nothing
            }
            _ => {
                let is_end = |byte: &u8| matches!(byte, b',' | b']' | b'}') || byte.is_ascii_whitespace();
                let length = bytes[start..].iter().position(is_end).unwrap_or(bytes.len() - start);
                self.at = start + length;
                Inside::Nothing
            }
        };
        Node { range: start..self.at, inside }
    }

    fn listed<T>(&mut self, end: u8, read: fn(&mut Self) -> T) -> Vec<T> {
        let mut found = Vec::new();
        self.at += 1;
        loop {
            let at = self.skip();
            match self.plain.as_bytes().get(at) {
                Some(byte) if *byte == end => break,
                Some(b',') => self.at += 1,
                Some(_) => found.push(read(self)),
                None => break,
            }
        }
        self.at = (self.at + 1).min(self.plain.len());
        found
    }

    fn field(&mut self) -> Field {
        let start = self.skip();
        self.at = string_end(self.plain.as_bytes(), start);
        let name = serde_json::from_str(&self.plain[start..self.at]).unwrap_or_default();
        self.at = self.skip() + 1;
        Field { name, start, value: self.node() }
    }

    /// Where the next sign is.
    fn skip(&mut self) -> usize {
        let rest = &self.plain.as_bytes()[self.at..];
        self.at += rest.iter().position(|byte| !byte.is_ascii_whitespace()).unwrap_or(rest.len());
        self.at
    }
}

struct Edit<'t> {
    text: &'t str,
    plain: &'t str,
    edits: Vec<(Range<usize>, String)>,
}

impl Edit<'_> {
    /// Notes what has to change so that one value becomes the other.
    fn compare(&mut self, node: &Node, old: &Value, new: &Value) {
        match (&node.inside, old, new) {
            _ if old == new => {}
            (Inside::Fields(fields), Value::Object(old), Value::Object(new)) => {
                self.compare_fields(node, fields, old, new);
            }
            (Inside::Items(items), Value::Array(old), Value::Array(new)) => {
                self.compare_items(node, items, old, new);
            }
            _ => {
                let indent = self.line_indent(node.range.start);
                let text = self.written(new, &indent, self.text.contains('\n'));
                self.edits.push((node.range.clone(), text));
            }
        }
    }

    fn compare_fields(
        &mut self,
        node: &Node,
        fields: &[Field],
        old: &Map<String, Value>,
        new: &Map<String, Value>,
    ) {
        for (at, field) in fields.iter().enumerate() {
            // Of fields with the same name the last one counts.
            let is_last = fields[at + 1..].iter().all(|later| later.name != field.name);
            if let (true, Some(before), Some(after)) = (is_last, old.get(&field.name), new.get(&field.name)) {
                self.compare(&field.value, before, after);
            }
        }
        let places = fields
            .iter()
            .map(|field| (field.start..field.value.range.end, !new.contains_key(&field.name)))
            .collect::<Vec<_>>();
        let added = new.iter().filter(|(name, _)| !old.contains_key(*name));
        let added: Vec<_> = added.map(|(name, value)| (Some(name.as_str()), value)).collect();
        self.splice(node, &places, &added);
    }

    /// Items are taken out anywhere and added at the end; one that changed keeps its place.
    fn compare_items(&mut self, node: &Node, items: &[Node], old: &[Value], new: &[Value]) {
        let mut places = Vec::new();
        let mut next = 0;
        for (at, item) in items.iter().enumerate() {
            let is_kept = new.get(next).is_some_and(|value| *value == old[at]);
            let is_changed = !is_kept && next < new.len() && old.len() - at == new.len() - next;
            if is_changed {
                self.compare(item, &old[at], &new[next]);
            }
            next += usize::from(is_kept || is_changed);
            places.push((item.range.clone(), !(is_kept || is_changed)));
        }
        let added: Vec<_> = new[next..].iter().map(|value| (None, value)).collect();
        self.splice(node, &places, &added);
    }

    /// Takes out the places that are marked, and adds values at the end.
    fn splice(&mut self, node: &Node, places: &[(Range<usize>, bool)], added: &[(Option<&str>, &Value)]) {
        let is_spread = match places.first() {
            Some((first, _)) => self.plain[node.range.start..first.start].contains('\n'),
            None => self.text.contains('\n') || self.text.trim().len() <= 2,
        };
        let parent = self.line_indent(node.range.start);
        let indent = match places.first() {
            Some((first, _)) if is_spread => self.line_indent(first.start),
            _ => format!("{parent}{}", self.unit()),
        };
        let mut added = added.iter().map(|(name, value)| {
            let name = name.map(|name| format!("{}:{}", Value::from(name), if is_spread { " " } else { "" }));
            name.unwrap_or_default() + &self.written(value, &indent, is_spread)
        });
        let gap = if is_spread { format!("{}{indent}", self.newline()) } else { String::new() };
        let Some(((last, is_out), before)) = places.split_last() else {
            let all: Vec<String> = added.collect();
            if !all.is_empty() {
                self.fill(node, &all, is_spread);
            }
            return;
        };
        // What is added first takes the place of a last one that goes.
        let in_place = if *is_out { added.next() } else { None };
        let more: String = added.map(|text| format!(",{gap}{text}")).collect();
        for (at, (range, _)) in before.iter().enumerate().filter(|(_, (_, is_out))| *is_out) {
            let comma = self.comma_after(range.end, places[at + 1].0.start);
            self.edits.push((range.start..self.blanks_end(comma), String::new()));
        }
        match in_place {
            Some(text) => self.edits.push((last.clone(), text + &more)),
            None if *is_out => {
                let mut end = last.end;
                if let Some((kept, _)) = before.iter().rev().find(|(_, is_out)| !is_out) {
                    let comma = self.comma_after(kept.end, last.start);
                    self.edits.push((comma - 1..comma, String::new()));
                } else if self.text[self.blanks_end(end)..].starts_with(',') {
                    end = self.blanks_end(end) + 1;
                }
                self.edits.push((self.blanks_start(last.start)..end, String::new()));
            }
            None if !more.is_empty() => self.edits.push((last.end..last.end, more)),
            None => {}
        }
    }

    /// Puts values into an empty list or object, after its comments.
    fn fill(&mut self, node: &Node, values: &[String], is_spread: bool) {
        let inside = node.range.start + 1..node.range.end - 1;
        let kept = inside.start + self.text[inside.clone()].trim_ascii_end().len();
        let parent = self.line_indent(node.range.start);
        let (gap, end) = match is_spread || kept > inside.start {
            true => {
                let newline = self.newline();
                (format!("{newline}{parent}{}", self.unit()), format!("{newline}{parent}"))
            }
            false => Default::default(),
        };
        self.edits.push((kept..inside.end, format!("{gap}{}{end}", values.join(&format!(",{gap}")))));
    }

    /// Where the comma between two places ends.
    fn comma_after(&self, start: usize, end: usize) -> usize {
        self.plain[start..end].find(',').map_or(end, |at| start + at + 1)
    }

    /// The end of the blanks that begin here. A comment is none.
    fn blanks_end(&self, at: usize) -> usize {
        let rest = &self.text[at..];
        at + (rest.len() - rest.trim_ascii_start().len())
    }

    fn blanks_start(&self, at: usize) -> usize {
        self.text[..at].trim_ascii_end().len()
    }

    fn line_indent(&self, at: usize) -> String {
        let line = self.text[..at].rsplit('\n').next().unwrap_or_default().trim_start_matches('\u{feff}');
        line.chars().take_while(|c| matches!(c, ' ' | '\t')).collect()
    }

    fn newline(&self) -> &'static str {
        if self.text.contains("\r\n") { "\r\n" } else { "\n" }
    }

    /// The indentation of the first indented line.
    fn unit(&self) -> &str {
        let blanks = |line: &str| line.len() - line.trim_start_matches([' ', '\t']).len();
        let line = self.text.lines().find(|line| blanks(line) > 0 && !line.trim().is_empty());
        line.map_or("  ", |line| &line[..blanks(line)])
    }

    fn written(&self, value: &Value, indent: &str, is_spread: bool) -> String {
        if is_spread { self.rendered(value, indent) } else { value.to_string() }
    }

    fn rendered(&self, value: &Value, indent: &str) -> String {
        let mut bytes = Vec::new();
        let formatter = serde_json::ser::PrettyFormatter::with_indent(self.unit().as_bytes());
        let mut serializer = serde_json::Serializer::with_formatter(&mut bytes, formatter);
        value.serialize(&mut serializer).expect("settings with text keys can be written");
        String::from_utf8_lossy(&bytes).replace('\n', &format!("{}{indent}", self.newline()))
    }

    fn applied(mut self) -> String {
        self.edits.sort_by_key(|(range, _)| range.start);
        let mut text = String::with_capacity(self.text.len());
        let mut at = 0;
        for (range, written) in &self.edits {
            text.push_str(&self.text[at.min(range.start)..range.start]);
            text.push_str(written);
            at = range.end;
        }
        text + &self.text[at..]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The text with a change, which has to be what a reader expects, and to the byte.
    fn check(text: &str, change: fn(&mut Map<String, Value>), expected: &str) {
        let mut settings = parse(text).unwrap();
        change(&mut settings);
        let written = edited(text, &settings);
        assert_eq!(written, expected);
        assert_eq!(parse(&written).unwrap(), settings, "{text:?}");
    }

    #[test]
    fn only_what_changes_is_written() {
        let add = |settings: &mut Map<String, Value>| drop(settings.insert("x".to_owned(), true.into()));
        let remove = |settings: &mut Map<String, Value>| drop(settings.shift_remove("x"));
        check("{\"n\":12345678901234567890123}", add, "{\"n\":12345678901234567890123,\"x\":true}");
        check("{\r\n  \"a\": 1.50\r\n}\r\n", add, "{\r\n  \"a\": 1.50,\r\n  \"x\": true\r\n}\r\n");
        check(
            "{\n\t// mine\n\t\"a\": 1, // one\n}",
            add,
            "{\n\t// mine\n\t\"a\": 1,\n\t\"x\": true, // one\n}",
        );
        check("{}", add, "{\n  \"x\": true\n}");
        check("{ /* a, b */ }\n", add, "{ /* a, b */\n  \"x\": true\n}\n");
        check("{\"x\": 1,}", remove, "{}");
        check("\u{feff}", add, "\u{feff}{\n  \"x\": true\n}\n");
        check("{\"x\":1,\"a\":\"}, // no\"}", remove, "{\"a\":\"}, // no\"}");
        check("{\n  \"a\": 1, // one\n  \"x\": 2\n}", remove, "{\n  \"a\": 1 // one\n}");
        check("{\n  \"x\": 2,\n  /* b */ \"b\": 1\n}", remove, "{\n  /* b */ \"b\": 1\n}");
    }

    #[test]
    fn lists_are_changed_in_their_place() {
        let list = |settings: &mut Map<String, Value>, items: &str| {
            settings.insert("l".to_owned(), serde_json::from_str(items).unwrap());
        };
        let text = "{\"l\": [ {\"a\":1.0},  {\"b\":2} , 3 ]}";
        check(text, |_| {}, text);
        let mut settings = parse(text).unwrap();
        for (items, expected) in [
            ("[{\"a\":1.0},3]", "{\"l\": [ {\"a\":1.0},  3 ]}"),
            ("[{\"a\":1.0},{\"b\":2}]", "{\"l\": [ {\"a\":1.0},  {\"b\":2}  ]}"),
            ("[{\"a\":1.0},{\"b\":4},3]", "{\"l\": [ {\"a\":1.0},  {\"b\":4} , 3 ]}"),
            ("[{\"a\":1.0},{\"b\":2},3,4]", "{\"l\": [ {\"a\":1.0},  {\"b\":2} , 3,4 ]}"),
            ("[3]", "{\"l\": [ 3 ]}"),
            ("[]", "{\"l\": [  ]}"),
        ] {
            list(&mut settings, items);
            assert_eq!(edited(text, &settings), expected, "{items}");
            assert_eq!(parse(expected).unwrap(), settings);
        }
    }
}
