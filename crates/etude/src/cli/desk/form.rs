//! Answers forms and programs at a terminal: forms field by field, programs in an editor or as pasted lines.

use super::page::Item;
use super::{Held, Seat};
use crate::cli::words;
use coaching::desk::{Ask, Field, FieldKind, Form};
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value, json};
use shell::engine::failure::Failure;
use shell::engine::view::View;
use store::RecordChange;

/// A form that is being filled in.
#[derive(Debug, Default)]
pub(super) struct Draft {
    fields: Vec<Field>,
    /// The text typed into each field. `None` while the field is still asked for.
    typed: Vec<Option<String>>,
}

/// The kind of the records that keep a half-filled form, under the id of its flow.
const DRAFT_KIND: &str = "draft";

/// The name of a half-typed program in such a record.
const PROGRAM: &str = "program";

/// A half-filled form or a half-typed program that the learner left.
#[derive(Debug, Serialize, Deserialize)]
struct Kept {
    /// The version of the flow at that time.
    version: u64,
    typed: Map<String, Value>,
}

/// The outcome of an answer to a field.
pub(super) enum Filled {
    /// Another field has to be asked for.
    Next,
    /// The field takes a number.
    NoNumber,
    /// The field takes one of its options.
    NoOption,
    Whole(Value),
}

impl Draft {
    fn new(fields: &[Field], kept: &Map<String, Value>) -> Draft {
        // Fields with a single option are not asked for, nor are those that were typed before.
        let settled = |field: &Field| match field.options.as_slice() {
            [only] => Some(only.label.clone()),
            _ => kept.get(&field.name)?.as_str().map(str::to_owned),
        };
        Draft { fields: fields.to_vec(), typed: fields.iter().map(settled).collect() }
    }

    /// Returns the texts typed so far, by the names of their fields. A field with a single option was not typed.
    fn typed(&self) -> Map<String, Value> {
        let typed = self.fields.iter().zip(&self.typed).filter(|(field, _)| field.options.len() != 1);
        typed.filter_map(|(field, text)| Some((field.name.clone(), json!(text.as_ref()?)))).collect()
    }

    fn at(&self) -> Option<usize> {
        self.typed.iter().position(Option::is_none)
    }

    fn field(&self) -> Option<&Field> {
        self.fields.get(self.at()?)
    }

    pub(super) fn fill(&mut self, text: &str) -> Filled {
        let Some(at) = self.at() else { return self.whole() };
        let field = &self.fields[at];
        let text = if text.is_empty() { field.value.clone().unwrap_or_default() } else { text.to_owned() };
        let is_left_out = text.is_empty() && field.optional;
        if !is_left_out && value(field, &text).is_none() {
            return if field.options.is_empty() { Filled::NoNumber } else { Filled::NoOption };
        }
        self.typed[at] = Some(text);
        if self.at().is_some() { Filled::Next } else { self.whole() }
    }

    fn whole(&self) -> Filled {
        let mut values = Map::new();
        for (field, text) in self.fields.iter().zip(self.typed.iter().flatten()) {
            let is_left_out = text.is_empty() && field.optional;
            if let Some(value) = value(field, text).filter(|_| !is_left_out) {
                put(&mut values, &field.name, value);
            }
        }
        Filled::Whole(Value::Object(values))
    }

    /// Asks again for the fields that the refusal blames, and keeps the others. If it blames none, asks for all
    /// again, and Enter keeps each text.
    pub(super) fn refused(mut self, code: &str) -> Draft {
        if self.at().is_some() {
            return self;
        }
        let is_asked = |field: &Field| field.options.len() != 1;
        let is_refused = |field: &&Field| field.refusals.contains(&code);
        let has_culprit = self.fields.iter().any(|field| is_refused(&field));
        for (field, typed) in self.fields.iter_mut().zip(&mut self.typed) {
            if is_refused(&&*field) || !has_culprit && is_asked(field) {
                field.value = typed.take().filter(|text| !text.is_empty() && !has_culprit);
            }
        }
        self
    }
}

/// Converts typed text to the field's kind. An option may be given by its label or by its text.
fn value(field: &Field, text: &str) -> Option<Value> {
    let is_it = |label: &str| label.eq_ignore_ascii_case(text.trim());
    let named = field.options.iter().find(|option| is_it(&option.label) || is_it(&option.text.to_string()));
    if named.is_none() && !field.options.is_empty() {
        return None;
    }
    let text = named.map_or(text, |option| option.label.as_str());
    match field.kind {
        FieldKind::Text => Some(json!(text)),
        FieldKind::Texts => Some(json!(text.split(';').map(str::trim).collect::<Vec<_>>())),
        FieldKind::Number => serde_json::from_str::<serde_json::Number>(text.trim()).ok().map(Value::Number),
    }
}

/// Puts a value under a name. Dots in the name lead into nested objects.
fn put(values: &mut Map<String, Value>, name: &str, value: Value) {
    match name.split_once('.') {
        None => drop(values.insert(name.to_owned(), value)),
        Some((outer, inner)) => {
            let entry = values.entry(outer).or_insert_with(|| json!({}));
            if let Value::Object(fields) = entry {
                put(fields, inner, value);
            }
        }
    }
}

/// Returns the lines of a program that was left.
pub(super) fn kept_program(kept: &Map<String, Value>) -> Option<String> {
    kept.get(PROGRAM)?.as_str().map(str::to_owned)
}

impl Held {
    /// Returns what the learner has typed for the present question and not yet given.
    fn typed(&self) -> Map<String, Value> {
        let program = self.begun.iter().map(|lines| (PROGRAM.to_owned(), json!(lines)));
        self.draft.as_ref().map(Draft::typed).unwrap_or_default().into_iter().chain(program).collect()
    }

    /// Begins to fill in the form that the flow asks for, if it asks for one.
    pub(super) fn begin_draft(&mut self) {
        let Some(Form::Form { fields }) = self.form() else { return };
        if self.draft.is_none() {
            self.draft = Some(Draft::new(fields, &self.kept));
        }
    }
}

impl Seat<'_> {
    /// Returns what was typed before the flow was left, if the flow has not moved since.
    pub(super) async fn kept_draft(&self, view: &View) -> Result<Map<String, Value>, Failure> {
        let kept = self.app.store.record(&view.learner, DRAFT_KIND, &view.id).await?;
        let kept: Option<Kept> = kept.and_then(|record| serde_json::from_str(&record.body).ok());
        Ok(kept.filter(|kept| kept.version == view.version).map(|kept| kept.typed).unwrap_or_default())
    }

    /// Stores what was typed into a flow that is being left. Removes the record if nothing was typed.
    pub(super) async fn keep_draft(&self, held: &Held) -> Result<(), Failure> {
        let View { id, learner, version, .. } = &held.view;
        let typed = held.typed();
        if typed == held.kept {
            return Ok(());
        }
        let kept = Kept { version: *version, typed };
        let body = (!kept.typed.is_empty()).then(|| json!(kept).to_string());
        let change = RecordChange { body, ..RecordChange::new(learner, DRAFT_KIND, id, "") };
        Ok(self.app.store.remember(&[change], self.app.clock.now()).await?)
    }

    /// Asks for the current field, if the flow asks for a form.
    pub(super) fn ask_field(&mut self, held: &mut Held) {
        held.begin_draft();
        let Some(field) = held.draft.as_ref().and_then(Draft::field) else { return };
        let options = field.options.clone();
        let form = if options.is_empty() { Form::Text } else { Form::Choice { options } };
        let kept = field.value.as_deref().map(|text| Item::Note(words::keeps(text)));
        let ask = Ask { verb: String::new(), question: field.label.clone(), form };
        let items: Vec<Item> = [Item::Ask(ask)].into_iter().chain(kept).collect();
        self.show(&items);
    }

    /// Opens the program in the learner's editor. Returns the text that they leave there.
    pub(super) async fn edit(&mut self, held: &Held) -> Option<String> {
        let Some(Form::Program { language, code, .. }) = held.form() else { return None };
        let Some(editor) = self.config.editor.clone() else {
            self.note(words::no_editor());
            return None;
        };
        let file = self.config.data.join(format!("program-{}.{}", held.view.id, ending(language)));
        match edited(&editor, &file, code).await {
            Ok(text) => Some(text),
            Err(why) => {
                self.note(words::not_edited(editor, why));
                None
            }
        }
    }
}

async fn edited(editor: &str, file: &std::path::Path, code: &str) -> Result<String, String> {
    let told = |error: std::io::Error| error.to_string();
    std::fs::write(file, code).map_err(told)?;
    let words = shlex::split(editor).filter(|words| !words.is_empty()).ok_or("it is no command")?;
    let status = tokio::process::Command::new(&words[0]).args(&words[1..]).arg(file).status().await;
    let text = std::fs::read_to_string(file).map_err(told);
    let removed = std::fs::remove_file(file).map_err(told);
    match status.map_err(told)?.success() {
        true => removed.and(text),
        false => Err("it ended with an error".to_owned()),
    }
}

/// Returns the file extension of a language, by which an editor recognises it.
fn ending(language: &str) -> &str {
    match language {
        "python" => "py",
        "javascript" => "js",
        "rust" => "rs",
        other => other,
    }
}
