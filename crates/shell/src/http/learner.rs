//! Serves a learner's own affairs: how they are taught and reached, a copy of everything kept about them, and its
//! deletion.

use super::auth::Who;
use super::faces::wish;
use super::problem::ProblemJson;
use super::request::{self, InPath};
use super::serve::Server;
use crate::effects::words;
use crate::engine::clock::timestamp;
use crate::learners::rights::{self, Deletion};
use crate::learners::{language, profiles};
use axum::Json;
use axum::body::Bytes;
use axum::extract::State;
use axum::http::{HeaderMap, StatusCode, header};
use axum::response::{IntoResponse, Response};
use coaching::learner::Profile;
use outside::model;
use outside::notify::{Channel, Message};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value, json};
use uuid::Uuid;

#[derive(Debug, Serialize, JsonSchema)]
pub(super) struct Settings {
    profile: Profile,
    /// The channels that this server has.
    channels: Vec<String>,
    /// The model that this server asks, if it has one.
    model: Option<String>,
}

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(transparent)]
pub(super) struct Changes(#[schemars(schema_with = "Profile::changes")] Map<String, Value>);

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct TestBody {
    /// `telegram` or `email`.
    channel: String,
}

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct DeleteBody {
    /// The learner once more, so that nothing is deleted by accident.
    learner: String,
}

/// The result of a test.
#[derive(Debug, Serialize, JsonSchema)]
pub(super) struct Tested {
    ok: bool,
    findings: Vec<String>,
}

pub(super) async fn settings(
    State(server): State<Server>,
    who: Who,
    InPath(learner): InPath,
) -> Result<Json<Settings>, ProblemJson> {
    let learner = who.access.learner(Some(&learner))?;
    let profile = profiles::read(&server.app.store, &learner).await?;
    Ok(Json(Settings {
        profile,
        channels: channels(&server),
        model: server.tester.as_ref().map(|tester| name(tester.model())),
    }))
}

pub(super) async fn change(
    state: State<Server>,
    who: Who,
    InPath(learner): InPath,
    headers: HeaderMap,
    body: Bytes,
) -> Result<Json<Settings>, ProblemJson> {
    let Changes(changes) = request::read(&headers, &body)?;
    let learner = who.access.learner(Some(&learner))?;
    let app = &state.app;
    let set = |profile: &mut Profile| profile.set_fields(&changes);
    if let Err(failure) = profiles::change(&app.store, &learner, app.clock.now(), set).await {
        return Err(language::told(app, failure, &learner, wish(&headers)).await.into());
    }
    settings(state, who, InPath(learner)).await
}

pub(super) async fn export(
    State(server): State<Server>,
    who: Who,
    InPath(learner): InPath,
) -> Result<Response, ProblemJson> {
    let learner = who.access.learner(Some(&learner))?;
    let all = rights::export(&server.app, &learner).await?;
    let about = [(header::CONTENT_DISPOSITION, "attachment; filename=\"etude-export.json\"")];
    Ok((about, Json(all)).into_response())
}

pub(super) async fn delete(
    State(server): State<Server>,
    who: Who,
    InPath(learner): InPath,
    headers: HeaderMap,
    body: Bytes,
) -> Result<Json<Value>, ProblemJson> {
    let learner = who.access.learner(Some(&learner))?;
    let again: DeleteBody = request::read(&headers, &body)?;
    if again.learner != learner {
        let title = "the name does not match; nothing was deleted";
        let cure = "give the learner in the body as in the path";
        return Err(ProblemJson::new(StatusCode::UNPROCESSABLE_ENTITY, "not_confirmed", title, cure));
    }
    let Deletion { flows, records, .. } = rights::delete(&server.app, &learner).await?;
    Ok(Json(json!({"flows": flows, "records": records})))
}

/// Sends a message to the learner, to see whether it arrives.
pub(super) async fn test_channel(
    State(server): State<Server>,
    who: Who,
    InPath(learner): InPath,
    headers: HeaderMap,
    body: Bytes,
) -> Result<Json<Tested>, ProblemJson> {
    let learner = who.access.learner(Some(&learner))?;
    let TestBody { channel } = request::read(&headers, &body)?;
    let profile = profiles::read(&server.app.store, &learner).await?;
    let (channel, to) = match channel.as_str() {
        "telegram" => (Channel::Telegram, profile.telegram_chat.map(|chat| chat.to_string())),
        "email" => (Channel::Email, profile.email),
        _ => {
            let cure = "write `telegram` or `email`";
            return Err(ProblemJson::new(
                StatusCode::UNPROCESSABLE_ENTITY,
                "unknown_channel",
                "there is no such channel",
                cure,
            ));
        }
    };
    let Some(to) = to else {
        let (title, cure) = (
            "no address is known for this channel",
            "enter it in the settings, or link the chat with `etude learner link`",
        );
        return Err(ProblemJson::new(StatusCode::UNPROCESSABLE_ENTITY, "no_address", title, cure));
    };
    let language = language::of(&server.app, &learner, None, None).await?;
    let text = server.app.words.say(&language, &words::test());
    let message = Message { subject: Some("Etude".to_owned()), ..Message::send(channel, to, text) };
    let sent = match &server.app.notifier {
        Some(notifier) => {
            notifier
                .deliver(&format!("test-{}", Uuid::now_v7()), &message, timestamp(server.app.clock.now()))
                .await
        }
        None => {
            return Ok(Json(Tested { ok: false, findings: vec!["this server has no channels".to_owned()] }));
        }
    };
    Ok(Json(match sent {
        Ok(_) => Tested { ok: true, findings: Vec::new() },
        Err(trouble) => Tested { ok: false, findings: vec![trouble.to_string()] },
    }))
}

/// Asks the model a small question, to see whether it answers.
pub(super) async fn test_model(State(server): State<Server>) -> Result<Json<Tested>, ProblemJson> {
    let Some(tester) = &server.tester else {
        let cure = "write `[model]` into the settings file (docs/model.md), then start the server again";
        return Err(ProblemJson::new(StatusCode::NOT_FOUND, "no_model", "no model is configured", cure));
    };
    let findings = model::probe(tester.model(), timestamp(server.app.clock.now())).await;
    tester.save_books(&server.app).await;
    let ok = findings.iter().all(|finding| finding.level != outside::Level::Problem);
    Ok(Json(Tested { ok, findings: findings.iter().map(|finding| finding.what.clone()).collect() }))
}

fn channels(server: &Server) -> Vec<String> {
    let has = |channel| server.app.notifier.as_ref().is_some_and(|notifier| notifier.has(channel));
    let known = [("telegram", Channel::Telegram), ("email", Channel::Email)];
    known.into_iter().filter(|(_, channel)| has(*channel)).map(|(name, _)| name.to_owned()).collect()
}

fn name(model: &model::Model) -> String {
    let config = model.config();
    format!("{} ({})", config.model, config.base_url)
}
