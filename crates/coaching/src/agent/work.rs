//! What an agent did since the human last spoke, as its own record shows it. A sentence is no evidence; a run is.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// How many runs are kept, the last ones, and how much of what a failed one printed.
pub const MAX_RUNS: usize = 20;
const MAX_OUTPUT_CHARS: usize = 600;
const MAX_LINES: usize = 8;

/// Seen in the agent's transcript, or counted by who reports the stop.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
pub struct Work {
    /// What the human said last, and what the session began with.
    pub prompt: Option<String>,
    pub task: Option<String>,
    /// The agent's to-do list, if it wrote it since the human last spoke.
    pub todos: Vec<Todo>,
    /// The files that were changed, the last one last.
    pub changed: Vec<String>,
    /// How many tools were used.
    pub calls: u32,
    /// The last commands that were run.
    pub runs: Vec<Run>,
    /// A call that the human refused, and nothing was done after it.
    pub was_refused: bool,
    /// The human interrupted the agent.
    pub was_interrupted: bool,
    /// The plan that the agent wrote.
    pub plan: Option<String>,
}

/// An item of the agent's to-do list.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
pub struct Todo {
    pub text: String,
    pub is_done: bool,
    pub is_begun: bool,
}

/// A command that was run.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
pub struct Run {
    pub command: String,
    /// Whether it failed, where that can be told.
    pub has_failed: Option<bool>,
    /// It builds, checks or tests the work; tests are told apart.
    pub is_check: bool,
    pub is_test: bool,
    /// Nothing was changed after it.
    pub is_after_change: bool,
    /// The last lines of a check that failed.
    pub output: String,
}

/// The user's own check, run on a claim of being done.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
pub struct Check {
    pub command: String,
    /// Absent if it came to no end: it could not be started, or took too long.
    pub passed: Option<bool>,
    /// What it says about its failure, or why it came to no end.
    pub lines: String,
}

impl Work {
    /// The checks that ran after the last change.
    fn fresh(&self) -> impl DoubleEndedIterator<Item = &Run> {
        self.runs.iter().filter(|run| run.is_check && run.is_after_change)
    }

    /// A check that passed after the last change. A later failure of the same kind takes it back.
    pub fn proof(&self) -> Option<&Run> {
        if self.failure().is_some() {
            return None;
        }
        self.fresh().rev().find(|run| run.has_failed == Some(false))
    }

    pub fn tested(&self) -> Option<&Run> {
        self.proof().and(self.fresh().rev().find(|run| run.is_test && run.has_failed == Some(false)))
    }

    /// The last check, if it failed and was not run again with another result.
    pub fn failure(&self) -> Option<&Run> {
        let last = self.runs.iter().rev().find(|run| run.is_check && run.has_failed.is_some())?;
        Some(last).filter(|run| run.has_failed == Some(true))
    }

    pub fn open_todos(&self) -> impl Iterator<Item = &Todo> {
        self.todos.iter().filter(|todo| !todo.is_done)
    }

    /// Whether any changed file is more than text, a picture or style, so that a run can tell something about it.
    pub fn has_changed_code(&self) -> bool {
        self.changed.iter().any(|file| !is_prose(file))
    }

    /// Whether anything happened since the human spoke.
    pub fn is_idle(&self) -> bool {
        self.calls == 0 && self.changed.is_empty() && self.runs.is_empty()
    }
}

/// Files that no check looks into.
pub fn is_prose(file: &str) -> bool {
    const ENDINGS: &[&str] = &[
        "md",
        "mdx",
        "txt",
        "rst",
        "adoc",
        "tex",
        "css",
        "scss",
        "sass",
        "less",
        "svg",
        "png",
        "jpg",
        "jpeg",
        "gif",
        "ico",
        "pdf",
        "license",
        "gitignore",
        "po",
        "ftl",
    ];
    const NAMES: &[&str] =
        &["license", "readme", "changelog", "authors", "contributing", "notice", "codeowners"];
    let name = file.rsplit('/').next().unwrap_or_default().to_lowercase();
    let ending = name.rsplit_once('.').map_or("", |(_, ending)| ending);
    ENDINGS.contains(&ending) || NAMES.contains(&name.as_str())
}

impl Run {
    /// A command with its result. Where a pipe or `|| true` hides the exit code, the output tells.
    pub fn of(command: &str, has_failed: Option<bool>, output: &str) -> Run {
        let (is_check, is_test) = kind_of(command);
        // A script of the project's own is known by what it prints.
        let counts = is_program(command) && told_by(output).is_some() && !ran_nothing(output);
        let (is_check, is_test) = (is_check || counts, is_test || counts);
        let told =
            if hides_result(command) && has_failed != Some(true) { told_by(output) } else { has_failed };
        // A run that says that tests failed has failed, whatever it returned.
        let has_failed = match told_by(output) {
            Some(true) if is_check => Some(true),
            // Nothing was tested, so nothing is shown.
            _ if is_test && ran_nothing(output) && told == Some(false) => None,
            _ => told,
        };
        let output = if is_check && has_failed == Some(true) { failing_lines(output) } else { String::new() };
        Run { command: command.to_owned(), has_failed, is_check, is_test, is_after_change: true, output }
    }
}

/// The lines of an output that say what failed, or else its last ones.
pub fn failing_lines(output: &str) -> String {
    let lines: Vec<&str> = output.lines().map(str::trim_end).filter(|line| !line.trim().is_empty()).collect();
    let telling: Vec<&str> =
        lines.iter().copied().filter(|line| tells_failure(line)).take(MAX_LINES).collect();
    let shown =
        if telling.is_empty() { &lines[lines.len().saturating_sub(MAX_LINES)..] } else { &telling[..] };
    let text = shown.join("\n");
    match text.char_indices().nth(MAX_OUTPUT_CHARS) {
        Some((end, _)) => format!("{}…", &text[..end]),
        None => text,
    }
}

fn tells_failure(line: &str) -> bool {
    let lower = line.to_lowercase();
    let marks =
        ["failed", "error", "panicked", "assert", "expected", "not ok", "✗", "✘", "✕", "traceback", "fatal"];
    let is_clean =
        ["0 failed", "0 errors", "no errors", "error: 0", "errors: 0"].iter().any(|ok| lower.contains(ok));
    marks.iter().any(|mark| lower.contains(mark))
        && !(is_clean && !lower.contains("failed;") || lower.contains("0 failed"))
}

/// Whether a test run says that it ran no test at all.
fn ran_nothing(output: &str) -> bool {
    let lower = output.to_lowercase();
    let marks = [
        "no tests ran",
        "no tests found",
        "no test files",
        "no tests to run",
        "collected 0 items",
        "ran 0 tests",
        "0 passed",
        "0 passing",
        "running 0 tests",
        "tests run: 0",
        "0 tests",
        "no tests were executed",
        "executed 0 tests",
    ];
    let is_alone = |mark: &&str| {
        lower.match_indices(*mark).any(|(at, _)| !lower[..at].ends_with(|c: char| c.is_ascii_digit()))
    };
    marks.iter().any(is_alone) && told_by(output).is_none()
}

/// Whether the output of a check says that it failed, or that it passed.
fn told_by(output: &str) -> Option<bool> {
    let lower = output.to_lowercase();
    let counts = |word: &str| {
        lower.match_indices(word).any(|(at, _)| {
            let before = lower[..at].trim_end_matches([' ', '\t']);
            let digits = before.bytes().rev().take_while(u8::is_ascii_digit).count();
            digits > 0 && before[before.len() - digits..].bytes().any(|digit| digit != b'0')
        })
    };
    if counts("failed")
        || counts("failing")
        || counts("failures")
        || lower.contains("test result: failed")
        || lower.contains("error: could not compile")
    {
        return Some(true);
    }
    let is_ok = lower.contains("test result: ok") && !lower.contains("ok. 0 passed");
    (counts("passed") || counts("passing") || counts("tests passed") || is_ok).then_some(false)
}

/// Programs that test, with or without a word after them.
const TESTERS: &[&str] = &[
    "pytest",
    "unittest",
    "jest",
    "vitest",
    "mocha",
    "rspec",
    "phpunit",
    "tox",
    "nox",
    "ctest",
    "cypress",
    "playwright",
    "nextest",
    "minitest",
    "karma",
    "ava",
    "behave",
    "busted",
    "bats",
    "pest",
];
/// Words after a build tool that make it a test, or another check.
const TESTS: &[&str] = &["test", "tests", "spec", "specs", "e2e"];
const CHECKS: &[&str] = &[
    "build",
    "check",
    "lint",
    "clippy",
    "vet",
    "typecheck",
    "tsc",
    "eslint",
    "ruff",
    "mypy",
    "flake8",
    "pylint",
    "verify",
    "compile",
    "validate",
    "ci",
    "pyright",
    "shellcheck",
    "biome",
    "staticcheck",
    "golangci",
];
/// Programs that only look or move things about: what stands after them is no check.
const LOOKERS: &[&str] = &[
    "cat", "ls", "grep", "rg", "find", "git", "head", "tail", "sed", "awk", "echo", "printf", "cd", "mkdir",
    "rm", "cp", "mv", "touch", "vim", "vi", "nano", "less", "more", "wc", "diff", "tree", "which", "gh",
    "curl", "open", "code", "export", "sleep", "kill", "true", "false", ":", "test", "[", "rustfmt",
    "prettier", "black", "pip", "brew", "apt", "man",
];
/// Flags with which a checker checks nothing.
const IDLE_FLAGS: &[&str] =
    &["--help", "-h", "--version", "-V", "--no-run", "--collect-only", "--list", "--dry-run", "--co"];

/// Whether a command checks the work, and whether it tests it.
fn kind_of(command: &str) -> (bool, bool) {
    let mut found = (false, false);
    for part in parts(command) {
        let words: Vec<&str> =
            part.split_whitespace().filter(|word| !word.contains('=') || word.starts_with('-')).collect();
        let wrappers = [
            "sudo", "time", "timeout", "env", "nice", "xvfb-run", "bash", "sh", "-c", "npx", "bunx", "uv",
            "poetry", "bundle",
        ];
        let at = words.iter().position(|word| {
            let is_number = word.trim_end_matches(['s', 'm']).bytes().all(|byte| byte.is_ascii_digit());
            !wrappers.contains(word) && !is_number && *word != "exec"
        });
        let Some(at) = at else { continue };
        let program = words[at].rsplit('/').next().unwrap_or_default();
        if LOOKERS.contains(&program) || words.iter().any(|word| IDLE_FLAGS.contains(word)) {
            continue;
        }
        let mut pieces =
            words[at..].iter().take(6).flat_map(|word| word.split(|c: char| !c.is_alphanumeric()));
        let is_named = pieces.clone().any(|piece| TESTERS.contains(&piece) || TESTS.contains(&piece));
        let is_test = is_named || is_suite(program, words.get(at + 1).copied().unwrap_or_default());
        let is_check = is_test || pieces.any(|piece| CHECKS.contains(&piece));
        found = (found.0 || is_check, found.1 || is_test);
    }
    found
}

/// Targets that run a project's tests by convention.
fn is_suite(program: &str, target: &str) -> bool {
    match program {
        "make" | "just" | "task" | "gradle" | "gradlew" => target == "check",
        "mvn" | "mvnw" => matches!(target, "verify" | "install"),
        "npm" | "pnpm" | "yarn" | "bun" => target == "t",
        _ => false,
    }
}

/// Whether a command runs something of the project, and does not only look or print.
fn is_program(command: &str) -> bool {
    let printed = [" -c ", " -e ", "--help"].iter().any(|flag| command.contains(flag));
    let runs = |part: &String| {
        let program = part.split_whitespace().find(|word| !word.contains('=')).unwrap_or_default();
        let program = program.rsplit('/').next().unwrap_or_default();
        !program.is_empty() && !LOOKERS.contains(&program)
    };
    !printed && parts(command).iter().any(runs)
}

/// Folders whose content is made again at will.
const REMADE: &[&str] =
    &["/tmp", "target", "build", "dist", "node_modules", "/dev/null", ".cache", "coverage"];
/// What the names of scripts say that rewrite files.
const REWRITERS: &[&str] = &[
    "fix", "migrat", "codemod", "patch", "rename", "refactor", "replace", "convert", "rewrite", "generate",
    "apply", "update",
];

/// The file that a command changes, or how it does so if it names none.
pub fn changed_by(command: &str) -> Option<String> {
    redirected(command).or_else(|| parts(command).iter().find_map(|part| changed_in(part)))
}

fn redirected(command: &str) -> Option<String> {
    let bare: String = command.replace(">>", ">").replace("2>", " ").replace("&>", " ");
    let (before, after) = bare.split_once('>')?;
    let file = after.split_whitespace().next()?.trim_matches(['"', '\'']).to_owned();
    let quotes = before.matches(['"', '\'']).count();
    (quotes % 2 == 0 && !is_remade(&file) && !file.starts_with('&')).then_some(file)
}

fn is_remade(file: &str) -> bool {
    REMADE.iter().any(|known| file.trim_start_matches("./").starts_with(known)) || file.ends_with(".log")
}

fn changed_in(part: &str) -> Option<String> {
    let words: Vec<&str> = part.split_whitespace().filter(|word| *word != "sudo").collect();
    let (program, rest) = words.split_first()?;
    let program = program.rsplit('/').next().unwrap_or_default();
    let file = || rest.iter().rev().find(|word| !word.starts_with('-')).map(|word| (*word).to_owned());
    let has = |flag: &str| rest.iter().any(|word| word.starts_with(flag));
    let verb = rest.first().copied().unwrap_or_default();
    let whole = || format!("files with `{}`", words.iter().take(3).copied().collect::<Vec<_>>().join(" "));
    match program {
        "rm" | "mv" | "cp" | "truncate" | "tee" | "unlink" | "patch" => {
            file().filter(|file| !is_remade(file)).or_else(|| (program == "patch").then(whole))
        }
        "sed" | "perl" | "gawk" if has("-i") || has("-pi") || has("--in-place") => file(),
        "git" => {
            let changes = [
                "checkout",
                "restore",
                "stash",
                "apply",
                "revert",
                "merge",
                "reset",
                "pull",
                "rebase",
                "cherry-pick",
                "rm",
                "mv",
                "clean",
                "am",
                "switch",
            ];
            let looks =
                ["list", "show", "-b", "-c", "--abort", "drop"].iter().any(|word| rest[1..].contains(word));
            let named =
                rest[1..].iter().rev().find(|word| word.contains(['.', '/']) && !word.starts_with('-'));
            (changes.contains(&verb) && !looks).then(|| named.map_or_else(whole, |file| (*file).to_owned()))
        }
        "python" | "python3" | "node" | "ruby" | "bash" | "sh" | "deno" | "bun" | "php" => {
            let script = verb.rsplit('/').next().unwrap_or_default();
            REWRITERS.iter().any(|name| script.starts_with(name)).then(whole)
        }
        script if words[0].starts_with("./") => {
            REWRITERS.iter().any(|name| script.starts_with(name)).then(whole)
        }
        _ => None,
    }
}

/// The single commands of a line, without comments and what stands in quotes.
fn parts(command: &str) -> Vec<String> {
    let mut bare = String::new();
    let mut quote = None;
    for c in command.chars() {
        match quote {
            Some(open) if open == c => quote = None,
            Some(_) => {}
            None if c == '\'' || c == '"' => quote = Some(c),
            None => bare.push(c),
        }
    }
    let lines = bare.lines().map(|line| line.split(" #").next().unwrap_or_default().to_owned());
    let lines = lines.filter(|line| !line.trim_start().starts_with('#'));
    lines.flat_map(|line| line.split(['&', ';', '|']).map(str::to_owned).collect::<Vec<_>>()).collect()
}

/// Whether the exit code is that of something else than the check.
fn hides_result(command: &str) -> bool {
    let pipes = command.replace("||", "").contains('|') && !command.contains("pipefail");
    let last = parts(command).pop().unwrap_or_default();
    pipes || command.contains("|| ") || (command.contains(';') && !kind_of(&last).0)
}
