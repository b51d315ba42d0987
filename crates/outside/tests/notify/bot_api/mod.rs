//! A server that speaks the HTTP interface of Telegram bots, with people and chats behind it.
//!
//! It behaves as Telegram does: the token is in the path, parameters come as JSON, form, multipart or query, every
//! reply has the same envelope, confirmed updates vanish, a poll really waits, and a webhook excludes polling. In
//! addition, `/__control` plays the people and the accidents: `POST` a [`Control`], or `GET` a report of everything
//! that happened.

mod control;
mod methods;
mod params;
mod world;

use std::convert::Infallible;
use std::net::SocketAddr;
use std::sync::{Arc, Mutex};
use std::time::Duration;

use axum::body::{Body, Bytes};
use axum::extract::{Path, Request, State};
use axum::http::{StatusCode, header};
use axum::response::{IntoResponse, Response};
use axum::routing::{any, get};
use axum::{Json, Router};
use futures_util::stream;
use serde_json::{Value, json};
use tokio::net::TcpListener;
use tokio::sync::Notify;

pub use control::{Accident, Control};
use params::Params;
use world::World;

pub const TOKEN: &str = "123456:test-TOKEN_of-a-bot";
/// Telegram does not document how long it waits before it retries a webhook; a test cannot wait long.
const WEBHOOK_PAUSE: Duration = Duration::from_millis(100);

pub struct BotApi {
    pub url: String,
    shared: Arc<Shared>,
}

struct Shared {
    world: Mutex<World>,
    /// Wakes waiting polls.
    changed: Notify,
}

/// A refusal by Telegram.
#[derive(Clone, Debug)]
pub struct Refusal {
    code: u16,
    description: String,
    parameters: Value,
}

impl BotApi {
    pub async fn start(port: u16) -> Self {
        // Fails only if a provider was installed before.
        let _ = rustls::crypto::ring::default_provider().install_default();
        let listener = TcpListener::bind(SocketAddr::from(([127, 0, 0, 1], port))).await.unwrap();
        let url = format!("http://{}", listener.local_addr().unwrap());
        let shared = Arc::new(Shared { world: Mutex::new(World::default()), changed: Notify::new() });
        let router = Router::new()
            .route("/__control", get(report).post(command))
            .route("/{bot}/{method}", any(call))
            .with_state(shared.clone());
        tokio::spawn(async move { axum::serve(listener, router).await.unwrap() });
        tokio::spawn(serve_webhook(shared.clone()));
        Self { url, shared }
    }

    pub fn control(&self, control: Control) -> Value {
        let value = self.shared.with(|world| control.perform(world));
        self.shared.changed.notify_waiters();
        value
    }

    /// Returns everything that happened, as `GET /__control` reports it.
    pub fn report(&self) -> Value {
        self.shared.with(|world| world.report())
    }
}

impl Shared {
    fn with<T>(&self, work: impl FnOnce(&mut World) -> T) -> T {
        work(&mut self.world.lock().unwrap())
    }
}

impl Refusal {
    pub fn new(code: u16, description: impl Into<String>) -> Self {
        Self { code, description: description.into(), parameters: Value::Null }
    }

    pub fn with(self, parameters: Value) -> Self {
        Self { parameters, ..self }
    }

    fn body(&self) -> Value {
        let mut body = json!({"ok": false, "error_code": self.code, "description": self.description});
        if !self.parameters.is_null() {
            body["parameters"] = self.parameters.clone();
        }
        body
    }
}

async fn report(State(shared): State<Arc<Shared>>) -> Json<Value> {
    Json(shared.with(|world| world.report()))
}

async fn command(State(shared): State<Arc<Shared>>, Json(control): Json<Control>) -> Json<Value> {
    let value = shared.with(|world| control.perform(world));
    shared.changed.notify_waiters();
    Json(value)
}

async fn call(
    State(shared): State<Arc<Shared>>,
    Path((bot, method)): Path<(String, String)>,
    request: Request,
) -> Response {
    let method = method.to_lowercase();
    if let Err(refusal) = admit(&bot) {
        return reply(Err(refusal));
    }
    let params = match Params::read(request).await {
        Ok(params) => params,
        Err(refusal) => return reply(Err(refusal)),
    };
    match shared.with(|world| world.take_accident(&method)) {
        None => reply(perform(&shared, &method, &params).await),
        Some((accident, performed)) => {
            let result = if performed { perform(&shared, &method, &params).await } else { Ok(Value::Null) };
            spoil(accident, result).await
        }
    }
}

fn admit(bot: &str) -> Result<(), Refusal> {
    let token = bot.strip_prefix("bot").filter(|token| token.contains(':'));
    let token = token.ok_or_else(|| Refusal::new(404, "Not Found"))?;
    if token == TOKEN { Ok(()) } else { Err(Refusal::new(401, "Unauthorized")) }
}

async fn perform(shared: &Shared, method: &str, params: &Params) -> Result<Value, Refusal> {
    if method != "getupdates" {
        let result = shared.with(|world| methods::perform(world, method, params));
        shared.changed.notify_waiters();
        return result;
    }
    poll(shared, params).await
}

/// Waits until there is an update, the timeout has passed, or another poll replaces this one.
async fn poll(shared: &Shared, params: &Params) -> Result<Value, Refusal> {
    let patience = Duration::from_secs(params.number("timeout").unwrap_or(0).clamp(0, 50) as u64);
    let deadline = tokio::time::Instant::now() + patience;
    let number = shared.with(|world| world.begin_poll(params))?;
    // The older poll ends at once.
    shared.changed.notify_waiters();
    loop {
        let changed = shared.changed.notified();
        let waiting = shared.with(|world| world.waiting_updates(params, number))?;
        if !waiting.is_empty() || tokio::time::timeout_at(deadline, changed).await.is_err() {
            return Ok(waiting.into());
        }
    }
}

fn reply(result: Result<Value, Refusal>) -> Response {
    match result {
        Ok(result) => Json(json!({"ok": true, "result": result})).into_response(),
        Err(refusal) => {
            let status = StatusCode::from_u16(refusal.code).unwrap();
            (status, Json(refusal.body())).into_response()
        }
    }
}

async fn spoil(accident: Accident, result: Result<Value, Refusal>) -> Response {
    match accident {
        Accident::Refuse { code, description, parameters } => {
            reply(Err(Refusal::new(code, description).with(parameters)))
        }
        Accident::Page { status } => {
            let page = "<html>\r\n<head><title>Bad Gateway</title></head>\r\n</html>";
            let kind = [(header::CONTENT_TYPE, "text/html")];
            (StatusCode::from_u16(status).unwrap(), kind, page).into_response()
        }
        Accident::Slow { ms } => {
            tokio::time::sleep(Duration::from_millis(ms)).await;
            reply(result)
        }
        Accident::SlowBody { ms } => drip(ms),
        Accident::Cut => cut(),
    }
}

/// A slow body: spaces before a JSON value are allowed, so the reply is slow but not wrong.
fn drip(ms: u64) -> Response {
    let body = stream::unfold(0, move |sent| async move {
        let text = if sent < 4 { " " } else { r#"{"ok":true,"result":true}"# };
        tokio::time::sleep(Duration::from_millis(ms / 4)).await;
        (sent < 5).then(|| (Ok::<_, Infallible>(Bytes::from(text)), sent + 1))
    });
    Body::from_stream(body).into_response()
}

/// A reply whose connection breaks before its end.
fn cut() -> Response {
    let broken = || std::io::Error::from(std::io::ErrorKind::ConnectionReset);
    let body = stream::iter([Ok(Bytes::from(r#"{"ok":"#)), Err(broken())]);
    ([(header::CONTENT_LENGTH, "500")], Body::from_stream(body)).into_response()
}

/// Sends updates to the webhook one by one, each until the webhook accepts it.
async fn serve_webhook(shared: Arc<Shared>) {
    let client = reqwest::Client::builder().no_proxy().timeout(Duration::from_secs(5)).build().unwrap();
    loop {
        let changed = shared.changed.notified();
        match shared.with(|world| world.for_webhook()) {
            None => changed.await,
            Some((webhook, update)) => {
                let mut request = client.post(&webhook.url).header("content-type", "application/json");
                if let Some(secret) = &webhook.secret_token {
                    request = request.header("X-Telegram-Bot-Api-Secret-Token", secret);
                }
                let answer = request.body(update.to_string()).send().await;
                if answer.is_ok_and(|answer| answer.status().is_success()) {
                    shared.with(|world| world.confirm(update["update_id"].as_i64().unwrap()));
                } else {
                    tokio::time::sleep(WEBHOOK_PAUSE).await;
                }
            }
        }
    }
}
