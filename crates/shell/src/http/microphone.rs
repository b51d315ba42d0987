//! Holds any flow by voice from a browser: a WebSocket takes the sound of its microphone and returns the coach's
//! voice.
//!
//! Binary messages are sound, text messages are small JSON objects. Input is bounded in size, speed and time. A
//! connection that ends gives the reason in its last message: `CODE: a sentence`. No sound is kept.

use super::auth::Who;
use super::faces;
use super::guests::Guest;
use super::problem::ProblemJson;
use super::request::{InPath, InQuery};
use super::serve::Server;
use crate::builtin;
use crate::engine::failure::Failure;
use crate::engine::turn;
use crate::engine::view::View;
use crate::learners::language;
use crate::voice::holding::{Left, practised};
use crate::voice::talking::{BoothPlace, Handset, Talk, Told};
use ::voice::RATE;
use axum::extract::ws::rejection::WebSocketUpgradeRejection;
use axum::extract::ws::{CloseCode, CloseFrame, Message, WebSocket, WebSocketUpgrade, close_code};
use axum::extract::{Extension, State};
use axum::http::{HeaderMap, StatusCode, header};
use axum::response::{IntoResponse, Response};
use axum::{Error, Json};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::json;
use std::pin::pin;
use std::sync::Arc;
use std::time::Duration;
use store::Change;
use tokio::sync::broadcast;
use tokio::sync::mpsc::{UnboundedReceiver, unbounded_channel};
use tokio::task::JoinHandle;
use tokio::time::{Instant, sleep, timeout};

/// The most bytes of a message: an eighth of a second of sound. A message up to `MAX_READ` is refused with a
/// reason.
const MAX_MESSAGE: usize = 4096;
const MAX_READ: usize = 64 << 10;
/// How much faster than speech sound may arrive, after a head start of this many seconds.
const MAX_SPEED: f64 = 1.25;
const HEAD_START: f64 = 15.0;
/// The longest silence on a connection before it is closed.
const MAX_IDLE: Duration = Duration::from_secs(10 * 60);
/// The time by which the talk knows of its own turns.
const GRACE: Duration = Duration::from_millis(300);
/// How long the other end may take to close the connection.
const GOODBYE: Duration = Duration::from_secs(2);
/// The most bytes of a reason that fit into a last message.
const MAX_REASON: usize = 120;

/// Whether flows can be held by voice here.
#[derive(Debug, Serialize, JsonSchema)]
pub(super) struct VoiceView {
    ready: bool,
    /// The reason why they cannot.
    #[serde(skip_serializing_if = "Option::is_none")]
    why: Option<String>,
    /// The command that cures it.
    #[serde(skip_serializing_if = "Option::is_none")]
    command: Option<String>,
}

#[derive(Debug, Default, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct TalkQuery {
    language: Option<String>,
}

/// A message from the browser besides sound.
#[derive(Debug, Deserialize)]
#[serde(tag = "type", rename_all = "snake_case", deny_unknown_fields)]
enum Asked {
    /// The learner begins to speak: the coach falls silent.
    Start,
    /// The learner has finished speaking.
    Stop,
    /// The coach should stop speaking.
    Cancel,
    /// The last sound has been played.
    Played,
}

/// Upgrades to a talk. A request without an upgrade is told whether one would work.
pub(super) async fn talk(
    State(server): State<Server>,
    who: Who,
    guest: Option<Extension<Arc<Guest>>>,
    InPath(id): InPath,
    InQuery(query): InQuery<TalkQuery>,
    headers: HeaderMap,
    upgrade: Result<WebSocketUpgrade, WebSocketUpgradeRejection>,
) -> Result<Response, ProblemJson> {
    let row = who.access.row(&server.app, &id).await?;
    let is_ready = server.booth.is_ready();
    let upgrade = match upgrade {
        Ok(upgrade) => upgrade,
        Err(_) if !headers.contains_key(header::UPGRADE) => {
            let why = (!is_ready).then(|| NOT_READY.to_owned());
            let command = (!is_ready).then(|| SET_UP.to_owned());
            return Ok(Json(VoiceView { ready: is_ready, why, command }).into_response());
        }
        Err(rejection) => {
            let cure = "open a WebSocket, version 13";
            return Err(ProblemJson::new(
                StatusCode::BAD_REQUEST,
                "bad_upgrade",
                rejection.body_text(),
                cure,
            ));
        }
    };
    if !is_ready {
        let cure = format!("run `{SET_UP}` where the server runs");
        return Err(ProblemJson::new(StatusCode::CONFLICT, "no_engines", NOT_READY, &cure));
    }
    let view = turn::look(&server.app, row).await?;
    let wish = query.language.as_deref().or(faces::wish(&headers)).map(str::to_owned);
    // Places are given in the order of requests.
    let place = server.booth.place(&view.learner);
    let caller = Caller { server, who, wish, view };
    Ok(upgrade.max_message_size(MAX_READ).max_frame_size(MAX_READ).on_upgrade(async move |socket| {
        caller.answer(socket, place).await;
        // The connection holds its place among the others until here.
        drop(guest);
    }))
}

const NOT_READY: &str = "the engines of the voice are not installed";
const SET_UP: &str = "etude voice setup";

/// The reason why a connection ends.
#[derive(Debug)]
struct Ending {
    status: CloseCode,
    code: &'static str,
    why: String,
}

impl Ending {
    fn new(status: CloseCode, code: &'static str, why: impl Into<String>) -> Ending {
        Ending { status, code, why: why.into() }
    }

    /// The ending of a connection whose other end has gone: there is no one to tell.
    fn gone() -> Ending {
        Ending::new(close_code::AWAY, "gone", "")
    }

    fn of(left: Result<Left, Failure>) -> Ending {
        match left {
            Ok(Left::Over { .. }) => Ending::new(close_code::NORMAL, "over", "this is finished"),
            Ok(Left::Saved | Left::Waits) => {
                Ending::new(close_code::NORMAL, "stopped", "stopped as you wished; everything is saved")
            }
            Ok(Left::Silent) => {
                Ending::new(close_code::NORMAL, "silence", "no one has spoken; everything is saved")
            }
            Ok(Left::Troubled(trouble)) => Ending::new(close_code::ERROR, "trouble", trouble.message),
            Err(failure) => {
                tracing::error!(%failure, "a talk failed");
                Ending::new(close_code::ERROR, "trouble", failure.to_string())
            }
        }
    }

    /// Returns the close frame, with as much of the reason as fits.
    fn frame(&self) -> CloseFrame {
        let mut reason = format!("{}: {}", self.code, self.why);
        while reason.len() > MAX_REASON {
            reason.pop();
        }
        CloseFrame { code: self.status, reason: reason.into() }
    }
}

/// The learner who talks, and the flow.
struct Caller {
    server: Server,
    who: Who,
    wish: Option<String>,
    view: View,
}

impl Caller {
    async fn answer(self, mut socket: WebSocket, place: Option<BoothPlace>) {
        let ending = match place {
            Some(place) => self.talk(&mut socket, place).await,
            None => {
                let why = "too many people are speaking here now; try again in a minute";
                Ending::new(close_code::AGAIN, "too_many", why)
            }
        };
        tracing::debug!(code = ending.code, "a talk has ended");
        if ending.code != "gone" {
            say_goodbye(socket, &ending).await;
        }
    }

    async fn talk(&self, socket: &mut WebSocket, place: BoothPlace) -> Ending {
        let (tell, told) = unbounded_channel();
        // Changes from here on are news to the talk.
        let changes = self.server.app.store.changes();
        let language = match self.language().await {
            Ok(language) => language,
            Err(failure) => return Ending::of(Err(failure)),
        };
        let (pack, packs) =
            (practised(&self.view).map(|(pack, _)| pack.to_owned()), self.server.packs.clone());
        let others = tokio::task::spawn_blocking(move || {
            pack.map(|pack| builtin::texts_of(&pack, packs.to_path_buf())).unwrap_or_default()
        });
        let others = others.await.unwrap_or_default();
        let (app, booth, id) = (self.server.app.clone(), self.server.booth.clone(), self.view.id.clone());
        let (handset, mut talking) = Talk { app, id, language, others, booth, tell }.begin(place);
        let call = Call { caller: self, handset, started: Instant::now(), seconds: 0.0 };
        call.hold(socket, told, changes, &mut talking).await
    }

    /// Returns when the connection has to end, whatever happens on it.
    async fn has_to_end(&self) -> Ending {
        let Caller { server, who, .. } = self;
        let mut stop = server.stop.clone();
        tokio::select! {
            () = who.clone().until_sent_away(server.app.clone()) => {
                Ending::new(close_code::POLICY, "signed_out", "the sign-in no longer holds")
            }
            _ = stop.changed() => {
                Ending::new(close_code::AWAY, "server_stops", "the server stops; everything is saved")
            }
            () = sleep(server.longest_talk) => {
                Ending::new(close_code::POLICY, "too_long", "this has lasted long enough; everything is saved")
            }
        }
    }

    async fn language(&self) -> Result<String, Failure> {
        let own = self.view.desk.as_ref().and_then(|desk| desk.language.as_deref());
        language::of(&self.server.app, &self.view.learner, own, self.wish.as_deref()).await
    }
}

/// One connection while it lasts.
struct Call<'c> {
    caller: &'c Caller,
    handset: Handset,
    started: Instant,
    /// The length of the sound received so far.
    seconds: f64,
}

impl Call<'_> {
    async fn hold(
        mut self,
        socket: &mut WebSocket,
        mut told: UnboundedReceiver<Told>,
        mut changes: broadcast::Receiver<Change>,
        talking: &mut JoinHandle<Result<Left, Failure>>,
    ) -> Ending {
        let mut has_to_end = pin!(self.caller.has_to_end());
        let mut idle = pin!(sleep(MAX_IDLE));
        let (mut news, mut look) = (0, pin!(sleep(Duration::ZERO)));
        loop {
            tokio::select! {
                message = socket.recv() => {
                    idle.as_mut().reset(Instant::now() + MAX_IDLE);
                    if let Err(ending) = self.take(message) {
                        return ending;
                    }
                }
                Some(told) = told.recv() => {
                    if self.tell(socket, told).await.is_err() {
                        return Ending::gone();
                    }
                }
                Ok(change) = changes.recv() => {
                    if change.instance == self.caller.view.id {
                        news = change.version;
                        look.as_mut().reset(Instant::now() + GRACE);
                    }
                }
                () = &mut look, if news > 0 => {
                    self.handset.is_at(news);
                    news = 0;
                }
                left = &mut *talking => {
                    while let Ok(told) = told.try_recv() {
                        let _ = self.tell(socket, told).await;
                    }
                    let broken = |_| Ending::new(close_code::ERROR, "trouble", "the talk broke off");
                    return left.map_or_else(broken, Ending::of);
                }
                ending = &mut has_to_end => return ending,
                () = &mut idle => {
                    return Ending::new(close_code::POLICY, "idle", "nothing has come for long; everything is saved");
                }
            }
        }
    }

    fn take(&mut self, message: Option<Result<Message, Error>>) -> Result<(), Ending> {
        let too_large = || {
            let why = format!("a message has at most {MAX_MESSAGE} bytes");
            Ending::new(close_code::SIZE, "too_large", why)
        };
        match message {
            Some(Ok(Message::Binary(pcm))) if pcm.len() > MAX_MESSAGE => Err(too_large()),
            Some(Ok(Message::Text(text))) if text.len() > MAX_MESSAGE => Err(too_large()),
            Some(Ok(Message::Binary(pcm))) => self.hear(&pcm),
            Some(Ok(Message::Text(text))) => self.do_as(text.as_str()),
            Some(Ok(Message::Ping(_) | Message::Pong(_))) => Ok(()),
            Some(Ok(Message::Close(_))) | None => Err(Ending::gone()),
            Some(Err(error)) => Err(if is_too_large(error) { too_large() } else { Ending::gone() }),
        }
    }

    fn hear(&mut self, pcm: &[u8]) -> Result<(), Ending> {
        if !pcm.len().is_multiple_of(2) {
            let why = "sound is made of 16-bit samples: an even number of bytes";
            return Err(Ending::new(close_code::INVALID, "bad_sound", why));
        }
        self.seconds += pcm.len() as f64 / 2.0 / f64::from(RATE);
        if self.seconds > self.started.elapsed().as_secs_f64() * MAX_SPEED + HEAD_START {
            let why = format!("sound comes faster than it is spoken; send {RATE} samples a second");
            return Err(Ending::new(close_code::POLICY, "too_fast", why));
        }
        self.handset.wire.hear(pcm);
        Ok(())
    }

    fn do_as(&mut self, text: &str) -> Result<(), Ending> {
        let asked = serde_json::from_str(text).map_err(|_| {
            let why = "text is {\"type\": \"start\"}, or stop, cancel, played";
            Ending::new(close_code::INVALID, "bad_message", why)
        })?;
        match asked {
            Asked::Start | Asked::Cancel => self.handset.wire.hush(),
            Asked::Stop => self.handset.wire.pause(),
            Asked::Played => self.handset.wire.has_played(),
        }
        Ok(())
    }

    async fn tell(&self, socket: &mut WebSocket, told: Told) -> Result<(), Error> {
        let message = match told {
            Told::Sound(wav) => return socket.send(Message::Binary(wav.into())).await,
            Told::Listens => json!({"type": "listening"}),
            Told::Thinks => json!({"type": "thinking"}),
            Told::Heard { text, ms } => json!({"type": "heard", "text": text, "ms": ms}),
            Told::Silence => json!({"type": "silence"}),
            Told::Says { role, text } => json!({"type": "speaking", "role": role, "text": text}),
            Told::Hush => json!({"type": "hush"}),
            Told::Waits => json!({"type": "waiting"}),
            Told::Troubled(trouble) => {
                json!({"type": "trouble", "message": trouble.message, "cure": trouble.cure})
            }
            Told::Turn { text, mut answer } => {
                let (app, wish) = (&self.caller.server.app, self.caller.wish.as_deref());
                if let Err(failure) = language::translate(app, &mut answer, wish).await {
                    tracing::warn!(%failure, "a turn cannot be shown");
                }
                json!({"type": "turn", "text": text, "answer": answer})
            }
        };
        socket.send(Message::Text(message.to_string().into())).await
    }
}

/// Tells the other end why the connection ends, and waits a moment for it to read that.
async fn say_goodbye(mut socket: WebSocket, ending: &Ending) {
    if socket.send(Message::Close(Some(ending.frame()))).await.is_ok() {
        let read = async { while let Some(Ok(_)) = socket.recv().await {} };
        let _ = timeout(GOODBYE, read).await;
    }
}

/// Whether a message is larger than the connection takes.
fn is_too_large(error: Error) -> bool {
    let error = error.into_inner().downcast::<tungstenite::Error>();
    error.is_ok_and(|error| matches!(*error, tungstenite::Error::Capacity(_)))
}
