//! Tests of the coach's tiers and of a plan's success criteria.

use coaching::agent::{
    ClassificationResult, CoachContext, Coaching, MAX_MESSAGE_CHARS, PREFIX, Plan, Playbook, Run, Signals,
    Stopped, Templates, Tier, Todo, Work, build_coaching_message, changed_by, classify, criteria,
    failing_lines, success_criteria,
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
    build_coaching_message(
        result,
        &CoachContext { stop, prompt, task: None, earlier: &[], phase, playbook: &playbook },
    )
}

#[test]
fn the_first_tier_with_something_to_say_wins() {
    for (text, coaching, phase, tier) in [
        ("Done.", Some("Show what the importer does."), None, Some(Tier::Model)),
        ("Done.", Some("  "), None, Some(Tier::Rejection)),
        ("Done.", Some("Please continue with your work."), None, Some(Tier::Rejection)),
        ("Done.", None, Some("build"), Some(Tier::Rejection)),
        ("Next I'll run /do-test.", None, None, Some(Tier::Skill)),
        ("Let me run the tests next.", None, Some("test"), Some(Tier::Skill)),
        ("Let me run the tests next.", None, Some("holiday"), Some(Tier::Skill)),
        ("Working on it, 40% complete", None, None, None),
        ("I'll continue.", None, None, None),
    ] {
        let told = told(&by_model(text, coaching), &stop(text), phase, Some("Write the importer."));
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
        ("Done.", "You say “Done.”, but your message does not say what you did"),
        ("I've fixed it in `auth.ts`. It should work now.", "You say “It should work now.”"),
        ("All done, apart from a permission denied on the log folder.", "permission error"),
        ("Finished, although I was rate limited on the last call.", "rate limit"),
        ("Done; the upload said 401 unauthorized.", "A login failed"),
        ("Done, I fixed the permission denied error.", "You say “Done, I fixed"),
        ("Fertig, nur beim Hochladen kam: Zugriff verweigert.", "Es fehlte eine Berechtigung"),
        ("Fertig. Die Anmeldung schlug fehl.", "Eine Anmeldung ist gescheitert"),
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
        assert!(!asks_for_more, "that was not asked for: {}", told.message);
    }
}

#[test]
fn observed_work_outweighs_claims() {
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
        ("make check", true, true),
        ("mvn verify", true, true),
        ("gradle check", true, true),
        ("npm t", true, true),
        ("cargo test --no-run", false, false),
        ("pytest --collect-only", false, false),
        ("# run the tests\ncargo test", true, true),
        ("# let's see\ncargo test # don't stop\n", true, true),
        ("cd web\nnpm test", true, true),
        ("cargo test \\\n  -p importer", true, true),
        ("uv run --with rich pytest -q", true, true),
        ("docker compose exec web npm test", true, true),
        ("python manage.py test shop", true, true),
        ("php vendor/bin/phpunit", true, true),
        ("node test/index.js", true, true),
        ("./gradlew :app:testDebugUnitTest", true, true),
        ("make -C web test-unit", true, true),
        ("go test ./...", true, true),
        ("cargo nextest run", true, true),
        ("npm install -D vitest", false, false),
        ("npx playwright install", false, false),
        ("uv add pytest", false, false),
        ("yarn add --dev jest", false, false),
        ("cargo new test-app", false, false),
        ("npm ci", false, false),
        ("docker exec web ls tests", false, false),
        ("chmod +x run_tests.sh", false, false),
        ("jq . test.json", false, false),
        ("kubectl get pods -n test", false, false),
        ("docker build -t app-test .", true, false),
        ("python manage.py create_test_user", false, false),
        ("node scripts/seed-test-data.js", false, false),
        ("cargo run --bin test-server", false, false),
        ("createdb test", false, false),
        ("git commit -F - <<'EOF'\nRun the tests\ncargo test\nEOF", false, false),
    ] {
        let run = Run::of(command, Some(false), "");
        assert_eq!((run.is_check, run.is_test), (is_check, is_test), "{command}");
    }
    let hidden = |command: &str, output: &str| Run::of(command, Some(false), output).has_failed;
    assert_eq!(hidden("cargo test | tail -5", "test result: FAILED. 3 passed; 1 failed"), Some(true));
    assert_eq!(hidden("cargo test | tail -5", "test result: ok. 3 passed; 0 failed"), Some(false));
    assert_eq!(hidden("cargo test || true", ""), None, "nothing tells how it went");
    assert_eq!(hidden("cargo test\nls", ""), None, "that is how the last line went");
    assert_eq!(hidden("cargo test -- 'a|b'", ""), Some(false), "a bar in quotes is no pipe");
    for (command, output) in [
        ("pytest -q", "no tests ran in 0.01s"),
        ("pytest", "collected 0 items"),
        ("cargo test", "running 0 tests\ntest result: ok. 0 passed; 0 failed"),
    ] {
        assert_eq!(hidden(command, output), None, "{command} tested nothing");
    }
    for (command, output, is_test) in [
        ("./ci.sh", "5 passed, 0 failed", true),
        ("just t", "5 passed", true),
        ("cargo test", "running 0 tests\nok. 0 passed\ntest result: ok. 12 passed; 0 failed", true),
        ("cat results.txt", "5 passed", false),
        ("python -c 'print(5)'", "5 passed", false),
        ("python3 - <<'EOF'\nprint(5)\nEOF", "5 passed", false),
    ] {
        let run = Run::of(command, Some(false), output);
        assert_eq!((run.is_test, run.has_failed == Some(false)), (is_test, true), "{command}");
    }
}

#[test]
fn commands_that_change_files_are_known_by_the_file() {
    for (command, expected) in [
        ("sed -i s/a/b/ src/a.rs", Some("src/a.rs")),
        ("sed -i 's/a b/c/' src/a.rs && cargo fmt", Some("src/a.rs")),
        ("rm src/b.rs", Some("src/b.rs")),
        ("cat > src/a.rs <<EOF\nx\nEOF", Some("src/a.rs")),
        ("git stash", Some("files with `git stash`")),
        ("git checkout -- src/", Some("src/")),
        ("python fix.py", Some("files with `python fix.py`")),
        ("rm -rf target", None),
        ("git checkout -b new", None),
        ("git stash list", None),
        ("git", None),
        ("# a -> b, isn't it\nls", None),
        ("cargo test 2>&1 | tail -3", None),
        ("echo hi > /dev/null", None),
        ("python main.py", None),
        ("grep -rn '->' src", None),
        ("ls", None),
        ("git commit -m \"$(cat <<'EOF'\nFix it\n\nCo-Authored-By: A <noreply@example.org>\nEOF\n)\"", None),
        ("python3 - <<'EOF'\nif a > 3:\n    print(a)\nEOF", None),
        ("awk '$1 > 3' a.txt", None),
        ("cat <<'EOF' > src/b.rs\n<a> 'b\nEOF", Some("src/b.rs")),
        ("cargo test > /dev/null; echo x >> \"src/c.rs\"", Some("src/c.rs")),
    ] {
        assert_eq!(changed_by(command).as_deref(), expected, "{command}");
    }
}

#[test]
fn a_model_that_writes_the_prefix_does_not_double_it() {
    let message = |coaching: &str, prompt: Option<&str>| {
        told(&by_model("Done.", Some(coaching)), &stop("Done."), None, prompt)
            .expect("it is rejected")
            .message
    };
    let shown = message("[System Coach] Show the parser.", Some("Fix the parser."));
    assert_eq!(shown, "[System Coach] Show the parser.");
    let long = message(&"word ".repeat(500), Some("Find the longest word."));
    assert!(long.chars().count() == MAX_MESSAGE_CHARS && long.ends_with('…'));
    for unfit in [
        "Read https://example.org first.",
        "Run `make release` and show it.",
        "Push the branch.",
        "Continue.",
        "Please keep going until it is done.",
        "$ rm -rf build",
        "Run cargo test before you go on.",
        "Commit your work with git.",
        "Use curl to fetch the file.",
        "Remove the data directory and continue.",
        "Please write unit tests for it.",
        "Execute the migration script.",
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

/// The coach speaks the language of the human's prompt or, without a prompt, that of the agent's message.
#[test]
fn coaching_is_in_the_language_of_the_conversation() {
    for (prompt, text, expected) in [
        (Some("Baue den Import um."), "Als Nächstes passe ich die Kommandozeile an.", "Nur zu"),
        (None, "Der Parser ist umgebaut. Als Nächstes passe ich die Kommandozeile an.", "Nur zu"),
        (Some("Refais l'import pour le client."), "Ensuite je vais adapter la ligne de commande.", "Vas-y"),
        (Some("Escribe el importador completo."), "Ahora voy a escribir el importador.", "Adelante"),
        (Some("Write the importer."), "Als Nächstes schreibe ich den Importer.", "go ahead"),
    ] {
        let verdict = ClassificationResult {
            output_type: coaching::agent::OutputType::Status,
            was_rejected_completion: false,
            ..by_model(text, None)
        };
        let told = told(&verdict, &stop(text), None, prompt).expect(text);
        assert!(told.message.contains(expected), "{prompt:?}: {}", told.message);
    }
    let text = "Als Nächstes passe ich die Kommandozeile an.";
    let verdict = by_model(text, Some("Now adapt the command line as you announced."));
    let told = told(&verdict, &stop(text), None, Some("Baue den Import um."));
    assert!(!told.is_some_and(|told| told.message.contains("Now adapt")), "English in a German conversation");
}

#[test]
fn a_long_list_counts_the_omitted_rest() {
    let todos = (1..=40).map(|number| Todo { text: format!("item {number}"), ..Todo::default() }).collect();
    let text = "Next I will go on with the items.";
    let stop = Stopped { work: Some(Work { todos, calls: 1, ..Work::default() }), ..stop(text) };
    let told = told(&by_model(text, None), &stop, None, None).expect("it is sent on");
    assert!(told.message.contains("- item 5\n… and 35 more"), "{}", told.message);
}

#[test]
fn criteria_are_quoted_or_the_file_is_named() {
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

/// A skill asks for nothing that the human ruled out.
#[test]
fn a_skill_asks_for_no_evidence_that_was_ruled_out() {
    let plan =
        "## Success Criteria\n- the importer reads CSV files\n- all tests pass\n- the work is committed\n";
    let plan = || Some(Plan { path: "docs/plan.md".to_owned(), text: Some(plan.to_owned()) });
    let build = "/do-build the importer.";
    for (limits, plan, named, unnamed) in [
        ("", None, &["pull request"][..], &[][..]),
        (
            "Do not commit, and do not run the tests.",
            None,
            &["write the importer"],
            &["passing tests", "commit"],
        ),
        (
            "Do not run the tests.",
            plan(),
            &["the importer reads CSV files"],
            &["passing tests", "tests pass"],
        ),
        ("Don't open a pull request.", None, &["write the importer"], &["pull request"]),
    ] {
        let prompt = format!("{build} {limits}");
        let text = "The parser is written. Next I will write the importer.";
        let stop = Stopped { plan, ..stop(text) };
        let told = told(&by_model(text, None), &stop, Some("build"), Some(&prompt)).expect(limits).message;
        for named in named {
            assert!(told.contains(named), "{limits}: {told}");
        }
        for unnamed in unnamed {
            assert!(!told.contains(unnamed), "{limits}: {told}");
        }
    }
    // Of a plan's criteria, only those that may be asked for are listed.
    let text = "Next I'll continue with /do-plan.";
    let stop = Stopped { plan: plan(), ..stop(text) };
    let told =
        told(&by_model(text, None), &stop, None, Some("Do not run the tests.")).expect("a step").message;
    assert!(told.contains("- the importer reads CSV files") && !told.contains("tests pass"), "{told}");
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
    let denied = open(&format!("{text} The docs do not mention quotas."), runs());
    assert!(denied.contains("docs mention quotas"), "{denied}");
}

#[test]
fn templates_are_a_file() {
    assert!(Templates::read("todos: \"Still open: {items}\"").is_ok());
    assert!(Templates::read("de:\n  todos: \"Noch offen: {items}\"").is_ok());
    let own = Templates::read("promise: \"Los: {quote}\"").unwrap();
    let playbook = Playbook { templates: own, ..Playbook::shipped() };
    for text in ["Next I will write the importer.", "Als Nächstes schreibe ich den Importer."] {
        let (stop, prompt) = (stop(text), Some("Baue den Import um."));
        let context =
            CoachContext { stop: &stop, prompt, task: None, earlier: &[], phase: None, playbook: &playbook };
        let told = build_coaching_message(&by_model(text, None), &context).expect(text).message;
        assert!(told.starts_with("[System Coach] Los: "), "a file without languages counts in all: {told}");
    }
    assert!(Templates::read("todo: x").unwrap_err().contains("there is no template todo"));
    assert!(Templates::read("todos: \"{itmes}\"").unwrap_err().contains("{itmes}"));
}

#[test]
fn only_one_clear_criteria_section_counts() {
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

#[test]
fn failing_lines_are_told_from_clean_ones() {
    let output = "12 passed, 0 failed\n3 passed, 10 failed\nfound 0 errors\n20 errors\nerror: 0x80070005\nwritten to out.txt";
    assert_eq!(failing_lines(output), "3 passed, 10 failed\n20 errors\nerror: 0x80070005");
}
