//! The sentences of a coach, as values: a key with arguments. A value becomes a sentence where it leaves the
//! program, in the reader's language, so the same turn can be read in German in a chat and in English in a
//! terminal.
//!
//! The sentences are Fluent files, one per language and flow. A flow declares its keys with
//! [`words!`](crate::words!), and [`problems`] compares the files with the declaration.

use fluent_bundle::concurrent::FluentBundle;
use fluent_bundle::{FluentArgs, FluentResource, FluentValue};
use fluent_syntax::ast;
use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde::de::value::MapAccessDeserializer;
use serde::de::{self, MapAccess, Visitor};
use serde::{Deserialize, Deserializer, Serialize};
use serde_json::{Map, Value};
use std::borrow::Cow;
use std::collections::{BTreeMap, BTreeSet};
use std::fmt;
use std::sync::OnceLock;
use unic_langid::LanguageIdentifier;

/// The fallback language.
pub const DEFAULT_LANGUAGE: &str = "en";

/// A language tag and the source of a Fluent file.
pub type WordFile = (&'static str, &'static str);

/// A text for a person. On the wire it is always plain.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(untagged)]
pub enum Text {
    /// Written by an author, a model or a learner; shown as it is.
    Plain(String),
    Sentence(Sentence),
}

/// Written by hand because every turn reads texts: a derived reader would buffer the whole value before it knows
/// the variant.
impl<'de> Deserialize<'de> for Text {
    fn deserialize<D: Deserializer<'de>>(reader: D) -> Result<Text, D::Error> {
        reader.deserialize_any(TextVisitor)
    }
}

struct TextVisitor;

impl<'de> Visitor<'de> for TextVisitor {
    type Value = Text;

    fn expecting(&self, to: &mut fmt::Formatter<'_>) -> fmt::Result {
        to.write_str("a text, or a sentence with its key")
    }

    fn visit_str<E: de::Error>(self, text: &str) -> Result<Text, E> {
        Ok(Text::Plain(text.to_owned()))
    }

    fn visit_string<E: de::Error>(self, text: String) -> Result<Text, E> {
        Ok(Text::Plain(text))
    }

    fn visit_map<A: MapAccess<'de>>(self, map: A) -> Result<Text, A::Error> {
        Sentence::deserialize(MapAccessDeserializer::new(map)).map(Text::Sentence)
    }
}

/// A sentence of the coach, not yet in any language.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Sentence {
    /// The id of a Fluent message, or `ID.ATTRIBUTE`.
    pub key: Cow<'static, str>,
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub args: BTreeMap<Cow<'static, str>, Arg>,
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(untagged)]
pub enum Arg {
    Number(f64),
    List(Vec<Text>),
    Text(Text),
}

/// A key with the names of its arguments.
pub type Key = (&'static str, &'static [&'static str]);

/// Declares the sentences of a flow. Each becomes a function from its arguments to a [`Text`](crate::words::Text);
/// `KEYS` lists them all.
#[macro_export]
macro_rules! words {
    ($($(#[$doc:meta])* $name:ident($($arg:ident),*) = $key:literal;)*) => {
        $($(#[$doc])*
        #[allow(clippy::too_many_arguments)]
        pub fn $name($($arg: impl Into<$crate::words::Arg>),*) -> $crate::words::Text {
            $crate::words::Text::sentence($key)$(.with(stringify!($arg), $arg))*
        })*

        /// Every sentence, with the names of its arguments.
        pub const KEYS: &[$crate::words::Key] = &[$(($key, &[$(stringify!($arg)),*])),*];
    };
}

impl Text {
    pub const fn sentence(key: &'static str) -> Text {
        Text::Sentence(Sentence { key: Cow::Borrowed(key), args: BTreeMap::new() })
    }

    /// Makes a sentence whose key is put together from names.
    pub fn keyed(key: String) -> Text {
        Text::Sentence(Sentence { key: Cow::Owned(key), args: BTreeMap::new() })
    }

    pub fn with(mut self, name: &'static str, value: impl Into<Arg>) -> Text {
        if let Text::Sentence(sentence) = &mut self {
            sentence.args.insert(Cow::Borrowed(name), value.into());
        }
        self
    }

    /// Returns an attribute of the sentence, with the same arguments. A plain text has none: the result is empty.
    pub fn attribute(&self, name: &str) -> Text {
        match self {
            Text::Sentence(Sentence { key, args }) => {
                Text::Sentence(Sentence { key: format!("{key}.{name}").into(), args: args.clone() })
            }
            Text::Plain(_) => Text::default(),
        }
    }

    /// Returns the text if it needs no language.
    pub fn plain(&self) -> Option<&str> {
        match self {
            Text::Plain(text) => Some(text),
            Text::Sentence(_) => None,
        }
    }

    pub fn is_empty(&self) -> bool {
        self.plain().is_some_and(str::is_empty)
    }
}

impl Default for Text {
    fn default() -> Text {
        Text::Plain(String::new())
    }
}

impl From<&str> for Text {
    fn from(text: &str) -> Text {
        Text::Plain(text.to_owned())
    }
}

impl From<&String> for Text {
    fn from(text: &String) -> Text {
        Text::Plain(text.clone())
    }
}

impl From<String> for Text {
    fn from(text: String) -> Text {
        Text::Plain(text)
    }
}

impl<T: Into<Text>> From<T> for Arg {
    fn from(text: T) -> Arg {
        Arg::Text(text.into())
    }
}

impl From<Vec<Text>> for Arg {
    fn from(list: Vec<Text>) -> Arg {
        Arg::List(list)
    }
}

macro_rules! numbers {
    ($($number:ty),*) => {
        $(impl From<$number> for Arg {
            fn from(number: $number) -> Arg {
                Arg::Number(number as f64)
            }
        })*
    };
}

numbers!(u8, u32, i32, i64, u64, usize, f64);

/// Shows a sentence by its key, for logs and other places without a reader of their own.
impl std::fmt::Display for Text {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Text::Plain(text) => f.write_str(text),
            Text::Sentence(sentence) => f.write_str(&sentence.key),
        }
    }
}

impl JsonSchema for Text {
    fn schema_name() -> Cow<'static, str> {
        "Text".into()
    }

    fn inline_schema() -> bool {
        true
    }

    fn json_schema(_: &mut SchemaGenerator) -> Schema {
        json_schema!({"type": "string"})
    }
}

/// A value whose texts can be put into a language.
pub trait Worded {
    fn each_text(&mut self, change: &mut dyn FnMut(&mut Text));
}

impl Worded for Text {
    fn each_text(&mut self, change: &mut dyn FnMut(&mut Text)) {
        change(self);
    }
}

impl<T: Worded> Worded for Option<T> {
    fn each_text(&mut self, change: &mut dyn FnMut(&mut Text)) {
        self.iter_mut().for_each(|value| value.each_text(change));
    }
}

impl<T: Worded> Worded for Vec<T> {
    fn each_text(&mut self, change: &mut dyn FnMut(&mut Text)) {
        self.iter_mut().for_each(|value| value.each_text(change));
    }
}

/// The sentences of all flows in all languages. A language is parsed when it is first spoken.
#[derive(Default)]
pub struct Lexicon {
    languages: Vec<Language>,
}

#[derive(Default)]
struct Language {
    tag: &'static str,
    sources: Vec<&'static str>,
    bundle: OnceLock<FluentBundle<FluentResource>>,
}

impl Language {
    fn bundle(&self) -> &FluentBundle<FluentResource> {
        self.bundle.get_or_init(|| {
            let mut bundle =
                FluentBundle::new_concurrent(self.tag.parse::<LanguageIdentifier>().into_iter().collect());
            bundle.set_use_isolating(false);
            for source in &self.sources {
                let read = FluentResource::try_new((*source).to_owned());
                bundle.add_resource_overriding(read.unwrap_or_else(|(resource, _)| resource));
            }
            bundle
        })
    }
}

impl std::fmt::Debug for Lexicon {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_list().entries(self.languages()).finish()
    }
}

impl Lexicon {
    /// Takes word files in. A test makes sure that those of the program can be read; a message that cannot be read
    /// is left out.
    pub fn new(files: impl IntoIterator<Item = WordFile>) -> Lexicon {
        let mut lexicon = Lexicon::default();
        files.into_iter().for_each(|file| lexicon.add(file));
        lexicon
    }

    pub fn add(&mut self, (tag, source): WordFile) {
        match self.languages.iter_mut().find(|known| known.tag == tag) {
            Some(language) => {
                language.sources.push(source);
                language.bundle = OnceLock::new();
            }
            None => self.languages.push(Language { tag, sources: vec![source], ..Language::default() }),
        }
    }

    pub fn languages(&self) -> impl Iterator<Item = &str> {
        self.languages.iter().map(|language| language.tag)
    }

    /// Returns the first of these languages that is available, or else English: `de_AT.UTF-8` is German.
    pub fn choose<'w>(&self, wishes: impl IntoIterator<Item = &'w str>) -> &str {
        wishes.into_iter().find_map(|wish| self.known(wish)).unwrap_or(DEFAULT_LANGUAGE)
    }

    /// Returns the language of a tag, if it is available.
    pub fn known(&self, tag: &str) -> Option<&str> {
        let primary = tag.split(['-', '_', '.', '@']).next()?.to_ascii_lowercase();
        self.languages().find(|known| *known == primary)
    }

    /// Returns the text in a language. A sentence that this language lacks is in English; one that English lacks,
    /// too, is its key.
    pub fn say(&self, language: &str, text: &Text) -> String {
        match text {
            Text::Plain(text) => text.clone(),
            Text::Sentence(sentence) => {
                self.spoken(language, sentence).unwrap_or_else(|| sentence.key.to_string())
            }
        }
    }

    /// Puts every text of a value into a language.
    pub fn translate(&self, language: &str, value: &mut impl Worded) {
        value.each_text(&mut |text| {
            if matches!(text, Text::Sentence(_)) {
                *text = Text::Plain(self.say(language, text));
            }
        });
    }

    /// Puts every sentence in a JSON value into a language. A flow's own view is JSON by now, and no longer typed.
    pub fn translate_json(&self, language: &str, value: &mut Value) {
        match value {
            Value::Object(fields) if self.is_sentence(fields) => {
                if let Ok(text) = Text::deserialize(&*value) {
                    *value = Value::String(self.say(language, &text));
                }
            }
            Value::Object(fields) => {
                fields.values_mut().for_each(|field| self.translate_json(language, field))
            }
            Value::Array(items) => items.iter_mut().for_each(|item| self.translate_json(language, item)),
            _ => {}
        }
    }

    /// Whether an object is a sentence: it has the key of a known message, perhaps arguments, and nothing else.
    fn is_sentence(&self, fields: &Map<String, Value>) -> bool {
        let key = fields.get("key").and_then(Value::as_str).and_then(|key| key.split('.').next());
        let is_known = |id: &str| self.languages.iter().any(|language| language.bundle().has_message(id));
        fields.keys().all(|name| name == "key" || name == "args") && key.is_some_and(is_known)
    }

    fn spoken(&self, language: &str, sentence: &Sentence) -> Option<String> {
        [language, DEFAULT_LANGUAGE].into_iter().find_map(|language| self.format(language, sentence))
    }

    fn format(&self, language: &str, sentence: &Sentence) -> Option<String> {
        let bundle = self.languages.iter().find(|known| known.tag == language)?.bundle();
        let (id, attribute) = match sentence.key.split_once('.') {
            Some((id, attribute)) => (id, Some(attribute)),
            None => (&*sentence.key, None),
        };
        let message = bundle.get_message(id)?;
        let pattern = match attribute {
            Some(attribute) => message.get_attribute(attribute)?.value(),
            None => message.value()?,
        };
        let mut args = FluentArgs::new();
        for (name, arg) in &sentence.args {
            args.set(name.as_ref(), self.value(language, arg));
        }
        Some(bundle.format_pattern(pattern, Some(&args), &mut Vec::new()).into_owned())
    }

    fn value(&self, language: &str, arg: &Arg) -> FluentValue<'static> {
        match arg {
            Arg::Number(number) => FluentValue::from(*number),
            Arg::Text(text) => FluentValue::from(self.say(language, text)),
            Arg::List(texts) => {
                let said: Vec<String> = texts.iter().map(|text| self.say(language, text)).collect();
                FluentValue::from(said.join("; "))
            }
        }
    }
}

/// Lists every difference between the word files of a flow and its declared keys, and every unreadable file. A key
/// in the declaration may be an attribute. A language may have several files.
pub fn problems(files: &[WordFile], keys: &[Key]) -> Vec<String> {
    let languages: BTreeSet<&str> = files.iter().map(|(language, _)| *language).collect();
    let sources = |language| files.iter().filter(move |(of, _)| *of == language).map(|(_, source)| *source);
    languages.into_iter().flat_map(|language| problems_of(language, sources(language), keys)).collect()
}

fn problems_of<'s>(language: &str, sources: impl Iterator<Item = &'s str>, keys: &[Key]) -> Vec<String> {
    let mut problems = Vec::new();
    let mut written: BTreeMap<String, BTreeSet<&str>> = BTreeMap::new();
    for source in sources {
        let resource = fluent_syntax::parser::parse(source).unwrap_or_else(|(resource, errors)| {
            problems.extend(errors.iter().map(|error| format!("{language}: {error}")));
            resource
        });
        for (key, used) in resource.body.iter().flat_map(sentences) {
            if written.contains_key(&key) {
                problems.push(format!("{language}: `{key}` is written twice"));
            }
            written.insert(key, used);
        }
    }
    for (key, args) in keys {
        match written.remove(*key) {
            None => problems.push(format!("{language}: `{key}` is missing")),
            Some(used) => problems.extend(
                used.iter()
                    .filter(|name| !args.contains(name))
                    .map(|name| format!("{language}: `{key}` uses ${name}, which it does not get")),
            ),
        }
    }
    problems.extend(written.into_keys().map(|key| format!("{language}: nothing says `{key}`")));
    problems
}

/// Returns the sentences of an entry by key, each with the arguments that it uses.
fn sentences<'s>(entry: &ast::Entry<&'s str>) -> Vec<(String, BTreeSet<&'s str>)> {
    let ast::Entry::Message(ast::Message { id, value, attributes, .. }) = entry else { return Vec::new() };
    let attribute = |attribute: &ast::Attribute<&'s str>| {
        (format!("{}.{}", id.name, attribute.id.name), variables(&attribute.value))
    };
    let value = value.iter().map(|value| (id.name.to_owned(), variables(value)));
    value.chain(attributes.iter().map(attribute)).collect()
}

fn variables<'s>(pattern: &ast::Pattern<&'s str>) -> BTreeSet<&'s str> {
    let mut found = BTreeSet::new();
    for element in &pattern.elements {
        if let ast::PatternElement::Placeable { expression } = element {
            in_expression(expression, &mut found);
        }
    }
    found
}

fn in_expression<'s>(expression: &ast::Expression<&'s str>, found: &mut BTreeSet<&'s str>) {
    match expression {
        ast::Expression::Inline(inline) => in_inline(inline, found),
        ast::Expression::Select { selector, variants } => {
            in_inline(selector, found);
            variants.iter().for_each(|variant| found.extend(variables(&variant.value)));
        }
    }
}

fn in_inline<'s>(inline: &ast::InlineExpression<&'s str>, found: &mut BTreeSet<&'s str>) {
    match inline {
        ast::InlineExpression::VariableReference { id } => {
            found.insert(id.name);
        }
        ast::InlineExpression::Placeable { expression } => in_expression(expression, found),
        ast::InlineExpression::FunctionReference { arguments, .. } => {
            arguments.positional.iter().for_each(|argument| in_inline(argument, found));
        }
        _ => {}
    }
}
