//! Authenticates requests: each needs a token and a host name of this server, and must not come from a foreign
//! page. The token decides whose data the caller may see.

use super::guests::Guest;
use super::problem::ProblemJson;
use crate::engine::app::App;
use crate::engine::failure::Failure;
use crate::learners::access::Access;
use crate::learners::tokens::{self, Grant};
use axum::extract::{FromRequestParts, Request, State};
use axum::http::request::Parts;
use axum::http::{HeaderMap, Method, StatusCode, header};
use axum::middleware::Next;
use axum::response::{IntoResponse, Response};
use std::io::Write;
use std::path::Path;
use std::sync::{Arc, Mutex};
use std::time::Duration;

const COOKIE: &str = "etude_token";

/// How long a browser keeps the token of the server, in seconds.
const COOKIE_SECONDS: i64 = 31_536_000;

/// The token of this server, a one-time code that can be exchanged for it, and access to the stored tokens of
/// people.
#[derive(Debug)]
pub struct Gate {
    app: Arc<App>,
    token: String,
    code: Mutex<Option<String>>,
    hosts: Vec<String>,
}

impl Gate {
    pub fn new(app: Arc<App>, token: String, hosts: Vec<String>) -> Gate {
        let code = random_hex();
        Gate { app, token, code: Mutex::new(Some(code)), hosts }
    }

    /// Returns the code for the one-time address, until it is used.
    pub fn code(&self) -> Option<String> {
        self.code.lock().unwrap_or_else(|e| e.into_inner()).clone()
    }

    /// Exchanges the code for a cookie. Works once.
    pub fn redeem(&self, given: &str) -> Option<String> {
        let mut code = self.code.lock().unwrap_or_else(|e| e.into_inner());
        if !code.as_deref().is_some_and(|code| same(code, given)) {
            return None;
        }
        *code = None;
        Some(cookie(&self.token, COOKIE_SECONDS))
    }

    /// Exchanges a token for a cookie that lives no longer than the token.
    pub async fn exchange(&self, given: &str) -> Result<Option<String>, Failure> {
        let Some(who) = self.let_in(given).await? else { return Ok(None) };
        let left = |grant: Grant| (grant.ends_at.0 - self.app.clock.now().0) / 1_000_000;
        let seconds = who.grant.map_or(COOKIE_SECONDS, |grant| left(grant).min(COOKIE_SECONDS));
        Ok(Some(cookie(given, seconds)))
    }

    /// Returns the caller that this token belongs to.
    async fn let_in(&self, token: &str) -> Result<Option<Who>, Failure> {
        if same(token, &self.token) {
            return Ok(Some(Who { access: Access::Owner, grant: None }));
        }
        let grant = tokens::admit(&self.app, token).await?;
        Ok(grant.map(|grant| Who { access: grant.access.clone(), grant: Some(grant) }))
    }

    async fn admits(&self, headers: &HeaderMap) -> Result<Option<Who>, Failure> {
        let text = |name| headers.get(name).and_then(|value| value.to_str().ok());
        let bearer = text(header::AUTHORIZATION).and_then(|value| value.strip_prefix("Bearer "));
        let cookie = text(header::COOKIE).and_then(|cookies| {
            cookies.split(';').find_map(|pair| pair.trim().strip_prefix(COOKIE)?.strip_prefix('='))
        });
        match bearer.or(cookie) {
            Some(token) => self.let_in(token.trim()).await,
            None => Ok(None),
        }
    }

    /// Whether the host name is known. Pages of other sites must not reach this server by a name that points here.
    fn knows_host(&self, headers: &HeaderMap) -> bool {
        let host = headers.get(header::HOST).and_then(|value| value.to_str().ok()).unwrap_or("");
        self.hosts.iter().any(|known| host.eq_ignore_ascii_case(known))
    }

    /// Whether the origin is known. Browsers name the page that sends a request. Programs do not, and are admitted
    /// by the token alone.
    fn knows_origin(&self, headers: &HeaderMap) -> bool {
        let Some(origin) = headers.get(header::ORIGIN) else { return true };
        // The scheme does not matter: encryption, if there is any, ends at a proxy.
        let host = origin
            .to_str()
            .ok()
            .and_then(|origin| origin.strip_prefix("http://").or_else(|| origin.strip_prefix("https://")));
        host.is_some_and(|host| self.hosts.iter().any(|known| host.eq_ignore_ascii_case(known)))
    }
}

fn cookie(token: &str, seconds: i64) -> String {
    format!("{COOKIE}={token}; Path=/; HttpOnly; SameSite=Strict; Max-Age={seconds}")
}

/// The caller. A handler that takes this gets it from [`check`]; without it, the request is refused.
#[derive(Debug, Clone)]
pub struct Who {
    pub access: Access,
    /// The token, unless it is the server's own.
    grant: Option<Grant>,
}

impl Who {
    /// Returns once the token is revoked or has expired. Open streams then have to end.
    pub async fn until_sent_away(self, app: Arc<App>) {
        let Some(Grant { key, .. }) = self.grant else { return std::future::pending().await };
        loop {
            tokio::time::sleep(LOOK_AGAIN).await;
            match tokens::admit_by_key(&app, &key).await {
                Ok(None) => return,
                Ok(Some(_)) => {}
                Err(error) => tracing::debug!(%error, "whether a token still holds is not known now"),
            }
        }
    }
}

impl<S: Send + Sync> FromRequestParts<S> for Who {
    type Rejection = ProblemJson;

    async fn from_request_parts(parts: &mut Parts, _: &S) -> Result<Who, ProblemJson> {
        parts.extensions.get::<Who>().cloned().ok_or_else(no_token)
    }
}

/// How often an open stream checks whether its token still holds.
const LOOK_AGAIN: Duration = Duration::from_secs(2);

/// Paths that need no token.
const OPEN_PATHS: &[&str] = &["/healthz", "/readyz", "/open", "/openapi.json"];
/// The path where a browser exchanges the token for a cookie.
pub const SIGN_IN: &str = "/sign-in";

pub async fn check(State(gate): State<Arc<Gate>>, mut request: Request, next: Next) -> Response {
    let headers = request.headers();
    if !gate.knows_host(headers) {
        let title = "this server does not answer under that name";
        let cure = "use the address that it printed when it started";
        return ProblemJson::new(StatusCode::MISDIRECTED_REQUEST, "wrong_host", title, cure).into_response();
    }
    if !gate.knows_origin(headers) {
        let title = "requests from pages of other sites are refused";
        return ProblemJson::new(StatusCode::FORBIDDEN, "wrong_origin", title, "open the server's own page")
            .into_response();
    }
    let path = request.uri().path();
    let is_open = match *request.method() {
        Method::GET | Method::HEAD => OPEN_PATHS.contains(&path) || super::page::is_page(path),
        // Telegram authenticates with its own secret, and a browser signs in with the token.
        Method::POST => [super::telegram::PATH, SIGN_IN].contains(&path),
        _ => false,
    };
    if is_open {
        return next.run(request).await;
    }
    match gate.admits(headers).await {
        Ok(Some(who)) => {
            if let Some(guest) = request.extensions().get::<Arc<Guest>>() {
                guest.is_let_in();
            }
            request.extensions_mut().insert(who);
            next.run(request).await
        }
        Ok(None) => no_token().into_response(),
        Err(failure) => ProblemJson::from(failure).into_response(),
    }
}

fn no_token() -> ProblemJson {
    let cure = "send `Authorization: Bearer TOKEN`; `etude token` prints the owner's, `etude token new` makes others";
    ProblemJson::new(StatusCode::UNAUTHORIZED, "wrong_token", "a valid token is needed", cure)
}

/// Refuses learners: operations on the whole server are for its owner.
pub async fn owner_only(request: Request, next: Next) -> Response {
    match request.extensions().get::<Who>() {
        Some(Who { access: Access::Owner, .. }) => next.run(request).await,
        Some(_) => {
            let (title, cure) = ("this is for the owner of the server", "ask them, or use their token");
            ProblemJson::new(StatusCode::FORBIDDEN, "owner_only", title, cure).into_response()
        }
        None => no_token().into_response(),
    }
}

/// Reads the token from a file, or makes a new one that only its owner can read.
pub fn token(path: &Path) -> std::io::Result<String> {
    match std::fs::read_to_string(path) {
        Ok(token) if token.trim().len() >= 32 => {
            warn_of_readers(path);
            return Ok(token.trim().to_owned());
        }
        Ok(_) => std::fs::remove_file(path)?,
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => {}
        Err(error) => return Err(error),
    }
    let token = random_hex();
    // The token is written to another file and then linked, so that no process reads an empty or half-written
    // token.
    let aside = path.with_extension(&token[..16]);
    write_private(&aside, &token)?;
    let linked = std::fs::hard_link(&aside, path);
    std::fs::remove_file(&aside)?;
    match linked {
        // Another process made one at the same moment, and that one counts.
        Err(error) if error.kind() == std::io::ErrorKind::AlreadyExists => {
            Ok(std::fs::read_to_string(path)?.trim().to_owned())
        }
        linked => linked.map(|()| token),
    }
}

/// Warns if others on this machine can read the token, which gives full access.
fn warn_of_readers(path: &Path) {
    #[cfg(unix)]
    if std::fs::metadata(path)
        .is_ok_and(|file| std::os::unix::fs::PermissionsExt::mode(&file.permissions()) & 0o077 != 0)
    {
        tracing::warn!(path = %path.display(), "others on this machine can read the token; `chmod 600` keeps it private");
    }
}

fn write_private(path: &Path, text: &str) -> std::io::Result<()> {
    let mut options = std::fs::OpenOptions::new();
    options.write(true).create_new(true);
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
    let mut file = options.open(path)?;
    file.write_all(text.as_bytes())?;
    file.sync_all()
}

fn random_hex() -> String {
    let mut bytes = [0u8; 32];
    getrandom::fill(&mut bytes).expect("the operating system gives random bytes");
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}

/// Compares two texts in constant time.
fn same(a: &str, b: &str) -> bool {
    a.len() == b.len() && a.bytes().zip(b.bytes()).fold(0, |difference, (a, b)| difference | (a ^ b)) == 0
}

/// The `Set-Cookie` value that makes a browser forget the token.
pub const NO_COOKIE: &str = "etude_token=; Path=/; HttpOnly; SameSite=Strict; Max-Age=0";
