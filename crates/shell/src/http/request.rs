//! Reads incoming requests: path, query, body and key. Everything that can be wrong with them has its own answer.

use super::problem::ProblemJson;
use axum::body::Bytes;
use axum::extract::rejection::{PathRejection, QueryRejection};
use axum::extract::{FromRequestParts, Path, Query};
use axum::http::request::Parts;
use axum::http::{HeaderMap, StatusCode, header};
use serde::Deserialize;
use serde::de::DeserializeOwned;
use std::error::Error;

/// The one name in a path.
#[derive(Debug)]
pub struct InPath(pub String);

impl<S: Send + Sync> FromRequestParts<S> for InPath {
    type Rejection = ProblemJson;

    async fn from_request_parts(parts: &mut Parts, state: &S) -> Result<InPath, ProblemJson> {
        let Path::<String>(name) =
            Path::from_request_parts(parts, state).await.map_err(|error| bad_path(&error))?;
        check_characters("bad_path", &name)?;
        Ok(InPath(name))
    }
}

/// Two names in a path.
#[derive(Debug)]
pub struct InPaths(pub (String, String));

impl<S: Send + Sync> FromRequestParts<S> for InPaths {
    type Rejection = ProblemJson;

    async fn from_request_parts(parts: &mut Parts, state: &S) -> Result<InPaths, ProblemJson> {
        let Path::<(String, String)>(names) =
            Path::from_request_parts(parts, state).await.map_err(|error| bad_path(&error))?;
        [&names.0, &names.1].into_iter().try_for_each(|name| check_characters("bad_path", name))?;
        Ok(InPaths(names))
    }
}

fn bad_path(error: &PathRejection) -> ProblemJson {
    let cure = "write the path in UTF-8, each byte that needs it as `%XX`";
    ProblemJson::new(StatusCode::BAD_REQUEST, "bad_path", error.body_text(), cure)
}

/// The parameters after the path.
#[derive(Debug)]
pub struct InQuery<T>(pub T);

impl<T: DeserializeOwned, S: Send + Sync> FromRequestParts<S> for InQuery<T> {
    type Rejection = ProblemJson;

    async fn from_request_parts(parts: &mut Parts, state: &S) -> Result<InQuery<T>, ProblemJson> {
        let bad = |error: QueryRejection| {
            let why = error.source().map_or_else(|| error.body_text(), ToString::to_string);
            let title = format!("the parameters after `?` cannot be read: {why}");
            let cure = "`/openapi.json` lists the parameters";
            ProblemJson::new(StatusCode::BAD_REQUEST, "bad_query", title, cure)
        };
        let Query(all) = Query::<Vec<(String, String)>>::try_from_uri(&parts.uri).map_err(bad)?;
        all.iter().try_for_each(|(_, value)| check_characters("bad_query", value))?;
        let Query(query) = Query::from_request_parts(parts, state).await.map_err(bad)?;
        Ok(InQuery(query))
    }
}

/// Refuses control characters. No stored name has any, and some databases cannot even search for them.
fn check_characters(code: &str, text: &str) -> Result<(), ProblemJson> {
    if !text.chars().any(char::is_control) {
        return Ok(());
    }
    let title = "names have no control characters";
    Err(ProblemJson::new(StatusCode::BAD_REQUEST, code, title, "leave them out"))
}

/// Reads a JSON body.
pub fn read<T: for<'de> Deserialize<'de>>(headers: &HeaderMap, body: &Bytes) -> Result<T, ProblemJson> {
    let kind = headers.get(header::CONTENT_TYPE).and_then(|value| value.to_str().ok()).unwrap_or("");
    let essence = kind.split(';').next().unwrap_or("").trim();
    if !essence.eq_ignore_ascii_case("application/json") {
        let cure = "send `Content-Type: application/json`";
        let title = "the body must be JSON";
        return Err(ProblemJson::new(StatusCode::UNSUPPORTED_MEDIA_TYPE, "not_json", title, cure));
    }
    let bad = |title: String| {
        ProblemJson::new(
            StatusCode::BAD_REQUEST,
            "bad_json",
            title,
            "`/openapi.json` describes what is expected",
        )
    };
    // Serde would read a list as the fields in their order, which is not part of the contract.
    if !body.trim_ascii_start().starts_with(b"{") {
        return Err(bad("the body must be a JSON object".into()));
    }
    serde_json::from_slice(body).map_err(|error| bad(format!("the body cannot be read: {error}")))
}

/// Reads the idempotency key. An unreadable key is an error: if it were ignored, the request could be taken twice.
pub fn idempotency_key(headers: &HeaderMap) -> Result<Option<String>, ProblemJson> {
    let Some(value) = headers.get("idempotency-key") else { return Ok(None) };
    let key = value.to_str().map_err(|_| {
        let title = "the Idempotency-Key has characters that are not ASCII";
        ProblemJson::new(StatusCode::UNPROCESSABLE_ENTITY, "bad_key", title, "use letters, digits and `-`")
    })?;
    Ok(Some(key.to_owned()))
}

/// Reads the version that the sender has seen from `If-Match`. A flow that has moved on refuses.
pub fn expected_version(headers: &HeaderMap) -> Result<Option<u64>, ProblemJson> {
    let Some(value) = headers.get(header::IF_MATCH) else { return Ok(None) };
    let version = value.to_str().ok().and_then(|text| text.trim_matches('"').parse().ok());
    version.map(Some).ok_or_else(|| {
        let title = "If-Match is not the version of a flow";
        ProblemJson::new(
            StatusCode::UNPROCESSABLE_ENTITY,
            "bad_version",
            title,
            "give the `version` of the last answer",
        )
    })
}
