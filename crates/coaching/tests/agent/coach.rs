//! The tiers and the plan's criteria.

use coaching::agent::{
    ClassificationResult, CoachContext, MAX_MESSAGE_CHARS, PREFIX, Plan, Signals, Skill, Tier,
    build_coaching_message, classify, shipped_skills, success_criteria,
};

fn context<'a>(text: &'a str, skills: &'a [Skill]) -> CoachContext<'a> {
    CoachContext { text, phase: None, plan: None, skills }
}

fn by_model(text: &str, coaching: Option<&str>) -> ClassificationResult {
    ClassificationResult {
        coaching_message: coaching.map(str::to_owned),
        ..classify(text, &Signals::default())
    }
}

#[test]
fn the_first_tier_with_something_to_say_wins() {
    let skills = shipped_skills();
    for (text, coaching, phase, tier) in [
        ("Done.", Some("Run the tests."), None, Tier::Model),
        ("Done.", Some("  "), None, Tier::Rejection),
        ("Done.", None, Some("build"), Tier::Rejection),
        ("Next I'll run /do-test.", None, None, Tier::Skill),
        ("Let me run the tests next.", None, Some("test"), Tier::Skill),
        ("Let me run the tests next.", None, Some("holiday"), Tier::Continue),
        ("Let me run the tests next.", None, None, Tier::Continue),
    ] {
        let result = by_model(text, coaching);
        let told = build_coaching_message(&result, &CoachContext { phase, ..context(text, &skills) });
        assert_eq!(told.tier, tier, "{text:?} {told:?}");
        assert_eq!(told.message.starts_with("[System Coach] "), tier != Tier::Continue, "{told:?}");
        assert!(told.message.chars().count() <= MAX_MESSAGE_CHARS, "{told:?}");
    }
    let plain = build_coaching_message(&by_model("Let me run the tests next.", None), &context("", &skills));
    assert_eq!(plain.message, "continue");
}

#[test]
fn a_rejection_names_what_is_missing() {
    for (text, expected) in [
        ("Done.", "name the files"),
        ("I've fixed it in `auth.ts`. It should work now.", "not sure yourself"),
        ("I changed `auth.ts`, but I haven't tested it.", "not tried"),
        ("All done, apart from a permission denied on the log folder.", "permission error"),
        ("Finished, although I was rate limited on the last call.", "rate limit"),
        ("Done; the upload said 401 unauthorized.", "failed login"),
    ] {
        let rejected = ClassificationResult { was_rejected_completion: true, ..by_model(text, None) };
        let told = build_coaching_message(&rejected, &context(text, &[]));
        assert_eq!(told.tier, Tier::Rejection);
        assert!(told.message.contains(expected), "{text:?}: {}", told.message);
    }
}

#[test]
fn a_model_that_writes_the_prefix_does_not_double_it() {
    let told =
        build_coaching_message(&by_model("Done.", Some("[System Coach] Run it.")), &context("Done.", &[]));
    assert_eq!(told.message, "[System Coach] Run it.");
    let long = "word ".repeat(500);
    let told = build_coaching_message(&by_model("Done.", Some(&long)), &context("Done.", &[]));
    assert!(told.message.chars().count() == MAX_MESSAGE_CHARS && told.message.ends_with('…'));
}

#[test]
fn criteria_are_quoted_and_else_the_file_is_named() {
    let skills = shipped_skills();
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
        let told = build_coaching_message(
            &by_model(text, None),
            &CoachContext { plan: Some(&plan), ..context(text, &skills) },
        );
        assert_eq!(told.tier, Tier::Skill);
        assert!(told.message.contains(expected) && told.message.contains("pull request"), "{}", told.message);
        assert!(!told.message.contains("Risks") && told.message.chars().count() <= MAX_MESSAGE_CHARS);
    }
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
