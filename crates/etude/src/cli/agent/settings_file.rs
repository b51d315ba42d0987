//! The settings file of another program: changed in one place, kept as it is everywhere else.
//!
//! Before the first change the file is copied beside itself. When a change is undone and nothing else has changed in
//! between, the copy is put back and the file is the same as before, byte for byte.

use super::json_text;
use serde_json::{Map, Value};
use std::io::ErrorKind;
use std::path::{Path, PathBuf};

/// No settings file is anywhere near this.
const MAX_BYTES: u64 = 8 << 20;

#[derive(Debug)]
pub(super) struct SettingsFile {
    path: PathBuf,
    /// The text of the file, if it is there.
    before: Option<String>,
    pub settings: Map<String, Value>,
}

impl SettingsFile {
    /// Reads the file. One that is not there has no settings.
    pub(super) fn read(path: &Path) -> Result<SettingsFile, String> {
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
        Ok(SettingsFile { path, before, settings })
    }

    pub(super) fn path(&self) -> &Path {
        &self.path
    }

    /// The settings as they are written into the file: every byte that does not have to change stays.
    pub(super) fn text(&self) -> String {
        json_text::edited(self.before.as_deref().unwrap_or_default(), &self.settings)
    }

    /// Writes the settings, and a copy of the file as it was if that is what the user had.
    pub(super) fn save(&self, is_users: bool) -> Result<(), String> {
        self.check_writable()?;
        // A copy that is there already is from before the first change.
        if let Some(before) = self.before.as_ref().filter(|_| is_users && !self.backup().exists()) {
            self.write(&self.backup(), before)?;
        }
        self.write(&self.path, &self.text())
    }

    /// The settings before the first change, where a copy of them is kept.
    pub(super) fn original(&self) -> Option<Map<String, Value>> {
        json_text::parse(&read_bounded(&self.backup()).ok()?).ok()
    }

    /// Puts the copy back in the place of the file.
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

    /// A file that its user has locked is not replaced, though its folder would allow that.
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

/// A link is followed, so that the file it points to is changed, or made, and not the link.
fn followed(path: &Path) -> PathBuf {
    const MAX_LINKS: usize = 16;
    if let Ok(real) = path.canonicalize() {
        return real;
    }
    // A link to a file that is not there yet may lead over other links.
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
