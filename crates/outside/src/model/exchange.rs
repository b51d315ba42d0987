//! One request and its reply over HTTP, within bounds.

use std::time::Duration;

use reqwest::header::{CONTENT_TYPE, HeaderMap, HeaderName, HeaderValue};
use reqwest::{Client, Method, Response, redirect};
use serde_json::Value;
use tokio::time::timeout;

use super::handle::OnText;
use super::stream::{Frames, NotUtf8};
use super::trouble::{AskClock, Charge, Failed, Next, Refusal, causes};
use super::wire::{Fault, Gathered};
use super::{ModelConfig, ModelError, Secret, Wire};

/// A whole reply is a few kilobytes; a stream repeats an envelope of some hundred bytes for every token.
const WHOLE_MAX_BYTES: usize = 1 << 20;
const STREAM_MAX_BYTES: usize = 16 << 20;
const PREVIEW_MAX_CHARS: usize = 200;

/// The way to one model server.
#[derive(Debug)]
pub(super) struct Exchange {
    client: Client,
    wire: Wire,
    base_url: String,
    api_key: Option<Secret>,
    idle_timeout: Duration,
}

impl Exchange {
    pub(super) fn new(config: &ModelConfig) -> Result<Self, ModelError> {
        Ok(Self {
            client: client(config).map_err(|what| ModelError::Misconfigured {
                what: format!("the HTTP client cannot be set up: {what}"),
                cure: "check the key and the proxy, and that the system's root certificates are installed"
                    .into(),
            })?,
            wire: config.wire,
            base_url: config.base_url.trim_end_matches('/').to_owned(),
            api_key: config.api_key.clone(),
            idle_timeout: Duration::from_millis(config.idle_timeout_ms),
        })
    }

    /// Sends a prompt and gathers the reply. With `on_text` the reply is asked for in pieces.
    pub(super) async fn chat(
        &self,
        body: String,
        clock: AskClock,
        on_text: Option<OnText<'_>>,
    ) -> Result<Gathered, Failed> {
        let response = self.send(Method::POST, self.wire.chat_path(), Some(body), clock).await?;
        match on_text {
            // A server that cannot stream answers in one piece.
            Some(on_text) if !is_json(response.headers()) => self.read_stream(response, on_text).await,
            Some(on_text) => {
                let gathered = self.read_whole(response).await?;
                on_text(&gathered.text);
                Ok(gathered)
            }
            None => self.read_whole(response).await,
        }
    }

    /// The names of the models that the server offers.
    pub(super) async fn models(&self, clock: AskClock) -> Result<Vec<String>, Failed> {
        let response = self.send(Method::GET, self.wire.models_path(), None, clock).await?;
        Ok(self.wire.model_names(&self.read_json(response).await?))
    }

    async fn send(
        &self,
        method: Method,
        path: &str,
        body: Option<String>,
        clock: AskClock,
    ) -> Result<Response, Failed> {
        let mut request = self.client.request(method, format!("{}/{path}", self.base_url));
        if let Some(body) = body {
            request = request.header(CONTENT_TYPE, "application/json").body(body);
        }
        let response = request.send().await.map_err(Failed::not_sent_or_cut)?;
        if response.status().is_success() {
            return Ok(response);
        }
        Err(Failed::turned_away(&self.read_refusal(response).await, clock))
    }

    async fn read_refusal(&self, response: Response) -> Refusal {
        let (status, headers) = (response.status(), response.headers().clone());
        // The status says enough when the body cannot be read.
        let body = self.read_bytes(response, WHOLE_MAX_BYTES).await.unwrap_or_default();
        let preview = self.preview(&body);
        Refusal { status, headers, body: String::from_utf8_lossy(&body).into_owned(), preview }
    }

    async fn read_whole(&self, response: Response) -> Result<Gathered, Failed> {
        let reply = self.read_json(response).await?;
        self.wire.read_whole(&reply).map_err(|fault| self.faulty(fault, reply.to_string().as_bytes()))
    }

    async fn read_json(&self, response: Response) -> Result<Value, Failed> {
        let body = self.read_bytes(response, WHOLE_MAX_BYTES).await?;
        serde_json::from_slice(&body)
            .map_err(|error| self.faulty(Fault::Malformed(format!("the body is not JSON: {error}")), &body))
    }

    async fn read_bytes(&self, mut response: Response, max_bytes: usize) -> Result<Vec<u8>, Failed> {
        let mut body = Vec::new();
        while let Some(chunk) = self.next_chunk(&mut response).await? {
            if body.len() + chunk.len() > max_bytes {
                return Err(self.too_large(max_bytes, &body));
            }
            body.extend_from_slice(&chunk);
        }
        Ok(body)
    }

    async fn read_stream(&self, mut response: Response, on_text: OnText<'_>) -> Result<Gathered, Failed> {
        let (mut frames, mut gathered, mut read_bytes) =
            (Frames::new(self.wire.framing()), Gathered::default(), 0);
        while !gathered.ended {
            let Some(chunk) = self.next_chunk(&mut response).await? else { break };
            read_bytes += chunk.len();
            if read_bytes > STREAM_MAX_BYTES {
                return Err(self.too_large(STREAM_MAX_BYTES, gathered.text.as_bytes()));
            }
            let complete = frames.feed(&chunk).map_err(|NotUtf8| self.not_text())?;
            self.take_frames(complete, &mut gathered, on_text)?;
        }
        let rest =
            if gathered.ended { Vec::new() } else { frames.finish().map_err(|NotUtf8| self.not_text())? };
        self.take_frames(rest, &mut gathered, on_text)?;
        // Some servers close a stream without the closing frame; the reason for stopping is what counts.
        if gathered.finish.is_some() {
            Ok(gathered)
        } else {
            Err(Failed::cut("the stream ended in the middle"))
        }
    }

    fn take_frames(
        &self,
        frames: Vec<String>,
        gathered: &mut Gathered,
        on_text: OnText<'_>,
    ) -> Result<(), Failed> {
        for frame in frames {
            let told = gathered.text.len();
            self.wire.read_piece(&frame, gathered).map_err(|fault| self.faulty(fault, frame.as_bytes()))?;
            if gathered.text.len() > told {
                on_text(&gathered.text[told..]);
            }
        }
        Ok(())
    }

    async fn next_chunk(&self, response: &mut Response) -> Result<Option<Vec<u8>>, Failed> {
        match timeout(self.idle_timeout, response.chunk()).await {
            Ok(Ok(chunk)) => Ok(chunk.map(|chunk| chunk.to_vec())),
            Ok(Err(error)) => {
                Err(Failed::cut(&format!("the connection was cut within the reply ({})", causes(error))))
            }
            Err(_) => {
                let what = format!("the reply stood still for {} ms", self.idle_timeout.as_millis());
                Err(Failed::new(ModelError::TimedOut { what }, Next::GiveUp, Charge::Unknown))
            }
        }
    }

    fn faulty(&self, fault: Fault, body: &[u8]) -> Failed {
        let (error, next) = match fault {
            Fault::Malformed(why) => {
                (ModelError::BadReply { why, preview: self.preview(body) }, Next::Resend)
            }
            Fault::Failing(why) => {
                let why = format!("the server reports: {}", self.preview(why.as_bytes()));
                (ModelError::Unreachable { why }, Next::Wait { after_ms: None })
            }
        };
        Failed::new(error, next, Charge::Unknown)
    }

    fn not_text(&self) -> Failed {
        self.faulty(Fault::Malformed("the stream is not UTF-8".to_owned()), b"")
    }

    fn too_large(&self, max_bytes: usize, body: &[u8]) -> Failed {
        let why = format!("it is larger than {max_bytes} bytes");
        let error = ModelError::BadReply { why, preview: self.preview(body) };
        Failed::new(error, Next::GiveUp, Charge::Unknown)
    }

    /// The beginning of what a server said, fit for a message: short, printable, without the key.
    pub(super) fn preview(&self, body: &[u8]) -> String {
        let text = String::from_utf8_lossy(body);
        let text = self.api_key.as_ref().map_or_else(|| text.to_string(), |key| key.redact(&text));
        let printable = text.chars().map(|char| if char.is_control() { ' ' } else { char });
        printable.take(PREVIEW_MAX_CHARS).collect()
    }
}

fn client(config: &ModelConfig) -> Result<Client, String> {
    // Installing it twice is an error that means that it is installed.
    let _ = rustls::crypto::ring::default_provider().install_default();
    let builder = Client::builder()
        .default_headers(headers(config)?)
        .connect_timeout(Duration::from_millis(config.connect_timeout_ms))
        // A redirect could carry the key to another host.
        .redirect(redirect::Policy::none())
        .user_agent(concat!("etude/", env!("CARGO_PKG_VERSION")));
    let builder = match &config.proxy_url {
        Some(proxy) => builder.proxy(reqwest::Proxy::all(proxy.reveal()).map_err(causes)?),
        None => builder.no_proxy(),
    };
    builder.build().map_err(causes)
}

fn headers(config: &ModelConfig) -> Result<HeaderMap, String> {
    let fixed = config.wire.fixed_headers().iter();
    let mut headers: HeaderMap =
        fixed.map(|(name, value)| (HeaderName::from_static(name), HeaderValue::from_static(value))).collect();
    if let Some(key) = &config.api_key {
        let (name, value) = config.wire.key_header(key.reveal());
        let mut value = HeaderValue::from_str(&value)
            .map_err(|_| "the API key contains characters that cannot be sent".to_owned())?;
        value.set_sensitive(true);
        headers.insert(HeaderName::from_static(name), value);
    }
    Ok(headers)
}

fn is_json(headers: &HeaderMap) -> bool {
    let kind = headers.get(CONTENT_TYPE).and_then(|value| value.to_str().ok());
    kind.is_some_and(|kind| kind.trim_start().starts_with("application/json"))
}
