//! Serves the webhook for Telegram. It uses no token of this server; it authenticates with its own secret.

use super::problem::ProblemJson;
use super::serve::Server;
use crate::chat;
use axum::body::Bytes;
use axum::extract::State;
use axum::http::{HeaderMap, StatusCode};
use axum::response::{IntoResponse, Response};
use outside::notify::{NotTelegram, WEBHOOK_SECRET_HEADER, read_webhook};

pub(super) const PATH: &str = "/telegram";

/// Takes an update. Answers with success only once the update is taken; otherwise Telegram sends it again.
pub(super) async fn take(State(server): State<Server>, headers: HeaderMap, body: Bytes) -> Response {
    let Some(bot) = server.bot.as_ref().filter(|bot| bot.webhook_url.is_some()) else {
        return refused(StatusCode::NOT_FOUND, "no_webhook", "no webhook is configured here");
    };
    let header = headers.get(WEBHOOK_SECRET_HEADER).map(|value| value.as_bytes());
    match read_webhook(bot.secret(), header, &body) {
        Err(error @ NotTelegram::WrongSecret) => {
            refused(StatusCode::UNAUTHORIZED, "wrong_secret", &error.to_string())
        }
        Err(error @ NotTelegram::Unreadable) => {
            refused(StatusCode::BAD_REQUEST, "not_an_update", &error.to_string())
        }
        Ok(update) => match chat::take_brought(&server.app, bot, &update).await {
            Ok(()) => StatusCode::OK.into_response(),
            Err(failure) => ProblemJson::from(failure).into_response(),
        },
    }
}

fn refused(status: StatusCode, code: &'static str, title: &str) -> Response {
    ProblemJson::new(status, code, title, "`docs/notify.md` says how a bot is set up").into_response()
}
