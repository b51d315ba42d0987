//! The face of a flow: its law, words, verbs, looks and needs. Every surface (terminal, HTTP, MCP, chat, page) is a
//! loop over these tables.

use crate::learner::Rated;
use crate::look::{Shelf, Unseen};
use crate::record::Record;
use crate::words::{Text, WordFile};
use flow::Vocabulary;
use schemars::SchemaGenerator;
use schemars::generate::SchemaSettings;
use serde_json::Value;
use std::any::Any;
use std::sync::Arc;

/// A function that makes the JSON schema of a type.
pub type SchemaOf = fn(&mut SchemaGenerator) -> schemars::Schema;

/// A function that finds the id of a flow from the arguments of a call.
pub type Find = fn(&Value, &Shelf) -> Result<String, Unseen>;

pub fn schema<T: schemars::JsonSchema>(generator: &mut SchemaGenerator) -> schemars::Schema {
    generator.subschema_for::<T>()
}

/// The tables by which every surface knows a flow.
#[derive(Debug, Clone, Copy)]
pub struct Face {
    pub name: &'static str,
    /// The law that ships with the flow.
    pub law: &'static str,
    pub vocabulary: fn() -> Vocabulary,
    /// The files with the flow's sentences. `NAME-about` says what the flow is for, `NAME-verb-VERB` with its
    /// attribute `help` what a verb does.
    pub words: &'static [WordFile],
    pub verbs: &'static [Verb],
    pub looks: &'static [Look],
    /// Finds the flow for a call that does not name it.
    pub find: Option<Find>,
    pub needs: Needs,
}

/// Something that can be done with a flow.
#[derive(Debug, Clone, Copy)]
pub struct Verb {
    pub name: &'static str,
    pub does: Does,
    pub who: Who,
    /// The schema of its input, if it has any.
    pub payload: Option<SchemaOf>,
    /// Turns the input into the payload of the event, or into an opening.
    pub prepare: fn(Given<'_>) -> Value,
    pub http: Option<Http>,
    /// The schema of the fields that its answer over HTTP has beside the view. Their values come from the flow's
    /// own view: from its field `reply`, or from the view itself.
    pub replies: Option<SchemaOf>,
    pub tool: Option<Tool>,
    /// Its chat commands, without the slash. A flow whose verbs have none is not for chats.
    pub chat: &'static [&'static str],
    /// The key of the question that a chat asks before it uses the verb. The sentence takes a `title`.
    pub asks_first: Option<&'static str>,
    /// The words that call the verb where an answer is expected.
    pub typed: &'static [&'static str],
    /// Those of the typed words that are German; the others are English.
    pub german: &'static [&'static str],
}

/// Something to read. A look changes nothing.
#[derive(Debug, Clone, Copy)]
pub struct Look {
    pub name: &'static str,
    /// The schema of its input, if it has any.
    pub takes: Option<SchemaOf>,
    pub gives: SchemaOf,
    pub http: Option<Http>,
    pub tool: Option<Tool>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Does {
    /// Opens a flow.
    Opens,
    /// Opens a flow `ID.NAME-FRESH` beside the one that the call names, or continues the one that is open there.
    OpensBeside,
    /// Starts an open flow, by this event.
    Begins(&'static str),
    /// Answers the flow, by this event.
    Says(&'static str),
    /// Moves the flow by this event.
    Acts(&'static str),
    /// Moves the flow by one of these events, chosen by an argument.
    ActsBy { argument: &'static str, events: &'static [&'static str] },
    /// Sets something by this event; repeating it changes nothing more.
    Sets(&'static str),
    /// Ends the flow by this event.
    Ends(&'static str),
}

/// The callers that may use a verb.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Who {
    Learner,
    /// An outside tutor, where Etude does not teach.
    Leader,
    /// A program beside the flow. People are not offered the verb.
    Program,
}

/// The input that a caller gives with a verb.
#[derive(Debug, Clone)]
pub struct Given<'a> {
    /// The flow that the call names, if it names one.
    pub id: &'a str,
    pub body: Value,
    /// A fresh id.
    pub fresh: &'a str,
}

/// An operation of the HTTP interface: a verb is a POST, a look a GET.
#[derive(Debug, Clone, Copy)]
pub struct Http {
    pub operation: &'static str,
    pub path: &'static str,
    pub summary: &'static str,
}

/// A tool for assistants.
#[derive(Debug, Clone, Copy)]
pub struct Tool {
    pub name: &'static str,
    pub title: &'static str,
    pub about: &'static str,
    /// The argument that names the flow, if the tool is about one.
    pub id: Option<&'static str>,
    pub answers: Answers,
}

/// The form in which a tool answers.
#[derive(Debug, Clone, Copy)]
pub enum Answers {
    /// The position of the flow, and the lines that were said.
    View,
    /// The flow's own view, of this schema, and the lines that were said.
    More(SchemaOf),
    /// The fields of the event's payload that this schema names.
    Payload(SchemaOf),
    Nothing,
    /// The result of this look after the event, asked with the arguments of the call.
    Look(&'static str),
}

/// The stored data that a flow reads, and the services that it asks for.
#[derive(Debug, Clone, Copy)]
pub struct Needs {
    /// The kinds of learner records that it reads when it is opened.
    pub records: &'static [&'static str],
    /// The documents that it shares with flows beside it: `MAP.review-1` works on those of `MAP`.
    pub documents: &'static [DocumentKind],
    /// The records whose due dates in other scopes it wants to know.
    pub dues: Option<Dues>,
    /// The records that memory models learn from.
    pub recalls: Option<Recalls>,
    /// Whether it may ask a model. Its opening then has a field `model` that says whether it does.
    pub model: bool,
    /// The event that reports that its lines have been spoken, if it waits for that. A silence after them is then
    /// reported by its event of silence.
    pub spoken: Option<&'static str>,
    /// Whether the program itself measures silence. Events of silence then come from the clock alone.
    pub silence: bool,
    /// The events that only the program itself sends, such as the report of a judge.
    pub sealed: &'static [&'static str],
    /// The events whose payload no learner may read back: a model may have said more than was passed on.
    pub unread: &'static [&'static str],
}

/// No needs at all: a base for the needs of a flow.
pub const NEEDS: Needs = Needs {
    records: &[],
    documents: &[],
    dues: None,
    recalls: None,
    model: false,
    spoken: None,
    silence: false,
    sealed: &[],
    unread: &[],
};

/// A document that is costly to read, and therefore kept in memory.
#[derive(Debug, Clone, Copy)]
pub struct DocumentKind {
    pub name: &'static str,
    /// The kind of record that holds it.
    pub kind: &'static str,
    /// Finds the key of that record among the flow's other records. A document never changes: a changed one has
    /// another key.
    pub key: fn(&[Record]) -> Option<String>,
    pub read: fn(&str) -> Result<Document, String>,
}

/// The kind of records whose due dates a flow wants to know.
#[derive(Debug, Clone, Copy)]
pub struct Dues {
    pub kind: &'static str,
    /// Returns the scope of the records that belong to a flow, from the flow's id.
    pub own: fn(&str) -> Option<String>,
}

/// Records that say how well something was remembered.
#[derive(Debug, Clone, Copy)]
pub struct Recalls {
    pub kind: &'static str,
    /// Reads which item was recalled, when and how well, in order.
    pub read: fn(&Record) -> Vec<(String, Rated)>,
}

pub type Document = Arc<dyn Any + Send + Sync>;

/// Documents by name.
#[derive(Debug, Clone, Default)]
pub struct Documents(pub Vec<(&'static str, Document)>);

impl Documents {
    pub fn get<T: Any + Send + Sync>(&self, name: &str) -> Option<Arc<T>> {
        let (_, document) = self.0.iter().find(|(known, _)| *known == name)?;
        document.clone().downcast().ok()
    }
}

impl Face {
    /// Returns the verb by which the learner answers.
    pub fn says(&self) -> Option<&'static Verb> {
        self.verbs.iter().find(|verb| matches!(verb.does, Does::Says(_)))
    }

    pub fn begins(&self) -> Option<&'static Verb> {
        self.verbs.iter().find(|verb| matches!(verb.does, Does::Begins(_)))
    }

    pub fn about(&self) -> Text {
        Text::keyed(format!("{}-about", self.name))
    }
}

impl Verb {
    /// Returns the words that call it, as they are shown in a language: words that stand alone, or else one behind
    /// a slash.
    pub fn called(&self, language: &str) -> Vec<String> {
        let is_german = language.starts_with("de") && !self.german.is_empty();
        let words = self.typed.iter().filter(|word| self.german.contains(word) == is_german);
        let (short, words): (Vec<&str>, Vec<&str>) = words.partition(|word| word.starts_with(':'));
        match short.first().filter(|_| words.is_empty()) {
            Some(short) => vec![short.replacen(':', "/", 1)],
            None if words.is_empty() => vec![format!("/{}", self.name)],
            None => words.into_iter().map(str::to_owned).collect(),
        }
    }

    /// Returns the names of the fields of its input.
    pub fn fields(&self) -> Vec<String> {
        let settings = SchemaSettings::draft2020_12().with(|settings| settings.inline_subschemas = true);
        let schema = self.payload.map(|schema| schema(&mut settings.into_generator()).to_value());
        let fields = schema.as_ref().and_then(|schema| schema["properties"].as_object());
        fields.into_iter().flatten().map(|(name, _)| name.clone()).collect()
    }

    /// Returns the event that it sends; the first where it may send several.
    pub fn event(&self) -> Option<&'static str> {
        match self.does {
            Does::Opens | Does::OpensBeside => None,
            Does::ActsBy { events, .. } => events.first().copied(),
            Does::Begins(event)
            | Does::Says(event)
            | Does::Acts(event)
            | Does::Sets(event)
            | Does::Ends(event) => Some(event),
        }
    }

    /// Returns every event that it may send.
    pub fn events(&self) -> Vec<&'static str> {
        match self.does {
            Does::ActsBy { events, .. } => events.to_vec(),
            _ => self.event().into_iter().collect(),
        }
    }

    /// Returns the event that it sends with this input; `None` if the input names no event of the verb.
    pub fn event_for(&self, given: &Value) -> Option<&'static str> {
        match self.does {
            Does::ActsBy { argument, events } => {
                let named = given.get(argument)?.as_str()?;
                events.iter().copied().find(|event| *event == named)
            }
            _ => self.event(),
        }
    }
}

/// An empty verb, as a base for others.
pub const VERB: Verb = Verb {
    name: "",
    does: Does::Opens,
    who: Who::Learner,
    payload: None,
    prepare: as_given,
    http: None,
    replies: None,
    tool: None,
    chat: &[],
    asks_first: None,
    typed: &[],
    german: &[],
};

/// An empty look, as a base for others.
pub const LOOK: Look = Look { name: "", takes: None, gives: schema::<()>, http: None, tool: None };

pub const fn http(operation: &'static str, path: &'static str, summary: &'static str) -> Option<Http> {
    Some(Http { operation, path, summary })
}

/// Returns the body as it came. The default of [`Verb::prepare`].
pub fn as_given(given: Given<'_>) -> Value {
    given.body
}
