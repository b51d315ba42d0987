//! Tests that the packs shipped with Etude are sound and worth a learner's time.

use std::fs;
use std::path::Path;

use coaching::pack::{self, Pack};

const MIN_ITEMS: usize = 60;

#[test]
fn every_pack_is_sound() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../packs");
    let mut count = 0;
    for entry in fs::read_dir(&folder).unwrap() {
        let path = entry.unwrap().path();
        if path.extension().is_some_and(|extension| extension == "yaml") {
            check(&path);
            count += 1;
        }
    }
    assert!(count > 0, "{} has no packs", folder.display());
}

fn check(path: &Path) {
    let source = fs::read(path).unwrap();
    let name = path.file_name().unwrap().to_str().unwrap();
    let problems: Vec<String> =
        pack::check(&source, name).iter().map(|problem| format!("{name}:{problem}")).collect();
    assert!(problems.is_empty(), "{}", problems.join("\n"));
    let items = Pack::read(&source, name).unwrap().items.len();
    assert!(items >= MIN_ITEMS, "{name} has {items} items, fewer than {MIN_ITEMS}");
}
