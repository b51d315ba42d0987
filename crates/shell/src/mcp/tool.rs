//! Defines a tool: a typed function with its schemas and hints, behind one call that takes and gives JSON.

use crate::agent::Desk;
use crate::engine::app::App;
use crate::engine::failure::Failure;
use crate::learners::access::Access;
use coaching::rejected::Rejected;
use futures_util::FutureExt;
use futures_util::future::BoxFuture;
use rmcp::model::{CallToolResult, ContentBlock, JsonObject, ToolAnnotations};
use schemars::generate::SchemaSettings;
use schemars::transform::{RestrictFormats, Transform};
use schemars::{JsonSchema, Schema, SchemaGenerator};
use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::{Value, json};
use std::panic::AssertUnwindSafe;
use std::sync::Arc;

/// The argument that names the learner.
pub const LEARNER: &str = "learner";
/// The most characters of a caller's input that a message repeats.
const MAX_REPEATED_CHARS: usize = 300;
/// The name for an answer that is not an object, because structured answers are objects.
const RESULT: &str = "result";

/// The context of a tool call.
#[derive(Debug, Clone)]
pub struct Caller {
    pub app: Arc<App>,
    pub desk: Arc<Desk>,
    /// The learners that a call may be about.
    pub access: Access,
    /// The caller's idempotency key.
    pub key: Option<String>,
}

impl Caller {
    /// Returns the learner that a call is about.
    pub fn learner(&self, named: &Option<String>) -> Result<String, Failure> {
        self.access.learner(named.as_deref())
    }
}

/// The effect of a tool on the world, for clients that ask before they call.
#[derive(Debug, Clone, Copy)]
pub enum Does {
    Reads,
    /// Makes something new each time it is called.
    Adds,
    /// Calling it again changes nothing more.
    Sets,
    /// Takes something away.
    Ends,
}

type Call = dyn Fn(Caller, Value) -> Answering + Send + Sync;
pub type Answering = BoxFuture<'static, Result<Value, Refusal>>;

/// The failure of a refused call, and the tools that the flow would take instead.
#[derive(Debug)]
pub struct Refusal {
    pub failure: Failure,
    pub tools: Vec<&'static str>,
}

impl From<Failure> for Refusal {
    fn from(failure: Failure) -> Refusal {
        Refusal { failure, tools: Vec::new() }
    }
}

pub struct Tool {
    pub described: rmcp::model::Tool,
    pub is_for_owner: bool,
    call: Box<Call>,
}

impl std::fmt::Debug for Tool {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Tool").field("name", &self.described.name).finish_non_exhaustive()
    }
}

impl Tool {
    pub fn new<I, O, F>(
        name: &'static str,
        title: &'static str,
        does: Does,
        about: &'static str,
        run: fn(Caller, I) -> F,
    ) -> Tool
    where
        I: DeserializeOwned + JsonSchema + Send + 'static,
        O: Serialize + JsonSchema,
        F: Future<Output = Result<O, Failure>> + Send + 'static,
    {
        let described = rmcp::model::Tool::new(name, about, schema::<I>())
            .with_title(title)
            .with_raw_output_schema(Arc::new(schema::<O>()))
            .with_annotations(does.annotations(title));
        let call = move |caller: Caller, arguments: Value| -> Answering {
            let read = serde_json::from_value::<I>(arguments).map_err(unreadable);
            Box::pin(async move { Ok(json!(run(caller, read?).await?)) })
        };
        Tool { described, is_for_owner: false, call: Box::new(call) }
    }

    /// Creates a tool from a flow's face.
    pub fn of_face(
        tool: coaching::face::Tool,
        does: Does,
        (takes, gives): (JsonObject, JsonObject),
        call: impl Fn(Caller, Value) -> Answering + Send + Sync + 'static,
    ) -> Tool {
        let described = rmcp::model::Tool::new(tool.name, tool.about, takes)
            .with_title(tool.title)
            .with_raw_output_schema(Arc::new(gives))
            .with_annotations(does.annotations(tool.title));
        Tool { described, is_for_owner: false, call: Box::new(call) }
    }

    pub fn for_owner(self) -> Tool {
        Tool { is_for_owner: true, ..self }
    }

    /// Returns the tool as it is listed. A model reads the whole list before it does anything, so the list has only
    /// what a call needs; the contract has the rest.
    pub fn listed(&self) -> rmcp::model::Tool {
        let mut listed = self.described.clone();
        (listed.title, listed.output_schema) = (None, None);
        listed.input_schema = Arc::new(brief(slim((*listed.input_schema).clone())));
        listed.annotations = listed.annotations.map(without_defaults);
        listed
    }

    /// Calls the tool. Whatever goes wrong is an answer that the caller can read and act on.
    pub async fn call(&self, caller: Caller, arguments: Option<JsonObject>) -> CallToolResult {
        let name = &self.described.name;
        let arguments = Value::Object(arguments.unwrap_or_default());
        match AssertUnwindSafe((self.call)(caller, arguments)).catch_unwind().await {
            Ok(Ok(answer)) => answered(answer),
            Ok(Err(Refusal { failure, tools })) => {
                tracing::info!(%name, %failure, "a tool has refused");
                refused(&failure, &tools)
            }
            Err(_) => {
                tracing::error!(%name, "a tool has a defect");
                let message = "this is a defect of Etude; nothing was half done";
                problem("internal", message, "look at the log of the server, then try again", &[])
            }
        }
    }
}

impl Does {
    fn annotations(self, title: &str) -> ToolAnnotations {
        ToolAnnotations::with_title(title)
            .read_only(matches!(self, Does::Reads))
            .destructive(matches!(self, Does::Ends))
            .idempotent(matches!(self, Does::Reads | Does::Sets))
            .open_world(false)
    }
}

fn schema<T: JsonSchema>() -> JsonObject {
    schema_of(|generator| T::json_schema(generator))
}

/// Generates a schema that stands alone, because clients differ in how well they follow references.
pub fn schema_of(make: impl Fn(&mut SchemaGenerator) -> Schema) -> JsonObject {
    let settings = SchemaSettings::draft2020_12().with(|settings| settings.inline_subschemas = true);
    let mut generator = settings.into_generator();
    let mut schema = make(&mut generator);
    RestrictFormats::default().transform(&mut schema);
    match schema.to_value() {
        Value::Object(mut schema) => {
            schema.remove("title");
            schema
        }
        _ => JsonObject::new(),
    }
}

/// Removes the parts of a schema that say nothing: a field that may be left out need not say that it may be null.
fn slim(schema: JsonObject) -> JsonObject {
    let kept = schema.into_iter().filter(|(name, value)| {
        name != "$schema"
            && !(name == "default" && value.is_null())
            && !(name == "format" && value.is_string())
    });
    kept.map(|(name, value)| {
        let value = match value {
            Value::Object(inner) => Value::Object(slim(inner)),
            Value::Array(items) if matches!(name.as_str(), "type" | "enum") => without_null(items),
            Value::Array(items) => Value::Array(items.into_iter().map(slim_value).collect()),
            plain => plain,
        };
        (name, value)
    })
    .collect()
}

/// Reduces a schema to what a call needs. The instructions say once for all tools that they take a learner.
fn brief(mut schema: JsonObject) -> JsonObject {
    for word in ["description", "additionalProperties"] {
        schema.shift_remove(word);
    }
    if let Some(properties) = schema.get_mut("properties").and_then(Value::as_object_mut) {
        properties.shift_remove(LEARNER);
        for property in properties.values_mut().filter_map(Value::as_object_mut) {
            property.shift_remove("default");
            property.shift_remove("additionalProperties");
        }
    }
    schema
}

/// Removes hints that clients assume anyway.
fn without_defaults(hints: ToolAnnotations) -> ToolAnnotations {
    let is_read_only = hints.read_only_hint == Some(true);
    let mut brief = ToolAnnotations::new();
    brief.read_only_hint = hints.read_only_hint.filter(|is| *is);
    brief.destructive_hint = hints.destructive_hint.filter(|is| !is && !is_read_only);
    brief.idempotent_hint = hints.idempotent_hint.filter(|is| *is && !is_read_only);
    brief.open_world_hint = hints.open_world_hint;
    brief
}

fn slim_value(value: Value) -> Value {
    match value {
        Value::Object(inner) => Value::Object(slim(inner)),
        plain => plain,
    }
}

fn without_null(items: Vec<Value>) -> Value {
    let mut items: Vec<Value> = items.into_iter().filter(|item| !item.is_null() && item != "null").collect();
    match items.as_slice() {
        [Value::String(name)] if is_type(name) => items.remove(0),
        _ => Value::Array(items),
    }
}

fn is_type(name: &str) -> bool {
    matches!(name, "string" | "number" | "integer" | "boolean" | "object" | "array")
}

/// Returns an answer as structure and as text. The text repeats the structure, without the wrapping.
fn answered(answer: Value) -> CallToolResult {
    let bare = match answer.as_object() {
        Some(fields) if fields.len() == 1 => fields.get(RESULT),
        _ => None,
    };
    let text = match bare {
        Some(Value::String(text)) => text.clone(),
        Some(bare) => bare.to_string(),
        None => answer.to_string(),
    };
    let mut result = CallToolResult::structured(answer);
    result.content = vec![ContentBlock::text(text)];
    result
}

fn refused(failure: &Failure, tools: &[&'static str]) -> CallToolResult {
    let cure = match failure {
        Failure::UnknownInstance { .. } => "`teaching_flow_list` shows the courses there are".to_owned(),
        Failure::Refused { .. } if tools.is_empty() => "nothing can be done to it now".to_owned(),
        Failure::Refused { .. } => format!("what can be called now: {}", tools.join(", ")),
        _ => failure.cure(),
    };
    problem(failure.code(), &failure.to_string(), &cure, tools)
}

fn problem(code: &str, message: &str, cure: &str, allowed: &[&str]) -> CallToolResult {
    let mut result = CallToolResult::structured_error(json!({
        "error": {"code": code, "message": message, "cure": cure, "allowed": allowed},
    }));
    result.content = vec![ContentBlock::text(format!("{code}: {message}. What to do: {cure}."))];
    result
}

fn unreadable(error: serde_json::Error) -> Failure {
    let message: String = error.to_string().chars().take(MAX_REPEATED_CHARS).collect();
    Failure::Rejected(Rejected {
        code: "bad_arguments",
        message: format!("the arguments cannot be read: {message}").into(),
        cure: "the input schema of the tool says what it takes".into(),
    })
}
