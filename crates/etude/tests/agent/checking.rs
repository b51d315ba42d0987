//! Tests of the user's own check, of where the coach may speak, and of how the human is notified.

use crate::agent::contracts::{CLAUDE, COMPLETION, QUESTION, STATUS, journal, well};
use crate::common::{Folder, eventually, text};
use serde_json::{Value, json};
use std::path::PathBuf;

/// A data folder and the project folder that its hook is called in.
struct Place {
    folder: Folder,
    project: PathBuf,
}

impl Place {
    fn new(settings: &str) -> Place {
        let folder = Folder::new();
        let project = folder.data().with_file_name("project");
        std::fs::create_dir_all(&project).unwrap();
        std::fs::write(project.join("a.txt"), "one").unwrap();
        std::fs::create_dir_all(folder.data()).unwrap();
        std::fs::write(folder.data().join("config.toml"), settings).unwrap();
        let project = project.canonicalize().unwrap();
        Place { folder, project }
    }

    fn stops(&self, flags: &[&str], session: &str, said: &str) -> Option<String> {
        CLAUDE.message(&self.answer(flags, session, said))
    }

    fn answer(&self, flags: &[&str], session: &str, said: &str) -> String {
        let arguments = [&["agent", "hook", "claude-code"], flags].concat();
        well(self.folder.run_with(&arguments, self.payload(session, said).to_string().as_bytes()))
    }

    fn payload(&self, session: &str, said: &str) -> Value {
        let mut payload = CLAUDE.payload(CLAUDE.stop, session);
        payload["last_assistant_message"] = json!(said);
        payload["cwd"] = json!(self.project);
        payload
    }

    fn last(&self) -> Value {
        journal(&self.folder).last().cloned().unwrap_or_default()
    }

    fn read(&self, name: &str) -> String {
        std::fs::read_to_string(self.project.join(name)).unwrap_or_default()
    }
}

#[test]
fn the_thresholds_of_the_settings_hold() {
    let sent_on = |settings: &str, said: &[&str]| {
        let place = Place::new(&format!("[agent]\n{settings}\n"));
        said.iter().filter(|said| place.stops(&[], "one", said).is_some()).count()
    };
    let steps =
        ["Next I will write the parser.", "Next I will write the mapper.", "Next I will write the tester."];
    assert_eq!(sent_on("", &steps), 3);
    assert_eq!(sent_on("max_continues = 1", &steps), 1);
    assert_eq!(sent_on("max_standstills = 1", &[steps[0]; 3]), 1);
    assert_eq!(sent_on("max_rejections = 1", &["Done.", "Finished.", "It is all done."]), 1);
    assert_eq!(sent_on("min_confidence = 0.99", &steps), 0, "in doubt, the human decides");
    assert_eq!(sent_on("max_risk = 0.0", &steps), 0, "every step has some risk");
}

/// The agent's message to its human, the log and the notification are in the human's language.
#[test]
fn the_human_reads_the_reason_in_their_language() {
    let place = Place::new("[agent]\nmax_continues = 1\n");
    let stop = |said: &str| {
        let mut hook = place.folder.command(&["agent", "hook", "claude-code"]);
        hook.env("LC_ALL", "de_DE.UTF-8")
            .stdin(std::process::Stdio::piped())
            .stdout(std::process::Stdio::piped());
        let mut hook = hook.spawn().unwrap();
        serde_json::to_writer(hook.stdin.take().unwrap(), &place.payload("one", said)).unwrap();
        String::from_utf8(hook.wait_with_output().unwrap().stdout).unwrap()
    };
    stop("Next I will write the parser.");
    let answer = stop("Next I will write the mapper.");
    assert!(answer.contains("Etude: der Agent wurde 1-mal weitergeschickt"), "{answer}");
    assert!(text(&place.last(), "/reason").contains("weitergeschickt"), "{}", place.last());
    let mut sessions = place.folder.command(&["agent", "sessions"]);
    let shown = sessions.env("LC_ALL", "de_DE.UTF-8").output().unwrap().stdout;
    assert!(String::from_utf8_lossy(&shown).contains("wartet auf dich"), "{shown:?}");
}

#[test]
fn a_check_decides_and_runs_once_for_the_same_files() {
    let place = Place::new("");
    let counter = place.folder.write("counter", "");
    let check =
        format!("echo run >> '{counter}'; grep -q two a.txt || {{ echo 'a.txt: expected two'; exit 1; }}");
    let flags = ["--check", check.as_str()];
    let runs = || std::fs::read_to_string(&counter).unwrap().lines().count();
    let message = place.stops(&flags, "one", COMPLETION).expect("the check is red");
    assert!(message.contains("a.txt: expected two"), "{message}");
    assert!(place.stops(&flags, "two", COMPLETION).is_some());
    assert_eq!(runs(), 1, "nothing has changed in between");
    place.stops(&flags, "three", QUESTION);
    assert_eq!(runs(), 1, "a question is no claim");
    std::fs::write(place.project.join("a.txt"), "two and more").unwrap();
    assert_eq!(place.stops(&flags, "four", "Done."), None);
    assert!(text(&place.last(), "/reason").contains("the check passed"), "{}", place.last());
    assert_eq!(runs(), 2);
    std::fs::write(place.project.join("a.txt"), "one").unwrap();
    let git = |arguments: &[&str]| {
        let done = std::process::Command::new("git").args(arguments).current_dir(&place.project).output();
        assert!(done.expect("git is there").status.success());
    };
    git(&["init", "-q"]);
    assert!(place.stops(&flags, "five", COMPLETION).is_some());
    std::fs::write(place.project.join("a.txt"), "two and more").unwrap();
    assert_eq!(place.stops(&flags, "six", COMPLETION), None);
    assert_eq!(runs(), 4);
    std::fs::write(place.project.join("a.txt"), "one").unwrap();
    assert!(place.stops(&flags, "seven", COMPLETION).is_some());
    assert_eq!(runs(), 4, "these files were known");
}

#[test]
fn a_check_that_hangs_proves_nothing_and_is_ended() {
    let place = Place::new("[agent]\ncheck_s = 1\n");
    let counter = place.folder.write("counter", "");
    let flags = ["--check", &format!("echo run >> '{counter}'; sleep 60")];
    assert_eq!(place.stops(&flags, "one", COMPLETION), None);
    let lines = journal(&place.folder);
    assert_eq!(place.stops(&flags, "two", COMPLETION), None);
    let runs = std::fs::read_to_string(&counter).unwrap();
    assert_eq!(runs.lines().count(), 1, "it is not run again on the same files");
    let note = lines.iter().find(|line| text(line, "/decision") == "note").expect("it is in the log");
    assert!(text(note, "/reason").contains("longer than 1 s"), "{note}");
    let doctor = place.folder.run(&["doctor", "--json"]).stdout;
    assert!(doctor.contains("longer than 1 s"), "{doctor}");
}

#[test]
fn a_check_ends_with_its_command() {
    let place = Place::new("[agent]\ncheck_s = 10\n");
    let message = place.stops(&["--check", "sleep 30 & echo 'FAILED: one'; exit 1"], "one", COMPLETION);
    assert!(message.is_some_and(|message| message.contains("FAILED: one")), "{}", place.last());
}

#[test]
fn a_failing_checks_output_is_readable() {
    let place = Place::new("");
    let check = |command: &str, part: &str| {
        let message = place.stops(&["--check", command], part, COMPLETION).expect("the check is red");
        assert!(message.contains(part), "{message}");
    };
    check("exit 3", "printed nothing and ended with exit status: 3");
    check("printf '\\033[31mFAILED\\033[0m two\\n'; exit 1", "\nFAILED two\n");
}

#[test]
fn a_missing_check_is_reported_to_the_human() {
    let place = Place::new("");
    let flags = ["--check", "no-such-checker --all"];
    let answer: Value =
        serde_json::from_str(&place.answer(&flags, "one", COMPLETION)).expect("the human is told");
    assert!(text(&answer, "/systemMessage").contains("no-such-checker"), "{answer}");
    CLAUDE.prompted(&place.folder, "one", "Now write the exporter.");
    assert_eq!(place.answer(&flags, "one", COMPLETION), "", "once is enough");
    let notes = journal(&place.folder).iter().filter(|line| text(line, "/decision") == "note").count();
    assert_eq!(notes, 2, "the log has every time");
}

#[test]
fn a_check_runs_on_a_claim_only() {
    let place = Place::new("");
    let counter = place.folder.write("counter", "");
    let check = format!("echo run >> '{counter}'");
    let flags = ["--check", check.as_str()];
    let runs = || std::fs::read_to_string(&counter).unwrap().lines().count();
    for said in
        [QUESTION, STATUS, "The parser is written. Which of the two formats should the importer read?"]
    {
        place.stops(&flags, said, said);
        assert_eq!(runs(), 0, "{said}");
    }
    place.stops(&flags, "resting", QUESTION);
    place.stops(&flags, "resting", COMPLETION);
    assert_eq!(runs(), 0, "it is the human's turn");
    let mut planning = place.payload("planning", COMPLETION);
    planning["permission_mode"] = json!("plan");
    place
        .folder
        .run_with(&["agent", "hook", "claude-code", flags[0], flags[1]], planning.to_string().as_bytes());
    assert_eq!(runs(), 0, "a plan is no work");
    place.stops(&flags, "two", COMPLETION);
    assert_eq!(runs(), 1);
}

#[test]
fn a_missing_plan_is_logged() {
    let place = Place::new("");
    place.stops(&["--plan", "no-plan.md"], "one", COMPLETION);
    assert!(text(&place.last(), "/reason").contains("no-plan.md cannot be read"), "{}", place.last());
}

/// A user's own hook and a project's hook get the same stop at the same moment.
#[test]
fn two_hooks_for_one_stop_count_once() {
    let place = Place::new("");
    let (begun, go_on) = (place.project.join("begun"), place.project.join("go-on"));
    let check = format!(
        "touch '{}'; until [ -e '{}' ]; do sleep 0.05; done; echo 'FAILED: one'; exit 1",
        begun.display(),
        go_on.display()
    );
    let answers: Vec<String> = std::thread::scope(|scope| {
        let first = scope.spawn(|| place.answer(&["--check", &check], "one", COMPLETION));
        eventually("the first one is at it", || begun.exists().then_some(()));
        let second = scope.spawn(|| place.answer(&["--max-continues", "5"], "one", COMPLETION));
        std::thread::sleep(std::time::Duration::from_millis(300));
        std::fs::write(&go_on, "").unwrap();
        [first, second].into_iter().map(|hook| hook.join().unwrap()).collect()
    });
    assert!(answers[0].contains("FAILED: one"), "{answers:?}");
    assert_eq!(answers[0], answers[1]);
    let summary = place.folder.run(&["agent", "log", "one", "--json"]).json();
    assert_eq!(crate::common::number(&summary, "/sessions/0/stops"), 1, "{summary}");
    let lines = journal(&place.folder);
    assert!(lines.iter().any(|line| text(line, "/reason").contains("two hooks")), "{lines:?}");
}

#[test]
fn a_project_has_its_own_check() {
    let place = Place::new("");
    let settings =
        format!("[[agent.projects]]\nfolder = {:?}\ncheck = \"echo no such luck; false\"\n", place.project);
    std::fs::write(place.folder.data().join("config.toml"), settings).unwrap();
    let message = place.stops(&[], "one", COMPLETION).expect("the check is red");
    assert!(message.contains("no such luck"), "{message}");
}

#[test]
fn a_hook_for_all_folders_speaks_only_where_it_may() {
    let place = Place::new("");
    let flags = ["--where-allowed"];
    assert_eq!(place.stops(&flags, "one", STATUS), None);
    assert!(text(&place.last(), "/reason").contains("not allowed in this folder"), "{}", place.last());
    assert_eq!(text(&place.last(), "/preview"), "", "nothing of it is kept");
    let sessions = place.folder.run(&["agent", "sessions", "--json"]).json();
    assert_eq!(sessions["sessions"].as_array().map(Vec::len), Some(0), "{sessions}");
    let folder = place.project.display().to_string();
    assert_eq!(place.folder.run(&["agent", "allow", &folder]).code, Some(0));
    assert!(place.stops(&flags, "two", STATUS).is_some());
    let link = place.folder.data().with_file_name("link");
    std::os::unix::fs::symlink(&place.project, &link).unwrap();
    let mut payload = place.payload("linked", STATUS);
    payload["cwd"] = json!(link);
    let answer =
        place.folder.run_with(&["agent", "hook", "claude-code", flags[0]], payload.to_string().as_bytes());
    assert!(CLAUDE.message(&well(answer)).is_some(), "the same folder by another name");
    assert_eq!(place.folder.run(&["agent", "deny", &folder]).code, Some(0));
    assert_eq!(place.stops(&flags, "three", STATUS), None);
}

#[test]
fn one_session_can_be_paused() {
    let place = Place::new("");
    assert!(place.stops(&[], "one", STATUS).is_some());
    assert_eq!(place.folder.run(&["agent", "pause", "one", "--json"]).json()["paused"], true);
    assert_eq!(place.stops(&[], "one", "Next I will write the importer."), None);
    assert!(place.stops(&[], "two", STATUS).is_some(), "the others go on");
    assert_eq!(place.folder.run(&["agent", "unpause", "one"]).code, Some(0));
    assert!(place.stops(&[], "one", "Next I will write the exporter.").is_some());
    assert_eq!(place.folder.run(&["agent", "pause", "nobody"]).code, Some(1));
}

#[test]
fn every_handover_notifies_once() {
    let place = Place::new("");
    let told = place.project.join("told").display().to_string();
    let settings = format!(
        "[agent]\nnotify_command = \"sh -c 'echo $0 >> {told}' '{{session}} in {{project}}: {{message}}'\"\n"
    );
    std::fs::write(place.folder.data().join("config.toml"), settings).unwrap();
    assert!(place.stops(&[], "one", STATUS).is_some());
    assert_eq!(place.stops(&[], "one", QUESTION), None);
    place.stops(&[], "one", QUESTION);
    let said = eventually("the human is told", || Some(place.read("told")).filter(|said| !said.is_empty()));
    assert!(said.starts_with("one in project: ") && said.lines().count() == 1, "{said}");
    assert!(said.contains(&format!("“{QUESTION}”")), "it quotes the question: {said}");
    let lines = place.folder.run(&["agent", "log", "--limit", "2"]).stdout;
    assert_eq!(lines.trim().lines().count(), 2, "{lines}");
}

#[test]
fn user_files_replace_skills_templates_and_phrases() {
    let place = Place::new("");
    let write = |name: &str, text: &str| std::fs::write(place.folder.data().join(name), text).unwrap();
    std::fs::create_dir_all(place.folder.data().join("agent")).unwrap();
    write("skills.yaml", "skills: [{trigger: /ship, phase: ship, evidence: the tag of the release}]");
    write("agent/templates.yaml", "promise: \"Go on: {quote}\"\nde: {promise: \"Nur zu: {quote}\"}");
    write("agent/phrases.yaml", "stop: [that was it for me]");
    let after = |session: &str, prompt: &str, said: &str| {
        CLAUDE.prompted(&place.folder, session, prompt);
        place.stops(&[], session, said).unwrap_or_default()
    };
    let step = "Next I will write the importer.";
    let shipping = after("one", "/ship", step);
    assert!(shipping.contains("the tag of the release"), "{shipping}");
    assert!(after("two", "Write the importer.", step).contains("Go on: Next I will"));
    let german = after("three", "Schreib bitte den Importer.", "Als Nächstes schreibe ich den Importer.");
    assert!(german.contains("Nur zu: Als Nächstes"), "{german}");
    assert_eq!(after("four", "Write the importer. That was it for me.", step), "");
    assert!(text(&place.last(), "/reason").contains("That was it for me"), "{}", place.last());
}

#[test]
fn a_broken_user_file_is_reported() {
    let place = Place::new("");
    std::fs::write(place.folder.data().join("skills.yaml"), "skills: [{trigger: /x}]").unwrap();
    std::fs::create_dir_all(place.folder.data().join("agent")).unwrap();
    std::fs::write(place.folder.data().join("agent/templates.yaml"), "promise: \"Go on: {quote}\"").unwrap();
    let mut payload = CLAUDE.payload(CLAUDE.stop, "one");
    payload["last_assistant_message"] = json!(STATUS);
    let outcome = CLAUDE.hook(&place.folder, payload.to_string().as_bytes());
    assert!(outcome.code == Some(0) && outcome.stderr.contains("skills.yaml is left out"), "{outcome:?}");
    let message = CLAUDE.message(outcome.stdout.trim()).expect("the coach works all the same");
    assert_eq!(message, format!("[System Coach] Go on: {STATUS}"));
    assert!(text(&place.last(), "/reason").contains("skills.yaml is left out"), "{}", place.last());
    assert!(place.folder.run(&["doctor", "--json"]).stdout.contains("skills.yaml is left out"));
}
