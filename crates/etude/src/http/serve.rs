//! Listening: on a loopback address, with a bound on everything a client can take its time over.

use super::auth::{self, Gate};
use super::operations;
use super::problem::ProblemJson;
use crate::app::App;
use crate::mcp::Mcp;
use axum::Router;
use axum::extract::Request;
use axum::http::StatusCode;
use axum::middleware::{self, Next};
use axum::response::{IntoResponse, Response};
use hyper_util::rt::{TokioIo, TokioTimer};
use hyper_util::server::graceful::GracefulShutdown;
use metrics_exporter_prometheus::PrometheusHandle;
use std::net::SocketAddr;
use std::sync::Arc;
use std::time::{Duration, Instant};
use tokio::net::TcpListener;
use tokio::sync::{Semaphore, watch};
use tower::ServiceExt;

/// Who learns, where a request names nobody.
pub const DEFAULT_LEARNER: &str = "me";

const MAX_BODY_BYTES: usize = 1 << 20;
const HEADER_TIMEOUT: Duration = Duration::from_secs(10);
const REQUEST_TIMEOUT: Duration = Duration::from_secs(60);
/// How long requests that are open, and then work that is under way, may go on after the end.
pub const DRAIN_TIMEOUT: Duration = Duration::from_secs(10);
const MAX_CONNECTIONS: usize = 1024;

/// What the handlers share.
#[derive(Clone)]
pub struct Server {
    pub app: Arc<App>,
    pub gate: Arc<Gate>,
    pub metrics: PrometheusHandle,
    pub stop: watch::Receiver<bool>,
}

impl std::fmt::Debug for Server {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Server").finish_non_exhaustive()
    }
}

#[derive(Debug, Clone)]
pub struct Options {
    pub address: SocketAddr,
    /// Names under which the server answers besides those of this machine.
    pub hosts: Vec<String>,
    pub token: String,
}

/// Serves until `stop` turns true; then lets open requests finish.
pub async fn serve(
    app: Arc<App>,
    options: Options,
    metrics: PrometheusHandle,
    stop: watch::Receiver<bool>,
    ready: impl FnOnce(SocketAddr, &str),
) -> std::io::Result<()> {
    let listener = TcpListener::bind(options.address).await?;
    let address = listener.local_addr()?;
    let hosts = hosts(&options.hosts, address.port());
    let gate = Arc::new(Gate::new(options.token, hosts));
    let router = operations::router()
        .route_service("/mcp", Mcp::new(app.clone(), DEFAULT_LEARNER).over_http())
        .with_state(Server { app, gate: gate.clone(), metrics, stop: stop.clone() })
        .layer(middleware::from_fn(bounded))
        .layer(middleware::from_fn_with_state(gate.clone(), auth::check))
        .layer(tower_http::catch_panic::CatchPanicLayer::custom(panicked))
        .layer(middleware::from_fn(measured));
    ready(address, &gate.code().unwrap_or_default());
    let open = accept(listener, router, stop).await;
    tokio::select! {
        _ = open.shutdown() => {}
        _ = tokio::time::sleep(DRAIN_TIMEOUT) => tracing::warn!("some requests did not finish in time"),
    }
    Ok(())
}

/// The names that this server answers under.
fn hosts(more: &[String], port: u16) -> Vec<String> {
    let own = ["127.0.0.1", "localhost", "[::1]"].into_iter().chain(more.iter().map(String::as_str));
    let with_port = own.map(|name| format!("{name}:{port}"));
    // A proxy has a port of its own, which its name may leave out.
    with_port.chain(more.iter().cloned()).collect()
}

/// Takes connections until `stop` turns true; gives back those that are open then.
async fn accept(listener: TcpListener, router: Router, mut stop: watch::Receiver<bool>) -> GracefulShutdown {
    let graceful = GracefulShutdown::new();
    let places = Arc::new(Semaphore::new(MAX_CONNECTIONS));
    let mut http = hyper::server::conn::http1::Builder::new();
    http.timer(TokioTimer::new()).header_read_timeout(HEADER_TIMEOUT).max_buf_size(64 * 1024);
    loop {
        let (stream, _) = tokio::select! {
            accepted = listener.accept() => match accepted {
                Ok(accepted) => accepted,
                Err(error) => {
                    tracing::warn!(%error, "a connection could not be accepted");
                    tokio::time::sleep(Duration::from_millis(50)).await;
                    continue;
                }
            },
            _ = stop.changed() => return graceful,
        };
        let Ok(place) = places.clone().try_acquire_owned() else { continue };
        let _ = stream.set_nodelay(true);
        let router = router.clone();
        let service = hyper::service::service_fn(move |request: hyper::Request<hyper::body::Incoming>| {
            router.clone().oneshot(request.map(axum::body::Body::new))
        });
        let connection = graceful.watch(http.serve_connection(TokioIo::new(stream), service));
        tokio::spawn(async move {
            if let Err(error) = connection.await {
                tracing::debug!(%error, "a connection ended badly");
            }
            drop(place);
        });
    }
}

/// Reads the whole body within its bounds before a handler sees the request.
async fn bounded(request: Request, next: Next) -> Response {
    let (parts, body) = request.into_parts();
    let too_large = || {
        let title = format!("the body has more than {MAX_BODY_BYTES} bytes");
        ProblemJson::new(StatusCode::PAYLOAD_TOO_LARGE, "body_too_large", title, "send less at once")
            .into_response()
    };
    let declared =
        parts.headers.get("content-length").and_then(|value| value.to_str().ok()?.parse::<usize>().ok());
    if declared.is_some_and(|length| length > MAX_BODY_BYTES) {
        return too_large();
    }
    let run = async {
        match axum::body::to_bytes(body, MAX_BODY_BYTES).await {
            Ok(bytes) => next.run(Request::from_parts(parts, axum::body::Body::from(bytes))).await,
            Err(_) => too_large(),
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

fn panicked(_: Box<dyn std::any::Any + Send>) -> Response {
    let title = "this is a defect of the server; nothing was half done";
    ProblemJson::new(StatusCode::INTERNAL_SERVER_ERROR, "internal", title, "the log of the server says more")
        .into_response()
}

async fn measured(request: Request, next: Next) -> Response {
    let started = Instant::now();
    let method = request.method().to_string();
    let path = request.extensions().get::<axum::extract::MatchedPath>().map(|path| path.as_str().to_owned());
    let response = next.run(request).await;
    let status = response.status().as_u16();
    let labels = [("method", method), ("status", status.to_string())];
    metrics::counter!("etude_http_requests_total", &labels).increment(1);
    metrics::histogram!("etude_http_seconds").record(started.elapsed().as_secs_f64());
    tracing::debug!(path, status, "answered");
    response
}
