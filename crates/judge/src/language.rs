//! Describes languages: how a program of each is found on this machine, built and run. A language is data, and more
//! can be configured.

use serde::{Deserialize, Serialize};
use std::path::PathBuf;

/// A language. In commands, `{program}` is the interpreter or compiler, `{room}` the folder with the source,
/// `{scratch}` a folder that can be written, `{function}` the function that is called, `{mode}` is `call` or
/// `trace`, and `{memory}` the limit in megabytes.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Language {
    pub name: String,
    /// The name of the interpreter or compiler on the search path.
    pub program: String,
    /// Arguments that make it print its own real path, for programs that are found through a wrapper.
    #[serde(default)]
    pub locate: Vec<String>,
    /// The name of the source file.
    pub file: String,
    /// The command that makes `{scratch}/program`.
    #[serde(default)]
    pub build: Option<Vec<String>>,
    /// The command that runs the source, or `{room}/program`.
    pub run: Vec<String>,
    /// The command that runs the harness, which calls a function of the source. Without it, only tests with
    /// standard input are possible.
    #[serde(default)]
    pub call: Option<Vec<String>>,
    /// A program that speaks the protocol of docs/judge.md on descriptors 3 and 4: its file name and text.
    #[serde(default)]
    pub harness: Option<(String, String)>,
    /// Arguments with which the interpreter reads the harness and writes it in a form that starts faster.
    #[serde(default)]
    pub compile: Vec<String>,
    /// Whether the harness takes the program over descriptor 3, so that it can be started before there is one.
    #[serde(default)]
    pub awaits: bool,
    /// Further places of the machine that it needs to see. Libraries are always seen.
    #[serde(default)]
    pub views: Vec<PathBuf>,
    /// Whether a line-by-line trace is possible.
    #[serde(default)]
    pub traces: bool,
    /// Whether its numbers are floating-point, so that a larger integer comes as `{"$int": "…"}`.
    #[serde(default)]
    pub names_large_integers: bool,
    /// Memory beyond the limit that the language reserves without using it.
    #[serde(default)]
    pub reserve_mb: u64,
    /// A hint on what to install if it is missing.
    pub install: String,
}

pub(crate) fn shipped() -> Vec<Language> {
    vec![python(), javascript(), rust()]
}

fn python() -> Language {
    let start = ["{program}", "-I", "-S", "-B", "-X", "utf8"];
    Language {
        name: "python".into(),
        program: "python3".into(),
        locate: words(&[
            "-I",
            "-S",
            "-c",
            "import sys; print(sys.executable); print(sys.base_prefix + '/lib')",
        ]),
        file: "solution.py".into(),
        build: None,
        run: words(&[&start[..], &["{room}/solution.py"]].concat()),
        call: Some(words(&[&start[..], &["{room}/harness.py"]].concat())),
        harness: Some(("harness.py".into(), include_str!("harness/python.py").into())),
        compile: words(&["-I", "-S", "-B", "-c", include_str!("harness/compile.py")]),
        awaits: true,
        views: Vec::new(),
        traces: true,
        names_large_integers: false,
        reserve_mb: 256,
        install: "install Python 3.9 or newer so that `python3` is on the search path".into(),
    }
}

fn javascript() -> Language {
    let start = ["{program}", "--max-old-space-size={memory}"];
    Language {
        name: "javascript".into(),
        program: "node".into(),
        locate: words(&["-p", "process.execPath"]),
        file: "solution.js".into(),
        build: None,
        run: words(&[&start[..], &["{room}/solution.js"]].concat()),
        call: Some(words(&[&start[..], &["{room}/harness.js"]].concat())),
        harness: Some(("harness.js".into(), include_str!("harness/javascript.js").into())),
        compile: Vec::new(),
        awaits: true,
        views: Vec::new(),
        traces: true,
        names_large_integers: true,
        reserve_mb: 768,
        install: "install Node.js 18 or newer so that `node` is on the search path".into(),
    }
}

fn rust() -> Language {
    let build = ["--crate-name=program", "--crate-type=bin", "-Cstrip=symbols", "{room}/main.rs"];
    Language {
        name: "rust".into(),
        program: "rustc".into(),
        locate: words(&["--print=sysroot"]),
        file: "main.rs".into(),
        build: Some(words(&[&RUSTC[..], &build].concat())),
        run: words(&["{room}/program"]),
        call: Some(words(&["{room}/program"])),
        harness: None,
        compile: Vec::new(),
        awaits: false,
        views: ["/usr/bin", "/usr/libexec", "/etc/alternatives"].map(PathBuf::from).to_vec(),
        traces: false,
        names_large_integers: false,
        reserve_mb: 256,
        install: "install Rust and a C compiler so that `rustc` and `cc` are on the search path".into(),
    }
}

const RUSTC: [&str; 7] = [
    "{program}",
    "--edition=2024",
    "-Copt-level=1",
    "-Cdebuginfo=0",
    "-Ccodegen-units=1",
    "--color=never",
    "-o{scratch}/program",
];

/// Returns the command that compiles the harness for Rust.
pub(crate) fn rust_library() -> Vec<String> {
    words(
        &[&RUSTC[..], &["--crate-name=etude_harness", "--crate-type=rlib", "{room}/etude_harness.rs"]]
            .concat(),
    )
}

fn words(list: &[&str]) -> Vec<String> {
    list.iter().map(|word| (*word).to_owned()).collect()
}
