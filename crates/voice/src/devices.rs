//! Devices for sound, and microphones.
//!
//! Devices are reached through the programs that come with a sound system (PipeWire, PulseAudio, ALSA, SoX), as children
//! that read or write plain samples. Linking a sound library would need its headers at build time and the library at run
//! time; a child needs neither, and an unplugged device ends the child and nothing else. A WAV file can stand in for both.

use crate::wire::FarMicrophone;
use crate::{FRAME, RATE, Sound, Trouble};
use std::io::Read;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::sync::mpsc::{self, Receiver, RecvTimeoutError};
use std::time::Duration;

/// How a recording ends: long enough for the end of speech to be noticed.
const AFTER_FILE: f32 = 1.0;
/// A microphone always gives samples, if only of silence. One that gives none for so long does not work.
const SAMPLES_WITHIN: Duration = Duration::from_secs(5);
/// Half a minute of sound that was not listened to. A program that records more has to wait.
const MOST_WAITING: usize = 1_000;
/// What a program says about its end is waited for so long.
const LAST_WORDS: Duration = Duration::from_millis(500);

/// A program that records or plays 16-bit mono samples, with `{rate}` and `{device}` in its arguments.
struct Known {
    program: &'static str,
    record: Option<&'static str>,
    play: Option<&'static str>,
    device: &'static str,
    list: &'static [&'static str],
}

/// The first that is found is used.
const KNOWN: [Known; 5] = [
    Known {
        program: "pw-record",
        record: Some("pw-record --rate {rate} --channels 1 --format s16 {device} -"),
        play: None,
        device: "--target",
        list: &["wpctl", "status"],
    },
    Known {
        program: "pw-play",
        record: None,
        play: Some("pw-play --rate {rate} --channels 1 --format s16 {device} -"),
        device: "--target",
        list: &[],
    },
    Known {
        program: "parec",
        record: Some("parec --raw --rate={rate} --channels=1 --format=s16le --latency-msec=30 {device}"),
        play: Some("pacat --raw --rate={rate} --channels=1 --format=s16le --latency-msec=60 {device}"),
        device: "--device",
        list: &["pactl", "list", "short"],
    },
    Known {
        program: "arecord",
        record: Some("arecord -q -t raw -f S16_LE -c 1 -r {rate} -F 32000 {device}"),
        play: Some("aplay -q -t raw -f S16_LE -c 1 -r {rate} -F 32000 -B 128000 {device}"),
        device: "-D",
        list: &["arecord", "-l"],
    },
    Known {
        program: "sox",
        record: Some("sox -q -d -t raw -b 16 -e signed-integer -c 1 -r {rate} -"),
        play: Some("sox -q -t raw -b 16 -e signed-integer -c 1 -r {rate} - -d"),
        device: "",
        list: &[],
    },
];

/// Where programs are looked for, and what the learner chose.
#[derive(Debug, Clone, Default)]
pub struct Devices {
    /// The folders of PATH.
    pub search: Vec<PathBuf>,
    /// The name of a device, as its program calls it.
    pub device: Option<String>,
    /// Commands in place of the known programs.
    pub record_with: Option<String>,
    pub play_with: Option<String>,
}

/// A program of the sound system that is there.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Found {
    pub program: String,
    pub records: bool,
    pub plays: bool,
    /// What it says about its devices.
    pub devices: Vec<String>,
}

impl Devices {
    /// What can be used, the first choice first.
    pub fn found(&self) -> Vec<Found> {
        let known = KNOWN.iter().filter(|known| self.has(known.program));
        let found = known.map(|known| Found {
            program: known.program.to_owned(),
            records: known.record.is_some(),
            plays: known.play.is_some(),
            devices: self.list(known.list),
        });
        found.collect()
    }

    pub fn microphone(&self) -> Result<Microphone, Trouble> {
        let command = self.command(self.record_with.as_deref(), |known| known.record, RATE);
        let command = command.ok_or_else(|| no_device("record", "a microphone"))?;
        let mut child = started(&command, Stdio::null(), Stdio::piped())?;
        let samples = child.stdout.take().ok_or_else(|| no_device("record", "a microphone"))?;
        Ok(Microphone::Program {
            child,
            frames: frames(samples),
            command: command[0].clone(),
            has_heard: false,
        })
    }

    fn has(&self, program: &str) -> bool {
        self.search.iter().any(|folder| folder.join(program).is_file())
    }

    /// The command that plays at this rate.
    pub(crate) fn player(&self, rate: u32) -> Result<Vec<String>, Trouble> {
        let command = self.command(self.play_with.as_deref(), |known| known.play, rate);
        command.ok_or_else(|| no_device("play", "a loudspeaker"))
    }

    fn command(
        &self,
        chosen: Option<&str>,
        of: impl Fn(&Known) -> Option<&'static str>,
        rate: u32,
    ) -> Option<Vec<String>> {
        let known = KNOWN.iter().filter(|known| self.has(known.program));
        let known = known.filter_map(|known| Some((of(known)?, known.device))).next();
        let (template, option) = chosen.map(|chosen| (chosen, "")).or(known)?;
        // A command that cannot be read as a shell would read it is taken word by word.
        let words = shlex::split(template)
            .unwrap_or_else(|| template.split_whitespace().map(str::to_owned).collect());
        let words = words.iter().flat_map(|word| match (word.as_str(), &self.device) {
            ("{device}", Some(device)) if option.starts_with("--") => vec![format!("{option}={device}")],
            ("{device}", Some(device)) => vec![option.to_owned(), device.clone()],
            ("{device}", None) => Vec::new(),
            (word, _) => vec![word.replace("{rate}", &rate.to_string())],
        });
        Some(words.collect::<Vec<_>>()).filter(|words| !words.is_empty())
    }

    fn list(&self, command: &[&str]) -> Vec<String> {
        let Some((program, arguments)) = command.split_first() else { return Vec::new() };
        let output = Command::new(program).args(arguments).stdin(Stdio::null()).output();
        let said = output.map(|output| String::from_utf8_lossy(&output.stdout).into_owned());
        said.unwrap_or_default().lines().map(str::to_owned).filter(|line| !line.trim().is_empty()).collect()
    }
}

fn no_device(does: &str, what: &str) -> Trouble {
    Trouble::new(
        format!("there is no program to {does} with, so {what} cannot be used"),
        "install pipewire, pulseaudio-utils, alsa-utils or sox; or use --input FILE.wav and --output FILE.wav, or --text",
    )
}

pub(crate) fn started(command: &[String], stdin: Stdio, stdout: Stdio) -> Result<Child, Trouble> {
    let (program, arguments) = (&command[0], &command[1..]);
    let child =
        Command::new(program).args(arguments).stdin(stdin).stdout(stdout).stderr(Stdio::piped()).spawn();
    child.map_err(|error| {
        Trouble::new(
            format!("`{program}` cannot be started: {error}"),
            "`etude voice devices` shows what is there",
        )
    })
}

/// Where sound comes from.
#[derive(Debug)]
pub enum Microphone {
    File { samples: Vec<f32>, at: usize },
    Program { child: Child, frames: Receiver<Vec<f32>>, command: String, has_heard: bool },
    Far(FarMicrophone),
}

/// The frames that a program records, as they come: it goes on while Etude thinks.
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
    /// A file in place of a microphone. A little silence follows it.
    pub fn file(path: &Path) -> Result<Microphone, Trouble> {
        let mut sound = Sound::read_wav(path)?.at(RATE);
        sound.append(&Sound::silence(RATE, AFTER_FILE));
        Ok(Microphone::of(sound))
    }

    pub fn of(sound: Sound) -> Microphone {
        Microphone::File { samples: sound.at(RATE).samples, at: 0 }
    }

    /// Whether a file has been read to its end, or the other end has gone.
    pub(crate) fn is_over(&self) -> bool {
        match self {
            Microphone::File { samples, at } => *at + FRAME > samples.len(),
            Microphone::Program { .. } => false,
            Microphone::Far(far) => far.is_over(),
        }
    }

    /// Whether sound comes as fast as it is made, and no faster.
    pub(crate) fn is_live(&self) -> bool {
        !matches!(self, Microphone::File { .. })
    }

    /// Whether there is something to hear now. A file is no one who could cut in.
    pub(crate) fn has_sound(&mut self) -> bool {
        match self {
            Microphone::File { .. } => false,
            Microphone::Program { .. } => true,
            Microphone::Far(far) => far.has_frame(),
        }
    }

    /// The next [`FRAME`] samples; none at the end of a file.
    pub(crate) fn frame(&mut self) -> Result<Option<Vec<f32>>, Trouble> {
        match self {
            Microphone::File { samples, at } => {
                let frame = samples.get(*at..*at + FRAME).map(<[f32]>::to_vec);
                *at += FRAME;
                Ok(frame)
            }
            Microphone::Program { child, frames, command, has_heard } => {
                match frames.recv_timeout(SAMPLES_WITHIN) {
                    Ok(frame) => {
                        *has_heard = true;
                        Ok(Some(frame))
                    }
                    Err(RecvTimeoutError::Timeout) => Err(mute(command)),
                    Err(RecvTimeoutError::Disconnected) => Err(silenced(child, command, *has_heard)),
                }
            }
            Microphone::Far(far) => Ok(far.frame()),
        }
    }

    /// Drops what was recorded while no turn listened.
    pub(crate) fn catch_up(&mut self) {
        if let Microphone::Program { frames, has_heard, .. } = self {
            *has_heard |= frames.try_iter().count() > 0;
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

/// Why a program stopped recording, in its own words.
fn silenced(child: &mut Child, command: &str, has_heard: bool) -> Trouble {
    let _ = child.kill();
    let _ = child.wait();
    let what = match has_heard {
        true => "the microphone has stopped: it was unplugged, or",
        false => "the microphone cannot be used:",
    };
    Trouble::new(
        format!("{what} `{command}` says: {}", said(child)),
        "check the microphone with `etude voice devices`; what you did so far is saved",
    )
}

/// The last line of what a program complained about. Something that it started may still hold the pipe, so this does not
/// wait for its end.
pub(crate) fn said(child: &mut Child) -> String {
    let (sender, text) = mpsc::channel();
    if let Some(mut stderr) = child.stderr.take() {
        std::thread::spawn(move || {
            let mut text = String::new();
            let _ = stderr.read_to_string(&mut text);
            let _ = sender.send(text);
        });
    }
    let text = text.recv_timeout(LAST_WORDS).unwrap_or_default();
    let last = text.lines().rfind(|line| !line.trim().is_empty());
    last.unwrap_or("nothing").chars().take(200).collect()
}

impl Drop for Microphone {
    fn drop(&mut self) {
        if let Microphone::Program { child, .. } = self {
            let _ = child.kill();
            let _ = child.wait();
        }
    }
}
