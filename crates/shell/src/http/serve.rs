//! Listens on an address, with a limit on everything that a client can delay.

use super::auth::{self, Gate, Who};
use super::files;
use super::guests::Guests;
use super::operations;
use super::page;
use super::problem::ProblemJson;
use super::stream::Impatient;
use crate::agent::Desk;
use crate::chat::Bot;
use crate::effects::asking::Asker;
use crate::engine::app::App;
use crate::learners::access::Access;
use crate::mcp::Mcp;
use crate::voice::talking::Booth;
use axum::Router;
use axum::body::{Body, BodyDataStream};
use axum::extract::{Request, State};
use axum::http::{HeaderMap, Method, StatusCode};
use axum::middleware::{self, Next};
use axum::response::{IntoResponse, Response};
use axum::routing::any;
use futures_util::StreamExt;
use futures_util::future::BoxFuture;
use hyper::server::conn::http1;
use hyper_util::rt::{TokioIo, TokioTimer};
use metrics_exporter_prometheus::PrometheusHandle;
use std::net::SocketAddr;
use std::path::{Path, PathBuf};
use std::pin::pin;
use std::sync::Arc;
use std::time::{Duration, Instant};
use tokio::net::TcpListener;
use tokio::sync::{mpsc, watch};
use tower::ServiceExt;

const MAX_BODY_BYTES: usize = 1 << 20;
const HEADER_TIMEOUT: Duration = Duration::from_secs(10);
/// How much of an oversized body is read, and for how long, so that the sender still hears the refusal.
const MAX_DROPPED_BYTES: usize = 16 << 20;
const DROP_TIMEOUT: Duration = Duration::from_secs(2);
/// The time without reading after which a client counts as gone.
const WRITE_TIMEOUT: Duration = Duration::from_secs(20);
const REQUEST_TIMEOUT: Duration = Duration::from_secs(60);
/// How long open requests, and then running work, may continue after the stop.
pub const DRAIN_TIMEOUT: Duration = Duration::from_secs(10);
const MAX_CONNECTIONS: usize = 1024;
/// The number of files kept free for the database, the log and outgoing connections.
const OWN_FILES: usize = 64;
/// The pauses after a connection could not be accepted.
const FIRST_PAUSE: Duration = Duration::from_millis(50);
const LONGEST_PAUSE: Duration = Duration::from_secs(1);
const NO_PLACE: &[u8] =
    b"HTTP/1.1 503 Service Unavailable\r\nRetry-After: 5\r\nContent-Length: 0\r\nConnection: close\r\n\r\n";

/// The state that the handlers share.
#[derive(Clone)]
pub struct Server {
    pub app: Arc<App>,
    pub desk: Arc<Desk>,
    /// The tools for assistants.
    tools: Mcp,
    pub bot: Option<Bot>,
    /// The model, for a test of its settings.
    pub tester: Option<Arc<Asker>>,
    pub gate: Arc<Gate>,
    /// The folder of laws that were sent here.
    pub laws: Arc<PathBuf>,
    /// The place where flows are held by voice.
    pub booth: Arc<Booth>,
    /// The folder of the learner's own packs.
    pub packs: Arc<PathBuf>,
    pub longest_talk: Duration,
    pub metrics: PrometheusHandle,
    pub stop: watch::Receiver<bool>,
}

impl Server {
    /// Returns the data folder of this server.
    pub(super) fn data(&self) -> PathBuf {
        self.laws.parent().map_or_else(PathBuf::new, Path::to_owned)
    }
}

impl std::fmt::Debug for Server {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Server").finish_non_exhaustive()
    }
}

#[derive(Debug)]
pub struct Options {
    pub address: SocketAddr,
    /// Names under which the server answers, besides those of this machine.
    pub hosts: Vec<String>,
    pub token: String,
    pub desk: Desk,
    pub bot: Option<Bot>,
    /// The model, for a test of its settings.
    pub tester: Option<Asker>,
    /// The folder of laws that were sent here.
    pub laws: PathBuf,
    /// The place where flows are held by voice.
    pub booth: Booth,
    /// The folder of the learner's own packs.
    pub packs: PathBuf,
    /// The longest time that one connection may hold a flow by voice.
    pub longest_talk: Duration,
}

/// Serves until `stop` turns true; then lets open requests finish. In a box: see [`crate`].
pub fn serve(
    app: Arc<App>,
    options: Options,
    metrics: PrometheusHandle,
    stop: watch::Receiver<bool>,
    ready: fn(SocketAddr, &str),
) -> BoxFuture<'static, std::io::Result<()>> {
    Box::pin(serve_until(app, options, metrics, stop, ready))
}

async fn serve_until(
    app: Arc<App>,
    options: Options,
    metrics: PrometheusHandle,
    stop: watch::Receiver<bool>,
    ready: fn(SocketAddr, &str),
) -> std::io::Result<()> {
    let listener = TcpListener::bind(options.address).await?;
    let address = listener.local_addr()?;
    let hosts = hosts(&options.hosts, address);
    let gate = Arc::new(Gate::new(app.clone(), options.token, hosts));
    let Options { desk, bot, tester, laws, booth, packs, longest_talk, .. } = options;
    let router = operations::router(&app.flows)
        .route("/mcp", any(mcp))
        .with_state(Server {
            tools: Mcp::new(app.clone(), desk.clone(), Access::Owner),
            app,
            desk: Arc::new(desk),
            bot,
            tester: tester.map(Arc::new),
            gate: gate.clone(),
            laws: Arc::new(laws),
            booth: Arc::new(booth),
            packs: Arc::new(packs),
            longest_talk,
            metrics,
            stop: stop.clone(),
        })
        .layer(middleware::from_fn(bounded))
        .layer(middleware::from_fn_with_state(gate.clone(), auth::check))
        .layer(tower_http::catch_panic::CatchPanicLayer::custom(panicked))
        .layer(middleware::from_fn(page::protect))
        .layer(middleware::from_fn(measured));
    ready(address, &gate.code().unwrap_or_default());
    let mut open = accept(listener, router, stop).await;
    tokio::select! {
        _ = open.recv() => {}
        _ = tokio::time::sleep(DRAIN_TIMEOUT) => tracing::warn!("some requests did not finish in time"),
    }
    Ok(())
}

/// Serves the tools, resources and prompts of the caller. No call leaves anything behind, so each has its own
/// service.
async fn mcp(State(server): State<Server>, who: Who, request: Request) -> Response {
    let answer = server.tools.for_access(who.access).over_http().handle(request).await;
    answer.map(Body::new)
}

/// Returns the names that this server answers under: those of this machine, the address it listens on, and the
/// configured ones.
fn hosts(more: &[String], address: SocketAddr) -> Vec<String> {
    let listens_on = SocketAddr::new(address.ip(), 0).to_string();
    let listens_on = listens_on.trim_end_matches(":0");
    let own = ["127.0.0.1", "localhost", "[::1]", listens_on].into_iter();
    let own: Vec<&str> = own.chain(more.iter().map(String::as_str)).collect();
    let with_port = own.iter().map(|name| format!("{name}:{}", address.port()));
    // A proxy has a port of its own, so its name may omit the port. Port 80 may always be omitted.
    let without = own.iter().filter(|name| address.port() == 80 || more.iter().any(|own| own == *name));
    with_port.chain(without.map(|name| (*name).to_owned())).collect()
}

/// Accepts connections until `stop` turns true. Returns a receiver that closes once no connection is open.
async fn accept(
    listener: TcpListener,
    router: Router,
    mut stop: watch::Receiver<bool>,
) -> mpsc::Receiver<()> {
    // Each connection holds a clone of the sender until it ends.
    let (open, closed) = mpsc::channel(1);
    let guests = Guests::with_places(places());
    let mut http = http1::Builder::new();
    http.timer(TokioTimer::new()).header_read_timeout(HEADER_TIMEOUT).max_buf_size(64 * 1024);
    let mut pause = FIRST_PAUSE;
    loop {
        let (stream, _) = tokio::select! {
            accepted = listener.accept() => match accepted {
                Ok(accepted) => accepted,
                Err(error) => {
                    // Logged once for a row of failures: a full log helps nobody.
                    if pause == FIRST_PAUSE {
                        tracing::warn!(%error, "connections cannot be accepted now");
                    }
                    guests.make_room();
                    tokio::time::sleep(pause).await;
                    pause = (pause * 2).min(LONGEST_PAUSE);
                    continue;
                }
            },
            _ = stop.changed() => return closed,
        };
        pause = FIRST_PAUSE;
        let Some(guest) = guests.welcome() else {
            let _ = stream.try_write(NO_PLACE);
            continue;
        };
        let _ = stream.set_nodelay(true);
        let (router, known) = (router.clone(), guest.clone());
        let service = hyper::service::service_fn(move |request: hyper::Request<hyper::body::Incoming>| {
            let mut request = request.map(Body::new);
            request.extensions_mut().insert(known.clone());
            router.clone().oneshot(request)
        });
        let stream = TokioIo::new(Impatient::new(stream, WRITE_TIMEOUT));
        let connection = http.serve_connection(stream, service).with_upgrades();
        let (stop, open) = (stop.clone(), open.clone());
        tokio::spawn(async move {
            let mut connection = pin!(connection);
            let ended = tokio::select! {
                ended = connection.as_mut() => ended,
                () = guest.has_to_leave() => Ok(()),
                () = stopped(stop) => {
                    connection.as_mut().graceful_shutdown();
                    connection.await
                }
            };
            if let Err(error) = ended {
                tracing::debug!(%error, "a connection ended badly");
            }
            drop(open);
        });
    }
}

async fn stopped(mut stop: watch::Receiver<bool>) {
    let _ = stop.wait_for(|stop| *stop).await;
}

/// Returns the number of connections: the files that this process may have open, less those it needs for itself.
fn places() -> usize {
    #[cfg(unix)]
    {
        use rustix::process::{Resource, getrlimit, setrlimit};
        let limit = getrlimit(Resource::Nofile);
        // The usual soft limit suits programs that cannot handle more files.
        let _ = setrlimit(Resource::Nofile, rustix::process::Rlimit { current: limit.maximum, ..limit });
        if let Some(most) = getrlimit(Resource::Nofile).current {
            let most = usize::try_from(most).unwrap_or(usize::MAX);
            return most.saturating_sub(OWN_FILES).clamp(1, MAX_CONNECTIONS);
        }
    }
    MAX_CONNECTIONS
}

/// Reads the whole body within its bounds before a handler sees the request.
async fn bounded(request: Request, next: Next) -> Response {
    let (parts, body) = request.into_parts();
    let run = async {
        let most = if parts.uri.path() == files::PATH { files::MAX_BYTES } else { MAX_BODY_BYTES };
        match read_body(&parts.headers, body, most).await {
            Ok(bytes) => next.run(Request::from_parts(parts, Body::from(bytes))).await,
            Err(problem) => problem.into_response(),
        }
    };
    tokio::time::timeout(REQUEST_TIMEOUT, run).await.unwrap_or_else(|_| {
        let title = "the request took too long";
        ProblemJson::new(
            StatusCode::REQUEST_TIMEOUT,
            "too_slow",
            title,
            "look whether it was done, then repeat it",
        )
        .into_response()
    })
}

async fn read_body(headers: &HeaderMap, body: Body, most: usize) -> Result<Vec<u8>, ProblemJson> {
    let declared = headers.get("content-length").and_then(|value| value.to_str().ok()?.parse::<usize>().ok());
    let is_declared_too_large = declared.is_some_and(|length| length > most);
    let mut chunks = body.into_data_stream();
    let mut bytes = Vec::with_capacity(declared.unwrap_or(0).min(MAX_BODY_BYTES));
    if !is_declared_too_large {
        loop {
            match chunks.next().await {
                None => return Ok(bytes),
                Some(Ok(chunk)) if bytes.len() + chunk.len() <= most => bytes.extend_from_slice(&chunk),
                Some(Ok(_)) => break,
                Some(Err(error)) => {
                    let (title, cure) =
                        (format!("the body cannot be read: {error}"), "send well-formed chunks");
                    return Err(ProblemJson::new(StatusCode::BAD_REQUEST, "bad_body", title, cure));
                }
            }
        }
    }
    // A client that sent `Expect` waits before it sends the body.
    if !headers.contains_key("expect") {
        drop_rest(chunks).await;
    }
    let title = format!("the body has more than {most} bytes");
    Err(ProblemJson::new(StatusCode::PAYLOAD_TOO_LARGE, "body_too_large", title, "send less at once"))
}

async fn drop_rest(mut chunks: BodyDataStream) {
    let dropping = async {
        let mut left = MAX_DROPPED_BYTES;
        while left > 0
            && let Some(Ok(chunk)) = chunks.next().await
        {
            left = left.saturating_sub(chunk.len());
        }
    };
    let _ = tokio::time::timeout(DROP_TIMEOUT, dropping).await;
}

fn panicked(_: Box<dyn std::any::Any + Send>) -> Response {
    let title = "this is a defect of the server; nothing was half done";
    ProblemJson::new(StatusCode::INTERNAL_SERVER_ERROR, "internal", title, "the log of the server says more")
        .into_response()
}

async fn measured(request: Request, next: Next) -> Response {
    let started = Instant::now();
    let method = known_method(request.method());
    let path = request.extensions().get::<axum::extract::MatchedPath>().map(|path| path.as_str().to_owned());
    let response = next.run(request).await;
    let status = response.status().as_u16();
    let labels = [("method", method.to_owned()), ("status", status.to_string())];
    metrics::counter!("etude_http_requests_total", &labels).increment(1);
    metrics::histogram!("etude_http_seconds").record(started.elapsed().as_secs_f64());
    tracing::debug!(path, status, "answered");
    response
}

/// Returns the label for a method. Clients can invent methods, and every label of a metric is kept forever.
fn known_method(method: &Method) -> &'static str {
    const KNOWN: [(&Method, &str); 9] = [
        (&Method::GET, "GET"),
        (&Method::POST, "POST"),
        (&Method::PUT, "PUT"),
        (&Method::DELETE, "DELETE"),
        (&Method::HEAD, "HEAD"),
        (&Method::OPTIONS, "OPTIONS"),
        (&Method::CONNECT, "CONNECT"),
        (&Method::PATCH, "PATCH"),
        (&Method::TRACE, "TRACE"),
    ];
    KNOWN.iter().find(|(known, _)| *known == method).map_or("other", |(_, name)| name)
}
