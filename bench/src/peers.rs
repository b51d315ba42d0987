//! The peers: other people's programs, fetched when they are measured and kept in the target folder.
//!
//! A peer program prints one line of JSON, `{"value": …, "version": …}`, and its number is the best of its own
//! rounds. A peer that cannot be fetched is no failure of the benchmark: its row says why.

use serde::Deserialize;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

const XSTATE: &str = "xstate@5";
const PYTHON_PACKAGES: &[&str] = &[
    "transitions",
    "langgraph",
    "langgraph-checkpoint-sqlite",
    "langgraph-checkpoint-postgres",
    "psycopg[binary,pool]",
];

#[derive(Debug, Deserialize)]
pub struct Answer {
    pub value: f64,
    pub version: String,
}

/// Returns a folder in which `xstate` can be imported.
pub fn node_folder(cache: &Path) -> Result<PathBuf, String> {
    let folder = cache.join("xstate");
    if !folder.join("node_modules/xstate").is_dir() {
        make(&folder)?;
        println!("fetching {XSTATE}");
        let mut install = Command::new("npm");
        install.args(["install", "--no-audit", "--no-fund", "--prefix"]).arg(&folder).arg(XSTATE);
        run(&mut install)?;
    }
    Ok(folder)
}

/// Returns a Python that has every package that is measured.
pub fn python(cache: &Path) -> Result<PathBuf, String> {
    let folder = cache.join("python");
    let (python, stamp) = (folder.join("bin/python"), folder.join("installed"));
    let wanted = PYTHON_PACKAGES.join(" ");
    if std::fs::read_to_string(&stamp).is_ok_and(|installed| installed == wanted) {
        return Ok(python);
    }
    println!("fetching {wanted}");
    run(Command::new("python3").args(["-m", "venv"]).arg(&folder))?;
    run(Command::new(&python).args(["-m", "pip", "install", "--quiet"]).args(PYTHON_PACKAGES))?;
    std::fs::write(&stamp, wanted).map_err(|error| format!("{}: {error}", stamp.display()))?;
    Ok(python)
}

/// Runs a peer program and reads the line it prints.
pub fn ask(program: &mut Command) -> Result<Answer, String> {
    let output = run(program)?;
    let text = String::from_utf8_lossy(&output.stdout);
    let line = text.lines().last().unwrap_or_default();
    serde_json::from_str(line).map_err(|error| format!("{program:?} printed {line:?}: {error}"))
}

/// Runs a program to its end. If it fails, its last line on standard error is the reason.
pub fn run(program: &mut Command) -> Result<Output, String> {
    let name = program.get_program().to_string_lossy().into_owned();
    let output = program.output().map_err(|error| format!("{name} cannot be run: {error}"))?;
    if output.status.success() {
        return Ok(output);
    }
    let said = String::from_utf8_lossy(&output.stderr);
    Err(format!("{name} failed: {}", said.trim().lines().last().unwrap_or("it said nothing")))
}

pub fn make(folder: &Path) -> Result<(), String> {
    std::fs::create_dir_all(folder).map_err(|error| format!("{}: {error}", folder.display()))
}
