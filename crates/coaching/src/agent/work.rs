//! Reads an agent's work since the human last spoke from the agent's own record. A sentence is not evidence; a run
//! is.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// The maximum number of runs that are kept, the last ones, and the maximum length of a failed run's output, in
/// characters and in lines.
pub const MAX_RUNS: usize = 20;
const MAX_OUTPUT_CHARS: usize = 600;
const MAX_LINES: usize = 8;

/// The agent's work since the human last spoke, as seen in its transcript or counted by the program that reports
/// the stop.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
pub struct Work {
    /// The human's latest prompt, and the one that the session began with.
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
    /// Whether the human refused a call and nothing was done after it.
    pub was_refused: bool,
    /// Whether the human interrupted the agent.
    pub was_interrupted: bool,
    /// The plan that the agent wrote.
    pub plan: Option<String>,
    /// The tests that passed before the human last spoke, if nothing was changed in between.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub tested_before: Option<Run>,
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
    /// Whether it builds, checks or tests the work, and whether it is a test.
    pub is_check: bool,
    pub is_test: bool,
    /// Whether nothing was changed after it.
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
    /// The lines about its failure, or the reason why it came to no end.
    pub lines: String,
}

impl Work {
    /// Returns the checks that ran after the last change.
    fn fresh(&self) -> impl DoubleEndedIterator<Item = &Run> {
        self.runs.iter().filter(|run| run.is_check && run.is_after_change)
    }

    /// Returns the last check that passed after the last change, unless a later check failed.
    pub fn proof(&self) -> Option<&Run> {
        if self.failure().is_some() {
            return None;
        }
        self.fresh().rev().find(|run| run.has_failed == Some(false))
    }

    pub fn tested(&self) -> Option<&Run> {
        self.proof().and(self.fresh().rev().find(|run| run.is_test && run.has_failed == Some(false)))
    }

    /// Whether tests passed on the files as they are now.
    pub fn is_tested(&self) -> bool {
        let still_holds =
            || !self.has_changed_code() && self.failure().is_none() && self.tested_before.is_some();
        self.tested().is_some() || still_holds()
    }

    /// Returns the last check that has a result, if it failed.
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

    /// Whether nothing has happened since the human spoke.
    pub fn is_idle(&self) -> bool {
        self.calls == 0 && self.changed.is_empty() && self.runs.is_empty()
    }
}

/// Whether a file is of a kind that no check looks into.
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
    /// Describes a command with its result. Where a pipe or `|| true` hides the exit code, the output gives the
    /// result.
    pub fn of(command: &str, has_failed: Option<bool>, output: &str) -> Run {
        let (is_check, is_test) = kind_of(command);
        // A script of the project's own is recognised as a test by its output.
        let counts = is_program(command) && told_by(output).is_some() && !ran_nothing(output);
        let (is_check, is_test) = (is_check || counts, is_test || counts);
        let told =
            if hides_result(command) && has_failed != Some(true) { told_by(output) } else { has_failed };
        // A run whose output reports failed tests has failed, whatever it returned.
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

/// Returns the lines of an output that say what failed, or else its last ones.
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
    let marks = [
        "failed",
        "fail ",
        "fail:",
        "error",
        "panicked",
        "assert",
        "expected",
        "not ok",
        "✗",
        "✘",
        "✕",
        "✖",
        "×",
        "traceback",
        "fatal",
    ];
    let is_clean =
        ["0 failed", "0 errors", "no errors", "error: 0", "errors: 0"].iter().any(|ok| has_count(&lower, ok));
    marks.iter().any(|mark| lower.contains(mark))
        && !(is_clean && !lower.contains("failed;") || has_count(&lower, "0 failed"))
}

/// Whether a text contains a count that is not part of another: "10 failed" does not contain "0 failed", nor does
/// "error: 0x8007" contain "error: 0".
fn has_count(text: &str, count: &str) -> bool {
    text.match_indices(count).any(|(at, _)| {
        let (before, after) = (&text[..at], &text[at + count.len()..]);
        !before.ends_with(|c: char| c.is_ascii_digit())
            && !after.starts_with(|c: char| c.is_ascii_alphanumeric())
    })
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
    marks.iter().any(|mark| has_count(&lower, mark)) && told_by(output).is_none()
}

/// Returns whether the output of a check says that it failed, or `None` if it says neither that nor that it passed.
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
/// Words that the name of a test begins or ends with: a target, a script or a folder of scripts.
const TESTS: &[&str] = &["test", "tests", "spec", "specs", "e2e"];
/// Words that the command of any other check contains.
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
/// Programs that only look at things or move them about. The words after them name no check.
const LOOKERS: &[&str] = &[
    "cat",
    "ls",
    "grep",
    "rg",
    "find",
    "git",
    "head",
    "tail",
    "sed",
    "awk",
    "echo",
    "printf",
    "cd",
    "mkdir",
    "rm",
    "cp",
    "mv",
    "touch",
    "vim",
    "vi",
    "nano",
    "less",
    "more",
    "wc",
    "diff",
    "tree",
    "which",
    "gh",
    "curl",
    "open",
    "code",
    "export",
    "sleep",
    "kill",
    "true",
    "false",
    ":",
    "test",
    "[",
    "rustfmt",
    "prettier",
    "black",
    "pip",
    "pip3",
    "brew",
    "apt",
    "apt-get",
    "man",
    "chmod",
    "chown",
    "ln",
    "jq",
    "yq",
    "tar",
    "zip",
    "unzip",
    "scp",
    "rsync",
    "wget",
    "stat",
    "file",
    "du",
    "df",
    "sort",
    "uniq",
    "cut",
    "tee",
    "source",
    ".",
    "set",
    "createdb",
    "dropdb",
    "psql",
    "mysql",
    "mongosh",
    "sqlite3",
    "redis-cli",
    "useradd",
    "adduser",
    "read",
    "type",
    "basename",
    "dirname",
    "realpath",
    "pgrep",
    "pkill",
    "ps",
    "bat",
    "fd",
    "ag",
    "ack",
    "nvim",
    "emacs",
    "rmdir",
    "pushd",
    "popd",
    "xdg-open",
];
/// Words after which a command names something to set up or to look at, not to run.
const SETUPS: &[&str] = &[
    "install",
    "i",
    "add",
    "init",
    "create",
    "new",
    "remove",
    "uninstall",
    "update",
    "upgrade",
    "ls",
    "list",
    "view",
    "info",
    "why",
    "outdated",
    "show",
    "search",
    "audit",
    "help",
    "config",
    "publish",
    "link",
    "unlink",
    "prune",
    "cache",
    "pull",
    "push",
    "logs",
    "get",
    "describe",
    "generate",
    "g",
    "codegen",
    "show-report",
    "apply",
];
/// Programs that stand before the program that is run.
const WRAPPERS: &[&str] = &[
    "sudo",
    "time",
    "timeout",
    "env",
    "nice",
    "xvfb-run",
    "bash",
    "sh",
    "zsh",
    "-c",
    "-lc",
    "npx",
    "bunx",
    "pnpx",
    "uvx",
    "uv",
    "poetry",
    "pipenv",
    "bundle",
    "exec",
    "nohup",
    "cross-env",
    "dotenv",
    "--",
];
/// Programs that start others somewhere else, after words of their own.
const CARRIERS: &[&str] = &[
    "docker",
    "docker-compose",
    "podman",
    "nerdctl",
    "kubectl",
    "ssh",
    "nix",
    "nix-shell",
    "direnv",
    "doppler",
    "conda",
    "mamba",
    "coverage",
    "watchexec",
    "vagrant",
    "run",
];
/// Tools that run targets of a project, which may stand after other words.
const RUNNERS: &[&str] = &[
    "cargo",
    "npm",
    "pnpm",
    "yarn",
    "bun",
    "deno",
    "go",
    "make",
    "gmake",
    "just",
    "task",
    "mvn",
    "mvnw",
    "gradle",
    "gradlew",
    "sbt",
    "lein",
    "mix",
    "rake",
    "rails",
    "dotnet",
    "swift",
    "xcodebuild",
    "bazel",
    "bazelisk",
    "meson",
    "ninja",
    "cmake",
    "zig",
    "flutter",
    "dart",
    "ng",
    "nx",
    "turbo",
    "lerna",
    "hatch",
    "pdm",
    "rye",
    "stack",
    "cabal",
    "dune",
    "composer",
    "artisan",
    "ant",
    "invoke",
    "inv",
    "mage",
    "earthly",
];
/// Programs that run a script or a module.
const INTERPRETERS: &[&str] = &[
    "python", "python3", "node", "ruby", "perl", "php", "tsx", "ts-node", "Rscript", "lua", "julia",
    "elixir", "bash", "sh",
];
/// Parts of a name which show that the thing is made for tests but runs none.
const NO_RUNS: &[&str] = &[
    "create", "seed", "make", "build", "setup", "install", "gen", "generate", "add", "clean", "init", "lint",
    "deploy", "start", "serve", "data", "db", "database", "user", "users", "fixture", "fixtures", "server",
    "env", "image", "report", "results", "watch", "reset", "delete", "remove", "update",
];
/// The maximum number of arguments that are examined.
const MAX_WORDS: usize = 8;
/// Flags with which a checker checks nothing.
const IDLE_FLAGS: &[&str] =
    &["--help", "-h", "--version", "-V", "--no-run", "--collect-only", "--list", "--dry-run", "--co"];

/// Returns whether a command checks the work, and whether it tests it.
fn kind_of(command: &str) -> (bool, bool) {
    let kinds = parts(command).into_iter().map(|part| kind_of_one(&part));
    kinds.fold((false, false), |found, kind| (found.0 || kind.0, found.1 || kind.1))
}

fn kind_of_one(part: &str) -> (bool, bool) {
    let is_number = |word: &str| word.trim_end_matches(['s', 'm']).bytes().all(|byte| byte.is_ascii_digit());
    let words: Vec<&str> = part
        .split_whitespace()
        .filter(|word| !word.contains('=') || word.starts_with('-'))
        .skip_while(|word| WRAPPERS.contains(word) || word.starts_with('-') || is_number(word))
        .collect();
    let is_idle = words.iter().any(|word| IDLE_FLAGS.contains(word));
    let (Some((program, rest)), false) = (words.split_first(), is_idle) else { return (false, false) };
    let program = base(program);
    let verb = rest.iter().copied().find(|word| !word.starts_with(['-', '+'])).unwrap_or_default();
    let is_suite = is_suite(program, verb);
    let installs = SETUPS.contains(&program) || SETUPS.contains(&verb) || (program == "npm" && verb == "ci");
    if LOOKERS.contains(&program) || (installs && !is_suite) {
        return (false, false);
    }
    let is_test = is_suite || tests(&words);
    let mut pieces = words.iter().take(6).flat_map(|word| word.split(|c: char| !c.is_alphanumeric()));
    (is_test || pieces.any(|piece| CHECKS.contains(&piece)), is_test)
}

/// Whether a command runs tests, by the name of its program, its target or its script.
fn tests(words: &[&str]) -> bool {
    let Some((first, rest)) = words.split_first() else { return false };
    let program = base(first);
    let rest = &rest[..rest.len().min(MAX_WORDS)];
    let targets = || rest.iter().copied().filter(|word| !word.starts_with(['-', '+']));
    let verb = targets().next().unwrap_or_default();
    if TESTERS.contains(&program) || is_script_of_tests(first) {
        return true;
    }
    if CARRIERS.contains(&program) {
        return carried(rest);
    }
    if INTERPRETERS.contains(&program) {
        let is_module = rest.windows(2).any(|pair| pair[0] == "-m" && TESTERS.contains(&pair[1]));
        let target = || targets().nth(1).is_some_and(|target| TESTS.contains(&target));
        return is_module || rest.contains(&"--test") || is_script_of_tests(verb) || target();
    }
    // "cargo run" starts the project's own program.
    let runs_itself =
        verb == "run" && ["cargo", "go", "dotnet", "swift", "dart", "flutter", "zig"].contains(&program);
    let is_target = |word: &str| !runs_itself && !word.contains(['.', '=']) && is_named_for_tests(word);
    if RUNNERS.contains(&program) {
        return targets().any(|word| is_target(word) || TESTERS.contains(&base(word)));
    }
    is_target(verb)
}

/// Whether a container, another machine or `uv run` is told to run tests. The first known program among the words
/// decides.
fn carried(words: &[&str]) -> bool {
    let known = [TESTERS, RUNNERS, INTERPRETERS, LOOKERS, SETUPS];
    let is_known =
        |word: &&str| known.iter().any(|known| known.contains(&base(word))) || word.ends_with(".sh");
    let Some(at) = words.iter().position(is_known) else { return false };
    ![LOOKERS, SETUPS].iter().any(|known| known.contains(&base(words[at]))) && tests(&words[at..])
}

fn base(word: &str) -> &str {
    word.rsplit('/').next().unwrap_or_default()
}

/// Whether a path leads to a script that is named for tests, or that is in a folder of tests.
fn is_script_of_tests(path: &str) -> bool {
    let is_script = path.contains('/') || path.contains('.');
    let name = base(path);
    let stem = name.split_once('.').map_or(name, |(stem, _)| stem);
    let in_folder = path.rsplit('/').skip(1).any(|folder| TESTS.contains(&folder));
    let makes = || pieces_of(stem).iter().any(|piece| NO_RUNS.contains(&piece.as_str()));
    is_script && (TESTERS.contains(&name) || is_named_for_tests(stem) || (in_folder && !makes()))
}

/// Whether a name says that tests are run: "test_all", "unit-tests" and "testDebug", but not "seed-test-data" or
/// "test-db".
fn is_named_for_tests(name: &str) -> bool {
    let pieces = pieces_of(name);
    let is_test = |piece: Option<&String>| {
        piece.is_some_and(|piece| TESTS.contains(&piece.as_str()) || TESTERS.contains(&piece.as_str()))
    };
    (is_test(pieces.first()) || is_test(pieces.last()))
        && !pieces.iter().any(|piece| NO_RUNS.contains(&piece.as_str()))
}

/// Splits a name into the words that it is composed of, in lower case.
fn pieces_of(name: &str) -> Vec<String> {
    let mut pieces = vec![String::new()];
    let mut was_lower = false;
    for c in name.chars() {
        if !c.is_alphanumeric() || (c.is_uppercase() && was_lower) {
            pieces.push(String::new());
        }
        was_lower = c.is_lowercase();
        let last = pieces.last_mut().expect("there is always a last piece");
        last.extend(Some(c).filter(|c| c.is_alphanumeric()).into_iter().flat_map(char::to_lowercase));
    }
    pieces.retain(|piece| !piece.is_empty());
    pieces
}

/// Whether a target runs a project's tests by convention.
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
    let printed = [" -c ", " -e ", " - <<", "--help"].iter().any(|flag| command.contains(flag));
    let runs = |part: &String| {
        let program = part.split_whitespace().find(|word| !word.contains('=')).unwrap_or_default();
        let program = program.rsplit('/').next().unwrap_or_default();
        !program.is_empty() && !LOOKERS.contains(&program)
    };
    !printed && parts(command).iter().any(runs)
}

/// Folders whose content can be made again at will.
const REMADE: &[&str] =
    &["/tmp", "target", "build", "dist", "node_modules", "/dev/null", ".cache", "coverage"];
/// Beginnings of the names of scripts that rewrite files.
const REWRITERS: &[&str] = &[
    "fix", "migrat", "codemod", "patch", "rename", "refactor", "replace", "convert", "rewrite", "generate",
    "apply", "update",
];

/// Returns the file that a command changes or, if the command names none, the beginning of the command.
pub fn changed_by(command: &str) -> Option<String> {
    redirected(command).or_else(|| parts(command).iter().find_map(|part| changed_in(part)))
}

fn redirected(command: &str) -> Option<String> {
    let plain = quoted_as(&without_documents(command), |c| if c == '>' { ' ' } else { c });
    let plain = plain.replace(">>", ">").replace("2>", " ").replace("&>", " ");
    plain.split('>').skip(1).find_map(|after| {
        let file = after.split_whitespace().next()?.trim_matches(['"', '\'', ';', ')']);
        let is_file = file.contains(char::is_alphabetic) && !file.starts_with(['&', '(', '=']);
        (is_file && !is_remade(file)).then(|| file.to_owned())
    })
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
            let after = rest.get(1..).unwrap_or_default();
            let looks =
                ["list", "show", "-b", "-c", "--abort", "drop"].iter().any(|word| after.contains(word));
            let named = after.iter().rev().find(|word| word.contains(['.', '/']) && !word.starts_with('-'));
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

/// Splits a command line into single commands, without comments and quoted text.
fn parts(command: &str) -> Vec<String> {
    let bare: String =
        quoted_as(&without_documents(command), |_| '\0').chars().filter(|c| !"\0'\"".contains(*c)).collect();
    // A backslash joins a line with the next.
    let bare = bare.replace("\\\n", " ");
    bare.split(['&', ';', '|', '\n']).map(str::to_owned).collect()
}

/// Replaces the letters inside quotes and comments. In a comment, an apostrophe quotes nothing.
fn quoted_as(command: &str, instead: impl Fn(char) -> char) -> String {
    let (mut quote, mut in_comment, mut before) = (None, false, '\n');
    let letters = command.chars().map(|c| {
        let begins = quote.is_none() && c == '#' && before.is_whitespace();
        in_comment = (in_comment || begins) && c != '\n';
        before = c;
        match quote {
            _ if in_comment => instead(c),
            Some(open) if open == c => {
                quote = None;
                c
            }
            Some(_) => instead(c),
            None => {
                quote = Some(c).filter(|c| matches!(c, '\'' | '"'));
                c
            }
        }
    });
    letters.collect()
}

/// Returns the command without the documents that it contains, as between `<<EOF` and `EOF`.
fn without_documents(command: &str) -> String {
    let lines: Vec<&str> = command.lines().collect();
    let mut kept = Vec::new();
    let mut at = 0;
    while let Some(line) = lines.get(at) {
        kept.push(*line);
        at += 1;
        let Some(end) = document_end(line) else { continue };
        let is_end = |line: &&str| line.trim().trim_end_matches([')', '"', ';']) == end;
        if let Some(length) = lines[at..].iter().position(is_end) {
            // A substitution may be closed after the end mark.
            kept.push(&lines[at + length].trim()[end.len()..]);
            at += length + 1;
        }
    }
    kept.join("\n")
}

/// Returns the word that ends the document that begins after this line.
fn document_end(line: &str) -> Option<&str> {
    let after = line.match_indices("<<").find_map(|(at, _)| {
        let after = line[at + 2..].strip_prefix('-').unwrap_or(&line[at + 2..]);
        (!line[..at].ends_with('<') && !after.starts_with('<')).then_some(after)
    })?;
    let word = after.trim_start().trim_start_matches(['\'', '"', '\\']);
    let length = word.find(|c: char| !c.is_alphanumeric() && c != '_').unwrap_or(word.len());
    Some(&word[..length]).filter(|word| word.starts_with(|c: char| c.is_alphabetic() || c == '_'))
}

/// Whether the exit code is that of something other than the check.
fn hides_result(command: &str) -> bool {
    let plain = quoted_as(&without_documents(command), |_| '_');
    let pipes = plain.replace("||", "").contains('|') && !plain.contains("pipefail");
    let last = parts(command).into_iter().rev().find(|part| !part.trim().is_empty()).unwrap_or_default();
    let goes_on = plain.trim().contains([';', '\n']) && !plain.contains("set -e");
    pipes || plain.contains("|| ") || (goes_on && !kind_of(&last).0)
}
