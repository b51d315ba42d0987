//! Finds the interpreters and compilers of this machine.

use crate::language::Language;
use crate::sandbox::{ROOM, SCRATCH, Views};
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

/// A language as this machine has it.
#[derive(Debug, Clone)]
pub(crate) struct Toolchain {
    pub(crate) language: Language,
    pub(crate) program: PathBuf,
    /// The file name of the harness and the bytes with which the interpreter starts it.
    pub(crate) harness: Option<(String, Vec<u8>)>,
    /// The places that are seen while a program is built or interpreted.
    pub(crate) views: Views,
}

const LIBRARIES: [&str; 5] = ["/lib", "/lib64", "/usr/lib", "/usr/lib64", "/etc/ld.so.cache"];

impl Language {
    pub(crate) fn is_rust(&self) -> bool {
        self.name == "rust"
    }

    /// Returns the command that builds a program. One in Rust also finds the compiled harness beside it.
    pub(crate) fn build_command(&self) -> Vec<String> {
        let more = self.is_rust().then(|| "-L{room}".to_owned());
        self.build.iter().flatten().cloned().chain(more).collect()
    }

    /// Looks for the language on the search path. A wrapper that only finds the real program is asked once and then
    /// left out, because it may take many times as long to start as the program itself.
    pub(crate) fn find(&self, search: &[PathBuf], must_be_open: bool) -> Result<Toolchain, String> {
        let missing = || format!("{} is not there: {}", self.program, self.install);
        let mut useless = None;
        let candidates = search.iter().map(|folder| folder.join(&self.program)).filter(|path| path.is_file());
        let mut closed = None;
        for candidate in candidates {
            let Some((program, mut places)) = self.locate(&candidate, search) else {
                useless = Some(candidate);
                continue;
            };
            places.extend(self.views.iter().cloned());
            places.extend(LIBRARIES.map(PathBuf::from));
            match must_be_open && !is_open(&program) {
                true => closed = Some(program),
                false => {
                    let mut views = views(&places);
                    views.links.extend(self.is_rust().then(|| linker(&program)).flatten());
                    let harness = self.harness.clone().map(|(name, text)| (name, text.into_bytes()));
                    return Ok(Toolchain { language: self.clone(), views, program, harness });
                }
            }
        }
        Err(match closed {
            Some(path) => format!(
                "{} can be read by its owner only, and programs do not run as that user: {}",
                path.display(),
                self.install
            ),
            None => useless.map_or_else(missing, |path| self.silent(&path)),
        })
    }

    /// Describes why a program that is there cannot be used. The wrapper of rustup needs the home of the user that
    /// installed it.
    fn silent(&self, path: &Path) -> String {
        let path = path.display();
        let cure = match self.is_rust() {
            true => {
                "if it is rustup's, set `RUSTUP_HOME` to the folder that has its toolchains, or `rustup default stable`"
            }
            false => self.install.as_str(),
        };
        format!("{path} is there, but does not say where its own files are: {cure}")
    }

    /// Returns the real program, and the places that it must see.
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

impl Toolchain {
    /// Compiles the harness, for a judge that starts it more than once. If that fails, the text of the harness
    /// stays.
    pub(crate) fn compiled(mut self) -> Toolchain {
        let compiled = self.harness.as_ref().and_then(|(_, text)| self.compile(text));
        if let (Some((_, bytes)), Some(compiled)) = (&mut self.harness, compiled) {
            *bytes = compiled;
        }
        self
    }

    fn compile(&self, text: &[u8]) -> Option<Vec<u8>> {
        if self.language.compile.is_empty() {
            return None;
        }
        let mut command = Command::new(&self.program);
        command.args(&self.language.compile).env_clear().stdin(Stdio::piped()).stdout(Stdio::piped());
        let mut child = command.stderr(Stdio::null()).spawn().ok()?;
        let written = child.stdin.take()?.write_all(text);
        let told = child.wait_with_output().ok()?;
        (written.is_ok() && told.status.success() && !told.stdout.is_empty()).then_some(told.stdout)
    }

    /// Fills in the blanks of a command. Without a file system of its own, a program sees its room where it is on
    /// the machine.
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

    /// Returns the views of a built program: libraries, but neither compiler nor shell.
    pub(crate) fn run_views(&self) -> Views {
        match self.language.build.is_some() {
            true => views(&LIBRARIES.map(PathBuf::from)),
            false => self.views.clone(),
        }
    }
}

/// The values for the blanks of a command.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Blanks<'b> {
    pub(crate) outer_room: Option<&'b Path>,
    pub(crate) memory_mb: u64,
    pub(crate) function: &'b str,
    pub(crate) mode: &'b str,
}

/// Returns the real places, none inside another, and the links that lead to them.
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

/// Returns a link to Rust's own linker, which asks `/proc` where it is. There is no `/proc`, but there can be this
/// answer.
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
