//! Pins every notation as a snapshot. `INSTA_UPDATE=always` accepts a change.

use crate::export::laws;
use flow::{Format, Machine, Name, export};

fn check(law: &str, machine: &Machine) {
    let mut settings = insta::Settings::clone_current();
    settings.set_snapshot_path("../snapshots");
    settings.set_prepend_module_to_snapshot(false);
    settings.set_omit_expression(true);
    settings.bind(|| {
        for format in Format::ALL.iter().filter(|format| **format != Format::XstateSetup) {
            insta::assert_snapshot!(format!("{law}.{}", format.ending()), export(machine, *format));
        }
    });
}

#[test]
fn a_tiny_law() {
    check("traffic", &laws::traffic());
}

#[test]
fn a_law_with_every_feature() {
    check("lesson", &laws::lesson());
}

#[test]
fn a_law_with_hard_names() {
    check("odd", &laws::odd());
}

#[test]
fn a_law_with_boxes() {
    check("parts", &laws::parts());
}

#[test]
fn formats_are_found_by_their_names() {
    for format in Format::ALL {
        assert_eq!(Format::parse(&format.name().to_uppercase()), Some(*format));
    }
    assert_eq!(Format::parse("svg"), None);
}
