//! The database of a scenario.

use std::path::PathBuf;

/// A database in memory, or in a file if several processes have to find it, one after another or at once.
pub(super) enum Database {
    Memory,
    File(PathBuf),
}

impl Database {
    pub(super) fn file() -> std::io::Result<Database> {
        let folder = std::env::temp_dir().join(format!("etude-scenario-{}", uuid::Uuid::now_v7()));
        std::fs::create_dir_all(&folder)?;
        Ok(Database::File(folder))
    }

    pub(super) fn address(&self) -> String {
        match self {
            Database::Memory => "sqlite::memory:".into(),
            Database::File(folder) => format!("sqlite:{}", folder.join("scenario.db").display()),
        }
    }
}

impl Drop for Database {
    fn drop(&mut self) {
        if let Database::File(folder) = self {
            let _ = std::fs::remove_dir_all(folder);
        }
    }
}
