//! Tests of configured languages and of the isolation report.

use crate::{settings, tests};
use coaching::judging::Verdict;
use judge::{Judge, Language, Level, Limits, Options, Settings};

#[test]
fn a_language_is_data() {
    let language: Language = serde_json::from_value(serde_json::json!({
        "name": "shell",
        "program": "sh",
        "file": "solution.sh",
        "run": ["{program}", "{room}/solution.sh"],
        "install": "install a shell",
    }))
    .expect("a language");
    let options = Options { languages: vec![language], ..Options::default() };
    let judge = Judge::open(Settings { options, ..settings() });
    let stdin = tests(r#"{"tests": [{"stdin": "7", "expected": "got 7"}]}"#);
    let report = judge.run("shell", "read x; echo got $x", &stdin, &Limits::default());
    assert_eq!(report.verdict, Verdict::Accepted, "{report:?}");
    let call = tests(r#"{"function": "f", "tests": [{"args": [1], "expected": 1}]}"#);
    let report = judge.run("shell", "", &call, &Limits::default());
    assert_eq!(report.verdict, Verdict::InternalError);
    assert!(report.message.unwrap_or_default().contains("with standard input only"));
}

#[test]
fn the_level_is_reported_with_its_layers() {
    let isolation = crate::judge().isolation().clone();
    println!("{isolation:#?}");
    assert!(isolation.level > Level::None, "{isolation:?}");
    for name in ["namespaces", "landlock", "seccomp", "limits", "cgroup"] {
        let layer = isolation.layer(name).unwrap_or_else(|| panic!("{name}"));
        assert!(!layer.note.is_empty());
    }
    assert_eq!(isolation.cure.is_none(), isolation.level == Level::Full);
}
