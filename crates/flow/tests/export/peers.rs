//! The programs that exports are written for, where this machine has them.
//!
//! A missing tool is said aloud and skips its test. Where `CI` is set, Node must be there.

use std::fs::{self, File};
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::Command;

/// A folder in which Node finds the packages of `tests/node`, installed once per lock file.
pub(crate) fn node_folder() -> Option<PathBuf> {
    for tool in ["node", "npm"] {
        if run(Command::new(tool).arg("--version")).is_err() {
            return missing(&format!("no {tool} on the PATH; install Node.js 20 or later"));
        }
    }
    let folder = work_folder("node");
    let lock = File::create(folder.join("install.lock")).expect("the lock file can be written");
    lock.lock().expect("no other test holds the lock for ever");
    match install(&folder) {
        Ok(()) => Some(folder),
        Err(why) => missing(&format!("npm could not install the packages of tests/node: {why}")),
    }
}

pub(crate) fn kotlin() -> bool {
    let tools = [("kotlinc", "-version"), ("java", "-version")];
    let absent = tools.iter().find(|(tool, version)| run(Command::new(tool).arg(version)).is_err());
    if let Some((tool, _)) = absent {
        say(&format!("skipped: no {tool}"));
    }
    absent.is_none()
}

/// A folder for what one test writes.
pub(crate) fn work_folder(name: &str) -> PathBuf {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("export").join(name);
    fs::create_dir_all(&folder).expect("the target folder can be written to");
    folder
}

/// What a command printed, or why it failed.
pub(crate) fn run(command: &mut Command) -> Result<String, String> {
    let output = command.output().map_err(|error| format!("{command:?}: {error}"))?;
    let [said, complained] = [&output.stdout, &output.stderr].map(|text| String::from_utf8_lossy(text));
    if output.status.success() {
        return Ok(said.into_owned());
    }
    // Some compilers complain on standard output.
    let why = if complained.trim().is_empty() { said } else { complained };
    Err(format!("{command:?} failed\n{why}"))
}

fn install(folder: &Path) -> Result<(), String> {
    let ours = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/node");
    let wanted = read(&ours.join("package-lock.json"));
    let stamp = folder.join("node_modules/installed-from.json");
    if stamp.exists() && read(&stamp) == wanted {
        return Ok(());
    }
    for name in ["package.json", "package-lock.json", ".npmrc"] {
        fs::copy(ours.join(name), folder.join(name)).map_err(|error| error.to_string())?;
    }
    let quiet =
        ["ci", "--loglevel=error", "--ignore-scripts", "--no-audit", "--no-fund", "--fetch-retries=1"];
    run(Command::new("npm").args(quiet).current_dir(folder))?;
    fs::write(stamp, wanted).map_err(|error| error.to_string())
}

fn read(path: &Path) -> String {
    fs::read_to_string(path).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}

#[expect(clippy::disallowed_methods, reason = "only the environment says that a test server runs this")]
fn missing(why: &str) -> Option<PathBuf> {
    assert!(std::env::var_os("CI").is_none(), "{why}");
    let brief: Vec<&str> = why.lines().take(2).collect();
    say(&format!("skipped: {}", brief.join(": ")));
    None
}

/// Written past the test harness, which keeps what passing tests print to itself.
fn say(line: &str) {
    let _ = writeln!(std::io::stderr(), "{line}");
}
