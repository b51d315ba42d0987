//! The problems of a law: a closed list of codes, each with its page in `docs/problems/`.

use annotate_snippets::{AnnotationKind, Level, Renderer, Snippet};
use serde::Serialize;
use std::collections::BTreeMap;
use std::ops::Range;

/// A place in a law's source. Lines and columns count from one.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize)]
pub struct Place {
    pub line: usize,
    pub column: usize,
    pub start: usize,
    pub end: usize,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Severity {
    /// The law must not run.
    Error,
    /// The law can run, but its author should look.
    Warning,
}

macro_rules! codes {
    ($($variant:ident = $code:literal, $title:literal;)+) => {
        /// Every kind of problem. A code never changes its meaning and is never reused.
        #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
        pub enum Code { $($variant),+ }

        impl Code {
            pub const ALL: &'static [Code] = &[$(Code::$variant),+];

            pub fn as_str(self) -> &'static str {
                match self { $(Code::$variant => $code),+ }
            }

            /// Returns the title: a few words, for lists.
            pub fn title(self) -> &'static str {
                match self { $(Code::$variant => $title),+ }
            }

            /// Returns the page that `etude explain CODE` prints.
            pub fn page(self) -> &'static str {
                match self { $(Code::$variant => include_str!(concat!("../../../docs/problems/", $code, ".md"))),+ }
            }
        }
    };
}

codes! {
    UnreadableYaml = "F001", "unreadable YAML";
    UnexpectedShape = "F002", "unexpected shape";
    UnknownName = "F003", "unknown name";
    UnusedName = "F004", "unused name";
    BadGuard = "F005", "bad guard";
    UnreachableState = "F006", "unreachable state";
    MissingElse = "F007", "guard without else";
    DeadEnd = "F008", "dead end";
    UnhandledEvent = "F009", "event never handled";
    UnboundedCounter = "F010", "counter without a bound";
    BrokenInvariant = "F011", "broken invariant";
    BrokenRequire = "F012", "broken requirement";
    SilentLoop = "F013", "loop without the learner";
    NoWayOut = "F014", "final state unreachable";
    SharedCap = "F015", "cap allows fewer tries";
    EndlessChain = "F016", "guards that never settle";
    NotExplored = "F017", "not fully explored";
    TooLarge = "F018", "law too large";
    OutcomeUnclear = "F019", "outcome unclear";
    NameTwice = "F020", "name used twice";
    UnmovedCounter = "F021", "counter the law never moves";
    OutOfOrder = "F022", "value out of order";
    WaitsForMachine = "F023", "waits only for the machine";
}

impl Code {
    /// Reads `F013`, `f013` or `f13`.
    pub fn parse(text: &str) -> Option<Code> {
        let number = text.trim().strip_prefix(['F', 'f'])?;
        let full = format!("F{number:0>3}");
        Code::ALL.iter().copied().find(|code| code.as_str() == full)
    }
}

impl std::fmt::Display for Code {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(self.as_str())
    }
}

impl Serialize for Code {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(self.as_str())
    }
}

/// An event that comes this many times in a row is written once, with the number.
const LONG_RUN: usize = 6;

/// The way of a flow to some place: the events, and the facts that hold at the opening and at each of them.
#[derive(Debug, Clone, Default)]
pub(crate) struct Trail {
    pub(crate) events: Vec<String>,
    pub(crate) facts: Vec<Vec<String>>,
}

/// A problem of a law: what is wrong and where, a path that shows it, and a cure.
#[derive(Debug, Clone, Serialize)]
pub struct Problem {
    pub code: Code,
    pub severity: Severity,
    pub state: Option<String>,
    pub event: Option<String>,
    pub line: usize,
    pub column: usize,
    pub message: String,
    /// The shortest sequence of events that shows the problem.
    pub path: Vec<String>,
    /// The facts that hold on the way: those of the opening, then those of each event. Empty if none has to hold.
    pub facts: Vec<Vec<String>>,
    /// The facts with which a flow that has come so far breaks an invariant.
    pub at_rest: Vec<String>,
    /// Constants that must have other values for the problem to show.
    pub set: BTreeMap<String, i64>,
    pub cure: String,
    #[serde(skip)]
    pub place: Place,
}

impl Problem {
    pub fn new(code: Code, place: Place, message: impl Into<String>, cure: impl Into<String>) -> Problem {
        Problem {
            code,
            severity: Severity::Error,
            state: None,
            event: None,
            line: place.line,
            column: place.column,
            message: message.into(),
            path: Vec::new(),
            facts: Vec::new(),
            at_rest: Vec::new(),
            set: BTreeMap::new(),
            cure: cure.into(),
            place,
        }
    }

    pub(crate) fn boxed(
        code: Code,
        place: Place,
        message: impl Into<String>,
        cure: impl Into<String>,
    ) -> Box<Problem> {
        Box::new(Problem::new(code, place, message, cure))
    }

    pub(crate) fn warning(mut self) -> Problem {
        self.severity = Severity::Warning;
        self
    }

    pub(crate) fn state(mut self, name: &str) -> Problem {
        self.state = Some(name.to_owned());
        self
    }

    pub(crate) fn event(mut self, name: &str) -> Problem {
        self.event = Some(name.to_owned());
        self
    }

    pub(crate) fn path(mut self, trail: Trail) -> Problem {
        let needs_facts = trail.facts.iter().any(|facts| !facts.is_empty());
        self.path = trail.events;
        self.facts = if needs_facts { trail.facts } else { Vec::new() };
        self
    }

    /// Describes the path for people: events with the facts that hold, and how often one comes in a row.
    fn path_words(&self) -> String {
        let facts = |at: usize| self.facts.get(at).filter(|facts| !facts.is_empty());
        let step = |(at, event): (usize, &str)| match facts(at) {
            Some(facts) => format!("{event} ({})", facts.join(", ")),
            None => event.to_owned(),
        };
        let opening = facts(0).map(|_| (0, "opened"));
        let events = self.path.iter().enumerate().map(|(at, event)| (at + 1, event.as_str()));
        let steps: Vec<String> = opening.into_iter().chain(events).map(step).collect();
        let runs = steps.chunk_by(|one, next| one == next);
        let words = runs.flat_map(|run| match run.len() {
            many if many >= LONG_RUN => vec![format!("{} ×{many}", run[0])],
            _ => run.to_vec(),
        });
        words.collect::<Vec<_>>().join(" → ")
    }

    /// Renders the problem for a terminal, with the line it is about.
    pub fn render(&self, file: &str, source: &str, colour: bool) -> String {
        let level = match self.severity {
            Severity::Error => Level::ERROR,
            Severity::Warning => Level::WARNING,
        };
        let (line, number, span) = self.visible_line(source);
        let snippet = Snippet::source(line)
            .line_start(number)
            .path(file)
            .fold(true)
            .annotation(AnnotationKind::Primary.span(span));
        let mut group = level.primary_title(self.message.as_str()).id(self.code.as_str()).element(snippet);
        if !self.path.is_empty() || !self.facts.is_empty() {
            group = group.element(Level::NOTE.message(format!("seen after: {}", self.path_words())));
        }
        let report = [group.element(Level::HELP.message(self.cure.as_str()))];
        let renderer = if colour { Renderer::styled() } else { Renderer::plain() };
        renderer.render(&report)
    }

    /// Returns the line in which the place begins, its number, and the part that is meant. Only this line is
    /// rendered: a law with many problems may be long.
    fn visible_line<'s>(&self, source: &'s str) -> (&'s str, usize, Range<usize>) {
        let start = source.floor_char_boundary(self.place.start);
        let end = source.floor_char_boundary(self.place.end);
        let line_start = source[..start].rfind('\n').map_or(0, |at| at + 1);
        let line_end = source[start..].find('\n').map_or(source.len(), |at| start + at);
        let line = source[line_start..line_end].trim_end_matches('\r');
        let number = 1 + source[..line_start].bytes().filter(|byte| *byte == b'\n').count();
        let within = |at: usize| (at - line_start).min(line.len());
        (line, number, within(start)..within(end.max(start)))
    }
}
