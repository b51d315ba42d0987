//! The settings file of another program, changed in one place and untouched everywhere else.
//!
//! The file is copied beside itself before the first change. If the change is undone and nothing else has
//! changed since, the copy is put back, and the file is the same as before, byte for byte.

use super::json_text;
use serde_json::{Map, Value};
use std::io::ErrorKind;
use std::path::{Path, PathBuf};

/// The largest settings file that is read. Real ones are nowhere near this size.
const MAX_BYTES: u64 = 8 << 20;

#[derive(Debug)]
pub(super) struct SettingsFile {
    path: PathBuf,
    /// Whether a link leads to the file.
    pub is_linked: bool,
    /// The text of the file, if it exists.
    before: Option<String>,
    pub settings: Map<String, Value>,
}

impl SettingsFile {
    /// Reads the file. A missing file has no settings.
    pub(super) fn read(path: &Path) -> Result<SettingsFile, String> {
        let is_linked = path.is_symlink();
        let path = followed(path);
        let unreadable = |why: String| {
            format!(
                "{} cannot be read: {why}; nothing was changed. Repair it, or add the hook by hand",
                path.display()
            )
        };
        let before = match read_bounded(&path) {
            Ok(text) => Some(text),
            Err(error) if error.kind() == ErrorKind::NotFound => None,
            Err(error) => return Err(unreadable(error.to_string())),
        };
        let settings = json_text::parse(before.as_deref().unwrap_or_default())
            .map_err(|error| unreadable(format!("it is not a JSON object ({error})")))?;
        Ok(SettingsFile { path, is_linked, before, settings })
    }

    pub(super) fn path(&self) -> &Path {
        &self.path
    }

    /// Returns the file's new text, in which only the changed settings differ.
    pub(super) fn text(&self) -> String {
        json_text::edited(self.before.as_deref().unwrap_or_default(), &self.settings)
    }

    /// Writes the settings. If the file is still the user's own, keeps a copy of it first.
    pub(super) fn save(&self, is_users: bool) -> Result<(), String> {
        self.check_writable()?;
        // An existing copy dates from before the first change.
        if let Some(before) = self.before.as_ref().filter(|_| is_users && !self.backup().exists()) {
            self.write(&self.backup(), before)?;
        }
        self.write(&self.path, &self.text())
    }

    /// Returns the settings before the first change, if there is a copy of them.
    pub(super) fn original(&self) -> Option<Map<String, Value>> {
        json_text::parse(&read_bounded(&self.backup()).ok()?).ok()
    }

    /// Puts the copy back in place of the file.
    pub(super) fn restore(&self) -> Result<(), String> {
        self.check_writable()?;
        std::fs::rename(self.backup(), &self.path).map_err(|error| self.failed(&self.path, error))
    }

    /// Writes the settings and removes the copy.
    pub(super) fn save_for_good(&self) -> Result<(), String> {
        self.check_writable()?;
        self.write(&self.path, &self.text())?;
        match std::fs::remove_file(self.backup()) {
            Err(error) if error.kind() != ErrorKind::NotFound => Err(self.failed(&self.backup(), error)),
            _ => Ok(()),
        }
    }

    pub(super) fn delete(&self) -> Result<(), String> {
        self.check_writable()?;
        std::fs::remove_file(&self.path).map_err(|error| self.failed(&self.path, error))
    }

    fn backup(&self) -> PathBuf {
        let mut name = self.path.file_name().unwrap_or_default().to_owned();
        name.push(".etude-backup");
        self.path.with_file_name(name)
    }

    /// Refuses a read-only file. A rename could replace it, but its user has locked it.
    fn check_writable(&self) -> Result<(), String> {
        let is_locked = std::fs::metadata(&self.path).is_ok_and(|about| about.permissions().readonly());
        if is_locked {
            Err(self.failed(&self.path, std::io::Error::other("it is read-only")))
        } else {
            Ok(())
        }
    }

    /// Writes a temporary file and renames it, so that no reader ever sees half a file.
    fn write(&self, path: &Path, text: &str) -> Result<(), String> {
        let failed = |error| self.failed(path, error);
        if let Some(folder) = path.parent() {
            std::fs::create_dir_all(folder).map_err(failed)?;
        }
        let mut beside = path.as_os_str().to_owned();
        beside.push(".etude-new");
        std::fs::write(&beside, text).map_err(failed)?;
        if let Ok(about) = std::fs::metadata(&self.path) {
            std::fs::set_permissions(&beside, about.permissions()).map_err(failed)?;
        }
        std::fs::rename(&beside, path).map_err(failed)
    }

    fn failed(&self, path: &Path, error: std::io::Error) -> String {
        format!("{} cannot be written: {error}; check its owner and permissions", path.display())
    }
}

/// Follows links, so that a change goes to the file behind them and does not replace the link.
fn followed(path: &Path) -> PathBuf {
    const MAX_LINKS: usize = 16;
    if let Ok(real) = path.canonicalize() {
        return real;
    }
    // A link to a missing file may lead over further links.
    let next = |path: &PathBuf| {
        let target = std::fs::read_link(path).ok()?;
        Some(path.parent().map_or_else(|| target.clone(), |folder| folder.join(&target)))
    };
    std::iter::successors(Some(path.to_owned()), next)
        .take(MAX_LINKS)
        .last()
        .unwrap_or_else(|| path.to_owned())
}

fn read_bounded(path: &Path) -> std::io::Result<String> {
    if std::fs::metadata(path)?.len() > MAX_BYTES {
        return Err(std::io::Error::other(format!("it has more than {MAX_BYTES} bytes")));
    }
    std::fs::read_to_string(path)
}
