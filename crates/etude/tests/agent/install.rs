//! Tests of agents' settings files: the hook goes in and comes out, and everything else stays.

use crate::agent::contracts::{CONTRACTS, journal};
use crate::common::{Folder, Outcome};
use crate::peers::{found, program, run};
use serde_json::Value;
use std::path::{Path, PathBuf};

/// An agent and its settings file in a project.
const FILES: [(&str, &str); 6] = [
    ("claude-code", ".claude/settings.local.json"),
    ("codex", ".codex/hooks.json"),
    ("gemini", ".gemini/settings.json"),
    ("cursor", ".cursor/hooks.json"),
    ("copilot", ".github/hooks/etude.json"),
    ("opencode", ".opencode/plugin/etude.js"),
];

/// Settings files as people have them.
const SETTINGS: [&str; 5] = [
    "{}",
    "{\n\t\"model\": \"best\",\n\t\"hooks\": {}\n}",
    "{\"b\":1,\"a\":[1.50,null],\"hooks\":{\"PreToolUse\":[{\"matcher\":\"Bash\",\"hooks\":[{\"type\":\"command\",\"command\":\"lint\"}]}]}}\n",
    "{\n    \"version\": 1,\n    \"hooks\": {\"stop\": [{\"command\": \"./notify.sh\"}], \"Stop\": [{\"hooks\": [{\"type\": \"command\", \"command\": \"say done\"}]}]}\n}\n",
    "\n",
];

struct Project(Folder);

impl Project {
    fn new(file: &str, content: Option<&str>) -> (Project, PathBuf) {
        let project = Project(Folder::new());
        let path = project.root().join(file);
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        content.into_iter().for_each(|content| std::fs::write(&path, content).unwrap());
        (project, path)
    }

    fn root(&self) -> PathBuf {
        self.0.data().parent().unwrap().to_owned()
    }

    fn run(&self, verb: &str, agent: &str, flags: &[&str]) -> Outcome {
        let root = self.root().display().to_string();
        self.0.run(&[&["agent", verb, agent, "--project", &root], flags].concat())
    }
}

/// The search path for programs, with ours first.
#[expect(clippy::disallowed_methods, reason = "the program is found where the shell finds it")]
fn with_program() -> std::ffi::OsString {
    let own = Path::new(env!("CARGO_BIN_EXE_etude")).parent().unwrap().to_owned();
    let others = std::env::var_os("PATH").unwrap_or_default();
    std::env::join_paths(std::iter::once(own).chain(std::env::split_paths(&others))).unwrap()
}

fn files(folder: &Path) -> Vec<String> {
    let listed = std::fs::read_dir(folder).unwrap().flatten();
    listed.map(|file| file.file_name().to_string_lossy().into_owned()).collect()
}

#[test]
fn installing_and_uninstalling_keeps_every_byte() {
    for (agent, file) in FILES.iter().filter(|(agent, _)| *agent != "opencode") {
        for settings in SETTINGS {
            let (project, path) = Project::new(file, Some(settings));
            let installed = project.run("install", agent, &[]);
            assert_eq!(installed.code, Some(0), "{installed:?}");
            let with_hook = std::fs::read_to_string(&path).unwrap();
            assert!(with_hook.contains(&format!("agent hook {agent}")), "{with_hook}");
            let again = project.run("install", agent, &[]);
            assert!(again.stdout.contains("already"), "{again:?}");
            assert_eq!(std::fs::read_to_string(&path).unwrap(), with_hook, "twice is once");
            assert_eq!(project.run("uninstall", agent, &[]).code, Some(0));
            assert_eq!(std::fs::read_to_string(&path).unwrap(), settings, "{agent}");
            assert_eq!(files(path.parent().unwrap()).len(), 1, "nothing is left beside it");
        }
    }
}

#[test]
fn uninstalling_removes_a_created_file() {
    for (agent, file) in FILES {
        let (project, path) = Project::new(file, None);
        assert_eq!(project.run("install", agent, &[]).code, Some(0));
        assert!(path.is_file(), "{agent}");
        assert_eq!(project.run("uninstall", agent, &[]).code, Some(0));
        assert!(!path.exists(), "{agent}: {}", std::fs::read_to_string(&path).unwrap());
        assert!(project.run("uninstall", agent, &[]).stdout.contains("no hook"));
    }
}

#[test]
fn later_changes_by_others_stay() {
    for (agent, file) in FILES.iter().filter(|(agent, _)| *agent != "opencode") {
        let (project, path) = Project::new(file, Some(SETTINGS[3]));
        project.run("install", agent, &[]);
        let text = std::fs::read_to_string(&path).unwrap();
        std::fs::write(&path, text.replacen('{', "{\n    \"theme\": \"dark\",", 1)).unwrap();
        project.run("uninstall", agent, &[]);
        let after: Value = serde_json::from_str(&std::fs::read_to_string(&path).unwrap()).unwrap();
        let mut expected: Value = serde_json::from_str(SETTINGS[3]).unwrap();
        expected["theme"] = Value::from("dark");
        assert_eq!(after, expected, "{agent}");
    }
}

/// Checks that a file is left alone, and that the refusal says why.
fn check_refused(agent: &str, file: &str, settings: &str, part: &str) {
    let (project, path) = Project::new(file, Some(settings));
    let refused = project.run("install", agent, &[]);
    assert_eq!(refused.code, Some(1), "{refused:?}");
    assert!(refused.stderr.contains(part) && refused.stderr.contains("nothing was changed"), "{refused:?}");
    assert_eq!(std::fs::read_to_string(&path).unwrap(), settings);
}

#[test]
fn unreadable_settings_are_not_touched() {
    let (agent, file) = FILES[0];
    check_refused(agent, file, "[]", "not a JSON object");
    check_refused(agent, file, "{\"hooks\": []}", "`hooks` is not an object");
    check_refused(agent, file, "{\"hooks\": {\"Stop\": {}}}", "`hooks.Stop` is not a list");
}

/// The user's lines stay as they were, and the hook is there once.
#[test]
fn every_byte_of_the_users_file_stays() {
    let (agent, file) = FILES[0];
    for settings in [
        "{\r\n  \"big\": 12345678901234567890123,\r\n  \"price\": 1.50\r\n}\r\n",
        "{\n  // mine\n  \"a\": 1, /* one */\n  \"hooks\": {\n    // none yet\n  },\n}\n",
        "{\"a\":1e5,\"hooks\":{\"Stop\":[ {\"hooks\":[{\"type\":\"command\",\"command\":\"say done\"}]} ]}}",
    ] {
        let (project, path) = Project::new(file, Some(settings));
        for flags in [&[][..], &["--max-continues", "5"], &["--watch-tools"], &[]] {
            let installed = project.run("install", agent, flags);
            assert_eq!(installed.code, Some(0), "{installed:?}");
            let written = std::fs::read_to_string(&path).unwrap();
            let mut rest = written.as_str();
            for piece in settings.split_inclusive([',', '{', '[', ']', '}', '\n']).map(str::trim_end) {
                let at = rest.find(piece).unwrap_or_else(|| panic!("{piece:?} is gone from {written}"));
                rest = &rest[at + piece.len()..];
            }
            let events = if flags == ["--watch-tools"] { 5 } else { 3 };
            assert_eq!(written.matches("agent hook claude-code").count(), events, "{flags:?} {written}");
            assert_eq!(written.contains("\r\n"), settings.contains("\r\n"), "{written}");
        }
        assert_eq!(project.run("uninstall", agent, &[]).code, Some(0));
        assert_eq!(std::fs::read_to_string(&path).unwrap(), settings);
    }
}

#[test]
fn every_entry_follows_the_present_flags() {
    let (project, path) = Project::new(FILES[0].1, Some("{\"a\": 1}\n"));
    project.run("install", "claude-code", &["--watch-tools", "--check", "cargo test"]);
    project.run("install", "claude-code", &["--max-continues", "2"]);
    let settings: Value = serde_json::from_str(&std::fs::read_to_string(&path).unwrap()).unwrap();
    let hooks = settings["hooks"].as_object().unwrap();
    assert_eq!(hooks.keys().collect::<Vec<_>>(), ["Stop", "StopFailure", "UserPromptSubmit"]);
    for listed in hooks.values() {
        assert_eq!(listed.as_array().map(Vec::len), Some(1), "{settings}");
        let command = &listed[0]["hooks"][0]["command"];
        assert_eq!(command, "etude agent hook claude-code --max-continues 2", "{settings}");
    }
}

#[cfg(unix)]
#[test]
fn a_read_only_file_is_named() {
    let (project, path) = Project::new(FILES[0].1, Some("{\"a\": 1}"));
    let mut locked = std::fs::metadata(&path).unwrap().permissions();
    locked.set_readonly(true);
    std::fs::set_permissions(&path, locked).unwrap();
    let refused = project.run("install", "claude-code", &[]);
    assert_eq!(refused.code, Some(1), "{refused:?}");
    assert!(refused.stderr.contains("settings.local.json cannot be written: it is read-only"), "{refused:?}");
    assert_eq!(files(path.parent().unwrap()).len(), 1, "nothing is left beside it");
}

#[test]
fn surprises_are_reported_at_once() {
    let (project, _) = Project::new(FILES[0].1, None);
    let said = project.run("install", "claude-code", &["--plan", "no-plan.md"]).stderr;
    assert!(said.contains("there is no plan at"), "{said}");
    project.0.write("plan.md", "# Plan");
    assert!(!project.run("install", "claude-code", &["--plan", "plan.md"]).stderr.contains("no plan"));
    let home = project.0.data().with_file_name("own");
    let program = Path::new(env!("CARGO_BIN_EXE_etude"));
    let install = |flags: &[&str], path: &Path| {
        let mut command = std::process::Command::new(program);
        command.args(["agent", "install", "claude-code"]).args(flags).current_dir(project.root());
        command.env("PATH", path);
        command.env("ETUDE_DATA", project.0.data()).env("CLAUDE_CONFIG_DIR", &home);
        String::from_utf8_lossy(&command.output().unwrap().stderr).into_owned()
    };
    let elsewhere = &project.0.data();
    let there = program.parent().unwrap();
    let said = install(&[], elsewhere);
    assert!(said.contains("settings.local.json has the hook too") && !said.contains("PATH"), "{said}");
    let said = install(&["--project", "."], elsewhere);
    assert!(said.contains("own/settings.json has the hook too"), "{said}");
    assert!(said.contains("your PATH has no such program"), "{said}");
    assert!(!install(&["--project", "."], there).contains("PATH"));
}

#[test]
fn a_dry_run_writes_nothing() {
    for (agent, file) in FILES {
        let (project, path) = Project::new(file, None);
        let shown = project.run("install", agent, &["--dry-run"]);
        assert!(shown.stdout.contains("agent") && shown.stdout.contains("nothing was"), "{shown:?}");
        assert!(!path.exists(), "{agent}");
    }
}

#[test]
fn the_user_is_told_the_remaining_steps() {
    let (project, _) = Project::new(FILES[1].1, None);
    assert!(
        project.run("install", "codex", &[]).stdout.contains("/hooks"),
        "Codex has to be told to trust it"
    );
    let generic = project.run("install", "generic", &[]);
    assert!(generic.code == Some(2) && generic.stderr.contains("agent hook generic"), "{generic:?}");
}

#[test]
fn the_installed_command_works_as_a_hook() {
    let (project, path) = Project::new(FILES[0].1, None);
    project.run("install", "claude-code", &[]);
    let settings: Value = serde_json::from_str(&std::fs::read_to_string(&path).unwrap()).unwrap();
    let command = settings["hooks"]["Stop"][0]["hooks"][0]["command"].as_str().expect("there is a command");
    let payload = project.0.write("payload.json", CONTRACTS[0].payload(CONTRACTS[0].stop, "one").to_string());
    let mut shell = std::process::Command::new("sh");
    let output = shell
        .args(["-c", &format!("{command} < '{payload}'")])
        .env("ETUDE_DATA", project.0.data())
        .env("PATH", with_program())
        .output();
    let answer = String::from_utf8_lossy(&output.unwrap().stdout).trim().to_owned();
    assert!(CONTRACTS[0].message(&answer).is_some(), "{answer}");
    assert_eq!(journal(&project.0).len(), 1);
    assert_eq!(command, "etude agent hook claude-code", "a project's file has no path of its user");
}

#[test]
fn tools_are_watched_on_request() {
    let (project, path) = Project::new(FILES[0].1, Some(SETTINGS[2]));
    project.run("install", "claude-code", &["--watch-tools"]);
    let settings: Value = serde_json::from_str(&std::fs::read_to_string(&path).unwrap()).unwrap();
    let command = &settings["hooks"]["PostToolUse"][0]["hooks"][0]["command"];
    assert!(
        command.as_str().is_some_and(|command| command.ends_with("agent hook claude-code")),
        "{settings}"
    );
    let mut used = CONTRACTS[0].payload(CONTRACTS[0].stop, "one");
    used["hook_event_name"] = "PostToolUse".into();
    used["tool_name"] = "Bash".into();
    used["tool_input"] = serde_json::json!({"command": "make"});
    (0..7).for_each(|_| assert_eq!(CONTRACTS[0].call(&project.0, &used), ""));
    let said = journal(&project.0);
    assert_eq!(said.len(), 1, "{said:?}");
    assert_eq!(crate::common::text(&said[0], "/decision"), "watchdog");
    project.run("uninstall", "claude-code", &[]);
    assert_eq!(std::fs::read_to_string(&path).unwrap(), SETTINGS[2]);
}

/// The host offers only the three calls that the plugin uses.
#[test]
fn the_plugin_of_opencode_works_in_a_host() {
    if found(run(program("node").arg("--version"))).is_none() {
        return;
    }
    let (project, path) = Project::new(FILES[5].1, None);
    assert_eq!(project.run("install", "opencode", &[]).code, Some(0));
    let module = path.with_extension("mjs");
    std::fs::copy(&path, &module).unwrap();
    let host = project.0.write("host.mjs", include_str!("fixtures/opencode-1.18-host.mjs"));
    let output = program("node")
        .arg(&host)
        .arg(&module)
        .env("ETUDE_DATA", project.0.data())
        .env("PATH", with_program())
        .output();
    let output = output.expect("node runs");
    let told: Value = serde_json::from_slice(&output.stdout).unwrap_or_else(|_| panic!("{output:?}"));
    assert!(told["status"][0].as_str().is_some_and(|message| message.contains("Nothing followed")), "{told}");
    assert_eq!(told["question"], serde_json::json!([]), "{told}");
    assert_eq!(
        told["child"],
        serde_json::json!([]),
        "a session that another one started is left alone: {told}"
    );
    assert_eq!(told["error"], serde_json::json!([]), "{told}");
    assert!(
        told["todos"][0].as_str().is_some_and(|message| message.contains("- write the importer")),
        "its calls are seen: {told}"
    );
    for session in ["limited", "plan"] {
        assert_eq!(told[session], serde_json::json!([]), "{session}: {told}");
    }
    let lines = journal(&project.0);
    let decisions: Vec<&str> = lines.iter().map(|line| crate::common::text(line, "/decision")).collect();
    assert_eq!(decisions, ["continue", "deliver", "deliver", "continue", "deliver", "deliver"], "{told}");
    assert!(crate::common::text(&lines[4], "/reason").contains("then stop"), "{lines:?}");
    assert!(crate::common::text(&lines[5], "/reason").contains("plan"), "{lines:?}");
}

/// Prompts and errors name their folder, so they count where the hook asks for an allowed folder.
#[test]
fn the_plugin_of_opencode_is_heard_in_an_allowed_folder() {
    if found(run(program("node").arg("--version"))).is_none() {
        return;
    }
    let folder = Folder::new();
    let (home, here) = (folder.data().with_file_name("opencode"), folder.data().with_file_name("project"));
    std::fs::create_dir_all(&here).unwrap();
    let mut install = folder.command(&["agent", "install", "opencode"]);
    assert!(install.env("OPENCODE_CONFIG_DIR", &home).status().unwrap().success());
    assert_eq!(folder.run(&["agent", "allow", &here.display().to_string()]).code, Some(0));
    let module = home.join("etude.mjs");
    std::fs::copy(home.join("plugin/etude.js"), &module).unwrap();
    let host = folder.write("host.mjs", include_str!("fixtures/opencode-1.18-host.mjs"));
    let output = program("node").arg(&host).arg(&module).current_dir(&here).output().expect("node runs");
    let told: Value = serde_json::from_slice(&output.stdout).unwrap_or_else(|_| panic!("{output:?}"));
    assert_eq!(told["limited"], serde_json::json!([]), "{told}");
    let lines = journal(&folder);
    assert_eq!(lines.len(), 6, "{lines:?}");
    assert!(crate::common::text(&lines[4], "/reason").contains("then stop"), "{lines:?}");
}

#[test]
fn a_plugin_of_the_users_own_is_left_alone() {
    let (project, path) = Project::new(FILES[5].1, Some("// mine"));
    for verb in ["install", "uninstall"] {
        let refused = project.run(verb, "opencode", &[]);
        assert_eq!(refused.code, Some(1), "{refused:?}");
        assert!(refused.stderr.contains("left alone"), "{refused:?}");
    }
    assert_eq!(std::fs::read_to_string(&path).unwrap(), "// mine");
}

#[test]
fn flags_are_changed_in_place() {
    let (project, path) = Project::new(FILES[0].1, None);
    let commands = || {
        let settings: Value = serde_json::from_str(&std::fs::read_to_string(&path).unwrap()).unwrap();
        let listed = settings["hooks"]["Stop"].as_array().cloned().unwrap_or_default();
        listed
            .iter()
            .map(|group| group["hooks"][0]["command"].as_str().unwrap().to_owned())
            .collect::<Vec<_>>()
    };
    project.run("install", "claude-code", &["--check", "cargo test", "--max-continues", "5"]);
    assert_eq!(commands(), ["etude agent hook claude-code --check 'cargo test' --max-continues 5"]);
    project.run("install", "claude-code", &["--plan", "plan.md"]);
    assert_eq!(commands(), ["etude agent hook claude-code --plan plan.md"], "there is one hook");
    project.run("uninstall", "claude-code", &[]);
    assert!(!path.exists());
}

#[cfg(unix)]
#[test]
fn byte_order_marks_links_and_locks_are_respected() {
    let (project, path) = Project::new(FILES[0].1, Some("\u{feff}{}"));
    project.run("install", "claude-code", &[]);
    assert!(std::fs::read_to_string(&path).unwrap().starts_with('\u{feff}'));
    project.run("uninstall", "claude-code", &[]);
    assert_eq!(std::fs::read_to_string(&path).unwrap(), "\u{feff}{}", "the user's file is back");
    let (project, path) = Project::new(FILES[0].1, None);
    let target = path.with_file_name("elsewhere.json");
    std::os::unix::fs::symlink(&target, &path).unwrap();
    project.run("install", "claude-code", &[]);
    assert!(path.is_symlink() && target.is_file(), "a link stays a link");
}

/// Users may add a check to the settings long after they installed the hook.
#[test]
fn an_agent_gives_its_hook_the_time_that_a_check_takes() {
    for (agent, file) in FILES.iter().filter(|(agent, _)| !["opencode", "cursor"].contains(agent)) {
        let (project, path) = Project::new(file, None);
        assert_eq!(project.run("install", agent, &[]).code, Some(0), "{agent}");
        let written = std::fs::read_to_string(&path).unwrap();
        let times: Vec<u64> = written
            .split(|c: char| !c.is_ascii_digit())
            .filter_map(|number| number.parse().ok())
            .filter(|number| *number >= 10)
            .collect();
        let millis = if *agent == "gemini" { 1_000 } else { 1 };
        assert!(times.contains(&(310 * millis)), "{agent}: {written}");
    }
}
