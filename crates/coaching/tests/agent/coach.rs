//! The tiers and the plan's criteria.

use coaching::agent::{
    ClassificationResult, CoachContext, Coaching, MAX_MESSAGE_CHARS, PREFIX, Plan, Playbook, Run, Signals,
    Stopped, Templates, Tier, Todo, Work, build_coaching_message, classify, criteria, success_criteria,
};

fn stop(text: &str) -> Stopped {
    Stopped { text: text.to_owned(), ..Stopped::default() }
}

fn by_model(text: &str, coaching: Option<&str>) -> ClassificationResult {
    ClassificationResult {
        coaching_message: coaching.map(str::to_owned),
        ..classify(text, &Signals::default())
    }
}

fn told(
    result: &ClassificationResult,
    stop: &Stopped,
    phase: Option<&str>,
    prompt: Option<&str>,
) -> Option<Coaching> {
    let playbook = Playbook::shipped();
    build_coaching_message(result, &CoachContext { stop, prompt, task: None, phase, playbook: &playbook })
}

#[test]
fn the_first_tier_with_something_to_say_wins() {
    for (text, coaching, phase, tier) in [
        ("Done.", Some("Show what the importer does."), None, Some(Tier::Model)),
        ("Done.", Some("  "), None, Some(Tier::Rejection)),
        ("Done.", None, Some("build"), Some(Tier::Rejection)),
        ("Next I'll run /do-test.", None, None, Some(Tier::Skill)),
        ("Let me run the tests next.", None, Some("test"), Some(Tier::Skill)),
        ("Let me run the tests next.", None, Some("holiday"), Some(Tier::Skill)),
        ("Working on it, 40% complete", None, None, None),
        ("I'll continue.", None, None, None),
    ] {
        let told = told(&by_model(text, coaching), &stop(text), phase, None);
        assert_eq!(told.as_ref().map(|told| told.tier), tier, "{text:?} {told:?}");
        let Some(told) = told else { continue };
        assert!(told.message.starts_with("[System Coach] "), "{told:?}");
        assert!(told.message.chars().count() <= MAX_MESSAGE_CHARS, "{told:?}");
    }
}

#[test]
fn a_plain_continue_is_a_setting_and_needs_an_agent_that_goes_on() {
    for (text, expected) in
        [("Working on it, 40% complete", Some("continue")), ("The parser was hard.", None)]
    {
        let stop = Stopped { plain_continue: true, ..stop(text) };
        let told = told(&by_model(text, None), &stop, None, None);
        assert_eq!(told.map(|told| told.message).as_deref(), expected, "{text}");
    }
}

#[test]
fn a_rejection_names_what_is_missing() {
    for (text, expected) in [
        ("Done.", "You say “Done.”, but nothing in your message shows it"),
        ("I've fixed it in `auth.ts`. It should work now.", "You say “It should work now.”"),
        ("All done, apart from a permission denied on the log folder.", "permission error"),
        ("Finished, although I was rate limited on the last call.", "rate limit"),
        ("Done; the upload said 401 unauthorized.", "failed login"),
    ] {
        let rejected = ClassificationResult {
            was_rejected_completion: true,
            output_type: coaching::agent::OutputType::Status,
            ..by_model(text, None)
        };
        let told = told(&rejected, &stop(text), None, None).expect(text);
        assert_eq!(told.tier, Tier::Rejection);
        assert!(told.message.contains(expected), "{text:?}: {}", told.message);
        let asks_for_more = ["commit", "run the tests"].iter().any(|demand| told.message.contains(demand));
        assert!(!asks_for_more, "nobody asked for that: {}", told.message);
    }
}

#[test]
fn what_was_seen_counts_for_more_than_what_was_said() {
    let run = |command: &str, failed: bool, output: &str| Run::of(command, Some(failed), output);
    let todo = |text: &str, is_done: bool| Todo { text: text.to_owned(), is_done, is_begun: false };
    let changed =
        |runs: Vec<Run>| Work { changed: vec!["src/a.rs".to_owned()], calls: 3, runs, ..Work::default() };
    let listed = Work {
        todos: vec![todo("write the parser", true), todo("write the importer", false)],
        calls: 2,
        ..Work::default()
    };
    for (text, work, expected) in [
        ("Done. All tests pass.", changed(vec![]), Some("no test was run after you last changed src/a.rs")),
        ("Done. All tests pass.", changed(vec![run("cargo test", false, "12 passed")]), None),
        (
            "Done. All tests pass.",
            changed(vec![run("echo '12 tests passed'", false, "12 tests passed")]),
            Some("no test"),
        ),
        (
            "Done. All tests pass.",
            changed(vec![run("cargo test || true", false, "3 passed; 2 failed")]),
            Some("cargo test"),
        ),
        ("All 12 tests passed, committed abc1234", listed, Some("- write the importer")),
        ("Done.", Work::default(), Some("no tool was used")),
    ] {
        let stop = Stopped { work: Some(work), ..stop(text) };
        let told = told(&by_model(text, None), &stop, None, None).map(|told| told.message);
        match expected {
            Some(expected) => {
                assert!(told.as_ref().is_some_and(|told| told.contains(expected)), "{text}: {told:?}")
            }
            None => assert_eq!(told, None, "{text}"),
        }
    }
}

#[test]
fn only_real_runs_are_tests() {
    for (command, is_check, is_test) in [
        ("cargo test -p x", true, true),
        ("cd web && npm run test:unit", true, true),
        ("python -m pytest -q tests/", true, true),
        ("CI=1 npx vitest run", true, true),
        ("./scripts/run-tests.sh", true, true),
        ("cargo clippy --all-targets", true, false),
        ("make", false, false),
        ("cat tests/a.py", false, false),
        ("grep -rn test src", false, false),
        ("git commit -m 'all tests pass'", false, false),
        ("echo \"12 passed\" # cargo test", false, false),
        ("cargo test --no-run", false, false),
        ("pytest --collect-only", false, false),
    ] {
        let run = Run::of(command, Some(false), "");
        assert_eq!((run.is_check, run.is_test), (is_check, is_test), "{command}");
    }
    let hidden = |command: &str, output: &str| Run::of(command, Some(false), output).has_failed;
    assert_eq!(hidden("cargo test | tail -5", "test result: FAILED. 3 passed; 1 failed"), Some(true));
    assert_eq!(hidden("cargo test | tail -5", "test result: ok. 3 passed; 0 failed"), Some(false));
    assert_eq!(hidden("cargo test || true", ""), None, "nothing tells how it went");
}

#[test]
fn a_model_that_writes_the_prefix_does_not_double_it() {
    let message = |coaching: &str, prompt: Option<&str>| {
        told(&by_model("Done.", Some(coaching)), &stop("Done."), None, prompt)
            .expect("it is rejected")
            .message
    };
    assert_eq!(message("[System Coach] Show it.", None), "[System Coach] Show it.");
    let long = message(&"word ".repeat(500), None);
    assert!(long.chars().count() == MAX_MESSAGE_CHARS && long.ends_with('…'));
    for unfit in [
        "Read https://example.org first.",
        "Run `make release` and show it.",
        "Push the branch.",
        "$ rm -rf build",
        "Zeig, dass die Tests laufen und das Ergebnis stimmt, und nicht nur den Code.",
    ] {
        let told = message(unfit, Some("Fix the parser and show that it works with the old files."));
        assert!(told.contains("You say “Done.”"), "{unfit}: {told}");
    }
    let named = message(
        "Run `make check` and show it.",
        Some("Fix it until `make check` is green and the docs are there."),
    );
    assert!(named.contains("make check"), "the human named it: {named}");
}

#[test]
fn criteria_are_quoted_and_else_the_file_is_named() {
    let long = format!("## Success Criteria\n{}", "- one more thing has to hold in the end\n".repeat(40));
    for (plan, expected) in [
        (
            Some("# Plan\n\n## Success Criteria\n- imports 10k rows\n- under 2 s\n\n## Risks\nnone"),
            "- imports 10k rows\n- under 2 s\n",
        ),
        (Some(long.as_str()), "(cut here; the rest is in docs/plan.md)"),
        (Some("# Plan without any"), "success criteria in docs/plan.md"),
        (None, "success criteria in docs/plan.md"),
    ] {
        let plan = Plan { path: "docs/plan.md".to_owned(), text: plan.map(str::to_owned) };
        let text = "Next I'll continue with /do-build.";
        let stop = Stopped { plan: Some(plan), ..stop(text) };
        let told = told(&by_model(text, None), &stop, None, None).expect("the work is known");
        assert_eq!(told.tier, Tier::Skill);
        assert!(told.message.contains(expected) && told.message.contains("pull request"), "{}", told.message);
        assert!(!told.message.contains("Risks") && told.message.chars().count() <= MAX_MESSAGE_CHARS);
    }
}

#[test]
fn criteria_are_matched_one_by_one() {
    let plan = "## Success Criteria\n- [x] the importer reads CSV files\n- `make lint` is clean\n- all tests pass\n1. docs mention quotas\n";
    assert_eq!(criteria(plan).len(), 4);
    let open = |text: &str, runs: Vec<Run>| {
        let work = Work { changed: vec!["src/a.rs".to_owned()], calls: 3, runs, ..Work::default() };
        let plan = Some(Plan { path: "plan.md".to_owned(), text: Some(plan.to_owned()) });
        let stop = Stopped { plan, work: Some(work), ..stop(text) };
        told(&by_model(text, None), &stop, None, None).map(|told| told.message).unwrap_or_default()
    };
    let text = "Done: the importer reads CSV files in src/a.rs, 12 passed, commit abc1234.";
    let message = open(text, vec![Run::of("cargo test", Some(false), "12 passed")]);
    assert!(message.contains("`make lint` is clean") && message.contains("docs mention quotas"), "{message}");
    assert!(!message.contains("all tests pass") && !message.contains("CSV"), "{message}");
    let runs =
        || vec![Run::of("make lint", Some(false), ""), Run::of("cargo test", Some(false), "12 passed")];
    assert_eq!(open(&format!("{text} The docs mention quotas."), runs()), "", "all are met");
}

#[test]
fn templates_are_a_file() {
    assert!(Templates::read("todos: \"Still open: {items}\"").is_ok());
    assert!(Templates::read("todo: x").unwrap_err().contains("there is no template todo"));
    assert!(Templates::read("todos: \"{itmes}\"").unwrap_err().contains("{itmes}"));
}

#[test]
fn criteria_are_certain_or_nothing() {
    for (plan, expected) in [
        ("## Success Criteria\n- a\n", Some("- a")),
        ("## success criteria ##\n\ntext\n### part\nmore\n# Next\n", Some("text\n### part\nmore")),
        (
            "## Success Criteria:\n```\n## not a heading\n```\nafter\n",
            Some("```\n## not a heading\n```\nafter"),
        ),
        ("", None),
        ("## Success Criteria\n", None),
        ("## Success Criteria\n\n---\n## Next\nx", None),
        ("### Success Criteria\n- a", None),
        ("# Success Criteria\n- a", None),
        ("##Success Criteria\n- a", None),
        ("## Success Criteria for later\n- a", None),
        ("## Success Criteria\n- a\n## Success Criteria\n- b", None),
        ("```\n## Success Criteria\n- a\n```\n", None),
        ("~~~~\n~~~\n## Success Criteria\n- a\n~~~~\n", None),
        ("    ## Success Criteria\n- a", None),
        ("<!--\n## Success Criteria\n- a\n-->\n", None),
        ("## Success Criteria\n- a\n```\nnever closed", None),
    ] {
        assert_eq!(success_criteria(plan), expected, "{plan:?}");
    }
    let huge = format!("## Success Criteria\n{}", "x ".repeat(6_000));
    assert_eq!(success_criteria(&huge), None);
    assert_eq!(PREFIX, "[System Coach]");
}
