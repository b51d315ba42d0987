//! The files of the web page, built from `web/` and embedded into the program.
//!
//! Without Node there is no page: [`WHY_NONE`] says why, and the rest of the program works.

/// A file of the page, as it is served.
#[derive(Debug, Clone, Copy)]
pub struct File {
    /// The path under which the file is served, as in `/assets/index.js`.
    pub path: &'static str,
    pub content_type: &'static str,
    pub bytes: &'static [u8],
    /// The bytes compressed with gzip. Absent if that saves nothing.
    pub gzip: Option<&'static [u8]>,
    /// Whether the name changes with the content, so that it may be kept forever.
    pub is_immutable: bool,
}

include!(concat!(env!("OUT_DIR"), "/files.rs"));

/// Returns the page itself.
pub fn index() -> Option<&'static File> {
    find("/index.html")
}

pub fn find(path: &str) -> Option<&'static File> {
    FILES.iter().find(|file| file.path == path)
}
