//! Defines the ids of maps and nodes: UUIDs, written as text.

use super::MapError;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use std::fmt;
use uuid::Uuid;

macro_rules! id {
    ($(#[$meta:meta])* $name:ident) => {
        $(#[$meta])*
        #[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, JsonSchema)]
        #[serde(try_from = "String", into = "String")]
        #[schemars(inline, extend("format" = "uuid"))]
        pub struct $name(Uuid);

        impl $name {
            pub fn new(uuid: Uuid) -> $name {
                $name(uuid)
            }

            pub fn parse(text: &str) -> Result<$name, MapError> {
                Uuid::try_parse(text).map($name).map_err(|_| MapError::not_an_id(text))
            }
        }

        impl fmt::Display for $name {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                self.0.hyphenated().fmt(f)
            }
        }

        impl TryFrom<String> for $name {
            type Error = MapError;

            fn try_from(text: String) -> Result<$name, MapError> {
                $name::parse(&text)
            }
        }

        impl From<$name> for String {
            fn from(id: $name) -> String {
                id.to_string()
            }
        }
    };
}

id! {
    // The id of a map. The flow that teaches the map has the same id.
    MapId
}

id! {
    // The id of a node in its map.
    NodeId
}

impl NodeId {
    /// Returns the id of the node that a concept of a curriculum becomes in a map. It is the same on every call,
    /// and differs between maps.
    pub fn of_concept(map: MapId, concept: &str) -> NodeId {
        NodeId(Uuid::new_v5(&map.0, concept.as_bytes()))
    }
}
