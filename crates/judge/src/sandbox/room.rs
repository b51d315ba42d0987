//! Builds the file system of a sandbox: a small one in memory, with read-only views of the places that the program
//! needs.

use super::kernel;
use super::plan::{Plan, ROOM, SCRATCH};
use rustix::mount::{MountFlags, MountPropagationFlags, UnmountFlags};
use std::error::Error;
use std::ffi::CString;
use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};

/// The machine's own file system, while the new one is built.
const OLD: &str = "/old";
const DEVICES: [&str; 3] = ["/dev/null", "/dev/zero", "/dev/urandom"];
const SEALED: u64 = libc::MOUNT_ATTR_RDONLY | libc::MOUNT_ATTR_NOSUID | libc::MOUNT_ATTR_NODEV;

type Outcome = Result<(), Box<dyn Error>>;

pub(crate) fn build(plan: &Plan, contents: &[u8]) -> Outcome {
    enter(contents.len())?;
    for (name, target) in &plan.views.links {
        make_folder(name.parent().unwrap_or(Path::new("/")))?;
        std::os::unix::fs::symlink(target, name)?;
    }
    for place in &plan.views.places {
        show(place)
            .map_err(|error| format!("{} cannot be shown to the program: {error}", place.display()))?;
    }
    for device in DEVICES {
        fs::create_dir_all("/dev")?;
        fs::write(device, "")?;
        rustix::mount::mount_bind(below_old(Path::new(device)), device)?;
    }
    put_files(plan, contents)?;
    make_folder(Path::new(SCRATCH))?;
    let size = CString::new(format!("size={}m,nr_inodes=4096,mode=1777", plan.bounds.scratch_mb))?;
    mount_memory(SCRATCH, MountFlags::NOEXEC, &size)?;
    leave()
}

/// Puts an empty file system in place of the machine's, which is still there below it.
fn enter(size: usize) -> Outcome {
    let private = MountPropagationFlags::PRIVATE | MountPropagationFlags::REC;
    rustix::mount::mount_change("/", private)?;
    let room = CString::new(format!("size={}k,nr_inodes=4096,mode=0755", size / 1024 + 1024))?;
    mount_memory("/tmp", MountFlags::empty(), &room)?;
    fs::create_dir("/tmp/old")?;
    rustix::process::pivot_root("/tmp", "/tmp/old")?;
    rustix::process::chdir("/")?;
    Ok(())
}

fn leave() -> Outcome {
    rustix::mount::unmount(OLD, UnmountFlags::DETACH)?;
    fs::remove_dir(OLD)?;
    let flags = MountFlags::BIND | MountFlags::RDONLY | MountFlags::NOSUID | MountFlags::NODEV;
    rustix::mount::mount_remount("/", flags, "")?;
    Ok(())
}

fn mount_memory(at: &str, flags: MountFlags, options: &CString) -> Outcome {
    let flags = flags | MountFlags::NOSUID | MountFlags::NODEV;
    Ok(rustix::mount::mount("tmpfs", at, "tmpfs", flags, options.as_c_str())?)
}

fn show(place: &Path) -> Outcome {
    let machine = below_old(place);
    match fs::metadata(&machine)?.is_dir() {
        true => make_folder(place)?,
        false => {
            make_folder(place.parent().unwrap_or(Path::new("/")))?;
            fs::write(place, "")?;
        }
    }
    rustix::mount::mount_bind_recursive(&machine, place)?;
    seal(place)
}

fn seal(place: &Path) -> Outcome {
    if kernel::restrict_mount(place, SEALED).is_ok() {
        return Ok(());
    }
    let flags = MountFlags::BIND | MountFlags::RDONLY | MountFlags::NOSUID | MountFlags::NODEV;
    Ok(rustix::mount::mount_remount(place, flags, "")?)
}

fn below_old(place: &Path) -> PathBuf {
    Path::new(OLD).join(place.strip_prefix("/").unwrap_or(place))
}

fn make_folder(path: &Path) -> Outcome {
    Ok(fs::create_dir_all(path)?)
}

fn put_files(plan: &Plan, mut contents: &[u8]) -> Outcome {
    make_folder(Path::new(ROOM))?;
    for file in &plan.files {
        let (content, rest) = contents.split_at_checked(file.size).ok_or("a file was cut off")?;
        contents = rest;
        let path = Path::new(ROOM).join(&file.name);
        fs::write(&path, content)?;
        fs::set_permissions(&path, fs::Permissions::from_mode(if file.is_program { 0o755 } else { 0o644 }))?;
    }
    Ok(())
}
