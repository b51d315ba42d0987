//! Serves the web page: its files, the headers that protect it, and the sign-in of a browser.
//!
//! The files contain no learner's data, so they need no token. All data that they show comes from the API, which
//! needs one.

use super::problem::ProblemJson;
use super::request::{self, InQuery};
use super::serve::Server;
use axum::body::Bytes;
use axum::extract::{Request, State};
use axum::http::{HeaderMap, HeaderName, HeaderValue, Method, StatusCode, Uri, header};
use axum::middleware::Next;
use axum::response::{IntoResponse, Redirect, Response};
use serde::Deserialize;

/// The first part of every address inside the page.
const ROOMS: &[&str] = &[
    "agents",
    "at",
    "attempts",
    "courses",
    "first",
    "flows",
    "inside",
    "playground",
    "problems",
    "progress",
    "settings",
    "today",
    "words",
];

const FOREVER: &str = "public, max-age=31536000, immutable";
/// The caching of files that a browser must check every time, so that a new version shows at once.
const FRESH: &str = "no-cache";

/// The headers of every answer. They allow a browser to run and load only what comes from here, and to show it in
/// no other page.
const HEADERS: [(HeaderName, &str); 6] = [
    (
        header::CONTENT_SECURITY_POLICY,
        "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; font-src 'self'; \
         connect-src 'self'; manifest-src 'self'; base-uri 'none'; form-action 'self'; frame-ancestors 'none'",
    ),
    (header::X_CONTENT_TYPE_OPTIONS, "nosniff"),
    (header::REFERRER_POLICY, "no-referrer"),
    (header::X_FRAME_OPTIONS, "DENY"),
    (HeaderName::from_static("cross-origin-opener-policy"), "same-origin"),
    (HeaderName::from_static("permissions-policy"), "camera=(), geolocation=(), microphone=(self)"),
];

/// Whether a path is a file of the page, or an address inside it.
pub(super) fn is_page(path: &str) -> bool {
    let first = path.trim_start_matches('/').split('/').next().unwrap_or_default();
    first.is_empty() || ROOMS.contains(&first) || ui::find(path).is_some()
}

pub(super) async fn protect(request: Request, next: Next) -> Response {
    let mut response = next.run(request).await;
    for (name, value) in HEADERS {
        response.headers_mut().entry(name).or_insert(HeaderValue::from_static(value));
    }
    response
}

/// Sends a file of the page, or the page itself for an address inside it. A person with an unknown address gets the
/// page too, with status 404.
pub(super) async fn show(method: Method, uri: Uri, headers: HeaderMap) -> Response {
    let path = uri.path();
    let is_read = matches!(method, Method::GET | Method::HEAD);
    match ui::find(path).or_else(ui::index).filter(|_| is_read) {
        Some(file) if is_page(path) => send(file, &headers),
        Some(file) if is_for_a_person(&headers) => {
            (StatusCode::NOT_FOUND, send(file, &headers)).into_response()
        }
        None if is_read && is_page(path) => without_page().into_response(),
        _ => super::operations::nothing_here().await.into_response(),
    }
}

/// Whether a browser asks for a page. Programs do not accept HTML.
fn is_for_a_person(headers: &HeaderMap) -> bool {
    let accepts = headers.get(header::ACCEPT).and_then(|value| value.to_str().ok());
    accepts.is_some_and(|kinds| kinds.contains("text/html"))
}

fn send(file: &'static ui::File, headers: &HeaderMap) -> Response {
    let accepts = headers.get(header::ACCEPT_ENCODING).and_then(|value| value.to_str().ok()).unwrap_or("");
    let gzip = file.gzip.filter(|_| accepts.split(',').any(|way| way.trim().starts_with("gzip")));
    let keep = if file.is_immutable { FOREVER } else { FRESH };
    let about = [
        (header::CONTENT_TYPE, file.content_type),
        (header::CACHE_CONTROL, keep),
        (header::VARY, "accept-encoding"),
    ];
    match gzip {
        Some(bytes) => {
            (about, [(header::CONTENT_ENCODING, "gzip")], Bytes::from_static(bytes)).into_response()
        }
        None => (about, Bytes::from_static(file.bytes)).into_response(),
    }
}

fn without_page() -> impl IntoResponse {
    let text = include_str!("without_page.html").replace("{why}", ui::WHY_NONE);
    (StatusCode::SERVICE_UNAVAILABLE, [(header::CONTENT_TYPE, "text/html; charset=utf-8")], text)
}

#[derive(Deserialize)]
pub(super) struct Redeem {
    #[serde(default)]
    code: String,
}

/// Handles the address that the server prints. It works once.
pub(super) async fn redeem(
    State(server): State<Server>,
    headers: HeaderMap,
    InQuery(redeem): InQuery<Redeem>,
) -> Response {
    match server.gate.redeem(&redeem.code) {
        Some(cookie) => ([(header::SET_COOKIE, cookie)], Redirect::to("/")).into_response(),
        // A browser that is already signed in continues; any other has to give the token.
        None if is_for_a_person(&headers) => Redirect::to("/?sign-in=used").into_response(),
        None => {
            let cure = "start the server again for a new address, or send the token from `etude token`";
            ProblemJson::new(StatusCode::FORBIDDEN, "code_used", "this address has been used already", cure)
                .into_response()
        }
    }
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct SignIn {
    token: String,
}

/// Signs in a browser that presents the token.
pub(super) async fn sign_in(
    State(server): State<Server>,
    headers: HeaderMap,
    body: Bytes,
) -> Result<Response, ProblemJson> {
    let given: SignIn = request::read(&headers, &body)?;
    match server.gate.exchange(given.token.trim()).await? {
        Some(cookie) => Ok((StatusCode::NO_CONTENT, [(header::SET_COOKIE, cookie)]).into_response()),
        None => {
            let cure = "`etude token` prints the owner's, `etude token new` makes one for a learner";
            Err(ProblemJson::new(
                StatusCode::FORBIDDEN,
                "wrong_token",
                "this is no token of this server",
                cure,
            ))
        }
    }
}

/// Signs a browser out by taking its cookie back.
pub(super) async fn sign_out() -> Response {
    (StatusCode::NO_CONTENT, [(header::SET_COOKIE, super::auth::NO_COOKIE)]).into_response()
}
