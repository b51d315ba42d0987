//! The filter of system calls. A call that is not listed does not exist for the program.

use super::plan::Phase;
use crate::isolation::Level;
use seccompiler::SeccompCmpArgLen::{Dword, Qword};
use seccompiler::SeccompCmpOp::{Eq, MaskedEq, Ne};
use seccompiler::{BpfProgram, SeccompAction, SeccompCondition, SeccompFilter, SeccompRule, TargetArch};
use std::collections::BTreeMap;

type Rules = BTreeMap<i64, Vec<SeccompRule>>;

const ARCHITECTURE: TargetArch = if cfg!(target_arch = "aarch64") {
    TargetArch::aarch64
} else if cfg!(target_arch = "riscv64") {
    TargetArch::riscv64
} else {
    TargetArch::x86_64
};

const NEW_NAMESPACES: u64 = (libc::CLONE_NEWUSER
    | libc::CLONE_NEWNS
    | libc::CLONE_NEWPID
    | libc::CLONE_NEWNET
    | libc::CLONE_NEWIPC
    | libc::CLONE_NEWUTS
    | libc::CLONE_NEWCGROUP) as u64;

/// Calls that are harmless whatever their arguments: memory, files (of which there are few to see), time, threads,
/// waiting.
const HARMLESS: &[i64] = &[
    libc::SYS_read,
    libc::SYS_write,
    libc::SYS_readv,
    libc::SYS_writev,
    libc::SYS_pread64,
    libc::SYS_pwrite64,
    libc::SYS_close,
    libc::SYS_close_range,
    libc::SYS_openat,
    libc::SYS_fstat,
    libc::SYS_newfstatat,
    libc::SYS_statx,
    libc::SYS_statfs,
    libc::SYS_fstatfs,
    libc::SYS_lseek,
    libc::SYS_getdents64,
    libc::SYS_readlinkat,
    libc::SYS_faccessat,
    libc::SYS_faccessat2,
    libc::SYS_getcwd,
    libc::SYS_chdir,
    libc::SYS_fchdir,
    libc::SYS_mkdirat,
    libc::SYS_unlinkat,
    libc::SYS_renameat2,
    libc::SYS_linkat,
    libc::SYS_symlinkat,
    libc::SYS_ftruncate,
    libc::SYS_truncate,
    libc::SYS_fallocate,
    libc::SYS_fsync,
    libc::SYS_fdatasync,
    libc::SYS_fadvise64,
    libc::SYS_flock,
    libc::SYS_fchmod,
    libc::SYS_fchmodat,
    libc::SYS_utimensat,
    libc::SYS_umask,
    libc::SYS_sendfile,
    libc::SYS_copy_file_range,
    libc::SYS_getxattr,
    libc::SYS_lgetxattr,
    libc::SYS_fgetxattr,
    libc::SYS_dup,
    libc::SYS_dup3,
    libc::SYS_pipe2,
    libc::SYS_eventfd2,
    libc::SYS_epoll_create1,
    libc::SYS_epoll_ctl,
    libc::SYS_epoll_pwait,
    libc::SYS_epoll_pwait2,
    libc::SYS_ppoll,
    libc::SYS_pselect6,
    libc::SYS_timerfd_create,
    libc::SYS_timerfd_settime,
    libc::SYS_timerfd_gettime,
    libc::SYS_mmap,
    libc::SYS_munmap,
    libc::SYS_mremap,
    libc::SYS_mprotect,
    libc::SYS_pkey_mprotect,
    libc::SYS_pkey_alloc,
    libc::SYS_pkey_free,
    libc::SYS_madvise,
    libc::SYS_mincore,
    libc::SYS_msync,
    libc::SYS_brk,
    libc::SYS_membarrier,
    libc::SYS_get_mempolicy,
    libc::SYS_futex,
    libc::SYS_futex_waitv,
    libc::SYS_set_robust_list,
    libc::SYS_get_robust_list,
    libc::SYS_rseq,
    libc::SYS_set_tid_address,
    libc::SYS_gettid,
    libc::SYS_getpid,
    libc::SYS_getppid,
    libc::SYS_getuid,
    libc::SYS_geteuid,
    libc::SYS_getgid,
    libc::SYS_getegid,
    libc::SYS_getresuid,
    libc::SYS_getresgid,
    libc::SYS_getgroups,
    libc::SYS_getpgid,
    libc::SYS_getsid,
    libc::SYS_setsid,
    libc::SYS_setpgid,
    libc::SYS_capget,
    libc::SYS_execve,
    libc::SYS_exit,
    libc::SYS_exit_group,
    libc::SYS_wait4,
    libc::SYS_waitid,
    libc::SYS_rt_sigaction,
    libc::SYS_rt_sigprocmask,
    libc::SYS_rt_sigreturn,
    libc::SYS_rt_sigsuspend,
    libc::SYS_rt_sigpending,
    libc::SYS_rt_sigtimedwait,
    libc::SYS_sigaltstack,
    libc::SYS_restart_syscall,
    libc::SYS_setitimer,
    libc::SYS_getitimer,
    libc::SYS_timer_create,
    libc::SYS_timer_settime,
    libc::SYS_timer_gettime,
    libc::SYS_timer_delete,
    libc::SYS_timer_getoverrun,
    libc::SYS_nanosleep,
    libc::SYS_clock_nanosleep,
    libc::SYS_clock_gettime,
    libc::SYS_clock_getres,
    libc::SYS_gettimeofday,
    libc::SYS_times,
    libc::SYS_getrusage,
    libc::SYS_sysinfo,
    libc::SYS_uname,
    libc::SYS_getrandom,
    libc::SYS_getcpu,
    libc::SYS_sched_yield,
    libc::SYS_sched_getaffinity,
    libc::SYS_sched_getparam,
    libc::SYS_sched_getscheduler,
    libc::SYS_sched_get_priority_max,
    libc::SYS_sched_get_priority_min,
    libc::SYS_getpriority,
];

/// The old names of calls, which only this architecture still has.
#[cfg(target_arch = "x86_64")]
const OLD_NAMES: &[i64] = &[
    libc::SYS_open,
    libc::SYS_creat,
    libc::SYS_stat,
    libc::SYS_lstat,
    libc::SYS_access,
    libc::SYS_readlink,
    libc::SYS_mkdir,
    libc::SYS_rmdir,
    libc::SYS_unlink,
    libc::SYS_rename,
    libc::SYS_renameat,
    libc::SYS_link,
    libc::SYS_symlink,
    libc::SYS_chmod,
    libc::SYS_dup2,
    libc::SYS_pipe,
    libc::SYS_poll,
    libc::SYS_select,
    libc::SYS_epoll_create,
    libc::SYS_epoll_wait,
    libc::SYS_eventfd,
    libc::SYS_getdents,
    libc::SYS_getpgrp,
    libc::SYS_alarm,
    libc::SYS_pause,
    libc::SYS_time,
    libc::SYS_arch_prctl,
];
#[cfg(not(target_arch = "x86_64"))]
const OLD_NAMES: &[i64] = &[];

const IOCTLS: [libc::Ioctl; 6] =
    [libc::TCGETS, libc::TIOCGWINSZ, libc::FIONREAD, libc::FIONBIO, libc::FIOCLEX, libc::FIONCLEX];

const PRCTLS: [i32; 5] =
    [libc::PR_SET_NAME, libc::PR_GET_NAME, libc::PR_GET_DUMPABLE, libc::PR_CAPBSET_READ, libc::PR_SET_VMA];

/// Makes the filter for a process of this level. Without namespaces of its own, a program starts no other process
/// and signals only itself.
pub(crate) fn filter(level: Level, phase: Phase) -> Result<BpfProgram, seccompiler::Error> {
    let mut rules: Rules = HARMLESS.iter().chain(OLD_NAMES).map(|call| (*call, Vec::new())).collect();
    let mut only = |call: i64, conditions: Vec<SeccompRule>| rules.insert(call, conditions);
    only(libc::SYS_ioctl, any_of(1, &IOCTLS.map(u64::from))?);
    only(libc::SYS_prctl, any_of(0, &PRCTLS.map(|option| option as u64))?);
    // A pipe may not grow: its memory would not be counted for any process.
    only(libc::SYS_fcntl, vec![rule(1, Dword, Ne, libc::F_SETPIPE_SZ as u64)?]);
    // Limits may be read but not set.
    only(libc::SYS_prlimit64, vec![rule(2, Qword, Eq, 0)?]);
    #[cfg(target_arch = "x86_64")]
    only(libc::SYS_getrlimit, Vec::new());
    if phase == Phase::Build {
        // A compiler talks to the linker that it starts.
        only(libc::SYS_socketpair, vec![rule(0, Dword, Eq, libc::AF_UNIX as u64)?]);
        only(libc::SYS_sendto, Vec::new());
        only(libc::SYS_recvfrom, Vec::new());
    }
    let is_alone = level != Level::Full && phase == Phase::Run;
    let thread = libc::CLONE_THREAD as u64;
    match is_alone {
        true => only(libc::SYS_clone, vec![rule(0, Qword, MaskedEq(NEW_NAMESPACES | thread), thread)?]),
        false => only(libc::SYS_clone, vec![rule(0, Qword, MaskedEq(NEW_NAMESPACES), 0)?]),
    };
    #[cfg(target_arch = "x86_64")]
    if !is_alone {
        only(libc::SYS_fork, Vec::new());
        only(libc::SYS_vfork, Vec::new());
    }
    let itself = u64::from(std::process::id());
    for call in [libc::SYS_kill, libc::SYS_tgkill] {
        only(call, if level == Level::Full { Vec::new() } else { vec![rule(0, Dword, Eq, itself)?] });
    }
    let filter = SeccompFilter::new(
        rules,
        SeccompAction::Errno(libc::ENOSYS as u32),
        SeccompAction::Allow,
        ARCHITECTURE,
    );
    Ok(filter?.try_into()?)
}

fn any_of(argument: u8, values: &[u64]) -> Result<Vec<SeccompRule>, seccompiler::Error> {
    values.iter().map(|value| rule(argument, Dword, Eq, *value)).collect()
}

fn rule(
    argument: u8,
    length: seccompiler::SeccompCmpArgLen,
    operation: seccompiler::SeccompCmpOp,
    value: u64,
) -> Result<SeccompRule, seccompiler::Error> {
    Ok(SeccompRule::new(vec![SeccompCondition::new(argument, length, operation, value)?])?)
}
