//! Authentication: a request needs the token, a host name of this server, and no foreign page behind it.

use super::problem::ProblemJson;
use axum::extract::{Request, State};
use axum::http::{HeaderMap, Method, StatusCode, header};
use axum::middleware::Next;
use axum::response::{IntoResponse, Response};
use std::io::Write;
use std::path::Path;
use std::sync::{Arc, Mutex};

const COOKIE: &str = "etude_token";

/// The token of this server, and a code that can be exchanged for it once.
#[derive(Debug)]
pub struct Gate {
    token: String,
    code: Mutex<Option<String>>,
    hosts: Vec<String>,
}

impl Gate {
    pub fn new(token: String, hosts: Vec<String>) -> Gate {
        let code = random_hex();
        Gate { token, code: Mutex::new(Some(code)), hosts }
    }

    /// The code for the one-time address, until it is used.
    pub fn code(&self) -> Option<String> {
        self.code.lock().unwrap_or_else(|e| e.into_inner()).clone()
    }

    /// Exchanges the code for a cookie; works once.
    pub fn redeem(&self, given: &str) -> Option<String> {
        let mut code = self.code.lock().unwrap_or_else(|e| e.into_inner());
        if !code.as_deref().is_some_and(|code| same(code, given)) {
            return None;
        }
        *code = None;
        Some(self.cookie())
    }

    /// Exchanges the token for a cookie.
    pub fn exchange(&self, given: &str) -> Option<String> {
        same(given, &self.token).then(|| self.cookie())
    }

    fn cookie(&self) -> String {
        format!("{COOKIE}={}; Path=/; HttpOnly; SameSite=Strict; Max-Age=31536000", self.token)
    }

    fn admits(&self, headers: &HeaderMap) -> bool {
        let text = |name| headers.get(name).and_then(|value| value.to_str().ok());
        let bearer = text(header::AUTHORIZATION).and_then(|value| value.strip_prefix("Bearer "));
        let cookie = text(header::COOKIE).and_then(|cookies| {
            cookies.split(';').find_map(|pair| pair.trim().strip_prefix(COOKIE)?.strip_prefix('='))
        });
        bearer.or(cookie).is_some_and(|token| same(token.trim(), &self.token))
    }

    /// Pages of other sites must not reach this server by a name that points here.
    fn knows_host(&self, headers: &HeaderMap) -> bool {
        let host = headers.get(header::HOST).and_then(|value| value.to_str().ok()).unwrap_or("");
        self.hosts.iter().any(|known| host.eq_ignore_ascii_case(known))
    }

    /// Browsers name the page that asks. Programs do not, and are admitted by the token alone.
    fn knows_origin(&self, headers: &HeaderMap) -> bool {
        let Some(origin) = headers.get(header::ORIGIN) else { return true };
        // Encryption, where there is any, ends at a proxy.
        let host = origin
            .to_str()
            .ok()
            .and_then(|origin| origin.strip_prefix("http://").or_else(|| origin.strip_prefix("https://")));
        host.is_some_and(|host| self.hosts.iter().any(|known| host.eq_ignore_ascii_case(known)))
    }
}

/// Paths that need no token.
const OPEN_PATHS: &[&str] = &["/healthz", "/open", "/openapi.json"];
/// Where a browser gives the token for a cookie.
pub const SIGN_IN: &str = "/sign-in";

pub async fn check(State(gate): State<Arc<Gate>>, request: Request, next: Next) -> Response {
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
        // Telegram authenticates with a secret of its own, and a browser signs in with the token.
        Method::POST => [super::telegram::PATH, SIGN_IN].contains(&path),
        _ => false,
    };
    if !is_open && !gate.admits(headers) {
        let cure = "send `Authorization: Bearer TOKEN`; `etude token` prints it";
        return ProblemJson::new(StatusCode::UNAUTHORIZED, "wrong_token", "a valid token is needed", cure)
            .into_response();
    }
    next.run(request).await
}

/// Reads the token, or makes one that only its owner can read.
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
    // Written aside and then linked, so that no process reads an empty or half-written token.
    let aside = path.with_extension(&token[..16]);
    write_private(&aside, &token)?;
    let linked = std::fs::hard_link(&aside, path);
    std::fs::remove_file(&aside)?;
    match linked {
        // Another process made one at the same moment, and that one holds.
        Err(error) if error.kind() == std::io::ErrorKind::AlreadyExists => {
            Ok(std::fs::read_to_string(path)?.trim().to_owned())
        }
        linked => linked.map(|()| token),
    }
}

/// The token gives full access.
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

/// Compares in constant time.
fn same(a: &str, b: &str) -> bool {
    a.len() == b.len() && a.bytes().zip(b.bytes()).fold(0, |difference, (a, b)| difference | (a ^ b)) == 0
}

/// What makes a browser forget the token.
pub const NO_COOKIE: &str = "etude_token=; Path=/; HttpOnly; SameSite=Strict; Max-Age=0";
