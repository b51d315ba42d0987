//! Forms and programs at a terminal: one field after the other, and a program in an editor or as pasted lines.

use super::page::Item;
use super::{Held, Seat};
use crate::cli::words;
use coaching::desk::{Ask, Field, FieldKind, Form};
use serde_json::{Map, Value, json};

/// A form that is being filled in.
#[derive(Debug, Default)]
pub(super) struct Draft {
    fields: Vec<Field>,
    at: usize,
    values: Map<String, Value>,
}

/// What comes of an answer to a field.
pub(super) enum Filled {
    /// The next field is asked for.
    Next,
    /// It has to be a number, or one of the options.
    Unusable,
    Whole(Value),
}

impl Draft {
    fn new(fields: &[Field]) -> Draft {
        let mut draft = Draft { fields: fields.to_vec(), ..Draft::default() };
        draft.pass_settled();
        draft
    }

    /// Fills in what leaves no choice.
    fn pass_settled(&mut self) {
        while let Some(field) = self.fields.get(self.at).filter(|field| field.options.len() == 1) {
            let value = value(field, &field.options[0].label);
            put(&mut self.values, &field.name.clone(), value.unwrap_or_default());
            self.at += 1;
        }
    }

    fn field(&self) -> Option<&Field> {
        self.fields.get(self.at)
    }

    pub(super) fn fill(&mut self, text: &str) -> Filled {
        let Some(field) = self.field().cloned() else { return self.whole() };
        let text = if text.is_empty() { field.value.clone().unwrap_or_default() } else { text.to_owned() };
        if !(text.is_empty() && field.optional) {
            let Some(value) = value(&field, &text) else { return Filled::Unusable };
            put(&mut self.values, &field.name, value);
        }
        self.at += 1;
        self.pass_settled();
        if self.at < self.fields.len() { Filled::Next } else { self.whole() }
    }

    fn whole(&mut self) -> Filled {
        Filled::Whole(Value::Object(std::mem::take(&mut self.values)))
    }
}

/// What is typed into a field, as its kind has it. An option may be named by its text.
fn value(field: &Field, text: &str) -> Option<Value> {
    let is_it = |label: &str| label.eq_ignore_ascii_case(text.trim());
    let named = field.options.iter().find(|option| is_it(&option.label) || is_it(&option.text.to_string()));
    let text = named.map_or(text, |option| option.label.as_str());
    match field.kind {
        FieldKind::Text => Some(json!(text)),
        FieldKind::Texts => Some(json!(text.split(';').map(str::trim).collect::<Vec<_>>())),
        FieldKind::Number => serde_json::from_str::<serde_json::Number>(text.trim()).ok().map(Value::Number),
    }
}

/// A name with dots leads into fields of fields.
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

impl Seat<'_> {
    /// Asks for the field at hand, where the flow asks for a form.
    pub(super) fn ask_field(&mut self, held: &mut Held) {
        let Some(Form::Form { fields }) = held.form() else { return };
        let fields = fields.clone();
        let draft = held.draft.get_or_insert_with(|| Draft::new(&fields));
        let Some(field) = draft.field() else { return };
        let options = field.options.clone();
        let form = if options.is_empty() { Form::Text } else { Form::Choice { options } };
        let kept = field.value.as_deref().map(|text| Item::Note(words::keeps(text)));
        let ask = Ask { verb: String::new(), question: field.label.clone(), form };
        let items: Vec<Item> = [Item::Ask(ask)].into_iter().chain(kept).collect();
        self.show(&items);
    }

    /// Opens the learner's editor with the program, and returns what they leave there.
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

/// How files of a language end, so that an editor knows it.
fn ending(language: &str) -> &str {
    match language {
        "python" => "py",
        "javascript" => "js",
        "rust" => "rs",
        other => other,
    }
}
