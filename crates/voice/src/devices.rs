//! Devices for sound, and microphones.
//!
//! Devices are reached through child processes that read or write plain samples: the programs of a sound system
//! (PulseAudio, PipeWire, ALSA, SoX), or `etude-sound`, which uses the library cpal. Linking that library here
//! would need headers at build time; a child process needs none, and an unplugged device ends only the child. A
//! WAV file can stand in for either device.

use crate::wire::FarMicrophone;
use crate::{FRAME, RATE, Sound, Trouble};
use rustix::process::{Pid, Signal, kill_process_group};
use serde::Serialize;
use std::io::{self, BufRead, BufReader, Read};
use std::os::unix::process::CommandExt;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, ExitStatus, Stdio};
use std::sync::mpsc::{self, Receiver, RecvTimeoutError};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

/// Seconds of silence after a file, which let the end of speech be noticed.
const AFTER_FILE: f32 = 1.0;
/// How long to wait for samples. A microphone always gives some, even silent ones; one that gives none does not work.
const SAMPLES_WITHIN: Duration = Duration::from_secs(5);
/// The number of frames that may wait to be heard: half a minute. A program that records more has to wait.
const MOST_WAITING: usize = 1_000;
/// How long to wait for the last message of a program.
const LAST_WORDS: Duration = Duration::from_secs(2);
const LONGEST_COMPLAINT: u64 = 4_096;
/// How long a program may take to list devices or to check its sound system. Only one that hangs takes longer.
const ANSWERS_WITHIN: Duration = Duration::from_secs(2);

/// A program that records or plays 16-bit mono samples, with `{rate}` and `{device}` in its arguments.
struct Known {
    program: &'static str,
    record: Option<&'static str>,
    play: Option<&'static str>,
    /// The option that names a device. Empty if the program has none.
    device: &'static str,
    /// A command that fails if the program's sound system is not running.
    runs: &'static [&'static str],
    microphones: &'static [&'static str],
    loudspeakers: &'static [&'static str],
    /// Finds a device's name in a line of these lists.
    name: fn(&str) -> Option<&str>,
}

/// The known programs, in order: the first whose sound system is running is used. Older programs of PipeWire
/// take raw samples on a pipe; newer ones have to be told, which `{raw}` does.
const KNOWN: [Known; 6] = [
    Known {
        program: "etude-sound",
        record: Some("etude-sound record --rate {rate} {device}"),
        play: Some("etude-sound play --rate {rate} {device}"),
        device: "--device ",
        runs: &[],
        microphones: &["etude-sound", "list", "record"],
        loudspeakers: &["etude-sound", "list", "play"],
        name: first_column,
    },
    Known {
        program: "parec",
        record: Some("parec --raw --rate={rate} --channels=1 --format=s16le --latency-msec=30 {device}"),
        play: Some("pacat --raw --rate={rate} --channels=1 --format=s16le --latency-msec=60 {device}"),
        device: "--device=",
        runs: &["pactl", "info"],
        microphones: &["pactl", "list", "short", "sources"],
        loudspeakers: &["pactl", "list", "short", "sinks"],
        name: second_column,
    },
    Known {
        program: "pw-record",
        record: Some("pw-record {raw} --rate {rate} --channels 1 --format s16 {device} -"),
        play: None,
        device: "--target=",
        runs: &["pw-cli", "info", "0"],
        microphones: &["pw-cli", "ls", "Node"],
        loudspeakers: &[],
        name: |line| node(line, "input."),
    },
    Known {
        program: "pw-play",
        record: None,
        play: Some("pw-play {raw} --rate {rate} --channels 1 --format s16 {device} -"),
        device: "--target=",
        runs: &["pw-cli", "info", "0"],
        microphones: &[],
        loudspeakers: &["pw-cli", "ls", "Node"],
        name: |line| node(line, "output."),
    },
    Known {
        program: "arecord",
        record: Some("arecord -q -t raw -f S16_LE -c 1 -r {rate} -F 32000 {device}"),
        play: Some("aplay -q -t raw -f S16_LE -c 1 -r {rate} -F 32000 -B 128000 {device}"),
        device: "--device=",
        runs: &[],
        microphones: &["arecord", "-L"],
        loudspeakers: &["aplay", "-L"],
        name: unindented,
    },
    Known {
        program: "sox",
        record: Some("sox -q -d -t raw -b 16 -e signed-integer -c 1 -r {rate} -"),
        play: Some("sox -q -t raw -b 16 -e signed-integer -c 1 -r {rate} - -d"),
        device: "",
        runs: &[],
        microphones: &[],
        loudspeakers: &[],
        name: first_column,
    },
];

fn first_column(line: &str) -> Option<&str> {
    line.split('\t').next()
}

fn second_column(line: &str) -> Option<&str> {
    line.split('\t').nth(1)
}

/// Returns the name of a node that is a device. PipeWire calls devices `alsa_input.…`, `bluez_output.…`; other
/// nodes are programs.
fn node<'l>(line: &'l str, way: &str) -> Option<&'l str> {
    let name = line.split_once("node.name = ")?.1.trim().trim_matches('"');
    name.split_once('_').filter(|(_, rest)| rest.starts_with(way)).map(|_| name)
}

/// Returns a line that is a device's name. ALSA describes each device in indented lines below its name.
fn unindented(line: &str) -> Option<&str> {
    (!line.starts_with(char::is_whitespace)).then_some(line)
}

/// The search path for programs, and the learner's choice of devices.
#[derive(Debug, Clone, Default)]
pub struct Devices {
    /// The folders of PATH.
    pub search: Vec<PathBuf>,
    /// The names of devices, as their programs call them.
    pub microphone: Option<String>,
    pub loudspeaker: Option<String>,
    /// Commands that replace the known programs.
    pub record_with: Option<String>,
    pub play_with: Option<String>,
}

/// The programs and devices that can be used.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize)]
pub struct Found {
    pub records_with: Option<String>,
    pub plays_with: Option<String>,
    pub microphones: Vec<String>,
    pub loudspeakers: Vec<String>,
}

/// A direction of sound: recording or playing.
struct Way<'a> {
    does: &'static str,
    what: &'static str,
    of: fn(&Known) -> Option<&'static str>,
    /// The learner's own command and device, if they chose any.
    command: &'a Option<String>,
    device: &'a Option<String>,
}

impl Devices {
    pub fn found(&self) -> Found {
        let [records, plays] = [self.recording(), self.playing()].map(|way| self.known(&way));
        let program = |known: Option<(&Known, &str)>| {
            known.and_then(|(_, template)| template.split(' ').next()).map(str::to_owned)
        };
        Found {
            records_with: program(records),
            plays_with: program(plays),
            microphones: records.map_or_else(Vec::new, |(known, _)| names(known, known.microphones)),
            loudspeakers: plays.map_or_else(Vec::new, |(known, _)| names(known, known.loudspeakers)),
        }
    }

    pub fn microphone(&self) -> Result<Microphone, Trouble> {
        let command = self.command(&self.recording(), RATE)?;
        let mut program = Program::start(&command, Stdio::null(), Stdio::piped())?;
        let samples = program.child.stdout.take().ok_or_else(|| no_device("record", "a microphone"))?;
        Ok(Microphone::Program { program, frames: frames(samples), has_heard: false })
    }

    /// Returns the command that plays at this rate.
    pub(crate) fn player(&self, rate: u32) -> Result<Vec<String>, Trouble> {
        self.command(&self.playing(), rate)
    }

    fn recording(&self) -> Way<'_> {
        let of = |known: &Known| known.record;
        Way { does: "record", what: "a microphone", of, command: &self.record_with, device: &self.microphone }
    }

    fn playing(&self) -> Way<'_> {
        let of = |known: &Known| known.play;
        Way { does: "play", what: "a loudspeaker", of, command: &self.play_with, device: &self.loudspeaker }
    }

    /// Returns the first installed program whose sound system is running. Without one, returns the first
    /// installed program, which will say why it cannot be used.
    fn known(&self, way: &Way<'_>) -> Option<(&'static Known, &'static str)> {
        let there = || {
            let there = KNOWN.iter().filter(|known| self.has(known.program));
            there.filter_map(|known| Some((known, (way.of)(known)?)))
        };
        let runs = |known: &Known| known.runs.is_empty() || answer(known.runs).is_some_and(|answer| answer.0);
        there().find(|(known, _)| runs(known)).or_else(|| there().next())
    }

    fn has(&self, program: &str) -> bool {
        self.search.iter().any(|folder| folder.join(program).is_file())
    }

    fn command(&self, way: &Way<'_>, rate: u32) -> Result<Vec<String>, Trouble> {
        let known = if way.command.is_none() { self.known(way) } else { None };
        let template = way.command.as_deref().or(known.map(|(_, template)| template));
        let template = template.ok_or_else(|| no_device(way.does, way.what))?;
        let option = known.map_or("", |(known, _)| known.device);
        let device = match way.device {
            Some(name) if option.is_empty() => return Err(no_choice(template, name)),
            Some(name) => format!("{option}{name}"),
            None => String::new(),
        };
        // A command that does not parse as a shell command is split at spaces.
        let words = shlex::split(template)
            .unwrap_or_else(|| template.split_whitespace().map(str::to_owned).collect());
        let words = words.into_iter().flat_map(|word| match word.as_str() {
            "{device}" => device.splitn(2, ' ').map(str::to_owned).collect(),
            "{raw}" if knows_raw(template) => vec!["--raw".to_owned()],
            "{raw}" => Vec::new(),
            word => vec![word.replace("{rate}", &rate.to_string())],
        });
        let words: Vec<String> = words.filter(|word| !word.is_empty()).collect();
        if words.is_empty() { Err(no_device(way.does, way.what)) } else { Ok(words) }
    }
}

/// Whether a program of PipeWire has to be told that a pipe carries raw samples.
fn knows_raw(template: &str) -> bool {
    let program = template.split(' ').next().unwrap_or_default();
    answer(&[program, "--help"]).is_some_and(|(_, help)| help.contains("--raw"))
}

fn names(known: &Known, list: &[&str]) -> Vec<String> {
    let (_, listed) = answer(list).unwrap_or_default();
    let names = listed.lines().filter(|line| !line.trim().is_empty()).filter_map(known.name);
    names.map(str::to_owned).collect()
}

/// Returns whether a program succeeds, and its output. Returns `None` if it cannot start or hangs.
fn answer(command: &[&str]) -> Option<(bool, String)> {
    let (program, arguments) = command.split_first()?;
    let mut command = Command::new(program);
    command.args(arguments).stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::null());
    let mut child = command.spawn().ok()?;
    let mut stdout = child.stdout.take()?;
    let (sender, said) = mpsc::channel();
    std::thread::spawn(move || {
        let mut said = Vec::new();
        let _ = stdout.read_to_end(&mut said);
        let _ = sender.send(String::from_utf8_lossy(&said).into_owned());
    });
    let said = said.recv_timeout(ANSWERS_WITHIN);
    if said.is_err() {
        let _ = child.kill();
    }
    let status = child.wait().ok()?;
    Some((status.success(), said.ok()?))
}

fn no_device(does: &str, what: &str) -> Trouble {
    Trouble::new(
        format!("there is no program to {does} with, so {what} cannot be used"),
        "install pulseaudio-utils, pipewire, alsa-utils, sox or etude-sound; or use --input FILE.wav and --output FILE.wav; or type: \
         with `etude voice --text`, and without --voice elsewhere",
    )
}

fn no_choice(template: &str, name: &str) -> Trouble {
    let program = template.split(' ').next().unwrap_or_default();
    Trouble::new(
        format!("`{program}` cannot be told to use the device `{name}`"),
        "leave the name out, or give the whole command with --record-with or --play-with",
    )
}

/// A program that records or plays, and all processes that it starts.
#[derive(Debug)]
pub struct Program {
    pub(crate) child: Child,
    pub(crate) command: String,
    /// The last complaint of the program. Its error output is always read, because a program stops when its
    /// pipe is full.
    complaint: Arc<Mutex<String>>,
    reader: Option<JoinHandle<()>>,
}

impl Program {
    pub(crate) fn start(command: &[String], stdin: Stdio, stdout: Stdio) -> Result<Program, Trouble> {
        let (program, arguments) = (&command[0], &command[1..]);
        let mut command = Command::new(program);
        command.args(arguments).stdin(stdin).stdout(stdout).stderr(Stdio::piped());
        // Ctrl-C in a terminal ends a whole group. The session should end before its programs, so they get
        // their own group.
        command.process_group(0);
        let mut child = command.spawn().map_err(|error| {
            Trouble::new(
                format!("`{program}` cannot be started: {error}"),
                "`etude voice devices` shows what is there",
            )
        })?;
        let complaint = Arc::<Mutex<String>>::default();
        let reader = child.stderr.take().map(|stderr| {
            let complaint = complaint.clone();
            std::thread::spawn(move || keep_last(stderr, &complaint))
        });
        Ok(Program { child, command: program.clone(), complaint, reader })
    }

    /// Ends the program and all processes that it started: a shell that plays through a pipe would play on.
    pub(crate) fn end(&mut self) -> io::Result<ExitStatus> {
        if let Some(group) = i32::try_from(self.child.id()).ok().and_then(Pid::from_raw) {
            let _ = kill_process_group(group, Signal::KILL);
        }
        self.child.wait()
    }

    /// Returns the last complaint of the program. A process that it started may still hold the pipe open, so
    /// this waits only briefly for the end of the output.
    pub(crate) fn complaint(&self) -> String {
        let until = Instant::now() + LAST_WORDS;
        while Instant::now() < until && self.reader.as_ref().is_some_and(|reader| !reader.is_finished()) {
            std::thread::sleep(Duration::from_millis(5));
        }
        let complaint = self.complaint.lock().unwrap_or_else(PoisonError::into_inner);
        if complaint.is_empty() { "nothing".to_owned() } else { complaint.clone() }
    }
}

impl Drop for Program {
    fn drop(&mut self) {
        // Once the program was waited for, its process id may belong to another.
        if matches!(self.child.try_wait(), Ok(None)) {
            let _ = self.end();
        }
    }
}

/// Keeps the last line that is not blank.
fn keep_last(stderr: impl Read, last: &Mutex<String>) {
    let mut lines = BufReader::new(stderr);
    loop {
        let mut line = Vec::new();
        match lines.by_ref().take(LONGEST_COMPLAINT).read_until(b'\n', &mut line) {
            Ok(0) | Err(_) => return,
            Ok(_) => {}
        }
        let line = String::from_utf8_lossy(&line);
        if !line.trim().is_empty() {
            *last.lock().unwrap_or_else(PoisonError::into_inner) = line.trim().chars().take(200).collect();
        }
    }
}

/// A source of sound.
#[derive(Debug)]
pub enum Microphone {
    File { samples: Vec<f32>, at: usize },
    Program { program: Program, frames: Receiver<Vec<f32>>, has_heard: bool },
    Far(FarMicrophone),
}

/// Reads frames from a program as they come. The program goes on recording while Etude thinks.
fn frames(mut samples: impl Read + Send + 'static) -> Receiver<Vec<f32>> {
    let (sender, frames) = mpsc::sync_channel(MOST_WAITING);
    std::thread::spawn(move || {
        let mut bytes = vec![0; FRAME * 2];
        while samples.read_exact(&mut bytes).is_ok()
            && sender.send(Sound::from_pcm(RATE, &bytes).samples).is_ok()
        {}
    });
    frames
}

impl Microphone {
    /// Opens a file in place of a microphone, followed by a little silence.
    pub fn file(path: &Path) -> Result<Microphone, Trouble> {
        let mut sound = Sound::read_wav(path)?;
        sound.append(&Sound::silence(sound.rate, AFTER_FILE));
        Ok(Microphone::of(sound))
    }

    pub fn of(sound: Sound) -> Microphone {
        let samples = if sound.rate == RATE { sound.samples } else { sound.at(RATE).samples };
        Microphone::File { samples, at: 0 }
    }

    /// Whether a file has been read to its end, or the far end is gone.
    pub(crate) fn is_over(&self) -> bool {
        match self {
            Microphone::File { samples, at } => *at + FRAME > samples.len(),
            Microphone::Program { .. } => false,
            Microphone::Far(far) => far.is_over(),
        }
    }

    /// Whether sound arrives at the speed at which it is made.
    pub(crate) fn is_live(&self) -> bool {
        !matches!(self, Microphone::File { .. })
    }

    /// Whether there is sound to hear now. A file cannot interrupt.
    pub(crate) fn has_sound(&mut self) -> bool {
        match self {
            Microphone::File { .. } => false,
            Microphone::Program { .. } => true,
            Microphone::Far(far) => far.has_frame(),
        }
    }

    /// Returns the next [`FRAME`] samples. `None` at the end of a file.
    pub fn frame(&mut self) -> Result<Option<Vec<f32>>, Trouble> {
        match self {
            Microphone::File { samples, at } => {
                let frame = samples.get(*at..*at + FRAME).map(<[f32]>::to_vec);
                *at += FRAME;
                Ok(frame)
            }
            Microphone::Program { program, frames, has_heard } => match frames.recv_timeout(SAMPLES_WITHIN) {
                Ok(frame) => {
                    *has_heard = true;
                    Ok(Some(frame))
                }
                Err(RecvTimeoutError::Timeout) => Err(mute(&program.command)),
                Err(RecvTimeoutError::Disconnected) => Err(silenced(program, *has_heard)),
            },
            Microphone::Far(far) => Ok(far.frame()),
        }
    }

    /// Drops the sound recorded while no turn was listening.
    pub(crate) fn catch_up(&mut self) {
        if let Microphone::Program { frames, has_heard, .. } = self {
            *has_heard |= frames.try_iter().take(MOST_WAITING).count() > 0;
        }
    }
}

fn mute(command: &str) -> Trouble {
    let seconds = SAMPLES_WITHIN.as_secs();
    Trouble::new(
        format!("the microphone has given no sound for {seconds} s: `{command}` runs but records nothing"),
        "check the microphone with `etude voice devices`; what you did so far is saved",
    )
}

/// Explains in the program's own words why it stopped recording.
fn silenced(program: &mut Program, has_heard: bool) -> Trouble {
    let _ = program.end();
    let what = match has_heard {
        true => "the microphone has stopped: it was unplugged, or",
        false => "the microphone cannot be used:",
    };
    Trouble::new(
        format!("{what} `{}` says: {}", program.command, program.complaint()),
        "check the microphone with `etude voice devices`; what you did so far is saved",
    )
}
