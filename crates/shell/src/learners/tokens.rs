//! Issues tokens for several people on one server. A token belongs to a learner or to the owner, has a name and an
//! expiry date, and can be revoked. Only its hash is stored: a copy of the database gives no access.

use super::access::Access;
use super::owners::of_learner;
use crate::engine::app::App;
use crate::engine::clock::iso;
use crate::engine::failure::Failure;
use crate::engine::turn::check_learner;
use coaching::rejected::Rejected;
use serde::{Deserialize, Serialize};
use serde_json::json;
use sha2::{Digest, Sha256};
use store::{At, MAX_LIMIT, Record, RecordChange};

const KIND: &str = "token";
/// The beginning of every token, by which people and scanners recognise one.
const BEGINNING: &str = "etude_";
const SECRET_BYTES: usize = 32;
/// The least time between two notes of a token's use, in milliseconds.
const NOTED_EVERY_MS: i64 = 3_600_000;
const MAX_NAME_CHARS: usize = 80;

/// The stored facts about a token. The token itself is not stored.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Token {
    pub name: String,
    /// The learner it belongs to; `None` for a token of the owner.
    pub learner: Option<String>,
    pub made_at_us: i64,
    pub ends_at_us: i64,
    /// The last use, accurate to about an hour.
    pub used_at_us: Option<i64>,
}

/// A token as it is shown to people.
#[derive(Debug, Serialize)]
pub struct Shown {
    pub name: String,
    pub learner: Option<String>,
    pub made_at: String,
    pub ends_at: String,
    pub used_at: Option<String>,
    pub is_over: bool,
}

/// The access that a token gives, and the key to find the token by.
#[derive(Debug, Clone)]
pub struct Grant {
    pub access: Access,
    pub key: String,
    pub ends_at: At,
}

/// Makes a token from random bytes. It is shown once and cannot be recovered.
pub async fn make(
    app: &App,
    access: Access,
    name: Option<&str>,
    ends_at: At,
    random: [u8; SECRET_BYTES],
) -> Result<(String, Shown), Failure> {
    let now = app.clock.now();
    let learner = access.only().map(str::to_owned);
    learner.as_deref().map_or(Ok(()), check_learner)?;
    let known = all(app).await?;
    let name = match name {
        Some(name) => given_name(&known, name)?,
        None => free_name(&known, learner.as_deref().unwrap_or("owner")),
    };
    let secret = format!("{BEGINNING}{}", hex(&random));
    let scope = learner.as_deref().map(of_learner).unwrap_or_default();
    let token = Token { name, learner, made_at_us: now.0, ends_at_us: ends_at.0, used_at_us: None };
    let change = RecordChange { scope, ..RecordChange::new("", KIND, &hash(&secret), json!(token)) };
    app.store.remember(&[change], now).await?;
    Ok((secret, shown(&token, now)))
}

/// Returns every token by name, including expired ones.
pub async fn list(app: &App) -> Result<Vec<Shown>, Failure> {
    let (mut tokens, now) = (all(app).await?, app.clock.now());
    tokens.sort_by(|a, b| a.1.name.cmp(&b.1.name));
    Ok(tokens.iter().map(|(_, token)| shown(token, now)).collect())
}

/// Revokes a token at once, on every node.
pub async fn revoke(app: &App, name: &str) -> Result<(), Failure> {
    let known = all(app).await?;
    let Some((record, _)) = known.iter().find(|(_, token)| token.name == name) else {
        return Err(Failure::Rejected(Rejected {
            code: "unknown_token",
            message: format!("there is no token called {name:?}").into(),
            cure: "`etude token list` shows them".into(),
        }));
    };
    let gone = RecordChange { body: None, ..RecordChange::new("", KIND, &record.key, "") };
    Ok(app.store.remember(&[gone], app.clock.now()).await?)
}

/// Returns the access that this token gives. An unknown, revoked or expired token gives none.
pub async fn admit(app: &App, secret: &str) -> Result<Option<Grant>, Failure> {
    if !secret.starts_with(BEGINNING) {
        return Ok(None);
    }
    admit_by_key(app, &hash(secret)).await
}

/// Like [`admit`], by the key of a token that was accepted before.
pub async fn admit_by_key(app: &App, key: &str) -> Result<Option<Grant>, Failure> {
    let Some(record) = app.store.record("", KIND, key).await? else { return Ok(None) };
    let Some(token) = read(&record) else { return Ok(None) };
    let now = app.clock.now();
    if token.ends_at_us <= now.0 {
        return Ok(None);
    }
    let ends_at = At(token.ends_at_us);
    let access = token.learner.clone().map_or(Access::Owner, Access::Learner);
    note_use(app, &record, token, now).await?;
    Ok(Some(Grant { access, key: key.to_owned(), ends_at }))
}

/// Notes that a token was used. Replaces only the record that was read, so a token revoked meanwhile stays revoked.
async fn note_use(app: &App, record: &Record, token: Token, now: At) -> Result<(), Failure> {
    let is_noted = token.used_at_us.is_some_and(|at_us| now.0 < At(at_us).plus_ms(NOTED_EVERY_MS).0);
    if !is_noted {
        let used = json!(Token { used_at_us: Some(now.0), ..token }).to_string();
        app.store.swap_record(("", KIND, &record.key), Some(&record.body), (&used, None), now).await?;
    }
    Ok(())
}

async fn all(app: &App) -> Result<Vec<(Record, Token)>, Failure> {
    let records = app.store.records("", KIND, MAX_LIMIT).await?;
    Ok(records.into_iter().filter_map(|record| read(&record).map(|token| (record, token))).collect())
}

fn read(record: &Record) -> Option<Token> {
    serde_json::from_str(&record.body).ok()
}

fn given_name(known: &[(Record, Token)], name: &str) -> Result<String, Failure> {
    let refused = |message: String, cure: &str| {
        let cure = cure.to_owned().into();
        Err(Failure::Rejected(Rejected { code: "bad_name", message: message.into(), cure }))
    };
    let length = name.chars().count();
    if name.trim().is_empty() || length > MAX_NAME_CHARS || name.chars().any(char::is_control) {
        let message = format!("a name has 1 to {MAX_NAME_CHARS} characters and no control characters");
        return refused(message, "call it after the device or the person that uses it");
    }
    if known.iter().any(|(_, token)| token.name == name) {
        return refused(
            format!("there is a token called {name:?} already"),
            "choose another name, or revoke that one",
        );
    }
    Ok(name.to_owned())
}

/// Returns the first free name of `ada`, `ada-2`, `ada-3` …
fn free_name(known: &[(Record, Token)], wish: &str) -> String {
    let is_free = |name: &String| known.iter().all(|(_, token)| token.name != *name);
    let more = (2_u32..).map(|number| format!("{wish}-{number}"));
    std::iter::once(wish.to_owned()).chain(more).find(is_free).unwrap_or_default()
}

fn shown(token: &Token, now: At) -> Shown {
    Shown {
        name: token.name.clone(),
        learner: token.learner.clone(),
        made_at: iso(At(token.made_at_us)),
        ends_at: iso(At(token.ends_at_us)),
        used_at: token.used_at_us.map(|at_us| iso(At(at_us))),
        is_over: token.ends_at_us <= now.0,
    }
}

/// Hashes a secret. It has 256 random bits, so it needs neither salt nor many rounds.
fn hash(secret: &str) -> String {
    hex(&Sha256::digest(secret.as_bytes()))
}

fn hex(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}
