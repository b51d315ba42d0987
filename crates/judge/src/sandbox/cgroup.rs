//! Makes control groups, version 2 or 1, if this process may. Without them the judge watches the memory itself.

use std::fs::{self, File};
use std::io;
use std::os::unix::fs::FileExt;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering};

/// The place where groups for runs can be made.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Groups {
    Second { parent: PathBuf },
    First { memory: PathBuf, processes: Option<PathBuf> },
    None { reason: String },
}

/// The group of one run. Dropping it removes it.
#[derive(Debug)]
pub(crate) struct Group {
    folders: Vec<PathBuf>,
    is_second: bool,
    /// The file in which the kernel notes that it ended a process. It is read often.
    events: Option<File>,
}

static NEXT: AtomicU64 = AtomicU64::new(0);

impl Groups {
    /// Tries out which groups can be made, beginning with this process's own.
    pub(crate) fn find() -> Groups {
        let own = fs::read_to_string("/proc/self/cgroup").unwrap_or_default();
        let lines = || own.lines().filter_map(|line| line.split_once(':')?.1.split_once(':'));
        let path = |wanted: &str| {
            let found = lines().find(|(kinds, _)| kinds.split(',').any(|kind| kind == wanted));
            found.map(|(_, path)| path.trim_start_matches('/').to_owned())
        };
        let root = Path::new("/sys/fs/cgroup");
        let second =
            path("").map(|path| root.join(path)).filter(|_| root.join("cgroup.controllers").exists());
        for parent in
            second.iter().flat_map(|own| own.ancestors()).take_while(|place| place.starts_with(root))
        {
            let groups = Groups::Second { parent: parent.to_owned() };
            if groups.make(64, 8).is_ok() {
                return groups;
            }
        }
        let first = |kind: &str| path(kind).map(|path| root.join(kind).join(path));
        for parent in
            first("memory").iter().flat_map(|own| own.ancestors()).take_while(|place| *place != root)
        {
            let groups = Groups::First { memory: parent.to_owned(), processes: None };
            if groups.make(64, 8).is_ok() {
                let processes = first("pids").filter(|place| place.join("cgroup.procs").exists());
                let with = Groups::First { memory: parent.to_owned(), processes };
                return if with.make(64, 8).is_ok() { with } else { groups };
            }
        }
        Groups::None { reason: "this process may make no control group".into() }
    }

    pub(crate) fn unwanted() -> Groups {
        Groups::None { reason: "control groups are not wanted".into() }
    }

    /// Makes an empty group with these bounds.
    pub(crate) fn make(&self, memory_mb: u64, processes: u64) -> io::Result<Group> {
        let name = format!("etude-judge-{}-{}", std::process::id(), NEXT.fetch_add(1, Ordering::Relaxed));
        let bytes = (memory_mb << 20).to_string();
        match self {
            Groups::None { reason } => Err(io::Error::other(reason.clone())),
            Groups::Second { parent } => {
                let group = Group::at(vec![parent.join(name)], true)?;
                group.write(0, "memory.max", &bytes)?;
                // A machine without swap has no such file, and a group without a limit there would swap first.
                let _ = group.write(0, "memory.swap.max", "0");
                let _ = group.write(0, "memory.oom.group", "0");
                group.write(0, "pids.max", &processes.to_string())?;
                Ok(group)
            }
            Groups::First { memory, processes: place } => {
                let folders = std::iter::once(memory).chain(place).map(|place| place.join(&name)).collect();
                let group = Group::at(folders, false)?;
                group.write(0, "memory.limit_in_bytes", &bytes)?;
                let _ = group.write(0, "memory.memsw.limit_in_bytes", &bytes);
                if place.is_some() {
                    group.write(1, "pids.max", &processes.to_string())?;
                }
                Ok(group)
            }
        }
    }
}

impl Group {
    fn at(folders: Vec<PathBuf>, is_second: bool) -> io::Result<Group> {
        // Dropping the group removes the folders that were made before a later one failed.
        let mut group = Group { folders: Vec::new(), is_second, events: None };
        for folder in folders {
            fs::create_dir(&folder)?;
            group.folders.push(folder);
        }
        let events = if is_second { "memory.events" } else { "memory.oom_control" };
        group.events = Some(File::open(group.folders[0].join(events))?);
        Ok(group)
    }

    fn write(&self, folder: usize, file: &str, text: &str) -> io::Result<()> {
        fs::write(self.folders[folder].join(file), text)
    }

    /// Moves a process into the group, in the version where that is done from outside.
    pub(crate) fn add(&self, process: u32) -> io::Result<()> {
        if self.is_second { self.write(0, "cgroup.procs", &process.to_string()) } else { Ok(()) }
    }

    /// Returns the files by which a process joins the group itself. In version 1 this spares the wait of many
    /// milliseconds for all processors that moving another process costs.
    pub(crate) fn doors(&self) -> Vec<PathBuf> {
        let door = |folder: &PathBuf| folder.join("tasks");
        if self.is_second { Vec::new() } else { self.folders.iter().map(door).collect() }
    }

    /// Returns the most memory that was used, or 0 if the kernel does not tell.
    pub(crate) fn peak_kb(&self) -> u64 {
        let file = if self.is_second { "memory.peak" } else { "memory.max_usage_in_bytes" };
        let text = fs::read_to_string(self.folders[0].join(file)).unwrap_or_default();
        text.trim().parse::<u64>().unwrap_or_default() >> 10
    }

    /// Whether the kernel ended a process because the memory was used up.
    pub(crate) fn ran_out(&self) -> bool {
        let mut text = [0; 512];
        let size = self.events.as_ref().and_then(|events| events.read_at(&mut text, 0).ok()).unwrap_or(0);
        let text = String::from_utf8_lossy(&text[..size]);
        text.lines().filter_map(|line| line.strip_prefix("oom_kill ")).any(|count| count.trim() != "0")
    }
}

impl Drop for Group {
    fn drop(&mut self) {
        for folder in &self.folders {
            // The kernel may still be busy with the end of the last process.
            for _ in 0..50 {
                match fs::remove_dir(folder) {
                    Err(error) if error.kind() == io::ErrorKind::ResourceBusy => {
                        std::thread::sleep(std::time::Duration::from_millis(1));
                    }
                    _ => break,
                }
            }
        }
    }
}
