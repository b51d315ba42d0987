//! Records and plays through the system's own sound interface: CoreAudio, PulseAudio, ALSA.
//!
//!     etude-sound record [--rate HZ] [--device NAME]    16-bit mono samples to standard output
//!     etude-sound play [--rate HZ] [--device NAME]      16-bit mono samples from standard input
//!     etude-sound list record|play
//!
//! Etude starts this program like any other for sound, so a device that goes away ends only this process.

use audioadapter_buffers::direct::SequentialSlice;
use cpal::traits::{DeviceTrait, HostTrait, StreamTrait};
use cpal::{
    BufferSize, Device, ErrorKind, FromSample, Host, Sample, SampleFormat, SizedSample, Stream, StreamConfig,
    SupportedBufferSize, SupportedStreamConfig, SupportedStreamConfigRange,
};
use rubato::{Fft, FixedSync, Resampler};
use std::io::{ErrorKind as Io, Read, Write};
use std::process::ExitCode;
use std::sync::mpsc::{Receiver, Sender, SyncSender, TryRecvError, channel, sync_channel};
use std::time::Duration;

/// The number of samples converted at once: 10 ms at 16 kHz.
const CHUNK: usize = 160;
/// The number of chunks that may wait to be played. With more, an interrupted coach would speak on.
const MOST_WAITING: usize = 20;
const BUFFER_MS: u32 = 40;
/// How long the last samples take from here to the loudspeaker.
const DRAIN: Duration = Duration::from_millis(200);

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    match run(&arguments) {
        Ok(()) => ExitCode::SUCCESS,
        Err(message) => {
            eprintln!("{message}");
            ExitCode::FAILURE
        }
    }
}

fn run(arguments: &[String]) -> Result<(), String> {
    let host = cpal::default_host();
    let arguments: Vec<&str> = arguments.iter().map(String::as_str).collect();
    let (verb, mut options) = match arguments[..] {
        ["list", way] => return list(&host, Way::of(way).ok_or(USAGE)?),
        [verb, ref options @ ..] => (Way::of(verb).ok_or(USAGE)?, options),
        [] => return Err(USAGE.to_owned()),
    };
    let (mut rate, mut name) = (16_000, None);
    while let [option, value, rest @ ..] = options {
        match *option {
            "--rate" => rate = value.parse().map_err(|_| format!("`{value}` is no rate"))?,
            "--device" => name = Some(*value),
            _ => return Err(USAGE.to_owned()),
        }
        options = rest;
    }
    if !options.is_empty() || !(8_000..=192_000).contains(&rate) {
        return Err(USAGE.to_owned());
    }
    let device = device(&host, name, verb)?;
    match verb {
        Way::In => record(&device, rate),
        Way::Out => play(&device, rate),
    }
}

const USAGE: &str =
    "use: etude-sound record|play [--rate HZ] [--device NAME], or etude-sound list record|play";

#[derive(Clone, Copy, PartialEq, Eq)]
enum Way {
    In,
    Out,
}

impl Way {
    fn of(verb: &str) -> Option<Way> {
        match verb {
            "record" => Some(Way::In),
            "play" => Some(Way::Out),
            _ => None,
        }
    }
}

fn device(host: &Host, name: Option<&str>, way: Way) -> Result<Device, String> {
    let found = match (name, way) {
        (Some(name), _) => {
            let mut devices = host.devices().map_err(told)?;
            devices.find(|device| is_called(device, name))
        }
        (None, Way::In) => host.default_input_device(),
        (None, Way::Out) => host.default_output_device(),
    };
    let kind = if way == Way::In { "microphone" } else { "loudspeaker" };
    found.ok_or_else(|| match name {
        Some(name) => format!("there is no {kind} called `{name}`"),
        None => format!("there is no {kind}"),
    })
}

fn is_called(device: &Device, name: &str) -> bool {
    device.to_string() == name || device.id().is_ok_and(|id| id.to_string() == name)
}

fn list(host: &Host, way: Way) -> Result<(), String> {
    for device in host.devices().map_err(told)? {
        let fits = if way == Way::In { device.supports_input() } else { device.supports_output() };
        if let Ok(id) = device.id()
            && fits
        {
            println!("{id}\t{device}");
        }
    }
    Ok(())
}

fn record(device: &Device, rate: u32) -> Result<(), String> {
    let ranges = device.supported_input_configs().map_err(told)?;
    let config = nearest(ranges, rate).map_or_else(|| device.default_input_config().map_err(told), Ok)?;
    let (sender, events) = channel();
    let stream = input(device, &config, sender)?;
    stream.play().map_err(told)?;
    let mut converter = Converter::new(config.sample_rate(), rate)?;
    let mut out = std::io::stdout().lock();
    loop {
        let samples = match events.recv().map_err(|_| "the microphone has stopped")? {
            Event::Heard(samples) => converter.convert(&samples)?,
            Event::Over => return Ok(()),
            Event::Broken(why) => return Err(why),
        };
        let pcm = |sample: f32| sample.clamp(-1.0, 1.0).to_sample::<i16>().to_le_bytes();
        let bytes: Vec<u8> = samples.into_iter().flat_map(pcm).collect();
        match out.write_all(&bytes).and_then(|()| out.flush()) {
            Err(error) if error.kind() == Io::BrokenPipe => return Ok(()),
            written => written.map_err(|error| format!("the samples cannot be written: {error}"))?,
        }
    }
}

fn play(device: &Device, rate: u32) -> Result<(), String> {
    let ranges = device.supported_output_configs().map_err(told)?;
    let config = nearest(ranges, rate).map_or_else(|| device.default_output_config().map_err(told), Ok)?;
    let mut converter = Converter::new(rate, config.sample_rate())?;
    let (chunks, waiting) = sync_channel(MOST_WAITING);
    let (sender, events) = channel();
    let stream = output(device, &config, waiting, sender.clone())?;
    std::thread::spawn(move || {
        if let Err(why) = read(&mut converter, &chunks) {
            let _ = sender.send(Event::Broken(why));
        }
    });
    stream.play().map_err(told)?;
    match events.recv().map_err(|_| "the loudspeaker has stopped")? {
        Event::Broken(why) => Err(why),
        _ => {
            std::thread::sleep(DRAIN);
            Ok(())
        }
    }
}

/// Reads samples and hands them on at the device's rate, until there are no more.
fn read(converter: &mut Converter, chunks: &SyncSender<Vec<f32>>) -> Result<(), String> {
    let mut samples = std::io::stdin().lock();
    let mut bytes = [0; CHUNK * 2];
    loop {
        let mut filled = 0;
        while filled < bytes.len() {
            match samples.read(&mut bytes[filled..]) {
                Ok(0) => break,
                Ok(count) => filled += count,
                Err(error) if error.kind() == Io::Interrupted => {}
                Err(error) => return Err(error.to_string()),
            }
        }
        let chunk: Vec<f32> = bytes[..filled]
            .chunks_exact(2)
            .map(|pair| i16::from_le_bytes([pair[0], pair[1]]).to_sample())
            .collect();
        let is_last = filled < bytes.len();
        let sound = if is_last { converter.finish(chunk)? } else { converter.convert(&chunk)? };
        if chunks.send(sound).is_err() || is_last {
            return Ok(());
        }
    }
}

/// A message from a device's stream.
enum Event {
    Heard(Vec<f32>),
    /// Everything has been played.
    Over,
    Broken(String),
}

/// Finds a configuration with this rate: the one with the fewest channels, in the format that needs the least
/// conversion.
fn nearest(
    ranges: impl Iterator<Item = SupportedStreamConfigRange>,
    rate: u32,
) -> Option<SupportedStreamConfig> {
    let order = |format| match format {
        SampleFormat::F32 => 0,
        SampleFormat::I16 => 1,
        SampleFormat::I32 => 2,
        _ => 3,
    };
    let fitting = ranges.filter(|range| order(range.sample_format()) < 3);
    let fitting = fitting.filter_map(|range| range.try_with_sample_rate(rate));
    fitting.min_by_key(|config| (config.channels(), order(config.sample_format())))
}

fn input(device: &Device, config: &SupportedStreamConfig, to: Sender<Event>) -> Result<Stream, String> {
    match config.sample_format() {
        SampleFormat::F32 => input_of::<f32>(device, config, to),
        SampleFormat::I16 => input_of::<i16>(device, config, to),
        SampleFormat::I32 => input_of::<i32>(device, config, to),
        other => Err(unknown(other)),
    }
}

fn input_of<T>(device: &Device, config: &SupportedStreamConfig, to: Sender<Event>) -> Result<Stream, String>
where
    T: SizedSample,
    f32: FromSample<T>,
{
    let channels = usize::from(config.channels());
    let broken = to.clone();
    let heard = move |data: &[T], _: &_| {
        let mono = data
            .chunks_exact(channels)
            .map(|frame| frame.iter().map(|sample| sample.to_sample::<f32>()).sum::<f32>() / channels as f32);
        // The other end is gone only when this program ends.
        let _ = to.send(Event::Heard(mono.collect()));
    };
    let config = soon(config);
    device.build_input_stream(config, heard, move |error| report(&error, &broken), None).map_err(told)
}

fn output(
    device: &Device,
    config: &SupportedStreamConfig,
    from: Receiver<Vec<f32>>,
    to: Sender<Event>,
) -> Result<Stream, String> {
    match config.sample_format() {
        SampleFormat::F32 => output_of::<f32>(device, config, from, to),
        SampleFormat::I16 => output_of::<i16>(device, config, from, to),
        SampleFormat::I32 => output_of::<i32>(device, config, from, to),
        other => Err(unknown(other)),
    }
}

fn output_of<T>(
    device: &Device,
    config: &SupportedStreamConfig,
    from: Receiver<Vec<f32>>,
    to: Sender<Event>,
) -> Result<Stream, String>
where
    T: SizedSample + FromSample<f32>,
{
    let channels = usize::from(config.channels());
    let broken = to.clone();
    let mut waiting = Vec::new().into_iter();
    let mut next = move || {
        loop {
            if let Some(sample) = waiting.next() {
                return sample;
            }
            match from.try_recv() {
                Ok(chunk) => waiting = chunk.into_iter(),
                Err(TryRecvError::Empty) => return 0.0,
                Err(TryRecvError::Disconnected) => {
                    let _ = to.send(Event::Over);
                    return 0.0;
                }
            }
        }
    };
    let fill = move |data: &mut [T], _: &_| {
        for frame in data.chunks_exact_mut(channels) {
            frame.fill(T::from_sample(next()));
        }
    };
    let config = soon(config);
    device.build_output_stream(config, fill, move |error| report(&error, &broken), None).map_err(told)
}

/// Returns the configuration with the shortest delay that a busy machine can keep up with. The default one may
/// take seconds.
fn soon(config: &SupportedStreamConfig) -> StreamConfig {
    let frames = config.sample_rate() * BUFFER_MS / 1_000;
    let buffer_size = match *config.buffer_size() {
        SupportedBufferSize::Range { min, max } => BufferSize::Fixed(frames.clamp(min, max)),
        SupportedBufferSize::Unknown => BufferSize::Default,
    };
    StreamConfig { buffer_size, ..StreamConfig::from(*config) }
}

/// Reports errors of a stream. Some do no harm: a click, or another device that took over.
fn report(error: &cpal::Error, to: &Sender<Event>) {
    match error.kind() {
        ErrorKind::Xrun | ErrorKind::DeviceChanged | ErrorKind::RealtimeDenied => {}
        _ => drop(to.send(Event::Broken(error.to_string()))),
    }
}

fn told(error: cpal::Error) -> String {
    error.to_string()
}

fn unknown(format: SampleFormat) -> String {
    format!("the device uses samples of the kind {format}, which cannot be converted")
}

/// Converts samples from one rate to another, a chunk at a time.
struct Converter {
    resampler: Option<Fft<f32>>,
    waiting: Vec<f32>,
}

impl Converter {
    fn new(from: u32, to: u32) -> Result<Converter, String> {
        let resampler = || Fft::new(from as usize, to as usize, CHUNK, 1, FixedSync::Input);
        let resampler = if from == to { None } else { Some(resampler().map_err(|error| error.to_string())?) };
        Ok(Converter { resampler, waiting: Vec::new() })
    }

    fn convert(&mut self, samples: &[f32]) -> Result<Vec<f32>, String> {
        let Some(resampler) = &mut self.resampler else { return Ok(samples.to_vec()) };
        self.waiting.extend_from_slice(samples);
        let mut converted = Vec::new();
        while self.waiting.len() >= resampler.input_frames_next() {
            let count = resampler.input_frames_next();
            let chunk = SequentialSlice::new(&self.waiting, 1, count).map_err(|error| error.to_string())?;
            let sound = resampler.process(&chunk, None).map_err(|error| error.to_string())?;
            converted.extend(sound.take_data());
            self.waiting.drain(..count);
        }
        Ok(converted)
    }

    /// Converts the last samples, together with those still inside the resampler.
    fn finish(&mut self, mut samples: Vec<f32>) -> Result<Vec<f32>, String> {
        if let Some(resampler) = &self.resampler {
            samples.resize(samples.len() + resampler.input_frames_max() * 2, 0.0);
        }
        self.convert(&samples)
    }
}
