//! The user's own check, where the coach may speak, and how its human hears of it.

use crate::agent::contracts::{CLAUDE, COMPLETION, QUESTION, STATUS, journal, well};
use crate::common::{Folder, eventually, text};
use serde_json::{Value, json};
use std::path::PathBuf;

/// A folder with a project in it, and what its hook is called with.
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
        let mut payload = CLAUDE.payload(CLAUDE.stop, session);
        payload["last_assistant_message"] = json!(said);
        payload["cwd"] = json!(self.project);
        let arguments = [&["agent", "hook", "claude-code"], flags].concat();
        CLAUDE.message(&well(self.folder.run_with(&arguments, payload.to_string().as_bytes())))
    }

    fn last(&self) -> Value {
        journal(&self.folder).last().cloned().unwrap_or_default()
    }

    fn read(&self, name: &str) -> String {
        std::fs::read_to_string(self.project.join(name)).unwrap_or_default()
    }
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
}

#[test]
fn a_check_that_hangs_proves_nothing_and_is_ended() {
    let place = Place::new("[agent]\ncheck = \"sleep 60\"\ncheck_s = 1\n");
    assert_eq!(place.stops(&[], "one", COMPLETION), None);
    let lines = journal(&place.folder);
    let note = lines.iter().find(|line| text(line, "/decision") == "note").expect("it is in the log");
    assert!(text(note, "/reason").contains("longer than 1 s"), "{note}");
    let doctor = place.folder.run(&["doctor", "--json"]).stdout;
    assert!(doctor.contains("longer than 1 s"), "{doctor}");
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
    assert!(text(&place.last(), "/reason").contains("not been let into this folder"), "{}", place.last());
    let folder = place.project.display().to_string();
    assert_eq!(place.folder.run(&["agent", "allow", &folder]).code, Some(0));
    assert!(place.stops(&flags, "two", STATUS).is_some());
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
fn every_hand_over_notifies_once() {
    let place = Place::new("");
    let told = place.project.join("told").display().to_string();
    let settings =
        format!("[agent]\nnotify_command = \"sh -c 'echo $0 >> {told}' '{{session}}: {{message}}'\"\n");
    std::fs::write(place.folder.data().join("config.toml"), settings).unwrap();
    assert!(place.stops(&[], "one", STATUS).is_some());
    assert_eq!(place.stops(&[], "one", QUESTION), None);
    place.stops(&[], "one", QUESTION);
    let said = eventually("the human is told", || Some(place.read("told")).filter(|said| !said.is_empty()));
    assert!(said.starts_with("one: ") && said.lines().count() == 1, "{said}");
    let lines = place.folder.run(&["agent", "log", "--limit", "2"]).stdout;
    assert_eq!(lines.trim().lines().count(), 2, "{lines}");
}

#[test]
fn a_broken_file_of_the_user_is_told_of() {
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
