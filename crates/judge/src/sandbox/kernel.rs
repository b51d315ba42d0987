//! The few calls to the kernel that Rust cannot check.
#![allow(unsafe_code, reason = "forking, and descriptors that are handed over")]

use rustix::process::Pid;
use rustix::thread::UnshareFlags;
use std::ffi::CString;
use std::fs::File;
use std::io;
use std::os::fd::{AsRawFd, FromRawFd, OwnedFd, RawFd};
use std::os::unix::process::CommandExt;
use std::path::Path;
use std::process::Command;

/// The descriptors on which the program reads the arguments of tests, on which it answers, and on which the helper
/// reports.
pub(crate) const QUESTIONS: RawFd = 3;
pub(crate) const ANSWERS: RawFd = 4;
pub(crate) const STATUS: RawFd = 5;

/// Forks. Returns `None` in the new process.
pub(crate) fn fork() -> io::Result<Option<Pid>> {
    // SAFETY: The helper has a single thread, so the copy may do everything that the original may.
    match unsafe { libc::fork() } {
        -1 => Err(io::Error::last_os_error()),
        pid => Ok(Pid::from_raw(pid)),
    }
}

pub(crate) fn unshare(what: UnshareFlags) -> io::Result<()> {
    // SAFETY: The table of descriptors stays shared, and there is only one thread.
    Ok(unsafe { rustix::thread::unshare_unsafe(what) }?)
}

/// Takes over the end of a pipe that this process was started with.
pub(crate) fn adopt(descriptor: RawFd) -> File {
    // SAFETY: The judge opened this descriptor for the helper, and nothing else in the helper owns it.
    unsafe { File::from_raw_fd(descriptor) }
}

/// Closes descriptors that the helper was started with and does not need.
pub(crate) fn close(first: RawFd, last: u32) {
    // SAFETY: Nothing in the helper owns one of these.
    if unsafe { libc::syscall(libc::SYS_close_range, first, last, 0) } == 0 {
        return;
    }
    // An older kernel closes one at a time.
    for descriptor in first..=last.min(4096) as RawFd {
        // SAFETY: As above.
        unsafe { libc::close(descriptor) };
    }
}

/// Gives a command these descriptors under these numbers, and no others.
pub(crate) fn hand_over(command: &mut Command, descriptors: Vec<(OwnedFd, RawFd)>) {
    let give = move || {
        for (mine, theirs) in &descriptors {
            // SAFETY: Both numbers are descriptors; the call allocates nothing and may be made after a fork.
            if unsafe { libc::dup2(mine.as_raw_fd(), *theirs) } < 0 {
                return Err(io::Error::last_os_error());
            }
        }
        Ok(())
    };
    // SAFETY: The closure only makes system calls.
    unsafe { command.pre_exec(give) };
}

/// Returns the most memory that one of the ended children of this process used.
pub(crate) fn peak_kb() -> u64 {
    // SAFETY: All zeros is a valid value, and the call only writes into it.
    let used = unsafe {
        let mut used: libc::rusage = std::mem::zeroed();
        libc::getrusage(libc::RUSAGE_CHILDREN, &raw mut used);
        used
    };
    used.ru_maxrss.max(0) as u64
}

/// Sets attributes, such as read-only, on a mount and the mounts in it. Fails on older kernels, which can only restrict
/// one mount at a time.
pub(crate) fn restrict_mount(path: &Path, attributes: u64) -> io::Result<()> {
    let attributes = libc::mount_attr { attr_set: attributes, attr_clr: 0, propagation: 0, userns_fd: 0 };
    let name = CString::new(path.as_os_str().as_encoded_bytes())?;
    // SAFETY: The path ends with a zero and the attributes have the given size; both live until the call is over.
    let done = unsafe {
        libc::syscall(
            libc::SYS_mount_setattr,
            libc::AT_FDCWD,
            name.as_ptr(),
            libc::AT_RECURSIVE,
            &raw const attributes,
            size_of::<libc::mount_attr>(),
        )
    };
    if done == 0 { Ok(()) } else { Err(io::Error::last_os_error()) }
}

/// Whether this kernel has landlock.
pub(crate) fn has_landlock() -> bool {
    const VERSION: u32 = 1;
    // SAFETY: Without attributes the call only returns a number.
    unsafe { libc::syscall(libc::SYS_landlock_create_ruleset, std::ptr::null::<u8>(), 0_usize, VERSION) > 0 }
}
