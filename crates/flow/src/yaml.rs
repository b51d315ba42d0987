//! Reads YAML as a tree in which every node knows its place.
//!
//! Scalars stay text: `on` is the word `on`, and `0.2` is not a number. Anchors, aliases and tags are refused: a law
//! does not need them, and with them a small file could unfold into a huge one.

use crate::problem::{Code, Place, Problem};
use granit_parser::{Event, Marker, Parser, ScalarStyle, Span};

/// The depth beyond which a file is refused: deeper than any law needs, shallow enough that recursion over the tree
/// is safe.
const MAX_DEPTH: usize = 24;

#[derive(Debug, Clone)]
pub(crate) struct Node {
    pub(crate) place: Place,
    pub(crate) kind: Kind,
}

#[derive(Debug, Clone)]
pub(crate) enum Kind {
    /// The text of a scalar, empty where nothing is written; `quoted` tells `""` from nothing.
    Scalar {
        text: String,
        quoted: bool,
    },
    List(Vec<Node>),
    Map(Vec<(Node, Node)>),
}

impl Node {
    pub(crate) fn describe(&self) -> String {
        match &self.kind {
            Kind::Scalar { text, .. } if text.is_empty() => "nothing".into(),
            Kind::Scalar { text, .. } => format!("`{}`", shorten(text)),
            Kind::List(_) => "a list".into(),
            Kind::Map(_) => "a mapping".into(),
        }
    }

    pub(crate) fn is_empty(&self) -> bool {
        match &self.kind {
            Kind::Scalar { text, quoted } => text.is_empty() && !quoted,
            Kind::List(items) => items.is_empty(),
            Kind::Map(pairs) => pairs.is_empty(),
        }
    }
}

/// Makes a text fit for a message: without control characters, and cut if it is long.
pub(crate) fn shorten(text: &str) -> String {
    const MOST: usize = 60;
    let clean: String = text.chars().map(|c| if c.is_control() { ' ' } else { c }).take(MOST + 1).collect();
    if clean.chars().count() > MOST {
        format!("{}…", clean.chars().take(MOST).collect::<String>())
    } else {
        clean
    }
}

/// Reads a file, which must hold exactly one document.
pub(crate) fn read(source: &str) -> Result<Node, Box<Problem>> {
    let mut reader = Reader { parser: Parser::new_from_str(source), source };
    let root = loop {
        match reader.next()? {
            (Event::StreamStart | Event::DocumentStart(..), _) => {}
            (Event::StreamEnd | Event::DocumentEnd, span) => {
                return Err(Problem::boxed(
                    Code::UnexpectedShape,
                    place(source, &span),
                    "the file is empty",
                    "write at least `session`, `version` and `states`",
                ));
            }
            (event, span) => break reader.node(event, span, 0)?,
        }
    };
    loop {
        match reader.next()? {
            (Event::StreamEnd, _) => return Ok(root),
            (Event::DocumentStart(..), span) => {
                return Err(Problem::boxed(
                    Code::UnexpectedShape,
                    place(source, &span),
                    "a second document begins here",
                    "a file holds one document: put the second into a file of its own",
                ));
            }
            _ => {}
        }
    }
}

struct Reader<'s> {
    parser: Parser<'s, granit_parser::StrInput<'s>>,
    source: &'s str,
}

impl<'s> Reader<'s> {
    fn next(&mut self) -> Result<(Event<'s>, Span), Box<Problem>> {
        match self.parser.next_event() {
            Some(Ok(pair)) => Ok(pair),
            Some(Err(error)) => {
                let said = error.info();
                Err(Problem::boxed(
                    Code::UnreadableYaml,
                    place_of(self.source, error.marker()),
                    format!("this is not YAML: {said}"),
                    "check the indentation (spaces, never tabs), the colons and the quotes on this line and the one above",
                ))
            }
            None => Err(Problem::boxed(
                Code::UnreadableYaml,
                Place::default(),
                "the file ends in the middle of a value",
                "close what was opened last",
            )),
        }
    }

    fn node(&mut self, event: Event<'s>, span: Span, depth: usize) -> Result<Node, Box<Problem>> {
        let place = place(self.source, &span);
        if depth > MAX_DEPTH {
            return Err(Problem::boxed(
                Code::TooLarge,
                place,
                format!("nested deeper than {MAX_DEPTH} levels"),
                "a law is flat: states, then their keys",
            ));
        }
        let kind = match event {
            Event::Scalar(text, style, 0, None) => return Ok(scalar(&text, style, place)),
            Event::SequenceStart(_, 0, None) => self.list(depth)?,
            Event::MappingStart(_, 0, None) => self.map(depth)?,
            _ => {
                return Err(Problem::boxed(
                    Code::UnexpectedShape,
                    place,
                    "anchors (`&name`), aliases (`*name`) and tags (`!name`) are not part of a law",
                    "write the value itself where it is used",
                ));
            }
        };
        Ok(Node { place, kind })
    }

    fn list(&mut self, depth: usize) -> Result<Kind, Box<Problem>> {
        let mut items = Vec::new();
        loop {
            match self.next()? {
                (Event::SequenceEnd, _) => return Ok(Kind::List(items)),
                (event, span) => items.push(self.node(event, span, depth + 1)?),
            }
        }
    }

    fn map(&mut self, depth: usize) -> Result<Kind, Box<Problem>> {
        let mut pairs = Vec::new();
        loop {
            let key = match self.next()? {
                (Event::MappingEnd, _) => return Ok(Kind::Map(pairs)),
                (event, span) => self.node(event, span, depth + 1)?,
            };
            let (event, span) = self.next()?;
            pairs.push((key, self.node(event, span, depth + 1)?));
        }
    }
}

/// Reads a single value. The parser gives `~` where nothing is written; a written `~` or `null` is nothing as well.
fn scalar(text: &str, style: ScalarStyle, mut place: Place) -> Node {
    let quoted = style != ScalarStyle::Plain;
    let is_nothing = !quoted && (place.start == place.end || matches!(text, "~" | "null"));
    if matches!(style, ScalarStyle::SingleQuoted | ScalarStyle::DoubleQuoted) {
        // The quotes are not part of the text.
        place = Place { column: place.column + 1, start: place.start + 1, end: place.end - 1, ..place };
    }
    let text = if is_nothing { String::new() } else { text.to_owned() };
    Node { place, kind: Kind::Scalar { text, quoted } }
}

fn place(source: &str, span: &Span) -> Place {
    let end = span.end.byte_offset().unwrap_or(0).min(source.len());
    Place { end, ..place_of(source, &span.start) }
}

fn place_of(source: &str, marker: &Marker) -> Place {
    let start = marker.byte_offset().unwrap_or(0).min(source.len());
    Place { line: marker.line().max(1), column: marker.col() + 1, start, end: start }
}
