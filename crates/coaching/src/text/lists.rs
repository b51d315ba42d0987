//! Reads word lists in files. `[name]` begins a list, commas and line ends separate its entries, and `#` begins a
//! comment.

/// Returns the lists of a file in their order, each with its name.
pub(crate) fn lists(file: &'static str) -> impl Iterator<Item = (&'static str, Vec<&'static str>)> {
    file.split("\n[").skip(1).map(|section| {
        let (name, lines) = section.split_once(']').unwrap_or((section, ""));
        let words = lines.lines().filter(|line| !line.starts_with('#')).flat_map(|line| line.split(','));
        (name, words.map(str::trim).filter(|entry| !entry.is_empty()).collect())
    })
}
