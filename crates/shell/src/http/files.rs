//! Serves files of a learner: imports packs, curricula, problems and decks of cards, and exports packs.

use super::auth::Who;
use super::problem::ProblemJson;
use super::request::{InPath, InQuery};
use super::serve::Server;
use crate::builtin;
use crate::shelf::{self, Deck, Exported, Kept, Kind, NewDeck, Refused, ending};
use axum::Json;
use axum::body::Bytes;
use axum::extract::State;
use axum::http::{StatusCode, header};
use axum::response::{IntoResponse, Response};
use coaching::pack::PackProblem;
use coaching::pack::cards::Side;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use std::path::Path;

pub(super) const PATH: &str = "/api/files";
/// The largest upload. Larger packages are imported with `etude pack import`.
pub(super) const MAX_BYTES: usize = 64 << 20;
/// The most mistakes, and the most skipped notes, that are listed.
const MAX_SHOWN: usize = 20;

pub(super) const QUERY: &[(&str, &str)] = &[
    ("name", "string"),
    ("language", "string"),
    ("explained_in", "string"),
    ("id", "string"),
    ("title", "string"),
    ("text_side", "string"),
    ("learner", "string"),
    ("replace", "boolean"),
];

/// The name of a file and, for a deck of cards, the settings of its pack.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct About {
    name: String,
    language: Option<String>,
    explained_in: Option<String>,
    id: Option<String>,
    title: Option<String>,
    text_side: Option<SideName>,
    /// The learner that gets the review history.
    learner: Option<String>,
    #[serde(default)]
    replace: bool,
}

#[derive(Debug, Clone, Copy, Deserialize)]
#[serde(rename_all = "snake_case")]
enum SideName {
    Front,
    Back,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct ExportQuery {
    /// `apkg`, `csv` or `tsv`.
    format: Option<String>,
    learner: Option<String>,
}

/// The result of an import.
#[derive(Debug, Default, Serialize, JsonSchema)]
pub(super) struct Taken {
    /// `pack`, `curriculum` or `problem`.
    kind: &'static str,
    /// Its name; the name of the first pack if the cards did not fit into one.
    id: String,
    title: String,
    /// The number of words, concepts or problems in it.
    count: usize,
    /// The number of words that came with a history.
    remembered: usize,
    /// The parts that were left out, with reasons.
    left_out: Vec<String>,
    /// The side of the cards that is learned: `front` or `back`.
    #[serde(skip_serializing_if = "Option::is_none")]
    text_side: Option<&'static str>,
}

/// Imports a file. Its content can be used at once.
pub(super) async fn import(
    State(server): State<Server>,
    who: Who,
    InQuery(about): InQuery<About>,
    body: Bytes,
) -> Result<(StatusCode, Json<Taken>), ProblemJson> {
    let taken = match ending(Path::new(&about.name)).as_str() {
        "yaml" | "yml" => yaml(&server, about, body).await?,
        _ => deck(&server, &who, about, body).await?,
    };
    server.app.flows.renew();
    Ok((StatusCode::CREATED, Json(taken)))
}

async fn yaml(server: &Server, about: About, body: Bytes) -> Result<Taken, ProblemJson> {
    let data = server.data();
    let keep = move || shelf::keep_yaml(&data, bare(&about.name), &body, about.replace);
    let Kept { kind, id, title, count } = apart(keep).await?;
    let kind = match kind {
        Kind::Curriculum => "curriculum",
        Kind::Problem => "problem",
        Kind::Pack | Kind::Patterns => "pack",
    };
    Ok(Taken { kind, id, title, count, ..Taken::default() })
}

async fn deck(server: &Server, who: &Who, about: About, body: Bytes) -> Result<Taken, ProblemJson> {
    let learner = who.access.learner(about.learner.as_deref())?;
    let data = server.data();
    let read = move || {
        let new = NewDeck {
            file: bare(&about.name),
            language: about.language.as_deref().unwrap_or_default(),
            explained_in: about.explained_in.as_deref().unwrap_or("en"),
            id: about.id.as_deref(),
            title: about.title.as_deref(),
            text_side: about.text_side.map(|side| match side {
                SideName::Front => Side::Front,
                SideName::Back => Side::Back,
            }),
        };
        let deck = Deck::read(body.to_vec(), new)?;
        deck.keep(&data, about.replace).map(|_| deck)
    };
    let deck = apart(read).await?;
    let remembered = deck.remember(&server.app.store, &learner, server.app.clock.now()).await?;
    let mut left_out = deck.left_out();
    let count = deck.notes() - left_out.len();
    left_out.truncate(MAX_SHOWN);
    Ok(Taken {
        kind: "pack",
        id: deck.packs().next().unwrap_or_default().to_owned(),
        title: deck.title.clone(),
        count,
        remembered,
        left_out,
        text_side: Some(if deck.side == Side::Front { "front" } else { "back" }),
    })
}

/// Exports a pack as a file for other programs, with the learner's history if the format has a place for it.
pub(super) async fn export(
    State(server): State<Server>,
    who: Who,
    InPath(id): InPath,
    InQuery(query): InQuery<ExportQuery>,
) -> Result<Response, ProblemJson> {
    let learner = who.access.learner(query.learner.as_deref())?;
    let format = query.format.unwrap_or_else(|| "apkg".to_owned());
    let data = server.data();
    let packs = builtin::packs(Some(data.join("packs")));
    let Some(pack) = packs.iter().find(|pack| pack.id == id) else {
        let known: Vec<&str> = packs.iter().map(|pack| pack.id.as_str()).collect();
        let cure = format!("these are there: {}", known.join(", "));
        return Err(ProblemJson::new(
            StatusCode::NOT_FOUND,
            "unknown_pack",
            format!("there is no pack `{id}`"),
            &cure,
        ));
    };
    let (store, now) = (&server.app.store, server.app.clock.now());
    let exported = shelf::export(&data, store, (pack, &learner), &format, now).await;
    let Exported { bytes, .. } = exported.map_err(refusal)?;
    let name = format!("attachment; filename=\"{id}.{format}\"");
    let about =
        [(header::CONTENT_DISPOSITION, name), (header::CONTENT_TYPE, "application/octet-stream".to_owned())];
    Ok((about, bytes).into_response())
}

/// Does work on a thread for blocking calls: reading a deck takes a moment, and so does the disk.
async fn apart<T: Send + 'static>(
    work: impl FnOnce() -> Result<T, Refused> + Send + 'static,
) -> Result<T, ProblemJson> {
    let done = tokio::task::spawn_blocking(work).await;
    done.unwrap_or_else(|_| {
        Err(Refused::File("this file is damaged in a way that Etude did not expect".to_owned()))
    })
    .map_err(refusal)
}

/// Returns the last part of a file name; some browsers send the whole path.
fn bare(name: &str) -> &str {
    name.rsplit(['/', '\\']).next().unwrap_or(name)
}

fn refusal(refused: Refused) -> ProblemJson {
    let bad = |title: String, cure: &str| {
        ProblemJson::new(StatusCode::UNPROCESSABLE_ENTITY, "bad_file", title, cure)
    };
    let taken = |title: String, cure: &str| ProblemJson::new(StatusCode::CONFLICT, "name_taken", title, cure);
    match refused {
        Refused::File(message) => bad(message, "nothing was taken in; docs/packs.md says what can be"),
        Refused::Mistakes(problems) => {
            bad(listed(&problems, PackProblem::to_string), "correct them and try again; nothing was taken in")
        }
        Refused::Head(problems) => {
            bad(listed(&problems, by_field), "correct it and try again; nothing was taken in")
        }
        Refused::Shipped(id) => taken(format!("`{id}` ships with Etude"), "give yours another name"),
        Refused::Taken(path) => {
            let id = path.file_stem().unwrap_or_default().to_string_lossy();
            taken(
                format!("`{id}` is there already"),
                "give yours another name, or replace the one that is there",
            )
        }
        Refused::Disk(error) => {
            let cure = "look at the permissions and the free space of the data folder";
            let title = format!("the data folder cannot be written: {error}");
            ProblemJson::new(StatusCode::INSUFFICIENT_STORAGE, "not_kept", title, cure)
        }
        Refused::Store(error) => error.into(),
    }
}

fn listed(problems: &[PackProblem], line: fn(&PackProblem) -> String) -> String {
    let more = problems.len().saturating_sub(MAX_SHOWN);
    let more = (more > 0).then(|| format!("… and {more} more"));
    problems.iter().take(MAX_SHOWN).map(line).chain(more).collect::<Vec<_>>().join("\n")
}

/// Describes a problem in the head of the new pack by its field. The line number stands for the field.
fn by_field(problem: &PackProblem) -> String {
    let fields = ["id", "title", "language", "explained_in"];
    let PackProblem { message, cure, .. } = problem;
    match (problem.line as usize).checked_sub(1).and_then(|line| fields.get(line)) {
        Some(field) => format!("`{field}`: {message} ({cure})"),
        None => problem.to_string(),
    }
}
