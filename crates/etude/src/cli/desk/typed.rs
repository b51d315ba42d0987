//! The meaning of a typed line: an answer, a verb of the flow, or a command to the terminal itself.

use crate::cli::words;
use coaching::desk::{Desk, Form};
use coaching::face::{Face, Verb};
use coaching::words::Text;
use schemars::SchemaGenerator;
use serde_json::{Map, Value, json};

/// The meaning of a line.
#[derive(Debug)]
pub(super) enum Typed {
    /// A verb and its payload.
    Verb(&'static Verb, Value),
    /// Enter, while nothing is asked.
    Enter,
    Help,
    Again,
    Why,
    /// The request for the learner's editor, to write a program.
    Edit,
    Quit,
    /// A line that has no use now, and the reason.
    Refused(Text),
}

/// A command of the terminal. Its names stand alone on a line; the short ones need a colon.
struct Command {
    names: &'static [&'static str],
    short: &'static [&'static str],
    does: fn() -> Typed,
}

const COMMANDS: &[Command] = &[
    Command { names: &["again", "nochmal"], short: &["word"], does: || Typed::Again },
    Command { names: &["why", "warum"], short: &[], does: || Typed::Why },
    Command { names: &["help", "hilfe"], short: &["h", "?"], does: || Typed::Help },
    Command { names: &["quit", "exit", "ende", "stop", "stopp"], short: &["q"], does: || Typed::Quit },
];
/// Words that mean the same as Enter.
const ENTER: &[&str] = &["weiter"];
/// Words that open an editor if a program is asked for.
const EDIT: &[&str] = &["edit", ":edit", "e", "bearbeiten"];
/// The mark among a verb's words which says that the verb takes the learner's questions, on lines that begin with it.
pub(super) const QUESTION: &str = "?";
/// The number of characters of an unknown command that are repeated.
const MAX_NAMED_CHARS: usize = 20;

/// Reads lines for the desk of one flow.
#[derive(Debug, Clone, Copy)]
pub(super) struct Reader<'a> {
    pub desk: &'a Desk,
    pub face: &'a Face,
    /// The words typed for verbs, of any flow. They are not answers here either.
    pub reserved: &'a [&'static str],
}

impl Reader<'_> {
    pub(super) fn read(&self, line: &str) -> Typed {
        let text = line.trim();
        let is_program = matches!(self.desk.ask.as_ref().map(|ask| &ask.form), Some(Form::Program { .. }));
        if is_program && EDIT.contains(&text.to_lowercase().as_str()) {
            return Typed::Edit;
        }
        // A program is never a command, however it begins.
        if is_program && text.contains('\n') {
            return self.answered(line);
        }
        if let Some(command) = prefixed(text) {
            return self.called(command);
        }
        if let Some(question) = text.strip_prefix(QUESTION) {
            return self.asked(question.trim());
        }
        let lower = text.to_lowercase();
        if !self.is_expected(&lower) {
            if let Some(typed) = self.named(&lower, "", false) {
                return typed;
            }
            if self.reserved.contains(&lower.as_str()) {
                return Typed::Refused(words::not_now(lower));
            }
        }
        // If something has to be said, the flow itself knows how learners say “go on”.
        let is_say = matches!(self.desk.ask.as_ref().map(|ask| &ask.form), Some(Form::Say));
        let is_enter = text.is_empty() || !is_say && ENTER.contains(&lower.as_str());
        if is_enter { self.entered() } else { self.answered(line) }
    }

    /// Whether a line is a command and not the beginning of a program.
    pub(super) fn is_command(&self, line: &str) -> bool {
        let text = line.trim();
        text.is_empty()
            || !text.contains(char::is_whitespace)
                && !matches!(self.read(text), Typed::Verb(verb, _) if self.is_asked(verb))
    }

    fn is_asked(&self, verb: &Verb) -> bool {
        self.desk.ask.as_ref().is_some_and(|ask| ask.verb == verb.name)
    }

    /// Returns the verb that takes questions, if it is available now.
    pub(super) fn question(&self) -> Option<&'static Verb> {
        self.offered().find(|verb| verb.typed.contains(&QUESTION))
    }

    pub(super) fn offered(&self) -> impl Iterator<Item = &'static Verb> {
        let is_offered = |verb: &&Verb| self.desk.verbs.iter().any(|offer| offer.name == verb.name);
        self.face.verbs.iter().filter(is_offered)
    }

    /// Returns the verb that answers the present question.
    pub(super) fn answer(&self) -> Option<&'static Verb> {
        let ask = self.desk.ask.as_ref()?;
        self.face.verbs.iter().find(|verb| verb.name == ask.verb)
    }

    /// Reads a line that starts with a colon or a slash. The rest of the line goes to the verb.
    fn called(&self, command: &str) -> Typed {
        let (name, rest) = command.split_once(' ').unwrap_or((command, ""));
        let name = name.to_lowercase();
        let short = || words::unknown_command(name.chars().take(MAX_NAMED_CHARS).collect::<String>());
        self.named(&name, rest.trim(), true).unwrap_or_else(|| match self.is_known(&name) {
            true => Typed::Refused(words::not_now(name.as_str())),
            false => Typed::Refused(short()),
        })
    }

    fn is_known(&self, name: &str) -> bool {
        self.reserved.contains(&name) || self.face.verbs.iter().any(|verb| verb.name == name)
    }

    /// Finds a verb or a command by its name. A word that answers the question counts as an answer.
    fn named(&self, name: &str, rest: &str, is_called: bool) -> Option<Typed> {
        let is_typed = |verb: &&'static Verb| verb.typed.contains(&name);
        if let Some(verb) = self.asked_for().filter(is_typed) {
            return Some(given(verb, name));
        }
        let is_short = |verb: &&'static Verb| {
            let is_colon = |word: &&str| word.strip_prefix(':') == Some(name);
            is_called && (verb.name == name || verb.chat.contains(&name) || verb.typed.iter().any(is_colon))
        };
        if let Some(verb) = self.offered().find(|verb| is_typed(verb) || is_short(verb)) {
            return Some(given(verb, rest));
        }
        let is_command =
            |command: &&Command| command.names.contains(&name) || is_called && command.short.contains(&name);
        COMMANDS.iter().find(is_command).map(|command| (command.does)())
    }

    fn asked(&self, question: &str) -> Typed {
        match self.question() {
            _ if question.is_empty() => Typed::Help,
            Some(verb) => given(verb, question),
            None => Typed::Refused(words::no_questions()),
        }
    }

    fn entered(&self) -> Typed {
        match self.desk.ask.as_ref().map(|ask| &ask.form) {
            None | Some(Form::Wait { .. }) => Typed::Enter,
            Some(_) => self.answer().map_or(Typed::Enter, |verb| self.given(verb, "")),
        }
    }

    /// Returns the verb that takes typed text, if something is asked.
    fn asked_for(&self) -> Option<&'static Verb> {
        let form = self.desk.ask.as_ref().map(|ask| &ask.form);
        self.answer().filter(|_| !matches!(form, None | Some(Form::Read | Form::Wait { .. })))
    }

    fn answered(&self, line: &str) -> Typed {
        match (self.asked_for(), self.question()) {
            (Some(verb), _) => self.given(verb, line),
            (None, Some(verb)) if line.trim_end().ends_with(QUESTION) => given(verb, line.trim()),
            (None, Some(_)) => Typed::Refused(words::nothing_asked()),
            (None, None) => Typed::Refused(words::all_answered()),
        }
    }

    /// Makes an answer. The answer to a form is put together field by field elsewhere.
    fn given(&self, verb: &'static Verb, text: &str) -> Typed {
        match self.desk.ask.as_ref().map(|ask| &ask.form) {
            Some(Form::Form { .. }) => Typed::Verb(verb, Value::Null),
            _ => given(verb, text),
        }
    }

    /// Whether a line is a word of the expected answer.
    fn is_expected(&self, line: &str) -> bool {
        let mut words = self.desk.expected.iter().flat_map(|text| text.split(|c: char| !c.is_alphanumeric()));
        words.any(|word| word.to_lowercase() == line)
    }
}

/// Removes the mark from a command. A slash may also begin an answer, such as a path.
fn prefixed(text: &str) -> Option<&str> {
    let path = |rest: &&str| {
        let name = rest.split(' ').next().unwrap_or_default();
        !name.is_empty() && name.chars().all(|c| c.is_alphanumeric() || matches!(c, '_' | '-' | '?'))
    };
    text.strip_prefix(':').or_else(|| text.strip_prefix('/').filter(path))
}

/// Puts the text into the field of the verb's payload that takes one.
fn given(verb: &'static Verb, text: &str) -> Typed {
    let (fields, required) = fields(verb);
    let name = ["text".to_owned()]
        .into_iter()
        .chain(required.iter().cloned())
        .find(|name| fields.contains_key(name));
    let Some(name) = name
        .or_else(|| fields.keys().next().cloned())
        .filter(|name| !text.is_empty() || required.contains(name))
    else {
        return Typed::Verb(verb, json!({}));
    };
    let is_number = |kind: &Value| kind == "integer" || kind == "number";
    let kind = &fields[&name]["type"];
    let value = match is_number(kind) || kind.as_array().is_some_and(|kinds| kinds.iter().any(is_number)) {
        false => json!(text),
        true => match serde_json::from_str::<serde_json::Number>(text.trim()) {
            Ok(number) => json!(number),
            Err(_) => return Typed::Refused(words::not_a_number()),
        },
    };
    Typed::Verb(verb, json!({ name: value }))
}

/// Returns the fields of a verb's payload, and the names of the required ones.
fn fields(verb: &Verb) -> (Map<String, Value>, Vec<String>) {
    let Some(payload) = verb.payload else { return Default::default() };
    let mut generator = SchemaGenerator::default();
    let schema = json!(payload(&mut generator));
    let name = schema["$ref"].as_str().and_then(|path| path.rsplit('/').next());
    let schema = name.and_then(|name| generator.definitions().get(name)).cloned().unwrap_or(schema);
    let fields = schema["properties"].as_object().cloned().unwrap_or_default();
    let required = schema["required"].as_array().into_iter().flatten();
    (fields, required.filter_map(|name| name.as_str().map(str::to_owned)).collect())
}
