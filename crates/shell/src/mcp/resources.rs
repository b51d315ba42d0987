//! Offers resources that a client may read and show without calling a tool: maps, pictures of them, their numbers,
//! curricula.

use super::tool::Caller;
use crate::engine::failure::Failure;
use crate::engine::look::look;
use coaching::map::Format;
use coaching::teach::looks;
use rmcp::ErrorData;
use rmcp::model::{ReadResourceResult, Resource, ResourceContents, ResourceTemplate};
use serde_json::json;

/// The most resources in a list; clients find the others by their templates.
const MAX_LISTED: usize = 500;
const JSON: &str = "application/json";
const MERMAID: &str = "text/vnd.mermaid";

/// The target of a resource's address.
enum Named<'a> {
    Map(&'a str),
    Picture(&'a str),
    Analytics(&'a str),
    Curriculum(&'a str),
}

pub async fn list(caller: &Caller) -> Result<Vec<Resource>, Failure> {
    let maps = look(&caller.app, caller.access.usual(), looks::headers).await?.into_iter().map(|header| {
        Resource::new(format!("etude://maps/{}", header.mind_map_id), format!("map {}", header.mind_map_id))
            .with_title(header.title)
            .with_description("A map of concepts with how well the learner knows each")
            .with_mime_type(JSON)
    });
    let curricula = looks::curricula(&caller.app.flows.curricula.get()).into_iter().map(|curriculum| {
        Resource::new(format!("etude://curricula/{}", curriculum.id), format!("curriculum {}", curriculum.id))
            .with_title(curriculum.title)
            .with_description(curriculum.about)
            .with_mime_type(JSON)
    });
    Ok(curricula.chain(maps).take(MAX_LISTED).collect())
}

pub fn templates() -> Vec<ResourceTemplate> {
    let template = |uri: &str, name: &str, title: &str, kind: &str| {
        ResourceTemplate::new(uri, name).with_title(title).with_mime_type(kind)
    };
    vec![
        template("etude://maps/{id}", "map", "A map of concepts with how well the learner knows each", JSON),
        template(
            "etude://maps/{id}/mermaid",
            "map picture",
            "A map of concepts as a Mermaid diagram",
            MERMAID,
        ),
        template(
            "etude://analytics/{id}",
            "analytics",
            "The numbers of a course: mastery, velocity, retention",
            JSON,
        ),
        template(
            "etude://curricula/{id}",
            "curriculum",
            "What Etude teaches on a subject, without the answers",
            JSON,
        ),
    ]
}

pub async fn read(caller: &Caller, uri: &str) -> Result<ReadResourceResult, ErrorData> {
    let unknown =
        || ErrorData::resource_not_found("there is no such resource", Some(json!({"uri": short(uri)})));
    let (text, kind) = match named(uri).ok_or_else(unknown)? {
        Named::Map(id) => (map(caller, id).await, JSON),
        Named::Picture(id) => (picture(caller, id).await, MERMAID),
        Named::Analytics(id) => (numbers(caller, id).await, JSON),
        Named::Curriculum(id) => (Ok(curriculum(caller, id).ok_or_else(unknown)?), JSON),
    };
    let text = text.map_err(|failure| match failure {
        Failure::UnknownInstance { .. } => unknown(),
        failure => ErrorData::internal_error(failure.to_string(), None),
    })?;
    Ok(ReadResourceResult::new(vec![ResourceContents::text(text, uri).with_mime_type(kind)]))
}

fn named(uri: &str) -> Option<Named<'_>> {
    let mut parts = uri.strip_prefix("etude://")?.split('/');
    match (parts.next()?, parts.next()?, parts.next(), parts.next()) {
        ("maps", id, None, None) => Some(Named::Map(id)),
        ("maps", id, Some("mermaid"), None) => Some(Named::Picture(id)),
        ("analytics", id, None, None) => Some(Named::Analytics(id)),
        ("curricula", id, None, None) => Some(Named::Curriculum(id)),
        _ => None,
    }
}

async fn map(caller: &Caller, id: &str) -> Result<String, Failure> {
    let atlas = look(&caller.app, caller.access.usual(), |shelf| looks::atlas(shelf, id)).await?;
    let (map, nodes, edges) = (&atlas.header, atlas.nodes(), atlas.map.edges());
    Ok(json!({"map": map, "nodes": nodes, "edges": edges}).to_string())
}

async fn picture(caller: &Caller, id: &str) -> Result<String, Failure> {
    let atlas = look(&caller.app, caller.access.usual(), |shelf| looks::atlas(shelf, id)).await?;
    Ok(atlas.export(Format::Mermaid))
}

async fn numbers(caller: &Caller, id: &str) -> Result<String, Failure> {
    let numbers = look(&caller.app, caller.access.usual(), |shelf| looks::numbers(shelf, id)).await?;
    Ok(json!(numbers).to_string())
}

/// Returns the lessons of a curriculum without the questions: a reader should not see the answers before they are
/// asked.
fn curriculum(caller: &Caller, id: &str) -> Option<String> {
    let curricula = caller.app.flows.curricula.get();
    let curriculum = curricula.iter().find(|curriculum| curriculum.id == id)?;
    let concepts = curriculum.concepts.iter().map(|concept| {
        json!({
            "id": concept.id, "title": concept.title, "needs": concept.needs, "related": concept.related,
            "minutes": concept.minutes, "explain": concept.explain, "example": concept.example,
            "again": concept.again,
        })
    });
    let concepts: Vec<_> = concepts.collect();
    let json = json!({
        "id": curriculum.id, "title": curriculum.title, "language": curriculum.language,
        "about": curriculum.about, "concepts": concepts,
    });
    Some(json.to_string())
}

fn short(uri: &str) -> String {
    uri.chars().take(200).collect()
}
