//! Where the database of a scenario lives.

use std::path::PathBuf;

/// In memory, unless several processes are to find it, one after another or at once.
pub(super) enum Place {
    Memory,
    File(PathBuf),
}

impl Place {
    pub(super) fn file() -> std::io::Result<Place> {
        let folder = std::env::temp_dir().join(format!("etude-scenario-{}", uuid::Uuid::now_v7()));
        std::fs::create_dir_all(&folder)?;
        Ok(Place::File(folder))
    }

    pub(super) fn address(&self) -> String {
        match self {
            Place::Memory => "sqlite::memory:".into(),
            Place::File(folder) => format!("sqlite:{}", folder.join("scenario.db").display()),
        }
    }
}

impl Drop for Place {
    fn drop(&mut self) {
        if let Place::File(folder) = self {
            let _ = std::fs::remove_dir_all(folder);
        }
    }
}
