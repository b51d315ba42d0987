//! The parameters of a call, in any of their four forms.

use axum::RequestExt;
use axum::extract::{Form, Json, Multipart, Query, Request};
use axum::http::header::CONTENT_TYPE;
use serde_json::{Map, Value, json};

use super::Refusal;

#[derive(Debug, Default)]
pub struct Params(Map<String, Value>);

impl Params {
    pub async fn read(mut request: Request) -> Result<Self, Refusal> {
        let kind = request.headers().get(CONTENT_TYPE).and_then(|value| value.to_str().ok());
        let kind = kind.unwrap_or_default().to_owned();
        let bad = |_| Refusal::new(400, "Bad Request: can't parse the request");
        let Query(mut all) = request.extract_parts::<Query<Map<String, Value>>>().await.map_err(bad)?;
        let bad = || Refusal::new(400, "Bad Request: can't parse the request");
        if kind.starts_with("application/json") {
            let Json(body) = request.extract::<Json<Map<String, Value>>, _>().await.map_err(|_| bad())?;
            all.extend(body);
        } else if kind.starts_with("application/x-www-form-urlencoded") {
            let Form(body) = request.extract::<Form<Map<String, Value>>, _>().await.map_err(|_| bad())?;
            all.extend(body);
        } else if kind.starts_with("multipart/form-data") {
            let body = request.extract::<Multipart, _>().await.map_err(|_| bad())?;
            all.extend(read_multipart(body).await.ok_or_else(bad)?);
        }
        Ok(Self(all))
    }

    pub fn text(&self, name: &str) -> Option<&str> {
        self.0.get(name)?.as_str()
    }

    /// Returns a number, which may be given as text.
    pub fn number(&self, name: &str) -> Option<i64> {
        let value = self.0.get(name)?;
        value.as_i64().or_else(|| value.as_str()?.parse().ok())
    }

    pub fn flag(&self, name: &str) -> bool {
        self.value(name) == Value::Bool(true)
    }

    /// Returns an object or a list, which may be given as JSON inside a text.
    pub fn value(&self, name: &str) -> Value {
        match self.0.get(name) {
            Some(Value::String(text)) => serde_json::from_str(text).unwrap_or(Value::Null),
            Some(value) => value.clone(),
            None => Value::Null,
        }
    }

    pub fn has(&self, name: &str) -> bool {
        self.0.contains_key(name)
    }
}

/// Reads the fields of a multipart body. A file becomes an object with its name, type and content.
async fn read_multipart(mut body: Multipart) -> Option<Map<String, Value>> {
    let mut all = Map::new();
    while let Some(field) = body.next_field().await.ok()? {
        let name = field.name()?.to_owned();
        let file = field.file_name().map(str::to_owned);
        let mime = field.content_type().map(str::to_owned);
        let bytes = field.bytes().await.ok()?;
        let text = String::from_utf8_lossy(&bytes).into_owned();
        let value = match file {
            Some(file) => {
                json!({"file_name": file, "mime_type": mime, "file_size": bytes.len(), "content": text})
            }
            None => text.into(),
        };
        all.insert(name, value);
    }
    Some(all)
}
