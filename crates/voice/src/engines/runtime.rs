//! The runtime that all models share, loaded together with the first of them.

use crate::Trouble;
use crate::packages::Folder;
use ort::environment::Environment;
use ort::ep::CPU;
use ort::logging::LogLevel;
use ort::session::builder::SessionBuilder;
use ort::session::{Session, SessionInputValue, SessionOutputs};
use ort::value::{DynValue, Tensor};
use std::borrow::Cow;
use std::path::Path;
use std::sync::{Once, OnceLock};

/// The number of threads. Two cores are usual, and the microphone needs a part of one.
const THREADS: usize = 2;

/// The runtime's environment, of which there is one in a process.
#[derive(Clone)]
pub struct Runtime {
    environment: Environment,
    pub folder: Folder,
}

impl std::fmt::Debug for Runtime {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Runtime").field("folder", &self.folder).finish_non_exhaustive()
    }
}

impl Runtime {
    /// Loads the runtime from the installed packages.
    pub fn load(folder: &Folder) -> Result<Runtime, Trouble> {
        static ENVIRONMENT: OnceLock<Result<Environment, Trouble>> = OnceLock::new();
        let library = folder.file("onnxruntime", "libonnxruntime")?;
        let environment = ENVIRONMENT.get_or_init(|| environment(&library)).clone()?;
        Ok(Runtime { environment, folder: folder.clone() })
    }

    pub(super) fn model(&self, name: &'static str, path: &Path) -> Result<Model, Trouble> {
        self.build(name, THREADS, |builder| builder.commit_from_file(path))
    }

    /// Loads a model that runs in less than a millisecond. A second thread would only wait for it and keep a
    /// core busy.
    pub(super) fn small_model(&self, name: &'static str, path: &Path) -> Result<Model, Trouble> {
        self.build(name, 1, |builder| builder.commit_from_file(path))
    }

    pub(super) fn small_model_of(&self, name: &'static str, bytes: &[u8]) -> Result<Model, Trouble> {
        self.build(name, 1, |builder| builder.commit_from_memory(bytes))
    }

    fn build(
        &self,
        name: &'static str,
        threads: usize,
        commit: impl FnOnce(&mut SessionBuilder) -> ort::Result<Session>,
    ) -> Result<Model, Trouble> {
        let build = || -> Result<Session, Box<dyn std::error::Error>> {
            // Memory is given back as soon as it is free, so that no recording stays in it.
            let processor = CPU::default().with_arena_allocator(false).build();
            let builder = Session::builder(&self.environment)?;
            let builder = builder.with_intra_threads(threads).map_err(|error| error.to_string())?;
            let builder = builder.with_memory_pattern(false).map_err(|error| error.to_string())?;
            let builder = builder.with_log_level(LogLevel::Error).map_err(|error| error.to_string())?;
            let mut builder =
                builder.with_execution_providers([processor]).map_err(|error| error.to_string())?;
            Ok(commit(&mut builder)?)
        };
        let session = allocator::loading(build).map_err(|error| Trouble::engine(name, error))?;
        Ok(Model { name, session })
    }
}

fn environment(library: &Path) -> Result<Environment, Trouble> {
    let failed = |error: &dyn std::fmt::Display| {
        Trouble::new(
            format!("the runtime of the models cannot be loaded: {error}"),
            "run `etude voice setup` again; `etude voice --text` works without it",
        )
    };
    report_nothing();
    let builder = ort::init_from(library).map_err(|error| failed(&error))?;
    builder.with_name("etude").with_telemetry(false).build().map_err(|error| failed(&error))
}

/// Keeps the runtime from reporting its use. It would make an identifier for this machine, note in the home
/// folder how it is used, and send that to its makers; its own option against that takes effect too late. A
/// program has to call this before its first thread starts.
#[expect(unsafe_code, reason = "a variable belongs to the whole process")]
pub fn report_nothing() {
    static DONE: Once = Once::new();
    // SAFETY: no other thread reads variables at the same time, because none has started.
    DONE.call_once(|| unsafe { std::env::set_var("ORT_DISABLE_TELEMETRY", "1") });
}

/// Tuning of the system's allocator, which the runtime uses because it is written in another language.
#[cfg(all(target_os = "linux", target_env = "gnu"))]
#[expect(unsafe_code, reason = "only the allocator can do it")]
mod allocator {
    use libc::{M_ARENA_MAX, M_MMAP_THRESHOLD, M_TRIM_THRESHOLD, c_int, malloc_trim, mallopt};
    use std::sync::atomic::{AtomicI32, Ordering};

    /// The mapping threshold while a model loads, in bytes. A block of this size can be given back by itself.
    const WEIGHTS: c_int = 128 << 10;
    /// The mapping threshold while a model runs, in bytes. Hardly any block reaches it, so blocks come from memory
    /// used before: new pages would take a third of the time.
    const NEVER: c_int = 32 << 20;
    const MOST_FREE: c_int = 256 << 20;

    /// The number of arenas while models run. 0 leaves the default: a few for each processor.
    static PLACES: AtomicI32 = AtomicI32::new(0);

    /// Limits the allocator to one arena, whose free memory can always be given back: 40 MB less. This is for
    /// programs that do one thing at a time, and they have to call it before their first thread starts.
    pub fn spare_memory() {
        PLACES.store(1, Ordering::Relaxed);
        // SAFETY: the call takes no pointer, and changes only the source of later blocks.
        unsafe { mallopt(M_ARENA_MAX, 1) };
    }

    /// Gives back the memory left over from loading or running a model. The allocator would keep 40 MB of it.
    pub(crate) fn give_back() {
        // SAFETY: the call takes no pointer, and any thread may make it at any time.
        unsafe { malloc_trim(0) };
    }

    /// Loads a model. Loading makes and frees many blocks, and those that stay would hold back the others: 60 MB.
    pub(super) fn loading<T>(load: impl FnOnce() -> T) -> T {
        set(WEIGHTS, 1);
        let loaded = load();
        set(NEVER, PLACES.load(Ordering::Relaxed));
        give_back();
        loaded
    }

    /// Sets the size at which blocks are mapped one by one, and the number of arenas for smaller ones.
    fn set(mapped: c_int, places: c_int) {
        // SAFETY: the calls take no pointers, and change only the source of later blocks.
        unsafe {
            mallopt(M_MMAP_THRESHOLD, mapped);
            mallopt(M_TRIM_THRESHOLD, MOST_FREE);
            mallopt(M_ARENA_MAX, places);
        }
    }
}

#[cfg(not(all(target_os = "linux", target_env = "gnu")))]
mod allocator {
    pub fn spare_memory() {}

    pub(crate) fn give_back() {}

    pub(super) fn loading<T>(load: impl FnOnce() -> T) -> T {
        load()
    }
}

pub(crate) use allocator::give_back;
pub use allocator::spare_memory;

/// A loaded model.
#[derive(Debug)]
pub(super) struct Model {
    name: &'static str,
    session: Session,
}

pub(super) type Input<'v> = (Cow<'v, str>, SessionInputValue<'v>);

impl Model {
    pub(super) fn run<'s>(&'s mut self, inputs: Vec<Input<'_>>) -> Result<SessionOutputs<'s>, Trouble> {
        let name = self.name;
        self.session.run(inputs).map_err(|error| Trouble::engine(name, error))
    }
}

pub(super) fn floats(
    name: &'static str,
    shape: &[usize],
    values: Vec<f32>,
) -> Result<Input<'static>, Trouble> {
    let tensor = Tensor::from_array((shape, values)).map_err(|error| Trouble::engine(name, error))?;
    Ok((name.into(), tensor.into()))
}

pub(super) fn integers(
    name: &'static str,
    shape: &[usize],
    values: Vec<i64>,
) -> Result<Input<'static>, Trouble> {
    let tensor = Tensor::from_array((shape, values)).map_err(|error| Trouble::engine(name, error))?;
    Ok((name.into(), tensor.into()))
}

/// Returns the values of an output.
pub(super) fn output<'o>(outputs: &'o SessionOutputs<'_>, name: &'static str) -> Result<&'o [f32], Trouble> {
    let value = outputs.get(name).ok_or_else(|| Trouble::engine(name, "the model has no such output"))?;
    Ok(value.try_extract_tensor::<f32>().map_err(|error| Trouble::engine(name, error))?.1)
}

/// A decoder's memory of earlier tokens, by the names of its inputs.
pub(super) type Cache = Vec<(String, DynValue)>;

/// Returns the empty memory of a decoder with this many layers, heads and numbers per head.
pub(super) fn empty_cache(layers: usize, heads: usize, width: usize) -> Result<Cache, Trouble> {
    let mut cache = Vec::new();
    for layer in 0..layers {
        for part in ["decoder.key", "decoder.value", "encoder.key", "encoder.value"] {
            let empty = Tensor::from_array(([1, heads, 0, width], Vec::<f32>::new()));
            let empty = empty.map_err(|error| Trouble::engine("a decoder", error))?;
            cache.push((format!("past_key_values.{layer}.{part}"), empty.into_dyn()));
        }
    }
    Ok(cache)
}

/// Stores the decoder's new memory. The part about the sound is computed only once, with the first token.
pub(super) fn update(cache: &mut Cache, outputs: &mut SessionOutputs<'_>, is_first: bool) {
    for (name, value) in cache.iter_mut().filter(|(name, _)| is_first || name.contains("decoder")) {
        if let Some(present) = outputs.remove(name.replace("past_key_values", "present")) {
            *value = present;
        }
    }
}

pub(super) fn cached(cache: &Cache) -> impl Iterator<Item = Input<'_>> {
    cache.iter().map(|(name, value)| (Cow::from(name.as_str()), SessionInputValue::from(value)))
}

/// Returns the input that says whether the decoder uses its memory.
pub(super) fn uses_cache(yes: bool) -> Result<Input<'static>, Trouble> {
    let tensor = Tensor::from_array(([1], vec![yes])).map_err(|error| Trouble::engine("a decoder", error))?;
    Ok(("use_cache_branch".into(), tensor.into()))
}

/// Returns the index of the largest number.
pub(super) fn largest(values: &[f32]) -> usize {
    let larger = |a: &(usize, f32), b: &(usize, f32)| a.1.total_cmp(&b.1);
    values.iter().copied().enumerate().max_by(larger).map_or(0, |(at, _)| at)
}
