//! Runs every feature file of the project with the program itself.

use std::path::Path;
use std::process::Command;

#[test]
fn every_scenario_passes() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let output = Command::new(env!("CARGO_BIN_EXE_etude"))
        .arg("test")
        .args([root.join("examples"), root.join("crates/coaching/src")])
        .output()
        .expect("the program starts");
    let said = String::from_utf8_lossy(&output.stdout);
    println!("{said}");
    assert!(output.status.success(), "{said}\n{}", String::from_utf8_lossy(&output.stderr));
    assert!(said.lines().filter(|line| line.contains('✓')).count() >= 150, "scenarios are missing: {said}");
}
