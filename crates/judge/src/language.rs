//! Languages: how a program of each is found on this machine, built and run. A language is data, and more can be configured.

use crate::sandbox::{ROOM, SCRATCH, Views};
use serde::{Deserialize, Serialize};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

/// In commands, `{program}` is the interpreter or compiler, `{room}` the folder with the source, `{scratch}` a folder that can be
/// written, `{function}` the function that is called, `{mode}` is `call` or `trace`, and `{memory}` the limit in megabytes.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Language {
    pub name: String,
    /// What the interpreter or compiler is called on the search path.
    pub program: String,
    /// Arguments that make it print its own real path, for programs that are found through a wrapper.
    #[serde(default)]
    pub locate: Vec<String>,
    /// What the source file is called.
    pub file: String,
    /// Makes `{scratch}/program`.
    #[serde(default)]
    pub build: Option<Vec<String>>,
    /// Runs the source, or `{room}/program`.
    pub run: Vec<String>,
    /// Runs the harness, which calls a function of the source. Without it only tests with standard input are possible.
    #[serde(default)]
    pub call: Option<Vec<String>>,
    /// A program that speaks the protocol of docs/judge.md on descriptors 3 and 4: its file name and text.
    #[serde(default)]
    pub harness: Option<(String, String)>,
    /// More of the machine that it needs to see. Libraries are always seen.
    #[serde(default)]
    pub views: Vec<PathBuf>,
    /// Whether a line-by-line trace is possible.
    #[serde(default)]
    pub traces: bool,
    /// Whether its numbers are fractions, so that a larger integer comes as `{"$int": "…"}`.
    #[serde(default)]
    pub names_large_integers: bool,
    /// Memory beyond the limit that the language reserves without using it.
    #[serde(default)]
    pub reserve_mb: u64,
    /// What to install if it is missing.
    pub install: String,
}

/// A language as this machine has it.
#[derive(Debug, Clone)]
pub(crate) struct Found {
    pub(crate) language: Language,
    pub(crate) program: PathBuf,
    /// What is seen while it is built or interpreted.
    pub(crate) views: Views,
}

const LIBRARIES: [&str; 5] = ["/lib", "/lib64", "/usr/lib", "/usr/lib64", "/etc/ld.so.cache"];

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
        call: Some(words(
            &[&start[..], &["{room}/harness.py", "{function}", "{room}/solution.py", "{mode}"]].concat(),
        )),
        harness: Some(("harness.py".into(), include_str!("harness/python.py").into())),
        views: Vec::new(),
        traces: true,
        names_large_integers: false,
        reserve_mb: 32,
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
        call: Some(words(
            &[&start[..], &["{room}/harness.js", "{function}", "{room}/solution.js", "{mode}"]].concat(),
        )),
        harness: Some(("harness.js".into(), include_str!("harness/javascript.js").into())),
        views: Vec::new(),
        traces: true,
        names_large_integers: true,
        reserve_mb: 512,
        install: "install Node.js 18 or newer so that `node` is on the search path".into(),
    }
}

fn rust() -> Language {
    let build = [
        "{program}",
        "--edition=2024",
        "--crate-name=program",
        "-Copt-level=1",
        "-Cdebuginfo=0",
        "-Cstrip=symbols",
        "-Ccodegen-units=1",
        "--color=never",
        "-o{scratch}/program",
        "{room}/main.rs",
    ];
    Language {
        name: "rust".into(),
        program: "rustc".into(),
        locate: words(&["--print=sysroot"]),
        file: "main.rs".into(),
        build: Some(words(&build)),
        run: words(&["{room}/program"]),
        call: Some(words(&["{room}/program"])),
        harness: None,
        views: ["/usr/bin", "/usr/libexec", "/etc/alternatives"].map(PathBuf::from).to_vec(),
        traces: false,
        names_large_integers: false,
        reserve_mb: 16,
        install: "install Rust and a C compiler so that `rustc` and `cc` are on the search path".into(),
    }
}

fn words(list: &[&str]) -> Vec<String> {
    list.iter().map(|word| (*word).to_owned()).collect()
}

impl Language {
    pub(crate) fn is_rust(&self) -> bool {
        self.name == "rust"
    }

    /// Looks for it on the search path. A wrapper that only finds the real program is asked once and then left out, because it
    /// may cost many times what the program itself takes to start.
    pub(crate) fn find(&self, search: &[PathBuf], must_be_open: bool) -> Result<Found, String> {
        let missing = || format!("{} is not there: {}", self.program, self.install);
        let candidates = search.iter().map(|folder| folder.join(&self.program)).filter(|path| path.is_file());
        let mut closed = None;
        for candidate in candidates {
            let Some((program, mut places)) = self.locate(&candidate, search) else { continue };
            places.extend(self.views.iter().cloned());
            places.extend(LIBRARIES.map(PathBuf::from));
            match must_be_open && !is_open(&program) {
                true => closed = Some(program),
                false => {
                    let mut views = views(&places);
                    views.links.extend(self.is_rust().then(|| linker(&program)).flatten());
                    return Ok(Found { language: self.clone(), views, program });
                }
            }
        }
        Err(match closed {
            Some(path) => format!(
                "{} can be read by its owner only, and programs do not run as that user: {}",
                path.display(),
                self.install
            ),
            None => missing(),
        })
    }

    /// The real program, and what must be seen for it.
    fn locate(&self, candidate: &Path, search: &[PathBuf]) -> Option<(PathBuf, Vec<PathBuf>)> {
        let mut lines: Vec<PathBuf> = Vec::new();
        if !self.locate.is_empty() {
            let path = std::env::join_paths(search).ok()?;
            let mut command = Command::new(candidate);
            command.args(&self.locate).env_remove("PYTHONHOME").env("PATH", path);
            let told = command.stdin(Stdio::null()).stderr(Stdio::null()).output().ok()?;
            lines = String::from_utf8_lossy(&told.stdout).lines().map(PathBuf::from).collect();
            lines.first()?;
        }
        if self.is_rust() {
            let sysroot = lines.first()?.clone();
            return Some((sysroot.join("bin/rustc"), vec![sysroot]));
        }
        let real = lines.first().map_or(candidate, PathBuf::as_path).canonicalize().ok()?;
        let mut places = vec![real.clone()];
        places.extend(lines.into_iter().skip(1));
        Some((real, places))
    }
}

impl Found {
    /// A command with its blanks filled in. Without a file system of its own a program sees its room where it is.
    pub(crate) fn command(&self, words: &[String], blanks: &Blanks) -> Vec<String> {
        let room = blanks.outer_room.map_or_else(|| ROOM.to_owned(), |room| room.display().to_string());
        let scratch = blanks.outer_room.map_or_else(|| SCRATCH.to_owned(), |_| format!("{room}/scratch"));
        let fill = |word: &String| {
            word.replace("{program}", &self.program.display().to_string())
                .replace("{room}", &room)
                .replace("{scratch}", &scratch)
                .replace("{memory}", &blanks.memory_mb.to_string())
                .replace("{mode}", blanks.mode)
                .replace("{function}", blanks.function)
        };
        words.iter().map(fill).collect()
    }

    /// What a built program needs to see: libraries, but neither compiler nor shell.
    pub(crate) fn run_views(&self) -> Views {
        match self.language.build.is_some() {
            true => views(&LIBRARIES.map(PathBuf::from)),
            false => self.views.clone(),
        }
    }
}

/// What the blanks of a command stand for.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Blanks<'b> {
    pub(crate) outer_room: Option<&'b Path>,
    pub(crate) memory_mb: u64,
    pub(crate) function: &'b str,
    pub(crate) mode: &'b str,
}

/// Real places, none inside another, and the links that lead to them.
fn views(paths: &[PathBuf]) -> Views {
    let mut views = Views::default();
    for path in paths {
        let Ok(real) = path.canonicalize() else { continue };
        if let (Ok(target), true) = (std::fs::read_link(path), path.parent() == Some(Path::new("/"))) {
            views.links.push((path.clone(), target));
        }
        views.places.push(real);
    }
    views.places.sort();
    views.places.dedup();
    let all = views.places.clone();
    views.places.retain(|place| !all.iter().any(|other| other != place && place.starts_with(other)));
    views
}

/// Rust's own linker asks `/proc` where it is. There is no `/proc`, but there can be this answer.
fn linker(compiler: &Path) -> Option<(PathBuf, PathBuf)> {
    let targets = std::fs::read_dir(compiler.ancestors().nth(2)?.join("lib/rustlib")).ok()?;
    let mut linkers = targets.flatten().map(|target| target.path().join("bin/gcc-ld/ld.lld"));
    linkers.find(|linker| linker.exists()).map(|linker| ("/proc/self/exe".into(), linker))
}

/// Whether any user may use a program.
fn is_open(path: &Path) -> bool {
    use std::os::unix::fs::PermissionsExt;
    let is_passable =
        |path: &Path| std::fs::metadata(path).is_ok_and(|found| found.permissions().mode() & 0o001 != 0);
    path.ancestors().all(is_passable)
}
