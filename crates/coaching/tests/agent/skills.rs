//! Tests of skills as data: the shipped ones and those of a user's own file.

use coaching::agent::{detect_skill, read_skills, shipped_skills};

#[test]
fn a_skill_is_found_by_its_trigger_or_by_the_phase() {
    let skills = shipped_skills();
    for (text, phase, expected) in [
        ("Running /do-build now", None, Some("/do-build")),
        ("(`/do-test`, then more)", None, Some("/do-test")),
        ("I called /DO-PLAN.", None, Some("/do-plan")),
        ("nothing here", Some("document"), Some("/do-docs")),
        ("nothing here", Some("Plan"), Some("/do-plan")),
        ("/do-test it", Some("plan"), Some("/do-test")),
        ("see commands/do-build.md", None, None),
        ("/do-builder", None, None),
        ("/do-build-all", None, None),
        ("do-build", None, None),
        ("the build is slow", None, None),
        ("[System Coach] Go on with /do-build.", None, None),
        ("ok\n[System Coach] use /do-build", Some("test"), Some("/do-test")),
        ("/do-plan first. [System Coach] use /do-build", None, Some("/do-plan")),
    ] {
        let found = detect_skill(text, phase, &skills).map(|skill| skill.trigger.as_str());
        assert_eq!(found, expected, "{text:?} in {phase:?}");
    }
}

#[test]
fn a_file_of_skills_is_read_or_refused_with_places() {
    let own = read_skills("skills:\n  - {trigger: /ship, phase: release, evidence: the tag}\n").unwrap();
    assert_eq!((own.len(), own[0].trigger.as_str(), own[0].evidence.as_str()), (1, "/ship", "the tag"));
    let long = "e".repeat(300);
    for (source, line, message) in [
        ("skills:\n  - {trigger: '', phase: p, evidence: e}", 2, "“trigger” is empty"),
        ("skills:\n  - {trigger: a b, phase: p, evidence: e}", 2, "more than one word"),
        (
            "skills:\n  - {trigger: /a, phase: p, evidence: e}\n  - {trigger: /a, phase: q, evidence: e}",
            3,
            "twice",
        ),
        (
            &format!("skills:\n  - {{trigger: /a, phase: p, evidence: {long}}}"),
            2,
            "longer than 200 characters",
        ),
        ("skills:\n  - {trigger: /a, phase: p}", 2, "evidence"),
        ("skills:\n  - {trigger: /a, phase: p, evidence: e, more: x}", 2, "more"),
        ("skills: [", 1, ""),
        ("", 0, ""),
    ] {
        let problems = read_skills(source).unwrap_err();
        assert!(problems[0].message.contains(message), "{source:?}: {problems:?}");
        assert!(problems[0].line >= line.min(1) && !problems[0].cure.is_empty(), "{source:?}: {problems:?}");
        if !message.is_empty() {
            assert_eq!(problems[0].line, line, "{source:?}: {problems:?}");
        }
    }
}

#[test]
fn every_problem_of_a_file_is_told_at_once() {
    let source =
        "skills:\n  - {trigger: '', phase: a b, evidence: ''}\n  - {trigger: /x, phase: p, evidence: ' '}\n";
    assert_eq!(read_skills(source).unwrap_err().len(), 4);
    let many: String =
        (0..=100).map(|n| format!("  - {{trigger: /t{n}, phase: p, evidence: e}}\n")).collect();
    assert!(read_skills(&format!("skills:\n{many}")).unwrap_err()[0].message.contains("has 101 entries"));
    assert!(read_skills(&"#".repeat(70_000)).is_err());
}
