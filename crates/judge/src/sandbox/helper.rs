//! The helper process: isolates itself as its plan says, starts the program, and reports how it ended. It is the
//! judge's own program, started once more, because namespaces need a process with a single thread.

use super::NOBODY;
use super::filter::filter;
use super::kernel::{self, ANSWERS, STATUS};
use super::plan::{Bounds, HELPER, Phase, Plan, ROOM, SCRATCH, Word};
use super::room;
use crate::isolation::Level;
use landlock::{
    ABI, Access, AccessFs, AccessNet, CompatLevel, Compatible, Ruleset, RulesetAttr, RulesetCreatedAttr,
    Scope, path_beneath_rules,
};
use rustix::process::{DumpableBehavior, Pid, Resource, Rlimit, Signal, WaitOptions};
use rustix::thread::{CapabilitySet, CapabilitySets, Gid, Uid, UnshareFlags};
use std::error::Error;
use std::ffi::OsStr;
use std::fs::File;
use std::io::{Read, Write};
use std::os::unix::fs::OpenOptionsExt;
use std::os::unix::process::CommandExt;
use std::path::{Path, PathBuf};
use std::process::Command;

/// The niceness of programs. A program gets a third of an equal's share on a busy machine, and everything on an
/// idle one.
const NICENESS: i32 = 5;

type Outcome<T> = Result<T, Box<dyn Error>>;

/// Becomes the helper if the program was started as one, and then never returns. A program that judges calls this
/// first.
pub fn inner() {
    let mut arguments = std::env::args_os();
    if arguments.nth(1).as_deref() == Some(OsStr::new(HELPER)) && arguments.next().is_none() {
        let mut status = kernel::adopt(STATUS);
        if let Err(trouble) = help(&mut status) {
            say(&mut status, &Word::Trouble(trouble.to_string()));
        }
        std::process::exit(0);
    }
}

fn help(status: &mut File) -> Outcome<()> {
    kernel::close(STATUS + 1, u32::MAX);
    rustix::io::fcntl_setfd(&*status, rustix::io::FdFlags::CLOEXEC)?;
    let mut told = Vec::new();
    std::io::stdin().lock().read_to_end(&mut told)?;
    let mut parts = told.splitn(3, |byte| *byte == b'\n');
    let mut part = || parts.next().ok_or("the plan was cut off");
    let (doors, plan, contents) = (part()?, part()?, part()?);
    join_group(&serde_json::from_slice::<Vec<PathBuf>>(doors)?)?;
    let plan: Plan = serde_json::from_slice(plan)?;
    die_with_parent()?;
    step_back()?;
    match plan.level {
        Level::Full => full(&plan, contents, status),
        Level::Lite => lite(&plan, status),
        Level::None => Err("there is no way to shut the program in".into()),
    }
}

/// Joins control groups. `0` stands for the process that writes it.
fn join_group(doors: &[PathBuf]) -> Outcome<()> {
    for door in doors {
        std::fs::write(door, "0").map_err(|error| format!("{} cannot be joined: {error}", door.display()))?;
    }
    Ok(())
}

fn say(status: &mut File, word: &Word) {
    let line = serde_json::to_string(word).unwrap_or_default() + "\n";
    // If this fails, there is no one left to tell.
    let _ = status.write_all(line.as_bytes());
}

/// Starts a session of its own that gives way to sessions whose users wait for an answer. With autogroups only the
/// session's own niceness counts, elsewhere only the process's. Ordinary users may set the former ten times a
/// second, so it can fail.
fn step_back() -> Outcome<()> {
    rustix::process::setsid()?;
    let _ = rustix::process::nice(NICENESS);
    let _ = std::fs::write("/proc/self/autogroup", NICENESS.to_string());
    Ok(())
}

fn die_with_parent() -> Outcome<()> {
    Ok(rustix::process::set_parent_process_death_signal(Some(Signal::KILL))?)
}

/// Isolates with namespaces for everything; the program sees a file system of its own and itself as one of very few
/// processes.
fn full(plan: &Plan, contents: &[u8], status: &mut File) -> Outcome<()> {
    let spaces = UnshareFlags::NEWNS
        | UnshareFlags::NEWPID
        | UnshareFlags::NEWNET
        | UnshareFlags::NEWIPC
        | UnshareFlags::NEWUTS
        | UnshareFlags::NEWCGROUP;
    // Root makes the namespaces as root and gives everything up afterwards, so that no user namespace ever contains
    // root.
    let is_privileged = plan.user.is_some() && kernel::unshare(spaces).is_ok();
    if !is_privileged {
        if let Some(user) = plan.user {
            become_user(user)?;
            rustix::process::set_dumpable_behavior(DumpableBehavior::Dumpable)?;
        }
        own_user_space(spaces)?;
        die_with_parent()?;
    }
    match kernel::fork()? {
        Some(root) => {
            say(status, &Word::Root(root.as_raw_nonzero().get()));
            kernel::close(0, 4);
            rustix::process::waitpid(Some(root), WaitOptions::empty())?;
            Ok(())
        }
        None => {
            room::build(plan, contents)?;
            give_up(plan, is_privileged)?;
            watch_over(plan, status)
        }
    }
}

fn own_user_space(spaces: UnshareFlags) -> Outcome<()> {
    let (user, group) = (rustix::process::geteuid().as_raw(), rustix::process::getegid().as_raw());
    kernel::unshare(UnshareFlags::NEWUSER | spaces)
        .map_err(|error| format!("the kernel allows no user namespace: {error}"))?;
    std::fs::write("/proc/self/setgroups", "deny")?;
    std::fs::write("/proc/self/uid_map", format!("{NOBODY} {user} 1"))?;
    std::fs::write("/proc/self/gid_map", format!("{NOBODY} {group} 1"))?;
    Ok(())
}

fn become_user(user: u32) -> Outcome<()> {
    let (uid, gid) = (Uid::from_raw(user), Gid::from_raw(user));
    rustix::thread::set_thread_groups(&[])?;
    rustix::thread::set_thread_res_gid(gid, gid, gid)?;
    rustix::thread::set_thread_res_uid(uid, uid, uid)?;
    Ok(())
}

/// Leaves this process, and all that it starts, without any privilege.
fn give_up(plan: &Plan, is_privileged: bool) -> Outcome<()> {
    let _ = rustix::system::sethostname(b"judge");
    for capability in CapabilitySet::all().iter() {
        // A kernel that does not know a capability cannot grant it either.
        let _ = rustix::thread::remove_capability_from_bounding_set(capability);
    }
    if let Some(user) = plan.user.filter(|_| is_privileged) {
        become_user(user)?;
        // This is one more fence; without it the process is an ordinary user without rights.
        let _ = kernel::unshare(UnshareFlags::NEWUSER);
    }
    without_capabilities()?;
    rustix::process::set_dumpable_behavior(DumpableBehavior::NotDumpable)?;
    die_with_parent()
}

fn without_capabilities() -> Outcome<()> {
    let none = CapabilitySet::empty();
    let sets = CapabilitySets { effective: none, permitted: none, inheritable: none };
    rustix::thread::set_capabilities(None, sets)?;
    Ok(rustix::thread::set_no_new_privs(true)?)
}

/// Runs as the first process of the sandbox: when it ends, the kernel ends all others.
fn watch_over(plan: &Plan, status: &mut File) -> Outcome<()> {
    let Some(program) = kernel::fork()? else { return become_program(plan) };
    kernel::close(0, 3);
    if plan.product.is_none() {
        kernel::close(ANSWERS, ANSWERS as u32);
    }
    let (code, signal) = wait_for(program)?;
    if let Some(product) = plan.product.as_ref().filter(|_| code == Some(0)) {
        send_out(&Path::new(SCRATCH).join(product))?;
    }
    say(status, &Word::Ended { code, signal, peak_kb: kernel::peak_kb() });
    Ok(())
}

fn wait_for(program: Pid) -> Outcome<(Option<i32>, Option<i32>)> {
    loop {
        match rustix::process::wait(WaitOptions::empty()) {
            Ok(Some((pid, ended))) if pid == program => {
                return Ok((ended.exit_status(), ended.terminating_signal()));
            }
            Ok(_) | Err(rustix::io::Errno::INTR) => {}
            Err(error) => return Err(error.into()),
        }
    }
}

fn send_out(path: &Path) -> Outcome<()> {
    let mut product = std::fs::OpenOptions::new().read(true).custom_flags(libc::O_NOFOLLOW).open(path)?;
    let mut answers = kernel::adopt(ANSWERS);
    std::io::copy(&mut product, &mut answers)?;
    Ok(())
}

/// Isolates without namespaces: the program shares ours, but the kernel keeps it from files, sockets and other
/// processes.
fn lite(plan: &Plan, status: &mut File) -> Outcome<()> {
    if let Some(user) = plan.user {
        become_user(user)?;
    }
    without_capabilities()?;
    rustix::process::set_dumpable_behavior(DumpableBehavior::NotDumpable)?;
    die_with_parent()?;
    let Some(program) = kernel::fork()? else {
        die_with_parent()?;
        return become_program(plan);
    };
    say(status, &Word::Root(program.as_raw_nonzero().get()));
    kernel::close(0, 3);
    let (code, signal) = wait_for(program)?;
    // A compiler's children are in its group.
    let _ = rustix::process::kill_process_group(program, Signal::KILL);
    if let Some(product) = plan.product.as_ref().filter(|_| code == Some(0)) {
        send_out(&scratch(plan).join(product))?;
    }
    say(status, &Word::Ended { code, signal, peak_kb: kernel::peak_kb() });
    Ok(())
}

fn become_program(plan: &Plan) -> Outcome<()> {
    rustix::process::setpgid(None, None)?;
    let input =
        plan.input.as_ref().map_or_else(|| PathBuf::from("/dev/null"), |name| room_of(plan).join(name));
    rustix::stdio::dup2_stdin(File::open(input)?)?;
    let folder =
        if plan.level == Level::Full || plan.phase == Phase::Build { scratch(plan) } else { room_of(plan) };
    rustix::process::chdir(&folder)?;
    fence(plan)?;
    let (program, arguments) = plan.command.split_first().ok_or("there is no command")?;
    let mut command = Command::new(program);
    command.args(arguments).env_clear().envs(plan.environment.iter().cloned());
    let filter = filter(plan.level, plan.phase)?;
    // This comes last, because memory that our allocator has reserved counts as data of the program until it is
    // replaced.
    bound(&plan.bounds, plan.level)?;
    seccompiler::apply_filter(&filter)?;
    let error = command.exec();
    Err(format!("{program} cannot be started: {error}").into())
}

fn room_of(plan: &Plan) -> PathBuf {
    plan.outer_room.clone().unwrap_or_else(|| ROOM.into())
}

fn scratch(plan: &Plan) -> PathBuf {
    plan.outer_room.as_ref().map_or_else(|| SCRATCH.into(), |room| room.join("scratch"))
}

fn bound(bounds: &Bounds, level: Level) -> Outcome<()> {
    let mega = |size: u64| size << 20;
    let mut limits = vec![
        (Resource::Data, mega(bounds.data_mb)),
        (Resource::Fsize, mega(bounds.file_mb)),
        (Resource::Nofile, bounds.open_files),
        (Resource::Cpu, bounds.cpu_s),
        (Resource::Core, 0),
        (Resource::Memlock, 0),
        (Resource::Msgqueue, 0),
        (Resource::Stack, mega(16)),
    ];
    // Without a user namespace of its own, all processes of the user would count. A program can start none there,
    // and the stacks of its threads are data.
    limits.extend((level == Level::Full).then_some((Resource::Nproc, bounds.processes)));
    for (resource, most) in limits {
        let allowed = rustix::process::getrlimit(resource).maximum;
        let most = allowed.map_or(most, |allowed| allowed.min(most));
        rustix::process::setrlimit(resource, Rlimit { current: Some(most), maximum: Some(most) })?;
    }
    Ok(())
}

/// Applies Landlock: a second fence around files with namespaces, and the only one without them.
fn fence(plan: &Plan) -> Outcome<()> {
    let abi = ABI::V6;
    let (all, reading) = (AccessFs::from_all(abi), AccessFs::from_read(abi));
    let level =
        if plan.level == Level::Full { CompatLevel::BestEffort } else { CompatLevel::SoftRequirement };
    let rules = Ruleset::default()
        .set_compatibility(level)
        .handle_access(all)?
        .set_compatibility(CompatLevel::BestEffort)
        .handle_access(AccessNet::from_all(abi))?
        .scope(Scope::from_all(abi))?
        .create()?;
    let seen: Vec<PathBuf> = match plan.level {
        Level::Full => vec!["/".into()],
        _ => plan.views.places.iter().cloned().chain([room_of(plan), "/dev/urandom".into()]).collect(),
    };
    let is_writable = plan.level == Level::Full || plan.phase == Phase::Build;
    let written = is_writable.then(|| scratch(plan));
    let rules = rules
        .add_rules(path_beneath_rules(seen, reading))?
        .add_rules(path_beneath_rules(written, all))?
        .add_rules(path_beneath_rules(
            ["/dev/null", "/dev/zero"],
            AccessFs::ReadFile | AccessFs::WriteFile,
        ))?;
    let fenced = rules.restrict_self()?;
    match plan.level == Level::Lite && fenced.ruleset == landlock::RulesetStatus::NotEnforced {
        true => Err("the kernel has no landlock".into()),
        false => Ok(()),
    }
}
