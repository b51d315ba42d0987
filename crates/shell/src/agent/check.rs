//! Runs the user's own check: a command that decides whether finished work is really done. The check runs at most
//! once on the same state of the files, for a bounded time, and a bounded part of its output is kept.

use super::session::Session;
use coaching::agent::{Check, failing_lines, preview, redact, without_escapes};
use std::collections::VecDeque;
use std::hash::{DefaultHasher, Hash, Hasher};
use std::path::{Path, PathBuf};
use std::process::{ExitStatus, Stdio};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;
use tokio::io::{AsyncRead, AsyncReadExt};
use tokio::process::{Child, Command};
use tokio::task::JoinSet;

const MAX_OUTPUT_BYTES: usize = 64 << 10;
const MAX_COMMAND_CHARS: usize = 200;
/// How long to wait for output after the check has ended.
const DRAIN: Duration = Duration::from_millis(300);
/// The time limit for finding out the state of the files, and the most files looked at without git.
const LOOK_TIMEOUT: Duration = Duration::from_secs(10);
const MAX_FILES: usize = 20_000;
const MAX_DEPTH: usize = 24;
/// The variable that tells a hook that it runs inside a check. Such a hook does nothing.
const INSIDE: &str = "ETUDE_AGENT_HOOK";

/// The beginning of the reason if the command itself cannot be run.
const NOT_RUNNABLE: &str = "it cannot be run";

/// Whether the check proves nothing because its command cannot be run, which only its human can repair.
pub fn is_not_runnable(check: &Check) -> bool {
    check.passed.is_none() && check.lines.starts_with(NOT_RUNNABLE)
}

/// A check and the folder that it runs in.
#[derive(Debug, Clone)]
pub struct Checking {
    pub command: String,
    pub folder: PathBuf,
    pub limit: Duration,
    /// A command put before the check's own, so that none of its processes outlives this program.
    pub guard: Vec<String>,
}

impl Checking {
    /// Runs the check, unless its result for this state of the files is known.
    pub async fn run(&self, session: &Session<'_>) -> Check {
        let tree = tokio::time::timeout(LOOK_TIMEOUT, tree_state(&self.folder)).await.ok().flatten();
        let known = (&self.command, &self.folder, self.limit, &tree);
        let key = format!("{:016x}", hash(&known));
        if let Some(tree) = &tree
            && let Ok(Some(known)) = session.checked(&key, tree).await
        {
            return known;
        }
        let (check, is_final) = self.run_now().await;
        if let (Some(tree), true) = (&tree, is_final)
            && let Err(error) = session.keep_check(&key, tree, &check).await
        {
            tracing::warn!("the result of the check cannot be kept: {error}");
        }
        check
    }

    /// Runs the check now. Returns its result, and whether another run on the same files would give the same one. A
    /// command that cannot be started may be repaired without changing the files.
    async fn run_now(&self) -> (Check, bool) {
        let command = preview(&self.command, MAX_COMMAND_CHARS);
        let lost = |why: String| (Check { command: command.clone(), passed: None, lines: why }, false);
        let shell = ["sh", "-c", &self.command];
        let words: Vec<&str> = self.guard.iter().map(String::as_str).chain(shell).collect();
        let mut starting = Command::new(words[0]);
        starting.args(&words[1..]).current_dir(&self.folder).env(INSIDE, "check");
        starting.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped()).kill_on_drop(true);
        #[cfg(unix)]
        starting.process_group(0);
        let mut child = match starting.spawn() {
            Ok(child) => child,
            Err(error) => return lost(format!("it cannot be started: {error}")),
        };
        let mut group = Group(child.id());
        let printed = Printed::of(&mut child);
        let status = match tokio::time::timeout(self.limit, child.wait()).await {
            Ok(Ok(status)) => status,
            Ok(Err(error)) => return lost(error.to_string()),
            Err(_) => return (lost(format!("it took longer than {} s", self.limit.as_secs())).0, true),
        };
        // Processes that a finished check has left running are its own affair.
        group.0 = None;
        let output = redact(&without_escapes(&printed.take().await));
        match status.code() {
            Some(0) => (Check { command, passed: Some(true), lines: String::new() }, true),
            // The command is the human's, so a missing program is not the agent's fault.
            Some(126 | 127) => lost(format!("{NOT_RUNNABLE} ({status}): {}", failing_lines(&output))),
            _ => (Check { command, passed: Some(false), lines: told(&output, status) }, true),
        }
    }
}

/// Returns the message of a failed check, or at least how it ended.
fn told(output: &str, status: ExitStatus) -> String {
    Some(failing_lines(output))
        .filter(|lines| !lines.is_empty())
        .unwrap_or_else(|| format!("It printed nothing and ended with {status}."))
}

/// The last part of a process's output, as far as it was heard. A program that the process left running may hold
/// the output open, so the wait for its end is short.
struct Printed {
    kept: [Arc<Mutex<VecDeque<u8>>>; 2],
    listening: JoinSet<()>,
}

impl Printed {
    fn of(child: &mut Child) -> Printed {
        let kept: [Arc<Mutex<VecDeque<u8>>>; 2] = Default::default();
        let mut listening = JoinSet::new();
        listening.spawn(keep_tail(child.stdout.take(), kept[0].clone()));
        listening.spawn(keep_tail(child.stderr.take(), kept[1].clone()));
        Printed { kept, listening }
    }

    async fn take(mut self) -> String {
        let heard = async { while self.listening.join_next().await.is_some() {} };
        let _ = tokio::time::timeout(DRAIN, heard).await;
        let text = |kept: &Arc<Mutex<VecDeque<u8>>>| {
            let mut kept = kept.lock().unwrap_or_else(PoisonError::into_inner);
            String::from_utf8_lossy(kept.make_contiguous()).into_owned()
        };
        self.kept.each_ref().map(text).concat()
    }
}

async fn keep_tail(from: Option<impl AsyncRead + Unpin>, kept: Arc<Mutex<VecDeque<u8>>>) {
    let Some(mut from) = from else { return };
    let mut chunk = [0; 8 << 10];
    while let Ok(length @ 1..) = from.read(&mut chunk).await {
        let mut kept = kept.lock().unwrap_or_else(PoisonError::into_inner);
        kept.extend(&chunk[..length]);
        let surplus = kept.len().saturating_sub(MAX_OUTPUT_BYTES);
        kept.drain(..surplus);
    }
}

/// The process group of a check. Dropping it kills the processes: without a result they are of no use.
struct Group(Option<u32>);

impl Drop for Group {
    fn drop(&mut self) {
        end_group(self.0);
    }
}

#[cfg(unix)]
fn end_group(group: Option<u32>) {
    use rustix::process::{Pid, Signal, kill_process_group};
    if let Some(group) = group.and_then(|id| Pid::from_raw(id.try_into().ok()?)) {
        let _ = kill_process_group(group, Signal::KILL);
    }
}

#[cfg(not(unix))]
fn end_group(_: Option<u32>) {}

/// Returns a name for the state of the files in a folder, if one can be found.
async fn tree_state(folder: &Path) -> Option<String> {
    match by_git(folder).await {
        Some(state) => Some(state),
        None => {
            let folder = folder.to_owned();
            tokio::task::spawn_blocking(move || by_times(&folder)).await.ok().flatten()
        }
    }
}

/// Names the state as git would commit it: by the content of every file that git does not ignore. The index and the
/// objects that this takes are temporary, so the repository stays as it is.
async fn by_git(folder: &Path) -> Option<String> {
    let place = git(folder, &["rev-parse", "--absolute-git-dir"], &[]).await?;
    let head = git(folder, &["rev-parse", "--verify", "-q", "HEAD"], &[]).await.unwrap_or_default();
    let own = Temporary::new()?;
    let index = own.0.join("index");
    let _ = std::fs::copy(Path::new(&place).join("index"), &index);
    let objects = own.0.join("objects");
    std::fs::create_dir(&objects).ok()?;
    let known = git(folder, &["rev-parse", "--path-format=absolute", "--git-path", "objects"], &[]).await?;
    let settings = [
        ("GIT_INDEX_FILE", index.as_path()),
        ("GIT_OBJECT_DIRECTORY", objects.as_path()),
        ("GIT_ALTERNATE_OBJECT_DIRECTORIES", Path::new(&known)),
    ];
    let top = git(folder, &["rev-parse", "--show-toplevel"], &[]).await?;
    git(Path::new(&top), &["add", "--all"], &settings).await?;
    let tree = git(Path::new(&top), &["write-tree"], &settings).await?;
    Some(format!("{tree} {head}"))
}

async fn git(folder: &Path, arguments: &[&str], settings: &[(&str, &Path)]) -> Option<String> {
    let mut command = Command::new("git");
    command.args(arguments).current_dir(folder).envs(settings.iter().copied());
    command.stdin(Stdio::null()).stderr(Stdio::null()).kill_on_drop(true);
    let output = command.output().await.ok().filter(|output| output.status.success())?;
    Some(String::from_utf8_lossy(&output.stdout).trim().to_owned())
}

/// A folder that is deleted on drop.
struct Temporary(PathBuf);

impl Temporary {
    fn new() -> Option<Temporary> {
        let path = std::env::temp_dir().join(format!("etude-{}", uuid::Uuid::now_v7()));
        std::fs::create_dir(&path).ok()?;
        Some(Temporary(path))
    }
}

impl Drop for Temporary {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.0);
    }
}

/// Names the state without git: by paths, sizes and times of all files, if there are not too many.
fn by_times(folder: &Path) -> Option<String> {
    let mut found = Vec::new();
    let mut folders = vec![(folder.to_owned(), 0)];
    while let Some((folder, depth)) = folders.pop() {
        for entry in std::fs::read_dir(folder).ok()?.flatten() {
            let name = entry.file_name();
            let is_built =
                ["target", "node_modules", ".git", "__pycache__", ".venv"].iter().any(|built| name == *built);
            let Ok(about) = entry.metadata() else { continue };
            if about.is_dir() && !is_built && depth < MAX_DEPTH {
                folders.push((entry.path(), depth + 1));
            } else if about.is_file() {
                found.push((entry.path(), about.len(), about.modified().ok()));
            }
        }
        if found.len() > MAX_FILES {
            return None;
        }
    }
    found.sort();
    Some(format!("{:016x}", hash(&found)))
}

/// Hashes a value. The result is the same in every process of this program.
pub fn hash(value: &impl Hash) -> u64 {
    let mut hasher = DefaultHasher::new();
    value.hash(&mut hasher);
    hasher.finish()
}
