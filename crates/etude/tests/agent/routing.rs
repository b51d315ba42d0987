//! Tests of which agents are sent on, which are not, and that sending on ends.

use crate::agent::contracts::{CLAUDE, COMPLETION, CONTRACTS, QUESTION, STATUS, STATUSES, journal};
use crate::common::{Folder, text};
use std::sync::Barrier;

#[test]
fn an_agent_is_sent_on_three_times_and_not_a_fourth() {
    for contract in CONTRACTS {
        let folder = Folder::new();
        let answers = STATUSES.map(|status| contract.stops(&folder, "one", status));
        let is_sent_on = answers.each_ref().map(Option::is_some);
        assert_eq!(is_sent_on, [true, true, true, false, false], "{}: {answers:?}", contract.agent);
        assert!(contract.stops(&folder, "another", STATUS).is_some(), "sessions do not share their bounds");
        contract.prompted(&folder, "one", "Go on with the exporter.");
        assert!(
            contract.stops(&folder, "one", STATUS).is_some(),
            "{}: a human sets the bounds back",
            contract.agent
        );
    }
}

#[test]
fn the_coachs_own_message_does_not_reset_the_bounds() {
    for contract in CONTRACTS {
        let folder = Folder::new();
        let mut sent_on = 0;
        for status in STATUSES {
            if let Some(message) = contract.stops(&folder, "one", status) {
                sent_on += 1;
                contract.prompted(&folder, "one", &message);
                contract.prompted(&folder, "one", &format!("Stop hook feedback:\n{message}\n"));
            }
        }
        assert_eq!(sent_on, 3, "{}", contract.agent);
    }
}

/// Checks that a message is not sent on, and that the log has this decision and reason.
fn check_stopped(message: &str, decision: &str, reason: &str) {
    for contract in CONTRACTS {
        let folder = Folder::new();
        assert_eq!(contract.stops(&folder, "one", message), None, "{}: {message}", contract.agent);
        let lines = journal(&folder);
        let last = lines.last().expect("every stop is logged");
        assert_eq!((text(last, "/agent"), text(last, "/decision")), (contract.agent, decision), "{last}");
        assert!(text(last, "/reason").contains(reason), "{last}");
        assert!(text(last, "/time").starts_with("20") && text(last, "/session") == "one", "{last}");
    }
}

#[test]
fn questions_failures_and_completions_go_to_a_human() {
    check_stopped(QUESTION, "deliver", "");
    check_stopped("Blocked: I have no access to the deployment config", "deliver", "");
    check_stopped("Build failed with exit code 1", "deliver", "");
    check_stopped(COMPLETION, "deliver", "");
}

#[test]
fn a_claim_without_evidence_is_sent_back() {
    for contract in CONTRACTS {
        let folder = Folder::new();
        let message = contract.stops(&folder, "one", "Done.").expect("nothing shows that it is done");
        assert!(message.starts_with("[System Coach] "), "{message}");
        assert_eq!(text(&journal(&folder)[0], "/tier"), "1b");
    }
}

#[test]
fn only_a_human_restarts_finished_work() {
    for contract in CONTRACTS {
        let folder = Folder::new();
        assert_eq!(contract.stops(&folder, "one", COMPLETION), None);
        assert_eq!(contract.stops(&folder, "one", STATUS), None, "{}", contract.agent);
        contract.prompted(&folder, "one", "Now write the exporter.");
        assert!(contract.stops(&folder, "one", STATUS).is_some(), "{}", contract.agent);
    }
}

#[test]
fn only_a_human_resumes_crashed_work() {
    for contract in CONTRACTS {
        let Some(crash) = contract.crash else { continue };
        let folder = Folder::new();
        assert!(contract.stops(&folder, "one", STATUS).is_some());
        assert_eq!(contract.message(&contract.call(&folder, &contract.payload(crash, "one"))), None);
        assert_eq!(contract.stops(&folder, "one", STATUSES[1]), None, "{}", contract.agent);
        contract.prompted(&folder, "one", "Try again.");
        assert!(contract.stops(&folder, "one", STATUSES[2]).is_some(), "{}", contract.agent);
    }
}

#[test]
fn the_kill_switch_is_obeyed_at_once() {
    let folder = Folder::new();
    assert!(CLAUDE.stops(&folder, "one", STATUS).is_some());
    assert_eq!(folder.run(&["agent", "off", "--json"]).json()["on"], false);
    assert_eq!(CLAUDE.stops(&folder, "one", STATUSES[1]), None);
    assert_eq!(folder.run(&["agent", "status", "--json"]).json()["on"], false);
    assert!(folder.run(&["agent", "on"]).stdout.contains("on"));
    assert!(CLAUDE.stops(&folder, "one", STATUSES[2]).is_some());
    assert!(text(&journal(&folder)[1], "/reason").contains("switched off"));
}

#[test]
fn many_hooks_at_once_on_one_session_never_pass_the_cap() {
    const HOOKS: usize = 12;
    let folder = Folder::new();
    let start = Barrier::new(HOOKS);
    let one = &|number: usize| {
        start.wait();
        let step = format!("Next I will write part {number} of the importer.");
        CLAUDE.stops(&folder, "one", &step).is_some()
    };
    let sent_on = std::thread::scope(|scope| {
        let hooks: Vec<_> = (0..HOOKS).map(|number| scope.spawn(move || one(number))).collect();
        hooks.into_iter().map(|hook| hook.join().expect("every hook answers")).filter(|sent| *sent).count()
    });
    assert!((1..=3).contains(&sent_on), "{sent_on} were sent on: {:#?}", journal(&folder));
    assert_eq!(journal(&folder).len(), HOOKS, "every hook leaves a line");
}

#[test]
fn flags_complete_the_payload() {
    let folder = Folder::new();
    let plan = folder.write("plan.md", "# Plan\n\n## Success Criteria\n\n- 3 formats are imported\n");
    let payload = CLAUDE.payload(CLAUDE.stop, "one").to_string();
    let arguments =
        ["agent", "hook", "claude-code", "--phase", "test", "--plan", &plan, "--max-continues", "4"];
    let answer = folder.run_with(&arguments, payload.as_bytes()).stdout;
    assert!(answer.contains("3 formats are imported"), "{answer}");
    let sent_on = STATUSES.iter().filter(|status| CLAUDE.stops(&folder, "one", status).is_some()).count();
    assert_eq!(sent_on, 3, "four in all");
}

/// Gemini's stop contains its human's prompt.
#[test]
fn the_prompt_in_a_stop_is_the_humans_word() {
    let gemini = CONTRACTS.iter().find(|contract| contract.agent == "gemini").expect("there is one");
    let folder = Folder::new();
    let stop = |session: &str, prompt: &str, said: &str| {
        let mut payload = gemini.payload(gemini.stop, session);
        payload["prompt"] = prompt.into();
        payload["prompt_response"] = said.into();
        gemini.message(&gemini.call(&folder, &payload))
    };
    assert_eq!(
        stop("one", "Only step 1, then stop.", "Step 1 is done. Next I will write the importer."),
        None
    );
    assert!(text(&journal(&folder)[0], "/reason").contains("then stop"), "{:?}", journal(&folder));
    let steps = ["parser", "mapper", "reporter", "tester", "writer"];
    let sent_on = steps.iter().filter(|step| {
        stop("two", "Write the whole importer.", &format!("Next I will write the {step}.")).is_some()
    });
    assert_eq!(sent_on.count(), 3, "the same prompt sets the bounds back once");
}
