//! Finds out what this kernel offers, by trying it.

use crate::isolation::{Isolation, Layer, Level};
use crate::limits::Limits;
use crate::running::{Event, Running, Start};
use crate::sandbox::{Bounds, Groups, Phase, Plan, Views, has_landlock, other_user};
use std::path::{Path, PathBuf};
use std::time::Duration;

const CURE: &str = "allow user namespaces (sysctl user.max_user_namespaces, and kernel.unprivileged_userns_clone or \
                    kernel.apparmor_restrict_unprivileged_userns where they exist; in a container: a seccomp profile that allows \
                    `unshare`), or start the program as root";

/// Tries each level with a program that does nothing, and describes each layer.
pub(crate) fn probe(helper: &Path, groups: &Groups, at_most: Level) -> Isolation {
    let mut level = Level::None;
    let mut layers = Vec::new();
    for (tried, name, note) in [
        (
            Level::Full,
            "namespaces",
            "its own file system, processes, users and network, of which there is none",
        ),
        (Level::Lite, "landlock", "files beyond the interpreter cannot be opened"),
    ] {
        let found = match tried {
            _ if at_most < tried => Err("not wanted".to_owned()),
            // A level that is not needed is not tried: the kernel's own word is enough.
            Level::Lite if level == Level::Full => kernel_has_landlock(),
            _ => try_level(helper, groups, tried),
        };
        if found.is_ok() {
            level = level.max(tried);
        }
        layers.push(Layer { name, works: found.is_ok(), note: found.err().unwrap_or_else(|| note.into()) });
    }
    let runs = level != Level::None;
    layers.push(Layer { name: "seccomp", works: runs, note: "only the system calls on a list exist".into() });
    layers.push(Layer {
        name: "limits",
        works: runs,
        note: "processor time, files, processes, memory".into(),
    });
    layers.push(match groups {
        Groups::Second { .. } => layer("cgroup", true, "version 2: the kernel counts memory and processes"),
        Groups::First { .. } => layer("cgroup", true, "version 1: the kernel counts memory and processes"),
        Groups::None { reason } => {
            layer("cgroup", false, &format!("{reason}; the judge watches the memory itself"))
        }
    });
    let cure = (level != Level::Full).then(|| CURE.to_owned());
    Isolation { level, layers, cure }
}

fn kernel_has_landlock() -> Result<(), String> {
    has_landlock().then_some(()).ok_or_else(|| "the kernel has no landlock".to_owned())
}

fn layer(name: &'static str, works: bool, note: &str) -> Layer {
    Layer { name, works, note: note.to_owned() }
}

fn try_level(helper: &Path, groups: &Groups, level: Level) -> Result<(), String> {
    let limits = Limits::default();
    let program = PathBuf::from("/judge-probe-that-is-not-there");
    let room = tempfile::tempdir().map_err(|error| error.to_string())?;
    let plan = Plan {
        level,
        phase: Phase::Run,
        user: other_user(),
        command: vec![program.display().to_string()],
        environment: Vec::new(),
        views: Views::default(),
        outer_room: (level == Level::Lite).then(|| room.path().to_owned()),
        files: Vec::new(),
        input: None,
        product: None,
        bounds: Bounds { data_mb: 64, scratch_mb: 1, file_mb: 1, processes: 8, open_files: 32, cpu_s: 5 },
    };
    let open = std::os::unix::fs::PermissionsExt::from_mode(0o755);
    std::fs::set_permissions(room.path(), open).map_err(|error| error.to_string())?;
    let start = Start { plan, files: Vec::new(), memory_mb: 64 };
    let running = Running::start(helper, groups, &start, &limits);
    let mut running = running.map_err(|error| format!("the helper cannot be started: {error}"))?;
    // The last step is to start the program, and this one does not exist: a process that gets so far has isolated
    // itself.
    match running.finish(Duration::from_secs(5)) {
        Event::Trouble(trouble) if trouble.contains("judge-probe-that-is-not-there cannot be started") => {
            Ok(())
        }
        Event::Trouble(trouble) => Err(trouble),
        other => Err(format!("the helper does not answer ({other:?})")),
    }
}
