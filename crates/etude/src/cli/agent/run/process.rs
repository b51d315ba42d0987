//! The process of an agent: started in its own process group, heard while it runs, and ended with everything it
//! started.

use std::io::{Read, Write};
use std::process::{ExitStatus, Stdio};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;
use tokio::io::{AsyncRead, AsyncReadExt, AsyncWriteExt};
use tokio::process::{Child, ChildStdin, Command};
use tokio::sync::mpsc;
use tokio::time::Instant;

/// How long a process may take to end by itself before it is killed.
const GRACE: Duration = Duration::from_secs(5);
/// How long to wait for output after the process has ended. A process that it left running may hold the pipe open.
const DRAIN: Duration = Duration::from_millis(500);
const CHUNK_BYTES: usize = 16 << 10;
const MAX_CHUNKS: usize = 64;
/// The part of an agent's input that is kept as its human's words.
const MAX_GIVEN_BYTES: usize = 64 << 10;
/// Tells the agent's own hooks to stay out of a supervised run.
const INSIDE: &str = "ETUDE_AGENT_HOOK";

/// The source of the process's standard input.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Input {
    /// No input.
    Empty,
    /// Our own standard input.
    Ours,
    /// The messages that we write.
    Kept,
}

/// An event from a process.
#[derive(Debug)]
pub(super) enum News {
    /// Output on the standard output.
    Out(Vec<u8>),
    Beside,
    /// The end of the process, after all of its output.
    Ended(std::io::Result<ExitStatus>),
}

#[derive(Debug)]
pub(super) struct Process {
    child: Child,
    stdin: Option<ChildStdin>,
    output: mpsc::Receiver<News>,
    ended: Option<(std::io::Result<ExitStatus>, Instant)>,
    /// The process's id, which is also that of its group. The group may outlive the process.
    group: Option<u32>,
    pub given: Given,
}

/// The beginning of our standard input, which is passed on to the agent.
#[derive(Debug, Clone, Default)]
pub(super) struct Given(Arc<Mutex<Vec<u8>>>);

impl Given {
    pub(super) fn text(&self) -> Option<String> {
        let bytes = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        Some(String::from_utf8_lossy(&bytes).trim().to_owned()).filter(|text| !text.is_empty())
    }

    /// Passes our standard input on. A blocked read cannot be cancelled, so a thread reads, and the program
    /// does not wait for it when it ends.
    fn pass_on(&self, mut to: ChildStdin) {
        let (sender, mut chunks) = mpsc::channel::<Vec<u8>>(1);
        let kept = self.0.clone();
        std::thread::spawn(move || {
            let mut chunk = vec![0; CHUNK_BYTES];
            while let Ok(length @ 1..) = std::io::stdin().read(&mut chunk) {
                let mut kept = kept.lock().unwrap_or_else(PoisonError::into_inner);
                let fits = length.min(MAX_GIVEN_BYTES - kept.len());
                kept.extend_from_slice(&chunk[..fits]);
                drop(kept);
                if sender.blocking_send(chunk[..length].to_vec()).is_err() {
                    break;
                }
            }
        });
        tokio::spawn(async move {
            while let Some(chunk) = chunks.recv().await {
                if to.write_all(&chunk).await.is_err() {
                    break;
                }
            }
        });
    }
}

impl Process {
    pub(super) fn start(command: &[String], input: Input) -> Result<Process, String> {
        let program = command.first().ok_or("there is no command")?;
        let mut starting = guarded(command)?;
        starting.env(INSIDE, "run").stdout(Stdio::piped()).stderr(Stdio::piped());
        starting.kill_on_drop(true).stdin(match input {
            Input::Empty => Stdio::null(),
            Input::Ours | Input::Kept => Stdio::piped(),
        });
        #[cfg(unix)]
        starting.process_group(0);
        #[cfg(target_os = "linux")]
        end_with_us(&mut starting);
        let mut child = starting.spawn().map_err(|error| format!("{program} cannot be started: {error}"))?;
        let (sender, output) = mpsc::channel(MAX_CHUNKS);
        if let Some(stdout) = child.stdout.take() {
            tokio::spawn(pass_on(stdout, std::io::stdout(), sender.clone(), News::Out));
        }
        if let Some(stderr) = child.stderr.take() {
            tokio::spawn(pass_on(stderr, std::io::stderr(), sender, |_| News::Beside));
        }
        let (stdin, group) = (child.stdin.take(), child.id());
        let given = Given::default();
        let stdin = match (stdin, input) {
            (Some(stdin), Input::Ours) => {
                given.pass_on(stdin);
                None
            }
            (stdin, _) => stdin,
        };
        Ok(Process { child, stdin, output, ended: None, group, given })
    }

    /// Returns the next event.
    pub(super) async fn next(&mut self) -> News {
        let (ended, drained_at) = match &self.ended {
            Some(ended) => ended,
            None => tokio::select! {
                biased;
                Some(news) = self.output.recv() => return news,
                ended = self.child.wait() => self.ended.insert((ended, Instant::now() + DRAIN)),
            },
        };
        match tokio::time::timeout_at(*drained_at, self.output.recv()).await {
            Ok(Some(news)) => news,
            Ok(None) | Err(_) => {
                let ended = match ended {
                    Ok(status) => Ok(*status),
                    Err(error) => Err(std::io::Error::other(error.to_string())),
                };
                // Without a guard, or with one that was killed, this ends the processes that the agent left in
                // its group.
                if cfg!(not(target_os = "linux")) || ended.as_ref().is_ok_and(was_killed) {
                    self.signal(true);
                }
                News::Ended(ended)
            }
        }
    }

    /// Writes a line to the process. A failure is ignored: the end of the process will show it.
    pub(super) async fn say(&mut self, line: &str) {
        if let Some(stdin) = &mut self.stdin {
            let _ = stdin.write_all(format!("{line}\n").as_bytes()).await;
            let _ = stdin.flush().await;
        }
    }

    /// Closes the process's input.
    pub(super) fn hang_up(&mut self) {
        self.stdin = None;
    }

    /// Ends the process and everything it started, gently first.
    pub(super) async fn end(&mut self) {
        self.hang_up();
        self.signal(false);
        if tokio::time::timeout(GRACE, self.child.wait()).await.is_err() {
            tracing::warn!("the agent did not end when asked to, and was killed");
            self.kill_below();
        }
        self.signal(true);
        let _ = self.child.wait().await;
    }

    /// Kills everything below the guard. A guard that is late is about to be killed, and could no longer end
    /// what it guards.
    #[cfg(target_os = "linux")]
    fn kill_below(&self) {
        const LOOKS: u32 = 20;
        let Some(guard) = self.group.and_then(|id| i32::try_from(id).ok()) else { return };
        let _ = (0..LOOKS).find(|_| !super::guard::signal_all(guard, true));
    }

    #[cfg(not(target_os = "linux"))]
    fn kill_below(&self) {}

    #[cfg(unix)]
    fn signal(&mut self, is_kill: bool) {
        use rustix::process::{Pid, Signal, kill_process_group};
        let group = self.group.and_then(|id| Pid::from_raw(id.try_into().ok()?));
        if let Some(group) = group {
            let _ = kill_process_group(group, if is_kill { Signal::KILL } else { Signal::TERM });
        }
    }

    #[cfg(not(unix))]
    fn signal(&mut self, _: bool) {
        let _ = self.child.start_kill();
    }
}

#[cfg(unix)]
fn was_killed(status: &ExitStatus) -> bool {
    std::os::unix::process::ExitStatusExt::signal(status).is_some()
}

#[cfg(not(unix))]
fn was_killed(_: &ExitStatus) -> bool {
    false
}

/// Returns the command, run by a guard where there is one.
#[cfg(target_os = "linux")]
fn guarded(command: &[String]) -> Result<Command, String> {
    let own =
        std::env::current_exe().map_err(|error| format!("the program does not know where it is: {error}"))?;
    let mut starting = Command::new(own);
    starting.args(["agent", "guard", "--"]).args(command);
    Ok(starting)
}

#[cfg(not(target_os = "linux"))]
fn guarded(command: &[String]) -> Result<Command, String> {
    let (program, arguments) = command.split_first().ok_or("there is no command")?;
    let mut starting = Command::new(program);
    starting.args(arguments);
    Ok(starting)
}

/// Asks the kernel to end the process if this program dies without cleaning up, as after `kill -9`. The kernel watches
/// the thread that starts the process: agent commands run on the main thread, which ends with the program.
#[cfg(target_os = "linux")]
#[expect(unsafe_code, reason = "there is no other way to do something between fork and exec")]
fn end_with_us(starting: &mut Command) {
    use rustix::process::{Signal, getpid, getppid, set_parent_process_death_signal};
    let us = getpid();
    let tie = move || {
        set_parent_process_death_signal(Some(Signal::TERM))?;
        // A parent that is already gone would send no signal.
        if getppid() == Some(us) { Ok(()) } else { Err(std::io::ErrorKind::BrokenPipe.into()) }
    };
    // SAFETY: after the fork there are only system calls; nothing is allocated, and no lock is taken.
    unsafe { starting.pre_exec(tie) };
}

/// Passes output on as it arrives, and reports it to the caller.
async fn pass_on(
    mut from: impl AsyncRead + Unpin,
    mut to: impl Write,
    heard: mpsc::Sender<News>,
    news: fn(Vec<u8>) -> News,
) {
    let mut chunk = vec![0; CHUNK_BYTES];
    while let Ok(length @ 1..) = from.read(&mut chunk).await {
        // Output that cannot be shown is not a failure of the agent.
        let _ = to.write_all(&chunk[..length]).and_then(|()| to.flush());
        if heard.send(news(chunk[..length].to_vec())).await.is_err() {
            break;
        }
    }
}

/// The signals that ask this program to end.
#[cfg(unix)]
#[derive(Debug)]
pub(super) struct Interrupts([(i32, tokio::signal::unix::Signal); 3]);

#[cfg(unix)]
impl Interrupts {
    pub(super) fn new() -> std::io::Result<Interrupts> {
        use tokio::signal::unix::{SignalKind, signal};
        let [interrupt, terminate, hangup] =
            [SignalKind::interrupt(), SignalKind::terminate(), SignalKind::hangup()];
        let heard = |kind: SignalKind| Ok::<_, std::io::Error>((kind.as_raw_value(), signal(kind)?));
        Ok(Interrupts([heard(interrupt)?, heard(terminate)?, heard(hangup)?]))
    }

    /// Waits for the next signal. Returns its number.
    pub(super) async fn next(&mut self) -> i32 {
        let [(interrupt, int), (terminate, term), (hangup, hup)] = &mut self.0;
        tokio::select! {
            _ = int.recv() => *interrupt,
            _ = term.recv() => *terminate,
            _ = hup.recv() => *hangup,
        }
    }
}

#[cfg(not(unix))]
#[derive(Debug)]
pub(super) struct Interrupts;

#[cfg(not(unix))]
impl Interrupts {
    pub(super) fn new() -> std::io::Result<Interrupts> {
        Ok(Interrupts)
    }

    pub(super) async fn next(&mut self) -> i32 {
        let _ = tokio::signal::ctrl_c().await;
        2
    }
}
