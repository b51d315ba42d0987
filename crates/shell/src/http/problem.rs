//! Reports failures as `application/problem+json`.

use crate::engine::failure::Failure;
use axum::Json;
use axum::http::{HeaderValue, StatusCode, header};
use axum::response::{IntoResponse, Response};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// A failure, with its cure.
#[derive(Debug, Clone, Serialize, Deserialize, JsonSchema)]
pub struct ProblemJson {
    pub title: String,
    pub status: u16,
    /// A stable code, for programs.
    pub code: String,
    /// The cure: what to do now.
    pub cure: String,
    /// The names that would be taken instead, if there are any.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub allowed: Vec<String>,
}

impl ProblemJson {
    pub fn new(status: StatusCode, code: &str, title: impl Into<String>, cure: &str) -> ProblemJson {
        ProblemJson {
            title: title.into(),
            status: status.as_u16(),
            code: code.into(),
            cure: cure.into(),
            allowed: Vec::new(),
        }
    }
}

impl IntoResponse for ProblemJson {
    fn into_response(self) -> Response {
        let status = StatusCode::from_u16(self.status).unwrap_or(StatusCode::INTERNAL_SERVER_ERROR);
        let mut response = (status, Json(self)).into_response();
        let kind = HeaderValue::from_static("application/problem+json");
        response.headers_mut().insert(header::CONTENT_TYPE, kind);
        if status == StatusCode::UNAUTHORIZED {
            response.headers_mut().insert(header::WWW_AUTHENTICATE, HeaderValue::from_static("Bearer"));
        }
        response
    }
}

impl<F: Into<Failure>> From<F> for ProblemJson {
    fn from(failure: F) -> ProblemJson {
        let failure: Failure = failure.into();
        if failure.status() >= 500 {
            tracing::error!(%failure, "a request failed");
        }
        ProblemJson {
            title: failure.to_string(),
            status: failure.status(),
            code: failure.code().into(),
            cure: failure.cure(),
            allowed: failure.allowed().to_vec(),
        }
    }
}
